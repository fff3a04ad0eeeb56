//! The fields of what documents declare (layers, waypoints, tilesets, tiles, scenarios, …), edited by what their
//! description says: the same editors, marks, cards and resets as for components. A new field or kind of record needs
//! no change here.
//!
//! Invariant: nothing is edited here; every change is sent as an edit of its place.

use egui::{Id, Rect, Ui, vec2};
use egui_material_icons::icons;

use super::{
    custom::custom_fields_ui,
    row::{RESET, Row, least_width, line_ui, row_ui},
};
use crate::{
    edit::{Edit, Phase, RefKind, TypedRefs, optional_number},
    editor::{Action, LocatedProblem},
    model::{
        DocKind, DocPath, FieldPath, FieldSpec, FieldType, Level, Name, Seg, TileShape, Value,
        reflect::{
            Data, Field, Key, MapView, Names, Record, RecordView, Reflect, Type, View, ViewMut, Word, by_index,
            each_field, place, record_in, unshared_mut,
        },
    },
    refactor::cell_text,
    ui::{
        Cx,
        theme::ROW,
        widgets::{
            Fold, IconButton, Tip as _, at_right, checkbox_ui, folding,
            number::{NumberSpec, ValueChange, drag_ui},
            sentence,
            value::{hinted_text_ui, number_value, pick_ui, text_ui, value_ui},
        },
    },
};

/// Records of one kind at places of a document, edited together.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The document.
    pub doc: &'a DocPath,
    /// What is shown instead of the document, if anything.
    pub outside: Option<Outside<'a>>,
    /// Where they are; the first one is shown.
    pub all: &'a [FieldPath],
    /// Fields that are shown elsewhere, or not at all.
    pub hidden: &'a [&'a str],
    /// What stands before the accessible names of their fields; empty for what they are.
    pub prefix: &'a str,
}

/// A value that is no part of the project.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// The value.
    pub root: &'a dyn Reflect,
    /// Takes the edits of it, those of a drag too; [`crate::edit::edit_value`] makes them.
    pub edit: &'a dyn Fn(Edit),
}

