//! Simulates a jump with the outline of the body, for openings and corners of ceilings: a round head glides off a
//! corner, or under it, and a round foot rolls onto a ledge, where a box would be stopped.
//!
//! Invariant: the body moves, slides and is corrected at corners as a walker in the air is in `sim::physics`, but for
//! seams between one-way tiles, at which it may land sooner, and the mouths of holes exactly as wide as a round foot,
//! through which it does not fall. That takes longer than `flight`, which is enough for all
//! other jumps. Bodies of several parts have no such simulation.

use glam::Vec2;

use super::{
    AirTarget, Floor,
    flight::{Course, Landing, SURE, Start},
    ground::corner,
    walker::Walker,
};
use crate::sim::physics::{
    SKIN,
    convex::{Aabb, Convex, ROUNDING, around, cast, difference, distance},
    corner::{around_corner, beside_corner, meets_ceiling},
};

/// Effort of a tick, in ticks of `flight`.
const COST: u32 = 8;
/// The most deflections in a tick.
const MAX_SLIDES: usize = 6;
/// One-way ground stops only where the vertical share of its normal is greater than this.
const LANDS: f32 = 0.5;
/// Distance between the places that are tested along a passage, and how much of it is tested at least, in pixels.
const SQUEEZE_STEP: f32 = 0.5;
const SQUEEZE_AHEAD: f32 = 1.0;
/// How much nearer than the skin solids may be where a passage is just as high as the body, in pixels.
const SQUEEZE: f32 = SKIN * 1.25;

/// Something solid, as seen by the origin of the body.
struct Solid {
    core: Vec<Vec2>,
    around: Aabb,
    /// The sum of both rounding radii, in pixels.
    reach: f32,
    one_way: bool,
}

/// A body in flight.
struct Body<'a> {
    floor: &'a Floor,
    walker: &'a Walker,
    outline: &'a Convex,
    at: Vec2,
    vel: Vec2,
    solids: Vec<Solid>,
}

/// How far around the body solids are looked for, in pixels.
pub(super) fn reach_px(walker: &Walker) -> f32 {
    2.0 * walker.foot_radius + walker.spec.corner_correction + 2.0
}

/// Simulate a jump until it lands; `None` if it leaves the level, takes too long, or the body has several parts. Adds its
/// effort to `n_ticks`.
pub(super) fn fly(floor: &Floor, walker: &Walker, start: Start, n_ticks: &mut u32) -> Option<Landing> {
    let outline = walker.outline.as_ref()?;
    let skin = Vec2::new(0.0, SKIN);
    let mut body = Body { floor, walker, outline, at: start.pos - skin, vel: start.vel, solids: Vec::new() };
    let mut course = Course::new(floor, start.pos);
    loop {
        *n_ticks = n_ticks.saturating_add(COST);
        course.tick(walker.dt_secs);
        let landed = body.tick(start.target);
        let pos = body.at + skin;
        if let Some(normal) = landed {
            let is_on_corner = body.is_on_corner(pos);
            if is_on_corner && -normal.y < walker.spec.steepest().x + SURE {
                return None;
            }
            let pos = if is_on_corner { body.above_corner(pos, normal) } else { pos };
            return Some(course.land(pos, body.vel.x, false));
        }
        if !course.goes_on(pos) {
            return None;
        }
    }
}

