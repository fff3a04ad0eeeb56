//! Changes: that each does what it says, that refused ones do nothing, and that undoing everything gives the same
//! pointers back whatever was done in between.

mod clipboard;
mod history;
mod levels;
mod overrides;
mod places;
mod random;
mod renaming;

pub(crate) use random::{other_edit, some_edit};

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    edit::{
        CopiedState, Declared, Edit, Fragment, Gesture, History, Owner, RefKind, Stamp, TypedRefs, UndoError, apply,
        apply_all, copy_states, copy_things, declare_in_field, duplicate_things, layer_for_things, paste_states,
        paste_things, state_at,
    },
    model::*,
};

use proptest::prelude::*;

use crate::cases::{cases, runner};

fn path(text: &str) -> DocPath {
    DocPath::new(text).unwrap()
}

fn name(text: &str) -> Name {
    text.into()
}

fn number(x: f64) -> Value {
    Value::Float(x)
}

/// The schema the tests rename by: a field, an argument and a payload of each interesting kind.
pub(crate) fn schema() -> Schema {
    let mut schema = Schema::default();
    let spec = |fields: &[(&str, FieldType)]| {
        fields
            .iter()
            .map(|(name, ty)| ((*name).into(), FieldSpec::of(ty.clone())))
            .collect::<indexmap::IndexMap<_, _>>()
    };
    let list = |ty| FieldType::List(Box::new(ty));
    for (component, fields) in [
        ("Brain", spec(&[("machines", list(FieldType::Machine))])),
        ("Spawner", spec(&[("def", FieldType::Def), ("more", list(FieldType::Def))])),
        ("Floor", spec(&[("tile", FieldType::Tile), ("set", FieldType::Tileset), ("to", FieldType::Level)])),
        ("Knob", spec(&[("value", FieldType::Tunable)])),
    ] {
        schema.components.insert(component.into(), ComponentSpec { fields, ..ComponentSpec::default() });
    }
    for (call, args) in [
        ("Spawn", spec(&[("def", FieldType::Def)])),
        ("StartMachine", spec(&[("machine", FieldType::Machine)])),
        ("InState", spec(&[("state", FieldType::State), ("machine", FieldType::Machine)])),
        ("Chase", spec(&[("target", FieldType::Target), ("tag", FieldType::Str)])),
        ("SetField", spec(&[("field", FieldType::Field)])),
        ("HasComponent", spec(&[("component", FieldType::Component)])),
        ("Send", spec(&[("message", FieldType::Message), ("to", FieldType::Target)])),
    ] {
        schema.actions.insert(call.into(), CallSpec { args, ..CallSpec::default() });
    }
    schema
}

fn fields(list: &[(&str, Value)]) -> Fields {
    list.iter().map(|(name, value)| ((*name).into(), value.clone())).collect()
}

fn def(inherits: &[&str], set: &[(&str, &[(&str, Value)])]) -> Arc<EntityDef> {
    let mut def = EntityDef { inherits: inherits.iter().map(|it| name(it)).collect(), ..EntityDef::default() };
    def.ops.set = set.iter().map(|(component, said)| (name(component), fields(said))).collect();
    Arc::new(def)
}

fn call(action: &str, args: &[(&str, &str)]) -> Call {
    Call { name: name(action), args: args.iter().map(|(arg, text)| (name(arg), Value::str(*text))).collect() }
}

fn transition(to: &str) -> Transition {
    Transition { trigger: Trigger::On(name("Go")), guard: None, actions: vec![], to: name(to) }
}

