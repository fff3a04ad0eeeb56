//! The solver: rapier2d and its data, the conversion of bodies to rapier's, and the contacts of a step.
//!
//! Invariant: the user data of a collider holds its owner (an entity's key, or a chunk of tiles), so no lookup by
//! address is needed. A clone steps exactly as the original does.

use glam::Vec2;
use rapier2d::prelude::*;
use slotmap::{Key, KeyData};

use crate::{
    model::Cell,
    sim::{EntityKey, insight::profile::System, limits},
};

use super::{
    body::{Body, Fly, Motion, Pose},
    config::{PhysicsConfig, SolverConfig},
    crush::Crushes,
    hooks::Listener,
    kinds::{Kinds, PlacedShape},
    loose_ground::LooseGround,
    outline::Segment,
    pieces::FirmGround,
    spec::{BodyKind, BodySpec, ColliderSpec, DEFAULT_FRICTION, PartSpec, TILE_LAYER},
    surface::Surface,
    tiles::TileMap,
    zone::Felt,
};

pub(super) const IS_ENTITY: u128 = 1 << 127;
pub(super) const IS_TILES: u128 = 1 << 126;
pub(super) const IS_LEDGE: u128 = 1 << 125;
pub(super) const IS_ONE_WAY: u128 = 1 << 124;
/// Set for solid colliders of static and kinematic bodies other than movers.
pub(super) const IS_GROUND: u128 = 1 << 123;
/// Set for solid colliders of walkers.
pub(super) const IS_WALKER: u128 = 1 << 122;

/// The collision groups of tiles.
pub(super) const TILE_GROUPS: InteractionGroups =
    InteractionGroups::new(Group::from_bits_retain(TILE_LAYER), Group::ALL, InteractionTestMode::And);

/// Speed in px/s below which a body may fall asleep although it touches nothing.
const FREE_SLEEP: f32 = 0.005;
/// The least time for that, in seconds: what begins to fall is slow, too.
const FREE_SLEEP_SECS: f32 = 0.5;

/// Factor on the iterations of loose bodies that touch each other or are held by joints.
const STACKED: f32 = 2.0;

/// The fewest solver iterations per step.
pub(super) const LEAST_ITERATIONS: f32 = 4.0;

/// Iterations per second at which contacts of 30 Hz, or 60 Hz with bodies that stand still, carry tall stacks.
const STABLE_RATE: f32 = 256.0;

/// The sets and stages of rapier2d.
pub(super) struct Solver {
    params: IntegrationParameters,
    gravity: Vec2,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibodies: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    kinds: Kinds,
    /// The colliders that are `IS_GROUND`.
    ground: FirmGround,
    /// The body that stands for the world in joints.
    world: Option<RigidBodyHandle>,
    /// Number of iterations for loose bodies that touch others or are held by joints, beyond those of all.
    extra_iterations: usize,
}

impl Clone for Solver {
    fn clone(&self) -> Self {
        Self {
            params: self.params,
            gravity: self.gravity,
            // Working memory only.
            pipeline: PhysicsPipeline::new(),
            islands: self.islands.clone(),
            broad_phase: self.broad_phase.clone(),
            narrow_phase: self.narrow_phase.clone(),
            bodies: self.bodies.clone(),
            colliders: self.colliders.clone(),
            joints: self.joints.clone(),
            multibodies: self.multibodies.clone(),
            soft_bodies: self.soft_bodies.clone(),
            ccd: self.ccd.clone(),
            kinds: self.kinds.clone(),
            ground: self.ground.clone(),
            world: self.world,
            extra_iterations: self.extra_iterations,
        }
    }
}

/// The properties that decide whether two colliders near each other form a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairFilter {
    kind: RigidBodyType,
    types: ActiveCollisionTypes,
    groups: InteractionGroups,
}

impl PairFilter {
    /// Whether two colliders can form a pair.
    pub(super) fn can_pair(&self, other: &Self) -> bool {
        let is_active = |types: ActiveCollisionTypes| types.test(self.kind, other.kind);
        self.groups.test(other.groups) && (is_active(self.types) || is_active(other.types))
    }
}

/// A pair of colliders that began or ceased to touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairEvent {
    pub(super) started: bool,
    pub(super) sensor: bool,
    /// User data of the two colliders; 0 for removed ones.
    pub(super) of: [u128; 2],
    /// Unit normal out of the first collider.
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
}

