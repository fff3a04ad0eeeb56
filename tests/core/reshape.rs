//! Families made anew: a common parent extracted, a parent inlined, definitions deleted. Whatever the hierarchy, what
//! is left amounts to what it did, and undo gives the same pointers back.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use levelwright::{
    defs::{Resolution, resolve},
    edit::History,
    model::*,
    refactor::{Delete, Extract, Inline, Plan, Word, alike, delete, extract, inline},
};
use proptest::prelude::*;

use crate::{
    build::{Say, abstract_def, builtin, def, list, map, of_defs, path, st},
    cases::cases,
    defs_random::{name, said, word},
};

fn resolved(project: &Project) -> Resolution {
    resolve(project, &builtin(), None)
}

/// What every definition amounts to, by component and field.
fn values(project: &Project, without: &[Name]) -> BTreeMap<Name, BTreeMap<(Name, Name), Value>> {
    let of = |(name, def): (&Name, &Arc<levelwright::defs::Resolved>)| {
        let mut all = BTreeMap::new();
        for (component, it) in &def.components {
            all.insert((component.clone(), "".into()), Value::Bool(true));
            all.extend(it.fields.iter().map(|(field, it)| ((component.clone(), field.clone()), it.value.clone())));
        }
        (name.clone(), all)
    };
    let resolution = resolved(project);
    resolution.defs.iter().filter(|(name, _)| !without.contains(name)).map(of).collect()
}

fn text(project: &Project, name: &str) -> String {
    let def = project.documents.values().find_map(|doc| match &**doc {
        Document::Entities(file) => file.defs.get(name),
        _ => None,
    });
    let file = EntitiesFile { defs: [(name.into(), def.unwrap().clone())].into() };
    let text = levelwright::io::codec::encode(&Document::Entities(file));
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn extracted(project: &Project, children: &[&str], to: &str) -> Result<Project, String> {
    let children = children.iter().map(|it| Name::from(*it)).collect();
    let what = Extract { children, name: to.into(), keep: BTreeSet::new() };
    let plan = extract(project, &resolved(project), &what).map_err(|why| why.to_string())?;
    plan.tried_on(project).map_err(|why| why.to_string())
}

#[test]
fn what_all_say_is_said_once_above_them() {
    let project = of_defs([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0)),
        (
            "goblin",
            def(&["monster"]).set("Loot", "gold", 3_i64).set("Body", "mass", 2.0).append(
                "Loot",
                "items",
                list(["key"]),
            ),
        ),
        (
            "orc",
            def(&["monster"]).set("Loot", "gold", 3_i64).set("Body", "mass", 9.0).append(
                "Loot",
                "items",
                list(["key"]),
            ),
        ),
    ]);
    let after = extracted(&project, &["goblin", "orc"], "greenskin").unwrap();
    assert_eq!(
        text(&after, "greenskin"),
        "{ \"greenskin\": ( abstract: true, inherits: [\"monster\"], set: (Loot: (gold: 3)), append: (Loot: (items: [\"key\"])), ), }"
    );
    assert_eq!(text(&after, "goblin"), "{ \"goblin\": (inherits: [\"greenskin\"], set: (Body: (mass: 2.0))), }");
    let order: Vec<_> = after.entities(&path("entities/a.ron")).unwrap().defs.keys().map(ToString::to_string).collect();
    assert_eq!(order, ["monster", "greenskin", "goblin", "orc"], "before the first of its children");
    assert_eq!(values(&after, &["greenskin".into()]), values(&project, &[]));
}

