//! The command line as people and programs meet it: the built binary on the sample game, on small projects made here, and
//! on nonsense.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// What a run of the binary gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|err| panic!("{err}: {}", self.out))
    }
}

/// Where commands keep journals.
const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levelwright"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("XDG_STATE_HOME", STATE);
    command
}

pub(crate) fn run(args: &[&str]) -> Run {
    told(command().args(args).stdin(Stdio::null()).output().unwrap())
}

fn told(output: std::process::Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().expect("not killed"), out: text(output.stdout), err: text(output.stderr) }
}

/// As [`run`], by a user without the superuser's rights: where tests run as the superuser, permissions would not matter.
#[cfg(unix)]
pub(crate) fn run_as_nobody(args: &[&str]) -> Run {
    use std::os::unix::process::CommandExt as _;

    const NOBODY: u32 = 65_534;
    let dir = tempfile::tempdir().unwrap();
    let closed = dir.path().join("closed");
    fs::write(&closed, "").unwrap();
    fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    if fs::read(&closed).is_err() {
        return run(args);
    }
    // The built binary may stand where nobody may look.
    let binary = dir.path().join("levelwright");
    fs::set_permissions(dir.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // By another process: what this one holds open for writing, another test's new process holds for a moment too, and what is
    // open for writing cannot be run.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_levelwright")).arg(&binary).status().unwrap().success());
    let mut command = Command::new(&binary);
    command.current_dir("/").uid(NOBODY).gid(NOBODY).args(args).stdin(Stdio::null());
    told(command.output().unwrap())
}

/// A project of these files beside a plain `project.ron`.
pub(crate) fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let plain = ("project.ron", "(format: 1, name: \"Test\", start_level: \"start\", view: Platformer)\n");
    for (path, text) in std::iter::once(&plain).chain(files) {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

pub(crate) fn at(dir: &tempfile::TempDir) -> &str {
    dir.path().to_str().unwrap()
}

pub(crate) const LEVEL: &str = "(
    size: (40, 24), tile_size: (16, 16),
    layers: [
        Tiles(name: \"ground\", tileset: \"keep\", chunks: { (0, 0): [\"\", \"\", \"\", \"\", \"\", \"12*1\"] }),
        Entities(name: \"actors\", entities: { \"g1\": (def: \"goblin\", at: (40.0, 40.0), set: (Health: (max: 7.0))) }),
        Waypoints(name: \"patrol\", nodes: { \"n1\": (at: (24.0, 40.0)), \"n2\": (at: (88.0, 40.0)) }, links: []),
    ],
)
";
const TILES: &str = "(image: \"keep.png\", tile_size: (16, 16), tiles: { 1: (at: (0, 0), shape: Full) })\n";
pub(crate) const DEFS: &str = "{
    \"monster\": (abstract: true, set: (Health: (max: 20.0))),
    \"goblin\": (inherits: [\"monster\"], scale: (Health: (max: 0.5))),
}
";

/// A 16×16 PNG of one color.
pub(crate) fn png() -> Vec<u8> {
    levelwright::raster::Image::filled(16, 16, [90, 120, 60, 255]).unwrap().to_png().unwrap()
}

pub(crate) fn small() -> tempfile::TempDir {
    let dir = project(&[("levels/start.ron", LEVEL), ("tilesets/keep.ron", TILES), ("entities/all.ron", DEFS)]);
    fs::write(dir.path().join("tilesets/keep.png"), png()).unwrap();
    dir
}

#[test]
fn the_sample_game_is_clean() {
    let checked = run(&["check", "sample_data", "--deny", "warnings"]);
    assert_eq!(checked.code, 0, "{}", checked.out);
    assert!(checked.err.lines().all(|line| line.starts_with("hint[")), "{}", checked.err);
    let json = run(&["check", "sample_data", "--json"]).json();
    assert!(json["problems"].as_array().unwrap().iter().all(|problem| problem["severity"] == "hint"));
}

#[test]
fn problems_name_their_place_on_standard_error() {
    let broken = DEFS.replace("[\"monster\"]", "[\"monstr\"]");
    let dir = project(&[("levels/start.ron", LEVEL), ("tilesets/keep.ron", TILES), ("entities/all.ron", &broken)]);
    let text = run(&["check", at(&dir)]);
    assert_eq!(text.code, 1);
    let line = text.err.lines().find(|line| line.contains("monstr")).expect("it is reported");
    assert!(line.starts_with("error[missing-parent] entities/all.ron:3:27: "), "{line}");
    let json = run(&["check", at(&dir), "--json"]);
    assert_eq!(json.code, 1);
    let problems = json.json()["problems"].as_array().unwrap().clone();
    let problem = problems.iter().find(|problem| problem["rule"] == "missing-parent").unwrap();
    assert_eq!(
        (&problem["severity"], &problem["file"], &problem["line"], &problem["column"]),
        (&"error".into(), &"entities/all.ron".into(), &3.into(), &27.into())
    );
    assert!(problem["message"].is_string() && problem["fixes"].is_array());
}

#[test]
fn problems_are_annotations_where_github_reads_them() {
    let dir = tempfile::tempdir().unwrap();
    // Everything that ends a property or a command may stand in a path.
    let folder = "games/100%, a:b";
    let game = dir.path().join(folder);
    fs::create_dir_all(game.join("entities")).unwrap();
    fs::write(game.join("project.ron"), "(format: 1, name: \"Test\")\n").unwrap();
    let text = "{\n    \"ü\": (set: (Walker: (sped: 50))),\n    \"b\": (inherits: [\"50%\\nmore\"]),\n}\n";
    fs::write(game.join("entities/all.ron"), text).unwrap();
    let annotate = |args: &[&str]| {
        let output = command().current_dir(dir.path()).arg("check").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, err) = annotate(&[folder, "--format", "github"]);
    assert_eq!(code, Some(1));
    let file = "games/100%25%2C a%3Ab/entities/all.ron";
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..2],
        [
            format!(
                "::error file={file},line=2,col=26,endLine=2,endColumn=30,title=unknown-field::\
                 `Walker` has no field `sped` (did you mean `speed`?)"
            ),
            format!(
                "::error file={file},line=3,col=22,endLine=3,endColumn=33,title=missing-parent::\
                 `b` inherits `50%25%0Amore`, and there is no such definition"
            ),
        ]
    );
    assert!(lines[2].starts_with("2 files: "), "{out}");
    // The log beside the annotations says it as always.
    assert!(err.starts_with("error[unknown-field] entities/all.ron:2:26: "), "{err}");
    assert_eq!(annotate(&[folder, "--github"]).1, out);
    assert_eq!(annotate(&[&format!("./{folder}/project.ron"), "--github"]).1, out, "however the project is named");
    let json = annotate(&[folder, "--format", "json"]).1;
    assert_eq!(json, annotate(&[folder, "--json"]).1);
    let json: Value = serde_json::from_str(&json).unwrap();
    let first = &json["problems"][0];
    assert_eq!((&first["end_line"], &first["end_column"]), (&2.into(), &30.into()));
    // From inside the project.
    let output = command().current_dir(&game).args(["check", ".", "--github"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("::error file=entities/all.ron,line=2,"));
}

#[test]
fn fixes_are_shown_before_they_are_made() {
    let text = "{\n    // Low.\n    \"monster\": (abstract: true, set: (Health: (max: 20.0))),\n    \
                \"goblin\": (inherits: [\"monster\"], set: (Health: (max: 20.0), Walker: (sped: 50, accel: 9.0))),\n}\n";
    let dir = project(&[("entities/all.ron", text)]);
    let file = dir.path().join("entities/all.ron");
    let shown = run(&["fix", at(&dir), "--dry-run"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is written");
    let patch = "--- a/entities/all.ron\n+++ b/entities/all.ron\n@@ -1,5 +1,5 @@\n {\n     // Low.\n";
    assert!(shown.out.starts_with(patch), "{}", shown.out);
    assert!(
        shown.out.contains("\n+    \"goblin\": (inherits: [\"monster\"], set: (Walker: (sped: 50, accel: 9.0))),\n")
    );
    assert_eq!(shown.err, "1 would be fixed in 1 file\n");
    // The patch is one that other programs take.
    let patch_file = dir.path().join("fix.patch");
    fs::write(&patch_file, &shown.out).unwrap();
    let git = |args: &[&str]| Command::new("git").current_dir(dir.path()).args(args).status();
    if git(&["init", "-q"]).is_ok_and(|status| status.success()) {
        assert!(git(&["apply", "--check", "fix.patch"]).unwrap().success(), "{}", shown.out);
    }
    // What changes the game has to be asked for by its rule.
    assert_eq!(run(&["fix", at(&dir), "--all"]).code, 2);
    let safe = run(&["fix", at(&dir), "--rule", "unknown-field"]);
    assert!(safe.out.starts_with("0 fixed"), "{}", safe.out);
    let all = run(&["fix", at(&dir), "--rule", "unknown-field", "--all"]);
    assert!(all.out.starts_with("fixed error[unknown-field] entities/all.ron:4:"), "{}{}", all.out, all.err);
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("max: 20.0), Walker: (speed: 50") && !now.contains("sped"), "{now}");
}

#[test]
fn a_file_that_is_not_ron_costs_that_file_only() {
    let dir = small();
    fs::write(dir.path().join("machines.ron"), "ignored").unwrap();
    fs::create_dir(dir.path().join("machines")).unwrap();
    fs::write(dir.path().join("machines/bad.ron"), "{ \"m\": (states: { \"a\": ( }").unwrap();
    let checked = run(&["check", at(&dir)]);
    assert_eq!(checked.code, 1);
    assert!(checked.err.contains("machines/bad.ron:1:"), "{}", checked.err);
    let resolved = run(&["resolve", at(&dir), "goblin", "--json"]);
    assert_eq!(resolved.code, 0, "what could be read is used");
    assert_eq!(resolved.json()["components"]["Health"]["max"], 10.0);
    assert!(resolved.err.contains("machines/bad.ron"), "and the problem is shown");
}

#[test]
fn resolve_gives_values_and_who_said_them() {
    let dir = small();
    let json = run(&["resolve", at(&dir), "goblin", "--json"]).json();
    assert_eq!(json["components"]["Health"]["max"], 10.0);
    let explained = run(&["resolve", at(&dir), "goblin", "--explain", "--json"]).json();
    let said = explained["components"]["Health"]["max"]["said"].as_array().unwrap().clone();
    let ops: Vec<&str> = said.iter().map(|entry| entry["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["default", "set", "scale"]);
    assert_eq!((&said[2]["file"], &said[2]["line"]), (&"entities/all.ron".into(), &3.into()));
    let text = run(&["resolve", at(&dir), "goblin", "--explain"]).out;
    assert!(text.contains("scale 0.5: 20.0 → 10.0") && text.contains("entities/all.ron:3:"), "{text}");
    // The plain result is a definition that can be put back into a file.
    let ron = run(&["resolve", at(&dir), "goblin"]).out;
    let again = project(&[("entities/all.ron", &ron)]);
    let again = run(&["resolve", at(&again), "goblin", "--json"]).json();
    assert_eq!(again["components"], json["components"]);
    // A placed entity has its own say.
    let placed = run(&["resolve", at(&dir), "start/g1", "--json"]).json();
    assert_eq!(placed["components"]["Health"]["max"], 7.0);
    let unknown = run(&["resolve", at(&dir), "gobln"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `goblin`?"), "{}", unknown.err);
}

/// Two fields of the game's own and one nobody declares, five operations, two parents of which one takes away what the other speaks of.
const EXPLAINED: &str = r#"{
    "thing": (abstract: true, set: (
        Purse: (gold: 5, items: ["torch"], odd: 1),
        Health: (max: 20.0),
    )),
    "poor": (abstract: true, inherits: ["thing"], remove: ["Purse"]),
    "armed": (abstract: true, inherits: ["thing"],
        scale: (Health: (max: 2.0)),
        append: (Purse: (items: ["knife", "rope"])),
    ),
    "knave": (inherits: ["armed", "poor"],
        remove: ["Purse.items[\"rope\"]"],
        set: (Purse: (gold: 1)),
        add: (Health: (max: 5.0)),
    ),
    "monk": (inherits: ["knave"], remove: ["Purse", "Health.max"]),
}
"#;

#[test]
fn explain_lists_everyone_who_touched_a_field() {
    let schema = "(components: { \"Purse\": (fields: { \"gold\": (type: Int, default: 0), \"items\": (type: List(Str), default: []) }) })\n";
    let dir = project(&[("schemas/s.ron", schema), ("entities/all.ron", EXPLAINED)]);
    let text = run(&["resolve", at(&dir), "monk", "--explain"]).out;
    // The other fields of Health follow; nobody speaks of them.
    assert_eq!(text.get(..MONK.len()), Some(MONK), "{text}");
    let json = run(&["resolve", at(&dir), "monk", "--explain", "--json"]).json();
    let steps = |said: &serde_json::Value| -> Vec<String> {
        let step = |it: &serde_json::Value| {
            format!("{} {} {} {}→{} {}", it["by"], it["op"], it["operand"], it["before"], it["after"], it["line"])
        };
        said.as_array().unwrap().iter().map(step).collect()
    };
    assert_eq!(
        steps(&json["removed"]["Purse"]["gold"]["said"]),
        [
            r#""schema" "default" 0 null→0 1"#,
            r#""thing" "set" 5 0→5 3"#,
            r#""poor" "remove" null 5→null 6"#,
            r#""schema" "default" 0 null→0 1"#,
            r#""knave" "set" 1 0→1 13"#,
            r#""monk" "remove" null 1→null 16"#,
        ]
    );
    assert_eq!(
        steps(&json["components"]["Health"]["max"]["said"]),
        [
            r#""schema" "default" 10.0 null→10.0 null"#,
            r#""thing" "set" 20.0 10.0→20.0 4"#,
            r#""armed" "scale" 2.0 20.0→40.0 8"#,
            r#""knave" "add" 5.0 40.0→45.0 14"#,
            r#""monk" "remove" 45.0 45.0→10.0 16"#,
        ]
    );
    let presence = json["presence"]["Purse"].as_array().unwrap().iter();
    let presence: Vec<String> = presence
        .map(|it| format!("{} {} {}:{}", it["by"], it["op"].as_str().unwrap(), it["file"], it["line"]))
        .collect();
    assert_eq!(
        presence,
        [
            r#""thing" set "entities/all.ron":3"#,
            r#""poor" remove "entities/all.ron":6"#,
            r#""armed" append "entities/all.ron":9"#,
            r#""monk" remove "entities/all.ron":16"#,
        ]
    );
}

const MONK: &str = "\
monk, applied in this order: thing, poor, armed, knave, monk

Purse, no more
    given                                        thing                entities/all.ron:3:9
    taken away                                   poor                 entities/all.ron:6:60
    given                                        armed                entities/all.ron:9:18
    taken away                                   monk                 entities/all.ron:16:44
    gold, no more
        default: 0                               schema               schemas/s.ron:1:65
        set: 0 → 5                               thing                entities/all.ron:3:23
        remove: 5 → nothing                      poor                 entities/all.ron:6:60
        default: 0                               schema               schemas/s.ron:1:65
        set: 0 → 1                               knave                entities/all.ron:13:29
        remove: 1 → nothing                      monk                 entities/all.ron:16:44
    items, no more
        default: []                              schema               schemas/s.ron:1:105
        set: [] → [\"torch\"]                      thing                entities/all.ron:3:33
        remove: [\"torch\"] → nothing              poor                 entities/all.ron:6:60
        default: []                              schema               schemas/s.ron:1:105
        append: [] → [\"knife\", \"rope\"]           armed                entities/all.ron:9:33
        remove [\"rope\"]: [\"knife\", \"rope\"] → [\"knife\"] knave                entities/all.ron:12:18
        remove: [\"knife\"] → nothing              monk                 entities/all.ron:16:44
    odd, no more
        set: 1                                   thing                entities/all.ron:3:49
        remove: 1 → nothing                      poor                 entities/all.ron:6:60

Health
    given                                        thing                entities/all.ron:4:9
    max = 10.0
        default: 10.0                            schema               built in
        set: 10.0 → 20.0                         thing                entities/all.ron:4:23
        scale 2.0: 20.0 → 40.0                   armed                entities/all.ron:8:31
        add 5.0: 40.0 → 45.0                     knave                entities/all.ron:14:29
        remove: 45.0 → 10.0                      monk                 entities/all.ron:16:53
";

/// Every place that `--explain` names in the sample game is one where the file speaks of the field.
#[test]
fn explained_places_are_where_the_files_speak_of_the_fields() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_data");
    let mut n_places = 0;
    for name in ["veteran", "chief", "bomb_goblin", "bat"] {
        let json = run(&["resolve", sample, name, "--explain", "--json"]);
        let components = json.json()["components"].as_object().unwrap().clone();
        for (component, fields) in components {
            for (field, told) in fields.as_object().unwrap() {
                let said = told["said"].as_array().unwrap();
                assert_eq!(said.last().unwrap()["after"], told["value"], "{name}: {component}.{field}");
                for step in said.iter().filter(|step| step["op"] != "default") {
                    let text = fs::read_to_string(format!("{sample}/{}", step["file"].as_str().unwrap())).unwrap();
                    let line = usize::try_from(step["line"].as_u64().unwrap()).unwrap();
                    let line = text.lines().nth(line - 1).unwrap();
                    assert!(line.contains(field.as_str()) || line.contains(&component), "{name}: {field} at {line}");
                    n_places += 1;
                }
            }
        }
    }
    assert!(n_places > 40, "{n_places}");
}

#[test]
fn resolve_tells_what_is_missing_above_and_names_what_is_removed() {
    let dir = project(&[
        ("schemas/s.ron", "(components: { \"Loot\": (fields: { \"prices\": (type: Map(Int), default: {}) }) })\n"),
        (
            "entities/all.ron",
            "{
                \"shop\": (set: (Loot: (prices: { \"torch\": 5, \"rope\": 2 }))),
                \"stall\": (inherits: [\"shop\"], remove: [\"Loot.prices[\\\"torch\\\"]\"]),
                \"orphan\": (inherits: [\"sho\"], set: (Loot: ())),
                \"child\": (inherits: [\"orphan\"]),
            }\n",
        ),
    ]);
    let text = run(&["resolve", at(&dir), "stall", "--explain"]);
    assert_eq!(text.code, 0, "another definition is at fault");
    assert!(text.out.contains("remove [\"torch\"]: {\"torch\": 5, \"rope\": 2} → {\"rope\": 2}"), "{}", text.out);
    for name in ["orphan", "child"] {
        let half = run(&["resolve", at(&dir), name, "--json"]);
        assert_eq!(half.code, 1, "an ancestor of `{name}` is missing");
        assert!(half.json()["components"]["Loot"].is_object(), "what is known is told all the same");
    }
}

#[test]
fn what_the_disk_refuses_exits_with_1_and_names_the_file() {
    let dir = small();
    let dir = at(&dir);
    let cases: &[(&[&str], &str)] = &[
        (&["simulate", dir, "start", "--secs", "1", "--trace", "/nowhere/at/all.jsonl"], "/nowhere/at/all.jsonl"),
        (&["render", dir, "start", "/nowhere/at/all.png"], "/nowhere/at/all.png"),
        (&["export", dir, "--out", "Cargo.toml/x"], "`Cargo.toml/x/"),
        (&["schema", "--out", "Cargo.toml/x"], "Cargo.toml/x"),
    ];
    for (case, place) in cases {
        let result = run(case);
        assert_eq!(result.code, 1, "{case:?}: {} {}", result.out, result.err);
        assert!(
            result.err.starts_with("error: cannot write") && result.err.contains(place),
            "{case:?}: {}",
            result.err
        );
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_not_read_to_its_end() {
    for args in [&["schema", "--twin", "/dev/zero"][..], &["simulate", "sample_data", "--scenario", "/dev/zero"]] {
        let refused = run(args);
        assert_eq!((refused.code, &*refused.out), (1, ""), "{}", refused.err);
    }
    assert!(run(&["schema", "--twin", "/dev/zero"]).err.contains("this is not a file"));
}

#[test]
fn a_file_with_no_twin_says_why_as_problems_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("odd.ron");
    fs::write(&file, "(\r    a: 1,\r    a: 2,\r)").unwrap();
    let result = run(&["schema", "--twin", file.to_str().unwrap()]);
    assert_eq!(result.code, 1);
    let expected = format!("error[duplicate-key] {}:3:5: the field `a` is said twice, first at 2:5\n", file.display());
    assert_eq!(result.err, expected);
    assert_eq!(run(&["schema", "--twin", file.to_str().unwrap(), "--json"]).json()["problems"][0]["line"], 3);
}

#[test]
fn what_is_taken_out_of_a_field_is_named_with_what_it_went_back_to() {
    let schema = "(components: { \"Kit\": (fields: {
        \"main\": (type: Struct({ \"power\": (type: Float, default: 1.0), \"runes\": (type: List(Str)) })),
        \"packs\": (type: Map(Struct({ \"size\": (type: Int, default: 3) }))),
    }) })\n";
    let entities = r#"{
        "club": (set: (Kit: (main: (power: 9.0, runes: ["ash", "oak"]), packs: { "bag": (size: 7) }))),
        "twig": (inherits: ["club"], remove: ["Kit.main.power", "Kit.main.runes[\"ash\"]", "Kit.packs[\"bag\"].size"]),
        "none": (inherits: ["club"], remove: ["Kit.main"]),
        "start/g": (inherits: ["twig"]),
    }
"#;
    let level = "(size: (1, 1), tile_size: (16, 16), layers: [Entities(name: \"a\", entities: { \"g\": (def: \"club\", at: (0.0, 0.0)) })])\n";
    let dir = project(&[("schemas/s.ron", schema), ("entities/all.ron", entities), ("levels/start.ron", level)]);
    let text = run(&["resolve", at(&dir), "twig", "--explain"]).out;
    for line in [
        "remove power, back to 1.0: (power: 9.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [\"ash\", \"oak\"])",
        "remove runes[\"ash\"]: (power: 1.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [\"oak\"])",
        "remove [\"bag\"].size, back to 3: {\"bag\": (size: 7)} → {\"bag\": (size: 3)}",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let json = run(&["resolve", at(&dir), "twig", "--explain", "--json"]).json();
    let said = &json["components"]["Kit"]["main"]["said"];
    assert_eq!((&said[2]["part"], &said[2]["operand"]), (&"power".into(), &9.0.into()));
    assert_eq!((&said[1]["part"], &said[3]["part"]), (&serde_json::Value::Null, &"runes[\"ash\"]".into()));
    let text = run(&["resolve", at(&dir), "none", "--explain"]).out;
    let whole = "remove: (power: 9.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [])";
    assert!(text.contains(whole), "{text}");
    // A definition's name comes before the placed entity of the same words, which is still to be had.
    let both = run(&["resolve", at(&dir), "start/g"]);
    assert!(both.out.contains("power: 1.0"), "{}", both.out);
    assert!(both.err.contains("the placed entity is `levels/start.ron/g`"), "{}", both.err);
    let placed = run(&["resolve", at(&dir), "levels/start.ron/g"]);
    assert!(placed.out.contains("power: 9.0"), "{}", placed.out);
    let near = run(&["resolve", at(&dir), "star/g"]);
    assert!(near.err.contains("did you mean `start/g`?"), "{}", near.err);
}

#[test]
fn wrong_usage_is_told_and_exits_with_2() {
    let dir = small();
    let dir = at(&dir);
    let nowhere = format!("{dir}/nowhere");
    let cases: &[&[&str]] = &[
        &["frobnicate"],
        &["check"],
        &["check", &nowhere],
        &["check", "src"],
        &["check", "Cargo.toml"],
        &["resolve", dir],
        &["simulate", dir, "start"],
        &["simulate", dir, "nowhere", "--secs", "1"],
        &["simulate", dir, "start", "--secs", "nan"],
        &["simulate", dir, "start", "--secs", "inf"],
        &["simulate", dir, "start", "--secs", "-1"],
        &["simulate", dir, "start", "--secs", "1e300"],
        &["simulate", dir, "start", "--secs", "1", "--seed", "x"],
        &["simulate", dir, "start", "--secs", "1", "--seed", "99999999999999999999"],
        &["simulate", dir, "start", "--secs", "1", "--scenario", "nowhere"],
        &["simulate", dir, "start", "--secs", "1", "--poses", "0"],
        &["path", dir, "start", "1,2"],
        &["path", dir, "start", "1,2", "3"],
        &["path", dir, "start", "1,2", "3,four"],
        &["path", dir, "start", "1,2", "nan,4"],
        &["path", dir, "start", "1,2", "1e300,4"],
        &["path", dir, "start", "1,2", "3,4", "--weight", "0"],
        &["path", dir, "start", "1,2", "3,4", "--on", "nowhere"],
        &["render", dir, "start", "x.png", "--scale", "0"],
        &["render", dir, "start", "x.png", "--scale", "1e9"],
        &["export", dir],
        &["export", dir, "--out", "Cargo.toml"],
        &["export", dir, "--out", "target/x", "--target", "ldtk"],
        &["export", dir, "--out", "target/x", "--target", "yaml"],
        &["import", "x.tmx", "--into", dir],
        &["test", dir, "nowhere"],
    ];
    for case in cases {
        let result = run(case);
        assert_eq!(result.code, 2, "{case:?}: {} {}", result.out, result.err);
        assert!(result.err.contains("error"), "{case:?}: {}", result.err);
        assert!(!result.err.contains("panicked"), "{case:?}: {}", result.err);
        let mut with_json = case.to_vec();
        with_json.push("--json");
        let result = run(&with_json);
        assert!(result.json()["error"].is_string(), "{case:?}: {}", result.out);
    }
}

#[test]
fn every_command_helps() {
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
    for command in [
        "edit",
        "new",
        "check",
        "fix",
        "resolve",
        "fmt",
        "export",
        "import",
        "simulate",
        "test",
        "path",
        "render",
        "rename",
        "schema",
        "completions",
    ] {
        assert!(help.out.contains(&format!("\n  {command} ")), "{command} is listed");
        let own = run(&[command, "--help"]);
        assert_eq!((own.code, &*own.err), (0, ""), "{command}");
        assert!(own.out.contains("Usage: levelwright"), "{command}: {}", own.out);
    }
    assert!(run(&["--version"]).out.starts_with("levelwright "));
}

#[test]
fn a_reader_that_goes_away_is_no_accident() {
    let mut child = command().args(["schema"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));

    let mut child = command()
        .args(["simulate", "sample_data", "range", "--secs", "20", "--trace", "-", "--poses", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert!(output.status.code().is_some_and(|code| code < 2));
}

#[test]
fn simulate_is_the_same_every_time_and_traces_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let trace = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let go = |trace: &str, seed: &str| {
        let run = run(&[
            "simulate",
            "sample_data",
            "range",
            "--secs",
            "2",
            "--seed",
            seed,
            "--poses",
            "16",
            "--trace",
            trace,
            "--json",
        ]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.json()
    };
    let (first, second) = (go(&trace("a"), "7"), go(&trace("b"), "7"));
    assert_eq!(first, second);
    assert_eq!(first["ticks"], 128);
    let read = |name: &str| fs::read_to_string(trace(name)).unwrap();
    assert!(read("a") == read("b"));
    let events: Vec<Value> = read("a").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.is_sorted_by_key(|event| event["tick"].as_u64().unwrap()));
    assert!(
        events.iter().all(|event| event["t"].is_f64() && event["event"].is_string() && event["entity"].is_string())
    );
    let poses = |id: &str| events.iter().filter(|event| event["event"] == "pose" && event["entity"] == id).count();
    assert_eq!(poses("squire"), 9, "at tick 0, 16, … 128");
}

#[test]
fn paths_come_in_pixels_with_their_cost() {
    let dir = small();
    let json = run(&["path", at(&dir), "start", "24,24", "88,24", "--json"]).json();
    assert_eq!((&json["found"], &json["cost"]), (&true.into(), &4.0.into()), "four tiles to the right");
    assert_eq!(json["points"][0][0].as_f64(), Some(24.0));
    for key in ["expanded", "max_open", "micros"] {
        assert!(json[key].is_number(), "{key}");
    }
    let by_file = run(&["path", at(&dir), "levels/start.ron", "24,24", "88,24", "--json"]).json();
    assert_eq!(by_file["cost"], json["cost"]);
    let along = run(&["path", at(&dir), "start", "24,40", "88,40", "--on", "patrol", "--json"]).json();
    assert_eq!((&along["found"], &along["cost"]), (&true.into(), &64.0.into()), "pixels, on an automatic link");
    let inside_a_wall = run(&["path", at(&dir), "start", "-500,-500", "88,24", "--json"]);
    assert_eq!((inside_a_wall.code, &inside_a_wall.json()["found"]), (0, &false.into()));
}

#[test]
fn render_draws_the_level() {
    let dir = small();
    let out = dir.path().join("out.png");
    let run = run(&[
        "render",
        at(&dir),
        "start",
        out.to_str().unwrap(),
        "--scale",
        "0.5",
        "--overlay",
        "grid,colliders,links",
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let image = levelwright::raster::Image::from_png(&fs::read(&out).unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (320, 192));
    let plain = dir.path().join("plain.png");
    self::run(&["render", at(&dir), "start", plain.to_str().unwrap()]);
    let image = levelwright::raster::Image::from_png(&fs::read(&plain).unwrap()).unwrap();
    assert_eq!(image.pixel(8, 5 * 16 + 8), [90, 120, 60, 255], "a tile of the sixth row");
    assert_eq!(image.pixel(8, 4 * 16 + 8), image.pixel(639, 0), "nothing above it");
}

#[test]
fn the_picture_of_an_unbounded_level_shows_its_entities() {
    let dir = small();
    let tiles = "Tiles(name: \"ground\", tileset: \"keep\", chunks: { (0, 0): [\"1\"] }), ";
    let area = |tiles: &str, placed: &str| {
        let entities = format!("Entities(name: \"actors\", offset: (0.0, 4.0), entities: {{ {placed} }})");
        let level = format!("(tile_size: (16, 16), layers: [{tiles}{entities}])\n");
        fs::write(dir.path().join("levels/start.ron"), level).unwrap();
        let out = dir.path().join("out.png");
        let run = run(&["render", at(&dir), "start", out.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}", run.err);
        levelwright::raster::Image::from_png(&fs::read(&out).unwrap()).unwrap()
    };
    let placed = |id: &str, x: f64, y: f64| format!("\"{id}\": (def: \"goblin\", at: ({x:?}, {y:?})),");
    // A goblin has neither sprite nor collider: it is drawn as a diamond of 16 × 16 pixels.
    let image = area(tiles, &placed("g", 980.0, 480.0));
    assert_eq!(image.size(), [992, 512], "from the tile to the goblin");
    assert_ne!(image.pixel(980, 484), image.pixel(500, 300), "the goblin is drawn, on its layer's offset");
    assert_eq!(area("", &placed("g", 980.0, 480.0)).size(), [32, 32], "without tiles, the entities alone");
    assert_eq!(area("", &(placed("a", -100.0, 8.0) + &placed("b", 100.0, 8.0))).size(), [224, 32]);
    assert_eq!(area(tiles, "").size(), [512, 512], "the chunk of the tiles");
    assert_eq!(area("", "").size(), [512, 512], "an empty level is a chunk");
}

#[test]
fn a_level_too_large_for_a_path_is_named_with_its_size_and_the_limit() {
    let level = "(size: (9000, 9001), tile_size: (16, 16), layers: [])\n";
    let dir = project(&[("levels/start.ron", level)]);
    let run = run(&["path", at(&dir), "start", "1,1", "9,9"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("it has 9000 × 9001, and a map holds at most 67 million"), "{}", run.err);
}

#[test]
fn rename_follows_every_use_and_keeps_comments() {
    let dir = small();
    let read = |path: &str| fs::read_to_string(dir.path().join(path)).unwrap();
    fs::write(dir.path().join("levels/start.ron"), format!("// Where it begins.\n{LEVEL}")).unwrap();
    assert_eq!(run(&["rename", at(&dir), "def", "goblin", "gnome"]).code, 0);
    assert_eq!(read("entities/all.ron"), DEFS.replace("\"goblin\"", "\"gnome\""));
    assert!(read("levels/start.ron").contains("def: \"gnome\""));
    assert_eq!(run(&["rename", at(&dir), "level", "start", "first"]).code, 0);
    assert!(read("levels/first.ron").starts_with("// Where it begins.\n"));
    assert!(!dir.path().join("levels/start.ron").exists());
    assert!(read("project.ron").contains("start_level: \"first\""));
    assert_eq!(run(&["rename", at(&dir), "tileset", "keep", "castle"]).code, 0);
    assert_eq!(read("tilesets/castle.ron"), TILES);
    assert!(read("levels/first.ron").contains("tileset: \"castle\""));
    assert_eq!(run(&["check", at(&dir)]).err, "");
    for (old, new) in [("gnome", "monster"), ("nobody", "x"), ("gnome", "")] {
        let refused = run(&["rename", at(&dir), "def", old, new]);
        assert_eq!(refused.code, 2, "{old} → {new}: {}", refused.out);
    }
    assert_eq!(run(&["rename", at(&dir), "level", "first", "../out"]).code, 2);
    fs::write(dir.path().join("entities/bad.ron"), "{").unwrap();
    assert_eq!(run(&["rename", at(&dir), "def", "gnome", "elf"]).code, 1, "a file that may use it is unreadable");
}

/// Every file of a folder, with what it says.
fn all_files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                all.push((entry.path(), fs::read(entry.path()).unwrap()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_rename_that_cannot_be_made_everywhere_is_made_nowhere() {
    let dir = small();
    let level = dir.path().join("levels/start.ron");
    let writable = fs::metadata(&level).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    let before = all_files(dir.path());
    // Root may write to read-only files; that somebody made it so is asked all the same.
    fs::set_permissions(&level, read_only).unwrap();
    for what in [["def", "goblin", "gnome"], ["tileset", "keep", "castle"]] {
        let refused = run(&["rename", at(&dir), what[0], what[1], what[2]]);
        assert_eq!(refused.code, 1, "{}", refused.out);
        assert!(
            refused
                .err
                .contains("levels/start.ron could not be written: it or its folder is read-only; no file was changed"),
            "{}",
            refused.err
        );
        assert!(all_files(dir.path()) == before);
    }
    fs::set_permissions(&level, writable).unwrap();
    assert_eq!(run(&["rename", at(&dir), "tileset", "keep", "castle"]).code, 0);
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_is_changed() {
    let dir = small();
    let before = all_files(dir.path());
    // No file may grow: the system refuses as it does when there is no room.
    let script =
        format!("trap '' XFSZ; ulimit -f 0; exec {} rename \"$0\" def goblin gnome", env!("CARGO_BIN_EXE_levelwright"));
    let output = Command::new("sh").args(["-c", &script, at(&dir)]).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("could not be written") && told.contains("no file was changed"), "{told}");
    assert!(all_files(dir.path()) == before, "not even something half written is left");
}

/// What a rename leaves that is killed after its first file: the record of the change, new contents, one file of two changed.
/// Returns the record's place.
#[cfg(target_os = "linux")]
fn interrupt_a_rename(root: &Path, temp_process: &str) -> PathBuf {
    use levelwright::io::{content_hash, journal};
    let real = root.canonicalize().unwrap();
    let folder = journal::folder_of(&Path::new(STATE).join("levelwright/journals"), &real);
    let (mut files, mut before) = (Vec::new(), Vec::new());
    for (i, path) in ["entities/all.ron", "levels/start.ron"].into_iter().enumerate() {
        let at = root.join(path);
        let (mode, old) = (0o644, fs::read(&at).unwrap());
        let new = String::from_utf8(old.clone()).unwrap().replace("goblin", "gnome");
        let temp = format!(".levelwright-{temp_process}-abc{i}.tmp");
        files.push(json!({
            "path": path,
            "after": [temp, content_hash(new.as_bytes())],
            "before": {"hash": content_hash(&old), "n_bytes": old.len(), "mode": mode},
        }));
        fs::write(if i == 0 { at.clone() } else { at.with_file_name(temp) }, new).unwrap();
        before.extend(old);
    }
    let record = json!({
        "levelwright_intent": 1, "root": real, "base": null, "command": "rename game def goblin gnome", "files": files,
    });
    let line = record.to_string();
    fs::create_dir_all(&folder).unwrap();
    let place = folder.join(format!("{temp_process}-0123456789abcdef.intent"));
    let line = format!("{:016x} {line}\n", content_hash(line.as_bytes()));
    fs::write(&place, [line.as_bytes(), &before].concat()).unwrap();
    place
}

/// The number of a process that ended.
#[cfg(target_os = "linux")]
fn ended_process() -> String {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id().to_string()
}

#[cfg(target_os = "linux")]
#[test]
fn the_next_command_settles_a_change_that_was_interrupted() {
    let process = ended_process();
    let commands: [&[&str]; 7] = [
        &["check"],
        &["rename", "--", "def", "gnome", "elf"],
        &["fix"],
        &["fmt", "--check"],
        &["resolve", "--", "gnome"],
        &["render", "--", "start", concat!(env!("CARGO_TARGET_TMPDIR"), "/settled.png")],
        &["schema", "--project"],
    ];
    for command in commands {
        let dir = small();
        let record = interrupt_a_rename(dir.path(), &process);
        let mut args: Vec<&str> = command.to_vec();
        let at_project = args.iter().position(|arg| *arg == "--");
        match at_project {
            Some(i) => args[i] = at(&dir),
            None => args.push(at(&dir)),
        }
        let told = run(&args);
        let note =
            "`rename game def goblin gnome` was interrupted and is finished now: entities/all.ron, levels/start.ron\n";
        assert!(told.err.starts_with(note), "{args:?}: {}", told.err);
        assert_eq!(told.code, i32::from(command[0] == "fmt"), "{args:?}: {}", told.err);
        assert!(!record.exists());
        assert_eq!(run(&["check", at(&dir)]).err, "");
        assert_eq!(fs::read_dir(dir.path().join("levels")).unwrap().count(), 1, "the new content is in its place");
    }
    // Its new contents are gone: taken back.
    let dir = small();
    let before = all_files(dir.path());
    interrupt_a_rename(dir.path(), &process);
    fs::remove_file(dir.path().join(format!("levels/.levelwright-{process}-abc1.tmp"))).unwrap();
    let told = run(&["check", at(&dir)]);
    assert!(
        told.err.starts_with("`rename game def goblin gnome` was interrupted and is taken back now: "),
        "{}",
        told.err
    );
    assert_eq!((told.code, all_files(dir.path()) == before), (0, true));
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_that_cannot_be_settled_is_reported_and_nothing_is_written() {
    let dir = small();
    let record = interrupt_a_rename(dir.path(), &ended_process());
    // A folder that nobody may rename into, not even root.
    let levels = dir.path().join("levels");
    let aside = dir.path().join("aside");
    fs::rename(&levels, &aside).unwrap();
    std::os::unix::fs::symlink("/proc", &levels).unwrap();
    let before = all_files(&dir.path().join("entities"));
    for command in [&["rename", at(&dir), "def", "gnome", "elf"][..], &["fix", at(&dir)], &["fmt", at(&dir)]] {
        let told = run(command);
        assert_eq!(told.code, 1, "{command:?}");
        let why =
            "cannot be completed or rolled back (levels/start.ron leads outside its folder); files: entities/all.ron, ";
        assert!(told.err.contains(why) && told.err.contains(&format!("delete {}", record.display())), "{}", told.err);
        assert!(all_files(&dir.path().join("entities")) == before && record.exists());
    }
    assert!(run(&["check", at(&dir)]).err.contains("levels/start.ron leads outside its folder"));
    fs::remove_file(&levels).unwrap();
    fs::rename(&aside, &levels).unwrap();
    assert!(run(&["check", at(&dir)]).err.contains("is finished now"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_whose_record_cannot_be_read_is_reported_and_nothing_is_written() {
    use levelwright::io::content_hash;
    let dir = small();
    let record = interrupt_a_rename(dir.path(), &ended_process());
    let whole = fs::read_to_string(&record).unwrap();
    let newer = whole.lines().next().unwrap()[17..].replace("\"levelwright_intent\":1", "\"levelwright_intent\":2");
    let newer = format!("{:016x} {newer}\n", content_hash(newer.as_bytes()));
    let before = all_files(dir.path());
    for text in [&newer, &whole[..whole.len() - 1], ""] {
        fs::write(&record, text).unwrap();
        for command in [&["rename", at(&dir), "def", "gnome", "elf"][..], &["fix", at(&dir)], &["fmt", at(&dir)]] {
            let told = run(command);
            assert_eq!(told.code, 1, "{command:?}: {}", told.err);
            let why = "an interrupted change cannot be completed or rolled back (its record cannot be read: it is damaged, or \
                       another version of Levelwright wrote it)";
            assert!(told.err.contains(why), "{}", told.err);
        }
        assert!(run(&["check", at(&dir)]).err.contains(&format!("delete {}", record.display())));
        assert!(all_files(dir.path()) == before, "new contents stay, too");
    }
    fs::write(&record, whole).unwrap();
    assert!(run(&["check", at(&dir)]).err.contains("is finished now"));
}

#[cfg(unix)]
#[test]
fn a_change_without_a_record_is_made_and_says_so() {
    let dir = small();
    let output =
        command().env("XDG_STATE_HOME", "/dev/null").args(["rename", at(&dir), "def", "goblin", "gnome"]).output();
    let told = told(output.unwrap());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.err.contains("no record of this change could be kept ("), "{}", told.err);
    let out = tempfile::tempdir().unwrap();
    let output = command().env("XDG_STATE_HOME", "/dev/null").args(["export", at(&dir), "--out", at(&out)]).output();
    assert!(String::from_utf8(output.unwrap().stderr).unwrap().contains("no record of this change could be kept ("));
    assert!(!run(&["rename", at(&dir), "def", "gnome", "goblin"]).err.contains("no record"));
}

#[cfg(target_os = "linux")]
#[test]
fn temporary_files_go_with_their_processes() {
    let dir = small();
    let mut sleeper = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let of = |process: &str| [".", "levels", "entities"].map(|it| format!("{it}/.levelwright-{process}-x1Y2z3.tmp"));
    let (ended, living) = (of(&ended_process()), of(&sleeper.id().to_string()));
    for file in ended.iter().chain(&living) {
        fs::write(dir.path().join(file), "half").unwrap();
    }
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    assert!(ended.iter().all(|file| dir.path().join(file).exists()), "the process may be one of another container");
    for file in ended.iter().chain(&living) {
        let file = fs::File::options().write(true).open(dir.path().join(file)).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_hours(1)).unwrap();
    }
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    assert!(!ended.iter().any(|file| dir.path().join(file).exists()));
    assert!(living.iter().all(|file| dir.path().join(file).exists()));
    drop(sleeper.stdin.take());
    sleeper.wait().unwrap();
    run(&["check", at(&dir)]);
    assert!(!living.iter().any(|file| dir.path().join(file).exists()));
}

#[test]
fn a_rename_moves_what_a_link_leads_to_in_one_change() {
    let dir = small();
    let file = dir.path().join("tilesets/keep.ron");
    fs::write(&file, format!("// Stones.\n{TILES}")).unwrap();
    #[cfg(unix)]
    {
        fs::rename(&file, dir.path().join("tilesets/real.txt")).unwrap();
        std::os::unix::fs::symlink("real.txt", &file).unwrap();
    }
    let renamed = run(&["rename", at(&dir), "tileset", "keep", "castle"]);
    assert_eq!(renamed.code, 0, "{}", renamed.err);
    assert!(!file.is_symlink() && dir.path().join("tilesets/castle.ron").is_file());
    assert_eq!(fs::read_to_string(dir.path().join("tilesets/castle.ron")).unwrap(), format!("// Stones.\n{TILES}"));
    assert_eq!(run(&["check", at(&dir)]).err, "");
}

/// The beginning of a PNG of this size.
fn png_head(side: u32) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 })
        })
    };
    let chunk = |kind: &[u8], data: &[u8]| {
        let n_bytes = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&n_bytes[..], kind, data, &crc(&[kind, data].concat()).to_be_bytes()[..]].concat()
    };
    let head = [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &head), chunk(b"IDAT", &[0x78, 0x9C, 3, 0, 0, 0, 0, 1])].concat()
}

#[test]
fn images_that_show_nothing_are_errors_everywhere() {
    let dir = small();
    let image = dir.path().join("tilesets/keep.png");
    let good = png();
    let mut damaged = good.clone();
    let middle = good.len() - 20;
    damaged[middle] ^= 0xFF;
    let whys = [
        (good[..good.len() / 2].to_vec(), "unexpected end of file"),
        (damaged, "not a readable PNG"),
        (png_head(30_000), "30000 × 30000 pixels: a picture has 1 to 32768 on a side and at most 268435456 in all"),
        (Vec::new(), "not a readable PNG"),
    ];
    for (bytes, why) in whys {
        fs::write(&image, bytes).unwrap();
        let checked = run(&["check", at(&dir)]);
        let message = "error[image-missing] tilesets/keep.ron:1:9: `tilesets/keep.png` cannot be read: ";
        assert_eq!(checked.code, 1);
        assert!(checked.err.starts_with(message) && checked.err.contains(why), "{why}: {}", checked.err);
        let out = dir.path().join("out");
        let exported = run(&["export", at(&dir), "--out", out.to_str().unwrap()]);
        assert!(exported.code == 1 && !out.exists(), "{}", exported.err);
        let drawn = run(&["render", at(&dir), "start", dir.path().join("a.png").to_str().unwrap()]);
        assert!(drawn.code == 1 && drawn.err.contains("incomplete: the image `tilesets/keep.png`: "), "{}", drawn.err);
    }
    // A picture that nothing names is nobody's problem.
    fs::write(&image, good).unwrap();
    fs::write(dir.path().join("tilesets/sketch.png"), "").unwrap();
    fs::remove_file(dir.path().join("a.png")).unwrap();
    assert_eq!(run(&["check", at(&dir)]).err, "");
}

#[test]
fn an_export_stays_out_of_the_project() {
    let dir = small();
    fs::create_dir(dir.path().join("art")).unwrap();
    fs::write(dir.path().join("art/hero.png"), png()).unwrap();
    let defs = DEFS.replace("{\n", "{\n    \"hero\": (set: (Sprite: (image: \"art/hero.png\"))),\n");
    fs::write(dir.path().join("entities/all.ron"), defs).unwrap();
    let before = all_files(dir.path());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut outs: Vec<PathBuf> =
        ["", ".", "levels", "levels/new/deep", "art", "art/../tilesets"].iter().map(|it| dir.path().join(it)).collect();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.path().join("levels"), elsewhere.path().join("link")).unwrap();
        fs::create_dir(elsewhere.path().join("out")).unwrap();
        std::os::unix::fs::symlink(dir.path(), elsewhere.path().join("out/images")).unwrap();
        outs.extend([elsewhere.path().join("link"), elsewhere.path().join("link/x"), elsewhere.path().join("out")]);
    }
    for out in outs {
        let refused = run(&["export", at(&dir), "--out", out.to_str().unwrap()]);
        assert_eq!(refused.code, 2, "{}: {}", out.display(), refused.err);
        assert!(refused.err.contains("belongs to the project"), "{}", refused.err);
        assert!(all_files(dir.path()) == before, "{}", out.display());
    }
    let out = elsewhere.path().join("game");
    assert_eq!(run(&["export", at(&dir), "--out", out.to_str().unwrap()]).code, 0);
    // A link is replaced: what it leads to is not the export's.
    #[cfg(unix)]
    {
        let precious = elsewhere.path().join("precious");
        fs::write(&precious, "mine").unwrap();
        for file in ["game.json", "images/art/hero.png"] {
            fs::remove_file(out.join(file)).unwrap();
            std::os::unix::fs::symlink(&precious, out.join(file)).unwrap();
        }
        assert_eq!(run(&["export", at(&dir), "--out", out.to_str().unwrap()]).code, 0);
        assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
        assert!(!out.join("game.json").is_symlink() && !out.join("images/art/hero.png").is_symlink());
    }
    // What no export names any more goes; what others put there stays.
    fs::write(out.join("images/art/theirs.png"), "theirs").unwrap();
    fs::write(dir.path().join("entities/all.ron"), DEFS).unwrap();
    assert_eq!(run(&["export", at(&dir), "--out", out.to_str().unwrap()]).code, 0);
    assert!(!out.join("images/art/hero.png").exists() && out.join("images/art/theirs.png").exists());
    assert!(out.join("images/tilesets/keep.png").exists());
}

#[test]
fn of_many_problems_some_are_listed_and_all_counted() {
    let defs = |i: usize| format!("    \"d{i}\": (inherits: [\"missing_{i}\"]),\n");
    let many: String = (0..3_000).map(defs).collect();
    let flags = format!("\"tags\": (set: (Tags: (tags: [{}]))),", "12, ".repeat(5_000));
    let dir = project(&[
        ("entities/many.ron", &format!("{{\n{many}{flags}\n}}\n")),
        ("levels/start.ron", "(tile_size: (16, 16), layers: [])\n"),
    ]);
    let checked = run(&["check", at(&dir)]);
    assert_eq!(checked.code, 1);
    let listed = |rule: &str| checked.err.matches(&format!("error[{rule}]")).count();
    assert_eq!((listed("missing-parent"), listed("wrong-type")), (1_000, 1_000), "{}", checked.out);
    assert!(checked.err.contains("2000 more of missing-parent are not listed\n"), "{}", checked.out);
    assert!(checked.err.contains("4000 more of wrong-type are not listed\n"));
    assert!(checked.out.contains("8000 errors"), "{}", checked.out);
    let json = run(&["check", at(&dir), "--json"]).json();
    assert_eq!(json["left_out"], json!({"missing-parent": 2_000, "wrong-type": 4_000}));
    assert_eq!(json["problems"].as_array().unwrap().len(), 2_000);
    assert!(checked.err.lines().all(|line| line.len() < 1_000), "each is short");
}

#[test]
fn a_fix_behind_many_problems_without_one_is_made() {
    let many: String = (0..1_500).map(|i| format!("\"missing_{i}\", ")).collect();
    let defs = format!("{{\n\"goblin\": (),\n\"many\": (inherits: [{many}]),\n\"z\": (inherits: [\"gobln\"]),\n}}\n");
    let dir = project(&[("entities/many.ron", &defs), ("levels/start.ron", "(tile_size: (16, 16), layers: [])\n")]);
    let fixed = run(&["fix", at(&dir), "--rule", "missing-parent", "--all"]);
    assert!(fixed.out.contains("1 fixed in 1 file, 1500 problems left"), "{}", fixed.out);
    let text = fs::read_to_string(dir.path().join("entities/many.ron")).unwrap();
    assert!(text.contains("\"z\": (inherits: [\"goblin\"])"), "{}", text.lines().last().unwrap());
}

#[test]
fn fix_mends_what_is_safe_and_tells_the_rest() {
    let dir = small();
    let file = dir.path().join("entities/all.ron");
    // An override that says what is inherited anyway, and a parent nobody knows.
    let text = DEFS.replace("scale: (Health: (max: 0.5))", "set: (Health: (max: 20.0)) /* as ever */") + "\n// kept\n";
    fs::write(&file, &text).unwrap();
    let checked = run(&["check", at(&dir), "--json"]).json();
    let problem = &checked["problems"][0];
    assert_eq!(problem["rule"], "redundant-override");
    assert!(!problem["fixes"].as_array().unwrap().is_empty());
    let fixed = run(&["fix", at(&dir)]);
    assert_eq!(fixed.code, 0, "{}", fixed.err);
    assert!(fixed.out.starts_with("fixed ") && fixed.out.contains("entities/all.ron:3:"), "{}", fixed.out);
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("// kept") && !now.contains("set: (Health: (max: 20.0)) /*"), "{now}");
    assert_eq!(run(&["check", at(&dir)]).err, "");
    assert_eq!(run(&["fix", at(&dir), "--rule", "redundant-overide"]).code, 2);
    fs::write(&file, DEFS.replace("[\"monster\"]", "[\"nobody\"]")).unwrap();
    assert_eq!(run(&["fix", at(&dir)]).code, 1, "errors are left");
}

#[test]
fn rename_follows_words_of_the_game() {
    let dir = small();
    let path = |path: &str| dir.path().join(path);
    fs::create_dir_all(path("schemas")).unwrap();
    fs::write(
        path("schemas/game.ron"),
        "(\n    // What it leaves.\n    components: { \"Loot\": (fields: { \"gold\": (type: Int) }) },\n    \
         messages: { \"Rob\": (payload: {}) },\n)\n",
    )
    .unwrap();
    fs::write(path("entities/loot.ron"), "{\n    // Rich.\n    \"chest\": (set: (Loot: (gold: 5))), // five\n}\n")
        .unwrap();
    for (kind, old, new) in
        [("field", "Loot.gold", "coins"), ("component", "Loot", "Purse"), ("message", "Rob", "Steal")]
    {
        let run = run(&["rename", at(&dir), kind, old, new]);
        assert_eq!(run.code, 0, "{old}: {}", run.err);
    }
    let schema = fs::read_to_string(path("schemas/game.ron")).unwrap();
    assert!(
        schema.contains("// What it leaves.") && schema.contains("\"Purse\"") && schema.contains("\"Steal\""),
        "{schema}"
    );
    let entities = fs::read_to_string(path("entities/loot.ron")).unwrap();
    assert_eq!(entities, "{\n    // Rich.\n    \"chest\": (set: (Purse: (coins: 5))), // five\n}\n");
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    for (kind, old) in [("component", "Health"), ("field", "Health.max"), ("message", "Nobody")] {
        assert_eq!(run(&["rename", at(&dir), kind, old, "Other"]).code, 2, "{old}");
    }
}

#[test]
fn a_project_with_errors_is_not_exported() {
    let dir = small();
    fs::write(dir.path().join("entities/all.ron"), "{ \"goblin\": (inherits: [\"nobody\"]) }").unwrap();
    let out = dir.path().join("out");
    let run = run(&["export", at(&dir), "--out", out.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("error[") && !out.exists());
}

#[test]
fn scenarios_pass_and_fail_by_what_they_expect() {
    let dir = small();
    let scenario = |expect: &str| format!("(level: \"start\", secs: 0.5, script: [], expect: [{expect}])\n");
    fs::create_dir(dir.path().join("scenarios")).unwrap();
    let write = |name: &str, expect: &str| {
        fs::write(dir.path().join(format!("scenarios/{name}.ron")), scenario(expect)).unwrap();
    };
    write(
        "fine",
        "(at: 0.5, entity: \"g1\", exists: true), (by: 0.2, entity: \"g1\", near: (40.0, 40.0), within: 1.0)",
    );
    let fine = run(&["test", at(&dir)]);
    assert_eq!(fine.code, 0, "{}{}", fine.out, fine.err);
    assert!(fine.out.ends_with("2 passed, 0 failed\n"), "{}", fine.out);
    write("wrong", "(at: 0.5, entity: \"g1\", near: (400.0, 40.0), within: 1.0)");
    let both = run(&["test", at(&dir)]);
    assert_eq!(both.code, 1);
    assert!(both.out.contains("FAIL g1 is within 1 px of (400, 40) at 0.5 s: it is at "), "{}", both.out);
    assert!(both.out.ends_with("2 passed, 1 failed\n"), "{}", both.out);
    assert_eq!(run(&["test", at(&dir), "fine"]).code, 0, "only the one named");
    let json = run(&["test", at(&dir), "--json"]).json();
    assert_eq!((&json["passed"], &json["failed"]), (&2.into(), &1.into()));
}

#[test]
fn the_schema_is_written_where_asked() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("deep/er");
    assert_eq!(run(&["schema", "--out", out.to_str().unwrap()]).code, 0);
    let written = fs::read_to_string(out.join("export.schema.json")).unwrap();
    assert_eq!(written, run(&["schema"]).out);
    // Those in the repository are what is written.
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let kinds = ["project", "entities", "levels", "machines", "tilesets", "tuning", "scenarios", "schemas"];
    let files = kinds.map(|kind| format!("project/{kind}.schema.json"));
    for file in files.iter().map(String::as_str).chain(["export.schema.json"]) {
        let (written, ours) = (fs::read_to_string(out.join(file)), fs::read_to_string(ours.join(file)));
        assert_eq!(written.unwrap(), ours.unwrap_or_default(), "{file}: `levelwright schema --out schemas` writes it");
    }
    assert_eq!(run(&["schema", "--kind", "levels"]).out, fs::read_to_string(out.join(&files[2])).unwrap());
}

#[test]
fn schemas_know_the_words_and_names_of_a_project() {
    let schema = run(&["schema", "--kind", "entities", "--project", "sample_data", "--json"]).json();
    let text = schema.to_string();
    assert!(text.contains("goblin_brain") && text.contains("Points at spawn."), "names and meanings");
    let words = run(&["schema", "--project", "sample_data", "--complete", "words"]).out;
    let words: Vec<&str> = words.lines().collect();
    assert!(words.is_sorted());
    for word in ["Walker", "speed", "goblin", "Kinematic", "FollowRoute", "Physics.gravity"] {
        assert!(words.contains(&word), "{word}");
    }
    let snippets = run(&["schema", "--project", "sample_data", "--complete", "vscode"]).json();
    assert_eq!(snippets["Walker.speed"]["body"][0], "speed: ${1:80.0}");
    assert_eq!(snippets["Body.kind"]["body"][0], "kind: ${1|Static,Kinematic,Dynamic|}");
    assert!(snippets["Walker.speed"]["description"].as_str().unwrap().contains("0 to 2000 px/s"), "{snippets}");
    assert_eq!(snippets["definition goblin"]["body"][0], "\"goblin\"");
    let twin = run(&["schema", "--twin", "sample_data/project.ron"]).json();
    assert_eq!((&twin["format"], &twin["view"]), (&1.into(), &"Platformer".into()));
    let dir = project(&[("entities/torn.ron", "{ \"a\": ( }")]);
    let torn = run(&["schema", "--twin", &format!("{}/entities/torn.ron", at(&dir))]);
    assert_eq!(torn.code, 1);
    assert!(torn.err.contains("entities/torn.ron:1:"), "{}", torn.err);
}

#[test]
fn editors_read_problems_as_the_readme_says() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let block = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("tasks.json");
    let tasks: Value = serde_json::from_str(block).unwrap();
    let pattern = &tasks["tasks"][0]["problemMatcher"]["pattern"];
    let regexp = regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let dir = project(&[("entities/all.ron", "{\n    \"a\": (set: (Walker: (sped: 5))),\n}\n")]);
    let checked = run(&["check", at(&dir)]);
    let line = checked.err.lines().next().unwrap();
    let found = regexp.captures(line).unwrap_or_else(|| panic!("{line}"));
    let group = |name: &str| found[usize::try_from(pattern[name].as_u64().unwrap()).unwrap()].to_owned();
    assert_eq!(
        ["severity", "code", "file", "line", "column"].map(group),
        ["error", "unknown-field", "entities/all.ron", "2", "26"]
    );
    assert!(group("message").starts_with("`Walker` has no field `sped`"));
    // The same by vim, where there is one that has quickfix.
    let errorformat =
        readme.lines().find_map(|line| line.trim().strip_prefix("let &errorformat = ")).expect("errorformat");
    let script = format!(
        "cd {dir}\nlet &makeprg = '{bin} check .'\nlet &errorformat = {errorformat}\nsilent! make!\n\
         call writefile(map(getqflist(), 'v:val.type . bufname(v:val.bufnr) . \":\" . v:val.lnum . \":\" . v:val.col'), 'found')\nqa!\n",
        dir = at(&dir),
        bin = env!("CARGO_BIN_EXE_levelwright"),
    );
    fs::write(dir.path().join("try.vim"), script).unwrap();
    let has_quickfix = |out: &std::process::Output| String::from_utf8_lossy(&out.stdout).contains("+quickfix");
    if Command::new("vim").arg("--version").output().is_ok_and(|out| has_quickfix(&out)) {
        let script = dir.path().join("try.vim");
        let status = Command::new("vim").args(["-u", "NONE", "-es", "-S"]).arg(&script).stdin(Stdio::null()).status();
        assert!(status.is_ok());
        let found = fs::read_to_string(dir.path().join("found")).unwrap();
        assert_eq!(found.lines().next(), Some("eentities/all.ron:2:26"), "{found}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let dir =
        project(&[("levels/start.ron", "(layers: [])\n"), ("entities/a.ron", "{ \"a\": (set: (Health: ())) }\n")]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let root = dir.path().to_str().unwrap();
    let output = command().args(["resolve", root, "a"]).stdin(Stdio::null()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("could not be written"));
}

/// A game with words, lists and responses of its own, spelled the way people do.
const ODD: [(&str, &str); 4] = [
    (
        "schemas/odd.ron",
        "(enums: { \"Mood\": [\"Red\", \"Calm\"], \"Lamp\": [\"Red\", \"Green\"] }, components: {
    \"C\": (response: Decay(rate: \"n\"), fields: {
        \"n\": (type: Float, default: 2.0), \"i\": (type: Int, default: 0), \"e\": (type: Int, default: 0),
        \"me\": (type: Option(Def), default: None),
        \"ld\": (type: List(Def), default: []), \"le\": (type: List(Enum(\"Lamp\")), default: []),
        \"lm\": (type: List(Enum(\"Mood\")), default: []),
    }),
}, conditions: { \"IsA\": (args: { \"who\": (type: Def) }) })\n",
    ),
    (
        "entities/odd.ron",
        "{
    // Who it is.
    \"base\": (abstract: true, // kept
        set: (C: (me: \"base\", n: 3 /* not 3.0 */, ld: [\"base\", \"heir\"], le: [Red, Green], lm: [Red]))),
    \"heir\": (inherits: [\"base\"], remove: [\"C.ld[\\\"base\\\"]\", \"C.le[Red]\", \"C.lm[Red]\"]),
}\n",
    ),
    (
        "machines/odd.ron",
        "{
    // Goes round.
    \"m\": (initial: \"A\", states: {
        // Again and again.
        \"A\": ( /* here */ transitions: [(after: 1, to: \"A\"), (when: IsA(who: \"base\"), to: \"A\")]),
    }),
}\n",
    ),
    (
        "tuning/odd.ron",
        "(page: \"Odd\", values: {
    // How fast.
    \"k\": (value: 3 /* three */, response: Decay(rate: \"k\")),
})\n",
    ),
];

