//! The level's canvas while it plays: what the pointer does to running entities, their menu, and marks of what is live
//! and what is held. What a drag means is decided in `tools::hand`.

use std::collections::{HashMap, HashSet};

use egui::{Color32, Painter, PointerButton, Popup, Pos2, Response, Stroke, Ui, pos2};

use super::{
    level::{is_over, level_pointer, modifiers_held},
    playback::repeating_text,
    why::insight_items_ui,
};
use crate::{
    editor::{Action, Command, LevelPointer, Preview, PreviewAction, Selection, ViewChange},
    model::{DocPath, Level, Name, WaypointGraph, counted},
    sim::{
        EntityView, Hand,
        world::{LevelSide, Pull},
    },
    tools::{Button, Extent, PointerPhase, ToolKind, rotate_handle},
    ui::{
        CanvasCx, CommandLook as _, Cx,
        canvas::{camera::pos, looks::of_running, overlay, paint::Viewport},
    },
};

/// How large the mark of something live is, in points.
const MARK: f32 = 3.5;

/// Pass what the pointer does over a level that plays to the select tool.
pub(super) fn running_pointer_ui(
    cx: &CanvasCx<'_>,
    ui: &Ui,
    viewport: &Viewport,
    response: &Response,
    (preview, doc, level): (&Preview, &DocPath, &Level),
    pointer: Pos2,
    viewports: &HashMap<usize, Viewport>,
) {
    let is_under = |entity: &EntityView<'_>| {
        entity.alive && viewports.get(&entity.layer).is_some_and(|viewport| is_over(viewport, entity, pointer))
    };
    let under = preview.drawn().filter(is_under).last();
    if response.hovered() && under.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    }
    let modifiers = modifiers_held(ui);
    let event = |phase: PointerPhase, at: Pos2| -> LevelPointer {
        let world = viewport.world(at);
        let at = [f64::from(world.x), f64::from(world.y)];
        level_pointer(cx, viewport, (doc, level), at, (phase, Button::Primary, modifiers))
    };
    let send = |phase, at| cx.send(Action::Preview(PreviewAction::Hand(event(phase, at))));
    let button = PointerButton::Primary;
    let (pressed, released, down, moved) = ui.input(|input| {
        let it = &input.pointer;
        (it.button_pressed(button), it.button_released(button), it.button_down(button), !input.raw.events.is_empty())
    });
    let on_canvas = response.hovered() && response.contains_pointer();
    if ui.input(|input| input.pointer.button_pressed(PointerButton::Secondary)) && on_canvas {
        let ids = under.as_ref().map(|entity| entity.id.clone());
        // The menu of several selected ones is about all of them.
        if ids.as_ref().is_some_and(|id| cx.selection.ids_in(doc).contains(id)) {
            return;
        }
        cx.send(Action::View(ViewChange::WatchEntity(ids.clone())));
        cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids: ids.into_iter().collect() }));
        return;
    }
    if pressed && on_canvas {
        // A click beside a menu closes it and does nothing else.
        if Popup::is_any_open(ui.ctx()) {
            Popup::close_all(ui.ctx());
            return;
        }
        // With Shift it is added to what is selected, or taken out of it: two are compared.
        if let Some(entity) = under.as_ref().filter(|_| modifiers.shift) {
            let mut ids = cx.selection.ids_in(doc).to_vec();
            match ids.iter().position(|id| id == entity.id) {
                Some(at) => _ = ids.remove(at),
                None => ids.push(entity.id.clone()),
            }
            cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids }));
            return;
        }
        send(PointerPhase::Press, ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer));
        if released {
            send(PointerPhase::Release, pointer);
        }
        return;
    }
    if down && response.is_pointer_button_down_on() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
        if moved {
            send(PointerPhase::Drag, pointer);
        }
    } else if released {
        send(PointerPhase::Release, pointer);
    } else if moved && response.hovered() {
        send(PointerPhase::Hover, pointer);
    }
}

/// The menu of the running entity that was selected last.
pub(super) fn running_menu_ui(cx: &CanvasCx<'_>, response: &Response, doc: &DocPath) {
    let Some(preview) = cx.preview.filter(|it| it.level == *doc && cx.view.tool == ToolKind::Select) else { return };
    let Some(id) = cx.selection.ids_in(doc).last() else { return };
    let world = preview.session.world();
    let Some(entity) = world.by_id(id).and_then(|key| world.entity(key)) else { return };
    response.context_menu(|ui| {
        ui.label(cx.theme.caption(format!("{}  {}", entity.def, entity.id)));
        running_items_ui(cx, ui, preview, &entity);
    });
}

