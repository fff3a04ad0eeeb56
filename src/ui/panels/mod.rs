//! One file per pane, and the window's frame: menu, toolbar, status line, palette and dialogs.

mod component_plot;
mod conflict;
mod contacts;
mod controls;
pub mod definitions;
mod dialog_form;
pub mod dialogs;
mod energy;
mod find;
mod form_rows;
pub mod game;
pub mod history;
pub mod inheritance;
pub mod inspect_doc;
pub mod inspector;
mod key_pointer;
mod layer_cells;
pub mod layers;
pub mod level;
mod level_camera;
mod level_menu;
mod level_running;
mod level_tabs;
mod live;
pub mod machine;
mod machine_carry;
pub mod machine_parts;
pub mod menu;
pub mod messages;
mod new_level;
mod new_tileset;
mod overlays;
pub mod palette;
pub mod pick;
mod playback;
pub mod preview;
mod probe;
pub mod problems;
mod profiler;
pub mod project;
mod recover;
pub mod refactor;
mod replace;
mod resize;
pub mod schema;
mod sheet;
mod shortcuts;
pub mod stamps;
pub mod status;
pub mod tileset;
mod tileset_terrain;
pub mod timeline;
pub mod toolbar;
pub mod tuning;
mod tuning_compare;
mod tuning_form;
mod tuning_row;
mod why;

use egui::{Context, Id, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use super::{
    Cx, PaneCx, focus,
    widgets::{has_keyboard, is_wanted, number::refused, want},
};
use crate::editor::{Action, Pane};

pub use key_pointer::{canvas_has_keyboard, leave_canvas};

/// Have a pane take the keyboard focus as soon as it is shown: the canvas of the level, the tiles of the palette, and
/// of others the pane itself, from where Tab goes on.
pub fn focus_pane(ctx: &Context, pane: Pane) {
    want(ctx, &focus_name(pane));
}

fn focus_name(pane: Pane) -> String {
    if pane == Pane::Level { key_pointer::CANVAS.to_owned() } else { format!("pane {}", pane.title()) }
}

/// Show a pane's content.
pub fn pane_ui(of: &PaneCx<'_>, ui: &mut Ui, pane: Pane) {
    let cx = of.cx;
    focus::begin_list(ui, focus_id(ui));
    // What these show may have a better use for the keyboard.
    let is_asked_last = matches!(pane, Pane::Palette | Pane::Stamps);
    if pane != Pane::Level && !is_asked_last {
        focus_ui(cx, ui, pane);
    }
    match pane {
        Pane::Project => project::project_ui(cx, ui),
        Pane::Level => level::level_ui(&of.canvas, ui),
        Pane::Game => game::game_ui(&of.canvas, ui),
        Pane::Palette => palette::palette_ui(cx, ui),
        Pane::Stamps => stamps::stamps_ui(cx, ui),
        Pane::Layers => layers::layers_ui(cx, ui),
        Pane::Inspector => inspector::inspector_ui(cx, ui),
        Pane::Inheritance => inheritance::inheritance_ui(cx, ui),
        Pane::Machine => machine::machine_ui(&of.machine, ui),
        Pane::Tileset => tileset::tileset_pane_ui(cx, ui),
        Pane::Tuning => tuning::tuning_ui(&of.tuning, ui),
        Pane::Preview => preview::preview_ui(cx, ui),
        Pane::Messages => messages::messages_ui(cx, ui),
        Pane::Problems => problems::problems_ui(cx, ui),
        Pane::Definitions => definitions::definitions_ui(cx, ui),
        Pane::Tracks => timeline::timeline_ui(cx, ui),
        Pane::Profiler => profiler::profiler_ui(cx, ui),
        Pane::History => history::history_ui(cx, ui),
    }
    if is_asked_last {
        focus_ui(cx, ui, pane);
    }
    if let Some(why) = refused(ui) {
        cx.send(Action::Notice(why));
    }
}

fn focus_id(ui: &Ui) -> Id {
    ui.scope_id().with("focus")
}

/// Where the focus is when a pane has it as a whole: before everything in it, and seen as a line around the pane.
fn focus_ui(cx: &Cx<'_>, ui: &Ui, pane: Pane) {
    let rect = ui.max_rect();
    let corner = Rect::from_min_size(rect.min, Vec2::ZERO);
    let response = ui.interact(corner, focus_id(ui), Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Pane, true, pane.title()));
    if is_wanted(ui, &focus_name(pane)) {
        response.request_focus();
    }
    if has_keyboard(&response) {
        let around = rect.expand(4.0);
        let mut painter = ui.painter().clone();
        painter.set_clip_rect(around);
        painter.rect_stroke(around, 3.0, Stroke::new(2.0, cx.theme.accent), StrokeKind::Inside);
    }
}
