//! From a folder to a project. Start-up is the first reload: the same pure function reads a file whenever it is read.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::model::{DocPath, Document, Finding, Location, Project, Schema, TuningPage};

use super::{
    Source, Sources, codec, content_hash, files,
    journal::{self, Interrupted},
    ron_text::Lines,
    staged,
};

/// The content of a project's folder.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The documents that could be read.
    pub project: Project,
    /// The text of every file.
    pub sources: Sources,
    /// The images below the folder, by path.
    pub images: Vec<DocPath>,
    /// What is wrong with single files and with the folder.
    pub findings: Vec<Finding>,
}

/// Read a project. A file that is broken is left out, with findings that say why; nothing else is lost by it.
#[must_use]
pub fn load(root: &Path) -> Loaded {
    of_listed(root, files::list(root)).0
}

/// Read a project once what an earlier process left in it is cleared away: changes of several files that were interrupted are
/// finished or taken back, and temporary files removed. `journals` is the folder for the journals of all projects.
#[must_use]
pub fn open(journals: Option<&Path>, root: &Path) -> (Loaded, Vec<Interrupted>) {
    let real = root.canonicalize();
    let settled = journals.zip(real.ok()).map(|(journals, root)| journal::settle(journals, &root)).unwrap_or_default();
    let (loaded, temporary) = of_listed(root, files::list(root));
    // What is not settled may need them.
    if settled.iter().all(Interrupted::is_settled) {
        staged::remove_leftovers(&temporary);
    }
    (loaded, settled)
}

fn of_listed(root: &Path, listed: files::Listed) -> (Loaded, Vec<PathBuf>) {
    let files::Listed { documents: paths, mut findings, temporary } = listed;
    let mut sources = Sources::new(root);
    let mut documents = BTreeMap::new();
    for path in paths {
        let source = read_source(root, &path);
        findings.extend(source.findings.iter().cloned());
        if let Some(document) = &source.document {
            documents.insert(path.clone(), Arc::clone(document));
        }
        sources.files.insert(path, source);
    }
    let (images, unfollowed) = files::find_images(root);
    let more: Vec<Finding> = unfollowed.into_iter().filter(|finding| !findings.contains(finding)).collect();
    findings.extend(more);
    (Loaded { project: documents.into_iter().collect(), sources, images, findings }, temporary)
}

/// Read a document from its file's text: pure, whenever it is called. Findings say why there is no document.
#[must_use]
pub fn load_one(path: &DocPath, text: &str) -> (Option<Document>, Vec<Finding>) {
    codec::decode(path, text)
}

/// Read one file of a project as it is on disk now.
fn read_source(root: &Path, path: &DocPath) -> Source {
    files::read_bytes(root, path).map_or_else(|finding| unreadable(*finding), |bytes| source_of(path, bytes))
}

/// A file of which nothing can be had.
pub(super) fn unreadable(finding: Finding) -> Source {
    Source::new(Arc::from(""), 0, vec![finding], None)
}

/// The content of a file with these bytes.
#[must_use]
pub fn source_of(path: &DocPath, bytes: Vec<u8>) -> Source {
    let hash = content_hash(&bytes);
    match files::to_text(path, bytes) {
        Ok(text) => {
            let (document, mut findings, index) = unbroken(path, || codec::read(path, &text));
            findings.extend(notes(path, &text));
            Source::new(text.into(), hash, findings, document.map(Arc::new)).with_index(index)
        }
        Err(finding) => {
            let mut source = unreadable(*finding);
            source.hash = hash;
            source
        }
    }
}

/// What reading a file comes to. Should a file be the first to show a mistake in its reader, it costs that file alone.
fn unbroken<I>(
    path: &DocPath,
    read: impl FnOnce() -> (Option<Document>, Vec<Finding>, Option<I>),
) -> (Option<Document>, Vec<Finding>, Option<I>) {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| (None, vec![mistake(path)], None))
}

/// The finding for a file whose reader panicked.
pub(super) fn mistake(path: &DocPath) -> Finding {
    let message = "this file cannot be read, and it is Levelwright's fault; please report it";
    Finding::error("unreadable", Location::doc(path.clone()), message)
}

/// What is odd about a text and does not keep it from being read. A save leaves it so.
fn notes(path: &DocPath, text: &str) -> Vec<Finding> {
    let at = |start: usize, end: usize| {
        let span = Some(Lines::new(text).span(start, end));
        Location { span, ..Location::doc(path.clone()) }
    };
    let mut found = Vec::new();
    if text.starts_with('\u{feff}') {
        let message = "the file begins with a byte-order mark, which other programs may stumble over";
        let help = "save it as UTF-8 without one".to_owned();
        found.push(Finding::hint("encoding", at(0, 0), message).with_help(help));
    }
    let is_lone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if let Some(lone) = text.match_indices('\r').map(|(at, _)| at).find(is_lone) {
        let message = "this line ends with a lone CR, where a `//` comment does not end";
        let help = "save the file with LF at the ends of lines".to_owned();
        found.push(Finding::warning("encoding", at(lone, lone), message).with_help(help));
    }
    found
}

const SCHEMAS: [(&str, &str); 4] = [
    ("schemas/components.ron", include_str!("../../schemas/components.ron")),
    ("schemas/messages.ron", include_str!("../../schemas/messages.ron")),
    ("schemas/conditions.ron", include_str!("../../schemas/conditions.ron")),
    ("schemas/actions.ron", include_str!("../../schemas/actions.ron")),
];

const TUNING: [(&str, &str); 5] = [
    ("tuning/simulation.ron", include_str!("../../schemas/tuning/simulation.ron")),
    ("tuning/physics.ron", include_str!("../../schemas/tuning/physics.ron")),
    ("tuning/camera.ron", include_str!("../../schemas/tuning/camera.ron")),
    ("tuning/steering.ron", include_str!("../../schemas/tuning/steering.ron")),
    ("tuning/navigation.ron", include_str!("../../schemas/tuning/navigation.ron")),
];

fn builtin(files: &[(&str, &str)]) -> Vec<Document> {
    files.iter().filter_map(|(path, text)| load_one(&DocPath::new(path)?, text).0).collect()
}

/// The vocabulary that every project has: what the preview understands.
#[must_use]
pub fn builtin_schema() -> Schema {
    builtin_vocabulary().clone()
}

/// As [`builtin_schema`], read once.
pub(super) fn builtin_vocabulary() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = Schema::default();
        for document in builtin(&SCHEMAS) {
            if let Document::Schema(part) = document {
                schema.merge(&part);
            }
        }
        schema
    })
}

/// The pages of constants that every project has, with their defaults, by rising order.
#[must_use]
pub fn builtin_tuning() -> Vec<TuningPage> {
    let pages = builtin(&TUNING).into_iter();
    pages.filter_map(|document| if let Document::Tuning(page) = document { Some(page) } else { None }).collect()
}
