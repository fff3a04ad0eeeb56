//! One entity at run time: its components, machines, order, picture, log.
//!
//! Invariant: `live` is `base` with `changes` applied, within the limits of `sim::limits`; nothing else may differ
//! between them, so a change of a field whose component `base` lacks has no effect, and both have the same components.
//! `components` are read from `live`, for ticks and frames. The physics has the position; `pose` is a copy as of the
//! last tick.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use glam::Vec2;

use crate::{
    defs::{Resolution, Resolved, ResolvedComponent, ResolvedField},
    model::{Finding, LevelView, Name, Value},
    sim::{
        EntityKey,
        behavior::{Cursor, Program},
        components::{Components, Joint},
        limits,
        physics::Pose,
        random::Stream,
    },
};

use super::{TraceEvent, clips::ClipState, order::Movement, rules::Rules, tracks::Run};

/// The most lines of an entity's log.
const LOG_LINES: usize = 128;

#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) id: Name,
    pub(super) def: Name,
    pub(super) layer: usize,
    /// Position (px) and rotation (degrees) in the level; `None` for a spawned entity.
    pub(super) placed_at: Option<([f64; 2], f64)>,
    /// The components as defined.
    pub(super) base: Arc<Resolved>,
    /// The components as they are now.
    pub(super) live: Arc<Resolved>,
    /// The built-in components read from `live`, shared with snapshots until a field changes.
    pub(super) components: Arc<Components>,
    pub(super) changes: BTreeMap<Name, FieldChange>,
    pub(super) pose: Pose,
    /// Position (px) and angle (radians) before the last tick, for drawing alone.
    pub(super) before: (Vec2, f32),
    /// Change of its velocity in the last tick, px/s².
    pub(super) acceleration: Vec2,
    pub(super) has_body: bool,
    pub(super) life: Option<Life>,
    /// The machines it runs. One that is running at this moment is taken out for that time.
    pub(super) machines: Vec<Option<Running>>,
    pub(super) queue: VecDeque<Option<Running>>,
    pub(super) next_machine: u32,
    /// The tick in which it was added.
    pub(super) since: u64,
    /// Commands for machines (start, swap, queue, finish), carried out after this response.
    pub(super) deferred: Vec<DeferredCommand>,
    pub(super) random: Stream,
    pub(super) is_deleted: bool,
    /// Whether its origin is outside the level.
    pub(super) is_outside: bool,
    pub(super) movement: Movement,
    pub(super) clip: ClipState,
    /// The tracks that were started, by name.
    pub(super) tracks: BTreeMap<Name, Run>,
    pub(super) saying: Option<(Name, u64)>,
    /// Its joint when that broke: until the component changes, it has no joint.
    pub(super) broken_joint: Option<Joint>,
    /// Entities that get copies of its messages.
    pub(super) watchers: Vec<EntityKey>,
    /// Values that were limited and not reported yet.
    pub(super) limited: Vec<Limited>,
    /// The problems reported about it, each once; dropped when their cause changes.
    pub(super) reported: Arc<BTreeMap<Cause, Finding>>,
    /// Shared with snapshots until the next line is written.
    pub(super) log: Arc<VecDeque<Arc<TraceEvent>>>,
}

/// The components last read for each definition: most entities of a definition have the same ones.
pub(super) type LastRead = BTreeMap<Name, Read>;

/// Components read for an entity, with their source.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The components as defined.
    base: Arc<Resolved>,
    /// The components with changes and within the limits, from which the built-in ones were read.
    live: Arc<Resolved>,
    components: Arc<Components>,
}

/// Hit points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Life {
    pub(super) now: f64,
    /// Whether `Dead` was sent, and it has not been healed since.
    pub(super) is_dead: bool,
}

/// A change of a field at run time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldChange {
    /// The value that replaces the definition's.
    pub(super) set: Option<Value>,
    /// The amount added to it.
    pub(super) add: f64,
}

/// The subject of a problem of a running entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// A value of a field, as `Component.field`.
    Field(Name),
    /// An argument of a machine's action, as `Action.argument`.
    Action(&'static str),
    /// The position at which it was placed or spawned.
    Place,
    /// Its body, with the id of the problem.
    Body(&'static str),
}

/// A value that exceeds the preview's limits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limited {
    /// `Component.field`.
    pub(super) path: Name,
    /// The value as declared, or as changed by the game.
    pub(super) value: Value,
    /// The value that the preview uses instead.
    pub(super) used: Value,
}

