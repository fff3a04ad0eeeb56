//! A placed entity, layer or level that refers to an entity missing in its level.

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    model::{FieldType, Finding, Level, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-entity", doc: "A field refers to a placed entity that its level does not have.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    references::inherited_names(input, &FieldType::Entity, &mut |inherited| {
        let (level, name) = (inherited.level, inherited.name);
        if name.contains('#') || level.entity(name).is_some() {
            return;
        }
        let near = near(input, level, name);
        let message = format!("no entity of this level is called `{name}`, {}", inherited.source());
        let fix = near.map(|near| Fix::new(format!("Use {near} here"), inherited.replaced_by(near)));
        out.push(
            Problem::new(Finding::warning(RULE.name, inherited.location(), message).with_help(mean(near))).with(fix),
        );
    });
    references::declared_names(input, &mut |declared| {
        if *declared.ty != FieldType::Entity {
            return;
        }
        let at = declared.location();
        // A definition may refer to an entity of any level; ids of spawned entities are known only during the run.
        let Some(level) = input.project.level(&at.doc).filter(|_| !declared.name.contains('#')) else { return };
        if level.entity(declared.name).is_some() {
            return;
        }
        let near = near(input, level, declared.name);
        let message = format!("no entity of this level is called `{}`", declared.name);
        let fix = near.map(|near| Fix::new(format!("Use {near}"), declared.replaced_by(near)));
        out.push(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix));
    });
}

fn near<'l>(input: &Input<'_>, level: &'l Level, id: &str) -> Option<&'l str> {
    input.near(id, level.entities().map(|(_, id, _)| &**id))
}
