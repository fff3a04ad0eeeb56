//! One body: its spec, its pose, and what moves it.
//!
//! Invariant: `pose` is the authority for all but dynamic bodies during a step; the solver's copy follows it, except
//! that of a mover outside the solver.

use std::sync::Arc;

use glam::Vec2;
use rapier2d::prelude::RigidBodyHandle;

use crate::sim::{EntityKey, limits};

use super::{
    convex::Aabb,
    mover::Rest,
    spec::{BodySpec, ColliderSpec, CollisionGroups},
    touch::Other,
    zone::Felt,
};

/// Position and motion of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Position of the entity's origin, px.
    pub pos: Vec2,
    /// Angle in radians, clockwise on the screen.
    pub angle: f32,
    /// Velocity, px/s.
    pub vel: Vec2,
    /// Angular velocity, rad/s, clockwise on the screen.
    pub spin: f32,
}

/// The input of a walker for one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkInput {
    /// Direction to walk in; a length of 1 is full speed, longer is not faster. Seen from the side only x counts.
    pub dir: Vec2,
    /// Jump if possible, with this speed in px/s. Set in one step for each jump: a walker for which it is set in every
    /// step jumps whenever it lands.
    pub jump: Option<f32>,
    /// The jump key is not held: a jump under way is cut short, and gravity is not reduced near its top.
    pub released: bool,
    /// Vertical direction on ladders and in water, -1 (up) to 1 (down); seen from the side.
    pub climb: f32,
    /// Dash in this direction if possible.
    pub dash: Option<Vec2>,
    /// Fall through the one-way ground it stands on.
    pub drop: bool,
}

impl WalkInput {
    pub(super) fn sane(self) -> Self {
        // Inputs that are equal have equal effects: zero has no sign.
        let dir = if self.dir.is_finite() { self.dir.clamp_length_max(1.0) + Vec2::ZERO } else { Vec2::ZERO };
        Self {
            dir,
            jump: self.jump.filter(|speed| speed.is_finite() && *speed > 0.0),
            climb: if self.climb.is_finite() { self.climb.clamp(-1.0, 1.0) } else { 0.0 },
            dash: self.dash.filter(|dir| dir.is_finite()).and_then(Vec2::try_normalize),
            ..self
        }
    }
}

/// A problem of a body that exceeded a limit or was taken out of the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The body's key.
    pub key: EntityKey,
    /// The id of the problem.
    pub rule: &'static str,
    /// The message of the problem.
    pub message: String,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Shared, because it is large and snapshots copy all bodies.
    pub(super) spec: Arc<BodySpec>,
    pub(super) pose: Pose,
    /// How far a walker or flyer was pushed in the last step, see `Near::pushed`, in pixels.
    pub(super) pushed: Vec2,
    pub(super) handle: RigidBodyHandle,
    pub(super) motion: Motion,
    /// A walker's or flyer's last step, if that left it as it was; it changes no result, so it is no part of the hash.
    pub(super) rest: Option<Arc<Rest>>,
    /// Combined effect of the zones that it is in.
    pub(super) felt: Felt,
    /// Force (kg·px/s²) and torque (kg·px²/s²) of the walkers that stand on it, in this step.
    pub(super) load: (Vec2, f32),
    /// Number of colliders in contact with it, as the solver reports them.
    pub(super) n_contacts: u32,
    /// Whether it is loose and touches another loose body, or a joint holds it.
    pub(super) is_stacked: bool,
    /// Whether the solver has its pose and colliders: always, except for movers with neither a loose body near nor a
    /// joint; see `mover::in_solver`.
    pub(super) is_in_solver: bool,
    /// Whether it was taken out of the simulation.
    pub(super) is_faulty: bool,
    /// Whether a limit that it exceeded has been reported.
    pub(super) is_limited: bool,
}

impl Pose {
    /// All of it, bit by bit.
    pub(super) fn bits(self) -> [u32; 6] {
        let Self { pos, angle, vel, spin } = self;
        [pos.x, pos.y, angle, vel.x, vel.y, spin].map(f32::to_bits)
    }

    /// The pose without the motion that the spec forbids: a static body has no velocity, one that keeps its angle no
    /// spin.
    pub(super) fn of(self, spec: &BodySpec) -> Self {
        let vel = if spec.is_static() { Vec2::ZERO } else { self.vel };
        let spin = if spec.is_static() || spec.lock_rotation { 0.0 } else { self.spin };
        Self { vel, spin, ..self }
    }

