//! How movers get out of what overlaps them: bodies that moved into them, ground that was put around them, and other
//! movers.
//!
//! Invariant: a push is swept, so it leads through nothing solid; without room the mover stays and may be crushed.

use glam::Vec2;

use super::{BEARS, Near, Push, SKIN, SQUEEZE, Solid, Stop, buried::REST_PX};
use crate::sim::{EntityKey, physics::convex::Aabb};

/// Depth in a solid, the skin included, beyond which a mover is moved out, in pixels.
const LEAST_DEPTH: f32 = SKIN * 0.05;
/// The least distance by which a mover counts as pushed, in pixels.
const LEAST_PUSH: f32 = 1e-3;
/// Rounds of pushing a mover out of the solid it is deepest in, other movers included.
const ROUNDS_AMONG_MOVERS: usize = 4;
/// Rounds after these, without other movers.
const ROUNDS: usize = 3;
/// The most obstacles along which a mover slides in one push.
const MAX_SLIDES: usize = 3;
/// The least and the greatest depth, in pixels, by which a body has to enter a solid to be blocked by it; between them,
/// half its motion in the tick. Resting bodies are a little in each other.
const BLOCKED_PX: (f32, f32) = (2.0 * SKIN, 0.3);
/// Least share of a push that must remain along an obstacle, for the mover to follow the obstacle.
const LEAST_GAIN: f32 = 0.2;

impl Near {
    /// Move out of solids that are too near: bodies that moved into the mover, or ground that was put around it. Static
    /// solids are not entered; without room beside it the mover stays where it is and may be crushed. Its velocity
    /// shows whether it may be rising through one-way ground.
    pub(in crate::sim::physics) fn push_out(&mut self, vel: Vec2) {
        let from = self.at;
        self.take_pushes(vel);
        let (eased, is_out) = self.push_from(vel);
        let pushed = self.at - from - eased;
        self.pushed = if pushed.length() > LEAST_PUSH { pushed } else { Vec2::ZERO };
        if is_out {
            return;
        }
        let pushes = |solid: &Solid| solid.push == Push::Yes && solid.entity.is_some();
        // Bodies push it through no ground: it was put where it has no room, or ground was put around it.
        self.is_in_ground = self.deepest(vel, SQUEEZE + SKIN, false, |solid| solid.entity.is_none()).is_some();
        // What stops a loose body ahead is not known here: only its present place counts.
        let rest = self.deepest(vel, SKIN * 0.75, true, pushes);
        self.is_cornered = rest.is_some();
        let crushing = rest.filter(|(_, depth, _)| *depth > self.crush_depth);
        self.crushed_by = crushing.and_then(|(i, ..)| self.solids[i].entity);
    }

    /// Move as far as other movers were pushed into this one.
    fn take_pushes(&mut self, vel: Vec2) {
        let mut taken = Vec2::ZERO;
        for i in 0..self.solids.len() {
            let solid = &self.solids[i];
            let here = Aabb { lo: self.at, hi: self.at }.grown(SKIN);
            if solid.push != Push::Mover || solid.pushed == Vec2::ZERO || solid.sensor || !solid.around.meets(here) {
                continue;
            }
            let (dist, normal) = self.separation(solid);
            if solid.one_way && !self.is_borne(solid, vel, normal) {
                continue;
            }
            let depth = (solid.reach + SKIN - dist).max(0.0);
            let push = (solid.pushed.dot(normal) - taken.dot(normal).max(0.0)).clamp(0.0, depth);
            self.give_way(i, normal, push);
            taken += normal * push;
        }
    }

    /// Whether one-way ground bears the mover that has this velocity and is in it, with a normal toward the mover.
    fn is_borne(&self, solid: &Solid, vel: Vec2, normal: Vec2) -> bool {
        vel.y > solid.vel.y - 0.01 && self.lands_on(solid, normal) && self.is_outer(solid, self.at, normal)
    }

