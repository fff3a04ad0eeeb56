//! The pointer that keys move over the level's canvas while it has the keyboard focus: arrows move it, Space is the
//! button, and the menu key or Shift+F10 opens the menu of what is under it.
//!
//! Invariant: a tool cannot tell it from the mouse. What was pressed is released, also when the focus goes elsewhere.

use egui::{Context, Event, EventFilter, Id, Key, Rect, Response, Ui, vec2};

use super::{
    level::{asks_about_reference, level_pointer, modifiers_held, points_at},
    level_menu::open_by_keys,
};
use crate::{
    editor::{Action, ViewChange},
    model::{DocPath, Level},
    tools::{Button, KeyStep, Modifiers, PointerPhase, ToolKind, middle_of_cell, stepped},
    ui::{
        CanvasCx,
        canvas::{
            camera::{OnScreen as _, pos},
            paint::Viewport,
        },
        focus,
        widgets::{has_keyboard, is_wanted},
    },
};

/// The name by which the canvas is asked to take the keyboard ([`crate::ui::widgets::want`]).
pub(super) const CANVAS: &str = "level canvas";

/// The canvas, and what had the keyboard before it.
#[derive(Clone, Copy)]
struct Canvas {
    id: Id,
    before: Option<Id>,
}

fn canvas_id() -> Id {
    Id::unique("level canvas and what had the keyboard before")
}

/// Whether the level's canvas has the keyboard.
#[must_use]
pub fn canvas_has_keyboard(ctx: &Context) -> bool {
    let canvas: Option<Canvas> = ctx.data(|data| data.get_temp(canvas_id()));
    canvas.is_some_and(|canvas| ctx.memory(|memory| memory.has_focus(canvas.id)))
}

/// Take the keyboard from the level's canvas. Returns what had it before.
pub fn leave_canvas(ctx: &Context) -> Option<Id> {
    let canvas: Canvas = ctx.data(|data| data.get_temp(canvas_id()))?;
    ctx.memory_mut(|memory| memory.surrender_focus(canvas.id));
    canvas.before
}

/// The canvas takes the keyboard where it was asked to.
fn take_keyboard(ui: &Ui, response: &Response) {
    if is_wanted(ui, CANVAS) {
        let before = focus::recent(ui.ctx()).filter(|it| *it != response.id);
        let kept: Option<Canvas> = ui.data(|data| data.get_temp(canvas_id()));
        let before = if has_keyboard(response) { kept.and_then(|kept| kept.before) } else { before };
        ui.data_mut(|data| data.insert_temp(canvas_id(), Canvas { id: response.id, before }));
        response.request_focus();
    }
    // It may be another, and Tab may have gone to it.
    ui.data_mut(|data| {
        let canvas = data.get_temp_mut_or_insert_with(canvas_id(), || Canvas { id: response.id, before: None });
        if canvas.id != response.id {
            *canvas = Canvas { id: response.id, before: None };
        }
    });
}

/// Where it is.
#[derive(Clone, PartialEq)]
struct KeyPointer {
    doc: DocPath,
    /// In pixels of the level.
    at: [f64; 2],
    is_pressed: bool,
}

