//! Each operation, and each thing that can be wrong with one.

use super::*;

#[test]
fn each_operation_does_what_it_says() {
    let g = || def(&["goblin"]);
    let walk_secs = || map([("walk", st([("secs", 0.5)]))]);
    let cases: Vec<(&str, EntityDef, &str, &str, &str)> = vec![
        ("untouched fields are inherited", g(), "Health", "max", "20.0"),
        ("set replaces a number", g().set("Health", "max", 45.0), "Health", "max", "45.0"),
        ("a whole number for a float is one", g().set("Health", "max", 45_i64), "Health", "max", "45.0"),
        ("set leaves other fields", g().set("Health", "max", 45.0), "Health", "lives", "3"),
        ("set replaces lists", g().set("Loot", "items", list(["key"])), "Loot", "items", "[\"key\"]"),
        (
            "set merges maps and the structs in them",
            g().set("Sprite", "clips", walk_secs()),
            "Sprite",
            "clips",
            "{\"walk\": (frames: [0, 1], secs: 0.5)}",
        ),
        (
            "set adds map entries, completed by the schema",
            g().set("Sprite", "clips", map([("die", st([("frames", list([9_i64]))]))])),
            "Sprite",
            "clips",
            "{\"walk\": (frames: [0, 1], secs: 0.1), \"die\": (frames: [9], secs: 0.1)}",
        ),
        ("a component by name has its defaults", g().has("Brain"), "Brain", "machines", "[]"),
        ("scale multiplies", g().scale("Health", "max", 0.5), "Health", "max", "10.0"),
        ("scale starts from a default", def(&[]).scale("Health", "max", 3.0), "Health", "max", "30.0"),
        ("whole numbers stay whole when exact", g().scale("Loot", "gold", 2.0), "Loot", "gold", "10"),
        (
            "scale goes into maps",
            g().scale("Sprite", "clips", walk_secs()),
            "Sprite",
            "clips",
            "{\"walk\": (frames: [0, 1], secs: 0.05)}",
        ),
        ("add adds", g().add("Body", "mass", -5.0), "Body", "mass", "25.0"),
        ("add to a whole number", g().add("Loot", "gold", 2_i64), "Loot", "gold", "7"),
        (
            "append adds at the end",
            g().append("Loot", "items", list(["key"])),
            "Loot",
            "items",
            "[\"torch\", \"rope\", \"torch\", \"key\"]",
        ),
        (
            "a flag is there once",
            g().append("Loot", "layers", list([sym("Prop"), sym("Actor")])),
            "Loot",
            "layers",
            "[Actor, Prop]",
        ),
        (
            "append goes into maps",
            g().append("Sprite", "clips", map([("walk", st([("frames", list([2_i64]))]))])),
            "Sprite",
            "clips",
            "{\"walk\": (frames: [0, 1, 2], secs: 0.1)}",
        ),
        ("remove takes a component", g().remove("Loot"), "Loot", "gold", "-"),
        ("remove puts a field back to its default", g().remove("Loot.gold"), "Loot", "gold", "0"),
        ("remove takes every equal element", g().remove("Loot.items[\"torch\"]"), "Loot", "items", "[\"rope\"]"),
        ("remove takes a flag by its word", g().remove("Loot.layers[Actor]"), "Loot", "layers", "[]"),
        ("remove takes a map's entry", g().remove("Sprite.clips[\"walk\"]"), "Sprite", "clips", "{}"),
        (
            "remove goes into entries",
            g().remove("Sprite.clips[\"walk\"].frames[1]"),
            "Sprite",
            "clips",
            "{\"walk\": (frames: [0], secs: 0.1)}",
        ),
        ("remove comes first", g().remove("Loot").set("Loot", "gold", 1_i64), "Loot", "items", "[]"),
        (
            "one factor scales a pair",
            g().set("Body", "velocity", Value::vec2(8.0, -4.0)).scale("Body", "velocity", 2.0),
            "Body",
            "velocity",
            "(16.0, -8.0)",
        ),
        (
            "a pair scales a pair by component",
            g().set("Body", "velocity", Value::vec2(8.0, -4.0)).scale("Body", "velocity", Value::vec2(0.5, 1.0)),
            "Body",
            "velocity",
            "(4.0, -4.0)",
        ),
        (
            "a pair is added to a pair, after scaling",
            def(&["goblin", "mover"]).scale("Body", "velocity", 2.0).add("Body", "velocity", Value::vec2(1.0, -1.0)),
            "Body",
            "velocity",
            "(7.0, -1.0)",
        ),
        (
            "set, then scale, then add",
            g().add("Health", "max", 1.0).scale("Health", "max", 2.0).set("Health", "max", 7.0),
            "Health",
            "max",
            "15.0",
        ),
        (
            "set, then append",
            g().append("Loot", "items", list(["b"])).set("Loot", "items", list(["a"])),
            "Loot",
            "items",
            "[\"a\", \"b\"]",
        ),
    ];
    for (what, child, component, field, expected) in cases {
        let resolution = fresh(&with_child(child));
        assert_eq!(value(&resolution, "child", component, field), expected, "{what}");
        assert_eq!(places(&found(&resolution)), [""; 0], "{what}");
    }
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let g = || def(&["goblin"]);
    let cases: Vec<(EntityDef, &str, &str, Option<&str>)> = vec![
        (def(&["gobln"]), "missing-parent @ entities/a.ron:child.inherits[0]", "no such definition", Some("goblin")),
        (def(&["child"]), "inheritance-cycle @ entities/a.ron:child.inherits[0]", "inherits itself", None),
        (def(&["goblin", "goblin"]), "inconsistent-order @ entities/a.ron:child.inherits[1]", "twice", None),
        (def(&["monster", "goblin"]), "inconsistent-order @ entities/a.ron:child.inherits[0]", "`goblin`", None),
        (
            g().set("Helth", "max", 1.0),
            "unknown-component @ entities/a.ron:#child.set.Helth",
            "no component `Helth`",
            Some("Health"),
        ),
        (
            g().set("Health", "mx", 1.0),
            "unknown-field @ entities/a.ron:#child.set.Health.mx",
            "no field `mx`",
            Some("max"),
        ),
        (
            g().scale("Health", "mx", 1.0),
            "unknown-field @ entities/a.ron:#child.scale.Health.mx",
            "no field `mx`",
            None,
        ),
        (
            g().set("Sprite", "clips", map([("walk", st([("sec", 1.0)]))])),
            "unknown-field @ entities/a.ron:#child.set.Sprite.clips.walk.sec",
            "no field `sec`",
            Some("secs"),
        ),
        (
            g().set("Health", "max", "lots"),
            "wrong-type @ entities/a.ron:child.set.Health.max",
            "expected a number",
            None,
        ),
        (g().set("Health", "lives", 2.5), "wrong-type @ entities/a.ron:child.set.Health.lives", "whole number", None),
        (
            g().set("Health", "team", sym("Hord")),
            "wrong-type @ entities/a.ron:child.set.Health.team",
            "Team",
            Some("Horde"),
        ),
        (
            g().set("Loot", "items", list([Value::from("a"), Value::from(1_i64)])),
            "wrong-type @ entities/a.ron:child.set.Loot.items[1]",
            "expected a string",
            None,
        ),
        (g().set("Health", "max", 1001.0), "out-of-range @ entities/a.ron:child.set.Health.max", "1000 hp", None),
        (
            g().scale("Health", "max", 51.0),
            "out-of-range @ entities/a.ron:child.scale.Health.max",
            "after `scale`",
            None,
        ),
        (g().scale("Health", "team", 2.0), "wrong-type @ entities/a.ron:child.scale.Health.team", "numbers only", None),
        (
            g().scale("Health", "max", "2"),
            "wrong-type @ entities/a.ron:child.scale.Health.max",
            "expects a number",
            None,
        ),
        (
            g().add("Body", "velocity", 5.0),
            "wrong-type @ entities/a.ron:child.add.Body.velocity",
            "`add` expects a pair `(x, y)` here, found a number `5.0`",
            None,
        ),
        (
            g().scale("Body", "velocity", "2"),
            "wrong-type @ entities/a.ron:child.scale.Body.velocity",
            "`scale` expects a number or a pair `(x, y)` here",
            None,
        ),
        (
            g().add("Body", "velocity", Value::vec2(0.0, 0.0)),
            "redundant-override @ entities/a.ron:#child.add.Body.velocity",
            "as it is",
            None,
        ),
        (g().scale("Loot", "gold", 0.5), "rounded @ entities/a.ron:child.scale.Loot.gold", "not whole", None),
        (g().add("Loot", "items", 1.0), "wrong-type @ entities/a.ron:child.add.Loot.items", "numbers only", None),
        (g().add("Loot", "gold", i64::MAX), "out-of-range @ entities/a.ron:child.add.Loot.gold", "larger than", None),
        (
            g().append("Loot", "gold", list([1_i64])),
            "wrong-type @ entities/a.ron:child.append.Loot.gold",
            "lists only",
            None,
        ),
        (
            g().append("Loot", "items", "key"),
            "wrong-type @ entities/a.ron:child.append.Loot.items",
            "expects a list",
            None,
        ),
        (
            g().append("Loot", "items", list([1_i64])),
            "wrong-type @ entities/a.ron:child.append.Loot.items[0]",
            "expected a string",
            None,
        ),
        (g().remove("Brain"), "bad-remove @ entities/a.ron:child.remove[0]", "no `Brain` to remove", None),
        (g().remove("Sheld"), "bad-remove @ entities/a.ron:child.remove[0]", "no `Sheld` to remove", Some("Shield")),
        (
            g().remove("Shield").remove("Loot.god"),
            "bad-remove @ entities/a.ron:child.remove[1]",
            "no field `god`",
            Some("gold"),
        ),
        (g().remove("Loot.layers"), "bad-remove @ entities/a.ron:child.remove[0]", "has no inherited value", None),
        (
            g().remove("Loot.items[\"sword\"]"),
            "bad-remove @ entities/a.ron:child.remove[0]",
            "[\"torch\", \"rope\", \"torch\"]",
            None,
        ),
        (
            g().remove("Loot.items.rope"),
            "bad-remove @ entities/a.ron:child.remove[0]",
            "no `Loot.items.rope` to remove",
            Some("Loot.items[\"rope\"]"),
        ),
        (
            g().remove("Sprite.clips.wlak.secs"),
            "bad-remove @ entities/a.ron:child.remove[0]",
            "no `Sprite.clips.wlak.secs`",
            Some("Sprite.clips[\"walk\"].secs"),
        ),
        (g().remove("Loot.items[\"sword"), "bad-remove @ entities/a.ron:child.remove[0]", "cannot be removed", None),
        (g().remove("[1]"), "bad-remove @ entities/a.ron:child.remove[0]", "names no component", None),
        (
            g().set("Health", "max", 20.0),
            "redundant-override @ entities/a.ron:#child.set.Health.max",
            "by `monster`",
            None,
        ),
        (g().has("Shield"), "redundant-override @ entities/a.ron:#child.set.Shield", "overrides nothing", None),
        (
            g().scale("Body", "mass", 1.0),
            "redundant-override @ entities/a.ron:#child.scale.Body.mass",
            "as it is",
            None,
        ),
    ];
    for (child, expected, message, near) in cases {
        let resolution = fresh(&with_child(child));
        assert_eq!(places(&found(&resolution)), [expected]);
        let finding = &found(&resolution)[0];
        assert!(finding.message.contains(message), "{expected}: {}", finding.message);
        if let Some(near) = near {
            assert_eq!(finding.help.as_deref(), Some(format!("did you mean `{near}`?").as_str()), "{expected}");
        }
        assert_eq!(finding.severity == Severity::Hint, expected.starts_with("redundant"), "{expected}");
        assert!(resolution.defs.contains_key("goblin"), "the rest keeps working: {expected}");
    }
}

#[test]
fn what_is_unknown_is_kept() {
    let resolution = fresh(&with_child(def(&["goblin"]).set("Helth", "max", 1.0).set("Health", "mx", 2.0)));
    assert_eq!(value(&resolution, "child", "Helth", "max"), "1.0");
    assert_eq!(value(&resolution, "child", "Health", "mx"), "2.0");
    assert_eq!(value(&resolution, "child", "Health", "max"), "20.0");
}
