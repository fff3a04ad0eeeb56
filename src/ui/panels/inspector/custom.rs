//! The custom fields of levels, layers and tiles: those that the game's schemas declare for them, and what they have
//! beside.

use egui::Ui;

use super::{
    record::Places,
    row::{RESET, Row, least_width, row_ui},
};
use crate::{
    model::{
        FieldSpec, FieldsOf, Name, Value,
        reflect::{Data, Key, MapView, View},
    },
    ui::{
        Cx,
        widgets::{
            section,
            value::{type_of, value_ui},
        },
    },
};

/// Show the custom fields of records: the values that the first has, and those of the others, as maps by name under
/// `key`.
pub(super) fn custom_fields_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (places, key, prefix): (&Places<'_>, &str, &str),
    of: FieldsOf,
    (first, others): (&dyn MapView, &[&dyn MapView]),
) {
    let specs = of.specs(&cx.resolution.schema);
    let has_unknown =
        |map: &dyn MapView| (0..map.len()).filter_map(|at| map.name_at(at)).any(|name| !specs.contains_key(name));
    if specs.is_empty() && !has_unknown(first) {
        return;
    }
    section(cx.theme, ui, "Custom fields");
    for (name, spec) in specs {
        field_ui(cx, ui, (places, key, prefix), (name, Some(spec)), (first, others));
    }
    for name in (0..first.len()).filter_map(|at| first.name_at(at)).filter(|name| !specs.contains_key(*name)) {
        field_ui(cx, ui, (places, key, prefix), (&name.into(), None), (first, others));
    }
}

fn field_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (places, key, prefix): (&Places<'_>, &str, &str),
    (name, spec): (&Name, Option<&FieldSpec>),
    (first, others): (&dyn MapView, &[&dyn MapView]),
) {
    let given = value_in(first, name);
    let guessed = || FieldSpec::of(type_of(given.unwrap_or(&Value::Bool(false))));
    let (is_unknown, spec) = (spec.is_none(), spec.cloned().unwrap_or_else(guessed));
    let default = spec.default_value();
    let value = given.unwrap_or(&default);
    let is_mixed = others.iter().any(|other| value_in(*other, name).unwrap_or(&default) != value);
    let full = format!("{prefix}{key}.{name}");
    let row = Row {
        key: name,
        name: &full,
        spec: &spec,
        is_unknown,
        // Of several, one that has a value of its own is enough to reset.
        is_default: given.is_none() && others.iter().all(|other| value_in(*other, name).is_none()),
        least: least_width(&spec.ty),
        is_mixed,
        reset: Some(if is_unknown { ["Remove", "No schema declares it"] } else { RESET }),
        problems: places.problems(cx, &[key, name]),
    };
    let is_one = !matches!(value, Value::List(_) | Value::Map(_) | Value::Struct(_));
    let is_reset = row_ui(cx, ui, &row, &mut |ui| {
        if is_mixed && !is_one {
            ui.label(cx.theme.caption("select one alone to edit it"));
            return;
        }
        if let Some(change) = value_ui(cx, ui, &full, &spec, value) {
            places.set(cx, &[key, name], change.map(Data::from));
        }
    });
    if is_reset {
        places.reset(cx, &[key, name]);
    }
}

fn value_in<'m>(map: &'m dyn MapView, name: &Name) -> Option<&'m Value> {
    match map.value_at(map.index_of(&Key::Name(name.clone()))?)?.view() {
        View::Value(value) => Some(value),
        _ => None,
    }
}
