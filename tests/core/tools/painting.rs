//! Painting tiles: strokes, shapes, the bucket, stamps, random tiles.

use super::*;

fn painted(kind: ToolKind, before: &[&str], script: &str) -> Vec<String> {
    let mut table = Table::new(kind).draw(before);
    table.run(script);
    assert!(table.gesture.is_none() && !table.toolbox.is_busy(), "the script leaves a gesture open");
    table.picture()
}

/// An area as rows: row, first and last column.
fn rows(area: &Area) -> Vec<(i32, i32, i32)> {
    area.cells.rows([0, 0], [11, 5]).collect()
}

// ---- tiles ----

#[test]
fn a_fast_stroke_has_no_gaps() {
    assert_eq!(painted(ToolKind::Pencil, &[], "press 0,0 drag 5,2 release 9,0"), ["11......11", "..11..11", "....11"]);
    assert_eq!(painted(ToolKind::Eraser, &["222222"], "press 1,0 release 4,0"), ["2....2"]);
}

#[test]
fn shift_paints_straight_lines() {
    let straight = "press 0,0 drag 3,3 shift+release 6,0";
    assert_eq!(painted(ToolKind::Pencil, &[], straight), ["1111111"], "while dragging: from where the stroke began");
    let from_last = "press 0,0 release 0,0 shift+press 6,0 release 6,0";
    assert_eq!(painted(ToolKind::Pencil, &[], from_last), ["1111111"], "pressed: from where the last stroke ended");
}

#[test]
fn shapes() {
    assert_eq!(painted(ToolKind::Line, &[], "press 0,0 release 6,3"), ["1", ".11", "...11", ".....11"]);
    assert_eq!(painted(ToolKind::Line, &[], "press 0,0 shift+release 6,1"), ["1111111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 4,2 drag 9,9 release 2,0"), ["..111", "..111", "..111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 0,0 ctrl+release 3,2"), ["1111", "1..1", "1111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 0,0 shift+release 3,1"), ["1111", "1111", "1111", "1111"]);
    assert_eq!(painted(ToolKind::Ellipse, &[], "press 0,0 release 4,4"), [".111", "11111", "11111", "11111", ".111"]);
    assert_eq!(
        painted(ToolKind::Ellipse, &[], "press 0,0 ctrl+release 4,4"),
        [".111", "1...1", "1...1", "1...1", ".111"]
    );
    assert_eq!(
        painted(ToolKind::Rectangle, &[], "press -3,-3 release 1,1"),
        ["11", "11"],
        "outside nothing is painted"
    );
}

#[test]
fn the_bucket_fills_what_hangs_together_by_sides() {
    let before = ["2222", "2..22", "2.2.2", "22222"];
    assert_eq!(painted(ToolKind::Bucket, &before, "press 1,1 release 1,1"), ["2222", "21122", "212.2", "22222"]);
    assert_eq!(painted(ToolKind::SameTile, &before, "press 0,0 release 0,0"), ["1111", "1..11", "1.1.1", "11111"]);
    let full = painted(ToolKind::Bucket, &[], "press 0,0 release 0,0");
    assert_eq!(full, ["111111111111"; 6], "the level's edge is a border");
}

#[test]
fn what_a_click_would_fill_is_shown_before() {
    let before = ["2222", "2..22", "2.2.2", "22222"];
    let mut table = Table::new(ToolKind::Bucket).draw(&before);
    let area = |table: &mut Table, script: &str| table.run(script).out.ghost.area.clone().unwrap();
    let shown = area(&mut table, "hover 1,1");
    assert_eq!(rows(&shown), [(1, 1, 2), (2, 1, 1)], "what hangs together by sides");
    assert!(shown.is_whole);
    assert_eq!(table.out.ghost.note.as_deref(), Some("3 cells"));
    assert!(Arc::ptr_eq(&shown, &area(&mut table, "hover 2,1")), "another cell of it is no other area");
    assert!(!Arc::ptr_eq(&shown, &area(&mut table, "hover 3,2")));
    table.run("press 1,1 release 1,1");
    let out = &table.run("hover 1,1").out;
    assert_eq!((&out.ghost.area, &*out.hint), (&None, "These cells show this tile already"));
    assert_eq!(area(&mut table, "hover 0,0").cells.len(), 15);
    table.toolbox.take(ToolKind::SameTile);
    let shown = area(&mut table, "hover 0,0");
    assert_eq!(shown.cells.len(), 15, "every one like it");
    assert_eq!(table.run("hover 20,0").out.ghost.area, None, "outside the level");
    table.level_mut().size = None;
    assert!(table.run("hover 11,5").out.hint.contains("no end"), "{}", table.out.hint);
}

