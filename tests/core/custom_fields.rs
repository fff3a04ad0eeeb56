//! Custom fields of levels, layers and tiles: declared by schemas, written with what stands around them kept, renamed,
//! exported.

use std::sync::Arc;

use levelwright::{
    check::check,
    defs::resolve,
    edit::{Edit, apply_all},
    io::{self, export},
    model::*,
    refactor::{NameKind, Named, rename},
};

use crate::{build::path, check::with};

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

const SCHEMA: &str = r#"(
    enums: { "Ground": ["Soft", "Hard"] },
    level_fields: {
        "music": (type: Str, default: "quiet"),
        "next": (type: Option(Level)),
        "map": (type: Image, default: "sprites/coin.png"),
    },
    layer_fields: { "wind": (type: Struct({ "speed": (type: Float, default: 3.0), "gusts": (type: Bool) })) },
)"#;

/// Adds to the other, and to what is declared for levels.
const MORE: &str = r#"(
    level_fields: { "gravity": (type: Float, default: 9.0, min: 0.0, max: 20.0, unit: "px/s²") },
    tile_fields: { "ground": (type: Enum("Ground"), default: Hard), "turns_into": (type: Option(Tile)) },
)"#;

const HALL: &str = r#"(
    size: (4, 4), // small
    tile_size: (16, 16),
    // What the game asks for.
    fields: (
        gravity: 4, // as on the moon
        next: "yard",
    ),
    layers: [
        Tiles(name: "ground", tileset: "marble", locked: true, fields: (wind: (gusts: true)), chunks: { (0, 0): ["1"] }), // windy
    ],
)
"#;

const MARBLE: &str = r#"(
    image: "keep.png",
    tile_size: (16, 16),
    tiles: {
        1: (at: (0, 0), name: "white", fields: (ground: Soft /* moss */, turns_into: "marble/black")),
        2: (at: (1, 0), name: "black"),
    },
)
"#;

const FILES: [(&str, &str); 4] =
    [("schemas/a.ron", SCHEMA), ("schemas/b.ron", MORE), ("levels/hall.ron", HALL), ("tilesets/marble.ron", MARBLE)];

/// The text of a file after edits of the project.
fn saved(before: &Project, after: &Project, at: &str) -> String {
    let (_, text) = FILES.iter().find(|(file, _)| *file == at).unwrap();
    let source = io::Source::new((*text).into(), 0, Vec::new(), before.doc(&path(at)).cloned());
    io::text_of(after.doc(&path(at)).unwrap(), Some(&source))
}

fn made(project: &Project, edits: &[Edit]) -> Project {
    let mut after = project.clone();
    apply_all(&mut after, edits).unwrap();
    after
}

fn set(at: &str, way: FieldPath, value: Value) -> Edit {
    Edit::Set { doc: path(at), at: way, data: value.into() }
}

#[test]
fn what_schemas_declare_is_merged_and_nothing_is_wrong_with_it() {
    let project = with(&FILES);
    let resolution = resolve(&project, &builtin(), None);
    let names = |of: FieldsOf| of.specs(&resolution.schema).keys().map(|name| &**name).collect::<Vec<_>>();
    assert_eq!(names(FieldsOf::Level), ["music", "next", "map", "gravity"]);
    assert_eq!((names(FieldsOf::Layer), names(FieldsOf::Tile)), (vec!["wind"], vec!["ground", "turns_into"]));
    let found = check(&project, &resolution, None);
    assert_eq!(found.iter().map(|it| it.finding.message.clone()).collect::<Vec<_>>(), [] as [&str; 0]);
}

#[test]
fn a_value_is_set_and_reset_in_its_own_characters() {
    let project = with(&FILES);
    let level = |key: &str| FieldPath::keys(["fields", key]);
    let cases: [(&str, Edit, &str, &str); 6] = [
        (
            "levels/hall.ron",
            set("levels/hall.ron", level("gravity"), Value::Float(2.5)),
            "gravity: 4,",
            "gravity: 2.5,",
        ),
        (
            "levels/hall.ron",
            set("levels/hall.ron", level("music"), Value::str("choir")),
            "        next: \"yard\",\n",
            "        next: \"yard\",\n        music: \"choir\",\n",
        ),
        (
            "levels/hall.ron",
            Edit::Remove { doc: path("levels/hall.ron"), at: level("next") },
            "        next: \"yard\",\n",
            "",
        ),
        (
            "levels/hall.ron",
            Edit::Remove { doc: path("levels/hall.ron"), at: FieldPath::keys(["layers", "ground", "fields", "wind"]) },
            "fields: (wind: (gusts: true)), ",
            "",
        ),
        (
            "tilesets/marble.ron",
            set(
                "tilesets/marble.ron",
                FieldPath::keys(["tiles", "2", "fields", "ground"]),
                Value::Symbol("Soft".into()),
            ),
            "name: \"black\")",
            "name: \"black\", fields: (ground: Soft))",
        ),
        (
            "tilesets/marble.ron",
            Edit::Remove {
                doc: path("tilesets/marble.ron"),
                at: FieldPath::keys(["tiles", "1", "fields", "turns_into"]),
            },
            ", turns_into: \"marble/black\"",
            "",
        ),
    ];
    for (at, edit, from, to) in cases {
        let (_, text) = FILES.iter().find(|(file, _)| *file == at).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        let after = made(&project, std::slice::from_ref(&edit));
        let written = saved(&project, &after, at);
        assert_eq!(written, text.replace(from, to), "{edit:?}");
        assert_eq!(io::load_one(&path(at), &written).0.as_ref(), after.doc(&path(at)).map(|it| &**it));
    }
    let mut refused = project.clone();
    let odd = set("levels/hall.ron", level("two words"), Value::Int(1));
    assert!(apply_all(&mut refused, [&odd]).is_err(), "files could not hold it");
}

