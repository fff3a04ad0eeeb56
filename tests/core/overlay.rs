//! Values being tried: never in the project but by keeping them, never lost but by dropping them.

use std::path::Path;

use levelwright::{
    edit::{
        Edit, Gesture, History, RefKind, Step, StepId, TypedRefs, UndoError, apply_all, change_overlay,
        declared_constant, keep, may_be, try_value, write_values,
    },
    io::{self, Loaded},
    model::{
        Builtin, DocPath, Document, FieldPath, Name, Project, Tunable, TuningOverlay,
        TuningSide::{A, B},
        Value, ValueSet,
    },
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
    let edits = write_values(&project, &builtin(), &tried);
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
    let edits = write_values(&project, &builtin(), &tried);
    assert_eq!(edits.len(), 2, "{edits:?}");
    apply_all(&mut project, &edits).unwrap();
    let steering = project.tuning(&DocPath::new("tuning/steering.ron").unwrap()).unwrap();
    assert_eq!(steering.values["jump_ahead"], Tunable::of(30.0));
    assert_eq!(steering.values.len(), 2);
    assert_eq!(declared_constant(&project, "Camera.max_speed").unwrap().1, &Tunable::of(900.0));
    assert!(write_values(&project, &builtin(), &tried).is_empty(), "all of it is said now");
}

#[test]
fn a_new_page_does_not_take_another_files_place() {
    let loaded = sample();
    let mut project = loaded.project.clone();
    let taken = DocPath::new("tuning/steering.ron").unwrap();
    let page = levelwright::model::TuningPage { page: "Other".into(), ..Default::default() };
    project.documents.insert(taken, Document::Tuning(page).into());
    let edits = write_values(&project, &builtin(), &values(&[("Steering.jump_ahead", 30.0)]));
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
    let active = overlay.id(B);
    overlay.values_mut(B).insert("P.x".into(), 1.0.into());
    assert!(overlay.values(A).is_empty(), "A is the files");
    overlay.values_mut(A).insert("P.y".into(), 2.0.into());
    overlay.values_mut(A).insert("P.x".into(), 3.0.into());
    assert_eq!(overlay.names().map(|name| &**name).collect::<Vec<_>>(), ["P.x", "P.y"]);
    overlay.set_title(A, " snappy ");
    overlay.swap();
    assert_eq!((overlay.title(B), overlay.title(A)), ("snappy", ""));
    assert_eq!(overlay.side(active), A, "the same set is active, under the other letter");
    assert_eq!(overlay.values(overlay.side(active)), &values(&[("P.x", 1.0)]));
    overlay.copy(B);
    assert_eq!(overlay.values(A), overlay.values(B));
    overlay.rename(|name| (name == "P.y").then(|| "P.z".into()));
    assert_eq!(overlay.values(A)["P.z"], 2.0.into());
}

/// A project, its history, and what of it is tried out in set B.
struct Tuned {
    project: Project,
    history: History,
}

impl Tuned {
    fn sample() -> Self {
        Self { project: sample().project, history: History::default() }
    }

    fn damage(&self) -> Option<f64> {
        self.project.tuning_overlay.values(B).get("Combat.player_damage").and_then(Value::as_f64)
    }

    fn declared(&self) -> Value {
        declared_constant(&self.project, "Combat.player_damage").unwrap().1.value.clone()
    }

    fn make(&mut self, label: &str, edits: &[Edit]) -> StepId {
        let before = self.project.clone();
        apply_all(&mut self.project, edits).unwrap();
        self.history.record(label, &before, &self.project).unwrap()
    }

    fn try_damage(&mut self, value: f64) -> StepId {
        let edit = self.damage_edit(value);
        self.make("Try", &[edit])
    }

    fn damage_edit(&self, value: f64) -> Edit {
        let name: Name = "Combat.player_damage".into();
        let spec = declared_constant(&self.project, &name).unwrap().1;
        try_value(&self.project, B, &name, spec, value.into())
    }

    /// Keep what is tried: a step of history, and no longer tried.
    fn keep_all(&mut self) -> StepId {
        let (label, edits) = keep(&self.project, &builtin(), B, None).unwrap();
        self.make(&label, &edits)
    }

    /// An edit of another file.
    fn rename_project(&mut self, name: &str) -> StepId {
        let edit = Edit::set_at(&elsewhere(), FieldPath::keys(["name"]), &name.to_owned());
        self.make("Rename", &[edit])
    }

    fn undo(&mut self, focus: Option<&DocPath>) -> Result<StepId, UndoError> {
        self.history.undo(&mut self.project, focus).map(Step::id)
    }

    fn redo(&mut self, focus: Option<&DocPath>) -> Result<StepId, UndoError> {
        self.history.redo(&mut self.project, focus).map(Step::id)
    }

