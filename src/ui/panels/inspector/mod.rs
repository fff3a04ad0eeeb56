//! The Inspector pane: what is selected, field by field, each with its provenance.
//!
//! One function over schemas shows definitions and placed entities alike, one or several; a new component costs nothing
//! here. Which operations a change needs is decided in `refactor`; here it is only requested.

mod card;
mod components;
mod custom;
mod definition;
mod field;
mod levels;
mod list;
mod operation;
mod parts;
mod placed;
mod record;
mod row;
mod shape;
mod subjects;

use egui::{ScrollArea, Ui};
use egui_material_icons::icons;

pub(super) use components::show_field;
pub(super) use field::{MOST_PART_CHANGES, part_changes_ui};
pub use record::{Outside, Places, record_ui};
pub(super) use row::line_ui;
use subjects::{Alike, Subject, Subjects};

use super::inspect_doc;
use crate::{
    editor::Selection,
    ui::{Cx, widgets::empty_state},
};

/// Show the Inspector pane.
pub fn inspector_ui(cx: &Cx<'_>, ui: &mut Ui) {
    // Fields of another selection are other fields: what is half typed in one must not end in another.
    ScrollArea::vertical().id_salt(cx.selection).auto_shrink(false).show(ui, |ui| match cx.selection {
        Selection::Definitions { all } => match all.as_slice() {
            [(doc, name)] => definition::definition_ui(cx, ui, doc, name),
            many => definition::definitions_ui(cx, ui, many),
        },
        Selection::Things { doc, ids } if !ids.is_empty() => placed::things_ui(cx, ui, doc, ids),
        Selection::Layer { doc, layer } => inspect_doc::layer_ui(cx, ui, doc, layer),
        Selection::Document(doc) => inspect_doc::document_ui(cx, ui, doc),
        Selection::Tiles { doc, ids } => inspect_doc::tiles_ui(cx, ui, doc, ids),
        Selection::Machine { doc, name, state, transition } => {
            super::machine_parts::parts_ui(cx, ui, doc, name, state, *transition);
        }
        _ => nothing_ui(cx, ui),
    });
}

fn nothing_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let icon = icons::ICON_TOUCH_APP.codepoint;
    let how = "Click an entity in the level, or a definition in the project";
    empty_state(cx.theme, ui, icon, "Nothing is selected", how);
}
