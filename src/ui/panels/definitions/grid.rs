//! The table itself: a column of names that stays, and the cells that are seen. The header over them is `header`'s.
//!
//! Invariant: what is laid out and painted depends on what is visible, not on how many definitions there are.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, CursorIcon, FontId, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::{
    bar, editor,
    geometry::{HEADER, PAD, Place2D},
    header::header_ui,
    input::{self, grid_id},
    model::{Drag, Kept, Marks, Session, path_of},
    picked::Place,
};
use crate::{
    defs::Source,
    edit::Phase,
    editor::{Action, Selection},
    explain::{Cell, Column, Row, Standing, resolved_of},
    model::{FieldSpec, OpKind, Severity, Value, parse_color},
    refactor::{State, calculate, cell_text},
    ui::{
        Cx,
        panels::level::carry_ui,
        theme::{BODY, GRID, ROW, SMALL},
        widgets::{Tip as _, elided, has_keyboard, icon_font, in_rect, squiggle},
    },
};

/// Show the table.
pub(super) fn grid_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, kept: &mut Arc<Kept>, columns: &[Column]) {
    let Some(table) = session.table.clone() else { return };
    let widths: Vec<f32> = columns.iter().map(|column| width(cx, ui, kept, column)).collect();
    let mut edges = vec![0.0];
    edges.extend(widths.iter().scan(0.0, |x, width| {
        *x += width;
        Some(*x)
    }));
    let most = (ui.available_width() * 0.6).max(80.0);
    let name_width = kept.name_width.unwrap_or(180.0).min(most);
    let n_rows = table.rows.len();
    let content =
        vec2(name_width + edges.last().copied().unwrap_or_default() + GRID, HEADER + n_rows as f32 * ROW + GRID);
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    let area = ScrollArea::both().id_salt("definitions grid").auto_shrink(false);
    area.show_viewport(ui, |ui, viewport| {
        let origin = ui.max_rect().min;
        ui.set_min_size(content);
        let view = viewport.translate(origin.to_vec2());
        let place = Place2D { origin, view, name_width, edges, n_rows };
        session.page = place.rows_seen().len();
        cells_ui(cx, ui, session, columns, &place);
        names_ui(cx, ui, session, kept, &table.rows, &place);
        header_ui(cx, ui, kept, columns, &widths, &place);
        if let Some(wanted) = session.wanted.take() {
            let cell = place.cell(wanted);
            // Header and names lie over what is scrolled under them.
            ui.scroll_to_rect(Rect::from_min_max(cell.min - vec2(name_width, HEADER), cell.max), None);
        }
    });
    editor::focus_grid(ui, session);
}

/// The usual width of a column: its header's, as far as numbers need it.
fn width(cx: &Cx<'_>, ui: &Ui, kept: &Kept, column: &Column) -> f32 {
    if let Some(width) = kept.widths.get(&column.to_string()) {
        return *width;
    }
    let text =
        |text: String, size: f32| ui.painter().layout_no_wrap(text, FontId::proportional(size), cx.theme.text).size().x;
    let component = text(column.component.to_string(), SMALL);
    let spec = column.spec(&cx.resolution.schema);
    let room = if spec.ty.is_number() { 76.0 } else { 96.0 };
    (text(column.member(), BODY) + 26.0).max(component + 2.0 * PAD).clamp(room, 220.0)
}

