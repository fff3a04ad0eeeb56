//! Inheritance: each operation, each thing that can be wrong and where it is said, instances, names. Properties over
//! random hierarchies are in `defs_random`.

use std::sync::Arc;

use levelwright::{
    defs::{Badge, Deed, History, Resolution, Resolved, Source, resolve},
    model::{
        Document, EntityDef, FieldType, Finding, Instance, Level, Machine, MachinesFile, OpKind, Project, Schema,
        Severity, Tunable, TuningPage, Value,
    },
};

use crate::build::{
    Say, abstract_def, builtin, component, def, default, entities, field, list, map, of_defs, path, project, st, sym,
};

pub(crate) fn fresh(project: &Project) -> Resolution {
    resolve(project, &builtin(), None)
}

fn found(resolution: &Resolution) -> Vec<Finding> {
    resolution.findings().cloned().collect()
}

fn value(resolution: &Resolution, name: &str, component: &str, field: &str) -> String {
    resolution.defs[name].get(component, field).map_or("-".into(), Value::to_string)
}

/// `rule @ document:path`, with `#` before the path when the key is meant.
pub(crate) fn places(findings: &[Finding]) -> Vec<String> {
    let place = |finding: &Finding| {
        let key = if finding.location.at_key { "#" } else { "" };
        format!("{} @ {}:{key}{}", finding.rule, finding.location.doc, finding.location.path)
    };
    findings.iter().map(place).collect()
}

/// `monster` and `goblin` as FORMATS.md has them, near enough, and a child with the operations under test.
fn with_child(child: EntityDef) -> Project {
    of_defs([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0).set("Body", "mass", 30.0)),
        (
            "goblin",
            def(&["monster"])
                .has("Shield")
                .set("Loot", "gold", 5_i64)
                .set("Loot", "items", list(["torch", "rope", "torch"]))
                .set("Sprite", "clips", map([("walk", st([("frames", list([0_i64, 1]))]))])),
        ),
        ("mover", def(&[]).set("Body", "velocity", Value::vec2(3.0, 0.0))),
        ("child", child),
    ])
}

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
        (g().remove("Loot.layers"), "bad-remove @ entities/a.ron:child.remove[0]", "nobody above", None),
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
        (g().has("Shield"), "redundant-override @ entities/a.ron:#child.set.Shield", "nothing more", None),
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

#[test]
fn several_parents_apply_once_each_bases_first() {
    let project = of_defs([
        ("base", def(&[]).set("Health", "max", 100.0)),
        ("left", def(&["base"]).scale("Health", "max", 2.0)),
        ("right", def(&["base"]).add("Health", "max", 10.0)),
        ("both", def(&["left", "right"])),
        ("other", def(&["right", "left"])),
    ]);
    let resolution = fresh(&project);
    let order = |name: &str| resolution.defs[name].order.iter().map(|n| &**n).collect::<Vec<_>>().join(" ");
    assert_eq!(order("both"), "base right left both");
    assert_eq!(value(&resolution, "both", "Health", "max"), "220.0", "(100 + 10) × 2");
    assert_eq!(order("other"), "base left right other");
    assert_eq!(value(&resolution, "other", "Health", "max"), "210.0", "100 × 2 + 10");
    assert_eq!(&*found(&resolution), []);
}

#[test]
fn clashing_parents_are_named() {
    let project = of_defs([
        ("a", def(&[])),
        ("b", def(&[])),
        ("ab", def(&["a", "b"])),
        ("ba", def(&["b", "a"])),
        ("clash", def(&["ab", "ba"])),
        ("child", def(&["clash"]).set("Health", "max", 1.0).remove("Loot")),
    ]);
    let resolution = fresh(&project);
    assert_eq!(places(&found(&resolution)), ["inconsistent-order @ entities/a.ron:clash.inherits[1]"]);
    let message = &found(&resolution)[0].message;
    assert!(message.contains("`ab` puts `a` before `b`, `ba` puts `b` before `a`"), "{message}");
    assert!(!resolution.defs.contains_key("clash"));
    assert!(resolution.is_incomplete("child"), "and so it is not blamed for removing what is not there");
    assert_eq!(value(&resolution, "child", "Health", "max"), "1.0", "a child of it keeps what it says itself");
}

