//! Line ends: an edit keeps each line's own and gives new lines the file's, formatting writes LF, and neither lets a CR
//! come loose. So do a byte-order mark, tabs and a missing line break at the end.

use levelwright::{
    io::ron_text::{Form, Index, format, parse, part, patch},
    model::Value,
};
use proptest::prelude::*;

use super::{
    cases::cases,
    ron_text::{TestRng, altered, any_value, laid_out},
};

fn patched(text: &str, new: &Value) -> String {
    patch(&parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text:?}")), &Form::Value(new)).unwrap()
}

fn formatted(text: &str) -> String {
    format(&parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text:?}")), None)
}

fn value(text: &str) -> Value {
    parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text:?}")).to_value()
}

fn lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn crlf(text: &str) -> String {
    lf(text).replace('\n', "\r\n")
}

/// Whether every CR is one of a line's end.
fn has_lone_cr(text: &str) -> bool {
    text.replace("\r\n", "").contains('\r')
}

#[test]
fn edits_keep_the_line_ends() {
    let cases = [
        // Parts that come, go and move, with comments on every side.
        ("(\r\n    a: 1, // a\r\n    b: 2, // b\r\n)\r\n", "(a: 1)", "(\r\n    a: 1, // a\r\n)\r\n"),
        ("(\r\n    a: 1 // a\r\n)\r\n", "(a: 1, b: 2)", "(\r\n    a: 1, // a\r\n    b: 2\r\n)\r\n"),
        ("{ // head\r\n}\r\n", "{1: 1}", "{ // head\r\n    1: 1,\r\n}\r\n"),
        (
            "(\r\n    // free\r\n\r\n    // own\r\n    a: 1, // a\r\n    b: 2,\r\n)",
            "(b: 2)",
            "(\r\n    // free\r\n    b: 2,\r\n)",
        ),
        (
            "(\r\n    // ---- one ----\r\n    // own\r\n    a: 1,\r\n    b: 2,\r\n)",
            "(b: 2)",
            "(\r\n    // ---- one ----\r\n    b: 2,\r\n)",
        ),
        ("[ // first\r\n  1, // one\r\n  2]", "[1]", "[ // first\r\n  1, // one\r\n]"),
        // A line keeps its own end; a new one takes that of most.
        ("(\n    a: 1,\r\n    b: 2,\r\n)", "(a: 2, b: 2, c: 3)", "(\n    a: 2,\r\n    b: 2,\r\n    c: 3,\r\n)"),
        ("(\r\n    a: 1,\n    b: 2,\n)", "(a: 1, b: 2, c: 3)", "(\r\n    a: 1,\n    b: 2,\n    c: 3,\n)"),
        ("\u{feff}(\r\n\ta: 1,\r\n)", "(a: 1, b: 2)", "\u{feff}(\r\n\ta: 1,\r\n\tb: 2,\r\n)"),
    ];
    for (text, new, expected) in cases {
        assert_eq!(patched(text, &value(new)), expected, "from {text:?} to {new}");
        let (text, expected) = (lf(text), lf(expected));
        assert_eq!(patched(&text, &value(new)), expected, "from {text:?} to {new}");
    }
}

/// What stands behind a comment has to go to the next line; it is indented there as its neighbors are.
#[test]
fn what_follows_a_comment_is_indented() {
    let cases = [
        ("(x: [1, // one\n    2])", "(x: [1])", "(x: [1 // one\n])"),
        ("(\n    x: [1, // one\n        2],\n)", "(x: [1])", "(\n    x: [1 // one\n    ],\n)"),
        (
            "[\n    1, // one\n    /* two */ 2, /* three */ 3, // end\n]",
            "[1, 3]",
            "[\n    1, // one\n    /* three */ 3, // end\n]",
        ),
        ("{\n    1: 1, // one\n    2: 2, /* c */ 3: 3\n}", "{1: 1, 3: 3}", "{\n    1: 1, // one\n    /* c */ 3: 3\n}"),
    ];
    for (text, new, expected) in cases {
        assert_eq!(patched(text, &value(new)), expected, "from {text:?} to {new}");
    }
}

