//! The legs of a path over ledges, and a walker's progress along them.
//!
//! Invariant: a walker in the air is on one leg, and begins the next only from the ledge that the leg leads to. Paths
//! are found by `sim::nav`.

use std::sync::Arc;

use glam::Vec2;

use crate::sim::nav::{How, Leg};

/// Height difference beyond which a landing is on another ledge, in pixels.
const SAME_LEDGE_PX: f32 = 10.0;

/// After this many run-ups on a leg it jumps at any speed.
pub(super) const MAX_BACKED: u32 = 2;

/// A path over ledges, with the progress on its present leg.
#[derive(Clone, Debug, Default)]
pub(super) struct Legs {
    path: Arc<[Leg]>,
    at: usize,
    /// Whether it has left the ground on this leg.
    pub(super) is_flying: bool,
    /// The place (px) where it left the ground other than planned: it was pushed off, or ran too far.
    fell_from: Option<Vec2>,
    /// Whether it has jumped for a goal above the end of its path.
    pub(super) is_reaching: bool,
    /// Whether it moves back for a run-up.
    pub(super) is_backing: bool,
    /// How often it moved back for a run-up on this leg.
    pub(super) n_backed: u32,
}

/// The most legs that are remembered as failed.
const MOST_FAILED: usize = 64;
/// How long a leg that failed too often is left out, in seconds: the obstacle may be gone then. Falls that are farther
/// apart are independent.
const AVOID_SECS: f64 = 30.0;
/// The time for a link is doubled up to this failure.
const MOST_DOUBLED: u32 = 8;
/// Distance from the planned place within which leaving the ground counts as planned, in pixels.
const AS_PLANNED_PX: f32 = 3.0;
/// Misses over all legs, beyond `jump_tries`, after which it reports `Missed` though other legs are left.
const SPARE_MISSES: u32 = 2;
/// Distance between the ends of jumps that lead to the same place, in pixels.
const SAME_LANDING_PX: f32 = 32.0;
/// Distance within which the starts of hops count as the same place, in pixels.
const SAME_HOP_PX: f32 = 8.0;

/// Legs that a walker missed, with counts, and links that lead into walls, so that it does not try the same for ever.
#[derive(Clone, Debug, Default)]
pub(super) struct Tries {
    failed: Vec<Failed>,
    /// The ticks of the landings at other places than planned since it last overcame such a jump or reached its goal: a
    /// place may be missed from many take-offs.
    missed: Vec<u64>,
}

/// A leg whose end the walker did not reach.
#[derive(Clone, Debug)]
struct Failed {
    ends: [Vec2; 2],
    n: u32,
    /// The tick of the last failure.
    tick: u64,
    /// Whether it is a link that leads into a wall, which needs no further tries.
    is_link: bool,
}

impl Failed {
    /// Whether it was a drop or jump, and not a fall off the ground.
    fn is_jump(&self) -> bool {
        self.ends[0] != self.ends[1]
    }

    fn is_recent(&self, tick: u64, hz: f64) -> bool {
        let doubled = if self.is_link { self.n.clamp(1, MOST_DOUBLED) - 1 } else { 0 };
        is_within(f64::from(1_u32 << doubled) * AVOID_SECS, (self.tick, tick), hz)
    }
}

/// Whether two ticks are at most so many seconds apart.
fn is_within(secs: f64, (from, to): (u64, u64), hz: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a day has few ticks")]
    let n_ticks = to.saturating_sub(from) as f64;
    n_ticks <= secs * hz
}

/// Identity of a leg, for tries and progress: its start and end; for a leg on foot, which may start anywhere, the end
/// twice.
pub(super) fn ends_of(leg: &Leg) -> [Vec2; 2] {
    if leg.how == How::Walk { [leg.to; 2] } else { [leg.from, leg.to] }
}

/// Identity of the part of a leg on foot: up to the take-off, or to its end if it is all on foot.
fn on_foot(leg: &Leg) -> [Vec2; 2] {
    [foot_end(leg); 2]
}

/// Where the part of a leg on foot ends: its take-off, or its end if it is all on foot, in pixels.
pub(super) fn foot_end(leg: &Leg) -> Vec2 {
    if leg.how == How::Walk { leg.to } else { leg.from }
}

/// Whether a walker that left the ground without a jump and landed has only moved on along its leg: at most a tile
/// lower or higher, and farther in its direction of motion.
pub(super) fn is_hop(leg: &Leg, from: Vec2, to: Vec2, tile_px: f32) -> bool {
    let way = match leg.how {
        How::Drop { run } => run,
        How::Walk | How::Jump { .. } | How::Through => foot_end(leg).x - from.x,
    };
    (to.y - from.y).abs() <= tile_px + AS_PLANNED_PX && (to.x - from.x) * way > 0.0
}