#[test]
fn an_ancestor_whose_operation_finds_nothing_is_passed_over() {
    let project = of_defs([
        ("base", def(&[]).has("Shield").set("Loot", "items", list(["torch"]))),
        ("bare", def(&["base"]).remove("Shield")),
        ("poor", def(&["base"]).remove("Shield").remove("Loot.items[\"torch\"]")),
        ("both", def(&["bare", "poor"])),
    ]);
    let resolution = fresh(&project);
    assert_eq!(&*found(&resolution), []);
    assert!(!resolution.defs["both"].has("Shield"));
    assert_eq!(value(&resolution, "both", "Loot", "items"), "[]");
}

#[test]
fn long_lines_and_long_cycles_end() {
    let chain = |n: usize, close: bool| {
        let name = |i: usize| format!("d{i:06}");
        let defs = (0..n).map(|i| {
            let parent = if i > 0 { Some(name(i - 1)) } else { close.then(|| name(n - 1)) };
            let inherits = parent.iter().map(|p| p.as_str().into()).collect();
            (name(i).as_str().into(), Arc::new(EntityDef { inherits, ..EntityDef::default() }))
        });
        let file = levelwright::model::EntitiesFile { defs: defs.collect() };
        project([("entities/a.ron", Document::Entities(file))])
    };
    let line = fresh(&chain(5000, false));
    assert_eq!(line.defs.len(), 65, "the first and 64 below it");
    assert_eq!(places(&found(&line)), ["inheritance-depth @ entities/a.ron:d000065.inherits"]);
    let cycle = fresh(&chain(5000, true));
    assert_eq!(cycle.defs.len(), 0);
    assert_eq!(cycle.findings().count(), 5000);
    assert!(cycle.findings().all(|finding| &*finding.rule == "inheritance-cycle"));
    assert_eq!(cycle.descendants("d000000").len(), 4999);
}

#[test]
fn a_cycle_says_its_way() {
    let project = of_defs([
        ("a", def(&["b", "fine"])),
        ("b", def(&["c"])),
        ("c", def(&["a"])),
        ("fine", def(&[])),
        ("below", def(&["b", "fine"]).set("Health", "max", 5.0)),
    ]);
    let resolution = fresh(&project);
    assert_eq!(
        places(&found(&resolution)),
        ["a.inherits[0]", "b.inherits[0]", "c.inherits[0]"]
            .map(|at| format!("inheritance-cycle @ entities/a.ron:{at}"))
    );
    assert_eq!(found(&resolution)[0].message, "`a` inherits itself: `a` → `b` → `c` → `a`");
    assert_eq!(value(&resolution, "below", "Health", "max"), "5.0");
}

/// Who said what about a field, a line for each.
fn told(history: &History, component: &str, field: &str) -> Vec<String> {
    let line = |said: &Deed| {
        let place = said.location.as_ref().map_or("built in".into(), |at| format!("{}:{}", at.doc, at.path));
        let parts = [&said.operand, &said.before, &said.after];
        let [operand, before, after] = parts.map(|value| value.as_ref().map_or("-".into(), Value::to_string));
        format!("{:?} {} {operand}: {before} → {after} {place}", said.by, said.op.key())
    };
    history.of(component, field).iter().map(line).collect()
}

