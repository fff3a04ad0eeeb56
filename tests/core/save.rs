//! Saving: unchanged parts keep their bytes, changed parts change alone, and files survive every failure.

use std::{fs, path::Path, sync::Arc};

use levelwright::{
    io::{
        IntentLog, Loaded, Meanwhile, SaveError, Sources, Writing, Wrote, codec, load, load_one, run_together, text_of,
    },
    model::{DocPath, Document, EntityDef, Layer, LayerContent, Tile, Value},
};

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A copy of the example project, loaded.
fn project() -> (tempfile::TempDir, Loaded) {
    let dir = tempfile::tempdir().unwrap();
    copy(&super::load::formats(), dir.path());
    let loaded = load(dir.path());
    assert_eq!(loaded.findings, vec![]);
    (dir, loaded)
}

/// Write a file or remove it.
pub(crate) fn run(writing: Writing) -> Wrote {
    run_together(vec![writing], &IntentLog::default()).wrote.remove(0)
}

/// The same, and take note of what the file is then.
fn run_in(sources: &mut Sources, writing: Writing) -> Result<(), SaveError> {
    let wrote = run(writing);
    match wrote.result? {
        Some(source) => sources.put(wrote.path, source),
        None => sources.take_away(&wrote.path),
    }
    Ok(())
}

/// Write a document into its file.
pub(crate) fn save(sources: &mut Sources, at: &DocPath, document: &Arc<Document>) -> Result<(), SaveError> {
    let writing = sources.writing(at, Some(document), false);
    run_in(sources, writing)
}

fn roots() -> Vec<std::path::PathBuf> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data");
    let mut roots = vec![super::load::formats()];
    roots.extend(sample.join("project.ron").exists().then_some(sample));
    roots
}

#[test]
fn untouched_files_keep_every_byte() {
    for root in roots() {
        let loaded = load(&root);
        for (path, document) in &loaded.project.documents {
            let source = loaded.sources.get(path).unwrap();
            // A copy, so that nothing is recognized as untouched by its address.
            let copy = load_one(path, &source.text).0.unwrap();
            assert_eq!(copy, **document);
            assert_eq!(text_of(&copy, Some(source)), &*source.text, "{path}");
            assert_eq!(text_of(document, Some(source)), &*source.text, "{path}");
        }
    }
}

#[test]
fn new_files_read_back_and_settle() {
    for root in roots() {
        let loaded = load(&root);
        for (path, document) in &loaded.project.documents {
            let text = text_of(document, None);
            let (again, findings) = load_one(path, &text);
            assert_eq!(findings, vec![], "{path}:\n{text}");
            assert_eq!(again.as_ref(), Some(&**document), "{path}:\n{text}");
            assert_eq!(text_of(&again.unwrap(), None), text, "{path}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
        }
    }
}

/// Change a document of the example project; the text it becomes must be the old one with these replacements.
fn changed(place: &str, change: impl FnOnce(&mut Document), replaced: &[(&str, &str)]) {
    let loaded = load(&super::load::formats());
    let path = path(place);
    let source = loaded.sources.get(&path).unwrap();
    let mut document = (**loaded.project.doc(&path).unwrap()).clone();
    change(&mut document);
    let mut expected = source.text.to_string();
    for (old, new) in replaced {
        assert_eq!(expected.matches(old).count(), 1, "{old} in {place}");
        expected = expected.replace(old, new);
    }
    let text = text_of(&document, Some(source));
    assert_eq!(text, expected, "{place}");
    assert_eq!(load_one(&path, &text).0.as_ref(), Some(&document));
}

fn def<'d>(document: &'d mut Document, name: &str) -> &'d mut EntityDef {
    let Document::Entities(file) = document else { panic!("not definitions") };
    Arc::make_mut(&mut file.defs[name])
}

fn layer<'d>(document: &'d mut Document, name: &str) -> &'d mut Layer {
    let Document::Level(level) = document else { panic!("not a level") };
    let at = level.layer(name).unwrap().0;
    Arc::make_mut(&mut level.layers[at])
}

