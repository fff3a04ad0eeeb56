//! Renaming everything in the sample game that has a name: every use follows, nothing new is wrong, and the way back
//! gives the same documents.

use std::collections::{BTreeMap, BTreeSet};

use levelwright::{
    check,
    defs::resolve,
    edit::Refusal,
    io,
    model::*,
    refactor::{NameKind, Named, Plan, names, rename},
};

use crate::cases::one_in;

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

fn sample() -> Project {
    io::load("sample_data".as_ref()).project
}

fn renamed(project: &Project, what: &Named, to: &str) -> Result<Project, Refusal> {
    let plan: Plan = rename(project, &resolve(project, &builtin(), None), what, to)?;
    plan.tried_on(project)
}

fn problems(project: &Project, new: &str, old: &str) -> BTreeSet<String> {
    let found = check::check(project, &resolve(project, &builtin(), None), None);
    found.iter().map(|it| format!("{}: {}", it.finding.rule, it.finding.message).replace(new, old)).collect()
}

/// What the whole name is after the last part is replaced.
fn after(what: &Named, to: &str) -> Named {
    let head = &what.name[..what.name.len() - what.own_name().len()];
    Named::new(what.kind, format!("{head}{to}"))
}

#[test]
fn every_name_of_the_sample_goes_there_and_back() {
    let project = sample();
    let resolution = resolve(&project, &builtin(), None);
    let old = problems(&project, "", "");
    let mut n_kinds = BTreeSet::new();
    for kind in NameKind::ALL {
        let all: Vec<String> = names(&project, &resolution, kind).into_iter().collect();
        // One in several of what there is much of, two or three.
        for name in one_in((all.len() / 2).max(1), &all) {
            let what = Named::new(kind, name.as_str());
            let there = match renamed(&project, &what, "Zzq_new") {
                Ok(there) => there,
                Err(why) => {
                    let why = why.to_string();
                    assert!(why.contains("built in"), "{}: {why}", what.describe());
                    continue;
                }
            };
            n_kinds.insert(kind);
            assert!(there != project, "{} is renamed", what.describe());
            assert_eq!(problems(&there, "Zzq_new", what.own_name()), old, "{}", what.describe());
            let back = renamed(&there, &after(&what, "Zzq_new"), what.own_name()).unwrap();
            for (path, doc) in &project.documents {
                assert_eq!(Some(doc), back.doc(path), "{}: {path}", what.describe());
            }
            assert_eq!(back.documents.len(), project.documents.len());
            // What is found by comparing is in the words of the text.
            let found = io::differences(&project, &there);
            assert!(!found.is_empty());
            assert!(found.iter().all(|it| it.after.as_ref().is_some_and(|text| text.contains("Zzq_new"))), "{found:?}");
            let texts: Vec<&str> = found.iter().filter_map(|it| it.before.as_deref()).collect();
            assert!(texts.iter().all(|text| text.contains(what.own_name())), "{}: {texts:?}", what.describe());
        }
    }
    // Its only condition has no argument.
    assert_eq!(n_kinds.len() + 1, NameKind::ALL.len(), "{n_kinds:?}: the sample has one of each other");
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let project = sample();
    let refused = |kind, name: &str, to: &str| renamed(&project, &Named::new(kind, name), to).unwrap_err().to_string();
    let expected = [
        (NameKind::Component, "Health", "Life", "`Health` is built in and keeps its name"),
        (NameKind::Message, "Damaged", "Hurt", "`Damaged` is built in and keeps its name"),
        (NameKind::Def, "gobln", "orc", "there is no definition `gobln`; did you mean `goblin`?"),
        (NameKind::Tag, "no_such", "x", "nothing has the tag `no_such`"),
        (NameKind::State, "nothing", "x", "write the state as machine/path"),
        (NameKind::Field, "Health", "x", "write the field as Component.field"),
    ];
    for (kind, name, to, why) in expected {
        assert_eq!(refused(kind, name, to), why);
    }
    assert!(refused(NameKind::Def, "goblin", "fast_goblin").contains("already"));
    assert!(refused(NameKind::Level, "courtyard", "a/b").contains("cannot be a file's name"));
}

