//! The physical part of an entity: how it moves, its collider, and how it walks or flies.
//!
//! Invariant: a spec that passes [`BodySpec::check`] has a finite body and collider, a mass above zero and a shape with
//! area; the numbers of walkers, flyers and zones are kept within bounds by `sim::limits`.
//! Reading one from data is `sim::components`; what the numbers do is the rest of `sim::physics`.

use glam::{DVec2, Vec2};

use crate::model::Shape;

use super::{
    convex::{Aabb, Convex, edges},
    zone::ZoneSpec,
};

/// Friction of tiles, and of shapes that are not made from data.
pub const DEFAULT_FRICTION: f32 = 0.6;

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Never.
    #[default]
    Static,
    /// As set from outside, by its velocity or [`Physics::set_next_pose`](super::Physics::set_next_pose).
    Kinematic,
    /// By forces.
    Dynamic,
}

/// Everything physical about an entity. Pixels, seconds, radians, kilograms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodySpec {
    /// How it moves, unless it walks or flies.
    pub kind: BodyKind,
    /// Above zero.
    pub mass: f32,
    /// Factor on the world's gravity.
    pub gravity_scale: f32,
    /// Loss of speed, 1/s.
    pub damping: f32,
    /// Loss of spin, 1/s.
    pub spin_damping: f32,
    /// Keeps its angle.
    pub lock_rotation: bool,
    /// At spawn.
    pub velocity: Vec2,
    /// At spawn.
    pub spin: f32,
    /// Never tunnels.
    pub bullet: bool,
    /// Kinematic: stays where it is while it would crush something.
    pub stops: bool,
    /// What of it is solid.
    pub collider: Option<ColliderSpec>,
    /// What its collider does to what is in it.
    pub zone: Option<ZoneSpec>,
    /// Moves on its feet.
    pub walker: Option<WalkerSpec>,
    /// Moves through the air; a walker is no flyer.
    pub flyer: Option<FlyerSpec>,
}

/// One of the shapes of an entity's collider.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSpec {
    /// As declared in data.
    pub shape: Shape,
    /// From the entity's origin.
    pub offset: [f64; 2],
    /// The shape about the entity's origin, its offset applied.
    pub convex: Convex,
    /// Reports contacts, pushes nothing.
    pub sensor: bool,
}

impl PartSpec {
    /// A solid part.
    #[must_use]
    pub fn new(shape: Shape, offset: [f64; 2]) -> Self {
        let convex = Convex::new(&shape, DVec2::from_array(offset).as_vec2());
        Self { shape, offset, convex, sensor: false }
    }

    /// The area it covers, in px².
    pub(super) fn area(&self) -> f32 {
        let Convex { points, radius } = &self.convex;
        let around: f32 = edges(points).map(|(a, b)| a.distance(b)).sum();
        super::convex::area(points) + radius * around + std::f32::consts::PI * radius * radius
    }
}

/// What of an entity touches others.
#[derive(Clone, Debug, PartialEq)]
pub struct ColliderSpec {
    /// Its shapes, at least one.
    pub parts: Vec<PartSpec>,
    /// Of its surface; a pair uses the geometric mean.
    pub friction: f32,
    /// Bounce; a pair uses the geometric mean.
    pub restitution: f32,
    /// One bit for each collision layer it is on.
    pub layer: u32,
    /// One bit for each collision layer it can touch.
    pub mask: u32,
    /// Solid only from above.
    pub one_way: bool,
}

impl ColliderSpec {
    /// A plain solid that touches everything.
    #[must_use]
    pub fn new(shape: Shape, offset: [f64; 2]) -> Self {
        Self {
            parts: vec![PartSpec::new(shape, offset)],
            friction: DEFAULT_FRICTION,
            restitution: 0.0,
            layer: u32::MAX,
            mask: u32::MAX,
            one_way: false,
        }
    }

    /// Its parts that push.
    pub fn solids(&self) -> impl Iterator<Item = &PartSpec> {
        self.parts.iter().filter(|part| !part.sensor)
    }

