//! The kinds of cell in a grid: each stack of tiles that occurs, computed once and numbered.
//!
//! Invariant: kind 0 is the empty cell, and pieces are convex, clockwise on the screen, and within their cell. Which
//! cell has which kind is in the grid.

use std::{collections::BTreeMap, sync::Arc};

use foldhash::{HashMap, HashMapExt};
use glam::Vec2;

use super::fit::TileAt;
use crate::model::{Name, Tile, TileDef, TileShape, Tileset};

/// Polygons of a smaller area are dropped, in px².
const MIN_AREA: f32 = 1e-3;

/// Points closer than this are equal, in pixels.
const SAME: f32 = 1e-3;

/// A convex solid part of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Corners in pixels from the cell's top left, clockwise on the screen.
    pub points: Vec<Vec2>,
    /// Whether it is solid only from above.
    pub one_way: bool,
}

/// A kind of cell: all its tiles together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellKind {
    /// Whether the whole cell is solid from every side; then `pieces` is empty.
    pub full: bool,
    /// Solid parts of the cell.
    pub pieces: Vec<Piece>,
    /// Friction of the frontmost solid tile, if it declares one.
    pub friction: Option<f32>,
    /// Speed of the conveyor belt of the frontmost solid tile, to the right, px/s.
    pub conveyor: f32,
    /// Whether any tile of it can be climbed.
    pub ladder: bool,
    /// Whether any tile of it is water.
    pub water: bool,
    /// Name of the frontmost solid tile, else of the frontmost tile; may be empty.
    pub name: Name,
    /// Cost of a step by index of agent kind, in plain steps; empty if all are 1.
    costs: Vec<f32>,
}

impl CellKind {
    /// Whether it is partly solid: some of it is solid from every side, but not all.
    #[must_use]
    pub fn is_partly_solid(&self) -> bool {
        !self.full && self.pieces.iter().any(|piece| !piece.one_way)
    }

    /// Whether any of it is solid, at least from above.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.full || !self.pieces.is_empty()
    }

    /// Whether it affects walkers inside it, solid or not: a ladder or water.
    #[must_use]
    pub fn is_entered(&self) -> bool {
        self.ladder || self.water
    }

    /// The cost of a step into this cell for an agent kind ([`SolidGrid::agent`](super::SolidGrid::agent)), in plain
    /// steps: the greatest cost of its tiles, 1 if none declares one. `None` if it cannot be entered: it is wholly
    /// solid, or a cost is not above zero. Whether an agent fits past its solid parts depends on the agent's width.
    #[must_use]
    pub fn cost(&self, agent: Option<usize>) -> Option<f32> {
        if self.full {
            return None;
        }
        let cost = agent.and_then(|i| self.costs.get(i)).copied().unwrap_or(1.0);
        Some(cost).filter(|cost| cost.is_finite() && *cost > 0.0)
    }
}

