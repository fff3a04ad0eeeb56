//! Rules together: a project in which nothing is wrong, fixes applied without asking, and the sample. Each rule by
//! itself is in `rules`.

use std::sync::Arc;

use levelwright::{
    check::{Images, Problem, Which, check, fix},
    defs::resolve,
    io,
    model::{Builtin, Document, Project, Severity},
};

use crate::build::path;

pub(crate) fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

/// A project in which nothing is wrong.
pub(crate) const GOOD: &[(&str, &str)] = &[
    ("project.ron", r#"(format: 1, name: "Test", start_level: "yard")"#),
    (
        "entities/all.ron",
        r#"{
            "monster": (abstract: true, set: (Health: (max: 20.0), Body: (mass: 30.0))),
            "goblin": (inherits: ["monster"], set: (Walker: (speed: 60.0), Brain: (machines: ["mind"]))),
            "coin": (set: (Sprite: (image: "sprites/coin.png"))),
            "player": (set: (Player: (), Tags: (tags: ["hero"]))),
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
    all.map(|(at, text)| (path(at), Arc::new(read(at, text)))).collect()
}

pub(crate) fn images() -> Images {
    let sized = |at: &str, size| (path(at), size);
    [
        sized("sprites/coin.png", Ok([16, 16])),
        sized("tilesets/keep.png", Ok([32, 32])),
        sized("sprites/torn.png", Err("it is torn".into())),
        sized("sounds/coin.wav", Ok([0, 0])),
        sized("sounds/torn.ogg", Err("it is torn".into())),
    ]
    .into()
}

fn problems(project: &Project) -> Vec<Problem> {
    check(project, &resolve(project, &builtin(), None), Some(&images()))
}

fn places(problems: &[Problem]) -> Vec<String> {
    crate::defs::places(&problems.iter().map(|problem| problem.finding.clone()).collect::<Vec<_>>())
}

const E: &str = "entities/more.ron";
const M: &str = "machines/more.ron";

#[test]
fn a_good_project_has_no_problems() {
    assert_eq!(places(&problems(&with(&[]))), [""; 0]);
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

/// However long a list of parents is, no fix costs more than the project is large: looking for another order tries each
/// move.
#[test]
fn long_lists_of_parents_are_checked_in_linear_time() {
    let names: Vec<String> = (0..1_500).map(|i| format!("\"p{i}\"")).collect();
    let (all, defs) = (names.join(", "), names.iter().map(|name| format!("{name}: (), ")).collect::<String>());
    let text = format!(
        "{{ {defs} \"twice\": (inherits: [{all}, \"p1\"]), \"b\": (inherits: [{all}]), \"brought\": (inherits: [\"b\", {all}]) }}"
    );
    let found = problems(&with(&[(E, &text)]));
    let twice = found.iter().find(|it| it.finding.message.contains("twice")).expect("the parent listed twice");
    assert!(twice.fixes.is_empty());
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
    // What is not there to be removed may be missing because of another error.
    let fixed = fix(&mut project.clone(), &builtin(), None, Which::SafeOf("bad-remove"));
    assert_eq!(fixed.edits, []);
    let fixed = fix(&mut project, &builtin(), None, Which::Safe);
    assert_eq!(fixed.problems.len(), 2);
    assert!(fixed.problems.iter().all(|it| it.finding.severity == Severity::Hint));
    let fixed = fix(&mut project, &builtin(), None, Which::All("bad-remove"));
    assert_eq!((fixed.problems.len(), fixed.edits.len()), (2, 2));
    assert_eq!(places(&problems(&project)), ["missing-parent @ entities/more.ron:b.inherits[0]"]);
    let def = project.def(&path(E), "a").unwrap();
    assert!(def.ops.is_empty());
}

#[test]
fn what_is_removed_from_a_misspelled_ancestor_stays_removed() {
    let misspelled = r#"{ "a": (set: (Helth: (max: 1.0))), "b": (inherits: ["a"], remove: ["Health"]) }"#;
    let mut project = with(&[(E, misspelled)]);
    fix(&mut project, &builtin(), None, Which::Safe);
    assert_eq!(project.def(&path(E), "b").unwrap().ops.remove, ["Health"]);
    fix(&mut project, &builtin(), None, Which::All("unknown-component"));
    assert_eq!(places(&problems(&project)), [""; 0]);
}

#[test]
fn what_only_the_user_can_decide_is_not_fixed_by_fix_all() {
    // Which of the parents is one too many, and what becomes of two that are one.
    let loops = r#"{ "a": (inherits: ["b"]), "b": (inherits: ["a"]) }"#;
    let twice = r#"{ "a": (set: (Helth: (max: 3.0), Health: (regen: 1.0))) }"#;
    for (text, rule) in [(loops, "inheritance-cycle"), (twice, "unknown-component")] {
        let mut project = with(&[(E, text)]);
        assert!(problems(&project).iter().any(|it| *it.finding.rule == *rule), "{rule}");
        let fixed = fix(&mut project, &builtin(), None, Which::All(rule));
        assert_eq!(fixed.edits, [], "{rule}");
    }
}

#[test]
fn what_no_schema_knows_is_declared_and_never_removed() {
    // Names that are not near each other.
    let name = |i: u8| char::from(b'A' + i % 26).to_string().repeat(if i < 26 { 6 } else { 12 });
    let said: Vec<String> = (0..50).map(|i| format!("{}: (a{i}: {i}, b: \"goblin\")", name(i))).collect();
    let text =
        format!(r#"{{ "a": (set: ({})), "b": (set: (AAAAAA: (c: true), Helth: (max: 1.0))) }}"#, said.join(", "));
    let broken = with(&[(E, &text)]);
    assert_eq!(problems(&broken).len(), 52);
    // Nothing that is safe of itself.
    let fixed = fix(&mut broken.clone(), &builtin(), None, Which::Safe);
    assert_eq!(fixed.edits, []);
    let mut project = broken.clone();
    let fixed = fix(&mut project, &builtin(), None, Which::SafeOf("unknown-component"));
    assert_eq!(fixed.problems.len(), 51);
    // What is near a name that is known is a slip.
    assert_eq!(places(&problems(&project)), ["unknown-component @ entities/more.ron:#b.set.Helth"]);
    assert!(Arc::ptr_eq(project.doc(&path(E)).unwrap(), broken.doc(&path(E)).unwrap()));
    fix(&mut project, &builtin(), None, Which::All("unknown-component"));
    assert_eq!(places(&problems(&project)), [""; 0]);
    assert!(project.def(&path(E), "b").unwrap().ops.set.contains_key("Health"));
    // Fields that come later are declared as well.
    let Document::Entities(file) = read(E, &text.replace("c: true", "c: true, deep: 1, flat: [2]")) else { panic!() };
    project.documents.insert(path(E), Arc::new(Document::Entities(file)));
    let fixed = fix(&mut project, &builtin(), None, Which::SafeOf("unknown-field"));
    assert_eq!((fixed.problems.len(), problems(&project).len()), (2, 1));
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
    let slash = r#"{ "odd": (initial: "a/b", states: { "a/b": (transitions: [(on: "Dead", to: "a/b")]) }) }"#;
    let (document, findings) = io::load_one(&path(M), slash);
    assert!(document.is_none());
    let span = findings[0].location.span.unwrap();
    assert_eq!((&*findings[0].rule, &slash[span.start..span.end]), ("wrong-value", "\"a/b\""));
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
