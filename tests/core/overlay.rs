//! Values being tried: never in the project but by keeping them, never lost but by dropping them.

use std::path::Path;

use levelwright::{
    edit::{
        Edit, History, RefKind, Side, StepId, TuningOverlay, TuningOverlays, TypedRefs, UndoError, ValueSet, apply_all,
        declared_constant, go_to, keep, may_be, next_moment, timeline,
    },
    io::{self, Loaded},
    model::{Builtin, DocPath, Document, FieldPath, Name, Project, Tunable, Value},
};
use proptest::prelude::*;

use crate::cases::cases;

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

fn sample() -> Loaded {
    io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data"))
}

fn values(of: &[(&str, f64)]) -> ValueSet {
    of.iter().map(|(name, x)| (Name::from(*name), Value::Float(*x))).collect()
}

/// The lines of a file that keeping made others, after and before.
fn changed_lines(loaded: &Loaded, project: &Project, path: &str) -> Vec<(String, String)> {
    let path = DocPath::new(path).unwrap();
    let source = loaded.sources.get(&path).unwrap();
    let text = io::text_of(project.doc(&path).unwrap(), Some(source));
    let pairs = text.lines().zip(source.text.lines());
    assert_eq!(text.lines().count(), source.text.lines().count());
    pairs.filter(|(new, old)| new != old).map(|(new, old)| (new.trim().to_owned(), old.trim().to_owned())).collect()
}

#[test]
fn keeping_changes_the_number_and_no_other_character() {
    let loaded = sample();
    let mut project = loaded.project.clone();
    let tried = values(&[("Combat.player_damage", 12.5), ("Combat.hurt_secs", 0.6), ("Camera.smooth_time", 0.5)]);
    let edits = keep(&project, &builtin(), &tried);
    assert_eq!(edits.len(), 2, "what the file says already is not written again: {edits:?}");
    apply_all(&mut project, &edits).unwrap();
    let [(new, old)] = &changed_lines(&loaded, &project, "tuning/combat.ron")[..] else { panic!("one line") };
    assert_eq!(*new, old.replace("value: 8.0", "value: 12.5"));
    let camera = changed_lines(&loaded, &project, "tuning/camera.ron");
    assert_eq!(camera, [("value: 0.5,".to_owned(), "value: 0.35,".to_owned())]);
}

#[test]
fn a_built_in_constant_is_kept_as_its_value_alone() {
    let loaded = sample();
    let mut project = loaded.project.clone();
    // One in the page's file, two in a file that is not there yet, one that is nowhere, one as it is by default.
    let tried = values(&[
        ("Camera.max_speed", 900.0),
        ("Steering.jump_ahead", 30.0),
        ("Steering.arrive_distance", 9.0),
        ("Navigation.weight", 1.0),
        ("Gone.x", 1.0),
    ]);
    let edits = keep(&project, &builtin(), &tried);
    assert_eq!(edits.len(), 2, "{edits:?}");
    apply_all(&mut project, &edits).unwrap();
    let steering = project.tuning(&DocPath::new("tuning/steering.ron").unwrap()).unwrap();
    assert_eq!(steering.values["jump_ahead"], Tunable::of(30.0));
    assert_eq!(steering.values.len(), 2);
    assert_eq!(declared_constant(&project, "Camera.max_speed").unwrap().1, &Tunable::of(900.0));
    assert!(keep(&project, &builtin(), &tried).is_empty(), "all of it is said now");
}

#[test]
fn a_new_page_does_not_take_another_files_place() {
    let loaded = sample();
    let mut project = loaded.project.clone();
    let taken = DocPath::new("tuning/steering.ron").unwrap();
    let page = levelwright::model::TuningPage { page: "Other".into(), ..Default::default() };
    project.documents.insert(taken, Document::Tuning(page).into());
    let edits = keep(&project, &builtin(), &values(&[("Steering.jump_ahead", 30.0)]));
    let Edit::PutDocument { doc, .. } = &edits[0] else { panic!("{edits:?}") };
    assert_eq!(doc.as_str(), "tuning/Steering_2.ron".to_lowercase());
    apply_all(&mut project, &edits).unwrap();
}

#[test]
fn a_value_that_a_constant_cannot_have_is_not_tried() {
    let spec = Tunable { min: Some(0.0), max: Some(2.0), unit: Some("s".into()), ..Tunable::of(0.3) };
    let refusal = |value: Value| may_be("Camera.smooth_time", &spec, &value).unwrap_err().to_string();
    assert_eq!(refusal(2.5.into()), "the largest `Camera.smooth_time` is 2.0 s".replace("2.0", "2"));
    assert!(refusal("slow".into()).contains("is a number, not a string"));
    assert!(may_be("x", &spec, &Value::Float(f64::NAN)).is_err());
    assert!(may_be("x", &spec, &Value::Int(2)).is_ok());
}

