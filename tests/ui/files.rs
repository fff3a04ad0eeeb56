//! The project's files while the window is open: saving, other programs' edits, broken files, conflicts, closing.

use std::fs;

use egui::{Key, Modifiers, ViewportCommand, ViewportEvent, ViewportId, accesskit::Role};
use levelwright::{
    edit::Edit,
    editor::{Action, Command, Dialog, DialogAnswer, Pane, Selection},
    model::{EntityDef, FieldPath, Severity, Side, Tile, Value},
    refactor::{NameKind, Named, Request},
};

use crate::window::{GOBLINS, Window, courtyard, doc, set_speed, speed};

/// Lines that differ: theirs and ours.
fn changed_lines(before: &str, after: &str) -> Vec<(String, String)> {
    assert_eq!(before.lines().count(), after.lines().count());
    before.lines().zip(after.lines()).filter(|(a, b)| a != b).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn save_writes_the_edited_line_and_nothing_else() {
    let mut window = Window::sample();
    let before = fs::read_to_string(window.file(GOBLINS)).unwrap();
    let others = |window: &Window| fs::read(window.file("levels/courtyard.ron")).unwrap();
    let level_before = others(&window);
    set_speed(&mut window, "goblin", "61");
    assert_eq!(fs::read_to_string(window.file(GOBLINS)).unwrap(), before, "nothing is written before Save");
    window.key(Modifiers::COMMAND, Key::S);
    assert_eq!(window.editor().notice(), Some("Saved entities/goblins.ron"));
    let after = fs::read_to_string(window.file(GOBLINS)).unwrap();
    let changed = changed_lines(&before, &after);
    assert_eq!(changed.len(), 1, "{changed:#?}");
    assert_eq!(changed[0].0.replace("55.0", "61.0"), changed[0].1);
    assert_eq!(others(&window), level_before);
    assert!(window.editor().unsaved().is_empty());
}

#[test]
fn an_edit_elsewhere_shows_here_and_in_the_running_preview() {
    let mut window = Window::sample();
    window.command(Command::StepTick);
    let running = |window: &Window| {
        let world = window.editor().preview().unwrap().session.world();
        world.field(world.by_id("i9o4iv").unwrap(), "Walker.speed").and_then(|speed| speed.as_f64())
    };
    assert_eq!(running(&window), Some(95.0));
    window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: 120.0)");
    window.until("the edit is here", |window| (speed(window, "fast_goblin") - 120.0).abs() < 1e-9);
    window.until("the edit is in the preview", |window| running(window) == Some(120.0));
    assert!(window.editor().unsaved().is_empty(), "what is on disk is saved");
    assert!(
        window.editor().notice().is_some_and(|notice| notice.contains("another program")),
        "{:?}",
        window.editor().notice()
    );
    window.settle();
    window.key(Modifiers::COMMAND, Key::Z);
    assert!((speed(&window, "fast_goblin") - 95.0).abs() < 1e-9, "a reload is a step like any other");
}

#[test]
fn a_new_file_and_a_deleted_one_are_noticed() {
    let mut window = Window::sample();
    fs::write(window.file("entities/more.ron"), "{ \"pebble\": (inherits: [\"prop\"]) }\n").unwrap();
    window.until("the new definition is here", |window| window.editor().resolution().defs.contains_key("pebble"));
    window.settle();
    fs::remove_file(window.file("entities/more.ron")).unwrap();
    window.until("it is gone", |window| !window.editor().resolution().defs.contains_key("pebble"));
    window.settle();
}

#[test]
fn a_broken_file_keeps_its_last_good_version_and_says_where() {
    let mut window = Window::sample();
    let good = fs::read_to_string(window.file(GOBLINS)).unwrap();
    window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: ninety five)");
    let line = 1 + good.lines().position(|line| line.contains("Walker: (speed: 95.0)")).unwrap();
    window.until("the file is known to be broken", has_errors);
    window.settle();
    assert!((speed(&window, "fast_goblin") - 95.0).abs() < 1e-9, "the last good version stays");
    let problem = &window.editor().problems()[0];
    assert_eq!(problem.line as usize, line, "{problem:#?}");
    assert!(problem.column > 1);
    window.command(Command::Show(Pane::Problems));
    assert!(window.says(&format!("{GOBLINS}:{line}:")), "the panel says where");
    assert!(window.says("1 errors") || window.says("1 error"), "the status line counts it");
    assert!(window.editor().unsaved().is_empty());
    window.find("List of problems").focus();
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Home);
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(window.editor().view().focus, Some(doc(GOBLINS)), "Enter goes there");

    fs::write(window.file(GOBLINS), good).unwrap();
    window.until("it is fine again", |window| !has_errors(window));
    window.settle();
}

