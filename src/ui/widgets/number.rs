//! Numbers: a drag field for any. Where a range is known `slider` puts a slider before it.
//!
//! Invariant: a drag sends previews and ends in one commit, so a drag is one step of history.

use super::{super::focus, has_keyboard};
use egui::{DragValue, Id, Popup, PopupCloseBehavior, Response, Role, Ui, WidgetInfo};

use crate::{
    defs::operated,
    edit::Phase,
    model::{FieldType, Typed, Value, read_typed, read_typed_pair},
};

/// A change of a widget's value in a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueChange<T> {
    /// Still being dragged.
    Preview(T),
    /// Done.
    Commit(T),
}

impl<T> ValueChange<T> {
    /// The value with the phase of a gesture.
    pub fn into_parts(self) -> (T, Phase) {
        match self {
            Self::Preview(value) => (value, Phase::Preview),
            Self::Commit(value) => (value, Phase::Commit),
        }
    }

    /// The same about another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> ValueChange<U> {
        match self {
            Self::Preview(value) => ValueChange::Preview(f(value)),
            Self::Commit(value) => ValueChange::Commit(f(value)),
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
fn phase_of(response: &Response) -> Option<Phase> {
    if response.drag_stopped() || (response.lost_focus() && !response.dragged()) {
        Some(Phase::Commit)
    } else if response.changed() {
        Some(if response.dragged() || has_keyboard(response) { Phase::Preview } else { Phase::Commit })
    } else {
        None
    }
}

/// A number to drag or type. `name` is what tests and people find it by.
pub fn drag_ui(ui: &mut Ui, name: &str, value: f64, spec: &NumberSpec<'_>) -> (Response, Option<ValueChange<f64>>) {
    let mut edited = value;
    let response = typed_drag(ui, name, value, &mut edited, spec);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    if super::is_wanted(ui, name) {
        response.request_focus();
    }
    let change = change(&response, value, edited, spec);
    (response, change)
}

/// A number's field that reads what is typed. What is typed is looked at while it is typed, and counts when the field
/// is left.
pub(super) fn typed_drag(ui: &mut Ui, name: &str, now: f64, edited: &mut f64, spec: &NumberSpec<'_>) -> Response {
    let id = ui.next_auto_id();
    let reader = typing(ui, id, name, now, spec.unit);
    let response = ui.add(drag_value(edited, spec).update_while_editing(true).custom_parser(reader));
    if !ui.memory(|memory| memory.has_focus(id)) {
        if is_given_up(&response) {
            forget(ui, id);
        }
        focus::rest(ui, &response, name);
        return response;
    }
    let live = ui.data(|data| data.get_temp::<String>(id.with(LIVE)));
    if let Some(text) = live.filter(|text| !text.trim().is_empty()) {
        match read_component(name, &text, spec.unit) {
            Ok(typed) => {
                let typing = Typing { name: name.to_owned(), typed, response: response.clone() };
                put(ui, TYPING, typing);
            }
            Err(why) => {
                let color = ui.visuals().error_fg_color;
                under(&response, |ui| ui.colored_label(color, why));
            }
        }
    }
    response
}

/// Show something under a field while it is typed into.
pub fn under(response: &Response, content: impl FnOnce(&mut Ui) -> Response) {
    let popup = Popup::from_response(response).open(true).kind(egui::PopupKind::Tooltip);
    popup.close_behavior(PopupCloseBehavior::IgnoreClicks).show(|ui| {
        ui.set_max_width(320.0);
        content(ui)
    });
}

/// Where the text that is being typed into a field is kept.
const LIVE: &str = "text being typed";
/// Where it is kept what is being typed, in this pass.
const TYPING: &str = "number being typed";
/// Where it is kept what was typed, in this pass.
const TYPED: &str = "typed number";
/// Where it is kept why what was typed cannot be read, in this pass.
const REFUSED: &str = "typed number refused";

/// Where it is kept that Escape ended the typing of a number, in this pass.
const GIVEN_UP: &str = "typed number given up";

/// Whether Escape has ended the typing of a number in this pass: it means no more than that then.
pub fn was_given_up(ui: &Ui) -> bool {
    take(ui, GIVEN_UP, |(): &()| true).is_some()
}

/// A number that is being typed.
#[derive(Clone)]
pub struct Typing {
    /// The number's name.
    pub name: String,
    /// What it means so far.
    pub typed: Typed,
    /// The field it is typed into.
    pub response: Response,
}

/// Keep something until the end of this pass.
fn put<T: Clone + Send + Sync + 'static>(ui: &Ui, what: &str, it: T) {
    put_in(ui.ctx(), what, it);
}

fn put_in<T: Clone + Send + Sync + 'static>(ctx: &egui::Context, what: &str, it: T) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(Id::unique(what), (pass, it)));
}

/// Take what was kept, if it was kept in this pass and is the one asked for.
fn take<T: Clone + Send + Sync + 'static>(ui: &Ui, what: &str, is_meant: impl FnOnce(&T) -> bool) -> Option<T> {
    let pass = ui.ctx().cumulative_pass_nr();
    ui.data_mut(|data| {
        let id = Id::unique(what);
        let (_, it) = data.get_temp::<(u64, T)>(id).filter(|(of, it)| *of == pass && is_meant(it))?;
        data.remove::<(u64, T)>(id);
        Some(it)
    })
}

/// The number that is being typed, if its name is one of those asked for.
pub fn being_typed(ui: &Ui, is_meant: impl FnOnce(&str) -> bool) -> Option<Typing> {
    take(ui, TYPING, |typing: &Typing| is_meant(&typing.name))
}

