//! Live changes: what is listed, kept and dropped, what files see of them, and that the end of a preview gives the very
//! same documents back.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use levelwright::{
    edit::{Edit, Owner, Phase},
    editor::{LiveChange, LiveKind, Workspace, live_changes},
    io::{self, Folder, Loaded, Sources, codec},
    model::{
        DocPath, FieldPath, Instance, Link, LinkBy, Location, Node, Project, Tile, TuningOverlay, TuningSide, Value,
    },
};
use proptest::prelude::*;

use super::{FILES, call, damage, is_same, opened, speed, yard};
use crate::{
    build::path,
    cases::cases,
    edit::{project as edited_project, some_edit},
};

fn texts(changes: &[LiveChange]) -> Vec<&str> {
    changes.iter().map(|change| change.text.as_str()).collect()
}

fn labels(it: &Workspace) -> Vec<String> {
    it.history().steps().map(|(is_done, step)| format!("{}{}", if is_done { "" } else { "-" }, step.label())).collect()
}

fn step(it: &mut Workspace, edits: &[Edit]) {
    let _ = it.step(None, edits).unwrap();
}

fn move_g1(by: [f64; 2]) -> Edit {
    Edit::MoveThings { doc: yard(), ids: vec!["g1".into()], by }
}

fn paint() -> Edit {
    let cells = vec![([3, 4], Tile::id_only(1)), ([4, 4], Tile::id_only(1)), ([0, 10], Tile::EMPTY)];
    Edit::PaintTiles { doc: yard(), layer: "ground".into(), cells }
}

fn place_chief() -> Edit {
    Edit::place(&yard(), &"actors".into(), "c1".into(), Instance::new("chief".into(), [50.0, 60.0]))
}

fn link() -> Edit {
    let link = Link { from: "n1".into(), to: "n2".into(), cost: None, one_way: true, by: LinkBy::Hand };
    Edit::SetLink {
        doc: yard(),
        layer: "patrol".into(),
        from: link.from.clone(),
        to: link.to.clone(),
        link: Some(link),
    }
}

fn damage_of_page(value: f64) -> Edit {
    Edit::set_at(&path("tuning/combat.ron"), FieldPath::keys(["values", "damage", "value"]), &Value::Float(value))
}

fn rename_machine_state() -> Edit {
    Edit::RenameState {
        doc: path("machines/guard.ron"),
        machine: "guard".into(),
        state: "Patrol".into(),
        to: "Rounds".into(),
    }
}

/// The first value that an entity sets itself.
fn own_speed() -> Edit {
    let owner = Owner::Instance { doc: yard(), layer: "actors".into(), id: "g1".into() };
    Edit::set(owner, "Walker", "speed", Value::Float(75.0))
}

/// One edit of each kind, and what it is listed as.
fn one_of_each() -> Vec<(Edit, &'static str)> {
    vec![
        (move_g1([20.0, -4.5]), "goblin g1 moved 60, 100 → 80, 95.5"),
        (
            Edit::set_at(&yard(), FieldPath::keys(["layers", "actors", "entities", "p1", "rotation"]), &90.0),
            "player p1 turned 0 → 90°",
        ),
        (place_chief(), "chief c1 placed"),
        (paint(), "Layer ground: 3 cells painted"),
        (link(), "Link n1 → n2 added in layer patrol"),
        (Edit::add_node(&yard(), &"patrol".into(), "n3".into(), Node::default()), "Waypoint n3 added"),
        (
            Edit::set_at(&yard(), FieldPath::keys(["layers", "ground", "opacity"]), &0.5),
            "Layer ground: opacity 1 → 0.5",
        ),
        (
            Edit::set_at(&yard(), FieldPath::keys(["corner_cutting"]), &true),
            "levels/yard.ron: corner cutting false → true",
        ),
        (speed(90.0), "Definition goblin: Walker.speed 60 → 90"),
        (own_speed(), "goblin g1: Walker.speed set to 75"),
        (damage_of_page(9.0), "Constant damage: value 8 → 9"),
        (rename_machine_state(), "Machine guard changed"),
        (call("Other"), "project.ron: name Game → Other"),
        (Edit::PutDocument { doc: path("levels/cave.ron"), document: None }, "levels/cave.ron deleted"),
    ]
}

