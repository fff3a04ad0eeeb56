//! Joints between two bodies, or between a body and the world: motors, limits, breaking.
//!
//! Invariant: a joint belongs to one body and is stored under its key. Its anchors follow from the poses of its bodies
//! at the start of the level, so a joint that is made anew, as after a change of a body, is the same. A joint that
//! breaks, or whose other body is removed, is removed.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;
use rapier2d::{
    dynamics::{
        GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel, SpringCoefficients,
    },
    math::{Pose as Frame, Rotation},
};

use crate::sim::EntityKey;

use super::{BodySpec, Physics, convex::Aabb};

/// Stiffness of a joint that keeps two anchors at a distance, in Hz: under its weight a body moves by less than 0.01
/// px.
const ROD_HZ: f32 = 120.0;
/// Stiffness of hinges, in Hz, and their damping ratio. Were they rigid, a chain that hangs between two places, and that
/// a walker loads, would store energy until it throws him.
const HINGE: SpringCoefficients<f32> = SpringCoefficients { natural_frequency: 180.0, damping_ratio: 2.0 };
/// Rate at which a motor approaches its speed, 1/s.
const MOTOR_RATE: f32 = 1000.0;
/// Joints whose anchors are out of reach by no more are left to the solver, in pixels.
const REACH_PX: f32 = 8.0;
/// The most rounds in which the ends of joints are brought within reach.
const REACH_ROUNDS: usize = 500;
/// The room of a body that nothing bounds.
const EVERYWHERE: Aabb = Aabb { lo: Vec2::NEG_INFINITY, hi: Vec2::INFINITY };
/// The shortest rope, in pixels.
const MIN_LENGTH: f32 = 1e-3;

/// Kind of a joint, by the motion it leaves free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointKind {
    /// Rotation about an anchor.
    #[default]
    Revolute,
    /// Translation along an axis.
    Prismatic,
    /// All but the distance of the anchors.
    Distance,
    /// Any distance of the anchors up to a length.
    Rope,
    /// No relative motion.
    Weld,
    /// Any motion; a spring pulls the anchors to a distance.
    Spring,
}

impl JointKind {
    /// Whether it acts along the line between two anchors.
    pub(in crate::sim) fn has_length(self) -> bool {
        matches!(self, Self::Distance | Self::Rope | Self::Spring)
    }
}

/// What the motor of a revolute or prismatic joint does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motor {
    /// No motor.
    #[default]
    Off,
    /// Drives at a constant speed.
    Speed,
    /// Drives to a position and holds it.
    Position,
}

/// A joint of a body. Angles in radians, forces in kg·px/s², torques in kg·px²/s².
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSpec {
    /// Which motion it leaves free.
    pub kind: JointKind,
    /// Anchors in pixels from the body's origin, unturned: its own and, if it is at another place when the level
    /// begins, the other body's.
    pub anchors: Vec<Vec2>,
    /// Direction of a prismatic joint, in radians from the body's own.
    pub axis_rad: f32,
    /// The least and the greatest rotation (radians) or translation (pixels) from the start.
    pub limits: Option<Vec2>,
    /// Length of a rope, spring or distance joint, in pixels; 0: the distance at the start.
    pub length: f32,
    /// Mode of its motor.
    pub motor: Motor,
    /// Target of the motor: rad/s or px/s for a speed, radians or pixels for a position.
    pub motor_target: f32,
    /// The greatest force or torque of the motor; 0 for no limit.
    pub motor_force: f32,
    /// Stiffness of a spring, or of a motor with a position, in Hz.
    pub frequency_hz: f32,
    /// Damping ratio of these, without a unit: below 1 they oscillate.
    pub damping_ratio: f32,
    /// Force above which the joint breaks; 0 for never.
    pub break_force: f32,
    /// Whether the two bodies collide with each other.
    pub collide: bool,
}

