//! Entities of a running world in a user's hand: put somewhere, held, pulled by a spring, taken into the level.

use glam::Vec2;
use levelwright::{
    edit::Edit,
    model::Instance,
    sim::{EntityKey, Hand},
    tools::kept_place,
};

use super::*;

const THINGS: &str = r#"{
    "crate": (set: (Body: (mass: 3.0), Collider: (shape: Box((16.0, 16.0))))),
    "walker": (set: (Body: (), Walker: (speed: 60.0), Collider: (shape: Box((10.0, 16.0))))),
    "wall": (set: (Body: (kind: Static), Collider: (shape: Box((16.0, 32.0))))),
    "sign": (set: (Sprite: ())),
    "nest": (set: (Brain: (machines: ["nest"]))),
}"#;

const NEST: &str = r#"{ "nest": (initial: "Wait", states: { "Wait": (on: { "Start": [Spawn(def: "crate")] }) }) }"#;

const PLACED: &str = r#"
    "c": (def: "crate", at: (100.0, 152.0)),
    "s": (def: "sign", at: (60.0, 40.0)),
    "w": (def: "walker", at: (200.0, 152.0)),
    "x": (def: "wall", at: (300.0, 144.0)),
"#;

fn yard() -> World {
    let mut world = world(THINGS, NEST, PLACED);
    run(&mut world, 8);
    world
}

fn key(world: &World, id: &str) -> EntityKey {
    world.by_id(id).unwrap()
}

fn at(world: &World, id: &str) -> Vec2 {
    world.entity(key(world, id)).unwrap().pos
}

#[test]
fn whatever_is_held_stays_where_it_is_held_and_goes_on_from_there_with_no_velocity() {
    for id in ["c", "w", "x", "s"] {
        let mut world = yard();
        let key = key(&world, id);
        let to = Vec2::new(150.0, 60.0);
        assert!(world.hold(key, to, 0.5));
        assert_eq!((at(&world, id), world.entity(key).unwrap().angle), (to, 0.5), "{id}: at once");
        for _ in 0..30 {
            run(&mut world, 1);
            let view = world.entity(key).unwrap();
            assert_eq!((view.pos, view.angle, view.vel), (to, 0.5, Vec2::ZERO), "{id}");
        }
        world.let_go();
        assert_eq!(world.hand(), Hand::Empty);
        run(&mut world, 1);
        let speed = world.entity(key).unwrap().vel.length();
        assert!(speed < 30.0, "{id}: no more than a tick of falling, but {speed}");
        run(&mut world, 60);
        let has_fallen = at(&world, id).y > 100.0;
        assert_eq!(has_fallen, matches!(id, "c" | "w"), "{id} at {}", at(&world, id));
    }
}

#[test]
fn what_is_put_somewhere_stands_still_there() {
    let mut world = yard();
    let c = key(&world, "c");
    assert!(world.move_to(c, Vec2::new(40.0, 152.0), 0.0));
    assert_eq!((at(&world, "c"), world.hand()), (Vec2::new(40.0, 152.0), Hand::Empty));
    assert!(!world.move_to(c, Vec2::new(f32::NAN, 0.0), 0.0) && !world.move_to(EntityKey::default(), Vec2::ZERO, 0.0));
    run(&mut world, 30);
    assert!((at(&world, "c") - Vec2::new(40.0, 152.0)).length() < 0.5, "{}", at(&world, "c"));
    assert_eq!(world.placed_at(c), Some(([100.0, 152.0], 0.0)));
    // Far beyond the limits it is at them, as anything else.
    world.move_to(c, Vec2::splat(1e30), 0.0);
    assert!(at(&world, "c").is_finite());
}

#[test]
fn a_spring_brings_a_body_to_the_pointer_without_swinging_past() {
    let mut world = yard();
    let c = key(&world, "c");
    let to = Vec2::new(160.0, 60.0);
    assert!(world.pull(c, Vec2::ZERO, to));
    let mut farthest: f32 = 0.0;
    for _ in 0..64 {
        run(&mut world, 1);
        farthest = farthest.max(at(&world, "c").x);
    }
    let off = (at(&world, "c") - to).length();
    assert!(off < 2.5, "a second later it is there, but for its weight: {off} px off");
    assert!(farthest < to.x + 1.0, "critically damped: {farthest}");
    world.let_go();
    run(&mut world, 64);
    assert!(at(&world, "c").y > 140.0, "it falls");
    // Let go of in motion, it flies on.
    world.pull(c, Vec2::ZERO, Vec2::new(300.0, 40.0));
    run(&mut world, 6);
    world.let_go();
    run(&mut world, 1);
    assert!(world.entity(c).unwrap().vel.x > 100.0, "{}", world.entity(c).unwrap().vel);
}

