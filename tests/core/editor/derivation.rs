//! The derivation: what is derived is of one state of the project, one job at a time, and what did not change is kept.

use std::sync::Arc;

use levelwright::{
    edit::{Edit, RefKind, TypedRefs},
    editor::{Derivation, LocatedProblem, ReadImages},
    model::{DocPath, FieldPath, Finding, Location, Schema, Tile, TuningOverlay},
};

use super::{FILES, call, derivation, derive, opened, read, speed, yard};
use crate::build::path;

fn is_of(rule: &'static str) -> impl Fn(&&LocatedProblem) -> bool {
    move |it| *it.problem.finding.rule == *rule
}

fn problem<'d>(derived: &'d Derivation, rule: &'static str) -> Option<&'d LocatedProblem> {
    derived.problems().iter().find(is_of(rule))
}

/// What of the problem about `player` is listed and indexed.
fn n_about_player(derived: &Derivation) -> [usize; 2] {
    let (at, inside) = (path("entities/player.ron"), FieldPath::keys(["player", "set", "Nothing"]));
    let listed = derived.problems().iter().filter(is_of("unknown-component")).count();
    [listed, derived.problems_at(&at, &inside).count()]
}

#[test]
fn all_is_derived_once_and_again_when_something_changed() {
    let (mut workspace, mut derived) = (opened(), derivation());
    let level = yard();
    assert!(!derived.is_current(&workspace, Some(&level)));
    assert!(derive(&mut derived, &workspace, Some(&level)));
    assert!(derived.is_current(&workspace, Some(&level)));
    assert!(derived.project().has_same_documents(workspace.project()));
    assert_eq!(derived.resolution().defs["chief"].f64("Walker", "speed"), Some(60.0));
    assert_eq!(derived.census().placed("goblin").collect::<Vec<_>>(), [(&level, 1)]);
    assert_eq!(n_about_player(&derived), [1, 1]);
    let odd = problem(&derived, "unknown-component").unwrap();
    assert_eq!((odd.line, &odd.problem.finding.location.doc), (1, &path("entities/player.ron")));
    assert!(!derive(&mut derived, &workspace, Some(&level)), "nothing changed");

    let _ = workspace.step(None, &[speed(70.0)]).unwrap();
    assert!(!derived.is_current(&workspace, Some(&level)));
    assert_eq!(derived.resolution().defs["chief"].f64("Walker", "speed"), Some(60.0), "the last result stays");
    assert!(derive(&mut derived, &workspace, Some(&level)));
    assert_eq!(derived.resolution().defs["chief"].f64("Walker", "speed"), Some(70.0));
    // Images count too, and so does the level shown.
    derived.take_images(ReadImages::new());
    assert!(derive(&mut derived, &workspace, Some(&level)));
    assert!(derive(&mut derived, &workspace, None));
    assert!(!derive(&mut derived, &workspace, None));
}

#[test]
fn one_job_runs_at_a_time_and_what_changes_meanwhile_comes_next() {
    let (mut workspace, mut derived) = (opened(), derivation());
    let job = derived.start(&workspace, None).unwrap();
    assert!(derived.start(&workspace, None).is_none());
    let _ = workspace.step(None, &[call("A")]).unwrap();
    assert!(derived.start(&workspace, None).is_none());
    derived.take(job.run());
    assert_eq!(derived.project().file().unwrap().name, "Game");
    assert!(!derived.is_current(&workspace, None));
    assert!(derive(&mut derived, &workspace, None));
    assert_eq!(derived.project().file().unwrap().name, "A");
    assert!(derived.is_current(&workspace, None));
}

#[test]
fn what_did_not_change_keeps_its_pointers() {
    let (mut workspace, mut derived) = (opened(), derivation());
    derive(&mut derived, &workspace, Some(&yard()));
    let before = derived.resolution().clone();
    let odd = problem(&derived, "unknown-component").unwrap().problem.clone();
    let grid = derived.geometry(&yard()).unwrap().grid.clone();
    let _ = workspace.step(None, &[speed(70.0)]).unwrap();
    assert!(derive(&mut derived, &workspace, Some(&yard())));
    let now = derived.resolution();
    assert!(Arc::ptr_eq(&before.defs["player"], &now.defs["player"]));
    for changed in ["goblin", "chief"] {
        assert!(!Arc::ptr_eq(&before.defs[changed], &now.defs[changed]), "{changed}");
    }
    assert!(Arc::ptr_eq(&problem(&derived, "unknown-component").unwrap().problem, &odd));
    assert!(Arc::ptr_eq(&derived.geometry(&yard()).unwrap().grid, &grid));
}