#[test]
fn what_is_said_after_something_that_stays_stays_too() {
    let project = of_defs([
        ("a", def(&[]).set("Health", "max", 20.0).scale("Health", "max", 2.0).add("Health", "max", 1.0)),
        ("b", def(&[]).set("Health", "max", 30.0).scale("Health", "max", 2.0).add("Health", "max", 1.0).has("Shield")),
        ("c", def(&[]).set("Health", "max", 30.0).scale("Health", "max", 2.0).has("Shield")),
    ]);
    let found = |children: &[&str]| {
        let children: Vec<Name> = children.iter().map(|it| Name::from(*it)).collect();
        alike(&project, &resolved(&project), &children).into_iter().map(|(word, _)| word.describe()).collect::<Vec<_>>()
    };
    assert!(found(&["a", "b"]).is_empty(), "the values differ that are scaled alike");
    assert_eq!(found(&["b", "c"]), ["Health.max", "Shield", "scale Health.max"]);
    assert_eq!(extracted(&project, &["a", "b"], "x").unwrap_err(), "they have nothing in common");
    assert!(extracted(&project, &["b", "c"], "a").unwrap_err().contains("already"));
}

#[test]
fn a_parent_is_merged_into_its_children() {
    let project = of_defs([
        ("thing", def(&[]).set("Loot", "gold", 1_i64)),
        (
            "monster",
            def(&["thing"]).set("Health", "max", 20.0).scale("Loot", "gold", 4_i64).append(
                "Loot",
                "items",
                list(["key"]),
            ),
        ),
        (
            "goblin",
            def(&["monster"]).scale("Health", "max", 0.5).add("Loot", "gold", 2_i64).append(
                "Loot",
                "items",
                list(["bow"]),
            ),
        ),
        ("orc", def(&["monster"]).set("Health", "max", 50.0).remove("Loot.items[\"key\"]")),
        ("chief", def(&["orc"]).add("Health", "max", 5.0)),
    ]);
    let what = |delete| Inline { parent: "monster".into(), children: vec![], delete };
    let plan = inline(&project, &resolved(&project), &what(true)).unwrap();
    let after = plan.tried_on(&project).unwrap();
    assert_eq!(
        text(&after, "goblin"),
        "{ \"goblin\": ( inherits: [\"thing\"], set: (Health: (max: 20.0)), scale: (Health: (max: 0.5), Loot: (gold: 4)), \
         add: (Loot: (gold: 2)), append: (Loot: (items: [\"key\", \"bow\"])), ), }"
            .replace("scale: (Health: (max: 0.5), Loot: (gold: 4))", "scale: (Loot: (gold: 4), Health: (max: 0.5))")
    );
    assert!(after.def(&path("entities/a.ron"), "monster").is_none(), "no other definition uses it");
    assert_eq!(values(&after, &[]), values(&project, &["monster".into()]));
}

#[test]
fn a_value_declared_in_between_keeps_its_effect() {
    let project = of_defs([
        ("a", def(&[]).set("Health", "max", 20.0).set("Loot", "gold", 7_i64)),
        ("b", def(&[]).set("Health", "max", 30.0)),
        ("c", def(&["b", "a"])),
    ]);
    let what = Inline { parent: "a".into(), children: vec!["c".into()], delete: false };
    let after = inline(&project, &resolved(&project), &what).unwrap().tried_on(&project).unwrap();
    assert_eq!(values(&after, &[]), values(&project, &[]));
    assert!(text(&after, "c").contains("gold: 7"), "{}", text(&after, "c"));
}

