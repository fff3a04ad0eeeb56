//! Merging a layer of tiles into the one behind it.
//!
//! Invariant: only layers are merged that differ in nothing but their tiles, so that where the front one has tiles the level looks and
//! is as before, but for what showed through them.

use super::{Edit, Refusal, level::has_cell, reach::check_open};
use crate::model::{DocPath, Layer, Level, Name};

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

/// The edits that merge a layer of tiles into the one behind it, and that one's name.
///
/// # Errors
/// There is no such layer, [`merge_problem`] says why not, or it has tiles outside the level, which could not be painted again.
pub fn merge_down((doc, level): (&DocPath, &Level), layer: &str) -> Result<(Vec<Edit>, Name), Refusal> {
    let (at, front) = level.layer(layer).ok_or_else(|| Refusal::new(format!("there is no layer `{layer}`")))?;
    if let Some(why) = merge_problem(level, at) {
        return Err(Refusal::new(why));
    }
    let back = at.checked_sub(1).and_then(|at| level.layers.get(at));
    let (back, tiles) =
        back.zip(front.tiles()).ok_or_else(|| Refusal::new(format!("`{layer}` is no layer of tiles")))?;
    check_open(back)?;
    if !tiles.tiles.iter().all(|(cell, _)| has_cell(level.size, cell)) {
        return Err(Refusal::new(format!("Layer “{layer}” has tiles outside the level, which would be lost")));
    }
    let paint = Edit::PaintTiles { doc: doc.clone(), layer: back.name.clone(), cells: tiles.tiles.iter().collect() };
    let remove = Edit::Remove { doc: doc.clone(), at: Level::layer_at(layer) };
    Ok((vec![paint, remove], back.name.clone()))
}