#[test]
fn geometry_follows_what_is_painted_and_stays_where_nothing_solid_changed() {
    let (mut workspace, mut derived) = (opened(), derivation());
    derive(&mut derived, &workspace, Some(&yard()));
    let grid = derived.geometry(&yard()).unwrap().grid.clone();
    let moved = Edit::MoveThings { doc: yard(), ids: vec!["g1".into()], by: [4.0, 0.0] };
    let _ = workspace.step(None, &[moved]).unwrap();
    derive(&mut derived, &workspace, Some(&yard()));
    assert!(Arc::ptr_eq(&derived.geometry(&yard()).unwrap().grid, &grid), "an entity is not solid ground");
    let cells = vec![([3, 4], Tile::id_only(1)), ([0, 10], Tile::EMPTY)];
    let _ = workspace.step(None, &[Edit::PaintTiles { doc: yard(), layer: "ground".into(), cells }]).unwrap();
    derive(&mut derived, &workspace, Some(&yard()));
    let mut fresh = derivation();
    derive(&mut fresh, &workspace, Some(&yard()));
    let of = |derived: &Derivation, cell| derived.geometry(&yard()).unwrap().grid.cell(cell).full;
    for cell in [[3, 4], [0, 10], [1, 10], [5, 5]] {
        assert_eq!(of(&derived, cell), of(&fresh, cell), "{cell:?}");
    }
    assert!(of(&derived, [3, 4]) && !of(&derived, [0, 10]) && grid.cell([0, 10]).full);
}

#[test]
fn problems_are_ignored_until_they_are_listed_again() {
    let (mut workspace, mut derived) = (opened(), derivation());
    derive(&mut derived, &workspace, None);
    let (n, finding) =
        (derived.problems().len(), problem(&derived, "unknown-component").unwrap().problem.finding.clone());
    derived.ignore(&finding);
    assert_eq!((derived.problems().len(), derived.n_ignored()), (n - 1, 1));
    assert_eq!(n_about_player(&derived), [0, 0]);
    let _ = workspace.step(None, &[speed(70.0)]).unwrap();
    assert!(derive(&mut derived, &workspace, None));
    assert_eq!((n_about_player(&derived), derived.n_ignored()), ([0, 0], 1), "also of what is derived next");
    derived.ignore_none();
    assert_eq!((n_about_player(&derived), derived.n_ignored()), ([1, 1], 0));
}

#[test]
fn geometry_is_of_the_level_shown() {
    let (mut workspace, mut derived) = (opened(), derivation());
    let cave = path("levels/cave.ron");
    derive(&mut derived, &workspace, None);
    assert!(derived.geometry(&yard()).is_none());
    derive(&mut derived, &workspace, Some(&yard()));
    let geometry = derived.geometry(&yard()).unwrap();
    assert_eq!(geometry.links["patrol"].len(), 1, "the two waypoints see each other");
    assert!(derived.geometry(&cave).is_none());
    derive(&mut derived, &workspace, Some(&cave));
    assert!(derived.geometry(&cave).is_some() && derived.geometry(&yard()).is_none());
    // A file that moves takes its document along as it is.
    let (den, typed) = (path("levels/den.ron"), TypedRefs::of(&Schema::default(), RefKind::Level));
    let _ = workspace.step(None, &[Edit::MoveDocument { doc: cave, to: den.clone(), typed }]).unwrap();
    derive(&mut derived, &workspace, Some(&den));
    assert_eq!(derived.geometry(&den).unwrap().level, den);
    // A level that is gone has none.
    let _ = workspace.step(None, &[Edit::PutDocument { doc: den.clone(), document: None }]).unwrap();
    derive(&mut derived, &workspace, Some(&yard()));
    assert!(derived.geometry(&yard()).is_some() && derived.geometry(&den).is_none());
}

