//! A camera's fields contradict each other: its viewport extends beyond the picture or has no size, its rail has a
//! single point, its zoom never changes. The existence of its target is checked by the rule on entities.

use crate::{
    check::{
        Fix, Problem, Rule,
        input::{DeclaredFields, Declarer, Input},
    },
    edit::{Edit, Owner},
    model::{FieldPath, Finding, Location, OpKind, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "bad-camera",
    doc: "A camera's viewport reaches beyond the picture or is empty, or its rail or zoom has no effect.",
    check,
};

/// Shares that differ by less are equal.
const SAME: f64 = 1e-6;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (declarer, declared) in input.declared("Camera").filter(|(_, declared)| declared.op == OpKind::Set) {
        let at = At { input, declarer, declared };
        at.viewport(out);
        at.rail(out);
        at.zoom(out);
    }
}

/// A camera, at a definition or placed entity that declares a part of it.
struct At<'a> {
    input: &'a Input<'a>,
    declarer: &'a Declarer<'a>,
    declared: &'a DeclaredFields<'a>,
}

impl<'a> At<'a> {
    /// A field as declared here, else as inherited.
    fn field(&self, field: &str) -> Option<&'a Value> {
        let of_instance = || {
            let Owner::Instance { doc, id, .. } = &self.declarer.owner else { return None };
            let (_, instance) = self.input.project.level(doc)?.entity(id)?;
            self.input.resolution.defs.get(&instance.def).map(|resolved| &**resolved)
        };
        let inherited = || self.declarer.resolved.or_else(of_instance)?.get("Camera", field);
        self.declared.fields.get(field).or_else(inherited)
    }

    fn pair(&self, field: &str, otherwise: [f64; 2]) -> [f64; 2] {
        self.field(field).and_then(Value::as_vec2).unwrap_or(otherwise)
    }

    /// The first of some fields that is declared here.
    fn declares(&self, fields: [&'static str; 2]) -> Option<&'static str> {
        fields.into_iter().find(|field| self.declared.fields.contains_key(*field))
    }

    fn warn(&self, field: &str, message: String) -> Finding {
        let at = self.declarer.at(self.declared.op, self.declared.component).key(field);
        Finding::warning(RULE.name, Location::new(self.declarer.owner.doc().clone(), at), message)
    }

    fn put(&self, label: String, field: &str, value: Value) -> Fix {
        let edit = Edit::SetValue {
            owner: self.declarer.owner.clone(),
            op: self.declared.op,
            component: self.declared.component.clone(),
            field: field.into(),
            inner: FieldPath::root(),
            value,
        };
        Fix::new(label, edit)
    }

    fn viewport(&self, out: &mut Vec<Problem>) {
        let Some(field) = self.declares(["viewport_size", "viewport"]) else { return };
        let (at, size) = (self.pair("viewport", [0.0; 2]), self.pair("viewport_size", [1.0; 2]));
        // Values outside the range of a field are reported as such.
        if at.iter().chain(&size).any(|share| !(0.0..=1.0).contains(share)) {
            return;
        }
        if size.contains(&0.0) {
            let finding = self.warn(field, "nothing is seen of this camera: its viewport has no size".to_owned());
            out.push(Problem::new(finding));
            return;
        }
        let end = [0, 1].map(|i| at[i] + size[i]);
        if end.iter().all(|end| *end <= 1.0 + SAME) {
            return;
        }
        // Rounded to a thousandth: shares such as 0.3 have no exact sums.
        let tidy = |share: f64| (share * 1000.0).round() / 1000.0;
        let [x, y] = end.map(tidy);
        let message = format!("this viewport reaches beyond the picture: it ends at ({x}, {y}) of it");
        let room = [0, 1].map(|i| size[i].min(tidy(1.0 - at[i])));
        let fix = room.iter().all(|side| *side > 0.0).then(|| {
            let label = format!("Make it ({}, {}) large", room[0], room[1]);
            self.put(label, "viewport_size", Value::vec2(room[0], room[1]))
        });
        out.push(Problem::new(self.warn(field, message)).with(fix));
    }

    fn rail(&self, out: &mut Vec<Problem>) {
        let points = self.declared.fields.get("rail").and_then(Value::as_list);
        if points.is_some_and(|points| points.len() == 1) {
            let finding = self.warn("rail", "a rail of one point leads nowhere: the camera ignores it".to_owned());
            out.push(Problem::new(finding.with_help(Some("add a second point".to_owned()))));
        }
    }

    fn zoom(&self, out: &mut Vec<Problem>) {
        let Some(field) = self.declares(["zoom_fast", "zoom_speeds"]) else { return };
        let has_fast = self.field("zoom_fast").and_then(Value::as_option).is_some();
        let [from, to] = self.pair("zoom_speeds", [0.0; 2]);
        if has_fast && to <= from {
            let message = "the zoom never becomes `zoom_fast`: the second of `zoom_speeds` is not above the first";
            out.push(Problem::new(self.warn(field, message.to_owned())));
        } else if !has_fast && to > from {
            let message = "the zoom does not change: there is no `zoom_fast`";
            out.push(Problem::new(self.warn(field, message.to_owned())));
        }
    }
}
