//! A target of a call that names no entity, definition or tag.

use std::collections::{BTreeSet, HashSet};

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    edit::{RefKind, TypedRefs, all_uses},
    model::{DocKind, FieldType, Finding, Name, Seg, did_you_mean, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "unknown-target",
    doc: "A machine's call is about a name that no placed entity, definition or tag has.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut known: Option<Known> = None;
    references::argument_names(input, &mut |argument| {
        let target = argument.name;
        // Ids of spawned entities are known only during the run.
        let is_plain = *argument.ty != FieldType::Target || matches!(target, "self" | "sender") || target.contains('#');
        let def = target.strip_prefix("def:").unwrap_or(target);
        if is_plain || input.resolution.def_docs.contains_key(def) {
            return;
        }
        let known = known.get_or_insert_with(|| Known::of(input));
        if known.has(target) {
            return;
        }
        let near = known.near(target);
        let message = match target.split_once(':') {
            Some(("tag", tag)) => format!("no entity or definition has the tag `{tag}`"),
            Some(("def", def)) => format!("there is no definition `{def}`"),
            _ => format!("no placed entity, definition or tag is called `{target}`"),
        };
        let fix = near.as_ref();
        let fix = fix.map(|near| Fix::new(format!("Use {near}"), argument.replaced_by(near)));
        let finding = Finding::warning(RULE.name, argument.location(), message).with_help(mean(near.as_deref()));
        out.push(Problem::new(finding).with(fix));
    });
}

/// The names that targets can refer to.
struct Known {
    ids: HashSet<Name>,
    defs: BTreeSet<Name>,
    tags: BTreeSet<String>,
}

impl Known {
    fn of(input: &Input<'_>) -> Self {
        // All of the project, not only those in scope: a machine can refer to any of them.
        let defs = input.resolution.def_docs.keys().cloned().collect();
        let levels = input.project.levels().flat_map(|(_, level)| level.entities());
        let ids = levels.map(|(_, id, _)| id.clone()).collect();
        // All values of definitions and placed entities that the schema types as tags.
        let mut tags = BTreeSet::new();
        all_uses(input.project, &TypedRefs::of(input.schema(), RefKind::Tag), &mut |doc, it| {
            let is_placed = || it.path.within_layer().first().is_some_and(|seg| *seg == Seg::Key("entities".into()));
            if doc.kind() == Some(DocKind::Entities) || doc.kind() == Some(DocKind::Level) && is_placed() {
                tags.insert(it.name.to_owned());
            }
        });
        Self { ids, defs, tags }
    }

    fn has(&self, target: &str) -> bool {
        match target.split_once(':') {
            Some(("tag", tag)) => self.tags.contains(tag),
            Some(("def", def)) => self.defs.contains(def),
            _ => self.ids.contains(target) || self.defs.contains(target) || self.tags.contains(target),
        }
    }

    fn near(&self, target: &str) -> Option<String> {
        let (defs, tags) = (self.defs.iter().map(|name| &**name), self.tags.iter().map(String::as_str));
        match target.split_once(':') {
            Some(("tag", tag)) => did_you_mean(tag, tags).map(|near| format!("tag:{near}")),
            Some(("def", def)) => did_you_mean(def, defs).map(|near| format!("def:{near}")),
            _ => did_you_mean(target, ["self", "sender"].into_iter().chain(defs).chain(tags)).map(str::to_owned),
        }
    }
}
