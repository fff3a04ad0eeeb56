//! The solid tiles for physics: per chunk of 32×32 cells, the kinds of the cells and their outline.
//!
//! Bodies collide with the outline, in which neighbors have no seam: there are no edges between solid cells, and
//! collinear edges are one; how they continue at their ends is in `ends`. Walkers, flyers and rays use the convex
//! pieces of cells, whole cells joined to rectangles. Invariant: outlines are wound clockwise on the screen, so their
//! normals point out of the ground; a chunk's pieces and outline agree. The meaning of tiles is `sim::grid`, the
//! colliders are in the parent module.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use crate::{
    model::{CHUNK, Cell, Name, chunk_of},
    sim::{
        by_chunk::ByChunk,
        grid::{CellKind, SolidGrid, floor},
    },
};

use super::{
    SKIN,
    body::Body,
    convex::{Aabb, Convex},
    ends,
    outline::{self, Segment},
};

/// The kinds of a chunk's cells.
#[derive(Clone, Debug, PartialEq)]
struct Cells {
    /// Index into `kinds` of each cell, row by row.
    at: Box<[u16; 1024]>,
    /// The distinct kinds; the first is the empty one.
    kinds: Vec<CellKind>,
    /// Per row, bit x: the cell is wholly solid.
    full: [u32; 32],
    /// Per row, bit x: the cell has solid or one-way parts.
    part: [u32; 32],
}

/// A chunk of 32×32 cells and its outline.
#[derive(Clone, Debug)]
pub(super) struct TileChunk {
    cells: Arc<Cells>,
    /// Edges that are solid from their outer side, in pixels from the chunk's corner.
    pub(super) solid: Vec<Segment>,
    /// Upper edges of one-way ground, in pixels from the chunk's corner.
    pub(super) ledges: Vec<Segment>,
}

/// Solid tiles by chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct TileMap {
    tile_size: Vec2,
    /// The bounds of the level: its first cell, and one past its last in both directions.
    bounds: (Cell, Cell),
    chunks: ByChunk<TileChunk>,
}

/// A convex piece of the ground, in world pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    /// Corners, clockwise on the screen.
    pub(super) points: &'a [Vec2],
    /// Whether it is solid only from above.
    pub(super) one_way: bool,
}

/// The first tile on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TileHit {
    /// The tile's cell.
    pub(super) cell: Cell,
    /// Share of the ray before the hit, 0 to 1.
    pub(super) share: f32,
    /// Unit normal of the surface; opposite to the ray when it starts inside.
    pub(super) normal: Vec2,
}

impl TileMap {
    /// The tiles of a grid, all chunks.
    #[must_use]
    pub(super) fn new(grid: &SolidGrid) -> Self {
        let size = grid.tile_size();
        let cells: ByChunk<Cells> =
            grid.chunks().filter_map(|at| Some((at, Arc::new(read_cells(grid, at)?)))).collect();
        let outlined = |(at, own): (Cell, &Arc<Cells>)| {
            let chunk = outlined(at, size, own.clone(), |at| cells.get(at).map(|cells| &**cells));
            (at, Arc::new(chunk))
        };
        Self { tile_size: size, bounds: grid.bounds(), chunks: cells.iter().map(outlined).collect() }
    }

    /// Read one chunk again. Returns the chunks whose outline changed: itself and its neighbors.
    pub(super) fn update(&mut self, grid: &SolidGrid, at: Cell) -> Vec<Cell> {
        self.bounds = grid.bounds();
        let before = self.chunks.get(at).map(|chunk| chunk.cells.clone());
        let after = read_cells(grid, at).map(Arc::new);
        if before == after {
            return Vec::new();
        }
        let chunk = after.clone().map(|cells| Arc::new(TileChunk { cells, solid: Vec::new(), ledges: Vec::new() }));
        if self.chunks.set(at, chunk) {
            _ = self.chunks.frame();
        }
        let around = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
        let touched = around.into_iter().filter(|side| *side == [0, 0] || borders_differ(&before, &after, *side));
        let mut changed = vec![at];
        for at in touched.map(|[x, y]| [at[0] + x, at[1] + y]) {
            let Some(old) = self.chunks.get(at) else { continue };
            let neighbor = |at| self.chunks.get(at).map(|chunk| &*chunk.cells);
            let new = outlined(at, self.tile_size, old.cells.clone(), neighbor);
            if new.solid != old.solid || new.ledges != old.ledges {
                _ = self.chunks.set(at, Some(Arc::new(new)));
                changed.push(at);
            }
        }
        changed.dedup();
        changed
    }

