//! A placed entity, layer or level that refers to an entity missing in its level.

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    model::{FieldType, Finding, Level, Location, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-entity", doc: "A field refers to a placed entity that its level does not have.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    references::inherited_names(input, &FieldType::Entity, &mut |inherited| {
        let change = |near: &str| Fix::new(format!("Use {near} here"), inherited.replaced_by(near));
        let source = || format!(", {}", inherited.source());
        out.extend(missing(input, (inherited.level, inherited.name), || inherited.location(), source, change));
    });
    references::declared_names(input, &mut |declared| {
        if *declared.ty != FieldType::Entity {
            return;
        }
        // A definition may refer to an entity of any level.
        let Some(level) = input.project.level(&declared.location().doc) else { return };
        let change = |near: &str| Fix::new(format!("Use {near}"), declared.replaced_by(near));
        out.extend(missing(input, (level, declared.name), || declared.location(), String::new, change));
    });
}

/// The problem of a name that is no entity of a level, with where it comes from.
fn missing(
    input: &Input<'_>,
    (level, name): (&Level, &str),
    at: impl FnOnce() -> Location,
    source: impl FnOnce() -> String,
    fix: impl FnOnce(&str) -> Fix,
) -> Option<Problem> {
    // Ids of spawned entities are known only during the run.
    if name.contains('#') || level.entity(name).is_some() {
        return None;
    }
    let near = input.near(name, level.entities().map(|(_, id, _)| &**id));
    let message = format!("no entity of this level is called `{name}`{}", source());
    Some(Problem::new(Finding::warning(RULE.name, at(), message).with_help(mean(near))).with(near.map(fix)))
}
