//! Every command of the built program on damaged projects on disk: files missing, doubled, replaced by folders and
//! links, under odd names. Reading commands write nothing, no command touches anything outside the project, and what is
//! printed for programs can be read by them.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use super::{
    corpus::{Dice, Files, files_in, projects, scratch, write},
    guard, mutate,
};

const MEMORY: (u64, u64) = (100, 64 << 20);

/// Names that files have by accident.
const ODD_NAMES: [&str; 14] = [
    "entities/ .ron",
    "entities/.hidden.ron",
    "entities/a\nb.ron",
    "entities/a:b.ron",
    "entities/\u{202e}nor.ron",
    "entities/con.ron",
    "entities/a b%20.ron",
    "levels/.ron",
    "levels/x.RON",
    "levels/deep/er/x.ron",
    "machines/--json.ron",
    "tuning/\u{1f980}.ron",
    "schemas/e\u{301}.ron",
    "elsewhere/x.ron",
];

/// Damage to the set of files, once they are on disk. `outside` is a folder that is no part of the project.
fn damage_files(root: &Path, outside: &Path, dice: &mut Dice) {
    let files: Vec<String> = files_in(root).into_keys().collect();
    let path = dice.pick(&files).clone();
    let (at, other) = (root.join(&path), root.join(dice.pick(&files)));
    let _ = match dice.below(12) {
        0 => fs::remove_file(&at),
        1 => fs::copy(&at, root.join(format!("{}2.ron", path.trim_end_matches(".ron")))).map(drop),
        2 => fs::copy(&at, other).map(drop),
        3 => fs::remove_file(&at).and_then(|()| fs::create_dir(&at)),
        4 => at
            .parent()
            .filter(|parent| *parent != root)
            .map_or(Ok(()), |parent| fs::remove_dir_all(parent).and_then(|()| fs::write(parent, "a file"))),
        5 | 6 => {
            let name = root.join(dice.pick(&ODD_NAMES));
            name.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(&at, name).map(drop))
        }
        7 => fs::write(&at, ""),
        _ => link(&at, root, outside, dice),
    };
}

#[cfg(unix)]
fn link(at: &Path, root: &Path, outside: &Path, dice: &mut Dice) -> std::io::Result<()> {
    use std::os::unix::{ffi::OsStrExt as _, fs::symlink};
    let folder = at.parent().unwrap_or(root);
    match dice.below(8) {
        0 => fs::remove_file(at).and_then(|()| symlink(outside.join("secret.ron"), at)),
        1 => fs::remove_file(at).and_then(|()| symlink(at, at)),
        2 => symlink(".", folder.join("again")),
        3 => symlink(outside, root.join("levels/outside")),
        4 => fs::remove_file(at).and_then(|()| symlink("/dev/zero", at)),
        5 => fs::rename(at, root.join("moved.ron")).and_then(|()| symlink(root.join("moved.ron"), at)),
        6 => fs::remove_file(at).and_then(|()| symlink("missing.ron", at)),
        _ => fs::write(folder.join(std::ffi::OsStr::from_bytes(b"not\xffutf8.ron")), "{}"),
    }
}

#[cfg(not(unix))]
fn link(at: &Path, _root: &Path, _outside: &Path, _dice: &mut Dice) -> std::io::Result<()> {
    fs::remove_file(at)
}

/// A command's exit status and what it printed.
struct Printed {
    status: i32,
    out: String,
    err: String,
}

/// Run the program, with as much time of the processor and as much memory as no command needs on these projects.
fn command(args: &[&str]) -> Printed {
    const LIMITED: &str = "ulimit -t 60; ulimit -v 2000000; exec \"$0\" \"$@\"";
    let program = env!("CARGO_BIN_EXE_levelwright");
    let mut run = if cfg!(target_os = "linux") { Command::new("sh") } else { Command::new(program) };
    if cfg!(target_os = "linux") {
        run.args(["-c", LIMITED, program]);
    }
    let done = run.args(args).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let status = done.status.code().unwrap_or(-1);
    let printed = Printed { status, out: text(done.stdout), err: text(done.stderr) };
    let shown = || format!("{args:?}: {}\n{}{}", done.status, printed.out, printed.err);
    assert!((0..=2).contains(&printed.status), "{}", shown());
    assert!(!printed.err.contains("Levelwright's fault"), "{}", shown());
    assert!(printed.status == 0 || !printed.err.is_empty() || !printed.out.is_empty(), "{}", shown());
    if args.contains(&"--json") {
        assert!(serde_json::from_str::<serde_json::Value>(&printed.out).is_ok(), "{}", shown());
    }
    printed
}

