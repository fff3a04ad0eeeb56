//! Substeps: a tick in which something fast moves near loose bodies, a box slides fast, or a loose body flies fast against
//! another, is divided into several steps of the solver.
//!
//! The solver finds contacts at the start of a step. A body that moved farther than a few pixels by then would be deep
//! in others, and would push them out on their far side. Invariant: where no kinematic body near loose ones, no box that
//! slides, and no loose body that meets another is that fast, a tick is one step. Walkers and flyers are swept instead,
//! see `mover`.

use std::cell::OnceCell;

use glam::Vec2;

use crate::sim::EntityKey;

use super::{
    Contact, Other, Physics,
    body::{Body, Motion},
    convex::Aabb,
    index::{Entry, Index},
    spec::ColliderSpec,
};

/// The most a kinematic body near loose ones moves in a substep, in pixels.
const SUBSTEP_PX: f32 = 2.5;
/// The same for a body with `stops`, in pixels: when its pressure is noticed, it has moved for two substeps, and must
/// not have crushed anything.
const STOP_PX: f32 = 1.25;
/// Near a loose body that closes in, a kinematic body moves in a substep by no more than the body's least extent divided
/// by this: the solver sweeps the loose body against where the other ends the substep.
const THIN: f32 = 4.0;
/// The most substeps of a tick.
const MAX_SUBSTEPS: u16 = 32;

/// A body that slides on a flat side moves in a substep by no more than this share of half its least extent. From half on
/// rapier sweeps it, and a sweep stops it for a step at each seam of the ground.
const SLIDE: f32 = 0.45;
/// A body slides along a surface if the sine of the angle between its motion and the surface is less than this.
const ALONG: f32 = 0.1;
/// A loose body moves in a substep by no more than this against another one that it is about to meet, in pixels: it is
/// at most so deep in it then.
const MEETING_PX: f32 = 1.5;
/// The most substeps of a tick for bodies that slide or meet; those that slide even faster lose some of their way.
const MAX_FOR_LOOSE: u16 = 8;
/// The most loose bodies in motion times substeps of a tick that is divided for loose ones: more would take too long, so
/// the more bodies move, the fewer substeps there are.
const MAX_MOVES: usize = 512 * MAX_FOR_LOOSE as usize;
/// The most loose bodies in motion with two substeps.
const MAX_MOVING: usize = MAX_MOVES / 2;

/// The poses of a kinematic body before and after a tick.
pub(super) struct Aim {
    key: EntityKey,
    from: (Vec2, f32),
    to: (Vec2, f32),
}

/// How far a kinematic body moves in this tick, its turning included, in pixels.
fn way_of(body: &Body) -> f32 {
    body.end_pose().0.distance(body.pose.pos) + body.turned_px()
}

/// The most a kinematic body moves in a substep near loose bodies that are as thin as this, in pixels.
fn most_px(body: &Body, thinnest: f32) -> f32 {
    if body.spec.stops { STOP_PX } else { SUBSTEP_PX }.min(thinnest / THIN)
}

impl Physics {
    /// Whether a kinematic body moves so far in this tick that substeps are needed where loose ones are near.
    pub(super) fn has_fast_kinematic(&self) -> bool {
        let mut moving = self.carried.iter().filter_map(|key| self.bodies.get(*key)).filter(|body| way_of(body) > 0.0);
        let Some(first) = moving.next().filter(|_| self.n_loose > 0) else { return false };
        let colliders = self.bodies.values().filter(|body| body.is_loose()).filter_map(|it| it.spec.collider.as_ref());
        let thinnest = colliders.map(ColliderSpec::least_extent).fold(f32::INFINITY, f32::min);
        std::iter::once(first).chain(moving).any(|body| way_of(body) > most_px(body, thinnest))
    }

