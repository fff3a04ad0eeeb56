//! The fields of what documents declare (layers, waypoints, tilesets, tiles, scenarios, …), edited by what their description
//! says: the same editors, marks and ways back as for components. A new field or kind of record costs nothing here.
//!
//! Invariant: nothing is edited here; every change is sent as an edit of its place.

use egui::{Id, Rect, RichText, Ui, vec2};
use egui_material_icons::icons;

use crate::{
    defs::Badge,
    edit::{Edit, Phase, RefKind, TypedRefs},
    editor::Action,
    model::{
        DocPath, FieldPath, FieldType, Name, Seg, TileShape, Value,
        reflect::{
            Choice, ChoiceView, Data, Field, Key, ListView, MapView, Names, Record, RecordView, Reflect, Type, View,
            by_index, each_field, place, record_in,
        },
    },
    refactor::cell_text,
    ui::{
        Cx,
        theme::{ROW, SMALL},
        widgets::{
            Fold, IconButton, Tip as _, at_right, badge, badge_name, folding,
            number::{Change, NumberSpec, drag_ui},
            squiggle,
            value::{is_tall, pick_ui, text_ui, value_ui},
        },
    },
};

/// Records of one kind at places of a document, edited together.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The document.
    pub doc: &'a DocPath,
    /// Where they are; the first one is shown.
    pub all: &'a [FieldPath],
    /// Fields that are shown elsewhere, or not at all.
    pub hidden: &'a [&'a str],
    /// What stands before the accessible names of their fields; empty for what they are.
    pub prefix: &'a str,
}

impl<'a> Places<'a> {
    /// Records whose fields go by their own names.
    #[must_use]
    pub fn new(doc: &'a DocPath, all: &'a [FieldPath], hidden: &'a [&'a str]) -> Self {
        Self { doc, all, hidden, prefix: "" }
    }

    fn set(&self, cx: &Cx<'_>, key: &str, change: Change<Data>) {
        let (data, phase) = change.into_parts();
        let set = |at: &FieldPath| Edit::Set { doc: self.doc.clone(), at: at.key(key), data: data.clone() };
        self.send(cx, self.all.iter().map(set).collect(), phase);
    }

    fn reset(&self, cx: &Cx<'_>, key: &str) {
        let reset = |at: &FieldPath| Edit::Remove { doc: self.doc.clone(), at: at.key(key) };
        self.send(cx, self.all.iter().map(reset).collect(), Phase::Commit);
    }

    fn send(&self, cx: &Cx<'_>, edits: Vec<Edit>, phase: Phase) {
        let label = edits.first().map(Edit::label).unwrap_or_default();
        let label = if edits.len() > 1 { format!("{label} and {} more", edits.len() - 1) } else { label };
        cx.send(Action::Gesture { label, edits, phase });
    }
}

/// Room for the mark before a field's name, in points.
const MARK: f32 = 22.0;

/// A field of records.
struct FieldView<'a> {
    places: Places<'a>,
    field: &'static Field,
    value: &'a dyn Reflect,
    is_default: bool,
    is_mixed: bool,
    /// Whether it has a default to go back to.
    has_default: bool,
    /// Its accessible name, unique in the window.
    name: String,
}