#[test]
fn one_change_changes_its_own_characters() {
    let goblins = "entities/goblins.ron";
    changed(
        goblins,
        |doc| def(doc, "fast_goblin").ops.set["Walker"]["speed"] = Value::Float(120.0),
        &[("110.0", "120.0")],
    );
    changed(
        goblins,
        |doc| drop(def(doc, "goblin").ops.set.shift_remove("Brain")),
        &[(", Brain: (machines: [\"goblin_brain\"])", "")],
    );
    changed(
        goblins,
        |doc| def(doc, "fast_goblin").ops.scale.clear(),
        &[("        scale: (Health: (max: 0.5)),          // multiply a number\n", "")],
    );
    changed(goblins, |doc| def(doc, "monster").is_abstract = false, &[("abstract: true", "abstract: false")]);
    changed(
        goblins,
        |doc| def(doc, "goblin").ops.remove.push("Shield".into()),
        &[(
            "        set: (Walker: (speed: 60.0), Brain: (machines: [\"goblin_brain\"])),\n",
            "        set: (Walker: (speed: 60.0), Brain: (machines: [\"goblin_brain\"])),\n        remove: [\"Shield\"],\n",
        )],
    );
    let rename = |doc: &mut Document| {
        let Document::Entities(file) = doc else { panic!("not definitions") };
        let def = file.defs.shift_remove("goblin").unwrap();
        file.defs.shift_insert(1, "hob".into(), def);
    };
    changed(goblins, rename, &[("    \"goblin\": (", "    \"hob\": (")]);

    let level = "levels/courtyard.ron";
    changed(
        level,
        |doc| layer(doc, "patrol").visible = false,
        &[("            name: \"patrol\",\n", "            name: \"patrol\",\n            visible: false,\n")],
    );
    changed(level, |doc| layer(doc, "actors").name = "people".into(), &[("\"actors\"", "\"people\"")]);
    let tint = |doc: &mut Document| {
        let layer = layer(doc, "patrol");
        (layer.tint, layer.opacity) = ("#ff8040".into(), 0.5);
    };
    let tinted = "            name: \"patrol\",\n            opacity: 0.5,\n            tint: \"#ff8040\",\n";
    changed(level, tint, &[("            name: \"patrol\",\n", tinted)]);
    let move_entity = |doc: &mut Document| {
        let LayerContent::Entities(entities) = &mut layer(doc, "actors").content else { panic!("not entities") };
        Arc::make_mut(&mut entities["g7f3k2"]).at[0] = 121.5;
    };
    changed(level, move_entity, &[("(120.0, 64.0)", "(121.5, 64.0)")]);
    let paint = |cell| {
        move |doc: &mut Document| {
            let LayerContent::Tiles(layer) = &mut layer(doc, "ground").content else { panic!("not tiles") };
            layer.tiles.set(cell, Tile::id_only(7));
        }
    };
    changed(level, paint([3, 0]), &[("\"1 1 1 . . ", "\"1 1 1 7 . ")]);
    changed(level, paint([0, 1]), &[(" `5*7` repeats\n", " `5*7` repeats\n                    \"7\",\n")]);
    changed(
        level,
        paint([40, 0]),
        &[(
            "                ],\n            },\n        ),\n        Entities(",
            "                ],\n                (1, 0): [\n                    \"8*. 7\",\n                ],\n            },\n        ),\n        Entities(",
        )],
    );
    let link = |doc: &mut Document| {
        let LayerContent::Waypoints(graph) = &mut layer(doc, "patrol").content else { panic!("not waypoints") };
        graph.links[0].cost = Some(12.0);
    };
    changed(level, link, &[("cost: None", "cost: 12.0")]);
    let nodes = |doc: &mut Document| {
        let LayerContent::Waypoints(graph) = &mut layer(doc, "patrol").content else { panic!("not waypoints") };
        graph.nodes.insert("n9".into(), levelwright::model::Node { at: [1.0, 2.0], tags: vec![] });
    };
    changed(
        level,
        nodes,
        &[("\"n4c5d6\": (at: (88.0, 40.0)) },", "\"n4c5d6\": (at: (88.0, 40.0)), \"n9\": (at: (1.0, 2.0)) },")],
    );
    let size = |doc: &mut Document| {
        let Document::Level(level) = doc else { panic!("not a level") };
        level.size = None;
    };
    changed(level, size, &[("    size: (40, 24),              // in tiles; leave out for an unbounded level\n", "")]);

    let tune = |doc: &mut Document| {
        let Document::Tuning(page) = doc else { panic!("not a page") };
        page.values["smooth_time"].value = Value::Float(0.45);
    };
    changed("tuning/camera.ron", tune, &[("value: 0.3", "value: 0.45")]);

    let state = |doc: &mut Document| {
        let Document::Machines(file) = doc else { panic!("not machines") };
        let machine = Arc::make_mut(&mut file.machines["sentry"]);
        machine.layout["Patrol"] = [50.0, 40.0];
        machine.state_mut("Patrol").unwrap().transitions.remove(1);
    };
    changed(
        "machines/sentry.ron",
        state,
        &[
            ("\"Patrol\": (40.0, 40.0)", "\"Patrol\": (50.0, 40.0)"),
            (
                "                    (on: \"Damaged\", if: Not(LifeBelow(percent: 20.0)), do: [Say(text: \"!\")], to: \"Attack\"),\n",
                "",
            ),
        ],
    );

    let tile = |doc: &mut Document| {
        let Document::Tileset(tileset) = doc else { panic!("not a tileset") };
        tileset.tiles[&7].friction = Some(0.5);
        tileset.tiles[&9].frames[1].secs = 0.25;
    };
    changed("tilesets/keep.ron", tile, &[("friction: 0.8", "friction: 0.5"), ("10, secs: 0.2", "10, secs: 0.25")]);
    let reset = |doc: &mut Document| {
        let Document::Tileset(tileset) = doc else { panic!("not a tileset") };
        tileset.tiles[&7].friction = None;
    };
    changed("tilesets/keep.ron", reset, &[(", friction: 0.8", "")]);
}

