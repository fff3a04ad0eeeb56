//! The menu bar: every command of [`Command::all`] by its menu, recent projects, and the window's title.

use egui::{Button, MenuBar, ScrollArea, Ui};
use egui_material_icons::icons;

use super::overlays::overlays_menu_ui;
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Command},
    ui::{
        CommandLook as _, CommandState as _, Cx, Menu, ShellCx,
        widgets::{at_right, icon_text},
    },
};

/// Show the menu bar.
pub fn menu_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.title(), |ui| {
                ui.set_min_width(220.0);
                // The longest fits into a window 700 points high.
                ui.spacing_mut().item_spacing.y = 1.0;
                let height = ui.ctx().content_rect().bottom() - ui.cursor().top() - 12.0;
                // By itself it would be as high as a window is at first.
                ui.set_max_height(height.max(66.0));
                ScrollArea::vertical().max_height(height.max(66.0)).show(ui, |ui| {
                    let mut shown = Vec::new();
                    for command in Command::all().filter(|command| command.spec().menu == menu) {
                        if let Some(submenu) = Submenu::of(command) {
                            if !shown.contains(&submenu) {
                                submenu.show(cx, ui);
                                shown.push(submenu);
                            }
                            continue;
                        }
                        item_ui(cx, ui, command);
                        if command == Command::OpenProject {
                            recent_ui(cx, ui);
                        }
                    }
                });
            });
        }
        at_right(ui, |ui| {
            let keys = Command::CommandPalette.keys_text(cx, ui.ctx());
            let find =
                Button::new((icon_text(icons::ICON_SEARCH.codepoint, 14.0), keys.unwrap_or_default())).frame(false);
            let response = ui.add(find).tip(Command::CommandPalette.spec().tip);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Command palette"));
            if response.clicked() {
                cx.command(Command::CommandPalette);
            }
            ui.add(egui::Label::new(cx.theme.caption(title(cx))).truncate());
        });
    });
}

/// `Goblin Keep • courtyard*`: the project and the level shown, with a star at the level when it is not saved, at the
/// project when only something else is.
#[must_use]
pub fn title(cx: &Cx<'_>) -> String {
    let project = cx.project.file().map_or("no project", |file| file.name.as_str());
    let star = |is_modified: bool| if is_modified { "*" } else { "" };
    let level = cx.view.level.as_ref();
    let is_level = level.is_some_and(|doc| cx.is_modified(doc));
    let level = level.map(|doc| format!(" • {}{}", doc.stem(), star(is_level))).unwrap_or_default();
    format!("{project}{}{level}", star(cx.has_unsaved() && !is_level))
}

pub(super) fn item_ui(cx: &Cx<'_>, ui: &mut Ui, command: Command) {
    let spec = command.spec();
    if spec.starts_group {
        ui.separator();
    }
    let refusal = command.refusal(cx);
    let icon = match command.is_on(cx) {
        Some(true) if !matches!(command, Command::Tool(_)) => icons::ICON_CHECK.codepoint,
        _ => spec.icon,
    };
    let text = if command.asks(cx) { format!("{}…", spec.text) } else { spec.text.to_owned() };
    let mut button = Button::new((icon_text(icon, 15.0), text));
    if let Some(keys) = command.keys_text(cx, ui.ctx()) {
        button = button.shortcut_text(keys);
    }
    let response = ui.add_enabled(refusal.is_none(), button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, refusal.is_none(), spec.text));
    let response = response
        .tip(command.means(cx).unwrap_or_else(|| spec.tip.to_owned()))
        .on_disabled_hover_text(refusal.unwrap_or_default());
    if response.clicked() {
        cx.command(command);
        ui.close();
    }
}

/// Commands that are in a menu of their own: with them their menu would be higher than many windows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Submenu {
    Panes,
    Overlays,
    Align,
}

impl Submenu {
    fn of(command: Command) -> Option<Self> {
        match command {
            Command::Show(_) => Some(Self::Panes),
            Command::Overlay(_) | Command::HideOverlays => Some(Self::Overlays),
            Command::Align(_) => Some(Self::Align),
            _ => None,
        }
    }

    fn show(self, cx: &Cx<'_>, ui: &mut Ui) {
        let (icon, title, width) = match self {
            Self::Panes => (icons::ICON_VIEW_QUILT, "Panes", 160.0),
            Self::Align => (icons::ICON_ALIGN_HORIZONTAL_LEFT, "Align", 200.0),
            Self::Overlays => return overlays_menu_ui(cx, ui),
        };
        ui.menu_button((icon_text(icon.codepoint, 15.0), title), |ui| {
            ui.set_min_width(width);
            ui.spacing_mut().item_spacing.y = 1.0;
            for command in Command::all().filter(|command| Self::of(*command) == Some(self)) {
                item_ui(cx, ui, command);
            }
        });
    }
}

fn recent_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    ui.add_enabled_ui(!cx.recent.is_empty(), |ui| {
        ui.menu_button((icon_text(icons::ICON_HISTORY.codepoint, 15.0), "Recent projects"), |ui| {
            for root in cx.recent {
                if ui.button(root).clicked() {
                    cx.send(Action::OpenProject(root.as_str().into()));
                    ui.close();
                }
            }
        });
    });
}
