//! Edits of what is on a level's layers: tiles and placed entities, and things of both kinds by id.
//!
//! Invariant: an id names one entity or waypoint of a level; a link joins two waypoints of its layer.
//! The layers themselves are in `layers`, links in `waypoints`.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use super::{
    Refusal, Stamp,
    definitions::{check_ops, find_def},
    reach::{check_name, check_open, layer_at, layer_mut, level_at, open_layer},
    value::{check_number, check_place},
};
use crate::model::{
    Cell, CellSet, DocPath, Instance, LayerContent, Level, Link, Name, Node, Project, Tile, ValueLayer,
};

pub(super) fn paint_tiles(
    project: &mut Project,
    path: &DocPath,
    layer: &str,
    cells: &[(Cell, Tile)],
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, layer) = open_layer(level, layer)?;
    let Some(now) = layer.cells() else {
        return Err(Refusal::new(format!("layer `{}` holds no tiles", layer.name)));
    };
    // Values have no flips.
    let plain: Vec<(Cell, Tile)>;
    let cells = if layer.values().is_some() {
        plain = cells.iter().map(|(cell, tile)| (*cell, tile.id().map_or(Tile::EMPTY, Tile::id_only))).collect();
        if !plain.iter().all(|(_, tile)| ValueLayer::allows(*tile)) {
            return Err(Refusal::new(format!("a value is a number from 1 to {}", ValueLayer::MAX)));
        }
        plain.as_slice()
    } else {
        cells
    };
    let grid = level.grid_of(layer);
    let fits = |cell: Cell, tile: Tile| tile.is_empty() || grid.has_cell(cell);
    if !cells.iter().any(|(cell, tile)| fits(*cell, *tile) && now.tiles.get(*cell) != *tile) {
        return Ok(());
    }
    let (before, old) = (project.documents.get(path).cloned(), level.nth_layer(at).cloned());
    let Some(new) = layer_mut(project, path, at)?.cells_mut() else { return Ok(()) };
    new.paint(cells.iter().copied().filter(|(cell, tile)| fits(*cell, *tile)));
    // A cell that is painted and painted back has not changed.
    let is_changed = |(cell, _): &(Cell, Tile)| {
        old.as_ref().and_then(|old| old.cells()).is_none_or(|old| old.tiles.get(*cell) != new.get(*cell))
    };
    if !cells.iter().any(is_changed) {
        project.documents.extend(before.map(|before| (path.clone(), before)));
    }
    Ok(())
}

pub(super) fn merge_tiles(project: &mut Project, path: &DocPath, layer: &str, from: &str) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, layer) = open_layer(level, layer)?;
    let Some((now, front)) = layer.tiles().zip(layer_at(level, from)?.1.tiles()) else {
        return Err(Refusal::new(format!("layers `{from}` and `{}` do not both hold tiles", layer.name)));
    };
    let grid = level.grid_of(layer);
    let mut tiles = now.tiles.clone();
    if front.tiles.n_outside(grid.corners()) == 0 {
        tiles.put_over(&front.tiles);
    } else {
        tiles.put_over(&front.tiles.moved([0, 0], grid.corners()));
    }
    if tiles.unshared(&now.tiles).next().is_some()
        && let Some(new) = layer_mut(project, path, at)?.cells_mut()
    {
        *new = tiles;
    }
    Ok(())
}

pub(super) fn fill_tiles(
    project: &mut Project,
    path: &DocPath,
    layer: &str,
    cells: &CellSet,
    (stamp, anchor): (&Stamp, Cell),
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, layer) = open_layer(level, layer)?;
    let Some(now) = layer.cells() else {
        return Err(Refusal::new(format!("layer `{}` holds no tiles", layer.name)));
    };
    // Values have no flips.
    let plain = |tile: Tile| tile.id().map_or(Tile::EMPTY, Tile::id_only);
    let is_of_values = layer.values().is_some();
    if is_of_values && !stamp.iter().all(|(_, tile)| ValueLayer::allows(plain(tile))) {
        return Err(Refusal::new(format!("a value is a number from 1 to {}", ValueLayer::MAX)));
    }
    let erases = stamp.is_empty();
    let tile = |[x, y]: Cell| {
        let tile = stamp.get([x.wrapping_sub(anchor[0]), y.wrapping_sub(anchor[1])]);
        if is_of_values { plain(tile) } else { tile }
    };
    let grid = level.grid_of(layer);
    let is_inside = erases || cells.bounds().is_none_or(|(lo, hi)| grid.has_cell(lo) && grid.has_cell(hi));
    let cells = if is_inside { Cow::Borrowed(cells) } else { Cow::Owned(grid.clip(cells)) };
    let mut new = now.tiles.clone();
    if stamp.size() == [1, 1] {
        new.fill(&cells, tile(anchor));
    } else {
        new.paint(cells.iter().map(|cell| (cell, tile(cell))).filter(|(_, tile)| erases || !tile.is_empty()));
    }
    if new != *now.tiles
        && let Some(tiles) = layer_mut(project, path, at)?.cells_mut()
    {
        *tiles = new;
    }
    Ok(())
}

