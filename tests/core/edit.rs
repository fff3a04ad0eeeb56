//! Changes: that each does what it says, that refused ones do nothing, and that undoing everything gives the same
//! pointers back whatever was done in between.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    edit::{
        CopiedState, Declared, Edit, Fragment, Gesture, History, Owner, RefKind, Stamp, Stuck, TypedRefs, apply,
        apply_all, copy_states, copy_things, paste_states, paste_things, say_in_field, state_at,
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
        Arc::new(Layer::new(
            name("ground"),
            LayerContent::Tiles(TileLayer { tileset: name("keep"), collide: true, tiles }),
        )),
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
        for layer in &level.layers {
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

// ---- random edits ----

fn some_name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["goblin", "monster", "nest", "orc", "", " x", "imp"]).prop_map(name)
}

fn some_id() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a1", "b2", "n1", "n2", "n3", "q7", "q8"]).prop_map(name)
}

fn some_layer() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["ground", "actors", "patrol", "walls"]).prop_map(name)
}

fn some_float() -> impl Strategy<Value = f64> {
    prop_oneof![8 => -100.0..100.0_f64, 1 => Just(f64::NAN), 1 => Just(0.0)]
}

fn some_place() -> impl Strategy<Value = [f64; 2]> {
    [some_float(), some_float()]
}

fn some_state() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["", "Patrol", "Attack", "Attack/Aim", "Attack/Fire", "Rest", "Patrol/Aim", "Attack/Rest"])
        .prop_map(name)
}

fn some_state_name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["Patrol", "Aim", "Fire", "Rest", "a/b"]).prop_map(name)
}

fn some_owner() -> impl Strategy<Value = Owner> {
    prop_oneof![
        some_name().prop_map(|name| Owner::Def { doc: path("entities/all.ron"), name }),
        (some_layer(), some_id()).prop_map(|(layer, id)| Owner::Instance { doc: yard(), layer, id }),
    ]
}

fn some_inner() -> impl Strategy<Value = FieldPath> {
    prop::sample::select(vec![
        FieldPath::root(),
        FieldPath::root().key("x"),
        FieldPath::root().key("x").key("y"),
        FieldPath::root().index(0),
    ])
}

fn definition_edit() -> impl Strategy<Value = Edit> {
    let doc = || path("entities/all.ron");
    let component = || prop::sample::select(vec!["Health", "Brain", "Spawner"]).prop_map(name);
    let field = || prop::sample::select(vec!["max", "def", "machines"]).prop_map(name);
    prop_oneof![
        (
            some_owner(),
            prop::sample::select(vec![OpKind::Set, OpKind::Scale, OpKind::Add, OpKind::Append, OpKind::Remove]),
            component(),
            field(),
            some_inner(),
            some_float()
        )
            .prop_map(|(owner, op, component, field, inner, x)| Edit::SetValue {
                owner,
                op,
                component,
                field,
                inner,
                value: number(x)
            }),
        (some_owner(), component(), field(), some_inner())
            .prop_map(|(owner, component, field, inner)| Edit::ClearValue { owner, component, field, inner }),
        (some_owner(), prop::sample::select(OpKind::VALUED.to_vec()), component(), field(), some_inner())
            .prop_map(|(owner, op, component, field, inner)| Edit::DropValue { owner, op, component, field, inner }),
        (some_owner(), component()).prop_map(|(owner, component)| Edit::AddComponent { owner, component }),
        (some_owner(), component()).prop_map(|(owner, component)| Edit::RemoveComponent { owner, component }),
        (some_owner(), component()).prop_map(|(owner, entry)| Edit::AddRemove { owner, entry: entry.to_string() }),
        (some_owner(), component()).prop_map(|(owner, entry)| Edit::DropRemove { owner, entry: entry.to_string() }),
        (some_name(), prop::collection::vec(some_name(), 0..3)).prop_map(move |(name, inherits)| {
            Edit::set_at(&doc(), FieldPath::keys([&*name, "inherits"]), &inherits)
        }),
        (some_name(), any::<bool>()).prop_map(move |(name, is_abstract)| {
            Edit::set_at(&doc(), FieldPath::keys([&*name, "abstract"]), &is_abstract)
        }),
        some_name().prop_map(move |name| Edit::insert_at(&doc(), FieldPath::keys([&*name]), &EntityDef::default())),
        some_name().prop_map(move |name| Edit::Remove { doc: doc(), at: FieldPath::keys([&*name]) }),
        (some_name(), some_name())
            .prop_map(move |(from, to)| { Edit::rename(&doc(), &from, &to, TypedRefs::of(&schema(), RefKind::Def)) }),
        (some_name(), some_name()).prop_map(move |(name, to)| Edit::Copy {
            doc: doc(),
            at: FieldPath::keys([&*name]),
            to
        }),
    ]
}

