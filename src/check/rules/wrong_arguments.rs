//! A call, or a payload, has arguments that its declaration does not: missing, unknown, of another type, out of range.

use indexmap::IndexMap;

use crate::{
    check::{
        Fix, Problem, Rule,
        input::{Input, mean},
        machines::CallSite,
    },
    model::{CueKind, FieldPath, FieldSpec, Fields, Finding, Location, Name, Value, did_you_mean},
};

pub(super) const RULE: Rule = Rule {
    name: "wrong-arguments",
    doc: "The arguments of a call or the payload of a message are not as declared.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let schema = input.schema();
    for site in &input.calls {
        let specs = if site.is_condition() { &schema.conditions } else { &schema.actions };
        let Some(spec) = specs.get(&site.call.name) else { continue };
        missing(site, &spec.args, out);
        let place = (site.machine.doc, site.at.clone());
        for (arg, finding) in misfits(input, &spec.args, &site.call.args, &site.call.name, place) {
            out.push(Problem::new(finding.clone()).with(mend(site, &spec.args, &arg)));
        }
        payload(input, site, out);
    }
    for (doc, scenario) in input.scenarios() {
        for (i, cue) in scenario.script.iter().enumerate() {
            let CueKind::Send { message, payload, .. } = &cue.what else { continue };
            let Some(spec) = schema.messages.get(message) else { continue };
            let place = (doc, FieldPath::keys(["script"]).index(i).key("payload"));
            out.extend(
                misfits(input, &spec.payload, payload, message, place).map(|(_, finding)| Problem::new(finding)),
            );
        }
    }
}

/// Arguments without a default have to be given.
fn missing(site: &CallSite<'_>, specs: &IndexMap<Name, FieldSpec>, out: &mut Vec<Problem>) {
    for (arg, spec) in specs {
        if spec.default.is_none() && !site.call.args.contains_key(arg) {
            let name = &site.call.name;
            let message = format!("`{name}` needs `{arg}`, {}", spec.ty.describe());
            let help = format!("write `{name}({arg}: …)`");
            out.push(Problem::new(Finding::error(RULE.name, site.location(), message).with_help(help)));
        }
    }
}

/// What of `said` is not as `specs` has it, with the argument it is about.
fn misfits<'a>(
    input: &'a Input<'_>,
    specs: &'a IndexMap<Name, FieldSpec>,
    said: &'a Fields,
    whose: &'a Name,
    (doc, base): (&'a crate::model::DocPath, FieldPath),
) -> impl Iterator<Item = (Name, Finding)> + 'a {
    said.iter().flat_map(move |(arg, value)| {
        let at = base.key(arg);
        let findings: Vec<Finding> = match specs.get(arg) {
            None => {
                let near = did_you_mean(arg, specs.keys().map(|name| &**name));
                let place = Location::key(doc.clone(), at);
                vec![Finding::error(RULE.name, place, format!("`{whose}` has no `{arg}`")).with_help(mean(near))]
            }
            Some(spec) => {
                let misfits = input.schema().misfits(spec, value).into_iter();
                misfits
                    .map(|misfit| {
                        let path = FieldPath(at.0.iter().chain(&misfit.path.0).cloned().collect());
                        let message = format!("`{arg}` of `{whose}`: {}", misfit.message);
                        Finding::error(RULE.name, Location::new(doc.clone(), path), message).with_help(misfit.help)
                    })
                    .collect()
            }
        };
        findings.into_iter().map(move |finding| (arg.clone(), finding))
    })
}

/// Rename an unknown argument, use the nearest number allowed, or leave the argument out.
fn mend(site: &CallSite<'_>, specs: &IndexMap<Name, FieldSpec>, arg: &Name) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut fix = |label: String, change: &dyn Fn(&mut Fields)| {
        fixes.extend(site.changed(|call| change(&mut call.args)).map(|edit| Fix::new(label, edit)));
    };
    match specs.get(arg) {
        None => {
            let free = specs.keys().filter(|name| !site.call.args.contains_key(*name));
            if let Some(near) = did_you_mean(arg, free.map(|name| &**name)) {
                fix(format!("Rename to {near}"), &|args| {
                    *args =
                        args.iter().map(|(n, v)| (if n == arg { near.into() } else { n.clone() }, v.clone())).collect();
                });
            }
            fix(format!("Remove {arg}"), &|args| drop(args.shift_remove(arg)));
        }
        Some(spec) => {
            if let Some(value @ (Value::Int(_) | Value::Float(_))) = site.call.args.get(arg) {
                let near = super::out_of_range::nearest(value, spec.min, spec.max);
                if near != *value {
                    fix(format!("Use {near}, the nearest allowed"), &|args| {
                        drop(args.insert(arg.clone(), near.clone()));
                    });
                }
            }
            if spec.default.is_some() {
                fix(format!("Leave {arg} at its default"), &|args| drop(args.shift_remove(arg)));
            }
        }
    }
    fixes
}

/// The payload of a message that a call sends: a call that has a declared message beside its payload.
fn payload(input: &Input<'_>, site: &CallSite<'_>, out: &mut Vec<Problem>) {
    let args = &site.call.args;
    let (Some(message), Some(Value::Struct(said))) = (args.get("message").and_then(Value::as_str), args.get("payload"))
    else {
        return;
    };
    let Some((message, spec)) = input.schema().messages.get_key_value(message) else { return };
    let place = (site.machine.doc, site.at.key("payload"));
    for (field, finding) in misfits(input, &spec.payload, said, message, place) {
        let mut fixes = Vec::new();
        if !spec.payload.contains_key(&field) {
            let mut fix = |label: String, new: Fields| {
                let edit = site.changed(|call| {
                    if new.is_empty() {
                        call.args.shift_remove("payload");
                    } else {
                        call.args.insert("payload".into(), Value::Struct(new.clone()));
                    }
                });
                fixes.extend(edit.map(|edit| Fix::new(label, edit)));
            };
            let free = spec.payload.keys().filter(|name| !said.contains_key(*name));
            if let Some(near) = did_you_mean(&field, free.map(|name| &**name)) {
                let renamed = |name: &Name| if *name == field { near.into() } else { name.clone() };
                fix(format!("Rename to {near}"), said.iter().map(|(n, v)| (renamed(n), v.clone())).collect());
            }
            let rest = said.iter().filter(|(name, _)| **name != field).map(|(n, v)| (n.clone(), v.clone()));
            fix(format!("Remove {field}"), rest.collect());
        }
        out.push(Problem::new(finding).with(fixes));
    }
}
