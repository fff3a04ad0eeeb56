//! The list of live changes in the Preview pane: which are kept, which dropped.

use std::collections::HashSet;

use egui::{Id, ScrollArea, Ui};

use crate::{
    editor::{Action, Command, LiveChange, PreviewAction},
    model::counted,
    ui::{
        Cx,
        theme::ROW,
        widgets::{Tip as _, checkbox_ui, command_button, section},
    },
};

/// What is not picked: until a user takes a change off the list, it is to be kept with the others.
type Unpicked = HashSet<String>;

/// Most and fewest rows that are seen at once, and the share of the pane's height that they may take.
const ROWS: f32 = 6.0;
const LEAST_ROWS: f32 = 3.0;
const SHARE: f32 = 0.4;

/// Show what is live, if anything is, in a pane with so much room, in points.
pub(super) fn live_ui(cx: &Cx<'_>, ui: &mut Ui, room: f32) {
    let live = cx.live_changes();
    if live.is_empty() {
        return;
    }
    let id = Id::unique("live changes left out");
    let mut unpicked: Unpicked = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let n_before = unpicked.len();
    unpicked.retain(|key| live.iter().any(|change| key_of(change) == *key));
    let mut is_changed = unpicked.len() != n_before;
    section(cx.theme, ui, "Live changes");
    let picked = |unpicked: &Unpicked| -> Vec<LiveChange> {
        live.iter().filter(|change| !unpicked.contains(&key_of(change))).cloned().collect()
    };
    ui.horizontal_wrapped(|ui| {
        let chosen = picked(&unpicked);
        let send = |action: PreviewAction| cx.send(Action::Preview(action));
        let keep = ui.add_enabled(!chosen.is_empty(), egui::Button::new("Keep selected"));
        if keep.tip("Make these edits of the project, as one step").clicked() {
            send(PreviewAction::KeepLive(chosen.clone()));
        }
        let drop = ui.add_enabled(!chosen.is_empty(), egui::Button::new("Drop selected"));
        if drop.tip("Take these back, as one step").clicked() {
            send(PreviewAction::DropLive(chosen.clone()));
        }
        ui.label(cx.theme.caption(format!("{} of {}", chosen.len(), counted(live.len(), "change"))));
        ui.separator();
        command_button(cx, ui, Command::KeepLive);
        command_button(cx, ui, Command::DropLive);
    });
    let height = (room * SHARE).clamp(ROW * LEAST_ROWS, ROW * ROWS);
    let area = ScrollArea::vertical().id_salt("live changes").max_height(height).auto_shrink([false, true]);
    area.show_rows(ui, ROW, live.len(), |ui, range| {
        for change in &live[range] {
            is_changed |= row_ui(cx, ui, change, &mut unpicked);
        }
    });
    if is_changed {
        ui.data_mut(|data| data.insert_temp(id, unpicked));
    }
}

/// One change: whether it is picked, and what it is. Returns whether it was picked or left out.
fn row_ui(cx: &Cx<'_>, ui: &mut Ui, change: &LiveChange, unpicked: &mut Unpicked) -> bool {
    let key = key_of(change);
    ui.horizontal(|ui| {
        let mut is_picked = !unpicked.contains(&key);
        let check = checkbox_ui(ui, &mut is_picked, "");
        check.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_picked, format!("Keep {}", change.text))
        });
        let response = ui.selectable_label(false, &change.text).tip(format!("Go to it, in {}", change.doc));
        if response.clicked()
            && let Some(location) = change.location(cx.project)
        {
            cx.send(Action::GoTo(location));
        }
        if !check.changed() {
            return false;
        }
        if is_picked { unpicked.remove(&key) } else { unpicked.insert(key.clone()) }
    })
    .inner
}

/// What tells a change apart from the others while its value goes on changing.
fn key_of(change: &LiveChange) -> String {
    format!("{} {} {:?}", change.doc, change.at, change.element)
}
