//! The Level pane: the strip of open levels and the canvas, with the level as it is edited or as it plays.

use std::collections::{HashMap, HashSet};

use egui::{
    Color32, DragAndDrop, FontId, LayerId, Order, PointerButton, Popup, Pos2, Rect, Response, Sense, Stroke, Ui, pos2,
    vec2,
};
use egui_material_icons::icons;

use super::{
    find::find_ui,
    key_pointer::key_pointer_ui,
    level_camera::{beyond_picture_ui, modes_ui, viewport_ui},
    level_menu::level_canvas_menu_ui,
    level_running::{
        frame_text, hand_ui, live_mark_ui, live_nodes_ui, live_things, note_text, running_menu_ui, running_pointer_ui,
        turn_handle_ui,
    },
    level_tabs::tabs_ui,
    overlays::overlays_button_ui,
    playback::playback_ui,
    probe::probe_panel_ui,
    why::{why_card_rect, why_card_ui},
};
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Command, LayerSeen, LevelPointer, PointerAt, Preview, ViewChange},
    model::{DocPath, LayerContent, LayerLook, Level, Name},
    sim::EntityView,
    tools::{Button, Extent, Modifiers, PointerEvent, PointerPhase, ToolKind, rotate_handle},
    ui::{
        CanvasCx, CommandLook as _, Cx,
        canvas::{
            camera::{OnScreen as _, pos},
            cameras, fields, ghost, ghosts,
            insight::insight_ui,
            labels::Labels,
            looks::{Look, of_running},
            navigate,
            nearby::entities_in_sight,
            overlay,
            paint::{self, SpriteAt, Viewport},
            probe, references, routes, selection,
            text::{edit_text, text_of},
        },
        theme::SMALL,
        widgets::{command_button, empty_state, has_keyboard},
    },
};

