//! `check`: what is printed about problems, for people, programs and code hosts.

use super::*;

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
    // A picture that nothing names is not checked.
    fs::write(&image, good).unwrap();
    fs::write(dir.path().join("tilesets/sketch.png"), "").unwrap();
    fs::remove_file(dir.path().join("a.png")).unwrap();
    assert_eq!(run(&["check", at(&dir)]).err, "");
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
