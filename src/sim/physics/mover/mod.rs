//! Collide and slide for walkers and flyers: cast the mover's shape among the solids nearby (`gather`), slide along them,
//! push loose bodies.
//!
//! Each solid is kept as its Minkowski difference with the mover's shape, so moving is moving a point. The mover keeps
//! a distance of [`SKIN`] from every solid, which lets it glide over seams. Invariant: a mover never ends a move inside
//! a solid that it was outside of before, except for bodies that move into it, which push it out. The wanted motion is
//! decided in `walk`, how it is pushed in `push_out`, how it leaves ground that was put around it in `buried`; the movers
//! move one after another in `turns`.
//!
//! Source: Fauerby, "Improved collision detection and response" (2003), for collide and slide.

mod buried;
mod gather;
mod in_solver;
mod met;
mod push_out;
mod queue;
mod rest;
mod turns;

use glam::Vec2;

use crate::sim::{EntityKey, limits};

use super::{
    Other, Physics, Pose, WalkInput,
    body::{Body, Motion},
    convex::{Aabb, Convex, Core, ROUNDING, around, difference, normal},
    index::Index,
    touch::Found,
};

pub(super) use met::Met;
pub(super) use rest::Rest;

/// Distance that a mover keeps from every solid, in pixels.
pub(in crate::sim) const SKIN: f32 = 1.0 / 32.0;

/// Tolerance for passages exactly as wide as the mover, in pixels: standing on one side, it is off center by the skin.
const SQUEEZE: f32 = SKIN * 1.25;
/// Free distance required ahead before it enters a passage without clearance, in pixels.
const SQUEEZE_AHEAD: f32 = 1.0;
/// Least share of its motion for which a mover in front of a passage slides on instead of squeezing in.
const LEAST_SLIDE: f32 = 0.5;
/// Distance between the places that are tested along a passage, in pixels.
const SQUEEZE_STEP: f32 = 0.5;

/// Distance below which bodies touch, in pixels.
const NEAR: f32 = 0.1;

/// One-way ground stops movers only where its normal's vertical share is greater than this.
const LANDS: f32 = 0.5;

/// A loose body bears a walker, and does not collide with it in the solver, where its normal's vertical share is greater
/// than this: a slope of 60°, the same for all walkers, since the solver does not know them.
pub(super) const BEARS: f32 = 0.5;

/// Pieces of one-way ground that are no farther apart continue each other, in pixels.
const JOINED: f32 = 0.01;

/// The most deflections of one move; it ends where it is then.
const MAX_SLIDES: usize = 5;

/// The most that a mover moves along an obstacle for each pixel that it is pushed, in pixels; at least √(1 / `LEAST_GAIN`).
const PUSH_REACH: f32 = 2.5;

/// A solid near a mover.
#[derive(Clone, Debug)]
struct Solid {
    /// Range of its corners in `Near::corners`.
    from: usize,
    to: usize,
    /// Sum of the rounding radii of both shapes, in pixels.
    reach: f32,
    around: Aabb,
    /// Half the lesser side of the box around it, in pixels.
    half: f32,
    entity: Option<EntityKey>,
    one_way: bool,
    sensor: bool,
    /// Mass in kg of a dynamic body; `None` for solids that no force moves.
    mass: Option<f32>,
    vel: Vec2,
    push: Push,
    /// How far it rises in this tick, in pixels: a mover that was above it before still counts as above.
    rise: f32,
    /// Its motion in this tick, in pixels, if it is so fast that it may pass through the mover, else zero. Of another
    /// mover: how far that was pushed in this step.
    shift: Vec2,
    /// How far another mover was pushed in this step, see `Near::pushed`, in pixels.
    pushed: Vec2,
    /// How far another mover is expected to be pushed yet in this step: as far as in the last one, in pixels.
    expected_push: Vec2,
    /// Where a loose body is that a platform pushes along, seen from its present place, in pixels.
    ahead: Vec2,
}

/// Whether a solid pushes a mover out of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Push {
    /// No: a loose body, which is moved itself.
    No,
    /// Only upward: a loose body that a walker can stand on. The two do not collide in the solver, which would hold the
    /// walker for as strong as it needs to be.
    Up,
    /// Yes, in the first rounds: another mover, which is pushed out as well.
    Mover,
    /// Yes: tiles, static and kinematic bodies, which nothing in them stops.
    Yes,
}

