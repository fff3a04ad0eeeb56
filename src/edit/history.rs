//! Undo by structural sharing: a step is two pointers for each document it changed, and for the tuning overlay.
//!
//! Invariant: for the newest done step touching a document or the overlay, the project holds exactly that step's
//! `after`.
//! Invariant: steps that touch disjoint documents commute, so undo may follow the focused document.
//! If the project was changed without a step, undo refuses.
//!
//! While changes are live there are two projects (`editor::workspace`): a step may change documents of the one that is
//! kept, too, and is undone in both. What becomes of such steps when the live project ends is `live_history`.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Edit, Refusal, apply_all, bytes, label_of};
use crate::model::{DocKind, DocPath, Document, Project, TuningOverlay};

/// The id of a step, done or undone. It is unique within a history, also among dropped steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u64);

/// One entry of the history, undone or redone as a whole.
#[derive(Clone, Debug)]
pub struct Step {
    id: StepId,
    label: String,
    pub(super) changes: Changes,
    /// What it changed in the project that is kept, while changes are live.
    pub(super) kept: Changes,
    pub(super) overlay: Option<Replaced<Arc<TuningOverlay>>>,
    bytes: usize,
}

/// Documents before and after a step.
pub(super) type Changes = BTreeMap<DocPath, Replaced<Option<Arc<Document>>>>;

#[derive(Clone, Debug)]
pub(super) struct Replaced<T> {
    before: T,
    after: T,
}

impl Step {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> StepId {
        self.id
    }

    /// Its label for the user.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The documents it changed.
    pub fn docs(&self) -> impl Iterator<Item = &DocPath> {
        self.changes.keys().chain(self.kept.keys().filter(|doc| !self.changes.contains_key(*doc)))
    }

    /// About how much memory it keeps, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether it changed no file, only values of constants that are tried out.
    #[must_use]
    pub fn is_of_overlay_alone(&self) -> bool {
        self.changes.is_empty() && self.kept.is_empty()
    }

    fn touches_any(&self, parts: &Parts) -> bool {
        parts.has_overlay && self.overlay.is_some() || self.docs().any(|doc| parts.docs.contains(doc))
    }

    /// The same step with other changes.
    pub(super) fn with(&self, changes: Changes, overlay: Option<Replaced<Arc<TuningOverlay>>>) -> Self {
        let bytes = bytes_of(&changes) + overlay.as_ref().map_or(0, |it| bytes::of_overlay(&it.after));
        Self { id: self.id, label: self.label.clone(), changes, kept: Changes::new(), overlay, bytes }
    }

    /// Whether undo takes it back while this document is the focused one. Definitions inherit across files and are
    /// shown together, as are tuning pages and the values tried out over them.
    fn is_about(&self, doc: &DocPath) -> bool {
        match doc.kind() {
            Some(DocKind::Entities) => self.docs().any(|doc| doc.kind() == Some(DocKind::Entities)),
            Some(DocKind::Tuning) if self.overlay.is_some() => true,
            _ => self.changes.contains_key(doc) || self.kept.contains_key(doc),
        }
    }
}

/// What steps touch.
#[derive(Default)]
struct Parts {
    docs: BTreeSet<DocPath>,
    has_overlay: bool,
}

impl Parts {
    fn add(&mut self, step: &Step) {
        self.docs.extend(step.docs().cloned());
        self.has_overlay |= step.overlay.is_some();
    }
}

/// Why there was no undo or redo.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// There is no step, or none that touches the focused document.
    #[error("there is nothing left")]
    Nothing,
    /// The document was changed past history.
    #[error("“{0}” cannot be taken back: the file has changed since")]
    Changed(String),
}

/// The steps done and undone.
#[derive(Clone, Debug)]
pub struct History {
    pub(super) done: Vec<Step>,
    pub(super) undone: Vec<Step>,
    /// Steps ever recorded.
    n_recorded: u64,
    max_bytes: usize,
}

