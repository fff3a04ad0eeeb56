//! The Inspector for what is no entity: layers, levels, waypoints, tilesets, scenarios. Their fields are shown by
//! `record_ui`. By hand: the size of a level, since resizing erases tiles, and the links of a waypoint, most of which
//! are computed.

use egui::{RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use super::inspector::{Places, record_ui};
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, MAX_CELLS, Phase, takes_long},
    editor::{Action, Command, Selection},
    model::{DocPath, Document, FieldPath, Layer, LayerContent, Level, Link, LinkBy, Name, WaypointGraph, counted},
    tools::turn_link,
    ui::{
        Cx,
        theme::{ROW, SMALL},
        widgets::{
            IconButton, at_right, command_button, heading, icon_text, keyed, line_before,
            number::{NumberSpec, drag_ui},
            section,
        },
    },
};

/// The fields of so many tiles are compared in each frame.
const MOST_TILES: usize = 400;

/// Height of the list of a layer's waypoints at most, in points.
const ORDER_HEIGHT: f32 = 220.0;

/// What is on layers, and edited elsewhere: values are named in the Palette.
const NO_PROPERTIES: [&str; 6] = ["entities", "chunks", "nodes", "links", "names", "layers"];

fn weak(cx: &Cx<'_>, text: &str) -> RichText {
    cx.theme.caption(text)
}

/// A layer's properties.
pub fn layer_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name) {
    let Some(level) = cx.project.level(doc) else { return };
    let Some((_, layer)) = level.layer(name) else { return };
    let selected = cx.view.layers_with(doc, level, name);
    if selected.len() > 1 {
        // What is half typed for some must not end in others.
        ui.push_id(&selected, |ui| layers_ui(cx, ui, (doc, level), &selected));
        return;
    }
    let kind = match &layer.content {
        LayerContent::Tiles(_) => "tile layer",
        LayerContent::Entities(_) => "entity layer",
        LayerContent::Waypoints(_) => "waypoint layer",
        LayerContent::Image(_) => "image layer",
        LayerContent::Values(_) => "value layer",
        LayerContent::Group(_) => "group of layers",
    };
    heading(cx.theme, ui, icons::ICON_LAYERS.codepoint, &layer.name, kind);
    line_before(ui, cx.theme.caption(doc.as_str()).monospace(), |ui| {
        // Delete and Duplicate may mean selected cells.
        for command in [Command::Rename, Command::DuplicateLayer, Command::DeleteLayer] {
            command_button(cx, ui, command);
        }
    });
    record_ui(cx, ui, Places::new(doc, &[level.layer_at(&**name)], &NO_PROPERTIES));
    if layer.cells().is_some() && cx.layer().is_some_and(|active| active.name == layer.name) {
        let button = ui.button("Set tile size…");
        if button.tip("Width and height in one step; tiles can keep their places in the level").clicked() {
            cx.command(Command::LayerCells);
        }
    }
    match &layer.content {
        LayerContent::Entities(entities) => _ = ui.label(weak(cx, &counted(entities.len(), "entity"))),
        LayerContent::Waypoints(graph) => order_ui(cx, ui, (doc, level), (layer, graph)),
        _ => {}
    }
}

/// The waypoints of a layer in the order in which routes pass them, with the means to change it.
fn order_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level), (layer, graph): (&Layer, &WaypointGraph)) {
    section(cx.theme, ui, "Order on routes");
    if graph.nodes.is_empty() {
        ui.label(weak(cx, "None. Click in the level with the waypoint tool to add one."));
        return;
    }
    let list = ScrollArea::vertical().id_salt("order on routes").max_height(ORDER_HEIGHT).auto_shrink([false, true]);
    list.show_rows(ui, ROW, graph.nodes.len(), |ui, rows| {
        for (at, id) in graph.nodes.keys().enumerate().skip(rows.start).take(rows.len()) {
            keyed(ui, id, |ui| {
                ui.horizontal(|ui| {
                    ui.set_min_height(ROW);
                    ui.label(weak(cx, &format!("{}", at + 1)));
                    if ui.link(&**id).clicked() {
                        cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids: vec![id.clone()] }));
                    }
                    at_right(ui, |ui| move_ui(cx, ui, (doc, level), (layer, graph), id));
                });
            });
        }
    });
}

