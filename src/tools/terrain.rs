//! Terrain painting: tiles are chosen to fit their neighbors, and the neighbors are adapted.
//!
//! Two ways of fitting. By edges (and, in mixed sets, corners) a cell belongs to a terrain or not, and its sides say which
//! neighbors belong as well. By corners the terrain lies on the grid's crossings, and a cell shows its four.
//! Invariant: only tiles of the set are ever replaced, painted cells aside; a tile that fits already stays, so a variant
//! chosen by hand survives. Beyond the level's edge everything goes on as it is at the edge.
//!
//! Source: for the labels, the blob and Wang tile sets of Stagecast and Tiled's terrain sets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::ToolCx;
use crate::model::{Cell, Cells, TerrainMode, TerrainSet, Tile, Tiles, Tileset, mix};

/// No terrain.
const NOTHING: &str = "_";

/// The eight neighbors, clockwise from the top.
const AROUND: [Cell; 8] = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/// A tile's terrain toward its eight neighbors, clockwise from the top; 0 is nothing. Directions that the mode ignores are 0.
type Sides = [u8; 8];

/// The terrains a set's tiles show, in the order they first come.
fn labels_of(set: &TerrainSet) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for text in set.tiles.values() {
        for label in text.split(',').map(str::trim) {
            if !label.is_empty() && label != NOTHING && !out.iter().any(|it| it == label) {
                out.push(label.to_owned());
            }
        }
    }
    out
}

/// A set made ready for looking up.
struct Fit<'a> {
    mode: TerrainMode,
    tileset: &'a Tileset,
    tiles: Vec<(u32, Sides)>,
    sides_of: HashMap<u32, Sides>,
    /// Tiles by exactly what they show.
    exact: HashMap<Sides, Vec<u32>>,
}

/// Which of the eight places a mode's labels are for, in the order they are written.
fn places(mode: TerrainMode) -> &'static [usize] {
    match mode {
        TerrainMode::Edges => &[0, 2, 4, 6],
        TerrainMode::Corners => &[7, 1, 3, 5],
        TerrainMode::Mixed => &[0, 1, 2, 3, 4, 5, 6, 7],
    }
}

impl<'a> Fit<'a> {
    fn new(set: &TerrainSet, tileset: &'a Tileset) -> Self {
        let labels = labels_of(set);
        let number = |label: &str| {
            let at = labels.iter().position(|it| it == label);
            at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0)
        };
        let mut tiles = Vec::new();
        let mut exact: HashMap<Sides, Vec<u32>> = HashMap::new();
        for (id, text) in &set.tiles {
            let mut sides = [0; 8];
            for (place, label) in places(set.mode).iter().zip(text.split(',')) {
                sides[*place] = number(label.trim());
            }
            tiles.push((*id, sides));
            exact.entry(sides).or_default().push(*id);
        }
        let sides_of = tiles.iter().copied().collect();
        Self { mode: set.mode, tileset, tiles, sides_of, exact }
    }

    /// The terrains on the sides of a placed tile, if it belongs to the set. A flipped tile belongs to none.
    fn sides(&self, tile: Tile) -> Option<Sides> {
        self.sides_of.get(&tile.id().filter(|id| tile == Tile::id_only(*id))?).copied()
    }

    /// The terrain a tile belongs to: the one it shows most; one that shows none belongs to the first.
    fn terrain(&self, tile: Tile) -> Option<u8> {
        let sides = self.sides(tile)?;
        let count = |label: u8| sides.iter().filter(|it| **it == label).count();
        let most = sides.iter().copied().filter(|it| *it != 0).max_by_key(|label| (count(*label), u8::MAX - label));
        Some(most.unwrap_or(1))
    }

    /// The tile that fits best, `current` if it is as good as any, else drawn by weight among the best.
    fn best(&self, wanted: &Sides, current: Tile, cell: Cell) -> Option<Tile> {
        let nearest;
        let ids = match self.exact.get(wanted) {
            Some(ids) => ids,
            None => {
                // A side that shows nothing where something should be is better than one that shows something else.
                let type_error = |sides: &Sides| -> u32 {
                    places(self.mode)
                        .iter()
                        .map(|i| match (sides[*i], wanted[*i]) {
                            (has, wants) if has == wants => 0,
                            (0, _) | (_, 0) => {
                                if i % 2 == 0 {
                                    4
                                } else {
                                    2
                                }
                            }
                            _ => {
                                if i % 2 == 0 {
                                    6
                                } else {
                                    3
                                }
                            }
                        })
                        .sum()
                };
                let least = self.tiles.iter().map(|(_, sides)| type_error(sides)).min()?;
                nearest =
                    self.tiles.iter().filter(|(_, sides)| type_error(sides) == least).map(|(id, _)| *id).collect();
                &nearest
            }
        };
        if current.id().is_some_and(|id| current == Tile::id_only(id) && ids.contains(&id)) {
            return Some(current);
        }
        let weight = |id: &u32| self.tileset.tiles.get(id).map_or(1.0, |tile| tile.weight.max(0.0));
        let total: f64 = ids.iter().map(weight).sum();
        let bits = mix(u64::from(cell[0].cast_unsigned()) << 32 | u64::from(cell[1].cast_unsigned()));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let mut draw = (bits >> 11) as f64 / (1_u64 << 53) as f64 * total;
        let drawn = ids.iter().find(|id| {
            draw -= weight(id);
            draw < 0.0
        });
        drawn.or(ids.first()).map(|id| Tile::id_only(*id))
    }
}

