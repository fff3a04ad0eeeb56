//! Edits of a level's layers and of the level itself.
//!
//! Invariant: layer names are unique in a level. What is on the layers is in `level` and `waypoints`.

use std::{collections::HashSet, sync::Arc};

use super::{
    Edit, Refusal, TypedRefs,
    definitions::check_ops,
    level::check_link,
    reach::{check_name, layer_at, layer_mut, level_at, level_mut, taken},
    references,
};
use crate::model::{Cell, CellGrid, DocPath, Layer, LayerContent, Level, Name, Project, Tiles, reflect::Reflect};

/// Cells a level may have along one side; beyond it positions in pixels lose precision.
pub const MAX_CELLS: u32 = 1 << 20;

/// Refuse a layer that a level cannot take in.
pub(super) fn check_new(level: &Level, layer: &Layer) -> Result<(), Refusal> {
    check_among(level, layer, &mut [HashSet::new(), HashSet::new()])
}

/// The same, among others that are put in with it, whose names and whose ids are given.
fn check_among<'a>(level: &Level, layer: &'a Layer, known: &mut [HashSet<&'a Name>; 2]) -> Result<(), Refusal> {
    check_name("a layer", &layer.name)?;
    let [names, ids] = &mut *known;
    if level.layer(&layer.name).is_some() || !names.insert(&layer.name) {
        return Err(taken("a layer", &layer.name, None));
    }
    let mut is_taken = |id: &&'a Name| level.has_id(id) || !ids.insert(*id);
    let taken_id = |id: &Name| Refusal::new(format!("there is already something with the id `{id}` in this level"));
    match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) => Ok(()),
        LayerContent::Group(group) => group.layers.iter().try_for_each(|layer| check_among(level, layer, known)),
        LayerContent::Entities(all) => {
            if let Some(id) = all.keys().find(&mut is_taken) {
                return Err(taken_id(id));
            }
            all.values().try_for_each(|it| check_ops(&it.ops))
        }
        LayerContent::Waypoints(graph) => {
            if let Some(id) = graph.nodes.keys().find(&mut is_taken) {
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
    // An empty text that could mean a layer means none.
    if is_route && !from.is_empty() {
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
    if let Some(why) = shift_problem(level, shift) {
        return Err(Refusal::new(why));
    }
    let by = level.grid().corner_px(shift);
    let resized = Level { size, tile_size: level.tile_size, ..Level::default() };
    let level = level_mut(project, path)?;
    level.size = size;
    level.change_layers(&mut |layer, look| {
        let grid = resized.grid_of(layer);
        // Those that move at another pace reach beyond the level.
        let grid = CellGrid { size: grid.size.filter(|_| look.moves_with_world()), ..grid };
        let shift = grid.cell_at(by);
        let cells_stay = |tiles: &Tiles| shift == [0, 0] && tiles.n_outside(grid.corners()) == 0;
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
            LayerContent::Tiles(it) => it.tiles = it.tiles.moved(shift, grid.corners()),
            LayerContent::Values(it) => it.values = it.values.moved(shift, grid.corners()),
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

/// Why what is in a level cannot be moved by columns and rows of it: a layer has tiles in cells of its own, which the
/// move would put between two cells. As a sentence.
#[must_use]
pub fn shift_problem(level: &Level, shift: Cell) -> Option<String> {
    let by = shift.map(i32::unsigned_abs);
    let [step_x, step_y] = shift_step(level);
    if by[0].is_multiple_of(step_x) && by[1].is_multiple_of(step_y) {
        return None;
    }
    let is_unfit = |layer: &&Arc<Layer>| {
        let step = layer_step(level, layer);
        (0..2).any(|i| !by[i].is_multiple_of(step[i]))
    };
    let layer = level.all_layers().into_iter().find(is_unfit)?;
    let px = level.grid_of(layer).px_text();
    Some(format!(
        "“{}” has cells of {px}: what is in this level moves by multiples of {step_x} × {step_y} cells",
        layer.name
    ))
}

/// By multiples of how many columns and rows what is in a level can be moved, so that every tile is in a cell again.
#[must_use]
pub fn shift_step(level: &Level) -> [u32; 2] {
    let all = level.all_layers().into_iter().map(|layer| layer_step(level, layer));
    all.fold([1, 1], |a, b| [0, 1].map(|i: usize| (a[i] / gcd(a[i], b[i])).saturating_mul(b[i])))
}

/// The same for one layer: one where it has no tiles, or the level's own cells.
fn layer_step(level: &Level, layer: &Layer) -> [u32; 2] {
    if layer.cells().is_none_or(|cells| cells.tiles.regions().next().is_none()) {
        return [1, 1];
    }
    let (own, of_level) = (level.grid_of(layer).px, level.grid().px);
    [0, 1].map(|i: usize| own[i] / gcd(own[i], of_level[i]))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The edits that give a field of layers, by its name in the file, one value.
#[must_use]
pub fn set_in_layers((doc, level): (&DocPath, &Level), layers: &[Name], field: &str, value: &dyn Reflect) -> Vec<Edit> {
    layers.iter().map(|layer| Edit::set_at(doc, level.layer_at(&**layer).key(field), value)).collect()
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
