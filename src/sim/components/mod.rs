//! The built-in components as the preview uses them: each read once from an entity's resolved values.
//!
//! Invariant: names and defaults of fields are the schema's; a field without a value, or with one of another type, has
//! the built-in default. Keeping these up to date with changing values is done by `world::entity`.

mod camera;
mod reader;
mod sprite;
mod tracks;

pub use sprite::Appearance;
pub use tracks::{Posed, posed_by_tracks, tracks_of};

pub(super) use camera::{CameraFields, camera_fields};
pub(super) use reader::FromValue;
pub(super) use sprite::{Clip, Sprite};

use reader::Reader;

use std::sync::Arc;

use crate::{
    defs::{Resolution, Resolved},
    model::{Name, Shape, Value},
    sim::{
        behavior::{Target, vocabulary::RouteMode},
        flock::FlockRules,
        limits, nav,
        physics::{
            BodyKind, BodySpec, ColliderSpec, DashSpec, FlyerSpec, JointKind, JointSpec, PartSpec, SwimSpec,
            WalkerSpec, WallSpec, ZoneSpec, convex::Aabb,
        },
        tracks::{Driven, Track},
    },
};

/// Every built-in component of an entity.
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    /// Its picture.
    pub(super) sprite: Option<Sprite>,
    /// The component `Body`.
    body: BodySpec,
    has_body: bool,
    /// The collider, or the problem of its shape.
    collider: Option<Result<ColliderSpec, String>>,
    /// The component `Walker`, without what further components add.
    pub(super) walker: Option<WalkerSpec>,
    wall: Option<WallSpec>,
    pub(super) dash: Option<DashSpec>,
    climb_speed: Option<f32>,
    swim: Option<SwimSpec>,
    pub(super) flyer: Option<FlyerSpec>,
    pub(super) flock: Option<Flock>,
    pub(super) platform: Option<Platform>,
    zone: Option<ZoneSpec>,
    pub(super) joint: Option<Joint>,
    pub(super) breakable: Option<Breakable>,
    /// The player (0 to 3) whose keys drive it.
    pub(super) player: Option<usize>,
    pub(super) agent: Agent,
    pub(super) sight: Sight,
    pub(super) has_sight: bool,
    pub(super) max_health: Option<f64>,
    pub(super) brain: Brain,
    pub(super) tags: Vec<Name>,
    /// Tracks in their order.
    pub(super) tracks: Arc<[Track]>,
    pub(super) camera: Option<CameraFields>,
    /// Sounds in their order.
    pub(super) sounds: Arc<[SoundOn]>,
    pub(super) is_camera_target: bool,
}

/// The component `Flock`.
#[derive(Clone, Debug)]
pub(super) struct Flock {
    /// Without a speed, and with the acceleration for an entity without `Flyer`.
    pub(super) rules: FlockRules,
    pub(super) enemy: Target,
}

/// The component `Platform`.
#[derive(Clone, Debug)]
pub(super) struct Platform {
    pub(super) route: Name,
    pub(super) mode: RouteMode,
    pub(super) speed: f32,
    pub(super) wait_secs: f32,
    /// Time from rest to its speed, and from its speed to a stop at an end, in seconds.
    pub(super) ease_secs: f32,
    /// Whether it waits rather than crush a body.
    pub(super) stops: bool,
}

/// A sound of the component `Sounds`.
#[derive(Clone, Debug)]
pub(super) struct SoundOn {
    /// Its key among the entity's sounds.
    pub(super) name: Name,
    /// The message that plays it.
    pub(super) on: Name,
    /// The file, relative to the project's root.
    pub(super) sound: Name,
    pub(super) volume: f64,
    pub(super) pitch: f64,
    /// The greatest random deviation of the pitch, as a share of it.
    pub(super) jitter: f64,
}

/// The component `Joint`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    /// The id of the other entity; empty for the world.
    pub(super) to: Name,
    pub(super) spec: JointSpec,
}

/// The component `Breakable`.
#[derive(Clone, Debug)]
pub(super) struct Breakable {
    /// The least impulse of a hit that breaks it, kg·px/s.
    pub(super) impulse: f32,
    /// Definitions of its pieces.
    pub(super) pieces: Vec<Name>,
    /// Speed at which they scatter, px/s.
    pub(super) scatter: f32,
}

/// The component `Agent`, of every entity that finds paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    pub(super) kind: Name,
    pub(super) radius: f32,
    pub(super) repath_secs: f32,
    /// How far ahead it avoids others, in seconds; 0 for not at all.
    pub(super) avoid_secs: f32,
}