/// Show the Level pane.
pub fn level_ui(cx: &CanvasCx<'_>, ui: &mut Ui) {
    tabs_ui(cx, ui);
    let Some((doc, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_MAP.codepoint, "Choose a level in the Project pane, or press Ctrl+P");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    if cx.view.is_finding {
        find_ui(cx, ui);
    }
    let plays = cx.preview.is_some_and(|preview| preview.level == *doc);
    if plays {
        egui::Panel::bottom("playback")
            .frame(egui::Frame::new().fill(cx.theme.chrome).inner_margin(egui::Margin::symmetric(6, 3)))
            .show_separator_line(false)
            .show(ui, |ui| playback_ui(cx, ui));
    }
    let (view, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    let name = format!("Level canvas {}", doc.stem());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &name));
    let viewport = viewport_ui(cx, ui, (view, &response), (doc, level));
    let by_keys = key_pointer_ui(cx, ui, &viewport, &response, (doc, level));
    if by_keys.is_none() {
        pointer_ui(cx, ui, &viewport, &response, doc, level);
    }
    level_canvas_menu_ui(cx, &viewport, &response, (doc, level));
    running_menu_ui(cx, &response, doc);
    if response.double_clicked()
        && cx.view.tool == ToolKind::Select
        && let Some(text) = text_of(cx)
    {
        edit_text(cx, text);
    }
    let painter = ui.painter().with_clip_rect(view);
    paint::ground_ui(cx, &painter, &viewport, level);
    let preview = cx.preview.filter(|preview| preview.level == *doc);
    let note = preview.and_then(|preview| note_text(cx, ui, preview));
    let secs = preview.map_or(0.0, |preview| preview.session.world().time_secs());
    let active = cx.active_layer();
    let canvas = painter.clone();
    // A bounded level ends at its edge, however far its far layers reach.
    let painter = match level.size {
        Some(_) => painter.with_clip_rect(view.intersect(viewport.rect(paint::level_rect(level)))),
        None => painter,
    };
    let is_playing = preview.is_some_and(|preview| preview.is_playing);
    let is_pale = |i: usize| cx.view.overlays.highlight && !is_playing && active != Some(i);
    let mut shown = cx.view.layers_seen(doc, level);
    shown.retain(|it| it.is_shown);
    let selected: HashSet<&Name> = cx.selection.ids_in(doc).iter().collect();
    for it in &shown {
        let (i, look) = (it.number, &it.look);
        let painter = if is_pale(i) { pale(&painter) } else { painter.clone() };
        match (&it.layer.content, preview) {
            (LayerContent::Tiles(_), _) => paint::tiles_ui(cx, &painter, &viewport, (doc, level), (i, look), secs),
            (LayerContent::Entities(_), Some(preview)) => {
                ghosts::ghosts_ui(cx, &painter, &viewport, preview, (i, look));
                world_ui(cx, &painter, &viewport, preview, (i, look), &selected);
            }
            (LayerContent::Entities(_), None) => {
                // Also those outside, which would be out of sight and reach otherwise.
                let painter = if is_pale(i) { pale(&canvas) } else { canvas.clone() };
                placed_ui(cx, &painter, &viewport, (doc, level), it, &selected);
            }
            // No game draws them.
            (LayerContent::Values(_), _) if is_playing => {}
            (LayerContent::Values(_), _) => paint::tiles_ui(cx, &painter, &viewport, (doc, level), (i, look), secs),
            (LayerContent::Image(image), _) => paint::image_ui(cx, &painter, &viewport, look, image),
            (LayerContent::Waypoints(_) | LayerContent::Group(_), _) => {}
        }
    }
    let painter = canvas;
    if preview.is_none() {
        paint::outside_ui(cx, &painter, &viewport, level);
    }
    if let Some(preview) = preview {
        beyond_picture_ui(cx, &painter, &viewport, preview);
    }
    if cx.view.overlays.grid && !is_playing {
        overlay::grid_ui(cx, &painter, &viewport.for_cells_of(level, active), level, level.grid_at(active));
    }
    if let (true, Some(geometry)) = (cx.view.overlays.colliders, cx.derived.geometry(doc)) {
        overlay::solid_ui(cx, &painter, &viewport, geometry);
    }
    for it in &shown {
        let is_active = active == Some(it.number);
        if let LayerContent::Waypoints(graph) = &it.layer.content
            && (!is_playing || is_active)
        {
            let painter = if is_pale(it.number) { pale(&painter) } else { painter.clone() };
            let viewport = viewport.for_layer(&it.look);
            overlay::waypoints_ui(cx, &painter, &viewport, (doc, it.layer), graph, &selected, is_active);
            live_nodes_ui(cx, &painter, &viewport, doc, graph);
        }
    }
    if let Some(preview) = preview {
        let free = banner(ui, view, note.as_deref());
        running_overlays_ui(cx, ui, &painter, &viewport, (preview, free), &shown, &selected);
    }
    cells_ui(cx, ui, &painter, &viewport, (doc, level));
    if preview.is_none() {
        cameras::selected_ui(cx, &painter, &viewport, (doc, level));
        fields::fields_ui(cx, ui, &painter, &viewport, (doc, level), &shown);
        references::references_ui(cx, ui, &painter, &viewport, (doc, level), &shown);
        overlay::problem_places_ui(cx, &painter, &viewport, (doc, level), &shown);
    }
    if !is_playing {
        routes::routes_ui(cx, &painter, &viewport, doc, &shown);
    }
    // While it plays, as long as it is in hand: what it moves is seen.
    let shows_probe = !is_playing || cx.view.tool == ToolKind::Probe;
    if shows_probe {
        probe::probe_ui(cx, &painter, &viewport, (doc, level));
    }
    ghost::ghost_ui(cx, &painter, &viewport, level);
    if let Some(cell) = by_keys {
        overlay::key_pointer_ui(cx, &painter, cell);
    }
    if response.hovered() && cx.view.pointer.is_some() {
        ui.ctx().set_cursor_icon(ghost::cursor_icon(cx));
    }
    if shows_probe {
        probe_panel_ui(cx, ui, &viewport, (doc, level));
    }
    frame_ui(cx, ui, view, preview, note.as_deref());
    if let Some(preview) = preview {
        modes_ui(cx, ui, view, preview);
        why_card_ui(cx, ui, &viewport, preview);
    }
    // While it plays, the keys are the game's.
    if has_keyboard(&response) && !is_playing {
        let line = Stroke::new(2.0, cx.theme.accent);
        ui.painter().rect_stroke(view.shrink(1.0), 0.0, line, egui::StrokeKind::Inside);
    }
}

