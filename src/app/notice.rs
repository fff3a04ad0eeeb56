//! What the status line says for a while: the outcome of what was asked for, or why it could not be done.
//!
//! Invariant: a notice goes as soon as it no longer applies. Most are about what was just tried, and go with the next change of
//! the project, the selection or the tool; one about a question goes with the question, one about a file stays its time.

use super::editor::Editor;
use crate::{editor::Selection, model::DocPath, tools::ToolKind};

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

impl Editor {
    /// Show the outcome of what was just done.
    pub(super) fn notify(&mut self, text: impl Into<String>) {
        self.notify_while(Applies::Now, text);
    }

    /// Show a notice for as long as `applies` holds.
    pub(super) fn notify_while(&mut self, applies: Applies, text: impl Into<String>) {
        self.n_notices += 1;
        self.notice = Some(Notice { text: text.into(), applies, number: self.n_notices, moment: None });
    }

    /// Drop a notice that no longer applies. Called once the frame's actions are done.
    pub(super) fn drop_stale_notice(&mut self) {
        let Some(notice) = &mut self.notice else { return };
        let is_stale = match &notice.applies {
            Applies::Now => {
                let now = Moment {
                    revision: self.workspace.revision(),
                    selection: self.bench.selection().clone(),
                    tool: self.bench.view.tool,
                    has_stamp: !self.bench.view.stamp.is_empty(),
                };
                *notice.moment.get_or_insert_with(|| now.clone()) != now
            }
            Applies::WhileAsked(doc) => self.workspace.files().question_about(doc).is_none(),
            Applies::WhilePlaying => !self.host.is_on(),
            Applies::WhilePaused => self.preview().is_none_or(|preview| preview.is_playing),
            Applies::ForAWhile => false,
        };
        if is_stale {
            self.notice = None;
        }
    }
}
