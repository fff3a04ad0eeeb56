//! Files written together: all files of one save, or none.
//!
//! Everything that can fail is tried first: each file's new text is written beside it, and only when all of them are on
//! disk do they take their places, one by one. Should that stop halfway, what was put in place is taken back; should
//! the process be killed, the next one finds the intent of the change and settles it (`journal/intent.rs`).
//!
//! Invariant: each [`Wrote`] gives the content on disk, also where taking back was refused.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Meanwhile, SaveError, Source, Writing, Wrote, content_hash,
    journal::{Intent, Planned},
    parts::is_region,
    save::{bytes_of, inside, is_there},
    staged::{Calls, Former, Staged, hash_at, permissions_of, permissions_to_keep, stage, sync_folders_of, target_of},
};
use crate::model::DocPath;

/// Where the intent of a change of several files is recorded, and as what.
#[derive(Clone, Debug, Default)]
pub struct IntentLog {
    /// The folder for the journals of all projects. Without one, an incomplete change of a killed process stays
    /// incomplete.
    pub journals: Option<PathBuf>,
    /// What changes the files, as the user gave it.
    pub command: String,
    /// A change that can be neither completed nor taken back is left to the next command. Otherwise its owner tries
    /// again.
    pub is_left: bool,
}

/// The result of writing files together.
#[derive(Debug, Default)]
pub struct Together {
    /// Each file.
    pub wrote: Vec<Wrote>,
    /// Why no record of the change was kept while it was made, if one was needed.
    pub unrecorded: Option<Unrecorded>,
}

impl Together {
    /// Why the files were not all written and what became of them, if so.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let is_reason = |why: &&SaveError| !matches!(why, SaveError::HeldBack { .. });
        let why = self.wrote.iter().filter_map(|it| it.result.as_ref().err()).find(is_reason)?;
        let written: Vec<String> =
            self.wrote.iter().filter(|it| it.result.is_ok()).map(|it| format!("`{}`", it.path)).collect();
        let left = match (&self.unrecorded, written.as_slice()) {
            (_, []) => return Some(format!("{why}; no file was changed")),
            (Some(unrecorded), _) => format!(" and stays so: {unrecorded}"),
            (None, _) => "; the next command completes the change or takes it back".to_owned(),
        };
        Some(format!("{why}; {} was written before that and could not be put back{left}", written.join(", ")))
    }
}

/// Why a change of several files was made without a record: had it been interrupted, it would have stayed half made.
#[derive(Debug, thiserror::Error)]
#[error("no record of this change could be kept ({0}); an interruption would have left its files half changed")]
pub struct Unrecorded(String);

/// A writing that has only to be carried out.
struct Ready {
    path: DocPath,
    /// What is done to files. Nothing where all is as it is to be.
    changes: Vec<FileChange>,
    /// Its new content; `None`: removed.
    source: Option<Source>,
    is_moved: bool,
}

/// What is done to a file.
pub(super) struct FileChange {
    /// Where the file is.
    pub(super) target: PathBuf,
    /// What it is before; `None` when it is not there.
    pub(super) before: Option<Former>,
    /// The new content, beside it, with its hash; `None`: it is removed.
    pub(super) after: Option<(Staged, u64)>,
    /// What is done, for the message of a failure.
    pub(super) action: &'static str,
}

/// Write files and remove them, if they are what they were when they were read. A file that cannot be written, that was
/// changed by another program, or that would leave the project, holds back all others: comments may move from one to
/// another.
#[must_use]
pub fn run_together(writings: Vec<Writing>, log: &IntentLog) -> Together {
    run_with(writings, log, &mut Calls::default())
}