fn check_instance(instance: &Instance) -> Result<(), Refusal> {
    check_name("the definition of an entity", &instance.def)?;
    check_place(instance.at)?;
    check_number("a rotation", instance.rotation)?;
    check_ops(&instance.ops)
}

/// Refuse a definition that cannot be placed.
pub(super) fn check_def(project: &Project, def: &Name) -> Result<(), Refusal> {
    match find_def(project, def) {
        None => Err(Refusal::new(format!("there is no definition `{def}`"))),
        Some((_, found)) if found.is_abstract => {
            Err(Refusal::new(format!("`{def}` is abstract: it is there to be inherited, not to be placed")))
        }
        Some(_) => Ok(()),
    }
}

/// The layers that hold the given ids: index and the ids there. Every id has to be on a layer that may be edited.
pub(super) fn by_layer(
    level: &Level,
    ids: &[Name],
    is_wanted: impl Fn(&LayerContent) -> bool,
) -> Result<Vec<(usize, BTreeSet<Name>)>, Refusal> {
    let layers = level.all_layers();
    let mut out: Vec<(usize, BTreeSet<Name>)> = Vec::new();
    for id in ids {
        let found = layers.iter().position(|layer| is_wanted(&layer.content) && layer.has_id(id));
        let at = found.ok_or_else(|| Refusal::new(format!("there is nothing with the id `{id}` here")))?;
        match out.iter_mut().find(|(layer, _)| *layer == at) {
            Some((_, here)) => {
                here.insert(id.clone());
            }
            None => {
                check_open(level, at)?;
                out.push((at, [id.clone()].into()));
            }
        }
    }
    Ok(out)
}

pub(super) fn set_def(
    project: &mut Project,
    path: &DocPath,
    layer: &str,
    ids: &[Name],
    def: &Name,
) -> Result<(), Refusal> {
    let (at, layer) = open_layer(level_at(project, path)?, layer)?;
    let Some(entities) = layer.entities() else {
        return Err(Refusal::new(format!("layer `{}` holds no entities", layer.name)));
    };
    if let Some(id) = ids.iter().find(|id| !entities.contains_key(*id)) {
        return Err(Refusal::new(format!("there is no entity `{id}` on layer `{}`", layer.name)));
    }
    if ids.iter().all(|id| entities.get(id).is_some_and(|it| it.def == *def)) {
        return Ok(());
    }
    check_def(project, def)?;
    if let LayerContent::Entities(all) = &mut layer_mut(project, path, at)?.content {
        for id in ids {
            if let Some(it) = all.get_mut(id).filter(|it| it.def != *def) {
                Arc::make_mut(it).def = def.clone();
            }
        }
    }
    Ok(())
}

pub(super) fn move_things(project: &mut Project, path: &DocPath, ids: &[Name], by: [f64; 2]) -> Result<(), Refusal> {
    check_place(by)?;
    let level = level_at(project, path)?;
    let layers = by_layer(level, ids, |content| {
        !matches!(
            content,
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_)
        )
    })?;
    let moved = |at: [f64; 2]| [at[0] + by[0], at[1] + by[1]];
    for (at, here) in &layers {
        let place = |id| match &level.nth_layer(*at)?.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => None,
            LayerContent::Entities(all) => all.get(id).map(|it| it.at),
            LayerContent::Waypoints(graph) => graph.nodes.get(id).map(|node| node.at),
        };
        here.iter().filter_map(place).try_for_each(|at| check_place(moved(at)))?;
    }
    if by == [0.0, 0.0] {
        return Ok(());
    }
    for (at, here) in layers {
        match &mut layer_mut(project, path, at)?.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => {
                for id in &here {
                    if let Some(it) = all.get_mut(id).map(Arc::make_mut) {
                        it.at = moved(it.at);
                    }
                }
            }
            LayerContent::Waypoints(graph) => {
                for id in &here {
                    if let Some(node) = graph.nodes.get_mut(id) {
                        node.at = moved(node.at);
                    }
                }
            }
        }
    }
    Ok(())
}

pub(super) fn delete_things(project: &mut Project, path: &DocPath, ids: &[Name]) -> Result<(), Refusal> {
    for (at, here) in by_layer(level_at(project, path)?, ids, |_| true)? {
        match &mut layer_mut(project, path, at)?.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => all.retain(|id, _| !here.contains(id)),
            LayerContent::Waypoints(graph) => {
                graph.nodes.retain(|id, _| !here.contains(id));
                graph.links.retain(|link| !here.contains(&link.from) && !here.contains(&link.to));
            }
        }
    }
    Ok(())
}