impl<'a> Places<'a> {
    /// Records whose fields go by their own names.
    #[must_use]
    pub fn new(doc: &'a DocPath, all: &'a [FieldPath], hidden: &'a [&'a str]) -> Self {
        Self { doc, outside: None, all, hidden, prefix: "" }
    }

    /// The value that the records are in.
    fn root<'s>(&'s self, cx: &'s Cx<'_>) -> Option<&'s dyn Reflect> {
        let document = || cx.project.doc(self.doc).map(|document| document.root());
        self.outside.map(|it| it.root).or_else(document)
    }

    /// Give what is at the end of a way into each record another value.
    pub(super) fn set(&self, cx: &Cx<'_>, keys: &[&str], change: ValueChange<Data>) {
        let (data, phase) = change.into_parts();
        let set = |at: &FieldPath| Edit::Set {
            doc: self.doc.clone(),
            at: at.join(&FieldPath::keys(keys)),
            data: data.clone(),
        };
        self.send(cx, self.all.iter().map(set).collect(), phase);
    }

    /// Give what is at the end of a way into each record its default again, where it is there.
    pub(super) fn reset(&self, cx: &Cx<'_>, keys: &[&str]) {
        let Some(root) = self.root(cx) else { return };
        let all = self.all.iter().map(|at| at.join(&FieldPath::keys(keys)));
        let there = all.filter(|at| place(root, &at.0).is_some());
        let edits = there.map(|at| Edit::Remove { doc: self.doc.clone(), at }).collect();
        self.send(cx, edits, Phase::Commit);
    }

    /// What is wrong at the end of a way into the first record, worst first.
    pub(super) fn problems<'s>(&self, cx: &'s Cx<'_>, keys: &[&str]) -> Vec<&'s LocatedProblem> {
        let (Some(first), None) = (self.all.first(), self.outside) else { return Vec::new() };
        let Some(document) = cx.project.doc(self.doc) else { return Vec::new() };
        let path = by_index(document.root(), &first.join(&FieldPath::keys(keys)));
        let mut found: Vec<_> = cx.derived.problems_at(self.doc, &path).collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.problem.finding.severity));
        found
    }

    fn send(&self, cx: &Cx<'_>, edits: Vec<Edit>, phase: Phase) {
        if let Some(outside) = self.outside {
            edits.into_iter().for_each(outside.edit);
            return;
        }
        let label = edits.first().map(Edit::label).unwrap_or_default();
        let label = if edits.len() > 1 { format!("{label} and {} more", edits.len() - 1) } else { label };
        cx.send(Action::Gesture { label, edits, phase });
    }
}

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
    let Some(root) = places.root(cx) else { return };
    let record_at = |at: &FieldPath| record_in(place(root, &at.0)?.0);
    let Some((first, others)) = places.all.split_first() else { return };
    let Some(record) = record_at(first) else { return };
    let others: Vec<&dyn RecordView> = others.iter().filter_map(record_at).collect();
    // A layer's opacity is `layer.opacity`, as the speed of a walker is `Walker.speed`.
    let own = || format!("{}.", record.record().noun());
    let prefix = if places.prefix.is_empty() { own() } else { places.prefix.to_owned() };
    let kinds = choices_ui(cx, ui, (places, &prefix), root, record);
    let mut custom = None;
    each_field(record, &mut |it| {
        if places.hidden.contains(&it.field.key) {
            return;
        }
        let name = format!("{prefix}{}", it.field.key);
        let mut is_mixed = false;
        for other in &others {
            let mut same = None;
            each_field(*other, &mut |its| {
                if its.field.key == it.field.key {
                    same = Some(its.value.equals(it.value));
                }
            });
            match same {
                Some(is_same) => is_mixed |= !is_same,
                // Records of another kind do not have it.
                None => return,
            }
        }
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
            View::List(list) if item_record(it.value).is_some() => {
                let entry = |at| Some((Seg::Index(at), (at + 1).to_string(), list.get(at)?));
                entries_ui(cx, ui, &view, (list.len(), &entry), || Seg::Index(list.len()));
            }
            View::Map(map) if item_record(it.value).is_some() => {
                let entry = |at| map.at(at).map(|(key, item)| (Seg::Key(key.name()), key.name().to_string(), item));
                entries_ui(cx, ui, &view, (map.len(), &entry), || Seg::Key(free_key(map)));
            }
            View::Map(map) if let Names::Fields(of) = it.field.names => custom = Some((it.field.key, of, map)),
            _ => field_ui(cx, ui, &view),
        }
    });
    // The game's own are last, also behind those of flat fields.
    if let Some((key, of, map)) = custom {
        let others: Vec<&dyn MapView> = others.iter().filter_map(|other| map_in(*other, key)).collect();
        custom_fields_ui(cx, ui, (&places, key, &prefix), of, (map, &others));
    }
}

/// The map that is a field of a record.
fn map_in<'a>(record: &'a dyn RecordView, key: &str) -> Option<&'a dyn MapView> {
    let mut found = None;
    each_field(record, &mut |it| {
        if let (true, View::Map(map)) = (it.field.key == key, it.value.view()) {
            found = Some(map);
        }
    });
    found
}

/// A name that others use. Of a tile it is changed here, with its uses; other names are changed by the command Rename.
fn rename_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let (Names::Declares(FieldType::Tile), View::Text(name)) = (view.field.names, view.value.view()) else { return };
    let [at] = view.places.all else { return };
    let Some(Seg::Key(id)) = at.0.last() else { return };
    let change = line_ui(cx, ui, (view.field.key, &view.field.spec().doc), |ui| text_ui(ui, &view.name, name));
    if let Some(change) = change {
        let typed = TypedRefs::of(&cx.resolution.schema, RefKind::Tile);
        let (to, _) = change.into_parts();
        cx.send(Action::Edit(Edit::rename(view.places.doc, id, &to, typed)));
    }
}