    /// Whether it is finite.
    pub(super) fn is_finite(&self) -> bool {
        self.pos.is_finite() && self.angle.is_finite() && self.vel.is_finite() && self.spin.is_finite()
    }

    /// Whether it is finite and exceeds no limit. Called for each body in motion in each tick.
    #[inline]
    pub(super) fn is_within_limits(&self) -> bool {
        let within = |vec: Vec2, most: f32| vec.abs().cmple(Vec2::splat(most)).all();
        within(self.pos, limits::MAX_POS_PX)
            && within(self.vel, limits::MAX_SPEED_PX_S)
            && self.spin.abs() <= limits::MAX_SPIN_RAD_S
            && self.angle.is_finite()
    }

    /// The nearest pose within the limits, and the message if a limit was exceeded. A body at the edge of the world
    /// stays there.
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
    /// Whether forces move it.
    pub(super) fn is_loose(&self) -> bool {
        matches!(self.motion, Motion::Loose)
    }

    /// The collision groups of its collider, and the box around the solid parts of that where they are, in pixels; `None`
    /// if nothing of it is solid.
    pub(super) fn solid_around(&self) -> Option<(CollisionGroups, Aabb)> {
        let collider = self.spec.collider.as_ref().filter(|it| !it.is_sensor())?;
        Some((collider.groups(), collider.solid_bounds(self.pose.pos, self.pose.angle)))
    }

    /// Whether it is loose and has a round part, on which it rolls.
    pub(super) fn rolls(&self) -> bool {
        let is_round = |collider: &ColliderSpec| collider.solids().any(|part| part.convex.radius > 0.0);
        self.spec.is_dynamic() && self.spec.collider.as_ref().is_some_and(is_round)
    }

    /// The fault to report when a limit is exceeded; `None` if one has been reported of this body.
    pub(super) fn limited(&mut self, key: EntityKey, exceeded: Option<&str>) -> Option<Fault> {
        let message = exceeded.filter(|_| !self.is_limited)?.to_owned();
        self.is_limited = true;
        Some(Fault { key, rule: "preview-limit", message })
    }

    /// Position (px) and angle (radians) at the end of this step, as far as known before the solver runs: for kinematic
    /// bodies; for others the present ones.
    pub(super) fn end_pose(&self) -> (Vec2, f32) {
        match &self.motion {
            Motion::Carried { next: Some(next), .. } => *next,
            _ => (self.pose.pos, self.pose.angle),
        }
    }

    /// Whether it has another pose at the end of this step, as far as [`Self::end_pose`] is known.
    pub(super) fn moves_in_step(&self) -> bool {
        self.end_pose() != (self.pose.pos, self.pose.angle)
    }

    /// How far a point of its collider turns at most in this step, in pixels, as far as [`Self::end_pose`] is known.
    pub(super) fn turned_px(&self) -> f32 {
        let radius = self.spec.collider.as_ref().map_or(0.0, ColliderSpec::radius);
        (self.end_pose().1 - self.pose.angle).abs() * radius
    }
}

/// How a body is moved, with the state that this needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Motion {
    /// A static body, which never moves.
    Still,
    /// A loose body, moved by the solver.
    Loose,
    /// A kinematic body, which follows its velocity or the pose that was set.
    Carried {
        next: Option<(Vec2, f32)>,
        /// Whether the last pose was set by `set_next_pose`: if none is set again, the body stops there.
        was_set: bool,
    },
    /// A walker's state.
    Walk(Box<Walk>),
    /// A flyer's state.
    Fly(Fly),
}

impl Motion {
    pub(super) fn leave_ground(&mut self) {
        if let Self::Walk(walk) = self {
            walk.ground = None;
        }
    }

    /// The input of a walker for this step, which is then none; that of other bodies is none.
    pub(super) fn take_input(&mut self) -> WalkInput {
        if let Self::Walk(walk) = self { std::mem::take(&mut walk.input) } else { WalkInput::default() }
    }

