//! The Inspector pane: what is selected, field by field, each with who says it.
//!
//! One function over schemas shows definitions and placed entities alike; a new component costs nothing here.

use std::sync::Arc;

use egui::{CollapsingHeader, Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use super::inspect_doc;
use crate::ui::widgets::Tip as _;
use crate::{
    defs::{Badge, Resolved, ResolvedComponent, ResolvedField, Source},
    edit::{Edit, Owner, set_to},
    model::{
        DocPath, FieldPath, FieldSpec, FieldType, Instance, Layer, LayerContent, Name, Node, OpKind, Severity, Value,
    },
    ui::{
        Action, Command, Cx, Phase, Selection,
        theme::SMALL,
        widgets::{
            at_right, badge, badge_name, command_button, empty_state, heading, icon_button, icon_text, matches,
            number::{Change, NumberSpec, drag_ui},
            search_field, section,
            value::{text_ui, value_ui},
        },
    },
};

/// Show the Inspector pane.
pub fn inspector_ui(cx: &Cx<'_>, ui: &mut Ui) {
    // Fields of another selection are other fields: what is half typed in one must not end in another.
    let salt = format!("{:?}", cx.selection);
    ScrollArea::vertical().id_salt(&salt).auto_shrink(false).show(ui, |ui| match cx.selection {
        Selection::Definitions { all } => match all.as_slice() {
            [(doc, name)] => definition_ui(cx, ui, doc, name),
            many => definitions_ui(cx, ui, many),
        },
        Selection::Things { doc, ids } if !ids.is_empty() => things_ui(cx, ui, doc, ids),
        Selection::Layer { doc, layer } => inspect_doc::layer_ui(cx, ui, doc, layer),
        Selection::Document(doc) => inspect_doc::document_ui(cx, ui, doc),
        Selection::Machine { doc, name, state, transition } => {
            super::machine_parts::parts_ui(cx, ui, doc, name, state, *transition);
        }
        _ => nothing_ui(cx, ui),
    });
}

fn nothing_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let icon = icons::ICON_TOUCH_APP.codepoint;
    empty_state(
        cx.theme,
        ui,
        icon,
        "Nothing is selected",
        "Click an entity in the level, or a definition in the project",
    );
}

fn definition_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name) {
    let Some(def) = cx.project.def(doc, name) else {
        nothing_ui(cx, ui);
        return;
    };
    heading(
        cx.theme,
        ui,
        icons::ICON_SMART_TOY.codepoint,
        name,
        if def.is_abstract { "abstract definition" } else { "definition" },
    );
    ui.horizontal(|ui| {
        ui.label(RichText::new(doc.as_str()).size(SMALL).monospace().color(cx.theme.text_weak));
        at_right(ui, |ui| {
            for command in [Command::Delete, Command::Duplicate, Command::Rename] {
                command_button(cx, ui, command);
            }
        });
    });
    let descendants = cx.resolution.descendants(name);
    if !descendants.is_empty() {
        let list = descendants.iter().map(|name| &**name).collect::<Vec<_>>().join(", ");
        let n = descendants.len();
        let text = if n == 1 { "1 inherits this".to_owned() } else { format!("{n} inherit this") };
        ui.label(RichText::new(text).size(SMALL).color(cx.theme.inherited)).tip(list);
    }
    parents_ui(cx, ui, doc, name, &def.inherits);
    let mut is_abstract = def.is_abstract;
    let response = ui.checkbox(&mut is_abstract, "Abstract");
    if response.tip("Cannot be placed; exists to be inherited").changed() {
        cx.send(Action::Edit(Edit::SetAbstract { doc: doc.clone(), name: name.clone(), is_abstract }));
    }
    let owners = [Owner::Def { doc: doc.clone(), name: name.clone() }];
    match cx.resolution.defs.get(name) {
        Some(resolved) => components_ui(cx, ui, &owners, std::slice::from_ref(resolved), &FieldPath::keys([name])),
        None => unresolved_ui(cx, ui, doc, name),
    }
}