/// A dynamic body found touching tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileTouch {
    pub(super) key: EntityKey,
    /// Unit normal out of the ground.
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
}

/// The contacts found in one step.
#[derive(Debug, Default)]
pub(super) struct StepContacts {
    pub(super) pairs: Vec<PairEvent>,
    pub(super) tiles: Vec<TileTouch>,
}

impl Solver {
    pub(super) fn new(config: &PhysicsConfig) -> Self {
        let mut solver = Self {
            params: IntegrationParameters::default(),
            gravity: Vec2::ZERO,
            pipeline: PhysicsPipeline::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            joints: ImpulseJointSet::new(),
            multibodies: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            kinds: Kinds::default(),
            ground: FirmGround::default(),
            world: None,
            extra_iterations: 0,
        };
        solver.configure(config);
        solver
    }

    pub(super) fn configure(&mut self, config: &PhysicsConfig) {
        self.set_dt(config.dt_secs);
        // The solver computes in pixels; only its tolerances are scaled, so poses are exactly as written in the data.
        self.params.length_unit = config.pixels_per_meter;
        self.params.normalized_max_linear_velocity = limits::MAX_SPEED_PX_S / config.pixels_per_meter;
        self.params.normalized_max_corrective_velocity = config.solver.push_out_speed / config.pixels_per_meter;
        self.gravity = config.gravity();
    }

    fn set_dt(&mut self, secs: f32) {
        self.params.dt = secs;
        self.params.min_ccd_dt = secs / 100.0;
    }

    /// Set the number of iterations of the next step: fewer with many pairs. Bodies that were just added have none yet:
    /// one is expected for each of `n_added`. Returns whether the number of extra iterations for
    /// stacked bodies changed, see [`Self::set_stacked`].
    pub(super) fn set_iterations(&mut self, config: &PhysicsConfig, n_added: usize) -> bool {
        let SolverConfig { iterations, exact_pairs, stiffness_hz, damping, .. } = &config.solver;
        let n_pairs = self.narrow_phase.contact_graph().interactions().size_hint().0;
        #[allow(clippy::cast_precision_loss)] // a count
        let crowd = n_pairs.max(n_added) as f32 / exact_pairs.max(1.0);
        let at_most = |factor: f32| (iterations / crowd.max(1.0 / factor)).floor().max(LEAST_ITERATIONS);
        let n = at_most(1.0);
        // Fewer iterations cannot carry contacts as stiff: stacks would jump.
        let rate = n / config.dt_secs;
        let stable = |hz: f32| (hz * (rate / STABLE_RATE) * (rate / STABLE_RATE)).min(*stiffness_hz);
        let softness = |hz: f32| SpringCoefficients { natural_frequency: stable(hz), damping_ratio: *damping };
        (self.params.contact_softness, self.params.static_contact_softness) = (softness(30.0), softness(60.0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small counts
        let (n, extra) = (n as usize, (at_most(STACKED) - n) as usize);
        self.params.num_solver_iterations = n;
        std::mem::replace(&mut self.extra_iterations, extra) != extra
    }

    /// Solve a loose body, and all that it touches, in the extra iterations of stacks and joints if it is in one.
    pub(super) fn set_stacked(&mut self, body: &Body) {
        let n = if body.is_stacked { self.extra_iterations } else { 0 };
        if let Some(rigid) = self.rigid_if(body, |rigid| rigid.additional_solver_iterations() != n) {
            rigid.set_additional_solver_iterations(n);
        }
    }

    /// Set whether the hooks see the contacts of a loose body also with others that have no hooks. Without hooks,
    /// rapier keeps what they made of the contacts until the two have moved by 0.05 m relative to each other. That does
    /// no harm: it was right for where they are, the ground is at rest, and the box now moves slowly; computed anew,
    /// they would be those that stop a box at a seam.
    pub(super) fn set_watched(&mut self, body: &Body, is_watched: bool) {
        for handle in self.bodies.get(body.handle).map_or(&[][..], RigidBody::colliders) {
            let Some(collider) = self.colliders.get(*handle).filter(|it| !is_always_watched(it)) else { continue };
            let mut hooks = collider.active_hooks();
            hooks.set(ActiveHooks::MODIFY_SOLVER_CONTACTS, is_watched);
            // rapier takes a collider that is accessed for a change to be changed.
            if hooks != collider.active_hooks()
                && let Some(collider) = self.colliders.get_mut(*handle)
            {
                collider.set_active_hooks(hooks);
            }
        }
    }

    /// Set whether a loose body is a bullet, which is swept against all bodies but other bullets.
    pub(super) fn set_bullet(&mut self, body: &Body, is_bullet: bool) {
        if let Some(rigid) = self.rigid_if(body, |rigid| rigid.is_ccd_enabled() != is_bullet) {
            rigid.enable_ccd(is_bullet);
        }
    }

    /// The solver's copy of a body, if it differs from what is wanted: rapier takes a body that is accessed for a change
    /// to be changed.
    fn rigid_if(&mut self, body: &Body, differs: impl FnOnce(&RigidBody) -> bool) -> Option<&mut RigidBody> {
        self.bodies.get(body.handle).filter(|rigid| differs(rigid))?;
        self.bodies.get_mut(body.handle)
    }

    /// The positions of a kinematic body or mover as the next step begins and ends, in pixels.
    pub(super) fn ends_of_step(&self, body: &Body) -> Option<[Vec2; 2]> {
        let rigid = self.bodies.get(body.handle)?;
        Some([rigid.translation(), rigid.next_position().translation])
    }

    /// Let a mover take part in collisions again, from a position in pixels.
    pub(super) fn enter(&mut self, body: &Body, at: Vec2) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.set_position(rapier2d::math::Pose::new(at, body.pose.angle), false);
        }
        self.set_enabled(body, true);
    }

