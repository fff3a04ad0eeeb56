//! A route names a waypoint layer that no level has.

use std::collections::BTreeSet;

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    edit::Edit,
    model::{FieldType, Finding, Location, did_you_mean, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-layer", doc: "A route names a waypoint layer that no level has.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let layers = input.project.levels().flat_map(|(_, level)| level.all_layers());
    let layers: BTreeSet<&str> = layers.filter(|layer| layer.waypoints().is_some()).map(|layer| &*layer.name).collect();
    let find = |declared: &str, at: Location, change: &dyn Fn(String) -> Option<Edit>| {
        // A route may name a tag of the layer's nodes too, as in `layer/tag`.
        let (name, tag) = declared.split_once('/').map_or((declared, None), |(name, tag)| (name, Some(tag)));
        if name.is_empty() || layers.contains(declared) || layers.contains(name) {
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
    references::argument_names(input, &mut |argument| {
        if *argument.ty == FieldType::Layer {
            out.extend(find(argument.name, argument.location(), &|new| Some(argument.replaced_by(&new))));
        }
    });
    references::declared_names(input, &mut |declared| {
        if *declared.ty == FieldType::Layer {
            out.extend(find(declared.name, declared.location(), &|new| Some(declared.replaced_by(&new))));
        }
    });
}
