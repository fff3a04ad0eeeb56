//! Selecting cells, and what is done with the tiles on them.

use levelwright::edit::LayeredStamp;
use levelwright::tools::{
    Turn, all_cells, copied_cells, erase_cells, fill_cells, move_cells, nudge_of, other_cells, turn_cells,
};

use super::*;

impl Table {
    /// The selected cells, as a picture.
    fn marked(&self) -> Vec<String> {
        marked(&self.cells)
    }

    /// Do what a command does with the selected cells.
    pub(super) fn ask(&mut self, ask: impl FnOnce(&ToolCx<'_>) -> Result<ToolOut, String>) -> &mut Self {
        self.out = self.cx(ask).unwrap();
        self.obey();
        self
    }

    fn select(&mut self, a: Cell, b: Cell) -> &mut Self {
        self.cells = Arc::new(CellSet::rectangle(a, b));
        self
    }

    /// Another tile layer, on top, with tiles of its own.
    fn with_layer(mut self, name: &str, cells: &[(Cell, Tile)]) -> Self {
        let mut tiles = Tiles::default();
        tiles.paint(cells.iter().copied());
        let layer = TileLayer::new("keep".into(), tiles);
        self.level_mut().layers.push(Arc::new(Layer::new(name.into(), LayerContent::Tiles(layer))));
        self
    }

    fn tile_of(&self, layer: &str, cell: Cell) -> Tile {
        self.level().layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell)
    }
}

