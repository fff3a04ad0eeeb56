//! What a component smooths, plotted under its fields; folded until one wants it.

use egui::{CollapsingHeader, Ui};

use super::tuning_row::tick_secs;
use crate::{
    defs::Resolved,
    model::{Name, Value},
    ui::{
        Cx,
        widgets::response::{Reading, response_ui},
    },
};

/// Show the response of a component of one thing, if the schema says that it has one.
pub(super) fn component_plot_ui(cx: &Cx<'_>, ui: &mut Ui, component: &Name, resolved: &Resolved) {
    let declared = cx.resolution.schema.components.get(component);
    let Some(call) = declared.and_then(|spec| spec.response.as_ref()) else { return };
    let read = |name: &str| {
        let field = resolved.get(component, name).and_then(Value::as_f64);
        let constant = || cx.tried_values().get(name).or_else(|| cx.resolution.tunable(name).map(|it| &it.value));
        field.or_else(|| constant().and_then(Value::as_f64))
    };
    let title = cx.theme.caption(format!("Response of {component}"));
    CollapsingHeader::new(title).id_salt(("response", component)).show(ui, |ui| {
        let reading = Reading { letter: "", is_active: true, read: &read };
        response_ui(cx, ui, component, call, &[reading], tick_secs(cx));
    });
}
