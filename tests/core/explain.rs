//! What a change would reach, beside what it does reach once made.

use std::sync::Arc;

use levelwright::{
    defs::Resolution,
    edit::{Edit, Owner},
    explain::{Census, Impact, impact_of_def, impact_of_field},
    model::{Document, Instance, Layer, LayerContent, Level, Name, Project, Value},
};

use crate::{
    build::{Say, abstract_def, def, entities, path, project},
    defs::fresh,
};

fn level(placed: impl IntoIterator<Item = (&'static str, Instance)>) -> Document {
    let entities = placed.into_iter().map(|(id, it)| (id.into(), Arc::new(it))).collect();
    let layer = Layer::new("actors".into(), LayerContent::Entities(entities));
    Document::Level(Level { layers: vec![Arc::new(layer)], ..Level::default() })
}

fn one(def: &str) -> Instance {
    Instance::new(def.into(), [0.0, 0.0])
}

/// A monster with children that say the field, pass it on, change it by a factor, and take it away.
fn game() -> Project {
    let defs = entities([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0).set("Health", "lives", 2_i64)),
        ("goblin", def(&["monster"])),
        ("boss", def(&["goblin"]).set("Health", "max", 90.0)),
        ("elite", def(&["goblin"]).scale("Health", "max", 2.0)),
        ("ghost", def(&["goblin"]).remove("Health.max")),
        ("spirit", def(&["ghost"]).remove("Health")),
        ("captain", def(&["boss"]).add("Health", "max", 5.0)),
        ("rock", def(&[])),
    ]);
    project([
        ("entities/a.ron", defs),
        (
            "levels/one.ron",
            level([
                ("a", one("goblin")),
                ("b", one("boss")),
                ("c", one("goblin").set("Health", "max", 1.0)),
                ("d", one("rock")),
            ]),
        ),
        ("levels/two.ron", level([("e", one("elite")), ("f", one("captain")), ("g", one("goblin"))])),
    ])
}

fn names(impact: &Impact) -> String {
    impact.defs.iter().map(|name| &**name).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_change_is_said_before_it_is_made() {
    let project = game();
    let resolution = fresh(&project);
    let census = Census::of(&project, &Census::default());
    let of_def = |name: &str| impact_of_def(&resolution, &census, &name.into()).to_string();
    assert_eq!(of_def("monster"), "7 definitions, 6 instances in 2 levels");
    assert_eq!(of_def("elite"), "1 definition, 1 instance in 1 level");
    assert_eq!(of_def("spirit"), "1 definition, 0 instances");

    let of_field = |name: &str, field: &str| impact_of_field(&project, &resolution, &name.into(), "Health", field);
    let max = of_field("monster", "max");
    assert_eq!(names(&max), "elite goblin monster");
    assert_eq!(max.to_string(), "3 definitions, 3 instances in 2 levels", "`c` says its own");
    let lives = of_field("monster", "lives");
    assert_eq!(names(&lives), "boss captain elite ghost goblin monster", "the spirit has no health at all");
    assert_eq!(names(&of_field("boss", "max")), "boss captain");
}

#[test]
fn what_is_said_to_be_reached_is_what_changes() {
    let before = game();
    let resolution = fresh(&before);
    for name in ["monster", "goblin", "boss", "elite", "ghost", "captain"] {
        for (field, value) in [("max", Value::Float(777.0)), ("lives", Value::Int(77))] {
            let said = impact_of_field(&before, &resolution, &name.into(), "Health", field);
            let mut after = before.clone();
            let owner = Owner::Def { doc: path("entities/a.ron"), name: name.into() };
            levelwright::edit::apply(&mut after, &Edit::set(owner, "Health", field, value)).unwrap();
            let value = |resolution: &Resolution, def: &Name| {
                resolution.defs.get(def).and_then(|def| def.get("Health", field)).cloned()
            };
            let now = fresh(&after);
            let changed: Vec<&Name> =
                now.defs.keys().filter(|def| value(&now, def) != value(&resolution, def)).collect();
            assert_eq!(said.defs.iter().collect::<Vec<_>>(), changed, "{name}.{field}");
        }
    }
}

#[test]
fn a_level_that_did_not_change_is_not_counted_again() {
    let mut project = game();
    let first = Census::of(&project, &Census::default());
    let delete = Edit::DeleteThings { doc: path("levels/two.ron"), ids: vec!["e".into()] };
    levelwright::edit::apply(&mut project, &delete).unwrap();
    let second = Census::of(&project, &first);
    assert_eq!(second.placed("elite").count(), 0);
    assert_eq!(first.placed("elite").map(|(_, n)| n).sum::<usize>(), 1);
    assert_eq!(
        second.placed("goblin").map(|(doc, n)| (doc.as_str(), n)).collect::<Vec<_>>(),
        [("levels/one.ron", 2), ("levels/two.ron", 1)]
    );
}