/// Show the fields of records.
pub fn record_ui(cx: &Cx<'_>, ui: &mut Ui, places: Places<'_>) {
    let Some(root) = cx.project.doc(places.doc).map(|document| document.root()) else { return };
    let record_at = |at: &FieldPath| record_in(place(root, &at.0)?.0);
    let Some((first, others)) = places.all.split_first() else { return };
    let Some(record) = record_at(first) else { return };
    let others: Vec<&dyn RecordView> = others.iter().filter_map(record_at).collect();
    // A layer's opacity is `layer.opacity`, as the speed of a walker is `Walker.speed`.
    let noun = record.record().what.rsplit(' ').next().unwrap_or_default();
    let prefix = if places.prefix.is_empty() { format!("{noun}.") } else { places.prefix.to_owned() };
    let kinds = choices_ui(cx, ui, (places, &prefix), record);
    each_field(record, &mut |it| {
        if places.hidden.contains(&it.field.key) {
            return;
        }
        let is_other = |other: &&dyn RecordView| {
            let mut found = false;
            each_field(*other, &mut |its| found |= its.field.key == it.field.key && its.value.equals(it.value));
            !found
        };
        let name = format!("{prefix}{}", it.field.key);
        let is_mixed = others.iter().any(is_other);
        let has_default = !it.field.is_required && !kinds.contains(&it.field.key);
        let view = FieldView {
            has_default,
            places,
            field: it.field,
            value: it.value,
            is_default: it.is_default,
            is_mixed,
            name,
        };
        match it.value.view() {
            _ if matches!(it.field.names, Names::Declares(_)) => rename_ui(cx, ui, &view),
            View::List(list) if list.item_type().record().is_some() => list_ui(cx, ui, &view, list),
            View::Map(map) if map.item_type().record().is_some() => map_ui(cx, ui, &view, map),
            _ => field_ui(cx, ui, &view),
        }
    });
}

/// A name that others use. Of a tile it is changed here, with its uses; other names are changed by the command Rename.
fn rename_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let (Names::Declares(FieldType::Tile), View::Text(name)) = (view.field.names, view.value.view()) else { return };
    let [at] = view.places.all else { return };
    let Some(Seg::Key(id)) = at.0.last() else { return };
    ui.horizontal(|ui| {
        ui.add_space(MARK);
        ui.label(RichText::new(view.field.key).color(cx.theme.text)).tip(&view.field.spec().doc);
        if let Some(change) = text_ui(ui, &view.name, name) {
            let typed = TypedRefs::of(&cx.resolution.schema, RefKind::Tile);
            let (to, _) = change.into_parts();
            cx.send(Action::Edit(Edit::rename(view.places.doc, id, &to, typed)));
        }
    });
}

/// Which of several kinds of content records have, where that shows in the field that is there.
/// Returns the fields that show it.
fn choices_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (places, prefix): (Places<'_>, &str),
    record: &dyn RecordView,
) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for (at, field) in record.record().fields.iter().enumerate().filter(|(_, field)| field.is_flat) {
        let Some(View::Choice(choice)) = record.get(at).map(Reflect::view) else { continue };
        if !choice.choice().is_by_key {
            continue;
        }
        let (now, words) = (choice.variant().map_or("", |it| it.key), words_of(choice.choice()));
        let name = format!("{prefix}{}", choice.choice().what);
        kinds.push(now);
        ui.horizontal(|ui| {
            ui.add_space(MARK);
            ui.label(cx.theme.caption(choice.choice().what));
            if let Some(word) = pick_ui(cx, ui, &name, now, words.iter()).filter(|word| **word != *now) {
                become_kind(cx, places, (record, field), choice, &word);
            }
        });
    }
    kinds
}

fn words_of(choice: &Choice) -> Vec<Name> {
    choice.variants.iter().map(|variant| variant.key.into()).collect()
}

/// Give records another kind of content; what they have beside it stays.
fn become_kind(
    cx: &Cx<'_>,
    places: Places<'_>,
    (record, field): (&dyn RecordView, &Field),
    choice: &dyn ChoiceView,
    word: &Name,
) {
    let Some(variant) = choice.choice().variants.iter().find(|variant| *variant.key == **word) else { return };
    let mut fields: Vec<(Name, Data)> = Vec::new();
    for (at, other) in record.record().fields.iter().enumerate().filter(|(_, other)| other.key != field.key) {
        if let Some(value) = record.get(at).filter(|_| !other.is_flat) {
            fields.push((other.key.into(), Data::of(value)));
        } else if let Some(View::Choice(other)) = record.get(at).map(Reflect::view)
            && let Some(variant) = other.variant()
        {
            match Data::of(other.content()) {
                Data::Record(_, inside) if variant.field.is_none() => fields.extend(inside),
                data => fields.push((variant.key.into(), data)),
            }
        }
    }
    // A time stays the time, whatever it is for.
    let is_alike = format!("{:?}", choice.content().ty()) == format!("{:?}", (variant.content)());
    let content = if is_alike && variant.field.is_some() {
        Data::of(choice.content())
    } else {
        blank((variant.content)(), variant.key)
    };
    fields.push((variant.key.into(), content));
    let data = Data::Record(None, fields);
    let set = |at: &FieldPath| Edit::Set { doc: places.doc.clone(), at: at.clone(), data: data.clone() };
    places.send(cx, places.all.iter().map(set).collect(), Phase::Commit);
}

