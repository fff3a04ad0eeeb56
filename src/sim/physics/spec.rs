//! The physical part of an entity: how it moves, its collider, and its walker or flyer.
//!
//! Invariant: a spec that passes [`BodySpec::check`] has a finite body and collider, a mass above zero and a shape with
//! area; the numbers of walkers, flyers and zones are kept within bounds by `sim::limits`.
//! Reading a spec from data is `sim::components`; the other files of `sim::physics` use its numbers.

use glam::{DVec2, Vec2};

use crate::model::Shape;

use super::{
    convex::{Aabb, Convex, edges},
    zone::ZoneSpec,
};

/// Friction of tiles, and of shapes that are not made from data.
pub const DEFAULT_FRICTION: f32 = 0.6;

/// Kind of a body, by what moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Static: never moves.
    #[default]
    Static,
    /// Kinematic: moved from outside, by its velocity or [`Physics::set_next_pose`](super::Physics::set_next_pose).
    Kinematic,
    /// Dynamic: moved by forces.
    Dynamic,
}

/// Everything physical about an entity. Units: pixels, seconds, radians, kilograms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodySpec {
    /// Kind of the body; ignored for walkers and flyers.
    pub kind: BodyKind,
    /// Mass in kg, above zero.
    pub mass: f32,
    /// Factor on the level's gravity.
    pub gravity_scale: f32,
    /// Damping of the velocity, 1/s.
    pub damping: f32,
    /// Damping of the spin, 1/s.
    pub spin_damping: f32,
    /// Whether it keeps its angle.
    pub lock_rotation: bool,
    /// Velocity at spawn, px/s.
    pub velocity: Vec2,
    /// Angular velocity at spawn, rad/s.
    pub spin: f32,
    /// Whether it is swept (continuous collision detection), so that it passes through nothing but other bullets.
    pub bullet: bool,
    /// Whether a kinematic body stops rather than crush another.
    pub stops: bool,
    /// The collider, if the entity has one.
    pub collider: Option<ColliderSpec>,
    /// The zone that its collider is, if any.
    pub zone: Option<ZoneSpec>,
    /// A walker's settings, if it walks.
    pub walker: Option<WalkerSpec>,
    /// A flyer's settings, if it flies; a walker is no flyer.
    pub flyer: Option<FlyerSpec>,
}

/// One of the shapes of an entity's collider.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSpec {
    /// The shape as declared in data.
    pub shape: Shape,
    /// Offset of the shape from the entity's origin, px.
    pub offset: [f64; 2],
    /// The shape about the entity's origin, with its offset applied.
    pub convex: Convex,
    /// Whether it only reports contacts, and pushes nothing.
    pub sensor: bool,
}

impl PartSpec {
    /// A part that is solid.
    #[must_use]
    pub fn new(shape: Shape, offset: [f64; 2]) -> Self {
        let convex = Convex::new(&shape, DVec2::from_array(offset).as_vec2());
        Self { shape, offset, convex, sensor: false }
    }

    /// Area in px².
    pub(super) fn area(&self) -> f32 {
        let Convex { points, radius } = &self.convex;
        let around: f32 = edges(points).map(|(a, b)| a.distance(b)).sum();
        super::convex::area(points) + radius * around + std::f32::consts::PI * radius * radius
    }
}

/// The collider of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct ColliderSpec {
    /// The parts, at least one.
    pub parts: Vec<PartSpec>,
    /// Coefficient of friction, 0 or more; a pair uses the geometric mean.
    pub friction: f32,
    /// Coefficient of restitution, 0 to 1; a pair uses the geometric mean.
    pub restitution: f32,
    /// Collision layers that it is on, one bit each.
    pub layer: u32,
    /// Collision layers that it can touch, one bit each.
    pub mask: u32,
    /// Whether it is solid only from above.
    pub one_way: bool,
}

impl ColliderSpec {
    /// A collider of one solid part that touches everything.
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

    /// The solid parts.
    pub fn solids(&self) -> impl Iterator<Item = &PartSpec> {
        self.parts.iter().filter(|part| !part.sensor)
    }

