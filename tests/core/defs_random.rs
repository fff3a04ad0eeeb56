//! Inheritance over random hierarchies: the order is Python's, resolving what changed gives what resolving everything
//! gives, every field's history ends at its value.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use levelwright::{
    defs::{Resolution, Resolved, SharedMap, ValueHistory, linearize, resolve},
    model::{Document, EntitiesFile, EntityDef, Name, OpKind, Project, Schema, Value},
};
use proptest::prelude::*;

use crate::build::{Say, builtin, component, def, field, list, map, path, project, st, sym};
use crate::cases::cases;

/// Python's own algorithm, as `Objects/typeobject.c` has it: `merge([L(p1), …, L(pn), [p1, …, pn]])`, plainly.
fn python_mro(
    parents: &BTreeMap<u32, Vec<u32>>,
    class: u32,
    known: &mut BTreeMap<u32, Option<Vec<u32>>>,
) -> Option<Vec<u32>> {
    if let Some(known) = known.get(&class) {
        return known.clone();
    }
    let bases = &parents[&class];
    let merged = (|| {
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for base in bases {
            lists.push(python_mro(parents, *base, known)?);
        }
        lists.push(bases.clone());
        let mut out = vec![class];
        loop {
            lists.retain(|list| !list.is_empty());
            if lists.is_empty() {
                return Some(out);
            }
            let good = |x: &u32| !lists.iter().any(|list| list[1..].contains(x));
            let next = lists.iter().map(|list| list[0]).find(|x| good(x))?;
            out.push(next);
            for list in &mut lists {
                if list[0] == next {
                    list.remove(0);
                }
            }
        }
    })();
    known.insert(class, merged.clone());
    merged
}

/// Hierarchies of up to ten: for each, parents among those before it, in any order.
fn hierarchy() -> impl Strategy<Value = BTreeMap<u32, Vec<u32>>> {
    let one = |i: u32| {
        let all: Vec<u32> = (0..i).collect();
        let most = all.len().min(4);
        (proptest::sample::subsequence(all, 0..=most).prop_shuffle(), any::<bool>()).prop_map(
            move |(mut parents, neat)| {
                if neat {
                    parents.sort_by(|a, b| b.cmp(a));
                }
                (i, parents)
            },
        )
    };
    (0..10_u32).map(one).collect::<Vec<_>>().prop_map(BTreeMap::from_iter)
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn the_order_is_pythons(parents in hierarchy()) {
        let mut known = BTreeMap::new();
        let mut counts = vec![0; 10];
        for (class, bases) in &parents {
            let expected = python_mro(&parents, *class, &mut known);
            let Some(orders) = bases.iter().map(|base| known[base].as_deref()).collect::<Option<Vec<_>>>() else {
                continue;
            };
            match (linearize(&orders, &mut counts), expected) {
                (Ok(order), Some(expected)) => prop_assert_eq!(&order, &expected[1..]),
                (Err(why), None) => {
                    let [a, b] = why.parents;
                    prop_assert!(a != b && a < bases.len() && b < bases.len());
                    if let Some([x, y]) = why.about {
                        let before = |order: &[u32], x, y| {
                            let at = |z| order.iter().position(|w| *w == z);
                            matches!((at(x), at(y)), (Some(i), Some(j)) if i < j)
                        };
                        let all = orders.iter().copied().chain([bases.as_slice()]).collect::<Vec<_>>();
                        prop_assert!(all.iter().any(|order| before(order, x, y)), "no order puts {x} before {y}");
                        prop_assert!(all.iter().any(|order| before(order, y, x)), "no order puts {y} before {x}");
                    }
                }
                (ours, expected) => prop_assert!(false, "{bases:?}: {ours:?}, Python {expected:?}"),
            }
            prop_assert!(counts.iter().all(|n| *n == 0));
        }
    }
}

/// What `fixtures/mro.py` printed: hierarchies and the order that Python itself gave each class, or `!`.
const PYTHONS: &str = include_str!("fixtures/mro.txt");

