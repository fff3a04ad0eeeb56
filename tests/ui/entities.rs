//! Entities on the level's canvas: dragged in from the palette, lined up, rotated, linked, found, repeated.

use egui::{Key, Modifiers, accesskit::Role};
use levelwright::{
    edit::{Edit, Owner},
    editor::{Action, Camera, Command, Selection, ViewChange},
    model::Name,
    tools::{Extent, ToolKind, rotate_handle},
};

use crate::window::{Window, courtyard};

fn n_entities(window: &Window) -> usize {
    window.level().1.entities().count()
}

fn ground(window: &mut Window) {
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
}

#[test]
fn a_definition_is_dragged_from_the_palette_into_the_level() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.key(Modifiers::NONE, Key::S);
    let n_before = n_entities(&window);
    let card = window.find("Place crate").rect().center();
    let to = window.cell([20, 8]);
    window.drag_to(card, &[card + egui::vec2(0.0, 12.0), to]);
    let ghost = window.editor().view().pointer.clone();
    assert_eq!((ghost.map(|at| at.cell), n_entities(&window)), (Some([20, 8]), n_before));
    window.button(to, false);
    window.settle();
    assert_eq!((n_entities(&window), window.editor().history().n_done()), (n_before + 1, 1));
    let (_, id, placed) = window.level().1.entities().last().unwrap();
    assert_eq!((&*placed.def, placed.at.map(|x| (x / 16.0).floor())), ("crate", [20.0, 8.0]));
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::clone(id)], "it is selected");
    assert_eq!(window.editor().view().tool, ToolKind::Select, "the tool in hand stays");
    // Escape on the way, or letting go beside the level, places nothing.
    window.drag_to(card, &[card + egui::vec2(0.0, 12.0), to]);
    window.key(Modifiers::NONE, Key::Escape);
    window.button(to, false);
    window.drag(card, &[to, card]);
    assert_eq!((n_entities(&window), window.editor().history().n_done()), (n_before + 1, 1));
}

#[test]
fn a_definition_of_the_project_pane_is_dragged_into_the_level() {
    let mut window = Window::sample();
    ground(&mut window);
    let n_before = n_entities(&window);
    let to = window.cell([20, 8]);
    // Only the rows in sight can be dragged.
    window.fill("Search the project", "crate");
    let row = window.find_role(Role::ListItem, "crate").rect().center();
    window.drag(row, &[row + egui::vec2(12.0, 0.0), to]);
    assert_eq!(n_entities(&window), n_before + 1, "{:?}", window.editor().notice());
    let (layer, ..) = window.level().1.entities().last().unwrap();
    assert_eq!(&*window.level().1.layers[layer].name, "actors", "tiles take no entities");
    // Nothing can take it: the reason is said.
    for layer in window.level().1.layers.iter().map(|layer| layer.name.clone()).collect::<Vec<_>>() {
        window.act(Action::View(ViewChange::ShowLayers(courtyard(), vec![layer], false)));
    }
    window.drag(row, &[row + egui::vec2(12.0, 0.0), to]);
    assert_eq!(n_entities(&window), n_before + 1);
    assert_eq!(window.editor().notice(), Some("Add a layer for entities, or unlock one"));
}

#[test]
fn what_is_placed_and_dragged_lines_up_with_others() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.act(Action::View(ViewChange::PlaceDef("crate".into())));
    window.key(Modifiers::NONE, Key::N);
    window.command(Command::ToggleSnap);
    window.click_at(window.at([330.0, 100.0]));
    let placed = |window: &Window| window.level().1.entities().last().unwrap().2.at;
    let first = placed(&window);
    let beside = [first[0] + 1.0, first[1] + 36.0];
    window.click_at(window.at(beside));
    assert_eq!(placed(&window)[0], first[0], "its center is below the other's");
    window.key(Modifiers::COMMAND, Key::Z);
    window.click("Snap to entities");
    window.click_at(window.at(beside));
    assert!((placed(&window)[0] - beside[0]).abs() <= 0.5, "{:?}", placed(&window));
    assert_eq!(placed(&window)[0].fract(), 0.0, "whole pixels");
    window.key(Modifiers::NONE, Key::B);
    assert!(!window.has("Snap to entities"), "tile tools have no use for it");
}

