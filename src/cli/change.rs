//! `rename` and `fix`: changes to the project's files made from the command line, by the same edits the window uses.

use std::collections::BTreeSet;

use serde_json::json;
use similar::TextDiff;

use super::{Failure, Report, args::RenameKind, project::Open};
use crate::{
    check::{self, Which},
    edit::{self, Edit, RefKind, TypedRefs},
    io,
    model::{DocPath, Name, Project, Schema, Severity, did_you_mean},
};

/// `rename PROJECT KIND OLD NEW`
pub(super) fn rename(open: &mut Open, kind: RenameKind, old: &str, new: &str) -> Result<Report, Failure> {
    // A file that cannot be read may use the name.
    let unreadable: Vec<String> = open
        .sources
        .files
        .iter()
        .filter(|(_, source)| source.document.is_none())
        .map(|(path, _)| format!("`{path}`"))
        .collect();
    if !unreadable.is_empty() {
        let list = unreadable.join(", ");
        return Err(Failure::problem(format!("{list} cannot be read and may use `{old}`; mend that first")));
    }
    if new.trim().is_empty() {
        return Err(Failure::new("the new name is empty"));
    }
    let edit = edit_for(open, kind, old, new)?;
    let before = open.project.clone();
    edit::apply(&mut open.project, &edit).map_err(|refusal| Failure::new(refusal.to_string()))?;
    let mut files = Vec::new();
    if let Edit::MoveDocument { doc, to, .. } = &edit {
        // The file itself moves, so that its comments do.
        open.sources.rename(doc, to).map_err(|err| Failure::new(err.to_string()))?;
        files.extend([doc.to_string(), to.to_string()]);
    }
    files.extend(save(open, &before)?);
    files.sort();
    files.dedup();
    let mut report = Report::default();
    for file in &files {
        report.line(file);
    }
    report.line(format!("renamed `{old}` to `{new}` in {} files", files.len()));
    report.json = json!({ "files": files });
    Ok(report)
}

/// `fix PROJECT [--rule R [--all]] [--dry-run]`
pub(super) fn fix(mut open: Open, rule: Option<&str>, all: bool, dry_run: bool) -> Result<Report, Failure> {
    if let Some(rule) = rule {
        let rules = check::rules();
        if !rules.iter().any(|known| known.name == rule) {
            let near = did_you_mean(rule, rules.iter().map(|rule| rule.name));
            let help = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(Failure::new(format!("there is no rule `{rule}`{help}")));
        }
    }
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
    if dry_run {
        let mut report = Report::default();
        let patches = patches(&open, &before);
        for (_, patch) in &patches {
            report.text.push_str(patch);
        }
        report.notes.push(format!("{} would be fixed in {} files", mended.len(), patches.len()));
        let files: Vec<_> = patches.iter().map(|(file, _)| file).collect();
        report.json = json!({ "would_fix": mended, "files": files, "patch": report.text });
        return Ok(report);
    }
    let files = save(&mut open, &before)?;
    let left = open.again().problems();
    let mut report =
        Report { failed: left.iter().any(|problem| problem.severity == Severity::Error), ..Report::default() };
    for problem in &mended {
        report.line(format!("fixed {problem}"));
    }
    report.line(format!("{} fixed in {} files, {} problems left", mended.len(), files.len(), left.len()));
    report.json = json!({ "fixed": mended, "files": files, "problems": left });
    report.problems = left;
    Ok(report)
}

/// What saving would change in each file, as a patch.
fn patches(open: &Open, before: &Project) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let paths: BTreeSet<&DocPath> = before.documents.keys().chain(open.project.documents.keys()).collect();
    for path in paths {
        let new = open.project.doc(path);
        if before.doc(path).zip(new).is_some_and(|(old, new)| std::sync::Arc::ptr_eq(old, new)) {
            continue;
        }
        let source = open.sources.get(path);
        let old = source.map(|source| &*source.text).unwrap_or_default();
        let new_text = new.map(|new| io::text_of(new, source)).unwrap_or_default();
        let side =
            |is_there: bool, letter: char| if is_there { format!("{letter}/{path}") } else { "/dev/null".into() };
        let diff = TextDiff::from_lines(old, &new_text);
        let patch = diff.unified_diff().header(&side(source.is_some(), 'a'), &side(new.is_some(), 'b')).to_string();
        if !patch.is_empty() {
            out.push((path.to_string(), patch));
        }
    }
    out
}