#[test]
fn what_names_itself_keeps_its_text_when_it_is_renamed() {
    let renames: [(&str, &str, &str, &[(&str, &str)]); 6] = [
        ("def", "base", "root", &[("\"base\"", "\"root\""), ("\\\"base\\\"", "\\\"root\\\"")]),
        ("state", "m/A", "Again", &[("\"A\"", "\"Again\"")]),
        ("tunable", "Odd.k", "kk", &[("\"k\"", "\"kk\"")]),
        ("field", "C.n", "nn", &[("\"n\"", "\"nn\""), ("n: 3", "nn: 3")]),
        (
            "enum-value",
            "Mood.Red",
            "Angry",
            &[
                ("[\"Red\", \"Calm\"]", "[\"Angry\", \"Calm\"]"),
                ("lm: [Red]", "lm: [Angry]"),
                ("C.lm[Red]", "C.lm[Angry]"),
            ],
        ),
        ("def", "base", "zz\\\"q", &[]),
    ];
    for (kind, old, new, replaced) in renames {
        let dir = project(&ODD);
        let before = run(&["check", at(&dir)]);
        assert_eq!(before.err.matches("error").count(), 1, "there is no level to start with only: {}", before.err);
        let new = new.replace('\\', "");
        let done = run(&["rename", at(&dir), kind, old, &new]);
        assert_eq!(done.code, 0, "{}", done.err);
        let after = run(&["check", at(&dir)]);
        assert_eq!(after.err.lines().count(), before.err.lines().count(), "{kind} {old}: {}", after.err);
        for (path, text) in ODD.iter().filter(|_| !replaced.is_empty()) {
            let expected = replaced.iter().fold((*text).to_owned(), |text, (from, to)| text.replace(from, to));
            assert_eq!(fs::read_to_string(dir.path().join(path)).unwrap(), expected, "{kind} {old}");
        }
    }
}

