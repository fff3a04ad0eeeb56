//! The files of a project's folder: which there are, and their bytes.
//!
//! Invariant: nothing outside the folder is opened. A symbolic link is followed only to a place inside it.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{ron_text::Lines, staged};
use crate::model::{DocKind, DocPath, Finding, Location};

use super::ron_text::MAX_BYTES;

/// How deep folders may nest.
const MAX_FOLDERS: usize = 64;

/// What there is in a project's folder.
pub struct Listed {
    /// The documents, by path.
    pub documents: Vec<DocPath>,
    /// Folders and files that could not be read.
    pub findings: Vec<Finding>,
    /// Temporary files beside documents.
    pub temporary: Vec<PathBuf>,
}

/// The documents of a project's folder.
#[must_use]
pub fn list(root: &Path) -> Listed {
    let mut walk = Walk { root: root.to_owned(), real_root: root.canonicalize().ok(), ..Walk::default() };
    let beside_project = fs::read_dir(root).into_iter().flatten().flatten();
    let is_temporary = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(staged::is_temporary);
    walk.temporary.extend(beside_project.filter(is_temporary).map(|entry| entry.path()));
    if let Some(path) = DocPath::new("project.ron") {
        walk.documents.insert(path);
    }
    for kind in DocKind::ALL {
        if !kind.folder().is_empty() && walk.is_folder(kind.folder()) {
            walk.folder(kind.folder(), 0, &|path| path.kind().is_some());
        }
    }
    Listed { documents: walk.documents.into_iter().collect(), findings: walk.findings, temporary: walk.temporary }
}

/// The images and sounds below a project's folder, by path.
#[must_use]
pub fn list_images(root: &Path) -> Vec<DocPath> {
    find_images(root).0
}

/// The same, with what keeps images from being found: folders that cannot be read, and links that are not followed.
pub(super) fn find_images(root: &Path) -> (Vec<DocPath>, Vec<Finding>) {
    let real_root = root.canonicalize().ok();
    let mut walk = Walk { root: root.to_owned(), real_root, is_for_images: true, ..Walk::default() };
    walk.folder("", 0, &|path| is_image(path) || path.is_sound());
    walk.findings.retain(|finding| *finding.rule != *"linked-folder");
    (walk.documents.into_iter().collect(), walk.findings)
}

/// Whether a path is that of an image.
#[must_use]
pub fn is_image(path: &DocPath) -> bool {
    Path::new(path.as_str()).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

#[derive(Default)]
struct Walk {
    root: PathBuf,
    real_root: Option<PathBuf>,
    /// Whether images and sounds are looked for: these are only read by name, so what else is there does not matter.
    is_for_images: bool,
    documents: BTreeSet<DocPath>,
    seen: BTreeSet<PathBuf>,
    findings: Vec<Finding>,
    temporary: Vec<PathBuf>,
}

impl Walk {
    /// Whether a folder is there. One that cannot be read is noted.
    fn is_folder(&mut self, folder: &str) -> bool {
        match fs::metadata(self.root.join(folder)) {
            Ok(meta) => meta.is_dir(),
            Err(why) => {
                self.note_unless_absent(folder, &why);
                false
            }
        }
    }

    fn folder(&mut self, folder: &str, depth: usize, wanted: &dyn Fn(&DocPath) -> bool) {
        let dir = self.root.join(folder);
        if depth > MAX_FOLDERS {
            self.note(
                "too-deep",
                folder,
                format!("folders nest deeper than {MAX_FOLDERS} here; what is below is not read"),
            );
            return;
        }
        // Links may lead back up: each folder is listed once.
        match dir.canonicalize() {
            Ok(real) => {
                if !self.seen.insert(real) {
                    return;
                }
            }
            Err(why) => return self.note_unless_absent(folder, &why),
        }
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) => return self.note("unreadable", folder, format!("this folder cannot be read: {error}")),
        };
        let mut names = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => self.note("unreadable", folder, format!("part of this folder cannot be read: {error}")),
            }
        }
        names.sort();
        for name in names {
            let Some(name) = name.to_str() else {
                if self.is_for_images {
                    continue;
                }
                self.note("unreadable", folder, format!("the file name {} is not UTF-8", name.display()));
                continue;
            };
            // Hidden files belong to other programs: swap files, locks, half-written copies.
            if name.starts_with('.') {
                if staged::is_temporary(name) {
                    self.temporary.push(dir.join(name));
                }
                continue;
            }
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            self.entry(&path, depth, wanted);
        }
    }

    fn entry(&mut self, path: &str, depth: usize, wanted: &dyn Fn(&DocPath) -> bool) {
        let full = self.root.join(path);
        let document = DocPath::new(path).filter(|path| wanted(path));
        let kind = match fs::symlink_metadata(&full) {
            Ok(meta) => meta.file_type(),
            Err(why) => return self.note_unless_absent(path, &why),
        };
        if kind.is_symlink() && !self.is_inside(&full) {
            if document.is_some() || full.is_dir() {
                self.note("outside-project", path, "this link leads outside the project; it is not followed".into());
            }
            return;
        }
        if kind.is_symlink()
            && let Some(home) = self.home_of_link(&full)
        {
            let message = format!("this link leads to `{home}`, which is read where it stands; it is not followed");
            self.note("linked-folder", path, message);
            return;
        }
        if full.is_dir() {
            if self.is_for_images && document.is_some() {
                let what = if document.as_ref().is_some_and(DocPath::is_sound) { "a sound" } else { "an image" };
                self.note("unreadable", path, format!("this is a folder, not {what}"));
            }
            self.folder(path, depth + 1, wanted);
        } else if let Some(document) = document {
            self.documents.insert(document);
        }
    }

    /// The folder that a link leads to, if documents in it are read at their own place and were not yet.
    fn home_of_link(&self, link: &Path) -> Option<String> {
        let real = link.canonicalize().ok().filter(|real| real.is_dir() && !self.seen.contains(real))?;
        let root = self.real_root.as_ref()?;
        let folders = DocKind::ALL.iter().map(|kind| kind.folder()).filter(|folder| !folder.is_empty());
        let is_read = |folder: &str| {
            let folder = root.join(folder);
            real.starts_with(&folder) || folder.starts_with(&real)
        };
        let home = real.strip_prefix(root).ok()?.display().to_string();
        folders.into_iter().any(is_read).then(|| if home.is_empty() { "the project".to_owned() } else { home })
    }

    fn is_inside(&self, path: &Path) -> bool {
        let real = path.canonicalize();
        // A link to nowhere is read, and found unreadable, like any file that is missing.
        let Ok(real) = real else { return true };
        self.real_root.as_ref().is_some_and(|root| real.starts_with(root))
    }

    /// Note an error, unless the file is gone by now.
    fn note_unless_absent(&mut self, path: &str, why: &io::Error) {
        if why.kind() != io::ErrorKind::NotFound {
            self.note("unreadable", path, format!("this cannot be read: {why}"));
        }
    }

    fn note(&mut self, rule: &str, path: &str, message: String) {
        let doc = DocPath::new(path).or_else(|| DocPath::new("project.ron"));
        self.findings.extend(doc.map(|doc| Finding::error(rule, Location::doc(doc), message)));
    }
}

