//! Data kept from measured ticks: statistics of each system and definition, recent ticks, and time spent per cell of
//! the level.
//!
//! Invariant: a system or definition that is missing in a tick took no time in it; so the averages of all systems add
//! up to that of the tick.

use std::collections::{BTreeMap, VecDeque};

use super::{
    Figures, Share, Span, System, TickProfile,
    figures::{HALF_LIFE_SECS, fading},
};
use crate::{
    model::{Cell, Name},
    sim::insight::Heat,
};

/// The number of recent ticks that are kept.
const MOST_TICKS: usize = 640;
/// Least time of a cell that is kept, in nanoseconds.
const LEAST_NS: f64 = 1000.0;

/// Time spent in ticks. Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Statistics of whole ticks, including those measured only as a whole.
    tick: Figures,
    /// Number of ticks that were measured in detail.
    n_detailed: u64,
    /// Systems, parents before their children.
    systems: Vec<SystemKept>,
    kinds: BTreeMap<Name, KindKept>,
    /// Time that is charged to no entity.
    rest: Figures,
    ticks: VecDeque<TickProfile>,
    slowest: Option<(u64, u64)>,
    places: Heat,
}

#[derive(Clone, Debug, PartialEq)]
struct SystemKept {
    system: System,
    parent: Option<usize>,
    total: Figures,
    own: Figures,
    calls: Figures,
}

#[derive(Clone, Debug, PartialEq)]
struct KindKept {
    n: u32,
    total: Figures,
    by: [Figures; Share::ALL.len()],
}

/// A row of the table of systems. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemRow {
    /// The system.
    pub system: System,
    /// Number of systems that it is nested in.
    pub depth: usize,
    /// Time including nested systems: of the last tick, or of all.
    pub total_ns: f64,
    /// Time without nested systems.
    pub own_ns: f64,
    /// Average, minimum and maximum per tick, including nested systems.
    pub spread_ns: [f64; 3],
    /// Number of samples in the last tick, or in all.
    pub calls: f64,
}

/// A row of the table of definitions. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct KindRow {
    /// The definition; `None` for the time that is charged to no entity.
    pub def: Option<Name>,
    /// Number of its entities.
    pub n: u32,
    /// Time in the last tick, or in all.
    pub total_ns: f64,
    /// Average, minimum and maximum per tick.
    pub spread_ns: [f64; 3],
    /// The average divided by kind of work, in the order of [`Share::ALL`].
    pub by_ns: [f64; Share::ALL.len()],
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            tick: Figures::default(),
            n_detailed: 0,
            systems: Vec::new(),
            kinds: BTreeMap::new(),
            rest: Figures::default(),
            ticks: VecDeque::new(),
            slowest: None,
            places: Heat::new(HALF_LIFE_SECS, LEAST_NS),
        }
    }
}

