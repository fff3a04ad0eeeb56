//! Edits of a level's layers and of the level itself.
//!
//! Invariant: layer names are unique in a level. What is on the layers is in `level` and `waypoints`.

use std::sync::Arc;

use super::{
    Refusal, TypedRefs,
    definitions::check_ops,
    level::{check_link, has_cell},
    reach::{check_name, layer_at, layer_mut, level_at, level_mut, taken},
    references,
};
use crate::model::{Cell, DocPath, Layer, LayerContent, Level, Name, Project, Tiles};

/// Cells a level may have along one side; beyond it positions in pixels lose precision.
pub const MAX_CELLS: u32 = 1 << 20;

/// Refuse a layer that a level cannot take in.
pub(super) fn check_new(level: &Level, layer: &Layer) -> Result<(), Refusal> {
    check_name("a layer", &layer.name)?;
    if level.layer(&layer.name).is_some() {
        return Err(taken("a layer", &layer.name, None));
    }
    let taken_id = |id: &Name| Refusal::new(format!("there is already something with the id `{id}` in this level"));
    match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) => Ok(()),
        LayerContent::Group(group) => group.layers.iter().try_for_each(|layer| check_new(level, layer)),
        LayerContent::Entities(all) => {
            if let Some(id) = all.keys().find(|id| level.has_id(id)) {
                return Err(taken_id(id));
            }
            all.values().try_for_each(|it| check_ops(&it.ops))
        }
        LayerContent::Waypoints(graph) => {
            if let Some(id) = graph.nodes.keys().find(|id| level.has_id(id)) {
                return Err(taken_id(id));
            }
            graph.links.iter().try_for_each(|link| check_link(link, |id| graph.nodes.contains_key(id)))
        }
    }
}

pub(super) fn rename(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, layer) = layer_at(level, from)?;
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
    check_name("a layer", to)?;
    if level.layer(to).is_some() {
        return Err(taken("a layer", to, None));
    }
    layer_mut(project, path, at)?.name = to.clone();
    if is_route {
        references::rename(project, from, to, typed);
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
    level.change_layers(&mut |layer, look| {
        let size = size.filter(|_| look.moves_with_world());
        let cells_stay = |tiles: &Tiles| {
            let fits = tiles.bounds().is_none_or(|(lo, hi)| has_cell(size, lo) && has_cell(size, hi));
            shift == [0, 0] && (fits || tiles.iter().all(|(cell, _)| has_cell(size, cell)))
        };
        let is_kept = match &layer.content {
            LayerContent::Tiles(it) => cells_stay(&it.tiles),
            LayerContent::Values(it) => cells_stay(&it.values),
            LayerContent::Entities(all) => shift == [0, 0] || all.is_empty(),
            LayerContent::Waypoints(graph) => shift == [0, 0] || graph.nodes.is_empty(),
            LayerContent::Image(_) => shift == [0, 0],
            LayerContent::Group(_) => true,
        };
        if is_kept {
            return None;
        }
        let mut layer = layer.clone();
        match &mut layer.content {
            LayerContent::Image(_) => layer.offset = [layer.offset[0] + by[0], layer.offset[1] + by[1]],
            LayerContent::Tiles(it) => it.tiles = moved(&it.tiles, size, shift),
            LayerContent::Values(it) => it.values = moved(&it.values, size, shift),
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
            LayerContent::Group(_) => {}
        }
        Some(layer)
    });
    Ok(())
}

/// Cells moved by columns and rows, those that a level of a size has then.
fn moved(tiles: &Tiles, size: Option<[u32; 2]>, shift: Cell) -> Tiles {
    let mut moved = Tiles::default();
    for ([x, y], tile) in tiles.iter() {
        let cell = [x.saturating_add(shift[0]), y.saturating_add(shift[1])];
        if has_cell(size, cell) {
            moved.set(cell, tile);
        }
    }
    moved
}

/// The number that something of a list has after it was dropped into a gap: gap 0 is before the first.
#[must_use]
pub fn number_in_gap(from: usize, gap: usize) -> usize {
    if gap > from { gap - 1 } else { gap }
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
