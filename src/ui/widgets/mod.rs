//! The house's own small widgets, so that every pane looks and reads alike.
//!
//! Invariant: each has an accessible name; tests and people find it by that.

pub mod card;
pub mod choose;
pub mod color;
pub mod number;
pub mod response;
pub mod shape;
mod sight;
pub mod slider;
mod tip;
pub mod value;
mod wanted;
pub mod words;

pub use sight::row_in_sight;
pub use tip::{Tip, card_beside, tip_beside};
pub use wanted::{is_any_wanted_shown, is_wanted, want, want_shown};

pub use crate::model::sentence;
use egui::{
    Align, Align2, Color32, CornerRadius, FontId, Id, Layout, Rect, Response, RichText, Role, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::{
    CommandLook as _, CommandState as _, Cx, Theme, focus,
    theme::{BODY, GRID, ROW, SMALL, TITLE, outline_boxes},
};
use crate::{defs::Badge, editor::Command};

/// The font of icons at a size in points.
#[must_use]
pub fn icon_font(size: f32) -> FontId {
    FontId::new(size, egui::FontFamily::Name(egui_material_icons::FONT_FAMILY.into()))
}

/// An icon as text.
#[must_use]
pub fn icon_text(icon: &str, size: f32) -> RichText {
    RichText::new(icon).font(icon_font(size))
}

/// A button that is only an icon, with a name for screen readers.
#[derive(Clone, Copy, Debug)]
#[must_use = "it is not there until it is shown"]
pub struct IconButton<'a> {
    icon: &'a str,
    name: &'a str,
    style: IconStyle,
    is_selected: bool,
    is_enabled: bool,
}

/// Width and height of an icon button of a bar, in points.
pub const ICON_BUTTON: egui::Vec2 = vec2(ROW + 4.0, ROW + 2.0);

/// How an icon button looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IconStyle {
    Plain,
    /// No higher than the rows of a form.
    InRow,
    /// Weak until the pointer is on it.
    Quiet,
}

impl<'a> IconButton<'a> {
    /// One that can be clicked and is not selected.
    pub fn new(icon: &'a str, name: &'a str) -> Self {
        Self { icon, name, style: IconStyle::Plain, is_selected: false, is_enabled: true }
    }

    /// For the rows of a form, no higher than they are.
    pub fn in_row(mut self) -> Self {
        self.style = IconStyle::InRow;
        self
    }

    /// Standing back until the pointer is on it, for what every row has.
    pub fn quiet(mut self) -> Self {
        self.style = IconStyle::Quiet;
        self
    }

    /// Whether what it stands for is on.
    pub fn selected(mut self, is_selected: bool) -> Self {
        self.is_selected = is_selected;
        self
    }

    /// Whether it can be clicked.
    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    /// Show it; the response senses clicks.
    pub fn show(self, theme: &Theme, ui: &mut Ui) -> Response {
        let Self { icon, name, style, is_selected, is_enabled } = self;
        let (size, icon_size) = match style {
            IconStyle::Plain => (ICON_BUTTON, 17.0),
            IconStyle::InRow => (vec2(ROW + 2.0, ROW - 2.0), 16.0),
            IconStyle::Quiet => (vec2(ROW, ROW), 15.0),
        };
        let sense = if is_enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(size, sense);
        response.widget_info(|| WidgetInfo::selected(Role::Button, is_enabled, is_selected, name));
        if ui.is_rect_visible(rect) {
            let is_quiet = style == IconStyle::Quiet;
            let is_near = is_enabled && (response.hovered() || has_keyboard(&response));
            let ground = if is_selected && !is_quiet {
                theme.accent_ground
            } else if is_near {
                theme.widget_hover
            } else {
                Color32::TRANSPARENT
            };
            ui.painter().rect_filled(rect.shrink(1.0), CornerRadius::same(4), ground);
            if has_keyboard(&response) {
                let line = Stroke::new(1.0, theme.accent);
                ui.painter().rect_stroke(rect.shrink(1.0), CornerRadius::same(4), line, StrokeKind::Inside);
            }
            let ink = if !is_enabled {
                theme.text_weak.gamma_multiply(0.45)
            } else if is_selected {
                theme.accent
            } else if is_quiet && !is_near {
                theme.text_weak.gamma_multiply(0.7)
            } else {
                theme.text
            };
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon, icon_font(icon_size), ink);
        }
        response
    }
}

