//! What bodies do to each other, as machines hear of it.

use super::*;

/// A world 20 cells wide with a floor at 160 px, a route `press` from (100, 60) down to (100, 150), and these entities.
fn stage(defs: &str, machines: &str, entities: &str) -> World {
    let floor = "\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"20*1\"";
    let level = format!(
        "(size: (20, 12), tile_size: (16, 16), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{floor}] }}),
            Entities(name: \"actors\", entities: {{ {entities} }}),
            Waypoints(name: \"press\", nodes: {{ \"n1\": (at: (100.0, 60.0)), \"n2\": (at: (100.0, 150.0)) }},
                links: [(from: \"n1\", to: \"n2\", cost: None, one_way: false, by: Hand)]),
        ])"
    );
    let files =
        [("entities/e.ron", defs), ("machines/m.ron", machines), ("levels/l.ron", &*level), ("tilesets/t.ron", FLOOR)];
    let (project, resolution) = project(&files);
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

/// The messages of a name that entities got: to whom, from whom.
fn told(events: &[TraceEvent], message: &str) -> Vec<(String, String)> {
    let told = events.iter().filter_map(|event| match &event.kind {
        TraceKind::Message { name, from, .. } if &**name == message => {
            Some((event.entity.to_string(), from.as_deref().unwrap_or_default().to_owned()))
        }
        _ => None,
    });
    told.collect()
}

fn pos(world: &World, id: &str) -> glam::Vec2 {
    world.entity(world.by_id(id).unwrap()).unwrap().pos
}

#[test]
fn a_press_crushes_what_is_below_it_or_waits() {
    for mode in ["Push", "Stop"] {
        let defs = format!(
            r#"{{
                "press": (set: (Collider: (shape: Box((40.0, 16.0))), Platform: (route: "press", crush: {mode}))),
                "one": (set: (Walker: (), Collider: (shape: Box((12.0, 16.0))), Brain: (machines: ["dies"]))),
                "box": (set: (Body: (), Collider: (shape: Box((12.0, 12.0))), Brain: (machines: ["dies"]))),
            }}"#
        );
        let mut world = stage(
            &defs,
            r#"{ "dies": (initial: "Alive", states: { "Alive": (transitions: [(on: "Crushed", to: "Dead")]), "Dead": (enter: [Despawn]) }) }"#,
            r#""p": (def: "press", at: (100.0, 60.0)), "w": (def: "one", at: (90.0, 150.0)), "b": (def: "box", at: (112.0, 152.0))"#,
        );
        let events = run(&mut world, 64 * 4);
        let mut who = told(&events, "Crushed");
        who.sort();
        if mode == "Push" {
            assert_eq!(who, [("b".into(), "p".into()), ("w".into(), "p".into())]);
            assert!(world.by_id("w").is_none() && world.by_id("b").is_none());
            assert!(pos(&world, "p").y < 149.0, "it is on its way up again: {}", pos(&world, "p"));
        } else {
            assert!(who.is_empty(), "{who:?}");
            assert!((pos(&world, "p").y - 136.0).abs() < 1.0, "it waits on the walker's head: {}", pos(&world, "p"));
        }
    }
}

const HUNG: &str = r#"{
    "hook": (set: (Body: (kind: Static))),
    "lamp": (set: (Body: (), Collider: (shape: Box((8.0, 8.0))), Brain: (machines: ["hears"]),
        Joint: (kind: Rope, to: "h", anchors: [(0.0, -4.0), (0.0, -40.0)], break_force: 5000.0))),
    "stone": (set: (Body: (mass: 20.0), Collider: (shape: Box((8.0, 8.0))), Brain: (machines: ["hears"]), Joint: (to: "l", anchors: [(0.0, -6.0)]))),
}"#;

const HEARS: &str =
    r#"{ "hears": (initial: "A", states: { "A": (transitions: [(on: "JointBroken", to: "B")]), "B": () }) }"#;

