//! Layers with cells of their own size: where these are, how many there are, and what resizing, pictures, exports and
//! the running level make of them.

use std::sync::Arc;

use glam::Vec2;
use levelwright::{
    defs::resolve,
    edit::{Edit, apply_all},
    io::{self, codec, load_one},
    model::{
        Builtin, Cell, CellGrid, DocPath, Document, Layer, LayerContent, Level, Project, Tile, TileDef, TileLayer,
        TileShape, Tiles, Tileset, ValueLayer,
    },
    raster::{Image, Scene},
    refactor::{LayerCells, LayerKind, NewLayer, Placement, Request, Resize},
    sim::{
        grid::{GridChange, SolidGrid},
        nav::{Agent, Floor, GridMap},
        world::{Options, World},
    },
};

use crate::{
    build::path,
    grid::{STONE, tiles, tileset},
};

fn doc() -> DocPath {
    path("levels/yard.ron")
}

fn layer(name: &str, px: Option<[u32; 2]>, tiles: Tiles) -> Arc<Layer> {
    let content = TileLayer { tile_size: px, ..TileLayer::new("keep".into(), tiles) };
    Arc::new(Layer::new(name.into(), LayerContent::Tiles(content)))
}

/// A level of 5 × 3 cells of 16 × 16 pixels, with layers of 8, 24 × 16 and 64 pixels.
fn level() -> Level {
    let layers = vec![
        layer("back", Some([64, 64]), tiles(&["#"])),
        layer("odd", Some([24, 16]), tiles(&["..", "#"])),
        layer("ground", None, tiles(&[".#"])),
        layer("fine", Some([8, 8]), tiles(&["#.........", "", "", "", "", ".........#"])),
    ];
    Level { size: Some([5, 3]), layers, ..Level::default() }
}

fn cells(level: &Level, name: &str) -> Vec<Cell> {
    level.layer(name).unwrap().1.cells().unwrap().tiles.iter().map(|(cell, _)| cell).collect()
}

fn project(level: Level) -> Project {
    let documents = [(doc(), Document::Level(level)), (path("tilesets/keep.ron"), Document::Tileset(tileset()))];
    documents.into_iter().map(|(at, document)| (at, Arc::new(document))).collect()
}

fn solid(level: &Level) -> SolidGrid {
    let set = tileset();
    SolidGrid::new(level, |_| Some(&set))
}

#[test]
fn pixels_and_cells_of_every_layer() {
    let level = level();
    let grid = |name: &str| level.grid_of(level.layer(name).unwrap().1);
    for (name, px, size) in
        [("back", [64, 64], [2, 1]), ("odd", [24, 16], [4, 3]), ("ground", [16, 16], [5, 3]), ("fine", [8, 8], [10, 6])]
    {
        assert_eq!(grid(name), CellGrid { px, size: Some(size) }, "{name}");
    }
    for (name, at, cell) in [
        ("back", [63.9, 64.0], [0, 1]),
        ("odd", [24.0, 15.9], [1, 0]),
        ("ground", [-0.1, 16.0], [-1, 1]),
        ("fine", [79.9, 47.9], [9, 5]),
    ] {
        assert_eq!(grid(name).cell_at(at), cell, "{name}");
    }
    assert_eq!(grid("odd").rect_px([1, 2], [2, 2]), [24.0, 32.0, 72.0, 48.0]);
    assert!(grid("back").has_cell([1, 0]) && !grid("back").has_cell([2, 0]) && !grid("back").has_cell([0, 1]));
    assert_eq!(level.grid_at(Some(3)), grid("fine"));
    assert_eq!(level.grid_at(None), level.grid());
    let unbounded = Level { size: None, ..level.clone() };
    assert!(unbounded.grid_of(&unbounded.layers[3]).has_cell([-5, 1_000_000]));
    // Ranges count tiles of chunks: 32 cells of 64 pixels.
    assert_eq!(unbounded.bounds_px(), [0.0, 0.0, 2048.0, 2048.0]);
}