fn by_text<'a>(changes: &'a [LiveChange], text: &str) -> &'a LiveChange {
    changes.iter().find(|change| change.text == text).unwrap_or_else(|| panic!("{text} in {:?}", texts(changes)))
}

#[test]
fn a_link_that_is_broken_by_hand_is_listed_as_broken() {
    let Edit::SetLink { doc, layer, from, to, link } = link() else { panic!() };
    let link = link.map(|link| Link { one_way: false, by: LinkBy::Broken, ..link });
    let mut it = opened();
    it.begin_live();
    step(&mut it, &[Edit::SetLink { doc, layer, from, to, link }]);
    assert_eq!(texts(&it.live_changes()), ["Link n1 → n2 broken in layer patrol"]);
}

#[test]
fn each_field_of_a_component_that_an_entity_sets_first_is_kept_and_dropped_by_itself() {
    let owner = || Owner::Instance { doc: yard(), layer: "actors".into(), id: "g1".into() };
    let fields = ["speed", "jump_speed"].map(|field| Edit::set(owner(), "Walker", field, Value::Float(75.0)));
    let all = ["goblin g1: Walker.speed set to 75", "goblin g1: Walker.jump_speed set to 75"];
    for (keeps, other) in [(0, 1), (1, 0)] {
        let mut it = opened();
        it.begin_live();
        step(&mut it, &fields);
        assert_eq!(texts(&it.live_changes()), all);
        let kept = by_text(&it.live_changes(), all[keeps]).clone();
        let _ = it.keep_live(&[kept]).unwrap();
        assert_eq!(texts(&it.live_changes()), [all[other]], "the other one is live still");
        let mut alone = opened();
        step(&mut alone, &fields[keeps..=keeps]);
        assert_eq!(it.kept().documents, alone.project().documents, "it has that field alone");
        let _ = it.drop_live(&it.live_changes()).unwrap();
        assert_eq!(it.project().documents, alone.project().documents);
        let _ = it.undo(false, None).unwrap();
        let _ = it.undo(false, None).unwrap();
        let _ = it.drop_live(&it.live_changes()).unwrap();
        assert_eq!(it.project().documents, opened().project().documents, "the component goes with its last field");
    }
}

#[test]
fn each_kind_of_change_is_listed_and_can_be_kept_or_dropped_by_itself() {
    for (edit, text) in one_of_each() {
        let mut it = opened();
        let before = it.project().clone();
        it.begin_live();
        step(&mut it, std::slice::from_ref(&edit));
        let live = it.project().clone();
        assert_eq!(texts(&it.live_changes()), [text]);
        assert_eq!(it.unsaved(), [], "{text}: no file is to have it");
        assert!(it.kept().has_same_documents(&before));

        let changed = it.keep_live(&it.live_changes()).unwrap();
        assert!(changed.step.is_some() && !changed.has_documents, "{text}: what is edited is what it was");
        assert_eq!((it.live_changes(), it.unsaved()), (vec![], vec![edit.doc().unwrap().clone()]), "{text}");
        assert!(it.kept().has_same_documents(&live), "{text}: the very same");
        assert_eq!(labels(&it).last().map(String::as_str), Some("Keep 1 live change"));
        let _ = it.undo(false, None).unwrap();
        assert_eq!((texts(&it.live_changes()), it.unsaved()), (vec![text], vec![]), "{text}: it is live again");
        let _ = it.undo(true, None).unwrap();
        let (n, _) = it.end_live().unwrap();
        assert!(n == 0 && it.project().has_same_documents(&live), "{text}: it was kept");
        assert_eq!(labels(&it), ["Keep 1 live change"], "{text}");
        let _ = it.undo(false, None).unwrap();
        assert!(is_same(it.project(), &before), "{text}");

        let mut it = opened();
        it.begin_live();
        step(&mut it, &[edit]);
        let _ = it.drop_live(&it.live_changes()).unwrap();
        assert!(it.project().has_same_documents(it.kept()) && it.live_changes().is_empty(), "{text}");
        assert!(codec::encode(it.project().doc(&yard()).unwrap()) == codec::encode(before.doc(&yard()).unwrap()));
    }
}

