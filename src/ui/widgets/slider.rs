//! A slider for tuning: what it shows never jumps, and the hand decides how fine it turns.
//!
//! Invariant: a drag moves the value by as far as the pointer moved since the drag began, never to where the pointer
//! is; a tenth of it with Shift. It goes by the declared step, and with Ctrl by a default step where none is declared;
//! with Shift it is as fine as the hand. A value out of range stays until it is turned. Like any drag it sends previews
//! and ends in one commit.

use super::has_keyboard;
use egui::{Color32, CornerRadius, Key, Modifiers, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::number::{NumberSpec, ValueChange, change, tidy, typed_drag};
use crate::ui::{Theme, theme::ROW};

/// Narrowest and widest a number beside a slider gets, in points.
const FIELD: [f32; 2] = [58.0, 84.0];

/// A value worth showing on the track beside the one that is turned.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Where.
    pub value: f64,
    /// Its color.
    pub color: Color32,
}

/// The track of a slider: where values are on it, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Track {
    min: f64,
    max: f64,
    is_wide: bool,
}

impl Track {
    /// The track of a range; files may say one that has no room (that is a problem listed elsewhere), which has none.
    /// Wide ranges of positive numbers are turned by ratio, not by difference.
    fn new(min: f64, max: f64) -> Option<Self> {
        (min < max && (max - min).is_finite()).then_some(Self { min, max, is_wide: min > 0.0 && max / min >= 1000.0 })
    }

    fn place(self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.is_wide {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        }
    }

    fn value(self, place: f64) -> f64 {
        let place = place.clamp(0.0, 1.0);
        if self.is_wide {
            self.min * (self.max / self.min).powf(place)
        } else {
            self.min + (self.max - self.min) * place
        }
    }

    /// The value at a place, rounded to what a pixel there can tell apart, so that files get short numbers.
    fn rounded(self, place: f64, a_pixel: f64) -> f64 {
        let value = self.value(place);
        let grain = (self.value(place + a_pixel) - self.value(place - a_pixel)).abs() / 2.0;
        if grain <= 0.0 {
            return value;
        }
        let unit = 10_f64.powf(grain.log10().floor());
        tidy(((value / unit).round() * unit).clamp(self.min, self.max))
    }

    /// The nearest whole number of steps from zero, within the range.
    fn snapped(self, value: f64, step: f64) -> f64 {
        tidy(((value / step).round() * step).clamp(self.min, self.max))
    }

    /// The size of one notch where no step is declared: a hundredth of the range, rounded.
    fn notch(self) -> f64 {
        let hundredth = (self.max - self.min) / 100.0;
        if hundredth > 0.0 { 10_f64.powf(hundredth.log10().round()) } else { 1.0 }
    }
}

/// What a drag began with, and how far the pointer came.
#[derive(Clone, Copy, Debug)]
struct Drag {
    place: f64,
}

/// A number with a slider where it has a range, else only to drag.
pub fn slider_ui(
    theme: &Theme,
    ui: &mut Ui,
    name: &str,
    value: f64,
    spec: &NumberSpec<'_>,
    marks: &[Mark],
) -> (Response, Option<ValueChange<f64>>) {
    let Some(track) = spec.min.zip(spec.max).and_then(|(min, max)| Track::new(min, max)) else {
        return super::number::drag_ui(ui, name, value, spec);
    };
    ui.horizontal(|ui| {
        let field = (ui.available_width() * 0.36).clamp(FIELD[0], FIELD[1]);
        let width = (ui.available_width() - field - 8.0).clamp(40.0, 360.0);
        let (rect, mut slider) = ui.allocate_exact_size(vec2(width, ROW - 4.0), Sense::click_and_drag());
        slider.widget_info(|| WidgetInfo::slider(true, value, name));
        let room = rect.shrink2(vec2(6.0, 0.0));
        let mut edited = value;
        if let Some(turned) = turned(ui, &slider, track, value, spec, f64::from(room.width().max(1.0))) {
            edited = turned;
            slider.mark_changed();
        }
        let moved = change(&slider, value, edited, spec);
        paint(theme, ui, &slider, room, track, edited, marks);

        let mut typed = edited;
        let size = vec2(field, ui.spacing().interact_size.y);
        let layout = egui::Layout::centered_and_justified(ui.layout().main_dir());
        let drag = ui.allocate_ui_with_layout(size, layout, |ui| typed_drag(ui, name, value, &mut typed, spec)).inner;
        drag.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("{name} value")));
        if slider.double_clicked() {
            drag.request_focus();
        }
        let typed = change(&drag, value, typed, spec);
        // No tooltip from a drag until the pointer leaves: it would hide what is below.
        let id = slider.id.with("turned");
        if slider.dragged() || !slider.hovered() {
            ui.data_mut(|data| data.insert_temp(id, slider.dragged()));
        }
        let is_turned = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or_default();
        let slider = if is_turned {
            slider
        } else {
            let how = "Drag to change; Shift is ten times finer, Ctrl goes from step to step. Double-click to type.";
            super::tip_beside(ui, slider, how)
        };
        (slider.union(drag), moved.or(typed))
    })
    .inner
}