/// The least value of a type, for a content whose telling field is `key`.
fn blank(ty: Type, key: &str) -> Data {
    match ty {
        Type::Record(record) => match record.fields.iter().find(|field| field.key == key) {
            Some(field) => blank((field.ty)(), ""),
            None => Data::Record(None, Vec::new()),
        },
        Type::Bool => Value::Bool(true).into(),
        Type::Int(_) | Type::Float => Value::Int(0).into(),
        Type::Text => Value::str("").into(),
        Type::Word(word) => Value::Symbol(word.words.first().copied().unwrap_or_default().into()).into(),
        Type::Pair(of) => match blank(of(), "") {
            Data::Plain(value) => Value::Tuple(vec![value.clone(), value]).into(),
            other => other,
        },
        Type::Option(_) => Data::None,
        Type::Shared(of) => blank(of(), key),
        Type::List(_) => Data::List(Vec::new()),
        Type::Map(_) | Type::MapById(_) => Data::Map(Vec::new()),
        Type::TileShape => Data::Shape(TileShape::None),
        _ => Value::Tuple(Vec::new()).into(),
    }
}

/// A record's data with the fields that have no defaults.
fn blank_record(record: &'static Record) -> Data {
    let mut fields: Vec<(Name, Data)> = Vec::new();
    for field in record.fields {
        let ty = (field.ty)();
        if field.is_flat {
            if let Type::Choice(choice) = ty {
                fields.extend(choice.variants.first().map(|it| (it.key.into(), blank((it.content)(), it.key))));
            }
        } else if field.is_required {
            let least = if field.is_above { field.min + 1.0 } else { field.min };
            let number = matches!(ty, Type::Float | Type::Int(_)) && least.is_finite() && least > 0.0;
            let data = if number { Value::Float(least).into() } else { blank(ty, "") };
            fields.push((field.key.into(), data));
        }
    }
    Data::Record(None, fields)
}

fn field_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let spec = view.field.spec();
    let is_tall = is_tall(&spec.ty);
    let (mark, name) = (if view.is_default { Badge::Default } else { Badge::Own }, &view.name);
    ui.push_id(name, |ui| {
        ui.horizontal(|ui| {
            let left = ui.cursor().left();
            badge(cx.theme, ui, mark, &format!("{name} is {}", badge_name(mark))).tip(badge_name(mark));
            let column = (ui.available_width() * 0.4).clamp(64.0, 150.0);
            let color = if view.is_default { cx.theme.text_weak } else { cx.theme.text };
            let label = ui.label(RichText::new(view.field.key).color(color)).tip(&spec.doc);
            problems_ui(cx, ui, view, &label);
            if view.is_mixed {
                ui.label(RichText::new("mixed").size(SMALL).color(cx.theme.warning)).tip("The selected differ here");
            }
            if !is_tall {
                ui.add_space((left + column + 24.0 - ui.cursor().left()).max(0.0));
            }
            at_right(ui, |ui| {
                if view.is_default || !view.has_default {
                    ui.add_space(30.0);
                } else if IconButton::new(icons::ICON_UNDO.codepoint, &format!("Reset {name}"))
                    .in_row()
                    .show(cx.theme, ui)
                    .tip("Back to the default")
                    .clicked()
                {
                    view.places.reset(cx, view.field.key);
                }
                if !is_tall {
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| value_of_ui(cx, ui, view));
                }
            });
        });
        if is_tall {
            ui.indent("value", |ui| value_of_ui(cx, ui, view));
        }
    });
}

