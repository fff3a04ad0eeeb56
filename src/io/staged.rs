//! New content of a file, on disk beside it until it takes its place; and what is left of that when a process is killed.
//!
//! Invariants: a file is wholly old or wholly new at any moment; a temporary file carries the number of the process that
//! made it, so that only those of processes that ended are removed.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// How the name of a temporary file begins; the number of its process follows.
const PREFIX: &str = ".levelwright-";
/// How it ends.
const SUFFIX: &str = ".tmp";

/// Asked ahead of each call that changes the disk, which it may refuse as a disk would. Only tests put something here.
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

/// Give a file this content, wholly or not at all: a new file beside it takes its place once everything is on disk. The
/// file keeps its mode, and stays where a link to it leads; missing folders are made.
///
/// # Errors
/// What the system says; then the file is as it was.
pub fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target_of(place);
    write_by(&target, bytes, permissions_of(&target), &mut Calls::default())
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

/// What may be done with a file that is there.
pub(super) fn permissions_of(place: &Path) -> Option<fs::Permissions> {
    fs::metadata(place).ok().map(|meta| meta.permissions())
}

/// Have new content for the file `target` on disk, beside it.
///
/// # Errors
/// What the system says.
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
/// What the system or the function says.
pub(super) fn stage_with(
    target: &Path,
    content: impl FnOnce(&mut fs::File) -> io::Result<()>,
    permissions: Option<fs::Permissions>,
    calls: &mut Calls<'_>,
) -> io::Result<Staged> {
    let folder = target.parent().ok_or(io::ErrorKind::NotFound)?;
    calls.before("create folder", folder)?;
    fs::create_dir_all(folder)?;
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let prefix = prefix();
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    if permissions.is_none() {
        // A new file gets what the user's mask leaves, like one made by any editor.
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

    /// Have it take the file's place. The name is on disk once [`sync_folder_of`] it.
    ///
    /// # Errors
    /// What the system says; then the file is as it was.
    pub(super) fn put(self, calls: &mut Calls<'_>) -> io::Result<()> {
        calls.before("rename", &self.target)?;
        self.temp.persist(&self.target).map_err(|error| error.error)
    }
}

/// What a file was before a change.
pub(super) enum Former {
    /// Its content and its permissions.
    Content(Vec<u8>, Option<fs::Permissions>),
    /// The file itself, under a second name beside it, and the hash of its content. This is for files that may be larger than
    /// memory. Dropped, the second name is gone.
    Beside(tempfile::TempPath, u64),
}

impl Former {
    /// Have the file `target`, whose content has this hash, under a second name too.
    ///
    /// # Errors
    /// What the system says.
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

    /// Have it again as the file `target`. Where that is refused, a second name stays.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn restore(self, target: &Path, calls: &mut Calls<'_>) -> io::Result<()> {
        match self {
            Self::Content(bytes, permissions) => write_by(target, &bytes, permissions, calls),
            Self::Beside(second, _) => {
                let second = second.keep().map_err(|error| error.error)?;
                calls.before("rename", target)?;
                fs::rename(second, target)
            }
        }
    }

    /// Let a second name stay.
    pub(super) fn keep(self) {
        if let Self::Beside(second, _) = self {
            // That cannot be refused where it matters: nothing is done but not to remove it.
            let _ = second.keep();
        }
    }
}

/// How the name of a temporary file of this process begins.
fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// A new name is on disk once its folder is. Not every system can be asked.
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

/// Remove temporary files whose processes ended.
pub(super) fn remove_leftovers(files: &[PathBuf]) {
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_temporary(name) && !is_in_use(name, file) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(file);
        }
    }
}

/// Whether the process that made a temporary file may still want it.
fn is_in_use(name: &str, file: &Path) -> bool {
    let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')?.0.parse::<u32>().ok());
    match process.and_then(is_alive) {
        Some(is_alive) => is_alive,
        // Made by a version that wrote no number, or on a system that cannot be asked: by its age.
        None => {
            let modified = fs::metadata(file).and_then(|meta| meta.modified());
            modified.map_or(true, |at| at.elapsed().unwrap_or_default() < super::journal::STALE)
        }
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
