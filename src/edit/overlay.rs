//! The tuning overlay: values of constants that are tried out while the game plays, apart from the project.
//!
//! Two sets can be compared, A and B. A set holds constants by `Page.name`; those it does not hold have the files' values, so an
//! empty set is the project itself. One of the two is *active*: the running world uses its values, and changes go to it. At first A
//! is empty and B is active.
//!
//! Invariant: nothing here changes a project. [`keep`] makes the edits that would, and the caller then drops the
//! kept values. Values of constants that are gone are held all the same: they apply again when a broken file is fixed.
//! The overlay has its own undo, which [`TuningOverlays`] keeps in one order with the steps of the history: it is notified of each
//! step made, undone and redone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Edit, Refusal, StepId,
    constants::{constant_at, put_page},
    page_doc,
    tuning::fits,
};
use crate::model::{Builtin, DocKind, DocPath, Document, Name, Project, Tunable, TuningPage, Value};

/// Changes remembered for undo.
const MAX_UNDO: usize = 200;

/// Values of constants by `Page.name`.
pub type ValueSet = BTreeMap<Name, Value>;

/// One of the two sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// At first the files' values.
    A,
    /// At first the active set.
    #[default]
    B,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// `A` or `B`.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// Two sets of values, and which is active.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TuningOverlay {
    a: ValueSet,
    b: ValueSet,
    titles: [String; 2],
    #[serde(rename = "heard")]
    active: Side,
}

impl TuningOverlay {
    /// The set that the running world uses and changes go to.
    #[must_use]
    pub fn active(&self) -> Side {
        self.active
    }

    /// The values of a set.
    #[must_use]
    pub fn set_of(&self, side: Side) -> &ValueSet {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    fn set_mut(&mut self, side: Side) -> &mut ValueSet {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }

    /// The user's title of a set; may be empty.
    #[must_use]
    pub fn title(&self, side: Side) -> &str {
        &self.titles[usize::from(side == Side::B)]
    }

    /// The value of a constant, `Page.name`, in the active set.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.set_of(self.active).get(name)
    }

    /// Whether neither set holds anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty()
    }

    /// The constants that either set holds, each once, by name.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let only_b = self.b.keys().filter(|name| !self.a.contains_key(*name));
        let mut names: Vec<&Name> = self.a.keys().chain(only_b).collect();
        names.sort();
        names.into_iter()
    }

    /// Set a value in the active set.
    pub fn set(&mut self, name: Name, value: Value) {
        self.set_mut(self.active).insert(name, value);
    }

    /// Drop a value. Returns whether there was one.
    pub fn drop_value(&mut self, side: Side, name: &str) -> bool {
        self.set_mut(side).remove(name).is_some()
    }

    /// Empty a set.
    pub fn clear(&mut self, side: Side) {
        self.set_mut(side).clear();
    }

    /// Make a set the active one.
    pub fn activate(&mut self, side: Side) {
        self.active = side;
    }

    /// Make a set the same as the other.
    pub fn copy(&mut self, from: Side) {
        let values = self.set_of(from).clone();
        *self.set_mut(from.other()) = values;
    }

    /// Exchange the two sets, their titles too; the active values stay active under the other letter.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
        self.titles.swap(0, 1);
        self.active = self.active.other();
    }

    /// Give a set a title.
    pub fn call(&mut self, side: Side, title: &str) {
        title.trim().clone_into(&mut self.titles[usize::from(side == Side::B)]);
    }

    /// Put a set that was saved in a set's place.
    pub fn load(&mut self, side: Side, title: &str, values: ValueSet) {
        *self.set_mut(side) = values;
        self.call(side, title);
    }

    /// Follow renamed constants; asked by its old name, `to` says the new one of what has another.
    pub fn renamed(&mut self, to: impl Fn(&str) -> Option<Name>) {
        for set in [&mut self.a, &mut self.b] {
            *set = std::mem::take(set).into_iter().map(|(name, value)| (to(&name).unwrap_or(name), value)).collect();
        }
    }
}

