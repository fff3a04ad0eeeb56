//! The preview: play, pause, step and stop; the level edited while it runs.

use egui::{Event, Key, Modifiers, PointerButton, accesskit::Role};
use levelwright::{
    editor::{Action, Command, Pane, Selection, ViewChange},
    model::{Name, Severity},
    sim::physics::Touched,
};

use crate::window::Window;

fn tick(window: &Window) -> u64 {
    window.editor().preview().unwrap().session.world().tick()
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
fn pausing_leaves_the_view_where_it_is() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 5);
    window.key(Modifiers::NONE, Key::F5);
    window.settle();
    // The player stands near the left edge, which a camera that follows does not show anything beyond.
    let camera = window.editor().view().cameras[&crate::window::courtyard()];
    let left = camera.center.x - window.canvas().width() / 2.0 / camera.scale;
    assert!((0.0..1.0).contains(&left), "the view begins at {left} px");
}

#[test]
fn the_level_can_be_edited_while_it_plays() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 3);
    let n_before = window.editor().preview().unwrap().session.world().n_entities();
    window.command(Command::Show(Pane::Palette));
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
        window.editor().preview().unwrap().session.world().n_entities() > n_before
    });
    assert!(tick(&window) > 3, "it goes on where it was");
}

#[test]
fn what_is_selected_is_explained_while_something_is() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| tick(window) > 3);
    let ids: Vec<_> = {
        let world = window.editor().preview().unwrap().session.world();
        world.entities().filter(|view| view.resolved.has("Brain")).take(2).map(|view| view.id.clone()).collect()
    };
    let [a, b] = &ids[..] else { panic!("{ids:?}") };
    let explained = |window: &Window| window.editor().view().insight.why.clone();
    let select =
        |id: &Name| Action::Select(Selection::Things { doc: crate::window::courtyard(), ids: vec![id.clone()] });
    window.act(select(a));
    assert_eq!(explained(&window), None);
    window.command(Command::WhyStill);
    assert_eq!(explained(&window).as_ref(), Some(a));
    window.act(select(b));
    window.until("the other one is explained", |window| explained(window).as_ref() == Some(b));
    window.command(Command::WhyStill);
    assert_eq!(explained(&window), None, "asked again, it is explained no more");
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
    assert!(notice.starts_with("Paused: `spark` was not spawned: more than 10000 entities in one tick"), "{notice}");
    window.command(Command::Stop);
    assert!(window.editor().preview().is_none());
}

#[test]
fn the_notice_of_a_pause_goes_when_it_plays_again() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let send = vec![r#"Send(message: "A")"#; 10_001].join(", ");
        let machine = format!(
            r#"{{ "burst": (initial: "A", states: {{ "A": (transitions: [(after: 0.1, do: [{send}], to: "B")]), "B": () }}) }}"#
        );
        std::fs::write(root.join("machines/burst.ron"), machine).unwrap();
        let bomb = r#"{ "bomb": (set: (Brain: (machines: ["burst"]))) }"#;
        std::fs::write(root.join("entities/burst.ron"), bomb).unwrap();
        let level = r#"(size: (20, 12), tile_size: (16, 16), layers: [
            Entities(name: "actors", entities: { "s": (def: "bomb", at: (40.0, 40.0)) }),
        ])"#;
        std::fs::write(root.join("levels/courtyard.ron"), level).unwrap();
    });
    window.key(Modifiers::NONE, Key::F5);
    window.until("it pauses by itself", |window| window.editor().preview().is_some_and(|preview| !preview.is_playing));
    let notice = window.editor().notice().unwrap_or_default().to_owned();
    assert!(notice.starts_with("Paused: more than 10000 messages"), "{notice}");
    // The problem is marked in the status line, listed in the Preview pane, and leads to the level.
    assert!(!window.has("No problems"), "which would not be true");
    window.click("1 problem while playing");
    window.settle();
    let problems = window.editor().preview().unwrap().session.world().findings();
    let problem = problems.iter().find(|finding| finding.severity > Severity::Hint).unwrap().message.clone();
    window.click(&problem);
    let paused_at = tick(&window);
    window.key(Modifiers::NONE, Key::F5);
    window.until("it plays on", |window| tick(window) > paused_at + 3);
    assert_eq!(window.editor().notice(), None);
    window.command(Command::Stop);
}

#[test]
fn contacts_are_listed_with_their_separating_axes() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("everything has fallen", |window| tick(window) > 60);
    window.key(Modifiers::NONE, Key::F5);
    window.command(Command::Show(Pane::Preview));
    let world = window.editor().preview().unwrap().session.world();
    let tiles = |key| {
        let contacts = world.physics().contacts_of(key).into_iter();
        contacts.filter_map(|(with, _)| if let Touched::Tile(cell) = with { Some(cell) } else { None })
    };
    let mut resting =
        world.entities().filter_map(|it| Some((it.key, format!("{} {}", it.def, it.id), tiles(it.key).next()?)));
    let ((a, name_a, [x, y]), (b, name_b, _)) = (resting.next().unwrap(), resting.next().unwrap());
    let [a, b] = [a, b].map(|key| world.entity(key).unwrap().id.clone());
    drop(resting);
    let doc = window.level().0.clone();
    window.act(Action::Select(Selection::Things { doc: doc.clone(), ids: vec![a.clone()] }));
    let at = window.find(&format!("tile {x}, {y}")).rect().center();
    window.point(at);
    window.until("the card is there", |window| window.has("A covers"));
    assert!(window.has(&format!("A is {name_a}, B is tile {x}, {y}")));
    window.act(Action::Select(Selection::Things { doc, ids: vec![a, b] }));
    assert!(window.has(&format!("A is {name_a}, B is {name_b}")) && window.says("px apart along"));
}

#[test]
fn clicks_in_the_preview_list_select_and_leave_its_rows_where_they_are() {
    let mut window = Window::sample();
    window.command(Command::StepTick);
    window.command(Command::Show(Pane::Preview));
    let doc = window.level().0.clone();
    let row = |window: &Window, at: usize| {
        let world = window.editor().preview().unwrap().session.world();
        let entity = world.entities().nth(at).unwrap();
        (entity.id.clone(), format!("{}  {}", entity.def, entity.id))
    };
    let ((first, first_row), (second, second_row)) = (row(&window, 0), row(&window, 1));
    let rects = |window: &Window| [&first_row, &second_row].map(|name| window.find(name).rect());
    let before = rects(&window);
    window.click_with(before[0].center(), Modifiers::NONE);
    assert_eq!(window.editor().selection().ids_in(&doc), std::slice::from_ref(&first));
    assert_eq!(rects(&window), before);
    window.click_with(before[1].center(), Modifiers::SHIFT);
    assert_eq!(window.editor().selection().ids_in(&doc), [first, second.clone()]);
    assert_eq!(rects(&window), before);
    window.click_with(before[0].center(), Modifiers::SHIFT);
    assert_eq!(window.editor().selection().ids_in(&doc), [second]);
}

#[test]
fn keys_of_the_game_do_nothing_to_the_level_after_it_was_stopped() {
    let mut window = Window::sample();
    let doc = window.level().0.clone();
    window.act(Action::View(ViewChange::ActiveLayer(doc.clone(), "ground".into())));
    window.command(Command::SelectAll);
    assert!(window.editor().view().cells.contains_key(&doc));
    window.command(Command::StepTick);
    // Nothing of the level is selected, and the level as a whole is not meant.
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().dialog(), None);
    assert!(window.says("stop it first to delete it as a whole"));
    window.command(Command::Stop);
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(window.editor().history().n_done(), 0);
}
