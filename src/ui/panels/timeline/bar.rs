//! The bar above the time line: adding tracks, zoom, the playhead's time, and the fields of the picked keys; and the
//! names of the rows.

use std::collections::BTreeSet;

use egui::{Align2, CornerRadius, Rect, RichText, Sense, Ui, pos2, vec2};
use egui_material_icons::icons;

use super::{Session, Shown};
use crate::{
    edit::Phase,
    editor::{Action, Pane, ViewChange},
    model::{FieldSpec, FieldType, Name, Value, counted},
    sim::tracks::{Driven, Ease, Kind},
    tools::timeline::{
        KeyAt, drivable, key_field, moved_keys, ruler_steps, snapped, type_driven, with_key, with_key_field,
        with_track, without_keys, without_track,
    },
    ui::{
        Cx,
        panels::inspector::show_field,
        theme::{ROW, SMALL},
        widgets::{
            IconButton, Tip as _,
            choose::{Choice, choose_at},
            elided, empty_state, icon_text, in_rect,
            number::{NumberSpec, drag_ui},
            value::{key_editor, pick_ui, value_ui},
        },
    },
};

/// What a pane without tracks shows: how to begin.
pub(super) fn nothing_yet_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    let how = "A track changes a field, the position or the rotation over time. Add one for:";
    empty_state(shown.cx.theme, ui, icons::ICON_TIMELINE.codepoint, "No tracks yet", how);
    ui.vertical_centered(|ui| add_track_ui(shown, ui, session));
}

/// The button that adds a track for what is chosen.
fn add_track_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    let (cx, resolved) = (shown.cx, &shown.subject.resolved);
    let button = ui.add(egui::Button::new((icon_text(icons::ICON_ADD.codepoint, 14.0), "Add track")));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add track"));
    let word = |driven: &Driven| match driven {
        Driven::Position => "Position".to_owned(),
        Driven::Rotation => "Rotation".to_owned(),
        Driven::Field(path) => path.to_string(),
    };
    let choices = || {
        let all = drivable(cx.resolution, resolved).into_iter();
        all.map(|(driven, doc)| Choice::about(&word(&driven).as_str().into(), doc)).collect()
    };
    let search = "Search fields to drive";
    let Some(picked) = choose_at(cx, ui, &button, search, ("", &FieldType::Any), choices, |_| None) else { return };
    let driven = match &*picked {
        "Position" => Driven::Position,
        "Rotation" => Driven::Rotation,
        field => Driven::Field(field.into()),
    };
    let (after, name) = with_track(&session.base.0, cx.resolution, resolved, &driven);
    shown.change(session, &format!("Add track {name}"), &after, Phase::Commit);
    session.pick_new(BTreeSet::from([KeyAt { track: name.clone(), key: 0 }]));
    session.track = Some(name);
    session.wants_fit = shown.tracks.is_empty();
}

/// Show the bar. It does not get lower while keys are picked and let go of: what is clicked below it would move away
/// under the second click.
pub(super) fn bar_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    let cx = shown.cx;
    let shown_bar = ui.horizontal_wrapped(|ui| {
        ui.set_min_height(ROW);
        add_track_ui(shown, ui, session);
        for (icon, name, factor) in
            [(icons::ICON_ZOOM_OUT, "Show more time", 1.0 / 1.5), (icons::ICON_ZOOM_IN, "Show less time", 1.5)]
        {
            if IconButton::new(icon.codepoint, name).in_row().show(cx.theme, ui).tip(name).clicked() {
                let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 1.0));
                session.zoom_at(view, 0.0, factor);
            }
        }
        let fit = IconButton::new(icons::ICON_FIT_SCREEN.codepoint, "Show all keys").in_row().show(cx.theme, ui);
        session.wants_fit |= fit.tip("Show all keys").clicked();
        playhead_ui(cx, ui);
        ui.separator();
        if session.picked.is_empty() {
            ui.label(cx.theme.caption("Double click in a row for a key; drag the ruler to look ahead"));
        } else {
            picked_ui(shown, ui, session);
        }
    });
    let size = shown_bar.response.rect.size();
    let width = ui.available_width();
    #[expect(clippy::float_cmp, reason = "the pane is as wide as it was, or not")]
    let least = if session.bar.0 == width { session.bar.1 } else { 0.0 };
    ui.add_space((least - size.y).max(0.0));
    session.bar = (width, least.max(size.y));
}

/// The time of the playhead, and how to put it away.
fn playhead_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(secs) = cx.view.scrub else { return };
    let spec = NumberSpec { min: Some(0.0), max: Some(3600.0), step: Some(0.05), unit: Some("s"), is_int: false };
    let (response, change) = drag_ui(ui, "Playhead time", secs, &spec);
    response.tip("The moment that the level shows of what is selected");
    if let Some(change) = change {
        let (secs, _) = change.into_parts();
        cx.send(Action::View(ViewChange::Scrub(Some(secs))));
    }
    let close = IconButton::new(icons::ICON_CLOSE.codepoint, "Put the playhead away").quiet().show(cx.theme, ui);
    if close.tip("Show what is selected as it stands").clicked() {
        cx.send(Action::View(ViewChange::Scrub(None)));
    }
}

