//! The sample game, compiled in: a new user's first project is a copy of it in a folder of their own, to change freely.

use std::{fs, io, path::PathBuf};

use include_dir::{Dir, include_dir};

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample_data");

/// Why there is no copy of the sample.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The system does not say where a user's data goes.
    #[error("there is no folder for your data on this system; name a project to open")]
    NoFolder,
    /// The copy could not be made.
    #[error("the sample game cannot be copied to {0}: {1}")]
    Copy(PathBuf, io::Error),
}

/// The user's own copy of the sample game; made at the first time, found again later.
///
/// # Errors
/// Why there is none.
pub fn sample_copy() -> Result<PathBuf, SampleError> {
    let dirs = directories::ProjectDirs::from("", "", "levelwright").ok_or(SampleError::NoFolder)?;
    let root = dirs.data_dir().join("goblin_keep");
    if root.join("project.ron").is_file() {
        return Ok(root);
    }
    let copy = || {
        fs::create_dir_all(&root)?;
        SAMPLE.extract(&root)
    };
    copy().map_err(|error| SampleError::Copy(root.clone(), error))?;
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_the_game_alone() {
        let (mut folders, mut n) = (vec![&SAMPLE], 0);
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let ext = file.path().extension().unwrap_or_default();
                assert!(["ron", "png", "wav"].iter().any(|it| ext == *it), "{}", file.path().display());
                n += 1;
            }
        }
        assert!(n > 20, "{n}");
    }
}
