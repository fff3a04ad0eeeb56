//! Everything that can happen, in random orders.

use super::*;

impl World {
    /// A document with something changed: a number, a definition more or less, the order.
    fn changed(&mut self, document: Option<&Document>, at: &DocPath) -> Document {
        let token = self.token();
        if at.kind() == Some(DocKind::Project) {
            return Document::Project(ProjectFile {
                format: 1,
                name: token.to_string(),
                start_level: "".into(),
                view: LevelView::Platformer,
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
        let change = DiskChange {
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
                self.events.push(DiskChange { rescan: true, ..DiskChange::default() });
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
            let conflict = match self.follow.question_about(at) {
                None => continue,
                Some(question) => (question.conflict.clone(), question.theirs().map(str::to_owned)),
            };
            // All that is asked about has been seen, and is in the user's hands.
            self.promised.remove(at);
            self.n_asked += 1;
            let theirs = conflict.1.and_then(|text| decode(at, text.as_bytes()));
            match conflict.0 {
                Conflict::Places(places) => {
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
            let conflict = &self.shown;
            if let Some(lost) =
                here.iter().find(|it| !there.contains(it) && !self.written.contains(it) && !conflict.contains(it))
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
            self.look = self.follow.scan();
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
            let followed = self.follow.scanned(looked, &self.project);
            self.carry_out(followed);
        }
    }

    fn answer(&mut self) {
        let Some((at, question)) = self.follow.question() else { return };
        let (at, conflict) = (at.clone(), question.conflict.clone());
        let mut choices = Choices::default();
        match (self.roll(4), conflict) {
            (0, _) | (3, Conflict::GoneHere | Conflict::GoneThere | Conflict::Broken) => {
                choices = Choices::all(Side::Mine);
            }
            (1, _) => choices = Choices::all(Side::Theirs),
            (_, Conflict::Places(places)) => {
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
                    self.follow.mark_dirty(change);
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
            self.events.push(DiskChange { rescan: true, ..DiskChange::default() });
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
                self.follow.mark_dirty(change);
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
                seeds(3_000)
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
    assert!(n_back > 8, "{n_back} files that were gone came back with their comments");
    assert!(n_asked > 200 && n_merged > 200 && n_moved > 20, "{n_asked} questions, {n_merged} merges, {n_moved} moved");
}
