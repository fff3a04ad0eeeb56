//! Over the table: which definitions, and which columns. Under it: figures about the picked cells, and what is done to
//! them.

use std::sync::Arc;

use egui::{Id, Layout, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, TextEdit, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::{
    input::{Ask, ask},
    model::{Kept, Session, Stats, all_columns, make, state},
};
use crate::{
    editor::Action,
    explain::{Column, Filter},
    model::{FieldType, Name, OpKind, Typed, Value, counted, counted_doing, read_typed, read_typed_pair},
    refactor::calculate,
    ui::{
        Cx,
        theme::ROW,
        widgets::{
            IconButton, Tip as _, checkbox_ui,
            choose::{Choice, choose_at},
            icon_text, matches, search_field,
        },
    },
};

/// Most rows of a list in a popup; the rest is found by searching.
const MOST: usize = 200;

/// The search field's text.
fn search_id() -> Id {
    Id::unique("definitions search")
}

/// Want all definitions.
pub(super) fn show_all(ui: &Ui, kept: &mut Arc<Kept>) {
    Arc::make_mut(kept).arrangement.filter = Filter::default();
    ui.data_mut(|data| data.insert_temp(search_id(), String::new()));
}

/// Room left in the bar from which on the figures stand in it rather than under the table.
const WIDE: f32 = 540.0;

/// Below this height the bar is one row that scrolls, so that there is a table under it.
const LOW: f32 = 170.0;

fn in_bar(ui: &mut Ui, is_low: bool, content: impl FnOnce(&mut Ui)) {
    if is_low {
        let area = ScrollArea::horizontal().id_salt("definitions bar").auto_shrink([false, true]);
        area.show(ui, |ui| ui.horizontal(content));
    } else {
        ui.horizontal_wrapped(content);
    }
}

/// Show what is over the table.
pub(super) fn bar_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    session: &mut Session,
    kept: &mut Arc<Kept>,
    columns: &[Column],
    n_all: usize,
) {
    session.wants_line = false;
    let mut next = kept.arrangement.clone();
    let is_low = ui.available_height() < LOW;
    in_bar(ui, is_low, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.allocate_ui_with_layout(egui::vec2(170.0, ROW + 2.0), Layout::left_to_right(egui::Align::Center), |ui| {
            let id = search_id();
            // What was kept comes first: the field starts with it.
            let shown: Option<String> = ui.data(|data| data.get_temp(id));
            if shown.is_none() {
                ui.data_mut(|data| data.insert_temp(id, next.filter.text.clone()));
            }
            next.filter.text = search_field(cx.theme, ui, id, "Search definitions");
        });
        let has = next.filter.component.clone();
        let components = cx.resolution.schema.components.keys();
        if let Some(picked) = choice_ui(cx, ui, "Has component", has.as_ref(), components) {
            next.filter.component = picked;
        }
        let is_a = next.filter.ancestor.clone();
        let parents = cx.resolution.children.keys().filter(|name| cx.resolution.def_docs.contains_key(&***name));
        if let Some(picked) = choice_ui(cx, ui, "Is a", is_a.as_ref(), parents) {
            next.filter.ancestor = picked;
        }
        let switch = |ui: &mut Ui, icon: &str, name: &str, tip: &str, is_on: &mut bool| {
            if IconButton::new(icon, name).selected(*is_on).show(cx.theme, ui).tip(tip).clicked() {
                *is_on = !*is_on;
            }
        };
        let filter = &mut next.filter;
        let own = "Only definitions that declare one of these columns themselves";
        switch(ui, icons::ICON_PERSON.codepoint, "Own values only", own, &mut filter.own_only);
        let wrong = "Only definitions with problems";
        switch(ui, icons::ICON_WARNING.codepoint, "With problems only", wrong, &mut filter.problems_only);
        let (mut is_abstract, mut is_placeable) = (filter.is_abstract == Some(true), filter.is_abstract == Some(false));
        switch(ui, icons::ICON_CATEGORY.codepoint, "Abstract only", "Only abstract definitions", &mut is_abstract);
        let was = filter.is_abstract;
        let placeable = "Only definitions that can be placed";
        switch(ui, icons::ICON_SMART_TOY.codepoint, "Placeable only", placeable, &mut is_placeable);
        filter.is_abstract = match (is_abstract, is_placeable) {
            (true, true) => was.map(|is| !is),
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let mut is_tree = !next.is_flat && next.sort.is_none();
        switch(
            ui,
            icons::ICON_ACCOUNT_TREE.codepoint,
            "As a tree",
            "Show each definition under its first parent",
            &mut is_tree,
        );
        if is_tree != (!next.is_flat && next.sort.is_none()) {
            next.is_flat = !is_tree;
            if is_tree {
                next.sort = None;
            }
        }
        columns_ui(cx, ui, kept, columns);
        if !is_low && ui.available_size_before_wrap().x > WIDE {
            figures_ui(cx, ui, session, columns, n_all);
        } else {
            session.wants_line = true;
        }
    });
    if next != kept.arrangement {
        Arc::make_mut(kept).arrangement = next;
    }
}

