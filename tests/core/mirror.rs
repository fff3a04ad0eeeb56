//! The JSON twins of a project's files, and their schemas: what is read without an error fits, what is wrong does not.

use std::{collections::BTreeMap, fs, path::Path};

use levelwright::{
    defs::resolve,
    io::{
        self, load_one,
        mirror::{NameOf, Vocabulary, mirror, schemas},
    },
    model::{DocPath, Project, Severity},
};
use serde_json::{Value, json};

use crate::{build::path, check::builtin};

fn sample() -> io::Loaded {
    io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data"))
}

fn vocabulary() -> Vocabulary {
    let loaded = sample();
    let resolution = resolve(&loaded.project, &builtin(), None);
    let names = [(NameOf::Def, resolution.def_docs.keys().map(ToString::to_string).collect())];
    Vocabulary { schema: (*resolution.schema).clone(), names: names.into() }
}

/// Validators by folder; `""` is that of the project's own file.
fn validators() -> BTreeMap<String, jsonschema::Validator> {
    validators_of(&vocabulary())
}

fn validators_of(vocabulary: &Vocabulary) -> BTreeMap<String, jsonschema::Validator> {
    let made = schemas(vocabulary).into_iter().map(|(file, text)| {
        let schema: Value = serde_json::from_str(&text).unwrap();
        let kind = file.strip_suffix(".schema.json").unwrap();
        let folder = if kind == "project" { String::new() } else { kind.to_owned() };
        (folder, jsonschema::validator_for(&schema).unwrap_or_else(|err| panic!("{file}: {err}")))
    });
    made.collect()
}

fn errors(validators: &BTreeMap<String, jsonschema::Validator>, at: &DocPath, text: &str) -> Vec<String> {
    let json = mirror(at, text).unwrap();
    let folder = at.as_str().split_once('/').map_or("", |(folder, _)| folder);
    validators[folder].iter_errors(&json).map(|err| format!("{at} {}: {err}", err.instance_path())).collect()
}

#[test]
fn a_twin_says_what_its_file_says() {
    let text = r#"{
        // Everything there is.
        "a": (b: true, i: 0x10, f: 1_0.5, s: "x", w: Word, n: None, o: Some(3), l: [1, 2], t: (1.0, 2.0), e: ()),
        "tags": [Circle(4.0), Box((8.0, 9.0)), Capsule(2.0, 8.0), Say(text: "!"), Despawn, Loud(), Not(All([X]))],
        (0, -1): { 7: "seven" },
    }"#;
    let expected = json!({
        "a": {
            "b": true, "i": 16, "f": 10.5, "s": "x", "w": "Word", "n": null, "o": 3, "l": [1, 2], "t": [1.0, 2.0], "e": {},
        },
        "tags": [
            { "Circle": 4.0 }, { "Box": [8.0, 9.0] }, { "Capsule": [2.0, 8.0] }, { "Say": { "text": "!" } },
            "Despawn", "Loud", { "Not": { "All": ["X"] } },
        ],
        "0,-1": { "7": "seven" },
    });
    assert_eq!(mirror(&path("entities/x.ron"), text).unwrap(), expected);
    assert!(mirror(&path("entities/x.ron"), "{ \"a\": ( }").is_err());
}

