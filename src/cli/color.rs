//! Colors, for people at a terminal: none where output goes elsewhere or `NO_COLOR` is set, always with
//! `CLICOLOR_FORCE`.
//!
//! Invariant: without the colors the text is the same.

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use clap::builder::styling::{AnsiColor, Style};

use crate::{io::report::Reported, model::Severity};

/// Whether a stream of this process takes color.
pub(super) fn taken_by(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// A problem's line, with its severity and rule in color.
pub(super) fn problem(problem: &Reported) -> String {
    let line = problem.to_string();
    let head = format!("{}[{}]", problem.severity, problem.rule);
    line.strip_prefix(&head).map_or_else(|| line.clone(), |rest| painted(problem.severity, &head) + rest)
}

/// Text in the color of a severity.
pub(super) fn painted(severity: Severity, text: &str) -> String {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Hint => AnsiColor::Cyan,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}
