//! What was played: the keys of each tick, the changes made from outside, and worlds from which any tick is computed again.
//!
//! Invariant: a kept world, stepped with the recorded keys and changes, gives every later tick bit for bit. Kept worlds are farther apart
//! the older they are, and take no more than a budget of memory, so that a recording of any length can be gone back in. Who
//! computes ticks, and when, is `session`.

use std::{collections::BTreeMap, sync::Arc};

use super::{Input, World, session::CuesAt};
use crate::model::CueKind;

/// A change of the running world from outside. It returns a message for the user, if any. It may be made again, on a world as
/// it was before: when the batch it was made in is canceled, and when the tick is computed again.
pub(super) type WorldChange = Arc<dyn Fn(&mut World) -> Option<String> + Send + Sync>;

/// A change of the running world, and what of it a scenario can hold.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) make: WorldChange,
    /// It brings the world up to an edited project, which takes long, so only a batch makes it.
    pub(super) is_migration: bool,
    /// The same as cues of a scenario; none where no scenario can hold it.
    pub(super) cues: Option<Vec<CueKind>>,
}

impl Change {
    fn sets_constants(&self) -> bool {
        self.cues.iter().flatten().any(|cue| matches!(cue, CueKind::Tune(_)))
    }
}

/// What is done before a tick, and the keys held in it.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) changes: Vec<Change>,
    pub(super) input: Input,
}

/// The fewest ticks between kept worlds.
const NEAREST: u64 = 8;
/// Worlds of an age are no farther apart than this share of it, or [`NEAREST`].
const AGE_SHARE: u64 = 64;
/// The most memory for the kept worlds of all recordings of a session, in bytes, as [`World::bytes`] estimates them.
pub(super) const MAX_BYTES: usize = 192 << 20;
/// The most migrations that can be made again: each holds a project and its resolution.
const MAX_MIGRATIONS: usize = 256;

/// What was played from tick 0 on.
#[derive(Clone)]
pub(super) struct Recording {
    /// The keys held in each tick, from 0 on. There may be more than ticks were computed: then these are repeated.
    inputs: Vec<Input>,
    /// Changes before a tick, in order.
    changes: BTreeMap<u64, Vec<Change>>,
    /// The cues of all changes since the beginning; none for what no scenario can hold.
    cues: Vec<CuesAt>,
    /// Worlds before a tick and the changes made then, with their size in bytes.
    kept: BTreeMap<u64, (Arc<World>, usize)>,
    /// The first tick after the last that was computed.
    end: u64,
    /// Kept worlds are so many times as far apart as they would be, since they take too much memory.
    coarseness: u64,
}

impl Recording {
    /// Begin with a world.
    pub(super) fn new(world: &Arc<World>) -> Self {
        let tick = world.tick();
        let n_before = usize::try_from(tick).unwrap_or_default();
        let kept = BTreeMap::from([(tick, (world.clone(), world.bytes()))]);
        let inputs = vec![Input::NONE; n_before];
        Self { inputs, changes: BTreeMap::new(), cues: Vec::new(), kept, end: tick, coarseness: 1 }
    }

    /// The first tick that can be gone back to.
    pub(super) fn first(&self) -> u64 {
        self.kept.first_key_value().map_or(self.end, |(tick, _)| *tick)
    }

    /// The first tick after the last that was computed.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The first tick for which no keys are recorded.
    pub(super) fn keys_end(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// How much memory the kept worlds take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.kept.values().map(|(_, bytes)| bytes).sum()
    }

    /// How much memory the kept worlds take that another recording does not share, in bytes.
    pub(super) fn bytes_beside(&self, other: &Self) -> usize {
        let is_shared =
            |tick: &u64, world: &Arc<World>| other.kept.get(tick).is_some_and(|it| Arc::ptr_eq(&it.0, world));
        self.kept.iter().filter(|(tick, (world, _))| !is_shared(tick, world)).map(|(_, (_, bytes))| bytes).sum()
    }

    /// The keys of a tick, if it has any.
    pub(super) fn input(&self, tick: u64) -> Option<Input> {
        self.inputs.get(usize::try_from(tick).ok()?).copied()
    }

    /// The keys of each tick, and the cues of changes with their ticks.
    pub(super) fn script(&self) -> (&[Input], &[CuesAt]) {
        let n = usize::try_from(self.end).unwrap_or(usize::MAX).min(self.inputs.len());
        (&self.inputs[..n], &self.cues)
    }

    /// The changes before a tick.
    pub(super) fn changes_at(&self, tick: u64) -> &[Change] {
        self.changes.get(&tick).map_or(&[], Vec::as_slice)
    }