fn cells_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, columns: &[Column], place: &Place2D) {
    let clip = place.cells();
    in_rect(ui, clip, |ui| {
        let grid = ui.interact(clip, grid_id(), Sense::click_and_drag());
        grid.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Definitions table"));
        input::pointer(cx, ui, &grid, session, columns, |pos| place.at(pos));
        input::keys(cx, ui, session, columns);
        grid.context_menu(|ui| bar::menu_ui(cx, ui, session, columns));
        let is_focused = has_keyboard(&grid) || session.editing.is_some();
        let Some(table) = session.table.clone() else { return };
        let hovered =
            ui.input(|input| input.pointer.hover_pos()).filter(|pos| clip.contains(*pos) && grid.contains_pointer());
        let specs: Vec<_> = columns.iter().map(|column| column.spec(&cx.resolution.schema)).collect();
        let marks = Marks::now(cx);
        for row in place.rows_seen() {
            let Some(entry) = table.entry(row) else { continue };
            let resolved = resolved_of(cx.resolution, entry);
            let line = Rect::from_min_size(pos2(clip.left(), place.row_y(row)), vec2(clip.width(), ROW));
            if hovered.is_some_and(|pos| line.contains(pos)) {
                ui.painter().rect_filled(line, CornerRadius::ZERO, cx.theme.widget.gamma_multiply(0.5));
            }
            for col in place.cols_seen() {
                let at = Place { row, col };
                let rect = place.cell(at);
                let cell = Cell::of(resolved, &columns[col]);
                let is_picked = session.picked.has(at);
                if is_picked {
                    let ground = if is_focused { cx.theme.accent_ground } else { cx.theme.widget };
                    ui.painter().rect_filled(rect, CornerRadius::ZERO, ground);
                }
                let response = ui.interact(rect, grid_id().with((row, col)), Sense::hover());
                response.widget_info(|| {
                    let mut info = WidgetInfo::selected(
                        Role::Cell,
                        cell.is_editable(),
                        is_picked,
                        format!("{} {}", entry.name, columns[col]),
                    );
                    info.current_text_value = cell.value.map(cell_text);
                    info
                });
                let shown = Shown { cell, owner: &entry.name, column: &columns[col], spec: &specs[col], is_picked };
                paint_cell(cx, ui, rect, &shown);
                let problem = marks.at(entry, &columns[col]).map(|located| &located.problem.finding);
                if let Some(finding) = problem {
                    squiggle(ui, rect.shrink2(vec2(PAD, 1.0)), cx.theme.severity(finding.severity));
                }
                if response.hovered() && session.drag.is_none() {
                    response.tip_ui(|ui| {
                        if let Some(finding) = problem {
                            ui.colored_label(cx.theme.severity(finding.severity), &finding.message);
                        }
                        tip_ui(cx, ui, &shown);
                    });
                }
            }
        }
        let line = Stroke::new(1.0, cx.theme.line.gamma_multiply(0.6));
        for col in place.cols_seen() {
            ui.painter().vline(place.col_x(col + 1) - 0.5, clip.y_range(), line);
        }
        if let Some(head) = session.picked.head() {
            let rect = place.cell(head);
            let color = if is_focused { cx.theme.accent } else { cx.theme.text_weak };
            ui.painter().rect_stroke(rect, CornerRadius::same(2), Stroke::new(1.5, color), StrokeKind::Inside);
            if session.editing.is_none() {
                grip_ui(cx, ui, session, columns, head, rect);
            }
        }
        if let Some(editing) = &session.editing {
            let rect = place.cell(editing.place);
            let rect = Rect::from_min_size(rect.min, vec2(rect.width().max(110.0), rect.height()));
            editor::editor_ui(cx, ui, rect, session, columns);
        }
    });
}

/// What is known of a cell when it is painted.
struct Shown<'a> {
    cell: Cell<'a>,
    owner: &'a str,
    column: &'a Column,
    spec: &'a FieldSpec,
    is_picked: bool,
}

