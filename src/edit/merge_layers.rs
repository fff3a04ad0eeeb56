//! Merging a layer of tiles into the one behind it.
//!
//! Invariant: only layers are merged that differ in nothing but their tiles. Where both have a tile the one behind goes, with what
//! showed of it and what was solid of it: how many these are is counted for the user.

use std::sync::Arc;

use super::{Edit, Refusal};
use crate::model::{Cell, CellGrid, DocPath, Layer, Level, Name, Tile};

/// Why a layer cannot be merged into the one behind it, as a sentence.
#[must_use]
pub fn merge_problem(level: &Level, at: usize) -> Option<String> {
    let front = level.nth_layer(at)?;
    if front.is_group() {
        return Some(format!("“{}” is a group; merge the layers in it one by one", front.name));
    }
    let Some(back) = behind(level, at) else {
        let of = level.group_of(at).map(|group| format!(" in “{}”", group.name)).unwrap_or_default();
        return Some(format!("No layer is behind “{}”{of}", front.name));
    };
    let Some((a, b)) = front.tiles().zip(back.tiles()) else {
        return Some(format!("Layers “{}” and “{}” do not both hold tiles", front.name, back.name));
    };
    if a.tileset != b.tileset {
        return Some(format!("Layer “{}” has tiles of {}, “{}” of {}", front.name, a.tileset, back.name, b.tileset));
    }
    if let Some(locked) = [front, back].into_iter().find_map(|layer| level.lock_of(layer)) {
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

/// The layer behind another in the same group.
fn behind(level: &Level, number: usize) -> Option<&Arc<Layer>> {
    let (list, at) = level.siblings(number)?;
    list.get(at.checked_sub(1)?)
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
    let (back, tiles) =
        behind(level, at).zip(front.tiles()).ok_or_else(|| Refusal::new(format!("`{layer}` is no layer of tiles")))?;
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
    let remove = Edit::Remove { doc: doc.clone(), at: level.layer_at(layer) };
    Ok(MergeDown { edits: vec![paint, remove], into: back.name.clone(), n_covered })
}
