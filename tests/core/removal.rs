//! Entries of `remove`: how they are read and written, and what they take away.

use std::sync::Arc;

use levelwright::{
    defs::resolve,
    io::load_one,
    model::{Name, Project, RemovePath, RemoveStep, Value},
};
use proptest::prelude::*;

use crate::build::{builtin, path};
use crate::cases::cases;

fn texts(files: &[(&str, &str)]) -> Project {
    let read = |(at, text): &(&str, &str)| {
        let (document, findings) = load_one(&path(at), text);
        assert_eq!(findings, vec![], "{text}");
        (path(at), Arc::new(document.unwrap()))
    };
    files.iter().map(read).collect()
}

#[test]
fn entries_are_read_and_written() {
    for (text, written) in [
        ("Shield", "Shield"),
        (" Loot . gold ", "Loot.gold"),
        ("Loot.items[\"torch\"]", "Loot.items[\"torch\"]"),
        ("Loot.items[ torch ]", "Loot.items[torch]"),
        ("Loot.items[1_000]", "Loot.items[1000]"),
        ("Loot.items[2nd]", "Loot.items[2nd]"),
        ("Loot.items[-1.50]", "Loot.items[-1.5]"),
        ("Loot.items[\"a ] \\\" [\"]", "Loot.items[\"a ] \\\" [\"]"),
        ("Loot.items[\"\\u{7}\"]", "Loot.items[\"\\u{7}\"]"),
        ("C.list[(name:\"a\",n:1,)]", "C.list[(name: \"a\", n: 1)]"),
        ("C.list[( a: [1, [2]], b: {\"]\": (1.0, 2.0)} )].x", "C.list[(a: [1, [2]], b: {\"]\": (1.0, 2.0)})].x"),
        ("C.list[[1, 2]]", "C.list[[1, 2]]"),
        ("C.list[Some(Circle(radius: 4.0))]", "C.list[Some(Circle(radius: 4.0))]"),
        ("C.packs[\"bag\"].holds[None]", "C.packs[\"bag\"].holds[None]"),
    ] {
        assert_eq!(RemovePath::parse(text).map(|path| path.to_string()), Ok(written.to_owned()), "{text}");
    }
    for (text, why) in [
        ("", "this names no component"),
        ("C.", "a field's name is missing"),
        ("C[1]", "a component is not a list"),
        ("C.l[", "what stands in brackets cannot be read: a value is missing"),
        ("C.l[]", "what stands in brackets cannot be read: a value was expected, found `]`"),
        ("C.l[(a: 1]", "what stands in brackets cannot be read: `)` was expected, found `]`"),
        ("C.l[\"a]", "what stands in brackets cannot be read: the closing `\"` is missing"),
        ("C.l[a b]", "a `]` is missing"),
        ("C.l[1]x", "`.` or `[` was expected"),
    ] {
        let found = RemovePath::parse(text).unwrap_err();
        assert!(found.starts_with(&format!("{why}; write ")), "{text}: {found}");
    }
    assert!(RemovePath::parse(&format!("C.l{}", "[".repeat(100_000))).is_err());
}

#[test]
fn parts_are_read_by_their_position() {
    let text = "C.list[ (who: \"a\", n: 1) ].x";
    let (_, parts) = RemovePath::parse_parts(text).unwrap();
    let parts: Vec<&str> = parts.into_iter().map(|part| &text[part]).collect();
    assert_eq!(parts, ["C", "list", "(who: \"a\", n: 1)", "x"]);
}