#[test]
fn changes_of_two_sides_are_merged_by_field() {
    let side = |fields: &str| {
        let text = format!("(size: (4, 4), tile_size: (16, 16), fields: ({fields}), layers: [])");
        Arc::new(io::load_one(&path("levels/hall.ron"), &text).0.unwrap())
    };
    let (base, mine, theirs) = (side("a: 1, b: 2"), side("a: 5, b: 2"), side("a: 1, b: 2, c: 3"));
    let merged = io::merge(Some(&base), &mine, &theirs, &io::Choices::default());
    assert!(merged.contests.is_empty());
    assert_eq!(&merged.document, &side("a: 5, b: 2, c: 3"));
}

#[test]
fn renames_follow_the_field_and_what_its_value_names() {
    let project = with(&FILES);
    let resolution = resolve(&project, &builtin(), None);
    let renamed = |kind, name: &str, to: &str| {
        let plan = rename(&project, &resolution, &Named::new(kind, name), to).unwrap();
        made(&project, &plan.edits)
    };
    let text = |after: &Project, at: &str| saved(&project, after, at);
    let after = renamed(NameKind::CustomField, "level.gravity", "pull");
    assert_eq!(text(&after, "levels/hall.ron"), HALL.replace("gravity", "pull"));
    assert_eq!(text(&after, "schemas/b.ron"), MORE.replace("gravity", "pull"));
    let after = renamed(NameKind::CustomField, "layer.wind", "breeze");
    assert_eq!(text(&after, "levels/hall.ron"), HALL.replace("wind:", "breeze:"));
    let after = renamed(NameKind::Tile, "marble/black", "night");
    assert_eq!(text(&after, "tilesets/marble.ron"), MARBLE.replace("black", "night"));
    let after = renamed(NameKind::EnumValue, "Ground.Soft", "Mossy");
    assert_eq!(text(&after, "tilesets/marble.ron"), MARBLE.replace("Soft", "Mossy"));
    let taken = rename(&project, &resolution, &Named::new(NameKind::CustomField, "level.music"), "next").unwrap();
    let why = apply_all(&mut project.clone(), &taken.edits).unwrap_err().to_string();
    assert!(why.contains("next"), "{why}");
    assert!(rename(&project, &resolution, &Named::new(NameKind::CustomField, "world.music"), "song").is_err());
}

#[test]
fn exports_have_every_declared_field() {
    let project = with(&FILES);
    let resolution = resolve(&project, &builtin(), None);
    let exported = |format| {
        let made = export::export(&project, &resolution, &|_, _, _| {}, format).unwrap();
        let mut text = Vec::new();
        export::put(&made, &mut text).unwrap();
        (made.images, String::from_utf8(text).unwrap())
    };
    let (images, text) = exported(export::Format::Json);
    assert!(images.contains(&path("sprites/coin.png")), "a default that is an image comes along");
    let game: serde_json::Value = serde_json::from_str(&text).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&export::json_schema()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&game));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let hall = &game["levels"]["hall"];
    let own = r#"{ "music": "quiet", "next": "yard", "map": "images/sprites/coin.png", "gravity": 4.0 }"#;
    assert_eq!(hall["fields"], json(own));
    assert_eq!(hall["layers"][0]["fields"], json(r#"{ "wind": { "speed": 3.0, "gusts": true } }"#));
    let yard = &game["levels"]["yard"];
    assert_eq!((&yard["fields"]["next"], &yard["fields"]["gravity"]), (&json("null"), &json("9.0")));
    assert_eq!(yard["layers"][2]["fields"]["wind"]["speed"], 3.0);
    let tiles = &game["tilesets"]["marble"]["tiles"];
    assert_eq!(tiles[0]["fields"], json(r#"{ "ground": "Soft", "turns_into": "marble/black" }"#));
    assert_eq!(tiles[1]["fields"], json(r#"{ "ground": "Hard", "turns_into": null }"#));
    assert_eq!(game["level_fields"]["gravity"]["max"], 20.0);
    assert_eq!(game["tile_fields"]["ground"]["type"], "Enum(Ground)");
    let (_, text) = exported(export::Format::Ron);
    assert!(ron::from_str::<ron::Value>(&text).is_ok());
    assert!(text.contains("gravity\": 4.0") && text.contains("wind\": (speed: 3.0, gusts: true)"), "{text}");
}