#[test]
fn what_a_click_would_paint_is_shown_before_it_tile_by_tile() {
    let stamp = Stamp::new([2, 1], vec![tile(7), tile(8)]).unwrap();
    for (kind, is_random) in [(ToolKind::Bucket, false), (ToolKind::SameTile, false), (ToolKind::Bucket, true)] {
        let mut table = Table::new(kind).draw(&["2222", "2..22", "2.2.2", "22222"]);
        (table.stamp, table.is_random) = (stamp.clone(), is_random);
        let shown = table.run("hover 1,1").out.ghost.tiles.clone();
        assert!(shown.len() > 2, "{kind:?}");
        table.run("press 1,1 release 1,1");
        assert!(shown.iter().all(|(cell, tile)| table.tiles().get(*cell) == *tile), "{kind:?}");
        let painted = table.tiles().iter().filter(|(_, it)| [tile(7), tile(8)].contains(it));
        assert_eq!(painted.count(), shown.len(), "{kind:?}");
    }
    for key in ["", "ctrl+"] {
        let mut table = blob_table();
        let mut before = table.run("press 2,2 drag 5,2 release 5,3").tiles().clone();
        let shown = table.run(&format!("{key}hover 3,2")).out.ghost.tiles.clone();
        if key.is_empty() {
            let shown = table.run("hover 6,2").out.ghost.tiles.clone();
            assert!(shown.len() > 1, "with the neighbors that follow");
            before.paint(shown);
            assert_eq!(table.run("press 6,2 release 6,2").tiles(), &before);
        } else {
            before.paint(shown);
            assert_eq!(table.run("ctrl+press 3,2 release 3,2").tiles(), &before);
        }
    }
}

#[test]
fn a_larger_brush_covers_more_cells_and_a_round_one_no_corners() {
    let brush = |kind, size: i32, shape, before: &[&str], script: &str| {
        let mut table = Table::new(kind).draw(before);
        table.options.tip.resize(size - 1);
        table.options.tip.shape = shape;
        table.run(script);
        table
    };
    let (square, round) = (TipShape::Square, TipShape::Round);
    let click = "press 2,2 release 2,2";
    assert_eq!(brush(ToolKind::Pencil, 3, square, &[], click).picture(), ["", ".111", ".111", ".111"]);
    assert_eq!(brush(ToolKind::Pencil, 2, square, &[], click).picture(), ["", "", "..11", "..11"], "right and below");
    assert_eq!(brush(ToolKind::Pencil, 5, round, &[], click).picture(), [".111", "11111", "11111", "11111", ".111"]);
    let full = ["22222222"; 5];
    let stroke = "press 1,1 release 6,1";
    assert_eq!(brush(ToolKind::Eraser, 3, square, &full, stroke).picture(), ["", "", "", "22222222", "22222222"]);
    let line = brush(ToolKind::Pencil, 2, square, &[], "press 0,0 release 0,0 shift+press 3,0 release 3,0");
    assert_eq!(line.picture(), ["11111", "11111"], "straight lines are as thick");
    // A brush of several tiles: so many copies each way.
    let mut table = Table::new(ToolKind::Pencil);
    table.stamp = Stamp::new([2, 1], vec![tile(1), tile(2)]).unwrap();
    table.options.tip.resize(1);
    assert_eq!(table.run("press 1,0 release 1,0").picture(), ["1212", "1212"]);
    let mut tip = BrushTip::default();
    tip.resize(-5);
    assert_eq!(tip.size(), 1);
    tip.resize(500);
    assert_eq!(tip.size(), BrushTip::MAX);
}