    /// Take a mover out of all collisions.
    pub(super) fn leave(&mut self, body: &Body) {
        self.set_enabled(body, false);
    }

    fn set_enabled(&mut self, body: &Body, is_enabled: bool) {
        for handle in self.bodies.get(body.handle).map_or(&[][..], RigidBody::colliders) {
            if let Some(collider) = self.colliders.get_mut(*handle) {
                collider.set_enabled(is_enabled);
            }
        }
    }

    /// Whether a body touches a loose one.
    pub(super) fn touches_loose(&self, body: &Body) -> bool {
        let is_loose = |collider: ColliderHandle| {
            let parent = self.colliders.get(collider).and_then(Collider::parent).filter(|it| *it != body.handle);
            parent.and_then(|parent| self.bodies.get(parent)).is_some_and(RigidBody::is_dynamic)
        };
        let own = self.colliders_of(body);
        let mut pairs = own.iter().flat_map(|collider| self.narrow_phase.contact_pairs_with(*collider));
        pairs.any(|pair| pair.has_any_active_contact() && (is_loose(pair.collider1) || is_loose(pair.collider2)))
    }

    /// Whether a joint holds a body.
    pub(super) fn is_jointed(&self, body: &Body) -> bool {
        self.joints.attached_joints(body.handle).next().is_some()
    }

    /// Add a body.
    pub(super) fn insert(&mut self, key: EntityKey, spec: &BodySpec, pose: Pose, config: &PhysicsConfig) -> Body {
        let (body_type, motion) = match spec.kind {
            _ if spec.walker.is_some() => (RigidBodyType::KinematicPositionBased, Motion::Walk(Box::default())),
            _ if spec.flyer.is_some() => (RigidBodyType::KinematicPositionBased, Motion::Fly(Fly::default())),
            BodyKind::Kinematic => {
                (RigidBodyType::KinematicPositionBased, Motion::Carried { next: None, was_set: false })
            }
            BodyKind::Static => (RigidBodyType::Fixed, Motion::Still),
            BodyKind::Dynamic => (RigidBodyType::Dynamic, Motion::Loose),
        };
        let data = data_of(key);
        let mut builder = RigidBodyBuilder::new(body_type)
            .pose(rapier2d::math::Pose::new(pose.pos, pose.angle))
            .linvel(pose.vel)
            .angvel(pose.spin)
            .linear_damping(spec.damping + config.floor_damping())
            .angular_damping(spec.spin_damping + config.floor_damping())
            .gravity_scale(0.0)
            .ccd_enabled(spec.bullet)
            .user_data(data);
        if spec.lock_rotation {
            builder = builder.lock_rotations();
        }
        if spec.has_no_solid() {
            builder = builder.additional_mass(spec.mass);
        }
        let handle = self.bodies.insert(builder);
        let kind = self.kinds.of(spec);
        for (collider, _) in colliders_of(spec, data, &kind.shapes) {
            let is_ground = collider.user_data & IS_GROUND != 0;
            let handle = self.colliders.insert_with_parent(collider, handle, &mut self.bodies);
            if is_ground {
                self.ground.insert(handle);
            }
        }
        Body {
            spec: kind.spec,
            pose,
            pushed: Vec2::ZERO,
            handle,
            motion,
            felt: Felt::default(),
            load: (Vec2::ZERO, 0.0),
            n_contacts: 0,
            rest: None,
            is_stacked: false,
            is_in_solver: true,
            is_faulty: false,
            is_limited: false,
        }
    }

