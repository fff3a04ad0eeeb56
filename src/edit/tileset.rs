//! Edits of tilesets: where the pictures are, what the tiles are, and terrains.
//!
//! Invariant: a tile's id never changes; its name is unique in its tileset unless empty; its shape is convex.

use super::{
    Refusal, TypedRefs,
    reach::{check_name, content, content_mut, taken},
    references,
};
use crate::model::{DocPath, Project, Tile, TileDef, TileShape, Tileset, check_convex};

fn tileset<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Tileset, Refusal> {
    content(project, path)
}

fn tileset_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut Tileset, Refusal> {
    content_mut(project, path)
}

pub(super) fn no_tile(id: u32) -> Refusal {
    Refusal::new(format!("there is no tile {id} in this tileset"))
}

fn check_free(tileset: &Tileset, id: u32, name: &str) -> Result<(), Refusal> {
    if name.is_empty() {
        return Ok(());
    }
    check_name("a tile", name)?;
    if name.contains('/') {
        return Err(Refusal::new("a tile's name has no `/`, which separates it from its tileset's"));
    }
    match tileset.by_name(name) {
        Some((other, _)) if other != id => Err(taken("a tile", &name.into(), None)),
        _ => Ok(()),
    }
}

/// Refuse a tile whose name another has, or that no file can hold.
pub(super) fn check_tile(set: &Tileset, id: u32, tile: &TileDef) -> Result<(), Refusal> {
    if id > Tile::MAX_ID {
        return Err(Refusal::new(format!("the largest tile id is {}", Tile::MAX_ID)));
    }
    check_free(set, id, &tile.name)?;
    if let TileShape::Polygon(points) = &tile.shape {
        points.iter().try_for_each(|point| super::value::check_place(*point))?;
        check_convex(points).map_err(Refusal::new)?;
    }
    Ok(())
}

pub(super) fn rename_tile(
    project: &mut Project,
    path: &DocPath,
    (id, to): (&str, &str),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let id: u32 = id.parse().map_err(|_| Refusal::new(format!("`{id}` is no number of a tile")))?;
    let set = tileset(project, path)?;
    let from = set.tiles.get(&id).ok_or_else(|| no_tile(id))?.name.clone();
    if from == to {
        return Ok(());
    }
    check_free(set, id, to)?;
    if let Some(tile) = tileset_mut(project, path)?.tiles.get_mut(&id) {
        to.clone_into(&mut tile.name);
    }
    if !from.is_empty() {
        let stem = path.stem();
        references::rename(project, &format!("{stem}/{from}"), &format!("{stem}/{to}"), typed);
    }
    Ok(())
}
