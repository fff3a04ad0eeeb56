//! A refactoring as it is being asked for: the request, and what the last look at it found. The looking is the app's,
//! in a job.
//!
//! Invariant: what an outcome says is of the request it names; it is shown until a newer one is there, and done only
//! when it is of the request as it stands.

use crate::{
    model::{Difference, DocPath, Value, counted_doing},
    refactor::{LayerCount, Misfit, Plan, ReplaceKind, Request, Tally, Word},
};

/// A refactoring being asked for.
#[derive(Clone, Debug)]
pub struct Draft {
    /// As it stands in the dialog.
    pub request: Request,
    /// The result for it, or for the request before it.
    pub outcome: Option<DraftResult>,
}

/// The result of planning a request.
#[derive(Clone, Debug)]
pub struct DraftResult {
    /// The request it belongs to.
    pub of: Request,
    /// What the definitions to extract from say alike.
    pub alike: Vec<(Word, Option<Value>)>,
    /// The plan and all it changes, or why there is none.
    pub result: Result<PlannedChanges, String>,
}

/// A plan that can be carried out.
#[derive(Clone, Debug)]
pub struct PlannedChanges {
    /// The edits.
    pub plan: Plan,
    /// Every place that changes, by file, and what would be left without what is deleted.
    pub rows: Vec<DraftRow>,
    /// How many places in how many files.
    pub count: String,
    /// What it does to values, in a sentence.
    pub reach: String,
}

/// A line of the list of changes.
#[derive(Clone, Debug)]
pub enum DraftRow {
    /// What the rest is about.
    Title(String),
    /// A file and how many places in it follow.
    File(DocPath, usize),
    /// A place.
    Place(Difference),
    /// An override that would not fit.
    Misfit(Misfit),
    /// A layer and how often it has what is replaced.
    Layer(ReplaceKind, LayerCount),
}

impl Draft {
    /// A new one.
    #[must_use]
    pub fn new(request: Request) -> Self {
        Self { request, outcome: None }
    }

    /// The outcome, if it is of the request as it stands.
    #[must_use]
    pub fn settled(&self) -> Option<&DraftResult> {
        self.outcome.as_ref().filter(|outcome| outcome.of == self.request)
    }
}

impl PlannedChanges {
    /// The rows for what a plan leaves behind, for comments that go with what they belong to, and for its changes.
    #[must_use]
    pub fn rows(changes: Vec<Difference>, left: Vec<Difference>, lost: Vec<Difference>) -> Vec<DraftRow> {
        let mut rows = Vec::with_capacity(changes.len() + left.len() + lost.len() + 3);
        let has_more = !left.is_empty() || !lost.is_empty();
        if !left.is_empty() {
            let what = match left.len() {
                1 => "1 reference is left unresolved".to_owned(),
                n => format!("{n} references are left unresolved"),
            };
            rows.push(DraftRow::Title(what));
            put(left.into_iter().map(|it| Difference { after: None, ..it }).collect(), &mut rows);
        }
        if !lost.is_empty() {
            let what = match lost.len() {
                1 => "1 comment is lost with the line it belongs to".to_owned(),
                n => format!("{n} comments are lost with the lines they belong to"),
            };
            rows.push(DraftRow::Title(what));
            put(lost, &mut rows);
        }
        if has_more {
            rows.push(DraftRow::Title("What changes".to_owned()));
        }
        put(changes, &mut rows);
        rows
    }

    /// The rows for what is replaced, by level and layer, after those for overrides that do not fit and for comments
    /// that go with what they belong to.
    #[must_use]
    pub fn rows_of(tally: Tally, misfits: Vec<Misfit>, lost: Vec<Difference>) -> Vec<DraftRow> {
        let mut rows = Vec::new();
        if !misfits.is_empty() {
            let n = counted_doing(misfits.len(), "override", ["does", "do"]);
            rows.push(DraftRow::Title(format!("{n} not fit the new definition and would stay")));
            for level in misfits.chunk_by(|a, b| a.location.doc == b.location.doc) {
                rows.extend(level.first().map(|it| DraftRow::File(it.location.doc.clone(), level.len())));
                rows.extend(level.iter().cloned().map(DraftRow::Misfit));
            }
        }
        let n_warnings = rows.len();
        rows.extend(Self::rows(Vec::new(), Vec::new(), lost));
        // The title after comments stands for both.
        if n_warnings > 0 && rows.len() == n_warnings {
            rows.push(DraftRow::Title("What changes".to_owned()));
        }
        let n_by_level: Vec<usize> =
            tally.by_level().map(|level| level.iter().filter(|it| !it.is_locked).map(|it| it.n).sum()).collect();
        let mut n_by_level = n_by_level.into_iter();
        let mut last = None;
        for layer in tally.layers {
            if last.as_ref() != Some(&layer.doc) {
                rows.push(DraftRow::File(layer.doc.clone(), n_by_level.next().unwrap_or_default()));
                last = Some(layer.doc.clone());
            }
            rows.push(DraftRow::Layer(tally.kind, layer));
        }
        rows
    }
}

/// Places by file, each file named first.
fn put(places: Vec<Difference>, rows: &mut Vec<DraftRow>) {
    let counts: Vec<usize> = places.chunk_by(|a, b| a.location.doc == b.location.doc).map(<[_]>::len).collect();
    let mut places = places.into_iter();
    for n in counts {
        for (i, place) in places.by_ref().take(n).enumerate() {
            if i == 0 {
                rows.push(DraftRow::File(place.location.doc.clone(), n));
            }
            rows.push(DraftRow::Place(place));
        }
    }
}
