//! Typing into a cell where it stands: Enter and Tab take what was typed and move on, Escape takes nothing, and what
//! does not fit stays with the reason under it.

use egui::{
    Event, EventFilter, Id, Key, Modifiers, Popup, PopupCloseBehavior, Rect, RichText, TextEdit, Ui, WidgetInfo,
    text::{CCursor, CCursorRange},
    text_edit::TextEditState,
};

use super::{
    input::grid_id,
    model::{Begins, Editing, Session, state},
    picked::Place,
};
use crate::{
    editor::Action,
    explain::Column,
    model::FieldType,
    refactor::{PartChange, operated_cells, type_into},
    ui::{
        Cx,
        panels::inspector::{MOST_PART_CHANGES, part_changes_ui},
        theme::SMALL,
        widgets::{matches, number::under},
    },
};

/// How typing ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Cancel,
    /// Take it for this cell and go on to another, so many rows and columns away.
    Take(isize, isize),
    /// Take it for all picked cells.
    TakeForAll,
    /// The focus went elsewhere: take it, and let the focus be where it is.
    Left,
}

/// Show the field over its cell, and take what was typed when it is done.
pub(super) fn editor_ui(cx: &Cx<'_>, ui: &mut Ui, rect: Rect, session: &mut Session, columns: &[Column]) {
    let Some(mut editing) = session.editing.take() else { return };
    let id = Id::unique("definitions cell editor");
    let begins = editing.begins.take();
    if let Some(begins) = begins {
        // The keys that began it are not meant for the field.
        ui.input_mut(|input| input.events.retain(|event| !matches!(event, Event::Text(_) | Event::Key { .. })));
        let end = CCursor::new(editing.text.chars().count());
        let start = if begins == Begins::Selected { CCursor::new(0) } else { end };
        let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::two(start, end)));
        state.store(ui.ctx(), id);
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let mut end = None;
    if begins.is_none() && ui.memory(|memory| memory.has_focus(id)) {
        // Before the field sees them: it would only lose its focus by these.
        end = ui.input_mut(|input| {
            let mut pressed = |modifiers: Modifiers, key: Key| input.consume_key(modifiers, key);
            if pressed(Modifiers::NONE, Key::Escape) {
                Some(End::Cancel)
            } else if pressed(Modifiers::COMMAND, Key::Enter) {
                Some(End::TakeForAll)
            } else if pressed(Modifiers::SHIFT, Key::Enter) {
                Some(End::Take(-1, 0))
            } else if pressed(Modifiers::NONE, Key::Enter) {
                Some(End::Take(1, 0))
            } else if pressed(Modifiers::SHIFT, Key::Tab) {
                Some(End::Take(0, -1))
            } else if pressed(Modifiers::NONE, Key::Tab) {
                Some(End::Take(0, 1))
            } else {
                None
            }
        });
    }
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    let field = TextEdit::singleline(&mut editing.text).id(id).event_filter(filter).desired_width(rect.width());
    let response = ui.put(rect, field);
    let name = format!("Edit {}", editing.at);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, &name));
    if response.changed() {
        editing.error = None;
    }
    let part_changes = part_changes(cx, session, columns, &editing);
    if editing.error.is_none() && !part_changes.is_empty() {
        let n = session.picked.len();
        under(&response, |ui| {
            if n > 1 {
                let text = "Enter changes this cell, Ctrl+Enter all that are picked";
                ui.label(RichText::new(text).size(SMALL).color(cx.theme.text_weak));
            }
            part_changes_ui(cx, ui, &part_changes, n)
        });
    }
    let words = words(cx, &editing);
    let mut chosen = None;
    let mut is_choosing = false;
    if editing.error.is_some() || !words.is_empty() {
        let popup = Popup::from_response(&response).open(true).close_behavior(PopupCloseBehavior::IgnoreClicks);
        let popup = popup.show(|ui| {
            if let Some(error) = &editing.error {
                ui.set_max_width(320.0);
                ui.colored_label(cx.theme.error, error);
            }
            for word in &words {
                if ui.selectable_label(*word == editing.before, word).clicked() {
                    chosen = Some(word.clone());
                }
            }
        });
        // Pressed on a word, which is chosen when the button is let go of.
        is_choosing = popup.is_some_and(|popup| popup.response.contains_pointer());
    }
    if let Some(word) = chosen {
        editing.text = word;
        end = Some(End::Take(0, 0));
    } else if end.is_none() && response.lost_focus() {
        if is_choosing {
            response.request_focus();
        } else {
            end = Some(End::Left);
        }
    }
    match end {
        None => session.editing = Some(editing),
        Some(end) => finish(cx, ui, session, columns, editing, end),
    }
}

