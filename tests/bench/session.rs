//! What a frame of the running preview costs with 2 000 goblins of the sample game: the copy of the world that a batch makes,
//! dropping the one shown before, and the tick itself.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]
#![allow(clippy::cast_precision_loss, reason = "benches make up small numbers")]

use std::{path::Path, sync::Arc};

use divan::{Bencher, black_box};
use levelwright::{
    defs::resolve,
    io,
    model::{Builtin, DocPath, Document, Instance, Layer, LayerContent},
    sim::{Input, Options, Session, World},
};

const N_GOBLINS: usize = 2_000;

fn main() {
    divan::main();
}

/// The courtyard with goblins all over it, after a second.
fn world() -> World {
    let mut project = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")).project;
    let path = DocPath::new("levels/courtyard.ron").unwrap();
    let Document::Level(level) = Arc::make_mut(project.documents.get_mut(&path).unwrap()) else { unreachable!() };
    let [width, height] = level.size.unwrap().map(|cells| f64::from(cells) * 16.0);
    let n_columns = 100;
    let goblins = (0..N_GOBLINS).map(|i| {
        let (x, y) = ((i % n_columns) as f64, (i / n_columns) as f64);
        let at = [(x + 0.5) * width / n_columns as f64, (y + 0.5) * height * n_columns as f64 / N_GOBLINS as f64];
        (format!("bench{i}").into(), Arc::new(Instance::new("goblin".into(), at)))
    });
    level.layers.push(Arc::new(Layer::new("bench".into(), LayerContent::Entities(goblins.collect()))));
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let resolution = resolve(&project, &builtin, None);
    let mut world = World::compile(&project, &resolution, "courtyard", Options::default()).unwrap();
    for _ in 0..64 {
        world.step(&Input::NONE);
        drop(world.drain_events());
    }
    assert_eq!(world.overload(), None);
    world
}

#[divan::bench]
fn tick(bencher: Bencher<'_, '_>) {
    let mut world = world();
    bencher.bench_local(|| {
        black_box(&mut world).step(&Input::NONE);
        drop(world.drain_events());
    });
}

#[divan::bench]
fn copy_of_the_world(bencher: Bencher<'_, '_>) {
    let world = world();
    // The copy is dropped outside of what is measured.
    bencher.bench_local(|| black_box(&world).clone());
}

#[divan::bench]
fn dropping_a_world(bencher: Bencher<'_, '_>) {
    let world = world();
    bencher.with_inputs(|| world.clone()).bench_local_values(drop);
}

/// What the window's thread does of a frame: begin a batch, take its result.
#[divan::bench]
fn frame_of_the_window(bencher: Bencher<'_, '_>) {
    let session = std::cell::RefCell::new(Session::new(world()));
    bencher
        .with_inputs(|| {
            let mut session = session.borrow_mut();
            session.pass(1.0 / 64.0, &Input::NONE);
            session.begin().unwrap().run().unwrap()
        })
        .bench_local_values(|ran| session.borrow_mut().take(ran));
}