#[test]
fn a_history_has_what_was_taken_away_and_set_again() {
    let project = of_defs([
        ("a", def(&[]).set("Loot", "gold", 5_i64).set("Loot", "items", list(["torch"])).set("Torch", "burns", 1_i64)),
        ("b", def(&["a"]).remove("Loot").remove("Torch.burns")),
        ("c", def(&["b"]).append("Loot", "items", list(["key", "key"]))),
        ("d", def(&["c"]).remove("Loot.items[\"key\"]").remove("Shield")),
    ]);
    let resolution = fresh(&project);
    let history = resolution.history("d").unwrap();
    assert_eq!(
        told(&history, "Loot", "items"),
        [
            "Default set []: - → [] built in",
            "Def(\"a\") set [\"torch\"]: [] → [\"torch\"] entities/a.ron:a.set.Loot.items",
            "Def(\"b\") remove -: [\"torch\"] → - entities/a.ron:b.remove[0]",
            "Default set []: - → [] built in",
            "Def(\"c\") append [\"key\", \"key\"]: [] → [\"key\", \"key\"] entities/a.ron:c.append.Loot.items",
            "Def(\"d\") remove [\"key\"]: [\"key\", \"key\"] → [] entities/a.ron:d.remove[0]",
        ]
    );
    assert_eq!(told(&history, "Loot", "gold").len(), 4, "its fields go and come with the component");
    assert_eq!(
        told(&history, "Torch", "burns"),
        [
            "Def(\"a\") set 1: - → 1 entities/a.ron:a.set.Torch.burns",
            "Def(\"b\") remove -: 1 → - entities/a.ron:b.remove[1]",
        ]
    );
    let presence: Vec<String> = history.components["Loot"]
        .presence
        .iter()
        .map(|step| format!("{:?} {} {}", step.by, step.op.key(), step.location.path))
        .collect();
    assert_eq!(
        presence,
        ["Def(\"a\") set a.set.Loot", "Def(\"b\") remove b.remove[0]", "Def(\"c\") append c.append.Loot"]
    );
    assert!(!history.components.contains_key("Shield"), "what never was has no history");
    assert_eq!(resolution.history("nobody"), None);
}

#[test]
fn a_field_tells_who_said_it() {
    let resolution = fresh(&with_child(def(&["goblin"]).set("Health", "max", 40.0).scale("Health", "max", 0.5)));
    let field = &resolution.defs["child"].components["Health"].fields["max"];
    let history = resolution.history("child").unwrap();
    assert_eq!(
        told(&history, "Health", "max"),
        [
            "Default set 10.0: - → 10.0 built in",
            "Def(\"monster\") set 20.0: 10.0 → 20.0 entities/a.ron:monster.set.Health.max",
            "Def(\"child\") set 40.0: 20.0 → 40.0 entities/a.ron:child.set.Health.max",
            "Def(\"child\") scale 0.5: 40.0 → 20.0 entities/a.ron:child.scale.Health.max",
        ]
    );
    let last = field.provenance.last().unwrap();
    assert_eq!((field.provenance.len(), &last.by, last.op), (4, &Source::Def("child".into()), OpKind::Scale));
    assert_eq!(field.badge("child"), Badge::Own);
    let inherited = &resolution.defs["goblin"].components["Health"];
    assert_eq!(inherited.fields["max"].badge("goblin"), Badge::Inherited);
    assert_eq!(inherited.fields["lives"].badge("goblin"), Badge::Default);
    assert_eq!(inherited.said_by, Some(Source::Def("monster".into())));
}

#[test]
fn what_is_not_changed_is_shared() {
    let resolution = fresh(&with_child(def(&["goblin"]).set("Health", "max", 40.0)));
    let (goblin, child) = (&resolution.defs["goblin"], &resolution.defs["child"]);
    assert!(Arc::ptr_eq(&goblin.components["Loot"], &child.components["Loot"]));
    let fields = |def: &Resolved| def.components["Health"].fields.clone();
    assert!(Arc::ptr_eq(&fields(goblin)["lives"], &fields(child)["lives"]));
    assert!(!Arc::ptr_eq(&fields(goblin)["max"], &fields(child)["max"]));
}

fn place(instance: Instance) -> (Resolved, Vec<Finding>) {
    let resolution = fresh(&with_child(def(&["goblin"])));
    resolution.instance(&path("levels/l.ron"), 2, &"g7f3k2".into(), &instance)
}

