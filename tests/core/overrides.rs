//! Nested values declared with the fewest operations: an edit of a struct, a map or a list leaves the operations on the
//! rest alone, and several that differ are changed alike.

use std::sync::Arc;

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Owner, apply_all},
    io::{Source, Sources, load_one},
    model::{DocPath, FieldPath, FieldType, Name, Project, Value},
    refactor::{FieldOf, ListRow, changed_alike, edits_for_value, list_rows},
};
use proptest::prelude::*;

use crate::{build::builtin, cases::cases, edit_paths::sorted};

const SCHEMA: &str = r##"(
    components: {
        "Kit": (
            fields: {
                "main": (
                    type: Struct({
                        "name": (type: Str, default: "club"),
                        "power": (type: Float, default: 1.0),
                        "tint": (type: Color, default: "#ffffff"),
                        "runes": (type: List(Str)),
                    }),
                ),
                "prices": (type: Map(Float)),
                "packs": (type: Map(Struct({ "size": (type: Int), "holds": (type: List(Str)) }))),
                "drops": (type: List(Struct({ "item": (type: Str), "n": (type: Int, default: 1), "odds": (type: Float) }))),
            },
        ),
    },
)
"##;

fn path(text: &str) -> DocPath {
    DocPath::new(text).unwrap()
}

/// A project of one file of definitions that begin with `base`, and its texts.
fn game(defs: &str) -> (Project, Sources) {
    let mut project = Project::default();
    let mut sources = Sources::default();
    for (place, text) in [("schemas/game.ron", SCHEMA), ("entities/a.ron", defs)] {
        let (document, findings) = load_one(&path(place), text);
        assert_eq!(findings, vec![], "{text}");
        let document = Arc::new(document.unwrap());
        project.documents.insert(path(place), Arc::clone(&document));
        sources.put(path(place), Source::new(text.into(), 0, findings, Some(document)));
    }
    (project, sources)
}

fn amounts(project: &Project) -> Resolution {
    resolve(project, &builtin(), None)
}

const BASE: &str = r#"
    "base": (
        set: (Kit: (
            main: (name: "axe", power: 2.5, runes: ["ash", "oak"]),
            prices: { "torch": 3.0, "rope": 1.0 },
            packs: { "bag": (size: 4, holds: ["torch", "rope"]) },
            drops: [(item: "torch"), (item: "a \"b\"]", n: 3), (item: "rope", odds: 0.5)],
        )),
    ),
"#;

/// What `heir` says, `heir` being an heir of `base` that says `before`, once `field` was let amount to what `change`
/// makes of it. That it does is checked.
fn heir(before: &str, field: &str, change: impl Fn(&mut Value)) -> String {
    let (mut project, sources) = game(&format!("{{{BASE}\n    \"heir\": (inherits: [\"base\"]{before}),\n}}\n"));
    let resolution = amounts(&project);
    let owner = Owner::Def { doc: path("entities/a.ron"), name: "heir".into() };
    let (component, field) = (Name::from("Kit"), Name::from(field));
    let ty = resolution.schema.field("Kit", &field).unwrap().ty.clone();
    let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &ty };
    let now = &resolution.defs["heir"].components["Kit"].fields[&field];
    let mut wanted = now.value.clone();
    change(&mut wanted);
    let edits = edits_for_value(&project, of, now, &wanted);
    apply_all(&mut project, &edits).unwrap();
    let now = amounts(&project).defs["heir"].get("Kit", &field).map(sorted);
    assert_eq!(now, Some(sorted(&wanted)), "{edits:?}");
    let text = sources.text_of(&path("entities/a.ron"), project.doc(&path("entities/a.ron")).unwrap());
    let (_, said) = text.split_once("inherits: [\"base\"]").unwrap();
    said.trim_end().trim_end_matches('}').trim_end().trim_end_matches(',').strip_suffix(')').unwrap().to_owned()
}

fn put(keys: &[&str], value: impl Into<Value>) -> impl Fn(&mut Value) {
    let (path, value) = (FieldPath::keys(keys.iter().copied()), value.into());
    move |whole| *whole = levelwright::edit::with_part(whole, &path, value.clone())
}

fn strings(items: &[&str]) -> Value {
    Value::List(items.iter().map(|it| Value::str(*it)).collect())
}

#[test]
fn a_member_is_said_and_the_others_follow() {
    assert_eq!(heir("", "main", put(&["power"], 5.0)), ", set: (Kit: (main: (power: 5.0)))");
    let both = |value: &mut Value| {
        put(&["power"], 5.0)(value);
        put(&["name"], Value::str("bow"))(value);
    };
    assert_eq!(heir("", "main", both), ", set: (Kit: (main: (name: \"bow\", power: 5.0)))");
}

