//! The journal of unsaved changes: after a kill at any moment it holds its content before or after the write; a damaged
//! journal loses entries without an error, and restored entries are merged with the present content of the files.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use levelwright::{
    io::{
        Choices, Conflict, Follow,
        journal::{Journal, Keeper, Mine, Store, Unsaved, find, folder_of, read},
        load, same,
    },
    model::*,
};
use proptest::prelude::*;

use crate::cases::cases;

const A: &str = "entities/a.ron";
const B: &str = "entities/b.ron";

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

const TEXT: &str = "{\n    \"x\": (set: (C: (n: 1))), // one\n    \"y\": (set: (C: (n: 2))),\n}\n";

/// A project of two files, and a folder for journals.
fn project() -> (tempfile::TempDir, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("entities")).unwrap();
    fs::write(root.path().join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
    fs::write(root.path().join(A), TEXT).unwrap();
    fs::write(root.path().join(B), TEXT.replace('x', "v").replace('y', "w")).unwrap();
    (root, tempfile::tempdir().unwrap())
}

/// A program that has a project open.
struct Open {
    project: Project,
    follow: Follow,
}

fn open(root: &Path) -> Open {
    let loaded = load(root);
    Open { follow: Follow::new(&loaded), project: loaded.project }
}

impl Open {
    fn set(&mut self, at: &str, def: &str, n: i64) {
        let document = self
            .project
            .documents
            .entry(path(at))
            .or_insert_with(|| Arc::new(Document::Entities(EntitiesFile::default())));
        let Document::Entities(file) = Arc::make_mut(document) else { panic!() };
        let def = Arc::make_mut(file.defs.entry(def.into()).or_default());
        def.ops.set.entry("C".into()).or_default().insert("n".into(), Value::Int(n));
    }

    fn n(&self, at: &str, def: &str) -> Option<i64> {
        self.project.def(&path(at), def)?.ops.set.get("C")?.get("n")?.as_i64()
    }

    fn unsaved(&self) -> Vec<Unsaved> {
        self.follow.unsaved(&self.project)
    }

    /// Start again after a crash, with what was found.
    fn restored(root: &Path, journals: &Path) -> Self {
        let mut open = open(root);
        let found = find(journals, root);
        assert_eq!(found.len(), 1);
        let followed = open.follow.restore(&found[0].entries, &open.project);
        levelwright::edit::replace(&mut open.project, followed.reloads);
        found[0].retire().unwrap();
        open
    }
}

