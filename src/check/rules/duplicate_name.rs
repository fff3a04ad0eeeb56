//! Two things of a kind with the same name.

use std::collections::HashMap;

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::{Edit, free_name},
    model::{Document, Finding, Location, Seg},
};

pub(super) const RULE: Rule = Rule { name: "duplicate-name", doc: "Two things of a kind have the same name.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        out.push(Problem::new(finding.clone()).with(rename(input, finding)));
    }
    for (doc, level) in input.levels() {
        for (layer, at) in level.all_layers().into_iter().zip(level.layer_paths()) {
            let Some(values) = layer.values() else { continue };
            let mut first_of = HashMap::new();
            for (id, value) in values.names.iter().filter(|(_, value)| !value.name.is_empty()) {
                let first = *first_of.entry(&value.name).or_insert(id);
                if first == id {
                    continue;
                }
                let path = at.key("names").key(&id.to_string()).key("name");
                let message = format!("value {first} of layer `{}` is called `{}`, too", layer.name, value.name);
                let location = Location::new(doc.clone(), path);
                let finding = Finding::warning(RULE.name, location, message);
                out.push(Problem::new(finding.with_help("games that go by names take one of them".to_owned())));
            }
        }
    }
}

/// Rename a machine that is not used. Its name then still refers to the first one, so no use is renamed with it.
/// Definitions have no such fix: it would contain their whole file, and so change with every edit of the file.
fn rename(input: &Input<'_>, finding: &Finding) -> Option<Fix> {
    let location = &finding.location;
    let [Seg::Key(name)] = location.path.0.as_slice() else { return None };
    let machines = &input.resolution.machines;
    let Document::Machines(file) = &**input.project.doc(&location.doc)? else { return None };
    if *machines.get(name)? == location.doc {
        return None;
    }
    let (at, _, machine) = file.machines.get_full(name)?;
    let to = free_name(name, |name| machines.contains_key(name));
    let mut file = file.clone();
    let machine = machine.clone();
    file.machines.shift_remove(name);
    file.machines.shift_insert(at, to.clone(), machine);
    let document = Document::Machines(file);
    Some(Fix::new(format!("Rename this one to {to}"), Edit::put_document(location.doc.clone(), document)))
}
