//! What a change would reach, beside what it does reach once made.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    defs::Resolution,
    edit::{Edit, Owner},
    explain::{Census, Impact, InheritanceGraph, InheritanceItem, MOST_SIBLINGS, impact_of_def, impact_of_field},
    model::{Document, Instance, Layer, LayerContent, Level, Name, Project, Value},
};

use crate::{
    build::{Say, abstract_def, def, entities, path, project},
    cases::cases,
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

fn drawn(project: &Project, name: &str, unfolded: &[&str]) -> InheritanceGraph {
    let unfolded = unfolded.iter().map(|name| Name::from(*name)).collect();
    let census = Census::of(project, &Census::default());
    InheritanceGraph::of(project, &fresh(project), &census, &name.into(), &unfolded)
}

#[test]
fn a_family_has_ancestors_before_and_descendants_after() {
    let graph = drawn(&game(), "goblin", &[]);
    let at = |name: &str| {
        let node = &graph.nodes[graph.find(name).unwrap()];
        (node.column, node.n_instances, node.is_abstract)
    };
    assert_eq!(at("goblin"), (0, 3, false));
    assert_eq!(at("monster"), (-1, 0, true));
    assert_eq!(at("elite"), (1, 1, false));
    assert_eq!(at("captain"), (2, 1, false));
    assert!(graph.find("rock").is_none(), "no relative");
    assert_eq!(graph.order, ["goblin", "monster"].map(Name::from));
    assert!(graph.edges.iter().all(|edge| edge.order.is_none()), "no definition has several parents");
    let captain = graph.path_of(graph.find("captain").unwrap());
    assert_eq!(captain.len(), 2, "boss and goblin are on the way to it");
}

#[test]
fn many_siblings_are_folded_until_asked_for() {
    let mut defs = levelwright::model::EntitiesFile::default();
    defs.defs.insert("base".into(), Arc::new(def(&[])));
    for i in 0..40 {
        defs.defs.insert(format!("d{i:02}").into(), Arc::new(def(&["base"])));
    }
    defs.defs.insert("late".into(), Arc::new(def(&["d39", "base"])));
    let project = project([("entities/a.ron", Document::Entities(defs))]);
    let graph = drawn(&project, "base", &[]);
    let folded = graph.nodes.iter().find_map(|node| match &node.item {
        InheritanceItem::More { names, .. } => Some(names.len()),
        InheritanceItem::Def(_) => None,
    });
    assert!(graph.nodes.len() <= MOST_SIBLINGS + 2 && folded.is_some_and(|n| n > 25), "{folded:?}");
    assert!(graph.find("late").is_some() && graph.find("d39").is_some(), "who has a family of his own stays");
    let late = graph.find("late").unwrap();
    let numbers: Vec<_> = graph.edges.iter().filter(|edge| edge.child == late).map(|edge| edge.order).collect();
    assert_eq!(numbers, [Some(1), Some(2)]);
    assert_eq!(drawn(&project, "base", &["base"]).nodes.len(), 42);
}

#[test]
fn ten_thousand_children_are_drawn() {
    let mut defs = levelwright::model::EntitiesFile::default();
    defs.defs.insert("root".into(), Arc::new(def(&[])));
    for i in 0..10_000 {
        defs.defs.insert(format!("child_{i:05}").into(), Arc::new(def(&["root"])));
    }
    let project = project([("entities/a.ron", Document::Entities(defs))]);
    let resolution = fresh(&project);
    let unfolded = BTreeSet::from(["root".into()]);
    let graph = InheritanceGraph::of(&project, &resolution, &Census::default(), &"root".into(), &unfolded);
    assert_eq!(graph.nodes.len(), 10_001);
}

#[test]
fn a_cycle_and_a_missing_parent_are_drawn_too() {
    let project =
        project([("entities/a.ron", entities([("a", def(&["b", "nobody"])), ("b", def(&["a"])), ("c", def(&["a"]))]))]);
    for name in ["a", "b", "c"] {
        let graph = drawn(&project, name, &[]);
        assert_eq!(graph.find(name), Some(0));
        assert!(graph.nodes.len() >= 3, "{graph:?}");
        let missing = graph.find("nobody").map(|at| graph.nodes[at].is_broken);
        assert!(missing == Some(true) && graph.nodes[graph.find("a").unwrap()].is_broken);
    }
}

proptest::proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn every_relative_has_a_place_of_its_own(project in crate::reshape::family()) {
        let resolution = fresh(&project);
        for (name, resolved) in &resolution.defs {
            let graph = InheritanceGraph::of(&project, &resolution, &Census::default(), name, &BTreeSet::new());
            for relative in resolution.descendants(name).iter().chain(resolved.order.iter()) {
                proptest::prop_assert!(graph.find(relative).is_some(), "{relative} of {name}");
            }
            let places: BTreeSet<String> = graph.nodes.iter().map(|it| format!("{} {}", it.column, it.row)).collect();
            proptest::prop_assert_eq!(places.len(), graph.nodes.len(), "{:?}", graph);
            for edge in &graph.edges {
                proptest::prop_assert!(graph.nodes[edge.parent].column < graph.nodes[edge.child].column);
            }
        }
    }
}
