//! Layers of a level: adding, copying and reordering them.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    defs::resolve,
    edit::{Edit, MergeDown, apply_all, copy_layers, merge_down, n_covered},
    io,
    model::{
        Builtin, Cell, DocPath, Document, FieldPath, Layer, LayerContent, Level, Name, Project, Tile, TileLayer, Tiles,
        ValueLayer,
    },
    refactor::{LayerKind, NewLayer, Request},
};

fn courtyard() -> DocPath {
    DocPath::new("levels/courtyard.ron").unwrap()
}

fn sample() -> Project {
    io::load("sample_data".as_ref()).project
}

fn level(project: &Project) -> &Level {
    project.level(&courtyard()).unwrap()
}

fn add(project: &Project, new: &NewLayer) -> Result<Project, String> {
    let resolution = resolve(project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None);
    let plan = Request::NewLayer(new.clone()).plan(project, &resolution).map_err(|why| why.to_string())?;
    plan.tried_on(project).map_err(|why| why.to_string())
}

#[test]
fn a_new_layer_is_of_the_kind_and_at_the_place_asked_for() {
    let project = sample();
    let mut new = NewLayer::new(
        (&courtyard(), level(&project)),
        Some("keep".into()),
        Some(level(&project).layers[1].name.clone()),
    );
    new.image = Some("tilesets/keep.png".into());
    assert_eq!((new.kind, new.name.as_str()), (LayerKind::Tiles, "tiles"));
    for kind in LayerKind::ALL {
        let _ = new.change_kind(kind, level(&project));
        let after = add(&project, &new).unwrap();
        let layer = &level(&after).layers[2];
        assert_eq!((&*layer.name, layer.tag()), (new.name.as_str(), kind.noun()));
        if let Some(graph) = layer.waypoints() {
            assert_eq!((graph.radius, graph.max_length), (6.0, Some(256.0)), "as agents, and not to all in sight");
        }
    }
    // An offered name goes with the kind, a typed one stays.
    assert!(new.change_kind(LayerKind::Tiles, level(&project)) && new.name == "tiles");
    new.name = "moss".into();
    assert!(!new.change_kind(LayerKind::Entities, level(&project)) && new.name == "moss");
}

#[test]
fn a_new_layer_says_what_is_wrong_with_it() {
    let project = sample();
    let new = NewLayer::new((&courtyard(), level(&project)), None, None);
    assert_eq!(new.kind, LayerKind::Entities, "without a tileset there are no tiles to offer");
    let named = |name: &str, kind| NewLayer { name: name.into(), kind, ..new.clone() };
    let cases = [
        (named("", LayerKind::Entities), "Write the layer's name"),
        (named("ground", LayerKind::Entities), "courtyard already has a layer `ground`"),
        (
            named("a/b", LayerKind::Waypoints),
            "The name of a layer of waypoints has no `/`; routes write a tag after it",
        ),
        (named("new", LayerKind::Image), "Choose the picture it shows"),
        (named("new", LayerKind::Tiles), "A layer of tiles needs a tileset, and the project has none yet"),
    ];
    for (new, why) in cases {
        assert_eq!(new.first_problem(&project).as_deref(), Some(why));
        assert_eq!(add(&project, &new).unwrap_err(), why);
    }
}

#[test]
fn a_copied_layer_is_the_same_under_fresh_ids() {
    let project = sample();
    let ids = |layer: &Layer| -> BTreeSet<Name> {
        match &layer.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
                BTreeSet::new()
            }
            LayerContent::Entities(all) => all.keys().cloned().collect(),
            LayerContent::Waypoints(graph) => graph.nodes.keys().cloned().collect(),
        }
    };
    for (at, layer) in level(&project).layers.iter().enumerate() {
        for is_locked in [false, true] {
            let mut after = project.clone();
            let at_lock = FieldPath::keys(["layers", &*layer.name, "locked"]);
            apply_all(&mut after, &[Edit::set_at(&courtyard(), at_lock, &is_locked)]).unwrap();
            let (edits, names) = copy_layers(&after, &courtyard(), std::slice::from_ref(&layer.name), 7).unwrap();
            let name = &names[0];
            apply_all(&mut after, &edits).unwrap();
            let copy = &level(&after).layers[at + 1];
            assert_eq!((&copy.name, copy.locked), (name, is_locked), "in front of it");
            assert_eq!((copy.parallax, copy.opacity, copy.tag()), (layer.parallax, layer.opacity, layer.tag()));
            assert_eq!(copy.tiles(), layer.tiles());
            assert_eq!(ids(copy).len(), ids(layer).len());
            assert!(ids(copy).is_disjoint(&ids(layer)));
            if let (Some(copy), Some(graph)) = (copy.waypoints(), layer.waypoints()) {
                assert_eq!(copy.links.len(), graph.links.len());
                assert!(copy.links.iter().all(|link| copy.nodes.contains_key(&link.from)));
            }
        }
    }
    assert!(copy_layers(&project, &courtyard(), &["nothing".into()], 7).unwrap().0.is_empty());
}

