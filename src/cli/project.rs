//! A project opened for a command: read, resolved, checked, and its problems as lines of text. No command decides here.

use std::{cell::RefCell, collections::BTreeMap, fmt, path::PathBuf};

use camino::Utf8Path;

use super::Failure;
use crate::{
    defs::{self, Resolution},
    io::{
        self, Sources,
        ron_text::{Lines, Tree},
    },
    model::{Builtin, DocPath, Finding, Location, Name, Project, Severity, did_you_mean},
};

/// A project and everything derived from it.
pub(super) struct Open {
    pub(super) root: PathBuf,
    pub(super) project: Project,
    pub(super) sources: Sources,
    pub(super) resolution: Resolution,
    /// What is wrong with files, names and inheritance.
    pub(super) findings: Vec<Finding>,
}

impl Open {
    /// Read the project in a folder.
    pub(super) fn at(dir: &Utf8Path) -> Result<Self, Failure> {
        let dir = if dir.file_name() == Some("project.ron") { dir.parent().unwrap_or(dir) } else { dir };
        let dir = if dir.as_str().is_empty() { Utf8Path::new(".") } else { dir };
        if !dir.exists() {
            return Err(Failure::new(format!("there is no folder `{dir}`")));
        }
        if !dir.is_dir() {
            return Err(Failure::new(format!("`{dir}` is a file; name the project's folder")));
        }
        if !dir.join("project.ron").exists() {
            let help = "`levelwright new DIR` makes one";
            return Err(Failure::new(format!("`{dir}` is not a project: it has no project.ron; {help}")));
        }
        let loaded = io::load(dir.as_std_path());
        let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
        let resolution = defs::resolve(&loaded.project, &builtin, None);
        let mut findings = loaded.findings;
        findings.extend(resolution.findings.iter().cloned());
        Ok(Self {
            root: dir.as_std_path().to_owned(),
            project: loaded.project,
            sources: loaded.sources,
            resolution,
            findings,
        })
    }

    /// The findings with their places, in the order of files and lines.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let places = Places::of(&self.sources);
        let mut problems: Vec<Problem> = self.findings.iter().map(|finding| Problem::new(finding, &places)).collect();
        problems.sort();
        problems.dedup();
        problems
    }

    /// The level of a name, or at a path in the project.
    pub(super) fn level(&self, name: &str) -> Result<(Name, DocPath), Failure> {
        named(&self.resolution.levels.iter().collect::<Vec<_>>(), "level", "levels", name, &self.findings)
    }

    /// The scenario of a name, or at a path in the project.
    pub(super) fn scenario(&self, name: &str) -> Result<(Name, DocPath), Failure> {
        named(&self.resolution.scenarios.iter().collect::<Vec<_>>(), "scenario", "scenarios", name, &self.findings)
    }
}

fn named(
    all: &[(&Name, &DocPath)],
    what: &str,
    folder: &str,
    wanted: &str,
    findings: &[Finding],
) -> Result<(Name, DocPath), Failure> {
    let wanted_path = wanted.strip_prefix("./").unwrap_or(wanted);
    let is_it = |(name, path): &&(&Name, &DocPath)| {
        ***name == *wanted || path.as_str() == wanted_path || wanted_path.ends_with(&format!("/{path}"))
    };
    if let Some((name, path)) = all.iter().find(is_it) {
        return Ok(((*name).clone(), (*path).clone()));
    }
    let stem = wanted.rsplit('/').next().unwrap_or(wanted);
    let stem = stem.strip_suffix(".ron").unwrap_or(stem);
    let is_broken = |finding: &&Finding| {
        let doc = &finding.location.doc;
        finding.severity == Severity::Error && doc.stem() == stem && doc.as_str().starts_with(&format!("{folder}/"))
    };
    if let Some(finding) = findings.iter().find(is_broken) {
        return Err(Failure::problem(format!("the {what} `{stem}` cannot be read: {}", finding.message)));
    }
    let near = did_you_mean(stem, all.iter().map(|(name, _)| &***name));
    let help = match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None if all.is_empty() => "; the project has none".to_owned(),
        None => {
            let names: Vec<String> = all.iter().take(8).map(|(name, _)| format!("`{name}`")).collect();
            format!("; there are {}", names.join(", "))
        }
    };
    Err(Failure::new(format!("there is no {what} `{wanted}`{help}")))
}

/// Where locations stand in the files' text.
pub(super) struct Places<'a> {
    sources: &'a Sources,
    trees: RefCell<BTreeMap<DocPath, Option<(Tree<'a>, Lines<'a>)>>>,
}

impl<'a> Places<'a> {
    pub(super) fn of(sources: &'a Sources) -> Self {
        Self { sources, trees: RefCell::default() }
    }

    /// Line and column of a location, from 1; the nearest thing that is there when it is not in the text itself.
    pub(super) fn line_column(&self, location: &Location) -> (u32, u32) {
        if let Some(span) = location.span {
            return (span.line.max(1), span.column.max(1));
        }
        let mut trees = self.trees.borrow_mut();
        let parsed = trees.entry(location.doc.clone()).or_insert_with(|| {
            let text = self.sources.text(&location.doc)?;
            Some((io::ron_text::parse(text).ok()?, Lines::new(text)))
        });
        parsed.as_ref().map_or((1, 1), |(tree, lines)| {
            let (span, _) = tree.locate(&location.path, location.at_key, lines);
            (span.line.max(1), span.column.max(1))
        })
    }
}

/// A finding as it is printed. Ordered by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) severity: Severity,
    pub(super) rule: Name,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) fixes: Vec<String>,
}

impl Problem {
    pub(super) fn new(finding: &Finding, places: &Places<'_>) -> Self {
        let (line, column) = places.line_column(&finding.location);
        Self {
            file: finding.location.doc.to_string(),
            line,
            column,
            severity: finding.severity,
            rule: finding.rule.clone(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            fixes: Vec::new(),
        }
    }

    pub(super) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "severity": self.severity,
            "rule": &*self.rule,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "help": self.help,
            "fixes": self.fixes,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, rule, file, line, column, message, help, .. } = self;
        write!(f, "{severity}[{rule}] {file}:{line}:{column}: {}", one_line(message))?;
        match help {
            Some(help) => write!(f, " ({})", one_line(help)),
            None => Ok(()),
        }
    }
}

/// Line ends inside a message would break the one line that a problem is.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
