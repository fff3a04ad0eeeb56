//! The intent of a change of several files: what it is about to do, on disk before the first file is touched and
//! removed after the last. When the process is killed between them, [`settle`] finishes the change or takes it back.
//!
//! Invariants: the new content of every file is on disk before its intent is, and the old content is in the intent
//! itself or beside the file, so that both are possible at any moment; an intent is locked while its process lives, and
//! only one that is not locked is settled; a file that is neither as it was nor as it was to become was changed by
//! another program and is left alone.

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    lock::Locked,
    opened, sealed,
    store::{NEW, UNREAD, folder_of, remove, remove_stale},
};
use crate::{
    io::{
        content_hash,
        staged::{
            Calls, Former, hash_at, is_temporary, permissions_of, put_link, sync_folders_of, target_of, write_by,
        },
    },
    model::DocPath,
};

/// How the name of an intent ends.
const INTENT: &str = "intent";

/// What is appended to the name of a file for the new content that could not be given to it.
const NOT_TAKEN: &str = "new";

/// The same for its former content, where a file has that.
const FORMER: &str = "old";

/// Of the format; another is left alone.
const VERSION: u32 = 1;

/// What is to be done to a file.
pub(in crate::io) struct Planned<'a> {
    /// Where it is, links followed.
    pub(in crate::io) target: &'a Path,
    /// Its new content: where that is on disk, and its hash. `None`: the file is to be removed.
    pub(in crate::io) after: Option<(&'a Path, u64)>,
    /// What it is before; `None` when it is not there.
    pub(in crate::io) before: Option<&'a Former>,
}

/// The first line of the file. The contents of the files before the change follow it, in this order.
#[derive(Serialize, Deserialize)]
struct Record {
    levelwright_intent: u32,
    /// The project's folder.
    root: String,
    /// The folder that the files are in, when it is not the project's.
    base: Option<String>,
    /// What was to be done, as the user gave it.
    command: String,
    files: Vec<FileRecord>,
}

#[derive(Serialize, Deserialize)]
struct FileRecord {
    /// In the folder.
    path: DocPath,
    /// The name of the file beside it that has the new content, and the hash of that; `None`: to be removed.
    after: Option<(String, u64)>,
    /// `None` when it was not there.
    before: Option<BeforeRecord>,
}

#[derive(Serialize, Deserialize)]
struct BeforeRecord {
    hash: u64,
    /// Of the content in this file.
    n_bytes: usize,
    /// The name of the file beside it that is it, where the content is not in this file.
    beside: Option<String>,
    /// The path in it, where it is a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    /// Permissions, on systems that have them as a number.
    mode: Option<u32>,
}

/// The intent of a change that is being made. Dropped without [`Intent::end`] it stays, to be settled by the next
/// command.
#[derive(Debug)]
pub(in crate::io) struct Intent {
    place: PathBuf,
    /// Held for its lock.
    _file: Locked,
}

impl Intent {
    /// Write an intent to disk. `base` is the folder that the files are in, both it and `root` with links followed.
    ///
    /// # Errors
    /// The system's error; then there is none.
    pub(in crate::io) fn begin(
        journals: &Path,
        root: &Path,
        base: &Path,
        command: &str,
        planned: &[Planned<'_>],
        calls: &mut Calls<'_>,
    ) -> io::Result<Self> {
        let record = Record {
            levelwright_intent: VERSION,
            root: root.to_string_lossy().into_owned(),
            base: if base == root { None } else { Some(utf8(base)?.to_owned()) },
            command: command.to_owned(),
            files: planned.iter().map(|planned| record(base, planned)).collect::<io::Result<_>>()?,
        };
        let folder = folder_of(journals, root);
        let id = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), std::process::id());
        let place = folder.join(format!("{}-{id:016x}.{INTENT}", std::process::id()));
        let new = place.with_extension(NEW);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut write = || {
            calls.before("create folder", &folder)?;
            fs::create_dir_all(&folder)?;
            calls.before("create", &new)?;
            let file = options.open(&new).or_else(|_| {
                // Another process may have removed the empty folder just now.
                fs::create_dir_all(&folder)?;
                options.open(&new)
            })?;
            let file = Locked::new(file)?;
            calls.before("write", &new)?;
            (&*file).write_all(sealed(&record).as_bytes())?;
            for planned in planned {
                if let Some(Former::Content(bytes, _)) = planned.before {
                    (&*file).write_all(bytes)?;
                }
            }
            calls.before("sync", &new)?;
            file.sync_data()?;
            calls.before("rename", &place)?;
            fs::rename(&new, &place)?;
            Ok(file)
        };
        let file = write().inspect_err(|_: &io::Error| _ = remove(&new))?;
        sync_folders_of([&*place].into_iter());
        Ok(Self { place, _file: file })
    }

    /// The change is whole, or taken back: there is nothing to settle.
    ///
    /// # Errors
    /// The system's error; then the next command finds a change that needs nothing.
    pub(in crate::io) fn end(self, calls: &mut Calls<'_>) -> io::Result<()> {
        calls.before("remove", &self.place)?;
        // Removed before it is unlocked, or another process could find it meanwhile.
        remove(&self.place)
    }
}