/// The component `Sight`; an entity without it sees in all directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    pub(super) cone_rad: f32,
    pub(super) offset: glam::Vec2,
}

/// The component `Brain`.
#[derive(Clone, Debug, Default)]
pub(super) struct Brain {
    pub(super) machines: Vec<Name>,
    pub(super) queue: Vec<Name>,
    pub(super) reaction_secs: f32,
}

impl Components {
    /// The components of an entity that has none: fields that apply to every entity have the built-in schema's
    /// defaults.
    pub(super) fn none(resolution: &Resolution) -> Self {
        let mut none = Self::default();
        ["Body", "Agent", "Sight", "Brain"].into_iter().for_each(|component| none.read(resolution, None, component));
        none.body.kind = BodyKind::Static;
        none
    }

    /// Read all components of an entity; `none` are those of an entity without components.
    pub(super) fn of(resolution: &Resolution, resolved: &Resolved, none: &Self) -> Self {
        let mut components = none.clone();
        resolved.components.keys().for_each(|component| components.read(resolution, Some(resolved), component));
        components
    }

    /// Read one component, which an entity has or lacks; does nothing if it is not built in.
    pub(super) fn read(&mut self, resolution: &Resolution, resolved: Option<&Resolved>, component: &str) {
        let it = Reader::new(resolution, resolved, component);
        match component {
            "Sprite" => self.sprite = Some(Sprite::read(&it)),
            "Body" => {
                self.has_body = resolved.is_some();
                self.body = BodySpec {
                    kind: it.get("kind"),
                    mass: it.get("mass"),
                    gravity_scale: it.get("gravity_scale"),
                    damping: it.get("damping"),
                    spin_damping: it.get("spin_damping"),
                    lock_rotation: it.get("lock_rotation"),
                    velocity: it.get("velocity"),
                    spin: it.get::<f32>("spin").to_radians(),
                    bullet: it.get("bullet"),
                    ..BodySpec::default()
                };
            }
            "Collider" => self.collider = Some(read_collider(&it)),
            "Walker" => {
                self.walker = Some(WalkerSpec {
                    speed: it.get("speed"),
                    acceleration: it.get("acceleration"),
                    braking: it.get("braking"),
                    turning: it.get("turning"),
                    air_control: it.get("air_control"),
                    jump_speed: it.get("jump_speed"),
                    jump_cut: it.get("jump_cut"),
                    jump_buffer_secs: it.get("jump_buffer_secs"),
                    fall_gravity: it.get("fall_gravity"),
                    max_fall_speed: it.get("max_fall_speed"),
                    apex_speed: it.get("apex_speed"),
                    apex_gravity: it.get("apex_gravity"),
                    max_slope_rad: it.get::<f32>("max_slope").to_radians(),
                    step_height: it.get("step_height"),
                    coyote_secs: it.get("coyote_secs"),
                    air_jumps: count(it.get("air_jumps")),
                    corner_correction: it.get("corner_correction"),
                    momentum: it.get("momentum"),
                    momentum_secs: it.get("momentum_secs"),
                    wall: None,
                    dash: None,
                    climb_speed: None,
                    swim: None,
                });
            }
            "WallJump" => {
                self.wall = Some(WallSpec {
                    slide_speed: it.get("slide_speed"),
                    jump: it.get("jump"),
                    grace_secs: it.get("grace_secs"),
                    lock_secs: it.get("lock_secs"),
                });
            }
            "Dash" => {
                self.dash = Some(DashSpec {
                    speed: it.get("speed"),
                    secs: it.get("secs"),
                    cooldown_secs: it.get("cooldown_secs"),
                    in_air: count(it.get("in_air")),
                    keep: it.get("keep"),
                    eight_ways: it.get("eight_ways"),
                });
            }
            "Climb" => self.climb_speed = Some(it.get("speed")),
            "Swim" => {
                self.swim = Some(SwimSpec {
                    speed: it.get("speed"),
                    acceleration: it.get("acceleration"),
                    sink_speed: it.get("sink_speed"),
                    jump_speed: it.get("jump_speed"),
                });
            }
            "Player" => self.player = Some(player(it.get("index"))),
            "Flyer" => {
                self.flyer = Some(FlyerSpec {
                    speed: it.get("speed"),
                    acceleration: it.get("acceleration"),
                    arrive_radius: it.get("arrive_radius"),
                });
            }
            "Flock" => {
                let rules = FlockRules {
                    perception: it.get("perception"),
                    separation: it.get("separation"),
                    separation_weight: it.get("separation_weight"),
                    alignment_weight: it.get("alignment_weight"),
                    cohesion_weight: it.get("cohesion_weight"),
                    flee_weight: it.get("flee_weight"),
                    max_speed: 0.0,
                    max_change: Reader::new(resolution, None, "Flyer").get("acceleration"),
                };
                self.flock = Some(Flock { rules, enemy: Target::parse(&it.get::<Name>("enemy")) });
            }
            "Agent" => {
                let kind: Name = it.get("kind");
                self.agent = Agent {
                    kind: if kind.is_empty() { it.default("kind") } else { kind },
                    radius: it.get("radius"),
                    repath_secs: it.get("repath_secs"),
                    avoid_secs: it.get("avoid_secs"),
                };
            }
            "Sight" => {
                self.has_sight = resolved.is_some();
                self.sight = Sight { cone_rad: it.get::<f32>("cone").to_radians(), offset: it.get("offset") };
            }
            "Health" => self.max_health = Some(it.get("max")),
            "Brain" => {
                self.brain = Brain {
                    machines: it.get("machines"),
                    queue: it.get("queue"),
                    reaction_secs: it.get("reaction_secs"),
                };
            }
            "Platform" => {
                self.platform = Some(Platform {
                    route: it.get("route"),
                    mode: it.get("mode"),
                    speed: it.get("speed"),
                    wait_secs: it.get("wait_secs"),
                    ease_secs: it.get("ease_secs"),
                    stops: it.get::<Name>("crush") == "Stop".into(),
                });
            }
            "Zone" => {
                self.zone = Some(ZoneSpec {
                    acceleration: it.get("acceleration"),
                    pull: it.get("pull"),
                    replaces: it.get("replaces"),
                    density: it.get("density"),
                    drag: it.get("drag"),
                    falloff: it.get("falloff"),
                    order: it.get("order"),
                });
            }
            "Joint" => self.joint = Some(Joint { to: it.get("to"), spec: read_joint(&it) }),
            "Breakable" => {
                self.breakable = Some(Breakable {
                    impulse: it.get("impulse"),
                    pieces: it.get("pieces"),
                    scatter: it.get("scatter"),
                });
            }
            "Tracks" => self.tracks = tracks::read(&it),
            "Sounds" => self.sounds = it.entries("sounds").map(|(name, it)| read_sound(name, &it)).collect(),
            "Tags" => self.tags = it.get("tags"),
            "Camera" => self.camera = Some(camera::read(&it)),
            "CameraTarget" => self.is_camera_target = true,
            _ => {}
        }
    }

