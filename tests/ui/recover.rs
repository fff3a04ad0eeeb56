//! What was not saved when the program ended, offered at the next start.

use std::{fs, path::PathBuf};

use egui::{Key, Modifiers};
use levelwright::{
    edit::{Edit, Phase},
    editor::{Action, Command, Dialog, Lost},
    model::{FieldPath, Value},
};

use crate::window::{GOBLINS, Window, doc, set_speed, speed};

/// The journals there are, of any project.
fn journals(window: &Window) -> Vec<PathBuf> {
    let folders = fs::read_dir(window.journals.path()).into_iter().flatten().flatten();
    folders.flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten()).map(|it| it.path()).collect()
}

fn says_in_journal(window: &Window, text: &str) -> bool {
    journals(window).iter().any(|at| fs::read_to_string(at).is_ok_and(|said| said.contains(text)))
}

/// A window that ended with a change that was not saved, and the next one.
fn killed(meanwhile: impl FnOnce(&Window)) -> Window {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    window.until_written("it is in the journal", |window| says_in_journal(window, "61"));
    meanwhile(&window);
    window.again()
}

fn recovered(window: &Window) -> Vec<(String, Lost)> {
    match window.editor().dialog() {
        Some(Dialog::Recovered { docs, .. }) => docs.iter().map(|(doc, lost)| (doc.to_string(), *lost)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_not_saved_is_restored_as_a_step() {
    let mut window = killed(|_| {});
    assert_eq!(recovered(&window), [(GOBLINS.to_owned(), Lost::Changed)]);
    assert!(window.says("Recovered a changed file") && window.says(GOBLINS) && window.says("just now"));
    assert!((speed(&window, "goblin") - 55.0).abs() < 1e-9, "nothing is done before it is asked for");
    window.click("Restore");
    assert!(window.editor().dialog().is_none());
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9);
    assert_eq!(window.editor().unsaved(), [doc(GOBLINS)]);
    window.until_written("the old journal is gone, the new one says it", |window| {
        journals(window).len() == 1 && says_in_journal(window, "61")
    });
    window.command(Command::Undo);
    assert!((speed(&window, "goblin") - 55.0).abs() < 1e-9);
    assert!(window.editor().unsaved().is_empty(), "undone, it is as its file is");
    window.command(Command::Redo);
    let before = fs::read_to_string(window.file(GOBLINS)).unwrap();
    window.key(Modifiers::COMMAND, Key::S);
    let after = fs::read_to_string(window.file(GOBLINS)).unwrap();
    assert_eq!(after, before.replacen("55.0", "61.0", 1), "comments and all");
    window.until_written("there is nothing to keep", |window| journals(window).is_empty());
    let window = window.again();
    assert!(window.editor().dialog().is_none());
}

#[test]
fn what_was_restored_is_kept_when_that_ends_too() {
    let mut window = killed(|_| {});
    window.click("Restore");
    window.until_written("the new journal has it", |window| journals(window).len() == 1);
    let mut window = window.again();
    window.click("Restore");
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9);
}

#[test]
fn what_is_discarded_is_not_offered_again() {
    let mut window = killed(|_| {});
    window.click("Discard");
    assert!(window.editor().dialog().is_none());
    assert!((speed(&window, "goblin") - 55.0).abs() < 1e-9);
    assert!(journals(&window).is_empty());
    let window = window.again();
    assert!(window.editor().dialog().is_none());
}

#[test]
fn later_is_the_next_time() {
    let mut window = killed(|_| {});
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().dialog().is_none());
    let window = window.again();
    assert_eq!(recovered(&window), [(GOBLINS.to_owned(), Lost::Changed)]);
}

