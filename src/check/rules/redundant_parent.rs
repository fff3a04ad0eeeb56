//! A parent that another parent brings along anyway.

use std::collections::HashMap;

use super::{
    inconsistent_order::order_of,
    missing_parent::{MOST_PARENTS, with_parents},
};
use crate::{
    check::{Problem, Rule, input::Input},
    edit::Owner,
    model::{FieldPath, Finding, Location, Name},
};

pub(super) const RULE: Rule =
    Rule { name: "redundant-parent", doc: "A parent is listed that another listed parent inherits anyway.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for declarer in &input.declarers {
        let Owner::Def { doc, name } = &declarer.owner else { continue };
        let Some(def) = declarer.def.filter(|def| (2..=MOST_PARENTS).contains(&def.inherits.len())) else { continue };
        // Which parents bring an ancestor along; one of the first two is another than that ancestor.
        let mut brought: HashMap<&Name, Vec<&Name>> = HashMap::new();
        for parent in &def.inherits {
            for ancestor in input.resolution.defs.get(parent).into_iter().flat_map(|def| def.order.iter()) {
                let by = brought.entry(ancestor).or_default();
                if by.len() < 2 && !by.contains(&parent) {
                    by.push(parent);
                }
            }
        }
        // What the parents bring is compared only where one may go.
        let mut whole = None;
        for (i, parent) in def.inherits.iter().enumerate() {
            let by = brought.get(parent).and_then(|by| by.iter().find(|other| **other != parent));
            let Some(by) = by else { continue };
            let mut without = def.inherits.clone();
            without.remove(i);
            // Said to put its ancestors in an order they would not have else, it means something.
            let whole = whole.get_or_insert_with(|| order_of(input, &def.inherits));
            if whole.is_none() || *whole != order_of(input, &without) {
                continue;
            }
            let at = Location::new(doc.clone(), FieldPath::keys([name, "inherits"]).index(i));
            let finding = Finding::hint(RULE.name, at, format!("`{by}` inherits `{parent}` already"));
            let fix = with_parents(input, &finding, format!("Leave {parent} to {by}"), |at, all| drop(all.remove(at)));
            out.push(Problem::new(finding).with(fix.map(crate::check::Fix::safe)));
        }
    }
}