/// A game of its own enum, tags and layers.
fn game() -> Project {
    use crate::build::{Say, component, def, default, entities, field, list, project, sym};
    let mut schema = Schema::default();
    schema.enums.insert("Mood".into(), ["Calm", "Cross"].map(Name::from).into());
    schema.components.insert(
        "Temper".into(),
        component([
            ("mood", default(FieldType::Enum("Mood".into()), sym("Calm"))),
            ("moods", field(FieldType::Flags("Mood".into()))),
        ]),
    );
    let defs = entities([
        ("imp", def(&[]).set("Temper", "mood", sym("Cross")).set("Temper", "moods", list([sym("Cross"), sym("Calm")]))),
        ("elf", def(&["imp"]).remove("Temper.moods[Cross]").set("Tags", "tags", list(["foe", "small"]))),
        ("ogre", def(&["elf"]).remove("Tags.tags[\"small\"]").set("Platform", "route", "way/foe")),
    ]);
    let mut machine = Machine::default();
    let call = |name: &str, args: &[(&str, Value)]| Call {
        name: name.into(),
        args: args.iter().map(|(name, value)| ((*name).into(), value.clone())).collect(),
    };
    machine.root.enter = vec![
        call("SetField", &[("field", "Temper.mood".into()), ("value", sym("Cross"))]),
        call("FollowRoute", &[("layer", "way".into()), ("tag", "foe".into())]),
        call("Chase", &[("target", "foe".into())]),
        call("Chase", &[("target", "tag:foe".into())]),
    ];
    let guard = Condition::Call(call("Tagged", &[("tag", "foe".into())]));
    machine.root.transitions =
        vec![Transition { trigger: Trigger::When(guard), guard: None, actions: vec![], to: "A".into() }];
    machine.root.states.insert("A".into(), State::default());
    let machines = MachinesFile { machines: [("m".into(), machine.into())].into() };
    let level = |name: &str| {
        let mut graph = WaypointGraph::default();
        graph.nodes.insert("n1".into(), Node { at: [0.0, 0.0], tags: vec!["foe".into()] });
        let layer = Layer::new(name.into(), LayerContent::Waypoints(graph));
        Document::Level(Level { layers: vec![layer.into()], ..Level::default() })
    };
    project([
        ("schemas/game.ron", Document::Schema(schema)),
        ("entities/all.ron", defs),
        ("machines/all.ron", Document::Machines(machines)),
        ("levels/one.ron", level("way")),
        ("levels/two.ron", level("way")),
    ])
}

fn changed(what: NameKind, name: &str, to: &str) -> Vec<String> {
    let before = game();
    let there = renamed(&before, &Named::new(what, name), to).unwrap();
    let back = renamed(&there, &after(&Named::new(what, name), to), name.rsplit(['.', '/']).next().unwrap()).unwrap();
    assert_eq!(before, back);
    let line = |it: &Difference| format!("{} {}", it.location.path, it.after.as_deref().unwrap_or("-"));
    io::differences(&before, &there).iter().map(line).collect()
}

#[test]
fn a_word_of_an_enum_is_followed() {
    let expected = [
        "imp.set.Temper.mood Angry",
        "imp.set.Temper.moods[0] Angry",
        "elf.remove[0] \"Temper.moods[Angry]\"",
        "m.enter[0].value Angry",
        "enums.Mood[1] \"Angry\"",
    ];
    assert_eq!(changed(NameKind::EnumValue, "Mood.Cross", "Angry"), expected);
    let calm = changed(NameKind::EnumValue, "Mood.Calm", "Serene");
    assert!(calm.contains(&"components.Temper.fields.mood.default Serene".to_owned()), "{calm:?}");
}

#[test]
fn a_tag_is_followed() {
    let expected = [
        "elf.set.Tags.tags[0] \"enemy\"",
        "ogre.set.Platform.route \"way/enemy\"",
        "layers[0].nodes.n1.tags[0] \"enemy\"",
        "layers[0].nodes.n1.tags[0] \"enemy\"",
        "m.enter[1].tag \"enemy\"",
        "m.enter[2].target \"enemy\"",
        "m.enter[3].target \"tag:enemy\"",
        "m.transitions[0].when.tag \"enemy\"",
    ];
    assert_eq!(changed(NameKind::Tag, "foe", "enemy"), expected);
    assert_eq!(
        changed(NameKind::Tag, "small", "little"),
        ["elf.set.Tags.tags[1] \"little\"", "ogre.remove[0] \"Tags.tags[\\\"little\\\"]\""]
    );
    assert!(renamed(&game(), &Named::new(NameKind::Tag, "foe"), "small").is_err(), "two tags do not become one");
}

#[test]
fn a_layer_of_waypoints_is_followed_through_every_level() {
    let expected = [
        "ogre.set.Platform.route \"road/foe\"",
        "layers[0].name \"road\"",
        "layers[0].name \"road\"",
        "m.enter[1].layer \"road\"",
    ];
    assert_eq!(changed(NameKind::Layer, "one/way", "road"), expected);
}

