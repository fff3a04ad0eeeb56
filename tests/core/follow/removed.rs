//! Files that are removed, broken or replaced, and their comments when they come back.

use super::*;

/// The file at `at` is written, and its event arrives.
fn write(follow: &mut Follow, disk: &mut Memory, project: &Project, at: &DocPath) -> String {
    let writing = follow.save(at, project, false).expect("it is written at once");
    let document = writing.document().cloned();
    let from = writing.from().cloned();
    let old = from.as_ref().and_then(|from| disk.files.get(from)).cloned();
    let (writing, is_moved) = writing.moving(old.as_deref(), disk.files.get(at).map(Vec::as_slice));
    if is_moved {
        let bytes = from.and_then(|from| disk.files.remove(&from));
        disk.files.extend(bytes.map(|bytes| (at.clone(), bytes)));
    }
    let result = writing.against(disk.files.get(at).map(Vec::as_slice));
    let text = result.as_ref().unwrap().as_ref().map_or_else(String::new, |source| source.text.to_string());
    match result.as_ref().unwrap() {
        Some(source) => _ = disk.files.insert(at.clone(), source.text.as_bytes().to_vec()),
        None => _ = disk.files.remove(at),
    }
    let followed = follow.wrote(Wrote { path: at.clone(), document, is_moved, result }, project).unwrap();
    assert_eq!(followed.saved.as_ref(), Some(at));
    text
}

fn put(project: &mut Project, followed: &Followed) {
    for (at, document) in &followed.reloads {
        match document {
            Some(document) => _ = project.documents.insert(at.clone(), document.clone()),
            None => _ = project.documents.remove(at),
        }
    }
}

/// A project of which the first file was changed here, removed by another program, and kept.
fn removed_and_kept() -> (Project, Follow, Memory) {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let mine = with(project.doc(&a).unwrap(), "d", 50);
    project.documents.insert(a.clone(), mine);
    disk.files.remove(&a);
    let _ = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(follow.question_about(&a).unwrap().conflict, Conflict::GoneThere);
    let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    (project, follow, disk)
}

const FIRST: &str = "{\n    \"d\": (set: (C: (x: 1, y: 2))), // first\n    \"e\": (set: (C: (x: 3))),\n}\n";

#[test]
fn a_file_that_was_removed_and_kept_is_written_with_its_comments() {
    let (mut project, mut follow, mut disk) = removed_and_kept();
    let a = path(0);
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST.replace("x: 1", "x: 50"));
    // However much of it is another by then.
    let Document::Entities(mut file) = (**project.doc(&a).unwrap()).clone() else { panic!() };
    disk.files.remove(&a);
    file.defs.shift_remove("e");
    file.defs.insert("new".into(), Arc::default());
    file.defs.insert("newer".into(), Arc::default());
    project.documents.insert(a.clone(), Arc::new(Document::Entities(file)));
    let _ = look(&mut follow, &disk, &project, &[&a]);
    let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    let text = write(&mut follow, &mut disk, &project, &a);
    assert!(text.contains("(set: (C: (x: 50, y: 2))), // first"), "{text}");
}

#[test]
fn a_file_that_was_removed_and_is_taken_back_is_as_it_was() {
    let (mut project, mut follow, mut disk) = opened();
    let (a, b, c) = (path(0), path(1), path(2));
    let before = project.clone();
    let was = disk.files.clone();
    // The whole folder.
    disk.files.retain(|at, _| at.kind() == Some(DocKind::Project));
    let followed = look(&mut follow, &disk, &project, &[&DocPath::new("entities").unwrap()]);
    put(&mut project, &followed);
    assert!(project.doc(&a).is_none() && project.doc(&b).is_none());
    project = before.clone();
    for at in [&a, &b] {
        write(&mut follow, &mut disk, &project, at);
    }
    assert_eq!(disk.files, was);
    // Deleted here, saved, and taken back.
    project.documents.remove(&a);
    write(&mut follow, &mut disk, &project, &a);
    assert!(!disk.files.contains_key(&a));
    project = before.clone();
    write(&mut follow, &mut disk, &project, &a);
    assert_eq!(disk.files, was);
    // Renamed here while another program removed the old file.
    let document = with(project.documents.remove(&a).as_ref().unwrap(), "e", 7);
    project.documents.insert(c.clone(), document);
    disk.files.remove(&a);
    let _ = look(&mut follow, &disk, &project, &[&a]);
    if follow.question_about(&a).is_some() {
        let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    }
    assert_eq!(write(&mut follow, &mut disk, &project, &c), FIRST.replace("x: 3", "x: 7"));
    // The new file is removed, and the rename taken back.
    disk.files.remove(&c);
    let followed = look(&mut follow, &disk, &project, &[&c]);
    put(&mut project, &followed);
    project = before;
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST);
}

#[test]
fn what_is_saved_together_waits_for_one_that_is_being_written() {
    let (mut project, mut follow, _) = opened();
    let (a, b) = (path(0), path(1));
    for at in [&a, &b] {
        let changed = with(project.doc(at).unwrap(), "d", 50);
        project.documents.insert(at.clone(), changed);
    }
    let both = [a.clone(), b.clone()];
    assert!(!follow.has_to_wait(&both));
    let writing = follow.save(&b, &project, false).unwrap();
    assert!(follow.has_to_wait(&both));
    let document = writing.document().cloned();
    let result = writing.against(Some(follow.sources().text(&b).unwrap().as_bytes()));
    let wrote = Wrote { path: b.clone(), document, is_moved: false, result };
    assert_eq!(follow.wrote(wrote, &project).unwrap().save, [a], "the other is what was written");
    assert!(!follow.has_to_wait(&both));
}

