//! Bodies: free, walking and flying ones, their motion and contacts. rapier2d solves; this module makes its input and
//! reads its output.
//!
//! Invariant: units are pixels, seconds, radians and kilograms, y points down, and the same calls in the same order
//! give the same state, bit for bit. Non-finite values are refused, and a body that becomes non-finite is taken out and
//! reported. The meaning of bodies for the game is in `sim::world`; finding paths is `sim::nav`.
//!
//! Terms: a *mover* is a walker or a flyer; a *loose* body is a dynamic one that is no mover; *one-way* ground is solid
//! only from above.
//!
//! Gravity: a body without contact gains `g·dt` before the solver moves it, so free fall is symplectic (`v += g·dt`,
//! then `x += v·dt`). A body in contact gets its gravity within the solver's iterations, which stacks need to rest.
//! Tiles bounce fully: with the geometric mean, a ball's restitution `e` on tiles is `√e`.

mod carry;
mod config;
pub mod convex;
pub(in crate::sim) mod corner;
pub mod sat;
pub mod spec;

mod body;
mod ccd;
mod crush;
mod dash;
mod drift;
mod ends;
mod feel;
mod hooks;
mod index;
mod inspect;
mod joint;
mod jump;
mod kinds;
mod lifted;
mod loose_ground;
mod medium;
mod mover;
mod neighbor;
mod outline;
mod pieces;
mod pull;
mod pushed_along;
mod query;
mod respec;
mod seam;
mod solver;
mod squeeze;
mod step;
mod substeps;
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
use lifted::Lifted;
use pushed_along::PushedAlong;
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
    /// Colliders of the tiles, by chunk and whether it is the outline of one-way ground.
    tile_colliders: BTreeMap<(Cell, bool), ColliderHandle>,
    /// Dynamic bodies without contact, whose gravity is applied here.
    free: BTreeSet<EntityKey>,
    touches: Touches,
    crushes: Crushes,
    /// What moving platforms push along in this tick.
    pushed_along: PushedAlong,
    /// What moving platforms lift below walkers, while these move.
    lifted: Lifted,
    /// Of the movers that still have to move in this step: how far they were pushed in the last one, in pixels.
    pushed_before: BTreeMap<EntityKey, Vec2>,
    /// Walkers and flyers.
    movers: BTreeSet<EntityKey>,
    /// Walkers and flyers that go through each other for now.
    passing: BTreeSet<EntityKey>,
    /// Kinematic bodies other than movers.
    carried: BTreeSet<EntityKey>,
    /// Loose bodies, other than bullets, that are bullets to rapier in this step; see `ccd`.
    swept: BTreeSet<EntityKey>,
    /// Loose bodies whose contacts with others the hooks of the solver see, because they slide; see `loose_ground`.
    watched: BTreeSet<EntityKey>,
    /// Loose bodies that slid or rolled in the last step, or have slid since, and touched few others. Collected in
    /// `read_back`, which visits all bodies: another pass over several thousand would take a hundredth of the step. It
    /// follows from poses and contacts, so it is no part of the hash.
    freely_sliding: Vec<EntityKey>,
    /// Loose bodies that walkers stand on in this step.
    loaded: BTreeSet<EntityKey>,
    /// Loose bodies that were put somewhere, and chunks whose tiles changed, since the last step.
    displaced: BTreeSet<EntityKey>,
    changed_chunks: BTreeSet<Cell>,
    /// What rounding has left out of positions, in pixels: slow drift far from the origin adds up here. Few bodies drift,
    /// so it is not in `Body`, which `read_back` visits for all.
    rounded_off: BTreeMap<EntityKey, Vec2>,
    /// Number of loose bodies, and of those added since the last step.
    n_loose: usize,
    n_added: usize,
    /// Bodies that are zones, and bodies that are in one.
    zones: BTreeSet<EntityKey>,
    in_zones: BTreeSet<EntityKey>,
    /// Joints, by the body that has them.
    joints: BTreeMap<EntityKey, Held>,
    broken: Vec<Broken>,
    faults: Vec<Fault>,
    /// Why the last step was cut short; `None` if it was not.
    overload: Option<String>,
    /// The positions of all bodies (px) when their boxes, grown by `NEAR_PX`, last had few enough pairs. Pairs need not
    /// be counted while every body stays within `NEAR_PX` of its position.
    pairs_checked_at: Option<SecondaryMap<EntityKey, Vec2>>,
    /// Upper bound on the distance of any body from there, along an axis, in pixels.
    drift_px: f32,
    /// Ticks left before grown boxes are counted again, after they had too many pairs.
    recheck_in: u8,
    /// Index of bodies by place; made at the first query, dropped when something moves.
    index: OnceLock<Index>,
    /// Grows with each change of a body that stands still.
    still_revision: u64,
    /// Grows with each change of the tiles or the settings.
    ground_revision: u64,
    /// Kinematic bodies that stand still for now, as a closed door does.
    resting: BTreeSet<EntityKey>,
}

