//! The obstacles and the ground of agents: the level's tiles, and static bodies such as closed doors and planks.
//!
//! Invariant: [`Floor::is_clear`] is symmetric. Which bodies count is decided by `sim::world`; the width of agents is
//! given by the caller.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use glam::Vec2;

use crate::{
    model::Cell,
    sim::{
        EntityKey,
        grid::{SolidGrid, meets_convex},
        physics::convex::{Aabb, Convex},
    },
};

/// A rectangle of cells: range of columns, range of rows.
pub(super) type CellBox = [Range<i32>; 2];

/// A part of a body: its entity, and the number of the part.
pub(super) type BodyPart = (EntityKey, usize);

/// A body that covers more cells than this is not entered in the cell table, but kept in a list that every query scans.
const MAX_CELLS: i64 = 4096;

/// The most rings around a place that are searched for room, and the most places on each.
const MAX_RINGS: f32 = 64.0;
const RING_PLACES: u8 = 16;

/// Radius of a point agent, in pixels: between two tiles that touch there is room for a point, but not for a disc.
pub(super) const LEAST_RADIUS: f32 = 0.01;

/// Steps of the binary search for a width: to a hundredth of a pixel even for wide agents.
const N_HALVINGS: u32 = 16;

/// Directions in which the width of a passage is measured, over half a turn.
const N_ACROSS: u8 = 8;

/// The middle of a passage is rounded to a fraction of a pixel, of which there are so many in one.
const PLACES_PER_PX: f32 = 64.0;

/// A body that is wider than its passage by no more than this still fits, as in maps; in pixels.
pub(super) const TOUCH_PX: f32 = 0.02;

/// Tiles, and bodies that stand among them.
#[derive(Clone, Debug)]
pub struct Floor {
    grid: Arc<SolidGrid>,
    /// Bodies that are solid from every side.
    bodies: Arc<Bodies>,
    /// Bodies that are solid only from above: walkers stand on them, and they block no path.
    one_way: Arc<Bodies>,
}

#[derive(Clone, Debug, Default)]
struct Bodies {
    /// The parts of all bodies, placed in the level, in pixels.
    all: BTreeMap<BodyPart, Convex>,
    by_cell: BTreeMap<Cell, Vec<BodyPart>>,
    /// Parts that cover more than [`MAX_CELLS`].
    large: Vec<BodyPart>,
}

impl Bodies {
    fn new(all: BTreeMap<BodyPart, Convex>, grid: &SolidGrid) -> Self {
        let (mut by_cell, mut large) = (BTreeMap::<Cell, Vec<BodyPart>>::new(), Vec::new());
        for (key, body) in &all {
            let [xs, ys] = cells_of(grid, body);
            let n = [&xs, &ys].map(|range| i64::from(range.end) - i64::from(range.start));
            if n[0].saturating_mul(n[1]) > MAX_CELLS {
                large.push(*key);
                continue;
            }
            for y in ys {
                xs.clone().for_each(|x| by_cell.entry([x, y]).or_default().push(*key));
            }
        }
        Self { all, by_cell, large }
    }

    /// The bodies in these cells; may contain duplicates.
    fn within(&self, cells: &CellBox) -> impl Iterator<Item = &Convex> {
        self.parts_within(cells).map(|(_, body)| body)
    }

    /// The bodies in these cells with their keys; may contain duplicates.
    fn parts_within(&self, [xs, ys]: &CellBox) -> impl Iterator<Item = (&BodyPart, &Convex)> {
        let Self { all, by_cell, large } = self;
        let rows = if by_cell.is_empty() { 0..0 } else { ys.clone() };
        let near = rows.flat_map(move |y| xs.clone().filter_map(move |x| by_cell.get(&[x, y])).flatten());
        near.chain(large).filter_map(|key| all.get_key_value(key))
    }
}

impl From<Arc<SolidGrid>> for Floor {
    /// A floor without bodies.
    fn from(grid: Arc<SolidGrid>) -> Self {
        Self { grid, bodies: Arc::default(), one_way: Arc::default() }
    }
}

impl Floor {
    /// The tiles.
    #[must_use]
    pub fn grid(&self) -> &Arc<SolidGrid> {
        &self.grid
    }

    /// Replace the tiles; the bodies stay. Returns the old tiles.
    pub(super) fn set_grid(&mut self, grid: Arc<SolidGrid>) -> Arc<SolidGrid> {
        let is_same_size = grid.tile_size() == self.grid.tile_size();
        let before = std::mem::replace(&mut self.grid, grid);
        if !is_same_size {
            for bodies in [&mut self.bodies, &mut self.one_way] {
                *bodies = Arc::new(Bodies::new(bodies.all.clone(), &self.grid));
            }
        }
        before
    }

