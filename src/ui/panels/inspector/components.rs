//! The components of what is shown: each with its fields, those taken away, and adding one, declared by a schema or
//! not.

use egui::{CollapsingHeader, Context, Id, Rect, RichText, Ui};
use egui_material_icons::icons;

use super::{
    Subject, Subjects,
    field::{FieldView, field_ui},
    parts::is_part_meant,
};
use crate::{
    defs::{RemovePath, ResolvedComponent, ResolvedField, Source},
    edit::{Edit, Owner},
    editor::{Action, Command, Pane},
    model::{FieldSpec, FieldType, Name, Value, counted},
    refactor::{NameKind, Named, Request, is_by, ops_of},
    ui::{
        Cx,
        panels::component_plot::component_plot_ui,
        widgets::{
            IconButton, Tip as _,
            choose::{Choice, choose_at},
            icon_text, in_rect, is_any_wanted_shown, matches, popup_button, popup_search_field, search_field,
            want_shown,
        },
    },
};

fn search_id() -> Id {
    Id::unique("field search")
}

/// Have the text field of this name shown, whatever is searched for.
pub(in crate::ui::panels) fn show_field(ctx: &Context, name: &str) {
    ctx.data_mut(|data| data.remove::<String>(search_id()));
    want_shown(ctx, name);
}

/// The components of one thing, or those that several have in common.
pub(super) fn components_ui(cx: &Cx<'_>, ui: &mut Ui, subjects: &Subjects) {
    let Some(first) = subjects.all.first() else { return };
    ui.add_space(4.0);
    let query = search_field(cx.theme, ui, search_id(), "Search fields");
    let (mut n_shown, mut n_hidden) = (0, 0);
    for (name, component) in &first.resolved.components {
        if !subjects.have(name) {
            continue;
        }
        let declared = cx.resolution.schema.components.get(name);
        let is_meant = |field: &Name, value: &Value| {
            let spec = declared.and_then(|component| component.fields.get(field));
            is_part_meant(&query, &format!("{name}.{field}"), spec.map_or(&FieldType::Any, |spec| &spec.ty), value)
        };
        let fields = component.fields.iter().filter(|(field, it)| is_meant(field, &it.value));
        let fields: Vec<(&Name, &ResolvedField)> = fields.map(|(field, value)| (field, &**value)).collect();
        n_hidden += component.fields.len() - fields.len();
        if fields.is_empty() && !(query.is_empty() || matches(&query, name)) {
            continue;
        }
        n_shown += 1;
        component_ui(cx, ui, subjects, (name, component), (&fields, &query));
    }
    if n_shown == 0 && !query.is_empty() {
        ui.label(RichText::new("No field by that name").color(cx.theme.text_weak));
    }
    if n_shown > 0 && n_hidden > 0 {
        let hidden = counted(n_hidden, "field");
        ui.label(cx.theme.caption(format!("{hidden} hidden by the search “{}”", query.trim())));
    }
    if query.is_empty() {
        removed_ui(cx, ui, &subjects.all);
    }
    ui.add_space(8.0);
    add_component_ui(cx, ui, &subjects.all);
}

