//! Straight motion of walkers seen from the side: on bodies that are not part of the floor, such as platforms and
//! crates, and when they flee. They jump where a wall or a gap is ahead.
//!
//! Invariant: a walker with a goal leaves the body that carries it only where it will land and can continue to the
//! goal; elsewhere it stays at the edge and is carried along. Paths are in `walking`.

use glam::Vec2;

use crate::sim::{
    EntityKey,
    nav::{NoPath, NoPathReason, SAME_FLOOR_PX},
    physics::{WalkerSpec, stop_px},
};

use super::{World, movement::Steer, progress::Reached, walking::THERE_PX};

/// How deep a walker looks for ground beyond an edge, in pixels.
const GAP_PX: f32 = 48.0;
/// How far ahead of it the ground has to continue, in pixels.
const EDGE_PX: f32 = 2.0;

impl World {
    /// Walk straight to a goal, on a body that is no part of the floor, and record the progress.
    pub(super) fn walk_and_note(&mut self, key: EntityKey, spec: &WalkerSpec, goal: Vec2) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let pos = entity.pose.pos;
        let to = goal - pos;
        let on_ground = self.physics.on_ground(key);
        let mut steer = self.walk_straight(key, spec, goal);
        if entity.movement.no_path.is_some() {
            // It has jumped for a while, and got nowhere.
            steer.jump = None;
        }
        let stays = on_ground && self.stays_on_carrier(key, &steer, goal);
        // Hopping on the spot is no progress. Not by velocity: a walker pressed against a wall keeps its wanted one.
        let leads_nowhere = stays || to.x.abs() <= THERE_PX;
        let reason = if leads_nowhere { NoPathReason::Unconnected } else { NoPathReason::Wall };
        let falls = to.y > 0.0 && !on_ground;
        // Only falling deeper than ever gets it on: one that hops falls as well.
        let deepest =
            self.entities.get(key).and_then(|entity| entity.movement.reached).map_or(pos.y, |last| last.place().y);
        let place = Vec2::new(pos.x, if falls { deepest.max(pos.y) } else { deepest });
        let stuck = NoPath { reason, at: pos };
        self.note_progress(key, Reached::Place(place), |world| world.held_back(key, to).unwrap_or(stuck));
        if stays { Steer::default() } else { steer }
    }

    /// Whether a walker at the edge of the body that carries it would land where it cannot continue to the goal.
    fn stays_on_carrier(&mut self, key: EntityKey, steer: &Steer, goal: Vec2) -> bool {
        let Some(carrier) = self.physics.carrier(key).filter(|_| steer.dir.x != 0.0) else { return false };
        let Some((entity, body)) = self.entities.get(key).zip(self.physics.spec(key)) else { return false };
        let Some(walker) = self.walker(body, &entity.components) else { return false };
        let (pos, vel) = (entity.pose.pos, entity.pose.vel);
        let side = steer.dir.x.signum();
        let own = (vel.x - self.physics.pose(carrier).map_or(0.0, |pose| pose.vel.x)) * side;
        let stop = stop_px(own.max(0.0), walker.spec.deceleration());
        let lead = if side > 0.0 { walker.hi.x } else { -walker.lo.x };
        let edge = pos + Vec2::new(side * (lead + EDGE_PX + stop), walker.hi.y - 1.0);
        if !self.is_gap(key, edge) {
            return false;
        }
        let up = if steer.jump.is_some() || goal.y - pos.y < GAP_PX { walker.spec.jump_speed } else { 0.0 };
        let leaves = if steer.jump.is_some() { pos } else { pos + Vec2::new(side * stop, 0.0) };
        // It stays as well where that is not known yet.
        self.navigator.leads_on(&walker, (leaves, Vec2::new(vel.x, -up)), goal) != Some(true)
    }

    /// Whether there is no ground for a long way down from a place.
    fn is_gap(&self, key: EntityKey, at: Vec2) -> bool {
        let bottom = at + Vec2::new(0.0, GAP_PX);
        self.rules.grid.sight_clear(at, bottom) && self.physics.ray(at, bottom, &[key]).is_none()
    }

    /// Direction, slower where it is nearly there.
    fn toward(&self, to_x: f32) -> Vec2 {
        Vec2::new(to_x.signum() * (to_x.abs() / self.constants.arrive_distance.max(1.0)).min(1.0), 0.0)
    }

    pub(super) fn walk_straight(&self, key: EntityKey, spec: &WalkerSpec, goal: Vec2) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let to = goal - entity.pose.pos;
        let on_ground = self.physics.on_ground(key);
        // Right above or below: no horizontal distance is left.
        if to.x.abs() <= THERE_PX {
            let jump = (to.y < -SAME_FLOOR_PX && on_ground).then_some(spec.jump_speed);
            return Steer { jump, drop: to.y > SAME_FLOOR_PX, ..Steer::default() };
        }
        let jump = (on_ground && self.should_jump(key, spec, to.x.signum(), to)).then_some(spec.jump_speed);
        Steer { dir: self.toward(to.x), jump, drop: to.y > SAME_FLOOR_PX && to.x.abs() < 32.0, ..Steer::default() }
    }

    /// Whether a wall or a gap just ahead may be passed by a jump, or a ledge above leads to the goal.
    fn should_jump(&self, key: EntityKey, walker: &WalkerSpec, side: f32, to: Vec2) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let outlines = self.physics.outlines(key);
        if outlines.is_empty() {
            return false;
        }
        let fall = self.fall_of(key, walker);
        let height = fall.height(walker.jump_speed);
        let step = walker.step_height;
        if height <= step {
            return false;
        }
        let ahead = self.constants.jump_ahead;
        let (x, feet) = outlines.iter().flatten().fold((entity.pose.pos.x, f32::MIN), |(x, y), p| {
            (if side > 0.0 { x.max(p.x) } else { x.min(p.x) }, y.max(p.y))
        });
        let grid = &self.rules.grid;
        let clear = |a: Vec2, b: Vec2| grid.sight_clear(a, b);
        // Higher than a slope rises within this distance, lower than its jump.
        let rise = walker.steepest_rise() * ahead;
        let knee = Vec2::new(x, feet - step.max(rise.min(height * 0.5)) - 1.0);
        let wall = !clear(knee, knee + Vec2::new(side * ahead, 0.0));
        if wall {
            return true;
        }
        // A gap right ahead, unless the goal is down there.
        if to.y < GAP_PX && self.is_gap(key, Vec2::new(x + side * EDGE_PX, feet - 1.0)) {
            return true;
        }
        // A goal above, near enough to be reached by this jump.
        let reach = walker.speed * fall.rise_secs(walker.jump_speed);
        to.y < -SAME_FLOOR_PX && to.y > -(height + SAME_FLOOR_PX) && to.x.abs() < reach.max(24.0)
    }
}
