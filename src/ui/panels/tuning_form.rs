//! Making pages and constants, and saying what is known of them: range, step, unit, meaning.
//!
//! Invariant: a form is a draft in the window's memory until it is applied; then it is one step of history. Which edits that
//! takes is decided in `edit::Constants`.

use egui::{Id, PopupCloseBehavior, RichText, Role, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::tuning_row::Constant;
use crate::{
    defs::ResolvedPage,
    edit::{About, Constants, Labeled, Refusal, optional_number},
    editor::Action,
    model::{Name, Value, sentence},
    ui::{
        Cx,
        theme::{GRID, SMALL},
        widgets::{IconButton, Tip as _},
    },
};

/// A kind of value, and the one it begins with.
type Kind = (&'static str, fn() -> Value);

/// What a new constant can be.
const KINDS: [Kind; 6] = [
    ("Number", || Value::Float(1.0)),
    ("Whole number", || Value::Int(1)),
    ("Switch", || Value::Bool(false)),
    ("Text", || Value::str("")),
    ("Color", || Value::str("#ffffff")),
    ("Pair", || Value::vec2(0.0, 0.0)),
];

/// A constant as it is being described.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    page: String,
    /// What it is called now; none for a new one.
    of: Option<Name>,
    name: String,
    /// Shown before; the first time its name is to be typed.
    is_seen: bool,
    kind: usize,
    min: String,
    max: String,
    step: String,
    unit: String,
    doc: String,
}

fn id() -> Id {
    Id::unique("tuning form")
}

fn open_draft(ui: &Ui, draft: Option<Draft>) {
    ui.data_mut(|data| data.insert_temp(id(), draft));
}

/// Begin a constant of a page.
pub(super) fn open_new(ui: &Ui, page: &ResolvedPage) {
    let name = crate::edit::free_name("constant", |name| page.values.iter().any(|(known, ..)| &**known == name));
    open_draft(ui, Some(Draft { page: page.name.to_string(), name: name.to_string(), ..Draft::default() }));
}

/// Begin to describe a constant.
pub(super) fn open(ui: &Ui, it: &Constant<'_>) {
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    open_draft(
        ui,
        Some(Draft {
            page: it.page.name.to_string(),
            of: Some(it.name.clone()),
            name: it.name.to_string(),
            is_seen: false,
            kind: 0,
            min: number(it.declared.min),
            max: number(it.declared.max),
            step: number(it.declared.step),
            unit: it.declared.unit.clone().unwrap_or_default(),
            doc: it.declared.doc.clone(),
        }),
    );
}

/// The form of a constant, or of a new one of the page, if that is the one being described.
pub(super) fn form_ui(cx: &Cx<'_>, ui: &mut Ui, page: &Name, of: Option<&Name>) {
    let Some(mut draft) = ui.data(|data| data.get_temp::<Option<Draft>>(id())).flatten() else { return };
    if *draft.page != **page || draft.of.as_ref() != of {
        return;
    }
    let mut is_open = true;
    egui::Frame::new().fill(cx.theme.chrome).corner_radius(4).inner_margin(egui::Margin::same(8)).show(ui, |ui| {
        let is_done = fields_ui(cx, ui, &mut draft);
        let made = made_of(cx, page, &draft);
        if let Err(why) = &made {
            ui.label(RichText::new(sentence(&why.to_string())).size(SMALL).color(cx.theme.error));
        }
        ui.horizontal(|ui| {
            let text = if draft.of.is_some() { "Apply" } else { "Add constant" };
            let apply = ui.add_enabled(made.is_ok(), egui::Button::new(text));
            if let (true, Ok((label, edits))) = (apply.clicked() || is_done, made) {
                if !edits.is_empty() {
                    cx.send(Action::Edits { label, edits });
                }
                is_open = false;
            }
            is_open &= !ui.button("Cancel").clicked();
        });
    });
    ui.add_space(GRID);
    open_draft(ui, is_open.then_some(draft));
}

/// The fields of a draft. Returns whether Enter was pressed in one.
fn fields_ui(cx: &Cx<'_>, ui: &mut Ui, draft: &mut Draft) -> bool {
    let is_new = draft.of.is_none();
    let is_number = match &draft.of {
        None => draft.kind < 2,
        Some(name) => {
            let known = cx.resolution.tunable(&format!("{}.{name}", draft.page));
            known.is_some_and(|it| it.value.as_f64().is_some())
        }
    };
    let mut is_done = false;
    egui::Grid::new("tuning form").num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
        let mut is_first = !std::mem::replace(&mut draft.is_seen, true);
        let mut line = |ui: &mut Ui, text: &str, name: &str, field: &mut String| {
            ui.label(cx.theme.caption(text));
            let width = ui.available_width().clamp(60.0, 240.0);
            let edit = ui.add(egui::TextEdit::singleline(field).desired_width(width));
            edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
            if std::mem::take(&mut is_first) {
                edit.request_focus();
                edit.scroll_to_me(None);
            }
            is_done |= edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            ui.end_row();
        };
        line(ui, "Name", "Name of the constant", &mut draft.name);
        if is_new {
            ui.label(cx.theme.caption("Kind"));
            let kinds = egui::ComboBox::from_id_salt("kind of constant").selected_text(KINDS[draft.kind.min(5)].0);
            let kinds = kinds.show_ui(ui, |ui| {
                for (at, (text, _)) in KINDS.iter().enumerate() {
                    ui.selectable_value(&mut draft.kind, at, *text);
                }
            });
            kinds.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Kind of constant"));
            ui.end_row();
        }
        if is_number {
            line(ui, "From", "Smallest value", &mut draft.min);
            line(ui, "To", "Largest value", &mut draft.max);
            line(ui, "Step", "Step of the value", &mut draft.step);
            line(ui, "Unit", "Unit of the value", &mut draft.unit);
        }
        line(ui, "Meaning", "What the constant means", &mut draft.doc);
    });
    is_done
}