#[test]
fn pulled_at_its_side_a_body_hangs_from_there() {
    let mut world = yard();
    let c = key(&world, "c");
    let (grip, to) = (Vec2::new(8.0, 0.0), Vec2::new(120.0, 60.0));
    world.pull(c, grip, to);
    run(&mut world, 640);
    let held = world.physics().point_of(c, grip).unwrap();
    assert!((held - to).length() < 3.0, "{held}");
    let hangs = at(&world, "c") - held;
    assert!(hangs.y > 7.0 && hangs.x.abs() < 3.0, "its middle is below: {hangs}");
}

#[test]
fn walls_withstand_the_spring() {
    let mut world = yard();
    let c = key(&world, "c");
    world.pull(c, Vec2::ZERO, Vec2::new(100.0, 400.0));
    run(&mut world, 128);
    assert!(at(&world, "c").y < 156.0, "the floor holds: {}", at(&world, "c"));
}

#[test]
fn what_is_no_dynamic_body_is_moved_instead_of_pulled() {
    for id in ["w", "x", "s"] {
        let mut world = yard();
        let key = key(&world, id);
        assert!(world.pull(key, Vec2::new(3.0, 4.0), Vec2::new(103.0, 64.0)), "{id}");
        run(&mut world, 5);
        assert_eq!(at(&world, id), Vec2::new(100.0, 60.0), "{id}");
    }
}

#[test]
fn a_snapshot_in_the_middle_of_a_pull_or_hold_goes_on_alike() {
    let act = |world: &mut World, tick: u64| {
        let (c, w) = (key(world, "c"), key(world, "w"));
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let x = tick as f32;
        match tick {
            0..60 => _ = world.pull(c, Vec2::new(5.0, -3.0), Vec2::new(100.0 + x, 80.0)),
            60 => world.let_go(),
            90..120 => _ = world.hold(w, Vec2::new(200.0, 150.0 - x), 0.1),
            120 => world.let_go(),
            _ => {}
        }
    };
    let mut whole = yard();
    let mut hashes = Vec::new();
    for tick in 0..200 {
        act(&mut whole, tick);
        run(&mut whole, 1);
        hashes.push(whole.hash());
    }
    for middle in [30, 60, 100, 130] {
        let mut world = yard();
        for tick in 0..200 {
            if tick == middle {
                // Of another moment, so that all of it has to come back.
                let snapshot = world.snapshot();
                run(&mut world, 7);
                world.let_go();
                world.restore(&snapshot);
            }
            act(&mut world, tick);
            run(&mut world, 1);
            assert_eq!(Some(&world.hash()), hashes.get(usize::try_from(tick).unwrap()), "tick {tick}, from {middle}");
        }
    }
    let (mut a, b) = (yard(), yard());
    assert_eq!(a.hash(), b.hash());
    let c = key(&a, "c");
    a.pull(c, Vec2::ZERO, Vec2::new(9.0, 9.0));
    assert_ne!(a.hash(), b.hash(), "what the hand does is part of the world");
}

#[test]
fn what_is_in_the_hand_may_go_away() {
    for pulls in [false, true] {
        let mut world = yard();
        let c = key(&world, "c");
        _ = if pulls { world.pull(c, Vec2::ZERO, Vec2::ZERO) } else { world.hold(c, Vec2::ZERO, 0.0) };
        world.despawn(c);
        run(&mut world, 2);
        assert_eq!(world.hand(), Hand::Empty);
        assert!(!world.hold(c, Vec2::ZERO, 0.0));
    }
}

/// The same level with an edit made, and the world that follows it.
fn following(world: &World, edits: &[Edit]) -> World {
    let level = level(PLACED);
    let (mut project, _) = project(&[
        ("entities/e.ron", THINGS),
        ("machines/m.ron", NEST),
        ("levels/l.ron", &level),
        ("tilesets/t.ron", FLOOR),
    ]);
    levelwright::edit::apply_all(&mut project, edits).unwrap();
    let resolution = resolve(&project, &builtin(), None);
    migrated(world, &project, &resolution)
}