/// All kinds of cells, numbered.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    /// Agent kinds that have costs, ascending.
    pub(super) agents: Vec<Name>,
    tile_size: [u32; 2],
    /// Shared by copies until a new kind is added.
    known: Arc<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    kinds: Vec<CellKind>,
    tiles: HashMap<(Name, Tile, TileAt), u32>,
    /// By two kinds: the kind of both together, the second over the first.
    pairs: HashMap<(u32, u32), u32>,
    /// By more than two kinds: the kind of all together, each over those before.
    stacks: HashMap<Vec<u32>, u32>,
    has_parts: bool,
    has_belts: bool,
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
            known: Arc::new(Known {
                kinds: vec![CellKind::default()],
                tiles: HashMap::new(),
                pairs: HashMap::new(),
                stacks: HashMap::new(),
                has_parts: false,
                has_belts: false,
            }),
        }
    }

    pub(super) fn get(&self, id: u32) -> &CellKind {
        // Ids come from this palette, and 0 always exists.
        &self.known.kinds[usize::try_from(id).unwrap_or(0)]
    }

    /// The cost of a step into each kind for an agent kind, in plain steps.
    pub(super) fn costs(&self, agent: Option<usize>) -> impl Iterator<Item = f32> {
        self.known.kinds.iter().filter_map(move |kind| kind.cost(agent))
    }

    /// Whether any kind is partly solid.
    pub(super) fn has_parts(&self) -> bool {
        self.known.has_parts
    }

    /// Whether any kind is a conveyor belt.
    pub(super) fn has_belts(&self) -> bool {
        self.known.has_belts
    }

    fn add(&mut self, kind: CellKind) -> u32 {
        let known = Arc::make_mut(&mut self.known);
        known.has_parts |= kind.is_partly_solid();
        known.has_belts |= kind.conveyor != 0.0;
        known.kinds.push(kind);
        u32::try_from(known.kinds.len() - 1).unwrap_or(0)
    }

    /// The kind of a cell that this tile overlaps at a place.
    pub(super) fn tile(&mut self, set: (&Name, &Tileset), tile: Tile, place: TileAt) -> u32 {
        if tile.is_empty() {
            return 0;
        }
        let place = self.same_place(set.1, tile, place);
        let key = (set.0.clone(), tile, place);
        if let Some(id) = self.known.tiles.get(&key) {
            return *id;
        }
        let def = tile.id().and_then(|id| set.1.tiles.get(&id));
        let kind = def.map(|def| self.kind_of((def, set.1.tile_size), tile, place));
        let id = kind.map_or(0, |kind| self.add(kind));
        Arc::make_mut(&mut self.known).tiles.insert(key, id);
        id
    }

    /// A place with the same kind of cell. Large tiles without corners inside the cell are alike in every cell that
    /// they cover.
    fn same_place(&self, set: &Tileset, tile: Tile, place: TileAt) -> TileAt {
        let cell = self.tile_size.map(u32::cast_signed);
        let covers = (0..2).all(|i| place.shift_px[i] <= 0 && place.shift_px[i] + place.side_px[i] >= cell[i]);
        if !covers || place.side_px == cell {
            return place;
        }
        if is_plain(set, tile) { self.whole_cell() } else { place }
    }

    /// The place of a tile that is a cell.
    fn whole_cell(&self) -> TileAt {
        TileAt { shift_px: [0, 0], side_px: self.tile_size.map(u32::cast_signed) }
    }

    /// The kind of cells that a tile covers as a whole, if it is the same for all of them.
    pub(super) fn under(&mut self, set: (&Name, &Tileset), tile: Tile) -> Option<u32> {
        (tile.is_empty() || is_plain(set.1, tile)).then(|| self.tile(set, tile, self.whole_cell()))
    }

    /// The kind of two kinds together, the second over the first.
    pub(super) fn over(&mut self, below: u32, above: u32) -> u32 {
        if below == 0 || above == 0 {
            return below.max(above);
        }
        if let Some(id) = self.known.pairs.get(&(below, above)) {
            return *id;
        }
        let kind = self.joined(self.get(below).clone(), self.get(above));
        let id = self.add(kind);
        Arc::make_mut(&mut self.known).pairs.insert((below, above), id);
        id
    }

    /// The kind of more than two kinds together, each over those before. Partial stacks get no kind of their own.
    pub(super) fn over_all(&mut self, below: u32, above: impl Iterator<Item = u32>) -> u32 {
        let stack: Vec<u32> = [below].into_iter().chain(above).filter(|kind| *kind != 0).collect();
        match stack.as_slice() {
            [] => return 0,
            [alone] => return *alone,
            [below, above] => return self.over(*below, *above),
            _ => {}
        }
        if let Some(id) = self.known.stacks.get(&stack) {
            return *id;
        }
        let rest = stack[1..].iter();
        let kind = rest.fold(self.get(stack[0]).clone(), |below, above| self.joined(below, self.get(*above)));
        let id = self.add(kind);
        Arc::make_mut(&mut self.known).stacks.insert(stack, id);
        id
    }

    fn joined(&self, a: CellKind, b: &CellKind) -> CellKind {
        let (friction, conveyor, name) = if b.is_solid() || !a.is_solid() {
            (b.friction, b.conveyor, b.name.clone())
        } else {
            (a.friction, a.conveyor, a.name)
        };
        let (ladder, water) = (a.ladder || b.ladder, a.water || b.water);
        let n = if a.costs.is_empty() && b.costs.is_empty() { 0 } else { self.agents.len() };
        let cost = |costs: &[f32], i: usize| costs.get(i).copied().unwrap_or(1.0);
        let worse = |x: f32, y: f32| if x.min(y) > 0.0 { x.max(y) } else { 0.0 };
        let costs = (0..n).map(|i| worse(cost(&a.costs, i), cost(&b.costs, i))).collect();
        let mut full = a.full || b.full;
        let mut pieces = a.pieces;
        b.pieces.iter().for_each(|piece| put(&mut pieces, piece.clone()));
        let size = self.size();
        let is_whole = |piece: &Piece| !piece.one_way && area(&piece.points) > size.x * size.y * (1.0 - 1e-5);
        full |= pieces.iter().any(is_whole);
        if full {
            pieces.clear();
        }
        CellKind { full, pieces, friction, conveyor, ladder, water, name, costs }
    }

    fn size(&self) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // sides of tiles are small
        Vec2::new(self.tile_size[0] as f32, self.tile_size[1] as f32)
    }

    fn kind_of(&self, (def, set_px): (&TileDef, [u32; 2]), tile: Tile, place: TileAt) -> CellKind {
        let TileAt { shift_px, side_px } = place;
        #[allow(clippy::cast_precision_loss)] // sides of tiles and shifts within one are small
        let [side, shift, set_px] =
            [side_px.map(|x| x as f32), shift_px.map(|x| x as f32), set_px.map(|x| x.max(1) as f32)].map(Vec2::from);
        let size = self.size();
        let rect = [Vec2::ZERO, Vec2::new(side.x, 0.0), side, Vec2::new(0.0, side.y)];
        let outline = match &def.shape {
            TileShape::None => Vec::new(),
            TileShape::Full => rect.to_vec(),
            // Like the picture, the shape is stretched to the layer's cell.
            #[allow(clippy::cast_possible_truncation)] // pixels within a tile
            TileShape::Polygon(points) => {
                points.iter().map(|[x, y]| Vec2::new(*x as f32, *y as f32) * (side / set_px)).collect()
            }
        };
        let mut points: Vec<Vec2> = outline.into_iter().map(|p| flipped(p, tile, side)).collect();
        if area(&points) < 0.0 {
            points.reverse();
        }
        let points = clip(clip(points, side).into_iter().map(|p| p + shift).collect(), size);
        let solid = points.iter().all(|p| p.is_finite()) && area(&points) > MIN_AREA;
        let whole = size.x * size.y;
        let full = solid && area(&points) > whole * (1.0 - 1e-5) && !def.one_way;
        let costs: Vec<f32> = self.agents.iter().map(|agent| cost_of(def, agent)).collect();
        // A cost counts in the cells of which the tile covers at least half, or which hold at least half of the tile.
        let is_main = (0..2).all(|i| {
            let cell = i64::from(self.tile_size[i]);
            let (lo, side) = (i64::from(shift_px[i]), i64::from(side_px[i]));
            2 * ((lo + side).min(cell) - lo.max(0)) >= side.min(cell)
        });
        CellKind {
            full,
            pieces: if solid && !full { vec![Piece { points, one_way: def.one_way }] } else { Vec::new() },
            #[allow(clippy::cast_possible_truncation)] // a coefficient
            friction: def.friction.map(|friction| friction as f32),
            #[allow(clippy::cast_possible_truncation)] // a speed
            conveyor: def.conveyor as f32,
            ladder: def.ladder && is_main,
            water: def.water && is_main,
            name: def.name.as_str().into(),
            costs: if is_main && costs.iter().any(|cost| *cost != 1.0) { costs } else { Vec::new() },
        }
    }
}

