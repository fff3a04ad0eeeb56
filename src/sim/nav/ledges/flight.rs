//! Simulates a jump or fall among tiles, tick by tick, up to its landing.
//!
//! Invariant: the body never overlaps anything solid. A wall removes the speed toward it and a ceiling the upward
//! speed, as in `sim::physics`.

use glam::Vec2;

use super::{AirTarget, Floor, walker::Walker};

/// A fall that lasts longer is dropped, in seconds.
const MAX_SECS: f32 = 5.0;
/// Number of ticks between two points of an arc, as drawn.
const DRAWN_TICKS: usize = 3;
/// Distance between the places beside a corner that are tried, in pixels.
const ASIDE_PX: f32 = 0.5;
/// How much more upright than the steepest ground the normal has to be for a landing on a corner, as a cosine: a foot
/// that meets the corner in another phase of its ticks glides off it.
pub(super) const SURE: f32 = 0.12;

/// The start of a flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Position of the walker's origin, in pixels.
    pub(super) pos: Vec2,
    pub(super) vel: Vec2,
    pub(super) target: AirTarget,
    /// Height by which the body's lower end is shortened, in pixels: a round foot passes corners sooner than the box
    /// around it.
    pub(super) cut_px: f32,
}

/// The landing of a flight, and its arc.
#[derive(Clone, Debug)]
pub(super) struct Landing {
    /// Position of the walker's origin on landing, in pixels.
    pub(super) pos: Vec2,
    /// Horizontal speed at the landing, to the right, px/s.
    pub(super) vel_x: f32,
    pub(super) secs: f32,
    /// Whether the corner of a ceiling stopped it, or it landed on the edge of ground with the edge of its foot: a round
    /// outline may be moved aside there, see `exact`.
    pub(super) met_corner: bool,
    /// Positions of the origin along the flight, the first and last included, in pixels.
    pub(super) arc: Vec<Vec2>,
}

/// A flight so far.
pub(super) struct Course {
    /// The left top and right bottom corners of the level, in pixels.
    level: [Vec2; 2],
    n_ticks: usize,
    secs: f32,
    arc: Vec<Vec2>,
}

impl Course {
    pub(super) fn new(floor: &Floor, at: Vec2) -> Self {
        let (lo, hi) = floor.grid().bounds();
        let level = [lo, hi].map(|cell| super::ground::corner(floor.grid().tile_size(), cell));
        Self { level, n_ticks: 0, secs: 0.0, arc: vec![at] }
    }

    /// A tick begins.
    pub(super) fn tick(&mut self, dt_secs: f32) {
        self.n_ticks += 1;
        self.secs += dt_secs;
    }

    /// Whether the flight goes on after a tick that ends at a place: within the level, and for no longer than flights may
    /// take.
    pub(super) fn goes_on(&mut self, pos: Vec2) -> bool {
        if self.n_ticks.is_multiple_of(DRAWN_TICKS) {
            self.arc.push(pos);
        }
        let [left_top, right_bottom] = self.level;
        let is_out = pos.x < left_top.x || pos.x > right_bottom.x || pos.y > right_bottom.y;
        !is_out && self.secs <= MAX_SECS
    }

    pub(super) fn land(mut self, pos: Vec2, vel_x: f32, met_corner: bool) -> Landing {
        self.arc.push(pos);
        Landing { pos, vel_x, secs: self.secs, met_corner, arc: self.arc }
    }
}

/// Simulate a flight until it lands; `None` if it leaves the level or takes too long. Adds its ticks to `n_ticks`.
pub(super) fn fly(floor: &Floor, walker: &Walker, start: Start, n_ticks: &mut u32) -> Option<Landing> {
    let Start { mut pos, mut vel, target, cut_px } = start;
    let foot = walker.hi - Vec2::new(0.0, cut_px);
    let is_clear = |pos: Vec2| floor.is_box_clear(pos + walker.lo, pos + foot);
    let mut course = Course::new(floor, pos);
    let mut met_corner = false;
    loop {
        *n_ticks += 1;
        course.tick(walker.dt_secs);
        let dir = walker.steer_in_air(pos.x, vel.x, target.column(pos.y));
        let (after, way) = walker.fly(vel, dir);
        vel = after;
        let beside = pos + Vec2::new(way.x, 0.0);
        if way.x != 0.0 && is_clear(beside) {
            pos = beside;
        } else {
            vel.x = 0.0;
        }
        let feet = pos.y + walker.hi.y;
        if way.y < 0.0 {
            let above = pos + Vec2::new(0.0, way.y);
            if is_clear(above) {
                pos = above;
            } else {
                vel.y = 0.0;
                met_corner = met_corner || is_past_corner_beside(walker, above, is_clear);
            }
        } else if let Some(top) = floor.top([pos.x + walker.lo.x, pos.x + walker.hi.x], [feet - cut_px, feet + way.y]) {
            met_corner = met_corner || is_on_edge(floor, walker, pos.x, [feet - cut_px, top.y]);
            pos.y = top.y - walker.hi.y;
            return Some(course.land(pos, vel.x, met_corner));
        } else {
            pos.y += way.y;
        }
        if !course.goes_on(pos) {
            return None;
        }
    }
}

/// Whether a round foot that lands at a place meets only the edge of ground between these heights: beside its middle by so
/// much that it may glide off.
fn is_on_edge(floor: &Floor, walker: &Walker, x: f32, [above, below]: [f32; 2]) -> bool {
    let steepest = walker.spec.steepest().x + SURE;
    let reach = walker.foot_radius * (1.0 - steepest * steepest).max(0.0).sqrt();
    let middle = x + f32::midpoint(walker.lo.x, walker.hi.x);
    walker.foot_radius > 0.0 && floor.top([middle - reach, middle + reach], [above, below + 1.0]).is_none()
}

/// Whether the body is past the corner of a ceiling that its head meets at a place above, if it moves aside by as much
/// as a walker may be moved there: a round head glides off a corner that is more beside than above it, and heads are
/// corrected by some pixels.
fn is_past_corner_beside(walker: &Walker, above: Vec2, is_clear: impl Fn(Vec2) -> bool) -> bool {
    let most = walker.spec.corner_correction.max(walker.foot_radius);
    let offs = std::iter::successors(Some(ASIDE_PX), |off| Some(off + ASIDE_PX)).take_while(|off| *off <= most);
    let mut places = offs.flat_map(|off| [off, -off]).map(|off| above + Vec2::new(off, 0.0));
    places.any(is_clear)
}