#[test]
fn a_brush_is_shown_as_it_will_paint() {
    let mut table = Table::new(ToolKind::Pencil);
    table.options.tip.resize(3);
    assert_eq!(table.run("hover 4,2").out.ghost.cell_rect, Some([[3, 1], [6, 4]]));
    table.options.tip.shape = TipShape::Round;
    let shown = table.run("hover 4,2").out.ghost.area.clone().unwrap();
    assert_eq!(rows(&shown), [(1, 4, 5), (2, 3, 6), (3, 3, 6), (4, 4, 5)]);
    let tiles: Vec<_> = table.out.ghost.tiles.iter().map(|(cell, _)| *cell).collect();
    table.run("press 4,2");
    let painted: std::collections::BTreeSet<_> = table.tiles().iter().map(|(cell, _)| cell).collect();
    assert_eq!(painted, tiles.into_iter().collect());
    assert_eq!(table.out.label.as_deref(), Some("Paint 12 tiles"));
}

#[test]
fn a_straight_line_is_shown_before_the_press() {
    for kind in [ToolKind::Pencil, ToolKind::Eraser] {
        let mut table = Table::new(kind).draw(&["", "2"]);
        assert_eq!(table.run("shift+hover 3,3").out.ghost.area, None, "nothing was painted yet");
        table.run("press 1,1 release 1,1 shift+hover 4,1");
        let shown = table.out.ghost.area.clone().unwrap();
        assert_eq!((rows(&shown), table.out.ghost.note.as_deref()), (vec![(1, 1, 4)], Some("4 × 1")));
        assert_eq!(table.out.ghost.tiles.len(), if kind == ToolKind::Pencil { 4 } else { 0 });
        assert_eq!(table.run("hover 4,1").out.ghost.area, None, "without Shift it would begin here");
    }
}

#[test]
fn outlines_are_an_option_that_ctrl_turns_round() {
    let mut table = Table::new(ToolKind::Rectangle);
    table.options.shapes = ShapeStyle::Outlined;
    assert_eq!(table.run("press 0,0 release 3,2").picture(), ["1111", "1..1", "1111"]);
    assert_eq!(table.run("press 0,0 ctrl+release 3,2").picture(), ["1111", "1111", "1111"]);
}

#[test]
fn areas_can_be_of_a_terrain_instead_of_a_tile() {
    let draw = |kind, matching| {
        let mut table =
            Table::terrain(TerrainMode::Edges, &[(2, "_,_,_,_"), (3, "rock,_,_,_")]).draw(&["2324", "4432"]);
        table.toolbox.take(kind);
        table.options.matching = matching;
        let n_shown = table.run("hover 0,0").out.ghost.area.as_ref().unwrap().cells.len();
        let picture = table.run("press 0,0 release 0,0").picture();
        let n_painted = picture.iter().flat_map(|row| row.chars()).filter(|c| *c == '1').count();
        assert_eq!(n_shown, n_painted, "what is shown is what is filled");
        picture
    };
    assert_eq!(draw(ToolKind::Bucket, Matching::Tile), ["1324", "4432"]);
    assert_eq!(draw(ToolKind::Bucket, Matching::Terrain), ["1114", "4411"]);
    assert_eq!(draw(ToolKind::SameTile, Matching::Tile), ["1314", "4431"]);
    assert_eq!(draw(ToolKind::SameTile, Matching::Terrain), ["1114", "4411"]);
}

