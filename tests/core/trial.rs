//! Values being tried: never in the project but by keeping them, never lost but by dropping them.

use std::path::Path;

use levelwright::{
    edit::{
        Edit, History, RefKind, Side, StepId, Stuck, Trial, Trials, TypedRefs, ValueSet, apply_all, go_to, keep,
        may_be, next_moment, said, timeline,
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
    assert_eq!(said(&project, "Camera.max_speed").unwrap().1, &Tunable::of(900.0));
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
    let mut trial = Trial::default();
    assert_eq!(trial.heard(), Side::B, "what is turned at first is B; A is what the files say");
    trial.set("P.x".into(), 1.0.into());
    trial.hear(Side::A);
    assert_eq!(trial.value("P.x"), None, "A is the files");
    trial.set("P.y".into(), 2.0.into());
    assert_eq!(trial.names().map(|name| &**name).collect::<Vec<_>>(), ["P.x", "P.y"]);
    trial.call(Side::A, " snappy ");
    trial.swap();
    assert_eq!((trial.heard(), trial.title(Side::B), trial.title(Side::A)), (Side::B, "snappy", ""));
    assert_eq!(trial.value("P.y"), Some(&2.0.into()), "the same is heard, under the other letter");
    trial.copy(Side::B);
    assert_eq!(trial.set_of(Side::A), trial.set_of(Side::B));
    assert!(trial.drop_value(Side::A, "P.y") && !trial.drop_value(Side::A, "P.y"));
    trial.renamed(|name| (name == "P.y").then(|| "P.z".into()));
    assert_eq!(trial.value("P.z"), Some(&2.0.into()));
    trial.load(Side::A, "soft", values(&[("P.x", 7.0)]));
    assert_eq!((trial.title(Side::A), trial.set_of(Side::A).len()), ("soft", 1));
}

fn damage(trials: &Trials) -> Option<f64> {
    trials.now().value("Combat.player_damage").and_then(Value::as_f64)
}

fn try_damage(trials: &mut Trials, value: f64) {
    trials.change("Try", |it| it.set("Combat.player_damage".into(), value.into()));
}

/// Keep what is tried: a step of history, and no longer tried.
fn keep_all(project: &mut Project, history: &mut History, trials: &mut Trials) -> StepId {
    let edits = keep(project, &builtin(), trials.now().set_of(Side::B));
    let step = history.make(project, &edits).unwrap().unwrap();
    trials.step_made(step);
    trials.change_with_step(step, "Keep", |it| it.clear(Side::B));
    step
}

/// An edit of another file.
fn rename_project(project: &mut Project, history: &mut History, trials: &mut Trials, name: &str) -> StepId {
    let edit = Edit::set_at(&DocPath::new("project.ron").unwrap(), FieldPath::keys(["name"]), &name.to_owned());
    let step = history.make(project, &[edit]).unwrap().unwrap();
    trials.step_made(step);
    step
}

#[test]
fn undo_takes_trying_and_editing_back_in_the_order_they_came() {
    let loaded = sample();
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::default(), Trials::default());
    for value in [9.0, 10.0, 11.0] {
        trials.drag("Try", |it| it.set("Combat.player_damage".into(), value.into()));
    }
    trials.end();
    let edit = Edit::set_at(
        &DocPath::new("tuning/combat.ron").unwrap(),
        FieldPath::keys(["values", "hurt_secs", "value"]),
        &Value::from(1.0),
    );
    trials.step_made(history.make(&mut project, &[edit]).unwrap().unwrap());
    try_damage(&mut trials, 20.0);
    keep_all(&mut project, &mut history, &mut trials);
    assert_eq!((damage(&trials), history.n_done()), (None, 2));

    assert_eq!(trials.undo(), None, "the step is newer");
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!((damage(&trials), history.n_done()), (Some(20.0), 1), "not kept and tried again, at once");
    assert_eq!(trials.undo().as_deref(), Some("Try"));
    assert_eq!(damage(&trials), Some(11.0));
    assert_eq!(trials.undo(), None, "the edit came before");
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(trials.undo().as_deref(), Some("Try"), "a drag is one");
    assert_eq!(damage(&trials), None);
    assert!(trials.undo().is_none());

    assert!(trials.redo().is_some());
    assert_eq!(damage(&trials), Some(11.0));
    assert_eq!(trials.redo(), None, "the edit comes next");
    trials.step_redone(history.redo(&mut project, None).unwrap().id());
    assert!(trials.redo().is_some());
    assert_eq!(damage(&trials), Some(20.0));
    assert_eq!(trials.redo(), None);
    trials.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(damage(&trials), None, "kept again");
    assert_eq!(said(&project, "Combat.player_damage").unwrap().1.value, 20.0.into());
}

