//! Edits of whole documents: new files, files read again from disk, files deleted and moved.

use std::sync::Arc;

use super::{
    RefKind, Refusal, TypedRefs,
    reach::{check_name, doc},
    references,
};
use crate::model::{DocKind, DocPath, Document, Project};

pub(super) fn put(project: &mut Project, path: &DocPath, document: &Arc<Document>) -> Result<(), Refusal> {
    if path.kind() != Some(document.kind()) {
        let folder = document.kind().folder();
        let place = if folder.is_empty() { "`project.ron`".to_owned() } else { format!("in `{folder}/`") };
        return Err(Refusal::new(format!("`{path}` is not where it belongs: {place}")));
    }
    let is_same = project.doc(path).is_some_and(|old| Arc::ptr_eq(old, document) || old == document);
    if !is_same {
        project.documents.insert(path.clone(), Arc::clone(document));
    }
    Ok(())
}

/// Put documents in place of what is there, or take them away (`None`), as files have them: unlike an edit also where
/// only the order of parts is another, which equality does not see and a save would write back.
pub fn replace(project: &mut Project, documents: impl IntoIterator<Item = (DocPath, Option<Arc<Document>>)>) {
    for (path, document) in documents {
        match document {
            Some(document) => _ = project.documents.insert(path, document),
            None => _ = project.documents.remove(&path),
        }
    }
}

pub(super) fn remove(project: &mut Project, path: &DocPath) -> Result<(), Refusal> {
    if let Document::Project(_) = doc(project, path)? {
        return Err(Refusal::new("a project cannot do without its own file"));
    }
    project.documents.remove(path);
    Ok(())
}

pub(super) fn move_to(project: &mut Project, path: &DocPath, to: &DocPath, typed: &TypedRefs) -> Result<(), Refusal> {
    let kind = doc(project, path)?.kind();
    if path == to {
        return Ok(());
    }
    if kind == DocKind::Project {
        return Err(Refusal::new("a project's own file stays where it is"));
    }
    if to.kind() != Some(kind) {
        return Err(Refusal::new(format!("a file of this kind belongs in `{}/`", kind.folder())));
    }
    check_file_name(to.stem())?;
    check_free(project, to, Some(path))?;
    let named = match kind {
        DocKind::Level => Some(RefKind::Level),
        DocKind::Tileset => Some(RefKind::Tileset),
        _ => None,
    };
    if path.stem() != to.stem() {
        check_new_name(project, kind, to.stem())?;
    }
    if let Some(document) = project.documents.remove(path) {
        project.documents.insert(to.clone(), document);
    }
    if let Some(kind) = named.filter(|_| path.stem() != to.stem()) {
        if typed.kind == kind {
            references::rename(project, path.stem(), to.stem(), typed);
        } else {
            references::rename(project, path.stem(), to.stem(), &TypedRefs::none(kind));
        }
    }
    Ok(())
}

/// The place of a new file of a name, in the folder of `beside` or else in that of its kind.
///
/// # Errors
/// It cannot be a file's name, or is taken.
pub fn new_place(project: &Project, kind: DocKind, beside: Option<&DocPath>, name: &str) -> Result<DocPath, Refusal> {
    check_file_name(name)?;
    let folder = beside.map_or(kind.folder(), DocPath::folder);
    let path = DocPath::new(&format!("{folder}/{name}.ron")).filter(|path| path.kind() == Some(kind));
    let path = path.ok_or_else(|| Refusal::new(format!("`{name}` cannot be a file's name")))?;
    check_free(project, &path, None)?;
    check_new_name(project, kind, name)?;
    Ok(path)
}

/// Refuse a place where another file is than the one that is moved there.
fn check_free(project: &Project, to: &DocPath, moved: Option<&DocPath>) -> Result<(), Refusal> {
    match same_file(project, to).find(|other| Some(*other) != moved) {
        Some(other) => Err(Refusal::new(format!("there is already a file `{other}`"))),
        None => Ok(()),
    }
}

/// Refuse a name that another document has which goes by the name of its file.
fn check_new_name(project: &Project, kind: DocKind, name: &str) -> Result<(), Refusal> {
    if !matches!(kind, DocKind::Level | DocKind::Tileset | DocKind::Scenario | DocKind::Stamp) {
        return Ok(());
    }
    let holder = project.documents.iter().find(|(other, doc)| doc.kind() == kind && other.stem() == name);
    match holder {
        Some((other, _)) => Err(Refusal::new(format!("`{other}` has the name `{name}` already"))),
        None => Ok(()),
    }
}

/// The files that a path would name where upper and lower case are one.
fn same_file<'a>(project: &'a Project, path: &'a DocPath) -> impl Iterator<Item = &'a DocPath> {
    project.documents.keys().filter(|other| other.as_str().to_lowercase() == path.as_str().to_lowercase())
}

/// Systems have names of at most 255 bytes; what stands before and behind this one while it is saved has to fit.
const MOST_BYTES: usize = 200;

/// Refuse what cannot be the name of a file everywhere a project may be opened: hidden ones are never read, and some
/// systems drop dots at the end, have names of their own for devices or no way to write some letters.
fn check_file_name(name: &str) -> Result<(), Refusal> {
    check_name("a file", name)?;
    let device = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_numbered = |start: &str| {
        let number = device.strip_prefix(start);
        number.is_some_and(|number| number.len() == 1 && number.chars().all(|c| c.is_ascii_digit()))
    };
    let is_device = ["CON", "PRN", "AUX", "NUL"].contains(&&*device) || is_numbered("COM") || is_numbered("LPT");
    if name.len() > MOST_BYTES {
        let start: String = name.chars().take(20).collect();
        return Err(Refusal::new(format!("`{start}…` is too long for a file's name: {MOST_BYTES} bytes at most")));
    }
    let why = if name.starts_with('.') {
        "it would be hidden"
    } else if name.ends_with('.') {
        "it ends with a dot"
    } else if name.to_ascii_lowercase().ends_with(".ron") {
        "`.ron` is put behind it anyway"
    } else if name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']) {
        "it has a letter that files cannot have everywhere"
    } else if is_device {
        "it is a device on some systems"
    } else {
        return Ok(());
    };
    Err(Refusal::new(format!("`{name}` cannot be a file's name: {why}")))
}
