//! The keyboard and the clipboard on the time line: it has them while it has the focus.

use std::collections::BTreeSet;

use egui::{Event, EventFilter, Key, Modifiers, Response, Ui};

use super::{
    Session, Shown,
    bar::{delete_picked, insert, step_of},
};
use crate::{
    edit::Phase,
    editor::{Action, ViewChange},
    model::counted,
    tools::timeline::{KeyAt, copied_keys, keys_of, moved_keys, pasted_keys, ruler_steps, snapped},
    ui::{takes_keys, widgets::has_keyboard},
};

/// Copy the picked keys as text.
pub(super) fn copy(shown: &Shown<'_>, session: &Session) {
    if session.picked.is_empty() {
        shown.cx.send(Action::Notice("Pick keys first".into()));
        return;
    }
    shown.cx.send(Action::CopyText(copied_keys(shown.value, &session.picked)));
    shown.cx.send(Action::Notice(format!("Copied {}", counted(session.picked.len(), "key"))));
}

/// Paste keys at the playhead, else where the menu was opened, else at the start.
fn paste(shown: &Shown<'_>, session: &mut Session, text: &str) {
    let spot = session.menu_at.take();
    let at = shown.cx.view.scrub.or_else(|| spot.as_ref().map(|(_, secs)| *secs)).unwrap_or_default();
    let at = snapped(at, Some(ruler_steps(session.zoom).1));
    let onto = spot.map(|(track, _)| track).or_else(|| session.track.clone());
    match pasted_keys(&session.base.0, text, at, onto.as_ref()) {
        Ok((after, picked)) => {
            shown.change(session, &format!("Paste {}", counted(picked.len(), "key")), &after, Phase::Commit);
            session.pick_new(picked);
        }
        Err(why) => shown.cx.send(Action::Notice(why)),
    }
}

/// Keys and clipboard events while the time line has the focus.
pub(super) fn keys(shown: &Shown<'_>, ui: &Ui, session: &mut Session, response: &Response) {
    if std::mem::take(&mut session.wants_focus) {
        response.request_focus();
    }
    let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    if !has_keyboard(response) {
        return;
    }
    takes_keys(ui.ctx(), response.id);
    if egui::Popup::is_any_open(ui.ctx()) || session.drag.is_some() {
        return;
    }
    for event in ui.input(|input| input.events.clone()) {
        match event {
            Event::Copy => copy(shown, session),
            Event::Cut => {
                copy(shown, session);
                delete_picked(shown, session);
            }
            Event::Paste(text) => paste(shown, session, &text),
            Event::Key { key, pressed: true, modifiers, .. } => pressed(shown, ui, session, response, (key, modifiers)),
            _ => {}
        }
    }
}

fn pressed(shown: &Shown<'_>, ui: &Ui, session: &mut Session, response: &Response, (key, modifiers): (Key, Modifiers)) {
    let step = ruler_steps(session.zoom).1;
    let sign = if key == Key::ArrowLeft { -1.0 } else { 1.0 };
    match key {
        Key::ArrowLeft | Key::ArrowRight if modifiers.alt || modifiers.command => {
            let by = sign * step * if modifiers.shift { 10.0 } else { 1.0 };
            let (after, picked) = moved_keys(&session.base.0, &session.picked, by);
            shown.change(session, "Move keys", &after, Phase::Commit);
            session.picked = picked;
        }
        Key::ArrowLeft | Key::ArrowRight => neighbor(shown, session, sign > 0.0, modifiers.shift),
        Key::ArrowUp | Key::ArrowDown => other_track(shown, session, key == Key::ArrowDown),
        Key::Home | Key::End => {
            let track = session.track.clone();
            let n = track.as_ref().map_or(0, |track| keys_of(shown.value, track).count());
            let at = if key == Key::Home { 0 } else { n.saturating_sub(1) };
            session.picked = track.filter(|_| n > 0).map(|track| KeyAt { track, key: at }).into_iter().collect();
        }
        Key::Delete | Key::Backspace => delete_picked(shown, session),
        Key::Enter | Key::Insert => {
            let at = shown.cx.view.scrub.unwrap_or_default();
            if let Some(track) = session.track.clone() {
                insert(shown, session, &track, snapped(at, step_of(ui, session)));
            }
        }
        Key::Comma | Key::Period => {
            let by = if key == Key::Comma { -step } else { step };
            let at = snapped(shown.cx.view.scrub.unwrap_or_default() + by, Some(step));
            shown.cx.send(Action::View(ViewChange::Scrub(Some(at))));
        }
        Key::Plus | Key::Equals => session.zoom_at(response.rect, response.rect.left(), 1.25),
        Key::Minus => session.zoom_at(response.rect, response.rect.left(), 0.8),
        Key::A if modifiers.command => {
            let all = shown.tracks.iter().flat_map(|track| {
                let n = keys_of(shown.value, &track.name).count();
                (0..n).map(|key| KeyAt { track: track.name.clone(), key })
            });
            session.picked = all.collect();
        }
        Key::Escape if !session.picked.is_empty() => session.picked.clear(),
        Key::Escape if shown.cx.view.scrub.is_some() => shown.cx.send(Action::View(ViewChange::Scrub(None))),
        Key::Escape => response.surrender_focus(),
        _ => {}
    }
}

/// Pick the next key of the track, or the one before; another one more with Shift.
fn neighbor(shown: &Shown<'_>, session: &mut Session, is_next: bool, adds: bool) {
    let Some(track) = session.track.clone() else { return };
    let n = keys_of(shown.value, &track).count();
    if n == 0 {
        return;
    }
    let own: BTreeSet<usize> = session.picked.iter().filter(|at| at.track == track).map(|at| at.key).collect();
    let key = match (is_next, own.last(), own.first()) {
        (true, Some(last), _) => (last + 1).min(n - 1),
        (false, _, Some(first)) => first.saturating_sub(1),
        (true, None, _) => 0,
        (false, _, None) => n - 1,
    };
    if !adds {
        session.picked.clear();
    }
    session.picked.insert(KeyAt { track, key });
}

/// Go to the track below or above, and there to the key nearest in time.
fn other_track(shown: &Shown<'_>, session: &mut Session, is_down: bool) {
    let at = session.track.as_ref().and_then(|name| shown.tracks.iter().position(|track| track.name == *name));
    let at = at.unwrap_or_default();
    let to = if is_down { (at + 1).min(shown.tracks.len() - 1) } else { at.saturating_sub(1) };
    let Some(track) = shown.tracks.get(to).map(|track| track.name.clone()) else { return };
    let first = session.picked.first().and_then(|at| Some(keys_of(shown.value, &at.track).nth(at.key)?.0));
    let secs = first.unwrap_or_default();
    let near = keys_of(shown.value, &track)
        .enumerate()
        .min_by(|(_, (a, _)), (_, (b, _))| (a - secs).abs().total_cmp(&(b - secs).abs()));
    session.picked = near.map(|(key, _)| KeyAt { track: track.clone(), key }).into_iter().collect();
    session.track = Some(track);
}