#[test]
fn a_rope_that_breaks_is_told_to_both_it_held_and_stays_broken() {
    let entities = r#""h": (def: "hook", at: (100.0, 20.0)), "l": (def: "lamp", at: (100.0, 60.0))"#;
    let mut world = stage(HUNG, HEARS, entities);
    let events = run(&mut world, 128);
    assert!(told(&events, "JointBroken").is_empty());
    assert!((pos(&world, "l").y - 60.0).abs() < 0.5, "it hangs: {}", pos(&world, "l"));
    let heavy = format!(r#"{entities}, "s": (def: "stone", at: (100.0, 70.0))"#);
    let mut world = stage(HUNG, HEARS, &heavy);
    let events = run(&mut world, 128);
    assert_eq!(told(&events, "JointBroken"), [("l".into(), "h".into())], "the hook has no machine");
    assert!(pos(&world, "l").y > 130.0, "it fell: {}", pos(&world, "l"));
    // Another rope is a new one, from where the level has both.
    let key = world.by_id("l").unwrap();
    assert!(world.set_field(key, "Joint.break_force", Value::Float(0.0)));
    run(&mut world, 200);
    let lamp = pos(&world, "l");
    assert!(lamp.distance(glam::Vec2::new(100.0, 20.0)) < 42.0, "{lamp}");
    // What it hangs on goes.
    let hook = world.by_id("h").unwrap();
    world.despawn(hook);
    run(&mut world, 128);
    assert!(pos(&world, "l").y > 130.0, "it fell: {}", pos(&world, "l"));
}

#[test]
fn joints_follow_edits_while_the_world_runs() {
    let entities = r#""h": (def: "hook", at: (100.0, 20.0)), "l": (def: "lamp", at: (100.0, 60.0))"#;
    let files = |defs: &str, entities: &str| {
        let level = format!(
            "(size: (20, 12), tile_size: (16, 16), layers: [Entities(name: \"actors\", entities: {{ {entities} }})])"
        );
        project(&[("entities/e.ron", defs), ("machines/m.ron", HEARS), ("levels/l.ron", &level)])
    };
    let hung = HUNG.replace(", break_force: 5000.0", "");
    let (before, resolution) = files(&hung, entities);
    let mut world = World::compile(&before, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 64);
    // A longer rope, then the hook is elsewhere, then the joint is gone.
    let longer = hung.replace("kind: Rope,", "kind: Rope, length: 80.0,");
    let (project, resolution) = files(&longer, entities);
    world = migrated(&world, &project, &resolution);
    run(&mut world, 128);
    assert!((pos(&world, "l").y - 104.0).abs() < 1.0, "{}", pos(&world, "l"));
    let (project, resolution) = files(&hung, r#""l": (def: "lamp", at: (100.0, 60.0))"#);
    world = migrated(&world, &project, &resolution);
    run(&mut world, 64);
    assert!(pos(&world, "l").y > 300.0, "nothing holds it: {}", pos(&world, "l"));
    let (project, resolution) = files(&hung, entities);
    world = migrated(&world, &project, &resolution);
    run(&mut world, 1);
    assert!(world.physics().joint_line(world.by_id("l").unwrap()).is_some(), "it is held again");
}

#[test]
fn a_hard_hit_breaks_into_pieces_that_go_on_and_a_soft_one_does_not() {
    let defs = r#"{
        "vase": (set: (
            Body: (mass: 2.0), Collider: (shape: Box((12.0, 12.0))), Brain: (machines: ["hears"]),
            Breakable: (impulse: 600.0, pieces: ["shard", "shard", "shard"], scatter: 20.0),
        )),
        "shard": (set: (Body: (mass: 0.5), Collider: (shape: Box((4.0, 4.0))))),
        "pot": (set: (Collider: (shape: Box((12.0, 12.0))), Breakable: (impulse: 100.0))),
        "stone": (set: (Body: (mass: 3.0), Collider: (shape: Circle(6.0)))),
        "own": (set: (Body: (), Collider: (shape: Box((12.0, 12.0))), Brain: (machines: ["goes"]), Breakable: (impulse: 50.0, pieces: ["shard"]))),
    }"#;
    let machines = r#"{
        "hears": (initial: "A", states: { "A": (transitions: [(on: "Broken", to: "B")]), "B": (enter: [Log(text: "crash")]) }),
        "goes": (on: { "Broken": [Despawn] }),
    }"#;
    let shards = |world: &World| world.entities().filter(|it| &**it.def == "shard").count();
    // 2 kg at √(2·900·104) = 433 px/s.
    let mut world = stage(defs, machines, r#""v": (def: "vase", at: (100.0, 50.0))"#);
    let key = world.by_id("v").unwrap();
    let mut fell = 0.0;
    while world.by_id("v").is_some() && world.tick() < 200 {
        fell = world.entity(key).unwrap().vel.y;
        run(&mut world, 1);
    }
    assert!(shards(&world) == 3 && fell > 400.0, "{fell}");
    let near = world.entities().filter(|it| it.pos.distance(glam::Vec2::new(100.0, 154.0)) < 14.0).count();
    assert_eq!(near, 3, "where it was");
    run(&mut world, 128);
    assert!(world.entities().all(|it| it.pos.y < 160.0 && it.vel.length() < 1.0), "they came to rest on the floor");
    // From a low height it stays whole, however long it stands.
    let mut world = stage(defs, machines, r#""v": (def: "vase", at: (100.0, 140.0))"#);
    run(&mut world, 128);
    assert!(world.by_id("v").is_some() && shards(&world) == 0);
    // What stands still is broken by what hits it; without pieces it is gone.
    let mut world =
        stage(defs, machines, r#""p": (def: "pot", at: (100.0, 140.0)), "s": (def: "stone", at: (100.0, 60.0))"#);
    run(&mut world, 128);
    assert!(world.by_id("p").is_none() && pos(&world, "s").y > 150.0);
    // A machine that removes it itself leaves no pieces.
    let mut world = stage(defs, machines, r#""o": (def: "own", at: (100.0, 60.0))"#);
    let events = run(&mut world, 128);
    assert_eq!(told(&events, "Broken"), [("o".to_owned(), String::new())]);
    assert!(world.by_id("o").is_none() && shards(&world) == 0);
}

#[test]
fn what_breaks_in_a_tick_without_work_left_hears_of_it_before_it_is_replaced() {
    let defs = r#"{
        "vase": (set: (Body: (mass: 2.0), Collider: (shape: Box((12.0, 12.0))), Brain: (machines: ["hears"]),
            Breakable: (impulse: 100.0, pieces: ["shard"]))),
        "shard": (set: (Tags: (tags: ["all"]))),
        "x": (set: (Brain: (machines: ["first"]))),
    }"#;
    // The contact is reported before what broke by it, and takes all the work of the tick.
    let machines = format!(
        r#"{{ "hears": (on: {{ "Contact": [{}], "Broken": [Log(text: "crash")] }}), "first": (enter: [{}]) }}"#,
        r#"Face(target: "tag:all"), "#.repeat(6000),
        r#"Spawn(def: "shard"), "#.repeat(9000),
    );
    let mut world =
        stage(defs, &machines, r#""v": (def: "vase", at: (100.0, 50.0)), "x": (def: "x", at: (10.0, 10.0))"#);
    let mut n_ticks = 0;
    let mut events = Vec::new();
    while world.by_id("v").is_some() && n_ticks < 200 {
        events.extend(run(&mut world, 1));
        n_ticks += 1;
        assert!(world.by_id("v").is_some() || told(&events, "Broken").len() == 1, "{n_ticks}");
    }
    assert!(world.by_id("v").is_none(), "it broke");
}
