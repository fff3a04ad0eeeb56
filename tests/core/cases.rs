//! Where every random test gets its seed and its number of cases, so that a plain `cargo test` gives the same answer
//! every time. `LEVELWRIGHT_SEED` (a number, or `fresh`) explores other cases, `LEVELWRIGHT_ALL_RUNS=1` runs twenty
//! times as many, and all of each table. A failure prints the command that repeats it. No other file configures
//! proptest: `architecture.rs` checks that.

use std::{
    any::Any,
    env,
    fmt::Debug,
    panic::Location,
    path::Path,
    sync::OnceLock,
    time::{SystemTime, UNIX_EPOCH},
};

use proptest::test_runner::{Config, FailurePersistence, PersistedSeed, RngSeed, TestRunner};

/// The seed of a plain run.
const PLAIN_SEED: u32 = 0;
/// How many times more cases `LEVELWRIGHT_ALL_RUNS=1` runs.
const ALL_RUNS: u32 = 20;
/// Variables of proptest that would change the cases behind the back of this file.
const REFUSED: [&str; 4] =
    ["PROPTEST_CASES", "PROPTEST_RNG_SEED", "PROPTEST_RNG_ALGORITHM", "PROPTEST_MAX_DEFAULT_SIZE_RANGE"];

/// The configuration of a property test with `n` cases in a plain run.
pub(crate) fn cases(n: u32) -> Config {
    for name in REFUSED {
        assert!(
            env::var_os(name).is_none(),
            "unset {name}: seeds and numbers of cases are set by LEVELWRIGHT_SEED and LEVELWRIGHT_ALL_RUNS (see README.md)"
        );
    }
    let plain = Config::default();
    Config {
        cases: n_cases(n),
        max_global_rejects: plain.max_global_rejects * factor(),
        rng_seed: RngSeed::Fixed(seed().into()),
        failure_persistence: Some(Box::new(PrintCommand)),
        ..plain
    }
}

/// The source of random values for a test that draws them itself.
pub(crate) fn runner() -> TestRunner {
    TestRunner::new(cases(1))
}

/// How often a test repeats something that it does `n` times in a plain run.
pub(crate) fn n_cases(n: u32) -> u32 {
    n * factor()
}

/// Of a table of cases, one in `n` in a plain run, which of them by the seed, and all with `LEVELWRIGHT_ALL_RUNS=1`.
/// What varies fastest in the table should have a number of values that shares no factor with `n`.
#[allow(dead_code, reason = "the tests in `fuzz`, which share this file, have no tables")]
pub(crate) fn one_in<T>(n: usize, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let n = if factor() == 1 { n } else { 1 };
    all.into_iter().skip(seed() as usize % n).step_by(n)
}

/// A seed for each of the `n` cases of a random test that does without proptest. Each holds a [`Case`] while it runs.
pub(crate) fn seeds(n: u32) -> std::ops::Range<u64> {
    let first = u64::from(seed());
    first..first + u64::from(n_cases(n))
}

/// Prints how to repeat the case of this seed if the test panics while this value is alive.
pub(crate) struct Case {
    seed: u64,
    file: &'static str,
}

impl Case {
    #[track_caller]
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, file: Location::caller().file() }
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", command(self.seed, Some(self.file)));
        }
    }
}

fn factor() -> u32 {
    if env::var_os("LEVELWRIGHT_ALL_RUNS").is_some_and(|value| value == "1") { ALL_RUNS } else { 1 }
}

/// The seed of this process; `fresh` is drawn once, so that one number repeats the whole run.
fn seed() -> u32 {
    static SEED: OnceLock<u32> = OnceLock::new();
    *SEED.get_or_init(|| match env::var("LEVELWRIGHT_SEED").as_deref() {
        Err(_) => PLAIN_SEED,
        Ok("fresh") => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            levelwright::model::mix(now.as_nanos() as u64 ^ u64::from(std::process::id())) as u32
        }
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("LEVELWRIGHT_SEED={text}: expected a number from 0 to {} or `fresh`", u32::MAX)),
    })
}

/// The line that repeats a failure. A test runs in a thread of its name, except in the main thread of
/// `--test-threads=1` and in threads that it starts itself; there the file stands for the test.
fn command(seed: u64, file: Option<&str>) -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| name.contains("::"));
    let module = || file.and_then(|file| Path::new(file).file_stem()?.to_str()).unwrap_or_default();
    let all_runs = if factor() == 1 { "" } else { "LEVELWRIGHT_ALL_RUNS=1 " };
    format!(
        "seed {seed}; repeat with\n    LEVELWRIGHT_SEED={seed} {all_runs}cargo test --test {} {}",
        env!("CARGO_CRATE_NAME"),
        test.map_or_else(|| format!("{}::", module()), |test| format!("{test} -- --exact"))
    )
}

/// Keeps nothing: proptest calls it when it has found and shrunk a failing case, and it prints how to find it again.
#[derive(Debug, Clone, PartialEq)]
struct PrintCommand;

impl FailurePersistence for PrintCommand {
    fn load_persisted_failures2(&self, _: Option<&'static str>) -> Vec<PersistedSeed> {
        Vec::new()
    }

    fn save_persisted_failure2(&mut self, file: Option<&'static str>, _: PersistedSeed, _: &dyn Debug) {
        eprintln!("{}", command(seed().into(), file));
    }

    fn box_clone(&self) -> Box<dyn FailurePersistence> {
        Box::new(self.clone())
    }

    fn eq(&self, other: &dyn FailurePersistence) -> bool {
        other.as_any().is::<Self>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[test]
fn a_run_has_one_seed_and_a_failure_names_it() {
    assert_eq!(runner().config().rng_seed, RngSeed::Fixed(seeds(1).start));
    assert_eq!(seeds(5).count() as u32, cases(5).cases);
    let line = command(7, Some("tests/core/cases.rs"));
    assert!(line.contains("LEVELWRIGHT_SEED=7 ") && line.contains(" cases::"), "{line}");
}