/// A command's icon as a button; greyed with the reason in its tooltip when it makes no sense.
pub fn command_button(cx: &Cx<'_>, ui: &mut Ui, command: Command) -> Response {
    let spec = command.spec();
    let refusal = command.refusal(cx);
    let is_on = command.is_on(cx).unwrap_or(false);
    let name = spec.text.trim_end_matches('…');
    let response = IconButton::new(spec.icon, name).selected(is_on).enabled(refusal.is_none()).show(cx.theme, ui);
    let response = response.tip_ui(|ui| {
        ui.set_max_width(360.0);
        ui.strong(command.means(cx).as_deref().unwrap_or(name));
        ui.label(command.tooltip(cx, ui.ctx()));
        if let Some(why) = &refusal {
            ui.colored_label(cx.theme.text_weak, why);
        }
    });
    if response.clicked() {
        cx.command(command);
    }
    response
}

/// What an empty pane says: what would be here and how to begin.
pub fn empty_state(theme: &Theme, ui: &mut Ui, icon: &str, title: &str, how: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.25).clamp(8.0, 120.0));
        ui.label(icon_text(icon, 28.0).color(theme.text_weak));
        ui.label(RichText::new(title).color(theme.text));
        ui.label(theme.caption(how));
    });
}

/// What a pane is about: a picture, a name, and at the right what kind of thing it is.
pub fn heading(theme: &Theme, ui: &mut Ui, icon: &str, title: &str, kind: &str) {
    ui.horizontal(|ui| {
        ui.label(icon_text(icon, 20.0).color(theme.accent));
        at_right(ui, |ui| {
            ui.label(theme.caption(kind));
            let title = RichText::new(title).size(TITLE).strong().color(theme.text_strong);
            let cut = egui::Label::new(title).truncate();
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(cut));
        });
    });
}

/// A heading inside a pane.
pub fn section(theme: &Theme, ui: &mut Ui, title: &str) -> Response {
    ui.add_space(GRID);
    ui.label(theme.caption(title).strong())
}

/// What a part that folds is called.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    /// Shown, and struck through when it should no longer be used.
    pub title: &'a str,
    /// Its accessible name.
    pub name: &'a str,
    /// A few words about what is inside, shown while it is folded.
    pub about: &'a str,
    /// Struck through.
    pub is_struck: bool,
    /// Open until the user folds it.
    pub is_open_at_first: bool,
    /// Always open, even if the user folded it.
    pub is_forced: bool,
}

/// A part that folds: arrow and title at the left, at the right buttons, which say whether it is to be open.
pub fn folding(
    theme: &Theme,
    ui: &mut Ui,
    id: Id,
    fold: Fold<'_>,
    buttons: impl FnOnce(&mut Ui) -> bool,
    body: impl FnOnce(&mut Ui),
) {
    let mut state =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, fold.is_open_at_first);
    let is_open = state.is_open() || fold.is_forced;
    ui.horizontal(|ui| {
        at_right(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            if buttons(ui) {
                state.set_open(true);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
                response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_open, fold.name));
                if response.hovered() || has_keyboard(&response) {
                    ui.painter().rect_filled(rect, CornerRadius::same(3), theme.widget);
                }
                if has_keyboard(&response) {
                    let line = Stroke::new(1.0, theme.accent);
                    ui.painter().rect_stroke(rect, CornerRadius::same(3), line, StrokeKind::Inside);
                }
                let icon = if is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
                let center = pos2(rect.left() + 8.0, rect.center().y);
                ui.painter().text(center, Align2::CENTER_CENTER, icon.codepoint, icon_font(15.0), theme.text_weak);
                let title = elided(ui, fold.title, rect.width() - 20.0, theme.text_strong);
                let y = rect.center().y - title.size().y / 2.0;
                let right = rect.left() + 20.0 + title.size().x;
                if fold.is_struck {
                    let line = Stroke::new(1.0, theme.text_weak);
                    ui.painter().hline(rect.left() + 20.0..=right, rect.center().y, line);
                }
                ui.painter().galley(pos2(rect.left() + 20.0, y), title, theme.text_strong);
                let left = right + GRID * 2.0;
                if !is_open && rect.right() - left > 24.0 {
                    let room = (FontId::proportional(SMALL), rect.right() - left);
                    let about = elided(ui, fold.about, room, theme.text_weak);
                    let y = rect.center().y - about.size().y / 2.0;
                    ui.painter().galley(pos2(left, y), about, theme.text_weak);
                }
                if response.clicked() {
                    state.toggle(ui);
                }
            });
        });
    });
    if state.is_open() || fold.is_forced {
        keyed(ui, id, |ui| ui.indent(id, |ui| keyed(ui, "body", body)));
    }
    state.store(ui.ctx());
}

