//! Terrain painting: tiles are chosen to fit their neighbors, and the neighbors are adapted.
//!
//! Two ways of fitting. By edges (and, in mixed sets, corners) a cell belongs to a terrain or not, and its sides say
//! which neighbors belong as well. By corners the terrain lies on the grid's crossings, and a cell shows its four.
//! Invariant: only tiles of the set are ever replaced, painted cells aside; a tile that fits already stays, so a
//! variant chosen by hand survives. Beyond the level's edge everything goes on as it is at the edge.
//!
//! Source: for the labels, the blob and Wang tile sets of Stagecast and Tiled's terrain sets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{ToolCx, draw::Draw};
use crate::model::{Cell, CellGrid, CellSet, Cells, NO_TERRAIN, TerrainMode, TerrainSet, Tile, Tiles, Tileset};

/// The eight neighbors, clockwise from the top.
const AROUND: [Cell; 8] = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/// A tile's terrain toward its eight neighbors, clockwise from the top; 0 is nothing. Directions that the mode ignores
/// are 0.
type Sides = [u8; 8];

/// The terrains a set's tiles show: the one the set is named after, then the others in the order they first come.
fn labels_of(set: &TerrainSet) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for text in set.tiles.values() {
        for label in text.split(',').map(str::trim) {
            if !label.is_empty() && label != NO_TERRAIN && !out.iter().any(|it| it == label) {
                out.push(label.to_owned());
            }
        }
    }
    out.sort_by_key(|label| *label != set.name);
    out
}

/// A terrain that can be painted.
struct Terrain<'a> {
    set: &'a TerrainSet,
    /// Its number among those of the set, from 1.
    label: u8,
    name: String,
}

/// The terrains of a tileset, set by set. A set without any has one that is called as it is, to say what is missing.
fn terrains_of(tileset: &Tileset) -> Vec<Terrain<'_>> {
    let of = |set| {
        let mut labels = labels_of(set);
        if labels.is_empty() {
            labels.push(set.name.clone());
        }
        (1..=u8::MAX).zip(labels).map(move |(label, name)| Terrain { set, label, name })
    };
    tileset.terrains.iter().flat_map(of).collect()
}

/// What the terrains of a tileset are called, by their numbers; one of a name that another set has too goes with its
/// set.
#[must_use]
pub fn terrain_names(tileset: &Tileset) -> Vec<String> {
    let all = terrains_of(tileset);
    let name = |it: &Terrain<'_>| match all.iter().filter(|other| other.name == it.name).count() {
        1 => it.name.clone(),
        _ => format!("{} ({})", it.name, it.set.name),
    };
    all.iter().map(name).collect()
}

/// The set of a terrain by its number, as an index of the tileset's sets, and what its sides are called there.
#[must_use]
pub fn terrain_in_set(tileset: &Tileset, terrain: usize) -> Option<(usize, String)> {
    let it = terrains_of(tileset).into_iter().nth(terrain)?;
    let set = tileset.terrains.iter().position(|set| std::ptr::eq(set, it.set))?;
    Some((set, it.name))
}

/// Every tile of the terrain that a tile is of, by their ids; `None` when it is of none.
pub(super) fn tiles_of_terrain(tileset: &Tileset, id: u32) -> Option<BTreeSet<u32>> {
    let set = tileset.terrains.iter().find(|set| set.tiles.contains_key(&id))?;
    let fit = Fit::new(set, tileset);
    let own = fit.terrain(Tile::id_only(id));
    Some(set.tiles.keys().copied().filter(|id| fit.terrain(Tile::id_only(*id)) == own).collect())
}

/// A set made ready for looking up.
struct Fit<'a> {
    mode: TerrainMode,
    tileset: &'a Tileset,
    sides_of: HashMap<u32, Sides>,
    /// Tiles by exactly what they show.
    exact: HashMap<Sides, Draw<u32>>,
}

