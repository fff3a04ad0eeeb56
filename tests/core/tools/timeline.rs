//! Keys on a time line: what is made of the tracks, and which definition declares it.

use std::collections::BTreeSet;

use levelwright::{
    edit::{Owner, apply_all},
    model::{DocPath, Value},
    sim::{
        components::{posed_by_tracks, tracks_of},
        tracks::Driven,
    },
    tools::timeline::{
        KeyAt, copied_keys, drivable, keys_of, moved_keys, pasted_keys, ruler_steps, snapped, timeline_edits,
        tracks_value, with_key, with_key_field, with_track, without_keys, without_track,
    },
};

use crate::world::{builtin, project};

const DEFS: &str = r##"{
    "lamp": (set: (Sprite: (tint: "#102030"), Walker: (speed: 50.0), Tracks: (tracks: {
        "a": (field: "Walker.speed", keys: [(at: 0.0, value: 10.0), (at: 1.0, value: 20.0, ease: EaseIn), (at: 2.0, value: 30.0)]),
        "b": (field: "Sprite.tint", keys: [(value: "#000000"), (at: 0.5, value: "#ffffff")]),
    }))),
    "child": (inherits: ["lamp"]),
}"##;

fn tracks() -> Value {
    let (_, resolution) = project(&[("entities/e.ron", DEFS)]);
    tracks_value(&resolution.defs["lamp"])
}

fn picked(keys: &[(&str, usize)]) -> BTreeSet<KeyAt> {
    keys.iter().map(|(track, key)| KeyAt { track: (*track).into(), key: *key }).collect()
}

fn times(tracks: &Value, track: &str) -> Vec<f64> {
    keys_of(tracks, track).map(|(at, _)| at).collect()
}

