//! Stamps that are kept in a project: made, named, copied, deleted, read, written and drawn.

use std::sync::Arc;

use image::{Rgba, RgbaImage};
use levelwright::{
    edit::{Edit, Fragment, LayeredStamp, RefKind, Stamp, StampPart, TilesOf, TypedRefs},
    editor::{ViewState, held_stamps, layer_lacking, layer_to_paste_on, new_stamp_of},
    io::{source_of, text_of},
    model::{DocKind, DocPath, Document, Layer, LayerContent, Level, Project, StampFile, Tile, TileLayer, Tiles},
    raster::{Image, StampSheet, stamp_picture},
    refactor::{NameKind, Named, NewStamp, Request, delete_stamps, duplicate_stamp, rename},
    tools::HeldStamp,
};

use crate::{
    build::{builtin, path},
    sheet::png,
};

const TREE: &str = r#"// What grows in the courtyard.
(
    size: (2, 2),
    weight: 0.5,
    layers: [
        (
            name: "ground",
            tileset: "keep",
            chunks: {
                (0, 0): [
                    "1 2h",
                    ". 3",
                ],
            },
        ),
        // In front of who walks by.
        (name: "front", tileset: "keep", chunks: { (0, 0): ["7"] }),
    ],
)
"#;

fn tree() -> DocPath {
    path("stamps/tree.ron")
}

fn read(text: &str) -> Arc<Document> {
    let source = source_of(&tree(), text.as_bytes().to_vec());
    assert_eq!(source.findings, []);
    source.document.clone().unwrap()
}

fn project() -> Project {
    let set = "(image: \"k.png\", tile_size: (2, 2), tiles: { 1: (at: (0, 0)), 2: (at: (1, 0)) })";
    let source = source_of(&path("tilesets/keep.ron"), set.as_bytes().to_vec());
    [(tree(), read(TREE)), (path("tilesets/keep.ron"), source.document.clone().unwrap())].into_iter().collect()
}

#[test]
fn a_stamp_is_a_file_of_its_own_kind_and_keeps_its_text() {
    assert_eq!(tree().kind(), Some(DocKind::Stamp));
    let document = read(TREE);
    let source = source_of(&tree(), TREE.as_bytes().to_vec());
    assert_eq!(text_of(&document, Some(&source)), TREE);
    let mut project = project();
    let heavier = Edit::set_at(&tree(), levelwright::model::FieldPath::keys(["weight"]), &2.0);
    levelwright::edit::apply(&mut project, &heavier).unwrap();
    assert_eq!(text_of(project.doc(&tree()).unwrap(), Some(&source)), TREE.replace("weight: 0.5", "weight: 2.0"));
    let bad = source_of(&tree(), b"(size: (0, 2), layers: [(name: \"a\", chunks: {})])".to_vec());
    let messages: Vec<&str> = bad.findings.iter().map(|it| &*it.message).collect();
    assert!(messages.iter().any(|it| it.contains("tileset")), "{messages:?}");
    assert!(messages.len() > 1, "a size of nothing, too: {messages:?}");
}

#[test]
fn a_stamp_is_made_copied_renamed_and_deleted_as_one_step_each() {
    let project = project();
    let stamp = held_stamps(&project, &[tree()])[0].stamp.as_ref().clone();
    let mut new = NewStamp::new(&project, stamp.clone());
    assert_eq!(new.name, "stamp");
    let resolution = levelwright::defs::resolve(&project, &builtin(), None);
    new.name = "tree".to_owned();
    assert!(new.name_problem(&project).unwrap().contains("already"));
    Request::NewStamp(new.clone()).plan(&project, &resolution).unwrap_err();
    new.name = "bush".to_owned();
    let plan = Request::NewStamp(new).plan(&project, &resolution).unwrap();
    assert_eq!(plan.label, "Add stamp bush");
    let made = plan.tried_on(&project).unwrap();
    let file: &StampFile = made.get(&path("stamps/bush.ron")).unwrap();
    assert_eq!(LayeredStamp::of_file(file), Some(stamp));
    let (plan, copy) = duplicate_stamp(&project, &tree()).unwrap();
    assert_eq!(copy, path("stamps/tree_2.ron"));
    assert!(Arc::ptr_eq(plan.tried_on(&project).unwrap().doc(&copy).unwrap(), project.doc(&tree()).unwrap()));
    let plan = rename(&project, &resolution, &Named::new(NameKind::Stamp, "tree"), "oak").unwrap();
    let renamed = plan.tried_on(&project).unwrap();
    assert!(renamed.doc(&tree()).is_none() && renamed.doc(&path("stamps/oak.ron")).is_some());
    assert!(delete_stamps(&[tree()]).tried_on(&project).unwrap().doc(&tree()).is_none());
    // Its tileset's name follows.
    let typed = TypedRefs::of(&resolution.schema, RefKind::Tileset);
    let moved = Edit::MoveDocument { doc: path("tilesets/keep.ron"), to: path("tilesets/castle.ron"), typed };
    let mut after = project.clone();
    levelwright::edit::apply(&mut after, &moved).unwrap();
    let file: &StampFile = after.get(&tree()).unwrap();
    assert!(file.layers.iter().all(|layer| &*layer.tileset == "castle"));
}