#[test]
fn files_are_renamed_only_to_what_files_can_be_called() {
    let dir = small();
    for name in [".hid", "..", "a/b", "a\\b", "dot.", "x.ron", "CON", "com1", "a?b", " a"] {
        let refused = run(&["rename", at(&dir), "level", "start", name]);
        assert_eq!(refused.code, 2, "{name}: {}", refused.out);
        assert!(dir.path().join("levels/start.ron").exists());
    }
}

#[test]
fn fixes_write_over_nothing_that_is_said() {
    let dir = project(&ODD);
    let text = "{
    \"a\": (set: (Healt: (max: 3.0), Health: (max: 500.0 /* big */))),
    \"b\": (set: (C: (i: 4, ii: 9))),
    \"c\": (set: (Healt: (max: 3.0), Health: (current: 2.0))),
    \"f\": (set: (Healt: (max: 4.0))),
    \"d\": (inherits: [\"a\"], remove: [\"C.ld[\\\"hier\\\"]\"]),
    \"e\": (set: (Homemade: (x: 1))),
}\n";
    let path = dir.path().join("entities/more.ron");
    fs::write(&path, text).unwrap();
    run(&["fix", at(&dir), "--rule", "unknown-component", "--all"]);
    run(&["fix", at(&dir), "--rule", "unknown-field", "--all"]);
    run(&["fix", at(&dir)]);
    let now = fs::read_to_string(&path).unwrap();
    let twice = "Healt: (max: 3.0), Health: (current: 2.0)";
    for kept in
        ["Healt: (max: 3.0), Health: (max: 500.0 /* big */)", twice, "C: (i: 4, ii: 9)", "hier", "Homemade: (x: 1)"]
    {
        assert!(now.contains(kept), "{now}");
    }
    assert!(now.contains("\"f\": (set: (Health: (max: 4.0)))"), "{now}");
}

