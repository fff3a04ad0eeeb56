//! An export in its folder: the files of all targets and the images and sounds they name, written as one change.
//!
//! Invariants: the folder has the whole of the old export or the whole of the new one; nothing is written into the
//! project's own folders; only images and sounds that a former export wrote and that were not changed since are
//! removed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Export, ExportError, stream, values::folder_of};
use crate::{
    io::{
        IntentLog, Unrecorded, content_hash, files,
        sources::hash_of_file,
        staged::{
            Calls, Former, Staged, hash_at, permissions_to_keep, remove_leftovers, stage_with, sync_folders_of,
            target_of,
        },
        together::{FileChange, begin, end, take_back},
    },
    model::{DocKind, DocPath},
};

/// The file that lists the images an export wrote.
const MANIFEST: &str = ".levelwright-export.json";

/// What was written.
#[derive(Debug)]
pub struct Exported {
    /// The files, relative to the folder.
    pub files: Vec<String>,
    /// Why no record of the change was kept while it was made, if one was needed.
    pub unrecorded: Option<Unrecorded>,
}

/// For each exported file the images it names, with the hashes of what was written.
#[derive(Default, Serialize, Deserialize)]
struct Manifest(BTreeMap<String, BTreeMap<DocPath, u64>>);

impl Manifest {
    fn read(out: &Path) -> Self {
        // One that cannot be read lists nothing, so that nothing is removed.
        fs::read(out.join(MANIFEST)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Images with what was written, in any of the exports.
    fn images(&self) -> BTreeMap<&DocPath, BTreeSet<u64>> {
        let mut all: BTreeMap<&DocPath, BTreeSet<u64>> = BTreeMap::new();
        for (image, hash) in self.0.values().flatten() {
            all.entry(image).or_default().insert(*hash);
        }
        all
    }
}

/// Write exports into a folder, with the images they name from the project at `root`, and remove the images that the
/// former ones named and none names now. All of it is written or nothing.
///
/// # Errors
/// When the folder belongs to the project, an image cannot be read or a file cannot be written; then the folder is as
/// it was.
pub fn write(exports: &[Export<'_>], root: &Path, out: &Path, log: &IntentLog) -> Result<Exported, ExportError> {
    write_by(exports, root, out, log, &mut Calls::default())
}

fn write_by(
    exports: &[Export<'_>],
    root: &Path,
    out: &Path,
    log: &IntentLog,
    calls: &mut Calls<'_>,
) -> Result<Exported, ExportError> {
    let real_out = target_of(out);
    refuse_own(exports, root, out, &real_out)?;
    let missing = missing_folders(exports, &real_out);
    let written = write_into(exports, root, &real_out, log, calls);
    if written.is_err() {
        for folder in missing.iter().rev() {
            // Refused where something is in it, and where it was not made.
            let _ = fs::remove_dir(folder);
        }
    }
    written
}

/// The folders that an export would make, outer ones first.
fn missing_folders(exports: &[Export<'_>], out: &Path) -> BTreeSet<PathBuf> {
    let images = exports.iter().flat_map(|export| &export.images);
    let folders = images.map(|image| out.join(folder_of(image)).join(image.folder())).chain([out.to_owned()]);
    let all = folders.flat_map(|folder| folder.ancestors().map(Path::to_owned).collect::<Vec<_>>());
    all.filter(|folder| folder.symlink_metadata().is_err()).collect()
}

fn write_into(
    exports: &[Export<'_>],
    root: &Path,
    real_out: &Path,
    log: &IntentLog,
    calls: &mut Calls<'_>,
) -> Result<Exported, ExportError> {
    let mut manifest = Manifest::read(real_out);
    let former: BTreeMap<DocPath, BTreeSet<u64>> =
        manifest.images().into_iter().map(|(image, hashes)| (image.clone(), hashes)).collect();
    let refused = |name: &str| {
        let name = name.to_owned();
        move |error| ExportError::Write(name, error)
    };
    let mut changes = Vec::new();
    let mut written = Vec::new();
    let mut images: BTreeMap<&DocPath, u64> = BTreeMap::new();
    for export in exports {
        let mut named = BTreeMap::new();
        for image in &export.images {
            let hash = match images.get(image) {
                Some(hash) => *hash,
                None => {
                    let bytes = files::read_bytes(root, image).map_err(ExportError::Image)?;
                    let name = format!("{}/{image}", folder_of(image));
                    changes.extend(change(real_out, &name, &bytes, calls).map_err(refused(&name))?);
                    written.push(name);
                    content_hash(&bytes)
                }
            };
            images.insert(image, hash);
            named.insert(image.clone(), hash);
        }
        manifest.0.insert(export.file.to_owned(), named);
    }
    for export in exports {
        changes.extend(change_game(real_out, export, calls).map_err(refused(export.file))?);
        written.push(export.file.to_owned());
    }
    let named = manifest.images();
    let mut emptied = BTreeSet::new();
    for (image, hashes) in former.iter().filter(|(image, _)| !named.contains_key(image)) {
        let name = format!("{}/{image}", folder_of(image));
        let now = Now::of(real_out, &name).ok().filter(|now| hashes.iter().any(|hash| now.is(*hash)));
        let Some(now) = now else { continue };
        emptied.extend(now.target.parent().map(Path::to_owned));
        changes.push(now.change(None, calls).map_err(refused(&name))?);
    }
    let text = serde_json::to_string(&manifest).unwrap_or_default() + "\n";
    changes.extend(change(real_out, MANIFEST, text.as_bytes(), calls).map_err(refused(MANIFEST))?);
    let unrecorded = carry_out(changes, root, real_out, log, calls)?;
    for folder in &emptied {
        // Inner ones first, below the folder that is exported to; refused where something is in it.
        for folder in folder.ancestors().take_while(|folder| *folder != real_out && folder.starts_with(real_out)) {
            let _ = fs::remove_dir(folder);
        }
    }
    remove_leftovers(&temporary_in(real_out, &written));
    written.sort();
    Ok(Exported { files: written, unrecorded })
}

/// Refuse where the project would read what is exported.
fn refuse_own(exports: &[Export<'_>], root: &Path, out: &Path, real_out: &Path) -> Result<(), ExportError> {
    let Ok(root) = root.canonicalize() else { return Ok(()) };
    let images: BTreeSet<&DocPath> = exports.iter().flat_map(|export| &export.images).collect();
    let of_documents = DocKind::ALL.iter().map(|kind| kind.folder()).filter(|folder| !folder.is_empty());
    let of_images = images.iter().map(|image| image.folder()).filter(|folder| !folder.is_empty());
    // Linked folders of the project belong to it at their targets.
    let own: BTreeSet<PathBuf> = of_documents.chain(of_images).map(|folder| target_of(&root.join(folder))).collect();
    let is_own = |folder: &Path| folder == root || own.iter().any(|own| folder.starts_with(own));
    let exported = images.iter().map(|image| real_out.join(folder_of(image)).join(image.folder()));
    if [real_out.to_owned()].into_iter().chain(exported).any(|folder| is_own(&target_of(&folder))) {
        return Err(ExportError::Inside(out.display().to_string()));
    }
    Ok(())
}

/// A file of the folder as it is. A link there is replaced.
struct Now {
    target: PathBuf,
    is_link: bool,
    /// As [`hash_at`] gives it.
    hash: Option<u64>,
}

impl Now {
    fn of(out: &Path, name: &str) -> io::Result<Self> {
        let place = out.join(name);
        let folders = Path::new(name).ancestors().skip(1);
        if let Some(link) = folders.filter(|it| !it.as_os_str().is_empty()).find(|it| out.join(it).is_symlink()) {
            let why = format!("`{}` is a link, which an export does not follow; remove it", link.display());
            return Err(io::Error::other(why));
        }
        let target = match (place.parent(), place.file_name()) {
            (Some(folder), Some(name)) => target_of(folder).join(name),
            _ => place,
        };
        let hash = hash_at(&target)?;
        Ok(Self { is_link: target.is_symlink(), target, hash })
    }

    /// Whether it need not be written: a build that compares file times need not run again.
    fn is(&self, hash: u64) -> bool {
        !self.is_link && self.hash == Some(hash)
    }

    fn stage(
        &self,
        content: impl FnOnce(&mut fs::File) -> io::Result<()>,
        calls: &mut Calls<'_>,
    ) -> io::Result<Staged> {
        let permissions = if self.is_link { None } else { permissions_to_keep(&self.target)? };
        stage_with(&self.target, content, permissions, calls)
    }

    /// Give it another content; `None`: it is removed.
    fn change(self, after: Option<(Staged, u64)>, calls: &mut Calls<'_>) -> io::Result<FileChange> {
        let before = match (Former::link(&self.target), self.hash) {
            (Some(link), _) => Some(link),
            (None, hash) => hash.map(|hash| Former::beside(&self.target, hash, calls)).transpose()?,
        };
        let action = if after.is_some() { "written" } else { "removed" };
        Ok(FileChange { target: self.target, before, after, action })
    }
}

/// What gives a file of the folder this content; nothing when it has it.
fn change(out: &Path, name: &str, bytes: &[u8], calls: &mut Calls<'_>) -> io::Result<Option<FileChange>> {
    let (now, hash) = (Now::of(out, name)?, content_hash(bytes));
    if now.is(hash) {
        return Ok(None);
    }
    let staged = now.stage(|file| file.write_all(bytes), calls)?;
    now.change(Some((staged, hash)), calls).map(Some)
}

/// The same for the file of an export, which may be larger than memory.
fn change_game(out: &Path, export: &Export<'_>, calls: &mut Calls<'_>) -> io::Result<Option<FileChange>> {
    let now = Now::of(out, export.file)?;
    let content = |file: &mut fs::File| {
        let mut file = BufWriter::new(file);
        stream::put(export, &mut file)?;
        file.flush()
    };
    let staged = now.stage(content, calls)?;
    let hash = hash_of_file(staged.temp())?;
    if now.is(hash) {
        return Ok(None);
    }
    now.change(Some((staged, hash)), calls).map(Some)
}

fn carry_out(
    changes: Vec<FileChange>,
    root: &Path,
    out: &Path,
    log: &IntentLog,
    calls: &mut Calls<'_>,
) -> Result<Option<Unrecorded>, ExportError> {
    let targets: Vec<PathBuf> = changes.iter().map(|change| change.target.clone()).collect();
    let (intent, unrecorded) = match begin(root, Some(out), &changes.iter().collect::<Vec<_>>(), log, calls) {
        Ok(intent) => (intent, None),
        Err(why) => (None, Some(why)),
    };
    let mut done = Vec::new();
    let mut failed = None;
    for change in changes {
        let name = change.target.strip_prefix(out).unwrap_or(&change.target).display().to_string();
        let is_as_read = change.is_as_read();
        let changed = || io::Error::other("another program changed it meanwhile");
        match if is_as_read { change.carry_out(calls) } else { Err(changed()) } {
            Ok(undo) => done.push(undo),
            Err(error) => {
                failed = Some(ExportError::Write(name, error));
                break;
            }
        }
    }
    let is_whole = failed.is_none() || take_back(done, calls).is_ok();
    sync_folders_of(targets.iter().map(PathBuf::as_path));
    // What could not even be taken back is left to the next command.
    if let Some(intent) = intent.filter(|_| is_whole) {
        end(intent, calls);
    }
    failed.map_or(Ok(unrecorded), Err)
}

/// Temporary files in the folders of what was written.
fn temporary_in(out: &Path, written: &[String]) -> Vec<PathBuf> {
    let folders: BTreeSet<PathBuf> =
        written.iter().filter_map(|name| out.join(name).parent().map(Path::to_owned)).collect();
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    files.flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use super::*;
    use crate::io::journal;

    fn export(text: &str, images: &[&str]) -> Export<'static> {
        let images = images.iter().map(|image| DocPath::new(image).unwrap()).collect();
        let (project, resolution) = (Box::leak(Box::default()), Box::leak(Box::default()));
        let made = super::super::export(project, resolution, &|_, _, _| (), super::super::Format::Json).unwrap();
        Export { images, text: text.to_owned(), ..made }
    }

    fn all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().unwrap().is_dir() {
                all.extend(self::all(&entry.path()));
            } else if let Ok(link) = entry.path().read_link() {
                all.insert(entry.path(), format!("-> {}", link.display()).into_bytes());
            } else {
                all.insert(entry.path(), fs::read(entry.path()).unwrap());
            }
        }
        all
    }

    #[test]
    fn whatever_call_is_refused_the_export_is_old_or_new() {
        let dir = tempfile::tempdir().unwrap();
        let (root, out) = (dir.path().join("game"), dir.path().join("out"));
        fs::create_dir_all(root.join("art")).unwrap();
        for image in ["a.png", "b.png"] {
            fs::write(root.join("art").join(image), image).unwrap();
        }
        let log = IntentLog { journals: Some(dir.path().join("journals")), command: "export".into(), is_left: true };
        let (old, new) = (export("old", &["art/a.png"]), export("new", &["art/b.png"]));
        let fresh = |export: &Export<'_>| {
            fs::remove_dir_all(&out).unwrap_or_default();
            write(std::slice::from_ref(export), &root, &out, &log).unwrap();
            all(&out)
        };
        // What is replaced is a link to nowhere, and what is removed is read-only.
        let fresh_old = || {
            fresh(&old);
            let image = out.join("images/art/a.png");
            let mut permissions = fs::metadata(&image).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(image, permissions).unwrap();
            #[cfg(unix)]
            {
                fs::remove_file(out.join("game.json")).unwrap();
                std::os::unix::fs::symlink("../nowhere.json", out.join("game.json")).unwrap();
            }
            all(&out)
        };
        let (is_new, is_old) = (fresh(&new), fresh_old());
        assert_eq!((is_new.len(), is_old.len()), (3, 3));
        // Once, and from then on.
        for n_refused in [1, usize::MAX] {
            for at in 0.. {
                fresh_old();
                let mut n = 0;
                let mut before = |_: &'static str, _: &Path| {
                    n += 1;
                    let is_refused = n > at && n - at <= n_refused;
                    if is_refused { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
                };
                let mut calls = Calls::refused_by(&mut before);
                let wrote = write_by(std::slice::from_ref(&new), &root, &out, &log, &mut calls);
                let expected = if wrote.is_ok() { &is_new } else { &is_old };
                if n_refused == 1 {
                    assert_eq!(all(&out), *expected, "call {at}");
                }
                // What could not even be taken back is settled once the disk is well again.
                let settled = journal::settle(&dir.path().join("journals"), &root.canonicalize().unwrap());
                assert!(settled.iter().all(journal::Interrupted::is_settled), "{settled:?}");
                assert_eq!(all(&out), *expected, "call {at}");
                if n <= at {
                    assert!(at > 15, "the calls are counted");
                    break;
                }
            }
        }
    }

    #[test]
    fn only_what_an_export_wrote_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let (root, out) = (dir.path().join("game"), dir.path().join("out"));
        fs::create_dir_all(root.join("art")).unwrap();
        for image in ["a.png", "b.png", "c.png"] {
            fs::write(root.join("art").join(image), image).unwrap();
        }
        let log = IntentLog::default();
        let ron = Export { file: "game.ron", ..export("ron", &["art/c.png"]) };
        write(&[export("1", &["art/a.png", "art/b.png", "art/c.png"]), ron], &root, &out, &log).unwrap();
        fs::write(out.join("images/art/b.png"), "another program's").unwrap();
        fs::write(out.join("images/art/d.png"), "a stranger").unwrap();
        let export = export("2", &[]);
        write(std::slice::from_ref(&export), &root, &out, &log).unwrap();
        let names: Vec<_> = all(&out).into_keys().map(|at| at.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, [MANIFEST, "game.json", "game.ron", "b.png", "c.png", "d.png"]);
        for place in ["b.png", "d.png"] {
            fs::remove_file(out.join("images/art").join(place)).unwrap();
        }
        write(&[Export { file: "game.ron", ..export }], &root, &out, &log).unwrap();
        assert!(!out.join("images/art").exists(), "nor an empty folder");
    }
}
