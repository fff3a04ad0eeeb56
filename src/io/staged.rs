//! New content of a file, on disk beside it until it takes its place; and what is left of that when a process is
//! killed.
//!
//! Invariants: a file is wholly old or wholly new at any moment; a temporary file carries the number of the process
//! that made it, so that only those are removed whose process ended and which are some minutes old.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use super::sources::{content_hash, hash_of_file};

/// How the name of a temporary file begins; the number of its process follows.
const PREFIX: &str = ".levelwright-";
/// How it ends.
const SUFFIX: &str = ".tmp";

/// A temporary file younger than this is never removed: its process may be invisible from here, as in another
/// container, where its number means nothing or another process.
pub(super) const YOUNG: Duration = Duration::from_mins(10);

/// A half-written file this old has no writer any more.
pub(super) const STALE: Duration = Duration::from_hours(24);

/// Called before each call that changes the disk; it may refuse the call as a disk would. Used by tests only.
type Before<'a> = dyn FnMut(&'static str, &Path) -> io::Result<()> + 'a;

/// The calls that change the disk, in order.
#[derive(Default)]
pub(super) struct Calls<'a>(Option<&'a mut Before<'a>>);

#[cfg(test)]
impl<'a> Calls<'a> {
    /// Calls that are refused when `before` refuses them.
    pub(super) fn refused_by(before: &'a mut Before<'a>) -> Self {
        Self(Some(before))
    }
}

impl Calls<'_> {
    /// A call is about to be made.
    pub(super) fn before(&mut self, call: &'static str, place: &Path) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |before| before(call, place))
    }
}

/// The system's error in a user's terms.
pub(super) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "it or its folder is read-only".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".into(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".into(),
        io::ErrorKind::NotFound => "its folder is missing".into(),
        _ => error.to_string(),
    }
}

/// Give a file this content, wholly or not at all: a new file beside it takes its place once everything is on disk. The
/// file keeps its mode, and stays where a link to it leads; missing folders are made.
///
/// # Errors
/// The file is read-only, or the system's error; then the file is as it was.
pub fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target_of(place);
    let permissions = permissions_to_keep(&target)?;
    write_by(&target, bytes, permissions, &mut Calls::default())
}

/// As [`write`], with these permissions and no link followed.
pub(super) fn write_by(
    target: &Path,
    bytes: &[u8],
    permissions: Option<fs::Permissions>,
    calls: &mut Calls<'_>,
) -> io::Result<()> {
    stage(target, bytes, permissions, calls)?.put(calls)?;
    sync_folder_of(target);
    Ok(())
}

/// Make a new file with this content, wholly or not at all; missing folders are made.
///
/// # Errors
/// There is a file already, or the system's error.
pub(super) fn write_new(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target_of(place);
    if target.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let staged = stage(&target, bytes, None, &mut Calls::default())?;
    staged.temp.persist_noclobber(&target).map_err(|error| error.error)?;
    sync_folder_of(&target);
    Ok(())
}

/// New content of a file, on disk beside it. Dropped, it is gone again.
#[derive(Debug)]
pub(super) struct Staged {
    temp: tempfile::TempPath,
    target: PathBuf,
}

/// Where a file is, or will be, once links are followed.
pub(super) fn target_of(place: &Path) -> PathBuf {
    if let Ok(real) = place.canonicalize() {
        return real;
    }
    match (place.parent(), place.file_name()) {
        (Some(folder), Some(name)) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            target_of(folder).join(name)
        }
        _ => place.to_owned(),
    }
}

/// The permissions of a file; `None` where there is none.
pub(super) fn permissions_of(place: &Path) -> Option<fs::Permissions> {
    fs::metadata(place).ok().map(|meta| meta.permissions())
}

