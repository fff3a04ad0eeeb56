//! An abstract definition is placed or spawned.

use crate::{
    check::{Fix, Problem, Rule, input::Input, machines::CallSite, references},
    edit::Edit,
    model::{FieldType, Finding, Name, Seg, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "abstract-instance",
    doc: "An abstract definition is placed in a level or spawned by a machine.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        out.push(Problem::new(finding.clone()).with(replace(input, finding).into_iter().flatten()));
    }
    for site in &input.calls {
        spawns(input, site, out);
    }
}

/// Definitions that can be placed and inherit an abstract one.
fn concrete(input: &Input<'_>, name: &str) -> Vec<Name> {
    let all = input.resolution.descendants(name).into_iter();
    all.filter(|name| input.resolution.defs.get(name).is_some_and(|def| !def.is_abstract)).take(4).collect()
}

fn replace(input: &Input<'_>, finding: &Finding) -> Option<Vec<Fix>> {
    let location = &finding.location;
    let level = input.project.level(&location.doc)?;
    let (_, layer, [_, Seg::Key(id), _]) = level.layer_on(&location.path)? else { return None };
    let old = &layer.entities()?.get(id)?.def;
    let fix = |def: Name| {
        let at = level.entity_at(&*layer.name, id).key("def");
        Fix::new(format!("Make it one of {def}"), Edit::set_at(&location.doc, at, &def))
    };
    Some(concrete(input, old).into_iter().map(fix).collect())
}

fn spawns(input: &Input<'_>, site: &CallSite<'_>, out: &mut Vec<Problem>) {
    // Conditions do not spawn, and a game's own actions may do anything with a definition: only the built-in actions
    // are known to spawn it.
    let specs = &input.resolution.builtin().schema.actions;
    let Some(spec) = specs.get(&site.call.name).filter(|_| !site.is_condition) else { return };
    for (name, value) in &site.call.args {
        let Some(arg) = spec.args.get(name) else { continue };
        references::names(&arg.ty, value, &mut |ty, text, path| {
            if *ty == FieldType::Def && input.resolution.defs.get(text).is_some_and(|def| def.is_abstract) {
                let message = format!("`{text}` is abstract: it exists to be inherited and cannot be spawned");
                let at = site.arg(name);
                let fixes = concrete(input, text).into_iter().map(|def| {
                    let (doc, at) = (at.doc.clone(), at.path.join(path));
                    Fix::new(format!("Use {def}"), Edit::Set { doc, at, data: Value::str(&*def).into() })
                });
                out.push(Problem::new(Finding::error(RULE.name, site.arg(name), message)).with(fixes));
            }
        });
    }
}
