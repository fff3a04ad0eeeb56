//! Bodies: what falls, bounces, walks, flies and is touched. rapier2d solves; this module makes its input and reads its
//! output.
//!
//! Invariant: everything is pixels, seconds, radians and kilograms with y down, and the same calls in the same order
//! give the same state, bit for bit. Nothing non-finite gets in, and a body that becomes so is taken out and reported.
//! What bodies mean to the game is `sim::world`; finding paths is `sim::nav`.
//!
//! Gravity: a body that touches nothing gains `g·dt` before the solver moves it, so free fall is symplectic
//! (`v += g·dt`, then `x += v·dt`). A body in contact is pulled within the solver's own sub-steps, which stacks need to
//! rest. Tiles bounce fully: with the geometric mean, a ball's restitution `e` on tiles is `√e`.

mod carry;
mod config;
pub mod convex;
pub mod sat;
pub mod spec;

mod body;
mod corner;
mod crush;
mod dash;
mod ends;
mod feel;
mod hooks;
mod index;
mod inspect;
mod joint;
mod jump;
mod medium;
mod mover;
mod outline;
mod parts;
mod pull;
mod query;
mod respec;
mod solver;
mod step;
mod surface;
mod tiles;
mod touch;
mod walk;
mod zone;

pub use body::{Fault, Pose, WalkInput};
pub use config::{PhysicsConfig, SolverConfig};
pub use crush::Crushed;
pub use feel::{Fall, stop_px};
pub use inspect::{BroadPhase, Energy, Pulls, Touched};
pub use joint::{Broken, JointKind, JointSpec, Link, Motor};
pub(in crate::sim) use mover::SKIN;
pub use query::{ContactView, Hit, TileOutline};
pub use spec::{BodyKind, BodySpec, ColliderSpec, DashSpec, FlyerSpec, PartSpec, SwimSpec, WalkerSpec, WallSpec};
pub use touch::{Contact, Other};
pub use zone::{Falloff, ZoneSpec};

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use glam::Vec2;
use rapier2d::prelude::ColliderHandle;
use slotmap::SecondaryMap;

use crate::{
    model::{Cell, LevelView},
    sim::{
        EntityKey,
        grid::{CellKind, SolidGrid},
        limits,
    },
};

use body::{Body, Motion};
use crush::Crushes;
use index::Index;
use joint::Held;
use solver::{LEAST_ITERATIONS, Solver};
use tiles::TileMap;
use touch::Touches;

/// The physical world. A clone is a snapshot.
#[derive(Clone)]
pub struct Physics {
    config: PhysicsConfig,
    tick: u64,
    bodies: SecondaryMap<EntityKey, Body>,
    solver: Solver,
    tiles: TileMap,
    /// By chunk, and whether it is the outline of what is solid only from above.
    tile_colliders: BTreeMap<(Cell, bool), ColliderHandle>,
    /// Dynamic bodies without contact, whose gravity is applied here.
    free: BTreeSet<EntityKey>,
    touches: Touches,
    crushes: Crushes,
    /// Bodies that are zones, and those that are in one.
    zones: BTreeSet<EntityKey>,
    in_zones: BTreeSet<EntityKey>,
    /// By the body whose they are.
    joints: BTreeMap<EntityKey, Held>,
    broken: Vec<Broken>,
    faults: Vec<Fault>,
    /// Why the last step was cut short.
    overload: Option<String>,
    /// The places of all bodies when there were last few enough pairs of them, even had each been anywhere within
    /// `NEAR_PX`. While all are within that distance of them, pairs need not be counted.
    uncrowded: Option<SecondaryMap<EntityKey, Vec2>>,
    /// Ticks in which such places are not sought, as there were none.
    n_dense: u8,
    /// Index of entities by place; made at the first query, dropped when something moves.
    index: OnceLock<Index>,
    /// Counts the changes of bodies that stand still.
    still_revision: u64,
    /// Kinematic bodies that stand still for now.
    resting: BTreeSet<EntityKey>,
}

impl std::fmt::Debug for Physics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Physics({} bodies, tick {})", self.bodies.len(), self.tick)
    }
}

