//! `rename`: everywhere or nowhere, with comments kept.

use super::*;

#[test]
fn rename_follows_every_use_and_keeps_comments() {
    let dir = small();
    let read = |path: &str| fs::read_to_string(dir.path().join(path)).unwrap();
    fs::write(dir.path().join("levels/start.ron"), format!("// Where it begins.\n{LEVEL}")).unwrap();
    assert_eq!(run(&["rename", at(&dir), "def", "goblin", "gnome"]).code, 0);
    assert_eq!(read("entities/all.ron"), DEFS.replace("\"goblin\"", "\"gnome\""));
    assert!(read("levels/start.ron").contains("def: \"gnome\""));
    assert_eq!(run(&["rename", at(&dir), "level", "start", "first"]).code, 0);
    assert!(read("levels/first.ron").starts_with("// Where it begins.\n"));
    assert!(!dir.path().join("levels/start.ron").exists());
    assert!(read("project.ron").contains("start_level: \"first\""));
    assert_eq!(run(&["rename", at(&dir), "tileset", "keep", "castle"]).code, 0);
    assert_eq!(read("tilesets/castle.ron"), TILES);
    assert!(read("levels/first.ron").contains("tileset: \"castle\""));
    assert_eq!(run(&["check", at(&dir)]).err, "");
    for (old, new) in [
        ("gnome", "monster"),
        ("nobody", "x"),
        ("gnome", ""),
        ("gnome", "."),
        ("gnome", "../x"),
        ("gnome", "a\u{200b}"),
    ] {
        let refused = run(&["rename", at(&dir), "def", old, new]);
        assert_eq!(refused.code, 2, "{old} → {new}: {}", refused.out);
    }
    assert_eq!(run(&["rename", at(&dir), "level", "first", "../out"]).code, 2);
    fs::write(dir.path().join("entities/bad.ron"), "{").unwrap();
    assert_eq!(run(&["rename", at(&dir), "def", "gnome", "elf"]).code, 1, "a file that may use it is unreadable");
}

#[test]
fn a_rename_that_cannot_be_made_everywhere_is_made_nowhere() {
    let dir = small();
    let level = dir.path().join("levels/start.ron");
    let writable = fs::metadata(&level).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    let before = all_files(dir.path());
    // Root may write to read-only files; the read-only flag is respected all the same.
    fs::set_permissions(&level, read_only).unwrap();
    for what in [["def", "goblin", "gnome"], ["tileset", "keep", "castle"]] {
        let refused = run(&["rename", at(&dir), what[0], what[1], what[2]]);
        assert_eq!(refused.code, 1, "{}", refused.out);
        assert!(
            refused
                .err
                .contains("levels/start.ron could not be written: it or its folder is read-only; no file was changed"),
            "{}",
            refused.err
        );
        assert!(all_files(dir.path()) == before);
    }
    fs::set_permissions(&level, writable).unwrap();
    assert_eq!(run(&["rename", at(&dir), "tileset", "keep", "castle"]).code, 0);
}

#[test]
fn a_rename_moves_what_a_link_leads_to_in_one_change() {
    let dir = small();
    let file = dir.path().join("tilesets/keep.ron");
    fs::write(&file, format!("// Stones.\n{TILES}")).unwrap();
    #[cfg(unix)]
    {
        fs::rename(&file, dir.path().join("tilesets/real.txt")).unwrap();
        std::os::unix::fs::symlink("real.txt", &file).unwrap();
    }
    let renamed = run(&["rename", at(&dir), "tileset", "keep", "castle"]);
    assert_eq!(renamed.code, 0, "{}", renamed.err);
    assert!(!file.is_symlink() && dir.path().join("tilesets/castle.ron").is_file());
    assert_eq!(fs::read_to_string(dir.path().join("tilesets/castle.ron")).unwrap(), format!("// Stones.\n{TILES}"));
    assert_eq!(run(&["check", at(&dir)]).err, "");
}