fn component_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    shown: &Subjects,
    (name, component): (&Name, &ResolvedComponent),
    (fields, query): (&[(&Name, &ResolvedField)], &str),
) {
    let subjects = shown.all.as_slice();
    let declared = cx.resolution.schema.components.get(name);
    let unknown = FieldSpec::of(FieldType::Any);
    let ink = if declared.is_some() { cx.theme.text_strong } else { cx.theme.warning };
    let title = RichText::new(&**name).strong().color(ink);
    let is_shown = is_any_wanted_shown(ui, &format!("{name}."));
    if is_shown {
        // What is unfolding cannot be scrolled to.
        ui.ctx().clear_animations();
    }
    // What is found is unfolded; what the user has folded is so again after the search.
    let header = CollapsingHeader::new(title).id_salt(("component", name, query)).default_open(true);
    let response = header.open(is_shown.then_some(true)).show(ui, |ui| {
        for (field, value) in fields {
            let spec = declared.and_then(|component| component.fields.get(*field));
            let view = FieldView::new(shown, (name, field), spec.unwrap_or(&unknown), value, spec.is_some());
            if let Some(mut view) = view {
                view.query = query;
                field_ui(cx, ui, &view);
            }
        }
        if component.fields.is_empty() && declared.is_some() {
            ui.label(cx.theme.caption("No fields; it only marks the entity"));
        }
        if let [only] = subjects {
            component_plot_ui(cx, ui, name, &only.resolved);
        }
        if declared.is_none() {
            add_field_ui(cx, ui, subjects, name, component);
        }
    });
    let header = response.header_response;
    // The header is as wide as its text.
    let right = ui.max_rect().right();
    let rect = Rect::from_x_y_ranges(right - 24.0..=right, header.rect.y_range());
    let remove = format!("Remove {name}");
    let is_removed = in_rect(ui, rect, |ui| {
        IconButton::new(icons::ICON_CLOSE.codepoint, &remove).in_row().show(cx.theme, ui).tip(&remove).clicked()
    });
    if is_removed {
        remove_component(cx, subjects, name);
    }
    if **name == *"Tracks" {
        let rect = Rect::from_x_y_ranges(right - 48.0..=right - 24.0, header.rect.y_range());
        in_rect(ui, rect, |ui| {
            let open = IconButton::new(icons::ICON_TIMELINE.codepoint, "Show on the time line").in_row();
            if open.show(cx.theme, ui).tip("Show these tracks on the time line").clicked() {
                cx.command(Command::Show(Pane::Tracks));
            }
        });
    }
    let header = header.tip_ui(|ui| {
        ui.set_max_width(360.0);
        match declared {
            Some(spec) => ui.label(&spec.doc),
            None => ui.label(format!("No schema declares {name}; it is kept as it is written, and exported")),
        };
        let who = component.declared_by.as_ref().map(|by| match by {
            Source::Default => "by default".to_owned(),
            Source::Def(name) => format!("from {name}"),
            Source::Instance(id) => format!("from {id}"),
        });
        ui.label(cx.theme.caption(who.unwrap_or_default()));
    });
    header.context_menu(|ui| {
        if !cx.derived.builtin().schema.components.contains_key(name) && ui.button("Rename component…").clicked() {
            let what = Named::new(NameKind::Component, name.clone());
            cx.send(Action::Refactor(Request::Rename { what, to: name.to_string() }));
            ui.close();
        }
        if ui.button(&remove).clicked() {
            remove_component(cx, subjects, name);
            ui.close();
        }
        if ui.button("Copy as text").clicked() {
            let text: Vec<String> = component.fields.iter().map(|(n, f)| format!("{n}: {}", f.value)).collect();
            cx.send(Action::CopyText(format!("{name}: ({})", text.join(", "))));
            ui.close();
        }
    });
}

fn remove_component(cx: &Cx<'_>, subjects: &[Subject], name: &Name) {
    let remove = |it: &Subject| Edit::RemoveComponent { owner: it.owner.clone(), component: name.clone() };
    cx.send(Action::Edits { label: format!("Remove {name}"), edits: subjects.iter().map(remove).collect() });
}

/// Components that an ancestor has and this takes away.
fn removed_ui(cx: &Cx<'_>, ui: &mut Ui, subjects: &[Subject]) {
    let [subject] = subjects else { return };
    let Some(ops) = ops_of(cx.project, &subject.owner) else { return };
    let whole = |entry: &&String| RemovePath::parse(entry).is_ok_and(|path| path.steps.is_empty());
    for entry in ops.remove.iter().filter(whole) {
        ui.horizontal(|ui| {
            let text = RichText::new(entry).strikethrough().color(cx.theme.text_weak);
            let from = whose(cx, subject, entry).map(|name| format!(" (from {name})")).unwrap_or_default();
            ui.label(text).tip(format!("Removed here: {entry}{from}"));
            ui.label(cx.theme.caption(format!("removed{from}")));
            let restore = format!("Restore {entry}");
            let icon = icons::ICON_UNDO.codepoint;
            if IconButton::new(icon, &restore).in_row().show(cx.theme, ui).tip(&restore).clicked() {
                let edit = Edit::DropRemove { owner: subject.owner.clone(), entry: entry.clone() };
                cx.send(Action::Edits { label: restore, edits: vec![edit] });
            }
        });
    }
}

