//! Pictures as the graphics card takes them: of tilesets the atlas, of image layers the sizes they are drawn in. Making
//! one of a large picture takes longer than a frame, so the window asks for those it draws and the caller makes them in
//! a thread.
//!
//! Invariant: the last one of a tileset or picture is shown until a newer one is there.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::Images;
use crate::{
    model::{DocPath, Document, Name, Project},
    raster::{AtlasKey, Image, Pyramid, TileAtlas},
};

/// What art is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArtOf {
    /// A tileset.
    Tileset(DocPath),
    /// A picture, by its path from the project's root.
    Picture(Name),
}

/// All art that was asked for.
#[derive(Default)]
pub struct Art {
    sheets: HashMap<DocPath, Sheet>,
    pictures: HashMap<Name, Picture>,
    running: HashSet<ArtOf>,
}

struct Sheet {
    tileset: Arc<Document>,
    image: Arc<Image>,
    atlas: Arc<TileAtlas>,
}

struct Picture {
    image: Arc<Image>,
    pyramid: Arc<Pyramid>,
}

/// The work to make one.
pub enum ArtJob {
    /// Of a tileset, by its path.
    Tileset {
        /// The tileset's file.
        path: DocPath,
        /// Its document.
        tileset: Arc<Document>,
        /// Its picture.
        image: Arc<Image>,
        /// The last one.
        last: Option<Arc<TileAtlas>>,
    },
    /// Of a picture, by its path.
    Picture(Name, Arc<Image>),
}

/// One that was made.
pub struct MadeArt(Made);

enum Made {
    Sheet(DocPath, Sheet),
    Picture(Name, Picture),
}

impl Art {
    /// The pictures of a tileset, and whether they are of it and its sheet as they are now.
    #[must_use]
    pub fn atlas(
        &self,
        path: &DocPath,
        tileset: &Arc<Document>,
        image: &Arc<Image>,
    ) -> (Option<&Arc<TileAtlas>>, bool) {
        let sheet = self.sheets.get(path);
        let is_current = |it: &Sheet| Arc::ptr_eq(&it.tileset, tileset) && Arc::ptr_eq(&it.image, image);
        (sheet.map(|it| &it.atlas), sheet.is_some_and(is_current))
    }

    /// The sizes of a picture, and whether they are of it as it is now.
    #[must_use]
    pub fn pyramid(&self, path: &str, image: &Arc<Image>) -> (Option<&Arc<Pyramid>>, bool) {
        let picture = self.pictures.get(path);
        (picture.map(|it| &it.pyramid), picture.is_some_and(|it| Arc::ptr_eq(&it.image, image)))
    }

    /// Whether one is being made.
    #[must_use]
    pub fn is_running(&self, of: &ArtOf) -> bool {
        self.running.contains(of)
    }

    /// The work to make what is asked for, unless it is under way or there is nothing to make it of.
    pub(super) fn start(&mut self, of: ArtOf, project: &Project, images: &Images) -> Option<ArtJob> {
        if self.running.contains(&of) {
            return None;
        }
        let job = match &of {
            ArtOf::Tileset(path) => {
                let tileset = project.doc(path)?.clone();
                let image = images.get(path.beside(&project.tileset(path)?.image)?.as_str())?.clone();
                let last = self.sheets.get(path).filter(|it| Arc::ptr_eq(&it.image, &image));
                ArtJob::Tileset { path: path.clone(), tileset, image, last: last.map(|it| it.atlas.clone()) }
            }
            ArtOf::Picture(path) => ArtJob::Picture(path.clone(), images.get(&**path)?.clone()),
        };
        self.running.insert(of);
        Some(job)
    }

    /// Take over what was made. What was asked for before another project was opened is dropped.
    pub(super) fn take(&mut self, made: MadeArt) {
        let of = match &made.0 {
            Made::Sheet(path, _) => ArtOf::Tileset(path.clone()),
            Made::Picture(path, _) => ArtOf::Picture(path.clone()),
        };
        if !self.running.remove(&of) {
            return;
        }
        match made.0 {
            Made::Sheet(path, sheet) => _ = self.sheets.insert(path, sheet),
            Made::Picture(path, picture) => _ = self.pictures.insert(path, picture),
        }
    }
}

impl ArtJob {
    /// Make it.
    #[must_use]
    pub fn run(self) -> MadeArt {
        MadeArt(match self {
            Self::Tileset { path, tileset, image, last } => {
                let atlas = match &*tileset {
                    Document::Tileset(tileset) => {
                        // Most edits of a tileset leave its pictures as they are.
                        let last = last.filter(|last| *last.key() == AtlasKey::of(tileset));
                        last.unwrap_or_else(|| Arc::new(TileAtlas::new(tileset, &image)))
                    }
                    _ => Arc::default(),
                };
                Made::Sheet(path, Sheet { tileset, image, atlas })
            }
            Self::Picture(path, image) => {
                let pyramid = Arc::new(Pyramid::of(&image));
                Made::Picture(path, Picture { image, pyramid })
            }
        })
    }
}
