//! The right button with tools that take no brush by it: it selects what is under the pointer and asks for a menu about
//! it.
//!
//! Invariant: what the commands of the menu act on is what the menu is about. Its rows are the window's.

use super::{Ghost, PointerEvent, ToolCx, ToolKind, ToolOut, pull, select};
use crate::model::{Layer, LayerContent, Level, Name};

/// What the menu of a right click in a level is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuTopic {
    /// The selected entities and waypoints.
    Things,
    /// The selected cells.
    Cells,
    /// The level, where nothing else is.
    Ground,
}

/// Answer a press of the right button with the tool `kind`.
pub(super) fn press(kind: ToolKind, cx: &ToolCx<'_>, event: &PointerEvent) -> ToolOut {
    if let Some(spot) = (kind == ToolKind::Select).then(|| pull::spot_at(cx, event.pos_px)).flatten() {
        let ghost = Ghost { spot: Some(spot), ..Ghost::default() };
        return ToolOut { menu: Some(MenuTopic::Things), ghost, ..ToolOut::default() };
    }
    let is_on_cells = cx.cells.contains(event.cell);
    // Tools that select cells mean these before what stands on them.
    let thing = if is_on_cells && kind.selects_cells() { None } else { select::hit(cx, event.pos_px) };
    let (topic, selection) = match thing {
        Some(id) if cx.selection.contains(&id) => (MenuTopic::Things, None),
        Some(id) => (MenuTopic::Things, Some(vec![id])),
        // Commands mean the cells only while nothing else is selected.
        None if is_on_cells => (MenuTopic::Cells, (!cx.selection.is_empty()).then(Vec::new)),
        None => (MenuTopic::Ground, Some(Vec::new())),
    };
    ToolOut { menu: Some(topic), selection, ..ToolOut::default() }
}

/// The layers that entities or waypoints of a level can be moved to, front to back: those of their kind that are not
/// locked, without the one that holds them all. None where they are of both kinds, or of neither.
#[must_use]
pub fn layers_to_move_to<'a>(level: &'a Level, ids: &[Name]) -> Vec<&'a Layer> {
    let holds = |layer: &Layer| match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => false,
        LayerContent::Entities(all) => ids.iter().any(|id| all.contains_key(id)),
        LayerContent::Waypoints(graph) => ids.iter().any(|id| graph.nodes.contains_key(id)),
    };
    let from: Vec<&Layer> = level.all_layers().into_iter().map(|layer| &**layer).filter(|layer| holds(layer)).collect();
    let Some(first) = from.first() else { return Vec::new() };
    let is_kind = |layer: &Layer| layer.tag() == first.tag();
    if !from.iter().all(|layer| is_kind(layer)) {
        return Vec::new();
    }
    let is_only = |layer: &Layer| from.len() == 1 && layer.name == first.name;
    let open = level.looks().into_iter().rev().filter(|(_, look)| !look.locked);
    open.map(|(layer, _)| &**layer).filter(|layer| is_kind(layer) && !is_only(layer)).collect()
}
