//! The running world: entities with their bodies, machines and pictures, advanced in fixed ticks.
//!
//! Invariant: time passes only in `step`, and a world restored from a snapshot continues exactly as it did before.
//! Reading data is `build`, following edits `migrate`; the rules of machines are `sim::behavior`, bodies are
//! `sim::physics`, paths are `sim::nav`.
//!
//! Time: tick `n` happens at `n / hz` seconds, and [`World::tick`] is the one that happens next. The first tick, 0,
//! starts the machines. A tick is, in this order: messages that are due (the start of machines and messages from
//! outside among them), `Update` for every machine (first in the tick after its entity was added, when its contacts are
//! known), messages sent meanwhile, tracks, movement and forces, the physics, contacts and clips that ended as
//! messages, delivered in the same tick. What is sent with a delay arrives in the first tick that is not before its
//! time.

mod actions;
mod along;
mod bounds;
mod breaking;
mod build;
mod cameras;
mod carriers;
mod clips;
mod compare;
mod constants;
mod crowd;
mod cues;
mod drawn;
mod entity;
mod groups;
mod hand;
mod host;
mod in_the_way;
mod input;
mod insight;
mod joints;
mod legs;
mod lifts;
mod messages;
mod migrate;
mod movement;
mod order;
mod paths;
mod progress;
mod routes;
mod rules;
mod size;
mod sounds;
mod straight;
mod targets;
mod tick;
mod trace;
mod tracks;
mod views;
mod walking;
mod why;

pub use compare::{DifferenceKind, EntityDifference};
pub use constants::{Constants, PathTuning, arrive_px, reach_px};
pub use cues::Missing;
pub use hand::{Hand, Pull};
pub use input::{Actions, CONTROLS_PAGE, Input, control_constant};
pub use insight::{ForceView, GazeView};
pub use rules::LevelSide;
pub use trace::{TraceEvent, TraceKind};
pub use views::{EntityView, MachineView, PathView, SightView};
pub use walking::walker_in;
pub use why::{StillCause, Wants, WhyStill};

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use slotmap::{Key, SlotMap};

use crate::{
    model::{Finding, LIFE, LevelView, Name, Value, mix},
    sim::{
        EntityKey,
        behavior::{MailQueue, Symbols},
        nav::Navigator,
        physics::Physics,
    },
};

use entity::{Entity, FieldChange, LastRead};
use groups::Groups;
use rules::Rules;

/// The most events kept until they are fetched.
const MAX_EVENTS: usize = 1 << 18;
/// The most problems kept per rule.
const MAX_FINDINGS: usize = 256;

/// Options for making a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of the random streams; if left out, the tuning page's `Simulation.seed`.
    pub seed: Option<u64>,
}

/// A running level.
#[derive(Clone, Debug)]
pub struct World {
    rules: Arc<Rules>,
    symbols: Arc<Symbols>,
    seed: u64,
    tick: u64,
    /// In boxes: lists of keys are made in each tick, and entities are large.
    entities: SlotMap<EntityKey, Box<Entity>>,
    ids: Arc<HashMap<Name, EntityKey>>,
    last_read: Arc<LastRead>,
    groups: Arc<Groups>,
    mail: MailQueue,
    physics: Physics,
    /// Whether an entity was added or removed, or a joint or body has changed.
    joints_changed: bool,
    /// Entities that broke in this tick.
    breaking: Vec<EntityKey>,
    navigator: Navigator,
    /// The revision of the physics' still bodies that the navigator has.
    still_revision: u64,
    tuning: Arc<BTreeMap<Name, Value>>,
    /// The values of `tuning` for the built-in pages.
    constants: Arc<Constants>,
    events: Vec<TraceEvent>,
    findings: Vec<Finding>,
    /// The reports about limited constants, each also in `findings`.
    limited_tuning: BTreeMap<Name, Finding>,
    possessed: Option<EntityKey>,
    /// The user's manual intervention.
    hand: Hand,
    /// The input of this tick, and of the one before.
    input: Input,
    before: Input,
    /// The number of messages delivered in this tick.
    delivered: usize,
    /// Work charged in this tick, see [`limits::MAX_WORK`].
    work: u64,
    /// Why this tick was cut short.
    overload: Option<Name>,
    n_spawned: u64,
    /// Entities spawned in this response, whose machines are not started.
    born: Vec<EntityKey>,
    /// Number of entities spawned in this tick.
    n_born: usize,
    /// Entities to be removed when this response is over.
    to_despawn: Vec<EntityKey>,
    /// Watchers of removed entities, by entity, while messages to it may be pending.
    watchers_of_gone: BTreeMap<EntityKey, Vec<EntityKey>>,
}