fn definitions_ui(cx: &Cx<'_>, ui: &mut Ui, many: &[(DocPath, Name)]) {
    let icon = icons::ICON_SELECT_ALL.codepoint;
    heading(cx.theme, ui, icon, &format!("{} definitions", many.len()), "");
    let names = many.iter().map(|(_, name)| &**name).collect::<Vec<_>>().join(", ");
    ui.horizontal(|ui| {
        at_right(ui, |ui| {
            for command in [Command::Delete, Command::Duplicate] {
                command_button(cx, ui, command);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let text = RichText::new(&names).size(SMALL).color(cx.theme.text_weak);
                ui.add(egui::Label::new(text).truncate());
            });
        });
    });
    ui.label(RichText::new("An edit here is made to each of them.").size(SMALL).color(cx.theme.text_weak));
    let found = many.iter().filter_map(|(doc, name)| {
        let owner = Owner::Def { doc: doc.clone(), name: name.clone() };
        Some((owner, cx.resolution.defs.get(name)?.clone()))
    });
    let (owners, resolved): (Vec<Owner>, Vec<Arc<Resolved>>) = found.unzip();
    components_ui(cx, ui, &owners, &resolved, &FieldPath::root());
}

fn unresolved_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &str) {
    ui.label(RichText::new("This definition cannot be resolved:").color(cx.theme.error));
    for located in cx.problems_at(doc, &FieldPath::keys([name])) {
        ui.label(&located.problem.finding.message);
    }
}

fn parents_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name, inherits: &[Name]) {
    let set = |inherits: Vec<Name>| {
        cx.send(Action::Edit(Edit::SetInherits { doc: doc.clone(), name: name.clone(), inherits }));
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Inherits").size(SMALL).color(cx.theme.text_weak));
        for (i, parent) in inherits.iter().enumerate() {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let home = cx.resolution.def_docs.get(parent);
                let color = if home.is_some() { cx.theme.inherited } else { cx.theme.error };
                let button = egui::Button::new(RichText::new(&**parent).color(color));
                if let (true, Some(home)) = (ui.add(button).tip("Go to this definition").clicked(), home) {
                    cx.send(Action::Select(Selection::definition(home.clone(), parent.clone())));
                }
                let remove = format!("Stop inheriting {parent}");
                if icon_button(cx.theme, ui, icons::ICON_CLOSE.codepoint, &remove, false, true).clicked() {
                    set(inherits.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, name)| name.clone()).collect());
                }
            });
        }
        let response = ui.menu_button(icon_text(icons::ICON_ADD.codepoint, 15.0), |ui| {
            let query = search_field(cx.theme, ui, Id::unique("parent search"), "Search definitions");
            ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
                let fits = |other: &Name| {
                    matches(&query, other)
                        && other != name
                        && !inherits.contains(other)
                        && !cx.resolution.is_a(other, name)
                };
                for other in cx.resolution.def_docs.keys().filter(|other| fits(other)) {
                    if ui.button(&**other).clicked() {
                        set(inherits.iter().cloned().chain([other.clone()]).collect());
                        ui.close();
                    }
                }
            });
        });
        response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add parent"));
    });
}

fn things_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[Name]) {
    let Some(level) = cx.project.level(doc) else { return };
    let mut entities: Vec<(usize, &Layer, &Name, &Arc<Instance>)> = Vec::new();
    let mut nodes: Vec<(&Layer, &Name, &Node)> = Vec::new();
    for id in ids {
        for (i, layer) in level.layers.iter().enumerate() {
            match &layer.content {
                LayerContent::Entities(all) => entities.extend(all.get(id).map(|it| (i, &**layer, id, it))),
                LayerContent::Waypoints(graph) => nodes.extend(graph.nodes.get(id).map(|it| (&**layer, id, it))),
                LayerContent::Tiles(_) => {}
            }
        }
    }
    match (entities.as_slice(), nodes.as_slice()) {
        ([], []) => nothing_ui(cx, ui),
        ([], [one]) => inspect_doc::node_ui(cx, ui, doc, one.0, one.1, one.2),
        ([one], []) => entity_ui(cx, ui, doc, one),
        ([], many) => {
            heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, &format!("{} waypoints", many.len()), "");
        }
        (many, _) => many_ui(cx, ui, doc, many, nodes.len()),
    }
}