impl Physics {
    /// How many bodies there are.
    pub(in crate::sim) fn n_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// An empty world. Values that make no sense are replaced by the nearest that do.
    #[must_use]
    pub fn new(config: PhysicsConfig) -> Self {
        let config = sane(config);
        Self {
            solver: Solver::new(&config),
            config,
            tick: 0,
            bodies: SecondaryMap::new(),
            tiles: TileMap::default(),
            tile_colliders: BTreeMap::new(),
            free: BTreeSet::new(),
            touches: Touches::default(),
            crushes: Crushes::default(),
            zones: BTreeSet::new(),
            in_zones: BTreeSet::new(),
            joints: BTreeMap::new(),
            broken: Vec::new(),
            faults: Vec::new(),
            overload: None,
            uncrowded: None,
            n_dense: 0,
            index: OnceLock::new(),
            still_revision: 0,
            resting: BTreeSet::new(),
        }
    }

    /// How the world behaves.
    #[must_use]
    pub fn config(&self) -> &PhysicsConfig {
        &self.config
    }

    /// Change how the world behaves, while it runs.
    pub fn set_config(&mut self, config: PhysicsConfig) {
        let pulled = self.config.gravity();
        self.config = sane(config);
        self.solver.configure(&self.config);
        self.bodies.values().for_each(|body| self.solver.set_rest(body, &self.config));
        let damping = self.config.floor_damping();
        for body in self.bodies.values().filter(|body| body.spec.is_dynamic()) {
            self.solver.set_damping(body, damping);
            // What came to rest under another gravity would stay where it is.
            if self.config.gravity() != pulled {
                self.solver.wake(body);
            }
        }
    }

    /// Take over all tiles.
    pub fn set_grid(&mut self, grid: &SolidGrid) {
        self.tiles = TileMap::new(grid);
        let all: BTreeSet<Cell> =
            self.tiles.chunks().map(|(at, _)| at).chain(self.tile_colliders.keys().map(|(at, _)| *at)).collect();
        all.into_iter().for_each(|at| self.rebuild_chunk(at));
    }

    /// Take over the tiles of one chunk, by chunk coordinates. Costs as much as the chunk, however large the level is.
    pub fn update_chunk(&mut self, grid: &SolidGrid, chunk: Cell) {
        if grid.tile_size() != self.tiles.tile_size() {
            self.set_grid(grid);
            return;
        }
        for at in self.tiles.update(grid, chunk) {
            self.rebuild_chunk(at);
        }
    }

    fn rebuild_chunk(&mut self, at: Cell) {
        for ledge in [false, true] {
            let segments =
                self.tiles.chunk(at).map_or(&[][..], |chunk| if ledge { &chunk.ledges } else { &chunk.solid });
            let old = self.tile_colliders.remove(&(at, ledge));
            if let Some(old) = old {
                self.solver.remove_collider(old);
            }
            if let Some(new) = self.solver.insert_tiles(at, ledge, self.tiles.chunk_px(at), segments) {
                self.tile_colliders.insert((at, ledge), new);
            }
        }
    }

    /// Put a body into the world, its origin at a place in pixels and turned by an angle in radians. A body of the same
    /// key is replaced.
    ///
    /// # Errors
    /// Why the body or its place is invalid; then no body was added.
    pub fn spawn(&mut self, key: EntityKey, spec: &BodySpec, pos: Vec2, angle: f32) -> Result<(), String> {
        spec.check()?;
        if !(pos.is_finite() && angle.is_finite()) {
            return Err("its place is not finite".into());
        }
        let joints = self.joints_of(key);
        joints.iter().for_each(|joint| self.detach(*joint));
        self.take_out(key);
        let pose = Pose { pos, angle, vel: spec.velocity, spin: spec.spin };
        let (pose, exceeded) = pose.of(spec).within_limits();
        let mut body = self.solver.insert(key, spec, pose, &self.config);
        self.solver.set_rest(&body, &self.config);
        if spec.is_dynamic() {
            self.free.insert(key);
        }
        self.faults.extend(body.limited(key, exceeded));
        self.still_revision += u64::from(body.spec.is_static());
        self.zones.extend(spec.zone.is_some().then_some(key));
        self.bodies.insert(key, body);
        joints.into_iter().for_each(|joint| self.attach(joint));
        self.uncrowded = None;
        self.index.take();
        Ok(())
    }

    /// Take a body out of the world, with the joints that hold it. The next step reports the end of its contacts.
    pub fn despawn(&mut self, key: EntityKey) {
        for joint in self.joints_of(key) {
            self.set_joint(joint, None);
        }
        self.take_out(key);
    }

    fn take_out(&mut self, key: EntityKey) {
        if let Some(body) = self.bodies.remove(key) {
            self.still_revision += u64::from(body.spec.is_static() || self.resting.remove(&key));
            self.solver.remove(body.handle);
            self.free.remove(&key);
            self.zones.remove(&key);
            self.in_zones.remove(&key);
            self.touches.forget(key);
            self.crushes.forget(key);
            self.index.take();
        }
    }