#[test]
fn resolve_tells_what_is_wrong_with_what_was_asked_for() {
    let dir = project(&ODD);
    let defs = "{
    \"fine\": (),
    \"typed\": (set: (C: (i: \"x\"))),
    \"bare\": (remove: [\"Shield\"]),
    \"child\": (inherits: [\"typed\"]),
}\n";
    fs::write(dir.path().join("entities/more.ron"), defs).unwrap();
    fs::write(dir.path().join("entities/bad.ron"), "{\n    \"lost\": (set: (C: (i: )),\n}\n").unwrap();
    let asked = |name: &str| run(&["resolve", at(&dir), name]);
    let fine = asked("fine");
    assert_eq!(fine.code, 0);
    assert!(fine.err.lines().all(|line| line.contains("entities/bad.ron")), "{}", fine.err);
    for (name, rule) in [("typed", "wrong-type"), ("bare", "bad-remove"), ("child", "wrong-type")] {
        let wrong = asked(name);
        assert_eq!(wrong.code, 1, "{name}");
        assert!(wrong.err.contains(rule) && !wrong.err.contains("odd.ron"), "{}", wrong.err);
    }
    let lost = asked("lost");
    assert_eq!(lost.code, 1);
    assert!(lost.err.contains("entities/bad.ron:2:"), "{}", lost.err);
    assert_eq!(asked("nobody").code, 2);
}