fn paint_cell(cx: &Cx<'_>, ui: &Ui, rect: Rect, shown: &Shown<'_>) {
    let theme = cx.theme;
    let Some(value) = shown.cell.value else {
        return;
    };
    let ink = match shown.cell.standing {
        Standing::Own => theme.text_strong,
        _ if shown.is_picked => theme.text,
        Standing::Inherited => theme.text_weak,
        Standing::Default | Standing::Absent => theme.text_weak,
    };
    let mut room = rect.shrink2(vec2(PAD, 0.0));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let text = cell_text(value);
    let mut operations = shown.cell.operations(shown.owner, shown.column);
    if !operations.is_empty() {
        // The value comes first: where both have no room, the sign tells that there is more to be pointed at.
        let wide = |text: String, size: f32| painter.layout_no_wrap(text, FontId::proportional(size), ink).size().x;
        if wide(text.clone(), BODY) + wide(operations.clone(), SMALL) + GRID > room.width() {
            operations.truncate(operations.chars().next().map_or(0, char::len_utf8));
        }
        let font = FontId::proportional(SMALL);
        let at =
            painter.text(pos2(room.left(), room.center().y), Align2::LEFT_CENTER, operations, font, theme.inherited);
        room.min.x = at.right() + GRID;
    }
    if let (Some([r, g, b, a]), true) = (value.as_str().and_then(parse_color), value.as_str().is_some()) {
        let swatch = Rect::from_center_size(pos2(room.left() + 6.0, room.center().y), Vec2::splat(11.0));
        painter.rect_filled(swatch, CornerRadius::same(2), Color32::from_rgba_unmultiplied(r, g, b, a));
        painter.rect_stroke(swatch, CornerRadius::same(2), Stroke::new(1.0, theme.line), StrokeKind::Inside);
        room.min.x += 18.0;
    }
    let is_number = value.as_f64().is_some();
    let galley = elided(ui, &text, room.width(), ink);
    let x = if is_number { room.right() - galley.size().x } else { room.left() };
    let at = pos2(x.max(room.left()), room.center().y - galley.size().y / 2.0);
    // There is no bold cut of the font: own values are painted twice, a hair apart.
    if shown.cell.standing == Standing::Own {
        painter.galley(at + vec2(0.5, 0.0), galley.clone(), ink);
    }
    painter.galley(at, galley, ink);
}

/// The history of a cell, oldest first.
fn tip_ui(cx: &Cx<'_>, ui: &mut Ui, shown: &Shown<'_>) {
    ui.set_max_width(420.0);
    ui.strong(format!("{} {}", shown.owner, shown.column));
    let Some(field) = shown.cell.field() else {
        ui.label(format!("{} has no {}", shown.owner, shown.column.component));
        return;
    };
    if !shown.spec.doc.is_empty() {
        ui.label(&shown.spec.doc);
    }
    egui::Grid::new("source").num_columns(3).spacing([10.0, 2.0]).show(ui, |ui| {
        for applied in &field.provenance {
            let Some(after) = applied.after.at(&shown.column.inner) else { continue };
            ui.label(match &applied.by {
                Source::Default => "default",
                Source::Def(name) | Source::Instance(name) => name,
            });
            let operand = applied.operand.at(&shown.column.inner).unwrap_or(&applied.operand);
            ui.label(RichText::new(change_text(applied.op, operand, after)).monospace());
            let place = applied.location().map(|at| match cx.workspace.line_column(&at) {
                Some((line, _)) => format!("{}:{line}", at.doc),
                None => at.doc.to_string(),
            });
            ui.label(cx.theme.caption(place.unwrap_or_default()));
            ui.end_row();
        }
    });
}

/// An operation on a value and its result, as text.
fn change_text(op: OpKind, operand: &Value, after: &Value) -> String {
    let (operand, after) = (cell_text(operand), cell_text(after));
    match op {
        OpKind::Set => after,
        OpKind::Scale => format!("×{operand} = {after}"),
        OpKind::Add if operand.starts_with('-') => format!("{operand} = {after}"),
        OpKind::Add => format!("+{operand} = {after}"),
        OpKind::Append | OpKind::Remove => format!("{} {operand} = {after}", op.key()),
    }
}

