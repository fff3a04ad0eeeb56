//! Stamps of several layers.

use levelwright::edit::{LayeredStamp, StampPart};

use super::*;

fn part(layer: &str, size: [u32; 2], ids: &[u32]) -> StampPart {
    let tiles = ids.iter().map(|id| if *id == 0 { Tile::EMPTY } else { tile(*id) }).collect();
    StampPart { layer: layer.into(), tileset: Some("keep".into()), tiles: Stamp::new(size, tiles).unwrap() }
}

fn held(weight: f64, parts: Vec<StampPart>) -> HeldStamp {
    HeldStamp { doc: None, weight, stamp: Arc::new(LayeredStamp::new(parts).unwrap()) }
}

/// A table with a layer in front and a stamp of two tiles on the ground and one in front.
fn table() -> Table {
    let mut table = Table::new(ToolKind::Stamp).draw(&["", "999999999999"]);
    let front = TileLayer::new("keep".into(), Tiles::default());
    table.level_mut().layers.push(Arc::new(Layer::new("front".into(), LayerContent::Tiles(front))));
    table.stamps = vec![held(1.0, vec![part("front", [2, 2], &[5, 0, 0, 0]), part("ground", [2, 2], &[0, 0, 1, 2])])];
    table
}

fn front(table: &Table, cell: Cell) -> Tile {
    table.level().layer("front").unwrap().1.tiles().unwrap().tiles.get(cell)
}

#[test]
fn a_stamp_paints_every_layer_of_its_own_name_as_the_preview_shows() {
    let mut table = table();
    table.run("hover 3,0");
    let shown = table.out.ghost.layers.clone();
    let names: Vec<&str> = shown.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["ground", "front"], "from the back");
    assert_eq!(table.out.ghost.cell_rect, Some([[3, 0], [4, 1]]));
    assert_eq!(table.history.n_done(), 0);
    table.run("press 3,0");
    assert_eq!(table.out.label.as_deref(), Some("Paste 2 × 2 tiles of 2 layers"));
    table.run("release 3,0");
    assert_eq!(table.picture(), ["", "999129999999"], "empty cells leave what is there");
    assert_eq!(front(&table, [3, 0]), tile(5));
    for (name, tiles) in shown {
        let layer = table.level().layer(&name).unwrap().1.tiles().unwrap();
        assert!(tiles.iter().all(|(cell, tile)| layer.tiles.get(*cell) == *tile), "{name}");
    }
    assert_eq!(table.history.n_done(), 1);
    table.history.undo(&mut table.project, None).unwrap();
    assert_eq!((table.picture()[1].as_str(), front(&table, [3, 0])), ("999999999999", Tile::EMPTY));
}

#[test]
fn a_drag_places_whole_stamps_side_by_side_and_can_be_taken_back() {
    let mut table = table();
    table.run("press 1,0 drag 2,0 drag 6,0");
    assert_eq!(table.picture()[1], "912121299999");
    table.run("esc");
    assert_eq!((table.picture()[1].as_str(), table.history.n_done()), ("999999999999", 0));
    table.cells = Arc::new(CellSet::rectangle([2, 0], [2, 5]));
    table.run("press 1,0 release 1,0");
    assert_eq!((table.picture()[1].as_str(), front(&table, [1, 0])), ("992999999999", Tile::EMPTY));
}

#[test]
fn what_a_level_lacks_for_a_stamp_is_the_hint_and_nothing_is_painted() {
    let refused = |change: &dyn Fn(&mut Table), why: &str| {
        let mut table = self::table();
        change(&mut table);
        table.run("hover 3,0 press 3,0 release 3,0");
        assert!(table.out.hint.contains(why), "{}", table.out.hint);
        assert_eq!((table.out.cursor, table.history.n_done()), (Cursor::Forbidden, 0));
    };
    refused(&|table| table.level_mut().layers.truncate(3), "no tile layer “front”");
    refused(&|table| Arc::make_mut(&mut table.level_mut().layers[3]).locked = true, "“front” is locked");
    refused(
        &|table| {
            table.stamps =
                vec![held(1.0, vec![StampPart { tileset: Some("cave".into()), ..part("front", [1, 1], &[1]) }])];
        },
        "“front” has tiles of keep, the stamp has tiles of cave",
    );
    refused(
        &|table| table.stamps = vec![held(1.0, vec![StampPart { tileset: None, ..part("front", [1, 1], &[1]) }])],
        "“front” has tiles of keep, the stamp has values",
    );
}

#[test]
fn of_several_stamps_each_place_draws_one_by_weight_the_same_each_time() {
    let mut table = table();
    let stamps = |weights: [f64; 3]| {
        let one = |(id, weight)| held(weight, vec![part("ground", [1, 1], &[id])]);
        (1..).zip(weights).map(one).collect::<Vec<_>>()
    };
    table.stamps = stamps([1.0, 1.0, 0.0]);
    table.run("press 0,0 release 11,0");
    let row = table.picture()[0].clone();
    assert!(row.contains('1') && row.contains('2') && !row.contains('3'), "{row}");
    table.history.undo(&mut table.project, None).unwrap();
    table.run("press 0,0 release 11,0");
    assert_eq!(table.picture()[0], row);
    table.stamps = stamps([0.0; 3]);
    table.run("press 0,2 release 11,2");
    assert_eq!(table.picture()[2].len(), 12, "without weights none is preferred");
    // A smaller one stands in the middle of the room that the largest takes, at its bottom.
    table.stamps =
        vec![held(1.0, vec![part("ground", [1, 1], &[7])]), held(0.0, vec![part("ground", [3, 3], &[8; 9])])];
    table.run("press 5,4 release 5,4");
    assert_eq!(table.picture()[5], ".....7");
}

#[test]
fn stamps_are_turned_and_mirrored_on_all_layers_and_written_as_they_are() {
    let stamp = LayeredStamp::new(vec![part("a", [2, 1], &[1, 2]), part("b", [2, 1], &[0, 3])]).unwrap();
    let turned = stamp.changed(Stamp::turned);
    assert_eq!(turned.size(), [1, 2]);
    assert_eq!(turned.changed(Stamp::turned).changed(Stamp::turned).changed(Stamp::turned), stamp);
    let file = stamp.to_file(2.5).unwrap();
    assert_eq!((file.size, file.weight, file.layers.len()), ([2, 1], 2.5, 2));
    assert_eq!(LayeredStamp::of_file(&file), Some(stamp));
    assert_eq!(LayeredStamp::new(vec![part("a", [1, 1], &[1]), part("a", [1, 1], &[2])]), None, "one name twice");
    assert_eq!(LayeredStamp::new(vec![part("a", [1, 1], &[1]), part("b", [1, 2], &[2, 3])]), None, "of two sizes");
    assert_eq!(LayeredStamp::of_file(&StampFile::default()), None);
    let unknown = StampPart { tileset: None, ..part("a", [1, 1], &[1]) };
    assert_eq!(LayeredStamp::new(vec![unknown]).unwrap().to_file(1.0), Err("a".into()));
}

#[test]
fn the_right_button_still_takes_a_brush() {
    let mut table = table();
    table.run("right+press 0,1 right+release 1,1");
    assert_eq!(table.stamp.size(), [2, 1]);
}
