//! `simulate`, `path`, `render` and `test`: the preview without a window.

use super::*;

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
fn why_an_entity_stands_still_is_explained_and_unknown_ones_are_refused() {
    let of = |id: &str| run(&["simulate", "sample_data", "range", "--secs", "0.5", "--why", id, "--json"]);
    let json = of("squire").json();
    assert_eq!((&json["why"][0]["entity"], &json["why"][0]["wants"]), (&"squire".into(), &"Keys".into()));
    assert!(json["why"][0]["sentence"].as_str().unwrap().contains("key"), "{}", json["why"]);
    let traced = run(&["simulate", "sample_data", "range", "--secs", "0.1", "--why", "squire", "--trace", "-"]);
    assert!(traced.err.contains(": squire "), "{}", traced.err);
    let unknown = of("squirre");
    assert!(unknown.code != 0 && unknown.err.contains("did you mean `squire`"), "{}", unknown.err);
}

#[test]
fn a_problem_that_check_has_and_the_run_meets_is_printed_once() {
    let dir = small();
    let level = dir.path().join("levels/start.ron");
    let text = fs::read_to_string(&level).unwrap();
    fs::write(&level, text.replacen("def: \"", "def: \"no_", 1)).unwrap();
    let result = run(&["simulate", at(&dir), "start", "--secs", "0.1"]);
    assert_eq!(result.err.matches("[missing-reference]").count(), 1, "{}", result.err);
    // One that cannot be read is reported with its place.
    fs::write(&level, &text[..text.len() / 2]).unwrap();
    let result = run(&["simulate", at(&dir), "start", "--secs", "0.1"]);
    assert!(result.err.contains("the level `start` cannot be read: levels/start.ron:"), "{}", result.err);
}

#[test]
fn a_run_that_leaves_out_what_is_declared_is_not_whole() {
    let of = |set: &str| {
        let def = format!("{{ \"goblin\": (set: (Body: (), {set})) }}\n");
        let dir = project(&[("levels/start.ron", LEVEL), ("entities/all.ron", &def)]);
        fs::create_dir_all(dir.path().join("tilesets")).unwrap();
        fs::write(
            dir.path().join("tilesets/keep.ron"),
            "(image: \"keep.png\", tile_size: (16, 16), tiles: { 1: (at: (0, 0)) })",
        )
        .unwrap();
        fs::write(dir.path().join("tilesets/keep.png"), png()).unwrap();
        run(&["simulate", at(&dir), "start", "--secs", "0.1"])
    };
    let whole = of("Collider: (shape: Box((8.0, 8.0))), Walker: ()");
    assert_eq!(whole.code, 0, "{}", whole.err);
    for set in [
        "Collider: (shape: Box((8.0, 8.0))), Walker: (speed: \"fast\")",
        "Collider: (shape: Circle(0.0))",
        "Collider: (shape: Box((8.0, 8.0))), Walker: (speed: 1e308)",
    ] {
        let result = of(set);
        assert_eq!(result.code, 1, "{set}: {}", result.err);
        assert!(result.err.contains("error["), "{set}: {}", result.err);
    }
}

#[test]
fn what_a_run_spends_its_time_on_is_printed_and_the_run_is_the_same() {
    let plain = run(&["simulate", "sample_data", "courtyard", "--secs", "1", "--json"]).json();
    let json = run(&["simulate", "sample_data", "courtyard", "--secs", "1", "--profile", "--json"]).json();
    assert_eq!((&json["hash"], &json["events"]), (&plain["hash"], &plain["events"]));
    assert!(plain.get("profile").is_none());
    let profile = &json["profile"];
    assert_eq!(profile["ticks"], 65, "the last moment counts");
    let systems = profile["systems"].as_array().unwrap();
    assert_eq!(
        (&systems[0]["system"], &systems[0]["depth"], &systems[0]["calls"]),
        (&"Tick".into(), &0.into(), &65.0.into())
    );
    let deep: Vec<_> =
        systems.iter().map(|it| (it["system"].as_str().unwrap(), it["depth"].as_u64().unwrap())).collect();
    for expected in [("Messages", 1), ("Machines", 2), ("Movement", 1), ("Steering", 2), ("Physics", 1), ("Solver", 2)]
    {
        assert!(deep.contains(&expected), "{expected:?} in {deep:?}");
    }
    let sum = |key: &str| systems.iter().map(|it| it[key].as_f64().unwrap()).sum::<f64>();
    let whole = systems[0]["total_ms"].as_f64().unwrap();
    assert!((sum("self_ms") - whole).abs() < 1e-3 * whole, "{} {whole}", sum("self_ms"));
    let definitions = profile["definitions"].as_array().unwrap();
    assert!(definitions.iter().any(|it| it["definition"] == "goblin" && it["entities"].as_u64() > Some(0)));
    assert!(definitions.last().unwrap()["definition"].is_null(), "what no entity is charged with");
    assert!(!profile["cells"].as_array().unwrap().is_empty());
    let text = run(&["simulate", "sample_data", "courtyard", "--secs", "1", "--profile"]).out;
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.starts_with("System ")).unwrap();
    let columns: Vec<&str> = lines[head].split_whitespace().collect();
    assert_eq!(columns, ["System", "Total", "ms", "Self", "ms", "Avg", "Min", "Max", "Calls"]);
    assert!(lines[head - 1].starts_with("65 ticks: ") && lines[head + 1].starts_with("Tick "), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("goblin ")) && text.ends_with('\n'), "{text}");
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
    assert_eq!(inside_a_wall.json()["reason"], "Outside");
    assert_eq!(inside_a_wall.json()["at"], serde_json::json!([-500.0, -500.0]));
}