/// A part of the overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Value(Side, Name),
    Title(Side),
    Active,
}

/// What is there.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    Value(Option<Value>),
    Title(String),
    Active(Side),
}

/// A part of the overlay that changed.
#[derive(Clone, Debug)]
struct OverlayChange {
    place: Place,
    before: Held,
    after: Held,
}

impl TuningOverlay {
    fn at(&self, place: &Place) -> Held {
        match place {
            Place::Value(side, name) => Held::Value(self.set_of(*side).get(name).cloned()),
            Place::Title(side) => Held::Title(self.title(*side).to_owned()),
            Place::Active => Held::Active(self.active),
        }
    }

    fn put(&mut self, place: &Place, held: &Held) {
        match (place, held) {
            (Place::Value(side, name), Held::Value(Some(value))) => {
                self.set_mut(*side).insert(name.clone(), value.clone());
            }
            (Place::Value(side, name), Held::Value(None)) => drop(self.set_mut(*side).remove(name)),
            (Place::Title(side), Held::Title(title)) => self.call(*side, title),
            (Place::Active, Held::Active(side)) => self.active = *side,
            // A place holds what it held before.
            _ => {}
        }
    }

    /// The changes since `was`.
    fn changes_since(&self, was: &Self) -> Vec<OverlayChange> {
        let values = Side::ALL.into_iter().flat_map(|side| {
            let (old, new) = (was.set_of(side), self.set_of(side));
            let only_new = new.keys().filter(|name| !old.contains_key(*name));
            old.keys().chain(only_new).map(move |name| Place::Value(side, name.clone()))
        });
        let places = values.chain(Side::ALL.map(Place::Title)).chain([Place::Active]);
        let turn = |place: Place| OverlayChange { before: was.at(&place), after: self.at(&place), place };
        places.map(turn).filter(|turn| turn.before != turn.after).collect()
    }
}

/// A change of the overlay, a step of the history, or a step with the overlay changes it made.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) step: Option<StepId>,
    changes: Vec<OverlayChange>,
    pub(super) label: String,
}

impl Done {
    /// Whether it is a step of history and no more.
    fn is_bare(&self) -> bool {
        self.changes.is_empty()
    }
}

/// The overlay with its undo.
#[derive(Clone, Debug, Default)]
pub struct TuningOverlays {
    pub(super) now: TuningOverlay,
    /// In the order they came. What is older than every change is left out.
    pub(super) done: Vec<Done>,
    pub(super) undone: Vec<Done>,
    /// The overlay before the current drag, and the drag's label.
    pub(super) open: Option<(TuningOverlay, String)>,
}

impl TuningOverlays {
    /// Start with the overlay of an earlier session.
    #[must_use]
    pub fn resumed(now: TuningOverlay) -> Self {
        Self { now, ..Self::default() }
    }

    /// The overlay now.
    #[must_use]
    pub fn now(&self) -> &TuningOverlay {
        &self.now
    }

    /// Change the overlay, as one step that can be undone.
    pub fn change(&mut self, label: &str, change: impl FnOnce(&mut TuningOverlay)) {
        self.end();
        let was = self.now.clone();
        change(&mut self.now);
        self.push(&was, label.to_owned());
    }

    /// The same, as a part of a step of history that was made: taken back and done again along with it.
    pub fn change_with_step(&mut self, step: StepId, label: &str, change: impl FnOnce(&mut TuningOverlay)) {
        self.end();
        let was = self.now.clone();
        change(&mut self.now);
        let changes = self.now.changes_since(&was);
        if changes.is_empty() {
            return;
        }
        match self.done.iter_mut().rev().find(|it| it.step == Some(step)) {
            Some(done) => done.changes.extend(changes),
            None => self.done.push(Done { step: Some(step), changes, label: label.to_owned() }),
        }
        self.forget();
    }

    /// Change the overlay in a drag: all changes until [`TuningOverlays::end`] is one step, called as it was called last.
    pub fn drag(&mut self, label: &str, change: impl FnOnce(&mut TuningOverlay)) {
        let was = self.open.take().map_or_else(|| self.now.clone(), |(was, _)| was);
        self.open = Some((was, label.to_owned()));
        change(&mut self.now);
    }