/// The permissions of a file that is to have other content: the new file gets them. A rename would replace a read-only
/// file too, so this is where it is protected.
///
/// # Errors
/// It is read-only.
pub(super) fn permissions_to_keep(target: &Path) -> io::Result<Option<fs::Permissions>> {
    let permissions = permissions_of(target);
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(permissions)
}

/// The hash of what is at a place: of a link that of its target's path, of a file that of its content; `None` where
/// nothing is.
///
/// # Errors
/// The system's error.
pub(super) fn hash_at(place: &Path) -> io::Result<Option<u64>> {
    if let Ok(link) = fs::read_link(place) {
        return Ok(Some(hash_of_link(&link)));
    }
    match hash_of_file(place) {
        Ok(hash) => Ok(Some(hash)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Other than that of a file whose content is the path.
pub(super) fn hash_of_link(link: &Path) -> u64 {
    content_hash(&[b"link\0", link.as_os_str().as_encoded_bytes()].concat())
}

/// Write new content for the file `target` to a temporary file beside it.
///
/// # Errors
/// The system's error.
pub(super) fn stage(
    target: &Path,
    bytes: &[u8],
    permissions: Option<fs::Permissions>,
    calls: &mut Calls<'_>,
) -> io::Result<Staged> {
    stage_with(target, |file| file.write_all(bytes), permissions, calls)
}

/// The same with a function that writes the content.
///
/// # Errors
/// The error of the system or the function.
pub(super) fn stage_with(
    target: &Path,
    content: impl FnOnce(&mut fs::File) -> io::Result<()>,
    permissions: Option<fs::Permissions>,
    calls: &mut Calls<'_>,
) -> io::Result<Staged> {
    let folder = target.parent().ok_or(io::ErrorKind::NotFound)?;
    calls.before("create folder", folder)?;
    fs::create_dir_all(folder)?;
    let prefix = prefix();
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    if permissions.is_none() {
        // A new file gets the permissions of the user's mask, like one made by any editor.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    calls.before("create", target)?;
    let mut file = builder.tempfile_in(folder)?;
    calls.before("write", target)?;
    content(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    calls.before("sync", target)?;
    file.as_file().sync_all()?;
    // Closed: there may be more files in one change than a process may have open.
    Ok(Staged { temp: file.into_temp_path(), target: target.to_owned() })
}

impl Staged {
    /// Where the new content is until then.
    pub(super) fn temp(&self) -> &Path {
        &self.temp
    }

    /// Put it in the file's place. The name is on disk after [`sync_folder_of`].
    ///
    /// # Errors
    /// The system's error; then the file is as it was.
    pub(super) fn put(self, calls: &mut Calls<'_>) -> io::Result<()> {
        calls.before("rename", &self.target)?;
        self.temp.persist(&self.target).map_err(|error| error.error)
    }
}

/// What a file was before a change.
pub(super) enum Former {
    /// Its content and its permissions.
    Content(Vec<u8>, Option<fs::Permissions>),
    /// The file itself, under a second name beside it, and the hash of its content. This is for files that may be
    /// larger than memory. Dropped, the second name is gone.
    Beside(tempfile::TempPath, u64),
    /// A link, with its target's path as it is written there.
    Link(PathBuf),
}

impl Former {
    /// What is there when it is a link.
    pub(super) fn link(target: &Path) -> Option<Self> {
        fs::read_link(target).ok().map(Self::Link)
    }

    /// As [`hash_at`] gives it.
    pub(super) fn hash(&self) -> u64 {
        match self {
            Self::Content(bytes, _) => content_hash(bytes),
            Self::Beside(_, hash) => *hash,
            Self::Link(link) => hash_of_link(link),
        }
    }

    /// Give the file `target`, whose content has this hash, a second name.
    ///
    /// # Errors
    /// The system's error.
    pub(super) fn beside(target: &Path, hash: u64, calls: &mut Calls<'_>) -> io::Result<Self> {
        let folder = target.parent().ok_or(io::ErrorKind::NotFound)?;
        calls.before("link", target)?;
        let prefix = prefix();
        let linked = tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX).make_in(folder, |second| {
            match fs::hard_link(target, second) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    // Not every file system has links.
                    fs::copy(target, second)?;
                    fs::File::open(second)?.sync_all()
                }
                linked => linked,
            }
        })?;
        Ok(Self::Beside(linked.into_temp_path(), hash))
    }

    /// Put it back as the file `target`. Where that is refused, a second name stays.
    ///
    /// # Errors
    /// The system's error.
    pub(super) fn restore(self, target: &Path, calls: &mut Calls<'_>) -> io::Result<()> {
        match self {
            Self::Content(bytes, permissions) => write_by(target, &bytes, permissions, calls),
            Self::Beside(second, _) => {
                let second = second.keep().map_err(|error| error.error)?;
                calls.before("rename", target)?;
                fs::rename(second, target)
            }
            Self::Link(link) => put_link(target, &link, calls),
        }
    }

    /// Let a second name stay.
    pub(super) fn keep(self) {
        if let Self::Beside(second, _) = self {
            // An error does not matter: all that is wanted is not to remove it.
            let _ = second.keep();
        }
    }
}

/// Put a link with this path at `target`, in place of any file there.
///
/// # Errors
/// The system's error; then all is as it was.
pub(super) fn put_link(target: &Path, link: &Path, calls: &mut Calls<'_>) -> io::Result<()> {
    let folder = target.parent().ok_or(io::ErrorKind::NotFound)?;
    calls.before("link", target)?;
    let prefix = prefix();
    let made = tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX).make_in(folder, |at| symlink(link, at))?;
    calls.before("rename", target)?;
    made.into_temp_path().persist(target).map_err(|error| error.error)
}

#[cfg(unix)]
fn symlink(link: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(link, at)
}

#[cfg(windows)]
fn symlink(link: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(link, at)
}

/// How the name of a temporary file of this process begins.
fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Have a new name on disk by syncing its folder. Not every system can do that.
pub(super) fn sync_folder_of(file: &Path) {
    if let Some(Ok(folder)) = file.parent().map(fs::File::open) {
        let _ = folder.sync_all();
    }
}

/// The same for many files, each folder once.
pub(super) fn sync_folders_of<'p>(files: impl Iterator<Item = &'p Path>) {
    let mut known = BTreeSet::new();
    files.filter(|file| known.insert(file.parent())).for_each(sync_folder_of);
}