fn marked(cells: &CellSet) -> Vec<String> {
    let row = |y| (0..12).map(|x| if cells.contains([x, y]) { 'x' } else { '.' }).collect::<String>();
    let mut rows: Vec<String> = (0..6).map(|y| row(y).trim_end_matches('.').to_owned()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

#[test]
fn rectangles_are_joined_by_the_keys_held() {
    let mut table = Table::new(ToolKind::SelectCells);
    assert_eq!(table.run("press 1,0 release 3,2").marked(), [".xxx", ".xxx", ".xxx"]);
    assert_eq!(table.run("shift+press 5,0 shift+release 5,0").marked(), [".xxx.x", ".xxx", ".xxx"]);
    assert_eq!(table.run("ctrl+press 2,1 ctrl+release 9,1").marked(), [".xxx.x", ".x", ".xxx"]);
    let script = "press 0,0 esc press 9,5 release 9,5";
    assert!(table.run(script).marked().is_empty(), "a click beside the selection lets go of it");
    assert_eq!(table.run("press 0,0 release 3,3 press 8,5 shift+release 9,5").marked().last().unwrap(), "........xx");
    assert_eq!(table.run("press -5,-5 release 1,0").marked(), ["xx"], "the level has no more");
    table.run("press 0,1 release 1,1 ctrl+press 1,0");
    assert_eq!(table.history.n_done(), 0, "selecting is no step");
}

#[test]
fn what_is_being_selected_is_shown_and_taken_back() {
    let mut table = Table::new(ToolKind::SelectCells);
    table.run("press 1,1 release 2,2 shift+press 4,1 shift+drag 5,2");
    let shown = table.out.ghost.selection.clone().unwrap();
    assert_eq!(marked(&shown), ["", ".xx.xx", ".xx.xx"]);
    assert_eq!(table.out.ghost.note.as_deref(), Some("2 × 2"));
    assert_eq!(table.run("esc").marked(), ["", ".xx", ".xx"]);
}

#[test]
fn a_lasso_takes_what_it_encloses_and_touches() {
    let mut table = Table::new(ToolKind::Lasso);
    let around = "press 1,0 drag 5,0 drag 5,4 drag 1,4 release 1,1";
    assert_eq!(table.run(around).marked(), [".xxxxx"; 5]);
    let triangle = "press 8,0 drag 11,3 drag 8,3 release 8,1";
    assert_eq!(table.run(triangle).marked(), ["........x", "........xx", "........xxx", "........xxxx"]);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["x"], "a dot is a cell");
}

#[test]
fn the_wand_takes_an_area_and_same_tile_all() {
    let before = ["22.2", "2..2", "..22"];
    let mut table = Table::new(ToolKind::Wand).draw(&before);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xx", "x"]);
    assert_eq!(table.run("shift+press 3,0 shift+release 3,0").marked(), ["xx.x", "x..x", "..xx"]);
    table.toolbox.take(ToolKind::SelectSame);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xx.x", "x..x", "..xx"]);
    table.toolbox.take(ToolKind::Wand);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xx", "x"], "a click inside the selection selects, too");
    assert!(table.labels().is_empty());
    table.run("press 0,0 drag 4,0 release 4,0");
    assert_eq!(
        (table.picture(), table.labels()),
        (vec!["...222".into(), "...22".into(), "..22".into()], vec!["Move 3 cells".to_owned()])
    );
    assert_eq!(table.marked(), ["....xx", "....x"], "a drag moves what is selected");
    table.toolbox.take(ToolKind::SelectSame);
    table.layer = 1;
    table.run("press 0,0");
    assert!(table.out.hint.contains("holds no tiles"), "{}", table.out.hint);
}

#[test]
fn same_tile_finds_what_looking_at_every_cell_of_a_large_level_finds() {
    // Chunks with one of the tiles, with both, with neither, and with one that was painted over.
    let far = |i: i32| [i % 9 * 29, i / 9 * 31];
    let cells = (0..120).map(|i| (far(i), tile(2 + u32::try_from(i % 7 / 3).unwrap())));
    let mut all: Vec<(Cell, Tile)> = cells.collect();
    all.extend((0..40).map(|i| (far(i * 3), tile(5))));
    let mut table = Table::new(ToolKind::SelectSame).with_layer("front", &[(far(4), tile(9)), (far(80), tile(2))]);
    table.level_mut().size = Some([600, 600]);
    for (cell, tile) in all {
        let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut table.level_mut().layers[0]).content else { panic!() };
        layer.tiles.set(cell, tile);
    }
    for is_over_all_layers in [false, true] {
        table.is_over_all_layers = is_over_all_layers;
        let level = table.level();
        let layers: Vec<&Tiles> = level.layers.iter().rev().filter_map(|it| Some(it.cells()?.tiles)).collect();
        let layers = if is_over_all_layers { &layers[..] } else { &layers[1..] };
        let shown = |cell| layers.iter().map(|it| it.get(cell)).find(|it| !it.is_empty()).unwrap_or_default();
        let [x, y] = far(1);
        let meant = shown([x, y]);
        let each = (0..600).flat_map(|x| (0..600).map(move |y| [x, y]));
        let every: CellSet = each.filter(|cell| shown(*cell) == meant).collect();
        let found = table.run(&format!("press {x},{y} release {x},{y}")).cells.clone();
        assert!(found.len() > 20);
        assert_eq!(*found, every, "on all layers: {is_over_all_layers}");
    }
}

#[test]
fn the_wand_sees_all_layers_where_they_are_worked_on() {
    let front = [([1, 0], tile(2)), ([2, 0], tile(3))];
    let mut table = Table::new(ToolKind::Wand).draw(&["2222", "2.2"]).with_layer("front", &front);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xxxx", "x.x"]);
    table.is_over_all_layers = true;
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xx", "x"], "what is in front covers what is behind");
    assert_eq!(table.run("press 2,0 release 2,0").marked(), ["..x"], "the tile in front is looked for");
    table.toolbox.take(ToolKind::SelectSame);
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xx.x", "x.x"]);
    assert_eq!(table.run("press 1,1 release 1,1").cells.len(), 72 - 6, "nothing is where no layer has a tile");
    // The same number is another tile in another tileset, and what is hidden is not seen.
    let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut table.level_mut().layers[3]).content else { panic!() };
    layer.tileset = "cave".into();
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["x..x", "x.x"]);
    Arc::make_mut(&mut table.level_mut().layers[3]).visible = false;
    assert_eq!(table.run("press 0,0 release 0,0").marked(), ["xxxx", "x.x"]);
}