    /// Update a body without a change of its kind. Its colliders stay, so that contacts continue.
    pub(super) fn change(&mut self, key: EntityKey, body: &mut Body, new: &BodySpec, config: &PhysicsConfig) {
        let kind = self.kinds.of(new);
        let old = std::mem::replace(&mut body.spec, kind.spec);
        let spec = &body.spec;
        let Some(rigid) = self.bodies.get_mut(body.handle) else { return };
        rigid.enable_ccd(spec.bullet);
        rigid.lock_rotations(spec.lock_rotation, true);
        if spec.has_no_solid() && old.mass != spec.mass {
            rigid.set_additional_mass(spec.mass, true);
        }
        if old.collider != spec.collider || old.mass != spec.mass {
            let made: Vec<_> = colliders_of(spec, data_of(key), &kind.shapes).collect();
            // The number of colliders and their order are unchanged.
            for (handle, (made, mass)) in rigid.colliders().to_vec().into_iter().zip(made) {
                let Some(collider) = self.colliders.get_mut(handle) else { continue };
                collider.set_shape(made.shared_shape().clone());
                collider.set_friction(made.friction());
                collider.set_restitution(made.restitution());
                collider.set_collision_groups(made.collision_groups());
                collider.set_active_hooks(made.active_hooks());
                if let Some(mass) = mass {
                    collider.set_mass(mass);
                }
                // Even if unchanged: only then do contacts use the new friction.
                collider.set_position_wrt_parent(*made.position());
            }
        }
        self.set_damping(body, config.floor_damping());
        self.set_rest(body, config);
    }

    /// Add a joint between a body and another, or the world.
    pub(super) fn insert_joint(
        &mut self,
        other: Option<RigidBodyHandle>,
        own: RigidBodyHandle,
        joint: GenericJoint,
    ) -> ImpulseJointHandle {
        let other = match other.or(self.world) {
            Some(other) => other,
            None => *self.world.insert(self.bodies.insert(RigidBodyBuilder::fixed())),
        };
        self.joints.insert(other, own, joint, true)
    }

    pub(super) fn remove_joint(&mut self, handle: ImpulseJointHandle) {
        self.joints.remove(handle, true);
    }

    /// The force in the joint in the last step, in kg·px/s².
    pub(super) fn joint_force(&self, handle: ImpulseJointHandle) -> f32 {
        let Some(joint) = self.joints.get(handle) else { return 0.0 };
        let coupled = [0, 1].map(|axis| joint.data.limits[axis].impulse + joint.data.motors[axis].impulse);
        let impulse = Vec2::new(joint.impulses[0] + coupled[0], joint.impulses[1] + coupled[1]);
        // What joints hold has the extra iterations.
        impulse.length() * self.n_parts() / self.params.dt
    }

    /// Number of parts in which the last step was solved, for bodies with the extra iterations.
    pub(super) fn n_parts(&self) -> f32 {
        #[allow(clippy::cast_precision_loss)] // a small count
        let n = (self.params.num_solver_iterations + self.extra_iterations) as f32;
        n
    }

    pub(super) fn remove(&mut self, handle: RigidBodyHandle) {
        for collider in self.bodies.get(handle).map_or(&[][..], RigidBody::colliders) {
            self.ground.remove(*collider);
        }
        self.bodies.remove(
            handle,
            &mut self.islands,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft_bodies,
            true,
        );
    }

    pub(super) fn remove_collider(&mut self, handle: ColliderHandle) {
        self.colliders.remove(handle, &mut self.islands, &mut self.bodies, &mut self.soft_bodies, true);
    }

