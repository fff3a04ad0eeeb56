//! Zones of wind, water or another gravity, and their effect on bodies.
//!
//! Invariant: a zone acts on a body in proportion to the share of the body's area within it. Zones take effect by
//! ascending order, then key, so the sum is the same in every run. The effect is applied in `step` and `walk`.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::sim::{EntityKey, limits};

use super::{
    Physics, Pose,
    body::Body,
    convex::{Aabb, edges, outward},
    index::Index,
    spec::ColliderSpec,
};

/// Change of a resting body's acceleration that wakes it, in px/s².
const WAKES: f32 = 0.5;
/// Cosine of the angle to its goal within which an acceleration takes an agent there.
const TOWARD: f32 = 0.7;

/// How the strength of a zone depends on the distance from its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Falloff {
    /// Constant.
    #[default]
    None,
    /// Linear, down to zero at the farthest point of the zone.
    Linear,
    /// The square of the linear falloff.
    Square,
}

/// The effect of a zone on the bodies in it.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneSpec {
    /// Acceleration of the bodies in it, px/s².
    pub acceleration: Vec2,
    /// Acceleration toward the zone's origin, px/s²; below zero away from it.
    pub pull: f32,
    /// Whether it replaces gravity and the accelerations of zones of lower order.
    pub replaces: bool,
    /// Density of the water in it, kg per square meter.
    pub density: f32,
    /// Drag: the share of the speed lost each second, 1/s.
    pub drag: f32,
    /// How `acceleration` and `pull` depend on distance.
    pub falloff: Falloff,
    /// Order of taking effect: zones of greater order act later.
    pub order: i64,
}

/// Combined effect of the zones that a body is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Felt {
    /// Acceleration besides the remaining gravity, px/s².
    pub(super) acceleration: Vec2,
    /// Share of the level's gravity that remains, 0 to 1.
    pub(super) gravity: f32,
    /// Acceleration that replaces the share of gravity that zones remove, px/s²; included in `acceleration`.
    own_gravity: Vec2,
    /// Buoyancy, px/s²; included in `acceleration`.
    lift: Vec2,
    /// Torque, kg·px²/s².
    pub(super) torque: f32,
    /// Drag, 1/s.
    pub(super) drag: f32,
    /// Whether its middle is in water.
    pub(super) is_in_water: bool,
}

impl Default for Felt {
    fn default() -> Self {
        Self {
            acceleration: Vec2::ZERO,
            gravity: 1.0,
            own_gravity: Vec2::ZERO,
            lift: Vec2::ZERO,
            torque: 0.0,
            drag: 0.0,
            is_in_water: false,
        }
    }
}

impl Felt {
    /// Acceleration without buoyancy, px/s².
    fn push(&self) -> Vec2 {
        self.acceleration - self.lift
    }

    /// Deceleration by drag in a tick, px/s².
    pub(super) fn braking(&self, vel: Vec2, dt: f32) -> Vec2 {
        -vel * self.drag.min(1.0 / dt)
    }

    /// Acceleration of a swimmer by currents, px/s²: without gravity and buoyancy, which swimming balances.
    pub(super) fn current(&self) -> Vec2 {
        self.acceleration - self.own_gravity - self.lift
    }

    fn wakes(&self, before: &Self, mass: f32) -> bool {
        let change = (self.acceleration - before.acceleration).length() + (self.torque - before.torque).abs() / mass;
        change > WAKES || (self.gravity, self.is_in_water) != (before.gravity, before.is_in_water)
    }
}

impl ZoneSpec {
    /// The acceleration (px/s²) at a place, in a zone with its origin at `origin` and its farthest point `far` px from
    /// there.
    fn at(&self, place: Vec2, origin: Vec2, far: f32) -> Vec2 {
        let to = origin - place;
        let left = (1.0 - to.length() / far.max(f32::MIN_POSITIVE)).max(0.0);
        let strength = match self.falloff {
            Falloff::None => 1.0,
            Falloff::Linear => left,
            Falloff::Square => left * left,
        };
        (self.acceleration + to.normalize_or_zero() * self.pull) * strength
    }
}