/// An impulse on a loose body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impulse {
    pub(super) to: EntityKey,
    /// In kg·px/s.
    pub(super) amount: Vec2,
    /// Where it acts, in world pixels; `None` for the center of mass, so that what is pushed along does not tip over.
    pub(super) at: Option<Vec2>,
    /// Whether it is a force that lasts for the whole step, as weight does, and no impact: then what carries the body
    /// resists it as it acts.
    pub(super) lasts: bool,
}

/// The solids near a mover, relative to where it starts.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    corners: Vec<Vec2>,
    /// Outward unit normal of the edge that begins at each corner.
    normals: Vec<Vec2>,
    /// Working memory, kept to avoid allocations.
    fresh: Vec<Vec2>,
    ground: Vec<Vec2>,
    others: Vec<EntityKey>,
    solids: Vec<Solid>,
    /// Position of the mover relative to its start, in pixels.
    pub(super) at: Vec2,
    /// Position where it started, in world pixels.
    pub(super) start: Vec2,
    /// Whether it falls through one-way ground.
    pub(super) drops: bool,
    /// Middle of the mover's shape relative to its origin, and half its size, in pixels.
    middle: Vec2,
    pub(super) half: Vec2,
    pub(super) found: Vec<Found>,
    pub(super) pushes: Vec<Impulse>,
    /// How far the mover may move out of other movers in this tick, besides what pushes these, in pixels.
    push_px: f32,
    /// How far it was pushed besides that, in pixels; it pushes other movers as far.
    pushed: Vec2,
    /// Depth beyond which a mover without room to get out is crushed, in pixels.
    pub(super) crush_depth: f32,
    /// The body that crushes the mover.
    pub(super) crushed_by: Option<EntityKey>,
    /// Whether it could not be pushed out of a solid.
    pub(super) is_cornered: bool,
    /// Whether it could not be pushed up by a loose body below it.
    is_pinned: bool,
    /// Whether it could not be pushed out of the ground.
    is_in_ground: bool,
    /// How far its surroundings are gathered, in pixels, and the box in which other bodies were looked for, in the world.
    reach: f32,
    region: Aabb,
    key: EntityKey,
}

/// The obstacle that stopped a motion.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    /// Share of the motion before the stop, 0 to 1.
    pub(super) share: f32,
    /// Unit normal toward the mover.
    pub(super) normal: Vec2,
    /// Sum of the rounding radii of both shapes, in pixels.
    pub(super) reach: f32,
    pub(super) entity: Option<EntityKey>,
    pub(super) one_way: bool,
    /// Whether it is a corner within one-way ground that the mover is passing through.
    pub(super) is_covered: bool,
    pub(super) vel: Vec2,
    pub(super) mass: Option<f32>,
}

impl Physics {
    /// The bodies that have a shape, with their bounding boxes; `roomy` boxes include the motion of a step.
    pub(super) fn boxes(&self, roomy: bool) -> impl Iterator<Item = (EntityKey, &Body, Aabb)> {
        let dt = self.config.dt_secs;
        self.bodies.iter().filter(|(_, body)| !body.is_faulty).filter_map(move |(key, body)| {
            let collider = body.spec.collider.as_ref()?;
            let aabb = collider.bounds(body.pose.pos, body.pose.angle);
            if !roomy {
                return Some((key, body, aabb));
            }
            let end = match body.end_pose() {
                pose if pose == (body.pose.pos, body.pose.angle) => aabb,
                (pos, angle) => collider.bounds(pos, angle),
            };
            let slack = match body.motion {
                Motion::Walk(_) | Motion::Fly(_) => body.pose.vel.length() * 2.0 * dt + 8.0,
                Motion::Loose => body.pose.vel.length() * 2.0 * dt,
                Motion::Still | Motion::Carried { .. } => 0.0,
            };
            Some((key, body, aabb.union(end).grown(slack)))
        })
    }

