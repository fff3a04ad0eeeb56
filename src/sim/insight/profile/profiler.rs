//! Measures one tick: nested samples, by a clock that is passed in.
//!
//! Invariant: a sample is open exactly while its closure runs, and its time is within its parent's; so the times of
//! systems without their children, and the parts of them that are charged to entities, add up to the root, to the
//! nanosecond.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use slotmap::SecondaryMap;

use super::{Share, System};
use crate::{
    model::{Cell, Name},
    sim::EntityKey,
};

/// A clock: time since any fixed moment. It must not go back.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Nanoseconds by kind of work, in the order of [`Share::ALL`].
pub(in crate::sim) type Shares = [u64; Share::ALL.len()];

/// Measures successive ticks.
pub struct Profiler {
    clock: Clock,
    is_detailed: bool,
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// Time charged to each entity.
    spent: SecondaryMap<EntityKey, Shares>,
}

/// All samples of a system within the same parent.
#[derive(Clone, Debug)]
struct Node {
    system: System,
    parent: Option<usize>,
    children: Vec<usize>,
    total_ns: u64,
    calls: u32,
}

/// A sample that has not ended.
struct Open {
    node: usize,
    began_ns: u64,
    key: Option<EntityKey>,
    /// Time charged to entities by samples within this one.
    charged_ns: u64,
    /// Systems among which its time is divided when it ends, by shares of the whole.
    parts: Vec<(System, f64)>,
}

/// Marks samples in the simulation. If it is off, a sample costs a comparison.
pub struct Meter<'p>(Option<&'p mut Profiler>);

/// The profile of a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickProfile {
    /// The tick that was measured.
    pub tick: u64,
    /// Time after the tick, in seconds of the world.
    pub secs: f64,
    /// Length of the tick, in seconds.
    pub dt_secs: f64,
    /// Time of each system within each parent: the tick itself first, parents before their children.
    pub systems: Vec<SystemCost>,
    /// Time of the entities of each definition, by name; empty if only whole ticks are measured.
    pub kinds: Vec<KindCost>,
    /// The cells of entities on which time was spent, with the nanoseconds, in order.
    pub cells: Vec<(Cell, u64)>,
}

/// The time of a system in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemCost {
    /// The system.
    pub system: System,
    /// The parent, by its index in the list.
    pub parent: Option<usize>,
    /// Time including children, in nanoseconds.
    pub total_ns: u64,
    /// Time without children, in nanoseconds.
    pub own_ns: u64,
    /// Number of samples.
    pub calls: u32,
}

/// The time of the entities of a definition in a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindCost {
    /// The definition.
    pub def: Name,
    /// Number of its entities.
    pub n: u32,
    /// Nanoseconds by kind of work, in the order of [`Share::ALL`].
    pub by: [u64; Share::ALL.len()],
}

impl Profiler {
    /// A profiler that uses this clock: for whole ticks, or in detail.
    #[must_use]
    pub fn new(clock: Clock, is_detailed: bool) -> Self {
        Self { clock, is_detailed, nodes: Vec::new(), open: Vec::new(), spent: SecondaryMap::new() }
    }

    /// Whether it measures in detail, not only whole ticks.
    pub(in crate::sim) fn is_detailed(&self) -> bool {
        self.is_detailed
    }

