//! What was played: the keys of each tick, the changes made from outside, and worlds from which any tick is computed
//! again.
//!
//! Invariant: a kept world, stepped with the recorded keys and changes, gives every later tick bit for bit. Kept worlds
//! are farther apart the older they are, and take no more than a budget of memory, so that a recording of any length
//! can be gone back in. Who computes ticks, and when, is `session`.

use std::{collections::BTreeMap, sync::Arc};

use super::{Input, World};
use crate::model::CueKind;

/// A change of the running world from outside. It returns a message for the user, if any. It may be made again, on a
/// world as it was before: when the batch it was made in is canceled, and when the tick is computed again.
pub(super) type WorldChange = Arc<dyn Fn(&mut World) -> Option<String> + Send + Sync>;

/// A tick, and the cues of a change made before it; none for a change that no scenario can hold.
pub(super) type CuesAt = (u64, Option<Vec<CueKind>>);

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

    /// Whether nothing is left of a change when this one follows at once: both hold or pull the same entity.
    fn replaces(&self, before: &Self) -> bool {
        match (self.cues.as_deref(), before.cues.as_deref()) {
            (Some([CueKind::Move(new)]), Some([CueKind::Move(old)])) => {
                new.held && old.held && new.entity == old.entity
            }
            (Some([CueKind::Pull(new)]), Some([CueKind::Pull(old)])) => new.entity == old.entity,
            _ => false,
        }
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
/// From so many changes before one tick on the world after them is kept, however near another is.
const MOST_CHANGES: usize = 8;
/// The most memory for the kept worlds of all recordings of a session, in bytes, as [`World::bytes`] estimates them.
pub(super) const MAX_BYTES: usize = 192 << 20;
/// The most migrations that can be made again: each holds a project and its resolution.
const MAX_MIGRATIONS: usize = 2_048;

/// A world that is kept.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) world: Arc<World>,
    /// How many of the changes before its tick are made in it.
    pub(super) n_made: usize,
    /// Its size.
    bytes: usize,
}

