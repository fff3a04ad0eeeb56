//! The Inspector for what is no entity: layers, levels, waypoints, tilesets, and documents that are edited as text.

use egui::{RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use super::inspector::labeled_text_ui;
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, GraphPatch, LayerPatch, LevelPatch},
    model::{
        DocPath, Document, Layer, LayerContent, Level, Link, LinkBy, Name, Node, ProjectFile, Scenario, TileDef,
        TileShape, Tileset, View, WaypointGraph, counted,
    },
    ui::{
        Action, Command, Cx, Phase, Selection,
        theme::SMALL,
        widgets::{
            at_right, command_button, heading, icon_button, icon_text, line_before,
            number::{Change, NumberSpec, drag_ui},
            section,
            value::pick_ui,
        },
    },
};

fn weak(cx: &Cx<'_>, text: &str) -> RichText {
    RichText::new(text).size(SMALL).color(cx.theme.text_weak)
}

fn number(cx: &Cx<'_>, ui: &mut Ui, label: &str, value: f64, spec: &NumberSpec<'_>) -> Option<Change<f64>> {
    ui.horizontal(|ui| {
        ui.label(weak(cx, label));
        drag_ui(ui, label, value, spec).1
    })
    .inner
}

fn pair(cx: &Cx<'_>, ui: &mut Ui, label: &str, value: [f64; 2], spec: &NumberSpec<'_>) -> Option<Change<[f64; 2]>> {
    ui.horizontal(|ui| {
        ui.label(weak(cx, label));
        let [x, y] = value;
        let on_x = drag_ui(ui, &format!("{label} x"), x, spec).1.map(|c| c.map(|x| [x, y]));
        let on_y = drag_ui(ui, &format!("{label} y"), y, spec).1.map(|c| c.map(|y| [x, y]));
        on_x.or(on_y)
    })
    .inner
}

/// A layer's properties.
pub fn layer_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name) {
    let Some((_, layer)) = cx.project.level(doc).and_then(|level| level.layer(name)) else { return };
    let kind = match &layer.content {
        LayerContent::Tiles(_) => "tile layer",
        LayerContent::Entities(_) => "entity layer",
        LayerContent::Waypoints(_) => "waypoint layer",
    };
    heading(cx.theme, ui, icons::ICON_LAYERS.codepoint, &layer.name, kind);
    line_before(ui, RichText::new(doc.as_str()).size(SMALL).monospace().color(cx.theme.text_weak), |ui| {
        command_button(cx, ui, Command::Delete);
        command_button(cx, ui, Command::Rename);
    });
    let set = |patch: LayerPatch, phase: Phase, what: &str| {
        let edit = Edit::SetLayer { doc: doc.clone(), layer: layer.name.clone(), patch };
        cx.send(Action::Gesture { label: format!("Set {}'s {what}", layer.name), edits: vec![edit], phase });
    };
    ui.horizontal(|ui| {
        let mut visible = layer.visible;
        if ui.checkbox(&mut visible, "Visible").changed() {
            set(LayerPatch { visible: Some(visible), ..LayerPatch::default() }, Phase::Commit, "visibility");
        }
        let mut locked = layer.locked;
        if ui.checkbox(&mut locked, "Locked").changed() {
            set(LayerPatch { locked: Some(locked), ..LayerPatch::default() }, Phase::Commit, "lock");
        }
    });
    let percent = NumberSpec { min: Some(0.0), max: Some(100.0), step: Some(1.0), unit: Some("%"), is_int: false };
    if let Some(change) = number(cx, ui, "opacity", layer.opacity * 100.0, &percent) {
        let (value, phase) = change.into_parts();
        set(LayerPatch { opacity: Some(value / 100.0), ..LayerPatch::default() }, phase, "opacity");
    }
    let px = NumberSpec { step: Some(1.0), unit: Some("px"), ..NumberSpec::default() };
    if let Some(change) = pair(cx, ui, "offset", layer.offset, &px) {
        let (value, phase) = change.into_parts();
        set(LayerPatch { offset: Some(value), ..LayerPatch::default() }, phase, "offset");
    }
    let share = NumberSpec { step: Some(0.05), ..NumberSpec::default() };
    if let Some(change) = pair(cx, ui, "parallax", layer.parallax, &share) {
        let (value, phase) = change.into_parts();
        set(LayerPatch { parallax: Some(value), ..LayerPatch::default() }, phase, "parallax");
    }
    match &layer.content {
        LayerContent::Tiles(tiles) => {
            ui.horizontal(|ui| {
                ui.label(weak(cx, "tileset"));
                if let Some(tileset) = pick_ui(cx, ui, "tileset", &tiles.tileset, cx.resolution.tilesets.keys()) {
                    set(LayerPatch { tileset: Some(tileset), ..LayerPatch::default() }, Phase::Commit, "tileset");
                }
            });
            let mut collide = tiles.collide;
            let response = ui.checkbox(&mut collide, "Solid tiles stop bodies and paths");
            if response.changed() {
                set(LayerPatch { collide: Some(collide), ..LayerPatch::default() }, Phase::Commit, "solidity");
            }
        }
        LayerContent::Waypoints(_) => graph_ui(cx, ui, doc, layer),
        LayerContent::Entities(entities) => {
            ui.label(weak(cx, &counted(entities.len(), "entity")));
        }
    }
}