    /// Replace the bodies that are solid from every side. Returns the cells of those that were added, removed or changed.
    pub(super) fn set_bodies(&mut self, bodies: BTreeMap<BodyPart, Convex>) -> Vec<CellBox> {
        replace(&mut self.bodies, bodies, &self.grid)
    }

    /// Replace the bodies that are solid only from above. Returns the cells of those that were added, removed or changed.
    pub(super) fn set_one_way_bodies(&mut self, bodies: BTreeMap<BodyPart, Convex>) -> Vec<CellBox> {
        replace(&mut self.one_way, bodies, &self.grid)
    }

    /// The parts of the bodies, placed in the level, in pixels.
    pub(super) fn bodies(&self) -> &BTreeMap<BodyPart, Convex> {
        &self.bodies.all
    }

    /// The cells that bodies cover, one rectangle per part.
    pub(super) fn body_cells(&self) -> impl Iterator<Item = CellBox> {
        self.bodies.all.values().map(|body| cells_of(&self.grid, body))
    }

    /// Itself without the bodies that are solid from every side.
    pub(super) fn opened(&self) -> Self {
        Self { bodies: Arc::default(), ..self.clone() }
    }

    /// Whether these cells hold a partly solid tile or a body: then the width of an agent decides whether it fits
    /// there.
    pub(super) fn has_shapes(&self, cells: &CellBox) -> bool {
        self.grid.has_parts(cells) || self.bodies_in(cells).next().is_some()
    }

    /// The body at a place in pixels, or within a pixel of it.
    pub(in crate::sim) fn body_near(&self, at: Vec2) -> Option<EntityKey> {
        let mut all = self.bodies.all.iter();
        all.find(|(_, body)| meets_convex(at, at, 1.0 + body.radius, &body.points)).map(|((key, _), _)| *key)
    }

    /// The first body, by id, that a disc of this radius (px) meets on a straight line, and the middle of its part there.
    pub(super) fn body_on(&self, from: Vec2, to: Vec2, radius: f32) -> Option<(EntityKey, Vec2)> {
        let mut all = self.bodies.all.iter();
        let met = all.find(|(_, body)| meets_convex(from, to, radius + body.radius, &body.points));
        met.map(|((key, _), body)| (*key, (body.aabb().lo + body.aabb().hi) / 2.0))
    }

