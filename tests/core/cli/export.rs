//! `export` and `schema`: what other programs read.

use super::*;

#[test]
fn a_file_with_no_twin_says_why_as_problems_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("odd.ron");
    fs::write(&file, "(\r    a: 1,\r    a: 2,\r)").unwrap();
    let result = run(&["schema", "--twin", file.to_str().unwrap()]);
    assert_eq!(result.code, 1);
    let expected = format!("error[duplicate-key] {}:3:5: the field `a` is given twice, first at 2:5\n", file.display());
    assert_eq!(result.err, expected);
    assert_eq!(run(&["schema", "--twin", file.to_str().unwrap(), "--json"]).json()["problems"][0]["line"], 3);
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
fn a_project_with_errors_is_not_exported() {
    let dir = small();
    fs::write(dir.path().join("entities/all.ron"), "{ \"goblin\": (inherits: [\"nobody\"]) }").unwrap();
    let out = dir.path().join("out");
    let run = run(&["export", at(&dir), "--out", out.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("error[") && !out.exists());
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
    let mirror = run(&["schema", "--twin", "sample_data/project.ron"]).json();
    assert_eq!((&mirror["format"], &mirror["view"]), (&1.into(), &"Platformer".into()));
    let dir = project(&[("entities/torn.ron", "{ \"a\": ( }")]);
    let torn = run(&["schema", "--twin", &format!("{}/entities/torn.ron", at(&dir))]);
    assert_eq!(torn.code, 1);
    assert!(torn.err.contains("entities/torn.ron:1:"), "{}", torn.err);
}

#[test]
fn an_export_has_the_looks_of_layers_and_the_images_they_show() {
    let level = "(size: (4, 4), tile_size: (8, 8), background: \"#102030\", layers: [
        Image(name: \"far\", image: \"art/far.png\", repeat: X, blend: Add, tint: \"#ff8000\", offset: (3.0, 4.0)),
    ])";
    let dir = small();
    fs::create_dir(dir.path().join("art")).unwrap();
    fs::write(dir.path().join("art/far.png"), png()).unwrap();
    fs::write(dir.path().join("levels/looks.ron"), level).unwrap();
    let out = tempfile::tempdir().unwrap();
    for target in ["json", "ron"] {
        let args = ["export", at(&dir), "--target", target, "--out", out.path().to_str().unwrap()];
        assert_eq!(run(&args).code, 0);
    }
    let game: serde_json::Value = serde_json::from_slice(&fs::read(out.path().join("game.json")).unwrap()).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&levelwright::io::export::json_schema()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&game));
    let level = &game["levels"]["looks"];
    assert_eq!(level["background"], "#102030");
    let layer = &level["layers"][0];
    assert_eq!((&layer["kind"], &layer["tint"]), (&"image".into(), &"#ff8000".into()));
    let expected = serde_json::json!({ "image": "images/art/far.png", "repeat": [true, false], "blend": "add" });
    assert_eq!(layer["image"], expected);
    assert!(out.path().join("images/art/far.png").is_file());
}

#[test]
fn sounds_are_checked_and_exported_beside_images() {
    let dir = small();
    let sound = b"RIFF\x04\0\0\0WAVE";
    fs::create_dir(dir.path().join("audio")).unwrap();
    fs::write(dir.path().join("audio/torn.ogg"), "torn").unwrap();
    fs::write(dir.path().join("audio/unused.wav"), sound).unwrap();
    let bell = r#"{ "bell": (set: (Sounds: (sounds: {
        "hit": (on: "Damaged", sound: "audio/hit.wav"), "end": (on: "Dead", sound: "audio/torn.ogg"),
    }))) }"#;
    let machine = r#"{ "ring": (enter: [PlaySound(sound: "audio/hit.wav")]) }"#;
    fs::write(dir.path().join("entities/bell.ron"), bell).unwrap();
    fs::create_dir_all(dir.path().join("machines")).unwrap();
    fs::write(dir.path().join("machines/ring.ron"), machine).unwrap();
    let check = run(&["check", at(&dir)]);
    for expected in ["there is no sound `audio/hit.wav`", "`audio/torn.ogg` cannot be read: it is neither WAV nor OGG"]
    {
        assert!(check.err.contains(expected), "{}", check.err);
    }
    for file in ["audio/hit.wav", "audio/torn.ogg"] {
        fs::write(dir.path().join(file), sound).unwrap();
    }
    let check = run(&["check", at(&dir)]);
    assert!(!check.err.contains("sound-missing"), "{}", check.err);
    let out = tempfile::tempdir().unwrap();
    let export = run(&["export", at(&dir), "--target", "json,ron", "--out", out.path().to_str().unwrap()]);
    assert_eq!(export.code, 0, "{}", export.err);
    let game: serde_json::Value = serde_json::from_slice(&fs::read(out.path().join("game.json")).unwrap()).unwrap();
    let hit = &game["definitions"]["bell"]["components"]["Sounds"]["sounds"]["hit"]["sound"];
    assert_eq!(hit, "sounds/audio/hit.wav", "{game}");
    assert!(fs::read_to_string(out.path().join("game.ron")).unwrap().contains("sounds/audio/hit.wav"));
    assert_eq!(fs::read(out.path().join("sounds/audio/hit.wav")).unwrap(), sound);
    assert!(!out.path().join("sounds/audio/unused.wav").exists(), "only what is named");
    // What nothing names any more is taken out again.
    fs::write(dir.path().join("entities/bell.ron"), "{}").unwrap();
    fs::write(dir.path().join("machines/ring.ron"), "{}").unwrap();
    assert_eq!(run(&["export", at(&dir), "--target", "json,ron", "--out", out.path().to_str().unwrap()]).code, 0);
    assert!(!out.path().join("sounds").exists());
}

#[test]
fn values_are_exported_as_numbers_with_their_names() {
    let yard = "(size: (3, 2), tile_size: (8, 8), layers: [
        Values(name: \"noise\", names: { 1: (name: \"quiet\") }, chunks: { (0, 0): [\"1 . 65535\", \"7\"] }),
    ])";
    let dir = small();
    fs::write(dir.path().join("levels/yard.ron"), yard).unwrap();
    let out = tempfile::tempdir().unwrap();
    let args = ["export", at(&dir), "--target", "json,ron", "--out", out.path().to_str().unwrap()];
    assert_eq!(run(&args).code, 0);
    let game: serde_json::Value = serde_json::from_slice(&fs::read(out.path().join("game.json")).unwrap()).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&levelwright::io::export::json_schema()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&game));
    let layer = &game["levels"]["yard"]["layers"][0];
    assert_eq!((&layer["kind"], &layer["values"]["names"][0]["name"]), (&"values".into(), &"quiet".into()));
    let chunk = &layer["values"]["chunks"][0];
    assert_eq!((&chunk["at"], &chunk["rows"][0][2]), (&serde_json::json!([0, 0]), &65_535.into()));
    assert_eq!((&chunk["rows"][0][1], &chunk["rows"][1][0]), (&0.into(), &7.into()));
}
