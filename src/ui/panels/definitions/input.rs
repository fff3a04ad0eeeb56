//! Keys and the pointer in the Definitions table: what is picked, and what is asked for with it.
//!
//! The table has the keyboard while it has the focus: then letters begin typing in a cell rather than choosing a tool,
//! and copy and paste mean cells.

use egui::{Context, Event, EventFilter, Id, Key, Modifiers, Response, Ui};

use super::{
    model::{Begins, Session, make, state},
    picked::{Picked, Place},
};
use crate::{
    editor::{Action, Command, Selection},
    explain::Column,
    model::{DocPath, Name, counted},
    refactor::{Sheet, copy_cells, fill_down, paste_cells, reset_cells},
    ui::{Cx, takes_keys},
};

/// The table as a whole, which has the focus for all its cells.
pub(super) fn grid_id() -> Id {
    Id::unique("definitions grid")
}

/// Whether the table has the keyboard.
pub(super) fn has_focus(ctx: &Context) -> bool {
    ctx.memory(|memory| memory.has_focus(grid_id()))
}

/// What can be asked for with the picked cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    Copy,
    CopyWithHeaders,
    FillDown,
    Reset,
}

/// Do what is asked for.
pub(super) fn ask(cx: &Cx<'_>, session: &mut Session, columns: &[Column], ask: Ask) {
    if session.picked.is_empty() {
        cx.send(Action::Notice("Pick cells of the table first".into()));
        return;
    }
    match ask {
        Ask::Copy | Ask::CopyWithHeaders => {
            let block = session.block(columns);
            let n = block.iter().map(Vec::len).sum::<usize>();
            cx.send(Action::CopyText(copy_cells(state(cx), &block, ask == Ask::CopyWithHeaders)));
            cx.send(Action::Notice(format!("Copied {}", counted(n, "cell"))));
        }
        Ask::FillDown => {
            let block = session.block(columns);
            if block.len() < 2 {
                cx.send(Action::Notice("Pick a cell and those below it to fill down".into()));
            } else {
                make(cx, fill_down(state(cx), &block));
            }
        }
        Ask::Reset => make(cx, reset_cells(state(cx), &session.cells(columns))),
    }
}

/// Paste the clipboard, or report everything that does not fit.
fn paste(cx: &Cx<'_>, session: &mut Session, columns: &[Column], text: &str) {
    let (Some(table), Some(area)) = (session.table.as_ref(), session.picked.last()) else { return };
    let row = |row: usize| -> Option<(DocPath, Name)> {
        let entry = table.entry(row)?;
        Some((entry.doc.clone(), entry.name.clone()))
    };
    let sheet = Sheet { n_rows: table.rows.len(), row: &row, columns, rows: area.rows(), cols: area.cols() };
    match paste_cells(state(cx), &sheet, text) {
        Ok(plan) => make(cx, plan),
        Err(bad) => {
            let more = if bad.len() > 3 { format!("; and {} more", bad.len() - 3) } else { String::new() };
            let reasons: Vec<String> = bad.iter().take(3).map(ToString::to_string).collect();
            cx.send(Action::Notice(format!("Nothing was pasted: {}{more}", reasons.join("; "))));
        }
    }
}

/// The pointer on the cells: a press picks, a drag extends, a second click begins typing.
pub(super) fn pointer(
    cx: &Cx<'_>,
    ui: &Ui,
    response: &Response,
    session: &mut Session,
    columns: &[Column],
    place_at: impl Fn(egui::Pos2) -> Option<Place>,
) {
    // However the button is let go of, the inspector shows what was picked.
    if session.is_picking && !ui.input(|input| input.pointer.primary_down()) {
        session.is_picking = false;
        session.wants_focus = true;
        follow(cx, session);
    }
    let Some(place) = response.interact_pointer_pos().and_then(place_at) else { return };
    let modifiers = ui.input(|input| input.modifiers);
    let is_press = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed());
    if is_press {
        session.is_by_name = false;
        match session.picked.head() {
            Some(_) if modifiers.shift => session.picked.extend(place),
            Some(_) if modifiers.command => session.picked.add(place),
            _ => session.picked.set(place),
        }
        session.is_picking = true;
        session.wants_focus = true;
    } else if response.dragged_by(egui::PointerButton::Primary) && session.picked.head() != Some(place) {
        session.picked.extend(place);
        session.wanted = Some(place);
    }
    if response.secondary_clicked() {
        if !session.picked.has(place) {
            session.picked.set(place);
        }
        session.wants_focus = true;
    }
    if response.double_clicked() {
        session.begin(cx, columns, None, Begins::Selected);
    }
}