/// The text typed into a number whose name `is_meant` accepts; returned once. If no caller takes it, the number is set
/// to the result of the typed operation on the previous one.
pub fn typed_into(ui: &Ui, is_meant: impl FnOnce(&str) -> bool) -> Option<(String, Typed)> {
    take(ui, TYPED, |(name, _): &(String, Typed)| is_meant(name))
}

/// Why text typed into a number cannot be read, with the number's name; returned once.
pub fn refused(ui: &Ui) -> Option<String> {
    take(ui, REFUSED, |_: &String| true)
}

fn forget(ui: &Ui, id: Id) {
    ui.data_mut(|data| {
        data.remove::<String>(id.with(LIVE));
        data.remove::<(u64, (String, Typed))>(Id::unique(TYPED));
        data.remove::<(u64, String)>(Id::unique(REFUSED));
    });
}

/// Reads what is typed: numbers, and operations on the one that is there.
fn typing(ui: &Ui, id: Id, name: &str, now: f64, unit: Option<&str>) -> impl Fn(&str) -> Option<f64> + 'static {
    let (ctx, name, unit) = (ui.ctx().clone(), name.to_owned(), unit.map(str::to_owned));
    move |text| {
        if ctx.memory(|memory| memory.has_focus(id)) {
            ctx.data_mut(|data| data.insert_temp(id.with(LIVE), text.to_owned()));
            return None;
        }
        let is_edited = ctx.data_mut(|data| data.remove_temp::<String>(id.with(LIVE))).is_some();
        let typed = match read_component(&name, text, unit.as_deref()) {
            Ok(typed) => typed,
            Err(_) if text.trim().is_empty() => return None,
            Err(why) => {
                put_in(&ctx, REFUSED, format!("{name} stays as it is: {why}"));
                return None;
            }
        };
        // Of a pair, none.
        let number = match &typed {
            Typed::Value(value) => value.as_f64(),
            Typed::Operation(op, operand) => {
                let after = operated(*op, &FieldType::Float, &Value::Float(now), operand).ok();
                after.and_then(|(value, _)| value.as_f64())
            }
        };
        // What is shown is rounded; a field that was only visited stays what it is.
        let is_shown = matches!(typed, Typed::Value(_)) && number.is_some_and(|number| (number - now).abs() < 1e-6);
        if is_shown && !is_edited {
            return None;
        }
        put_in(&ctx, TYPED, (name.clone(), typed));
        number
    }
}

/// What was typed into a number's field; into one component of a pair, also what is meant for the whole pair.
fn read_component(name: &str, text: &str, unit: Option<&str>) -> Result<Typed, String> {
    let is_component = name.ends_with(" x") || name.ends_with(" y");
    let pair = || read_typed_pair(text, unit).ok().filter(Typed::is_pair);
    read_typed(text, unit).or_else(|why| if is_component { pair().ok_or(why) } else { Err(why) })
}

/// From this number on numbers are shown with an exponent.
const LONG: f64 = 1e12;

pub(super) fn drag_value<'a>(value: &'a mut f64, spec: &NumberSpec<'a>) -> DragValue<'a> {
    let speed = spec.step.unwrap_or_else(|| match (spec.min, spec.max) {
        _ if spec.is_int => 0.1,
        (Some(min), Some(max)) if min < max && max - min <= 1000.0 => ((max - min) / 400.0).max(1e-4),
        _ => (value.abs() / 100.0).max(0.05),
    });
    let is_long = value.abs() >= LONG;
    let mut drag = DragValue::new(value).speed(speed).max_decimals(if spec.is_int { 0 } else { 6 });
    let (min, max) = (spec.min.unwrap_or(f64::MIN), spec.max.unwrap_or(f64::MAX));
    // Files may say a range that no number is in; then any number can be typed.
    drag = drag.range(if min <= max { min..=max } else { f64::MIN..=f64::MAX }).clamp_existing_to_range(false);
    if is_long {
        // A hundred digits would push all else out of the pane.
        drag = drag.custom_formatter(|x, _| format!("{x:e}"));
    }
    match spec.unit {
        Some(unit) => drag.suffix(format!(" {unit}")),
        None => drag,
    }
}

/// What happened to a number in this frame. A field that was only visited says nothing. What is shown may be a few
/// frames behind what was asked for, so the widget remembers the last value of a drag: letting go means that one, and a
/// drag that comes back to the shown value is reported all the same.
pub(super) fn change(response: &Response, before: f64, edited: f64, spec: &NumberSpec<'_>) -> Option<ValueChange<f64>> {
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
            if is_other { Some(after) } else { asked }.map(ValueChange::Commit)
        }
        _ => {
            let asked = response.ctx.data(|data| data.get_temp::<f64>(id));
            if !is_other && asked.is_none_or(|asked| asked == after) {
                return None;
            }
            response.ctx.data_mut(|data| data.insert_temp(id, after));
            Some(ValueChange::Preview(after))
        }
    }
}

/// Whether Escape ended the typing. The field says for two frames that it lost the focus, and only in the first is the
/// key down: in the second it would take what was typed after all.
fn is_given_up(response: &Response) -> bool {
    let id = response.id.with("given up");
    if !response.lost_focus() {
        response.ctx.data_mut(|data| data.remove::<bool>(id));
        return false;
    }
    if response.ctx.input(|input| input.key_pressed(egui::Key::Escape)) {
        response.ctx.data_mut(|data| data.insert_temp(id, true));
        if response.ctx.data(|data| data.get_temp::<String>(response.id.with(LIVE))).is_some() {
            put_in(&response.ctx, GIVEN_UP, ());
        }
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
