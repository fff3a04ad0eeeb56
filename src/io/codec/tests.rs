//! A record that only this test declares is read, limited, written, merged and described like every other: nothing here
//! or elsewhere knows its fields.

use indexmap::IndexMap;

use super::{Choices, Cx, describe, merge::Merging, merge_parts, read, write};
use crate::{
    io::ron_text,
    model::{
        FieldPath, FieldType, Name, Value,
        reflect::{Data, Reflect, by_index, called, describe, out_of_range, place, place_mut},
    },
};

describe! {
    /// A wave of enemies.
    #[derive(Clone, Debug, PartialEq)]
    struct Wave: "a wave" => own_line() {
        /// Who comes.
        def: Name => id() names(&FieldType::Def),
        /// How many.
        count: u32 = 1 => range(1.0, 100.0),
        /// When, from the start of the level.
        at: f64 => at_least(0.0) unit("s"),
    }
}

describe! {
    /// Waves of one level.
    #[derive(Clone, Debug, PartialEq)]
    struct Waves: "a page of waves" {
        /// In the order in which they come.
        waves: Vec<Wave> = Vec::new(),
        /// Names of spawn points by side.
        sides: IndexMap<Name, Name> = IndexMap::new(),
    }
}

const TEXT: &str = "(
    // The first of all.
    waves: [
        (def: \"goblin\", at: 2.5), // early
        (at: 10, def: \"bat\", count: 0x3),
    ],
)
";

fn read_waves(text: &str) -> Result<Waves, String> {
    let tree = ron_text::parse(text).unwrap();
    let (mut cx, mut waves) = (Cx::new(text), Waves::blank());
    let is_read = read::read(&tree.root, &mut waves, &mut cx);
    let path = crate::model::DocPath::new("waves/a.ron").unwrap();
    let findings: Vec<String> = cx.findings(&path, &tree).into_iter().map(|finding| finding.message).collect();
    if is_read && findings.is_empty() { Ok(waves) } else { Err(findings.join("; ")) }
}

#[test]
fn it_is_read_by_its_declaration() {
    let waves = read_waves(TEXT).unwrap();
    assert_eq!(waves.waves.len(), 2);
    assert_eq!((&*waves.waves[1].def, waves.waves[1].count, waves.waves[1].at), ("bat", 3, 10.0));
    assert_eq!(waves.waves[0].count, 1, "the default");
    for (text, wrong) in [
        ("(waves: [(def: \"a\")])", "a wave needs a field `at`"),
        ("(waves: [(def: \"a\", at: 1, cuont: 3)])", "a wave has no field `cuont`"),
        (
            "(waves: [(def: \"a\", at: 1, count: -3)])",
            "expected a whole number from 0 to 4294967295, found a whole number `-3`",
        ),
        ("(waves: 3)", "expected a list `[…]`, found a whole number `3`"),
    ] {
        assert_eq!(read_waves(text), Err(wrong.to_owned()), "{text}");
    }
}

#[test]
fn its_numbers_are_limited() {
    let mut waves = read_waves(TEXT).unwrap();
    assert_eq!(out_of_range(&waves), vec![]);
    waves.waves[1].count = 500;
    waves.waves[0].at = -1.0;
    let found: Vec<String> = out_of_range(&waves).iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
    assert_eq!(found, ["waves[0].at: `at` is at least 0, not -1", "waves[1].count: `count` is from 1 to 100, not 500"]);
}

#[test]
fn it_is_written_where_it_changed() {
    let mut waves = read_waves(TEXT).unwrap();
    waves.waves[1].at = 12.0;
    waves.waves[1].count = 1;
    waves.sides.insert("left".into(), "gate".into());
    let tree = ron_text::parse(TEXT).unwrap();
    let text = ron_text::patch(&tree, &write::form(&waves, None)).unwrap();
    assert_eq!(
        text,
        TEXT.replace("at: 10, def: \"bat\", count: 0x3", "at: 12.0, def: \"bat\", count: 1")
            .replace("    ],\n)", "    ],\n    sides: { \"left\": \"gate\" },\n)")
    );
    assert_eq!(read_waves(&text).unwrap(), waves);
}

#[test]
fn two_sides_are_merged_by_field() {
    let base = read_waves(TEXT).unwrap();
    let (mut mine, mut theirs) = (base.clone(), base.clone());
    mine.waves[0].at = 3.0;
    theirs.waves[0].count = 7;
    theirs.waves.push(Wave { def: "troll".into(), count: 1, at: 60.0 });
    theirs.waves[1].at = 11.0;
    mine.waves[1].at = 12.0;
    let choices = Choices::default();
    let mut cx = Merging::new(&choices);
    let merged = merge_parts::merged(Some(&base), &mine, &theirs, &mut cx);
    let contested: Vec<String> = cx.contests.iter().map(|it| it.path.to_string()).collect();
    assert_eq!(contested, ["waves.bat.at"]);
    let mut out = Waves::blank();
    assert!(out.assign(&*merged));
    let shown: Vec<(&str, u32, f64)> = out.waves.iter().map(|it| (&*it.def, it.count, it.at)).collect();
    assert_eq!(shown, [("goblin", 7, 3.0), ("bat", 3, 12.0), ("troll", 1, 60.0)]);
}

#[test]
fn its_mirror_has_a_schema() {
    let vocabulary = describe::Vocabulary::default();
    let schema = describe::schema_of(Waves::type_of(), &vocabulary);
    let wave = &schema["$defs"]["wave"];
    assert_eq!(wave["required"], serde_json::json!(["def", "at"]));
    assert_eq!(wave["properties"]["count"]["type"], "integer");
    assert_eq!(schema["$defs"]["page_of_waves"]["properties"]["waves"]["items"]["$ref"], "#/$defs/wave");
}

#[test]
fn its_places_are_read_changed_and_have_names() {
    let mut waves = read_waves(TEXT).unwrap();
    let at = FieldPath::keys(["waves", "bat", "at"]);
    let (value, field) = place(&waves, &at.0).unwrap();
    assert_eq!((Data::of(value), field.unwrap().unit), (Data::Plain(Value::Float(10.0)), "s"));
    assert_eq!(called(Waves::type_of(), &at), "at of wave bat");
    assert_eq!(by_index(&waves, &at).to_string(), "waves[1].at");
    let spec = field.unwrap().spec();
    assert_eq!(
        (spec.ty, spec.min, spec.doc.as_str()),
        (FieldType::Float, Some(0.0), "When, from the start of the level.")
    );
    Data::Plain(Value::Float(11.0)).put(place_mut(&mut waves, &at.0).unwrap()).unwrap();
    assert_eq!(waves.waves[1].at.to_bits(), 11.0_f64.to_bits());
    let refused = Data::Plain(Value::str("soon")).put(place_mut(&mut waves, &at.0).unwrap());
    assert_eq!(refused.unwrap_err(), "expected Float, found a string `\"soon\"`");
    // All of it, and back.
    let data = Data::of(&waves);
    let mut again = Waves::blank();
    data.put(&mut again).unwrap();
    assert_eq!(again, waves);
}
