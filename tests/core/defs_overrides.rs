//! Edits of overrides alone: only what inherits the definition is visited, only the fields it changes are resolved, and
//! the outcome is that of working out everything.

use std::sync::Arc;

use levelwright::{
    defs::{Effort, Resolution, Resolved, ResolvedField, resolve},
    model::{Document, EntitiesFile, EntityDef, Name, OpKind, Project, Value},
};
use proptest::prelude::*;

use crate::{
    build::{Say, builtin, def, project},
    cases::cases,
    defs_random::{Word, agree, name, named_by, said, word},
};

/// An edit of what one definition says.
#[derive(Clone, Debug)]
enum Change {
    Say(Word),
    Unsay(usize),
    Otherwise(usize, Word),
    /// Exchange two words.
    Order(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => word().prop_map(Change::Say),
        3 => (0..6_usize).prop_map(Change::Unsay),
        4 => (0..6_usize, word()).prop_map(|(at, word)| Change::Otherwise(at, word)),
        1 => (0..6_usize, 0..6_usize).prop_map(|(a, b)| Change::Order(a, b)),
    ]
}

impl Change {
    fn make(&self, words: &mut Vec<Word>) {
        let n = words.len().max(1);
        match self {
            Self::Say(word) => words.push(word.clone()),
            Self::Unsay(at) if !words.is_empty() => drop(words.remove(at % n)),
            Self::Otherwise(at, word) => words.get_mut(at % n).into_iter().for_each(|it| *it = word.clone()),
            Self::Order(a, b) if !words.is_empty() => words.swap(a % n, b % n),
            _ => {}
        }
    }
}

const N: u8 = 9;

/// For each definition some parents before it, mostly one, and what it says.
fn hierarchy() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<Word>)>> {
    let one = |i: u8| {
        let parents = prop_oneof![
            2 => (0..i.max(1)).prop_map(|parent| vec![parent]),
            2 => proptest::sample::subsequence((0..i).collect::<Vec<_>>(), 0..=usize::from(i.min(3))).prop_map(|mut it| {
                it.reverse();
                it
            }),
        ];
        (parents, prop::collection::vec(word(), 0..5))
            .prop_map(move |(parents, words)| (if i == 0 { Vec::new() } else { parents }, words))
    };
    (0..N).map(one).collect::<Vec<_>>()
}

fn project_of(all: &[Arc<EntityDef>]) -> Project {
    let numbers = (0..N).map(name);
    let file = EntitiesFile { defs: numbers.zip(all.iter().cloned()).collect() };
    project([("entities/a.ron", Document::Entities(file))])
}

fn field<'a>(def: &'a Resolved, component: &str, field: &str) -> Option<&'a Arc<ResolvedField>> {
    def.components.get(component)?.fields.get(field)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn following_words_is_resolving_everything(
        mut all in hierarchy(),
        changes in prop::collection::vec(prop::collection::vec((0..N, change()), 1..3), 1..12),
    ) {
        let builtin = builtin();
        let mut defs: Vec<Arc<EntityDef>> =
            all.iter().map(|(parents, words)| Arc::new(said(parents, words, false))).collect();
        let mut ours = resolve(&project_of(&defs), &builtin, None);
        for step in &changes {
            for (which, change) in step {
                let at = usize::from(*which);
                change.make(&mut all[at].1);
                defs[at] = Arc::new(said(&all[at].0, &all[at].1, false));
            }
            let project = project_of(&defs);
            let next = resolve(&project, &builtin, Some(&ours));
            agree(&next, &resolve(&project, &builtin, None))?;
            let mut reached: Vec<Name> = step.iter().map(|(which, _)| name(*which)).collect();
            reached.extend(step.iter().flat_map(|(which, _)| next.descendants(&name(*which))));
            for (name, now) in &next.defs {
                let before = &ours.defs[&**name];
                prop_assert!(reached.contains(name) || Arc::ptr_eq(now, before), "{} has nothing to do with it", name);
                for (component, it) in &now.components {
                    for (field_name, now) in &it.fields {
                        if let Some(before) = field(before, component, field_name).filter(|before| *before == now) {
                            prop_assert!(Arc::ptr_eq(before, now), "{name}: {component}.{field_name} is shared when equal");
                        }
                    }
                }
            }
            ours = next;
        }
    }
}

/// Two hundred definitions, three children each. The first says something about two components, the others about one of
/// them.
fn tree() -> EntitiesFile {
    let mut file = EntitiesFile::default();
    for i in 0..200_u32 {
        let parents = if i == 0 { vec![] } else { vec![format!("d{}", (i - 1) / 3)] };
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        let def = def(&parents).set("Health", "lives", i64::from(i));
        let def = if i == 0 { def.set("Health", "max", 5.0).set("Body", "mass", 2.0) } else { def };
        file.defs.insert(format!("d{i}").as_str().into(), Arc::new(def));
    }
    file
}

fn resolved(file: &EntitiesFile, before: Option<&Resolution>) -> Resolution {
    resolve(&project([("entities/a.ron", Document::Entities(file.clone()))]), &builtin(), before)
}

fn edit(file: &mut EntitiesFile, name: &str, change: impl FnOnce(EntityDef) -> EntityDef) {
    let def = file.defs.get_mut(name).unwrap();
    *def = Arc::new(change((**def).clone()));
}