    /// The rounds of `push_out`. Returns the part of the motion that is due to overlaps with other movers alone, and
    /// whether the mover is out of all solids.
    fn push_from(&mut self, vel: Vec2) -> (Vec2, bool) {
        let (from, mut most, mut among_movers, mut eased) = (self.at, 0.0, 0.0, Vec2::ZERO);
        // Other movers are pushed out as well, so they do not count in the last rounds.
        for round in 0..ROUNDS_AMONG_MOVERS + ROUNDS {
            let counts = |solid: &Solid| round < ROUNDS_AMONG_MOVERS || matches!(solid.push, Push::Yes | Push::Up);
            let Some((i, depth, normal)) = self.deepest(vel, LEAST_DEPTH, false, counts) else { return (eased, true) };
            most = f32::max(most, if round == 0 { depth } else { 0.0 });
            // Out of other movers at a limited speed.
            let is_mover = self.solids[i].push == Push::Mover;
            let limit = self.push_px - among_movers;
            let depth = if is_mover { self.to_middle(depth, normal).min(limit).max(0.0) } else { depth };
            let was = self.at;
            if self.solids[i].entity.is_none() {
                self.at += normal * depth;
            } else if !self.give_way(i, normal, depth) {
                match self.solids[i].push {
                    Push::Yes => self.step_aside(i),
                    Push::Up => self.is_pinned = true,
                    Push::Mover | Push::No => {}
                }
            }
            if is_mover {
                eased += (self.at - was).clamp_length_max(depth);
                among_movers += depth;
            }
        }
        // Between solids as far apart as it is wide, it would only alternate.
        if most <= SQUEEZE + SKIN {
            (self.at, eased) = (from, Vec2::ZERO);
        }
        (eased, false)
    }

    /// How far a mover moves out of another one that it is in by a depth, along a normal: to the middle where it is in
    /// one on the other side as well, between which it would alternate.
    fn to_middle(&self, depth: f32, normal: Vec2) -> f32 {
        let here = Aabb { lo: self.at, hi: self.at }.grown(SKIN);
        let others = self.solids.iter().filter(|solid| solid.push == Push::Mover && !solid.sensor);
        let opposite = others.filter(|solid| solid.around.meets(here)).filter_map(|solid| {
            let (dist, its) = self.separation(solid);
            (its.dot(normal) < -BEARS).then_some(solid.reach + SKIN - dist - solid.expected_px(its, self.at))
        });
        let opposite = opposite.fold(0.0, f32::max);
        if opposite > 0.0 { (depth - opposite) / 2.0 } else { depth }
    }

    /// The solid that the mover is deepest in, by more than `least` px with the skin; the depth, and the direction out
    /// of it. `at_present`: of loose bodies that a platform pushes along, with their present place.
    fn deepest(
        &self,
        vel: Vec2,
        least: f32,
        at_present: bool,
        counts: impl Fn(&Solid) -> bool,
    ) -> Option<(usize, f32, Vec2)> {
        let here = Aabb { lo: self.at, hi: self.at }.grown(SKIN);
        let mut worst: Option<(usize, f32, Vec2)> = None;
        for (i, solid) in self.solids.iter().enumerate() {
            if solid.sensor || solid.push == Push::No || !solid.around.meets(here) || !counts(solid) {
                continue;
            }
            let (dist, normal) = self.separation(solid);
            if solid.one_way && !self.is_borne(solid, vel, normal) || solid.push == Push::Up && normal.y > -BEARS {
                continue;
            }
            let shift = if at_present { solid.ahead.dot(normal) } else { 0.0 };
            let depth = solid.reach + SKIN - dist - shift - solid.expected_px(normal, self.at);
            if depth > least && worst.is_none_or(|(_, most, _)| depth > most) {
                worst = Some((i, depth, normal));
            }
        }
        worst
    }

    /// Distance of the mover from a solid in pixels (below zero inside), and the unit direction out: away from the
    /// nearest side. If the solid is so fast that it has passed over the mover in this tick, or the mover was pushed so
    /// far over another mover, away from the side where the two met instead.
    pub(super) fn separation(&self, solid: &Solid) -> (f32, Vec2) {
        let core = self.core(solid);
        let (dist, normal) = core.distance(self.at);
        // Relative to the solid, the mover comes from where it was before the motion.
        let (from, is_mover) = (solid.shift, solid.push == Push::Mover);
        let shift = if is_mover { from - self.at } else { from };
        if is_mover && !self.is_far(solid, shift) {
            return (dist, normal);
        }
        let is_beside = dist > solid.reach && normal.dot(shift) >= -0.5 * shift.length();
        if shift == Vec2::ZERO || is_beside {
            return (dist, normal);
        }
        let (before, face) = core.distance(from);
        let face = if before > solid.reach {
            core.cast(solid.reach, from, self.at - from).map(|(_, face)| face)
        } else {
            // Pressed before. A crushed mover is let through.
            let is_pressed = solid.reach - before <= self.crush_depth && face.dot(shift) > 0.0;
            is_pressed.then_some(face)
        };
        let Some(face) = face else { return (dist, normal) };
        let farthest = core.points.iter().map(|p| p.dot(face)).fold(f32::NEG_INFINITY, f32::max);
        (self.at.dot(face) - farthest, face)
    }

