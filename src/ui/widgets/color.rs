//! Choosing a color: a square of saturation and brightness, a bar of hues, one of opacity, and the code that files
//! have.
//!
//! Invariant: a drag sends previews and ends in one commit. Where gray or black has no hue, the picker keeps the one it
//! had.

use egui::{
    Color32, CornerRadius, Mesh, Popup, PopupCloseBehavior, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    Vec2, WidgetInfo,
    ecolor::{hsv_from_rgb, rgb_from_hsv},
    lerp, pos2, vec2,
};

use super::{
    number::{NumberSpec, ValueChange, drag_ui},
    value::text_ui,
};
use crate::{
    model::{color_text, parse_color},
    ui::{Theme, theme::GRID},
};

/// How wide the picker is, in points.
const WIDTH: f32 = 200.0;
/// How high its square is, in points.
const HEIGHT: f32 = 130.0;
/// How high its bars are, in points.
const BAR: f32 = 16.0;

/// A color as the picker shows it: hue, saturation, brightness and opacity, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Picked {
    h: f32,
    s: f32,
    v: f32,
    a: f32,
}

impl Picked {
    fn of([r, g, b, a]: [u8; 4]) -> Self {
        let [r, g, b, a] = [r, g, b, a].map(|part| f32::from(part) / 255.0);
        let (h, s, v) = hsv_from_rgb([r, g, b]);
        Self { h, s, v, a }
    }

    fn rgba(self) -> [u8; 4] {
        let [r, g, b] = rgb_from_hsv((self.h, self.s, self.v));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        [r, g, b, self.a].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// Its color without what shows through.
    fn opaque(self) -> Color32 {
        let [r, g, b, _] = self.rgba();
        Color32::from_rgb(r, g, b)
    }
}

/// A color, and what opens the picker of another: the new one as `#63bde2`.
pub fn color_button_ui(theme: &Theme, ui: &mut Ui, name: &str, text: &str) -> Option<ValueChange<String>> {
    let rgba = parse_color(text).unwrap_or([255; 4]);
    let (rect, response) = ui.allocate_exact_size(ui.spacing().interact_size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    swatch_ui(theme, ui, rect, rgba);
    // A light color has an edge on a light ground, too.
    let is_open = Popup::is_id_open(ui.ctx(), Popup::default_response_id(&response));
    let is_marked = is_open || response.hovered() || super::has_keyboard(&response);
    let edge = if is_marked { theme.accent } else { theme.text_weak.gamma_multiply(0.6) };
    ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    let popup = Popup::from_toggle_button_response(&response);
    let popup = popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).width(WIDTH);
    popup.show(|ui| picker_ui(theme, ui, name, rgba)).and_then(|shown| shown.inner)
}

/// A color on squares that show through as much as the level does; its left half as if nothing did.
fn swatch_ui(theme: &Theme, ui: &Ui, rect: Rect, [r, g, b, a]: [u8; 4]) {
    let painter = ui.painter();
    let opaque = Color32::from_rgb(r, g, b);
    if a == u8::MAX {
        painter.rect_filled(rect, 3.0, opaque);
        return;
    }
    squares_ui(theme, ui, rect);
    painter.rect_filled(rect, 0.0, Color32::from_rgba_unmultiplied(r, g, b, a));
    let left = rect.with_max_x(rect.center().x);
    painter.rect_filled(left, CornerRadius { nw: 3, sw: 3, ne: 0, se: 0 }, opaque);
}

/// Squares behind what is transparent in part.
fn squares_ui(theme: &Theme, ui: &Ui, rect: Rect) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme.checkerboard[0]);
    let side = rect.height() / 2.0;
    let mut x = rect.left();
    let mut is_low = false;
    while x < rect.right() {
        let y = if is_low { rect.center().y } else { rect.top() };
        painter.rect_filled(Rect::from_min_size(pos2(x, y), Vec2::splat(side)), 0.0, theme.checkerboard[1]);
        (x, is_low) = (x + side, !is_low);
    }
}