fn record(base: &Path, planned: &Planned<'_>) -> io::Result<FileRecord> {
    let path = planned.target.strip_prefix(base).ok().and_then(Path::to_str).and_then(|path| {
        let path = path.split(std::path::MAIN_SEPARATOR).collect::<Vec<_>>().join("/");
        DocPath::new(&path)
    });
    let path = path.ok_or_else(|| io::Error::other("a file's path cannot be recorded"))?;
    let after = match planned.after {
        Some((temp, hash)) => Some((name_of(temp)?, hash)),
        None => None,
    };
    let mode = mode_of(planned.target);
    let before = match planned.before {
        Some(former) => {
            let mut before = BeforeRecord { hash: former.hash(), n_bytes: 0, beside: None, link: None, mode };
            match former {
                Former::Content(bytes, _) => before.n_bytes = bytes.len(),
                Former::Beside(second, _) => before.beside = Some(name_of(second)?),
                Former::Link(link) => before.link = Some(utf8(link)?.to_owned()),
            }
            Some(before)
        }
        None => None,
    };
    Ok(FileRecord { path, after, before })
}

fn name_of(file: &Path) -> io::Result<String> {
    let name = file.file_name().ok_or(io::ErrorKind::NotFound)?;
    Ok(utf8(Path::new(name))?.to_owned())
}

fn utf8(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::other("a folder's name is not UTF-8"))
}

#[cfg(unix)]
fn mode_of(place: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    permissions_of(place).map(|permissions| permissions.mode())
}

#[cfg(not(unix))]
fn mode_of(_place: &Path) -> Option<u32> {
    None
}

#[cfg(unix)]
fn permissions(mode: Option<u32>) -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    mode.map(fs::Permissions::from_mode)
}

#[cfg(not(unix))]
fn permissions(_mode: Option<u32>) -> Option<fs::Permissions> {
    None
}

/// The outcome of a change that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was done.
    Finished,
    /// All of it was taken back.
    TakenBack,
    /// Neither fits the files that were changed since: nothing was touched. New contents are beside their files.
    Left,
    /// This is why it is neither; it is tried again with the next command.
    Blocked(String),
    /// Its process has not ended.
    Running,
}

/// A change of several files whose process did not end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Where it is recorded.
    pub record: PathBuf,
    /// What was to be done, as the user gave it; empty where the record cannot be read.
    pub command: String,
    /// The files it is about, with their folder when that is not the project's.
    pub files: Vec<String>,
    /// Those of them that were changed since; they are as they were found.
    pub changed: Vec<String>,
    /// Its outcome.
    pub outcome: Outcome,
}

