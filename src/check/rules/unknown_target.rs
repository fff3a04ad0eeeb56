//! A call is about somebody whom nobody can be: no entity, definition or tag has the name.

use std::collections::{BTreeSet, HashSet};

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    model::{Document, Finding, Ops, Value, did_you_mean, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "unknown-target",
    doc: "A machine's call is about a name that no placed entity, definition or tag has.",
    check,
};

/// The arguments by which built-in calls say who is meant.
const TARGETS: [&str; 3] = ["target", "to", "toward"];

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut known: Option<Known<'_>> = None;
    for site in input.built_in_calls() {
        for arg in TARGETS {
            let Some(said) = site.call.args.get(arg).and_then(Value::as_str) else { continue };
            // What is spawned has an id that only the run knows.
            let is_plain = matches!(said, "" | "self" | "sender") || said.contains('#');
            let def = said.strip_prefix("def:").unwrap_or(said);
            if is_plain || input.resolution.def_docs.contains_key(def) {
                continue;
            }
            let known = known.get_or_insert_with(|| Known::of(input));
            if known.has(said) {
                continue;
            }
            let near = known.near(said);
            let message = match said.split_once(':') {
                Some(("tag", tag)) => format!("nobody carries the tag `{tag}`"),
                Some(("def", def)) => format!("there is no definition `{def}`"),
                _ => format!("no placed entity, definition or tag is called `{said}`"),
            };
            let fix = near.as_ref().and_then(|near| {
                let edit = site.changed(|call| drop(call.args.insert(arg.into(), Value::str(near))))?;
                Some(Fix::new(format!("Use {near}"), edit))
            });
            let finding = Finding::warning(RULE.name, site.arg(arg), message).with_help(mean(near.as_deref()));
            out.push(Problem::new(finding).with(fix));
        }
    }
}

/// Whom names can mean.
struct Known<'a> {
    ids: HashSet<&'a str>,
    defs: BTreeSet<&'a str>,
    tags: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    fn of(input: &Input<'a>) -> Self {
        // All there are, not only those in scope: a machine speaks of anyone.
        let defs = input.resolution.def_docs.keys().map(|name| &**name).collect();
        let (mut ids, mut tags) = (HashSet::new(), BTreeSet::new());
        // Whatever is said under `tags` of the component the preview looks at.
        let mut tagged = |ops: &'a Ops| {
            for all in [&ops.set, &ops.append] {
                let said = all.get("Tags").and_then(|fields| fields.get("tags"));
                tags.extend(said.and_then(Value::as_list).into_iter().flatten().filter_map(Value::as_str));
            }
        };
        for document in input.project.documents.values() {
            match &**document {
                Document::Entities(file) => file.defs.values().for_each(|def| tagged(&def.ops)),
                Document::Level(level) => {
                    for (_, id, instance) in level.entities() {
                        ids.insert(&**id);
                        tagged(&instance.ops);
                    }
                }
                _ => {}
            }
        }
        Self { ids, defs, tags }
    }

    fn has(&self, said: &str) -> bool {
        match said.split_once(':') {
            Some(("tag", tag)) => self.tags.contains(tag),
            Some(("def", def)) => self.defs.contains(def),
            _ => self.ids.contains(said) || self.defs.contains(said) || self.tags.contains(said),
        }
    }

    fn near(&self, said: &str) -> Option<String> {
        let (defs, tags) = (self.defs.iter().copied(), self.tags.iter().copied());
        match said.split_once(':') {
            Some(("tag", tag)) => did_you_mean(tag, tags).map(|near| format!("tag:{near}")),
            Some(("def", def)) => did_you_mean(def, defs).map(|near| format!("def:{near}")),
            _ => did_you_mean(said, ["self", "sender"].into_iter().chain(defs).chain(tags)).map(str::to_owned),
        }
    }
}