impl Physics {
    /// Compute the effect of zones on bodies in this tick; `index` has all bodies.
    pub(super) fn feel_zones(&mut self, index: &Index) {
        if self.zones.is_empty() && self.in_zones.is_empty() {
            return;
        }
        let mut zones: Vec<(i64, EntityKey)> = Vec::new();
        for key in &self.zones {
            let body = self.bodies.get(*key).filter(|body| !body.is_faulty);
            zones.extend(body.and_then(|body| Some((body.spec.zone.as_ref()?.order, *key))));
        }
        zones.sort_unstable();
        let (mut felt, mut keys, mut n_near) = (BTreeMap::<EntityKey, Felt>::new(), Vec::new(), 0);
        for (_, key) in zones {
            let Some(zone) = self.bodies.get(key) else { continue };
            let Some(collider) = &zone.spec.collider else { continue };
            let outlines = self.outlines(key);
            let around = collider.bounds(zone.pose.pos, zone.pose.angle);
            index.near(around, &mut keys);
            n_near += keys.len();
            if n_near > limits::MAX_NEAR {
                self.overload = Some(format!("more than {} bodies are in zones", limits::MAX_NEAR));
                break;
            }
            for other in keys.iter().filter(|other| **other != key) {
                let Some(body) = self.bodies.get(*other) else { continue };
                if !(body.spec.is_dynamic() || body.spec.is_mover()) || body.is_faulty {
                    continue;
                }
                let before = felt.get(other).copied().unwrap_or_default();
                if let Some(now) = self.feel(zone, around, &outlines, body, before) {
                    felt.insert(*other, now);
                }
            }
        }
        let were = std::mem::take(&mut self.in_zones);
        for key in were.into_iter().filter(|key| !felt.contains_key(key)) {
            self.set_felt(key, Felt::default());
        }
        self.in_zones = felt.keys().copied().collect();
        felt.into_iter().for_each(|(key, felt)| self.set_felt(key, felt));
    }

    /// The effect on a body with one more zone; `None` if it is not in that zone.
    fn feel(&self, zone: &Body, around: Aabb, outlines: &[Vec<Vec2>], body: &Body, before: Felt) -> Option<Felt> {
        let (spec, of_zone) = (zone.spec.zone.as_ref()?, zone.spec.collider.as_ref()?);
        let collider = body.spec.collider.as_ref().filter(|collider| collider.can_touch(of_zone))?;
        if !collider.bounds(body.pose.pos, body.pose.angle).meets(around) {
            return None;
        }
        let is_sensor = collider.is_sensor();
        // Water lifts it by where it will be in the middle of the tick: a force that is half a tick late makes what floats
        // bob higher and higher.
        let ahead_secs = if spec.density > 0.0 && body.is_loose() { self.config.dt_secs / 2.0 } else { 0.0 };
        let Pose { pos, angle, vel, spin } = body.pose;
        let (pos, angle) = (pos + vel * ahead_secs, angle + spin * ahead_secs);
        let (mut whole, mut within, mut first, mut sum) = (0.0, 0.0, None, Vec2::ZERO);
        // Of its whole area, relative to its middle.
        let (middle, mut moment) = (body.center() + vel * ahead_secs, Vec2::ZERO);
        for part in collider.parts.iter().filter(|part| is_sensor || !part.sensor) {
            let own = part.convex.placed(pos, angle).outline();
            let (own_area, own_center) = area_and_center(&own);
            whole += own_area;
            moment += (own_center - middle) * own_area;
            for outline in outlines {
                let (shared, center) = common(&own, outline);
                if shared > 0.0 {
                    within += shared;
                    // Relative to the first, so that the center of a single one is exact.
                    sum += (center - *first.get_or_insert(center)) * shared;
                }
            }
        }
        if within <= 0.0 || whole <= 0.0 {
            return None;
        }
        let center = first.unwrap_or_default() + sum / within;
        let share = (within / whole).min(1.0);
        let mut felt = before;
        let far = outlines.iter().flatten().map(|p| p.distance(zone.pose.pos)).fold(0.0, f32::max);
        let acceleration = spec.at(center, zone.pose.pos, far);
        if spec.replaces {
            felt.acceleration *= 1.0 - share;
            felt.lift *= 1.0 - share;
            felt.gravity *= 1.0 - share;
            felt.own_gravity = felt.own_gravity * (1.0 - share) + acceleration * share;
        }
        felt.acceleration += acceleration * share;
        if spec.density > 0.0 {
            // Archimedes: the buoyancy is the weight of the displaced water.
            let displaced =
                spec.density * within.min(whole) / (self.config.pixels_per_meter * self.config.pixels_per_meter);
            let down = self.config.gravity() * body.spec.gravity_scale * felt.gravity + felt.own_gravity;
            let lift = -down * displaced;
            felt.acceleration += lift / body.spec.mass;
            felt.lift += lift / body.spec.mass;
            felt.torque += (center - (middle + moment / whole)).perp_dot(lift);
            felt.is_in_water |= outlines.iter().any(|outline| is_within(outline, middle));
        }
        felt.drag += spec.drag * share;
        Some(felt)
    }