    /// Add the outline of a chunk as a collider; `None` if the outline is empty.
    pub(super) fn insert_tiles(
        &mut self,
        at: Cell,
        ledge: bool,
        origin: Vec2,
        segments: &[Segment],
    ) -> Option<ColliderHandle> {
        if segments.is_empty() {
            return None;
        }
        #[allow(clippy::cast_sign_loss)] // the bits are kept
        let data = u128::from(at[0] as u32) | u128::from(at[1] as u32) << 32 | IS_TILES;
        let collider = ColliderBuilder::new(SharedShape::new(Surface::new(segments, ledge)))
            .translation(origin)
            .friction(DEFAULT_FRICTION)
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .restitution(1.0)
            .restitution_combine_rule(CoefficientCombineRule::GeometricMean)
            .collision_groups(TILE_GROUPS)
            .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS)
            .user_data(if ledge { data | IS_LEDGE } else { data })
            .build();
        Some(self.colliders.insert(collider))
    }

    /// Move the solver's copy of a body at once to the body's pose.
    pub(super) fn place(&mut self, body: &Body) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.set_position(rapier2d::math::Pose::new(body.pose.pos, body.pose.angle), true);
            rigid.set_linvel(body.pose.vel, true);
            rigid.set_angvel(body.pose.spin, true);
        }
    }

    pub(super) fn set_velocity(&mut self, body: &Body) {
        if body.spec.is_dynamic()
            && let Some(rigid) = self.bodies.get_mut(body.handle)
        {
            rigid.set_linvel(body.pose.vel, true);
            rigid.set_angvel(body.pose.spin, true);
        }
    }

    /// Change the velocity (px/s) and spin (rad/s) of a loose body by an impulse (kg·px/s) at a point, in world pixels.
    pub(super) fn strike(&mut self, body: &mut Body, impulse: Vec2, point: Vec2) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.apply_impulse_at_point(impulse, point, true);
            (body.pose.vel, body.pose.spin) = (rigid.linvel(), rigid.angvel());
        }
    }

    /// Set whether gravity of a body is applied by `step`, as of one without contact, or by the solver. A body without
    /// contact never sleeps while it moves at all: nothing could have stopped it.
    pub(super) fn set_free(&mut self, body: &Body, is_free: bool, config: &PhysicsConfig) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.set_gravity_scale(if is_free { 0.0 } else { body.spec.gravity_scale * body.felt.gravity }, is_free);
        }
        self.set_forces(body, is_free, is_free);
        self.set_rest(body, config);
    }

    /// Update the effect of zones on a body.
    pub(super) fn set_felt(&mut self, body: &Body, is_free: bool, wakes: bool, config: &PhysicsConfig) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.set_gravity_scale(if is_free { 0.0 } else { body.spec.gravity_scale * body.felt.gravity }, wakes);
            if wakes {
                rigid.wake_up(true);
            }
        }
        self.set_damping(body, config.floor_damping());
        self.set_forces(body, is_free, wakes);
    }

    /// Apply the weight of walkers to a body, and zones to one in contact; for one without contact `step` does, as with
    /// gravity.
    pub(super) fn set_forces(&mut self, body: &Body, is_free: bool, wakes: bool) {
        let Some(rigid) = self.bodies.get_mut(body.handle) else { return };
        let of_zones = if is_free { Vec2::ZERO } else { body.felt.acceleration * body.spec.mass };
        let (force, torque) = (of_zones + body.load.0, body.felt.torque + body.load.1);
        if rigid.user_force() != force {
            rigid.reset_forces(wakes);
            rigid.add_force(force, wakes);
        }
        if rigid.user_torque() != torque {
            rigid.reset_torques(wakes);
            rigid.add_torque(torque, wakes);
        }
    }

    /// Set the speed below which a body may sleep. Without gravity and damping, slow drift is motion, also of bodies in
    /// contact.
    pub(super) fn set_rest(&mut self, body: &Body, config: &PhysicsConfig) {
        let SolverConfig { sleep_speed, sleep_secs, .. } = config.solver;
        let drifts = config.gravity() * body.spec.gravity_scale == Vec2::ZERO
            && body.spec.damping + config.floor_damping() == 0.0;
        let slowest = if body.n_contacts == 0 || drifts { sleep_speed.min(FREE_SLEEP) } else { sleep_speed };
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            let rest = rigid.activation_mut();
            rest.normalized_linear_threshold = slowest / config.pixels_per_meter;
            rest.time_until_sleep = if body.n_contacts == 0 { sleep_secs.max(FREE_SLEEP_SECS) } else { sleep_secs };
        }
    }

    /// Whether a body at this velocity (px/s) is slow enough to fall asleep.
    pub(super) fn may_sleep(&self, body: &Body, vel: Vec2) -> bool {
        let rest = self.bodies.get(body.handle).map(RigidBody::activation);
        rest.is_none_or(|it| vel.length() < it.normalized_linear_threshold * self.params.length_unit)
    }

    pub(super) fn wake(&mut self, body: &Body) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.wake_up(true);
        }
    }

    /// Whether no body sleeps, given the number of loose, kinematic and walking or flying bodies.
    pub(super) fn has_all_awake(&self, n: usize) -> bool {
        self.islands.num_active_bodies() >= n
    }

    /// The colliders of a body: its parts.
    pub(super) fn colliders_of(&self, body: &Body) -> &[ColliderHandle] {
        self.bodies.get(body.handle).map_or(&[][..], RigidBody::colliders)
    }

    /// Whether a body sleeps, so that the solver reports its contacts no more. Movers never do: they find their contacts
    /// themselves.
    pub(super) fn is_sleeping(&self, body: &Body) -> bool {
        !body.spec.is_mover() && self.bodies.get(body.handle).is_some_and(RigidBody::is_sleeping)
    }

    /// The center of mass of a loose body, in pixels from its origin, unturned; of others the origin.
    pub(super) fn center_of_mass(&self, body: &Body) -> Vec2 {
        let rigid = self.bodies.get(body.handle).filter(|_| body.is_loose());
        rigid.map_or(Vec2::ZERO, |rigid| rigid.mass_properties().local_mprops.local_com)
    }

    pub(super) fn set_damping(&mut self, body: &Body, floor: f32) {
        if let Some(rigid) = self.bodies.get_mut(body.handle) {
            rigid.set_linear_damping(body.spec.damping + floor + body.felt.drag);
            rigid.set_angular_damping(body.spec.spin_damping + floor + body.felt.drag);
        }
    }

    /// The number of pairs of colliders near each other, sensors included.
    pub(super) fn n_pairs(&self) -> usize {
        // Exact, and known without counting: the pairs are stored in lists.
        let n_solid = self.narrow_phase.contact_graph().interactions().size_hint().0;
        n_solid + self.narrow_phase.intersection_graph().interactions().size_hint().0
    }

    /// The filter of a body's colliders; `None` without a collider.
    pub(super) fn filter(&self, body: &Body) -> Option<PairFilter> {
        let rigid = self.bodies.get(body.handle)?;
        let colliders = rigid.colliders().iter().filter_map(|handle| self.colliders.get(*handle));
        let filters = colliders.map(|collider| {
            let (types, groups) = (collider.active_collision_types(), collider.collision_groups());
            PairFilter { kind: rigid.body_type(), types, groups }
        });
        // All parts have the same collision groups.
        filters.reduce(|a, b| PairFilter { types: a.types | b.types, ..a })
    }

    /// Advance by the timestep of `config`: a tick or a substep, with the iterations that were set. rapier's timers run
    /// only when its stages are measured.
    pub(super) fn step(
        &mut self,
        tiles: &TileMap,
        crushes: &Crushes,
        loose: &LooseGround,
        config: &PhysicsConfig,
        is_measured: bool,
    ) -> StepContacts {
        self.set_dt(config.dt_secs);
        self.params.warmstart_coefficient = if crushes.drops_impulses { 0.0 } else { 1.0 };
        self.pipeline.counters.enabled = is_measured;
        let listener = Listener::new(tiles, crushes, (&self.ground, loose), config);
        self.pipeline.step(
            self.gravity,
            &self.params,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft_bodies,
            &mut self.ccd,
            &listener,
            &listener,
        );
        listener.into_contacts()
    }

    /// Share of the last step that each stage took, by rapier's timers; empty if not measured, or if the crate is built
    /// without timers. Shares, because ticks may be measured by another clock.
    pub(super) fn stages(&self) -> Vec<(System, f64)> {
        let counters = &self.pipeline.counters;
        let whole = counters.step_time.time().as_secs_f64();
        if !counters.enabled || whole <= 0.0 {
            return Vec::new();
        }
        let (pairs, stages) = (&counters.cd, &counters.stages);
        let times = [
            (System::BroadPhase, pairs.broad_phase_time.time() + pairs.final_broad_phase_time.time()),
            (System::NarrowPhase, pairs.narrow_phase_time.time()),
            (System::Islands, stages.island_construction_time.time()),
            (System::Constraints, stages.solver_time.time()),
        ];
        times.into_iter().map(|(system, time)| (system, time.as_secs_f64() / whole)).collect()
    }
}

