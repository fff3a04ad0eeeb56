//! A constant, on a page with the name of a built-in one, whose name is similar to a built-in constant's but not equal:
//! the preview uses the built-in value.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::{Edit, RefKind, TypedRefs},
    model::{FieldPath, Finding, Location, did_you_mean, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "near-constant", doc: "A constant is none of the built-in ones of its page, but nearly.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, page) in input.pages() {
        let built_in = input.resolution.builtin().tuning.iter().find(|built_in| built_in.page == page.page);
        let Some(built_in) = built_in else { continue };
        for name in page.values.keys().filter(|name| !built_in.values.contains_key(*name)) {
            // A constant that is declared here as well was not meant.
            let missing = built_in.values.keys().filter(|known| !page.values.contains_key(*known));
            let Some(near) = did_you_mean(name, missing.map(|known| &**known)) else { continue };
            let at = Location::key(doc.clone(), FieldPath::keys(["values", name]));
            let message = format!("there is no built-in constant `{}.{name}`", page.page);
            let typed = TypedRefs::of(input.schema(), RefKind::Tunable);
            let edit = Edit::rename(doc, name, near, typed);
            let fix = Fix::new(format!("Rename to {near}"), edit);
            let finding = Finding::hint(RULE.name, at, message).with_help(mean(Some(near)));
            out.push(Problem::new(finding).with([fix]));
        }
    }
}
