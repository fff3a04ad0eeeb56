//! A game's own build, written as its programmers would: it runs the command, reads `game.json` with nothing but a JSON
//! library and the published schema, and has all it needs. Of this crate it uses only the schema's text.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde_json::Value;

/// Export the sample game into a fresh folder.
fn exported() -> (tempfile::TempDir, Value) {
    exported_of("sample_data".as_ref())
}

fn exported_of(project: &Path) -> (tempfile::TempDir, Value) {
    let (out, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // Exports of one project do not wait for each other, and two tests may run at once: each has a folder for its
    // records.
    let run = Command::new(env!("CARGO_BIN_EXE_levelwright"))
        .env("XDG_STATE_HOME", state.path())
        .arg("export")
        .arg(project)
        .args(["--target", "json,ron", "--out"])
        .arg(out.path())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let game = serde_json::from_slice(&fs::read(out.path().join("game.json")).unwrap()).unwrap();
    (out, game)
}

fn published_schema() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/export.schema.json")).unwrap()
}

#[test]
fn the_published_schema_is_the_current_one() {
    assert!(
        published_schema() == levelwright::io::export::json_schema(),
        "schemas/export.schema.json is out of date; run `cargo run -- schema --out schemas`"
    );
}

#[test]
fn the_export_keeps_to_the_published_schema() {
    let (_out, game) = exported();
    let schema: Value = serde_json::from_str(&published_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&game).take(10).map(|err| format!("{}: {err}", err.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let mut broken = game;
    broken["levels"]["courtyard"]["layers"][0]["kind"] = "nonsense".into();
    assert!(!validator.is_valid(&broken), "the schema lets anything pass");
}

#[test]
fn a_layer_tells_the_size_of_its_cells_where_it_is_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("game");
    levelwright::io::new_project(&root, levelwright::io::Template::Empty, "A game").unwrap();
    let levels: Vec<_> = fs::read_dir(root.join("levels")).unwrap().map(|it| it.unwrap().path()).collect();
    let sizes = [("a", ""), ("b", "tile_size: (8, 4), "), ("c", "tile_size: (16, 16), ")];
    let layers = sizes.map(|(name, size)| format!("Values(name: \"{name}\", {size}chunks: {{ (0, 0): [\"1\"] }}),"));
    let text = format!("(size: (20, 10), tile_size: (16, 16), layers: [{}])\n", layers.concat());
    fs::write(&levels[0], text).unwrap();
    let (_out, game) = exported_of(&root);
    let schema: Value = serde_json::from_str(&published_schema()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&game));
    let name = levels[0].file_stem().unwrap().to_str().unwrap();
    let sizes = [0, 1, 2].map(|i| game["levels"][name]["layers"][i].get("tile_size").cloned());
    assert_eq!(sizes, [None, Some(serde_json::json!([8, 4])), None]);
}

#[test]
fn exporting_twice_gives_the_same_bytes() {
    let (first, _) = exported();
    let (second, _) = exported();
    for file in ["game.json", "game.ron"] {
        let read = |dir: &tempfile::TempDir| fs::read(dir.path().join(file)).unwrap();
        assert!(read(&first) == read(&second), "{file} differs");
    }
}

#[test]
fn the_ron_export_is_ron() {
    let (out, json) = exported();
    let text = fs::read_to_string(out.path().join("game.ron")).unwrap();
    let game: ron::Value = text.parse().unwrap();
    let ron::Value::Map(game) = game else { panic!("not a struct") };
    let name = game.iter().find(|(key, _)| **key == ron::Value::String("name".into())).unwrap().1;
    assert_eq!(*name, ron::Value::String(json["name"].as_str().unwrap().into()));
}

/// What the game makes of a level when it loads one.
struct LoadedLevel<'a> {
    solid: BTreeMap<(i64, i64), &'a Value>,
    entities: BTreeMap<&'a str, &'a Value>,
    nodes: BTreeMap<&'a str, [f64; 2]>,
    links: Vec<(&'a str, &'a str, f64)>,
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn pair(value: &Value) -> [f64; 2] {
    [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()]
}