#[test]
fn some_of_many_are_kept_and_the_rest_goes() {
    let mut it = opened();
    it.begin_live();
    let edits: Vec<Edit> = one_of_each().into_iter().map(|(edit, _)| edit).collect();
    step(&mut it, &edits);
    let all = it.live_changes();
    let mut expected: Vec<&str> = one_of_each().into_iter().map(|(_, text)| text).collect();
    expected.sort_unstable();
    let mut listed = texts(&all);
    listed.sort_unstable();
    assert_eq!(listed, expected);
    let kept = ["chief c1 placed", "Definition goblin: Walker.speed 60 → 90", "Layer ground: 3 cells painted"];
    let chosen: Vec<LiveChange> = kept.iter().map(|text| by_text(&all, text).clone()).collect();
    let _ = it.keep_live(&chosen).unwrap();
    assert_eq!(it.live_changes().len(), all.len() - 3);
    assert_eq!(it.unsaved(), [path("entities/goblins.ron"), yard()]);
    let (n, _) = it.end_live().unwrap();
    assert_eq!(n, all.len() - 3);
    let left = live_changes(&opened_project(), it.project());
    let mut left = texts(&left);
    left.sort_unstable();
    let mut kept = kept.to_vec();
    kept.sort_unstable();
    assert_eq!(left, kept);
    // Each as it was written by hand.
    let level = it.project().level(&yard()).unwrap();
    assert_eq!(level.entity("g1").unwrap().1.at, [60.0, 100.0]);
    let ids: Vec<&str> = level.entities().map(|(_, id, _)| &**id).collect();
    assert_eq!(ids, ["g1", "p1", "c1"]);
}

/// What [`opened`] has, once more: equal, and not the very same.
fn opened_project() -> Project {
    opened().project().clone()
}

#[test]
fn the_end_gives_the_very_same_back_and_undo_brings_live_changes_back() {
    let mut it = opened();
    step(&mut it, &[call("Before")]);
    let before = it.project().clone();
    it.begin_live();
    step(&mut it, &[move_g1([5.0, 0.0])]);
    step(&mut it, &[paint()]);
    let _ = it.drag("Drag", &[speed(70.0)], Phase::Preview);
    let (n, changed) = it.end_live().unwrap();
    assert!(n == 3 && changed.has_documents && changed.step.is_some());
    assert!(it.project().has_same_documents(&before) && !it.is_live());
    assert_eq!(it.unsaved(), [path("project.ron")]);
    assert_eq!(labels(&it), ["Set name of project", "3 live changes", "Drop 3 live changes"].map(String::from));
    let (label, _) = it.undo(false, Some(&yard())).unwrap();
    assert_eq!(label, "Drop 3 live changes");
    assert_eq!(texts(&live_changes(&before, it.project())).len(), 3, "as ordinary edits");
    assert_eq!(it.unsaved(), [path("entities/goblins.ron"), yard(), path("project.ron")]);
    let _ = it.undo(false, Some(&yard())).unwrap();
    assert!(is_same(it.project(), &before));
    assert_eq!(it.go_to_step(3).1, None);
    assert!(it.project().has_same_documents(&before));
    assert_eq!(it.go_to_step(0).1, None);
    assert_eq!(it.unsaved(), []);
}

#[test]
fn without_changes_the_end_is_no_step() {
    let mut it = opened();
    it.begin_live();
    let (n, changed) = it.end_live().unwrap();
    assert!(n == 0 && !changed.has_documents && changed.step.is_none());
    it.begin_live();
    step(&mut it, &[paint()]);
    let _ = it.undo(false, None).unwrap();
    assert_eq!(it.end_live().unwrap().0, 0);
    // Moved there and back, it is equal and not the very same.
    let before = it.project().clone();
    it.begin_live();
    step(&mut it, &[move_g1([8.0, 0.0])]);
    step(&mut it, &[move_g1([-8.0, 0.0])]);
    assert_eq!(it.end_live().unwrap().0, 0);
    assert!(is_same(it.project(), &before));
    assert_eq!(it.history().steps().count(), 0);
    assert!(it.end_live().is_none());
}

#[test]
fn steps_from_before_can_be_undone_while_live_and_are_done_again_at_the_end() {
    let mut it = opened();
    step(&mut it, &[call("A")]);
    step(&mut it, &[call("B")]);
    let _ = it.undo(false, None).unwrap();
    let before = it.project().clone();
    it.begin_live();
    let _ = it.undo(false, None).unwrap();
    assert_eq!(texts(&it.live_changes()), ["project.ron: name A → Game"]);
    assert_eq!(it.unsaved(), [path("project.ron")], "A is what is to be saved");
    let _ = it.end_live().unwrap();
    assert!(is_same(it.project(), &before));
    assert_eq!(it.go_to_step(0).1, None);
    assert_eq!(it.unsaved(), []);
}