/// The tiles that painting (or erasing) a terrain on `cells` gives: those cells' and those of neighbors that follow.
///
/// # Errors
/// Says what is missing: the tileset, or a terrain in it.
pub fn terrain_cells(
    cx: &ToolCx<'_>,
    layer: Cells<'_>,
    cells: &BTreeSet<Cell>,
    is_erasing: bool,
) -> Result<BTreeMap<Cell, Tile>, String> {
    let name = layer.tileset.ok_or("Terrain is for tiles: paint values with the other tools")?;
    let tileset = cx.tileset(layer).ok_or_else(|| format!("There is no tileset “{name}”"))?;
    let set = tileset
        .terrains
        .get(cx.terrain)
        .or_else(|| tileset.terrains.first())
        .ok_or_else(|| format!("“{name}” has no terrains: add one in the tileset"))?;
    let fit = Fit::new(set, tileset);
    if fit.tiles.is_empty() {
        return Err(format!("Terrain “{}” has no tiles", set.name));
    }
    let size = cx.grid.size;
    Ok(painted((set, &fit), size, layer.tiles, cells, is_erasing))
}

/// What a few cells painted with a terrain on nothing look like.
#[must_use]
pub fn terrain_patch(tileset: &Tileset, set: &TerrainSet) -> BTreeMap<Cell, Tile> {
    let side = if set.mode == TerrainMode::Corners { 2 } else { 3 };
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| [x, y])).collect();
    painted((set, &Fit::new(set, tileset)), None, &Tiles::default(), &cells, false)
}