/// What was played from tick 0 on.
#[derive(Clone)]
pub(super) struct Recording {
    /// The keys held in each tick, from 0 on. There may be more than ticks were computed: then these are repeated.
    inputs: Vec<Input>,
    /// Changes before a tick, in order.
    changes: BTreeMap<u64, Vec<Change>>,
    /// The cues of all changes since the beginning; none for what no scenario can hold.
    cues: Vec<CuesAt>,
    /// Worlds before a tick.
    kept: BTreeMap<u64, Kept>,
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
        let kept = BTreeMap::from([(tick, Kept { world: world.clone(), n_made: 0, bytes: world.bytes() })]);
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
        self.kept.values().map(|kept| kept.bytes).sum()
    }

    /// How much memory the kept worlds take that another recording does not share, in bytes.
    pub(super) fn bytes_beside(&self, other: &Self) -> usize {
        let is_shared =
            |tick: &u64, kept: &Kept| other.kept.get(tick).is_some_and(|it| Arc::ptr_eq(&it.world, &kept.world));
        self.kept.iter().filter(|(tick, kept)| !is_shared(tick, kept)).map(|(_, kept)| kept.bytes).sum()
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

    /// What leads from a world before tick `from`, in which so many changes at that tick are made, to the one before
    /// `to`.
    pub(super) fn frames(&self, from: u64, to: u64, n_made: usize) -> Vec<Frame> {
        let frame = |tick: u64| Frame {
            changes: self.changes_at(tick).iter().skip(if tick == from { n_made } else { 0 }).cloned().collect(),
            input: self.input(tick).unwrap_or_default(),
        };
        (from..to).map(frame).collect()
    }

    /// The last kept world that is not after a tick.
    pub(super) fn nearest(&self, tick: u64) -> Option<&Kept> {
        self.kept.range(..=tick).next_back().map(|(_, kept)| kept)
    }

    /// All kept worlds.
    pub(super) fn into_worlds(self) -> impl Iterator<Item = Arc<World>> {
        self.kept.into_values().map(|kept| kept.world)
    }

    /// A tick was computed with these keys.
    pub(super) fn computed(&mut self, tick: u64, input: Input) {
        if tick == self.keys_end() {
            self.inputs.push(input);
        }
        self.end = self.end.max(tick + 1);
    }

    /// A change was made before a tick, after those that were made before it already. Returns worlds that are no longer
    /// kept.
    pub(super) fn changed(&mut self, tick: u64, change: Change) -> Vec<Arc<World>> {
        let changes = self.changes.entry(tick).or_default();
        // While nothing plays, a drag by hand is as many changes as the pointer has moved.
        let n_kept = self.kept.get(&tick).map_or(0, |kept| kept.n_made);
        if changes.len() > n_kept && changes.last().is_some_and(|before| change.replaces(before)) {
            changes.pop();
            self.cues.pop();
        }
        self.cues.push((tick, change.cues.clone()));
        let is_migration = change.is_migration;
        changes.push(change);
        if is_migration && self.n_migrations() > MAX_MIGRATIONS { self.forget_oldest_migration() } else { Vec::new() }
    }

    fn n_migrations(&self) -> usize {
        self.changes.values().flatten().filter(|change| change.is_migration).count()
    }

    /// Begin later, with a kept world in which the oldest migration is made; not where there is none.
    fn forget_oldest_migration(&mut self) -> Vec<Arc<World>> {
        let position = |changes: &Vec<Change>| changes.iter().position(|change| change.is_migration);
        let Some((tick, at)) = self.changes.iter().find_map(|(tick, changes)| Some((*tick, position(changes)?))) else {
            return Vec::new();
        };
        let has_it = |(of, kept): &(&u64, &Kept)| **of > tick || kept.n_made > at;
        let Some(first) = self.kept.range(tick..).find(has_it).map(|(tick, _)| *tick) else { return Vec::new() };
        let later = self.kept.split_off(&first);
        let dropped = std::mem::replace(&mut self.kept, later);
        self.changes = self.changes.split_off(&first);
        if let (Some(kept), Some(changes)) = (self.kept.get_mut(&first), self.changes.get_mut(&first)) {
            changes.drain(..std::mem::take(&mut kept.n_made).min(changes.len()));
        }
        dropped.into_values().map(|kept| kept.world).collect()
    }

    /// Drop what was computed from a tick on. The changes before it stay, and so do the keys, to be repeated. Returns
    /// worlds that are no longer kept.
    pub(super) fn truncate(&mut self, tick: u64) -> Vec<Arc<World>> {
        self.end = self.end.min(tick);
        self.changes.split_off(&(tick + 1));
        self.cues.retain(|(at, _)| *at <= tick);
        self.kept.split_off(&(tick + 1)).into_values().map(|kept| kept.world).collect()
    }

    /// Drop the keys from a tick on: others are held.
    pub(super) fn truncate_keys(&mut self, tick: u64) {
        self.inputs.truncate(usize::try_from(tick).unwrap_or(usize::MAX));
    }

    /// Keep a world, as it is before its tick with the changes made then, unless one is near. Kept worlds take no more
    /// than `max_bytes`. Returns those that are no longer kept.
    pub(super) fn keep(&mut self, world: &Arc<World>, max_bytes: usize) -> Vec<Arc<World>> {
        let (tick, n_made) = (world.tick(), self.changes_at(world.tick()).len());
        // Changes take their time to be made again, too.
        let near = |kept: &Kept| {
            let n_ahead = if kept.world.tick() == tick { n_made - kept.n_made } else { n_made };
            tick - kept.world.tick() < NEAREST && n_ahead < MOST_CHANGES
        };
        if self.nearest(tick).is_some_and(near) {
            return Vec::new();
        }
        let kept = Kept { world: world.clone(), n_made, bytes: world.bytes() };
        let mut dropped: Vec<_> = self.kept.insert(tick, kept).map(|kept| kept.world).into_iter().collect();
        if self.coarseness > 1 && self.bytes() < max_bytes / 4 {
            self.coarseness /= 2;
        }
        dropped.extend(self.thin());
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
                dropped.extend(self.kept.remove(&tick).map(|kept| kept.world));
            } else {
                before = tick;
            }
        }
        dropped
    }
}
