//! The grid of what is solid: tiles, flips and offsets into cells, updates, straight lines.

use std::sync::Arc;

use glam::Vec2;
use levelwright::{
    model::{Layer, LayerContent, Level, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset},
    sim::grid::{GridChange, SolidGrid},
};
use proptest::prelude::*;

use crate::cases::cases;

pub(crate) const STONE: u32 = 1;
pub(crate) const MUD: u32 = 2;
const SLOPE: u32 = 3;
const LEDGE: u32 = 4;
const ROAD: u32 = 5;

pub(crate) fn tileset() -> Tileset {
    let mut set = Tileset { tile_size: [16, 16], ..Tileset::default() };
    let tile = |name: &str, shape| TileDef { name: name.into(), shape, ..TileDef::default() };
    set.tiles.insert(STONE, TileDef { friction: Some(0.5), ..tile("stone", TileShape::Full) });
    set.tiles.insert(MUD, TileDef { cost: [("walk".into(), 4.0)].into(), ..tile("mud", TileShape::None) });
    // Rises to the right.
    let slope = vec![[0.0, 16.0], [16.0, 0.0], [16.0, 16.0]];
    set.tiles.insert(SLOPE, tile("slope", TileShape::Polygon(slope)));
    set.tiles.insert(LEDGE, TileDef { one_way: true, ..tile("ledge", TileShape::Full) });
    set.tiles.insert(ROAD, TileDef { cost: [("walk".into(), 0.5)].into(), ..tile("road", TileShape::None) });
    set
}

pub(crate) fn level_of(layers: Vec<Tiles>) -> Level {
    let layers = layers.into_iter().enumerate().map(|(i, tiles)| {
        let content = LayerContent::Tiles(TileLayer::new("keep".into(), tiles));
        Arc::new(Layer::new(format!("layer{i}").into(), content))
    });
    Level { size: Some([40, 24]), layers: layers.collect(), ..Level::default() }
}

/// Tiles from rows of letters: `#` stone, `~` mud, `/` slope, `-` ledge, `=` road.
pub(crate) fn tiles(rows: &[&str]) -> Tiles {
    let mut tiles = Tiles::default();
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            let id = match letter {
                '#' => STONE,
                '~' => MUD,
                '/' => SLOPE,
                '-' => LEDGE,
                '=' => ROAD,
                _ => continue,
            };
            tiles.set([x, y], Tile::id_only(id));
        }
    }
    tiles
}

pub(crate) fn grid_of(rows: &[&str]) -> SolidGrid {
    let mut level = level_of(vec![tiles(rows)]);
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(1);
    level.size = Some([width as u32, rows.len() as u32]);
    let set = tileset();
    SolidGrid::new(&level, |_| Some(&set))
}

fn one(tile: Tile, offset: [f64; 2]) -> SolidGrid {
    let mut tiles = Tiles::default();
    tiles.set([0, 0], tile);
    let mut level = level_of(vec![tiles]);
    Arc::make_mut(&mut level.layers[0]).offset = offset;
    let set = tileset();
    SolidGrid::new(&level, |_| Some(&set))
}

fn corners(grid: &SolidGrid, cell: [i32; 2]) -> Vec<(i32, i32)> {
    let pieces = &grid.cell(cell).pieces;
    let mut points: Vec<_> = pieces.iter().flat_map(|p| &p.points).map(|p| (p.x as i32, p.y as i32)).collect();
    points.sort_unstable();
    points
}

#[test]
fn cells_say_what_their_tile_says() {
    let grid = grid_of(&["#~/-=."]);
    let cost = |x: i32| grid.cell([x, 0]).cost(grid.agent("walk"));
    assert!(grid.cell([0, 0]).full);
    assert_eq!(grid.cell([0, 0]).friction, Some(0.5));
    assert_eq!(&*grid.cell([0, 0]).name, "stone");
    assert_eq!([0, 1, 2, 3, 4, 5].map(cost), [None, Some(4.0), Some(1.0), Some(1.0), Some(0.5), Some(1.0)]);
    assert_eq!(grid.cell([1, 0]).cost(grid.agent("fly")), Some(1.0), "an unknown kind pays 1");
    assert!(grid.cell([2, 0]).is_partly_solid());
    assert!(!grid.cell([3, 0]).is_partly_solid() && grid.cell([3, 0]).pieces[0].one_way);
    assert!(!grid.cell([99, 99]).is_solid());
}