#[test]
fn an_empty_chunk_written_by_hand_stays() {
    let text = "(tile_size: (8, 8), layers: [Tiles(name: \"a\", tileset: \"t\", chunks: {(1, 1): [\"\", \". .\"], (0, 0): [\"3*2 .\", \"\"]})])";
    let at = path("levels/a.ron");
    let document = load_one(&at, text).0.unwrap();
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("levels")).unwrap();
    fs::write(dir.path().join("levels/a.ron"), text).unwrap();
    let loaded = load(dir.path());
    assert_eq!(text_of(&document, loaded.sources.get(&at)), text);
    let mut changed = document.clone();
    let LayerContent::Tiles(tiles) = &mut layer(&mut changed, "a").content else { panic!("not tiles") };
    tiles.tiles.set([3, 0], Tile::new(5, true, false, true));
    assert_eq!(text_of(&changed, loaded.sources.get(&at)), text.replace("3*2 .", "2 2 2 5hd"));
}

#[test]
fn a_save_is_read_back_the_same_and_saved_again_without_a_change() {
    let (dir, mut loaded) = project();
    let at = path("entities/goblins.ron");
    let mut document = Arc::clone(loaded.project.doc(&at).unwrap());
    def(Arc::make_mut(&mut document), "goblin").ops.set["Walker"]["speed"] = Value::Float(61.0);
    save(&mut loaded.sources, &at, &document).unwrap();
    let text = fs::read_to_string(dir.path().join("entities/goblins.ron")).unwrap();
    assert!(text.contains("speed: 61.0"));
    let again = load(dir.path());
    assert_eq!(again.project.doc(&at), Some(&document));
    assert_eq!(again.sources.get(&at).unwrap().hash, loaded.sources.get(&at).unwrap().hash);
    save(&mut loaded.sources, &at, &document).unwrap();
    assert_eq!(fs::read_dir(dir.path().join("entities")).unwrap().count(), 1, "something was left behind");
}

#[test]
fn steps_undone_after_a_save_give_the_file_its_comments_back() {
    let (dir, mut loaded) = project();
    let at = path("entities/goblins.ron");
    let file = dir.path().join("entities/goblins.ron");
    let text = fs::read_to_string(&file).unwrap();
    let before = Arc::clone(loaded.project.doc(&at).unwrap());
    let without = |from: &Arc<Document>| {
        let mut document = Arc::clone(from);
        let Document::Entities(entities) = Arc::make_mut(&mut document) else { panic!() };
        entities.defs.pop();
        document
    };
    let (once, twice) = (without(&before), without(&without(&before)));
    save(&mut loaded.sources, &at, &once).unwrap();
    let fewer = fs::read_to_string(&file).unwrap();
    assert!(fewer.matches("//").count() < text.matches("//").count(), "a comment goes with what it is about");
    save(&mut loaded.sources, &at, &twice).unwrap();
    save(&mut loaded.sources, &at, &once).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), fewer);
    save(&mut loaded.sources, &at, &before).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    // A write by another program in between makes the content differ.
    save(&mut loaded.sources, &at, &once).unwrap();
    let theirs = format!("{fewer}// mine\n");
    fs::write(&file, &theirs).unwrap();
    let mut loaded = load(dir.path());
    save(&mut loaded.sources, &at, &before).unwrap();
    assert!(fs::read_to_string(&file).unwrap().ends_with("// mine\n"));
}

