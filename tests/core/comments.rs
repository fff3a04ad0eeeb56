//! Comments go along with what moves, in the same file or to another one; those beside what goes for good are listed.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use levelwright::{
    check::{Which, fix},
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply, apply_all},
    io::{Source, Sources, load_one},
    model::*,
    refactor::{Delete, Extract, Inline, delete, extract, inline, move_up},
};
use proptest::prelude::*;

use crate::{
    build::path,
    cases::cases,
    check::builtin,
    text::{comments, scribbled_project, some_change},
};

struct Game {
    project: Project,
    sources: Sources,
}

fn game(files: &[(&str, &str)]) -> Game {
    let mut sources = Sources::new(Path::new(""));
    let mut project = Project::default();
    for (at, text) in files {
        let (document, findings) = load_one(&path(at), text);
        let document = Arc::new(document.unwrap_or_else(|| panic!("{findings:?}")));
        project.documents.insert(path(at), Arc::clone(&document));
        sources.put(path(at), Source::new((*text).into(), 0, findings, Some(document)));
    }
    Game { project, sources }
}

impl Game {
    fn resolved(&self) -> Resolution {
        resolve(&self.project, &builtin(), None)
    }

    /// What the files become, one behind the other, and the comments that are lost.
    fn after(&self, edits: &[Edit]) -> (String, Vec<String>) {
        let mut after = self.project.clone();
        apply_all(&mut after, edits).unwrap();
        self.written(&after)
    }

    fn written(&self, after: &Project) -> (String, Vec<String>) {
        let texts = self.sources.texts(&self.project, after);
        for (at, text) in &texts.files {
            let read = text.as_ref().map(|text| load_one(at, text).0.unwrap());
            assert_eq!(read.as_ref(), after.doc(at).map(|document| &**document), "{text:?}");
        }
        let place = |it: &Difference| {
            let (line, column) = self.sources.line_column(&it.location);
            format!("{}:{line}:{column}: {}", it.location.doc.stem(), it.before.as_deref().unwrap_or_default())
        };
        (texts.files.into_iter().filter_map(|(_, text)| text).collect(), texts.lost.iter().map(place).collect())
    }

    fn extracted(&self, children: &[&str], name: &str) -> (String, Vec<String>) {
        let children = children.iter().map(|it| Name::from(*it)).collect();
        let what = Extract { children, name: name.into(), keep: BTreeSet::new() };
        self.after(&extract(&self.project, &self.resolved(), &what).unwrap().edits)
    }
}

const TWINS: &str = r#"{
    // The left one.
    "left": (
        set: (
            // As tough as a goblin.
            Health: (max: 7.0),
            Walker: (
                speed: 33.0, // px/s
                jump: 100.0, // left only
            ),
        ),
    ),
    "right": (
        set: (
            Health: (max: 7.0), // tough
            Walker: (
                speed: 33.0, // px/s
            ),
        ),
    ),
}
"#;

#[test]
fn what_is_extracted_takes_its_comments_along() {
    let (text, lost) = game(&[("entities/twins.ron", TWINS)]).extracted(&["left", "right"], "twin");
    let wanted = r#"{
    "twin": (
        abstract: true,
        set: (
            Walker: (
                speed: 33.0, // px/s
            ),
            // As tough as a goblin.
            Health: (max: 7.0), // tough
        ),
    ),
    // The left one.
    "left": (
        inherits: ["twin"],
        set: (
            Walker: (
                jump: 100.0, // left only
            ),
        ),
    ),
    "right": (
        inherits: ["twin"],
    ),
}
"#;
    assert_eq!(text, wanted);
    assert_eq!(lost, [""; 0]);
}

/// Also where one definition stands in another file, with other line ends.
#[test]
fn comments_go_from_one_file_to_another() {
    let (left, right) = TWINS.split_at(TWINS.find("    \"right\"").unwrap());
    let (left, right) = (format!("{left}}}\n"), format!("{{\n{right}").replace("// px/s", "// points a second"));
    let game = game(&[("entities/a.ron", &left.replace('\n', "\r\n")), ("entities/b.ron", &right)]);
    let (text, lost) = game.extracted(&["left", "right"], "twin");
    let wanted = r"        set: (
            Walker: (
                // points a second
                speed: 33.0, // px/s
            ),
            // As tough as a goblin.
            Health: (max: 7.0), // tough
        ),
";
    assert!(text.contains(&wanted.replace('\n', "\r\n")), "{text}");
    assert_eq!(lost, [""; 0]);
}