#[test]
fn a_placed_entity_takes_the_same_operations() {
    let at = [0.0, 0.0];
    let (resolved, findings) = place(
        Instance::new("child".into(), at)
            .set("Health", "max", 45.0)
            .add("Body", "mass", 1.0)
            .append("Loot", "items", list(["key"]))
            .remove("Shield"),
    );
    assert_eq!(findings, []);
    assert_eq!(resolved.f64("Health", "max"), Some(45.0));
    assert_eq!(resolved.f64("Body", "mass"), Some(31.0));
    assert!(!resolved.has("Shield"));
    assert!(resolved.is_a("monster") && resolved.is_a("child"));
    let said = resolved.components["Health"].fields["max"].provenance.last().unwrap().clone();
    assert_eq!(said.by, Source::Instance("g7f3k2".into()));
    assert_eq!(said.location().unwrap().path.to_string(), "layers[2].entities.g7f3k2.set.Health.max");
    let resolution = fresh(&with_child(def(&["goblin"])));
    let instance = Instance::new("child".into(), at).set("Health", "max", 45.0);
    let history = resolution.instance_history(&path("levels/l.ron"), 2, &"g7f3k2".into(), &instance);
    let last = history.of("Health", "max").last().unwrap();
    assert_eq!(last.location.as_ref().unwrap().path.to_string(), "layers[2].entities.g7f3k2.set.Health.max");
    assert_eq!(resolved.components["Health"].fields["max"].badge("g7f3k2"), Badge::Instance);

    let cases: Vec<(Instance, &str)> = vec![
        (Instance::new("gobln".into(), at), "missing-reference @ levels/l.ron:layers[2].entities.g7f3k2.def"),
        (Instance::new("monster".into(), at), "abstract-instance @ levels/l.ron:layers[2].entities.g7f3k2.def"),
        (
            Instance::new("child".into(), at).set("Health", "max", 20.0),
            "redundant-override @ levels/l.ron:#layers[2].entities.g7f3k2.set.Health.max",
        ),
        (
            Instance::new("child".into(), at).set("Health", "mx", 20.0),
            "unknown-field @ levels/l.ron:#layers[2].entities.g7f3k2.set.Health.mx",
        ),
        (
            Instance::new("child".into(), at).remove("Loot.items[\"axe\"]"),
            "bad-remove @ levels/l.ron:layers[2].entities.g7f3k2.remove[0]",
        ),
    ];
    for (instance, expected) in cases {
        assert_eq!(places(&place(instance).1), [expected]);
    }
    let (lost, _) = place(Instance::new("nobody".into(), at).set("Health", "max", 3.0));
    assert_eq!(lost.f64("Health", "max"), Some(3.0), "of a missing definition, what the entity says is known");
}

#[test]
fn a_name_said_twice_is_an_error_at_both_places() {
    let machines =
        || Document::Machines(MachinesFile { machines: [("m".into(), Arc::new(Machine::default()))].into() });
    let page = |value: f64| {
        let tunable = Tunable::of(value);
        Document::Tuning(TuningPage { page: "P".into(), order: 5, values: [("x".into(), tunable)].into() })
    };
    let project = project([
        ("entities/a.ron", entities([("goblin", def(&[]).set("Health", "max", 1.0))])),
        ("entities/b.ron", entities([("goblin", def(&[]).set("Health", "max", 2.0))])),
        ("levels/x.ron", Document::Level(Level::default())),
        ("levels/old/x.ron", Document::Level(Level::default())),
        ("machines/a.ron", machines()),
        ("machines/b.ron", machines()),
        ("tuning/a.ron", page(1.0)),
        ("tuning/b.ron", page(2.0)),
    ]);
    let resolution = fresh(&project);
    let mut found = places(&found(&resolution));
    found.sort();
    assert_eq!(
        found,
        [
            "duplicate-name @ entities/a.ron:#goblin",
            "duplicate-name @ entities/b.ron:#goblin",
            "duplicate-name @ levels/old/x.ron:",
            "duplicate-name @ levels/x.ron:",
            "duplicate-name @ machines/a.ron:#m",
            "duplicate-name @ machines/b.ron:#m",
            "duplicate-name @ tuning/a.ron:page",
            "duplicate-name @ tuning/b.ron:page",
        ]
    );
    assert!(resolution.findings().any(|f| f.message.contains("`goblin` is also in `entities/b.ron`")));
    assert_eq!(value(&resolution, "goblin", "Health", "max"), "1.0", "the first counts");
    assert_eq!(resolution.tuning_f64("P.x"), Some(1.0));
    assert_eq!(resolution.def_docs["goblin"], path("entities/a.ron"));
    assert_eq!(resolution.levels["x"], path("levels/old/x.ron"));
}