    /// A place within a body that an upright box overlaps, in the middle of where it does; in pixels.
    pub(super) fn body_in(&self, lo: Vec2, hi: Vec2) -> Option<Vec2> {
        let cells = cells_between(&self.grid, lo, hi);
        let both = |body: &Convex| {
            let around = body.aabb();
            let (lo, hi) = (lo.max(around.lo), hi.min(around.hi));
            lo.cmplt(hi).all().then(|| lo.midpoint(hi))
        };
        let all = self.bodies_in(&cells).filter_map(|body| both(body).map(|at| (at, body)));
        let within = all.filter(|(at, body)| meets_convex(*at, *at, body.radius + LEAST_RADIUS, &body.points));
        within.map(|(at, _)| at).min_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)))
    }

    /// Whether a place is inside a body, and not inside a tile.
    pub(in crate::sim) fn is_in_body(&self, at: Vec2) -> bool {
        self.has_bodies() && self.grid.is_clear(at, at, LEAST_RADIUS) && !self.is_open(at)
    }

    /// Whether there are any bodies.
    pub(super) fn has_bodies(&self) -> bool {
        !self.bodies.all.is_empty()
    }

    /// How far the bodies at a place extend from it, in cells.
    pub(super) fn cells_around(&self, pos: Vec2) -> i32 {
        let [x, y] = self.grid.cell_at(pos);
        let here = [x..x.saturating_add(1), y..y.saturating_add(1)];
        let sides = self
            .bodies_in(&here)
            .map(|body| cells_of(&self.grid, body).map(|range| range.end.saturating_sub(range.start)));
        sides.map(|[w, h]| w.max(h)).max().unwrap_or(0)
    }

    /// The bodies in these cells that are solid from every side; may contain duplicates.
    pub(super) fn bodies_in(&self, cells: &CellBox) -> impl Iterator<Item = &Convex> {
        self.bodies.within(cells)
    }

    /// The bodies in these cells on which a walker may stand, and whether they are solid only from above; may contain
    /// duplicates.
    pub(super) fn ground_bodies_in(&self, cells: &CellBox) -> impl Iterator<Item = (&Convex, bool)> {
        let one_way = self.one_way.within(cells).map(|body| (body, true));
        self.bodies.within(cells).map(|body| (body, false)).chain(one_way)
    }

    /// Whether there are any bodies on which a walker may stand.
    pub(super) fn has_ground_bodies(&self) -> bool {
        self.has_bodies() || !self.one_way.all.is_empty()
    }

    /// The radius of the largest disc that fits at a place, at most `most`, in pixels.
    pub(in crate::sim) fn room_at(&self, at: Vec2, most: f32) -> f32 {
        let (mut fits, mut meets) = (0.0, most);
        for _ in 0..N_HALVINGS {
            let middle = f32::midpoint(fits, meets);
            if self.is_clear(at, at, middle) { fits = middle } else { meets = middle }
        }
        fits
    }

    /// The width of the passage at a place: the least distance between what is solid on two opposite sides of it,
    /// each within `most` pixels, and the place in the middle between these. `None` if there are no such sides, or
    /// something solid is there.
    pub(super) fn across(&self, at: Vec2, most: f32) -> Option<(f32, Vec2)> {
        let free = |dir: Vec2| {
            let is_free = |far: f32| self.is_clear(at, at + dir * far, LEAST_RADIUS);
            if is_free(most) {
                return None;
            }
            let (mut free, mut meets) = (0.0, most);
            for _ in 0..N_HALVINGS {
                let middle = f32::midpoint(free, meets);
                if is_free(middle) { free = middle } else { meets = middle }
            }
            Some(free)
        };
        if !self.is_open(at) {
            return None;
        }
        let mut least: Option<(f32, Vec2)> = None;
        for i in 0..N_ACROSS {
            let dir = Vec2::from_angle(f32::from(i) * std::f32::consts::PI / f32::from(N_ACROSS));
            let Some((ahead, behind)) = free(dir).zip(free(-dir)) else { continue };
            // Of equally narrow directions the first, so that rounding does not decide.
            if least.is_none_or(|(width, _)| ahead + behind < width - TOUCH_PX) {
                let middle = at + dir * (ahead - behind) / 2.0;
                least = Some((ahead + behind, (middle * PLACES_PER_PX).round() / PLACES_PER_PX));
            }
        }
        least
    }

    /// Whether a disc of this radius (px) fits into the passage at a place where an agent found no way through: then only
    /// the grid of cells keeps it out. At the goal of the path, it fits there or half a cell beside it.
    pub(crate) fn is_wide_enough(&self, at: Vec2, goal: Vec2, radius: f32) -> bool {
        if at.distance(goal) <= 1.0 {
            return self.has_room_about(at, radius);
        }
        self.is_clear(at, at, (radius - TOUCH_PX).max(0.0))
    }

    /// Whether a place is inside nothing solid.
    #[must_use]
    pub fn is_open(&self, at: Vec2) -> bool {
        self.is_clear(at, at, LEAST_RADIUS)
    }

    /// Whether there is an open place within `reach` pixels of a place.
    pub(crate) fn has_open_near(&self, at: Vec2, reach: f32) -> bool {
        places_around(at, reach).any(|place| self.is_open(place))
    }

    /// The place nearest to `at`, within `reach` pixels and to the precision of a pixel, where a disc of this radius
    /// (px) has room: `at` itself if it has. Nothing solid is between the two, and the disc can slide there straight
    /// from `disc_at`.
    pub(in crate::sim) fn room_near(&self, at: Vec2, (disc_at, radius): (Vec2, f32), reach: f32) -> Option<Vec2> {
        let fits = |place: &Vec2| {
            self.is_clear(*place, *place, radius)
                && self.is_clear(at, *place, LEAST_RADIUS)
                && self.is_clear(disc_at, *place, radius)
        };
        places_around(at, reach).find(fits)
    }

    /// Whether a disc of this radius (px) has room at a place or half a cell beside it.
    fn has_room_about(&self, at: Vec2, radius: f32) -> bool {
        let side = self.grid.tile_size();
        let shares = [0.0, -0.25, 0.25, -0.5, 0.5];
        let mut places = shares.into_iter().flat_map(|share| [Vec2::X, Vec2::Y].map(|axis| at + axis * side * share));
        places.any(|place| self.is_clear(place, place, radius))
    }

    /// The place nearest to one (px) where a disc of this radius (px) has room inside the level: itself, or the middle of
    /// a cell at most `reach` cells away along each axis. `None` if there is none.
    #[must_use]
    pub fn nearest_clear(&self, at: Vec2, radius: f32, reach: i32) -> Option<Vec2> {
        let grid = &self.grid;
        let has_room =
            |at: &Vec2| grid.contains(grid.cell_at(*at)) && self.is_open(*at) && self.is_clear(*at, *at, radius);
        if has_room(&at) {
            return Some(at);
        }
        let [x, y] = grid.cell_at(at);
        let cells = (-reach..=reach)
            .flat_map(|dy| (-reach..=reach).map(move |dx| [x.saturating_add(dx), y.saturating_add(dy)]));
        let middles = cells.map(|cell| grid.center(cell)).filter(has_room);
        middles.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)))
    }

    /// The entities whose bodies are solid at a place.
    pub(super) fn bodies_at(&self, at: Vec2) -> BTreeSet<EntityKey> {
        let cells = cells_between(&self.grid, at, at);
        let here = self.bodies.parts_within(&cells);
        let here = here.filter(|(_, body)| meets_convex(at, at, body.radius, &body.points));
        here.map(|((key, _), _)| *key).collect()
    }

    /// The bounding box of all parts of the bodies at a place, in pixels; `None` if there is none.
    pub(super) fn bounds_at(&self, at: Vec2) -> Option<Aabb> {
        let own = self.bodies_at(at);
        let parts = own.into_iter().flat_map(|key| self.bodies.all.range((key, 0)..=(key, usize::MAX)));
        parts.map(|(_, body)| body.aabb()).reduce(Aabb::union)
    }

    /// Itself without the bodies at a place.
    pub(super) fn without_bodies_at(&self, at: Vec2) -> Self {
        let own = self.bodies_at(at);
        let others = self.bodies.all.iter().filter(|((key, _), _)| !own.contains(key));
        let others = others.map(|(key, body)| (*key, body.clone())).collect();
        Self { bodies: Arc::new(Bodies::new(others, &self.grid)), ..self.clone() }
    }

    /// Whether nothing solid is on the straight line between two points but some bodies, such as those at its start.
    pub(super) fn is_clear_but(&self, but: &BTreeSet<EntityKey>, from: Vec2, to: Vec2) -> bool {
        let cells = cells_between(&self.grid, from, to);
        let mut others = self.bodies.parts_within(&cells).filter(|((key, _), _)| !but.contains(key));
        self.grid.is_clear(from, to, 0.0) && !others.any(|(_, body)| meets_convex(from, to, body.radius, &body.points))
    }

    /// Whether a disc of this radius (px) can slide straight from one point to the other.
    #[must_use]
    pub fn is_clear(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        if !self.grid.is_clear(from, to, radius) {
            return false;
        }
        if !self.has_bodies() {
            return true;
        }
        let reach = Vec2::splat(radius.max(0.0));
        let cells = cells_between(&self.grid, from.min(to) - reach, from.max(to) + reach);
        let meets = |body: &Convex| meets_convex(from, to, radius + body.radius, &body.points);
        let n = cells.iter().map(|range| i64::from(range.end) - i64::from(range.start)).fold(1, i64::saturating_mul);
        // A long line passes more cells than there are bodies.
        if usize::try_from(n).is_ok_and(|n| n <= 4 * self.bodies.all.len()) {
            !self.bodies_in(&cells).any(meets)
        } else {
            !self.bodies.all.values().any(meets)
        }
    }
}

