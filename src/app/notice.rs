//! Temporary notices in the status line: the result of an action, or why it could not be done.
//!
//! Invariant: a notice goes as soon as it no longer applies. Most are about what was just tried, and go with the next
//! change of the project, the selection or the tool; one about a question goes with the question, one about a file
//! stays its time, and a failure until there is another.

use crate::{
    editor::{PreviewHost, Selection, Workbench, Workspace},
    model::DocPath,
    tools::ToolKind,
};

/// What a notice applies to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Applies {
    /// What was just done or tried.
    #[default]
    Now,
    /// An open question about a document.
    WhileAsked(DocPath),
    /// A running preview.
    WhilePlaying,
    /// A preview that was paused.
    WhilePaused,
    /// What happened to files; it stays until its time is over.
    ForAWhile,
    /// What was to be done and could not be, such as writing a file: shown as an error, until there is another notice.
    Failed,
}

/// A line for the status line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    pub text: String,
    pub applies: Applies,
    /// Distinguishes two notices of the same text.
    pub number: u64,
    /// The state it is about, taken at the end of the frame that set it.
    moment: Option<Moment>,
}

/// What the user looks at and works on.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    revision: u64,
    selection: Selection,
    tool: ToolKind,
    has_stamp: bool,
}

/// The notice that is shown, if any.
#[derive(Debug, Default)]
pub(super) struct Notices {
    current: Option<Notice>,
    /// Notices shown so far.
    n_shown: u64,
}

impl Notices {
    /// Show a notice for as long as `applies` holds.
    pub(super) fn show(&mut self, applies: Applies, text: impl Into<String>) {
        self.n_shown += 1;
        self.current = Some(Notice { text: text.into(), applies, number: self.n_shown, moment: None });
    }

    /// The notice that is shown.
    pub(super) fn current(&self) -> Option<&Notice> {
        self.current.as_ref()
    }

    /// Its text.
    pub(super) fn text(&self) -> Option<&str> {
        self.current.as_ref().map(|notice| notice.text.as_str())
    }

    /// Whether it is about what could not be done.
    pub(super) fn is_failure(&self) -> bool {
        self.current.as_ref().is_some_and(|notice| notice.applies == Applies::Failed)
    }

    /// Show it no longer.
    pub(super) fn take(&mut self) -> Option<Notice> {
        self.current.take()
    }

    /// Drop a notice that no longer applies. Called once the frame's actions are done.
    pub(super) fn drop_stale(&mut self, workspace: &Workspace, host: &PreviewHost, bench: &Workbench) {
        let Some(notice) = &mut self.current else { return };
        let is_stale = match &notice.applies {
            Applies::Now => {
                let now = Moment {
                    revision: workspace.revision(),
                    selection: bench.selection().clone(),
                    tool: bench.view.tool,
                    has_stamp: !bench.view.stamp.is_empty(),
                };
                *notice.moment.get_or_insert_with(|| now.clone()) != now
            }
            Applies::WhileAsked(doc) => workspace.files().question_about(doc).is_none(),
            Applies::WhilePlaying => !host.is_on(),
            Applies::WhilePaused => host.preview().is_none_or(|preview| preview.is_playing),
            Applies::ForAWhile | Applies::Failed => false,
        };
        if is_stale {
            self.current = None;
        }
    }
}
