//! The Tuning pane: every page of constants, with sliders that turn the running world.

use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::ui::widgets::Tip as _;
use crate::{
    defs::ResolvedPage,
    edit::Edit,
    model::{DocKind, DocPath, Name, Tunable, TuningPage, Value},
    ui::{
        Action, Cx,
        theme::SMALL,
        widgets::{
            at_right, badge, empty_state, icon_button, icon_text, matches,
            number::{Change, NumberSpec, slider_ui},
            search_field,
            value::text_ui,
        },
    },
};

/// Show the Tuning pane.
pub fn tuning_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let query = search_field(cx.theme, ui, Id::unique("tuning search"), "Search constants");
    if cx.resolution.pages.is_empty() {
        let icon = icons::ICON_TUNE.codepoint;
        empty_state(cx.theme, ui, icon, "No constants", "Tuning pages are files in the project's tuning folder");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for page in &cx.resolution.pages {
            page_ui(cx, ui, page, &query);
        }
    });
}

fn page_ui(cx: &Cx<'_>, ui: &mut Ui, page: &ResolvedPage, query: &str) {
    let fits = |name: &str, tunable: &Tunable| matches(query, &format!("{} {name} {}", page.name, tunable.doc));
    let shown: Vec<_> = page.values.iter().filter(|(name, tunable, _)| fits(name, tunable)).collect();
    if shown.is_empty() {
        return;
    }
    let heading = RichText::new(&*page.name).color(cx.theme.text_strong).strong();
    let header = egui::CollapsingHeader::new(heading)
        .id_salt(("page", &page.name))
        .default_open(page.order >= 5 || !query.is_empty());
    header.show(ui, |ui| {
        for (name, tunable, doc) in shown {
            value_ui(cx, ui, page, name, tunable, doc.as_ref());
        }
    });
}

fn value_ui(cx: &Cx<'_>, ui: &mut Ui, page: &ResolvedPage, name: &Name, tunable: &Tunable, doc: Option<&DocPath>) {
    let full = format!("{}.{name}", page.name);
    ui.push_id(&full, |ui| {
        ui.horizontal(|ui| {
            let (mark, whose) = match doc {
                Some(doc) => (crate::defs::Badge::Own, format!("said by {doc}")),
                None => (crate::defs::Badge::Default, "the built-in default".to_owned()),
            };
            badge(cx.theme, ui, mark, &format!("{full} is {whose}")).tip(whose);
            let label = ui.label(RichText::new(&**name).color(cx.theme.text));
            label.on_hover_ui(|ui| {
                ui.strong(&full);
                ui.label(&tunable.doc);
                if let (Some(min), Some(max)) = (tunable.min, tunable.max) {
                    ui.label(format!("{min} to {max} {}", tunable.unit.as_deref().unwrap_or_default()));
                }
            });
            at_right(ui, |ui| {
                let builtin = cx.builtin.tuning.iter().find(|p| p.page == page.name).and_then(|p| p.values.get(name));
                if let (Some(doc), Some(builtin)) = (doc, builtin)
                    && builtin.value != tunable.value
                {
                    let icon = icons::ICON_UNDO.codepoint;
                    let reset = icon_button(cx.theme, ui, icon, &format!("Reset {full}"), false, true);
                    if reset.tip(format!("Back to the built-in {}", builtin.value)).clicked() {
                        let edit =
                            Edit::SetTunable { doc: doc.clone(), name: name.clone(), value: builtin.value.clone() };
                        cx.send(Action::Edit(edit));
                    }
                }
            });
        });
        ui.horizontal(|ui| {
            ui.add_space(20.0);
            if let Some(change) = editor_ui(cx, ui, &full, tunable) {
                let (value, phase) = change.into_parts();
                let edits = vec![edit_for(cx, page, name, tunable, doc, value)];
                cx.send(Action::Gesture { label: format!("Tune {full}"), edits, phase });
            }
        });
    });
}

fn editor_ui(cx: &Cx<'_>, ui: &mut Ui, full: &str, tunable: &Tunable) -> Option<Change<Value>> {
    match &tunable.value {
        Value::Int(_) | Value::Float(_) => {
            let spec = NumberSpec {
                min: tunable.min,
                max: tunable.max,
                step: tunable.step,
                unit: tunable.unit.as_deref(),
                is_int: matches!(tunable.value, Value::Int(_)),
            };
            let (_, change) = slider_ui(ui, full, tunable.value.as_f64().unwrap_or_default(), &spec);
            #[expect(clippy::cast_possible_truncation, reason = "rounded by the widget; `as` saturates")]
            change.map(|change| change.map(|x| if spec.is_int { Value::Int(x as i64) } else { Value::Float(x) }))
        }
        Value::Bool(is_on) => {
            let mut edited = *is_on;
            let response = ui.checkbox(&mut edited, if *is_on { "on" } else { "off" });
            response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, *is_on, full));
            response.changed().then_some(Change::Commit(Value::Bool(edited)))
        }
        Value::Str(text) => text_ui(ui, full, text).map(|change| change.map(Value::Str)),
        other => {
            ui.label(RichText::new(other.to_string()).size(SMALL).monospace().color(cx.theme.text_weak));
            ui.label(icon_text(icons::ICON_INFO.codepoint, 14.0).color(cx.theme.text_weak))
                .tip("Values of this kind are edited in the file");
            None
        }
    }
}

/// The edit that makes a constant this: in the file that says it, else in the page's file, else in a new file.
fn edit_for(
    cx: &Cx<'_>,
    page: &ResolvedPage,
    name: &Name,
    tunable: &Tunable,
    doc: Option<&DocPath>,
    value: Value,
) -> Edit {
    if let Some(doc) = doc {
        return Edit::SetTunable { doc: doc.clone(), name: name.clone(), value };
    }
    let tunable = Tunable { value, ..tunable.clone() };
    let home = cx.project.documents.iter().find_map(|(path, document)| match &**document {
        crate::model::Document::Tuning(file) if file.page == page.name => Some(path.clone()),
        _ => None,
    });
    match home {
        Some(doc) => Edit::PutTunable { doc, name: name.clone(), tunable },
        None => {
            let values = [(name.clone(), tunable)].into();
            let page = TuningPage { page: page.name.clone(), order: page.order, values };
            Edit::AddPage { doc: DocPath::in_folder(DocKind::Tuning, &page.page), page }
        }
    }
}