fn owner(doc: &DocPath, layer: &Layer, id: &Name) -> Owner {
    Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() }
}

fn entity_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    doc: &DocPath,
    (index, layer, id, instance): &(usize, &Layer, &Name, &Arc<Instance>),
) {
    heading(cx.theme, ui, icons::ICON_SMART_TOY.codepoint, &instance.def, "placed entity");
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{id} on {}", layer.name)).size(SMALL).monospace().color(cx.theme.text_weak));
        at_right(ui, |ui| {
            let home = cx.resolution.def_docs.get(&instance.def);
            let go = icon_button(
                cx.theme,
                ui,
                icons::ICON_ARROW_OUTWARD.codepoint,
                "Go to definition",
                false,
                home.is_some(),
            );
            if let (true, Some(home)) = (go.tip("Go to its definition").clicked(), home) {
                cx.send(Action::Select(Selection::definition(home.clone(), instance.def.clone())));
            }
            command_button(cx, ui, Command::Delete);
            command_button(cx, ui, Command::Duplicate);
        });
    });
    transform_ui(cx, ui, doc, layer, id, instance);
    let (resolved, _) = cx.resolution.instance(doc, *index, id, instance);
    let path = FieldPath::keys(["layers"]).index(*index).key("entities").key(id);
    if cx.resolution.defs.get(&instance.def).is_none() {
        ui.label(RichText::new(format!("{} cannot be resolved; see Problems", instance.def)).color(cx.theme.error));
    }
    components_ui(cx, ui, &[owner(doc, layer, id)], &[Arc::new(resolved)], &path);
}

fn transform_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer, id: &Name, instance: &Instance) {
    let px = NumberSpec { step: Some(1.0), unit: Some("px"), ..NumberSpec::default() };
    let degrees = NumberSpec { step: Some(1.0), unit: Some("°"), ..NumberSpec::default() };
    let change = ui.horizontal(|ui| {
        ui.label(RichText::new("at").size(SMALL).color(cx.theme.text_weak));
        let [x, y] = instance.at;
        let on_x = drag_ui(ui, "at x", x, &px).1.map(|c| c.map(|x| ([x, y], instance.rotation)));
        let on_y = drag_ui(ui, "at y", y, &px).1.map(|c| c.map(|y| ([x, y], instance.rotation)));
        ui.label(RichText::new("turned").size(SMALL).color(cx.theme.text_weak));
        let turned = drag_ui(ui, "rotation", instance.rotation, &degrees).1.map(|c| c.map(|r| ([x, y], r)));
        on_x.or(on_y).or(turned)
    });
    if let Some(change) = change.inner {
        let ((at, rotation), phase) = change.into_parts();
        let edit = Edit::SetTransform { doc: doc.clone(), layer: layer.name.clone(), id: id.clone(), at, rotation };
        cx.send(Action::Gesture { label: format!("Move {id}"), edits: vec![edit], phase });
    }
}

fn many_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, many: &[(usize, &Layer, &Name, &Arc<Instance>)], n_nodes: usize) {
    let nodes = if n_nodes > 0 { format!(" and {n_nodes} waypoints") } else { String::new() };
    heading(cx.theme, ui, icons::ICON_SELECT_ALL.codepoint, &format!("{} entities{nodes}", many.len()), "");
    ui.label(RichText::new("An edit here is made to each of them.").size(SMALL).color(cx.theme.text_weak));
    let owners: Vec<Owner> = many.iter().map(|(_, layer, id, _)| owner(doc, layer, id)).collect();
    let resolved: Vec<Arc<Resolved>> = many
        .iter()
        .map(|(index, _, id, instance)| Arc::new(cx.resolution.instance(doc, *index, id, instance).0))
        .collect();
    components_ui(cx, ui, &owners, &resolved, &FieldPath::root());
}