    /// Whether an edited project was taken up, or a constant set, after a tick.
    pub(super) fn has_edits_after(&self, tick: u64) -> bool {
        let is_edit = |change: &Change| change.is_migration || change.sets_constants();
        self.changes.range(tick + 1..).any(|(_, changes)| changes.iter().any(is_edit))
    }

    /// The ticks at which changes were made.
    pub(super) fn changed_ticks(&self) -> impl Iterator<Item = u64> {
        self.changes.keys().copied()
    }

    /// What leads from a world before tick `from` to the one before `to`. With `is_changed` the changes at `from` are made already.
    pub(super) fn frames(&self, from: u64, to: u64, is_changed: bool) -> Vec<Frame> {
        let frame = |tick: u64| Frame {
            changes: if is_changed && tick == from { Vec::new() } else { self.changes_at(tick).to_vec() },
            input: self.input(tick).unwrap_or_default(),
        };
        (from..to).map(frame).collect()
    }

    /// The last kept world that is not after a tick.
    pub(super) fn nearest(&self, tick: u64) -> Option<&Arc<World>> {
        self.kept.range(..=tick).next_back().map(|(_, (world, _))| world)
    }

    /// A tick was computed with these keys.
    pub(super) fn computed(&mut self, tick: u64, input: Input) {
        if tick == self.keys_end() {
            self.inputs.push(input);
        }
        self.end = self.end.max(tick + 1);
    }

    /// A change was made before a tick, after those that were made before it already.
    pub(super) fn changed(&mut self, tick: u64, change: Change) {
        self.cues.push((tick, change.cues.clone()));
        let is_migration = change.is_migration;
        self.changes.entry(tick).or_default().push(change);
        if is_migration && self.n_migrations() > MAX_MIGRATIONS {
            self.forget_oldest_migration();
        }
    }

    fn n_migrations(&self) -> usize {
        self.changes.values().flatten().filter(|change| change.is_migration).count()
    }

    /// Begin later, after the oldest migration.
    fn forget_oldest_migration(&mut self) {
        let is_migration = |changes: &Vec<Change>| changes.iter().any(|change| change.is_migration);
        let Some(tick) = self.changes.iter().find(|(_, changes)| is_migration(changes)).map(|(tick, _)| *tick) else {
            return;
        };
        if let Some(first) = self.kept.range(tick + 1..).next().map(|(tick, _)| *tick) {
            self.kept = self.kept.split_off(&first);
            self.changes = self.changes.split_off(&first);
        }
    }

    /// Drop what was computed from a tick on. The changes before it stay, and so do the keys, to be repeated.
    pub(super) fn truncate(&mut self, tick: u64) {
        self.end = self.end.min(tick);
        self.changes.split_off(&(tick + 1));
        self.cues.retain(|(at, _)| *at <= tick);
        self.kept.split_off(&(tick + 1));
    }

    /// Drop the keys from a tick on: others are held.
    pub(super) fn truncate_keys(&mut self, tick: u64) {
        self.inputs.truncate(usize::try_from(tick).unwrap_or(usize::MAX));
    }

    /// Keep a world, as it is before its tick and the changes made then, unless one is near. Kept worlds take no more than
    /// `max_bytes`. Returns those that are no longer kept.
    pub(super) fn keep(&mut self, world: &Arc<World>, max_bytes: usize) -> Vec<Arc<World>> {
        let tick = world.tick();
        if self.nearest(tick).is_some_and(|near| tick - near.tick() < NEAREST) || !self.changes_at(tick).is_empty() {
            return Vec::new();
        }
        self.kept.insert(tick, (world.clone(), world.bytes()));
        let mut dropped = self.thin();
        while self.bytes() > max_bytes && self.kept.len() > 2 {
            self.coarseness *= 2;
            dropped.extend(self.thin());
        }
        dropped
    }

    /// Drop worlds that are nearer to each other than their age asks for. The first and the last stay.
    fn thin(&mut self) -> Vec<Arc<World>> {
        let ticks: Vec<u64> = self.kept.keys().copied().collect();
        let Some(mut before) = ticks.first().copied() else { return Vec::new() };
        let mut dropped = Vec::new();
        for pair in ticks.windows(2).skip(1) {
            let [tick, next] = *pair else { continue };
            let age = self.end.saturating_sub(tick);
            let apart = NEAREST.max(age / AGE_SHARE).saturating_mul(self.coarseness);
            if next - before <= apart {
                dropped.extend(self.kept.remove(&tick).map(|(world, _)| world));
            } else {
                before = tick;
            }
        }
        dropped
    }
}
