//! The whole way from another program's save to the project, with the system's own watcher: the ways editors save,
//! files that are half there, folders that move, storms.

use std::{
    collections::BTreeMap,
    fs,
    io::{Seek as _, SeekFrom, Write as _},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use levelwright::{
    edit::{Edit, History, Owner, replace},
    io::{Folder, Follow, Watcher, load},
    model::{DocPath, Project, Value},
};

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn goblin(speed: f64) -> String {
    format!("{{ \"goblin\": (set: (Walker: (speed: {speed:?}))) }}\n")
}

/// An open project, followed as the window follows it.
struct Open {
    dir: tempfile::TempDir,
    root: PathBuf,
    project: Project,
    follow: Follow,
    history: History,
    watcher: Watcher,
    notices: Vec<String>,
    n_markers: usize,
}

const PATIENCE: Duration = Duration::from_mins(2);

impl Open {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(prepare: impl FnOnce(&PathBuf)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("game");
        fs::create_dir_all(root.join("entities/deep")).unwrap();
        fs::write(root.join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
        fs::write(root.join("entities/goblin.ron"), goblin(1.0)).unwrap();
        prepare(&root);
        let watcher = Watcher::new(&root, || {}).unwrap();
        let loaded = load(&root);
        let follow = Follow::new(&loaded);
        let (history, notices) = (History::default(), Vec::new());
        Self { dir, root, project: loaded.project, follow, history, watcher, notices, n_markers: 0 }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Process all received events, as one frame after another would.
    fn frames(&mut self) {
        for change in self.watcher.changes().try_iter() {
            self.follow.mark_dirty(change);
        }
        while let Some(look) = self.follow.scan() {
            let looked = look.run(&Folder::new(&self.root));
            let followed = self.follow.scanned(looked, &self.project);
            self.notices.extend(followed.notice());
            let label = followed.label();
            let merges = followed.merges.into_iter().map(|it| (it.doc, Some(it.document)));
            let before = self.project.clone();
            replace(&mut self.project, followed.reloads.into_iter().chain(merges));
            self.history.record(label, &before, &self.project);
        }
    }

    /// Frame after frame as the watcher tells of changes. The limit is only there for a failure to end.
    fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        self.frames();
        while !is_so(self) {
            match self.watcher.changes().recv_deadline(end) {
                Ok(change) => self.follow.mark_dirty(change),
                Err(why) => panic!("never: {what} ({why}); {:?}", self.notices),
            }
            self.frames();
        }
    }

    /// Take in all that happened so far: a file that is written now is known.
    fn through(&mut self) {
        self.n_markers += 1;
        let name = format!("marker{}", self.n_markers);
        let marker = path("entities/marker.ron");
        fs::write(self.file(marker.as_str()), format!("{{ \"{name}\": () }}\n")).unwrap();
        self.until("the marker", |open| open.project.def(&marker, &name).is_some());
    }

    fn speed(&self, file: &str) -> Option<f64> {
        self.project.def(&path(file), "goblin")?.ops.set["Walker"]["speed"].as_f64()
    }

    fn is_speed(&self, speed: f64) -> bool {
        self.speed("entities/goblin.ron") == Some(speed)
    }

    /// An edit here that is not saved.
    fn set(&mut self, field: &str, value: f64) {
        let owner = Owner::Def { doc: path("entities/goblin.ron"), name: "goblin".into() };
        self.history.make(&mut self.project, &[Edit::set(owner, "Walker", field, Value::Float(value))]).unwrap();
    }

    fn is_as_cold(&self) {
        let cold = load(&self.root);
        let texts = |sources: &levelwright::io::Sources| -> BTreeMap<DocPath, Arc<str>> {
            sources.files().iter().map(|(path, source)| (path.clone(), Arc::clone(&source.text))).collect()
        };
        assert_eq!(texts(self.follow.sources()), texts(&cold.sources));
        assert_eq!(self.project, cold.project);
    }
}

#[test]
fn vim_saves_as_one_step() {
    let mut open = Open::new();
    let file = open.file("entities/goblin.ron");
    let beside = |name: &str| file.with_file_name(name);
    fs::write(beside(".goblin.ron.swp"), "swap").unwrap();
    fs::write(beside("4913"), "").unwrap();
    fs::remove_file(beside("4913")).unwrap();
    fs::rename(&file, beside("goblin.ron~")).unwrap();
    let mut written = fs::File::create(&file).unwrap();
    let text = goblin(2.0);
    written.write_all(&text.as_bytes()[..10]).unwrap();
    written.write_all(&text.as_bytes()[10..]).unwrap();
    drop(written);
    fs::remove_file(beside("goblin.ron~")).unwrap();
    open.until("the new speed", |open| open.is_speed(2.0));
    open.through();
    let steps: Vec<&str> = open.history.steps().map(|(_, step)| step.label()).collect();
    assert_eq!(steps.len(), 2, "{steps:?}, the last for the marker");
    assert!(steps.contains(&"Reload entities/goblin.ron"), "{steps:?}");
    open.is_as_cold();
}

/// A file that is open for writing is given a second to be closed (`OPEN` of the watcher). An attempt that held it open
/// for longer than half of that, because the machine has other things to do, proves nothing.
const HELD: Duration = Duration::from_millis(500);

/// Write half of a file, look on, and write the rest; `None` when that took too long to prove anything.
fn in_two_halves(open: &mut Open, mut file: fs::File, halves: [&str; 2], before: f64) -> Option<()> {
    let start = Instant::now();
    file.write_all(halves[0].as_bytes()).unwrap();
    open.through();
    let is_as_before = open.is_speed(before);
    file.seek(SeekFrom::Start(halves[0].len() as u64)).unwrap();
    file.write_all(halves[1].as_bytes()).unwrap();
    drop(file);
    if start.elapsed() > HELD {
        return None;
    }
    assert!(is_as_before, "half of it was taken in");
    Some(())
}

fn try_half_a_file() -> Option<()> {
    let mut open = Open::new();
    let file = open.file("entities/goblin.ron");
    // Truncated, half written, and the rest later.
    let text = goblin(2.0);
    let (first, second) = text.split_at(text.len() / 2);
    in_two_halves(&mut open, fs::File::create(&file).unwrap(), [first, second], 1.0)?;
    open.until("the whole", |open| open.is_speed(2.0));

    // In place, block by block: the content in between can be read, though it was never written as a whole.
    if cfg!(target_os = "linux") {
        let old = "{ \"goblin\": (set: (Walker: (speed: 3.0, jump: 3.0))) }";
        fs::write(&file, old).unwrap();
        open.until("both fields", |open| open.is_speed(3.0));
        let new = old.replace("3.0", "4.0");
        let (first, second) = new.split_at(new.find("jump").unwrap());
        let written = fs::OpenOptions::new().write(true).open(&file).unwrap();
        in_two_halves(&mut open, written, [first, second], 3.0)?;
        open.until("all of it", |open| open.is_speed(4.0));
    }
    assert!(open.notices.iter().all(|notice| !notice.contains("errors")), "{:?}", open.notices);
    open.is_as_cold();
    Some(())
}

#[test]
fn half_a_file_is_never_taken_for_the_file() {
    // Where other processes take the processor for longer than that each time, nothing is proved.
    const ATTEMPTS: usize = 10;
    let _ = (0..ATTEMPTS).find_map(|_| try_half_a_file());
}

#[test]
fn what_breaks_and_heals_merges_with_what_was_done_meanwhile() {
    let mut open = Open::new();
    let file = open.file("entities/goblin.ron");
    open.set("jump", 7.0);
    fs::write(&file, "{ \"goblin\": (set: (Walker: (speed: 2.0").unwrap();
    open.until("it is known to be broken", |open| open.follow.broken().count() == 1);
    assert!(open.is_speed(1.0));
    fs::write(&file, goblin(3.0)).unwrap();
    open.until("it is merged", |open| open.is_speed(3.0));
    let def = open.project.def(&path("entities/goblin.ron"), "goblin").unwrap();
    assert_eq!(def.ops.set["Walker"]["jump"], Value::Float(7.0));
    assert!(open.follow.question().is_none());
}

#[test]
fn a_project_that_was_moved_away_is_as_it_was_and_compared_when_it_is_back() {
    let mut open = Open::new();
    let away = open.dir.path().join("away");
    fs::rename(&open.root, &away).unwrap();
    open.until("it is known to be gone", |open| open.notices.iter().any(|it| it.contains("folder is gone")));
    assert!(open.is_speed(1.0), "what is open stays");
    assert_eq!(open.project.documents.len(), 2);
    fs::write(away.join("entities/goblin.ron"), goblin(2.0)).unwrap();
    fs::rename(&away, &open.root).unwrap();
    open.until("what changed meanwhile", |open| open.is_speed(2.0));
    // And it is watched again, in its depths too.
    fs::write(open.file("entities/goblin.ron"), goblin(3.0)).unwrap();
    open.until("what changes now", |open| open.is_speed(3.0));
    fs::write(open.file("entities/deep/new.ron"), goblin(4.0)).unwrap();
    open.until("a new file", |open| open.speed("entities/deep/new.ron") == Some(4.0));
    // Another folder in its place, as from a backup.
    fs::rename(&open.root, &away).unwrap();
    fs::create_dir_all(open.file("entities")).unwrap();
    fs::copy(away.join("project.ron"), open.file("project.ron")).unwrap();
    fs::write(open.file("entities/goblin.ron"), goblin(5.0)).unwrap();
    open.until("the other folder", |open| open.is_speed(5.0) && open.project.documents.len() == 2);
    open.is_as_cold();
}

#[test]
fn a_renamed_file_takes_its_unsaved_changes_along() {
    // A new folder is watched a moment later; what is moved into it before that is not known to be a move.
    let mut open = Open::with(|root| fs::create_dir(root.join("entities/more")).unwrap());
    open.set("jump", 7.0);
    fs::rename(open.file("entities/goblin.ron"), open.file("entities/Goblin.ron")).unwrap();
    open.until("it is at its new place", |open| open.speed("entities/Goblin.ron") == Some(1.0));
    let jump =
        |open: &Open, file: &str| open.project.def(&path(file), "goblin").unwrap().ops.set["Walker"]["jump"].clone();
    assert_eq!(jump(&open, "entities/Goblin.ron"), Value::Float(7.0));
    assert!(open.project.doc(&path("entities/goblin.ron")).is_none());
    assert_eq!(open.follow.saved().modified(&open.project), [path("entities/Goblin.ron")]);
    assert!(open.follow.question().is_none());
    // The same for a folder.
    fs::rename(open.file("entities"), open.file("e")).unwrap();
    fs::rename(open.file("e"), open.file("entities")).unwrap();
    open.through();
    fs::rename(open.file("entities/Goblin.ron"), open.file("entities/more/goblin.ron")).unwrap();
    open.until("it is in its new folder", |open| open.speed("entities/more/goblin.ron") == Some(1.0));
    assert_eq!(jump(&open, "entities/more/goblin.ron"), Value::Float(7.0));
    fs::rename(open.file("entities/more"), open.file("entities/less")).unwrap();
    open.until("it moved with its folder", |open| open.speed("entities/less/goblin.ron") == Some(1.0));
    assert_eq!(jump(&open, "entities/less/goblin.ron"), Value::Float(7.0));
    assert!(open.follow.question().is_none());
}

#[cfg(unix)]
#[test]
fn links_are_followed_where_they_lead() {
    use std::os::unix::fs::symlink;
    let mut open = Open::with(|root| {
        fs::create_dir_all(root.join("shared/more")).unwrap();
        fs::write(root.join("shared/real.ron"), goblin(1.0)).unwrap();
        symlink("../shared/real.ron", root.join("entities/link.ron")).unwrap();
    });
    assert_eq!(open.speed("entities/link.ron"), Some(1.0));
    fs::write(open.file("shared/real.ron"), goblin(2.0)).unwrap();
    open.until("the file behind the link", |open| open.speed("entities/link.ron") == Some(2.0));
    // A link that comes while it is open, to a folder.
    fs::write(open.file("shared/more/a.ron"), goblin(3.0)).unwrap();
    symlink("../shared/more", open.file("entities/more")).unwrap();
    open.until("what is behind the new link", |open| open.speed("entities/more/a.ron") == Some(3.0));
    fs::write(open.file("shared/more/a.ron"), goblin(4.0)).unwrap();
    open.until("what changes behind it", |open| open.speed("entities/more/a.ron") == Some(4.0));
    fs::remove_file(open.file("entities/more")).unwrap();
    open.until("it is gone", |open| open.speed("entities/more/a.ron").is_none());
    open.is_as_cold();
}

#[test]
fn ten_thousand_files_are_one_step() {
    const N: usize = 10_000;
    let name = |i: usize| format!("entities/f{}/e{i}.ron", i % 100);
    let mut open = Open::with(|root| {
        for i in 0..100 {
            fs::create_dir_all(root.join(format!("entities/f{i}"))).unwrap();
        }
        for i in 0..N {
            fs::write(root.join(name(i)), format!("{{ \"e{i}\": () }}")).unwrap();
        }
    });
    // No event is read while all of them change.
    for i in 0..N {
        fs::write(open.file(&name(i)), format!("{{ \"e{i}\": (abstract: true) }}")).unwrap();
    }
    let is_new =
        |open: &Open, i: usize| open.project.def(&path(&name(i)), &format!("e{i}")).is_some_and(|def| def.is_abstract);
    open.until("all are new", |open| (0..N).all(|i| is_new(open, i)));
    assert!(open.history.n_done() <= 30, "{} steps", open.history.n_done());
    open.is_as_cold();
}

#[test]
fn a_renamed_folder_is_reported_with_both_names_at_once() {
    // One attempt in ten was reported in two parts: new files first, without the unsaved changes.
    for _ in 0..40 {
        let mut open = Open::with(|root| {
            fs::create_dir(root.join("entities/more")).unwrap();
            fs::rename(root.join("entities/goblin.ron"), root.join("entities/more/goblin.ron")).unwrap();
            fs::write(root.join("entities/more/imp.ron"), "{ \"imp\": () }").unwrap();
        });
        let owner = Owner::Def { doc: path("entities/more/goblin.ron"), name: "goblin".into() };
        open.history.make(&mut open.project, &[Edit::set(owner, "Walker", "jump", Value::Float(7.0))]).unwrap();
        fs::rename(open.file("entities/more"), open.file("entities/less")).unwrap();
        open.until("it moved with its folder", |open| open.speed("entities/less/goblin.ron") == Some(1.0));
        let def = open.project.def(&path("entities/less/goblin.ron"), "goblin").unwrap();
        assert_eq!(def.ops.set["Walker"].get("jump"), Some(&Value::Float(7.0)), "{:?}", open.notices);
        assert_eq!(open.project.documents.len(), 3, "{:?}", open.notices);
    }
}
