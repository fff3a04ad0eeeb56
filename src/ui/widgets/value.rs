//! Editors for values by their declared type. One function for every type there is: a new component needs no more.
//!
//! Invariant: what is shown is the value given, unless a field is being typed into; every change comes back as a
//! [`ValueChange`], and nothing is edited here.

use egui::{
    Id, RichText, Ui,
    text::{CCursor, CCursorRange},
    text_edit::TextEditState,
};
use egui_material_icons::icons;
use indexmap::IndexMap;

use super::{
    IconButton, at_right, checkbox_ui,
    choose::{Choice, choose_ui, reference_ui},
    color::color_button_ui,
    editor_in_row, is_wanted, keyed, matches,
    number::{NumberSpec, ValueChange, drag_ui},
    popup_button, want,
    wanted::is_wanted_shown,
};
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{with_part, without_part},
    editor::Action,
    model::{FieldPath, FieldSpec, FieldType, Name, Shape, Value, parse_color},
    ui::{Cx, focus},
};

/// An editor for a value. `name` is its accessible name, unique in the window.
pub fn value_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, spec: &FieldSpec, value: &Value) -> Option<ValueChange<Value>> {
    match &spec.ty {
        FieldType::Bool => bool_ui(ui, name, value),
        FieldType::Int | FieldType::Float | FieldType::Angle => number_ui(ui, name, spec, value),
        FieldType::Str if spec.lines => {
            lines_ui(ui, name, value.as_str().unwrap_or_default()).map(|c| c.map(Value::Str))
        }
        text if text.is_text() => text_ui(ui, name, value.as_str().unwrap_or_default()).map(|c| c.map(Value::Str)),
        FieldType::Vec2 => vec2_ui(ui, name, spec, value),
        FieldType::Color => color_ui(cx, ui, name, value),
        FieldType::Enum(of) => {
            let words = cx.resolution.schema.enums.get(of).map_or(&[][..], Vec::as_slice);
            pick_ui(cx, ui, name, &value.to_string(), words.iter()).map(|w| ValueChange::Commit(Value::Symbol(w)))
        }
        FieldType::Flags(of) => flags_ui(cx, ui, name, of, value),
        FieldType::List(item) => list_ui(cx, ui, name, item, value),
        FieldType::Map(item) => map_ui(cx, ui, name, item, value),
        FieldType::Struct(fields) => struct_ui(cx, ui, name, fields, value),
        FieldType::Option(inner) => option_ui(cx, ui, name, spec, inner, value),
        FieldType::Shape => super::shape::shape_ui(cx, ui, name, value),
        reference if reference.is_reference() => reference_ui(cx, ui, name, &spec.ty, value),
        _ => any_ui(cx, ui, name, value),
    }
}

fn bool_ui(ui: &mut Ui, name: &str, value: &Value) -> Option<ValueChange<Value>> {
    let mut is_on = value.as_bool().unwrap_or_default();
    let response = checkbox_ui(ui, &mut is_on, "");
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_on, name));
    response.changed().then_some(ValueChange::Commit(Value::Bool(is_on)))
}

fn number_ui(ui: &mut Ui, name: &str, spec: &FieldSpec, value: &Value) -> Option<ValueChange<Value>> {
    let is_int = spec.ty == FieldType::Int;
    let unit = spec.unit.as_deref().or(if spec.ty == FieldType::Angle { Some("°") } else { None });
    let number = NumberSpec { min: spec.min, max: spec.max, step: spec.step, unit, is_int };
    let (_, change) = drag_ui(ui, name, value.as_f64().unwrap_or_default(), &number);
    let keeps_int = is_int || matches!(value, Value::Int(_));
    change.map(|change| change.map(|x| number_value(x, keeps_int)))
}

/// A number as data: whole where it was whole and still is.
#[must_use]
pub fn number_value(x: f64, keeps_int: bool) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and `as` saturates")]
    if keeps_int && x.fract() == 0.0 { Value::Int(x as i64) } else { Value::Float(x) }
}