fn only_file(journals: &Path, root: &Path) -> std::path::PathBuf {
    let files: Vec<_> = fs::read_dir(folder_of(journals, root)).unwrap().flatten().map(|it| it.path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn what_is_not_saved_is_read_back_and_gone_when_it_is() {
    let (root, journals) = project();
    let mut open = open(root.path());
    let mut store = Store::new(journals.path(), root.path());
    store.keep(open.unsaved()).unwrap();
    assert_eq!(fs::read_dir(journals.path()).unwrap().count(), 0, "nothing is written for nothing");
    open.set(A, "x", 10);
    open.set("entities/new.ron", "z", 11);
    open.project.documents.remove(&path(B));
    store.keep(open.unsaved()).unwrap();
    let file = only_file(journals.path(), root.path());
    let before = fs::read(&file).unwrap();
    store.keep(open.unsaved()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), before, "the same again is no news");
    open.set(A, "x", 12);
    store.keep(open.unsaved()).unwrap();
    let after = fs::read(&file).unwrap();
    assert_eq!(after[..before.len()], before[..], "what was said stays");
    let line = String::from_utf8(after[before.len()..].to_vec()).unwrap();
    assert!(line.contains("\"2\"") && !line.contains("new.ron"), "only what changed is said: {line}");

    assert!(find(journals.path(), root.path()).is_empty(), "its writer lives");
    drop(store);
    let again = Open::restored(root.path(), journals.path());
    assert!(find(journals.path(), root.path()).is_empty());
    assert_eq!(again.n(A, "x"), Some(12));
    assert_eq!(again.n("entities/new.ron", "z"), Some(11));
    assert_eq!(again.n(B, "v"), None);
    assert_eq!(again.follow.saved().modified(&again.project), [path(A), path(B), path("entities/new.ron")]);

    let mut store = Store::new(journals.path(), root.path());
    store.keep(again.unsaved()).unwrap();
    store.keep(Vec::new()).unwrap();
    assert_eq!(fs::read_dir(journals.path()).unwrap().count(), 0, "with nothing unsaved there is no journal");
}

#[test]
fn a_long_journal_is_written_anew() {
    let (root, journals) = project();
    let mut open = open(root.path());
    for i in 0..2000 {
        open.set(A, &format!("a_definition_with_a_long_name_{i}"), i);
    }
    let mut store = Store::new(journals.path(), root.path());
    let mut longest = 0;
    for i in 0..60 {
        // Everything changes, and the whole text is recorded.
        for j in 0..2000 {
            open.set(A, &format!("a_definition_with_a_long_name_{j}"), i * 10_000 + j);
        }
        store.keep(open.unsaved()).unwrap();
        longest = longest.max(fs::metadata(only_file(journals.path(), root.path())).unwrap().len());
        let bytes = fs::read(only_file(journals.path(), root.path())).unwrap();
        let replayed = read(&bytes).unwrap();
        assert_eq!(replayed.n_bytes, bytes.len());
        assert!(replayed.entries[&path(A)].text.as_ref().unwrap().contains(&(i * 10_000 + 7).to_string()));
    }
    assert!(longest < 3 << 20, "{longest}");
}

#[test]
fn a_stroke_in_a_large_document_is_a_short_line() {
    let (root, journals) = project();
    let mut open = open(root.path());
    for i in 0..5000 {
        open.set(A, &format!("d{i}"), i);
    }
    let mut store = Store::new(journals.path(), root.path());
    store.keep(open.unsaved()).unwrap();
    let file = only_file(journals.path(), root.path());
    let before = fs::metadata(&file).unwrap().len();
    open.set(A, "d2500", -1);
    store.keep(open.unsaved()).unwrap();
    assert!(fs::metadata(&file).unwrap().len() - before < 300);
}

/// What a program does to its documents between two lines.
#[derive(Clone, Debug)]
enum Did {
    Set(usize, i64),
    Remove(usize),
    Saved(usize),
}

fn did() -> impl Strategy<Value = Did> {
    prop_oneof![
        4 => (0..3_usize, any::<i64>()).prop_map(|(at, n)| Did::Set(at, n)),
        1 => (0..3_usize).prop_map(Did::Remove),
        1 => (0..3_usize).prop_map(Did::Saved),
    ]
}

fn replayed(text: &str) -> levelwright::io::journal::Replayed {
    read(text.as_bytes()).unwrap()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn killed_at_any_byte_it_says_what_it_said_or_was_to_say(
        all in prop::collection::vec(prop::collection::vec(did(), 1..4), 1..6),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let places = [A, B, "entities/ü\"\n.ron"];
        let (root, _) = project();
        let mut open = open(root.path());
        let mut journal = Journal::default();
        let mut file = journal.whole("root", 0);
        let mut states = vec![replayed(&file).entries];
        for (i, some) in all.into_iter().enumerate() {
            for one in some {
                match one {
                    Did::Set(at, n) => open.set(places[at], "x", n),
                    Did::Remove(at) => _ = open.project.documents.remove(&path(places[at])),
                    Did::Saved(at) => if let Some(writing) = open.follow.save(&path(places[at]), &open.project, true) {
                        let document = open.project.doc(&path(places[at])).cloned();
                        let source = writing.against(None).unwrap();
                        let wrote = levelwright::io::Wrote { path: path(places[at]), document, is_moved: false, result: Ok(source) };
                        let _ = open.follow.wrote(wrote, &open.project).unwrap();
                    },
                }
            }
            let Some(line) = journal.line(open.unsaved(), i as u64) else { continue };
            let before = states.last().unwrap().clone();
            let now = replayed(&(file.clone() + &line)).entries;
            for cut in 0..=line.len() {
                let said = read(&[file.as_bytes(), &line.as_bytes()[..cut]].concat()).unwrap().entries;
                prop_assert_eq!(&said, if cut == line.len() { &now } else { &before });
            }
            // It says what is not saved, no more and no less.
            for it in open.unsaved() {
                let said = now[&it.path].text.as_deref();
                let base = it.source.as_ref().filter(|source| source.document.is_some()).or(it.last.as_ref());
                let text = it.document.as_ref().map(|document| levelwright::io::text_of(document, base));
                prop_assert_eq!(said, text.as_deref());
                prop_assert_eq!(now[&it.path].base.as_ref().map(|base| base.hash), it.source.map(|source| source.hash));
            }
            prop_assert_eq!(now.len(), open.unsaved().len());
            // Written anew it says the same.
            prop_assert_eq!(&replayed(&journal.whole("root", 0)).entries, &now);
            file += &line;
            states.push(now);
        }
        // Damaged anywhere, it holds an earlier state, or nothing.
        let mut bytes = file.into_bytes();
        for (at, to) in damage {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        if let Some(said) = read(&bytes) {
            prop_assert!(states.contains(&said.entries));
        }
    }

    #[test]
    fn no_bytes_make_a_journal_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }
}

#[test]
fn what_is_no_journal_of_this_project_is_left_alone() {
    let (root, journals) = project();
    let mut one = open(root.path());
    one.set(A, "x", 10);
    let mut store = Store::new(journals.path(), root.path());
    store.keep(one.unsaved()).unwrap();
    let text = fs::read(only_file(journals.path(), root.path())).unwrap();
    drop(store);
    let folder = folder_of(journals.path(), root.path());
    let other = String::from_utf8(text.clone()).unwrap().replace(&*root.path().to_string_lossy(), "/somewhere/else");
    fs::write(folder.join("garbage.journal"), [0, 159, 146, 150, b'\n']).unwrap();
    fs::write(folder.join("empty.journal"), "").unwrap();
    fs::write(folder.join("half.journal"), &text[..40]).unwrap();
    fs::write(folder.join("other.journal"), other).unwrap();
    fs::write(folder.join("half.new"), &text[..text.len() - 9]).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::create_dir(folder.join("folder.journal")).unwrap();
    let found = find(journals.path(), root.path());
    assert_eq!(found.len(), 1);
    assert!(find(journals.path(), root.path()).is_empty(), "a journal that the user is asked about is locked");
    for found in found {
        found.discard().unwrap();
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 7);
}

#[test]
fn what_cannot_be_read_is_kept_aside() {
    let (root, journals) = project();
    let mut one = open(root.path());
    one.set(A, "x", 10);
    // No file can say this: it would be read as something else.
    one.set(B, "v", 11);
    let mut store = Store::new(journals.path(), root.path());
    let mut unsaved = one.unsaved();
    unsaved[1].path = path("levels/b.ron");
    store.keep(unsaved).unwrap();
    drop(store);
    let found = find(journals.path(), root.path());
    assert!(matches!(found[0].entries[1].mine, Mine::Unreadable));
    let aside = found[0].put_aside().unwrap();
    let mut open = open(root.path());
    let followed = open.follow.restore(&found[0].entries, &open.project);
    assert_eq!(followed.reloads.len(), 1);
    found[0].retire().unwrap();
    // It is tried again where another journal could not be retired.
    found[0].retire().unwrap();
    drop(found);
    assert!(find(journals.path(), root.path()).is_empty());
    assert!(fs::read_to_string(aside).unwrap().contains("levels/b.ron"));
}

#[test]
fn a_failing_disk_is_reported_and_later_has_it_all() {
    let (root, journals) = project();
    let mut open = open(root.path());
    let mut store = Store::new(journals.path(), root.path());
    let folder = folder_of(journals.path(), root.path());
    fs::write(&folder, "in the way").unwrap();
    open.set(A, "x", 10);
    assert!(store.keep(open.unsaved()).is_err());
    open.set(B, "v", 11);
    assert!(store.keep(open.unsaved()).is_err());
    fs::remove_file(&folder).unwrap();
    store.keep(open.unsaved()).unwrap();
    drop(store);
    let again = Open::restored(root.path(), journals.path());
    assert_eq!([again.n(A, "x"), again.n(B, "v")], [Some(10), Some(11)]);
}

/// A program that is killed after this, and the next one after that happened to its files.
fn after(edit: impl FnOnce(&mut Open), meanwhile: impl FnOnce(&Path)) -> (tempfile::TempDir, Open) {
    let (root, journals) = project();
    let mut open = open(root.path());
    edit(&mut open);
    let mut store = Store::new(journals.path(), root.path());
    store.keep(open.unsaved()).unwrap();
    drop(store);
    meanwhile(root.path());
    let again = Open::restored(root.path(), journals.path());
    (root, again)
}

fn write(root: &Path, at: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(at)).unwrap();
    assert!(text.contains(from));
    fs::write(root.join(at), text.replace(from, to)).unwrap();
}

