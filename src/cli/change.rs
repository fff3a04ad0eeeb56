//! `rename` and `fix`: changes to the project's files made from the command line, by the same edits the window uses.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use similar::TextDiff;

use super::{
    project::Open,
    report::{CommandReport, Failure},
};
use crate::{
    check::{self, Which},
    edit::{Edit, Refusal},
    io,
    model::{Difference, DocPath, Project, Severity, after, counted, did_you_mean, mean},
    refactor::{self, Named},
};

/// `rename PROJECT KIND OLD NEW [--dry-run]`
pub(super) fn rename(open: &mut Open, what: &Named, new: &str, dry_run: bool) -> Result<CommandReport, Failure> {
    all_read(open, &format!("use `{}`", what.name))?;
    if new.trim().is_empty() {
        return Err(Failure::new("the new name is empty"));
    }
    let refused = |refusal: Refusal| Failure::new(refusal.to_string());
    let plan = refactor::rename(&open.project, &open.resolution, what, new).map_err(refused)?;
    let after = plan.tried_on(&open.project).map_err(refused)?;
    let found = io::differences(&open.project, &after);
    let mut report = CommandReport::default();
    let places = io::Places::new(&open.sources);
    let mut listed = Vec::new();
    for Difference { location, before, after } in &found {
        let (line, column) = places.line_column(location);
        let doc = &location.doc;
        report.line(match (before, after) {
            (Some(before), Some(after)) => format!("{doc}:{line}:{column}: {before} -> {after}"),
            (Some(before), None) => format!("{doc}:{line}:{column}: - {before}"),
            (None, after) => format!("{doc}:{line}:{column}: + {}", after.as_deref().unwrap_or_default()),
        });
        let path = location.path.to_string();
        listed.push(json!({
            "file": doc, "line": line, "column": column, "path": path, "before": before, "after": after,
        }));
    }
    let mut files: Vec<String> = found.iter().map(|it| it.location.doc.to_string()).collect();
    let before = std::mem::replace(&mut open.project, after);
    let moves = plan.edits.iter().filter_map(|edit| match edit {
        Edit::MoveDocument { doc, to, .. } => Some((to.clone(), doc.clone())),
        _ => None,
    });
    let moves: BTreeMap<DocPath, DocPath> = moves.collect();
    let lost = open.sources.texts(&before, &open.project).lost;
    files.extend(moves.iter().flat_map(|(to, from)| [from.to_string(), to.to_string()]));
    if !dry_run {
        files.extend(save(open, &before, &moves, &mut report)?);
    }
    files.sort();
    files.dedup();
    let did = if dry_run { "would rename" } else { "renamed" };
    let what = what.describe();
    report.line(format!("{did} {what} to {new}: {}", Difference::count(&found)));
    report.json = json!({ "files": files, "changes": listed, "lost_comments": lost_comments(&lost, &mut report) });
    Ok(report)
}

/// Refuse where a file cannot be read, which may do what this is about.
fn all_read(open: &Open, may: &str) -> Result<(), Failure> {
    let unread = open.sources.files().iter().filter(|(_, source)| source.document.is_none());
    let unread: Vec<String> = unread.map(|(path, _)| format!("`{path}`")).collect();
    if unread.is_empty() {
        return Ok(());
    }
    Err(Failure::problem(format!("{} cannot be read and may {may}; mend that first", unread.join(", "))))
}

/// `fix PROJECT [--rule R [--all]] [--dry-run]`
pub(super) fn fix(mut open: Open, rule: Option<&str>, all: bool, dry_run: bool) -> Result<CommandReport, Failure> {
    if let Some(rule) = rule {
        let rules = check::rules();
        if !rules.iter().any(|known| known.name == rule) {
            let near = did_you_mean(rule, rules.iter().map(|rule| rule.name));
            let help = after(mean(near));
            return Err(Failure::new(format!("there is no rule `{rule}`{help}")));
        }
    }
    all_read(&open, "declare what seems to be wrong or missing")?;
    let before = open.project.clone();
    let which = match rule {
        Some(rule) if all => Which::All(rule),
        Some(rule) => Which::SafeOf(rule),
        None => Which::Safe,
    };
    let fixed = check::fix(&mut open.project, &open.builtin, Some(&open.images), which);
    // Their places are those of the files as they were.
    let findings: Vec<_> = fixed.problems.iter().map(|problem| problem.finding.clone()).collect();
    let mended = open.located(&findings);
    let texts = open.sources.texts(&before, &open.project);
    if dry_run {
        let mut report = CommandReport::default();
        let patches = patches(&open, &texts);
        for (_, patch) in &patches {
            report.text.push_str(patch);
        }
        report.notes.push(format!("{} would be fixed in {}", mended.len(), counted(patches.len(), "file")));
        let files: Vec<_> = patches.iter().map(|(file, _)| file).collect();
        let lost = lost_comments(&texts.lost, &mut report);
        report.json = json!({ "would_fix": mended, "files": files, "patch": report.text, "lost_comments": lost });
        return Ok(report);
    }
    let mut report = CommandReport::default();
    let files = save(&mut open, &before, &BTreeMap::new(), &mut report)?;
    let again = open.again();
    let left = again.problems();
    let n_left = left.len() + again.left_out.values().sum::<usize>();
    report.failed = left.iter().any(|problem| problem.severity == Severity::Error);
    for problem in &mended {
        report.line(format!("fixed {problem}"));
    }
    report.line(format!(
        "{} fixed in {}, {} left",
        mended.len(),
        counted(files.len(), "file"),
        counted(n_left, "problem")
    ));
    let lost = lost_comments(&texts.lost, &mut report);
    report.json = json!({ "fixed": mended, "files": files, "problems": left, "lost_comments": lost });
    report.problems = left;
    Ok(report)
}