/// One line of text; returns a change when the field loses focus or Enter is pressed.
pub fn text_ui(ui: &mut Ui, name: &str, text: &str) -> Option<ValueChange<String>> {
    let width = ui.available_width().clamp(40.0, 320.0);
    hinted_text_ui(ui, name, text, ("", width))
}

/// The same with words that stand in the field while it is empty, and its width in points.
pub fn hinted_text_ui(ui: &mut Ui, name: &str, text: &str, (hint, width): (&str, f32)) -> Option<ValueChange<String>> {
    let id = Id::unique(("text", name, ui.scope_id()));
    let mut typed = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| text.to_owned());
    let field = egui::TextEdit::singleline(&mut typed).id(id.with("edit")).hint_text(hint).desired_width(width);
    let response = ui.add(field);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
    if is_wanted(ui, name) {
        response.request_focus();
        select_all(ui, response.id, &typed);
    }
    // Not `has_focus`, which is false while another window is at the front: what was typed waits until one comes back.
    if ui.memory(|memory| memory.has_focus(response.id)) {
        ui.data_mut(|data| data.insert_temp(id, typed));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    if is_wanted_shown(ui, name) {
        focus::begin_rest(ui, &response);
        response.scroll_to_me(Some(egui::Align::TOP));
    }
    focus::rest(ui, &response, name);
    let is_left = response.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape));
    (is_left && typed != text).then_some(ValueChange::Commit(typed))
}

/// Text of several lines; returns a change when the field loses focus. Enter begins a line, Ctrl+Enter is done, Escape
/// drops it.
fn lines_ui(ui: &mut Ui, name: &str, text: &str) -> Option<ValueChange<String>> {
    let id = Id::unique(("lines", name, ui.scope_id()));
    let mut typed = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| text.to_owned());
    // The field adds its margins.
    let width = (ui.available_width() - 8.0).clamp(40.0, 480.0);
    let is_done = ui.memory(|memory| memory.has_focus(id.with("edit")))
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, egui::Key::Enter));
    let rows = typed.lines().count().clamp(2, 12);
    let field = egui::TextEdit::multiline(&mut typed).id(id.with("edit")).desired_width(width).desired_rows(rows);
    let response = ui.add(field).tip("Enter begins a line, Ctrl+Enter is done, Esc drops what was typed");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, name));
    focus::has_lines(ui.ctx(), response.id);
    if is_wanted(ui, name) {
        response.request_focus();
        response.scroll_to_me(None);
    }
    if is_done {
        response.surrender_focus();
    } else if ui.memory(|memory| memory.has_focus(response.id)) {
        ui.data_mut(|data| data.insert_temp(id, typed));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let is_left = is_done || response.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape));
    (is_left && typed != text).then_some(ValueChange::Commit(typed))
}

/// What is typed next replaces the text.
pub fn select_all(ui: &Ui, id: Id, text: &str) {
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::default(), end)));
    state.store(ui.ctx(), id);
}

fn vec2_ui(ui: &mut Ui, name: &str, spec: &FieldSpec, value: &Value) -> Option<ValueChange<Value>> {
    let [x, y] = value.as_vec2().unwrap_or_default();
    let number = NumberSpec { step: spec.step.or(Some(1.0)), unit: spec.unit.as_deref(), ..NumberSpec::default() };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (_, on_x) = drag_ui(ui, &format!("{name} x"), x, &number);
        let (_, on_y) = drag_ui(ui, &format!("{name} y"), y, &number);
        on_x.map(|change| change.map(|x| Value::vec2(x, y))).or(on_y.map(|change| change.map(|y| Value::vec2(x, y))))
    })
    .inner
}

fn color_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, value: &Value) -> Option<ValueChange<Value>> {
    let text = value.as_str().unwrap_or("#ffffff");
    ui.horizontal(|ui| {
        if let Some(change) = color_button_ui(cx.theme, ui, name, text) {
            return Some(change.map(Value::Str));
        }
        let (hex, _) = text_ui(ui, &format!("{name} hex"), text)?.into_parts();
        if parse_color(&hex).is_none() {
            cx.send(Action::Notice(format!("`{hex}` is no color; write it as #63bde2")));
            return None;
        }
        Some(ValueChange::Commit(Value::Str(hex)))
    })
    .inner
}