/// As [`run_together`], by these calls.
fn run_with(writings: Vec<Writing>, log: &IntentLog, calls: &mut Calls<'_>) -> Together {
    let mut wrote: Vec<Wrote> = Vec::new();
    let mut ready = Vec::new();
    let root = writings.first().map(|writing| writing.root().to_owned()).unwrap_or_default();
    for writing in Writing::drafted(writings) {
        let document = writing.document().cloned();
        let path = writing.path().clone();
        let result = prepare(writing, calls);
        let is_moved = result.as_ref().is_ok_and(|it| it.is_moved);
        wrote.push(match result {
            Ok(it) => {
                let source = it.source.clone();
                ready.push((wrote.len(), it));
                Wrote { path, document, is_moved, result: Ok(source) }
            }
            Err(why) => Wrote { path, document, is_moved, result: Err(why) },
        });
    }
    let mut stopped = wrote.iter().find(|it| it.result.is_err()).map(|it| it.path.clone());
    let changes: Vec<&FileChange> = ready.iter().flat_map(|(_, it)| &it.changes).collect();
    let targets: Vec<PathBuf> = changes.iter().map(|change| change.target.clone()).collect();
    let begun = if stopped.is_none() { begin(&root, None, &changes, log, calls) } else { Ok(None) };
    let (intent, unrecorded) = match begun {
        Ok(intent) => (intent, None),
        Err(why) => (None, Some(why)),
    };
    let mut done: Vec<(usize, Vec<Undo>)> = Vec::new();
    let mut is_half_done = false;
    for (at, it) in ready {
        let mut undo = Vec::new();
        let path = it.path.clone();
        let result = if stopped.is_some() { Ok(()) } else { it.carry_out(calls, &mut undo) };
        match result {
            Ok(()) => done.push((at, undo)),
            Err(why) => {
                stopped = Some(path);
                let is_taken_back = take_back(undo, calls).is_ok();
                is_half_done |= !is_taken_back;
                wrote[at].is_moved &= !is_taken_back;
                wrote[at].result = Err(why);
            }
        }
    }
    if let Some(because) = stopped {
        for (at, undo) in done.into_iter().rev() {
            // What cannot be taken back stays, and is reported as it is.
            if take_back(undo, calls).is_ok() {
                wrote[at].is_moved = false;
                let (path, because) = (wrote[at].path.clone(), because.clone());
                wrote[at].result = Err(SaveError::HeldBack { path, because });
            } else {
                is_half_done = true;
            }
        }
    }
    sync_folders_of(targets.iter().map(PathBuf::as_path));
    // The folder of a level's regions goes with the last of them; one that is not empty stays.
    for it in wrote.iter().filter(|it| it.document.is_none() && it.result.is_ok() && is_region(&it.path)) {
        if let Some(folder) = inside(&root, &it.path).ok().as_deref().and_then(Path::parent) {
            let _ = fs::remove_dir(folder);
        }
    }
    if let Some(intent) = intent.filter(|_| !(is_half_done && log.is_left)) {
        end(intent, calls);
    }
    Together { wrote, unrecorded }
}

/// Write the intent of a change to disk, if it is of more than one file. `base` is the folder of the files when it is
/// not the project's.
///
/// # Errors
/// Why there is none; the change can be made without.
pub(super) fn begin(
    root: &Path,
    base: Option<&Path>,
    changes: &[&FileChange],
    log: &IntentLog,
    calls: &mut Calls<'_>,
) -> Result<Option<Intent>, Unrecorded> {
    if changes.len() < 2 {
        return Ok(None);
    }
    let no_folder = || Unrecorded("there is no folder for the program's state".into());
    let journals = log.journals.as_deref().ok_or_else(no_folder)?;
    let planned: Vec<Planned<'_>> = changes
        .iter()
        .map(|change| Planned {
            target: &change.target,
            after: change.after.as_ref().map(|(staged, hash)| (staged.temp(), *hash)),
            before: change.before.as_ref(),
        })
        .collect();
    let begun = root.canonicalize().and_then(|root| {
        let base = base.map_or(Ok(root.clone()), Path::canonicalize)?;
        Intent::begin(journals, &root, &base, &log.command, &planned, calls)
    });
    begun.map(Some).map_err(|why| Unrecorded(why.to_string()))
}

/// The change is whole, or all of it was taken back.
pub(super) fn end(intent: Intent, calls: &mut Calls<'_>) {
    let ended = intent.end(calls);
    ended.unwrap_or_else(|why| tracing::warn!("the record of this change could not be removed: {why}"));
}