    /// The zone that holds a walker or flyer back from a direction: the one that at this speed (px/s) accelerates it most
    /// against that, more than it accelerates by itself, where it is or where it would be this far on, in pixels.
    pub(in crate::sim) fn zone_against(&self, key: EntityKey, ahead: Vec2, speed: f32) -> Option<EntityKey> {
        let dir = ahead.try_normalize()?;
        let mut body = self.bodies.get(key)?.clone();
        let own = body.own_acceleration()?;
        let against = |felt: &Felt| felt.drag * speed - felt.acceleration.dot(dir);
        let mut most = None;
        for place in [body.pose.pos, body.pose.pos + ahead] {
            body.pose.pos = place;
            for (zone, felt) in self.zones_of(key, &body) {
                let against = against(&felt);
                if against >= own && most.is_none_or(|(_, known)| against > known) {
                    most = Some((zone, against));
                }
            }
        }
        most.map(|(zone, _)| zone)
    }

    /// Whether the zones that a walker or flyer [is in](Self::is_in_zone) accelerate it, at this speed (px/s), at least as
    /// much as it accelerates by itself, and not toward `to`, a direction. `on_ledges`, as walkers seen from the side are,
    /// it is to either side, or up so that it loses the ground. Buoyancy does not count.
    pub(in crate::sim) fn is_overpowered(&self, key: EntityKey, speed: f32, to: Vec2, on_ledges: bool) -> bool {
        let Some((body, own)) = self.bodies.get(key).and_then(|body| Some((body, body.own_acceleration()?))) else {
            return false;
        };
        let pushed = body.felt.push();
        let weight = self.config.gravity().y * body.spec.gravity_scale * body.felt.gravity;
        let is_lifted = on_ledges && pushed.y + weight < 0.0;
        let pushed = if on_ledges { Vec2::new(pushed.x, 0.0) } else { pushed };
        let helps = pushed.dot(to) > TOWARD * pushed.length() * to.length();
        is_lifted || !helps && pushed.length() + body.felt.drag * speed >= own
    }

    /// The zone that accelerates a body most, at this speed (px/s). Buoyancy does not count.
    pub(in crate::sim) fn strongest_zone(&self, key: EntityKey, speed: f32) -> Option<EntityKey> {
        let strength = |felt: &Felt| felt.push().length() + felt.drag * speed;
        let zones = self.zones_of(key, self.bodies.get(key)?);
        let strongest = zones.max_by(|(_, a), (_, b)| strength(a).total_cmp(&strength(b)));
        strongest.map(|(zone, _)| zone)
    }

    /// The zones that a body is in, each with its own effect.
    fn zones_of<'a>(&'a self, key: EntityKey, body: &'a Body) -> impl Iterator<Item = (EntityKey, Felt)> + 'a {
        self.zones.iter().filter(move |zone| **zone != key).filter_map(move |zone| {
            let it = self.bodies.get(*zone).filter(|it| !it.is_faulty)?;
            let around = it.spec.collider.as_ref()?.bounds(it.pose.pos, it.pose.angle);
            Some((*zone, self.feel(it, around, &self.outlines(*zone), body, Felt::default())?))
        })
    }

    /// The y in pixels at which the water of zones above a place ends, for water that a collider can touch; `None`
    /// where there is no water. `index` has all bodies.
    pub(super) fn water_top(&self, own: &ColliderSpec, at: Vec2, index: &Index) -> Option<f32> {
        if self.zones.is_empty() {
            return None;
        }
        let mut keys = Vec::new();
        index.near(Aabb { lo: at, hi: at }, &mut keys);
        let tops = keys.into_iter().filter_map(|key| {
            let zone = self.bodies.get(key).filter(|body| !body.is_faulty)?;
            zone.spec.zone.as_ref().filter(|spec| spec.density > 0.0)?;
            zone.spec.collider.as_ref().filter(|collider| collider.can_touch(own))?;
            let outlines = self.outlines(key).into_iter();
            outlines.filter(|outline| is_within(outline, at)).map(|outline| top(&outline, at.x)).reduce(f32::min)
        });
        tops.reduce(f32::min)
    }

    /// Set the combined effect of zones on a body.
    fn set_felt(&mut self, key: EntityKey, felt: Felt) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        if body.felt == felt {
            return;
        }
        let wakes = felt.wakes(&body.felt, body.spec.mass);
        body.felt = felt;
        if body.spec.is_dynamic() {
            self.solver.set_felt(body, self.free.contains(&key), wakes, &self.config);
        }
    }
}