/// A machine that an entity runs.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// Unique among the machines of an entity.
    pub(super) uid: u32,
    pub(super) program: Arc<Program>,
    pub(super) cursor: Cursor,
}

/// A command of a machine about machines, carried out after the response.
#[derive(Clone, Debug)]
pub(super) enum DeferredCommand {
    Start {
        machine: Name,
    },
    /// Without `from`: the machine that issued the command.
    Swap {
        machine: Name,
        from: Name,
        asker: u32,
    },
    Queue {
        machine: Name,
    },
    Finish {
        asker: u32,
    },
}

impl Life {
    /// The same maximum with other hit points.
    pub(super) fn of(self, now: f64) -> Self {
        Self { now: now.clamp(0.0, limits::MAX_COUNT), is_dead: self.is_dead && now <= 0.0 }
    }
}

impl Entity {
    /// Whether it walks or flies and has a body, so that others go around it.
    pub(super) fn is_agent(&self) -> bool {
        self.has_body && !self.is_deleted && (self.components.walker.is_some() || self.components.flyer.is_some())
    }

    /// The present value of a field, as `Component.field`.
    pub(super) fn value(&self, path: &str) -> Option<&Value> {
        let (component, field) = path.split_once('.')?;
        self.live.get(component, field)
    }

    /// Change a field; the caller updates what is derived from it. Returns false if the entity has no such component.
    pub(super) fn change(
        &mut self,
        resolution: &Resolution,
        path: &str,
        change: impl FnOnce(&mut FieldChange),
    ) -> bool {
        let Some((component, field)) = path.split_once('.') else { return false };
        if !self.live.has(component) || field.is_empty() {
            return false;
        }
        change(self.changes.entry(path.into()).or_default());
        self.apply(path);
        if resolution.builtin().schema.components.contains_key(component) {
            Arc::make_mut(&mut self.components).read(resolution, Some(&self.live), component);
        }
        true
    }

    /// Use another definition, keeping the changes.
    pub(super) fn rebase(&mut self, base: Arc<Resolved>, rules: &Rules, last: &mut Arc<LastRead>) {
        self.live = base.clone();
        self.base = base;
        let same_base = last.get(&self.def).filter(|read| read.base.components.is_shared_with(&self.base.components));
        if same_base.is_none_or(|read| !Arc::ptr_eq(&read.base, &read.live)) {
            self.limit();
        }
        let paths: Vec<Name> = self.changes.keys().cloned().collect();
        paths.iter().for_each(|path| self.apply(path));
        self.components = match last.get(&self.def) {
            Some(read) if read.live.components.is_shared_with(&self.live.components) => read.components.clone(),
            _ => {
                let components = Arc::new(Components::of(&rules.resolution, &self.live, &rules.bare));
                let (base, live) = (self.base.clone(), self.live.clone());
                Arc::make_mut(last).insert(self.def.clone(), Read { base, live, components: components.clone() });
                components
            }
        };
    }

    /// Drop reported problems whose causes have changed.
    pub(super) fn forget_reported(&mut self, is_about: impl Fn(&Cause) -> bool) {
        if self.reported.keys().any(&is_about) {
            Arc::make_mut(&mut self.reported).retain(|cause, _| !is_about(cause));
        }
    }

    /// Limit the values of `live`.
    fn limit(&mut self) {
        let components: Vec<Name> = self.live.components.keys().cloned().collect();
        for component in components {
            for (field, range) in limits::of_component(&component) {
                let Some(value) = self.live.get(&component, field) else { continue };
                let Some(used) = limits::limited(value, range) else { continue };
                let (path, value) = (format!("{component}.{field}").into(), value.clone());
                self.limited.push(Limited { path, value, used: used.clone() });
                self.put(&component, field, used);
            }
        }
    }

    fn apply(&mut self, path: &str) {
        let (Some(change), Some((component, field))) = (self.changes.get(path), path.split_once('.')) else { return };
        if !self.base.has(component) {
            return;
        }
        let start = change.set.as_ref().or_else(|| self.base.get(component, field));
        let value = match start {
            _ if change.add == 0.0 && start.is_some() => start.cloned(),
            #[expect(clippy::cast_possible_truncation, reason = "a whole number stays one when it can")]
            Some(Value::Int(int)) if change.add.fract() == 0.0 && change.add.abs() < 9e15 => {
                Some(Value::Int(int.saturating_add(change.add as i64)))
            }
            Some(value) => value.as_f64().map(|x| Value::Float(x + change.add)),
            None => Some(Value::Float(change.add)),
        };
        let Some(value) = value else { return };
        let range = limits::of_field(component, field).unwrap_or((-f64::MAX, f64::MAX));
        let Some(used) = limits::limited(&value, range) else { return self.put(component, field, value) };
        self.limited.push(Limited { path: path.into(), value, used: used.clone() });
        // Later additions start from the limit.
        self.changes.insert(path.into(), FieldChange { set: Some(used.clone()), add: 0.0 });
        self.put(component, field, used);
    }

