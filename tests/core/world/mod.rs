//! Whole worlds: the examples of the contract, the sample game's scenarios, and that a run can be repeated.

mod actions;
mod along;
mod arrive;
mod bodies;
mod crates;
mod crowd;
mod edited;
mod exact;
mod hand;
mod insight;
mod ledges;
mod messages;
mod openings;
mod paths;
mod planks;
mod profile;
mod sounds;
mod stuck;
mod tracks;
mod tries;
mod why;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use levelwright::{
    defs::{Resolution, resolve},
    io,
    model::{Builtin, DocPath, Document, Fields, LayerContent, Project, Value},
    sim::{Input, Options, TraceEvent, TraceKind, World, scenario::Runner},
};

pub(crate) fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

/// A project of these files.
pub(crate) fn project(files: &[(&str, &str)]) -> (Project, Resolution) {
    let mut documents = BTreeMap::new();
    for (path, text) in files {
        let path = DocPath::new(path).unwrap();
        let (document, findings) = io::load_one(&path, text);
        assert!(findings.is_empty(), "{path}: {findings:?}");
        documents.insert(path, Arc::new(document.unwrap()));
    }
    let project = Project::from_iter(documents);
    let resolution = resolve(&project, &builtin(), None);
    (project, resolution)
}

fn sample() -> (Project, Resolution) {
    let loaded = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data"));
    let resolution = resolve(&loaded.project, &builtin(), None);
    (loaded.project, resolution)
}

pub(crate) const FLOOR: &str =
    "(tile_size: (16, 16), image: \"t.png\", tiles: { 1: (at: (0, 0), name: \"stone\", shape: Full) })";

