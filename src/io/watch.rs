//! Notices when other programs change the project's files.
//!
//! Every folder is watched by itself, without the hidden ones. What the system reports is gathered until it settles: a
//! file that was closed or moved into place is reported at once (many files: when the last of them is), one that was
//! removed or is being written after a delay, because most programs save by removing and writing. No change is lost:
//! where the system reports that it lost events, everything is compared by content ([`DiskChange::rescan`]). The same
//! when the project's folder was missing and is back.
//!
//! Whether a file really changed, or this program saved it, is found out by [`super::changed`], by content.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, mem,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use notify::{
    Config, Event, EventKind, RecommendedWatcher, RecursiveMode,
    event::{AccessKind, AccessMode, ModifyKind, RenameMode},
};

use super::DiskChange;
use crate::model::DocPath;

/// A file that was closed or moved into place soon after another: just long enough for its neighbors to come along.
const SETTLED: Duration = Duration::from_millis(3);
/// How long after a report a file that was closed or moved into place is reported at once.
const QUIET: Duration = Duration::from_millis(10);
/// A file that is gone: long enough for a program that saves it to put it back.
const GONE: Duration = Duration::from_millis(40);
/// A file that came: long enough to be written.
const NEW: Duration = Duration::from_millis(50);
/// A file that is open for writing: long enough to be closed. Half of it must not be read, so this may be
/// long where the system reports that a file was closed.
const OPEN: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 1000 } else { 50 });
/// How often a missing project folder is searched, and how soon a batch is offered again that was not fetched.
const RETRY: Duration = Duration::from_millis(50);
/// Events between the system and the thread that gathers them.
const MAX_EVENTS: usize = 1 << 16;
/// Batches that were not fetched; more are merged into the last.
const MAX_BATCHES: usize = 8;
/// How deep folders are watched.
const MAX_DEPTH: usize = 64;