/// Whether a tile is solid as a whole or not at all, so that every part of it is alike.
fn is_plain(set: &Tileset, tile: Tile) -> bool {
    let def = tile.id().and_then(|id| set.tiles.get(&id));
    def.is_some_and(|def| matches!(def.shape, TileShape::Full | TileShape::None))
}

/// Add a solid part. If it forms a larger rectangle with another part, they are merged: no line passes between two
/// tiles that touch, and no body catches on their edges.
fn put(pieces: &mut Vec<Piece>, mut new: Piece) {
    while let Some((lo, hi)) = upright(&new.points) {
        let joins = |piece: &Piece| {
            let (a, b) = upright(&piece.points).filter(|_| piece.one_way == new.one_way)?;
            let touches = |i: usize| (a[i] - hi[i]).abs() < SAME || (lo[i] - b[i]).abs() < SAME;
            let is_beside = |i: usize, across: usize| {
                touches(i) && (a[across] - lo[across]).abs() < SAME && (b[across] - hi[across]).abs() < SAME
            };
            (is_beside(0, 1) || is_beside(1, 0)).then(|| (a.min(lo), b.max(hi)))
        };
        let Some((at, (lo, hi))) = pieces.iter().enumerate().find_map(|(i, piece)| Some((i, joins(piece)?))) else {
            break;
        };
        pieces.remove(at);
        new.points = vec![lo, Vec2::new(hi.x, lo.y), hi, Vec2::new(lo.x, hi.y)];
    }
    pieces.push(new);
}

/// The left top and right bottom corners of a rectangle that is not rotated.
fn upright(points: &[Vec2]) -> Option<(Vec2, Vec2)> {
    let [a, b, c, d] = points else { return None };
    let (lo, hi) = (a.min(*b).min(*c).min(*d), a.max(*b).max(*c).max(*d));
    let [w, h] = (hi - lo).to_array();
    ((area(points) - w * h).abs() < MIN_AREA).then_some((lo, hi))
}

/// The cost of a tile for an agent kind; 0 if it cannot be entered.
fn cost_of(def: &TileDef, agent: &Name) -> f32 {
    #[allow(clippy::cast_possible_truncation)] // a factor
    def.cost.get(agent).map_or(1.0, |cost| if cost.is_finite() { cost.max(0.0) as f32 } else { 0.0 })
}

/// A tile's point after its flips: x and y are exchanged first, in proportion if the cell is not square.
fn flipped(p: Vec2, tile: Tile, size: Vec2) -> Vec2 {
    let p = if tile.flip_d() { Vec2::new(p.y, p.x) * Vec2::new(size.x / size.y, size.y / size.x) } else { p };
    Vec2::new(if tile.flip_h() { size.x - p.x } else { p.x }, if tile.flip_v() { size.y - p.y } else { p.y })
}

/// Signed area, in px²; above zero for corners clockwise on the screen (y down).
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