#[test]
fn two_sets_are_compared_copied_and_swapped() {
    let mut overlay = TuningOverlay::default();
    assert_eq!(overlay.active(), Side::B, "what is turned at first is B; A is what the files say");
    overlay.set("P.x".into(), 1.0.into());
    overlay.activate(Side::A);
    assert_eq!(overlay.value("P.x"), None, "A is the files");
    overlay.set("P.y".into(), 2.0.into());
    assert_eq!(overlay.names().map(|name| &**name).collect::<Vec<_>>(), ["P.x", "P.y"]);
    overlay.call(Side::A, " snappy ");
    overlay.swap();
    assert_eq!((overlay.active(), overlay.title(Side::B), overlay.title(Side::A)), (Side::B, "snappy", ""));
    assert_eq!(overlay.value("P.y"), Some(&2.0.into()), "the same is heard, under the other letter");
    overlay.copy(Side::B);
    assert_eq!(overlay.set_of(Side::A), overlay.set_of(Side::B));
    assert!(overlay.drop_value(Side::A, "P.y") && !overlay.drop_value(Side::A, "P.y"));
    overlay.renamed(|name| (name == "P.y").then(|| "P.z".into()));
    assert_eq!(overlay.value("P.z"), Some(&2.0.into()));
    overlay.load(Side::A, "soft", values(&[("P.x", 7.0)]));
    assert_eq!((overlay.title(Side::A), overlay.set_of(Side::A).len()), ("soft", 1));
}

fn damage(overlays: &TuningOverlays) -> Option<f64> {
    overlays.now().value("Combat.player_damage").and_then(Value::as_f64)
}

fn try_damage(overlays: &mut TuningOverlays, value: f64) {
    overlays.change("Try", |it| it.set("Combat.player_damage".into(), value.into()));
}

/// Keep what is tried: a step of history, and no longer tried.
fn keep_all(project: &mut Project, history: &mut History, overlays: &mut TuningOverlays) -> StepId {
    let edits = keep(project, &builtin(), overlays.now().set_of(Side::B));
    let step = history.make(project, &edits).unwrap().unwrap();
    overlays.step_made(step);
    overlays.change_with_step(step, "Keep", |it| it.clear(Side::B));
    step
}

/// An edit of another file.
fn rename_project(project: &mut Project, history: &mut History, overlays: &mut TuningOverlays, name: &str) -> StepId {
    let edit = Edit::set_at(&DocPath::new("project.ron").unwrap(), FieldPath::keys(["name"]), &name.to_owned());
    let step = history.make(project, &[edit]).unwrap().unwrap();
    overlays.step_made(step);
    step
}

#[test]
fn undo_takes_trying_and_editing_back_in_the_order_they_came() {
    let loaded = sample();
    let (mut project, mut history, mut overlays) =
        (loaded.project.clone(), History::default(), TuningOverlays::default());
    for value in [9.0, 10.0, 11.0] {
        overlays.drag("Try", |it| it.set("Combat.player_damage".into(), value.into()));
    }
    overlays.end();
    let edit = Edit::set_at(
        &DocPath::new("tuning/combat.ron").unwrap(),
        FieldPath::keys(["values", "hurt_secs", "value"]),
        &Value::from(1.0),
    );
    overlays.step_made(history.make(&mut project, &[edit]).unwrap().unwrap());
    try_damage(&mut overlays, 20.0);
    keep_all(&mut project, &mut history, &mut overlays);
    assert_eq!((damage(&overlays), history.n_done()), (None, 2));

    assert_eq!(overlays.undo(), None, "the step is newer");
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!((damage(&overlays), history.n_done()), (Some(20.0), 1), "not kept and tried again, at once");
    assert_eq!(overlays.undo().as_deref(), Some("Try"));
    assert_eq!(damage(&overlays), Some(11.0));
    assert_eq!(overlays.undo(), None, "the edit came before");
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(overlays.undo().as_deref(), Some("Try"), "a drag is one");
    assert_eq!(damage(&overlays), None);
    assert!(overlays.undo().is_none());

    assert!(overlays.redo().is_some());
    assert_eq!(damage(&overlays), Some(11.0));
    assert_eq!(overlays.redo(), None, "the edit comes next");
    overlays.step_redone(history.redo(&mut project, None).unwrap().id());
    assert!(overlays.redo().is_some());
    assert_eq!(damage(&overlays), Some(20.0));
    assert_eq!(overlays.redo(), None);
    overlays.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(damage(&overlays), None, "kept again");
    assert_eq!(declared_constant(&project, "Combat.player_damage").unwrap().1.value, 20.0.into());
}

