//! A parent that another parent inherits anyway.

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
        // The parents that bring an ancestor along; one of the first two differs from the ancestor itself.
        let mut brought: HashMap<&Name, Vec<&Name>> = HashMap::new();
        for parent in &def.inherits {
            for ancestor in input.resolution.defs.get(parent).into_iter().flat_map(|def| def.order.iter()) {
                let by = brought.entry(ancestor).or_default();
                if by.len() < 2 && !by.contains(&parent) {
                    by.push(parent);
                }
            }
        }
        // The order of all ancestors is computed only if a parent may be removed.
        let mut whole = None;
        for (i, parent) in def.inherits.iter().enumerate() {
            let by = brought.get(parent).and_then(|by| by.iter().find(|other| **other != parent));
            let Some(by) = by else { continue };
            let mut without = def.inherits.clone();
            without.remove(i);
            // Listed to order its ancestors differently, it has an effect.
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
