//! Files written together: all of what one save is about, or nothing of it.
//!
//! Everything that can be refused is tried first: each file's new text is written beside it, and only when all of them are on
//! disk do they take their places, one by one. Should that stop halfway, what was put in place is taken back.
//!
//! Invariant: each [`Wrote`] says what is on disk, also where taking back was refused.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Meanwhile, SaveError, Source, Writing, Wrote, content_hash,
    save::{Staged, bytes_of, inside, is_there, stage, write},
};
use crate::model::DocPath;

/// A writing that has only to be carried out.
struct Ready {
    path: DocPath,
    /// Where the file is.
    place: PathBuf,
    /// Where it comes from: there it was, and this it said.
    from: Option<(PathBuf, Vec<u8>)>,
    /// What the file says before; `None` when it is not there.
    before: Option<Vec<u8>>,
    /// The new content, beside it; `None` when it says that already.
    staged: Option<Staged>,
    /// What it will be; `None`: gone.
    source: Option<Source>,
}

/// Write files and remove them, if they are what they were when they were read. A file that cannot be written, or that would
/// leave the project, holds back all others. One that is another by now, or broken, is a question of its own: it holds back
/// the others only if `is_strict`.
#[must_use]
pub fn run_together(writings: Vec<Writing>, is_strict: bool) -> Vec<Wrote> {
    run_with(writings, is_strict, &mut |_| Ok(()))
}

/// As [`run_together`]; `before_each` is asked before a file is touched.
fn run_with(
    writings: Vec<Writing>,
    is_strict: bool,
    before_each: &mut dyn FnMut(&DocPath) -> io::Result<()>,
) -> Vec<Wrote> {
    let mut wrote: Vec<Wrote> = Vec::new();
    let mut ready = Vec::new();
    for writing in Writing::drafted(writings) {
        let document = writing.document().cloned();
        let path = writing.path().clone();
        let result = prepare(writing);
        let is_moved = result.as_ref().is_ok_and(|it| it.from.is_some());
        wrote.push(match result {
            Ok(it) => {
                let source = it.source.clone();
                ready.push((wrote.len(), it));
                Wrote { path, document, is_moved, result: Ok(source) }
            }
            Err(why) => Wrote { path, document, is_moved, result: Err(why) },
        });
    }
    let holds_back = |why: &SaveError| is_strict || !is_question(why);
    let mut stopped = wrote.iter().find(|it| it.result.as_ref().is_err_and(holds_back)).map(|it| it.path.clone());
    let mut done: Vec<(usize, Vec<Undo>)> = Vec::new();
    for (at, it) in ready {
        let mut undo = Vec::new();
        let path = it.path.clone();
        let result = if stopped.is_some() { Ok(()) } else { it.carry_out(before_each, &mut undo) };
        match result {
            Ok(()) => done.push((at, undo)),
            Err(why) => {
                if holds_back(&why) {
                    stopped = Some(path);
                }
                wrote[at].is_moved &= take_back(undo).is_err();
                wrote[at].result = Err(why);
            }
        }
    }
    if let Some(because) = stopped {
        for (at, undo) in done.into_iter().rev() {
            // What cannot be taken back stays, and is told of as it is.
            if take_back(undo).is_ok() {
                wrote[at].is_moved = false;
                let (path, because) = (wrote[at].path.clone(), because.clone());
                wrote[at].result = Err(SaveError::HeldBack { path, because });
            }
        }
    }
    wrote
}

/// Whether the user is asked about it.
fn is_question(why: &SaveError) -> bool {
    matches!(why, SaveError::Conflict { .. } | SaveError::Broken { .. })
}

fn prepare(writing: Writing) -> Result<Ready, SaveError> {
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
    let refused = |error| SaveError::Io { path: path.clone(), action: "written", error };
    let staged = match &source {
        Some(source) if hash != Some(source.hash) => {
            let was = from.as_ref().map_or(&place, |(at, _)| at);
            Some(stage(&place, source.text.as_bytes(), was).map_err(refused)?)
        }
        _ => None,
    };
    Ok(Ready { path, place, from, before, staged, source })
}