    /// The meter that marks samples.
    pub(in crate::sim) fn meter(&mut self) -> Meter<'_> {
        Meter(Some(self))
    }

    fn now_ns(&self) -> u64 {
        u64::try_from((self.clock)().as_nanos()).unwrap_or(u64::MAX)
    }

    /// The samples of a system within a parent.
    fn node(&mut self, parent: Option<usize>, system: System) -> usize {
        let siblings = parent.map_or(&[][..], |parent| &self.nodes[parent].children);
        let known = siblings.iter().copied().find(|at| self.nodes[*at].system == system);
        // There is only one root.
        let known = known.or_else(|| (parent.is_none() && !self.nodes.is_empty()).then_some(0));
        known.unwrap_or_else(|| {
            let at = self.nodes.len();
            self.nodes.push(Node { system, parent, children: Vec::new(), total_ns: 0, calls: 0 });
            if let Some(parent) = parent {
                self.nodes[parent].children.push(at);
            }
            at
        })
    }

    fn begin(&mut self, system: System, key: Option<EntityKey>) {
        let parent = self.open.last().map(|open| open.node);
        let node = self.node(parent, system);
        let began_ns = self.now_ns();
        self.open.push(Open { node, began_ns, key, charged_ns: 0, parts: Vec::new() });
    }

    fn end(&mut self) {
        let now = self.now_ns();
        let Some(open) = self.open.pop() else { return };
        let took = now.saturating_sub(open.began_ns);
        let node = &mut self.nodes[open.node];
        (node.total_ns, node.calls) = (node.total_ns + took, node.calls + 1);
        let share = node.system.share();
        for (system, part) in open.parts {
            let at = self.node(Some(open.node), system);
            let node = &mut self.nodes[at];
            node.calls += 1;
            #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of it")]
            let part = (took as f64 * part.clamp(0.0, 1.0)) as u64;
            node.total_ns += part;
        }
        let charged = if let Some(key) = open.key {
            let own = took.saturating_sub(open.charged_ns);
            if let Some(spent) = self.spent.entry(key) {
                spent.or_default()[share as usize] += own;
            }
            took
        } else {
            open.charged_ns
        };
        if let Some(parent) = self.open.last_mut() {
            parent.charged_ns += charged;
        }
    }

    /// The profile of a tick; the profiler is reset for the next. `loads` are the bodies among which the solver's time
    /// is divided, with weights; `all` are the entities with their definitions and cells; `gone` are the entities before
    /// the tick, of which those that were removed in it count.
    pub(in crate::sim) fn finish<'w>(
        &mut self,
        (tick, secs, dt_secs): (u64, f64, f64),
        loads: impl Iterator<Item = (EntityKey, u64)> + Clone,
        all: impl Iterator<Item = (EntityKey, &'w Name, Cell)>,
        gone: impl IntoIterator<Item = (EntityKey, Name, Cell)>,
    ) -> TickProfile {
        let nodes = std::mem::take(&mut self.nodes);
        let systems = nodes.iter().map(|node| {
            let inner: u64 = node.children.iter().map(|at| nodes[*at].total_ns).sum();
            let Node { system, parent, total_ns, calls, .. } = *node;
            SystemCost { system, parent, total_ns, own_ns: total_ns.saturating_sub(inner), calls }
        });
        let systems: Vec<SystemCost> = systems.collect();
        let solver_ns = systems.iter().filter(|it| it.system == System::Solver).map(|it| it.total_ns).sum::<u64>();
        let weight: u64 = loads.clone().map(|(_, weight)| weight).sum();
        for (key, of_body) in loads {
            let part = u128::from(solver_ns) * u128::from(of_body) / u128::from(weight.max(1));
            if let Some(spent) = self.spent.entry(key) {
                spent.or_default()[Share::Solver as usize] += u64::try_from(part).unwrap_or(u64::MAX);
            }
        }
        let mut spent = std::mem::take(&mut self.spent);
        let mut kinds: BTreeMap<Name, (u32, Shares)> = BTreeMap::new();
        let mut cells: BTreeMap<Cell, u64> = BTreeMap::new();
        let mut charge = |def: &Name, cell: Cell, n: u32, own: Shares| {
            let kind = match kinds.get_mut(def) {
                Some(kind) => kind,
                None => kinds.entry(def.clone()).or_default(),
            };
            kind.0 += n;
            kind.1.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            let sum: u64 = own.iter().sum();
            if sum > 0 {
                *cells.entry(cell).or_default() += sum;
            }
        };
        for (key, def, cell) in all {
            charge(def, cell, 1, spent.remove(key).unwrap_or_default());
        }
        for (key, def, cell) in gone {
            if let Some(own) = spent.remove(key) {
                charge(&def, cell, 0, own);
            }
        }
        let kinds = kinds.into_iter().map(|(def, (n, by))| KindCost { def, n, by }).collect();
        TickProfile { tick, secs, dt_secs, systems, kinds, cells: cells.into_iter().collect() }
    }
}

impl fmt::Debug for Profiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Profiler({} systems, detailed: {})", self.nodes.len(), self.is_detailed)
    }
}

impl Meter<'_> {
    /// A meter that measures nothing.
    pub(in crate::sim) fn off() -> Self {
        Meter(None)
    }

    /// Whether anything is measured.
    pub(in crate::sim) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Run a closure and measure its time, as a part of the open sample.
    pub(in crate::sim) fn sample<T>(&mut self, system: System, act: impl FnOnce(&mut Self) -> T) -> T {
        self.measure(system, None, act)
    }

    /// The same, with the time charged to an entity. Time charged within it to another entity, or to the same one, is
    /// not charged again.
    pub(in crate::sim) fn sample_of<T>(
        &mut self,
        system: System,
        key: EntityKey,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.measure(system, Some(key), act)
    }

    /// Divide the time of the open sample when it ends: each part gets its share of the whole. The shares add up to at
    /// most 1.
    pub(in crate::sim) fn divide(&mut self, parts: impl IntoIterator<Item = (System, f64)>) {
        if let Some(open) = self.0.as_mut().and_then(|profiler| profiler.open.last_mut()) {
            open.parts.extend(parts);
        }
    }

    fn measure<T>(&mut self, system: System, key: Option<EntityKey>, act: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(profiler) = &mut self.0 {
            profiler.begin(system, key);
        }
        let done = act(self);
        if let Some(profiler) = &mut self.0 {
            profiler.end();
        }
        done
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meter(on: {})", self.is_on())
    }
}

