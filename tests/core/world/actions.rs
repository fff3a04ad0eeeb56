//! The actions of players: those of a game's own, as messages and conditions, in scenarios and in recordings.

use levelwright::{
    editor::{Controls, Pads},
    model::{CueKind, PressCue, ReleaseCue, ValueSet},
    sim::{Actions, EntityKey, Session, recorded_scenario::recorded_scenario},
};

use super::*;

const DEFS: &str = r#"{
    "hero": (set: (Player: (), Brain: (machines: ["fight"]), Walker: (), Body: (), Collider: ())),
    "second": (inherits: ["hero"], set: (Player: (index: 1))),
    "dummy": (set: (Brain: (machines: ["fight"]), Walker: (), Body: (), Collider: ())),
    "door": (set: (Player: (), Collider: (), Tracks: (tracks: { "up": (drives: Position, added: true, autostart: false, start_on: "Pressed",
        keys: [(at: 0.0, value: (0.0, 0.0)), (at: 0.5, value: (0.0, -32.0))]) }))),
    "deaf": (set: (Player: (), Brain: (machines: ["idle"]))),
}"#;

const MACHINES: &str = r#"{
    "idle": (),
    "fight": (initial: "Idle", states: {
        "Idle": (transitions: [
            (on: "Pressed", if: ActionIs(action: "Controls.attack"), to: "Hit"),
            (on: "Pressed", if: ActionIs(action: "Controls.jump"), to: "Leap"),
            (when: Holds(action: "Controls.Guard"), to: "Guard"),
        ]),
        "Hit": (transitions: [(on: "Released", to: "Idle")]),
        "Leap": (),
        "Guard": (transitions: [(when: Not(Holds(action: "Controls.Guard")), to: "Idle")]),
    }),
}"#;

const PAGE: &str = r#"(page: "Controls", values: {
    "attack": (value: ["F", "Pad North"]), "Guard": (value: ["G"]), "jump": (value: ["K"]), "strength": (value: 4.0),
})"#;

fn arena(entities: &str) -> (Project, Resolution) {
    project(&[
        ("entities/e.ron", DEFS),
        ("machines/m.ron", MACHINES),
        ("levels/l.ron", &level(entities)),
        ("tilesets/t.ron", FLOOR),
        ("tuning/controls.ron", PAGE),
    ])
}

const PLACED: &str = r#""a": (def: "hero", at: (100.0, 150.0)), "b": (def: "second", at: (140.0, 150.0)), "c": (def: "dummy", at: (180.0, 150.0)),
    "d": (def: "door", at: (300.0, 100.0)), "e": (def: "deaf", at: (20.0, 20.0))"#;

