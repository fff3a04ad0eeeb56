//! Tools on layers with cells of their own size.

use levelwright::{
    edit::{LayeredStamp, StampPart},
    tools::{all_cells, copied_cells, erase_cells},
};

use super::*;

/// A table with a layer of 8 pixels and one of 64 in front; tools work on the first of these.
fn table(kind: ToolKind) -> Table {
    let mut table = Table::new(kind);
    for (name, px) in [("fine", 8), ("coarse", 64)] {
        let content = TileLayer { tile_size: Some([px; 2]), ..TileLayer::new("keep".into(), Tiles::default()) };
        table.level_mut().layers.push(Arc::new(Layer::new(name.into(), LayerContent::Tiles(content))));
    }
    table.layer = 3;
    table
}

fn on(table: &Table, layer: usize) -> Vec<(Cell, u32)> {
    let tiles = table.level().layers[layer].cells().unwrap().tiles;
    tiles.iter().map(|(cell, tile)| (cell, tile.id().unwrap())).collect()
}

#[test]
fn a_tool_paints_the_cells_of_the_layer_up_to_its_last() {
    let mut table = table(ToolKind::Pencil);
    // 12 × 6 cells of 16 are 24 × 12 of 8, and 3 × 2 of 64, of which the last row is half outside.
    table.run("press @9,1 release @9,1");
    table.run("press @191,95 release @191,95");
    assert_eq!(on(&table, 3), [([1, 0], 1), ([23, 11], 1)]);
    table.run("hover @192,95");
    assert_eq!(table.out.hint, "This is outside the level");
    table.run("press @192,95 release @200,95");
    assert_eq!(on(&table, 3).len(), 2);
    table.layer = 4;
    table.run("press @191,95 release @191,95");
    assert_eq!(on(&table, 4), [([2, 1], 1)]);
    table.toolbox.take(ToolKind::Bucket);
    table.stamp = Stamp::one(tile(2));
    table.run("hover @1,1");
    assert_eq!(table.out.ghost.note.as_deref(), Some("5 cells"));
    table.run("press @1,1 release @1,1");
    assert_eq!(on(&table, 4).len(), 6);
    table.toolbox.take(ToolKind::Rectangle);
    table.layer = 3;
    table.run("press @0,0 drag @23,15");
    assert_eq!(table.out.ghost.note.as_deref(), Some("3 × 2"));
    table.run("release @23,15");
    assert_eq!(on(&table, 3).iter().filter(|(_, id)| *id == 2).count(), 6);
}

#[test]
fn a_layer_of_a_group_has_cells_of_its_own_too() {
    for in_group in [false, true] {
        let mut table = table(ToolKind::Pencil);
        let level = table.level_mut();
        // Behind the fine layer or around it.
        let at = if in_group { 3 } else { 0 };
        let inside = level.layers[at].clone();
        let group = GroupLayer { layers: vec![inside] };
        level.layers[at] = Arc::new(Layer::new("group".into(), LayerContent::Group(group)));
        table.layer = table.level().layer("fine").unwrap().0;
        table.run("press @9,1 release @9,1");
        let tiles = table.level().layer("fine").unwrap().1.tiles().unwrap().tiles.clone();
        assert_eq!(tiles.iter().map(|(cell, _)| cell).collect::<Vec<_>>(), [[1, 0]], "in a group: {in_group}");
    }
}

#[test]
fn cells_are_selected_and_moved_in_the_layers_own_size() {
    let mut table = table(ToolKind::Pencil);
    table.run("press @0,0 release @0,0");
    table.toolbox.take(ToolKind::SelectCells);
    table.run("press @0,0 release @15,7");
    assert_eq!(table.cells.bounds(), Some(([0, 0], [1, 0])));
    table.run("press @1,1 drag @20,9 release @20,9");
    assert_eq!(on(&table, 3), [([2, 1], 1)]);
    assert_eq!(table.cx(all_cells).unwrap().len(), 24 * 12);
    table.toolbox.take(ToolKind::Lasso);
    table.run("press @36,36 drag @52,36 drag @52,52 drag @36,52 release @36,37");
    assert_eq!(table.cells.bounds(), Some(([4, 4], [6, 6])));
}