    /// The number of substeps of a tick in which a kinematic body, or a mover that one pushes, is fast; `index` has all
    /// bodies.
    pub(super) fn n_substeps(&self, index: &Index) -> u16 {
        let dt = self.config.dt_secs;
        let loose = self.bodies.values().filter(|body| body.is_loose());
        let farthest = loose.map(|body| body.pose.vel.length() * dt).fold(0.0, f32::max);
        let (mut most, mut near) = (1.0_f32, Vec::new());
        for body in self.carried.iter().filter_map(|key| self.bodies.get(*key)) {
            let way = way_of(body);
            let Some(collider) = body.spec.collider.as_ref().filter(|_| way > 0.0) else { continue };
            let motion = body.end_pose().0 - body.pose.pos;
            let turned = body.turned_px();
            let start = collider.bounds(body.pose.pos, body.pose.angle);
            let swept = start.swept(motion).grown(turned + SUBSTEP_PX);
            index.near(swept.grown(farthest), &mut near);
            for loose in near.iter().filter_map(|key| self.bodies.get(*key)).filter(|body| body.is_loose()) {
                let Some(own) = &loose.spec.collider else { continue };
                let own_motion = loose.pose.vel * dt;
                if own.bounds(loose.pose.pos, loose.pose.angle).swept(own_motion).meets(swept) {
                    let closes = (own_motion - motion).length() + turned > own.least_extent() / THIN;
                    let thinnest = if closes { own.least_extent() } else { f32::INFINITY };
                    most = most.max(way / most_px(body, thinnest));
                }
            }
        }
        // Movers that a platform pushes are as fast as that.
        for body in self.movers.iter().filter_map(|key| self.bodies.get(*key)) {
            let n = body.pushed.length() / SUBSTEP_PX;
            let Some(collider) = body.spec.collider.as_ref().filter(|_| n > most) else { continue };
            let swept = collider.bounds(body.pose.pos, body.pose.angle).swept(-body.pushed).grown(SUBSTEP_PX);
            index.near(swept.grown(farthest), &mut near);
            let meets = |loose: &&Body| {
                let bounds = |it: &ColliderSpec| it.bounds(loose.pose.pos, loose.pose.angle).swept(loose.pose.vel * dt);
                loose.is_loose() && loose.spec.collider.as_ref().is_some_and(|it| bounds(it).meets(swept))
            };
            if near.iter().filter_map(|key| self.bodies.get(*key)).any(|body| meets(&body)) {
                most = n;
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let n = most.ceil().clamp(1.0, f32::from(MAX_SUBSTEPS)) as u16;
        n
    }

    /// The number of substeps of a tick in which loose bodies slide, see `SLIDE`, or meet, see `MEETING_PX`. One such body
    /// divides the tick of all: up to `MAX_FOR_LOOSE` steps of the solver.
    pub(super) fn n_for_loose(&self) -> u16 {
        if self.n_loose == 0 {
            return 1;
        }
        let moves = |body: &Body| body.is_loose() && body.pose.vel != Vec2::ZERO;
        let moving = || self.bodies.iter().filter(|(_, body)| moves(body));
        // More leave no substeps; several thousand are not collected for nothing.
        if moving().take(MAX_MOVING + 1).count() > MAX_MOVING {
            return 1;
        }
        let moving: Vec<(EntityKey, &Body)> = moving().collect();
        let Some(at_most) = MAX_MOVES.checked_div(moving.len()) else { return 1 };
        let substeps = |(key, body): &(EntityKey, &Body)| {
            let is_flat = body.n_contacts > 0 && !body.rolls() && !body.spec.bullet;
            let thin = body.spec.collider.as_ref().filter(|_| is_flat)?.least_extent();
            let n = body.pose.vel.length() * self.config.dt_secs / (SLIDE * thin / 2.0);
            (n > 1.0 && self.moves_along_ground(*key, body.pose.vel)).then_some(n)
        };
        let sliding = moving.iter().filter_map(substeps).fold(1.0, f32::max);
        let most = self.fastest_meeting_px(&moving).map_or(sliding, |px| sliding.max(px / MEETING_PX));
        let at_most = u16::try_from(at_most).unwrap_or(u16::MAX).min(MAX_FOR_LOOSE);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let n = most.ceil().min(f32::from(at_most)) as u16;
        n
    }

    /// The longest way that one of these bodies and a loose one move against each other in this tick before they meet, in
    /// pixels; `None` if none that is longer than `MEETING_PX` meets another. A body that follows another counts as meeting
    /// it if the ground is about to stop the one in front.
    fn fastest_meeting_px(&self, moving: &[(EntityKey, &Body)]) -> Option<f32> {
        let dt = self.config.dt_secs;
        let fast = moving.iter().filter(|(_, body)| body.pose.vel.length() * dt > MEETING_PX);
        let swept =
            |(key, body): &(EntityKey, &Body)| Entry::new(*key, body, body.solid_around()?.1.swept(body.pose.vel * dt));
        let fast: Vec<_> = fast.filter_map(swept).collect();
        let all = fast.iter().map(|entry| entry.aabb).reduce(Aabb::union)?;
        let index = Index::new(fast);
        let (mut most, mut near) = (None, Vec::new());
        let firm = OnceCell::new();
        for (key, body) in self.bodies.iter().filter(|(_, body)| body.is_loose()) {
            let Some((groups, around)) = body.solid_around() else { continue };
            let way = around.swept(body.pose.vel * dt);
            if !way.meets(all) {
                continue;
            }
            index.near_touching(way, groups, &mut near);
            let lands = OnceCell::new();
            for other in near.iter().filter(|other| **other != key) {
                let Some(it) = self.bodies.get(*other) else { continue };
                let its_motion = it.pose.vel * dt;
                let motion = its_motion - body.pose.vel * dt;
                let meets = |by: Vec2, at: Aabb| it.solid_around().is_some_and(|(_, its)| its.swept(by).meets(at));
                let least = most.unwrap_or(MEETING_PX);
                let px = if motion.length() > least && meets(motion, around) {
                    motion.length()
                } else if its_motion.length() > least
                    && meets(its_motion, way)
                    && *lands.get_or_init(|| self.lands(body, firm.get_or_init(|| self.firm_bodies())))
                {
                    // It follows one that the ground stops.
                    its_motion.length()
                } else {
                    continue;
                };
                if !self.touches.of(key).any(|it| it.b.entity() == Some(*other)) {
                    most = Some(px);
                }
            }
        }
        most
    }

    /// Whether tiles, or one of the bodies that no other pushes, stop a body in this tick.
    fn lands(&self, body: &Body, firm: &Index) -> bool {
        const BESIDE_PX: f32 = 1.0;
        let Some((collider, (groups, around))) = body.spec.collider.as_ref().zip(body.solid_around()) else {
            return false;
        };
        let beside = BESIDE_PX.min(collider.least_extent() / 4.0);
        let way = around.grown(-beside).swept(body.pose.vel * self.config.dt_secs);
        let mut near = Vec::new();
        firm.near_touching(way, groups, &mut near);
        !near.is_empty() || collider.can_touch_tiles() && self.tiles.has_ground_in(way)
    }

    /// The static and kinematic bodies other than movers.
    fn firm_bodies(&self) -> Index {
        let is_firm = |body: &Body| matches!(body.motion, Motion::Still | Motion::Carried { .. });
        let entry = |(key, body): (EntityKey, &Body)| Entry::new(key, body, body.solid_around()?.1);
        Index::new(self.bodies.iter().filter(|(_, body)| is_firm(body)).filter_map(entry))
    }

    /// Whether a body touches tiles, or a body that nothing pushes or that is slow, and moves along that.
    fn moves_along_ground(&self, key: EntityKey, vel: Vec2) -> bool {
        let is_ground = |other: &Other| {
            let is_firm = |it: EntityKey| !self.is_loose(it) && !self.is_mover(it) || self.is_loose_ground(it);
            other.entity().is_none_or(is_firm)
        };
        let is_along = |it: &Contact| it.normal.dot(vel).abs() < ALONG * vel.length();
        self.touches.of(key).any(|it| !it.sensor && is_along(&it) && is_ground(&it.b))
    }

    /// The poses of the kinematic bodies, and of the movers in the solver, that move in this tick.
    pub(super) fn aims(&self) -> Vec<Aim> {
        let aim = |key: &EntityKey| {
            let body = self.bodies.get(*key)?;
            let to = body.end_pose();
            let from = match &body.motion {
                Motion::Carried { .. } => (body.pose.pos, body.pose.angle),
                Motion::Walk(_) | Motion::Fly(_) if !body.is_in_solver => return None,
                // Movers are at their final pose already; the solver's copy is not.
                Motion::Walk(_) | Motion::Fly(_) => {
                    let rigid = self.solver.bodies.get(body.handle)?;
                    (rigid.translation(), to.1)
                }
                Motion::Still | Motion::Loose => return None,
            };
            (from != to).then_some(Aim { key: *key, from, to })
        };
        self.movers.iter().chain(&self.carried).filter_map(aim).collect()
    }

    /// Move every kinematic body on to its pose at the end of a substep, given as a share of the tick. A body with
    /// `stops` is held once a body ahead of it has no room.
    pub(super) fn aim_substep(&mut self, aims: &mut [Aim], share: f32) {
        for Aim { key, from, to } in aims {
            let stops =
                self.bodies.get(*key).is_some_and(|body| body.spec.stops) && self.crushes.presses(*key, to.0 - from.0);
            if stops {
                self.stop_pushed_along(*key);
            }
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            if stops {
                (*from, *to) = ((body.pose.pos, body.pose.angle), (body.pose.pos, body.pose.angle));
                (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
                self.crushes.note_waiting(*key);
            }
            let (pos, angle) =
                if share < 1.0 { (from.0.lerp(to.0, share), from.1 + (to.1 - from.1) * share) } else { *to };
            if let Motion::Carried { next, .. } = &mut body.motion {
                *next = Some((pos, angle));
            }
            if let Some(rigid) = self.solver.bodies.get_mut(body.handle) {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(pos, angle));
            }
        }
    }
}
