//! Edits of tilesets: where the pictures are, what the tiles are, and terrains.
//!
//! Invariant: a tile's id never changes; its name is unique in its tileset unless empty; its shape is convex.

use super::{
    Refusal, TilesetPatch, TypedRefs,
    apply::{check_name, content, content_mut, taken},
    references,
    value::check_number,
};
use crate::model::{DocPath, Project, TerrainSet, Tile, TileDef, TileShape, Tileset, check_convex, counted};

fn tileset<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Tileset, Refusal> {
    content(project, path)
}

fn tileset_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut Tileset, Refusal> {
    content_mut(project, path)
}

pub(super) fn set(project: &mut Project, path: &DocPath, patch: &TilesetPatch) -> Result<(), Refusal> {
    let old = tileset(project, path)?;
    let image = patch.image.clone().unwrap_or_else(|| old.image.clone());
    let tile_size = patch.tile_size.unwrap_or(old.tile_size);
    let margin = patch.margin.unwrap_or(old.margin);
    let spacing = patch.spacing.unwrap_or(old.spacing);
    if tile_size.iter().any(|side| !(1..=4096).contains(side)) {
        return Err(Refusal::new("a tile is 1 to 4096 pixels wide and high"));
    }
    if (&image, tile_size, margin, spacing) != (&old.image, old.tile_size, old.margin, old.spacing) {
        let new = tileset_mut(project, path)?;
        (new.image, new.tile_size, new.margin, new.spacing) = (image, tile_size, margin, spacing);
    }
    Ok(())
}

fn no_tile(id: u32) -> Refusal {
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

pub(super) fn set_tile(project: &mut Project, path: &DocPath, id: u32, tile: &TileDef) -> Result<(), Refusal> {
    let set = tileset(project, path)?;
    if id > Tile::MAX_ID {
        return Err(Refusal::new(format!("the largest tile id is {}", Tile::MAX_ID)));
    }
    if set.tiles.get(&id) == Some(tile) {
        return Ok(());
    }
    check_free(set, id, &tile.name)?;
    if let TileShape::Polygon(points) = &tile.shape {
        points.iter().try_for_each(|point| super::value::check_place(*point))?;
        check_convex(points).map_err(Refusal::new)?;
    }
    for (kind, cost) in &tile.cost {
        check_number("a cost", *cost)?;
        if *cost < 0.0 {
            return Err(Refusal::new(format!("the cost of walking for `{kind}` is zero or more")));
        }
    }
    for number in tile.friction.into_iter().chain([tile.weight]) {
        check_number("a number of a tile", number)?;
        if number < 0.0 {
            return Err(Refusal::new("friction and weight are zero or more"));
        }
    }
    for frame in &tile.frames {
        check_number("a time", frame.secs)?;
        if frame.secs <= 0.0 {
            return Err(Refusal::new("a frame is shown for more than zero seconds"));
        }
    }
    tileset_mut(project, path)?.tiles.insert(id, tile.clone());
    Ok(())
}

pub(super) fn remove_tile(project: &mut Project, path: &DocPath, id: u32) -> Result<(), Refusal> {
    if !tileset(project, path)?.tiles.contains_key(&id) {
        return Err(no_tile(id));
    }
    let set = tileset_mut(project, path)?;
    set.tiles.shift_remove(&id);
    for terrain in &mut set.terrains {
        terrain.tiles.shift_remove(&id);
    }
    Ok(())
}

pub(super) fn rename_tile(
    project: &mut Project,
    path: &DocPath,
    id: u32,
    to: &str,
    typed: &TypedRefs,
) -> Result<(), Refusal> {
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

pub(super) fn set_terrain(
    project: &mut Project,
    path: &DocPath,
    at: usize,
    terrain: Option<&TerrainSet>,
) -> Result<(), Refusal> {
    let set = tileset(project, path)?;
    let n = set.terrains.len();
    if at > n || (terrain.is_none() && at == n) {
        return Err(Refusal::new(format!("this tileset has {}, there is no number {}", counted(n, "terrain"), at + 1)));
    }
    match terrain {
        None => {
            tileset_mut(project, path)?.terrains.remove(at);
        }
        Some(terrain) => {
            if let Some(id) = terrain.tiles.keys().find(|id| !set.tiles.contains_key(*id)) {
                return Err(no_tile(*id));
            }
            if set.terrains.get(at) != Some(terrain) {
                let terrains = &mut tileset_mut(project, path)?.terrains;
                match terrains.get_mut(at) {
                    Some(slot) => *slot = terrain.clone(),
                    None => terrains.push(terrain.clone()),
                }
            }
        }
    }
    Ok(())
}
