//! A file that one process at a time may have.
//!
//! Invariant: the file is free as soon as the value is dropped. A lock belongs to every copy of a descriptor, and a
//! child process has one between fork and exec; closing our own would leave the file locked for that moment.

use std::{
    fs::{File, TryLockError},
    io,
    ops::Deref,
};

/// A file that this process has locked.
#[derive(Debug)]
pub(super) struct Locked(File);

impl Locked {
    /// Lock a file; `Err` gives it back when another process has it.
    ///
    /// # Errors
    /// The system cannot lock files there.
    pub(super) fn take(file: File) -> io::Result<Result<Self, File>> {
        match file.try_lock() {
            Ok(()) => Ok(Ok(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(Err(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Lock a file that no other process can have yet.
    ///
    /// # Errors
    /// What the system reports, and [`io::ErrorKind::WouldBlock`] if one has it after all.
    pub(super) fn new(file: File) -> io::Result<Self> {
        Self::take(file)?.map_err(|_| io::ErrorKind::WouldBlock.into())
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_free_at_once_though_a_child_process_still_has_a_copy() {
        let dir = tempfile::tempdir().unwrap();
        let open = || File::create(dir.path().join("it")).unwrap();
        let locked = Locked::new(open()).unwrap();
        let copy = locked.try_clone().unwrap();
        assert!(Locked::take(open()).unwrap().is_err(), "it is taken");
        drop(locked);
        assert!(Locked::take(open()).unwrap().is_ok(), "it is free");
        drop(copy);
    }
}
