//! The command line as people and programs meet it: the built binary on the sample game, on small projects made here,
//! and on nonsense.

mod check;
mod export;
mod fix;
mod interrupted;
mod rename;
mod resolve;
mod simulate;

use std::{
    collections::BTreeSet,
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
    result_of(command().args(args).stdin(Stdio::null()).output().unwrap())
}

fn result_of(output: std::process::Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().expect("not killed"), out: text(output.stdout), err: text(output.stderr) }
}

/// As [`run`], by a user without the superuser's rights: where tests run as the superuser, permissions would not
/// matter.
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
    // The built binary may be in a folder that the user `nobody` cannot read.
    let binary = dir.path().join("levelwright");
    fs::set_permissions(dir.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // By another process: what this one holds open for writing, another test's new process holds for a moment too, and
    // what is open for writing cannot be run.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_levelwright")).arg(&binary).status().unwrap().success());
    let mut command = Command::new(&binary);
    command.current_dir("/").uid(NOBODY).gid(NOBODY).args(args).stdin(Stdio::null());
    result_of(command.output().unwrap())
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
fn wrong_usage_is_told_and_exits_with_2() {
    let dir = small();
    let dir = at(&dir);
    let nowhere = format!("{dir}/nowhere");
    let cases: &[&[&str]] = &[
        &["frobnicate"],
        &["frobnicate", dir],
        &["new", ""],
        &["check", ""],
        &["render", dir, "start", "x.jpg"],
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
        &["path", dir, "start", "1,2", "3,4", "--agent", "nosuch"],
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
fn a_mistyped_command_is_named_with_the_one_that_was_meant() {
    let result = run(&["chek", "my_game"]);
    assert_eq!(result.err, "error: there is no command `chek`; did you mean `check`?\n");
}

/// Examples are tried on a copy of the sample game. Not tried: what opens the window, and what makes a project.
#[test]
fn the_examples_of_the_help_work() {
    let commands = run(&["--help"]).out;
    let names = commands.lines().skip_while(|line| *line != "Commands:").skip(1).map_while(|line| {
        let (name, _) = line.trim_start().split_once(' ')?;
        line.starts_with("  ").then(|| name.to_owned())
    });
    let helps = names.filter(|name| name != "help").map(|name| run(&[&name, "--help"]).out);
    let all: String = helps.chain([commands.clone()]).collect();
    let mut n = 0;
    let examples = all.lines().filter_map(|line| line.strip_prefix("  levelwright "));
    // What it does may stand behind it, and where its output goes. Some are in two places.
    let examples = examples.filter_map(|example| example.split("   ").next()?.split(" > ").next());
    for example in examples.collect::<BTreeSet<_>>() {
        let mut args: Vec<&str> = example.split(' ').collect();
        // What runs is understood in a second as well as in half a minute.
        if let Some(secs) = args.iter().position(|arg| *arg == "--secs") {
            args[secs + 1] = "1";
        }
        if matches!(args[0], "new" | "goblin_keep") {
            continue;
        }
        // All scenarios run in `world`.
        if args == ["test", "my_game"] {
            args.push("rocket_is_hit");
        }
        let dir = tempfile::tempdir().unwrap();
        crate::outputs::copy_of("sample_data")(&dir.path().join("my_game"));
        let result = result_of(command().args(&args).current_dir(dir.path()).stdin(Stdio::null()).output().unwrap());
        assert_eq!(result.code, 0, "levelwright {example}: {} {}", result.out, result.err);
        n += 1;
    }
    assert!(n > 20, "{n} examples were found");
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
fn a_trace_to_standard_output_ends_in_the_summary_for_programs() {
    let args = ["simulate", "sample_data", "range", "--secs", "0.2", "--trace", "-"];
    let [plain, json] = [&args[..], &[&args[..], &["--json"]].concat()].map(run);
    let lines: Vec<serde_json::Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, events) = lines.split_last().unwrap();
    assert_eq!((summary["event"].as_str(), summary["events"].as_u64()), (Some("summary"), Some(events.len() as u64)));
    assert_eq!(summary["hash"].as_str().map(str::len), Some(16));
    assert_eq!(plain.out.lines().count(), events.len());
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

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_reported() {
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