impl TickProfile {
    /// The time of the whole tick, in nanoseconds.
    #[must_use]
    pub fn total_ns(&self) -> u64 {
        self.systems.first().map_or(0, |tick| tick.total_ns)
    }

    /// Whether the tick was measured in detail.
    #[must_use]
    pub fn is_detailed(&self) -> bool {
        self.systems.len() > 1
    }
}

impl KindCost {
    /// Total time, in nanoseconds.
    #[must_use]
    pub fn total_ns(&self) -> u64 {
        self.by.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use slotmap::SlotMap;

    use super::*;
    use crate::model::mix;

    /// A clock that a test advances, and the function that advances it.
    fn clock() -> (Clock, impl Fn(u64)) {
        let now = Arc::new(AtomicU64::new(0));
        let shown = now.clone();
        (Arc::new(move || Duration::from_nanos(shown.load(Ordering::Relaxed))), move |ns| {
            now.fetch_add(ns, Ordering::Relaxed);
        })
    }

    fn keys<const N: usize>() -> [EntityKey; N] {
        let mut map = SlotMap::<EntityKey, ()>::with_key();
        std::array::from_fn(|_| map.insert(()))
    }

    fn finish(profiler: &mut Profiler, entities: &[(EntityKey, Name, Cell)]) -> TickProfile {
        let all = entities.iter().map(|(key, def, cell)| (*key, def, *cell));
        profiler.finish((7, 0.1, 0.01), std::iter::empty(), all, [])
    }

    fn rows(profile: &TickProfile) -> Vec<(System, Option<usize>, u64, u64, u32)> {
        profile.systems.iter().map(|it| (it.system, it.parent, it.total_ns, it.own_ns, it.calls)).collect()
    }

    #[test]
    fn a_childs_time_is_charged_to_its_parent_and_its_own_is_what_is_left() {
        let (clock, wait) = clock();
        let mut profiler = Profiler::new(clock, true);
        profiler.meter().sample(System::Tick, |meter| {
            wait(1);
            meter.sample(System::Messages, |meter| {
                wait(10);
                meter.sample(System::Machines, |_| wait(100));
                meter.sample(System::Machines, |_| wait(100));
            });
            meter.sample(System::Updates, |meter| meter.sample(System::Machines, |_| wait(1000)));
            meter.sample(System::Messages, |_| wait(20));
            wait(2);
        });
        let profile = finish(&mut profiler, &[]);
        let expected = [
            (System::Tick, None, 1233, 3, 1),
            (System::Messages, Some(0), 230, 30, 2),
            (System::Machines, Some(1), 200, 200, 2),
            (System::Updates, Some(0), 1000, 0, 1),
            (System::Machines, Some(3), 1000, 1000, 1),
        ];
        assert_eq!(rows(&profile), expected);
        assert_eq!((profile.tick, profile.total_ns(), profile.is_detailed()), (7, 1233, true));
        profiler.meter().sample(System::Tick, |_| wait(5));
        assert_eq!(rows(&finish(&mut profiler, &[])), [(System::Tick, None, 5, 5, 1)], "each tick begins anew");
    }

    #[test]
    fn entities_are_charged_once_however_samples_nest() {
        let (clock, wait) = clock();
        let [a, b, gone] = keys();
        let mut profiler = Profiler::new(clock, true);
        profiler.meter().sample(System::Tick, |meter| {
            meter.sample_of(System::Machines, a, |meter| {
                wait(10);
                meter.sample(System::Tracks, |meter| meter.sample_of(System::Machines, b, |_| wait(100)));
                meter.sample_of(System::Machines, a, |_| wait(1));
            });
            meter.sample_of(System::Steering, a, |meter| meter.sample(System::Avoidance, |_| wait(1000)));
            meter.sample_of(System::Controllers, gone, |_| wait(10_000));
        });
        let (goblin, stone): (Name, Name) = ("goblin".into(), "stone".into());
        let entities = [(a, goblin.clone(), [1, 1]), (b, goblin.clone(), [2, 1])];
        let all = entities.iter().map(|(key, def, cell)| (*key, def, *cell));
        let before = [(gone, stone.clone(), [5, 5]), (a, goblin.clone(), [0, 0])];
        let profile = profiler.finish((0, 0.0, 0.01), std::iter::empty(), all, before);
        let kinds: Vec<_> = profile.kinds.iter().map(|it| (&*it.def, it.n, it.by)).collect();
        assert_eq!(kinds, [("goblin", 2, [111, 1000, 0, 0]), ("stone", 0, [0, 0, 10_000, 0])]);
        assert_eq!(profile.cells, [([1, 1], 1011), ([2, 1], 100), ([5, 5], 10_000)]);
        assert_eq!(profile.kinds.iter().map(KindCost::total_ns).sum::<u64>(), profile.total_ns());
    }

    #[test]
    fn the_solvers_time_is_divided_among_its_parts_and_the_bodies_it_moves() {
        let (clock, wait) = clock();
        let [a, b] = keys();
        let mut profiler = Profiler::new(clock, true);
        profiler.meter().sample(System::Tick, |meter| {
            meter.sample(System::Solver, |meter| {
                wait(1000);
                meter.divide([(System::BroadPhase, 0.25), (System::Constraints, 0.5), (System::Islands, f64::NAN)]);
            });
        });
        let (crate_, ball): (Name, Name) = ("crate".into(), "ball".into());
        let all = [(a, &crate_, [0, 0]), (b, &ball, [0, 0])];
        let loads = [(a, 3), (b, 1)];
        let profile = profiler.finish((0, 0.0, 0.01), loads.into_iter(), all.into_iter(), []);
        let expected = [
            (System::Tick, None, 1000, 0, 1),
            (System::Solver, Some(0), 1000, 250, 1),
            (System::BroadPhase, Some(1), 250, 250, 1),
            (System::Constraints, Some(1), 500, 500, 1),
            (System::Islands, Some(1), 0, 0, 1),
        ];
        assert_eq!(rows(&profile), expected);
        let by: Vec<_> = profile.kinds.iter().map(|it| (&*it.def, it.by[Share::Solver as usize])).collect();
        assert_eq!(by, [("ball", 250), ("crate", 750)]);
    }

    #[test]
    fn a_meter_that_is_off_does_what_it_is_given_and_measures_nothing() {
        let mut meter = Meter::off();
        meter.divide([(System::BroadPhase, 1.0)]);
        assert!(!meter.sample(System::Tick, |meter| meter.sample(System::Messages, |meter| meter.is_on())));
    }

    /// Nested samples at random, with a clock that advances at random.
    fn nest(meter: &mut Meter<'_>, seed: &mut u64, depth: u32, wait: &impl Fn(u64), keys: &[EntityKey]) {
        let mut draw = |n: u64| {
            *seed = mix(*seed);
            *seed % n
        };
        let systems = [System::Messages, System::Machines, System::Steering, System::Physics, System::Controllers];
        for _ in 0..draw(5) {
            let system = systems[usize::try_from(draw(5)).unwrap()];
            let key = keys[usize::try_from(draw(keys.len() as u64)).unwrap()];
            let (is_of_entity, time) = (draw(2) == 0, draw(1000));
            let mut inner = draw(u64::MAX);
            let within = |meter: &mut Meter<'_>| {
                wait(time);
                if depth > 0 {
                    nest(meter, &mut inner, depth - 1, wait, keys);
                }
            };
            if is_of_entity {
                meter.sample_of(system, key, within);
            } else {
                meter.sample(system, within);
            }
        }
        wait(draw(100));
    }

