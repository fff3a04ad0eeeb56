//! How much memory a recording takes: `max alloc` is the most that was held at once, by an allocator that counts. The
//! estimate that bounds the recording is printed beside it.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use std::path::Path;

use divan::{AllocProfiler, Bencher};
use levelwright::{
    defs::resolve,
    io,
    model::Builtin,
    sim::{Input, Options, Session, World},
};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

const SECS: u64 = 5 * 60;

fn main() {
    divan::main();
}

/// Five minutes of a level of the sample game, played and recorded a tick a frame.
#[divan::bench(args = ["courtyard", "mill"], sample_count = 1, sample_size = 1)]
fn five_minutes(bencher: Bencher<'_, '_>, level: &str) {
    let project = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")).project;
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let resolution = resolve(&project, &builtin, None);
    bencher.bench_local(|| {
        let mut session = Session::new(World::compile(&project, &resolution, level, Options::default()).unwrap());
        let step = session.world().timestep_secs();
        while session.world().time_secs() < SECS as f64 {
            session.pass(step, &Input::NONE);
            let ran = session.begin().unwrap().run().unwrap();
            session.take(ran);
        }
        eprintln!("{level}: estimated {:.1} MB, {} ticks", session.recording_bytes() as f64 / 1e6, session.tick());
        session
    });
}