/// Report the comments that go with what they are about. Their places are those of the files as they were.
fn lost_comments(lost: &[Difference], report: &mut CommandReport) -> Vec<Value> {
    if !lost.is_empty() {
        let lines = if lost.len() == 1 { "the line it belongs" } else { "the lines they belong" };
        report.notes.push(format!("{} lost with {lines} to:", counted(lost.len(), "comment")));
    }
    let list = lost.iter().map(|Difference { location, before, .. }| {
        let (line, column) = location.span.map_or((1, 1), |span| (span.line, span.column));
        let text = before.as_deref().unwrap_or_default();
        report.notes.push(format!("{}:{line}:{column}: {text}", location.doc));
        json!({ "file": location.doc, "line": line, "column": column, "comment": text })
    });
    list.collect()
}

/// What saving would change in each file, as a patch.
fn patches(open: &Open, texts: &io::Texts) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (path, new) in &texts.files {
        let source = open.sources.get(path);
        let old = source.map(io::Source::whole_text).unwrap_or_default();
        let new_text = new.as_deref().unwrap_or_default();
        let side =
            |is_there: bool, letter: char| if is_there { format!("{letter}/{path}") } else { "/dev/null".into() };
        let diff = TextDiff::from_lines(&*old, new_text);
        let patch = diff.unified_diff().header(&side(source.is_some(), 'a'), &side(new.is_some(), 'b')).to_string();
        if !patch.is_empty() {
            out.push((path.to_string(), patch));
        }
    }
    out
}

/// Write every document that changed since `before`, and remove the files of those that are gone: all of it or nothing.
/// `moves` are the files that move along with their documents, so that their comments do. Returns the files.
fn save(
    open: &mut Open,
    before: &Project,
    moves: &BTreeMap<DocPath, DocPath>,
    report: &mut CommandReport,
) -> Result<Vec<String>, Failure> {
    open.may_be_changed()?;
    let mut writings = Vec::new();
    let (before, after) = open.sources.by_file(before, &open.project);
    for (path, document) in &after.documents {
        if before.doc(path).is_some_and(|old| std::sync::Arc::ptr_eq(old, document)) {
            continue;
        }
        writings.push(match moves.get(path) {
            Some(from) => open.sources.moving(from, path, document),
            None => open.sources.writing(path, Some(document), false),
        });
    }
    // A link cannot move: a new file is written with its text, and the link is removed.
    let is_link = |path: &DocPath| open.root.join(path.as_str()).is_symlink();
    let is_moved = |path: &&DocPath| moves.values().any(|from| from == *path && !is_link(from));
    let gone = before.documents.keys().filter(|path| after.doc(path).is_none() && !is_moved(path));
    writings.extend(gone.map(|path| open.sources.writing(path, None, false)));
    let together = io::run_together(writings, &open.log());
    if let Some(why) = together.refusal() {
        return Err(Failure::problem(why));
    }
    let io::Together { wrote, unrecorded } = together;
    report.notes.extend(unrecorded.map(|why| why.to_string()));
    let mut files = Vec::new();
    for wrote in wrote {
        files.push(wrote.path.to_string());
        if let Some(from) = moves.get(&wrote.path) {
            files.push(from.to_string());
            open.sources.take_away(from);
        }
        match wrote.result.ok().flatten() {
            Some(source) => open.sources.put(wrote.path, source),
            None => open.sources.take_away(&wrote.path),
        }
    }
    Ok(files)
}