/// Whether the hooks see the contacts of a collider whether its body slides or not.
pub(super) fn is_always_watched(collider: &Collider) -> bool {
    collider.user_data & (IS_TILES | IS_GROUND | IS_WALKER | IS_ONE_WAY) != 0 || collider.restitution() > 0.0
}

/// The user data of an entity's body and colliders.
fn data_of(key: EntityKey) -> u128 {
    u128::from(key.data().as_ffi()) | IS_ENTITY
}

/// The entity in the user data of a collider or body.
pub(super) fn entity_of(data: u128) -> Option<EntityKey> {
    #[allow(clippy::cast_possible_truncation)] // the low half
    let key = KeyData::from_ffi(data as u64);
    (data & IS_ENTITY != 0).then(|| key.into())
}

/// The colliders of a body, one for each part, and their masses in kg: the solid ones share the body's mass by area.
fn colliders_of(spec: &BodySpec, data: u128, shapes: &[PlacedShape]) -> impl Iterator<Item = (Collider, Option<f32>)> {
    let collider = spec.collider.as_ref();
    let whole: f32 = collider.map_or(0.0, |collider| collider.solids().map(PartSpec::area).sum());
    let parts = collider.into_iter().flat_map(|collider| collider.parts.iter().map(move |part| (collider, part)));
    parts.zip(shapes).filter_map(move |((collider, part), shape)| {
        let mass = (!part.sensor).then(|| spec.mass * (part.area() / whole));
        Some((collider_of(collider, (part, mass), spec, data, shape.clone()?), mass))
    })
}

