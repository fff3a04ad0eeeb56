//! A route names a waypoint layer that no level has.

use std::collections::BTreeSet;

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{FieldPath, FieldType, Finding, Location, Name, OpKind, Value, did_you_mean, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-layer", doc: "A route names a waypoint layer that no level has.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let layers = input.project.levels().flat_map(|(_, level)| &level.layers);
    let layers: BTreeSet<&str> = layers.filter(|layer| layer.waypoints().is_some()).map(|layer| &*layer.name).collect();
    let find = |said: &str, at: Location, change: &dyn Fn(String) -> Option<Edit>| {
        // A route may name a tag of the layer's nodes too, as in `layer/tag`.
        let (name, tag) = said.split_once('/').map_or((said, None), |(name, tag)| (name, Some(tag)));
        if name.is_empty() || layers.contains(said) || layers.contains(name) {
            return None;
        }
        let near = did_you_mean(name, layers.iter().copied());
        let finding = Finding::warning(RULE.name, at, format!("no level has a waypoint layer `{name}`"));
        let fix = near.and_then(|near| {
            let whole = tag.map_or_else(|| near.to_owned(), |tag| format!("{near}/{tag}"));
            Some(Fix::new(format!("Use {whole}"), change(whole)?))
        });
        Some(Problem::new(finding.with_help(mean(near))).with(fix))
    };
    for site in input.built_in_calls().filter(|site| !site.is_condition()) {
        let Some(said) = site.call.args.get("layer").and_then(Value::as_str) else { continue };
        out.extend(find(said, site.arg("layer"), &|new| {
            site.changed(|call| drop(call.args.insert("layer".into(), Value::str(new))))
        }));
    }
    let known = input.resolution.builtin().schema.components.iter();
    let routed: Vec<&Name> = known
        .filter(|(_, spec)| spec.fields.get("route").is_some_and(|spec| spec.ty == FieldType::Str))
        .map(|(component, _)| component)
        .collect();
    for speaker in &input.speakers {
        for component in routed.iter().copied() {
            let said = speaker.ops.set.get(component).and_then(|fields| fields.get("route"));
            let Some(said) = said.and_then(Value::as_str) else { continue };
            let path = speaker.base.key(OpKind::Set.key()).key(component).key("route");
            let at = Location::new(speaker.owner.doc().clone(), path);
            out.extend(find(said, at, &|new| {
                Some(Edit::SetValue {
                    owner: speaker.owner.clone(),
                    op: OpKind::Set,
                    component: component.clone(),
                    field: "route".into(),
                    inner: FieldPath::root(),
                    value: Value::str(new),
                })
            }));
        }
    }
}
