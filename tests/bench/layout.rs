//! What laying out a state machine costs: `cargo bench --bench layout`. Two transitions a state, to states anywhere;
//! the goal is 150 states within 50 ms.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use divan::{Bencher, black_box};
use levelwright::{
    model::{Machine, Name, State, Transition, Trigger, mix},
    ui::canvas::graph::Graph,
};

fn main() {
    divan::main();
}

/// A machine of `n` states, `inside` of them in each compound; without compounds for 0.
fn machine(n: usize, inside: usize) -> Machine {
    let compound = |i: usize| i.checked_div(inside).map(|k| format!("C{k}"));
    let path = |i: usize| compound(i).map_or_else(|| format!("S{i}"), |compound| format!("{compound}/S{i}"));
    let mut machine = Machine::default();
    for i in 0..n {
        let to =
            |k: usize| -> Name { path(usize::try_from(mix((2 * i + k) as u64) % n as u64).unwrap()).as_str().into() };
        let way = |k: usize| Transition { trigger: Trigger::After(1.5), guard: None, actions: Vec::new(), to: to(k) };
        let state = State { transitions: vec![way(0), way(1)], ..State::default() };
        let home = match compound(i) {
            None => &mut machine.root,
            Some(compound) => machine.root.states.entry(compound.as_str().into()).or_default(),
        };
        home.states.insert(format!("S{i}").as_str().into(), state);
    }
    machine
}

#[divan::bench(args = [12, 50, 150])]
fn states(bencher: Bencher<'_, '_>, n: usize) {
    let machine = machine(n, 0);
    bencher.bench_local(|| Graph::of(black_box(&machine)));
}

#[divan::bench]
fn states_300_nested_by_10(bencher: Bencher<'_, '_>) {
    let machine = machine(300, 10);
    bencher.bench_local(|| Graph::of(black_box(&machine)));
}
