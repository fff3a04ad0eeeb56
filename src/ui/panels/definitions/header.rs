//! The table's header: components over fields, what it is sorted by, and the edges that make columns wider.

use std::sync::Arc;

use egui::{Align2, CornerRadius, CursorIcon, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

use super::{
    geometry::{HEADER, PAD, Place2D},
    input::grid_id,
    model::Kept,
};
use crate::{
    explain::{Column, SortBy},
    ui::{
        Cx,
        theme::{BODY, SMALL},
        widgets::{Tip as _, elided, icon_font, in_rect},
    },
};

/// Show the header over the cells that are seen.
pub(super) fn header_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    kept: &mut Arc<Kept>,
    columns: &[Column],
    widths: &[f32],
    place: &Place2D,
) {
    let view = place.view;
    let line = Stroke::new(1.0, cx.theme.line);
    let whole = Rect::from_min_size(view.min, vec2(view.width(), HEADER));
    in_rect(ui, whole, |ui| {
        ui.painter().rect_filled(whole, CornerRadius::ZERO, cx.theme.chrome);
        ui.painter().hline(whole.x_range(), whole.bottom() - 0.5, line);
    });
    let clip = Rect::from_min_max(pos2(view.left() + place.name_width, view.top()), whole.max);
    in_rect(ui, clip, |ui| {
        let mut component = None;
        for (col, column) in columns.iter().enumerate().take(place.cols_seen().end).skip(place.cols_seen().start) {
            let rect = Rect::from_min_size(pos2(place.col_x(col), view.top()), vec2(widths[col], HEADER));
            let begins = component != Some(&column.component);
            component = Some(&column.component);
            column_ui(cx, ui, kept, columns, col, rect, begins);
            resize_ui(cx, ui, kept, &column.to_string(), widths[col], rect);
        }
    });
    let corner = Rect::from_min_size(view.min, vec2(place.name_width, HEADER));
    in_rect(ui, corner, |ui| {
        ui.painter().rect_filled(corner, CornerRadius::ZERO, cx.theme.chrome);
        ui.painter().hline(corner.x_range(), corner.bottom() - 0.5, line);
        let response = ui.interact(corner.shrink2(vec2(5.0, 0.0)), grid_id().with("sort by name"), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Sort by name"));
        let ink = if response.hovered() { cx.theme.text_strong } else { cx.theme.text_weak };
        let at = pos2(corner.left() + PAD, corner.bottom() - 10.0);
        ui.painter().text(at, Align2::LEFT_CENTER, "Definition", FontId::proportional(BODY), ink);
        sort_mark(cx, ui, kept, &SortBy::Name, corner);
        if response.clicked() {
            sort(kept, SortBy::Name);
        }
        let name = "";
        resize_ui(cx, ui, kept, name, place.name_width, corner);
        ui.painter().vline(corner.right() - 0.5, corner.y_range(), line);
    });
}

/// Upward, then downward, then not at all.
fn sort(kept: &mut Arc<Kept>, by: SortBy) {
    let sort = &mut Arc::make_mut(kept).arrangement.sort;
    *sort = match sort.take() {
        Some((now, false)) if now == by => Some((by, true)),
        Some((now, true)) if now == by => None,
        _ => Some((by, false)),
    };
}

fn sort_mark(cx: &Cx<'_>, ui: &Ui, kept: &Kept, by: &SortBy, rect: Rect) {
    if let Some((now, is_down)) = &kept.arrangement.sort
        && now == by
    {
        let icon = if *is_down { icons::ICON_ARROW_DOWNWARD } else { icons::ICON_ARROW_UPWARD };
        let at = pos2(rect.right() - 9.0, rect.bottom() - 10.0);
        ui.painter().text(at, Align2::CENTER_CENTER, icon.codepoint, icon_font(12.0), cx.theme.accent);
    }
}

fn column_ui(cx: &Cx<'_>, ui: &mut Ui, kept: &mut Arc<Kept>, columns: &[Column], col: usize, rect: Rect, begins: bool) {
    let column = &columns[col];
    let name = column.to_string();
    let response = ui.interact(rect.shrink2(vec2(5.0, 0.0)), grid_id().with(("header", col)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, &name));
    let by = SortBy::Column(column.clone());
    let left = rect.left() + PAD;
    if begins {
        let galley =
            ui.painter().layout_no_wrap(column.component.to_string(), FontId::proportional(SMALL), cx.theme.text_weak);
        ui.painter().galley(pos2(left, rect.top() + 3.0), galley, cx.theme.text_weak);
    }
    let ink = if response.hovered() { cx.theme.text_strong } else { cx.theme.text };
    let galley = elided(ui, &column.member(), rect.width() - 2.0 * PAD, ink);
    ui.painter().galley(pos2(left, rect.bottom() - 10.0 - galley.size().y / 2.0), galley, ink);
    sort_mark(cx, ui, kept, &by, rect);
    ui.painter().vline(rect.right() - 0.5, rect.y_range(), Stroke::new(1.0, cx.theme.line.gamma_multiply(0.6)));
    if response.clicked() {
        sort(kept, by.clone());
    }
    response.context_menu(|ui| {
        for (text, way) in [("Sort upward", Some(false)), ("Sort downward", Some(true)), ("Do not sort", None)] {
            if ui.button(text).clicked() {
                Arc::make_mut(kept).arrangement.sort = way.map(|is_down| (by.clone(), is_down));
                ui.close();
            }
        }
        ui.separator();
        let mut chosen = columns.to_vec();
        if ui.add_enabled(col > 0, egui::Button::new("Move left")).clicked() {
            chosen.swap(col - 1, col);
            ui.close();
        }
        if ui.add_enabled(col + 1 < columns.len(), egui::Button::new("Move right")).clicked() {
            chosen.swap(col, col + 1);
            ui.close();
        }
        if ui.button("Hide").clicked() {
            chosen.remove(col);
            ui.close();
        }
        if chosen != columns {
            Arc::make_mut(kept).columns = Some(chosen);
        }
    });
    if response.hovered() {
        response.tip_ui(|ui| {
            let spec = column.spec(&cx.resolution.schema);
            ui.strong(&name);
            if !spec.doc.is_empty() {
                ui.label(&spec.doc);
            }
            let unit = spec.unit.as_deref().map(|unit| format!(", in {unit}")).unwrap_or_default();
            let text = format!("{}{unit}", spec.ty.describe());
            ui.label(cx.theme.caption(text));
        });
    }
}

/// The edge by which a column is made wider; no name is the column of names. A double click gives the usual width.
fn resize_ui(cx: &Cx<'_>, ui: &Ui, kept: &mut Arc<Kept>, name: &str, width: f32, rect: Rect) {
    let edge = Rect::from_center_size(pos2(rect.right() - 1.0, rect.center().y), vec2(8.0, rect.height()));
    let response = ui.interact(edge, grid_id().with(("edge", name)), Sense::click_and_drag());
    response.widget_info(|| {
        let what = if name.is_empty() { "names" } else { name };
        WidgetInfo::labeled(Role::Splitter, true, format!("Width of {what}"))
    });
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(CursorIcon::ResizeColumn);
        ui.painter().vline(rect.right() - 1.0, rect.y_range(), Stroke::new(2.0, cx.theme.accent));
    }
    let wanted = (width + response.drag_delta().x).clamp(if name.is_empty() { 80.0 } else { 40.0 }, 600.0);
    if response.double_clicked() {
        let kept = Arc::make_mut(kept);
        kept.widths.remove(name);
        if name.is_empty() {
            kept.name_width = None;
        }
    } else if response.dragged() && wanted != width {
        let kept = Arc::make_mut(kept);
        if name.is_empty() {
            kept.name_width = Some(wanted);
        } else {
            kept.widths.insert(name.to_owned(), wanted);
        }
    }
}