/// The fields of the picked keys: all of one, of several what they can have in common.
fn picked_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    let cx = shown.cx;
    let Some(first) = session.picked.first().cloned() else { return };
    let Some(track) = shown.track(&first.track) else { return };
    let is_one_track = session.picked.iter().all(|at| at.track == first.track);
    let spec = type_driven(cx.resolution, &track.drives).map(|ty| spec_of(cx, &track.drives, ty, track.added));
    let field = |name: &str| key_field(shown.value, &first, name).cloned();
    if session.picked.len() == 1 {
        let at = field("at").and_then(|at| at.as_f64()).unwrap_or_default();
        let number = NumberSpec { min: Some(0.0), max: Some(3600.0), step: Some(0.05), unit: Some("s"), is_int: false };
        let (response, change) = drag_ui(ui, "Key time", at, &number);
        response.tip("Time of the key");
        if let Some(change) = change {
            let (secs, phase) = change.into_parts();
            let before = session.base.1.first().and_then(|at| key_field(&session.base.0, at, "at")?.as_f64());
            let by = snapped(secs, None) - before.unwrap_or_default();
            let (after, picked) = moved_keys(&session.base.0, &session.base.1, by);
            shown.change(session, "Move key", &after, phase);
            session.picked = picked;
        }
    } else {
        ui.label(cx.theme.caption(counted(session.picked.len(), "key")));
    }
    if let (Some(spec), true) = (spec.as_ref(), is_one_track) {
        let value = field("value").unwrap_or_else(|| spec.default_value());
        if let Some(change) = value_ui(cx, ui, "Key value", spec, &value) {
            let (value, phase) = change.into_parts();
            let after = with_key_field(&session.base.0, &session.base.1, "value", Some(&value));
            shown.change(session, "Set value of key", &after, phase);
        }
    }
    let ease_of = |at: &KeyAt| key_field(shown.value, at, "ease").and_then(|ease| Ease::parse(ease.as_str()?));
    let now = ease_of(&first).unwrap_or_default();
    let is_mixed = session.picked.iter().any(|at| ease_of(at).unwrap_or_default() != now);
    let words = Ease::ALL.map(|ease| ease.word().into());
    if track.kind != Kind::Other {
        let picked = ui.scope(|ui| {
            ui.set_max_width(104.0);
            pick_ui(cx, ui, "Key ease", if is_mixed { "" } else { now.word() }, words.iter())
        });
        if let Some(word) = picked.inner {
            set_ease(shown, session, &word);
        }
    }
    if now == Ease::Hermite && track.kind.n_lanes() > 0 && session.picked.len() == 1 {
        slope_ui(shown, ui, session, &first);
    }
    let delete = IconButton::new(icons::ICON_DELETE.codepoint, "Delete keys").in_row().show(cx.theme, ui);
    if delete.tip("Delete the picked keys (Delete)").clicked() {
        delete_picked(shown, session);
    }
}

/// The declaration of what a track drives; a value that is added may be out of its range.
fn spec_of(cx: &Cx<'_>, driven: &Driven, ty: FieldType, is_added: bool) -> FieldSpec {
    let unit = |unit: &str| FieldSpec { unit: Some(unit.to_owned()), ..FieldSpec::of(ty.clone()) };
    match driven {
        Driven::Position => unit("px"),
        Driven::Rotation => unit("°"),
        Driven::Field(path) => {
            let declared = path.split_once('.').and_then(|(it, field)| cx.resolution.schema.field(it, field));
            let declared = declared.cloned().unwrap_or_else(|| FieldSpec::of(ty.clone()));
            if is_added { FieldSpec { min: None, max: None, ..declared } } else { declared }
        }
    }
}

/// The slope of a key: its own, or the one that it has by its neighbors.
fn slope_ui(shown: &Shown<'_>, ui: &mut Ui, session: &Session, at: &KeyAt) {
    let cx = shown.cx;
    let Some(track) = shown.track(&at.track).filter(|track| track.kind != Kind::Color) else { return };
    let own = key_field(shown.value, at, "slope").filter(|slope| !slope.is_none());
    let by_neighbors = track.slope_at(at.key).map(|x| (x * 100.0).round() / 100.0);
    let shown_slope = own.and_then(Value::as_option).cloned().or_else(|| match track.kind {
        Kind::Pair => Some(Value::vec2(by_neighbors[0], by_neighbors[1])),
        _ => Some(Value::Float(by_neighbors[0])),
    });
    let ty = if track.kind == Kind::Pair { FieldType::Vec2 } else { FieldType::Float };
    let spec = FieldSpec { unit: Some("/s".into()), ..FieldSpec::of(ty) };
    ui.label(RichText::new("slope").size(SMALL).color(cx.theme.text_weak));
    if let Some(change) = value_ui(cx, ui, "Key slope", &spec, &shown_slope.unwrap_or(Value::Float(0.0))) {
        let (value, phase) = change.into_parts();
        let after = with_key_field(&session.base.0, &session.base.1, "slope", Some(&value));
        shown.change(session, "Set slope of key", &after, phase);
    }
    if own.is_some() {
        let smooth = IconButton::new(icons::ICON_UNDO.codepoint, "Smooth slope").quiet().show(cx.theme, ui);
        if smooth.tip("Let the neighbors decide the slope").clicked() {
            let after = with_key_field(&session.base.0, &session.base.1, "slope", None);
            shown.change(session, "Smooth key", &after, Phase::Commit);
        }
    }
}