#[test]
fn values_that_are_tried_out_are_not_live() {
    let mut it = opened();
    let edit = damage(it.project(), 9.0);
    step(&mut it, &[edit]);
    it.begin_live();
    let _ = it.undo(false, None).unwrap();
    let edit = damage(it.project(), 11.0);
    step(&mut it, &[edit]);
    step(&mut it, &[paint()]);
    assert_eq!(it.live_changes().len(), 1);
    let _ = it.end_live().unwrap();
    let tried = |it: &Workspace| it.project().tuning_overlay.values(TuningSide::B).get("Combat.damage").cloned();
    assert_eq!(tried(&it), Some(Value::Float(11.0)));
    assert_eq!(it.go_to_step(0).1, None);
    assert_eq!((tried(&it), it.unsaved()), (None, vec![]));
}

#[test]
fn a_step_that_is_kept_is_made_in_both() {
    let mut it = opened();
    it.begin_live();
    step(&mut it, &[paint()]);
    let changed = it.kept_step(Some("Keep the place"), &[move_g1([7.0, 0.0])]).unwrap();
    assert!(changed.step.is_some() && changed.has_documents);
    assert_eq!(texts(&it.live_changes()), ["Layer ground: 3 cells painted"]);
    assert_eq!(it.unsaved(), [yard()]);
    it.kept_step(None, &[super::refused()]).unwrap_err();
    let _ = it.end_live().unwrap();
    assert_eq!(it.project().level(&yard()).unwrap().entity("g1").unwrap().1.at, [67.0, 100.0]);
    assert_eq!(labels(&it)[0], "Keep the place");
    let mut it = opened();
    it.begin_live();
    let _ = it.kept_step(Some("Keep the place"), &[move_g1([7.0, 0.0])]).unwrap();
    assert!(it.project().has_same_documents(it.kept()), "the very same in both");
    let _ = it.end_live().unwrap();
    assert_eq!(labels(&it), ["Keep the place"]);
    let _ = it.undo(false, None).unwrap();
    assert_eq!(it.unsaved(), []);
}

#[test]
fn a_change_says_which_thing_it_is_about_and_where_to_go() {
    let mut it = opened();
    it.begin_live();
    step(&mut it, &[move_g1([5.0, 0.0]), place_chief(), paint()]);
    step(&mut it, &[Edit::DeleteThings { doc: yard(), ids: vec!["p1".into()] }]);
    let all = it.live_changes();
    let things: BTreeSet<&str> = all.iter().filter_map(|change| change.thing()).map(|id| &**id).collect();
    assert_eq!(things, BTreeSet::from(["c1", "g1", "p1"]));
    let at = |text: &str| by_text(&all, text).location(it.project());
    let place = |path: FieldPath| Some(Location::new(yard(), path));
    let actors = FieldPath::keys(["layers"]).index(1).key("entities");
    assert_eq!(at("goblin g1 moved 60, 100 → 65, 100"), place(actors.key("g1").key("at")));
    assert_eq!(at("player p1 deleted"), place(actors), "what held it");
    assert_eq!(by_text(&all, "player p1 deleted").kind, LiveKind::Removed);
}

#[test]
fn what_makes_no_sense_alone_is_refused_whole() {
    let mut it = opened();
    it.begin_live();
    // A document that would be unusable: the format is of the future.
    let kept = it.kept().clone();
    let change = LiveChange {
        doc: path("project.ron"),
        at: FieldPath::keys(["format"]),
        element: None,
        kind: LiveKind::Changed,
        text: String::new(),
    };
    let mut documents = it.project().documents.clone();
    let mut file = it.project().file().unwrap().clone();
    file.format = 99;
    documents.insert(path("project.ron"), Arc::new(levelwright::model::Document::Project(file)));
    let put = documents[&path("project.ron")].clone();
    step(&mut it, &[Edit::put_document(path("project.ron"), put)]);
    step(&mut it, &[call("Other")]);
    let why = it.keep_live(&[change]).unwrap_err().to_string();
    assert!(why.starts_with("it needs other live changes too: format 99"), "{why}");
    assert!(it.kept().has_same_documents(&kept));
}