impl Profile {
    /// Add the profile of a tick. If the world went back, the ticks after it are dropped; statistics stay.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
    pub fn add(&mut self, profile: TickProfile) {
        let dt = profile.dt_secs;
        while self.ticks.back().is_some_and(|last| last.tick >= profile.tick) {
            self.ticks.pop_back();
        }
        let total = profile.total_ns();
        self.tick.add(total as f64, dt);
        if self.slowest.is_none_or(|(_, slowest)| total > slowest) {
            self.slowest = Some((profile.tick, total));
        }
        if profile.is_detailed() {
            self.add_systems(&profile);
            self.add_kinds(&profile);
            for (cell, ns) in &profile.cells {
                self.places.add(*cell, *ns as f64, profile.secs);
            }
            self.n_detailed += 1;
        }
        if self.ticks.len() == MOST_TICKS {
            self.ticks.pop_front();
        }
        self.ticks.push_back(TickProfile { cells: Vec::new(), ..profile });
    }

    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
    fn add_systems(&mut self, profile: &TickProfile) {
        // For each system of the tick, the index of its row.
        let mut kept = Vec::with_capacity(profile.systems.len());
        let mut was_there = vec![false; self.systems.len()];
        for it in &profile.systems {
            let parent = it.parent.and_then(|parent| kept.get(parent).copied());
            let known = self.systems.iter().position(|known| known.system == it.system && known.parent == parent);
            let at = known.unwrap_or_else(|| {
                let [total, own, calls] = [(); 3].map(|()| Figures::after(self.n_detailed));
                self.systems.push(SystemKept { system: it.system, parent, total, own, calls });
                was_there.push(false);
                self.systems.len() - 1
            });
            kept.push(at);
            was_there[at] = true;
            self.systems[at].add(it.total_ns as f64, it.own_ns as f64, f64::from(it.calls), profile.dt_secs);
        }
        for (system, _) in self.systems.iter_mut().zip(was_there).filter(|(_, was_there)| !was_there) {
            system.add(0.0, 0.0, 0.0, profile.dt_secs);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
    fn add_kinds(&mut self, profile: &TickProfile) {
        let dt = profile.dt_secs;
        let n_before = self.n_detailed;
        for it in &profile.kinds {
            if !self.kinds.contains_key(&it.def) {
                let new = KindKept {
                    n: 0,
                    total: Figures::after(n_before),
                    by: [Figures::after(n_before); Share::ALL.len()],
                };
                self.kinds.insert(it.def.clone(), new);
            }
            let Some(kind) = self.kinds.get_mut(&it.def) else { continue };
            kind.n = it.n;
            kind.total.add(it.total_ns() as f64, dt);
            kind.by.iter_mut().zip(it.by).for_each(|(figures, ns)| figures.add(ns as f64, dt));
        }
        for kind in self.kinds.values_mut().filter(|kind| kind.total.n <= n_before) {
            kind.n = 0;
            kind.total.add(0.0, dt);
            kind.by.iter_mut().for_each(|figures| figures.add(0.0, dt));
        }
        let charged: u64 = profile.kinds.iter().map(super::KindCost::total_ns).sum();
        self.rest.add(profile.total_ns().saturating_sub(charged) as f64, dt);
    }

    /// Remove all data.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Statistics of whole ticks.
    #[must_use]
    pub fn tick(&self) -> &Figures {
        &self.tick
    }

    /// The number of ticks measured in detail.
    #[must_use]
    pub fn n_detailed(&self) -> u64 {
        self.n_detailed
    }

    /// The slowest tick, and its time in nanoseconds.
    #[must_use]
    pub fn slowest(&self) -> Option<(u64, u64)> {
        self.slowest
    }

    /// Recent ticks, oldest first, without their cells.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = &TickProfile> + ExactSizeIterator {
        self.ticks.iter()
    }

    /// Every system below its parent, in the order of [`System`].
    #[must_use]
    pub fn systems(&self, span: Span) -> Vec<SystemRow> {
        let mut rows = Vec::with_capacity(self.systems.len());
        self.add_rows(None, 0, span, &mut rows);
        rows
    }

    fn add_rows(&self, parent: Option<usize>, depth: usize, span: Span, rows: &mut Vec<SystemRow>) {
        let mut children: Vec<usize> =
            (0..self.systems.len()).filter(|at| self.systems[*at].parent == parent).collect();
        children.sort_by_key(|at| self.systems[*at].system);
        for at in children {
            let SystemKept { system, total, own, calls, .. } = &self.systems[at];
            rows.push(SystemRow {
                system: *system,
                depth,
                total_ns: total.total(span),
                own_ns: own.total(span),
                spread_ns: total.spread(span),
                calls: calls.total(span),
            });
            self.add_rows(Some(at), depth + 1, span, rows);
        }
    }

    /// Every definition by name, and at the end the time that is charged to no entity.
    #[must_use]
    pub fn kinds(&self, span: Span) -> Vec<KindRow> {
        let row = |def: Option<Name>, n: u32, total: &Figures, by: &[Figures; Share::ALL.len()]| KindRow {
            def,
            n,
            total_ns: total.total(span),
            spread_ns: total.spread(span),
            by_ns: by.map(|figures| figures.spread(span)[0]),
        };
        let mut rows: Vec<KindRow> =
            self.kinds.iter().map(|(def, kind)| row(Some(def.clone()), kind.n, &kind.total, &kind.by)).collect();
        if self.n_detailed > 0 {
            rows.push(row(None, 0, &self.rest, &[Figures::default(); Share::ALL.len()]));
        }
        rows
    }

    /// The cells of entities on which time was spent recently, in order, with the nanoseconds of an average tick, at a
    /// time in seconds of the world.
    pub fn cells(&self, now_secs: f64) -> impl Iterator<Item = (Cell, f64)> {
        let of_tick = self.ticks.back().map_or(0.0, |last| fading(last.dt_secs));
        self.places.cells(now_secs).map(move |(cell, ns)| (cell, ns * of_tick))
    }
}

impl SystemKept {
    fn add(&mut self, total: f64, own: f64, calls: f64, dt_secs: f64) {
        self.total.add(total, dt_secs);
        self.own.add(own, dt_secs);
        self.calls.add(calls, dt_secs);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{KindCost, SystemCost},
        *,
    };

    const DT: f64 = 1.0 / 64.0;

    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    fn tick(tick: u64, systems: &[(System, Option<usize>, u64, u64)], kinds: &[(&str, u32, [u64; 4])]) -> TickProfile {
        let systems = systems.iter().map(|(system, parent, total_ns, own_ns)| SystemCost {
            system: *system,
            parent: *parent,
            total_ns: *total_ns,
            own_ns: *own_ns,
            calls: 2,
        });
        let kinds = kinds.iter().map(|(def, n, by)| KindCost { def: (*def).into(), n: *n, by: *by });
        TickProfile {
            tick,
            secs: tick as f64 * DT,
            dt_secs: DT,
            systems: systems.collect(),
            kinds: kinds.collect(),
            cells: vec![([3, 4], 4000), ([5, 4], 8)],
        }
    }

