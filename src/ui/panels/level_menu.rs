//! The menu of a right click on the level's canvas. What it is about was decided by `tools`.

use egui::{Context, Id, Popup, Pos2, Response, Ui};

use super::inheritance::{command_item_ui, commands_ui};
use crate::{
    edit::{Edit, Owner},
    editor::{Action, Command, LevelMenu, Pane, PreviewAction, Selection, ViewChange},
    explain::{CanvasField, Drawn},
    model::{DocPath, Level, Name},
    sim::probe::traveler_for,
    tools::{
        Alignment, FieldGrip, FieldSpot, MenuTopic, SpotPart, field_edits, layers_to_move_to, reset_edits, reversed,
        shape_handles::Grip, size_of_field, with_point, without_point,
    },
    ui::{
        Cx,
        canvas::{
            camera::pos,
            fields::lone_look,
            paint::Viewport,
            references::{reference_items_ui, references_of},
            text::text_of,
        },
    },
};

/// Open the menu where the canvas is clicked with the right button or keys ask for it, while the selected tool leaves
/// that button to it. There is none where the level plays: its commands are about what is edited.
pub(super) fn level_canvas_menu_ui(
    cx: &Cx<'_>,
    viewport: &Viewport,
    response: &Response,
    (doc, level): (&DocPath, &Level),
) {
    let plays = cx.preview.is_some_and(|preview| preview.level == *doc);
    let Some(menu) = cx.view.menu.as_ref().filter(|_| cx.view.tool.opens_menu() && !plays) else { return };
    let (ctx, asked) = (&response.ctx, asked_id());
    let is_asked = ctx.data(|data| data.get_temp(asked)) == Some(menu.at);
    let place = asked.with("place");
    if is_asked {
        ctx.data_mut(|data| {
            data.remove::<[f64; 2]>(asked);
            data.insert_temp(place, viewport.screen(pos(menu.at)));
        });
        Popup::open_id(ctx, Popup::default_response_id(response));
    } else if response.secondary_clicked() {
        ctx.data_mut(|data| data.remove::<Pos2>(place));
    }
    let mut popup = Popup::context_menu(response);
    if let Some(at) = ctx.data(|data| data.get_temp(place)) {
        popup = popup.at_position(at);
    }
    // Keys go on in the menu, with its first item.
    let mut takes_keys = is_asked;
    popup.show(|ui| match menu.topic {
        MenuTopic::Things => {
            if let Some(spot) = &menu.spot {
                field_ui(cx, ui, (doc, level), spot, &mut takes_keys);
            }
            if let (Some(spot), [id]) = (&menu.reference, cx.selection.ids_in(doc)) {
                ui.label(cx.theme.caption(format!("{id} → {}", spot.to)));
                focus_next(ui, &mut takes_keys);
                reference_items_ui(cx, ui, (doc, level), (id, Some(spot)));
                ui.separator();
            }
            focus_next(ui, &mut takes_keys);
            things_ui(cx, ui, doc, level);
        }
        MenuTopic::Cells => {
            focus_next(ui, &mut takes_keys);
            cells_ui(cx, ui, menu);
        }
        MenuTopic::Ground => {
            focus_next(ui, &mut takes_keys);
            ground_ui(cx, ui, doc, menu);
        }
    });
}

/// Have the next widget take the keyboard, once.
fn focus_next(ui: &Ui, takes_keys: &mut bool) {
    if std::mem::take(takes_keys) {
        let next = ui.next_auto_id();
        ui.memory_mut(|memory| memory.request_focus(next));
    }
}

fn asked_id() -> Id {
    Id::unique("level menu asked for by keys")
}

/// Open the menu by keys, once the selected tool has decided its topic at a point of the level, in pixels.
pub(super) fn open_by_keys(ctx: &Context, at: [f64; 2]) {
    ctx.data_mut(|data| data.insert_temp(asked_id(), at));
}

/// About a handle or a line of a field of the selected entity.
fn field_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level), spot: &FieldSpot, takes_keys: &mut bool) {
    let Some((layer, id, look)) = lone_look(cx, doc, level) else { return };
    let Some(field) = spot.find(&look.fields) else { return };
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let full = field.full();
    ui.label(cx.theme.caption(format!("{full}, {}", size_of_field(field))));
    focus_next(ui, takes_keys);
    let noun = if matches!(field.drawn, Drawn::Shape(_)) { "corner" } else { "point" };
    let mut offer = |text: &str, after: Option<CanvasField>| {
        if ui.add_enabled(after.is_some(), egui::Button::new(text)).clicked()
            && let Some(after) = after
        {
            let label = format!("{text}: {full}");
            cx.send(Action::Edits { label, edits: field_edits(cx.project, &owner, field, &after) });
            ui.close();
        }
    };
    match spot.part {
        SpotPart::Grip(FieldGrip::Of(Grip::Point(i))) => offer(&format!("Delete {noun}"), without_point(field, i)),
        SpotPart::Edge(i, at) => offer(&format!("Insert {noun}"), with_point(field, i, at)),
        SpotPart::Grip(_) => {}
    }
    if let Some(after) = reversed(field) {
        offer("Reverse path", Some(after));
    }
    let edits = reset_edits(cx.project, &owner, field);
    if ui.add_enabled(!edits.is_empty(), egui::Button::new(format!("Reset {full}"))).clicked() {
        cx.send(Action::Edits { label: format!("Reset {full}"), edits });
        ui.close();
    }
    ui.separator();
}