/// Why a project cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("changes by other programs will not be noticed: {0}")]
pub struct WatchError(#[from] notify::Error);

/// Watches a project for as long as it lives.
pub struct Watcher {
    changes: Receiver<DiskChange>,
    // Dropped first, which ends the gathering thread.
    system: Option<Arc<System>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// The system's watcher, shared with the thread that adds folders to it.
struct System {
    watcher: std::sync::Mutex<Option<RecommendedWatcher>>,
}

impl Watcher {
    /// Watch the project in a folder. `wake` is called from another thread whenever there is something to fetch.
    ///
    /// # Errors
    /// The system does not let us watch, most often because too many things are watched already.
    pub fn new(root: &Path, wake: impl Fn() + Send + 'static) -> Result<Self, WatchError> {
        let (to_thread, events) = bounded::<Event>(MAX_EVENTS);
        let (to_user, changes) = bounded(MAX_BATCHES);
        let is_full = Arc::new(AtomicBool::new(false));
        let overflow = Arc::clone(&is_full);
        let handler = move |event: notify::Result<Event>| {
            // The system's thread must never wait: events would be lost without a report.
            let sent = event.is_ok_and(|event| !is_of_interest(&event) || to_thread.try_send(event).is_ok());
            if !sent {
                overflow.store(true, Ordering::Release);
            }
        };
        let watcher =
            <RecommendedWatcher as notify::Watcher>::new(handler, Config::default().with_follow_symlinks(false))?;
        let system = Arc::new(System { watcher: std::sync::Mutex::new(Some(watcher)) });
        let mut gather = Gather {
            root: root.to_owned(),
            system: Arc::clone(&system),
            real_root: root.canonicalize().ok(),
            watched: BTreeSet::new(),
            links: BTreeMap::new(),
            pending: BTreeMap::new(),
            ready: DiskChange::default(),
            told_at: None,
            is_away: false,
            moved: None,
        };
        gather.system.watch(root)?;
        gather.watched.insert(root.to_owned());
        gather.add_folders_below(root, 0, None);
        let thread =
            thread::Builder::new().name("watch".into()).spawn(move || gather.run(&events, &is_full, &to_user, &wake));
        let thread = thread.map_err(notify::Error::io)?;
        Ok(Self { changes, system: Some(system), thread: Some(thread) })
    }

    /// Where changes arrive, in batches.
    #[must_use]
    pub fn changes(&self) -> &Receiver<DiskChange> {
        &self.changes
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Without the system's watcher the channel of events closes, and the thread ends.
        if let Some(system) = self.system.take() {
            system.close();
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl System {
    fn watch(&self, folder: &Path) -> notify::Result<()> {
        use notify::Watcher as _;
        let mut watcher = self.watcher.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        watcher.as_mut().map_or(Ok(()), |watcher| watcher.watch(folder, RecursiveMode::NonRecursive))
    }

    fn forget(&self, folder: &Path) {
        use notify::Watcher as _;
        let mut watcher = self.watcher.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(watcher) = watcher.as_mut() {
            let _ = watcher.unwatch(folder);
        }
    }

    fn close(&self) {
        let watcher = self.watcher.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        drop(watcher);
    }
}

fn is_of_interest(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => event.need_rescan(),
        _ => true,
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_none_or(|name| name.starts_with('.'))
}

struct Gather {
    root: PathBuf,
    system: Arc<System>,
    real_root: Option<PathBuf>,
    watched: BTreeSet<PathBuf>,
    /// The targets of links in the project: the system reports changes by the target's path only.
    links: BTreeMap<PathBuf, PathBuf>,
    /// What changed, and when it will have settled.
    pending: BTreeMap<PathBuf, Instant>,
    /// What has settled and could not be handed over yet.
    ready: DiskChange,
    /// The time of the last report.
    told_at: Option<Instant>,
    /// The project's folder is not there.
    is_away: bool,
    /// The last thing that was moved away, with what the system calls its move, and when it will have settled.
    moved: Option<(usize, PathBuf, Instant)>,
}

impl Gather {
    fn run(mut self, events: &Receiver<Event>, is_full: &AtomicBool, to_user: &Sender<DiskChange>, wake: &dyn Fn()) {
        loop {
            let event = match self.wait() {
                Some(wait) => events.recv_timeout(wait),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(event) => {
                    self.note(&event);
                    while let Ok(event) = events.try_recv() {
                        self.note(&event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if is_full.swap(false, Ordering::AcqRel) {
                self.ready.rescan = true;
            }
            self.come_back();
            if self.ready.rescan {
                // Folders may have been made without an event.
                let root = self.root.clone();
                self.add_folders_below(&root, 0, None);
            }
            self.settle();
            if self.ready != DiskChange::default() {
                match to_user.try_send(mem::take(&mut self.ready)) {
                    Ok(()) => self.told_at = Some(Instant::now()),
                    Err(TrySendError::Full(change)) => self.ready = change,
                    Err(TrySendError::Disconnected(_)) => return,
                }
                wake();
            }
        }
    }

    /// How long to wait for events; `None`: for as long as it takes.
    fn wait(&self) -> Option<Duration> {
        let retry = (self.is_away || self.ready != DiskChange::default()).then_some(RETRY);
        let next = self.pending.values().min().map(|at| at.saturating_duration_since(Instant::now()));
        match (retry, next) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn note(&mut self, event: &Event) {
        if event.need_rescan() {
            self.ready.rescan = true;
        }
        let now = Instant::now();
        let count = event.paths.len();
        let settled = if self.told_at.is_some_and(|at| now < at + QUIET) { SETTLED } else { Duration::ZERO };
        for (i, path) in event.paths.iter().enumerate() {
            if is_hidden(path) && *path != self.root {
                continue;
            }
            let wait = match event.kind {
                EventKind::Access(_) => settled,
                EventKind::Modify(ModifyKind::Name(mode)) => match mode {
                    RenameMode::To => settled,
                    // The first of two is the old name.
                    RenameMode::Both if i + 1 == count => settled,
                    _ => GONE,
                },
                EventKind::Remove(_) => GONE,
                EventKind::Create(_) => NEW,
                _ => OPEN,
            };
            let mut at = now + wait;
            let went = match event.kind {
                EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => true,
                EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => i + 1 < count,
                _ => false,
            };
            if let EventKind::Modify(ModifyKind::Name(mode)) = event.kind
                && let Some(tracker) = event.tracker()
            {
                match &self.moved {
                    // A document, or a folder of them, that has another name: both names are reported together. Other
                    // files get a document's name when programs save.
                    Some((id, from, settles)) if *id == tracker => {
                        if went {
                            continue;
                        }
                        if from.extension() == path.extension() {
                            at = *settles;
                        }
                    }
                    _ if mode == RenameMode::From => self.moved = Some((tracker, path.clone(), at)),
                    _ => {}
                }
            }
            // A folder reports its own move as well, a little later and without the move's id.
            if went
                && let Some((_, from, settles)) = &self.moved
                && from == path
                && *settles > now
            {
                at = *settles;
            }
            if went && *path == self.root {
                self.go_away();
                continue;
            }
            if went && self.links.remove(path).is_some() {
                self.ready.rescan = true;
            }
            if self.watched.contains(path) {
                if went {
                    self.forget_below(path);
                    if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir()) {
                        // It is back under its name, or the system reported an earlier move late.
                        self.add_folder(path, Some(at));
                    }
                }
            } else if matches!(event.kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)))
                && fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
            {
                // Watched first and listed afterwards, so that no file is missed.
                self.add_folder(path, Some(if wait == NEW { at } else { at.max(now + SETTLED) }));
            }
            if !went && matches!(event.kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))) {
                self.note_link(path);
            }
            for link in self.led_here(path) {
                self.pending.insert(link, at);
            }
            self.pending.insert(path.clone(), at);
        }
    }

    /// The project's folder was moved or removed: what is open stays, and is compared when it is back.
    fn go_away(&mut self) {
        let root = self.root.clone();
        self.forget_below(&root);
        self.links.clear();
        self.pending.clear();
        self.is_away = true;
        self.ready.rescan = true;
    }

    fn come_back(&mut self) {
        if self.is_away && self.root.is_dir() && self.system.watch(&self.root).is_ok() {
            self.is_away = false;
            self.real_root = self.root.canonicalize().ok();
            self.watched.insert(self.root.clone());
            self.ready.rescan = true;
        }
    }

    /// Remember where a link leads, if this is one.
    fn note_link(&mut self, path: &Path) {
        if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
            return;
        }
        if let Ok(target) = path.canonicalize() {
            // What is in a folder that a link leads to is new here.
            self.ready.rescan |= target.is_dir();
            self.links.insert(path.to_owned(), target);
        }
    }

    /// The other names of a file, by the links that lead to it or to a folder it is in.
    fn led_here(&self, path: &Path) -> Vec<PathBuf> {
        if self.links.is_empty() {
            return Vec::new();
        }
        let inside = path.strip_prefix(&self.root).ok();
        let Some(real) = self.real_root.as_ref().zip(inside).map(|(root, inside)| root.join(inside)) else {
            return Vec::new();
        };
        let led = |(link, target): (&PathBuf, &PathBuf)| {
            let rest = real.strip_prefix(target).ok()?;
            Some(if rest.as_os_str().is_empty() { link.clone() } else { link.join(rest) })
        };
        self.links.iter().filter_map(led).collect()
    }

    fn settle(&mut self) {
        let now = Instant::now();
        let root = &self.root;
        let ready = &mut self.ready.paths;
        self.pending.retain(|path, at| {
            if *at > now {
                return true;
            }
            let inside = path.strip_prefix(root).ok().and_then(Path::to_str);
            ready.extend(inside.and_then(|inside| DocPath::new(&inside.replace(std::path::MAIN_SEPARATOR, "/"))));
            false
        });
    }

    /// Watch a folder and those in it; the files there are changes that settle at `tell`, if they are changes.
    fn add_folder(&mut self, folder: &Path, tell: Option<Instant>) {
        let depth = folder.strip_prefix(&self.root).map_or(0, |inside| inside.components().count());
        if depth > MAX_DEPTH || !self.watched.insert(folder.to_owned()) {
            return;
        }
        if self.system.watch(folder).is_err() {
            self.watched.remove(folder);
            // Too many folders, or gone again: what is in it can still be compared now and then.
            self.ready.rescan = true;
        }
        self.add_folders_below(folder, depth, tell);
    }

    /// Watch the folders in a folder.
    fn add_folders_below(&mut self, folder: &Path, depth: usize, tell: Option<Instant>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        if depth > MAX_DEPTH {
            return;
        }
        for entry in entries.flatten().filter(|entry| !is_hidden(&entry.path())) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    let path = entry.path();
                    if self.watched.contains(&path) {
                        self.add_folders_below(&path, depth + 1, tell);
                    } else {
                        self.add_folder(&path, tell);
                    }
                }
                Ok(kind) => {
                    if kind.is_symlink()
                        && let Ok(target) = entry.path().canonicalize()
                    {
                        self.links.insert(entry.path(), target);
                    }
                    if let Some(at) = tell {
                        self.pending.insert(entry.path(), at);
                    }
                }
                Err(_) => {}
            }
        }
    }

    fn forget_below(&mut self, folder: &Path) {
        let gone: Vec<PathBuf> = self.watched.iter().filter(|path| path.starts_with(folder)).cloned().collect();
        for path in gone {
            self.system.forget(&path);
            self.watched.remove(&path);
        }
    }
}
