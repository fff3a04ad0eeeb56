//! Rules: for each, a project that breaks it, the exact place, and the project after its quick fix.

use std::sync::Arc;

use levelwright::{
    check::{Images, Problem, Which, check, fix, rules},
    defs::resolve,
    edit::apply_all,
    io,
    model::{Builtin, Document, Project, Severity},
};

use crate::build::path;

pub(crate) fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

/// A project in which nothing is wrong.
const GOOD: &[(&str, &str)] = &[
    ("project.ron", r#"(format: 1, name: "Test", start_level: "yard")"#),
    (
        "entities/all.ron",
        r#"{
            "monster": (abstract: true, set: (Health: (max: 20.0), Body: (mass: 30.0))),
            "goblin": (inherits: ["monster"], set: (Walker: (speed: 60.0), Brain: (machines: ["mind"]))),
            "coin": (set: (Sprite: (image: "sprites/coin.png"))),
        }"#,
    ),
    (
        "machines/all.ron",
        r#"{
            "mind": (
                initial: "Rest",
                states: {
                    "Rest": (transitions: [(on: "Damaged", to: "Flee"), (when: CanSee(target: "player"), to: "Flee")]),
                    "Flee": (enter: [Flee, Spawn(def: "coin")], transitions: [(after: 3.0, to: "Rest")]),
                },
            ),
        }"#,
    ),
    (
        "tilesets/keep.ron",
        r#"(image: "keep.png", tile_size: (16, 16), tiles: { 1: (at: (0, 0), name: "stone", shape: Full), 2: (at: (1, 1), name: "mud") })"#,
    ),
    (
        "levels/yard.ron",
        r#"(
            size: (40, 24),
            tile_size: (16, 16),
            layers: [
                Tiles(name: "ground", tileset: "keep", chunks: { (0, 0): ["1 1 2", "1"] }),
                Entities(name: "actors", entities: { "g1": (def: "goblin", at: (120.0, 64.0), set: (Health: (max: 45.0))) }),
                Waypoints(
                    name: "patrol",
                    nodes: { "n1": (at: (24.0, 40.0)), "n2": (at: (88.0, 40.0)) },
                    links: [(from: "n1", to: "n2")],
                ),
            ],
        )"#,
    ),
    ("tuning/physics.ron", r#"(page: "Physics", values: { "gravity": (value: 300.0) })"#),
    (
        "scenarios/one.ron",
        r#"(
            level: "yard",
            secs: 5.0,
            script: [(at: 1.0, to: "g1", send: "Damaged", payload: (amount: 2.0))],
            expect: [(by: 2.0, entity: "g1", state: "Flee")],
        )"#,
    ),
];

fn read(at: &str, text: &str) -> Document {
    let (document, findings) = io::load_one(&path(at), text);
    assert_eq!(findings, [], "{at}");
    document.unwrap()
}

/// The good project with other files in place of some or beside them.
pub(crate) fn with(files: &[(&str, &str)]) -> Project {
    let all = GOOD.iter().chain(files);
    Project { documents: all.map(|(at, text)| (path(at), Arc::new(read(at, text)))).collect() }
}

pub(crate) fn images() -> Images {
    let sized = |at: &str, size| (path(at), size);
    [
        sized("sprites/coin.png", Some([16, 16])),
        sized("tilesets/keep.png", Some([32, 32])),
        sized("sprites/torn.png", None),
    ]
    .into()
}

fn problems(project: &Project) -> Vec<Problem> {
    check(project, &resolve(project, &builtin(), None), Some(&images()))
}

fn places(problems: &[Problem]) -> Vec<String> {
    crate::defs::places(&problems.iter().map(|problem| problem.finding.clone()).collect::<Vec<_>>())
}

/// One broken project.
pub(crate) struct Case {
    rule: &'static str,
    pub(crate) file: (&'static str, &'static str),
    /// Every place the rule finds, without its name.
    at: &'static [&'static str],
    /// What the first fix is called, if there is one; applying it leaves nothing for the rule to find.
    fix: Option<&'static str>,
}