fn picker_ui(theme: &Theme, ui: &mut Ui, name: &str, rgba: [u8; 4]) -> Option<ValueChange<String>> {
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing = vec2(GRID * 1.5, GRID * 1.5);
    let id = ui.scope_id().with("picked");
    let kept = ui.data(|data| data.get_temp::<Picked>(id));
    // What is dragged may be a few frames ahead of what the project has.
    let is_held = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    let mut it = kept.filter(|kept| is_held || kept.rgba() == rgba).unwrap_or_else(|| Picked::of(rgba));
    let mut is_done = false;
    let mut is_changed = false;
    let mut dragged = |(response, at): (Response, Option<Vec2>), set: &mut dyn FnMut(Vec2)| {
        if let Some(at) = at {
            set(at);
            is_changed = true;
        }
        is_done |= response.drag_stopped();
    };
    let square = square_ui(theme, ui, name, it);
    dragged(square, &mut |at| (it.s, it.v) = (at.x, 1.0 - at.y));
    let hues: Vec<Color32> =
        (0..=6_u8).map(|i| Picked { h: f32::from(i) / 6.0, s: 1.0, v: 1.0, a: 1.0 }.opaque()).collect();
    let hue = bar_ui(theme, ui, &format!("{name} hue"), it.h, &hues);
    dragged(hue, &mut |at| it.h = at.x);
    let alphas = [it.opaque().gamma_multiply(0.0), it.opaque()];
    let alpha = bar_ui(theme, ui, &format!("{name} opacity bar"), it.a, &alphas);
    dragged(alpha, &mut |at| it.a = at.x);
    let mut out = if is_done {
        Some(ValueChange::Commit(color_text(it.rgba())))
    } else {
        is_changed.then(|| ValueChange::Preview(color_text(it.rgba())))
    };
    ui.horizontal(|ui| {
        ui.label(theme.caption("Code"));
        ui.scope(|ui| {
            ui.set_max_width(82.0);
            if let Some(change) = text_ui(ui, &format!("{name} code"), &color_text(rgba))
                && let (text, _) = change.into_parts()
                && let Some(rgba) = parse_color(text.trim()).or_else(|| parse_color(&format!("#{}", text.trim())))
            {
                it = Picked::of(rgba);
                out = Some(ValueChange::Commit(color_text(rgba)));
            }
        });
        let percent = NumberSpec { min: Some(0.0), max: Some(100.0), step: Some(1.0), unit: Some("%"), is_int: true };
        let now = f64::from((it.a * 100.0).round());
        let (response, change) = drag_ui(ui, &format!("{name} opacity"), now, &percent);
        super::Tip::tip(response, "Opacity");
        if let Some(change) = change {
            let (percent, _) = change.clone().into_parts();
            #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
            let alpha = (percent / 100.0) as f32;
            it.a = alpha;
            out = Some(change.map(|_| color_text(it.rgba())));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, it));
    out
}

/// Where in a rectangle it is pressed or dragged, 0 to 1 across and down.
fn grip_ui(ui: &mut Ui, name: &str, height: f32) -> (Rect, Response, Option<Vec2>) {
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, height), Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, name));
    let share = |at: Pos2| ((at - rect.min) / rect.size()).clamp(Vec2::ZERO, Vec2::splat(1.0));
    let at = response.interact_pointer_pos().map(share);
    (rect, response, at)
}

fn square_ui(theme: &Theme, ui: &mut Ui, name: &str, it: Picked) -> (Response, Option<Vec2>) {
    let (rect, response, at) = grip_ui(ui, &format!("{name} saturation and brightness"), HEIGHT);
    let hue = Picked { s: 1.0, v: 1.0, ..it }.opaque();
    // Brightness lies over saturation: each is even across two triangles, their product would not be.
    gradient_ui(ui, rect, &[Color32::WHITE, hue]);
    let mut dark = Mesh::default();
    for (corner, color) in [
        (rect.left_top(), Color32::TRANSPARENT),
        (rect.right_top(), Color32::TRANSPARENT),
        (rect.left_bottom(), Color32::BLACK),
        (rect.right_bottom(), Color32::BLACK),
    ] {
        dark.colored_vertex(corner, color);
    }
    dark.add_triangle(0, 1, 2);
    dark.add_triangle(1, 2, 3);
    ui.painter().add(dark);
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, theme.line), StrokeKind::Outside);
    let (s, v) = at.map_or((it.s, it.v), |at| (at.x, 1.0 - at.y));
    let center = pos2(lerp(rect.x_range(), s), lerp(rect.bottom()..=rect.top(), v));
    // White on black shows on any color.
    for (radius, color) in [(6.0, Color32::BLACK), (5.0, Color32::WHITE)] {
        ui.painter().circle_stroke(center, radius, Stroke::new(1.5, color));
    }
    (response, at)
}

fn bar_ui(theme: &Theme, ui: &mut Ui, name: &str, now: f32, colors: &[Color32]) -> (Response, Option<Vec2>) {
    let (rect, response, at) = grip_ui(ui, name, BAR);
    squares_ui(theme, ui, rect);
    gradient_ui(ui, rect, colors);
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, theme.line), StrokeKind::Outside);
    let x = lerp(rect.x_range(), at.map_or(now, |at| at.x));
    let mark = Rect::from_center_size(pos2(x, rect.center().y), vec2(6.0, BAR + 4.0));
    ui.painter().rect_stroke(mark, 2.0, Stroke::new(1.0, Color32::BLACK), StrokeKind::Outside);
    ui.painter().rect_stroke(mark, 2.0, Stroke::new(1.5, Color32::WHITE), StrokeKind::Inside);
    (response, at)
}

/// Colors from left to right, as far apart as each other.
fn gradient_ui(ui: &Ui, rect: Rect, colors: &[Color32]) {
    let mut mesh = Mesh::default();
    let steps = colors.len().saturating_sub(1).max(1);
    for (i, color) in (0_u8..).zip(colors) {
        #[expect(clippy::cast_precision_loss, reason = "a few colors")]
        let x = lerp(rect.x_range(), f32::from(i) / steps as f32);
        mesh.colored_vertex(pos2(x, rect.top()), *color);
        mesh.colored_vertex(pos2(x, rect.bottom()), *color);
        if i > 0 {
            let right = u32::from(i) * 2;
            mesh.add_triangle(right - 2, right - 1, right);
            mesh.add_triangle(right - 1, right, right + 1);
        }
    }
    ui.painter().add(mesh);
}

#[cfg(test)]
mod tests {
    use super::Picked;

    #[test]
    fn colors_come_back_from_the_picker_as_they_went_in() {
        for part in (0..=255_u8).step_by(5) {
            for rgba in [[part, 99, 7, 255], [12, part, 250, part], [part; 4], [255, 0, part, 128], [0, part, part, 1]]
            {
                assert_eq!(Picked::of(rgba).rgba(), rgba);
            }
        }
    }
}