/// A joint with its other body and where both were at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The joint's settings.
    pub spec: JointSpec,
    /// The other body; `None` for the world.
    pub other: Option<EntityKey>,
    /// Position (px) and angle (radians) of its own body at the start.
    pub own_at: (Vec2, f32),
    /// Position (px) and angle (radians) of the other body at the start.
    pub other_at: (Vec2, f32),
}

/// A joint that broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The body that had the joint.
    pub key: EntityKey,
    /// The other body; `None` for the world.
    pub other: Option<EntityKey>,
}

/// A joint and its handle in the solver.
#[derive(Clone, Debug)]
pub(super) struct Held {
    link: Link,
    /// `None` while one of its bodies is missing, or neither can move.
    handle: Option<ImpulseJointHandle>,
}

/// A joint as far as it limits the distance of its anchors: a rope, a rod, a hinge or a weld. In pixels.
struct Tie {
    /// The bodies, its own first; `None` for the world.
    ends: [Option<EntityKey>; 2],
    /// Places of the anchors.
    at: [Vec2; 2],
    /// The least and the greatest length.
    length: [f32; 2],
}

impl Link {
    /// World positions of the two anchors at the start, its own first, in pixels. Without a second one, a joint between
    /// two places ends at the origin of the other body; any other has both in one place.
    fn anchors_at_start(&self) -> [Vec2; 2] {
        let (pos, angle) = self.own_at;
        let place = |anchor: Vec2| pos + Rotation::new(angle) * anchor;
        let own = place(self.spec.anchors.first().copied().unwrap_or_default());
        let far = match self.spec.anchors.get(1) {
            Some(far) => place(*far),
            None if self.spec.kind.has_length() && self.other.is_some() => self.other_at.0,
            None => own,
        };
        [own, far]
    }

    /// Length of a rope, spring or distance joint, in pixels.
    fn length(&self) -> f32 {
        let [here, there] = self.anchors_at_start();
        if self.spec.length > 0.0 { self.spec.length } else { here.distance(there) }.max(MIN_LENGTH)
    }

    /// Anchors of its body and of the other, each in its own frame, in pixels.
    fn anchors(&self) -> [Vec2; 2] {
        let own = self.spec.anchors.first().copied().unwrap_or_default();
        let (other_pos, other_angle) = self.other_at;
        [own, Rotation::new(-other_angle) * (self.anchors_at_start()[1] - other_pos)]
    }

    /// The box within which it lets one of its bodies move while the other one stays, in pixels: its own or the other,
    /// which begins within the box `around`. `None` if it lets that not move.
    fn room_of(&self, around: Aabb, is_own: bool) -> Option<Aabb> {
        let mut anchors = self.anchors_at_start();
        if !is_own {
            anchors.reverse();
        }
        let [held, holds] = anchors;
        let radius = (around.lo - held).abs().max((around.hi - held).abs()).length();
        let disc = |center: Vec2, radius: f32| Aabb { lo: center, hi: center }.grown(radius);
        Some(match self.spec.kind {
            JointKind::Weld => return None,
            JointKind::Revolute => disc(holds, radius),
            JointKind::Distance | JointKind::Rope => disc(holds, self.length() + radius),
            JointKind::Spring => EVERYWHERE,
            JointKind::Prismatic => self.spec.limits.map_or(EVERYWHERE, |limits| {
                let axis = Rotation::new(self.own_at.1 + self.spec.axis_rad) * Vec2::X;
                let way = axis * limits.abs().max_element();
                around.swept(way).union(around.swept(-way))
            }),
        })
    }

