//! The tabs of open levels, and what can be done with a level at its tab or row.

use egui::{Id, PointerButton, Rect, Response, Role, ScrollArea, Ui, WidgetInfo, scroll_area::ScrollBarVisibility};
use egui_material_icons::icons;

use super::inheritance::commands_ui;
use crate::{
    editor::{Action, Command, Selection},
    model::DocPath,
    ui::{
        Cx,
        widgets::{ICON_BUTTON, IconButton, Tip as _, elided},
    },
};

/// The most room for a level's name in its tab, in points.
const TAB_NAME: f32 = 240.0;

/// The tabs of open levels, which scroll where they have no room; the one that came to be shown is in sight.
pub(super) fn tabs_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if cx.view.open_levels.is_empty() {
        return;
    }
    let shown = cx.view.level.clone();
    let id = Id::unique("level tab shown");
    let was = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), shown.clone()));
    let is_new = was != shown;
    let area = ScrollArea::horizontal().scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    area.show(ui, |ui| {
        ui.horizontal(|ui| {
            // As high as the button that one of them has, or the tabs behind that one would stand lower.
            ui.set_min_height(ICON_BUTTON.y);
            ui.spacing_mut().item_spacing.x = 2.0;
            for doc in &cx.view.open_levels {
                let tab = tab_ui(cx, ui, doc);
                if is_new && shown.as_ref() == Some(doc) {
                    ui.scroll_to_rect(tab, None);
                }
            }
        });
    });
}

/// A level's tab, with a button to close it where it is shown. Returns where it is.
fn tab_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath) -> Rect {
    let is_shown = cx.view.level.as_ref() == Some(doc);
    let text = format!("{}{}", doc.stem(), if cx.is_modified(doc) { "*" } else { "" });
    let ink = if is_shown { cx.theme.text_strong } else { cx.theme.text };
    let name = elided(ui, &text, TAB_NAME, ink);
    let response = ui.selectable_label(is_shown, name);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, &text));
    let response = response.tip(doc.as_str());
    if response.clicked() {
        cx.send(Action::OpenLevel(doc.clone()));
    }
    level_menu_ui(cx, &response, doc);
    let mut rect = response.rect;
    let mut is_closed = response.clicked_by(PointerButton::Middle);
    if is_shown {
        let close = format!("Close {}", doc.stem());
        let button = IconButton::new(icons::ICON_CLOSE.codepoint, &close).show(cx.theme, ui);
        rect |= button.rect;
        is_closed |= button.clicked();
    }
    if is_closed {
        cx.send(Action::CloseLevel(doc.clone()));
    }
    rect
}

/// What can be done with a level, at its row or tab.
pub(super) fn level_menu_ui(cx: &Cx<'_>, response: &Response, doc: &DocPath) {
    if response.secondary_clicked() {
        cx.send(Action::Select(Selection::Document(doc.clone())));
    }
    response.context_menu(|ui| {
        let is_shown = cx.view.level.as_ref() == Some(doc);
        if !is_shown && ui.button("Open level").clicked() {
            cx.send(Action::OpenLevel(doc.clone()));
            ui.close();
        }
        if cx.view.open_levels.contains(doc) && ui.button("Close level").clicked() {
            cx.send(Action::CloseLevel(doc.clone()));
            ui.close();
        }
        ui.separator();
        commands_ui(cx, ui, &[Command::Rename, Command::Duplicate, Command::DeleteLevel]);
    });
}
