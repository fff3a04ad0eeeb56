//! The Layers pane: the level's layers front to back, groups with what is in them, which of them tools work on, and
//! what each is like.
//!
//! Invariant: a name stays readable in a narrow pane. What does not fit beside it is in the row's menu and in the
//! Inspector.

use egui::{
    CornerRadius, EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, vec2,
};
use egui_material_icons::icons;

use super::inheritance::commands_ui;
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{LayerSpot, dropped, set_in_layers},
    editor::{Action, Command, LayerPick, LayerSeen, Selection, ViewChange},
    model::{DocPath, Layer, LayerContent, Level, Name, counted},
    ui::{
        Cx, focus,
        theme::ROW,
        widgets::{
            IconButton, Row, at_right, command_button, empty_state, has_keyboard, in_rect,
            number::{NumberSpec, drag_ui},
            row_ui, whole_row_width,
        },
    },
};

/// Below this width of the pane, in points, a row has beside its name only its eye, what leaves the name whole and,
/// where it matters, its lock.
const NARROW: f32 = 200.0;

/// Room for the opacity beside the buttons, in points.
const OPACITY: f32 = 64.0;

/// How far what is in a group stands to the right of it, in points.
const INDENT: f32 = 14.0;

/// How wide a row's icon is, which of a group is an arrow to be clicked, in points.
const ARROW: f32 = 24.0;

/// How wide the lock of a row is, in points.
const LOCK: f32 = ROW + 2.0;

/// Layers that are dragged to another place: their level and their names.
struct Carried(DocPath, Vec<Name>);

/// Room that names of layers have at least, in points.
const NAME: f32 = 64.0;

/// Show the Layers pane.
pub fn layers_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some((doc, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_LAYERS.codepoint, "Open a level in the Project pane");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    bar_ui(cx, ui, doc, level);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let rows = cx.view.layer_rows(doc, level);
        keep_keyboard(ui, (doc, level), &rows, cx.active_layer());
        let selected = cx.layers_meant();
        for (i, it) in rows.iter().enumerate() {
            let beside = [i.checked_sub(1).and_then(|i| rows.get(i)), rows.get(i + 1)];
            let beside = beside.map(|it| it.map(|it| &it.layer.name));
            // A row that moves keeps the keyboard.
            let id = Id::unique(("layer row", doc, &it.layer.name));
            let scope = UiBuilder::new().scope_id(id);
            ui.scope_builder(scope, |ui| layer_ui(cx, ui, (doc, level), it, &selected, beside));
        }
        if level.layers.is_empty() {
            empty_state(cx.theme, ui, icons::ICON_LAYERS.codepoint, "No layers", "Add one with the plus above");
        } else {
            // Below the last row is behind everything.
            let (_, below) = ui.allocate_exact_size(ui.available_size().max(vec2(0.0, ROW)), Sense::hover());
            drop_ui(cx, ui, (doc, level), &below, |_| (0, LayerSpot::Bottom));
        }
    });
}

fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level) {
    // Where there is no room for it beside the buttons.
    let mut is_below = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for command in
            [Command::AddLayer, Command::DuplicateLayer, Command::RaiseLayer, Command::LowerLayer, Command::DeleteLayer]
        {
            command_button(cx, ui, command);
        }
        if ui.available_width() >= OPACITY {
            at_right(ui, |ui| opacity_ui(cx, ui, doc, level));
        } else {
            is_below = true;
        }
    });
    if is_below && cx.layer().is_some() {
        ui.horizontal(|ui| {
            ui.label(cx.theme.caption("Opacity"));
            at_right(ui, |ui| opacity_ui(cx, ui, doc, level));
        });
    }
}

/// The opacity of the selected layers.
fn opacity_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level) {
    let Some(layer) = cx.layer() else { return };
    let percent = NumberSpec { min: Some(0.0), max: Some(100.0), step: Some(0.5), unit: Some("%"), is_int: false };
    let (response, change) = drag_ui(ui, "Layer opacity", layer.opacity * 100.0, &percent);
    response.tip(match (cx.layers_meant().len(), layer.is_group()) {
        (2.., _) => "Opacity of the selected layers",
        (_, true) => "Opacity of all that is in the group",
        (_, false) => "Opacity of the layer",
    });
    if let Some(change) = change {
        let (percent, phase) = change.into_parts();
        let layers = cx.layers_meant();
        let edits = set_in_layers((doc, level), &layers, "opacity", &(percent / 100.0));
        let label = match layers.as_slice() {
            [layer] => format!("Set {layer}'s opacity"),
            many => format!("Set the opacity of {}", counted(many.len(), "layer")),
        };
        cx.send(Action::Gesture { label, edits, phase });
    }
}