    /// The joint as the solver has it, from the other body to this one.
    fn joint(&self) -> GenericJoint {
        let spec = &self.spec;
        let [own, other] = self.anchors();
        let turned = self.own_at.1 - self.other_at.1;
        let length = self.length();
        let linear = JointAxesMask::LIN_X | JointAxesMask::LIN_Y;
        let all = linear | JointAxesMask::ANG_X;
        let (locked, free) = match spec.kind {
            JointKind::Revolute => (linear, Some(JointAxis::AngX)),
            JointKind::Prismatic => (JointAxesMask::LIN_Y | JointAxesMask::ANG_X, Some(JointAxis::LinX)),
            JointKind::Weld => (all, None),
            JointKind::Distance | JointKind::Rope | JointKind::Spring => (JointAxesMask::empty(), None),
        };
        let mut joint = GenericJointBuilder::new(locked)
            .local_frame1(Frame::new(other, turned + spec.axis_rad))
            .local_frame2(Frame::new(own, spec.axis_rad))
            .contacts_enabled(spec.collide);
        let spring = |joint: GenericJointBuilder, axis, to, hz: f32, ratio| {
            let rate = std::f32::consts::TAU * hz;
            let joint = joint.motor_model(axis, MotorModel::AccelerationBased);
            joint.motor_position(axis, to, rate * rate, 2.0 * ratio * rate)
        };
        match spec.kind {
            JointKind::Rope => {
                joint = joint.coupled_axes(linear).limits(JointAxis::LinX, [0.0, length]);
            }
            JointKind::Distance => {
                // A limit beside the spring would act against it: bodies with two such joints fly apart.
                joint = joint.coupled_axes(linear);
                joint = spring(joint, JointAxis::LinX, length, ROD_HZ, 1.0);
            }
            JointKind::Spring => {
                joint = joint.coupled_axes(linear);
                joint = spring(joint, JointAxis::LinX, length, spec.frequency_hz, spec.damping_ratio);
            }
            JointKind::Revolute => joint = joint.softness(HINGE),
            JointKind::Prismatic | JointKind::Weld => {}
        }
        let Some(axis) = free else { return joint.build() };
        if let Some(Vec2 { x, y }) = spec.limits {
            joint = joint.limits(axis, [x.min(y), x.max(y)]);
        }
        match spec.motor {
            Motor::Off => {}
            Motor::Speed => {
                joint = joint.motor_model(axis, MotorModel::AccelerationBased);
                joint = joint.motor_velocity(axis, spec.motor_target, MOTOR_RATE);
            }
            Motor::Position => joint = spring(joint, axis, spec.motor_target, spec.frequency_hz, spec.damping_ratio),
        }
        if spec.motor != Motor::Off && spec.motor_force > 0.0 {
            joint = joint.motor_max_force(axis, spec.motor_force);
        }
        joint.build()
    }
}

impl Physics {
    /// The joint of a body.
    #[must_use]
    pub fn joint(&self, key: EntityKey) -> Option<&Link> {
        self.joints.get(&key).map(|held| &held.link)
    }

    /// The bodies that have a joint, in key order.
    pub fn with_joint(&self) -> impl Iterator<Item = EntityKey> {
        self.joints.keys().copied()
    }

    /// Set or remove the joint of a body. Does nothing if the body has this joint already.
    pub fn set_joint(&mut self, key: EntityKey, link: Option<Link>) {
        if self.joint(key) == link.as_ref() {
            return;
        }
        self.detach(key);
        self.joints.remove(&key);
        if let Some(link) = link {
            self.joints.insert(key, Held { link, handle: None });
            self.attach(key);
        }
    }

    /// Positions of the anchors of a body's joint in world pixels, its own first; `None` if the solver has no such
    /// joint.
    #[must_use]
    pub fn joint_line(&self, key: EntityKey) -> Option<[Vec2; 2]> {
        let link = &self.joints.get(&key).filter(|held| held.handle.is_some())?.link;
        let [own, other] = link.anchors();
        let at = |key: EntityKey, anchor: Vec2| {
            let pose = self.pose(key)?;
            Some(pose.pos + Rotation::new(pose.angle) * anchor)
        };
        let there = link.other.map_or(Some(other), |key| at(key, other))?;
        Some([at(key, own)?, there])
    }

