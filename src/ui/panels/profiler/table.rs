//! A table of figures: a name and numbers at the right of it, as many columns as there is room for, with a bar for the
//! share of the
//! whole.
//!
//! Invariant: what is in a column that has no room is in the tip of its row.

use std::fmt::Write as _;

use egui::{
    Align2, CornerRadius, FontId, Pos2, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};
use egui_material_icons::icons;

use crate::{
    sim::insight::profile::ms_text,
    ui::{
        Cx, focus,
        theme::{GRID, SMALL},
        widgets::{Tip as _, elided, has_keyboard, icon_font},
    },
};

/// The height of a row, in points.
const ROW_HEIGHT: f32 = 18.0;
/// The width of a column of numbers, in points.
const NUMBER: f32 = 56.0;
/// The least width of the column of names, in points.
const NAME: f32 = 136.0;
/// What the bar to scroll may cover, in points.
const SCROLL_BAR: f32 = 10.0;
/// How far a row stands to the right of what it is in, in points.
const STEP: f32 = 12.0;

/// A column of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) tip: &'static str,
}

/// The column that rows are sorted by, or their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sorting {
    pub(super) column: Option<usize>,
    pub(super) is_rising: bool,
}

/// What is in a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// Nanoseconds, shown as milliseconds.
    Ms(f64),
    Count(f64),
}

#[derive(Clone, Debug, Default)]
pub(super) struct TableRow {
    pub(super) name: String,
    pub(super) accessible: String,
    pub(super) depth: usize,
    pub(super) values: Vec<Value>,
    /// Of the whole, from 0 to 1.
    pub(super) share: f64,
    /// Whether what is in it is shown; none where nothing is in it.
    pub(super) is_open: Option<bool>,
    pub(super) is_selected: bool,
    pub(super) is_weak: bool,
    pub(super) tip: String,
}

impl Value {
    fn text(self) -> String {
        match self {
            Self::Ms(ns) => ms_text(ns),
            Self::Count(n) => format!("{n:.0}"),
        }
    }

    /// Whether nothing of it is shown but zeros.
    fn is_nothing(self) -> bool {
        match self {
            Self::Ms(ns) => ns < 500.0,
            Self::Count(n) => n < 0.5,
        }
    }
}

/// Show a table of a name over all the room there is; `on_row` gets the response of each row in sight.
pub(super) fn table_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (name, columns, sorting): (&'static str, &[Column], Option<&mut Sorting>),
    rows: &[TableRow],
    mut on_row: impl FnMut(usize, &Response),
) {
    ui.push_id(name, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = (ui.available_width() - SCROLL_BAR).max(NAME);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
        let n_shown = (((width - NAME) / NUMBER).max(1.0) as usize).min(columns.len());
        let (shown, left_out) = columns.split_at(n_shown);
        focus::begin_list(ui, ui.scope_id().with("header"));
        header_ui(cx, ui, (name, shown, sorting), width);
        let area = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
        area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
            for at in range {
                let response = row_ui(cx, ui, (shown, left_out), &rows[at], width);
                on_row(at, &response);
            }
        });
    });
}

/// The right edge of a column of numbers.
fn right_of(rect: Rect, n: usize, at: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a few columns")]
    let after = (n - 1 - at) as f32;
    rect.right() - GRID - after * NUMBER
}

