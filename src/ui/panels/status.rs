//! The status line: what the tool in hand does, what is under the pointer, what is selected, problems, ticks a second.

use egui::{Color32, Id, Response, RichText, Spinner, Ui};
use egui_material_icons::{MaterialIcon, icons};

use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Pane, Preview, Selection},
    model::{DocPath, Severity, counted, sentence},
    sim::insight::profile::{Span, ms_text},
    ui::{
        Cx, ShellCx,
        theme::SMALL,
        widgets::{at_right, icon_text, words::words},
    },
};

/// A save that takes longer is shown.
const SAVING_SECS: f32 = 0.4;

/// The most tried-out values that are listed.
const MOST_TRIED: usize = 6;

/// What can be done in the pane that is worked in.
fn hint_of<'a>(cx: &ShellCx<'a>) -> &'a str {
    match cx.view.working {
        Pane::Definitions => {
            "Type to change a cell, Ctrl+Enter for all that are picked; ×2, 50% and +5 calculate from each value"
        }
        Pane::Machine => "Drag a state to move it, from its right edge to connect it; double click to add one",
        Pane::Tileset => {
            "Click or drag over tiles to select them, with Ctrl or Shift to add; Ctrl+A selects all, Ctrl and the wheel zooms"
        }
        Pane::Inheritance => "Click a definition to select it; double click to show it",
        _ => cx.tool_hint,
    }
}

/// Show the status line.
pub fn status_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let hint = cx.notice.unwrap_or_else(|| hint_of(cx));
        let color = match (cx.notice.is_some(), cx.is_failure) {
            (true, true) => cx.theme.error,
            (true, false) => cx.theme.text,
            (false, _) => cx.theme.text_weak,
        };
        if cx.is_failure {
            ui.label(icon_text(icons::ICON_ERROR.codepoint, 16.0).color(cx.theme.error));
        }
        let text = words(cx.theme, hint, (SMALL, color));
        ui.label(text).widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, hint));
        at_right(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 14.0;
            if let Some(preview) = cx.preview {
                let hz = 1.0 / preview.session.world().timestep_secs();
                ui.label(cx.theme.caption(format!("{hz:.0} Hz"))).tip("Ticks a second of the preview");
                tick_time_ui(cx, ui, preview);
                if preview.session.lost_secs() > 0.0 {
                    let lost = format!("{:.1} s lost", preview.session.lost_secs());
                    ui.label(RichText::new(lost).size(SMALL).color(cx.theme.warning))
                        .tip("Time dropped because frames were too slow");
                }
            }
            problems_ui(cx, ui);
            preview_problems_ui(cx, ui);
            live_ui(cx, ui);
            tried_ui(cx, ui);
            saving_ui(cx, ui);
            if cx.is_reading {
                ui.label(cx.theme.caption("Reading…"))
                    .tip("Large levels are being read; edits have to wait until then");
                ui.add(Spinner::new().size(SMALL));
            }
            postponed_ui(cx, ui);
            unfinished_ui(cx, ui);
            let selected = selection_text(cx);
            if !selected.is_empty() {
                ui.label(cx.theme.caption(selected));
            }
            if let Some(pointer) = cx.view.pointer.as_ref().filter(|_| cx.view.working == Pane::Level) {
                if let Some(tile) = &pointer.tile {
                    ui.label(cx.theme.caption(tile.clone()));
                }
                let [x, y] = pointer.cell;
                let grid = cx.level().map(|(_, level)| (level.grid_at(cx.active_layer()), level.grid()));
                let own = grid.filter(|(grid, of_level)| grid != of_level).map(|(grid, _)| grid.px_text());
                let text = own.as_ref().map_or_else(|| format!("{x}, {y}"), |px| format!("{x}, {y} of {px}"));
                let of = own.map_or_else(String::new, |px| format!(" of the layer's own {px}"));
                ui.label(cx.theme.caption(text))
                    .tip(format!("Cell{of}; {:.1}, {:.1} px", pointer.pos[0], pointer.pos[1]));
            }
        });
    });
}

/// That files are being written, where it takes longer than a moment.
fn saving_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let how_long = ui.ctx().animate_bool_with_time(Id::unique("saving"), cx.workspace.files().is_saving(), SAVING_SECS);
    if how_long >= 1.0 {
        ui.label(cx.theme.caption("Saving…")).tip("Files are being written; work can go on");
        ui.add(Spinner::new().size(SMALL));
    }
}

/// How long ticks take, and the way to what they spend it on.
fn tick_time_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview) {
    let tick = preview.session.observed().profile.tick();
    if tick.n == 0 {
        return;
    }
    let [avg, _, max] = tick.spread(Span::Recent);
    let text = format!("{:.2} ms a tick", avg / 1e6);
    let is_slow = max > preview.budget_secs() * 1e9;
    let color = if is_slow { cx.theme.warning } else { cx.theme.text_weak };
    let button = egui::Button::new(RichText::new(&text).size(SMALL).color(color)).frame(false);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &text));
    let tip = format!("{} ms at most of late. Click for what ticks spend their time on", ms_text(max));
    if response.tip(tip).clicked() {
        cx.send(Action::ShowPane(Pane::Profiler));
    }
}

