//! Links from a ledge to others: jumps and drops, found by simulating their flights.
//!
//! Invariant: links depend on the floor and the walker alone; the cells that they depend on are stored with them.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use crate::{model::Cell, sim::physics::stop_px};

use super::{
    super::floor::CellBox,
    AirTarget, Floor, How, ON_TARGET_PX, STANDING_SPEED, Upright,
    corner::{self, Rolled},
    exact,
    flight::{self, Landing, Start},
    graph::{Ledge, Ledges, Link, Links},
    ground::corner as corner_of,
    stand::{MIN_FOOTING, Stand},
};

/// How far down a jump aims, in pixels; falls may be deeper.
const DEEP_PX: f32 = 256.0;
/// The greatest distance at which a jump is tried, in cells.
const MAX_FAR: i32 = 40;
/// Distances from an edge at which jumps are tried, in turn: columns back, and a share of a column ahead.
const TAKE_OFFS: [(i32, f32); 9] =
    [(0, 0.0), (1, 0.0), (1, 0.5), (2, 0.0), (3, 0.0), (4, 0.0), (6, 0.0), (8, 0.0), (0, 0.4)];
/// How far beyond the corner of a ledge the middle of a round foot may be when it jumps, as a share of its radius: the
/// walker is still on the ground there, and the corner slows it down little.
const BEYOND: f32 = 0.3;
/// The share of its speed that it has there, rounded down.
const BEYOND_SPEED: f32 = 0.95;
/// Spacing of vertical jumps and drops along a ledge, in columns.
const VERTICAL_LINK_SPACING: usize = 3;
/// How a walker may begin a jump into an opening: its distance from the take-off, as a share of that covered in a tick,
/// and the share of its speed.
const PHASES: [[f32; 2]; 6] = [[0.0, 1.0], [-1.0, 1.0], [-0.5, 1.0], [0.5, 1.0], [1.0, 1.0], [0.0, 0.93]];
/// The greatest distance of an opening for which jumps are simulated exactly, in columns.
const OPENING_COLUMNS: f32 = 2.5;
/// The most room above a place in an opening, in pixels.
const MOST_LOW_ROOM_PX: f32 = 128.0;
/// Heights of jumps that stay below a ceiling, as shares of the room there.
const LOW_JUMPS: [f32; 2] = [0.7, 0.4];
/// Cost of a jump or fall besides its time, in pixels of walking: walking is preferred.
const JUMP_COST_PX: f32 = 8.0;
/// The least share of its speed with which a walker may leave the end of a ledge.
const CORNER_SPEED: f32 = 0.75;
/// How a round foot may arrive at the corner of a ledge: share of its speed, and its distance before the corner at the
/// start of a tick, as a share of the distance covered in a tick.
const ROLLS: [(f32, f32); 6] =
    [(1.0, 0.0), (1.0, 0.25), (1.0, 0.5), (1.0, 0.75), (CORNER_SPEED, 0.0), (CORNER_SPEED, 0.5)];
/// Share of the radius of a round foot by which it may pass a corner sooner than a flat foot.
const ROUND_CUT: f32 = 0.5;
/// Offsets from a place in shares of a column, tried in turn, at which a jump straight up may begin; and the step of the
/// search for what is beside it there, in pixels.
const ASIDE: [f32; 7] = [0.0, -0.25, 0.25, -0.5, 0.5, -1.0, 1.0];
const SHAFT_STEP_PX: f32 = 0.5;
/// Free space beside a body that drops through an opening, in pixels: the most that is used, and the least required.
const MOST_ROOM_PX: f32 = 4.0;
const LEAST_ROOM_PX: f32 = 0.5;
/// The least free space beside a flat foot, on both sides together, where it lands after a jump from beside, in pixels.
const LEAST_LANDING_ROOM_PX: f32 = 1.0;
/// Least speed over the ground with which a walker leaves a ledge, px/s.
const LEAST_RUN: f32 = 1.0;
/// Steps of the binary search for the end of a ledge within a pixel.
const N_HALVINGS: u32 = 6;
/// Effort of finding the links of a ledge: ticks of simulated flights per expansion, and ticks per cell searched for
/// other ledges. With the built-in budget a tick spends about 4 ms on links.
const TICKS_PER_EXPANSION: u32 = 5;
const TICKS_PER_CELL: u32 = 2;

impl Ledges {
    /// The links from a ledge, and the effort of finding them; ledges that worlds share are copied only if the links
    /// are not known.
    pub(super) fn links_of(self: &mut Arc<Self>, floor: &Floor, id: u32) -> (Arc<[Link]>, u32) {
        match self.links.get(id) {
            Some(known) => (known.links.clone(), 1),
            None => Arc::make_mut(self).links(floor, id),
        }
    }