#[test]
fn an_element_is_taken_away_by_its_value() {
    let schema = "(components: { \"C\": (fields: {
        \"drops\": (type: List(Struct({ \"item\": (type: Str), \"n\": (type: Float, default: 1.0) }))),
        \"at\": (type: List(Vec2)),
        \"deep\": (type: List(List(Int))),
        \"maybe\": (type: List(Option(Int))),
    }) })";
    let base = "\"base\": (set: (C: (
        drops: [(item: \"torch\"), (item: \"rope\", n: 2), (item: \"torch\", n: 1)],
        at: [(1.0, 2.0), (3, 4)],
        deep: [[1, 2], [3]],
        maybe: [Some(1), None, Some(2)],
    )))";
    for (entry, field, left) in [
        // Every equal one goes; fields left out are their defaults; numbers are numbers.
        ("C.drops[(item: \"torch\")]", "drops", "[(item: \"rope\", n: 2.0)]"),
        ("C.drops[(n: 2, item: \"rope\")]", "drops", "[(item: \"torch\", n: 1.0), (item: \"torch\", n: 1.0)]"),
        ("C.at[(3, 4)]", "at", "[(1.0, 2.0)]"),
        ("C.deep[[1, 2]]", "deep", "[[3]]"),
        ("C.maybe[Some(2)]", "maybe", "[Some(1), None]"),
        ("C.maybe[None]", "maybe", "[Some(1), Some(2)]"),
    ] {
        let heir = format!("\"heir\": (inherits: [\"base\"], remove: [{}])", Value::str(entry));
        let project = texts(&[("schemas/g.ron", schema), ("entities/a.ron", &format!("{{ {base}, {heir} }}"))]);
        let resolution = resolve(&project, &builtin(), None);
        assert_eq!(resolution.findings().next(), None, "{entry}");
        assert_eq!(resolution.defs["heir"].get("C", field), Some(&left.parse().unwrap()), "{entry}");
    }
    let heir = "\"heir\": (inherits: [\"base\"], remove: [\"C.drops[(item: \\\"torch\\\", n: 7)]\"])";
    let project = texts(&[("schemas/g.ron", schema), ("entities/a.ron", &format!("{{ {base}, {heir} }}"))]);
    let resolution = resolve(&project, &builtin(), None);
    assert_eq!(resolution.findings().map(|it| &*it.rule).collect::<Vec<_>>(), ["bad-remove"]);
}

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z_][a-zA-Z0-9_]{0,5}".prop_filter("not a truth", |word| word != "true" && word != "false")
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::Float),
        any::<String>().prop_map(Value::Str),
        word().prop_map(|word| Value::Symbol(word.into())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let named = prop::collection::vec((word().prop_map(Name::from), inner.clone()), 1..4);
        let named = named.prop_map(|fields| Value::Struct(fields.into_iter().collect())).boxed();
        let items = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            items.clone().prop_map(Value::List),
            items.clone().prop_map(Value::Tuple),
            named.clone(),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Map(map.into_iter().map(|(key, value)| (Value::Str(key), value)).collect())),
            (word(), prop_oneof![items.prop_map(Value::Tuple), named])
                .prop_map(|(tag, content)| Value::Tagged(tag.into(), Box::new(content))),
        ]
    })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn what_is_written_reads_back(component in word(), field in word(), items in prop::collection::vec(value(), 0..3)) {
        let mut steps = vec![RemoveStep::Field(field.into())];
        steps.extend(items.into_iter().map(RemoveStep::Item));
        let path = RemovePath { component: component.into(), steps };
        prop_assert_eq!(RemovePath::parse(&path.to_string()), Ok(path));
    }

    #[test]
    fn texts_are_read_by_their_position(value in value()) {
        let written = value.to_string();
        let spans = Value::texts_in(&written);
        let texts = value.texts();
        prop_assert_eq!(spans.len(), texts.len());
        for (span, text) in spans.into_iter().zip(texts) {
            let whole = text.to_string();
            let bare = if let Value::Str(_) = text { &whole[1..whole.len() - 1] } else { &whole };
            prop_assert_eq!(&written[span], bare);
        }
    }

    #[test]
    fn nothing_that_is_written_makes_it_panic(text in "C\\.[a-z]?\\[[\\[\\](){}:,\"\\\\a1. ]{0,12}") {
        if let Ok((path, parts)) = RemovePath::parse_parts(&text) {
            prop_assert_eq!(parts.len(), path.steps.len() + 1);
        }
    }
}
