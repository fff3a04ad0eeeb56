//! Three versions of a document made one: what was there (base), what one side made of it (mine), what the other did
//! (theirs). Declared per type, like reading and writing: records merge field by field (from the same one declaration),
//! maps and lists by what names their parts (`merge_lists`), and a value that both sides changed is contested.
//!
//! Invariants: with `base = mine` the result is `theirs`, with `base = theirs` it is `mine`, to the last reordering;
//! what only one side changed is in the result; what both changed differently is settled by a [`Choices`] or noted as a
//! [`Contest`]. Parts that are the same keep the `Arc` of `mine`.

use std::collections::HashMap;

use super::Encode;
use crate::{
    io::ron_text::{self, Form},
    model::{Contest, FieldPath, Name, Seg, Side},
};

/// Places listed in [`Merging::changed`]; more are only counted.
const MAX_PLACES: usize = 32;

/// What can be merged.
pub(crate) trait Merge: Encode + Sized + Clone {
    /// Whether a map of these is a record in the file, where order does not matter.
    const IN_RECORD: bool = false;
    /// Whether the order in a list of these matters.
    const ORDER_COUNTS: bool = true;

    /// Whether both are equal, in the same order.
    fn same(&self, other: &Self) -> bool;
    /// One version of three. `base` is `None` where the part was not there before.
    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self;
    /// What names it in a list, if something does.
    fn key(&self) -> Option<Name> {
        None
    }
    /// Its form in a file.
    fn shown(&self) -> String {
        text(&self.form(None))
    }
}

/// Which side wins where, as the user chose. An answer holds only for its question: once a side has another value
/// there, the question is asked again.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// For everything that is not chosen one by one.
    pub all: Option<Side>,
    one: HashMap<(FieldPath, bool), (Contest, Side)>,
}

impl Choices {
    /// The same side everywhere.
    #[must_use]
    pub fn all(side: Side) -> Self {
        Self { all: Some(side), ..Self::default() }
    }

    /// A side for one place.
    pub fn choose(&mut self, contest: Contest, side: Side) {
        self.one.insert((contest.path.clone(), contest.is_order), (contest, side));
    }

    fn get(&self, contest: &Contest) -> Option<Side> {
        let one = self.one.get(&(contest.path.clone(), contest.is_order));
        one.filter(|(asked, _)| asked == contest).map(|(_, side)| *side).or(self.all)
    }
}

/// A step of a path: not yet a [`Seg`], because most steps are taken back without being reported.
enum PathStep {
    Field(&'static str),
    Key(Name),
    Index(usize),
}

/// The state of merging one document.
pub(crate) struct Merging<'c> {
    choices: &'c Choices,
    path: Vec<PathStep>,
    /// The open contests.
    pub(crate) contests: Vec<Contest>,
    /// What only one side changed: mine, theirs.
    pub(crate) changed: [Vec<FieldPath>; 2],
    pub(crate) n_changed: [usize; 2],
}

impl<'c> Merging<'c> {
    pub(crate) fn new(choices: &'c Choices) -> Self {
        Self { choices, path: Vec::new(), contests: Vec::new(), changed: [Vec::new(), Vec::new()], n_changed: [0, 0] }
    }

    fn within<R>(&mut self, step: PathStep, go: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step);
        let result = go(self);
        self.path.pop();
        result
    }

    /// A field of a record.
    pub(crate) fn in_field<R>(&mut self, name: &'static str, go: impl FnOnce(&mut Self) -> R) -> R {
        self.within(PathStep::Field(name), go)
    }

    /// What has a name.
    pub(crate) fn named<R>(&mut self, name: Name, go: impl FnOnce(&mut Self) -> R) -> R {
        self.within(PathStep::Key(name), go)
    }

    /// An element of a list.
    pub(crate) fn element<R>(&mut self, index: usize, go: impl FnOnce(&mut Self) -> R) -> R {
        self.within(PathStep::Index(index), go)
    }

    fn here(&self) -> FieldPath {
        let seg = |step: &PathStep| match step {
            PathStep::Field(name) => Seg::Key((*name).into()),
            PathStep::Key(name) => Seg::Key(name.clone()),
            PathStep::Index(index) => Seg::Index(*index),
        };
        FieldPath(self.path.iter().map(seg).collect())
    }

    /// Note that only one side changed this place.
    pub(crate) fn note(&mut self, side: Side) {
        let at = self.count(side);
        if self.changed[at].len() < MAX_PLACES {
            let here = self.here();
            self.changed[at].push(here);
        }
    }

    /// The same of another place.
    pub(crate) fn note_at(&mut self, side: Side, place: FieldPath) {
        let at = self.count(side);
        if self.changed[at].len() < MAX_PLACES {
            self.changed[at].push(place);
        }
    }

    /// Count a change of a side. Returns which of two it is.
    fn count(&mut self, side: Side) -> usize {
        let at = usize::from(side == Side::Theirs);
        self.n_changed[at] += 1;
        at
    }

    /// Which side wins where both changed; noted as contested, with mine for now, when there is no choice.
    pub(crate) fn choose(&mut self, is_order: bool, shown: [Option<String>; 3]) -> Side {
        let [base, mine, theirs] = shown;
        let contest = Contest { path: self.here(), is_order, base, mine, theirs };
        self.choices.get(&contest).unwrap_or_else(|| {
            self.contests.push(contest);
            Side::Mine
        })
    }

    /// The side that changed something, or the one chosen where both did.
    pub(crate) fn settle<T: Merge>(&mut self, base: Option<&T>, mine: &T, theirs: &T) -> Side {
        if mine.same(theirs) {
            return Side::Mine;
        }
        if base.is_some_and(|base| base.same(mine)) {
            self.note(Side::Theirs);
            return Side::Theirs;
        }
        if base.is_some_and(|base| base.same(theirs)) {
            self.note(Side::Mine);
            return Side::Mine;
        }
        self.choose(false, [base.map(T::shown), Some(mine.shown()), Some(theirs.shown())])
    }
}

/// The form of a value in a file.
pub(crate) fn text(form: &Form<'_>) -> String {
    ron_text::write_part(form)
}

/// One side, whole.
pub(crate) fn whole<T: Merge>(base: Option<&T>, mine: &T, theirs: &T, cx: &mut Merging<'_>) -> T {
    match cx.settle(base, mine, theirs) {
        Side::Mine => mine.clone(),
        Side::Theirs => theirs.clone(),
    }
}

impl Merge for String {
    // Lists of plain strings are tags and things taken away: sets.
    const ORDER_COUNTS: bool = false;

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        whole(base, mine, theirs, cx)
    }

    fn key(&self) -> Option<Name> {
        Some(self.as_str().into())
    }
}