    fn links(&mut self, floor: &Floor, id: u32) -> (Arc<[Link]>, u32) {
        let Some(ledge) = self.known.get(id).cloned() else { return (Arc::default(), 1) };
        let mut maker = Maker::new(self, floor, id, ledge);
        maker.seams();
        maker.near_ledges();
        maker.falls();
        let n_ticks = maker.n_ticks.saturating_add(maker.n_cells.saturating_mul(TICKS_PER_CELL));
        let (links, area) = (Arc::from(maker.links), maker.area);
        self.links.insert(id, Links { links: Arc::clone(&links), area });
        (links, 1 + n_ticks / TICKS_PER_EXPANSION)
    }
}

/// The ledge on which a flight lands, the cell, and the landing.
type Landed = (u32, Cell, Landing);

/// Finds the links of one ledge.
struct Maker<'a> {
    ledges: &'a mut Ledges,
    floor: &'a Floor,
    id: u32,
    ledge: Arc<Ledge>,
    /// How far it extends to the left and right beyond the middle of its last columns, in pixels.
    ends: [f32; 2],
    links: Vec<Link>,
    /// The cells that the links depend on.
    area: CellBox,
    /// Ticks of the flights that were tried.
    n_ticks: u32,
    /// Cells in which other ledges were looked for.
    n_cells: u32,
}

impl<'a> Maker<'a> {
    fn new(ledges: &'a mut Ledges, floor: &'a Floor, id: u32, ledge: Arc<Ledge>) -> Self {
        let rows = ledge.stands().iter().map(|stand| stand.cell[1]);
        let (top, bottom) = rows.fold((i32::MAX, i32::MIN), |(top, bottom), row| (top.min(row), bottom.max(row)));
        let size = floor.grid().tile_size();
        let walker = &ledges.walker;
        #[expect(clippy::cast_possible_truncation, reason = "a few cells")]
        let cells = |px: f32, side: f32| ((px / side).ceil() as i32).clamp(1, MAX_FAR);
        let far = cells(walker.jump_length(DEEP_PX).unwrap_or(0.0), size.x) + 1;
        let up = cells(walker.jump_height() + walker.rise() + walker.hi.y - walker.lo.y, size.y) + 1;
        let columns = ledge.columns();
        let area = [columns.start - far..columns.end + far, top - up..bottom + cells(DEEP_PX, size.y) + 1];
        let end = |stand: &Stand, side: f32| {
            let steps = std::iter::successors(Some(stand.x), |x| Some(x + side));
            let most = stand.x + side * 0.4 * size.x;
            let is_held = |x: &f32| {
                (x - most) * side <= 0.0
                    && walker.has_room(floor, *x, stand.feet - 1.0)
                    && walker.has_footing(floor, *x, stand.feet)
            };
            steps.take_while(is_held).last().unwrap_or(stand.x)
        };
        let ends = [end(ledge.first(), -1.0), end(ledge.last(), 1.0)];
        Self { ledges, floor, id, ledge, ends, links: Vec::new(), area, n_ticks: 0, n_cells: 0 }
    }

    /// Links where it continues as another ledge: split from it, or beyond a gap narrower than the body.
    fn seams(&mut self) {
        let agent = self.floor.grid().agent(&self.ledges.walker.kind);
        for (from, side) in [(*self.ledge.first(), -1), (*self.ledge.last(), 1)] {
            let beyond = || self.beyond_gap(&from, side, agent);
            if let Some(to) = self.ledges.beside(self.floor, &from, side, agent).or_else(beyond) {
                let walker = &self.ledges.walker;
                let is_against = |belt: f32| belt.signum() != (to.x - from.x).signum() && walker.is_carried_off(belt);
                if is_against(from.belt) || is_against(to.belt) {
                    continue;
                }
                let (a, b) = (walker.origin(from.x, from.feet), walker.origin(to.x, to.feet));
                let cost = (to.x - from.x).abs() * from.cost;
                self.links.push(Link {
                    how: How::Walk,
                    from: a,
                    to: b,
                    air_target: AirTarget::at(b.x),
                    to_cell: to.cell,
                    cost,
                    arc: Arc::from([a, b]),
                });
            }
        }
    }

    /// The place beyond a gap that the walker passes on foot, because the body is wider than the gap.
    fn beyond_gap(&self, from: &Stand, side: i32, agent: Option<usize>) -> Option<Stand> {
        let (walker, [column, row]) = (&self.ledges.walker, from.cell);
        #[expect(clippy::cast_possible_truncation, reason = "a few cells")]
        let far = ((walker.hi.x - walker.lo.x) / self.floor.grid().tile_size().x).ceil().clamp(0.0, 8.0) as i32 + 1;
        let next = (2..=far).find_map(|n| walker.stand(self.floor, [column + side * n, row], agent));
        next.filter(|to| walker.spans(self.floor, from, to))
    }

