//! What of a resolved entity is physical: the components `Body`, `Collider`, `Walker`, `Flyer` and `Platform` read in this
//! one place.
//!
//! Invariant: a spec's numbers are finite, its mass above zero and its shape has area; what is not so is refused here
//! with a reason. What the numbers do is the rest of `sim::physics`.

use glam::Vec2;

use crate::{
    defs::Resolved,
    model::{Schema, Shape, Value},
};

use super::convex::Convex;

/// Friction where nobody says one.
pub const DEFAULT_FRICTION: f32 = 0.6;

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Never.
    #[default]
    Static,
    /// Where it is told, by its velocity or [`Physics::set_next_pose`](super::Physics::set_next_pose).
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
    /// What of it is solid.
    pub collider: Option<ColliderSpec>,
    /// Moves on its feet.
    pub walker: Option<WalkerSpec>,
    /// Moves through the air; a walker is no flyer.
    pub flyer: Option<FlyerSpec>,
}

/// What of an entity is solid.
#[derive(Clone, Debug, PartialEq)]
pub struct ColliderSpec {
    /// As the data says it.
    pub shape: Shape,
    /// The shape about the entity's origin, its offset applied.
    pub convex: Convex,
    /// Of its surface; a pair uses the geometric mean.
    pub friction: f32,
    /// Bounce; a pair uses the geometric mean.
    pub restitution: f32,
    /// One bit for each collision layer it is on.
    pub layer: u32,
    /// One bit for each collision layer it can touch.
    pub mask: u32,
    /// Reports contacts, pushes nothing.
    pub sensor: bool,
    /// Solid only from above.
    pub one_way: bool,
}

impl ColliderSpec {
    /// Whether two colliders' layers and masks let them touch.
    #[must_use]
    pub fn can_touch(&self, other: &Self) -> bool {
        self.layer & other.mask != 0 && other.layer & self.mask != 0
    }

    /// Whether the tiles, which are on the first layer, can touch it.
    #[must_use]
    pub fn can_touch_tiles(&self) -> bool {
        self.mask & TILE_LAYER != 0
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
    /// Share of the acceleration kept in the air.
    pub air_control: f32,
    /// The speed it leaves the ground with.
    pub jump_speed: f32,
    /// The steepest ground it stands on.
    pub max_slope_rad: f32,
    /// Ledges this low are walked over.
    pub step_height: f32,
    /// How long after leaving the ground a jump still counts.
    pub coyote_secs: f32,
}

/// Wings.
#[derive(Clone, Debug, PartialEq)]
pub struct FlyerSpec {
    /// The most it flies.
    pub speed: f32,
    /// How fast its velocity changes, px/s².
    pub acceleration: f32,
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
        let convex = Convex::new(&shape, Vec2::ZERO);
        let collider = ColliderSpec {
            shape,
            convex,
            friction: DEFAULT_FRICTION,
            restitution: 0.0,
            layer: u32::MAX,
            mask: u32::MAX,
            sensor: false,
            one_way: false,
        };
        Self { mass: 1.0, gravity_scale: 1.0, collider: Some(collider), ..Self::default() }
    }

