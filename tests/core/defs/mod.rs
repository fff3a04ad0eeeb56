//! Inheritance: each operation, each error and where it is reported, instances, names. Properties over
//! random hierarchies are in `defs_random`.

mod operations;
mod parents;

use std::sync::Arc;

use levelwright::{
    defs::{Badge, OpRecord, Resolution, Resolved, Source, ValueHistory, resolve},
    model::{
        Document, EntityDef, FieldPath, FieldType, Finding, Instance, Level, Machine, MachinesFile, OpKind, Project,
        Schema, Severity, Tunable, TuningPage, Value,
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

/// `monster` and `goblin` much as in `tests/formats`, and a child with the operations under test.
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

/// The history of a field, a line for each entry.
fn history_lines(history: &ValueHistory, component: &str, field: &str) -> Vec<String> {
    let line = |said: &OpRecord| {
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
        history_lines(&history, "Loot", "items"),
        [
            "Default set []: - → [] built in",
            "Def(\"a\") set [\"torch\"]: [] → [\"torch\"] entities/a.ron:a.set.Loot.items",
            "Def(\"b\") remove -: [\"torch\"] → - entities/a.ron:b.remove[0]",
            "Default set []: - → [] built in",
            "Def(\"c\") append [\"key\", \"key\"]: [] → [\"key\", \"key\"] entities/a.ron:c.append.Loot.items",
            "Def(\"d\") remove [\"key\"]: [\"key\", \"key\"] → [] entities/a.ron:d.remove[0]",
        ]
    );
    assert_eq!(history_lines(&history, "Loot", "gold").len(), 4, "its fields go and come with the component");
    assert_eq!(
        history_lines(&history, "Torch", "burns"),
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
        history_lines(&history, "Health", "max"),
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
    assert_eq!(inherited.declared_by, Some(Source::Def("monster".into())));
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
    resolution.instance(&path("levels/l.ron"), &FieldPath::keys(["layers"]).index(2), &"g7f3k2".into(), &instance)
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
    let history = resolution.instance_history(
        &path("levels/l.ron"),
        &FieldPath::keys(["layers"]).index(2),
        &"g7f3k2".into(),
        &instance,
    );
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
    assert_eq!(fresh(&Project::default()).pages[0].values[0].2, None, "only the program declares it");
}