#[test]
fn the_deleted_are_dissolved_or_missed() {
    let mut project = of_defs([
        ("monster", def(&[]).set("Sprite", "clips", map([("walk", st([("frames", list([1_i64]))]))]))),
        ("goblin", def(&["monster"]).set("Health", "max", 5.0)),
    ]);
    let mut entities = indexmap::IndexMap::new();
    for (id, def) in [("m1", "monster"), ("g1", "goblin")] {
        entities.insert(id.into(), Arc::new(Instance::new(def.into(), [0.0, 0.0])));
    }
    let layer = Layer::new("actors".into(), LayerContent::Entities(entities));
    let level = Level { layers: vec![layer.into()], ..Level::default() };
    project.documents.insert(path("levels/one.ron"), Arc::new(Document::Level(level)));
    let resolution = resolved(&project);
    let gone = |inline, with_instances| {
        let what = Delete { names: vec!["monster".into()], inline, with_instances };
        delete(&project, &resolution, &what).unwrap().tried_on(&project).unwrap()
    };
    let n_placed = |project: &Project| project.level(&path("levels/one.ron")).unwrap().entities().count();
    let left = gone(false, false);
    assert_eq!((n_placed(&left), resolved(&left).findings().count()), (2, 1), "a missing parent is reported");
    let dissolved = gone(true, true);
    assert_eq!((n_placed(&dissolved), resolved(&dissolved).findings().count()), (1, 0));
    assert_eq!(values(&dissolved, &[]), values(&project, &["monster".into()]));
}

#[test]
fn what_no_schema_declares_is_no_reason_to_refuse() {
    let project = of_defs([
        ("goblin", def(&[]).set("Zeal", "burn", 3).set("Body", "mass", "much")),
        ("chief", def(&["goblin"]).set("Zeal", "burn", 4)),
        ("scout", def(&["goblin"])),
    ]);
    let what = Delete { names: vec!["goblin".into()], inline: true, with_instances: false };
    let plan = delete(&project, &resolved(&project), &what).unwrap();
    let after = plan.tried_on(&project).unwrap();
    assert!(text(&after, "scout").contains("Zeal: (burn: 3)"), "{}", text(&after, "scout"));
    assert!(text(&after, "chief").contains("Zeal: (burn: 4)"), "{}", text(&after, "chief"));
}

#[test]
fn no_common_order_is_a_reason_to_refuse() {
    // With b's parents in its stead, d's two parents would want a and c in opposite orders.
    let project = of_defs([
        ("a", def(&[])),
        ("c", def(&[])),
        ("p", def(&["a", "c"]).set("Health", "max", 1.0)),
        ("q", def(&["c"])),
        ("d", def(&["q", "p"])),
    ]);
    let resolution = resolved(&project);
    for parent in ["p", "q"] {
        let what = Inline { parent: parent.into(), children: vec![], delete: true };
        match inline(&project, &resolution, &what) {
            Ok(plan) => assert_eq!(values(&plan.tried_on(&project).unwrap(), &[]), values(&project, &[parent.into()])),
            Err(why) => assert!(!why.to_string().is_empty()),
        }
    }
    let no_children = Inline { parent: "d".into(), children: vec![], delete: true };
    assert_eq!(
        inline(&project, &resolution, &no_children).unwrap_err().to_string(),
        "nothing inherits `d`, so there is nowhere to inline it"
    );
}

/// A family of up to eight, mostly sound.
pub(crate) fn family() -> impl Strategy<Value = Project> {
    let one = |i: u8| {
        let all: Vec<u8> = (0..i).collect();
        let most = all.len().min(3);
        let parents = proptest::sample::subsequence(all, 0..=most).prop_map(|mut parents| {
            parents.reverse();
            parents
        });
        (parents, prop::collection::vec(word(), 0..6), prop::bool::weighted(0.2))
    };
    (0..8_u8).map(one).collect::<Vec<_>>().prop_map(|all| {
        let defs = all.into_iter().enumerate().map(|(i, (parents, words, is_abstract))| {
            (name(u8::try_from(i).unwrap()), Arc::new(said(&parents, &words, is_abstract)))
        });
        let file = EntitiesFile { defs: defs.collect() };
        crate::build::project([("entities/a.ron", Document::Entities(file))])
    })
}