#[test]
fn a_definition_moves_to_another_file_as_it_is_written() {
    let b = "{\r\n\t\"other\": (),\r\n}\r\n";
    let game = game(&[("entities/a.ron", TWINS), ("entities/b.ron", b)]);
    let def = (**game.project.def(&path("entities/a.ron"), "left").unwrap()).clone();
    let put = Edit::PutDef { doc: path("entities/b.ron"), name: "left".into(), def, before: None };
    let remove = Edit::Remove { doc: path("entities/a.ron"), at: FieldPath::keys(["left"]) };
    let (text, lost) = game.after(&[remove, put]);
    let (from, to) = (TWINS.find("    // The left").unwrap(), TWINS.find("    \"right\"").unwrap());
    let moved = TWINS[from..to].lines().map(|line| format!("\t{}\r\n", line.strip_prefix("    ").unwrap()));
    assert!(text.ends_with(&format!("{{\r\n\t\"other\": (),\r\n{}}}\r\n", moved.collect::<String>())), "{text:?}");
    assert_eq!(lost, [""; 0]);
    // To a new file, the old one gone.
    let new = Document::Entities(game.project.entities(&path("entities/a.ron")).unwrap().clone());
    let mut after = game.project.clone();
    after.documents.remove(&path("entities/a.ron"));
    let Document::Entities(mut file) = new else { panic!() };
    file.defs.insert("new".into(), Arc::default());
    after.documents.insert(path("entities/c.ron"), Arc::new(Document::Entities(file)));
    let (text, lost) = game.written(&after);
    assert_eq!(text, TWINS.replace("\n}\n", "\n    \"new\": (),\n}\n"));
    assert_eq!(lost, [""; 0]);
}

#[test]
fn what_moves_up_takes_its_comments_along() {
    let file = r#"{
    "parent": (
        set: (
            Health: (
                max: 5.0,
            ),
        ),
    ),
    "child": (
        inherits: ["parent"],
        set: (
            Health: (
                // measured
                max: 9.0, // in March
            ),
        ),
    ),
}
"#;
    let game = game(&[("entities/a.ron", file)]);
    let owner = Owner::Def { doc: path("entities/a.ron"), name: "child".into() };
    let field = ("Health".into(), "max".into());
    let moved = move_up(&game.project, &game.resolved(), &owner, (&field.0, &field.1), &"parent".into()).unwrap();
    let (text, lost) = game.after(&moved.plan.edits);
    let wanted = r#"            Health: (
                // measured
                max: 9.0, // in March
            ),
        ),
    ),
    "child": (
        inherits: ["parent"],
"#;
    assert!(text.contains(wanted), "{text}");
    assert_eq!(lost, [""; 0]);
}

#[test]
fn what_is_inlined_takes_its_comments_along() {
    let file = r#"{
    // What both are.
    "base": (
        abstract: true,
        set: (
            Health: (max: 7.0), // tough
        ),
    ),
    "a": (inherits: ["base"]),
    "b": (inherits: ["base"], set: (Walker: (speed: 1.0))),
}
"#;
    let game = game(&[("entities/a.ron", file)]);
    let what = Inline { parent: "base".into(), children: Vec::new(), delete: true };
    let (text, lost) = game.after(&inline(&game.project, &game.resolved(), &what).unwrap().edits);
    assert_eq!(text.matches("Health: (max: 7.0), // tough").count(), 2, "{text}");
    assert_eq!(lost, ["a:2:5: // What both are."]);
}

#[test]
fn what_a_fix_takes_away_is_listed_with_its_comments() {
    let parent = "{\n    \"parent\": (set: (Health: (max: 9.0))),\n}\n";
    let child = r#"{
    // free

    "child": (
        inherits: ["parent"],
        set: (
            // why
            Health: (max: 9.0 /* so */), // measured
            Walker: (speed: 1.0), // stays
        ),
    ),
}
"#;
    let game = game(&[("entities/a.ron", parent), ("entities/b.ron", child)]);
    let mut after = game.project.clone();
    fix(&mut after, &builtin(), None, Which::SafeOf("redundant-override"));
    let (text, lost) = game.written(&after);
    let wanted = child.replace("            // why\n            Health: (max: 9.0 /* so */), // measured\n", "");
    assert_eq!(text, wanted);
    assert_eq!(lost, ["b:7:13: // why", "b:8:31: /* so */", "b:8:42: // measured"]);
}

#[test]
fn what_is_deleted_is_listed_with_its_comments() {
    let game = game(&[("entities/twins.ron", TWINS)]);
    let what = Delete { names: vec!["right".into()], inline: true, with_instances: false };
    let (text, lost) = game.after(&delete(&game.project, &game.resolved(), &what).unwrap().edits);
    assert!(text.contains("// left only") && !text.contains("right"), "{text}");
    assert_eq!(lost, ["twins:15:33: // tough", "twins:17:30: // px/s"]);
}

