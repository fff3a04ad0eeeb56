//! Placed things in the inspector: one entity with its place, several entities, waypoints.

use std::sync::Arc;

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Places, Subject, Subjects, components::components_ui, line_ui, nothing_ui, record_ui};
use crate::{
    defs::Resolution,
    edit::{Owner, Phase},
    editor::{Action, Command, Selection},
    model::{DocPath, Document, FieldPath, Instance, Layer, Level, Name, OpKind, Typed, Value, counted},
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

/// What is selected of a level.
struct Shown {
    of: (Arc<Document>, Arc<Resolution>, Vec<Name>),
    entities: Subjects,
    /// The way to each waypoint.
    nodes: Vec<FieldPath>,
    /// Where they are: of each field the values of all.
    places: Vec<(PlaceField, Vec<f64>)>,
}

impl Shown {
    fn new(cx: &Cx<'_>, (doc, level): (&DocPath, &Level), document: &Arc<Document>, ids: &[Name]) -> Self {
        let (mut entities, mut nodes) = (Vec::new(), Vec::new());
        let layers = level.all_layers();
        for id in ids {
            for (number, &layer) in layers.iter().enumerate() {
                if let Some(instance) = layer.entities().and_then(|all| all.get(id)) {
                    entities.push(subject(cx, (doc, level), (number, layer, id, instance)));
                }
                if layer.waypoints().is_some_and(|graph| graph.nodes.contains_key(id)) {
                    nodes.push(level.node_at(&*layer.name, id));
                }
            }
        }
        let of = (Arc::clone(document), Arc::clone(cx.resolution), ids.to_vec());
        let places = PlaceField::ALL.into_iter().map(|field| (field, place_values(level, ids, field))).collect();
        Self { of, entities: Subjects::new(entities), nodes, places }
    }
}

pub(super) fn things_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[Name]) {
    let (Some(level), Some(document)) = (cx.project.level(doc), cx.project.doc(doc)) else { return };
    let is_current = |Shown { of: (of, resolution, of_ids), .. }: &Shown| {
        Arc::ptr_eq(of, document) && Arc::ptr_eq(resolution, cx.resolution) && of_ids == ids
    };
    let shown = |_: Option<&_>| Shown::new(cx, (doc, level), document, ids);
    let shown = cx.derived.memos().get_current(("things shown", doc), is_current, shown);
    match (shown.entities.all.as_slice(), shown.nodes.as_slice()) {
        ([], []) => nothing_ui(cx, ui),
        ([], [_]) => {
            let nodes = level.all_layers().into_iter().flat_map(|layer| ids.iter().map(move |id| (layer, id)));
            let is_node = |(layer, id): &(&Arc<Layer>, &Name)| {
                layer.waypoints().is_some_and(|graph| graph.nodes.contains_key(*id))
            };
            if let Some((layer, id)) = nodes.into_iter().find(is_node) {
                inspect_doc::node_ui(cx, ui, (doc, level), layer, id);
            }
        }
        ([_], []) => entity_ui(cx, ui, (doc, level), &shown.entities),
        ([], many) => {
            heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, &counted(many.len(), "waypoint"), "");
            places_ui(cx, ui, (doc, ids), &shown.places);
            record_ui(cx, ui, Places::new(doc, many, &["at"]));
        }
        _ => many_ui(cx, ui, (doc, ids), &shown),
    }
}

/// A placed entity. One that declares something itself is taken from the canvas's cache.
fn subject(
    cx: &Cx<'_>,
    (doc, level): (&DocPath, &Level),
    (index, layer, id, instance): (usize, &Layer, &Name, &Arc<Instance>),
) -> Subject {
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let of_def = cx.resolution.defs.get(&instance.def).filter(|_| instance.ops.is_empty()).cloned();
    let own = || cx.looks.get(cx.resolution, (doc, level), index, id, instance).resolved.clone();
    let resolved = of_def.or_else(own);
    let at = level.layer_at(index);
    let resolved = resolved.unwrap_or_else(|| Arc::new(cx.resolution.instance(doc, &at, id, instance).0));
    let base = level.entity_at(index, id);
    Subject { owner, resolved, base }
}

fn entity_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level), shown: &Subjects) {
    let Some(Owner::Instance { layer, id, .. }) = shown.all.first().map(|it| &it.owner) else { return };
    let Some((_, layer)) = level.layer(layer) else { return };
    let Some(instance) = layer.entities().and_then(|all| all.get(id)) else { return };
    let is_live = cx.live_changes().iter().any(|change| change.doc == *doc && change.thing() == Some(id));
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
    components_ui(cx, ui, shown);
}

fn many_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, ids): (&DocPath, &[Name]), shown: &Shown) {
    let n_nodes = shown.nodes.len();
    let nodes = if n_nodes > 0 { format!(" and {}", counted(n_nodes, "waypoint")) } else { String::new() };
    let entities = counted(shown.entities.all.len(), "entity");
    heading(cx.theme, ui, icons::ICON_SELECT_ALL.codepoint, &format!("{entities}{nodes}"), "");
    ui.label(cx.theme.caption("An edit here is made to each of them."));
    places_ui(cx, ui, (doc, ids), &shown.places);
    components_ui(cx, ui, &shown.entities);
}

/// Where several things are: a number that is typed is that of each, an operation is done to each, and a drag moves all
/// of them.
fn places_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, ids): (&DocPath, &[Name]), places: &[(PlaceField, Vec<f64>)]) {
    let is_dragging = !std::ptr::eq(cx.before, cx.project);
    for (field, values) in places {
        let field = *field;
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
