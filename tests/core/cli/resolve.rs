//! `resolve` and `resolve --explain`: values, and where they are declared.

use super::*;

#[test]
fn resolve_gives_values_and_who_said_them() {
    let dir = small();
    let json = run(&["resolve", at(&dir), "goblin", "--json"]).json();
    assert_eq!(json["components"]["Health"]["max"], 10.0);
    let explained = run(&["resolve", at(&dir), "goblin", "--explain", "--json"]).json();
    let said = explained["components"]["Health"]["max"]["said"].as_array().unwrap().clone();
    let ops: Vec<&str> = said.iter().map(|entry| entry["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["default", "set", "scale"]);
    assert_eq!((&said[2]["file"], &said[2]["line"]), (&"entities/all.ron".into(), &3.into()));
    let text = run(&["resolve", at(&dir), "goblin", "--explain"]).out;
    assert!(text.contains("scale 0.5: 20.0 → 10.0") && text.contains("entities/all.ron:3:"), "{text}");
    // The plain result is a definition that can be put back into a file.
    let ron = run(&["resolve", at(&dir), "goblin"]).out;
    let again = project(&[("entities/all.ron", &ron)]);
    let again = run(&["resolve", at(&again), "goblin", "--json"]).json();
    assert_eq!(again["components"], json["components"]);
    // A placed entity has its own say.
    let placed = run(&["resolve", at(&dir), "start/g1", "--json"]).json();
    assert_eq!(placed["components"]["Health"]["max"], 7.0);
    let unknown = run(&["resolve", at(&dir), "gobln"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `goblin`?"), "{}", unknown.err);
}

/// Two fields of the game's own and an undeclared one, five operations, two parents of which one removes what the other
/// has.
const EXPLAINED: &str = r#"{
    "thing": (abstract: true, set: (
        Purse: (gold: 5, items: ["torch"], odd: 1),
        Health: (max: 20.0),
    )),
    "poor": (abstract: true, inherits: ["thing"], remove: ["Purse"]),
    "armed": (abstract: true, inherits: ["thing"],
        scale: (Health: (max: 2.0)),
        append: (Purse: (items: ["knife", "rope"])),
    ),
    "knave": (inherits: ["armed", "poor"],
        remove: ["Purse.items[\"rope\"]"],
        set: (Purse: (gold: 1)),
        add: (Health: (max: 5.0)),
    ),
    "monk": (inherits: ["knave"], remove: ["Purse", "Health.max"]),
}
"#;

#[test]
fn explain_lists_everyone_who_touched_a_field() {
    let schema = "(components: { \"Purse\": (fields: { \"gold\": (type: Int, default: 0), \"items\": (type: List(Str), default: []) }) })\n";
    let dir = project(&[("schemas/s.ron", schema), ("entities/all.ron", EXPLAINED)]);
    let text = run(&["resolve", at(&dir), "monk", "--explain"]).out;
    // The other fields of Health follow; no definition declares them.
    assert_eq!(text.get(..MONK.len()), Some(MONK), "{text}");
    let json = run(&["resolve", at(&dir), "monk", "--explain", "--json"]).json();
    let steps = |said: &serde_json::Value| -> Vec<String> {
        let step = |it: &serde_json::Value| {
            format!("{} {} {} {}→{} {}", it["by"], it["op"], it["operand"], it["before"], it["after"], it["line"])
        };
        said.as_array().unwrap().iter().map(step).collect()
    };
    assert_eq!(
        steps(&json["removed"]["Purse"]["gold"]["said"]),
        [
            r#""schema" "default" 0 null→0 1"#,
            r#""thing" "set" 5 0→5 3"#,
            r#""poor" "remove" null 5→null 6"#,
            r#""schema" "default" 0 null→0 1"#,
            r#""knave" "set" 1 0→1 13"#,
            r#""monk" "remove" null 1→null 16"#,
        ]
    );
    assert_eq!(
        steps(&json["components"]["Health"]["max"]["said"]),
        [
            r#""schema" "default" 10.0 null→10.0 null"#,
            r#""thing" "set" 20.0 10.0→20.0 4"#,
            r#""armed" "scale" 2.0 20.0→40.0 8"#,
            r#""knave" "add" 5.0 40.0→45.0 14"#,
            r#""monk" "remove" 45.0 45.0→10.0 16"#,
        ]
    );
    let presence = json["presence"]["Purse"].as_array().unwrap().iter();
    let presence: Vec<String> = presence
        .map(|it| format!("{} {} {}:{}", it["by"], it["op"].as_str().unwrap(), it["file"], it["line"]))
        .collect();
    assert_eq!(
        presence,
        [
            r#""thing" set "entities/all.ron":3"#,
            r#""poor" remove "entities/all.ron":6"#,
            r#""armed" append "entities/all.ron":9"#,
            r#""monk" remove "entities/all.ron":16"#,
        ]
    );
}

const MONK: &str = "\
monk, applied in this order: thing, poor, armed, knave, monk

Purse, no more
    given                                        thing                entities/all.ron:3:9
    taken away                                   poor                 entities/all.ron:6:60
    given                                        armed                entities/all.ron:9:18
    taken away                                   monk                 entities/all.ron:16:44
    gold, no more
        default: 0                               schema               schemas/s.ron:1:65
        set: 0 → 5                               thing                entities/all.ron:3:23
        remove: 5 → nothing                      poor                 entities/all.ron:6:60
        default: 0                               schema               schemas/s.ron:1:65
        set: 0 → 1                               knave                entities/all.ron:13:29
        remove: 1 → nothing                      monk                 entities/all.ron:16:44
    items, no more
        default: []                              schema               schemas/s.ron:1:105
        set: [] → [\"torch\"]                      thing                entities/all.ron:3:33
        remove: [\"torch\"] → nothing              poor                 entities/all.ron:6:60
        default: []                              schema               schemas/s.ron:1:105
        append: [] → [\"knife\", \"rope\"]           armed                entities/all.ron:9:33
        remove [\"rope\"]: [\"knife\", \"rope\"] → [\"knife\"] knave                entities/all.ron:12:18
        remove: [\"knife\"] → nothing              monk                 entities/all.ron:16:44
    odd, no more
        set: 1                                   thing                entities/all.ron:3:49
        remove: 1 → nothing                      poor                 entities/all.ron:6:60

Health
    given                                        thing                entities/all.ron:4:9
    max = 10.0
        default: 10.0                            schema               built in
        set: 10.0 → 20.0                         thing                entities/all.ron:4:23
        scale 2.0: 20.0 → 40.0                   armed                entities/all.ron:8:31
        add 5.0: 40.0 → 45.0                     knave                entities/all.ron:14:29
        remove: 45.0 → 10.0                      monk                 entities/all.ron:16:53
";

/// Every place that `--explain` names in the sample game is one where the file names the field.
#[test]
fn explained_places_are_where_the_files_name_the_fields() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_data");
    let mut n_places = 0;
    for name in ["veteran", "chief", "bomb_goblin", "bat"] {
        let json = run(&["resolve", sample, name, "--explain", "--json"]);
        let components = json.json()["components"].as_object().unwrap().clone();
        for (component, fields) in components {
            for (field, field_json) in fields.as_object().unwrap() {
                let said = field_json["said"].as_array().unwrap();
                assert_eq!(said.last().unwrap()["after"], field_json["value"], "{name}: {component}.{field}");
                for step in said.iter().filter(|step| step["op"] != "default") {
                    let text = fs::read_to_string(format!("{sample}/{}", step["file"].as_str().unwrap())).unwrap();
                    let line = usize::try_from(step["line"].as_u64().unwrap()).unwrap();
                    let line = text.lines().nth(line - 1).unwrap();
                    assert!(line.contains(field.as_str()) || line.contains(&component), "{name}: {field} at {line}");
                    n_places += 1;
                }
            }
        }
    }
    assert!(n_places > 40, "{n_places}");
}

#[test]
fn resolve_tells_what_is_missing_above_and_names_what_is_removed() {
    let dir = project(&[
        ("schemas/s.ron", "(components: { \"Loot\": (fields: { \"prices\": (type: Map(Int), default: {}) }) })\n"),
        (
            "entities/all.ron",
            "{
                \"shop\": (set: (Loot: (prices: { \"torch\": 5, \"rope\": 2 }))),
                \"stall\": (inherits: [\"shop\"], remove: [\"Loot.prices[\\\"torch\\\"]\"]),
                \"orphan\": (inherits: [\"sho\"], set: (Loot: ())),
                \"child\": (inherits: [\"orphan\"]),
            }\n",
        ),
    ]);
    let text = run(&["resolve", at(&dir), "stall", "--explain"]);
    assert_eq!(text.code, 0, "another definition is at fault");
    assert!(text.out.contains("remove [\"torch\"]: {\"torch\": 5, \"rope\": 2} → {\"rope\": 2}"), "{}", text.out);
    for name in ["orphan", "child"] {
        let half = run(&["resolve", at(&dir), name, "--json"]);
        assert_eq!(half.code, 1, "an ancestor of `{name}` is missing");
        assert!(half.json()["components"]["Loot"].is_object(), "what is known is printed all the same");
    }
}

#[test]
fn what_is_taken_out_of_a_field_is_named_with_what_it_went_back_to() {
    let schema = "(components: { \"Kit\": (fields: {
        \"main\": (type: Struct({ \"power\": (type: Float, default: 1.0), \"runes\": (type: List(Str)) })),
        \"packs\": (type: Map(Struct({ \"size\": (type: Int, default: 3) }))),
    }) })\n";
    let entities = r#"{
        "club": (set: (Kit: (main: (power: 9.0, runes: ["ash", "oak"]), packs: { "bag": (size: 7) }))),
        "twig": (inherits: ["club"], remove: ["Kit.main.power", "Kit.main.runes[\"ash\"]", "Kit.packs[\"bag\"].size"]),
        "none": (inherits: ["club"], remove: ["Kit.main"]),
        "start/g": (inherits: ["twig"]),
    }
"#;
    let level = "(size: (1, 1), tile_size: (16, 16), layers: [Entities(name: \"a\", entities: { \"g\": (def: \"club\", at: (0.0, 0.0)) })])\n";
    let dir = project(&[("schemas/s.ron", schema), ("entities/all.ron", entities), ("levels/start.ron", level)]);
    let text = run(&["resolve", at(&dir), "twig", "--explain"]).out;
    for line in [
        "remove power, back to 1.0: (power: 9.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [\"ash\", \"oak\"])",
        "remove runes[\"ash\"]: (power: 1.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [\"oak\"])",
        "remove [\"bag\"].size, back to 3: {\"bag\": (size: 7)} → {\"bag\": (size: 3)}",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let json = run(&["resolve", at(&dir), "twig", "--explain", "--json"]).json();
    let said = &json["components"]["Kit"]["main"]["said"];
    assert_eq!((&said[2]["part"], &said[2]["operand"]), (&"power".into(), &9.0.into()));
    assert_eq!((&said[1]["part"], &said[3]["part"]), (&serde_json::Value::Null, &"runes[\"ash\"]".into()));
    let text = run(&["resolve", at(&dir), "none", "--explain"]).out;
    let whole = "remove: (power: 9.0, runes: [\"ash\", \"oak\"]) → (power: 1.0, runes: [])";
    assert!(text.contains(whole), "{text}");
    // A definition's name comes before the placed entity of the same words, which is still to be had.
    let both = run(&["resolve", at(&dir), "start/g"]);
    assert!(both.out.contains("power: 1.0"), "{}", both.out);
    assert!(both.err.contains("the placed entity is `levels/start.ron/g`"), "{}", both.err);
    let placed = run(&["resolve", at(&dir), "levels/start.ron/g"]);
    assert!(placed.out.contains("power: 9.0"), "{}", placed.out);
    let near = run(&["resolve", at(&dir), "star/g"]);
    assert!(near.err.contains("did you mean `start/g`?"), "{}", near.err);
}

#[test]
fn resolve_tells_what_is_wrong_with_what_was_asked_for() {
    let dir = project(&ODD);
    let defs = "{
    \"fine\": (),
    \"typed\": (set: (C: (i: \"x\"))),
    \"bare\": (remove: [\"Shield\"]),
    \"child\": (inherits: [\"typed\"]),
}\n";
    fs::write(dir.path().join("entities/more.ron"), defs).unwrap();
    fs::write(dir.path().join("entities/bad.ron"), "{\n    \"lost\": (set: (C: (i: )),\n}\n").unwrap();
    let asked = |name: &str| run(&["resolve", at(&dir), name]);
    let fine = asked("fine");
    assert_eq!(fine.code, 0);
    assert!(fine.err.lines().all(|line| line.contains("entities/bad.ron")), "{}", fine.err);
    for (name, rule) in [("typed", "wrong-type"), ("bare", "bad-remove"), ("child", "wrong-type")] {
        let wrong = asked(name);
        assert_eq!(wrong.code, 1, "{name}");
        assert!(wrong.err.contains(rule) && !wrong.err.contains("odd.ron"), "{}", wrong.err);
    }
    let lost = asked("lost");
    assert_eq!(lost.code, 1);
    assert!(lost.err.contains("entities/bad.ron:2:"), "{}", lost.err);
    assert_eq!(asked("nobody").code, 2);
}
