//! Steps: undo, redo, and what they share with saving.

use super::*;

#[test]
fn a_drag_is_one_step_and_undo_follows_the_focused_document() {
    let mut project = project();
    let mut history = History::default();
    let saved = Saved::all(&project);
    let paint = |x: i32| Edit::PaintTiles {
        doc: yard(),
        layer: name("ground"),
        cells: (0..x).map(|x| ([x, 0], Tile::id_only(3))).collect(),
    };
    let mut gesture = Gesture::begin(&project);
    for x in 1..12 {
        gesture.preview(&mut project, &[paint(x)]).unwrap();
    }
    assert!(gesture.commit(&project, &mut history).is_some());
    history.make(&mut project, &[Edit::set(goblin(), "Health", "max", number(30.0))]).unwrap();
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    history.make(&mut project, &[Edit::rename(&path("entities/all.ron"), "goblin", "orc", typed)]).unwrap();
    let labels: Vec<_> = history.steps().map(|(done, step)| (done, step.label().to_owned())).collect();
    assert_eq!(
        labels,
        [
            (true, "Paint 11 tiles".into()),
            (true, "Set goblin's Health.max".into()),
            (true, "Rename definition goblin to orc".into())
        ]
    );
    assert!(saved.is_modified(&project, &yard()));

    let shared = history.undo(&mut project, Some(&yard())).unwrap().label().to_owned();
    assert_eq!(shared, "Rename definition goblin to orc", "the newest step that touches the level");
    history.undo(&mut project, Some(&yard())).unwrap();
    assert_eq!(saved.modified(&project), [path("entities/all.ron")]);
    assert!(matches!(history.undo(&mut project, Some(&yard())), Err(UndoError::Nothing)));
    let first = history.redo(&mut project, Some(&path("machines/all.ron"))).unwrap().label().to_owned();
    assert_eq!(first, "Paint 11 tiles", "what has to be done before the rename that the machines are part of");
    history.jump((&mut project, None), 0).unwrap();
    assert!(saved.modified(&project).is_empty());
    history.jump((&mut project, None), 3).unwrap();
    assert!(history.jump((&mut project, None), 4).is_err());
}

#[test]
fn steps_stay_in_the_order_of_time_when_undo_follows_a_document() {
    let mut project = project();
    let mut history = History::default();
    let goblin_max = |x: f64| Edit::set(goblin(), "Health", "max", number(x));
    let paint = |x: i32| Edit::PaintTiles {
        doc: yard(),
        layer: name("ground"),
        cells: (0..x).map(|x| ([x, 0], Tile::id_only(3))).collect(),
    };
    for edit in [paint(1), goblin_max(30.0), paint(2)] {
        history.make(&mut project, &[edit]).unwrap();
    }
    let last = project.clone();
    let state = |history: &History| -> Vec<_> { history.steps().map(|(is_done, step)| (is_done, step.id())).collect() };
    let all = state(&history);
    history.undo(&mut project, Some(&path("entities/all.ron"))).unwrap();
    let ids: Vec<bool> = history.steps().map(|(is_done, _)| is_done).collect();
    assert_eq!(ids, [true, false, true], "the step taken back stays where it was");
    history.redo(&mut project, Some(&path("entities/all.ron"))).unwrap();
    assert_eq!(state(&history), all);
    assert_eq!(project, last);
    history.undo(&mut project, Some(&path("entities/all.ron"))).unwrap();
    history.jump((&mut project, None), 2).unwrap();
    let done: Vec<bool> = history.steps().map(|(is_done, _)| is_done).collect();
    assert_eq!(done, [true, true, false], "exactly the first two");
    history.jump((&mut project, None), 3).unwrap();
    assert_eq!((state(&history), project), (all, last));
}

#[test]
fn taking_back_goes_on_through_newer_steps_of_the_same_files() {
    let mut project = project();
    let start = project.clone();
    let mut history = History::default();
    let (entities, level) = (path("entities/all.ron"), yard());
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    let rename = Edit::rename(&entities, "goblin", "orc", typed);
    history.make(&mut project, &[rename]).unwrap();
    let paint = Edit::PaintTiles { doc: level, layer: name("ground"), cells: vec![([3, 3], Tile::id_only(1))] };
    history.make(&mut project, &[paint]).unwrap();
    let taken: Vec<String> =
        std::iter::from_fn(|| Some(history.undo(&mut project, Some(&entities)).ok()?.label().to_owned())).collect();
    assert_eq!(taken, ["Paint 1 tile", "Rename definition goblin to orc"]);
    assert_eq!(project, start);
}

#[test]
fn what_was_one_step_is_saved_together() {
    let mut project = project();
    let mut history = History::default();
    let mut saved = Saved::all(&project);
    let all = path("entities/all.ron");
    let with = |project: &Project, history: &History, saved: &Saved, doc: &DocPath| -> Vec<String> {
        let groups = history.saved_together(saved.modified(project), |doc| saved.doc(doc));
        let group = groups.into_iter().find(|group| group.contains(doc)).unwrap();
        group.iter().map(ToString::to_string).collect()
    };
    history.make(&mut project, &[Edit::set(goblin(), "Health", "max", number(30.0))]).unwrap();
    assert_eq!(with(&project, &history, &saved, &all), ["entities/all.ron"], "a step of its own");
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    let rename = Edit::rename(&all, "goblin", "orc", typed);
    history.make(&mut project, &[rename]).unwrap();
    let renamed = with(&project, &history, &saved, &all);
    assert!(renamed.contains(&all.to_string()) && renamed.contains(&yard().to_string()), "{renamed:?}");
    assert_eq!(with(&project, &history, &saved, &yard()), renamed, "from either side");

    saved = Saved::all(&project);
    let orc = Owner::Def { doc: all.clone(), name: name("orc") };
    history.make(&mut project, &[Edit::set(orc, "Health", "max", number(31.0))]).unwrap();
    assert_eq!(with(&project, &history, &saved, &all), ["entities/all.ron"], "what is saved ties nothing any more");
    history.undo(&mut project, None).unwrap();
    history.undo(&mut project, None).unwrap();
    assert_eq!(with(&project, &history, &saved, &yard()), renamed, "taken back since it was saved");
}

#[test]
fn undo_refuses_to_tear_what_changed_behind_its_back() {
    let mut project = project();
    let mut history = History::default();
    history.make(&mut project, &[Edit::set(goblin(), "Health", "max", number(30.0))]).unwrap();
    let mut other = project.clone();
    make(&mut other, &Edit::set(goblin(), "Health", "max", number(31.0)));
    assert!(matches!(history.undo(&mut other, None), Err(UndoError::Changed(_))));
}

#[test]
fn history_forgets_its_oldest_steps_by_bytes() {
    let mut project = project();
    let mut history = History::new(60_000);
    for i in 0..40 {
        let cells = (0..24).map(|y| ([i % 40, y], Tile::id_only(u32::try_from(i).unwrap() + 5))).collect();
        history.make(&mut project, &[Edit::PaintTiles { doc: yard(), layer: name("ground"), cells }]).unwrap();
        assert!(history.bytes() <= 60_000);
    }
    assert!((3..20).contains(&history.n_done()), "{} steps of {} bytes", history.n_done(), history.bytes());
    let mut tiny = History::new(1);
    tiny.make(&mut project, &[Edit::set(goblin(), "Health", "max", number(1.0))]).unwrap();
    assert_eq!(tiny.n_done(), 1, "the newest step can always be taken back");
}