    /// The value of a constant before the current drag, in the active set.
    #[must_use]
    pub fn before(&self, name: &str) -> Option<&Value> {
        self.open.as_ref().map_or(&self.now, |(was, _)| was).value(name)
    }

    /// End a drag.
    pub fn end(&mut self) {
        if let Some((was, label)) = self.open.take() {
            self.push(&was, label);
        }
    }

    /// End a drag as if it had not been.
    pub fn cancel(&mut self) {
        if let Some((was, _)) = self.open.take() {
            self.now = was;
        }
    }

    /// Change what undo does not cover: which set is active, titles.
    pub fn adjust(&mut self, change: impl FnOnce(&mut TuningOverlay)) {
        self.end();
        change(&mut self.now);
    }

    fn push(&mut self, was: &TuningOverlay, label: String) {
        let changes = self.now.changes_since(was);
        if !changes.is_empty() {
            self.drop_undone();
            self.done.push(Done { step: None, changes, label });
            self.forget();
        }
    }

    /// Something new was done: changes taken back before are not done again. Steps of history may be, with their part.
    fn drop_undone(&mut self) {
        self.undone.retain(|it| it.step.is_some());
        trim(&mut self.undone);
    }

    fn forget(&mut self) {
        for list in [&mut self.done, &mut self.undone] {
            let n_changed = list.iter().filter(|it| !it.is_bare()).count();
            if n_changed > MAX_UNDO {
                list.remove(0);
            }
            trim(list);
        }
    }

    /// What undo would take back, if that came after every step of history.
    #[must_use]
    pub fn next_undo(&self) -> Option<&str> {
        if let Some((was, label)) = &self.open
            && *was != self.now
        {
            return Some(label);
        }
        self.done.last().filter(|it| it.step.is_none()).map(|it| it.label.as_str())
    }

    /// What redo would do again, if that came before the next step of history.
    #[must_use]
    pub fn next_redo(&self) -> Option<&str> {
        self.undone.last().filter(|it| it.step.is_none()).map(|it| it.label.as_str())
    }

    /// Take back the newest change, if it came after every step of history. Returns what it was.
    pub fn undo(&mut self) -> Option<String> {
        self.end();
        self.next_undo()?;
        Some(self.take_back(self.done.len().checked_sub(1)?))
    }

    /// Do again the change last taken back, if it came before the next step of history. Returns what it was.
    pub fn redo(&mut self) -> Option<String> {
        self.end();
        self.next_redo()?;
        Some(self.do_again(self.undone.len().checked_sub(1)?))
    }

    /// A new step of history was made.
    pub fn step_made(&mut self, step: StepId) {
        self.end();
        self.drop_undone();
        self.done.push(Done::bare(step));
        trim(&mut self.done);
    }

    /// A step of history was taken back; what was part of it is, too.
    pub fn step_undone(&mut self, step: StepId) {
        self.end();
        match self.done.iter().rposition(|it| it.step == Some(step)) {
            Some(at) => drop(self.take_back(at)),
            None => self.undone.push(Done::bare(step)),
        }
        trim(&mut self.undone);
    }

    /// A step of history was done again; what was part of it is, too.
    pub fn step_redone(&mut self, step: StepId) {
        self.end();
        match self.undone.iter().rposition(|it| it.step == Some(step)) {
            Some(at) => drop(self.do_again(at)),
            None => self.done.push(Done::bare(step)),
        }
        trim(&mut self.done);
    }

    fn take_back(&mut self, at: usize) -> String {
        let done = self.done.remove(at);
        for turn in done.changes.iter().rev() {
            // Where something later turned the same, that began from here and now begins from what was before.
            let mut later = self.done.iter_mut().skip(at).flat_map(|it| &mut it.changes);
            match later.find(|it| it.place == turn.place && it.before == turn.after) {
                Some(later) => later.before = turn.before.clone(),
                None if self.now.at(&turn.place) == turn.after => self.now.put(&turn.place, &turn.before),
                None => {}
            }
        }
        trim(&mut self.done);
        let label = done.label.clone();
        self.undone.push(done);
        label
    }

