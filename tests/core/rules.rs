//! A fixture per rule: `tests/rules/<rule>.txt` holds small broken projects as text, with the exact characters each
//! problem marks, its message, and the text after each of its quick fixes.
//!
//! A fixture is a list of cases. Lines of a case:
//!
//! - `### what is shown` begins it,
//! - `== path` begins a file of it, beside those of the good project every case starts from, or in place of one,
//! - `   ^^^ error: message (help) [at 40, 24 px]` marks what stands above it, with its place in the level if it has
//!   one,
//! - `-- label` begins the text of the changed file after the quick fix of that label; `-- label (safe)` if it is safe.
//!
//! `LEVELWRIGHT_BLESS=1 cargo test rules` writes marks, messages and fixes anew from the files in the fixtures, for
//! reading.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use levelwright::{
    check::{Problem, check, rules},
    defs::resolve,
    edit::apply_all,
    io::{self, Places, Source, Sources},
    model::{DocPath, Document, Finding, Location, Project},
};

use crate::{
    build::path,
    check::{GOOD, builtin, images},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules")
}

/// A case: what it shows, and its files.
struct Case {
    title: String,
    files: Vec<(DocPath, String)>,
}

/// Whether a line of a fixture marks something in the line above.
fn is_mark(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches('^');
    rest.len() < line.trim_start().len() && [" error: ", " warning: ", " hint: "].iter().any(|s| rest.starts_with(s))
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_input = false;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            cases.push(Case { title: title.to_owned(), files: Vec::new() });
            is_input = false;
        } else if let Some(file) = line.strip_prefix("== ") {
            cases.last_mut().expect("a case").files.push((path(file), String::new()));
            is_input = true;
        } else if line.starts_with("-- ") {
            is_input = false;
        } else if is_input && !is_mark(line) {
            let (_, text) = cases.last_mut().unwrap().files.last_mut().unwrap();
            let _ = writeln!(text, "{line}");
        }
    }
    for case in &mut cases {
        for (_, text) in &mut case.files {
            // An empty line parts cases; it belongs to none.
            text.truncate(text.trim_end().len() + 1);
        }
    }
    cases
}

/// Every document of every case that can be read.
pub(crate) fn documents() -> Vec<(DocPath, Arc<Document>)> {
    let mut all = Vec::new();
    for rule in rules() {
        let text = fs::read_to_string(folder().join(format!("{}.txt", rule.name))).unwrap();
        for (at, text) in cases(&text).into_iter().flat_map(|case| case.files) {
            all.extend(io::load_one(&at, &text).0.map(|document| (at, Arc::new(document))));
        }
    }
    all
}

/// A project with the text of its files.
struct Loaded {
    project: Project,
    sources: Sources,
}

fn load(case: &Case) -> Loaded {
    let good = GOOD.iter().map(|(at, text)| (path(at), (*text).to_owned()));
    let files: BTreeMap<DocPath, String> = good.chain(case.files.iter().cloned()).collect();
    let mut sources = Sources::new(Path::new(""));
    let mut documents = BTreeMap::new();
    for (at, text) in files {
        let (document, findings) = io::load_one(&at, &text);
        let document = document.map(Arc::new);
        documents.extend(document.clone().map(|document| (at.clone(), document)));
        sources.put(at, Source::new(text.into(), 0, findings, document));
    }
    Loaded { project: documents.into_iter().collect(), sources }
}

fn problems(loaded: &Loaded) -> Vec<Problem> {
    let mut images = images();
    let broken = loaded.sources.files().iter().filter(|(_, source)| source.document.is_none());
    images.extend(broken.map(|(path, _)| (path.clone(), Err("it is broken".into()))));
    check(&loaded.project, &resolve(&loaded.project, &builtin(), None), Some(&images))
}