#[test]
fn a_member_s_own_operation_gives_way_to_its_value_and_stays_otherwise() {
    let added = ", add: (Kit: (main: (power: 1.5)))";
    assert_eq!(heir(added, "main", put(&["power"], 5.0)), ", set: (Kit: (main: (power: 5.0)))");
    assert_eq!(
        heir(added, "main", put(&["name"], Value::str("bow"))),
        ", set: (Kit: (main: (name: \"bow\"))), add: (Kit: (main: (power: 1.5)))"
    );
    let scaled = ", scale: (Kit: (prices: { \"torch\": 2.0 }))";
    assert_eq!(
        heir(scaled, "prices", put(&["rope"], 9.0)),
        ", set: (Kit: (prices: { \"rope\": 9.0 })), scale: (Kit: (prices: { \"torch\": 2.0 }))"
    );
}

#[test]
fn a_list_inside_follows_the_inherited_one() {
    assert_eq!(heir("", "main", put(&["runes"], strings(&["oak"]))), ", remove: [\"Kit.main.runes[\\\"ash\\\"]\"]");
    assert_eq!(
        heir("", "main", put(&["runes"], strings(&["ash", "oak", "elm"]))),
        ", append: (Kit: (main: (runes: [\"elm\"])))"
    );
    assert_eq!(
        heir("", "packs", put(&["bag", "holds"], strings(&["torch", "rope", "key"]))),
        ", append: (Kit: (packs: { \"bag\": (holds: [\"key\"]) }))"
    );
    assert_eq!(
        heir("", "packs", put(&["bag", "holds"], strings(&["rope"]))),
        ", remove: [\"Kit.packs[\\\"bag\\\"].holds[\\\"torch\\\"]\"]"
    );
    let appended = ", append: (Kit: (main: (runes: [\"elm\"])))";
    assert_eq!(heir(appended, "main", put(&["runes"], strings(&["ash", "oak"]))), "");
}

#[test]
fn an_element_that_is_a_struct_is_taken_away_by_its_value() {
    let without = |n: usize| {
        move |value: &mut Value| {
            let Value::List(items) = value else { panic!("a list") };
            items.remove(n);
        }
    };
    let torch = ", remove: [\"Kit.drops[(item: \\\"torch\\\", n: 1, odds: 0.0)]\"]";
    assert_eq!(heir("", "drops", without(0)), torch);
    let rope = "\"Kit.drops[(item: \\\"rope\\\", n: 1, odds: 0.5)]\"";
    assert_eq!(heir("", "drops", without(2)), format!(", remove: [{rope}]"));
    let both = heir(torch, "drops", without(1));
    assert!(both.contains("torch") && both.contains(rope) && both.matches("Kit.drops[").count() == 2, "{both}");
    // Quotes and brackets in it are its own.
    assert!(heir("", "drops", without(1)).contains("a \\\\\\\"b\\\\\\\"]"), "{}", heir("", "drops", without(1)));
}

#[test]
fn entries_of_maps_are_taken_away_and_come_back() {
    let without = |key: &'static str| {
        move |value: &mut Value| {
            let Value::Map(entries) = value else { panic!("a map") };
            entries.retain(|(k, _)| k.as_str() != Some(key));
        }
    };
    let removed = ", remove: [\"Kit.prices[\\\"torch\\\"]\"]";
    assert_eq!(heir("", "prices", without("torch")), removed);
    let back = |value: &mut Value| {
        let Value::Map(entries) = value else { panic!("a map") };
        entries.insert(0, (Value::str("torch"), Value::Float(3.0)));
    };
    assert_eq!(heir(removed, "prices", back), "");
    // Its own word and the inherited entry both go.
    assert_eq!(heir(", scale: (Kit: (prices: { \"torch\": 2.0 }))", "prices", without("torch")), removed);
}

#[test]
fn lists_inside_are_told_apart_by_who_says_their_elements() {
    let append = ", append: (Kit: (main: (runes: [\"elm\"]))), remove: [\"Kit.main.runes[\\\"ash\\\"]\"]";
    let (project, _) = game(&format!("{{{BASE} \"heir\": (inherits: [\"base\"]{append}) }}"));
    let resolution = amounts(&project);
    let owner = Owner::Def { doc: path("entities/a.ron"), name: "heir".into() };
    let of = FieldOf { owner: &owner, component: &"Kit".into(), field: &"main".into(), ty: &FieldType::Any };
    let field = &resolution.defs["heir"].components["Kit"].fields["main"];
    let rows = list_rows(&project, of, field, &FieldPath::keys(["runes"])).unwrap();
    let [ash, oak, elm] = ["ash", "oak", "elm"].map(Value::str);
    assert_eq!(rows, [ListRow::Removed(&ash), ListRow::Inherited(0, &oak), ListRow::Added(1, &elm)]);
}

