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