    /// Whether a component is among those that [`Self::body_spec`] depends on, so that the body has to follow changes
    /// of its fields.
    pub(super) fn is_bodily(component: &str) -> bool {
        ["Body", "Collider", "Walker", "WallJump", "Dash", "Climb", "Swim", "Flyer", "Platform", "Zone", "Tracks"]
            .contains(&component)
    }

    /// Whether a track moves or turns the entity.
    pub(super) fn is_moved_by_tracks(&self) -> bool {
        self.tracks.iter().any(|track| !matches!(track.drives, Driven::Field(_)))
    }

    /// The spec of its body, if it has one: without a `Body` it is static, or kinematic if it is a `Platform`. An
    /// entity moved by a track is never static.
    ///
    /// # Errors
    /// The problem of its shape.
    pub(super) fn body_spec(&self) -> Result<Option<BodySpec>, String> {
        let is_carrier = self.platform.is_some();
        if !(self.has_body || is_carrier || self.collider.is_some() || self.walker.is_some() || self.flyer.is_some()) {
            return Ok(None);
        }
        let kind = match self.body.kind {
            _ if is_carrier && !self.has_body => BodyKind::Kinematic,
            BodyKind::Static if self.is_moved_by_tracks() => BodyKind::Kinematic,
            kind => kind,
        };
        Ok(Some(BodySpec {
            kind,
            stops: self.platform.as_ref().is_some_and(|platform| platform.stops),
            collider: self.collider.clone().transpose()?,
            walker: self.walker.as_ref().map(|walker| WalkerSpec {
                wall: self.wall.clone(),
                dash: self.dash.clone(),
                climb_speed: self.climb_speed,
                swim: self.swim.clone(),
                ..walker.clone()
            }),
            zone: self.zone.clone(),
            flyer: self.flyer.clone().filter(|_| self.walker.is_none()),
            ..self.body.clone()
        }))
    }

    /// The parts of its collider.
    pub(super) fn parts(&self) -> &[PartSpec] {
        self.collider.as_ref().and_then(|collider| collider.as_ref().ok()).map_or(&[], |collider| &collider.parts)
    }