/// A search field with its icon and a button to clear it. The text lives under `id` in the window's memory.
pub fn search_field(theme: &Theme, ui: &mut Ui, id: Id, hint: &str) -> String {
    let mut text = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        // What hides most of a list is seen to do so.
        let color = if text.trim().is_empty() { theme.text_weak } else { theme.accent };
        ui.label(icon_text(icons::ICON_SEARCH.codepoint, 15.0).color(color));
        let room = if text.is_empty() { 0.0 } else { ROW + 8.0 };
        let edit = egui::TextEdit::singleline(&mut text)
            .id(id.with("edit"))
            .hint_text(hint)
            .desired_width((ui.available_width() - room).max(40.0));
        let response = ui.add(edit);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, hint));
        focus::list_door(ui, response.id);
        if !text.is_empty() && IconButton::new(icons::ICON_CLOSE.codepoint, "Clear search").show(theme, ui).clicked() {
            text.clear();
        }
    });
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    text
}

/// A search field of a popup: empty and ready to be typed into when the popup opens.
pub fn popup_search_field(theme: &Theme, ui: &mut Ui, id: Id, hint: &str) -> String {
    let now = ui.ctx().cumulative_pass_nr();
    let last = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or(id.with("seen"), 0), now));
    let is_new = last + 1 < now;
    if is_new {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    let text = search_field(theme, ui, id, hint);
    if is_new {
        // After it is there: while the popup is measured nothing is enabled, and a disabled field gives focus away.
        ui.memory_mut(|memory| memory.request_focus(id.with("edit")));
    }
    text
}

/// Whether every word of `query` is in `text`, case aside.
#[must_use]
pub fn matches(query: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// A row of a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row<'a> {
    /// Before the text.
    pub icon: &'a str,
    /// Of the icon; the text's when none.
    pub icon_color: Option<Color32>,
    /// The name.
    pub text: &'a str,
    /// Weak, at the right.
    pub detail: &'a str,
    /// An icon before the detail, of something to know about it.
    pub mark: &'a str,
    /// How deep in a tree.
    pub depth: u8,
    /// Part of the selection.
    pub is_selected: bool,
    /// Differs from its file.
    pub is_modified: bool,
    /// Shown pale.
    pub is_weak: bool,
}

/// Room for the icon of a row and for its mark, in points.
const ROW_ICON: f32 = 22.0;
const ROW_MARK: f32 = 18.0;

/// How wide a row with an icon has to be for all of its text and detail, with a mark or without, in points.
pub fn whole_row_width(ui: &Ui, text: &str, detail: &str, has_mark: bool) -> f32 {
    let width =
        |text: &str, size| elided(ui, text, (FontId::proportional(size), f32::INFINITY), Color32::PLACEHOLDER).size().x;
    let mark = if has_mark { ROW_MARK } else { 0.0 };
    let detail = if detail.is_empty() { 0.0 } else { width(detail, SMALL) };
    let beside = if detail > 0.0 { detail + GRID } else { 0.0 };
    // The detail has at most half of the room.
    GRID + ROW_ICON + (width(text, BODY) + mark + beside).max(2.0 * detail) + GRID
}

