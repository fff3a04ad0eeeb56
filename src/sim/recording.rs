//! Recordings: the input of each tick, changes from outside, and snapshots from which any tick is computed again.
//!
//! Invariant: a kept snapshot, stepped with the recorded input and changes, gives every later tick bit for bit. The
//! spacing of snapshots grows with their age, and they take at most a fixed amount of memory, so that going back is
//! possible in a recording of any length. Which ticks are computed, and when, is decided by `session`.

use std::{collections::BTreeMap, sync::Arc};

use super::{Input, World};
use crate::model::CueKind;

/// A change of the running world from outside. It returns a message for the user, if any. It may be made again, on a
/// world as it was before: if its batch is canceled, and when the tick is computed again.
pub(super) type WorldChange = Arc<dyn Fn(&mut World) -> Option<String> + Send + Sync>;

/// A tick, and the cues of a change made before it; `None` for a change that no scenario can contain.
pub(super) type CuesAt = (u64, Option<Vec<CueKind>>);

/// A change of the running world, with its cues.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) make: WorldChange,
    /// Whether it updates the world to an edited project, which takes long, so only a batch makes it.
    pub(super) is_migration: bool,
    /// The change as cues of a scenario; `None` if no scenario can contain it.
    pub(super) cues: Option<Vec<CueKind>>,
}

impl Change {
    fn sets_constants(&self) -> bool {
        self.cues.iter().flatten().any(|cue| matches!(cue, CueKind::Tune(_)))
    }

    /// Whether a change has no effect if this one follows at once: both hold or pull the same entity.
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

/// The changes before a tick, and the input of the tick.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) changes: Vec<Change>,
    pub(super) input: Input,
}

/// The least spacing of kept snapshots, in ticks.
const NEAREST: u64 = 8;
/// Spacing of kept snapshots: at most this share of their age (so it grows with age), or [`NEAREST`].
const AGE_SHARE: u64 = 64;
/// Number of changes before one tick from which on the world after them is kept, even if another snapshot is near.
const MOST_CHANGES: usize = 8;
/// The most memory for the kept snapshots of all recordings of a session, in bytes, as [`World::bytes`] estimates it.
pub(super) const MAX_BYTES: usize = 192 << 20;
/// The most migrations that can be repeated: each holds a project and its resolution.
const MAX_MIGRATIONS: usize = 2_048;

/// A kept snapshot.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) world: Arc<World>,
    /// Number of the changes before its tick that are made in it.
    pub(super) n_made: usize,
    /// Its size, in bytes.
    bytes: usize,
}

/// What was played, from tick 0 on.
#[derive(Clone)]
pub(super) struct Recording {
    /// The input of each tick, from 0 on. There may be more than ticks were computed: the rest is repeated.
    inputs: Vec<Input>,
    /// Changes before each tick, in order.
    changes: BTreeMap<u64, Vec<Change>>,
    /// The cues of all changes since the start; `None` for changes that no scenario can contain.
    cues: Vec<CuesAt>,
    /// Snapshots by the tick that follows.
    kept: BTreeMap<u64, Kept>,
    /// The first tick after the last computed one.
    end: u64,
    /// Factor on the spacing of snapshots, which grows when they take too much memory.
    coarseness: u64,
}

impl Recording {
    /// A recording that begins with a world.
    pub(super) fn new(world: &Arc<World>) -> Self {
        let tick = world.tick();
        let n_before = usize::try_from(tick).unwrap_or_default();
        let kept = BTreeMap::from([(tick, Kept { world: world.clone(), n_made: 0, bytes: world.bytes() })]);
        let inputs = vec![Input::NONE; n_before];
        Self { inputs, changes: BTreeMap::new(), cues: Vec::new(), kept, end: tick, coarseness: 1 }
    }

    /// The earliest tick that can be gone back to.
    pub(super) fn first(&self) -> u64 {
        self.kept.first_key_value().map_or(self.end, |(tick, _)| *tick)
    }

    /// The first tick after the last computed one.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The first tick without recorded input.
    pub(super) fn keys_end(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// Memory of the kept snapshots, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.kept.values().map(|kept| kept.bytes).sum()
    }

