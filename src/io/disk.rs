//! What can be read of a project's folder, and the little that following it needs. The system's own is [`Folder`];
//! tests have one in memory.

use std::path::{Path, PathBuf};

use super::files;
use crate::model::{DocPath, Finding};

/// What reading a file found.
#[derive(Clone, Debug)]
pub enum Found {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is not there.
    Gone,
    /// It cannot be read.
    Refused(Finding),
}

/// A project's folder, to read.
pub trait Disk {
    /// Whether the folder itself is there. Files of a folder that was moved away are not gone.
    fn is_there(&self) -> bool;
    /// The documents in it.
    fn documents(&self) -> Vec<DocPath>;
    /// The images and sounds in it.
    fn images(&self) -> Vec<DocPath>;
    /// A file as it is now.
    fn read(&self, path: &DocPath) -> Found;
}

/// A folder of the system.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a place.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Disk for Folder {
    fn is_there(&self) -> bool {
        self.root.is_dir()
    }

    fn documents(&self) -> Vec<DocPath> {
        files::list(&self.root).documents
    }

    fn images(&self) -> Vec<DocPath> {
        files::list_images(&self.root)
    }

    fn read(&self, path: &DocPath) -> Found {
        match files::read_bytes(&self.root, path) {
            Ok(bytes) => Found::Bytes(bytes),
            // A folder without permission to read is not gone.
            Err(_) if matches!(self.root.join(path.as_str()).try_exists(), Ok(false)) => Found::Gone,
            Err(finding) => Found::Refused(*finding),
        }
    }
}