    /// Read a resolved entity. One without a `Body` is static, kinematic if it is a `Platform`.
    ///
    /// # Errors
    /// Says which value makes no sense: a shape without area, a number that is not finite, a mass of zero.
    pub fn from_resolved(resolved: &Resolved, schema: &Schema) -> Result<Self, String> {
        let number = |component: &str, field: &str, default: f64| -> Result<f32, String> {
            #[allow(clippy::cast_possible_truncation)] // world quantities
            let value = resolved.f64(component, field).unwrap_or(default) as f32;
            if value.is_finite() { Ok(value) } else { Err(format!("{component}.{field} is not a finite number")) }
        };
        let vector = |component: &str, field: &str| -> Result<Vec2, String> {
            let [x, y] = resolved.get(component, field).and_then(Value::as_vec2).unwrap_or_default();
            #[allow(clippy::cast_possible_truncation)] // world quantities
            let value = Vec2::new(x as f32, y as f32);
            if value.is_finite() { Ok(value) } else { Err(format!("{component}.{field} is not finite")) }
        };
        let flag = |component: &str, field: &str| resolved.get(component, field).and_then(Value::as_bool) == Some(true);
        let kind = match resolved.get("Body", "kind").and_then(Value::as_str) {
            Some("Static") => BodyKind::Static,
            Some("Kinematic") => BodyKind::Kinematic,
            _ if resolved.has("Body") => BodyKind::Dynamic,
            _ if resolved.has("Platform") => BodyKind::Kinematic,
            _ => BodyKind::Static,
        };
        let mut spec = Self {
            kind,
            mass: number("Body", "mass", 1.0)?,
            gravity_scale: number("Body", "gravity_scale", 1.0)?,
            damping: number("Body", "damping", 0.0)?.max(0.0),
            spin_damping: number("Body", "spin_damping", 0.0)?.max(0.0),
            lock_rotation: flag("Body", "lock_rotation"),
            velocity: vector("Body", "velocity")?,
            spin: number("Body", "spin", 0.0)?.to_radians(),
            bullet: flag("Body", "bullet"),
            ..Self::default()
        };
        if resolved.has("Collider") {
            let shape = match resolved.get("Collider", "shape") {
                Some(value) => Shape::from_value(value).map_err(|why| format!("Collider.shape: {why}"))?,
                None => Shape::Box([16.0, 16.0]),
            };
            let layers = |field: &str, default: u32| {
                let value = resolved.get("Collider", field).and_then(Value::as_list);
                value.map_or(default, |names| layer_bits(schema, names))
            };
            spec.collider = Some(ColliderSpec {
                convex: Convex::new(&shape, vector("Collider", "offset")?),
                shape,
                friction: number("Collider", "friction", f64::from(DEFAULT_FRICTION))?.max(0.0),
                restitution: number("Collider", "restitution", 0.0)?.clamp(0.0, 1.0),
                layer: layers("layer", 0b10),
                mask: layers("mask", u32::MAX),
                sensor: flag("Collider", "sensor"),
                one_way: flag("Collider", "one_way"),
            });
        }
        if resolved.has("Walker") {
            spec.walker = Some(WalkerSpec {
                speed: number("Walker", "speed", 80.0)?,
                acceleration: number("Walker", "acceleration", 800.0)?,
                air_control: number("Walker", "air_control", 0.6)?,
                jump_speed: number("Walker", "jump_speed", 300.0)?,
                max_slope_rad: number("Walker", "max_slope", 50.0)?.to_radians(),
                step_height: number("Walker", "step_height", 4.0)?.max(0.0),
                coyote_secs: number("Walker", "coyote_secs", 0.08)?.max(0.0),
            });
        } else if resolved.has("Flyer") {
            spec.flyer = Some(FlyerSpec {
                speed: number("Flyer", "speed", 80.0)?,
                acceleration: number("Flyer", "acceleration", 240.0)?,
            });
        }
        spec.check()?;
        Ok(spec)
    }

    /// Refuse what the solver could not digest.
    ///
    /// # Errors
    /// Says what is wrong.
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
        let convex = &collider.convex;
        let size = convex.aabb();
        if !(size.lo.is_finite() && size.hi.is_finite() && (size.hi - size.lo).min_element() > 0.0) {
            return Err("Collider.shape has no size, or one that is not finite".into());
        }
        if convex.radius <= 0.0 && super::convex::area(&convex.points) <= 1e-6 {
            return Err("Collider.shape has no area".into());
        }
        if !(collider.friction.is_finite() && collider.restitution.is_finite()) {
            return Err("Collider has a number that is not finite".into());
        }
        Ok(())
    }

    /// Whether it moves as a character: it walks or flies, and is not static.
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

/// One bit for each named collision layer, by its place in the vocabulary.
fn layer_bits(schema: &Schema, names: &[Value]) -> u32 {
    let known = schema.enums.get("CollisionLayer").map_or(&[][..], Vec::as_slice);
    let bit = |name: &str| known.iter().position(|layer| **layer == *name).filter(|bit| *bit < 32);
    names.iter().filter_map(|name| bit(name.as_str()?)).fold(0, |bits, bit| bits | 1 << bit)
}
