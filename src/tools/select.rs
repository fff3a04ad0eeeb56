//! Selecting entities and waypoints, and moving, deleting and copying what is selected.
//!
//! Invariant: what is on a hidden or locked layer cannot be hit. A press that never moves further than a few points is
//! a click and moves nothing.

use std::{collections::HashSet, sync::Arc};

use super::{
    Cursor, Extent, Ghost, PointerEvent, PointerPhase, ToolCx, ToolOut,
    pull::{self, Pulling},
    rotate::{self, Rotating},
    shapes::size_note,
    snap::{Bounds, Targets, bounds_of_all, lined_up},
};
use crate::{
    edit::{Edit, Phase, copy_things, duplicate_things},
    model::{Instance, Layer, LayerContent, LayerLook, Level, Name, PxBox, sentence},
};

/// A drag starts beyond this distance, in points of the screen.
pub(super) const DRAG_POINTS: f64 = 3.0;

/// What the select tool is in the middle of.
#[derive(Clone, Debug)]
pub(super) enum Selecting {
    /// Things, held by one of them. `clicked` is selected when they are let go of without having been dragged.
    /// Where they were and what they line up with is known once they are dragged.
    Move {
        from: [f64; 2],
        lead_at: [f64; 2],
        ids: Vec<Name>,
        clicked: Option<Vec<Name>>,
        dragged: Option<(Bounds, Targets)>,
    },
    /// The selected entity, by its handle.
    Rotate(Rotating),
    /// A field of the selected entity, by one of its handles.
    Pull(Box<Pulling>),
    /// A frame, added to what was selected.
    Frame { from: [f64; 2], base: Vec<Name> },
}

/// Answer a pointer event in the middle of `selecting`.
pub(super) fn pointer(
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    selecting: Option<Selecting>,
) -> (Option<Selecting>, ToolOut) {
    match (event.phase, selecting) {
        (PointerPhase::Press, _) => press(cx, event),
        (PointerPhase::Drag | PointerPhase::Release, Some(selecting)) => drag(cx, event, selecting),
        _ if let Some((_, out)) = grabbed(cx, event.pos_px) => (None, out),
        _ => {
            let hovered = hit(cx, event.pos_px);
            let cursor = if hovered.is_some() { Cursor::Move } else { Cursor::Arrow };
            let ghost = Ghost { hovered, ..Ghost::default() };
            (None, ToolOut { ghost, cursor, ..ToolOut::default() })
        }
    }
}

