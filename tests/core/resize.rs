//! Another size of a level: where what is in it goes, what each side does, what falls outside.

use std::sync::Arc;

use levelwright::{
    edit::{Edit, apply_all},
    model::{
        DocPath, Document, Instance, Layer, LayerContent, Level, Node, Project, Tile, TileLayer, Tiles, WaypointGraph,
    },
    refactor::{Anchor, Outside, Placement, Resize, Stay},
};

use crate::build::path;

fn doc() -> DocPath {
    path("levels/yard.ron")
}

/// Tiles at these cells, an entity and a waypoint at these places, cells of 16 × 8 px.
fn level(size: Option<[u32; 2]>, cells: &[[i32; 2]], entity: [f64; 2], node: [f64; 2]) -> Level {
    let mut tiles = Tiles::default();
    tiles.paint(cells.iter().map(|cell| (*cell, Tile::id_only(1))));
    let tiles = LayerContent::Tiles(TileLayer::new("t".into(), tiles));
    let entities = [("a".into(), Arc::new(Instance::new("thing".into(), entity)))].into();
    let mut graph = WaypointGraph::default();
    graph.nodes.insert("n".into(), Node { at: node, ..Node::default() });
    let layers =
        [("ground", tiles), ("actors", LayerContent::Entities(entities)), ("ways", LayerContent::Waypoints(graph))];
    let layers = layers.into_iter().map(|(name, content)| Arc::new(Layer::new(name.into(), content))).collect();
    Level { size, tile_size: [16, 8], layers, ..Level::default() }
}

fn to(size: [u32; 2], x: Stay, y: Stay) -> Resize {
    Resize { doc: doc(), size: Some(size), placement: Placement::Anchor(Anchor { x, y }) }
}

/// Left and top of what is in a level, and right and bottom, in cells.
fn content(level: &Level) -> [[i32; 2]; 2] {
    let fitted = Resize::to_content(doc(), level).unwrap();
    let (lo, size) = (fitted.shift(level).map(|by| -by), fitted.size.unwrap());
    [lo, [lo[0] + size[0] as i32, lo[1] + size[1] as i32]]
}

fn resized(level: &Level, resize: &Resize) -> Level {
    let mut project: Project = [(doc(), Arc::new(Document::Level(level.clone())))].into_iter().collect();
    let plan = resize.plan(&project).unwrap();
    apply_all(&mut project, &plan.edits).unwrap();
    project.level(&doc()).unwrap().clone()
}

#[test]
fn an_anchor_says_what_stays_where_it_is() {
    let level = level(Some([10, 6]), &[], [0.0, 0.0], [0.0, 0.0]);
    use Stay::{End, Middle, Start};
    for (size, x, y, shift, growth) in [
        ([14, 6], Start, Start, [0, 0], "4 cells more at the right"),
        ([14, 6], End, Start, [4, 0], "4 cells more at the left"),
        ([14, 9], Middle, End, [2, 3], "2 cells more at the left, 3 cells more at the top, 2 cells more at the right"),
        ([7, 3], Start, Start, [0, 0], "3 cells fewer at the right, 3 cells fewer at the bottom"),
        ([7, 3], End, End, [-3, -3], "3 cells fewer at the left, 3 cells fewer at the top"),
        // What cannot be halved goes to one side, growing and shrinking to different ones, so that both together are
        // nothing.
        ([13, 6], Middle, Middle, [1, 0], "1 cell more at the left, 2 cells more at the right"),
        ([7, 6], Middle, Middle, [-2, 0], "2 cells fewer at the left, 1 cell fewer at the right"),
    ] {
        let resize = to(size, x, y);
        assert_eq!((resize.shift(&level), &*resize.growth_text(&level)), (shift, growth), "{resize:?}");
    }
    assert_eq!(to([14, 5], End, Start).growth_text(&level), "4 cells more at the left, 1 cell fewer at the bottom");
    assert_eq!(to([10, 6], End, Start).growth_text(&level), "Every side stays where it is");
    let names: std::collections::BTreeSet<_> = Anchor::ALL.iter().map(|anchor| anchor.name()).collect();
    assert_eq!(names.len(), 9);
}

