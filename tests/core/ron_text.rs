//! The reader and the patcher of text: worked examples, and properties over made-up values in made-up layouts.

use levelwright::{
    io::ron_text::{Form, Index, Lines, format, parse, patch, write},
    model::{FieldPath, Fields, Seg, Value},
};
use proptest::prelude::*;

use crate::cases::cases;

fn value(text: &str) -> Value {
    parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).to_value()
}

fn patched(text: &str, new: &str) -> String {
    patch(&parse(text).unwrap(), &Form::Value(&value(new))).unwrap()
}

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

// ---- properties

fn word() -> impl Strategy<Value = String> {
    "[a-eA-E][a-e_0-9]{0,3}".prop_filter("a keyword", |word| !matches!(word.as_str(), "true" | "false"))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,6}", "\\PC{0,3}", Just("a\n\"\\\t\u{1}".to_owned())]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        (-20_i64..20).prop_map(Value::Int),
        any::<i64>().prop_map(Value::Int),
        (-8..8_i32).prop_map(|x| Value::Float(f64::from(x) / 4.0)),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::Float),
        text().prop_map(Value::Str),
        word().prop_map(|word| Value::Symbol(word.as_str().into())),
    ]
}

fn fields(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Fields> {
    prop::collection::vec((word(), inner), 1..5)
        .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.as_str().into(), value)).collect())
}

pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 5, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6);
        prop_oneof![
            list.clone().prop_map(Value::List),
            list.clone().prop_map(Value::Tuple),
            fields(inner.clone()).prop_map(Value::Struct),
            prop::collection::vec(
                (prop_oneof![text().prop_map(Value::Str), (0..9_i64).prop_map(Value::Int)], inner.clone()),
                0..5
            )
            .prop_map(|entries| {
                let mut map: Vec<(Value, Value)> = Vec::new();
                for (key, value) in entries {
                    if map.iter().all(|(other, _)| *other != key) {
                        map.push((key, value));
                    }
                }
                Value::Map(map)
            }),
            (word(), list).prop_map(|(tag, items)| Value::Tagged(tag.as_str().into(), Box::new(Value::Tuple(items)))),
            (word(), fields(inner))
                .prop_map(|(tag, fields)| Value::Tagged(tag.as_str().into(), Box::new(Value::Struct(fields)))),
        ]
    })
}

/// A value somewhat like another: a few of its parts changed, dropped, added, moved.
pub(crate) fn altered(value: &Value, rng: &TestRng) -> Value {
    fn list(items: &[Value], rng: &TestRng) -> Vec<Value> {
        let mut out: Vec<Value> =
            items.iter().filter(|_| rng.below(6) > 0).map(|item| altered_sometimes(item, rng)).collect();
        if rng.below(4) == 0 {
            let at = rng.below(out.len() + 1);
            out.insert(at, Value::Int(i64::try_from(rng.below(100)).unwrap()));
        }
        if rng.below(6) == 0 && out.len() > 1 {
            let at = rng.below(out.len() - 1);
            out.swap(at, at + 1);
        }
        out
    }
    fn altered_sometimes(value: &Value, rng: &TestRng) -> Value {
        if rng.below(2) == 0 { value.clone() } else { altered(value, rng) }
    }
    match value {
        Value::List(items) => Value::List(list(items, rng)),
        Value::Tuple(items) => Value::Tuple(list(items, rng)),
        Value::Struct(fields) => {
            let mut out: Fields = fields
                .iter()
                .filter(|_| rng.below(6) > 0)
                .map(|(name, value)| (name.clone(), altered_sometimes(value, rng)))
                .collect();
            if rng.below(4) == 0 {
                out.shift_insert(rng.below(out.len() + 1), "brand_new".into(), Value::List(vec![Value::str("new")]));
            }
            if out.is_empty() { Value::Tuple(vec![]) } else { Value::Struct(out) }
        }
        Value::Map(entries) => {
            let mut out: Vec<(Value, Value)> = entries
                .iter()
                .filter(|_| rng.below(6) > 0)
                .map(|(key, value)| (key.clone(), altered_sometimes(value, rng)))
                .collect();
            if rng.below(3) == 0 {
                out.insert(rng.below(out.len() + 1), (Value::str("brand new"), Value::Float(0.25)));
            }
            if rng.below(4) == 0 && out.len() > 1 {
                out.swap(0, 1);
            }
            if rng.below(4) == 0 && !out.is_empty() {
                out[0].0 = Value::str("renamed");
            }
            Value::Map(out)
        }
        Value::Tagged(tag, content) => Value::Tagged(tag.clone(), Box::new(altered(content, rng))),
        Value::Int(i) => Value::Int(i.wrapping_add(1)),
        _ => Value::str("altered"),
    }
}