#[test]
fn another_files_step_taken_back_first_leaves_what_was_kept() {
    let loaded = sample();
    let (mut project, mut history, mut overlays) =
        (loaded.project.clone(), History::default(), TuningOverlays::default());
    let elsewhere = DocPath::new("project.ron").unwrap();
    rename_project(&mut project, &mut history, &mut overlays, "other");
    try_damage(&mut overlays, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut overlays);

    overlays.step_undone(history.undo(&mut project, Some(&elsewhere)).unwrap().id());
    assert_eq!(damage(&overlays), None, "it is kept still");
    let undone = history.undo(&mut project, None).unwrap().id();
    assert_eq!(undone, kept);
    overlays.step_undone(undone);
    assert_eq!(damage(&overlays), Some(20.0), "not kept, and tried again");
    // Done again in the other order, and once more.
    overlays.step_redone(history.redo(&mut project, Some(&elsewhere)).unwrap().id());
    assert_eq!(damage(&overlays), Some(20.0));
    overlays.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(damage(&overlays), None);
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&overlays), Some(20.0));
    assert_eq!(overlays.undo(), None, "the other step came later than the value was tried");
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(overlays.undo().as_deref(), Some("Try"));
}

#[test]
fn steps_that_are_forgotten_do_not_count() {
    let loaded = sample();
    // Room for no more than the newest step.
    let (mut project, mut history, mut overlays) = (loaded.project.clone(), History::new(1), TuningOverlays::default());
    for name in ["one", "two", "three"] {
        rename_project(&mut project, &mut history, &mut overlays, name);
    }
    try_damage(&mut overlays, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut overlays);
    assert_eq!(history.done(), [kept]);
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&overlays), Some(20.0));
    assert_eq!(overlays.undo().as_deref(), Some("Try"));
    assert_eq!(damage(&overlays), None);
}

#[test]
fn what_was_kept_comes_back_under_what_was_tried_since() {
    let loaded = sample();
    let (mut project, mut history, mut overlays) =
        (loaded.project.clone(), History::default(), TuningOverlays::default());
    try_damage(&mut overlays, 20.0);
    keep_all(&mut project, &mut history, &mut overlays);
    try_damage(&mut overlays, 30.0);
    // Out of its turn, as a jump in the list of steps does it.
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&overlays), Some(30.0), "what was tried since stays");
    assert!(overlays.undo().is_some());
    assert_eq!(damage(&overlays), Some(20.0), "from before it was kept");
    assert!(overlays.undo().is_some());
    assert_eq!(damage(&overlays), None);
}

#[test]
fn after_a_new_step_what_was_taken_back_is_not_tried_again() {
    let loaded = sample();
    let (mut project, mut history, mut overlays) =
        (loaded.project.clone(), History::default(), TuningOverlays::default());
    try_damage(&mut overlays, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut overlays);
    try_damage(&mut overlays, 30.0);
    assert!(overlays.undo().is_some());
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    rename_project(&mut project, &mut history, &mut overlays, "other");
    assert_eq!(overlays.next_redo(), None);
    // The step of another file can be done again, and its part with it.
    let redone = history.redo(&mut project, None).unwrap().id();
    assert_eq!(redone, kept);
    overlays.step_redone(redone);
    assert_eq!(damage(&overlays), None, "kept, and not tried besides");
}

#[test]
fn a_drag_that_is_canceled_or_leads_nowhere_leaves_nothing() {
    let mut overlays = TuningOverlays::default();
    overlays.drag("Try", |it| it.set("P.x".into(), 1.0.into()));
    overlays.cancel();
    assert!(overlays.now().is_empty() && overlays.next_undo().is_none());
    overlays.drag("Try", |it| it.set("P.x".into(), 1.0.into()));
    overlays.drag("Try", |it| assert!(it.drop_value(Side::B, "P.x")));
    overlays.end();
    assert!(overlays.next_undo().is_none());
}

#[test]
fn what_a_response_reads_follows_a_renamed_constant() {
    let path = DocPath::new("tuning/feel.ron").unwrap();
    let text = r#"(page: "Feel", values: {
        "rate": (value: 3.0, response: Decay(rate: "rate")),
        "other": (value: 1.0, response: Ease(secs: "Feel.rate")),
    })"#;
    let (document, findings) = io::load_one(&path, text);
    assert!(findings.is_empty(), "{findings:?}");
    let mut project = Project::default();
    project.documents.insert(path.clone(), document.unwrap().into());
    let typed = TypedRefs::none(RefKind::Tunable);
    let rename = Edit::rename(&path, "rate", "decay", typed);
    apply_all(&mut project, &[rename]).unwrap();
    let written = io::text_of(project.doc(&path).unwrap(), None);
    assert!(written.contains("Decay(rate: \"decay\")") && written.contains("Ease(secs: \"Feel.decay\")"), "{written}");
    let (again, findings) = io::load_one(&path, &written);
    assert!(findings.is_empty());
    assert_eq!(again.unwrap(), **project.doc(&path).unwrap());
}

