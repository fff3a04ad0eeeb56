//! The History pane: every step, and what was tried between them, newest last; click to go back or forth.

use egui::{ScrollArea, Ui};
use egui_material_icons::icons;

use crate::{
    edit::timeline,
    editor::{Action, Command},
    ui::{
        Cx,
        theme::ROW,
        widgets::{Row, command_button, empty_state, row_ui},
    },
};

/// Show the History pane.
pub fn history_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let moments = timeline(cx.history, &cx.tuning.overlays);
    if moments.is_empty() {
        let icon = icons::ICON_HISTORY.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing has been done yet", "Each step you take is listed here");
        return;
    }
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::Undo);
        command_button(cx, ui, Command::Redo);
    });
    let n_done = moments.iter().filter(|it| it.is_done).count();
    let area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, ROW, moments.len() + 1, |ui, range| {
        for i in range {
            let at = Row { is_selected: i == n_done, ..Row::default() };
            let row = match i.checked_sub(1).and_then(|i| moments.get(i)) {
                None => Row { icon: icons::ICON_FLAG.codepoint, text: "As opened", ..at },
                Some(it) => {
                    let (icon, icon_color, detail) = match (it.step, it.is_done) {
                        // In no file: it applies while the game plays, and is kept or dropped on the Tuning pane.
                        (None, true) => (icons::ICON_TUNE, Some(cx.theme.instance), "tried"),
                        (None, false) => (icons::ICON_TUNE, None, "tried"),
                        (Some(_), true) => (icons::ICON_CHECK, None, ""),
                        (Some(_), false) => (icons::ICON_REDO, None, ""),
                    };
                    Row { icon: icon.codepoint, icon_color, detail, text: it.label, is_weak: !it.is_done, ..at }
                }
            };
            if row_ui(cx.theme, ui, &row).clicked() {
                cx.send(Action::HistoryGoTo(i));
            }
        }
    });
}