#[test]
fn a_file_that_changed_since_is_merged() {
    let (root, mut again) = after(|open| open.set(A, "x", 10), |root| write(root, A, "(n: 2)", "(n: 20) /* theirs */"));
    assert_eq!([again.n(A, "x"), again.n(A, "y")], [Some(10), Some(20)]);
    assert!(again.follow.question().is_none());
    assert_eq!(again.follow.saved().modified(&again.project), [path(A)]);
    let wrote = super::save::run(again.follow.save(&path(A), &again.project, false).unwrap());
    let _ = again.follow.wrote(wrote, &again.project).unwrap();
    let text = TEXT.replace("(n: 1)", "(n: 10)").replace("(n: 2)", "(n: 20) /* theirs */");
    assert_eq!(fs::read_to_string(root.path().join(A)).unwrap(), text);
}

#[test]
fn a_file_that_says_it_already_needs_nothing() {
    let (_root, again) = after(|open| open.set(A, "x", 10), |root| write(root, A, "(n: 1)", "(n: 10) /* same */"));
    assert_eq!(again.n(A, "x"), Some(10));
    assert!(again.follow.saved().modified(&again.project).is_empty());
}

#[test]
fn what_both_changed_is_asked_about() {
    for side in [Side::Mine, Side::Theirs] {
        let (_root, mut again) = after(|open| open.set(A, "x", 10), |root| write(root, A, "(n: 1)", "(n: 100)"));
        let (at, question) = again.follow.question().unwrap();
        assert!(*at == path(A) && matches!(&question.conflict, Conflict::Places(places) if places.len() == 1));
        assert_eq!(again.n(A, "x"), Some(10));
        let followed = again.follow.answer(&path(A), &again.project, &Choices::all(side));
        let merged = followed.merges.into_iter().map(|it| (it.doc, Some(it.document)));
        levelwright::edit::replace(&mut again.project, merged.chain(followed.reloads));
        let is_mine = side == Side::Mine;
        assert_eq!(again.n(A, "x"), Some(if is_mine { 10 } else { 100 }));
        assert_eq!(again.follow.saved().is_modified(&again.project, &path(A)), is_mine);
        assert!(again.follow.question().is_none());
    }
}