    /// One tick of a flyer, or of a walker seen from above: its velocity approaches the wanted one, walls deflect it, and
    /// one-way ground does not stop it, as paths have it.
    pub(super) fn glide(
        &self,
        key: EntityKey,
        (want, acceleration): (Vec2, f32),
        pose: &mut super::Pose,
        index: &Index,
        near: &mut Near,
    ) {
        let dt = self.config.dt_secs;
        let Some(body) = self.bodies.get(key) else { return };
        let mass = body.spec.mass;
        let pushed = body.felt.acceleration + body.felt.braking(pose.vel, dt);
        let before = limits::velocity(pose.vel + pushed * dt);
        let mut vel = limits::velocity(before + (want - before).clamp_length_max(acceleration.max(0.0) * dt));
        let mut motion = (before + vel) / 2.0 * dt;
        self.gather(key, motion.length() + 2.0, index, near);
        near.drops = true;
        if !self.push_out(key, before, index, near) {
            near.feel();
            pose.vel = Vec2::ZERO;
            return;
        }
        // Deflected by both sides of a passage, it would move askew.
        let straight = want.normalize_or_zero();
        let (from, whole, speed) = (near.at, straight * motion.length(), vel.length());
        let mut walls: Vec<Vec2> = Vec::new();
        for _ in 0..MAX_SLIDES {
            let Some(stop) = near.cast(motion) else {
                near.at += motion;
                break;
            };
            near.at += motion * stop.share;
            motion *= 1.0 - stop.share;
            near.hit(&stop, &mut vel, mass, &self.tiles);
            motion -= stop.normal * motion.dot(stop.normal).min(0.0);
            if walls.iter().any(|wall| motion.dot(*wall) < -1e-4 * motion.length()) {
                break;
            }
            walls.push(stop.normal);
        }
        let is_held = (near.at - from).dot(straight) < LEAST_SLIDE * whole.length();
        if is_held && near.fits_through(from, whole) {
            (near.at, vel) = (from + whole, straight * speed);
        }
        near.feel();
        pose.pos = near.start + near.at;
        pose.vel = vel;
    }

    fn fly_one(&self, key: EntityKey, desired: Vec2, pose: &mut super::Pose, index: &Index, near: &mut Near) {
        let Some(flyer) = self.bodies.get(key).and_then(|body| body.spec.flyer.as_ref()) else { return };
        self.glide(key, (desired, flyer.acceleration), pose, index, near);
    }
}

impl Solid {
    fn still() -> Self {
        Self {
            from: 0,
            to: 0,
            reach: 0.0,
            around: Aabb { lo: Vec2::ZERO, hi: Vec2::ZERO },
            half: 0.0,
            entity: None,
            one_way: false,
            sensor: false,
            mass: None,
            vel: Vec2::ZERO,
            push: Push::Yes,
            rise: 0.0,
            shift: Vec2::ZERO,
            pushed: Vec2::ZERO,
            expected_push: Vec2::ZERO,
            ahead: Vec2::ZERO,
        }
    }

    /// How far another mover is expected to be pushed yet along the reverse of a normal, away from this one, in pixels: as
    /// far as in the last step, or as far as this one moved in this step, which pushes it.
    fn expected_px(&self, normal: Vec2, moved: Vec2) -> f32 {
        let way = -self.expected_push.dot(normal);
        if way > 0.0 { way.max(-moved.dot(normal)) } else { 0.0 }
    }
}

impl Near {
    fn clear(&mut self, key: EntityKey) {
        self.corners.clear();
        self.normals.clear();
        self.solids.clear();
        self.found.clear();
        self.pushes.clear();
        (self.at, self.start, self.middle, self.half) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
        self.pushed = Vec2::ZERO;
        (self.drops, self.crushed_by, self.key) = (false, None, key);
        (self.is_cornered, self.is_pinned, self.is_in_ground) = (false, false, false);
    }

    fn add(&mut self, mut solid: Solid, points: &[Vec2], shape: &Convex) {
        difference(points, &shape.points, &mut self.fresh);
        solid.around = around(self.fresh.iter().copied()).grown(solid.reach);
        solid.half = (solid.around.hi - solid.around.lo).min_element() / 2.0;
        if solid.one_way || !self.is_far(&solid, solid.shift) {
            solid.shift = Vec2::ZERO;
        }
        solid.around = solid.around.swept(-solid.shift);
        solid.from = self.corners.len();
        self.normals.extend((0..self.fresh.len()).map(|i| normal(&self.fresh, i)));
        self.corners.append(&mut self.fresh);
        solid.to = self.corners.len();
        self.solids.push(solid);
    }

