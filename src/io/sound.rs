//! Sound files of a project: read for being played. Decoding them is the window's.

use std::{path::Path, sync::Arc};

use super::files;
use crate::model::DocPath;

/// The bytes of a sound of the project: WAV or OGG by how they begin.
///
/// # Errors
/// The reason, for the user: it cannot be read, or is neither.
pub fn read_sound(root: &Path, path: &DocPath) -> Result<Vec<u8>, Arc<str>> {
    let bytes = files::read_bytes(root, path).map_err(|finding| finding.message)?;
    let is_wav = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE");
    if is_wav || bytes.starts_with(b"OggS") { Ok(bytes) } else { Err("it is neither WAV nor OGG".into()) }
}