impl<'a> Fit<'a> {
    fn new(set: &TerrainSet, tileset: &'a Tileset) -> Self {
        let labels = labels_of(set);
        let number = |label: &str| {
            let at = labels.iter().position(|it| it == label);
            at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0)
        };
        let mut sides_of = HashMap::new();
        let mut exact: BTreeMap<Sides, Vec<u32>> = BTreeMap::new();
        for id in set.tiles.keys() {
            let Some(sides) = set.sides_of(*id) else { continue };
            let sides = sides.map(number);
            sides_of.insert(*id, sides);
            exact.entry(sides).or_default().push(*id);
        }
        let exact = exact.into_iter().map(|(sides, ids)| (sides, drawn_of(tileset, ids))).collect();
        Self { mode: set.mode, tileset, sides_of, exact }
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
        let fitting = if let Some(fitting) = self.exact.get(wanted) {
            fitting
        } else {
            let error = |sides: &Sides| -> u32 {
                self.mode.sides().iter().map(|i| mismatch(sides[*i], wanted[*i]) * if i % 2 == 0 { 2 } else { 1 }).sum()
            };
            let least = self.exact.keys().map(error).min()?;
            let mut ids: Vec<u32> = self.sides_of.iter().filter(|it| error(it.1) == least).map(|it| *it.0).collect();
            ids.sort_unstable();
            nearest = drawn_of(self.tileset, ids);
            &nearest
        };
        if current.id().is_some_and(|id| current == Tile::id_only(id) && fitting.has(id)) {
            return Some(current);
        }
        fitting.at(cell).map(Tile::id_only)
    }
}

/// How wrong a side is; an edge counts twice. One that shows nothing where something should be is better than one that
/// shows something else.
fn mismatch(has: u8, wants: u8) -> u32 {
    match (has, wants) {
        _ if has == wants => 0,
        (0, _) | (_, 0) => 2,
        _ => 3,
    }
}

/// Tiles to draw one of, each by its weight.
fn drawn_of(tileset: &Tileset, ids: Vec<u32>) -> Draw<u32> {
    Draw::new(ids.into_iter().map(|id| (id, tileset.tiles.get(&id).map_or(1.0, |tile| tile.weight))))
}

/// Cells that a terrain is painted (or erased) on, one after the other, and what tiles there and around are then.
#[derive(Clone, Debug, Default)]
pub(super) struct TerrainStroke {
    cells: CellSet,
    tiles: BTreeMap<Cell, Tile>,
}

impl TerrainStroke {
    /// How many cells it is painted on.
    pub(super) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// The tiles that are others now: on the cells, and those of neighbors that follow.
    pub(super) fn tiles(&self) -> impl Iterator<Item = (Cell, Tile)> + '_ {
        self.tiles.iter().map(|(cell, tile)| (*cell, *tile))
    }

    /// Paint on more cells of a layer. Only tiles on and around these are worked out.
    ///
    /// # Errors
    /// Says what is missing: the tileset, or a terrain in it.
    pub(super) fn add(
        &mut self,
        cx: &ToolCx<'_>,
        layer: Cells<'_>,
        cells: &CellSet,
        is_erasing: bool,
    ) -> Result<(), String> {
        let name = layer.tileset.ok_or("Terrain is for tiles: paint values with the other tools")?;
        let tileset = cx.tileset(layer).ok_or_else(|| format!("There is no tileset “{name}”"))?;
        let mut terrains = terrains_of(tileset);
        let at = if cx.terrain < terrains.len() { cx.terrain } else { 0 };
        if terrains.is_empty() {
            return Err(format!("“{name}” has no terrains: add one in the Tileset pane"));
        }
        let Terrain { set, label, .. } = terrains.swap_remove(at);
        let fit = Fit::new(set, tileset);
        if fit.sides_of.is_empty() {
            return Err(format!("Terrain “{}” has no tiles", set.name));
        }
        self.paint(&fit, (cx.grid, layer.tiles), cells, if is_erasing { 0 } else { label });
        Ok(())
    }

    fn paint(&mut self, fit: &Fit<'_>, (grid, tiles): (CellGrid, &Tiles), cells: &CellSet, label: u8) {
        let new = cells.difference(&self.cells);
        self.cells = self.cells.union(&new);
        let ground = Ground { fit, grid, tiles, cells: &self.cells, label };
        for cell in with_neighbors(grid, &new).iter() {
            let tile = match fit.mode {
                TerrainMode::Corners => ground.by_corners(cell),
                TerrainMode::Edges | TerrainMode::Mixed => ground.by_cells(cell),
            };
            match tile.filter(|tile| *tile != tiles.get(cell)) {
                Some(tile) => _ = self.tiles.insert(cell, tile),
                None => _ = self.tiles.remove(&cell),
            }
        }
    }
}