#[test]
fn several_that_differ_are_changed_alike() {
    let of = |text: &str| text.parse::<Value>().unwrap();
    for (from, to, other, alike) in [
        ("[\"a\", \"b\"]", "[\"b\"]", "[\"b\", \"a\", \"c\"]", "[\"b\", \"c\"]"),
        ("[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]", "[\"d\"]", "[\"d\", \"c\"]"),
        ("[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]", "[\"c\"]", "[\"c\"]"),
        ("[\"a\", \"b\"]", "[\"a\", \"x\"]", "[\"b\", \"c\"]", "[\"x\", \"c\"]"),
        ("[\"a\", \"b\"]", "[\"a\", \"x\"]", "[\"c\"]", "[\"c\"]"),
        ("(a: 1, b: 2)", "(a: 1, b: 3)", "(a: 7, b: 8)", "(a: 7, b: 3)"),
        ("{\"a\": 1}", "{}", "{\"a\": 4, \"b\": 2}", "{\"b\": 2}"),
        ("{\"a\": 1}", "{\"a\": 1, \"c\": 3}", "{\"b\": 2}", "{\"b\": 2, \"c\": 3}"),
        ("(m: (x: 1, y: 2))", "(m: (x: 5, y: 2))", "(m: (x: 0, y: 0))", "(m: (x: 5, y: 0))"),
        ("3.0", "4.0", "9.0", "4.0"),
        ("[\"a\"]", "[\"a\", \"b\"]", "[\"a\"]", "[\"a\", \"b\"]"),
    ] {
        assert_eq!(changed_alike(&of(from), &of(to), &of(other)), of(alike), "{from} → {to} for {other}");
    }
}

#[test]
fn an_entry_that_only_append_makes_is_set_whole() {
    // `scale` and `add` come before `append`, so they do not find the entry; once it is set they would.
    for found in ["add", "scale"] {
        let before = format!(
            ", {found}: (Kit: (packs: {{ \"bag\": (size: 2) }})), append: (Kit: (packs: {{ \"bag\": (holds: [\"elm\"]) }})), \
             remove: [\"Kit.packs[\\\"bag\\\"]\"]"
        );
        let change = |value: &mut Value| {
            put(&["bag", "size"], 0_i64)(value);
            put(&["bag", "holds"], strings(&["torch"]))(value);
        };
        let said = heir(&before, "packs", change);
        assert!(said.contains("set: (Kit: (packs: { \"bag\": (size: 0, holds: [\"torch\"]) }))"), "{said}");
        assert!(!said.contains(found) && !said.contains("append"), "{said}");
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "set: (Kit: (main: (power: 4.0)))",
        "set: (Kit: (main: (runes: [\"yew\"]), prices: { \"rope\": 7.0 }))",
        "set: (Kit: (packs: { \"bag\": (size: 9), \"box\": (size: 1, holds: [\"key\"]) }))",
        "scale: (Kit: (main: (power: 2.0), prices: { \"torch\": 0.5 }))",
        "add: (Kit: (main: (power: 1.0), packs: { \"bag\": (size: 2) }))",
        "append: (Kit: (main: (runes: [\"elm\"])))",
        "append: (Kit: (packs: { \"bag\": (holds: [\"elm\"]) }))",
        "remove: [\"Kit.main.runes[\\\"ash\\\"]\"]",
        "remove: [\"Kit.prices[\\\"torch\\\"]\"]",
        "remove: [\"Kit.packs[\\\"bag\\\"]\", \"Kit.main\"]",
    ])
}

/// Some operations together, one of each kind.
fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..4).prop_map(|words| {
        let mut said: Vec<&str> = Vec::new();
        for word in words {
            if !said.iter().any(|it| it.split(':').next() == word.split(':').next()) {
                said.push(word);
            }
        }
        said.iter().map(|word| format!(", {word}")).collect()
    })
}

fn some(of: &'static [&'static str]) -> impl Strategy<Value = Value> {
    prop::collection::vec(prop::sample::select(of), 0..4).prop_map(|items| strings(&items))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn whatever_is_said_a_struct_comes_to_what_was_wanted(
        before in words(), power in 0..9_i32, runes in some(&["ash", "oak", "elm", "yew"]), with_runes in any::<bool>(),
    ) {
        heir(&before, "main", |value| {
            put(&["power"], f64::from(power))(value);
            if with_runes {
                put(&["runes"], runes.clone())(value);
            }
        });
    }

    #[test]
    fn whatever_is_said_a_map_comes_to_what_was_wanted(
        before in words(), kept in any::<[bool; 2]>(), size in 0..5_i64, holds in some(&["torch", "rope", "elm", "key"]),
    ) {
        heir(&before, "packs", |value| {
            let Value::Map(entries) = value else { panic!("a map") };
            let mut kept = kept.iter();
            entries.retain(|_| *kept.next().unwrap_or(&true));
            for (_, pack) in entries.iter_mut() {
                put(&["size"], size)(pack);
                put(&["holds"], holds.clone())(pack);
            }
        });
    }
}