// ---- files ----

/// The small game in a folder.
fn in_folder() -> (tempfile::TempDir, Workspace) {
    let dir = tempfile::tempdir().unwrap();
    for (at, text) in FILES {
        fs::create_dir_all(dir.path().join(at).parent().unwrap()).unwrap();
        fs::write(dir.path().join(at), text).unwrap();
    }
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), io::load(dir.path()), TuningOverlay::default());
    (dir, it)
}

fn content(root: &Path) -> Vec<(String, Vec<u8>)> {
    FILES.iter().map(|(at, _)| ((*at).to_owned(), fs::read(root.join(at)).unwrap())).collect()
}

/// Take in what another program wrote, as the window does.
fn reload(it: &mut Workspace, root: &Path, at: &DocPath) {
    it.mark_dirty(io::DiskChange { paths: [at.clone()].into(), rescan: false });
    let scanned = it.scan().unwrap().run(&Folder::new(root));
    let followed = it.scanned(scanned);
    assert!(it.files().question().is_none());
    let label = followed.label();
    let _ = it.replace(&label, followed.reloads);
    for merged in followed.merges {
        let _ = it.replace("Merge", vec![(merged.doc, Some(merged.document))]);
    }
}

#[test]
fn saving_writes_what_is_kept_and_no_live_change() {
    let (dir, mut it) = in_folder();
    let before = content(dir.path());
    it.begin_live();
    let edits: Vec<Edit> = one_of_each().into_iter().map(|(edit, _)| edit).collect();
    step(&mut it, &edits);
    assert!(it.unsaved_together().is_empty());
    for doc in it.project().documents.keys().cloned().collect::<Vec<_>>() {
        for writing in it.save(&doc, false) {
            it.wrote(crate::save::run(writing)).unwrap();
        }
    }
    assert_eq!(content(dir.path()), before, "not a byte");
    let moved = by_text(&it.live_changes(), "goblin g1 moved 60, 100 → 80, 95.5").clone();
    let _ = it.keep_live(&[moved]).unwrap();
    assert_eq!(it.unsaved_together(), [vec![yard()]]);
    for writing in it.save(&yard(), false) {
        it.wrote(crate::save::run(writing)).unwrap();
    }
    assert_eq!(it.unsaved(), []);
    let text = fs::read_to_string(dir.path().join("levels/yard.ron")).unwrap();
    let was = FILES.iter().find(|(at, _)| *at == "levels/yard.ron").unwrap().1;
    assert_eq!(text, was.replace("(60.0, 100.0)", "(80.0, 95.5)"), "that value alone");
    let _ = it.end_live().unwrap();
    assert_eq!(it.unsaved(), []);
    assert_eq!(fs::read_to_string(dir.path().join("levels/yard.ron")).unwrap(), text);
}

#[test]
fn a_file_changed_by_another_program_changes_what_is_kept_and_is_merged_into_what_is_live() {
    let (dir, mut it) = in_folder();
    it.begin_live();
    step(&mut it, &[move_g1([20.0, 0.0]), speed(90.0)]);
    let file = dir.path().join("levels/yard.ron");
    let text = fs::read_to_string(&file).unwrap().replace("(100.0, 150.0)", "(120.0, 140.0)");
    fs::write(&file, text.replace("size: (32, 12)", "size: (40, 12)")).unwrap();
    reload(&mut it, dir.path(), &yard());
    assert_eq!(it.unsaved(), [], "it is what the file has");
    let at = |project: &Project, id: &str| project.level(&yard()).unwrap().entity(id).unwrap().1.at;
    assert_eq!([at(it.project(), "g1"), at(it.project(), "p1")], [[80.0, 100.0], [120.0, 140.0]]);
    assert_eq!([at(it.kept(), "g1"), at(it.kept(), "p1")], [[60.0, 100.0], [120.0, 140.0]]);
    let expected = ["Definition goblin: Walker.speed 60 → 90", "goblin g1 moved 60, 100 → 80, 100"];
    assert_eq!(texts(&it.live_changes()), expected);
    // Where both changed the same, what is live stays live.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("(60.0, 100.0)", "(61.0, 100.0)")).unwrap();
    reload(&mut it, dir.path(), &yard());
    assert_eq!([at(it.project(), "g1"), at(it.kept(), "g1")], [[80.0, 100.0], [61.0, 100.0]]);
    // What is deleted there and live here is no longer of the files.
    let kept = it.kept().clone();
    let (n, _) = it.end_live().unwrap();
    assert!(n == 2 && it.project().has_same_documents(&kept));
    assert_eq!(it.unsaved(), []);
    assert_eq!(
        labels(&it),
        ["Reload levels/yard.ron", "Reload levels/yard.ron", "2 live changes", "Drop 2 live changes"]
    );
    assert_eq!(it.go_to_step(0).1, None);
    assert_eq!(at(it.project(), "p1"), [100.0, 150.0], "a reload can be undone as always");
}

