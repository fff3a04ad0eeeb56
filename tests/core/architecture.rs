//! The dependency direction of `src/`, read from the code map of ARCHITECTURE.md, the things each layer must never
//! name, and the proof that the code obeys both.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// A word, and the only layers that may say it.
const RESERVED: &[(&str, &[&str])] = &[
    ("egui", &["ui", "app"]),
    ("eframe", &["ui", "app"]),
    ("std::fs", &["io", "app", "cli"]),
    ("std::thread", &["io", "app", "cli"]),
    ("Instant", &["io", "app", "cli"]),
    ("SystemTime", &["io", "app", "cli"]),
    ("rapier2d", &["sim"]),
    ("rodio", &["app"]),
];

#[test]
fn layers_only_look_down() {
    let page = page();
    let layers = layers(&page).unwrap();
    let mut offences = Vec::new();
    for_each_source(&mut |layer, depth, path, text| {
        let allowed = layers.iter().find(|(name, _)| *name == layer).map_or(&[][..], |(_, allowed)| allowed);
        for (line, used) in named_modules(text, depth) {
            if used != layer && layers.iter().any(|(name, _)| *name == used) && !allowed.contains(&used.as_str()) {
                offences.push(format!("{path}:{line}: `{layer}` must not use `{used}`"));
            }
        }
    });
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

#[test]
fn words_stay_in_their_layers() {
    let mut offences = Vec::new();
    for_each_source(&mut |layer, _, path, text| {
        for (nr, line) in text.lines().enumerate() {
            let code = without_comment(line);
            for (word, layers) in RESERVED {
                // The preview's thread, and no other, is started below the window.
                let is_preview = *word == "std::thread" && path.ends_with("editor/runner.rs");
                if !layers.contains(&layer) && !is_preview && has_word(code, word) {
                    offences.push(format!("{path}:{}: only {} may name `{word}`", nr + 1, layers.join(", ")));
                }
            }
        }
    });
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

/// Who may read the list of a level's layers itself, which does not have those in groups.
const OF_OUTER_LAYERS: [&str; 3] = ["edit/relations.rs", "io/codec/merge_moved.rs", "ui/panels/layers.rs"];

#[test]
fn layers_are_read_with_those_in_groups() {
    let mut offences = Vec::new();
    for_each_source(&mut |layer, _, path, text| {
        if layer == "model" || OF_OUTER_LAYERS.iter().any(|it| path.ends_with(it)) {
            return;
        }
        for (nr, line) in text.lines().enumerate() {
            if without_comment(line).contains("level.layers") {
                offences.push(format!("{path}:{}: read `Level::all_layers`, or `Level::looks`", nr + 1));
            }
        }
    });
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

/// Words are counted, not resolved: a public function or constant has to be named in another file of `src`, a type
/// there or in a declaration of its own file, through which it is reached. Tests are no use.
#[test]
fn every_public_item_has_a_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for_each_rs(&root.join("src"), &mut |path, text| {
        files.push((path.strip_prefix(root).unwrap().to_path_buf(), code_of(text)));
    });
    let words: Vec<BTreeMap<&str, usize>> = files.iter().map(|(_, code)| words_of(code)).collect();
    let mut unused = BTreeMap::new();
    for ((path, code), own) in files.iter().zip(&words) {
        for (line, kind, name) in public_items(code) {
            if words.iter().any(|other| !std::ptr::eq(other, own) && other.contains_key(name)) {
                continue;
            }
            let impls =
                code.lines().filter(|line| line.trim_start().starts_with("impl") && has_word(line, name)).count();
            // A macro's parameter is no name.
            let Some(n_own) = own.get(name) else { continue };
            let is_reached = !["fn", "const", "static"].contains(&kind) && *n_own > 1 + impls;
            if !is_reached {
                unused.insert(name, format!("{}:{line}: {kind} `{name}`", path.display()));
            }
        }
    }
    let page = page();
    let cells = section(&page, "For games").lines().filter_map(|row| row.strip_prefix("| `")?.split(" | ").next());
    let listed: BTreeSet<&str> = cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`'))).collect();
    let missing: Vec<&String> = unused.iter().filter(|(name, _)| !listed.contains(*name)).map(|(_, at)| at).collect();
    assert!(
        missing.is_empty(),
        "nothing uses these; delete them, make them private or list them under *For games* in ARCHITECTURE.md: {missing:#?}"
    );
    let stale: Vec<_> = listed.iter().filter(|name| !unused.contains_key(*name)).collect();
    assert!(stale.is_empty(), "used or gone, so not to be listed under *For games*: {stale:?}");
}

#[test]
fn the_reader_of_items_sees_what_it_should() {
    let code = code_of(
        "pub use a::Gone;\npub use b::{\n    Gone,\n};\npub struct Kept; // Gone\npub(super) fn not() {}\n    pub const fn f() {}\npub const N: u8 = 1;\n#[cfg(test)]\nmod tests { Gone }",
    );
    assert!(!has_word(&code, "Gone"), "{code}");
    assert_eq!(public_items(&code).collect::<Vec<_>>(), [(5, "struct", "Kept"), (7, "fn", "f"), (8, "const", "N")]);
    assert_eq!(words_of("a b1 a::b1(a)"), BTreeMap::from([("a", 3), ("b1", 2)]));
}

#[test]
fn every_file_says_what_it_is_for() {
    let mut offences = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "tests"] {
        for_each_rs(&root.join(folder), &mut |path, text| {
            if !text.starts_with("//!") {
                offences.push(format!("{}: say in `//!` what this file is for", path.display()));
            }
        });
    }
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