fn collider_of(
    collider: &ColliderSpec,
    (part, mass): (&PartSpec, Option<f32>),
    spec: &BodySpec,
    data: u128,
    (shape, offset): (SharedShape, Vec2),
) -> Collider {
    let mut types = ActiveCollisionTypes::default();
    if part.sensor || (spec.kind == BodyKind::Kinematic && !spec.is_mover()) {
        types |= ActiveCollisionTypes::KINEMATIC_KINEMATIC | ActiveCollisionTypes::KINEMATIC_FIXED;
    }
    let groups = InteractionGroups::new(collider.layer.into(), collider.mask.into(), InteractionTestMode::And);
    let builder = ColliderBuilder::new(shape)
        .translation(offset)
        .friction(collider.friction)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution(collider.restitution)
        .restitution_combine_rule(CoefficientCombineRule::GeometricMean)
        .collision_groups(groups)
        .sensor(part.sensor)
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .active_collision_types(types);
    let builder = match mass {
        Some(mass) => builder.mass(mass),
        None => builder.density(0.0),
    };
    let is_ground = !part.sensor && spec.kind != BodyKind::Dynamic && !spec.is_mover();
    let is_walker = !part.sensor && spec.walker.is_some();
    let flags = [(collider.one_way, IS_ONE_WAY), (is_ground, IS_GROUND), (is_walker, IS_WALKER)];
    let data = flags.into_iter().filter(|(is_set, _)| *is_set).fold(data, |data, (_, flag)| data | flag);
    let mut made = builder.user_data(data).build();
    // Without hooks, the solver skips contacts of colliders that have not moved.
    let mut hooks = ActiveHooks::empty();
    hooks.set(ActiveHooks::MODIFY_SOLVER_CONTACTS, is_always_watched(&made));
    let may_press = spec.kind == BodyKind::Kinematic || spec.is_mover();
    if may_press || collider.one_way {
        // Pairs that do not collide: bodies being crushed, see `crush`, and fast bodies that rise through one-way ones,
        // which would be stopped below before their contacts can be dropped.
        hooks |= ActiveHooks::FILTER_CONTACT_PAIRS;
    }
    made.set_active_hooks(hooks);
    made
}