fn graph_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer) {
    let Some(graph) = layer.waypoints() else { return };
    let set = |patch: GraphPatch, phase: Phase| {
        let edit = Edit::SetGraph { doc: doc.clone(), layer: layer.name.clone(), patch };
        cx.send(Action::Gesture { label: format!("Set how {} links", layer.name), edits: vec![edit], phase });
    };
    let mut auto_link = graph.auto_link;
    if ui.checkbox(&mut auto_link, "Nodes that see each other link by themselves").changed() {
        set(GraphPatch { auto_link: Some(auto_link), ..GraphPatch::default() }, Phase::Commit);
    }
    let px = NumberSpec { min: Some(0.0), max: Some(256.0), step: Some(0.5), unit: Some("px"), is_int: false };
    if let Some(change) = number(cx, ui, "free width on each side", graph.radius, &px) {
        let (radius, phase) = change.into_parts();
        set(GraphPatch { radius: Some(radius), ..GraphPatch::default() }, phase);
    }
    let mut is_limited = graph.max_length.is_some();
    ui.horizontal(|ui| {
        if ui.checkbox(&mut is_limited, "Longest link").changed() {
            let max_length = Some(is_limited.then_some(WaypointGraph::NEW_MAX_LENGTH));
            set(GraphPatch { max_length, ..GraphPatch::default() }, Phase::Commit);
        }
        if let Some(length) = graph.max_length {
            let px = NumberSpec { max: Some(100_000.0), ..px };
            if let Some(change) = drag_ui(ui, "longest link", length, &px).1 {
                let (length, phase) = change.into_parts();
                set(GraphPatch { max_length: Some(Some(length)), ..GraphPatch::default() }, phase);
            }
        }
    });
}

/// A waypoint: its place, tags and links.
pub fn node_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer, id: &Name, node: &Node) {
    heading(cx.theme, ui, icons::ICON_CONVERSION_PATH.codepoint, id, "waypoint");
    ui.label(RichText::new(format!("on {}", layer.name)).size(SMALL).color(cx.theme.text_weak));
    let px = NumberSpec { step: Some(1.0), unit: Some("px"), ..NumberSpec::default() };
    if let Some(change) = pair(cx, ui, "at", node.at, &px) {
        let (at, phase) = change.into_parts();
        let edit = Edit::PlaceNode { doc: doc.clone(), layer: layer.name.clone(), id: id.clone(), at };
        cx.send(Action::Gesture { label: format!("Move {id}"), edits: vec![edit], phase });
    }
    if let Some(change) = labeled_text_ui(cx, ui, "tags, with commas", &node.tags.join(", ")) {
        let (text, _) = change.into_parts();
        let tags = text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        cx.send(Action::Edit(Edit::SetNodeTags { doc: doc.clone(), layer: layer.name.clone(), id: id.clone(), tags }));
    }
    section(cx.theme, ui, "Links");
    links_ui(cx, ui, doc, layer, id);
}