/// The buttons that make routes pass a waypoint earlier or later.
fn move_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level): (&DocPath, &Level),
    (layer, graph): (&Layer, &WaypointGraph),
    id: &Name,
) {
    let Some(at) = graph.nodes.get_index_of(id) else { return };
    let last = graph.nodes.len() - 1;
    let (up, down) = (icons::ICON_ARROW_UPWARD.codepoint, icons::ICON_ARROW_DOWNWARD.codepoint);
    // From the right.
    for (icon, what, to) in [(down, "Move down", (at < last).then_some(at + 1)), (up, "Move up", at.checked_sub(1))] {
        let button = IconButton::new(icon, &format!("{what} {id}")).in_row().enabled(to.is_some()).show(cx.theme, ui);
        let tip = format!("{what} among the waypoints: routes pass them in this order");
        if let (true, Some(to)) = (button.tip(tip).clicked(), to) {
            let edit = Edit::Move { doc: doc.clone(), at: level.node_at(&*layer.name, id), to };
            cx.send(Action::Edits { label: format!("Move waypoint {id}"), edits: vec![edit] });
        }
    }
}

/// What several layers have in common.
fn layers_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level), names: &[Name]) {
    let title = counted(names.len(), "layer");
    heading(cx.theme, ui, icons::ICON_LAYERS.codepoint, &title, &format!("of {}", doc.stem()));
    line_before(ui, cx.theme.caption(names.join(", ")), |ui| {
        for command in [Command::DeleteLayer, Command::DuplicateLayer, Command::GroupLayers] {
            command_button(cx, ui, command);
        }
    });
    let places: Vec<FieldPath> = names.iter().map(|name| level.layer_at(&**name)).collect();
    record_ui(cx, ui, Places::new(doc, &places, &NO_PROPERTIES));
}

/// A waypoint: its place, tags and links.
pub fn node_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level), layer: &Layer, id: &Name) {
    heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, id, "waypoint");
    match layer.waypoints().and_then(|graph| Some((graph, graph.nodes.get_index_of(id)?))) {
        Some((graph, at)) => {
            let place = format!("on {}, {} of {}", layer.name, at + 1, graph.nodes.len());
            ui.horizontal(|ui| {
                ui.label(weak(cx, &place));
                at_right(ui, |ui| move_ui(cx, ui, (doc, level), (layer, graph), id));
            });
        }
        None => _ = ui.label(weak(cx, &format!("on {}", layer.name))),
    }
    record_ui(cx, ui, Places::new(doc, &[level.node_at(&*layer.name, id)], &[]));
    section(cx.theme, ui, "Links");
    links_ui(cx, ui, doc, layer, id);
}

fn links_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer, id: &Name) {
    let Some(graph) = layer.waypoints() else { return };
    let computed = cx.derived.geometry(doc).and_then(|g| g.links.get(&layer.name));
    let set = |other: &Name, by: Option<LinkBy>| {
        let link = by.map(|by| Link::new(id, other, by));
        let edit =
            Edit::SetLink { doc: doc.clone(), layer: layer.name.clone(), from: id.clone(), to: other.clone(), link };
        cx.send(Action::Edit(edit));
    };
    let mut n_shown = 0;
    for link in computed.into_iter().flatten().filter(|link| link.from == *id || link.to == *id) {
        let other = if link.from == *id { &link.to } else { &link.from };
        n_shown += 1;
        keyed(ui, (&link.from, &link.to), |ui| {
            ui.horizontal(|ui| {
                let icon = if link.by == LinkBy::Hand { icons::ICON_BACK_HAND } else { icons::ICON_AUTO_MODE };
                ui.label(icon_text(icon.codepoint, 14.0).color(cx.theme.waypoint));
                if ui.link(&**other).clicked() {
                    cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids: vec![other.clone()] }));
                }
                cost_ui(cx, ui, (doc, layer, graph), link, other);
                at_right(ui, |ui| {
                    let name = format!("Break link to {other}");
                    if IconButton::new(icons::ICON_LINK_OFF.codepoint, &name).show(cx.theme, ui).tip(&name).clicked() {
                        set(other, Some(LinkBy::Broken));
                    }
                    let (icon, way) = match (link.one_way, link.from == *id) {
                        (false, _) => (icons::ICON_SYNC_ALT, "both ways"),
                        (true, true) => (icons::ICON_EAST, "only there"),
                        (true, false) => (icons::ICON_WEST, "only back"),
                    };
                    let name = format!("Direction of the link to {other}: {way}");
                    let tip = format!("Passed {way}; a click changes that");
                    if IconButton::new(icon.codepoint, &name).show(cx.theme, ui).tip(tip).clicked() {
                        let (label, edits) = turn_link(doc, layer, &(link.from.clone(), link.to.clone()));
                        cx.send(Action::Edits { label, edits });
                    }
                });
            });
        });
    }
    for link in graph.links.iter().filter(|link| link.by == LinkBy::Broken && (link.from == *id || link.to == *id)) {
        let other = if link.from == *id { &link.to } else { &link.from };
        n_shown += 1;
        ui.horizontal(|ui| {
            ui.label(icon_text(icons::ICON_LINK_OFF.codepoint, 14.0).color(cx.theme.error));
            ui.label(RichText::new(&**other).strikethrough().color(cx.theme.text_weak));
            if ui.small_button("Mend").tip("Let these two link again").clicked() {
                set(other, None);
            }
        });
    }
    if n_shown == 0 {
        ui.label(weak(cx, "None. Drag from this node to another with the waypoint tool to link them."));
    }
}