fn values(tracks: &Value, track: &str) -> String {
    keys_of(tracks, track).map(|(_, key)| key.field("value").unwrap().to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_move_together_past_others_and_no_farther_than_the_start() {
    let all = tracks();
    let (moved, now) = moved_keys(&all, &picked(&[("a", 0), ("b", 1)]), 1.25);
    assert_eq!((times(&moved, "a"), times(&moved, "b")), (vec![1.0, 1.25, 2.0], vec![0.0, 1.75]));
    assert_eq!(values(&moved, "a"), "20.0 10.0 30.0");
    assert_eq!(now, picked(&[("a", 1), ("b", 1)]), "those that were moved stay picked");
    let (moved, _) = moved_keys(&all, &picked(&[("a", 1), ("a", 2)]), -5.0);
    assert_eq!(
        (times(&moved, "a"), values(&moved, "a")),
        (vec![0.0, 1.0], "20.0 30.0".to_owned()),
        "it replaces what it lies on"
    );
    assert_eq!(moved_keys(&all, &picked(&[("a", 1)]), 0.0).0, all);
    let (moved, now) = moved_keys(&all, &picked(&[("a", 7), ("nothing", 0)]), 1.0);
    assert_eq!((times(&moved, "a"), now.len()), (times(&all, "a"), 0), "what is not there is left out");
}

#[test]
fn a_new_key_has_the_value_and_the_ease_of_its_time() {
    let (_, resolution) = project(&[("entities/e.ron", DEFS)]);
    let read = tracks_of(&resolution, &resolution.defs["lamp"]);
    let all = tracks();
    let (with, at) = with_key(&all, &read[0], 1.5).unwrap();
    assert_eq!((times(&with, "a"), &*values(&with, "a")), (vec![0.0, 1.0, 1.5, 2.0], "10.0 20.0 21.25 30.0"));
    assert_eq!(at, KeyAt { track: "a".into(), key: 2 });
    assert_eq!(keys_of(&with, "a").nth(2).unwrap().1.field("ease"), Some(&Value::Symbol("EaseIn".into())));
    let (same, at) = with_key(&all, &read[0], 1.0).unwrap();
    assert_eq!((same, at.key), (all.clone(), 1), "there is one");
    assert_eq!(values(&with_key(&all, &read[1], 0.25).unwrap().0, "b"), r##""#000000" "#808080" "#ffffff""##);
}

#[test]
fn keys_are_deleted_eased_copied_and_pasted() {
    let all = tracks();
    assert_eq!(times(&without_keys(&all, &picked(&[("a", 0), ("a", 2), ("b", 0)])), "a"), [1.0]);
    let eased = with_key_field(&all, &picked(&[("a", 0), ("a", 1)]), "ease", Some(&Value::Symbol("Step".into())));
    let eases = |of: &Value| keys_of(of, "a").map(|(_, key)| key.field("ease").is_some()).collect::<Vec<_>>();
    assert_eq!(eases(&eased), [true, true, false]);
    assert_eq!(eases(&with_key_field(&all, &picked(&[("a", 1)]), "ease", None)), [false; 3]);
    let text = copied_keys(&all, &picked(&[("a", 1), ("a", 2)]));
    let (pasted, now) = pasted_keys(&all, &text, 2.0, None).unwrap();
    assert_eq!((times(&pasted, "a"), &*values(&pasted, "a")), (vec![0.0, 1.0, 2.0, 3.0], "10.0 20.0 20.0 30.0"));
    assert_eq!(now, picked(&[("a", 2), ("a", 3)]));
    let (pasted, _) = pasted_keys(&all, &text, 0.1, Some(&"b".into())).unwrap();
    assert_eq!(times(&pasted, "b"), [0.0, 0.1, 0.5, 1.1]);
    for wrong in ["", "{", "[1, 2]", "{\"a\": 3}", "{\"a\": [(at: 1.0)]}", "{\"z\": [(at: 1.0, value: 2.0)]}", "{}"] {
        assert!(pasted_keys(&all, wrong, 0.0, None).is_err(), "{wrong}");
    }
}

#[test]
fn times_keep_to_the_steps_of_the_ruler() {
    assert_eq!(
        [snapped(0.337, Some(0.05)), snapped(0.3372, None), snapped(-3.0, Some(0.05)), snapped(1e9, None)],
        [0.35, 0.337, 0.0, 3600.0]
    );
    for zoom in [0.05, 0.2, 1.0, 30.0, 160.0, 500.0, 8000.0] {
        let (major, minor) = ruler_steps(zoom);
        let parts = major / minor;
        assert!(major * zoom >= 64.0 && (parts - parts.round()).abs() < 1e-6, "{zoom}: {major} and {minor}");
    }
}

#[test]
fn a_new_track_begins_with_the_value_that_is_there() {
    let (_, resolution) = project(&[("entities/e.ron", DEFS)]);
    let (lamp, all) = (&resolution.defs["lamp"], tracks());
    let all_driven = drivable(&resolution, lamp);
    assert!(all_driven.iter().any(|(it, _)| *it == Driven::Field("Walker.jump_speed".into())));
    assert!(!all_driven.iter().any(|(it, _)| matches!(it, Driven::Field(path) if path.starts_with("Tracks."))));
    let (with, name) = with_track(&all, &resolution, lamp, &Driven::Field("Sprite.tint".into()));
    assert_eq!((&*name, &*values(&with, "tint")), ("tint", r##""#102030" "#102030""##));
    let (with, name) = with_track(&with, &resolution, lamp, &Driven::Field("Sprite.tint".into()));
    assert_eq!(&*name, "tint_2");
    let (with, name) = with_track(&with, &resolution, lamp, &Driven::Position);
    assert_eq!((&*name, with.field("position").unwrap().field("added")), ("position", Some(&Value::Bool(true))));
}

#[test]
fn a_descendant_declares_what_it_changes_and_no_more() {
    let (project, resolution) = project(&[("entities/e.ron", DEFS)]);
    let owner = Owner::Def { doc: DocPath::new("entities/e.ron").unwrap(), name: "child".into() };
    let child = &resolution.defs["child"];
    let before = tracks_value(child);
    let after_edits = |after: &Value| {
        let edits = timeline_edits(&project, &resolution, (&owner, child), (&before, after));
        let mut changed = project.clone();
        apply_all(&mut changed, &edits).unwrap();
        let resolved = levelwright::defs::resolve(&changed, &builtin(), None);
        assert_eq!(tracks_value(&resolved.defs["child"]).field("b"), before.field("b"));
        let def = changed.def(&DocPath::new("entities/e.ron").unwrap(), "child").unwrap().clone();
        (tracks_value(&resolved.defs["child"]), def)
    };
    let (moved, _) = moved_keys(&before, &picked(&[("a", 1)]), 0.5);
    let (now, def) = after_edits(&moved);
    assert_eq!((times(&now, "a"), values(&now, "a")), (vec![0.0, 1.5, 2.0], values(&before, "a")));
    let declared = &def.ops.set["Tracks"]["tracks"];
    assert!(declared.field("a").unwrap().field("field").is_none() && declared.field("b").is_none(), "{declared}");
    let (with, _) = with_track(&before, &resolution, child, &Driven::Rotation);
    assert!(after_edits(&with).0.field("rotation").is_some());
    let (now, def) = after_edits(&without_track(&before, "a"));
    assert!(now.field("a").is_none() && def.ops.remove.len() == 1, "an ancestor's is taken away: {:?}", def.ops.remove);
}

#[test]
fn a_thing_is_shown_as_its_tracks_have_it_at_a_time() {
    let defs = r##"{ "g": (set: (Sprite: (tint: "#000000"), Walker: (speed: 50.0), Tracks: (tracks: {
        "way": (drives: Position, added: true, mode: PingPong, keys: [(value: (0.0, 0.0)), (at: 1.0, value: (8.0, -16.0))]),
        "turn": (drives: Rotation, keys: [(value: 0.0), (at: 2.0, value: 90.0)]),
        "tint": (field: "Sprite.tint", keys: [(value: "#000000"), (at: 1.0, value: "#ffffff")]),
        "pace": (field: "Walker.speed", added: true, keys: [(value: 0.0), (at: 1.0, value: 10.0)]),
    }))) }"##;
    let (_, resolution) = project(&[("entities/e.ron", defs)]);
    let posed = posed_by_tracks(&resolution, &resolution.defs["g"], ([100.0, 50.0], 30.0), 1.5);
    assert_eq!((posed.pos, posed.rotation), ([104.0, 42.0], 67.5));
    assert_eq!(posed.resolved.get("Sprite", "tint"), Some(&Value::str("#ffffff")));
    assert_eq!(posed.resolved.get("Walker", "speed"), Some(&Value::Float(60.0)));
}
