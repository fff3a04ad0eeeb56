//! Value layers: a named number a cell, read, painted, resized and drawn.

use std::sync::Arc;

use levelwright::{
    defs::resolve,
    edit::{Edit, apply_all},
    io::{self, codec, load_one},
    model::{Builtin, DocPath, FieldPath, Project, Tile, ValueLayer},
    raster::Scene,
};

fn doc() -> DocPath {
    DocPath::new("levels/yard.ron").unwrap()
}

const YARD: &str = "(size: (3, 2), tile_size: (8, 8), layers: [
    Values(
        name: \"noise\",
        names: { 1: (name: \"quiet\", color: \"#ff0000\"), 65535: (color: \"#0000ff\") },
        chunks: { (0, 0): [\"1 . 65535\", \"7\"] },
    ),
])";

fn yard() -> Project {
    let (document, findings) = load_one(&doc(), YARD);
    assert_eq!(findings, []);
    let mut project = Project::default();
    project.documents.insert(doc(), Arc::new(document.unwrap()));
    project
}

fn values(project: &Project) -> &ValueLayer {
    project.level(&doc()).unwrap().layers[0].values().unwrap()
}

#[test]
fn a_value_layer_is_read_and_written() {
    let project = yard();
    let layer = values(&project);
    let ids: Vec<Option<u32>> = [[0, 0], [1, 0], [2, 0], [0, 1]].map(|cell| layer.values.get(cell).id()).to_vec();
    assert_eq!(ids, [Some(1), None, Some(65_535), Some(7)]);
    assert_eq!([1, 7, 65_535].map(|id| layer.called(id)), ["quiet", "value 7", "value 65535"]);
    let document = project.doc(&doc()).unwrap();
    assert_eq!(load_one(&doc(), &codec::encode(document)).0.as_ref(), Some(&**document));
}

#[test]
fn what_is_no_value_is_refused() {
    for (from, to, why) in [
        ("65535:", "65536:", "a value is a number from 1 to 65535"),
        ("1: (", "0: (", "a value is a number from 1 to 65535"),
        ("\"7\"", "\"0\"", "a value is a number from 1 to 65535, without flips; `.` is none"),
        ("\"7\"", "\"7h\"", "without flips"),
        ("\"7\"", "\"65536\"", "without flips"),
        ("#0000ff", "blue", "`color` is a color as"),
    ] {
        let text = YARD.replacen(from, to, 1);
        let (document, findings) = load_one(&doc(), &text);
        assert!(document.is_none() && findings[0].message.contains(why), "{to}: {findings:?}");
        assert!(findings[0].location.span.is_some(), "{to}");
    }
    let mut project = yard();
    let paint = |tile| Edit::PaintTiles { doc: doc(), layer: "noise".into(), cells: vec![([1, 0], tile)] };
    for id in [0, 65_536] {
        let before = project.clone();
        assert!(apply_all(&mut project, &[paint(Tile::id_only(id))]).is_err());
        assert_eq!(project, before);
    }
    let names = FieldPath::keys(["layers", "noise", "names"]);
    let named = values(&project).next_name().unwrap().1;
    assert!(apply_all(&mut project, &[Edit::insert_at(&doc(), names.key("0"), &named)]).is_err());
    apply_all(&mut project, &[paint(Tile::new(9, true, true, false)), Edit::insert_at(&doc(), names.key("2"), &named)])
        .unwrap();
    assert_eq!(values(&project).values.get([1, 0]), Tile::id_only(9), "without the flips of the brush");
    assert_eq!(values(&project).called(2), "value 2");
}

#[test]
fn values_move_with_their_level() {
    let mut project = yard();
    apply_all(&mut project, &[Edit::ResizeLevel { doc: doc(), size: Some([3, 2]), shift: [1, 0] }]).unwrap();
    let ids: Vec<Option<u32>> =
        [[0, 0], [1, 0], [2, 0], [1, 1]].map(|cell| values(&project).values.get(cell).id()).to_vec();
    assert_eq!(ids, [None, Some(1), None, Some(7)], "what is outside is gone");
}

#[test]
fn a_picture_has_values_only_where_they_are_wanted() {
    let project = yard();
    let resolution = resolve(&project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None);
    let level = project.level(&doc()).unwrap();
    let mut scene = Scene::of_level(&project, &resolution, level, &|_, _| None, &|_| None, 0.0);
    let draw = |scene: &Scene| scene.render(1.0, [0, 0, 0, 255], 0.0).unwrap();
    let plain = draw(&scene);
    assert_eq!([plain.pixel(4, 4), plain.pixel(20, 4)], [[0, 0, 0, 255]; 2]);
    scene.values = true;
    let shown = draw(&scene);
    assert_eq!(
        [shown.pixel(4, 4), shown.pixel(12, 4), shown.pixel(20, 4)],
        [[128, 0, 0, 255], [0, 0, 0, 255], [0, 0, 128, 255]]
    );
}

#[test]
fn sides_that_change_other_values_are_merged() {
    let read = |text: &str| Arc::new(load_one(&doc(), text).0.unwrap());
    let (mine, theirs) = (YARD.replacen("quiet", "silent", 1), YARD.replacen("\"7\"", "\"7 8\"", 1));
    let merged = io::merge(Some(&read(YARD)), &read(&mine), &read(&theirs), &io::Choices::default());
    assert!(merged.contests.is_empty());
    let both = mine.replacen("\"7\"", "\"7 8\"", 1);
    assert_eq!(merged.document, read(&both));
}
