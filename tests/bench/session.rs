//! What the running preview costs with 2 000 goblins of the sample game: compiling its world and migrating an edit into
//! it, beside what the window's thread pays for either; and of a frame the copy of the world that a batch makes,
//! dropping the one shown before, and the tick itself, also while what it spends its time on is measured.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]
#![allow(clippy::cast_precision_loss, reason = "benches make up small numbers")]

use std::{path::Path, sync::Arc};

use divan::{Bencher, black_box};
use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply},
    editor::{Cameras, Played, PreviewHost},
    io,
    model::{Builtin, DocPath, Document, Instance, Layer, LayerContent, Project, ValueSet},
    sim::{
        Input, Options, Session, World,
        insight::profile::{Clock, Profile, Profiler, Span},
    },
};

const N_GOBLINS: usize = 2_000;

fn main() {
    divan::main();
}

fn resolved(project: &Project, before: Option<&Resolution>) -> Arc<Resolution> {
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    Arc::new(resolve(project, &builtin, before))
}

/// The courtyard with goblins all over it.
fn crowded() -> (Project, Arc<Resolution>) {
    crowded_by(N_GOBLINS)
}

/// The courtyard with so many goblins all over it.
fn crowded_by(n_goblins: usize) -> (Project, Arc<Resolution>) {
    let mut project = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")).project;
    let path = DocPath::new("levels/courtyard.ron").unwrap();
    let Document::Level(level) = Arc::make_mut(project.documents.get_mut(&path).unwrap()) else { unreachable!() };
    let [width, height] = level.size.unwrap().map(|cells| f64::from(cells) * 16.0);
    let n_columns = 100;
    let goblins = (0..n_goblins).map(|i| {
        let (x, y) = ((i % n_columns) as f64, (i / n_columns) as f64);
        let at = [(x + 0.5) * width / n_columns as f64, (y + 0.5) * height * n_columns as f64 / n_goblins as f64];
        (format!("bench{i}").into(), Arc::new(Instance::new("goblin".into(), at)))
    });
    level.layers.push(Arc::new(Layer::new("bench".into(), LayerContent::Entities(goblins.collect()))));
    let resolution = resolved(&project, None);
    (project, resolution)
}

/// The same after every goblin was given another speed.
fn edited((project, resolution): &(Project, Arc<Resolution>)) -> (Project, Arc<Resolution>) {
    let mut project = project.clone();
    let owner = Owner::Def { doc: DocPath::new("entities/goblins.ron").unwrap(), name: "goblin".into() };
    apply(&mut project, &Edit::set(owner, "Walker", "speed", 33.0.into())).unwrap();
    let resolution = resolved(&project, Some(resolution));
    (project, resolution)
}

/// Its world after a second.
fn world() -> World {
    world_of(&crowded())
}

fn world_of((project, resolution): &(Project, Arc<Resolution>)) -> World {
    let mut world = World::compile(project, resolution, "courtyard", Options::default()).unwrap();
    for _ in 0..64 {
        world.step(&Input::NONE);
        drop(world.drain_events());
    }
    assert_eq!(world.overload(), None);
    world
}

/// In the preview's thread, when it starts.
#[divan::bench]
fn compile(bencher: Bencher<'_, '_>) {
    let (project, resolution) = crowded();
    bencher.bench_local(|| {
        World::compile(black_box(&project), black_box(&resolution), "courtyard", Options::default()).unwrap()
    });
}

/// In the preview's thread, when what every goblin inherits was edited.
#[divan::bench]
fn migrate(bencher: Bencher<'_, '_>) {
    let before = crowded();
    let world = world_of(&before);
    let (project, resolution) = edited(&before);
    let migrate = |world: &mut World| world.migrate(black_box(&project), black_box(&resolution)).unwrap();
    bencher.with_inputs(|| world.clone()).bench_local_refs(migrate);
}

/// A host whose world is compiled, with all that it was started with.
fn started((project, resolution): &(Project, Arc<Resolution>)) -> PreviewHost {
    let (mut host, mut cameras) = (PreviewHost::default(), Cameras::new());
    let (waking, woken) = std::sync::mpsc::channel();
    let wake = Arc::new(move || {
        let _ = waking.send(());
    });
    let level = DocPath::new("levels/courtyard.ron").unwrap();
    let played = Played { project, resolution, tried: &ValueSet::new() };
    host.start(level, played, (false, None), (&mut cameras, wake)).unwrap();
    woken.recv().unwrap();
    host.advance(0.0, &Input::NONE, &mut cameras, false);
    assert!(host.preview().is_some());
    host
}