#[test]
fn an_entity_whose_place_is_kept_is_not_moved_by_the_edit_that_keeps_it() {
    let mut world = yard();
    let c = key(&world, "c");
    world.move_to(c, Vec2::new(40.25, 90.0), 0.25);
    let doc = DocPath::new("levels/l.ron").unwrap();
    let (project, _) = project(&[("levels/l.ron", &level(PLACED))]);
    let kept = kept_place((&doc, project.level(&doc).unwrap()), &world.entity(c).unwrap(), 7).unwrap();
    assert_eq!((&*kept.label, &*kept.id), ("Keep the place of crate", "c"));
    assert_eq!((kept.at, kept.rotation), ([40.25, 90.0], 14.32));
    world.take_into_level(c, &kept.id, kept.at, kept.rotation);
    run(&mut world, 4);
    let before = at(&world, "c");
    let world = following(&world, &kept.edits);
    assert_eq!(at(&world, "c"), before, "it goes on falling from where it is");
    assert_eq!(world.placed_at(c), Some(([40.25, 90.0], 14.32)));
}

#[test]
fn a_spawned_entity_becomes_one_of_the_level_with_all_it_is() {
    let level_text = format!("{PLACED} \"n\": (def: \"nest\", at: (400.0, 60.0))");
    let mut world = world(THINGS, NEST, &level_text);
    run(&mut world, 2);
    world.send("n", "Start", &Fields::new(), 0.0);
    run(&mut world, 10);
    let spawned = world.entities().find(|entity| entity.id.contains('#')).map(|entity| entity.key).unwrap();
    assert_eq!(world.placed_at(spawned), None);
    let doc = DocPath::new("levels/l.ron").unwrap();
    let (project, _) = project(&[("levels/l.ron", &level(&level_text))]);
    let kept = kept_place((&doc, project.level(&doc).unwrap()), &world.entity(spawned).unwrap(), 7).unwrap();
    assert_eq!(&*kept.label, "Keep crate as placed");
    let n = world.n_entities();
    let life = world.entity(spawned).unwrap().vel;
    world.take_into_level(spawned, &kept.id, kept.at, kept.rotation);
    let nest = Edit::place(&doc, &"actors".into(), "n".into(), Instance::new("nest".into(), [400.0, 60.0]));
    let world = following(&world, &[&[nest], kept.edits.as_slice()].concat());
    assert_eq!(world.n_entities(), n, "it is the same one");
    let view = world.entity(spawned).unwrap();
    assert_eq!((view.id, view.vel), (&kept.id, life));
    assert_eq!(world.by_id(&kept.id), Some(spawned));
}

#[test]
fn what_is_moved_far_at_once_takes_along_what_joints_hold_to_it() {
    for kind in ["Revolute", "Prismatic", "Distance", "Rope", "Weld", "Spring"] {
        for hub in ["Walker: (speed: 60.0), Body: ()", "Body: (kind: Kinematic)", "Body: ()"] {
            let defs = format!(
                r#"{{ "hub": (set: ({hub}, Collider: (shape: Box((12.0, 16.0))))),
                    "ball": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: {kind}, to: "h"))),
                    "far": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: {kind}, to: "b"))) }}"#
            );
            let placed = r#""h": (def: "hub", at: (100.0, 152.0)), "b": (def: "ball", at: (100.0, 120.0)),
                "f": (def: "far", at: (100.0, 90.0))"#;
            let mut world = world(&defs, "{}", placed);
            run(&mut world, 30);
            let before = ["h", "b", "f"].map(|id| at(&world, id));
            world.move_to(key(&world, "h"), before[0] + Vec2::new(300.0, 0.0), 0.0);
            let moved = ["b", "f"].map(|id| at(&world, id));
            assert_eq!(moved, [1, 2].map(|i| before[i] + Vec2::new(300.0, 0.0)), "{kind} {hub}: at once");
            for _ in 0..60 {
                run(&mut world, 1);
                let fastest = ["b", "f"].map(|id| world.entity(key(&world, id)).unwrap().vel.length());
                assert!(fastest.into_iter().all(|speed| speed < 200.0), "{kind} {hub}: {fastest:?}");
            }
        }
    }
}

#[test]
fn what_is_also_joined_to_another_place_stays() {
    let defs = r#"{ "hub": (set: (Body: (kind: Kinematic), Collider: (shape: Box((12.0, 16.0))))),
        "ball": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: Rope, to: "h", length: 500.0))),
        "tied": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: Rope, to: "f", length: 500.0))),
        "fixed": (set: (Body: (kind: Static), Collider: (shape: Circle(5.0)), Joint: (kind: Rope, to: "b", length: 500.0))) }"#;
    let placed = r#""h": (def: "hub", at: (100.0, 100.0)), "b": (def: "ball", at: (120.0, 155.0)),
        "f": (def: "fixed", at: (160.0, 60.0))"#;
    let mut world = world(defs, "{}", placed);
    run(&mut world, 30);
    let before = at(&world, "b");
    world.move_to(key(&world, "h"), Vec2::new(200.0, 100.0), 0.0);
    assert_eq!(at(&world, "b"), before);
}