impl Body<'_> {
    /// Move for a tick. Returns the normal of the ground if it lands.
    fn tick(&mut self, target: AirTarget) -> Option<Vec2> {
        let began = self.vel;
        let dir = self.walker.steer_in_air(self.at.x, self.vel.x, target.column(self.at.y));
        let (vel, mut motion) = self.walker.fly(self.vel, dir);
        self.vel = vel;
        self.gather(motion);
        let mut walls: Vec<Vec2> = Vec::new();
        for _ in 0..MAX_SLIDES {
            let Some((share, normal, reach)) = self.cast(self.at, motion) else {
                self.at += motion;
                return None;
            };
            self.at += motion * share;
            motion *= 1.0 - share;
            if self.round_corner(normal, &mut motion, began) || self.pass_beside(normal, reach, &mut motion) {
                continue;
            }
            if -normal.y >= self.walker.spec.steepest().x - 1e-4 {
                return Some(normal);
            }
            if normal.y > 0.0 && self.fits_through(motion) {
                self.at += motion;
                return None;
            }
            self.vel -= normal * self.vel.dot(normal).min(0.0);
            motion -= normal * motion.dot(normal).min(0.0);
            if motion == Vec2::ZERO {
                return None;
            }
            if walls.iter().any(|wall| motion.dot(*wall) < -1e-4 * motion.length()) {
                let dir = motion.normalize_or_zero();
                self.vel -= dir * self.vel.dot(dir).max(0.0);
                return None;
            }
            walls.push(normal);
        }
        None
    }

    /// Find what is solid near a motion.
    fn gather(&mut self, motion: Vec2) {
        let Self { floor, walker, outline, at, solids, .. } = self;
        let reach = Aabb { lo: *at + walker.lo, hi: *at + walker.hi }.swept(motion).grown(reach_px(walker));
        let grid = floor.grid();
        let (first, last) = (grid.cell_at(reach.lo), grid.cell_at(reach.hi));
        solids.clear();
        let mut add = |points: &[Vec2], radius: f32, one_way: bool| {
            let (mut core, reach) = (Vec::new(), radius + outline.radius);
            difference(points, &outline.points, &mut core);
            solids.push(Solid { around: around(core.iter().copied()).grown(reach), core, reach, one_way });
        };
        for cell in (first[1]..=last[1]).flat_map(|row| (first[0]..=last[0]).map(move |column| [column, row])) {
            let (kind, at) = (grid.cell(cell), corner(grid.tile_size(), cell));
            if kind.full {
                add(&Convex::rect(at, at + grid.tile_size()).points, 0.0, false);
            }
            for piece in &kind.pieces {
                let points: Vec<Vec2> = piece.points.iter().map(|point| *point + at).collect();
                add(&points, 0.0, piece.one_way);
            }
        }
        let cells = [0, 1].map(|i| first[i]..last[i].saturating_add(1));
        floor.ground_bodies_in(&cells).for_each(|(body, one_way)| add(&body.points, body.radius, one_way));
    }

    /// What stops a motion from a place first: the share of the motion, the normal, and the sum of both radii.
    fn cast(&self, from: Vec2, motion: Vec2) -> Option<(f32, Vec2, f32)> {
        let swept = Aabb { lo: from, hi: from }.swept(motion).grown(2.0 * SKIN);
        let mut first: Option<(f32, Vec2, f32)> = None;
        for solid in self.solids.iter().filter(|solid| solid.around.meets(swept)) {
            let Some((share, normal)) = cast(&solid.core, solid.reach + SKIN, from, motion) else { continue };
            let is_in = || distance(&solid.core, from).0 < solid.reach - ROUNDING;
            if solid.one_way && (normal.y >= -LANDS || is_in()) {
                continue;
            }
            if first.is_none_or(|(least, ..)| share < least) {
                first = Some((share, normal, solid.reach));
            }
        }
        first
    }

    fn is_free(&self, from: Vec2, motion: Vec2) -> bool {
        self.cast(from, motion).is_none()
    }

    /// Move around the corner of a ceiling that stopped it, if possible. Returns whether it was.
    fn round_corner(&mut self, normal: Vec2, motion: &mut Vec2, began: Vec2) -> bool {
        if !meets_ceiling(*motion, normal) {
            return false;
        }
        let start = (self.at, began, self.walker.spec.corner_correction);
        let ways = (Vec2::NEG_Y, [Vec2::X, Vec2::NEG_X]);
        let Some((place, side)) = around_corner(start, ways, |from, motion| self.is_free(from, motion)) else {
            return false;
        };
        self.at = place;
        self.vel -= side * self.vel.dot(side).min(0.0);
        *motion -= side * motion.dot(side).min(0.0);
        true
    }

    /// Move a round head back from a corner that it meets more from beside than from below. Returns whether it was one.
    fn pass_beside(&mut self, normal: Vec2, reach: f32, motion: &mut Vec2) -> bool {
        if motion.y >= 0.0 {
            return false;
        }
        let met = (self.at, normal, reach);
        let Some((place, away)) = beside_corner(met, |from, motion| self.is_free(from, motion)) else { return false };
        self.at = place;
        self.vel -= away * self.vel.dot(away).min(0.0);
        motion.x = if motion.x * away.x < 0.0 { 0.0 } else { motion.x };
        true
    }

    /// Whether a motion leads between solids exactly as far apart as the body is wide.
    fn fits_through(&self, motion: Vec2) -> bool {
        let Some(dir) = motion.try_normalize() else { return false };
        let length = motion.length().max(SQUEEZE_AHEAD);
        let swept = Aabb { lo: self.at, hi: self.at }.swept(dir * length).grown(SKIN);
        let n_steps = (length / SQUEEZE_STEP).ceil().max(1.0);
        let mut solids = self.solids.iter().filter(|solid| !solid.one_way && solid.around.meets(swept));
        solids.all(|solid| {
            let steps = std::iter::successors(Some(0.0), |step| (*step < n_steps).then_some(step + 1.0));
            let mut places = steps.map(|step| self.at + dir * (length * step / n_steps));
            places.all(|at| distance(&solid.core, at).0 >= solid.reach - SQUEEZE)
        })
    }

    /// Whether a round foot that touches something stands on a corner alone, with nothing below its middle.
    fn is_on_corner(&self, pos: Vec2) -> bool {
        let feet = pos.y + self.walker.hi.y;
        let below = || self.floor.top([pos.x, pos.x], [feet - 1.0, feet + self.walker.rise() + 1.0]);
        self.outline.radius > 0.0 && below().is_none()
    }

    /// Where it stands after a landing on a corner with this normal: its round foot walks up until it is above the corner.
    fn above_corner(&self, pos: Vec2, normal: Vec2) -> Vec2 {
        let foot = Vec2::new(f32::midpoint(self.walker.lo.x, self.walker.hi.x), self.walker.hi.y - self.outline.radius);
        let touched = pos + foot - normal * self.outline.radius;
        Vec2::new(touched.x - foot.x, touched.y - self.walker.hi.y)
    }
}
