//! Structs and maps part by part, each with its provenance: they merge, so a part can be one's own while the rest is
//! inherited.

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Subject, field::FieldView, list::list_ui, operation::operation_ui};
use crate::{
    defs::Badge,
    edit::{Edit, with_part},
    editor::Action,
    model::{FieldPath, FieldSpec, FieldType, Value},
    refactor::{part_badge, removed_entries},
    ui::{
        Cx,
        widgets::{
            IconButton, Tip as _, at_right, badge, badge_name, editor_in_row, keyed, matches,
            number::ValueChange,
            value::{entries_ui, is_tall, type_of},
        },
    },
};

/// Whether a search means a value or something in it: each of its words is in the path to it.
pub(super) fn is_part_meant(query: &str, path: &str, ty: &FieldType, value: &Value) -> bool {
    if query.is_empty() || matches(query, path) {
        return true;
    }
    match ty {
        FieldType::Struct(specs) => specs.iter().any(|(field, spec)| {
            let default = || spec.default_value();
            let part = value.field(field).cloned().unwrap_or_else(default);
            is_part_meant(query, &format!("{path}.{field}"), &spec.ty, &part)
        }),
        FieldType::Map(item) => {
            let entries = if let Value::Map(entries) = value { entries.as_slice() } else { &[] };
            let path_of = |key: &Value| format!("{path}.{}", key.as_str().unwrap_or_default());
            entries.iter().any(|(key, one)| is_part_meant(query, &path_of(key), item, one))
        }
        FieldType::List(item) => {
            let mut items = value.as_list().unwrap_or_default().iter().enumerate();
            items.any(|(i, one)| is_part_meant(query, &format!("{path}[{i}]"), item, one))
        }
        FieldType::Option(inner) => value.as_option().is_some_and(|one| is_part_meant(query, path, inner, one)),
        FieldType::Any => match type_of(value) {
            FieldType::Any => false,
            ty => is_part_meant(query, path, &ty, value),
        },
        _ => false,
    }
}

/// Show a struct or map at `path` inside a field; `name` is what its parts are called after.
pub(super) fn parts_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (path, name): (&FieldPath, &str),
    ty: &FieldType,
    value: &Value,
) -> Option<ValueChange<Value>> {
    match ty {
        FieldType::Struct(specs) => {
            let mut out = None;
            for (field, spec) in specs {
                let shown = value.field(field).cloned().unwrap_or_else(|| spec.default_value());
                let name = format!("{name}.{field}");
                if !is_part_meant(view.query, &name, &spec.ty, &shown) {
                    continue;
                }
                let change = part_ui(cx, ui, view, (&path.key(field), &name), (field, spec), &shown);
                if let Some(change) = change {
                    out = Some(change.map(|new| with_part(value, &FieldPath::keys([field]), new)));
                }
            }
            out
        }
        FieldType::List(item) => list_ui(cx, ui, view, (path, name), item, value),
        FieldType::Map(item) => map_ui(cx, ui, view, (path, name), item, value),
        _ => operation_ui(cx, ui, view, (path, name), &FieldSpec::of(ty.clone()), value),
    }
}

/// One part: its provenance badge, its name, its editor, and reset.
fn part_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (path, name): (&FieldPath, &str),
    (field, spec): (&str, &FieldSpec),
    value: &Value,
) -> Option<ValueChange<Value>> {
    let ty = if spec.ty == FieldType::Any { type_of(value) } else { spec.ty.clone() };
    let is_tall = is_tall(&ty) || spec.lines;
    let declared = part_badge(view.value, path, &view.first.owner);
    let mut out = None;
    keyed(ui, name, |ui| {
        ui.horizontal(|ui| {
            badge(cx.theme, ui, declared, &format!("{name} is {}", badge_name(declared))).tip(badge_name(declared));
            let label = cx.theme.caption(field);
            let label = ui.label(label);
            if !spec.doc.is_empty() {
                label.tip(&spec.doc);
            }
            at_right(ui, |ui| {
                if matches!(declared, Badge::Own | Badge::Instance) {
                    reset_ui(cx, ui, view, path, name);
                } else {
                    ui.add_space(30.0);
                }
                if !is_tall {
                    editor_in_row(ui, |ui| {
                        out = operation_ui(cx, ui, view, (path, name), spec, value);
                    });
                }
            });
        });
        if is_tall {
            ui.indent("value", |ui| {
                out = keyed(ui, "editor", |ui| {
                    if spec.lines {
                        operation_ui(cx, ui, view, (path, name), spec, value)
                    } else {
                        parts_ui(cx, ui, view, (path, name), &ty, value)
                    }
                });
            });
        }
    });
    out
}

fn reset_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, path: &FieldPath, name: &str) {
    let reset = format!("Reset {name}");
    if IconButton::new(icons::ICON_UNDO.codepoint, &reset)
        .in_row()
        .show(cx.theme, ui)
        .tip("Back to inherited")
        .clicked()
    {
        let (component, field) = (view.component.clone(), view.field.clone());
        let clear = |subject: &Subject| {
            let (owner, component, field) = (subject.owner.clone(), component.clone(), field.clone());
            Edit::ClearValue { owner, op: None, component, field, inner: path.clone() }
        };
        cx.send(Action::Edits { label: reset, edits: view.subjects.iter().map(clear).collect() });
    }
}

fn map_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (path, name): (&FieldPath, &str),
    item: &FieldType,
    value: &Value,
) -> Option<ValueChange<Value>> {
    let declared = |key: &str| part_badge(view.value, &path.key(key), &view.first.owner);
    let mark = |ui: &mut Ui, key: &str| {
        let declared = declared(key);
        badge(cx.theme, ui, declared, &format!("{name}.{key} is {}", badge_name(declared))).tip(badge_name(declared));
    };
    let reset = |ui: &mut Ui, key: &str| {
        if matches!(declared(key), Badge::Own | Badge::Instance) {
            reset_ui(cx, ui, view, &path.key(key), &format!("{name}.{key}"));
        }
    };
    let is_meant = |key: &str, one: &Value| is_part_meant(view.query, &format!("{name}.{key}"), item, one);
    let change = entries_ui(cx, ui, name, (item, value, &is_meant), [&mark, &reset], |ui, key, one| {
        let ty = if *item == FieldType::Any { type_of(one) } else { item.clone() };
        parts_ui(cx, ui, view, (&path.key(key), &format!("{name}.{key}")), &ty, one)
    });
    let removed = view.only().map(|subject| removed_entries(view.value, &subject.owner, path)).unwrap_or_default();
    let mut restored = None;
    for entry in removed {
        ui.horizontal(|ui| {
            let restore = format!("Restore {name}.{}", entry.0.as_str().unwrap_or_default());
            if IconButton::new(icons::ICON_UNDO.codepoint, &restore).in_row().show(cx.theme, ui).tip(&restore).clicked()
            {
                let entries = if let Value::Map(entries) = value { entries.as_slice() } else { &[] };
                restored = Some(ValueChange::Commit(Value::Map(entries.iter().chain([entry]).cloned().collect())));
            }
            let text = format!("{} {}", entry.0.as_str().unwrap_or_default(), entry.1);
            ui.label(RichText::new(text).strikethrough().color(cx.theme.text_weak)).tip("Inherited, and removed here");
        });
    }
    restored.or(change)
}
