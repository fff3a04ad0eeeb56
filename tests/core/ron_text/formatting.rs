//! A file put in form.

use super::*;

// ---- formatting

fn formatted(text: &str) -> String {
    format(&parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")), None)
}

#[test]
fn a_file_is_put_in_form() {
    let table = [
        ("(a:1,b:[ 1,2 , 3 ],)", "(\n    a: 1,\n    b: [1, 2, 3],\n)\n"),
        ("{\n  \"a\" : .5, \"b\": 1.,\r\n\"c\": 1e3 }", "{\n    \"a\": 0.5,\n    \"b\": 1.0,\n    \"c\": 1.0e3,\n}\n"),
        (
            "// head\n\n\n// more\n(\n\n\n  a: 1,\n\n\n  b: 2)\n// tail",
            "// head\n\n// more\n(\n    a: 1,\n\n    b: 2,\n)\n// tail\n",
        ),
        (
            "(\n  a: 1,   // one\n  // two\n  b: 2 // b\n  // end\n)",
            "(\n    a: 1,   // one\n    // two\n    b: 2, // b\n    // end\n)\n",
        ),
        ("(a: [ // why\n 1, ], b: T ( x : 1 ))", "(\n    a: [ // why\n        1,\n    ],\n    b: T(x: 1),\n)\n"),
        ("[P([\n(0, 0), (1, 0)])]", "[\n    P([\n        (0, 0),\n        (1, 0),\n    ]),\n]\n"),
        ("[1, /* two */ 2 /* b */, 3]", "[\n    1,\n    /* two */\n    2, /* b */\n    3,\n]\n"),
        ("(a: [1, /* two */ 2 /* b */, 3])", "(\n    a: [1, /* two */ 2 /* b */, 3],\n)\n"),
        ("(a /* odd */ : 1)", "(a /* odd */ : 1)\n"),
        ("()", "()\n"),
        ("{ }", "{}\n"),
        ("{ // empty\n }", "{ // empty\n}\n"),
        ("#![enable(implicit_some)]\n3", "#![enable(implicit_some)]\n3\n"),
        ("\u{feff}(a: r#\"x\"#)", "(\n    a: r#\"x\"#,\n)\n"),
    ];
    for (text, expected) in table {
        assert_eq!(formatted(text), expected, "from {text}");
    }
}

#[test]
fn long_lines_are_broken_and_short_ones_stay() {
    let items: Vec<String> = (0..30).map(|i| i.to_string()).collect();
    let text = format!("(a: (b: [{}]))", items.join(", "));
    let result = formatted(&text);
    assert!(result.lines().all(|line| line.chars().count() <= 100), "{result}");
    assert_eq!(value(&result), value(&text));
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn formatting_keeps_the_value_and_settles(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let once = formatted(&text);
        prop_assert_eq!(value_of(&once), Ok(value), "\nfrom:\n{}\nresult:\n{}", text, once);
        let twice = formatted(&once);
        prop_assert_eq!(&twice, &once, "\nfrom:\n{}\nonce:\n{}\ntwice:\n{}", text, once, twice);
        // No comment is lost.
        for mark in ["// note", "/* c, } ) */", "// head", "// tail"] {
            prop_assert_eq!(once.matches(mark).count(), text.matches(mark).count(), "{}\nfrom:\n{}\nresult:\n{}", mark, text, once);
        }
    }

    #[test]
    fn new_text_is_in_form(value in any_value()) {
        let text = write(&Form::Value(&value));
        prop_assert_eq!(formatted(&text), text);
    }
}
