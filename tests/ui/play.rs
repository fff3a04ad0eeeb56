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

#[test]
fn a_world_with_too_much_to_do_pauses_and_says_why() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let storm = r#"{ "storm": (update: [Spawn(def: "spark"), Spawn(def: "spark")]) }"#;
        std::fs::write(root.join("machines/storm.ron"), storm).unwrap();
        let spark = r#"{ "spark": (set: (Brain: (machines: ["storm"]))) }"#;
        std::fs::write(root.join("entities/storm.ron"), spark).unwrap();
        let level = r#"(size: (20, 12), tile_size: (16, 16), layers: [
            Entities(name: "actors", entities: { "s": (def: "spark", at: (40.0, 40.0)) }),
        ])"#;
        std::fs::write(root.join("levels/courtyard.ron"), level).unwrap();
    });
    window.key(Modifiers::NONE, Key::F5);
    window.until("it pauses by itself", |window| window.editor().preview().is_some_and(|preview| !preview.is_playing));
    let notice = window.editor().notice().unwrap_or_default().to_owned();
    assert!(notice.starts_with("Paused: `spark` was not spawned: there are too many entities"), "{notice}");
    window.command(Command::Stop);
    assert!(window.editor().preview().is_none());
}
