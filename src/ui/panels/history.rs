//! The History pane: every step, newest last; click to go back or forth.

use egui::{ScrollArea, Ui};
use egui_material_icons::icons;

use crate::ui::{
    Action, Command, Cx,
    theme::ROW,
    widgets::{Row, command_button, empty_state, row_ui},
};

/// Show the History pane.
pub fn history_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let steps: Vec<(&str, bool)> = cx.history.steps().map(|(is_done, step)| (step.label(), is_done)).collect();
    if steps.is_empty() {
        let icon = icons::ICON_HISTORY.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing has been done yet", "Each step you take is listed here");
        return;
    }
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::Undo);
        command_button(cx, ui, Command::Redo);
    });
    let n_done = steps.iter().filter(|(_, is_done)| *is_done).count();
    ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true).show_rows(ui, ROW, steps.len() + 1, |ui, range| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for i in range {
            let row = if i == 0 {
                Row { icon: icons::ICON_FLAG.codepoint, text: "As opened", is_selected: n_done == 0, ..Row::default() }
            } else {
                let (label, is_done) = steps[i - 1];
                let icon = if is_done { icons::ICON_CHECK } else { icons::ICON_REDO };
                Row { icon: icon.codepoint, text: label, is_selected: i == n_done, is_weak: !is_done, ..Row::default() }
            };
            if row_ui(cx.theme, ui, &row).clicked() {
                cx.send(Action::HistoryGoTo(i));
            }
        }
    });
}