/// The place of a document on disk, if that is inside the project once links are followed.
///
/// # Errors
/// The finding with the reason that the place must not be used.
pub fn place(root: &Path, path: &DocPath) -> Result<PathBuf, Box<Finding>> {
    let full = root.join(path.as_str());
    // A file that does not exist yet is judged by its folder.
    let real =
        full.canonicalize().or_else(|_| full.parent().map_or(Err(io::ErrorKind::NotFound.into()), Path::canonicalize));
    match (real, root.canonicalize()) {
        (Ok(real), Ok(root)) if !real.starts_with(&root) => {
            let message = "this link leads outside the project; it is not followed";
            Err(Box::new(Finding::error("outside-project", Location::doc(path.clone()), message)))
        }
        _ => Ok(full),
    }
}

/// The bytes of a document's file.
///
/// # Errors
/// The finding with the reason that they cannot be read.
pub fn read_bytes(root: &Path, path: &DocPath) -> Result<Vec<u8>, Box<Finding>> {
    let full = place(root, path)?;
    let unreadable = |error: io::Error| {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "this file is missing".to_owned(),
            _ => format!("this file cannot be read: {error}"),
        };
        Box::new(Finding::error("unreadable", Location::doc(path.clone()), message))
    };
    let meta = fs::metadata(&full).map_err(unreadable)?;
    if !meta.is_file() {
        return Err(Box::new(Finding::error("unreadable", Location::doc(path.clone()), "this is not a file")));
    }
    if meta.len() > MAX_BYTES as u64 {
        let message = format!("the file has {} bytes; the most is {MAX_BYTES}", meta.len());
        return Err(Box::new(Finding::error("too-large", Location::doc(path.clone()), message)));
    }
    fs::read(&full).map_err(unreadable)
}

/// The text of a file that the user named, wherever it is.
///
/// # Errors
/// It cannot be read, is no file (a device has no end), or is too large.
pub fn read_named(place: &Path) -> io::Result<String> {
    check_named(place)?;
    fs::read_to_string(place)
}

/// The bytes of a file that the user named, wherever it is.
///
/// # Errors
/// It cannot be read, is no file (a device has no end), or is too large.
pub fn read_named_bytes(place: &Path) -> io::Result<Vec<u8>> {
    check_named(place)?;
    fs::read(place)
}

/// Refuse what is no file, or one that is too large.
fn check_named(place: &Path) -> io::Result<()> {
    let meta = fs::metadata(place)?;
    if !meta.is_file() {
        return Err(io::Error::other("this is not a file"));
    }
    if meta.len() > MAX_BYTES as u64 {
        return Err(io::Error::other(format!("the file has {} bytes; the most is {MAX_BYTES}", meta.len())));
    }
    Ok(())
}

/// The text in a document's bytes.
///
/// # Errors
/// The finding with the place where they stop being UTF-8.
pub fn to_text(path: &DocPath, bytes: Vec<u8>) -> Result<String, Box<Finding>> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default());
        let span = Lines::new(&before).span(valid, valid);
        let location = Location { span: Some(span), ..Location::doc(path.clone()) };
        Box::new(Finding::error("encoding", location, "the file is not UTF-8 text from here on"))
    })
}