/// A closed choice by name.
pub fn pick_ui<'a>(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    current: &str,
    words: impl Iterator<Item = &'a Name>,
) -> Option<Name> {
    let choices = || words.map(Choice::new).collect();
    choose_ui(cx, ui, name, (current, &FieldType::Any), choices)
}

fn flags_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, of: &Name, value: &Value) -> Option<ValueChange<Value>> {
    let words = cx.resolution.schema.enums.get(of).map_or(&[][..], Vec::as_slice);
    let on: Vec<&str> = value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let text = match on.len() {
        0 => "none".to_owned(),
        n if n == words.len() => "all".to_owned(),
        _ => on.join(", "),
    };
    let shown = popup_button(ui, name, &text, |ui| {
        let id = Id::unique(("flags", name));
        let query = if words.len() > 8 { super::popup_search_field(cx.theme, ui, id, "Search") } else { String::new() };
        let mut out = None;
        for word in words.iter().filter(|word| matches(&query, word)) {
            let mut is_on = on.contains(&&**word);
            if checkbox_ui(ui, &mut is_on, &**word).changed() {
                let kept = words.iter().filter(|w| if *w == word { is_on } else { on.contains(&&***w) });
                out = Some(Value::List(kept.map(|w| Value::Symbol(w.clone())).collect()));
            }
        }
        out
    });
    shown.flatten().map(ValueChange::Commit)
}

fn list_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, item: &FieldType, value: &Value) -> Option<ValueChange<Value>> {
    let items = value.as_list().unwrap_or_default();
    let spec = FieldSpec::of(item.clone());
    let mut out = None;
    ui.vertical(|ui| {
        for (i, one) in items.iter().enumerate() {
            keyed(ui, (name, i), |ui| {
                ui.horizontal(|ui| {
                    out = remove_ui(cx, ui, &format!("{name}[{i}]"), value, i).or(out.take());
                    let change = value_ui(cx, ui, &format!("{name}[{i}]"), &spec, one);
                    out = change.map(|change| change.map(|new| with_item(value, i, new))).or(out.take());
                });
            });
        }
        out = add_item_ui(cx, ui, name, item, value).or(out.take());
    });
    out
}

/// A button that takes an element out of a list.
pub fn remove_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, list: &Value, i: usize) -> Option<ValueChange<Value>> {
    let remove = format!("Remove {name}");
    let button = IconButton::new(icons::ICON_REMOVE.codepoint, &remove).in_row().show(cx.theme, ui).tip(&remove);
    button.clicked().then(|| ValueChange::Commit(without_part(list, &FieldPath::root().index(i))))
}

/// A list with an element replaced.
#[must_use]
pub fn with_item(list: &Value, i: usize, new: Value) -> Value {
    with_part(list, &FieldPath::root().index(i), new)
}

/// A button that puts a new element at the end of a list, to be edited next.
pub fn add_item_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, item: &FieldType, list: &Value) -> Option<ValueChange<Value>> {
    let items = list.as_list().unwrap_or_default();
    let add = format!("Add to {name}");
    if !IconButton::new(icons::ICON_ADD.codepoint, &add).in_row().show(cx.theme, ui).tip("Append an element").clicked()
    {
        return None;
    }
    want(ui.ctx(), &format!("{name}[{}]", items.len()));
    Some(ValueChange::Commit(Value::List(items.iter().cloned().chain([new_element(item, items)]).collect())))
}

fn map_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, item: &FieldType, value: &Value) -> Option<ValueChange<Value>> {
    let spec = FieldSpec::of(item.clone());
    let editor = |ui: &mut Ui, key: &str, one: &Value| value_ui(cx, ui, &format!("{name}.{key}"), &spec, one);
    ui.vertical(|ui| entries_ui(cx, ui, name, (item, value, &|_, _| true), [&|_, _| {}, &|_, _| {}], editor)).inner
}