fn layer_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level): (&DocPath, &Level),
    it: &LayerSeen<'_>,
    selected: &[Name],
    beside: [Option<&Name>; 2],
) {
    let layer = it.layer;
    // What is done in the row of a selected layer is done with all that are selected.
    let meant = if selected.contains(&layer.name) { selected } else { std::slice::from_ref(&layer.name) };
    let others = if meant.len() > 1 { "\nSo are the other selected layers" } else { "" };
    let is_narrow = ui.available_width() < NARROW;
    let line = Rect::from_min_size(ui.next_widget_position(), vec2(ui.available_width(), ROW));
    let is_near = ui.rect_contains_pointer(line);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let is_open = cx.view.is_eye_open(doc, layer);
        let (icon, name) = if is_open {
            (icons::ICON_VISIBILITY, format!("Hide {}", layer.name))
        } else {
            (icons::ICON_VISIBILITY_OFF, format!("Show {}", layer.name))
        };
        let eye = IconButton::new(icon.codepoint, &name).in_row().show(cx.theme, ui);
        let tip = format!("{name} in this window; the game is not changed\nAlt: {} alone{others}", layer.name);
        if eye.tip(tip).clicked() {
            cx.send(Action::View(if ui.input(|input| input.modifiers.alt) {
                ViewChange::ShowLayerAlone(doc.clone(), layer.name.clone())
            } else {
                ViewChange::ShowLayers(doc.clone(), meant.to_vec(), !is_open)
            }));
        }
        #[expect(clippy::cast_precision_loss, reason = "groups are only so deep")]
        let indent = it.groups.len() as f32 * INDENT;
        // Where a name has no room to spare, the lock that shows under the pointer lies over its end.
        let is_whole =
            || whole_row_width(ui, &layer.name, "", !it.look.visible) <= ui.available_width() - indent - LOCK;
        let has_room = layer.locked || !is_narrow || is_whole();
        let lock = if has_room { LOCK } else { 0.0 };
        // However deep it is, there is room for some of its name.
        let most = (ui.available_width() - lock - NAME).max(0.0);
        ui.add_space(indent.min(most));
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - lock).max(0.0));
            let response = name_ui(cx, ui, (doc, level), it, (is_narrow, meant, selected));
            row_keys(cx, ui, doc, it, &response, beside);
        });
        if !has_room && !is_near {
            return;
        }
        let (icon, name) = if layer.locked {
            (icons::ICON_LOCK, format!("Unlock {}", layer.name))
        } else {
            (icons::ICON_LOCK_OPEN, format!("Lock {}", layer.name))
        };
        let button = IconButton::new(icon.codepoint, &name).in_row().selected(layer.locked);
        let response = if has_room {
            button.show(cx.theme, ui)
        } else {
            let place = line.with_min_x(line.right() - LOCK);
            let is_active = cx.active_layer() == Some(it.number);
            let ground = if is_active { cx.theme.accent_ground } else { cx.theme.widget };
            ui.painter().rect_filled(place, CornerRadius::same(3), ground);
            in_rect(ui, place, |ui| button.show(cx.theme, ui))
        };
        if response.tip(format!("{name}{others}")).clicked() {
            let edits = set_in_layers((doc, level), meant, "locked", &!layer.locked);
            let label = match meant {
                [_] => name,
                many => format!("{} {}", if layer.locked { "Unlock" } else { "Lock" }, counted(many.len(), "layer")),
            };
            cx.send(Action::Edits { label, edits });
        }
    });
}

/// The row that has the keyboard, or had it last.
#[derive(Clone, PartialEq)]
struct KeyboardRow {
    id: Id,
    doc: DocPath,
    layer: Name,
    /// Whether it was the row of the layer that tools work on.
    is_active: bool,
}

fn keyboard_row_id() -> Id {
    Id::unique("layer row that has the keyboard")
}

fn wanted_row_id() -> Id {
    Id::unique("layer row to have the keyboard")
}

