//! Texts of placed entities on the canvas of a level: drawn below the entity, and edited where they stand.
//!
//! Invariant: while one is edited its editor is drawn in every frame, or it is edited no more.

use egui::{
    Align2, CornerRadius, CursorIcon, FontId, Id, Key, KeyboardShortcut, Modifiers, Painter, Pos2, Rect, Response,
    Role, Sense, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::fields::lone_look;
use crate::{
    edit::Owner,
    editor::{Action, Selection, TextSpot, ViewChange},
    explain::{CanvasField, Drawn},
    model::shortened,
    tools::{ToolKind, text_edits},
    ui::{
        Cx,
        theme::{BODY, SMALL},
        widgets::{Tip as _, value::select_all},
    },
};

/// A text is cut off after so many characters.
const MOST_TEXT: usize = 600;
/// Texts are as wide as this at most, in points.
const TEXT_WIDTH: f32 = 240.0;
/// The editor of a short text is as wide as this.
const LEAST_EDITOR: f32 = 120.0;

/// The text that could be edited on the canvas now: the first one of the entity that is selected alone.
#[must_use]
pub fn text_of(cx: &Cx<'_>) -> Option<TextSpot> {
    let (doc, level) = cx.level().filter(|_| cx.preview.is_none())?;
    let (_, id, look) = lone_look(cx, doc, level)?;
    TextSpot::first(doc, level, id, &look.fields)
}

/// Have a text be edited where it stands.
pub fn edit_text(cx: &Cx<'_>, text: TextSpot) {
    cx.send(Action::View(ViewChange::EditText(Some(text))));
}

/// Text of several lines on a ground of its own, its top center at a point; as large at every zoom.
pub(super) fn text_ui(cx: &Cx<'_>, painter: &Painter, top: Pos2, text: &str, is_selected: bool) -> Rect {
    let color = if is_selected { cx.theme.text_strong } else { cx.theme.text };
    let text = shortened(text, MOST_TEXT);
    let galley = painter.layout(text, FontId::proportional(SMALL), color, TEXT_WIDTH);
    let rect = Align2::CENTER_TOP.anchor_size(top, galley.size() + vec2(8.0, 4.0));
    if rect.intersects(painter.clip_rect()) {
        painter.rect_filled(rect, CornerRadius::same(3), cx.theme.panel.gamma_multiply(0.9));
        painter.rect_stroke(rect, CornerRadius::same(3), Stroke::new(1.0, cx.theme.line), StrokeKind::Inside);
        painter.galley(rect.min + vec2(4.0, 2.0), galley, color);
    }
    rect
}

/// Clicks on a text that is drawn: they select its entity, a double click edits it. Drags go to the tool in hand.
pub(super) fn clicks_ui(cx: &Cx<'_>, ui: &Ui, clip: Rect, rect: Rect, spot: &TextSpot) {
    let area = rect.intersect(clip);
    if !area.is_positive() || cx.view.tool != ToolKind::Select {
        return;
    }
    let TextSpot { doc, id, field } = spot;
    // Pointed at and pressed, but Tab does not go through the texts of a level.
    let response = ui.interact(area, Id::unique(("text in the level", doc.as_str(), id, field)), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{field} of {id} in the level")));
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Text);
    }
    if response.double_clicked() {
        edit_text(cx, spot.clone());
    } else if response.clicked() {
        let held = ui.input(|input| input.modifiers);
        let mut ids = if held.shift || held.command { cx.selection.ids_in(doc).to_vec() } else { Vec::new() };
        let before = ids.len();
        ids.retain(|it| it != id);
        if ids.len() == before {
            ids.push(id.clone());
        }
        cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids }));
    }
    response.context_menu(|ui| {
        if ui.button("Edit text").clicked() {
            edit_text(cx, spot.clone());
            ui.close();
        }
    });
    response.tip(format!("Double click to edit {field}"));
}

/// The editor of a text, its top center at a point. Returns what it covers.
pub(super) fn editor_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    clip: Rect,
    top: Pos2,
    (spot, owner, field): (&TextSpot, &Owner, &CanvasField),
) -> Rect {
    let Drawn::Text(text) = &field.drawn else { return Rect::from_min_size(top, egui::Vec2::ZERO) };
    let id = Id::unique(("text edited in the level", spot.doc.as_str(), &spot.id, &spot.field));
    let kept: Option<String> = ui.data(|data| data.get_temp(id));
    let is_new = kept.is_none();
    let mut typed = kept.unwrap_or_else(|| text.clone());
    let font = FontId::proportional(BODY);
    // Room for the next letter, too.
    let galley = ui.painter().layout(format!("{typed}m"), font.clone(), cx.theme.text, TEXT_WIDTH);
    let width = galley.size().x.clamp(LEAST_EDITOR, TEXT_WIDTH) + 12.0;
    let mut child = ui.new_child(UiBuilder::new().max_rect(Rect::from_min_size(
        (top - vec2(width / 2.0, 0.0)).max(clip.min),
        vec2(width, galley.size().y + 8.0),
    )));
    child.set_clip_rect(clip);
    let multiline = TextEdit::multiline(&mut typed)
        .id(id.with("edit"))
        .font(font)
        .desired_width(width)
        .desired_rows(1)
        // Text of one line has no key for another.
        .return_key(field.has_lines.then_some(KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter)));
    let response: Response = child.add(multiline);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, format!("{} in the level", spot.field)));
    if is_new {
        response.request_focus();
        select_all(&child, response.id, &typed);
    }
    let edge = Stroke::new(1.5, cx.theme.accent);
    child.painter().rect_stroke(response.rect, CornerRadius::same(3), edge, StrokeKind::Outside);
    let keys = if field.has_lines { "Enter is done, Shift+Enter begins a line" } else { "Enter is done" };
    let rect = response.rect;
    let has_keyboard = ui.memory(|memory| memory.has_focus(response.id));
    let is_done = !is_new && has_keyboard && ui.input(|input| input.key_pressed(Key::Enter) && !input.modifiers.shift);
    if !is_done && (is_new || has_keyboard) {
        ui.data_mut(|data| data.insert_temp(id, typed));
        response.tip(format!("{keys}, Esc drops what was typed"));
        return rect;
    }
    response.surrender_focus();
    ui.data_mut(|data| data.remove::<String>(id));
    let is_dropped = !is_done && ui.input(|input| input.key_pressed(Key::Escape));
    if !is_dropped && typed != *text {
        let edits = text_edits(cx.project, owner, field, &typed);
        cx.send(Action::Edits { label: format!("Set {}", spot.field), edits });
    }
    cx.send(Action::View(ViewChange::EditText(None)));
    rect
}
