//! Edits here, saves, other programs' writes and file events in every order: nothing is lost silently, no change of
//! another program is overwritten unread, and once all events are processed the project equals its files. No disk, no
//! clock: the whole pipeline but the system's part of it, over and over.

mod claims;
mod orders;
mod removed;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, OnceLock},
};

use levelwright::{
    edit::History,
    io::{
        Choices, Conflict, Disk, DiskChange, Follow, Followed, Found, Loaded, SaveError, Scan, Scanned, Sources,
        Writing, Wrote, codec, content_hash, load_one, same, source_of,
    },
    model::*,
};

use crate::cases::{Case, seeds};

/// The files there can be; fewer are, most of the time.
const PATHS: [&str; 4] = ["entities/a.ron", "entities/b.ron", "entities/c.ron", "project.ron"];

fn path(at: usize) -> DocPath {
    paths()[at % PATHS.len()].clone()
}

fn paths() -> &'static [DocPath; 4] {
    static KNOWN: OnceLock<[DocPath; 4]> = OnceLock::new();
    KNOWN.get_or_init(|| PATHS.map(|path| DocPath::new(path).unwrap()))
}

#[derive(Clone, Default)]
struct Memory {
    files: BTreeMap<DocPath, Vec<u8>>,
    /// Images, and which version of them.
    images: BTreeMap<DocPath, i64>,
    /// The project's folder was moved away.
    is_away: bool,
}

impl Disk for Memory {
    fn is_there(&self) -> bool {
        !self.is_away
    }

    fn documents(&self) -> Vec<DocPath> {
        if self.is_away { Vec::new() } else { self.files.keys().cloned().collect() }
    }

    fn images(&self) -> Vec<DocPath> {
        if self.is_away { Vec::new() } else { self.images.keys().cloned().collect() }
    }

    fn read(&self, path: &DocPath) -> Found {
        self.files.get(path).filter(|_| !self.is_away).map_or(Found::Gone, |bytes| Found::Bytes(bytes.clone()))
    }
}

/// Every number in a document: each edit writes one that was never there before, so each can be followed.
fn tokens(document: &Document) -> BTreeSet<i64> {
    match document {
        Document::Entities(file) => file
            .defs
            .values()
            .flat_map(|def| def.ops.set.values())
            .flat_map(|fields| fields.values())
            .filter_map(Value::as_i64)
            .collect(),
        Document::Project(file) => file.name.parse().into_iter().collect(),
        _ => BTreeSet::new(),
    }
}

/// The names of definitions.
fn names(document: &Document) -> BTreeSet<Name> {
    if let Document::Entities(file) = document { file.defs.keys().cloned().collect() } else { BTreeSet::new() }
}

/// The comments of a text: those above its value, and for a definition the one behind it.
fn comments(text: &str, def: Option<&str>) -> Vec<String> {
    let line = |line: &str| Some(line.get(line.find("//")?..)?.to_owned());

    match def {
        None => text.lines().take_while(|line| line.starts_with("//")).filter_map(line).collect(),
        Some(def) => text.lines().filter(|line| line.contains(&format!("\"{def}\":"))).filter_map(line).collect(),
    }
}

fn decode(at: &DocPath, bytes: &[u8]) -> Option<Document> {
    load_one(at, std::str::from_utf8(bytes).ok()?).0
}

