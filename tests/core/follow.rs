//! Edits here, saves, other programs' writes and the watcher's news in every order: nothing is lost silently, nobody's work
//! is overwritten unread, and once all is quiet the project says what its files say. No disk, no clock: the whole pipeline
//! but the system's part of it, over and over.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, OnceLock},
};

use levelwright::{
    edit::History,
    io::{
        Asked, Change, Choices, Disk, Follow, Followed, Found, Loaded, Look, Looked, SaveError, Sources, Writing,
        Wrote, codec, content_hash, load_one, same, source_of,
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
    /// What the watcher has not told yet.
    events: Vec<Change>,
    look: Option<Look>,
    looked: Option<Looked>,
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

    fn note_texts(&mut self) {
        for at in paths() {
            if let Some(source) = self.follow.sources().get(at).filter(|source| source.document.is_some()) {
                self.texts.insert(at.clone(), source.text.to_string());
            }
        }
    }

    /// A file is written from what it last said: what is still in it keeps its comments.
    fn check_comments(&mut self, at: &DocPath, was_there: bool, document: &Document, text: &str) {
        let Some(before) = self.texts.get(at).cloned() else { return };
        let Some(was) = decode(at, before.as_bytes()) else { return };
        let (old, new) = (names(&was), names(document));
        let both: BTreeSet<&Name> = old.intersection(&new).collect();
        let is_project = at.kind() == Some(DocKind::Project);
        if !is_project && (both.is_empty() || 2 * both.len() < old.len().max(new.len())) {
            return;
        }
        let wanted =
            comments(&before, None).into_iter().chain(both.iter().flat_map(|def| comments(&before, Some(def))));
        let wanted: Vec<String> = wanted.collect();
        self.n_back += usize::from(!was_there && !wanted.is_empty());
        if let Some(lost) = wanted.iter().find(|comment| !text.contains(comment.as_str())) {
            self.fail(&format!("{lost} of {at} is lost; it was\n{before}and is\n{text}"));
        }
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

    /// A document with something changed: a number, a definition more or less, the order.
    fn changed(&mut self, document: Option<&Document>, at: &DocPath) -> Document {
        let token = self.token();
        if at.kind() == Some(DocKind::Project) {
            return Document::Project(ProjectFile {
                format: 1,
                name: token.to_string(),
                start_level: "".into(),
                view: View::Platformer,
            });
        }
        let mut file =
            if let Some(Document::Entities(file)) = document { file.clone() } else { EntitiesFile::default() };
        let n = file.defs.len();
        let what = self.roll(10);
        let which = self.roll(n);
        let field = ["x", "y"][self.roll(2)];
        if what == 0 && n > 1 {
            file.defs.shift_remove_index(which);
        } else if what == 1 && n > 1 {
            file.defs.move_index(which, n - 1);
        }
        let set = |def: &mut EntityDef| {
            def.ops.set.entry("C".into()).or_default().insert(field.into(), Value::Int(token));
        };
        if what == 2 || file.defs.is_empty() {
            let mut def = EntityDef::default();
            set(&mut def);
            file.defs.insert(format!("n{token}").into(), Arc::new(def));
        } else {
            let n = file.defs.len();
            set(Arc::make_mut(&mut file.defs[which.min(n - 1)]));
        }
        Document::Entities(file)
    }

    fn record(&mut self, label: &str, before: &Project) {
        self.history.record(label, before, &self.project);
        for (at, document) in &self.project.documents {
            if before.doc(at).is_none_or(|was| !Arc::ptr_eq(was, document)) {
                self.shown.extend(tokens(document));
            }
        }
    }

    fn tell(&mut self, paths: &[&DocPath]) {
        let is_lost = self.roll(6) == 0;
        let change = Change {
            paths: if is_lost { BTreeSet::new() } else { paths.iter().map(|path| (*path).clone()).collect() },
            rescan: is_lost,
        };
        self.events.push(change);
    }

    /// Another program writes.
    fn outside(&mut self) {
        if self.disk.is_away {
            return;
        }
        let which = self.roll(PATHS.len());
        let at = path(which);
        let now = self.disk.files.get(&at).cloned();
        let text = now.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let new = match (self.roll(12), text) {
            (0, Some(text)) => text[..text.len() / 2].to_owned(),
            (1, Some(text)) => text,
            (2 | 3, Some(text)) => format!("// note {}\n{text}", self.token()),
            (4, Some(_)) => {
                self.log.push(format!("outside removes {at}"));
                self.disk.files.remove(&at);
                return self.tell(&[&at]);
            }
            (5, Some(text)) if which < 3 => {
                let to = path((which + 1) % 3);
                if !self.disk.files.contains_key(&to) {
                    self.log.push(format!("outside moves {at} to {to}"));
                    self.disk.files.remove(&at);
                    self.disk.files.insert(to.clone(), text.into_bytes());
                    return self.tell(&[&at, &to]);
                }
                text
            }
            (_, text) => {
                let document = text.as_deref().and_then(|text| decode(&at, text.as_bytes()));
                let new = codec::encode(&self.changed(document.as_ref(), &at));
                let token = self.token();
                let line = |line: &str| {
                    if line.starts_with("    \"") {
                        format!("{line} // c{token} {}\n", line.len())
                    } else {
                        format!("{line}\n")
                    }
                };
                new.lines().map(line).collect()
            }
        };
        self.log.push(format!("outside writes {at}: {}", new.replace('\n', " ")));
        if let Some(document) = decode(&at, new.as_bytes()) {
            self.written.extend(tokens(&document));
        }
        self.disk.files.insert(at.clone(), new.into_bytes());
        self.tell(&[&at]);
    }

    /// Another program paints, removes a picture, or a folder of them; or the project's folder is moved away or back.
    fn outside_of_documents(&mut self) {
        let at = DocPath::new(["art/a.png", "art/b.png", "art-2/a.png"][self.roll(3)]).unwrap();
        match self.roll(6) {
            0 | 1 => {
                self.disk.is_away = !self.disk.is_away;
                self.log.push(format!("the folder is {}", if self.disk.is_away { "away" } else { "back" }));
                self.events.push(Change { rescan: true, ..Change::default() });
            }
            _ if self.disk.is_away => {}
            2 => {
                self.log.push("art goes".to_owned());
                self.disk.images.retain(|image, _| !image.as_str().starts_with("art/"));
                self.tell(&[&DocPath::new("art").unwrap()]);
            }
            3 => {
                self.log.push(format!("{at} goes"));
                self.disk.images.remove(&at);
                self.tell(&[&at]);
            }
            _ => {
                let token = self.token();
                self.log.push(format!("{at} is painted"));
                self.disk.images.insert(at.clone(), token);
                self.tell(&[&at]);
            }
        }
    }

    fn read_images(&mut self) {
        if self.disk.is_away {
            return;
        }
        for at in std::mem::take(&mut self.reading) {
            match self.disk.images.get(&at) {
                Some(image) => _ = self.images.insert(at, *image),
                None => _ = self.images.remove(&at),
            }
        }
    }

    /// The user edits.
    fn inside(&mut self) {
        let which = self.roll(PATHS.len());
        let at = path(which);
        let before = self.project.clone();
        let now = self.project.doc(&at).cloned();
        match (self.roll(9), &now) {
            (0, Some(_)) if which < 3 => _ = self.project.documents.remove(&at),
            (1, Some(document)) if which < 3 && self.project.doc(&path((which + 1) % 3)).is_none() => {
                let to = path((which + 1) % 3);
                self.project.documents.remove(&at);
                self.project.documents.insert(to.clone(), Arc::clone(document));
                if self.roll(2) == 0 {
                    self.log.push(format!("edit: {at} is {to}"));
                    self.record("move", &before);
                    return self.save(&to, false);
                }
            }
            _ => {
                let document = self.changed(now.as_deref(), &at);
                self.project.documents.insert(at.clone(), Arc::new(document));
            }
        }
        self.log.push(format!("edit {at}: {:?}", self.project.doc(&at).map(|it| tokens(it))));
        self.record("edit", &before);
    }

    fn save(&mut self, at: &DocPath, overwrite: bool) {
        self.promised.remove(at);
        let writing = self.follow.save(at, &self.project, overwrite);
        self.log.push(format!("save {at}{}", if writing.is_some() { "" } else { " (waits)" }));
        self.writings.extend(writing);
    }

    /// Once everything was looked at, what is asked about is what is there.
    fn check_questions(&self) {
        for at in paths() {
            let Some(question) = self.follow.question_about(at) else { continue };
            let there = self.disk.files.get(at).map(|bytes| String::from_utf8_lossy(bytes));
            let is_so = match question.asked {
                Asked::GoneThere => there.is_none(),
                Asked::Places(_) | Asked::GoneHere => question.theirs() == there.as_deref(),
                Asked::Broken => true,
            };
            if !is_so {
                self.fail(&format!("{at} is asked about, and is not so any more"));
            }
        }
    }

    /// One file is written, by the job that was started for it.
    fn write(&mut self) {
        if self.writings.is_empty() {
            return;
        }
        let at = self.roll(self.writings.len());
        let writing = self.writings.remove(at);
        let at = writing.path().clone();
        let document = writing.document().cloned();
        let mut now = self.disk.files.get(&at).filter(|_| !self.disk.is_away).cloned();
        let from = writing.from().cloned();
        let old = from.as_ref().and_then(|from| self.disk.files.get(from)).filter(|_| !self.disk.is_away).cloned();
        let (writing, mut is_moved) = writing.moving(old.as_deref(), now.as_deref());
        // Moved, and then perhaps the disk is full.
        let is_full = self.roll(12) == 0;
        if let (Some(from), true) = (&from, is_moved) {
            if is_full && self.roll(2) == 0 {
                is_moved = false;
            } else {
                self.log.push(format!("{from} is moved to {at}"));
                self.disk.files.remove(from);
                self.disk.files.extend(old.clone().map(|bytes| (at.clone(), bytes)));
                let text = self.texts.remove(from);
                self.texts.extend(text.map(|text| (at.clone(), text)));
                now = old;
                self.n_moved += 1;
                if self.roll(3) > 0 {
                    self.tell(&[from, &at]);
                }
            }
        }
        let result = writing.against(now.as_deref()).and_then(|source| {
            if self.disk.is_away || is_full {
                Err(SaveError::Io { path: at.clone(), action: "written", error: io::Error::other("gone") })
            } else {
                Ok(source)
            }
        });
        self.log.push(format!("write {at}: {}", if result.is_ok() { "done" } else { "refused" }));
        if let Ok(source) = &result {
            let old = now.as_deref().and_then(|bytes| decode(&at, bytes)).map(|it| tokens(&it)).unwrap_or_default();
            let new = document.as_deref().map(tokens).unwrap_or_default();
            if let Some(lost) = old.iter().find(|token| !new.contains(token) && !self.shown.contains(token)) {
                self.fail(&format!("{lost} of {at} was overwritten unseen"));
            }
            if let (Some(source), Some(document)) = (source, &document) {
                self.check_comments(&at, now.is_some(), document, &source.text);
            }
            match source {
                Some(source) => _ = self.disk.files.insert(at.clone(), source.text.as_bytes().to_vec()),
                None => _ = self.disk.files.remove(&at),
            }
            self.written.extend(new);
            if self.roll(3) > 0 {
                self.tell(&[&at]);
            }
        }
        self.wrote.push(Wrote { path: at, document, is_moved, result });
    }

    fn hear_of_write(&mut self) {
        if self.wrote.is_empty() {
            return;
        }
        let at = self.roll(self.wrote.len());
        let wrote = self.wrote.remove(at);
        self.log.push(format!("heard of {}", wrote.path));
        if matches!(wrote.result, Err(SaveError::Conflict { .. })) {
            self.promised.insert(wrote.path.clone());
        }
        match self.follow.wrote(wrote, &self.project) {
            Ok(followed) => self.carry_out(followed),
            Err(SaveError::Io { .. }) => {}
            Err(why) => self.fail(&why.to_string()),
        }
    }

    fn carry_out(&mut self, followed: Followed) {
        for (from, to) in &followed.moved {
            let text = self.texts.remove(from);
            self.texts.extend(text.map(|text| (to.clone(), text)));
        }
        self.note_texts();
        self.reading.extend(followed.images);
        for at in &followed.not_saved {
            self.promised.remove(at);
        }
        for (from, to) in &followed.moved {
            if self.promised.remove(from) {
                self.promised.insert(to.clone());
            }
        }
        for at in paths() {
            let asked = match self.follow.question_about(at) {
                None => continue,
                Some(question) => (question.asked.clone(), question.theirs().map(str::to_owned)),
            };
            // All that is asked about has been seen, and is in the user's hands.
            self.promised.remove(at);
            self.n_asked += 1;
            let theirs = asked.1.and_then(|text| decode(at, text.as_bytes()));
            match asked.0 {
                Asked::Places(places) => {
                    let said = places.iter().flat_map(|place| [&place.mine, &place.theirs, &place.base]).flatten();
                    let words = said.flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
                    self.shown.extend(words.filter_map(|word| word.parse::<i64>().ok()));
                }
                _ => self.shown.extend(theirs.iter().flat_map(tokens)),
            }
        }
        let merges: Vec<_> = followed.merges.iter().map(|it| (it.doc.clone(), Some(it.document.clone()))).collect();
        self.n_merged += merges.len();
        for (label, list) in [("reload", followed.reloads), ("merge", merges)] {
            if list.is_empty() {
                continue;
            }
            let before = self.project.clone();
            let here: BTreeSet<i64> = before.documents.values().flat_map(|document| tokens(document)).collect();
            for (at, document) in list {
                self.log.push(format!("{label} {at}: {:?}", document.as_deref().map(tokens)));
                match document {
                    Some(document) => _ = self.project.documents.insert(at, document),
                    None => _ = self.project.documents.remove(&at),
                }
            }
            let there: BTreeSet<i64> = self.project.documents.values().flat_map(|document| tokens(document)).collect();
            let asked = &self.shown;
            if let Some(lost) =
                here.iter().find(|it| !there.contains(it) && !self.written.contains(it) && !asked.contains(it))
            {
                self.fail(&format!("{lost} was lost here"));
            }
            self.record(label, &before);
        }
        for at in followed.overwrite {
            self.save(&at, true);
        }
        for at in followed.save {
            if self.follow.saved().is_modified(&self.project, &at) {
                self.save(&at, false);
            }
        }
    }

    fn start_look(&mut self) {
        if self.look.is_none() && self.looked.is_none() {
            self.look = self.follow.look();
        }
    }

    fn take_look(&mut self) {
        if let Some(look) = self.look.take() {
            self.looked = Some(look.run(&self.disk));
        }
    }

    fn hear_of_look(&mut self) {
        if let Some(looked) = self.looked.take() {
            self.log.push(format!("looked: {:?}", looked.news.iter().map(|it| &it.path).collect::<Vec<_>>()));
            let followed = self.follow.looked(looked, &self.project);
            self.carry_out(followed);
        }
    }

    fn answer(&mut self) {
        let Some((at, question)) = self.follow.question() else { return };
        let (at, asked) = (at.clone(), question.asked.clone());
        let mut choices = Choices::default();
        match (self.roll(4), asked) {
            (0, _) | (3, Asked::GoneHere | Asked::GoneThere | Asked::Broken) => choices = Choices::all(Side::Mine),
            (1, _) => choices = Choices::all(Side::Theirs),
            (_, Asked::Places(places)) => {
                for place in places {
                    let side = if self.roll(2) == 0 { Side::Mine } else { Side::Theirs };
                    choices.choose(place, side);
                }
            }
            _ => choices = Choices::all(Side::Theirs),
        }
        self.log.push(format!("answer about {at}: {:?}", choices.all));
        let followed = self.follow.answer(&at, &self.project, &choices);
        self.carry_out(followed);
    }

    fn undo(&mut self, is_redo: bool) {
        let focus = (self.roll(2) == 0).then(|| path(self.roll(3)));
        let done = if is_redo {
            self.history.redo(&mut self.project, focus.as_ref()).is_ok()
        } else {
            self.history.undo(&mut self.project, focus.as_ref()).is_ok()
        };
        self.follow.project_changed(&self.project);
        self.log.push(format!("{}: {done}", if is_redo { "redo" } else { "undo" }));
    }

    fn step(&mut self) {
        match self.roll(30) {
            0..=4 => self.inside(),
            5..=9 => self.outside(),
            10..=12 => {
                let at = path(self.roll(PATHS.len()));
                if self.follow.saved().is_modified(&self.project, &at) {
                    self.save(&at, false);
                }
            }
            13..=14 => self.write(),
            15..=16 => self.hear_of_write(),
            17..=18 => {
                if !self.events.is_empty() {
                    let at = self.roll(self.events.len());
                    let change = self.events.remove(at);
                    self.follow.tell(change);
                }
            }
            19 => self.start_look(),
            20 => self.take_look(),
            21 => self.hear_of_look(),
            22..=23 => self.answer(),
            24 => self.undo(false),
            25..=26 => self.outside_of_documents(),
            27 => self.read_images(),
            _ => self.undo(true),
        }
    }

    /// Let everything that is under way come to its end, first without the project's folder if it is away.
    fn settle(&mut self) {
        if self.disk.is_away {
            self.come_to_rest();
            if self.follow.is_saving() {
                self.fail("a save waits for a folder that is gone");
            }
            self.disk.is_away = false;
            self.log.push("the folder is back".to_owned());
            self.events.push(Change { rescan: true, ..Change::default() });
        }
        self.come_to_rest();
        if let Some(at) = self.promised.iter().find(|at| self.follow.saved().is_modified(&self.project, at)) {
            self.fail(&format!("{at} was to be saved, and nothing came of it"));
        }
        self.promised.clear();
        if self.follow.is_saving() {
            self.fail("a save waits for nothing");
        }
    }

    fn come_to_rest(&mut self) {
        for _ in 0..200 {
            for change in std::mem::take(&mut self.events) {
                self.follow.tell(change);
            }
            self.start_look();
            self.take_look();
            self.hear_of_look();
            while !self.writings.is_empty() {
                self.write();
            }
            while !self.wrote.is_empty() {
                self.hear_of_write();
            }
            self.read_images();
            if self.events.is_empty() && self.follow.is_settled() && !self.disk.is_away {
                self.check_questions();
            }
            self.answer();
            let is_quiet = self.events.is_empty() && self.look.is_none() && self.writings.is_empty();
            if is_quiet && self.follow.is_settled() && self.follow.question().is_none() {
                return;
            }
        }
        self.fail("it never comes to rest");
    }

    fn check(&self) {
        if self.images != self.disk.images {
            self.fail(&format!("shown {:?}, and there are {:?}", self.images, self.disk.images));
        }
        let all: BTreeSet<&DocPath> = self.project.documents.keys().chain(self.disk.files.keys()).collect();
        for at in all {
            let on_disk = self.disk.files.get(at);
            let source = self.follow.sources().get(at);
            if source.map(|source| source.hash) != on_disk.map(|bytes| content_hash(bytes)) {
                self.fail(&format!("what is known of {at} is not what is there"));
            }
            if self.follow.saved().is_modified(&self.project, at) {
                continue;
            }
            match (on_disk.map(|bytes| decode(at, bytes)), self.project.doc(at)) {
                (None, None) | (Some(None), _) => {}
                (Some(Some(there)), Some(here)) if same(here, &there) => {}
                _ => self.fail(&format!("{at} is not modified, and not what its file says")),
            }
        }
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

/// Each run takes a dozen steps in random order, then everything comes to rest, then all is saved.
fn run(seed: u64, template: &(Loaded, Memory)) -> [usize; 4] {
    let _case = Case::new(seed);
    let mut world = World::new(seed, &template.0, &template.1);
    for _ in 0..5 + seed % 16 {
        world.step();
    }
    world.settle();
    world.check();
    // Saved, everything is as a cold load has it, but for what is broken and was left so.
    for _ in 0..8 {
        for at in world.follow.saved().modified(&world.project) {
            world.save(&at, false);
        }
        world.settle();
    }
    world.check();
    for at in world.follow.saved().modified(&world.project) {
        let is_broken = world.follow.broken().any(|broken| *broken == at);
        if !is_broken && world.follow.question_about(&at).is_none() {
            world.fail(&format!("{at} cannot be saved"));
        }
    }
    [world.n_asked, world.n_merged, world.n_moved, world.n_back]
}

#[test]
fn no_order_of_things_loses_anything() {
    let template = template();
    // As many threads as there are cores on most machines, each with every fourth case.
    let counts = std::thread::scope(|scope| {
        let threads: [_; 4] = std::array::from_fn(|i| {
            let template = &template;
            scope.spawn(move || {
                seeds(8_000)
                    .skip(i)
                    .step_by(4)
                    .map(|seed| run(seed, template))
                    .fold([0; 4], |sum, one| std::array::from_fn(|i| sum[i] + one[i]))
            })
        });
        threads
            .map(|thread| thread.join().expect("a run failed; it is printed above"))
            .iter()
            .fold([0; 4], |sum, one| std::array::from_fn(|i| sum[i] + one[i]))
    });
    let [n_asked, n_merged, n_moved, n_back] = counts;
    assert!(n_back > 20, "{n_back} files that were gone came back with their comments");
    assert!(n_asked > 500 && n_merged > 500 && n_moved > 50, "{n_asked} questions, {n_merged} merges, {n_moved} moved");
}

/// A project that is open, and its disk.
fn opened() -> (Project, Follow, Memory) {
    let (loaded, disk) = template();
    (loaded.project.clone(), Follow::new(&loaded), disk)
}

fn look(follow: &mut Follow, disk: &impl Disk, project: &Project, at: &[&DocPath]) -> Followed {
    follow.tell(Change { paths: at.iter().map(|at| (*at).clone()).collect(), rescan: false });
    let mut followed = Followed::default();
    while let Some(look) = follow.look() {
        followed = follow.looked(look.run(disk), project);
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
    type Change = fn(&mut Memory, DocPath);
    let goes: Change = |disk, a| _ = disk.files.remove(&a);
    let changes: Change = |disk, a| _ = disk.files.insert(a, b"{ \"d\": (set: (C: (x: 60))) }".to_vec());
    for (change, asked) in [(goes, "gone"), (changes, "changed")] {
        change(&mut disk, a.clone());
        let _ = look(&mut follow, &disk, &project, &[&a]);
        assert!(follow.question_about(&a).is_some(), "{asked}");
        disk.files.insert(a.clone(), was.clone());
        let followed = look(&mut follow, &disk, &project, &[&a]);
        assert!(follow.question_about(&a).is_none(), "{asked}, and not so any more");
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
    assert!(!followed.is_changed, "nor told again");
    let followed = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(followed.healed, [a], "when it changes it is read");
}

#[test]
fn a_look_that_fails_waits_for_the_next_change() {
    let (project, mut follow, disk) = opened();
    let (a, b) = (path(0), path(1));
    let mut changed = disk.clone();
    changed.files.insert(a.clone(), b"{ \"d\": (set: (C: (x: 9))) }".to_vec());
    follow.tell(Change { paths: [a.clone()].into(), rescan: false });
    assert!(follow.look().is_some());
    follow.look_failed();
    assert!(follow.look().is_none() && follow.is_settled(), "or it would fail for ever");
    let followed = look(&mut follow, &changed, &project, &[&b]);
    assert_eq!(followed.reloads[0].0, a, "and is not forgotten");
}

/// The file at `at` is written, and heard of.
fn write(follow: &mut Follow, disk: &mut Memory, project: &Project, at: &DocPath) -> String {
    let writing = follow.save(at, project, false).expect("it is written at once");
    let document = writing.document().cloned();
    let from = writing.from().cloned();
    let old = from.as_ref().and_then(|from| disk.files.get(from)).cloned();
    let (writing, is_moved) = writing.moving(old.as_deref(), disk.files.get(at).map(Vec::as_slice));
    if is_moved {
        let bytes = from.and_then(|from| disk.files.remove(&from));
        disk.files.extend(bytes.map(|bytes| (at.clone(), bytes)));
    }
    let result = writing.against(disk.files.get(at).map(Vec::as_slice));
    let text = result.as_ref().unwrap().as_ref().map_or_else(String::new, |source| source.text.to_string());
    match result.as_ref().unwrap() {
        Some(source) => _ = disk.files.insert(at.clone(), source.text.as_bytes().to_vec()),
        None => _ = disk.files.remove(at),
    }
    let followed = follow.wrote(Wrote { path: at.clone(), document, is_moved, result }, project).unwrap();
    assert_eq!(followed.saved.as_ref(), Some(at));
    text
}

fn put(project: &mut Project, followed: &Followed) {
    for (at, document) in &followed.reloads {
        match document {
            Some(document) => _ = project.documents.insert(at.clone(), document.clone()),
            None => _ = project.documents.remove(at),
        }
    }
}

const FIRST: &str = "{\n    \"d\": (set: (C: (x: 1, y: 2))), // first\n    \"e\": (set: (C: (x: 3))),\n}\n";

#[test]
fn a_file_that_was_removed_and_kept_is_written_with_its_comments() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let mine = with(project.doc(&a).unwrap(), "d", 50);
    project.documents.insert(a.clone(), mine);
    disk.files.remove(&a);
    let _ = look(&mut follow, &disk, &project, &[&a]);
    assert_eq!(follow.question_about(&a).unwrap().asked, Asked::GoneThere);
    let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST.replace("x: 1", "x: 50"));
    // However much of it is another by then.
    let Document::Entities(mut file) = (**project.doc(&a).unwrap()).clone() else { panic!() };
    disk.files.remove(&a);
    file.defs.shift_remove("e");
    file.defs.insert("new".into(), Arc::default());
    file.defs.insert("newer".into(), Arc::default());
    project.documents.insert(a.clone(), Arc::new(Document::Entities(file)));
    let _ = look(&mut follow, &disk, &project, &[&a]);
    let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    let text = write(&mut follow, &mut disk, &project, &a);
    assert!(text.contains("(set: (C: (x: 50, y: 2))), // first"), "{text}");
}

#[test]
fn a_file_that_was_removed_and_is_taken_back_is_as_it_was() {
    let (mut project, mut follow, mut disk) = opened();
    let (a, b, c) = (path(0), path(1), path(2));
    let before = project.clone();
    let was = disk.files.clone();
    // The whole folder.
    disk.files.retain(|at, _| at.kind() == Some(DocKind::Project));
    let followed = look(&mut follow, &disk, &project, &[&DocPath::new("entities").unwrap()]);
    put(&mut project, &followed);
    assert!(project.doc(&a).is_none() && project.doc(&b).is_none());
    project = before.clone();
    for at in [&a, &b] {
        write(&mut follow, &mut disk, &project, at);
    }
    assert_eq!(disk.files, was);
    // Deleted here, saved, and taken back.
    project.documents.remove(&a);
    write(&mut follow, &mut disk, &project, &a);
    assert!(!disk.files.contains_key(&a));
    project = before.clone();
    write(&mut follow, &mut disk, &project, &a);
    assert_eq!(disk.files, was);
    // Renamed here while another program removed the old file.
    let document = with(project.documents.remove(&a).as_ref().unwrap(), "e", 7);
    project.documents.insert(c.clone(), document);
    disk.files.remove(&a);
    let _ = look(&mut follow, &disk, &project, &[&a]);
    if follow.question_about(&a).is_some() {
        let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    }
    assert_eq!(write(&mut follow, &mut disk, &project, &c), FIRST.replace("x: 3", "x: 7"));
    // The new file is removed, and the rename taken back.
    disk.files.remove(&c);
    let followed = look(&mut follow, &disk, &project, &[&c]);
    put(&mut project, &followed);
    project = before;
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST);
}

#[test]
fn what_is_saved_together_waits_for_one_that_is_being_written() {
    let (mut project, mut follow, _) = opened();
    let (a, b) = (path(0), path(1));
    for at in [&a, &b] {
        let changed = with(project.doc(at).unwrap(), "d", 50);
        project.documents.insert(at.clone(), changed);
    }
    let both = [a.clone(), b.clone()];
    assert!(!follow.has_to_wait(&both));
    let writing = follow.save(&b, &project, false).unwrap();
    assert!(follow.has_to_wait(&both));
    let document = writing.document().cloned();
    let result = writing.against(Some(follow.sources().text(&b).unwrap().as_bytes()));
    let wrote = Wrote { path: b.clone(), document, is_moved: false, result };
    assert_eq!(follow.wrote(wrote, &project).unwrap().save, [a], "the other is what was written");
    assert!(!follow.has_to_wait(&both));
}

#[test]
fn a_document_that_comes_back_by_undo_keeps_its_comments_however_much_of_it_changes_then() {
    let level = "(\n    tile_size: (16, 16),\n    layers: [\n        // ground\n        Tiles(name: \"t\", tileset: \"ts\", chunks: {}),\n    ],\n)\n";
    let texts = [
        ("levels/l.ron", level),
        ("entities/a.ron", "// first\n{ \"d\": () }\n"),
        (
            "scenarios/s.ron",
            "(level: \"l\", secs: 9.0, script: [\n    (at: 1.0, to: \"g\", send: \"seen\"), // first\n])\n",
        ),
    ];
    for (at, text) in texts {
        let at = DocPath::new(at).unwrap();
        let (mut loaded, mut disk) = template();
        let source = source_of(&at, text.as_bytes().to_vec());
        let document = source.document.clone().unwrap_or_else(|| panic!("{:?}", source.findings));
        loaded.project.documents.insert(at.clone(), document.clone());
        loaded.sources.put(at.clone(), source);
        disk.files.remove(&at);
        let (mut project, mut follow) = (loaded.project.clone(), Follow::new(&loaded));
        let before = project.clone();
        let followed = look(&mut follow, &disk, &project, &[&at]);
        put(&mut project, &followed);
        assert!(project.doc(&at).is_none());
        follow.project_changed(&project);
        project = before;
        follow.project_changed(&project);
        let mut new = Document::clone(&document);
        match &mut new {
            Document::Level(level) => Arc::make_mut(&mut level.layers[0]).opacity = 0.5,
            Document::Entities(file) => {
                let def = file.defs.shift_remove("d").unwrap();
                file.defs.insert("e".into(), def);
            }
            Document::Scenario(scenario) => scenario.script[0].at = 2.0,
            _ => panic!(),
        }
        project.documents.insert(at.clone(), Arc::new(new));
        let written = write(&mut follow, &mut disk, &project, &at);
        assert!(written.contains("// ground") || written.contains("// first"), "{written}");
    }
}

#[test]
fn a_file_that_was_removed_and_made_again_says_what_is_there_now() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let before = project.clone();
    disk.files.remove(&a);
    let followed = look(&mut follow, &disk, &project, &[&a]);
    put(&mut project, &followed);
    let theirs = "{\n    \"d\": (set: (C: (x: 9))), // theirs\n    \"e\": (),\n}\n";
    disk.files.insert(a.clone(), theirs.as_bytes().to_vec());
    let followed = look(&mut follow, &disk, &project, &[&a]);
    put(&mut project, &followed);
    assert_eq!(tokens(project.doc(&a).unwrap()), BTreeSet::from([9]));
    project = before;
    let text = write(&mut follow, &mut disk, &project, &a);
    assert!(text.contains("// theirs") && !text.contains("// first"), "what another program wrote stays: {text}");
}

#[test]
fn a_broken_file_that_is_overwritten_keeps_its_comments() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    for there in [Some(b"{ \"half".to_vec()), None] {
        match there {
            Some(bytes) => _ = disk.files.insert(a.clone(), bytes),
            None => _ = disk.files.remove(&a),
        }
        let _ = look(&mut follow, &disk, &project, &[&a]);
        let mine = with(project.doc(&a).unwrap(), "d", 50);
        project.documents.insert(a.clone(), mine);
        if follow.question_about(&a).is_some() {
            let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
        }
        let document = project.doc(&a).unwrap();
        assert_eq!(follow.sources().text_of(&a, document), FIRST.replace("x: 1", "x: 50"));
    }
}

#[test]
fn an_unrelated_file_of_the_same_name_is_written_anew() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    project.documents.remove(&a);
    write(&mut follow, &mut disk, &project, &a);
    let nothing = Document::Entities(EntitiesFile::default());
    project.documents.insert(a.clone(), with(&nothing, "other", 1));
    assert!(!write(&mut follow, &mut disk, &project, &a).contains("first"));
}