/// Underline a label where something is wrong with its field.
fn problems_ui(cx: &Cx<'_>, ui: &Ui, view: &FieldView<'_>, label: &egui::Response) {
    let Some(first) = view.places.all.first() else { return };
    let Some(document) = cx.project.doc(view.places.doc) else { return };
    let path = by_index(document.root(), &first.key(view.field.key));
    let mut found = cx.problem_index.at(cx.problems, view.places.doc, &path);
    if let Some(worst) = found.next() {
        let finding = &worst.problem.finding;
        squiggle(ui, label.rect, cx.theme.severity(finding.severity));
        label.clone().on_hover_text(&finding.message);
    }
}

/// The editor of a field's value.
fn value_of_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    if view.is_mixed && matches!(view.value.view(), View::List(_) | View::Map(_)) {
        ui.label(cx.theme.caption("select one alone to edit it"));
        return;
    }
    let change = match (view.value.view(), view.value.ty()) {
        (View::Word(now), Type::Word(word)) => {
            let words: Vec<Name> = word.words.iter().map(|word| (*word).into()).collect();
            let picked = pick_ui(cx, ui, &view.name, now, words.iter());
            picked.map(|word| Change::Commit(Value::Symbol(word).into()))
        }
        (View::Option(now), Type::Option(of)) if matches!(of(), Type::Word(_)) => {
            let Type::Word(word) = of() else { return };
            let words: Vec<Name> = std::iter::once("None").chain(word.words.iter().copied()).map(Name::from).collect();
            let now = match now.map(Reflect::view) {
                Some(View::Word(word)) => word,
                _ => "None",
            };
            let picked = pick_ui(cx, ui, &view.name, now, words.iter());
            picked.map(|word| Change::Commit(if &*word == "None" { Data::None } else { Value::Symbol(word).into() }))
        }
        (View::Pair([x, y]), _) if matches!(x.view(), View::Int(_)) => int_pair_ui(ui, view, [x, y]),
        (View::TileShape(shape), _) => shape_ui(ui, shape),
        _ => {
            let spec = view.field.spec();
            match Data::of(view.value).to_value() {
                Some(value) if spec.ty != FieldType::Any || matches!(view.value.view(), View::Value(_)) => {
                    value_ui(cx, ui, &view.name, &spec, &value).map(|change| change.map(Data::from))
                }
                _ => {
                    ui.label(cx.theme.caption("edited in the file"));
                    None
                }
            }
        }
    };
    let is_none = matches!(view.value.view(), View::Option(None));
    if let Some(change) = change {
        let begun = |data: Data| match data {
            Data::Plain(Value::Float(x)) if is_none && x == 0.0 => Value::Float(view.field.first).into(),
            data => data,
        };
        view.places.set(cx, view.field.key, change.map(begun));
    }
}

fn int_pair_ui(ui: &mut Ui, view: &FieldView<'_>, both: [&dyn Reflect; 2]) -> Option<Change<Data>> {
    let number = |value: &dyn Reflect| if let View::Int(x) = value.view() { x } else { 0 };
    let [x, y] = both.map(number);
    let field = view.field;
    let limit = |x: f64| Some(x).filter(|x| x.is_finite());
    let unit = Some(field.unit).filter(|unit| !unit.is_empty());
    let spec = NumberSpec { min: limit(field.min), max: limit(field.max), step: Some(1.0), unit, is_int: true };
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "limits are small")]
    let mut one = |axis: &str, x: i64| {
        drag_ui(ui, &format!("{} {axis}", view.name), x as f64, &spec).1.map(|change| change.map(|x| x as i64))
    };
    let (on_x, on_y) = (one("x", x), one("y", y));
    let pair = |x, y| Data::from(Value::Tuple(vec![Value::Int(x), Value::Int(y)]));
    on_x.map(|change| change.map(|x| pair(x, y))).or(on_y.map(|change| change.map(|y| pair(x, y))))
}

fn shape_ui(ui: &mut Ui, now: &TileShape) -> Option<Change<Data>> {
    let mut picked = None;
    for (text, shape) in [("nothing", TileShape::None), ("the whole cell", TileShape::Full)] {
        if ui.selectable_label(*now == shape, text).clicked() {
            picked = Some(Change::Commit(Data::Shape(shape)));
        }
    }
    if let TileShape::Polygon(points) = now {
        let _ = ui.selectable_label(true, format!("a polygon of {} corners", points.len()));
    }
    picked
}