#[test]
fn a_file_that_is_moved_or_removed_takes_live_changes_along_or_leaves_them() {
    let (dir, mut it) = in_folder();
    it.begin_live();
    step(&mut it, &[move_g1([20.0, 0.0])]);
    let to = path("levels/garden.ron");
    fs::rename(dir.path().join("levels/yard.ron"), dir.path().join(to.as_str())).unwrap();
    it.mark_dirty(io::DiskChange { rescan: true, ..io::DiskChange::default() });
    let scanned = it.scan().unwrap().run(&Folder::new(dir.path()));
    let followed = it.scanned(scanned);
    let label = followed.label();
    let _ = it.replace(&label, followed.reloads);
    assert!(it.project().level(&yard()).is_none() && it.kept().level(&yard()).is_none());
    assert_eq!(texts(&it.live_changes()), ["goblin g1 moved 60, 100 → 80, 100"]);
    assert_eq!(it.live_changes()[0].doc, to);
    fs::remove_file(dir.path().join(to.as_str())).unwrap();
    it.mark_dirty(io::DiskChange { rescan: true, ..io::DiskChange::default() });
    let scanned = it.scan().unwrap().run(&Folder::new(dir.path()));
    let followed = it.scanned(scanned);
    let label = followed.label();
    let _ = it.replace(&label, followed.reloads);
    assert!(it.kept().level(&to).is_none() && it.project().level(&to).is_some(), "it is live as a whole now");
    assert_eq!(texts(&it.live_changes()), ["levels/garden.ron added"]);
    let _ = it.end_live().unwrap();
    assert!(it.project().level(&to).is_none());
}

#[test]
fn reverting_a_document_drops_what_is_live_of_it() {
    let mut it = opened();
    step(&mut it, &[call("A")]);
    it.begin_live();
    step(&mut it, &[call("B"), paint()]);
    let _ = it.revert(&path("project.ron")).unwrap();
    assert_eq!((texts(&it.live_changes()), it.unsaved()), (vec!["Layer ground: 3 cells painted"], vec![]));
    let _ = it.undo(false, Some(&path("project.ron"))).unwrap();
    assert_eq!((it.live_changes().len(), it.unsaved()), (2, vec![path("project.ron")]));
}

// ---- whatever is done ----

/// A project without files.
fn of_project(project: Project) -> Workspace {
    let loaded =
        Loaded { project, sources: Sources::new(Path::new("game")), images: vec![], findings: vec![], unread: vec![] };
    let mut it = Workspace::default();
    it.open("game".into(), loaded, TuningOverlay::default());
    it
}

/// Something done while changes are live.
#[derive(Clone, Debug)]
enum Act {
    Edit(Box<Edit>),
    Drag(Box<Edit>, Phase),
    Undo(bool),
    GoTo(usize),
    /// Keep every so many.
    Keep(usize),
    Drop(usize),
    Kept(Box<Edit>),
}

fn some_act() -> impl Strategy<Value = Act> {
    let phase = prop::sample::select(vec![Phase::Preview, Phase::Commit, Phase::Cancel]);
    prop_oneof![
        8 => some_edit().prop_map(|edit| Act::Edit(Box::new(edit))),
        3 => (some_edit(), phase).prop_map(|(edit, phase)| Act::Drag(Box::new(edit), phase)),
        3 => any::<bool>().prop_map(Act::Undo),
        1 => (0..6_usize).prop_map(Act::GoTo),
        2 => (1..3_usize).prop_map(Act::Keep),
        1 => (1..3_usize).prop_map(Act::Drop),
        1 => some_edit().prop_map(|edit| Act::Kept(Box::new(edit))),
    ]
}