#[test]
fn the_property_is_read_written_and_limited() {
    let text = codec::encode(&Document::Level(level()));
    assert!(text.contains("tile_size: (8, 8)"), "{text}");
    assert_eq!(load_one(&doc(), &text).0, Some(Document::Level(level())));
    let (document, findings) = load_one(&doc(), &text.replace("tile_size: (8, 8)", "tile_size: (8, 0)"));
    assert!(document.is_none() && findings[0].message.contains("`tile_size` is from 1"), "{findings:?}");
    // Tiles keep their columns and rows when it changes, and that is one step.
    let mut changed = project(level());
    let at = level().layer_at("fine").key("tile_size");
    apply_all(&mut changed, &[Edit::set_at(&doc(), at, &Some([4_u32, 4]))]).unwrap();
    let now = changed.level(&doc()).unwrap();
    assert_eq!(cells(now, "fine"), cells(&level(), "fine"));
    assert_eq!(now.grid_at(Some(3)).size, Some([20, 12]));
}

#[test]
fn tiles_are_painted_up_to_the_layers_own_last_cell() {
    for (name, last) in [("back", [1, 0]), ("odd", [3, 2]), ("fine", [9, 5])] {
        let mut painted = project(level());
        let paint = |cell: Cell| Edit::PaintTiles {
            doc: doc(),
            layer: name.into(),
            cells: vec![(cell, Tile::id_only(STONE + 1))],
        };
        let around = [[last[0] + 1, 0], [0, last[1] + 1], [-1, 0]];
        apply_all(&mut painted, &around.map(paint)).unwrap();
        assert_eq!(painted, project(level()), "{name} has no cell there");
        apply_all(&mut painted, &[paint(last)]).unwrap();
        assert!(cells(painted.level(&doc()).unwrap(), name).contains(&last), "{name}");
    }
}

#[test]
fn tiles_keep_their_places_in_cells_of_another_size() {
    let before = project(level());
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let resolution = resolve(&before, &builtin, None);
    let ask = |name: &str, size, change: &dyn Fn(&mut LayerCells)| {
        let level = before.level(&doc()).unwrap();
        let mut it = LayerCells::new((&doc(), level), level.layer(name).unwrap().1);
        it.size = size;
        change(&mut it);
        let plan = Request::LayerCells(it).plan(&before, &resolution).map_err(|why| why.to_string())?;
        let after = plan.tried_on(&before).map_err(|why| why.to_string())?;
        let level = after.level(&doc()).unwrap();
        Ok::<_, String>((level.layer(name).unwrap().1.tile_size(), cells(level, name), plan.label))
    };
    let same = |_: &mut LayerCells| {};
    let cases = [
        ("ground", [8, 4], Some([8, 4]), vec![[2, 0]]),
        ("ground", [32, 16], Some([32, 16]), vec![[0, 0]]),
        // The level's size is no longer the layer's own.
        ("fine", [16, 16], None, vec![[0, 0], [4, 2]]),
        ("odd", [8, 32], Some([8, 32]), vec![[0, 0]]),
        ("fine", [128, 4], Some([128, 4]), vec![[0, 0], [0, 10]]),
    ];
    for (name, size, own, expected) in cases {
        let (is, tiles, _) = ask(name, size, &same).unwrap();
        assert_eq!((is, tiles), (own, expected), "{name} {size:?}");
    }
    let (_, tiles, _) = ask("ground", [8, 8], &|it| it.keeps_places = false).unwrap();
    assert_eq!(tiles, [[1, 0]], "columns and rows stay");
    // Both tiles come into one cell.
    let why = ask("fine", [128, 128], &same).unwrap_err();
    assert!(why.starts_with("1 tile would be lost"), "{why}");
    let (_, tiles, label) = ask("fine", [128, 128], &|it| it.may_lose = true).unwrap();
    assert_eq!((tiles, label.as_str()), (vec![[0, 0]], "Set the tile size of fine to 128 × 128 px, without 1 tile"));
    assert!(ask("ground", [12, 16], &same).unwrap_err().contains("divides 16 × 16 or is a multiple"));
    assert!(ask("ground", [12, 16], &|it| it.keeps_places = false).is_ok());
    assert!(ask("ground", [0, 16], &same).unwrap_err().contains("A cell is 1 to"));
    assert!(ask("ground", [16, 16], &same).unwrap_err().contains("are 16 × 16 px already"));
    // There and back again, all is as before.
    let there = ask("back", [4, 4], &same).unwrap().1;
    assert_eq!(there, [[0, 0]]);
    let mut locked = before.clone();
    let lock = Edit::set_at(&doc(), before.level(&doc()).unwrap().layer_at("ground").key("locked"), &true);
    apply_all(&mut locked, &[lock]).unwrap();
    let asked = LayerCells { size: [8, 8], ..LayerCells::new((&doc(), &level()), level().layer("ground").unwrap().1) };
    let why = Request::LayerCells(asked).plan(&locked, &resolution).unwrap_err().to_string();
    assert_eq!(why, "unlock “ground” to change the cells of “ground”");
}