/// The ancestor that declares a component removed here.
fn whose(cx: &Cx<'_>, subject: &Subject, component: &str) -> Option<Name> {
    let parents = match &subject.owner {
        Owner::Def { doc, name } => cx.project.def(doc, name)?.inherits.clone(),
        Owner::Instance { doc, layer, id } => {
            let (_, layer) = cx.project.level(doc)?.layer(layer)?;
            vec![layer.entities()?.get(id)?.def.clone()]
        }
    };
    parents.iter().find_map(|parent| {
        match &cx.resolution.defs.get(parent)?.components.get(component.trim())?.declared_by {
            Some(by @ Source::Def(name)) if !is_by(&subject.owner, by) => Some(name.clone()),
            _ => None,
        }
    })
}

fn add_component_ui(cx: &Cx<'_>, ui: &mut Ui, subjects: &[Subject]) {
    let Some(first) = subjects.first() else { return };
    let add = |name: &Name| {
        let add = |it: &Subject| Edit::AddComponent { owner: it.owner.clone(), component: name.clone() };
        cx.send(Action::Edits { label: format!("Add {name}"), edits: subjects.iter().map(add).collect() });
    };
    let button = ui.add(egui::Button::new((icon_text(icons::ICON_ADD.codepoint, 14.0), "Add component")));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add component"));
    let all = &cx.resolution.schema.components;
    let choices = || {
        let free = all.iter().filter(|(name, _)| !first.resolved.has(name));
        free.map(|(name, spec)| Choice::about(name, spec.doc.clone())).collect()
    };
    let other = |typed: &str| {
        let is_new = is_word(typed) && !all.contains_key(typed) && !first.resolved.has(typed);
        let detail = "kept, exported, and edited by the form of its values".to_owned();
        is_new.then(|| Choice { name: typed.into(), detail, text: format!("Add {typed}, which no schema declares") })
    };
    if let Some(name) = choose_at(cx, ui, &button, "Search components", ("", &FieldType::Any), choices, other) {
        add(&name);
    }
}

/// A field more for a component that no schema declares, by what it holds.
fn add_field_ui(cx: &Cx<'_>, ui: &mut Ui, subjects: &[Subject], component: &Name, now: &ResolvedComponent) {
    popup_button(ui, &format!("Add field to {component}"), "+ Add field", |ui| {
        ui.set_min_width(200.0);
        let name = popup_search_field(cx.theme, ui, Id::unique(("field name", component)), "Name of the field");
        let name: Name = name.trim().into();
        let is_free = is_word(&name) && !now.fields.contains_key(&name);
        let kinds = [
            ("A number", Value::Float(0.0)),
            ("A whole number", Value::Int(0)),
            ("Text", Value::str("")),
            ("True or false", Value::Bool(false)),
            ("A pair of numbers", Value::vec2(0.0, 0.0)),
            ("A list", Value::List(Vec::new())),
            ("A map", Value::Map(Vec::new())),
        ];
        for (kind, value) in kinds {
            if ui.add_enabled(is_free, egui::Button::new(kind).frame(false)).clicked() {
                let set = |it: &Subject| Edit::set(it.owner.clone(), component, &name, value.clone());
                let label = format!("Add {component}.{name}");
                cx.send(Action::Edits { label, edits: subjects.iter().map(set).collect() });
                ui.close();
            }
        }
    });
}

/// Whether files take it for a name.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
