//! Runs one case: catches its panic, names the case that hangs, measures the memory it takes, and keeps its files when
//! it fails.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use super::{
    cases::{Case, seeds},
    corpus::{self, Dice, Files},
};

/// A case that has computed for longer than this hangs. It is the time of the processor, so other programs do not
/// count; the slowest case takes less than a second.
const MAX_CPU: Duration = Duration::from_mins(1);

/// Failures are reported until there are so many.
const MAX_FAILED: usize = 12;

/// Run `n` cases of a test. Each makes its files and what is to be done with them; the latter is what is guarded.
///
/// Memory allocated at one time may be `memory.0` times the size of the files and `memory.1` bytes more.
#[track_caller]
pub(crate) fn run<R: FnOnce()>(
    test: &'static str,
    n: u32,
    memory: (u64, u64),
    mut case: impl FnMut(&mut Dice) -> (Files, R),
) {
    let watchdog = Watchdog::start(test);
    let mut failed = 0;
    for seed in seeds(n) {
        let (files, check) = case(&mut Dice::new(test, seed));
        let n_bytes: usize = files.values().map(Vec::len).sum();
        watchdog.begin(seed, &files);
        let mut outcome = Ok(());
        let taken = allocation_counter::measure(|| outcome = catch_unwind(AssertUnwindSafe(check)));
        let most = memory.0 * n_bytes as u64 + memory.1;
        let is_too_much = outcome.is_ok() && taken.bytes_max > most;
        if is_too_much {
            eprintln!("{test}: {n_bytes} bytes of files took {} bytes of memory, more than {most}", taken.bytes_max);
        }
        if outcome.is_err() || is_too_much {
            eprintln!("{test}: the files of the case are in {}", keep(test, seed, &files).display());
            // The command that repeats it is printed by a panic.
            let _ = catch_unwind(|| {
                let _named = Case::new(seed);
                resume_unwind(Box::new(()));
            });
            failed += 1;
        }
        assert!(failed < MAX_FAILED, "{test}: {failed} cases failed; those after case {seed} did not run");
    }
    assert_eq!(failed, 0, "{test}: cases failed; see above");
}

/// Write the files of a failed case to where they can be looked at.
fn keep(test: &str, seed: u64, files: &Files) -> PathBuf {
    let folder = std::env::temp_dir().join("levelwright-fuzz").join(format!("{test}-{seed}"));
    let _ = fs::remove_dir_all(&folder);
    corpus::write(files, &folder);
    folder
}

/// Ends the process with the name of the case that hangs.
struct Watchdog(Sender<(u64, Files)>);

impl Watchdog {
    fn start(test: &'static str) -> Self {
        let (sender, receiver) = channel();
        let watched = fs::read_link("/proc/thread-self").ok().map(|task| Path::new("/proc").join(task).join("stat"));
        thread::spawn(move || watch(test, watched.as_deref(), &receiver));
        Self(sender)
    }

    fn begin(&self, seed: u64, files: &Files) {
        self.0.send((seed, files.clone())).unwrap();
    }
}

fn watch(test: &str, watched: Option<&Path>, cases: &Receiver<(u64, Files)>) {
    let begun = Instant::now();
    // Without a way to ask for it, the time of the clock stands for that of the processor.
    let cpu = || watched.map_or_else(|| begun.elapsed(), |stat| cpu_time(stat).unwrap_or_default());
    let mut current = None;
    loop {
        match cases.recv_timeout(MAX_CPU / 10) {
            Ok(case) => current = Some((case, cpu())),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let Some(((seed, files), since)) = &current else { continue };
                if cpu().saturating_sub(*since) > MAX_CPU {
                    let folder = keep(test, *seed, files);
                    eprintln!("{test}: case {seed} hangs; its files are in {}", folder.display());
                    std::process::exit(101);
                }
            }
        }
    }
}

/// What the system says a thread has computed.
fn cpu_time(stat: &Path) -> Option<Duration> {
    let stat = fs::read_to_string(stat).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u64> = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    // A hundred ticks a second, wherever Linux runs.
    Some(Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}