#[test]
fn of_tiles_that_come_into_one_cell_the_first_from_the_left_top_stays() {
    let mut before = project(level());
    let Document::Level(level) = Arc::make_mut(before.documents.get_mut(&doc()).unwrap()) else { panic!() };
    level.size = None;
    let number = level.layer("ground").unwrap().0;
    let tiles = level.nth_layer_mut(number).unwrap().cells_mut().unwrap();
    (0..6000).for_each(|i| _ = tiles.set([i * 41 % 127 - 40, i * 29 % 101 - 50], Tile::id_only(i.unsigned_abs())));
    let level = before.level(&doc()).unwrap();
    let layer = level.layer("ground").unwrap().1;
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let resolution = resolve(&before, &builtin, None);
    // Three and five of the old ones side by side reach over the sides of chunks.
    for [w, h] in [[3, 5], [1, 2], [64, 1]] {
        let mut all: Vec<(Cell, Tile)> = layer.cells().unwrap().tiles.iter().collect();
        all.sort_by_key(|([x, y], _)| (*y, *x));
        let (mut expected, mut n_lost) = (Tiles::default(), 0);
        for ([x, y], tile) in all {
            let cell = [x.div_euclid(w), y.div_euclid(h)];
            n_lost += usize::from(!expected.get(cell).is_empty());
            if expected.get(cell).is_empty() {
                expected.set(cell, tile);
            }
        }
        let size = [w, h].map(|n| 16 * n.unsigned_abs());
        let asked = LayerCells { size, may_lose: true, ..LayerCells::new((&doc(), level), layer) };
        let plan = Request::LayerCells(asked).plan(&before, &resolution).unwrap();
        assert!(n_lost > 0 && plan.label.contains(&format!("without {n_lost} tile")), "{}", plan.label);
        let after = plan.tried_on(&before).unwrap();
        let after = after.level(&doc()).unwrap().layer("ground").unwrap().1;
        assert_eq!(*after.cells().unwrap().tiles, expected, "{w} × {h}");
    }
}

#[test]
fn a_new_layer_has_the_cells_that_are_asked_for() {
    let before = project(level());
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let resolution = resolve(&before, &builtin, None);
    let level = before.level(&doc()).unwrap();
    let made = |kind, size| {
        let mut new = NewLayer::new((&doc(), level), Some("keep".into()), None);
        assert_eq!(new.tile_size, [16, 16], "the level's are offered");
        let _ = new.change_kind(kind, level);
        new.tile_size = size;
        let name = new.name.clone();
        let plan = Request::NewLayer(new).plan(&before, &resolution).map_err(|why| why.to_string())?;
        let after = plan.tried_on(&before).unwrap();
        Ok::<_, String>(after.level(&doc()).unwrap().layer(&name).unwrap().1.tile_size())
    };
    for kind in [LayerKind::Tiles, LayerKind::Values] {
        assert_eq!(made(kind, [16, 16]), Ok(None));
        assert_eq!(made(kind, [8, 32]), Ok(Some([8, 32])));
        assert!(made(kind, [8, 0]).unwrap_err().contains("A cell is 1 to"));
    }
    assert_eq!(made(LayerKind::Entities, [0, 0]), Ok(None), "it has no cells");
}