#[test]
fn a_games_own_schema_is_as_good_as_the_built_in_one() {
    let mut schema = Schema::default();
    schema.components.insert("Torch".into(), component([("burns", default(FieldType::Float, 60.0))]));
    schema.components.insert("Health".into(), component([("armor", field(FieldType::Int))]));
    let project = project([
        ("entities/a.ron", entities([("t", def(&[]).has("Torch").set("Health", "armor", 2_i64))])),
        ("schemas/game.ron", Document::Schema(schema)),
    ]);
    let resolution = fresh(&project);
    assert_eq!(&*found(&resolution), []);
    assert_eq!(value(&resolution, "t", "Torch", "burns"), "60.0");
    assert_eq!(value(&resolution, "t", "Health", "max"), "10.0", "its built-in fields stay");
    let history = resolution.history("t").unwrap();
    let at = history.of("Torch", "burns")[0].location.as_ref().unwrap();
    assert_eq!(format!("{}:{}", at.doc, at.path), "schemas/game.ron:components.Torch.fields.burns.default");
}

#[test]
fn pages_are_the_built_in_ones_with_the_projects_values() {
    let value = |value: f64| Tunable::of(value);
    let physics = TuningPage {
        page: "Physics".into(),
        order: 0,
        values: [("gravity".into(), value(300.0)), ("wind".into(), value(2.0))].into(),
    };
    let early = TuningPage { page: "Early".into(), order: -1, values: [("x".into(), value(1.0))].into() };
    let project = project([("tuning/a.ron", Document::Tuning(physics)), ("tuning/b.ron", Document::Tuning(early))]);
    let resolution = fresh(&project);
    assert_eq!(resolution.pages.iter().map(|page| &*page.name).collect::<Vec<_>>(), ["Early", "Physics"]);
    let gravity = resolution.tunable("Physics.gravity").unwrap();
    assert_eq!(
        (gravity.value.as_f64(), gravity.max, gravity.unit.as_deref()),
        (Some(300.0), Some(5000.0), Some("px/s²"))
    );
    assert_eq!(resolution.tuning_f64("Physics.wind"), Some(2.0));
    assert_eq!(resolution.tunable("Physics.nothing"), None);
    assert_eq!(fresh(&Project::default()).pages[0].values[0].2, None, "nobody but the program says it");
}

#[test]
fn who_inherits_whom() {
    let project = of_defs([("a", def(&[])), ("b", def(&["a"])), ("c", def(&["a", "gone"])), ("d", def(&["b", "c"]))]);
    let resolution = fresh(&project);
    let names = |names: &[levelwright::model::Name]| names.iter().map(|n| &**n).collect::<Vec<_>>().join(" ");
    assert_eq!(names(resolution.children_of("a")), "b c");
    assert_eq!(names(&resolution.descendants("a")), "b c d");
    assert_eq!(names(resolution.children_of("gone")), "c", "who waits for a missing parent");
    assert!(resolution.is_a("d", "a") && resolution.is_a("d", "d") && !resolution.is_a("b", "c"));
}