/// A button that shows what is chosen and opens a searchable list. Returns another choice.
fn choice_ui<'n>(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    current: Option<&Name>,
    all: impl Iterator<Item = &'n Name>,
) -> Option<Option<Name>> {
    let text = current.map_or_else(|| name.to_owned(), |current| format!("{name} {current}"));
    let arrow = icon_text(icons::ICON_EXPAND_MORE.codepoint, 13.0);
    let response = ui.add(egui::Button::new((text, arrow)).selected(current.is_some()));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
    let any = Choice { name: "".into(), detail: String::new(), text: "Any".to_owned() };
    let choices = || current.map(|_| any).into_iter().chain(all.map(Choice::new)).collect();
    let of = (current.map_or("", |current| &**current), &FieldType::Any);
    let picked = choose_at(cx, ui, &response, &format!("Search {}", name.to_lowercase()), of, choices, |_| None)?;
    Some(Some(picked).filter(|picked| !picked.is_empty()))
}

fn popup<R>(response: &Response, content: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    let popup = Popup::menu(response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup
        .show(|ui| {
            ui.set_min_width(220.0);
            ui.set_max_width(280.0);
            content(ui)
        })
        .map(|shown| shown.inner)
}

/// The column chooser.
fn columns_ui(cx: &Cx<'_>, ui: &mut Ui, kept: &mut Arc<Kept>, columns: &[Column]) {
    let response = ui.button((icon_text(icons::ICON_VIEW_COLUMN.codepoint, 15.0), "Columns"));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, "Columns"));
    popup(&response, |ui| {
        let query = search_field(cx.theme, ui, Id::unique("definitions columns"), "Search columns");
        if kept.columns.is_some() && ui.button("Back to the usual columns").clicked() {
            Arc::make_mut(kept).columns = None;
        }
        let choices = all_columns(cx);
        let fits = |name: &str| query.is_empty() || matches(&query, name);
        ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
            let mut component = None;
            let named = choices.iter().map(|choice| (choice, choice.column.to_string()));
            for (choice, name) in named.filter(|(_, name)| fits(name)).take(MOST) {
                if component != Some(&choice.column.component) {
                    component = Some(&choice.column.component);
                    ui.label(cx.theme.caption(&*choice.column.component).strong());
                }
                let mut is_on = columns.contains(&choice.column);
                let text = RichText::new(choice.column.member());
                let text = if choice.n_declared == 0 { text.color(cx.theme.text_weak) } else { text };
                let response = checkbox_ui(ui, &mut is_on, text);
                response
                    .widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, is_on, format!("Column {name}")));
                let n = choice.n_declared;
                let found = counted_doing(n, "definition", ["declares it", "declare it"]);
                let dot = if choice.doc.is_empty() { "" } else { " " };
                if response.tip(format!("{}{dot}{found}.", choice.doc)).changed() {
                    let mut chosen = columns.to_vec();
                    chosen.retain(|column| *column != choice.column);
                    if is_on {
                        chosen.push(choice.column.clone());
                        // As the vocabulary has them, so that those of a component stand together.
                        let place = |column: &Column| choices.iter().position(|choice| choice.column == *column);
                        chosen.sort_by_key(|column| place(column).unwrap_or(usize::MAX));
                    }
                    Arc::make_mut(kept).columns = Some(chosen);
                }
            }
        });
    });
}

/// The table, with the line of figures under it.
pub(super) fn status_below(
    cx: &Cx<'_>,
    ui: &mut Ui,
    session: &mut Session,
    columns: &[Column],
    n_all: usize,
    table: impl FnOnce(&mut Ui, &mut Session),
) {
    if !session.wants_line {
        table(ui, session);
        return;
    }
    let whole = ui.available_rect_before_wrap();
    let line = egui::Rect::from_min_max(egui::pos2(whole.left(), whole.bottom() - ROW - 2.0), whole.max);
    let rest = egui::Rect::from_min_max(whole.min, egui::pos2(whole.right(), line.top() - 2.0));
    crate::ui::widgets::in_rect(ui, rest, |ui| table(ui, session));
    crate::ui::widgets::in_rect(ui, line, |ui| figures_ui(cx, ui, session, columns, n_all));
    ui.advance_cursor_after_rect(whole);
}

/// Figures about what is picked, and what is done to it, at the right.
fn figures_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, columns: &[Column], n_all: usize) {
    ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let stats = session.stats(cx, columns);
        tools_ui(cx, ui, session, columns, stats);
        let shown = session.table.as_ref().map_or(n_all, |table| table.n_wanted);
        let text = cx.theme.caption(figures(&stats, shown, n_all));
        if session.wants_line {
            ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(text).truncate());
            });
        } else {
            ui.add(egui::Label::new(text).truncate());
        }
    });
}

