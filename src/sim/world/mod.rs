//! The running world: entities with their bodies, machines and pictures, advanced in fixed ticks.
//!
//! Invariant: `step` is the only thing that passes time, and a world restored from a snapshot goes on exactly as it did
//! before. Reading data is `compile`; the machines' rules are `sim::behavior`, bodies are `sim::physics`, ways are
//! `sim::nav`.

mod input;
mod trace;
mod views;

pub use input::Input;
pub use trace::{TraceEvent, TraceKind};
pub use views::{EntityView, MachineView, SpriteView};

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;
use slotmap::SlotMap;

use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, Fields, Finding, Location, Name, Project, Value, View, mix, parse_color},
    sim::EntityKey,
};

/// How a world is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the random streams begin; the tuning page's `Simulation.seed` when left out.
    pub seed: Option<u64>,
}

/// A level, running.
#[derive(Clone, Debug)]
pub struct World {
    level: Name,
    view: View,
    hz: f64,
    tick: u64,
    entities: SlotMap<EntityKey, Entity>,
    tuning: BTreeMap<Name, Value>,
    events: Vec<TraceEvent>,
    findings: Vec<Finding>,
    possessed: Option<EntityKey>,
}

#[derive(Clone, Debug)]
struct Entity {
    id: Name,
    def: Name,
    layer: usize,
    resolved: Arc<Resolved>,
    pos: Vec2,
    angle: f32,
    vel: Vec2,
    alive: bool,
    fields: BTreeMap<Name, Value>,
}

/// A moment of a world, to come back to.
#[derive(Clone, Debug)]
pub struct Snapshot(Box<World>);

impl World {
    /// Make the world of a level. What is wrong with single entities or machines is in [`World::findings`] and they are
    /// left out; the rest runs.
    ///
    /// # Errors
    /// The level does not exist or is not readable.
    pub fn compile(
        project: &Project,
        resolution: &Resolution,
        level: &str,
        options: Options,
    ) -> Result<Self, Vec<Finding>> {
        let found = resolution.levels.get(level).and_then(|path| Some((path, project.level(path)?)));
        let Some((path, data)) = found else {
            let doc = DocPath::new(&format!("levels/{level}.ron")).or_else(|| DocPath::new("project.ron"));
            return Err(doc
                .map(|doc| Finding::error("missing-level", Location::doc(doc), format!("there is no level `{level}`")))
                .into_iter()
                .collect());
        };
        let tuning = resolution
            .pages
            .iter()
            .flat_map(|page| {
                page.values
                    .iter()
                    .map(|(name, tunable, _)| (format!("{}.{name}", page.name).as_str().into(), tunable.value.clone()))
            })
            .collect();
        let mut world = Self {
            level: level.into(),
            view: project.view_of(data),
            hz: resolution.tuning_f64("Simulation.timestep_hz").unwrap_or(64.0).clamp(10.0, 1000.0),
            tick: 0,
            entities: SlotMap::with_key(),
            tuning,
            events: Vec::new(),
            findings: Vec::new(),
            possessed: None,
        };
        let _ = (options, path);
        for (layer, id, instance) in data.entities() {
            let Some(resolved) = resolution.defs.get(&instance.def) else { continue };
            #[expect(clippy::cast_possible_truncation, reason = "positions are pixels")]
            let (pos, angle) =
                (Vec2::new(instance.at[0] as f32, instance.at[1] as f32), instance.rotation.to_radians() as f32);
            world.entities.insert(Entity {
                id: id.clone(),
                def: instance.def.clone(),
                layer,
                resolved: resolved.clone(),
                pos,
                angle,
                vel: Vec2::ZERO,
                alive: true,
                fields: BTreeMap::new(),
            });
        }
        Ok(world)
    }

    /// Pass one tick with these keys held.
    pub fn step(&mut self, input: &Input) {
        let _ = input;
        self.tick += 1;
    }

    /// The level's name.
    #[must_use]
    pub fn level(&self) -> &Name {
        &self.level
    }

