//! A machine calls an action or condition of the game's own, which the preview cannot perform.

use crate::{
    check::{Problem, Rule, input::Input},
    model::Finding,
};

pub(super) const RULE: Rule = Rule {
    name: "preview-unknown",
    doc: "A machine calls an action or condition of the game's own: the preview does nothing, the export has it.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let (known, schema) = (&input.resolution.builtin().schema, input.schema());
    for site in &input.calls {
        let name = &site.call.name;
        let (declared, built_in, does) = if site.is_condition {
            (schema.conditions.contains_key(name), known.conditions.contains_key(name), "takes it for false")
        } else {
            (schema.actions.contains_key(name), known.actions.contains_key(name), "does nothing")
        };
        if declared && !built_in {
            let message = format!("`{name}` is the game's own: the preview {does}, the game's build performs it");
            out.push(Problem::new(Finding::hint(RULE.name, site.location(), message)));
        }
    }
}
