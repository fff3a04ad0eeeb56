//! A track that does not fit what it drives: a key of another type, keys out of order, a component that the entity
//! lacks, no way to start it. The existence of its field and messages is checked by the rules on names.

use super::{out_of_range::nearest, wrong_type::meant};
use crate::{
    check::{
        Fix, Problem, Rule,
        input::{DeclaredFields, Declarer, Input},
    },
    edit::{Edit, Owner},
    model::{FieldPath, FieldSpec, FieldType, Finding, Location, OpKind, TypeErrorKind, Value},
    sim::tracks::{Driven, Kind},
};

pub(super) const RULE: Rule =
    Rule { name: "bad-track", doc: "A track does not fit what it drives, or never plays.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (declarer, declared) in input.declared("Tracks").filter(|(_, declared)| declared.op == OpKind::Set) {
        let Some(Value::Map(tracks)) = declared.fields.get("tracks") else { continue };
        for (name, value) in tracks {
            let Some(name) = name.as_str() else { continue };
            At { input, declarer, declared, name, value }.look(out);
        }
    }
}

/// A track, at a definition or placed entity that declares a part of it.
struct At<'a> {
    input: &'a Input<'a>,
    declarer: &'a Declarer<'a>,
    declared: &'a DeclaredFields<'a>,
    name: &'a str,
    value: &'a Value,
}