#[test]
fn resizing_moves_and_crops_each_layer_in_its_own_cells() {
    let mut resized = project(level());
    // Four cells of 16 are one of 64, and eight of 8.
    let edit = |size, shift| Edit::ResizeLevel { doc: doc(), size: Some(size), shift };
    let mut without_odd = level();
    without_odd.layers.remove(1);
    resized.documents.insert(doc(), Arc::new(Document::Level(without_odd.clone())));
    apply_all(&mut resized, &[edit([9, 7], [4, 4])]).unwrap();
    let now = resized.level(&doc()).unwrap();
    assert_eq!((cells(now, "back"), cells(now, "ground")), (vec![[1, 1]], vec![[5, 4]]));
    assert_eq!(cells(now, "fine"), [[8, 8], [17, 13]]);
    // Cropped: one column and row of 16 less are two of 8.
    apply_all(&mut resized, &[edit([8, 6], [0, 0])]).unwrap();
    let now = resized.level(&doc()).unwrap();
    assert_eq!((cells(now, "back"), cells(now, "fine")), (vec![[1, 1]], vec![[8, 8]]));
    // What would put tiles between two cells is refused, and nothing is changed.
    let before = resized.clone();
    let why = apply_all(&mut resized, &[edit([8, 6], [1, 0])]).unwrap_err().to_string();
    assert!(why.contains("“back” has cells of 64 × 64 px") && why.contains("multiples of 4 × 4 cells"), "{why}");
    assert_eq!(resized, before);
    // It is known before.
    let moved = Resize { doc: doc(), size: Some([8, 6]), placement: Placement::Shift([1, 0]) };
    assert!(moved.problem(&without_odd).unwrap().contains("“back” has cells of 64 × 64 px"));
    assert!(moved.plan(&project(without_odd.clone())).is_err());
    let moved = Resize { placement: Placement::Shift([4, 0]), ..moved };
    assert_eq!(moved.problem(&without_odd), None);
    // Counted as it would be done, and fitted so that it can be.
    let smaller = Resize { doc: doc(), size: Some([4, 2]), placement: Placement::Shift([0, 0]) };
    assert_eq!(smaller.outside(&without_odd).tiles, 1, "one of 8 px; of 64 px a part is left");
    let mut shifted = without_odd;
    for (at, rows) in [(0, "..."), (2, "............#")] {
        let LayerContent::Tiles(content) = &mut Arc::make_mut(&mut shifted.layers[at]).content else { panic!() };
        content.tiles = tiles(&["", "", "", rows]);
    }
    let fitted = Resize::to_content(doc(), &shifted).unwrap();
    assert_eq!((fitted.size, fitted.placement), (Some([6, 2]), Placement::Shift([-1, 0])));
    // Cells of a layer are held by cells of the level.
    let grid = shifted.grid_at(Some(2));
    let cropped = Resize::to_cells(doc(), &shifted, grid, ([3, 2], [4, 4])).unwrap();
    assert_eq!((cropped.size, cropped.placement), (Some([2, 2]), Placement::Shift([-1, -1])));
}