/// Choosers for contents without a tag: which one a record has shows in the field that is there. Returns the keys of
/// these fields.
fn choices_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (places, prefix): (Places<'_>, &str),
    root: &dyn Reflect,
    record: &dyn RecordView,
) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for at in 0..record.record().fields.len() {
        let Some(View::Choice(choice)) = record.get(at).map(Reflect::view) else { continue };
        let ty = choice.choice();
        if !ty.is_by_key {
            continue;
        }
        let now = choice.variant().map_or("", |it| it.key);
        let words: Vec<Name> = ty.variants.iter().map(|variant| variant.key.into()).collect();
        kinds.push(now);
        let name = format!("{prefix}{}", ty.what);
        let word =
            line_ui(cx, ui, (ty.what, "What it is of several kinds"), |ui| pick_ui(cx, ui, &name, now, words.iter()));
        let which = word.and_then(|word| words.iter().position(|it| *it == word));
        if let Some(which) = which.filter(|which| *which != choice.which()) {
            let set = |path: &FieldPath| {
                let data = with_kind(place(root, &path.0)?.0, at, which)?;
                Some(Edit::Set { doc: places.doc.clone(), at: path.clone(), data })
            };
            places.send(cx, places.all.iter().filter_map(set).collect(), Phase::Commit);
        }
    }
    kinds
}

/// A record with another kind of content in its field `at`; what it has beside it stays.
fn with_kind(record: &dyn Reflect, at: usize, which: usize) -> Option<Data> {
    let mut new = record.boxed();
    let ViewMut::Record(fields) = unshared_mut(&mut *new) else { return None };
    let ViewMut::Choice(choice) = fields.get_mut(at)?.view_mut() else { return None };
    let old = Data::of(choice.content());
    choice.become_variant(which);
    let is_one_field = choice.choice().variants.get(which)?.field.is_some();
    let content = choice.content_mut();
    // A value that fits the new kind is kept, as a time. A switch is on at first.
    if !(is_one_field && old.put(content).is_ok())
        && let ViewMut::Bool(is_on) = content.view_mut()
    {
        *is_on = true;
    }
    Some(Data::of(&*new))
}

/// The data of a new record: the least number that a field allows, where it has no default.
fn new_record(record: &Record) -> Data {
    let least = |field: &Field| {
        let least = if field.is_above { field.min + 1.0 } else { field.min };
        let is_number = matches!((field.ty)(), Type::Float | Type::Int(_));
        (is_number && field.is_required && least > 0.0).then(|| (field.key.into(), number_value(least, true).into()))
    };
    Data::Record(None, record.fields.iter().filter_map(least).collect())
}

fn field_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let key = view.field.key;
    let row = Row {
        key,
        name: &view.name,
        spec: &view.field.spec(),
        is_unknown: false,
        is_default: view.is_default,
        least: least_of(view),
        is_mixed: view.is_mixed,
        reset: view.has_default.then_some(RESET),
        problems: view.places.problems(cx, &[key]),
    };
    if row_ui(cx, ui, &row, &mut |ui| value_of_ui(cx, ui, view)) {
        view.places.reset(cx, &[key]);
    }
}