/// The outline of the selected cells, as they are or as the tool in hand is about to select them.
fn cells_ui(
    cx: &CanvasCx<'_>,
    ui: &Ui,
    painter: &egui::Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
) {
    let about_to_be = cx.tool.ghost.selection.as_ref();
    let Some(cells) = about_to_be.or_else(|| cx.view.cells.get(doc)).filter(|cells| !cells.is_empty()) else { return };
    let is_focused = ui.input(|input| input.raw.focused);
    let time = if is_focused { ui.input(|input| input.time) } else { 0.0 };
    let active = cx.active_layer();
    let viewport = &viewport.for_cells_of(level, active);
    selection::cells_ui(cx, painter, viewport, (level.grid_at(active), cells), time);
    if is_focused {
        ui.ctx().request_repaint_after_secs(selection::STEP_SECS);
    }
}

/// What of the layers that tools do not work on is left where the active one is highlighted.
const PALE: f32 = 0.3;

/// A painter whose shapes are pale.
fn pale(painter: &egui::Painter) -> egui::Painter {
    let mut painter = painter.clone();
    painter.multiply_opacity(PALE);
    painter
}

/// The same where the painter is not pale: what is selected is marked on every layer.
fn strong(painter: &egui::Painter) -> egui::Painter {
    let mut painter = painter.clone();
    painter.set_opacity(1.0);
    painter
}

/// A line around a running preview, to tell it from the level itself.
fn frame_ui(cx: &Cx<'_>, ui: &Ui, view: Rect, preview: Option<&Preview>, note: Option<&str>) {
    let Some(preview) = preview else { return };
    let color = if preview.is_playing { cx.theme.good } else { cx.theme.warning };
    let painter = ui.painter();
    painter.rect_stroke(view.shrink(1.0), 0.0, Stroke::new(2.0, color), egui::StrokeKind::Inside);
    let text = frame_text(cx, preview);
    overlay::label_ui(cx, painter, pos2(view.center().x, view.top() + 24.0), &text, color);
    if let Some(text) = note {
        overlay::label_ui(cx, painter, pos2(view.center().x, view.top() + 46.0), text, cx.theme.text);
    }
}

/// A definition that is dragged to be placed.
struct Carried(Name);

/// Have a definition be dragged from here onto a level.
pub(super) fn carry_ui(cx: &Cx<'_>, response: &Response, def: &Name) {
    response.dnd_set_drag_payload(Carried(def.clone()));
    let is_over_level = cx.view.pointer.is_some();
    if response.dragged()
        && DragAndDrop::has_payload_of_type::<Carried>(&response.ctx)
        && let Some(at) = response.ctx.pointer_interact_pos().filter(|_| !is_over_level)
    {
        response.ctx.set_cursor_icon(egui::CursorIcon::Grabbing);
        let painter = response.ctx.layer_painter(LayerId::new(Order::Tooltip, response.id));
        overlay::label_ui(cx, &painter, at + vec2(0.0, -10.0), def, cx.theme.text_strong);
    }
}

/// Say where in the level the pointer is.
pub(super) fn points_at(cx: &Cx<'_>, viewport: &Viewport, level: &Level, px: [f64; 2]) {
    let cell = level.cell_under(cx.active_layer(), px, viewport.center());
    let at = PointerAt { pos: px, cell, tile: tile_at(cx, level, cell) };
    if cx.view.pointer.as_ref() != Some(&at) {
        cx.send(Action::View(ViewChange::Pointer(Some(at))));
    }
}

/// The keys that change what tools do.
pub(super) fn modifiers_held(ui: &Ui) -> Modifiers {
    let held = ui.input(|input| input.modifiers);
    Modifiers { shift: held.shift, ctrl: held.command, alt: held.alt }
}

