//! The menu of a right click on the level's canvas.

use egui::{Event, Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable as _;
use levelwright::{
    edit::Fragment,
    editor::{Action, Command, Selection, ViewChange},
    model::{CellSet, Instance, Name, Tile},
    tools::{Alignment, ToolKind},
};

use crate::window::{Window, courtyard};

/// Someone who stands on the layer `actors`.
const SOMEONE: &str = "zzw7jh";

fn place(window: &Window, id: &str) -> [f64; 2] {
    window.level().1.entity(id).unwrap().1.at
}

fn choose(window: &mut Window, at: [f64; 2], item: &str) {
    window.right_click_at(window.at(at));
    window.click_role(Role::Button, item);
}

#[test]
fn a_thing_is_selected_and_has_a_menu() {
    let mut window = Window::sample();
    let n_before = window.level().1.entities().count();
    let at = place(&window, SOMEONE);
    for tool in [ToolKind::Entity, ToolKind::Select] {
        window.act(Action::Tool(tool));
        window.right_click_at(window.at(at));
        assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)], "{tool:?}");
        assert!(window.has("Move to layer") && !window.has("Level properties"), "{tool:?}");
        // A click beside it closes it, and that is all.
        window.click_at(window.cell([20, 1]));
        assert!(!window.has("Move to layer"), "{tool:?}");
        assert_eq!(window.level().1.entities().count(), n_before, "{tool:?}");
        assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)], "{tool:?}");
    }
    choose(&mut window, at, "Duplicate");
    assert_eq!(window.level().1.entities().count(), n_before + 1);
    window.key(Modifiers::COMMAND, Key::Z);
    let def = window.level().1.entity(SOMEONE).unwrap().1.def.clone();
    choose(&mut window, at, "Go to definition");
    assert_eq!(window.editor().selection().one_definition().unwrap().1, &def);
    choose(&mut window, at, "Delete");
    assert!(window.level().1.entity(SOMEONE).is_none());
}

#[test]
fn things_are_moved_to_another_layer() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.command(Command::DuplicateLayer);
    let copy = window.editor().view().active_layer[&courtyard()].clone();
    // What stands in the copy lies over what it was copied from.
    let at = place(&window, SOMEONE);
    window.right_click_at(window.at(at));
    let ids = window.editor().selection().ids_in(&courtyard()).to_vec();
    window.click("Move to layer");
    let is_offered = |layer: &str| window.harness.query_all_by_role_and_label(Role::Button, layer).next().is_some();
    assert!(is_offered("actors") && !is_offered(&copy) && !is_offered("patrol"));
    window.click_role(Role::Button, "actors");
    let (layer, _) = window.level().1.entity(&ids[0]).unwrap();
    assert_eq!(&*window.level().1.layers[layer].name, "actors");
}

#[test]
fn things_are_aligned_in_one_step() {
    let mut window = Window::sample();
    window.command(Command::Align(Alignment::Top));
    assert_eq!(window.editor().notice(), Some("Select at least two entities or waypoints first"));
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "patrol".into())));
    window.command(Command::SelectAll);
    let ys = |window: &Window| {
        let graph = window.level().1.layer("patrol").unwrap().1.waypoints().unwrap();
        graph.nodes.values().map(|node| node.at[1]).collect::<Vec<_>>()
    };
    let before = ys(&window);
    let first = window.level().1.layer("patrol").unwrap().1.waypoints().unwrap().nodes[0].at;
    window.right_click_at(window.at(first));
    window.click("Align");
    window.click_role(Role::Button, "Align bottom edges");
    let lowest = before.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(ys(&window).iter().all(|y| (y - lowest).abs() < 0.2), "{:?}", ys(&window));
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(ys(&window), before);
}

#[test]
fn selected_tiles_have_a_menu() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    window.act(Action::Tool(ToolKind::SelectCells));
    window.drag(window.cell([10, 3]), &[window.cell([12, 4])]);
    let tile = |window: &Window| {
        let (_, layer) = window.level().1.layer("ground").unwrap();
        layer.tiles().unwrap().tiles.get([11, 3])
    };
    let do_it = |window: &mut Window, item: &str| {
        window.right_click_at(window.cell([11, 3]));
        window.click_role(Role::Button, item);
    };
    do_it(&mut window, "Fill selected tiles");
    assert_eq!(tile(&window), Tile::id_only(3));
    do_it(&mut window, "Delete");
    assert!(tile(&window).is_empty(), "{:?}", window.editor().notice());
    window.right_click_at(window.cell([11, 3]));
    for item in ["Paste", "Select all", "Crop level to content"] {
        assert!(window.says(item), "{item}");
    }
    window.click_at(window.cell([20, 1]));
    do_it(&mut window, "Invert tile selection");
    let is_selected = |window: &Window| window.editor().view().cells[&courtyard()].contains([11, 3]);
    assert!(!is_selected(&window));
    let cells = CellSet::rectangle([10, 3], [12, 4]);
    assert!(window.editor().view().cells[&courtyard()].len() > cells.len());
}

#[test]
fn on_the_ground_there_is_paste_at_the_place_of_the_menu() {
    let mut window = Window::sample();
    let n_before = window.level().1.entities().count();
    let ground = [328.0, 24.0];
    choose(&mut window, ground, "Level properties");
    assert_eq!(*window.editor().selection(), Selection::Document(courtyard()));
    choose(&mut window, ground, "Select all");
    assert!(!window.editor().selection().ids_in(&courtyard()).is_empty());
    choose(&mut window, ground, "Paste");
    // The clipboard answers a frame later, when the pointer rests where the menu was.
    let crate_here = Instance::new("crate".into(), [8.0, 8.0]);
    let copied = Fragment::Things { entities: vec![("a".into(), crate_here)], nodes: Vec::new(), links: Vec::new() };
    window.harness.event(Event::Paste(copied.to_text().unwrap()));
    window.settle();
    assert_eq!(window.level().1.entities().count(), n_before + 1, "{:?}", window.editor().notice());
    let pasted = window.editor().selection().ids_in(&courtyard())[0].clone();
    let at = place(&window, &pasted);
    assert!((0..2).all(|i| (at[i] - ground[i]).abs() <= 8.0), "{at:?}");
    assert_eq!(window.editor().view().paste_at, None);
}

#[test]
fn keys_open_the_menu_of_what_is_under_their_pointer() {
    let mut window = Window::sample();
    let at = place(&window, SOMEONE);
    window.act(Action::Tool(ToolKind::Select));
    for (modifiers, key) in [(Modifiers::SHIFT, Key::F10), (Modifiers::NONE, Key::Menu)] {
        window.act(Action::Select(Selection::None));
        window.point(window.at(at));
        window.command(Command::PointByKeys);
        window.key(modifiers, key);
        assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)], "{key:?}");
        assert!(window.has("Move to layer"), "{key:?}");
        window.key(Modifiers::NONE, Key::Escape);
        assert!(!window.has("Move to layer"), "{key:?}");
    }
}
