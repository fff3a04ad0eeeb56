//! Files that broke on their way: cut off anywhere, with a byte lost, doubled or turned into another. Nothing panics,
//! nothing hangs, half a file is never taken for a file, and errors are reported with their place and what was expected
//! instead.

use std::{fs, path::Path};

use levelwright::{
    io,
    model::{DocPath, Finding, Severity},
};

/// The files of the sample game, and the built-in schemas.
fn files() -> Vec<(DocPath, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open = vec![(root.join("sample_data"), String::new())];
    while let Some((folder, at)) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{at}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push((entry.path(), path + "/"));
            } else if let Some(doc) = DocPath::new(&path).filter(|doc| doc.kind().is_some()) {
                found.push((doc, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    for name in ["components", "messages", "conditions", "actions"] {
        let doc = DocPath::new(&format!("schemas/{name}.ron")).unwrap();
        found.push((doc.clone(), fs::read_to_string(root.join(doc.as_str())).unwrap()));
    }
    assert!(found.len() > 30, "{}", found.len());
    found
}

/// Bytes of a text from which on reading it takes long: levels, tilesets and a schema, most of which is of one form.
const LONG: usize = 16_000;

/// Places in a text to damage: every byte of a small file, evenly many of a large one, others in each file. Of a long
/// one a third as many.
fn places(text: &str, most: usize) -> impl Iterator<Item = usize> {
    let most = if text.len() < LONG { most } else { most / 3 };
    let step = text.len().div_ceil(most).max(1);
    (0..text.len()).skip(text.len() % step).step_by(step)
}

/// Read what is no file any more. What is wrong with it names a place in it.
fn read(path: &DocPath, text: &str) -> (bool, Vec<Finding>) {
    let (document, findings) = io::load_one(path, text);
    let n_lines = u32::try_from(text.lines().count().max(1)).unwrap() + 1;
    for finding in &findings {
        let span = finding.location.span.unwrap_or_else(|| panic!("{path}: {finding:?} has no place"));
        let is_in_text = span.start <= span.end && span.end <= text.len() && (1..=n_lines).contains(&span.line);
        assert!(is_in_text && span.column >= 1 && finding.location.doc == *path, "{path}: {finding:?}");
        assert!(!finding.message.is_empty() && !finding.message.contains('\n'), "{path}: {finding:?}");
    }
    let has_errors = findings.iter().any(|finding| finding.severity == Severity::Error);
    assert!(document.is_some() != has_errors, "{path}: a document or why there is none: {findings:?}");
    (document.is_some(), findings)
}

/// Whether a message says what belongs there.
fn is_helpful(finding: &Finding) -> bool {
    let text = format!("{} {}", finding.message, finding.help.as_deref().unwrap_or_default());
    ["expected", "never closed", "needs", "is empty", "missing", "did you mean", "it has", "one of"]
        .iter()
        .any(|words| text.contains(words))
}

#[test]
fn a_file_cut_off_anywhere_is_told_from_a_whole_one() {
    let mut n = 0;
    for (path, text) in files() {
        for at in places(&text, 400).filter(|at| text.is_char_boundary(*at)) {
            let (is_read, findings) = read(&path, &text[..at]);
            n += 1;
            if is_read {
                let rest = text[at..].lines().map(|line| line.split("//").next().unwrap_or_default().trim());
                assert!(rest.clone().all(str::is_empty), "{path}: {at} bytes were taken for the whole");
            } else {
                assert!(findings.iter().any(is_helpful), "{path} cut off at {at}: {findings:?}");
            }
        }
    }
    assert!(n > 5000, "{n}");
}

#[test]
fn a_byte_lost_doubled_or_changed_is_no_accident() {
    let signs = b"(){}[]\",:/*\\r#0-.eZ\n\x7f";
    for (path, text) in files() {
        for (i, at) in places(&text, 60).enumerate() {
            let bytes = text.as_bytes();
            let (before, after) = (&bytes[..at], &bytes[at + 1..]);
            let other = signs[i % signs.len()];
            for middle in [&[][..], &[bytes[at], bytes[at]], &[other], &[other, bytes[at]]] {
                let damaged = [before, middle, after].concat();
                match String::from_utf8(damaged.clone()) {
                    Ok(damaged) => drop(read(&path, &damaged)),
                    Err(_) => {
                        let source = io::source_of(&path, damaged);
                        assert!(source.document.is_none() && source.findings[0].location.span.is_some());
                    }
                }
            }
        }
    }
}

#[test]
fn a_letter_lost_in_a_fields_name_is_found() {
    let mut n = 0;
    for (path, text) in files() {
        let words = text.match_indices(": ").filter_map(|(end, _)| {
            let start = text[..end].rfind(|c: char| !c.is_ascii_lowercase() && c != '_')? + 1;
            (end - start >= 5).then_some((start, end))
        });
        let words: Vec<(usize, usize)> = words.collect();
        for (start, end) in words.iter().step_by(words.len().div_ceil(40).max(1)) {
            let (word, lost) = (&text[*start..*end], start + 2);
            let damaged = format!("{}{}", &text[..lost], &text[lost + 1..]);
            let (_, findings) = read(&path, &damaged);
            let about = findings.iter().find(|it| {
                let span = it.location.span.unwrap();
                *it.rule == *"unknown-field" && span.start == *start && span.end == end - 1
            });
            if let Some(finding) = about {
                n += 1;
                assert_eq!(finding.suggestion(), Some(word), "{path}: {finding:?}");
            }
        }
    }
    assert!(n > 100, "{n}");
}