#[test]
fn a_layer_is_merged_into_one_that_differs_only_in_its_tiles() {
    let at = |id| Tile::id_only(id);
    let tiles = |cells: &[(Cell, Tile)]| {
        let mut tiles = Tiles::default();
        tiles.paint(cells.iter().copied());
        TileLayer::new("keep".into(), tiles)
    };
    let doc = DocPath::new("levels/two.ron").unwrap();
    let two = |change: &dyn Fn(&mut Level)| {
        let back = Layer::new("back".into(), LayerContent::Tiles(tiles(&[([0, 0], at(1)), ([1, 0], at(1))])));
        let front = Layer::new("front".into(), LayerContent::Tiles(tiles(&[([1, 0], at(2)), ([2, 0], at(2))])));
        let mut level = Level { layers: vec![Arc::new(back), Arc::new(front)], ..Level::default() };
        change(&mut level);
        level
    };
    let level = two(&|_| {});
    let MergeDown { edits, into } = merge_down((&doc, &level), &["front".into()]).unwrap();
    let mut project = Project::default();
    project.documents.insert(doc.clone(), Arc::new(Document::Level(level.clone())));
    apply_all(&mut project, &edits).unwrap();
    let merged = &project.level(&doc).unwrap().layers;
    let n_covered = n_covered(&level, &["front".into()]);
    assert_eq!((merged.len(), &*merged[0].name, &*into, n_covered), (1, "back", "back", 1));
    let ids: Vec<Option<u32>> = [0, 1, 2].map(|x| merged[0].tiles().unwrap().tiles.get([x, 0]).id()).to_vec();
    assert_eq!(ids, [Some(1), Some(2), Some(2)]);
    let front = |level: &mut Level, change: &dyn Fn(&mut Layer)| change(Arc::make_mut(&mut level.layers[1]));
    let cases: [(&dyn Fn(&mut Level), &str); 9] = [
        (
            &|level| front(level, &|layer| drop(layer.fields.insert("wind".into(), levelwright::model::Value::Int(1)))),
            "Layers “front” and “back” differ in custom fields",
        ),
        (&|level| level.layers.swap(0, 1), "No layer is behind “front”"),
        (
            &|level| front(level, &|layer| layer.offset = [1.0, 0.0]),
            "Layers “front” and “back” differ in offset or parallax",
        ),
        (&|level| front(level, &|layer| layer.tint = "#ff0000".into()), "differ in opacity, tint"),
        (&|level| front(level, &|layer| layer.locked = true), "Unlock “front” to merge it"),
        (
            &|level| {
                front(level, &|it| it.content = LayerContent::Tiles(TileLayer::new("cave".into(), Tiles::default())));
            },
            "Layer “front” has tiles of cave, “back” of keep",
        ),
        (
            &|level| front(level, &|layer| layer.content = LayerContent::Values(ValueLayer::with_one())),
            "Layers “front” and “back” do not both hold tiles",
        ),
        (
            &|level| {
                front(level, &|it| {
                    let LayerContent::Tiles(tiles) = &mut it.content else { panic!() };
                    tiles.tile_size = Some([8, 8]);
                });
            },
            "Layer “front” has cells of 8 × 8 px, “back” of 16 × 16 px",
        ),
        (&|level| level.size = Some([2, 2]), "Layer “front” has tiles outside the level, which would be lost"),
    ];
    for (change, why) in cases {
        let refusal = merge_down((&doc, &two(change)), &["front".into()]).unwrap_err().to_string();
        assert!(refusal.contains(why), "{refusal}");
    }
}