    /// Whether it has no solid part.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.solids().next().is_none()
    }

    /// The bounding box of all parts, at a position in pixels and an angle in radians.
    #[must_use]
    pub fn bounds(&self, pos: Vec2, angle: f32) -> Aabb {
        bounds(self.parts.iter(), pos, angle)
    }

    /// A radius in pixels about its entity's origin that holds all parts at any angle.
    pub(super) fn radius(&self) -> f32 {
        let Aabb { lo, hi } = self.bounds(Vec2::ZERO, 0.0);
        lo.abs().max(hi.abs()).length()
    }

    /// The least width or height of a solid part that is not turned, in pixels.
    pub(super) fn least_extent(&self) -> f32 {
        let extent = |part: &PartSpec| {
            let Aabb { lo, hi } = part.convex.aabb();
            (hi - lo).min_element()
        };
        self.solids().map(extent).fold(f32::INFINITY, f32::min)
    }

    /// The bounding box of the solid parts, or of all parts of a sensor, at a position in pixels and an angle in
    /// radians.
    #[must_use]
    pub fn solid_bounds(&self, pos: Vec2, angle: f32) -> Aabb {
        if self.is_sensor() { self.bounds(pos, angle) } else { bounds(self.solids(), pos, angle) }
    }

    /// The outline of its only solid part, relative to the body's origin; `None` if it has several.
    pub(in crate::sim) fn only_outline(&self) -> Option<&Convex> {
        let mut solids = self.solids();
        let first = solids.next()?;
        solids.next().is_none().then_some(&first.convex)
    }

    /// Radius of the foot in pixels, if that is round and as wide as the whole collider; else 0.
    #[must_use]
    pub fn foot_radius(&self) -> f32 {
        let lowest = |part: &&PartSpec| part.convex.aabb().hi.y;
        let foot = self.solids().max_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        let around = self.solid_bounds(Vec2::ZERO, 0.0);
        let is_as_wide = |radius: f32| 2.0 * radius >= around.hi.x - around.lo.x - 0.1;
        foot.map(|foot| foot.convex.radius).filter(|radius| is_as_wide(*radius)).unwrap_or(0.0)
    }

    /// Whether the layers and masks of two colliders let them touch.
    #[must_use]
    pub fn can_touch(&self, other: &Self) -> bool {
        self.groups().can_touch(other.groups())
    }

    pub(super) fn groups(&self) -> CollisionGroups {
        CollisionGroups { layer: self.layer, mask: self.mask }
    }

    /// Whether tiles, which are on the first layer, can touch it.
    #[must_use]
    pub fn can_touch_tiles(&self) -> bool {
        self.mask & TILE_LAYER != 0
    }

    /// Whether it is on the collision layer of tiles, so that it stops what they stop.
    #[must_use]
    pub fn stops_as_tiles_do(&self) -> bool {
        self.layer & TILE_LAYER != 0
    }

    /// Whether tiles stop it: it can touch them, and does not only report it.
    #[must_use]
    pub fn is_stopped_by_tiles(&self) -> bool {
        self.can_touch_tiles() && !self.is_sensor()
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
    pub(super) fn can_touch(self, other: Self) -> bool {
        self.layer & other.mask != 0 && other.layer & self.mask != 0
    }
}

/// The collision layer of tiles: the first of the vocabulary, `World`.
pub const TILE_LAYER: u32 = 1;

/// How a walker moves.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkerSpec {
    /// Speed along the ground, px/s.
    pub speed: f32,
    /// Acceleration along the ground, px/s².
    pub acceleration: f32,
    /// Braking factor: the acceleration is multiplied by it while the walker slows down.
    pub braking: f32,
    /// Turning factor: the acceleration is multiplied by it while the walker moves against its input.
    pub turning: f32,
    /// Air control: the share of the acceleration, 0 to 1, that is left in the air.
    pub air_control: f32,
    /// Speed at the start of a jump, px/s.
    pub jump_speed: f32,
    /// Variable jump height: the share of the upward speed, 0 to 1, that is left when the jump key is released.
    pub jump_cut: f32,
    /// Jump buffer: how long a jump requested in the air waits for the ground, in seconds.
    pub jump_buffer_secs: f32,
    /// Factor on gravity while falling.
    pub fall_gravity: f32,
    /// The greatest falling speed, px/s.
    pub max_fall_speed: f32,
    /// Speed below which a jump is near its top, px/s.
    pub apex_speed: f32,
    /// Factor on gravity near the top of a jump while the jump key is held.
    pub apex_gravity: f32,
    /// The steepest ground that it can stand on, in radians.
    pub max_slope_rad: f32,
    /// The height of steps that it walks over without a jump, in pixels.
    pub step_height: f32,
    /// Coyote time: how long after leaving the ground a jump is still possible, in seconds.
    pub coyote_secs: f32,
    /// Number of jumps in the air before it lands.
    pub air_jumps: u32,
    /// Corner correction: how far it is moved aside when its head, or a dash, meets a corner, in pixels.
    pub corner_correction: f32,
    /// Share of the carrier's velocity, 0 to 1, that it keeps in the air and does not brake away.
    pub momentum: f32,
    /// How long after its carrier was fastest a jump still gets that velocity, in seconds.
    pub momentum_secs: f32,
    /// Wall slide and wall jump, if it can.
    pub wall: Option<WallSpec>,
    /// Dash, if it can.
    pub dash: Option<DashSpec>,
    /// Climbing speed on ladders, px/s, if it can climb.
    pub climb_speed: Option<f32>,
    /// Swimming, if it can.
    pub swim: Option<SwimSpec>,
}

