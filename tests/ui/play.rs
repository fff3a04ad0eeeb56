//! The preview: play, pause, step and stop; constants turned while it runs.

use egui::{Event, Key, Modifiers, PointerButton, accesskit::Role};
use levelwright::{
    model::Value,
    ui::{Command, Pane},
};

use crate::window::{Window, doc};

fn tick(window: &Window) -> u64 {
    window.editor().preview().unwrap().session.world.tick()
}

fn running(window: &Window, name: &str) -> f64 {
    window.editor().preview().unwrap().session.world.tunable(name).and_then(Value::as_f64).unwrap()
}

#[test]
fn it_plays_pauses_steps_and_stops() {
    let mut window = Window::sample();
    window.click_role(Role::Button, "Play");
    window.until("some ticks have passed", |window| tick(window) > 5);
    window.click_role(Role::Button, "Pause");
    let paused_at = tick(&window);
    window.harness.run_steps(4);
    assert_eq!(tick(&window), paused_at, "nothing moves while it is paused");
    window.click_role(Role::Button, "Step");
    assert_eq!(tick(&window), paused_at + 1);
    assert_eq!(window.editor().history().n_done(), 0, "what happens in the preview is no edit");
    window.click_role(Role::Button, "Stop");
    assert!(window.editor().preview().is_none());
    assert!(window.editor().unsaved().is_empty());
    window.key(Modifiers::NONE, Key::F5);
    assert!(window.editor().preview().is_some_and(|preview| preview.is_playing));
    window.key(Modifiers::SHIFT, Key::F5);
    assert!(window.editor().preview().is_none(), "Shift+F5 stops");
}

#[test]
fn a_slider_turns_the_running_world_at_once() {
    let mut window = Window::sample();
    window.command(Command::StepTick);
    window.act(levelwright::ui::Action::ShowPane(Pane::Tuning));
    assert!((running(&window, "Combat.player_damage") - 8.0).abs() < 1e-9);
    let slider = window.find_role(Role::Slider, "Combat.player_damage").rect();
    let (from, to) = (slider.left_center() + egui::vec2(12.0, 0.0), slider.center());
    window.drag_to(from, &[to]);
    let held = running(&window, "Combat.player_damage");
    assert!((held - 8.0).abs() > 1.0, "it turns while the button is down, not when it is let go: {held}");
    window.button(to, false);
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1, "a drag is one step");
    let written =
        window.editor().project().tuning(&doc("tuning/combat.ron")).unwrap().values["player_damage"].value.as_f64();
    assert_eq!(written, Some(running(&window, "Combat.player_damage")));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!((running(&window, "Combat.player_damage") - 8.0).abs() < 1e-9, "undo turns it back");
}

#[test]
fn the_level_can_be_edited_while_it_plays() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 3);
    let n_before = window.editor().preview().unwrap().session.world.n_entities();
    window.command(Command::ShowPalette);
    window.click("Place crate");
    let at = window.canvas().center();
    window.harness.event(Event::PointerMoved(at));
    window.harness.step();
    for pressed in [true, false] {
        window.harness.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.harness.run_steps(2);
    }
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1);
    window.until("the crate is in the running world", |window| {
        window.editor().preview().unwrap().session.world.n_entities() > n_before
    });
    assert!(tick(&window) > 3, "it goes on where it was");
}