#[test]
fn formatting_writes_lf() {
    let cases = [
        (
            "(\r\n  a: 1, // one\r\n  /* two\r\n  lines */ b: 2, // b\r\n)\r\n",
            "(\n    a: 1, // one\n    /* two\n  lines */\n    b: 2, // b\n)\n",
        ),
        ("// head\r\n\r\n(a: 1) // tail\r\n// end\r\n", "// head\n\n(\n    a: 1,\n) // tail\n// end\n"),
        ("#![enable(x)]\r\n#![enable(y)]\r\n3", "#![enable(x)]\n#![enable(y)]\n3\n"),
        // The characters of a string are its author's.
        ("(a: \"x\r\ny\", b: r#\"\r\n\"#)\r\n", "(\n    a: \"x\r\ny\",\n    b: r#\"\r\n\"#,\n)\n"),
        // A comment where none is expected keeps its place, and what it stands in moves as one.
        (
            "{\r\n\"a\": (x: 1),\r\n  \"b\": P /* p */ (\r\n    y: 2,\r\n  ),\r\n}",
            "{\n    \"a\": (x: 1),\n    \"b\": P /* p */ (\n      y: 2,\n    ),\n}\n",
        ),
        (
            "(\n  a: [\n    (k: // why\n      1),\n  ],\n)",
            "(\n    a: [\n        (k: // why\n          1),\n    ],\n)\n",
        ),
        // A lone CR ends a line, but no comment: what follows it stays one.
        ("(\r  a: 1,\r  b: 2\r)", "(\n    a: 1,\n    b: 2,\n)\n"),
        ("(\n  a: 1, // one\r  b: 2,\n)", "(\n    a: 1, // one\n    // b: 2,\n)\n"),
        ("(\n  // one\r/* two\n  b: 2 /* x\ry */,\n)", "(\n    // one\n    // /* two\n    b: 2, /* x\ny */\n)\n"),
        ("[1, 2 // two\r\r\n]", "[\n    1,\n    2, // two\n]\n"),
    ];
    for (text, expected) in cases {
        let once = formatted(text);
        assert_eq!(once, expected, "from {text:?}");
        assert_eq!(formatted(&once), once, "from {text:?}");
        assert_eq!(value(&once), value(text), "from {text:?}");
    }
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn an_edit_does_not_see_line_ends(value in any_value(), seed: u64) {
        let text = lf(&laid_out(&value, seed));
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patched(&text, &new);
        prop_assert_eq!(patched(&crlf(&text), &new), crlf(&result), "\nfrom:\n{}\nresult:\n{}", text, result);
        // Nor does the quick way.
        let text = crlf(&text);
        let tree = parse(&text).unwrap();
        let form = Form::Value(&new);
        let quick = part(&text, &Index::finer(&tree, 0), &form).and_then(|part| patch(&part, &form));
        prop_assert_eq!(quick, Some(crlf(&result)));
    }

    #[test]
    fn an_edit_of_mixed_line_ends_lets_no_cr_loose(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patched(&text, &new);
        prop_assert!(!has_lone_cr(&result), "\nfrom:\n{:?}\nresult:\n{:?}", text, result);
        let (text, result) = (crlf(&text), patched(&crlf(&text), &new));
        for (head, tail) in [("\u{feff}", "\r\n"), ("", "")] {
            let text = format!("{head}{}{tail}", text.trim_end());
            let expected = format!("{head}{}{tail}", result.trim_end());
            prop_assert_eq!(patched(&text, &new), expected);
        }
    }

    #[test]
    fn an_edit_reads_back_where_lines_end_in_cr(value in any_value(), seed: u64) {
        // Comments would not end.
        let text = lf(&laid_out(&value, seed)).replace("// head\n", "").replace(" // tail\n", "");
        let text = text.replace("// note\n", "").replace('\n', "\r");
        let new = altered(&value, &TestRng::new(seed ^ 7));
        prop_assert_eq!(super::line_ends::value(&patched(&text, &new)), new);
        let form = formatted(&text);
        prop_assert!(!form.contains('\r'), "\nfrom:\n{:?}\nresult:\n{:?}", text, form);
        prop_assert_eq!(super::line_ends::value(&form), value);
    }

    #[test]
    fn formatting_does_not_see_line_ends(value in any_value(), seed: u64) {
        let text = lf(&laid_out(&value, seed));
        let form = formatted(&text);
        prop_assert!(!form.contains('\r'));
        for other in [crlf(&text), format!("\u{feff}{text}"), text.trim_end().to_owned(), laid_out(&value, seed)] {
            prop_assert_eq!(&formatted(&other), &form, "\nfrom:\n{:?}", other);
        }
    }
}