impl Interrupted {
    /// One of which no more is known than where it is recorded.
    fn unknown(record: &Path, outcome: Outcome) -> Self {
        Self { record: record.to_owned(), command: String::new(), files: Vec::new(), changed: Vec::new(), outcome }
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(self.outcome, Outcome::Blocked(_) | Outcome::Running)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        let list = |files: &[String]| {
            let shown = files.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
            match files.len().saturating_sub(SHOWN) {
                0 => shown,
                more => format!("{shown} and {more} more"),
            }
        };
        let (command, files) = (&self.command, list(&self.files));
        let record = self.record.display();
        match &self.outcome {
            Outcome::Finished => write!(f, "`{command}` was interrupted and is finished now: {files}")?,
            Outcome::TakenBack => write!(f, "`{command}` was interrupted and is taken back now: {files}")?,
            Outcome::Left => {
                return write!(
                    f,
                    "`{command}` was interrupted, and {} changed since: nothing was touched in {files}; new contents are \
                     beside the files, their names ending in .{NOT_TAKEN} (former ones of an export in .{FORMER})",
                    list(&self.changed)
                );
            }
            Outcome::Blocked(why) if self.files.is_empty() => {
                return write!(
                    f,
                    "an interrupted change cannot be completed or rolled back ({why}); if the project's files are as they \
                     should be, delete {record}"
                );
            }
            Outcome::Blocked(why) => write!(
                f,
                "`{command}` was interrupted and cannot be completed or rolled back ({why}); files: {files}; once that is \
                 repaired the next command settles it; to keep the files as they are, delete {record}"
            )?,
            Outcome::Running if self.files.is_empty() => {
                return write!(f, "another levelwright process is writing this project");
            }
            Outcome::Running => write!(f, "another levelwright process is running `{command}`; files: {files}")?,
        }
        if self.changed.is_empty() {
            return Ok(());
        }
        write!(f, "; changed since and left as found: {}", list(&self.changed))
    }
}

/// Finish or take back the changes of a project that were interrupted: finish those whose new contents are all there,
/// take back the others.
#[must_use]
pub fn settle(journals: &Path, root: &Path) -> Vec<Interrupted> {
    settle_by(journals, root, &mut Calls::default())
}

pub(in crate::io) fn settle_by(journals: &Path, root: &Path, calls: &mut Calls<'_>) -> Vec<Interrupted> {
    let mut settled = Vec::new();
    let folder = folder_of(journals, root);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(_) if fs::symlink_metadata(&folder).is_err() => return settled,
        Err(why) => return vec![Interrupted::unknown(&folder, Outcome::Blocked(unreadable(&why)))],
    };
    let mut places: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    places.sort();
    for place in places {
        let ending = place.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if ending == NEW {
            remove_stale(&place);
        } else if ending == INTENT {
            // What is unknown may be about any file: nothing may be written until it is settled.
            let unknown = |why| Some(Interrupted::unknown(&place, Outcome::Blocked(unreadable(&why))));
            settled.extend(settle_one(&place, root, calls).unwrap_or_else(unknown));
        }
    }
    settled
}

/// The state in which a file is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// As it was to become.
    Done,
    /// As it was, and what it is to become is there.
    Ready,
    /// As it was, and what it is to become is not there.
    Lost,
    /// Neither; it was given its new content before.
    ChangedAfter,
    /// Neither; it was not.
    ChangedBefore,
}

/// A record with the contents before.
struct Read {
    record: Record,
    before: Vec<Option<Vec<u8>>>,
}

fn unreadable(why: &io::Error) -> String {
    format!("its record cannot be read: {why}")
}

/// `None` when the change ended meanwhile, or is of another project.
fn settle_one(place: &Path, root: &Path, calls: &mut Calls<'_>) -> io::Result<Option<Interrupted>> {
    let file = match OpenOptions::new().read(true).write(true).open(place) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let locked = Locked::take(file)?;
    let is_running = locked.is_err();
    let read = match read(locked.as_deref().unwrap_or_else(|file| file)) {
        // Some systems do not let others read what is locked.
        Err(_) if is_running => return Ok(Some(Interrupted::unknown(place, Outcome::Running))),
        read => read?,
    };
    if read.record.root != root.to_string_lossy() || !place.exists() {
        return Ok(None);
    }
    Ok(Some(settle_record(place, root, read, is_running, calls)))
}

