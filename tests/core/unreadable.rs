//! What commands say and return when a file they need cannot be read, and that other files do not matter.

use std::fs;

use crate::cli::{DEFS, LEVEL, at, png, project, run, run_as_nobody, small};

const ENTITIES: &str = "{
    \"goblin\": (inherits: [\"monster\"], set: (Brain: (machines: [\"walk\"]), Sprite: (image: \"goblin.png\"))),
    \"spark\": (),
}
";
const MONSTER: &str = "{ \"monster\": (set: (Health: (max: 20.0))) }\n";
const MACHINE: &str =
    "{ \"walk\": (initial: \"Go\", states: { \"Go\": (on: { \"Damaged\": [Spawn(def: \"spark\")] }) }) }\n";
const TILES: &str = "(image: \"keep.png\", tile_size: (16, 16), tiles: { 1: (at: (0, 0), shape: Full) })\n";
const SCENARIO: &str = "(level: \"start\", secs: 0.1, script: [], expect: [])\n";
const BROKEN: &str = "( \"half\n";

/// A project in which every kind of file is used by the level `start`.
pub(crate) fn whole() -> tempfile::TempDir {
    let dir = project(&[
        ("levels/start.ron", LEVEL),
        ("levels/other.ron", LEVEL),
        ("tilesets/keep.ron", TILES),
        ("tilesets/other.ron", TILES),
        ("entities/goblin.ron", ENTITIES),
        ("entities/monster.ron", MONSTER),
        ("entities/other.ron", "{ \"other\": () }\n"),
        ("machines/walk.ron", MACHINE),
        ("machines/other.ron", "{ \"other\": (initial: \"A\", states: { \"A\": () }) }\n"),
        ("tuning/physics.ron", "(page: \"Game\", values: {})\n"),
        ("scenarios/first.ron", SCENARIO),
        ("scenarios/other.ron", SCENARIO),
    ]);
    for image in ["goblin.png", "other.png", "tilesets/keep.png"] {
        fs::write(dir.path().join(image), png()).unwrap();
    }
    dir
}

const COMMANDS: [&str; 6] = ["path", "simulate", "simulate --scenario", "render", "render --secs", "resolve"];

fn status(dir: &tempfile::TempDir, command: &str) -> (i32, String) {
    let picture = dir.path().join("out.png");
    let picture = picture.to_str().unwrap();
    let dir = at(dir);
    let run = match command {
        "path" => run(&["path", dir, "start", "24,24", "100,24"]),
        "simulate" => run(&["simulate", dir, "start", "--secs", "0.1"]),
        "simulate --scenario" => run(&["simulate", dir, "--scenario", "first"]),
        "render" => run(&["render", dir, "start", picture]),
        "render --secs" => run(&["render", dir, "start", picture, "--secs", "0.1"]),
        _ => run(&["resolve", dir, "goblin"]),
    };
    (run.code, run.err)
}

#[test]
fn commands_fail_for_the_files_they_need_and_no_others() {
    const RUNS: &[&str] = &["simulate", "simulate --scenario", "render --secs"];
    // A file, and which commands need it.
    let cases: [(&str, &[&str]); 13] = [
        ("levels/start.ron", &["path", "simulate", "simulate --scenario", "render", "render --secs"]),
        ("levels/other.ron", &[]),
        ("tilesets/keep.ron", &["path", "simulate", "simulate --scenario", "render", "render --secs"]),
        ("tilesets/other.ron", &[]),
        ("tilesets/keep.png", &["render", "render --secs"]),
        ("goblin.png", &["render", "render --secs", "resolve"]),
        ("other.png", &[]),
        ("entities/monster.ron", &["simulate", "simulate --scenario", "render", "render --secs", "resolve"]),
        ("entities/other.ron", &[]),
        ("machines/walk.ron", &["simulate", "simulate --scenario", "render --secs", "resolve"]),
        ("machines/other.ron", &[]),
        ("tuning/physics.ron", RUNS),
        ("scenarios/first.ron", &["simulate --scenario"]),
    ];
    let dir = whole();
    for command in COMMANDS {
        let (code, err) = status(&dir, command);
        assert_eq!(code, 0, "{command}: {err}");
    }
    for (file, needed_by) in cases {
        let file_path = dir.path().join(file);
        let before = fs::read(&file_path).unwrap();
        for how in ["broken", "missing"] {
            match how {
                "broken" => fs::write(&file_path, BROKEN).unwrap(),
                _ => fs::remove_file(&file_path).unwrap(),
            }
            for command in COMMANDS {
                let (code, err) = status(&dir, command);
                // Constants that no file gives have their defaults; a level, a scenario of no file is only a wrong
                // name.
                let expected = match (how, file) {
                    _ if !needed_by.contains(&command) => 0,
                    ("missing", "tuning/physics.ron") => 0,
                    ("missing", "levels/start.ron") if command != "simulate --scenario" => 2,
                    ("missing", "scenarios/first.ron") => 2,
                    _ => 1,
                };
                assert_eq!(code, expected, "{how} {file}, {command}: {err}");
                assert!(code == 0 || !err.is_empty(), "{how} {file}, {command}: a reason is given");
            }
        }
        fs::write(&file_path, before).unwrap();
    }
}

