//! Readers of what is no document: journals, the clipboard, images.

use std::sync::Arc;

use levelwright::{
    edit::{Fragment, apply_all, copy_states, copy_things, paste_states, paste_things, replace},
    io::{
        Follow, Loaded, Sources, content_hash,
        journal::{Journal, Recovered, Unsaved, read},
        load_one, same, source_of, text_of,
    },
    model::{DocPath, Document, Project},
    raster::Image,
};

use super::{
    corpus::{Dice, Files, documents, projects},
    guard,
    mutate::{self, names},
};

const JOURNAL: &str = "journal.jsonl";

/// What of a project could be read.
fn loaded(files: &Files) -> Loaded {
    let mut loaded = Loaded { sources: Sources::new("/nowhere".as_ref()), ..Loaded::default() };
    for (path, bytes) in files {
        let Some(path) = DocPath::new(path).filter(|path| path.kind().is_some()) else { continue };
        let source = source_of(&path, bytes.clone());
        if let Some(document) = &source.document {
            loaded.project.documents.insert(path.clone(), Arc::clone(document));
        }
        loaded.sources.put(path, source);
    }
    loaded
}

/// A journal that says that some documents of a project became others.
fn journal(project: &Loaded, dice: &mut Dice) -> Vec<u8> {
    let mut journal = Journal::default();
    let mut out = journal.whole("/nowhere", 1);
    for secs in 2..5 {
        let mut unsaved = Vec::new();
        for path in project.project.documents.keys() {
            let source = project.sources.get(path).cloned();
            let other = documents().iter().filter(|(other, _)| other.kind() == path.kind()).collect::<Vec<_>>();
            let other = load_one(path, &dice.pick(&other).1).0.map(Arc::new);
            let document = match dice.below(4) {
                0 => None,
                1 => other,
                _ => continue,
            };
            unsaved.push(Unsaved { path: path.clone(), document, source, last: None, saved: None });
        }
        out.extend(journal.line(unsaved, secs));
    }
    out.into_bytes()
}

#[test]
fn journals() {
    let project = loaded(&projects()[0]);
    guard::run("journals", 200, (20, 2 << 20), |dice| {
        let whole = journal(&project, dice);
        // Half of them are damaged beneath the hash of each line, which would have been found out otherwise.
        let damaged = if dice.one_in(2) {
            mutate::bytes(&whole, dice)
        } else {
            let lines = whole.split_inclusive(|byte| *byte == b'\n');
            let lines = lines.map(|line| {
                let json = line.get(17..line.len().saturating_sub(1)).unwrap_or_default();
                let json = if dice.one_in(2) { mutate::bytes(json, dice) } else { json.to_vec() };
                let json: Vec<u8> = json.into_iter().filter(|byte| *byte != b'\n').collect();
                [format!("{:016x} ", content_hash(&json)).into_bytes(), json, b"\n".to_vec()].concat()
            });
            lines.collect::<Vec<_>>().concat()
        };
        let mut files = projects()[0].clone();
        files.insert(JOURNAL.to_owned(), damaged.clone());
        let project = &project;
        (files, move || restore(&damaged, project))
    });
}

fn restore(bytes: &[u8], project: &Loaded) {
    let Some(replayed) = read(bytes) else { return };
    assert!(replayed.n_bytes <= bytes.len());
    let recovered: Vec<Recovered> =
        replayed.entries.iter().filter_map(|(path, entry)| Recovered::of(path, entry)).collect();
    let mut follow = Follow::new(project);
    let followed = follow.restore(&recovered, &project.project);
    let mut restored = project.project.clone();
    replace(&mut restored, followed.reloads);
    for (path, document) in &restored.documents {
        let text = text_of(document, follow.sources().get(path));
        let read = load_one(path, &text).0.unwrap_or_else(|| panic!("{path} cannot be read back:\n{text}"));
        assert!(same(&read, document), "{path} reads back as another:\n{text}");
    }
}

#[test]
fn the_clipboard() {
    let names = names(projects().last().unwrap());
    let project = loaded(projects().last().unwrap());
    let fragments = fragments(&project.project);
    assert!(fragments.len() > 10);
    guard::run("the_clipboard", 500, (50, 2 << 20), |dice| {
        let text = dice.pick(&fragments);
        let damaged = if dice.one_in(2) {
            mutate::values(text, &names, dice).into_bytes()
        } else {
            mutate::bytes(text.as_bytes(), dice)
        };
        let files = Files::from([("clipboard.ron".to_owned(), damaged.clone())]);
        let project = &project.project;
        (files, move || paste(&String::from_utf8_lossy(&damaged), project))
    });
}

/// Everything that can be copied, as text.
fn fragments(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    for document in project.documents.values() {
        match &**document {
            Document::Level(level) => {
                let ids: Vec<_> = level.entities().map(|(_, id, _)| id.clone()).take(4).collect();
                out.extend(copy_things(level, &ids));
            }
            Document::Machines(file) => {
                for (name, machine) in &file.machines {
                    let paths: Vec<_> = machine.paths().into_iter().take(2).collect();
                    out.extend(copy_states(machine, name, &paths));
                }
            }
            _ => {}
        }
    }
    out.iter().map(|fragment| fragment.to_text().unwrap()).collect()
}

fn paste(text: &str, project: &Project) {
    let Ok(fragment) = Fragment::from_text(text) else { return };
    assert!(!fragment.describe().is_empty());
    for (path, document) in &project.documents {
        let edits = match &**document {
            Document::Level(level) => {
                paste_things((path, level), None, &fragment, [8.0, 8.0], 7).map(|(edits, _)| edits)
            }
            Document::Machines(file) => {
                let Some((name, machine)) = file.machines.iter().next() else { continue };
                paste_states((path, name, machine), &"".into(), &fragment, [8.0, 8.0]).map(|(edits, _)| edits)
            }
            _ => continue,
        };
        let mut after = project.clone();
        if edits.is_ok_and(|edits| apply_all(&mut after, &edits).is_ok()) {
            let document = &after.documents[path];
            let text = text_of(document, None);
            let (read, findings) = load_one(path, &text);
            let read = read.unwrap_or_else(|| panic!("{path} cannot be read back: {findings:?}"));
            assert!(same(&read, document), "{path} reads back as another");
        }
    }
}

#[test]
fn images() {
    let all: Vec<&Vec<u8>> = projects()
        .iter()
        .flatten()
        .filter(|(path, _)| path.strip_suffix(".png").is_some())
        .map(|(_, bytes)| bytes)
        .collect();
    guard::run("images", 800, (10, 8 << 20), |dice| {
        let mut damaged = mutate::bytes(dice.pick(&all).as_slice(), dice);
        if dice.one_in(2) && damaged.len() > 33 {
            // The size that an image claims to have, under a checksum that is right.
            let at = 16 + dice.below(10);
            damaged[at] ^= 1 << dice.below(8);
            let sum = crc32(&damaged[12..29]);
            damaged[29..33].copy_from_slice(&sum.to_be_bytes());
        }
        let files = Files::from([("image.png".to_owned(), damaged.clone())]);
        (files, move || {
            if let Ok(image) = Image::from_png(&damaged) {
                assert_eq!(Image::from_png(&image.to_png().unwrap()).unwrap(), image);
            }
        })
    });
}

/// The checksum of a PNG's parts.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}