impl Default for History {
    fn default() -> Self {
        Self::new(256 << 20)
    }
}

impl History {
    /// An empty history that forgets its oldest steps beyond about `max_bytes`, but never the newest.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self { done: Vec::new(), undone: Vec::new(), n_recorded: 0, max_bytes }
    }

    /// Make edits as one step. Returns which, if anything changed.
    ///
    /// # Errors
    /// The first refusal; nothing has changed then.
    pub fn make(&mut self, project: &mut Project, edits: &[Edit]) -> Result<Option<StepId>, Refusal> {
        let before = project.clone();
        apply_all(project, edits)?;
        Ok(self.record(label_of(edits), &before, project))
    }

    /// Record what `after` changed relative to `before`, as one step. Returns which, if there was anything.
    pub fn record(&mut self, label: impl Into<String>, before: &Project, after: &Project) -> Option<StepId> {
        self.record_both(label, (before, after), None)
    }

    /// The same, with what was changed in the project that is kept while changes are live: that before and after it.
    pub fn record_both(
        &mut self,
        label: impl Into<String>,
        (before, after): (&Project, &Project),
        kept: Option<(&Project, &Project)>,
    ) -> Option<StepId> {
        let changes = diff(before, after);
        let kept = kept.map(|(before, after)| diff(before, after)).unwrap_or_default();
        let (old, new) = (&before.tuning_overlay, &after.tuning_overlay);
        let overlay = (!Arc::ptr_eq(old, new)).then(|| Replaced { before: old.clone(), after: new.clone() });
        if changes.is_empty() && kept.is_empty() && overlay.is_none() {
            return None;
        }
        let bytes = bytes_of(&changes) + bytes_of(&kept) + overlay.as_ref().map_or(0, |_| bytes::of_overlay(new));
        let step = Step { id: StepId(self.n_recorded), label: label.into(), changes, kept, overlay, bytes };
        let mut dirty = Parts::default();
        dirty.add(&step);
        self.forget_redo(dirty);
        let id = step.id;
        self.n_recorded += 1;
        self.done.push(step);
        self.forget();
        Some(id)
    }

    /// Forget the steps to do again that build on other states of what was changed. A redo that is invalid takes along
    /// those that build on it. What was tried out and taken back is not tried out again after something else was done.
    fn forget_redo(&mut self, mut dirty: Parts) {
        for i in (0..self.undone.len()).rev() {
            if self.undone[i].touches_any(&dirty) || self.undone[i].is_of_overlay_alone() {
                dirty.add(&self.undone.remove(i));
            }
        }
    }

    /// This history with other steps: those done, those done since in it, and those that were undone and may still be
    /// done again.
    pub(super) fn with_steps(&self, mut done: Vec<Step>, since: Vec<Step>, undone: Vec<Step>) -> Self {
        let mut dirty = Parts::default();
        since.iter().for_each(|step| dirty.add(step));
        done.extend(since);
        let mut history = Self { done, undone, n_recorded: self.n_recorded, max_bytes: self.max_bytes };
        history.forget_redo(dirty);
        history.forget();
        history
    }

    /// Documents that are not as their files are, in groups that are saved together: those that one step changed since,
    /// so that no file is left with half of what was one step. `saved` is the content of the files. The steps are gone
    /// through once.
    pub fn saved_together<'s>(
        &self,
        docs: impl IntoIterator<Item = DocPath>,
        saved: impl Fn(&DocPath) -> Option<&'s Arc<Document>>,
    ) -> Vec<Vec<DocPath>> {
        let docs: BTreeSet<DocPath> = docs.into_iter().collect();
        // The first document that a step is unsaved for stands for all of them; each points to one before it.
        let mut stands_for: Vec<usize> = (0..docs.len()).collect();
        let first_of = |stands_for: &[usize], mut doc: usize| {
            while stands_for[doc] != doc {
                doc = stands_for[doc];
            }
            doc
        };
        let mut first_by_step: BTreeMap<StepId, usize> = BTreeMap::new();
        for (doc, steps) in self.unsaved(&docs, saved).into_iter().enumerate() {
            for step in steps {
                let other = *first_by_step.entry(step).or_insert(doc);
                let (a, b) = (first_of(&stands_for, doc), first_of(&stands_for, other));
                stands_for[a.max(b)] = a.min(b);
            }
        }
        let mut groups: BTreeMap<usize, Vec<DocPath>> = BTreeMap::new();
        for (i, doc) in docs.into_iter().enumerate() {
            groups.entry(first_of(&stands_for, i)).or_default().push(doc);
        }
        groups.into_values().collect()
    }

    /// For each document, the steps between its file and its present state: those done and those undone since.
    fn unsaved<'s>(
        &self,
        docs: &BTreeSet<DocPath>,
        saved: impl Fn(&DocPath) -> Option<&'s Arc<Document>>,
    ) -> Vec<Vec<StepId>> {
        let at: BTreeMap<&DocPath, usize> = docs.iter().enumerate().map(|(i, doc)| (doc, i)).collect();
        let mut since: Vec<Vec<StepId>> = vec![Vec::new(); docs.len()];
        let mut taken_back = since.clone();
        let mut open: BTreeSet<usize> = (0..docs.len()).collect();
        let touched = |step: &Step, open: &BTreeSet<usize>| -> Vec<(usize, [bool; 2])> {
            let known = step.changes.iter().filter_map(|(doc, change)| Some((doc, change, *at.get(doc)?)));
            let known = known.filter(|(_, _, i)| open.contains(i));
            known
                .map(|(doc, change, i)| (i, [&change.before, &change.after].map(|it| same(it.as_ref(), saved(doc)))))
                .collect()
        };
        for step in self.done.iter().rev() {
            for (i, [was_on_disk, is_on_disk]) in touched(step, &open) {
                if !is_on_disk {
                    since[i].push(step.id);
                }
                if was_on_disk || is_on_disk {
                    open.remove(&i);
                }
            }
            if open.is_empty() {
                return since;
            }
        }
        for step in self.undone.iter().rev() {
            for (i, [_, is_on_disk]) in touched(step, &open) {
                taken_back[i].push(step.id);
                if is_on_disk {
                    open.remove(&i);
                    since[i] = std::mem::take(&mut taken_back[i]);
                }
            }
        }
        since
    }

    /// Take back the newest step that touches `focus` (the newest of all for `None`); where a newer one shares a
    /// document with it, that one, so that taking back again and again always gets there.
    ///
    /// # Errors
    /// There is none, or the project was changed past history; the project is unchanged then.
    pub fn undo(&mut self, project: &mut Project, focus: Option<&DocPath>) -> Result<&Step, UndoError> {
        self.undo_both((project, None), focus)
    }

    fn undo_both(
        &mut self,
        projects: (&mut Project, Option<&mut Project>),
        focus: Option<&DocPath>,
    ) -> Result<&Step, UndoError> {
        let at = newest(&self.done, focus)?;
        self.undo_at(projects, at)
    }

    fn undo_at(&mut self, projects: (&mut Project, Option<&mut Project>), at: usize) -> Result<&Step, UndoError> {
        swap(projects, &self.done[at], false)?;
        let step = self.done.remove(at);
        self.undone.push(step);
        self.undone.last().ok_or(UndoError::Nothing)
    }

    /// Do again the step last taken back that touches `focus` (any for `None`), or one that has to be done before it.
    ///
    /// # Errors
    /// As for [`History::undo`].
    pub fn redo(&mut self, project: &mut Project, focus: Option<&DocPath>) -> Result<&Step, UndoError> {
        self.redo_both((project, None), focus)
    }

    fn redo_both(
        &mut self,
        projects: (&mut Project, Option<&mut Project>),
        focus: Option<&DocPath>,
    ) -> Result<&Step, UndoError> {
        let at = newest(&self.undone, focus)?;
        self.redo_at(projects, at)
    }

    fn redo_at(&mut self, projects: (&mut Project, Option<&mut Project>), at: usize) -> Result<&Step, UndoError> {
        swap(projects, &self.undone[at], true)?;
        let step = self.undone.remove(at);
        // Back to its place in time: what was done after it and is still done shares no document with it.
        let at = self.done.iter().rposition(|it| it.id < step.id).map_or(0, |i| i + 1);
        self.done.insert(at, step);
        self.done.get(at).ok_or(UndoError::Nothing)
    }

    /// What undo takes back next, or redo does again, while `focus` is the focused document: a step that touches it, or
    /// the newest of all where none does.
    #[must_use]
    pub fn next(&self, focus: Option<&DocPath>, is_redo: bool) -> Option<&Step> {
        let steps = if is_redo { &self.undone } else { &self.done };
        let at = newest(steps, focus).or_else(|_| newest(steps, None)).ok()?;
        steps.get(at)
    }

    /// Take back [`History::next`], or do it again; in the project that is kept, too, while changes are live.
    ///
    /// # Errors
    /// As for [`History::undo`].
    pub fn take_next(
        &mut self,
        projects: (&mut Project, Option<&mut Project>),
        focus: Option<&DocPath>,
        is_redo: bool,
    ) -> Result<&Step, UndoError> {
        let steps = if is_redo { &self.undone } else { &self.done };
        // Where the focused document has no steps, the newest of any is meant.
        let focus = focus.filter(|_| newest(steps, focus).is_ok());
        if is_redo { self.redo_both(projects, focus) } else { self.undo_both(projects, focus) }
    }

    /// Every step in the order of time, oldest first, with whether it is done: undo follows a document, and so may
    /// leave one done that is newer.
    pub fn steps(&self) -> impl Iterator<Item = (bool, &Step)> {
        let undone = self.undone.iter().rev().map(|step| (false, step));
        let mut all: Vec<(bool, &Step)> = self.done.iter().map(|step| (true, step)).chain(undone).collect();
        all.sort_by_key(|(_, step)| step.id);
        all.into_iter()
    }

    /// The steps done, in order.
    #[must_use]
    pub fn done(&self) -> Vec<StepId> {
        self.done.iter().map(Step::id).collect()
    }

    /// How many steps are done.
    #[must_use]
    pub fn n_done(&self) -> usize {
        self.done.len()
    }

    /// Undo or redo until exactly the first `n` of [`History::steps`] are done; in the project that is kept, too, while
    /// changes are live.
    ///
    /// # Errors
    /// What stopped it on the way; the steps before that have been taken.
    pub fn jump(
        &mut self,
        (project, mut kept): (&mut Project, Option<&mut Project>),
        n: usize,
    ) -> Result<(), UndoError> {
        let first_after = self.steps().nth(n).map(|(_, step)| step.id);
        let is_before = |step: &Step| first_after.is_none_or(|first| step.id < first);
        while let Some(at) = self.done.iter().rposition(|step| !is_before(step)) {
            self.undo_at((project, kept.as_deref_mut()), at)?;
        }
        // The oldest first: those that share a document were taken back the other way round.
        let oldest = |undone: &[Step]| {
            let all = undone.iter().enumerate().filter(|(_, step)| is_before(step));
            all.min_by_key(|(_, step)| step.id).map(|(at, _)| at)
        };
        while let Some(at) = oldest(&self.undone) {
            self.redo_at((project, kept.as_deref_mut()), at)?;
        }
        if self.done.len() < n { Err(UndoError::Nothing) } else { Ok(()) }
    }

    /// About how much memory the steps keep, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.done.iter().chain(&self.undone).map(|step| step.bytes).sum()
    }

    /// Drop the oldest steps beyond the limit.
    fn forget(&mut self) {
        let mut bytes = self.bytes();
        let mut n = 0;
        while bytes > self.max_bytes && n + 1 < self.done.len() {
            bytes -= self.done[n].bytes;
            n += 1;
        }
        self.done.drain(..n);
    }
}

