//! Steps of the history and changes of the tuning overlay as one list, in the order in which undo takes them, and going along it.
//!
//! Invariant: whatever undoes or redoes a step notifies the overlay, so that both lists stay in one order.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    History, Step, StepId, UndoError,
    overlay::{Done, TuningOverlays},
};
use crate::model::{DocKind, DocPath, Project};

/// Something done or taken back, as a list of all of it shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment<'h> {
    /// The step of history; none for a change of the overlay, which is in no file.
    pub step: Option<StepId>,
    /// In users' words.
    pub label: &'h str,
    /// Whether it is done and not taken back.
    pub is_done: bool,
}

/// Steps of the history and changes of the overlay in the order in which undo takes them: those done, oldest first, then those
/// to do again.
#[must_use]
pub fn timeline<'h>(history: &'h History, overlays: &'h TuningOverlays) -> Vec<Moment<'h>> {
    // Where nothing is tried, history's order is all there is.
    let is_tried = !(overlays.done.is_empty() && overlays.undone.is_empty());
    let steps = history.steps().filter(|_| is_tried);
    let labels: BTreeMap<StepId, &str> = steps.map(|(_, step)| (step.id(), step.label())).collect();
    let known = |list: &[Done]| -> BTreeSet<StepId> { list.iter().filter_map(|it| it.step).collect() };
    let (in_done, in_undone) = (known(&overlays.done), known(&overlays.undone));
    let moment = |done: &'h Done, is_done: bool| match done.step {
        None => Some(Moment { step: None, label: &done.label, is_done }),
        // A step that is forgotten takes what was part of it along.
        Some(id) => labels.get(&id).map(|label| Moment { step: Some(id), label, is_done }),
    };
    let bare = |is_done: bool, known: BTreeSet<StepId>| {
        let steps = history.steps().filter(move |(done, step)| *done == is_done && !known.contains(&step.id()));
        steps.map(move |(_, step)| Moment { step: Some(step.id()), label: step.label(), is_done })
    };
    let done = bare(true, in_done).chain(overlays.done.iter().filter_map(|it| moment(it, true)));
    let open = overlays.open.iter().filter(|(was, _)| *was != overlays.now);
    let open = open.map(|(_, label)| Moment { step: None, label, is_done: true });
    let undone = overlays.undone.iter().rev().filter_map(|it| moment(it, false)).chain(bare(false, in_undone));
    done.chain(open).chain(undone).collect()
}

/// The document whose steps undo and redo go by. Definitions inherit across files and are shown together, so for one of their
/// files it is that of the newest step in any.
#[must_use]
pub fn focus_of_steps<'h>(history: &'h History, focus: Option<&'h DocPath>, is_redo: bool) -> Option<&'h DocPath> {
    let is_of_definitions = |doc: &DocPath| doc.kind() == Some(DocKind::Entities);
    let focus = focus?;
    if !is_of_definitions(focus) {
        return Some(focus);
    }
    let steps = history.steps().filter(|(is_done, _)| *is_done != is_redo);
    let mut docs = steps.filter_map(|(_, step)| step.docs().find(|doc| is_of_definitions(doc)));
    let newest = if is_redo { docs.next() } else { docs.last() };
    newest.or(Some(focus))
}

/// What undo takes back next, or redo does again, while `focus` is the document that is meant. Where that has no step, the
/// newest of all is; and what is tried comes first where it came last.
#[must_use]
pub fn next_moment<'h>(
    history: &'h History,
    overlays: &'h TuningOverlays,
    focus: Option<&DocPath>,
    is_redo: bool,
) -> Option<Moment<'h>> {
    let focus = focus_of_steps(history, focus, is_redo);
    let next = |focus: Option<&DocPath>| if is_redo { history.next_redo(focus) } else { history.next_undo(focus) };
    let focused = focus.and_then(|doc| next(Some(doc)));
    let is_elsewhere = focused.is_some() && focus.is_some_and(|doc| doc.kind() != Some(DocKind::Tuning));
    let tried = if is_redo { overlays.next_redo() } else { overlays.next_undo() }.filter(|_| !is_elsewhere);
    let of_step = |step: &'h Step| Moment { step: Some(step.id()), label: step.label(), is_done: !is_redo };
    let tried = tried.map(|label| Moment { step: None, label, is_done: !is_redo });
    tried.or_else(|| focused.or_else(|| next(None)).map(of_step))
}

/// Take back or do again one step of history, as [`History::undo`] and [`History::redo`] do; its overlay changes
/// follow. Returns what it is called.
///
/// # Errors
/// As theirs.
pub fn step_with(
    history: &mut History,
    overlays: &mut TuningOverlays,
    project: &mut Project,
    is_redo: bool,
    focus: Option<&DocPath>,
) -> Result<String, UndoError> {
    let step = if is_redo { history.redo(project, focus) } else { history.undo(project, focus) }?;
    if is_redo {
        overlays.step_redone(step.id());
    } else {
        overlays.step_undone(step.id());
    }
    Ok(step.label().to_owned())
}

/// Take back or do again until the first `n` of [`timeline`] are done, and no others.
///
/// # Errors
/// What stopped it on the way; what came before that has been done.
pub fn go_to(
    history: &mut History,
    overlays: &mut TuningOverlays,
    project: &mut Project,
    n: usize,
) -> Result<(), UndoError> {
    overlays.end();
    let moments: Vec<(bool, bool)> =
        timeline(history, overlays).iter().map(|it| (it.step.is_some(), it.is_done)).collect();
    let n_done = moments.iter().filter(|(_, is_done)| *is_done).count();
    let is_redo = n_done < n;
    // Going along it does not change the order: it is listed once, there may be thousands.
    let mut between =
        moments.get(n.min(n_done)..n.max(n_done)).ok_or(UndoError::Nothing)?.iter().map(|(is_step, _)| *is_step);
    let go = |is_step: bool| {
        if is_step {
            step_with(history, overlays, project, is_redo, None).map(drop)
        } else {
            let tried = if is_redo { overlays.redo() } else { overlays.undo() };
            tried.map(drop).ok_or(UndoError::Nothing)
        }
    };
    if is_redo { between.try_for_each(go) } else { between.rev().try_for_each(go) }
}
