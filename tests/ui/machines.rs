//! The Machine pane: states and transitions drawn, renamed and deleted on the graph, each a step.

use egui::{Key, Modifiers, Pos2};
use levelwright::{
    model::Machine,
    ui::{Action, Command, Selection, canvas::graph::Graph},
};

use crate::window::{Window, doc};

const FILE: &str = "machines/house.ron";

fn open() -> Window {
    let mut window = Window::sample();
    window.act(Action::OpenMachine { doc: doc(FILE), name: "door".into() });
    // The first frame chooses where to look from.
    window.settle();
    window
}

fn machine<'a>(window: &'a Window, name: &str) -> &'a Machine {
    window.editor().project().machine(&doc(FILE), name).unwrap()
}

/// Where a place of the graph is in the window.
fn on_screen(window: &Window, at: Pos2) -> Pos2 {
    let canvas = window.find("Machine canvas door").rect();
    window.editor().view().machine_camera.unwrap().screen_from_world(canvas, at)
}

fn rect_of(window: &Window, state: &str) -> egui::Rect {
    let graph = Graph::of(machine(window, "door"));
    graph.boxes[graph.find(state).unwrap()].rect
}

#[test]
fn a_state_is_added_connected_renamed_and_deleted() {
    let mut window = open();
    let n_before = machine(&window, "door").root.states.len();
    window.click("Add state");
    assert_eq!(machine(&window, "door").root.states.len(), n_before + 1);
    assert!(machine(&window, "door").root.states.contains_key("State"));
    let Selection::Machine { state, .. } = window.editor().selection() else { panic!("the new state is selected") };
    assert_eq!(&**state, "State");

    // Out of the way of the others, where all of it can be reached.
    window.act(Action::Edit(levelwright::edit::Edit::MoveStates {
        doc: doc(FILE),
        machine: "door".into(),
        places: vec![("State".into(), [300.0, 240.0])],
    }));
    window.click("Show whole machine");
    let from = on_screen(&window, rect_of(&window, "State").right_center());
    let to = on_screen(&window, rect_of(&window, "Open").center());
    let n_steps = window.editor().history().n_done();
    window.drag(from, &[from + (to - from) * 0.5, to]);
    let added = &machine(&window, "door").root.states["State"].transitions;
    assert_eq!(added.len(), 1, "dragging from the right edge connects");
    assert_eq!(&*added[0].to, "Open");
    assert_eq!(window.editor().history().n_done(), n_steps + 1);

    let center = on_screen(&window, rect_of(&window, "State").center());
    window.click_at(center);
    window.key(Modifiers::NONE, Key::F2);
    window.fill("New name", "Ajar");
    assert!(machine(&window, "door").state("Ajar").is_some());
    assert!(machine(&window, "door").state("State").is_none());

    window.key(Modifiers::NONE, Key::Delete);
    assert!(machine(&window, "door").state("Ajar").is_none());
    assert_eq!(machine(&window, "door").root.states.len(), n_before);
    while window.editor().history().n_done() > 0 {
        window.command(Command::Undo);
    }
    assert!(window.editor().unsaved().is_empty());
}

#[test]
fn a_state_is_dragged_in_one_step() {
    let mut window = open();
    let before = rect_of(&window, "Open");
    let from = on_screen(&window, before.center());
    let to = on_screen(&window, before.center() + egui::vec2(40.0, 80.0));
    window.drag(from, &[from + (to - from) * 0.5, to]);
    let moved = rect_of(&window, "Open").min - before.min;
    assert!((moved - egui::vec2(40.0, 80.0)).length() <= 6.0, "{moved:?}");
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn a_transition_is_added_and_changed_from_the_inspector() {
    let mut window = open();
    let select = Selection::Machine { doc: doc(FILE), name: "door".into(), state: "Open".into(), transition: None };
    window.act(Action::Select(select));
    window.act(Action::ShowPane(levelwright::ui::Pane::Inspector));
    let n_before = machine(&window, "door").root.states["Open"].transitions.len();
    window.press("Add a way out to");
    window.press("Locked");
    let ways = &machine(&window, "door").root.states["Open"].transitions;
    assert_eq!(ways.len(), n_before + 1);
    assert_eq!(&*ways[n_before].to, "Locked");
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(machine(&window, "door").root.states["Open"].transitions.len(), n_before);
}

#[test]
fn the_state_it_is_in_is_told_while_it_plays() {
    let mut window = open();
    window.command(Command::ShowLevel);
    window.command(Command::StepTick);
    window.command(Command::ShowPreview);
    let preview = window.editor().preview().unwrap();
    let state = preview
        .session
        .world
        .entities()
        .find_map(|it| it.machines.iter().find(|machine| &**machine.name == "door").map(|it| it.state.to_owned()));
    assert!(state.is_some(), "the courtyard has a door");
    window.command(Command::ShowMachine);
}
