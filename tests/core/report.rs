//! Problems as text: the exact line, the excerpt, the JSON.

use std::fs;

use levelwright::{
    io::{Places, load, report::Report},
    model::{DocPath, FieldPath, Finding, Location, Severity},
};

fn project() -> (tempfile::TempDir, levelwright::io::Loaded) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("entities")).unwrap();
    fs::write(dir.path().join("project.ron"), "(format: 1, name: \"p\")\n").unwrap();
    fs::write(
        dir.path().join("entities/a.ron"),
        "// goblins\n{\n    \"goblin\": (\n        set: (Health: (max: 20.0)),\n    ),\n}\n",
    )
    .unwrap();
    fs::write(dir.path().join("entities/b.ron"), "{\n    \"troll\": (inherit: [\"goblin\"]),\n}\n").unwrap();
    let loaded = load(dir.path());
    (dir, loaded)
}

#[test]
fn paths_become_lines_and_columns() {
    let (_dir, loaded) = project();
    let places = Places::new(&loaded.sources);
    let doc = DocPath::new("entities/a.ron").unwrap();
    let at = |path: FieldPath| places.line_column(&Location::new(doc.clone(), path));
    assert_eq!(at(FieldPath::keys(["goblin", "set", "Health", "max"])), (4, 29));
    let key = Location::key(doc.clone(), FieldPath::keys(["goblin", "set", "Health"]));
    assert_eq!(places.line_column(&key), (4, 15));
    // What the file does not say is nearest to what it does.
    assert_eq!(at(FieldPath::keys(["goblin", "set", "Health", "team", "x"])), (4, 15));
    assert_eq!(at(FieldPath::keys(["goblin", "inherits"]).index(3)), (3, 5));
    assert_eq!(at(FieldPath::root()), (2, 1));
    let other = Location::doc(DocPath::new("entities/none.ron").unwrap());
    assert_eq!((places.span(&other), places.line_column(&other)), (None, (1, 1)));
}

#[test]
fn a_problem_ends_where_it_begins_or_after() {
    let (dir, _) = project();
    fs::write(dir.path().join("entities/b.ron"), b"{\n    // \xff\n}\n").unwrap();
    let loaded = load(dir.path());
    let report = Report::new(&loaded.findings, &loaded.sources);
    let [problem] = report.problems.as_slice() else { panic!("{report:?}") };
    assert_eq!((problem.line, problem.column, problem.end_line, problem.end_column), (2, 8, 2, 8), "{problem}");
}

#[test]
fn a_problem_is_one_exact_line() {
    let (_dir, loaded) = project();
    let doc = DocPath::new("entities/a.ron").unwrap();
    let place = Location::new(doc, FieldPath::keys(["goblin", "set", "Health", "max"]));
    let mut findings = loaded.findings.clone();
    findings.push(Finding::warning("redundant", place, "the same\nas inherited"));
    let report = Report::new(&findings, &loaded.sources);
    let lines: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "warning[redundant] entities/a.ron:4:29: the same as inherited",
            "error[unknown-field] entities/b.ron:2:15: a definition has no field `inherit` (did you mean `inherits`?)",
        ]
    );
    assert_eq!((report.count(Severity::Error), report.count(Severity::Warning)), (1, 1));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        json["problems"][1],
        serde_json::json!({
            "file": "entities/b.ron", "line": 2, "column": 15, "end_line": 2, "end_column": 22, "severity": "error",
            "rule": "unknown-field",
            "message": "a definition has no field `inherit`", "help": "did you mean `inherits`?", "fixes": [],
        })
    );
}

#[cfg(feature = "cli")]
#[test]
fn an_excerpt_shows_the_line() {
    let (_dir, loaded) = project();
    let report = Report::new(&loaded.findings, &loaded.sources);
    let excerpt = report.problems[0].excerpt(&loaded.sources, false);
    assert_eq!(
        excerpt,
        "\
error[unknown-field]: a definition has no field `inherit`
 --> entities/b.ron:2:15
  |
2 |     \"troll\": (inherit: [\"goblin\"]),
  |               ^^^^^^^
  |
  = help: did you mean `inherits`?"
    );
}
