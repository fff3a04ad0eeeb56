//! A machine calls an action or condition that no schema declares.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::{
    check::{Fix, Problem, Rule, input::Input, machines::CallSite},
    edit::Declared,
    model::{CallSpec, Finding, Name, did_you_mean, mean},
    refactor::Evidence,
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-call", doc: "A machine calls an action or condition that no schema declares.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let schema = input.schema();
    let mut made: HashMap<Declared, Option<Fix>> = HashMap::new();
    for site in &input.calls {
        let (specs, others, noun, other): (&IndexMap<Name, CallSpec>, _, _, _) = if site.is_condition {
            (&schema.conditions, &schema.actions, "condition", "an action")
        } else {
            (&schema.actions, &schema.conditions, "action", "a condition")
        };
        let name = &site.call.name;
        if specs.contains_key(name) {
            continue;
        }
        let near = did_you_mean(name, specs.keys().map(|name| &**name));
        let finding = if others.contains_key(name) {
            let message = format!(
                "`{name}` is {other}; {} was expected here",
                if site.is_condition { "a condition" } else { "an action" }
            );
            Finding::error(RULE.name, site.location(), message)
        } else {
            let help = mean(near).unwrap_or_else(|| format!("a game's own {noun}s are declared in its schemas/"));
            Finding::error(RULE.name, site.location(), format!("there is no {noun} `{name}`")).with_help(help)
        };
        let fix = near.map(|near| {
            let edit = site.changed(|call| call.name = near.into());
            Fix::new(format!("Use {near}"), edit)
        });
        // A name of the other kind is not a missing declaration.
        let declare = (!others.contains_key(name)).then(|| {
            let what = if site.is_condition { Declared::Condition } else { Declared::Action };
            let made = made.entry(what(name.clone())).or_insert_with_key(|what| {
                let mut evidence = Evidence::default();
                let alike = |other: &&CallSite<'_>| other.call.name == *name && other.is_condition == site.is_condition;
                input.calls.iter().filter(alike).for_each(|site| evidence.meet(&site.call.args));
                input.declare(|declaring| declaring.thing(what, &evidence))
            });
            made.clone()
        });
        out.push(Problem::new(finding).with(fix).with(declare.flatten()));
    }
}
