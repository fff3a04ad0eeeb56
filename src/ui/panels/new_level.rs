//! The forms of a new level and a new layer in the dialog of refactorings. What is wrong with a field is decided by the request;
//! it is shown below the field.

use egui::{RichText, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::dialog_form::{field, field_id};
use crate::{
    edit::MAX_CELLS,
    model::{LevelView, Name},
    refactor::{LayerKind, NewLayer, NewLevel, NewLevelField},
    ui::{
        Cx,
        widgets::{
            Tip as _, icon_text,
            number::{NumberSpec, drag_ui},
        },
    },
};

/// The width of the names of fields, in points.
const LABELS: f32 = 92.0;

/// Show the fields. Returns whether Enter was pressed in the name.
pub(super) fn new_level_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewLevel) -> bool {
    let (text, is_done) = line(cx, ui, "Name", |ui| field(ui, "refactor", &new.name, "Name of the new level"));
    text.trim().clone_into(&mut new.name);
    problem_ui(cx, ui, new.problem(NewLevelField::Name, cx.project));
    line(cx, ui, "Size", |ui| {
        if let Some(size) = &mut new.size {
            sides_ui(ui, ["Width in cells", "Height in cells"], "cells", size);
        }
        let mut is_unbounded = new.size.is_none();
        if ui.checkbox(&mut is_unbounded, "Unbounded").tip("It has tiles wherever some are painted").changed() {
            new.size = (!is_unbounded).then_some(NewLevel::SIZE);
        }
    });
    problem_ui(cx, ui, new.problem(NewLevelField::Size, cx.project));
    let sets = cx.view.tilesets(cx.project);
    line(cx, ui, "Tileset", |ui| {
        let before = new.tileset.clone();
        tileset_ui(ui, &sets, &mut new.tileset);
        // Cells are as large as its tiles unless something else is said afterwards.
        let chosen = new.tileset.as_ref().filter(|_| new.tileset != before);
        if let Some(set) = chosen.and_then(|name| cx.project.tileset_named(name)) {
            new.tile_size = set.tile_size;
        }
    });
    line(cx, ui, "Cells", |ui| {
        sides_ui(ui, ["Cell width", "Cell height"], "px", &mut new.tile_size);
        let set = new.tileset.as_ref().and_then(|name| cx.project.tileset_named(name));
        if let Some([w, h]) = set.map(|set| set.tile_size).filter(|size| *size != new.tile_size) {
            ui.label(cx.theme.caption(format!("its tiles are {w} × {h} px")));
        }
    });
    problem_ui(cx, ui, new.problem(NewLevelField::TileSize, cx.project));
    line(cx, ui, "Seen from", |ui| {
        for (view, text, tip) in [
            (LevelView::Platformer, "The side", "Gravity pulls down; actors walk and jump"),
            (LevelView::TopDown, "Above", "No gravity; actors walk eight ways"),
        ] {
            if ui.selectable_label(new.view == view, text).tip(tip).clicked() {
                new.view = view;
            }
        }
    });
    is_done
}

/// Show the fields of a new layer. Returns whether Enter was pressed in the name.
pub(super) fn new_layer_ui(cx: &Cx<'_>, ui: &mut Ui, new: &mut NewLayer) -> bool {
    line(cx, ui, "Holds", |ui| {
        for kind in LayerKind::ALL {
            if ui.selectable_label(new.kind == kind, kind.noun()).clicked()
                && let Some(level) = cx.project.level(&new.doc)
                && new.change_kind(kind, level)
            {
                ui.data_mut(|data| data.insert_temp(field_id("refactor"), new.name.clone()));
            }
        }
    });
    let (text, is_done) = line(cx, ui, "Name", |ui| field(ui, "refactor", &new.name, "Name of the new layer"));
    text.trim().clone_into(&mut new.name);
    problem_ui(cx, ui, new.name_problem(cx.project));
    if new.kind == LayerKind::Tiles {
        let sets = cx.view.tilesets(cx.project);
        line(cx, ui, "Tileset", |ui| tileset_ui(ui, &sets, &mut new.tileset));
        problem_ui(cx, ui, new.tileset_problem());
    }
    is_done
}

/// A field with its name before it.
pub(super) fn line<R>(cx: &Cx<'_>, ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(LABELS, ui.spacing().interact_size.y), egui::Sense::hover());
        let font = egui::FontId::proportional(crate::ui::theme::BODY);
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, name, font, cx.theme.text_weak);
        add(ui)
    })
    .inner
}

/// What is wrong with the field above.
fn problem_ui(cx: &Cx<'_>, ui: &mut Ui, problem: Option<String>) {
    let Some(problem) = problem else { return };
    line(cx, ui, "", |ui| {
        ui.label(icon_text(icons::ICON_ERROR.codepoint, 15.0).color(cx.theme.error));
        ui.label(RichText::new(problem).color(cx.theme.error));
    });
}

/// One of the tilesets there are.
fn tileset_ui(ui: &mut Ui, sets: &[Name], tileset: &mut Option<Name>) {
    let shown = tileset.as_deref().unwrap_or("none").to_owned();
    let label = format!("Tileset: {shown}");
    let response = egui::ComboBox::from_id_salt("tileset").width(200.0).selected_text(shown).show_ui(ui, |ui| {
        for name in sets {
            ui.selectable_value(tileset, Some(name.clone()), &**name);
        }
    });
    response.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
}

/// Width and height. Zero can be typed, and what is wrong with it is shown below.
fn sides_ui(ui: &mut Ui, names: [&str; 2], unit: &str, sides: &mut [u32; 2]) {
    let most = Some(f64::from(MAX_CELLS));
    let spec = NumberSpec { min: Some(0.0), max: most, step: Some(1.0), unit: Some(unit), is_int: true };
    for (name, side) in names.into_iter().zip(sides) {
        if let Some(change) = drag_ui(ui, name, f64::from(*side), &spec).1 {
            let (value, _) = change.into_parts();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the widget keeps it in range")]
            let value = value as u32;
            *side = value;
        }
    }
}