#[test]
fn the_order_is_what_python_3_said() {
    let letters = || 'A'..='Z';
    // All in one project: class B of line 12 is definition `12B`.
    let mut file = EntitiesFile::default();
    let mut expected: Vec<(Name, Option<Vec<String>>)> = Vec::new();
    for (line, hierarchy) in PYTHONS.lines().enumerate() {
        let named = |class: char| format!("{line}{class}");
        for (class, word) in letters().zip(hierarchy.split(' ')) {
            let (parents, order) = word.split_once('/').unwrap();
            let parents: Vec<String> = parents.chars().map(named).collect();
            let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
            let name: Name = named(class).as_str().into();
            file.defs.insert(name.clone(), Arc::new(def(&parents)));
            expected.push((name, (order != "!").then(|| order.chars().rev().map(named).collect())));
        }
    }
    let resolution = resolve(&project([("entities/a.ron", Document::Entities(file))]), &builtin(), None);
    for (name, order) in &expected {
        let ours = resolution.defs.get(name).map(|def| &def.order);
        let same = match (ours, order) {
            (Some(ours), Some(order)) => ours.iter().map(|name| &**name).eq(order.iter().map(String::as_str)),
            (ours, order) => ours.is_none() && order.is_none(),
        };
        assert!(same, "{name}: {ours:?}, Python {order:?}");
    }
    let hierarchies: BTreeSet<&str> = PYTHONS.lines().collect();
    let n_refused = expected.iter().filter(|(_, order)| order.is_none()).count();
    assert!(hierarchies.len() >= 10_000 && n_refused > 1000, "{} {n_refused}: all of them differ", hierarchies.len());
}

#[test]
fn python_still_says_so() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/fixtures/mro.py");
    match std::process::Command::new("python3").arg(script).output() {
        Ok(output) if output.status.success() => {
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.lines().eq(PYTHONS.lines()), "fixtures/mro.txt is what fixtures/mro.py prints");
        }
        other => eprintln!("skipped, there is no Python 3 here: {other:?}"),
    }
}

/// One thing a definition may say.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    Set(u8, u8),
    Scale(f64),
    Add(i8),
    Append(u8),
    Remove(u8),
    /// What is seldom said, or wrong.
    Odd(u8),
}

pub(crate) fn word() -> impl Strategy<Value = Word> {
    prop_oneof![
        (0..7_u8, 0..4_u8).prop_map(|(what, value)| Word::Set(what, value)),
        prop::sample::select(vec![0.5, 1.0, 2.0, 1000.0]).prop_map(Word::Scale),
        (-3..4_i8).prop_map(Word::Add),
        (0..3_u8).prop_map(Word::Append),
        (0..7_u8).prop_map(Word::Remove),
        (0..22_u8).prop_map(Word::Odd),
    ]
}

/// An operation names a component and says nothing about it.
pub(crate) fn named_by(mut def: EntityDef, op: OpKind, component: &str) -> EntityDef {
    def.ops.values_mut(op).unwrap().entry(component.into()).or_default();
    def
}

