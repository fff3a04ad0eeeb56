//! Making pages and constants, and saying what is known of them: range, step, unit, meaning.
//!
//! Invariant: a form is a draft in the window's memory until it is applied; then it is one step of history. Which edits
//! that takes is decided in `edit::Constants`. A draft's fields are shown by `record_ui`; by hand: the name, which is a
//! key and is changed with its uses, and the kind of a new constant's value.

use std::cell::RefCell;

use egui::{Id, PopupCloseBehavior, RichText, Role, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::{
    inspector::{Outside, Places, line_ui, record_ui},
    tuning_row::Constant,
};
use crate::{
    defs::ResolvedPage,
    edit::{Constants, Labeled, Refusal, edit_value, free_file, page_doc},
    editor::Action,
    model::{FieldPath, Name, Tunable, Value, sentence},
    ui::{
        Cx,
        theme::{GRID, SMALL, Theme},
        widgets::{IconButton, Tip as _, choose::drop_down},
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
#[derive(Clone, Debug, PartialEq)]
struct Draft {
    page: String,
    /// What it is called now; none for a new one.
    of: Option<Name>,
    name: String,
    /// Shown before; the first time its name is to be typed.
    is_seen: bool,
    kind: usize,
    it: Tunable,
}

fn id() -> Id {
    Id::unique("tuning form")
}

fn open_draft(ui: &Ui, draft: Option<Draft>) {
    ui.data_mut(|data| data.insert_temp(id(), draft));
}

fn begin(ui: &Ui, page: &ResolvedPage, of: Option<Name>, name: &Name, it: Tunable) {
    let (page, name) = (page.name.to_string(), name.to_string());
    open_draft(ui, Some(Draft { page, of, name, is_seen: false, kind: 0, it }));
}

/// Begin a constant of a page.
pub(super) fn open_new(ui: &Ui, page: &ResolvedPage) {
    let name = crate::edit::free_name("constant", |name| page.values.iter().any(|(known, ..)| &**known == name));
    begin(ui, page, None, &name, Tunable::of(KINDS[0].1()));
}

/// Begin to describe a constant.
pub(super) fn open(ui: &Ui, it: &Constant<'_>) {
    begin(ui, it.page, Some(it.name.clone()), it.name, it.declared.clone());
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

/// The fields of a draft. Returns whether Enter ended an edit of one.
fn fields_ui(cx: &Cx<'_>, ui: &mut Ui, draft: &mut Draft) -> bool {
    let is_entered = ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut is_done = line_ui(cx, ui, ("name", "Another one is written wherever it is used"), |ui| {
        let width = ui.available_width().clamp(60.0, 240.0);
        let edit = ui.add(egui::TextEdit::singleline(&mut draft.name).desired_width(width));
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the constant"));
        // The first time it is to be typed.
        if !std::mem::replace(&mut draft.is_seen, true) {
            edit.request_focus();
            edit.scroll_to_me(None);
        }
        edit.lost_focus() && is_entered
    });
    if draft.of.is_none() {
        line_ui(cx, ui, ("kind", "What its values are"), |ui| kind_ui(cx.theme, ui, draft));
    }
    let page = Name::from(draft.page.as_str());
    let doc = page_doc(cx.project, &page).cloned().unwrap_or_else(|| free_file(cx.project, &page));
    let hidden = ["value", "response", "min", "max", "step", "unit"];
    let hidden = if draft.it.value.as_f64().is_some() { &hidden[..2] } else { &hidden };
    let edits = RefCell::default();
    let outside = Outside { root: &draft.it, edit: &|edit| Vec::push(&mut edits.borrow_mut(), edit) };
    record_ui(cx, ui, Places { outside: Some(outside), ..Places::new(&doc, &[FieldPath::root()], hidden) });
    for edit in edits.take() {
        if let Err(why) = edit_value(&mut draft.it, &edit) {
            cx.send(Action::Notice(sentence(&why.to_string())));
        }
        is_done |= is_entered;
    }
    is_done
}

fn kind_ui(theme: &Theme, ui: &mut Ui, draft: &mut Draft) {
    let kinds = drop_down(theme, "kind of constant", KINDS[draft.kind.min(5)].0);
    let kinds = kinds.show_ui(ui, |ui| {
        for (at, (text, value)) in KINDS.iter().enumerate() {
            if ui.selectable_value(&mut draft.kind, at, *text).changed() {
                draft.it.value = value();
            }
        }
    });
    kinds.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Kind of constant"));
}

/// The edits for a draft, and their label; or why it cannot be.
fn made_of(cx: &Cx<'_>, page: &Name, draft: &Draft) -> Result<Labeled, Refusal> {
    match &draft.of {
        None => constants(cx).add(page, &draft.name, &draft.it),
        Some(of) => constants(cx).describe(page, of, &draft.name, &draft.it),
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