/// What going along a link costs: its length, unless something else is stated.
fn cost_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, layer, graph): (&DocPath, &Layer, &WaypointGraph),
    link: &Link,
    other: &Name,
) {
    let is_it = |it: &&Link| it.by != LinkBy::Broken && (&it.from, &it.to) == (&link.from, &link.to);
    let stated = graph.links.iter().find(is_it).and_then(|it| it.cost);
    let set = |cost: Option<f64>, phase: Phase| {
        let link = Link { cost, by: LinkBy::Hand, ..link.clone() };
        let (from, to) = (link.from.clone(), link.to.clone());
        let edit = Edit::SetLink { doc: doc.clone(), layer: layer.name.clone(), from, to, link: Some(link) };
        cx.send(Action::Gesture { label: "Set the cost of a link".to_owned(), edits: vec![edit], phase });
    };
    let spec = NumberSpec { min: Some(0.0), step: Some(1.0), unit: Some("px"), ..NumberSpec::default() };
    let shown = stated.or(link.cost).unwrap_or_default();
    let (response, change) = drag_ui(ui, &format!("Cost of the link to {other}"), (shown * 10.0).round() / 10.0, &spec);
    response.tip(if stated.is_some() {
        "What going along it costs"
    } else {
        "Its length; another cost makes it a link by hand"
    });
    if let Some(change) = change {
        let (cost, phase) = change.into_parts();
        set(Some(cost), phase);
    }
    if stated.is_some() {
        let name = format!("Let the link to {other} cost its length");
        if IconButton::new(icons::ICON_UNDO.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            set(None, Phase::Commit);
        }
    }
}

/// A document as a whole.
pub fn document_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath) {
    for located in cx.derived.problems_at(doc, &crate::model::FieldPath::root()) {
        let finding = &located.problem.finding;
        if cx.workspace.is_broken(doc) {
            let place = format!("{}: {}", located.place(), finding.message);
            ui.label(RichText::new(place).color(cx.theme.severity(finding.severity)));
            if let Some(help) = &finding.help {
                ui.label(weak(cx, help));
            }
            for (number, text) in &located.excerpt {
                let is_here = *number == located.line;
                let color = if is_here { cx.theme.text_strong } else { cx.theme.text_weak };
                let row = format!("{} {number:>4}  {text}", if is_here { "▸" } else { " " });
                ui.label(RichText::new(row).monospace().size(SMALL).color(color));
            }
            ui.add_space(6.0);
        }
    }
    let (icon, kind, hidden) = match cx.project.doc(doc).map(|document| &**document) {
        Some(Document::Level(level)) => return level_ui(cx, ui, doc, level),
        Some(Document::Schema(schema)) => return super::schema::schema_ui(cx, ui, doc, schema),
        Some(Document::Tileset(_)) => (icons::ICON_GRID_VIEW, "tileset", &["tiles"][..]),
        Some(Document::Scenario(_)) => (icons::ICON_MOVIE, "scenario", &[][..]),
        Some(Document::Stamp(_)) => (icons::ICON_APPROVAL, "stamp", &["size"][..]),
        Some(Document::Project(_)) => (icons::ICON_FOLDER, "project", &["format"][..]),
        Some(Document::Tuning(_)) => {
            heading(cx.theme, ui, icons::ICON_TUNE.codepoint, doc.stem(), "tuning page");
            file_buttons_ui(cx, ui, doc);
            ui.label(weak(cx, "Its constants are in the Tuning pane."));
            return;
        }
        _ => return heading(cx.theme, ui, icons::ICON_DESCRIPTION.codepoint, doc.stem(), ""),
    };
    heading(cx.theme, ui, icon.codepoint, doc.stem(), kind);
    if kind != "project" {
        file_buttons_ui(cx, ui, doc);
    }
    record_ui(cx, ui, Places::new(doc, &[FieldPath::root()], hidden));
    if let Some(tileset) = cx.project.tileset(doc) {
        ui.add_space(8.0);
        let n = counted(tileset.tiles.len(), "tile");
        ui.label(weak(cx, &format!("{n}: select them on the picture in the Tileset pane")));
    }
    if kind == "scenario" {
        ui.add_space(8.0);
        ui.label(weak(cx, "Scenarios are run by `levelwright test`."));
    }
}