pub(crate) fn said(parents: &[u8], words: &[Word], is_abstract: bool) -> EntityDef {
    let inherits = parents.iter().map(|p| name(*p)).collect();
    let mut def = EntityDef { is_abstract, inherits, ..EntityDef::default() };
    for word in words {
        let n = |v: &u8| i64::from(*v);
        def = match word {
            Word::Set(0, v) => def.set("Health", "max", f64::from(*v)),
            Word::Set(1, v) => def.set("Loot", "gold", n(v)),
            Word::Set(2, v) => def.set("Loot", "items", list(["torch", "rope"][..usize::from(*v % 3)].iter().copied())),
            Word::Set(3, v) => def.set("Sprite", "clips", map([("walk", st([("frames", list([n(v)]))]))])),
            Word::Set(4, v) => def.set("Health", "team", sym(["Keep", "Horde", "Wild", "Nobody"][usize::from(*v)])),
            Word::Set(5, _) => def.has("Shield"),
            Word::Set(_, v) => def.set("Torch", "burns", n(v)),
            Word::Scale(by) => def.scale("Health", "max", *by).scale("Loot", "gold", *by),
            Word::Add(by) => def.add("Loot", "gold", i64::from(*by)),
            Word::Append(v) => def.append("Loot", "items", list([["torch", "key", "bow"][usize::from(*v)]])),
            Word::Odd(0) => def.set("Health", "speed", 1.0),
            Word::Odd(1) => def.set("Wings", "span", 2.0).set("Wings", "color", "gray"),
            Word::Odd(2) => def.scale("Health", "speed", 2.0),
            Word::Odd(3) => def.remove("Health.speed"),
            Word::Odd(4) => def.has("Loot"),
            Word::Odd(5) => def.remove("Loot"),
            Word::Odd(6) => def.append("Loot", "layers", list([sym("Prop")])),
            Word::Odd(7) => def.set("Wings", "color", "red"),
            Word::Odd(8) => def.add("Body", "mass", 2.0),
            Word::Odd(9) => def.set("Body", "mass", 3.0),
            Word::Odd(11) => def.set("Body", "velocity", Value::vec2(8.0, -4.0)),
            Word::Odd(12) => def.scale("Body", "velocity", 0.5),
            Word::Odd(13) => def.scale("Body", "velocity", Value::vec2(2.0, -1.0)),
            Word::Odd(14) => def.add("Body", "velocity", Value::vec2(1.0, 3.0)),
            Word::Odd(10) => named_by(def, OpKind::Add, "Body"),
            Word::Odd(15) => named_by(def, OpKind::Append, "Loot"),
            Word::Odd(16) => def.scale("Sprite", "clips", map([("walk", st([("secs", 2.0)]))])),
            Word::Odd(17) => def.add("Sprite", "clips", map([("walk", st([("secs", 0.5)]))])),
            Word::Odd(18) => def.append("Sprite", "clips", map([("walk", st([("frames", list([7_i64]))]))])),
            Word::Odd(19) => def.set("Sprite", "clips", map([("run", st([("secs", 0.3)]))])),
            Word::Odd(20) => def.remove("Sprite.clips[\"walk\"].frames[7]"),
            Word::Odd(_) => def.remove("Sprite"),
            Word::Remove(v) => def.remove(
                [
                    "Shield",
                    "Loot.gold",
                    "Loot.items[\"torch\"]",
                    "Sprite.clips[\"walk\"]",
                    "Health",
                    "Torch.burns",
                    "Loot[",
                ][usize::from(*v)],
            ),
        };
    }
    def
}

pub(crate) fn name(i: u8) -> Name {
    format!("d{i}").as_str().into()
}

/// A change made to a project between two resolutions.
#[derive(Clone, Debug)]
enum Change {
    Put { file: u8, def: u8, parents: Vec<u8>, words: Vec<Word>, is_abstract: bool },
    Delete { file: u8, def: u8 },
    DropFile(u8),
    MoveFile(u8, u8),
    Schema(bool),
}

fn change() -> impl Strategy<Value = Change> {
    let put = (
        0..3_u8,
        0..9_u8,
        prop::collection::vec(0..9_u8, 0..3),
        prop::collection::vec(word(), 0..4),
        prop::bool::weighted(0.2),
    );
    let put = put.prop_map(|(file, def, parents, words, is_abstract)| {
        // Mostly parents of smaller number, so that most hierarchies are sound.
        let parents = if parents.len() == 2 { parents } else { parents.into_iter().filter(|p| *p < def).collect() };
        Change::Put { file, def, parents, words, is_abstract }
    });
    prop_oneof![
        12 => put,
        2 => (0..3_u8, 0..9_u8).prop_map(|(file, def)| Change::Delete { file, def }),
        1 => (0..3_u8).prop_map(Change::DropFile),
        1 => (0..3_u8, 0..3_u8).prop_map(|(from, to)| Change::MoveFile(from, to)),
        1 => any::<bool>().prop_map(Change::Schema),
    ]
}

