//! `new` and `fmt`: files made, and files put in form.

use std::{fs, sync::Arc};

use camino::Utf8Path;
use serde_json::json;

use super::{
    args::Template,
    project::Open,
    report::{CommandReport, Failure},
};
use crate::{
    io::{self, NewError, codec},
    model::{Severity, capitalized, counted, counted_doing},
};

/// `new DIR [--template T]`
pub(super) fn new(dir: &Utf8Path, template: Template) -> Result<CommandReport, Failure> {
    let template = match template {
        Template::Platformer => io::Template::Platformer,
        Template::Topdown => io::Template::TopDown,
        Template::Empty => io::Template::Empty,
    };
    // A project is called what its folder is called, in words.
    let folder = dir.file_name().map(str::to_owned).or_else(|| {
        let full = dir.canonicalize_utf8().ok()?;
        full.file_name().map(str::to_owned)
    });
    let words = folder.unwrap_or_else(|| "New project".into()).replace(['_', '-'], " ");
    let name = words.split_whitespace().map(capitalized).collect::<Vec<_>>().join(" ");
    let files = io::new_project(dir.as_std_path(), template, &name).map_err(|err| match err {
        NewError::NotEmpty(_) => Failure::new(format!("{err}; name a folder that does not exist yet")),
        NewError::Io { .. } => Failure::problem(err.to_string()),
    })?;
    let mut report = CommandReport::default();
    for file in &files {
        report.line(format!("{dir}/{file}"));
    }
    report.line(format!("{name}: open it with `levelwright {dir}`"));
    report.json = json!({ "project": dir, "name": name, "files": files });
    Ok(report)
}

/// `fmt PROJECT [--check]`
pub(super) fn fmt(open: &Open, check: bool) -> Result<CommandReport, Failure> {
    if !check {
        open.may_be_changed()?;
    }
    let mut report = CommandReport::default();
    let mut files = Vec::new();
    let mut broken = Vec::new();
    for (path, source) in open.sources.files() {
        // Of regions of large levels no text is kept.
        let place = io::files::place(&open.root, path).map_err(|finding| Failure::problem(finding.message))?;
        let old = if source.text.is_empty() {
            fs::read_to_string(&place).unwrap_or_default().into()
        } else {
            Arc::clone(&source.text)
        };
        // What is not RON has no form; its problems say so.
        let Ok(text) = codec::format(path, &old) else {
            broken.extend(source.findings.iter().cloned());
            continue;
        };
        if text == *old {
            continue;
        }
        if !check {
            let now = fs::read(&place).unwrap_or_default();
            if io::content_hash(&now) != source.hash {
                return Err(Failure::problem(format!("`{path}` was changed by another program just now")));
            }
            io::write(&place, text.as_bytes()).map_err(|err| {
                let others = match files.len() {
                    0 => "nothing was changed".to_owned(),
                    n => format!("{} put in form before it", counted_doing(n, "file", ["was", "were"])),
                };
                Failure::problem(format!("`{path}` could not be written: {err}; {others}"))
            })?;
        }
        report.line(path.as_str());
        files.push(path);
    }
    let what = if check { "not in form" } else { "put in form" };
    report.line(format!("{} of {} {what}", files.len(), counted(open.sources.files().len(), "file")));
    report.json = json!({ "files": files });
    report.problems = open.located(&broken);
    let has_errors = report.problems.iter().any(|problem| problem.severity == Severity::Error);
    report.failed = has_errors || check && !files.is_empty();
    Ok(report)
}
