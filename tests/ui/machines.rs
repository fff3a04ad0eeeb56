//! The Machine pane: states and transitions drawn, renamed and deleted on the graph, each a step.

use egui::{Key, Modifiers, Pos2, Rect, vec2};
use levelwright::{
    editor::{Action, Camera, Command, DialogAnswer, Pane, Selection, ViewChange},
    model::{Machine, Trigger},
    ui::canvas::{camera::OnScreen as _, graph::Graph},
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
    assert_eq!(window.editor().history().n_done(), n_steps, "it is no transition until something makes it fire");
    window.press("After a time");
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
    window.act(Action::ShowPane(levelwright::editor::Pane::Inspector));
    let n_before = machine(&window, "door").root.states["Open"].transitions.len();
    window.press("Add a transition to");
    window.press("Locked");
    window.press("On a message");
    window.press("Bell");
    let ways = &machine(&window, "door").root.states["Open"].transitions;
    assert_eq!(ways.len(), n_before + 1);
    assert_eq!(&*ways[n_before].to, "Locked");
    assert_eq!(ways[n_before].trigger, Trigger::On("Bell".into()));
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(machine(&window, "door").root.states["Open"].transitions.len(), n_before);
}

#[test]
fn the_active_state_is_shown_while_it_plays() {
    let mut window = open();
    window.command(Command::Show(Pane::Level));
    window.command(Command::StepTick);
    window.command(Command::Show(Pane::Preview));
    let preview = window.editor().preview().unwrap();
    let state = preview
        .session
        .world()
        .entities()
        .find_map(|it| it.machines.iter().find(|machine| &**machine.name == "door").map(|it| it.state.to_owned()));
    assert!(state.is_some(), "the courtyard has a door");
    window.command(Command::Show(Pane::Machine));
}

/// A window on a machine written as text, without `layout`.
fn written(text: &str) -> Window {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        std::fs::write(root.join("machines/text.ron"), text).unwrap();
    });
    window.act(Action::OpenMachine { doc: doc("machines/text.ron"), name: "written".into() });
    window.settle();
    window
}

const NESTED: &str = r#"// Written by hand.
{
    "written": (
        initial: "Calm",
        transitions: [(on: "Dead", to: "Gone")],
        states: {
            "Calm": (transitions: [(on: "Bell", to: "Fight"), (after: 2.0, to: "Rest"), (after: 3.0, to: "Calm")]),
            "Rest": (transitions: [(on: "Damaged", to: "Fight/Aim"), (after: 4.0, to: "Calm")]),
            "Fight": (
                initial: "Aim",
                transitions: [(after: 9.0, to: "Calm")],
                states: {
                    "Aim": (transitions: [(after: 1.0, to: "Fire")]),
                    "Fire": (transitions: [(after: 1.0, to: "Aim"), (on: "Healed", to: "Rest")]),
                },
            ),
            "Gone": (),
        },
    ),
}
"#;

fn of_text(window: &Window) -> &Machine {
    window.editor().project().machine(&doc("machines/text.ron"), "written").unwrap()
}

fn text_rect(window: &Window, state: &str) -> Rect {
    let graph = Graph::of(of_text(window));
    graph.boxes[graph.find(state).unwrap()].rect
}

fn text_on_screen(window: &Window, at: Pos2) -> Pos2 {
    let canvas = window.find("Machine canvas written").rect();
    window.editor().view().machine_camera.unwrap().screen_from_world(canvas, at)
}

