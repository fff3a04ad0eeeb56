//! Merging layers of tiles: one into the one behind it, or several that are next to each other.
//!
//! Invariant: only layers are merged that differ in nothing but their tiles. Where both have a tile the one behind
//! goes, with what showed of it and what was solid of it: how many these are is counted for the user.

use std::sync::Arc;

use super::{Edit, Refusal};
use crate::model::{CellGrid, DocPath, Layer, Level, Name, Tiles};

/// Why layers cannot be merged into the one of them that is behind the others, or one alone into the one behind it, as
/// a sentence.
#[must_use]
pub fn merge_problem(level: &Level, layers: &[Name]) -> Option<String> {
    parts(level, layers).err()
}

/// The layers to merge, back to front: the first is the one that takes the tiles of the others.
fn parts<'a>(level: &'a Level, layers: &[Name]) -> Result<Vec<&'a Arc<Layer>>, String> {
    let numbers = level.outermost(layers);
    let all: Vec<&Arc<Layer>> = numbers.iter().filter_map(|at| level.nth_layer(*at)).collect();
    if let Some(group) = all.iter().find(|layer| layer.is_group()) {
        return Err(format!("“{}” is a group; merge the layers in it", group.name));
    }
    let (Some(first), Some(number)) = (all.first(), numbers.first()) else {
        return Err("Choose a layer first".to_owned());
    };
    let all = if all.len() > 1 {
        all
    } else {
        let of = level.group_of(*number).map(|group| format!(" in “{}”", group.name)).unwrap_or_default();
        let back = behind(level, *number).ok_or_else(|| format!("No layer is behind “{}”{of}", first.name))?;
        vec![back, first]
    };
    for (number, pair) in numbers.iter().rev().zip(all.windows(2).rev()) {
        if let [back, front] = pair
            && behind(level, *number).is_none_or(|it| it.name != back.name)
        {
            return Err(format!("Layers “{}” and “{}” are not next to each other", front.name, back.name));
        }
    }
    match all.iter().skip(1).find_map(|front| difference(level, front, all[0])) {
        Some(why) => Err(why),
        None => Ok(all),
    }
}

/// What keeps a layer from being merged into another, as a sentence.
fn difference(level: &Level, front: &Layer, back: &Layer) -> Option<String> {
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

/// What merging layers does.
#[derive(Clone, Debug)]
pub struct MergeDown {
    /// The edits.
    pub edits: Vec<Edit>,
    /// The layer behind the others.
    pub into: Name,
}

/// The edits that merge layers of tiles into the one of them that is behind the others, or one alone into the one
/// behind it.
///
/// # Errors
/// [`merge_problem`] says why not, or one has tiles outside the level, which could not be painted again.
pub fn merge_down((doc, level): (&DocPath, &Level), layers: &[Name]) -> Result<MergeDown, Refusal> {
    let all = parts(level, layers).map_err(Refusal::new)?;
    let Some((back, fronts)) = all.split_first() else { return Err(Refusal::new("there is no layer to merge")) };
    let grid = level.grid_of(back);
    let mut edits = Vec::new();
    for front in fronts {
        let Some(tiles) = front.tiles().map(|it| &it.tiles) else { continue };
        if tiles.n_outside(grid.corners()) > 0 {
            return Err(Refusal::new(format!(
                "Layer “{}” has tiles outside the level, which would be lost",
                front.name
            )));
        }
        edits.push(Edit::MergeTiles { doc: doc.clone(), layer: back.name.clone(), from: front.name.clone() });
    }
    let remove = |front: &&Arc<Layer>| Edit::Remove { doc: doc.clone(), at: level.layer_at(&*front.name) };
    edits.extend(fronts.iter().map(remove));
    Ok(MergeDown { edits, into: back.name.clone() })
}

/// How many tiles others take the place of when layers are merged. Takes as long as the merge itself.
#[must_use]
pub fn n_covered(level: &Level, layers: &[Name]) -> usize {
    let all = parts(level, layers).unwrap_or_default();
    let mut tiles = all.into_iter().filter_map(|layer| layer.tiles()).map(|it| &it.tiles);
    let mut merged: Tiles = tiles.next().cloned().unwrap_or_default();
    tiles.map(|front| merged.put_over(front)).sum()
}