impl<'a> At<'a> {
    /// A field of the track as declared here, else as inherited.
    fn field(&self, field: &str) -> Option<&'a Value> {
        let inherited = || self.inherited()?.get("Tracks", "tracks")?.field(self.name)?.field(field);
        self.value.field(field).or_else(inherited)
    }

    /// The definition, or that of a placed entity.
    fn inherited(&self) -> Option<&'a crate::defs::Resolved> {
        let of_instance = || {
            let Owner::Instance { doc, id, .. } = &self.declarer.owner else { return None };
            let (_, instance) = self.input.project.level(doc)?.entity(id)?;
            self.input.resolution.defs.get(&instance.def).map(|resolved| &**resolved)
        };
        self.declarer.resolved.or_else(of_instance)
    }

    fn text(&self, field: &str) -> &'a str {
        self.field(field).and_then(Value::as_str).unwrap_or_default()
    }

    fn inner(&self, rest: &FieldPath) -> FieldPath {
        FieldPath::keys([self.name]).join(rest)
    }

    fn location(&self, rest: &FieldPath) -> Location {
        let at = self.declarer.at(self.declared.op, self.declared.component).key("tracks");
        let doc = match &self.declarer.owner {
            Owner::Def { doc, .. } | Owner::Instance { doc, .. } => doc.clone(),
        };
        let path = at.join(&self.inner(rest));
        if rest.0.is_empty() { Location::key(doc, path) } else { Location::new(doc, path) }
    }

    fn put(&self, label: String, rest: &FieldPath, value: Value) -> Fix {
        let edit = Edit::SetValue {
            owner: self.declarer.owner.clone(),
            op: self.declared.op,
            component: self.declared.component.clone(),
            field: "tracks".into(),
            inner: self.inner(rest),
            value,
        };
        Fix::new(label, edit)
    }

    fn warn(&self, rest: &FieldPath, message: String) -> Finding {
        Finding::warning(RULE.name, self.location(rest), message)
    }

    fn look(&self, out: &mut Vec<Problem>) {
        let drives = match self.text("drives") {
            "Position" => Driven::Position,
            "Rotation" => Driven::Rotation,
            _ => Driven::Field(self.text("field").into()),
        };
        self.starts(out);
        self.order(out);
        self.is_there(&drives, out);
        self.has_use(out);
        let (Some(spec), Some(kind)) = (self.spec(&drives), drives.kind(self.input.schema())) else { return };
        let is_added = self.field("added").and_then(Value::as_bool).unwrap_or_default();
        if is_added && matches!(kind, Kind::Color | Kind::Other) {
            let text = format!("`{}`: only numbers and pairs can be added", self.name);
            out.push(Problem::new(self.warn(&self.part("added"), text)));
        }
        // A summand may be outside the range by itself.
        let spec = if is_added { FieldSpec::of(spec.ty.clone()) } else { spec };
        self.values(&spec, kind, out);
    }

    /// The place of a field of the track if it is declared here, else that of the track.
    fn part(&self, field: &str) -> FieldPath {
        if self.value.field(field).is_some() { FieldPath::keys([field]) } else { FieldPath::root() }
    }

    /// The values that its keys have to have.
    fn spec(&self, drives: &Driven) -> Option<FieldSpec> {
        match drives {
            Driven::Position => Some(FieldSpec::of(FieldType::Vec2)),
            Driven::Rotation => Some(FieldSpec::of(FieldType::Angle)),
            Driven::Field(path) if **path == *crate::model::LIFE => Some(FieldSpec::of(FieldType::Float)),
            Driven::Field(path) => {
                let (component, field) = path.split_once('.')?;
                self.input.schema().field(component, field).cloned()
            }
        }
    }

    /// Check that something starts it.
    fn starts(&self, out: &mut Vec<Problem>) {
        let autostart = self.field("autostart").and_then(Value::as_bool).unwrap_or(true);
        if autostart || !self.text("start_on").is_empty() {
            return;
        }
        let text = format!("`{}` never plays: it does not start by itself, and no message starts it", self.name);
        let finding = self.warn(&self.part("autostart"), text).with_help(Some("name one in `start_on`".to_owned()));
        let fix = self.put("Start it by itself".to_owned(), &FieldPath::keys(["autostart"]), Value::Bool(true));
        out.push(Problem::new(finding).with([fix]));
    }

    /// Check that it has keys or sends something: without keys it is a timer.
    fn has_use(&self, out: &mut Vec<Problem>) {
        let has = |list: &str| self.field(list).and_then(Value::as_list).is_some_and(|list| !list.is_empty());
        let may_come = self.declarer.def.is_some_and(|def| def.is_abstract);
        if may_come || has("keys") || has("marks") || !self.text("send_at_end").is_empty() {
            return;
        }
        let text = format!("`{}` does nothing: it has no keys, and sends nothing", self.name);
        out.push(Problem::new(Finding::hint(RULE.name, self.location(&FieldPath::root()), text)));
    }

    /// Check that keys are sorted by time, without duplicates, and before the end.
    fn order(&self, out: &mut Vec<Problem>) {
        let Some(keys) = self.value.field("keys").and_then(Value::as_list) else { return };
        let time = |key: &Value| key.field("at").and_then(Value::as_f64).unwrap_or_default();
        let length = self.field("secs").and_then(Value::as_f64).filter(|secs| *secs > 0.0);
        let list = FieldPath::keys(["keys"]);
        for (i, key) in keys.iter().enumerate() {
            let (at, before) = (time(key), i.checked_sub(1).and_then(|i| keys.get(i)).map(time));
            let place = list.index(i);
            let place = if key.field("at").is_some() { place.key("at") } else { place };
            if before.is_some_and(|before| at < before) {
                let mut sorted = keys.to_vec();
                sorted.sort_by(|a, b| time(a).total_cmp(&time(b)));
                let fix =
                    Fix { safe: true, ..self.put("Sort the keys by time".to_owned(), &list, Value::List(sorted)) };
                let text = format!("`{}`: this key is before the one above it", self.name);
                out.push(Problem::new(self.warn(&place, text)).with([fix]));
            } else if before == Some(at) {
                let text = format!("`{}`: two keys are at {at} s, of which the later one counts", self.name);
                out.push(Problem::new(self.warn(&place, text)));
            } else if let Some(length) = length.filter(|length| at > *length) {
                let text = format!("`{}`: this key is after the end of the track, at {length} s", self.name);
                out.push(Problem::new(self.warn(&place, text)));
            }
        }
    }

    /// Check that it drives something that the entity has.
    fn is_there(&self, drives: &Driven, out: &mut Vec<Problem>) {
        let Driven::Field(path) = drives else { return };
        let has_keys = self.field("keys").and_then(Value::as_list).is_some_and(|keys| !keys.is_empty());
        if path.is_empty() {
            if has_keys {
                let text = format!("`{}` drives nothing: it names no field", self.name);
                out.push(Problem::new(self.warn(&FieldPath::root(), text)));
            }
            return;
        }
        let component = path.split_once('.').map_or(&**path, |(component, _)| component);
        let text = if component == "Tracks" {
            format!("`{}`: tracks cannot drive tracks", self.name)
        } else {
            let may_come = self.declarer.def.is_some_and(|def| def.is_abstract);
            let is_known = self.input.schema().components.contains_key(component);
            let own = || self.declarer.ops.set.contains_key(component);
            if may_come || !is_known || own() || self.inherited().is_none_or(|it| it.has(component)) {
                return;
            }
            format!("`{}` moves nothing: the entity has no `{component}`", self.name)
        };
        out.push(Problem::new(self.warn(&self.part("field"), text)));
    }

    /// Check that the values and slopes of the keys have the driven type.
    fn values(&self, spec: &FieldSpec, kind: Kind, out: &mut Vec<Problem>) {
        let keys = self.value.field("keys").and_then(Value::as_list).unwrap_or_default();
        for (i, key) in keys.iter().enumerate() {
            let place = FieldPath::keys(["keys"]).index(i);
            let Some(value) = key.field("value") else {
                out.push(Problem::new(self.warn(&place, format!("`{}`: this key has no value", self.name))));
                continue;
            };
            let place = place.key("value");
            for found in self.input.schema().type_errors(spec, value) {
                let inner = place.join(&found.path);
                let message = format!("`{}`: {}", self.name, found.message);
                let finding = match found.kind {
                    TypeErrorKind::OutOfRange => self.warn(&inner, message),
                    _ => Finding::error(RULE.name, self.location(&inner), message),
                };
                let finding = finding.with_help(found.help);
                let fix = match found.kind {
                    TypeErrorKind::OutOfRange => {
                        let near = nearest(value, spec.min, spec.max);
                        Some(self.put(format!("Use {near}, the nearest allowed"), &place, near))
                    }
                    _ => value
                        .at(&found.path)
                        .and_then(|value| meant(value, &finding))
                        .map(|meant| self.put(format!("Write {meant}"), &inner, meant)),
                };
                out.push(Problem::new(finding).with(fix));
            }
            self.slope(i, key, kind, out);
        }
    }

    fn slope(&self, i: usize, key: &Value, kind: Kind, out: &mut Vec<Problem>) {
        let Some(slope) = key.field("slope").and_then(Value::as_option) else { return };
        let expected = match kind {
            Kind::Number | Kind::Whole => "a number",
            Kind::Pair => "a pair of numbers `(x, y)`",
            Kind::Color => "a list of four numbers",
            Kind::Other => "none: these values do not go from one to the next",
        };
        if kind.slope(slope).is_none() {
            let at = FieldPath::keys(["keys"]).index(i).key("slope");
            let text = format!("`{}`: the slope has to be {expected}", self.name);
            out.push(Problem::new(Finding::error(RULE.name, self.location(&at), text)));
        }
    }
}
