//! Random edits, drags, undo and redo: what is refused changes nothing, and undoing everything gives the same pointers
//! back.

use super::*;

// ---- random edits ----

fn some_name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["goblin", "monster", "nest", "orc", "", " x", "imp"]).prop_map(name)
}

fn some_id() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a1", "b2", "n1", "n2", "n3", "q7", "q8"]).prop_map(name)
}

fn some_layer() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["ground", "actors", "patrol", "walls", "far"]).prop_map(name)
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
            .prop_map(|(owner, component, field, inner)| Edit::ClearValue { owner, op: None, component, field, inner }),
        (some_owner(), prop::sample::select(OpKind::VALUED.to_vec()), component(), field(), some_inner()).prop_map(
            |(owner, op, component, field, inner)| Edit::ClearValue { owner, op: Some(op), component, field, inner }
        ),
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
        1 => (some_layer(), some_layer()).prop_map(|(layer, from)| Edit::MergeTiles { doc: yard(), layer, from }),
        2 => (some_layer(), some_id(), some_name(), some_place()).prop_map(|(layer, id, def, at)| Edit::place(&yard(), &layer, id, Instance::new(def, at))),
        1 => (some_layer(), ids(), some_name()).prop_map(|(layer, ids, def)| Edit::SetDef { doc: yard(), layer, ids, def }),
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
        2 => (0..5_usize, some_layer()).prop_map(|(at, layer)| Edit::insert_at(&yard(), FieldPath::keys(["layers"]).index(at), &Layer::new(layer, LayerContent::Group(GroupLayer { layers: Vec::new() })))),
        4 => (some_layer(), prop::option::of(some_layer()), 0..5_usize).prop_map(|(layer, group, to)| Edit::MoveLayer { doc: yard(), layer, group, to }),
        1 => (some_layer(), some_float()).prop_map(|(layer, opacity)| Edit::set_at(&yard(), of_layer(&layer, "opacity"), &(opacity / 100.0))),
        1 => (some_layer(), some_name()).prop_map(|(layer, to)| Edit::set_at(&yard(), of_layer(&layer, "name"), &to)),
        1 => (some_layer(), some_layer()).prop_map(|(from, to)| Edit::rename(&yard(), &from, &to, TypedRefs::of(&schema(), RefKind::Layer))),
        1 => (maybe_size(), [-3..3_i32, -3..3_i32]).prop_map(|(size, shift)| Edit::ResizeLevel { doc: yard(), size, shift }),
        1 => any::<bool>().prop_map(|on| Edit::set_at(&yard(), FieldPath::keys(["corner_cutting"]), &on)),
        1 => some_float().prop_map(|radius| Edit::set_at(&yard(), of_layer("patrol", "radius"), &radius)),
        1 => prop::option::of(some_float()).prop_map(|length| Edit::set_at(&yard(), of_layer("patrol", "max_length"), &length)),
    ]
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
            .prop_map(|at| Edit::PutDocument { doc: path(at), document: None }),
        prop::sample::select(vec!["levels/hall.ron", "entities/two.ron", "levels/../x.ron", "tuning/camera.ron"])
            .prop_filter_map("a path inside", DocPath::new)
            .prop_map(|doc| Edit::put_document(doc, Document::Level(Level::default()))),
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

proptest! {
    #![proptest_config(cases(300))]

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
                    let _ = history.jump((&mut project, None), n);
                }
            }
            check_invariants(&project);
        }
        let _ = history.jump((&mut project, None), 0);
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
