//! A number declared as a factor or a summand: the inherited value, the operation with an editor of its own, and the
//! result: `20 × 0.5 = 10`.

use std::sync::Arc;

use egui::{RichText, Ui};

use super::{Subject, field::FieldView};
use crate::{
    defs::AppliedOp,
    model::{FieldPath, FieldSpec, OpKind, Value},
    refactor::{is_by, ops_of},
    ui::{
        Cx,
        widgets::{
            Tip as _,
            number::{NumberSpec, ValueChange, drag_ui},
            value::{number_value, value_ui},
        },
    },
};

/// Show the part at `path` of a field, which has one line: with the operation, if its last word is one of the one that
/// is shown. `name` is what its editor is called.
pub(super) fn operation_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (path, name): (&FieldPath, &str),
    spec: &FieldSpec,
    value: &Value,
) -> Option<ValueChange<Value>> {
    if let Some(subject) = view.only().filter(|_| is_operable(value)) {
        operations_ui(cx, ui, view, subject, (path, name), spec);
    }
    value_ui(cx, ui, name, spec, value)
}

/// Whether the part at `path` is shown with operations before it.
pub(super) fn has_operations(view: &FieldView<'_>, path: &FieldPath) -> bool {
    view.value.value.at(path).is_some_and(is_operable)
        && view.only().is_some_and(|subject| !operations(view, subject, path).is_empty())
}

/// Whether operations work on a value: a number, or a pair of numbers.
fn is_operable(value: &Value) -> bool {
    value.as_f64().is_some() || matches!(value, Value::Tuple(_)) && value.as_vec2().is_some()
}

/// The operations of the shown owner on the part at `path`, if those are its last on it.
fn operations<'a>(view: &FieldView<'a>, subject: &Subject, path: &FieldPath) -> Vec<(&'a Arc<AppliedOp>, &'a Value)> {
    let own = view.value.provenance.iter().filter(|applied| is_by(&subject.owner, &applied.by));
    let own: Vec<_> = own.filter_map(|applied| Some((applied, applied.operand.at(path)?))).collect();
    let is_word = |applied: &AppliedOp| matches!(applied.op, OpKind::Scale | OpKind::Add);
    if !own.last().is_some_and(|(applied, _)| is_word(applied)) {
        return Vec::new();
    }
    own.into_iter().filter(|(applied, operand)| is_word(applied) && is_operable(operand)).collect()
}

/// The operations before the number they come to.
fn operations_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    subject: &Subject,
    (path, full): (&FieldPath, &str),
    spec: &FieldSpec,
) {
    let provenance = &view.value.provenance;
    let operations = operations(view, subject, path);
    let Some((first, _)) = operations.first() else { return };
    let at = provenance.iter().position(|applied| Arc::ptr_eq(applied, first));
    let before = at.and_then(|at| provenance.get(at.checked_sub(1)?));
    ui.spacing_mut().item_spacing.x = 3.0;
    if let Some((before, value)) = before.and_then(|before| Some((before, before.after.at(path)?))) {
        let text = cx.theme.caption(plain(value));
        ui.label(text).tip(format!("{value} {}", super::card::by(&before.by)));
    }
    for (applied, operand) in operations {
        let (sign, name) = if applied.op == OpKind::Scale { ("×", "factor") } else { ("+", "summand") };
        ui.label(RichText::new(sign).color(cx.theme.accent));
        // The declared value, not the shown one, which may be a few frames behind.
        let operand = ops_of(cx.project, &subject.owner)
            .and_then(|ops| ops.declared(applied.op, view.component, view.field)?.at(path))
            .unwrap_or(operand);
        let is_int = matches!((operand, view.value.value.at(path)), (Value::Int(_), Some(Value::Int(_))));
        let step = if applied.op == OpKind::Scale { Some(0.01) } else { spec.step };
        let spec = NumberSpec { step, is_int: is_int && applied.op == OpKind::Add, ..NumberSpec::default() };
        let full = format!("{full} {name}");
        let tip = format!("The {name} that is declared here");
        let change = match operand.as_vec2().filter(|_| operand.as_f64().is_none()) {
            Some([x, y]) => {
                let (on_x, change_x) = drag_ui(ui, &format!("{full} x"), x, &spec);
                let (on_y, change_y) = drag_ui(ui, &format!("{full} y"), y, &spec);
                on_x.union(on_y).tip(tip);
                let change_x = change_x.map(|change| change.map(|x| Value::vec2(x, y)));
                change_x.or(change_y.map(|change| change.map(|y| Value::vec2(x, y))))
            }
            None => {
                let now = operand.as_f64().unwrap_or_default();
                let (response, change) = drag_ui(ui, &full, now, &spec);
                response.tip(tip);
                change.map(|change| change.map(|x| number_value(x, is_int)))
            }
        };
        if let Some(change) = change {
            let (operand, phase) = change.into_parts();
            let edit = view.of(subject).edit_of(applied.op, path.clone(), operand);
            view.gesture(cx, vec![edit], phase);
        }
    }
    ui.label(RichText::new("=").color(cx.theme.text_weak));
}

/// A number without insignificant digits.
fn plain(value: &Value) -> String {
    if let Some([x, y]) = value.as_vec2() {
        return format!("({}, {})", plain(&Value::Float(x)), plain(&Value::Float(y)));
    }
    let Some(x) = value.as_f64() else { return value.to_string() };
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