impl std::fmt::Debug for Physics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Physics({} bodies, tick {})", self.bodies.len(), self.tick)
    }
}

impl Physics {
    /// The number of bodies.
    pub(in crate::sim) fn n_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// An empty world. Invalid settings are replaced by the nearest valid ones.
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
            pushed_along: PushedAlong::default(),
            lifted: Lifted::default(),
            pushed_before: BTreeMap::new(),
            movers: BTreeSet::new(),
            passing: BTreeSet::new(),
            carried: BTreeSet::new(),
            swept: BTreeSet::new(),
            watched: BTreeSet::new(),
            freely_sliding: Vec::new(),
            rounded_off: BTreeMap::new(),
            n_loose: 0,
            n_added: 0,
            zones: BTreeSet::new(),
            in_zones: BTreeSet::new(),
            joints: BTreeMap::new(),
            broken: Vec::new(),
            faults: Vec::new(),
            overload: None,
            pairs_checked_at: None,
            drift_px: 0.0,
            recheck_in: 0,
            index: OnceLock::new(),
            loaded: BTreeSet::new(),
            displaced: BTreeSet::new(),
            changed_chunks: BTreeSet::new(),
            still_revision: 0,
            ground_revision: 0,
            resting: BTreeSet::new(),
        }
    }

    /// The settings of the physical world.
    #[must_use]
    pub fn config(&self) -> &PhysicsConfig {
        &self.config
    }

    /// Change the settings of the physical world while it runs.
    pub fn set_config(&mut self, config: PhysicsConfig) {
        self.ground_revision += 1;
        let pulled = self.config.gravity();
        self.config = sane(config);
        self.solver.configure(&self.config);
        self.bodies.values().for_each(|body| self.solver.set_rest(body, &self.config));
        let damping = self.config.floor_damping();
        for body in self.bodies.values().filter(|body| body.spec.is_dynamic()) {
            self.solver.set_damping(body, damping);
            // A body that fell asleep under another gravity would stay where it is.
            if self.config.gravity() != pulled {
                self.solver.wake(body);
            }
        }
    }

    /// Replace all tiles.
    pub fn set_grid(&mut self, grid: &SolidGrid) {
        self.ground_revision += 1;
        self.tiles = TileMap::new(grid);
        let all: BTreeSet<Cell> =
            self.tiles.chunks().map(|(at, _)| at).chain(self.tile_colliders.keys().map(|(at, _)| *at)).collect();
        all.into_iter().for_each(|at| self.rebuild_chunk(at));
    }

    /// Replace the tiles of one chunk, by chunk coordinates. Costs as much as the chunk, however large the level is, unless
    /// the chunk is the first or the last one in its row or column.
    pub fn update_chunk(&mut self, grid: &SolidGrid, chunk: Cell) {
        if grid.tile_size() != self.tiles.tile_size() {
            self.set_grid(grid);
            return;
        }
        self.ground_revision += 1;
        for at in self.tiles.update(grid, chunk) {
            self.rebuild_chunk(at);
        }
    }

    fn rebuild_chunk(&mut self, at: Cell) {
        self.changed_chunks.insert(at);
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

    /// Add a body with its origin at `pos`, in pixels, turned by `angle`, in radians. A body of the same key is
    /// replaced.
    ///
    /// # Errors
    /// If the spec is invalid (see [`BodySpec::check`]), or the position or angle is not finite; then no body is added.
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
        match body.motion {
            Motion::Walk(_) | Motion::Fly(_) => _ = self.movers.insert(key),
            Motion::Carried { .. } => _ = self.carried.insert(key),
            Motion::Loose => {
                self.n_loose += 1;
                self.n_added += 1;
                self.displaced.insert(key);
                self.freely_sliding.extend(body.slides_freely().then_some(key));
            }
            Motion::Still => {}
        }
        self.zones.extend(spec.zone.is_some().then_some(key));
        self.bodies.insert(key, body);
        joints.into_iter().for_each(|joint| self.attach(joint));
        self.pairs_checked_at = None;
        self.index.take();
        Ok(())
    }

    /// Remove a body and the joints that hold it. The next step reports the end of its contacts.
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
            self.movers.remove(&key);
            self.passing.remove(&key);
            self.carried.remove(&key);
            self.n_loose -= usize::from(body.is_loose());
            self.rounded_off.remove(&key);
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

    /// The position and motion of a body.
    #[must_use]
    pub fn pose(&self, key: EntityKey) -> Option<Pose> {
        self.bodies.get(key).map(|body| body.pose)
    }

    fn is_loose(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(Body::is_loose)
    }

    /// Whether a body is a walker or flyer.
    fn is_mover(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| body.spec.is_mover())
    }

    /// A body's spec.
    #[must_use]
    pub fn spec(&self, key: EntityKey) -> Option<&BodySpec> {
        self.bodies.get(key).map(|body| &*body.spec)
    }

    /// Move a body at once, to a position in pixels and an angle in radians; it keeps its velocity. What is only turned
    /// stays on the ground. Ignored if not finite.
    pub fn set_pose(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        if let Some(body) = self.bodies.get_mut(key)
            && pos.is_finite()
            && angle.is_finite()
        {
            let (pose, exceeded) = Pose { pos, angle, ..body.pose }.within_limits();
            self.drift_px += pose.pos.distance(body.pose.pos);
            if pose.pos != body.pose.pos {
                body.motion.leave_ground();
            }
            body.pose = pose;
            self.rounded_off.remove(&key);
            self.still_revision += u64::from(body.spec.is_static() || self.resting.contains(&key));
            self.solver.place(body);
            self.faults.extend(body.limited(key, exceeded));
            self.index.take();
        }
    }

    /// Why the last step was cut short, once; `None` if it was not.
    pub fn take_overload(&mut self) -> Option<String> {
        self.overload.take()
    }

    /// Set the pose of a kinematic body after the next step, in pixels and radians. On its way it pushes and carries
    /// other bodies.
    pub fn set_next_pose(&mut self, key: EntityKey, pos: Vec2, angle: f32) {
        if let Some(Motion::Carried { next, .. }) = self.bodies.get_mut(key).map(|body| &mut body.motion)
            && pos.is_finite()
            && angle.is_finite()
        {
            *next = Some((limits::place(pos), angle));
        }
    }

    /// Set whether a kinematic body stands still for now, so that it counts as an obstacle, as a closed door does.
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
            self.freely_sliding.extend(body.slides_freely().then_some(key));
        }
    }

    /// Change a body's velocity by an impulse in kg·px/s. Static and kinematic bodies ignore it.
    pub fn add_impulse(&mut self, key: EntityKey, impulse: Vec2) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        if impulse.is_finite() && (body.spec.is_dynamic() || body.spec.is_mover()) {
            let vel = body.pose.vel + impulse / body.spec.mass;
            self.set_velocity(key, vel);
        }
    }

    /// Set the input of a walker for the next step; without a call it wants to stand.
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

    /// Whether a body stands on something. In levels seen from above always true.
    #[must_use]
    pub fn on_ground(&self, key: EntityKey) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        match &body.motion {
            _ if self.config.view == LevelView::TopDown => true,
            Motion::Walk(walk) => walk.ground.is_some(),
            _ => self.touches.of(key).any(|touch| touch.normal.y < -0.5 && !touch.sensor),
        }
    }

    /// The body that a walker stands on; `None` on tiles and in the air.
    #[must_use]
    pub fn carrier(&self, key: EntityKey) -> Option<EntityKey> {
        let Motion::Walk(walk) = &self.bodies.get(key)?.motion else { return None };
        walk.ground.as_ref()?.other.entity()
    }

    /// Whether a walker jumps or falls: it stands on nothing, holds no ladder and does not swim.
    #[must_use]
    pub fn is_in_air(&self, key: EntityKey) -> bool {
        !self.on_ground(key) && !matches!(self.clip_of_motion(key), Some("climb" | "swim"))
    }

    /// The clip for a walker's motion other than walking and jumping: `dash`, `climb` or `swim`.
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

    /// The kind of the ladder or water that the middle of a body is in.
    fn entered(&self, body: &Body) -> Option<&CellKind> {
        body.spec.collider.as_ref().filter(|_| self.config.view == LevelView::Platformer)?;
        self.tiles.entered(body.center())
    }

    /// Whether a walker can go up without a jump here: on a ladder that it can climb, or in water that it can swim in.
    #[must_use]
    pub fn can_go_up(&self, key: EntityKey) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(walker) = &body.spec.walker else { return false };
        let is_in_water = body.felt.is_in_water || self.entered(body).is_some_and(|kind| kind.water);
        let collider = body.spec.collider.as_ref().filter(|_| self.config.view == LevelView::Platformer);
        let bounds = collider.map(|it| it.solid_bounds(body.pose.pos, body.pose.angle));
        let is_at_ladder =
            || bounds.is_some_and(|it| self.ladder_at((it.lo + it.hi) / 2.0, (it.hi.x - it.lo.x) / 2.0).is_some());
        walker.climb_speed.is_some() && is_at_ladder() || is_in_water && walker.swim.is_some()
    }

    /// Whether a walker jumped in the last step, as requested.
    #[must_use]
    pub fn has_jumped(&self, key: EntityKey) -> bool {
        matches!(self.bodies.get(key).map(|body| &body.motion), Some(Motion::Walk(walk)) if walk.has_jumped)
    }

    /// Problems of bodies since the last call: each body that exceeded a limit or was taken out, once.
    pub fn drain_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// A hash of the state, equal for equal states: every pose and velocity, bit by bit, in key order.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = crate::model::mix(self.tick);
        let mut add = |bits: u64| hash = crate::model::mix(hash ^ bits);
        for (key, body) in &self.bodies {
            add(slotmap::Key::data(&key).as_ffi());
            body.pose.bits().into_iter().for_each(|bits| add(u64::from(bits)));
            body.motion.hash(&mut add);
            let pushed = Some(body.pushed).filter(|pushed| *pushed != Vec2::ZERO);
            pushed.into_iter().flat_map(|it| it.to_array()).for_each(|x| add(u64::from(x.to_bits())));
        }
        self.rounded_off.values().flat_map(Vec2::to_array).for_each(|x| add(u64::from(x.to_bits())));
        self.crushes.hash(&mut add);
        self.displaced.iter().for_each(|key| add(slotmap::Key::data(key).as_ffi()));
        self.changed_chunks.iter().flatten().for_each(|at| add(u64::from(at.cast_unsigned())));
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

    /// Solver iterations of a tick: contacts need a minimum number per second to carry tall stacks.
    fn iterations_per_tick(&self) -> f32 {
        /// At lower tick rates, a tick has more iterations than set.
        const FULL_ITERATIONS_HZ: f32 = 60.0;
        (self.solver.iterations * (self.dt_secs * FULL_ITERATIONS_HZ).max(1.0)).round()
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
