//! How long a file saved elsewhere takes to be in use, with 10 000 files watched: from the moment the other program is
//! done until the document is in the project, and until what inherits from it is resolved again. Beside it, in the same
//! run, how long the bare system takes to tell of the same save.
//!
//! What the window adds is not in it: being woken (the next frame begins when the one under way is drawn), and the job
//! that derives problems.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use levelwright::{
    defs::{Resolution, resolve},
    edit::{History, replace},
    io::{Folder, Follow, Watcher, builtin_schema, builtin_tuning, load},
    model::Builtin,
};
use notify::{Event, EventKind, RecursiveMode, Watcher as _, event::AccessKind};

const N_FILES: usize = 10_000;
const N_SAVES: usize = 300;

fn name(i: usize) -> String {
    format!("entities/f{}/e{i}.ron", i % 100)
}

fn text(i: usize, speed: usize) -> String {
    let parent = if i.is_multiple_of(10) { String::new() } else { format!("inherits: [\"e{}\"], ", i - i % 10) };
    format!("// number {i}\n{{ \"e{i}\": ({parent}set: (Walker: (speed: {speed}.5))) }}\n")
}

/// Save as another program does; returns when it was done.
fn save(root: &Path, i: usize, speed: usize) -> Instant {
    let file = root.join(name(i));
    if speed.is_multiple_of(2) {
        fs::write(&file, text(i, speed)).unwrap();
    } else {
        let beside = file.with_extension("tmp");
        fs::write(&beside, text(i, speed)).unwrap();
        fs::rename(&beside, &file).unwrap();
    }
    Instant::now()
}

fn report(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!("{what:<58} p50 {:>9.3?}  p90 {:>9.3?}  p99 {:>9.3?}  max {:>9.3?}", at(50), at(90), at(99), at(100));
    at(99)
}

fn text_of(document: &levelwright::model::Document) -> String {
    levelwright::io::codec::encode(document)
}

/// The file a save is of, far from the one before.
fn which(k: usize) -> usize {
    k * 7919 % N_FILES
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    for i in 0..100 {
        fs::create_dir_all(root.join(format!("entities/f{i}"))).unwrap();
    }
    fs::write(root.join("project.ron"), "(format: 1, name: \"bench\")\n").unwrap();
    for i in 0..N_FILES {
        fs::write(root.join(name(i)), text(i, 0)).unwrap();
    }

    // The bare system: one close or rename, sent to a channel.
    let (sender, receiver) = crossbeam_channel::bounded::<Event>(1 << 16);
    let mut bare = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if let Ok(event) = event {
            let _ = sender.send(event);
        }
    })
    .unwrap();
    for i in 0..100 {
        bare.watch(&root.join(format!("entities/f{i}")), RecursiveMode::NonRecursive).unwrap();
    }
    let mut times = Vec::new();
    for k in 0..N_SAVES {
        std::thread::sleep(Duration::from_millis(15));
        while receiver.try_recv().is_ok() {}
        let saved = save(root, which(k), k + 1);
        let file = root.join(name(which(k)));
        while let Ok(event) = receiver.recv_timeout(Duration::from_secs(5)) {
            let is_done = match event.kind {
                EventKind::Access(AccessKind::Close(_)) => (k + 1).is_multiple_of(2),
                EventKind::Modify(notify::event::ModifyKind::Name(_)) => !(k + 1).is_multiple_of(2),
                _ => false,
            };
            if is_done && event.paths.contains(&file) {
                break;
            }
        }
        times.push(saved.elapsed());
    }
    drop(bare);
    let baseline = report("baseline: the system's event", times);

    let watcher = Watcher::new(root, || {}).unwrap();
    let loaded = load(root);
    assert!(loaded.findings.is_empty());
    let builtin = Builtin { schema: builtin_schema(), tuning: builtin_tuning() };
    let (mut follow, mut project, mut history) = (Follow::new(&loaded), loaded.project, History::default());
    let mut resolution: Resolution = resolve(&project, &builtin, None);
    let [mut applied, mut resolved] = [Vec::new(), Vec::new()];
    for k in 0..N_SAVES {
        std::thread::sleep(Duration::from_millis(15));
        let (at, speed) = (which(k), 1000 + k);
        let writer = {
            let root = root.to_owned();
            std::thread::spawn(move || save(&root, at, speed))
        };
        let (mut is_there, mut in_use, mut done) = (false, Instant::now(), Instant::now());
        while !is_there {
            follow.mark_dirty(watcher.changes().recv_timeout(Duration::from_secs(5)).expect("no event arrived"));
            while let Some(look) = follow.scan() {
                let looked = look.run(&Folder::new(root));
                let followed = follow.scanned(looked, &project);
                let label = followed.label();
                if followed.reloads.is_empty() {
                    continue;
                }
                let before = project.clone();
                replace(&mut project, followed.reloads);
                history.record(label, &before, &project);
                in_use = Instant::now();
                resolution = resolve(&project, &builtin, Some(&resolution));
                done = Instant::now();
                let name = format!("e{at}");
                let said = resolution.defs[name.as_str()].f64("Walker", "speed");
                is_there = said == Some(speed as f64 + 0.5);
            }
        }
        let saved = writer.join().unwrap();
        applied.push(in_use.saturating_duration_since(saved));
        resolved.push(done.saturating_duration_since(saved));
    }
    // Many changes while no event is read, then all of them processed.
    for i in 0..N_FILES {
        save(root, i, 5000);
    }
    std::thread::sleep(Duration::from_millis(200));
    let (start, mut on_window, mut n_steps) = (Instant::now(), Duration::ZERO, 0);
    let is_new = |project: &levelwright::model::Project| {
        let said = |i| project.doc(&levelwright::model::DocPath::new(&name(i))?).cloned();
        (0..N_FILES).all(|i| said(i).is_some_and(|now| text_of(&now).contains("5000.5")))
    };
    while !is_new(&project) {
        follow.mark_dirty(
            watcher.changes().recv_timeout(Duration::from_secs(5)).expect("part of the changes was never reported"),
        );
        for change in watcher.changes().try_iter() {
            follow.mark_dirty(change);
        }
        while let Some(look) = follow.scan() {
            let looked = look.run(&Folder::new(root));
            let step = Instant::now();
            let followed = follow.scanned(looked, &project);
            if !followed.reloads.is_empty() {
                let before = project.clone();
                replace(&mut project, followed.reloads);
                history.record("storm", &before, &project);
                n_steps += 1;
            }
            on_window = on_window.max(step.elapsed());
        }
    }
    println!(
        "{N_FILES} files changed, no event read: all in {:.0?}, {n_steps} steps, at most {on_window:.1?} of the window's time",
        start.elapsed()
    );
    report("saved elsewhere → in the project", applied);
    let p99 = report("saved elsewhere → resolved", resolved);
    println!(
        "p99 {:.1} × the system's event; goal 25 ms: {}",
        p99.as_secs_f64() / baseline.as_secs_f64(),
        if p99 <= Duration::from_millis(25) { "met" } else { "missed" }
    );
}
