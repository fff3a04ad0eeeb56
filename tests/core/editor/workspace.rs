//! The workspace: each way to change the project, and what it leaves of history, revision and the marks of what is
//! saved.

use std::{collections::BTreeSet, fs, sync::Arc};

use levelwright::{
    edit::{Edit, Phase, Step, UndoError},
    editor::{Changed, Workspace},
    io,
    model::{DocPath, Document, EntitiesFile, Project, TuningOverlay, TuningSide, Value},
};
use proptest::prelude::*;

use super::{FILES, call, damage, is_same, opened, read, refused, speed};
use crate::{build::path, cases::cases};

/// The labels of the steps, those that are undone with a minus.
fn labels(workspace: &Workspace) -> Vec<String> {
    let label = |(is_done, step): (bool, &Step)| format!("{}{}", if is_done { "" } else { "-" }, step.label());
    workspace.history().steps().map(label).collect()
}

fn game_name(workspace: &Workspace) -> &str {
    &workspace.project().file().unwrap().name
}

fn tried(workspace: &Workspace) -> Option<f64> {
    workspace.project().tuning_overlay.values(TuningSide::B).get("Combat.damage").and_then(Value::as_f64)
}

/// The documents that are not the very ones that the files have; `opened` has all that there are files of.
/// What a drag that is under way did does not count.
fn other_than_files(workspace: &Workspace, opened: &Project) -> Vec<DocPath> {
    let project = workspace.before_drag();
    let known: BTreeSet<&DocPath> = project.documents.keys().chain(opened.documents.keys()).collect();
    let is_other = |at: &&DocPath| match (project.doc(at), workspace.saved_doc(at)) {
        (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
        (None, None) => false,
        (None, Some(_)) | (Some(_), None) => true,
    };
    known.into_iter().filter(is_other).cloned().collect()
}

#[test]
fn a_step_says_what_it_changed() {
    let mut it = opened();
    let (before, revision) = (it.project().clone(), it.revision());
    let changed = it.step(None, &[call("A")]).unwrap();
    assert!(is_same(&changed.before, &before));
    assert_eq!(changed.step, it.history().done().last().copied());
    assert!(changed.has_documents && !changed.has_overlay && !changed.is_passing);
    assert!(it.revision() > revision);
    assert_eq!(it.unsaved(), [path("project.ron")]);
    let revision = it.revision();
    let edit = damage(it.project(), 9.0);
    let changed = it.step(Some("Try 9"), &[edit]).unwrap();
    assert!(changed.step.is_some() && !changed.has_documents && changed.has_overlay);
    assert_eq!((it.revision(), it.unsaved().len()), (revision, 1), "values that are tried out are in no file");
    assert_eq!(labels(&it)[1], "Try 9");
    let changed = it.step(None, &[call("A")]).unwrap();
    assert!(changed.step.is_none() && !changed.has_documents && !changed.has_overlay);
    assert_eq!((it.revision(), it.history().n_done()), (revision, 2), "that it is already");
}

#[test]
fn a_refused_edit_changes_nothing() {
    let mut it = opened();
    let (before, revision) = (it.project().clone(), it.revision());
    it.step(None, &[call("A"), refused()]).unwrap_err();
    assert!(is_same(it.project(), &before));
    assert_eq!((it.revision(), it.history().n_done(), it.unsaved()), (revision, 0, vec![]));
    // In a drag, what it did before is taken back too.
    let (_, why) = it.drag("Drag", &[call("A")], Phase::Preview);
    assert!(why.is_none());
    let (changed, why) = it.drag("Drag", &[call("B"), refused()], Phase::Preview);
    assert!(why.is_some() && changed.has_documents && is_same(it.project(), &before));
    let (changed, why) = it.drag("Drag", &[refused()], Phase::Commit);
    assert!(why.is_some() && changed.step.is_none() && !changed.has_documents);
    assert!(is_same(it.project(), &before) && !it.is_dragging());
    assert_eq!(it.history().n_done(), 0);
}

#[test]
fn a_drag_is_one_step_however_long_it_took() {
    let mut it = opened();
    let before = it.project().clone();
    for x in [61.0, 62.0, 63.0] {
        let revision = it.revision();
        let (changed, why) = it.drag(&format!("To {x}"), &[speed(x)], Phase::Preview);
        assert!(why.is_none() && changed.is_passing && changed.has_documents && changed.step.is_none());
        assert!(it.is_dragging() && it.revision() > revision);
        assert!(is_same(it.before_drag(), &before), "its edits are made for this");
        assert_eq!((it.history().n_done(), it.unsaved()), (0, vec![]), "files are compared when it ends");
    }
    let (changed, _) = it.drag("To 64", &[speed(64.0)], Phase::Commit);
    assert!(is_same(&changed.before, &before) && !changed.is_passing);
    assert_eq!(changed.step, it.history().done().last().copied());
    assert_eq!(labels(&it), ["To 64"]);
    assert_eq!(it.unsaved(), [path("entities/goblins.ron")]);
    assert!(!it.is_dragging() && is_same(it.before_drag(), it.project()));
    let (label, changed) = it.undo(false, None).unwrap();
    assert_eq!(label, "To 64");
    assert!(changed.has_documents && is_same(it.project(), &before));
}

#[test]
fn a_drag_that_is_canceled_or_comes_back_is_no_step() {
    let mut it = opened();
    let before = it.project().clone();
    let ends: [(&[Edit], Phase); 3] = [(&[], Phase::Cancel), (&[speed(60.0)], Phase::Commit), (&[], Phase::Commit)];
    for (edits, end) in ends {
        it.drag("Drag", &[speed(61.0)], Phase::Preview).1.ok_or(()).unwrap_err();
        it.drag("Drag", &[speed(60.0)], Phase::Preview).1.ok_or(()).unwrap_err();
        let (changed, why) = it.drag("Drag", edits, end);
        assert!(why.is_none() && changed.step.is_none());
        assert!(is_same(it.project(), &before) && !it.is_dragging());
        assert_eq!((it.history().n_done(), it.unsaved()), (0, vec![]));
    }
    assert!(it.end_drag().is_none());
    let revision = it.revision();
    let (changed, _) = it.drag("Drag", &[], Phase::Commit);
    assert!(changed.step.is_none() && !changed.has_documents, "there was none");
    assert_eq!(it.revision(), revision);
}

#[test]
fn an_open_drag_becomes_a_step_before_anything_else() {
    let next: [(&str, fn(&mut Workspace)); 5] = [
        ("step", |it| drop(it.step(Some("step"), &[call("A")]).unwrap())),
        ("replace", |it| drop(it.replace("replace", vec![(path("levels/cave.ron"), None)]))),
        ("refused", |it| drop(it.step(None, &[refused()]).unwrap_err())),
        ("undo", |it| drop(it.undo(false, None).unwrap())),
        ("go to", |it| drop(it.go_to_step(1))),
    ];
    for (what, next) in next {
        let mut it = opened();
        let _ = it.drag("drag", &[speed(61.0)], Phase::Preview);
        next(&mut it);
        let expected: &[&str] = match what {
            "step" | "replace" => &["drag", what],
            "undo" => &["-drag"],
            _ => &["drag"],
        };
        assert_eq!(labels(&it), expected, "{what}");
        assert!(!it.is_dragging(), "{what}");
    }
    let mut it = opened();
    let before = it.project().clone();
    let _ = it.drag("drag", &[speed(61.0)], Phase::Preview);
    let changed = it.end_drag().unwrap();
    assert!(is_same(&changed.before, &before) && changed.has_documents && !changed.is_passing);
    assert_eq!(changed.step, it.history().done().last().copied());
}

#[test]
fn undo_goes_by_the_focused_document() {
    let mut it = opened();
    let opened = it.project().clone();
    for edit in [call("A"), speed(61.0), call("B")] {
        let _ = it.step(None, &[edit]).unwrap();
    }
    let last = it.project().clone();
    let (goblins, cave) = (path("entities/goblins.ron"), path("levels/cave.ron"));
    let (_, changed) = it.undo(false, Some(&goblins)).unwrap();
    assert!(is_same(&changed.before, &last) && changed.has_documents && changed.step.is_none());
    assert_eq!(it.unsaved(), [path("project.ron")]);
    // A document without steps means the newest of all.
    let _ = it.undo(false, Some(&cave)).unwrap();
    assert_eq!(game_name(&it), "A");
    let (label, _) = it.undo(true, Some(&goblins)).unwrap();
    assert!(label.contains("speed"), "{label}");
    let _ = it.undo(true, None).unwrap();
    assert!(is_same(it.project(), &last));
    assert_eq!(it.undo(true, None).unwrap_err(), UndoError::Nothing);
    for _ in 0..3 {
        let _ = it.undo(false, None).unwrap();
    }
    assert!(is_same(it.project(), &opened) && it.unsaved().is_empty());
    let revision = it.revision();
    assert_eq!(it.undo(false, None).unwrap_err(), UndoError::Nothing);
    assert_eq!(it.revision(), revision);
}

#[test]
fn any_moment_of_the_history_can_be_gone_to() {
    let mut it = opened();
    let mut moments = vec![it.project().clone()];
    for n in 1..=4 {
        let edit = if n % 2 == 0 { damage(it.project(), f64::from(n)) } else { call(&n.to_string()) };
        let _ = it.step(None, &[edit]).unwrap();
        moments.push(it.project().clone());
    }
    for n in [1, 4, 0, 3, 3] {
        let (was, before, revision) = (it.history().n_done(), it.project().clone(), it.revision());
        let (changed, stopped) = it.go_to_step(n);
        assert_eq!(stopped, None);
        assert!(is_same(&changed.before, &before) && is_same(it.project(), &moments[n]));
        assert_eq!((changed.has_documents, changed.has_overlay), (was != n, was != n));
        assert_eq!(it.revision() > revision, was != n);
    }
    assert_eq!(it.go_to_step(9).1, Some(UndoError::Nothing));
    assert!(is_same(it.project(), &moments[4]));
}

#[test]
fn what_files_say_is_put_in_place_as_one_step() {
    let mut it = opened();
    let before = it.project().clone();
    let (cave, imps) = (path("levels/cave.ron"), path("entities/imps.ron"));
    let file = Arc::new(Document::Entities(EntitiesFile::default()));
    let changed = it.replace("Reload", vec![(cave.clone(), None), (imps.clone(), Some(file.clone()))]);
    assert!(is_same(&changed.before, &before) && changed.step.is_some() && changed.has_documents);
    assert!(Arc::ptr_eq(it.project().doc(&imps).unwrap(), &file) && it.project().doc(&cave).is_none());
    assert_eq!(it.unsaved(), [imps.clone(), cave], "what its files have is for who read them to note");
    let revision = it.revision();
    let changed = it.replace("Reload", vec![(imps, Some(file))]);
    assert!(changed.step.is_none() && !changed.has_documents, "it is there already");
    assert_eq!((labels(&it), it.revision()), (vec!["Reload".to_owned()], revision));
    let _ = it.undo(false, None).unwrap();
    assert!(is_same(it.project(), &before));
}

#[test]
fn opening_another_project_leaves_nothing_of_the_old() {
    let mut it = opened();
    let _ = it.step(None, &[call("A")]).unwrap();
    let edit = damage(it.project(), 9.0);
    let _ = it.step(None, &[edit]).unwrap();
    let _ = it.undo(false, None).unwrap();
    let _ = it.drag("drag", &[speed(61.0)], Phase::Preview);
    let revision = it.revision();
    let mut overlay = TuningOverlay::default();
    overlay.values_mut(TuningSide::A).insert("Combat.range".into(), 1.0.into());
    it.open("other".into(), read(&FILES[..1]), overlay.clone());
    assert!(it.revision() > revision, "results for the other project differ by revision from those for this one");
    assert_eq!(it.root().unwrap().to_str(), Some("other"));
    assert!(!it.is_dragging() && it.end_drag().is_none());
    assert_eq!((game_name(&it), it.project().documents.len()), ("Game", 1));
    assert_eq!(*it.project().tuning_overlay, overlay);
    assert_eq!((it.history().steps().count(), it.unsaved()), (0, vec![]));
    assert_eq!(it.files().sources().files().len(), 1);
    assert_eq!(it.undo(true, None).unwrap_err(), UndoError::Nothing);
    assert_eq!(it.undo(false, None).unwrap_err(), UndoError::Nothing);
}

#[test]
fn what_is_written_is_saved_until_it_changes() {
    let dir = tempfile::tempdir().unwrap();
    for (at, text) in FILES {
        fs::create_dir_all(dir.path().join(at).parent().unwrap()).unwrap();
        fs::write(dir.path().join(at), text).unwrap();
    }
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), io::load(dir.path()), TuningOverlay::default());
    let at = path("project.ron");
    let _ = it.step(None, &[call("A")]).unwrap();
    let writing = it.save(&at, false).remove(0);
    let wrote = crate::save::run(writing);
    let _ = it.step(None, &[call("B")]).unwrap();
    let revision = it.revision();
    it.wrote(wrote).unwrap();
    assert!(it.revision() > revision, "what is saved is another");
    assert_eq!(it.unsaved(), std::slice::from_ref(&at), "it changed while it was written");
    assert!(fs::read_to_string(dir.path().join("project.ron")).unwrap().contains("\"A\""));
    let _ = it.undo(false, None).unwrap();
    assert_eq!(it.unsaved(), []);
    let _ = it.undo(false, None).unwrap();
    assert_eq!((game_name(&it), it.unsaved()), ("Game", vec![at]), "older than the file");
}