/// What can be done with a running entity.
pub(super) fn running_items_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, entity: &EntityView<'_>) {
    let key = entity.key;
    let item = |ui: &mut Ui, text: &str, action: PreviewAction| {
        if ui.button(text).clicked() {
            cx.send(Action::Preview(action));
            ui.close();
        }
    };
    if preview.session.world().placed_at(key).is_some() {
        item(ui, "Keep its place", PreviewAction::KeepPlace(key));
        item(ui, "Move back to where it is placed", PreviewAction::MoveBack(key));
    } else {
        item(ui, "Keep as placed entity", PreviewAction::KeepPlace(key));
    }
    item(ui, "Delete", PreviewAction::TakeOut(key));
    ui.separator();
    item(ui, Command::Drive.spec().text, PreviewAction::Possess(Some(key)));
    item(ui, Command::DrivePlayer.spec().text, PreviewAction::Possess(None));
    ui.separator();
    insight_items_ui(cx, ui);
}

/// The ids of entities and waypoints of a level that are live.
pub(super) fn live_things(cx: &Cx<'_>, doc: &DocPath) -> HashSet<Name> {
    let live = cx.live_changes();
    live.iter().filter(|change| change.doc == *doc).filter_map(|change| change.thing().cloned()).collect()
}

/// Mark something live at the right upper corner of its box.
pub(super) fn live_mark_ui(cx: &Cx<'_>, painter: &Painter, on: egui::Rect) {
    painter.circle(on.right_top(), MARK, cx.theme.warning, Stroke::new(1.0, cx.theme.panel));
}

/// Mark the waypoints of a layer that are live.
pub(super) fn live_nodes_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, doc: &DocPath, graph: &WaypointGraph) {
    let live = live_things(cx, doc);
    for (_, node) in graph.nodes.iter().filter(|(id, _)| live.contains(*id)) {
        let at = viewport.screen(pos(node.at));
        live_mark_ui(cx, painter, egui::Rect::from_center_size(at, egui::Vec2::splat(14.0)));
    }
}

/// The handle to turn the running entity that is selected alone.
pub(super) fn turn_handle_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, entity: &EntityView<'_>) {
    if cx.view.tool != ToolKind::Select {
        return;
    }
    let look = of_running(entity);
    let at = [f64::from(entity.pos.x), f64::from(entity.pos.y)];
    let extent = Extent { half: look.half, center: look.center };
    let ends = rotate_handle(at, f64::from(entity.angle).to_degrees(), extent, f64::from(1.0 / viewport.camera.scale));
    overlay::rotate_handle_ui(cx, painter, ends.map(|end| viewport.screen(pos(end))));
}

/// The spring by which something is pulled, as a line from where it is pulled at to the pointer.
pub(super) fn hand_ui(cx: &Cx<'_>, painter: &Painter, preview: &Preview, viewports: &HashMap<usize, Viewport>) {
    let world = preview.session.world();
    let Hand::Pulls(Pull { key, grip, to }) = world.hand() else { return };
    let Some(viewport) = world.entity(key).and_then(|entity| viewports.get(&entity.layer)) else { return };
    let Some(from) = world.physics().point_of(key, grip) else { return };
    let [from, to] = [from, to].map(|at| viewport.screen(pos2(at.x, at.y)));
    painter.line_segment([from, to], Stroke::new(2.0, cx.theme.accent));
    painter.circle_filled(from, MARK, cx.theme.accent);
    painter.circle(to, MARK, Color32::TRANSPARENT, Stroke::new(1.5, cx.theme.accent));
}

/// What is to be known of a level that plays besides that it does: that keys are repeated, or that the player has left it.
pub(super) fn note_text(cx: &Cx<'_>, ui: &Ui, preview: &Preview) -> Option<String> {
    let left = || {
        let (player, side) = preview.session.world().lost_player()?;
        let side = match side {
            LevelSide::Top => "above",
            LevelSide::Bottom => "below",
            LevelSide::Left => "to the left of",
            LevelSide::Right => "to the right of",
        };
        let keys = Command::PlayFromStart.keys_text(cx, ui.ctx());
        let again = keys.map(|keys| format!("; {keys} plays it from the start")).unwrap_or_default();
        Some(format!("{player} is {side} the level{again}"))
    };
    repeating_text(preview).or_else(left)
}

/// What the frame around a level that plays says: also how much is live.
pub(super) fn frame_text(cx: &Cx<'_>, preview: &Preview) -> String {
    let plays = if preview.is_playing { "Playing" } else { "Paused" };
    match cx.live_changes().len() {
        0 => plays.to_owned(),
        n => format!("{plays} • {}", counted(n, "live change")),
    }
}
