//! Views of what goes on in a tick: the forces that act on bodies, who looks where and sees whom, and what takes how
//! long.
//!
//! Invariant: queries change nothing and count as no work of a tick, and a tick that is measured is the same as one
//! that is not.
//! Contacts and the broad phase are `sim::physics`' own; why something stands still is `why`.

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

/// A force or acceleration below this is none, in px/s².
const LEAST_PX_S2: f32 = 1.0;

/// What acted on a body in the last tick, in kg·px/s². The parts add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceView {
    /// The entity.
    pub key: EntityKey,
    /// Its origin, in pixels.
    pub at: Vec2,
    /// Its mass times its acceleration.
    pub whole: Vec2,
    /// Of gravity.
    pub gravity: Vec2,
    /// Of zones.
    pub zones: Vec2,
    /// Of all else: contacts, joints, friction, impulses, and its own walking or flying.
    pub rest: Vec2,
}

/// Where an entity looks, and whom it sees there.
#[derive(Clone, Debug, PartialEq)]
pub struct GazeView {
    /// The entity.
    pub key: EntityKey,
    /// Where the eye is, in pixels.
    pub eye: Vec2,
    /// Unit vector.
    pub facing: Vec2,
    /// The whole angle, in radians.
    pub cone_rad: f32,
    /// How far it looks, in pixels.
    pub range_px: f32,
    /// An active state of one of its machines asks for what it sees; otherwise another state would.
    pub is_looking: bool,
    /// Whom it sees of those that it looks for, by key.
    pub sees: Vec<EntityKey>,
}

impl World {
    /// Pass one tick with these keys held, as [`World::step`] does, and measure what it spends its time on.
    pub fn step_measured(&mut self, input: &Input, profiler: &mut Profiler) -> TickProfile {
        let is_detailed = profiler.is_detailed();
        // What goes in the tick is charged where it was.
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

    /// Every entity that may be charged with time, with its definition and the cell that it is in.
    fn charged(&self) -> impl Iterator<Item = (EntityKey, &Name, Cell)> {
        self.entities.iter().map(|(key, entity)| (key, &entity.def, self.rules.grid.cell_at(entity.pose.pos)))
    }

    /// Where every entity is that is not being removed, by key: its origin, in pixels.
    pub fn places(&self) -> impl Iterator<Item = (EntityKey, Vec2)> {
        self.entities.iter().filter(|(_, entity)| !entity.is_deleted).map(|(key, entity)| (key, entity.pose.pos))
    }

    /// How an entity finds paths, if it does: its kind and radius, and how it walks and jumps where the level is seen
    /// from the side.
    #[must_use]
    pub fn agent_of(&self, key: EntityKey) -> Option<(Agent, Option<Arc<Walker>>)> {
        let entity = self.entities.get(key).filter(|entity| !entity.is_deleted)?;
        if entity.components.walker.is_none() && entity.components.flyer.is_none() {
            return None;
        }
        Some((entity.components.nav_agent(), self.walker_of(&entity.live)))
    }

    /// The number of the layer that an entity is on, and where it is: its origin, in pixels.
    #[must_use]
    pub fn spot(&self, key: EntityKey) -> Option<(usize, Vec2)> {
        self.entities.get(key).map(|entity| (entity.layer, entity.pose.pos))
    }

    /// What acted in the last tick on the bodies that forces move, and on walkers and flyers; those on which nothing
    /// did are left out.
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

    /// Where entities look whose machines ask for what they see, and whom they see: for the longest range that an
    /// active state asks for, else for the longest that any state does.
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
            let meant = self.all_meant(target, Some(key), None).into_iter().filter(|other| *other != key);
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