    /// Jumps and drops to every ledge nearby.
    fn near_ledges(&mut self) {
        let [columns, rows] = self.area.clone();
        let mut near: BTreeMap<Cell, u32> = BTreeMap::new();
        for cell in rows.flat_map(|row| columns.clone().map(move |column| [column, row])) {
            self.n_cells += 1;
            if let Some((other, _)) = self.ledges.ledge_at(self.floor, cell).filter(|(other, _)| *other != self.id)
                && let Some(ledge) = self.ledges.ledge(other)
            {
                near.insert(ledge.first().cell, other);
            }
        }
        for other in near.into_values() {
            let Some(ledge) = self.ledges.ledge(other).cloned() else { continue };
            self.vertical_jumps(&ledge, other);
            self.sideways(&ledge, other, 1);
            self.sideways(&ledge, other, -1);
        }
    }

    /// Vertical links: up through one-way ground, and down through it.
    fn vertical_jumps(&mut self, other: &Ledge, id: u32) {
        let (mine, theirs) = (self.ledge.columns(), other.columns());
        let both = mine.start.max(theirs.start)..mine.end.min(theirs.end);
        let last = both.end - 1;
        let mut n_since = VERTICAL_LINK_SPACING;
        for column in both {
            n_since += 1;
            if n_since < VERTICAL_LINK_SPACING && column != last {
                continue;
            }
            let (Some((_, from)), Some((_, to))) = (self.ledge.at(column), other.at(column)) else { continue };
            let (from, to) = (*from, *to);
            let at = self.ledges.walker.origin(from.x, from.feet);
            let is_made = if to.feet < from.feet && to.one_way {
                let vel = Vec2::new(0.0, -self.ledges.walker.spec.jump_speed);
                self.try_flight(
                    How::Jump { run: 0.0, up: self.ledges.walker.spec.jump_speed },
                    at,
                    &[Start { pos: at, vel, target: AirTarget::at(from.x), cut_px: 0.0 }],
                    Some(id),
                )
            } else if to.feet > from.feet && from.one_way {
                self.drop_through(&from, id)
            } else {
                false
            };
            if is_made {
                n_since = 0;
            }
        }
    }

    /// Drop down through one-way ground.
    fn drop_through(&mut self, from: &Stand, id: u32) -> bool {
        let Some(x) = self.opening(from) else { return false };
        let at = self.ledges.walker.origin(x, from.feet);
        let start = Start { pos: at + Vec2::new(0.0, 0.5), vel: Vec2::ZERO, target: AirTarget::at(x), cut_px: 0.0 };
        self.try_flight(How::Through, at, &[start], Some(id))
    }

    /// The nearest horizontal position in pixels at which nothing that is solid from every side holds the body up.
    fn opening(&self, from: &Stand) -> Option<f32> {
        let walker = &self.ledges.walker;
        // It comes to rest a little beside its target.
        let is_open_at = |x: f32| walker.has_opening(self.floor, walker.origin(x, from.feet));
        let is_open = |x: &f32| is_open_at(x - LEAST_ROOM_PX) && is_open_at(x + LEAST_ROOM_PX);
        if is_open(&from.x) {
            return Some(from.x);
        }
        let (index, _) = self.ledge.at(from.cell[0])?;
        let (before, after) = self.ledge.stands().split_at(index);
        let is_one_way = |stand: &&Stand| stand.one_way;
        let first = before.iter().rev().take_while(is_one_way).last().unwrap_or(from);
        let last = after.iter().take_while(is_one_way).last().unwrap_or(from);
        let size = self.floor.grid().tile_size();
        let (left, right) = (corner_of(size, first.cell).x, corner_of(size, last.cell).x + size.x);
        let room = (right - left - (walker.hi.x - walker.lo.x)) / 2.0;
        let room = Some(room.min(MOST_ROOM_PX)).filter(|room| *room > LEAST_ROOM_PX)?;
        Some(from.x.clamp(left - walker.lo.x + room, right - walker.hi.x - room)).filter(is_open)
    }