/// The handle at a place, the nearer of two, and the answer to the pointer over it.
fn grabbed(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<(Selecting, ToolOut)> {
    let pulling = pull::grabbed(cx, at);
    let is_nearer = |it: &Rotating| pulling.as_ref().is_none_or(|pulling| it.far <= pulling.far);
    if let Some(rotating) = rotate::grabbed(cx, at).filter(is_nearer) {
        return Some((Selecting::Rotate(rotating), rotate::hovered()));
    }
    let pulling = pulling?;
    let out = pulling.hovered();
    Some((Selecting::Pull(Box::new(pulling)), out))
}

fn press(cx: &ToolCx<'_>, event: &PointerEvent) -> (Option<Selecting>, ToolOut) {
    if let Some((selecting, out)) = grabbed(cx, event.pos_px) {
        return (Some(selecting), out);
    }
    let adds = event.modifiers.shift || event.modifiers.ctrl;
    let Some(id) = hit(cx, event.pos_px) else {
        let base = if adds { cx.selection.to_vec() } else { Vec::new() };
        return (Some(Selecting::Frame { from: event.pos_px, base }), ToolOut::default());
    };
    let is_selected = cx.selection.contains(&id);
    let without = || cx.selection.iter().filter(|it| **it != id).cloned().collect::<Vec<_>>();
    let with = || cx.selection.iter().chain([&id]).cloned().collect::<Vec<_>>();
    let (selection, clicked) = match (event.modifiers.ctrl, event.modifiers.shift, is_selected) {
        // With Ctrl a click adds or takes out, and a drag copies: which it is, is not known yet.
        (true, _, true) => (None, Some(without())),
        (true, _, false) => (None, Some(with())),
        (false, true, true) => return (None, ToolOut { selection: Some(without()), ..ToolOut::default() }),
        (false, true, false) => (Some(with()), None),
        // Letting go of one of several that are selected selects it alone.
        (false, false, true) => (None, Some(vec![id.clone()])),
        (false, false, false) => (Some(vec![id.clone()]), None),
    };
    let ids = match &selection {
        Some(ids) => ids.clone(),
        None if is_selected => cx.selection.to_vec(),
        None => vec![id.clone()],
    };
    let lead_at = cx.level().and_then(|level| place_of(level, &id)).unwrap_or(event.pos_px);
    let ghost = Ghost { hovered: Some(id), ..Ghost::default() };
    let selecting = Selecting::Move { from: event.pos_px, lead_at, ids, clicked, dragged: None };
    let cursor = if event.modifiers.ctrl { Cursor::Copy } else { Cursor::Move };
    (Some(selecting), ToolOut { ghost, selection, cursor, ..ToolOut::default() })
}

fn drag(cx: &ToolCx<'_>, event: &PointerEvent, mut selecting: Selecting) -> (Option<Selecting>, ToolOut) {
    let is_over = event.phase == PointerPhase::Release;
    let mut out = ToolOut::default();
    match &mut selecting {
        Selecting::Rotate(rotating) => out = rotate::drag(cx, event, rotating),
        Selecting::Pull(pulling) => out = pulling.drag(cx, event),
        Selecting::Move { from, lead_at, ids, clicked, dragged } => {
            let mut by = [event.pos_px[0] - from[0], event.pos_px[1] - from[1]];
            if dragged.is_none() && by[0].hypot(by[1]) > DRAG_POINTS * cx.px_per_point {
                let bounds = bounds_of_all(cx, ids).unwrap_or([*lead_at; 2]);
                *dragged = Some((bounds, Targets::around(cx, ids)));
            }
            let Some((bounds, targets)) = dragged else {
                out.selection = clicked.take_if(|_| is_over);
                return (if is_over { None } else { Some(selecting) }, out);
            };
            if event.modifiers.shift {
                let flat = usize::from(by[0].abs() >= by[1].abs());
                by[flat] = 0.0;
            }
            let to = cx.snapped([lead_at[0] + by[0], lead_at[1] + by[1]], event.modifiers.alt);
            let on_grid = [0, 1].map(|i| if by[i] == 0.0 { 0.0 } else { to[i] - lead_at[i] });
            let guides;
            (by, guides) = lined_up(cx, (*bounds, targets), (by, on_grid), event.modifiers.alt);
            // Let go of over a pane beside the level, they would be far away and out of sight.
            if let Some(level) = cx.level().filter(|_| !event.modifiers.alt) {
                by = cx.kept_inside(&places_of(level, ids), by);
            }
            let is_copy = event.modifiers.ctrl && by != [0.0, 0.0];
            out = if is_copy {
                copies(cx, ids, by).unwrap_or_else(ToolOut::refused)
            } else {
                let (edits, selection) = (moves(cx, ids, by), Some(ids.clone()));
                ToolOut { edits, selection, cursor: Cursor::Move, ..ToolOut::default() }
            };
            out.selection = out.selection.filter(|_| is_over);
            out.ghost.note = Some(format!("{}, {}", short(lead_at[0] + by[0]), short(lead_at[1] + by[1])));
            if !is_over {
                out.ghost.guides = guides;
            }
            out.phase = ToolOut::ended(is_over, Phase::Commit);
        }
        Selecting::Frame { from, base } => {
            let is_click = [0, 1].iter().all(|i| (event.pos_px[*i] - from[*i]).abs() <= DRAG_POINTS * cx.px_per_point);
            let mut ids = base.clone();
            if !is_click {
                let framed = things_in(cx, *from, event.pos_px);
                let base: HashSet<&Name> = base.iter().collect();
                ids.extend(framed.into_iter().filter(|id| !base.contains(id)));
                if !is_over {
                    out.ghost.frame_px = Some([*from, event.pos_px]);
                    let first =
                        cx.level().map_or(event.cell, |level| level.cell_under(cx.layer, *from, cx.center_px()));
                    out.ghost.note = Some(size_note(first, event.cell));
                }
            }
            // A click beside everything lets go of the selected cells, too: Delete would erase them.
            out.cells = (is_click && is_over && ids.is_empty()).then(Arc::default);
            out.selection = (!is_click || is_over).then_some(ids);
        }
    }
    (if is_over { None } else { Some(selecting) }, out)
}

/// A number without a tail of zeros.
fn short(x: f64) -> String {
    format!("{}", (x * 100.0).round() / 100.0)
}

/// The edits that move things of both kinds.
fn moves(cx: &ToolCx<'_>, ids: &[Name], by: [f64; 2]) -> Vec<Edit> {
    if by == [0.0, 0.0] {
        return Vec::new();
    }
    let Some(level) = cx.level() else { return Vec::new() };
    let (entities, nodes) = movable(level, ids);
    let ids: Vec<Name> = entities.into_iter().chain(nodes).collect();
    if ids.is_empty() { Vec::new() } else { vec![Edit::MoveThings { doc: cx.doc.clone(), ids, by }] }
}

/// Those of the ids that are on unlocked layers: entities and waypoints.
fn movable(level: &Level, ids: &[Name]) -> (Vec<Name>, Vec<Name>) {
    let looks = level.looks();
    let open = || looks.iter().filter(|(_, look)| !look.locked).map(|(layer, _)| layer);
    let is_entity = |id: &&Name| open().any(|layer| layer.entities().is_some_and(|all| all.contains_key(*id)));
    let is_node = |id: &&Name| open().any(|layer| layer.waypoints().is_some_and(|graph| graph.nodes.contains_key(*id)));
    (ids.iter().filter(is_entity).cloned().collect(), ids.iter().filter(is_node).cloned().collect())
}

/// Where an entity or waypoint is, in its layer.
pub(super) fn place_of(level: &Level, id: &str) -> Option<[f64; 2]> {
    level.all_layers().into_iter().find_map(|layer| layer.place_of(id))
}

/// Where each of many is; those that the level does not have are left out.
fn places_of(level: &Level, ids: &[Name]) -> Vec<[f64; 2]> {
    let layers = level.all_layers();
    ids.iter().filter_map(|id| layers.iter().find_map(|layer| layer.place_of(id))).collect()
}

/// Layers whose things can be hit, front to back.
pub(super) fn reachable<'a>(cx: &ToolCx<'a>) -> impl Iterator<Item = (&'a Layer, LayerLook)> {
    cx.looks().into_iter().rev().filter(|(layer, look)| (cx.shows)(layer) && !look.locked)
}

