//! Whole worlds: the examples of the contract, the sample game's scenarios, and that a run can be repeated.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use levelwright::{
    defs::{Resolution, resolve},
    io,
    model::{Builtin, DocPath, Document, Fields, Project, Value},
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
    let project = Project { documents };
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

fn lines(events: &[TraceEvent]) -> Vec<String> {
    events.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

fn amount(x: f64) -> Fields {
    [("amount".into(), Value::Float(x))].into()
}

#[test]
fn the_trace_has_the_lines_of_the_contract() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (machines: ["sentry"]), Health: (max: 100.0))) }"#,
        r#"{ "sentry": (initial: "Patrol", states: {
            "Patrol": (transitions: [(on: "Damaged", do: [Say(text: "!")], to: "Attack")]),
            "Attack": (states: { "Aim": (), "Fire": () }, initial: "Aim"),
        }) }"#,
        r#""g7f3k2": (def: "s", at: (100.0, 100.0))"#,
    );
    run(&mut world, 64);
    assert_eq!(world.send("g7f3k2", "Damaged", &amount(10.0), 0.0), 1);
    let mut events = run(&mut world, 1);
    events.extend({
        world.send("g7f3k2", "Nonsense", &Fields::new(), 0.5);
        run(&mut world, 32)
    });
    let expected = [
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","machine":"sentry","event":"message","name":"Damaged","from":null,"handled_by":"Patrol"}"#,
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","machine":"sentry","event":"transition","from":"Patrol","to":"Attack","cause":"Damaged"}"#,
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","machine":"sentry","event":"exit","state":"Patrol"}"#,
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","event":"say","text":"!"}"#,
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","machine":"sentry","event":"enter","state":"Attack"}"#,
        r#"{"t":1.0,"tick":64,"entity":"g7f3k2","machine":"sentry","event":"enter","state":"Attack/Aim"}"#,
    ];
    assert_eq!(lines(&events), expected);
    assert_eq!(
        lines(&run(&mut world, 1)),
        [
            r#"{"t":1.515625,"tick":97,"entity":"g7f3k2","machine":"sentry","event":"message","name":"Nonsense","from":null,"handled_by":null}"#
        ]
    );
    let view = world.entity(world.by_id("g7f3k2").unwrap()).unwrap();
    assert_eq!((view.machines[0].state, view.life), ("Attack/Aim", Some((90.0, 100.0))));
}

const ROCKET: &str = r#"{ "rocket": (
    enter: [Send(message: "SelfDestruct", delay: 5.0)],
    initial: "Armed",
    states: {
        "Armed": (transitions: [(on: "Hit", to: "Exploded"), (on: "SelfDestruct", to: "Exploded")]),
        "Exploded": (enter: [Despawn]),
    },
) }"#;

#[test]
fn the_rocket_explodes_at_five_or_when_hit() {
    let make =
        || world(r#"{ "r": (set: (Brain: (machines: ["rocket"]))) }"#, ROCKET, r#""r1": (def: "r", at: (0.0, 0.0))"#);
    let transition = |events: &[TraceEvent]| {
        events.iter().find_map(|event| match &event.kind {
            TraceKind::Transition { cause, .. } => Some((event.t, event.tick, cause.to_string())),
            _ => None,
        })
    };
    let mut alone = make();
    let events = run(&mut alone, 400);
    assert_eq!(transition(&events), Some((5.0, 320, "SelfDestruct".into())));
    assert_eq!(alone.n_entities(), 0);

    let mut hit = make();
    let mut events = run(&mut hit, 128);
    hit.send("r1", "Hit", &Fields::new(), 0.0);
    events.extend(run(&mut hit, 272));
    assert_eq!(transition(&events), Some((2.0, 128, "Hit".into())));
    let last = lines(&events).pop().unwrap();
    assert_eq!(
        last,
        r#"{"t":5.0,"tick":320,"entity":"r1","event":"drop","name":"SelfDestruct","reason":"no_receiver"}"#
    );
}

#[test]
fn a_scoped_message_is_dropped_when_its_entry_is_over() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (machines: ["m"]))) }"#,
        r#"{ "m": (initial: "A", states: {
            "A": (
                enter: [Send(message: "Late", delay: 1.0, scoped: true), Send(message: "Any", delay: 1.0)],
                transitions: [(on: "Go", to: "B"), (on: "Late", to: "Wrong")],
            ),
            "B": (transitions: [(on: "Back", to: "A")]),
            "Wrong": (),
        }) }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    run(&mut world, 10);
    world.send("x", "Go", &Fields::new(), 0.0);
    world.send("x", "Back", &Fields::new(), 0.0);
    let events = run(&mut world, 60);
    let at_one: Vec<String> = lines(&events.into_iter().filter(|event| event.tick == 64).collect::<Vec<_>>());
    assert_eq!(
        at_one,
        [
            r#"{"t":1.0,"tick":64,"entity":"x","machine":"m","event":"drop","name":"Late","reason":"scope"}"#,
            r#"{"t":1.0,"tick":64,"entity":"x","machine":"m","event":"message","name":"Any","from":"x","handled_by":null}"#,
        ],
        "re-entering A does not revive it"
    );
    assert!(
        run(&mut world, 30)
            .iter()
            .any(|event| matches!(&event.kind, TraceKind::Transition { to, .. } if &**to == "Wrong"))
    );
}