    /// Forget the state of a mover.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Walk(walk) => **walk = Walk::default(),
            Self::Fly(fly) => *fly = Fly::default(),
            Self::Still | Self::Loose | Self::Carried { .. } => {}
        }
    }

    pub(super) fn hash(&self, add: &mut impl FnMut(u64)) {
        match self {
            Self::Still | Self::Loose => {}
            Self::Carried { next, was_set } => {
                add(u64::from(next.is_some()) * 2 + u64::from(*was_set));
                if let Some((pos, angle)) = next {
                    [pos.x, pos.y, *angle].into_iter().for_each(|x| add(u64::from(x.to_bits())));
                }
            }
            Self::Fly(fly) => [fly.desired.x, fly.desired.y].into_iter().for_each(|x| add(u64::from(x.to_bits()))),
            Self::Walk(walk) => {
                add(u64::from(walk.ground.is_some())
                    | u64::from(walk.is_jumping) << 1
                    | u64::from(walk.climbs) << 2
                    | u64::from(walk.wall.right) << 3
                    | u64::from(walk.n_air_jumps & 0xff) << 4
                    | u64::from(walk.dash.n_in_air & 0xff) << 12
                    | u64::from(walk.dash.has_set_vel) << 20
                    | u64::from(walk.boost.to_bits()) << 32);
                add(u64::from(walk.coyote_secs.to_bits()) | u64::from(walk.wall.secs.to_bits()) << 32);
                let secs =
                    [walk.wall.lock_secs, walk.dash.left_secs, walk.dash.wait_secs, walk.lift_secs, walk.unborne];
                let vels = [walk.lift, walk.carried].into_iter().flat_map(|vel| [vel.x, vel.y]);
                secs.into_iter().chain(vels).chain(walk.drop_from).for_each(|x| add(u64::from(x.to_bits())));
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walk {
    pub(super) input: WalkInput,
    /// The ground that it stands on.
    pub(super) ground: Option<Ground>,
    /// Coyote time left, in seconds.
    pub(super) coyote_secs: f32,
    /// Whether it rises by a jump that can still be cut short.
    pub(super) is_jumping: bool,
    /// Whether it left the ground by a jump in the last step.
    pub(super) has_jumped: bool,
    /// While it falls through one-way ground: the height of its origin (y in px) at which it began to.
    pub(super) drop_from: Option<f32>,
    /// Velocity of the ground it stands on, as of the last step, px/s.
    pub(super) carried: Vec2,
    /// Part of the gravity of a tick that accelerates it down with the loose body that it stands on, px/s.
    pub(super) unborne: f32,
    /// The greatest recent velocity of that kind, px/s, and how long a jump can still use it, in seconds.
    pub(super) lift: Vec2,
    pub(super) lift_secs: f32,
    /// In the air: the horizontal speed taken over from its carrier, px/s; it is not braked away.
    pub(super) boost: f32,
    /// Number of jumps made in the air since it last stood.
    pub(super) n_air_jumps: u32,
    pub(super) wall: Wall,
    pub(super) dash: Dash,
    /// Whether it holds on to a ladder.
    pub(super) climbs: bool,
}

/// The wall that a walker is at, or was at last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wall {
    /// Whether the wall is to the right, else to the left.
    pub(super) right: bool,
    /// How long a jump off it is still possible, in seconds.
    pub(super) secs: f32,
    /// How long the walker still moves away from the wall it jumped off, in seconds.
    pub(super) lock_secs: f32,
}

/// A dash under way, or the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Dash {
    pub(super) vel: Vec2,
    /// Time left of the dash, in seconds.
    pub(super) left_secs: f32,
    /// Time until the next dash may begin, in seconds.
    pub(super) wait_secs: f32,
    /// Number of dashes begun in the air since it last stood.
    pub(super) n_in_air: u32,
    /// In the air: whether a dash has set the walker's velocity since it left the ground.
    pub(super) has_set_vel: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    pub(super) other: Other,
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
    pub(super) one_way: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fly {
    pub(super) desired: Vec2,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_within_limits_are_those_that_limits_leave_as_they_are() {
        let numbers = [limits::MAX_POS_PX, limits::MAX_SPEED_PX_S, limits::MAX_SPIN_RAD_S, f32::INFINITY, f32::NAN];
        let around = numbers.into_iter().flat_map(|most| [0.0, most, -most, most.next_up(), -most.next_up()]);
        for x in around {
            let vec = [Vec2::new(x, 1.0), Vec2::new(-1.0, x)];
            let poses = vec
                .into_iter()
                .flat_map(|vec| [Pose { pos: vec, ..Pose::default() }, Pose { vel: vec, ..Pose::default() }]);
            for pose in poses.chain([Pose { spin: x, ..Pose::default() }]) {
                let is_same = pose.is_finite() && pose.within_limits() == (pose, None);
                assert_eq!(pose.is_within_limits(), is_same, "{pose:?}");
            }
            assert_eq!(Pose { angle: x, ..Pose::default() }.is_within_limits(), x.is_finite(), "angle {x}");
        }
    }
}
