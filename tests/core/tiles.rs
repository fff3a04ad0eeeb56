//! Many tiles of a tileset changed at once, tiles made for new parts of the picture, and the selection of tiles.

use levelwright::{
    editor::{Selection, TilesByCell, about_tile},
    io::source_of,
    model::{DocPath, Project, TerrainMode, TileShape, Tileset, check_convex},
    refactor::{
        Plan, ShapeTemplate, TerrainChange, TerrainSummary, TileChange, TilesSummary, change_terrain, change_tiles,
        new_terrain, new_tiles, remove_tiles,
    },
    tools::{terrain_in_set, terrain_names, terrain_patch},
};

use crate::build::path;

const SET: &str = r#"(
    image: "t.png", tile_size: (16, 8),
    tiles: {
        1: (at: (0, 0), name: "stone", shape: Full, cost: {"walk": 2.0}, tags: ["wall", "grey"]),
        2: (at: (1, 0), shape: Polygon([(16.0, 0.0), (16.0, 8.0), (0.0, 8.0)]), tags: ["grey"]),
        7: (at: (0, 1), one_way: true, cost: {"walk": 2.0, "swim": 4.0}),
        9: (at: (2, 1), shape: Polygon([(1.0, 1.0), (9.0, 1.0), (9.0, 7.0)])),
    },
)"#;

fn doc() -> DocPath {
    path("tilesets/t.ron")
}

fn project() -> Project {
    let source = source_of(&doc(), SET.as_bytes().to_vec());
    assert_eq!(source.findings, []);
    [(doc(), source.document.unwrap())].into_iter().collect()
}

fn set(project: &Project) -> &Tileset {
    project.tileset(&doc()).unwrap()
}

fn changed(ids: &[u32], change: TileChange) -> (Plan, Project) {
    let project = project();
    let plan = change_tiles((&doc(), set(&project)), ids, &change).unwrap();
    let after = plan.tried_on(&project).unwrap();
    (plan, after)
}

#[test]
fn every_template_is_a_shape_that_a_tile_can_have_and_is_found_again() {
    for template in ShapeTemplate::ALL {
        for size in [[16, 16], [16, 8], [1, 1]] {
            let shape = template.shape(size);
            assert_eq!(ShapeTemplate::of(&shape, size), Some(template));
            if let TileShape::Polygon(mut points) = shape {
                check_convex(&points).unwrap();
                points.rotate_left(1);
                assert_eq!(ShapeTemplate::of(&TileShape::Polygon(points), size), Some(template), "from any corner");
            }
        }
        let (_, after) = changed(&[1, 2, 7, 9], TileChange::Shape(template));
        for id in [1, 2, 7, 9] {
            assert_eq!(ShapeTemplate::of(&set(&after).tiles[&id].shape, [16, 8]), Some(template), "{id}");
        }
    }
    assert_eq!(ShapeTemplate::of(&set(&project()).tiles[&9].shape, [16, 8]), None);
}

#[test]
fn what_tiles_have_in_common_is_found_and_what_differs_is_mixed() {
    let project = project();
    let of = |ids: &[u32]| TilesSummary::of(set(&project), ids);
    let one = of(&[1]);
    assert_eq!((one.n, one.shape, one.one_way), (1, Some(Some(ShapeTemplate::Solid)), Some(false)));
    assert_eq!(of(&[9]).shape, Some(None), "one of its own");
    let all = of(&[1, 2, 7, 9]);
    assert_eq!((all.n, all.shape, all.one_way), (4, None, None));
    assert_eq!(all.cost["walk"], None, "plain ground costs 1");
    assert_eq!(of(&[1, 7]).cost["walk"], Some(2.0));
    let tags: Vec<(&str, usize)> = all.tags.iter().map(|(tag, n)| (&**tag, *n)).collect();
    assert_eq!(tags, [("grey", 2), ("wall", 1)]);
    assert_eq!(of(&[77]), TilesSummary::default());
}