/// A small project with one document of every kind the edits are about.
pub(crate) fn project() -> Project {
    let mut project = Project::default();
    let mut put = |at: &str, document| project.documents.insert(path(at), Arc::new(document));
    put(
        "project.ron",
        Document::Project(ProjectFile { start_level: name("yard"), name: "Keep".into(), ..ProjectFile::default() }),
    );
    let mut file = EntitiesFile::default();
    file.defs.insert(name("monster"), def(&[], &[("Health", &[("max", number(20.0))])]));
    file.defs
        .insert(name("goblin"), def(&["monster"], &[("Brain", &[("machines", Value::List(vec!["sentry".into()]))])]));
    file.defs.insert(
        name("nest"),
        def(
            &[],
            &[("Spawner", &[("def", "goblin".into()), ("more", Value::List(vec!["monster".into(), "goblin".into()]))])],
        ),
    );
    put("entities/all.ron", Document::Entities(file));

    let mut machine = Machine::default();
    let mut attack = State { initial: Some(name("Aim")), ..State::default() };
    attack
        .states
        .insert(name("Aim"), State { transitions: vec![transition("Fire"), transition("Patrol")], ..State::default() });
    attack
        .states
        .insert(name("Fire"), State { enter: vec![call("SetState", &[("state", "Attack/Aim")])], ..State::default() });
    let patrol = State {
        transitions: vec![transition("Attack")],
        enter: vec![call("Spawn", &[("def", "goblin")]), call("Chase", &[("target", "goblin"), ("tag", "def:goblin")])],
        ..State::default()
    };
    machine.root.states.insert(name("Patrol"), patrol);
    machine.root.states.insert(name("Attack"), attack);
    machine.root.initial = Some(name("Patrol"));
    machine.layout = [(name("Patrol"), [0.0, 0.0]), (name("Attack"), [200.0, 0.0]), (name("Attack/Aim"), [10.0, 10.0])]
        .into_iter()
        .collect();
    let mut other = Machine::default();
    other.root.enter = vec![
        call("InState", &[("state", "Attack/Aim"), ("machine", "sentry")]),
        call("StartMachine", &[("machine", "sentry")]),
    ];
    let machines = [(name("sentry"), Arc::new(machine)), (name("other"), Arc::new(other))].into_iter().collect();
    put("machines/all.ron", Document::Machines(MachinesFile { machines }));

    let mut tiles = Tiles::default();
    for x in 0..40 {
        tiles.set([x, 20], Tile::id_only(1));
    }
    let mut entities = indexmap::IndexMap::new();
    for (id, x) in [("a1", 8.0), ("b2", 40.0)] {
        let mut it = Instance::new(name("goblin"), [x, 64.0]);
        it.ops.set.insert(name("Health"), fields(&[("max", number(45.0))]));
        entities.insert(name(id), Arc::new(it));
    }
    let mut graph = WaypointGraph::default();
    for (id, x) in [("n1", 8.0), ("n2", 24.0), ("n3", 40.0)] {
        graph.nodes.insert(name(id), Node { at: [x, 8.0], tags: vec![] });
    }
    graph.links.push(Link { from: name("n1"), to: name("n2"), cost: None, one_way: false, by: LinkBy::Hand });
    let layers = vec![
        Arc::new(Layer::new(name("ground"), LayerContent::Tiles(TileLayer::new(name("keep"), tiles)))),
        Arc::new(Layer::new(name("actors"), LayerContent::Entities(entities))),
        Arc::new(Layer::new(name("patrol"), LayerContent::Waypoints(graph))),
    ];
    put("levels/yard.ron", Document::Level(Level { layers, ..Level::default() }));

    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { name: "stone".into(), ..TileDef::default() });
    put("tilesets/keep.ron", Document::Tileset(tileset));
    let knob = Tunable { min: Some(0.0), max: Some(2.0), ..Tunable::of(number(0.3)) };
    let values = [(name("smooth"), knob)].into_iter().collect();
    put("tuning/camera.ron", Document::Tuning(TuningPage { page: name("Camera"), order: 1, values }));
    let cue = |what| Cue { at: 0.0, what };
    put(
        "scenarios/first.ron",
        Document::Scenario(Scenario {
            level: name("yard"),
            secs: 1.0,
            seed: None,
            script: vec![
                cue(CueKind::Send(SendCue { to: "def:goblin".into(), message: name("Go"), payload: Fields::new() })),
                cue(CueKind::Tune(TuneCue { name: "Camera.smooth".into(), value: number(1.0) })),
            ],
            expect: vec![Expectation {
                when: When::At(1.0),
                entity: "a1".into(),
                what: Expected::State(ExpectedState { state: "Attack/Aim".into(), machine: Some(name("sentry")) }),
            }],
        }),
    );
    project
}

