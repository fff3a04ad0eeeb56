//! Callbacks of the solver (rapier's `PhysicsHooks` and `EventHandler`): one-way ground, friction of tiles, edges
//! behind others, and the contacts of a step.
//!
//! Invariant: each result depends on nothing but the state of the step, and on which loose bodies were slow when the
//! tick first needed to know.

use std::sync::Mutex;

use glam::Vec2;
use rapier2d::prelude::*;

use crate::model::{Cell, LevelView};

use super::{
    config::PhysicsConfig,
    crush::Crushes,
    loose_ground::{LooseGround, is_fast_aside, is_slow_loose},
    mover::BEARS,
    outline::Segment,
    pieces::FirmGround,
    seam::{Corner, Meeting, SLOP, Seams, core},
    solver::{
        IS_GROUND, IS_LEDGE, IS_ONE_WAY, IS_TILES, IS_WALKER, PairEvent, StepContacts, TileTouch, entity_of,
        is_always_watched,
    },
    tiles::TileMap,
    walk::SEAM_PX,
};

/// How deep a body may rest in one-way ground, in pixels.
const LEDGE_DEPTH: f32 = 1.5;

/// How far the depth of a contact may be from that of the shapes along its normal, in pixels.
const MOST_OFF: f32 = 0.25;

/// The sine of an angle at which a box still counts as level.
const LEVEL: f32 = 1e-3;

/// How deep a body that stands on one-way ground may be pressed into it before it falls through, in pixels; far beyond
/// the depth at which it is crushed.
const PRESSED_DEPTH: f32 = 8.0;

/// Bodies without restitution that meet more slowly than this, in px/s, come to rest on each other.
const LEAST_IMPACT: f32 = 1.0;

/// Flag in the manifold of a body that stands on one-way ground.
const STANDS: u32 = 1;

/// How far the ground follows a rolling body, as a factor on what it needs by the end of a tick.
const FOLLOW: f32 = 1.1;

fn chunk_of(data: u128) -> Option<Cell> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // the bits are kept
    let at = [data as u32 as i32, (data >> 32) as u32 as i32];
    (data & IS_TILES != 0).then_some(at)
}

/// Collects the contacts of a step; gives the solver one-way ground and the friction of tiles.
pub(super) struct Listener<'a> {
    tiles: &'a TileMap,
    crushes: &'a Crushes,
    seams: Seams<'a>,
    dt: f32,
    is_from_side: bool,
    contacts: Mutex<StepContacts>,
}

impl<'a> Listener<'a> {
    pub(super) fn new(
        tiles: &'a TileMap,
        crushes: &'a Crushes,
        (ground, loose): (&'a FirmGround, &'a LooseGround),
        config: &PhysicsConfig,
    ) -> Self {
        let (dt, is_from_side) = (config.dt_secs, config.view == LevelView::Platformer);
        Self {
            tiles,
            crushes,
            seams: Seams::new(tiles, ground, loose),
            dt,
            is_from_side,
            contacts: Mutex::new(StepContacts::default()),
        }
    }

    pub(super) fn into_contacts(self) -> StepContacts {
        self.contacts.into_inner().unwrap_or_default()
    }

    fn record(&self, what: impl FnOnce(&mut StepContacts)) {
        if let Ok(mut contacts) = self.contacts.lock() {
            what(&mut contacts);
        }
    }

    /// Drop the contacts of a body with one-way ground, unless it lands or stood there: the surface faces up, the two
    /// do not part, and the depth is no more than the motion in this tick explains.
    fn ledge(&self, rigid: &mut ModifiableManifold<'_>, out: Vec2, parting: f32) {
        let deepest = rigid.solver_contacts.iter().map(|contact| -contact.dist).fold(0.0, f32::max);
        let stood = *rigid.user_data == STANDS;
        let most = if stood { PRESSED_DEPTH } else { 0.0_f32 }.max(self.margin(-parting));
        let lands = out.y < -0.5 && (stood || parting < 1.0) && deepest <= most;
        *rigid.user_data = if lands { STANDS } else { 0 };
        if !lands {
            rigid.solver_contacts.clear();
        }
    }

    /// Whether a collider flies through one-way ground at a velocity (px/s) relative to it: it rises fast, or goes fast
    /// aside below the top. Its contacts would be dropped only after a sweep stopped it.
    fn flies_through(&self, ground: &Collider, other: &Collider, vel: Vec2) -> bool {
        if ground.user_data & IS_ONE_WAY == 0 {
            return false;
        }
        let is_level = ground.shape().as_cuboid().is_some() && ground.rotation().im.abs() < LEVEL;
        let depth = || other.compute_aabb().maxs.y - ground.compute_aabb().mins.y;
        let fast = LEDGE_DEPTH / self.dt;
        -vel.y > fast || is_level && vel.x.abs() > fast && depth() > self.margin(vel.y)
    }

