//! Numbers: a drag field for any. Where a range is known `slider` puts a slider before it.
//!
//! Invariant: a drag sends previews and ends in one commit, so a drag is one step of history.

use egui::{DragValue, Response, Role, Ui, WidgetInfo};

use crate::{
    model::{OpKind, typed_number},
    refactor::typed_operation,
    ui::Phase,
};

/// What a widget says of its value in a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<T> {
    /// Still being dragged.
    Preview(T),
    /// Done.
    Commit(T),
}

impl<T> Change<T> {
    /// The value with the phase of a gesture.
    pub fn into_parts(self) -> (T, Phase) {
        match self {
            Self::Preview(value) => (value, Phase::Preview),
            Self::Commit(value) => (value, Phase::Commit),
        }
    }

    /// The same about another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Change<U> {
        match self {
            Self::Preview(value) => Change::Preview(f(value)),
            Self::Commit(value) => Change::Commit(f(value)),
        }
    }
}

/// How a number is edited.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberSpec<'a> {
    /// Smallest.
    pub min: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// One notch.
    pub step: Option<f64>,
    /// Shown after the number.
    pub unit: Option<&'a str>,
    /// Whole numbers only.
    pub is_int: bool,
}

/// What a response of a draggable widget means for the gesture it is part of.
#[must_use]
pub fn phase_of(response: &Response) -> Option<Phase> {
    if response.drag_stopped() || (response.lost_focus() && !response.dragged()) {
        Some(Phase::Commit)
    } else if response.changed() {
        Some(if response.dragged() || response.has_focus() { Phase::Preview } else { Phase::Commit })
    } else {
        None
    }
}

/// A number to drag or type. `name` is what tests and people find it by.
pub fn drag_ui(ui: &mut Ui, name: &str, value: f64, spec: &NumberSpec<'_>) -> (Response, Option<Change<f64>>) {
    let mut edited = value;
    let response = ui.add(drag_value(&mut edited, spec).custom_parser(typing(ui, name, value)));
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    if super::is_wanted(ui, name) {
        response.request_focus();
    }
    let change = change(&response, value, edited, spec);
    (response, change)
}

/// Where it is kept what was typed into the number of this name and is none.
fn typed_id(name: &str, what: &str) -> egui::Id {
    egui::Id::unique(("typed into a number", what, name))
}

/// The operation that was typed into the number of this name, as `×0.5` or `+5`; it is told once. Where nobody asks, the number
/// is what it comes to.
pub fn typed_into(ui: &Ui, name: &str) -> Option<(OpKind, f64)> {
    let id = typed_id(name, "operation");
    ui.data_mut(|data| {
        let typed = data.get_temp(id);
        data.remove::<(OpKind, f64)>(id);
        typed
    })
}

/// What was typed into the number of this name and cannot be read; it is told once.
pub(super) fn nonsense(ui: &Ui, name: &str) -> Option<String> {
    ui.data_mut(|data| data.remove_temp(typed_id(name, "nonsense")))
}

/// Reads what is typed: numbers, and operations on the one that is there.
pub(super) fn typing(ui: &Ui, name: &str, now: f64) -> impl Fn(&str) -> Option<f64> + 'static {
    let (ctx, name) = (ui.ctx().clone(), name.to_owned());
    move |text| {
        if let Some((op, x)) = typed_operation(text) {
            ctx.data_mut(|data| data.insert_temp(typed_id(&name, "operation"), (op, x)));
            return Some(if op == OpKind::Scale { now * x } else { now + x });
        }
        let plain: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
        let read = typed_number(&plain);
        if read.is_none() && !plain.is_empty() {
            ctx.data_mut(|data| data.insert_temp(typed_id(&name, "nonsense"), text.to_owned()));
        }
        read
    }
}

pub(super) fn drag_value<'a>(value: &'a mut f64, spec: &NumberSpec<'a>) -> DragValue<'a> {
    let speed = spec.step.unwrap_or_else(|| match (spec.min, spec.max) {
        _ if spec.is_int => 0.1,
        (Some(min), Some(max)) if min < max && max - min <= 1000.0 => ((max - min) / 400.0).max(1e-4),
        _ => (value.abs() / 100.0).max(0.05),
    });
    let mut drag = DragValue::new(value).speed(speed).max_decimals(if spec.is_int { 0 } else { 6 });
    let (min, max) = (spec.min.unwrap_or(f64::MIN), spec.max.unwrap_or(f64::MAX));
    // Files may say a range that no number is in; then any number can be typed.
    drag = drag.range(if min <= max { min..=max } else { f64::MIN..=f64::MAX }).clamp_existing_to_range(false);
    // Typed numbers count when they are whole: Enter takes them, Escape does not.
    drag = drag.update_while_editing(false);
    match spec.unit {
        Some(unit) => drag.suffix(format!(" {unit}")),
        None => drag,
    }
}

/// What happened to a number in this frame. A field that was only visited says nothing. What is shown may be a few frames
/// behind what was asked for, so the widget remembers the last value of a drag: letting go means that one, and a drag that
/// comes back to what is still shown is told all the same.
pub(super) fn change(response: &Response, before: f64, edited: f64, spec: &NumberSpec<'_>) -> Option<Change<f64>> {
    if is_given_up(response) {
        return None;
    }
    let after = if spec.is_int { edited.round() } else { tidy(edited) };
    if !after.is_finite() {
        return None;
    }
    let is_other = (before - edited).abs() > 0.0;
    let id = response.id.with("asked for");
    match phase_of(response)? {
        Phase::Commit => {
            let asked = response.ctx.data_mut(|data| data.remove_temp::<f64>(id));
            if is_other { Some(after) } else { asked }.map(Change::Commit)
        }
        _ => {
            let asked = response.ctx.data(|data| data.get_temp::<f64>(id));
            if !is_other && asked.is_none_or(|asked| asked == after) {
                return None;
            }
            response.ctx.data_mut(|data| data.insert_temp(id, after));
            Some(Change::Preview(after))
        }
    }
}

/// Whether Escape ended the typing. The field says for two frames that it lost the focus, and only in the first is the key
/// down: in the second it would take what was typed after all.
fn is_given_up(response: &Response) -> bool {
    let id = response.id.with("given up");
    if !response.lost_focus() {
        response.ctx.data_mut(|data| data.remove::<bool>(id));
        return false;
    }
    if response.ctx.input(|input| input.key_pressed(egui::Key::Escape)) {
        response.ctx.data_mut(|data| data.insert_temp(id, true));
        return false;
    }
    response.ctx.data(|data| data.get_temp::<bool>(id)).unwrap_or_default()
}

/// The number without the dust of arithmetic: at most nine significant digits, so that files stay readable.
#[must_use]
pub fn tidy(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn dust_is_swept_and_numbers_stay() {
        for (x, clean) in [(0.1 + 0.2, 0.3), (110.0, 110.0), (-0.070_312_5, -0.070_312_5), (1e12, 1e12)] {
            assert!((tidy(x) - clean).abs() == 0.0, "{x}");
        }
    }
}