#[test]
fn a_file_that_changed_since_is_merged_with_what_was_not_saved() {
    let mut window = killed(|window| window.edit_outside(GOBLINS, "Walker: (speed: 95.0)", "Walker: (speed: 120.0)"));
    assert_eq!(recovered(&window), [(GOBLINS.to_owned(), Lost::ChangedThere)]);
    window.click("Restore");
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9, "mine");
    assert!((speed(&window, "fast_goblin") - 120.0).abs() < 1e-9, "theirs");
    assert!(window.editor().notice().is_some_and(|notice| notice.contains("merged")));
    window.command(Command::Undo);
    assert!((speed(&window, "goblin") - 55.0).abs() < 1e-9, "it is one step");
    assert!((speed(&window, "fast_goblin") - 120.0).abs() < 1e-9);
    assert!(window.editor().unsaved().is_empty());
}

#[test]
fn what_both_changed_is_asked_about() {
    let mut window = killed(|window| window.edit_outside(GOBLINS, "Walker: (speed: 55.0", "Walker: (speed: 57.0"));
    window.click("Restore");
    assert!(matches!(window.editor().dialog(), Some(Dialog::Conflict { places, .. }) if places.len() == 1));
    assert!((speed(&window, "goblin") - 61.0).abs() < 1e-9);
    window.click("All as on disk");
    assert!((speed(&window, "goblin") - 57.0).abs() < 1e-9);
    assert!(window.editor().unsaved().is_empty());
}

#[test]
fn what_was_saved_or_given_up_is_not_offered() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    window.until_written("it is in the journal", |window| says_in_journal(window, "61"));
    window.command(Command::Quit);
    window.click("Discard");
    assert!(window.editor().is_closing());
    assert!(journals(&window).is_empty(), "given up is given up");
    let window = window.again();
    assert!(window.editor().dialog().is_none());
}

#[test]
fn a_second_window_leaves_the_journal_of_the_first_alone() {
    let mut window = Window::sample();
    set_speed(&mut window, "goblin", "61");
    window.until_written("it is in the journal", |window| says_in_journal(window, "61"));
    let second = Window::opened(window.folder.path(), window.journals.path(), [1440.0, 900.0]);
    let mut second =
        Window { harness: second, folder: tempfile::tempdir().unwrap(), journals: tempfile::tempdir().unwrap() };
    second.settle();
    assert!(second.editor().dialog().is_none(), "the first one lives");
    drop(second);
    let window = window.again();
    assert_eq!(recovered(&window), [(GOBLINS.to_owned(), Lost::Changed)]);
}

#[test]
fn a_drag_is_kept_when_it_is_done() {
    let mut window = Window::sample();
    let drag = |secs: f64, phase: Phase| {
        let edit = Edit::set_at(
            &doc("tuning/combat.ron"),
            FieldPath::keys(["values", "hurt_secs", "value"]),
            &Value::from(secs),
        );
        Action::Gesture { label: "Pull".into(), edits: vec![edit], phase }
    };
    window.act(drag(1.25, Phase::Preview));
    assert!(window.editor().to_keep().is_empty(), "it could be taken back");
    window.act(drag(1.5, Phase::Commit));
    assert_eq!(window.editor().to_keep().len(), 1);
    assert_eq!(window.editor().history().n_done(), 1);
    window.until_written("it is in the journal", |window| says_in_journal(window, "combat.ron"));
}

#[test]
fn a_folder_that_cannot_be_written_to_is_reported_once_and_nothing_else_happens() {
    let mut window = Window::sample();
    let in_the_way = window.journals.path().join("in the way");
    fs::write(&in_the_way, "").unwrap();
    window.harness = Window::opened(window.folder.path(), &in_the_way, [1440.0, 900.0]);
    window.settle();
    set_speed(&mut window, "goblin", "61");
    window.until("it says so", |window| {
        window.editor().notice().is_some_and(|notice| notice.contains("journal cannot be written"))
    });
    set_speed(&mut window, "goblin", "62");
    window.key(Modifiers::COMMAND, Key::S);
    let is_reported = window.editor().notice().is_some_and(|notice| notice.contains("journal"));
    assert!(!is_reported, "it is not reported again");
    assert!(fs::read_to_string(window.file(GOBLINS)).unwrap().contains("62.0"));
}
