//! Making pages and constants, and saying what is known of them: range, step, unit, meaning.
//!
//! Invariant: a form is a draft in the window's memory until it is applied; then it is one step of history. A built-in
//! constant that is described gets an entry of its own in the project; what is left empty there stays built-in.

use egui::{Id, PopupCloseBehavior, RichText, Role, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::tuning_row::Constant;
use crate::{
    defs::ResolvedPage,
    edit::{Edit, RefKind, TypedRefs, free_file, said},
    model::{DocPath, Document, Name, Project, Tunable, TuningPage, Value},
    ui::{
        Action, Cx,
        theme::{GRID, SMALL},
        widgets::{Tip as _, icon_button},
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
            min: number(it.said.min),
            max: number(it.said.max),
            step: number(it.said.step),
            unit: it.said.unit.clone().unwrap_or_default(),
            doc: it.said.doc.clone(),
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
            ui.label(RichText::new(why).size(SMALL).color(cx.theme.error));
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
            ui.label(RichText::new(text).size(SMALL).color(cx.theme.text_weak));
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
            ui.label(RichText::new("Kind").size(SMALL).color(cx.theme.text_weak));
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

/// The edits that a draft amounts to, and their name; or why it cannot be.
fn made_of(cx: &Cx<'_>, page: &Name, draft: &Draft) -> Result<(String, Vec<Edit>), String> {
    let name: Name = draft.name.trim().into();
    if name.is_empty() {
        return Err("A constant needs a name".into());
    }
    if name.contains('.') {
        return Err("The dot stands between page and constant: leave it out of the name".into());
    }
    let is_taken = draft.of.as_ref() != Some(&name) && cx.resolution.tunable(&format!("{page}.{name}")).is_some();
    if is_taken {
        return Err(format!("There is a constant {name} on this page already"));
    }
    let (min, max) = (number(&draft.min)?, number(&draft.max)?);
    let step = number(&draft.step)?;
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        return Err("The smallest value is above the largest".into());
    }
    let Some(of) = &draft.of else {
        let mut tunable = Tunable::of(KINDS[draft.kind.min(5)].1());
        describe(&mut tunable, &Tunable::of(0.0), draft, [min, max, step]);
        // A new number begins within its range.
        if let (Some(x), true) = (tunable.value.as_f64(), draft.kind < 2) {
            let x = x.min(max.unwrap_or(f64::MAX)).max(min.unwrap_or(f64::MIN));
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
            let value = if draft.kind == 1 { Value::Int(x.round() as i64) } else { Value::Float(x) };
            tunable.value = value;
        }
        return Ok((format!("Add {page}.{name}"), vec![put(cx, page, name, tunable)]));
    };
    let full = format!("{page}.{of}");
    let builtin = cx.builtin.tuning.iter().find(|it| it.page == *page).and_then(|it| it.values.get(of));
    let own = said(cx.project, &full);
    let mut edits = Vec::new();
    if *of != name {
        let Some((doc, _)) = own else { return Err("A built-in constant keeps its name".into()) };
        let typed = TypedRefs::of(&cx.resolution.schema, RefKind::Tunable);
        edits.push(Edit::RenameTunable { doc: doc.clone(), from: of.clone(), to: name.clone(), typed });
    }
    let before = match (own, builtin) {
        (Some((_, tunable)), _) => tunable.clone(),
        (None, Some(builtin)) => Tunable::of(builtin.value.clone()),
        (None, None) => return Err(format!("{full} is gone")),
    };
    let mut after = before.clone();
    describe(&mut after, builtin.unwrap_or(&Tunable::of(0.0)), draft, [min, max, step]);
    if after != before {
        edits.push(put(cx, page, name.clone(), after));
    }
    Ok((format!("Describe {page}.{name}"), edits))
}

/// Say of a constant what a draft says and the built-in one does not.
fn describe(it: &mut Tunable, builtin: &Tunable, draft: &Draft, [min, max, step]: [Option<f64>; 3]) {
    it.min = min.filter(|_| min != builtin.min);
    it.max = max.filter(|_| max != builtin.max);
    it.step = step.filter(|_| step != builtin.step);
    let unit = draft.unit.trim();
    it.unit = (!unit.is_empty() && builtin.unit.as_deref() != Some(unit)).then(|| unit.to_owned());
    let doc = draft.doc.trim();
    it.doc = if doc == builtin.doc { String::new() } else { doc.to_owned() };
}

/// A number that may be left out.
fn number(text: &str) -> Result<Option<f64>, String> {
    let text = text.trim().replace(',', ".");
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(Some(x)),
        _ => Err(format!("“{text}” is no number")),
    }
}

/// The edit that puts a constant on a page: in the file that says it, else in the page's, else in a new one.
fn put(cx: &Cx<'_>, page: &Name, name: Name, tunable: Tunable) -> Edit {
    let doc = said(cx.project, &format!("{page}.{name}")).map(|(doc, _)| doc.clone());
    match doc.or_else(|| page_doc(cx.project, page)) {
        Some(doc) => Edit::PutTunable { doc, name, tunable },
        None => {
            let page = TuningPage { page: page.clone(), order: 0, values: [(name, tunable)].into_iter().collect() };
            Edit::AddPage { doc: free_file(cx.project, &page.page), page }
        }
    }
}

/// The file of a page, if the project has one.
pub(super) fn page_doc(project: &Project, page: &str) -> Option<DocPath> {
    project.documents.iter().find_map(|(path, doc)| match &**doc {
        Document::Tuning(file) if &*file.page == page => Some(path.clone()),
        _ => None,
    })
}

/// A button that asks for the name of a new page.
pub(super) fn new_page_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let button = icon_button(cx.theme, ui, icons::ICON_ADD.codepoint, "New tuning page", false, true);
    let button = button.tip("Make a page of constants");
    egui::Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(200.0);
        let id = Id::unique("new tuning page");
        let mut name = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
        ui.label(RichText::new("A new page of constants").size(SMALL).color(cx.theme.text_weak));
        let edit = ui.add(egui::TextEdit::singleline(&mut name).hint_text("Name"));
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the new page"));
        let is_done = edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let title = name.trim().to_owned();
        let is_taken = cx.resolution.pages.iter().any(|page| *page.name == *title);
        let refusal = if is_taken {
            Some("There is a page of that name")
        } else if title.contains('.') {
            Some("The dot stands between page and constant")
        } else {
            None
        };
        if let Some(why) = refusal {
            ui.label(RichText::new(why).size(SMALL).color(cx.theme.error));
        }
        let can = refusal.is_none() && !title.is_empty();
        let made = ui.add_enabled(can, egui::Button::new("Make page")).clicked() || (is_done && can);
        if made {
            let last = cx.resolution.pages.iter().map(|page| page.order).max().unwrap_or(0);
            let order = last.saturating_add(10).max(10);
            let page = TuningPage { page: title.as_str().into(), order, values: indexmap::IndexMap::new() };
            cx.send(Action::Edit(Edit::AddPage { doc: free_file(cx.project, &title), page }));
            name.clear();
            ui.close();
        }
        ui.data_mut(|data| data.insert_temp(id, name));
    });
}