/// Index of the newest step that touches `focus`; of the newest that shares a document with it, if a newer one does,
/// and so on.
fn newest(steps: &[Step], focus: Option<&DocPath>) -> Result<usize, UndoError> {
    let at = steps.iter().rposition(|step| focus.is_none_or(|doc| step.is_about(doc)));
    let mut at = at.ok_or(UndoError::Nothing)?;
    loop {
        if at + 1 == steps.len() {
            // Nothing is newer. This is asked in each frame, and a step may be of ten thousand documents.
            return Ok(at);
        }
        let mut parts = Parts::default();
        parts.add(&steps[at]);
        match steps[at + 1..].iter().rposition(|step| step.touches_any(&parts)) {
            Some(newer) => at += 1 + newer,
            None => return Ok(at),
        }
    }
}

/// Replace a step's `after` by its `before`, or for redo the other way round.
fn swap((project, kept): (&mut Project, Option<&mut Project>), step: &Step, is_redo: bool) -> Result<(), UndoError> {
    let is_as_left = is_at(project, &step.changes, is_redo)
        && kept.as_deref().is_none_or(|kept| is_at(kept, &step.kept, is_redo))
        && step.overlay.as_ref().is_none_or(|it| Arc::ptr_eq(&project.tuning_overlay, it.ends(is_redo).0));
    if !is_as_left {
        return Err(UndoError::Changed(step.label.clone()));
    }
    swap_documents(project, &step.changes, is_redo);
    if let Some(kept) = kept {
        swap_documents(kept, &step.kept, is_redo);
    }
    if let Some(change) = &step.overlay {
        project.tuning_overlay = Arc::clone(change.ends(is_redo).1);
    }
    Ok(())
}