/// Have the row of the active layer take the keyboard where the row that has it is gone, as after a new name or an
/// undo, or is no longer that of the active layer, as after grouping.
fn keep_keyboard(ui: &Ui, (doc, level): (&DocPath, &Level), rows: &[LayerSeen<'_>], active: Option<usize>) {
    let Some(row) = ui.data(|data| data.get_temp::<KeyboardRow>(keyboard_row_id())) else { return };
    if row.doc != *doc || ui.memory(egui::Memory::focused) != Some(row.id) {
        return;
    }
    let Some(active) = rows.iter().find(|it| Some(it.number) == active) else { return };
    let is_there = level.layer(&row.layer).is_some();
    if !is_there || row.is_active && active.layer.name != row.layer {
        ui.data_mut(|data| data.insert_temp(wanted_row_id(), active.layer.name.clone()));
    }
}

/// The keys of a row that has the keyboard: up and down select the next one, with Shift all up to it; left and right
/// fold a group and unfold it. The row that is gone to takes the keyboard.
fn row_keys(cx: &Cx<'_>, ui: &Ui, doc: &DocPath, it: &LayerSeen<'_>, row: &Response, beside: [Option<&Name>; 2]) {
    let (layer, wanted) = (it.layer, wanted_row_id());
    if ui.data(|data| data.get_temp::<Name>(wanted)).is_some_and(|name| name == layer.name) {
        ui.data_mut(|data| data.remove::<Name>(wanted));
        row.request_focus();
        return;
    }
    if !has_keyboard(row) {
        return;
    }
    let is_active = cx.active_layer() == Some(it.number);
    let kept = KeyboardRow { id: row.id, doc: doc.clone(), layer: layer.name.clone(), is_active };
    ui.data_mut(|data| data.insert_temp(keyboard_row_id(), kept));
    let arrows = EventFilter { vertical_arrows: true, horizontal_arrows: layer.is_group(), ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(row.id, arrows));
    let is_pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (key, next) in [(Key::ArrowUp, beside[0]), (Key::ArrowDown, beside[1])] {
        // With Shift asked first: without is not told apart from it.
        let is_reaching = ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, key));
        if (is_reaching || is_pressed(key))
            && let Some(next) = next
        {
            let pick = if is_reaching { LayerPick::Reached } else { LayerPick::Alone };
            cx.send(Action::View(ViewChange::PickLayer(doc.clone(), next.clone(), pick)));
            ui.data_mut(|data| data.insert_temp(wanted, next.clone()));
        }
    }
    for (key, is_folded) in [(Key::ArrowLeft, true), (Key::ArrowRight, false)] {
        if layer.is_group() && is_pressed(key) {
            cx.send(Action::View(ViewChange::Fold(doc.clone(), layer.name.clone(), is_folded)));
        }
    }
}

/// The arrow of a group in its row, that lists or hides what is in it.
fn fold_ui(cx: &Cx<'_>, ui: &Ui, doc: &DocPath, group: &Layer, row: &Response) {
    let is_folded = cx.view.is_folded(doc, &group.name);
    let name = format!("{} {}", if is_folded { "Unfold" } else { "Fold" }, group.name);
    let rect = row.rect.with_max_x(row.rect.left() + ARROW);
    let arrow = ui.interact(rect, row.id.with("fold"), Sense::click());
    arrow.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if arrow.clicked() {
        cx.send(Action::View(ViewChange::Fold(doc.clone(), group.name.clone(), !is_folded)));
    }
    arrow.tip(&name);
}