#[test]
fn a_picture_shows_each_layer_in_its_own_cells() {
    let mut set = Tileset { tile_size: [4, 4], image: "keep.png".into(), ..Tileset::default() };
    set.tiles.insert(STONE, TileDef::default());
    let red = Arc::new(Image::filled(4, 4, [255, 0, 0, 255]).unwrap());
    let mut values = ValueLayer { tile_size: Some([4, 4]), ..ValueLayer::with_one() };
    values.values.set([19, 0], Tile::id_only(1));
    let mut level = level();
    level.layers = vec![
        layer("fine", Some([8, 8]), tiles(&["#", ".#"])),
        layer("ground", None, tiles(&["", "..#"])),
        Arc::new(Layer::new("noise".into(), LayerContent::Values(values))),
    ];
    let mut project = project(level);
    project.documents.insert(path("tilesets/keep.ron"), Arc::new(Document::Tileset(set)));
    let resolution = resolve(&project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None);
    let level = project.level(&doc()).unwrap();
    let images = |_: &str| Some(red.clone());
    let mut scene = Scene::of_level(&project, &resolution, level, &|_, _| None, &images, 0.0);
    scene.values = true;
    let picture = scene.render(1.0, [0, 0, 0, 255], 0.0).unwrap();
    assert_eq!((picture.width(), picture.height()), (80, 48));
    for y in 0..48 {
        for x in 0..80 {
            let fine = (x < 8 && y < 8) || ((8..16).contains(&x) && (8..16).contains(&y));
            let is_red = fine || ((32..48).contains(&x) && (16..32).contains(&y));
            let is_value = x >= 76 && y < 4;
            let [r, _, b, _] = picture.pixel(x, y);
            assert_eq!((r == 255, r != 255 && b > 0), (is_red, is_value), "{x}, {y}");
        }
    }
}

#[test]
fn what_is_solid_lies_in_the_layers_own_cells() {
    for (px, rows, offset) in [
        ([8, 8], vec!["#..#", "", "####", "####"], [0.0, 0.0]),
        ([32, 32], vec!["#.", ".#"], [0.0, 0.0]),
        ([32, 32], vec!["#.", ".#"], [8.0, -4.0]),
        ([12, 20], vec!["#.#", "##"], [0.0, 0.0]),
        ([8, 8], vec!["#..#", "", "####"], [4.0, 3.0]),
        ([16, 16], vec!["#.#", ".#"], [4.0, 3.0]),
    ] {
        let of_tiles = tiles(&rows);
        let mut own = layer("own", Some(px), of_tiles.clone());
        Arc::make_mut(&mut own).offset = offset;
        let level = Level { size: Some([5, 5]), layers: vec![own], ..Level::default() };
        let (grid, solid) = (level.grid_at(Some(0)), solid(&level));
        for y in 0..70_u8 {
            for x in 0..70_u8 {
                let (x, y) = (f32::from(x) + 0.5, f32::from(y) + 0.5);
                let cell = grid.cell_at([f64::from(x) - offset[0], f64::from(y) - offset[1]]);
                let at = Vec2::new(x, y);
                assert_eq!(solid.ray(at, at).is_some(), !of_tiles.get(cell).is_empty(), "{px:?} {offset:?} at {at}");
            }
        }
    }
}

#[test]
fn tiles_that_fill_a_cell_are_one_whole() {
    for px in [[8, 8], [4, 8], [1, 1], [16, 4]] {
        let mut whole = Tiles::default();
        let n = [0, 1].map(|i| (32 / px[i]) as i32);
        for cell in (0..n[1]).flat_map(|y| (0..n[0]).map(move |x| [x, y])) {
            whole.set(cell, Tile::id_only(STONE));
        }
        let level = Level { layers: vec![layer("own", Some(px), whole)], ..Level::default() };
        let grid = solid(&level);
        for cell in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            assert!(grid.cell(cell).full, "{px:?} {cell:?}");
        }
        assert!(!grid.cell([2, 0]).is_solid() && !grid.cell([0, 2]).is_solid());
        assert!(grid.ray(Vec2::new(8.0, -8.0), Vec2::new(8.0, 8.0)).is_some(), "no line goes between two tiles");
    }
}