/// Commands that write nothing into the project.
fn read_only(n: usize, root: &str, out: &Path, files: &Files, dice: &mut Dice) {
    let at = |name: &str| out.join(name).to_str().unwrap().to_owned();
    let names = mutate::names(files);
    let level = files.keys().find_map(|path| path.strip_prefix("levels/")?.strip_suffix(".ron"));
    let level = level.unwrap_or("courtyard");
    match n {
        0 => _ = command(&["check", root, "--json"]),
        1 => _ = command(&["check", root, "--github", "--deny", "warnings"]),
        2 => _ = command(&["fmt", root, "--check", "--json"]),
        3 => _ = command(&["fix", root, "--dry-run", "--json"]),
        4 => _ = command(&["resolve", root, dice.pick(&names).as_str(), "--json"]),
        5 => _ = command(&["resolve", root, dice.pick(&names).as_str(), "--explain"]),
        6 => {
            _ = command(&["simulate", root, level, "--secs", "0.1", "--trace", &at("trace"), "--poses", "2", "--json"]);
        }
        7 => {
            let layer = *dice.pick(&["grid", "grid", "patrol"]);
            _ = command(&["path", root, level, "8,8", "200,100", "--on", layer, "--json"]);
        }
        8 => {
            let overlay = "grid,colliders,links";
            _ = command(&[
                "render",
                root,
                level,
                &at("level.png"),
                "--scale",
                "0.25",
                "--overlay",
                overlay,
                "--secs",
                "0.05",
            ]);
        }
        9 => _ = command(&["schema", "--project", root, "--out", &at("schemas")]),
        10 => _ = command(&["schema", "--project", root, "--complete", *dice.pick(&["words", "vscode"]), "--json"]),
        11 => {
            let file = format!("{root}/{}", dice.pick(&files.keys().collect::<Vec<_>>()));
            _ = command(&["schema", "--twin", &file, "--json"]);
        }
        12 => {
            let exported = command(&["export", root, "--out", &at("export"), "--target", "json,ron", "--json"]);
            assert!(exported.status != 0 || out.join("export/game.json").is_file());
        }
        _ => {
            let kind = *dice.pick(&["def", "machine", "state", "tile", "tunable", "tag", "level", "layer", "message"]);
            let dry = ["rename", root, kind, dice.pick(&names).as_str(), "renamed_here", "--dry-run", "--json"];
            let dry = command(&dry);
            assert!(!dry.out.is_empty());
        }
    }
}

fn one(files: &Files, dice: &mut Dice) {
    let (dir, outside, out) = (scratch(), scratch(), scratch());
    fs::write(outside.path().join("secret.ron"), "{ \"secret\": () }\n").unwrap();
    write(files, dir.path());
    for _ in 0..dice.below(4) {
        damage_files(dir.path(), outside.path(), dice);
    }
    let root = dir.path().to_str().unwrap();
    let before = files_in(dir.path());
    for _ in 0..4 {
        read_only(dice.below(14), root, out.path(), files, dice);
    }
    assert_eq!(files_in(dir.path()), before, "a reading command wrote");
    let errors = |printed: &Printed| {
        let json: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
        json["problems"].as_array().map_or(0, |all| all.iter().filter(|it| it["severity"] == "error").count())
    };
    let names = mutate::names(files);
    let first = command(&["check", root, "--json"]);
    match dice.below(3) {
        0 => {
            let renamed = command(&["rename", root, "def", dice.pick(&names).as_str(), "renamed_here"]);
            let second = command(&["check", root, "--json"]);
            assert!(errors(&first) > 0 || renamed.status == 2 || errors(&second) == 0, "{}{}", renamed.out, second.out);
        }
        1 => {
            let fixed = command(&["fix", root]);
            let second = command(&["check", root, "--json"]);
            assert!(errors(&second) <= errors(&first), "{}{}", fixed.out, second.out);
        }
        _ => {
            let formatted = command(&["fmt", root]);
            let again = command(&["fmt", root, "--check"]);
            assert!(formatted.status != 0 || again.status == 0, "{}{}", formatted.out, again.out);
            let second = command(&["check", root, "--json"]);
            assert_eq!(errors(&second), errors(&first), "{}{}", first.out, second.out);
        }
    }
    let left: Vec<String> = files_in(dir.path()).into_keys().filter(|path| path.contains(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    let secret = files_in(outside.path());
    assert!(secret.len() == 1 && secret["secret.ron"] == b"{ \"secret\": () }\n", "written outside the project");
    assert!(!files_in(out.path()).values().any(|bytes| contains(bytes, b"secret")), "read outside the project");
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[test]
fn commands_on_damaged_projects() {
    guard::run("commands_on_damaged_projects", 50, MEMORY, |dice| {
        let files = &projects()[dice.below(4)];
        let files = if dice.one_in(3) { files.clone() } else { mutate::project(files, 6, dice) };
        let mut dice = Dice::new("within", dice.below(usize::MAX) as u64);
        (files.clone(), move || one(&files, &mut dice))
    });
}

/// Meaningless arguments. None of them names a place to write to.
#[test]
fn odd_arguments() {
    const WORDS: [&str; 38] = [
        "check",
        "fix",
        "fmt",
        "resolve",
        "export",
        "simulate",
        "test",
        "path",
        "render",
        "rename",
        "schema",
        "import",
        "--json",
        "--deny",
        "warnings",
        "--secs",
        "--seed",
        "--on",
        "--agent",
        "--weight",
        "--scale",
        "--overlay",
        "--target",
        "json",
        "pack",
        "--twin",
        "--rule",
        "--",
        "-1",
        "1e999",
        "NaN",
        "inf",
        "0,0",
        "1e9,1e9",
        "\u{202e}",
        "/dev/null",
        "no/such/place",
        "",
    ];
    guard::run("odd_arguments", 50, (10, 16 << 20), |dice| {
        let mut args = vec![*dice.pick(&WORDS[..12])];
        args.extend((0..dice.below(6)).map(|_| *dice.pick(&WORDS)));
        let files = Files::from([("arguments".to_owned(), args.join("\n").into_bytes())]);
        (files, move || _ = command(&args))
    });
}