fn links_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer, id: &Name) {
    let Some(graph) = layer.waypoints() else { return };
    let computed = cx.geometry.filter(|geometry| geometry.level == *doc).and_then(|g| g.links.get(&layer.name));
    let set = |other: &Name, by: Option<LinkBy>| {
        let link = by.map(|by| Link { from: id.clone(), to: other.clone(), cost: None, one_way: false, by });
        let edit =
            Edit::SetLink { doc: doc.clone(), layer: layer.name.clone(), from: id.clone(), to: other.clone(), link };
        cx.send(Action::Edit(edit));
    };
    let mut n_shown = 0;
    for link in computed.into_iter().flatten().filter(|link| link.from == *id || link.to == *id) {
        let other = if link.from == *id { &link.to } else { &link.from };
        n_shown += 1;
        ui.horizontal(|ui| {
            let icon = if link.by == LinkBy::Hand { icons::ICON_BACK_HAND } else { icons::ICON_AUTO_MODE };
            ui.label(icon_text(icon.codepoint, 14.0).color(cx.theme.waypoint));
            if ui.link(&**other).clicked() {
                cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids: vec![other.clone()] }));
            }
            ui.label(weak(cx, &format!("{:.0} px", link.cost.unwrap_or_default())));
            at_right(ui, |ui| {
                let name = format!("Break link to {other}");
                if icon_button(cx.theme, ui, icons::ICON_LINK_OFF.codepoint, &name, false, true).tip(&name).clicked() {
                    set(other, Some(LinkBy::Broken));
                }
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

/// A document as a whole.
pub fn document_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath) {
    for located in cx.problems_at(doc, &crate::model::FieldPath::root()) {
        let finding = &located.problem.finding;
        if cx.view.broken.contains(doc) {
            let place = format!("{}:{}: {}", located.line, located.column, finding.message);
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
    match cx.project.doc(doc).map(|document| &**document) {
        Some(Document::Level(level)) => level_ui(cx, ui, doc, level),
        Some(Document::Tileset(tileset)) => tileset_ui(cx, ui, doc, tileset),
        Some(Document::Scenario(scenario)) => scenario_ui(cx, ui, doc, scenario),
        Some(Document::Project(file)) => project_ui(cx, ui, doc, file),
        Some(Document::Schema(schema)) => super::schema::schema_ui(cx, ui, doc, schema),
        _ => heading(cx.theme, ui, icons::ICON_DESCRIPTION.codepoint, doc.stem(), ""),
    }
}

fn project_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, file: &ProjectFile) {
    heading(cx.theme, ui, icons::ICON_FOLDER.codepoint, &file.name, "project");
    let set = |file: ProjectFile| cx.send(Action::Edit(Edit::SetProjectFile { doc: doc.clone(), file }));
    if let Some(change) = labeled_text_ui(cx, ui, "name", &file.name) {
        set(ProjectFile { name: change.into_parts().0, ..file.clone() });
    }
    ui.horizontal(|ui| {
        ui.label(weak(cx, "start level"));
        if let Some(start_level) = pick_ui(cx, ui, "start level", &file.start_level, cx.resolution.levels.keys()) {
            set(ProjectFile { start_level, ..file.clone() });
        }
    });
}

fn level_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level) {
    heading(cx.theme, ui, icons::ICON_MAP.codepoint, doc.stem(), "level");
    if ui.button("Open").clicked() {
        cx.send(Action::OpenLevel(doc.clone()));
    }
    let cells = NumberSpec { min: Some(1.0), max: Some(16384.0), step: Some(1.0), unit: Some("cells"), is_int: true };
    if let Some([w, h]) = level.size {
        if let Some(change) = pair(cx, ui, "size", [f64::from(w), f64::from(h)], &cells) {
            let (size, phase) = change.into_parts();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the widget keeps it in range")]
            let size = Some(size.map(|side| side as u32));
            let edit = Edit::ResizeLevel { doc: doc.clone(), size, shift: [0, 0] };
            cx.send(Action::Gesture { label: format!("Resize {}", doc.stem()), edits: vec![edit], phase });
        }
    } else {
        ui.label(weak(cx, "unbounded"));
    }
    let set = |patch: LevelPatch| cx.send(Action::Edit(Edit::SetLevel { doc: doc.clone(), patch }));
    ui.horizontal(|ui| {
        ui.label(weak(cx, "seen"));
        for (text, view) in
            [("as the project", None), ("from the side", Some(View::Platformer)), ("from above", Some(View::TopDown))]
        {
            if ui.selectable_label(level.view == view, text).clicked() && level.view != view {
                set(LevelPatch { view: Some(view), ..LevelPatch::default() });
            }
        }
    });
    let mut corner_cutting = level.corner_cutting;
    if ui.checkbox(&mut corner_cutting, "Paths may cut corners").changed() {
        set(LevelPatch { corner_cutting: Some(corner_cutting), ..LevelPatch::default() });
    }
    let n_entities = level.entities().count();
    ui.label(weak(cx, &format!("{}, {}", counted(level.layers.len(), "layer"), counted(n_entities, "entity"))));
}

fn tileset_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, tileset: &Tileset) {
    heading(cx.theme, ui, icons::ICON_GRID_VIEW.codepoint, doc.stem(), "tileset");
    let [w, h] = tileset.tile_size;
    ui.label(weak(
        cx,
        &format!(
            "{}: {w}×{h} px, {}, {}",
            tileset.image,
            counted(tileset.tiles.len(), "tile"),
            counted(tileset.terrains.len(), "terrain")
        ),
    ));
    ScrollArea::vertical().id_salt("tiles").auto_shrink([false, true]).show(ui, |ui| {
        for (id, tile) in &tileset.tiles {
            let title = if tile.name.is_empty() { format!("tile {id}") } else { format!("{} ({id})", tile.name) };
            egui::CollapsingHeader::new(title).id_salt(id).show(ui, |ui| tile_ui(cx, ui, doc, *id, tile));
        }
    });
}

fn tile_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, id: u32, tile: &TileDef) {
    let set = |tile: TileDef, phase: Phase| {
        let edit = Edit::SetTileDef { doc: doc.clone(), id, tile };
        cx.send(Action::Gesture { label: format!("Change tile {id}"), edits: vec![edit], phase });
    };
    if let Some(change) = labeled_text_ui(cx, ui, "name", &tile.name) {
        set(TileDef { name: change.into_parts().0, ..tile.clone() }, Phase::Commit);
    }
    ui.horizontal(|ui| {
        ui.label(weak(cx, "solid"));
        for (text, shape) in [("nothing", TileShape::None), ("the whole cell", TileShape::Full)] {
            if ui.selectable_label(tile.shape == shape, text).clicked() {
                set(TileDef { shape, ..tile.clone() }, Phase::Commit);
            }
        }
        if let TileShape::Polygon(points) = &tile.shape {
            let _ = ui.selectable_label(true, format!("a polygon of {} corners", points.len()));
        }
    });
    let mut one_way = tile.one_way;
    if ui.checkbox(&mut one_way, "Solid only from above").changed() {
        set(TileDef { one_way, ..tile.clone() }, Phase::Commit);
    }
    let cost = NumberSpec { min: Some(0.1), max: Some(1000.0), step: Some(0.1), ..NumberSpec::default() };
    for (kind, value) in &tile.cost {
        if let Some(change) = number(cx, ui, &format!("cost to {kind}"), *value, &cost) {
            let (value, phase) = change.into_parts();
            let mut changed = tile.clone();
            changed.cost.insert(kind.clone(), value);
            set(changed, phase);
        }
    }
    if tile.cost.is_empty() && ui.small_button("Make it dear to walk").clicked() {
        let mut changed = tile.clone();
        changed.cost.insert("walk".into(), 2.0);
        set(changed, Phase::Commit);
    }
    if let Some(change) = labeled_text_ui(cx, ui, "tags, with commas", &tile.tags.join(", ")) {
        let text = change.into_parts().0;
        let tags = text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        set(TileDef { tags, ..tile.clone() }, Phase::Commit);
    }
}

fn scenario_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, scenario: &Scenario) {
    heading(cx.theme, ui, icons::ICON_MOVIE.codepoint, doc.stem(), "scenario");
    ui.label(weak(cx, &format!("{} for {} s", scenario.level, scenario.secs)));
    section(cx.theme, ui, "What happens");
    for cue in &scenario.script {
        ui.label(format!("{:>5.2} s  {:?}", cue.at, cue.what));
    }
    section(cx.theme, ui, "What is expected");
    for expectation in &scenario.expect {
        ui.label(format!("{:?}  {}  {:?}", expectation.when, expectation.entity, expectation.what));
    }
    ui.add_space(8.0);
    ui.label(weak(cx, "Scenarios are edited in their file and run by `levelwright test`."));
}