fn prepare(writing: Writing, calls: &mut Calls<'_>) -> Result<Ready, SaveError> {
    let path = writing.path().clone();
    let root = writing.root().to_owned();
    let place = inside(&root, &path)?;
    is_there(&root, &path, writing.action())?;
    let before = bytes_of(&place, &path)?;
    let from = match writing.from() {
        Some(from) => {
            let at = inside(&root, from)?;
            // A link would lead somewhere else from there.
            let is_link = at.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
            Some((bytes_of(&at, from)?.filter(|_| !is_link), at))
        }
        None => None,
    };
    let (writing, is_moved) = writing.moving(from.as_ref().and_then(|(bytes, _)| bytes.as_deref()), before.as_deref());
    let from = from.filter(|_| is_moved).and_then(|(bytes, at)| Some((at, bytes?)));
    let now = from.as_ref().map(|(_, bytes)| bytes.as_slice()).or(before.as_deref());
    let hash = now.map(content_hash);
    let source = writing.against(now)?;
    let mut changes = Vec::new();
    match &source {
        Some(source) if is_moved || hash != Some(source.hash) => {
            let target = target_of(&place);
            let permissions = match &from {
                Some((at, _)) => Ok(permissions_of(at)),
                None => permissions_to_keep(&target),
            };
            let staged = permissions.and_then(|permissions| {
                let staged = stage(&target, source.text.as_bytes(), permissions.clone(), calls)?;
                Ok((staged, permissions))
            });
            let refused = |error| SaveError::Io { path: path.clone(), action: "written", error };
            let (staged, permissions) = staged.map_err(refused)?;
            let action = if is_moved { "moved" } else { "written" };
            let before = before.map(|bytes| Former::Content(bytes, permissions));
            changes.push(FileChange { target, before, after: Some((staged, source.hash)), action });
        }
        None if before.is_some() => changes.push(FileChange::removal(&place, before)),
        _ => {}
    }
    if let Some((at, bytes)) = from {
        changes.push(FileChange { action: "moved", ..FileChange::removal(&at, Some(bytes)) });
    }
    Ok(Ready { path, changes, source, is_moved })
}

impl FileChange {
    /// The file at `place` goes; if that is a link, the link does.
    fn removal(place: &Path, before: Option<Vec<u8>>) -> Self {
        let folder = place.parent().map(target_of);
        let target = folder.zip(place.file_name()).map_or_else(|| place.to_owned(), |(folder, name)| folder.join(name));
        let content = || before.map(|bytes| Former::Content(bytes, permissions_of(place)));
        let before = Former::link(&target).or_else(content);
        Self { target, before, after: None, action: "removed" }
    }

    /// Whether the file is as it was when this change was prepared. Preparing takes time, in which another program may
    /// have written it.
    pub(super) fn is_as_read(&self) -> bool {
        hash_at(&self.target).is_ok_and(|now| now == self.before.as_ref().map(Former::hash))
    }

    /// Put it in place.
    pub(super) fn carry_out(self, calls: &mut Calls<'_>) -> io::Result<Undo> {
        match self.after {
            Some((staged, _)) => staged.put(calls)?,
            None => {
                calls.before("remove", &self.target)?;
                fs::remove_file(&self.target)?;
            }
        }
        Ok(Undo { target: self.target, before: self.before })
    }
}

impl Ready {
    /// Put in place what was made ready. What was done is noted, also where the rest is refused.
    fn carry_out(self, calls: &mut Calls<'_>, undo: &mut Vec<Undo>) -> Result<(), SaveError> {
        let Self { path, changes, .. } = self;
        if !changes.iter().all(FileChange::is_as_read) {
            return Err(SaveError::Conflict { path, what: Meanwhile::Changed });
        }
        for change in changes {
            let action = change.action;
            let done = change.carry_out(calls);
            undo.push(done.map_err(|error| SaveError::Io { path: path.clone(), action, error })?);
        }
        Ok(())
    }
}

/// What was done to a file.
pub(super) struct Undo {
    target: PathBuf,
    /// What it was; `None` when it was not there.
    before: Option<Former>,
}

