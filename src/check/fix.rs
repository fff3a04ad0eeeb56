//! Applying quick fixes without asking: the safe ones, round after round, until none is left.

use std::sync::Arc;

use crate::{
    defs::{Resolution, resolve},
    edit::{Edit, apply_all},
    model::{Builtin, DocPath, Project},
};

use super::{Images, Problem, check};

/// What [`fix_safely`] did.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// The problems that are gone.
    pub problems: Vec<Problem>,
    /// What was changed, in order, from the project as it was.
    pub edits: Vec<Edit>,
}

/// Rounds after which fixes that keep bringing each other back are left alone.
const MAX_ROUNDS: usize = 32;

/// Apply every safe quick fix (of one rule, if named) to `project`. One fix may make another needless or possible, so
/// this looks again after each round.
pub fn fix_safely(project: &mut Project, builtin: &Builtin, images: Option<&Images>, rule: Option<&str>) -> Fixed {
    let mut fixed = Fixed::default();
    let mut resolution: Option<Resolution> = None;
    for _ in 0..MAX_ROUNDS {
        let now = resolve(project, builtin, resolution.as_ref());
        let mut changed: Vec<(DocPath, bool)> = Vec::new();
        for problem in check(project, &now, images) {
            if rule.is_some_and(|rule| *problem.finding.rule != *rule) {
                continue;
            }
            let Some(fix) = problem.fixes.iter().find(|fix| fix.safe) else { continue };
            // A fix is made for the project it was found in. Another one to the same file first is fine only if both
            // say by name what they change.
            let late = fix
                .edits
                .iter()
                .any(|edit| changed.iter().any(|(doc, by_name)| doc == edit.doc() && !(*by_name && is_by_name(edit))));
            let mut next = project.clone();
            if late || apply_all(&mut next, &fix.edits).is_err() {
                continue;
            }
            let same = |edit: &Edit| match (project.doc(edit.doc()), next.doc(edit.doc())) {
                (Some(old), Some(new)) => Arc::ptr_eq(old, new),
                (old, new) => old.is_none() && new.is_none(),
            };
            if !fix.edits.iter().all(same) {
                changed.extend(fix.edits.iter().map(|edit| (edit.doc().clone(), is_by_name(edit))));
                fixed.edits.extend(fix.edits.iter().cloned());
                *project = next;
                fixed.problems.push(problem);
            }
        }
        if changed.is_empty() {
            break;
        }
        resolution = Some(now);
    }
    fixed
}

/// Whether an edit names all it changes, and so means the same after another such edit.
fn is_by_name(edit: &Edit) -> bool {
    matches!(
        edit,
        Edit::ClearValue { .. }
            | Edit::DropRemove { .. }
            | Edit::PaintTiles { .. }
            | Edit::SetInitial { .. }
            | Edit::SetLink { .. }
            | Edit::SetTunable { .. }
    )
}
