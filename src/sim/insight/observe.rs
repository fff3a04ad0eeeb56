//! What is noted of each tick while it is watched, and what is kept of it: trails, traffic, energy. And the trap that
//! pauses a world in the tick in which two bodies begin to touch.
//!
//! Invariant: a sample is a function of the world after a tick; where the world goes back, what was noted of the time
//! after is dropped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::Vec2;

use super::{
    Heat,
    profile::{Profile, TickProfile},
};
use crate::{
    model::{Cell, LevelView, Name},
    sim::{
        EntityKey, World,
        physics::{Energy, Other},
    },
};

/// How long trails are, in seconds of the world.
const TRAIL_SECS: f64 = 5.0;
/// How long energy is remembered, in seconds of the world.
const ENERGY_SECS: f64 = 20.0;
/// A trail gets another point when its entity has moved so far, in pixels.
const TRAIL_STEP_PX: f32 = 1.0;

/// What is to be noted of each tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Watch {
    /// Where everything with a body is.
    pub trails: bool,
    /// Which cells walkers and flyers are in.
    pub heat: bool,
    /// How much bodies move: of these entities, or, where none is named, of all that forces move.
    pub energy: Option<Vec<Name>>,
    /// Pause when these begin to touch.
    pub freeze: Option<Freeze>,
    /// What each tick spends its time on, where there is a clock to measure it by; without, only how long ticks take.
    pub profile: bool,
}

/// Two entities, or one and anything, that pause the world when they begin to touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// One.
    pub a: Name,
    /// The other; `None` for anything.
    pub b: Option<Name>,
}

/// What was noted of a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    tick: u64,
    secs: f64,
    /// The length of the tick.
    dt_secs: f64,
    places: Vec<(EntityKey, Vec2)>,
    cells: Vec<Cell>,
    energy: Option<(Energy, Vec<Name>)>,
}

/// What an entity is touched by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sim) enum Toucher {
    Entity(EntityKey),
    /// Tiles on a side, by where their normals point: steps right and down.
    Tiles([i8; 2]),
}

pub(in crate::sim) type TouchedBy = BTreeSet<Toucher>;

impl Watch {
    /// Whether nothing is noted.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.trails && !self.heat && self.energy.is_none()
    }

    /// Note what is watched of a world after a tick; nothing where nothing is.
    #[must_use]
    pub fn sample(&self, world: &World) -> Option<Sample> {
        if self.is_idle() {
            return None;
        }
        let mut sample =
            Sample { tick: world.tick(), secs: world.time_secs(), dt_secs: world.timestep_secs(), ..Sample::default() };
        let physics = world.physics();
        if self.trails || self.heat {
            for (key, at) in world.places() {
                let Some(spec) = physics.spec(key) else { continue };
                if self.trails && !spec.is_static() {
                    sample.places.push((key, at));
                }
                if self.heat && spec.is_mover() {
                    sample.cells.push(world.grid().cell_at(at));
                }
            }
        }
        sample.energy = self.energy.as_ref().map(|names| (energy(world, names), names.clone()));
        Some(sample)
    }
}

/// How much these entities move together, or all that forces move where none is named. Height counts from the bottom of
/// the level.
fn energy(world: &World, names: &[Name]) -> Energy {
    let physics = world.physics();
    #[expect(clippy::cast_precision_loss, reason = "cells of a level")]
    let bottom = if world.view() == LevelView::TopDown {
        0.0
    } else {
        world.grid().bounds().1[1] as f32 * world.grid().tile_size().y
    };
    let mut sum = Energy::default();
    let keys: Vec<EntityKey> = if names.is_empty() {
        let all = world.places().map(|(key, _)| key);
        all.filter(|key| physics.spec(*key).is_some_and(crate::sim::physics::BodySpec::is_dynamic)).collect()
    } else {
        names.iter().filter_map(|id| world.by_id(id)).collect()
    };
    for energy in keys.into_iter().filter_map(|key| physics.energy(key, bottom)) {
        sum += energy;
    }
    sum
}

fn sign(x: f32) -> i8 {
    if x < 0.0 { -1 } else { 1 }
}

impl Freeze {
    /// What the first is touched by, of what counts.
    pub(in crate::sim) fn touched(&self, world: &World) -> TouchedBy {
        let Some(key) = world.by_id(&self.a) else { return TouchedBy::new() };
        let touching = world.physics().touching(key).into_iter();
        let by = touching.map(|contact| match contact.b {
            Other::Entity(other) => Toucher::Entity(other),
            Other::Tile { .. } => {
                // From above they are the ground, whatever the slope.
                let Vec2 { x, y } = contact.normal;
                Toucher::Tiles(if y.abs() >= x.abs() * 0.5 { [0, sign(y)] } else { [sign(x), 0] })
            }
        });
        match &self.b {
            None => by.collect(),
            Some(b) => {
                let b = world.by_id(b).map(Toucher::Entity);
                by.filter(|other| Some(*other) == b).collect()
            }
        }
    }