#[test]
fn a_value_that_is_another_keeps_its_comments_where_they_are() {
    let game = game(&[("entities/twins.ron", TWINS)]);
    let owner = Owner::Def { doc: path("entities/twins.ron"), name: "left".into() };
    let set = Edit::SetValue {
        owner,
        op: OpKind::Set,
        component: "Walker".into(),
        field: "speed".into(),
        inner: FieldPath::root(),
        value: Value::Float(1.0),
    };
    let (text, lost) = game.after(&[set]);
    assert_eq!(text, TWINS.replacen("33.0", "1.0", 1));
    assert_eq!(lost, [""; 0]);
}

#[test]
fn definitions_that_move_take_their_own_comments_along_and_not_those_of_each_other() {
    const N: usize = 300;
    let def = |i: usize| {
        let inside = format!("(\n        set: (\n            Health: (max: 7.0), // in {i}\n        ),\n    )");
        format!("    // Of {i}.\n    \"d{i}\": {inside}, // behind {i}\n")
    };
    let all: String = (0..N).map(def).collect();
    let (from, to) = (format!("{{\n{all}}}\n"), "{\n    \"other\": (),\n}\n");
    let game = game(&[("entities/a.ron", &from), ("entities/b.ron", to)]);
    let mut after = game.project.clone();
    let defs = |project: &Project, at: &str| {
        let Some(Document::Entities(file)) = project.doc(&path(at)).map(|it| &**it) else { panic!() };
        file.defs.clone()
    };
    let mut both = defs(&after, "entities/b.ron");
    both.extend(defs(&after, "entities/a.ron"));
    let document = |defs| Arc::new(Document::Entities(EntitiesFile { defs }));
    after.documents.insert(path("entities/a.ron"), Arc::new(Document::Entities(EntitiesFile::default())));
    after.documents.insert(path("entities/b.ron"), document(both));
    let (text, lost) = game.written(&after);
    assert_eq!(lost, [""; 0]);
    assert_eq!(text, format!("{{}}\n{{\n    \"other\": (),\n{all}}}\n"));
}

proptest! {
    #![proptest_config(cases(160))]

    /// Every comment is in one of the files afterwards, or listed as lost, whatever is done to the project.
    #[test]
    fn no_comment_goes_unlisted(edits in prop::collection::vec(some_change(), 1..6), seed: u64) {
        let (mut project, all) = scribbled_project(seed);
        let mut sources = Sources::new(Path::new(""));
        all.iter().for_each(|(at, source)| sources.put(at.clone(), source.clone()));
        let before = project.clone();
        for edit in &edits {
            let _ = apply(&mut project, edit);
        }
        let texts = sources.texts(&before, &project);
        let new = |at: &DocPath| texts.files.iter().find(|(file, _)| file == at);
        let mut left: Vec<(DocPath, String)> = Vec::new();
        for (at, text) in texts.files.iter().filter(|(at, _)| before.doc(at).is_none()) {
            let all = comments(text.as_deref().unwrap_or_default());
            left.extend(all.into_iter().map(|(_, id)| (at.clone(), id)));
        }
        for (at, source) in &all {
            match new(at) {
                Some((_, text)) => {
                    let text = text.as_deref().unwrap_or_default();
                    left.extend(comments(text).into_iter().map(|(_, id)| (at.clone(), id)));
                    if let Some(document) = project.doc(at) {
                        let read = load_one(at, text).0;
                        prop_assert_eq!(read.as_ref(), Some(&**document), "{}", text);
                    }
                }
                None if project.doc(at).is_none() => {}
                None => left.extend(comments(&source.text).into_iter().map(|(_, id)| (at.clone(), id))),
            }
        }
        let lost: Vec<(DocPath, String)> = texts.lost.iter().flat_map(|it| {
            comments(it.before.as_deref().unwrap()).into_iter().map(|(_, id)| (it.location.doc.clone(), id))
        }).collect();
        for (at, source) in &all {
            for (_, id) in comments(&source.text) {
                // Numbers begin anew in each file: what is in none under this number is lost from this one.
                let is_somewhere = left.iter().any(|(_, other)| *other == id);
                let is_listed = lost.contains(&(at.clone(), id.clone()));
                prop_assert!(is_somewhere || is_listed, "{} of {} is nowhere, after {:?}\n{}", id, at, edits, source.text);
                let is_here = left.contains(&(at.clone(), id.clone()));
                prop_assert!(!(is_here && is_listed), "{} of {} is there and listed as lost, after {:?}", id, at, edits);
            }
        }
    }
}
