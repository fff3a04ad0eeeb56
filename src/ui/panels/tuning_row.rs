//! A constant in a row: its provenance, its value, an editor for its kind of value, and what can be done with it.
//!
//! Invariant: a row changes nothing itself. It shows the running value while a world runs, else the tried value, else
//! the declared one.

use egui::{Id, RichText, Ui};
use egui_material_icons::icons;

use super::tuning_form;
use crate::{
    defs::{Badge, ResolvedPage},
    edit::{Edit, Phase},
    editor::{Action, TuneAction},
    model::{DocPath, FieldPath, FieldSpec, FieldType, Name, Tunable, TuningSide, Value, parse_color},
    ui::{
        Cx, TuningCx,
        theme::{BODY, GRID, SMALL},
        widgets::{
            IconButton, Tip as _, at_right, badge, checkbox_ui, matches,
            number::{NumberSpec, ValueChange},
            response::{Reading, response_ui},
            row_in_sight,
            slider::{Mark, slider_ui},
            value::{text_ui, value_ui},
        },
    },
};

/// A constant, and everything known about it.
pub(super) struct Constant<'a> {
    pub(super) page: &'a ResolvedPage,
    pub(super) name: &'a Name,
    /// `Page.name`
    pub(super) full: String,
    /// The value in the files.
    pub(super) declared: &'a Tunable,
    /// The file that declares it; none for a built-in default.
    pub(super) doc: Option<&'a DocPath>,
    /// The built-in value.
    pub(super) builtin: Option<&'a Value>,
    /// The value it has now.
    pub(super) now: Value,
    /// The value being tried out, in the active set.
    pub(super) tried: Option<&'a Value>,
}

impl<'a> Constant<'a> {
    fn new(
        cx: &'a Cx<'_>,
        page: &'a ResolvedPage,
        name: &'a Name,
        declared: &'a Tunable,
        doc: Option<&'a DocPath>,
    ) -> Self {
        let full = format!("{}.{name}", page.name);
        let tried = cx.tried_values().get(&*full);
        let running = cx.preview.and_then(|preview| preview.session.world().tunable(&full));
        let now = running.or(tried).unwrap_or(&declared.value).clone();
        let builtin = cx.derived.builtin().tunable(&full);
        Self { page, name, full, declared, doc, builtin: builtin.map(|it| &it.value), now, tried }
    }

    /// Every constant of a page.
    pub(super) fn all(cx: &'a Cx<'_>, page: &'a ResolvedPage) -> impl Iterator<Item = Self> {
        page.values.iter().map(|(name, declared, doc)| Self::new(cx, page, name, declared, doc.as_ref()))
    }

    /// The constant `Page.name`, if there is one.
    pub(super) fn named(cx: &'a Cx<'_>, full: &str) -> Option<Self> {
        let (page, name) = full.split_once('.')?;
        let page = cx.resolution.pages.iter().find(|it| &*it.name == page)?;
        let (name, declared, doc) = page.values.iter().find(|(known, ..)| &**known == name)?;
        Some(Self::new(cx, page, name, declared, doc.as_ref()))
    }

    /// Whether a search finds it.
    pub(super) fn fits(&self, query: &str) -> bool {
        matches(query, &format!("{} {}", self.full, self.declared.doc))
    }

    fn is_bookmarked(&self, cx: &TuningCx<'_>) -> bool {
        cx.tuning.bookmarks.iter().any(|known| **known == *self.full)
    }

    fn set(&self, value: Value, phase: Phase) -> Action {
        Action::Tune(TuneAction::Set { name: self.full.as_str().into(), value, phase })
    }

    /// A value as people read it, with the unit.
    pub(super) fn shown(&self, value: &Value) -> String {
        shown(self.declared, value)
    }
}

/// A constant's value as people read it, with the unit.
pub(super) fn shown(of: &Tunable, value: &Value) -> String {
    match of.unit.as_deref() {
        Some(unit) if !unit.is_empty() => format!("{value} {unit}"),
        _ => value.to_string(),
    }
}

/// Where a constant is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    OnPage,
    AsBookmark,
}

