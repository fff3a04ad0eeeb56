//! What is pasted, and what is refused.

use super::*;

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
    assert_eq!(copy.ops.declared(OpKind::Set, "Trigger", "target"), Some(&Value::str(&*ids[1])));
    let graph = level(&project).layers[2].waypoints().unwrap();
    assert!(graph.links.iter().any(|link| link.joins(&ids[2], &ids[3])));
    let on = |layer| layer_for_things(level(&project), layer, &back);
    assert_eq!((on(Some("actors")), on(None), on(Some("nowhere"))), (Some("actors".into()), on(None), on(None)));
    assert!(on(None).is_some());
    let mut locked = project.clone();
    let others = Layer::new(name("others"), LayerContent::Entities(indexmap::IndexMap::new()));
    make(&mut locked, &Edit::insert_at(&yard(), FieldPath::keys(["layers"]).index(0), &others));
    make(&mut locked, &Edit::set_at(&yard(), of_layer("actors", "locked"), &true));
    let target = layer_for_things(level(&locked), Some("actors"), &back);
    assert_eq!(target, Some("others".into()), "a locked layer takes nothing, though it is the one in hand");
    let (edits, _) = paste_things((&yard(), level(&locked)), Some("actors"), &back, [0.0; 2], 7).unwrap();
    edits.iter().for_each(|edit| make(&mut locked, edit));
    let (_, again) = paste_things((&yard(), level(&project)), None, &back, [0.0; 2], 7).unwrap();
    assert!(again.iter().all(|id| !ids.contains(id)), "ids that are taken are not given again");
}

#[test]
fn things_are_duplicated_many_times_at_once_with_an_edit_for_each_layer() {
    let mut project = project();
    let owner = Owner::Instance { doc: yard(), layer: name("actors"), id: name("a1") };
    make(&mut project, &Edit::set(owner, "Trigger", "target", "b2".into()));
    let ids = [name("n2"), name("b2"), name("a1"), name("n1")];
    let moves: Vec<[f64; 2]> = (1..=40).map(|i| [f64::from(i), 0.0]).collect();
    let (edits, copies) = duplicate_things((&yard(), level(&project)), &ids, &moves, 7).unwrap();
    assert_eq!(edits.len(), 2, "one for entities and one for waypoints");
    let different: std::collections::BTreeSet<&Name> = copies.iter().collect();
    assert_eq!((copies.len(), different.len()), (160, 160));
    let before = project.clone();
    edits.iter().for_each(|edit| make(&mut project, edit));
    check_invariants(&project);
    // The same as one after the other, but for the ids.
    let mut slowly = before.clone();
    for (by, i) in moves.iter().zip(100..) {
        let (edits, _) = duplicate_things((&yard(), level(&slowly)), &ids, &[*by], i).unwrap();
        edits.iter().for_each(|edit| make(&mut slowly, edit));
    }
    let things = |project: &Project| {
        let layers = level(project).all_layers();
        let entities = layers[1].entities().unwrap().values().map(|it| it.at);
        let graph = layers[2].waypoints().unwrap();
        let nodes = graph.nodes.values().map(|it| it.at);
        let number = |id: &Name| graph.nodes.get_index_of(id).unwrap();
        let links = graph.links.iter().map(|it| (number(&it.from), number(&it.to)));
        (entities.chain(nodes).collect::<Vec<_>>(), links.collect::<Vec<_>>())
    };
    assert_eq!(things(&project), things(&slowly));
    for copy in copies.chunks(4) {
        let target = level(&project).entity(&copy[0]).unwrap().1.ops.declared(OpKind::Set, "Trigger", "target");
        assert_eq!(target, Some(&Value::str(&*copy[1])), "to its own copy");
    }
    let refused = duplicate_things((&yard(), level(&before)), &[name("gone")], &moves, 7).unwrap_err();
    assert_eq!(refused.to_string(), "there is nothing to duplicate");
    // Copies of what is locked go to an open layer.
    let mut locked = before;
    make(&mut locked, &Edit::set_at(&yard(), of_layer("actors", "locked"), &true));
    assert!(duplicate_things((&yard(), level(&locked)), &ids, &moves, 7).is_err(), "no other layer holds entities");
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