    /// Width and height of a cell, in pixels.
    #[must_use]
    pub(super) fn tile_size(&self) -> Vec2 {
        self.tile_size
    }

    /// Whether a point is within the level.
    #[must_use]
    pub(super) fn is_in_level(&self, pos: Vec2) -> bool {
        let (cell, (lo, hi)) = (self.cell_at(pos), self.bounds);
        (0..2).all(|i| (lo[i]..hi[i]).contains(&cell[i]))
    }

    /// The chunks with solid cells, in ascending order.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (Cell, &TileChunk)> {
        self.chunks.iter().map(|(at, chunk)| (at, &**chunk))
    }

    /// A chunk by its coordinates.
    #[must_use]
    pub(super) fn chunk(&self, at: Cell) -> Option<&TileChunk> {
        self.chunks.get(at).map(|chunk| &**chunk)
    }

    /// The left top corner of a chunk, in pixels.
    #[must_use]
    pub(super) fn chunk_px(&self, at: Cell) -> Vec2 {
        self.cell_px(at.map(|c| c * CHUNK))
    }

    /// The left top corner of a cell, in pixels.
    #[must_use]
    pub(super) fn cell_px(&self, [x, y]: Cell) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // levels are far smaller than 2^24 cells
        let cell = Vec2::new(x as f32, y as f32);
        cell * self.tile_size
    }

    /// The cell that contains a point.
    #[must_use]
    pub(super) fn cell_at(&self, pos: Vec2) -> Cell {
        (pos / self.tile_size.max(Vec2::ONE)).to_array().map(floor)
    }

    /// The solid cell at a point of its surface with an outward `normal`; and its tile's name.
    #[must_use]
    pub(super) fn surface(&self, point: Vec2, normal: Vec2) -> (Cell, Name) {
        let cells = [0.5, 2.0].map(|depth| self.cell_at(point - normal * depth));
        let solid = cells.into_iter().find(|cell| self.kind(*cell).is_some_and(CellKind::is_solid)).unwrap_or(cells[0]);
        (solid, self.kind(solid).map_or_else(|| "".into(), |kind| kind.name.clone()))
    }

    /// The kind of a cell; `None` outside the chunks.
    #[must_use]
    pub(super) fn kind(&self, cell: Cell) -> Option<&CellKind> {
        let (chunk, _) = chunk_of(cell);
        let chunk = self.chunks.get(chunk)?;
        Some(chunk.cells.kind(cell[0].rem_euclid(CHUNK), cell[1].rem_euclid(CHUNK)))
    }

    /// The kind of the cell that contains a point, if it is a ladder, water, or both.
    #[must_use]
    pub(super) fn entered(&self, pos: Vec2) -> Option<&CellKind> {
        self.kind(self.cell_at(pos)).filter(|kind| kind.is_entered())
    }

    /// The velocity of a cell's surface with an outward `normal`, px/s.
    #[must_use]
    pub(super) fn conveyed(&self, cell: Cell, normal: Vec2) -> Vec2 {
        self.kind(cell).map_or(Vec2::ZERO, |kind| normal.perp() * kind.conveyor)
    }

    /// Whether a body's middle is in a cell that is wholly solid to the body.
    #[must_use]
    pub(super) fn is_buried(&self, body: &Body) -> bool {
        let collider = body.spec.collider.as_ref().filter(|collider| collider.can_touch_tiles());
        let Some(part) = collider.and_then(|collider| collider.solids().next()) else { return false };
        let around = part.convex.placed(body.pose.pos, body.pose.angle).aabb();
        self.kind(self.cell_at((around.lo + around.hi) / 2.0)).is_some_and(|kind| kind.full)
    }

    /// How a loose body that would get to a position (px) and angle (radians) is put back, and the normal of the surface
    /// that stops it, where the center of one of its parts would go into the ground. The outline is hollow: from there
    /// nothing would push it out again.
    #[must_use]
    pub(super) fn stop(&self, body: &Body, (pos, angle): (Vec2, f32)) -> Option<(Vec2, Vec2)> {
        if self.chunks.is_empty() || body.pose.pos == pos {
            return None;
        }
        let collider = body.spec.collider.as_ref().filter(|collider| collider.can_touch_tiles())?;
        collider.solids().find_map(|part| {
            let center = part.convex.center();
            let at = |pos: Vec2, angle: f32| pos + Vec2::from_angle(angle).rotate(center);
            let (from, to) = (at(body.pose.pos, body.pose.angle), at(pos, angle));
            if !self.is_in_ground(to) || self.is_in_ground(from) {
                return None;
            }
            let hit = self.ray(from, to - from)?;
            Some(((from - to) * (1.0 - hit.share) + hit.normal * SKIN, hit.normal))
        })
    }

    /// Whether a point lies in ground that is solid from all sides.
    fn is_in_ground(&self, at: Vec2) -> bool {
        let cell = self.cell_at(at);
        let Some(kind) = self.kind(cell) else { return false };
        let within = at - self.cell_px(cell);
        let mut solid = kind.pieces.iter().filter(|piece| !piece.one_way);
        kind.full || solid.any(|piece| super::convex::distance(&piece.points, within).0 < 0.0)
    }

    /// The convex pieces of a cell, in world pixels.
    #[must_use]
    pub(super) fn pieces(&self, cell: Cell) -> Vec<Convex> {
        let (lo, Some(kind)) = (self.cell_px(cell), self.kind(cell)) else { return Vec::new() };
        if kind.full {
            return vec![Convex::rect(lo, lo + self.tile_size)];
        }
        let placed = |points: &Vec<Vec2>| Convex { points: points.iter().map(|p| *p + lo).collect(), radius: 0.0 };
        kind.pieces.iter().map(|piece| placed(&piece.points)).collect()
    }

    /// Call `visit` for every convex piece of ground in a box; whole cells are joined to rectangles, cut at the
    /// outermost cells of the box.
    pub(super) fn visit(&self, aabb: Aabb, mut visit: impl FnMut(Ground<'_>)) {
        if self.chunks.is_empty() {
            return;
        }
        let (lo, hi) = (self.cell_at(aabb.lo), self.cell_at(aabb.hi));
        let (first, last) = (lo.map(|c| c.div_euclid(CHUNK)), hi.map(|c| c.div_euclid(CHUNK)));
        for (at, chunk) in self.chunks.within(first, last) {
            self.visit_chunk(at, chunk, (lo, hi), &mut visit);
        }
    }

    /// Whether there is ground in a box: tiles by their cells, others by their pieces' cells.
    pub(super) fn has_ground_in(&self, aabb: Aabb) -> bool {
        let mut is_ground = false;
        self.visit(aabb, |_| is_ground = true);
        is_ground
    }

    fn visit_chunk(&self, at: Cell, chunk: &TileChunk, (lo, hi): (Cell, Cell), visit: &mut impl FnMut(Ground<'_>)) {
        let origin = at.map(|c| c * CHUNK);
        let inside = |i: usize| ((lo[i] - origin[i]).max(0), (hi[i] - origin[i]).min(CHUNK - 1));
        let ((x0, x1), (y0, y1)) = (inside(0), inside(1));
        if x0 > x1 || y0 > y1 {
            return;
        }
        let mask = (u32::MAX >> (31 - (x1 - x0))) << x0;
        let row = |y: i32| usize::try_from(y).unwrap_or(0);
        let mut rect = |bits: u32, from: i32, to: i32| {
            let mut bits = bits;
            while bits != 0 {
                let x = bits.trailing_zeros();
                let n = (bits >> x).trailing_ones();
                bits &= !(u32::MAX >> (32 - n) << x);
                let (x, n) = (i32::try_from(x).unwrap_or(0), i32::try_from(n).unwrap_or(0));
                let lo = self.cell_px([origin[0] + x, origin[1] + from]);
                let hi = self.cell_px([origin[0] + x + n, origin[1] + to]);
                let points = [lo, Vec2::new(hi.x, lo.y), hi, Vec2::new(lo.x, hi.y)];
                visit(Ground { points: &points, one_way: false });
            }
        };
        let mut from = y0;
        for y in y0..=y1 {
            let bits = chunk.cells.full[row(y)] & mask;
            if y == y1 || chunk.cells.full[row(y + 1)] & mask != bits {
                rect(bits, from, y + 1);
                from = y + 1;
            }
        }
        let mut corners = Vec::new();
        for y in y0..=y1 {
            let mut bits = chunk.cells.part[row(y)] & mask;
            while bits != 0 {
                let x = i32::try_from(bits.trailing_zeros()).unwrap_or(0);
                bits &= bits - 1;
                let lo = self.cell_px([origin[0] + x, origin[1] + y]);
                for piece in &chunk.cells.kind(x, y).pieces {
                    corners.clear();
                    corners.extend(piece.points.iter().map(|p| *p + lo));
                    visit(Ground { points: &corners, one_way: piece.one_way });
                }
            }
        }
    }

    /// The first tile on a ray, from cell to cell. One-way tiles stop only rays that come from above.
    ///
    /// Source: Amanatides, Woo, "A fast voxel traversal algorithm for ray tracing".
    #[must_use]
    pub(super) fn ray(&self, from: Vec2, motion: Vec2) -> Option<TileHit> {
        if self.chunks.is_empty() || !from.is_finite() || !motion.is_finite() {
            return None;
        }
        let mut cell = self.cell_at(from);
        let last = self.cell_at(from + motion);
        let step = [motion.x, motion.y].map(|m| if m > 0.0 { 1 } else { -1 });
        let far = |i: usize, cell: Cell| {
            let edge = self.cell_px([cell[0] + i32::from(step[0] > 0), cell[1] + i32::from(step[1] > 0)])[i];
            if motion[i] == 0.0 { f32::INFINITY } else { (edge - from[i]) / motion[i] }
        };
        let mut entered: Option<(f32, Vec2)> = None;
        let n_steps = u64::from(last[0].abs_diff(cell[0])) + u64::from(last[1].abs_diff(cell[1]));
        for _ in 0..=n_steps + 1 {
            if let Some(hit) = self.ray_in_cell(cell, from, motion, entered) {
                return (hit.share <= 1.0).then_some(hit);
            }
            let (tx, ty) = (far(0, cell), far(1, cell));
            let axis = usize::from(ty < tx);
            let share = tx.min(ty);
            if share > 1.0 {
                return None;
            }
            // Empty chunks are crossed cell by cell as well; levels are small compared with the other cost of a ray.
            cell[axis] += step[axis];
            #[allow(clippy::cast_precision_loss)] // -1 or 1
            let away = -step[axis] as f32;
            entered = Some((share, if axis == 0 { Vec2::new(away, 0.0) } else { Vec2::new(0.0, away) }));
        }
        None
    }

    fn ray_in_cell(&self, cell: Cell, from: Vec2, motion: Vec2, entered: Option<(f32, Vec2)>) -> Option<TileHit> {
        let kind = self.kind(cell).filter(|kind| kind.is_solid())?;
        let (share, normal) = entered.unwrap_or((0.0, -motion.normalize_or_zero()));
        if kind.full {
            return Some(TileHit { cell, share: share.max(0.0), normal });
        }
        let lo = self.cell_px(cell);
        let mut best: Option<TileHit> = None;
        for piece in &kind.pieces {
            let shape = Convex { points: piece.points.iter().map(|p| *p + lo).collect(), radius: 0.0 };
            let inside = super::convex::distance(&shape.points, from).0 < 0.0;
            let hit = if inside && !piece.one_way { Some((0.0, normal)) } else { shape.ray(from, motion) };
            if let Some((share, normal)) = hit
                && !(piece.one_way && normal.y > -0.1)
                && best.is_none_or(|first| share < first.share)
            {
                best = Some(TileHit { cell, share, normal });
            }
        }
        best
    }

    /// Every outline edge in a box, in world pixels, and whether it is one-way.
    #[must_use]
    pub(super) fn outline(&self, aabb: Aabb) -> Vec<([Vec2; 2], bool)> {
        let mut found = Vec::new();
        // Grown, because edges lie on the borders of chunks, too.
        let around = aabb.grown(SKIN);
        let [first, last] = [around.lo, around.hi].map(|at| chunk_of(self.cell_at(at)).0);
        for (at, chunk) in self.chunks.within(first, last) {
            let lo = self.chunk_px(at);
            let all = chunk.solid.iter().map(|s| (s, false)).chain(chunk.ledges.iter().map(|s| (s, true)));
            found.extend(all.filter_map(|(segment, one_way)| {
                let (a, b) = (segment.a + lo, segment.b + lo);
                Aabb { lo: a.min(b), hi: a.max(b) }.meets(aabb).then_some(([a, b], one_way))
            }));
        }
        found
    }
}

/// A chunk with its outline, from its cells and those of the chunks around it; `size` is that of a cell, in pixels.
fn outlined<'a>(at: Cell, size: Vec2, cells: Arc<Cells>, neighbor: impl Fn(Cell) -> Option<&'a Cells>) -> TileChunk {
    let empty = CellKind::default();
    let own = cells.clone();
    let kind = |[x, y]: Cell| -> &CellKind {
        if (0..CHUNK).contains(&x) && (0..CHUNK).contains(&y) {
            return own.kind(x, y);
        }
        let (chunk, [x, y]) = ([at[0] + x.div_euclid(CHUNK), at[1] + y.div_euclid(CHUNK)], [x, y]);
        neighbor(chunk).map_or(&empty, |cells| cells.kind(x.rem_euclid(CHUNK), y.rem_euclid(CHUNK)))
    };
    let (above, below) = (neighbor([at[0], at[1] - 1]), neighbor([at[0], at[1] + 1]));
    // By cell, since edges of neighbors meet; the cells around the chunk show how its surface continues.
    let mut edges: BTreeMap<Cell, Vec<(bool, Segment)>> = BTreeMap::new();
    let mut add = |at: Cell| {
        let (mut solid, mut ledges) = (Vec::new(), Vec::new());
        outline::of_cell(at, size, &kind, &mut solid, &mut ledges);
        let all = solid.into_iter().map(|s| (false, s)).chain(ledges.into_iter().map(|s| (true, s)));
        edges.insert(at, all.collect());
    };
    let mut is_exposed = false;
    for y in 0..CHUNK {
        let row = usize::try_from(y).unwrap_or(0);
        // Cells enclosed by wholly solid cells have no exposed edge.
        let edge = |x: i32| u32::from(kind([x, y]).full);
        let beside = (own.full[row] << 1 | edge(-1)) & (own.full[row] >> 1 | edge(CHUNK) << 31);
        let rows = [above.map_or(0, |c| c.full[31]), below.map_or(0, |c| c.full[0])];
        let over = row.checked_sub(1).map_or(rows[0], |row| own.full[row]);
        let under = own.full.get(row + 1).copied().unwrap_or(rows[1]);
        let mut bits = own.full[row] & !(beside & over & under) | own.part[row];
        is_exposed |= bits != 0;
        while bits != 0 {
            let x = i32::try_from(bits.trailing_zeros()).unwrap_or(0);
            bits &= bits - 1;
            add([x, y]);
        }
    }
    // Deep in the ground, or of ladders and water alone.
    if !is_exposed {
        return TileChunk { cells, solid: Vec::new(), ledges: Vec::new() };
    }
    let around = (-1..=CHUNK).flat_map(|i| [[i, -1], [i, CHUNK], [-1, i], [CHUNK, i]]);
    around.filter(|at| kind(*at).is_solid()).for_each(&mut add);
    ends::cut(&mut edges, size);
    let is_own = |at: &Cell| at.iter().all(|c| (0..CHUNK).contains(c));
    let of = |own: bool, ledge: bool| {
        let cells = edges.iter().filter(move |(at, _)| is_own(at) == own);
        cells.flat_map(|(_, all)| all).filter(move |(is_ledge, _)| *is_ledge == ledge).map(|(_, segment)| *segment)
    };
    let mut all: Vec<Segment> = of(true, false).collect();
    let n_solid = all.len();
    all.extend(of(true, true));
    let n = all.len();
    all.extend(of(false, false).chain(of(false, true)));
    ends::connect(&mut all, n);
    all.truncate(n);
    let ledges = outline::joined(all.split_off(n_solid));
    TileChunk { cells, solid: outline::joined(all), ledges }
}

