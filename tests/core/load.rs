//! Reading projects: the examples of the format's own page, broken files of every kind, folders with surprises.

use std::{fs, path::Path};

use levelwright::{
    io::{builtin_schema, builtin_tuning, load, load_one, source_of},
    model::{
        Condition, DocPath, Document, FieldPath, FieldType, Finding, LayerContent, LevelView, LinkBy, Tile, TileShape,
        Trigger, Value,
    },
};

/// A project with one file of each kind: the examples of the format's page.
pub(crate) fn formats() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn broken(place: &str, text: &str) -> Vec<Finding> {
    let (document, findings) = load_one(&path(place), text);
    assert!(document.is_none(), "a broken document was returned for {text}");
    assert!(!findings.is_empty(), "nothing was said about {text}");
    findings
}

/// Rule, line, column, path of the first finding.
fn first(place: &str, text: &str) -> (String, u32, u32, String) {
    let findings = broken(place, text);
    let span = findings[0].location.span.unwrap();
    (findings[0].rule.to_string(), span.line, span.column, findings[0].location.path.to_string())
}

#[test]
fn the_examples_of_the_format_page_load_clean() {
    let loaded = load(&formats());
    assert_eq!(loaded.findings, vec![]);
    assert_eq!(loaded.project.documents.len(), 9);
    assert_eq!(loaded.project.file().unwrap().view, LevelView::Platformer);

    let defs = &loaded.project.entities(&path("entities/goblins.ron")).unwrap().defs;
    assert_eq!(defs.keys().map(|name| &**name).collect::<Vec<_>>(), ["monster", "goblin", "fast_goblin"]);
    assert!(defs["monster"].is_abstract);
    assert_eq!(defs["fast_goblin"].ops.scale["Health"]["max"], Value::Float(0.5));
    assert_eq!(defs["fast_goblin"].ops.remove[2], "Loot.items[\"torch\"]");

    let level = loaded.project.level(&path("levels/courtyard.ron")).unwrap();
    assert_eq!(level.size, Some([40, 24]));
    let tiles = &level.layers[0].tiles().unwrap().tiles;
    assert_eq!(tiles.get([0, 0]), Tile::id_only(1));
    assert_eq!(tiles.get([3, 0]), Tile::EMPTY);
    assert_eq!(tiles.get([8, 0]), Tile::new(12, true, true, false));
    assert_eq!(level.layers[1].entities().unwrap()["g7f3k2"].at, [120.0, 64.0]);
    let LayerContent::Waypoints(graph) = &level.layers[2].content else { panic!("not waypoints") };
    assert_eq!((graph.links[0].cost, graph.links[0].by), (None, LinkBy::Hand));

    let tileset = loaded.project.tileset(&path("tilesets/keep.ron")).unwrap();
    assert_eq!(tileset.tiles[&1].shape, TileShape::Full);
    assert!(matches!(&tileset.tiles[&7].shape, TileShape::Polygon(corners) if corners.len() == 3));
    assert_eq!(tileset.terrains[0].tiles[&1], "stone,stone,_,stone");

    let machine = loaded.project.machine(&path("machines/sentry.ron"), "sentry").unwrap();
    let patrol = &machine.root.states["Patrol"];
    assert!(matches!(&patrol.transitions[0].trigger, Trigger::When(Condition::Call(call)) if &*call.name == "CanSee"));
    assert!(matches!(patrol.transitions[2].trigger, Trigger::After(secs) if secs == 8.0));
    assert_eq!(machine.layout["Attack/Aim"], [20.0, 30.0]);
}

#[test]
fn the_built_in_schemas_load() {
    let schema = builtin_schema();
    assert!(schema.components.len() >= 13 && schema.actions.len() >= 20 && schema.conditions.len() >= 14);
    assert!(matches!(schema.field("Sprite", "clips").unwrap().ty, FieldType::Map(_)));
    assert_eq!(schema.field("Sprite", "pivot").unwrap().default, Some(Value::Symbol("None".into())));
    let pages: Vec<String> = builtin_tuning().iter().map(|page| page.page.to_string()).collect();
    assert_eq!(pages, ["Simulation", "Physics", "Camera", "Steering", "Navigation", "Sound", "Solver", "Controls"]);
    for (name, spec) in &schema.components {
        for (field, spec) in &spec.fields {
            let type_errors = schema.type_errors(spec, &spec.default_value());
            let empty_enum = matches!(spec.ty, FieldType::Enum(_)) && spec.default.is_none();
            assert!(type_errors.is_empty() || empty_enum, "{name}.{field}: {type_errors:?}");
        }
    }
}