/// The value that pointer and keys turn a slider to in this frame, if they do.
fn turned(ui: &Ui, slider: &Response, track: Track, value: f64, spec: &NumberSpec<'_>, width: f64) -> Option<f64> {
    let modifiers = ui.input(|input| input.modifiers);
    let fine = if modifiers.shift { 0.1 } else { 1.0 };
    let step = spec.step.filter(|step| *step > 0.0).unwrap_or(if spec.is_int { 1.0 } else { track.notch() });
    if has_keyboard(slider) {
        ui.memory_mut(|memory| {
            let keys = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
            memory.set_focus_lock_filter(slider.id, keys);
        });
        let presses = |key| {
            let n = ui.input_mut(|input| {
                input.count_and_consume_key(Modifiers::NONE, key) + input.count_and_consume_key(Modifiers::SHIFT, key)
            });
            n as f64
        };
        let by = presses(Key::ArrowRight) - presses(Key::ArrowLeft);
        if by != 0.0 {
            return Some(tidy((value + by * step * fine).clamp(track.min, track.max)));
        }
    }
    let id = slider.id.with("drag");
    if slider.drag_started() {
        // A drag is known to be one only after some points of way; they count.
        let begun = ui.input(|input| input.pointer.press_origin().zip(input.pointer.interact_pos()));
        let delta = slider.drag_delta().x;
        let way = begun.map_or(0.0, |(from, to)| to.x - from.x - delta);
        let place = track.place(value) + f64::from(way) / width * fine;
        ui.data_mut(|data| data.insert_temp(id, Drag { place }));
    }
    if !slider.dragged() {
        return None;
    }
    let mut drag = ui.data(|data| data.get_temp::<Drag>(id))?;
    let by = f64::from(slider.drag_delta().x) / width * fine;
    let is_new = slider.drag_started();
    if by == 0.0 && !is_new {
        return None;
    }
    drag.place = (drag.place + by).clamp(0.0, 1.0);
    ui.data_mut(|data| data.insert_temp(id, drag));
    if modifiers.command || (spec.step.is_some_and(|step| step > 0.0) && !modifiers.shift) {
        return Some(track.snapped(track.value(drag.place), step));
    }
    let a_pixel = fine / width;
    let value = track.rounded(drag.place, a_pixel);
    Some(if spec.is_int { value.round().clamp(track.min, track.max) } else { value })
}

fn paint(theme: &Theme, ui: &Ui, slider: &Response, room: egui::Rect, track: Track, value: f64, marks: &[Mark]) {
    if !ui.is_rect_visible(room) {
        return;
    }
    let painter = ui.painter();
    let x = |value: f64| room.left() + track.place(value) as f32 * room.width();
    let rail = egui::Rect::from_center_size(room.center(), vec2(room.width(), 4.0));
    painter.rect_filled(rail, CornerRadius::same(2), theme.widget_hover);
    let filled = egui::Rect::from_min_max(rail.min, pos2(x(value), rail.max.y));
    painter.rect_filled(filled, CornerRadius::same(2), theme.accent);
    for mark in marks {
        let x = x(mark.value);
        let line = [pos2(x, room.center().y - 7.0), pos2(x, room.center().y + 7.0)];
        painter.line_segment(line, Stroke::new(1.5, mark.color));
    }
    let is_held = slider.dragged() || has_keyboard(slider);
    let radius = if is_held || slider.hovered() { 6.0 } else { 5.0 };
    let center = pos2(x(value), room.center().y);
    painter.circle_filled(center, radius, if is_held { theme.accent } else { theme.text });
    painter.circle_stroke(center, radius, Stroke::new(1.5, theme.panel));
}

#[cfg(test)]
mod tests {
    use super::Track;

    #[test]
    fn places_and_values_go_round() {
        for (min, max) in [(0.0, 100.0), (-5.0, 5.0), (1.0, 100_000.0)] {
            let track = Track::new(min, max).unwrap();
            for i in 0..=10 {
                let place = f64::from(i) / 10.0;
                let there = track.value(place);
                assert!((min..=max).contains(&there));
                assert!((track.place(there) - place).abs() < 1e-9, "{min}..{max} at {place}");
            }
        }
        assert_eq!(Track::new(0.0, 10.0).map(|it| it.place(99.0)), Some(1.0), "what is out of range is at its end");
    }

    #[test]
    fn a_range_without_room_has_no_track() {
        for (min, max) in [(5.0, 1.0), (3.0, 3.0), (f64::NAN, 1.0), (f64::MIN, f64::MAX), (0.0, f64::INFINITY)] {
            assert_eq!(Track::new(min, max), None, "{min}..{max}");
        }
    }

    #[test]
    fn what_a_pixel_cannot_tell_apart_is_not_written() {
        // 200 points for 0 to 100: a point is a half, so a tenth is as fine as it gets; with Shift a hundredth.
        let track = Track::new(0.0, 100.0).unwrap();
        assert_eq!(track.rounded(0.123_456, 1.0 / 200.0), 12.3);
        assert_eq!(track.rounded(0.123_456, 0.1 / 200.0), 12.35);
        assert_eq!(track.snapped(12.6, 0.5), 12.5);
        assert_eq!(track.snapped(99.9, 30.0), 90.0);
        assert_eq!(track.notch(), 1.0);
    }
}