/// Show a constant. A bookmark's row shows its page, and its widgets have names of their own.
pub(super) fn row_ui(cx: &TuningCx<'_>, ui: &mut Ui, it: &Constant<'_>, listed: Listed) {
    let is_bookmark = listed == Listed::AsBookmark;
    let label = if is_bookmark { format!("{} (bookmark)", it.full) } else { it.full.clone() };
    // An identity of its own: what appears above it while it is dragged does not take it out of the hand.
    row_in_sight(ui, Id::unique(("constant", &label)), |ui| {
        ui.horizontal(|ui| title_ui(cx, ui, it, &label, listed));
        ui.horizontal(|ui| {
            ui.add_space(inset(ui));
            if let Some(change) = editor_ui(cx, ui, &label, it) {
                let (value, phase) = change.into_parts();
                cx.send(it.set(value, phase));
            }
        });
        if let Some(tried) = it.tried {
            ui.horizontal(|ui| {
                ui.add_space(inset(ui));
                ui.vertical(|ui| ui.horizontal_wrapped(|ui| tried_ui(cx, ui, it, &label, tried)));
            });
        }
        if let (false, Some(declared)) = (is_bookmark, &it.declared.response) {
            ui.horizontal(|ui| {
                ui.add_space(inset(ui));
                ui.vertical(|ui| plot_ui(cx, ui, it, declared));
            });
        }
    });
}

/// How far an editor stands in under its title: less where there is little room.
fn inset(ui: &Ui) -> f32 {
    if ui.available_width() > 220.0 { GRID * 5.0 } else { GRID }
}

fn title_ui(cx: &TuningCx<'_>, ui: &mut Ui, it: &Constant<'_>, label: &str, listed: Listed) {
    let (mark, whose) = match (it.tried, it.doc) {
        (Some(_), _) => (Badge::Instance, "being tried out, not in the file".to_owned()),
        (None, Some(doc)) => (Badge::Own, format!("declared in {doc}")),
        (None, None) => (Badge::Default, "the built-in default".to_owned()),
    };
    badge(cx.theme, ui, mark, &format!("{label} is {whose}")).tip(whose);
    at_right(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let more =
            IconButton::new(icons::ICON_MORE_VERT.codepoint, &format!("More about {label}")).quiet().show(cx.theme, ui);
        egui::Popup::menu(&more).show(|ui| menu_ui(cx, ui, it));
        let is_on = it.is_bookmarked(cx);
        let name = format!("{} {label}", if is_on { "Forget" } else { "Bookmark" });
        let star = IconButton::new(icons::ICON_STAR.codepoint, &name).quiet().selected(is_on).show(cx.theme, ui);
        if star.tip(if is_on { "Remove it from Bookmarks" } else { "Add it to Bookmarks" }).clicked() {
            cx.send(Action::Tune(TuneAction::Bookmark(it.full.as_str().into(), !is_on)));
        }
        if let Some((tip, action)) = resets(cx, it).into_iter().next() {
            let reset =
                IconButton::new(icons::ICON_UNDO.codepoint, &format!("Reset {label}")).quiet().show(cx.theme, ui);
            if reset.tip(tip).clicked() {
                cx.send(action);
            }
        }
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let mut text = egui::text::LayoutJob::default();
            let format = |color| egui::TextFormat::simple(egui::FontId::proportional(BODY), color);
            text.append(it.name, 0.0, format(cx.theme.text));
            if listed == Listed::AsBookmark {
                text.append(&it.page.name, GRID * 2.0, format(cx.theme.text_weak));
            }
            ui.add(egui::Label::new(text).truncate()).tip_ui(|ui| about_ui(cx, ui, it));
        });
    });
}

