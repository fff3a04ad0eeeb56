//! A row of a record: the badge and name of a field, its editor, and the way back to its default.

use egui::{Popup, PopupCloseBehavior, RichText, Ui};
use egui_material_icons::icons;

use super::card::{about_ui, problems_ui};
use crate::{
    defs::Badge,
    editor::LocatedProblem,
    model::{FieldSpec, FieldType},
    ui::{
        Cx,
        theme::{ROW, SMALL},
        widgets::{
            IconButton, Tip as _, at_right, badge, badge_name, card_beside, editor_in_row, keyed, row_in_sight,
            squiggle, value::is_tall,
        },
    },
};

/// Room for the mark before a field's name, in points.
const MARK: f32 = 20.0;

/// Room for the way back to the default, in points.
const BACK: f32 = 30.0;

/// The way back to a declared default.
pub(super) const RESET: [&str; 2] = ["Reset", "Back to the default"];

/// A field as its row shows it.
pub(super) struct Row<'a> {
    /// Shown.
    pub key: &'a str,
    /// Its accessible name, unique in the window.
    pub name: &'a str,
    pub spec: &'a FieldSpec,
    /// No schema declares it.
    pub is_unknown: bool,
    pub is_default: bool,
    /// How much room its editor has to have, in points: where there is less it is below the name.
    pub least: f32,
    /// Of several that are edited together, some have another value.
    pub is_mixed: bool,
    /// What going back to its default is called, and what that means; `None` where there is no way.
    pub reset: Option<[&'a str; 2]>,
    /// What is wrong with it, worst first.
    pub problems: Vec<&'a LocatedProblem>,
}

/// Show a row. Returns whether it is to have its default again.
pub(super) fn row_ui(cx: &Cx<'_>, ui: &mut Ui, row: &Row<'_>, editor: &mut dyn FnMut(&mut Ui)) -> bool {
    let Row { name, spec, problems, .. } = row;
    let room = ui.available_width() - (value_at(ui) - ui.cursor().left()) - BACK - ui.spacing().item_spacing.x;
    let is_below = room < row.least;
    let is_tall = is_tall(&spec.ty) || is_below;
    let mark = if row.is_default { Badge::Default } else { Badge::Own };
    let mut is_reset = false;
    row_in_sight(ui, ui.scope_id().with(name), |ui| {
        ui.horizontal(|ui| {
            let value_at = value_at(ui);
            let badge = badge(cx.theme, ui, mark, &format!("{name} is {}", badge_name(mark)));
            let color = match (row.is_unknown, row.is_default) {
                (true, _) => cx.theme.warning,
                (_, true) => cx.theme.text_weak,
                (_, false) => cx.theme.text,
            };
            let label = ui.label(RichText::new(row.key).color(color));
            if let Some(worst) = problems.first() {
                squiggle(ui, label.rect, cx.theme.severity(worst.problem.finding.severity));
            }
            let card = |ui: &mut Ui| {
                ui.set_max_width(460.0);
                ui.strong(*name);
                about_ui(cx, ui, spec, true);
                ui.label(cx.theme.caption(badge_name(mark)));
                problems_ui(cx, ui, problems);
            };
            card_beside(ui, &badge, card);
            card_beside(ui, &label, card);
            let popup = Popup::from_toggle_button_response(&badge);
            popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(card);
            if row.is_mixed {
                ui.label(RichText::new("mixed").size(SMALL).color(cx.theme.warning)).tip("The selected differ here");
            }
            if !is_tall {
                ui.add_space((value_at - ui.cursor().left()).max(0.0));
            }
            at_right(ui, |ui| {
                if let Some([label, tip]) = row.reset.filter(|_| !row.is_default) {
                    let label = format!("{label} {name}");
                    let button = IconButton::new(icons::ICON_UNDO.codepoint, &label).in_row();
                    is_reset = button.show(cx.theme, ui).tip(tip).clicked();
                } else {
                    ui.add_space(BACK);
                }
                if !is_tall {
                    editor_in_row(ui, |ui| editor(ui));
                }
            });
        });
        if is_tall {
            ui.indent("value", |ui| {
                if is_below {
                    ui.horizontal(|ui| editor_in_row(ui, |ui| editor(ui)));
                } else {
                    keyed(ui, "editor", |ui| editor(ui));
                }
            });
        }
    });
    is_reset
}

/// A line among the fields of records for what is not edited as a field (a name, a kind, a type), and what it means.
pub(in crate::ui::panels) fn line_ui<R>(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (label, doc): (&str, &str),
    editor: impl FnOnce(&mut Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        let value_at = value_at(ui);
        ui.add_space(MARK);
        ui.label(RichText::new(label).color(cx.theme.text)).tip(doc);
        ui.add_space((value_at - ui.cursor().left()).max(0.0));
        editor(ui)
    })
    .inner
}

/// How much room the editor of a type has to have, in points: colors, pairs and names would be cut.
#[must_use]
pub(super) fn least_width(ty: &FieldType) -> f32 {
    match ty {
        FieldType::Option(inner) => least_width(inner) + ROW,
        FieldType::Color => 96.0,
        FieldType::Vec2 => 96.0,
        ty if ty.is_reference() => 90.0,
        _ => 0.0,
    }
}

/// Where the values of fields begin, at the beginning of a line.
fn value_at(ui: &Ui) -> f32 {
    ui.cursor().left() + (ui.available_width() * 0.36).clamp(64.0, 150.0) + MARK + 4.0
}