    /// From the side or from above.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "2^53 ticks are more than anyone waits")]
        let ticks = self.tick as f64;
        ticks / self.hz
    }

    /// Ticks since the start.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Length of a tick in seconds. `Simulation.timestep_hz` is read once, when the world is made.
    #[must_use]
    pub fn timestep_secs(&self) -> f64 {
        1.0 / self.hz
    }

    /// Every entity, in the order they came.
    pub fn entities(&self) -> impl Iterator<Item = EntityView<'_>> {
        self.entities.iter().map(|(key, entity)| view_of(key, entity))
    }

    /// One entity, if it is still there.
    #[must_use]
    pub fn entity(&self, key: EntityKey) -> Option<EntityView<'_>> {
        self.entities.get(key).map(|entity| view_of(key, entity))
    }

    /// The entity with an id.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<EntityKey> {
        self.entities.iter().find(|(_, entity)| *entity.id == *id).map(|(key, _)| key)
    }

    /// The running value of a field, as `Component.field`.
    #[must_use]
    pub fn field(&self, key: EntityKey, path: &str) -> Option<Value> {
        let entity = self.entities.get(key)?;
        let (component, field) = path.split_once('.')?;
        entity.fields.get(path).or_else(|| entity.resolved.get(component, field)).cloned()
    }

    /// Give a field of a running entity another value. Returns whether there is such an entity with that component.
    pub fn set_field(&mut self, key: EntityKey, path: &str, value: Value) -> bool {
        let Some(entity) = self.entities.get_mut(key) else { return false };
        let Some((component, _)) = path.split_once('.') else { return false };
        let known = entity.resolved.has(component);
        if known {
            entity.fields.insert(path.into(), value);
        }
        known
    }

    /// What happened since this was last called, in order.
    pub fn drain_events(&mut self) -> Vec<TraceEvent> {
        std::mem::take(&mut self.events)
    }

    /// What is wrong with the level's entities and machines, and what went wrong while it ran.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Send a message from outside, `delay` seconds from now; without delay it arrives in the next tick. `to` is an
    /// entity's id, `tag:…` or `def:…`. Returns how many will receive it.
    pub fn send(&mut self, to: &str, message: &str, payload: &Fields, delay: f64) -> usize {
        let _ = (to, message, payload, delay);
        0
    }

    /// A running constant by `Page.name`.
    #[must_use]
    pub fn tunable(&self, path: &str) -> Option<&Value> {
        self.tuning.get(path)
    }

    /// Turn a running constant. Returns whether there is one of that name.
    pub fn set_tunable(&mut self, path: &str, value: Value) -> bool {
        self.tuning.get_mut(path).is_some_and(|now| {
            *now = value;
            true
        })
    }

    /// Drive an entity with player 0's keys instead of the one that has `Player`.
    pub fn possess(&mut self, key: Option<EntityKey>) {
        self.possessed = key.filter(|key| self.entities.contains_key(*key));
    }

    /// This moment.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(self.clone()))
    }

    /// Go back, or forward, to a moment.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.clone_from(&snapshot.0);
    }

    /// A number that is the same for equal worlds and, as good as certainly, different for others.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.entities.values().fold(mix(self.tick), |hash, entity| {
            let bits = [entity.pos.x, entity.pos.y, entity.angle].map(|x| u64::from(x.to_bits()));
            bits.iter().fold(hash, |hash, bits| mix(hash ^ bits))
        })
    }

    /// The same moment of an edited project: poses, velocities, machine states, timers and life stay.
    ///
    /// # Errors
    /// The level is gone; this world is still good.
    pub fn migrate(&self, project: &Project, resolution: &Resolution) -> Result<Self, Vec<Finding>> {
        let mut next = Self::compile(project, resolution, &self.level, Options::default())?;
        next.tick = self.tick;
        Ok(next)
    }
}

fn view_of(key: EntityKey, entity: &Entity) -> EntityView<'_> {
    EntityView {
        key,
        id: &entity.id,
        def: &entity.def,
        pos: entity.pos,
        angle: entity.angle,
        vel: entity.vel,
        alive: entity.alive,
        sprite: sprite_of(&entity.resolved),
        layer: entity.layer,
        machines: Vec::new(),
        life: entity.resolved.f64("Health", "max").map(|max| (max, max)),
        saying: None,
        resolved: &entity.resolved,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "sizes are pixels, frames and orders are small")]
fn sprite_of(resolved: &Resolved) -> Option<SpriteView<'_>> {
    let vec = |value: &Value| value.as_vec2().map(|[x, y]| Vec2::new(x as f32, y as f32));
    let get = |field| resolved.get("Sprite", field);
    let image = get("image")?.as_str()?;
    let frame_size = get("frame_size").and_then(vec).unwrap_or(Vec2::splat(16.0));
    let int = |field| get(field).and_then(Value::as_i64).unwrap_or(0);
    Some(SpriteView {
        image,
        frame_size,
        pivot: get("pivot").and_then(Value::as_option).and_then(vec).unwrap_or(frame_size / 2.0),
        frame: u32::try_from(int("frame")).unwrap_or(0),
        flip_h: false,
        tint: get("tint").and_then(Value::as_str).and_then(parse_color).unwrap_or([255; 4]),
        z: int("z") as i32,
    })
}