#[test]
fn a_stamp_of_what_is_in_hand_knows_its_layer_and_tileset() {
    let layer = |name: &str, tileset: &str| {
        let tiles = TileLayer::new(tileset.into(), Tiles::default());
        Layer::new(name.into(), LayerContent::Tiles(tiles))
    };
    let level = Level { layers: vec![Arc::new(layer("ground", "keep"))], ..Level::default() };
    let mut view = ViewState::default();
    new_stamp_of(&view, Some(&level.layers[0])).unwrap_err();
    view.stamp = Stamp::one(Tile::id_only(4));
    new_stamp_of(&view, None).unwrap_err();
    let made = new_stamp_of(&view, Some(&level.layers[0])).unwrap();
    assert_eq!((&*made.parts()[0].layer, made.parts()[0].tileset.as_deref()), ("ground", Some("keep")));
    let part = |layer: &str, tileset: Option<&str>, id: u32| StampPart {
        layer: layer.into(),
        tileset: tileset.map(Into::into),
        tiles: Stamp::one(Tile::id_only(id)),
    };
    let held = |parts: Vec<StampPart>| {
        vec![HeldStamp { doc: None, weight: 1.0, stamp: Arc::new(LayeredStamp::new(parts).unwrap()) }]
    };
    // Values that were copied with tiles are left out.
    view.stamps = held(vec![part("ground", Some("keep"), 9), part("cost", None, 5)]);
    let made = new_stamp_of(&view, None).unwrap().to_file(1.0).unwrap();
    assert_eq!((made.layers.len(), made.layers[0].tiles.get([0, 0])), (1, Tile::id_only(9)));
    view.stamps = held(vec![part("ground", None, 9)]);
    assert_eq!(new_stamp_of(&view, None).unwrap_err(), "Stamps hold tiles; what is in hand are values");
}