/// The frontmost waypoint or entity at a place. Waypoints are small, so they win over the entities they lie on.
pub(super) fn hit(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<Name> {
    let on = |look: LayerLook| [at[0] - look.offset[0], at[1] - look.offset[1]];
    let node = reachable(cx).find_map(|(layer, look)| {
        let at = on(look);
        let distance = |place: [f64; 2]| (place[0] - at[0]).hypot(place[1] - at[1]);
        let nodes = layer.waypoints()?.nodes.iter().filter(|(_, node)| distance(node.at) <= cx.reach_px());
        nodes.min_by(|a, b| distance(a.1.at).total_cmp(&distance(b.1.at))).map(|(id, _)| id.clone())
    });
    node.or_else(|| {
        reachable(cx).find_map(|(layer, look)| {
            let (at, reach) = (on(look), cx.reach_px());
            let around = [at.map(|it| it - reach), at.map(|it| it + reach)];
            let mut front_first = cx.entities_near(layer, around).rev();
            front_first.find(|(_, it)| is_on(cx, it, at)).map(|(id, _)| id.clone())
        })
    })
}

/// Whether a place is on an entity's box, turned as the entity is; a tiny entity is as large as a handle.
fn is_on(cx: &ToolCx<'_>, it: &Instance, at: [f64; 2]) -> bool {
    let extent = (cx.extent)(it);
    let (sin, cos) = it.rotation.to_radians().sin_cos();
    let d = [at[0] - it.at[0], at[1] - it.at[1]];
    let local = [d[0] * cos + d[1] * sin, d[1] * cos - d[0] * sin];
    (0..2).all(|i| (local[i] - extent.center[i]).abs() <= extent.half[i].max(cx.reach_px() / 2.0))
}

/// A vector turned clockwise by degrees.
#[must_use]
pub fn turned([x, y]: [f64; 2], degrees: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

/// The upright box around an entity as it is turned: left top and right bottom, in pixels of its layer.
pub(super) fn bounds_of(cx: &ToolCx<'_>, it: &Instance) -> PxBox {
    turned_box((cx.extent)(it), it)
}

/// The same around one of an extent.
#[must_use]
pub fn turned_box(extent: Extent, it: &Instance) -> PxBox {
    let (sin, cos) = it.rotation.to_radians().sin_cos();
    let [x, y] = turned(extent.center, it.rotation);
    let center = [it.at[0] + x, it.at[1] + y];
    let [w, h] = extent.half;
    let half = [w * cos.abs() + h * sin.abs(), w * sin.abs() + h * cos.abs()];
    [[center[0] - half[0], center[1] - half[1]], [center[0] + half[0], center[1] + half[1]]]
}

/// The entities and waypoints that a frame touches, by two opposite corners in pixels.
fn things_in(cx: &ToolCx<'_>, a: [f64; 2], b: [f64; 2]) -> Vec<Name> {
    let mut out = Vec::new();
    for (layer, look) in reachable(cx) {
        let lo = [0, 1].map(|i| a[i].min(b[i]) - look.offset[i]);
        let hi = [0, 1].map(|i| a[i].max(b[i]) - look.offset[i]);
        match &layer.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(_) => {
                let touched = cx.entities_near(layer, [lo, hi]).filter(|(_, it)| {
                    let [from, to] = bounds_of(cx, it);
                    (0..2).all(|i| to[i] >= lo[i] && from[i] <= hi[i])
                });
                out.extend(touched.map(|(id, _)| id.clone()));
            }
            LayerContent::Waypoints(graph) => {
                let touched =
                    graph.nodes.iter().filter(|(_, node)| (0..2).all(|i| node.at[i] >= lo[i] && node.at[i] <= hi[i]));
                out.extend(touched.map(|(id, _)| id.clone()));
            }
        }
    }
    out
}

/// The edits that move what is selected by pixels.
///
/// # Errors
/// Something selected is on a locked layer.
pub fn nudge(cx: &ToolCx<'_>, by: [f64; 2]) -> Result<Vec<Edit>, String> {
    check_unlocked(cx)?;
    Ok(moves(cx, cx.selection, by))
}

/// How far an arrow key moves what is selected, in pixels: by one, or by a tile.
#[must_use]
pub fn nudge_px(cx: &ToolCx<'_>, direction: [i8; 2], is_far: bool) -> [f64; 2] {
    let step = if is_far { tile_px(cx) } else { [1.0, 1.0] };
    [0, 1].map(|i| f64::from(direction[i]) * step[i])
}

/// The edits that delete what is selected.
///
/// # Errors
/// Something selected is on a locked layer.
pub fn delete(cx: &ToolCx<'_>) -> Result<Vec<Edit>, String> {
    check_unlocked(cx)?;
    let ids = cx.selection.to_vec();
    Ok(if ids.is_empty() { Vec::new() } else { vec![Edit::DeleteThings { doc: cx.doc.clone(), ids }] })
}

/// The edits that copy what is selected a tile beside itself; the copies are selected.
///
/// # Errors
/// Nothing is selected, or no layer can take the copies.
pub fn duplicate(cx: &ToolCx<'_>) -> Result<ToolOut, String> {
    copies(cx, cx.selection, tile_px(cx)).map(|out| ToolOut { phase: Phase::Commit, ..out })
}

/// Copies of things, moved by pixels; they are selected.
fn copies(cx: &ToolCx<'_>, ids: &[Name], by: [f64; 2]) -> Result<ToolOut, String> {
    let level = cx.level().ok_or("Open a level first")?;
    let fragment = copy_things(level, ids).ok_or("Select something first")?;
    let (edits, ids) =
        duplicate_things((cx.doc, level), ids, &[by], cx.seed).map_err(|refusal| sentence(&refusal.to_string()))?;
    let label = Some(format!("Duplicate {}", fragment.describe()));
    Ok(ToolOut { edits, label, selection: Some(ids), cursor: Cursor::Copy, ..ToolOut::default() })
}

fn tile_px(cx: &ToolCx<'_>) -> [f64; 2] {
    cx.level().map_or([16.0; 2], |level| level.grid().px.map(f64::from))
}

/// Refuse a selection of which something is on a locked layer, rather than act on the rest alone.
pub(super) fn check_unlocked(cx: &ToolCx<'_>) -> Result<(), String> {
    let holds = |layer: &Layer| cx.selection.iter().any(|id| layer.has_id(id));
    let locked = cx.level().and_then(|level| {
        let number = level.looks().into_iter().position(|(layer, look)| look.locked && holds(layer))?;
        level.lock_on(number)
    });
    match locked {
        Some(layer) => Err(format!("“{}” is locked: unlock it to work on it", layer.name)),
        None => Ok(()),
    }
}