/// The edits that move a page one place up or down among pages given as name, order and file; `None` where it cannot go
/// there because the pages around it are built-in ones.
pub(super) fn reorder(pages: &[(String, i64, Option<DocPath>)], at: usize, is_up: bool) -> Option<Vec<Edit>> {
    let to = if is_up { at.checked_sub(1)? } else { at + 1 };
    let ((name, order, doc), (_, other_order, other_doc)) = (pages.get(at)?, pages.get(to)?);
    let doc = doc.as_ref()?;
    let set = |doc: &DocPath, order: i64| Edit::SetPageOrder { doc: doc.clone(), order };
    // Order 0 says nothing: the built-in order counts then.
    if let (Some(other), true) = (other_doc, order != other_order && *order != 0 && *other_order != 0) {
        return Some(vec![set(doc, *other_order), set(other, *order)]);
    }
    let step = if is_up { -1 } else { 1 };
    let fits = |candidate: i64| {
        let mut sorted: Vec<(i64, &str)> = pages.iter().map(|(name, order, _)| (*order, name.as_str())).collect();
        sorted[at].0 = candidate;
        sorted.sort_unstable();
        candidate != 0 && sorted.get(to).is_some_and(|(_, there)| there == name)
    };
    let candidates = [*other_order, other_order.saturating_add(step)];
    candidates.into_iter().find(|it| fits(*it)).map(|order| vec![set(doc, order)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str, order: i64, is_file: bool) -> (String, i64, Option<DocPath>) {
        (name.to_owned(), order, is_file.then(|| DocPath::new(&format!("tuning/{}.ron", name.to_lowercase())).unwrap()))
    }

    fn moved(pages: &[(String, i64, Option<DocPath>)], at: usize, is_up: bool) -> Option<Vec<String>> {
        let edits = reorder(pages, at, is_up)?;
        let mut pages = pages.to_vec();
        for edit in edits {
            let Edit::SetPageOrder { doc, order } = edit else { panic!("{edit:?}") };
            pages.iter_mut().filter(|(_, _, it)| it.as_ref() == Some(&doc)).for_each(|it| it.1 = order);
        }
        pages.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
        Some(pages.into_iter().map(|(name, ..)| name).collect())
    }

    #[test]
    fn pages_change_places() {
        let pages =
            [page("Physics", 1, false), page("Camera", 2, true), page("Combat", 10, true), page("Game", 10, true)];
        assert_eq!(moved(&pages, 2, true).unwrap(), ["Physics", "Combat", "Camera", "Game"]);
        assert_eq!(moved(&pages, 3, true).unwrap(), ["Physics", "Camera", "Game", "Combat"]);
        assert_eq!(moved(&pages, 2, false).unwrap(), ["Physics", "Camera", "Game", "Combat"]);
        assert_eq!(moved(&pages, 1, true).unwrap(), ["Camera", "Physics", "Combat", "Game"]);
        assert_eq!(moved(&pages, 0, false), None, "a built-in page has no file to say it");
        assert_eq!(moved(&pages, 3, false), None, "it is the last");
        // No number but 0 is left between these.
        let tight = [page("B", -1, false), page("C", 1, false), page("D", 3, true)];
        assert_eq!(moved(&tight, 2, true), None);
    }

    #[test]
    fn numbers_may_be_left_out() {
        assert_eq!(number(" "), Ok(None));
        assert_eq!(number("1,5"), Ok(Some(1.5)));
        assert!(number("1e999").is_err() && number("much").is_err());
    }
}
