//! The files of journals: one for each running program, in a folder for each project.
//!
//! Invariants: a file under its name is a whole journal at any moment, whatever happens while it is written to; a
//! process that has a file open for longer than to read its length has it locked; no process removes a file that
//! another has locked.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{Journal, Mine, Recovered, Unsaved, lock::Locked, read};
use crate::io::{content_hash, staged::STALE};

/// How a journal's name ends.
const JOURNAL: &str = "journal";

/// How the name of a journal ends of which something could not be read.
pub(super) const UNREAD: &str = "unread";

/// How the name of a journal ends that is to take another's place.
pub(super) const NEW: &str = "new";

/// A file shorter than this is not written anew to make it shorter.
const SHORT: u64 = 1 << 20;

/// Longer ones are not read.
const MAX_BYTES: u64 = 1 << 30;

/// The user's folder for journals, if the system has a place for the state of programs.
#[must_use]
pub fn home() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "levelwright")?;
    Some(dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).join("journals"))
}

/// The folder for a project's journals in the folder for all of them.
#[must_use]
pub fn folder_of(journals: &Path, root: &Path) -> PathBuf {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).take(40).collect();
    journals.join(format!("{name}-{:016x}", content_hash(root.as_os_str().as_encoded_bytes())))
}

/// The journal of a running program.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    root: String,
    journal: Journal,
    /// The file, as long as something is not saved: locked, and how much of it is good.
    file: Option<(Locked, u64)>,
    place: PathBuf,
    /// A write failed: the file's content is not known.
    is_stale: bool,
}

impl Store {
    /// The journal for a project, in the folder for all of them. Nothing is written yet.
    #[must_use]
    pub fn new(journals: &Path, root: &Path) -> Self {
        let folder = folder_of(journals, root);
        // Two programs that run at once have two numbers, and so have two windows of one.
        let id = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), std::process::id());
        let place = folder.join(format!("{}-{id:016x}.{JOURNAL}", std::process::id()));
        let root = root.to_string_lossy().into_owned();
        Self { folder, root, journal: Journal::default(), file: None, place, is_stale: false }
    }

    /// Where it is, when there is something in it.
    #[must_use]
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Bring the journal to the content of exactly these unsaved documents. Without any there is no file.
    ///
    /// # Errors
    /// The system's error; then the journal has its former content, and the next time all of it is written anew.
    pub fn keep(&mut self, unsaved: Vec<Unsaved>) -> io::Result<()> {
        let secs = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        // Until all has gone well.
        let was_stale = std::mem::replace(&mut self.is_stale, true);
        match self.journal.line(unsaved, secs) {
            None if !was_stale => {}
            _ if self.journal.is_empty() => self.forget()?,
            Some(line) if !was_stale && !self.is_too_long(line.len()) => self.append(&line, secs)?,
            _ => self.replace(secs)?,
        }
        self.is_stale = false;
        Ok(())
    }

    fn is_too_long(&self, more: usize) -> bool {
        let n_bytes = self.file.as_ref().map_or(0, |(_, n)| *n) + more as u64;
        n_bytes > SHORT && n_bytes > 4 * self.journal.n_bytes() as u64
    }

    fn append(&mut self, line: &str, secs: u64) -> io::Result<()> {
        let Some((file, n_bytes)) = &mut self.file else { return self.replace(secs) };
        (&**file).write_all(line.as_bytes())?;
        file.sync_data()?;
        *n_bytes += line.len() as u64;
        Ok(())
    }

    /// Write all of it anew, beside the old one until it is whole.
    fn replace(&mut self, secs: u64) -> io::Result<()> {
        let text = self.journal.whole(&self.root, secs);
        let new = self.place.with_extension(NEW);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            // It holds the content of the project's files, which other users may not be allowed to read.
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        fs::create_dir_all(&self.folder)?;
        let file = Locked::new(options.open(&new)?)?;
        let written = (&*file).write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.and_then(|()| fs::rename(&new, &self.place)).inspect_err(|_| {
            let _ = fs::remove_file(&new);
        })?;
        self.file = Some((file, text.len() as u64));
        Ok(())
    }

    /// Nothing is to be offered of what is not saved.
    ///
    /// # Errors
    /// The system's error.
    pub fn forget(&mut self) -> io::Result<()> {
        self.journal = Journal::default();
        if self.file.is_some() {
            // Removed before it is unlocked, or another process could find it meanwhile.
            remove(&self.place)?;
            self.file = None;
        }
        Ok(())
    }
}