#[test]
fn shapes_stretch_with_their_cells() {
    // `/` rises to the right, `-` is solid from above.
    let small = Level { layers: vec![layer("own", Some([8, 8]), tiles(&["", ".-/"]))], ..Level::default() };
    let grid = solid(&small);
    let points = |cell: Cell| {
        let piece = &grid.cell(cell).pieces[0];
        let mut points: Vec<[i32; 2]> = piece.points.iter().map(|p| [p.x as i32, p.y as i32]).collect();
        points.sort_unstable();
        (piece.one_way, points)
    };
    assert_eq!(points([0, 0]), (true, vec![[8, 8], [8, 16], [16, 8], [16, 16]]));
    assert_eq!(points([1, 0]), (false, vec![[0, 16], [8, 8], [8, 16]]));
    let large = Level { layers: vec![layer("own", Some([32, 32]), tiles(&["/"]))], ..Level::default() };
    let grid = solid(&large);
    assert!(!grid.cell([0, 0]).is_solid() && grid.cell([1, 1]).full);
    let half = |cell: Cell| grid.cell(cell).is_partly_solid() && grid.cell(cell).cost(None) == Some(1.0);
    assert!(half([1, 0]) && half([0, 1]), "one walks up a slope, however large");
}

#[test]
fn the_path_grid_keeps_the_levels_cells() {
    // What stands in a cell of 8 px closes the level's cell, a tile of 32 px four of them.
    let open = |level: &Level| -> Vec<String> {
        let grid = solid(level);
        let map = GridMap::new(&Floor::from(Arc::new(grid)), &Agent::point("walk")).unwrap();
        let row = |y| (0..5).map(|x| if map.is_open([x, y]) { '.' } else { 'x' }).collect();
        (0..3).map(row).collect()
    };
    let with = |layers| Level { size: Some([5, 3]), layers, ..Level::default() };
    let fine = layer("fine", Some([8, 8]), tiles(&["#", "", "", ".......##", "", "........../"]));
    assert_eq!(open(&with(vec![fine])), ["x....", "...xx", "....."]);
    let coarse = layer("coarse", Some([32, 32]), tiles(&[".#"]));
    assert_eq!(open(&with(vec![coarse])), ["..xx.", "..xx.", "....."]);
    // The highest cost of what covers a cell: mud of 32 px under road of 8 px.
    let mud = layer("mud", Some([32, 32]), tiles(&["~"]));
    let road = layer("road", Some([8, 8]), tiles(&["====", "....", "", "", "", "~"]));
    let grid = solid(&with(vec![mud, road]));
    let cost = |cell: Cell| grid.cell(cell).cost(grid.agent("walk"));
    assert_eq!([[0, 0], [1, 1], [2, 0], [0, 2]].map(cost), [Some(4.0), Some(4.0), Some(1.0), Some(4.0)]);
}

#[test]
fn a_running_level_follows_changed_tiles() {
    let set = tileset();
    let lookup = |_: &str| Some(&set);
    let mut level = Level {
        size: None,
        layers: vec![
            layer("fine", Some([8, 8]), tiles(&["#"])),
            layer("coarse", Some([48, 40]), tiles(&["..#", "", "#"])),
            layer("ground", None, tiles(&["...#"])),
        ],
        ..Level::default()
    };
    Arc::make_mut(&mut level.layers[1]).offset = [-21.0, 1030.0];
    let mut grid = SolidGrid::new(&level, lookup);
    let mut seed = 7_u64;
    let mut random = |n: u64| {
        seed = levelwright::model::mix(seed);
        (seed % n) as i32
    };
    for _ in 0..300 {
        let at = random(3) as usize;
        let far = [150, 40, 70][at];
        let cell = [random(far) - 20, random(far) - 20];
        let tile = [Tile::EMPTY, Tile::id_only(STONE), Tile::id_only(3)][random(3) as usize];
        let LayerContent::Tiles(content) = &mut Arc::make_mut(&mut level.layers[at]).content else { panic!() };
        let is_changed = content.tiles.set(cell, tile);
        let change = grid.update(&level, lookup);
        assert_eq!(is_changed, change != GridChange::Nothing, "{at} {cell:?}");
        assert_ne!(change, GridChange::All);
    }
    let new = SolidGrid::new(&level, lookup);
    assert_eq!(grid.chunks().collect::<Vec<_>>(), new.chunks().collect::<Vec<_>>());
    assert_eq!(grid.bounds(), new.bounds());
    for at in new.chunks() {
        assert!(grid.chunk_cells(at).eq(new.chunk_cells(at)), "{at:?}");
    }
    let LayerContent::Tiles(content) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
    content.tile_size = Some([4, 8]);
    assert_eq!(grid.update(&level, lookup), GridChange::All);
}