fn header_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (name, columns, mut sorting): (&'static str, &[Column], Option<&mut Sorting>),
    width: f32,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover());
    let name_column = Column { title: name, tip: "" };
    for at in std::iter::once(None).chain((0..columns.len()).map(Some)) {
        let column = at.map_or(name_column, |at| columns[at]);
        let right = at.map_or(rect.left() + NAME, |at| right_of(rect, columns.len(), at));
        let left = at.map_or(rect.left(), |_| right - NUMBER + 2.0);
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        let sense = if sorting.is_some() { Sense::click() } else { Sense::hover() };
        let response = ui.interact(cell, ui.scope_id().with(("column", at)), sense);
        let is_sorted = sorting.as_ref().is_some_and(|sorting| sorting.column == at);
        let is_rising = sorting.as_ref().is_some_and(|sorting| sorting.is_rising);
        if sorting.is_some() {
            let title = column.title.to_lowercase();
            let text = format!("Sort by {}", if at.is_none() { "name" } else { &title });
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_sorted, &text));
        }
        let is_near = sorting.is_some() && (response.hovered() || has_keyboard(&response));
        let ink = if is_sorted || is_near { cx.theme.text_strong } else { cx.theme.text_weak };
        let (place, align) = match at {
            None => (cell.left_center() + vec2(GRID, 0.0), Align2::LEFT_CENTER),
            Some(_) => (cell.right_center(), Align2::RIGHT_CENTER),
        };
        let text = ui.painter().text(place, align, column.title, FontId::proportional(SMALL), ink);
        if is_sorted {
            let icon = if is_rising { icons::ICON_ARROW_DROP_UP } else { icons::ICON_ARROW_DROP_DOWN };
            let place = if at.is_none() {
                pos2(text.right() + 6.0, text.center().y)
            } else {
                pos2(text.left() - 5.0, text.center().y)
            };
            ui.painter().text(place, Align2::CENTER_CENTER, icon.codepoint, icon_font(14.0), ink);
        }
        if has_keyboard(&response) {
            let line = Stroke::new(1.0, cx.theme.accent);
            ui.painter().rect_stroke(cell, CornerRadius::same(2), line, StrokeKind::Inside);
        }
        if let Some(sorting) = sorting.as_deref_mut().filter(|_| response.clicked()) {
            // Numbers from the greatest, names from the first.
            let first = at.is_none();
            *sorting = Sorting { column: at, is_rising: if is_sorted { !is_rising } else { first } };
        }
        if !column.tip.is_empty() {
            response.tip(column.tip);
        }
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, cx.theme.line));
}

fn row_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (columns, left_out): (&[Column], &[Column]),
    row: &TableRow,
    width: f32,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, row.is_selected, &row.accessible));
    focus::list_item(&response, row.is_selected);
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let (theme, painter) = (cx.theme, ui.painter());
    if row.is_selected {
        painter.rect_filled(rect, CornerRadius::same(3), theme.accent_ground);
    } else if response.hovered() || has_keyboard(&response) {
        painter.rect_filled(rect, CornerRadius::same(3), theme.widget);
    }
    if has_keyboard(&response) {
        let line = Stroke::new(1.0, theme.accent);
        painter.rect_stroke(rect, CornerRadius::same(3), line, StrokeKind::Inside);
    }
    let first = right_of(rect, columns.len(), 0) - NUMBER;
    let name = Rect::from_min_max(rect.min, pos2(first, rect.bottom()));
    // The bar is below the name, so that it hides nothing.
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    let share = row.share.clamp(0.0, 1.0) as f32;
    let bar =
        Rect::from_min_size(pos2(name.left() + 2.0, name.bottom() - 3.0), vec2((name.width() - 6.0) * share, 2.0));
    painter.rect_filled(bar, 1.0, theme.accent.gamma_multiply(0.8));
    let ink = if row.is_weak { theme.text_weak } else { theme.text };
    #[expect(clippy::cast_precision_loss, reason = "a few levels")]
    let mut x = name.left() + GRID + row.depth as f32 * STEP;
    if let Some(is_open) = row.is_open {
        let icon = if is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
        let at: Pos2 = pos2(x + 5.0, rect.center().y);
        painter.text(at, Align2::CENTER_CENTER, icon.codepoint, icon_font(13.0), theme.text_weak);
    }
    x += if row.depth > 0 || row.is_open.is_some() { 13.0 } else { 0.0 };
    let galley = elided(ui, &row.name, (FontId::proportional(SMALL + 1.0), name.right() - x), ink);
    ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
    for (at, value) in row.values.iter().take(columns.len()).enumerate() {
        let place = pos2(right_of(rect, columns.len(), at), rect.center().y);
        let ink = if value.is_nothing() { theme.text_weak } else { ink };
        ui.painter().text(place, Align2::RIGHT_CENTER, value.text(), FontId::monospace(SMALL), ink);
    }
    let mut tip = row.tip.clone();
    for (column, value) in left_out.iter().zip(row.values.iter().skip(columns.len())) {
        _ = write!(tip, "\n{}: {}", column.title, value.text());
    }
    response.tip(tip)
}