    /// Whether a motion relative to a solid may lead past its middle.
    pub(super) fn is_far(&self, solid: &Solid, motion: Vec2) -> bool {
        motion.length() + self.crush_depth > solid.half
    }

    /// The first solid that stops a push of the mover by another solid.
    fn stop_push(&self, by: usize, motion: Vec2) -> Option<Stop> {
        let by = &self.solids[by];
        let is_it = |solid: &Solid| solid.from == by.from || by.entity.is_some() && solid.entity == by.entity;
        let stays = |solid: &Solid| solid.mass.is_none() || solid.push == Push::Yes;
        self.cast_among(motion, |solid| !is_it(solid) && solid.push != Push::Mover && stays(solid))
    }

    /// Whether a loose body below flies up so far in a tick of `dt` seconds that there is no room above the mover.
    pub(super) fn will_be_pinned(&self, dt: f32) -> bool {
        self.solids.iter().enumerate().filter(|(_, it)| it.push == Push::Up && !it.sensor).any(|(i, solid)| {
            // One that a platform lifts is where it will be.
            let way = Vec2::new(0.0, (solid.vel.y * dt + solid.rise).min(0.0));
            if way == Vec2::ZERO || !solid.around.swept(way).meets(Aabb { lo: self.at, hi: self.at }) {
                return false;
            }
            let (dist, normal) = self.core(solid).distance(self.at - way);
            let depth = solid.reach - dist;
            depth > 0.0 && normal.y < -BEARS && self.stop_push(i, normal * depth).is_some()
        })
    }

    /// Whether a motion of a few pixels leads into a fixed or kinematic solid other than `but`, and the cosine of the
    /// angle between it and the reverse of the solid's normal is greater than `opposite`.
    pub(in crate::sim::physics) fn is_blocked(&self, motion: Vec2, opposite: f32, but: EntityKey) -> bool {
        let (length, end) = (motion.length(), self.at + motion);
        let there = Aabb { lo: end, hi: end };
        // Not by the side of the next piece of a floor that it is a little in.
        let aside = motion.perp().normalize_or_zero() * REST_PX;
        self.solids.iter().any(|solid| {
            if solid.sensor || solid.one_way || solid.push != Push::Yes || solid.mass.is_some() {
                return false;
            }
            if solid.entity == Some(but) || !solid.around.meets(there) {
                return false;
            }
            let core = self.core(solid);
            [Vec2::ZERO, aside, -aside].into_iter().all(|aside| {
                let (dist, normal) = core.distance(end + aside);
                let depth = (solid.reach - dist).min(core.distance(self.at + aside).0 - dist);
                depth > (length / 2.0).clamp(BLOCKED_PX.0, BLOCKED_PX.1) && -normal.dot(motion) > opposite * length
            })
        })
    }

    /// Move out of a solid, sliding along obstacles. Returns whether there was room.
    fn give_way(&mut self, by: usize, normal: Vec2, depth: f32) -> bool {
        let mut motion = normal * depth;
        for _ in 0..MAX_SLIDES {
            let Some(stop) = self.stop_push(by, motion) else {
                self.at += motion;
                return true;
            };
            self.at += motion * stop.share;
            let rest = motion * (1.0 - stop.share);
            let along = rest - stop.normal * rest.dot(stop.normal);
            // Farther along an oblique obstacle, to gain the same distance.
            let (wanted, gained) = (rest.dot(normal), along.dot(normal));
            if gained <= wanted * LEAST_GAIN {
                return false;
            }
            motion = along * (wanted / gained);
        }
        false
    }

    /// Move out of a solid by its nearest free side that is within the crush depth.
    fn step_aside(&mut self, by: usize) {
        let solid = &self.solids[by];
        let mut ways = [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y].map(|way| {
            let side =
                self.core(solid).points.iter().map(|p| (*p - self.at).dot(way)).fold(f32::NEG_INFINITY, f32::max);
            (side + solid.reach + SKIN, way)
        });
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        let near = ways.into_iter().filter(|(far, _)| *far <= self.crush_depth);
        let free = near.map(|(far, way)| way * far).find(|motion| self.stop_push(by, *motion).is_none());
        self.at += free.unwrap_or_default();
    }
}