/// A level of 2048 × 2048 cells, all of which are selected.
fn vast(kind: ToolKind) -> Table {
    let mut table = Table::new(kind);
    table.level_mut().size = Some([2048, 2048]);
    table.select([0, 0], [2047, 2047]);
    table.ask(fill_cells);
    table
}

#[test]
fn millions_of_cells_are_dragged_as_an_outline_and_moved_chunk_by_chunk() {
    let mut table = vast(ToolKind::SelectCells);
    table.select([0, 0], [2047, 1023]);
    table.run("press 5,5 drag 37,69");
    assert!(table.out.edits.is_empty(), "tiles follow when the pointer is released");
    assert_eq!(table.out.ghost.selection.as_deref(), Some(&CellSet::rectangle([32, 64], [2047, 1087])));
    assert_eq!(table.out.ghost.note.as_deref(), Some("+32, +64"));
    assert!(table.out.hint.starts_with("32768 cells outside the level"), "{}", table.out.hint);
    table.run("release 37,69");
    let first = table.tiles().chunk([1, 2]).unwrap();
    assert!(table.tiles().chunks().all(|(_, chunk)| Arc::ptr_eq(chunk, first)), "whole chunks are not copied");
    assert_eq!((table.tiles().get([31, 100]), table.tiles().get([32, 100])), (Tile::EMPTY, tile(1)));
    table.run("press 100,100 release 69,37");
    assert_eq!(table.tiles().get([1, 1]), tile(1), "and come back from outside");
    assert_eq!((table.tiles().get([0, 500]), table.cells.len()), (Tile::EMPTY, 2047 * 1024));
}

#[test]
fn tiles_stay_in_the_level_at_least_in_part() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12"]);
    table.select([0, 0], [1, 0]);
    let why = table.cx(|cx| move_cells(cx, [-2, 0])).unwrap_err();
    assert!(why.contains("out of the level"), "{why}");
    table.run("press 0,0 drag -5,0");
    assert!(table.out.hint.contains("out of the level"), "{}", table.out.hint);
    assert_eq!(table.picture(), ["12"]);
    assert_eq!(table.run("drag 2,0 drag -1,0").picture(), ["2"], "the drag goes on");
    assert_eq!(table.out.hint, "1 cell outside the level: tiles there are lost once they are let go");
    assert_eq!(table.run("drag -5,0 release -5,0").picture(), ["12"]);
    assert_eq!((table.history.n_done(), table.marked()), (0, vec!["xx".to_owned()]));
}

#[test]
fn what_floats_is_turned_without_leaving_holes() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12", "3456", "78"]);
    table.select([0, 0], [1, 0]).run("press 0,0 release 0,1");
    assert_eq!(table.picture(), ["", "1256", "78"]);
    table.ask(|cx| turn_cells(cx, Turn::FlipH));
    assert_eq!(table.picture(), ["", "2156", "78"]);
    table.ask(|cx| turn_cells(cx, Turn::Rotate));
    assert_eq!(table.picture(), ["", "2456", "18"], "what they lay on is back");
    assert_eq!(table.tiles().get([0, 1]), Tile::new(2, true, true, true));
    table.ask(|cx| move_cells(cx, [3, 0]));
    assert_eq!(table.picture(), ["", "3452", "78.1"]);
}

#[test]
fn a_quarter_of_a_large_level_is_copied_and_pasted() {
    let mut table = vast(ToolKind::SelectCells);
    let copied = table.cx(copied_cells).unwrap();
    assert_eq!(copied[0].tiles.size(), [2048, 2048]);
    table.level_mut().size = Some([4096, 4096]);
    table.cells = Arc::default();
    table.toolbox.take(ToolKind::Stamp);
    table.stamp = copied[0].tiles.clone();
    table.run("press 3071,3071");
    assert_eq!(table.tiles().n_chunks(), 64 * 64, "it is painted when the pointer is released");
    assert_eq!(table.run("release 3071,3071").tiles().n_chunks(), 2 * 64 * 64);
    table.history.undo(&mut table.project, None).unwrap();
    table.stamps = vec![HeldStamp { doc: None, weight: 1.0, stamp: Arc::new(LayeredStamp::new(copied).unwrap()) }];
    assert_eq!(table.run("press 3071,3071 release 3071,3071").tiles().n_chunks(), 2 * 64 * 64);
    table.select([0, 0], [2048, 2047]);
    let why = table.cx(copied_cells).unwrap_err();
    assert_eq!(why, "At most 4194304 tiles can be copied at once; these would be 4196352");
}