/// The pasted things: entities, waypoints, and links.
type Things<'a> = (&'a [(Name, Instance)], &'a [(Name, Node)], &'a [Link]);

pub(super) fn paste_things(
    project: &mut Project,
    path: &DocPath,
    layer: &str,
    (entities, nodes, links): Things<'_>,
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (at, layer) = open_layer(level, layer)?;
    let layers = level.all_layers();
    let mut fresh = BTreeSet::new();
    for id in entities.iter().map(|(id, _)| id).chain(nodes.iter().map(|(id, _)| id)) {
        check_name("a placed thing", id)?;
        if layers.iter().any(|layer| layer.has_id(id)) {
            return Err(Refusal::new(format!("there is already something with the id `{id}` in this level")));
        }
        if !fresh.insert(id.clone()) {
            return Err(Refusal::new(format!("two of the pasted things have the id `{id}`")));
        }
    }
    entities.iter().try_for_each(|(_, it)| check_instance(it))?;
    nodes.iter().try_for_each(|(_, it)| check_place(it.at))?;
    match &layer.content {
        LayerContent::Entities(_) if nodes.is_empty() && links.is_empty() => {}
        LayerContent::Waypoints(graph) if entities.is_empty() => {
            for link in links {
                let is_end = |id: &Name| fresh.contains(id) || graph.nodes.contains_key(id);
                check_link(link, is_end)?;
            }
        }
        _ => {
            let what = if nodes.is_empty() { "entities" } else { "waypoints" };
            return Err(Refusal::new(format!("layer `{}` holds no {what}", layer.name)));
        }
    }
    if entities.is_empty() && nodes.is_empty() && links.is_empty() {
        return Ok(());
    }
    match &mut layer_mut(project, path, at)?.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
        LayerContent::Entities(all) => all.extend(entities.iter().map(|(id, it)| (id.clone(), Arc::new(it.clone())))),
        LayerContent::Waypoints(graph) => {
            graph.nodes.extend(nodes.iter().cloned());
            graph.links.extend(links.iter().cloned());
        }
    }
    Ok(())
}

/// Refuse a link that does not join two waypoints.
pub(super) fn check_link(link: &Link, is_node: impl Fn(&Name) -> bool) -> Result<(), Refusal> {
    if link.from == link.to {
        return Err(Refusal::new("a waypoint cannot be linked to itself"));
    }
    for end in [&link.from, &link.to] {
        if !is_node(end) {
            return Err(Refusal::new(format!("there is no waypoint `{end}` on this layer")));
        }
    }
    match link.cost {
        Some(cost) if !cost.is_finite() || cost < 0.0 => {
            Err(Refusal::new(format!("the cost of a link is zero or more, not {cost}")))
        }
        _ => Ok(()),
    }
}

pub(super) fn move_to_layer(project: &mut Project, path: &DocPath, ids: &[Name], layer: &str) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (to, target) = open_layer(level, layer)?;
    let is_same_kind = |content: &LayerContent| {
        matches!(
            (content, &target.content),
            (LayerContent::Entities(_), LayerContent::Entities(_))
                | (LayerContent::Waypoints(_), LayerContent::Waypoints(_))
        )
    };
    let mut layers = by_layer(level, ids, |_| true)?;
    if layers.iter().any(|(at, _)| !level.nth_layer(*at).is_some_and(|layer| is_same_kind(&layer.content))) {
        return Err(Refusal::new(format!("layer `{layer}` does not hold things of this kind")));
    }
    layers.retain(|(at, _)| *at != to);
    for (at, here) in layers {
        let mut moved_entities = Vec::new();
        let mut moved_nodes = Vec::new();
        let mut moved_links = Vec::new();
        match &mut layer_mut(project, path, at)?.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => {
                all.retain(|id, it| {
                    let goes = here.contains(id);
                    if goes {
                        moved_entities.push((id.clone(), Arc::clone(it)));
                    }
                    !goes
                });
            }
            LayerContent::Waypoints(graph) => {
                graph.nodes.retain(|id, it| {
                    let goes = here.contains(id);
                    if goes {
                        moved_nodes.push((id.clone(), it.clone()));
                    }
                    !goes
                });
                graph.links.retain(|link| match (here.contains(&link.from), here.contains(&link.to)) {
                    (true, true) => {
                        moved_links.push(link.clone());
                        false
                    }
                    (false, false) => true,
                    _ => false,
                });
            }
        }
        match &mut layer_mut(project, path, to)?.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => all.extend(moved_entities),
            LayerContent::Waypoints(graph) => {
                graph.nodes.extend(moved_nodes);
                graph.links.extend(moved_links);
            }
        }
    }
    Ok(())
}
