//! Edits of a level's layers and of the level itself.
//!
//! Invariant: layer names are unique in a level. What is on the layers is in `level` and `waypoints`.

use std::sync::Arc;

use super::{
    LayerPatch, LevelPatch, Refusal, TypedRefs,
    apply::{check_name, check_open, layer_at, layer_mut, level_at, level_mut, taken},
    definitions::check_ops,
    level::{check_link, has_cell},
    references,
    value::{check_number, check_place},
};
use crate::model::{Cell, DocPath, Layer, LayerContent, Level, Name, Project, Tiles};

/// Cells a level may have along one side; beyond it positions in pixels lose precision.
const MAX_CELLS: u32 = 1 << 20;

pub(super) fn add_layer(project: &mut Project, path: &DocPath, at: usize, layer: &Layer) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    check_name("a layer", &layer.name)?;
    if level.layer(&layer.name).is_some() {
        return Err(taken("a layer", &layer.name, None));
    }
    check_properties(layer)?;
    match &layer.content {
        LayerContent::Tiles(_) => {}
        LayerContent::Entities(all) => {
            for (id, it) in all {
                if level.has_id(id) {
                    return Err(Refusal::new(format!("there is already something with the id `{id}` in this level")));
                }
                check_place(it.at)?;
                check_number("a rotation", it.rotation)?;
                check_ops(&it.ops)?;
            }
        }
        LayerContent::Waypoints(graph) => {
            for (id, node) in &graph.nodes {
                if level.has_id(id) {
                    return Err(Refusal::new(format!("there is already something with the id `{id}` in this level")));
                }
                check_place(node.at)?;
            }
            graph.links.iter().try_for_each(|link| check_link(link, |id| graph.nodes.contains_key(id)))?;
        }
    }
    let layers = &mut level_mut(project, path)?.layers;
    layers.insert(at.min(layers.len()), Arc::new(layer.clone()));
    Ok(())
}

fn check_properties(layer: &Layer) -> Result<(), Refusal> {
    check_place(layer.parallax)?;
    check_place(layer.offset)?;
    if !(0.0..=1.0).contains(&layer.opacity) {
        return Err(Refusal::new(format!("opacity goes from 0 to 1, not {}", layer.opacity)));
    }
    Ok(())
}

pub(super) fn remove_layer(project: &mut Project, path: &DocPath, name: &str) -> Result<(), Refusal> {
    let (at, layer) = layer_at(level_at(project, path)?, name)?;
    check_open(layer)?;
    level_mut(project, path)?.layers.remove(at);
    Ok(())
}

pub(super) fn move_layer(project: &mut Project, path: &DocPath, name: &str, to: usize) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, _) = layer_at(level, name)?;
    let to = to.min(level.layers.len() - 1);
    if at != to {
        let layers = &mut level_mut(project, path)?.layers;
        let layer = layers.remove(at);
        layers.insert(to, layer);
    }
    Ok(())
}

pub(super) fn rename(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let (_, layer) = layer_at(level_at(project, path)?, from)?;
    let is_route = layer.waypoints().is_some();
    if from == to {
        return Ok(());
    }
    if is_route {
        if to.contains('/') {
            return Err(Refusal::new("the name of a layer of waypoints has no `/`; routes write a tag after it"));
        }
        let has_route = |level: &Level| level.layer(from).is_some_and(|(_, layer)| layer.waypoints().is_some());
        let mut others = project.levels().filter(|(at, level)| *at != path && has_route(level));
        if let Some((at, _)) = others.find(|(_, level)| level.layer(to).is_some()) {
            return Err(taken("a layer", to, Some(at)));
        }
    }
    let patch = LayerPatch { name: Some(to.clone()), ..LayerPatch::default() };
    set_layer(project, path, from, &patch)?;
    if is_route {
        references::rename(project, from, to, typed);
    }
    Ok(())
}