    /// The greatest depth (px) of a body that rests on a surface or lands on it at a speed (px/s).
    fn margin(&self, closing: f32) -> f32 {
        LEDGE_DEPTH + 1.5 * closing.max(0.0) * self.dt
    }

    /// Whether a body touches an edge only beside one of the edge's ends, while it is on another surface through that
    /// end: a block's side, touched by a body that slides onto the block from a ledge and overlaps both a little.
    fn is_behind(
        &self,
        edge: &Segment,
        origin: Vec2,
        points: impl Iterator<Item = Vec2> + Clone,
        body: &RigidBody,
    ) -> bool {
        if edge.ends.iter().all(|end| end.other.is_none()) {
            return false;
        }
        let way = (edge.b - edge.a).normalize_or_zero();
        [edge.a, edge.b].into_iter().zip(edge.ends).any(|(end, how)| {
            let Some(corner) = how.other else { return false };
            let end = end + origin;
            let most = self.margin(corner.closing(body.linvel()));
            corner.holds(body.center_of_mass() - end)
                && points.clone().all(|point| (point - end).dot(way).abs() <= most)
        })
    }
}

/// Whether the contacts of two colliders, the first of which is the pair's `side` (0 or 1), are as deep as the two
/// overlap along the normal. Where a polygon touches another
/// shape exactly, parry 0.31 may find a normal that has nothing to do with either.
fn are_sound(rigid: &ModifiableManifold<'_>, side: usize, colliders: [&Collider; 2]) -> bool {
    if colliders.iter().all(|collider| collider.shape().as_convex_polygon().is_none()) {
        return true;
    }
    let normal = if side == 0 { *rigid.normal } else { -*rigid.normal };
    let [end, start] = [(colliders[0], normal), (colliders[1], -normal)].map(|(collider, way)| {
        let (points, radius) = core(collider);
        points.iter().map(|point| point.dot(way)).fold(f32::NEG_INFINITY, f32::max) + radius
    });
    let nearest = rigid.solver_contacts.iter().map(|contact| contact.dist).fold(f32::INFINITY, f32::min);
    // Their distance along the normal is -(end + start).
    let off = nearest + end + start;
    !off.is_finite() || off.abs() < MOST_OFF
}

/// Turn contacts of the pair's `side` (0 or 1), an edge of tiles, back to the face of the edge if their normal leans toward
/// an end of it that they are not at. Where two corners nearly touch, the direction between them is what rounding leaves
/// of it: a body that leaves the edge at its start would be stopped as if at its end, a whole floor away.
fn straighten(rigid: &mut ModifiableManifold<'_>, side: usize, edge: &Segment, origin: Vec2) {
    /// The least lean of a normal that counts, as a sine; and how near to an end contacts are at it, in pixels.
    const LEANS: f32 = 1e-3;
    const AT_END: f32 = 1.0;
    let (face, sign) = (edge.normal(), if side == 0 { 1.0 } else { -1.0 });
    let leans = face.perp_dot(*rigid.normal * sign);
    let end = origin + if leans > 0.0 { edge.b } else { edge.a };
    let along = face.perp();
    let on_edge = |contact: &SolverContact| if side == 0 { contact.anchor1 } else { contact.anchor2 };
    let is_at_end = |contact: &SolverContact| (on_edge(contact) - end).dot(along).abs() < AT_END;
    if leans.abs() < LEANS || rigid.solver_contacts.iter().any(is_at_end) {
        return;
    }
    *rigid.normal = face * sign;
    for contact in rigid.solver_contacts.iter_mut() {
        let on_loose = if side == 0 { contact.anchor2 } else { contact.anchor1 };
        contact.dist = (on_loose - origin - edge.a).dot(face);
        let on_ground = on_loose - face * contact.dist;
        if side == 0 { contact.anchor1 = on_ground } else { contact.anchor2 = on_ground }
    }
}

/// Whether the feet of a walker are no farther below the top of a body than it steps up onto loose ones.
fn steps_on(walker: &Collider, body: &Collider) -> bool {
    walker.compute_aabb().maxs.y - body.compute_aabb().mins.y < SEAM_PX
}

/// The radius of a collider that can roll.
fn rounding(collider: &Collider) -> Option<f32> {
    let shape = collider.shape();
    shape.as_ball().map(|ball| ball.radius).or_else(|| shape.as_capsule().map(|capsule| capsule.radius))
}