#[test]
fn a_selection_is_dragged_with_its_tiles() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12.", ".3.", "444444"]);
    table.run("press 0,0 release 1,1 press 1,1 drag 2,2 release 3,2");
    assert_eq!(table.picture(), ["", "..12", "444344"], "empty cells leave what is under them");
    assert_eq!(table.marked(), ["", "..xx", "..xx"]);
    assert_eq!(table.out.label.as_deref(), Some("Move 4 cells"));
    table.run("press 2,1 drag 4,1 esc");
    assert_eq!(table.picture(), ["", "..12", "444344"]);
    table.run("alt+press 2,1 alt+release 6,1");
    assert_eq!(table.picture(), ["", "..12..12", "44434443"], "a copy");
    assert_eq!(table.run("press 7,1 release 7,1").history.n_done(), 2, "a click moves nothing");
}

#[test]
fn tiles_that_leave_the_level_are_gone_and_come_back_by_undo() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12"]);
    table.select([0, 0], [1, 0]).ask(|cx| move_cells(cx, nudge_of([-1, 0], false)));
    assert_eq!((table.picture(), table.marked()), (vec!["2".to_owned()], vec!["x".to_owned()]));
    table.history.undo(&mut table.project, None).unwrap();
    assert_eq!(table.picture(), ["12"]);
}

#[test]
fn selected_tiles_are_mirrored_turned_filled_and_erased() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["123", "4.."]);
    table.select([0, 0], [2, 1]).ask(|cx| turn_cells(cx, Turn::FlipH));
    assert_eq!(table.picture(), ["321", "..4"]);
    assert!(table.tiles().get([2, 0]).flip_h() && !table.tiles().get([2, 0]).flip_v());
    table.ask(|cx| turn_cells(cx, Turn::FlipV));
    assert_eq!(table.picture(), ["..4", "321"]);
    let (before, at) = (table.picture(), table.marked());
    for turned in 1..=4 {
        table.ask(|cx| turn_cells(cx, Turn::Rotate));
        assert_eq!(table.cells.len(), 6, "{turned}");
    }
    assert_eq!((table.picture(), table.marked()), (before, at), "four quarters are a whole turn");
    assert!(table.tiles().get([2, 0]).flip_v(), "and turn each tile");
    table.stamp = Stamp::new([2, 1], vec![tile(7), tile(8)]).unwrap();
    assert_eq!(table.ask(fill_cells).picture(), ["787", "787"]);
    assert_eq!(table.select([1, 0], [1, 1]).ask(erase_cells).picture(), ["7.7", "7.7"]);
    assert_eq!(table.out.label.as_deref(), Some("Erase 2 cells"));
    let why = table.select([0, 0], [11, 0]).cx(|cx| turn_cells(cx, Turn::Rotate)).unwrap_err();
    assert!(why.contains("no room"), "{why}");
    assert!(table.select([0, 4], [1, 4]).cx(erase_cells).unwrap_err().contains("no tiles"));
    table.select([10, 3], [11, 5]).ask(fill_cells).ask(|cx| turn_cells(cx, Turn::Rotate));
    assert_eq!(table.cells.bounds(), Some(([9, 3], [11, 4])), "a turn stays in the level");
}