#[test]
fn what_a_machine_names_is_needed_too() {
    let dir = whole();
    fs::write(dir.path().join("entities/goblin.ron"), ENTITIES.replace("    \"spark\": (),\n", "")).unwrap();
    let (code, err) = status(&dir, "simulate");
    assert_eq!(code, 1);
    assert!(err.contains("incomplete: machines/walk.ron: ") && err.contains("spark"), "{err}");
    assert_eq!(status(&dir, "path").0, 0);
}

#[test]
fn a_scenario_file_that_cannot_be_read_exits_with_1() {
    let dir = whole();
    let missing = dir.path().join("none.ron");
    for file in [missing.to_str().unwrap(), at(&dir), "scenarios/none.ron"] {
        let run = run(&["simulate", at(&dir), "start", "--secs", "0.1", "--scenario", file]);
        assert_eq!(run.code, 1, "{file}: {}", run.err);
    }
    let picture = dir.path().join("out.png");
    let run = run(&["render", at(&dir), "levels/none.ron", picture.to_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.err);
}

/// Where a path cannot be followed at all: no right of anybody matters, so this holds for the superuser too.
#[test]
fn a_path_that_cannot_be_followed_is_not_a_missing_one() {
    let long = "x".repeat(300);
    for command in [&["check", &long][..], &["resolve", &long, "a"], &[&long]] {
        let run = run(command);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("cannot be") && !run.err.contains("there is no"), "{}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn a_place_without_permission_is_reported_as_such() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = small();
    let set = |path: &str, mode: u32| {
        fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let check = || run_as_nobody(&["check", at(&dir)]);
    set("", 0o755);
    assert_eq!(check().code, 0, "{}", check().err);
    for (place, closed, open, said) in [
        ("entities/all.ron", 0o000, 0o644, "entities/all.ron:1:1: this file cannot be read: Permission denied"),
        ("entities", 0o000, 0o755, "entities:1:1: this folder cannot be read: Permission denied"),
        // Its files are known by name and may not be looked at.
        ("entities", 0o444, 0o755, "entities/all.ron:1:1: this cannot be read: Permission denied"),
        ("tilesets/keep.png", 0o000, 0o644, "`tilesets/keep.png` cannot be read"),
        ("project.ron", 0o000, 0o644, "project.ron:1:1: this file cannot be read: Permission denied"),
        ("", 0o000, 0o755, "project.ron` cannot be read: Permission denied"),
    ] {
        set(place, closed);
        let run = check();
        set(place, open);
        assert_eq!(run.code, 1, "{place}: {}", run.err);
        assert!(run.err.contains(said), "{place}: {}", run.err);
        assert!(!run.err.contains("there is no folder") && !run.err.contains("not a project"), "{}", run.err);
    }
    // A definition may be in a file without read permission.
    for (place, open) in [("entities/all.ron", 0o644), ("entities", 0o755)] {
        set(place, 0o000);
        let run = run_as_nobody(&["resolve", at(&dir), "goblin"]);
        set(place, open);
        assert_eq!(run.code, 1, "{place}: {}", run.err);
        assert!(
            run.err.contains("`goblin` may be in `entities") && run.err.contains("Permission denied"),
            "{}",
            run.err
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_an_image_outside_is_told_as_other_links_are() {
    let (dir, outside) = (small(), tempfile::tempdir().unwrap());
    let (image, defs) = (outside.path().join("keep.png"), outside.path().join("more.ron"));
    fs::write(&image, png()).unwrap();
    fs::write(&defs, DEFS).unwrap();
    fs::remove_file(dir.path().join("tilesets/keep.png")).unwrap();
    std::os::unix::fs::symlink(&image, dir.path().join("tilesets/keep.png")).unwrap();
    std::os::unix::fs::symlink(&defs, dir.path().join("entities/more.ron")).unwrap();
    let run = run(&["check", at(&dir)]);
    assert_eq!(run.code, 1);
    for link in ["tilesets/keep.png", "entities/more.ron"] {
        let line =
            format!("error[outside-project] {link}:1:1: this link leads outside the project; it is not followed");
        assert_eq!(run.err.lines().filter(|it| *it == line).count(), 1, "{}", run.err);
    }
    assert!(!run.err.contains("image-missing"), "one message for one link: {}", run.err);
}