fn make(project: &mut Project, change: &Change) {
    let file = |i: u8| path(&format!("entities/{i}.ron"));
    let defs = |project: &Project, i: u8| project.entities(&file(i)).cloned().unwrap_or_default();
    match change {
        Change::Put { file, def, parents, words, is_abstract } => {
            let mut now = defs(project, *file);
            now.defs.insert(name(*def), Arc::new(said(parents, words, *is_abstract)));
            drop(project.documents.insert(path(&format!("entities/{file}.ron")), Arc::new(Document::Entities(now))));
        }
        Change::Delete { file, def } => {
            let mut now = defs(project, *file);
            now.defs.shift_remove(&name(*def));
            project.documents.insert(path(&format!("entities/{file}.ron")), Arc::new(Document::Entities(now)));
        }
        Change::DropFile(i) => drop(project.documents.remove(&file(*i))),
        Change::MoveFile(from, to) => {
            if let Some(doc) = project.documents.remove(&file(*from)) {
                project.documents.insert(file(*to), doc);
            }
        }
        Change::Schema(there) => {
            let schema = path("schemas/game.ron");
            if *there {
                let mut game = Schema::default();
                game.components
                    .insert("Torch".into(), component([("burns", field(levelwright::model::FieldType::Float))]));
                project.documents.insert(schema, Arc::new(Document::Schema(game)));
            } else {
                project.documents.remove(&schema);
            }
        }
    }
}

pub(crate) fn agree(ours: &Resolution, full: &Resolution) -> Result<(), TestCaseError> {
    prop_assert_eq!(&ours.schema, &full.schema);
    prop_assert_eq!(&ours.defs, &full.defs);
    for (ours, full) in ours.defs.values().zip(full.defs.values()) {
        prop_assert!(ours.components.keys().eq(full.components.keys()), "{}: components in order", ours.name);
        for (component, of) in &ours.components {
            let fields = full.components[component].fields.keys();
            prop_assert!(of.fields.keys().eq(fields), "{}: fields of {} in order", ours.name, component);
        }
    }
    prop_assert_eq!(&ours.def_docs, &full.def_docs);
    prop_assert_eq!(&ours.children, &full.children);
    prop_assert_eq!(ours.findings().collect::<Vec<_>>(), full.findings().collect::<Vec<_>>());
    for name in ours.def_docs.keys() {
        prop_assert_eq!(ours.is_incomplete(name), full.is_incomplete(name), "{}", name);
    }
    Ok(())
}

