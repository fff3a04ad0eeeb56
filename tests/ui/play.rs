//! The preview: play, pause, step and stop; the level edited while it runs.

use egui::{Event, Key, Modifiers, PointerButton, accesskit::Role};
use levelwright::ui::Command;

use crate::window::Window;

fn tick(window: &Window) -> u64 {
    window.editor().preview().unwrap().session.world.tick()
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