/// What a number is dragged by: a handle in the cell picked last, for all picked numbers.
fn grip_ui(cx: &Cx<'_>, ui: &Ui, session: &mut Session, columns: &[Column], head: Place, rect: Rect) {
    let Some(at) = session.at(columns, head) else { return drop_drag(cx, session) };
    let resolved = cx.resolution.defs.get(&at.name).filter(|def| def.doc == at.doc);
    let cell = Cell::of(resolved.map(|def| &**def), &at.column);
    let Some(number) = cell.value.and_then(Value::as_f64) else { return drop_drag(cx, session) };
    let has_room = cell.operations(&at.name, &at.column).is_empty();
    let handle = Rect::from_min_size(rect.min, vec2(16.0, rect.height()));
    let response = ui.interact(handle, grid_id().with("grip"), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, format!("Drag {at}")));
    if has_room || response.hovered() || response.dragged() {
        let ink = if response.hovered() || response.dragged() { cx.theme.accent } else { cx.theme.text_weak };
        let icon = icons::ICON_SWAP_HORIZ.codepoint;
        ui.painter().text(handle.center(), Align2::CENTER_CENTER, icon, icon_font(12.0), ink);
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.drag_started() {
        let cells = session.cells(columns);
        let (project, resolution) = (cx.project.clone(), cx.resolution.clone());
        let spec = at.column.spec(&cx.resolution.schema);
        let is_int = matches!(cell.value, Some(Value::Int(_)));
        let step = spec.step.unwrap_or(if is_int { 1.0 } else { (number.abs() / 100.0).max(0.01) });
        // A whole step every few points, so that values are as round as by hand.
        let step = 10f64.powf(step.log10().floor());
        session.drag = Some(Drag { project, resolution, cells, step, moved: 0.0 });
    }
    let Some(mut drag) = session.drag.take() else { return };
    drag.moved += response.drag_delta().x;
    let amount = (f64::from(drag.moved) / 3.0).round() * drag.step;
    let state = State { project: &drag.project, builtin: cx.derived.builtin(), resolution: &drag.resolution };
    let plan = calculate(state, &drag.cells, OpKind::Add, &Value::Float(amount));
    let is_canceled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    let phase = if is_canceled {
        Phase::Cancel
    } else if response.drag_stopped() {
        if amount == 0.0 { Phase::Cancel } else { Phase::Commit }
    } else if response.dragged() {
        Phase::Preview
    } else {
        Phase::Cancel
    };
    cx.send(Action::Gesture { label: plan.plan.label, edits: plan.plan.edits, phase });
    if phase == Phase::Preview {
        session.drag = Some(drag);
    } else {
        session.wants_focus = true;
    }
}

/// There is no number any more where one was being dragged.
fn drop_drag(cx: &Cx<'_>, session: &mut Session) {
    if session.drag.take().is_some() {
        let (label, edits) = (String::new(), Vec::new());
        cx.send(Action::Gesture { label, edits, phase: Phase::Cancel });
    }
}

