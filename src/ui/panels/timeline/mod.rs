//! The Tracks pane: the tracks of what is selected on a time line, with their keys and curves.
//!
//! Invariant: a drag is one step, made from the tracks as they were when it began; what it makes of them is
//! `tools::timeline`. The playhead is the view's, and changes no document.

mod bar;
mod input;
mod keys;
mod paint;
mod session;

use std::sync::Arc;

use egui::{Rect, ScrollArea, Sense, Ui, pos2, vec2};
use egui_material_icons::icons;

use crate::{
    defs::Resolved,
    edit::{Owner, Phase},
    editor::{Action, Selection},
    model::{LayerContent, Name, Value},
    sim::{components::tracks_of, tracks::Track},
    tools::timeline::{keys_of, timeline_edits, tracks_value},
    ui::{Cx, theme::ROW, widgets::empty_state},
};

use session::Session;

/// Height of the ruler, and the most and the least of the row that is shown large, in points.
const RULER: f32 = 18.0;
const LARGE: f32 = 120.0;
const LEAST_LARGE: f32 = 56.0;
/// Width of the names.
const NAMES: f32 = 148.0;

/// Whose tracks are shown.
struct Subject {
    owner: Owner,
    resolved: Arc<Resolved>,
}

/// What the parts of the pane read.
struct Shown<'a> {
    cx: &'a Cx<'a>,
    subject: &'a Subject,
    /// The tracks as data.
    value: &'a Value,
    /// The same, read.
    tracks: &'a [Track],
}

impl Shown<'_> {
    fn track(&self, name: &str) -> Option<&Track> {
        self.tracks.iter().find(|track| *track.name == *name)
    }

    /// Change the tracks as they were before the gesture that is open, as a part of it or as a step.
    fn change(&self, session: &Session, label: &str, after: &Value, phase: Phase) {
        let Subject { owner, resolved } = self.subject;
        let edits = timeline_edits(self.cx.before, self.cx.resolution, (owner, resolved), (&session.base.0, after));
        if edits.is_empty() && phase == Phase::Commit && std::ptr::eq(self.cx.before, self.cx.project) {
            return;
        }
        self.cx.send(Action::Gesture { label: label.to_owned(), edits, phase });
    }
}

/// The definition or placed entity that is selected alone.
fn subject(cx: &Cx<'_>) -> Option<Subject> {
    match cx.selection {
        Selection::Definitions { all } => {
            let [(doc, name)] = all.as_slice() else { return None };
            let resolved = cx.resolution.defs.get(name)?.clone();
            Some(Subject { owner: Owner::Def { doc: doc.clone(), name: name.clone() }, resolved })
        }
        Selection::Things { doc, ids } => {
            let ([id], level) = (ids.as_slice(), cx.project.level(doc)?) else { return None };
            let (index, _) = level.entity(id)?;
            let layer = level.nth_layer(index)?;
            let LayerContent::Entities(all) = &layer.content else { return None };
            let look = cx.looks.get(cx.resolution, (doc, level), index, id, all.get(id)?);
            let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
            Some(Subject { owner, resolved: look.resolved.clone()? })
        }
        _ => None,
    }
}

/// Whether several definitions or placed entities are selected.
fn are_several(cx: &Cx<'_>) -> bool {
    match cx.selection {
        Selection::Definitions { all } => all.len() > 1,
        Selection::Things { doc, ids } => {
            let is_entity = |id: &&Name| cx.project.level(doc).is_some_and(|level| level.entity(id).is_some());
            ids.iter().filter(is_entity).nth(1).is_some()
        }
        _ => false,
    }
}

/// Show the Tracks pane.
pub fn timeline_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(subject) = subject(cx) else {
        let (what, how) = if are_several(cx) {
            ("Several are selected", "The tracks of one are shown at a time: select it alone")
        } else {
            let how = "Select an entity in the level, or a definition, to see how its fields change over time";
            ("No tracks to show", how)
        };
        empty_state(cx.theme, ui, icons::ICON_TIMELINE.codepoint, what, how);
        return;
    };
    let (value, tracks) = (tracks_value(&subject.resolved), tracks_of(cx.resolution, &subject.resolved));
    let shown = Shown { cx, subject: &subject, value: &value, tracks: &tracks };
    let mut session = Session::load(ui);
    session.show(&subject.owner);
    if std::ptr::eq(cx.before, cx.project) {
        session.keep(|at| keys_of(&value, &at.track).nth(at.key).is_some());
        session.base = (value.clone(), session.picked.clone());
    }
    if session.track.as_ref().is_none_or(|name| shown.track(name).is_none()) {
        session.track = tracks.first().map(|track| track.name.clone());
    }
    if tracks.is_empty() {
        bar::nothing_yet_ui(&shown, ui, &mut session);
    } else {
        bar::bar_ui(&shown, ui, &mut session);
        area_ui(&shown, ui, &mut session);
    }
    session.store(ui);
}

/// The ruler, and below it the rows of the tracks.
fn area_ui(shown: &Shown<'_>, ui: &mut Ui, session: &mut Session) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let names = NAMES.min(width * 0.4);
    let (ruler, on_ruler) = ui.allocate_exact_size(vec2(width, RULER), Sense::click_and_drag());
    let ruler = Rect::from_min_max(pos2(ruler.left() + names, ruler.top()), ruler.max);
    if std::mem::take(&mut session.wants_fit) {
        let ends = shown.tracks.iter().flat_map(|track| [track.secs, track.keys.last().map_or(0.0, |key| key.at)]);
        session.fit(ruler, ends.fold(0.0, f64::max));
    }
    on_ruler.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Playhead"));
    input::ruler(shown, ui, session, (ruler, &on_ruler));
    paint::ruler_ui(shown, ui, session, ruler);
    ScrollArea::vertical().id_salt("tracks").auto_shrink(false).show(ui, |ui| {
        let left = ui.available_height() - ROW * num(shown.tracks.len().saturating_sub(1));
        let large = LARGE.min(left).max(LEAST_LARGE);
        let heights: Vec<f32> = shown.tracks.iter().map(|track| height_of(session, track, large)).collect();
        let size = vec2(ui.available_width(), heights.iter().sum::<f32>().max(ui.available_height()));
        let (all, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let view = Rect::from_min_max(pos2(all.left() + names, all.top()), all.max);
        let mut top = all.top();
        let mut rows: Vec<(Name, Rect)> = Vec::new();
        for (track, height) in shown.tracks.iter().zip(heights) {
            rows.push((track.name.clone(), Rect::from_min_size(pos2(view.left(), top), vec2(view.width(), height))));
            top += height;
        }
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Time line"));
        input::rows(shown, ui, session, (view, &rows, &response));
        keys::keys(shown, ui, session, &response);
        paint::rows_ui(shown, ui, session, (view, &rows, &response));
        for (name, row) in &rows {
            let place = Rect::from_min_max(pos2(all.left(), row.top()), pos2(view.left(), row.bottom()));
            bar::name_ui(shown, ui, session, name, place);
        }
        paint::playheads_ui(shown, ui, session, (view, &rows));
    });
}

fn height_of(session: &Session, track: &Track, large: f32) -> f32 {
    let is_large = session.track.as_ref() == Some(&track.name) && track.kind.n_lanes() > 0;
    if is_large { large } else { ROW }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
fn num(n: usize) -> f32 {
    n as f32
}