/// Show a row over the whole width; the response senses clicks.
pub fn row_ui(theme: &Theme, ui: &mut Ui, row: &Row<'_>) -> Response {
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, row.is_selected, row.text));
    focus::list_item(&response, row.is_selected);
    if !ui.is_rect_visible(rect) {
        return response;
    }
    if row.is_selected {
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme.accent_ground);
    } else if response.hovered() || has_keyboard(&response) {
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme.widget);
    }
    if has_keyboard(&response) {
        let line = Stroke::new(1.0, theme.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(3), line, StrokeKind::Inside);
    }
    let ink = match (row.is_selected, row.is_weak) {
        (true, _) => theme.text_strong,
        (_, true) => theme.text_weak,
        _ => theme.text,
    };
    // Where there is little room, names win over how deep they stand.
    let step = if rect.width() < 180.0 { GRID * 1.5 } else { GRID * 3.5 };
    let mut x = rect.left() + GRID + f32::from(row.depth) * step;
    if !row.icon.is_empty() {
        let at = pos2(x + 8.0, rect.center().y);
        let color = row.icon_color.unwrap_or(theme.text_weak);
        ui.painter().text(at, Align2::CENTER_CENTER, row.icon, icon_font(15.0), color);
        x += ROW_ICON;
    }
    let mut right = rect.right() - GRID;
    if !row.detail.is_empty() {
        // At most half of the room: the name wins.
        let font = FontId::proportional(SMALL);
        let galley = elided(ui, row.detail, (font, (right - x) / 2.0), theme.text_weak);
        right -= galley.size().x;
        ui.painter().galley(pos2(right, rect.center().y - galley.size().y / 2.0), galley, theme.text_weak);
        right -= GRID;
    }
    if !row.mark.is_empty() {
        let at = pos2(right - 7.0, rect.center().y);
        ui.painter().text(at, Align2::CENTER_CENTER, row.mark, icon_font(14.0), theme.warning);
        right -= ROW_MARK;
    }
    if row.is_modified {
        ui.painter().circle_filled(pos2(right - 4.0, rect.center().y), 3.0, theme.accent);
        right -= 12.0;
    }
    let room = Rect::from_min_max(pos2(x, rect.top()), pos2(right.max(x), rect.bottom()));
    let galley = elided(ui, row.text, room.width(), ink);
    ui.painter().galley(pos2(room.left(), room.center().y - galley.size().y / 2.0), galley, ink);
    if row.text.len() > 24 {
        response.tip_ui(|ui| {
            ui.label(row.text);
        })
    } else {
        response
    }
}

/// How wide a line of text may be, and its font.
#[derive(Clone, Debug)]
pub struct Room {
    font: FontId,
    width: f32,
}

impl From<f32> for Room {
    fn from(width: f32) -> Self {
        Self { font: FontId::proportional(BODY), width }
    }
}

impl From<(FontId, f32)> for Room {
    fn from((font, width): (FontId, f32)) -> Self {
        Self { font, width }
    }
}

