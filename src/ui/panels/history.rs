//! The History pane: every step, newest last; click to go back or forth.

use egui::{ScrollArea, Ui};
use egui_material_icons::icons;

use crate::{
    edit::Step,
    editor::{Action, Command},
    model::counted,
    ui::{
        Cx,
        theme::ROW,
        widgets::{Row, command_button, empty_state, row_ui},
    },
};

/// Show the History pane.
pub fn history_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let steps: Vec<(bool, &Step)> = cx.workspace.history().steps().collect();
    if steps.is_empty() {
        let icon = icons::ICON_HISTORY.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing has been done yet", "Each step you take is listed here");
        return;
    }
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::Undo);
        command_button(cx, ui, Command::Redo);
    });
    let newest_done = steps.iter().rposition(|(is_done, _)| *is_done).map_or(0, |i| i + 1);
    let area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, ROW, steps.len() + 1, |ui, range| {
        for i in range {
            let at = Row { is_selected: i == newest_done, ..Row::default() };
            let files;
            let row = match i.checked_sub(1).and_then(|i| steps.get(i)) {
                None => Row { icon: icons::ICON_FLAG.codepoint, text: "As opened", ..at },
                Some((is_done, step)) => {
                    files = files_of(step);
                    let (icon, icon_color, detail) = match (step.is_of_overlay_alone(), is_done) {
                        // In no file: it applies while the game plays, and is kept or dropped on the Tuning pane.
                        (true, true) => (icons::ICON_TUNE, Some(cx.theme.instance), "tried"),
                        (true, false) => (icons::ICON_TUNE, None, "tried"),
                        (false, true) => (icons::ICON_CHECK, None, &*files),
                        (false, false) => (icons::ICON_REDO, None, &*files),
                    };
                    Row { icon: icon.codepoint, icon_color, detail, text: step.label(), is_weak: !is_done, ..at }
                }
            };
            if row_ui(cx.theme, ui, &row).clicked() {
                cx.send(Action::HistoryGoTo(i));
            }
        }
    });
}

/// The file that a step changed, for undo follows the one that is worked on; how many, where it changed several.
fn files_of(step: &Step) -> String {
    let mut docs = step.docs();
    match (docs.next(), docs.count()) {
        (Some(doc), 0) => doc.stem().to_owned(),
        (Some(_), n) => counted(n + 1, "file"),
        (None, _) => String::new(),
    }
}
