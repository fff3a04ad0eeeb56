//! A number that is said as a factor or a summand: the inherited value, the operation with an editor of its own, and what it
//! comes to: `20 × 0.5 = 10`.

use egui::{RichText, Ui};

use super::field::{FieldView, plain_ui};
use crate::{
    model::{FieldPath, OpKind, Value},
    refactor::{is_by, ops_of},
    ui::{
        Cx,
        theme::SMALL,
        widgets::{
            Tip as _,
            number::{NumberSpec, drag_ui},
            value::number_value,
        },
    },
};

/// Show a field that way, if its last word is such an operation of the one that is shown. Returns whether it is.
pub(super) fn operation_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) -> bool {
    let Some(subject) = view.only() else { return false };
    let own: Vec<_> = view.value.provenance.iter().filter(|said| is_by(&subject.owner, &said.by)).collect();
    let words: Vec<_> = own
        .iter()
        .filter(|said| matches!(said.op, OpKind::Scale | OpKind::Add) && said.operand.as_f64().is_some())
        .collect();
    let is_last = own.last().is_some_and(|said| matches!(said.op, OpKind::Scale | OpKind::Add));
    let (Some(first), true) = (words.first(), is_last && view.value.value.as_f64().is_some()) else { return false };
    let at = view.value.provenance.iter().position(|said| std::sync::Arc::ptr_eq(said, first));
    let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| view.value.provenance.get(at));
    ui.spacing_mut().item_spacing.x = 3.0;
    if let Some(before) = before {
        let text = RichText::new(plain(&before.after)).size(SMALL).color(cx.theme.text_weak);
        ui.label(text).tip(format!("{} {}", before.after, super::card::by(&before.by)));
    }
    for said in words {
        let (sign, name) = if said.op == OpKind::Scale { ("×", "factor") } else { ("+", "summand") };
        ui.label(RichText::new(sign).color(cx.theme.accent));
        // What is said, not what is shown of it: the shown one may be a few frames behind.
        let operand = ops_of(cx.project, &subject.owner)
            .and_then(|ops| ops.said(said.op, view.component, view.field))
            .unwrap_or(&said.operand);
        let is_int = matches!((operand, &view.value.value), (Value::Int(_), Value::Int(_)));
        let step = if said.op == OpKind::Scale { Some(0.01) } else { view.spec.step };
        let spec = NumberSpec { step, is_int: is_int && said.op == OpKind::Add, ..NumberSpec::default() };
        let now = operand.as_f64().unwrap_or_default();
        let (response, change) = drag_ui(ui, &format!("{} {name}", view.full), now, &spec);
        response.tip(format!("The {name} that is said here"));
        if let Some(change) = change {
            let (x, phase) = change.into_parts();
            let edit = view.of(subject).say(said.op, FieldPath::root(), number_value(x, is_int));
            view.gesture(cx, vec![edit], phase);
        }
    }
    ui.label(RichText::new("=").color(cx.theme.text_weak));
    if let Some(change) = plain_ui(cx, ui, view) {
        view.send(cx, change);
    }
    true
}

/// A number without what nobody needs to see of it.
fn plain(value: &Value) -> String {
    let Some(x) = value.as_f64() else { return value.to_string() };
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