#[test]
fn what_falls_outside_is_counted_as_the_edit_does_it() {
    let cells: Vec<[i32; 2]> = (0..10).flat_map(|x| [[x, 0], [x, 5]]).collect();
    let before = level(Some([10, 6]), &cells, [160.0, 48.0], [8.0, 4.0]);
    for anchor in Anchor::ALL {
        for size in [[10, 6], [4, 3], [12, 7], [9, 6], [1, 1]] {
            let resize = Resize { doc: doc(), size: Some(size), placement: Placement::Anchor(anchor) };
            if size == [10, 6] {
                assert_eq!(resize.outside(&before), Outside::default());
                continue;
            }
            let after = resized(&before, &resize);
            let n_tiles = |level: &Level| level.layers[0].tiles().unwrap().tiles.iter().count();
            let outside = resize.outside(&before);
            assert_eq!(outside.tiles, n_tiles(&before) - n_tiles(&after), "{resize:?}");
            let [.., right, bottom] = after.bounds_px();
            let is_out = |at: [f64; 2]| !(0.0..=right).contains(&at[0]) || !(0.0..=bottom).contains(&at[1]);
            assert_eq!(outside.entities == 1, is_out(after.entity("a").unwrap().1.at), "{resize:?}");
            assert_eq!(
                outside.waypoints == 1,
                is_out(after.layers[2].waypoints().unwrap().nodes["n"].at),
                "{resize:?}"
            );
        }
    }
    let small = to([4, 3], Stay::Start, Stay::Start).outside(&before);
    assert_eq!(small, Outside { tiles: 16, entities: 1, waypoints: 0 });
    assert_eq!(small.text().unwrap(), "16 tiles are erased; 1 entity would be outside");
    assert_eq!(Outside::default().text(), None);
    // A layer that moves less than the world reaches beyond the level, and keeps its tiles.
    let mut far = before.clone();
    Arc::make_mut(&mut far.layers[0]).parallax = [0.5, 1.0];
    let resize = to([4, 3], Stay::End, Stay::Start);
    assert_eq!(resize.outside(&far).tiles, 0);
    let tiles = |level: &Level| level.layers[0].tiles().unwrap().tiles.clone();
    assert_eq!(tiles(&resized(&far, &resize)).iter().count(), 20);
    assert_eq!(tiles(&resized(&far, &resize)).get([-6, 0]), Tile::id_only(1), "they move with the rest");
    let fitted = Resize::to_content(doc(), &far).unwrap();
    assert_eq!(fitted.size, Some([10, 6]), "its entity and its waypoint count alone");
    // Tiles that are outside already are erased, too.
    let beyond = level(Some([10, 6]), &[[20, 0], [1, 1]], [0.0, 0.0], [0.0, 0.0]);
    let wider = to([12, 6], Stay::Start, Stay::Start);
    assert_eq!((wider.outside(&beyond).tiles, tiles(&resized(&beyond, &wider)).iter().count()), (1, 1));
    // What is outside already does not fall there.
    let lost = level(Some([10, 6]), &[], [1000.0, 0.0], [-5.0, 0.0]);
    assert_eq!(to([4, 3], Stay::Start, Stay::Start).outside(&lost), Outside::default());
}

#[test]
fn the_content_is_tiles_entities_and_waypoints() {
    let of = |cells: &[[i32; 2]], entity, node| content(&level(None, cells, entity, node));
    // Tiles are 16 × 8 px. A chunk is larger than what is in it.
    assert_eq!(of(&[[3, 4], [5, 4]], [48.0, 32.0], [49.0, 33.0]), [[3, 4], [6, 5]]);
    assert_eq!(of(&[], [-1.0, 0.0], [33.0, 17.0]), [[-1, 0], [3, 3]]);
    assert_eq!(of(&[], [32.0, 16.0], [32.0, 16.0]), [[2, 2], [3, 3]], "a point takes a cell");
    // The edges belong to a level.
    assert_eq!(of(&[[0, 0]], [16.0, 8.0], [0.0, 0.0]), [[0, 0], [1, 1]]);
}

