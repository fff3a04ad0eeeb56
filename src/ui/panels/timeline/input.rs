//! The pointer on the time line: keys are picked, framed and moved, slopes pulled, the view and the playhead moved.

use std::collections::BTreeSet;

use egui::{Key, PointerButton, Pos2, Rect, Response, Ui};

use super::{
    Session, Shown,
    bar::{delete_picked, insert, set_ease, step_of},
    keys::copy,
    paint::{scale_of, slope_handles},
    session::Drag,
};
use crate::{
    edit::Phase,
    editor::{Action, ViewChange},
    model::{Name, Value},
    sim::tracks::{Ease, Kind},
    tools::timeline::{KeyAt, keys_of, moved_keys, played_key, ruler_steps, snapped, with_key_field},
};

/// How near the pointer has to be to something to mean it, in points.
const REACH: f32 = 7.0;

/// The pointer on the ruler: it takes the playhead along.
pub(super) fn ruler(shown: &Shown<'_>, ui: &Ui, session: &mut Session, (view, response): (Rect, &Response)) {
    navigate(ui, session, view, response);
    let is_held = response.dragged_by(PointerButton::Primary) || response.clicked();
    if let (true, Some(at)) = (is_held, response.interact_pointer_pos()) {
        let secs = snapped(session.secs_at(view, at.x), step_of(ui, session));
        shown.cx.send(Action::View(ViewChange::Scrub(Some(secs))));
        // Keys pressed after a click on the ruler act on the time line.
        session.wants_focus = true;
    }
}

/// Zoom and pan.
fn navigate(ui: &Ui, session: &mut Session, view: Rect, response: &Response) {
    if response.dragged_by(PointerButton::Middle) {
        session.pan(response.drag_delta().x);
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (zoom, scroll, shift) =
        ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta(), input.modifiers.shift));
    if (zoom - 1.0).abs() > f32::EPSILON {
        session.zoom_at(view, pointer.x, f64::from(zoom));
    } else if scroll.x != 0.0 {
        session.pan(scroll.x);
    } else if shift && scroll.y != 0.0 {
        session.pan(scroll.y);
    }
}

/// The key at a place of the screen.
pub(super) fn key_at(
    shown: &Shown<'_>,
    session: &Session,
    view: Rect,
    rows: &[(Name, Rect)],
    at: Pos2,
) -> Option<KeyAt> {
    let (track, _) = rows.iter().find(|(_, row)| row.contains(at))?;
    let away = |secs: f64| (session.x_of(view, secs) - at.x).abs();
    let near = keys_of(shown.value, track).enumerate().map(|(key, (secs, _))| (key, away(secs)));
    let (key, _) = near.filter(|(_, away)| *away <= REACH).min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(KeyAt { track: track.clone(), key })
}

/// The pointer on the rows.
pub(super) fn rows(
    shown: &Shown<'_>,
    ui: &Ui,
    session: &mut Session,
    (view, rows, response): (Rect, &[(Name, Rect)], &Response),
) {
    navigate(ui, session, view, response);
    if session.drag.is_some() && ui.input(|input| input.key_pressed(Key::Escape)) {
        session.drag = None;
        session.picked.clone_from(&session.base.1);
        shown.cx.send(Action::Gesture { label: String::new(), edits: Vec::new(), phase: Phase::Cancel });
    }
    let pointer = response.interact_pointer_pos().or_else(|| response.hover_pos());
    if let Some(at) = pointer {
        pointed(shown, ui, session, (view, rows, response), at);
    }
    // Also while the pointer is on the menu, and so not on the rows.
    response.context_menu(|ui| menu_ui(shown, ui, session));
}

/// The pointer at a place of the rows.
fn pointed(
    shown: &Shown<'_>,
    ui: &Ui,
    session: &mut Session,
    (view, rows, response): (Rect, &[(Name, Rect)], &Response),
    at: Pos2,
) {
    let modifiers = ui.input(|input| input.modifiers);
    let row = rows.iter().find(|(_, row)| row.contains(at)).map(|(name, _)| name.clone());
    let is_press = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed());
    let is_menu = response.secondary_clicked();
    if (is_press || is_menu) && at.x >= view.left() {
        session.wants_focus = true;
        match key_at(shown, session, view, rows, at) {
            Some(key) if modifiers.command || modifiers.shift => session.toggle(key),
            Some(key) if !session.picked.contains(&key) => session.picked = BTreeSet::from([key]),
            Some(_) => {}
            None if slope_at(shown, session, view, rows, at).is_some() => {}
            None if !(modifiers.command || modifiers.shift || is_menu) => session.picked.clear(),
            None => {}
        }
        session.menu_at = row.clone().filter(|_| is_menu).map(|row| (row, session.secs_at(view, at.x)));
        session.base.1.clone_from(&session.picked);
    }
    // Not when it is pressed: the row becomes large, and what is pressed would move away. Nor for an empty place, where
    // a second click makes a key.
    if response.clicked() && key_at(shown, session, view, rows, at).is_some() {
        session.track.clone_from(&row);
    }
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        session.drag = begin(shown, session, view, rows, origin);
        session.base = (shown.value.clone(), session.picked.clone());
    }
    if let Some(drag) = session.drag.clone() {
        let phase = if response.drag_stopped() { Phase::Commit } else { Phase::Preview };
        if response.dragged() || response.drag_stopped() {
            pulled(shown, ui, session, (view, rows), &drag, (at, phase));
        }
        if response.drag_stopped() {
            session.drag = None;
        }
    }
    if response.double_clicked()
        && at.x >= view.left()
        && let Some(row) = row
        && key_at(shown, session, view, rows, at).is_none()
    {
        let secs = snapped(session.secs_at(view, at.x), step_of(ui, session));
        insert(shown, session, &row, secs);
    }
}

