//! Placed things in the inspector: one entity with its place, several entities, waypoints.

use std::sync::Arc;

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Places, Subject, components::components_ui, line_ui, nothing_ui, record_ui};
use crate::{
    edit::{Owner, Phase},
    editor::{Action, Command, Selection},
    model::{
        DocPath, Document, FieldPath, Instance, Layer, LayerContent, Level, Name, Node, OpKind, Typed, Value, counted,
    },
    refactor::{PlaceField, place_edits, place_values},
    ui::{
        Cx,
        panels::inspect_doc,
        theme::SMALL,
        widgets::{
            IconButton, Tip as _, command_button, heading, line_before,
            number::{NumberSpec, ValueChange, drag_ui, typed_into},
        },
    },
};

pub(super) fn things_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[Name]) {
    let Some(level) = cx.project.level(doc) else { return };
    let mut entities: Vec<(usize, &Layer, &Name, &Arc<Instance>)> = Vec::new();
    let mut nodes: Vec<(&Layer, &Name, &Node)> = Vec::new();
    let layers = level.all_layers();
    for id in ids {
        for (i, &layer) in layers.iter().enumerate() {
            match &layer.content {
                LayerContent::Entities(all) => entities.extend(all.get(id).map(|it| (i, &**layer, id, it))),
                LayerContent::Waypoints(graph) => nodes.extend(graph.nodes.get(id).map(|it| (&**layer, id, it))),
                LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            }
        }
    }
    match (entities.as_slice(), nodes.as_slice()) {
        ([], []) => nothing_ui(cx, ui),
        ([], [one]) => inspect_doc::node_ui(cx, ui, (doc, level), one.0, one.1),
        ([one], []) => entity_ui(cx, ui, (doc, level), one),
        ([], many) => {
            heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, &counted(many.len(), "waypoint"), "");
            places_ui(cx, ui, doc, ids);
            let all: Vec<FieldPath> = many.iter().map(|(layer, id, _)| level.node_at(&*layer.name, id)).collect();
            record_ui(cx, ui, Places::new(doc, &all, &["at"]));
        }
        (many, _) => many_ui(cx, ui, (doc, level, ids), many, nodes.len()),
    }
}

/// A resolved placed entity is taken from the canvas's cache: resolved once, not in each frame.
fn subject(
    cx: &Cx<'_>,
    (doc, level): (&DocPath, &Level),
    (index, layer, id, instance): (usize, &Layer, &Name, &Arc<Instance>),
) -> Subject {
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let look = cx.looks.get(cx.resolution, (doc, level), index, id, instance);
    let resolved = look.resolved.clone();
    let at = level.layer_at(index);
    let resolved = resolved.unwrap_or_else(|| Arc::new(cx.resolution.instance(doc, &at, id, instance).0));
    let base = level.entity_at(index, id);
    Subject { owner, resolved, base }
}

fn entity_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level): (&DocPath, &Level),
    (index, layer, id, instance): &(usize, &Layer, &Name, &Arc<Instance>),
) {
    let is_live = cx.live_changes().iter().any(|change| change.doc == *doc && change.thing() == Some(*id));
    let what = if is_live { "placed entity, live" } else { "placed entity" };
    heading(cx.theme, ui, icons::ICON_SMART_TOY.codepoint, &instance.def, what);
    let place = cx.theme.caption(format!("{id} on {}", layer.name)).monospace();
    line_before(ui, place, |ui| {
        if cx.preview.is_some_and(|preview| preview.level == *doc) {
            command_button(cx, ui, Command::WhyStill);
        }
        command_button(cx, ui, Command::Duplicate);
        command_button(cx, ui, Command::Delete);
        let home = cx.resolution.def_docs.get(&instance.def);
        let icon = icons::ICON_ARROW_OUTWARD.codepoint;
        let go = IconButton::new(icon, "Go to definition").enabled(home.is_some()).show(cx.theme, ui);
        if let (true, Some(home)) = (go.tip("Go to its definition").clicked(), home) {
            cx.send(Action::Select(Selection::definition(home.clone(), instance.def.clone())));
        }
    });
    // What it overrides is shown by component.
    let hidden = ["set", "scale", "add", "append", "remove"];
    record_ui(cx, ui, Places { prefix: "entity.", ..Places::new(doc, &[level.entity_at(&*layer.name, id)], &hidden) });
    if cx.resolution.defs.get(&instance.def).is_none() {
        ui.label(RichText::new(format!("{} cannot be resolved; see Problems", instance.def)).color(cx.theme.error));
    }
    components_ui(cx, ui, &[subject(cx, (doc, level), (*index, layer, id, instance))]);
}

fn many_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level, ids): (&DocPath, &Level, &[Name]),
    many: &[(usize, &Layer, &Name, &Arc<Instance>)],
    n_nodes: usize,
) {
    let nodes = if n_nodes > 0 { format!(" and {}", counted(n_nodes, "waypoint")) } else { String::new() };
    heading(cx.theme, ui, icons::ICON_SELECT_ALL.codepoint, &format!("{}{nodes}", counted(many.len(), "entity")), "");
    ui.label(cx.theme.caption("An edit here is made to each of them."));
    places_ui(cx, ui, doc, ids);
    let subjects: Vec<Subject> = many.iter().map(|it| subject(cx, (doc, level), *it)).collect();
    components_ui(cx, ui, &subjects);
}

/// Where several things are: a number that is typed is that of each, an operation is done to each, and a drag moves all of them.
fn places_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[Name]) {
    let (Some(level), Some(document)) = (cx.project.level(doc), cx.project.doc(doc)) else { return };
    let is_dragging = !std::ptr::eq(cx.before, cx.project);
    for field in PlaceField::ALL {
        let key = ("places", doc, ids, field.name());
        let known = |(of, _): &(Arc<Document>, Vec<f64>)| Arc::ptr_eq(document, of);
        let made = |_: Option<&_>| (document.clone(), place_values(level, ids, field));
        let (_, values) = &*cx.derived.memos().get_current(key, known, made);
        let Some(first) = values.first() else { continue };
        let is_mixed = values.iter().any(|it| it != first);
        let name = format!("things.{}", field.name());
        let tip = "A number makes them the same; +16, ×2 or a drag changes each";
        line_ui(cx, ui, (field.name(), tip), |ui| {
            let unit = Some(if field == PlaceField::Rotation { "°" } else { "px" });
            let (_, change) =
                drag_ui(ui, &name, *first, &NumberSpec { unit, step: Some(0.5), ..NumberSpec::default() });
            if is_mixed {
                ui.label(RichText::new("mixed").size(SMALL).color(cx.theme.warning)).tip("The selected differ here");
            }
            let (typed, phase) = match (typed_into(ui, |it| it == name), change.map(ValueChange::into_parts)) {
                (Some((_, typed)), _) => (typed, Phase::Commit),
                (None, Some((number, phase))) => {
                    // In each frame of a drag its edits are made from where it began.
                    let began = cx.before.level(doc).and_then(|level| place_values(level, ids, field).first().copied());
                    (Typed::Operation(OpKind::Add, Value::Float(number - began.unwrap_or(*first))), phase)
                }
                (None, None) => return,
            };
            match place_edits(cx.before, doc, ids, field, &typed) {
                // What was dragged back ends the drag all the same.
                Ok(edits) if edits.is_empty() && !is_dragging => {}
                Ok(edits) => {
                    let label = format!("Set {} of {}", field.name(), counted(values.len(), "thing"));
                    cx.send(Action::Gesture { label, edits, phase });
                }
                Err(why) => cx.send(Action::Notice(why)),
            }
        });
    }
}