#[test]
fn all_layers_are_worked_on_where_that_is_wanted() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["1"]).with_layer("front", &[([0, 0], tile(5))]);
    table.select([0, 0], [0, 0]).is_over_all_layers = true;
    table.run("press 0,0 release 2,0");
    assert_eq!((table.tile_of("ground", [2, 0]), table.tile_of("front", [2, 0])), (tile(1), tile(5)));
    Arc::make_mut(&mut table.level_mut().layers[3]).locked = true;
    table.run("press 2,0 release 4,0");
    assert_eq!((table.tile_of("ground", [4, 0]), table.tile_of("front", [2, 0])), (tile(1), tile(5)));
    let names = |table: &Table| -> Vec<String> {
        table.cx(copied_cells).unwrap().iter().map(|part| part.layer.to_string()).collect()
    };
    assert_eq!(names(table.select([2, 0], [4, 0])), ["ground"], "what is locked is left alone");
    Arc::make_mut(&mut table.level_mut().layers[3]).locked = false;
    assert_eq!(names(&table), ["ground", "front"]);
    let copied = table.cx(copied_cells).unwrap();
    assert!(copied.iter().all(|part| part.tileset.as_deref() == Some("keep") && part.tiles.size() == [3, 1]));
}

#[test]
fn selected_tiles_float_until_something_else_is_edited() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12", "345678", "9"]);
    table.select([0, 0], [1, 0]).run("press 0,0 release 0,1");
    assert_eq!(table.picture(), ["", "125678", "9"]);
    table.run("press 1,1 drag 4,4 release 3,1");
    assert_eq!(table.picture(), ["", "341278", "9"], "what they lay on is back, and they are themselves");
    assert_eq!(table.marked(), ["", "..xx"]);
    table.ask(|cx| move_cells(cx, nudge_of([1, 0], false)));
    assert_eq!(table.picture(), ["", "345128", "9"], "an arrow key goes on from there");
    table.run("press 3,1 drag 0,0 esc");
    assert_eq!((table.picture(), table.history.n_done()), (vec![String::new(), "345128".into(), "9".into()], 3));
    // Undo gives the level of before back, from where they float on.
    table.history.undo(&mut table.project, None).unwrap();
    table.select([2, 1], [3, 1]).run("press 2,1 release 0,0");
    assert_eq!(table.picture(), ["12", "345678", "9"], "back to where they came from");
    // Once something else is edited, they are what the level has there.
    table.run("press 0,0 release 0,1").toolbox.take(ToolKind::Pencil);
    let cells = std::mem::take(&mut table.cells);
    table.run("press 8,5 release 8,5").toolbox.take(ToolKind::SelectCells);
    table.cells = cells;
    table.run("press 0,1 release 4,1");
    assert_eq!(table.picture()[..2], [String::new(), "..5612".to_owned()]);
    // So they are with another selection, where the tiles beside were not moved.
    table.select([3, 1], [4, 1]).run("press 3,1 release 3,0");
    assert_eq!(table.picture()[..2], ["...61".to_owned(), "..5..2".to_owned()]);
}

#[test]
fn selected_values_float_as_tiles_do_and_are_copied_to_value_layers() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12", "34"]);
    let tiles = table.level().layers[0].tiles().unwrap().tiles.clone();
    let values = ValueLayer { values: tiles, ..ValueLayer::with_one() };
    Arc::make_mut(&mut table.level_mut().layers[0]).content = LayerContent::Values(values);
    table.select([0, 0], [1, 0]).run("press 0,0 release 0,1");
    assert_eq!(table.picture(), ["", "12"]);
    table.run("press 0,1 release 0,2");
    assert_eq!(table.picture(), ["", "34", "12"]);
    let copied = table.cx(copied_cells).unwrap();
    assert_eq!(copied.iter().map(|part| part.tileset.as_deref()).collect::<Vec<_>>(), [None]);
    let stamp = Arc::new(LayeredStamp::new(copied).unwrap());
    table.stamps = vec![HeldStamp { doc: None, weight: 1.0, stamp }];
    table.cells = Arc::default();
    table.toolbox.take(ToolKind::Stamp);
    assert_eq!(table.run("press 5,0 release 5,0").picture()[0], ".....12");
}