    /// The joints that broke since the last call, in key order within each step.
    pub fn take_broken(&mut self) -> Vec<Broken> {
        std::mem::take(&mut self.broken)
    }

    /// The bodies whose joints hold a body: itself, and others with a joint to it.
    pub(super) fn joints_of(&self, key: EntityKey) -> Vec<EntityKey> {
        let holds = |(of, held): &(&EntityKey, &Held)| **of == key || held.link.other == Some(key);
        self.joints.iter().filter(holds).map(|(of, _)| *of).collect()
    }

    /// The box within which joints let a solid loose body move, in pixels: infinite where nothing bounds it. `None` if it
    /// is none, no joint holds it, or one welds it to what does not move.
    pub(in crate::sim) fn joint_bounds(&self, key: EntityKey) -> Option<Aabb> {
        let body = self.bodies.get(key).filter(|body| body.is_loose())?;
        let around = body.solid_around()?.1;
        let moves = |other: EntityKey| self.spec(other).is_some_and(|spec| !spec.is_static());
        let mut room = None;
        for of in self.joints_of(key) {
            let link = &self.joints.get(&of)?.link;
            let other = if of == key { link.other } else { Some(of) };
            let within = if other.is_some_and(moves) { EVERYWHERE } else { link.room_of(around, of == key)? };
            room = Some(room.map_or(within, |Aabb { lo, hi }| Aabb { lo: lo.max(within.lo), hi: hi.min(within.hi) }));
        }
        room
    }

    /// All bodies that joints hold.
    pub(super) fn jointed(&self) -> BTreeSet<EntityKey> {
        self.joints.iter().flat_map(|(of, held)| [Some(*of), held.link.other]).flatten().collect()
    }

    /// The dynamic bodies that joints hold to a body, directly or by each other, in key order; none where a joint also
    /// holds one of them to the world or to another body that no joint moves.
    #[must_use]
    pub fn joined_to(&self, key: EntityKey) -> Vec<EntityKey> {
        let mut joined = BTreeSet::from([key]);
        let mut rest = vec![key];
        while let Some(one) = rest.pop() {
            for of in self.joints_of(one) {
                let Some(held) = self.joints.get(&of).filter(|held| held.handle.is_some()) else { continue };
                for next in [Some(of), held.link.other].into_iter().filter(|next| *next != Some(one)) {
                    let moves = |next: &EntityKey| *next == key || self.spec(*next).is_some_and(BodySpec::is_dynamic);
                    let Some(next) = next.filter(moves) else { return Vec::new() };
                    if joined.insert(next) {
                        rest.push(next);
                    }
                }
            }
        }
        joined.remove(&key);
        joined.into_iter().collect()
    }

    /// Where joints leave a body that was put somewhere, and the loose bodies that they tie to it, in pixels: within reach
    /// of each other and of what no joint moves, none of them turned. Empty where all of them nearly reach.
    pub(in crate::sim) fn within_reach(&self, key: EntityKey) -> Vec<(EntityKey, Vec2)> {
        let is_loose = |key: &EntityKey| self.is_loose(*key);
        let (mut moved, mut ties, mut rest) = (BTreeMap::new(), BTreeMap::new(), vec![key]);
        moved.extend(is_loose(&key).then_some((key, Vec2::ZERO)));
        while let Some(one) = rest.pop() {
            for of in self.joints_of(one) {
                let Some((tie, other)) = self.tie(of) else { continue };
                ties.insert(of, tie);
                let next = [Some(of), other].into_iter().flatten().filter(is_loose);
                rest.extend(next.filter(|next| moved.insert(*next, Vec2::ZERO).is_none()));
            }
        }
        // Each round moves both ends of each tie by half of what it is stretched or pressed, or one if the other is fixed.
        for round in 0..REACH_ROUNDS {
            let mut worst = 0.0_f32;
            for Tie { ends, at, length } in ties.values() {
                let by = ends.map(|end| end.and_then(|key| moved.get(&key)).copied());
                let way = at[1] + by[1].unwrap_or_default() - at[0] - by[0].unwrap_or_default();
                let way = if way.length() > MIN_LENGTH { way } else { Vec2::new(0.0, 2.0 * MIN_LENGTH) };
                let off = way - way.clamp_length(length[0], length[1]);
                worst = worst.max(off.length());
                let share = if by.iter().all(Option::is_some) { 0.5 } else { 1.0 };
                for (end, off) in ends.iter().zip([off, -off]) {
                    if let Some(by) = end.and_then(|key| moved.get_mut(&key)) {
                        *by += off * share;
                    }
                }
            }
            match round {
                0 if worst <= REACH_PX => return Vec::new(),
                _ if worst < 0.5 => break,
                _ => {}
            }
        }
        let at = |(key, by): (EntityKey, Vec2)| Some((key, self.pose(key)?.pos + by));
        moved.into_iter().filter(|(_, by)| *by != Vec2::ZERO).filter_map(at).collect()
    }