fn finish(cx: &Cx<'_>, ui: &Ui, session: &mut Session, columns: &[Column], mut editing: Editing, end: End) {
    if end != End::Left {
        session.wants_focus = true;
    }
    if end == End::Cancel {
        return;
    }
    let is_other = editing.text != editing.before;
    let cells = if end == End::TakeForAll { session.cells(columns) } else { vec![editing.at.clone()] };
    if is_other || cells.len() > 1 {
        match type_into(state(cx), &cells, &editing.text) {
            Ok(plan) if plan.plan.edits.is_empty() => {}
            Ok(plan) => cx.send(Action::Edits { label: plan.plan.label, edits: plan.plan.edits }),
            Err(bad) => {
                let Some(first) = bad.into_iter().next() else { return };
                if end == End::Left {
                    cx.send(Action::Notice(first.to_string()));
                } else {
                    editing.error = Some(first.message);
                    session.wants_focus = false;
                    session.editing = Some(editing);
                    ui.ctx().request_repaint();
                }
                return;
            }
        }
    }
    if let End::Take(down, right) = end {
        let n_rows = session.table.as_ref().map_or(1, |table| table.rows.len());
        let moved = Place {
            row: editing.place.row.saturating_add_signed(down).min(n_rows.saturating_sub(1)),
            col: editing.place.col.saturating_add_signed(right).min(columns.len().saturating_sub(1)),
        };
        session.picked.set(moved);
        session.wanted = Some(moved);
    }
}

/// What an operation that is being typed makes of the picked cells; nothing for a value.
fn part_changes(cx: &Cx<'_>, session: &Session, columns: &[Column], editing: &Editing) -> Vec<PartChange> {
    if editing.text == editing.before
        || operated_cells(state(cx), std::slice::from_ref(&editing.at), &editing.text).is_empty()
    {
        return Vec::new();
    }
    operated_cells(state(cx), &session.first_cells(columns, MOST_PART_CHANGES), &editing.text)
}

/// Words to choose from, where a cell takes one of a closed set.
fn words(cx: &Cx<'_>, editing: &Editing) -> Vec<String> {
    const MOST: usize = 10;
    let schema = &cx.resolution.schema;
    let spec = editing.at.column.spec(schema);
    // Nothing typed yet: all there is.
    let query = if editing.text == editing.before { "" } else { editing.text.as_str() };
    fn some<'n>(all: impl Iterator<Item = &'n crate::model::Name>, query: &str) -> Vec<String> {
        all.filter(|word| matches(query, word)).take(MOST).map(ToString::to_string).collect()
    }
    match &spec.ty {
        FieldType::Bool => vec!["true".to_owned(), "false".to_owned()],
        FieldType::Enum(name) => some(schema.enums.get(name).into_iter().flatten(), query),
        FieldType::Def => some(cx.resolution.def_docs.keys(), query),
        FieldType::Machine => some(cx.resolution.machines.keys(), query),
        FieldType::Tileset => some(cx.resolution.tilesets.keys(), query),
        FieldType::Level => some(cx.resolution.levels.keys(), query),
        _ => Vec::new(),
    }
}

/// Give the table back the keyboard when something else is done.
pub(super) fn focus_grid(ui: &Ui, session: &mut Session) {
    if std::mem::take(&mut session.wants_focus) && session.editing.is_none() {
        ui.memory_mut(|memory| memory.request_focus(grid_id()));
    }
}