    /// Memory of the kept snapshots that another recording does not share, in bytes.
    pub(super) fn bytes_beside(&self, other: &Self) -> usize {
        let is_shared =
            |tick: &u64, kept: &Kept| other.kept.get(tick).is_some_and(|it| Arc::ptr_eq(&it.world, &kept.world));
        self.kept.iter().filter(|(tick, kept)| !is_shared(tick, kept)).map(|(_, kept)| kept.bytes).sum()
    }

    /// The input of a tick, if recorded.
    pub(super) fn input(&self, tick: u64) -> Option<Input> {
        self.inputs.get(usize::try_from(tick).ok()?).copied()
    }

    /// The input of each tick, and the cues of changes with their ticks.
    pub(super) fn script(&self) -> (&[Input], &[CuesAt]) {
        let n = usize::try_from(self.end).unwrap_or(usize::MAX).min(self.inputs.len());
        (&self.inputs[..n], &self.cues)
    }

    /// The changes before a tick.
    pub(super) fn changes_at(&self, tick: u64) -> &[Change] {
        self.changes.get(&tick).map_or(&[], Vec::as_slice)
    }

    /// Whether an edited project was applied, or a constant set, after a tick.
    pub(super) fn has_edits_after(&self, tick: u64) -> bool {
        let is_edit = |change: &Change| change.is_migration || change.sets_constants();
        self.changes.range(tick + 1..).any(|(_, changes)| changes.iter().any(is_edit))
    }

    /// The ticks at which changes were made.
    pub(super) fn changed_ticks(&self) -> impl Iterator<Item = u64> {
        self.changes.keys().copied()
    }

    /// The changes and inputs that lead from a world before tick `from`, with `n_made` changes of that tick made, to
    /// the one before `to`.
    pub(super) fn frames(&self, from: u64, to: u64, n_made: usize) -> Vec<Frame> {
        let frame = |tick: u64| Frame {
            changes: self.changes_at(tick).iter().skip(if tick == from { n_made } else { 0 }).cloned().collect(),
            input: self.input(tick).unwrap_or_default(),
        };
        (from..to).map(frame).collect()
    }

    /// The last kept snapshot that is not after a tick.
    pub(super) fn nearest(&self, tick: u64) -> Option<&Kept> {
        self.kept.range(..=tick).next_back().map(|(_, kept)| kept)
    }

    /// All kept snapshots.
    pub(super) fn into_worlds(self) -> impl Iterator<Item = Arc<World>> {
        self.kept.into_values().map(|kept| kept.world)
    }

    /// Record that a tick was computed with this input.
    pub(super) fn computed(&mut self, tick: u64, input: Input) {
        if tick == self.keys_end() {
            self.inputs.push(input);
        }
        self.end = self.end.max(tick + 1);
    }

    /// Record a change before a tick, after those already made before it. Returns the worlds that are no longer kept.
    pub(super) fn changed(&mut self, tick: u64, change: Change) -> Vec<Arc<World>> {
        let changes = self.changes.entry(tick).or_default();
        // While nothing plays, a drag by hand consists of as many changes as pointer moves.
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

    /// Start the recording later, at a kept snapshot in which the oldest migration is made, if there is one.
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

    /// Drop the results from a tick on. The changes before it stay, and so does the input, to be repeated. Returns the
    /// worlds that are no longer kept.
    pub(super) fn truncate(&mut self, tick: u64) -> Vec<Arc<World>> {
        self.end = self.end.min(tick);
        self.changes.split_off(&(tick + 1));
        self.cues.retain(|(at, _)| *at <= tick);
        self.kept.split_off(&(tick + 1)).into_values().map(|kept| kept.world).collect()
    }

    /// Drop the recorded input from a tick on, because other keys are held.
    pub(super) fn truncate_keys(&mut self, tick: u64) {
        self.inputs.truncate(usize::try_from(tick).unwrap_or(usize::MAX));
    }

    /// Keep a world as a snapshot before its tick, with the changes made then, unless another is near. Snapshots take
    /// at most `max_bytes`. Returns the worlds that are no longer kept.
    pub(super) fn keep(&mut self, world: &Arc<World>, max_bytes: usize) -> Vec<Arc<World>> {
        let (tick, n_made) = (world.tick(), self.changes_at(world.tick()).len());
        // Repeating changes takes time as well.
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

    /// Drop snapshots that are closer together than their age demands. The first and the last stay.
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