/// The paths of a value's parts.
fn paths_in(value: &Value, at: &FieldPath, out: &mut Vec<FieldPath>) {
    out.push(at.clone());
    match value {
        Value::List(items) | Value::Tuple(items) => {
            items.iter().enumerate().for_each(|(i, item)| paths_in(item, &at.index(i), out));
        }
        Value::Struct(fields) => fields.iter().for_each(|(name, value)| paths_in(value, &at.key(name), out)),
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            let mut path = at.clone();
            path.0.push(Seg::Key(key.as_str().into()));
            paths_in(value, &path, out);
        }),
        Value::Tagged(_, content) => paths_in(content, at, out),
        _ => {}
    }
}

/// A small random source, so that layouts shrink by their seed.
pub(crate) struct TestRng(std::cell::Cell<u64>);

impl TestRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(std::cell::Cell::new(seed))
    }

    pub(crate) fn below(&self, n: usize) -> usize {
        self.0.set(levelwright::model::mix(self.0.get().wrapping_add(1)));
        usize::try_from(self.0.get() % n as u64).unwrap()
    }
}

/// The value in a layout nobody would choose: any spaces, line breaks, comments, commas and spellings.
fn messy(value: &Value, rng: &TestRng, out: &mut String) {
    fn gap(rng: &TestRng, out: &mut String) {
        for _ in 0..rng.below(3) {
            out.push_str(
                ["", " ", " ", "\n", "\n    ", "\n\n", "// note\n", "/* c, } ) */", "\t", "\r\n"][rng.below(10)],
            );
        }
    }
    fn items<'v, T>(
        open: &str,
        close: &str,
        list: impl ExactSizeIterator<Item = &'v T>,
        rng: &TestRng,
        out: &mut String,
        mut one: impl FnMut(&T, &TestRng, &mut String),
    ) where
        T: 'v,
    {
        out.push_str(open);
        gap(rng, out);
        let n = list.len();
        for (i, item) in list.enumerate() {
            one(item, rng, out);
            gap(rng, out);
            if i + 1 < n || rng.below(2) == 0 {
                out.push(',');
                gap(rng, out);
            }
        }
        out.push_str(close);
    }
    match value {
        Value::List(list) => items("[", "]", list.iter(), rng, out, messy),
        Value::Tuple(list) => items("(", ")", list.iter(), rng, out, messy),
        Value::Struct(fields) => {
            let fields: Vec<_> = fields.iter().collect();
            items("(", ")", fields.iter(), rng, out, |(name, value), rng, out| {
                out.push_str(name);
                gap(rng, out);
                out.push(':');
                gap(rng, out);
                messy(value, rng, out);
            });
        }
        Value::Map(entries) => items("{", "}", entries.iter(), rng, out, |(key, value), rng, out| {
            messy(key, rng, out);
            gap(rng, out);
            out.push(':');
            gap(rng, out);
            messy(value, rng, out);
        }),
        Value::Tagged(tag, content) => {
            out.push_str(tag);
            gap(rng, out);
            messy(content, rng, out);
        }
        Value::Int(i) if *i >= 0 && rng.below(3) == 0 => out.push_str(&format!("{i:#x}")),
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 1e6 && rng.below(3) == 0 => out.push_str(&format!("{x:.3}")),
        scalar => out.push_str(&scalar.to_string()),
    }
}