    /// Whether none of it pushes.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.solids().next().is_none()
    }

    /// The upright box around all of it, at a place and turned by an angle.
    #[must_use]
    pub fn bounds(&self, pos: Vec2, angle: f32) -> Aabb {
        bounds(self.parts.iter(), pos, angle)
    }

    /// The upright box around what of it is solid, or around all of a sensor, at a place and turned by an angle.
    #[must_use]
    pub fn solid_bounds(&self, pos: Vec2, angle: f32) -> Aabb {
        if self.is_sensor() { self.bounds(pos, angle) } else { bounds(self.solids(), pos, angle) }
    }

    /// The radius of its foot, where that is round and as wide as all of it, in pixels; else 0.
    #[must_use]
    pub fn foot_radius(&self) -> f32 {
        let lowest = |part: &&PartSpec| part.convex.aabb().hi.y;
        let foot = self.solids().max_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        let around = self.solid_bounds(Vec2::ZERO, 0.0);
        let is_as_wide = |radius: f32| 2.0 * radius >= around.hi.x - around.lo.x - 0.1;
        foot.map(|foot| foot.convex.radius).filter(|radius| is_as_wide(*radius)).unwrap_or(0.0)
    }

    /// Whether two colliders' layers and masks let them touch.
    #[must_use]
    pub fn can_touch(&self, other: &Self) -> bool {
        self.groups().can_touch(other.groups())
    }

    pub(super) fn groups(&self) -> CollisionGroups {
        CollisionGroups { layer: self.layer, mask: self.mask }
    }

    /// Whether the tiles, which are on the first layer, can touch it.
    #[must_use]
    pub fn can_touch_tiles(&self) -> bool {
        self.mask & TILE_LAYER != 0
    }
}

fn bounds<'a>(parts: impl Iterator<Item = &'a PartSpec>, pos: Vec2, angle: f32) -> Aabb {
    parts.map(|part| part.convex.placed_aabb(pos, angle)).reduce(Aabb::union).unwrap_or_default()
}

/// The collision layers that a collider is on and can touch, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CollisionGroups {
    pub(super) layer: u32,
    pub(super) mask: u32,
}

impl CollisionGroups {
    /// Of what can touch everything.
    pub(super) const ALL: Self = Self { layer: u32::MAX, mask: u32::MAX };

    pub(super) fn can_touch(self, other: Self) -> bool {
        self.layer & other.mask != 0 && other.layer & self.mask != 0
    }
}

/// The collision layer tiles are on: the first of the vocabulary, `World`.
pub const TILE_LAYER: u32 = 1;

/// Feet.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkerSpec {
    /// Along the ground.
    pub speed: f32,
    /// How fast it gets there, px/s².
    pub acceleration: f32,
    /// Factor on the acceleration while it slows down.
    pub braking: f32,
    /// Factor on the acceleration while it moves against where it wants to go.
    pub turning: f32,
    /// Share of the acceleration kept in the air.
    pub air_control: f32,
    /// The speed it leaves the ground with.
    pub jump_speed: f32,
    /// Share of the speed upward that is left of a jump whose key is let go.
    pub jump_cut: f32,
    /// How long a jump that was asked for in the air waits for the ground.
    pub jump_buffer_secs: f32,
    /// Factor on gravity while falling.
    pub fall_gravity: f32,
    /// The fastest fall.
    pub max_fall_speed: f32,
    /// Slower than this is near the top of a jump.
    pub apex_speed: f32,
    /// Factor on gravity near the top of a jump while its key is held.
    pub apex_gravity: f32,
    /// The steepest ground it stands on.
    pub max_slope_rad: f32,
    /// Ledges this low are walked over.
    pub step_height: f32,
    /// How long after leaving the ground a jump still counts.
    pub coyote_secs: f32,
    /// Jumps made in the air before it lands.
    pub air_jumps: u32,
    /// How far aside it is put when its head, or a dash, meets a corner.
    pub corner_correction: f32,
    /// Share of the velocity of what carried it that it does not brake from in the air.
    pub momentum: f32,
    /// How long after what carries it was at its fastest a jump still gets that velocity.
    pub momentum_secs: f32,
    /// Slides down walls and jumps off them.
    pub wall: Option<WallSpec>,
    /// Dashes.
    pub dash: Option<DashSpec>,
    /// Climbs ladders at this speed.
    pub climb_speed: Option<f32>,
    /// Swims in water.
    pub swim: Option<SwimSpec>,
}

