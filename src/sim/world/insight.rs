//! Views of a tick: forces on bodies, cones of sight and whom they see, time spent.
//!
//! Invariant: queries change nothing and are not charged to a tick, and a tick that is measured is the same as one that
//! is not. Views of contacts and the broad phase are in `sim::physics`; why an entity stands still is in `why`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Cell, Name},
    sim::{
        EntityKey, Input,
        behavior::{Question, Target},
        insight::profile::{Meter, Profiler, System, TickProfile},
        nav::{Agent, Walker},
        physics::Pulls,
    },
};

use super::{World, entity::Entity};

/// Forces per mass and accelerations below this count as zero, px/s².
const LEAST_PX_S2: f32 = 1.0;

/// The forces on a body in the last tick, in kg·px/s². The parts add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceView {
    /// The entity.
    pub key: EntityKey,
    /// Its origin, in pixels.
    pub at: Vec2,
    /// The total: mass times acceleration.
    pub whole: Vec2,
    /// The part of gravity.
    pub gravity: Vec2,
    /// The part of zones.
    pub zones: Vec2,
    /// The rest: contacts, joints, friction, impulses, and its own walking or flying.
    pub rest: Vec2,
}

/// The cone of sight of an entity, and whom it sees in it.
#[derive(Clone, Debug, PartialEq)]
pub struct GazeView {
    /// The entity.
    pub key: EntityKey,
    /// Position of the eye, in pixels.
    pub eye: Vec2,
    /// Unit vector of the direction it faces.
    pub facing: Vec2,
    /// The whole angle of the cone, in radians.
    pub cone_rad: f32,
    /// The range, in pixels.
    pub range_px: f32,
    /// Whether an active state of one of its machines tests what it sees; otherwise another state does.
    pub is_looking: bool,
    /// The entities that it sees, of those that it looks for, by key.
    pub sees: Vec<EntityKey>,
}

impl World {
    /// Advance by one tick with this input, as [`World::step`] does, and measure the time spent.
    pub fn step_measured(&mut self, input: &Input, profiler: &mut Profiler) -> TickProfile {
        let is_detailed = profiler.is_detailed();
        // Entities that are removed in the tick are charged at their last place.
        let charged = || self.charged().map(|(key, def, cell)| (key, def.clone(), cell)).collect();
        let before: Vec<_> = if is_detailed { charged() } else { Vec::new() };
        let tick = self.tick;
        profiler.meter().sample(System::Tick, |meter| {
            let mut off = Meter::off();
            self.pass_tick(input, if is_detailed { meter } else { &mut off });
        });
        let times = (tick, self.time_secs(), self.timestep_secs());
        if is_detailed {
            profiler.finish(times, self.physics.solver_loads(), self.charged(), before)
        } else {
            profiler.finish(times, std::iter::empty(), std::iter::empty(), [])
        }
    }

    /// Every entity that may be charged with time, with its definition and its cell.
    fn charged(&self) -> impl Iterator<Item = (EntityKey, &Name, Cell)> {
        self.entities.iter().map(|(key, entity)| (key, &entity.def, self.rules.grid.cell_at(entity.pose.pos)))
    }

    /// The origin of every entity that is not being removed, in pixels, by key.
    pub fn places(&self) -> impl Iterator<Item = (EntityKey, Vec2)> {
        self.entities.iter().filter(|(_, entity)| !entity.is_deleted).map(|(key, entity)| (key, entity.pose.pos))
    }

    /// How an entity finds paths, if it does: its agent (kind and radius) and, in a level seen from the side, its
    /// walker.
    #[must_use]
    pub fn agent_of(&self, key: EntityKey) -> Option<(Agent, Option<Arc<Walker>>)> {
        let entity = self.entities.get(key).filter(|entity| !entity.is_deleted)?;
        if entity.components.walker.is_none() && entity.components.flyer.is_none() {
            return None;
        }
        Some((entity.components.nav_agent(), self.walker_of(&entity.live)))
    }

    /// The number of an entity's layer, and its origin, in pixels.
    #[must_use]
    pub fn spot(&self, key: EntityKey) -> Option<(usize, Vec2)> {
        self.entities.get(key).map(|entity| (entity.layer, entity.pose.pos))
    }

    /// The forces in the last tick on dynamic bodies, walkers and flyers; those without forces are left out.
    pub fn forces(&self) -> impl Iterator<Item = ForceView> {
        self.entities.iter().filter_map(|(key, entity)| {
            let Pulls { gravity, zones } = self.physics.pulls(key).filter(|_| !self.physics.is_sleeping(key))?;
            let mass = self.physics.spec(key)?.mass;
            let whole = entity.acceleration * mass;
            let rest = whole - gravity - zones;
            let is_some = |force: Vec2| force.length() > LEAST_PX_S2 * mass;
            let acts = [whole, gravity, zones, rest].into_iter().any(is_some);
            acts.then_some(ForceView { key, at: entity.pose.pos, whole, gravity, zones, rest })
        })
    }

    /// The cones of sight of the entities whose machines test what they see, and whom they see: with the longest range
    /// that an active state tests, else the longest of any state.
    pub fn gazes(&self) -> impl Iterator<Item = GazeView> {
        self.entities.iter().filter(|(_, entity)| !entity.is_deleted).filter_map(|(key, entity)| self.gaze(key, entity))
    }

    fn gaze(&self, key: EntityKey, entity: &Entity) -> Option<GazeView> {
        let mut looks: Vec<(&Target, f32, bool)> = Vec::new();
        let front = entity.queue.front();
        for running in entity.machines.iter().chain(front).flatten() {
            let now = running.cursor.is_started().then(|| running.cursor.current());
            running.program.each_question(now, &mut |question, is_active| {
                if let Question::CanSee { target, range } = question {
                    looks.push((target, *range, is_active && !running.cursor.is_stopped()));
                }
            });
        }
        let is_looking = looks.iter().any(|(_, _, is_active)| *is_active);
        looks.retain(|(_, _, is_active)| *is_active || !is_looking);
        let range_px = looks.iter().map(|(_, range, _)| *range).reduce(f32::max)?;
        let sight = &entity.components.sight;
        let (eye, facing, cone_rad) = (entity.pose.pos + sight.offset, entity.movement.facing, sight.cone_rad);
        let mut sees: Vec<EntityKey> = Vec::new();
        for (target, range, _) in looks.iter().filter(|_| is_looking) {
            let meant = self.resolve_all(target, Some(key), None).into_iter().filter(|other| *other != key);
            sees.extend(
                meant.filter(|other| self.pos(*other).is_some_and(|at| self.sees(eye, at, (facing, cone_rad), *range))),
            );
        }
        sees.sort_unstable();
        sees.dedup();
        Some(GazeView { key, eye, facing, cone_rad, range_px, is_looking, sees })
    }

    /// Whether a place is in sight of an eye, as `CanSee` has it.
    fn sees(&self, eye: Vec2, at: Vec2, cone: (Vec2, f32), range: f32) -> bool {
        is_in_cone(at - eye, cone, range) && self.rules.grid.sight_clear(eye, at)
    }
}

/// Whether a place so far from an eye, in pixels, is within its range and its cone: where it faces, as a unit vector,
/// and the whole angle in radians. What is between does not count.
pub(super) fn is_in_cone(to: Vec2, (facing, cone_rad): (Vec2, f32), range_px: f32) -> bool {
    let half = cone_rad / 2.0;
    to.length() <= range_px && (half >= std::f32::consts::PI || facing.angle_to(to).abs() <= half + 1e-4)
}
