//! The four parts of the program's state, each driven by its own functions, without a window.

mod controls;
mod derivation;
mod live;
mod new_tileset;
mod play_camera;
mod preview_host;
mod routes;
mod workbench;
mod workspace;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use levelwright::{
    defs::resolve,
    edit::{Edit, Owner, try_value},
    editor::{Derivation, Workspace},
    io::{Loaded, Sources, source_of},
    model::{DocPath, FieldPath, Project, Tunable, TuningOverlay, TuningSide, Value},
    refactor::{NameKind, Named, rename},
};

use crate::{
    build::path,
    world::{FLOOR, builtin},
};

const ENTITIES: &str = r#"{
    "goblin": (set: (
        Walker: (speed: 60.0), Body: (), Collider: (shape: Box((10.0, 16.0))), Brain: (machines: ["guard"]), Loot: (gold: 3),
    )),
    "chief": (inherits: ["goblin"], set: (Health: (max: 20.0))),
}"#;

const PLAYER: &str =
    r#"{ "player": (set: (CameraTarget: (), Body: (), Collider: (shape: Box((10.0, 16.0))), Nothing: ())) }"#;

const MACHINES: &str = r#"{ "guard": (initial: "Patrol", states: {
    "Patrol": (transitions: [(after: 0.1, to: "Attack")]),
    "Attack": (initial: "Aim", states: {
        "Aim": (transitions: [(after: 0.2, to: "Fire"), (after: 9.0, to: "Patrol")]),
        "Fire": (),
    }),
}) }"#;

const YARD: &str = r#"(size: (32, 12), tile_size: (16, 16), layers: [
    Tiles(name: "ground", tileset: "t", chunks: { (0, 0): ["", "", "", "", "", "", "", "", "", "", "32*1"] }),
    Entities(name: "actors", entities: {
        "g1": (def: "goblin", at: (60.0, 100.0)),
        "p1": (def: "player", at: (100.0, 150.0)),
    }),
    Waypoints(name: "patrol", nodes: { "n1": (at: (40.0, 150.0)), "n2": (at: (200.0, 150.0)) }),
])"#;

const EMPTY_LEVEL: &str = r#"(size: (8, 8), tile_size: (16, 16), layers: [Entities(name: "actors", entities: {})])"#;

/// A small game: `player` has a component that no schema declares.
const FILES: [(&str, &str); 11] = [
    ("project.ron", r#"(format: 1, name: "Game", start_level: "yard")"#),
    ("entities/goblins.ron", ENTITIES),
    ("entities/player.ron", PLAYER),
    ("machines/guard.ron", MACHINES),
    ("levels/attic.ron", EMPTY_LEVEL),
    ("levels/cave.ron", EMPTY_LEVEL),
    ("levels/yard.ron", YARD),
    ("schemas/game.ron", r#"(components: { "Loot": (fields: { "gold": (type: Int, default: 0) }) })"#),
    ("tilesets/t.ron", FLOOR),
    ("tuning/camera.ron", r#"(page: "Camera", values: { "follow": (value: true) })"#),
    ("tuning/combat.ron", r#"(page: "Combat", values: { "damage": (value: 8.0), "range": (value: 50.0) })"#),
];

/// A project as it is read from these files.
fn read(files: &[(&str, &str)]) -> Loaded {
    let mut sources = Sources::new(Path::new("game"));
    let mut documents = BTreeMap::new();
    for (at, text) in files {
        let source = source_of(&path(at), text.as_bytes().to_vec());
        assert_eq!(source.findings, [], "{at}");
        documents.insert(path(at), source.document.clone().unwrap());
        sources.put(path(at), source);
    }
    Loaded {
        project: documents.into_iter().collect(),
        sources,
        images: Vec::new(),
        findings: Vec::new(),
        unread: Vec::new(),
    }
}

/// The small game, opened.
fn opened() -> Workspace {
    let mut workspace = Workspace::default();
    workspace.open("game".into(), read(&FILES), TuningOverlay::default());
    workspace
}

fn yard() -> DocPath {
    path("levels/yard.ron")
}

fn derivation() -> Derivation {
    Derivation::new(builtin())
}

/// Run the job that is due. Returns whether there was one.
fn derive(derived: &mut Derivation, workspace: &Workspace, level: Option<&DocPath>) -> bool {
    let Some(job) = derived.start(workspace, level) else { return false };
    derived.take(job.run());
    true
}

/// Call the project something.
fn call(name: &str) -> Edit {
    Edit::set_at(&path("project.ron"), FieldPath::keys(["name"]), &name.to_owned())
}

/// Set the speed of goblins.
fn speed(speed: f64) -> Edit {
    let owner = Owner::Def { doc: path("entities/goblins.ron"), name: "goblin".into() };
    Edit::set(owner, "Walker", "speed", speed.into())
}

/// An edit that is refused.
fn refused() -> Edit {
    Edit::Remove { doc: path("entities/goblins.ron"), at: FieldPath::keys(["nobody"]) }
}

/// Try out a value of `Combat.damage` in set B; 8 is the declared one.
fn damage(project: &Project, value: f64) -> Edit {
    try_value(project, TuningSide::B, &"Combat.damage".into(), &Tunable::of(8.0), Value::Float(value))
}

/// The project after something was renamed with every use of it.
fn renamed(project: &Project, kind: NameKind, name: &str, to: &str) -> Project {
    let plan = rename(project, &resolve(project, &builtin(), None), &Named::new(kind, name), to).unwrap();
    plan.tried_on(project).unwrap()
}

/// Whether two projects hold the very same documents and values that are tried out.
fn is_same(a: &Project, b: &Project) -> bool {
    a.has_same_documents(b) && Arc::ptr_eq(&a.tuning_overlay, &b.tuning_overlay)
}