/// The name of the editor of a key, by that of its map and its number there.
pub fn key_editor(map: &str, i: usize) -> String {
    format!("{map} key {i}")
}

/// What stands beside the key of an entry.
type Beside<'a> = &'a dyn Fn(&mut Ui, &str);

/// Which entries of a map are shown.
type IsShown<'a> = &'a dyn Fn(&str, &Value) -> bool;

/// The entries of a map: key, what else stands beside it at the left and at the right, and an editor, under the key
/// where it takes more than a line.
pub fn entries_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    (item, value, is_shown): (&FieldType, &Value, IsShown<'_>),
    [left, right]: [Beside<'_>; 2],
    editor: impl Fn(&mut Ui, &str, &Value) -> Option<ValueChange<Value>>,
) -> Option<ValueChange<Value>> {
    let entries = match value {
        Value::Map(entries) => entries.as_slice(),
        _ => &[],
    };
    let (mut out, mut is_any_hidden) = (None, false);
    for (i, (key, one)) in entries.iter().enumerate() {
        let text = key.as_str().unwrap_or_default();
        if !is_shown(text, one) {
            is_any_hidden = true;
            continue;
        }
        let with = |new: Option<(Value, Value)>| {
            let mut all = entries.to_vec();
            all.splice(i..=i, new);
            Value::Map(all)
        };
        let is_tall = is_tall(&if *item == FieldType::Any { type_of(one) } else { item.clone() });
        let mut edited = None;
        keyed(ui, ("entry", name, i), |ui| {
            ui.horizontal(|ui| {
                left(ui, text);
                let remove = format!("Remove {name}.{text}");
                if IconButton::new(icons::ICON_REMOVE.codepoint, &remove)
                    .in_row()
                    .show(cx.theme, ui)
                    .tip(&remove)
                    .clicked()
                {
                    out = Some(ValueChange::Commit(with(None)));
                }
                at_right(ui, |ui| {
                    right(ui, text);
                    editor_in_row(ui, |ui| {
                        let room = ui.available_width() * if is_tall { 1.0 } else { 0.45 };
                        ui.allocate_ui(egui::vec2(room, ui.spacing().interact_size.y), |ui| {
                            let Some(change) = text_ui(ui, &key_editor(name, i), text) else { return };
                            let (key, _) = change.into_parts();
                            if entries.iter().all(|(other, _)| other.as_str() != Some(&key)) {
                                out = Some(ValueChange::Commit(with(Some((Value::Str(key), one.clone())))));
                            } else {
                                cx.send(Action::Notice(format!("There is already a {key} in {name}")));
                            }
                        });
                        if !is_tall {
                            edited = editor(ui, text, one);
                        }
                    });
                });
            });
            if is_tall {
                ui.indent("value", |ui| edited = keyed(ui, "editor", |ui| editor(ui, text, one)));
            }
        });
        if let Some(change) = edited {
            out = Some(change.map(|new| with(Some((key.clone(), new)))));
        }
    }
    // A new one would be hidden, too.
    if is_any_hidden {
        return out;
    }
    let add = format!("Add to {name}");
    if IconButton::new(icons::ICON_ADD.codepoint, &add).in_row().show(cx.theme, ui).tip("Add an entry").clicked() {
        let key = crate::edit::free_name("new", |key| entries.iter().any(|(k, _)| k.as_str() == Some(key)));
        want(ui.ctx(), &key_editor(name, entries.len()));
        let like: Vec<Value> = entries.iter().map(|(_, value)| value.clone()).collect();
        let new = (Value::Str(key.to_string()), new_element(item, &like));
        out = Some(ValueChange::Commit(Value::Map(entries.iter().cloned().chain([new]).collect())));
    }
    out
}

/// The fields of a struct below each other.
fn struct_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    specs: &IndexMap<Name, FieldSpec>,
    value: &Value,
) -> Option<ValueChange<Value>> {
    let mut out = None;
    ui.vertical(|ui| {
        for (field, spec) in specs {
            let shown = value.field(field).cloned().unwrap_or_else(|| spec.default_value());
            ui.horizontal(|ui| {
                ui.label(cx.theme.caption(&**field)).tip(&spec.doc);
                if let Some(change) = value_ui(cx, ui, &format!("{name}.{field}"), spec, &shown) {
                    out = Some(change.map(|new| with_part(value, &FieldPath::keys([field]), new)));
                }
            });
        }
    });
    out
}