#[test]
fn messages_sent_meanwhile_come_after_in_the_same_tick_and_floods_are_cut() {
    let mut ring = world(
        r#"{ "s": (set: (Brain: (machines: ["m"]))) }"#,
        r#"{ "m": (on: {
            "One": [Send(message: "Two"), Send(message: "Three"), Log(text: "one")],
            "Two": [Log(text: "two"), Send(message: "Four")],
            "Three": [Log(text: "three")], "Four": [Log(text: "four")],
            "Storm": [Send(message: "Storm"), Send(message: "Storm")],
        }) }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    run(&mut ring, 1);
    ring.send("x", "One", &Fields::new(), 0.0);
    let events = run(&mut ring, 1);
    let logged: Vec<&str> = events
        .iter()
        .filter_map(|e| if let TraceKind::Log { text } = &e.kind { Some(&**text) } else { None })
        .collect();
    assert_eq!(logged, ["one", "two", "three", "four"]);
    assert!(events.iter().all(|event| event.tick == 1));
    ring.send("x", "Storm", &Fields::new(), 0.0);
    let n = run(&mut ring, 1).len();
    assert_eq!(n, 10_000);
    let flood = &ring.findings()[0];
    assert_eq!(&*flood.rule, "message-flood");
    assert!(flood.message.contains("discarded, the first `Storm` from `x` to `x`"), "{}", flood.message);
    assert_eq!(run(&mut ring, 1).len(), 0, "what was left over is gone");
}

#[test]
fn two_machines_talk_and_one_is_swapped() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (machines: ["brain", "mood"]))) }"#,
        r#"{
            "brain": (initial: "A", states: {
                "A": (transitions: [(on: "Go", do: [Send(message: "seen")], to: "B")]),
                "B": (transitions: [(when: InState(machine: "mood", state: "Angry"), to: "C")]),
                "C": (enter: [SwapMachine(machine: "calm", from: "mood")]),
            }),
            "mood": (initial: "Quiet", exit: [Log(text: "bye")], states: {
                "Quiet": (transitions: [(on: "seen", to: "Angry")]), "Angry": (),
            }),
            "calm": (initial: "Still", states: { "Still": () }),
        }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("x", "Go", &Fields::new(), 0.0);
    let events = lines(&run(&mut world, 3));
    let last: Vec<&str> =
        events.iter().rev().take(5).rev().map(|line| &line[line.find("machine").unwrap()..]).collect();
    let expected = [
        r#"machine":"mood","event":"exit","state":"Angry"}"#,
        r#"machine":"mood","event":"exit","state":""}"#,
        r#"machine":"mood","event":"log","text":"bye"}"#,
        r#"machine":"calm","event":"enter","state":""}"#,
        r#"machine":"calm","event":"enter","state":"Still"}"#,
    ];
    assert_eq!(last, expected, "{events:#?}");
    let view = world.entity(world.by_id("x").unwrap()).unwrap();
    let states: Vec<(&str, &str)> = view.machines.iter().map(|m| (&**m.name, m.state)).collect();
    assert_eq!(states, [("brain", "C"), ("calm", "Still")]);
}

