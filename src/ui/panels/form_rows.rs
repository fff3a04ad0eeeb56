//! Rows of a form in a dialog: a name before each field, and below it what is wrong with it.

use egui::{Align2, FontId, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use crate::{
    model::Name,
    ui::{
        Cx,
        theme::BODY,
        widgets::{
            choose::drop_down,
            icon_text,
            number::{NumberSpec, drag_ui},
        },
    },
};

/// The width of the names of fields, in points.
const LABELS: f32 = 92.0;

/// A field with its name before it.
pub(super) fn row<R>(cx: &Cx<'_>, ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(LABELS, ui.spacing().interact_size.y), Sense::hover());
        let font = FontId::proportional(BODY);
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, name, font, cx.theme.text_weak);
        add(ui)
    })
    .inner
}

/// What is wrong with the field above.
pub(super) fn problem_ui(cx: &Cx<'_>, ui: &mut Ui, problem: Option<&str>) {
    let Some(problem) = problem else { return };
    row(cx, ui, "", |ui| {
        ui.label(icon_text(icons::ICON_ERROR.codepoint, 15.0).color(cx.theme.error));
        ui.add(egui::Label::new(RichText::new(problem).color(cx.theme.error)).wrap());
    });
}

/// A text field.
pub(super) fn text_ui(ui: &mut Ui, name: &str, hint: &str, text: &mut String) -> Response {
    let response = ui.add(TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, name));
    response
}

/// A whole number from zero; zero can be typed, and what is wrong with it is shown below the field.
pub(super) fn count_ui(ui: &mut Ui, name: &str, unit: &str, most: u32, count: &mut u32) {
    let most = Some(f64::from(most));
    let spec = NumberSpec { min: Some(0.0), max: most, step: Some(1.0), unit: Some(unit), is_int: true };
    if let Some(change) = drag_ui(ui, name, f64::from(*count), &spec).1 {
        *count = change.into_parts().0 as u32;
    }
}

/// One of the tilesets there are, where another than `now` is chosen.
pub(super) fn tileset_ui(cx: &Cx<'_>, ui: &mut Ui, now: Option<&Name>) -> Option<Name> {
    let shown = now.map_or("none", |name| name).to_owned();
    let label = format!("Tileset: {shown}");
    let combo = drop_down(cx.theme, "tileset", shown).width(210.0);
    let mut chosen = None;
    let response = combo.show_ui(ui, |ui| {
        for name in cx.view.tilesets(cx.project) {
            if ui.selectable_label(now == Some(&name), &*name).clicked() {
                chosen = Some(name);
            }
        }
    });
    response.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
    chosen.filter(|chosen| now != Some(chosen))
}