/// No two boxes lie on each other, and no arrow or label lies on a box that it has nothing to do with.
fn check_graph(graph: &Graph) {
    let is_within = |a: usize, b: usize| {
        graph.boxes[a].path == graph.boxes[b].path
            || graph.boxes[a].path.starts_with(&format!("{}/", graph.boxes[b].path))
    };
    for a in 0..graph.boxes.len() {
        for b in 0..a {
            let (one, other) = (&graph.boxes[a], &graph.boxes[b]);
            let meet = one.rect.shrink(0.5).intersects(other.rect.shrink(0.5));
            assert!(!meet || is_within(a, b) || is_within(b, a), "{} lies on {}", one.path, other.path);
        }
    }
    for (i, arrow) in graph.arrows.iter().enumerate() {
        for at in arrow
            .curves
            .iter()
            .flat_map(|c| (0..=16).map(|k| levelwright::ui::canvas::graph::point(c, k as f32 / 16.0)))
        {
            let hit = graph.boxes.iter().find(|it| !it.is_composite && it.rect.shrink(0.6).contains(at));
            assert!(hit.is_none(), "{} → {} runs through {}", arrow.owner, arrow.label, hit.unwrap().path);
        }
        let label = |i: usize| {
            let arrow: &levelwright::ui::canvas::graph::Arrow = &graph.arrows[i];
            Rect::from_center_size(arrow.label_at, levelwright::ui::canvas::graph::label_size(&arrow.label)).shrink(0.5)
        };
        for other in 0..i {
            assert!(!label(i).intersects(label(other)), "{} lies on {}", arrow.label, graph.arrows[other].label);
        }
        let on = graph.boxes.iter().find(|it| !it.is_composite && it.rect.intersects(label(i)));
        assert!(on.is_none(), "the label of {} lies on {}", arrow.label, on.unwrap().path);
    }
}

#[test]
fn a_machine_without_places_is_laid_out_and_nothing_is_written() {
    let mut window = written(NESTED);
    assert_eq!(window.editor().history().n_done(), 0);
    assert!(window.editor().unsaved().is_empty() && of_text(&window).layout.is_empty());
    let graph = Graph::of(of_text(&window));
    assert_eq!(graph.arrows.len(), 10);
    check_graph(&graph);

    // All of it is seen.
    let canvas = window.find("Machine canvas written").rect();
    let all = graph.bounds();
    assert!(canvas.contains(text_on_screen(&window, all.min)) && canvas.contains(text_on_screen(&window, all.max)));
    let fitting = window.editor().view().machine_camera;
    let elsewhere = Camera { center: glam::Vec2::splat(900.0), scale: 3.0 };
    window.act(Action::View(ViewChange::MachineCamera(Some(elsewhere))));
    window.click("Show whole machine");
    assert_eq!(window.editor().view().machine_camera, fitting);

    // By the command it is written, looks the same, and is one step.
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::L);
    assert_eq!(window.editor().history().n_done(), 1);
    assert_eq!(of_text(&window).layout.len(), 6);
    let after = Graph::of(of_text(&window));
    for (a, b) in graph.boxes.iter().zip(&after.boxes) {
        assert_eq!(a.rect, b.rect, "{}", a.path);
    }
    for (a, b) in graph.arrows.iter().zip(&after.arrows) {
        assert_eq!(a.curves, b.curves, "{} {}", a.owner, a.label);
    }
    window.command(Command::Undo);
    assert!(of_text(&window).layout.is_empty());
}

#[test]
fn a_drag_in_a_machine_without_places_writes_those_of_the_compound() {
    let mut window = written(NESTED);
    let before = Graph::of(of_text(&window));
    let from = text_on_screen(&window, text_rect(&window, "Gone").center());
    window.drag(from, &[from + vec2(0.0, 20.0), from + vec2(0.0, 60.0)]);
    assert_eq!(window.editor().history().n_done(), 1);
    let layout = &of_text(&window).layout;
    let mut placed: Vec<&str> = layout.keys().map(|path| &**path).collect();
    placed.sort_unstable();
    assert_eq!(placed, ["Calm", "Fight", "Gone", "Rest"], "not those inside Fight");
    let after = Graph::of(of_text(&window));
    for (a, b) in before.boxes.iter().zip(&after.boxes) {
        assert_eq!(&*a.path == "Gone", a.rect != b.rect, "only what was dragged has moved: {}", a.path);
    }
}