fn painted(
    (set, fit): (&TerrainSet, &Fit<'_>),
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cells: &BTreeSet<Cell>,
    is_erasing: bool,
) -> BTreeMap<Cell, Tile> {
    let labels = labels_of(set);
    let label = labels.iter().position(|it| *it == set.name).and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(1);
    let label = if is_erasing { 0 } else { label };
    match set.mode {
        TerrainMode::Corners => by_corners(fit, size, tiles, cells, label),
        TerrainMode::Edges | TerrainMode::Mixed => by_cells(fit, size, tiles, cells, label),
    }
}

fn is_inside(size: Option<[u32; 2]>, [x, y]: Cell) -> bool {
    size.is_none_or(|[w, h]| u32::try_from(x).is_ok_and(|x| x < w) && u32::try_from(y).is_ok_and(|y| y < h))
}

fn beside([x, y]: Cell, [dx, dy]: Cell) -> Cell {
    [x.saturating_add(dx), y.saturating_add(dy)]
}

/// The cells painted and all around them, inside the level.
fn with_neighbors(size: Option<[u32; 2]>, cells: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let around = cells.iter().flat_map(|cell| AROUND.iter().map(move |by| beside(*cell, *by)));
    cells.iter().copied().chain(around).filter(|cell| is_inside(size, *cell)).collect()
}

/// Edges and mixed: a cell is of a terrain or not.
fn by_cells(
    fit: &Fit<'_>,
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cells: &BTreeSet<Cell>,
    label: u8,
) -> BTreeMap<Cell, Tile> {
    // 0 is no terrain; what is outside is as the cell that looks there.
    let terrain = |cell: Cell, own: u8| match (is_inside(size, cell), cells.contains(&cell)) {
        (false, _) => own,
        (true, true) => label,
        (true, false) => fit.terrain(tiles.get(cell)).unwrap_or(0),
    };
    let mut out = BTreeMap::new();
    for cell in with_neighbors(size, cells) {
        let own = terrain(cell, 0);
        let current = tiles.get(cell);
        if own == 0 {
            if cells.contains(&cell) && fit.sides(current).is_some() {
                out.insert(cell, Tile::EMPTY);
            }
            continue;
        }
        let around = AROUND.map(|by| terrain(beside(cell, by), own));
        let mut wanted = [0; 8];
        for i in places(fit.mode) {
            // A corner goes with both its edges: where one of them is open the corner cannot be seen.
            let is_closed = i % 2 == 0 || (around[i - 1] == around[*i] && around[(i + 1) % 8] == around[*i]);
            wanted[*i] = if is_closed { around[*i] } else { 0 };
        }
        if let Some(tile) = fit.best(&wanted, current, cell)
            && tile != current
        {
            out.insert(cell, tile);
        }
    }
    out
}

/// Corners: the terrain lies on the crossings around a cell.
fn by_corners(
    fit: &Fit<'_>,
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cells: &BTreeSet<Cell>,
    label: u8,
) -> BTreeMap<Cell, Tile> {
    // A crossing is named by the cell right below it. Its four cells, and the place it has in each.
    const CELLS: [(Cell, usize); 4] = [([0, 0], 7), ([-1, 0], 1), ([-1, -1], 3), ([0, -1], 5)];
    let painted: BTreeSet<Cell> =
        cells.iter().flat_map(|cell| [[0, 0], [1, 0], [0, 1], [1, 1]].map(|by| beside(*cell, by))).collect();
    let crossing = |at: Cell| {
        if painted.contains(&at) {
            return label;
        }
        // Cells around may disagree where someone painted tile by tile: what is there outweighs what is not.
        let shown = CELLS.iter().filter_map(|(by, place)| fit.sides(tiles.get(beside(at, *by))).map(|it| it[*place]));
        shown.max().unwrap_or(0)
    };
    let mut out = BTreeMap::new();
    for cell in with_neighbors(size, cells) {
        let mut wanted = [0; 8];
        for (place, by) in [(7, [0, 0]), (1, [1, 0]), (3, [1, 1]), (5, [0, 1])] {
            wanted[place] = crossing(beside(cell, by));
        }
        let current = tiles.get(cell);
        let is_of_set = fit.sides(current).is_some();
        let is_nothing = wanted == [0; 8] && !fit.exact.contains_key(&wanted);
        let new = if is_nothing || (wanted == [0; 8] && !cells.contains(&cell) && !is_of_set) {
            is_of_set.then_some(Tile::EMPTY)
        } else if cells.contains(&cell) || is_of_set || (current.is_empty() && fit.exact.contains_key(&wanted)) {
            fit.best(&wanted, current, cell)
        } else {
            None
        };
        if let Some(tile) = new.filter(|tile| *tile != current) {
            out.insert(cell, tile);
        }
    }
    out
}
