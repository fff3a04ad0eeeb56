//! The kinds of cell a grid has: each stack of tiles that occurs, worked out once and numbered.
//!
//! Invariant: kind 0 is emptiness, and pieces are convex, clockwise on the screen, and within their cell. Which cell has
//! which kind is in the grid.

use std::collections::{BTreeMap, HashMap};

use glam::Vec2;

use crate::model::{Cell, Name, Tile, TileDef, TileShape, Tileset};

/// Areas below this are no shape, in square pixels.
const MIN_AREA: f32 = 1e-3;

/// A convex solid part of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Corners in pixels from the cell's top left, clockwise on the screen.
    pub points: Vec<Vec2>,
    /// Solid only from above.
    pub one_way: bool,
}

/// What a cell is, all its tiles together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellKind {
    /// The whole cell is solid from every side; then `pieces` is empty.
    pub full: bool,
    /// Solid parts of it.
    pub pieces: Vec<Piece>,
    /// Of the frontmost solid tile, if it declares one.
    pub friction: Option<f32>,
    /// Name of the frontmost solid tile, else of the frontmost tile; may be empty.
    pub name: Name,
    /// Cost of a step by index of agent kind; empty when all are 1.
    costs: Vec<f32>,
    /// Share of the cell's area that is solid from every side, 0 to 1.
    solid_share: f32,
}

impl CellKind {
    /// Whether something of it is solid from every side, but not all.
    #[must_use]
    pub fn is_partly_solid(&self) -> bool {
        !self.full && self.pieces.iter().any(|piece| !piece.one_way)
    }

    /// Whether something of it is solid, from above at least.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.full || !self.pieces.is_empty()
    }

    /// What a step into this cell costs an agent kind ([`SolidGrid::agent`](super::SolidGrid::agent)), in plain steps: the
    /// largest of its layers' costs, 1 where none declares one. `None` when it cannot be entered: more than half of it is
    /// solid from every side, or a cost is not above zero.
    #[must_use]
    pub fn cost(&self, agent: Option<usize>) -> Option<f32> {
        if self.full || self.solid_share > 0.5 + 1e-4 {
            return None;
        }
        let cost = agent.and_then(|i| self.costs.get(i)).copied().unwrap_or(1.0);
        Some(cost).filter(|cost| cost.is_finite() && *cost > 0.0)
    }
}

/// Every kind of cell, numbered.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    /// Agent kinds that have costs, ascending.
    pub(super) agents: Vec<Name>,
    tile_size: [u32; 2],
    kinds: Vec<CellKind>,
    tiles: HashMap<(Name, Tile, Cell), u32>,
    stacks: HashMap<(u32, u32), u32>,
    latest: Option<((Name, Tile, Cell), u32)>,
}

impl Palette {
    pub(super) fn new(tilesets: &BTreeMap<Name, Tileset>, tile_size: [u32; 2]) -> Self {
        let costs = tilesets.values().flat_map(|set| set.tiles.values()).flat_map(|tile| tile.cost.keys());
        let mut agents: Vec<Name> = costs.cloned().collect();
        agents.sort();
        agents.dedup();
        Self {
            agents,
            tile_size,
            kinds: vec![CellKind::default()],
            tiles: HashMap::new(),
            stacks: HashMap::new(),
            latest: None,
        }
    }

    pub(super) fn get(&self, id: u32) -> &CellKind {
        // Ids come from this palette, and 0 is always there.
        &self.kinds[usize::try_from(id).unwrap_or(0)]
    }

    fn add(&mut self, kind: CellKind) -> u32 {
        self.kinds.push(kind);
        u32::try_from(self.kinds.len() - 1).unwrap_or(0)
    }

    /// The kind of a cell that this tile reaches into, with the tile's corner at `shift_px` from the cell's.
    pub(super) fn tile(&mut self, set: (&Name, &Tileset), tile: Tile, shift_px: Cell) -> u32 {
        if let Some(((name, same, shift), id)) = &self.latest
            && *same == tile
            && *shift == shift_px
            && name == set.0
        {
            return *id;
        }
        let key = (set.0.clone(), tile, shift_px);
        let id = match self.tiles.get(&key) {
            Some(id) => *id,
            None => {
                let def = tile.id().and_then(|id| set.1.tiles.get(&id));
                let kind = def.map(|def| self.kind_of(def, tile, shift_px));
                let id = kind.map_or(0, |kind| self.add(kind));
                self.tiles.insert(key.clone(), id);
                id
            }
        };
        self.latest = Some((key, id));
        id
    }