/// The area (px²) that two convex outlines share, corners clockwise on the screen, and its center.
///
/// Source: Sutherland, Hodgman, "Reentrant polygon clipping" (1974).
fn common(a: &[Vec2], b: &[Vec2]) -> (f32, Vec2) {
    let mut points = a.to_vec();
    let mut next = Vec::with_capacity(points.len() + 4);
    for (from, to) in edges(b) {
        let out = outward(from, to);
        next.clear();
        for (p, q) in edges(&points) {
            let (of_p, of_q) = (out.dot(p - from), out.dot(q - from));
            if of_p <= 0.0 {
                next.push(p);
            }
            if (of_p < 0.0 && of_q > 0.0) || (of_p > 0.0 && of_q < 0.0) {
                next.push(p + (q - p) * (of_p / (of_p - of_q)));
            }
        }
        std::mem::swap(&mut points, &mut next);
    }
    area_and_center(&points)
}

/// The area (px²) of a convex outline, corners clockwise on the screen, and its center.
fn area_and_center(points: &[Vec2]) -> (f32, Vec2) {
    let Some(first) = points.first().copied() else { return (0.0, Vec2::ZERO) };
    // Relative to one of the corners, so that places far from the origin keep their precision.
    let (mut twice, mut sum) = (0.0, Vec2::ZERO);
    for (p, q) in edges(points).map(|(p, q)| (p - first, q - first)) {
        let cross = p.perp_dot(q);
        twice += cross;
        sum += (p + q) * cross;
    }
    if twice <= 1e-6 { (0.0, first) } else { (twice / 2.0, first + sum / (3.0 * twice)) }
}

/// The least y of an outline at a horizontal position, in pixels.
fn top(outline: &[Vec2], x: f32) -> f32 {
    let heights = edges(outline).filter_map(|(a, b)| {
        let share = (x - a.x) / (b.x - a.x);
        (0.0..=1.0).contains(&share).then_some(a.y + (b.y - a.y) * share)
    });
    heights.fold(f32::INFINITY, f32::min)
}

fn is_within(outline: &[Vec2], place: Vec2) -> bool {
    edges(outline).all(|(a, b)| outward(a, b).dot(place - a) <= 0.0)
}

impl Body {
    /// The least acceleration of a walker or flyer where it is, on land or in water, px/s².
    fn own_acceleration(&self) -> Option<f32> {
        let (walker, flyer) = (self.spec.walker.as_ref(), self.spec.flyer.as_ref());
        let swim = walker.and_then(|it| it.swim.as_ref()).filter(|_| self.felt.is_in_water);
        let accelerations =
            [walker.map(|it| it.acceleration), swim.map(|it| it.acceleration), flyer.map(|it| it.acceleration)];
        accelerations.into_iter().flatten().reduce(f32::min)
    }

    /// The middle of its collider in world pixels; its origin if it has none.
    pub(super) fn center(&self) -> Vec2 {
        let Some(collider) = &self.spec.collider else { return self.pose.pos };
        let around = collider.solid_bounds(self.pose.pos, self.pose.angle);
        (around.lo + around.hi) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::{super::convex::Convex, *};

    #[test]
    fn the_common_area_of_two_outlines_and_its_center() {
        let square = |x: f32, y: f32, side: f32| Convex::rect(Vec2::new(x, y), Vec2::new(x + side, y + side)).points;
        assert_eq!(common(&square(0.0, 0.0, 8.0), &square(4.0, 2.0, 8.0)), (24.0, Vec2::new(6.0, 5.0)));
        assert_eq!(common(&square(0.0, 0.0, 8.0), &square(-4.0, -4.0, 32.0)), (64.0, Vec2::splat(4.0)));
        assert_eq!(common(&square(0.0, 0.0, 8.0), &square(8.0, 0.0, 8.0)).0, 0.0);
        assert_eq!(common(&square(0.0, 0.0, 8.0), &square(40.0, 0.0, 8.0)).0, 0.0);
        let diamond = [Vec2::new(4.0, 0.0), Vec2::new(8.0, 4.0), Vec2::new(4.0, 8.0), Vec2::new(0.0, 4.0)];
        assert_eq!(common(&diamond, &square(0.0, 0.0, 8.0)), (32.0, Vec2::splat(4.0)));
        let (half, center) = common(&diamond, &square(0.0, 4.0, 8.0));
        assert!((half - 16.0).abs() < 1e-4 && center.abs_diff_eq(Vec2::new(4.0, 4.0 + 4.0 / 3.0), 1e-4), "{center}");
    }
}