#[test]
fn tiles_beyond_all_measure_fill_no_memory() {
    let huge = Some([1_048_576, 1_048_576]);
    let mut level = Level { layers: vec![layer("huge", huge, tiles(&["##", "##"]))], ..Level::default() };
    level.tile_size = [1, 1];
    let mut grid = solid(&level);
    assert!(grid.cell([0, 0]).full);
    assert!(grid.chunks().count() < 10_000);
    let set = tileset();
    level.layers[0] = layer("huge", huge, tiles(&[""]));
    assert_eq!(grid.update(&level, |_| Some(&set)), GridChange::All);
    assert_eq!(grid.chunks().count(), 0);
}

#[test]
fn a_large_level_is_solid_to_its_last_tile() {
    // 128 × 128 chunks of the level, a tile in each; in cells of the layer, it has `each` of them to a side.
    for (px, each) in [([32, 32], 16), ([8, 8], 64)] {
        let mut own = Tiles::default();
        for at in (0..128).flat_map(|y| (0..128).map(move |x| [x, y])) {
            own.set(at.map(|at| at * each + 4), Tile::id_only(STONE));
        }
        let layers = vec![layer("own", Some(px), own)];
        let mut level = Level { size: Some([4096, 4096]), tile_size: [16, 16], layers, ..Level::default() };
        let mut grid = solid(&level);
        assert_eq!((grid.chunks().count(), grid.cut_layers().count()), (128 * 128, 0), "{px:?}");
        let cell = 127 * 32 + 4 * px[0] as i32 / 16;
        assert!(grid.cell([cell, cell]).is_solid(), "{px:?}");
        // A stroke costs no more than what it touches.
        let LayerContent::Tiles(content) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
        content.tiles.set([5, 4], Tile::id_only(STONE));
        let set = tileset();
        assert!(matches!(grid.update(&level, |_| Some(&set)), GridChange::Chunks(_)), "{px:?}");
    }
}

#[test]
fn what_is_not_solid_of_a_layer_is_reported() {
    for (side, n) in [(1_048_576, 1), (4, 0)] {
        let mut level = Level { size: None, tile_size: [1, 1], ..Level::default() };
        level.layers = vec![layer("own", Some([side, side]), tiles(&["##", "##"]))];
        let project = project(level);
        let resolution =
            resolve(&project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None);
        let world = World::compile(&project, &resolution, "yard", Options::default()).unwrap();
        let found: Vec<_> = world.findings().iter().filter(|it| &*it.rule == "preview-limit").collect();
        assert_eq!(found.len(), n, "{found:?}");
        assert!(found.iter().all(|it| it.location.path.to_string() == "layers[0].tile_size"), "{found:?}");
    }
}

#[test]
fn a_shape_of_another_tileset_size_is_as_its_picture() {
    let mut set = tileset();
    set.tile_size = [32, 32];
    set.tiles[&STONE].shape = TileShape::Polygon(vec![[0.0, 16.0], [32.0, 16.0], [32.0, 32.0], [0.0, 32.0]]);
    let level = Level { layers: vec![layer("own", Some([8, 8]), tiles(&["#"]))], ..Level::default() };
    let grid = SolidGrid::new(&level, |_| Some(&set));
    let hit = |y: f32| grid.ray(Vec2::new(4.0, y), Vec2::new(4.0, y)).is_some();
    assert_eq!([3.5, 4.5, 7.5, 8.5].map(hit), [false, true, true, false]);
}