#[test]
fn a_selected_entity_is_rotated_by_its_handle() {
    let mut window = Window::sample();
    let id = "zzw7jh";
    let entity = |window: &Window| window.level().1.entity(id).unwrap().1.clone();
    let at = entity(&window).at;
    window.click_at(window.at(at));
    let look = {
        let resolution = window.editor().resolution();
        let def = resolution.defs[&entity(&window).def].clone();
        levelwright::ui::canvas::looks::of_resolved(resolution, Some(def))
    };
    let extent = Extent { half: look.half, center: look.center };
    let scale = f64::from(window.editor().view().cameras[&courtyard()].scale);
    let [_, handle] = rotate_handle(at, 0.0, extent, 1.0 / scale);
    window.drag(window.at(handle), &[window.at([at[0] + 20.0, at[1] - 20.0]), window.at([at[0] + 40.0, at[1]])]);
    assert_eq!((entity(&window).rotation, entity(&window).at), (90.0, at));
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(entity(&window).rotation, 0.0);
}

#[test]
fn escape_ends_the_gesture_then_the_tool_then_the_selection() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.act(Action::View(ViewChange::PlaceDef("crate".into())));
    window.key(Modifiers::NONE, Key::N);
    let n_before = n_entities(&window);
    let at = window.cell([20, 8]);
    window.click_at(at);
    window.drag_to(at, &[window.cell([24, 8])]);
    window.key(Modifiers::NONE, Key::Escape);
    window.button(at, false);
    assert_eq!((window.editor().view().tool, n_entities(&window)), (ToolKind::Entity, n_before + 1));
    window.key(Modifiers::NONE, Key::Escape);
    let selected = |window: &Window| window.editor().selection().ids_in(&courtyard()).len();
    assert_eq!((window.editor().view().tool, selected(&window)), (ToolKind::Select, 1));
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!((window.editor().view().tool, selected(&window)), (ToolKind::Select, 0));
}

#[test]
fn a_tool_for_tiles_takes_the_nearest_layer_of_tiles() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.key(Modifiers::NONE, Key::B);
    let active = |window: &Window| {
        let (doc, level) = window.level();
        level.layers[window.editor().view().active_layer_of(doc, level).unwrap()].clone()
    };
    let layer = active(&window);
    assert!(layer.tiles().is_some(), "{}", layer.name);
    assert_eq!(window.editor().notice().unwrap(), format!("Working on the layer “{}”, which has tiles", layer.name));
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "sky".into())));
    let chosen = active(&window).name.clone();
    window.key(Modifiers::NONE, Key::R);
    assert_eq!(active(&window).name, chosen, "a layer of tiles that was chosen stays");
}

#[test]
fn keys_that_do_not_drive_the_player_are_commands_while_the_level_plays() {
    let mut window = Window::sample();
    let id = "zzw7jh";
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.into()] }));
    window.key(Modifiers::NONE, Key::F5);
    window.key(Modifiers::NONE, Key::B);
    assert_eq!(window.editor().view().tool, ToolKind::Pencil);
    window.key(Modifiers::NONE, Key::S);
    assert_eq!(window.editor().view().tool, ToolKind::Pencil, "S walks down");
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.into()] }));
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.level().1.entity(id).is_none(), "{:?}", window.editor().notice());
    window.key(Modifiers::NONE, Key::F5);
    window.key(Modifiers::NONE, Key::S);
    assert_eq!(window.editor().view().tool, ToolKind::Pencil, "while it rests, S may be held for the next step");
    window.command(Command::Stop);
    window.key(Modifiers::NONE, Key::S);
    assert_eq!(window.editor().view().tool, ToolKind::Select, "then S is a tool again");
}