/// Something that edits do.
#[derive(Clone, Debug)]
enum Touch {
    Call(u8),
    Speed(u8),
    Try(u8),
    Refused,
}

impl Touch {
    fn edit(&self, project: &Project) -> Edit {
        match self {
            Self::Call(n) => call(&n.to_string()),
            Self::Speed(n) => speed(60.0 + f64::from(*n)),
            Self::Try(n) => damage(project, 8.0 + f64::from(*n)),
            Self::Refused => refused(),
        }
    }
}

/// Something that is done to a workspace.
#[derive(Clone, Debug)]
enum Act {
    Step(Vec<Touch>),
    Drag(Vec<Touch>, Phase),
    EndDrag,
    Undo { is_redo: bool, focus: Option<DocPath> },
    GoTo(usize),
    Replace(DocPath, bool),
}

fn some_touches() -> impl Strategy<Value = Vec<Touch>> {
    let touch = prop_oneof![
        3 => (0..3_u8).prop_map(Touch::Call),
        3 => (0..3_u8).prop_map(Touch::Speed),
        3 => (0..3_u8).prop_map(Touch::Try),
        1 => Just(Touch::Refused),
    ];
    prop::collection::vec(touch, 0..3)
}

fn some_doc() -> impl Strategy<Value = DocPath> {
    prop::sample::select(vec!["project.ron", "entities/goblins.ron", "tuning/combat.ron", "levels/cave.ron"])
        .prop_map(path)
}