/// A game's loader for one level, by the schema's words alone.
fn load<'a>(game: &'a Value, name: &str) -> LoadedLevel<'a> {
    let level = &game["levels"][name];
    let mut out =
        LoadedLevel { solid: BTreeMap::new(), entities: BTreeMap::new(), nodes: BTreeMap::new(), links: Vec::new() };
    for layer in list(level, "layers") {
        match text(layer, "kind") {
            "tiles" => {
                let tiles = &layer["tiles"];
                let tileset = &game["tilesets"][text(tiles, "tileset")];
                let by_id: BTreeMap<i64, &Value> =
                    list(tileset, "tiles").iter().map(|tile| (tile["id"].as_i64().unwrap(), tile)).collect();
                for chunk in list(tiles, "chunks") {
                    let [x0, y0] = [chunk["at"][0].as_i64().unwrap(), chunk["at"][1].as_i64().unwrap()];
                    for (y, row) in (y0..).zip(list(chunk, "rows")) {
                        for (x, cell) in (x0..).zip(row.as_array().unwrap()) {
                            let number = cell.as_i64().unwrap();
                            if number < 0 {
                                continue;
                            }
                            let tile = by_id[&(number % 536_870_912)];
                            if tiles["collide"] == true && !list(tile, "solid").is_empty() {
                                out.solid.insert((x, y), tile);
                            }
                        }
                    }
                }
            }
            "entities" => {
                out.entities.extend(list(layer, "entities").iter().map(|entity| (text(entity, "id"), entity)));
            }
            "waypoints" => {
                let graph = &layer["waypoints"];
                out.nodes.extend(list(graph, "nodes").iter().map(|node| (text(node, "id"), pair(&node["at"]))));
                for link in list(graph, "links") {
                    out.links.push((text(link, "from"), text(link, "to"), link["cost"].as_f64().unwrap()));
                }
            }
            other => panic!("unknown kind of layer {other}"),
        }
    }
    out
}