/// Let the inspector show the definitions of the picked cells, as long as they are few enough to be looked at.
fn follow(cx: &Cx<'_>, session: &Session) {
    const MOST: usize = 100;
    let Some(table) = &session.table else { return };
    let rows = session.picked.rows();
    if rows.len() > MOST {
        return;
    }
    let entries = rows.iter().filter_map(|row| table.entry(*row));
    let all: Vec<_> = entries.map(|entry| (entry.doc.clone(), entry.name.clone())).collect();
    if !all.is_empty() && cx.selection.definitions() != all {
        cx.send(Action::Select(Selection::Definitions { all }));
    }
}

/// Keys and clipboard events while the table has the focus.
pub(super) fn keys(cx: &Cx<'_>, ui: &Ui, session: &mut Session, columns: &[Column]) {
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(grid_id(), filter));
    takes_keys(ui.ctx(), grid_id());
    // An open menu has its own use for the keys.
    if !has_focus(ui.ctx()) || session.editing.is_some() || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    let n_rows = session.table.as_ref().map_or(0, |table| table.rows.len());
    if n_rows == 0 || columns.is_empty() {
        return;
    }
    let events = ui.input(|input| input.events.clone());
    let mut typed = String::new();
    for event in events {
        match event {
            Event::Copy => ask(cx, session, columns, Ask::Copy),
            Event::Cut => cx.send(Action::Notice("Cells are not cut; Delete resets them to what they inherit".into())),
            Event::Paste(text) => paste(cx, session, columns, &text),
            Event::Text(text) if !text.chars().any(char::is_control) => typed.push_str(&text),
            Event::Key { key, pressed: true, modifiers, .. } => {
                key_pressed(cx, ui, session, columns, (key, modifiers), n_rows);
            }
            _ => {}
        }
    }
    if !typed.trim().is_empty() && session.editing.is_none() {
        session.begin(cx, columns, Some(typed), Begins::AtEnd);
    }
}

fn key_pressed(
    cx: &Cx<'_>,
    ui: &Ui,
    session: &mut Session,
    columns: &[Column],
    (key, modifiers): (Key, Modifiers),
    n_rows: usize,
) {
    let last = Place { row: n_rows - 1, col: columns.len() - 1 };
    let at = session.picked.head().unwrap_or_default();
    let page = session.page.max(2) - 1;
    let to_end = modifiers.command;
    let moved = match key {
        Key::ArrowUp if to_end => Place { row: 0, ..at },
        Key::ArrowDown if to_end => Place { row: last.row, ..at },
        Key::ArrowLeft if to_end => Place { col: 0, ..at },
        Key::ArrowRight if to_end => Place { col: last.col, ..at },
        Key::ArrowUp => Place { row: at.row.saturating_sub(1), ..at },
        Key::ArrowDown => Place { row: at.row + 1, ..at },
        Key::ArrowLeft => Place { col: at.col.saturating_sub(1), ..at },
        Key::ArrowRight => Place { col: at.col + 1, ..at },
        Key::PageUp => Place { row: at.row.saturating_sub(page), ..at },
        Key::PageDown => Place { row: at.row + page, ..at },
        Key::Home if to_end => Place::default(),
        Key::End if to_end => last,
        Key::Home => Place { col: 0, ..at },
        Key::End => Place { col: last.col, ..at },
        Key::Tab if modifiers.shift => Place { col: at.col.saturating_sub(1), ..at },
        Key::Tab => Place { col: at.col + 1, ..at },
        Key::Enter if session.picked.is_empty() => at,
        Key::Enter => {
            session.begin(cx, columns, None, Begins::Selected);
            return;
        }
        // If rows are selected by name, the command applies to the definitions, not to their values.
        Key::Delete | Key::Backspace if session.is_by_name => {
            cx.command(Command::Delete);
            return;
        }
        Key::Delete | Key::Backspace => {
            ask(cx, session, columns, Ask::Reset);
            return;
        }
        Key::D if modifiers.command => {
            ask(cx, session, columns, Ask::FillDown);
            return;
        }
        Key::A if modifiers.command && !modifiers.shift => {
            session.picked = Picked::area(Place::default(), last);
            session.is_by_name = false;
            return;
        }
        Key::Escape => {
            session.is_by_name = false;
            match session.picked.head() {
                Some(head) if session.picked.len() > 1 => session.picked.set(head),
                _ => {
                    session.picked = Picked::default();
                    ui.memory_mut(|memory| memory.surrender_focus(grid_id()));
                }
            }
            return;
        }
        _ => return,
    };
    let moved = Place { row: moved.row.min(last.row), col: moved.col.min(last.col) };
    session.is_by_name = false;
    if modifiers.shift && key != Key::Tab {
        session.picked.extend(moved);
    } else {
        session.picked.set(moved);
    }
    session.wanted = Some(moved);
    follow(cx, session);
}
