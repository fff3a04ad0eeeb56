//! New projects: small ones that can be played at once. Their files are in `templates/`, their pictures are drawn in
//! [`art`], and every one of them is checked by a test.

mod art;

use std::{fs, io, path::Path};

use image::RgbaImage;

use crate::model::{DocPath, Value};

use super::staged;

/// What a new project begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Seen from the side: ground, slopes, coins, a slime.
    Platformer,
    /// Seen from above: a meadow, walls, mud, coins, a ghost.
    TopDown,
    /// An empty level, one tile, and a player to place.
    Empty,
}

/// Why a project was not made.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// There is something already.
    #[error("`{0}` is not empty")]
    NotEmpty(String),
    /// The system refused.
    #[error("`{path}` could not be written: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// Why not.
        error: io::Error,
    },
}

type Text = (&'static str, &'static str);
type Picture = (&'static str, fn() -> RgbaImage);

macro_rules! texts {
    ($template:literal: $($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("templates/", $template, "/", $path)))),*]
    };
}

impl Template {
    /// Every template, in the order to offer them.
    pub const ALL: [Self; 3] = [Self::Platformer, Self::TopDown, Self::Empty];

    /// Its name: `platformer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Platformer => "platformer",
            Self::TopDown => "topdown",
            Self::Empty => "empty",
        }
    }

    /// What is in it, in one line.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Platformer => "Seen from the side: ground, slopes, coins and a slime",
            Self::TopDown => "Seen from above: a meadow, walls, mud, coins and a ghost",
            Self::Empty => "An empty level, one tile, and a player to place",
        }
    }

    fn texts(self) -> &'static [Text] {
        match self {
            Self::Platformer => texts!("platformer": "project.ron", "entities/player.ron", "entities/things.ron",
                "levels/first.ron", "machines/things.ron", "tilesets/ground.ron"),
            Self::TopDown => texts!("topdown": "project.ron", "entities/player.ron", "entities/things.ron",
                "levels/first.ron", "machines/things.ron", "tilesets/meadow.ron"),
            Self::Empty => texts!("empty": "project.ron", "entities/player.ron", "levels/first.ron",
                "tilesets/blocks.ron"),
        }
    }

    fn pictures(self) -> &'static [Picture] {
        match self {
            Self::Platformer => &[
                ("tilesets/ground.png", art::ground),
                ("sprites/player.png", art::player),
                ("sprites/slime.png", art::slime),
                ("sprites/coin.png", art::coin),
            ],
            Self::TopDown => &[
                ("tilesets/meadow.png", art::meadow),
                ("sprites/player.png", art::player),
                ("sprites/ghost.png", art::ghost),
                ("sprites/coin.png", art::coin),
            ],
            Self::Empty => &[("tilesets/blocks.png", art::blocks), ("sprites/player.png", art::player)],
        }
    }
}

/// Make a project called `name` in a folder that is empty or does not exist yet. Returns the files made.
///
/// # Errors
/// The folder has something in it, or cannot be written.
pub fn new_project(dir: &Path, template: Template, name: &str) -> Result<Vec<DocPath>, NewError> {
    let failed = |path: &Path, error| NewError::Io { path: path.display().to_string(), error };
    // An empty path is the current folder, which `exists` does not know.
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    if dir.exists() && fs::read_dir(dir).map_err(|error| failed(dir, error))?.next().is_some() {
        return Err(NewError::NotEmpty(dir.display().to_string()));
    }
    fs::create_dir_all(dir).map_err(|error| failed(dir, error))?;
    let quoted = Value::str(name).to_string();
    let texts = template.texts().iter().map(|(path, text)| (*path, text.replace("\"NAME\"", &quoted).into_bytes()));
    let pictures = template.pictures().iter().map(|(path, draw)| (*path, art::png(&draw())));
    // The project file last: a folder with one is a whole project.
    let mut files: Vec<(&str, Vec<u8>)> = texts.chain(pictures).collect();
    files.sort_by_key(|(path, _)| (*path == "project.ron", *path));
    for (path, bytes) in &files {
        let place = dir.join(path);
        staged::write(&place, bytes).map_err(|error| failed(&place, error))?;
    }
    Ok(files.iter().filter_map(|(path, _)| DocPath::new(path)).collect())
}