#[test]
fn a_job_that_failed_is_not_tried_again_before_a_change() {
    let (mut workspace, mut derived) = (opened(), derivation());
    drop(derived.start(&workspace, None).unwrap());
    derived.failed();
    assert!(derived.start(&workspace, None).is_none());
    let _ = workspace.step(None, &[call("A")]).unwrap();
    drop(derived.start(&workspace, None).unwrap());
    // A change while it ran may have mended what it failed of.
    let _ = workspace.step(None, &[call("B")]).unwrap();
    derived.failed();
    assert!(derive(&mut derived, &workspace, None));
    assert_eq!(derived.project().file().unwrap().name, "B");
}

#[test]
fn memos_are_kept_until_something_is_derived_anew() {
    let (mut workspace, mut derived) = (opened(), derivation());
    let memo = |derived: &Derivation, value: i32| *derived.memos().get("key", || value);
    derive(&mut derived, &workspace, None);
    assert_eq!(memo(&derived, 1), 1);
    assert_eq!(memo(&derived, 2), 1);
    let _ = workspace.step(None, &[call("A")]).unwrap();
    let job = derived.start(&workspace, None).unwrap();
    assert_eq!(memo(&derived, 3), 1);
    derived.take(job.run());
    assert_eq!(memo(&derived, 4), 4);
    let finding = problem(&derived, "unknown-component").unwrap().problem.finding.clone();
    derived.ignore(&finding);
    assert_eq!(memo(&derived, 5), 5, "what is listed is derived, too");
    derived.ignore_none();
    assert_eq!(memo(&derived, 6), 6);
}

/// Declare `coins` in place of `gold`.
fn rename_gold() -> Edit {
    let (at, text) = FILES[7];
    let coins = read(&[(at, &text.replace("gold", "coins"))]).project;
    Edit::put_document(path(at), coins.doc(&path(at)).unwrap().clone())
}

/// The first fix of the problem that a field is declared no more.
fn first_fix(derived: &Derivation) -> Option<&str> {
    problem(derived, "unknown-field")?.problem.fixes.first().map(|fix| fix.label.as_str())
}

#[test]
fn names_that_vanish_are_remembered_as_long_as_the_project_is_open() {
    let (mut workspace, mut derived) = (opened(), derivation());
    derive(&mut derived, &workspace, None);
    assert!(problem(&derived, "unknown-field").is_none());
    let _ = workspace.step(None, &[rename_gold()]).unwrap();
    derive(&mut derived, &workspace, None);
    assert_eq!(first_fix(&derived), Some("Rename Loot.gold to coins in 1 place"));
    let _ = workspace.step(None, &[call("A")]).unwrap();
    derive(&mut derived, &workspace, None);
    assert_eq!(first_fix(&derived), Some("Rename Loot.gold to coins in 1 place"), "also after the next edit");
    derived.open(ReadImages::new(), Vec::new());
    derive(&mut derived, &workspace, None);
    assert_ne!(first_fix(&derived), Some("Rename Loot.gold to coins in 1 place"));
}

#[test]
fn opening_another_project_leaves_nothing_of_the_old() {
    let (mut workspace, mut derived) = (opened(), derivation());
    derive(&mut derived, &workspace, Some(&yard()));
    let finding = problem(&derived, "unknown-component").unwrap().problem.finding.clone();
    derived.ignore(&finding);
    let _ = workspace.step(None, &[call("A")]).unwrap();
    let old = derived.start(&workspace, Some(&yard())).unwrap();
    let of_folder = Finding::error("unreadable", Location::new(path("levels/odd.ron"), FieldPath::root()), "odd");
    workspace.open("other".into(), read(&FILES), TuningOverlay::default());
    derived.open(ReadImages::new(), vec![of_folder]);
    assert!(derived.project().documents.is_empty() && derived.problems().is_empty());
    assert!(derived.resolution().defs.is_empty() && derived.geometry(&yard()).is_none());
    let job = derived.start(&workspace, Some(&yard())).unwrap();
    derived.take(old.run());
    assert!(derived.project().documents.is_empty(), "a result for the old project is dropped");
    derived.take(job.run());
    assert_eq!(derived.project().file().unwrap().name, "Game");
    assert_eq!((n_about_player(&derived), derived.n_ignored()), ([1, 1], 0));
    let at: Vec<&DocPath> = derived.problems().iter().map(|it| &it.problem.finding.location.doc).collect();
    assert!(at.contains(&&path("levels/odd.ron")), "{at:?}");
    assert!(derived.builtin().schema.components.contains_key("Walker"));
}
