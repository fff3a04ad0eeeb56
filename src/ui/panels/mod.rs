//! One file per pane, and the window's frame: menu, toolbar, status line, palette and dialogs.

mod component_plot;
mod conflict;
mod contacts;
pub mod definitions;
mod dialog_form;
pub mod dialogs;
mod find;
mod form_rows;
pub mod history;
pub mod inheritance;
pub mod inspect_doc;
pub mod inspector;
pub mod layers;
pub mod level;
mod level_menu;
pub mod machine;
mod machine_carry;
pub mod machine_parts;
pub mod menu;
pub mod messages;
mod new_level;
mod new_tileset;
pub mod palette;
pub mod pick;
pub mod preview;
pub mod problems;
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
pub mod toolbar;
pub mod tuning;
mod tuning_compare;
mod tuning_form;
mod tuning_row;

use egui::Ui;

use super::{PaneCx, widgets::number::refused};
use crate::editor::{Action, Pane};

/// Show a pane's content.
pub fn pane_ui(of: &PaneCx<'_>, ui: &mut Ui, pane: Pane) {
    let cx = of.cx;
    match pane {
        Pane::Project => project::project_ui(cx, ui),
        Pane::Level => level::level_ui(&of.canvas, ui),
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
        Pane::History => history::history_ui(cx, ui),
    }
    if let Some(why) = refused(ui) {
        cx.send(Action::Notice(why));
    }
}