#[test]
fn another_files_step_taken_back_first_leaves_what_was_kept() {
    let loaded = sample();
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::default(), Trials::default());
    let elsewhere = DocPath::new("project.ron").unwrap();
    rename_project(&mut project, &mut history, &mut trials, "other");
    try_damage(&mut trials, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut trials);

    trials.step_undone(history.undo(&mut project, Some(&elsewhere)).unwrap().id());
    assert_eq!(damage(&trials), None, "it is kept still");
    let undone = history.undo(&mut project, None).unwrap().id();
    assert_eq!(undone, kept);
    trials.step_undone(undone);
    assert_eq!(damage(&trials), Some(20.0), "not kept, and tried again");
    // Done again in the other order, and once more.
    trials.step_redone(history.redo(&mut project, Some(&elsewhere)).unwrap().id());
    assert_eq!(damage(&trials), Some(20.0));
    trials.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(damage(&trials), None);
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&trials), Some(20.0));
    assert_eq!(trials.undo(), None, "the other step came later than the value was tried");
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(trials.undo().as_deref(), Some("Try"));
}

#[test]
fn steps_that_are_forgotten_do_not_count() {
    let loaded = sample();
    // Room for no more than the newest step.
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::new(1), Trials::default());
    for name in ["one", "two", "three"] {
        rename_project(&mut project, &mut history, &mut trials, name);
    }
    try_damage(&mut trials, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut trials);
    assert_eq!(history.done(), [kept]);
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&trials), Some(20.0));
    assert_eq!(trials.undo().as_deref(), Some("Try"));
    assert_eq!(damage(&trials), None);
}

#[test]
fn what_was_kept_comes_back_under_what_was_tried_since() {
    let loaded = sample();
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::default(), Trials::default());
    try_damage(&mut trials, 20.0);
    keep_all(&mut project, &mut history, &mut trials);
    try_damage(&mut trials, 30.0);
    // Out of its turn, as a jump in the list of steps does it.
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(damage(&trials), Some(30.0), "what was tried since stays");
    assert!(trials.undo().is_some());
    assert_eq!(damage(&trials), Some(20.0), "from before it was kept");
    assert!(trials.undo().is_some());
    assert_eq!(damage(&trials), None);
}

#[test]
fn after_a_new_step_what_was_taken_back_is_not_tried_again() {
    let loaded = sample();
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::default(), Trials::default());
    try_damage(&mut trials, 20.0);
    let kept = keep_all(&mut project, &mut history, &mut trials);
    try_damage(&mut trials, 30.0);
    assert!(trials.undo().is_some());
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    rename_project(&mut project, &mut history, &mut trials, "other");
    assert_eq!(trials.next_redo(), None);
    // The step of another file can be done again, and its part with it.
    let redone = history.redo(&mut project, None).unwrap().id();
    assert_eq!(redone, kept);
    trials.step_redone(redone);
    assert_eq!(damage(&trials), None, "kept, and not tried besides");
}