#[test]
fn files_that_went_or_came_are_asked_about() {
    let (_root, again) = after(|open| open.set(A, "x", 10), |root| fs::remove_file(root.join(A)).unwrap());
    assert_eq!(again.follow.question().unwrap().1.conflict, Conflict::GoneThere);
    assert_eq!(again.n(A, "x"), Some(10));

    let (_root, again) =
        after(|open| _ = open.project.documents.remove(&path(A)), |root| write(root, A, "(n: 1)", "(n: 100)"));
    assert_eq!(again.follow.question().unwrap().1.conflict, Conflict::GoneHere);
    assert!(again.follow.question().unwrap().1.theirs().unwrap().contains("100"));

    let (_root, again) = after(
        |open| open.set("entities/new.ron", "z", 10),
        |root| fs::write(root.join("entities/new.ron"), TEXT.replace('x', "z")).unwrap(),
    );
    assert!(matches!(again.follow.question().unwrap().1.conflict, Conflict::Places(_)));
}

#[test]
fn a_file_that_broke_since_keeps_what_was_not_saved() {
    let (root, mut again) = after(|open| open.set(A, "x", 10), |root| fs::write(root.join(A), "{ \"half").unwrap());
    assert_eq!(again.n(A, "x"), Some(10));
    assert_eq!(again.follow.broken().collect::<Vec<_>>(), [&path(A)]);
    // Mended, with another change: both stay.
    fs::write(root.path().join(A), TEXT.replace("(n: 2)", "(n: 20)")).unwrap();
    again.follow.mark_dirty(levelwright::io::DiskChange { paths: [path(A)].into(), rescan: false });
    let looked = again.follow.scan().unwrap().run(&levelwright::io::Folder::new(root.path()));
    let followed = again.follow.scanned(looked, &again.project);
    assert_eq!(followed.merges.len(), 1);
    let merged = followed.merges.into_iter().map(|it| (it.doc, Some(it.document)));
    levelwright::edit::replace(&mut again.project, merged);
    assert_eq!([again.n(A, "x"), again.n(A, "y")], [Some(10), Some(20)]);
}