    /// Whether a body is in the world.
    #[must_use]
    pub fn contains(&self, key: EntityKey) -> bool {
        self.bodies.contains_key(key)
    }

    /// Where a body is and how it moves.
    #[must_use]
    pub fn pose(&self, key: EntityKey) -> Option<Pose> {
        self.bodies.get(key).map(|body| body.pose)
    }

    /// A body's spec.
    #[must_use]
    pub fn spec(&self, key: EntityKey) -> Option<&BodySpec> {
        self.bodies.get(key).map(|body| &body.spec)
    }

    /// Put a body somewhere at once, in pixels and radians; it keeps its velocity. What is not finite is ignored.
    pub fn set_pose(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        if let Some(body) = self.bodies.get_mut(key)
            && pos.is_finite()
            && angle.is_finite()
        {
            let (pose, exceeded) = Pose { pos, angle, ..body.pose }.within_limits();
            body.pose = pose;
            body.motion.leave_ground();
            self.still_revision += u64::from(body.spec.is_static() || self.resting.contains(&key));
            self.solver.place(body);
            self.faults.extend(body.limited(key, exceeded));
            self.index.take();
        }
    }

    /// Why the last step was cut short; nothing when it was not.
    pub fn take_overload(&mut self) -> Option<String> {
        self.overload.take()
    }

    /// Where a kinematic body will be after the next step, in pixels and radians. It pushes and carries what is there.
    pub fn set_next_pose(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        if let Some(Motion::Carried { next, .. }) = self.bodies.get_mut(key).map(|body| &mut body.motion)
            && pos.is_finite()
            && angle.is_finite()
        {
            *next = Some((limits::place(pos), angle));
        }
    }

    /// Set whether a kinematic body stands still for now, so that it counts among what does, as a closed door.
    pub fn set_resting(&mut self, key: EntityKey, rests: bool) {
        let changed = if rests && self.is_carried(key) { self.resting.insert(key) } else { self.resting.remove(&key) };
        self.still_revision += u64::from(changed);
    }

    /// Set a body's velocity, in px/s; static bodies have none.
    pub fn set_velocity(&mut self, key: EntityKey, vel: Vec2) {
        if let Some(body) = self.bodies.get_mut(key)
            && vel.is_finite()
            && !body.spec.is_static()
        {
            let (pose, exceeded) = Pose { vel, ..body.pose }.within_limits();
            body.pose = pose;
            if vel.y < 0.0 {
                body.motion.leave_ground();
            }
            self.solver.set_velocity(body);
            self.faults.extend(body.limited(key, exceeded));
        }
    }