#[test]
fn messages_name_the_field_and_what_is_missing() {
    for (text, words) in [
        ("{ \"a\": (set: (H: (m: NaN))) }", "`m`: `NaN` is not a number data can hold"),
        ("{ \"a\": (set: (H: (m: [(k: 1), -inf]))) }", "`m`: `-inf` is not a number data can hold"),
        ("{\n \"a\": (inherits: [\"b]),\n \"c\": () }", "this string goes over several lines; is a `\"` missing?"),
    ] {
        let (_, findings) = levelwright::io::load_one(&path("entities/a.ron"), text);
        assert_eq!(findings[0].message, words, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let table = [
        ("entities/a.ron", "{\n  \"goblin\": (inherit: []),\n}", ("unknown-field", 2, 14, "goblin.inherit")),
        ("entities/a.ron", "{ \"goblin\": (inherits: \"x\") }", ("wrong-type", 1, 24, "goblin.inherits")),
        ("entities/a.ron", "{ \"é\": (set: (Health: 3)) }", ("wrong-type", 1, 23, "é.set.Health")),
        ("entities/a.ron", "{ \"a\": (), \"a\": () }", ("duplicate-key", 1, 12, "")),
        ("entities/a.ron", "{ \"a\": (set: (), set: ()) }", ("duplicate-key", 1, 18, "")),
        ("entities/a.ron", "{ \"a\": (set: (H: (m: 1e999))) }", ("not-finite", 1, 22, "")),
        ("entities/a.ron", "{ \"a\": (set: (H: (m: -inf))) }", ("not-finite", 1, 22, "")),
        ("entities/a.ron", "{ \"a\": (set: (H: (m: NaN))) }", ("not-finite", 1, 22, "")),
        ("entities/a.ron", "{ \"a\": (set: (H: (m: 9223372036854775808))) }", ("syntax", 1, 22, "")),
        ("entities/a.ron", "{ \"a\": (\n", ("syntax", 1, 8, "")),
        ("entities/a.ron", "{\n \"a\": (inherits: [\"b]),\n \"c\": () }", ("syntax", 2, 19, "")),
        ("entities/a.ron", "{\n \"a: (),\n \"c\": () }", ("syntax", 2, 2, "")),
        ("entities/a.ron", "{ \"a\": (set: () add: ()) }", ("syntax", 1, 17, "")),
        ("entities/a.ron", "{ \"a\" (set: ()) }", ("syntax", 1, 7, "")),
        ("entities/a.ron", "", ("syntax", 1, 1, "")),
        ("entities/a.ron", "{} {}", ("syntax", 1, 4, "")),
        ("entities/a.ron", "{ \"\": () }", ("empty-name", 1, 3, "")),
        ("levels/a.ron", "(layers: [])", ("missing-field", 1, 1, "")),
        ("levels/a.ron", "(tile_size: (0, 16))", ("wrong-value", 1, 13, "tile_size")),
        ("levels/a.ron", "(tile_size: (8, 8), layers: [\n Tile(name: \"a\")])", ("unknown-word", 2, 2, "layers[0]")),
        (
            "levels/a.ron",
            "(tile_size: (8, 8), layers: [Tiles(name: \"a\", tileset: \"t\", chunks: {(0, 0): [\n\"1 1x .\"]})])",
            ("wrong-tile", 2, 4, "layers[0].chunks.(0, 0)[0]"),
        ),
        ("tilesets/a.ron", "(tile_size: (8, 8), image: \"../../a.png\")", ("outside-project", 1, 28, "image")),
        (
            "tilesets/a.ron",
            "(tile_size: (8, 8), image: \"a.png\", tiles: {1: (at: (0, 0), shape: Polygon([(0, 0), (8, 0)]))})",
            ("wrong-shape", 1, 68, "tiles.1.shape"),
        ),
        ("machines/a.ron", "{ \"m\": (transitions: [(to: \"A\")]) }", ("missing-field", 1, 23, "m.transitions[0]")),
        (
            "machines/a.ron",
            "{ \"m\": (transitions: [(to: \"A\", on: \"x\", after: 1.0)]) }",
            ("wrong-value", 1, 42, "m.transitions[0].after"),
        ),
        ("scenarios/a.ron", "(level: \"a\", secs: 1.0, script: [(at: 1.0)])", ("missing-field", 1, 34, "script[0]")),
        (
            "scenarios/a.ron",
            "(level: \"a\", secs: 1.0, expect: [(by: 1.0, entity: \"e\", exists: true, within: 2.0)])",
            ("wrong-value", 1, 71, "expect[0].within"),
        ),
        (
            "schemas/a.ron",
            "(components: {\"A\": (fields: {\"b\": (type: Flot)})})",
            ("unknown-word", 1, 42, "components.A.fields.b.type"),
        ),
        ("project.ron", "(format: 2, name: \"\")", ("unknown-format", 1, 10, "format")),
        ("project.ron", "(format: 1, name: \"\", view: Sideways)", ("unknown-word", 1, 29, "view")),
        ("tuning/a.ron", "(page: \"A\", values: {\"x\": (min: 0.0)})", ("missing-field", 1, 27, "values.x")),
    ];
    for (place, text, (rule, line, column, at)) in table {
        assert_eq!(first(place, text), (rule.to_owned(), line, column, at.to_owned()), "{text}");
    }
}

#[test]
fn near_misses_are_suggested() {
    let findings = broken("entities/a.ron", "{ \"goblin\": (inherit: [], sett: (), zzz: 1) }");
    let helps: Vec<_> = findings.iter().map(|finding| finding.help.as_deref().unwrap_or_default()).collect();
    assert_eq!(helps[..2], ["did you mean `inherits`?", "did you mean `set`?"]);
    assert!(helps[2].starts_with("it has `abstract`"), "{}", helps[2]);
    let findings = broken("machines/a.ron", "{ \"m\": (states: { \"A\": (entr: []) }) }");
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `enter`?"));
}

#[test]
fn many_problems_of_one_file_are_all_said() {
    let text = "{ \"a\": (inherits: 1, set: 2, foo: 3), \"b\": (abstract: 4) }";
    assert_eq!(broken("entities/a.ron", text).len(), 4);
}

#[test]
fn the_key_of_a_finding_is_marked_as_a_key() {
    let findings = broken("entities/a.ron", "{ \"a\": (foo: 1) }");
    assert!(findings[0].location.at_key);
    assert_eq!(findings[0].location.path, FieldPath::keys(["a", "foo"]));
}

#[test]
fn nesting_is_limited_and_never_overflows() {
    let nested = |n: usize| {
        let inner = format!("{}{}", "[".repeat(n), "]".repeat(n));
        format!("{{ \"a\": (set: (A: (b: {inner}))) }}")
    };
    assert!(load_one(&path("entities/a.ron"), &nested(60)).0.is_some());
    assert_eq!(broken("entities/a.ron", &nested(61))[0].rule.as_ref(), "too-deep");
    for opener in ["[", "(", "{", "a(", "(a:", "{(", "/*"] {
        let text = opener.repeat(100_000);
        assert!(!broken("entities/a.ron", &text).is_empty());
    }
}

fn project(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let file = dir.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    dir
}

const PROJECT: (&str, &[u8]) = ("project.ron", b"(format: 1, name: \"p\", start_level: \"a\")\n");

#[test]
fn a_broken_file_costs_nothing_else() {
    let dir = project(&[
        PROJECT,
        ("entities/good.ron", b"{ \"a\": () }"),
        ("entities/bad.ron", b"{ \"b\": ( }"),
        ("entities/deep/er/good.ron", b"{ \"c\": () }"),
        ("entities/latin.ron", b"{\n \"caf\xe9\": () }"),
        ("entities/.swap.ron", b"not looked at"),
        ("entities/notes.txt", b"not looked at"),
        ("elsewhere/x.ron", b"not looked at"),
    ]);
    let loaded = load(dir.path());
    let paths: Vec<&str> = loaded.project.documents.keys().map(DocPath::as_str).collect();
    assert_eq!(paths, ["entities/deep/er/good.ron", "entities/good.ron", "project.ron"]);
    let said: Vec<_> = loaded.findings.iter().map(|f| (f.location.doc.as_str(), &*f.rule)).collect();
    assert_eq!(said, [("entities/bad.ron", "syntax"), ("entities/latin.ron", "encoding")]);
    let span = loaded.findings[1].location.span.unwrap();
    assert_eq!((span.line, span.column), (2, 6));
    assert_eq!(loaded.sources.files().len(), 5);
}

#[test]
fn a_folder_that_is_no_project_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let loaded = load(dir.path());
    assert_eq!(loaded.findings.len(), 1);
    assert_eq!(loaded.findings[0].location.doc.as_str(), "project.ron");
    assert!(loaded.findings[0].message.contains("missing"));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_refused_and_loops_end() {
    use std::os::unix::fs::symlink;
    let outside = project(&[("secret.ron", b"{ \"s\": () }")]);
    let dir = project(&[PROJECT, ("entities/a.ron", b"{ \"a\": () }")]);
    symlink(outside.path().join("secret.ron"), dir.path().join("entities/link.ron")).unwrap();
    symlink(outside.path(), dir.path().join("entities/folder")).unwrap();
    symlink(dir.path().join("entities"), dir.path().join("entities/loop")).unwrap();
    symlink(dir.path(), dir.path().join("entities/up")).unwrap();
    symlink(dir.path().join("machines"), dir.path().join("entities/machines")).unwrap();
    fs::create_dir(dir.path().join("machines")).unwrap();
    symlink(dir.path().join("entities/a.ron"), dir.path().join("entities/b.ron")).unwrap();
    let loaded = load(dir.path());
    let rules: Vec<_> = loaded.findings.iter().map(|f| (f.location.doc.as_str(), &*f.rule)).collect();
    assert_eq!(
        rules,
        [
            ("entities/folder", "outside-project"),
            ("entities/link.ron", "outside-project"),
            ("entities/machines", "linked-folder"),
            ("entities/up", "linked-folder"),
        ]
    );
    assert!(loaded.project.documents.keys().all(|path| !path.as_str().contains("loop")));
    assert!(loaded.project.documents.contains_key(&path("entities/b.ron")));
}

#[test]
fn odd_bytes_are_reported_and_read() {
    let read = |text: &str| source_of(&path("entities/a.ron"), text.as_bytes().to_vec());
    let reported = |text: &str| -> Vec<(String, u32)> {
        let source = read(text);
        assert!(source.document.is_some(), "{text:?}");
        let at = |finding: &Finding| (finding.severity.to_string(), finding.location.span.unwrap().line);
        source.findings.iter().map(at).collect()
    };
    assert_eq!(reported("{\n}\n"), []);
    assert_eq!(reported("{\r\n}\r\n"), []);
    assert_eq!(reported("\u{feff}{}\n"), [("hint".into(), 1)]);
    assert_eq!(reported("{\n\r}\r"), [("warning".into(), 2)]);
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_read() {
    let text = "\u{feff}{\r\n  \"a\": (set: (Health: (max: 1))),\r\n}\r\n";
    let (document, findings) = load_one(&path("entities/a.ron"), text);
    assert!(findings.is_empty());
    let Some(Document::Entities(file)) = document else { panic!("no definitions") };
    assert_eq!(file.defs["a"].ops.set["Health"]["max"], Value::Int(1));
}

#[test]
fn chunks_beyond_the_end_of_the_world_are_refused() {
    for at in ["(-2147483648, 0)", "(0, 2147483647)", "(1048577, 0)", "(0, -1048577)"] {
        let text =
            format!("(tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {{ {at}: [\"1\"] }})])");
        assert_eq!(first("levels/l.ron", &text).0, "wrong-value", "{at}");
    }
}
