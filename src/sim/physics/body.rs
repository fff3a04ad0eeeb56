//! One body: its spec, its pose, and what moves it.
//!
//! Invariant: `pose` is the truth for all but dynamic bodies during a step; the solver's copy follows it.

use glam::Vec2;
use rapier2d::prelude::RigidBodyHandle;

use crate::sim::{EntityKey, limits};

use super::{spec::BodySpec, touch::Other, zone::Felt};

/// Where a body is and how it moves. Pixels, radians, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// The entity's origin.
    pub pos: Vec2,
    /// Clockwise on the screen.
    pub angle: f32,
    /// px/s
    pub vel: Vec2,
    /// rad/s
    pub spin: f32,
}

/// What a walker wants, for one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkInput {
    /// Where to; a length of 1 is full speed, longer is not faster. Seen from the side only x counts.
    pub dir: Vec2,
    /// Jump if it can, with this speed in px/s. Set once for each jump: a walker for which it is set every tick jumps
    /// whenever it lands.
    pub jump: Option<f32>,
    /// The key of the jump is not held: one that is under way is cut short, and does not stay near its top.
    pub released: bool,
    /// Up, below zero, or down, on ladders and in water; seen from the side.
    pub climb: f32,
    /// Dash this way if it can.
    pub dash: Option<Vec2>,
    /// Fall through what is solid only from above.
    pub drop: bool,
}

impl WalkInput {
    pub(super) fn sane(self) -> Self {
        let dir = if self.dir.is_finite() { self.dir.clamp_length_max(1.0) } else { Vec2::ZERO };
        Self {
            dir,
            jump: self.jump.filter(|speed| speed.is_finite() && *speed > 0.0),
            climb: if self.climb.is_finite() { self.climb.clamp(-1.0, 1.0) } else { 0.0 },
            dash: self.dash.filter(|dir| dir.is_finite()).and_then(Vec2::try_normalize),
            ..self
        }
    }
}

/// A body that had to be slowed down, held or taken out of the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The body.
    pub key: EntityKey,
    /// The name of the problem.
    pub rule: &'static str,
    /// What went wrong, as a message.
    pub message: String,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) spec: BodySpec,
    pub(super) pose: Pose,
    pub(super) handle: RigidBodyHandle,
    pub(super) motion: Motion,
    /// Of the zones it is in.
    pub(super) felt: Felt,
    /// Colliders that touch it, as the solver counts them.
    pub(super) n_contacts: u32,
    /// Taken out of the simulation.
    pub(super) is_faulty: bool,
    /// It was reported to exceed a limit.
    pub(super) is_limited: bool,
}

impl Pose {
    /// The pose as a body of a spec can have it: a static one has no velocity, one that keeps its angle no spin.
    pub(super) fn of(self, spec: &BodySpec) -> Self {
        let vel = if spec.is_static() { Vec2::ZERO } else { self.vel };
        let spin = if spec.is_static() || spec.lock_rotation { 0.0 } else { self.spin };
        Self { vel, spin, ..self }
    }

    /// The nearest pose within the limits, and what exceeded them. A body at the edge of the world stays there.
    pub(super) fn within_limits(self) -> (Self, Option<&'static str>) {
        let (pos, vel) = (limits::place(self.pos), limits::velocity(self.vel));
        let spin = self.spin.clamp(-limits::MAX_SPIN_RAD_S, limits::MAX_SPIN_RAD_S);
        let (fast, far) = ((vel, spin) != (self.vel, self.spin), pos != self.pos);
        let stopped = |at: f32, was: f32, vel: f32| if at == was { vel } else { 0.0 };
        let vel = Vec2::new(stopped(pos.x, self.pos.x, vel.x), stopped(pos.y, self.pos.y, vel.y));
        let what = match (far, fast) {
            (true, _) => Some("its position exceeds the preview's limit and was limited"),
            (false, true) => Some("its velocity exceeds the preview's limit and was limited"),
            (false, false) => None,
        };
        (Self { pos, vel, spin, ..self }, what)
    }
}