fn level_edit() -> impl Strategy<Value = Edit> {
    let ids = || prop::collection::vec(some_id(), 0..4);
    let cell = || [-2..60_i32, -2..40_i32];
    let tile = || prop_oneof![Just(Tile::EMPTY), (0..4_u32).prop_map(Tile::id_only)];
    let maybe_size = || prop_oneof![Just(None), [0..50_u32, 0..50_u32].prop_map(Some)];
    prop_oneof![
        4 => (some_layer(), prop::collection::vec((cell(), tile()), 0..8)).prop_map(|(layer, cells)| Edit::PaintTiles { doc: yard(), layer, cells }),
        2 => (some_layer(), some_id(), some_name(), some_place()).prop_map(|(layer, id, def, at)| Edit::place(&yard(), &layer, id, Instance::new(def, at))),
        1 => (ids(), some_place()).prop_map(|(ids, by)| Edit::MoveThings { doc: yard(), ids, by }),
        1 => (some_layer(), some_id(), some_place()).prop_map(|(layer, id, at)| Edit::set_at(&yard(), placed(&layer, &id, "at"), &at)),
        1 => (some_layer(), some_id(), some_float()).prop_map(|(layer, id, x)| Edit::set_at(&yard(), placed(&layer, &id, "rotation"), &x)),
        1 => (some_layer(), some_id(), some_name()).prop_map(|(layer, id, def)| Edit::set_at(&yard(), placed(&layer, &id, "def"), &def)),
        1 => (some_layer(), some_id()).prop_map(|(layer, id)| Edit::Remove { doc: yard(), at: placed(&layer, &id, "rotation") }),
        1 => (some_layer(), some_id(), some_name(), some_place()).prop_map(|(layer, id, def, at)| {
            Edit::insert_at(&yard(), FieldPath::keys(["layers", &*layer, "entities", &*id]), &Instance::new(def, at))
        }),
        1 => (some_id(), 0..3_usize).prop_map(|(id, to)| Edit::Move { doc: yard(), at: FieldPath::keys(["layers", "patrol", "nodes", &*id]), to }),
        1 => ids().prop_map(|ids| Edit::DeleteThings { doc: yard(), ids }),
        1 => (ids(), some_layer()).prop_map(|(ids, layer)| Edit::MoveToLayer { doc: yard(), ids, layer }),
        2 => (some_layer(), some_id(), some_place()).prop_map(|(layer, id, at)| Edit::add_node(&yard(), &layer, id, Node { at, tags: vec![] })),
        2 => (some_id(), some_id(), any::<bool>(), 0..3_u8).prop_map(|(from, to, one_way, what)| {
            let by = if what == 1 { LinkBy::Broken } else { LinkBy::Hand };
            let link = (what < 2).then(|| Link { from: from.clone(), to: to.clone(), cost: None, one_way, by });
            Edit::SetLink { doc: yard(), layer: name("patrol"), from, to, link }
        }),
        1 => (0..5_usize, some_layer()).prop_map(|(at, layer)| Edit::insert_at(&yard(), FieldPath::keys(["layers"]).index(at), &Layer::new(layer, LayerContent::Entities(indexmap::IndexMap::new())))),
        1 => some_layer().prop_map(|layer| Edit::Remove { doc: yard(), at: FieldPath::keys(["layers", &*layer]) }),
        1 => (some_layer(), 0..5_usize).prop_map(|(layer, to)| Edit::Move { doc: yard(), at: FieldPath::keys(["layers", &*layer]), to }),
        1 => (some_layer(), any::<bool>()).prop_map(|(layer, locked)| Edit::set_at(&yard(), of_layer(&layer, "locked"), &locked)),
        1 => (some_layer(), some_float()).prop_map(|(layer, opacity)| Edit::set_at(&yard(), of_layer(&layer, "opacity"), &(opacity / 100.0))),
        1 => (some_layer(), some_name()).prop_map(|(layer, to)| Edit::set_at(&yard(), of_layer(&layer, "name"), &to)),
        1 => (some_layer(), some_layer()).prop_map(|(from, to)| Edit::rename(&yard(), &from, &to, TypedRefs::of(&schema(), RefKind::Layer))),
        1 => (maybe_size(), [-3..3_i32, -3..3_i32]).prop_map(|(size, shift)| Edit::ResizeLevel { doc: yard(), size, shift }),
        1 => any::<bool>().prop_map(|on| Edit::set_at(&yard(), FieldPath::keys(["corner_cutting"]), &on)),
        1 => some_float().prop_map(|radius| Edit::set_at(&yard(), of_layer("patrol", "radius"), &radius)),
        1 => prop::option::of(some_float()).prop_map(|length| Edit::set_at(&yard(), of_layer("patrol", "max_length"), &length)),
    ]
}

fn of_layer(layer: &str, field: &str) -> FieldPath {
    FieldPath::keys(["layers", layer, field])
}

fn placed(layer: &str, id: &str, field: &str) -> FieldPath {
    FieldPath::keys(["layers", layer, "entities", id, field])
}

fn machine_edit() -> impl Strategy<Value = Edit> {
    let doc = || path("machines/all.ron");
    let it = || prop::sample::select(vec!["sentry", "other", "third"]).prop_map(name);
    prop_oneof![
        2 => (it(), some_state(), some_state_name(), some_place()).prop_map(move |(machine, parent, name, at)| Edit::PasteState { doc: doc(), machine, parent, name, state: State::default(), layout: vec![("".into(), at)] }),
        2 => (it(), some_state()).prop_map(move |(machine, state)| Edit::RemoveState { doc: doc(), machine, state }),
        3 => (it(), some_state(), some_state_name()).prop_map(move |(machine, state, to)| Edit::RenameState { doc: doc(), machine, state, to }),
        3 => (it(), some_state(), some_state(), proptest::option::of(some_place())).prop_map(move |(machine, state, parent, at)| Edit::ReparentState { doc: doc(), machine, state, parent, at }),
        1 => (it(), some_state(), some_place()).prop_map(move |(machine, state, at)| Edit::MoveStates { doc: doc(), machine, places: vec![(state, at)] }),
        1 => (it(), some_state(), prop::option::of(some_state())).prop_map(move |(machine, state, initial)| Edit::set_at(&doc(), state_at(&machine, &state).key("initial"), &initial)),
        2 => (it(), some_state(), some_state()).prop_map(move |(machine, state, to)| Edit::insert_at(&doc(), state_at(&machine, &state).key("transitions").index(9), &transition(&to))),
        1 => (it(), some_state(), 0..3_usize).prop_map(move |(machine, state, at)| Edit::Remove { doc: doc(), at: state_at(&machine, &state).key("transitions").index(at) }),
        1 => (it(), some_state(), 0..3_usize, some_state(), 0..3_usize).prop_map(move |(machine, state, at, to_state, to)| Edit::MoveTransition { doc: doc(), machine, state, at, to_state, to }),
        1 => (it(), some_state(), some_name()).prop_map(move |(machine, state, message)| Edit::insert_at(&doc(), state_at(&machine, &state).key("on").key(&message), &Vec::<Call>::new())),
        1 => (it(), some_state(), some_float()).prop_map(move |(machine, state, x)| Edit::set_at(&doc(), state_at(&machine, &state).key("on").key("Bell"), &vec![Call { name: name("Log"), args: fields(&[("by", number(x))]) }])),
        1 => (it(), it()).prop_map(move |(from, to)| Edit::rename(&doc(), &from, &to, TypedRefs::of(&schema(), RefKind::Machine))),
        1 => (it(), it()).prop_map(move |(name, to)| Edit::Copy { doc: doc(), at: FieldPath::keys([&*name]), to }),
        1 => it().prop_map(move |name| Edit::insert_at(&doc(), FieldPath::keys([&*name]), &Machine::default())),
    ]
}