fn names_ui(cx: &Cx<'_>, ui: &mut Ui, session: &mut Session, kept: &mut Arc<Kept>, rows: &[Row], place: &Place2D) {
    let clip = Rect::from_min_max(
        pos2(place.view.left(), place.view.top() + HEADER),
        pos2(place.view.left() + place.name_width, place.view.bottom()),
    );
    in_rect(ui, clip, |ui| {
        ui.painter().rect_filled(clip, CornerRadius::ZERO, cx.theme.panel);
        let Some(table) = session.table.clone() else { return };
        let marks = Marks::now(cx);
        for at in place.rows_seen() {
            let (Some(row), Some(entry)) = (rows.get(at), table.entry(at)) else { continue };
            let rect = Rect::from_min_size(pos2(clip.left(), place.row_y(at)), vec2(clip.width(), ROW));
            let response = ui.interact(rect, grid_id().with(("name", at)), Sense::click_and_drag());
            carry_ui(cx, &response, &entry.name);
            let is_selected = cx.selection.has_definition(&entry.doc, &entry.name);
            response.widget_info(|| WidgetInfo::selected(Role::RowHeader, true, is_selected, &*entry.name));
            if is_selected {
                ui.painter().rect_filled(rect, CornerRadius::ZERO, cx.theme.accent_ground);
            } else if response.hovered() {
                ui.painter().rect_filled(rect, CornerRadius::ZERO, cx.theme.widget);
            }
            let mut x = rect.left() + GRID + row.depth.min(12) as f32 * GRID * 3.0;
            if let Some(is_open) = row.is_open {
                let twisty = Rect::from_center_size(pos2(x + 6.0, rect.center().y), vec2(16.0, ROW));
                let verb = if is_open { "Fold" } else { "Unfold" };
                let fold = ui.interact(twisty, grid_id().with(("fold", at)), Sense::click());
                fold.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {}", entry.name)));
                let icon = if is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
                let ink = if fold.hovered() { cx.theme.text_strong } else { cx.theme.text_weak };
                ui.painter().text(twisty.center(), Align2::CENTER_CENTER, icon.codepoint, icon_font(15.0), ink);
                if fold.clicked() {
                    let folded = &mut Arc::make_mut(kept).arrangement.folded;
                    if !folded.remove(&entry.name) {
                        folded.insert(entry.name.clone());
                    }
                }
            }
            x += 16.0;
            let mut right = rect.right() - GRID;
            if let Some(located) = marks.of(entry).next() {
                let severity = located.problem.finding.severity;
                let icon = if severity == Severity::Hint { icons::ICON_LIGHTBULB } else { icons::ICON_WARNING };
                let at = pos2(right - 7.0, rect.center().y);
                ui.painter().text(
                    at,
                    Align2::CENTER_CENTER,
                    icon.codepoint,
                    icon_font(13.0),
                    cx.theme.severity(severity),
                );
                right -= 18.0;
            }
            if !entry.more_parents.is_empty() {
                let text = format!("+{}", entry.more_parents.len());
                let at = pos2(right, rect.center().y);
                let font = FontId::proportional(SMALL);
                right = ui.painter().text(at, Align2::RIGHT_CENTER, text, font, cx.theme.inherited).left() - GRID;
            }
            let ink = match (is_selected, row.is_context || entry.is_abstract) {
                (true, _) => cx.theme.text_strong,
                (false, true) => cx.theme.text_weak,
                (false, false) => cx.theme.text,
            };
            let galley = elided(ui, &entry.name, right - x, ink);
            ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
            if response.clicked() {
                let modifiers = ui.input(|input| input.modifiers);
                let selection = if modifiers.command {
                    cx.selection.toggled(&entry.doc, &entry.name)
                } else {
                    Selection::definition(entry.doc.clone(), entry.name.clone())
                };
                cx.send(Action::Select(selection));
                pick_row(session, at, place.n_cols(), modifiers);
            }
            if response.hovered() {
                response.tip_ui(|ui| {
                    ui.strong(&*entry.name);
                    ui.label(cx.theme.caption(entry.doc.as_str()));
                    if entry.is_abstract {
                        ui.label("Abstract: exists to be inherited");
                    }
                    if !entry.more_parents.is_empty() {
                        ui.label(format!("Also inherits {}", entry.more_parents.join(", ")));
                    }
                    if entry.is_repeated {
                        ui.colored_label(cx.theme.error, "Another file defines this name too; that one counts");
                    }
                    for located in cx.derived.problems_at(&entry.doc, &path_of(entry)).take(5) {
                        let finding = &located.problem.finding;
                        ui.colored_label(cx.theme.severity(finding.severity), &finding.message);
                    }
                });
            }
        }
        let line = Stroke::new(1.0, cx.theme.line);
        ui.painter().vline(clip.right() - 0.5, clip.y_range(), line);
    });
}

/// Pick all cells of a row; with Shift, of the rows from the one before.
fn pick_row(session: &mut Session, row: usize, n_cols: usize, modifiers: egui::Modifiers) {
    let Some(last) = n_cols.checked_sub(1) else { return };
    let (start, end) = (Place { row, col: 0 }, Place { row, col: last });
    if modifiers.shift && !session.picked.is_empty() {
        session.picked.extend(end);
    } else if modifiers.command {
        session.picked.add(start);
        session.picked.extend(end);
    } else {
        session.picked.set(start);
        session.picked.extend(end);
    }
    session.is_by_name = true;
    session.wants_focus = true;
}