#[test]
fn a_path_names_the_door_that_closes_the_way() {
    let rows = ["\"5*. 1\"", "\"5*. 1\"", "\"\"", "\"5*. 1\""].join(", ");
    let level = format!(
        "(size: (12, 4), tile_size: (16, 16), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{rows}] }}),
            Entities(name: \"doors\", entities: {{ \"gate\": (def: \"door\", at: (88.0, 40.0)) }}),
        ])"
    );
    let defs = r#"{
        "door": (set: (Body: (kind: Static), Collider: (shape: Box((12.0, 16.0)), layer: [World]))),
        "goblin": (set: (Agent: (radius: 4.0))),
    }"#;
    let tiles = r#"(tile_size: (16, 16), image: "t.png", tiles: { 1: (at: (0, 0), shape: Full) })"#;
    let dir = project(&[("levels/start.ron", &level), ("entities/e.ron", defs), ("tilesets/t.ron", tiles)]);
    let path = ["path", at(&dir), "start", "24,40", "150,40", "--agent", "goblin"];
    let text = run(&path).out;
    assert!(
        text.contains("no path: its goal cannot be reached from where it is, near ")
            && text.contains(": gate closes the way"),
        "{text}"
    );
    let json = run(&[&path[..], &["--json"]].concat()).json();
    assert_eq!((&json["found"], &json["by"]), (&false.into(), &"gate".into()), "{json}");
    // To a kind of agent doors are open.
    let open = run(&["path", at(&dir), "start", "24,40", "150,40", "--json"]).json();
    assert_eq!((&open["found"], &open["by"]), (&true.into(), &serde_json::Value::Null), "{open}");
}

#[test]
fn a_passage_that_only_cells_make_too_narrow_is_not_called_so() {
    // A passage of 24 px, not in line with the cells, for one of 18 px and one of 30 px.
    let rows = ["\"5*. 1\"", "\"5*. 1\"", "\"\"", "\"5*. 2\"", "\"5*. 1\"", "\"\"", "\"\""].join(", ");
    let level = format!(
        "(size: (12, 7), tile_size: (16, 16), layers: [Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{rows}] }})])"
    );
    let level = level.replacen("\"\", \"\"]", "\"5*. 1\", \"5*. 1\"]", 1);
    let defs = r#"{ "thin": (set: (Agent: (radius: 9.0))), "wide": (set: (Agent: (radius: 15.0))) }"#;
    let tiles = r#"(tile_size: (16, 16), image: "t.png", tiles: {
        1: (at: (0, 0), shape: Full),
        2: (at: (1, 0), shape: Polygon([(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)])),
    })"#;
    let dir = project(&[("levels/start.ron", &level), ("entities/e.ron", defs), ("tilesets/t.ron", tiles)]);
    let path = |agent: &str| run(&["path", at(&dir), "start", "32,48", "150,48", "--agent", agent]).out;
    let (thin, wide) = (path("thin"), path("wide"));
    assert!(thin.contains("no path: on the grid of cells it needs a passage of 32 px, near "), "{thin}");
    assert!(wide.contains("no path: a passage on the way is too narrow for it, near "), "{wide}");
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
    self::run(&["render", at(&dir), "start", plain.to_str().unwrap(), "--transparent"]);
    let image = levelwright::raster::Image::from_png(&fs::read(&plain).unwrap()).unwrap();
    assert_eq!([image.pixel(8, 5 * 16 + 8), image.pixel(639, 0)], [[90, 120, 60, 255], [0; 4]]);
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
fn a_level_of_81_million_cells_has_paths() {
    let level = "(size: (9000, 9001), tile_size: (16, 16), layers: [])\n";
    let dir = project(&[("levels/start.ron", level)]);
    let json = run(&["path", at(&dir), "start", "24,24", "143000,24", "--json"]).json();
    assert!(json["found"] == true && (8936.0..8938.0).contains(&json["cost"].as_f64().unwrap()), "{json}");
    let outside = run(&["path", at(&dir), "start", "24,24", "-24,24", "--json"]).json();
    assert_eq!(outside["reason"], "Outside");
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
fn a_path_over_ledges_that_is_not_found_names_what_paths_do_not_have() {
    let of = |agent: &str| run(&["path", "sample_data", "training", "40,340", "560,145", "--agent", agent]).out;
    let (player, goblin) = (of("player"), of("goblin"));
    let cells = run(&["path", "sample_data", "training", "40,340", "560,145", "--agent", "player", "--on", "grid"]).out;
    assert!(!cells.contains("paths do not use"), "{cells}");
    assert!(player.contains("; paths do not use climbing or swimming or wall jumps or dashes"), "{player}");
    assert!(goblin.contains("no path: ") && !goblin.contains("paths do not use"), "{goblin}");
    assert!(
        goblin.contains("; its goal is 160 px above the highest place that it gets to, and its jump height is 44 px"),
        "{goblin}"
    );
    let outside = |from: &str, to: &str| run(&["path", "sample_data", "training", from, to, "--agent", "goblin"]).out;
    assert!(outside("-40,340", "560,145").contains("the start is outside the level"));
    assert!(outside("40,340", "560,-1145").contains("the goal is outside the level"));
    let placed = run(&["path", "sample_data", "dungeon", "504,936", "376,952", "--agent", "njxrf7"]);
    assert!(placed.out.starts_with("found: "), "{}{}", placed.out, placed.err);
    assert!(outside("40,380", "560,145").contains("the start is inside something solid"));
}