/// A snapshot of a world, which can be restored.
#[derive(Clone, Debug)]
pub struct Snapshot(Box<World>);

impl Snapshot {
    /// The next tick.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.0.tick
    }
}

impl World {
    /// The level's name.
    #[must_use]
    pub fn level(&self) -> &Name {
        &self.rules.level_name
    }

    /// The seed of its random streams.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the level is seen from the side or from above.
    #[must_use]
    pub fn view(&self) -> LevelView {
        self.rules.view
    }

    /// Time from the start to the next tick, in seconds.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "2^53 ticks are more than anyone waits")]
        let ticks = self.tick as f64;
        ticks / self.rules.hz
    }

    /// The next tick; 0 at the start.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The actions of its players.
    #[must_use]
    pub fn actions(&self) -> &Actions {
        &self.rules.actions
    }

    /// Length of a tick in seconds. `Simulation.timestep_hz` is read once, when the world is made.
    #[must_use]
    pub fn timestep_secs(&self) -> f64 {
        1.0 / self.rules.hz
    }

    fn dt(&self) -> f32 {
        self.rules.dt()
    }

    /// The number of ticks of a duration in seconds, rounded down.
    fn ticks(&self, secs: f32) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited")]
        let n = (f64::from(secs) * self.rules.hz).clamp(0.0, 1e6) as u64;
        n
    }

    /// The entity with an id.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<EntityKey> {
        self.ids.get(id).copied()
    }

    /// The running value of a field, as `Component.field`. `Health.life` is the number of hit points left.
    #[must_use]
    pub fn field(&self, key: EntityKey, path: &str) -> Option<Value> {
        let entity = self.entities.get(key)?;
        if path == LIFE {
            return entity.life.map(|life| Value::Float(life.now));
        }
        entity.value(path).cloned()
    }

    /// The number in a field of an entity, else in the constant of that name.
    fn number(&self, key: EntityKey, path: &str) -> Option<f64> {
        let own = self.entities.get(key).and_then(|entity| {
            if path == LIFE { entity.life.map(|life| life.now) } else { entity.value(path)?.as_f64() }
        });
        own.or_else(|| self.tuning.get(path)?.as_f64())
    }

    /// Set the running value of a field of an entity. Returns whether there is such an entity with that component.
    pub fn set_field(&mut self, key: EntityKey, path: &str, value: Value) -> bool {
        let Some(entity) = self.entities.get_mut(key) else { return false };
        if path == LIFE {
            let Some((life, now)) = entity.life.as_mut().zip(value.as_f64()) else { return false };
            *life = entity::Life::of(*life, now);
            return true;
        }
        let done =
            entity.change(&self.rules.resolution, path, |change| *change = FieldChange { set: Some(value), add: 0.0 });
        if done {
            self.report_limits(key);
            self.refresh(key, path);
        }
        done
    }

    /// The events since the last call, in order.
    pub fn drain_events(&mut self) -> Vec<TraceEvent> {
        std::mem::take(&mut self.events)
    }

    /// Problems of the level's entities and machines, and of the running world; each once.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// A running constant by `Page.name`.
    #[must_use]
    pub fn tunable(&self, path: &str) -> Option<&Value> {
        self.tuning.get(path)
    }

    /// Set a running constant. Returns whether there is one of that name.
    pub fn set_tunable(&mut self, path: &str, value: Value) -> bool {
        if !self.tuning.contains_key(path) {
            return false;
        }
        let value = self.limit_tunable(path, value);
        if self.tuning.get(path) != Some(&value) {
            Arc::make_mut(&mut self.tuning).insert(path.into(), value);
            self.read_constants();
            let config = self.physics_config();
            if config != *self.physics.config() {
                self.physics.set_config(config);
            }
        }
        true
    }

    /// The running constants of the built-in pages.
    #[must_use]
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// Read the constants of the built-in pages after a change.
    fn read_constants(&mut self) {
        self.constants = Arc::new(Constants::of(&self.tuning, self.rules.resolution.builtin()));
    }

    /// Let player 0's keys drive an entity instead of the one that has `Player`.
    pub fn possess(&mut self, key: Option<EntityKey>) {
        self.possessed = key.filter(|key| self.entities.contains_key(*key));
    }

    /// The entity that player 0 drives instead of the one that has `Player`.
    #[must_use]
    pub fn possessed(&self) -> Option<EntityKey> {
        self.possessed
    }

    /// A snapshot of the present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut world = self.clone();
        world.events = Vec::new();
        world.rest_searches();
        Snapshot(Box::new(world))
    }

    /// Restore a snapshot. Events that were not fetched are lost.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.clone_from(&snapshot.0);
    }

    /// A hash: the same for equal worlds and almost certainly different for others.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = mix(self.tick ^ mix(self.physics.hash()));
        let mut add = |bits: u64| hash = mix(hash ^ bits);
        if self.hand != Hand::Empty {
            add(self.hand.digest());
        }
        for (key, entity) in &self.entities {
            add(key.data().as_ffi());
            let pose = entity.pose;
            let floats = [pose.pos.x, pose.pos.y, pose.angle, pose.vel.x, pose.vel.y, pose.spin];
            floats.into_iter().for_each(|x| add(u64::from(x.to_bits())));
            add(entity.life.map_or(0, |life| life.now.to_bits() ^ u64::from(life.is_dead)));
            add(entity.random.n_draws());
            for running in entity.machines.iter().chain(&entity.queue).flatten() {
                add(u64::from(running.uid));
                running.cursor.digest().for_each(&mut add);
            }
            entity.movement.digest().for_each(&mut add);
            entity.clip.digest().into_iter().for_each(&mut add);
            entity.tracks.values().flat_map(tracks::Run::digest).for_each(&mut add);
            for (path, change) in &entity.changes {
                path.bytes().for_each(|byte| add(u64::from(byte)));
                add(change.add.to_bits());
                let set = change.set.as_ref().map(ToString::to_string).unwrap_or_default();
                set.bytes().for_each(|byte| add(u64::from(byte)));
            }
        }
        for (left, mail) in self.mail.waiting(self.tick) {
            add(left.to_bits());
            add(u64::from(mail.name.0) ^ mail.to.data().as_ffi().rotate_left(32));
        }
        hash
    }

    fn emit(&mut self, key: EntityKey, machine: Option<Name>, kind: TraceKind) {
        let Some(id) = self.entities.get(key).map(|entity| entity.id.clone()) else { return };
        let event = TraceEvent { t: self.time_secs(), tick: self.tick, entity: id, machine, kind };
        let is_news = !matches!(event.kind, TraceKind::Enter { .. } | TraceKind::Exit { .. });
        if let Some(entity) = self.entities.get_mut(key).filter(|_| is_news) {
            entity.write_log(&event);
        }
        self.record(event);
    }

    fn record(&mut self, event: TraceEvent) {
        if self.events.len() >= MAX_EVENTS {
            self.events.drain(..MAX_EVENTS / 2);
        }
        self.events.push(event);
    }

    /// Keep a problem, unless it is listed already.
    fn note(&mut self, finding: Finding) {
        let n_same = self.findings.iter().filter(|other| other.rule == finding.rule).count();
        if n_same < MAX_FINDINGS && !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Remove a problem that is no longer true.
    fn drop_finding(&mut self, finding: &Finding) {
        self.findings.retain(|other| other != finding);
    }
}