/// What a few cells painted with a terrain on nothing look like; `None` where a tileset has no such terrain.
#[must_use]
pub fn terrain_patch(tileset: &Tileset, terrain: usize) -> Option<BTreeMap<Cell, Tile>> {
    let mut terrains = terrains_of(tileset);
    let Terrain { set, label, .. } = (terrain < terrains.len()).then(|| terrains.swap_remove(terrain))?;
    let last = if set.mode == TerrainMode::Corners { 1 } else { 2 };
    let mut stroke = TerrainStroke::default();
    let cells = CellSet::rectangle([0, 0], [last, last]);
    stroke.paint(&Fit::new(set, tileset), (CellGrid { px: [1, 1], size: None }, &Tiles::default()), &cells, label);
    Some(stroke.tiles)
}

fn beside([x, y]: Cell, [dx, dy]: Cell) -> Cell {
    [x.saturating_add(dx), y.saturating_add(dy)]
}

/// The cells painted and all around them, inside the level.
fn with_neighbors(grid: CellGrid, cells: &CellSet) -> CellSet {
    grid.clip(&AROUND.iter().fold(cells.clone(), |all, by| all.union(&cells.moved(*by))))
}

/// What a terrain is painted on.
struct Ground<'a> {
    fit: &'a Fit<'a>,
    grid: CellGrid,
    /// The tiles before.
    tiles: &'a Tiles,
    /// Where it is painted.
    cells: &'a CellSet,
    /// The terrain; 0 for nothing.
    label: u8,
}

impl Ground<'_> {
    /// The terrain of a cell, with edges and mixed: it is of one or not. 0 is no terrain; what is outside is as the
    /// cell that looks there.
    fn terrain(&self, cell: Cell, own: u8) -> u8 {
        match (self.grid.has_cell(cell), self.cells.contains(cell)) {
            (false, _) => own,
            (true, true) => self.label,
            (true, false) => self.fit.terrain(self.tiles.get(cell)).unwrap_or(0),
        }
    }

    /// The tile on a cell, by the terrains of the cells around.
    fn by_cells(&self, cell: Cell) -> Option<Tile> {
        let own = self.terrain(cell, 0);
        let current = self.tiles.get(cell);
        if own == 0 {
            return (self.cells.contains(cell) && self.fit.sides(current).is_some()).then_some(Tile::EMPTY);
        }
        let around = AROUND.map(|by| self.terrain(beside(cell, by), own));
        let mut wanted = [0; 8];
        for i in self.fit.mode.sides() {
            // A corner goes with both its edges: where one of them is open the corner cannot be seen.
            let is_closed = i % 2 == 0 || (around[i - 1] == around[*i] && around[(i + 1) % 8] == around[*i]);
            wanted[*i] = if is_closed { around[*i] } else { 0 };
        }
        self.fit.best(&wanted, current, cell)
    }

    /// The terrain on the crossing at the left top of a cell.
    fn crossing(&self, at: Cell) -> u8 {
        // Its four cells, and the place it has in each.
        const CELLS: [(Cell, usize); 4] = [([0, 0], 7), ([-1, 0], 1), ([-1, -1], 3), ([0, -1], 5)];
        let near = CELLS.map(|(by, place)| (beside(at, by), place));
        if near.iter().any(|(cell, _)| self.cells.contains(*cell)) {
            return self.label;
        }
        // Cells around may disagree where someone painted tile by tile: what is there outweighs what is not.
        let shown = near.iter().filter_map(|(cell, place)| Some(self.fit.sides(self.tiles.get(*cell))?[*place]));
        shown.max().unwrap_or(0)
    }

    /// The tile on a cell, by the terrains of its corners.
    fn by_corners(&self, cell: Cell) -> Option<Tile> {
        let mut wanted = [0; 8];
        for (place, by) in [(7, [0, 0]), (1, [1, 0]), (3, [1, 1]), (5, [0, 1])] {
            wanted[place] = self.crossing(beside(cell, by));
        }
        let (current, is_painted) = (self.tiles.get(cell), self.cells.contains(cell));
        let is_of_set = self.fit.sides(current).is_some();
        let is_exact = self.fit.exact.contains_key(&wanted);
        if wanted == [0; 8] && (!is_exact || !is_painted && !is_of_set) {
            is_of_set.then_some(Tile::EMPTY)
        } else if is_painted || is_of_set || (current.is_empty() && is_exact) {
            self.fit.best(&wanted, current, cell)
        } else {
            None
        }
    }
}
