//! Keys and gamepads: what is bound, what is held, and whom it drives.

use levelwright::{
    editor::{Bound, Controls, PadEvent, PadPart, Pads, stick_events},
    model::{Value, ValueSet},
    sim::{Input, Options, World, control_constant},
};

use crate::world::{FLOOR, builtin, project};

fn controls(values: &str, tried: &ValueSet) -> Controls {
    let page = format!("(page: \"Controls\", values: {{ {values} }})");
    Controls::of(&project(&[("tuning/controls.ron", &page)]).1, tried)
}

fn part(name: &str) -> PadPart {
    PadPart::named(name).unwrap()
}

fn none_held(_: &str) -> bool {
    false
}

#[test]
fn each_action_has_keys_and_parts_of_a_pad_from_the_start() {
    let plain = controls("", &ValueSet::new());
    for (action, bit) in Input::KEYS {
        assert!(builtin().tunable(&control_constant(action)).is_some(), "{action}");
        assert!(plain.bound(action).len() >= 3, "{action}: {:?}", plain.bound(action));
        for binding in plain.bound(action) {
            assert_ne!(Bound::of(binding), Bound::Unknown, "{binding}");
            assert_eq!(plain.also(action, binding), [""; 0], "{binding}");
            let mut pads = Pads::default();
            if let Bound::Pad(part) = Bound::of(binding) {
                assert_eq!(
                    (part.binding(), pads.take(7, PadEvent::Moved(part, 1.0), 0.5)),
                    (binding.clone(), Some(part))
                );
            }
            let held = plain.input(|key| key == binding, &pads);
            assert_eq!(held, Input::NONE.with(bit), "{binding}");
        }
    }
    assert_eq!(plain.input(none_held, &Pads::default()), Input::NONE);
    assert!(plain.has_key(|key| key == "Space") && !plain.has_key(|key| key == "Pad South" || key == "Q"));
}