fn playing() -> World {
    let (project, resolution) = arena(PLACED);
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

fn of(world: &World, id: &str) -> EntityKey {
    world.by_id(id).unwrap()
}

fn states(world: &World) -> [String; 3] {
    ["a", "b", "c"].map(|id| world.entity(of(world, id)).unwrap().machines[0].state.to_owned())
}

#[test]
fn a_list_of_texts_on_the_page_is_an_action_that_can_be_bound_and_held() {
    let (_, resolution) = arena("");
    let actions = Actions::of(&resolution);
    let names: Vec<&str> = actions.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Left", "Right", "Up", "Down", "Jump", "Dash", "Guard", "attack"]);
    assert_eq!(actions.bit("Controls.jump"), Some(Input::JUMP));
    assert_eq!((actions.bit("strength"), actions.bit("jump"), actions.bit("Other.attack")), (None, None, None));
    let attack = actions.bit("attack").unwrap();
    assert_eq!(actions.bit("Controls.attack"), Some(attack));
    let controls = Controls::of(&resolution, &ValueSet::new());
    assert_eq!(controls.bound("attack"), ["F", "Pad North"]);
    assert_eq!(controls.input(|key| key == "F", &Pads::default()), Input::NONE.with(attack));
    assert_eq!(controls.input(|key| key == "K", &Pads::default()), Input::NONE.with(Input::JUMP));
}

#[test]
fn who_is_driven_is_told_what_its_player_presses_and_lets_go() {
    let mut world = playing();
    let attack = world.actions().bit("attack").unwrap();
    let guard = world.actions().bit("Guard").unwrap();
    run(&mut world, 2);
    world.step(&Input::NONE.with(attack));
    assert_eq!(states(&world), ["Hit", "Idle", "Idle"], "in the tick of the press");
    let events = world.drain_events();
    let told = |events: &[TraceEvent], name: &str| -> Vec<String> {
        let to = events.iter().filter(|it| matches!(&it.kind, TraceKind::Message { name: of, .. } if **of == *name));
        to.map(|event| event.entity.to_string()).collect()
    };
    assert_eq!(told(&events, "Pressed"), ["a", "d"], "those that react to it");
    (0..20).for_each(|_| world.step(&Input::NONE.with(attack)));
    assert!(world.entity(of(&world, "d")).unwrap().pos.y < 90.0, "a track that it starts");
    assert_eq!(told(&world.drain_events(), "Pressed"), [""; 0], "once");
    world.step(&Input::NONE);
    assert_eq!(states(&world)[0], "Idle");

    // Each player drives its own, and what is possessed has the first one's keys.
    let mut second = Input::NONE;
    second.set(1, guard, true);
    (0..2).for_each(|_| world.step(&second));
    assert_eq!(states(&world), ["Idle", "Guard", "Idle"]);
    run(&mut world, 2);
    assert_eq!(states(&world), ["Idle", "Idle", "Idle"]);
    world.possess(Some(of(&world, "c")));
    world.step(&Input::NONE.with(Input::JUMP));
    assert_eq!(states(&world), ["Idle", "Idle", "Leap"], "built-in ones, too");
}

#[test]
fn scenarios_press_the_games_own_actions_for_any_player() {
    let mut session = Session::new(playing());
    let attack = session.world().actions().bit("attack").unwrap();
    let mut both = Input::NONE.with(Input::RIGHT);
    both.set(1, attack, true);
    both.set(3, Input::LEFT, true);
    for (n, held) in [(10, Input::NONE), (20, both), (10, Input::NONE.with(Input::RIGHT))] {
        for _ in 0..n {
            session.pass(session.world().timestep_secs(), &held);
            while let Some(batch) = session.begin() {
                session.take(batch.run().unwrap());
            }
        }
    }
    let recorded = recorded_scenario(&session, &["a".into(), "b".into()]);
    assert_eq!(recorded.n_left_out, 0);
    let cues: Vec<_> = recorded.scenario.script.iter().map(|cue| cue.what.clone()).collect();
    let press = |action: &str, player| CueKind::Press(PressCue { action: action.into(), player });
    let release = |action: &str, player| CueKind::Release(ReleaseCue { action: action.into(), player });
    let expected = [press("Right", 0), press("attack", 1), press("Left", 3), release("attack", 1), release("Left", 3)];
    assert_eq!(cues, expected);
    // As its file has it.
    let path = DocPath::new("scenarios/played.ron").unwrap();
    let text = io::text_of(&Document::Scenario(recorded.scenario), None);
    assert!(text.contains(r#"press: "attack", player: 1"#) && text.contains(r#"press: "Right")"#), "{text}");
    let (document, findings) = io::load_one(&path, &text);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    let Some(Document::Scenario(scenario)) = document else { panic!("{text}") };
    let mut runner = Runner::new(playing(), scenario.secs, Some(&scenario), None);
    runner.run(&mut |_| true);
    assert_eq!(runner.world().hash(), session.world().hash());
    assert!(runner.outcomes().iter().all(|outcome| outcome.passed), "{:?}", runner.outcomes());

    let wrong = text.replace("attack", "atack");
    let Some(Document::Scenario(wrong)) = io::load_one(&path, &wrong).0 else { panic!("{wrong}") };
    let mut runner = Runner::new(playing(), wrong.secs, Some(&wrong), None);
    runner.run(&mut |_| true);
    let problem = &runner.problems()[0];
    assert!(problem.contains("there is no action `atack`") && problem.contains("Guard, attack"), "{problem}");
}

/// As of the window's keys that are tapped within a tick.
#[test]
fn what_a_scenario_presses_and_releases_at_once_is_pressed_for_a_tick() {
    let text = r#"(level: "l", secs: 0.5, script: [(at: 0.1, press: "attack"), (at: 0.1, release: "attack")])"#;
    let Some(Document::Scenario(taps)) = io::load_one(&DocPath::new("scenarios/taps.ron").unwrap(), text).0 else {
        panic!("{text}")
    };
    let mut runner = Runner::new(playing(), taps.secs, Some(&taps), None);
    let mut names = Vec::new();
    runner.run(&mut |event| {
        if let TraceKind::Message { name, .. } = &event.kind {
            names.push(name.to_string());
        }
        true
    });
    names.retain(|name| matches!(&**name, "Pressed" | "Released"));
    names.dedup();
    assert_eq!(names, ["Pressed", "Released"]);
}

#[test]
fn a_key_plays_the_sound_of_an_entity_without_machines() {
    let defs = r#"{ "bell": (set: (Player: (), Sounds: (sounds: { "ring": (on: "Pressed", sound: "ring.wav") }))) }"#;
    let mut world = world(defs, "{}", r#""b": (def: "bell", at: (40.0, 30.0))"#);
    let mut n_sounds = 0;
    for held in [Input::NONE, Input::NONE.with(Input::JUMP), Input::NONE.with(Input::JUMP), Input::NONE] {
        world.step(&held);
        let events = world.drain_events();
        n_sounds += events.iter().filter(|event| matches!(event.kind, TraceKind::Sound { .. })).count();
    }
    assert_eq!(n_sounds, 1);
}