#[test]
fn only_the_front_of_the_queue_runs_and_a_patrol_queues_itself_again() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (queue: ["patrol", "drink"]))) }"#,
        r#"{
            "patrol": (on: { "Next": [QueueMachine(machine: "patrol"), Finish] }),
            "drink": (on: { "Next": [Finish] }),
        }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    let shown = |world: &mut World| -> Vec<(String, bool)> {
        world.send("x", "Next", &Fields::new(), 0.0);
        run(world, 1);
        let view = world.entity(world.by_id("x").unwrap()).unwrap();
        view.machines.iter().map(|m| (m.name.to_string(), m.runs)).collect()
    };
    let named = |list: &[(&str, bool)]| list.iter().map(|(n, r)| ((*n).to_owned(), *r)).collect::<Vec<_>>();
    run(&mut world, 1);
    assert_eq!(shown(&mut world), named(&[("drink", true), ("patrol", false)]));
    assert_eq!(shown(&mut world), named(&[("patrol", true)]));
    assert_eq!(shown(&mut world), named(&[("patrol", true)]), "it queued itself, then finished");
}

#[test]
fn damage_is_taken_before_routing_and_dead_is_sent_once() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (machines: ["m"]), Health: (max: 10.0))) }"#,
        r#"{ "m": (
            transitions: [(on: "Damaged", if: LifeBelow(percent: 50.0), to: "Weak")],
            on: { "Dead": [Say(text: "ugh")] },
            states: { "Weak": (on: { "Damaged": [] }) },
        ) }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("x", "Damaged", &amount(6.0), 0.0);
    let events = run(&mut world, 1);
    assert!(lines(&events).iter().any(|line| line.contains("\"to\":\"Weak\"")), "the blow that makes it weak is seen");
    for _ in 0..3 {
        world.send("x", "Damaged", &amount(6.0), 0.0);
    }
    let says = |events: &[TraceEvent]| events.iter().filter(|e| matches!(e.kind, TraceKind::Say { .. })).count();
    assert_eq!(says(&run(&mut world, 2)), 1);
    world.send("x", "Healed", &amount(3.0), 0.0);
    world.send("x", "Damaged", &amount(9.0), 0.0);
    assert_eq!(says(&run(&mut world, 1)), 1, "healed and killed again");
}

#[test]
fn hysteresis_remembers_between_its_thresholds() {
    let mut world = world(
        r#"{ "s": (set: (Brain: (machines: ["m"]), Health: (max: 100.0))) }"#,
        r#"{ "m": (initial: "Low", states: {
            "Low": (transitions: [(when: Hysteresis(field: "Health.life", low: 30.0, high: 70.0), to: "High")]),
            "High": (transitions: [(when: Not(Hysteresis(field: "Health.life", low: 30.0, high: 70.0)), to: "Low")]),
        }) }"#,
        r#""x": (def: "s", at: (0.0, 0.0))"#,
    );
    let key = world.by_id("x").unwrap();
    let mut at = |life: f64| {
        world.set_field(key, "Health.life", Value::Float(life));
        run(&mut world, 1);
        world.entity(key).unwrap().machines[0].state.to_owned()
    };
    let seen: Vec<String> = [50.0, 69.9, 70.0].into_iter().map(&mut at).collect();
    assert_eq!(seen, ["Low", "Low", "High"]);
    // The second one starts without a memory: first seen between the two, it is false.
    assert_eq!(at(71.0), "High");
    let seen: Vec<String> = [50.0, 31.0, 29.9].into_iter().map(&mut at).collect();
    assert_eq!(seen, ["High", "High", "Low"]);
}

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
    let mut world = world.migrate(&project, &resolution).unwrap();
    assert_eq!(world.field(key, "Walker.speed"), Some(Value::Float(105.0)));
    world.send("x", "Slow", &Fields::new(), 0.0);
    run(&mut world, 1);
    assert_eq!(world.field(key, "Walker.speed"), Some(Value::Float(90.0)));
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

    let same = old.migrate(&project, &resolution).unwrap();
    assert_eq!(same.hash(), old.hash(), "nothing changed, nothing changes");

    // The inner state is gone, another stands before `A`, the timer is the same one.
    let after = r#"{ "m": (initial: "Z", states: {
        "Z": (),
        "A": (initial: "New", transitions: [(after: 1.0, to: "B")], states: { "New": () }), "B": (),
    }) }"#;
    let (project, resolution) = files(after, r#""y": (def: "s", at: (200.0, 20.0))"#);
    let mut new = old.migrate(&project, &resolution).unwrap();
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
    let back = new.migrate(&project, &resolution).unwrap();
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
    let mut world = world.migrate(&project, &resolution).unwrap();
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
    let mut world = world.migrate(&project, &resolution).unwrap();
    let same = world.migrate(&project, &resolution).unwrap();
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
    let mut world = world.migrate(&project, &resolution).unwrap();
    let view = world.entity(world.by_id("x").unwrap()).unwrap();
    let names: Vec<&str> = view.machines.iter().filter(|m| m.runs).map(|m| &**m.name).collect();
    assert_eq!(names, ["c", "d", "b"]);
    assert!(world.drain_events().iter().any(|e| matches!(&e.kind, TraceKind::Log { text } if text == "left")));
}