/// About the selected entities and waypoints.
fn things_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, level: &Level) {
    let ids = cx.selection.ids_in(doc);
    commands_ui(cx, ui, &[Command::Cut, Command::Copy, Command::Duplicate, Command::Delete]);
    ui.separator();
    ui.add_enabled_ui(ids.len() > 1, |ui| {
        ui.menu_button("Align", |ui| {
            commands_ui(cx, ui, &Alignment::ALL.map(Command::Align));
        });
    });
    let layers = layers_to_move_to(level, ids);
    ui.add_enabled_ui(!layers.is_empty(), |ui| {
        ui.menu_button("Move to layer", |ui| {
            for layer in layers {
                if ui.button(&*layer.name).clicked() {
                    let edit = Edit::MoveToLayer { doc: doc.clone(), ids: ids.to_vec(), layer: layer.name.clone() };
                    cx.send(Action::Edit(edit));
                    ui.close();
                }
            }
        });
    });
    if let [id] = ids {
        if !references_of(cx, doc, level, id).is_empty() {
            ui.menu_button("References", |ui| reference_items_ui(cx, ui, (doc, level), (id, None)));
        }
        if text_of(cx).is_some() {
            commands_ui(cx, ui, &[Command::EditText]);
        }
        if let Some((_, instance)) = level.entity(id) {
            let who = traveler_for(cx.resolution, (doc, level), id);
            probe_item_ui(cx, ui, doc, instance.at, who);
        }
    }
    let all = definitions_of(cx, level, ids);
    let text = if all.len() > 1 { "Go to definitions" } else { "Go to definition" };
    if !all.is_empty() && ui.button(text).clicked() {
        cx.send(Action::Select(Selection::Definitions { all }));
        ui.close();
    }
}

/// Play with the player where the menu was opened.
fn play_item_ui(cx: &Cx<'_>, ui: &mut Ui, at: [f64; 2]) {
    if command_item_ui(cx, ui, Command::PlayFromHere) {
        cx.send(Action::Preview(PreviewAction::PlayFrom(at)));
    }
}

/// Offer to look for paths from a place.
fn probe_item_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, at: [f64; 2], who: Option<Name>) {
    if ui.button("Probe paths from here").clicked() {
        cx.send(Action::View(ViewChange::ProbeFrom(doc.clone(), at, who)));
        ui.close();
    }
}

/// The definitions of entities, each once, with their files.
fn definitions_of(cx: &Cx<'_>, level: &Level, ids: &[Name]) -> Vec<(DocPath, Name)> {
    let mut all: Vec<(DocPath, Name)> = Vec::new();
    for (_, instance) in ids.iter().filter_map(|id| level.entity(id)) {
        let def = &instance.def;
        if let Some(home) = cx.resolution.def_docs.get(def).filter(|_| all.iter().all(|(_, name)| name != def)) {
            all.push((home.clone(), def.clone()));
        }
    }
    all
}

/// About the selected cells.
fn cells_ui(cx: &Cx<'_>, ui: &mut Ui, menu: &LevelMenu) {
    commands_ui(cx, ui, &[Command::Cut, Command::Copy]);
    paste_ui(cx, ui, menu);
    commands_ui(cx, ui, &[Command::Delete]);
    ui.separator();
    commands_ui(cx, ui, &[Command::FillCells, Command::FlipCellsH, Command::FlipCellsV, Command::RotateCells]);
    ui.separator();
    commands_ui(cx, ui, &[Command::SelectAll, Command::InvertCells, Command::Deselect, Command::ToggleAllLayers]);
    ui.separator();
    commands_ui(cx, ui, &[Command::CropToCells, Command::CropLevel, Command::NewStampFromCells]);
}

/// Paste where the menu was opened.
fn paste_ui(cx: &Cx<'_>, ui: &mut Ui, menu: &LevelMenu) {
    if commands_ui(cx, ui, &[Command::Paste]).is_some() {
        cx.send(Action::View(ViewChange::PasteAt(menu.at)));
    }
}

/// About the level.
fn ground_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, menu: &LevelMenu) {
    paste_ui(cx, ui, menu);
    commands_ui(cx, ui, &[Command::SelectAll]);
    probe_item_ui(cx, ui, doc, menu.at, None);
    play_item_ui(cx, ui, menu.at);
    ui.separator();
    commands_ui(cx, ui, &[Command::ZoomFit, Command::AddLayer, Command::ResizeLevel]);
    if ui.button("Level properties").clicked() {
        cx.send(Action::Select(Selection::Document(doc.clone())));
        cx.send(Action::ShowPane(Pane::Inspector));
        ui.close();
    }
}