/// Remove a journal, and its folder with the last one.
pub(super) fn remove(place: &Path) -> io::Result<()> {
    match fs::remove_file(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    if let Some(folder) = place.parent() {
        // Refused where something is in it.
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// A journal of a process that ended. It is locked while this is held, so that no other process offers the same.
#[derive(Debug)]
pub struct Found {
    /// What was not saved, by path.
    pub entries: Vec<Recovered>,
    /// When it was last written to, in seconds since 1970.
    pub secs: u64,
    place: PathBuf,
    /// Held for its lock.
    _file: Locked,
}

impl Found {
    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Where it will be once it was restored, because something of it cannot be read.
    #[must_use]
    pub fn put_aside(&self) -> Option<PathBuf> {
        let has_unreadable = self.entries.iter().any(|entry| matches!(entry.mine, Mine::Unreadable));
        has_unreadable.then(|| self.place.with_extension(UNREAD))
    }

    /// Remove it: its content is not wanted.
    ///
    /// # Errors
    /// The system's error.
    pub fn discard(self) -> io::Result<()> {
        remove(&self.place)
    }

    /// What could be read of it is somewhere else by now. What could not is kept, not to be offered again. Repeating it
    /// has no effect.
    ///
    /// # Errors
    /// The system's error.
    pub fn retire(&self) -> io::Result<()> {
        match self.put_aside() {
            Some(aside) => match fs::rename(&self.place, aside) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                renamed => renamed,
            },
            None => remove(&self.place),
        }
    }
}

/// The journals of a project that no running program writes to, the newest first. What is none, is damaged from its
/// start, or is of another project is left alone.
#[must_use]
pub fn find(journals: &Path, root: &Path) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let Ok(files) = fs::read_dir(folder_of(journals, root)) else { return found };
    let root = root.to_string_lossy();
    for place in files.flatten().map(|entry| entry.path()) {
        let ending = place.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if ending == NEW {
            remove_stale(&place);
        } else if ending == JOURNAL {
            match open(&place, &root) {
                Ok(Some(it)) => found.push(it),
                Ok(None) => {}
                Err(why) => tracing::warn!("{}: {why}", place.display()),
            }
        }
    }
    found.sort_by(|a, b| b.secs.cmp(&a.secs).then_with(|| a.place.cmp(&b.place)));
    found
}

/// A journal; `None` when a running program has it, or it is none of this project.
fn open(place: &Path, root: &str) -> io::Result<Option<Found>> {
    // Opened for writing, which the lock needs; without permission to write it is left alone.
    let file = OpenOptions::new().read(true).write(true).open(place)?;
    let Ok(file) = Locked::take(file)? else { return Ok(None) };
    let n_bytes = file.metadata()?.len();
    if n_bytes > MAX_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    (&*file).seek(SeekFrom::Start(0))?;
    (&*file).take(MAX_BYTES).read_to_end(&mut bytes)?;
    let Some(replayed) = read(&bytes).filter(|replayed| replayed.root == root) else { return Ok(None) };
    let entries = replayed.entries.iter().filter_map(|(path, entry)| Recovered::of(path, entry)).collect();
    Ok(Some(Found { entries, secs: replayed.secs, place: place.to_owned(), _file: file }))
}

/// Remove a file that was begun a long time ago.
pub(super) fn remove_stale(place: &Path) {
    let age = fs::metadata(place).and_then(|meta| meta.modified()).map(|at| at.elapsed().unwrap_or_default());
    if age.is_ok_and(|age| age > STALE) {
        let _ = fs::remove_file(place);
    }
}