/// Names that configure proptest or seed it; `tests/core/cases.rs` alone may use them.
const OF_CASES: [&str; 5] = ["ProptestConfig", "TestRunner", "RngSeed", "TestRng::from", "proptest!("];

#[test]
fn every_random_test_takes_its_cases_from_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut offenses, mut n_blocks) = (Vec::new(), 0);
    for_each_rs(&root.join("tests"), &mut |path, text| {
        if path.ends_with("core/cases.rs") || path.ends_with("core/architecture.rs") {
            return;
        }
        let mut lines = text.lines().map(without_comment).enumerate().peekable();
        while let Some((nr, line)) = lines.next() {
            let at = format!("{}:{}", path.display(), nr + 1);
            if let Some(name) = OF_CASES.iter().find(|name| line.contains(**name)) {
                offenses.push(format!("{at}: only tests/core/cases.rs may use `{name}`"));
            }
            if line.trim_end().ends_with("proptest! {") {
                n_blocks += 1;
                if !lines.peek().is_some_and(|(_, next)| next.trim().starts_with("#![proptest_config(cases(")) {
                    offenses.push(format!("{at}: begin this block with `#![proptest_config(cases(n))]`"));
                }
            }
        }
    });
    assert!(offenses.is_empty(), "\n{}", offenses.join("\n"));
    assert!(n_blocks > 20, "only {n_blocks} blocks of property tests were found");
}

#[test]
fn every_folder_of_src_has_a_place_in_the_table() {
    let page = page();
    let layers = layers(&page).unwrap();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (layer, _) in &layers {
        let is_there = src.join(layer).is_dir() || src.join(format!("{layer}.rs")).is_file();
        assert!(is_there, "ARCHITECTURE.md has a layer `{layer}`, but src has no such folder");
    }
    for entry in fs::read_dir(src).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned();
        let known = ["build", "lib", "main"].contains(&&*name) || layers.iter().any(|(layer, _)| *layer == name);
        assert!(known, "src/{name} is in no layer: add it to the code map of ARCHITECTURE.md and say what it may use");
    }
}

#[test]
fn the_reader_of_layers_sees_what_it_should() {
    let table = "\n## Code map\n\n| folder | question | may use | must never |\n|---|---|---|---|\n\
        | `a` | ? | – | x |\n| `b` | ? | a | – |\n| `c` | ? | all | |\n| `d` | ? | all but a c | |\n\n## Next\n| `e` | ? | – | |\n";
    assert_eq!(layers(table).unwrap(), [("a", vec![]), ("b", vec!["a"]), ("c", vec!["a", "b"]), ("d", vec!["b"])]);
    let is_refused = |rows: &str| layers(&format!("\n## Code map\n{rows}")).is_err();
    assert!(is_refused("| `a` | ? | b | |\n| `b` | ? | – | |"), "a layer looks down only");
    assert!(is_refused("| `a` | ? | – | |\n| `b` | ? | all but c | |"), "what is left out is there");
    assert!(is_refused(""), "a table has rows");
}

#[test]
fn the_reader_of_paths_sees_what_it_should() {
    let names = |text: &str, depth| named_modules(text, depth).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    assert_eq!(names("use crate::model::Level;", 1), ["model"]);
    assert_eq!(names("use crate::{\n    defs::{self, Resolved},\n    model, // crate::app\n};", 1), ["defs", "model"]);
    assert_eq!(names("fn f(x: &crate::sim::World) { super::super::io::load(); }", 2), ["sim", "io"]);
    assert_eq!(names("use super::io; use super::super::edit;", 3), [""; 0]);
    assert!(has_word("use egui::Ui;", "egui") && !has_word("use my_egui_thing;", "egui"));
}