/// What a tool is told of a pointer at a place of the level, in pixels.
pub(super) fn level_pointer(
    cx: &Cx<'_>,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    pos_px: [f64; 2],
    (phase, button, modifiers): (PointerPhase, Button, Modifiers),
) -> LevelPointer {
    let cell = level.cell_under(cx.active_layer(), pos_px, viewport.center());
    let event = PointerEvent { phase, pos_px, cell, modifiers, button };
    let shown = viewport.camera.visible(viewport.view);
    let visible_px = [shown.min, shown.max].map(|at| [f64::from(at.x), f64::from(at.y)]);
    LevelPointer { doc: doc.clone(), event, px_per_point: f64::from(1.0 / viewport.camera.scale), visible_px }
}

/// Tell the tool in hand what the pointer does.
fn pointer_ui(cx: &CanvasCx<'_>, ui: &Ui, viewport: &Viewport, response: &Response, doc: &DocPath, level: &Level) {
    let carried = response.dnd_hover_payload::<Carried>();
    let over = carried.as_ref().and_then(|_| ui.ctx().pointer_interact_pos());
    // What takes a click on the canvas, as a text does, takes the release too; the tool that was pressed there gets it
    // all the same.
    let released = || ui.ctx().pointer_interact_pos().filter(|_| cx.is_tool_busy && response.contains_pointer());
    let own = || response.interact_pointer_pos().or_else(|| response.hover_pos());
    let Some(pointer) = over.or_else(own).or_else(released) else {
        if cx.view.pointer.is_some() {
            cx.send(Action::View(ViewChange::Pointer(None)));
        }
        return;
    };
    let world = viewport.world(pointer);
    let px = [f64::from(world.x), f64::from(world.y)];
    points_at(cx, viewport, level, px);
    let is_playing = cx.preview.is_some_and(|preview| preview.is_playing);
    let modifiers = modifiers_held(ui);
    let event = |phase, at: Pos2, button| {
        let world = viewport.world(at);
        let at = [f64::from(world.x), f64::from(world.y)];
        level_pointer(cx, viewport, (doc, level), at, (phase, button, modifiers))
    };
    if let Some(carried) = carried {
        let is_dropped = response.dnd_release_payload::<Carried>().is_some();
        let phase = if is_dropped { PointerPhase::Release } else { PointerPhase::Hover };
        cx.send(Action::Carry(carried.0.clone(), event(phase, pointer, Button::Primary)));
        ui.ctx().set_cursor_icon(ghost::cursor_icon(cx));
        return;
    }
    let event = |phase, at: Pos2, button| cx.send(Action::Pointer(event(phase, at, button)));
    if navigate::is_panning(ui, !is_playing) {
        return;
    }
    if let Some(preview) = cx.preview.filter(|preview| preview.level == *doc && cx.view.tool == ToolKind::Select) {
        let viewports = by_layer(viewport, &cx.view.layers_seen(doc, level));
        running_pointer_ui(cx, ui, viewport, response, (preview, doc, level), pointer, &viewports);
        return;
    }
    // A pointer that rests has nothing new to say; saying it again would keep the window drawing for ever. With Shift
    // held, a click would paint something else. What was carried here and let go of by Escape is still shown.
    let was_carrying = cx.tool.ghost.entity.is_some() && cx.view.tool != ToolKind::Entity;
    if ui.input(|input| input.raw.events.is_empty()) && modifiers == cx.tool_modifiers && !was_carrying {
        return;
    }
    let mut is_quiet = true;
    for (button, which) in [(PointerButton::Primary, Button::Primary), (PointerButton::Secondary, Button::Secondary)] {
        // A press is where the button went down, not where the drag was noticed.
        let (pressed, released, down) = ui.input(|input| {
            (
                input.pointer.button_pressed(button),
                input.pointer.button_released(button),
                input.pointer.button_down(button),
            )
        });
        if pressed && response.hovered() && response.contains_pointer() {
            // A click beside a menu closes it and does nothing else.
            if which == Button::Primary && Popup::is_any_open(ui.ctx()) {
                Popup::close_all(ui.ctx());
                continue;
            }
            let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let world = viewport.world(origin);
            let at = [f64::from(world.x), f64::from(world.y)];
            if which == Button::Secondary && asks_about_reference(cx, viewport, (doc, level), at) {
                continue;
            }
            event(PointerPhase::Press, origin, which);
            is_quiet = false;
        }
        if down && response.is_pointer_button_down_on() && !pressed {
            event(PointerPhase::Drag, pointer, which);
            is_quiet = false;
        }
        if released && (cx.is_tool_busy || !is_quiet) {
            event(PointerPhase::Drag, pointer, which);
            event(PointerPhase::Release, pointer, which);
            is_quiet = false;
        }
    }
    if is_quiet && response.hovered() {
        event(PointerPhase::Hover, pointer, Button::Primary);
    }
}