#[test]
fn a_moved_document_is_moved_after_a_crash_too() {
    let edit = |open: &mut Open| {
        open.set(A, "x", 10);
        let document = open.project.documents.remove(&path(A)).unwrap();
        open.project.documents.insert(path("entities/c.ron"), document);
    };
    let (_root, again) = after(edit, |_| {});
    assert_eq!([again.n("entities/c.ron", "x"), again.n(A, "x")], [Some(10), None]);
    assert_eq!(again.follow.moved_from(&path("entities/c.ron"), &again.project), Some(path(A)));
}

#[test]
fn what_a_program_had_written_when_it_was_killed_is_there() {
    let (root, journals) = project();
    for n_lines in [1, 2, 3, 20, 71] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["journal::a_program_that_edits", "--exact", "--ignored", "--nocapture"])
            .env("LEVELWRIGHT_EDIT", root.path())
            .env("LEVELWRIGHT_JOURNALS", journals.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut numbers = lines.filter_map(|line| line.rsplit_once("kept ")?.1.parse::<i64>().ok());
        let killed_at = numbers.nth(n_lines - 1).unwrap();
        // Wherever in its next lines it is by now.
        child.kill().unwrap();
        child.wait().unwrap();
        let last = numbers.last().unwrap_or(killed_at);
        let again = Open::restored(root.path(), journals.path());
        let kept = again.n(A, "x").unwrap();
        // The last may have been written without its line.
        assert!(kept == last || kept == last + 1, "{kept} of {last}");
    }
}

/// Run by the test above: prints each number once the journal has it, until it is killed. Ends when its output is
/// closed.
#[test]
#[ignore = "is run as a program of its own, to be killed"]
fn a_program_that_edits() {
    let Some(root) = std::env::var_os("LEVELWRIGHT_EDIT") else { return };
    let Some(journals) = std::env::var_os("LEVELWRIGHT_JOURNALS") else { return };
    let (root, journals) = (Path::new(&root), Path::new(&journals));
    let mut open = open(root);
    let mut store = Store::new(journals, root);
    for n in 1000.. {
        open.set(A, "x", n);
        store.keep(open.unsaved()).unwrap();
        println!("kept {n}");
    }
}

#[test]
fn a_keeper_that_just_ends_leaves_its_journal_and_one_that_forgets_does_not() {
    let (root, journals) = project();
    let mut open = open(root.path());
    open.set(A, "x", 10);
    let keeper = Keeper::new(journals.path(), root.path(), || {});
    keeper.keep(open.unsaved(), Vec::new());
    drop(keeper);
    let found = find(journals.path(), root.path());
    assert_eq!(found.len(), 1);
    // Restored, it is let go of once another journal has it.
    let keeper = Keeper::new(journals.path(), root.path(), || {});
    keeper.keep(open.unsaved(), found);
    drop(keeper);
    let found = find(journals.path(), root.path());
    assert_eq!(found.len(), 1);
    assert!(matches!(&found[0].entries[0].mine, Mine::Says(it) if same(it, open.project.doc(&path(A)).unwrap())));
    drop(found);
    let keeper = Keeper::new(journals.path(), root.path(), || {});
    keeper.keep(open.unsaved(), find(journals.path(), root.path()));
    keeper.forget();
    drop(keeper);
    assert_eq!(fs::read_dir(journals.path()).unwrap().count(), 0);
}