#[test]
fn of_a_vast_area_the_part_around_the_pointer_is_shown() {
    for kind in [ToolKind::Bucket, ToolKind::SameTile] {
        let mut table = Table::new(kind);
        table.level_mut().size = Some([16_384, 16_384]);
        table.run("hover 8000,8000");
        let shown = table.out.ghost.area.clone().unwrap();
        assert!(!shown.is_whole && shown.cells.len() < 12_000, "{}", shown.cells.len());
        let has = |cell| shown.cells.contains(cell);
        assert!(has([8000, 8000]) && has([8060, 8040]) && !has([8000, 8100]));
        assert_eq!(table.out.ghost.note.as_deref(), Some("a large area"));
        assert!(table.run("hover 8001,8000").out.ghost.area.as_ref().unwrap().cells.contains([8065, 8000]));
    }
}

#[test]
fn an_unbounded_level_is_never_flooded() {
    let mut table = Table::new(ToolKind::Wand).draw(&["22222", "2...2", "2...2", "2...2", "22222"]);
    table.level_mut().size = None;
    assert_eq!(table.run("press 2,2 release 2,2").cells.len(), 9);
    let refused = |table: &mut Table, script: &str| table.run(script).out.hint.to_string();
    assert!(refused(&mut table, "press 9,9").contains("no end"));
    table.level_mut().size = Some([1 << 20, 1 << 20]);
    assert!(refused(&mut table, "press 9,9").contains("this would be more"), "too large");
    table.level_mut().size = Some([10, 10]);
    assert!(refused(&mut table, "press 10,0").contains("outside"));
    let mut table = Table::new(ToolKind::Wand);
    table.level_mut().size = None;
    assert!(refused(&mut table, "press 0,0").contains("no end"), "no tiles at all");
    let mut table = Table::new(ToolKind::Bucket);
    table.level_mut().size = None;
    table.run("press 1,1 release 1,1");
    assert!(table.picture().is_empty() && table.gesture.is_none());
}

#[test]
fn a_stamp_is_anchored_where_the_stroke_began() {
    let stamp = Stamp::new([2, 2], vec![tile(1), tile(2), tile(3), Tile::EMPTY]).unwrap();
    let run = |kind, script: &str| {
        let mut table = Table::new(kind).draw(&["", "aaaaaaaa"]);
        table.stamp = stamp.clone();
        table.run(script).picture()
    };
    assert_eq!(
        run(ToolKind::Pencil, "press 0,0 release 3,0"),
        ["12121", "3a3a3aaa"],
        "the pattern goes on under the stroke"
    );
    assert_eq!(run(ToolKind::Stamp, "press 0,0 release 3,0"), ["1212", "3a3aaaaa"], "whole copies side by side");
    assert_eq!(run(ToolKind::Rectangle, "press 1,0 release 4,1"), [".1212", "a3a3aaaa"]);
}

#[test]
fn random_tiles_are_the_same_each_time_and_follow_the_weights() {
    let run = || {
        let mut table = Table::new(ToolKind::Rectangle);
        let at = DocPath::new("tilesets/keep.ron").unwrap();
        let mut set = table.project.tileset(&at).unwrap().clone();
        set.tiles[&2].weight = 0.0;
        set.tiles[&3].weight = 9.0;
        table.project.documents.insert(at, Arc::new(Document::Tileset(set)));
        table.is_random = true;
        table.stamp = Stamp::new([3, 1], vec![tile(1), tile(2), tile(3)]).unwrap();
        table.run("press 0,0 drag 3,3 release 11,5").picture().concat()
    };
    let all = run();
    assert_eq!(all, run());
    assert!(!all.contains('2') && all.matches('1').count() > 1 && all.matches('3').count() > 50, "{all}");
}

#[test]
fn large_random_shapes_are_drawn_when_the_pointer_is_released() {
    let mut table = Table::new(ToolKind::Rectangle);
    table.level_mut().size = Some([512, 512]);
    table.is_random = true;
    table.stamp = Stamp::new([2, 1], vec![tile(1), tile(2)]).unwrap();
    table.run("press 0,0 drag 299,299");
    assert!(table.out.edits.is_empty() && table.tiles().n_chunks() == 0);
    table.run("release 299,299");
    assert_eq!(table.tiles().iter().count(), 90_000);
}

