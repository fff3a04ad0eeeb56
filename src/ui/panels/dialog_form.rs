//! The parts that dialogs are made of: title, text field, list and answers.

use egui::{Align, Id, Key, Layout, RichText, TextEdit, Ui};

use crate::{
    editor::{Action, DialogAnswer},
    ui::{
        Cx,
        theme::TITLE,
        widgets::{has_keyboard, keyed, number::refused},
    },
};

/// Around what a dialog says, in points.
pub(super) const MARGIN: f32 = 16.0;

/// Room for a list in a dialog that has so much else, in points: less in a low window.
pub(super) fn list_height(ui: &Ui, rest: f32, most: f32) -> f32 {
    (ui.ctx().content_rect().height() - rest - 4.0 * MARGIN).clamp(66.0, most)
}

/// Under what the room that a dialog's content has taken so far is kept.
fn room_id() -> Id {
    Id::unique("dialog room")
}

/// Forget that; called when a dialog closes.
pub(super) fn forget(data: &mut egui::util::IdTypeMap) {
    data.remove::<f32>(room_id());
}

/// What a dialog is about, at its top.
pub(super) fn title(cx: &Cx<'_>, ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(cx.theme.text_strong).strong().size(TITLE));
    ui.add_space(8.0);
}

/// The row of answers at the bottom, the main one rightmost. They stay themselves whatever comes or goes above: a click
/// may end the typing of what is shown there.
pub(super) fn answers<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    // They do not move up either when there is less above them.
    let above = ui.min_rect().height();
    let most = ui.data_mut(|data| {
        let most: &mut f32 = data.get_temp_mut_or_default(room_id());
        *most = most.max(above);
        *most
    });
    // In a window that is lower by now, no more than there is.
    let most = most.min(ui.ctx().content_rect().height() - 8.0 * MARGIN).max(above);
    ui.add_space(12.0 + most - above);
    // A row of its own, or the layout would take all the height there is.
    keyed(ui, "answers", |ui| ui.horizontal(|ui| ui.with_layout(Layout::right_to_left(Align::Center), add).inner).inner)
}

/// The answer that does what the dialog is for. Whether it is pressed.
pub(super) fn main_button(cx: &Cx<'_>, ui: &mut Ui, text: &str, is_enabled: bool) -> bool {
    let button = egui::Button::new(RichText::new(text).color(cx.theme.on_accent)).fill(cx.theme.accent);
    let response = ui.add_enabled(is_enabled, button);
    ring_ui(cx, ui, &response);
    response.clicked()
}

/// A line around an answer that has the keyboard: its own colors leave no room to tell.
fn ring_ui(cx: &Cx<'_>, ui: &Ui, response: &egui::Response) {
    if has_keyboard(response) {
        let around = response.rect.expand(3.0);
        ui.painter().rect_stroke(around, 5.0, egui::Stroke::new(1.5, cx.theme.accent), egui::StrokeKind::Inside);
    }
}

/// The answer that does nothing.
pub(super) fn cancel_button(cx: &Cx<'_>, ui: &mut Ui) {
    let response = ui.button("Cancel");
    ring_ui(cx, ui, &response);
    if response.clicked() {
        cx.send(Action::Dialog(DialogAnswer::Cancel));
    }
}

/// Whether Enter confirms a dialog: it was pressed where nothing has the keyboard, or in a field, whose text has been
/// taken over by now. To be called before the fields are shown.
pub(super) fn is_entered(ui: &Ui) -> bool {
    let ctx = ui.ctx();
    // Not in the search of a list that is open over the dialog.
    let is_here = |id| ctx.text_edit_focused() && ctx.read_response(id).is_some_and(|it| it.layer_id == ui.layer_id());
    let is_field = ctx.memory(egui::Memory::focused).is_none_or(is_here);
    if is_field && ui.input(|input| input.key_pressed(Key::Enter)) {
        enter_next(ui);
        return false;
    }
    let now = ctx.cumulative_pass_nr();
    ctx.data(|data| data.get_temp::<u64>(entered_id())) == Some(now)
}

/// Let Enter confirm in the next pass: what the fields say is looked at first.
pub(super) fn enter_next(ui: &Ui) {
    let next = ui.ctx().cumulative_pass_nr() + 1;
    ui.data_mut(|data| data.insert_temp(entered_id(), next));
    ui.ctx().request_repaint();
}

fn entered_id() -> Id {
    Id::unique("dialog entered")
}

/// Whether Enter confirms the request, which is the same as in the last pass. A request that has changed is planned
/// first; a number that cannot be read is reported.
pub(super) fn confirms(cx: &Cx<'_>, ui: &Ui, is_entered: bool, is_changed: bool) -> bool {
    if let Some(why) = refused(ui) {
        cx.send(Action::Notice(why));
        return false;
    }
    if is_entered && is_changed {
        enter_next(ui);
    }
    is_entered && !is_changed
}

/// A text field whose content lives in the window's memory.
pub(super) fn field(ui: &mut Ui, id: &str, initial: &str, hint: &str) -> String {
    let id = field_id(id);
    let known = ui.data_mut(|data| data.get_temp::<String>(id));
    let is_fresh = known.is_none();
    let mut text = known.unwrap_or_else(|| initial.to_owned());
    let edit = TextEdit::singleline(&mut text).id(id.with("edit")).hint_text(hint).desired_width(f32::INFINITY);
    let mut output = edit.show(ui);
    let response = output.response.response;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, hint));
    if is_fresh {
        response.request_focus();
        // What is there is most often replaced.
        let all =
            egui::text::CCursorRange::two(egui::text::CCursor::new(0), egui::text::CCursor::new(text.chars().count()));
        output.state.cursor.set_char_range(Some(all));
        output.state.store(ui.ctx(), id.with("edit"));
    }
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    text
}

/// Where the content of a text field is in the window's memory.
pub(super) fn field_id(id: &str) -> Id {
    Id::unique("dialog field").with(id)
}

/// A picker's text field.
pub(super) fn pick_field(ui: &mut Ui, hint: &str) -> String {
    field(ui, "pick", "", hint)
}
