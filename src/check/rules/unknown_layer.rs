//! A route that names a waypoint layer that its level, or every level, lacks, or a tag that none of the layer's nodes
//! has.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    edit::Edit,
    model::{DocPath, FieldType, Finding, Level, Location, Value, did_you_mean, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "unknown-layer",
    doc: "A route names a waypoint layer that its level does not have, or a tag that none of the layer's nodes has.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let levels: BTreeMap<&DocPath, Layers<'_>> = input.project.levels().map(|(doc, it)| (doc, layers_of(it))).collect();
    let mut layers = Layers::new();
    for (name, tags) in levels.values().flatten() {
        layers.entry(*name).or_default().extend(tags);
    }
    let find = |declared: &str, at: Location, change: &dyn Fn(String) -> Option<Edit>| {
        // A route may also name a tag of the layer's nodes, as in `layer/tag`.
        let (name, tag) = declared.split_once('/').map_or((declared, None), |(name, tag)| (name, Some(tag)));
        if name.is_empty() || layers.contains_key(declared) {
            return None;
        }
        if let Some(tags) = layers.get(name) {
            return no_tag((name, tags), tag?, at, &|tag| change(format!("{name}/{tag}")));
        }
        let near = did_you_mean(name, layers.keys().copied());
        let finding = Finding::warning(RULE.name, at, format!("no level has a waypoint layer `{name}`"));
        let fix = near.and_then(|near| {
            let whole = tag.map_or_else(|| near.to_owned(), |tag| format!("{near}/{tag}"));
            Some(Fix::new(format!("Use {whole}"), change(whole)?))
        });
        Some(Problem::new(finding.with_help(mean(near))).with(fix))
    };
    references::argument_names(input, &mut |argument| {
        if *argument.ty != FieldType::Layer {
            return;
        }
        out.extend(find(argument.name, argument.location(), &|new| Some(argument.replaced_by(&new))));
        let site = argument.site;
        if let Some(tags) = layers.get(argument.name)
            && let Some(tag) = site.call.args.get("tag").and_then(Value::as_str)
        {
            let Location { doc, path, .. } = site.arg("tag");
            let change =
                |new: String| Some(Edit::Set { doc: doc.clone(), at: path.clone(), data: Value::str(new).into() });
            out.extend(no_tag((argument.name, tags), tag, site.arg("tag"), &change));
        }
    });
    // What no level has is reported where it is declared.
    let is_known = |name: &str| layers.contains_key(name.split('/').next().unwrap_or_default());
    references::declared_names(input, &mut |declared| {
        if *declared.ty != FieldType::Layer {
            return;
        }
        let at = declared.location();
        match levels.get(&at.doc).filter(|_| is_known(declared.name)) {
            Some(own) => out.extend(in_level(own, declared.name, "", at, &|new| declared.replaced_by(new))),
            None => out.extend(find(declared.name, at, &|new| Some(declared.replaced_by(&new)))),
        }
    });
    references::inherited_names(input, &FieldType::Layer, &mut |inherited| {
        let name = inherited.name;
        if let Some(own) = levels.get(inherited.doc).filter(|_| is_known(name)) {
            let source = format!(", {}", inherited.source());
            out.extend(in_level(own, name, &source, inherited.location(), &|new| inherited.replaced_by(new)));
        }
    });
}

/// Waypoint layers by name, with the tags of their nodes.
type Layers<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

fn layers_of(level: &Level) -> Layers<'_> {
    let mut layers = Layers::new();
    for layer in level.all_layers() {
        if let Some(graph) = layer.waypoints() {
            let tags = graph.nodes.values().flat_map(|node| &node.tags);
            layers.entry(&layer.name).or_default().extend(tags.map(|tag| &**tag));
        }
    }
    layers
}

/// The problem of a route, of an entity in a level, along a layer that only other levels have, or with a tag that the
/// layer's nodes do not have.
fn in_level(
    own: &Layers<'_>,
    route: &str,
    source: &str,
    at: Location,
    change: &dyn Fn(&str) -> Edit,
) -> Option<Problem> {
    let (name, tag) = route.split_once('/').unwrap_or((route, ""));
    if own.contains_key(route) {
        return None;
    }
    if let Some(tags) = own.get(name) {
        return no_tag((name, tags), tag, at, &|tag| Some(change(&format!("{name}/{tag}"))));
    }
    let near = did_you_mean(name, own.keys().copied());
    // With a single layer there is no other choice.
    let meant = near.or_else(|| own.keys().next().copied().filter(|_| own.len() == 1));
    let message = format!("this level has no waypoint layer `{name}`{source}");
    let fix = meant.map(|meant| {
        let has_tag = own.get(meant).is_some_and(|tags| tags.contains(tag));
        let whole = if has_tag { format!("{meant}/{tag}") } else { meant.to_owned() };
        Fix::new(format!("Use {whole} here"), change(&whole))
    });
    Some(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix))
}

/// The problem of a tag that no node of a layer has.
fn no_tag(
    (layer, tags): (&str, &BTreeSet<&str>),
    tag: &str,
    at: Location,
    change: &dyn Fn(String) -> Option<Edit>,
) -> Option<Problem> {
    if tag.is_empty() || tags.contains(tag) {
        return None;
    }
    let near = did_you_mean(tag, tags.iter().copied());
    let message = format!("no waypoint of the layer `{layer}` has the tag `{tag}`");
    let fix = near.and_then(|near| Some(Fix::new(format!("Use {near}"), change(near.to_owned())?)));
    Some(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix))
}