fn figures(stats: &Stats, shown: usize, n_all: usize) -> String {
    if stats.n < 2 {
        let all = counted(n_all, "definition");
        return if shown == n_all { all } else { format!("{shown} of {all}") };
    }
    let cells = counted(stats.n, "cell");
    if stats.n_numbers == 0 {
        return cells;
    }
    let short = |x: f64| format!("{x:.6}").trim_end_matches('0').trim_end_matches('.').to_owned();
    let mean = stats.sum / stats.n_numbers as f64;
    let numbers = if stats.n_numbers == stats.n { String::new() } else { format!(", {} numbers", stats.n_numbers) };
    format!("{cells}{numbers} · min {} · mean {} · max {}", short(stats.min), short(mean), short(stats.max))
}

/// What is done to the numbers picked; right to left.
fn tools_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, columns: &[Column], stats: Stats) {
    // They stand there while nothing is picked, too: what there is to do is known before.
    let (has_cells, has_numbers) = (stats.n > 0, stats.n_calculable > 0);
    let reset = IconButton::new(icons::ICON_UNDO.codepoint, "Reset cells").enabled(has_cells).show(cx.theme, ui);
    if reset.tip("Reset the picked cells to what they inherit (Delete)").clicked() {
        ask(cx, session, columns, Ask::Reset);
        session.wants_focus = true;
    }
    let fill =
        IconButton::new(icons::ICON_VERTICAL_ALIGN_BOTTOM.codepoint, "Fill down").enabled(has_cells).show(cx.theme, ui);
    if fill.tip("Give the picked cells what the topmost has (Ctrl+D)").clicked() {
        ask(cx, session, columns, Ask::FillDown);
        session.wants_focus = true;
    }
    let (mut amount, mut factor) = (None, None);
    let enabled = ui.add_enabled_ui(has_numbers, |ui| {
        let tip = "Added to the picked numbers; (5, 0) to vectors. Enter does it";
        amount = number_ui(ui, ("+", "amount"), "Add amount", tip, &mut session.amount);
        let tip = "Multiplies the picked numbers and vectors. Enter does it";
        factor = number_ui(ui, ("×", "factor"), "Scale factor", tip, &mut session.factor);
    });
    drop(enabled);
    let entered = factor.map(|text| (text, OpKind::Scale)).or(amount.map(|text| (text, OpKind::Add)));
    if let Some((text, op)) = entered {
        match entered_as(&text, op) {
            Ok((op, operand)) => make(cx, calculate(state(cx), &session.cells(columns), op, &operand)),
            Err(why) => cx.send(Action::Notice(why)),
        }
    }
}

/// What a text entered as a factor or an amount does: `×2` and `50%` scale in either field, `+5` adds, `(5, 0)` is for
/// vectors.
fn entered_as(text: &str, op: OpKind) -> Result<(OpKind, Value), String> {
    // Without parentheses a decimal comma would be a pair.
    let typed = match read_typed(text, None) {
        Err(_) if text.contains('(') => read_typed_pair(text, None),
        typed => typed,
    };
    Ok(match typed? {
        Typed::Value(value) => (op, value),
        Typed::Operation(op, operand) => (op, operand),
    })
}

/// A field for a number that is used on Enter.
fn number_ui(ui: &mut Ui, (sign, hint): (&str, &str), name: &str, tip: &str, text: &mut String) -> Option<String> {
    let field = TextEdit::singleline(text).id(Id::unique(("definitions number", name))).desired_width(58.0);
    let response = ui.add(field.hint_text(hint));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, name));
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    response.tip(tip);
    ui.label(sign);
    (is_entered && !text.trim().is_empty()).then(|| text.clone())
}

/// What the menu of the picked cells offers.
pub(super) fn menu_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, columns: &[Column]) {
    let mut request = None;
    for (text, ask) in [
        ("Copy", Ask::Copy),
        ("Copy with names and headers", Ask::CopyWithHeaders),
        ("Fill down", Ask::FillDown),
        ("Reset to inherited", Ask::Reset),
    ] {
        if ui.button(text).clicked() {
            request = Some(ask);
        }
    }
    if ui.button("Paste").clicked() {
        // The text comes as an event, to whoever has the focus.
        ui.ctx().send_viewport_cmd(egui::ViewportCommand::RequestPaste);
        session.wants_focus = true;
        ui.close();
    }
    if !cx.selection.definitions().is_empty() {
        ui.menu_button("Definition", |ui| crate::ui::panels::inheritance::family_menu_ui(cx, ui));
    }
    let going = session.picked.head().and_then(|place| session.at(columns, place));
    let found = going.and_then(|at| {
        let cell = crate::explain::Cell::of(cx.resolution.defs.get(&at.name).map(|def| &**def), &at.column);
        cell.field()?.provenance.iter().rev().find_map(|found| found.location())
    });
    if let Some(location) = found
        && ui.button("Go to its source").clicked()
    {
        cx.send(Action::GoTo(location));
        ui.close();
    }
    if let Some(what) = request {
        ask(cx, session, columns, what);
        session.wants_focus = true;
        ui.close();
    }
}