#[test]
fn a_brush_is_taken_from_the_level() {
    let mut table = Table::new(ToolKind::Eyedropper).draw(&["12", "3"]);
    table.run("press 1,1 drag 0,0 release 0,0");
    assert_eq!(table.stamp, Stamp::new([2, 2], vec![tile(1), tile(2), tile(3), Tile::EMPTY]).unwrap());
    table.toolbox.take(ToolKind::Pencil);
    table.run("right+press 1,0 right+release 1,0 press 5,0 release 5,0");
    assert_eq!(table.picture(), ["12...2", "3"]);
    table.run("right+press 9,0 right+release 9,0");
    assert_eq!(table.stamp, Stamp::one(tile(2)), "nothing there: the brush stays");
}

#[test]
fn a_brush_is_taken_of_what_is_seen() {
    let mut table = Table::new(ToolKind::Eyedropper).draw(&["1"]);
    let mut front = TileLayer { collide: false, ..TileLayer::new("keep".into(), Tiles::default()) };
    front.tiles.set([0, 0], tile(5));
    front.tiles.set([1, 0], tile(6));
    table.level_mut().layers.push(Arc::new(Layer::new("front".into(), LayerContent::Tiles(front))));
    let take = |table: &mut Table, x: i32| {
        let picked = table.run(&format!("press {x},0 release {x},0")).out.picked.clone().unwrap();
        (picked.stamp, picked.layer.to_string())
    };
    assert_eq!(take(&mut table, 0), (Stamp::one(tile(1)), "ground".to_owned()), "the layer worked on first");
    assert_eq!(take(&mut table, 1), (Stamp::one(tile(6)), "front".to_owned()), "it has nothing here");
    Arc::make_mut(&mut table.level_mut().layers[0]).visible = false;
    assert_eq!(take(&mut table, 0), (Stamp::one(tile(5)), "front".to_owned()), "what is hidden is not taken");
}

#[test]
fn what_cannot_be_painted_says_why() {
    let mut table = Table::new(ToolKind::Pencil);
    table.layer = 1;
    assert!(table.run("press 0,0").out.hint.contains("“actors” holds no tiles"));
    table.layer = 0;
    table.stamp = Stamp::default();
    assert!(table.run("press 0,0").out.hint.contains("Palette"));
    Arc::make_mut(&mut table.level_mut().layers[0]).locked = true;
    assert!(table.run("press 0,0").out.hint.contains("“ground” is locked"));
    assert!(table.gesture.is_none());
}

#[test]
fn a_stroke_is_one_step_with_its_name() {
    let mut table = Table::new(ToolKind::Pencil);
    table.run("press 0,0 drag 1,0 drag 2,0 release 3,0");
    table.toolbox.take(ToolKind::Bucket);
    table.run("press 0,0 drag 0,0 release 0,0");
    table.toolbox.take(ToolKind::Eraser);
    table.run("press 0,0 release 1,0");
    assert_eq!(table.labels(), ["Paint 4 tiles", "Erase 2 tiles"], "filling with what is there is no step");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn lines_are_whole(a in [-50..50_i32, -50..50_i32], b in [-50..50_i32, -50..50_i32]) {
        let cells: Vec<_> = line(a, b, None).collect();
        prop_assert_eq!((cells[0], *cells.last().unwrap()), (a, b));
        prop_assert_eq!(cells.len() as u32, a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])) + 1);
        for pair in cells.windows(2) {
            prop_assert!((pair[0][0] - pair[1][0]).abs() <= 1 && (pair[0][1] - pair[1][1]).abs() <= 1);
        }
    }

    #[test]
    fn an_ellipse_has_the_cells_that_its_formula_says(w in 1..30_i32, h in 1..30_i32, is_outline: bool) {
        let mut table = Table::new(ToolKind::Ellipse);
        table.level_mut().size = Some([32, 32]);
        let key = if is_outline { "ctrl+" } else { "" };
        table.run(&format!("press 1,1 {key}release {w},{h}"));
        let cells: std::collections::BTreeSet<Cell> = table.tiles().iter().map(|(cell, _)| cell).collect();
        let weigh = |dx: i32, dy: i32| dx * dx * h * h + dy * dy * w * w;
        let most = (w * w * h * h).max(weigh(w - 1, 1 - h % 2)).max(weigh(1 - w % 2, h - 1));
        let is_frame = |x: i32, y: i32| (0..w).contains(&x) && (0..h).contains(&y);
        let is_in = |x: i32, y: i32| is_frame(x, y) && weigh(2 * x - w + 1, 2 * y - h + 1) <= most;
        let is_inner = |x, y| is_in(x - 1, y) && is_in(x + 1, y) && is_in(x, y - 1) && is_in(x, y + 1);
        for [x, y] in rectangle([0, 0], [w - 1, h - 1], false) {
            let expected = is_in(x, y) && !(is_outline && is_inner(x, y));
            prop_assert_eq!(cells.contains(&[x + 1, y + 1]), expected, "{}, {} of {} × {}", x, y, w, h);
        }
        prop_assert!(cells.iter().all(|[x, y]| (1..=w).contains(x) && (1..=h).contains(y)));
        for (i, side) in [(0, w), (1, h)] {
            prop_assert!(cells.iter().any(|cell| cell[i] == 1) && cells.iter().any(|cell| cell[i] == side));
        }
    }
}