#[test]
fn what_others_wrote_is_not_overwritten() {
    let (dir, mut loaded) = project();
    let at = path("entities/goblins.ron");
    let file = dir.path().join("entities/goblins.ron");
    let document = Arc::clone(loaded.project.doc(&at).unwrap());
    fs::write(&file, "{} // mine").unwrap();
    let error = save(&mut loaded.sources, &at, &document).unwrap_err();
    assert!(matches!(error, SaveError::Conflict { what: Meanwhile::Changed, .. }), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{} // mine");

    let writing = loaded.sources.writing(&at, Some(&document), true);
    run_in(&mut loaded.sources, writing).unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("fast_goblin"));

    fs::remove_file(&file).unwrap();
    let error = save(&mut loaded.sources, &at, &document).unwrap_err();
    assert!(matches!(error, SaveError::Conflict { what: Meanwhile::Removed, .. }), "{error}");

    fs::write(dir.path().join("entities/new.ron"), "{}").unwrap();
    let error = save(&mut loaded.sources, &path("entities/new.ron"), &document).unwrap_err();
    assert!(matches!(error, SaveError::Conflict { what: Meanwhile::Appeared, .. }), "{error}");
}

#[test]
fn a_file_that_another_program_changed_holds_back_those_that_are_written_with_it() {
    let (dir, loaded) = project();
    let (a, b) = (path("entities/goblins.ron"), path("entities/new.ron"));
    let file = |at: &DocPath| dir.path().join(at.as_str());
    let text = fs::read_to_string(file(&a)).unwrap();
    // All that is in the one goes to the other, which another program made meanwhile.
    let document = Arc::clone(loaded.project.doc(&a).unwrap());
    let empty = Arc::new(Document::Entities(levelwright::model::EntitiesFile::default()));
    let writings =
        |sources: &Sources| vec![sources.writing(&a, Some(&empty), false), sources.writing(&b, Some(&document), false)];
    fs::write(file(&b), "{}").unwrap();
    let wrote = run_together(writings(&loaded.sources), &IntentLog::default()).wrote;
    assert!(matches!(&wrote[0].result, Err(SaveError::HeldBack { because, .. }) if *because == b));
    assert_eq!(fs::read_to_string(file(&a)).unwrap(), text);
    // Once that is known, both are written, comments and all.
    let wrote = run_together(writings(&load(dir.path()).sources), &IntentLog::default()).wrote;
    assert!(wrote.iter().all(|it| it.result.is_ok()));
    assert!(fs::read_to_string(file(&b)).unwrap().contains("// multiply a number"));
}

#[test]
fn nothing_is_written_where_a_folder_was() {
    let (dir, mut loaded) = project();
    let at = path("entities/goblins.ron");
    let mut document = Arc::clone(loaded.project.doc(&at).unwrap());
    def(Arc::make_mut(&mut document), "goblin").is_abstract = true;
    // The folder of the file was removed, so the save asks the user.
    fs::remove_dir_all(dir.path().join("entities")).unwrap();
    let error = save(&mut loaded.sources, &at, &document).unwrap_err();
    assert!(matches!(error, SaveError::Conflict { what: Meanwhile::Removed, .. }), "{error}");
    assert!(!dir.path().join("entities").exists());
    // A file in the place of the folder.
    fs::write(dir.path().join("entities"), "mine").unwrap();
    let error = save(&mut loaded.sources, &path("entities/new.ron"), &document).unwrap_err();
    assert!(matches!(error, SaveError::Io { .. }), "{error}");
    assert_eq!(fs::read_to_string(dir.path().join("entities")).unwrap(), "mine");
    // The project's own.
    let root = dir.path().join("gone");
    loaded.sources.root.clone_from(&root);
    let error = save(&mut loaded.sources, &path("machines/new.ron"), &document).unwrap_err();
    assert!(error.to_string().contains("the project's folder is gone"), "{error}");
    assert!(!root.exists());
}

#[cfg(unix)]
#[test]
fn a_file_that_moves_along_keeps_its_mode_and_comments() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (dir, _) = project();
    let (from, to) = (path("entities/goblins.ron"), path("entities/deep/gnomes.ron"));
    let file = |at: &DocPath| dir.path().join(at.as_str());
    fs::set_permissions(file(&from), fs::Permissions::from_mode(0o640)).unwrap();
    let loaded = load(dir.path());
    let mut document = Arc::clone(loaded.project.doc(&from).unwrap());
    def(Arc::make_mut(&mut document), "goblin").is_abstract = true;
    let wrote = run(loaded.sources.moving(&from, &to, &document));
    assert!(wrote.is_moved && wrote.result.is_ok());
    assert_eq!(fs::metadata(file(&to)).unwrap().permissions().mode() & 0o777, 0o640);
    let text = fs::read_to_string(file(&to)).unwrap();
    assert!(text.contains("// multiply a number") && text.contains("abstract: true"));
    assert!(!file(&from).exists());

    // A link leads somewhere: what it says is written anew, and it stays.
    fs::rename(file(&to), dir.path().join("real.txt")).unwrap();
    symlink("../real.txt", file(&from)).unwrap();
    let loaded = load(dir.path());
    let wrote = run(loaded.sources.moving(&from, &to, &document));
    assert!(!wrote.is_moved && wrote.result.is_ok());
    assert!(file(&from).exists() && file(&to).exists());
}