    /// Jumps onto the near end of a ledge, or drops off this ledge's end onto one below.
    fn sideways(&mut self, other: &Ledge, id: u32, dir: i32) {
        let (mine, theirs) = (self.ledge.columns(), other.columns());
        let (my_end, their_end) = if dir > 0 { (mine.end - 1, theirs.start) } else { (mine.start, theirs.end - 1) };
        // The near end of the other ledge lies beyond some columns of this one.
        let begin = if dir > 0 { my_end.min(their_end - 1) } else { my_end.max(their_end + 1) };
        let ends = self.ledge.at(begin).zip(other.at(their_end)).map(|((_, from), (_, to))| (*from, *to));
        // Aimed farther in, a jump reaches the near end in time; a narrow ledge must be aimed at directly.
        let inner = other.at(their_end + dir).map(|(_, stand)| *stand);
        if let Some((from, to)) = ends {
            if begin == my_end && to.feet > from.feet && self.drop_off(from, dir, to.x, Some(id)) {
                return;
            }
            for (back, ahead) in TAKE_OFFS {
                let Some((_, from)) = self.ledge.at(begin - dir * back) else { continue };
                let Some(from) = self.ahead(from, dir, ahead) else { continue };
                if inner.into_iter().chain([to]).any(|to| self.jump(from, dir, &to, id, 1.0)) {
                    return;
                }
            }
            if inner.into_iter().chain([to]).any(|to| self.jump_upright(&from, &to, id)) {
                return;
            }
        }
        // Off this ledge's end, and back under it if necessary.
        let end = self.ledge.at(my_end).map(|(_, stand)| *stand);
        let column = (my_end + dir).clamp(theirs.start, theirs.end - 1);
        if let (Some(from), Some((_, to))) = (end, other.at(column))
            && to.feet > from.feet
        {
            let target_x = to.x;
            if self.drop_off(from, dir, target_x, Some(id)) {
                return;
            }
        }
        // Where all else fails, off the very end.
        if let Some((_, to)) = ends.filter(|_| begin == my_end)
            && let Some(from) = end.and_then(|end| self.beyond(end, dir))
        {
            _ = inner.into_iter().chain([to]).any(|to| self.jump(from, dir, &to, id, BEYOND_SPEED));
        }
    }

    /// The last place beyond this ledge's end at which a walker with a round foot surely still stands when it jumps.
    fn beyond(&self, end: Stand, dir: i32) -> Option<Stand> {
        let walker = &self.ledges.walker;
        let side = if dir > 0 { 1.0 } else { -1.0 };
        // It may jump half a tick late.
        let late = walker.spec.speed * walker.dt_secs / 2.0;
        let beyond = BEYOND.min(walker.spec.steepest().y) * walker.foot_radius - late;
        if beyond <= 0.0 || end.belt != 0.0 {
            return None;
        }
        let edge = self.edge_beyond(walker.origin(end.x, end.feet), side)?;
        let middle_x = f32::midpoint(walker.lo.x, walker.hi.x);
        let (x, feet) = (self.corner_x(edge, side) - middle_x + side * beyond, edge.y + walker.hi.y);
        walker.has_room(self.floor, x, feet).then_some(Stand { x, feet, ..end })
    }

    /// The place a share of a column farther on; `None` if the walker cannot stand there.
    fn ahead(&self, from: &Stand, dir: i32, share: f32) -> Option<Stand> {
        if share == 0.0 {
            return Some(*from);
        }
        let side = if dir > 0 { share } else { -share };
        let x = from.x + side * self.floor.grid().tile_size().x;
        let walker = &self.ledges.walker;
        let feet = self.floor.top([x, x], [from.feet - 1.0, from.feet + 1.0])?.y;
        let belt = walker.belt(self.floor, walker.origin(x, feet));
        walker.has_room(self.floor, x, feet).then_some(Stand { x, feet, belt, ..*from })
    }

    /// Drops off both ends, wherever they land.
    fn falls(&mut self) {
        let width = self.floor.grid().tile_size().x;
        for (from, dir) in [(*self.ledge.first(), -1), (*self.ledge.last(), 1)] {
            let side = if dir > 0 { 1.0 } else { -1.0 };
            self.drop_off(from, dir, from.x + side * 1.5 * width, None);
        }
    }