    fn do_again(&mut self, at: usize) -> String {
        let mut again = self.undone.remove(at);
        trim(&mut self.undone);
        let label = again.label.clone();
        // What was turned otherwise meanwhile stays.
        again.changes.retain(|turn| {
            let is_as_before = self.now.at(&turn.place) == turn.before;
            if is_as_before {
                self.now.put(&turn.place, &turn.after);
            }
            is_as_before
        });
        if again.step.is_some() || !again.is_bare() {
            self.done.push(again);
        }
        label
    }
}

impl Done {
    fn bare(step: StepId) -> Self {
        Self { step: Some(step), changes: Vec::new(), label: String::new() }
    }
}

/// Leave out the steps of history that are older than every change: their order is history's alone.
fn trim(list: &mut Vec<Done>) {
    let n = list.iter().take_while(|it| it.is_bare()).count();
    list.drain(..n);
}

/// Where a project declares a constant, `Page.name`.
#[must_use]
pub fn declared_constant<'p>(project: &'p Project, name: &str) -> Option<(&'p DocPath, &'p Tunable)> {
    let (page, name) = name.split_once('.')?;
    let mut pages = project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Tuning(file) if &*file.page == page => Some((path, file)),
        _ => None,
    });
    pages.find_map(|(path, file)| Some((path, file.values.get(name)?)))
}

/// Refuse a value that a constant cannot have: of another sort, or out of its range.
///
/// # Errors
/// Why it cannot.
pub fn may_be(name: &str, tunable: &Tunable, value: &Value) -> Result<(), Refusal> {
    fits(name, tunable, value)
}

/// The edits that write these values, `Page.name`, into a project, each in the file that declares it now, else in its page's file,
/// else in a new file; a value that is there already needs none. A constant that is nowhere, neither in the project nor among
/// the built-in ones, cannot be kept and gets no edit. A built-in constant is given its value and no more: its range and
/// meaning stay the built-in ones.
#[must_use]
pub fn keep<'v>(
    project: &Project,
    builtin: &Builtin,
    values: impl IntoIterator<Item = (&'v Name, &'v Value)>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut pages: BTreeMap<Name, TuningPage> = BTreeMap::new();
    for (full, value) in values {
        if let Some((doc, old)) = declared_constant(project, full) {
            if old.value != *value {
                let name = full.split_once('.').map_or(&**full, |(_, name)| name);
                edits.push(Edit::set_at(doc, constant_at(name).key("value"), value));
            }
            continue;
        }
        let Some((page, name)) = full.split_once('.') else { continue };
        let Some(known) = builtin.tuning.iter().find(|it| &*it.page == page) else { continue };
        if known.values.get(name).is_none_or(|it| it.value == *value) {
            continue;
        }
        let (name, tunable) = (Name::from(name), Tunable::of(value.clone()));
        match page_doc(project, page) {
            Some(doc) => edits.push(Edit::set_at(doc, constant_at(&name), &tunable)),
            None => {
                let fresh = || TuningPage { page: page.into(), order: 0, values: indexmap::IndexMap::new() };
                pages.entry(page.into()).or_insert_with(fresh).values.insert(name, tunable);
            }
        }
    }
    edits.extend(pages.into_values().map(|page| put_page(project, page)));
    edits
}

/// A path in the tuning folder that is not taken, called after a page.
#[must_use]
pub fn free_file(project: &Project, page: &str) -> DocPath {
    let path = DocPath::in_folder(DocKind::Tuning, page);
    let others = (2..=project.documents.len() + 2).map(|n| DocPath::in_folder(DocKind::Tuning, &format!("{page}_{n}")));
    let free = |path: &DocPath| !project.documents.contains_key(path);
    std::iter::once(path.clone()).chain(others).find(free).unwrap_or(path)
}
