//! What a command returns: a report, or why it did nothing.

use crate::io::report::Reported;

/// What a command returns.
#[derive(Default)]
pub(super) struct CommandReport {
    /// For people, to standard output.
    pub(super) text: String,
    /// For programs, in its place with `--json`.
    pub(super) json: serde_json::Value,
    /// Whether that is the last of several lines on standard output, and on one line itself.
    pub(super) is_one_line: bool,
    /// To standard error.
    pub(super) problems: Vec<Reported>,
    /// Further lines to standard error.
    pub(super) notes: Vec<String>,
    /// Exit status 1.
    pub(super) failed: bool,
}

impl CommandReport {
    /// Add a line to the text.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }
}

/// Why a command did nothing.
pub(super) struct Failure {
    pub(super) message: String,
    /// The project is at fault rather than what was typed: exit status 1 instead of 2.
    pub(super) is_problem: bool,
}

impl Failure {
    /// What was asked for cannot be done.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_problem: false }
    }

    /// What is needed is broken in the project.
    pub(super) fn problem(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_problem: true }
    }
}