/// A level 40 cells wide with a floor in row 10, and these entities.
fn level(entities: &str) -> String {
    let floor = "\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"32*1\"";
    format!(
        "(size: (32, 12), tile_size: (16, 16), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{floor}] }}),
            Entities(name: \"actors\", entities: {{ {entities} }}),
            Waypoints(name: \"patrol\", nodes: {{ \"n1\": (at: (40.0, 150.0)), \"n2\": (at: (200.0, 150.0)) }},
                links: [(from: \"n1\", to: \"n2\", cost: None, one_way: false, by: Hand)]),
        ])"
    )
}

/// The world of a small level.
pub(crate) fn world(defs: &str, machines: &str, entities: &str) -> World {
    let level = level(entities);
    let (project, resolution) = project(&[
        ("entities/e.ron", defs),
        ("machines/m.ron", machines),
        ("levels/l.ron", &level),
        ("tilesets/t.ron", FLOOR),
    ]);
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

/// Run so many ticks and fetch what happened.
pub(crate) fn run(world: &mut World, ticks: u64) -> Vec<TraceEvent> {
    (0..ticks).for_each(|_| world.step(&Input::NONE));
    world.drain_events()
}

/// A copy of a world that follows an edited project.
pub(crate) fn migrated(world: &World, project: &Project, resolution: &Resolution) -> World {
    let mut world = world.clone();
    world.migrate(project, resolution).unwrap();
    world
}

fn lines(events: &[TraceEvent]) -> Vec<String> {
    events.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

fn amount(x: f64) -> Fields {
    [("amount".into(), Value::Float(x))].into()
}

#[test]
fn a_gentle_touch_is_told_too() {
    // The worked example of two bodies: masses 1 and 3 at 4 and 0 px/s, restitutions ¼ and 1.
    let mut world = world(
        r#"{
            "a": (set: (
                Body: (mass: 1.0, velocity: (4.0, 0.0), gravity_scale: 0.0),
                Collider: (shape: Circle(4.0), restitution: 0.25, friction: 0.0),
            )),
            "b": (set: (
                Body: (mass: 3.0, gravity_scale: 0.0),
                Collider: (shape: Circle(4.0), restitution: 1.0, friction: 0.0),
            )),
        }"#,
        "{}",
        r#""a": (def: "a", at: (100.0, 50.0)), "b": (def: "b", at: (110.0, 50.0))"#,
    );
    let events = lines(&run(&mut world, 64));
    let touch = r#""event":"contact","other":"b","nx":-1.0,"ny":0.0,"speed":4.0}"#;
    assert_eq!(events.iter().filter(|line| line.ends_with(touch)).count(), 1, "{events:#?}");
}

#[test]
fn a_walker_patrols_and_a_body_falls_on_the_floor() {
    let mut world = world(
        r#"{
            "w": (set: (Brain: (machines: ["m"]), Walker: (speed: 60.0), Body: (), Collider: (shape: Box((10.0, 16.0))))),
            "c": (set: (Body: (), Collider: (shape: Box((10.0, 10.0))))),
        }"#,
        r#"{ "m": (enter: [FollowRoute(layer: "patrol", mode: PingPong)]) }"#,
        r#""w1": (def: "w", at: (60.0, 150.0)), "c1": (def: "c", at: (300.0, 60.0))"#,
    );
    let key = world.by_id("w1").unwrap();
    let mut xs = Vec::new();
    let mut contact = None;
    for _ in 0..64 * 12 {
        world.step(&Input::NONE);
        xs.push(world.entity(key).unwrap().pos.x);
        let hit = world
            .drain_events()
            .into_iter()
            .find(|e| matches!(e.kind, TraceKind::Contact { .. }) && &*e.entity == "c1");
        contact = contact.or(hit);
    }
    let (lo, hi) = xs.iter().fold((f32::MAX, f32::MIN), |(lo, hi), x| (lo.min(*x), hi.max(*x)));
    assert!(lo < 48.0 && hi > 192.0, "it walks from {lo} to {hi}");
    let turns = xs.windows(3).filter(|w| (w[1] - w[0]) * (w[2] - w[1]) < 0.0).count();
    assert!(turns >= 2, "there and back");
    let TraceKind::Contact { other, nx, ny, speed } = contact.unwrap().kind else { panic!("a contact") };
    assert_eq!((&*other, nx, ny), ("stone", 0.0, -1.0));
    assert!((speed - (2.0 * 900.0_f64 * 95.0).sqrt()).abs() < 20.0, "{speed}");
}

#[test]
fn the_player_walks_and_jumps() {
    let mut world = world(
        r#"{ "p": (set: (Player: (), Walker: (speed: 80.0, jump_speed: 300.0), Body: (), Collider: (shape: Box((10.0, 16.0))))) }"#,
        "{}",
        r#""p1": (def: "p", at: (100.0, 151.0))"#,
    );
    let key = world.by_id("p1").unwrap();
    run(&mut world, 16);
    let start = world.entity(key).unwrap().pos;
    for _ in 0..64 {
        world.step(&Input::NONE.with(Input::RIGHT));
    }
    let walked = world.entity(key).unwrap().pos;
    assert!((60.0..=81.0).contains(&(walked.x - start.x)), "{start} to {walked}");
    let mut top = walked.y;
    for i in 0..96 {
        world.step(&if i < 8 { Input::NONE.with(Input::JUMP) } else { Input::NONE });
        top = top.min(world.entity(key).unwrap().pos.y);
    }
    assert!((45.0..52.0).contains(&(walked.y - top)), "50 px high: {}", walked.y - top);
    assert!((world.entity(key).unwrap().pos.y - walked.y).abs() < 0.5, "and down again");
}

#[test]
fn a_jump_pressed_before_landing_waits_for_the_ground_as_long_as_its_field_says() {
    let defs = |buffer: f64| {
        format!(
            r#"{{ "p": (set: (Player: (), Walker: (jump_buffer_secs: {buffer}, jump_cut: 0.5), Body: (), Collider: (shape: Box((10.0, 16.0))))) }}"#
        )
    };
    for (buffer, jumps) in [(0.0, [false, false, false]), (0.1, [true, false, false]), (0.2, [true, true, false])] {
        for (before, jumps) in [5, 10, 14].into_iter().zip(jumps) {
            let mut world = world(&defs(buffer), "{}", r#""p1": (def: "p", at: (100.0, 60.0))"#);
            let key = world.by_id("p1").unwrap();
            let lands = {
                let mut falling = world.clone();
                (0..200).find(|_| {
                    falling.step(&Input::NONE);
                    falling.physics().on_ground(key)
                })
            };
            let lands = lands.unwrap();
            let mut has_jumped = false;
            for tick in 0..lands + 8 {
                world.step(&if tick >= lands - before { Input::NONE.with(Input::JUMP) } else { Input::NONE });
                has_jumped |= world.physics().has_jumped(key);
            }
            assert_eq!(has_jumped, jumps, "{buffer} s, {before} ticks before");
        }
    }
    // A key that is let go cuts a jump, but none that a machine asked for.
    let top = |machines: &str, held: usize| {
        let defs = defs(0.1).replace("Walker:", r#"Brain: (machines: ["m"]), Walker:"#);
        let mut world = world(&defs, machines, r#""p1": (def: "p", at: (100.0, 151.0))"#);
        let key = world.by_id("p1").unwrap();
        run(&mut world, 16);
        let from = world.entity(key).unwrap().pos.y;
        world.send("p1", "Healed", &Fields::new(), 0.0);
        let heights = (0..60).map(|tick| {
            world.step(&if tick < held { Input::NONE.with(Input::JUMP) } else { Input::NONE });
            from - world.entity(key).unwrap().pos.y
        });
        heights.fold(0.0, f32::max)
    };
    let (tap, full) = (top(r#"{ "m": () }"#, 2), top(r#"{ "m": () }"#, 40));
    let ordered = top(r#"{ "m": (on: { "Healed": [Jump] }) }"#, 0);
    assert!((14.0..22.0).contains(&tap) && full > 48.0 && ordered > 48.0, "{tap} {full} {ordered}");
}

#[test]
fn platforms_ease_in_and_out_and_arrive_where_the_others_do() {
    let level = r#"(size: (40, 10), tile_size: (16, 16), layers: [
        Entities(name: "a", entities: { "lift": (def: "lift", at: (40.0, 40.0)) }),
        Waypoints(name: "path", nodes: { "a": (at: (40.0, 40.0)), "b": (at: (120.0, 40.0)), "c": (at: (200.0, 40.0)) },
            links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand), (from: "b", to: "c", cost: None, one_way: false, by: Hand)]),
    ])"#;
    for (ease, gains) in [(0.0, 1), (0.5, 32)] {
        let defs = format!(
            r#"{{ "lift": (set: (Platform: (route: "path", speed: 80.0, wait_secs: 0.5, ease_secs: {ease}), Collider: ())) }}"#
        );
        let (project, resolution) = project(&[("entities/e.ron", &*defs), ("levels/l.ron", level)]);
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        let key = world.by_id("lift").unwrap();
        let (mut xs, mut speeds) = (vec![40.0], Vec::new());
        for _ in 0..640 {
            world.step(&Input::NONE);
            let x = world.entity(key).unwrap().pos.x;
            speeds.push((x - xs.last().unwrap()) * 64.0);
            xs.push(x);
        }
        let began = speeds.iter().position(|speed| *speed > 0.0).unwrap();
        let full = speeds.iter().position(|speed| *speed > 79.9).unwrap();
        assert!((full + 1 - began).abs_diff(gains) <= 1, "{ease}: {began} to {full}");
        // No jerks but at ends without easing; at the middle node it does not slow down.
        let most = speeds.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(if ease > 0.0 { most < 6.0 } else { most > 79.0 }, "{ease}: {most}");
        let middle = xs.iter().position(|x| *x > 120.0).unwrap();
        assert!(speeds[middle] > 79.9);
        let far = xs.iter().copied().fold(0.0, f32::max);
        assert!((far - 200.0).abs() < 1e-3, "{far}");
        let ends = xs[..400].iter().filter(|x| **x > 199.999).count();
        assert!((30..36).contains(&ends), "it waits half a second: {ends}");
        assert!(xs[xs.len() / 2..].iter().any(|x| *x < 40.001), "and comes back");
    }
}

#[test]
fn keys_dash_climb_and_swim_and_the_clips_show_it() {
    let files = [
        (
            "entities/e.ron",
            r#"{ "p": (set: (
                Player: (), Body: (), Collider: (shape: Box((10.0, 16.0))), Walker: (), Dash: (), Climb: (), Swim: (),
                Sprite: (image: "p.png", clips: { "dash": (frames: [1]), "climb": (frames: [2]), "swim": (frames: [3]), "idle": (frames: [4]), "fall": (frames: [5]) }),
            )) }"#,
        ),
        (
            "tilesets/t.ron",
            r#"(tile_size: (16, 16), image: "t.png", tiles: {
                1: (at: (0, 0), shape: Full), 2: (at: (1, 0), ladder: true), 3: (at: (2, 0), water: true),
            })"#,
        ),
        (
            "levels/l.ron",
            r#"(size: (20, 8), tile_size: (16, 16), view: Some(Platformer), layers: [
                Tiles(name: "ground", tileset: "t", chunks: { (0, 0): ["", "", "", "4*. 2 6*. 4*3", "4*. 2 6*. 4*3", "4*. 2 6*. 4*3", "4*. 2 6*. 4*3", "20*1"] }),
                Entities(name: "a", entities: { "a": (def: "p", at: (24.0, 103.0)), "b": (def: "p", at: (72.0, 103.0)), "c": (def: "p", at: (208.0, 80.0)) }),
            ])"#,
        ),
    ];
    let (project, resolution) = project(&files);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    let see = |world: &World, id: &str| {
        let view = world.entity(world.by_id(id).unwrap()).unwrap();
        (view.sprite.unwrap().frame, view.pos)
    };
    run(&mut world, 16);
    assert_eq!((see(&world, "a").0, see(&world, "b").0, see(&world, "c").0), (4, 4, 3), "stand, stand, sink");
    let from = ["a", "b"].map(|id| see(&world, id).1);
    (0..8).for_each(|_| world.step(&Input::NONE.with(Input::DASH).with(Input::RIGHT)));
    assert_eq!(see(&world, "a").0, 1);
    assert!((see(&world, "a").1.x - from[0].x - 30.0).abs() < 0.5, "240 px/s for an eighth of a second");
    run(&mut world, 64);
    assert_eq!(see(&world, "a").0, 4, "after it, the motion chooses again");
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 16);
    (0..32).for_each(|_| world.step(&Input::NONE.with(Input::UP)));
    assert_eq!((see(&world, "b").0, see(&world, "c").0), (2, 3));
    assert!((from[1].y - see(&world, "b").1.y - 30.0).abs() < 2.0, "it climbs 60 px/s: {}", see(&world, "b").1);
    assert!(see(&world, "c").1.y < 80.0, "and swims up");
    // Up is a jump where there is nothing to go up by.
    assert!(see(&world, "a").1.y < from[0].y - 20.0, "{}", see(&world, "a").1);
}