/// Records of a list, each with its fields.
fn list_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, list: &dyn ListView) {
    let Some(record) = list.item_type().record() else { return };
    let noun = record.what.split_once(' ').map_or(record.what, |(_, noun)| noun);
    let Some(base) = view.places.all.first().map(|at| at.key(view.field.key)) else { return };
    heading_ui(cx, ui, view, list.len(), || Edit::Insert {
        doc: view.places.doc.clone(),
        at: base.index(list.len()),
        data: blank_record(record),
    });
    for at in 0..list.len() {
        let Some(item) = list.get(at) else { continue };
        let prefix = format!("{}.{}.", view.name, at + 1);
        entry_ui(cx, ui, (view.places.doc, &prefix), &[base.index(at)], (&format!("{noun} {}", at + 1), item));
    }
}

/// Records of a map, each with its fields.
fn map_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, map: &dyn MapView) {
    let Some(record) = map.item_type().record() else { return };
    let Some(base) = view.places.all.first().map(|at| at.key(view.field.key)) else { return };
    let free = (0..=map.len()).map(|i| i.to_string()).find(|id| {
        let key = Key::of(id, map.has_ids());
        key.is_some_and(|key| map.index_of(&key).is_none())
    });
    heading_ui(cx, ui, view, map.len(), || Edit::Insert {
        doc: view.places.doc.clone(),
        at: base.key(&free.unwrap_or_default()),
        data: blank_record(record),
    });
    for at in 0..map.len() {
        let Some((key, item)) = map.at(at) else { continue };
        let key = key.name();
        let noun = record.what.split_once(' ').map_or(record.what, |(_, noun)| noun);
        let prefix = format!("{}.{key}.", view.name);
        entry_ui(cx, ui, (view.places.doc, &prefix), &[base.key(&key)], (&format!("{noun} {key}"), item));
    }
}

/// What a record is, in a few words: its first fields that are no defaults.
fn about(item: &dyn Reflect) -> String {
    const MOST: usize = 4;
    let Some(record) = record_in(item) else { return String::new() };
    let mut parts: Vec<String> = Vec::new();
    each_field(record, &mut |it| {
        if it.is_default || parts.len() == MOST {
            return;
        }
        let Some(value) = Data::of(it.value).to_value() else { return };
        if let Value::Str(text) = &value {
            parts.push(format!("{} {text}", it.field.key));
        } else if !matches!(value, Value::List(_) | Value::Map(_) | Value::Struct(_)) {
            parts.push(format!("{} {}", it.field.key, cell_text(&value)));
        }
    });
    parts.join(", ")
}

fn heading_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, n: usize, add: impl FnOnce() -> Edit) {
    ui.horizontal(|ui| {
        ui.strong(format!("{} ({n})", view.field.key)).tip(&view.field.spec().doc);
        at_right(ui, |ui| {
            let name = format!("Add to {}", view.name);
            if IconButton::new(icons::ICON_ADD.codepoint, &name).in_row().show(cx.theme, ui).tip(&name).clicked() {
                cx.send(Action::Edit(add()));
            }
        });
    });
}

fn entry_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, prefix): (&DocPath, &str),
    at: &[FieldPath; 1],
    (title, item): (&str, &dyn Reflect),
) {
    let [path] = at;
    let row = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ROW));
    let about = if ui.is_rect_visible(row) { about(item) } else { String::new() };
    let fold = Fold { title, name: title, about: &about, is_struck: false, is_open_at_first: false, is_forced: false };
    let delete = |ui: &mut Ui| {
        let name = format!("Delete {title}");
        if IconButton::new(icons::ICON_DELETE.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            cx.send(Action::Edit(Edit::Remove { doc: doc.clone(), at: path.clone() }));
        }
        false
    };
    folding(cx.theme, ui, Id::unique(("record", doc.as_str(), path)), fold, delete, |ui| {
        record_ui(cx, ui, Places { prefix, ..Places::new(doc, at, &[]) });
    });
}