#[test]
fn what_was_kept_of_a_removed_file_outlives_a_crash_with_its_comments() {
    let (mut project, mut follow, mut disk) = opened();
    let a = path(0);
    let mine = with(project.doc(&a).unwrap(), "d", 50);
    project.documents.insert(a.clone(), mine);
    disk.files.remove(&a);
    let _ = look(&mut follow, &disk, &project, &[&a]);
    let _ = follow.answer(&a, &project, &Choices::all(Side::Mine));
    let mut journal = levelwright::io::journal::Journal::default();
    journal.line(follow.unsaved(&project), 1).unwrap();
    let replayed = levelwright::io::journal::read(journal.whole("p", 1).as_bytes()).unwrap();
    let recovered: Vec<_> =
        replayed.entries.iter().filter_map(|(at, entry)| levelwright::io::journal::Recovered::of(at, entry)).collect();
    // The next start finds no such file.
    let (mut loaded, _) = template();
    loaded.project.documents.remove(&a);
    loaded.sources.take_away(&a);
    let (mut project, mut follow) = (loaded.project.clone(), Follow::new(&loaded));
    let followed = follow.restore(&recovered, &project);
    put(&mut project, &followed);
    assert_eq!(write(&mut follow, &mut disk, &project, &a), FIRST.replace("x: 1", "x: 50"));
}
