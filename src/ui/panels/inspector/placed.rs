//! Placed things in the inspector: one entity with its place, several entities, waypoints.

use std::sync::Arc;

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Places, Subject, components::components_ui, nothing_ui, record_ui};
use crate::{
    edit::Owner,
    editor::{Action, Command, Selection},
    model::{DocPath, FieldPath, Instance, Layer, LayerContent, Level, Name, Node, counted},
    ui::{
        Cx,
        panels::inspect_doc,
        widgets::{IconButton, Tip as _, command_button, heading, line_before},
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
                LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) => {}
            }
        }
    }
    match (entities.as_slice(), nodes.as_slice()) {
        ([], []) => nothing_ui(cx, ui),
        ([], [one]) => inspect_doc::node_ui(cx, ui, doc, one.0, one.1),
        ([one], []) => entity_ui(cx, ui, doc, one),
        ([], many) => {
            heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, &counted(many.len(), "waypoint"), "");
            let all: Vec<FieldPath> = many.iter().map(|(layer, id, _)| Level::node_at(&*layer.name, id)).collect();
            record_ui(cx, ui, Places::new(doc, &all, &["at"]));
        }
        (many, _) => many_ui(cx, ui, doc, many, nodes.len()),
    }
}

/// A resolved placed entity is taken from the canvas's cache: resolved once, not in each frame.
fn subject(
    cx: &Cx<'_>,
    doc: &DocPath,
    (index, layer, id, instance): (usize, &Layer, &Name, &Arc<Instance>),
) -> Subject {
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let look = cx.looks.get(cx.resolution, doc, index, id, instance);
    let resolved = look.resolved.clone();
    let resolved = resolved.unwrap_or_else(|| Arc::new(cx.resolution.instance(doc, index, id, instance).0));
    let base = Level::entity_at(index, id);
    Subject { owner, resolved, base }
}

fn entity_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    doc: &DocPath,
    (index, layer, id, instance): &(usize, &Layer, &Name, &Arc<Instance>),
) {
    heading(cx.theme, ui, icons::ICON_SMART_TOY.codepoint, &instance.def, "placed entity");
    let place = cx.theme.caption(format!("{id} on {}", layer.name)).monospace();
    line_before(ui, place, |ui| {
        let home = cx.resolution.def_docs.get(&instance.def);
        let icon = icons::ICON_ARROW_OUTWARD.codepoint;
        let go = IconButton::new(icon, "Go to definition").enabled(home.is_some()).show(cx.theme, ui);
        if let (true, Some(home)) = (go.tip("Go to its definition").clicked(), home) {
            cx.send(Action::Select(Selection::definition(home.clone(), instance.def.clone())));
        }
        command_button(cx, ui, Command::Delete);
        command_button(cx, ui, Command::Duplicate);
    });
    // What it overrides is shown by component.
    let hidden = ["set", "scale", "add", "append", "remove"];
    record_ui(cx, ui, Places { prefix: "entity.", ..Places::new(doc, &[Level::entity_at(&*layer.name, id)], &hidden) });
    if cx.resolution.defs.get(&instance.def).is_none() {
        ui.label(RichText::new(format!("{} cannot be resolved; see Problems", instance.def)).color(cx.theme.error));
    }
    components_ui(cx, ui, &[subject(cx, doc, (*index, layer, id, instance))]);
}

fn many_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, many: &[(usize, &Layer, &Name, &Arc<Instance>)], n_nodes: usize) {
    let nodes = if n_nodes > 0 { format!(" and {}", counted(n_nodes, "waypoint")) } else { String::new() };
    heading(cx.theme, ui, icons::ICON_SELECT_ALL.codepoint, &format!("{}{nodes}", counted(many.len(), "entity")), "");
    ui.label(cx.theme.caption("An edit here is made to each of them."));
    let subjects: Vec<Subject> = many.iter().map(|it| subject(cx, doc, *it)).collect();
    components_ui(cx, ui, &subjects);
}
