//! Edits by place: what is changed, and what is refused because the reader of files would refuse it or others use the
//! name.

use super::*;

fn keep() -> DocPath {
    path("tilesets/keep.ron")
}

fn refused(project: &mut Project, edit: &Edit) -> String {
    let before = project.clone();
    let why = apply(project, edit).expect_err(&edit.label()).to_string();
    assert!(same_pointers(&before, project), "{why}");
    why
}

#[test]
fn what_the_reader_would_refuse_is_refused() {
    let mut project = project();
    let machine = path("machines/all.ron");
    let terrain =
        TerrainSet { name: "t".into(), mode: TerrainMode::Edges, tiles: [(1, "a,b".to_owned())].into_iter().collect() };
    let (edges, frames) = (FieldPath::keys(["terrains"]).index(0), FieldPath::keys(["tiles", "1", "frames"]).index(0));
    let mut layers = level(&project).layers.clone();
    layers.reverse();
    for (edit, why) in [
        (Edit::set_at(&yard(), of_layer("ground", "opacity"), &1.5), "`opacity` is from 0 to 1, not 1.5"),
        (Edit::set_at(&yard(), of_layer("ground", "tint"), &name("red")), "`tint` is a color as `\"#63bde2\"`, not"),
        (Edit::set_at(&yard(), FieldPath::keys(["background"]), &Some(name("#12"))), "`background` is a color"),
        (Edit::set_at(&yard(), of_layer("ground", "offset"), &[f64::NAN, 0.0]), "NaN is no number"),
        (Edit::set_at(&yard(), of_layer("ground", "name"), &name("floor")), "rename it instead"),
        (Edit::set_at(&yard(), of_layer("ground", "radius"), &3.0), "there is no `layers.ground.radius`"),
        (Edit::set_at(&yard(), of_layer("ground", "visible"), &3.0), "expected Bool, found a number `3.0`"),
        (Edit::set_at(&yard(), FieldPath::keys(["size"]), &Some([3_u32, 3])), "a level is resized as a whole"),
        (Edit::set_at(&yard(), placed("actors", "a1", "def"), &name("nobody")), "there is no definition `nobody`"),
        (Edit::insert_at(&keep(), edges, &terrain), "expected 4 sides separated by commas, found 2"),
        (Edit::set_at(&keep(), FieldPath::keys(["image"]), &"../../x.png".to_owned()), "not a path inside the project"),
        (Edit::insert_at(&keep(), frames, &TileFrame { tile: 1, secs: 0.0 }), "`secs` is above 0, not 0"),
        (Edit::set_at(&machine, state_at("sentry", "").key("initial"), &Some(name("Nowhere"))), "there is no state"),
        (
            Edit::insert_at(&machine, state_at("sentry", "").key("on").key("Enter"), &Vec::<Call>::new()),
            "list of its own",
        ),
        (Edit::Remove { doc: yard(), at: of_layer("ground", "tileset") }, "`tileset` has no default"),
        (Edit::Remove { doc: yard(), at: of_layer("ground", "name") }, "rename it instead"),
        (Edit::Remove { doc: yard(), at: FieldPath::keys(["layers", "patrol", "nodes", "n1"]) }, "an edit of its own"),
        (Edit::set_at(&yard(), FieldPath::keys(["layers"]), &layers), "an edit of its own"),
        (Edit::set_at(&keep(), FieldPath::keys(["tiles", "1", "cost", "walk"]), &-1.0), "from 0 to 1000000, not -1"),
        (Edit::set_at(&machine, state_at("sentry", "").key("enter"), &vec![Call::new("do it")]), "one word"),
    ] {
        let got = refused(&mut project, &edit);
        assert!(got.contains(why), "{}: {got}", edit.label());
    }
}

/// What is wrong elsewhere, or looks like a field by its name, is no reason to refuse.
#[test]
fn what_has_nothing_to_do_with_it_is_no_reason_to_refuse() {
    let mut project = project();
    let machines = path("machines/all.ron");
    make(&mut project, &Edit::Copy { doc: machines.clone(), at: FieldPath::keys(["sentry"]), to: name("initial") });
    make(&mut project, &Edit::Move { doc: machines, at: FieldPath::keys(["initial"]), to: 0 });
    let mut set = project.tileset(&keep()).unwrap().clone();
    set.terrains.push(TerrainSet {
        name: "t".into(),
        tiles: [(1, "a,a,a,a".into()), (99, "b,b,b,b".into())].into(),
        ..TerrainSet::default()
    });
    make(&mut project, &Edit::put_document(keep(), Document::Tileset(set)));
    make(&mut project, &Edit::set_at(&keep(), FieldPath::keys(["margin"]), &2_u32));
    make(&mut project, &Edit::Remove { doc: keep(), at: FieldPath::keys(["tiles", "1"]) });
    let set = project.tileset(&keep()).unwrap();
    assert_eq!(set.terrains[0].tiles.keys().collect::<Vec<_>>(), [&99], "the tile goes from terrains, too");
}

