//! The dialog of controls: keys are bound by pressing them, and what is bound drives the player at once.

use egui::{Key, KeyboardShortcut, Modifiers};
use levelwright::{
    editor::{Action, Command, Controls, Dialog, DialogAnswer, Pads, Selection},
    model::ValueSet,
    sim::{Actions, Input},
    tools::ToolKind,
    ui::drives_player,
};

use crate::window::Window;

fn controls(window: &Window) -> Controls {
    Controls::of(window.editor().resolution(), &ValueSet::new())
}

fn bound(window: &Window, action: &str) -> Vec<String> {
    controls(window).bound(action).to_vec()
}

#[test]
fn a_key_is_bound_by_pressing_it_and_conflicts_are_shown() {
    let mut window = Window::sample();
    window.command(Command::Controls);
    for (action, _) in Input::KEYS {
        assert!(window.has(&format!("Bind more to {action}")), "{action}");
    }
    assert!(window.says("gamepad"));
    let before = bound(&window, "Jump");
    window.press("Bind more to Jump");
    assert!(window.says("Press a key or a button"));
    window.key(Modifiers::NONE, Key::K);
    assert_eq!(bound(&window, "Jump"), [&before[..], &["K".to_owned()]].concat());
    assert!(!window.says("Press a key or a button") && window.editor().history().n_done() == 1);
    // Space presses no button here, it is bound; Escape binds nothing and leaves the dialog open.
    window.press("Bind more to Dash");
    window.key(Modifiers::NONE, Key::Space);
    assert!(bound(&window, "Dash").contains(&"Space".to_owned()) && window.has("Release Space from Jump"));
    window.press("Bind more to Dash");
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Controls { listening: None }));
    assert_eq!(window.editor().history().n_done(), 2);
    window.press("Release Space from Dash");
    window.press("Reset Jump");
    assert_eq!(bound(&window, "Jump"), before);
    window.fill("Dead zone", "0.5");
    assert!((controls(&window).dead_zone - 0.5).abs() < 1e-6);
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.editor().history().n_done(), 4);
}

#[test]
fn what_is_bound_drives_the_player_and_is_no_command_while_it_plays() {
    let mut window = Window::sample();
    // `B` takes the pencil while nothing plays.
    window.command(Command::Controls);
    window.press("Bind more to Right");
    window.key(Modifiers::NONE, Key::B);
    window.act(Action::Dialog(DialogAnswer::Cancel));
    let tool = window.editor().view().tool;
    let x = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        world.entity(world.by_id("welojk").unwrap()).unwrap().pos.x
    };
    window.key(Modifiers::NONE, Key::F5);
    let from = x(&window);
    window.harness.key_down(Key::B);
    window.until("the squire walks", |window| x(window) > from + 10.0);
    window.harness.key_up(Key::B);
    window.settle();
    assert_eq!(window.editor().view().tool, tool);
}

#[test]
fn keys_of_the_player_choose_no_tools_while_paused() {
    let mut window = Window::sample();
    window.command(Command::StepTick);
    let tool = window.editor().view().tool;
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(window.editor().view().tool, tool);
    assert_eq!(window.editor().notice(), Some("D drives the player until the preview is stopped"));
    // Held, it drives the next step.
    let x = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        world.entity(world.by_id("welojk").unwrap()).unwrap().vel.x
    };
    window.harness.key_down(Key::D);
    window.settle();
    window.command(Command::StepTick);
    assert!(x(&window) > 0.0, "{}", x(&window));
    window.harness.key_up(Key::D);
    window.settle();
    // What is not bound chooses tools, and all does once it is stopped.
    window.key(Modifiers::NONE, Key::B);
    assert_ne!(window.editor().view().tool, tool);
    window.command(Command::Stop);
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(window.editor().view().tool, ToolKind::Probe);
}

#[test]
fn only_keys_of_typing_that_are_bound_drive_the_player() {
    let window = Window::sample();
    let controls = controls(&window);
    let is_players = |modifiers, key| drives_player(&controls, &KeyboardShortcut::new(modifiers, key));
    assert!(is_players(Modifiers::NONE, Key::D) && is_players(Modifiers::SHIFT, Key::D));
    assert!(!is_players(Modifiers::COMMAND, Key::D) && !is_players(Modifiers::ALT, Key::D));
    assert!(!is_players(Modifiers::NONE, Key::B), "it is not bound");
    assert!(!is_players(Modifiers::NONE, Key::F5));
}

#[test]
fn an_action_of_the_games_own_is_added_and_bound_as_any_other() {
    let mut window = Window::sample();
    window.command(Command::Controls);
    window.press("New action");
    // Enter adds it, but for a name that another constant has.
    window.fill("Name of the new action", "jump");
    assert_eq!(Actions::of(window.editor().resolution()), Actions::default());
    window.fill("Name of the new action", "attack");
    assert_eq!(bound(&window, "attack"), [""; 0]);
    window.press("Bind more to attack");
    window.key(Modifiers::NONE, Key::F);
    assert_eq!(bound(&window, "attack"), ["F"]);
    let attack = Actions::of(window.editor().resolution()).bit("attack").unwrap();
    assert_eq!(controls(&window).input(|key| key == "F", &Pads::default()), Input::NONE.with(attack));
    assert_eq!(window.editor().history().n_done(), 2, "two steps");
    window.act(Action::Dialog(DialogAnswer::Cancel));
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(Actions::of(window.editor().resolution()), Actions::default());
}

#[test]
fn nobody_is_driven_while_a_dialog_is_open() {
    let mut window = Window::sample();
    let x = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        (world.tick(), world.entity(world.by_id("welojk").unwrap()).unwrap().pos.x)
    };
    window.key(Modifiers::NONE, Key::F5);
    window.command(Command::Controls);
    let (tick, from) = x(&window);
    window.harness.key_down(Key::ArrowRight);
    window.until("time passes", |window| x(window).0 > tick + 20);
    window.harness.key_up(Key::ArrowRight);
    let moved = (x(&window).1 - from).abs();
    assert!(moved < 1.0, "the squire walked by {moved} px");
}

#[test]
fn keys_of_the_player_move_nothing_selected_while_the_level_is_paused() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.command(Command::PlayPause);
    let doc = window.editor().view().level.clone().unwrap();
    window.act(Action::Select(Selection::Things { doc, ids: vec!["welojk".into()] }));
    let before = window.editor().history().n_done();
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(window.editor().history().n_done(), before, "it may be held for the next step");
    window.command(Command::Stop);
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(window.editor().history().n_done(), before + 1);
}