fn has_errors(window: &Window) -> bool {
    window.editor().problems().iter().any(|it| it.problem.finding.severity == Severity::Error)
}

fn conflict() -> Window {
    let mut window = Window::sample();
    set_speed(&mut window, "fast_goblin", "70");
    window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: 120.0)");
    window.until("it asks", |window| matches!(window.editor().dialog(), Some(Dialog::Conflict { .. })));
    window.settle();
    assert!(window.says("changed on disk"));
    window
}

#[test]
fn in_a_conflict_theirs_can_be_taken_and_ours_had_back() {
    let mut window = conflict();
    window.click("All as on disk");
    assert!(window.editor().dialog().is_none());
    assert!((speed(&window, "fast_goblin") - 120.0).abs() < 1e-9);
    assert!(window.editor().unsaved().is_empty());
    window.command(Command::Undo);
    assert!((speed(&window, "fast_goblin") - 70.0).abs() < 1e-9);
}

#[test]
fn a_click_beside_the_question_is_no_answer_to_it() {
    let mut window = conflict();
    window.click_at(egui::pos2(20.0, 400.0));
    assert!(window.editor().dialog().is_some());
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().dialog().is_none(), "Escape is: later");
    // It is marked until it is decided, and the question is asked again from there.
    assert!(window.has("1 open conflict"));
    assert!(window.says("is postponed until"));
    window.click("1 open conflict");
    assert!(matches!(window.editor().dialog(), Some(Dialog::Conflict { .. })));
    window.click("All as on disk");
    assert!(!window.has("1 open conflict"));
    assert!(!window.says("is postponed until"), "there is nothing to ask any more");
}

#[test]
fn in_a_conflict_ours_can_be_kept_and_saved() {
    let mut window = conflict();
    window.click("All as here");
    assert!(window.editor().dialog().is_none());
    assert!((speed(&window, "fast_goblin") - 70.0).abs() < 1e-9);
    assert_eq!(window.editor().unsaved(), [doc(GOBLINS)]);
    window.command(Command::SaveAll);
    assert!(window.editor().unsaved().is_empty());
    assert!(window.editor().dialog().is_none(), "{:?}", window.editor().dialog());
    assert!(fs::read_to_string(window.file(GOBLINS)).unwrap().contains("Walker: (speed: 70.0)"));
}

#[test]
fn changes_in_different_places_merge_by_themselves() {
    let mut window = Window::sample();
    let before = fs::read_to_string(window.file(GOBLINS)).unwrap();
    set_speed(&mut window, "goblin", "61");
    window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: 120.0) /* theirs */");
    window.until("theirs is here", |window| (speed(window, "fast_goblin") - 120.0).abs() < 1e-9);
    window.settle();
    assert!(window.editor().dialog().is_none(), "{:?}", window.editor().dialog());
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9, "mine is still here");
    assert!(window.editor().notice().is_some_and(|it| it.contains("merged") && it.contains("speed")));
    assert_eq!(window.editor().unsaved(), [doc(GOBLINS)]);
    window.command(Command::SaveAll);
    let after = fs::read_to_string(window.file(GOBLINS)).unwrap();
    let theirs = before.replace("Walker: (speed: 95.0)", "Walker: (speed: 120.0) /* theirs */");
    let changed = changed_lines(&theirs, &after);
    assert_eq!(changed.len(), 1, "only mine is written into theirs: {changed:#?}");
    window.command(Command::Undo);
    assert!((speed(&window, "fast_goblin") - 95.0).abs() < 1e-9, "the merge is a step");
}

#[test]
fn a_file_that_is_back_is_not_asked_about() {
    let mut window = Window::sample();
    set_speed(&mut window, "fast_goblin", "70");
    let away = window.folder.path().join("goblins.away");
    fs::rename(window.file(GOBLINS), &away).unwrap();
    window.until("it asks", |window| matches!(window.editor().dialog(), Some(Dialog::Versions { .. })));
    fs::rename(&away, window.file(GOBLINS)).unwrap();
    window.until("it asks no more", |window| window.editor().dialog().is_none());
    window.settle();
    window.key(Modifiers::COMMAND, Key::S);
    assert!(window.editor().dialog().is_none(), "{:?}", window.editor().dialog());
    assert!(fs::read_to_string(window.file(GOBLINS)).unwrap().contains("Walker: (speed: 70.0)"));
}