fn some_act() -> impl Strategy<Value = Act> {
    let phase = prop::sample::select(vec![Phase::Preview, Phase::Preview, Phase::Commit, Phase::Cancel]);
    prop_oneof![
        4 => some_touches().prop_map(Act::Step),
        6 => (some_touches(), phase).prop_map(|(touches, phase)| Act::Drag(touches, phase)),
        1 => Just(Act::EndDrag),
        4 => (any::<bool>(), prop::option::of(some_doc())).prop_map(|(is_redo, focus)| Act::Undo { is_redo, focus }),
        1 => (0..6_usize).prop_map(Act::GoTo),
        1 => (some_doc(), any::<bool>()).prop_map(|(doc, is_there)| Act::Replace(doc, is_there)),
    ]
}

/// Do it, and check what it returns against the project before and after.
fn act(it: &mut Workspace, act: &Act) {
    let (was, before_drag) = (it.project().clone(), it.before_drag().clone());
    let was_dragging = it.is_dragging();
    let edits = |touches: &[Touch], project: &Project| -> Vec<Edit> {
        touches.iter().map(|touch| touch.edit(project)).collect()
    };
    let says = |it: &Workspace, changed: &Changed, before: &Project, since: &Project| {
        assert!(is_same(&changed.before, before));
        assert_eq!(changed.has_documents, !it.project().has_same_documents(since));
        assert_eq!(changed.has_overlay, !Arc::ptr_eq(&it.project().tuning_overlay, &since.tuning_overlay));
        assert!(changed.step.is_none() || changed.step == it.history().done().last().copied());
    };
    // What ends an open drag first returns both as one change.
    let says_whole = |it: &Workspace, changed: &Changed| {
        if !was_dragging {
            return says(it, changed, &was, &was);
        }
        assert!(is_same(&changed.before, &before_drag));
        assert!(changed.has_documents || it.project().has_same_documents(&before_drag));
        assert!(changed.has_overlay || Arc::ptr_eq(&it.project().tuning_overlay, &before_drag.tuning_overlay));
    };
    match act {
        Act::Step(touches) => {
            let is_refused = touches.iter().any(|touch| matches!(touch, Touch::Refused));
            match it.step(None, &edits(touches, &was)) {
                Ok(changed) => {
                    assert!(!is_refused);
                    says_whole(it, &changed);
                }
                // Others are refused where their document is gone.
                Err(_) => assert!(is_same(it.project(), &was)),
            }
        }
        Act::Drag(touches, phase) => {
            let (changed, why) = it.drag("Drag", &edits(touches, &before_drag), *phase);
            // If it ends without edits, its changes so far stay and are reported as a whole.
            let is_whole = *phase == Phase::Commit && touches.is_empty();
            let before = if *phase == Phase::Commit { &before_drag } else { &was };
            says(it, &changed, before, if is_whole { &before_drag } else { &was });
            assert_eq!(changed.is_passing, *phase != Phase::Commit);
            assert_eq!(it.is_dragging(), *phase == Phase::Preview);
            if *phase == Phase::Cancel || why.is_some() {
                assert!(is_same(it.project(), &before_drag) && changed.step.is_none());
            }
        }
        Act::EndDrag => {
            let changed = it.end_drag();
            changed.iter().for_each(|changed| says(it, changed, &before_drag, &before_drag));
            assert!(is_same(it.project(), &was));
        }
        Act::Undo { is_redo, focus } => match it.undo(*is_redo, focus.as_ref()) {
            Ok((_, changed)) => says_whole(it, &changed),
            Err(why) => assert!(why == UndoError::Nothing && is_same(it.project(), &was)),
        },
        Act::GoTo(n) => {
            let (changed, stopped) = it.go_to_step(*n);
            says_whole(it, &changed);
            assert_eq!(stopped.is_some(), it.history().n_done() != *n);
            assert!(stopped.is_none_or(|why| why == UndoError::Nothing));
        }
        Act::Replace(doc, is_there) => {
            let document = is_there.then(|| read(&FILES).project.doc(doc).unwrap().clone());
            let changed = it.replace("Reload", vec![(doc.clone(), document)]);
            says_whole(it, &changed);
        }
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn whatever_is_done_undoing_all_of_it_gives_the_very_same_back(acts in prop::collection::vec(some_act(), 0..24)) {
        let mut it = opened();
        let opened = it.project().clone();
        for one in &acts {
            let (was, revision) = (it.project().clone(), it.revision());
            act(&mut it, one);
            let is_same_revision = it.revision() == revision;
            prop_assert!(!is_same_revision || it.project().has_same_documents(&was), "{one:?}");
            prop_assert_eq!(it.unsaved(), other_than_files(&it, &opened), "{:?}", one);
        }
        it.end_drag();
        let (n, last) = (it.history().n_done(), it.project().clone());
        // Where an older step was taken back alone, no place among the steps is this state.
        let is_a_place = it.history().steps().take(n).all(|(is_done, _)| is_done);
        prop_assert_eq!(it.go_to_step(0).1, None);
        prop_assert!(is_same(it.project(), &opened));
        prop_assert_eq!(it.unsaved(), []);
        prop_assert_eq!(it.go_to_step(n).1, None);
        prop_assert!(!is_a_place || is_same(it.project(), &last));
        prop_assert!(!is_a_place || tried(&it).is_none_or(|value| value != 8.0), "the declared value is not tried out");
    }
}
