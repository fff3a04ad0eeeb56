//! A tileset that is being made of a picture: what the form says, what was read of the picture, and what comes of both.
//!
//! Invariant: what is shown of a picture is of the path in the form; what a form says beside a field is what the plan
//! is refused for.

use std::{path::Path, sync::Arc};

use super::Images;
use crate::{
    edit::{Edit, Refusal, free_name, new_place},
    model::{DocKind, DocPath, Document, Project, TileDef, Tileset, counted, reflect::Reflect as _, sentence},
    raster::{Image, SheetGrid},
};

/// The most tiles that are made at once: more is no tileset but a picture cut too finely.
const MAX_TILES: usize = 1 << 16;

/// The folder that new tilesets and their pictures go to.
const FOLDER: &str = "tilesets/";

/// What the form says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilesetForm {
    /// The picture's path, as typed: from the project's folder where it is not a full one.
    pub path: String,
    /// The tileset's name, which is its file's.
    pub name: String,
    /// Where the tiles are.
    pub grid: SheetGrid,
}

/// What of the form can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TilesetField {
    /// The picture.
    Picture,
    /// The name.
    Name,
    /// The grid.
    Grid,
}

/// A picture that was read.
#[derive(Clone, Debug)]
pub struct SheetPicture {
    /// Decoded.
    pub image: Arc<Image>,
    /// Its file's content.
    pub bytes: Arc<[u8]>,
    /// Its place in the project; `None` for one from elsewhere, which is copied.
    pub inside: Option<DocPath>,
    /// The grid it seems to have.
    pub guess: SheetGrid,
}

/// A tileset that is being made.
#[derive(Clone, Debug)]
pub struct NewTileset {
    form: TilesetForm,
    /// Of which path, and what was found.
    read: Option<(String, Result<SheetPicture, String>)>,
    /// The cells that show something.
    shown: Vec<[u32; 2]>,
    /// Whether the name was typed, and is not to follow the picture's.
    is_named: bool,
    /// Whether the picture is being copied.
    pub is_adding: bool,
    /// Why the tileset was not made.
    pub failure: Option<String>,
}

/// What makes a tileset.
#[derive(Clone, Debug)]
pub struct TilesetPlan {
    /// The tileset's file.
    pub doc: DocPath,
    /// Makes it.
    pub edit: Edit,
    /// Where the picture will be in the project.
    pub place: DocPath,
    /// Decoded.
    pub image: Arc<Image>,
    /// What is to be written there first; `None` for a picture that is there.
    pub copied: Option<Arc<[u8]>>,
}

impl NewTileset {
    /// Of the picture at a path, which may be empty. Until it is read, tiles are of the size that is usual in the
    /// project.
    #[must_use]
    pub fn new(path: String, usual: [u32; 2]) -> Self {
        let form = TilesetForm { path, name: String::new(), grid: SheetGrid::plain(usual) };
        Self { form, read: None, shown: Vec::new(), is_named: false, is_adding: false, failure: None }
    }

    /// What the form says.
    #[must_use]
    pub fn form(&self) -> &TilesetForm {
        &self.form
    }

    /// The form says this now.
    pub fn change(&mut self, form: TilesetForm) {
        self.is_named |= form.name != self.form.name;
        let is_other_grid = form.grid != self.form.grid;
        self.form = form;
        self.failure = None;
        if is_other_grid {
            self.find_tiles();
        }
    }

    /// The path that is to be read: the one in the form, unless it was.
    #[must_use]
    pub fn unread(&self) -> Option<&str> {
        let path = self.form.path.trim();
        let is_read = self.read.as_ref().is_some_and(|(of, _)| of == path);
        (!path.is_empty() && !is_read).then_some(path)
    }

    /// A picture was read: name and grid follow from it. One of another path than that in the form is dropped.
    pub fn take_picture(&mut self, of: String, result: Result<SheetPicture, String>, project: &Project) {
        if of != self.form.path.trim() {
            return;
        }
        if let Ok(picture) = &result {
            self.form.grid = picture.guess;
            if !self.is_named {
                let stem = Path::new(&of).file_stem().map(|stem| stem.to_string_lossy().replace(' ', "_"));
                let is_taken = |name: &str| {
                    let is_name = |(path, _): (&DocPath, _)| path.stem() == name;
                    project.all::<Tileset>().any(is_name)
                };
                self.form.name = free_name(&stem.unwrap_or_default(), is_taken).to_string();
            }
        }
        self.read = Some((of, result));
        self.find_tiles();
    }

    /// The picture, once it is read.
    #[must_use]
    pub fn picture(&self) -> Option<&SheetPicture> {
        let (of, result) = self.read.as_ref()?;
        result.as_ref().ok().filter(|_| of == self.form.path.trim())
    }

    /// The cells that show something, row by row.
    #[must_use]
    pub fn shown(&self) -> &[[u32; 2]] {
        &self.shown
    }

    /// Columns and rows.
    fn cells(&self) -> [u32; 2] {
        self.picture().map_or([0, 0], |picture| self.form.grid.cells(picture.image.size()))
    }

    fn n_cells(&self) -> u64 {
        let [columns, rows] = self.cells();
        u64::from(columns) * u64::from(rows)
    }

    fn find_tiles(&mut self) {
        let picture = self.picture().filter(|_| self.n_cells() <= MAX_TILES as u64);
        self.shown = picture.map(|picture| self.form.grid.shown(&picture.image)).unwrap_or_default();
    }

