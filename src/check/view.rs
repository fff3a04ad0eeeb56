//! A view of the list of problems: filtered, grouped, counted, without the problems that the user hides.
//!
//! Invariant: a view shows every problem at most once, and counts problems that are hidden only because their severity
//! is switched off; it holds indices, so that drawing it costs only what is drawn.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Finding, Location, Name, Severity};

/// How problems are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// One list, worst first.
    #[default]
    Nothing,
    /// By severity, worst first.
    Severity,
    /// By file, the one with the worst problem first.
    File,
    /// By rule, the one with the worst problem first.
    Rule,
}

/// The settings of a view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ask {
    /// Words that all have to occur in a problem's line, in any case.
    pub query: String,
    /// Severities that are switched off.
    pub hidden: BTreeSet<Severity>,
    /// The grouping.
    pub group: GroupBy,
    /// Groups that show only their heading, by key.
    pub closed: BTreeSet<String>,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The heading of a group.
    Group(Group),
    /// A problem, by its index.
    Problem(usize),
}

/// A group of problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their common property: a severity's name, a file, a rule.
    pub key: String,
    /// The greatest severity.
    pub worst: Severity,
    /// The number of problems.
    pub n: usize,
    /// Whether they are shown.
    pub is_open: bool,
}

/// The problems of a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Headings and problems in order.
    pub lines: Vec<Line>,
    /// The number of problems that match the words, by severity, including the severities switched off.
    pub n_by_severity: BTreeMap<Severity, usize>,
}

/// Sort and group problems for a view. `line` returns a problem's whole line, in which the words are searched; it is
/// only called if there are words.
#[must_use]
pub fn list(findings: &[&Finding], line: impl Fn(usize) -> String, ask: &Ask) -> List {
    let words: Vec<String> = ask.query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let fits = |at: usize| {
        words.is_empty() || {
            let line = line(at).to_lowercase();
            words.iter().all(|word| line.contains(word))
        }
    };
    let mut out = List::default();
    let mut shown: Vec<(usize, &Finding)> = Vec::new();
    for (at, finding) in findings.iter().enumerate().filter(|(at, _)| fits(*at)) {
        *out.n_by_severity.entry(finding.severity).or_default() += 1;
        if !ask.hidden.contains(&finding.severity) {
            shown.push((at, finding));
        }
    }
    shown.sort_by(|(_, a), (_, b)| b.severity.cmp(&a.severity).then_with(|| a.location.cmp(&b.location)));
    if ask.group == GroupBy::Nothing {
        out.lines = shown.into_iter().map(|(at, _)| Line::Problem(at)).collect();
        return out;
    }
    // Groups in the order of their first problem, which is their worst.
    let mut groups: Vec<(Group, Vec<usize>)> = Vec::new();
    let mut by_key: BTreeMap<String, usize> = BTreeMap::new();
    for (at, finding) in shown {
        let key = key(finding, ask.group);
        let group = *by_key.entry(key.clone()).or_insert_with(|| {
            let is_open = !ask.closed.contains(&key);
            groups.push((Group { key, worst: finding.severity, n: 0, is_open }, Vec::new()));
            groups.len() - 1
        });
        if let Some((group, problems)) = groups.get_mut(group) {
            group.n += 1;
            problems.push(at);
        }
    }
    for (group, problems) in groups {
        let is_open = group.is_open;
        out.lines.push(Line::Group(group));
        if is_open {
            out.lines.extend(problems.into_iter().map(Line::Problem));
        }
    }
    out
}

fn key(finding: &Finding, by: GroupBy) -> String {
    match by {
        GroupBy::Nothing => String::new(),
        GroupBy::Severity => format!("{}s", finding.severity),
        GroupBy::File => finding.location.doc.to_string(),
        GroupBy::Rule => finding.rule.to_string(),
    }
}

/// Problems that the user hides for the rest of a session, each by rule and place: another problem of the rule, or
/// another in the place, is still shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored(BTreeSet<(Name, Location)>);

impl Ignored {
    /// Hide a problem, whatever its message becomes.
    pub fn add(&mut self, finding: &Finding) {
        self.0.insert(site(finding));
    }

    /// Show all problems again.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether a problem is hidden.
    #[must_use]
    pub fn has(&self, finding: &Finding) -> bool {
        !self.0.is_empty() && self.0.contains(&site(finding))
    }
}

/// The value that a problem is about, which stays valid as long as its file can be read: offsets in a text and places
/// in a level would shift.
fn site(finding: &Finding) -> (Name, Location) {
    (finding.rule.clone(), Location { span: None, place_px: None, ..finding.location.clone() })
}