/// The edits for a draft, and their label; or why it cannot be.
fn made_of(cx: &Cx<'_>, page: &Name, draft: &Draft) -> Result<Labeled, Refusal> {
    let about = About {
        name: draft.name.clone(),
        min: optional_number(&draft.min)?,
        max: optional_number(&draft.max)?,
        step: optional_number(&draft.step)?,
        unit: draft.unit.clone(),
        doc: draft.doc.clone(),
    };
    match &draft.of {
        None => constants(cx).add(page, KINDS[draft.kind.min(5)].1(), &about),
        Some(of) => constants(cx).describe(page, of, &about),
    }
}

fn constants<'a>(cx: &Cx<'a>) -> Constants<'a> {
    Constants { project: cx.project, builtin: cx.derived.builtin(), schema: &cx.resolution.schema }
}

/// A button that asks for the name of a new page.
pub(super) fn new_page_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let button = IconButton::new(icons::ICON_ADD.codepoint, "New tuning page").show(cx.theme, ui);
    let button = button.tip("Make a page of constants");
    egui::Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(200.0);
        let id = Id::unique("new tuning page");
        let mut name = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
        ui.label(cx.theme.caption("A new page of constants"));
        let edit = ui.add(egui::TextEdit::singleline(&mut name).hint_text("Name"));
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the new page"));
        let is_done = edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let title = name.trim().to_owned();
        let page = constants(cx).add_page(&title);
        // Nothing typed yet is nothing wrong yet.
        if let Err(why) = page.as_ref().map_err(|why| sentence(&why.to_string()))
            && !title.is_empty()
        {
            ui.label(RichText::new(why).size(SMALL).color(cx.theme.error));
        }
        let is_pressed = ui.add_enabled(page.is_ok(), egui::Button::new("Make page")).clicked();
        if let (true, Ok(edit)) = (is_pressed || is_done, page) {
            cx.send(Action::Edit(edit));
            name.clear();
            ui.close();
        }
        ui.data_mut(|data| data.insert_temp(id, name));
    });
}