    /// The agent for path searches.
    pub(super) fn nav_agent(&self) -> nav::Agent {
        let (kind, radius) = (self.agent.kind.clone(), self.agent_radius());
        nav::Agent { kind, radius, offset: self.body_offset(), over_ledges: false }
    }

    /// Whether messages affect it without a machine: they control tracks, play sounds, or shake a camera.
    pub(super) fn is_listening(&self) -> bool {
        !(self.tracks.is_empty() && self.sounds.is_empty()) || self.is_camera_target || self.camera.is_some()
    }

    /// Radius for paths, in pixels: `Agent.radius`, but at least half the narrower side of a body that tiles stop.
    pub(super) fn agent_radius(&self) -> f32 {
        self.agent.radius.max(self.sides().min_element() / 2.0)
    }

    /// How fast it walks, or else flies, in px/s; 0 for what does neither.
    pub(super) fn speed(&self) -> f32 {
        let walks = self.walker.as_ref().map(|walker| walker.speed);
        walks.or(self.flyer.as_ref().map(|flyer| flyer.speed)).unwrap_or_default()
    }

    /// Its own acceleration as a walker or flyer, px/s²; 0 if it is neither.
    pub(super) fn acceleration(&self) -> f32 {
        let walks = self.walker.as_ref().map(|walker| walker.acceleration);
        walks.or(self.flyer.as_ref().map(|flyer| flyer.acceleration)).unwrap_or_default()
    }

    /// The greatest radius for paths in any direction, in pixels: half the longer side counts.
    pub(super) fn widest_radius(&self) -> f32 {
        self.agent.radius.max(self.sides().max_element() / 2.0)
    }

    /// From the origin to the middle of a body that tiles stop, in pixels.
    pub(super) fn body_offset(&self) -> glam::Vec2 {
        self.stopped_bounds().map_or(glam::Vec2::ZERO, |around| (around.lo + around.hi) / 2.0)
    }

    /// The sides of a body that tiles stop, in pixels.
    fn sides(&self) -> glam::Vec2 {
        self.stopped_bounds().map_or(glam::Vec2::ZERO, |around| around.hi - around.lo)
    }

    /// The bounding box of a body that tiles stop, from its origin, in pixels.
    fn stopped_bounds(&self) -> Option<Aabb> {
        let collider = self.collider.as_ref().and_then(|collider| collider.as_ref().ok());
        let solid = collider.filter(|collider| collider.is_stopped_by_tiles());
        solid.map(|collider| collider.solid_bounds(glam::Vec2::ZERO, 0.0))
    }
}

fn read_collider(it: &Reader<'_>) -> Result<ColliderSpec, String> {
    let mut parts = vec![read_part(it).map_err(|why| format!("Collider.{why}"))?];
    for (i, part) in it.items("parts").enumerate() {
        parts.push(read_part(&part).map_err(|why| format!("Collider.parts[{i}].{why}"))?);
    }
    if parts.len() > limits::MAX_PARTS {
        return Err(format!("Collider.parts: {} shapes are more than {}", parts.len(), limits::MAX_PARTS));
    }
    // One bit for each layer, by its index in the vocabulary.
    let known = it.schema.enums.get("CollisionLayer").map_or(&[][..], Vec::as_slice);
    let layers = |field| {
        let names = it.get::<Vec<Name>>(field).into_iter();
        let bits = names.filter_map(|name| known.iter().take(32).position(|layer| *layer == name));
        bits.fold(0, |bits, bit| bits | 1 << bit)
    };
    Ok(ColliderSpec {
        parts,
        friction: it.get("friction"),
        restitution: it.get("restitution"),
        layer: layers("layer"),
        mask: layers("mask"),
        one_way: it.get("one_way"),
    })
}

fn read_sound(name: &str, it: &Reader<'_>) -> SoundOn {
    SoundOn {
        name: name.into(),
        on: it.get("on"),
        sound: it.get("sound"),
        volume: it.get("volume"),
        pitch: it.get("pitch"),
        jitter: it.get::<f64>("jitter").clamp(0.0, 1.0),
    }
}

