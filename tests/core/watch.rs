//! Changes by other programs: every way to save a file is noticed, quickly, once, and a storm loses nothing.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use levelwright::{
    io::{DiskChange, Loaded, Now, Reloaded, Watcher, changed, load},
    model::{DocPath, Document, Value, mix},
};

use crate::cases::{Case, seeds};

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn goblin(speed: f64) -> String {
    format!("{{ \"goblin\": (set: (Walker: (speed: {speed:?}))) }}\n")
}

/// A project being watched, and kept up to date as a program would.
struct Watched {
    dir: tempfile::TempDir,
    loaded: Loaded,
    watcher: Watcher,
    n_markers: usize,
}

impl Watched {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("entities/deep")).unwrap();
        fs::write(dir.path().join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
        fs::write(dir.path().join("entities/goblin.ron"), goblin(1.0)).unwrap();
        let watcher = Watcher::new(dir.path(), || {}).unwrap();
        let loaded = load(dir.path());
        assert_eq!(loaded.findings, vec![]);
        Self { dir, loaded, watcher, n_markers: 0 }
    }

    fn file(&self) -> std::path::PathBuf {
        self.dir.path().join("entities/goblin.ron")
    }

    fn apply(&mut self, change: &DiskChange) -> Vec<Reloaded> {
        let news = changed(&self.loaded.sources, change);
        for reloaded in &news {
            self.loaded.sources.reloaded(reloaded);
            match (&reloaded.now, reloaded.document()) {
                (Now::Gone, _) => drop(self.loaded.project.documents.remove(&reloaded.path)),
                (_, Some(document)) => {
                    self.loaded.project.documents.insert(reloaded.path.clone(), Arc::clone(document));
                }
                _ => {}
            }
        }
        news
    }

    /// Wait until something is news. The limit is only there for a failure to end.
    fn news(&mut self) -> Vec<Reloaded> {
        let end = Instant::now() + Duration::from_mins(2);
        loop {
            let change = self.watcher.changes().recv_deadline(end).expect("nothing was noticed");
            let news = self.apply(&change);
            if !news.is_empty() {
                return news;
            }
        }
    }

    /// Wait until the goblin has this speed, through whatever comes before.
    fn until_speed(&mut self, speed: f64) {
        while self.speed() != Some(Value::Float(speed)) {
            self.news();
        }
    }

    fn speed(&self) -> Option<Value> {
        Some(self.loaded.project.def(&path("entities/goblin.ron"), "goblin")?.ops.set["Walker"]["speed"].clone())
    }

    /// Nothing that happened so far is news: the next is a file that is written now.
    fn nothing_more(&mut self) {
        self.n_markers += 1;
        let marker = path("entities/marker.ron");
        fs::write(self.dir.path().join(marker.as_str()), format!("{{ \"marker{}\": () }}", self.n_markers)).unwrap();
        let news = self.news();
        assert!(news.iter().all(|news| news.path == marker), "{news:?}");
    }
}

#[test]
fn every_way_to_save_is_noticed_once() {
    let mut watched = Watched::new();
    let file = watched.file();
    let beside = |name: &str| file.with_file_name(name);

    // In place, as `echo >` and nano do.
    fs::write(&file, goblin(2.0)).unwrap();
    watched.until_speed(2.0);

    // A new file over the old one, as `sed -i` and VS Code on some systems do.
    fs::write(beside("sedXYZ"), goblin(3.0)).unwrap();
    fs::rename(beside("sedXYZ"), &file).unwrap();
    watched.until_speed(3.0);

    // The old one moved away first, as vim does with backups.
    fs::rename(&file, beside("goblin.ron~")).unwrap();
    fs::write(&file, goblin(4.0)).unwrap();
    fs::remove_file(beside("goblin.ron~")).unwrap();
    let news = watched.news();
    assert!(news.iter().all(|news| !matches!(news.now, Now::Gone)), "the file was taken for removed");
    watched.until_speed(4.0);

    // Removed and written again.
    fs::remove_file(&file).unwrap();
    fs::write(&file, goblin(5.0)).unwrap();
    watched.until_speed(5.0);

    if Command::new("sed").arg("-i").arg("s/5.0/6.0/").arg(&file).status().is_ok_and(|status| status.success()) {
        watched.until_speed(6.0);
    }
    watched.nothing_more();

    // The same content again is no news.
    let text = fs::read(&file).unwrap();
    fs::write(&file, text).unwrap();
    watched.nothing_more();
}

#[test]
fn a_broken_file_keeps_the_last_good_document_and_mends() {
    let mut watched = Watched::new();
    fs::write(watched.file(), "{ \"goblin\": (").unwrap();
    let news = watched.news();
    assert!(matches!(&news[0].now, Now::Read(source) if source.document.is_none() && source.findings.len() == 1));
    assert_eq!(watched.speed(), Some(Value::Float(1.0)));
    fs::write(watched.file(), goblin(2.0)).unwrap();
    watched.until_speed(2.0);
    assert_eq!(watched.loaded.sources.findings().count(), 0);
}