#[test]
fn ten_thousand_ticks_are_the_same_from_a_snapshot_and_from_shuffled_files() {
    let (project, resolution) = sample();
    let mut shuffled = project.clone();
    for document in shuffled.documents.values_mut() {
        if let Document::Level(level) = Arc::make_mut(document) {
            for layer in &mut level.layers {
                if let LayerContent::Entities(entities) = &mut Arc::make_mut(layer).content {
                    entities.reverse();
                }
            }
        }
    }
    let other = resolve(&shuffled, &builtin(), None);
    // The mill has fewer things that can meet in another order.
    for (level, n_ticks) in [("courtyard", 10_000), ("mill", 2_500)] {
        let make = |project: &Project, resolution: &Resolution| {
            World::compile(project, resolution, level, Options { seed: Some(3) }).unwrap()
        };
        let (mut world, mut again) = (make(&project, &resolution), make(&shuffled, &other));
        let keys = |tick: u64| {
            let bits = levelwright::model::mix(tick / 40);
            let mut input = Input::NONE;
            Input::KEYS
                .iter()
                .filter(|(_, bit)| bits & u64::from(*bit) != 0)
                .for_each(|(_, bit)| input.set(0, *bit, true));
            input
        };
        for tick in 0..n_ticks {
            world.step(&keys(tick));
            again.step(&keys(tick));
            if tick == n_ticks / 2 {
                let snapshot = again.snapshot();
                again = make(&project, &resolution);
                again.restore(&snapshot);
            }
            if tick % 500 == 499 {
                assert_eq!(world.hash(), again.hash(), "{level} at {tick}");
                world.drain_events();
                again.drain_events();
            }
        }
    }
}