#[test]
fn what_is_tried_stands_among_the_steps() {
    let loaded = sample();
    let (mut project, mut history, mut overlays) =
        (loaded.project.clone(), History::default(), TuningOverlays::default());
    rename_project(&mut project, &mut history, &mut overlays, "one");
    try_damage(&mut overlays, 9.0);
    rename_project(&mut project, &mut history, &mut overlays, "two");
    try_damage(&mut overlays, 20.0);
    let list = |history: &History, overlays: &TuningOverlays| -> String {
        let all = timeline(history, overlays);
        let declared_constant = all.iter().map(|it| {
            let mark = if it.is_done { "" } else { "-" };
            format!("{mark}{}", if it.step.is_some() { "s" } else { "t" })
        });
        declared_constant.collect::<Vec<_>>().join(" ")
    };
    let next = |history: &History, overlays: &TuningOverlays, is_redo: bool| {
        next_moment(history, overlays, None, is_redo).map(|it| it.step.is_none())
    };
    assert_eq!(list(&history, &overlays), "s t s t");
    assert_eq!(next(&history, &overlays, false), Some(true));
    assert!(overlays.undo().is_some());
    assert_eq!(list(&history, &overlays), "s t s -t");
    assert_eq!((next(&history, &overlays, false), next(&history, &overlays, true)), (Some(false), Some(true)));
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert!(overlays.undo().is_some());
    overlays.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(list(&history, &overlays), "-s -t -s -t", "what comes next stands first of those");
    for (n, declared_constant) in
        [(3, "s t s -t"), (1, "s -t -s -t"), (4, "s t s t"), (4, "s t s t"), (0, "-s -t -s -t")]
    {
        go_to(&mut history, &mut overlays, &mut project, n).unwrap();
        assert_eq!(list(&history, &overlays), declared_constant);
    }
    assert!(project == loaded.project && overlays.now().is_empty());
    assert_eq!(go_to(&mut history, &mut overlays, &mut project, 5), Err(UndoError::Nothing));
    assert_eq!(next(&history, &overlays, true), Some(false));
    overlays.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(list(&history, &overlays), "s -t -s -t");
    // A drag that goes on is there, and what it was called last is what it is called.
    overlays.drag("Try 1", |it| it.set("P.x".into(), 1.0.into()));
    overlays.drag("Try 2", |it| it.set("P.x".into(), 2.0.into()));
    assert_eq!(timeline(&history, &overlays).iter().find(|it| it.step.is_none()).map(|it| it.label), Some("Try 2"));
    assert_eq!(overlays.before("P.x"), None);
    overlays.end();
    assert_eq!(overlays.before("P.x"), Some(&2.0.into()));
    try_damage(&mut overlays, 30.0);
    keep_all(&mut project, &mut history, &mut overlays);
    assert_eq!(list(&history, &overlays), "s t t s -s", "the step of another file can be done again");
}

#[derive(Clone, Debug)]
enum Op {
    Set(u8, f64),
    Drop(u8),
    Clear,
    Copy,
    Swap,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        (0..4_u8, 0.0..2.0_f64).prop_map(|(i, x)| Op::Set(i, x)),
        (0..4_u8).prop_map(Op::Drop),
        Just(Op::Clear),
        Just(Op::Copy),
        Just(Op::Swap),
    ]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn whatever_is_tried_undo_all_and_redo_all_come_back(ops in prop::collection::vec(op(), 0..30)) {
        let mut overlays = TuningOverlays::default();
        for op in ops {
            overlays.change("Try", |it| match op {
                Op::Set(i, x) => it.set(format!("P.{i}").into(), x.into()),
                Op::Drop(i) => { it.drop_value(it.active(), &format!("P.{i}")); }
                Op::Clear => it.clear(it.active()),
                Op::Copy => it.copy(it.active()),
                Op::Swap => it.swap(),
            });
        }
        let end = overlays.now().clone();
        while overlays.undo().is_some() {}
        prop_assert_eq!(overlays.now(), &TuningOverlay::default());
        while overlays.redo().is_some() {}
        prop_assert_eq!(overlays.now(), &end);
    }
}