/// The map of the house.
fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap()
}

/// What stands below a heading.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let mut sections = page.split("\n## ").filter_map(|section| section.strip_prefix(heading));
    sections.find(|rest| rest.starts_with('\n')).unwrap_or_else(|| panic!("ARCHITECTURE.md has a section {heading}"))
}

/// The layers of the code map, and those that each may name: the ones listed, or all in the rows above but the ones
/// listed.
fn layers(page: &str) -> Result<Vec<(&str, Vec<&str>)>, String> {
    let mut layers: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in section(page, "Code map").lines().filter(|row| row.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let above: Vec<&str> = layers.iter().map(|(name, _)| *name).collect();
        let (is_all_but, listed) = match cells[3].strip_prefix("all") {
            Some(rest) => (true, rest.trim_start().trim_start_matches("but ")),
            None => (false, cells[3].trim_matches('–')),
        };
        let listed: Vec<&str> = listed.split_whitespace().collect();
        if let Some(name) = listed.iter().find(|name| !above.contains(name)) {
            return Err(format!("`{name}` is not in a row above {}", cells[1]));
        }
        let allowed =
            if is_all_but { above.into_iter().filter(|name| !listed.contains(name)).collect() } else { listed };
        layers.push((cells[1].trim_matches('`'), allowed));
    }
    if layers.is_empty() { Err("no layers".into()) } else { Ok(layers) }
}

/// Calls `visit` with every file of `src/` that belongs to a layer: the layer, how many modules deep the file is, its
/// path from the root, its text.
fn for_each_source(visit: &mut dyn FnMut(&str, usize, &str, &str)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for_each_rs(&root.join("src"), &mut |path, text| {
        let shown = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let parts: Vec<&str> = shown.trim_end_matches(".rs").split('/').skip(1).filter(|part| *part != "mod").collect();
        if !matches!(parts.as_slice(), [] | ["build" | "lib" | "main"]) {
            visit(parts[0], parts.len(), &shown, text);
        }
    });
}

fn for_each_rs(dir: &Path, visit: &mut dyn FnMut(&Path, &str)) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            for_each_rs(&path, visit);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            visit(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

/// The modules of the crate's root that a file names, with the line: after `crate::`, inside `crate::{…}`, and after as
/// many `super::` as the file is deep.
fn named_modules(text: &str, depth: usize) -> Vec<(usize, String)> {
    let code: String = text.lines().map(|line| format!("{}\n", without_comment(line))).collect();
    let climb = "super::".repeat(depth);
    let mut out = Vec::new();
    for start in ["crate::", &climb] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(group) => out.extend(group_heads(group).into_iter().map(|name| (line, name))),
                None => out.push((line, ident(rest))),
            }
        }
    }
    out.retain(|(_, name)| !name.is_empty() && name != "super");
    out
}

/// The first name of each item of a `use` group, up to its closing brace.
fn group_heads(group: &str) -> Vec<String> {
    let (mut heads, mut nesting, mut fresh) = (Vec::new(), 0_i32, true);
    for (i, c) in group.char_indices() {
        match c {
            '{' => nesting += 1,
            '}' if nesting == 0 => break,
            '}' => nesting -= 1,
            ',' if nesting == 0 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                heads.push(ident(&group[i..]));
                fresh = false;
            }
            _ => {}
        }
    }
    heads
}

/// The code of a file, line by line, without comments, re-exports and the tests at its end.
fn code_of(text: &str) -> String {
    let mut is_export = false;
    let mut code = String::new();
    let code_lines = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().lines();
    for line in code_lines {
        let line = without_comment(line);
        is_export |= ["pub use ", "pub(super) use ", "pub(crate) use "].iter().any(|it| line.starts_with(it));
        code.push_str(if is_export { "" } else { line });
        code.push('\n');
        is_export &= !line.contains(';');
    }
    code
}

fn words_of(code: &str) -> BTreeMap<&str, usize> {
    let mut words = BTreeMap::new();
    for word in code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *words.entry(word).or_default() += 1;
    }
    words
}

/// The items declared `pub`, methods too: line from 1, kind and name.
fn public_items(code: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    code.lines().enumerate().filter_map(|(nr, line)| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("const fn").map_or(line, |_| &line["const ".len()..]);
        let (kind, rest) = line.split_once(' ')?;
        let is_item = ["fn", "struct", "enum", "const", "static", "trait", "type"].contains(&kind);
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        is_item.then_some((nr + 1, kind, name))
    })
}

fn ident(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn has_word(code: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(part_of_name) && !code[at + word.len()..].starts_with(part_of_name))
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}