    /// What is wrong with a field, as a sentence. Nothing is, as long as no picture was chosen.
    #[must_use]
    pub fn problem(&self, field: TilesetField, project: &Project) -> Option<String> {
        let (of, result) = self.read.as_ref().filter(|(of, _)| of == self.form.path.trim())?;
        match (field, result) {
            (TilesetField::Picture, Err(why)) => Some(sentence(why)),
            (TilesetField::Picture, Ok(_)) | (_, Err(_)) => None,
            (TilesetField::Name, Ok(_)) if self.form.name.trim().is_empty() => {
                Some("Write the tileset's name".to_owned())
            }
            (TilesetField::Name, Ok(_)) => {
                let refusal = new_place(project, DocKind::Tileset, None, self.form.name.trim()).err();
                refusal.map(|refusal| sentence(&refusal.to_string()))
            }
            (TilesetField::Grid, Ok(picture)) => {
                let [width, height] = picture.image.size();
                match self.n_cells() {
                    _ if self.form.grid.tile_size.contains(&0) => {
                        Some("A tile is at least one pixel wide and high".into())
                    }
                    0 => Some(format!("No whole tile fits into the picture, which is {width} × {height} px")),
                    n if n > MAX_TILES as u64 => Some(format!("These are {n} tiles; the most is {MAX_TILES}")),
                    _ if self.shown.is_empty() => Some(format!("{of} is wholly transparent")),
                    _ => None,
                }
            }
        }
    }

    /// How many tiles there are, and what of the picture is none of them. `None` as long as there are none.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let (picture, [columns, rows]) = (self.picture()?, self.cells());
        if self.shown.is_empty() {
            return None;
        }
        let columns = counted(columns as usize, "column");
        let tiles = format!("{} in {columns} and {}", counted(self.shown.len(), "tile"), counted(rows as usize, "row"));
        let left_out = match self.n_cells() - self.shown.len() as u64 {
            0 => None,
            1 => Some("1 empty cell is left out".to_owned()),
            n => Some(format!("{n} empty cells are left out")),
        };
        let rest = self.form.grid.rest(picture.image.size());
        let sides = [(rest[0], "at the right"), (rest[1], "at the bottom")];
        let sides: Vec<String> = sides.iter().filter(|(n, _)| *n > 0).map(|(n, at)| format!("{n} px {at}")).collect();
        let rest = (!sides.is_empty()).then(|| format!("{} belong to no tile", sides.join(" and ")));
        let all: Vec<String> = [Some(tiles), left_out, rest].into_iter().flatten().collect();
        Some(all.join("; "))
    }

    /// Where the picture will be in the project: where it is, or beside the tileset. `None` until it is read.
    #[must_use]
    pub fn place(&self, images: &Images) -> Option<DocPath> {
        if let Some(inside) = &self.picture()?.inside {
            return Some(inside.clone());
        }
        let of = |name: &str| format!("{FOLDER}{name}.png");
        DocPath::new(&of(&free_name(self.form.name.trim(), |name| images.contains_key(&of(name)))))
    }

    /// The tileset, and what makes it.
    ///
    /// # Errors
    /// What is wrong with the form, or that no picture was read yet.
    pub fn plan(&self, project: &Project, images: &Images) -> Result<TilesetPlan, Refusal> {
        let fields = [TilesetField::Picture, TilesetField::Name, TilesetField::Grid];
        if let Some(why) = fields.into_iter().find_map(|field| self.problem(field, project)) {
            return Err(Refusal::new(why));
        }
        let (picture, place) =
            self.picture().zip(self.place(images)).ok_or_else(|| Refusal::new("choose a picture"))?;
        let doc = new_place(project, DocKind::Tileset, None, self.form.name.trim())?;
        let image = place.as_str().strip_prefix(FOLDER).map_or_else(|| format!("../{place}"), str::to_owned);
        let SheetGrid { tile_size, margin, spacing } = self.form.grid;
        let [columns, _] = self.cells();
        // By its cell, so that ids stay what they are when empty cells are drawn on or the picture grows downward.
        let id = |[x, y]: [u32; 2]| y * columns + x + 1;
        let tiles = self.shown.iter().map(|at| (id(*at), TileDef { at: *at, ..TileDef::blank() })).collect();
        let tileset = Tileset { image, tile_size, margin, spacing, tiles, terrains: Vec::new() };
        Ok(TilesetPlan {
            edit: Edit::put_document(doc.clone(), Document::Tileset(tileset)),
            doc,
            place,
            image: Arc::clone(&picture.image),
            copied: picture.inside.is_none().then(|| Arc::clone(&picture.bytes)),
        })
    }
}

/// The size that tiles usually have in a project: that of the level's cells, else of a tileset's tiles, else 16 × 16
/// pixels.
#[must_use]
pub fn usual_tile_size(project: &Project, level: Option<&DocPath>) -> [u32; 2] {
    let of_level = level.and_then(|doc| project.level(doc)).map(|level| level.tile_size);
    let of_tileset = || project.all::<Tileset>().next().map(|(_, set)| set.tile_size);
    of_level.or_else(of_tileset).unwrap_or([16, 16])
}

/// The picture among files that were dropped on the window.
///
/// # Errors
/// The reason that there is none, as a sentence.
pub fn dropped_picture<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<&'a Path, String> {
    let is_png = |path: &&Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    let found = files.into_iter().find(is_png);
    found.ok_or_else(|| "Drop a PNG picture to make a tileset of it".to_owned())
}