    fn core(&self, solid: &Solid) -> Core<'_> {
        let range = solid.from..solid.to;
        Core { points: &self.corners[range.clone()], normals: &self.normals[range] }
    }

    /// The first solid that stops a motion of the mover from its present place.
    pub(super) fn cast(&self, motion: Vec2) -> Option<Stop> {
        self.cast_but(motion, &[])
    }

    /// Whether nothing stops a motion of the mover from a place.
    pub(super) fn is_free(&mut self, from: Vec2, motion: Vec2) -> bool {
        let at = std::mem::replace(&mut self.at, from);
        let is_free = self.cast(motion).is_none();
        self.at = at;
        is_free
    }

    /// The first solid that stops a motion of the mover, without the bodies in `but`.
    pub(super) fn cast_but(&self, motion: Vec2, but: &[EntityKey]) -> Option<Stop> {
        self.cast_among(motion, |solid| solid.entity.is_none_or(|entity| !but.contains(&entity)))
    }

    /// The same among the solids for which `counts` holds.
    fn cast_among(&self, motion: Vec2, counts: impl Fn(&Solid) -> bool) -> Option<Stop> {
        let swept = Aabb { lo: self.at, hi: self.at }.swept(motion).grown(2.0 * SKIN);
        let mut first: Option<(Stop, &Solid)> = None;
        for solid in &self.solids {
            if solid.sensor || !solid.around.meets(swept) || !counts(solid) {
                continue;
            }
            let Some((share, normal)) = self.core(solid).cast(solid.reach + SKIN, self.at, motion) else { continue };
            if solid.one_way
                && !(self.lands_on(solid, normal) && self.is_outer(solid, self.at + motion * share, normal))
            {
                continue;
            }
            if first.as_ref().is_none_or(|(stop, _)| share < stop.share) {
                let Solid { reach, entity, one_way, vel, mass, .. } = *solid;
                let stop = Stop { share, normal, reach, entity, one_way, is_covered: false, vel, mass };
                first = Some((stop, solid));
            }
        }
        let (stop, solid) = first?;
        // One-way ground stops it only where it is not covered.
        let is_covered = !solid.one_way && !self.is_outer(solid, self.at + motion * stop.share, stop.normal);
        Some(Stop { is_covered, ..stop })
    }

    /// The share of a motion after which the mover meets the side of a one-way solid that no force moves and that it is
    /// not in already.
    pub(super) fn share_to_one_way(&self, motion: Vec2) -> Option<f32> {
        let swept = Aabb { lo: self.at, hi: self.at }.swept(motion).grown(2.0 * SKIN);
        let is_one_way = |solid: &&Solid| solid.one_way && !solid.sensor && solid.mass.is_none();
        let near = self.solids.iter().filter(is_one_way).filter(|solid| solid.around.meets(swept));
        let beside = near.filter(|solid| self.core(solid).distance(self.at).0 >= solid.reach - ROUNDING);
        let shares = beside.filter_map(|solid| {
            let (share, normal) = self.core(solid).cast(solid.reach + SKIN, self.at, motion)?;
            let is_side = normal.y >= -LANDS && normal.x * motion.x < 0.0;
            (is_side && self.is_outer(solid, self.at + motion * share, normal)).then_some(share)
        });
        shares.reduce(f32::min)
    }

    /// Whether a motion leads between solids exactly as far apart as the mover is wide. The skin would keep it out,
    /// though the clearance of paths counts such a passage as wide enough.
    pub(super) fn fits_through(&self, from: Vec2, motion: Vec2) -> bool {
        let length = motion.length().max(SQUEEZE_AHEAD);
        let Some(dir) = motion.try_normalize() else { return false };
        let swept = Aabb { lo: from, hi: from }.swept(dir * length).grown(SKIN);
        let is_free = |solid: &Solid, at: Vec2| self.core(solid).distance(at).0 >= solid.reach - SQUEEZE;
        let solids = self.solids.iter().filter(|solid| !solid.sensor && !solid.one_way && solid.around.meets(swept));
        let mut solids = solids.peekable();
        let n_steps = (length / SQUEEZE_STEP).ceil().max(1.0);
        solids.peek().is_some()
            && solids.all(|solid| {
                let shares = std::iter::successors(Some(0.0), |step| (*step < n_steps).then_some(step + 1.0));
                shares.map(|step| from + dir * (length * step / n_steps)).all(|at| is_free(solid, at))
            })
    }

    /// The same from its present place, where no one-way ground on the way holds the mover.
    pub(super) fn falls_through(&self, motion: Vec2) -> bool {
        self.fits_through(self.at, motion) && self.cast_among(motion, |solid| solid.one_way).is_none()
    }

    /// Whether a one-way solid is below: its surface faces up, and the mover is not in it already.
    fn lands_on(&self, solid: &Solid, normal: Vec2) -> bool {
        !self.drops && normal.y < -LANDS && !self.is_in(solid, self.at)
    }

    /// Whether the mover, at a place, is in a solid.
    fn is_in(&self, solid: &Solid, at: Vec2) -> bool {
        self.core(solid).distance(at).0 < solid.reach - solid.rise - ROUNDING
    }

    /// Whether a mover at a place touches a solid on a side, or on a corner that is not within other one-way ground which
    /// the mover is passing through, as where two tiles of a plank meet.
    fn is_outer(&self, solid: &Solid, at: Vec2, normal: Vec2) -> bool {
        if self.core(solid).normals.iter().any(|side| side.dot(normal) > 1.0 - 1e-6) {
            return true;
        }
        let touched = at - normal * self.core(solid).distance(at).0;
        let one_way = self.solids.iter().filter(|other| other.one_way && !other.sensor && other.from != solid.from);
        let mut joined = one_way.filter(|other| self.core(other).distance(touched).0 <= JOINED);
        !joined.any(|other| self.is_in(other, at))
    }

    /// Change a velocity at a stop: a wall removes the part into it, a loose body is pushed and shares it by mass. Returns
    /// that push.
    pub(super) fn hit(
        &mut self,
        stop: &Stop,
        vel: &mut Vec2,
        mass: f32,
        tiles: &super::tiles::TileMap,
    ) -> Option<Impulse> {
        let closing = -(*vel - stop.vel).dot(stop.normal);
        self.touch(stop, closing, tiles);
        if closing <= 0.0 {
            return None;
        }
        let Some((other, its)) = stop.entity.zip(stop.mass) else {
            *vel += stop.normal * closing;
            return None;
        };
        let impulse = closing * mass * its / (mass + its);
        *vel += stop.normal * impulse / mass;
        // What it lands on may tilt.
        let at = (stop.normal.y < -BEARS).then(|| self.point(stop.normal));
        let push = Impulse { to: other, amount: -stop.normal * impulse, at, lasts: false };
        self.pushes.push(push);
        Some(push)
    }

    /// Push a loose body that stops the mover, with an impulse in kg·px/s; the rest of the mover's tick uses its new
    /// velocity.
    pub(super) fn push(&mut self, stop: &Stop, other: EntityKey, impulse: f32) -> Impulse {
        let impulse = -stop.normal * impulse;
        for solid in self.solids.iter_mut().filter(|solid| solid.entity == Some(other)) {
            solid.vel += solid.mass.map_or(Vec2::ZERO, |mass| impulse / mass);
        }
        let push = Impulse { to: other, amount: impulse, at: None, lasts: false };
        self.pushes.push(push);
        push
    }

    /// How deep the mover is in a body, in pixels, the skin included.
    pub(super) fn depth_in(&self, other: EntityKey) -> f32 {
        let its = self.solids.iter().filter(|solid| solid.entity == Some(other) && !solid.sensor);
        its.map(|solid| solid.reach + SKIN - self.core(solid).distance(self.at).0).fold(0.0, f32::max)
    }

    /// Record a contact.
    pub(super) fn touch(&mut self, stop: &Stop, speed: f32, tiles: &super::tiles::TileMap) {
        let point = self.point(stop.normal);
        let b = match stop.entity {
            Some(entity) => Other::Entity(entity),
            None => {
                let (cell, name) = tiles.surface(point, stop.normal);
                Other::Tile { cell, name }
            }
        };
        let normal = stop.normal;
        self.found.push(Found { a: self.key, b, normal, point, speed: speed.max(0.0), sensor: false });
    }

    /// The middle of the mover's shape, in world pixels.
    pub(super) fn middle_now(&self) -> Vec2 {
        self.start + self.at + self.middle
    }

    /// The middle of the mover's lower side, in world pixels.
    pub(super) fn feet_now(&self) -> Vec2 {
        self.middle_now() + Vec2::new(0.0, self.half.y)
    }

    /// The point of the mover that a solid with this normal touches, in world pixels.
    pub(super) fn point(&self, normal: Vec2) -> Vec2 {
        self.start + self.at + self.middle - normal * (self.half * normal).length().max(self.half.min_element())
    }

    /// Record contacts at the end of a move: the sensors that the mover is in, and the bodies that it is next to.
    pub(super) fn feel(&mut self) {
        let here = Aabb { lo: self.at, hi: self.at }.grown(NEAR);
        for solid in &self.solids {
            let Some(entity) = solid.entity.filter(|_| solid.around.meets(here)) else { continue };
            let (dist, normal) = self.core(solid).distance(self.at);
            if dist >= if solid.sensor { solid.reach } else { solid.reach + NEAR } {
                continue;
            }
            let is_known = |found: &Found| found.b == Other::Entity(entity) && found.sensor == solid.sensor;
            if solid.one_way && !solid.sensor || self.found.iter().any(is_known) {
                continue;
            }
            let point = self.start + self.at + self.middle - normal * (self.half * normal).length();
            let (b, sensor) = (Other::Entity(entity), solid.sensor);
            self.found.push(Found { a: self.key, b, normal, point, speed: 0.0, sensor });
        }
    }
}