fn every(changes: Vec<LiveChange>, n: usize) -> Vec<LiveChange> {
    changes.into_iter().step_by(n).collect()
}

fn act(it: &mut Workspace, act: &Act) {
    match act {
        Act::Edit(edit) => _ = it.step(None, &[(**edit).clone()]),
        Act::Drag(edit, phase) => _ = it.drag("Drag", &[(**edit).clone()], *phase),
        Act::Undo(is_redo) => _ = it.undo(*is_redo, None),
        Act::GoTo(n) => _ = it.go_to_step(*n),
        Act::Keep(n) => {
            it.end_drag();
            let live = it.project().clone();
            let chosen = every(it.live_changes(), *n);
            if it.keep_live(&chosen).is_ok() {
                let left = it.live_changes();
                assert!(left.iter().all(|change| !chosen.contains(change)), "{chosen:?}, and left: {left:?}");
                assert!(is_same(it.project(), &live), "what is edited stays");
            }
        }
        Act::Drop(n) => {
            it.end_drag();
            let kept = it.kept().clone();
            let chosen = every(it.live_changes(), *n);
            if it.drop_live(&chosen).is_ok() {
                let left = it.live_changes();
                assert!(left.iter().all(|change| !chosen.contains(change)), "{chosen:?}, and left: {left:?}");
                assert!(it.kept().has_same_documents(&kept));
            }
        }
        Act::Kept(edit) => _ = it.kept_step(None, &[(**edit).clone()]),
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn whatever_is_done_live_the_end_gives_the_very_same_back(
        before in prop::collection::vec(some_edit(), 0..4),
        acts in prop::collection::vec(some_act(), 1..24),
    ) {
        let mut it = of_project(edited_project());
        let start = it.project().clone();
        before.iter().for_each(|edit| _ = it.step(None, std::slice::from_ref(edit)));
        let _ = it.undo(false, None);
        let begun = it.project().clone();
        it.begin_live();
        let keeps = |one: &Act| matches!(one, Act::Keep(_) | Act::Kept(_));
        for one in &acts {
            act(&mut it, one);
        }
        it.end_drag();
        let kept = it.kept().clone();
        prop_assert!(acts.iter().any(keeps) || kept.has_same_documents(&begun), "nothing was kept");
        let live = it.project().clone();
        let n_live = live_changes(&kept, &live).len();
        let (n, _) = it.end_live().unwrap();
        prop_assert_eq!(n, n_live);
        prop_assert!(it.project().has_same_documents(&kept), "the very same pointers");
        let n_done = it.history().n_done();
        // Where an older step was taken back alone, no place among the steps is this state.
        let is_a_place = it.history().steps().take(n_done).all(|(is_done, _)| is_done);
        if n > 0 {
            let (label, _) = it.undo(false, None).unwrap();
            prop_assert!(label.starts_with("Drop ") && it.project().has_same_documents(&live), "{}", label);
        }
        prop_assert_eq!(it.go_to_step(0).1, None);
        prop_assert!(is_same(it.project(), &start));
        prop_assert_eq!(it.go_to_step(n_done).1, None);
        prop_assert!(!is_a_place || it.project().has_same_documents(&kept));
    }

    #[test]
    fn one_after_another_all_changes_lead_from_one_project_to_the_other(
        edits in prop::collection::vec(some_edit(), 1..16),
        is_backward in any::<bool>(),
    ) {
        let mut it = of_project(edited_project());
        it.begin_live();
        edits.iter().for_each(|edit| _ = it.step(None, std::slice::from_ref(edit)));
        loop {
            let all = it.live_changes();
            let Some(one) = (if is_backward { all.last() } else { all.first() }) else { break };
            let one = std::slice::from_ref(one);
            // One that cannot be alone goes with all others.
            if it.keep_live(one).is_err() {
                prop_assert!(it.keep_live(&all).is_ok());
            }
            prop_assert!(it.live_changes().len() < all.len(), "{:?} does not get less", one);
        }
        let (kept, live) = (it.kept(), it.project());
        prop_assert!(kept.documents.keys().eq(live.documents.keys()));
        for (at, document) in &kept.documents {
            prop_assert!(io::same(document, live.doc(at).unwrap()), "{}", at);
        }
    }
}