impl Tries {
    /// Count a landing at another place than the leg's end. Returns whether it has now missed more often than it may,
    /// whichever legs it was.
    pub(super) fn fail(&mut self, leg: &Leg, tick: u64, Limits { most, hz }: Limits) -> bool {
        self.succeed_at(on_foot(leg));
        self.fail_at(ends_of(leg), tick);
        self.missed.retain(|missed| is_within(AVOID_SECS, (*missed, tick), hz));
        self.missed.push(tick);
        self.missed.len() >= most.saturating_add(SPARE_MISSES) as usize
    }

    /// How often it has missed lately.
    fn n_missed(&self, tick: u64, hz: f64) -> u32 {
        let lately = self.missed.iter().filter(|missed| is_within(AVOID_SECS, (**missed, tick), hz));
        u32::try_from(lately.count()).unwrap_or(u32::MAX)
    }

    /// Forget the misses: it has reached its goal, or has another one.
    pub(super) fn forget_misses(&mut self) {
        self.missed.clear();
    }

    /// Count a fall off the ground on the leg. Returns how often it fell within the last [`AVOID_SECS`].
    pub(super) fn fall(&mut self, leg: &Leg, tick: u64, Limits { hz, .. }: Limits) -> u32 {
        let ends = on_foot(leg);
        self.failed.retain(|failed| failed.ends != ends || failed.is_recent(tick, hz));
        self.fail_at(ends, tick)
    }

    /// Count a hop: the ground fell away under it at `from`, and it landed farther on. Returns how often there within
    /// the last [`AVOID_SECS`].
    pub(super) fn hop(&mut self, from: Vec2, tick: u64, Limits { hz, .. }: Limits) -> u32 {
        let place = (from / SAME_HOP_PX).round() * SAME_HOP_PX;
        self.failed.retain(|failed| failed.ends != [place; 2] || failed.is_recent(tick, hz));
        self.fail_at([place; 2], tick)
    }

    /// Count a failure. Returns the count.
    fn fail_at(&mut self, ends: [Vec2; 2], tick: u64) -> u32 {
        let before = self.failed.iter().position(|failed| failed.ends == ends).map(|i| self.failed.remove(i));
        let n = before.map_or(1, |before| before.n.saturating_add(1));
        if self.failed.len() >= MOST_FAILED {
            self.failed.remove(0);
        }
        self.failed.push(Failed { ends, n, tick, is_link: false });
        n
    }

    /// Leave out a link from now on, twice as long each time.
    pub(super) fn leave_out(&mut self, ends: [Vec2; 2], tick: u64) {
        self.fail_at(ends, tick);
        // The latest failure is the last one.
        self.failed.last_mut().into_iter().for_each(|failed| failed.is_link = true);
    }

    /// Forget failures of a leg whose end was reached.
    pub(super) fn succeed(&mut self, leg: &Leg) {
        // What leads to about the same place as a jump that it missed.
        let is_overcome = |failed: &Failed| failed.is_jump() && failed.ends[1].distance(leg.to) <= SAME_LANDING_PX;
        if self.failed.iter().any(is_overcome) {
            self.missed.clear();
        }
        self.succeed_at(on_foot(leg));
        self.succeed_at(ends_of(leg));
    }

    fn succeed_at(&mut self, ends: [Vec2; 2]) {
        self.failed.retain(|failed| failed.ends != ends);
    }

    /// Starts and ends of the legs and links that are to be left out now, in pixels.
    pub(super) fn avoided(&self, tick: u64, Limits { most, hz }: Limits) -> Vec<[Vec2; 2]> {
        // After as many misses of several legs, one try on each is enough.
        let most = if self.n_missed(tick, hz) >= most { 1 } else { most };
        // A search can leave out a jump, but not the ground.
        let is_left_out =
            |failed: &&Failed| (failed.is_link || failed.n >= most && failed.is_jump()) && failed.is_recent(tick, hz);
        self.failed.iter().filter(is_left_out).map(|failed| failed.ends).collect()
    }

    /// The end of the failed drop or jump that starts at a place, in pixels.
    pub(super) fn end_of(&self, from: Vec2) -> Option<Vec2> {
        let jumps = self.failed.iter().rev().filter(|failed| failed.is_jump());
        jumps.map(|failed| failed.ends).find(|[at, _]| *at == from).map(|[_, to]| to)
    }

    /// Bits for the world's hash.
    pub(super) fn digest(&self) -> u64 {
        let failed =
            self.failed.iter().fold(0, |sum: u64, failed| sum.rotate_left(7) ^ failed.tick ^ u64::from(failed.n) << 48);
        self.missed.iter().fold(failed, |sum, missed| sum.rotate_left(5) ^ missed)
    }
}