fn read_joint(it: &Reader<'_>) -> JointSpec {
    let kind = it.get("kind");
    // Angles are in degrees in data.
    let turns = kind == JointKind::Revolute;
    let measure = |x: f32| if turns { x.to_radians() } else { x };
    JointSpec {
        kind,
        anchors: it.get("anchors"),
        axis_rad: it.get::<f32>("axis").to_radians(),
        limits: it.get::<Option<[f64; 2]>>("limits").map(|[x, y]| glam::DVec2::new(x, y).as_vec2().map(measure)),
        length: it.get("length"),
        motor: it.get("motor"),
        motor_target: measure(it.get("motor_target")),
        motor_force: it.get("motor_force"),
        frequency_hz: it.get("frequency"),
        damping_ratio: it.get("damping_ratio"),
        break_force: it.get("break_force"),
        collide: it.get("collide"),
    }
}

/// A collider's own shape, or one of its further parts.
fn read_part(it: &Reader<'_>) -> Result<PartSpec, String> {
    let limited = |field: &str, value: Value| {
        let range = limits::of_field("Collider", field);
        range.and_then(|range| limits::limited(&value, range)).unwrap_or(value)
    };
    let Some(shape) = it.stated("shape") else { return Err("shape: there is none".into()) };
    let shape = Shape::from_value(&limited("shape", shape)).map_err(|why| format!("shape: {why}"))?;
    let [x, y] = it.get("offset");
    let offset = limited("offset", Value::vec2(x, y)).as_vec2().unwrap_or_default();
    Ok(PartSpec { sensor: it.get("sensor"), ..PartSpec::new(shape, offset) })
}

/// Whether a definition can be ordered to go somewhere: it walks, flies or has an `Agent`.
#[must_use]
pub fn finds_paths(resolved: &Resolved) -> bool {
    ["Agent", "Walker", "Flyer"].into_iter().any(|component| resolved.has(component))
}

/// The agent of a definition for path searches, its terrain costs and width; `None` if it neither walks nor flies and
/// has no `Agent`. Without one, the defaults of its fields apply.
#[must_use]
pub fn agent_of(resolution: &Resolution, resolved: &Resolved) -> Option<nav::Agent> {
    if !finds_paths(resolved) {
        return None;
    }
    let mut components = Components::none(resolution);
    ["Agent", "Collider"].into_iter().filter(|component| resolved.has(component)).for_each(|component| {
        components.read(resolution, Some(resolved), component);
    });
    Some(components.nav_agent())
}

/// Whether a definition has a solid body that tiles stop.
#[must_use]
pub fn is_stopped_by_tiles(resolution: &Resolution, resolved: &Resolved) -> bool {
    let collider =
        resolved.has("Collider").then(|| read_collider(&Reader::new(resolution, Some(resolved), "Collider")));
    resolved.has("Body") && collider.is_some_and(|collider| collider.is_ok_and(|it| it.is_stopped_by_tiles()))
}

/// Whether an entity stays where it is placed, as far as its components decide: it neither walks, flies nor rides, and
/// nothing pushes it.
#[must_use]
pub fn stays_in_place(resolution: &Resolution, resolved: &Resolved) -> bool {
    let components = Components::of(resolution, resolved, &Components::none(resolution));
    let moves = components.walker.is_some() || components.flyer.is_some() || components.platform.is_some();
    !moves && !components.is_moved_by_tracks() && (!components.has_body || components.body.kind == BodyKind::Static)
}

/// The collider of a static body that nothing changes while the level is played, as far as its entity's components
/// decide: it has no machine and no tracks, does not break, and has no component of the game's own. `None` if it has none
/// that stops what tiles stop.
#[must_use]
pub fn lasting_body(resolution: &Resolution, resolved: &Resolved) -> Option<ColliderSpec> {
    let known = &resolution.builtin().schema.components;
    let components = Components::of(resolution, resolved, &Components::none(resolution));
    let Components { brain, tracks, breakable, .. } = &components;
    let changes = breakable.is_some()
        || !(brain.machines.is_empty() && brain.queue.is_empty() && tracks.is_empty())
        || resolved.components.keys().any(|component| !known.contains_key(component));
    let spec = components.body_spec().ok()??;
    let is_lasting = spec.is_static() && !changes && spec.check().is_ok();
    spec.collider.filter(|collider| is_lasting && collider.stops_as_tiles_do())
}

/// The parts of an entity's collider; empty if one cannot be read.
#[must_use]
pub fn parts_of(resolution: &Resolution, resolved: &Resolved) -> Vec<PartSpec> {
    if !resolved.has("Collider") {
        return Vec::new();
    }
    read_collider(&Reader::new(resolution, Some(resolved), "Collider")).map_or_else(|_| Vec::new(), |it| it.parts)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn count(n: f64) -> u32 {
    n as u32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3")]
fn player(index: f64) -> usize {
    index.clamp(0.0, 3.0) as usize
}