/// The cells that a body covers.
fn cells_of(grid: &SolidGrid, body: &Convex) -> CellBox {
    let around = body.aabb();
    cells_between(grid, around.lo, around.hi)
}

/// The cells of the upright box that has these corners, in pixels.
fn cells_between(grid: &SolidGrid, a: Vec2, b: Vec2) -> CellBox {
    let (lo, hi) = (grid.cell_at(a.min(b)), grid.cell_at(a.max(b)));
    [0, 1].map(|i| lo[i]..hi[i].saturating_add(1))
}

/// Replace bodies. Returns the cells of those that were added, removed or changed.
fn replace(bodies: &mut Arc<Bodies>, new: BTreeMap<BodyPart, Convex>, grid: &SolidGrid) -> Vec<CellBox> {
    let keys: BTreeSet<BodyPart> = new.keys().chain(bodies.all.keys()).copied().collect();
    let pairs = keys.iter().map(|key| [bodies.all.get(key), new.get(key)]).filter(|[old, new]| old != new);
    let changed: Vec<CellBox> =
        pairs.flat_map(|pair| pair.into_iter().flatten().map(|it| cells_of(grid, it))).collect();
    if !changed.is_empty() {
        *bodies = Arc::new(Bodies::new(new, grid));
    }
    changed
}

/// A place, then those on rings around it, nearest first, within `reach` pixels and about a pixel apart.
fn places_around(at: Vec2, reach: f32) -> impl Iterator<Item = Vec2> {
    let n_rings = reach.ceil().clamp(1.0, MAX_RINGS);
    let next = move |ring: &f32| (*ring < n_rings).then_some(ring + 1.0);
    let rings = std::iter::successors(Some(1.0), next).map(move |ring| reach * ring / n_rings);
    let angle = |i: u8| f32::from(i) * std::f32::consts::TAU / f32::from(RING_PLACES);
    let around = rings.flat_map(move |far| (0..RING_PLACES).map(move |i| at + Vec2::from_angle(angle(i)) * far));
    std::iter::once(at).chain(around)
}