#[test]
fn a_step_of_several_files_is_saved_whole_or_not_at_all() {
    let mut window = Window::sample();
    let set = |page: &str, name: &str, value: f64| {
        Edit::set_at(&doc(page), FieldPath::keys(["values", name, "value"]), &Value::from(value))
    };
    let (combat, physics) = ("tuning/combat.ron", "tuning/physics.ron");
    let edits = vec![set(combat, "player_damage", 9.0), set(physics, "gravity", 800.0)];
    window.act(Action::Edits { label: "Both".into(), edits });
    set_speed(&mut window, "goblin", "61");
    let read = |window: &Window, at: &str| fs::read_to_string(window.file(at)).unwrap();
    let before = read(&window, combat);
    let writable = fs::metadata(window.file(physics)).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    fs::set_permissions(window.file(physics), read_only).unwrap();
    window.command(Command::SaveAll);
    window.until("what can be saved is", |window| window.editor().unsaved().len() == 2);
    assert_eq!(read(&window, combat), before, "half a step is none");
    assert!(read(&window, GOBLINS).contains("61.0"), "another step does not wait");
    fs::set_permissions(window.file(physics), writable).unwrap();
    window.command(Command::SaveAll);
    assert!(window.editor().unsaved().is_empty());
    assert!(read(&window, combat).contains("value: 9.0") && read(&window, physics).contains("value: 800.0"));
}

#[test]
fn a_save_that_is_refused_says_that_no_file_was_changed() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    let mut permissions = fs::metadata(window.file(GOBLINS)).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(window.file(GOBLINS), permissions).unwrap();
    window.command(Command::Save);
    window.until("it is refused", |window| window.says("could not be written"));
    assert!(window.says("it or its folder is read-only; no file was changed"));
    // Longer than any notice of what went well.
    window.harness.run_steps(80);
    assert!(window.says("no file was changed"));
    window.command(Command::Undo);
    window.act(Action::Notice("Something else".into()));
    assert!(!window.says("no file was changed"));
}

#[test]
fn a_step_of_several_files_waits_while_one_of_them_has_an_open_question() {
    let mut window = Window::sample();
    let (from, to) = ("entities/from.ron", "entities/to.ron");
    let texts =
        ["{\n    \"crab\": (), // walks\n    \"eel\": (),\n}\n", "{\n    \"ray\": (set: (Health: (max: 1.0))),\n}\n"];
    fs::write(window.file(from), texts[0]).unwrap();
    fs::write(window.file(to), texts[1]).unwrap();
    window.until("they are here", |window| {
        let defs = &window.editor().resolution().defs;
        defs.contains_key("crab") && defs.contains_key("ray")
    });
    window.settle();
    let edits = vec![
        Edit::Remove { doc: doc(from), at: FieldPath::keys(["crab"]) },
        Edit::insert_at(&doc(to), FieldPath::keys(["crab"]), &EntityDef::default()),
    ];
    window.act(Action::Edits { label: "Move crab".into(), edits });
    // Another program removes the file that was changed here, and that is put off.
    fs::remove_file(window.file(to)).unwrap();
    window.until("it asks", |window| matches!(window.editor().dialog(), Some(Dialog::Versions { .. })));
    window.settle();
    window.key(Modifiers::NONE, Key::Escape);
    window.command(Command::SaveAll);
    window.settle();
    assert_eq!(fs::read_to_string(window.file(from)).unwrap(), texts[0], "half a step is none");
    assert!(matches!(window.editor().dialog(), Some(Dialog::Versions { .. })), "it is asked about again");
    window.act(Action::Dialog(DialogAnswer::TakeSide(doc(to), Side::Mine)));
    window.command(Command::SaveAll);
    window.until("both are saved", |window| window.editor().unsaved().is_empty());
    assert!(fs::read_to_string(window.file(to)).unwrap().contains("\"crab\": (), // walks"));
    assert!(!fs::read_to_string(window.file(from)).unwrap().contains("crab"));
}