#[test]
fn rename_follows_words_of_the_game() {
    let dir = small();
    let path = |path: &str| dir.path().join(path);
    fs::create_dir_all(path("schemas")).unwrap();
    fs::write(
        path("schemas/game.ron"),
        "(\n    // What it leaves.\n    components: { \"Loot\": (fields: { \"gold\": (type: Int) }) },\n    \
         messages: { \"Rob\": (payload: {}) },\n)\n",
    )
    .unwrap();
    fs::write(path("entities/loot.ron"), "{\n    // Rich.\n    \"chest\": (set: (Loot: (gold: 5))), // five\n}\n")
        .unwrap();
    for (kind, old, new) in
        [("field", "Loot.gold", "coins"), ("component", "Loot", "Purse"), ("message", "Rob", "Steal")]
    {
        let run = run(&["rename", at(&dir), kind, old, new]);
        assert_eq!(run.code, 0, "{old}: {}", run.err);
    }
    let schema = fs::read_to_string(path("schemas/game.ron")).unwrap();
    assert!(
        schema.contains("// What it leaves.") && schema.contains("\"Purse\"") && schema.contains("\"Steal\""),
        "{schema}"
    );
    let entities = fs::read_to_string(path("entities/loot.ron")).unwrap();
    assert_eq!(entities, "{\n    // Rich.\n    \"chest\": (set: (Purse: (coins: 5))), // five\n}\n");
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    for (kind, old) in [("component", "Health"), ("field", "Health.max"), ("message", "Nobody")] {
        assert_eq!(run(&["rename", at(&dir), kind, old, "Other"]).code, 2, "{old}");
    }
}

#[test]
fn what_names_itself_keeps_its_text_when_it_is_renamed() {
    let renames: [(&str, &str, &str, &[(&str, &str)]); 6] = [
        ("def", "base", "root", &[("\"base\"", "\"root\""), ("\\\"base\\\"", "\\\"root\\\"")]),
        ("state", "m/A", "Again", &[("\"A\"", "\"Again\"")]),
        ("tunable", "Odd.k", "kk", &[("\"k\"", "\"kk\"")]),
        ("field", "C.n", "nn", &[("\"n\"", "\"nn\""), ("n: 3", "nn: 3")]),
        (
            "enum-value",
            "Mood.Red",
            "Angry",
            &[
                ("[\"Red\", \"Calm\"]", "[\"Angry\", \"Calm\"]"),
                ("lm: [Red]", "lm: [Angry]"),
                ("C.lm[Red]", "C.lm[Angry]"),
            ],
        ),
        ("def", "base", "zz\\\"q", &[]),
    ];
    for (kind, old, new, replaced) in renames {
        let dir = project(&ODD);
        let before = run(&["check", at(&dir)]);
        assert_eq!(before.err.matches("error").count(), 1, "there is no level to start with only: {}", before.err);
        let new = new.replace('\\', "");
        let done = run(&["rename", at(&dir), kind, old, &new]);
        assert_eq!(done.code, 0, "{}", done.err);
        let after = run(&["check", at(&dir)]);
        assert_eq!(after.err.lines().count(), before.err.lines().count(), "{kind} {old}: {}", after.err);
        for (path, text) in ODD.iter().filter(|_| !replaced.is_empty()) {
            let expected = replaced.iter().fold((*text).to_owned(), |text, (from, to)| text.replace(from, to));
            assert_eq!(fs::read_to_string(dir.path().join(path)).unwrap(), expected, "{kind} {old}");
        }
    }
}

#[test]
fn files_are_renamed_only_to_what_files_can_be_called() {
    let dir = small();
    for name in [".hid", "..", "a/b", "a\\b", "dot.", "x.ron", "CON", "com1", "a?b", " a"] {
        let refused = run(&["rename", at(&dir), "level", "start", name]);
        assert_eq!(refused.code, 2, "{name}: {}", refused.out);
        assert!(dir.path().join("levels/start.ron").exists());
    }
}
