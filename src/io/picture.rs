//! Pictures that the user names, wherever they are: read, and added to the project's folder.
//!
//! Invariant: a picture that is added takes the place of no other file.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{files, staged};
use crate::model::DocPath;

/// A picture's file that was read.
#[derive(Debug)]
pub struct NamedPicture {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its place in the project; `None` for one from elsewhere.
    pub inside: Option<DocPath>,
}

/// Read a file that the user named: by its full path, or from the project's folder `root`.
///
/// # Errors
/// The reason, for the user: it is not there, is no file (a device has no end), is too large or cannot be read.
pub fn read_picture(root: &Path, named: &Path) -> Result<NamedPicture, String> {
    let place = root.join(named);
    let why = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "this file may not be read".to_owned(),
        // What it is, or how large.
        io::ErrorKind::Other => error.to_string(),
        _ => format!("this file cannot be read: {error}"),
    };
    let bytes = files::read_named_bytes(&place).map_err(why)?;
    Ok(NamedPicture { bytes, inside: place_in(root, &place) })
}

/// Where a file is in the project, if the project's own reading finds it there as an image.
fn place_in(root: &Path, place: &Path) -> Option<DocPath> {
    let (root, place) = (root.canonicalize().ok()?, place.canonicalize().ok()?);
    let parts = place.strip_prefix(root).ok()?.components().map(|part| part.as_os_str().to_str());
    let parts: Vec<&str> = parts.collect::<Option<_>>()?;
    let is_hidden = parts.iter().any(|part| part.starts_with('.'));
    DocPath::new(&parts.join("/")).filter(|path| !is_hidden && files::is_image(path))
}

/// Add a picture to the project's folder; missing folders are made. One of the same content that is there already
/// stays.
///
/// # Errors
/// The reason, for the user: another file is there, the place is outside the project, or it cannot be written.
pub fn add_picture(root: &Path, path: &DocPath, bytes: &[u8]) -> Result<(), String> {
    let place: PathBuf = files::place(root, path).map_err(|finding| finding.message)?;
    match staged::write_new(&place, bytes) {
        // A file where a folder is needed gives the same error.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && place.symlink_metadata().is_ok() => {
            let is_same = fs::read(&place).is_ok_and(|there| there == bytes);
            if is_same { Ok(()) } else { Err(format!("there is already a file `{path}`; choose another name")) }
        }
        Err(error) => Err(format!("`{path}` cannot be written: {}", staged::in_words(&error))),
        Ok(()) => Ok(()),
    }
}