/// The fields that are other than before, each definition's with its name.
fn touched(before: &Resolution, after: &Resolution) -> Vec<String> {
    let mut out = Vec::new();
    for (name, now) in &after.defs {
        for (component, it) in &now.components {
            for (field_name, now) in &it.fields {
                let before = field(&before.defs[&**name], component, field_name);
                if before.is_none_or(|before| !Arc::ptr_eq(before, now)) {
                    out.push(format!("{name} {component}.{field_name}"));
                }
            }
        }
    }
    out
}

fn all_below(resolution: &Resolution, name: &str, what: &str) -> Vec<String> {
    let mut all: Vec<String> = resolution.descendants(name).iter().map(|it| format!("{it} {what}")).collect();
    all.push(format!("{name} {what}"));
    all.sort();
    all
}

#[test]
fn a_field_is_worked_out_where_it_is_said() {
    let mut file = tree();
    let before = resolved(&file, None);
    assert!(before.effort().fields > 200, "{:?}", before.effort());
    edit(&mut file, "d0", |def| def.set("Health", "max", 7.0));
    let after = resolved(&file, Some(&before));
    // All definitions inherit it and no other declares it: it is resolved once.
    assert_eq!(after.effort(), Effort { definitions: 200, fields: 1 });
    assert_eq!(after.defs["d199"].get("Health", "max"), Some(&Value::Float(7.0)));
    assert_eq!(touched(&before, &after), all_below(&before, "d0", "Health.max"));
    let body = |of: &Resolution| of.defs["d199"].components["Body"].clone();
    assert!(Arc::ptr_eq(&body(&before), &body(&after)));
    let max = |name: &str| field(&after.defs[name], "Health", "max").unwrap();
    assert!(Arc::ptr_eq(max("d0"), max("d199")), "one and the same for all");
}

#[test]
fn each_who_says_the_field_too_is_asked_once() {
    let mut file = tree();
    for name in ["d5", "d16", "d40"] {
        edit(&mut file, name, |def| def.scale("Health", "max", 2.0));
    }
    let before = resolved(&file, None);
    edit(&mut file, "d0", |def| def.set("Health", "max", 7.0));
    let after = resolved(&file, Some(&before));
    assert_eq!(after.effort(), Effort { definitions: 200, fields: 4 });
    assert_eq!(touched(&before, &after), all_below(&before, "d0", "Health.max"));
    // Of several fields, each only where it is overridden: here for d5 and what inherits it.
    edit(&mut file, "d5", |def| def.set("Health", "lives", 9_i64).scale("Health", "max", 3.0));
    let last = resolved(&file, Some(&after));
    let below = last.descendants("d5").len();
    // Each says how many lives it has; d16 alone also scales.
    assert_eq!(last.effort(), Effort { definitions: 1 + below, fields: 2 + below + 1 });
    let both = [all_below(&last, "d5", "Health.lives"), all_below(&last, "d5", "Health.max")];
    let mut both = both.concat();
    both.sort();
    let mut found = touched(&after, &last);
    found.sort();
    assert_eq!(found, both);
}

#[test]
fn it_goes_no_further_than_it_makes_a_difference() {
    let mut file = tree();
    edit(&mut file, "d1", |def| def.remove("Body"));
    let before = resolved(&file, None);
    edit(&mut file, "d0", |def| def.set("Body", "mass", 3.0));
    let after = resolved(&file, Some(&before));
    let below = before.descendants("d1").len();
    assert!(below > 50);
    // The one that takes the component away is the last that is looked into on its side.
    assert_eq!(after.effort().definitions, 200 - below);
    assert!(touched(&before, &after).iter().all(|it| it.ends_with("Body.mass")));
    assert!(Arc::ptr_eq(&after.defs["d1"], &before.defs["d1"]));
}

#[test]
fn a_component_more_leaves_the_others_alone() {
    let mut file = tree();
    let before = resolved(&file, None);
    edit(&mut file, "d0", |def| def.set("Loot", "gold", 3_i64));
    let after = resolved(&file, Some(&before));
    assert_eq!(after.effort(), Effort { definitions: 200, fields: 1 });
    assert!(touched(&before, &after).iter().all(|it| it.contains("Loot.")));
    assert!(Arc::ptr_eq(&after.defs["d0"].components["Loot"], &after.defs["d199"].components["Loot"]));
    edit(&mut file, "d0", |def| {
        let mut def = def;
        def.ops.set.shift_remove("Loot");
        def
    });
    let last = resolved(&file, Some(&after));
    assert_eq!(last.effort(), Effort { definitions: 200, fields: 0 });
    assert_eq!(touched(&after, &last), [""; 0]);
    assert!(!last.defs["d199"].has("Loot"));
}

#[test]
fn a_finding_about_an_empty_component_entry_is_updated() {
    let mut file = EntitiesFile::default();
    let empty = named_by(def(&[]), OpKind::Add, "Body");
    file.defs.insert("a".into(), Arc::new(empty.clone().set("Body", "mass", 2.0)));
    let before = resolved(&file, None);
    file.defs.insert("a".into(), Arc::new(empty));
    let after = resolved(&file, Some(&before));
    let found = |it: &Resolution| it.findings_of("a").to_vec();
    assert_eq!(found(&before).len(), 1, "{:?}", found(&before));
    assert_eq!(found(&after), found(&resolved(&file, None)));
}