#[test]
fn in_a_conflict_each_place_can_go_to_a_side() {
    let mut window = Window::sample();
    set_speed(&mut window, "fast_goblin", "70");
    set_speed(&mut window, "goblin", "61");
    window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: 120.0)");
    window.edit_outside(GOBLINS, "Walker: (speed: 55.0", "Walker: (speed: 57.0");
    window.until(
        "it asks",
        |window| matches!(window.editor().dialog(), Some(Dialog::Conflict { places, .. }) if places.len() == 2),
    );
    window.settle();
    window.click("Here: fast_goblin.set.Walker.speed");
    window.click("On disk: goblin.set.Walker.speed");
    window.click("Merge");
    assert!(window.editor().dialog().is_none());
    assert!((speed(&window, "fast_goblin") - 70.0).abs() < 1e-9);
    assert!((speed(&window, "goblin") - 57.0).abs() < 1e-9);
}

/// Ask the window to close as its frame's button does. Returns whether it refused.
fn close(window: &mut Window) -> bool {
    let viewport = window.harness.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    viewport.events.push(ViewportEvent::Close);
    window.harness.step();
    let refused = window.harness.output().viewport_output[&ViewportId::ROOT]
        .commands
        .iter()
        .any(|command| matches!(command, ViewportCommand::CancelClose));
    window.settle();
    refused
}

#[test]
fn closing_with_nothing_unsaved_just_closes() {
    let mut window = Window::sample();
    assert!(!close(&mut window));
    assert!(window.editor().dialog().is_none());
}

#[test]
fn closing_with_unsaved_work_asks() {
    let mut window = Window::sample();
    let before = fs::read(window.file(GOBLINS)).unwrap();
    set_speed(&mut window, "goblin", "61");
    assert!(close(&mut window), "it stays open");
    assert_eq!(window.editor().dialog(), Some(&Dialog::Unsaved(vec![doc(GOBLINS)])));
    assert!(window.says(GOBLINS));
    window.act(Action::Dialog(DialogAnswer::Cancel));
    assert!(!window.editor().is_closing());
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9);

    assert!(close(&mut window));
    window.click("Discard");
    assert!(window.editor().is_closing());
    assert_eq!(fs::read(window.file(GOBLINS)).unwrap(), before);
}

#[test]
fn discard_closes_when_the_projects_folder_is_gone() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    let root = window.file("");
    let away = root.with_extension("away");
    fs::rename(&root, &away).unwrap();
    window.key(Modifiers::COMMAND, Key::S);
    assert!(!root.exists(), "nothing is written where the project was");
    assert!(close(&mut window), "it asks");
    window.click("Discard");
    let is_closing = window.editor().is_closing();
    fs::rename(&away, &root).unwrap();
    assert!(is_closing);
}

#[test]
fn closing_can_save_first() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    window.command(Command::Quit);
    window.click_role(Role::Button, "Save and close");
    window.until("it closes", |window| window.editor().is_closing());
    assert!(fs::read_to_string(window.file(GOBLINS)).unwrap().contains("61.0"));
}

#[test]
fn revert_takes_back_to_the_file_and_can_be_undone() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    set_speed(&mut window, "goblin", "62");
    window.command(Command::Revert);
    assert!((speed(&window, "goblin") - 55.0).abs() < 1e-9);
    assert!(window.editor().unsaved().is_empty());
    window.command(Command::Undo);
    assert!((speed(&window, "goblin") - 62.0).abs() < 1e-9);
}

/// What is changed while another project is opened would be gone with this one, unasked.
#[test]
fn nothing_is_changed_while_another_project_is_opened() {
    let mut window = Window::sample();
    let ids = vec![window.level().1.entities().next().unwrap().1.clone()];
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids }));
    let root = window.folder.path().to_path_buf();
    for command in [Command::Delete, Command::Duplicate] {
        let before = window.editor().project().clone();
        window.app().send(Action::OpenProject(root.clone()));
        window.app().send(Action::Command(command));
        window.harness.step();
        // What the job has read comes with the next frame.
        assert!(window.editor().notice().unwrap().starts_with("Another project is being opened"), "{command:?}");
        assert_eq!(*window.editor().project(), before, "{command:?}");
        window.settle();
        let ids = vec![window.level().1.entities().next().unwrap().1.clone()];
        window.act(Action::Select(Selection::Things { doc: courtyard(), ids }));
    }
}