/// A game written in every odd way: each name there and back gives the bytes back.
const SCHEMA: &str = r##"( // odd on purpose
    enums: { "Mood": ["Calm", "Cross"], r#"Col"#: ["Red", "Cross"] },
    components: {
        "Temper": (
            fields: {
                "mood": (type: Enum("Mood"), default: Calm), // by nature
                "moods": (type: Flags("Mood")), "cols": (type: List(Enum("Col"))),
                "gifts": (type: List(Struct({ "mood": (type: Enum("Mood")), "to": (type: Option(Def)), "note": (type: Str) }))),
                "kin": (type: List(Def)), "by": (type: Map(Struct({ "who": (type: Option(Def)), "mood": (type: Enum("Mood"), default: Cross) }))),
                "body": (type: Shape, at: r"hips"), "hips": (type: Vec2, ),
                "rate": (type: Float, default: 1_0.50), "mark": (type: Tag, default: "foe"),
            },
            response: Decay(rate: "rate"),
        ),
    },
    messages: { "Poke": (payload: { "mood": (type: Enum("Mood")), "hard": (type: Float), "who": (type: Target) }) },
    actions: { "Mark": (args: { "who": (type: Target), "as": (type: Tag), "times": (type: Int) }) },
    conditions: { "IsKin": (args: { "of": (type: Def), "within": (type: Float) }) },
)
"##;
const ENTITIES: &str = r##"{
	r#"kid"#: (inherits: [], /* none */ set: (Temper: (mood: Cross, kin: [r"kid", "\u{6b}in"], rate: 0.50), Tags: (tags: ["foe" , r#"foe"#]))), // self
    "kin": (set: (Temper: ( // hand-tuned
        by: { "a": (who: Some("kid"), mood: Cross), "b": (who: None, ), },
        moods: [ Cross,Calm ], rate: 1_000.0,
    ))),
    "ogre": (inherits: [ r#"kid"# , ], remove: [r#"Temper.kin["kid"]"#, "Temper.kin[ \"kin\" ]", r#"Temper.gifts[ (note: "kid", to : Some( "kid" ), mood: Cross ,) ]"#, "Temper.cols[Cross]", "Temper.moods[ Cross ]", "Tags.tags[\"foe\"]", "\u{54}emper.rate", ],
        set: (Flock: (enemy: "kid"), Platform: (route: "way/foe"))),
}
"##;
const MACHINES: &str = r##"{
    "m": ( initial: "A", on: { "Poke": [Send(to: "def:kid", message: "Poke", payload: (hard: 1_0.0, mood: Cross, who: "kid"))], },
        enter: [ Mark(times: 0x10, who: "tag:foe", as: "foe"), /* then */ Chase(target: "kid"), SetField(field: "Temper.mood", value: Cross), FollowRoute(layer: r"way", tag: "foe") ],
        states: { "A": (transitions: [
            (on: "Poke", if: All([Not(IsKin(of: "kid", within: 1_0.0)), Tagged(tag: "foe"), HasComponent(component: "Temper")]), to: "B"), // out
            (when: FieldBelow(field: r"Temper.rate", value: 2.50), to: "B"), (when: FieldAbove(field: "Odd.k", value: 1.0), to: "B"),
        ]), "B": (enter: [SpawnNothing, SetState(state: "A"), StartMachine(machine: r#"m"#)]) },
    ),
}
"##;
const LEVEL: &str = r##"(tile_size: (16, 0x10), layers: [
    Entities(name: "actors", entities: { "e1": (def: r#"kid"#, at: (1_0.0, 2.50), set: (Tags: (tags: [ "wet" ]))), }),
    Waypoints(name: "way", nodes: { "n1": (at: (0.0, 0.0), tags: ["foe"]) }),
])
"##;
const PAGE: &str = r#"(page: "Odd", values: { "k": (value: 1_0.0, response: Decay(rate: "k")), "j": (value: 2.0, response: Decay(rate: r"Odd.k")) })
"#;
const SCENARIO: &str = r#"(level: "one", secs: 1_0.0, script: [(at: 0.50, to: "def:kid", send: "Poke", payload: (mood: Cross, hard: 2.0)), (at: 1.0, tune: "Odd.k", value: 3.0)],
    expect: [(at: 1.0, entity: "e1", state: "A", machine: "m")])
"#;

const ODD: [(&str, &str); 6] = [
    ("schemas/game.ron", SCHEMA),
    ("entities/all.ron", ENTITIES),
    ("machines/all.ron", MACHINES),
    ("levels/one.ron", LEVEL),
    ("tuning/odd.ron", PAGE),
    ("scenarios/run.ron", SCENARIO),
];

type Files = BTreeMap<DocPath, String>;

fn read(files: &Files) -> Project {
    let read = |(at, text): (&DocPath, &String)| {
        let (document, findings) = io::load_one(at, text);
        (at.clone(), std::sync::Arc::new(document.unwrap_or_else(|| panic!("{at}: {findings:?}\n{text}"))))
    };
    files.iter().map(read).collect()
}

/// The files after a rename, each as saving leaves it.
fn saved(files: &Files, what: &Named, to: &str) -> Files {
    let before = read(files);
    let there = renamed(&before, what, to).unwrap_or_else(|why| panic!("{} to {to}: {why}", what.describe()));
    let text = |(at, document): (&DocPath, &std::sync::Arc<Document>)| {
        let source =
            files.get(at).map(|text| io::Source::new(text.as_str().into(), 0, Vec::new(), before.doc(at).cloned()));
        (at.clone(), io::text_of(document, source.as_ref()))
    };
    there.documents.iter().map(text).collect()
}

#[test]
fn odd_spelling_survives_every_name_there_and_back() {
    let files: Files = ODD.iter().map(|(at, text)| (DocPath::new(at).unwrap(), (*text).to_owned())).collect();
    let project = read(&files);
    let resolution = resolve(&project, &builtin(), None);
    let old = problems(&project, "", "");
    for kind in NameKind::ALL {
        for name in names(&project, &resolution, kind) {
            if matches!(kind, NameKind::Level | NameKind::Scenario | NameKind::File) {
                continue;
            }
            let what = Named::new(kind, name.as_str());
            let new = "Zzq";
            let there = saved(&files, &what, new);
            assert_eq!(problems(&read(&there), new, what.own_name()), old, "{}", what.describe());
            // Nothing but the name is another, and an escape in the name itself is all that does not come back.
            let plain = |text: &String| text.replace("\\u{6b}", "k").replace("\\u{54}", "T");
            for (at, text) in &there {
                assert_eq!(plain(text).replace(new, what.own_name()), plain(&files[at]), "{}: {at}", what.describe());
            }
            let back = saved(&there, &after(&what, new), what.own_name());
            let spelled = |files: &Files| -> Vec<String> { files.values().map(plain).collect() };
            assert_eq!(spelled(&back), spelled(&files), "{}", what.describe());
        }
    }
}

#[test]
fn payloads_arguments_and_calls_are_followed() {
    let files: Files = ODD.iter().map(|(at, text)| (DocPath::new(at).unwrap(), (*text).to_owned())).collect();
    let n_places = |kind, name: &str| {
        let there = saved(&files, &Named::new(kind, name), "Zzq");
        there.values().map(|text| text.matches("Zzq").count()).sum::<usize>()
    };
    assert_eq!(n_places(NameKind::Payload, "Poke.mood"), 3, "declared, sent, and sent from outside");
    assert_eq!(n_places(NameKind::Payload, "Poke.who"), 2);
    assert_eq!(n_places(NameKind::ActionArg, "Mark.as"), 2);
    assert_eq!(n_places(NameKind::ConditionArg, "IsKin.of"), 2);
    assert_eq!(n_places(NameKind::Action, "Mark"), 2);
    assert_eq!(n_places(NameKind::Condition, "IsKin"), 2);
    assert_eq!(n_places(NameKind::Message, "Poke"), 5);
    assert_eq!(
        n_places(NameKind::Field, "Temper.rate"),
        6,
        "declared, read by the response, said twice, asked for, removed"
    );
    assert_eq!(n_places(NameKind::Field, "Temper.hips"), 2, "declared, and moves a shape");
    assert_eq!(n_places(NameKind::Component, "Temper"), 12);
    assert_eq!(n_places(NameKind::Tunable, "Odd.k"), 5);
    assert_eq!(n_places(NameKind::EnumValue, "Mood.Cross"), 10);
    assert_eq!(n_places(NameKind::EnumValue, "Col.Cross"), 2);
    assert_eq!(n_places(NameKind::Tag, "wet"), 1, "only a placed entity has it");
    assert_eq!(n_places(NameKind::Tag, "foe"), 10);
    assert_eq!(n_places(NameKind::Layer, "one/way"), 3);
    assert_eq!(n_places(NameKind::Def, "kid"), 13);
}

#[test]
fn nothing_is_called_what_files_mean_something_else_by() {
    let project = sample();
    let names = |kind| names(&project, &resolve(&project, &builtin(), None), kind);
    for (kind, to) in [
        (NameKind::Condition, "Not"),
        (NameKind::Condition, "Any"),
        (NameKind::Condition, "None"),
        (NameKind::Component, "Some"),
        (NameKind::Action, "true"),
        (NameKind::Field, "inf"),
        (NameKind::Level, "DUNGEON"),
    ] {
        let tried: Vec<_> =
            names(kind).into_iter().map(|name| renamed(&project, &Named::new(kind, name), to)).collect();
        assert!(tried.iter().all(Result::is_err) || kind == NameKind::Level, "{to}");
    }
    let level = Named::new(NameKind::Level, "courtyard");
    let why = renamed(&project, &level, "DUNGEON").unwrap_err().to_string();
    assert!(why.contains("levels/dungeon.ron"), "{why}");
    assert!(renamed(&project, &level, "Courtyard").is_ok(), "its own name spelled otherwise");
}