/// The sample with doors: `d` on the layer `actors`, with fields that refer to others.
fn with_doors() -> Window {
    Window::changed([1440.0, 900.0], |root| {
        let schema = r#"(components: { "Door": (fields: {
            "opens": (type: Entity, default: ""), "guards": (type: List(Entity), default: []),
        }) })"#;
        std::fs::write(root.join("schemas/doors.ron"), schema).unwrap();
        std::fs::write(root.join("entities/doors.ron"), r#"{ "door": (set: (Door: ())), "rock": () }"#).unwrap();
        let level = r#"(size: (20, 12), tile_size: (16, 16), layers: [
            Entities(name: "actors", entities: {
                "d": (def: "door", at: (40, 40)), "r": (def: "rock", at: (140, 100)), "s": (def: "rock", at: (200, 40)),
            }),
        ])"#;
        std::fs::write(root.join("levels/courtyard.ron"), level).unwrap();
    })
}

#[test]
fn going_to_what_is_referred_to_moves_the_view_there() {
    let mut window = with_doors();
    let owner = Owner::Instance { doc: courtyard(), layer: "actors".into(), id: "d".into() };
    window.act(Action::Edit(Edit::set(owner, "Door", "opens", levelwright::model::Value::str("r"))));
    let near = Camera { center: glam::vec2(40.0, 40.0), scale: 16.0 };
    window.act(Action::View(ViewChange::Camera(courtyard(), near)));
    let canvas = window.find("Level canvas courtyard").rect();
    assert!(!canvas.contains(window.at([140.0, 100.0])), "it is out of sight");
    window.right_click_at(window.at([40.0, 40.0]));
    window.click("References");
    window.click("Go to r (Door.opens)");
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from("r")]);
    assert!(canvas.contains(window.at([140.0, 100.0])));
}

#[test]
fn an_entity_is_linked_to_another_by_dragging_from_its_handle() {
    let mut window = with_doors();
    window.click_at(window.at([40.0, 40.0]));
    let to_rock = |window: &mut Window, at: [f64; 2]| {
        let handle = window.find("Link d to another entity").rect().center();
        window.drag(handle, &[handle + egui::vec2(20.0, 10.0), window.at(at)]);
    };
    to_rock(&mut window, [140.0, 100.0]);
    window.click_role(Role::Button, "Door.opens");
    let declared = |window: &Window, field: &str| {
        let (_, it) = window.level().1.entity("d").unwrap();
        levelwright::model::OpKind::VALUED.iter().find_map(|op| it.ops.declared(*op, "Door", field)).cloned()
    };
    let id = || levelwright::model::Value::str("r");
    assert_eq!(declared(&window, "opens"), Some(id()), "{:?}", window.editor().notice());
    to_rock(&mut window, [140.0, 100.0]);
    window.click_role(Role::Button, "Door.guards");
    assert_eq!(declared(&window, "guards"), Some(levelwright::model::Value::List(vec![id()])));
    assert_eq!(window.editor().history().n_done(), 2);
    to_rock(&mut window, [140.0, 100.0]);
    window.click_role(Role::Button, "Door.opens");
    assert_eq!(window.editor().notice(), Some("Door.opens refers to `r` already"));
    to_rock(&mut window, [250.0, 150.0]);
    assert_eq!(window.editor().notice(), Some("Let go over another entity to refer to it"));
    window.right_click_at(window.at([40.0, 40.0]));
    window.click("References");
    window.click("Clear reference Door.opens");
    assert_eq!(declared(&window, "opens"), None);
    // The arrow has a menu of its own, whose entity it selects, and so has the handle.
    window.right_click_at(window.at([90.0, 72.0]));
    assert!(window.has("d → r") && !window.has("Level properties"));
    window.click("Clear reference Door.guards");
    assert_eq!(declared(&window, "guards"), None);
    window.key(Modifiers::COMMAND, Key::Z);
    window.right_click_at(window.find("Link d to another entity").rect().center());
    window.click("Go to r (Door.guards)");
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from("r")]);
    window.right_click_at(window.at([40.0, 40.0]));
    window.click("References");
    window.click("Go to r (Door.guards)");
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from("r")]);
    assert!(!window.has("Link r to another entity"), "a rock refers to nothing");
    window.command(Command::ToggleReferences);
    assert!(window.editor().view().overlays.references);
}

