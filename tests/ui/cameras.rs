//! The game's cameras in the window: who moves the view while a level plays, the Game pane, and the handles of a placed
//! camera.

use egui::{Event, Key, Modifiers, PointerButton, accesskit::Role, vec2};
use levelwright::{
    editor::{Action, Camera, CameraMode, Command, Pane, Selection, ViewChange},
    model::{DocPath, Name},
};

use crate::window::{Window, courtyard, doc};

fn mill() -> DocPath {
    doc("levels/mill.ron")
}

fn in_mill() -> Window {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(mill()));
    window
}

/// Play the level shown, and pause it.
fn paused(window: &mut Window) {
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 3);
    window.key(Modifiers::NONE, Key::F5);
}

fn tick(window: &Window) -> u64 {
    window.editor().preview().map_or(0, |preview| preview.session.world().tick())
}

fn mode(window: &Window) -> CameraMode {
    window.editor().preview().unwrap().camera.mode()
}

fn camera(window: &Window, level: &DocPath) -> Camera {
    window.editor().view().cameras[level]
}

fn select(window: &mut Window, level: &DocPath, id: &str) {
    window.act(Action::Select(Selection::Things { doc: level.clone(), ids: vec![id.into()] }));
}

/// Drag the canvas by the middle button.
fn pan(window: &mut Window, by: egui::Vec2) {
    let from = window.canvas().center();
    for (at, pressed) in [(from, Some(true)), (from + by, None), (from + by, Some(false))] {
        window.point(at);
        if let Some(pressed) = pressed {
            let (button, modifiers) = (PointerButton::Middle, Modifiers::NONE);
            window.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
            window.harness.run_steps(2);
        }
    }
    window.settle();
}

#[test]
fn a_level_with_a_camera_is_seen_as_it_sees_until_the_view_is_moved() {
    let mut window = in_mill();
    let before = camera(&window, &mill());
    paused(&mut window);
    assert_eq!(mode(&window), CameraMode::Game);
    // All of the game's picture is in the pane, and as large as there is room for.
    let (canvas, seen) = (window.canvas(), camera(&window, &mill()));
    let view = window.editor().preview().unwrap().cameras.views()[0].clone();
    assert_eq!(seen.center, view.center.as_vec2());
    let size = view.size.as_vec2() * seen.scale;
    assert!((size.x - canvas.width()).abs() < 1.0 || (size.y - canvas.height()).abs() < 1.0, "{size} in {canvas:?}");
    assert!(size.x < canvas.width() + 1.0 && size.y < canvas.height() + 1.0, "{size} in {canvas:?}");

    pan(&mut window, vec2(80.0, 0.0));
    assert_eq!(mode(&window), CameraMode::Free);
    let free = camera(&window, &mill());
    assert!(((seen.center.x - free.center.x) * seen.scale - 80.0).abs() < 0.5, "from where it was: {free:?}");
    window.click_role(Role::RadioButton, "Camera: home");
    assert_eq!((mode(&window), camera(&window, &mill())), (CameraMode::Game, seen));
    window.command(Command::ZoomIn);
    assert_eq!(mode(&window), CameraMode::Free, "how large things are is the game's, or the hand's");
    assert!(camera(&window, &mill()).scale > seen.scale);
    window.key(Modifiers::ALT, Key::Home);
    assert_eq!(mode(&window), CameraMode::Game);
    window.key(Modifiers::ALT, Key::R);
    assert_eq!((mode(&window), camera(&window, &mill())), (CameraMode::Free, seen), "free where it was");
    window.key(Modifiers::SHIFT, Key::F5);
    assert_eq!(camera(&window, &mill()), before, "after Stop it is looked at as before");
    assert_eq!(window.app().refusal(Command::CameraFree).as_deref(), Some("Play the level first"));
}