fn edit_for(open: &Open, kind: RenameKind, old: &str, new: &str) -> Result<Edit, Failure> {
    let Open { resolution, project, .. } = open;
    let typed = |kind| TypedRefs::of(&resolution.schema, kind);
    let (from, to): (Name, Name) = (old.into(), new.into());
    let split = |by: char, what: &str| old.split_once(by).ok_or_else(|| Failure::new(format!("write {what}")));
    Ok(match kind {
        RenameKind::Def => {
            let doc = place(resolution.def_docs.iter(), "definition", old)?;
            Edit::RenameDef { doc, from, to, typed: typed(RefKind::Def) }
        }
        RenameKind::Machine => {
            let doc = place(resolution.machines.iter(), "machine", old)?;
            Edit::RenameMachine { doc, from, to, typed: typed(RefKind::Machine) }
        }
        RenameKind::State => {
            let (machine, state) = split('/', "the state as MACHINE/PATH")?;
            let doc = place(resolution.machines.iter(), "machine", machine)?;
            let found = project.machine(&doc, machine).map(|machine| machine.find(state));
            let state = found.unwrap_or_else(|| Err(format!("`{machine}` cannot be read"))).map_err(Failure::new)?;
            Edit::RenameState { doc, machine: machine.into(), state, to }
        }
        RenameKind::Tile => {
            let (tileset, tile) = split('/', "the tile as TILESET/NAME")?;
            let doc = place(resolution.tilesets.iter(), "tileset", tileset)?;
            let found = project.tileset(&doc).and_then(|tileset| tileset.by_name(tile));
            let (id, _) = found.ok_or_else(|| Failure::new(format!("there is no tile `{tile}` in `{tileset}`")))?;
            Edit::RenameTile { doc, id, to: new.to_owned(), typed: typed(RefKind::Tile) }
        }
        RenameKind::Tunable => {
            let (page, name) = split('.', "the constant as PAGE.NAME")?;
            let page = resolution.pages.iter().find(|known| *known.name == *page);
            let value = page.and_then(|page| page.values.iter().find(|(known, ..)| **known == *name));
            match value {
                None => return Err(Failure::new(format!("there is no constant `{old}`"))),
                Some((_, _, None)) => return Err(Failure::new(format!("`{old}` is built in and keeps its name"))),
                Some((_, _, Some(doc))) => {
                    Edit::RenameTunable { doc: doc.clone(), from: name.into(), to, typed: typed(RefKind::Tunable) }
                }
            }
        }
        RenameKind::Component => {
            let doc = own_schema(project, "component", old, |schema| schema.components.contains_key(old))?;
            Edit::RenameComponent { doc, from, to }
        }
        RenameKind::Field => {
            let (component, field) = split('.', "the field as COMPONENT.FIELD")?;
            let doc = own_schema(project, "field", old, |schema| schema.field(component, field).is_some())?;
            Edit::RenameField { doc, component: component.into(), from: field.into(), to }
        }
        RenameKind::Message => {
            let doc = own_schema(project, "message", old, |schema| schema.messages.contains_key(old))?;
            Edit::RenameMessage { doc, from, to }
        }
        RenameKind::Level => moved(place(resolution.levels.iter(), "level", old)?, new, typed(RefKind::Level))?,
        RenameKind::Tileset => moved(place(resolution.tilesets.iter(), "tileset", old)?, new, typed(RefKind::Tileset))?,
        RenameKind::Scenario => {
            moved(place(resolution.scenarios.iter(), "scenario", old)?, new, TypedRefs::none(RefKind::Level))?
        }
    })
}

/// The game's schema that declares something. What is built in keeps its name, also where a game adds to it.
fn own_schema(project: &Project, what: &str, name: &str, has: impl Fn(&Schema) -> bool) -> Result<DocPath, Failure> {
    if has(&io::builtin_schema()) {
        return Err(Failure::new(format!("`{name}` is built in and keeps its name")));
    }
    let own = project.all::<Schema>().find(|(_, schema)| has(schema));
    own.map(|(path, _)| path.clone()).ok_or_else(|| Failure::new(format!("there is no {what} `{name}`")))
}

fn place<'a>(all: impl Iterator<Item = (&'a Name, &'a DocPath)>, what: &str, wanted: &str) -> Result<DocPath, Failure> {
    let all: Vec<_> = all.collect();
    if let Some((_, doc)) = all.iter().find(|(name, _)| ***name == *wanted) {
        return Ok((*doc).clone());
    }
    let near = did_you_mean(wanted, all.iter().map(|(name, _)| &***name));
    let help = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(Failure::new(format!("there is no {what} `{wanted}`{help}")))
}

/// The file of a thing that is named by its file, under another name.
fn moved(doc: DocPath, new: &str, typed: TypedRefs) -> Result<Edit, Failure> {
    let to = format!("{}/{new}.ron", doc.folder());
    let to = DocPath::new(&to).filter(|to| to.folder() == doc.folder());
    let to = to.ok_or_else(|| Failure::new(format!("`{new}` cannot be a file's name")))?;
    Ok(Edit::MoveDocument { doc, to, typed })
}

/// Write every document that changed since `before`, and remove the files of those that are gone. Returns the files.
pub(super) fn save(open: &mut Open, before: &Project) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for (path, document) in &open.project.documents {
        if before.doc(path).is_some_and(|old| std::sync::Arc::ptr_eq(old, document)) {
            continue;
        }
        open.sources.save(path, document).map_err(|err| Failure::new(err.to_string()))?;
        files.push(path.to_string());
    }
    for path in before.documents.keys().filter(|path| open.project.doc(path).is_none()) {
        open.sources.remove(path).map_err(|err| Failure::new(err.to_string()))?;
        files.push(path.to_string());
    }
    Ok(files)
}