#[test]
fn copied_tiles_are_pasted_on_a_layer_of_their_tileset_only() {
    let layer = |name: &str, tileset: &str| {
        Arc::new(Layer::new(name.into(), LayerContent::Tiles(TileLayer::new(tileset.into(), Tiles::default()))))
    };
    let part = |layer: &str, tileset: Option<&str>| StampPart {
        layer: layer.into(),
        tileset: tileset.map(Into::into),
        tiles: Stamp::one(Tile::id_only(4)),
    };
    let doc = path("levels/yard.ron");
    let (of_keep, of_cave) = (part("ground", Some("keep")), part("ground", Some("cave")));
    let mut view = ViewState::default();
    let mut level = Level { layers: vec![layer("ground", "keep"), layer("decor", "keep")], ..Level::default() };
    let target = |view: &ViewState, level: &Level, part: &StampPart| {
        layer_to_paste_on(view, (&doc, level), part).map(|name| name.to_string())
    };
    view.active_layer.insert(doc.clone(), "decor".into());
    assert_eq!(target(&view, &level, &of_keep).as_deref(), Some("decor"), "the one worked on");
    assert_eq!(target(&view, &level, &of_cave), None);
    assert_eq!(target(&view, &level, &part("ground", None)), None, "values are no tiles");
    level.layers.push(layer("deep", "cave"));
    view.active_layer.insert(doc.clone(), "deep".into());
    assert_eq!(target(&view, &level, &of_keep).as_deref(), Some("ground"), "the one of their name");
    assert_eq!(target(&view, &level, &part("roof", Some("keep"))).as_deref(), Some("decor"), "the nearest");
    Arc::make_mut(&mut level.layers[1]).locked = true;
    assert_eq!(target(&view, &level, &part("roof", Some("keep"))).as_deref(), Some("ground"), "one that is open");
    // What is missing is offered.
    let (new, why) = layer_lacking((&project(), &view), (&doc, &level), &part("roof", Some("keep")));
    let new = new.unwrap();
    assert_eq!((new.name.as_str(), new.tileset.as_deref()), ("roof", Some("keep")));
    assert_eq!(why, "These are tiles of keep, and yard has no open layer for them: add one, then paste again");
    let (new, why) = layer_lacking((&project(), &view), (&doc, &level), &part("roof", Some("moon")));
    assert_eq!((new, why.as_str()), (None, "These are tiles of moon, and the project has no tileset `moon`"));
    // A stamp made of the brush has its tileset.
    (view.stamp, view.stamp_of) = (Stamp::one(Tile::id_only(4)), Some(TilesOf::Tileset("keep".into())));
    new_stamp_of(&view, Some(&level.layers[2])).unwrap_err();
    new_stamp_of(&view, Some(&level.layers[0])).unwrap();
    // Text of versions before names no tileset, and is read as it was.
    let back = Fragment::from_text(&Fragment::OneLayer(of_cave.clone()).to_text().unwrap()).unwrap();
    assert_eq!(back, Fragment::OneLayer(of_cave));
    let old = "(levelwright_clipboard:1,content:Tiles((size:(1,1),tiles:[(5)])))";
    assert_eq!(Fragment::from_text(old), Ok(Fragment::Tiles(Stamp::one(Tile::id_only(4)))));
}

#[test]
fn the_picture_of_a_stamp_has_its_layers_over_each_other() {
    // Tile 1 is red, tile 2 blue at the left and clear at the right.
    let (red, blue) = ([200, 0, 0, 255], [0, 0, 200, 255]);
    let picture = RgbaImage::from_fn(4, 2, |x, _| {
        Rgba(match x {
            0 | 1 => red,
            2 => blue,
            _ => [0; 4],
        })
    });
    let sheet = Image::from_png(&png(&picture)).unwrap();
    let project = project();
    let tileset = project.tileset_named("keep").unwrap();
    let mut below = Tiles::default();
    below.paint([([0, 0], Tile::id_only(1)), ([1, 0], Tile::id_only(1))]);
    let mut above = Tiles::default();
    above.set([0, 0], Tile::id_only(2).toggled('h'));
    let layers = [&below, &above].map(|tiles| StampSheet { tiles, tileset, sheet: &sheet });
    let drawn = stamp_picture(&layers, [2, 2], 64);
    assert_eq!(drawn.size(), [4, 4]);
    let row = |y: u32| (0..4).map(|x| drawn.pixel(x, y)).collect::<Vec<_>>();
    assert_eq!(row(0), [red, blue, red, red]);
    assert_eq!(row(3), [[0; 4]; 4]);
    let small = stamp_picture(&layers, [1024, 512], 64);
    assert_eq!(small.size(), [64, 32]);
}

#[test]
fn new_documents_that_others_need_are_known() {
    let builtin = builtin();
    let mut project = project();
    let level = Level {
        layers: vec![Arc::new(Layer::new(
            "ground".into(),
            LayerContent::Tiles(TileLayer::new("keep".into(), Tiles::default())),
        ))],
        ..Level::default()
    };
    let (yard, keep) = (path("levels/yard.ron"), path("tilesets/keep.ron"));
    project.documents.insert(yard.clone(), Arc::new(Document::Level(level)));
    let resolution = levelwright::defs::resolve(&project, &builtin, None);
    let new = [keep.clone(), tree()];
    let needed = |docs: &[DocPath]| levelwright::refactor::new_documents_needed(&project, &resolution, docs, &new);
    assert_eq!(needed(std::slice::from_ref(&yard)), std::slice::from_ref(&keep));
    assert_eq!(needed(&[tree()]), std::slice::from_ref(&keep), "a stamp names its tileset");
    assert_eq!(needed(&[yard, keep]), Vec::<DocPath>::new(), "nobody needs the stamp");
}
