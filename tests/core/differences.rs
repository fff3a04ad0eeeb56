//! What two states of a project say differently: nothing that a file would say otherwise is left out, a new name is one
//! place, and what did not change is not looked into.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    edit::{Edit, RefKind, TypedRefs, apply},
    io::{codec, differences},
    model::*,
};
use proptest::prelude::*;

use crate::{
    build::path,
    cases::cases,
    edit::{project, schema, some_edit},
};

/// One line per difference: place, `!` where it is a name, before and after.
fn listed(before: &Project, after: &Project) -> Vec<String> {
    let side = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let line = |it: Difference| {
        let key = if it.location.at_key { "!" } else { "" };
        let Location { doc, path, .. } = it.location;
        format!("{doc}: {path}{key}: {} -> {}", side(it.before), side(it.after))
    };
    differences(before, after).into_iter().map(line).collect()
}

fn made(edits: &[Edit]) -> Vec<String> {
    let before = project();
    let mut after = before.clone();
    for edit in edits {
        apply(&mut after, edit).unwrap();
    }
    listed(&before, &after)
}

#[test]
fn a_renamed_definition_is_a_name_and_its_uses() {
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    let edit = Edit::rename(&path("entities/all.ron"), "goblin", "orc", typed);
    let expected = [
        "entities/all.ron: goblin!: \"goblin\" -> \"orc\"",
        "entities/all.ron: nest.set.Spawner.def: \"goblin\" -> \"orc\"",
        "entities/all.ron: nest.set.Spawner.more[1]: \"goblin\" -> \"orc\"",
        "levels/yard.ron: layers[1].entities.a1.def: \"goblin\" -> \"orc\"",
        "levels/yard.ron: layers[1].entities.b2.def: \"goblin\" -> \"orc\"",
        "machines/all.ron: sentry.states.Patrol.enter[0].def: \"goblin\" -> \"orc\"",
        "machines/all.ron: sentry.states.Patrol.enter[1].target: \"goblin\" -> \"orc\"",
        "machines/all.ron: sentry.states.Patrol.enter[1].tag: \"def:goblin\" -> \"def:orc\"",
        "scenarios/first.ron: script[0].to: \"def:goblin\" -> \"def:orc\"",
    ];
    assert_eq!(made(&[edit]), expected);
}

#[test]
fn renamed_states_layers_and_files_are_names_too() {
    let state = Edit::RenameState {
        doc: path("machines/all.ron"),
        machine: "sentry".into(),
        state: "Attack/Aim".into(),
        to: "Point".into(),
    };
    let typed = TypedRefs::none(RefKind::Layer);
    let layer = Edit::rename(&path("levels/yard.ron"), "patrol", "route", typed);
    let typed = TypedRefs::of(&schema(), RefKind::Level);
    let file = Edit::MoveDocument { doc: path("levels/yard.ron"), to: path("levels/court.ron"), typed };
    let expected = [
        "levels/yard.ron: : levels/yard.ron -> levels/court.ron",
        "levels/yard.ron: layers[2].name: \"patrol\" -> \"route\"",
        "machines/all.ron: sentry.states.Attack.initial: \"Aim\" -> \"Point\"",
        "machines/all.ron: sentry.states.Attack.states.Aim!: \"Aim\" -> \"Point\"",
        "machines/all.ron: sentry.states.Attack.states.Fire.enter[0].state: \"Attack/Aim\" -> \"Attack/Point\"",
        "machines/all.ron: sentry.layout.Attack/Aim!: \"Attack/Aim\" -> \"Attack/Point\"",
        "machines/all.ron: other.enter[0].state: \"Attack/Aim\" -> \"Attack/Point\"",
        "project.ron: start_level: \"yard\" -> \"court\"",
        "scenarios/first.ron: level: \"yard\" -> \"court\"",
        "scenarios/first.ron: expect[0].state: \"Attack/Aim\" -> \"Attack/Point\"",
    ];
    assert_eq!(made(&[state, layer, file]), expected);
}

#[test]
fn what_comes_goes_and_moves_is_said_once() {
    let at = || path("levels/yard.ron");
    let moved = Edit::Move { doc: at(), at: FieldPath::keys(["layers", "patrol"]), to: 0 };
    assert_eq!(
        made(&[moved]),
        [
            "levels/yard.ron: layers!: order: Tiles ground, Entities actors, Waypoints patrol -> order: Waypoints patrol, Tiles ground, Entities actors"
        ]
    );
    let gone = Edit::Remove { doc: path("entities/all.ron"), at: FieldPath::keys(["nest"]) };
    assert_eq!(
        made(&[gone]),
        ["entities/all.ron: nest: (set: (Spawner: (def: \"goblin\", more: [\"monster\", \"goblin\"]))) -> -"]
    );
    let abstract_now = Edit::set_at(&path("entities/all.ron"), FieldPath::keys(["nest", "abstract"]), &true);
    assert_eq!(made(&[abstract_now]), ["entities/all.ron: nest.abstract: - -> true"]);
    let parents: Vec<Name> = vec!["nest".into(), "monster".into()];
    let parents = Edit::set_at(&path("entities/all.ron"), FieldPath::keys(["goblin", "inherits"]), &parents);
    assert_eq!(made(&[parents]), ["entities/all.ron: goblin.inherits[0]: - -> \"nest\""]);
    let painted = Edit::PaintTiles { doc: at(), layer: "ground".into(), cells: vec![([2, 20], Tile::EMPTY)] };
    assert_eq!(made(&[painted]), ["levels/yard.ron: layers[0].chunks.(0, 0)[20]: \"32*1\" -> \"1 1 . 29*1\""]);
    let swapped = Edit::DeleteThings { doc: at(), ids: vec!["a1".into()] };
    let found = made(&[swapped]);
    assert!(found.len() == 1 && found[0].starts_with("levels/yard.ron: layers[1].entities.a1: (def:"), "{found:?}");
}

#[test]
fn a_whole_number_is_the_same_with_a_dot() {
    let whole = crate::build::of_defs([("a", crate::build::Say::set(crate::build::def(&[]), "Loot", "gold", 3_i64))]);
    let dotted = crate::build::of_defs([("a", crate::build::Say::set(crate::build::def(&[]), "Loot", "gold", 3.0))]);
    assert!(listed(&whole, &dotted).is_empty());
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_file_differs_where_its_text_would(edits in prop::collection::vec(some_edit(), 1..8)) {
        let before = project();
        let mut after = before.clone();
        for edit in &edits {
            let mut next = after.clone();
            if apply(&mut next, edit).is_ok() {
                after = next;
            }
        }
        let found = differences(&before, &after);
        let listed_docs: BTreeSet<DocPath> = found.iter().map(|it| it.location.doc.clone()).collect();
        let text = |doc: Option<&Arc<Document>>| doc.map(|doc| codec::encode(doc));
        for doc in before.documents.keys() {
            let changed = text(before.doc(doc)) != text(after.doc(doc));
            prop_assert_eq!(listed_docs.contains(doc), changed, "{} in {:?}", doc, listed(&before, &after));
        }
        for it in &found {
            prop_assert!(it.before != it.after, "{:?}", it);
        }
        // And the way back tells of the same places.
        prop_assert_eq!(differences(&after, &before).is_empty(), found.is_empty());
        prop_assert!(differences(&after, &after.clone()).is_empty());
    }
}