/// Move it by the keys of this frame and tell the tool in hand. Returns the cell it is in while keys point; the mouse
/// then says nothing until it is pressed.
pub(super) fn key_pointer_ui(
    cx: &CanvasCx<'_>,
    ui: &Ui,
    viewport: &Viewport,
    response: &Response,
    (doc, level): (&DocPath, &Level),
) -> Option<Rect> {
    let id = response.id.with("key pointer");
    let active = cx.active_layer();
    let (grid, offset) = (level.grid_at(active), level.cells_offset(active, viewport.center()));
    // Steps go from cell to cell of the layer, which may be shifted.
    let in_layer = |at: [f64; 2]| [at[0] - offset[0], at[1] - offset[1]];
    let in_level = |at: [f64; 2]| [at[0] + offset[0], at[1] + offset[1]];
    take_keyboard(ui, response);
    let kept: Option<KeyPointer> = ui.data(|data| data.get_temp(id));
    let mut pointer = kept.filter(|it| it.doc == *doc).unwrap_or_else(|| {
        let center = viewport.camera.center;
        // Where the mouse points, unless that was in another level.
        let shown = viewport.camera.visible(viewport.view);
        let pointed = cx.view.pointer.as_ref().map(|at| at.pos).filter(|at| shown.contains(pos(*at)));
        let start = pointed.unwrap_or([center.x, center.y].map(f64::from));
        KeyPointer { doc: doc.clone(), at: in_level(middle_of_cell(grid, in_layer(start))), is_pressed: false }
    });
    let is_mouse = ui.input(|input| input.pointer.any_pressed()) && response.contains_pointer();
    if is_mouse {
        response.surrender_focus();
    }
    let send = |phase, at: [f64; 2], modifiers| {
        let event = level_pointer(cx, viewport, (doc, level), at, (phase, Button::Primary, modifiers));
        cx.send(Action::Pointer(event));
    };
    let modifiers = modifiers_held(ui);
    // What runs is not edited by the tool that selects, and while it plays the keys are the game's.
    let is_of_game = cx
        .preview
        .is_some_and(|preview| preview.is_playing || (preview.level == *doc && cx.view.tool == ToolKind::Select));
    if is_mouse || is_of_game || !has_keyboard(response) {
        if std::mem::take(&mut pointer.is_pressed) {
            send(PointerPhase::Release, pointer.at, Modifiers::default());
            ui.data_mut(|data| data.insert_temp(id, pointer));
        }
        return None;
    }
    ui.memory_mut(|memory| {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: true, tab: false };
        memory.set_focus_lock_filter(response.id, filter);
    });
    let before = pointer.clone();
    let is_new = !ui.memory(|memory| memory.had_focus_last_frame(response.id));
    let mut is_quiet = true;
    for event in ui.input(|input| input.events.clone()) {
        let Event::Key { key, pressed, repeat, .. } = event else { continue };
        if let Some(direction) = is_arrow(key).filter(|_| pressed) {
            let step = match (modifiers.alt, modifiers.ctrl) {
                (true, _) => KeyStep::Pixel,
                (_, true) => KeyStep::Far,
                _ => KeyStep::Cell,
            };
            pointer.at = in_level(stepped(grid, in_layer(pointer.at), direction, step));
            // With Ctrl it goes farther, and does nothing else.
            let modifiers = Modifiers { ctrl: false, ..modifiers };
            send(if pointer.is_pressed { PointerPhase::Drag } else { PointerPhase::Hover }, pointer.at, modifiers);
            is_quiet = false;
        }
        let is_menu = key == Key::Menu || (key == Key::F10 && modifiers.shift);
        if is_menu && pressed && !repeat && !pointer.is_pressed && cx.view.tool.opens_menu() {
            if !asks_about_reference(cx, viewport, (doc, level), pointer.at) {
                let press = (PointerPhase::Press, Button::Secondary, Modifiers::default());
                cx.send(Action::Pointer(level_pointer(cx, viewport, (doc, level), pointer.at, press)));
            }
            open_by_keys(ui.ctx(), pointer.at);
            is_quiet = false;
        }
        match (key, pressed) {
            (Key::Space | Key::Enter, true) if !repeat && !pointer.is_pressed => {
                send(PointerPhase::Press, pointer.at, modifiers);
                pointer.is_pressed = true;
                is_quiet = false;
            }
            (Key::Space | Key::Enter, false) if pointer.is_pressed => {
                send(PointerPhase::Drag, pointer.at, modifiers);
                send(PointerPhase::Release, pointer.at, modifiers);
                pointer.is_pressed = false;
                is_quiet = false;
            }
            // The tool in hand has let go of what it did.
            (Key::Escape, true) => pointer.is_pressed = false,
            _ => {}
        }
    }
    // Another tool, brush or layer shows what it would do here.
    let is_known = ui.input(|input| input.raw.events.is_empty()) && modifiers == cx.tool_modifiers;
    if is_quiet && (!is_known || before.at != pointer.at || cx.view.pointer.is_none()) {
        send(if pointer.is_pressed { PointerPhase::Drag } else { PointerPhase::Hover }, pointer.at, modifiers);
    }
    points_at(cx, viewport, level, pointer.at);
    let camera = viewport.camera;
    let shown = camera.showing(pos(pointer.at), viewport.view);
    // The view goes along, and can be moved while the pointer rests.
    if shown != camera && (is_new || before.at != pointer.at) {
        cx.send(Action::View(ViewChange::Camera(doc.clone(), shown)));
    }
    let size = grid.px.map(|side| side as f32 * viewport.camera.scale);
    let rect = Rect::from_center_size(viewport.screen(pos(pointer.at)), vec2(size[0], size[1]));
    ui.data_mut(|data| data.insert_temp(id, pointer));
    Some(rect)
}

fn is_arrow(key: Key) -> Option<[f64; 2]> {
    match key {
        Key::ArrowLeft => Some([-1.0, 0.0]),
        Key::ArrowRight => Some([1.0, 0.0]),
        Key::ArrowUp => Some([0.0, -1.0]),
        Key::ArrowDown => Some([0.0, 1.0]),
        _ => None,
    }
}