/// Files whose two versions are still to be decided about, and the way back to the question.
fn postponed_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let all: Vec<&DocPath> = cx.workspace.postponed().collect();
    let Some(first) = all.first() else { return };
    let text = counted(all.len(), "open conflict");
    let names: Vec<&str> = all.iter().map(|doc| doc.as_str()).collect();
    let tip = format!("Decide between two versions of {}", names.join(", "));
    if mark_button(cx, ui, (&icons::ICON_CALL_SPLIT, cx.theme.warning), &text).tip(tip).clicked() {
        cx.send(Action::AskAgain((*first).clone()));
    }
}

/// What went wrong in the running preview, and the way to the list of it.
fn preview_problems_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(preview) = cx.preview else { return };
    let all: Vec<_> = super::preview::running_problems(preview).collect();
    let Some(first) = all.first() else { return };
    let text = format!("{} while playing", counted(all.len(), "problem"));
    let tip = format!("{}. Click to list them in the Preview pane", sentence(&first.message));
    let color = all.iter().map(|finding| finding.severity).max().map_or(cx.theme.warning, |it| cx.theme.severity(it));
    if mark_button(cx, ui, (&icons::ICON_WARNING, color), &text).tip(tip).clicked() {
        cx.send(Action::ShowPane(Pane::Preview));
    }
}

/// What is live, and the way to the list of it.
fn live_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let live = cx.live_changes();
    let Some(first) = live.first() else { return };
    let tip =
        format!("{}; not in the files until it is kept. Click to keep or drop it in the Preview pane", first.text);
    let text = counted(live.len(), "live change");
    if mark_button(cx, ui, (&icons::ICON_SENSORS, cx.theme.warning), &text).tip(tip).clicked() {
        cx.send(Action::ShowPane(Pane::Preview));
    }
}

/// Values of constants that are tried out, and the way to them.
fn tried_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let tried = cx.tried_values();
    if tried.is_empty() {
        return;
    }
    let all: Vec<String> = tried.iter().take(MOST_TRIED).map(|(name, value)| format!("{name} {value}")).collect();
    let more = if tried.len() > MOST_TRIED { ", …" } else { "" };
    let tip = format!("{}{more}: what the preview runs with, not the files. Click to keep or drop it", all.join(", "));
    let text = format!("{} tried out", counted(tried.len(), "value"));
    if mark_button(cx, ui, (&icons::ICON_TUNE, cx.theme.warning), &text).tip(tip).clicked() {
        cx.send(Action::ShowPane(Pane::Tuning));
    }
}

/// Transitions that have no trigger yet.
fn unfinished_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let mut all = cx.view.unfinished_in(cx.project);
    let Some(first) = all.next() else { return };
    let text = counted(1 + all.count(), "unfinished transition");
    let tip = format!(
        "{}: {} → {} has no trigger yet and is not saved. Click to choose one",
        first.machine, first.from, first.to
    );
    if mark_button(cx, ui, (&icons::ICON_QUESTION_MARK, cx.theme.warning), &text).tip(tip).clicked() {
        let (doc, name) = (first.doc.clone(), first.machine.clone());
        cx.send(Action::OpenMachine { doc: doc.clone(), name: name.clone() });
        cx.send(Action::Select(Selection::Machine { doc, name, state: first.from.clone(), transition: None }));
        cx.send(Action::ShowPane(Pane::Inspector));
    }
}

/// A frameless button of a colored icon and a text.
fn mark_button(cx: &Cx<'_>, ui: &mut Ui, (icon, color): (&MaterialIcon, Color32), text: &str) -> Response {
    let text_weak = cx.theme.caption(text);
    let response = ui.add(egui::Button::new((icon_text(icon.codepoint, 14.0).color(color), text_weak)).frame(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, text));
    response
}

fn problems_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let count = |severity| cx.derived.problems().iter().filter(|p| p.problem.finding.severity == severity).count();
    let part = |n: usize, word: &str| (n > 0).then(|| counted(n, word));
    let (n_errors, n_warnings) = (count(Severity::Error), count(Severity::Warning));
    let (icon, color) = match (n_errors, n_warnings) {
        (0, 0) => (icons::ICON_CHECK_CIRCLE, cx.theme.good),
        (0, _) => (icons::ICON_WARNING, cx.theme.warning),
        _ => (icons::ICON_ERROR, cx.theme.error),
    };
    let parts = [part(n_errors, "error"), part(n_warnings, "warning"), part(count(Severity::Hint), "hint")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    // What goes wrong in the run is said beside it.
    if parts.is_empty() && cx.preview.is_some_and(|it| super::preview::running_problems(it).next().is_some()) {
        return;
    }
    let text = if parts.is_empty() { "No problems".to_owned() } else { parts.join(", ") };
    if mark_button(cx, ui, (&icon, color), &text).tip("Show the problems").clicked() {
        cx.send(Action::ShowPane(Pane::Problems));
    }
}

fn selection_text(cx: &Cx<'_>) -> String {
    match cx.selection {
        Selection::Things { ids, .. } if ids.len() == 1 => format!("{} selected", ids[0]),
        Selection::Things { ids, .. } if !ids.is_empty() => format!("{} selected", ids.len()),
        Selection::Definitions { all } => match all.as_slice() {
            [(_, name)] => name.to_string(),
            many => format!("{} selected", counted(many.len(), "definition")),
        },
        _ => match cx.view.cells_meant(cx.selection) {
            Some((_, cells)) => format!("{} selected", counted(cells.len(), "cell")),
            None => String::new(),
        },
    }
}