pub(crate) fn other_edit() -> impl Strategy<Value = Edit> {
    let camera = || path("tuning/camera.ron");
    let keep = || path("tilesets/keep.ron");
    prop_oneof![
        some_float().prop_map(move |x| Edit::set_at(
            &camera(),
            FieldPath::keys(["values", "smooth", "value"]),
            &number(x)
        )),
        some_name()
            .prop_map(move |to| { Edit::rename(&camera(), "smooth", &to, TypedRefs::of(&schema(), RefKind::Tunable)) }),
        any::<i64>().prop_map(move |order| Edit::set_at(&camera(), FieldPath::keys(["order"]), &order)),
        (0..3_u32, some_float()).prop_map(move |(id, weight)| {
            Edit::set_at(&keep(), FieldPath::keys(["tiles", &*id.to_string(), "weight"]), &weight)
        }),
        (0..5_u32, some_float()).prop_map(move |(id, weight)| {
            let tile = TileDef { weight, ..TileDef::default() };
            Edit::insert_at(&keep(), FieldPath::keys(["tiles", &*id.to_string()]), &tile)
        }),
        (0..3_u32).prop_map(move |id| Edit::Remove { doc: keep(), at: FieldPath::keys(["tiles", &*id.to_string()]) }),
        (0..3_u32, some_name()).prop_map(move |(id, to)| {
            Edit::rename(&keep(), &id.to_string(), &to, TypedRefs::of(&schema(), RefKind::Tile))
        }),
        prop::sample::select(vec!["levels/yard.ron", "levels/hall.ron", "entities/all.ron", "entities/two.ron"])
            .prop_map(|at| Edit::RemoveDocument { doc: path(at) }),
        prop::sample::select(vec!["levels/hall.ron", "entities/two.ron", "levels/../x.ron", "tuning/camera.ron"])
            .prop_filter_map("a path inside", DocPath::new)
            .prop_map(|doc| Edit::PutDocument { doc, document: Arc::new(Document::Level(Level::default())) }),
        prop::sample::select(vec!["levels/yard.ron", "levels/hall.ron", "tuning/b.ron"]).prop_map(|to| {
            Edit::MoveDocument { doc: yard(), to: path(to), typed: TypedRefs::of(&schema(), RefKind::Level) }
        }),
    ]
}

pub(crate) fn some_edit() -> impl Strategy<Value = Edit> {
    prop_oneof![3 => definition_edit(), 4 => level_edit(), 4 => machine_edit(), 1 => other_edit()]
}