fn yard() -> DocPath {
    path("levels/yard.ron")
}

fn goblin() -> Owner {
    Owner::Def { doc: path("entities/all.ron"), name: name("goblin") }
}

fn sentry(project: &Project) -> &Machine {
    project.machine(&path("machines/all.ron"), "sentry").unwrap()
}

fn level(project: &Project) -> &Level {
    project.level(&yard()).unwrap()
}

fn tiles(project: &Project) -> &Tiles {
    &level(project).layers[0].tiles().unwrap().tiles
}

fn make(project: &mut Project, edit: &Edit) {
    apply(project, edit).unwrap_or_else(|refusal| panic!("{}: {refusal}", edit.label()));
}

fn same_pointers(a: &Project, b: &Project) -> bool {
    a.documents.len() == b.documents.len()
        && a.documents.iter().zip(&b.documents).all(|((p, x), (q, y))| p == q && Arc::ptr_eq(x, y))
}

/// What must hold of every project that edits made.
fn check_invariants(project: &Project) {
    for (_, level) in project.levels() {
        let mut ids = BTreeSet::new();
        let mut names = BTreeSet::new();
        for layer in level.all_layers() {
            assert!(names.insert(layer.name.clone()), "two layers are called {}", layer.name);
            assert!((0.0..=1.0).contains(&layer.opacity));
            match &layer.content {
                LayerContent::Tiles(tiles) => {
                    for (at, chunk) in tiles.tiles.chunks() {
                        assert!(!chunk.is_empty(), "chunk {at:?} is empty");
                    }
                    if let Some([w, h]) = level.size {
                        for ([x, y], _) in tiles.tiles.iter() {
                            assert!(x >= 0 && y >= 0 && x < w as i32 && y < h as i32, "a tile outside, at {x}, {y}");
                        }
                    }
                }
                LayerContent::Group(_) => {}
                LayerContent::Image(image) => assert!(!image.image.is_empty()),
                LayerContent::Values(values) => assert!(values.values.iter().all(|(_, tile)| ValueLayer::allows(tile))),
                LayerContent::Entities(all) => {
                    for (id, it) in all {
                        assert!(ids.insert(id.clone()), "the id {id} is there twice");
                        assert!(it.at.iter().chain([&it.rotation]).all(|x| x.is_finite()));
                    }
                }
                LayerContent::Waypoints(graph) => {
                    for (id, node) in &graph.nodes {
                        assert!(ids.insert(id.clone()), "the id {id} is there twice");
                        assert!(node.at.iter().all(|x| x.is_finite()));
                    }
                    for link in &graph.links {
                        assert!(graph.nodes.contains_key(&link.from) && graph.nodes.contains_key(&link.to));
                        assert!(link.from != link.to);
                    }
                }
            }
        }
    }
    let mut defs = BTreeSet::new();
    let mut machines = BTreeSet::new();
    for (path, doc) in &project.documents {
        assert_eq!(path.kind(), Some(doc.kind()));
        match &**doc {
            Document::Entities(file) => assert!(file.defs.keys().all(|name| defs.insert(name.clone()))),
            Document::Machines(file) => {
                for (name, machine) in &file.machines {
                    assert!(machines.insert(name.clone()));
                    for path in machine.layout.keys() {
                        assert!(machine.state(path).is_some() && !path.is_empty(), "{path} is placed but not there");
                    }
                    for path in machine.paths() {
                        for way in &machine.state(&path).unwrap().transitions {
                            assert!(
                                machine.find(&way.to).is_ok(),
                                "{path} leads to {}: {:?}",
                                way.to,
                                machine.find(&way.to)
                            );
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

fn of_layer(layer: &str, field: &str) -> FieldPath {
    FieldPath::keys(["layers", layer, field])
}

fn placed(layer: &str, id: &str, field: &str) -> FieldPath {
    FieldPath::keys(["layers", layer, "entities", id, field])
}