/// The history of a definition agrees with its resolved values.
fn agree_with_history(resolved: &Resolved, history: &ValueHistory) -> Result<(), TestCaseError> {
    for (component_name, component) in &resolved.components {
        prop_assert!(component.declared_by.is_some());
        let given = history.components[component_name].presence.last().unwrap();
        prop_assert_eq!(Some(&given.by), component.declared_by.as_ref());
        for (field, resolved) in &component.fields {
            let steps = history.of(component_name, field);
            // The provenance of a field is the end of its history, since the field was last added.
            let from_history = steps.iter().map(|step| (&step.by, step.op, step.after.as_ref(), step.location.clone()));
            let said = resolved.provenance.iter();
            let said = said.map(|said| (&said.by, said.op, Some(&said.after), said.location()));
            prop_assert!(
                said.eq(from_history.skip(steps.len() - resolved.provenance.len())),
                "{component_name}.{field}"
            );
            prop_assert_eq!(resolved.provenance.last().map(|said| &said.after), Some(&resolved.value));
        }
    }
    for (component, component_history) in &history.components {
        for (field, said) in &component_history.fields {
            prop_assert_eq!(said[0].before.as_ref(), None);
            prop_assert!(said.windows(2).all(|pair| pair[0].after == pair[1].before), "nothing is left out");
            let after = said.last().and_then(|said| said.after.as_ref());
            prop_assert_eq!(after, resolved.get(component, field), "{}.{}", component, field);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn resolving_what_changed_is_resolving_everything(changes in prop::collection::vec(change(), 1..25)) {
        let builtin = builtin();
        let mut project = Project::default();
        let mut ours = resolve(&project, &builtin, None);
        for change in &changes {
            make(&mut project, change);
            let next = resolve(&project, &builtin, Some(&ours));
            agree(&next, &resolve(&project, &builtin, None))?;
            for (name, resolved) in &next.defs {
                if let Some(before) = ours.defs.get(name) {
                    // Equality does not look at order, sharing does: what is listed otherwise is shown otherwise.
                    let equal = before == resolved && (Arc::ptr_eq(before, resolved) || format!("{before:?}") == format!("{resolved:?}"));
                    prop_assert_eq!(equal, Arc::ptr_eq(before, resolved), "{} is shared when equal", name);
                }
                agree_with_history(resolved, &next.history(name).unwrap())?;
            }
            let entries = |it: &Resolution, name: &Name| {
                (it.defs.get(name).cloned(), it.findings_of(name).to_vec(), it.docs_of(name).to_vec())
            };
            let changed = next.changed_since(&ours);
            for name in next.def_docs.keys().chain(ours.def_docs.keys()).filter(|name| !changed.contains(name)) {
                prop_assert_eq!(entries(&next, name), entries(&ours, name), "{} is listed as changed", name);
            }
            ours = next;
        }
        let again = resolve(&project, &builtin, Some(&ours));
        prop_assert!(again.changed_since(&ours).is_empty());
    }

    #[test]
    fn a_shared_map_is_a_map(
        rounds in prop::collection::vec(prop::collection::btree_map(0..400_u32, prop::option::of(0..9_u8), 0..300), 1..6),
        singles in prop::collection::vec((0..400_u32, prop::option::of(0..9_u8)), 0..400),
    ) {
        let mut ours: SharedMap<u32, u8> = SharedMap::default();
        let mut model: BTreeMap<u32, u8> = BTreeMap::new();
        for (key, value) in rounds.into_iter().flatten().chain(singles) {
            match value {
                Some(value) => prop_assert_eq!(ours.insert(key, value), model.insert(key, value)),
                None => prop_assert_eq!(ours.remove(&key), model.remove(&key)),
            }
        }
        prop_assert_eq!(ours.len(), model.len());
        prop_assert!(ours.iter().eq(model.iter()));
        for key in 0..400 {
            prop_assert_eq!(ours.get(&key), model.get(&key));
        }
        let copy = ours.clone();
        prop_assert_eq!(copy.clone(), ours.clone());
        ours.insert(1000, 1);
        prop_assert!(copy.iter().eq(model.iter()), "a copy does not change with it");
    }
}

#[test]
fn only_what_depends_on_an_edit_is_made_anew() {
    let mut defs: EntitiesFile = EntitiesFile::default();
    for i in 0..200_u32 {
        let parents = if i == 0 { vec![] } else { vec![format!("d{}", (i - 1) / 3)] };
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        defs.defs.insert(format!("d{i}").as_str().into(), Arc::new(def(&parents).set("Health", "max", f64::from(i))));
    }
    let builtin = builtin();
    let before = resolve(&project([("entities/a.ron", Document::Entities(defs.clone()))]), &builtin, None);
    defs.defs.insert("d5".into(), Arc::new(def(&["d1"]).set("Loot", "gold", 7_i64)));
    let after = resolve(&project([("entities/a.ron", Document::Entities(defs))]), &builtin, Some(&before));
    let anew: BTreeSet<&str> =
        after.defs.iter().filter(|(name, def)| !Arc::ptr_eq(def, &before.defs[&***name])).map(|(n, _)| &**n).collect();
    let mut expected: BTreeSet<String> =
        before.descendants("d5").iter().map(std::string::ToString::to_string).collect();
    expected.insert("d5".into());
    assert!(expected.len() > 10);
    assert_eq!(anew.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>(), expected);
    assert_eq!(after.defs["d16"].get("Loot", "gold"), Some(&Value::Int(7)));
}