/// Whether a project has the documents that are to be replaced.
fn is_at(project: &Project, changes: &Changes, is_redo: bool) -> bool {
    changes.iter().all(|(path, it)| same(project.doc(path), it.ends(is_redo).0.as_ref()))
}

fn swap_documents(project: &mut Project, changes: &Changes, is_redo: bool) {
    for (path, change) in changes {
        match change.ends(is_redo).1 {
            Some(doc) => project.documents.insert(path.clone(), Arc::clone(doc)),
            None => project.documents.remove(path),
        };
    }
}

fn bytes_of(changes: &Changes) -> usize {
    changes.values().map(|change| bytes::between(change.before.as_deref(), change.after.as_deref())).sum()
}

impl<T> Replaced<T> {
    /// The document before the step is undone (or redone), and after that.
    fn ends(&self, is_redo: bool) -> (&T, &T) {
        if is_redo { (&self.before, &self.after) } else { (&self.after, &self.before) }
    }
}

/// The documents that are not the same, found by walking both projects together: there may be ten thousand, and this is
/// part of every step.
fn diff(old: &Project, new: &Project) -> BTreeMap<DocPath, Replaced<Option<Arc<Document>>>> {
    let (mut olds, mut news) = (old.documents.iter().peekable(), new.documents.iter().peekable());
    let mut out = BTreeMap::new();
    loop {
        let order = match (olds.peek(), news.peek()) {
            (Some((old, _)), Some((new, _))) => old.cmp(new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return out,
        };
        let before = if order.is_le() { olds.next() } else { None };
        let after = if order.is_ge() { news.next() } else { None };
        if let Some((path, _)) = before.or(after)
            && !same(before.map(|(_, document)| document), after.map(|(_, document)| document))
        {
            let held = |side: Option<(&DocPath, &Arc<Document>)>| side.map(|(_, document)| Arc::clone(document));
            out.insert(path.clone(), Replaced { before: held(before), after: held(after) });
        }
    }
}

fn same(a: Option<&Arc<Document>>, b: Option<&Arc<Document>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}
