//! A world whose game is edited while it runs.

use super::*;

#[test]
fn fields_change_by_amounts_that_survive_an_edit() {
    let defs = |speed: &str| {
        format!(r#"{{ "s": (set: (Brain: (machines: ["m"]), Walker: (speed: {speed}), Collider: ())) }}"#)
    };
    let machines = r#"{ "m": (on: {
        "Fast": [AddField(field: "Walker.speed", by: 15.0)], "Slow": [AddField(field: "Walker.speed", by: -15.0)],
    }) }"#;
    let files = |defs: &str| {
        project(&[
            ("entities/e.ron", defs),
            ("machines/m.ron", machines),
            ("levels/l.ron", &level(r#""x": (def: "s", at: (64.0, 150.0))"#)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (project, resolution) = files(&defs("50.0"));
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    let key = world.by_id("x").unwrap();
    world.send("x", "Fast", &Fields::new(), 0.0);
    run(&mut world, 1);
    assert_eq!(world.field(key, "Walker.speed"), Some(Value::Float(65.0)));
    let (project, resolution) = files(&defs("90.0"));
    let mut world = migrated(&world, &project, &resolution);
    assert_eq!(world.field(key, "Walker.speed"), Some(Value::Float(105.0)));
    world.send("x", "Slow", &Fields::new(), 0.0);
    run(&mut world, 1);
    assert_eq!(world.field(key, "Walker.speed"), Some(Value::Float(90.0)));
}

#[test]
fn a_component_that_an_edit_removes_is_gone_although_a_field_of_it_was_changed() {
    let files = |components: &str| {
        project(&[
            ("entities/e.ron", &*format!(r#"{{ "s": (set: (Brain: (machines: ["m"]){components})) }}"#)),
            ("machines/m.ron", r#"{ "m": (on: { "Fast": [AddField(field: "Walker.speed", by: 15.0)] }) }"#),
            ("levels/l.ron", &level(r#""x": (def: "s", at: (64.0, 20.0))"#)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (with, without) = (files(", Walker: (speed: 50.0), Health: (max: 10.0)"), files(""));
    let mut world = World::compile(&with.0, &with.1, "l", Options::default()).unwrap();
    let key = world.by_id("x").unwrap();
    world.send("x", "Fast", &Fields::new(), 0.0);
    run(&mut world, 1);
    assert!(world.set_field(key, "Health.max", Value::Float(1e30)));
    let mut edited = migrated(&world, &without.0, &without.1);
    edited.send("x", "Fast", &Fields::new(), 0.0);
    run(&mut edited, 1);
    for field in ["Walker.speed", "Health.max"] {
        assert_eq!(edited.field(key, field), None, "{field}");
    }
    assert!(!edited.set_field(key, "Health.max", Value::Float(1.0)), "there is no such component");
    let view = edited.entity(key).unwrap();
    assert_eq!((view.life, view.resolved.components.keys().map(|name| &**name).collect()), (None, vec!["Brain"]));
    assert!(!edited.physics().contains(key), "nothing of it is physical");
    // With the component the change is back.
    let again = migrated(&edited, &with.0, &with.1);
    assert_eq!(again.field(key, "Walker.speed"), Some(Value::Float(65.0)));
}

#[test]
fn migration_keeps_poses_states_timers_and_life() {
    let files = |machine: &str, more: &str| {
        project(&[
            (
                "entities/e.ron",
                r#"{ "s": (set: (Brain: (machines: ["m"]), Health: (max: 10.0), Body: (), Collider: ())) }"#,
            ),
            ("machines/m.ron", machine),
            ("levels/l.ron", &level(&format!(r#""x": (def: "s", at: (64.0, 20.0)), {more}"#))),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let before = r#"{ "m": (initial: "A", states: {
        "A": (initial: "In", transitions: [(after: 1.0, to: "B")], states: { "In": () }), "B": (),
    }) }"#;
    let (project, resolution) = files(before, "");
    let mut old = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut old, 20);
    old.send("x", "Damaged", &amount(4.0), 0.0);
    run(&mut old, 1);
    let key = old.by_id("x").unwrap();

    let same = migrated(&old, &project, &resolution);
    assert_eq!(same.hash(), old.hash(), "nothing changed, nothing changes");

    // The inner state is gone, another stands before `A`, the timer is the same one.
    let after = r#"{ "m": (initial: "Z", states: {
        "Z": (),
        "A": (initial: "New", transitions: [(after: 1.0, to: "B")], states: { "New": () }), "B": (),
    }) }"#;
    let (project, resolution) = files(after, r#""y": (def: "s", at: (200.0, 20.0))"#);
    let mut new = migrated(&old, &project, &resolution);
    let (was, is) = (old.entity(key).unwrap(), new.entity(key).unwrap());
    assert_eq!((is.pos, is.vel, is.life), (was.pos, was.vel, Some((6.0, 10.0))));
    assert_eq!(is.machines[0].state, "A/New");
    assert!(new.findings().iter().any(|finding| &*finding.rule == "preview-state-gone"), "{:?}", new.findings());
    assert_eq!(new.entity(new.by_id("y").unwrap()).unwrap().machines[0].state, "Z", "the newcomer starts at once");
    new.drain_events();
    let events = run(&mut new, 60);
    let to_b = events.iter().find(|e| matches!(&e.kind, TraceKind::Transition { to, .. } if &**to == "B")).unwrap();
    assert_eq!(to_b.tick, 64, "its time went on");

    // And back: what was added is gone again.
    let (project, resolution) = files(before, "");
    let back = migrated(&new, &project, &resolution);
    assert_eq!((back.n_entities(), back.by_id("y")), (1, None));
}

/// A world with one entity `x` that runs a machine, after so many ticks of one text and edited to another.
fn reloaded(before: &str, n_ticks: u64, after: &str) -> World {
    let files = |machine: &str| {
        project(&[
            ("entities/e.ron", r#"{ "s": (set: (Brain: (machines: ["m"]), Health: (max: 10.0))) }"#),
            ("machines/m.ron", machine),
            ("levels/l.ron", &level(r#""x": (def: "s", at: (64.0, 20.0))"#)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (project, resolution) = files(before);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, n_ticks);
    let (project, resolution) = files(after);
    let mut world = migrated(&world, &project, &resolution);
    world.drain_events();
    world
}

/// The ticks of transitions and the states they lead to.
fn transitions(world: &mut World, n_ticks: u64) -> Vec<(u64, String)> {
    let to = |event: &TraceEvent| match &event.kind {
        TraceKind::Transition { to, .. } => Some((event.tick, to.to_string())),
        _ => None,
    };
    run(world, n_ticks).iter().filter_map(to).collect()
}

#[test]
fn timers_follow_their_own_transitions() {
    let machine = |transitions: &str| {
        format!(r#"{{ "m": (initial: "S", states: {{ "S": (transitions: [{transitions}]), "a": (), "b": () }}) }}"#)
    };
    let (a, b) = (r#"(after: 0.5, to: "a")"#, r#"(after: 1.0, to: "b")"#);
    let both = machine(&format!("{a}, {b}"));
    let to_a = vec![(32, "a".to_owned())];
    let to_b = vec![(64, "b".to_owned())];
    // The first is deleted: its message must not fire the second.
    assert_eq!(transitions(&mut reloaded(&both, 10, &machine(b)), 100), to_b);
    // Another order, and another one in front.
    assert_eq!(transitions(&mut reloaded(&both, 10, &machine(&format!("{b}, {a}"))), 100), to_a);
    let late = r#"(after: 50.0, to: "b")"#;
    assert_eq!(transitions(&mut reloaded(&machine(a), 10, &machine(&format!("{late}, {a}"))), 100), to_a);
    // One that comes in front starts when it comes, and leaves the others waiting.
    let early = r#"(after: 0.25, to: "b")"#;
    let early_then_a = transitions(&mut reloaded(&machine(a), 10, &machine(&format!("{early}, {a}"))), 100);
    assert_eq!(early_then_a, [(26, "b".to_owned())]);
    // One with another delay is the same one, and goes on waiting as it was.
    let slower = r#"(after: 0.75, to: "a")"#;
    assert_eq!(transitions(&mut reloaded(&both, 10, &machine(&format!("{b}, {slower}"))), 100), to_a);
}

#[test]
fn a_state_that_gets_states_inside_enters_its_initial_one() {
    let before = r#"{ "m": (initial: "Chase", states: { "Chase": () }) }"#;
    let after = r#"{ "m": (initial: "Chase", states: { "Chase": (initial: "Run", states: { "Run": () }) }) }"#;
    let world = reloaded(before, 10, after);
    let key = world.by_id("x").unwrap();
    assert_eq!(world.entity(key).unwrap().machines[0].state, "Chase/Run");
    assert!(!world.findings().iter().any(|finding| &*finding.rule == "preview-state-gone"), "nothing is gone");
}

/// `Health.max` is 10 and stays: above `high` of the first condition, between the bounds of the second.
#[test]
fn remembered_answers_follow_their_conditions() {
    let machine = |transitions: &str| {
        format!(r#"{{ "m": (initial: "S", states: {{ "S": (transitions: [{transitions}]), "a": (), "b": () }}) }}"#)
    };
    let never = "if: LifeBelow(percent: 0.0)";
    let known = format!(r#"(when: Hysteresis(field: "Health.max", low: 1.0, high: 9.0), {never}, to: "a")"#);
    let open = r#"(when: Hysteresis(field: "Health.max", low: 5.0, high: 50.0), to: "b")"#;
    let mut world = reloaded(&machine(&format!("{known}, {open}")), 10, &machine(&format!("{open}, {known}")));
    assert_eq!(transitions(&mut world, 20), [], "the answer of the one is not that of the other");
}

#[test]
fn an_after_transition_added_to_the_active_state_starts_when_it_is_added() {
    let files = |transitions: &str| {
        let machine = format!(
            r#"{{ "m": (initial: "A", states: {{
                "A": (initial: "In", transitions: [{transitions}], states: {{ "In": () }}), "B": (), "C": (),
            }}) }}"#
        );
        project(&[
            ("entities/e.ron", r#"{ "s": (set: (Brain: (machines: ["m"]))) }"#),
            ("machines/m.ron", &machine),
            ("levels/l.ron", &level(r#""x": (def: "s", at: (64.0, 20.0))"#)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (project, resolution) = files(r#"(after: 2.0, to: "B")"#);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 20);
    let (project, resolution) = files(r#"(after: 2.0, to: "B"), (after: 0.5, to: "C")"#);
    let mut world = migrated(&world, &project, &resolution);
    let same = migrated(&world, &project, &resolution);
    assert_eq!(same.hash(), world.hash(), "a timer that runs is not started again");
    world.drain_events();
    let events = run(&mut world, 60);
    let to_c = events.iter().find(|e| matches!(&e.kind, TraceKind::Transition { to, .. } if &**to == "C"));
    assert_eq!(to_c.map(|e| e.tick), Some(52), "half a second after the edit: {events:?}");
}

#[test]
fn a_changed_list_of_machines_is_followed_while_it_runs() {
    let files = |list: &str| {
        project(&[
            ("entities/e.ron", &*format!("{{ \"s\": (set: (Brain: (machines: [{list}]))) }}")),
            (
                "machines/m.ron",
                r#"{ "a": (exit: [Log(text: "left")]), "b": (), "c": (on: { "Go": [StartMachine(machine: "d")] }), "d": () }"#,
            ),
            ("levels/l.ron", &level(r#""x": (def: "s", at: (0.0, 0.0))"#)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (project, resolution) = files(r#""a", "c""#);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 1);
    world.send("x", "Go", &Fields::new(), 0.0);
    run(&mut world, 1);
    let (project, resolution) = files(r#""b", "c""#);
    let mut world = migrated(&world, &project, &resolution);
    let view = world.entity(world.by_id("x").unwrap()).unwrap();
    let names: Vec<&str> = view.machines.iter().filter(|m| m.runs).map(|m| &**m.name).collect();
    assert_eq!(names, ["c", "d", "b"]);
    assert!(world.drain_events().iter().any(|e| matches!(&e.kind, TraceKind::Log { text } if text == "left")));
}

#[test]
fn what_an_edit_adds_comes_in_the_order_of_ids_and_leaves_as_it_came() {
    let files = |entities: &str| {
        let defs = r#"{
            "s": (set: (Brain: (machines: ["m"]), Tags: (tags: ["crowd"]), Body: (), Collider: (), Joint: (kind: Rope, length: 40.0))),
            "asker": (set: (Brain: (machines: ["ask"]))),
        }"#;
        let machines =
            r#"{ "m": (on: { "Go": [Despawn()] }), "ask": (on: { "Go": [Send(to: "crowd", message: "Go")] }) }"#;
        project(&[
            ("entities/e.ron", defs),
            ("machines/m.ron", machines),
            ("levels/l.ron", &level(entities)),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let place = |id: &str, x: i32| format!("\"{id}\": (def: \"s\", at: ({x}.0, 60.0))");
    let asker = r#""q": (def: "asker", at: (0.0, 0.0))"#;
    let (before, resolution) = files(asker);
    let played = |entities: [String; 3]| {
        let mut world = World::compile(&before, &resolution, "l", Options::default()).unwrap();
        run(&mut world, 10);
        let (edited, its) = files(&format!("{asker}, {}", entities.join(", ")));
        let mut world = migrated(&world, &edited, &its);
        run(&mut world, 30);
        let ids: Vec<String> = world.entities().map(|entity| entity.id.to_string()).collect();
        (ids, world)
    };
    let (ids, mut world) = played([place("z", 60), place("a", 80), place("k", 100)]);
    assert_eq!(ids, ["q", "a", "k", "z"]);
    let (others, other) = played([place("k", 100), place("z", 60), place("a", 80)]);
    assert_eq!((others, other.hash()), (ids, world.hash()), "whatever their order in the file");
    // Those that are left are still found, and held by their joints.
    for left in [vec!["a", "k", "q"], vec!["k", "q"], vec!["q"]] {
        let nearest = if left.len() == 3 {
            "z"
        } else if left.len() == 2 {
            "a"
        } else {
            "k"
        };
        world.send("q", "Go", &Fields::new(), 0.0);
        run(&mut world, 2);
        assert!(world.by_id(nearest).is_none(), "{left:?}");
        let mut ids: Vec<String> = world.entities().map(|entity| entity.id.to_string()).collect();
        ids.sort();
        assert_eq!(ids, left);
        let held = |id: &&&str| world.by_id(id).is_some_and(|key| world.physics().joint(key).is_some());
        assert_eq!(left.iter().filter(held).count(), left.len() - 1);
        assert_eq!(world.send("tag:crowd", "Nothing", &Fields::new(), 0.0), left.len() - 1);
    }
}

#[test]
fn a_platform_goes_on_its_way_when_something_else_of_its_level_is_edited() {
    let files = |more: &str, b: &str| {
        let defs =
            r#"{ "lift": (set: (Platform: (route: "path", speed: 80.0, ease_secs: 0.5), Collider: ())), "x": () }"#;
        let level = format!(
            r#"(size: (40, 10), tile_size: (16, 16), layers: [
                Entities(name: "a", entities: {{ "lift": (def: "lift", at: (40.0, 40.0)), {more} }}),
                Waypoints(name: "path", nodes: {{ "a": (at: (40.0, 40.0)), "b": (at: ({b}, 40.0)) }},
                    links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand)]),
            ])"#
        );
        project(&[("entities/e.ron", defs), ("levels/l.ron", &*level)])
    };
    let (at_first, resolution) = files("", "200.0");
    let mut plain = World::compile(&at_first, &resolution, "l", Options::default()).unwrap();
    // On its way back from `b`, where it began anew it would turn.
    run(&mut plain, 280);
    let x = |world: &World| world.entity(world.by_id("lift").unwrap()).unwrap().pos.x;
    let before = x(&plain);
    let (more, resolution) = files(r#""x": (def: "x", at: (300.0, 40.0))"#, "200.0");
    let mut edited = migrated(&plain, &more, &resolution);
    let (moved, resolution) = files("", "240.0");
    let mut rerouted = migrated(&plain, &moved, &resolution);
    run(&mut plain, 20);
    run(&mut edited, 20);
    assert!(x(&plain) < before, "it goes back: {before}, {}", x(&plain));
    assert_eq!(x(&edited).to_bits(), x(&plain).to_bits());
    let farthest = (0..800).map(|_| (run(&mut rerouted, 1), x(&rerouted)).1).fold(0.0, f32::max);
    assert!((farthest - 240.0).abs() < 0.5, "a waypoint of its route was moved: {farthest}");
}

/// A level seen from above with `w` in it, who is of a definition with these components and runs this machine, and a
/// waypoint layer `way` of these nodes and links.
fn on_the_way(mover: &str, machine: &str, nodes: &str, links: &str) -> (Project, Resolution) {
    let defs = format!(r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}, Agent: (radius: 4.0))) }}"#);
    let machines = format!(r#"{{ "go": {machine} }}"#);
    let level = format!(
        r#"(size: (40, 20), tile_size: (16, 16), view: Some(TopDown), layers: [
            Entities(name: "a", entities: {{ "w": (def: "w", at: (40.0, 40.0)) }}),
            Waypoints(name: "way", auto_link: false, nodes: {{ {nodes} }}, links: [{links}]),
        ])"#
    );
    project(&[("entities/e.ron", &*defs), ("machines/m.ron", &*machines), ("levels/l.ron", &*level)])
}

/// Nodes `a`, `b` and so on at these places.
fn nodes_at(places: &[(f32, f32)]) -> String {
    let node = |(id, (x, y)): (char, &(f32, f32))| format!("\"{id}\": (at: ({x:.1}, {y:.1})), ");
    ('a'..).zip(places).map(node).collect()
}

fn linked(pairs: &[(&str, &str)]) -> String {
    pairs.iter().map(|(a, b)| format!("(from: \"{a}\", to: \"{b}\", cost: None, one_way: false, by: Hand), ")).collect()
}

const WALKER: &str = "Walker: (speed: 100.0), Body: (), Collider: (shape: Circle(4.0))";

#[test]
fn a_missing_link_that_is_drawn_lets_who_waits_for_it_go() {
    let machine = r#"(initial: "Go", states: {
        "Go": (enter: [GoTo(at: Some((400.0, 40.0)), layer: "way")], transitions: [(on: "Arrived", to: "There")]),
        "There": (),
    })"#;
    let nodes = nodes_at(&[(40.0, 40.0), (200.0, 40.0), (400.0, 40.0)]);
    let files = |links: &[(&str, &str)]| on_the_way(WALKER, machine, &nodes, &linked(links));
    let (project, resolution) = files(&[("a", "b")]);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 200);
    let state = |world: &World| world.entity(world.by_id("w").unwrap()).unwrap().machines[0].state.to_owned();
    assert!(world.paths().any(|path| path.no_path.is_some()), "no link leads on from b");
    let (project, resolution) = files(&[("a", "b"), ("b", "c")]);
    let mut world = migrated(&world, &project, &resolution);
    run(&mut world, 400);
    assert_eq!(state(&world), "There");
}

/// The places of `w` over so many ticks.
fn way_of(world: &mut World, ticks: u32) -> Vec<glam::Vec2> {
    let place = |world: &World| world.entity(world.by_id("w").unwrap()).unwrap().pos;
    (0..ticks).map(|_| (run(world, 1), place(world)).1).collect()
}

#[test]
fn who_is_on_a_route_goes_where_its_nodes_are_now() {
    let flyer = "Flyer: (speed: 100.0, acceleration: 2000.0), Body: (), Collider: (shape: Circle(4.0))";
    let platform = r#"Platform: (route: "way", mode: MODE, speed: 100.0), Collider: (shape: Box((16.0, 4.0)))"#;
    let abc = [(40.0, 40.0), (200.0, 40.0), (200.0, 200.0)];
    let near = |way: &[glam::Vec2], x: f32, y: f32| way.iter().any(|p| p.distance(glam::Vec2::new(x, y)) < 10.0);
    for mover in [WALKER, flyer, platform] {
        for mode in ["Loop", "PingPong", "Once"] {
            let machine = format!(r#"(enter: [FollowRoute(layer: "way", mode: {mode})])"#);
            let machine = if mover == platform { "()" } else { &*machine };
            let mover = mover.replace("MODE", mode);
            let links = linked(&[("a", "b"), ("b", "c")]);
            let files = |nodes: &str, links: &str| on_the_way(&mover, machine, nodes, links);
            let (project, resolution) = files(&nodes_at(&abc), &links);
            let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
            // On its way from `a` to `b`.
            run(&mut world, 60);
            let what = format!("{mover}, {mode}");

            let (moved, its) = files(&nodes_at(&[abc[0], (240.0, 100.0), (80.0, 220.0)]), &links);
            let way = way_of(&mut migrated(&world, &moved, &its), 500);
            assert!(near(&way, 240.0, 100.0) && near(&way, 80.0, 220.0), "{what}: moved nodes");
            assert!(!near(&way, 200.0, 40.0) && !near(&way, 200.0, 200.0), "{what}: where they were");

            // Without the one it was heading for, it goes to the next.
            let (fewer, its) =
                files(&nodes_at(&abc).replace("\"b\": (at: (200.0, 40.0)), ", ""), &linked(&[("a", "c")]));
            let way = way_of(&mut migrated(&world, &fewer, &its), 500);
            assert!(near(&way, 200.0, 200.0) && !near(&way, 200.0, 40.0), "{what}: without a node");

            // Another before it, and another layer or nothing edited at all, leave it on its way.
            let more = format!("\"z\": (at: (40.0, 300.0)), {}", nodes_at(&abc));
            let (more, its) = files(&more, &format!("{links}{}", linked(&[("z", "a")])));
            let way = way_of(&mut migrated(&world, &more, &its), 300);
            let first = way.iter().find(|p| near(&[**p], 200.0, 40.0) || near(&[**p], 40.0, 300.0));
            assert!(first.is_some_and(|p| near(&[*p], 200.0, 40.0)), "{what}: {first:?}");
        }
    }
}
