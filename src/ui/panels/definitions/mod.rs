//! The Definitions pane: every definition as a row, chosen fields as columns, to be compared and tuned many at once.
//!
//! The rows come from `explain`, the edits for changed cells from `refactor`; here they are shown, picked and typed.
//! Only visible rows are looked at in a frame.

mod bar;
mod editor;
mod geometry;
mod grid;
mod header;
mod input;
mod model;
mod picked;

pub(in crate::ui) use model::outline;

use egui::{RichText, Ui};
use egui_material_icons::icons;

use crate::ui::{Cx, widgets::empty_state};
use model::{Kept, Session, columns_shown};

/// Show the Definitions pane.
pub fn definitions_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let outline = outline(cx);
    if outline.entries().is_empty() {
        empty_state(
            cx.theme,
            ui,
            icons::ICON_TABLE_CHART.codepoint,
            "No definitions yet",
            "The plus beside Definitions in the Project pane makes one",
        );
        return;
    }
    let mut session = Session::take(cx, ui.ctx());
    let mut kept = Kept::load(cx, ui.ctx());
    let columns = columns_shown(cx, &outline, &kept);
    let n_all = outline.entries().len();
    bar::bar_ui(cx, ui, &mut session, &mut kept, &columns, n_all);
    let columns = columns_shown(cx, &outline, &kept);
    let hold = session.editing.is_some() || session.drag.is_some() || input::has_focus(ui.ctx());
    session.update(cx, &outline, &columns, &kept, hold);
    let n_rows = session.table.as_ref().map_or(0, |table| table.rows.len());
    if n_rows == 0 {
        nothing_found_ui(cx, ui, &mut kept);
    } else {
        bar::status_below(cx, ui, &mut session, &columns, n_all, |ui, session| {
            grid::grid_ui(cx, ui, session, &mut kept, &columns);
        });
    }
    kept.store(cx, ui.ctx());
    session.store(ui.ctx());
}

fn nothing_found_ui(cx: &Cx<'_>, ui: &mut Ui, kept: &mut std::sync::Arc<Kept>) {
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.25).clamp(4.0, 60.0));
        ui.label(RichText::new("No definition matches").color(cx.theme.text));
        let how = "Rows match every filter; remove some";
        ui.label(cx.theme.caption(how));
        ui.add_space(4.0);
        if ui.button("Show all definitions").clicked() {
            bar::show_all(ui, kept);
        }
    });
}