#[test]
fn a_level_is_fitted_to_its_content_with_bounds_or_without() {
    for size in [None, Some([40, 30])] {
        let before = level(size, &[[3, 4], [8, 9]], [100.0, 50.0], [60.0, 33.0]);
        let resize = Resize::to_content(doc(), &before).unwrap();
        assert_eq!((resize.size, resize.shift(&before)), (Some([6, 6]), [-3, -4]));
        assert_eq!(resize.outside(&before), Outside::default());
        let after = resized(&before, &resize);
        assert_eq!(content(&after), [[0, 0], [6, 6]]);
        assert_eq!(after.entity("a").unwrap().1.at, [100.0 - 48.0, 50.0 - 32.0]);
        let again = Resize::to_content(doc(), &after).unwrap();
        let project: Project = [(doc(), Arc::new(Document::Level(after)))].into_iter().collect();
        assert_eq!(again.plan(&project).unwrap_err().to_string(), "“yard” is 6 × 6 cells already");
    }
    let empty = Resize::to_content(doc(), &Level::default()).unwrap_err();
    assert_eq!(empty.to_string(), "there is nothing in this level to fit it to");
    let far = level(None, &[[0, 0], [3_000_000, 0]], [0.0, 0.0], [0.0, 0.0]);
    assert!(Resize::to_content(doc(), &far).unwrap_err().to_string().contains("cells apart"));
}

#[test]
fn bounds_come_and_go() {
    let bounded = level(Some([10, 6]), &[[3, 4]], [50.0, 33.0], [50.0, 33.0]);
    let open = Resize::new(doc(), &bounded).bounded(false, &bounded);
    assert_eq!((open.size, open.shift(&bounded)), (None, [0, 0]));
    assert_eq!(open.growth_text(&bounded), "It has no bounds");
    assert_eq!(open.outside(&bounded), Outside::default());
    assert_eq!(resized(&bounded, &open).size, None);
    assert_eq!(open.bounded(true, &bounded).size, Some([10, 6]), "back to what it was");

    let unbounded = level(None, &[[-3, 4]], [-40.0, 33.0], [-40.0, 33.0]);
    let resize = Resize::new(doc(), &unbounded).bounded(true, &unbounded);
    assert_eq!((resize.size, resize.shift(&unbounded)), (Some([1, 1]), [3, -4]));
    // Where it has no bounds, its content stays where it is.
    let centered = to([5, 3], Stay::Middle, Stay::End);
    assert_eq!(centered.shift(&unbounded), [5, -2]);
    let text = "2 cells more at the left, 2 cells more at the top, 2 cells more at the right";
    assert_eq!(centered.growth_text(&unbounded), text);
    assert_eq!(centered.outside(&unbounded), Outside::default());
    let empty = Resize::new(doc(), &Level { size: None, ..Level::default() });
    assert_eq!(empty.bounded(true, &Level { size: None, ..Level::default() }).size, Level::default().size);
}

#[test]
fn a_size_that_cannot_be_is_refused_before_the_edit_does() {
    let level = level(Some([10, 6]), &[], [0.0, 0.0], [0.0, 0.0]);
    let mut project: Project = [(doc(), Arc::new(Document::Level(level.clone())))].into_iter().collect();
    for size in [[0, 6], [10, (1 << 20) + 1]] {
        let resize = to(size, Stay::Start, Stay::Start);
        assert_eq!(resize.problem(&level).unwrap(), "A level is 1 to 1048576 cells wide and high");
        assert!(resize.plan(&project).is_err());
        let edit = Edit::ResizeLevel { doc: doc(), size: Some(size), shift: [0, 0] };
        assert!(apply_all(&mut project, &[edit]).is_err());
    }
    assert!(to([1 << 20, 1], Stay::End, Stay::End).plan(&project).is_ok());
    let missing = Resize { doc: path("levels/nothing.ron"), ..to([1, 1], Stay::Start, Stay::Start) };
    assert_eq!(missing.plan(&project).unwrap_err().to_string(), "there is no level `nothing`");
}

#[test]
fn a_level_whose_tiles_pass_a_million_cells_keeps_them_in_regions_from_that_step_on() {
    let before = level(None, &[[0, 0]], [0.0, 0.0], [0.0, 0.0]);
    let mut project: Project = [(doc(), Arc::new(Document::Level(before.clone())))].into_iter().collect();
    let set = |n_chunks: i32| {
        let mut tiles = Tiles::default();
        tiles.paint((0..n_chunks).map(|i| ([i * 32, 0], Tile::id_only(1))));
        Edit::set_at(&doc(), before.layer_at("ground").key("chunks"), &tiles)
    };
    apply_all(&mut project, &[set(1_000)]).unwrap();
    assert!(!project.level(&doc()).unwrap().regions);
    apply_all(&mut project, &[set(1_025)]).unwrap();
    assert!(project.level(&doc()).unwrap().regions);
}