impl Ready {
    /// Put in place what was made ready. What was done is noted, also where the rest is refused.
    fn carry_out(
        self,
        before_each: &mut dyn FnMut(&DocPath) -> io::Result<()>,
        undo: &mut Vec<Undo>,
    ) -> Result<(), SaveError> {
        let Self { path, place, from, before, staged, source } = self;
        if from.is_none() && staged.is_none() && source.is_some() {
            return Ok(());
        }
        // Making ready takes its time: whoever wrote meanwhile is not overwritten either.
        let is_as_read = |place: &Path, bytes: Option<&[u8]>| match fs::read(place) {
            Ok(now) => Some(&*now) == bytes,
            Err(error) => error.kind() == io::ErrorKind::NotFound && bytes.is_none(),
        };
        let is_from_as_read = from.as_ref().is_none_or(|(at, bytes)| is_as_read(at, Some(bytes)));
        if !is_from_as_read || !is_as_read(&place, before.as_deref()) {
            return Err(SaveError::Conflict { path, what: Meanwhile::Changed });
        }
        let refused = |action| {
            let path = path.clone();
            move |error| SaveError::Io { path, action, error }
        };
        before_each(&path).map_err(refused("written"))?;
        let mut before = before;
        if let Some((was, bytes)) = from {
            place.parent().map_or(Ok(()), fs::create_dir_all).map_err(refused("moved"))?;
            fs::rename(&was, &place).map_err(refused("moved"))?;
            undo.push(Undo::Moved { was, place: place.clone() });
            before = Some(bytes);
        }
        if let Some(staged) = staged {
            staged.put().map_err(refused("written"))?;
            undo.push(Undo::Put { place, before });
        } else if source.is_none() && before.is_some() {
            fs::remove_file(&place).map_err(refused("removed"))?;
            undo.push(Undo::Put { place, before });
        }
        Ok(())
    }
}

/// What was done to a file.
enum Undo {
    /// It was somewhere else.
    Moved {
        /// There.
        was: PathBuf,
        /// Where it is.
        place: PathBuf,
    },
    /// It said something else.
    Put {
        /// Where it is.
        place: PathBuf,
        /// That; `None` when it was not there.
        before: Option<Vec<u8>>,
    },
}

fn take_back(undo: Vec<Undo>) -> io::Result<()> {
    undo.into_iter().rev().try_for_each(|done| match done {
        Undo::Moved { was, place } => fs::rename(place, was),
        Undo::Put { place, before: Some(bytes) } => write(&place, &bytes),
        Undo::Put { place, before: None } => fs::remove_file(place),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use std::sync::Arc;

    use super::*;
    use crate::{
        io::load,
        model::{Document, EntitiesFile},
    };

    /// What is refused at the very last, after others were written, cannot be had from a disk at will.
    #[test]
    fn what_stops_halfway_is_taken_back() {
        let root = tempfile::tempdir().unwrap();
        let entities = root.path().join("entities");
        fs::create_dir(&entities).unwrap();
        fs::write(root.path().join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
        for name in ["a", "b", "c", "d"] {
            fs::write(entities.join(format!("{name}.ron")), format!("{{ \"{name}\": () }} // {name}\n")).unwrap();
        }
        let all = || {
            let mut all: Vec<_> = fs::read_dir(&entities).unwrap().map(|it| it.unwrap().path()).collect();
            all.sort();
            all.into_iter().map(|at| (fs::read_to_string(&at).unwrap(), at)).collect::<Vec<_>>()
        };
        let before = all();
        let path = |name: &str| DocPath::new(&format!("entities/{name}.ron")).unwrap();
        let empty = Arc::new(Document::Entities(EntitiesFile::default()));
        let loaded = load(root.path());
        let writings = || {
            vec![
                loaded.sources.writing(&path("a"), Some(&empty), false),
                loaded.sources.writing(&path("new"), Some(&empty), false),
                loaded.sources.writing(&path("b"), None, false),
                loaded.sources.moving(&path("c"), &path("moved"), &empty),
                loaded.sources.writing(&path("d"), Some(&empty), false),
            ]
        };
        let mut touched = Vec::new();
        let wrote = run_with(writings(), false, &mut |at| {
            touched.push(at.clone());
            if *at == path("d") { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        });
        assert_eq!(touched.len(), 5);
        assert_eq!(all(), before);
        let whys: Vec<_> = wrote.iter().map(|it| it.result.as_ref().unwrap_err().to_string()).collect();
        assert_eq!(whys[0], "entities/a.ron was not saved, because entities/d.ron could not be");
        assert_eq!(whys[4], "entities/d.ron could not be written: the disk is full");
        assert!(wrote.iter().all(|it| !it.is_moved));

        let wrote = run_together(writings(), false);
        assert!(wrote.iter().all(|it| it.result.is_ok()));
        let names: Vec<_> = all().into_iter().map(|(_, at)| at.file_stem().unwrap().to_owned()).collect();
        assert_eq!(names, ["a", "d", "moved", "new"]);
        assert!(fs::read_to_string(entities.join("moved.ron")).unwrap().contains("// c"), "comments move along");
    }
}