#[test]
fn a_change_leaves_everything_else_of_the_tiles_alone() {
    let (plan, after) = changed(&[1, 2, 7], TileChange::Shape(ShapeTemplate::SlopeRight));
    assert_eq!(plan.label, "Make 3 tiles slope up to the right");
    assert_eq!(plan.edits.len(), 2, "the second is one already");
    assert!(set(&after).tiles[&7].one_way, "a slope may be one-way");
    assert_eq!(set(&after).tiles[&1].tags, ["wall", "grey"]);
    let (_, after) = changed(&[7], TileChange::Shape(ShapeTemplate::Nothing));
    assert!(!set(&after).tiles[&7].one_way, "nothing is solid from no side");
    let (_, after) = changed(&[2, 7], TileChange::OneWay(true));
    assert_eq!(set(&after).tiles[&7].shape, TileShape::Full, "else nothing were solid");
    assert_eq!(ShapeTemplate::of(&set(&after).tiles[&2].shape, [16, 8]), Some(ShapeTemplate::SlopeRight));
    let (plan, after) = changed(&[1, 2], TileChange::Ladder(true));
    assert_eq!((plan.label.as_str(), plan.edits.len()), ("Make 2 tiles a ladder", 2));
    let both = TilesSummary::of(set(&after), &[1, 2]);
    assert_eq!((both.ladder, both.water, both.conveyor), (Some(true), Some(false), Some(0.0)));
    assert_eq!(TilesSummary::of(set(&after), &[1, 9]).ladder, None);
    let (_, after) = changed(&[9], TileChange::Water(true));
    assert!(set(&after).tiles[&9].water && TilesSummary::of(set(&after), &[1, 9]).water.is_none());
    let (plan, after) = changed(&[1, 9], TileChange::Conveyor(-40.0));
    assert_eq!((plan.edits.len(), set(&after).tiles[&9].conveyor), (2, -40.0));
    assert_eq!(TilesSummary::of(set(&after), &[1, 2]).conveyor, None);
    assert!(about_tile(set(&after), 9, &set(&after).tiles[&9]).ends_with("belt: -40 px/s"));
    let (plan, after) = changed(&[1, 9], TileChange::Cost("walk".into(), Some(3.0)));
    assert_eq!((plan.edits.len(), set(&after).tiles[&9].cost["walk"]), (2, 3.0));
    let (plan, after) = changed(&[1, 7, 9], TileChange::Cost("walk".into(), None));
    assert_eq!((plan.edits.len(), set(&after).tiles[&7].cost.len()), (2, 1));
    let (_, after) = changed(&[1, 2, 9], TileChange::AddTag("wall".to_owned()));
    assert_eq!(set(&after).tiles[&1].tags, ["wall", "grey"]);
    assert_eq!(set(&after).tiles[&2].tags, ["grey", "wall"]);
    let (plan, after) = changed(&[1, 2, 9], TileChange::RemoveTag("grey".to_owned()));
    assert_eq!((plan.edits.len(), set(&after).tiles[&1].tags.clone()), (2, vec!["wall".to_owned()]));
    let project = project();
    for bad in [TileChange::AddTag(" ".to_owned()), TileChange::Cost("".into(), Some(1.0))] {
        change_tiles((&doc(), set(&project)), &[1], &bad).unwrap_err();
    }
    let negative = change_tiles((&doc(), set(&project)), &[1], &TileChange::Cost("walk".into(), Some(-1.0))).unwrap();
    negative.tried_on(&project).unwrap_err();
}

#[test]
fn parts_of_the_picture_without_a_tile_get_one_and_ids_stay() {
    let before = project();
    let plan = new_tiles((&doc(), set(&before)), &[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]);
    let after = plan.tried_on(&before).unwrap();
    let new: Vec<(u32, [u32; 2])> = set(&after).tiles.iter().skip(4).map(|(id, tile)| (*id, tile.at)).collect();
    assert_eq!(new, [(10, [2, 0]), (11, [1, 1])]);
    assert_eq!(plan.label, "Add 2 tiles to t");
    let gone = remove_tiles(&doc(), &[1, 7]).tried_on(&before).unwrap();
    assert_eq!(set(&gone).tiles.keys().copied().collect::<Vec<_>>(), [2, 9]);
}

#[test]
fn tiles_are_selected_by_click_and_frame() {
    let project = project();
    let by_cell = TilesByCell::of(set(&project));
    assert_eq!((by_cell.at([2, 1]), by_cell.at([2, 0])), (Some(9), None));
    assert_eq!(by_cell.between([2, 1], [0, 0]), [1, 2, 7, 9], "from any corner, row by row");
    assert_eq!(by_cell.between([1, 0], [u32::MAX, u32::MAX]), [2, 9]);
    assert_eq!(by_cell.all(), [1, 2, 7, 9]);
    let framed = Selection::None.with_tiles(&doc(), &[1, 2], false, false);
    assert_eq!(framed.tiles_of(&doc()), [1, 2]);
    let added = framed.with_tiles(&doc(), &[2, 7], true, false);
    assert_eq!(added.tiles_of(&doc()), [1, 2, 7], "a frame takes none out");
    assert_eq!(added.with_tiles(&doc(), &[2], true, true).tiles_of(&doc()), [1, 7]);
    assert_eq!(added.with_tiles(&doc(), &[9], false, true).tiles_of(&doc()), [9]);
    assert_eq!(added.with_tiles(&doc(), &[], false, true), Selection::Document(doc()));
    assert_eq!(added.with_tiles(&path("tilesets/other.ron"), &[1], true, true).tiles_of(&doc()), [] as [u32; 0]);
}