/// Hands that hold on to walls.
#[derive(Clone, Debug, PartialEq)]
pub struct WallSpec {
    /// The fastest it slides down a wall that it pushes against.
    pub slide_speed: f32,
    /// The velocity of a jump off a wall: away from it, and up.
    pub jump: Vec2,
    /// How long after leaving a wall a jump off it still counts.
    pub grace_secs: f32,
    /// How long after such a jump it goes away from the wall, whatever it wants.
    pub lock_secs: f32,
}

/// A short run at one velocity, without gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct DashSpec {
    /// px/s
    pub speed: f32,
    /// How long.
    pub secs: f32,
    /// From its end to the next.
    pub cooldown_secs: f32,
    /// Dashes begun in the air before it lands.
    pub in_air: u32,
    /// Share of its velocity that is left at its end.
    pub keep: f32,
    /// In all eight directions; else only to the sides.
    pub eight_ways: bool,
}

/// How it swims.
#[derive(Clone, Debug, PartialEq)]
pub struct SwimSpec {
    /// In any direction.
    pub speed: f32,
    /// How fast it gets there, px/s².
    pub acceleration: f32,
    /// How fast it sinks while it does not swim up or down.
    pub sink_speed: f32,
    /// Upward, of a jump in water.
    pub jump_speed: f32,
}

/// Wings.
#[derive(Clone, Debug, PartialEq)]
pub struct FlyerSpec {
    /// The most it flies.
    pub speed: f32,
    /// How fast its velocity changes, px/s².
    pub acceleration: f32,
    /// It slows down within this distance of its goal.
    pub arrive_radius: f32,
}

impl BodySpec {
    /// A dynamic body of one kilogram with a collider of a shape, that touches everything.
    #[must_use]
    pub fn dynamic(shape: Shape) -> Self {
        Self { kind: BodyKind::Dynamic, ..Self::fixed(shape) }
    }

    /// A static body with a collider of a shape, that touches everything.
    #[must_use]
    pub fn fixed(shape: Shape) -> Self {
        let collider = Some(ColliderSpec::new(shape, [0.0; 2]));
        Self { mass: 1.0, gravity_scale: 1.0, collider, ..Self::default() }
    }

    /// Refuse values that the solver cannot compute with.
    ///
    /// # Errors
    /// A mass of zero or less, a number that is not finite, a shape without area, negative friction or restitution:
    /// which of them.
    pub fn check(&self) -> Result<(), String> {
        if !(self.mass.is_finite() && self.mass > 0.0) {
            return Err("Body.mass is above zero and finite".into());
        }
        let numbers =
            [self.gravity_scale, self.damping, self.spin_damping, self.velocity.x, self.velocity.y, self.spin];
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err("Body has a number that is not finite".into());
        }
        let Some(collider) = &self.collider else { return Ok(()) };
        for (i, PartSpec { convex, .. }) in collider.parts.iter().enumerate() {
            let which =
                || if i == 0 { "Collider.shape".to_owned() } else { format!("Collider.parts[{}].shape", i - 1) };
            let size = convex.aabb();
            if !(size.lo.is_finite() && size.hi.is_finite() && (size.hi - size.lo).min_element() > 0.0) {
                return Err(format!("{} has no size, or one that is not finite", which()));
            }
            if convex.radius <= 0.0 && super::convex::area(&convex.points) <= 1e-6 {
                return Err(format!("{} has no area", which()));
            }
        }
        if ![collider.friction, collider.restitution].iter().all(|x| x.is_finite() && *x >= 0.0) {
            return Err("Collider.friction and Collider.restitution are finite and not below zero".into());
        }
        Ok(())
    }

    /// Whether nothing of it pushes or is pushed.
    pub(in crate::sim) fn has_no_solid(&self) -> bool {
        self.collider.as_ref().is_none_or(ColliderSpec::is_sensor)
    }

    /// Whether it never moves.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.kind == BodyKind::Static && !self.is_mover()
    }

    /// Whether it moves as a character: it walks or flies, whatever its kind.
    #[must_use]
    pub fn is_mover(&self) -> bool {
        self.walker.is_some() || self.flyer.is_some()
    }

    /// Whether forces move it.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic && !self.is_mover()
    }
}