/// The components of one thing, or those that several have in common.
fn components_ui(cx: &Cx<'_>, ui: &mut Ui, owners: &[Owner], resolved: &[Arc<Resolved>], path: &FieldPath) {
    let Some((first, others)) = resolved.split_first() else { return };
    ui.add_space(4.0);
    let query = search_field(cx.theme, ui, Id::unique("field search"), "Search fields");
    for (name, component) in &first.components {
        if !others.iter().all(|other| other.has(name)) {
            continue;
        }
        let fits = |field: &str| query.is_empty() || matches(&query, &format!("{name} {field}"));
        let fields: Vec<(&Name, &ResolvedField)> =
            component.fields.iter().filter(|(field, _)| fits(field)).map(|(field, value)| (field, &**value)).collect();
        if fields.is_empty() && !(query.is_empty() || matches(&query, name)) {
            continue;
        }
        component_ui(cx, ui, owners, resolved, path, (name, component), &fields);
    }
    add_component_ui(cx, ui, owners, first);
}

fn component_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    owners: &[Owner],
    resolved: &[Arc<Resolved>],
    path: &FieldPath,
    (name, component): (&Name, &ResolvedComponent),
    fields: &[(&Name, &ResolvedField)],
) {
    let doc = cx.resolution.schema.components.get(name).map(|spec| spec.doc.as_str()).unwrap_or_default();
    let title = RichText::new(&**name).strong().color(cx.theme.text_strong);
    let response = CollapsingHeader::new(title).id_salt(("component", name)).default_open(true).show(ui, |ui| {
        for (field, value) in fields {
            field_ui(cx, ui, owners, resolved, path, name, field, value);
        }
        if component.fields.is_empty() {
            ui.label(RichText::new("No fields; its presence says it all").size(SMALL).color(cx.theme.text_weak));
        }
        if let [only] = resolved {
            super::component_plot::component_plot_ui(cx, ui, name, only);
        }
    });
    let header = response.header_response.tip(doc);
    header.context_menu(|ui| {
        if ui.button(format!("Remove {name}")).clicked() {
            let edits =
                owners.iter().map(|owner| Edit::RemoveComponent { owner: owner.clone(), component: name.clone() });
            cx.send(Action::Edits { label: format!("Remove {name}"), edits: edits.collect() });
            ui.close();
        }
        if ui.button("Copy as text").clicked() {
            let text: Vec<String> = component.fields.iter().map(|(n, f)| format!("{n}: {}", f.value)).collect();
            cx.send(Action::CopyText(format!("{name}: ({})", text.join(", "))));
            ui.close();
        }
    });
}