#[test]
fn entities_are_found_gone_to_and_selected() {
    let mut window = Window::sample();
    window.key(Modifiers::COMMAND, Key::F);
    const FIELD: &str = "Find entities by name, def:, tag: or Health.max > 10";
    window.find(FIELD).type_text("def:goblin");
    window.settle();
    let resolution = window.editor().resolution();
    let level = window.level().1;
    let goblins = level.entities().filter(|(_, _, it)| resolution.is_a(&it.def, "goblin"));
    let ids: Vec<Name> = goblins.map(|(_, id, _)| id.clone()).collect();
    assert!(ids.len() > 1 && window.has(&format!("{} found", ids.len())));
    let selected = |window: &Window| window.editor().selection().ids_in(&courtyard()).to_vec();
    for id in &ids[..2] {
        window.key(Modifiers::NONE, Key::Enter);
        assert_eq!(selected(&window), std::slice::from_ref(id));
        let (_, it) = window.level().1.entity(id).unwrap();
        let center = window.editor().view().cameras[&courtyard()].center;
        assert!((f64::from(center.x) - it.at[0]).abs() < 1.0, "it is in the middle");
    }
    assert!(window.has(&format!("2 of {}", ids.len())), "the field is still being typed into");
    window.click("Previous match");
    assert_eq!(selected(&window), [ids[0].clone()]);
    window.click("Select all matches");
    assert_eq!(selected(&window), ids);
    let (_, first) = window.level().1.entity(&ids[1]).unwrap();
    let row = format!("{} {}", first.def, ids[1]);
    window.click(&row);
    assert_eq!(selected(&window), [ids[1].clone()]);
    window.click("All levels");
    let count = |window: &Window| {
        let all = window.editor().project().levels().flat_map(|(_, level)| level.entities());
        all.filter(|(_, _, it)| window.editor().resolution().is_a(&it.def, "goblin")).count()
    };
    assert!(window.has(&format!("{} found", count(&window))));
    window.fill(FIELD, "speed >");
    assert!(window.has("Write a value after “>”"));
    window.find(FIELD).focus();
    window.harness.step();
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.has(FIELD), "Escape closes it");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn places_of_several_are_edited_together() {
    let mut window = with_doors();
    let ids: Vec<Name> = ["d", "r", "s"].map(Name::from).to_vec();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids }));
    let places = |window: &Window| window.level().1.entities().map(|(_, _, it)| it.at).collect::<Vec<_>>();
    assert!(window.has("mixed"));
    window.fill("things.at x", "+=16");
    assert_eq!(places(&window), [[56.0, 40.0], [156.0, 100.0], [216.0, 40.0]]);
    window.fill("things.at y", "64");
    assert_eq!(places(&window), [[56.0, 64.0], [156.0, 64.0], [216.0, 64.0]]);
    window.fill("things.rotation", "+90");
    assert!(window.level().1.entities().all(|(_, _, it)| it.rotation == 90.0));
    assert_eq!(window.editor().history().n_done(), 3, "one step each");
}

#[test]
fn an_entity_is_repeated_along_a_dragged_line() {
    let mut window = with_doors();
    window.key(Modifiers::NONE, Key::P);
    window.fill("Number of copies", "3");
    window.drag(window.at([40.0, 40.0]), &[window.at([60.0, 44.0]), window.at([136.0, 40.0])]);
    let doors = |window: &Window| {
        let all = window.level().1.entities().filter(|(_, _, it)| &*it.def == "door");
        all.map(|(_, _, it)| it.at).collect::<Vec<_>>()
    };
    assert_eq!(doors(&window), [[40.0, 40.0], [72.0, 40.0], [104.0, 40.0], [136.0, 40.0]]);
    assert_eq!(window.editor().history().n_done(), 1);
    assert_eq!(window.editor().selection().ids_in(&courtyard()).len(), 4);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(doors(&window).len(), 1);
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().view().tool, ToolKind::Select);
}
