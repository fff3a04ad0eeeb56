//! Problems as lines of text, as JSON, and, for people at a terminal, with the lines they are about.

use std::{borrow::Cow, fmt};

#[cfg(feature = "cli")]
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::Serialize;

#[cfg(feature = "cli")]
use crate::model::DocPath;
use crate::model::{Finding, Severity};

use super::{Places, Sources};

/// A finding with its place as numbers. Ordered by file, then by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Reported {
    /// Path in the project.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// How much it matters.
    pub severity: Severity,
    /// The rule's name.
    pub rule: String,
    /// What is wrong.
    pub message: String,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The titles of the quick fixes.
    pub fixes: Vec<String>,
    /// Line of the character after the last.
    pub end_line: u32,
    /// Column of the character after the last.
    pub end_column: u32,
    /// First byte, and one past the last.
    #[cfg(feature = "cli")]
    #[serde(skip)]
    range: Option<(usize, usize)>,
}

/// Everything reported, as `--json` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// In the order of files and lines.
    pub problems: Vec<Reported>,
}

impl Reported {
    /// A finding as it is printed; `fixes` are the titles of its quick fixes.
    #[must_use]
    pub fn new(finding: &Finding, fixes: Vec<String>, places: &Places<'_>) -> Self {
        let (line, column) = places.line_column(&finding.location);
        let (end_line, end_column) = places.end(&finding.location).unwrap_or((line, column));
        Self {
            file: finding.location.doc.to_string(),
            line,
            column,
            severity: finding.severity,
            rule: finding.rule.to_string(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            fixes,
            end_line,
            end_column,
            #[cfg(feature = "cli")]
            range: places.span(&finding.location).map(|span| (span.start, span.end)),
        }
    }

    /// A workflow command that GitHub shows beside the line it is about; `folder` is the project's, as GitHub finds it
    /// from the repository's root. What a command cannot hold is escaped as GitHub reads it.
    #[must_use]
    pub fn github(&self, folder: &str) -> String {
        let command = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let folder = folder.trim_start_matches("./").trim_end_matches('/');
        let file = if matches!(folder, "" | ".") { self.file.clone() } else { format!("{folder}/{}", self.file) };
        let (file, title) = (escaped(&file, true), escaped(&self.rule, true));
        let help = self.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let message = escaped(&format!("{}{help}", self.message), false);
        let Self { line, column, end_line, end_column, .. } = self;
        format!(
            "::{command} file={file},line={line},col={column},endLine={end_line},endColumn={end_column},\
             title={title}::{message}"
        )
    }

    /// The lines it is about, marked, with its message and help: for a terminal. The plain line where its file is not
    /// at hand.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn excerpt(&self, sources: &Sources, colors: bool) -> String {
        let text = DocPath::new(&self.file).and_then(|path| sources.text(&path));
        let (Some(text), Some((start, end))) = (text.filter(|text| !text.is_empty()), self.range) else {
            return self.to_string();
        };
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::INFO.with_name("hint"),
        };
        // A window around the place is enough; searching a whole large file for line breaks would be slow.
        let (window, first_line) = window(text, start, self.line);
        let from = window.0;
        let shown = text.get(window.0..window.1).unwrap_or_default();
        let mark = start.saturating_sub(from)..end.min(window.1).saturating_sub(from).max(start.saturating_sub(from));
        let snippet = Snippet::source(shown)
            .line_start(first_line)
            .path(self.file.as_str())
            .annotation(AnnotationKind::Primary.span(mark));
        let group = level.primary_title(self.message.as_str()).id(self.rule.as_str()).element(snippet);
        let group = match &self.help {
            Some(help) => group.element(Level::HELP.message(help.as_str())),
            None => group,
        };
        let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

/// Text as a workflow command holds it; in a property the characters that end one are escaped too.
fn escaped(text: &str, is_property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if is_property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// A few lines around `start`, as a range, and the number of the first of them.
#[cfg(feature = "cli")]
fn window(text: &str, start: usize, line: u32) -> ((usize, usize), usize) {
    const LINES_BEFORE: usize = 2;
    const LINES_AFTER: usize = 12;
    let before = text.get(..start).unwrap_or_default();
    let mut first = usize::try_from(line).unwrap_or(1);
    let mut from = before.rfind('\n').map_or(0, |at| at + 1);
    for _ in 0..LINES_BEFORE {
        let Some(above) = from.checked_sub(1) else { break };
        from = before.get(..above).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
        first -= 1;
    }
    let after = text.get(start..).unwrap_or_default();
    let to = after.match_indices('\n').nth(LINES_AFTER).map_or(text.len(), |(at, _)| start + at);
    ((from, to), first.max(1))
}

/// `severity[rule] file:line:column: message`, exactly one line, with the help in parentheses.
impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, rule, file, line, column, message, help, .. } = self;
        write!(f, "{severity}[{rule}] {}:{line}:{column}: {}", plain(file), one_line(message))?;
        help.as_ref().map_or(Ok(()), |help| write!(f, " ({})", one_line(help)))
    }
}

/// A path on one line: what cannot be seen is escaped.
fn plain(path: &str) -> Cow<'_, str> {
    if !path.contains(char::is_control) {
        return Cow::Borrowed(path);
    }
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(path.chars().map(shown).collect())
}

/// Line breaks inside a message would break the one line that a problem is.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Report {
    /// Findings by file and place, each once.
    #[must_use]
    pub fn new<'f>(findings: impl IntoIterator<Item = &'f Finding>, sources: &Sources) -> Self {
        Self::with_fixes(findings.into_iter().map(|finding| (finding, Vec::new())), sources)
    }

    /// Findings and the titles of their quick fixes, by file and place, each once.
    #[must_use]
    pub fn with_fixes<'f>(findings: impl IntoIterator<Item = (&'f Finding, Vec<String>)>, sources: &Sources) -> Self {
        let places = Places::new(sources);
        let problems = findings.into_iter().map(|(finding, fixes)| Reported::new(finding, fixes, &places));
        let mut problems: Vec<Reported> = problems.collect();
        problems.sort();
        problems.dedup();
        Self { problems }
    }

    /// How many are of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }
}