/// Nor undone: an undo would be an unsaved change, discarded without asking the user.
#[test]
fn nothing_is_undone_while_another_project_is_opened() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    window.command(Command::SaveAll);
    window.until("it is saved", |window| window.editor().unsaved().is_empty());
    let root = window.folder.path().to_path_buf();
    window.app().send(Action::OpenProject(root));
    window.app().send(Action::Command(Command::Undo));
    window.harness.step();
    assert!(window.editor().notice().unwrap().starts_with("Another project is being opened"));
    assert!(window.editor().unsaved().is_empty());
    window.settle();
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9);
}

/// A level in several files is shown at once and edited when all of it is read; a save writes what was painted on.
#[test]
fn a_large_level_is_read_while_it_is_shown_and_saved_by_regions() {
    let mut window = Window::changed([1280.0, 720.0], |root| {
        let level = "(size: (2000, 1200), tile_size: (16, 16), regions: true, layers: [Tiles(name: \"ground\", tileset: \"keep\")])\n";
        fs::write(root.join("levels/vast.ron"), level).unwrap();
        let project = root.join("project.ron");
        let text = fs::read_to_string(&project).unwrap().replace("start_level: \"courtyard\"", "start_level: \"vast\"");
        fs::write(project, text).unwrap();
        fs::create_dir(root.join("levels/vast.regions")).unwrap();
        for (x, y) in (0..4).flat_map(|x| (0..3).map(move |y| (x, y))) {
            let text = format!("(layers: {{ \"ground\": {{ ({}, {}): [\"1 2\"] }} }})\n", x * 16, y * 16);
            fs::write(root.join(format!("levels/vast.regions/{x}_{y}.ron")), text).unwrap();
        }
    });
    assert_eq!(window.level().1.layers[0].tiles().unwrap().tiles.n_chunks(), 12, "all regions are there");
    assert!(window.editor().unsaved().is_empty());
    let vast = doc("levels/vast.ron");
    let cells = vec![([600, 600], Tile::id_only(3))];
    window.act(Action::Edit(Edit::PaintTiles { doc: vast.clone(), layer: "ground".into(), cells }));
    assert_eq!(window.editor().unsaved(), [vast]);
    window.command(Command::SaveAll);
    window.until("it is saved", |window| window.editor().unsaved().is_empty());
    assert!(window.says("Saved levels/vast.ron"));
    assert!(fs::read_to_string(window.file("levels/vast.regions/1_1.ron")).unwrap().contains('3'));
    assert!(!fs::read_to_string(window.file("levels/vast.ron")).unwrap().contains("chunks"));
}

/// A window whose folder for records cannot be made, since a file is in its place.
fn without_records() -> Window {
    let mut window = Window::sample();
    let in_the_way = window.journals.path().join("in the way");
    fs::write(&in_the_way, "").unwrap();
    window.harness = Window::opened(window.folder.path(), &in_the_way, [1440.0, 900.0]);
    window.settle();
    window
}

/// Without a record an interruption would leave the files half changed, so the export reports it.
#[test]
fn an_export_without_a_record_says_so() {
    let mut window = without_records();
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_path_buf();
    window.app().send(Action::Export { out: folder, target: "json".into() });
    window.until("the export is made", |window| window.editor().notice().is_some_and(|it| it.starts_with("Exported")));
    let notice = window.editor().notice().unwrap();
    assert!(notice.contains("no record of this change could be kept"), "{notice}");
}

/// The same for a save of several files.
#[test]
fn a_save_without_a_record_says_so() {
    let mut window = without_records();
    let edits = [GOBLINS, "levels/courtyard.ron"].map(|at| window.file(at)).map(|at| fs::read_to_string(at).unwrap());
    let what = Named::new(NameKind::Def, "goblin");
    window.act(Action::Refactor(Request::Rename { what, to: "gnome".into() }));
    window.key(Modifiers::NONE, Key::Enter);
    window.until("the journal is reported", |window| {
        window.editor().notice().is_some_and(|notice| notice.contains("journal cannot be written"))
    });
    window.command(Command::SaveAll);
    window.until("it is saved", |window| window.editor().unsaved().is_empty());
    let notice = window.editor().notice().unwrap();
    assert!(notice.starts_with("Saved") && notice.contains("o record of this change could be kept"), "{notice}");
    for (at, before) in [GOBLINS, "levels/courtyard.ron"].iter().zip(edits) {
        assert_ne!(fs::read_to_string(window.file(at)).unwrap(), before, "{at}");
    }
}