#[test]
fn copies_float_over_what_they_are_copied_from_and_tiles_come_back_from_outside() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["123"]);
    table.select([0, 0], [1, 0]).run("alt+press 0,0 alt+release 1,0");
    assert_eq!(table.picture(), ["112"]);
    table.run("press 1,0 release 1,1");
    assert_eq!(table.picture(), ["123", ".12"], "the copies are moved on, and leave what they covered");
    table.run("alt+press 1,1 alt+release 5,1");
    assert_eq!(table.picture(), ["123", ".12..12"], "another copy leaves the first where it is");
    let mut table = Table::new(ToolKind::SelectCells).draw(&["12"]);
    table.select([0, 0], [1, 0]).run("press 1,0 release 0,0");
    assert_eq!((table.picture(), table.marked()), (vec!["2".to_owned()], vec!["x".to_owned()]));
    table.run("press 0,0 release 3,0");
    assert_eq!(table.picture(), ["..12"]);
    // A selection of one layer does not take along what another layer had.
    let mut table = Table::new(ToolKind::SelectCells).draw(&["1"]).with_layer("front", &[([2, 0], tile(5))]);
    table.select([0, 0], [0, 0]).run("press 0,0 release 2,0").layer = 3;
    table.run("press 2,0 release 4,0");
    assert_eq!((table.tile_of("ground", [2, 0]), table.tile_of("front", [4, 0])), (tile(1), tile(5)));
}

#[test]
fn a_selection_limits_what_is_painted() {
    for (kind, script) in [
        (ToolKind::Pencil, "press 0,0 release 11,0"),
        (ToolKind::Rectangle, "press 0,0 release 11,5"),
        (ToolKind::Bucket, "press 3,0 release 3,0"),
        (ToolKind::Terrain, "press 0,0 release 11,0"),
    ] {
        let mut table = blob_table();
        table.toolbox.take(kind);
        table.select([2, 0], [4, 0]).run(script);
        assert_eq!(table.tiles().iter().count(), 3, "{kind:?}");
    }
    let mut table = Table::new(ToolKind::Eraser).draw(&["11111"]);
    assert_eq!(table.select([2, 0], [3, 0]).run("press 0,0 release 5,0").picture(), ["11..1"]);
}

#[test]
fn everything_of_an_unbounded_level_is_what_has_tiles() {
    let mut table = Table::new(ToolKind::SelectCells).draw(&["", ".111"]);
    table.level_mut().size = None;
    assert_eq!(table.cx(all_cells).unwrap().bounds(), Some(([1, 1], [3, 1])), "no whole chunks");
}

#[test]
fn everything_and_the_rest_are_selected() {
    let mut table = Table::new(ToolKind::SelectCells);
    assert_eq!(table.cx(all_cells).unwrap().len(), 72);
    table.select([0, 0], [11, 4]);
    assert_eq!(marked(&table.cx(other_cells).unwrap()), ["", "", "", "", "", "xxxxxxxxxxxx"]);
    table.level_mut().size = None;
    assert!(table.cx(all_cells).is_err(), "no end, and no tiles");
    table.level_mut().size = Some([16_384, 16_384]);
    table.select([3, 3], [3, 3]);
    assert_eq!(table.cx(all_cells).unwrap().len(), 16_384 * 16_384);
    assert_eq!(table.cx(other_cells).unwrap().len(), 16_384 * 16_384 - 1);
    table.run("press 0,0 release 16383,16383").ask(fill_cells);
    assert_eq!(table.tiles().n_chunks(), 512 * 512);
    table.ask(erase_cells);
    assert_eq!(table.tiles().n_chunks(), 0);
    table.stamp = Stamp::new([2, 1], vec![tile(7), tile(8)]).unwrap();
    let why = table.cx(fill_cells).unwrap_err();
    assert!(why.starts_with("At most 16777216 cells at once; this would be 268435456"), "{why}");
    table.level_mut().size = Some([100_000, 100_000]);
    assert!(table.cx(all_cells).unwrap_err().starts_with("At most 4294967296 cells at once"));
}
