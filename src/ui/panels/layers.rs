//! The Layers pane: the level's layers front to back, which of them tools work on, and what each is like.
//!
//! Invariant: a name stays readable in a narrow pane. What does not fit beside it is in the row's menu and in the Inspector.

use egui::{Id, Pos2, Rect, Response, ScrollArea, Sense, Stroke, Ui, vec2};
use egui_material_icons::icons;

use super::inheritance::commands_ui;
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, number_in_gap},
    editor::{Action, Command, Selection, ViewChange},
    model::{DocPath, Layer, LayerContent, Level, counted},
    ui::{
        Cx,
        theme::ROW,
        widgets::{
            IconButton, Row, at_right, command_button, empty_state,
            number::{NumberSpec, drag_ui},
            row_ui,
        },
    },
};

/// Below this width of the pane, in points, a row has nothing beside its name but its eye and, where it matters, its lock.
const NARROW: f32 = 200.0;

/// Room for the opacity beside the buttons, in points.
const OPACITY: f32 = 64.0;

/// A layer that is dragged to another place: its level and its number from the back.
struct Carried(DocPath, usize);

/// Show the Layers pane.
pub fn layers_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some((doc, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_LAYERS.codepoint, "Open a level in the Project pane");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    bar_ui(cx, ui, doc);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (i, layer) in level.layers.iter().enumerate().rev() {
            layer_ui(cx, ui, doc, level, i, layer);
        }
        if level.layers.is_empty() {
            empty_state(cx.theme, ui, icons::ICON_LAYERS.codepoint, "No layers", "Add one with the plus above");
        } else {
            // Below the last row is behind everything.
            let (_, below) = ui.allocate_exact_size(ui.available_size().max(vec2(0.0, ROW)), Sense::hover());
            drop_ui(cx, ui, doc, level, &below, |_| 0);
        }
    });
}

fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for command in
            [Command::AddLayer, Command::DuplicateLayer, Command::RaiseLayer, Command::LowerLayer, Command::DeleteLayer]
        {
            command_button(cx, ui, command);
        }
        let Some(layer) = cx.layer().filter(|_| ui.available_width() >= OPACITY) else { return };
        at_right(ui, |ui| {
            let percent =
                NumberSpec { min: Some(0.0), max: Some(100.0), step: Some(0.5), unit: Some("%"), is_int: false };
            let (response, change) = drag_ui(ui, "Layer opacity", layer.opacity * 100.0, &percent);
            response.tip("Opacity of the layer");
            if let Some(change) = change {
                let (percent, phase) = change.into_parts();
                let at = Level::layer_at(&*layer.name).key("opacity");
                let edits = vec![Edit::set_at(doc, at, &(percent / 100.0))];
                cx.send(Action::Gesture { label: format!("Set {}'s opacity", layer.name), edits, phase });
            }
        });
    });
}

fn layer_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level, at: usize, layer: &Layer) {
    let is_narrow = ui.available_width() < NARROW;
    let line = Rect::from_min_size(ui.next_widget_position(), vec2(ui.available_width(), ROW + 2.0));
    let is_near = ui.rect_contains_pointer(line);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let is_shown = cx.view.shows(doc, layer);
        let (icon, name) = if is_shown {
            (icons::ICON_VISIBILITY, format!("Hide {}", layer.name))
        } else {
            (icons::ICON_VISIBILITY_OFF, format!("Show {}", layer.name))
        };
        let eye = IconButton::new(icon.codepoint, &name).show(cx.theme, ui);
        if eye.tip(format!("{name} in this window; the game is not changed\nAlt: {} alone", layer.name)).clicked() {
            let name = layer.name.clone();
            cx.send(Action::View(if ui.input(|input| input.modifiers.alt) {
                ViewChange::ShowLayerAlone(doc.clone(), name)
            } else {
                ViewChange::ShowLayer(doc.clone(), name, !is_shown)
            }));
        }
        let has_lock = layer.locked || is_near || !is_narrow;
        let lock = if has_lock { ROW + 4.0 } else { 0.0 };
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width() - lock);
            name_ui(cx, ui, doc, level, at, (is_shown, is_narrow));
        });
        if !has_lock {
            return;
        }
        let (icon, name) = if layer.locked {
            (icons::ICON_LOCK, format!("Unlock {}", layer.name))
        } else {
            (icons::ICON_LOCK_OPEN, format!("Lock {}", layer.name))
        };
        if IconButton::new(icon.codepoint, &name).selected(layer.locked).show(cx.theme, ui).tip(&name).clicked() {
            let at = Level::layer_at(&*layer.name).key("locked");
            cx.send(Action::Edit(Edit::set_at(doc, at, &!layer.locked)));
        }
    });
}

