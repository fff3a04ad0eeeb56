//! The list of problems as the Problems pane shows it: filters, groups, counts, and what is ignored.

use levelwright::{
    check::{Ask, GroupBy, Ignored, Line, List, list},
    model::{FieldPath, Finding, Location, Severity},
};

use crate::build::path;

fn at(file: &str, key: &str) -> Location {
    Location::new(path(file), FieldPath::keys([key]))
}

fn some() -> Vec<Finding> {
    vec![
        Finding::hint("rounded", at("entities/a.ron", "x"), "Half a coin"),
        Finding::error("wrong-type", at("entities/b.ron", "y"), "Expected a number"),
        Finding::warning("rounded", at("entities/b.ron", "x"), "Half a goblin"),
        Finding::error("wrong-type", at("entities/a.ron", "z"), "Expected a word"),
    ]
}

fn asked(findings: &[Finding], ask: &Ask) -> List {
    let all: Vec<&Finding> = findings.iter().collect();
    list(&all, |i| format!("{}[{}] {}", all[i].severity, all[i].rule, all[i].message), ask)
}

fn shown(list: &List) -> Vec<String> {
    let line = |line: &Line| match line {
        Line::Group(group) => {
            format!("{} {} {}{}", group.key, group.n, group.worst, if group.is_open { "" } else { " closed" })
        }
        Line::Problem(at) => at.to_string(),
    };
    list.lines.iter().map(line).collect()
}

#[test]
fn problems_are_listed_worst_first_and_grouped_by_what_is_asked() {
    let group = |group| Ask { group, ..Ask::default() };
    assert_eq!(shown(&asked(&some(), &group(GroupBy::Nothing))), ["3", "1", "2", "0"]);
    assert_eq!(
        shown(&asked(&some(), &group(GroupBy::Severity))),
        ["errors 2 error", "3", "1", "warnings 1 warning", "2", "hints 1 hint", "0"]
    );
    assert_eq!(
        shown(&asked(&some(), &group(GroupBy::File))),
        ["entities/a.ron 2 error", "3", "0", "entities/b.ron 2 error", "1", "2"]
    );
    assert_eq!(
        shown(&asked(&some(), &group(GroupBy::Rule))),
        ["wrong-type 2 error", "3", "1", "rounded 2 warning", "2", "0"]
    );
    let closed = Ask { closed: ["wrong-type".to_owned()].into(), ..group(GroupBy::Rule) };
    assert_eq!(shown(&asked(&some(), &closed)), ["wrong-type 2 error closed", "rounded 2 warning", "2", "0"]);
}

#[test]
fn words_and_severities_filter_and_counts_say_what_is_switched_off() {
    let ask = Ask { query: "HALF a".into(), hidden: [Severity::Hint].into(), ..Ask::default() };
    let list = asked(&some(), &ask);
    assert_eq!(shown(&list), ["2"]);
    assert_eq!(list.n_by_severity, [(Severity::Hint, 1), (Severity::Warning, 1)].into());
    let nothing = Ask { query: "half zeppelin".into(), ..Ask::default() };
    assert_eq!(asked(&some(), &nothing), List::default());
}

#[test]
fn a_problem_is_ignored_at_its_own_site() {
    let all = some();
    let mut ignored = Ignored::default();
    ignored.add(&all[1]);
    assert_eq!(all.iter().map(|finding| ignored.has(finding)).collect::<Vec<_>>(), [false, true, false, false]);
    // The same problem in other words is still the same; another rule in the place is not.
    assert!(ignored.has(&Finding { message: "Expected less".into(), ..all[1].clone() }));
    assert!(!ignored.has(&Finding { rule: "out-of-range".into(), ..all[1].clone() }));
    ignored.clear();
    assert!(!ignored.has(&all[1]));
}

#[test]
fn ten_thousand_problems_are_listed() {
    let all: Vec<Finding> = (0..10_000)
        .map(|i| Finding::error("wrong-type", at(&format!("entities/{}.ron", i % 100), &format!("d{i}")), "Expected"))
        .collect();
    let ask = Ask { query: "expected".into(), group: GroupBy::File, ..Ask::default() };
    let list = asked(&all, &ask);
    assert_eq!(list.lines.len(), 10_100);
}