fn about_ui(cx: &Cx<'_>, ui: &mut Ui, it: &Constant<'_>) {
    ui.set_max_width(320.0);
    ui.strong(&it.full);
    if !it.declared.doc.is_empty() {
        ui.label(&it.declared.doc);
    }
    if let (Some(min), Some(max)) = (it.declared.min, it.declared.max) {
        ui.label(cx.theme.caption(format!("{min} to {max} {}", it.declared.unit.as_deref().unwrap_or_default())));
    }
    if let Some(builtin) = it.builtin {
        ui.label(cx.theme.caption(format!("Built-in: {}", it.shown(builtin))));
    }
    if let Some(doc) = it.doc {
        ui.label(cx.theme.caption(format!("in {doc}: {}", it.shown(&it.declared.value))));
    }
}

/// The possible resets, nearest first: the label of each, and its action.
fn resets(cx: &Cx<'_>, it: &Constant<'_>) -> Vec<(String, Action)> {
    let mut out = Vec::new();
    let side = cx.active_side();
    if it.tried.is_some() {
        let whose = if it.doc.is_some() { "the file's" } else { "the built-in" };
        let drop = TuneAction::Drop { side, name: Some(it.full.as_str().into()) };
        out.push((format!("Back to {whose} {}", it.shown(&it.declared.value)), Action::Tune(drop)));
    }
    if let (Some(builtin), Some(_)) = (it.builtin, it.doc)
        && *builtin != it.now
    {
        out.push((format!("Back to the built-in {}", it.shown(builtin)), it.set(builtin.clone(), Phase::Commit)));
    }
    out
}

fn menu_ui(cx: &Cx<'_>, ui: &mut Ui, it: &Constant<'_>) {
    for (text, action) in resets(cx, it) {
        if ui.button(text).clicked() {
            cx.send(action);
        }
    }
    if ui.button("Edit properties").clicked() {
        tuning_form::open(ui, it);
    }
    if ui.button("Copy name").clicked() {
        cx.send(Action::CopyText(it.full.clone()));
    }
    let doc = it.doc.cloned();
    let text = if it.builtin.is_some() { "Delete from file, back to built-in" } else { "Delete constant" };
    let button = ui.add_enabled(doc.is_some(), egui::Button::new(text));
    if let (true, Some(doc)) = (button.on_disabled_hover_text("It is not in a file").clicked(), doc) {
        cx.send(Action::Edit(Edit::Remove { doc, at: FieldPath::keys(["values", &**it.name]) }));
    }
}

/// The tried value and that of the file, with the choices.
fn tried_ui(cx: &Cx<'_>, ui: &mut Ui, it: &Constant<'_>, label: &str, tried: &Value) {
    let whose = if it.doc.is_some() { "file" } else { "built-in" };
    let text = format!("trying {} ({whose}: {})", it.shown(tried), it.shown(&it.declared.value));
    ui.label(RichText::new(text).size(SMALL).color(cx.theme.instance));
    let side = cx.active_side();
    let small = |text: &str| egui::Button::new(RichText::new(text).size(SMALL));
    let name = || Some(Name::from(it.full.as_str()));
    let keep = ui.add(small("Keep"));
    keep.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Keep {label}")));
    if keep.tip("Write it into the file").clicked() {
        cx.send(Action::Tune(TuneAction::Keep { side, name: name() }));
    }
    let drop = ui.add(small("Drop"));
    drop.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Drop {label}")));
    if drop.tip(format!("Back to {}", it.shown(&it.declared.value))).clicked() {
        cx.send(Action::Tune(TuneAction::Drop { side, name: name() }));
    }
}

/// An editor for the kind of value it is.
fn editor_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, it: &Constant<'_>) -> Option<ValueChange<Value>> {
    let of_type = |ui: &mut Ui, ty| {
        let spec = FieldSpec {
            min: it.declared.min,
            max: it.declared.max,
            step: it.declared.step,
            unit: it.declared.unit.clone(),
            ..FieldSpec::of(ty)
        };
        value_ui(cx, ui, label, &spec, &it.now)
    };
    match &it.now {
        Value::Int(_) | Value::Float(_) => number_ui(cx, ui, label, it),
        Value::Bool(is_on) => {
            let mut edited = *is_on;
            let response = checkbox_ui(ui, &mut edited, if *is_on { "on" } else { "off" });
            response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, *is_on, label));
            response.changed().then_some(ValueChange::Commit(Value::Bool(edited)))
        }
        Value::Str(text) if parse_color(text).is_some() => of_type(ui, FieldType::Color),
        Value::Str(text) => text_ui(ui, label, text).map(|change| change.map(Value::Str)),
        // A word of an enum that the project knows is picked among its like.
        Value::Symbol(word) => match cx.resolution.schema.enums.iter().find(|(_, words)| words.contains(word)) {
            Some((of, _)) => of_type(ui, FieldType::Enum(of.clone())),
            None => ron_ui(cx, ui, label, it),
        },
        Value::Tuple(_) if it.now.as_vec2().is_some() => of_type(ui, FieldType::Vec2),
        _ => ron_ui(cx, ui, label, it),
    }
}