struct World {
    dice: u64,
    disk: Memory,
    project: Project,
    follow: Follow,
    history: History,
    /// Events that the watcher has not sent yet.
    events: Vec<DiskChange>,
    look: Option<Scan>,
    looked: Option<Scanned>,
    writings: Vec<Writing>,
    wrote: Vec<Wrote>,
    last_token: i64,
    /// Tokens that were ever here, or asked about.
    shown: BTreeSet<i64>,
    /// Tokens that were ever on disk.
    written: BTreeSet<i64>,
    /// Documents whose save waits for a look.
    promised: BTreeSet<DocPath>,
    /// Images as they are shown, and those being read.
    images: BTreeMap<DocPath, i64>,
    reading: BTreeSet<DocPath>,
    /// What each file was last known to say when it could be read, gone or not.
    texts: BTreeMap<DocPath, String>,
    /// Files that were gone and written again, of which comments had to come back.
    n_back: usize,
    n_asked: usize,
    n_moved: usize,
    n_merged: usize,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64, template: &Loaded, disk: &Memory) -> Self {
        let mut world = Self {
            dice: mix(seed),
            disk: disk.clone(),
            project: template.project.clone(),
            follow: Follow::new(template),
            history: History::default(),
            events: Vec::new(),
            look: None,
            looked: None,
            writings: Vec::new(),
            wrote: Vec::new(),
            last_token: 100,
            shown: BTreeSet::new(),
            written: BTreeSet::new(),
            promised: BTreeSet::new(),
            images: disk.images.clone(),
            reading: BTreeSet::new(),
            texts: BTreeMap::new(),
            n_back: 0,
            n_asked: 0,
            n_moved: 0,
            n_merged: 0,
            log: Vec::new(),
        };
        world.follow.knows_images(disk.images());
        let here: Vec<i64> = world.project.documents.values().flat_map(|document| tokens(document)).collect();
        world.shown.extend(&here);
        world.written.extend(here);
        world.note_texts();
        world
    }

    fn roll(&mut self, n: usize) -> usize {
        self.dice = mix(self.dice);
        (self.dice >> 24) as usize % n.max(1)
    }

    fn token(&mut self) -> i64 {
        self.last_token += 1;
        self.last_token
    }

    fn fail(&self, why: &str) -> ! {
        panic!("{why}\n{}", self.log.join("\n"))
    }
}

fn template() -> (Loaded, Memory) {
    let texts = [
        (0, "{\n    \"d\": (set: (C: (x: 1, y: 2))), // first\n    \"e\": (set: (C: (x: 3))),\n}\n"),
        (1, "{ \"f\": (set: (C: (x: 4, y: 5))) }\n"),
        (3, "(format: 1, name: \"6\")\n"),
    ];
    let mut loaded = Loaded { sources: Sources::default(), ..Loaded::default() };
    let mut disk = Memory::default();
    for (at, text) in texts {
        let source = source_of(&path(at), text.as_bytes().to_vec());
        loaded.project.documents.insert(path(at), source.document.clone().unwrap());
        loaded.sources.put(path(at), source);
        disk.files.insert(path(at), text.as_bytes().to_vec());
    }
    let images = ["art/a.png", "art/b.png", "art-2/a.png"];
    disk.images = images.iter().zip(7..).map(|(image, token)| (DocPath::new(image).unwrap(), token)).collect();
    (loaded, disk)
}

/// A project that is open, and its disk.
fn opened() -> (Project, Follow, Memory) {
    let (loaded, disk) = template();
    (loaded.project.clone(), Follow::new(&loaded), disk)
}

fn look(follow: &mut Follow, disk: &impl Disk, project: &Project, at: &[&DocPath]) -> Followed {
    follow.mark_dirty(DiskChange { paths: at.iter().map(|at| (*at).clone()).collect(), rescan: false });
    let mut followed = Followed::default();
    while let Some(look) = follow.scan() {
        followed = follow.scanned(look.run(disk), project);
    }
    followed
}

fn with(document: &Document, def: &str, n: i64) -> Arc<Document> {
    let Document::Entities(mut file) = document.clone() else { panic!() };
    let def = Arc::make_mut(file.defs.entry(def.into()).or_default());
    def.ops.set.entry("C".into()).or_default().insert("x".into(), Value::Int(n));
    Arc::new(Document::Entities(file))
}

#[test]
fn a_new_file_is_an_old_one_only_where_they_have_much_in_common() {
    let (project, follow, _) = opened();
    let (a, c) = (path(0), path(2));
    let document = project.doc(&a).unwrap().clone();
    let from = |new: Arc<Document>| {
        let mut project = project.clone();
        project.documents.remove(&a);
        project.documents.insert(c.clone(), new);
        follow.moved_from(&c, &project)
    };
    let nothing = Document::Entities(EntitiesFile::default());
    assert_eq!(from(document.clone()), Some(a.clone()));
    assert_eq!(from(Arc::new((*document).clone())), Some(a.clone()), "the same again, read from a journal say");
    assert_eq!(from(with(&document, "d", 7)), Some(a.clone()), "with a change");
    assert_eq!(from(with(&document, "new", 7)), Some(a.clone()), "with something new");
    assert_eq!(from(with(&nothing, "d", 1)), Some(a.clone()), "half of it");
    assert_eq!(from(with(&nothing, "other", 1)), None, "whatever else is gone, it is not that");
    assert_eq!(from(Arc::new(nothing)), None);
}