    /// A jump to a side with as much run-up as there is room for, else from standing. `share` is how much of its speed it
    /// has as it jumps; with less than all of it, it does not jump from standing.
    fn jump(&mut self, from: Stand, dir: i32, to: &Stand, id: u32, share: f32) -> bool {
        let walker = &self.ledges.walker;
        let far = (to.x - from.x).abs();
        let width = self.floor.grid().tile_size().x;
        if walker.jump_length(to.feet - from.feet + walker.rise()).is_none_or(|length| length + width < far) {
            return false;
        }
        let side = if dir > 0 { 1.0 } else { -1.0 };
        let begin = self.ends[usize::from(dir < 0)];
        // On a slope it runs along the slope; the jump has its own upward speed.
        let along = walker.tangent(self.floor, &from) * side;
        // A belt adds to its speed; on one that is too fast it neither turns nor stands still.
        let (belt, is_carried) = (from.belt * side, walker.is_carried_off(from.belt));
        if is_carried && belt < 0.0 {
            return false;
        }
        let full = walker.speed_after((from.x - begin) * side) * along.x.abs() + belt;
        let may_stand = !is_carried && share >= 1.0;
        let runs = [full, 0.0].into_iter().filter(|run| *run > LEAST_RUN || *run == 0.0 && may_stand);
        let pos = walker.origin(from.x, from.feet);
        let off = (full * walker.dt_secs).max(1.0);
        let try_jump = |maker: &mut Self, run: f32, up: f32| {
            let starts = [-off, off].map(|off| Start {
                pos: maker.on_ground(pos + Vec2::new(off * side, 0.0), off.abs()),
                vel: Vec2::new(run * share * side, -up),
                target: AirTarget::at(to.x),
                cut_px: 0.0,
            });
            let starts = maker.with_round_foot(&starts);
            maker.try_flight(How::Jump { run: run * side, up }, pos, &starts, Some(id))
        };
        let full_up = walker.spec.jump_speed;
        if runs.clone().any(|run| try_jump(self, run, full_up)) {
            return true;
        }
        let Some(room) = self.room_under_ceiling(from.feet, to) else { return false };
        let lower = self.low_jumps(from.feet, to, room);
        if lower.iter().any(|up| runs.clone().any(|run| try_jump(self, run, *up))) {
            return true;
        }
        // Exact simulation is slow, and jumps from farther away seldom get into an opening.
        if far > OPENING_COLUMNS * width {
            return false;
        }
        // At whichever moment of its last tick, and at whichever speed, it takes off, it must get in. With a wall right
        // ahead it cannot take a run-up.
        let mut ups = std::iter::once(full_up).chain(lower);
        ups.any(|up| {
            runs.clone().any(|run| {
                let starts = PHASES.map(|[phase, speed]| {
                    let aside = off * phase;
                    let pos = self.on_ground(pos + Vec2::new(aside * side, 0.0), aside.abs());
                    Start {
                        pos,
                        vel: Vec2::new(run * share * speed * side, -up),
                        target: AirTarget::at(to.x),
                        cut_px: 0.0,
                    }
                });
                let open = self.with_room(&starts);
                (run == 0.0 || open.len() == starts.len())
                    && self.try_exactly(How::Jump { run: run * side, up }, pos, &open, id)
            })
        })
    }

    /// A jump straight up and then aside onto a ledge above: out of a narrow pit, or through a narrow hole.
    fn jump_upright(&mut self, from: &Stand, to: &Stand, id: u32) -> bool {
        let walker = &self.ledges.walker;
        let (height, far) = (from.feet - to.feet, (to.x - from.x).abs());
        let is_near = far <= OPENING_COLUMNS * self.floor.grid().tile_size().x;
        if height <= 0.0 || !is_near || !walker.jumps_as_high(height) || walker.is_carried_off(from.belt) {
            return false;
        }
        let Some(x) = self.shaft(from, to.feet) else { return false };
        let (pos, full) = (walker.origin(x, from.feet), walker.spec.jump_speed);
        let target = AirTarget { x: to.x, first: Some(Upright { x, until_y: walker.origin(x, to.feet).y }) };
        let low = self.room_under_ceiling(from.feet, to).map(|room| self.low_jumps(from.feet, to, room));
        std::iter::once(full).chain(low.into_iter().flatten()).any(|up| {
            let starts = [-1.0, 0.0, 1.0].map(|side| Start {
                pos: self.on_ground(pos + Vec2::new(side * ON_TARGET_PX, 0.0), ON_TARGET_PX),
                vel: Vec2::new(side * STANDING_SPEED, -up),
                target,
                cut_px: 0.0,
            });
            let (how, open) = (How::Jump { run: 0.0, up }, self.with_room(&starts));
            let all = self.with_round_foot(&open);
            self.try_flight(how, pos, &all, Some(id)) || self.try_exactly(how, pos, &open, id)
        })
    }