#[test]
fn who_is_selected_or_driven_is_followed() {
    let mut window = Window::sample();
    paused(&mut window);
    assert_eq!(mode(&window), CameraMode::Game);
    assert_eq!(window.app().refusal(Command::CameraFollow).as_deref(), Some("Select a running entity first"));
    let other = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        let far = |it: &levelwright::sim::EntityView<'_>| it.resolved.has("Walker") && !it.resolved.has("Player");
        let found = world.entities().find(far).unwrap();
        (found.key, found.id.clone(), found.pos)
    };
    let (key, id, pos) = other(&window);
    select(&mut window, &courtyard(), &id);
    window.key(Modifiers::ALT, Key::S);
    assert_eq!(mode(&window), CameraMode::Follow);
    assert_eq!(window.editor().preview().unwrap().camera.followed(), Some(&id));
    assert!(camera(&window, &courtyard()).center.distance(pos) < 1.0, "paused, it is looked at right away");
    // Zooming keeps to it, panning does not.
    window.command(Command::ZoomIn);
    assert_eq!(mode(&window), CameraMode::Follow);
    pan(&mut window, vec2(0.0, 30.0));
    assert_eq!(mode(&window), CameraMode::Free);
    window.command(Command::Drive);
    assert_eq!(window.editor().preview().unwrap().session.world().possessed(), Some(key));
    assert_eq!(mode(&window), CameraMode::Follow, "who is driven is followed");
    window.command(Command::DrivePlayer);
    assert_eq!(mode(&window), CameraMode::Game);
    // What goes to a place by itself is a hand, too.
    window.act(Action::View(ViewChange::Camera(courtyard(), Camera::default())));
    assert_eq!((mode(&window), camera(&window, &courtyard())), (CameraMode::Free, Camera::default()));
}

#[test]
fn the_game_pane_has_a_part_for_each_camera() {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc("levels/dungeon.ron")));
    window.command(Command::Show(Pane::Game));
    assert!(window.has("The game's picture of dungeon, as it begins"));
    let whole = window.find("Camera view in the game").rect();
    let map = window.find("Camera map in the game").rect();
    assert!(whole.contains_rect(map) && (map.width() / whole.width() - 0.21).abs() < 0.01, "{map:?} in {whole:?}");
    let ratio = whole.width() / whole.height();
    assert!((ratio - 480.0 / 270.0).abs() < 0.01, "{ratio}");
    window.click("Camera map in the game");
    assert_eq!(window.editor().selection().ids_in(&doc("levels/dungeon.ron")), [Name::from("map")]);
    paused(&mut window);
    assert!(window.has("The game's picture of dungeon"));
    // The level that plays is shown, whichever is open.
    window.act(Action::OpenLevel(mill()));
    window.command(Command::Show(Pane::Game));
    assert!(window.has("The game's picture of dungeon"));
    window.command(Command::Stop);
    assert!(window.has("The game's picture of mill, as it begins"));
}

#[test]
fn the_dead_zone_of_a_selected_camera_has_handles() {
    let mut window = in_mill();
    select(&mut window, &mill(), "view");
    let corner = window.find("Camera.dead_zone bottom right corner in the level").rect().center();
    let scale = camera(&window, &mill()).scale;
    let by = vec2(16.0, 12.0) * scale;
    window.drag(corner, &[corner + by / 2.0, corner + by]);
    let placed = &window.level().1.entity("view").unwrap().1.ops.set["Camera"];
    let size = placed["dead_zone"].as_option().unwrap().as_vec2().unwrap();
    // Around the middle both sides move.
    assert_eq!(size, [80.0, 64.0]);
    assert_eq!(window.editor().history().n_done(), 1);
    // Lists without points begin side by side.
    let [area, rail] =
        ["area", "rail"].map(|field| window.find(&format!("Camera.{field} new last point in the level")).rect());
    assert!(!area.intersects(rail.shrink(1.0)), "{area:?} {rail:?}");
    window.drag(rail.center(), &[rail.center() + vec2(10.0, 20.0), rail.center() + vec2(40.0, 40.0)]);
    let placed = &window.level().1.entity("view").unwrap().1.ops.set["Camera"];
    assert_eq!(placed["rail"].as_list().map(<[_]>::len), Some(1));
    window.until("the rule on cameras has looked", |window| window.says("a rail of one point leads nowhere"));
}

#[test]
fn an_entity_that_is_found_while_its_level_plays_is_followed() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 3);
    window.command(Command::FindEntities);
    window.fill("Find entities by name, def:, tag: or Health.max > 10", "jdooo4");
    assert_eq!(mode(&window), CameraMode::Follow);
    let goblin = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        world.entity(world.by_id("jdooo4").unwrap()).unwrap().pos
    };
    window.until("the view is there", |window| (camera(window, &courtyard()).center.x - goblin(window).x).abs() < 64.0);
}