/// The path of a file, and what is done with it as a whole.
fn file_buttons_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath) {
    line_before(ui, cx.theme.caption(doc.as_str()).monospace(), |ui| {
        for command in [Command::Rename, Command::Duplicate, Command::Delete] {
            command_button(cx, ui, command);
        }
    });
}

/// Tiles of a tileset: all fields of one, and of several those that they can have in common.
pub fn tiles_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[u32]) {
    let Some(tileset) = cx.project.tileset(doc) else { return };
    let title = match ids {
        [id] => tileset.tiles.get(id).map(|tile| tile.called(*id)).unwrap_or_default(),
        many => counted(many.len(), "tile"),
    };
    let kind = if let [id] = ids { format!("tile {id} of {}", doc.stem()) } else { format!("of {}", doc.stem()) };
    heading(cx.theme, ui, icons::ICON_GRID_VIEW.codepoint, &title, &kind);
    line_before(ui, cx.theme.caption(doc.as_str()).monospace(), |ui| {
        command_button(cx, ui, Command::Delete);
    });
    if ids.len() > MOST_TILES {
        ui.label(weak(cx, "These are many: change them in the Tileset pane"));
        return;
    }
    let places: Vec<FieldPath> = ids.iter().map(|id| FieldPath::keys(["tiles"]).key(&id.to_string())).collect();
    let hidden = if ids.len() == 1 { &[][..] } else { &["at", "frames"][..] };
    record_ui(cx, ui, Places::new(doc, &places, hidden));
}

fn level_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level) {
    heading(cx.theme, ui, icons::ICON_MAP.codepoint, doc.stem(), "level");
    file_buttons_ui(cx, ui, doc);
    if cx.view.level.as_ref() != Some(doc) && ui.button("Open").clicked() {
        cx.send(Action::OpenLevel(doc.clone()));
    }
    let cells = NumberSpec {
        min: Some(1.0),
        max: Some(f64::from(MAX_CELLS)),
        step: Some(1.0),
        unit: Some("cells"),
        is_int: true,
    };
    let resize = |size| Edit::ResizeLevel { doc: doc.clone(), size, shift: [0, 0] };
    if let Some([w, h]) = level.size.filter(|size| takes_long(cx.project, &[resize(Some(*size))])) {
        let tip = "So large a level is resized by the dialog, while the window goes on";
        ui.label(weak(cx, &format!("size {w} × {h} cells"))).tip(tip);
    } else if let Some([w, h]) = level.size {
        let changed = ui.horizontal(|ui| {
            ui.label(weak(cx, "size"));
            let [x, y] = [f64::from(w), f64::from(h)];
            let on_x = drag_ui(ui, "size x", x, &cells).1.map(|change| change.map(|x| [x, y]));
            on_x.or(drag_ui(ui, "size y", y, &cells).1.map(|change| change.map(|y| [x, y])))
        });
        if let Some(change) = changed.inner {
            let (size, phase) = change.into_parts();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the widget keeps it in range")]
            let size = Some(size.map(|side| side as u32));
            cx.send(Action::Gesture { label: format!("Resize {}", doc.stem()), edits: vec![resize(size)], phase });
        }
    } else {
        ui.label(weak(cx, "unbounded"));
    }
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::ResizeLevel);
        command_button(cx, ui, Command::CropLevel);
    });
    record_ui(cx, ui, Places::new(doc, &[FieldPath::root()], &["size", "layers"]));
    let n_entities = level.entities().count();
    ui.label(weak(cx, &format!("{}, {}", counted(level.all_layers().len(), "layer"), counted(n_entities, "entity"))));
}