#[test]
fn a_tile_is_described_in_a_few_lines() {
    let project = project();
    let about = |id: u32| about_tile(set(&project), id, &set(&project).tiles[&id]);
    assert_eq!(about(1), "stone (1)\nsolid\ncost: walk 2\ntags: wall, grey");
    assert_eq!(about(7), "tile 7\nnothing solid, one-way\ncost: walk 2, swim 4");
    assert_eq!(about(9), "tile 9\na shape of its own");
}

/// A tileset whose tiles 1 to 16 are a square of four by four, and tile 17 stands elsewhere.
fn square() -> Project {
    let tiles: Vec<String> = (0..16).map(|i| format!("{}: (at: ({}, {}))", i + 1, 2 + i % 4, 5 + i / 4)).collect();
    let text = format!("(image: \"t.png\", tile_size: (16, 16), tiles: {{{}, 17: (at: (0, 0))}})", tiles.join(", "));
    [(doc(), source_of(&doc(), text.into_bytes()).document.unwrap())].into_iter().collect()
}

fn in_terrain(project: &Project, ids: &[u32], change: TerrainChange) -> Project {
    change_terrain((&doc(), set(project)), (0, "grass"), ids, change).unwrap().tried_on(project).unwrap()
}

#[test]
fn a_block_of_tiles_becomes_a_terrain_that_paints() {
    let all: Vec<u32> = (1..=16).collect();
    let before = square();
    let plan = new_terrain((&doc(), set(&before)), " grass ", &all).unwrap();
    let mut project = plan.tried_on(&before).unwrap();
    assert_eq!(terrain_names(set(&project)), ["grass"]);
    assert_eq!(terrain_in_set(set(&project), 0), Some((0, "grass".to_owned())));
    project = in_terrain(&project, &all, TerrainChange::Block);
    let tiles = &set(&project).terrains[0].tiles;
    assert_eq!(tiles[&1], "_,grass,grass,_", "the left top of the block");
    assert_eq!(tiles[&6], "grass,grass,grass,grass", "its middle");
    assert_eq!(tiles[&3], "_,_,grass,grass", "the right top, before the column of strips");
    assert_eq!(tiles[&8], "grass,_,grass,_", "a strip one tile wide");
    assert_eq!(tiles[&16], "_,_,_,_", "a tile alone");
    let patch: Vec<u32> = terrain_patch(set(&project), 0).unwrap().values().filter_map(|tile| tile.id()).collect();
    assert_eq!(patch.len(), 9, "three by three cells");
    assert!(patch.iter().all(|id| [1, 2, 3, 5, 6, 7, 9, 10, 11].contains(id)), "{patch:?}");
    let again = change_terrain((&doc(), set(&project)), (0, "grass"), &all, TerrainChange::Block).unwrap();
    assert!(again.edits.is_empty(), "it is so already");
}

#[test]
fn single_sides_of_tiles_are_given_to_a_terrain_and_taken_away() {
    let before = square();
    let mut project = new_terrain((&doc(), set(&before)), "grass", &[]).unwrap().tried_on(&before).unwrap();
    let summary = |project: &Project| TerrainSummary::of(&set(project).terrains[0], "grass", &[1, 17]);
    assert_eq!(summary(&project), TerrainSummary { n: 0, sides: [Some(false); 8] });
    project = in_terrain(&project, &[17], TerrainChange::Side(2, true));
    assert_eq!(set(&project).terrains[0].tiles[&17], "_,grass,_,_");
    assert_eq!(summary(&project).sides[2], None, "they differ");
    project = in_terrain(&project, &[1, 17], TerrainChange::AllSides);
    project = in_terrain(&project, &[1], TerrainChange::Side(0, false));
    assert_eq!(set(&project).terrains[0].tiles[&1], "_,grass,grass,grass");
    project = in_terrain(&project, &[], TerrainChange::Mode(TerrainMode::Mixed));
    assert_eq!(set(&project).terrains[0].mode, TerrainMode::Mixed);
    assert_eq!(set(&project).terrains[0].tiles[&1], "_,_,grass,grass,grass,grass,grass,_");
    project = in_terrain(&project, &[], TerrainChange::Mode(TerrainMode::Corners));
    assert_eq!(set(&project).terrains[0].tiles[&1], "_,_,grass,grass");
    project = in_terrain(&project, &[1], TerrainChange::Remove);
    assert!(!set(&project).terrains[0].tiles.contains_key(&1));
    for name in ["", " ", "_", "a,b", "grass"] {
        assert!(new_terrain((&doc(), set(&project)), name, &[]).is_err(), "{name:?}");
    }
}