    fn put(&mut self, component: &str, field: &str, value: Value) {
        let Some(component) = Arc::make_mut(&mut self.live).components.get_mut(component) else { return };
        let component: &mut ResolvedComponent = Arc::make_mut(component);
        let provenance = component.fields.get(field).map(|field| field.provenance.clone()).unwrap_or_default();
        component.fields.insert(field.into(), Arc::new(ResolvedField { value, provenance }));
    }

    /// The machine with this number, unless it is running at this moment.
    pub(super) fn machine(&self, uid: u32) -> Option<&Running> {
        self.machines.iter().chain(&self.queue).flatten().find(|running| running.uid == uid)
    }

    /// The machines that receive messages, in order: the listed ones, then the front of the queue.
    pub(super) fn receivers(&self) -> Vec<u32> {
        let front = self.queue.front();
        self.machines.iter().chain(front).flatten().map(|running| running.uid).collect()
    }

    /// The slot of a machine, to take it out while it runs and to put it back.
    pub(super) fn slot(&mut self, uid: u32) -> Option<&mut Option<Running>> {
        let is_it = |slot: &Option<Running>| slot.as_ref().is_some_and(|running| running.uid == uid);
        self.machines.iter_mut().chain(&mut self.queue).find(|slot| is_it(slot))
    }

    /// Hit points and their maximum.
    pub(super) fn life_of(&self) -> Option<(f64, f64)> {
        Some((self.life?.now, self.components.max_health?))
    }

    pub(super) fn write_log(&mut self, event: &TraceEvent) {
        let log = Arc::make_mut(&mut self.log);
        if log.len() >= LOG_LINES {
            log.pop_front();
        }
        log.push_back(Arc::new(event.clone()));
    }

    /// Play a clip of the sprite. For an unknown name, its plain frame is shown.
    pub(super) fn play(&mut self, name: &str, restart: bool) {
        if restart || !self.clip.is_playing(name) {
            let clip = self.components.sprite.as_ref().and_then(|sprite| sprite.clips.get(name));
            self.clip.play(clip.cloned(), name);
        }
    }

    /// Play the first clip of the sprite.
    pub(super) fn play_first(&mut self) {
        let clip = self.components.sprite.as_ref().map(|sprite| sprite.clip.clone());
        self.play(&clip.unwrap_or_default(), true);
    }

    /// Mirror the picture by its facing or motion, unless the sprite does not face its motion.
    pub(super) fn face(&mut self, x: f32) {
        if x != 0.0 && self.components.sprite.as_ref().is_none_or(|sprite| sprite.face_motion) {
            self.clip.flip_h = x < 0.0;
        }
    }

    /// Select the clip and the facing by the motion.
    pub(super) fn show_motion(&mut self, view: LevelView, on_ground: bool, special: Option<&str>) {
        let components = self.components.clone();
        let Some(sprite) = &components.sprite else { return };
        let vel = self.pose.vel;
        let speed = if view == LevelView::Platformer { vel.x.abs() } else { vel.length() };
        let moves = components.walker.is_some() || components.flyer.is_some();
        if moves && vel.x.abs() > 2.0 {
            self.face(vel.x);
        }
        if !moves || !self.clip.is_free() {
            return;
        }
        if let Some(name) = special.filter(|name| sprite.clips.contains_key(*name)) {
            return self.play(name, false);
        }
        // With both clips, an entity walks at low speed and runs at high speed.
        let wanted: &[&str] = match &components.walker {
            None => &["fly"],
            Some(_) if !on_ground && vel.y < 0.0 => &["jump", "fall"],
            Some(_) if !on_ground => &["fall", "jump"],
            Some(walker) if speed > 4.0 && speed > walker.speed * 0.6 => &["run", "walk"],
            Some(_) if speed > 4.0 => &["walk", "run"],
            Some(_) => &["idle"],
        };
        let is_shown = |name: &&str| self.clip.is_playing(name) && self.clip.frame().is_some();
        if wanted.first().is_some_and(is_shown) {
            return;
        }
        if let Some(name) = wanted.iter().find(|name| sprite.clips.contains_key(**name)) {
            self.play(name, false);
        }
    }
}
