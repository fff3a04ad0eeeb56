//! Entities found by place, compared with looking at all.

use std::{cell::Cell, sync::Arc};

use levelwright::model::{Instance, Layer, LayerContent, Name, Nearby, PxBox};
use proptest::prelude::*;

use crate::cases::cases;

fn layer(places: &[[f64; 2]]) -> Arc<Layer> {
    let entities = places
        .iter()
        .enumerate()
        .map(|(i, at)| (Name::from(format!("e{i}")), Arc::new(Instance::new("thing".into(), *at))));
    Arc::new(Layer::new("actors".into(), LayerContent::Entities(entities.collect())))
}

/// Most are small, those at the left edge very large.
fn box_of(it: &Instance) -> PxBox {
    let half = if it.at[0] < -3000.0 { 20_000.0 } else { 12.0 };
    [it.at.map(|at| at - half), it.at.map(|at| at + half)]
}

fn touching(layer: &Layer, [lo, hi]: PxBox) -> Vec<usize> {
    let is_in = |it: &Instance| {
        let [from, to] = box_of(it);
        (0..2).all(|i| to[i] >= lo[i] && from[i] <= hi[i])
    };
    layer.entities().unwrap().values().enumerate().filter(|(_, it)| is_in(it)).map(|(at, _)| at).collect()
}

fn place() -> impl Strategy<Value = [f64; 2]> {
    [-4000.0..4000.0_f64, -4000.0..4000.0_f64]
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn what_is_near_is_what_looking_at_all_finds(
        places in proptest::collection::vec(place(), 0..40),
        moves in proptest::collection::vec((any::<prop::sample::Index>(), place()), 0..6),
        a in place(),
        size in [0.0..3000.0_f64, 0.0..3000.0_f64],
    ) {
        let mut of = layer(&places);
        let area = [a, [a[0] + size[0], a[1] + size[1]]];
        let everywhere = [[-1e9; 2], [1e9; 2]];
        let mut near = Nearby::new(&of, |_, it| box_of(it));
        prop_assert_eq!(near.within(area), touching(&of, area));
        for (which, at) in moves.iter().filter(|_| !places.is_empty()) {
            let LayerContent::Entities(all) = &mut Arc::make_mut(&mut of).content else { panic!() };
            let (_, it) = all.get_index_mut(which.index(places.len())).unwrap();
            Arc::make_mut(it).at = *at;
            let n_placed = Cell::new(0);
            near.update(&of, |_, it| {
                n_placed.set(n_placed.get() + 1);
                box_of(it)
            });
            prop_assert_eq!(n_placed.get(), 1, "only what moved is placed anew");
            prop_assert_eq!(near.within(area), touching(&of, area));
            prop_assert_eq!(near.within(everywhere).len(), places.len());
        }
        let more = layer(&[&places[..], &[[5.0, 5.0]]].concat());
        near.update(&more, |_, it| box_of(it));
        prop_assert_eq!(near.within(area), touching(&more, area));
    }
}