impl Body {
    /// What to report when it exceeds a limit: only the first time.
    pub(super) fn limited(&mut self, key: EntityKey, exceeded: Option<&str>) -> Option<Fault> {
        let message = exceeded.filter(|_| !self.is_limited)?.to_owned();
        self.is_limited = true;
        Some(Fault { key, rule: "preview-limit", message })
    }

    /// Where it is at the end of this step, as far as is known before the solver: kinematic bodies know.
    pub(super) fn end_pose(&self) -> (Vec2, f32) {
        match &self.motion {
            Motion::Carried { next: Some(next), .. } => *next,
            _ => (self.pose.pos, self.pose.angle),
        }
    }

    /// How fast a point of it moves.
    pub(super) fn velocity_at(&self, point: Vec2) -> Vec2 {
        self.pose.vel + (point - self.pose.pos).perp() * self.pose.spin
    }
}

/// What moves a body.
#[derive(Clone, Debug)]
pub(super) enum Motion {
    /// Nothing, or the solver.
    Solver,
    /// A kinematic body: its velocity, or the pose that was set.
    Carried {
        next: Option<(Vec2, f32)>,
        /// Whether the last pose was set from outside; without another it stops there.
        was_set: bool,
    },
    /// Its feet.
    Walk(Walk),
    /// Its wings.
    Fly(Fly),
}

impl Motion {
    pub(super) fn leave_ground(&mut self) {
        if let Self::Walk(walk) = self {
            walk.ground = None;
        }
    }

    pub(super) fn hash(&self, add: &mut impl FnMut(u64)) {
        match self {
            Self::Solver => {}
            Self::Carried { next, was_set } => add(u64::from(next.is_some()) * 2 + u64::from(*was_set)),
            Self::Fly(fly) => [fly.desired.x, fly.desired.y].into_iter().for_each(|x| add(u64::from(x.to_bits()))),
            Self::Walk(walk) => {
                add(u64::from(walk.ground.is_some())
                    | u64::from(walk.is_jumping) << 1
                    | u64::from(walk.climbs) << 2
                    | u64::from(walk.wall.right) << 3
                    | u64::from(walk.n_air_jumps & 0xff) << 4
                    | u64::from(walk.dash.n_in_air & 0xff) << 12
                    | u64::from(walk.boost.to_bits()) << 32);
                add(u64::from(walk.coyote_secs.to_bits()) | u64::from(walk.wall.secs.to_bits()) << 32);
                let others = [walk.wall.lock_secs, walk.dash.left_secs, walk.dash.wait_secs, walk.lift_secs];
                others.into_iter().filter(|x| *x != 0.0).for_each(|x| add(u64::from(x.to_bits())));
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub(super) input: WalkInput,
    /// What it stands on.
    pub(super) ground: Option<Ground>,
    /// How long a jump still counts.
    pub(super) coyote_secs: f32,
    /// It rises by a jump, which can be cut short.
    pub(super) is_jumping: bool,
    /// It left the ground by a jump in the last step.
    pub(super) has_jumped: bool,
    /// Falling through a ledge from this height on.
    pub(super) drop_from: Option<f32>,
    /// Velocity of what it stands on, as of the last step.
    pub(super) carried: Vec2,
    /// The greatest such velocity of late, and for how long it still counts.
    pub(super) lift: Vec2,
    pub(super) lift_secs: f32,
    /// In the air: the speed across that it has from what carried it and does not brake from.
    pub(super) boost: f32,
    /// Jumps made in the air since it last stood.
    pub(super) n_air_jumps: u32,
    pub(super) wall: Wall,
    pub(super) dash: Dash,
    /// It is on a ladder.
    pub(super) climbs: bool,
}

/// The wall a walker is at, or was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wall {
    /// It is to the right, else to the left.
    pub(super) right: bool,
    /// How long a jump off it still counts.
    pub(super) secs: f32,
    /// How long it still goes away from the wall it jumped off.
    pub(super) lock_secs: f32,
}

/// A dash under way, or the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dash {
    pub(super) vel: Vec2,
    /// How long it still lasts.
    pub(super) left_secs: f32,
    /// How long until the next may begin.
    pub(super) wait_secs: f32,
    /// Dashes begun in the air since it last stood.
    pub(super) n_in_air: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) other: Other,
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
    pub(super) one_way: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Fly {
    pub(super) desired: Vec2,
}
