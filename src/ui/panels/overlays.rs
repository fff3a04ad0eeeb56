//! The overlays of a level in one pop-up, with what their colors mean, and as a submenu of the menu Preview.

use egui::{Button, Color32, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use super::menu::item_ui;
use crate::{
    editor::{Command, Overlay},
    ui::{
        CommandLook as _, CommandState as _, Cx,
        canvas::insight::legend,
        theme::{BODY, ROW, SMALL},
        widgets::{Tip as _, command_button, icon_text, section},
    },
};

/// The overlays that levels have whether they play or not.
const OF_LEVELS: [Command; 5] = [
    Command::ToggleGrid,
    Command::ToggleLinks,
    Command::ToggleColliders,
    Command::TogglePaths,
    Command::ToggleStateLabels,
];

/// A button that opens the pop-up.
pub(super) fn overlays_button_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let is_on = cx.view.insight.on.has_any();
    let color = if is_on { cx.theme.accent } else { cx.theme.text };
    let button = Button::new((icon_text(icons::ICON_LAYERS.codepoint, 15.0).color(color), "Overlays"));
    let response = ui.add(button.min_size(vec2(0.0, ROW))).tip("What is drawn over the level to understand it");
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, "Overlays"));
    Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| list_ui(cx, ui));
}

fn list_ui(cx: &Cx<'_>, ui: &mut Ui) {
    ui.set_width(296.0);
    ui.spacing_mut().item_spacing.y = 1.0;
    let height = (ui.ctx().content_rect().height() - 96.0).max(120.0);
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for command in OF_LEVELS {
            row_ui(cx, ui, command);
        }
        section(cx.theme, ui, "While it plays");
        for overlay in Overlay::ALL {
            row_ui(cx, ui, Command::Overlay(overlay));
            if cx.view.insight.on.has(overlay) {
                legend_ui(cx, ui, &legend(cx.theme, overlay));
            }
        }
        ui.separator();
        row_ui(cx, ui, Command::HideOverlays);
    });
}

/// A switch, which leaves the pop-up open.
fn row_ui(cx: &Cx<'_>, ui: &mut Ui, command: Command) -> Response {
    let spec = command.spec();
    let is_on = command.is_on(cx).unwrap_or(false);
    let refusal = command.refusal(cx);
    let icon = if is_on { icons::ICON_CHECK.codepoint } else { spec.icon };
    let color = if is_on { cx.theme.accent } else { cx.theme.text };
    let text = RichText::new(spec.text).size(BODY).color(color);
    let mut button = Button::new((icon_text(icon, 15.0).color(color), text)).frame_when_inactive(false);
    if let Some(keys) = command.keys_text(cx, ui.ctx()) {
        button = button.shortcut_text(keys);
    }
    let response = ui.add_enabled(refusal.is_none(), button.min_size(vec2(ui.available_width(), 0.0)));
    response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, refusal.is_none(), is_on, spec.text));
    let response = response.tip(spec.tip).on_disabled_hover_text(refusal.unwrap_or_default());
    if response.clicked() {
        cx.command(command);
    }
    response
}

/// What the colors of an overlay mean.
fn legend_ui(cx: &Cx<'_>, ui: &mut Ui, parts: &[(Color32, &'static str)]) {
    if parts.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 1.0);
        ui.add_space(24.0);
        for (color, text) in parts {
            let (rect, _) = ui.allocate_exact_size(vec2(9.0, SMALL), egui::Sense::hover());
            ui.painter().rect_filled(rect.shrink2(vec2(0.5, 1.5)), 1.0, *color);
            ui.label(RichText::new(*text).size(SMALL).color(cx.theme.text_weak));
            ui.add_space(4.0);
        }
    });
}

/// The buttons of the Preview pane; where there is little room, one for all overlays.
pub(super) fn overlay_buttons_ui(cx: &Cx<'_>, ui: &mut Ui, is_brief: bool) {
    overlays_button_ui(cx, ui);
    let each = OF_LEVELS.into_iter().chain(Overlay::ALL.map(Command::Overlay)).filter(|_| !is_brief);
    for command in each.chain([Command::HideOverlays, Command::WhyStill, Command::FreezeOnContact]) {
        command_button(cx, ui, command);
    }
}

/// The overlays of a running level, in a menu of their own.
pub(super) fn overlays_menu_ui(cx: &Cx<'_>, ui: &mut Ui) {
    ui.menu_button((icon_text(icons::ICON_LAYERS.codepoint, 15.0), "Overlays"), |ui| {
        ui.set_min_width(240.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        for overlay in Overlay::ALL {
            item_ui(cx, ui, Command::Overlay(overlay));
        }
        ui.separator();
        item_ui(cx, ui, Command::HideOverlays);
    });
}