#[test]
fn every_file_of_the_sample_and_every_built_in_one_fits_its_schema() {
    let validators = validators();
    let loaded = sample();
    let ours = loaded.sources.files().iter().map(|(at, source)| (at.clone(), source.text.to_string()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let read = |file: &str, at: &str| (path(at), fs::read_to_string(folder.join(file)).unwrap());
    let built_in = ["components", "messages", "conditions", "actions"]
        .map(|name| read(&format!("{name}.ron"), &format!("schemas/{name}.ron")));
    let tuning = ["simulation", "physics", "camera", "steering", "navigation"]
        .map(|name| read(&format!("tuning/{name}.ron"), &format!("tuning/{name}.ron")));
    let all: Vec<(DocPath, String)> = ours.chain(built_in).chain(tuning).collect();
    assert!(all.len() > 20, "{}", all.len());
    let wrong: Vec<String> = all.iter().flat_map(|(at, text)| errors(&validators, at, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operations_reach_into_structs_and_maps_as_they_do_when_they_are_carried_out() {
    let schema = r#"(components: { "C": (fields: {
        "st": (type: Struct({ "a": (type: Float), "b": (type: Str), "l": (type: List(Str)) })),
        "m": (type: Map(Struct({ "n": (type: Int), "l": (type: List(Str)) }))),
        "mn": (type: Map(Float)), "ms": (type: Map(Str)), "s": (type: Str), "l": (type: List(Int)), "v": (type: Vec2),
    }) })"#;
    let base = r#""base": (set: (C: (m: { "p": (n: 1, l: ["x"]) }, mn: { "p": 1.0 }, ms: { "p": "x" })))"#;
    for (ops, is_right) in [
        ("add: (C: (st: (a: 1)))", true),
        ("scale: (C: (st: (a: 1.5)))", true),
        ("add: (C: (m: { \"p\": (n: 1) }, mn: { \"p\": 2 }))", true),
        ("append: (C: (st: (l: [\"x\"]), l: [1]))", true),
        ("append: (C: (m: { \"p\": (l: [\"y\"]) }))", true),
        ("append: (C: (m: { \"new\": (n: 3) }))", true),
        ("append: (C: (ms: { \"new\": \"y\" }))", true),
        ("scale: (C: (v: 2.0))", true),
        ("scale: (C: (v: (2, 1.5)))", true),
        ("add: (C: (v: (2, 1.5)))", true),
        ("add: (C: (v: 2.0))", false),
        ("scale: (C: (v: \"2\"))", false),
        ("append: (C: (v: [2.0]))", false),
        ("add: (C: (st: (b: 1)))", false),
        ("add: (C: (st: (a: \"x\")))", false),
        ("add: (C: (st: 1.0))", false),
        ("add: (C: (s: 1))", false),
        ("scale: (C: (ms: { \"p\": 2 }))", false),
        ("append: (C: (st: (a: [1])))", false),
        ("append: (C: (l: 1))", false),
    ] {
        let text = format!("{{ {base}, \"a\": (inherits: [\"base\"], {ops}) }}");
        let read = |(at, text): (&str, &str)| (path(at), load_one(&path(at), text).0.unwrap().into());
        let documents = [("schemas/g.ron", schema), ("entities/a.ron", text.as_str())].map(read);
        let resolution = resolve(&Project::from_iter(documents), &builtin(), None);
        let found: Vec<_> = resolution.findings().filter(|it| it.severity == Severity::Error).collect();
        let vocabulary = Vocabulary { schema: (*resolution.schema).clone(), names: BTreeMap::new() };
        let refused = errors(&validators_of(&vocabulary), &path("entities/a.ron"), &text);
        assert_eq!((found.is_empty(), refused.is_empty()), (is_right, is_right), "{ops}: {found:?} {refused:?}");
    }
}

#[test]
fn what_is_wrong_does_not_fit() {
    let validators = validators();
    for (at, text, place) in [
        ("entities/x.ron", r#"{ "a": (set: (Walker: (sped: 5.0))) }"#, "/a/set/Walker"),
        ("entities/x.ron", r#"{ "a": (set: (Walkr: ())) }"#, "/a/set"),
        ("entities/x.ron", r#"{ "a": (set: (Walker: (speed: "fast"))) }"#, "/a/set/Walker/speed"),
        ("entities/x.ron", r#"{ "a": (set: (Walker: (speed: 9999.0))) }"#, "/a/set/Walker/speed"),
        ("entities/x.ron", r#"{ "a": (set: (Body: (kind: Statik))) }"#, "/a/set/Body/kind"),
        ("entities/x.ron", r#"{ "a": (append: (Health: (max: [1.0]))) }"#, "/a/append/Health"),
        ("entities/x.ron", r#"{ "a": (inherit: ["b"]) }"#, "/a"),
        ("machines/x.ron", r#"{ "m": (enter: [Sey(text: "x")]) }"#, "/m/enter/0"),
        ("machines/x.ron", r#"{ "m": (enter: [Say()]) }"#, "/m/enter/0"),
        ("machines/x.ron", r#"{ "m": (transitions: [(on: "Dead")]) }"#, "/m/transitions/0"),
        ("levels/x.ron", r#"(tile_size: (16, 16), layers: [Tils(name: "a", tileset: "b")])"#, "/layers/0"),
        ("levels/x.ron", "(tile_size: (16, -16))", "/tile_size/1"),
        (
            "tilesets/x.ron",
            r#"(image: "a.png", tile_size: (16, 16), tiles: { 1: (at: (0, 0), shape: Round) })"#,
            "/tiles/1/shape",
        ),
        ("tuning/x.ron", r#"(page: "A", values: { "b": (min: 1.0) })"#, "/values/b"),
        ("scenarios/x.ron", r#"(level: "a", secs: "long")"#, "/secs"),
        ("schemas/x.ron", r#"(components: { "A": (fields: { "b": (type: Flat) }) })"#, "/components/A/fields/b/type"),
        ("project.ron", r#"(format: 1, name: "A", view: Sideways)"#, "/view"),
    ] {
        let found = errors(&validators, &path(at), text);
        assert!(found.iter().any(|error| error.starts_with(&format!("{at} {place}:"))), "{text}: {found:?}");
    }
}

#[test]
fn words_come_with_their_meaning() {
    let all: BTreeMap<String, String> = schemas(&vocabulary()).into_iter().collect();
    let entities: Value = serde_json::from_str(&all["entities.schema.json"]).unwrap();
    let speed = &entities["$defs"]["components_to_set"]["properties"]["Walker"]["properties"]["speed"];
    assert_eq!((&speed["type"], &speed["maximum"]), (&json!("number"), &json!(2000.0)));
    assert!(speed["description"].as_str().unwrap().contains("px/s"), "{speed}");
    let machines: Value = serde_json::from_str(&all["machines.schema.json"]).unwrap();
    assert!(machines["$defs"]["action"].to_string().contains("\"goblin\""), "definitions to choose from");
}

#[test]
fn fields_of_records_come_with_their_meaning_and_limits() {
    let all: BTreeMap<String, String> = schemas(&vocabulary()).into_iter().collect();
    let property = |file: &str, record: &str, field: &str| {
        let schema: Value = serde_json::from_str(&all[&format!("{file}.schema.json")]).unwrap();
        schema["$defs"][record]["properties"][field].clone()
    };
    let size = property("levels", "level", "size");
    assert_eq!(size["description"], "Width and height in tiles; `None` for an unbounded level.");
    let side = &size["anyOf"][0]["items"];
    assert_eq!((&side["minimum"], &side["maximum"]), (&json!(1.0), &json!(1_048_576.0)));
    let view = property("levels", "level", "view");
    assert_eq!(view["description"], "Seen from the side or from above; the project's when left out.");
    // A unit that the meaning does not name, a number by each name, a number above its limit, and components.
    assert_eq!(property("scenarios", "expectation", "by")["description"], "At some time up to this. In s.");
    let cost = property("tilesets", "tile", "cost");
    assert_eq!(cost["additionalProperties"], json!({ "type": "number", "minimum": 0.0, "maximum": 1_000_000.0 }));
    let secs = property("scenarios", "scenario", "secs");
    assert_eq!((&secs["exclusiveMinimum"], &secs["minimum"]), (&json!(0.0), &Value::Null));
    let set = property("entities", "definition", "set");
    assert!(set["$ref"].is_string() && set["description"].is_string(), "{set}");
}

/// Every field of every record of the program's own has its description, wherever it stands.
#[test]
fn no_field_of_a_record_is_without_its_meaning() {
    fn look(at: &str, schema: &Value, bare: &mut Vec<String>) {
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (key, property) in properties {
            if property["description"].is_null() && key.starts_with(|c: char| c.is_ascii_lowercase()) {
                bare.push(format!("{at}.{key}"));
            }
        }
        for (key, inside) in schema.as_object().into_iter().flatten() {
            look(&format!("{at}/{key}"), inside, bare);
        }
    }
    let mut bare = Vec::new();
    for (file, text) in schemas(&Vocabulary::default()) {
        look(&file, &serde_json::from_str(&text).unwrap(), &mut bare);
    }
    assert!(bare.is_empty(), "{bare:#?}");
}