fn number_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, it: &Constant<'_>) -> Option<ValueChange<Value>> {
    let is_int = matches!(it.now, Value::Int(_));
    let spec = NumberSpec {
        min: it.declared.min,
        max: it.declared.max,
        step: it.declared.step,
        unit: it.declared.unit.as_deref(),
        is_int,
    };
    let other = cx.project.tuning_overlay.values(cx.active_side().other()).get(&*it.full);
    // Where the file stands, and where the other set does.
    let marks: Vec<Mark> = [(Some(&it.declared.value), cx.theme.text_weak), (other, cx.theme.inherited)]
        .into_iter()
        .filter_map(|(value, color)| Some(Mark { value: value?.as_f64()?, color }))
        .filter(|_| it.tried.is_some() || other.is_some())
        .collect();
    let (_, change) = slider_ui(cx.theme, ui, label, it.now.as_f64().unwrap_or_default(), &spec, &marks);
    #[expect(clippy::cast_possible_truncation, reason = "rounded by the widget; `as` saturates")]
    change.map(|change| change.map(|x| if is_int { Value::Int(x as i64) } else { Value::Float(x) }))
}

/// Lists, structs and whatever else as text; what is typed is read when the field is left.
fn ron_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, it: &Constant<'_>) -> Option<ValueChange<Value>> {
    if let Some(ValueChange::Commit(text)) = text_ui(ui, label, &it.now.to_string()) {
        cx.send(Action::Tune(TuneAction::SetText { name: it.full.as_str().into(), text }));
    }
    None
}

/// The curves of both sets, where they differ in what the response reads.
fn plot_ui(cx: &Cx<'_>, ui: &mut Ui, it: &Constant<'_>, declared: &crate::model::Call) {
    let (overlay, active) = (&cx.project.tuning_overlay, cx.active_side());
    let full = |name: &str| if name.contains('.') { name.to_owned() } else { format!("{}.{name}", it.page.name) };
    let of = |side: TuningSide, name: &str| {
        let full = full(name);
        let is_active = side == active;
        let running = cx.preview.filter(|_| is_active).and_then(|preview| preview.session.world().tunable(&full));
        let value = running.or_else(|| overlay.values(side).get(&*full));
        value.or_else(|| cx.resolution.tunable(&full).map(|it| &it.value)).and_then(Value::as_f64)
    };
    let differs = crate::model::read_by(declared).any(|name| of(TuningSide::A, name) != of(TuningSide::B, name));
    let (a, b) = (|name: &str| of(TuningSide::A, name), |name: &str| of(TuningSide::B, name));
    let reading = |side: TuningSide, is_active| Reading {
        letter: if differs { side.letter() } else { "" },
        is_active,
        read: if side == TuningSide::A { &a } else { &b },
    };
    let mut readings = vec![reading(active, true)];
    if differs {
        readings.insert(0, reading(active.other(), false));
    }
    response_ui(cx, ui, &it.full, declared, &readings, tick_secs(cx));
}

/// A tick, in seconds.
pub(super) fn tick_secs(cx: &Cx<'_>) -> f64 {
    let hz = cx.preview.map(|preview| 1.0 / preview.session.world().timestep_secs());
    1.0 / hz.or_else(|| cx.resolution.tuning_f64("Simulation.timestep_hz")).filter(|hz| *hz >= 1.0).unwrap_or(64.0)
}
