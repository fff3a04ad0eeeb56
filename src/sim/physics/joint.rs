//! Joints: what holds two bodies together, or one to the world; their motors, and what breaks them.
//!
//! Invariant: a joint belongs to one body and is kept by its key. Where it holds is computed from the places its bodies
//! had when the level began, so making it anew, as after a body changed, gives the same joint. A joint that breaks or
//! whose other body is gone is gone.

use glam::Vec2;
use rapier2d::{
    dynamics::{GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel},
    math::{Pose as Frame, Rotation},
};

use crate::sim::EntityKey;

use super::Physics;

/// Stiffness of what keeps two anchors at a distance, in Hz: under its weight a body gives by less than 0.01 px.
const ROD_HZ: f32 = 60.0;
/// How fast a motor gets to its speed, 1/s.
const MOTOR_RATE: f32 = 1000.0;
/// The shortest rope, in pixels.
const MIN_LENGTH: f32 = 1e-3;

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointKind {
    /// Turning about an anchor.
    #[default]
    Revolute,
    /// Sliding along an axis.
    Prismatic,
    /// All but the distance of the anchors.
    Distance,
    /// Any distance of the anchors up to a length.
    Rope,
    /// Nothing.
    Weld,
    /// The anchors are drawn to a distance.
    Spring,
}

/// What the motor of a joint that turns or slides does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motor {
    /// Nothing.
    #[default]
    Off,
    /// Keeps a speed.
    Speed,
    /// Goes to a place and stays there.
    Position,
}

/// A joint of a body. Turning is in radians, forces in kg·px/s², turning forces in kg·px²/s².
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSpec {
    /// What it leaves free.
    pub kind: JointKind,
    /// From the body's origin, before it is turned: its own anchor, and where the other's is when the level begins, if
    /// that is another place.
    pub anchors: Vec<Vec2>,
    /// The direction of sliding, from the body's own.
    pub axis_rad: f32,
    /// The least and the greatest turn in radians, or way in pixels, from how it begins.
    pub limits: Option<Vec2>,
    /// Of a rope, a spring or a distance, in pixels; 0 as it begins.
    pub length: f32,
    /// Whether it moves by itself.
    pub motor: Motor,
    /// Radians or pixels, a second for a speed.
    pub motor_target: f32,
    /// The most its motor has; 0 for any.
    pub motor_force: f32,
    /// How stiff a spring is, or a motor that goes to a place.
    pub frequency_hz: f32,
    /// How soon these come to rest: below 1 they swing.
    pub damping_ratio: f32,
    /// A greater force breaks it; 0 for none.
    pub break_force: f32,
    /// Whether the two bodies touch each other.
    pub collide: bool,
}

/// A joint, with what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What it is like.
    pub spec: JointSpec,
    /// The other body; without one it is the world.
    pub other: Option<EntityKey>,
    /// Place in pixels and angle in radians of its body when it began.
    pub own_at: (Vec2, f32),
    /// The same of the other.
    pub other_at: (Vec2, f32),
}

/// A joint that broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Whose it was.
    pub key: EntityKey,
    /// The other body.
    pub other: Option<EntityKey>,
}

/// A joint in the solver.
#[derive(Clone, Debug)]
pub(super) struct Held {
    link: Link,
    /// Nothing while one of its bodies is missing, or none can move.
    handle: Option<ImpulseJointHandle>,
}

impl Link {
    /// Where it holds: of its body and of the other, in their own frames.
    fn anchors(&self) -> [Vec2; 2] {
        let own = self.spec.anchors.first().copied().unwrap_or_default();
        let far = self.spec.anchors.get(1).copied().unwrap_or(own);
        let ((own_pos, own_angle), (other_pos, other_angle)) = (self.own_at, self.other_at);
        let there = own_pos + Rotation::new(own_angle) * far;
        [own, Rotation::new(-other_angle) * (there - other_pos)]
    }

    /// As the solver has it, from the other body to this one.
    fn joint(&self) -> GenericJoint {
        let spec = &self.spec;
        let [own, other] = self.anchors();
        let turned = self.own_at.1 - self.other_at.1;
        let far = spec.anchors.get(1).map_or(0.0, |far| far.distance(own));
        let length = if spec.length > 0.0 { spec.length } else { far }.max(MIN_LENGTH);
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
                joint = joint.coupled_axes(linear).limits(JointAxis::LinX, [0.0, length]);
                joint = spring(joint, JointAxis::LinX, length, ROD_HZ, 1.0);
            }
            JointKind::Spring => {
                joint = joint.coupled_axes(linear);
                joint = spring(joint, JointAxis::LinX, length, spec.frequency_hz, spec.damping_ratio);
            }
            JointKind::Revolute | JointKind::Prismatic | JointKind::Weld => {}
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

    /// Give a body a joint, or take it away. Nothing happens to one that it has already.
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

    /// The anchors of a body's joint where they are, in world pixels, its own first; nothing where none holds it.
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

    /// The joints that broke since the last call, in key order of each step.
    pub fn take_broken(&mut self) -> Vec<Broken> {
        std::mem::take(&mut self.broken)
    }

    /// The joints that hold a body: its own, and those of others to it.
    pub(super) fn joints_of(&self, key: EntityKey) -> Vec<EntityKey> {
        let holds = |(of, held): &(&EntityKey, &Held)| **of == key || held.link.other == Some(key);
        self.joints.iter().filter(holds).map(|(of, _)| *of).collect()
    }

    /// Have the solver hold a joint's bodies together. While it does, they count as in contact: gravity is the
    /// solver's.
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
        [Some(key), other].into_iter().flatten().for_each(|key| self.count_contact(key, true));
    }

    /// Have the solver let go of a joint's bodies.
    pub(super) fn detach(&mut self, key: EntityKey) {
        let Some(held) = self.joints.get_mut(&key) else { return };
        let Some(handle) = held.handle.take() else { return };
        let other = held.link.other;
        self.solver.remove_joint(handle);
        [Some(key), other].into_iter().flatten().for_each(|key| self.count_contact(key, false));
    }

    /// Let go of the joints that were pulled at too hard in the last step.
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
