//! Definitions in the inspector: the heading with what a change would reach, parents, and the components; one or
//! several.

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Subject, Subjects, components::components_ui, nothing_ui};
use crate::{
    edit::{Edit, Owner},
    editor::{Action, Command, Selection},
    explain::impact_of_def,
    model::{DocPath, FieldPath, FieldType, Name, counted},
    ui::{
        Cx,
        panels::inheritance::family_menu_ui,
        theme::SMALL,
        widgets::{
            IconButton, Tip as _, checkbox_ui,
            choose::{Choice, choose_at},
            command_button, heading, line_before,
        },
    },
};

pub(super) fn definition_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name) {
    let Some(def) = cx.project.def(doc, name) else {
        nothing_ui(cx, ui);
        return;
    };
    let kind = if def.is_abstract { "abstract definition" } else { "definition" };
    heading(cx.theme, ui, icons::ICON_SMART_TOY.codepoint, name, kind);
    let file = cx.theme.caption(doc.as_str()).monospace();
    line_before(ui, file, |ui| {
        for command in [Command::Rename, Command::Duplicate, Command::Delete] {
            command_button(cx, ui, command);
        }
        more_ui(cx, ui);
    });
    impact_ui(cx, ui, name);
    parents_ui(cx, ui, doc, name, &def.inherits);
    let mut is_abstract = def.is_abstract;
    let response = checkbox_ui(ui, &mut is_abstract, "Abstract");
    if response.tip("Cannot be placed; exists to be inherited").changed() {
        cx.send(Action::Edit(Edit::set_at(doc, FieldPath::keys([&**name, "abstract"]), &is_abstract)));
    }
    match subject(cx, doc, name) {
        Some(subject) => components_ui(cx, ui, &Subjects::new(vec![subject])),
        None => {
            ui.label(RichText::new("This definition cannot be resolved:").color(cx.theme.error));
            for located in cx.derived.problems_at(doc, &FieldPath::keys([name])) {
                ui.label(&located.problem.finding.message);
            }
        }
    }
}

/// What else can be done with what is selected, one or several.
fn more_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let more = IconButton::new(icons::ICON_MORE_VERT.codepoint, "More actions").show(cx.theme, ui);
    egui::Popup::menu(&more).show(|ui| family_menu_ui(cx, ui));
    more.tip("Extract a parent, inline one, show the inheritance graph");
}

fn subject(cx: &Cx<'_>, doc: &DocPath, name: &Name) -> Option<Subject> {
    let owner = Owner::Def { doc: doc.clone(), name: name.clone() };
    Some(Subject { owner, resolved: cx.resolution.defs.get(name)?.clone(), base: FieldPath::keys([name]) })
}

pub(super) fn definitions_ui(cx: &Cx<'_>, ui: &mut Ui, many: &[(DocPath, Name)]) {
    let icon = icons::ICON_SELECT_ALL.codepoint;
    heading(cx.theme, ui, icon, &counted(many.len(), "definition"), "");
    let names = many.iter().map(|(_, name)| &**name).collect::<Vec<_>>().join(", ");
    line_before(ui, cx.theme.caption(&names), |ui| {
        for command in [Command::Duplicate, Command::Delete] {
            command_button(cx, ui, command);
        }
        more_ui(cx, ui);
    });
    ui.label(cx.theme.caption("An edit here is made to each of them."));
    let subjects: Vec<Subject> = many.iter().filter_map(|(doc, name)| subject(cx, doc, name)).collect();
    components_ui(cx, ui, &Subjects::new(subjects));
}

/// The impact of a change here, shown before it is made.
fn impact_ui(cx: &Cx<'_>, ui: &mut Ui, name: &Name) {
    let impact = cx.derived.memos().get(("impact", name), || {
        let impact = impact_of_def(cx.resolution, cx.derived.census(), name);
        let others: Vec<&str> = impact.defs.iter().filter(|def| *def != name).map(|def| &**def).collect();
        let list = if others.is_empty() { "No definition inherits it".to_owned() } else { others.join(", ") };
        (format!("A change affects {impact}"), list)
    });
    let (text, list) = &*impact;
    ui.label(RichText::new(text).size(SMALL).color(cx.theme.inherited)).tip(list);
}

fn parents_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name, inherits: &[Name]) {
    let set = |inherits: Vec<Name>| {
        cx.send(Action::Edit(Edit::set_at(doc, FieldPath::keys([&**name, "inherits"]), &inherits)));
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(cx.theme.caption("Inherits"));
        for (i, parent) in inherits.iter().enumerate() {
            // The name is cut so that the button behind it stays in reach.
            let room = (ui.max_rect().width() - 84.0).max(48.0);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let home = cx.resolution.def_docs.get(parent);
                let color = if home.is_some() { cx.theme.inherited } else { cx.theme.error };
                let button = egui::Button::new(RichText::new(&**parent).color(color)).truncate();
                let go = ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(button)
                });
                let (go, tip) = (go.inner, format!("Go to {parent}"));
                if let (true, Some(home)) = (go.tip(tip).clicked(), home) {
                    cx.send(Action::Select(Selection::definition(home.clone(), parent.clone())));
                }
                let remove = format!("Stop inheriting {parent}");
                if IconButton::new(icons::ICON_CLOSE.codepoint, &remove).show(cx.theme, ui).clicked() {
                    set(inherits.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, name)| name.clone()).collect());
                }
            });
        }
        let add = IconButton::new(icons::ICON_ADD.codepoint, "Add parent")
            .in_row()
            .show(cx.theme, ui)
            .tip("Inherit one more definition");
        let choices = || {
            let fits = |other: &&Name| *other != name && !inherits.contains(other) && !cx.resolution.is_a(other, name);
            cx.resolution.def_docs.keys().filter(fits).map(Choice::new).collect()
        };
        let picked = choose_at(cx, ui, &add, "Search definitions to inherit", ("", &FieldType::Def), choices, |_| None);
        if let Some(other) = picked {
            set(inherits.iter().cloned().chain([other]).collect());
        }
    });
}
