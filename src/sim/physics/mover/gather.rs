//! What is solid near a mover: tiles and other bodies, where they will be at the end of the step as far as that is known.
//!
//! Invariant: what a step of a mover depends on besides its own state is looked up here, so that `rest` knows when it
//! would be the same again.

use glam::Vec2;

use super::{Near, PUSH_REACH, Push, Solid};
use crate::{
    model::LevelView,
    sim::{
        EntityKey, limits,
        physics::{Physics, convex::Convex, index::Index, spec::PartSpec},
    },
};

impl Physics {
    /// Gather the solids near a mover that will move at most `reach` pixels.
    pub(in crate::sim::physics) fn gather(&self, key: EntityKey, reach: f32, index: &Index, near: &mut Near) {
        self.gather_on(None, key, reach, index, near);
    }

    /// The same for a walker that a loose body carries by so many pixels in this step: the solver moves that body later, and
    /// the walker finds it where it will be.
    pub(in crate::sim::physics) fn gather_on(
        &self,
        carrier: Option<(EntityKey, Vec2)>,
        key: EntityKey,
        reach: f32,
        index: &Index,
        near: &mut Near,
    ) {
        near.clear(key);
        near.crush_depth = self.config.crush_depth;
        near.push_px = self.config.solver.push_out_speed * self.config.dt_secs;
        let Some(body) = self.bodies.get(key) else { return };
        near.start = body.pose.pos;
        // However it is pushed, it moves no farther; speeds in data may be below zero.
        let reach = reach.max(0.0).min(limits::MAX_SPEED_PX_S * self.config.dt_secs * 3.0 + 16.0 * 1024.0);
        near.reach = reach;
        let Some(own) = &body.spec.collider else { return };
        let placed = |part: &PartSpec| part.convex.placed(Vec2::ZERO, body.pose.angle);
        let is_turned = body.pose.angle != 0.0;
        let turned: Vec<Convex> = own.parts.iter().filter(|_| is_turned).map(placed).collect();
        let shapes = || (0..).zip(&own.parts).map(|(i, part)| (turned.get(i).unwrap_or(&part.convex), part.sensor));
        let aabb = own.solid_bounds(Vec2::ZERO, body.pose.angle);
        (near.middle, near.half) = ((aabb.lo + aabb.hi) / 2.0, (aabb.hi - aabb.lo) / 2.0);
        let own_bounds = own.bounds(near.start, body.pose.angle);
        let mut region = own_bounds.grown(reach + 1.0);
        let mut others = std::mem::take(&mut near.others);
        index.near_touching(region, own.groups(), &mut others);
        // Fast bodies push the mover as far as they move, and movers that overlap it a little farther.
        let (own_key, push_px) = (near.key, near.push_px);
        let shift_of = |key: &EntityKey| {
            let body = self.bodies.get(*key).filter(|_| *key != own_key)?;
            if !body.spec.is_mover() {
                let ahead = self.pushed_along.get(&[*key, own_key]).map_or(0.0, |(_, shift)| shift.length());
                let lifted = self.lifted.get(key).map_or(0.0, |down| down.abs());
                return Some(body.end_pose().0.distance(body.pose.pos) + ahead.max(lifted));
            }
            let its_bounds = body.spec.collider.as_ref()?.bounds(body.pose.pos, body.pose.angle);
            its_bounds.swept(-body.pushed).meets(own_bounds).then(|| PUSH_REACH * (body.pushed.length() + push_px))
        };
        let pushed = others.iter().filter_map(shift_of).fold(0.0, f32::max);
        if pushed > 1.0 {
            region = region.grown(pushed);
            index.near_touching(region, own.groups(), &mut others);
        }
        if own.can_touch_tiles() {
            let mut corners = std::mem::take(&mut near.ground);
            self.tiles.visit(region, |ground| {
                corners.clear();
                corners.extend(ground.points.iter().map(|p| *p - near.start));
                for (shape, sensor) in shapes() {
                    let solid = Solid { reach: shape.radius, one_way: ground.one_way, sensor, ..Solid::still() };
                    near.add(solid, &corners, shape);
                }
            });
            near.ground = corners;
        }
        let stands = body.spec.walker.is_some() && self.config.view == LevelView::Platformer;
        let loose_push = if stands { Push::Up } else { Push::No };
        for other in others.iter().copied().filter(|other| *other != key) {
            let Some(body) = self.bodies.get(other).filter(|body| !body.is_faulty) else { continue };
            let Some(collider) = body.spec.collider.as_ref().filter(|collider| collider.can_touch(own)) else {
                continue;
            };
            let passes = self.pass_each_other(key, other) || self.crushes.ignore_each_other(key, other);
            let (mut pos, angle) = body.end_pose();
            let ahead = self.pushed_along.get(&[other, key]).map(|(_, shift)| *shift);
            let lifted = self.lifted.get(&other).filter(|_| stands).map(|down| Vec2::new(0.0, *down));
            let carrying = || carrier.filter(|(carrier, _)| *carrier == other).map(|(_, shift)| shift);
            pos += ahead.or(lifted).or_else(carrying).unwrap_or_default();
            let pushes = ahead.is_some() || self.crushes.pushes(other, key, near.start - body.pose.pos);
            let solid = Solid {
                entity: Some(other),
                one_way: collider.one_way,
                mass: body.spec.is_dynamic().then_some(body.spec.mass),
                vel: body.pose.vel,
                push: match &body.spec {
                    spec if spec.is_mover() => Push::Mover,
                    spec if spec.is_dynamic() && !pushes => loose_push,
                    _ => Push::Yes,
                },
                rise: (body.pose.pos.y - pos.y).max(0.0),
                shift: if body.spec.is_mover() { body.pushed } else { pos - body.pose.pos },
                pushed: body.pushed,
                expected_push: self.pushed_before.get(&other).copied().unwrap_or_default(),
                ahead: ahead.unwrap_or_default(),
                ..Solid::still()
            };
            for part in &collider.parts {
                let placed = part.convex.placed(pos - near.start, angle);
                for (shape, is_sensor) in shapes() {
                    let (reach, sensor) = (shape.radius + placed.radius, is_sensor || part.sensor);
                    if passes && !sensor {
                        continue;
                    }
                    near.add(Solid { reach, sensor, ..solid.clone() }, &placed.points, shape);
                }
            }
        }
        (near.others, near.region) = (others, region);
    }
}
