//! A problem: a finding, and its quick fixes.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::{
    edit::Edit,
    model::{DocPath, FieldPath, Finding, Name, Severity},
    refactor::Migration,
};

/// A finding with its quick fixes; the first is the likeliest.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The message and its place.
    pub finding: Finding,
    /// Alternative fixes, each complete by itself.
    pub fixes: Vec<Fix>,
}

/// A quick fix of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Its label, as on a button: `Rename to goblin`.
    pub label: String,
    /// The changes, made in order as one step.
    pub edits: Vec<Edit>,
    /// Whether it changes nothing that the game can notice, so that it may be applied without a question.
    pub safe: bool,
    /// Whether it deletes user data, such as a parent, in ways that its edits do not show.
    pub drops: bool,
    /// Whether it leaves the data as it is and adds a declaration of the name that the data uses.
    pub declares: bool,
}

impl Fix {
    /// A fix by one edit, which the user has to choose.
    #[must_use]
    pub fn new(label: impl Into<String>, edit: Edit) -> Self {
        Self::of(label, vec![edit])
    }

    /// The same by several edits.
    #[must_use]
    pub fn of(label: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { label: label.into(), edits, safe: false, drops: false, declares: false }
    }

    /// The same, marked as deleting user data though its edits do not show it.
    #[must_use]
    pub(super) fn dropping(self) -> Self {
        Self { drops: true, ..self }
    }

    /// Whether it only deletes user data.
    pub(super) fn takes_away(&self) -> bool {
        self.drops
            || self.edits.iter().all(|edit| {
                matches!(
                    edit,
                    Edit::RemoveComponent { .. }
                        | Edit::ClearValue { .. }
                        | Edit::DropRemove { .. }
                        | Edit::Remove { .. }
                )
            })
    }

    /// The same, safe to apply without asking.
    #[must_use]
    pub fn safe(self) -> Self {
        Self { safe: true, ..self }
    }
}

impl Problem {
    /// The fix to apply without a choice by the user: the first, unless it only deletes user data or declares what is
    /// likely a misspelling.
    #[must_use]
    pub fn likeliest(&self) -> Option<&Fix> {
        let is_slip = self.finding.suggestion().is_some();
        self.fixes.first().filter(|fix| fix.safe || !(fix.takes_away() || fix.declares && is_slip))
    }

    /// A problem without a quick fix.
    #[must_use]
    pub fn new(finding: Finding) -> Self {
        Self { finding, fixes: Vec::new() }
    }

    /// The same with fixes.
    #[must_use]
    pub fn with(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// The number of problems beyond those listed, by rule and severity.
pub type LeftOut = BTreeMap<(Name, Severity), usize>;

/// Add to each problem the migrations that fix it: renames before its own fixes, removals after them.
pub fn offer(problems: &mut [Arc<Problem>], migrations: &[Migration]) {
    let mut by_place: HashMap<(&DocPath, &FieldPath), Vec<&Migration>> = HashMap::new();
    for migration in migrations {
        for place in &migration.places {
            by_place.entry((&place.doc, &place.path)).or_default().push(migration);
        }
    }
    // A use that is correct by itself, such as another use of a message, has no problem; one that has another problem
    // keeps its fixes.
    const ABOUT: [&str; 6] =
        ["unknown-field", "unknown-component", "wrong-type", "unknown-message", "bad-remove", "missing-reference"];
    for problem in problems.iter_mut().filter(|problem| ABOUT.contains(&&*problem.finding.rule)) {
        let at = &problem.finding.location;
        let Some(found) = by_place.get(&(&at.doc, &at.path)) else { continue };
        let fix = |migration: &&Migration| Fix::of(&migration.label, migration.edits.clone());
        let (renames, removals): (Vec<&Migration>, Vec<_>) = found.iter().partition(|it| it.to.is_some());
        let problem = Arc::make_mut(problem);
        problem.fixes.splice(0..0, renames.iter().map(fix));
        problem.fixes.extend(removals.iter().map(fix));
        if problem.finding.help.is_none()
            && let Some(to) = renames.first().and_then(|migration| migration.to.as_ref())
        {
            problem.finding.help = Some(format!("did it become `{to}`?"));
        }
    }
}