#[test]
fn values_are_painted_by_the_tools_that_paint_tiles() {
    let values = |kind| {
        let mut table = Table::new(kind);
        let layer = LayerContent::Values(ValueLayer::with_one());
        Arc::make_mut(&mut table.level_mut().layers[0]).content = layer;
        table
    };
    assert_eq!(values(ToolKind::Pencil).run("press 0,0 drag 2,0 release 2,0").picture(), ["111"]);
    assert_eq!(values(ToolKind::Line).run("press 0,0 release 2,2").picture(), ["1", ".1", "..1"]);
    assert_eq!(values(ToolKind::Rectangle).run("press 1,0 release 2,1").picture(), [".11", ".11"]);
    let mut table = values(ToolKind::Bucket);
    assert_eq!(table.run("press 0,0 release 0,0").picture(), vec!["1".repeat(12); 6]);
    table.toolbox.take(ToolKind::Eraser);
    assert_eq!(table.run("press 0,0 drag 11,0 release 11,0").picture()[0], "");
    table.toolbox.take(ToolKind::Eyedropper);
    table.run("press 3,3 release 3,3");
    assert_eq!(table.out.picked.as_ref().map(|picked| picked.stamp.clone()), Some(Stamp::one(tile(1))));
    // A brush of tiles may be turned; values are not.
    let mut table = values(ToolKind::Pencil);
    table.stamp = Stamp::one(Tile::new(3, true, false, true));
    assert_eq!(table.run("press 0,0 release 0,0").tiles().get([0, 0]), tile(3));
    let hint = values(ToolKind::Terrain).run("press 0,0 release 0,0").out.hint.clone();
    assert!(hint.contains("paint values with the other tools"), "{hint}");
}

#[test]
fn a_brush_of_another_tileset_is_not_painted() {
    let mut table = Table::new(ToolKind::Pencil).draw(&["2222"]);
    table.cells = Arc::new(CellSet::rectangle([0, 0], [1, 0]));
    let own = table.level().layers[0].tiles().unwrap().tileset.clone();
    table.stamp_of = Some(TilesOf::Tileset("elsewhere".into()));
    for kind in [ToolKind::Pencil, ToolKind::Bucket, ToolKind::Rectangle, ToolKind::Stamp] {
        table.toolbox.take(kind);
        table.run("press 1,0 drag 2,0 release 2,0");
        assert_eq!((table.picture(), table.history.n_done()), (vec!["2222".to_owned()], 0), "{kind:?}");
        assert!(table.out.hint.contains("tiles of elsewhere") && table.out.hint.contains(&*own), "{}", table.out.hint);
    }
    assert!(table.cx(levelwright::tools::fill_cells).unwrap_err().contains("tiles of elsewhere"));
    table.stamp_of = Some(TilesOf::Tileset(own));
    table.toolbox.take(ToolKind::Pencil);
    assert_eq!(table.run("press 1,0 release 1,0").picture(), ["2122"]);
    // An eraser needs no tiles.
    table.stamp_of = Some(TilesOf::Values);
    table.toolbox.take(ToolKind::Eraser);
    assert_eq!(table.run("press 0,0 release 0,0").picture(), [".122"]);
}