#[test]
fn what_is_taken_along_stays_on_this_side_of_a_wall() {
    for kind in ["Distance", "Rope", "Spring"] {
        let defs = format!(
            r#"{{ "hub": (set: (Body: (kind: Kinematic), Collider: (shape: Box((8.0, 8.0))))),
                "ball": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: {kind}, to: "h"))),
                "wall": (set: (Body: (kind: Static), Collider: (shape: Box((16.0, 150.0))))) }}"#
        );
        let placed = r#""h": (def: "hub", at: (100.0, 80.0)), "b": (def: "ball", at: (130.0, 80.0)),
            "x": (def: "wall", at: (400.0, 80.0))"#;
        let mut world = world(&defs, "{}", placed);
        world.step(&Input::NONE);
        world.move_to(key(&world, "h"), Vec2::new(385.0, 80.0), 0.0);
        let apart = at(&world, "b").distance(at(&world, "h"));
        assert!(apart > 25.0 && apart < 35.0 && at(&world, "b").x < 392.0, "{kind}: {}", at(&world, "b"));
        for _ in 0..90 {
            run(&mut world, 1);
            assert!(at(&world, "b").x < 392.0, "{kind}: {}", at(&world, "b"));
        }
    }
}

#[test]
fn what_is_tied_to_a_fixed_place_is_let_go_of_within_reach_of_it() {
    for kind in ["Distance", "Rope"] {
        for hub in ["Body: (kind: Static)", "Walker: (speed: 60.0), Body: ()"] {
            let defs = format!(
                r#"{{ "hub": (set: ({hub}, Collider: (shape: Box((8.0, 8.0))))),
                    "bob": (set: (Body: (), Collider: (shape: Circle(5.0)), Joint: (kind: {kind}, to: "h"))) }}"#
            );
            let placed = r#""h": (def: "hub", at: (100.0, 156.0)), "b": (def: "bob", at: (130.0, 150.0))"#;
            let by_move = |world: &mut World, bob| _ = world.move_to(bob, Vec2::new(500.0, 60.0), 0.0);
            let by_hold = |world: &mut World, bob| {
                world.hold(bob, Vec2::new(500.0, 60.0), 0.0);
                world.step(&Input::NONE);
                assert_eq!(at(world, "b"), Vec2::new(500.0, 60.0), "{kind} {hub}: as long as it is held");
                world.let_go();
            };
            for put in [&by_move as &dyn Fn(&mut World, EntityKey), &by_hold] {
                let mut world = world(&defs, "{}", placed);
                run(&mut world, 30);
                let bob = key(&world, "b");
                put(&mut world, bob);
                let reach = at(&world, "b").distance(at(&world, "h"));
                assert!(reach < 31.0, "{kind} {hub}: {reach}");
                for _ in 0..60 {
                    run(&mut world, 1);
                    let speed = world.entity(bob).unwrap().vel.length();
                    assert!(speed < 300.0, "{kind} {hub}: {speed}");
                }
            }
        }
    }
}

#[test]
fn a_chain_whose_end_is_let_go_of_far_away_is_laid_within_its_reach() {
    for kind in ["Distance", "Rope"] {
        let mut defs = r#"{ "hub": (set: (Body: (kind: Static), Collider: (shape: Box((8.0, 8.0))))),"#.to_owned();
        let mut placed = r#""l0": (def: "hub", at: (300.0, 40.0)),"#.to_owned();
        for i in 1..=4 {
            let to = i - 1;
            defs += &format!(
                r#""link{i}": (set: (Body: (), Collider: (shape: Circle(3.0), mask: [World]), Joint: (kind: {kind}, to: "l{to}"))),"#
            );
            placed += &format!(r#""l{i}": (def: "link{i}", at: (300.0, {}.0)),"#, 40 + 20 * i);
        }
        let mut world = world(&(defs + "}"), "{}", &placed);
        run(&mut world, 30);
        let end = key(&world, "l4");
        world.move_to(end, Vec2::new(500.0, 60.0), 0.0);
        for i in 1..=4 {
            let apart = at(&world, &format!("l{i}")).distance(at(&world, &format!("l{}", i - 1)));
            assert!(apart < 21.0, "{kind} {i}: {apart}");
        }
        assert!(at(&world, "l4").x > 360.0, "as far that way as it reaches: {}", at(&world, "l4"));
        for _ in 0..60 {
            run(&mut world, 1);
            let fastest = world.entities().map(|entity| entity.vel.length()).fold(0.0, f32::max);
            assert!(fastest < 600.0, "{kind}: {fastest}");
        }
    }
}