    /// Change a body's velocity at once, in kg·px/s. Static and kinematic bodies ignore it.
    pub fn add_impulse(&mut self, key: EntityKey, impulse: Vec2) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        if impulse.is_finite() && (body.spec.is_dynamic() || body.spec.is_mover()) {
            let vel = body.pose.vel + impulse / body.spec.mass;
            self.set_velocity(key, vel);
        }
    }

    /// Where a walker wants to go in the next step; without a call it wants to stand.
    pub fn walk(&mut self, key: EntityKey, input: WalkInput) {
        if let Some(Motion::Walk(walk)) = self.bodies.get_mut(key).map(|body| &mut body.motion) {
            walk.input = input.sane();
        }
    }

    /// Set the velocity that a flyer wants, in px/s, until the next call.
    pub fn fly(&mut self, key: EntityKey, desired: Vec2) {
        if let Some(Motion::Fly(fly)) = self.bodies.get_mut(key).map(|body| &mut body.motion)
            && desired.is_finite()
        {
            fly.desired = desired;
        }
    }

    /// Whether a walker stands on something. In levels seen from above always true.
    #[must_use]
    pub fn on_ground(&self, key: EntityKey) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        match &body.motion {
            _ if self.config.view == LevelView::TopDown => true,
            Motion::Walk(walk) => walk.ground.is_some(),
            _ => self.touches.of(key).any(|touch| touch.normal.y < -0.5 && !touch.sensor),
        }
    }

    /// The body that a walker stands on.
    #[must_use]
    pub fn carrier(&self, key: EntityKey) -> Option<EntityKey> {
        let Motion::Walk(walk) = &self.bodies.get(key)?.motion else { return None };
        match walk.ground.as_ref()?.other {
            Other::Entity(other) => Some(other),
            Other::Tile { .. } => None,
        }
    }

    /// Whether a walker jumps or falls: it stands on nothing, holds no ladder and does not swim.
    #[must_use]
    pub fn is_in_air(&self, key: EntityKey) -> bool {
        !self.on_ground(key) && !matches!(self.clip_of_motion(key), Some("climb" | "swim"))
    }

    /// The clip of what a walker does beside walking and jumping: `dash`, `climb` or `swim`.
    #[must_use]
    pub fn clip_of_motion(&self, key: EntityKey) -> Option<&'static str> {
        let body = self.bodies.get(key)?;
        let Motion::Walk(walk) = &body.motion else { return None };
        if walk.dash.left_secs > 0.0 {
            return Some("dash");
        }
        if walk.climbs {
            return Some("climb");
        }
        let is_swimming = body.spec.walker.as_ref()?.swim.is_some() && walk.ground.is_none();
        let is_in = || body.felt.is_in_water || self.entered(body).is_some_and(|kind| kind.water);
        (is_swimming && is_in()).then_some("swim")
    }

    /// The ladder or water that the middle of a body is in.
    fn entered(&self, body: &Body) -> Option<&CellKind> {
        body.spec.collider.as_ref().filter(|_| self.config.view == LevelView::Platformer)?;
        self.tiles.entered(body.center())
    }

    /// Whether a walker is where it can go up without a jump: at a ladder that it climbs, or in water in which it
    /// swims.
    #[must_use]
    pub fn can_go_up(&self, key: EntityKey) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(walker) = &body.spec.walker else { return false };
        let kind = self.entered(body);
        let is_in_water = body.felt.is_in_water || kind.is_some_and(|kind| kind.water);
        kind.is_some_and(|kind| kind.ladder && walker.climb_speed.is_some()) || is_in_water && walker.swim.is_some()
    }

    /// Whether a walker's request to jump was met in the last step.
    #[must_use]
    pub fn has_jumped(&self, key: EntityKey) -> bool {
        matches!(self.bodies.get(key).map(|body| &body.motion), Some(Motion::Walk(walk)) if walk.has_jumped)
    }

    /// Bodies that had to be taken out of the simulation since the last call, each reported once.
    pub fn drain_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// A number that is equal for equal states and almost surely not for others: every pose and velocity, bit by bit,
    /// in key order.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = crate::model::mix(self.tick);
        let mut add = |bits: u64| hash = crate::model::mix(hash ^ bits);
        for (key, body) in &self.bodies {
            add(slotmap::Key::data(&key).as_ffi());
            let Pose { pos, angle, vel, spin } = body.pose;
            [pos.x, pos.y, angle, vel.x, vel.y, spin].into_iter().for_each(|x| add(u64::from(x.to_bits())));
            body.motion.hash(&mut add);
        }
        self.crushes.hash(&mut add);
        self.joints.keys().for_each(|key| add(slotmap::Key::data(key).as_ffi()));
        hash
    }
}

impl PhysicsConfig {
    fn gravity(&self) -> Vec2 {
        match self.view {
            LevelView::Platformer => Vec2::new(0.0, self.gravity_px_s2),
            LevelView::TopDown => Vec2::ZERO,
        }
    }

    fn floor_damping(&self) -> f32 {
        if self.view == LevelView::TopDown { self.top_down_damping } else { 0.0 }
    }
}

fn sane(config: PhysicsConfig) -> PhysicsConfig {
    let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
    PhysicsConfig {
        view: config.view,
        gravity_px_s2: finite(config.gravity_px_s2),
        pixels_per_meter: finite(config.pixels_per_meter).max(0.01),
        dt_secs: finite(config.dt_secs).clamp(1e-4, 1.0),
        top_down_damping: finite(config.top_down_damping).max(0.0),
        contact_speed: finite(config.contact_speed).max(0.0),
        crush_depth: finite(config.crush_depth).max(0.0),
        solver: SolverConfig {
            iterations: finite(config.solver.iterations).clamp(LEAST_ITERATIONS, 64.0).round(),
            exact_pairs: finite(config.solver.exact_pairs).max(0.0),
            stiffness_hz: finite(config.solver.stiffness_hz).max(1.0),
            damping: finite(config.solver.damping).max(1.0),
            push_out_speed: finite(config.solver.push_out_speed).max(0.0),
            sleep_speed: finite(config.solver.sleep_speed).max(0.0),
            sleep_secs: finite(config.solver.sleep_secs).max(0.0),
        },
    }
}