/// A line of text, cut with an ellipsis where there is no more room.
pub fn elided(ui: &Ui, text: &str, room: impl Into<Room>, color: Color32) -> std::sync::Arc<egui::Galley> {
    let Room { font, width } = room.into();
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(1.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Where a field's value comes from, shown by shape as well as color: a ring for the default, a triangle for inherited,
/// a dot for own, a diamond for a placed entity's.
pub fn badge(theme: &Theme, ui: &mut Ui, badge: Badge, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(14.0, ROW - 4.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let (color, c) = (theme.badge(badge), rect.center());
    let painter = ui.painter();
    match badge {
        Badge::Default => {
            painter.circle_stroke(c, 3.0, Stroke::new(1.2, color));
        }
        Badge::Inherited => {
            let points = vec![c + vec2(0.0, -4.0), c + vec2(4.0, 3.0), c + vec2(-4.0, 3.0)];
            painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
        }
        Badge::Own => {
            painter.circle_filled(c, 3.8, color);
        }
        Badge::Instance => {
            let points = vec![c + vec2(0.0, -4.6), c + vec2(4.6, 0.0), c + vec2(0.0, 4.6), c + vec2(-4.6, 0.0)];
            painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
        }
    }
    if response.hovered() || has_keyboard(&response) {
        let color = if has_keyboard(&response) { theme.accent } else { theme.line };
        painter.circle_stroke(c, 7.0, Stroke::new(1.0, color));
    }
    response
}

/// The words for a badge.
#[must_use]
pub fn badge_name(badge: Badge) -> &'static str {
    match badge {
        Badge::Default => "default",
        Badge::Inherited => "inherited",
        Badge::Own => "own",
        Badge::Instance => "of this placed entity",
    }
}

/// A box to check with its text.
pub fn checkbox_ui<'a>(ui: &mut Ui, is_on: &'a mut bool, text: impl egui::IntoAtoms<'a>) -> Response {
    // No scope of its own, which would take part in the layout.
    let before = ui.visuals().widgets.clone();
    outline_boxes(ui.visuals_mut());
    let response = ui.checkbox(is_on, text);
    ui.visuals_mut().widgets = before;
    response
}

/// A wavy line along the bottom of something that is wrong.
pub fn squiggle(ui: &Ui, under: Rect, color: Color32) {
    let mut points = Vec::new();
    let mut x = under.left();
    while x <= under.right() {
        points.push(pos2(x, under.bottom() - if points.len() % 2 == 0 { 1.0 } else { 3.0 }));
        x += 2.5;
    }
    ui.painter().add(egui::Shape::line(points, Stroke::new(1.2, color)));
}

/// Lay out something right-aligned in what is left of a row.
pub fn at_right<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.with_layout(Layout::right_to_left(Align::Center), add).inner
}

/// A part of the window whose widgets stay themselves whatever comes or goes before them: a number that is being
/// dragged goes on being dragged, and an open popup stays open, while the first change gives the row another button.
/// Siblings have different keys.
pub fn keyed<R>(ui: &mut Ui, key: impl egui::AsIdSalt, add: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.scope_id().with(key);
    ui.scope_builder(egui::UiBuilder::new().scope_id(id), add).inner
}

/// The editor of a value within a row, from left to right; it is [`keyed`].
pub fn editor_in_row<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center);
    let id = ui.scope_id().with("editor");
    ui.scope_builder(egui::UiBuilder::new().scope_id(id).layout(layout), add).inner
}

/// A line with buttons at its right end; the text before them is cut where there is no more room. Tab goes from left to
/// right, so the buttons are laid out that way: they are as wide as they were in the last pass.
pub fn line_before(ui: &mut Ui, text: RichText, buttons: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let id = ui.next_auto_id().with("buttons of a line");
        let known: Option<f32> = ui.data(|data| data.get_temp(id));
        let gap = ui.spacing().item_spacing.x;
        let room = (ui.available_width() - known.unwrap_or_default() - gap).max(0.0);
        let size = vec2(room, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(room);
            ui.add(egui::Label::new(text).truncate());
        });
        let width = ui.scope(buttons).response.rect.width();
        if known.is_none_or(|known| (known - width).abs() > 0.5) {
            ui.data_mut(|data| data.insert_temp(id, width));
            ui.ctx().request_discard("the buttons of a line have another width");
        }
    });
}

/// Lay out in a rectangle, clipped to it.
pub fn in_rect<R>(ui: &mut Ui, rect: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    add(&mut child)
}

/// A button that opens a popup which stays until it is done with or something else is clicked. `name` is the accessible
/// name.
pub fn popup_button<R>(ui: &mut Ui, name: &str, text: &str, add: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    let response = ui.add(egui::Button::new(text).truncate());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let popup = egui::Popup::from_toggle_button_response(&response);
    let popup = popup.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).width(260.0);
    popup.show(add).map(|shown| shown.inner)
}

/// Whether a widget has the keyboard. egui's own question is false as long as no window manager says that the window
/// has it, though keys come all the same, as on a virtual screen.
#[must_use]
pub fn has_keyboard(response: &Response) -> bool {
    response.ctx.memory(|memory| memory.has_focus(response.id))
}