/// Whether a name is that of a temporary file.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Remove temporary files whose processes ended some minutes ago.
pub(super) fn remove_leftovers(files: &[PathBuf]) {
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_temporary(name) && !is_in_use(name, file) {
            // One that cannot be removed does no harm.
            let _ = fs::remove_file(file);
        }
    }
}

/// Whether the process that made a temporary file may still need it.
fn is_in_use(name: &str, file: &Path) -> bool {
    let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')?.0.parse::<u32>().ok());
    let age = fs::symlink_metadata(file).and_then(|meta| meta.modified()).map(|at| at.elapsed().unwrap_or_default());
    let is_younger_than = |limit: Duration| age.as_ref().map_or(true, |age| *age < limit);
    match process.and_then(is_alive) {
        // A link is renamed as soon as it is made, and holds no content that could be lost.
        Some(is_alive) => is_alive || !file.is_symlink() && is_younger_than(YOUNG),
        // The name has no number, or the system does not say which processes run.
        None => is_younger_than(STALE),
    }
}

/// Whether a process runs; `None` where that cannot be found out.
#[cfg(unix)]
fn is_alive(process: u32) -> Option<bool> {
    let pid = rustix::process::Pid::from_raw(i32::try_from(process).ok()?)?;
    Some(rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// Whether a process runs; `None` where that cannot be found out.
#[cfg(not(unix))]
fn is_alive(process: u32) -> Option<bool> {
    (process == std::process::id()).then_some(true)
}
