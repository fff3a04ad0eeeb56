//! The Layers pane: the level's layers front to back, which of them tools work on, and what each is like.

use egui::{ScrollArea, Ui};
use egui_material_icons::icons;

use super::inheritance::commands_ui;
use crate::ui::widgets::Tip as _;
use crate::{
    edit::Edit,
    editor::{Action, Command, Selection, ViewChange},
    model::{DocPath, Layer, LayerContent, Level, TileLayer, Tiles, WaypointGraph},
    ui::{
        Cx,
        theme::ROW,
        widgets::{
            IconButton, Row, at_right, empty_state, icon_text,
            number::{NumberSpec, drag_ui},
            row_ui,
        },
    },
};

/// Show the Layers pane.
pub fn layers_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some((doc, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_LAYERS.codepoint, "Open a level in the Project pane");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    let active = cx.active_layer();
    bar_ui(cx, ui, doc, level, active);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (i, layer) in level.layers.iter().enumerate().rev() {
            layer_ui(cx, ui, doc, layer, active == Some(i));
        }
        if level.layers.is_empty() {
            empty_state(cx.theme, ui, icons::ICON_LAYERS.codepoint, "No layers", "Add one with the plus above");
        }
    });
}

fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level, active: Option<usize>) {
    let layer = active.and_then(|i| level.layers.get(i));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.menu_button(icon_text(icons::ICON_ADD.codepoint, 17.0), |ui| add_ui(cx, ui, doc, level, active))
            .response
            .tip("Add a layer")
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add layer"));
        let Some((i, layer)) = active.zip(layer) else { return };
        let button = |ui: &mut Ui, icon: &str, name: &str, fine: bool| {
            IconButton::new(icon, name).enabled(fine).show(cx.theme, ui).clicked()
        };
        let name = layer.name.clone();
        let to = |to: usize| Edit::Move { doc: doc.clone(), at: Level::layer_at(&*name), to };
        if button(ui, icons::ICON_ARROW_UPWARD.codepoint, "Bring layer forward", i + 1 < level.layers.len()) {
            cx.send(Action::Edit(to(i + 1)));
        }
        if button(ui, icons::ICON_ARROW_DOWNWARD.codepoint, "Send layer back", i > 0) {
            cx.send(Action::Edit(to(i - 1)));
        }
        if button(ui, icons::ICON_DELETE.codepoint, "Delete layer", true) {
            cx.send(Action::Edit(Edit::Remove { doc: doc.clone(), at: Level::layer_at(&*name) }));
        }
        at_right(ui, |ui| {
            let percent =
                NumberSpec { min: Some(0.0), max: Some(100.0), step: Some(0.5), unit: Some("%"), is_int: false };
            let (response, change) = drag_ui(ui, "Layer opacity", layer.opacity * 100.0, &percent);
            response.tip("Opacity of the layer");
            if let Some(change) = change {
                let (percent, phase) = change.into_parts();
                let at = Level::layer_at(&*name).key("opacity");
                let edits = vec![Edit::set_at(doc, at, &(percent / 100.0))];
                cx.send(Action::Gesture { label: format!("Set {name}'s opacity"), edits, phase });
            }
        });
    });
}

fn add_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level, active: Option<usize>) {
    let tileset = level
        .layers
        .iter()
        .find_map(|layer| layer.tiles().map(|tiles| tiles.tileset.clone()))
        .or_else(|| cx.resolution.tilesets.keys().next().cloned());
    let tiles =
        tileset.map(|tileset| LayerContent::Tiles(TileLayer { tileset, collide: true, tiles: Tiles::default() }));
    let choices = [
        ("Tile layer", "tiles", tiles),
        ("Entity layer", "actors", Some(LayerContent::Entities(indexmap::IndexMap::new()))),
        ("Waypoint layer", "waypoints", Some(LayerContent::Waypoints(WaypointGraph::limited()))),
    ];
    for (text, name, content) in choices {
        let button = egui::Button::new(text);
        let response = ui.add_enabled(content.is_some(), button).on_disabled_hover_text("There is no tileset yet");
        if let (true, Some(content)) = (response.clicked(), content) {
            let name = crate::edit::free_name(name, |name| level.layer(name).is_some());
            let at = active.map_or(level.layers.len(), |i| i + 1);
            let layer = Layer::new(name.clone(), content);
            cx.send(Action::Edit(Edit::insert_at(doc, Level::layer_at(at), &layer)));
            cx.send(Action::View(ViewChange::ActiveLayer(doc.clone(), name)));
            ui.close();
        }
    }
}

fn layer_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Layer, is_active: bool) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let set = |field: &str, is_on: bool| {
            cx.send(Action::Edit(Edit::set_at(doc, Level::layer_at(&*layer.name).key(field), &is_on)));
        };
        let is_shown = cx.view.shows(doc, layer);
        let (icon, name) = if is_shown {
            (icons::ICON_VISIBILITY, format!("Hide {}", layer.name))
        } else {
            (icons::ICON_VISIBILITY_OFF, format!("Show {}", layer.name))
        };
        let eye = IconButton::new(icon.codepoint, &name).show(cx.theme, ui);
        if eye.tip(format!("{name} in this window; the game is not changed")).clicked() {
            cx.send(Action::View(ViewChange::ShowLayer(doc.clone(), layer.name.clone(), !is_shown)));
        }
        let (icon, name) = if layer.locked {
            (icons::ICON_LOCK, format!("Unlock {}", layer.name))
        } else {
            (icons::ICON_LOCK_OPEN, format!("Lock {}", layer.name))
        };
        let width = ui.available_width() - ROW - 4.0;
        let (icon_of, detail) = match &layer.content {
            LayerContent::Tiles(tiles) => (icons::ICON_GRID_ON, tiles.tileset.to_string()),
            LayerContent::Entities(entities) => (icons::ICON_SMART_TOY, entities.len().to_string()),
            LayerContent::Waypoints(graph) => (icons::ICON_CONVERSION_PATH, graph.nodes.len().to_string()),
        };
        ui.scope(|ui| {
            ui.set_max_width(width);
            let row = Row {
                icon: icon_of.codepoint,
                text: &layer.name,
                detail: &detail,
                is_selected: is_active,
                is_weak: !is_shown,
                mark: if layer.visible { "" } else { icons::ICON_VIDEOGAME_ASSET_OFF.codepoint },
                ..Row::default()
            };
            let response = row_ui(cx.theme, ui, &row);
            if response.clicked() {
                cx.send(Action::View(ViewChange::ActiveLayer(doc.clone(), layer.name.clone())));
            }
            if response.double_clicked() {
                cx.send(Action::Select(Selection::Layer { doc: doc.clone(), layer: layer.name.clone() }));
            }
            if response.secondary_clicked() {
                cx.send(Action::View(ViewChange::ActiveLayer(doc.clone(), layer.name.clone())));
            }
            response.context_menu(|ui| commands_ui(cx, ui, &[Command::LayerInGame]));
            let in_game = if layer.visible { "" } else { "\nNot drawn in the game" };
            response.tip(format!("Click: tools work on this layer. Double click: its properties{in_game}"));
        });
        if IconButton::new(icon.codepoint, &name).selected(layer.locked).show(cx.theme, ui).tip(&name).clicked() {
            set("locked", !layer.locked);
        }
    });
}