const fn case(
    rule: &'static str,
    file: (&'static str, &'static str),
    at: &'static [&'static str],
    fix: Option<&'static str>,
) -> Case {
    Case { rule, file, at, fix }
}

const E: &str = "entities/more.ron";
const M: &str = "machines/more.ron";
const L: &str = "levels/more.ron";

pub(crate) const CASES: &[Case] = &[
    case(
        "missing-parent",
        (E, r#"{ "a": (inherits: ["gobln"]) }"#),
        &["entities/more.ron:a.inherits[0]"],
        Some("Inherit goblin"),
    ),
    case(
        "inheritance-cycle",
        (E, r#"{ "a": (inherits: ["a", "goblin"]) }"#),
        &["entities/more.ron:a.inherits[0]"],
        Some("Do not inherit a"),
    ),
    case(
        "inconsistent-order",
        (E, r#"{ "a": (inherits: ["monster", "goblin"]) }"#),
        &["entities/more.ron:a.inherits[0]"],
        Some("List the parents as goblin, monster"),
    ),
    case(
        "unknown-component",
        (E, r#"{ "a": (set: (Helth: (max: 5.0)), scale: (Helth: (max: 2.0))) }"#),
        &["entities/more.ron:#a.scale.Helth", "entities/more.ron:#a.set.Helth"],
        Some("Rename to Health"),
    ),
    case(
        "unknown-field",
        (E, r#"{ "a": (set: (Walker: (sped: 5.0))) }"#),
        &["entities/more.ron:#a.set.Walker.sped"],
        Some("Rename to speed"),
    ),
    case(
        "unknown-field",
        (E, r#"{ "a": (set: (Sprite: (image: "sprites/coin.png", clips: { "walk": (sec: 1.0) }))) }"#),
        &["entities/more.ron:#a.set.Sprite.clips.walk.sec"],
        Some("Rename to secs"),
    ),
    case(
        "wrong-type",
        (E, r#"{ "a": (set: (Walker: (speed: "50"))) }"#),
        &["entities/more.ron:a.set.Walker.speed"],
        Some("Write 50"),
    ),
    case(
        "wrong-type",
        (E, r#"{ "a": (set: (Body: (kind: "Static"))) }"#),
        &["entities/more.ron:a.set.Body.kind"],
        Some("Write Static"),
    ),
    case(
        "wrong-type",
        (E, r#"{ "a": (inherits: ["goblin"], append: (Health: (max: [1.0]))) }"#),
        &["entities/more.ron:a.append.Health.max"],
        Some("Reset Health.max to inherited"),
    ),
    case(
        "out-of-range",
        (E, r#"{ "a": (set: (Walker: (speed: 5000))) }"#),
        &["entities/more.ron:a.set.Walker.speed"],
        Some("Use 2000, the nearest allowed"),
    ),
    case(
        "out-of-range",
        (E, r#"{ "a": (set: (Sprite: (image: "sprites/coin.png", clips: { "walk": (secs: 0.001) }))) }"#),
        &["entities/more.ron:a.set.Sprite.clips.walk.secs"],
        Some("Use 0.01, the nearest allowed"),
    ),
    case(
        "out-of-range",
        (E, r#"{ "a": (inherits: ["goblin"], scale: (Walker: (speed: 100.0))) }"#),
        &["entities/more.ron:a.scale.Walker.speed"],
        Some("Reset Walker.speed to inherited"),
    ),
    case(
        "rounded",
        (E, r#"{ "a": (set: (Sprite: (image: "sprites/coin.png", z: 3)), scale: (Sprite: (z: 0.5))) }"#),
        &["entities/more.ron:a.scale.Sprite.z"],
        Some("Reset Sprite.z to inherited"),
    ),
    case(
        "redundant-override",
        (E, r#"{ "a": (inherits: ["goblin"], set: (Walker: (speed: 60.0))) }"#),
        &["entities/more.ron:#a.set.Walker.speed"],
        Some("Reset Walker.speed to inherited"),
    ),
    case(
        "redundant-override",
        (E, r#"{ "a": (inherits: ["goblin"], set: (Walker: (speed: 60)), add: (Walker: (speed: 1))) }"#),
        &["entities/more.ron:#a.set.Walker.speed"],
        None,
    ),
    case("duplicate-name", (E, r#"{ "coin": () }"#), &["entities/all.ron:#coin", "entities/more.ron:#coin"], None),
    case(
        "bad-remove",
        (E, r#"{ "a": (inherits: ["goblin"], remove: ["Brain.machines[\"panic\"]"]) }"#),
        &["entities/more.ron:a.remove[0]"],
        Some("Drop Brain.machines[\"panic\"]"),
    ),
    case(
        "bad-remove",
        (E, r#"{ "a": (inherits: ["goblin"], remove: ["Brain.machine"]) }"#),
        &["entities/more.ron:a.remove[0]"],
        Some("Remove Brain.machines instead"),
    ),
    case(
        "abstract-instance",
        (L, r#"(tile_size: (16, 16), layers: [Entities(name: "e", entities: { "x": (def: "monster", at: (8, 8)) })])"#),
        &["levels/more.ron:layers[0].entities.x.def"],
        Some("Make it one of goblin"),
    ),
    case(
        "abstract-instance",
        (M, r#"{ "m": (enter: [Spawn(def: "monster")]) }"#),
        &["machines/more.ron:m.enter[0].def"],
        Some("Use goblin"),
    ),
    case(
        "missing-reference",
        (L, r#"(tile_size: (16, 16), layers: [Entities(name: "e", entities: { "x": (def: "gobln", at: (8, 8)) })])"#),
        &["levels/more.ron:layers[0].entities.x.def"],
        Some("Make it one of goblin"),
    ),
    case(
        "missing-reference",
        (E, r#"{ "a": (set: (Brain: (machines: ["mind", "mnd"]))) }"#),
        &["entities/more.ron:a.set.Brain.machines[1]"],
        Some("Use mind"),
    ),
    case(
        "missing-reference",
        (M, r#"{ "m": (enter: [Spawn(def: "coyn"), StartMachine(machine: "mind")]) }"#),
        &["machines/more.ron:m.enter[0].def"],
        Some("Use coin"),
    ),
    case(
        "missing-reference",
        (L, r#"(tile_size: (16, 16), layers: [Tiles(name: "t", tileset: "kepe")])"#),
        &["levels/more.ron:layers[0].tileset"],
        Some("Use keep"),
    ),
    case(
        "missing-reference",
        ("scenarios/two.ron", r#"(level: "yrd", secs: 1.0)"#),
        &["scenarios/two.ron:level"],
        None,
    ),
    case(
        "image-missing",
        (
            E,
            r#"{ "a": (set: (Sprite: (image: "sprites/coyn.png"))), "b": (set: (Sprite: (image: "sprites/torn.png"))) }"#,
        ),
        &["entities/more.ron:a.set.Sprite.image", "entities/more.ron:b.set.Sprite.image"],
        None,
    ),
    case(
        "image-missing",
        ("tilesets/b.ron", r#"(image: "kep.png", tile_size: (16, 16))"#),
        &["tilesets/b.ron:image"],
        None,
    ),
    case(
        "unknown-call",
        (M, r#"{ "m": (enter: [Sey(text: "x")], exit: [OnGround]) }"#),
        &["machines/more.ron:m.enter[0]", "machines/more.ron:m.exit[0]"],
        None,
    ),
    case(
        "unknown-call",
        (
            M,
            r#"{ "m": (initial: "A", states: { "A": () }, transitions: [(when: All([OnGround, Not(CanSea())]), to: "A")]) }"#,
        ),
        &["machines/more.ron:m.transitions[0].when[0][1][0]"],
        Some("Use CanSee"),
    ),
    case(
        "wrong-arguments",
        (M, r#"{ "m": (enter: [Say(txt: "x")]) }"#),
        &["machines/more.ron:m.enter[0]", "machines/more.ron:#m.enter[0].txt"],
        None,
    ),
    case(
        "wrong-arguments",
        (M, r#"{ "m": (on: { "Damaged": [Say(text: "x", sec: 2.0)] }) }"#),
        &["machines/more.ron:#m.on.Damaged[0].sec"],
        Some("Rename to secs"),
    ),
    case(
        "wrong-arguments",
        (
            M,
            r#"{ "m": (initial: "A", states: { "A": () }, transitions: [(on: "Damaged", if: LifeBelow(percent: 120.0), to: "A")]) }"#,
        ),
        &["machines/more.ron:m.transitions[0].if.percent"],
        Some("Use 100.0, the nearest allowed"),
    ),
    case(
        "wrong-arguments",
        (M, r#"{ "m": (enter: [Send(to: "self", message: "Damaged", payload: (amont: 1.0))]) }"#),
        &["machines/more.ron:#m.enter[0].payload.amont"],
        None,
    ),
    case(
        "unknown-message",
        (M, r#"{ "m": (on: { "Damagd": [] }, transitions: [(on: "Zzzyx", to: "")]) }"#),
        &["machines/more.ron:#m.on.Damagd", "machines/more.ron:m.transitions[0].on"],
        None,
    ),
    case(
        "unknown-message",
        (M, r#"{ "m": (enter: [Send(message: "Damagd")]) }"#),
        &["machines/more.ron:m.enter[0].message"],
        Some("Use Damaged"),
    ),
    case(
        "unknown-layer",
        (M, r#"{ "m": (enter: [FollowRoute(layer: "patrool")]) }"#),
        &["machines/more.ron:m.enter[0].layer"],
        Some("Use patrol"),
    ),
    case(
        "unknown-layer",
        (E, r#"{ "a": (set: (Platform: (route: "patrl/door"))) }"#),
        &["entities/more.ron:a.set.Platform.route"],
        Some("Use patrol/door"),
    ),
    case(
        "unknown-state",
        (M, r#"{ "m": (initial: "A", states: { "A": (transitions: [(on: "Dead", to: "B1")]), "BB": () }) }"#),
        &["machines/more.ron:m.states.A.transitions[0].to"],
        Some("Use BB"),
    ),
    case(
        "unknown-state",
        (M, r#"{ "m": (initial: "Aa", states: { "A": (enter: [SetState(state: "Nowhere")]) }) }"#),
        &["machines/more.ron:m.initial", "machines/more.ron:m.states.A.enter[0].state"],
        None,
    ),
    case(
        "unknown-state",
        (
            "scenarios/two.ron",
            r#"(level: "yard", secs: 1.0, expect: [(at: 1.0, entity: "g1", machine: "mind", state: "Fle")])"#,
        ),
        &["scenarios/two.ron:expect[0].state"],
        None,
    ),
    case(
        "no-initial",
        (M, r#"{ "m": (initial: "A", states: { "A": (states: { "X": (), "Y": () }) }) }"#),
        &["machines/more.ron:#m.states.A"],
        Some("Enter X"),
    ),
    case(
        "unreachable-state",
        (M, r#"{ "m": (initial: "A", states: { "A": (), "B": (initial: "C", states: { "C": () }) }) }"#),
        &["machines/more.ron:#m.states.B"],
        Some("Delete B"),
    ),
    case(
        "dead-transition",
        (M, r#"{ "m": (transitions: [(on: "Dead", to: ""), (on: "Dead", if: OnGround, to: "")]) }"#),
        &["machines/more.ron:m.transitions[1]"],
        Some("Delete the transition"),
    ),
    case(
        "unknown-tile",
        (
            L,
            r#"(tile_size: (16, 16), layers: [Tiles(name: "t", tileset: "keep", chunks: { (1, 0): ["1 1", ". 9h 9"] })])"#,
        ),
        &["levels/more.ron:layers[0].chunks.(1, 0)[1]"],
        Some("Erase these cells"),
    ),
    case(
        "unknown-tile",
        (
            "tilesets/b.ron",
            r#"(image: "keep.png", tile_size: (16, 16), tiles: { 1: (at: (0, 0), frames: [(tile: 4, secs: 0.1)]) })"#,
        ),
        &["tilesets/b.ron:tiles.1.frames[0].tile"],
        None,
    ),
    case(
        "entity-outside-level",
        (
            L,
            r#"(size: (2, 2), tile_size: (16, 16), layers: [Entities(name: "e", entities: { "x": (def: "coin", at: (40.0, 8.0)) })])"#,
        ),
        &["levels/more.ron:layers[0].entities.x.at"],
        Some("Move it to the edge of the level"),
    ),
    case(
        "broken-link",
        (
            L,
            r#"(tile_size: (16, 16), layers: [Waypoints(name: "w", nodes: { "n1": (at: (1, 1)) }, links: [(from: "n1", to: "n9")])])"#,
        ),
        &["levels/more.ron:layers[0].links[0].to"],
        Some("Delete the link"),
    ),
    case(
        "self-link",
        (
            L,
            r#"(tile_size: (16, 16), layers: [Waypoints(name: "w", nodes: { "n1": (at: (1, 1)) }, links: [(from: "n1", to: "n1")])])"#,
        ),
        &["levels/more.ron:layers[0].links[0]"],
        Some("Delete the link"),
    ),
    case(
        "start-level-missing",
        ("project.ron", r#"(format: 1, name: "Test", start_level: "yrad")"#),
        &["project.ron:start_level"],
        Some("Start with yard"),
    ),
    case("empty-machines", (E, r#"{ "a": (set: (Brain: ())) }"#), &["entities/more.ron:#a.set.Brain"], None),
    case(
        "tile-outside-image",
        ("tilesets/b.ron", r#"(image: "keep.png", tile_size: (16, 16), tiles: { 1: (at: (2, 0)) })"#),
        &["tilesets/b.ron:tiles.1.at"],
        None,
    ),
    case(
        "duplicate-id",
        (L, r#"(tile_size: (16, 16), layers: [Tiles(name: "a", tileset: "keep"), Tiles(name: "a", tileset: "keep")])"#),
        &["levels/more.ron:layers[1].name"],
        Some("Rename to a_2"),
    ),
    case(
        "duplicate-id",
        (
            L,
            r#"(tile_size: (16, 16), layers: [
                Entities(name: "a", entities: { "x": (def: "coin", at: (1, 1)) }),
                Waypoints(name: "b", nodes: { "x": (at: (1, 1)) }),
            ])"#,
        ),
        &["levels/more.ron:#layers[1].nodes.x"],
        None,
    ),
    case(
        "tuning-out-of-range",
        ("tuning/physics.ron", r#"(page: "Physics", values: { "gravity": (value: 99999.0) })"#),
        &["tuning/physics.ron:values.gravity.value"],
        Some("Use 5000.0, the nearest allowed"),
    ),
    case(
        "tuning-out-of-range",
        ("tuning/physics.ron", r#"(page: "Physics", values: { "gravity": (value: "down") })"#),
        &["tuning/physics.ron:values.gravity.value"],
        Some("Use 900.0, the built-in value"),
    ),
    case(
        "scenario-entity",
        ("scenarios/two.ron", r#"(level: "yard", secs: 1.0, expect: [(at: 2.0, entity: "g2", exists: true)])"#),
        &["scenarios/two.ron:expect[0].at", "scenarios/two.ron:expect[0].entity"],
        None,
    ),
    case(
        "bad-response",
        (
            "tuning/feel.ron",
            r#"(page: "Feel", values: {
                "rate": (value: 3.0, response: Decay(rate: "rat")),
                "word": (value: "x", response: Dekay(rate: 1.0)),
                "secs": (value: 1.0, response: Ease(curve: SCurve, sise: 2.0)),
                "fine": (value: 1.0, response: SmoothDamp(smooth_time: "Feel.rate", max_speed: "fine", unit: "px")),
            })"#,
        ),
        &[
            "tuning/feel.ron:values.rate.response.rate",
            "tuning/feel.ron:values.secs.response",
            "tuning/feel.ron:values.secs.response.sise",
            "tuning/feel.ron:values.word.response",
        ],
        None,
    ),
    case(
        "bad-schema",
        (
            "schemas/game.ron",
            r#"(
                enums: { "Team": ["Keep", "Wild"] },
                components: { "Flag": (fields: {
                    "side": (type: Enum("Teem")),
                    "high": (type: Float, default: 9.0, min: 0.0, max: 5.0),
                    "odd": (type: Int, min: 4.0, max: 2.0),
                }) },
            )"#,
        ),
        &[
            "schemas/game.ron:components.Flag.fields.high.default",
            "schemas/game.ron:components.Flag.fields.odd.min",
            "schemas/game.ron:components.Flag.fields.side.type",
        ],
        None,
    ),
];

#[test]
fn a_good_project_has_no_problems() {
    assert_eq!(places(&problems(&with(&[]))), [""; 0]);
}

#[test]
fn each_rule_finds_what_it_is_for_and_its_fix_mends_it() {
    let wrong: Vec<String> = CASES.iter().flat_map(try_case).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What of a case does not come true.
fn try_case(case: &Case) -> Vec<String> {
    let mut wrong = Vec::new();
    let project = with(&[case.file]);
    let of_rule = |project: &Project| -> Vec<Problem> {
        problems(project).into_iter().filter(|problem| *problem.finding.rule == *case.rule).collect()
    };
    let found = of_rule(&project);
    let expected: Vec<String> = case.at.iter().map(|at| format!("{} @ {at}", case.rule)).collect();
    if places(&found) != expected {
        return vec![format!("{:?} instead of {expected:?}", places(&found))];
    }
    let first = found[0].fixes.first().map(|fix| fix.label.as_str());
    if case.fix.is_some() && first != case.fix {
        wrong.push(format!("{expected:?}: fix {first:?} instead of {:?}", case.fix));
    }
    for problem in &found {
        for fix in &problem.fixes {
            let mut fixed = project.clone();
            if let Err(why) = apply_all(&mut fixed, &fix.edits) {
                wrong.push(format!("{expected:?}: {} is refused: {why}", fix.label));
                continue;
            }
            let left = of_rule(&fixed);
            let is_whole = case.at.len() == 1 && case.fix == Some(fix.label.as_str());
            if left.iter().any(|left| is_whole || left.finding == problem.finding) {
                wrong.push(format!("{expected:?}: {} leaves {left:?}", fix.label));
            }
        }
    }
    wrong
}

#[test]
fn every_rule_is_tried_and_named_well() {
    // These need more than one file, or a deeper one; each has its own test.
    let elsewhere = ["inheritance-depth", "preview-unknown", "deprecated"];
    let all = rules();
    for rule in &all {
        let tried = CASES.iter().any(|case| case.rule == rule.name) || elsewhere.contains(&rule.name);
        assert!(tried, "{} has no case", rule.name);
        assert!(rule.doc.ends_with('.') && rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{rule:?}");
    }
    assert!(all.array_windows().all(|[a, b]| a.name < b.name));
    assert!(all.len() >= 35);
    let fixable = CASES.iter().filter(|case| case.fix.is_some()).map(|case| case.rule);
    let fixable: std::collections::BTreeSet<_> = fixable.collect();
    assert!(fixable.len() * 2 >= all.len(), "{} of {}", fixable.len(), all.len());
}

#[test]
fn what_only_the_game_knows_is_a_hint() {
    let schema = r#"(
        conditions: { "Rains": (args: {}) },
        actions: { "Sing": (args: { "song": (type: Str), "state": (type: Str, default: "") }, deprecated: "use Say") },
    )"#;
    let machine = r#"{ "m": (enter: [Sing(song: "la", state: "hoarse")], transitions: [(when: Rains, to: "")]) }"#;
    let found = problems(&with(&[("schemas/game.ron", schema), (M, machine)]));
    assert_eq!(
        places(&found),
        [
            "deprecated @ machines/more.ron:m.enter[0]",
            "preview-unknown @ machines/more.ron:m.enter[0]",
            "preview-unknown @ machines/more.ron:m.transitions[0].when",
        ]
    );
    assert!(found[1..].iter().all(|problem| problem.finding.severity == Severity::Hint));
}

#[test]
fn too_deep_a_line_is_a_problem() {
    let defs: Vec<String> = (0..70)
        .map(|i| if i == 0 { "\"d0\": ()".to_owned() } else { format!("\"d{i}\": (inherits: [\"d{}\"])", i - 1) })
        .collect();
    let text = format!("{{ {} }}", defs.join(", "));
    assert_eq!(places(&problems(&with(&[(E, &text)]))), ["inheritance-depth @ entities/more.ron:d65.inherits"]);
}

#[test]
fn every_finding_of_resolving_becomes_a_problem() {
    for case in CASES {
        let project = with(&[case.file]);
        let resolution = resolve(&project, &builtin(), None);
        let found = check(&project, &resolution, None);
        for finding in resolution.findings() {
            assert!(found.iter().any(|problem| problem.finding == *finding), "{finding:?} is lost");
        }
    }
}

#[test]
fn safe_fixes_apply_by_themselves() {
    let mut project = with(&[(
        E,
        r#"{
            "a": (inherits: ["goblin"], remove: ["Shield", "Sight"], set: (Walker: (speed: 60.0), Health: (max: 20.0))),
            "b": (inherits: ["gobln"]),
        }"#,
    )]);
    let before = problems(&project);
    assert_eq!(before.len(), 5);
    let fixed = fix(&mut project, &builtin(), None, Which::SafeOf("bad-remove"));
    assert_eq!((fixed.problems.len(), fixed.edits.len()), (2, 2));
    let fixed = fix(&mut project, &builtin(), None, Which::Safe);
    assert_eq!(fixed.problems.len(), 2);
    assert_eq!(places(&problems(&project)), ["missing-parent @ entities/more.ron:b.inherits[0]"]);
    let def = project.def(&path(E), "a").unwrap();
    assert!(def.ops.is_empty());
}

#[test]
fn a_state_is_addressed_in_one_way_only() {
    // With a slash too many an address would name a state again and again, longer each time.
    for initial in ["/", "//", "", "/In", "In/", "In//Deep"] {
        let text = format!(
            r#"{{ "odd": (initial: "In", states: {{ "In": (initial: "{initial}", states: {{ "Deep": () }}) }}) }}"#
        );
        let found = places(&problems(&with(&[(M, &text)])));
        let expected = "unknown-state @ machines/more.ron:odd.states.In.initial".to_owned();
        assert!(found.contains(&expected), "{initial:?}: {found:?}");
    }
    let slash = r#"{ "odd": (initial: "/", states: { "/": (transitions: [(on: "Dead", to: "/")]) }) }"#;
    let found = places(&problems(&with(&[(M, slash)])));
    assert!(found.iter().any(|place| place.starts_with("unknown-state @ machines/more.ron")), "{found:?}");
}

#[test]
fn the_sample_game_has_no_problems() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data");
    let loaded = io::load(&root);
    let found = check(&loaded.project, &resolve(&loaded.project, &builtin(), None), None);
    // Its own action, which the preview cannot perform, is the only thing worth a hint.
    let shown: Vec<String> = found
        .iter()
        .filter(|problem| &*problem.finding.rule != "preview-unknown")
        .map(|problem| format!("{:?}", problem.finding))
        .collect();
    assert!(loaded.findings.is_empty() && shown.is_empty(), "{}", shown.join("\n"));
    assert!(!found.is_empty());
}