#[test]
fn the_same_seed_and_keys_give_the_same_world_and_a_snapshot_goes_on_alike() {
    let (project, resolution) = sample();
    // Two rounds of all keys; ten thousand ticks of the courtyard are above.
    for (level, ticks) in [("courtyard", 512), ("dungeon", 200), ("range", 400)] {
        let make = || World::compile(&project, &resolution, level, Options { seed: Some(7) }).unwrap();
        let keys = |tick: u64| match tick / 64 % 4 {
            0 => Input::NONE.with(Input::RIGHT),
            1 => Input::NONE.with(Input::RIGHT).with(Input::JUMP),
            2 => Input::NONE.with(Input::LEFT),
            _ => Input::NONE.with(Input::DOWN),
        };
        let (mut a, mut b) = (make(), make());
        let mut snapshot = None;
        for tick in 0..ticks {
            if tick == ticks / 2 {
                snapshot = Some(a.snapshot());
            }
            a.step(&keys(tick));
            b.step(&keys(tick));
            if tick % 100 == 0 {
                assert_eq!(a.hash(), b.hash(), "{level} at {tick}");
            }
        }
        assert_eq!(a.hash(), b.hash(), "{level}");
        let mut again = make();
        again.restore(&snapshot.unwrap());
        assert_eq!(again.tick(), ticks / 2);
        for tick in ticks / 2..ticks {
            again.step(&keys(tick));
        }
        assert_eq!(again.hash(), a.hash(), "{level} from the middle");
    }
}

#[test]
fn the_sample_scenarios_pass() {
    let (project, resolution) = sample();
    let mut n = 0;
    for (path, document) in &project.documents {
        let Document::Scenario(scenario) = &**document else { continue };
        let options = Options { seed: scenario.seed.map(i64::cast_unsigned) };
        let world = World::compile(&project, &resolution, &scenario.level, options).unwrap();
        let mut runner = Runner::new(world, scenario.secs, Some(scenario), None);
        runner.run(&mut |_| true);
        for outcome in runner.outcomes() {
            assert!(outcome.passed, "{path}: {}: {}", outcome.sentence, outcome.found);
            n += 1;
        }
        assert!(runner.problems().is_empty(), "{path}: {:?}", runner.problems());
    }
    assert!(n > 10);
}