/// The area around a cell, found one cell after the other.
fn plain_flood(is_open: impl Fn(Cell) -> bool, start: Cell) -> CellSet {
    let (mut out, mut todo) = (CellSet::default(), vec![start]);
    while let Some([x, y]) = todo.pop() {
        if is_open([x, y]) && !out.contains([x, y]) {
            out.insert([x, y]);
            todo.extend([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]);
        }
    }
    out
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn areas_are_what_is_connected_by_sides(seed: u64, size in [1_u32..100, 1_u32..100], share in 1_u64..8) {
        let last = size.map(|side| side.cast_signed() - 1);
        let mut tiles = Tiles::default();
        for [x, y] in rectangle([0, 0], last, false) {
            if mix(seed ^ u64::from(x.cast_unsigned()) << 32 ^ u64::from(y.cast_unsigned())) % 8 < share {
                tiles.set([x, y], tile(3));
            }
        }
        let start = [last[0] / 2, last[1] / 2];
        let own = tiles.get(start);
        let is_inside = |cell: Cell| (0..2).all(|i| (0..=last[i]).contains(&cell[i]));
        let expected = plain_flood(|cell| is_inside(cell) && tiles.get(cell) == own, start);
        let mut table = Table::new(ToolKind::Wand);
        table.level_mut().size = Some(size);
        Arc::make_mut(&mut table.level_mut().layers[0]).content = LayerContent::Tiles(TileLayer::new("keep".into(), tiles));
        table.run(&format!("press {},{}", start[0], start[1]));
        prop_assert_eq!(&*table.cells, &expected);
    }
}

#[test]
fn whole_levels_of_4096_cells_a_side_are_filled_and_more_is_refused_with_its_number() {
    let mut table = Table::new(ToolKind::Bucket);
    table.level_mut().size = Some([4096, 4096]);
    table.run("press 1,1");
    assert_eq!(table.tiles().n_chunks(), 0, "it is filled when the pointer is released");
    table.run("release 1,1");
    assert_eq!((table.tiles().n_chunks(), table.tiles().get([4095, 4095])), (128 * 128, tile(1)));
    assert_eq!(table.out.label.as_deref(), Some("Fill 16777216 tiles"));
    let first = table.tiles().chunk([0, 0]).unwrap();
    assert!(table.tiles().chunks().all(|(_, chunk)| Arc::ptr_eq(chunk, first)), "equal chunks are one");
    table.level_mut().size = Some([4097, 4096]);
    for (kind, script) in
        [(ToolKind::Rectangle, "press 0,0 drag 4096,4095"), (ToolKind::Ellipse, "press 0,0 drag 4096,4095")]
    {
        table.toolbox.take(kind);
        table.run(script);
        assert_eq!(table.out.hint, "At most 16777216 cells at once; this would be 16781312", "{kind:?}");
        assert!(table.out.edits.is_empty() && table.out.cursor == Cursor::Forbidden);
        table.run("esc");
    }
    table.toolbox.take(ToolKind::SelectCells);
    table.run("press 0,0 release 4095,4095");
    assert_eq!(table.cells.len(), 1 << 24);
    table.ask(|cx| levelwright::tools::move_cells(cx, [-32, 0]));
    assert_eq!((table.tiles().n_chunks(), table.cells.len()), (127 * 128, 4064 * 4096));
    assert!(table.tiles().chunks().all(|(_, chunk)| Arc::ptr_eq(chunk, table.tiles().chunk([0, 0]).unwrap())));
    let erased = table.cx(levelwright::tools::erase_cells).unwrap();
    apply_all(&mut table.project, &erased.edits).unwrap();
    assert_eq!(table.tiles().n_chunks(), 0);
}