#[expect(clippy::too_many_arguments, reason = "a field is known by all of these")]
fn field_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    owners: &[Owner],
    resolved: &[Arc<Resolved>],
    path: &FieldPath,
    component: &Name,
    field: &Name,
    value: &ResolvedField,
) {
    let unknown = FieldSpec::of(FieldType::Any);
    let declared = cx.resolution.schema.field(component, field);
    let spec = declared.unwrap_or(&unknown);
    let full = format!("{component}.{field}");
    let Some(first) = owners.first() else { return };
    let said = value.badge(first.name());
    let is_mixed = resolved.iter().skip(1).any(|other| other.get(component, field) != Some(&value.value));
    let is_tall = matches!(spec.ty, FieldType::List(_) | FieldType::Map(_) | FieldType::Struct(_) | FieldType::Shape);
    let send = |change: Change<Value>| {
        let (new, phase) = change.into_parts();
        // What each says of it differs, so each gets its own edit; a commit without one ends the drag as it is.
        let edit = |(owner, resolved): (&Owner, &Arc<Resolved>)| {
            let at = (owner.clone(), component.clone(), field.clone());
            let shown = resolved.get(component, field);
            shown.map(|shown| set_to(cx.project, at, &spec.ty, shown, &new)).unwrap_or_default()
        };
        let edits: Vec<Edit> = owners.iter().zip(resolved).flat_map(edit).collect();
        if edits.is_empty() && phase == Phase::Preview {
            return;
        }
        cx.send(Action::Gesture { label: format!("Set {full}"), edits, phase });
    };
    ui.push_id(&full, |ui| {
        ui.horizontal(|ui| {
            let left = ui.cursor().left();
            let mark = badge(cx.theme, ui, said, &format!("{full} is {}", badge_name(said)));
            let column = (ui.available_width() * 0.4).clamp(70.0, 150.0);
            let ink = match (declared.is_some(), said) {
                (false, _) => cx.theme.error,
                (true, Badge::Own | Badge::Instance) => cx.theme.text_strong,
                (true, _) => cx.theme.text,
            };
            let text = egui::Label::new(RichText::new(&**field).color(ink)).truncate().sense(egui::Sense::click());
            let room =
                egui::vec2(if is_tall { ui.available_width() - 60.0 } else { column }, ui.spacing().interact_size.y);
            let label =
                ui.allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(text));
            let label = label.inner;
            let chain = |ui: &mut Ui| chain_ui(cx, ui, &full, spec, value);
            mark.clone().on_hover_ui(chain);
            label.clone().on_hover_ui(chain);
            for response in [&mark, &label] {
                response.context_menu(|ui| field_menu_ui(cx, ui, owners, component, field, value, said));
            }
            egui::Popup::menu(&mark).show(|ui| field_menu_ui(cx, ui, owners, component, field, value, said));
            if !is_tall {
                ui.add_space((left + column + 24.0 - ui.cursor().left()).max(0.0));
            }
            problem_mark_ui(cx, ui, owners, path, component, field);
            if is_mixed {
                ui.label(RichText::new("mixed").size(SMALL).color(cx.theme.warning)).tip("The selected differ here");
            }
            at_right(ui, |ui| {
                if matches!(said, Badge::Own | Badge::Instance) {
                    let reset = format!("Reset {full}");
                    let button = icon_button(cx.theme, ui, icons::ICON_UNDO.codepoint, &reset, false, true);
                    if button.on_hover_ui(|ui| reset_tip_ui(cx, ui, first.name(), value)).clicked() {
                        reset_all(cx, owners, component, field, &full);
                    }
                } else {
                    ui.add_space(30.0);
                }
                if !is_tall {
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        if let Some(change) = value_ui(cx, ui, &full, spec, &value.value) {
                            send(change);
                        }
                    });
                }
            });
        });
        if is_tall {
            ui.indent("value", |ui| {
                if let Some(change) = value_ui(cx, ui, &full, spec, &value.value) {
                    send(change);
                }
            });
        }
    });
}

fn reset_all(cx: &Cx<'_>, owners: &[Owner], component: &Name, field: &Name, full: &str) {
    let edits = owners.iter().map(|owner| Edit::clear(owner.clone(), component, field)).collect();
    cx.send(Action::Edits { label: format!("Reset {full}"), edits });
}

/// What a reset would make of it: the value before the owner's own say.
fn reset_tip_ui(cx: &Cx<'_>, ui: &mut Ui, owner: &str, value: &ResolvedField) {
    let before = value.provenance.iter().rev().find(|said| match &said.by {
        Source::Def(name) | Source::Instance(name) => **name != *owner,
        Source::Default => true,
    });
    match before {
        Some(said) => ui.label(format!("Back to {} {}", said.after, by(&said.by))),
        None => ui.colored_label(cx.theme.text_weak, "Nobody else says this field"),
    };
}

fn by(source: &Source) -> String {
    match source {
        Source::Default => "by default".to_owned(),
        Source::Def(name) => format!("of {name}"),
        Source::Instance(id) => format!("of {id}"),
    }
}

/// Who said what, oldest first.
fn chain_ui(cx: &Cx<'_>, ui: &mut Ui, full: &str, spec: &FieldSpec, value: &ResolvedField) {
    ui.set_max_width(420.0);
    ui.strong(full);
    if !spec.doc.is_empty() {
        ui.label(&spec.doc);
    }
    let range = match (spec.min, spec.max) {
        (Some(min), Some(max)) => format!(", {min} to {max}"),
        (Some(min), None) => format!(", from {min}"),
        (None, Some(max)) => format!(", up to {max}"),
        (None, None) => String::new(),
    };
    let unit = spec.unit.as_deref().map(|unit| format!(", in {unit}")).unwrap_or_default();
    ui.label(RichText::new(format!("{}{range}{unit}", spec.ty.describe())).size(SMALL).color(cx.theme.text_weak));
    if let Some(why) = &spec.deprecated {
        ui.colored_label(cx.theme.warning, format!("Deprecated: {why}"));
    }
    ui.separator();
    egui::Grid::new("chain").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        for said in &value.provenance {
            ui.label(match &said.by {
                Source::Default => "default".to_owned(),
                Source::Def(name) => name.to_string(),
                Source::Instance(id) => format!("{id} (placed)"),
            });
            ui.label(RichText::new(operation(said.op, &said.operand)).monospace());
            ui.label(RichText::new(format!("= {}", said.after)).monospace().color(cx.theme.text_strong));
            let place = said.location.as_ref().map(|at| at.doc.to_string()).unwrap_or_default();
            ui.label(RichText::new(place).size(SMALL).color(cx.theme.text_weak));
            ui.end_row();
        }
    });
}