fn option_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    spec: &FieldSpec,
    inner: &FieldType,
    value: &Value,
) -> Option<ValueChange<Value>> {
    ui.horizontal(|ui| {
        let content = value.as_option();
        let mut is_some = content.is_some();
        let response = checkbox_ui(ui, &mut is_some, "");
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_some, format!("{name} is set")));
        if response.changed() {
            let value = if is_some { some(inner.default_value()) } else { Value::Symbol("None".into()) };
            return Some(ValueChange::Commit(value));
        }
        let Some(content) = content else {
            ui.label(RichText::new("none").color(cx.theme.text_weak));
            return None;
        };
        let spec = FieldSpec { ty: inner.clone(), default: None, ..spec.clone() };
        value_ui(cx, ui, name, &spec, content).map(|change| change.map(some))
    })
    .inner
}

fn some(value: Value) -> Value {
    Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![value])))
}

/// A value without a declared type: edited by the type it has now.
fn any_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, value: &Value) -> Option<ValueChange<Value>> {
    let ty = match value {
        Value::Symbol(word) => return text_ui(ui, name, word).and_then(|change| word_of(cx, name, change)),
        _ => type_of(value),
    };
    if ty == FieldType::Any {
        ui.label(RichText::new(value.to_string()).monospace().color(cx.theme.text_weak));
        return None;
    }
    value_ui(cx, ui, name, &FieldSpec::of(ty), value)
}

fn word_of(cx: &Cx<'_>, name: &str, change: ValueChange<String>) -> Option<ValueChange<Value>> {
    let (word, _) = change.into_parts();
    let is_word = word.chars().all(|c| c.is_alphanumeric() || c == '_') && word.starts_with(char::is_alphabetic);
    if !is_word {
        cx.send(Action::Notice(format!("{name} is a bare word: letters, digits and underscores")));
        return None;
    }
    Some(ValueChange::Commit(Value::Symbol(word.into())))
}

/// The type by which a value of no declared type is edited; `Any` for one that is only shown.
#[must_use]
pub fn type_of(value: &Value) -> FieldType {
    let of = |value: &Value| FieldSpec { default: Some(value.clone()), ..FieldSpec::of(FieldType::Any) };
    match value {
        Value::Bool(_) => FieldType::Bool,
        Value::Int(_) => FieldType::Int,
        Value::Float(_) => FieldType::Float,
        Value::Str(text) if parse_color(text).is_some() => FieldType::Color,
        Value::Str(_) => FieldType::Str,
        Value::List(_) => FieldType::List(Box::new(FieldType::Any)),
        Value::Map(entries) if entries.iter().all(|(key, _)| key.as_str().is_some()) => {
            FieldType::Map(Box::new(FieldType::Any))
        }
        Value::Struct(fields) => {
            FieldType::Struct(fields.iter().map(|(name, value)| (name.clone(), of(value))).collect())
        }
        Value::Tagged(..) if Shape::from_value(value).is_ok() => FieldType::Shape,
        _ if value.as_vec2().is_some() => FieldType::Vec2,
        _ => FieldType::Any,
    }
}

/// Whether the editor of a type takes more than a line.
#[must_use]
pub fn is_tall(ty: &FieldType) -> bool {
    matches!(ty, FieldType::List(_) | FieldType::Map(_) | FieldType::Struct(_) | FieldType::Shape)
}

/// What a new element of a list of no declared type is: one like the last.
fn new_element(item: &FieldType, items: &[Value]) -> Value {
    match (item, items.last()) {
        (FieldType::Any, Some(last)) => type_of(last).default_value(),
        (FieldType::Any, None) => Value::str(""),
        _ => item.default_value(),
    }
}