#[test]
fn a_drag_that_is_canceled_or_leads_nowhere_leaves_nothing() {
    let mut trials = Trials::default();
    trials.drag("Try", |it| it.set("P.x".into(), 1.0.into()));
    trials.cancel();
    assert!(trials.now().is_empty() && trials.next_undo().is_none());
    trials.drag("Try", |it| it.set("P.x".into(), 1.0.into()));
    trials.drag("Try", |it| assert!(it.drop_value(Side::B, "P.x")));
    trials.end();
    assert!(trials.next_undo().is_none());
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
    let (mut project, mut history, mut trials) = (loaded.project.clone(), History::default(), Trials::default());
    rename_project(&mut project, &mut history, &mut trials, "one");
    try_damage(&mut trials, 9.0);
    rename_project(&mut project, &mut history, &mut trials, "two");
    try_damage(&mut trials, 20.0);
    let list = |history: &History, trials: &Trials| -> String {
        let all = timeline(history, trials);
        let said = all.iter().map(|it| {
            let mark = if it.is_done { "" } else { "-" };
            format!("{mark}{}", if it.step.is_some() { "s" } else { "t" })
        });
        said.collect::<Vec<_>>().join(" ")
    };
    let next = |history: &History, trials: &Trials, is_redo: bool| {
        next_moment(history, trials, None, is_redo).map(|it| it.step.is_none())
    };
    assert_eq!(list(&history, &trials), "s t s t");
    assert_eq!(next(&history, &trials, false), Some(true));
    assert!(trials.undo().is_some());
    assert_eq!(list(&history, &trials), "s t s -t");
    assert_eq!((next(&history, &trials, false), next(&history, &trials, true)), (Some(false), Some(true)));
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert!(trials.undo().is_some());
    trials.step_undone(history.undo(&mut project, None).unwrap().id());
    assert_eq!(list(&history, &trials), "-s -t -s -t", "what comes next stands first of those");
    for (n, said) in [(3, "s t s -t"), (1, "s -t -s -t"), (4, "s t s t"), (4, "s t s t"), (0, "-s -t -s -t")] {
        go_to(&mut history, &mut trials, &mut project, n).unwrap();
        assert_eq!(list(&history, &trials), said);
    }
    assert!(project == loaded.project && trials.now().is_empty());
    assert_eq!(go_to(&mut history, &mut trials, &mut project, 5), Err(Stuck::Nothing));
    assert_eq!(next(&history, &trials, true), Some(false));
    trials.step_redone(history.redo(&mut project, None).unwrap().id());
    assert_eq!(list(&history, &trials), "s -t -s -t");
    // A drag that goes on is there, and what it was called last is what it is called.
    trials.drag("Try 1", |it| it.set("P.x".into(), 1.0.into()));
    trials.drag("Try 2", |it| it.set("P.x".into(), 2.0.into()));
    assert_eq!(timeline(&history, &trials).iter().find(|it| it.step.is_none()).map(|it| it.label), Some("Try 2"));
    assert_eq!(trials.before("P.x"), None);
    trials.end();
    assert_eq!(trials.before("P.x"), Some(&2.0.into()));
    try_damage(&mut trials, 30.0);
    keep_all(&mut project, &mut history, &mut trials);
    assert_eq!(list(&history, &trials), "s t t s -s", "the step of another file can be done again");
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
        let mut trials = Trials::default();
        for op in ops {
            trials.change("Try", |it| match op {
                Op::Set(i, x) => it.set(format!("P.{i}").into(), x.into()),
                Op::Drop(i) => { it.drop_value(it.heard(), &format!("P.{i}")); }
                Op::Clear => it.clear(it.heard()),
                Op::Copy => it.copy(it.heard()),
                Op::Swap => it.swap(),
            });
        }
        let end = trials.now().clone();
        while trials.undo().is_some() {}
        prop_assert_eq!(trials.now(), &Trial::default());
        while trials.redo().is_some() {}
        prop_assert_eq!(trials.now(), &end);
    }
}