/// How much room the editor of a field's value has to have, in points.
fn least_of(view: &FieldView<'_>) -> f32 {
    // As the editor writes them.
    let number = |it: &dyn Reflect| match it.view() {
        View::Int(x) => x.to_string(),
        View::Float(x) if view.field.step < 1.0 => format!("{x:.2}"),
        View::Float(x) => x.to_string(),
        _ => String::new(),
    };
    let unit = if view.field.unit.is_empty() { 0 } else { view.field.unit.len() + 1 };
    #[expect(clippy::cast_precision_loss, reason = "a few letters")]
    let of_number = |it: &dyn Reflect| (number(it).len() + unit) as f32 * 7.0 + 12.0;
    let of_pair = |[x, y]: [&dyn Reflect; 2]| of_number(x) + of_number(y) + 4.0;
    match view.value.view() {
        View::Pair(both) => of_pair(both),
        View::Option(None) => 0.0,
        View::Option(Some(now)) => {
            if let View::Pair(both) = now.view() {
                of_pair(both)
            } else {
                least_width(&view.field.spec().ty)
            }
        }
        _ => least_width(&view.field.spec().ty),
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
            picked.map(|word| ValueChange::Commit(Value::Symbol(word).into()))
        }
        (View::Option(now), Type::Option(of)) if matches!(of(), Type::Word(_)) => {
            let Type::Word(word) = of() else { return };
            let none = of_project(cx, view.field.key, word).map_or("None".to_owned(), |it| format!("project's, {it}"));
            let words: Vec<Name> = std::iter::once(&*none).chain(word.words.iter().copied()).map(Name::from).collect();
            let now = match now.map(Reflect::view) {
                Some(View::Word(word)) => word,
                _ => &*none,
            };
            let picked = pick_ui(cx, ui, &view.name, now, words.iter());
            picked.map(|word| ValueChange::Commit(if *word == *none { Data::None } else { Value::Symbol(word).into() }))
        }
        (View::Option(now), Type::Option(of))
            if matches!(of(), Type::Text) && matches!(view.field.names, Names::None | Names::FieldBeside) =>
        {
            let now = now.map(Data::of).and_then(|data| data.to_value());
            let text = now.as_ref().and_then(Value::as_str).unwrap_or_default();
            let some = |text: String| if text.trim().is_empty() { Data::None } else { Value::Str(text).into() };
            text_ui(ui, &view.name, text).map(|change| change.map(some))
        }
        (View::Option(now), Type::Option(of))
            if matches!(of(), Type::Float | Type::Int(_)) && now.is_none() == view.is_default =>
        {
            optional_ui(cx, ui, view, now)
        }
        (View::Pair([x, y]), _) if matches!(x.view(), View::Int(_)) => int_pair_ui(ui, view, [x, y]),
        (View::Option(now), Type::Option(of)) if matches!(of(), Type::Pair(of) if matches!(of(), Type::Int(_))) => {
            own_size_ui(cx, ui, view, now)
        }
        (View::TileShape(shape), _) => shape_ui(cx, ui, &view.name, shape),
        _ => {
            let spec = view.field.spec();
            match Data::of(view.value).to_value() {
                Some(value) if spec.ty != FieldType::Any || matches!(view.value.view(), View::Value(_)) => {
                    value_ui(cx, ui, &view.name, &spec, &value).map(|change| change.map(Data::from))
                }
                _ => {
                    let is_of_tiles = view.places.doc.kind() == Some(DocKind::Tileset);
                    let place = if is_of_tiles { "in the Tileset pane" } else { "in the file" };
                    ui.label(cx.theme.caption(format!("edited {place}")));
                    None
                }
            }
        }
    };
    if let Some(change) = change {
        view.places.set(cx, &[view.field.key], change);
    }
}

/// The word that the project has in a field of the same name and type: what is meant where none is set.
fn of_project<'a>(cx: &Cx<'a>, key: &str, word: &Word) -> Option<&'a str> {
    let mut found = None;
    each_field(cx.project.file()?, &mut |it| {
        if it.field.key == key
            && let (View::Word(now), Type::Word(its)) = (it.value.view(), it.value.ty())
            && its.words == word.words
        {
            found = Some(now);
        }
    });
    found
}

/// A number that need not be there: a field to type it into, or its editor. Reset takes it away again.
fn optional_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, now: Option<&dyn Reflect>) -> Option<ValueChange<Data>> {
    let spec = view.field.spec();
    let FieldType::Option(inner) = spec.ty else { return None };
    if let Some(value) = now.and_then(|now| Data::of(now).to_value()) {
        let change = value_ui(cx, ui, &view.name, &FieldSpec { ty: *inner, ..spec }, &value);
        return change.map(|change| change.map(Data::from));
    }
    let width = ui.available_width().clamp(40.0, 100.0);
    let (text, _) = hinted_text_ui(ui, &view.name, "", ("none", width))?.into_parts();
    match optional_number(&text) {
        Ok(number) => number.map(|x| ValueChange::Commit(number_value(x, *inner == FieldType::Int).into())),
        Err(why) => {
            cx.send(Action::Notice(sentence(&why.to_string())));
            None
        }
    }
}

/// A size that need not be there: without one it is that of the level's cells, which is also where it begins.
fn own_size_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, now: Option<&dyn Reflect>) -> Option<ValueChange<Data>> {
    let grid = cx.project.level(view.places.doc).map(Level::grid);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        // The way back to the level's is at the end of the row.
        if let Some(View::Pair(both)) = now.map(Reflect::view) {
            return int_pair_ui(ui, view, both);
        }
        let mut is_own = false;
        let response = checkbox_ui(ui, &mut is_own, "");
        let label = format!("{} is set", view.name);
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_own, label.clone()));
        if response.changed() {
            let [w, h] = grid.map_or([1; 2], |grid| grid.px).map(|side| Value::Int(side.into()));
            let size = Data::from(Value::Tuple(vec![w, h]));
            return Some(ValueChange::Commit(size));
        }
        let text = grid.map_or_else(|| "none".to_owned(), |grid| format!("level's, {}", grid.px_text()));
        ui.add(egui::Label::new(cx.theme.caption(&text)).truncate()).tip(text);
        None
    })
    .inner
}