#[test]
fn a_broken_file_is_left_for_its_author() {
    let (dir, _) = project();
    fs::write(dir.path().join("entities/goblins.ron"), "{ \"half\": (").unwrap();
    let mut loaded = load(dir.path());
    let at = path("entities/goblins.ron");
    let document = Arc::new(Document::Entities(levelwright::model::EntitiesFile::default()));
    let error = save(&mut loaded.sources, &at, &document).unwrap_err();
    assert!(matches!(error, SaveError::Broken { .. }), "{error}");
}

#[test]
fn new_files_and_folders_are_made() {
    let (dir, mut loaded) = project();
    let at = path("entities/deep/er/new.ron");
    let document = Arc::new(Document::Entities(levelwright::model::EntitiesFile::default()));
    save(&mut loaded.sources, &at, &document).unwrap();
    assert_eq!(fs::read_to_string(dir.path().join(at.as_str())).unwrap(), "{}\n");
    let writing = loaded.sources.writing(&at, None, false);
    run_in(&mut loaded.sources, writing).unwrap();
    assert!(!dir.path().join(at.as_str()).exists());
}

#[cfg(unix)]
#[test]
fn modes_and_links_survive_a_save() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (dir, _) = project();
    let real = dir.path().join("entities/real.txt");
    let link = dir.path().join("entities/goblins.ron");
    fs::rename(&link, &real).unwrap();
    symlink("real.txt", &link).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let mut loaded = load(dir.path());
    let at = path("entities/goblins.ron");
    let mut document = Arc::clone(loaded.project.doc(&at).unwrap());
    def(Arc::make_mut(&mut document), "goblin").is_abstract = true;
    save(&mut loaded.sources, &at, &document).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).unwrap().contains("abstract: true"));

    fs::set_permissions(&real, fs::Permissions::from_mode(0o440)).unwrap();
    def(Arc::make_mut(&mut document), "goblin").is_abstract = false;
    let error = save(&mut loaded.sources, &at, &document).unwrap_err();
    assert_eq!(error.to_string(), "entities/goblins.ron could not be written: it or its folder is read-only");

    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), dir.path().join("entities/out")).unwrap();
    let error = save(&mut loaded.sources, &path("entities/out/x.ron"), &document).unwrap_err();
    assert!(matches!(error, SaveError::Outside { .. }), "{error}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn formatting_keeps_what_files_say_and_settles() {
    for root in roots() {
        let loaded = load(&root);
        for (path, document) in &loaded.project.documents {
            let once = codec::format(path, loaded.sources.text(path).unwrap()).unwrap();
            assert_eq!(load_one(path, &once), (Some((**document).clone()), vec![]), "{path}:\n{once}");
            assert_eq!(codec::format(path, &once).unwrap(), once, "{path}");
            let new = text_of(document, None);
            assert_eq!(codec::format(path, &new).unwrap(), new, "{path}");
        }
    }
}

#[test]
fn formatting_puts_fields_in_order_and_dots_in_floats() {
    let text = "(layers: [Entities(entities: {\n\"a\": (at: (1, 2), def: \"x\")}, name: \"n\")], tile_size: (8, 8))";
    let expected = "(\n    tile_size: (8, 8),\n    layers: [\n        Entities(\n            name: \"n\",\n            entities: {\n                \"a\": (def: \"x\", at: (1.0, 2.0)),\n            },\n        ),\n    ],\n)\n";
    let result = codec::format(&path("levels/a.ron"), text).unwrap();
    assert!(load_one(&path("levels/a.ron"), &result).0.is_some());
    // The list hugs its only layer, as its author wrote it.
    assert_eq!(result, expected.replace("[\n        Entities(\n            name: \"n\",\n            entities: {\n                \"a\": (def: \"x\", at: (1.0, 2.0)),\n            },\n        ),\n    ]", "[Entities(\n        name: \"n\",\n        entities: {\n            \"a\": (def: \"x\", at: (1.0, 2.0)),\n        },\n    )]"));
}
