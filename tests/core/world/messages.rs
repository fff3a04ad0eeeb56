//! Messages: routing, order, scopes, managers, deaths.

use super::*;

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
fn a_manager_hears_of_what_comes_after_the_receiver_is_gone() {
    let mut world = world(
        r#"{ "boss": (set: (Brain: (machines: ["boss"]))), "man": (set: (Brain: (machines: ["man"]))) }"#,
        r#"{
            "boss": (enter: [Watch(target: "m")], on: { "Alarm": [Log(text: "heard")] }),
            "man": (on: { "Go": [Despawn] }),
        }"#,
        r#""b": (def: "boss", at: (0.0, 0.0)), "m": (def: "man", at: (50.0, 0.0))"#,
    );
    run(&mut world, 1);
    world.send("m", "Go", &Fields::new(), 0.0);
    world.send("m", "Alarm", &Fields::new(), 0.0);
    world.send("m", "Alarm", &Fields::new(), 0.5);
    let events = lines(&run(&mut world, 64));
    let n = |text: &str| events.iter().filter(|line| line.contains(text)).count();
    assert_eq!((n("\"text\":\"heard\""), n("no_receiver")), (2, 2), "{events:#?}");
}