#[test]
fn spawned_things_start_after_the_response_and_are_told_by_kind() {
    let mut world = world(
        r#"{
            "gun": (set: (Brain: (machines: ["gun"]))),
            "shot": (set: (Brain: (machines: ["shot"]), Tags: (tags: ["hot"]))),
            "big_shot": (inherits: ["shot"]),
        }"#,
        r#"{
            "gun": (on: {
                "Fire": [Spawn(def: "big_shot"), Spawn(def: "shot", at: (8.0, 0.0)), Send(to: "def:shot", message: "Hello")],
                "Cease": [Despawn(target: "tag:hot")],
            }),
            "shot": (enter: [Log(text: "born")], on: { "Hello": [Log(text: "hi")] }),
        }"#,
        r#""g": (def: "gun", at: (0.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("g", "Fire", &Fields::new(), 0.0);
    let events = run(&mut world, 1);
    let log: Vec<(&str, &str)> = events
        .iter()
        .filter_map(|e| if let TraceKind::Log { text } = &e.kind { Some((&*e.entity, &**text)) } else { None })
        .collect();
    assert_eq!(log, [("big_shot#1", "born"), ("shot#2", "born"), ("big_shot#1", "hi"), ("shot#2", "hi")]);
    world.send("g", "Cease", &Fields::new(), 0.0);
    run(&mut world, 1);
    assert_eq!(world.n_entities(), 1);
}

#[test]
fn a_manager_hears_copies_of_what_others_are_told() {
    let mut world = world(
        r#"{ "boss": (set: (Brain: (machines: ["boss"]))), "man": (set: (Brain: (machines: ["man"]))) }"#,
        r#"{
            "boss": (enter: [Watch(target: "def:man")], on: { "Alarm": [Log(text: "heard")] }),
            "man": (on: { "Alarm": [Log(text: "run")] }),
        }"#,
        r#""b": (def: "boss", at: (0.0, 0.0)), "m": (def: "man", at: (50.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("m", "Alarm", &Fields::new(), 0.0);
    let events = lines(&run(&mut world, 1));
    let heard = r#"{"t":0.015625,"tick":1,"entity":"b","machine":"boss","event":"message","name":"Alarm","from":null,"handled_by":"","to":"m"}"#;
    assert!(events.contains(&heard.to_owned()), "{events:#?}");
    assert_eq!(events.iter().filter(|line| line.contains("\"event\":\"log\"")).count(), 2);
}

#[test]
fn a_manager_hears_of_the_message_that_kills() {
    let mut world = world(
        r#"{ "boss": (set: (Brain: (machines: ["boss"]))), "man": (set: (Brain: (machines: ["man"]))) }"#,
        r#"{
            "boss": (enter: [Watch(target: "m")], on: { "Alarm": [Log(text: "heard")] }),
            "man": (on: { "Alarm": [Despawn] }),
        }"#,
        r#""b": (def: "boss", at: (0.0, 0.0)), "m": (def: "man", at: (50.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("m", "Alarm", &Fields::new(), 0.0);
    let events = lines(&run(&mut world, 1));
    assert!(world.by_id("m").is_none());
    assert!(events.iter().any(|line| line.contains("\"text\":\"heard\"")), "{events:#?}");
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
fn the_same_seed_and_keys_give_the_same_world_and_a_snapshot_goes_on_alike() {
    let (project, resolution) = sample();
    for (level, ticks) in [("courtyard", 2000), ("dungeon", 200), ("range", 400)] {
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
