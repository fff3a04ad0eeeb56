//! A value changes in its text, and nothing else.

use super::*;

#[test]
fn a_value_changes_and_nothing_else() {
    let text = "// head\n(\n    a: 1.50, // one and a half\n    b : [ 0x10,2 ],\n\n    /* c */ c: \"x\"\n)\n// tail\n";
    assert_eq!(patched(text, "(a: 1.5, b: [16, 2], c: \"x\")"), text);
    assert_eq!(patched(text, "(a: 2.0, b: [16, 2], c: \"x\")"), text.replace("1.50", "2.0"));
    assert_eq!(patched(text, "(a: 1.5, b: [16, 3], c: \"x\")"), text.replace(",2 ", ",3 "));
    assert_eq!(patched(text, "(a: 1.5, b: [16, 2], c: \"y\")"), text.replace("\"x\"", "\"y\""));
}

/// Text, what it should say, and the text it becomes.
const STRUCTURAL: &[(&str, &str, &str)] = &[
    // On one line.
    ("(a: 1, b: 2)", "(a: 1, b: 2, c: 3)", "(a: 1, b: 2, c: 3)"),
    ("(a: 1, b: 2)", "(b: 2)", "(b: 2)"),
    ("(a: 1, b: 2)", "(a: 1)", "(a: 1)"),
    ("( a: 1, b: 2, )", "( a: 1 )", "( a: 1, )"),
    ("{ \"a\": 1 }", "{\"b\": 2, \"a\": 1}", "{ \"b\": 2, \"a\": 1 }"),
    ("[1, 2, 3]", "[3, 1, 2]", "[3, 1, 2]"),
    ("[1, 2, 3]", "[1, 9, 3]", "[1, 9, 3]"),
    ("[1, 2, 3]", "[2, 3]", "[2, 3]"),
    ("[1, 2, 3]", "[]", "[]"),
    ("[]", "[1]", "[1]"),
    ("()", "(a: 1)", "(a: 1)"),
    ("(a: 1)", "()", "()"),
    ("[1, /* two */ 2, 3]", "[1, 3]", "[1, 3]"),
    ("[1, 2 /* two */, 3]", "[1, 2]", "[1, 2 /* two */]"),
    // On several.
    ("(\n    a: 1,\n    b: 2,\n)", "(a: 1, b: 2, c: 3)", "(\n    a: 1,\n    b: 2,\n    c: 3,\n)"),
    ("(\n  a: 1,\n  b: 2\n)", "(a: 1, b: 2, c: 3)", "(\n  a: 1,\n  b: 2,\n  c: 3\n)"),
    ("(\n\ta: 1,\n\tb: 2,\n)", "(b: 2)", "(\n\tb: 2,\n)"),
    ("(\n    a: 1,\n    b: 2,\n)", "()", "()"),
    ("(\r\n    a: 1,\r\n)", "(a: 1, b: 2)", "(\r\n    a: 1,\r\n    b: 2,\r\n)"),
    // Comments go with what they are about.
    (
        "(\n    // about a\n    a: 1, // a\n\n    // a section\n\n    // about b\n    b: 2, // b\n    c: 3, // c\n)",
        "(a: 1, c: 3)",
        "(\n    // about a\n    a: 1, // a\n\n    // a section\n    c: 3, // c\n)",
    ),
    ("(\n    a: 1, // a\n    b: 2 // b\n)", "(a: 1, b: 2, c: 3)", "(\n    a: 1, // a\n    b: 2, // b\n    c: 3\n)"),
    ("{\n    1: 1, // one\n    2: 2, // two\n}", "{2: 2, 1: 1}", "{\n    2: 2, // two\n    1: 1, // one\n}"),
    // Renaming keeps place and comments.
    (
        "{\n    // mine\n    \"a\": (x: 1), // yes\n    \"c\": 3,\n}",
        "{\"b\": (x: 1), \"c\": 3}",
        "{\n    // mine\n    \"b\": (x: 1), // yes\n    \"c\": 3,\n}",
    ),
    ("(Health: (max: 1), b: 2)", "(Vitals: (max: 1), b: 2)", "(Vitals: (max: 1), b: 2)"),
    // In the middle of the order.
    ("{\n    1: 1,\n    3: 3,\n}", "{1: 1, 2: 2, 3: 3}", "{\n    1: 1,\n    2: 2,\n    3: 3,\n}"),
    // Nested.
    ("(a: (b: [1, 2]), c: 3)", "(a: (b: [1]), c: 4)", "(a: (b: [1]), c: 4)"),
    ("Tag(a: 1)", "Tag(a: 1, b: 2)", "Tag(a: 1, b: 2)"),
    ("Tag(1, 2)", "Other(1, 2)", "Other(1, 2)"),
    ("(a: 1)", "[1, 2]", "[1, 2]"),
];

#[test]
fn parts_come_and_go_in_the_style_of_the_file() {
    for (text, new, expected) in STRUCTURAL {
        assert_eq!(&patched(text, new), expected, "\nfrom {text}\nto {new}");
    }
}

#[test]
fn a_line_that_becomes_too_long_is_broken() {
    let items: Vec<String> = (0..12).map(|i| format!("\"item{i}\"")).collect();
    let text = format!("(\n    list: [{}],\n)", items[..8].join(", "));
    let new = format!("(list: [{}])", items.join(", "));
    let lines: String = items.iter().map(|item| format!("        {item},\n")).collect();
    assert_eq!(patched(&text, &new), format!("(\n    list: [\n{lines}    ],\n)"));
}

#[test]
fn new_text_has_one_form() {
    let text = value("(a: 1, b: [1.0, 2e30], c: {\"k\": Some(None)}, d: \"x\\ny\", e: ())");
    assert_eq!(
        write(&Form::Value(&text)),
        "(\n    a: 1,\n    b: [1.0, 2.0e30],\n    c: { \"k\": Some(None) },\n    d: \"x\\ny\",\n    e: (),\n)\n"
    );
}
