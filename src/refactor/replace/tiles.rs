//! Tiles of a tileset that become another or nothing.

use std::sync::Arc;

use super::{Hits, Replace};
use crate::{
    edit::{Edit, Refusal, Stamp},
    model::{CellSet, DocPath, Layer, LayerContent, Level, Name, Project, Tile, Tiles, Tileset},
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
                let becomes = |tile: Tile| match to {
                    NewTile::Tile(to) => tile.with_id(to),
                    NewTile::Nothing => Tile::EMPTY,
                };
                hits.extend(cell_hits((doc, level), at, layer, (&tiles.tiles, from), becomes));
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

/// What a layer, by its number, has of tiles with an id, and the edits that make others of them: a fill for each way
/// they are turned, as a level may have millions of them.
pub(super) fn cell_hits(
    (doc, level): (&DocPath, &Level),
    at: usize,
    layer: &Layer,
    (tiles, id): (&Tiles, u32),
    becomes: impl Fn(Tile) -> Tile,
) -> Option<Hits> {
    let grid = level.grid_of(layer);
    let (mut n, mut edits) = (0, Vec::new());
    for (tile, cells) in cells_by_tile(tiles, id) {
        let new = becomes(tile);
        // Beyond the level's sides, where only a file written by hand has any, tiles can be erased and no others put.
        let cells = if new.is_empty() { cells } else { grid.clip(&cells) };
        if cells.is_empty() {
            continue;
        }
        n += cells.len();
        let (doc, layer, stamp) = (doc.clone(), layer.name.clone(), Stamp::one(new));
        edits.push(Edit::FillTiles { doc, layer, cells: Arc::new(cells), stamp, anchor: [0, 0] });
    }
    (n > 0).then(|| Hits::new((doc, level), at, &layer.name, level.layer_at(at), n, edits))
}

/// The cells of the tiles with an id, for each way they are turned. Only chunks that have some are looked into.
fn cells_by_tile(tiles: &Tiles, id: u32) -> Vec<(Tile, CellSet)> {
    let is_it = |tile: Tile| tile.id() == Some(id);
    let mut found: Vec<(Tile, CellSet)> = Vec::new();
    for (at, chunk) in tiles.chunks().filter(|(_, chunk)| chunk.kinds().any(is_it)) {
        let mut here: Vec<(Tile, [u32; 32])> = Vec::new();
        for (y, row) in chunk.rows().enumerate() {
            for (x, tile) in row.into_iter().enumerate().filter(|(_, tile)| is_it(*tile)) {
                match here.iter_mut().find(|(it, _)| *it == tile) {
                    Some((_, rows)) => rows[y] |= 1 << x,
                    None => here.push((tile, std::array::from_fn(|i| if i == y { 1 << x } else { 0 }))),
                }
            }
        }
        for (tile, rows) in here {
            match found.iter_mut().find(|(it, _)| *it == tile) {
                Some((_, cells)) => cells.insert_block(at, &rows),
                None => {
                    let mut cells = CellSet::default();
                    cells.insert_block(at, &rows);
                    found.push((tile, cells));
                }
            }
        }
    }
    found
}