/// What a drag from a place is about.
fn begin(shown: &Shown<'_>, session: &Session, view: Rect, rows: &[(Name, Rect)], origin: Pos2) -> Option<Drag> {
    if origin.x < view.left() {
        return None;
    }
    let from = session.secs_at(view, origin.x);
    if let Some((at, lane)) = slope_at(shown, session, view, rows, origin) {
        return Some(Drag::Slope { at, lane });
    }
    match key_at(shown, session, view, rows, origin) {
        Some(key) if session.picked.contains(&key) => {
            let held = keys_of(shown.value, &key.track).nth(key.key)?.0;
            Some(Drag::Keys { held, from })
        }
        Some(_) => None,
        None => Some(Drag::Frame { from: origin, before: session.picked.clone() }),
    }
}

/// The slope handle at a place: of which key, and of which of its numbers.
fn slope_at(
    shown: &Shown<'_>,
    session: &Session,
    view: Rect,
    rows: &[(Name, Rect)],
    at: Pos2,
) -> Option<(KeyAt, usize)> {
    let (name, row) = rows.iter().find(|(name, _)| session.track.as_ref() == Some(name))?;
    let handles = slope_handles(shown, session, view, (name, *row));
    handles.into_iter().find(|it| it.to.distance(at) <= REACH).map(|it| (it.at, it.lane))
}

/// What a drag makes.
fn pulled(
    shown: &Shown<'_>,
    ui: &Ui,
    session: &mut Session,
    (view, rows): (Rect, &[(Name, Rect)]),
    drag: &Drag,
    (at, phase): (Pos2, Phase),
) {
    let now = session.secs_at(view, at.x);
    match drag {
        Drag::Keys { held, from } => {
            let to = snapped(held + now - from, step_of(ui, session));
            let (after, picked) = moved_keys(&session.base.0, &session.base.1, to - held);
            shown.change(session, "Move keys", &after, phase);
            session.picked = picked;
        }
        Drag::Frame { from, before } => {
            let frame = Rect::from_two_pos(*from, at);
            session.picked.clone_from(before);
            let (first, last) = (session.secs_at(view, frame.left()), session.secs_at(view, frame.right()));
            for (name, _) in rows.iter().filter(|(_, row)| row.y_range().intersects(frame.y_range())) {
                let keys = keys_of(shown.value, name).enumerate();
                let inside = keys.filter(|(_, (secs, _))| (first..=last).contains(secs));
                session.picked.extend(inside.map(|(key, _)| KeyAt { track: name.clone(), key }));
            }
        }
        Drag::Slope { at: key, lane } => {
            let Some((name, row)) = rows.iter().find(|(name, _)| *name == key.track) else { return };
            let Some(track) = shown.track(name) else { return };
            let Some((secs, value)) = keys_of(&session.base.0, name).nth(key.key) else { return };
            let Some(lanes) = value.field("value").and_then(|value| track.kind.lanes(value)) else { return };
            let scale = scale_of(track, *row);
            let along = now - secs;
            if along.abs() < 1e-4 {
                return;
            }
            let slope = (scale.value_at(at.y) - lanes[*lane]) / along;
            let Some(place) = played_key(track, shown.value, key) else { return };
            let mut slopes = track.slope_at(place);
            slopes[*lane] = (slope * 100.0).round() / 100.0;
            let value =
                if track.kind == Kind::Pair { Value::vec2(slopes[0], slopes[1]) } else { Value::Float(slopes[0]) };
            let picked = BTreeSet::from([key.clone()]);
            let after = with_key_field(&session.base.0, &picked, "slope", Some(&value));
            shown.change(session, "Pull slope of key", &after, phase);
        }
    }
}

/// What can be done at a place of the time line.
fn menu_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    let spot = session.menu_at.clone();
    if let Some((track, secs)) = &spot {
        if ui.button("Add key here").clicked() {
            insert(shown, session, track, snapped(*secs, Some(ruler_steps(session.zoom).1)));
        }
        if ui.button("Paste keys here").clicked() {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::RequestPaste);
        }
        if ui.button("Put the playhead here").clicked() {
            let secs = snapped(*secs, Some(ruler_steps(session.zoom).1));
            shown.cx.send(Action::View(ViewChange::Scrub(Some(secs))));
        }
    }
    let has_picked = !session.picked.is_empty();
    ui.separator();
    ui.add_enabled_ui(has_picked, |ui| {
        ui.menu_button("Ease", |ui| {
            for ease in Ease::ALL {
                if ui.button(ease.word()).clicked() {
                    set_ease(shown, session, ease.word());
                    ui.close();
                }
            }
        });
        if ui.button("Copy keys").clicked() {
            copy(shown, session);
        }
        if ui.button("Delete keys").clicked() {
            delete_picked(shown, session);
        }
    });
}