/// That a plan keeps what everybody but `gone` amounts to, and that undo gives the same pointers back.
fn holds(project: &Project, plan: &Plan, gone: &[Name]) -> Result<(), TestCaseError> {
    let mut now = project.clone();
    let mut history = History::default();
    prop_assert!(history.make(&mut now, &plan.edits).is_ok());
    let (was, is) = (values(project, gone), values(&now, gone));
    for (name, values) in &was {
        prop_assert_eq!(Some(values), is.get(name), "{}", name);
    }
    // A definition without a consistent order may get one, as its ancestors change; only `new` is declared anew.
    let declared = resolved(project).def_docs;
    for name in is.keys().filter(|name| !was.contains_key(*name)) {
        prop_assert!(&**name == "new" || declared.contains_key(name), "{}", name);
    }
    prop_assert!(history.undo(&mut now, None).is_ok());
    for (path, doc) in &project.documents {
        prop_assert!(now.doc(path).is_some_and(|it| Arc::ptr_eq(it, doc)));
    }
    Ok(())
}

/// `ogre` and `troll` order `beast` and `giant` differently, so `hybrid` has no order; with the new parent, which
/// inherits `beast`, before `giant`, the ogre has the order of the troll.
#[test]
fn a_new_parent_may_give_a_definition_its_order() {
    let bow = || list(["bow"]);
    let project = of_defs([
        ("beast", def(&[])),
        ("giant", def(&[])),
        ("archer", def(&["beast"]).append("Loot", "items", bow())),
        ("troll", def(&["archer", "giant"])),
        ("ogre", def(&["giant", "beast"]).scale("Health", "max", 0.5).append("Loot", "items", bow())),
        ("hybrid", def(&["ogre", "troll"])),
    ]);
    assert!(!resolved(&project).defs.contains_key("hybrid"));
    let children = ["archer", "ogre"].map(Name::from).to_vec();
    let what = Extract { children, name: "new".into(), keep: BTreeSet::new() };
    let plan = extract(&project, &resolved(&project), &what).unwrap();
    holds(&project, &plan, &[]).unwrap();
    let now = resolved(&plan.tried_on(&project).unwrap());
    assert_eq!(now.defs["hybrid"].get("Loot", "items"), Some(&bow()), "new applies once");
    assert_eq!(now.findings().count(), 0);
}

static DONE: [AtomicUsize; 3] = [AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)];

proptest! {
    #![proptest_config(cases(200))]

    fn random_families_keep_their_values(
        project in family(),
        children in prop::collection::vec(0..8_u8, 1..4),
        kept in prop::collection::vec(0..8_usize, 0..2),
        parent in 0..8_u8,
    ) {
        let resolution = resolved(&project);
        let children: Vec<Name> = BTreeSet::from_iter(children).into_iter().map(name).collect();
        let words = alike(&project, &resolution, &children);
        let keep: BTreeSet<Word> = kept.iter().filter_map(|at| Some(words.get(*at)?.0.clone())).collect();
        let what = Extract { children, name: "new".into(), keep };
        match extract(&project, &resolution, &what) {
            Ok(plan) => {
                DONE[0].fetch_add(1, Ordering::Relaxed);
                holds(&project, &plan, &[])?;
            }
            Err(why) => prop_assert!(!why.to_string().is_empty()),
        }
        for delete in [false, true] {
            let what = Inline { parent: name(parent), children: vec![], delete };
            if let Ok(plan) = inline(&project, &resolution, &what) {
                DONE[1].fetch_add(1, Ordering::Relaxed);
                holds(&project, &plan, &[name(parent)])?;
            }
        }
        let what = Delete { names: vec![name(parent)], inline: true, with_instances: true };
        if let Ok(plan) = delete(&project, &resolution, &what) {
            DONE[2].fetch_add(1, Ordering::Relaxed);
            holds(&project, &plan, &[name(parent)])?;
        }
    }
}

#[test]
fn most_random_families_can_be_made_anew() {
    random_families_keep_their_values();
    let done: Vec<usize> = DONE.iter().map(|it| it.load(Ordering::Relaxed)).collect();
    assert!(done[0] > 40 && done[1] > 120 && done[2] > 120, "{done:?} of 200, 400 and 200");
}
