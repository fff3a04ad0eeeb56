//! Single files, damaged: what can be read keeps its text and its meaning through saving, formatting, merging and its
//! JSON mirror; what cannot be read says where.

use std::sync::Arc;

use levelwright::{
    io::{
        Choices, Places, Source, Sources, codec, load_one, merge, mirror, report::Reported, same, source_of, text_of,
    },
    model::{DocPath, Document, FieldPath, Finding, Location, Severity},
};

use super::{
    corpus::{Dice, Files, documents, projects},
    guard,
    mutate::{self, names},
};

/// Memory for reading: ten times the file, and room for what reading anything takes.
const READING: (u64, u64) = (10, 64 << 10);
/// Memory for everything that is done with a file: several documents and texts at a time.
const MEMORY: (u64, u64) = (100, 1 << 20);

/// Read damaged copies of the documents that `is_wanted`.
fn run(test: &'static str, n: u32, of_values: bool, is_wanted: impl Fn(&DocPath) -> bool) {
    let wanted: Vec<&(DocPath, String)> = documents().iter().filter(|(path, _)| is_wanted(path)).collect();
    let names = names(projects().last().unwrap());
    guard::run(test, n, MEMORY, |dice| {
        let (path, text) = *dice.pick(&wanted);
        let damaged =
            if of_values { mutate::values(text, &names, dice).into() } else { mutate::bytes(text.as_bytes(), dice) };
        let files = Files::from([(path.to_string(), damaged.clone())]);
        (files, move || one(path, text, damaged))
    });
}

fn one(path: &DocPath, original: &str, damaged: Vec<u8>) {
    let n_lines = String::from_utf8_lossy(&damaged).matches(['\r', '\n']).count() + 1;
    let n_bytes = damaged.len() as u64;
    let mut read = None;
    let taken = allocation_counter::measure(|| read = Some(source_of(path, damaged))).bytes_max;
    let source = read.unwrap();
    assert!(taken <= READING.0 * n_bytes + READING.1, "reading {n_bytes} bytes took {taken}");
    let mut sources = Sources::default();
    sources.put(path.clone(), source.clone());
    places(path, &source, &sources, n_lines);
    let has_errors = source.findings.iter().any(|finding| finding.severity == Severity::Error);
    assert!(source.document.is_some() != has_errors, "a document or why there is none: {:?}", source.findings);
    let formatted = codec::format(path, &source.text);
    assert_eq!(formatted.is_ok(), mirror::mirror(path, &source.text).is_ok());
    if let Ok(text) = &formatted {
        let mirror = |text| with_floats(mirror::mirror(path, text).unwrap());
        assert_eq!(mirror(text), mirror(&source.text), "the same data:\n{text}");
        assert_eq!(codec::format(path, text).unwrap(), *text, "formatted once and for all");
    }
    let Some(document) = &source.document else { return };
    let read = |text: &str| match load_one(path, text) {
        (Some(document), _) => document,
        (None, findings) => panic!("what was written cannot be read: {findings:?}\n{text}"),
    };
    let is_kept = |text: &str, of: &Document| assert!(same(&read(text), of), "another meaning:\n{text}");
    is_kept(&formatted.unwrap(), document);
    // Read once more, so that nothing is recognized by its address.
    let copy = read(&source.text);
    assert_eq!(text_of(&copy, Some(&source)), *source.text, "an untouched file keeps every byte");
    let anew = text_of(&copy, None);
    is_kept(&anew, &copy);
    // The original over the damaged text, and the damaged document over the original's.
    let whole = Arc::new(read(original));
    is_kept(&text_of(&whole, Some(&source)), &whole);
    let of_whole = Source::new(original.into(), 0, Vec::new(), Some(Arc::clone(&whole)));
    is_kept(&text_of(&copy, Some(&of_whole)), &copy);
    let merged = merge(Some(&whole), &whole, document, &Choices::default());
    assert!(same(&merged.document, document) && merged.contests.is_empty(), "only they changed it");
    let merged = merge(Some(&whole), document, &whole, &Choices::default());
    assert!(same(&merged.document, document) && merged.contests.is_empty(), "only we changed it");
    let merged = merge(None, &whole, document, &Choices::default());
    is_kept(&text_of(&merged.document, Some(&source)), &merged.document);
}

/// Findings stand in the file and can be shown.
fn places(path: &DocPath, source: &Source, sources: &Sources, n_lines: usize) {
    for finding in source.findings.iter().chain([&anywhere(path)]) {
        assert!(!finding.message.contains("Levelwright's fault"), "the reader broke");
        let places = Places::new(sources);
        let reported = Reported::new(finding, Vec::new(), &places);
        let line = reported.to_string();
        assert!(!line.contains(['\n', '\r']), "{line:?} is one line");
        assert!((1..=n_lines).contains(&(reported.line as usize)) && reported.column >= 1, "{line}");
        assert!((reported.end_line, reported.end_column) >= (reported.line, reported.column), "{line}");
        assert!(!reported.github(".").contains(['\n', '\r']));
        assert!(!reported.excerpt(sources, false).is_empty());
        // The text of a file that is not UTF-8 is not kept: its one span counts the file's bytes.
        if let Some(span) = places.span(&finding.location).filter(|_| &*finding.rule != "encoding") {
            assert!(span.start <= span.end && source.text.get(span.start..span.end).is_some(), "{line}: {span:?}");
        }
    }
}

/// A finding at a place that no file has.
fn anywhere(path: &DocPath) -> Finding {
    let at = FieldPath::keys(["layers"]).index(7).key("goblin").key("set");
    Finding::hint("none", Location::new(path.clone(), at), "x")
}

/// The same data where `1` is `1.0`.
fn with_floats(json: serde_json::Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match json {
        Json::Number(n) => Json::from(n.as_f64()),
        Json::Array(items) => items.into_iter().map(with_floats).collect(),
        Json::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_floats(value))).collect(),
        other => other,
    }
}

fn is_level(path: &DocPath) -> bool {
    path.as_str().starts_with("levels/")
}

#[test]
fn bytes_of_levels() {
    run("bytes_of_levels", 250, false, is_level);
}

#[test]
fn bytes_of_other_files() {
    run("bytes_of_other_files", 1500, false, |path| !is_level(path));
}

#[test]
fn values_of_levels() {
    run("values_of_levels", 250, true, is_level);
}

#[test]
fn values_of_other_files() {
    run("values_of_other_files", 1200, true, |path| !is_level(path));
}

/// Damage as in the cases above may not read at all; what is read twice is the same.
#[test]
fn a_case_is_repeated_by_its_seed() {
    let make = || mutate::bytes(documents()[3].1.as_bytes(), &mut Dice::new("repeat", 5));
    assert_eq!(make(), make());
}
