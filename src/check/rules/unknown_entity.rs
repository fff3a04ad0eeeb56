//! A placed entity, layer or level refers to an entity that its level does not have.

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    model::{FieldType, Finding, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-entity", doc: "A field refers to a placed entity that its level does not have.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    references::declared_names(input, &mut |declared| {
        if *declared.ty != FieldType::Entity {
            return;
        }
        let at = declared.location();
        // What a definition refers to may be in any level; what is spawned has an id that only the run knows.
        let Some(level) = input.project.level(&at.doc).filter(|_| !declared.name.contains('#')) else { return };
        if level.entity(declared.name).is_some() {
            return;
        }
        let near = input.near(declared.name, level.entities().map(|(_, id, _)| &**id));
        let message = format!("no entity of this level is called `{}`", declared.name);
        let fix = near.map(|near| Fix::new(format!("Use {near}"), declared.replaced_by(near)));
        out.push(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix));
    });
}
