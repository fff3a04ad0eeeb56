//! Tiles of a tileset that become another or nothing.

use super::{Hits, Replace};
use crate::{
    edit::{Edit, Refusal},
    model::{Cell, CellGrid, DocPath, LayerContent, Level, Name, Project, Tile, TileLayer, Tileset},
};

/// What replaces a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTile {
    /// Another tile of the tileset, by its id.
    Tile(u32),
    /// No tile.
    Nothing,
}

impl Replace {
    fn chosen_set<'a>(&'a self, project: &'a Project) -> Option<(&'a Name, &'a Tileset)> {
        let name = self.tileset.as_ref()?;
        Some((name, project.tileset_named(name)?))
    }

    pub(super) fn tile_hits(&self, project: &Project, levels: &[(&DocPath, &Level)]) -> Result<Vec<Hits>, Refusal> {
        let Some((tileset, set)) = self.chosen_set(project) else {
            return Err(Refusal::new("choose the tileset whose tiles are replaced"));
        };
        let from = self.tile.ok_or_else(|| Refusal::new("choose the tile to find"))?;
        let to = match self.with_tile {
            None => return Err(Refusal::new("choose the tile to replace it with, or nothing")),
            Some(NewTile::Tile(to)) if to == from => return Err(Refusal::new("both are the same tile")),
            Some(NewTile::Tile(to)) if !set.tiles.contains_key(&to) => {
                return Err(Refusal::new(format!("tileset `{tileset}` has no tile {to}")));
            }
            Some(to) => to,
        };
        let mut hits = Vec::new();
        for (doc, level) in levels {
            for (at, layer) in level.all_layers().into_iter().enumerate() {
                let LayerContent::Tiles(tiles) = &layer.content else { continue };
                if tiles.tileset != *tileset {
                    continue;
                }
                let cells = cells(level.grid_of(layer), tiles, from, to);
                if cells.is_empty() {
                    continue;
                }
                let (path, n) = (level.layer_at(at), cells.len());
                let edit = Edit::PaintTiles { doc: (*doc).clone(), layer: layer.name.clone(), cells };
                hits.push(Hits::new((doc, level), at, &layer.name, path, n, vec![edit]));
            }
        }
        Ok(hits)
    }

    /// A chosen tile by its name.
    fn tile_called(&self, project: &Project, id: u32) -> String {
        let tile = self.chosen_set(project).and_then(|(_, set)| set.tiles.get(&id));
        tile.map_or_else(|| format!("tile {id}"), |tile| tile.called(id))
    }

    pub(super) fn describe_tile(&self, project: &Project) -> String {
        let name = self.tile_called(project, self.tile.unwrap_or_default());
        let tileset = self.tileset.as_deref().unwrap_or_default();
        format!("tile {} of {tileset}", name.trim_start_matches("tile "))
    }

    pub(super) fn label_of_tiles(&self, project: &Project) -> String {
        let from = self.tile_called(project, self.tile.unwrap_or_default());
        match self.with_tile {
            Some(NewTile::Tile(to)) => format!("Replace {from} with {}", self.tile_called(project, to)),
            _ => format!("Erase {from}"),
        }
    }
}

/// The cells with a tile, and what is there afterwards.
fn cells(grid: CellGrid, layer: &TileLayer, from: u32, to: NewTile) -> Vec<(Cell, Tile)> {
    let is_it = |tile: Tile| tile.id() == Some(from);
    let found = layer.tiles.iter().filter(|(_, tile)| is_it(*tile));
    match to {
        NewTile::Nothing => found.map(|(cell, _)| (cell, Tile::EMPTY)).collect(),
        // Beyond the level's sides, where only a file written by hand has any, tiles can be erased and no others put.
        NewTile::Tile(to) => {
            found.filter(|(cell, _)| grid.has_cell(*cell)).map(|(cell, tile)| (cell, tile.with_id(to))).collect()
        }
    }
}