fn settle_record(
    place: &Path,
    root: &Path,
    Read { record, before }: Read,
    is_running: bool,
    calls: &mut Calls<'_>,
) -> Interrupted {
    let base = record.base.as_deref().map_or(root, Path::new);
    let shown = |path: &DocPath| match &record.base {
        Some(base) => format!("{base}/{path}"),
        None => path.to_string(),
    };
    let files = record.files.iter().map(|file| shown(&file.path)).collect();
    let command = record.command.clone();
    let mut it = Interrupted { command, files, ..Interrupted::unknown(place, Outcome::Running) };
    if is_running {
        return it;
    }
    let states = record.files.iter().map(|file| state_of(base, file)).collect::<Result<Vec<State>, String>>();
    let states = match states {
        Ok(states) => states,
        Err(why) => return Interrupted { outcome: Outcome::Blocked(why), ..it },
    };
    let is_changed = |state: &State| matches!(state, State::ChangedAfter | State::ChangedBefore);
    let changed = record.files.iter().zip(&states).filter(|(_, state)| is_changed(state));
    it.changed = changed.map(|(file, _)| shown(&file.path)).collect();
    let files = || record.files.iter().zip(&states);
    let targets = || record.files.iter().map(|file| base.join(file.path.as_str()));
    let done = if !states.iter().any(|state| matches!(state, State::Lost | State::ChangedBefore)) {
        let mut ready = files().filter(|(_, state)| **state == State::Ready);
        ready.try_for_each(|(file, _)| finish(base, file, calls)).map(|()| Outcome::Finished)
    } else if !states.contains(&State::ChangedAfter) && files().all(|(file, state)| has_former(base, file, *state)) {
        let done = files().zip(&before).filter(|((_, state), _)| **state == State::Done);
        let taken_back = done.map(|((file, _), before)| take_back(base, file, before.as_deref(), calls));
        taken_back.collect::<Result<(), _>>().map(|()| Outcome::TakenBack)
    } else {
        Ok(Outcome::Left)
    };
    let places: Vec<PathBuf> = targets().collect();
    let ended = done.and_then(|outcome| {
        sync_folders_of(places.iter().map(PathBuf::as_path));
        let of_record = |why: io::Error| format!("its record cannot be removed: {why}");
        if outcome == Outcome::Left {
            record.files.iter().try_for_each(|file| put_beside(base, file))?;
            // It has what the files were.
            calls.before("rename", place).map_err(of_record)?;
            fs::rename(place, place.with_extension(UNREAD)).map_err(of_record)?;
        } else {
            calls.before("remove", place).map_err(of_record)?;
            remove(place).map_err(of_record)?;
        }
        Ok(outcome)
    });
    it.outcome = match ended {
        Ok(outcome) => outcome,
        Err(why) => return Interrupted { outcome: Outcome::Blocked(why), ..it },
    };
    for file in &record.files {
        // What was taken back is not needed any more, nor is what was replaced.
        for temp in [temp_of(base, file), former_of(base, file)].into_iter().flatten() {
            let _ = fs::remove_file(temp);
        }
    }
    it
}

/// The content of an intent.
///
/// # Errors
/// The system's error, or it is not whole, or of another version.
fn read(mut file: &File) -> io::Result<Read> {
    let damaged = || io::Error::other("it is damaged, or another version of Levelwright wrote it");
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (line, mut rest) = bytes.split_at(end);
    let Some(record) = opened::<Record>(line).filter(|record| record.levelwright_intent == VERSION) else {
        return Err(damaged());
    };
    let mut before = Vec::new();
    for file in &record.files {
        before.push(match &file.before {
            Some(it) => {
                let Some((bytes, after)) = rest.split_at_checked(it.n_bytes) else { return Err(damaged()) };
                rest = after;
                if it.beside.is_none() && it.link.is_none() && content_hash(bytes) != it.hash {
                    return Err(damaged());
                }
                Some(bytes.to_vec())
            }
            None => None,
        });
    }
    Ok(Read { record, before })
}

/// Where a file is. A link is not followed: what is done is done to the link.
fn place_of(base: &Path, path: &DocPath) -> Result<PathBuf, String> {
    let place = base.join(path.as_str());
    let folder = target_of(place.parent().unwrap_or(base));
    let is_inside = folder.starts_with(target_of(base));
    if is_inside { Ok(place) } else { Err(format!("{path} leads outside its folder")) }
}

/// Where a file's new content is, or was.
fn temp_of(base: &Path, file: &FileRecord) -> Option<PathBuf> {
    let (name, _) = file.after.as_ref()?;
    beside(base, file, name)
}

/// Where the file that it was is, or was, unless its content is in the intent.
fn former_of(base: &Path, file: &FileRecord) -> Option<PathBuf> {
    beside(base, file, file.before.as_ref()?.beside.as_ref()?)
}