    /// The horizontal position in pixels, near a place on this ledge, where nothing is above the walker until its feet are
    /// at a height: in the middle between what is beside it there.
    fn shaft(&self, from: &Stand, feet: f32) -> Option<f32> {
        let (walker, width) = (&self.ledges.walker, self.floor.grid().tile_size().x);
        let is_clear = |x: f32| {
            self.floor.is_box_clear(walker.origin(x, feet) + walker.lo, walker.origin(x, from.feet) + walker.hi)
        };
        let x = ASIDE.iter().map(|share| from.x + share * width).find(|x| is_clear(*x))?;
        let room = |side: f32| {
            let steps = std::iter::successors(Some(0.0), |px| Some(px + SHAFT_STEP_PX));
            steps.take_while(|px| *px <= MOST_ROOM_PX && is_clear(x + side * px)).last().unwrap_or(0.0)
        };
        let x = x + (room(1.0) - room(-1.0)) / 2.0;
        let stands = || self.floor.top([x, x], [from.feet - 1.0, from.feet + 1.0]).is_some();
        (x == from.x || stands()).then_some(x)
    }

    /// Those of the starts where the walker has room.
    fn with_room(&self, starts: &[Start]) -> Vec<Start> {
        starts.iter().filter(|start| self.ledges.walker.has_room_at(self.floor, start.pos)).copied().collect()
    }

    /// The room above a walker on a place, in pixels, if there is any, and a ceiling that a full jump onto it from
    /// ground at `feet` would rise above.
    fn room_under_ceiling(&self, feet: f32, to: &Stand) -> Option<f32> {
        let walker = &self.ledges.walker;
        let up = feet - to.feet;
        if up <= 0.0 {
            return None;
        }
        let most = (walker.jump_height() - up - 1.0).min(MOST_LOW_ROOM_PX);
        let rooms = std::iter::successors(Some(0.0), |room| Some(room + 1.0)).take_while(|room| *room <= most);
        let room = rooms.take_while(|room| walker.has_room(self.floor, to.x, to.feet - room)).last()?;
        (room >= 1.0 && room < most).then_some(room)
    }

    /// Upward speeds (px/s) of jumps onto a place with so much room under a ceiling (px) that stay below the ceiling:
    /// a full jump may rise past the opening. Empty for walkers that cannot jump less high.
    fn low_jumps(&self, feet: f32, to: &Stand, room: f32) -> Vec<f32> {
        let spec = &self.ledges.walker.spec;
        if spec.jump_cut >= 1.0 {
            return Vec::new();
        }
        let speeds = LOW_JUMPS.map(|share| self.ledges.walker.speed_to(feet - to.feet + room * share));
        speeds.into_iter().filter(|speed| *speed >= spec.jump_speed * spec.jump_cut).collect()
    }

    /// The walker's position on the ground under it, which on a slope may be a little higher or lower.
    fn on_ground(&self, pos: Vec2, aside: f32) -> Vec2 {
        let walker = &self.ledges.walker;
        let feet = pos.y + walker.hi.y;
        let steep = aside * walker.spec.steepest_rise() + 0.1;
        let top = self.floor.top([pos.x + walker.lo.x, pos.x + walker.hi.x], [feet - steep, feet + steep]);
        Vec2::new(pos.x, top.map_or(feet, |top| top.y) - walker.hi.y)
    }

    /// The same flights, and those of a round foot, which leaves corners below it sooner.
    fn with_round_foot(&self, starts: &[Start]) -> Vec<Start> {
        let cut_px = ROUND_CUT * self.ledges.walker.foot_radius;
        let round = starts.iter().filter(|_| cut_px > 0.0).map(|start| Start { cut_px, ..*start });
        starts.iter().copied().chain(round).collect()
    }

    /// A drop off the end without a jump, fast or slow.
    fn drop_off(&mut self, from: Stand, dir: i32, target_x: f32, id: Option<u32>) -> bool {
        let walker = self.ledges.walker.clone();
        let side = if dir > 0 { 1.0 } else { -1.0 };
        let pos = walker.origin(from.x, from.feet);
        let Some(edge) = self.edge_beyond(pos, side) else { return false };
        let full = self.ledges.walker.spec.speed;
        for run in [full, 0.35 * full] {
            // Speed over the ground; a belt adds to it.
            let pace = run + from.belt * side;
            if pace <= LEAST_RUN {
                continue;
            }
            let starts = if walker.foot_radius > 0.0 {
                self.rolled_off(edge, side, pace, target_x)
            } else {
                let late =
                    Start { pos: edge, vel: Vec2::new(pace * side, 0.0), target: AirTarget::at(target_x), cut_px: 0.0 };
                // A walker whose feet are narrower than its body falls sooner.
                let vel = Vec2::new(CORNER_SPEED * pace * side, 0.0);
                let (fallen, down) = walker.fallen((walker.hi.x - walker.lo.x) / 2.0, vel.x.abs());
                let early = Start { pos: edge + Vec2::new(0.0, fallen), vel: vel + Vec2::new(0.0, down), ..late };
                vec![late, early]
            };
            if self.try_flight(How::Drop { run: run * side }, pos, &starts, id) {
                return true;
            }
        }
        false
    }