    fn two_ticks() -> Profile {
        let mut profile = Profile::default();
        let first = [
            (System::Tick, None, 1000, 100),
            (System::Physics, Some(0), 300, 300),
            (System::Messages, Some(0), 600, 200),
            (System::Machines, Some(2), 400, 400),
        ];
        profile.add(tick(0, &first, &[("goblin", 3, [400, 0, 100, 0])]));
        let second = [
            (System::Tick, None, 3000, 300),
            (System::Messages, Some(0), 500, 500),
            (System::Updates, Some(0), 2200, 1000),
            (System::Machines, Some(2), 1200, 1200),
        ];
        profile.add(tick(1, &second, &[("coin", 1, [1200, 0, 0, 0])]));
        profile
    }

    #[test]
    fn systems_are_listed_within_what_they_are_in_and_what_did_not_run_took_nothing() {
        let profile = two_ticks();
        let rows = profile.systems(Span::Recent);
        let last: Vec<_> = rows.iter().map(|it| (it.system, it.depth, it.total_ns, it.own_ns, it.calls)).collect();
        let expected = [
            (System::Tick, 0, 3000.0, 300.0, 2.0),
            (System::Messages, 1, 500.0, 500.0, 2.0),
            (System::Machines, 2, 0.0, 0.0, 0.0),
            (System::Updates, 1, 2200.0, 1000.0, 2.0),
            (System::Machines, 2, 1200.0, 1200.0, 2.0),
            (System::Physics, 1, 0.0, 0.0, 0.0),
        ];
        assert_eq!(last, expected);
        let whole = profile.systems(Span::Whole);
        assert_eq!((whole[3].total_ns, whole[3].spread_ns), (2200.0, [1100.0, 0.0, 2200.0]), "it began in the second");
        for span in [Span::Recent, Span::Whole] {
            let rows = profile.systems(span);
            assert_eq!(rows.iter().map(|it| it.own_ns).sum::<f64>(), rows[0].total_ns, "{span:?}");
        }
    }

    #[test]
    fn definitions_and_what_no_entity_is_charged_with_add_up_to_the_tick() {
        let profile = two_ticks();
        let names: Vec<_> = profile.kinds(Span::Recent).into_iter().map(|it| (it.def, it.n, it.total_ns)).collect();
        let expected = [(Some("coin".into()), 1, 1200.0), (Some("goblin".into()), 0, 0.0), (None, 0, 1800.0)];
        assert_eq!(names, expected);
        let whole = profile.kinds(Span::Whole);
        assert_eq!((whole[1].total_ns, whole[1].by_ns), (500.0, [200.0, 0.0, 50.0, 0.0]));
        assert_eq!((whole[0].spread_ns, whole[0].by_ns), ([600.0, 0.0, 1200.0], [600.0, 0.0, 0.0, 0.0]));
        assert_eq!(whole.iter().map(|it| it.total_ns).sum::<f64>(), 4000.0);
        assert!(Profile::default().kinds(Span::Whole).is_empty());
    }

    #[test]
    fn the_ticks_of_late_are_kept_and_dropped_where_the_world_went_back() {
        let mut profile = two_ticks();
        assert_eq!((profile.slowest(), profile.n_detailed(), profile.tick().n), (Some((1, 3000)), 2, 2));
        for nr in 2..1000 {
            profile.add(tick(nr, &[(System::Tick, None, 500, 500)], &[]));
        }
        assert_eq!(
            (profile.ticks().len(), profile.ticks().next().unwrap().tick),
            (MOST_TICKS, 1000 - MOST_TICKS as u64)
        );
        assert_eq!(
            (profile.n_detailed(), profile.tick().n),
            (2, 1000),
            "of these, no more than the whole was measured"
        );
        profile.add(tick(900, &[(System::Tick, None, 500, 500)], &[]));
        assert_eq!(profile.ticks().next_back().unwrap().tick, 900);
        profile.clear();
        assert_eq!(profile, Profile::default());
    }

    #[test]
    fn a_cell_has_what_an_average_tick_spends_on_it() {
        let mut profile = Profile::default();
        for nr in 0..640 {
            profile.add(tick(nr, &[(System::Tick, None, 9000, 0), (System::Updates, Some(0), 9000, 9000)], &[]));
        }
        let cells: Vec<_> = profile.cells(639.0 * DT).collect();
        assert_eq!(cells.len(), 1, "what is next to nothing is left out: {cells:?}");
        assert!((cells[0].1 - 4000.0).abs() < 40.0, "{cells:?}");
    }
}