/// Give the picked keys an ease.
pub(super) fn set_ease(shown: &Shown<'_>, session: &Session, word: &str) {
    let word = Value::Symbol(word.into());
    let value = (word.as_str() != Some(Ease::Linear.word())).then_some(&word);
    let after = with_key_field(&session.base.0, &session.picked, "ease", value);
    shown.change(session, "Set ease of keys", &after, Phase::Commit);
}

/// Delete the picked keys.
pub(super) fn delete_picked(shown: &Shown<'_>, session: &mut Session) {
    if session.picked.is_empty() {
        shown.cx.send(Action::Notice("Pick keys first".into()));
        return;
    }
    let label = format!("Delete {}", counted(session.picked.len(), "key"));
    shown.change(session, &label, &without_keys(&session.base.0, &session.picked), Phase::Commit);
    session.picked.clear();
}

/// The name of a row, what it drives, and its menu.
pub(super) fn name_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session, name: &str, place: Rect) {
    let (cx, is_chosen) = (shown.cx, session.track.as_deref() == Some(name));
    let Some(track) = shown.track(name) else { return };
    let label = Rect::from_min_max(place.min, pos2(place.right() - 26.0, place.bottom()));
    let response = ui.interact(label, ui.scope_id().with(("track", name)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, format!("Track {name}")));
    let ground = if is_chosen { cx.theme.accent_ground } else { cx.theme.panel };
    ui.painter().rect_filled(place, CornerRadius::ZERO, ground);
    let ink = if is_chosen { cx.theme.text_strong } else { cx.theme.text };
    let room = label.width() - 10.0;
    let title = elided(ui, name, room, ink);
    ui.painter().galley(pos2(label.left() + 6.0, place.top() + 3.0), title, ink);
    let drives = match &track.drives {
        Driven::Field(path) => path.to_string(),
        Driven::Position => "position, px".to_owned(),
        Driven::Rotation => "rotation, °".to_owned(),
    };
    if place.height() > 40.0 {
        let at = pos2(label.left() + 6.0, place.top() + 20.0);
        let font = egui::FontId::proportional(SMALL);
        let clip = ui.painter().with_clip_rect(label);
        clip.text(at, Align2::LEFT_TOP, &drives, font, cx.theme.text_weak);
    }
    if ui.memory(|memory| memory.has_focus(response.id)) {
        let stroke = egui::Stroke::new(1.0, cx.theme.accent);
        ui.painter().rect_stroke(label.shrink(1.0), CornerRadius::same(3), stroke, egui::StrokeKind::Inside);
    }
    if response.clicked() {
        session.track = Some(name.into());
        session.wants_focus = true;
    }
    response.tip(format!("Drives {drives}"));
    let button = Rect::from_min_size(pos2(place.right() - 25.0, place.top()), vec2(24.0, 22.0));
    in_rect(ui, button, |ui| {
        let about = format!("More about track {name}");
        let more = IconButton::new(icons::ICON_MORE_VERT.codepoint, &about).quiet().show(cx.theme, ui);
        egui::Popup::menu(&more).show(|ui| {
            if ui.button("Edit in the Inspector").clicked() {
                show_in_inspector(shown, ui, name);
            }
            if ui.button("Delete track").clicked() {
                let after = without_track(&session.base.0, name);
                shown.change(session, &format!("Delete track {name}"), &after, Phase::Commit);
                session.picked.clear();
            }
        });
    });
}

/// Show the fields of a track in the Inspector.
fn show_in_inspector(shown: &Shown<'_>, ui: &Ui, name: &str) {
    let Value::Map(tracks) = shown.value else { return };
    let Some(at) = tracks.iter().position(|(key, _)| key.as_str() == Some(name)) else { return };
    shown.cx.send(Action::ShowPane(Pane::Inspector));
    show_field(ui.ctx(), &key_editor("Tracks.tracks", at));
}

/// The step that what is dragged keeps to; none with Alt.
pub(super) fn step_of(ui: &Ui, session: &Session) -> Option<f64> {
    (!ui.input(|input| input.modifiers.alt)).then(|| ruler_steps(session.zoom).1)
}

/// Put a key on a track.
pub(super) fn insert(shown: &Shown<'_>, session: &mut Session, track: &Name, secs: f64) {
    let made = shown.track(track).and_then(|track| with_key(&session.base.0, track, secs));
    match made {
        Some((after, key)) => {
            shown.change(session, &format!("Add key to {track}"), &after, Phase::Commit);
            session.pick_new(BTreeSet::from([key]));
            session.track = Some(track.clone());
        }
        None => shown.cx.send(Action::Notice(format!("Give {track} a field to drive first, in the Inspector"))),
    }
}
