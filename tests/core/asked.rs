//! What commands about one thing say of the rest of the project, and what they leave behind when they fail.

use std::{
    fs,
    process::{Command, Stdio},
};

use crate::{
    cli::{LEVEL, at, png, project, run, run_as_nobody, small},
    unreadable::whole,
};

/// Machines that name a missing state; no entity runs them.
fn bad_machines() -> String {
    let machine = |i| format!("\"bad{i}\": (initial: \"Nope\", states: {{ \"A\": () }}),\n");
    format!("{{ {} }}", (0..20).map(machine).collect::<String>())
}

#[test]
fn commands_about_one_thing_count_what_is_wrong_elsewhere() {
    let dir = whole();
    let picture = dir.path().join("out.png");
    let commands: [&[&str]; 6] = [
        &["path", at(&dir), "start", "24,24", "100,24"],
        &["render", at(&dir), "start", picture.to_str().unwrap()],
        &["render", at(&dir), "start", picture.to_str().unwrap(), "--secs", "0.1"],
        &["simulate", at(&dir), "start", "--secs", "0.1"],
        &["simulate", at(&dir), "--scenario", "first"],
        &["test", at(&dir), "first"],
    ];
    let before = commands.map(|command| run(command).out.lines().next().unwrap().to_owned());
    let bad = |i| format!("\"odd{i}\": (set: (Walker: (sped: 1.0), Health: (max: \"x\"))),\n");
    let defs: String = (0..1_200).map(bad).collect();
    fs::write(dir.path().join("entities/odd.ron"), format!("{{ {defs} }}")).unwrap();
    fs::write(dir.path().join("machines/bad.ron"), bad_machines()).unwrap();
    for (command, before) in commands.into_iter().zip(&before) {
        let run = run(command);
        assert_eq!(run.code, 0, "{command:?}: {}", run.err);
        let said: Vec<&str> = run.err.lines().filter(|line| !line.starts_with("hint[no-expectation]")).collect();
        let others = "elsewhere in the project: 2420 errors, 20 warnings; see `levelwright check`";
        assert_eq!(said, [others], "{command:?}");
        assert!(command[0] == "path" || run.out.starts_with(before), "{command:?}: {} for {before}", run.out);
    }
    // What is wrong with what they need is listed, though far more of its rule come before it.
    let goblin = dir.path().join("entities/zz.ron");
    fs::rename(dir.path().join("entities/goblin.ron"), &goblin).unwrap();
    let text = fs::read_to_string(&goblin).unwrap();
    fs::write(&goblin, text.replace("Brain:", "Walker: (sped: 2.0), Brain:")).unwrap();
    for command in commands {
        let run = run(command);
        let has_line = run.err.contains("error[unknown-field] entities/zz.ron:2:");
        let n_lines = if has_line { 2 } else { 1 };
        assert_eq!(has_line, command[0] != "path", "{command:?}: {}", run.err);
        assert_eq!(
            run.err.lines().filter(|line| !line.starts_with("hint")).count(),
            n_lines,
            "{command:?}: {}",
            run.err
        );
    }
}