#[test]
fn the_eyedropper_asks_each_layer_for_its_own_cell() {
    let mut table = table(ToolKind::Pencil);
    table.run("press @40,8 release @40,8");
    table.layer = 4;
    table.stamp = Stamp::one(tile(7));
    table.run("press @130,0 release @130,0");
    table.toolbox.take(ToolKind::Eyedropper);
    table.layer = 0;
    for (at, layer, id) in [("@41,15", "fine", 1), ("@191,63", "coarse", 7)] {
        table.run(&format!("press {at} release {at}"));
        assert_eq!(table.stamp, Stamp::one(tile(id)), "{at}");
        let picked = table.out.picked.take().unwrap();
        assert_eq!(&*picked.layer, layer);
    }
    table.run("press @48,8 release @48,8");
    assert_eq!(table.out.hint, "There are no tiles here to take");
    // A frame takes what it is over, from the layer that has something there.
    table.run("press @32,0 release @47,15");
    assert_eq!(table.stamp.size(), [2, 2]);
    assert_eq!(table.stamp.get([1, 1]), tile(1));
}

#[test]
fn layers_with_other_cells_are_not_worked_on_at_once() {
    let mut table = table(ToolKind::SelectCells).draw(&["1"]);
    table.layer = 0;
    table.is_over_all_layers = true;
    table.cells = Arc::new(CellSet::rectangle([0, 0], [1, 1]));
    let why =
        "“fine” has cells of 8 × 8 px, and the layer worked on of 16 × 16 px: lock or hide it, or work on one layer";
    assert_eq!(table.cx(erase_cells).unwrap_err(), why);
    assert_eq!(table.cx(copied_cells).unwrap_err(), why);
    table.run("press 0,0");
    assert_eq!((&*table.out.hint, table.out.edits.len()), (why, 0));
    for layer in [3, 4] {
        Arc::make_mut(&mut table.level_mut().layers[layer]).locked = true;
    }
    assert_eq!(table.cx(erase_cells).unwrap().edits.len(), 1);
    assert_eq!(table.cx(copied_cells).unwrap().len(), 1);
}

#[test]
fn a_stamp_is_painted_where_its_layers_have_the_cells_of_the_one_worked_on() {
    let mut table = table(ToolKind::Stamp);
    let part =
        |layer: &str| StampPart { layer: layer.into(), tileset: Some("keep".into()), tiles: Stamp::one(tile(5)) };
    let held = |parts| HeldStamp { doc: None, weight: 1.0, stamp: Arc::new(LayeredStamp::new(parts).unwrap()) };
    table.stamps = vec![held(vec![part("fine")])];
    table.run("press @17,1 release @17,1");
    assert_eq!(on(&table, 3), [([2, 0], 5)]);
    for (parts, layer) in [(vec![part("fine"), part("coarse")], 3), (vec![part("fine")], 0)] {
        table.stamps = vec![held(parts)];
        table.layer = layer;
        table.run("press @1,1 release @1,1");
        assert!(table.out.hint.contains("the stamp is for layers with the same cells"), "{}", table.out.hint);
    }
    assert_eq!((on(&table, 3).len(), on(&table, 4).len()), (1, 0));
}

#[test]
fn what_is_drawn_around_cells_of_a_shifted_layer_is_where_these_are_seen() {
    let mut table = table(ToolKind::Lasso);
    Arc::make_mut(&mut table.level_mut().layers[3]).offset = [32.0, 16.0];
    table.run("press @68,52 drag @84,52 drag @84,68 drag @68,68 release @68,53");
    assert_eq!(table.cells.bounds(), Some(([4, 4], [6, 6])));
    table.cells = Arc::default();
    table.toolbox.take(ToolKind::Pencil);
    table.run("press @33,17 release @33,17");
    assert_eq!(on(&table, 3), [([0, 0], 1)]);
    // From a layer elsewhere it is taken where it is seen.
    table.layer = 4;
    table.toolbox.take(ToolKind::Eyedropper);
    table.stamp = Stamp::one(tile(7));
    table.run("press @34,18 release @34,18");
    assert_eq!(table.stamp, Stamp::one(tile(1)));
}
