//! An entry of `remove` that removes something missing, or cannot be read.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    defs::RemovePath,
    edit::Edit,
};

pub(super) const RULE: Rule =
    Rule { name: "bad-remove", doc: "An entry of `remove` takes away what is not there, or cannot be read.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let entry = input.declared_at(&finding.location).and_then(|declared| {
            let entry = declared.ops.remove.get(declared.entry?)?.clone();
            Some((declared.owner, entry))
        });
        let Some((owner, entry)) = entry else {
            out.push(Problem::new(finding.clone()));
            continue;
        };
        let dropped = Edit::DropRemove { owner: owner.clone(), entry: entry.clone() };
        let rename = finding.suggestion().zip(RemovePath::parse(&entry).ok()).map(|(near, path)| {
            let is_known = input.schema().components.contains_key(&path.component);
            let old = path.field().filter(|_| is_known).unwrap_or(&path.component);
            // An element is suggested as a whole entry, a component or field by its name.
            let is_entry = RemovePath::parse(near).is_ok_and(|meant| !meant.steps.is_empty());
            let entry = if is_entry { near.to_owned() } else { entry.replacen(&**old, near, 1) };
            let edits = vec![dropped.clone(), Edit::AddRemove { owner: owner.clone(), entry: entry.clone() }];
            Fix::of(format!("Remove {entry} instead"), edits)
        });
        // Removing a missing component or field has no effect, so the entry can be deleted. A missing element may be
        // misspelled.
        let dropped = Fix::new(format!("Drop {entry}"), dropped);
        let is_whole = RemovePath::parse(&entry).is_ok_and(|path| path.steps.len() < 2);
        let nothing_meant = rename.is_none() && is_whole;
        let dropped = if nothing_meant { dropped.safe() } else { dropped };
        out.push(Problem::new(finding.clone()).with(rename).with([dropped]));
    }
}