#[test]
fn a_state_is_dragged_into_a_compound_and_out_of_it() {
    let mut window = written(NESTED);
    window.command(Command::LayOutMachine);
    let n_steps = window.editor().history().n_done();
    let from = text_on_screen(&window, text_rect(&window, "Rest").center());
    let fight = text_rect(&window, "Fight");
    let into = text_on_screen(&window, Pos2::new(fight.center().x, fight.top() + 20.0));

    // Escape takes it back.
    window.drag_to(from, &[from + (into - from) * 0.5, into]);
    window.key(Modifiers::NONE, Key::Escape);
    window.point(into + vec2(3.0, 0.0));
    window.button(into, false);
    window.settle();
    assert_eq!(window.editor().history().n_done(), n_steps);
    assert!(of_text(&window).state("Rest").is_some());

    window.drag(from, &[from + (into - from) * 0.5, into]);
    let machine = of_text(&window);
    assert!(machine.state("Rest").is_none() && machine.state("Fight/Rest").is_some());
    assert_eq!(window.editor().history().n_done(), n_steps + 1, "one step");
    let Selection::Machine { state, .. } = window.editor().selection() else { panic!("the moved state is selected") };
    assert_eq!(&**state, "Fight/Rest");
    // What led to it and from it does so still.
    let target = |from: &str, i: usize| machine.find(&machine.state(from).unwrap().transitions[i].to).unwrap();
    assert_eq!(&*target("Calm", 1), "Fight/Rest");
    assert_eq!(&*target("Fight/Fire", 1), "Fight/Rest");
    assert_eq!(&*target("Fight/Rest", 0), "Fight/Aim");
    window.command(Command::Undo);
    assert!(of_text(&window).state("Rest").is_some());
    let Selection::Machine { state, .. } = window.editor().selection() else { panic!("it stays selected") };
    assert_eq!(&**state, "Rest");

    // Out again, to the top.
    window.click("Show whole machine");
    let from = text_on_screen(&window, text_rect(&window, "Fight/Aim").center());
    let out = text_on_screen(&window, text_rect(&window, "Fight").left_top() + vec2(40.0, -12.0));
    window.drag(from, &[from + (out - from) * 0.5, out]);
    let machine = of_text(&window);
    assert!(machine.state("Aim").is_some() && machine.state("Fight/Aim").is_none());
    assert_eq!(&*machine.find(&machine.state("Rest").unwrap().transitions[0].to).unwrap(), "Aim");
}

#[test]
fn a_state_does_not_go_where_its_name_is_taken() {
    let text = NESTED.replace("\"Gone\": ()", "\"Gone\": (), \"Aim\": ()").replace("to: \"Aim\"", "to: \"Fight/Aim\"");
    let mut window = written(&text);
    let from = text_on_screen(&window, text_rect(&window, "Aim").center());
    let fight = text_rect(&window, "Fight");
    let into = text_on_screen(&window, Pos2::new(fight.center().x, fight.top() + 20.0));
    window.drag(from, &[from + (into - from) * 0.5, into]);
    assert!(of_text(&window).state("Aim").is_some());
    assert_eq!(window.editor().history().n_done(), 0);
    assert!(
        window.editor().notice().unwrap().contains("Fight already has a state Aim"),
        "{:?}",
        window.editor().notice()
    );
}