#[test]
fn files_and_folders_come_and_go() {
    let mut watched = Watched::new();
    let root = watched.dir.path().to_owned();
    let has = |watched: &Watched, name: &str| watched.loaded.project.documents.contains_key(&path(name));

    fs::create_dir_all(root.join("machines/a/b")).unwrap();
    fs::write(root.join("machines/a/b/m.ron"), "{ \"m\": () }").unwrap();
    while !has(&watched, "machines/a/b/m.ron") {
        watched.news();
    }
    fs::write(root.join("machines/a/b/n.ron"), "{ \"n\": () }").unwrap();
    while !has(&watched, "machines/a/b/n.ron") {
        watched.news();
    }
    fs::rename(root.join("machines/a"), root.join("machines/c")).unwrap();
    while !has(&watched, "machines/c/b/n.ron") || has(&watched, "machines/a/b/n.ron") {
        watched.news();
    }
    fs::write(root.join("machines/c/b/o.ron"), "{ \"o\": () }").unwrap();
    while !has(&watched, "machines/c/b/o.ron") {
        watched.news();
    }
    fs::remove_dir_all(root.join("machines")).unwrap();
    while ["m.ron", "n.ron", "o.ron"].iter().any(|name| has(&watched, &format!("machines/c/b/{name}"))) {
        watched.news();
    }
    fs::write(root.join("entities/.hidden.ron"), "{}").unwrap();
    fs::write(root.join("entities/notes.txt"), "hello").unwrap();
    watched.nothing_more();
    fs::write(root.join("entities/goblin.png"), "pixels").unwrap();
    let news = watched.news();
    assert!(matches!(news[0].now, Now::Image) && news[0].path == path("entities/goblin.png"));
}

#[test]
fn our_own_saves_are_no_news() {
    let mut watched = Watched::new();
    let at = path("entities/goblin.ron");
    let mut document = (**watched.loaded.project.doc(&at).unwrap()).clone();
    let Document::Entities(file) = &mut document else { panic!("not definitions") };
    Arc::make_mut(&mut file.defs["goblin"]).is_abstract = true;
    super::save::save(&mut watched.loaded.sources, &at, &Arc::new(document)).unwrap();
    watched.nothing_more();
}

#[test]
fn a_rescan_finds_everything_by_content() {
    let mut watched = Watched::new();
    let root = watched.dir.path().to_owned();
    fs::write(watched.file(), goblin(9.0)).unwrap();
    fs::write(root.join("entities/deep/new.ron"), "{}").unwrap();
    fs::remove_file(root.join("project.ron")).unwrap();
    let news = watched.apply(&DiskChange { rescan: true, ..DiskChange::default() });
    let names: Vec<&str> = news.iter().map(|news| news.path.as_str()).collect();
    assert_eq!(names, ["entities/deep/new.ron", "entities/goblin.ron", "project.ron"]);
    assert!(watched.apply(&DiskChange { rescan: true, ..DiskChange::default() }).is_empty());
}

fn texts(loaded: &Loaded) -> BTreeMap<String, String> {
    loaded.sources.files().iter().map(|(path, source)| (path.to_string(), source.text.to_string())).collect()
}

fn storm(root: &Path, seed: u64, steps: std::ops::Range<u64>) {
    for i in steps {
        let roll = mix(seed ^ i);
        let folder = root.join(format!("entities/f{}", roll % 7));
        let file = folder.join(format!("e{}.ron", (roll >> 8) % 60));
        let _ = match (roll >> 20) % 10 {
            0 => fs::remove_file(&file),
            1 => fs::remove_dir_all(&folder),
            2 => fs::rename(&folder, root.join(format!("entities/f{}", (roll >> 30) % 7))),
            3 => fs::create_dir_all(&folder)
                .and_then(|()| fs::write(folder.join("tmp"), goblin(0.5)))
                .and_then(|()| fs::rename(folder.join("tmp"), &file)),
            _ => fs::create_dir_all(&folder).and_then(|()| fs::write(&file, format!("{{ \"a{i}\": () }}"))),
        };
    }
}

#[test]
fn after_a_storm_the_project_is_what_a_cold_load_says() {
    for seed in seeds(1) {
        let _case = Case::new(seed);
        let mut watched = Watched::new();
        let root = watched.dir.path().to_owned();
        // A slow reader: batches pile up.
        for i in 0..30 {
            storm(&root, seed, i * 200..(i + 1) * 200);
            if let Ok(change) = watched.watcher.changes().try_recv() {
                watched.apply(&change);
            }
        }
        let cold = load(&root);
        assert!(cold.project.documents.len() > 10);
        let is_there = |watched: &Watched| {
            let same =
                |(path, document): (&DocPath, &Arc<Document>)| watched.loaded.project.doc(path) == Some(document);
            texts(&watched.loaded) == texts(&cold) && cold.project.documents.iter().all(same)
        };
        while !is_there(&watched) {
            watched.news();
        }
        watched.nothing_more();
    }
}

#[test]
fn the_watcher_ends_when_it_is_dropped() {
    let Watched { dir, watcher, .. } = Watched::new();
    let changes = watcher.changes().clone();
    drop(watcher);
    fs::write(dir.path().join("entities/goblin.ron"), goblin(7.0)).unwrap();
    assert!(changes.recv().is_err(), "no sender is left");
}