    /// Kind `above` laid over kind `below`.
    pub(super) fn over(&mut self, below: u32, above: u32) -> u32 {
        if below == 0 || above == 0 {
            return below.max(above);
        }
        if let Some(id) = self.stacks.get(&(below, above)) {
            return *id;
        }
        let (a, b) = (self.get(below), self.get(above));
        let front = if b.is_solid() || !a.is_solid() { b } else { a };
        let n = if a.costs.is_empty() && b.costs.is_empty() { 0 } else { self.agents.len() };
        let cost = |kind: &CellKind, i: usize| kind.costs.get(i).copied().unwrap_or(1.0);
        let worse = |x: f32, y: f32| if x.min(y) > 0.0 { x.max(y) } else { 0.0 };
        let full = a.full || b.full;
        let kind = CellKind {
            full,
            pieces: if full { Vec::new() } else { a.pieces.iter().chain(&b.pieces).cloned().collect() },
            friction: front.friction,
            name: front.name.clone(),
            costs: (0..n).map(|i| worse(cost(a, i), cost(b, i))).collect(),
            solid_share: (a.solid_share + b.solid_share).min(1.0),
        };
        let id = self.add(kind);
        self.stacks.insert((below, above), id);
        id
    }

    fn kind_of(&self, def: &TileDef, tile: Tile, shift_px: Cell) -> CellKind {
        #[allow(clippy::cast_precision_loss)] // sides of tiles and shifts within one are small
        let (size, shift) = (
            Vec2::new(self.tile_size[0] as f32, self.tile_size[1] as f32),
            Vec2::new(shift_px[0] as f32, shift_px[1] as f32),
        );
        let rect = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
        let outline = match &def.shape {
            TileShape::None => Vec::new(),
            TileShape::Full => rect.to_vec(),
            #[allow(clippy::cast_possible_truncation)] // pixels within a tile
            TileShape::Polygon(points) => points.iter().map(|[x, y]| Vec2::new(*x as f32, *y as f32)).collect(),
        };
        let mut points: Vec<Vec2> = outline.into_iter().map(|p| flipped(p, tile, size) + shift).collect();
        if area(&points) < 0.0 {
            points.reverse();
        }
        let points = clip(points, size);
        let solid = points.iter().all(|p| p.is_finite()) && area(&points) > MIN_AREA;
        let share = if solid { (area(&points) / (size.x * size.y)).min(1.0) } else { 0.0 };
        let full = share > 1.0 - 1e-5 && !def.one_way;
        let costs: Vec<f32> = self.agents.iter().map(|agent| cost_of(def, agent)).collect();
        // A shifted tile's cost counts in the cell that holds the most of it.
        let is_main = (2 * shift_px[0]).unsigned_abs() <= self.tile_size[0]
            && (2 * shift_px[1]).unsigned_abs() <= self.tile_size[1];
        CellKind {
            full,
            pieces: if solid && !full { vec![Piece { points, one_way: def.one_way }] } else { Vec::new() },
            #[allow(clippy::cast_possible_truncation)] // a coefficient
            friction: def.friction.map(|friction| friction as f32),
            name: def.name.as_str().into(),
            costs: if is_main && costs.iter().any(|cost| *cost != 1.0) { costs } else { Vec::new() },
            solid_share: if def.one_way { 0.0 } else { share },
        }
    }
}

/// 0 where the tile cannot be entered.
fn cost_of(def: &TileDef, agent: &Name) -> f32 {
    #[allow(clippy::cast_possible_truncation)] // a factor
    def.cost.get(agent).map_or(1.0, |cost| if cost.is_finite() { cost.max(0.0) as f32 } else { 0.0 })
}

/// A tile's point after its flips: x and y exchanged first, in proportion where the cell is not square.
fn flipped(p: Vec2, tile: Tile, size: Vec2) -> Vec2 {
    let p = if tile.flip_d() { Vec2::new(p.y, p.x) * Vec2::new(size.x / size.y, size.y / size.x) } else { p };
    Vec2::new(if tile.flip_h() { size.x - p.x } else { p.x }, if tile.flip_v() { size.y - p.y } else { p.y })
}

/// Signed area; above zero for corners clockwise on the screen (y down).
fn area(points: &[Vec2]) -> f32 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f32>() / 2.0
}

/// The part of a convex polygon within the cell.
///
/// Source: Sutherland, Hodgman, "Reentrant polygon clipping".
fn clip(mut points: Vec<Vec2>, size: Vec2) -> Vec<Vec2> {
    let inside: [fn(Vec2, Vec2) -> f32; 4] = [|p, _| p.x, |p, size| size.x - p.x, |p, _| p.y, |p, size| size.y - p.y];
    for depth in inside {
        let n = points.len();
        let mut kept = Vec::with_capacity(n + 1);
        for i in 0..n {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let (da, db) = (depth(a, size), depth(b, size));
            if da >= 0.0 {
                kept.push(a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                let cut = a.lerp(b, da / (da - db));
                if kept.last().is_none_or(|last| last.distance_squared(cut) > 1e-8) {
                    kept.push(cut);
                }
            }
        }
        points = kept;
    }
    points.dedup_by(|a, b| a.distance_squared(*b) < 1e-8);
    points
}