/// Within a step the solver takes contacts for fixed points of the body. On a rolling body they would rise from the
/// ground as it turns, and the body would sink by as much: the surface gets a velocity that follows them.
fn roll(contacts: &mut SolverContacts, normal: Vec2, radius: f32, spin: f32, dt: f32) {
    /// The angle at which `(1 - cos x) / x` is greatest, in radians.
    const STEEPEST: f32 = 2.331;
    let turn = (spin.abs() * dt).min(STEEPEST);
    if turn < 1e-3 {
        return;
    }
    // 1 - cos by its series near 0: the result of the library function may differ between machines.
    let half = turn * turn / 2.0;
    let rise = half * (1.0 - turn * turn / 12.0 + turn * turn * turn * turn / 360.0);
    let follow = normal * (FOLLOW * radius * rise / turn * spin.abs());
    contacts.iter_mut().for_each(|contact| contact.tangent_velocity = follow);
}

/// Reduce a flat impact to one contact point. A flat face that hits another has two points at once; the solver lets
/// them bounce one after the other, which loses some of the bounce and adds spin. The one point that gives the exact
/// result is below the centers of mass or, where the bodies slide, ahead of there by as much as keeps friction from
/// turning them. Where a body comes down on a seam of ground, what is below its center has that point, even if it lies
/// beyond the seam, and the other contacts are dropped: with points of their own they would turn the body. A loose body
/// that is ground counts as one that does not move: what it rests on holds it.
fn level_impact(
    rigid: &mut ModifiableManifold<'_>,
    bodies: [Option<&RigidBody>; 2],
    is_loose_ground: [bool; 2],
    seams: &Seams<'_>,
    ground: Option<&Meeting<'_>>,
) {
    let (normal, friction, restitution) = (*rigid.normal, *rigid.friction, *rigid.restitution);
    let contacts = &mut *rigid.solver_contacts;
    let (Some(a), Some(b)) = (contacts.first(), contacts.last()) else { return };
    // The body's corner alone may touch a surface that begins or ends below it.
    let is_corner = a.anchor1.distance(b.anchor1) < 1e-3;
    let is_new = [a, b].iter().all(|contact| contact.contact_id[0] >> 31 == 1);
    if !is_new || is_corner && ground.is_none() || (a.dist - b.dist).abs() > 0.01 * a.anchor1.distance(b.anchor1) {
        return;
    }
    let middle = a.anchor1.midpoint(b.anchor1);
    let [v1, v2] = bodies.map(|body| body.map_or(Vec2::ZERO, |body| body.velocity_at_point(middle)));
    let (closing, sliding) = ((v1 - v2).dot(normal), v1 - v2 + a.tangent_velocity);
    if restitution <= 0.0 && closing <= LEAST_IMPACT {
        return;
    }
    let sliding = sliding - normal * sliding.dot(normal);
    // Ratio of the friction impulse to the impact's: at most what stops the sliding.
    let stops = sliding.length() / (closing * (1.0 + restitution)).max(f32::MIN_POSITIVE);
    let ahead = sliding.normalize_or_zero() * friction.min(stops);
    // Places are measured along the surface, in pixels.
    let along = normal.perp();
    let (mut sum, mut centers, mut weight) = (0.0, 0.0, 0.0);
    let loose = [0, 1].map(|i| bodies[i].filter(|body| body.is_dynamic() && !is_loose_ground[i]));
    for (body, sign) in loose.into_iter().zip([1.0, -1.0]) {
        let Some(body) = body else { continue };
        let inv_mass = 1.0 / body.mass().max(f32::MIN_POSITIVE);
        let from_center = middle - body.center_of_mass();
        let point = body.center_of_mass() + ahead * from_center.dot(normal).abs() * sign;
        sum += (point - middle).dot(along) * inv_mass;
        centers += -from_center.dot(along) * inv_mass;
        weight += inv_mass;
    }
    let (place, center) = (sum / weight, centers / weight);
    let [start, end] = [a, b].map(|contact| (contact.anchor1 - middle).dot(along));
    let is_within = |place: f32, slop: f32| (start.min(end) - slop..=start.max(end) + slop).contains(&place);
    // Whether the body's face reaches a place, and other ground is there, flush with this.
    let goes_on = |place: f32| {
        ground.is_some_and(|ground| {
            let (on, out) = if ground.side == 0 { (a.anchor1, normal) } else { (a.anchor2, -normal) };
            let reaches = |[p, q]: [Vec2; 2]| {
                let [from, to] = [p, q].map(|p| (p - middle).dot(along));
                let is_level = (p - q).dot(normal).abs() <= 0.01 * p.distance(q);
                is_level && (from.min(to)..=from.max(to)).contains(&place)
            };
            let at = || on + along * (place - (on - middle).dot(along));
            ground.bottom(out).is_some_and(reaches) && seams.is_level_at(at(), out, ground)
        })
    };
    if weight <= 0.0 || !is_within(place, 0.0) && !goes_on(place) {
        return;
    }
    if !is_within(center, SLOP) && goes_on(center) {
        contacts.clear();
        return;
    }
    if is_corner {
        return;
    }
    let share = (place - start) / (end - start);
    let (mut anchor1, mut anchor2) = (a.anchor1.lerp(b.anchor1, share), a.anchor2.lerp(b.anchor2, share));
    let dist = a.dist + (b.dist - a.dist) * share;
    let mut loose = loose.into_iter().flatten();
    if let (Some(body), None) = (loose.next(), loose.next()) {
        // Both impulses act along a line through the center of mass. There, the solver's steps within a tick find them
        // one by one; at the surface each would change what the other one has to be, and the body would hop.
        (anchor1, anchor2) = (body.center_of_mass() - normal * dist / 2.0, body.center_of_mass() + normal * dist / 2.0);
    }
    contacts.truncate(1);
    if let Some(one) = contacts.first_mut() {
        (one.anchor1, one.anchor2, one.dist) = (anchor1, anchor2, dist);
    }
}