#[test]
fn what_is_bound_is_the_tried_value_else_the_files_else_the_built_in_one() {
    let file = r#""jump": (value: ["K", "Pad Shoulder"]), "dash": (value: 4.0), "dead_zone": (value: 0.2)"#;
    let own = controls(file, &ValueSet::new());
    assert_eq!(own.bound("Jump"), ["K", "Pad Shoulder"]);
    assert_eq!(Bound::of("Pad Shoulder"), Bound::Unknown);
    assert_eq!(own.bound("Dash"), controls("", &ValueSet::new()).bound("Dash"), "a number is no list of keys");
    assert!((own.dead_zone - 0.2).abs() < 1e-6);
    assert!(controls(r#""dead_zone": (value: -3.0)"#, &ValueSet::new()).dead_zone > 0.0);
    let tried = [("Controls.jump".into(), own.with("Jump", "L", true))].into();
    let tried = controls(file, &tried);
    assert_eq!(tried.bound("Jump"), ["K", "Pad Shoulder", "L"]);
    assert_eq!(tried.with("Jump", "L", true), tried.value("Jump"), "once is enough");
    assert_eq!(tried.with("Jump", "K", false), Value::List(vec![Value::str("Pad Shoulder"), Value::str("L")]));
    let twice = controls(r#""jump": (value: ["X"])"#, &ValueSet::new());
    assert_eq!((twice.also("Jump", "X"), twice.also("Dash", "X")), (vec!["Dash"], vec!["Jump"]));
    assert_eq!(twice.input(|key| key == "X", &Pads::default()), Input::NONE.with(Input::JUMP).with(Input::DASH));
}

#[test]
fn a_stick_counts_beyond_the_dead_zone_and_does_not_flicker_at_its_border() {
    let plain = controls("", &ValueSet::new());
    let mut pads = Pads::default();
    let mut right = |way: f32| {
        pads.begin_frame();
        stick_events(["LeftStickLeft", "LeftStickRight"], way).for_each(|event| _ = pads.take(0, event, 0.4));
        let input = plain.input(none_held, &pads);
        (input.holds(0, Input::LEFT), input.holds(0, Input::RIGHT))
    };
    for (way, left, is_right) in [
        (0.0, false, false),
        (0.39, false, false),
        (0.41, false, true),
        (0.35, false, true),
        (0.29, false, false),
        (0.35, false, false),
        (-1.0, true, false),
        (1.0, false, true),
    ] {
        assert_eq!(right(way), (left, is_right), "{way}");
    }
    assert_eq!(stick_events(["LeftStickLeft", "No such way"], 1.0).count(), 1);
}

#[test]
fn pads_drive_a_player_each_and_come_and_go() {
    let plain = controls("", &ValueSet::new());
    let mut pads = Pads::default();
    let south = PadEvent::Moved(part("South"), 1.0);
    assert_eq!((pads.take(30, south, 0.5), pads.take(30, south, 0.5)), (Some(part("South")), None), "held once");
    for id in 31..36 {
        pads.take(id, south, 0.5);
    }
    assert_eq!(pads.n(), 4, "there are four players");
    let jumping =
        |pads: &Pads| (0..4).filter(|player| plain.input(none_held, pads).holds(*player, Input::JUMP)).count();
    assert_eq!(jumping(&pads), 4);
    // One that is pulled out holds nothing any more, and the next one takes its place.
    pads.take(31, PadEvent::Gone, 0.5);
    pads.take(99, PadEvent::Gone, 0.5);
    assert!(!plain.input(none_held, &pads).holds(1, Input::JUMP) && jumping(&pads) == 3);
    pads.take(40, PadEvent::Moved(part("West"), 1.0), 0.5);
    let input = plain.input(|key| key == "Left", &pads);
    assert!(input.holds(1, Input::DASH) && !input.holds(0, Input::DASH) && input.holds(0, Input::LEFT));
    pads.begin_frame();
    pads.take(40, PadEvent::Moved(part("West"), 0.0), 0.5);
    assert!(!plain.input(none_held, &pads).holds(1, Input::DASH));
}

#[test]
fn up_is_a_jump_only_as_long_as_the_constant_says_so() {
    let level = r#"(size: (8, 12), tile_size: (16, 16), layers: [
        Tiles(name: "ground", tileset: "t", chunks: { (0, 0): ["", "", "", "", "", "", "", "", "", "", "8*1"] }),
        Entities(name: "actors", entities: { "p": (def: "p", at: (40.0, 152.0)) }),
    ])"#;
    let def = r#"{ "p": (set: (Walker: (), Player: (), Body: (), Collider: (shape: Box((10.0, 16.0))))) }"#;
    for (value, jumps) in [("true", true), ("false", false)] {
        let page = format!("(page: \"Controls\", values: {{ \"up_jumps\": (value: {value}) }})");
        let files =
            [("tuning/c.ron", &*page), ("levels/l.ron", level), ("entities/e.ron", def), ("tilesets/t.ron", FLOOR)];
        let (project, resolution) = project(&files);
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        let y = |world: &World| world.entity(world.by_id("p").unwrap()).unwrap().pos.y;
        (0..8).for_each(|_| world.step(&Input::NONE));
        let from = y(&world);
        (0..8).for_each(|_| world.step(&Input::NONE.with(Input::UP)));
        assert_eq!(y(&world) < from - 10.0, jumps, "{value}");
        (0..8).for_each(|_| world.step(&Input::NONE.with(Input::UP).with(Input::JUMP)));
        assert!(y(&world) < from - 10.0, "{value}: the jump's own key always is");
    }
}

#[test]
fn a_part_that_is_pressed_and_let_go_within_a_frame_counts_in_it() {
    let plain = controls("", &ValueSet::new());
    let jumps = |pads: &Pads| plain.input(none_held, pads).holds(0, Input::JUMP);
    let mut pads = Pads::default();
    pads.begin_frame();
    pads.take(3, PadEvent::Moved(part("South"), 1.0), 0.4);
    pads.take(3, PadEvent::Moved(part("South"), 0.0), 0.4);
    assert!(jumps(&pads), "it was down in this frame");
    pads.begin_frame();
    assert!(!jumps(&pads), "and is up in the next");
    pads.take(3, PadEvent::Moved(part("South"), 1.0), 0.4);
    pads.begin_frame();
    assert!(jumps(&pads), "held on, it counts until it is let go");
}

#[test]
fn a_pad_gets_its_player_when_something_of_it_is_pressed() {
    let plain = controls("", &ValueSet::new());
    let mut pads = Pads::default();
    // A stick that drifts within the dead zone, and a button that is up.
    for event in stick_events(["LeftStickLeft", "LeftStickRight"], 0.2).chain([PadEvent::Moved(part("East"), 0.0)]) {
        assert_eq!(pads.take(5, event, 0.4), None);
    }
    assert_eq!(pads.n(), 0, "no one plays with it");
    pads.take(6, PadEvent::Moved(part("South"), 1.0), 0.4);
    assert!(plain.input(none_held, &pads).holds(0, Input::JUMP), "the pad that is used is the first player's");
}
