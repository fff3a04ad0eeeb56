//! A joint holds an entity to itself, so that it holds nothing.

use crate::{
    check::{Problem, Rule, input::Input},
    edit::Owner,
    model::{Finding, Location, Value},
};

pub(super) const RULE: Rule = Rule { name: "self-joint", doc: "A joint holds an entity to itself.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (declarer, declared) in input.declared("Joint") {
        let Owner::Instance { id, .. } = &declarer.owner else { continue };
        if declared.fields.get("to").and_then(Value::as_str) != Some(id) {
            continue;
        }
        let at = declarer.at(declared.op, declared.component).key("to");
        let message = format!("the joint of `{id}` holds it to itself, so it holds nothing");
        let help = "give the id of another entity, or an empty text for the world".to_owned();
        let finding = Finding::warning(RULE.name, Location::new(declarer.owner.doc().clone(), at), message);
        out.push(Problem::new(finding.with_help(Some(help))));
    }
}