pub(super) fn set_layer(project: &mut Project, path: &DocPath, name: &str, patch: &LayerPatch) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, old) = layer_at(level, name)?;
    let mut changed = false;
    let mut head = Layer::new(old.name.clone(), LayerContent::Entities(indexmap::IndexMap::new()));
    (head.visible, head.locked, head.opacity) = (old.visible, old.locked, old.opacity);
    (head.parallax, head.offset) = (old.parallax, old.offset);
    if let Some(name) = patch.name.as_ref().filter(|name| **name != old.name) {
        check_name("a layer", name)?;
        if level.layer(name).is_some() {
            return Err(taken("a layer", name, None));
        }
        head.name = name.clone();
        changed = true;
    }
    take(&mut head.visible, patch.visible, &mut changed);
    take(&mut head.locked, patch.locked, &mut changed);
    take(&mut head.opacity, patch.opacity, &mut changed);
    take(&mut head.parallax, patch.parallax, &mut changed);
    take(&mut head.offset, patch.offset, &mut changed);
    check_properties(&head)?;
    let (mut tileset, mut collide) = (None, None);
    if patch.tileset.is_some() || patch.collide.is_some() {
        let tiles = old.tiles().ok_or_else(|| Refusal::new(format!("layer `{}` holds no tiles", old.name)))?;
        if let Some(name) = &patch.tileset {
            check_name("a tileset", name)?;
        }
        tileset = patch.tileset.clone().filter(|name| *name != tiles.tileset);
        collide = patch.collide.filter(|collide| *collide != tiles.collide);
        if old.locked && head.locked && (tileset.is_some() || collide.is_some()) {
            check_open(old)?;
        }
        changed |= tileset.is_some() || collide.is_some();
    }
    if !changed {
        return Ok(());
    }
    let layer = layer_mut(project, path, at)?;
    (layer.name, layer.visible, layer.locked, layer.opacity) = (head.name, head.visible, head.locked, head.opacity);
    (layer.parallax, layer.offset) = (head.parallax, head.offset);
    if let LayerContent::Tiles(tiles) = &mut layer.content {
        tiles.tileset = tileset.unwrap_or_else(|| tiles.tileset.clone());
        tiles.collide = collide.unwrap_or(tiles.collide);
    }
    Ok(())
}

/// Put a patch's value in place, noting whether it differs.
fn take<T: PartialEq>(slot: &mut T, patch: Option<T>, changed: &mut bool) {
    if let Some(value) = patch.filter(|value| value != slot) {
        *slot = value;
        *changed = true;
    }
}

pub(super) fn set_level(project: &mut Project, path: &DocPath, patch: &LevelPatch) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (mut tile_size, mut view, mut corner_cutting) = (level.tile_size, level.view, level.corner_cutting);
    let mut changed = false;
    take(&mut tile_size, patch.tile_size, &mut changed);
    take(&mut view, patch.view, &mut changed);
    take(&mut corner_cutting, patch.corner_cutting, &mut changed);
    if tile_size.iter().any(|side| !(1..=4096).contains(side)) {
        return Err(Refusal::new("a cell is 1 to 4096 pixels wide and high"));
    }
    if changed {
        let level = level_mut(project, path)?;
        (level.tile_size, level.view, level.corner_cutting) = (tile_size, view, corner_cutting);
    }
    Ok(())
}

pub(super) fn resize_level(
    project: &mut Project,
    path: &DocPath,
    size: Option<[u32; 2]>,
    shift: Cell,
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    if size.is_some_and(|size| size.iter().any(|side| !(1..=MAX_CELLS).contains(side))) {
        return Err(Refusal::new(format!("a level is 1 to {MAX_CELLS} tiles wide and high")));
    }
    if shift.iter().any(|by| by.unsigned_abs() > MAX_CELLS) {
        return Err(Refusal::new("that is too far to move a level"));
    }
    if size == level.size && shift == [0, 0] {
        return Ok(());
    }
    let [tw, th] = level.tile_size.map(f64::from);
    let by = [f64::from(shift[0]) * tw, f64::from(shift[1]) * th];
    let level = level_mut(project, path)?;
    level.size = size;
    for layer in &mut level.layers {
        let is_kept = match &layer.content {
            LayerContent::Tiles(tiles) => {
                let fits = tiles.tiles.bounds().is_none_or(|(lo, hi)| has_cell(size, lo) && has_cell(size, hi));
                shift == [0, 0] && (fits || tiles.tiles.iter().all(|(cell, _)| has_cell(size, cell)))
            }
            LayerContent::Entities(all) => shift == [0, 0] || all.is_empty(),
            LayerContent::Waypoints(graph) => shift == [0, 0] || graph.nodes.is_empty(),
        };
        if is_kept {
            continue;
        }
        match &mut Arc::make_mut(layer).content {
            LayerContent::Tiles(tiles) => {
                let mut moved = Tiles::default();
                for ([x, y], tile) in tiles.tiles.iter() {
                    let cell = [x.saturating_add(shift[0]), y.saturating_add(shift[1])];
                    if has_cell(size, cell) {
                        moved.set(cell, tile);
                    }
                }
                tiles.tiles = moved;
            }
            LayerContent::Entities(all) => {
                for it in all.values_mut() {
                    let it = Arc::make_mut(it);
                    it.at = [it.at[0] + by[0], it.at[1] + by[1]];
                }
            }
            LayerContent::Waypoints(graph) => {
                for node in graph.nodes.values_mut() {
                    node.at = [node.at[0] + by[0], node.at[1] + by[1]];
                }
            }
        }
    }
    Ok(())
}

/// The name `wanted`, or the first free one of `wanted 2`, `wanted 3`, ….
#[must_use]
pub fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> Name {
    if !is_taken(wanted) {
        return wanted.into();
    }
    let free = (2..=u32::MAX).map(|i| format!("{wanted}_{i}")).find(|name| !is_taken(name));
    free.unwrap_or_else(|| wanted.to_owned()).into()
}