    #[test]
    fn what_systems_spent_themselves_adds_up_to_the_tick_however_they_nest() {
        let keys: [EntityKey; 4] = keys();
        let mut is_deep = false;
        for case in 0..200 {
            let (clock, wait) = clock();
            let mut profiler = Profiler::new(clock.clone(), true);
            let began = clock();
            let mut seed = mix(case);
            profiler.meter().sample(System::Tick, |meter| nest(meter, &mut seed, 5, &wait, &keys));
            let whole = u64::try_from(clock().checked_sub(began).unwrap().as_nanos()).unwrap();
            let entities = keys.map(|key| (key, Name::from("all"), [0, 0]));
            let profile = finish(&mut profiler, &entities);
            is_deep |= profile.systems.len() > 20;
            assert_eq!(profile.total_ns(), whole);
            assert_eq!(profile.systems.iter().map(|it| it.own_ns).sum::<u64>(), whole, "case {case}");
            for (at, it) in profile.systems.iter().enumerate() {
                assert!(it.parent.is_none_or(|parent| parent < at), "parents come before their children");
                let inner: u64 = profile.systems.iter().filter(|c| c.parent == Some(at)).map(|c| c.total_ns).sum();
                assert_eq!(it.own_ns + inner, it.total_ns);
            }
            assert!(profile.kinds[0].total_ns() <= whole, "no entity is charged twice");
        }
        assert!(is_deep);
    }
}
