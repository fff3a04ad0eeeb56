//! Merging a layer of tiles into the one behind it.
//!
//! Invariant: only layers are merged that differ in nothing but their tiles. Where both have a tile the one behind goes, with what
//! showed of it and what was solid of it: how many these are is counted for the user.

use super::{Edit, Refusal, reach::check_open};
use crate::model::{Cell, CellGrid, DocPath, Layer, Level, Name, Tile};

/// Why a layer cannot be merged into the one behind it, as a sentence.
#[must_use]
pub fn merge_problem(level: &Level, at: usize) -> Option<String> {
    let front = level.layers.get(at)?;
    let Some(back) = at.checked_sub(1).and_then(|at| level.layers.get(at)) else {
        return Some(format!("No layer is behind “{}”", front.name));
    };
    let Some((a, b)) = front.tiles().zip(back.tiles()) else {
        return Some(format!("Layers “{}” and “{}” do not both hold tiles", front.name, back.name));
    };
    if a.tileset != b.tileset {
        return Some(format!("Layer “{}” has tiles of {}, “{}” of {}", front.name, a.tileset, back.name, b.tileset));
    }
    if let Some(locked) = [front, back].into_iter().find(|layer| layer.locked) {
        return Some(format!("Unlock “{}” to merge it", locked.name));
    }
    let [front_grid, back_grid] = [front, back].map(|layer| level.grid_of(layer));
    if front_grid != back_grid {
        let [a, b] = [front_grid, back_grid].map(CellGrid::px_text);
        return Some(format!("Layer “{}” has cells of {a}, “{}” of {b}", front.name, back.name));
    }
    let looks = |layer: &Layer| (layer.opacity.to_bits(), layer.tint_rgba(), layer.blend(), layer.visible);
    let places = |layer: &Layer| [layer.offset, layer.parallax].map(|pair| pair.map(f64::to_bits));
    let what = if places(front) != places(back) {
        "offset or parallax"
    } else if looks(front) != looks(back) {
        "opacity, tint, blend mode or visibility"
    } else if a.collide != b.collide {
        "collision"
    } else if front.fields != back.fields {
        "custom fields"
    } else {
        return None;
    };
    Some(format!("Layers “{}” and “{}” differ in {what}", front.name, back.name))
}

/// What merging a layer into the one behind it does.
#[derive(Clone, Debug)]
pub struct MergeDown {
    /// The edits.
    pub edits: Vec<Edit>,
    /// The layer behind.
    pub into: Name,
    /// Its tiles that others take the place of.
    pub n_covered: usize,
}

/// The edits that merge a layer of tiles into the one behind it.
///
/// # Errors
/// There is no such layer, [`merge_problem`] says why not, or it has tiles outside the level, which could not be painted again.
pub fn merge_down((doc, level): (&DocPath, &Level), layer: &str) -> Result<MergeDown, Refusal> {
    let (at, front) = level.layer(layer).ok_or_else(|| Refusal::new(format!("there is no layer `{layer}`")))?;
    if let Some(why) = merge_problem(level, at) {
        return Err(Refusal::new(why));
    }
    let back = at.checked_sub(1).and_then(|at| level.layers.get(at));
    let (back, tiles) =
        back.zip(front.tiles()).ok_or_else(|| Refusal::new(format!("`{layer}` is no layer of tiles")))?;
    check_open(back)?;
    let grid = level.grid_of(back);
    if !tiles.tiles.iter().all(|(cell, _)| grid.has_cell(cell)) {
        return Err(Refusal::new(format!("Layer “{layer}” has tiles outside the level, which would be lost")));
    }
    let cells: Vec<_> = tiles.tiles.iter().collect();
    let behind = back.tiles().map(|back| &back.tiles);
    let covers =
        |(cell, tile): &&(Cell, Tile)| behind.is_some_and(|it| !it.get(*cell).is_empty() && it.get(*cell) != *tile);
    let n_covered = cells.iter().filter(covers).count();
    let paint = Edit::PaintTiles { doc: doc.clone(), layer: back.name.clone(), cells };
    let remove = Edit::Remove { doc: doc.clone(), at: Level::layer_at(layer) };
    Ok(MergeDown { edits: vec![paint, remove], into: back.name.clone(), n_covered })
}
