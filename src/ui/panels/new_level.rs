//! The forms of a new level and a new layer in the dialog of refactorings. What is wrong with a field is decided by the
//! request; it is shown below the field.

use egui::Ui;

use super::{
    dialog_form::{field, field_id},
    form_rows::{count_ui, problem_ui, row, tileset_ui},
};
use crate::{
    edit::MAX_CELLS,
    editor::{Action, BrowseFor},
    model::{FieldSpec, FieldType, LevelView, Name, Value},
    refactor::{LayerKind, NewLayer, NewLevel, NewLevelField, NewStamp},
    ui::{
        Cx, focus,
        widgets::{Tip as _, checkbox_ui, value::value_ui},
    },
};

/// Show the fields.
pub(super) fn new_level_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewLevel) {
    let text = row(cx, ui, "Name", |ui| field(ui, "refactor", &new.name, "Name of the new level"));
    text.trim().clone_into(&mut new.name);
    problem_ui(cx, ui, new.problem(NewLevelField::Name, cx.project).as_deref());
    row(cx, ui, "Size", |ui| {
        if let Some(size) = &mut new.size {
            count_ui(ui, "Width in cells", "cells", MAX_CELLS, &mut size[0]);
            count_ui(ui, "Height in cells", "cells", MAX_CELLS, &mut size[1]);
        }
        let mut is_unbounded = new.size.is_none();
        // Of the same name whether there are fields before it: it keeps the keyboard.
        let unbounded = ui.push_id("unbounded", |ui| checkbox_ui(ui, &mut is_unbounded, "Unbounded")).inner;
        if unbounded.tip("It has tiles wherever some are painted").changed() {
            new.size = (!is_unbounded).then_some(NewLevel::SIZE);
        }
    });
    problem_ui(cx, ui, new.problem(NewLevelField::Size, cx.project).as_deref());
    row(cx, ui, "Tileset", |ui| {
        let Some(chosen) = tileset_ui(cx, ui, new.tileset.as_ref()) else { return };
        // Cells are as large as its tiles unless something else is said afterwards.
        if let Some(set) = cx.project.tileset_named(&chosen) {
            new.tile_size = set.tile_size;
        }
        new.tileset = Some(chosen);
    });
    row(cx, ui, "Cells", |ui| {
        count_ui(ui, "Cell width", "px", MAX_CELLS, &mut new.tile_size[0]);
        count_ui(ui, "Cell height", "px", MAX_CELLS, &mut new.tile_size[1]);
        let set = new.tileset.as_ref().and_then(|name| cx.project.tileset_named(name));
        if let Some([w, h]) = set.map(|set| set.tile_size).filter(|size| *size != new.tile_size) {
            ui.label(cx.theme.caption(format!("its tiles are {w} × {h} px")));
        }
    });
    problem_ui(cx, ui, new.problem(NewLevelField::TileSize, cx.project).as_deref());
    row(cx, ui, "Seen from", |ui| {
        for (view, text, tip) in [
            (LevelView::Platformer, "The side", "Gravity pulls down; actors walk and jump"),
            (LevelView::TopDown, "Above", "No gravity; actors walk eight ways"),
        ] {
            let response = ui.selectable_label(new.view == view, text).tip(tip);
            focus::list_item(&response, new.view == view);
            if response.clicked() {
                new.view = view;
            }
        }
    });
}

/// What a new layer holds, of all that a layer can.
fn kinds_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewLayer) {
    for kind in LayerKind::ALL {
        let response = ui.selectable_label(new.kind == kind, kind.noun());
        focus::list_item(&response, new.kind == kind);
        if response.clicked()
            && let Some(level) = cx.project.level(&new.doc)
            && new.change_kind(kind, level)
        {
            ui.data_mut(|data| data.insert_temp(field_id("refactor"), new.name.clone()));
        }
    }
}

/// Show the fields of a new layer.
pub(super) fn new_layer_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewLayer) {
    if new.around.is_empty() {
        row(cx, ui, "Holds", |ui| kinds_ui(cx, ui, new));
    }
    let hint = if new.around.is_empty() { "Name of the new layer" } else { "Name of the new group" };
    let text = row(cx, ui, "Name", |ui| field(ui, "refactor", &new.name, hint));
    text.trim().clone_into(&mut new.name);
    problem_ui(cx, ui, new.name_problem(cx.project).as_deref());
    if new.kind == LayerKind::Tiles {
        if let Some(chosen) = row(cx, ui, "Tileset", |ui| tileset_ui(cx, ui, new.tileset.as_ref())) {
            new.tileset = Some(chosen);
        }
        problem_ui(cx, ui, new.tileset_problem().as_deref());
    }
    if new.has_cells() {
        row(cx, ui, "Cells", |ui| {
            count_ui(ui, "Cell width", "px", MAX_CELLS, &mut new.tile_size[0]);
            count_ui(ui, "Cell height", "px", MAX_CELLS, &mut new.tile_size[1]);
            let level = cx.project.level(&new.doc).map(|level| level.grid().px);
            if let Some([w, h]) = level.filter(|px| *px != new.tile_size) {
                ui.label(cx.theme.caption(format!("the level's are {w} × {h} px")));
            }
        });
        problem_ui(cx, ui, new.tile_size_problem().as_deref());
    }
    if new.kind == LayerKind::Image {
        row(cx, ui, "Image", |ui| {
            let now = Value::str(new.image.as_deref().unwrap_or_default());
            let spec = FieldSpec::of(FieldType::Image);
            if let Some(change) = value_ui(cx, ui, "Image of the new layer", &spec, &now) {
                new.image = change.into_parts().0.as_str().map(Name::from);
            }
            if ui.button("Browse…").tip("Ask the system's dialog, or drop a PNG on the window; one from elsewhere is copied into the project").clicked() {
                cx.send(Action::Browse(BrowseFor::LayerImage));
            }
        });
        // Not a mistake yet: the button waits for it.
        let text = new.image_problem().unwrap_or_default();
        row(cx, ui, "", |ui| ui.label(cx.theme.caption(text)));
    }
}

/// Show the name of a new stamp.
pub(super) fn new_stamp_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewStamp) {
    let text = row(cx, ui, "Name", |ui| field(ui, "refactor", &new.name, "Name of the new stamp"));
    text.trim().clone_into(&mut new.name);
    problem_ui(cx, ui, new.name_problem(cx.project).as_deref());
}