fn beside(base: &Path, file: &FileRecord, name: &str) -> Option<PathBuf> {
    let is_name = !name.contains(['/', std::path::MAIN_SEPARATOR]) && is_temporary(name);
    is_name.then(|| base.join(file.path.as_str()).with_file_name(name))
}

fn state_of(base: &Path, file: &FileRecord) -> Result<State, String> {
    let because = |error: io::Error| refused(&file.path, "read", &error);
    let now = hash_at(&place_of(base, &file.path)?).map_err(because)?;
    let after = file.after.as_ref().map(|(_, hash)| *hash);
    if now == after {
        return Ok(State::Done);
    }
    let temp = temp_of(base, file).map_or(Ok(None), |temp| hash_at(&temp)).map_err(because)?;
    let is_there = temp.is_some() || file.after.is_none();
    Ok(match now == file.before.as_ref().map(|before| before.hash) {
        true if temp == after => State::Ready,
        true => State::Lost,
        false if is_there => State::ChangedBefore,
        false => State::ChangedAfter,
    })
}

/// Whether a file in this state can be what it was.
fn has_former(base: &Path, file: &FileRecord, state: State) -> bool {
    let is_known = |former: PathBuf| {
        let hash = file.before.as_ref().map(|before| before.hash);
        hash_at(&former).is_ok_and(|found| found == hash)
    };
    state != State::Done || former_of(base, file).is_none_or(is_known)
}

fn refused(path: &DocPath, action: &str, error: &io::Error) -> String {
    format!("{path} could not be {action}: {}", crate::io::staged::in_words(error))
}

fn finish(base: &Path, file: &FileRecord, calls: &mut Calls<'_>) -> Result<(), String> {
    let place = place_of(base, &file.path)?;
    let (action, result) = match temp_of(base, file) {
        Some(temp) => ("written", calls.before("rename", &place).and_then(|()| fs::rename(temp, &place))),
        None => ("removed", calls.before("remove", &place).and_then(|()| fs::remove_file(&place))),
    };
    result.map_err(|error| refused(&file.path, action, &error))
}

fn take_back(base: &Path, file: &FileRecord, before: Option<&[u8]>, calls: &mut Calls<'_>) -> Result<(), String> {
    let place = place_of(base, &file.path)?;
    let mode = file.before.as_ref().and_then(|before| before.mode);
    let link = file.before.as_ref().and_then(|before| before.link.as_ref());
    let (action, result) = match (link, former_of(base, file), before) {
        (Some(link), ..) => ("written", put_link(&place, Path::new(link), calls)),
        (None, Some(former), _) => {
            ("written", calls.before("rename", &place).and_then(|()| fs::rename(former, &place)))
        }
        (None, None, Some(bytes)) => ("written", write_by(&place, bytes, permissions(mode), calls)),
        (None, None, None) => ("removed", calls.before("remove", &place).and_then(|()| fs::remove_file(&place))),
    };
    result.map_err(|error| refused(&file.path, action, &error))
}

/// Leave what a file was to be, and what it was, under names beside it, unless it is that now. The temporary files stay
/// until the record is gone, so that a settling that is interrupted here decides the same when it is repeated.
fn put_beside(base: &Path, file: &FileRecord) -> Result<(), String> {
    let now = hash_at(&place_of(base, &file.path)?).unwrap_or_default();
    for (content, ending) in [(temp_of(base, file), NOT_TAKEN), (former_of(base, file), FORMER)] {
        let Some(content) = content else { continue };
        let copied = hash_at(&content).and_then(|hash| match hash {
            Some(hash) if now != Some(hash) => copy_to_free_name(&content, hash, base, &file.path, ending),
            _ => Ok(()),
        });
        copied.map_err(|error| refused(&file.path, "copied", &error))?;
    }
    Ok(())
}

/// Copy a file to the first name beside `path` that is free, unless an earlier one has that content.
fn copy_to_free_name(content: &Path, hash: u64, base: &Path, path: &DocPath, ending: &str) -> io::Result<()> {
    for n in 1.. {
        let number = if n == 1 { String::new() } else { format!("{n}.") };
        let place = base.join(format!("{path}.{number}{ending}"));
        match hash_at(&place)? {
            Some(there) if there == hash => break,
            Some(_) => {}
            None => {
                fs::copy(content, place)?;
                break;
            }
        }
    }
    Ok(())
}