/// The layer's name: clicked to work on it, dragged to move it.
fn name_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level, at: usize, (is_shown, is_narrow): (bool, bool)) {
    let Some(layer) = level.layers.get(at) else { return };
    let (icon, detail, about) = match &layer.content {
        LayerContent::Tiles(tiles) => {
            (icons::ICON_GRID_ON, tiles.tileset.to_string(), format!("tiles of {}", tiles.tileset))
        }
        LayerContent::Entities(all) => (icons::ICON_SMART_TOY, all.len().to_string(), counted(all.len(), "entity")),
        LayerContent::Values(values) => {
            let n = values.names.len();
            (icons::ICON_NUMBERS, n.to_string(), counted(n, "named value"))
        }
        LayerContent::Image(image) => {
            let file = image.image.rsplit('/').next().unwrap_or_default();
            (icons::ICON_IMAGE, file.to_owned(), format!("the image {}", image.image))
        }
        LayerContent::Waypoints(graph) => {
            let n = graph.nodes.len();
            (icons::ICON_CONVERSION_PATH, n.to_string(), counted(n, "waypoint"))
        }
    };
    let is_active = cx.active_layer() == Some(at);
    let row = Row {
        icon: icon.codepoint,
        text: &layer.name,
        detail: if is_narrow { "" } else { &detail },
        mark: if layer.visible { "" } else { icons::ICON_VIDEOGAME_ASSET_OFF.codepoint },
        is_selected: is_active,
        is_weak: !is_shown,
        ..Row::default()
    };
    let response = row_ui(cx.theme, ui, &row).interact(Sense::drag());
    if is_active {
        // One that became active elsewhere, or was added or moved, comes into view.
        let now = (doc.clone(), layer.name.clone(), at);
        let was = ui.data_mut(|data| {
            data.get_temp_mut_or_default::<Option<_>>(Id::unique("active layer")).replace(now.clone())
        });
        if was != Some(now) {
            response.scroll_to_me(None);
        }
    }
    if response.clicked() || response.secondary_clicked() {
        cx.send(Action::View(ViewChange::ActiveLayer(doc.clone(), layer.name.clone())));
        cx.send(Action::Select(Selection::Layer { doc: doc.clone(), layer: layer.name.clone() }));
    }
    if response.double_clicked() {
        cx.command(Command::Rename);
    }
    response.context_menu(|ui| {
        commands_ui(cx, ui, &[Command::Rename, Command::DuplicateLayer, Command::MergeLayerDown, Command::DeleteLayer]);
        ui.separator();
        commands_ui(cx, ui, &[Command::LayerInGame, Command::ShowLayerAlone, Command::ToggleHighlight]);
        ui.separator();
        commands_ui(cx, ui, &[Command::LockLayer, Command::LockOtherLayers]);
        ui.separator();
        commands_ui(cx, ui, &[Command::RaiseLayer, Command::LowerLayer]);
    });
    response.dnd_set_drag_payload(Carried(doc.clone(), at));
    let middle = response.rect.center().y;
    // Front layers stand above: the upper half of a row is the gap in front of it.
    drop_ui(cx, ui, doc, level, &response, |pointer| at + usize::from(pointer.y < middle));
    let in_game = if layer.visible { "" } else { "\nNot drawn in the game" };
    response.tip(format!("{}: {about}{in_game}\nClick to work on it, drag to move it", layer.name));
}

/// Let a carried layer be dropped: `gap` is the gap under the pointer, counted from the back.
fn drop_ui(cx: &Cx<'_>, ui: &Ui, doc: &DocPath, level: &Level, response: &Response, gap: impl Fn(Pos2) -> usize) {
    let Some(carried) = response.dnd_hover_payload::<Carried>().filter(|carried| carried.0 == *doc) else { return };
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    let to = number_in_gap(carried.1, gap(pointer));
    let rect = response.rect;
    let y = if pointer.y < rect.center().y || gap(pointer) == 0 && rect.height() > ROW + 4.0 {
        rect.top()
    } else {
        rect.bottom()
    };
    if to != carried.1 {
        ui.painter().hline(rect.x_range(), y, Stroke::new(2.0, cx.theme.accent));
    }
    let Some(carried) = response.dnd_release_payload::<Carried>() else { return };
    if let (true, Some(layer)) = (to != carried.1, level.layers.get(carried.1)) {
        cx.send(Action::Edit(Edit::Move { doc: doc.clone(), at: Level::layer_at(&*layer.name), to }));
    }
}