/// A case written as a fixture: what really is found, marked, with its fixes. Also says what of it cannot be right.
fn shown(case: &Case, rule: &str, wrong: &mut Vec<String>) -> String {
    let loaded = load(case);
    let all = problems(&loaded);
    let found: Vec<&Problem> = all.iter().filter(|problem| *problem.finding.rule == *rule).collect();
    let in_files = loaded.sources.findings().filter(|finding| *finding.rule == *rule);
    let findings: Vec<&Finding> = in_files.chain(found.iter().map(|problem| &problem.finding)).collect();
    let mut out = format!("### {}\n", case.title);
    let places = Places::new(&loaded.sources);
    for (at, text) in &case.files {
        let _ = writeln!(out, "== {at}");
        let mut marks: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.location.doc == *at) {
            let span = places.span(&finding.location).expect("it stands in a file");
            let marked = &text[span.start..span.end];
            let width = marked.lines().next().unwrap_or_default().chars().count().max(1);
            if marked.contains('\n') {
                wrong.push(format!("{}: {} marks several lines: {marked:?}", case.title, finding.message));
            }
            if text.lines().count() > 1 && marked.trim() == text.trim() {
                wrong.push(format!("{}: {} marks the whole file", case.title, finding.message));
            }
            let space = " ".repeat(usize::try_from(span.column).unwrap() - 1);
            let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            let place = finding.location.place_px.map(|[x, y]| format!(" [at {x}, {y} px]")).unwrap_or_default();
            let mark = format!("{space}{} {}: {}{help}{place}", "^".repeat(width), finding.severity, finding.message);
            marks.entry(span.line).or_default().push((span.column, mark));
        }
        marks.values_mut().for_each(|marks| marks.sort());
        for (line, number) in text.lines().zip(1..) {
            let _ = writeln!(out, "{line}");
            for (_, mark) in marks.get(&number).into_iter().flatten() {
                let _ = writeln!(out, "{mark}");
            }
        }
    }
    if findings.is_empty() {
        wrong.push(format!("{}: nothing is found", case.title));
    }
    for problem in &found {
        for fix in &problem.fixes {
            let _ = writeln!(out, "-- {}{}", fix.label, if fix.safe { " (safe)" } else { "" });
            let mut fixed = loaded.project.clone();
            if let Err(why) = apply_all(&mut fixed, &fix.edits) {
                wrong.push(format!("{}: {} is refused: {why}", case.title, fix.label));
                continue;
            }
            let mut sources = loaded.sources.clone();
            for (at, document) in &fixed.documents {
                let source = loaded.sources.get(at);
                if source.and_then(|source| source.document.as_ref()).is_some_and(|old| Arc::ptr_eq(old, document)) {
                    continue;
                }
                let text = io::text_of(document, source);
                if case.files.len() > 1 || case.files.iter().all(|(file, _)| file != at) {
                    let _ = writeln!(out, "   {at}:");
                }
                out.push_str(&text);
                let (again, _) = io::load_one(at, &text);
                if again.as_ref() != Some(&**document) {
                    wrong.push(format!("{}: {} writes what does not say it: {text}", case.title, fix.label));
                }
                let new = Source::new(text.into(), 0, Vec::new(), Some(document.clone()));
                sources.put(at.clone(), new);
            }
            let left = problems(&Loaded { project: fixed, sources });
            if left.iter().any(|left| left.finding == problem.finding) {
                wrong.push(format!("{}: {} leaves the problem", case.title, fix.label));
            }
            // The declaration accepts all values. That the preview does not know it is no new problem.
            let is_new = |left: &&Problem| all.iter().all(|old| site(&old.finding) != site(&left.finding));
            let is_wrong = |left: &&Problem| &*left.finding.rule != "preview-unknown";
            if let Some(new) = left.iter().filter(is_new).find(is_wrong).filter(|_| fix.declares) {
                wrong.push(format!("{}: {} brings {:?}", case.title, fix.label, new.finding));
            }
        }
    }
    out
}

/// What a problem is, whatever would help.
fn site(finding: &Finding) -> (&str, &Location, &str) {
    (&finding.rule, &finding.location, &finding.message)
}

#[test]
fn each_rule_marks_what_is_wrong_and_its_fixes_mend_it() {
    let bless = std::env::var_os("LEVELWRIGHT_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut n_fixable = 0;
    for rule in rules() {
        let file = folder().join(format!("{}.txt", rule.name));
        let Ok(text) = fs::read_to_string(&file) else {
            wrong.push(format!("{} has no fixture", rule.name));
            continue;
        };
        let parts: Vec<String> = cases(&text).iter().map(|case| shown(case, rule.name, &mut wrong)).collect();
        let new = parts.join("\n");
        n_fixable += usize::from(new.contains("\n-- "));
        if bless {
            fs::write(&file, &new).unwrap();
        } else if new != text {
            wrong.push(format!("{} is not as in its fixture:\n{new}", rule.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(n_fixable * 3 >= rules().len() * 2, "two of three rules have a quick fix: {n_fixable}");
}

#[test]
fn every_fixture_is_of_a_rule() {
    let names: Vec<&str> = rules().iter().map(|rule| rule.name).collect();
    for entry in fs::read_dir(folder()).unwrap() {
        let file = entry.unwrap().path();
        let stem = file.file_stem().unwrap().to_str().unwrap();
        assert!(names.contains(&stem), "{stem} is no rule");
    }
}

#[test]
fn rules_are_named_and_explained() {
    let all = rules();
    for rule in &all {
        assert!(rule.doc.ends_with('.') && rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{rule:?}");
    }
    assert!(all.array_windows().all(|[a, b]| a.name < b.name));
    assert!(all.len() >= 40, "{}", all.len());
}

#[test]
fn every_finding_of_resolving_becomes_a_problem() {
    for rule in rules() {
        let text = fs::read_to_string(folder().join(format!("{}.txt", rule.name))).unwrap();
        for case in cases(&text) {
            let loaded = load(&case);
            let resolution = resolve(&loaded.project, &builtin(), None);
            let found = check(&loaded.project, &resolution, None);
            for finding in resolution.findings() {
                assert!(found.iter().any(|problem| problem.finding == *finding), "{finding:?} is lost");
            }
        }
    }
}