/// Wall slide and wall jump.
#[derive(Clone, Debug, PartialEq)]
pub struct WallSpec {
    /// The greatest speed of sliding down a wall that it moves against, px/s.
    pub slide_speed: f32,
    /// Velocity of a wall jump, px/s: x away from the wall, y up.
    pub jump: Vec2,
    /// Coyote time of walls: how long after leaving a wall a jump off it is still possible, in seconds.
    pub grace_secs: f32,
    /// How long after a wall jump it moves away from the wall whatever its input, and brakes nothing of its speed, in
    /// seconds.
    pub lock_secs: f32,
}

/// A dash: a short run at constant velocity, without gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct DashSpec {
    /// Speed, px/s.
    pub speed: f32,
    /// Duration, in seconds.
    pub secs: f32,
    /// Time from the end of a dash to the start of the next, in seconds.
    pub cooldown_secs: f32,
    /// Number of dashes begun in the air before it lands.
    pub in_air: u32,
    /// Share of the velocity, 0 to 1, that is left at the end.
    pub keep: f32,
    /// Whether it dashes in all eight directions, else only sideways.
    pub eight_ways: bool,
}

/// How a walker swims.
#[derive(Clone, Debug, PartialEq)]
pub struct SwimSpec {
    /// Speed in any direction, px/s.
    pub speed: f32,
    /// Acceleration, px/s².
    pub acceleration: f32,
    /// Sinking speed without vertical input, px/s.
    pub sink_speed: f32,
    /// Upward speed of a jump in water, px/s.
    pub jump_speed: f32,
}

/// How a flyer moves.
#[derive(Clone, Debug, PartialEq)]
pub struct FlyerSpec {
    /// The greatest speed, px/s.
    pub speed: f32,
    /// Acceleration, px/s².
    pub acceleration: f32,
    /// Distance from its goal within which it slows down, in pixels.
    pub arrive_radius: f32,
}

impl BodySpec {
    /// A dynamic body of one kilogram with a collider of this shape, which touches everything.
    #[must_use]
    pub fn dynamic(shape: Shape) -> Self {
        Self { kind: BodyKind::Dynamic, ..Self::fixed(shape) }
    }

    /// A static body with a collider of this shape, which touches everything.
    #[must_use]
    pub fn fixed(shape: Shape) -> Self {
        let collider = Some(ColliderSpec::new(shape, [0.0; 2]));
        Self { mass: 1.0, gravity_scale: 1.0, collider, ..Self::default() }
    }

    /// Refuse values that the solver cannot compute with.
    ///
    /// # Errors
    /// If the mass is not above zero, a number of the body or collider is not finite, friction or restitution is below
    /// zero, or a shape has no size or no area; the text names the field.
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

    /// Whether it has no solid part.
    pub(in crate::sim) fn has_no_solid(&self) -> bool {
        self.collider.as_ref().is_none_or(ColliderSpec::is_sensor)
    }

    /// Whether it never moves.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.kind == BodyKind::Static && !self.is_mover()
    }

    /// Whether it is a walker or flyer, whatever its kind.
    #[must_use]
    pub fn is_mover(&self) -> bool {
        self.walker.is_some() || self.flyer.is_some()
    }

    /// Whether it is moved by forces.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic && !self.is_mover()
    }
}