/// What the window's thread does of starting: it starts the thread that compiles. Ending it afterwards is not measured.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn start_from_the_window(bencher: Bencher<'_, '_>) {
    let of = crowded();
    let level = DocPath::new("levels/courtyard.ron").unwrap();
    let tried = ValueSet::new();
    bencher.with_inputs(|| (PreviewHost::default(), Cameras::new())).bench_local_values(|(mut host, mut cameras)| {
        let played = Played { project: &of.0, resolution: &of.1, tried: &tried };
        host.start(level.clone(), played, (true, None), (&mut cameras, Arc::new(|| ()))).unwrap();
        host
    });
}

/// What the window's thread does when what every goblin inherits was edited: it queues the migration.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn bring_up_from_the_window(bencher: Bencher<'_, '_>) {
    let of = crowded();
    let (project, resolution) = edited(&of);
    let tried = ValueSet::new();
    bencher.with_inputs(|| started(&of)).bench_local_values(|mut host| {
        host.bring_up(Played { project: black_box(&project), resolution: &resolution, tried: &tried });
        host
    });
}

#[divan::bench]
fn tick(bencher: Bencher<'_, '_>) {
    let mut world = world();
    bencher.bench_local(|| {
        black_box(&mut world).step(&Input::NONE);
        drop(world.drain_events());
    });
}

fn clock() -> Clock {
    let start = std::time::Instant::now();
    Arc::new(move || start.elapsed())
}

/// The same while only how long it takes is measured, and while what on; both are kept as the window keeps them.
#[divan::bench(args = [false, true])]
fn measured_tick(bencher: Bencher<'_, '_>, is_detailed: bool) {
    let (mut world, mut profile) = (world(), Profile::default());
    let mut profiler = Profiler::new(clock(), is_detailed);
    bencher.bench_local(|| {
        profile.add(black_box(&mut world).step_measured(&Input::NONE, &mut profiler));
        drop(world.drain_events());
    });
}

/// The rows of both tables of the Profiler pane.
#[divan::bench]
fn tables_of_the_profiler(bencher: Bencher<'_, '_>) {
    let (mut world, mut profile) = (world(), Profile::default());
    let mut profiler = Profiler::new(clock(), true);
    for _ in 0..64 {
        profile.add(world.step_measured(&Input::NONE, &mut profiler));
    }
    bencher.bench_local(|| (black_box(&profile).systems(Span::Recent), black_box(&profile).kinds(Span::Recent)));
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

/// Bodies in what is gone back in.
const N_RECORDED: usize = 200;

fn small_world() -> World {
    let (project, resolution) = crowded_by(N_RECORDED);
    World::compile(&project, &resolution, "courtyard", Options::default()).unwrap()
}

/// A session that played so many ticks, one a frame.
fn recorded(n_ticks: u64) -> Session {
    let mut session = Session::new(small_world());
    while session.world().tick() < n_ticks {
        session.pass(1.0 / 64.0, &Input::NONE);
        let batch = session.begin().unwrap();
        session.take(batch.run().unwrap());
    }
    session
}

/// A snapshot of 200 bodies: what keeping a moment costs.
#[divan::bench]
fn snapshot_of_200(bencher: Bencher<'_, '_>) {
    let session = recorded(64);
    bencher.bench_local(|| black_box(session.world()).clone());
}

/// Going back 10 s in a recording of 30 s with 200 bodies, in the preview's thread; the moment is not one that is kept.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn seek_10_s_back(bencher: Bencher<'_, '_>) {
    let session = std::cell::RefCell::new(recorded(64 * 30));
    let seek = |to: u64| {
        let mut session = session.borrow_mut();
        session.seek(to);
        // It may be there already.
        if let Some(batch) = session.begin() {
            session.take(batch.run().unwrap());
        }
    };
    let offset = std::cell::Cell::new(0);
    bencher
        .with_inputs(|| {
            // Others each time, so that all distances to a kept world are measured.
            offset.set((offset.get() + 5) % 32);
            seek(64 * 30);
            64 * 20 - offset.get()
        })
        .bench_local_values(seek);
}

/// The baseline of `seek_10_s_back`: from the start.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_the_start(bencher: Bencher<'_, '_>) {
    let start = small_world();
    bencher.bench_local(|| {
        let mut world = start.clone();
        for _ in 0..64 * 20 {
            world.step(&Input::NONE);
            drop(world.drain_events());
        }
        world
    });
}
