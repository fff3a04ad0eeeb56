//! Something is used that its declaration says not to use any more.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{ComponentSpec, Finding, Location, OpKind},
};

pub(super) const RULE: Rule = Rule {
    name: "deprecated",
    doc: "A component, field, action or condition is used that should not be any more.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut find = |at: Location, name: String, why: &Option<String>| {
        if let Some(why) = why {
            out.push(Problem::new(Finding::warning(RULE.name, at, format!("`{name}` is deprecated: {why}"))));
        }
    };
    for speaker in &input.speakers {
        for op in OpKind::VALUED {
            for (component, fields) in speaker.ops.values(op).into_iter().flatten() {
                let spec = input.schema().components.get(component).filter(|spec| speaks_of_any(spec));
                let Some(spec) = spec else { continue };
                let path = speaker.base.key(op.key()).key(component);
                let at = |path| Location::key(speaker.owner.doc().clone(), path);
                find(at(path.clone()), component.to_string(), &spec.deprecated);
                for field in fields.keys() {
                    let why = spec.fields.get(field).and_then(|spec| spec.deprecated.clone());
                    find(at(path.key(field)), format!("{component}.{field}"), &why);
                }
            }
        }
    }
    for site in &input.calls {
        let specs = if site.is_condition() { &input.schema().conditions } else { &input.schema().actions };
        if let Some(spec) = specs.get(&site.call.name) {
            find(site.location(), site.call.name.to_string(), &spec.deprecated);
        }
    }
}

/// Whether a component or anything in it is deprecated; most are not.
fn speaks_of_any(spec: &ComponentSpec) -> bool {
    spec.deprecated.is_some() || spec.fields.values().any(|field| field.deprecated.is_some())
}