/// Have the menu be about the reference whose arrow is at a point of the level, in pixels. Returns whether there is
/// one.
pub(super) fn asks_about_reference(
    cx: &CanvasCx<'_>,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    at: [f64; 2],
) -> bool {
    let may_ask = cx.view.tool == ToolKind::Select && !cx.is_tool_busy;
    let on_screen = viewport.screen(pos(at));
    let arrow = may_ask.then(|| references::arrow_at(cx, viewport, (doc, level), on_screen)).flatten();
    let Some((from, spot)) = arrow else { return false };
    cx.send(Action::View(ViewChange::ReferenceMenu { doc: doc.clone(), from, spot, at }));
    true
}

/// Whether a point of the screen is on a running entity, or so near that a click means it.
pub(super) fn is_over(viewport: &Viewport, entity: &EntityView<'_>, at: Pos2) -> bool {
    let look = of_running(entity);
    let origin = pos2(entity.pos.x, entity.pos.y);
    overlay::box_rect(viewport, origin, look.half, look.center).expand(2.0).contains(at)
}

/// Where running entities are drawn, by the numbers of the layers that are shown.
fn by_layer(viewport: &Viewport, shown: &[LayerSeen<'_>]) -> HashMap<usize, Viewport> {
    shown.iter().filter(|it| it.is_shown).map(|it| (it.number, viewport.for_layer(&it.look))).collect()
}

fn tile_at(cx: &Cx<'_>, level: &Level, cell: [i32; 2]) -> Option<String> {
    let layer = level.nth_layer(cx.active_layer()?)?;
    let id = layer.cells()?.tiles.get(cell).id()?;
    if let Some(values) = layer.values() {
        let called = values.called(id);
        return Some(if called == format!("value {id}") { called } else { format!("{called} ({id})") });
    }
    let tiles = layer.tiles()?;
    let tileset = cx.project.tileset(cx.resolution.tilesets.get(&tiles.tileset)?)?;
    Some(tileset.tiles.get(&id)?.called(id))
}

fn placed_ui(
    cx: &Cx<'_>,
    painter: &egui::Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    on: &LayerSeen<'_>,
    selected: &HashSet<&Name>,
) {
    let layer_look = &on.look;
    let viewport = &viewport.for_layer(layer_look);
    let mut shown: Vec<_> = entities_in_sight(cx, viewport, (doc, level), on)
        .map(|(id, instance)| (id, instance, cx.looks.get(cx.resolution, (doc, level), on.number, id, instance)))
        .collect();
    shown.sort_by_key(|(_, _, look)| look.z);
    for (id, instance, look) in shown {
        #[expect(clippy::cast_possible_truncation, reason = "an angle on the screen")]
        let angle = instance.rotation.to_radians() as f32;
        let place = SpriteAt { at: pos(instance.at), angle, opacity: opacity(layer_look), tint: layer_look.tint };
        match &look.sprite {
            Some(sprite) => paint::sprite_ui(cx, painter, viewport, sprite, place),
            None => paint::sign_ui(cx, painter, viewport, place.at, look.resolved.as_deref()),
        }
        if cx.view.overlays.colliders {
            collider_ui(cx, painter, viewport, &look, place);
        }
        if selected.contains(id) {
            let painter = strong(painter);
            if instance.rotation == 0.0 {
                overlay::selected_ui(cx, &painter, overlay::box_rect(viewport, place.at, look.half, look.center));
            } else {
                overlay::selected_turned_ui(cx, &painter, viewport, (place.at, angle), (look.half, look.center));
            }
            if selected.len() == 1 && cx.view.tool == ToolKind::Select && !layer_look.locked {
                let extent = Extent { half: look.half, center: look.center };
                let px_per_point = f64::from(1.0 / viewport.camera.scale);
                let ends = rotate_handle(instance.at, instance.rotation, extent, px_per_point);
                overlay::rotate_handle_ui(cx, &painter, ends.map(|end| viewport.screen(pos(end))));
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
fn opacity(look: &LayerLook) -> f32 {
    look.opacity.clamp(0.0, 1.0) as f32
}

fn collider_ui(cx: &Cx<'_>, painter: &egui::Painter, viewport: &Viewport, look: &Look, place: SpriteAt) {
    for outline in look.outlines.iter().filter(|outline| outline.len() >= 3) {
        let stroke = Stroke::new(1.0, cx.theme.collider);
        paint::outline_ui(painter, viewport, outline, place, stroke, Color32::TRANSPARENT);
    }
}

fn world_ui(
    cx: &Cx<'_>,
    painter: &egui::Painter,
    viewport: &Viewport,
    preview: &Preview,
    (index, on): (usize, &LayerLook),
    selected: &HashSet<&Name>,
) {
    let viewport = &viewport.for_layer(on);
    let visible = viewport.camera.visible(viewport.view).expand(256.0);
    let [lo, hi] = [visible.min, visible.max].map(|at| glam::vec2(at.x, at.y));
    let (world, moment) = (preview.session.world(), preview.drawn_moment());
    let mut shown: Vec<EntityView<'_>> = world.drawn_within(index, [lo, hi], moment).collect();
    shown.sort_by_key(|entity| entity.sprite.as_ref().map_or(0, |sprite| sprite.z));
    let live = live_things(cx, &preview.level);
    for entity in &shown {
        let at = pos2(entity.pos.x, entity.pos.y);
        let place = SpriteAt { at, angle: entity.angle, opacity: opacity(on), tint: on.tint };
        let look = of_running(entity);
        match &look.sprite {
            Some(sprite) => paint::sprite_ui(cx, painter, viewport, sprite, place),
            None => paint::sign_ui(cx, painter, viewport, place.at, Some(&**entity.resolved)),
        }
        if cx.view.overlays.colliders {
            collider_ui(cx, painter, viewport, &look, place);
        }
        if selected.contains(entity.id) {
            if entity.angle == 0.0 {
                overlay::selected_ui(
                    cx,
                    &strong(painter),
                    overlay::box_rect(viewport, place.at, look.half, look.center),
                );
            } else {
                let turned = (place.at, entity.angle);
                overlay::selected_turned_ui(cx, &strong(painter), viewport, turned, (look.half, look.center));
            }
            if selected.len() == 1 {
                turn_handle_ui(cx, &strong(painter), viewport, entity);
            }
        }
        if live.contains(entity.id) {
            let painter = strong(painter);
            live_mark_ui(cx, &painter, overlay::box_rect(viewport, place.at, look.half, look.center));
        }
    }
}

fn running_overlays_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    painter: &egui::Painter,
    viewport: &Viewport,
    (preview, banner): (&Preview, Rect),
    shown: &[LayerSeen<'_>],
    selected: &HashSet<&Name>,
) {
    let viewports = by_layer(viewport, shown);
    let world = preview.session.world();
    hand_ui(cx, painter, preview, &viewports);
    let pointer = cx.view.pointer.as_ref().map(|it| viewport.screen(pos(it.pos)));
    let mut labels = Labels::new(viewport.view);
    labels.keep_free(banner);
    why_card_rect(cx, ui, viewport, preview).into_iter().for_each(|rect| labels.keep_free(rect));
    let mut others = Vec::new();
    for entity in preview.drawn().filter(|entity| entity.alive) {
        let at = pos2(entity.pos.x, entity.pos.y);
        let Some(viewport) = viewports.get(&entity.layer) else { continue };
        if let Some(ends) = world.physics().joint_line(entity.key).filter(|_| cx.view.overlays.colliders) {
            let ends = ends.map(|end| viewport.screen(pos2(end.x, end.y)));
            painter.line_segment(ends, Stroke::new(1.0, cx.theme.collider));
            for end in ends {
                painter.circle_filled(end, 2.0, cx.theme.collider);
            }
        }
        if !viewport.camera.visible(viewport.view).expand(64.0).contains(at) {
            continue;
        }
        let height = entity.sprite.as_ref().map_or(8.0, |sprite| pos(sprite.pivot).y);
        let is_pointed_at = pointer.is_some_and(|at| is_over(viewport, &entity, at));
        let is_selected = selected.contains(entity.id) || cx.view.watch.as_ref() == Some(entity.id);
        let top = at - vec2(0.0, height);
        if is_selected || is_pointed_at {
            overlay::entity_label_ui(cx, painter, viewport, &entity, (top, true), &mut labels);
        } else {
            others.push((entity, top, viewport));
        }
    }
    if cx.view.overlays.paths {
        let mut blocked = Vec::new();
        for path in world.paths() {
            let Some(viewport) = world.spot(path.key).and_then(|(layer, _)| viewports.get(&layer)) else { continue };
            overlay::path_ui(cx, painter, viewport, path.points.iter().map(|p| pos2(p.x, p.y)));
            if let Some(no_path) = path.no_path {
                let at = pos2(path.pos.x, path.pos.y);
                overlay::blocked_ui(cx, painter, viewport, at, no_path);
                let label = (viewport.screen(at), no_path.reason.text_of(path.is_outside));
                blocked.extend(Some(label).filter(|(at, _)| viewport.view.contains(*at)));
            }
        }
        overlay::why_blocked_ui(cx, painter, blocked.into_iter(), &mut labels);
    }
    insight_ui(cx, painter, (viewport, &viewports), preview, &mut labels);
    // What is said goes before what is shown of all: that it is said may matter.
    others.sort_by_key(|(entity, ..)| entity.saying.is_none());
    for (entity, top, viewport) in others {
        overlay::entity_label_ui(cx, painter, viewport, &entity, (top, cx.view.overlays.states), &mut labels);
    }
}

/// Where it says that the level plays.
fn banner(ui: &Ui, view: Rect, note: Option<&str>) -> Rect {
    let plain = Color32::PLACEHOLDER;
    let wide =
        note.map(|note| ui.painter().layout_no_wrap(note.to_owned(), FontId::proportional(SMALL), plain).size().x);
    let size = wide.map_or(vec2(96.0, 24.0), |wide| vec2(wide.max(96.0) + 8.0, 46.0));
    Rect::from_min_size(pos2(view.center().x - size.x / 2.0, view.top() + 4.0), size)
}

/// Commands shown at the right of the pane's tab bar, from right to left; the scale, and the way back to the level's
/// own size.
pub fn level_bar_ui(cx: &Cx<'_>, ui: &mut Ui) {
    overlays_button_ui(cx, ui);
    command_button(cx, ui, Command::ToggleHighlight);
    command_button(cx, ui, Command::ZoomFit);
    command_button(cx, ui, Command::ZoomIn);
    if let Some(camera) = cx.view.level.as_ref().and_then(|doc| cx.view.cameras.get(doc)) {
        let text = camera.percent();
        // As wide for every scale, or the buttons beside it would move away under the pointer.
        let button = egui::Button::new(cx.theme.caption(text.as_str())).frame(false).min_size(vec2(44.0, 0.0));
        let response = ui.add(button).tip(Command::ZoomReset.tooltip(cx, ui.ctx()));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Zoom {text}")));
        if response.clicked() {
            cx.command(Command::ZoomReset);
        }
    }
    command_button(cx, ui, Command::ZoomOut);
}
