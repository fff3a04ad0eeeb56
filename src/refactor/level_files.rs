//! Making a level with its file.
//!
//! Invariant: what a form says beside a field is what the plan is refused for; the edits have the last word.

use std::sync::Arc;

use super::Plan;
use crate::{
    edit::{Edit, MAX_CELLS, Refusal, new_place},
    model::{DocKind, Document, Layer, LayerContent, Level, LevelView, Name, Project, TileLayer, Tiles, sentence},
};

/// A level that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLevel {
    /// Its name, which is its file's.
    pub name: String,
    /// Width and height in cells; none for a level without bounds.
    pub size: Option<[u32; 2]>,
    /// Width and height of a cell in pixels.
    pub tile_size: [u32; 2],
    /// Of its tile layer; without one it has none.
    pub tileset: Option<Name>,
    /// From where it is seen.
    pub view: LevelView,
}

/// What of a new level can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewLevelField {
    /// The name.
    Name,
    /// The size in cells.
    Size,
    /// The size of a cell.
    TileSize,
}

impl NewLevel {
    /// Its size at first.
    pub const SIZE: [u32; 2] = [40, 24];

    /// What is wrong with a field, as a sentence.
    #[must_use]
    pub fn problem(&self, field: NewLevelField, project: &Project) -> Option<String> {
        match field {
            NewLevelField::Name if self.name.is_empty() => Some("Write the level's name".to_owned()),
            NewLevelField::Name => {
                let refusal = new_place(project, DocKind::Level, None, &self.name).err();
                refusal.map(|refusal| sentence(&refusal.to_string()))
            }
            NewLevelField::Size => {
                let is_bad = self.size.is_some_and(|size| size.iter().any(|side| !(1..=MAX_CELLS).contains(side)));
                is_bad.then(|| format!("A level is 1 to {MAX_CELLS} cells wide and high"))
            }
            NewLevelField::TileSize => {
                let is_bad = self.tile_size.iter().any(|side| !(1..=MAX_CELLS).contains(side));
                is_bad.then(|| format!("A cell is 1 to {MAX_CELLS} pixels wide and high"))
            }
        }
    }

    /// The first thing that is wrong.
    #[must_use]
    pub fn first_problem(&self, project: &Project) -> Option<String> {
        let fields = [NewLevelField::Name, NewLevelField::Size, NewLevelField::TileSize];
        fields.into_iter().find_map(|field| self.problem(field, project))
    }

    /// The level: ground of the tileset's tiles, and a layer for entities before it.
    fn level(&self, project: &Project) -> Level {
        let ground = self.tileset.clone().map(|tileset| {
            let tiles = TileLayer::new(tileset, Tiles::default());
            Layer::new("ground".into(), LayerContent::Tiles(tiles))
        });
        let actors = Layer::new("actors".into(), LayerContent::Entities(indexmap::IndexMap::new()));
        let of_project = project.file().map_or_else(LevelView::default, |file| file.view);
        Level {
            size: self.size,
            tile_size: self.tile_size,
            view: (self.view != of_project).then_some(self.view),
            regions: Level::is_large(self.size),
            layers: ground.into_iter().chain([actors]).map(Arc::new).collect(),
            ..Level::default()
        }
    }
}

/// The plan that makes a level.
pub(super) fn create(project: &Project, new: &NewLevel) -> Result<Plan, Refusal> {
    if let Some(why) = new.first_problem(project) {
        return Err(Refusal::new(why));
    }
    let doc = new_place(project, DocKind::Level, None, &new.name)?;
    let edits = vec![Edit::put_document(doc, Document::Level(new.level(project)))];
    Ok(Plan { label: format!("Add level {}", new.name), edits })
}