#[test]
fn flips_turn_polygons() {
    let slope = |h, v, d| corners(&one(Tile::new(SLOPE, h, v, d), [0.0, 0.0]), [0, 0]);
    assert_eq!(slope(false, false, false), [(0, 16), (16, 0), (16, 16)]);
    assert_eq!(slope(true, false, false), [(0, 0), (0, 16), (16, 16)]);
    assert_eq!(slope(false, true, false), [(0, 0), (16, 0), (16, 16)]);
    // Exchanging x and y keeps this triangle; then the others turn it.
    assert_eq!(slope(false, false, true), [(0, 16), (16, 0), (16, 16)]);
    assert_eq!(slope(true, false, true), [(0, 0), (0, 16), (16, 16)]);
    let mut set = tileset();
    set.tiles[&STONE].shape = TileShape::Polygon(vec![[0.0, 0.0], [16.0, 0.0], [16.0, 4.0], [0.0, 4.0]]);
    let mut tiles = Tiles::default();
    tiles.set([0, 0], Tile::new(STONE, true, false, true));
    let grid = SolidGrid::new(&level_of(vec![tiles]), |_| Some(&set));
    assert_eq!(corners(&grid, [0, 0]), [(12, 0), (12, 16), (16, 0), (16, 16)], "diagonal first, then horizontal");
}

#[test]
fn of_several_tiles_in_a_cell_the_same_one_names_it_whatever_else_the_layer_holds() {
    let mut set = tileset();
    let full = |name: &str| TileDef { name: name.into(), ..set.tiles[&STONE].clone() };
    let (right, below) = (full("right"), full("below"));
    set.tiles.insert(11, right);
    set.tiles.insert(12, below);
    // Half a tile off, so that tiles of up to four chunks overlap the cell.
    let name = |others: &[[i32; 2]]| {
        let mut tiles = Tiles::default();
        tiles.set([32, 31], Tile::id_only(11));
        tiles.set([31, 32], Tile::id_only(12));
        others.iter().for_each(|at| _ = tiles.set(*at, Tile::id_only(STONE)));
        let mut level = level_of(vec![tiles]);
        level.size = Some([400, 400]);
        Arc::make_mut(&mut level.layers[0]).offset = [8.0, 8.0];
        SolidGrid::new(&level, |_| Some(&set)).cell([32, 32]).name.clone()
    };
    assert_eq!(name(&[]), name(&[[300, 300], [340, 300], [300, 340]]));
}

#[test]
fn offsets_shift_what_is_solid() {
    let whole = one(Tile::id_only(STONE), [32.0, -16.0]);
    assert!(whole.cell([2, -1]).full);
    assert_eq!(whole.chunks().count(), 1);
    let half = one(Tile::id_only(STONE), [8.0, 4.0]);
    let rect = |cell| corners(&half, cell);
    assert_eq!(rect([0, 0]), [(8, 4), (8, 16), (16, 4), (16, 16)]);
    assert_eq!(rect([1, 0]), [(0, 4), (0, 16), (8, 4), (8, 16)]);
    assert_eq!(rect([0, 1]), [(8, 0), (8, 4), (16, 0), (16, 4)]);
    assert_eq!(rect([1, 1]), [(0, 0), (0, 4), (8, 0), (8, 4)]);
}

#[test]
fn layers_add_up() {
    let level = level_of(vec![tiles(&["~#="]), tiles(&["=~~"])]);
    let set = tileset();
    let grid = SolidGrid::new(&level, |_| Some(&set));
    let walk = grid.agent("walk");
    assert_eq!([0, 1, 2].map(|x| grid.cell([x, 0]).cost(walk)), [Some(4.0), None, Some(4.0)], "the largest counts");
    assert_eq!(&*grid.cell([1, 0]).name, "stone", "what is solid names the cell");
}

#[test]
fn updates_redo_only_what_changed() {
    let set = tileset();
    let lookup = |_: &str| Some(&set);
    let mut tiles = tiles(&["#.#"]);
    tiles.set([40, 5], Tile::id_only(STONE));
    let mut level = level_of(vec![tiles]);
    let mut grid = SolidGrid::new(&level, lookup);
    assert_eq!(grid.update(&level.clone(), lookup), GridChange::Nothing);
    let edit = |level: &mut Level, cell, tile| {
        let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
        layer.tiles.set(cell, tile)
    };
    assert!(edit(&mut level, [1, 0], Tile::id_only(STONE)));
    assert_eq!(grid.update(&level, lookup), GridChange::Chunks(vec![[0, 0]]));
    assert!(grid.cell([1, 0]).full);
    assert!(edit(&mut level, [40, 5], Tile::EMPTY));
    assert_eq!(grid.update(&level, lookup), GridChange::Chunks(vec![[1, 0]]));
    assert_eq!(grid.chunks().collect::<Vec<_>>(), [[0, 0]]);
    level.tile_size = [8, 8];
    assert_eq!(grid.update(&level, lookup), GridChange::All);
    let mut other = set.clone();
    other.tiles[&STONE].shape = TileShape::None;
    assert_eq!(grid.update(&level, |_| Some(&other)), GridChange::All);
    assert!(!grid.cell([1, 0]).is_solid());
}