    /// The ways a walker with a round foot may leave an edge, which depend on its position before the corner at the
    /// start of a tick; empty if it may stay on the edge.
    fn rolled_off(&self, edge: Vec2, side: f32, run: f32, target_x: f32) -> Vec<Start> {
        let walker = &self.ledges.walker;
        let corner = Vec2::new(self.corner_x(edge, side), edge.y + walker.hi.y);
        let middle_x = f32::midpoint(walker.lo.x, walker.hi.x);
        let target_px = (target_x + middle_x - corner.x) * side;
        let starts = ROLLS.iter().map(|(pace, share)| {
            let run = run * pace;
            let Rolled { middle, vel } = corner::roll(walker, run, run * walker.dt_secs * share, target_px)?;
            let foot = corner + Vec2::new(side * middle.x, middle.y + walker.foot_radius);
            let pos = foot - Vec2::new(middle_x, walker.hi.y);
            Some(Start { pos, vel: Vec2::new(vel.x * side, vel.y), target: AirTarget::at(target_x), cut_px: 0.0 })
        });
        starts.collect::<Option<_>>().unwrap_or_default()
    }

    /// The end of the ground that a walker at `edge` has just left: its horizontal position in pixels.
    fn corner_x(&self, edge: Vec2, side: f32) -> f32 {
        let walker = &self.ledges.walker;
        let behind = if side > 0.0 { walker.lo.x } else { walker.hi.x };
        let feet = edge.y + walker.hi.y;
        let (mut on, mut off) = (edge.x + behind - side, edge.x + behind);
        for _ in 0..N_HALVINGS {
            let middle = f32::midpoint(on, off);
            let is_on = self.floor.top([middle, middle], [feet - 1.0, feet + 1.0]).is_some();
            if is_on { on = middle } else { off = middle }
        }
        on
    }

    /// The position at which a walker that moves on to a side has no ground left under it.
    fn edge_beyond(&self, from: Vec2, side: f32) -> Option<Vec2> {
        let walker = &self.ledges.walker;
        let most = (walker.hi.x - walker.lo.x) + self.floor.grid().tile_size().x;
        let rise = walker.spec.steepest_rise() + 0.5;
        let mut at = from;
        while (at.x - from.x).abs() <= most {
            let feet = at.y + walker.hi.y;
            let near = [feet - rise, feet + walker.spec.step_height.max(1.0)];
            let Some(top) = self.floor.top([at.x + walker.lo.x, at.x + walker.hi.x], near) else { return Some(at) };
            at.y = top.y - walker.hi.y;
            at.x += side;
            if !self.floor.is_box_clear(at + walker.lo, at + walker.hi - Vec2::new(0.0, rise)) {
                return None;
            }
        }
        None
    }

    /// Add a link if all flights land on the same ledge: the given one, if one is given. Those that meet the corner
    /// of a ceiling or the edge of ground are simulated exactly as well.
    fn try_flight(&mut self, how: How, from: Vec2, starts: &[Start], id: Option<u32>) -> bool {
        let mut found = None;
        let mut meets_corner = false;
        for start in starts {
            let landing = flight::fly(self.floor, &self.ledges.walker, *start, &mut self.n_ticks);
            meets_corner |= landing.as_ref().is_some_and(|landing| landing.met_corner);
            if !self.lands(landing, &mut found, id) {
                return false;
            }
        }
        if meets_corner && self.ledges.walker.outline.is_some() && !self.flies_exactly(starts, &mut found, id) {
            return false;
        }
        self.add(how, from, starts, found, id)
    }

    /// The same with exact simulations alone.
    fn try_exactly(&mut self, how: How, from: Vec2, starts: &[Start], id: u32) -> bool {
        let mut found = None;
        self.flies_exactly(starts, &mut found, Some(id)) && self.add(how, from, starts, found, Some(id))
    }

    /// Whether all flights, simulated exactly, land on the same ledge; and where.
    fn flies_exactly(&mut self, starts: &[Start], found: &mut Option<Landed>, id: Option<u32>) -> bool {
        let beyond = exact::reach_px(&self.ledges.walker);
        starts.iter().filter(|start| start.cut_px == 0.0).all(|start| {
            let landing = exact::fly(self.floor, &self.ledges.walker, *start, &mut self.n_ticks);
            if let Some(landing) = &landing {
                self.cover(&landing.arc, beyond);
            }
            self.lands(landing, found, id)
        })
    }

