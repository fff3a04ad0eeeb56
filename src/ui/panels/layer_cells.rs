//! The form of a layer's tile size in the dialog of refactorings: width and height in one step, and what becomes of its
//! tiles.

use egui::Ui;

use super::form_rows::{count_ui, problem_ui, row};
use crate::{
    edit::MAX_CELLS,
    refactor::LayerCells,
    ui::{
        Cx,
        widgets::{Tip as _, checkbox_ui},
    },
};

/// Show the fields.
pub(super) fn layer_cells_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut LayerCells) {
    row(cx, ui, "Cells", |ui| {
        count_ui(ui, "Cell width", "px", MAX_CELLS, &mut it.size[0]);
        count_ui(ui, "Cell height", "px", MAX_CELLS, &mut it.size[1]);
        let of_level = cx.project.level(&it.doc).map(|level| level.grid().px).filter(|px| *px != it.size);
        if let Some([w, h]) = of_level
            && ui.button(format!("As the level's, {w} × {h}")).clicked()
        {
            it.size = [w, h];
        }
    });
    problem_ui(cx, ui, it.size_problem(cx.project).as_deref());
    row(cx, ui, "Tiles keep", |ui| {
        for (keeps_places, text, tip) in [
            (true, "Their places", "Each goes to the cell at its place in the level"),
            (false, "Columns and rows", "All move, as cells become larger or smaller"),
        ] {
            if ui.selectable_label(it.keeps_places == keeps_places, text).tip(tip).clicked() {
                it.keeps_places = keeps_places;
            }
        }
    });
    ui.add_enabled_ui(it.may_share(cx.project), |ui| {
        row(cx, ui, "", |ui| checkbox_ui(ui, &mut it.may_lose, "Tiles may be lost where several come into one cell"));
    });
}