#[test]
fn a_document_that_comes_back_by_undo_keeps_its_comments_however_much_of_it_changes_then() {
    let level = "(\n    tile_size: (16, 16),\n    layers: [\n        // ground\n        Tiles(name: \"t\", tileset: \"ts\", chunks: {}),\n    ],\n)\n";
    let texts = [
        ("levels/l.ron", level),
        ("entities/a.ron", "// first\n{ \"d\": () }\n"),
        (
            "scenarios/s.ron",
            "(level: \"l\", secs: 9.0, script: [\n    (at: 1.0, to: \"g\", send: \"seen\"), // first\n])\n",
        ),
    ];
    for (at, text) in texts {
        let at = DocPath::new(at).unwrap();
        let (mut loaded, mut disk) = template();
        let source = source_of(&at, text.as_bytes().to_vec());
        let document = source.document.clone().unwrap_or_else(|| panic!("{:?}", source.findings));
        loaded.project.documents.insert(at.clone(), document.clone());
        loaded.sources.put(at.clone(), source);
        disk.files.remove(&at);
        let (mut project, mut follow) = (loaded.project.clone(), Follow::new(&loaded));
        let before = project.clone();
        let followed = look(&mut follow, &disk, &project, &[&at]);
        put(&mut project, &followed);
        assert!(project.doc(&at).is_none());
        follow.project_changed(&project);
        project = before;
        follow.project_changed(&project);
        let mut new = Document::clone(&document);
        match &mut new {
            Document::Level(level) => Arc::make_mut(&mut level.layers[0]).opacity = 0.5,
            Document::Entities(file) => {
                let def = file.defs.shift_remove("d").unwrap();
                file.defs.insert("e".into(), def);
            }
            Document::Scenario(scenario) => scenario.script[0].at = 2.0,
            _ => panic!(),
        }
        project.documents.insert(at.clone(), Arc::new(new));
        let written = write(&mut follow, &mut disk, &project, &at);
        assert!(written.contains("// ground") || written.contains("// first"), "{written}");
    }
}

#[test]
fn a_file_that_was_removed_and_made_again_says_what_is_there_now() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let before = project.clone();
    disk.files.remove(&a);
    let followed = look(&mut follow, &disk, &project, &[&a]);
    put(&mut project, &followed);
    let theirs = "{\n    \"d\": (set: (C: (x: 9))), // theirs\n    \"e\": (),\n}\n";
    disk.files.insert(a.clone(), theirs.as_bytes().to_vec());
    let followed = look(&mut follow, &disk, &project, &[&a]);
    put(&mut project, &followed);
    assert_eq!(tokens(project.doc(&a).unwrap()), BTreeSet::from([9]));
    project = before;
    let text = write(&mut follow, &mut disk, &project, &a);
    assert!(text.contains("// theirs") && !text.contains("// first"), "what another program wrote stays: {text}");
}

#[test]
fn a_broken_file_that_is_overwritten_keeps_its_comments() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    for there in [Some(b"{ \"half".to_vec()), None] {
        match there {
            Some(bytes) => _ = disk.files.insert(a.clone(), bytes),
            None => _ = disk.files.remove(&a),
        }
        let _ = look(&mut follow, &disk, &project, &[&a]);
        let mine = with(project.doc(&a).unwrap(), "d", 50);
        project.documents.insert(a.clone(), mine);
        if follow.question_about(&a).is_some() {
            let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
        }
        let document = project.doc(&a).unwrap();
        assert_eq!(follow.sources().text_of(&a, document), FIRST.replace("x: 1", "x: 50"));
    }
}

#[test]
fn an_unrelated_file_of_the_same_name_is_written_anew() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    project.documents.remove(&a);
    write(&mut follow, &mut disk, &project, &a);
    let nothing = Document::Entities(EntitiesFile::default());
    project.documents.insert(a.clone(), with(&nothing, "other", 1));
    assert!(!write(&mut follow, &mut disk, &project, &a).contains("first"));
}

#[test]
fn what_was_kept_of_a_removed_file_outlives_a_crash_with_its_comments() {
    let (project, follow, mut disk) = removed_and_kept();
    let a = path(0);
    let mut journal = levelwright::io::journal::Journal::default();
    journal.line(follow.unsaved(&project), 1).unwrap();
    let replayed = levelwright::io::journal::read(journal.whole("p", 1).as_bytes()).unwrap();
    let recovered: Vec<_> =
        replayed.entries.iter().filter_map(|(at, entry)| levelwright::io::journal::Recovered::of(at, entry)).collect();
    // The next start finds no such file.
    let (mut loaded, _) = template();
    loaded.project.documents.remove(&a);
    loaded.sources.take_away(&a);
    let (mut project, mut follow) = (loaded.project.clone(), Follow::new(&loaded));
    let followed = follow.restore(&recovered, &project);
    put(&mut project, &followed);
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST.replace("x: 1", "x: 50"));
}