fn int_pair_ui(ui: &mut Ui, view: &FieldView<'_>, both: [&dyn Reflect; 2]) -> Option<ValueChange<Data>> {
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

fn shape_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, now: &TileShape) -> Option<ValueChange<Data>> {
    let words: [Name; 2] = ["nothing".into(), "the whole cell".into()];
    let now = match now {
        TileShape::None => words[0].to_string(),
        TileShape::Full => words[1].to_string(),
        TileShape::Polygon(points) => format!("a polygon of {} corners", points.len()),
    };
    let word = pick_ui(cx, ui, name, &now, words.iter())?;
    Some(ValueChange::Commit(Data::Shape(if word == words[0] { TileShape::None } else { TileShape::Full })))
}

/// An entry of a list or map: its step of a path, what it is called, and its record.
type Entry<'a> = (Seg, String, &'a dyn Reflect);

/// Records of a list or map, each with its fields. A new one is put in at `new`.
fn entries_ui<'a>(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (n, entry): (usize, &dyn Fn(usize) -> Option<Entry<'a>>),
    new: impl FnOnce() -> Seg,
) {
    let Some(base) = view.places.all.first().map(|at| at.key(view.field.key)) else { return };
    let Some(record) = item_record(view.value) else { return };
    let at = |seg: Seg| FieldPath(base.0.iter().cloned().chain([seg]).collect());
    ui.horizontal(|ui| {
        ui.strong(format!("{} ({n})", view.field.key)).tip(&view.field.spec().doc);
        at_right(ui, |ui| {
            let name = format!("Add to {}", view.name);
            if IconButton::new(icons::ICON_ADD.codepoint, &name).in_row().show(cx.theme, ui).tip(&name).clicked() {
                let insert = Edit::Insert { doc: view.places.doc.clone(), at: at(new()), data: new_record(record) };
                view.places.send(cx, vec![insert], Phase::Commit);
            }
        });
    });
    for (seg, called, item) in (0..n).filter_map(entry) {
        let prefix = format!("{}.{called}.", view.name);
        let places = Places { all: &[at(seg)], hidden: &[], prefix: &prefix, ..view.places };
        entry_ui(cx, ui, places, &format!("{} {called}", record.noun()), item);
    }
}

/// The description of the records in a list or map.
fn item_record(value: &dyn Reflect) -> Option<&'static Record> {
    match value.view() {
        View::List(list) => list.item_type().record(),
        View::Map(map) => map.item_type().record(),
        _ => None,
    }
}

/// The first number that is no key of a map.
fn free_key(map: &dyn MapView) -> Name {
    let is_free = |id: &String| Key::of(id, map.has_ids()).is_some_and(|key| map.index_of(&key).is_none());
    (0..=map.len()).map(|i| i.to_string()).find(is_free).unwrap_or_default().into()
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

fn entry_ui(cx: &Cx<'_>, ui: &mut Ui, places: Places<'_>, title: &str, item: &dyn Reflect) {
    let [path] = places.all else { return };
    let row = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ROW));
    let about = if ui.is_rect_visible(row) { about(item) } else { String::new() };
    let fold = Fold { title, name: title, about: &about, is_struck: false, is_open_at_first: false, is_forced: false };
    let delete = |ui: &mut Ui| {
        let name = format!("Delete {title}");
        if IconButton::new(icons::ICON_DELETE.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            let remove = Edit::Remove { doc: places.doc.clone(), at: path.clone() };
            places.send(cx, vec![remove], Phase::Commit);
        }
        false
    };
    folding(cx.theme, ui, Id::unique(("record", places.doc.as_str(), path)), fold, delete, |ui| {
        record_ui(cx, ui, places);
    });
}