#[test]
fn only_machines_that_run_decide_about_a_run() {
    let dir = whole();
    let simulate = ["simulate", at(&dir), "start", "--secs", "0.1"];
    let before = run(&simulate);
    fs::write(dir.path().join("machines/bad.ron"), bad_machines()).unwrap();
    let after = run(&simulate);
    assert_eq!((after.code, after.out), (0, before.out), "{}", after.err);
    // One that runs, and one of an entity that is gone before the end.
    let walk = dir.path().join("machines/walk.ron");
    let text = fs::read_to_string(&walk).unwrap();
    fs::write(&walk, text.replace("initial: \"Go\"", "initial: \"Nope\"")).unwrap();
    let bad = run(&simulate);
    assert_eq!(bad.code, 1, "{}", bad.err);
    let about: Vec<&str> = bad.err.lines().filter(|line| line.contains("Nope")).collect();
    assert!(about.len() == 1 && about[0].contains("machines/walk.ron:1:"), "said once: {}", bad.err);
    let go = "{ \"walk\": (initial: \"Go\", states: { \"Go\": (enter: [Spawn(def: \"spark\")]) }),
        \"gone\": (initial: \"Here\", states: { \"Here\": (enter: [SelfDestruct],
            transitions: [(after: 9.0, to: \"Nowhere\")]) }) }\n";
    fs::write(&walk, go).unwrap();
    let defs = dir.path().join("entities/goblin.ron");
    let text = fs::read_to_string(&defs).unwrap();
    fs::write(&defs, text.replace("\"spark\": ()", "\"spark\": (set: (Brain: (machines: [\"gone\"])))")).unwrap();
    let spawned = run(&simulate);
    assert_eq!(spawned.code, 1, "{}{}", spawned.out, spawned.err);
    assert_eq!(spawned.err.matches("Nowhere").count(), 1, "{}", spawned.err);
}

#[test]
fn a_name_may_be_in_a_file_that_is_broken() {
    let dir = small();
    fs::write(dir.path().join("entities/all.ron"), "((").unwrap();
    let resolved = run(&["resolve", at(&dir), "goblin"]);
    assert_eq!(resolved.code, 1, "{}", resolved.err);
    assert!(resolved.err.contains("`goblin` may be in `entities/all.ron`: "), "{}", resolved.err);
}

#[cfg(unix)]
#[test]
fn a_level_may_be_in_an_unreadable_folder() {
    let dir = small();
    let (set, picture) = (modes(&dir), dir.path().join("out.png"));
    set("", 0o755);
    set("levels", 0o000);
    let runs = [
        run_as_nobody(&["path", at(&dir), "start", "24,24", "88,24"]),
        run_as_nobody(&["render", at(&dir), "start", picture.to_str().unwrap()]),
        run_as_nobody(&["simulate", at(&dir), "start", "--secs", "1"]),
        run_as_nobody(&["resolve", at(&dir), "start/g1"]),
    ];
    set("levels", 0o755);
    for run in runs {
        assert_eq!(run.code, 1, "{}", run.err);
        let message = "the level `start` may be in `levels`: this folder cannot be read: Permission denied";
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[cfg(unix)]
fn modes(dir: &tempfile::TempDir) -> impl Fn(&str, u32) {
    use std::os::unix::fs::PermissionsExt as _;
    |path, mode| fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap()
}

/// A project whose sprites are in a folder.
fn with_sprites() -> tempfile::TempDir {
    let sprite = |i| format!("\"s{i}\": (set: (Sprite: (image: \"sprites/s{i}.png\"))),\n");
    let defs: String = (0..5).map(sprite).collect();
    let level = LEVEL.replace("def: \"goblin\"", "def: \"s0\"").replace(", set: (Health: (max: 7.0))", "");
    let dir = project(&[("entities/all.ron", &format!("{{ {defs} }}")), ("levels/start.ron", &level)]);
    for folder in ["sprites", "sketches", "tilesets"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    let tiles = "(image: \"keep.png\", tile_size: (16, 16), tiles: { 1: (at: (0, 0), shape: Full) })\n";
    fs::write(dir.path().join("tilesets/keep.ron"), tiles).unwrap();
    fs::write(dir.path().join("tilesets/keep.png"), png()).unwrap();
    for i in 0..5 {
        fs::write(dir.path().join(format!("sprites/s{i}.png")), png()).unwrap();
    }
    dir
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_of_images_is_reported_once() {
    let dir = with_sprites();
    let set = modes(&dir);
    set("", 0o755);
    // What nothing names does not matter.
    set("sketches", 0o000);
    assert_eq!(run_as_nobody(&["check", at(&dir)]).err, "");
    set("sprites", 0o000);
    let checked = run_as_nobody(&["check", at(&dir)]);
    let resolved = run_as_nobody(&["resolve", at(&dir), "s1"]);
    let rendered = run_as_nobody(&["render", at(&dir), "start", "/dev/null"]);
    let walked = run_as_nobody(&["path", at(&dir), "start", "24,24", "88,24"]);
    set("sprites", 0o755);
    set("sketches", 0o755);
    let line = "error[unreadable] sprites:1:1: this folder cannot be read: Permission denied (os error 13)\n";
    assert_eq!((checked.code, &*checked.err), (1, line));
    assert_eq!((resolved.code, &*resolved.err), (1, line));
    assert_eq!(rendered.code, 1);
    assert!(
        rendered.err.starts_with(line) && rendered.err.contains("incomplete: the image `sprites/s0.png`: Permission")
    );
    assert_eq!((walked.code, walked.err.lines().count()), (0, 1), "{}", walked.err);
}

#[cfg(unix)]
#[test]
fn why_an_image_cannot_be_read_is_said_once() {
    let dir = with_sprites();
    let set = modes(&dir);
    set("", 0o755);
    set("sprites/s3.png", 0o000);
    let checked = run_as_nobody(&["check", at(&dir)]);
    assert!(
        checked.err.contains("`sprites/s3.png` cannot be read: Permission denied (os error 13)"),
        "{}",
        checked.err
    );
    assert_eq!(checked.err.lines().count(), 1);
    // A folder that is called like an image.
    fs::remove_file(dir.path().join("sprites/s3.png")).unwrap();
    fs::create_dir(dir.path().join("sprites/s3.png")).unwrap();
    let checked = run(&["check", at(&dir)]);
    assert_eq!(checked.err, "error[unreadable] sprites/s3.png:1:1: this is a folder, not an image\n");
    fs::remove_dir(dir.path().join("sprites/s3.png")).unwrap();
    // The checksum of the pixels is wrong.
    let mut bytes = png();
    let at_end = bytes.len() - 16;
    bytes[at_end] ^= 0xFF;
    fs::write(dir.path().join("sprites/s3.png"), bytes).unwrap();
    let checked = run(&["check", at(&dir)]);
    assert!(checked.err.contains("cannot be read: not a readable PNG: a checksum in it is wrong"), "{}", checked.err);
}

#[cfg(unix)]
#[test]
fn a_folder_of_images_that_leads_outside_is_reported_once() {
    let (dir, outside) = (with_sprites(), tempfile::tempdir().unwrap());
    let sprites = outside.path().join("sprites");
    fs::rename(dir.path().join("sprites"), &sprites).unwrap();
    std::os::unix::fs::symlink(&sprites, dir.path().join("sprites")).unwrap();
    let checked = run(&["check", at(&dir)]);
    let line = "error[outside-project] sprites:1:1: this link leads outside the project; it is not followed\n";
    assert_eq!((checked.code, &*checked.err), (1, line));
}

#[cfg(unix)]
#[test]
fn a_picture_is_written_wholly_or_not_at_all() {
    let (dir, out) = (small(), tempfile::tempdir().unwrap());
    let picture = out.path().join("a.png");
    let picture = picture.to_str().unwrap();
    assert_eq!(run(&["render", at(&dir), "start", picture]).code, 0);
    let before = fs::read(picture).unwrap();
    // No file may grow: the system refuses as it does when there is no room.
    let full = |target: &str| {
        let binary = env!("CARGO_BIN_EXE_levelwright");
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {binary} render \"$0\" start \"$1\" --scale 2");
        let output = Command::new("sh").args(["-c", &script, at(&dir), target]).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    };
    full(picture);
    assert!(fs::read(picture).unwrap() == before);
    full(out.path().join("b.png").to_str().unwrap());
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1, "nothing is left beside it");
    // No folder is made for a picture, and a device is written into.
    let nowhere = out.path().join("none/a.png");
    assert_eq!(run(&["render", at(&dir), "start", nowhere.to_str().unwrap()]).code, 1);
    assert!(!nowhere.parent().unwrap().exists());
    assert_eq!(run(&["render", at(&dir), "start", "/dev/null"]).code, 0);
}

#[test]
fn an_export_that_fails_leaves_no_folder() {
    let (dir, out) = (with_sprites(), tempfile::tempdir().unwrap());
    let export = || run(&["export", at(&dir), "--out", out.path().join("a/b").to_str().unwrap()]);
    fs::create_dir_all(out.path().join("a/b/game.json")).unwrap();
    let failed = export();
    assert_eq!(failed.code, 1, "{}", failed.err);
    assert!(!out.path().join("a/b/images").exists());
    fs::remove_dir(out.path().join("a/b/game.json")).unwrap();
    assert_eq!(export().code, 0);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_folder_of_images_is_not_followed() {
    let (dir, out, elsewhere) = (with_sprites(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(elsewhere.path(), out.path().join("images")).unwrap();
    let failed = run(&["export", at(&dir), "--out", at(&out)]);
    assert_eq!(failed.code, 1, "{}", failed.err);
    let message = "`images` is a link, which an export does not follow; remove it";
    assert!(failed.err.contains(message), "{}", failed.err);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    assert!(!out.path().join("game.json").exists());
}

#[test]
fn a_place_beyond_all_limits_is_reported_where_it_is_written() {
    let dir = small();
    fs::write(dir.path().join("levels/start.ron"), LEVEL.replace("at: (40.0, 40.0)", "at: (1e300, 40.0)")).unwrap();
    let checked = run(&["check", at(&dir)]);
    assert!(checked.err.contains("`g1` is at (1e300, 40), outside"), "{}", checked.err);
    let simulated = run(&["simulate", at(&dir), "start", "--secs", "0.1"]);
    let limit = simulated.err.lines().find(|line| line.contains("[preview-limit]")).expect("reported");
    assert!(limit.starts_with("error[preview-limit] levels/start.ron:5:"), "{limit}");
    assert!(limit.contains("its position is (1.0e300, 40.0), which exceeds"), "{limit}");
    let (at_column, column) = (limit.split(':').nth(2).unwrap(), LEVEL.lines().nth(4).unwrap().find("at: ").unwrap());
    assert!(at_column.parse::<usize>().unwrap().abs_diff(column + 1) <= 4, "{limit}");
}

#[test]
fn one_comment_is_lost_with_one_line() {
    let defs = "{
    \"a\": (set: (Health: (max: 7.0))),
    \"b\": (inherits: [\"a\"], set: (
        Health: (max: 7.0), // seven
    )),
}
";
    let dir = project(&[("levels/start.ron", LEVEL), ("entities/all.ron", defs)]);
    let fixed = run(&["fix", at(&dir), "--rule", "redundant-override", "--dry-run"]);
    assert!(fixed.err.contains("1 comment lost with the line it belongs to:"), "{}", fixed.err);
}