    /// What began to touch the first since it was touched as it was before, in words; nothing when nothing did.
    pub(in crate::sim) fn caught(&self, before: &TouchedBy, now: &TouchedBy, world: &World) -> Option<String> {
        let new = now.difference(before).next()?;
        let other = match new {
            Toucher::Entity(key) => world.entity(*key).map_or_else(String::new, |it| it.id.to_string()),
            Toucher::Tiles([0, -1]) => "the ground".to_owned(),
            Toucher::Tiles([0, _]) => "a ceiling".to_owned(),
            Toucher::Tiles(_) => "a wall".to_owned(),
        };
        // The tick that happened, not the one that comes next.
        Some(format!("{} and {other} began to touch in tick {}", self.a, world.tick().saturating_sub(1)))
    }
}

/// What is kept of what was noted.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The tick noted last.
    tick: u64,
    /// By entity, when and where it was: oldest first.
    trails: BTreeMap<EntityKey, VecDeque<(f64, Vec2)>>,
    /// Traffic.
    pub heat: Heat,
    /// What ticks spend their time on.
    pub profile: Profile,
    energy: VecDeque<(f64, Energy)>,
    /// The entities whose energy that is.
    energy_of: Vec<Name>,
}

impl Default for Observed {
    fn default() -> Self {
        Self {
            tick: 0,
            trails: BTreeMap::new(),
            heat: Heat::of_traffic(),
            profile: Profile::default(),
            energy: VecDeque::new(),
            energy_of: Vec::new(),
        }
    }
}

impl Observed {
    /// Keep what was noted and measured, in order. What is no longer watched is forgotten, but for what was measured.
    pub fn keep(&mut self, watch: &Watch, samples: Vec<Sample>, profiles: Vec<TickProfile>) {
        profiles.into_iter().for_each(|profile| self.profile.add(profile));
        if !watch.trails {
            self.trails.clear();
        }
        if !watch.heat {
            self.heat.clear();
        }
        if watch.energy.is_none() {
            self.energy.clear();
        }
        for sample in samples {
            self.keep_one(sample);
        }
    }

    fn keep_one(&mut self, sample: Sample) {
        let Sample { tick, secs, dt_secs, places, cells, energy } = sample;
        if tick <= self.tick {
            // The world went back, or began anew.
            self.heat.clear();
            for trail in self.trails.values_mut() {
                trail.retain(|(then, _)| *then < secs);
            }
            self.energy.retain(|(then, _)| *then < secs);
        }
        self.tick = tick;
        for (key, at) in places {
            let trail = self.trails.entry(key).or_default();
            // While it rests, the time of its last point goes on.
            let rests = |(_, last): &(f64, Vec2)| last.distance(at) < TRAIL_STEP_PX;
            match trail.back().copied() {
                Some(last) if trail.len() > 1 && rests(&last) && trail.get(trail.len() - 2).is_some_and(rests) => {
                    if let Some(last) = trail.back_mut() {
                        last.0 = secs;
                    }
                }
                _ => trail.push_back((secs, at)),
            }
        }
        for trail in self.trails.values_mut() {
            while trail.front().is_some_and(|(then, _)| secs - then > TRAIL_SECS) {
                trail.pop_front();
            }
        }
        self.trails.retain(|_, trail| !trail.is_empty());
        cells.into_iter().for_each(|cell| self.heat.add(cell, dt_secs, secs));
        if let Some((energy, of)) = energy {
            if self.energy_of != of {
                self.energy.clear();
                self.energy_of = of;
            }
            self.energy.push_back((secs, energy));
            while self.energy.front().is_some_and(|(then, _)| secs - then > ENERGY_SECS) {
                self.energy.pop_front();
            }
        }
    }

    /// Where each entity was of late: when, in seconds, and where, in pixels; oldest first.
    pub fn trails(&self) -> impl Iterator<Item = (EntityKey, &VecDeque<(f64, Vec2)>)> {
        self.trails.iter().map(|(key, trail)| (*key, trail))
    }

    /// How much what is watched moved of late, with the time in seconds, oldest first.
    pub fn energy(&self) -> impl DoubleEndedIterator<Item = &(f64, Energy)> + ExactSizeIterator {
        self.energy.iter()
    }

    /// The entities whose energy that is; none for all that forces move.
    #[must_use]
    pub fn energy_of(&self) -> &[Name] {
        &self.energy_of
    }
}