/// An operation as people write it: `×0.5`, `+5.0`.
fn operation(op: OpKind, operand: &Value) -> String {
    match op {
        OpKind::Set => operand.to_string(),
        OpKind::Scale => format!("×{operand}"),
        OpKind::Add if operand.as_f64().is_some_and(|x| x < 0.0) => operand.to_string(),
        OpKind::Add => format!("+{operand}"),
        OpKind::Append => format!("append {operand}"),
        OpKind::Remove => format!("remove {operand}"),
    }
}

fn field_menu_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    owners: &[Owner],
    component: &Name,
    field: &Name,
    value: &ResolvedField,
    said: Badge,
) {
    let full = format!("{component}.{field}");
    let is_own = matches!(said, Badge::Own | Badge::Instance);
    if ui.add_enabled(is_own, egui::Button::new("Reset to inherited")).clicked() {
        reset_all(cx, owners, component, field, &full);
        ui.close();
    }
    if ui.button("Copy value").clicked() {
        cx.send(Action::CopyText(value.value.to_string()));
        ui.close();
    }
    section(cx.theme, ui, "Go to who says it");
    for said in value.provenance.iter().rev() {
        if let Some(location) = &said.location
            && ui.button(format!("{} in {}", by(&said.by).trim_start_matches("of "), location.doc)).clicked()
        {
            cx.send(Action::GoTo(location.clone()));
            ui.close();
        }
    }
}

/// A mark on a field that has a problem.
fn problem_mark_ui(cx: &Cx<'_>, ui: &mut Ui, owners: &[Owner], path: &FieldPath, component: &str, field: &str) {
    let Some(doc) = owners.first().map(Owner::doc) else { return };
    for op in OpKind::VALUED {
        let at = path.key(op.key()).key(component).key(field);
        if let Some(located) = cx.problems_at(doc, &at).next() {
            let finding = &located.problem.finding;
            let icon = if finding.severity == Severity::Hint { icons::ICON_LIGHTBULB } else { icons::ICON_WARNING };
            ui.label(icon_text(icon.codepoint, 14.0).color(cx.theme.severity(finding.severity))).tip(&finding.message);
            return;
        }
    }
}

fn add_component_ui(cx: &Cx<'_>, ui: &mut Ui, owners: &[Owner], first: &Resolved) {
    ui.add_space(8.0);
    let response = ui.menu_button((icon_text(icons::ICON_ADD.codepoint, 15.0), "Add component"), |ui| {
        ui.set_min_width(220.0);
        let query = search_field(cx.theme, ui, Id::unique("component search"), "Search components");
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for (name, spec) in cx.resolution.schema.components.iter().filter(|(name, _)| !first.has(name)) {
                if matches(&query, name) && ui.button(&**name).tip(&spec.doc).clicked() {
                    let add = |owner: &Owner| Edit::AddComponent { owner: owner.clone(), component: name.clone() };
                    let edits = owners.iter().map(add).collect();
                    cx.send(Action::Edits { label: format!("Add {name}"), edits });
                    ui.close();
                }
            }
        });
    });
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add component"));
}

/// A line of text with a label before it.
pub fn labeled_text_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, text: &str) -> Option<Change<String>> {
    ui.horizontal(|ui| {
        ui.label(RichText::new(label).size(SMALL).color(cx.theme.text_weak));
        text_ui(ui, label, text)
    })
    .inner
}