#[test]
fn a_game_finds_its_levels_entities_and_links() {
    let (out, game) = exported();
    assert_eq!(game["format"], 1);
    let start = text(&game, "start_level");
    assert_eq!(game["levels"][start]["view"], "platformer");
    assert_eq!(game["levels"]["dungeon"]["view"], "top_down");

    let level = load(&game, start);
    assert!(level.solid.len() > 100, "the courtyard has ground to stand on");
    assert!(level.solid.values().any(|tile| list(tile, "solid").len() == 3 || tile["one_way"] == true));
    let player = level.entities.values().find(|entity| entity["components"]["Player"].is_object()).expect("a player");
    assert!(player["components"]["Walker"]["jump_speed"].as_f64().unwrap() > 0.0);

    // Every entity has every field of its components, and is of a kind that can be placed.
    for entity in level.entities.values() {
        let def = &game["definitions"][text(entity, "def")];
        assert_eq!(def["abstract"], false);
        for (name, fields) in entity["components"].as_object().unwrap() {
            for field in game["components"][name]["fields"].as_object().unwrap().keys() {
                assert!(
                    !fields[field].is_null()
                        || text(&game["components"][name]["fields"][field], "type").starts_with("Option")
                );
            }
        }
    }

    // Links join nodes, and cost at least the straight way unless someone said otherwise.
    let dungeon = load(&game, "dungeon");
    assert!(!dungeon.links.is_empty());
    for (from, to, cost) in &dungeon.links {
        let (a, b) = (dungeon.nodes[from], dungeon.nodes[to]);
        assert!(*cost > 0.0 && (a[0] - b[0]).hypot(a[1] - b[1]) > 0.0);
    }

    // Pictures are where they are said to be.
    for tileset in game["tilesets"].as_object().unwrap().values() {
        assert!(out.path().join(text(tileset, "image")).is_file());
    }
    let sheet = player["components"]["Sprite"]["image"].as_str().unwrap();
    assert!(fs::read(out.path().join(sheet)).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_game_finds_what_inheritance_made() {
    let (_out, game) = exported();
    let defs = &game["definitions"];
    let lineage =
        |name: &str| -> Vec<&str> { list(&defs[name], "lineage").iter().map(|name| name.as_str().unwrap()).collect() };
    let chief = lineage("chief");
    let at = |name: &str| chief.iter().position(|n| *n == name).unwrap();
    assert!(at("monster") < at("goblin") && at("goblin") < at("fast_goblin") && at("fast_goblin") < at("chief"));
    assert_eq!(defs["monster"]["abstract"], true);
    let mass = |name: &str| defs[name]["components"]["Body"]["mass"].as_f64().unwrap();
    assert!((mass("fast_goblin") - (mass("goblin") - 10.0)).abs() < 1e-9, "`add` was applied");
    assert_eq!(defs["goblin"]["components"]["Collider"]["shape"]["kind"], "capsule");
    let machines = list(&defs["goblin"]["components"]["Brain"], "machines");
    for machine in machines {
        assert!(game["machines"][machine.as_str().unwrap()].is_object(), "{machine} is exported");
    }
}

#[test]
fn a_game_can_run_the_machines() {
    let (_out, game) = exported();
    for (name, machine) in game["machines"].as_object().unwrap() {
        let states: BTreeMap<&str, &Value> =
            list(machine, "states").iter().map(|state| (text(state, "path"), state)).collect();
        assert!(states.contains_key(""), "{name} has a root");
        for (path, state) in &states {
            let known = |path: &Value| states.contains_key(path.as_str().unwrap());
            assert!(state["parent"].is_null() == path.is_empty());
            assert!(state["parent"].is_null() || known(&state["parent"]));
            assert!(state["initial"].is_null() || known(&state["initial"]), "{name}/{path}");
            assert!(list(state, "children").iter().all(known));
            for transition in list(state, "transitions") {
                assert!(known(&transition["to"]), "{name}/{path} leads nowhere");
                let triggers = ["when", "on", "after"].iter().filter(|key| !transition[**key].is_null()).count();
                assert_eq!(triggers, 1, "{name}/{path}");
            }
        }
    }
    // The mood table, walked by a program that knows nothing but the export.
    let attitude = list(&game["machines"]["attitude"], "states");
    let mut state = text(&attitude[0], "initial");
    for (message, expected) in [
        ("seen", "annoyed"),
        ("gone", "uncaring"),
        ("attacks", "mad"),
        ("hurt", "rage"),
        ("hurt", "berserk"),
        ("gone", "berserk"),
        ("healed", "rage"),
    ] {
        let now = attitude.iter().find(|s| s["path"] == state).unwrap();
        let taken = list(now, "transitions").iter().find(|transition| transition["on"] == message);
        state = taken.map_or(state, |transition| text(transition, "to"));
        assert_eq!(state, expected, "after {message}");
    }
    // Arguments left out in the file are there.
    let walk = |calls: &Value| calls.as_array().unwrap().iter().find(|call| call["name"] == "FollowRoute").cloned();
    let patrol = list(&game["machines"]["goblin_brain"], "states").iter().find_map(|state| walk(&state["enter"]));
    let args = patrol.expect("a machine that patrols")["args"].clone();
    assert!(args["mode"].is_string() && args["tag"].is_string());
}

#[test]
fn a_game_finds_its_constants() {
    let (_out, game) = exported();
    assert!(game["tuning"]["Simulation"]["timestep_hz"]["value"].as_f64().unwrap() > 0.0, "built-in pages are there");
    let damage = &game["tuning"]["Combat"]["player_damage"];
    assert_eq!((damage["value"].as_f64(), text(damage, "unit")), (Some(8.0), "hp"));
    assert!(list(&game["enums"], "BodyKind").contains(&"Dynamic".into()));
}