/// The limits that decide when a leg has failed too often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The number of tries.
    pub(super) most: u32,
    /// Ticks per second.
    pub(super) hz: f64,
}

impl Legs {
    /// Begin another path. Run-ups for its first leg, if that is the present one, keep their count, or they might have
    /// no end.
    pub(super) fn begin(&mut self, legs: &[Leg]) {
        let is_same = |(now, next): &(&Leg, &Leg)| now.how == next.how && ends_of(now) == ends_of(next);
        let n_backed = self.now().zip(legs.first()).filter(is_same).map_or(0, |_| self.n_backed);
        *self = Self { path: legs.into(), n_backed, ..Self::default() };
    }

    /// The present leg.
    pub(super) fn now(&self) -> Option<&Leg> {
        self.path.get(self.at)
    }

    /// Record that it has left the ground without a jump.
    pub(super) fn leave(&mut self, pos: Vec2) {
        let is_planned = self.now().is_some_and(|leg| match leg.how {
            How::Walk | How::Jump { .. } => false,
            How::Drop { .. } => self.left_px(leg, pos) <= AS_PLANNED_PX,
            How::Through => self.left_px(leg, pos) <= AS_PLANNED_PX && pos.y >= leg.from.y - AS_PLANNED_PX,
        });
        (self.is_flying, self.fell_from) = (true, (!is_planned).then_some(pos));
    }

    /// Where it fell off the ground on the leg, in pixels, if it is in the air because of that.
    pub(super) fn fell_from(&self) -> Option<Vec2> {
        self.fell_from
    }

    /// Whether it is on the last leg.
    pub(super) fn is_last(&self) -> bool {
        self.at + 1 >= self.path.len()
    }

    /// The number of turns for a run-up, as far as there may be more.
    pub(super) fn n_run_ups(&self) -> u32 {
        2 * self.n_backed.min(MAX_BACKED + 1) + u32::from(self.is_backing)
    }

    /// Horizontal distance left on the ground of a leg, in pixels: to its end if it is all on foot, else to its
    /// take-off; negative beyond that. For a run-up it moves away from there.
    pub(super) fn left_px(&self, leg: &Leg, pos: Vec2) -> f32 {
        match leg.how {
            How::Walk => (leg.to.x - pos.x).abs(),
            How::Drop { run } => (leg.from.x - pos.x) * run.signum(),
            How::Jump { run, .. } if self.is_backing => (pos.x - leg.from.x) * run.signum(),
            How::Jump { .. } | How::Through => (leg.from.x - pos.x).abs(),
        }
    }

    /// Length of the path that is left from a place, in pixels: straight from the place to the
    /// take-off of the present leg, and on from take-off to landing.
    pub(super) fn left_of_path_px(&self, pos: Vec2) -> f32 {
        let rest = self.path.get(self.at..).unwrap_or_default();
        let ends = rest.iter().flat_map(|leg| [foot_end(leg), leg.to]);
        ends.fold((0.0, pos), |(left, at), next| (left + at.distance(next), next)).0
    }

    /// Record a landing. Returns whether it is at the leg's end; then the next leg is begun, and otherwise the path is
    /// useless.
    pub(super) fn land(&mut self, pos: Vec2, width_px: f32) -> bool {
        let is_on_foot = self.now().is_some_and(|leg| leg.how == How::Walk);
        let is_near = |leg: &Leg| {
            (leg.to.y - pos.y).abs() <= SAME_LEDGE_PX && (is_on_foot || (leg.to.x - pos.x).abs() <= 2.0 * width_px)
        };
        let is_there = self.now().is_some_and(is_near);
        if is_there {
            let at = if is_on_foot { self.at } else { self.at + 1 };
            *self = Self { path: Arc::clone(&self.path), at, ..Self::default() };
        } else {
            *self = Self::default();
        }
        is_there
    }

    /// Record that it is back on the ground that it fell off, and continues its leg.
    pub(super) fn walk_on(&mut self) {
        (self.is_flying, self.fell_from, self.is_reaching) = (false, None, false);
    }

    /// The points still ahead, in pixels.
    pub(super) fn rest(&self) -> Vec<Vec2> {
        let mut rest: Vec<Vec2> = self
            .path
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .flat_map(|leg| leg.way.iter().chain(&leg.arc).copied())
            .collect();
        rest.dedup();
        rest
    }

    /// Bits for the world's hash.
    pub(super) fn digest(&self) -> u64 {
        let flights = u64::from(self.fell_from.is_some()) | u64::from(self.is_reaching) << 1;
        (self.at as u64) << 2 | u64::from(self.is_flying) << 1 | u64::from(self.is_backing) | flights << 48
    }
}