impl Cells {
    fn kind(&self, x: i32, y: i32) -> &CellKind {
        let i = usize::try_from(y * CHUNK + x).unwrap_or(0);
        &self.kinds[usize::from(self.at[i])]
    }
}

/// Whether two states of a chunk differ in the two rows or columns of cells at one side or corner: the outline of the
/// chunk beyond depends on these.
fn borders_differ(before: &Option<Arc<Cells>>, after: &Option<Arc<Cells>>, side: Cell) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return true };
    let near = |side: i32| match side {
        -1 => 0..2,
        0 => 0..CHUNK,
        _ => CHUNK - 2..CHUNK,
    };
    near(side[1]).any(|y| near(side[0]).any(|x| before.kind(x, y) != after.kind(x, y)))
}

/// The cells of a chunk; `None` if none is solid, a ladder or water.
fn read_cells(grid: &SolidGrid, at: Cell) -> Option<Cells> {
    let mut cells = Cells { at: Box::new([0; 1024]), kinds: vec![CellKind::default()], full: [0; 32], part: [0; 32] };
    let mut known: BTreeMap<u32, u16> = BTreeMap::new();
    for (cell, kind) in grid.chunk_cells(at).filter(|(_, kind)| kind.is_solid() || kind.is_entered()) {
        let n = u16::try_from(cells.kinds.len()).ok()?;
        let id = *known.entry(grid.kind_id(cell)).or_insert_with(|| {
            cells.kinds.push(kind.clone());
            n
        });
        let (_, i) = chunk_of(cell);
        cells.at[i] = id;
        let bit = 1 << (i % 32);
        if kind.full {
            cells.full[i / 32] |= bit;
        } else if kind.is_solid() {
            cells.part[i / 32] |= bit;
        }
    }
    (cells.kinds.len() > 1).then_some(cells)
}