/// The layer's name: clicked to work on it, with Ctrl or Shift besides others; dragged to move it, with those selected
/// with it.
fn name_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level): (&DocPath, &Level),
    it: &LayerSeen<'_>,
    (is_narrow, meant, selected): (bool, &[Name], &[Name]),
) -> Response {
    let LayerSeen { number: at, layer, look, is_shown, groups } = it;
    let at = *at;
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
        LayerContent::Group(group) => {
            let n = group.layers.len();
            let is_folded = cx.view.is_folded(doc, &layer.name);
            let arrow = if is_folded { icons::ICON_CHEVRON_RIGHT } else { icons::ICON_KEYBOARD_ARROW_DOWN };
            (arrow, n.to_string(), format!("a group of {}", counted(n, "layer")))
        }
        LayerContent::Waypoints(graph) => {
            let n = graph.nodes.len();
            (icons::ICON_CONVERSION_PATH, n.to_string(), counted(n, "waypoint"))
        }
    };
    let is_active = cx.active_layer() == Some(at);
    let has_room = !is_narrow || whole_row_width(ui, &layer.name, &detail, !look.visible) <= ui.available_width();
    let row = Row {
        icon: icon.codepoint,
        text: &layer.name,
        detail: if has_room { &detail } else { "" },
        mark: if look.visible { "" } else { icons::ICON_VIDEOGAME_ASSET_OFF.codepoint },
        is_selected: is_active || selected.contains(&layer.name),
        is_weak: !is_shown,
        ..Row::default()
    };
    let response = row_ui(cx.theme, ui, &row).interact(Sense::drag());
    if layer.is_group() {
        fold_ui(cx, ui, doc, layer, &response);
    }
    if is_active && selected.len() > 1 {
        // Of several, the one that tools work on.
        let bar = response.rect.with_max_x(response.rect.left() + 3.0).shrink2(vec2(0.0, 2.0));
        ui.painter().rect_filled(bar, CornerRadius::same(1), cx.theme.accent);
    }
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
    if response.secondary_clicked() && meant.len() > 1 {
        // The menu is about all of them.
        cx.send(Action::View(ViewChange::ActiveLayer(doc.clone(), layer.name.clone())));
        cx.send(Action::Select(Selection::Layer { doc: doc.clone(), layer: layer.name.clone() }));
    } else if response.clicked() || response.secondary_clicked() {
        let modifiers = ui.input(|input| input.modifiers);
        let pick = match (response.clicked(), modifiers.command, modifiers.shift) {
            (true, true, _) => LayerPick::Toggled,
            (true, false, true) => LayerPick::Reached,
            _ => LayerPick::Alone,
        };
        cx.send(Action::View(ViewChange::PickLayer(doc.clone(), layer.name.clone(), pick)));
    }
    if response.double_clicked() {
        cx.command(Command::Rename);
    }
    focus::stands_for(&response, || Selection::Layer { doc: doc.clone(), layer: layer.name.clone() });
    response.context_menu(|ui| {
        commands_ui(cx, ui, &[Command::AddLayer, Command::Rename, Command::DuplicateLayer]);
        commands_ui(cx, ui, &[Command::MergeLayerDown, Command::DeleteLayer]);
        ui.separator();
        commands_ui(cx, ui, &[Command::GroupLayers, Command::UngroupLayers, Command::FoldGroup]);
        ui.separator();
        commands_ui(cx, ui, &[Command::LayerInGame, Command::ShowLayerAlone, Command::ToggleHighlight]);
        ui.separator();
        commands_ui(cx, ui, &[Command::LockLayer, Command::LockOtherLayers]);
        ui.separator();
        commands_ui(cx, ui, &[Command::RaiseLayer, Command::LowerLayer, Command::LayerCells]);
    });
    response.dnd_set_drag_payload(Carried(doc.clone(), meant.to_vec()));
    // Front layers stand above: the upper half of a row is the gap in front of it. The middle of a group is what is in
    // it, and so is the gap below it where that is listed.
    let is_unfolded = layer.is_group() && !cx.view.is_folded(doc, &layer.name);
    let rect = response.rect;
    drop_ui(cx, ui, (doc, level), &response, |pointer| {
        let share = (pointer.y - rect.top()) / rect.height();
        let spot = match (layer.is_group(), share) {
            (true, share) if share < 0.3 => LayerSpot::InFront,
            (true, share) if share > 0.7 && !is_unfolded => LayerSpot::Behind,
            (true, _) => LayerSpot::Inside,
            (false, share) if share < 0.5 => LayerSpot::InFront,
            (false, _) => LayerSpot::Behind,
        };
        (at, spot)
    });
    let in_game = match (look.visible, layer.visible) {
        (true, _) => "",
        (false, true) => "\nNot drawn in the game: the group around it is not",
        (false, false) => "\nNot drawn in the game",
    };
    let lock = groups.iter().find(|group| group.locked);
    let lock = lock.map(|locked| format!("\nLocked with {}", locked.name)).unwrap_or_default();
    let how = "Click to work on it, drag to move it; Ctrl or Shift and a click select several";
    response.clone().tip(format!("{}: {about}{in_game}{lock}\n{how}", layer.name));
    response
}

/// Let carried layers be dropped, at the spot under the pointer.
fn drop_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    (doc, level): (&DocPath, &Level),
    response: &Response,
    spot: impl Fn(Pos2) -> (usize, LayerSpot),
) {
    let Some(carried) = response.dnd_hover_payload::<Carried>().filter(|carried| carried.0 == *doc) else { return };
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let (on, spot) = spot(pointer);
    let edits = dropped((doc, level), &carried.1, (on, spot));
    ui.ctx().set_cursor_icon(if edits.is_some() { egui::CursorIcon::Grabbing } else { egui::CursorIcon::NoDrop });
    let rect = response.rect;
    let line = Stroke::new(2.0, cx.theme.accent);
    match spot {
        _ if edits.is_none() => {}
        LayerSpot::Inside => {
            ui.painter().rect_stroke(rect.shrink(1.0), CornerRadius::same(3), line, StrokeKind::Inside);
        }
        LayerSpot::InFront | LayerSpot::Bottom => {
            ui.painter().hline(rect.x_range(), rect.top(), line);
        }
        LayerSpot::Behind => {
            ui.painter().hline(rect.x_range(), rect.bottom(), line);
        }
    }
    if response.dnd_release_payload::<Carried>().is_some()
        && let Some(edits) = edits
    {
        let label = match edits.as_slice() {
            [edit] => edit.label(),
            many => format!("Move {}", counted(many.len(), "layer")),
        };
        cx.send(Action::Edits { label, edits });
    }
}