    /// The list of steps: `s` of files, `t` of the overlay alone; a minus where it is undone.
    fn list(&self) -> String {
        let steps = self.history.steps().map(|(is_done, step)| {
            let kind = if step.is_of_overlay_alone() { "t" } else { "s" };
            if is_done { kind.to_owned() } else { format!("-{kind}") }
        });
        steps.collect::<Vec<_>>().join(" ")
    }
}

fn elsewhere() -> DocPath {
    DocPath::new("project.ron").unwrap()
}

#[test]
fn undo_takes_trying_and_editing_back_in_the_order_they_came() {
    let mut it = Tuned::sample();
    let mut gesture = Gesture::begin(&it.project);
    for value in [9.0, 10.0, 11.0] {
        let edit = it.damage_edit(value);
        gesture.set_label("Try");
        gesture.preview(&mut it.project, &[edit]).unwrap();
    }
    gesture.commit(&it.project, &mut it.history).unwrap();
    let hurt = FieldPath::keys(["values", "hurt_secs", "value"]);
    it.make("Set", &[Edit::set_at(&DocPath::new("tuning/combat.ron").unwrap(), hurt, &Value::from(1.0))]);
    it.try_damage(20.0);
    it.keep_all();
    assert_eq!((it.damage(), &*it.list()), (None, "t s t s"));

    it.undo(None).unwrap();
    assert_eq!((it.damage(), it.declared()), (Some(20.0), 8.0.into()), "not kept and tried again, at once");
    it.undo(None).unwrap();
    assert_eq!(it.damage(), Some(11.0));
    it.undo(None).unwrap();
    assert_eq!((it.damage(), &*it.list()), (Some(11.0), "t -s -t -s"));
    it.undo(None).unwrap();
    assert_eq!(it.damage(), None, "a drag is one step");
    assert_eq!(it.undo(None), Err(UndoError::Nothing));

    for (damage, list) in
        [(Some(11.0), "t -s -t -s"), (Some(11.0), "t s -t -s"), (Some(20.0), "t s t -s"), (None, "t s t s")]
    {
        it.redo(None).unwrap();
        assert_eq!((it.damage(), &*it.list()), (damage, list));
    }
    assert_eq!(it.declared(), 20.0.into(), "kept again");
}

#[test]
fn another_files_step_taken_back_first_leaves_what_was_kept() {
    let mut it = Tuned::sample();
    it.rename_project("other");
    it.try_damage(20.0);
    let kept = it.keep_all();

    it.undo(Some(&elsewhere())).unwrap();
    assert_eq!(it.damage(), None, "it is kept still");
    assert_eq!(it.undo(None).unwrap(), kept);
    assert_eq!(it.damage(), Some(20.0), "not kept, and tried again");
    // Done again in the other order, and once more.
    it.redo(Some(&elsewhere())).unwrap();
    assert_eq!(it.damage(), Some(20.0));
    it.redo(None).unwrap();
    assert_eq!(it.damage(), None);
    it.undo(None).unwrap();
    assert_eq!(it.damage(), Some(20.0));
}

#[test]
fn the_focused_document_decides_between_files_and_what_is_tried() {
    let mut it = Tuned::sample();
    let combat = DocPath::new("tuning/combat.ron").unwrap();
    let tried = it.try_damage(20.0);
    let renamed = it.rename_project("other");
    let next = |it: &Tuned, focus: &DocPath, is_redo| it.history.next(Some(focus), is_redo).map(Step::id);
    assert_eq!(next(&it, &combat, false), Some(tried), "tuning pages and what is tried over them go together");
    assert_eq!(next(&it, &elsewhere(), false), Some(renamed));
    assert_eq!(next(&it, &DocPath::new("levels/courtyard.ron").unwrap(), false), Some(renamed), "the newest of all");
    assert_eq!(it.history.take_next((&mut it.project, None), Some(&combat), false).map(Step::id), Ok(tried));
    assert_eq!((it.damage(), next(&it, &combat, true)), (None, Some(tried)));
}

#[test]
fn steps_that_are_forgotten_do_not_count() {
    let mut it = Tuned { history: History::new(1), ..Tuned::sample() };
    // Room for no more than the newest step.
    for name in ["one", "two", "three"] {
        it.rename_project(name);
    }
    it.try_damage(20.0);
    let kept = it.keep_all();
    assert_eq!(it.history.done(), [kept]);
    it.undo(None).unwrap();
    assert_eq!(it.damage(), Some(20.0));
    assert_eq!(it.undo(None), Err(UndoError::Nothing));
}

