//! Placed things in the inspector: one entity with its place, several entities, waypoints.

use std::sync::Arc;

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Subject, components::components_ui, nothing_ui};
use crate::{
    edit::{Edit, Owner},
    model::{DocPath, FieldPath, Instance, Layer, LayerContent, Name, Node, counted},
    ui::{
        Action, Command, Cx, Selection,
        panels::inspect_doc,
        theme::SMALL,
        widgets::{
            Tip as _, command_button, heading, icon_button, line_before,
            number::{NumberSpec, drag_ui},
        },
    },
};

pub(super) fn things_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[Name]) {
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
            heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, &counted(many.len(), "waypoint"), "");
        }
        (many, _) => many_ui(cx, ui, doc, many, nodes.len()),
    }
}

/// What a placed entity amounts to is taken from where the canvas has it: worked out once, not in each frame.
fn subject(
    cx: &Cx<'_>,
    doc: &DocPath,
    (index, layer, id, instance): (usize, &Layer, &Name, &Arc<Instance>),
) -> Subject {
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let look = cx.looks.get(cx.resolution, doc, index, id, instance);
    let resolved = look.resolved.clone();
    let resolved = resolved.unwrap_or_else(|| Arc::new(cx.resolution.instance(doc, index, id, instance).0));
    let base = FieldPath::keys(["layers"]).index(index).key("entities").key(id);
    Subject { owner, resolved, base }
}

fn entity_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    doc: &DocPath,
    (index, layer, id, instance): &(usize, &Layer, &Name, &Arc<Instance>),
) {
    heading(cx.theme, ui, icons::ICON_SMART_TOY.codepoint, &instance.def, "placed entity");
    let place = RichText::new(format!("{id} on {}", layer.name)).size(SMALL).monospace().color(cx.theme.text_weak);
    line_before(ui, place, |ui| {
        let home = cx.resolution.def_docs.get(&instance.def);
        let icon = icons::ICON_ARROW_OUTWARD.codepoint;
        let go = icon_button(cx.theme, ui, icon, "Go to definition", false, home.is_some());
        if let (true, Some(home)) = (go.tip("Go to its definition").clicked(), home) {
            cx.send(Action::Select(Selection::definition(home.clone(), instance.def.clone())));
        }
        command_button(cx, ui, Command::Delete);
        command_button(cx, ui, Command::Duplicate);
    });
    transform_ui(cx, ui, doc, layer, id, instance);
    if cx.resolution.defs.get(&instance.def).is_none() {
        ui.label(RichText::new(format!("{} cannot be resolved; see Problems", instance.def)).color(cx.theme.error));
    }
    components_ui(cx, ui, &[subject(cx, doc, (*index, layer, id, instance))]);
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
    let nodes = if n_nodes > 0 { format!(" and {}", counted(n_nodes, "waypoint")) } else { String::new() };
    heading(cx.theme, ui, icons::ICON_SELECT_ALL.codepoint, &format!("{}{nodes}", counted(many.len(), "entity")), "");
    ui.label(RichText::new("An edit here is made to each of them.").size(SMALL).color(cx.theme.text_weak));
    let subjects: Vec<Subject> = many.iter().map(|it| subject(cx, doc, *it)).collect();
    components_ui(cx, ui, &subjects);
}
