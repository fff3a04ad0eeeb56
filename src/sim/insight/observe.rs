//! Samples of each watched tick, and the data kept from them: trails, traffic, energy. And the trap that pauses a world
//! in the tick in which two bodies begin to touch.
//!
//! Invariant: a sample is a function of the world after a tick; when the world goes back, the samples of later times
//! are dropped.

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

/// Length of trails, in seconds of the world.
const TRAIL_SECS: f64 = 5.0;
/// How long energy is kept, in seconds of the world.
const ENERGY_SECS: f64 = 20.0;
/// A trail gets another point when its entity has moved this far, in pixels.
const TRAIL_STEP_PX: f32 = 1.0;

/// The quantities to sample in each tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Watch {
    /// Positions of all entities with a body.
    pub trails: bool,
    /// Cells of walkers and flyers.
    pub heat: bool,
    /// Energy of these entities or, if none is named, of all that forces move.
    pub energy: Option<Vec<Name>>,
    /// The pair that pauses the world when it begins to touch.
    pub freeze: Option<Freeze>,
    /// Time spent in each tick, by parts if there is a clock to measure it; without one, only the duration of ticks.
    pub profile: bool,
}

/// Two entities, or one and anything, that pause the world when they begin to touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// The first entity's id.
    pub a: Name,
    /// The second entity's id; `None` for anything.
    pub b: Option<Name>,
}

/// The sample of a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    tick: u64,
    secs: f64,
    /// Length of the tick, in seconds.
    dt_secs: f64,
    places: Vec<(EntityKey, Vec2)>,
    cells: Vec<Cell>,
    energy: Option<(Energy, Vec<Name>)>,
}

/// The other side of a contact of a watched entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sim) enum Toucher {
    Entity(EntityKey),
    /// Tiles on one side, by the direction of their normals: steps right and down, -1 to 1.
    Tiles([i8; 2]),
}

pub(in crate::sim) type TouchedBy = BTreeSet<Toucher>;

impl Watch {
    /// Whether nothing is watched.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.trails && !self.heat && self.energy.is_none()
    }

    /// Sample the watched quantities of a world after a tick; `None` if nothing is watched.
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

/// Energy of these entities together or, if none is named, of all that forces move. Height is measured from the bottom
/// of the level.
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
    /// The watched contacts of the first entity.
    pub(in crate::sim) fn touched(&self, world: &World) -> TouchedBy {
        let Some(key) = world.by_id(&self.a) else { return TouchedBy::new() };
        let touching = world.physics().touching(key).into_iter();
        let by = touching.map(|contact| match contact.b {
            Other::Entity(other) => Toucher::Entity(other),
            Other::Tile { .. } => {
                // Seen from above, tiles on any slope are the ground.
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

    /// Which watched contact has just begun, as text; `None` if none has.
    pub(in crate::sim) fn new_contact_text(
        &self,
        before: &TouchedBy,
        now: &TouchedBy,
        world: &World,
    ) -> Option<String> {
        let new = now.difference(before).next()?;
        let other = match new {
            Toucher::Entity(key) => world.entity(*key).map_or_else(String::new, |it| it.id.to_string()),
            Toucher::Tiles([0, -1]) => "the ground".to_owned(),
            Toucher::Tiles([0, _]) => "a ceiling".to_owned(),
            Toucher::Tiles(_) => "a wall".to_owned(),
        };
        // The tick that has passed, not the next one.
        Some(format!("{} and {other} began to touch in tick {}", self.a, world.tick().saturating_sub(1)))
    }
}

/// The data kept from samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The last tick sampled.
    tick: u64,
    /// Trails: for each entity times (s) and positions (px), oldest first.
    trails: BTreeMap<EntityKey, VecDeque<(f64, Vec2)>>,
    /// Traffic.
    pub heat: Heat,
    /// Time spent in ticks.
    pub profile: Profile,
    energy: VecDeque<(f64, Energy)>,
    /// The entities whose energy it is.
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
    /// Keep samples and profiles, in order. Data that is no longer watched is dropped, except profiles.
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
            // The world went back, or began again.
            self.heat.clear();
            for trail in self.trails.values_mut() {
                trail.retain(|(then, _)| *then < secs);
            }
            self.energy.retain(|(then, _)| *then < secs);
        }
        self.tick = tick;
        for (key, at) in places {
            let trail = self.trails.entry(key).or_default();
            // While the entity is at rest, the time of its last point is updated.
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

    /// The trail of each entity: times in seconds and positions in pixels, oldest first.
    pub fn trails(&self) -> impl Iterator<Item = (EntityKey, &VecDeque<(f64, Vec2)>)> {
        self.trails.iter().map(|(key, trail)| (*key, trail))
    }

    /// Recent energy of what is watched, with times in seconds, oldest first.
    pub fn energy(&self) -> impl DoubleEndedIterator<Item = &(f64, Energy)> + ExactSizeIterator {
        self.energy.iter()
    }

    /// The entities whose energy it is; empty for all that forces move.
    #[must_use]
    pub fn energy_of(&self) -> &[Name] {
        &self.energy_of
    }
}