#[test]
fn a_drawn_transition_stays_until_it_is_finished_or_discarded() {
    let mut window = written(NESTED);
    let rest = text_rect(&window, "Rest");
    let from = text_on_screen(&window, rest.right_center());
    let to = text_on_screen(&window, text_rect(&window, "Gone").center());
    window.drag(from, &[from + (to - from) * 0.5, to]);
    assert!(window.says("unfinished → Gone") && window.says("1 unfinished transition"));
    assert!(window.editor().unsaved().is_empty(), "nothing of it is in the project");

    // It is not lost when something else is selected or shown, and follows a rename.
    window.act(Action::OpenMachine { doc: doc(FILE), name: "door".into() });
    assert!(window.says("1 unfinished transition"));
    window.act(Action::Edit(levelwright::edit::Edit::RenameState {
        doc: doc("machines/text.ron"),
        machine: "written".into(),
        state: "Gone".into(),
        to: "Away".into(),
    }));
    window.click("1 unfinished transition");
    assert!(window.says("unfinished → Away"));
    assert!(window.has("Unfinished transition from Rest to Away"), "its mark on the graph");
    let n = of_text(&window).state("Rest").unwrap().transitions.len();
    window.press("When a condition holds");
    window.press("OnGround");
    let ways = &of_text(&window).state("Rest").unwrap().transitions;
    assert_eq!(ways.len(), n + 1);
    assert!(matches!(ways[n].trigger, Trigger::When(_)) && &*ways[n].to == "Away");
    assert!(!window.says("unfinished"));

    let from = text_on_screen(&window, text_rect(&window, "Rest").right_center());
    let to = text_on_screen(&window, text_rect(&window, "Fight/Aim").center());
    window.drag(from, &[from + (to - from) * 0.5, to]);

    // It comes back with its state.
    let (file, machine, state) = (doc("machines/text.ron"), "written".into(), "Fight/Aim".into());
    window.act(Action::Edit(levelwright::edit::Edit::RemoveState { doc: file, machine, state }));
    assert!(!window.says("unfinished"));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.says("unfinished → Fight/Aim"));

    // Undo takes back the drawing alone.
    let n_done = window.editor().history().n_done();
    let from = text_on_screen(&window, text_rect(&window, "Rest").right_center());
    let to = text_on_screen(&window, text_rect(&window, "Away").center());
    window.drag(from, &[from + (to - from) * 0.5, to]);
    assert!(window.says("2 unfinished transitions"));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.says("1 unfinished transition") && window.says("Discarded the unfinished transition"));
    assert_eq!(window.editor().history().n_done(), n_done);

    // Closing asks, though no document has changes.
    window.command(Command::Save);
    window.command(Command::Quit);
    assert!(window.says("Close without what is unfinished?") && window.says("written: Rest → Fight/Aim"));
    assert!(!window.has("Save and close"));
    window.click("Cancel");
    window.press("Discard the unfinished transition to Fight/Aim");
    assert!(!window.says("unfinished"));
    assert_eq!(of_text(&window).state("Rest").unwrap().transitions.len(), n + 1);
}

#[test]
fn machines_are_made_duplicated_renamed_and_deleted() {
    let mut window = open();
    let has = |window: &Window, name: &str| window.editor().resolution().machines.contains_key(name);
    window.click("New machine beside this one…");
    assert!(window.editor().dialog().is_some() && window.says(FILE), "it asks, with a file to begin with");
    window.fill("Name of the new machine", "door");
    assert!(window.editor().dialog().is_some() && window.says("already"), "a name that is taken is refused");
    window.fill("Name of the new machine", "gate");
    assert!(window.editor().dialog().is_none());
    assert_eq!(window.editor().view().machine, Some((doc(FILE), "gate".into())));
    assert_eq!(window.editor().history().n_done(), 1);

    window.act(Action::OpenMachine { doc: doc(FILE), name: "door".into() });
    window.click("Duplicate machine…");
    window.fill("Name of the copy", "trapdoor");
    assert_eq!(machine(&window, "trapdoor"), machine(&window, "door"));
    assert_eq!(window.editor().view().machine, Some((doc(FILE), "trapdoor".into())), "the copy is shown");

    // By F2 and Delete from the Project pane as from the Machine pane.
    window.act(Action::ShowPane(Pane::Project));
    window.fill("Search the project", "gate");
    window.click("gate");
    window.key(Modifiers::NONE, Key::F2);
    window.fill("New name", "portcullis");
    assert!(has(&window, "portcullis") && !has(&window, "gate"));
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.says("Delete machine portcullis"));
    window.key(Modifiers::NONE, Key::Enter);
    assert!(!has(&window, "portcullis"));

    // What uses one is listed first.
    window.act(Action::OpenMachine { doc: doc(FILE), name: "door".into() });
    window.click("Delete machine…");
    assert!(window.says("left unresolved"), "its uses are listed");
    window.act(Action::Dialog(DialogAnswer::Cancel));
    assert!(has(&window, "door"));
    window.click("Rename machine…");
    window.fill("New name", "gate");
    assert!(has(&window, "gate") && !has(&window, "door"));
    assert_eq!(window.editor().view().machine, Some((doc(FILE), "gate".into())));
}