#[test]
fn a_declared_default_is_kept_whatever_it_is() {
    let mut project = project();
    let doc = path("schemas/game.ron");
    let optional = FieldType::Option(Box::new(FieldType::Float));
    for default in
        [Value::Symbol("None".into()), Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![3.0.into()])))]
    {
        let spec = FieldSpec { default: Some(default.clone()), doc: "x".into(), ..FieldSpec::of(optional.clone()) };
        let schema = Schema { components: [("Loot".into(), ComponentSpec::default())].into(), ..Schema::default() };
        make(&mut project, &Edit::put_document(doc.clone(), Document::Schema(schema)));
        let of = Declared::Component(name("Loot"));
        make(&mut project, &Edit::set_at(&doc, of.field_place("gold"), &spec));
        let Document::Schema(schema) = &**project.doc(&doc).unwrap() else { panic!("a schema") };
        assert_eq!(schema.components["Loot"].fields["gold"], spec);
    }
}

#[test]
fn places_have_labels_in_users_words() {
    let doc = path("machines/all.ron");
    for (edit, label) in [
        (Edit::set_at(&yard(), of_layer("ground", "opacity"), &0.5), "Set opacity of layer ground"),
        (Edit::set_at(&yard(), FieldPath::keys(["corner_cutting"]), &true), "Set corner cutting of yard"),
        (Edit::set_at(&yard(), placed("actors", "a1", "at"), &[0.0, 0.0]), "Set at of placed entity a1"),
        (Edit::Remove { doc: yard(), at: FieldPath::keys(["layers", "ground"]) }, "Delete layer ground"),
        (
            Edit::Remove { doc: doc.clone(), at: state_at("sentry", "Attack/Aim").key("transitions").index(1) },
            "Delete transition 2 of state Aim",
        ),
        (Edit::Copy { doc, at: FieldPath::keys(["sentry"]), to: name("guard") }, "Duplicate machine sentry as guard"),
        (Edit::insert_at(&keep(), FieldPath::keys(["tiles", "7"]), &TileDef::default()), "Add tile 7"),
        (Edit::Remove { doc: yard(), at: of_layer("ground", "opacity") }, "Reset opacity of layer ground"),
    ] {
        assert_eq!(edit.label(), label);
    }
}

#[test]
fn entries_are_put_in_moved_copied_and_taken_out() {
    let mut project = project();
    let tile = TileDef { weight: 2.0, ..TileDef::default() };
    let at = FieldPath::keys(["tiles", "9"]);
    make(&mut project, &Edit::set_at(&keep(), at.clone(), &tile));
    let tiles = |project: &Project| project.tileset(&keep()).unwrap().tiles.clone();
    assert_eq!(tiles(&project)[&9], tile, "an entry that is not there is added");
    make(&mut project, &Edit::Move { doc: keep(), at: at.clone(), to: 0 });
    assert_eq!(tiles(&project).get_index(0).unwrap().0, &9);
    make(&mut project, &Edit::Copy { doc: keep(), at: at.clone(), to: name("12") });
    assert_eq!(tiles(&project).get_index(1).unwrap(), (&12, &tile), "right after it");
    make(&mut project, &Edit::Remove { doc: keep(), at: at.key("weight") });
    assert!((tiles(&project)[&9].weight - 1.0).abs() < 1e-9, "back to its default");
    make(&mut project, &Edit::Remove { doc: keep(), at });
    assert!(!tiles(&project).contains_key(&9));
}

#[test]
fn a_list_without_names_is_set_as_a_whole() {
    let mut project = project();
    let machines = path("machines/all.ron");
    let at = state_at("sentry", "Attack/Aim").key("transitions");
    let transitions = |project: &Project| {
        let machine = project.machine(&machines, "sentry").unwrap();
        machine.state("Attack/Aim").unwrap().transitions.clone()
    };
    let mut wanted = transitions(&project);
    wanted.reverse();
    make(&mut project, &Edit::set_at(&machines, at.clone(), &wanted));
    assert_eq!(transitions(&project), wanted);
    wanted[0].to = name("Nowhere");
    let why = refused(&mut project, &Edit::set_at(&machines, at, &wanted));
    assert!(why.contains("Nowhere"), "{why}");
    let frames = FieldPath::keys(["tiles", "1", "frames"]);
    let two = vec![TileFrame { tile: 1, secs: 0.2 }, TileFrame { tile: 1, secs: 0.3 }];
    make(&mut project, &Edit::set_at(&keep(), frames.clone(), &two));
    assert_eq!(project.tileset(&keep()).unwrap().tiles[&1].frames, two);
    let why = refused(&mut project, &Edit::set_at(&keep(), frames, &vec![TileFrame { tile: 1, secs: 0.0 }]));
    assert!(why.contains("above 0"), "{why}");
    // Terrains have names.
    let terrains = vec![TerrainSet { name: "t".into(), ..TerrainSet::default() }];
    let why = refused(&mut project, &Edit::set_at(&keep(), FieldPath::keys(["terrains"]), &terrains));
    assert!(why.contains("an edit of its own"), "{why}");
}

#[test]
fn how_a_locked_layer_is_shown_can_be_changed() {
    let mut project = project();
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "locked"), &true));
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "visible"), &false));
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "opacity"), &0.5));
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "parallax"), &[0.5, 1.0]));
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "offset"), &[4.0, 0.0]));
    let why = refused(&mut project, &Edit::set_at(&yard(), of_layer("ground", "collide"), &false));
    assert_eq!(why, "layer `ground` is locked; unlock it to change what is in it");
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "locked"), &false));
    make(&mut project, &Edit::set_at(&yard(), of_layer("ground", "collide"), &false));
}