/// Take back what was done, the last first.
pub(super) fn take_back(undo: Vec<Undo>, calls: &mut Calls<'_>) -> io::Result<()> {
    let mut undo = undo.into_iter().rev();
    let result = undo.try_for_each(|Undo { target, before }| match before {
        Some(former) => former.restore(&target, calls),
        None => {
            calls.before("remove", &target)?;
            fs::remove_file(target)
        }
    });
    // The next process may settle it.
    undo.filter_map(|it| it.before).for_each(Former::keep);
    result
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use std::{collections::BTreeMap, process::Command, sync::Arc};

    use super::*;
    use crate::{
        io::{journal, load, open},
        model::{Document, EntitiesFile},
    };

    /// A project, and the folder for journals.
    fn project() -> (tempfile::TempDir, tempfile::TempDir) {
        let root = tempfile::tempdir().unwrap();
        let entities = root.path().join("entities");
        fs::create_dir(&entities).unwrap();
        fs::write(root.path().join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
        for name in ["a", "b", "c", "d"] {
            fs::write(entities.join(format!("{name}.ron")), format!("{{ \"{name}\": () }} // {name}\n")).unwrap();
        }
        // Both are removed by the change.
        let mut permissions = fs::metadata(entities.join("b.ron")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(entities.join("b.ron"), permissions).unwrap();
        fs::write(root.path().join("kept.txt"), "{ \"link\": () } // kept\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../kept.txt", entities.join("link.ron")).unwrap();
        (root, tempfile::tempdir().unwrap())
    }

    fn path(name: &str) -> DocPath {
        DocPath::new(&format!("entities/{name}.ron")).unwrap()
    }

    /// Files changed, made, removed and moved.
    fn writings(root: &Path) -> Vec<Writing> {
        let sources = load(root).sources;
        let empty = Arc::new(Document::Entities(EntitiesFile::default()));
        vec![
            sources.writing(&path("a"), Some(&empty), false),
            sources.writing(&path("b"), None, false),
            sources.writing(&path("link"), None, false),
            sources.writing(&path("new"), Some(&empty), false),
            sources.moving(&path("c"), &path("moved"), &empty),
            sources.writing(&path("d"), Some(&empty), false),
        ]
    }

    fn log(journals: &Path) -> IntentLog {
        IntentLog { journals: Some(journals.to_owned()), command: "rename x y".into(), is_left: true }
    }

    type Files = BTreeMap<PathBuf, String>;

    /// All that is in the project, hidden files too: links as links, and whether a file is read-only.
    fn all(root: &Path) -> Files {
        let read = |at: PathBuf| {
            let name = at.strip_prefix(root).unwrap().to_owned();
            if let Ok(link) = at.read_link() {
                return (name, format!("-> {}", link.display()));
            }
            let is_readonly = fs::metadata(&at).unwrap().permissions().readonly();
            let mode = if is_readonly { " (read-only)" } else { "" };
            (name, fs::read_to_string(&at).unwrap() + mode)
        };
        fs::read_dir(root.join("entities")).unwrap().map(|it| read(it.unwrap().path())).collect()
    }

    fn n_journals(journals: &Path) -> usize {
        fs::read_dir(journals).unwrap().count()
    }

    fn old_and_new() -> (Files, Files) {
        let (root, journals) = project();
        let old = all(root.path());
        let wrote = run_together(writings(root.path()), &log(journals.path())).wrote;
        assert!(wrote.iter().all(|it| it.result.is_ok()));
        assert_eq!(n_journals(journals.path()), 0);
        let new = all(root.path());
        let names: Vec<_> = new.keys().map(|at| at.file_stem().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a", "d", "moved", "new"]);
        assert!(new[Path::new("entities/moved.ron")].contains("// c"), "comments move along");
        (old, new)
    }

    #[test]
    fn whatever_call_is_refused_all_is_written_or_nothing() {
        let (old, new) = old_and_new();
        for refusal in [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied] {
            // Once, and from then on.
            for n_refused in [1, usize::MAX] {
                for at in 0.. {
                    let (root, journals) = project();
                    let mut n = 0;
                    let mut before = |_: &'static str, _: &Path| {
                        n += 1;
                        let is_refused = n > at && n - at <= n_refused;
                        if is_refused { Err(refusal.into()) } else { Ok(()) }
                    };
                    let mut calls = Calls::refused_by(&mut before);
                    let wrote = run_with(writings(root.path()), &log(journals.path()), &mut calls).wrote;
                    if n <= at {
                        assert!(at > 20, "the calls are counted");
                        break;
                    }
                    let is_written = wrote.iter().all(|it| it.result.is_ok());
                    let now = all(root.path());
                    if n_refused == 1 {
                        assert_eq!(now, if is_written { new.clone() } else { old.clone() }, "call {at}");
                        assert!(wrote.iter().all(|it| it.is_moved <= is_written));
                    }
                    // What could not even be taken back is settled once the disk is well again.
                    let _ = open(Some(journals.path()), root.path());
                    let now = all(root.path());
                    assert_eq!(now, if is_written { new.clone() } else { old.clone() }, "call {at}");
                    assert_eq!(n_journals(journals.path()), 0, "call {at}");
                }
            }
        }
    }

    #[test]
    fn what_stops_the_rest_is_reported() {
        let (root, _) = project();
        let mut before = |call: &'static str, at: &Path| {
            let is_last = call == "rename" && at.ends_with("d.ron");
            if is_last { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        };
        let mut calls = Calls::refused_by(&mut before);
        let wrote = run_with(writings(root.path()), &IntentLog::default(), &mut calls).wrote;
        let whys: Vec<_> = wrote.iter().map(|it| it.result.as_ref().unwrap_err().to_string()).collect();
        assert_eq!(whys[0], "entities/a.ron was not saved, because entities/d.ron could not be");
        assert_eq!(whys.last().unwrap(), "entities/d.ron could not be written: the disk is full");
    }

    #[test]
    fn what_could_not_be_put_back_is_reported_with_its_state() {
        let refusal = |log: &dyn Fn(&Path) -> IntentLog| {
            let (root, journals) = project();
            let mut is_refused = false;
            let mut before = |call: &'static str, at: &Path| {
                is_refused |= call == "rename" && at.ends_with("d.ron");
                if is_refused { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
            };
            let mut calls = Calls::refused_by(&mut before);
            run_with(writings(root.path()), &log(journals.path()), &mut calls).refusal().unwrap()
        };
        let written = "entities/d.ron could not be written: the disk is full; `entities/a.ron`";
        let settled = refusal(&log);
        assert!(settled.starts_with(written), "{settled}");
        assert!(settled.ends_with("could not be put back; the next command completes the change or takes it back"));
        let lost = refusal(&|_| IntentLog::default());
        assert!(lost.contains("could not be put back and stays so: no record of this change could be kept"), "{lost}");
    }

    /// Run a test of this file as a process of its own, which ends at its `at`-th call. Whether it got so far.
    fn is_killed(test: &str, root: &Path, journals: &Path, at: usize) -> bool {
        let status = Command::new(std::env::current_exe().unwrap())
            .args([&format!("io::together::tests::{test}"), "--exact", "--ignored"])
            .env("LEVELWRIGHT_KILL", format!("{at}"))
            .env("LEVELWRIGHT_ROOT", root)
            .env("LEVELWRIGHT_JOURNALS", journals)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!([Some(0), Some(KILLED)].contains(&status.code()), "{status}");
        status.code() == Some(KILLED)
    }

    const KILLED: i32 = 77;

    /// In such a process: do this in the project.
    fn until_killed(run: impl FnOnce(&Path, &Path, &mut Calls<'_>)) {
        let var = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let Some((root, journals)) = var("LEVELWRIGHT_ROOT").zip(var("LEVELWRIGHT_JOURNALS")) else { return };
        let at: usize = std::env::var("LEVELWRIGHT_KILL").unwrap().parse().unwrap();
        let mut n = 0;
        let mut before = |_: &'static str, _: &Path| {
            if n == at {
                // Without dropping anything, as a kill does.
                std::process::exit(KILLED);
            }
            n += 1;
            Ok(())
        };
        run(&root, &journals, &mut Calls::refused_by(&mut before));
    }

    #[test]
    #[ignore = "is run as a process of its own, to be killed"]
    fn a_change_to_be_killed() {
        until_killed(|root, journals, calls| {
            let wrote = run_with(writings(root), &log(journals), calls).wrote;
            assert!(wrote.iter().all(|it| it.result.is_ok()));
        });
    }

    #[test]
    #[ignore = "is run as a process of its own, to be killed"]
    fn a_settling_to_be_killed() {
        until_killed(|root, journals, calls| {
            journal::settle_by(journals, &root.canonicalize().unwrap(), calls);
        });
    }

    #[test]
    fn killed_at_any_call_the_project_is_whole_after_the_next_opening() {
        let (old, new) = old_and_new();
        let mut outcomes = BTreeMap::new();
        for at in 0.. {
            let (root, journals) = project();
            if !is_killed("a_change_to_be_killed", root.path(), journals.path(), at) {
                assert!(at > 20, "the calls are counted");
                break;
            }
            let is_half = ![&old, &new].contains(&&all(root.path()));
            let settled = open(Some(journals.path()), root.path()).1;
            let now = all(root.path());
            let what = match settled.as_slice() {
                [] => {
                    // They may be of a process that cannot be seen from here.
                    let is_temporary = |at: &Path| at.file_name().unwrap().to_str().unwrap().starts_with('.');
                    let n_temporary = now.keys().filter(|at| is_temporary(at)).count();
                    age(root.path());
                    let _ = open(Some(journals.path()), root.path());
                    assert_eq!(all(root.path()), old, "call {at}, with {n_temporary} temporary files");
                    "nothing"
                }
                [it] => {
                    assert_eq!(it.outcome, journal::Outcome::Finished, "call {at}");
                    assert_eq!(now, new, "call {at}");
                    let files = "entities/a.ron, entities/b.ron, entities/link.ron, entities/new.ron, \
                                 entities/moved.ron, entities/c.ron, entities/d.ron";
                    assert_eq!(it.to_string(), format!("`rename x y` was interrupted and is finished now: {files}"));
                    if is_half { "half" } else { "whole" }
                }
                more => panic!("{more:?}"),
            };
            *outcomes.entry(what).or_insert(0) += 1;
            assert!(!fs::read_dir(journals.path()).unwrap().any(|it| {
                let files = fs::read_dir(it.unwrap().path()).unwrap();
                files.flatten().any(|file| file.path().extension().is_some_and(|it| it == "intent"))
            }));
            assert_eq!(open(Some(journals.path()), root.path()).1, []);
        }
        assert!(outcomes["nothing"] > 5 && outcomes["half"] > 5, "{outcomes:?}");
    }

    /// The number of the call at which some of the files are new.
    fn half_done(root: &Path, journals: &Path) {
        let n = 24;
        assert!(is_killed("a_change_to_be_killed", root, journals, n));
        let names = all(root);
        let is_there = |name: &str| names.contains_key(&Path::new("entities").join(format!("{name}.ron")));
        assert!(!is_there("b") && !is_there("link") && !is_there("new") && is_there("d"), "{:?}", names.keys());
    }

    #[test]
    fn a_settling_that_is_killed_is_settled() {
        let (old, new) = old_and_new();
        for (expected, is_swept) in [(&new, false), (&old, true)] {
            for at in 0.. {
                let (root, journals) = project();
                half_done(root.path(), journals.path());
                if is_swept {
                    sweep(root.path());
                }
                let is_killed = is_killed("a_settling_to_be_killed", root.path(), journals.path(), at);
                let _ = open(Some(journals.path()), root.path());
                // What a killed settling had begun to write.
                age(root.path());
                let _ = open(Some(journals.path()), root.path());
                assert_eq!(all(root.path()), *expected, "call {at}");
                if !is_killed {
                    assert!(at >= 3, "the calls are counted");
                    break;
                }
            }
        }
    }

    /// Have temporary files be older than any that is needed.
    fn age(root: &Path) {
        for file in fs::read_dir(root.join("entities")).unwrap().flatten() {
            if file.file_name().to_str().unwrap().starts_with('.') && !file.path().is_symlink() {
                let file = fs::File::options().write(true).open(file.path()).unwrap();
                file.set_modified(std::time::SystemTime::now() - 2 * super::super::staged::YOUNG).unwrap();
            }
        }
    }

    /// Remove the new contents, as a program that tidies up would.
    fn sweep(root: &Path) {
        for file in fs::read_dir(root.join("entities")).unwrap().flatten() {
            if file.file_name().to_str().unwrap().starts_with('.') {
                fs::remove_file(file.path()).unwrap();
            }
        }
    }

    #[test]
    fn files_changed_after_a_kill_are_left_alone() {
        let (old, new) = old_and_new();
        let change = |root: &Path, name: &str| {
            let at = root.join(format!("entities/{name}.ron"));
            let text = fs::read_to_string(&at).unwrap() + "// mine\n";
            fs::write(at, &text).unwrap();
            text
        };
        let with = |files: &Files, name: &str, text: &str| {
            let mut files = files.clone();
            files.insert(format!("entities/{name}.ron").into(), text.to_owned());
            files
        };
        // `a` was written before the kill, and `d` was not: the one fits the new project, the other the old one.
        for (name, whole, outcome) in
            [("a", &new, journal::Outcome::Finished), ("d", &old, journal::Outcome::TakenBack)]
        {
            let (root, journals) = project();
            half_done(root.path(), journals.path());
            let text = change(root.path(), name);
            let settled = open(Some(journals.path()), root.path()).1;
            assert_eq!(settled[0].outcome, outcome);
            assert_eq!(settled[0].changed, [format!("entities/{name}.ron")]);
            assert_eq!(all(root.path()), with(whole, name, &text));
        }
        // Both: neither fits.
        let (root, journals) = project();
        half_done(root.path(), journals.path());
        let (a, d) = (change(root.path(), "a"), change(root.path(), "d"));
        fs::write(root.path().join("entities/d.ron.new"), "mine").unwrap();
        let settled = open(Some(journals.path()), root.path()).1;
        assert_eq!(settled[0].outcome, journal::Outcome::Left);
        assert!(settled[0].to_string().contains("entities/a.ron, entities/d.ron changed since: nothing was touched"));
        let now = all(root.path());
        assert_eq!((&now[Path::new("entities/a.ron")], &now[Path::new("entities/d.ron")]), (&a, &d));
        assert_eq!(now[Path::new("entities/d.ron.new")], "mine");
        assert_eq!(now[Path::new("entities/d.ron.2.new")], new[Path::new("entities/d.ron")]);
        assert_eq!(open(Some(journals.path()), root.path()).1, [], "it is reported once");
        assert_eq!(all(root.path()), now);
    }

    #[test]
    fn what_is_going_on_is_not_touched() {
        let (root, journals) = project();
        let (mut seen, mut n_settled) = (Vec::new(), 0);
        let mut before = |call: &'static str, _: &Path| {
            if call == "rename" {
                let now = all(root.path());
                let settled = open(Some(journals.path()), root.path()).1;
                assert_eq!(all(root.path()), now, "temporary files of a living process stay");
                n_settled += settled.iter().filter(|it| it.is_settled()).count();
                seen.extend(settled.into_iter().map(|it| it.outcome));
            }
            Ok(())
        };
        let mut calls = Calls::refused_by(&mut before);
        let wrote = run_with(writings(root.path()), &log(journals.path()), &mut calls).wrote;
        assert!(wrote.iter().all(|it| it.result.is_ok()));
        assert!(n_settled == 0 && seen.contains(&journal::Outcome::Running), "{seen:?}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_taken_back_has_its_mode_again() {
        use std::os::unix::fs::PermissionsExt as _;
        let (root, journals) = project();
        let file = root.path().join("entities/b.ron");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        half_done(root.path(), journals.path());
        sweep(root.path());
        let settled = open(Some(journals.path()), root.path()).1;
        assert_eq!(settled[0].outcome, journal::Outcome::TakenBack);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