    /// Whether a flight lands where the walker can stay: on the ledge of another one that was `found`, or the given
    /// one, but not on this one.
    fn lands(&mut self, landing: Option<Landing>, found: &mut Option<Landed>, id: Option<u32>) -> bool {
        let Some(landing) = landing else { return false };
        self.cover(&landing.arc, 0.0);
        let feet = landing.pos.y + self.ledges.walker.hi.y;
        let cell = self.ledges.walker.cell_of(self.floor, landing.pos.x, feet, MIN_FOOTING);
        let Some((cell, (to, _))) = cell.and_then(|cell| Some((cell, self.ledges.ledge_at(self.floor, cell)?))) else {
            return false;
        };
        if to == self.id || id.is_some_and(|id| id != to) || found.as_ref().is_some_and(|(id, ..)| *id != to) {
            return false;
        }
        let can_stop = self.can_stop(to, &landing);
        *found = Some((to, cell, landing));
        can_stop
    }

    /// Add a link by where its flights landed.
    fn add(&mut self, how: How, from: Vec2, starts: &[Start], found: Option<Landed>, id: Option<u32>) -> bool {
        let Some((to, to_cell, landing)) = found else { return false };
        let is_aside = (landing.pos.x - from.x).abs() >= LEAST_LANDING_ROOM_PX;
        if matches!(how, How::Jump { .. }) && is_aside && !self.has_room_to_land(landing.pos) {
            return false;
        }
        let side = |how: How| match how {
            How::Jump { run, .. } | How::Drop { run } => run.partial_cmp(&0.0),
            How::Walk | How::Through => None,
        };
        let is_known = |link: &Link| self.ledges.known_at(link.to_cell) == Some(to) && side(link.how) == side(how);
        // Skip a fall to a ledge that another link already reaches.
        if id.is_none() && self.links.iter().any(is_known) {
            return false;
        }
        // Off an edge it falls from there, not from where it stands.
        let edge = starts.first().map(|start| start.pos).filter(|_| matches!(how, How::Drop { .. }));
        let length = (landing.secs * self.ledges.walker.spec.speed).max((landing.pos.x - from.x).abs());
        self.links.push(Link {
            how,
            from,
            to: landing.pos,
            air_target: starts.first().map_or(AirTarget::at(landing.pos.x), |start| start.target),
            to_cell,
            cost: length + JUMP_COST_PX,
            arc: std::iter::once(from).chain(edge).chain(landing.arc).collect(),
        });
        true
    }

    /// Whether a place leaves a flat foot a pixel of room from side to side: with less, a jump from beside seldom gets in.
    fn has_room_to_land(&self, at: Vec2) -> bool {
        let walker = &self.ledges.walker;
        let is_free = |aside: f32| walker.has_room_at(self.floor, at + Vec2::new(aside, -1.0));
        let (whole, half) = (LEAST_LANDING_ROOM_PX, LEAST_LANDING_ROOM_PX / 2.0);
        walker.foot_radius > 0.0 || is_free(-whole) || is_free(whole) || is_free(-half) && is_free(half)
    }

    /// Whether a walker that has landed on a ledge stops before it runs over the ledge's end.
    fn can_stop(&self, ledge: u32, landing: &Landing) -> bool {
        let walker = &self.ledges.walker;
        let deceleration = walker.spec.deceleration();
        let Some(ledge) = self.ledges.known.get(ledge).filter(|_| deceleration > 0.0) else { return true };
        let rest = landing.pos.x + stop_px(landing.vel_x, deceleration);
        let (end, side) = if landing.vel_x < 0.0 { (ledge.first(), -1.0) } else { (ledge.last(), 1.0) };
        let beyond = end.x + side * 0.5 * self.floor.grid().tile_size().x;
        // Ground that is no tile may end within its last column.
        let is_on_end = || {
            (rest - beyond) * side <= 0.0
                && ((rest - end.x) * side <= 0.0 || walker.has_footing(self.floor, rest, end.feet))
        };
        // Unless the ledge ends at a wall.
        is_on_end() || !walker.has_room(self.floor, beyond, end.feet - 1.0)
    }

    /// The links must be recomputed when a cell along this arc, or so many pixels beside it, changes.
    fn cover(&mut self, arc: &[Vec2], beyond: f32) {
        let (grid, walker) = (self.floor.grid(), &self.ledges.walker);
        for pos in arc {
            let (lo, hi) = (grid.cell_at(*pos + walker.lo - beyond), grid.cell_at(*pos + walker.hi + beyond));
            for i in 0..2 {
                self.area[i].start = self.area[i].start.min(lo[i] - 1);
                self.area[i].end = self.area[i].end.max(hi[i] + 2);
            }
        }
    }
}