#[test]
fn sight_stops_at_walls() {
    let grid = grid_of(&["......", "..##..", "..#...", ".#./..", "......", "..--.."]);
    let clear = |ax, ay, bx, by| grid.sight_clear(Vec2::new(ax, ay), Vec2::new(bx, by));
    assert!(clear(8.0, 8.0, 88.0, 8.0));
    assert!(!clear(8.0, 24.0, 88.0, 24.0));
    assert!(!clear(32.0, 24.0, 88.0, 24.0), "out of a wall");
    assert!(clear(24.0, 40.0, 8.0, 40.0));
    assert!(!clear(24.0, 24.0, 56.0, 56.0), "through the stone");
    assert!(!clear(24.0, 40.0, 40.0, 56.0), "between two walls that touch at a corner");
    assert!(clear(32.0, 8.0, 32.0, 30.0), "along one wall's side");
    assert!(!clear(48.0, 8.0, 48.0, 30.0), "along the seam of two walls");
    assert!(clear(48.0, 36.0, 48.0, 70.0), "touching a slope's corner");
    assert!(clear(50.0, 50.0, 58.0, 50.0) && !clear(50.0, 60.0, 70.0, 60.0), "above a slope, into it");
    assert!(clear(40.0, 70.0, 40.0, 95.0), "ledges stop nothing");
    let hit = grid.ray(Vec2::new(8.0, 24.0), Vec2::new(88.0, 24.0)).unwrap();
    assert_eq!((hit.cell, hit.pos), ([2, 1], Vec2::new(32.0, 24.0)));
    let far = grid.ray(Vec2::new(-1.0e7, 24.0), Vec2::new(1.0e7, 24.0)).unwrap();
    assert_eq!(far.cell, [2, 1]);
    assert!(!clear(f32::NAN, 0.0, 1.0, 1.0));
}

#[test]
fn a_width_needs_room() {
    let grid = grid_of(&["####", "....", "####", "....", "...."]);
    let clear = |y: f32, radius| grid.is_clear(Vec2::new(8.0, y), Vec2::new(56.0, y), radius);
    assert!(clear(24.0, 8.0), "a corridor as wide as the body");
    assert!(!clear(24.0, 8.5));
    assert!(clear(57.0, 8.0) && !clear(55.0, 8.0));
    assert!(grid.is_clear(Vec2::new(8.0, 200.0), Vec2::new(900.0, 200.0), 30.0), "outside nothing is solid");
}

proptest! {
    #![proptest_config(cases(256))]

    /// What a walk through the grid says is what looking at every cell says.
    #[test]
    fn lines_agree_with_every_cell(
        walls in proptest::collection::btree_set((0..8_i32, 0..8_i32), 0..24),
        a in (1..1279_i32, 1..1279_i32), b in (1..1279_i32, 1..1279_i32), radius in 0..60_i32,
    ) {
        let mut tiles = Tiles::default();
        walls.iter().for_each(|(x, y)| { tiles.set([*x, *y], Tile::id_only(STONE)); });
        let set = tileset();
        let grid = SolidGrid::new(&level_of(vec![tiles]), |_| Some(&set));
        // Off the seams, where touching decides.
        let at = |(x, y): (i32, i32)| Vec2::new(x as f32 * 0.1 + 0.013, y as f32 * 0.1 + 0.017);
        let (a, b, r) = (at(a), at(b), radius as f32 * 0.1);
        let samples = 4000;
        let reached = (0..=samples).any(|i| {
            let p = a.lerp(b, i as f32 / samples as f32);
            walls.iter().any(|(x, y)| {
                let lo = Vec2::new(*x as f32, *y as f32) * 16.0;
                p.distance(p.clamp(lo, lo + 16.0)) < r - 0.02 || (r == 0.0 && p.cmpgt(lo).all() && p.cmplt(lo + 16.0).all())
            })
        });
        prop_assert_eq!(grid.is_clear(a, b, r), grid.is_clear(b, a, r));
        if reached {
            prop_assert!(!grid.is_clear(a, b, r), "{a} to {b} with {r}");
        } else {
            prop_assert!(grid.is_clear(a, b, (r - 0.08).max(0.0)) || r < 0.08, "{a} to {b} with {r}");
        }
    }
}