impl PhysicsHooks for Listener<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let handles = [context.collider1, context.collider2];
        let [Some(a), Some(b)] = handles.map(|handle| context.colliders.get(handle)) else { return None };
        let bodies = [context.rigid_body1, context.rigid_body2].map(|body| context.bodies.get(body?));
        let [a_vel, b_vel] = bodies.map(|body| body.map_or(Vec2::ZERO, RigidBody::linvel));
        let is_crushed = entity_of(a.user_data)
            .zip(entity_of(b.user_data))
            .is_some_and(|(a, b)| self.crushes.ignore_each_other(a, b));
        let passes = is_crushed || self.flies_through(a, b, b_vel - a_vel) || self.flies_through(b, a, a_vel - b_vel);
        (!passes).then(SolverFlags::default)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let handles = [context.collider1, context.collider2];
        let bodies = [context.rigid_body1, context.rigid_body2].map(|body| context.bodies.get(body?));
        let colliders = handles.map(|handle| context.colliders.get(handle));
        let data = colliders.map(|collider| collider.map_or(0, |collider| collider.user_data));
        let (all, all_bodies) = (context.colliders, context.bodies);
        let Some(rigid) = context.rigid_mut() else { return };
        if rigid.solver_contacts.is_empty() {
            return;
        }
        // Whether the first or second one slides or rolls: loose bodies at rest are ground for it.
        let slides = [0, 1].map(|i| {
            let is_fast = |body: &RigidBody| body.is_dynamic() && is_fast_aside(body.linvel());
            self.is_from_side && bodies[i].is_some_and(is_fast)
        });
        let is_loose_ground = [0, 1].map(|i| slides[1 - i] && bodies[i].is_some_and(is_slow_loose));
        if is_loose_ground == [false; 2] && !colliders.into_iter().flatten().any(is_always_watched) {
            return;
        }
        let deepest = rigid.solver_contacts.iter().reduce(|a, b| if b.dist < a.dist { b } else { a });
        let anchors = deepest.map_or([Vec2::ZERO; 2], |contact| [contact.anchor1, contact.anchor2]);
        let point = anchors[0];
        let vel = bodies.map(|body| body.map_or(Vec2::ZERO, |body| body.velocity_at_point(point)));
        let mut on = None;
        for (i, sign) in [(0, 1.0), (1, -1.0)] {
            let other = 1 - i;
            let loose = bodies[other].filter(|body| body.is_dynamic());
            let at = chunk_of(data[i]);
            let edge = at.and_then(|at| {
                let subshape = if i == 0 { rigid.manifold.subshape1 } else { rigid.manifold.subshape2 };
                let chunk = self.tiles.chunk(at)?;
                let segments = if data[i] & IS_LEDGE != 0 { &chunk.ledges } else { &chunk.solid };
                segments.get(subshape as usize)
            });
            let is_ground = data[i] & IS_GROUND != 0 || is_loose_ground[i];
            if let (Some(_), Some(ground), Some(collider)) = (loose, colliders[i], colliders[other]) {
                if at.is_none() && !are_sound(rigid, i, [ground, collider]) {
                    // After a step without contacts they overlap a little, and the normal is right.
                    rigid.solver_contacts.clear();
                    return;
                }
                if let (Some(edge), Some(at)) = (edge, at) {
                    straighten(rigid, i, edge, self.tiles.chunk_px(at));
                }
                // By its own anchor: that of a box may lie past the middle of the ground, nearer to its other end.
                let corner = match (edge, at) {
                    (Some(edge), Some(at)) => Corner::of_edge(edge, self.tiles.chunk_px(at), anchors[i]),
                    _ if is_ground => Corner::of_body(ground, anchors[i]),
                    _ => None,
                };
                let vel = vel[other] - vel[i];
                let others = slides[other].then_some(all_bodies);
                let meeting =
                    Meeting { colliders: all, bodies: others, ground: handles[i], side: i, loose: collider, vel };
                if let Some(corner) = corner {
                    self.seams.smooth(rigid, corner, &meeting, |speed| self.margin(speed));
                }
                if rigid.solver_contacts.is_empty() {
                    return;
                }
                if edge.is_some() || is_ground {
                    on = Some(meeting);
                }
            }
            let out = *rigid.normal * sign;
            if loose.is_some() && data[i] & IS_WALKER != 0 && self.is_from_side {
                // The solver knows no limit to the force of a walker: it would press the body into the ground below, and
                // push one of a row aside that stands out by a hair from the one below the walker.
                let is_pinned = |walker| self.crushes.pinned.contains(&walker);
                let is_on = || colliders[i].zip(colliders[other]).is_some_and(|(walker, it)| steps_on(walker, it));
                let is_below = out.y > BEARS && !entity_of(data[i]).is_some_and(is_pinned);
                if is_below || out.y.abs() <= BEARS && is_on() {
                    rigid.solver_contacts.clear();
                    return;
                }
            }
            let parting = (vel[other] - vel[i]).dot(out);
            if data[i] & (IS_LEDGE | IS_ONE_WAY) != 0 {
                self.ledge(rigid, out, parting);
                if rigid.solver_contacts.is_empty() {
                    return;
                }
            }
            if let (Some(edge), Some(at), Some(body)) = (edge, at, loose) {
                let on_edge = rigid.solver_contacts.iter().map(|c| if i == 0 { c.anchor1 } else { c.anchor2 });
                if self.is_behind(edge, self.tiles.chunk_px(at), on_edge, body) {
                    rigid.solver_contacts.clear();
                    return;
                }
            }
            let can_be_rolled_on = edge.is_some() || is_ground;
            let rolling = loose.filter(|_| can_be_rolled_on).zip(colliders[other].and_then(rounding));
            if let Some((body, radius)) = rolling {
                roll(rigid.solver_contacts, *rigid.normal, radius, body.angvel(), self.dt);
            }
            if at.is_none() {
                continue;
            }
            let friction = edge.and_then(|edge| edge.material.friction);
            if let (Some(friction), Some(collider)) = (friction, colliders[other]) {
                *rigid.friction = (friction * collider.friction()).sqrt();
            }
            let conveyor = edge.map_or(0.0, |edge| edge.material.conveyor);
            if conveyor != 0.0 && loose.is_some() {
                // Velocity of the first body's surface relative to the second's.
                let belt = out.perp() * conveyor * sign;
                rigid.solver_contacts.iter_mut().for_each(|contact| contact.tangent_velocity += belt);
            }
            if let Some(key) = entity_of(data[other]) {
                self.record(|contacts| contacts.tiles.push(TileTouch { key, normal: out, point }));
            }
        }
        level_impact(rigid, bodies, is_loose_ground, &self.seams, on.as_ref());
    }
}

impl EventHandler for Listener<'_> {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        pair: Option<&ContactPair>,
    ) {
        let handles = [event.collider1(), event.collider2()];
        let found = handles.map(|handle| colliders.get(handle));
        let centers = found.map(|collider| collider.map_or(Vec2::ZERO, Collider::translation));
        let between = (centers[1] - centers[0]).try_normalize().unwrap_or(Vec2::NEG_Y);
        let (mut normal, mut point) = (between, centers[0].midpoint(centers[1]));
        if let Some((manifold, contact)) = pair.and_then(ContactPair::find_deepest_contact) {
            normal = manifold.data.normal;
            if let Some(first) = found[0] {
                point = *first.position() * contact.local_p1;
            }
        }
        let event = PairEvent {
            started: event.started(),
            sensor: event.sensor(),
            of: found.map(|collider| collider.map_or(0, |collider| collider.user_data)),
            normal,
            point,
        };
        self.record(|contacts| contacts.pairs.push(event));
    }

    fn handle_contact_force_event(&self, _: f32, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: f32) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