    /// The joint of a body as far as it limits the distance of its anchors, and its other body.
    fn tie(&self, of: EntityKey) -> Option<(Tie, Option<EntityKey>)> {
        let link = self.joint(of)?;
        let length = match link.spec.kind {
            JointKind::Rope => [0.0, link.length()],
            JointKind::Distance => [link.length(); 2],
            JointKind::Revolute | JointKind::Weld => [0.0; 2],
            JointKind::Prismatic | JointKind::Spring => return None,
        };
        Some((Tie { ends: [Some(of), link.other], at: self.joint_line(of)?, length }, link.other))
    }

    /// Add a joint to the solver. While it is there, its bodies count as in contact: the solver applies their gravity.
    pub(super) fn attach(&mut self, key: EntityKey) {
        let Some(held) = self.joints.get(&key).filter(|held| held.handle.is_none()) else { return };
        let other = held.link.other;
        let Some(own) = self.bodies.get(key) else { return };
        let theirs = match other {
            Some(other) if other == key => return,
            Some(other) => match self.bodies.get(other) {
                Some(body) => Some(body),
                None => return,
            },
            None => None,
        };
        if !(own.spec.is_dynamic() || theirs.is_some_and(|body| body.spec.is_dynamic())) {
            return;
        }
        let handle = self.solver.insert_joint(theirs.map(|body| body.handle), own.handle, held.link.joint());
        if let Some(held) = self.joints.get_mut(&key) {
            held.handle = Some(handle);
        }
        self.note_joint([Some(key), other], true);
    }

    /// Remove a joint from the solver.
    pub(super) fn detach(&mut self, key: EntityKey) {
        let Some(held) = self.joints.get_mut(&key) else { return };
        let Some(handle) = held.handle.take() else { return };
        let other = held.link.other;
        self.solver.remove_joint(handle);
        self.note_joint([Some(key), other], false);
    }

    /// Record that a joint of these bodies was added to the solver, or removed from it.
    fn note_joint(&mut self, ends: [Option<EntityKey>; 2], is_added: bool) {
        for key in ends.into_iter().flatten() {
            self.count_contact(key, is_added);
            self.settle_stacked(key, is_added);
        }
    }

    /// Break the joints whose force exceeded their limit in the last step.
    pub(super) fn break_joints(&mut self) {
        let strained = |held: &Held| {
            let most = held.link.spec.break_force;
            most > 0.0 && held.handle.is_some_and(|handle| self.solver.joint_force(handle) > most)
        };
        let broken: Vec<EntityKey> =
            self.joints.iter().filter(|(_, held)| strained(held)).map(|(key, _)| *key).collect();
        for key in broken {
            self.detach(key);
            let other = self.joints.remove(&key).and_then(|held| held.link.other);
            self.broken.push(Broken { key, other });
        }
    }
}