pub(crate) fn laid_out(value: &Value, seed: u64) -> String {
    let mut out = String::from("// head\n");
    messy(value, &TestRng::new(seed), &mut out);
    out.push_str(" // tail\n");
    out
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_layout_is_read(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        prop_assert_eq!(parse(&text).unwrap().to_value(), value);
    }

    #[test]
    fn new_text_reads_back(value in any_value()) {
        prop_assert_eq!(parse(&write(&Form::Value(&value))).unwrap().to_value(), value);
    }

    #[test]
    fn the_same_value_changes_no_byte(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        prop_assert_eq!(patch(&parse(&text).unwrap(), &Form::Value(&value)).unwrap(), text);
    }

    #[test]
    fn a_patched_text_says_the_new_value(value in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        let read = parse(&result);
        prop_assert!(read.is_ok(), "{:?}\nfrom:\n{}\nto: {}\nresult:\n{}", read, text, new, result);
        prop_assert_eq!(read.unwrap().to_value(), new, "\nfrom:\n{}\nresult:\n{}", text, result);
        prop_assert!(result.starts_with("// head\n") && result.ends_with(" // tail\n"));
    }

    /// What is read again is what differs; the index is the one of the whole new text all the same.
    #[test]
    fn an_index_follows_the_text(value in any_value(), seed: u64, large in 0_u32..40) {
        let text = laid_out(&value, seed);
        let index = Index::finer(&parse(&text).unwrap(), large);
        let new = altered(&value, &TestRng::new(seed ^ 7));
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        let whole = Index::finer(&parse(&result).unwrap(), large);
        prop_assert_eq!(index.updated(&text, &result).unwrap(), whole, "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    /// A text changed anywhere by anyone is refused or read as if it were read whole.
    #[test]
    fn an_index_follows_any_change(
        value in any_value(), seed: u64, large in 0_u32..40, at in 0.0..1.0_f64, length in 0..12_usize,
        new in "[\\[\\](){}:,\"'#r0-9a-c.x \n/*]{0,6}",
    ) {
        let text = laid_out(&value, seed);
        let index = Index::finer(&parse(&text).unwrap(), large);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let at = (text.len() as f64 * at) as usize;
        let at = (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap();
        let end = (at..=at + length).rfind(|at| text.is_char_boundary(*at)).unwrap_or(at);
        let result = format!("{}{new}{}", &text[..at], &text[end..]);
        let whole = parse(&result).map(|tree| Index::finer(&tree, large));
        prop_assert_eq!(index.updated(&text, &result), whole, "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    #[test]
    fn places_are_found_without_the_tree(value in any_value(), seed: u64, large in 0_u32..40) {
        let text = laid_out(&value, seed);
        let tree = parse(&text).unwrap();
        let index = Index::finer(&tree, large);
        let mut paths = Vec::new();
        paths_in(&value, &FieldPath::root(), &mut paths);
        for path in paths {
            for path in [path.key("nowhere"), path.index(1), path] {
                for at_key in [false, true] {
                    prop_assert_eq!(index.range_of(&text, &path, at_key), tree.range_of(&path, at_key), "{} in {}", path, text);
                }
            }
        }
    }

    #[test]
    fn a_patched_text_says_any_other_value(value in any_value(), new in any_value(), seed: u64) {
        let text = laid_out(&value, seed);
        let result = patch(&parse(&text).unwrap(), &Form::Value(&new)).unwrap();
        prop_assert_eq!(value_of(&result), Ok(new), "\nfrom:\n{}\nresult:\n{}", text, result);
    }

    #[test]
    fn no_bytes_make_the_reader_fall(text in "[\\[\\](){}:,\"'#!r0-9a-e.xX_+ \n\\\\/*-]{0,60}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_characters_make_the_reader_fall(text in "\\PC{0,40}|[\\s\\S]{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn a_cut_text_is_refused_or_read(value in any_value(), seed: u64, cut in 0.0..1.0_f64) {
        let text = laid_out(&value, seed);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let mut at = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(at) { at -= 1; }
        let _ = parse(&text[..at]);
        let _ = parse(&text[at..]);
    }
}

fn value_of(text: &str) -> Result<Value, String> {
    parse(text).map(|tree| tree.to_value()).map_err(|errors| format!("{errors:?}"))
}

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
    #![proptest_config(cases(1500))]

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
