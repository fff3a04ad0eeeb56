//! Deleting definitions that others use: the effect on the children and on placed entities is shown first.
//!
//! Invariant: what is not deleted keeps its resolved values, unless its uses are left to be fixed by hand.

use std::collections::BTreeSet;

use super::{
    Plan,
    extract::list,
    inline::{Inline, inline},
    proof::prove,
};
use crate::{
    defs::{Resolution, resolve},
    edit::{Edit, Refusal, apply_all},
    model::{FieldPath, Name, Project},
};

/// What to delete, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// The definitions.
    pub names: Vec<Name>,
    /// Children keep their resolved values: what they inherit is merged into them first. Else they lose it, and are
    /// reported.
    pub inline: bool,
    /// Entities placed of them are deleted too. Else they stay, and are reported.
    pub with_instances: bool,
}

/// The plan that deletes definitions.
///
/// # Errors
/// Says why there is none: one is missing, or cannot be inlined.
pub fn delete(project: &Project, resolution: &Resolution, what: &Delete) -> Result<Plan, Refusal> {
    let gone: BTreeSet<Name> = what.names.iter().cloned().collect();
    let before = resolve(project, resolution.builtin(), Some(resolution));
    let mut now = project.clone();
    let mut known = before.clone();
    let mut edits = Vec::new();
    let mut make = |now: &mut Project, known: &mut Resolution, more: Vec<Edit>| -> Result<(), Refusal> {
        apply_all(now, &more)?;
        *known = resolve(now, before.builtin(), Some(known));
        edits.extend(more);
        Ok(())
    };
    // Heirs before what they inherit from: an ancestor that went first would take its content away before it is
    // inlined.
    let depth = |name: &Name| before.defs.get(name).map_or(0, |def| def.order.len());
    let mut heirs_first: Vec<&Name> = gone.iter().collect();
    heirs_first.sort_by_key(|name| std::cmp::Reverse(depth(name)));
    for name in heirs_first {
        let doc = before.def_docs.get(name).ok_or_else(|| Refusal::new(format!("there is no definition `{name}`")))?;
        let heirs: Vec<Name> = known.children_of(name).iter().filter(|it| !gone.contains(*it)).cloned().collect();
        if what.inline && !heirs.is_empty() {
            let inlined = inline(&now, &known, &Inline { parent: name.clone(), children: heirs, delete: false })?;
            make(&mut now, &mut known, inlined.edits)?;
        }
        if what.with_instances {
            let mut placed = Vec::new();
            for (level, content) in now.levels() {
                let ids: Vec<Name> =
                    content.entities().filter(|(_, _, it)| it.def == *name).map(|(_, id, _)| id.clone()).collect();
                if !ids.is_empty() {
                    placed.push(Edit::DeleteThings { doc: level.clone(), ids });
                }
            }
            make(&mut now, &mut known, placed)?;
        }
        make(&mut now, &mut known, vec![Edit::Remove { doc: doc.clone(), at: FieldPath::keys([name]) }])?;
    }
    let plan = Plan { label: format!("Delete {}", list(&what.names)), edits };
    if what.inline {
        prove(project, &before, &plan, &gone)?;
    }
    Ok(plan)
}
