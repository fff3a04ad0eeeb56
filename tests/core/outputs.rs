//! What the program writes and prints, byte for byte: canonical text, JSON mirrors and their schemas, resolved
//! definitions, exports, traces, pictures. A change of the program's structure leaves all of it as it is.
//!
//! `tests/outputs` has a line for each output: a hash, the number of bytes, and what made it.
//! `LEVELWRIGHT_BLESS=1 cargo test outputs` writes them anew; what is meant to change then shows with what else
//! changed.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::cli::run;

/// A copy of a project, and what it gave.
struct Game {
    dir: tempfile::TempDir,
    outputs: BTreeMap<String, Vec<u8>>,
}

impl Game {
    fn new(make: impl FnOnce(&Path)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        make(&dir.path().join("project"));
        Self { dir, outputs: BTreeMap::new() }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// Stems of the files in a folder of the project.
    fn names(&self, folder: &str) -> Vec<String> {
        let files = files_in(&self.root().join(folder));
        files.into_keys().filter_map(|path| Some(path.strip_suffix(".ron")?.to_owned())).collect()
    }

    /// What a command prints. Its first argument is the command, the project's folder comes after it.
    fn print(&mut self, args: &[&str]) {
        let root = self.root();
        let root = root.to_str().unwrap();
        let mut all = args.to_vec();
        all.insert(1, root);
        let printed = run(&all);
        let text = format!("{}\n{}\n{}", printed.code, printed.out, printed.err).replace(root, "PROJECT");
        self.outputs.insert(args.join(" "), text.into_bytes());
    }

    /// What a command writes into the folder that comes last.
    fn write(&mut self, args: &[&str]) {
        let (root, out) = (self.root(), self.dir.path().join("out"));
        let (root, to) = (root.to_str().unwrap(), out.to_str().unwrap());
        let all: Vec<&str> = args.iter().map(|arg| if *arg == "PROJECT" { root } else { arg }).chain([to]).collect();
        let done = run(&all);
        let printed = format!("{}\n{}\n{}", done.code, done.out, done.err).replace(root, "PROJECT").replace(to, "OUT");
        self.outputs.insert(args.join(" "), printed.into_bytes());
        let written = if out.is_dir() { files_in(&out) } else { BTreeMap::new() };
        // The pixels: how a picture is compressed is up to a crate.
        let picture = fs::read(&out).ok().and_then(|png| image::load_from_memory(&png).ok());
        let picture = picture.map(|image| ("pixels".to_owned(), image.into_rgba8().into_raw()));
        for (path, bytes) in written.into_iter().chain(picture) {
            self.outputs.insert(format!("{} {path}", args.join(" ")), bytes);
        }
        let _ = fs::remove_dir_all(&out).or_else(|_| fs::remove_file(&out));
    }

    /// A list of everything the program made of the project. The outputs themselves are in `target/tmp/outputs`
    /// afterwards, to be compared with those of another version.
    fn run_all(mut self, name: &str) -> String {
        self.print(&["check", "--json"]);
        // The sample's scenarios run below, one by one; `world` has that they pass.
        if name != "sample_data" {
            self.print(&["test", "--json"]);
        }
        let loaded = levelwright::io::load(&self.root());
        for path in loaded.project.documents.keys() {
            let file = self.root().join(path.as_str());
            let twin = run(&["schema", "--twin", file.to_str().unwrap()]);
            let text = format!("{}\n{}\n{}", twin.code, twin.out, twin.err);
            self.outputs.insert(format!("schema --twin {path}"), text.into_bytes());
        }
        let files: Vec<_> = loaded.project.documents.keys().filter_map(|path| loaded.project.entities(path)).collect();
        for definition in files.iter().flat_map(|file| file.defs.keys()) {
            self.print(&["resolve", definition, "--explain", "--json"]);
            // Of the sample, what explains has all values.
            if name != "sample_data" {
                self.print(&["resolve", definition]);
            }
        }
        for level in self.names("levels") {
            self.print(&["simulate", &level, "--secs", "5", "--trace", "-", "--poses", "8"]);
            self.write(&["render", "PROJECT", &level, "--overlay", "grid,colliders,links"]);
        }
        // Over 10 000 ticks of 64 Hz; `dev/same-hashes` compares this hash with that of a release build.
        if name == "sample_data" {
            self.print(&["simulate", "courtyard", "--secs", "156.25"]);
        }
        for scenario in self.names("scenarios") {
            self.print(&["simulate", "--scenario", &scenario, "--trace", "-", "--poses", "8"]);
        }
        self.write(&["export", "PROJECT", "--target", "json,ron", "--out"]);
        self.write(&["schema", "--project", "PROJECT", "--out"]);
        self.print(&["fmt"]);
        for (path, bytes) in files_in(&self.root()) {
            self.outputs.insert(format!("fmt {path}"), bytes);
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut list = String::new();
        for (name, bytes) in &self.outputs {
            fs::write(folder.join(name.replace('/', "_")), bytes).unwrap();
            writeln!(list, "{:016x} {:>8} {name}", hash(bytes), bytes.len()).unwrap();
        }
        list
    }
}

/// Compare a list with the one that is kept.
fn check(name: &str, list: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outputs").join(format!("{name}.txt"));
    if std::env::var_os("LEVELWRIGHT_BLESS").is_some() {
        fs::write(&file, list).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    let (old, new): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), list.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("- {line}"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
    let changes: Vec<String> = gone.chain(come).collect();
    assert!(changes.is_empty(), "outputs changed; they are in target/tmp/outputs/{name}:\n{}", changes.join("\n"));
}

/// FNV-1a, which no crate's next version changes.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn files_in(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Copies a folder of the repository.
pub(crate) fn copy_of(source: &str) -> impl FnOnce(&Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    move |root| {
        for (path, bytes) in files_in(&source) {
            let to = root.join(path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    }
}

fn template(name: &'static str) -> impl FnOnce(&Path) {
    move |root| {
        let made = run(&["new", root.to_str().unwrap(), "--template", name]);
        assert_eq!(made.code, 0, "{}", made.err);
    }
}

#[test]
fn of_the_sample_game() {
    check("sample_data", &Game::new(copy_of("sample_data")).run_all("sample_data"));
}

#[test]
fn of_every_example_in_formats() {
    check("formats", &Game::new(copy_of("tests/formats")).run_all("formats"));
}

#[test]
fn of_every_template() {
    for name in ["platformer", "topdown", "empty"] {
        check(name, &Game::new(template(name)).run_all(name));
    }
}

/// What does not depend on a project.
#[test]
fn of_the_program() {
    let mut list = String::new();
    let kinds = ["project", "entities", "levels", "machines", "tilesets", "tuning", "scenarios", "schemas"];
    let calls = kinds.map(|kind| vec!["schema", "--kind", kind]).into_iter();
    for args in calls.chain([vec!["schema"], vec!["schema", "--complete", "words"]]) {
        let printed = run(&args);
        assert_eq!(printed.code, 0, "{args:?}: {}", printed.err);
        writeln!(list, "{:016x} {:>8} {}", hash(printed.out.as_bytes()), printed.out.len(), args.join(" ")).unwrap();
    }
    check("program", &list);
}