#[test]
fn after_a_new_step_what_was_taken_back_is_not_tried_again() {
    let mut it = Tuned::sample();
    it.try_damage(20.0);
    let kept = it.keep_all();
    it.try_damage(30.0);
    it.undo(None).unwrap();
    it.undo(None).unwrap();
    it.rename_project("other");
    assert_eq!(it.list(), "t -s s", "in the order of time");
    // The step of another file can be done again, and its part with it.
    assert_eq!(it.redo(None).unwrap(), kept);
    assert_eq!((it.damage(), it.declared()), (None, 20.0.into()), "kept, and not tried besides");
    // What builds on a value that is not tried again is not done again either.
    let mut it = Tuned::sample();
    it.try_damage(20.0);
    it.keep_all();
    it.undo(None).unwrap();
    it.undo(None).unwrap();
    assert_eq!(it.list(), "-t -s");
    it.rename_project("other");
    assert_eq!((it.damage(), &*it.list()), (None, "s"));
}

#[test]
fn a_drag_that_is_canceled_or_leads_nowhere_leaves_nothing() {
    let mut it = Tuned::sample();
    let was = it.project.clone();
    let [twenty, declared] = [20.0, 8.0].map(|damage| [it.damage_edit(damage)]);
    let mut gesture = Gesture::begin(&it.project);
    gesture.preview(&mut it.project, &twenty).unwrap();
    assert_eq!(it.damage(), Some(20.0));
    gesture.cancel(&mut it.project);
    assert!(it.damage().is_none() && it.list().is_empty());
    let mut gesture = Gesture::begin(&it.project);
    gesture.preview(&mut it.project, &twenty).unwrap();
    // The value that the file has is not tried out.
    gesture.preview(&mut it.project, &declared).unwrap();
    assert_eq!(gesture.commit(&it.project, &mut it.history), None);
    assert!(it.project == was && it.list().is_empty());
}

#[test]
fn what_is_gone_is_neither_kept_nor_lost() {
    let mut it = Tuned::sample();
    let gone = |overlay: &mut TuningOverlay| drop(overlay.values_mut(B).insert("Gone.x".into(), 1.0.into()));
    it.make("Try", &[change_overlay(&it.project, gone)]);
    assert_eq!(keep(&it.project, &builtin(), B, None), None);
    it.try_damage(20.0);
    let (label, edits) = keep(&it.project, &builtin(), B, None).unwrap();
    assert_eq!(label, "Keep Combat.player_damage");
    it.make(&label, &edits);
    assert_eq!(it.project.tuning_overlay.values(B), &values(&[("Gone.x", 1.0)]));
}

#[test]
fn what_is_tried_follows_a_renamed_constant_and_undo() {
    let mut it = Tuned::sample();
    it.try_damage(20.0);
    let path = DocPath::new("tuning/combat.ron").unwrap();
    let of = TypedRefs::none;
    it.make("Rename", &[Edit::rename(&path, "player_damage", "harm", of(RefKind::Tunable))]);
    assert_eq!(it.project.tuning_overlay.values(B), &values(&[("Combat.harm", 20.0)]));
    it.make("Rename", &[Edit::rename(&path, "Combat", "Fight", of(RefKind::Page))]);
    assert_eq!(it.project.tuning_overlay.values(B), &values(&[("Fight.harm", 20.0)]));
    it.undo(None).unwrap();
    it.undo(None).unwrap();
    assert_eq!(it.damage(), Some(20.0));
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
    let mut it = Tuned::sample();
    let loaded = it.project.clone();
    it.rename_project("one");
    it.try_damage(9.0);
    it.rename_project("two");
    it.try_damage(20.0);
    assert_eq!(it.list(), "s t s t");
    for _ in 0..4 {
        it.undo(None).unwrap();
    }
    assert_eq!(it.list(), "-s -t -s -t", "what comes next stands first of those");
    for (n, list) in [(3, "s t s -t"), (1, "s -t -s -t"), (4, "s t s t"), (4, "s t s t"), (0, "-s -t -s -t")] {
        it.history.jump((&mut it.project, None), n).unwrap();
        assert_eq!(it.list(), list);
    }
    assert_eq!(it.project, loaded);
    it.redo(None).unwrap();
    it.try_damage(30.0);
    it.keep_all();
    assert_eq!(it.list(), "s -s t s", "the step of another file can be done again");
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
        let (mut project, mut history) = (Project::default(), History::default());
        for op in ops {
            let edit = change_overlay(&project, |it| match op {
                Op::Set(i, x) => _ = it.values_mut(B).insert(format!("P.{i}").into(), x.into()),
                Op::Drop(i) => _ = it.values_mut(B).remove(&*format!("P.{i}")),
                Op::Clear => it.values_mut(B).clear(),
                Op::Copy => it.copy(B),
                Op::Swap => it.swap(),
            });
            history.make(&mut project, &[edit]).unwrap();
        }
        let end = project.clone();
        while history.undo(&mut project, None).is_ok() {}
        prop_assert_eq!(&project, &Project::default());
        while history.redo(&mut project, None).is_ok() {}
        prop_assert_eq!(&project, &end);
    }
}