#[test]
fn a_question_goes_when_its_file_is_what_it_was() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let was = disk.files[&a].clone();
    let mine = with(project.doc(&a).unwrap(), "d", 50);
    project.documents.insert(a.clone(), mine);
    type DiskChange = fn(&mut Memory, DocPath);
    let goes: DiskChange = |disk, a| _ = disk.files.remove(&a);
    let changes: DiskChange = |disk, a| _ = disk.files.insert(a, b"{ \"d\": (set: (C: (x: 60))) }".to_vec());
    for (change, conflict) in [(goes, "gone"), (changes, "changed")] {
        change(&mut disk, a.clone());
        let _ = look(&mut follow, &disk, &project, &[&a]);
        assert!(follow.question_about(&a).is_some(), "{conflict}");
        disk.files.insert(a.clone(), was.clone());
        let followed = look(&mut follow, &disk, &project, &[&a]);
        assert!(follow.question_about(&a).is_none(), "{conflict}, and not so any more");
        assert_eq!(followed.notice().as_deref(), Some("entities/a.ron is what it was before"));
        let writing = follow.save(&a, &project, false).unwrap();
        assert!(writing.against(Some(&was)).is_ok(), "it is saved without a word");
        follow.writing_failed();
        let _ = look(&mut follow, &disk, &project, &[]);
    }
}

#[test]
fn what_happened_is_told_as_it_is() {
    let (project, mut follow, mut disk) = opened();
    let (a, b) = (path(0), path(1));
    let was = disk.files.insert(a.clone(), b"{ \"half".to_vec()).unwrap();
    let followed = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(followed.notice().as_deref(), Some("entities/a.ron has errors; the last good version stays in use"));
    disk.files.insert(a.clone(), was);
    let followed = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(followed.notice().as_deref(), Some("entities/a.ron has no errors any more"));
    disk.files.clear();
    let followed = look(&mut follow, &disk, &project, &[&a, &b]);
    assert_eq!(followed.notice().as_deref(), Some("2 files were removed by another program"));
    let followed = look(&mut follow, &disk, &project, &[&a, &b]);
    assert_eq!(followed.notice(), None);
}

/// A disk with a file whose reading panics.
struct Cursed(Memory, DocPath);

impl Disk for Cursed {
    fn is_there(&self) -> bool {
        self.0.is_there()
    }

    fn documents(&self) -> Vec<DocPath> {
        self.0.documents()
    }

    fn images(&self) -> Vec<DocPath> {
        self.0.images()
    }

    fn read(&self, path: &DocPath) -> Found {
        assert!(*path != self.1, "what a file says has brought its reader down");
        self.0.read(path)
    }
}

#[test]
fn a_file_that_brings_its_reader_down_costs_that_file_alone() {
    let (project, mut follow, mut disk) = opened();
    let (a, b) = (path(0), path(1));
    disk.files.insert(b.clone(), b"{ \"f\": (set: (C: (x: 9))) }".to_vec());
    let cursed = Cursed(disk.clone(), a.clone());
    let followed = look(&mut follow, &cursed, &project, &[&a, &b]);
    assert_eq!(followed.reloads.len(), 1, "the others are read");
    assert_eq!(followed.broken, std::slice::from_ref(&a));
    assert!(follow.is_settled(), "it is not tried again by itself");
    let finding = &follow.sources().get(&a).unwrap().findings[0];
    assert!(finding.message.contains("Levelwright's fault"));
    let followed = look(&mut follow, &cursed, &project, &[&a]);
    assert!(!followed.is_changed, "nor reported again");
    let followed = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(followed.healed, [a], "when it changes it is read");
}

#[test]
fn a_look_that_fails_waits_for_the_next_change() {
    let (project, mut follow, disk) = opened();
    let (a, b) = (path(0), path(1));
    let mut changed = disk.clone();
    changed.files.insert(a.clone(), b"{ \"d\": (set: (C: (x: 9))) }".to_vec());
    follow.mark_dirty(DiskChange { paths: [a.clone()].into(), rescan: false });
    assert!(follow.scan().is_some());
    follow.scan_failed();
    assert!(follow.scan().is_none() && follow.is_settled(), "or it would fail for ever");
    let followed = look(&mut follow, &changed, &project, &[&b]);
    assert_eq!(followed.reloads[0].0, a, "and is not forgotten");
}