#[derive(Clone, Debug)]
enum Act {
    Make(Vec<Edit>),
    Drag(Vec<Vec<Edit>>, bool),
    Undo(Option<&'static str>),
    Redo(Option<&'static str>),
    Jump(usize),
}

fn some_act() -> impl Strategy<Value = Act> {
    let focus =
        || prop::option::of(prop::sample::select(vec!["levels/yard.ron", "entities/all.ron", "machines/all.ron"]));
    prop_oneof![
        8 => prop::collection::vec(some_edit(), 1..3).prop_map(Act::Make),
        2 => (prop::collection::vec(prop::collection::vec(some_edit(), 0..3), 0..4), any::<bool>()).prop_map(|(frames, keep)| Act::Drag(frames, keep)),
        3 => focus().prop_map(Act::Undo),
        2 => focus().prop_map(Act::Redo),
        1 => (0..6_usize).prop_map(Act::Jump),
    ]
}

/// Seed 810000: a cell that is painted and painted back.
#[test]
fn a_cell_painted_back_is_not_changed() {
    let mut project = project();
    let before = project.clone();
    let was =
        before.level(&path("levels/yard.ron")).unwrap().layer("ground").unwrap().1.tiles().unwrap().tiles.get([13, 14]);
    let cells = [([13, 14], Tile::new(1, false, false, false)), ([13, 14], was)];
    apply(
        &mut project,
        &Edit::PaintTiles { doc: path("levels/yard.ron"), layer: "ground".into(), cells: cells.into() },
    )
    .unwrap();
    assert!(same_pointers(&project, &before));
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn random_edits_then_undo_all_returns_the_same_pointers(acts in prop::collection::vec(some_act(), 1..40)) {
        let mut project = project();
        let start = project.clone();
        let mut history = History::default();
        for act in acts {
            match act {
                Act::Make(edits) => {
                    let before = project.clone();
                    if history.make(&mut project, &edits).is_err() {
                        prop_assert!(same_pointers(&before, &project), "a refused edit changed something");
                    }
                }
                Act::Drag(frames, keep) => {
                    let before = project.clone();
                    let mut gesture = Gesture::begin(&project);
                    for edits in &frames {
                        let _ = gesture.preview(&mut project, edits);
                    }
                    if keep {
                        gesture.commit(&project, &mut history);
                    } else {
                        gesture.cancel(&mut project);
                        prop_assert!(same_pointers(&before, &project));
                    }
                }
                Act::Undo(focus) => {
                    let before = project.clone();
                    if history.undo(&mut project, focus.map(path).as_ref()).is_ok() {
                        let after = project.clone();
                        prop_assert!(history.redo(&mut project, None).is_ok());
                        prop_assert!(same_pointers(&before, &project));
                        prop_assert!(history.undo(&mut project, focus.map(path).as_ref()).is_ok());
                        prop_assert!(same_pointers(&after, &project));
                    }
                }
                Act::Redo(focus) => {
                    let _ = history.redo(&mut project, focus.map(path).as_ref());
                }
                Act::Jump(n) => {
                    let _ = history.jump(&mut project, n);
                }
            }
            check_invariants(&project);
        }
        let _ = history.jump(&mut project, 0);
        prop_assert_eq!(history.n_done(), 0);
        prop_assert!(same_pointers(&start, &project));
    }

    #[test]
    fn an_edit_changes_nothing_when_refused_and_nothing_twice(edits in prop::collection::vec(some_edit(), 1..20)) {
        let mut project = project();
        for edit in edits {
            prop_assert!(!edit.label().is_empty());
            let before = project.clone();
            let content = project.documents.iter().map(|(p, d)| (p.clone(), (**d).clone())).collect::<Vec<_>>();
            let done = apply(&mut project, &edit);
            // The order of a map's entries is none of equality's matters, and all that a move changes.
            let is_moved = matches!(edit, Edit::Move { .. }) && format!("{project:?}") != format!("{before:?}");
            let is_equal = project == before && !is_moved;
            prop_assert_eq!(is_equal, same_pointers(&project, &before), "{}: an equal project has equal pointers", edit.label());
            prop_assert!(done.is_ok() || is_equal, "{}: refused, and still changed", edit.label());
            for (path, doc) in content {
                prop_assert_eq!(&**before.doc(&path).unwrap(), &doc, "{}: changed the old version", edit.label());
            }
            if let Err(refusal) = done {
                let said = refusal.to_string();
                prop_assert!(said.len() > 8 && !said.ends_with('.'), "{said:?} is no sentence");
            }
        }
    }

    #[test]
    fn an_edit_is_written_down_and_read_back(edit in some_edit()) {
        let has_nan = format!("{edit:?}").contains("NaN");
        let text = ron::to_string(&edit).unwrap();
        let back: Edit = ron::from_str(&text).unwrap();
        prop_assert!(has_nan || back == edit, "{text}");
        if !has_nan {
            let text = serde_json::to_string(&edit).unwrap();
            let back: Edit = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(serde_json::to_string(&back).unwrap(), text);
        }
    }
}

#[test]
fn the_random_edits_are_worth_trying() {
    use proptest::strategy::ValueTree;
    let mut runner = runner();
    for (area, strategy) in [
        ("definitions", definition_edit().boxed()),
        ("level", level_edit().boxed()),
        ("machine", machine_edit().boxed()),
        ("other", other_edit().boxed()),
    ] {
        let (mut n_changed, mut n_refused) = (0, 0);
        for _ in 0..600 {
            let mut project = project();
            let before = project.clone();
            let edit = strategy.new_tree(&mut runner).unwrap().current();
            match apply(&mut project, &edit) {
                Ok(()) if !same_pointers(&before, &project) => n_changed += 1,
                Ok(()) => {}
                Err(_) => n_refused += 1,
            }
        }
        assert!(
            n_changed >= 60 && n_refused >= 60,
            "{area}: of 600, {n_changed} changed something, {n_refused} were refused"
        );
    }
}

// ---- what each does ----

#[test]
fn values_are_said_in_part_and_reset() {
    let mut project = project();
    let ops = |project: &Project| project.def(&path("entities/all.ron"), "goblin").unwrap().ops.clone();
    let before = ops(&project);
    let inner = FieldPath::keys(["idle", "secs"]);
    let set = Edit::SetValue {
        owner: goblin(),
        op: OpKind::Set,
        component: name("Sprite"),
        field: name("clips"),
        inner: inner.clone(),
        value: number(0.2),
    };
    make(&mut project, &set);
    assert_eq!(ops(&project).said(OpKind::Set, "Sprite", "clips").unwrap().to_string(), "(idle: (secs: 0.2))");
    make(
        &mut project,
        &Edit::SetValue {
            owner: goblin(),
            op: OpKind::Scale,
            component: name("Health"),
            field: name("max"),
            inner: FieldPath::root(),
            value: number(0.5),
        },
    );
    make(&mut project, &Edit::AddRemove { owner: goblin(), entry: "Health.max".into() });
    make(&mut project, &Edit::clear(goblin(), "Health", "max"));
    make(&mut project, &Edit::ClearValue { owner: goblin(), component: name("Sprite"), field: name("clips"), inner });
    // Nobody above goblin has a Sprite, so its name stays; Health's goes, and with it what was removed of it.
    let mut left = before;
    left.set.insert(name("Sprite"), Fields::new());
    assert_eq!(ops(&project), left);
}

#[test]
fn an_inherited_component_is_listed_as_removed_and_an_own_one_dropped() {
    let mut project = project();
    let ops = |project: &Project| project.def(&path("entities/all.ron"), "goblin").unwrap().ops.clone();
    let remove = |component: &str| Edit::RemoveComponent { owner: goblin(), component: name(component) };
    make(&mut project, &remove("Brain"));
    assert!(ops(&project).is_empty());
    make(&mut project, &remove("Health"));
    assert_eq!(ops(&project).remove, ["Health"]);
    make(&mut project, &Edit::AddComponent { owner: goblin(), component: name("Health") });
    assert!(ops(&project).is_empty(), "adding it again only takes the removal back");
    assert!(apply(&mut project, &remove("Wings")).is_err());
}

#[test]
fn a_part_of_an_inherited_value_is_set_with_as_little_said_as_possible() {
    let clip = FieldType::Struct(
        [
            (name("secs"), FieldSpec::of(FieldType::Float)),
            (name("frames"), FieldSpec::of(FieldType::List(Box::new(FieldType::Int)))),
        ]
        .into_iter()
        .collect(),
    );
    let clips = FieldType::Map(Box::new(clip));
    let inherited = Value::Map(vec![(
        "idle".into(),
        Value::Struct(fields(&[("secs", number(0.1)), ("frames", Value::List(vec![Value::Int(1), Value::Int(2)]))])),
    )]);
    let edit = |said: Option<&Value>, inner: FieldPath, value: Value| {
        let field = (name("Sprite"), name("clips"));
        let edit = say_in_field((goblin(), OpKind::Set), field, &clips, (said, &inherited), &inner, value);
        let mut project = project();
        if let Some(said) = said {
            make(&mut project, &Edit::set(goblin(), "Sprite", "clips", said.clone()));
        }
        make(&mut project, &edit);
        project
            .def(&path("entities/all.ron"), "goblin")
            .unwrap()
            .ops
            .said(OpKind::Set, "Sprite", "clips")
            .unwrap()
            .to_string()
    };
    let secs = FieldPath::keys(["idle", "secs"]);
    assert_eq!(edit(None, secs.clone(), number(0.2)), r#"{"idle": (secs: 0.2)}"#);
    let frame = FieldPath::keys(["idle", "frames"]).index(1);
    assert_eq!(edit(None, frame.clone(), Value::Int(9)), r#"{"idle": (frames: [1, 9])}"#);
    let said = Value::Map(vec![("idle".into(), Value::Struct(fields(&[("secs", number(0.3))])))]);
    assert_eq!(edit(Some(&said), secs, number(0.2)), r#"{"idle": (secs: 0.2)}"#);
    assert_eq!(edit(Some(&said), frame, Value::Int(9)), r#"{"idle": (secs: 0.3, frames: [1, 9])}"#);
    assert_eq!(
        edit(Some(&said), FieldPath::keys(["run", "secs"]), number(1.0)),
        r#"{"idle": (secs: 0.3), "run": (secs: 1.0)}"#
    );
}

#[test]
fn a_renamed_definition_is_renamed_wherever_it_is_used() {
    let mut project = project();
    let all = path("entities/all.ron");
    make(
        &mut project,
        &Edit::AddRemove {
            owner: Owner::Def { doc: all.clone(), name: name("nest") },
            entry: "Spawner.more[\"goblin\"]".into(),
        },
    );
    let tuning = Arc::clone(project.doc(&path("tuning/camera.ron")).unwrap());
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    make(&mut project, &Edit::rename(&all, "goblin", "orc", typed));
    let text = format!("{project:?}");
    assert!(!text.contains("goblin"), "{text}");
    assert_eq!(text.matches("\"orc\"").count(), 7, "key, two instances, two spawner fields, Spawn, Chase");
    assert_eq!(text.matches("\"def:orc\"").count(), 2);
    assert!(text.contains(r#"Spawner.more[\"orc\"]"#));
    assert!(
        Arc::ptr_eq(&tuning, project.doc(&path("tuning/camera.ron")).unwrap()),
        "what does not use it is not copied"
    );
    let names: Vec<_> = project
        .entities(&path("entities/all.ron"))
        .unwrap()
        .defs
        .keys()
        .map(std::string::ToString::to_string)
        .collect();
    assert_eq!(names, ["monster", "orc", "nest"], "it keeps its place in the file");
}

#[test]
fn renamed_machines_tiles_constants_and_levels_are_followed() {
    let mut project = project();
    let floor = fields(&[("tile", "keep/stone".into()), ("set", "keep".into()), ("to", "yard".into())]);
    for (field, value) in floor {
        make(&mut project, &Edit::set(goblin(), "Floor", &field, value));
    }
    make(&mut project, &Edit::set(goblin(), "Knob", "value", "Camera.smooth".into()));
    let typed = |kind| TypedRefs::of(&schema(), kind);
    make(&mut project, &Edit::rename(&path("machines/all.ron"), "sentry", "guard", typed(RefKind::Machine)));
    make(&mut project, &Edit::rename(&path("tilesets/keep.ron"), "1", "rock", typed(RefKind::Tile)));
    make(&mut project, &Edit::rename(&path("tuning/camera.ron"), "smooth", "lag", typed(RefKind::Tunable)));
    make(&mut project, &Edit::MoveDocument { doc: yard(), to: path("levels/court.ron"), typed: typed(RefKind::Level) });
    make(
        &mut project,
        &Edit::MoveDocument {
            doc: path("tilesets/keep.ron"),
            to: path("tilesets/castle.ron"),
            typed: typed(RefKind::Tileset),
        },
    );
    let ops = &project.def(&path("entities/all.ron"), "goblin").unwrap().ops;
    let said = |component: &str, field: &str| ops.said(OpKind::Set, component, field).unwrap().to_string();
    assert_eq!(said("Floor", "tile"), "\"castle/rock\"");
    assert_eq!(said("Floor", "set"), "\"castle\"");
    assert_eq!(said("Floor", "to"), "\"court\"");
    assert_eq!(said("Knob", "value"), "\"Camera.lag\"");
    assert_eq!(said("Brain", "machines"), "[\"guard\"]");
    let text = format!("{project:?}");
    for old in ["sentry", "\"stone\"", "smooth", "\"yard\"", "\"keep\""] {
        assert!(!text.contains(old), "{old} is still there");
    }
}

#[test]
fn renamed_words_of_the_game_are_followed() {
    let mut project = project();
    let at = path("schemas/game.ron");
    let mut schema = schema();
    schema.messages.insert(name("Go"), MessageSpec::default());
    project.documents.insert(at.clone(), Arc::new(Document::Schema(schema)));
    make(&mut project, &Edit::AddRemove { owner: goblin(), entry: "Spawner.more[\"nest\"]".into() });
    let calls = vec![
        call("SetField", &[("field", "Spawner.more")]),
        call("HasComponent", &[("component", "Spawner")]),
        call("Send", &[("message", "Go")]),
    ];
    make(&mut project, &Edit::set_at(&path("machines/all.ron"), state_at("other", "").key("on").key("Go"), &calls));
    let schema_with = |project: &Project| match project.doc(&at).map(|it| &**it) {
        Some(Document::Schema(schema)) => schema.clone(),
        _ => Schema::default(),
    };
    let declared = |project: &Project, what: Declared, to: &str| {
        let typed = TypedRefs::of(&schema_with(project), what.kinds().unwrap().0);
        Edit::rename(&at, what.name(), to, typed)
    };
    let typed = TypedRefs::of(&schema_with(&project), RefKind::Field);
    make(
        &mut project,
        &Edit::Rename { doc: at.clone(), of: name("Spawner"), from: name("more"), to: name("others"), typed },
    );
    let edit = declared(&project, Declared::Component(name("Spawner")), "Nest");
    make(&mut project, &edit);
    let edit = declared(&project, Declared::Message(name("Go")), "March");
    make(&mut project, &edit);
    let text = format!("{project:?}");
    for old in ["more", "Spawner", "\"Go\""] {
        assert!(!text.contains(old), "{old} is still there");
    }
    assert!(text.contains(r#"Nest.others[\"nest\"]"#) && text.contains("\"Nest.others\""));
    assert_eq!(text.matches("\"March\"").count(), 7, "schema, three ways out, handler and argument, cue");
    for (from, to) in [("Knob", "Nest"), ("Knob", "two words"), ("Health", "Life")] {
        let edit = declared(&project, Declared::Component(name(from)), to);
        assert!(apply(&mut project, &edit).is_err());
    }
}

#[test]
fn a_renamed_state_is_followed_by_every_address() {
    let mut project = project();
    let doc = || path("machines/all.ron");
    make(
        &mut project,
        &Edit::RenameState { doc: doc(), machine: name("sentry"), state: name("Attack"), to: name("Fight") },
    );
    make(
        &mut project,
        &Edit::RenameState { doc: doc(), machine: name("sentry"), state: name("Fight/Aim"), to: name("Point") },
    );
    let machine = sentry(&project);
    assert_eq!(
        machine.paths().iter().map(std::string::ToString::to_string).collect::<Vec<_>>(),
        ["Patrol", "Fight", "Fight/Point", "Fight/Fire"]
    );
    assert_eq!(&*machine.state("Patrol").unwrap().transitions[0].to, "Fight");
    assert_eq!(machine.state("Fight").unwrap().initial.as_deref(), Some("Point"));
    assert_eq!(machine.state("Fight/Fire").unwrap().enter[0].args["state"], "Fight/Point".into());
    assert_eq!(
        machine.layout.keys().map(std::string::ToString::to_string).collect::<Vec<_>>(),
        ["Patrol", "Fight", "Fight/Point"]
    );
    let other = project.machine(&doc(), "other").unwrap();
    assert_eq!(other.root.enter[0].args["state"], "Fight/Point".into());
    let Document::Scenario(scenario) = &**project.doc(&path("scenarios/first.ron")).unwrap() else { panic!() };
    assert_eq!(
        scenario.expect[0].what,
        Expected::State(ExpectedState { state: "Fight/Point".into(), machine: Some(name("sentry")) })
    );
}

#[test]
fn a_bare_name_becomes_a_path_when_it_would_become_ambiguous() {
    let mut project = project();
    let doc = || path("machines/all.ron");
    make(
        &mut project,
        &Edit::PasteState {
            doc: doc(),
            machine: name("sentry"),
            parent: name("Patrol"),
            name: name("Fire"),
            state: State::default(),
            layout: vec![(name(""), [0.0; 2])],
        },
    );
    assert_eq!(&*sentry(&project).state("Attack/Aim").unwrap().transitions[0].to, "Attack/Fire");
    make(
        &mut project,
        &Edit::ReparentState {
            doc: doc(),
            machine: name("sentry"),
            state: name("Attack/Fire"),
            parent: name(""),
            at: Some([5.0, 6.0]),
        },
    );
    let machine = sentry(&project);
    assert_eq!(&*machine.state("Attack/Aim").unwrap().transitions[0].to, "Fire");
    assert_eq!(machine.layout["Fire"], [5.0, 6.0]);
    let back = Edit::ReparentState {
        doc: doc(),
        machine: name("sentry"),
        state: name("Fire"),
        parent: name("Attack"),
        at: None,
    };
    make(&mut project, &back);
    let layout = &sentry(&project).layout;
    assert!(!layout.contains_key("Attack/Fire") && !layout.contains_key("Fire"), "laid out with those beside it");
    assert!(
        apply(
            &mut project,
            &Edit::ReparentState {
                doc: doc(),
                machine: name("sentry"),
                state: name("Attack"),
                parent: name("Attack/Aim"),
                at: None
            }
        )
        .is_err()
    );
}

#[test]
fn a_deleted_state_takes_the_ways_to_it_along() {
    let mut project = project();
    make(
        &mut project,
        &Edit::RemoveState { doc: path("machines/all.ron"), machine: name("sentry"), state: name("Patrol") },
    );
    let machine = sentry(&project);
    assert_eq!(machine.root.initial, None);
    assert_eq!(machine.state("Attack/Aim").unwrap().transitions.len(), 1);
    assert!(!machine.layout.contains_key("Patrol"));
}

#[test]
fn a_stroke_copies_the_chunks_it_touches_and_no_more() {
    let mut project = project();
    let before = project.clone();
    make(
        &mut project,
        &Edit::PaintTiles {
            doc: yard(),
            layer: name("ground"),
            cells: vec![([3, 20], Tile::id_only(2)), ([99, 20], Tile::id_only(2))],
        },
    );
    assert_eq!(tiles(&project).get([3, 20]), Tile::id_only(2));
    assert_eq!(tiles(&project).get([99, 20]), Tile::EMPTY, "outside the level nothing is painted");
    assert!(!Arc::ptr_eq(tiles(&before).chunk([0, 0]).unwrap(), tiles(&project).chunk([0, 0]).unwrap()));
    assert!(Arc::ptr_eq(tiles(&before).chunk([1, 0]).unwrap(), tiles(&project).chunk([1, 0]).unwrap()));
    assert!(Arc::ptr_eq(&level(&before).layers[1], &level(&project).layers[1]));
}

#[test]
fn a_locked_layer_refuses_with_its_name() {
    let mut project = project();
    make(&mut project, &Edit::set_at(&yard(), of_layer("actors", "locked"), &true));
    let owner = Owner::Instance { doc: yard(), layer: name("actors"), id: name("a1") };
    for edit in [
        Edit::MoveThings { doc: yard(), ids: vec![name("a1")], by: [1.0, 0.0] },
        Edit::DeleteThings { doc: yard(), ids: vec![name("a1")] },
        Edit::set(owner, "Health", "max", number(1.0)),
        Edit::set_at(&yard(), placed("actors", "a1", "rotation"), &1.0),
        Edit::Remove { doc: yard(), at: FieldPath::keys(["layers", "actors"]) },
    ] {
        let refusal = apply(&mut project, &edit).unwrap_err().to_string();
        assert!(refusal.contains("`actors` is locked"), "{refusal}");
    }
    make(&mut project, &Edit::set_at(&yard(), of_layer("actors", "locked"), &false));
    make(&mut project, &Edit::DeleteThings { doc: yard(), ids: vec![name("a1"), name("n2")] });
    assert!(level(&project).layers[2].waypoints().unwrap().links.is_empty(), "links of a deleted waypoint go with it");
}

#[test]
fn resizing_moves_everything_and_erases_what_falls_out() {
    let mut project = project();
    make(&mut project, &Edit::ResizeLevel { doc: yard(), size: Some([10, 24]), shift: [-2, 1] });
    assert_eq!(tiles(&project).iter().count(), 10);
    assert_eq!(tiles(&project).get([9, 21]), Tile::id_only(1));
    assert_eq!(level(&project).entity("a1").unwrap().1.at, [8.0 - 32.0, 64.0 + 16.0]);
    assert_eq!(level(&project).layers[2].waypoints().unwrap().nodes["n1"].at, [-24.0, 24.0]);
}

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
    assert!(matches!(history.undo(&mut project, Some(&yard())), Err(Stuck::Nothing)));
    let first = history.redo(&mut project, Some(&path("machines/all.ron"))).unwrap().label().to_owned();
    assert_eq!(first, "Paint 11 tiles", "what has to be done before the rename that the machines are part of");
    history.jump(&mut project, 0).unwrap();
    assert!(saved.modified(&project).is_empty());
    history.jump(&mut project, 3).unwrap();
    assert!(history.jump(&mut project, 4).is_err());
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
    assert!(matches!(history.undo(&mut other, None), Err(Stuck::Changed(_))));
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

// ---- copy and paste ----

#[test]
fn pasted_things_have_fresh_ids_and_point_to_each_other() {
    let mut project = project();
    let owner = Owner::Instance { doc: yard(), layer: name("actors"), id: name("a1") };
    make(&mut project, &Edit::set(owner, "Trigger", "target", "b2".into()));
    let copied = copy_things(level(&project), &[name("a1"), name("b2"), name("n1"), name("n2")]).unwrap();
    let back = Fragment::from_text(&copied.to_text().unwrap()).unwrap();
    assert_eq!(back, copied);
    let (edits, ids) = paste_things((&yard(), level(&project)), Some("actors"), &back, [16.0, 0.0], 7).unwrap();
    for edit in &edits {
        make(&mut project, edit);
    }
    check_invariants(&project);
    assert_eq!(ids.len(), 4);
    let (_, copy) = level(&project).entity(&ids[0]).unwrap();
    assert_eq!(copy.at, [24.0, 64.0]);
    assert_eq!(copy.ops.said(OpKind::Set, "Trigger", "target"), Some(&Value::str(&*ids[1])));
    let graph = level(&project).layers[2].waypoints().unwrap();
    assert!(graph.links.iter().any(|link| link.joins(&ids[2], &ids[3])));
    let (_, again) = paste_things((&yard(), level(&project)), None, &back, [0.0; 2], 7).unwrap();
    assert!(again.iter().all(|id| !ids.contains(id)), "ids that are taken are not given again");
}

#[test]
fn pasted_states_lead_to_each_other() {
    let mut project = project();
    let copied = copy_states(sentry(&project), &name("sentry"), &[name("Attack"), name("Attack/Aim")]).unwrap();
    let back = Fragment::from_text(&copied.to_text().unwrap()).unwrap();
    let doc = path("machines/all.ron");
    let (edits, paths) =
        paste_states((&doc, &name("sentry"), sentry(&project)), &name(""), &back, [0.0, 100.0]).unwrap();
    for edit in &edits {
        make(&mut project, edit);
    }
    check_invariants(&project);
    assert_eq!(paths, [name("Attack_2")]);
    let machine = sentry(&project);
    let aim = machine.state("Attack_2/Aim").unwrap();
    assert_eq!(aim.transitions.iter().map(|it| it.to.to_string()).collect::<Vec<_>>(), ["Attack_2/Fire", "Patrol"]);
    assert_eq!(&*machine.state("Attack/Aim").unwrap().transitions[0].to, "Attack/Fire");
    assert_eq!(machine.layout["Attack_2"], [200.0, 100.0]);
    assert_eq!(machine.layout["Attack_2/Aim"], [10.0, 10.0]);
}

#[test]
fn foreign_clipboard_text_is_refused() {
    for text in ["", "hello", "(levelwright_clipboard: 1, content: Nonsense)", "levelwright_clipboard"] {
        assert!(Fragment::from_text(text).is_err(), "{text}");
    }
    let bent = Fragment::Tiles(Stamp::one(Tile::id_only(1))).to_text().unwrap().replace("size:(1,1)", "size:(9,9)");
    assert!(bent.contains("(9,9)") && Fragment::from_text(&bent).is_err());
}

#[test]
fn a_stamp_turns_as_one() {
    let tile = Tile::id_only;
    let stamp = Stamp::new([2, 1], vec![tile(1), tile(2)]).unwrap();
    let turned = stamp.turned();
    assert_eq!(turned.size(), [1, 2]);
    // Clockwise: left comes to the top.
    assert_eq!(turned.get([0, 0]).id(), Some(1));
    assert_eq!(turned.get([0, 0]), Tile::new(1, true, false, true));
    assert_eq!(turned.turned().turned().turned(), stamp);
    assert_eq!(turned.turned(), stamp.flipped_x().flipped_y());
    assert_eq!(stamp.flipped_x().flipped_x(), stamp);
    assert_eq!(stamp.flipped_x().turned(), stamp.turned().flipped_y(), "a mirror turns with the picture");
}

#[test]
fn only_the_part_that_differs_is_said() {
    use levelwright::edit::set_to;
    use levelwright::model::{FieldSpec, FieldType};

    let field = |ty| FieldSpec::of(ty);
    let clip =
        FieldType::Struct([("secs".into(), field(FieldType::Float)), ("repeat".into(), field(FieldType::Bool))].into());
    let ty = FieldType::Map(Box::new(clip));
    let clips = |secs: f64| {
        let clip = Value::Struct([("secs".into(), Value::Float(secs)), ("repeat".into(), Value::Bool(true))].into());
        Value::Map(vec![(Value::str("walk"), clip.clone()), (Value::str("run"), clip)])
    };
    let mut changed = clips(0.1);
    if let Value::Map(entries) = &mut changed {
        entries[0].1 = Value::Struct([("secs".into(), Value::Float(0.2)), ("repeat".into(), Value::Bool(true))].into());
    }
    let doc = levelwright::model::DocPath::new("entities/a.ron").expect("a path");
    let owner = levelwright::edit::Owner::Def { doc, name: "goblin".into() };
    let at = (owner, "Sprite".into(), "clips".into());
    let project = levelwright::model::Project::default();
    let edits = set_to(&project, at.clone(), &ty, &clips(0.1), &changed);
    let [levelwright::edit::Edit::SetValue { value, .. }] = edits.as_slice() else { panic!("{edits:?}") };
    assert_eq!(value.to_string(), r#"{"walk": (secs: 0.2)}"#);
    assert_eq!(set_to(&project, at, &ty, &clips(0.1), &clips(0.1)), []);
}

#[test]
fn a_value_set_is_what_it_amounts_to_whatever_was_added_before() {
    use levelwright::edit::{apply_all, set_to};
    use levelwright::model::FieldType;

    let loaded = levelwright::io::load("sample_data".as_ref());
    let builtin = Builtin { schema: levelwright::io::builtin_schema(), tuning: levelwright::io::builtin_tuning() };
    let mut project = loaded.project;
    let resolve = |project: &Project| levelwright::defs::resolve(project, &builtin, None);
    let before = resolve(&project);
    let doc = before.def_docs["fast_goblin"].clone();
    let shown = before.defs["fast_goblin"].get("Body", "mass").expect("a mass").clone();
    let owner = levelwright::edit::Owner::Def { doc, name: "fast_goblin".into() };
    let at = (owner, "Body".into(), "mass".into());
    let edits = set_to(&project, at, &FieldType::Float, &shown, &Value::Float(23.5));
    apply_all(&mut project, &edits).expect("edits that apply");
    assert_eq!(resolve(&project).defs["fast_goblin"].f64("Body", "mass"), Some(23.5));
}

/// What comes from the clipboard was not written by the program that reads it.
#[test]
fn what_cannot_be_written_is_refused() {
    let project = project();
    let doc = path("machines/all.ron");
    for (call, arg, value) in [
        ("Send", "message, to", Value::Int(1)),
        ("Send it", "message", Value::Int(1)),
        ("Send", "message", Value::Symbol("a b".into())),
        ("Send", "message", Value::Struct(Fields::from_iter([("1a".into(), Value::Int(1))]))),
        ("Send", "message", Value::Tagged("".into(), Box::new(Value::Tuple(vec![])))),
        ("Send", "message", Value::List(vec![Value::Float(f64::INFINITY)])),
    ] {
        let call = Call { name: call.into(), args: Fields::from_iter([(arg.into(), value)]) };
        let state = State { enter: vec![call.clone()], ..State::default() };
        let copied = CopiedState { path: "X".into(), state, layout: Vec::new() };
        let fragment = Fragment::States(vec![copied]);
        let machine = (&doc, &name("sentry"), sentry(&project));
        let (edits, _) = paste_states(machine, &name(""), &fragment, [0.0, 0.0]).unwrap();
        let mut after = project.clone();
        assert!(apply_all(&mut after, &edits).is_err(), "{call:?}");
    }
}
