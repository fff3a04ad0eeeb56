//! Hierarchies of the size and shape of `OpenRA`'s and `RimWorld`'s: they load without an error, mean what a plain
//! reading of the rules says, and are followed edit by edit. How they are made is in `tests/corpora`.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use levelwright::{
    defs::{RemovePath, RemoveStep, Resolution, resolve},
    edit::{Edit, Owner, apply},
    io,
    model::{Builtin, EntityDef, FieldPath, FieldSpec, FieldType, Name, OpKind, Project, Schema, Severity, Value, mix},
};

use crate::{
    cases::{Case, n_cases, seeds},
    corpora::{self, Files, MAX_DEPTH, MAX_PARENTS, N_DEFINITIONS},
};

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

fn import(files: &Files) -> Project {
    let dir = tempfile::tempdir().unwrap();
    corpora::write(files, dir.path());
    let loaded = io::load(dir.path());
    assert_eq!(loaded.findings, []);
    loaded.project
}

type Defs<'a> = HashMap<&'a str, &'a EntityDef>;

fn defs(project: &Project) -> Defs<'_> {
    let files = project.documents.keys().filter_map(|doc| project.entities(doc));
    files.flat_map(|file| file.defs.iter().map(|(name, def)| (&**name, &**def))).collect()
}

/// The order of inheritance as a textbook has it, nearest first.
fn order(defs: &Defs<'_>, name: &Name, known: &mut BTreeMap<Name, Vec<Name>>) -> Vec<Name> {
    if let Some(order) = known.get(name) {
        return order.clone();
    }
    let parents = &defs[&**name].inherits;
    let mut lists: Vec<Vec<Name>> = parents.iter().map(|parent| order(defs, parent, known)).collect();
    lists.push(parents.clone());
    let mut out = vec![name.clone()];
    while lists.iter().any(|list| !list.is_empty()) {
        let in_no_tail = |head: &&Name| !lists.iter().any(|list| list.iter().skip(1).any(|it| it == *head));
        let next = lists.iter().filter_map(|list| list.first()).find(in_no_tail).unwrap().clone();
        lists.iter_mut().for_each(|list| list.retain(|it| *it != next));
        out.push(next);
    }
    known.insert(name.clone(), out.clone());
    out
}

type Components = BTreeMap<Name, BTreeMap<Name, Value>>;

/// What a definition amounts to: everybody's operations, one after the other, on plain maps.
fn plainly(defs: &Defs<'_>, schema: &Schema, order: &[Name]) -> Components {
    let mut out = Components::new();
    let defaults = |component: &Name| -> BTreeMap<Name, Value> {
        let fields = &schema.components[component].fields;
        fields.iter().map(|(name, spec)| (name.clone(), default_of(spec))).collect()
    };
    for name in order.iter().rev() {
        let ops = &defs[&**name].ops;
        for entry in &ops.remove {
            let path = RemovePath::parse(entry).unwrap();
            match path.steps.as_slice() {
                [] => drop(out.remove(&path.component).unwrap()),
                [RemoveStep::Field(field)] => {
                    let default = defaults(&path.component)[field].clone();
                    out.get_mut(&path.component).unwrap().insert(field.clone(), default);
                }
                other => panic!("the corpora do not say {other:?}"),
            }
        }
        for op in OpKind::VALUED {
            for (component, fields) in ops.values(op).unwrap() {
                let now = out.entry(component.clone()).or_insert_with(|| defaults(component));
                for (field, operand) in fields {
                    let value = now.get_mut(field).unwrap();
                    match (op, &mut *value, operand) {
                        (OpKind::Scale, Value::Float(x), Value::Float(by)) => *x *= by,
                        (OpKind::Append, Value::List(items), Value::List(more)) => items.extend(more.iter().cloned()),
                        (OpKind::Set, Value::Map(map), Value::Map(said)) => {
                            for (key, value) in said {
                                map.retain(|(known, _)| known != key);
                                map.push((key.clone(), value.clone()));
                            }
                        }
                        (OpKind::Set, Value::Struct(all), Value::Struct(said)) => {
                            said.iter().for_each(|(name, value)| drop(all.insert(name.clone(), value.clone())));
                        }
                        (OpKind::Set, _, said) => *value = said.clone(),
                        other => panic!("the corpora do not say {other:?}"),
                    }
                }
            }
        }
    }
    out
}

fn default_of(spec: &FieldSpec) -> Value {
    match &spec.ty {
        FieldType::Struct(parts) => {
            Value::Struct(parts.iter().map(|(name, part)| (name.clone(), default_of(part))).collect())
        }
        _ => spec.default.clone().unwrap(),
    }
}

/// Maps have no order here.
fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    if let Value::Map(entries) = &mut value {
        entries.sort_by_key(|(key, _)| key.to_string());
    }
    value
}

fn agree(ours: &Resolution, full: &Resolution) {
    assert!(ours.defs == full.defs, "resolving what changed is resolving everything");
    assert!(ours.findings().eq(full.findings()));
    assert_eq!(ours.def_docs, full.def_docs);
}

/// Returns how many definitions are above one in the longest line, and how many parents one has at most.
fn examine(files: &Files, root: &str, leaf: &str, (component, field): (&str, &str)) -> (usize, usize) {
    let builtin = builtin();
    let project = import(files);
    let resolution = resolve(&project, &builtin, None);
    let errors: Vec<_> = resolution.findings().filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{:?}", errors[0]);
    assert_eq!(resolution.defs.len(), N_DEFINITIONS);

    // A sample, spread over all of them, is what a plain reading makes of it.
    let all = defs(&project);
    let mut known = BTreeMap::new();
    for (name, resolved) in resolution.defs.iter().step_by(41) {
        let order = order(&all, name, &mut known);
        assert!(order.iter().rev().eq(resolved.order.iter()), "{name}: {order:?}");
        let expected = plainly(&all, &resolution.schema, &order);
        assert_eq!(resolved.components.keys().collect::<BTreeSet<_>>(), expected.keys().collect());
        for (component, fields) in &expected {
            for (field, value) in fields {
                let ours = sorted(resolved.get(component, field).unwrap());
                assert_eq!(ours, sorted(value), "{name}: {component}.{field}");
            }
        }
    }

    // One edit at the top, one at the bottom.
    for (name, few) in [(root, false), (leaf, true)] {
        let mut edited = project.clone();
        let owner = Owner::Def { doc: resolution.def_docs[name].clone(), name: name.into() };
        apply(&mut edited, &Edit::set(owner, component, field, Value::Float(77.5))).unwrap();
        let after = resolve(&edited, &builtin, Some(&resolution));
        agree(&after, &resolve(&edited, &builtin, None));
        let n = after.defs.iter().filter(|(name, def)| !Arc::ptr_eq(def, &resolution.defs[&***name])).count();
        assert!(if few { n == 1 } else { n > 100 }, "{name} reaches {n}");
    }
    edit_at_random(&project, &resolution);
    extent(&all)
}

/// Operations declared, changed and removed, here and there, more often near the root: each followed, and each the same
/// as working out everything.
fn edit_at_random(project: &Project, resolution: &Resolution) {
    let builtin = builtin();
    let (mut project, mut now) = (project.clone(), resolution.clone());
    let mut seed = seeds(1).start + 1;
    let _case = Case::new(seed - 1);
    let mut below = |n: usize| {
        seed = mix(seed);
        usize::try_from(seed % n.max(1) as u64).unwrap()
    };
    let mut by_depth: Vec<Name> = resolution.defs.keys().cloned().collect();
    by_depth.sort_by_key(|name| resolution.defs[name].order.len());
    for round in 0..n_cases(2) {
        let name = &by_depth[if round % 2 == 0 { below(by_depth.len()) } else { below(200) }];
        let owner = Owner::Def { doc: now.def_docs[name].clone(), name: name.clone() };
        let resolved = now.defs[name].clone();
        let Some((component, of)) = resolved.components.iter().nth(below(resolved.components.len())) else { continue };
        let Some((field, it)) = of.fields.iter().nth(below(of.fields.len())) else { continue };
        let edit = match (below(4), &it.value) {
            (0, _) => Edit::AddRemove { owner, entry: component.to_string() },
            (1, _) => {
                let (component, field) = (component.clone(), field.clone());
                Edit::ClearValue { owner, op: None, component, field, inner: FieldPath::root() }
            }
            (_, Value::Float(x)) => Edit::set(owner, component, field, Value::Float(x + 1.0)),
            (_, other) => Edit::set(owner, component, field, other.clone()),
        };
        if apply(&mut project, &edit).is_err() {
            continue;
        }
        let next = resolve(&project, &builtin, Some(&now));
        let full = resolve(&project, &builtin, None);
        agree(&next, &full);
        let listed = |of: &Resolution| -> Vec<Vec<Name>> {
            of.defs.values().map(|def| def.components.keys().cloned().collect()).collect()
        };
        assert_eq!(listed(&next), listed(&full));
        assert!(next.effort().definitions <= 1 + next.descendants(name).len(), "{edit:?}: {:?}", next.effort());
        assert!(next.effort().fields * 4 < full.effort().fields, "{edit:?}: {:?} {:?}", next.effort(), full.effort());
        now = next;
    }
}

fn extent(defs: &Defs<'_>) -> (usize, usize) {
    fn depth<'a>(defs: &Defs<'a>, name: &'a str, known: &mut HashMap<&'a str, usize>) -> usize {
        if let Some(depth) = known.get(name) {
            return *depth;
        }
        let depth = defs[name].inherits.iter().map(|parent| 1 + depth(defs, parent, known)).max().unwrap_or(0);
        known.insert(name, depth);
        depth
    }
    let mut known = HashMap::new();
    let deepest = defs.keys().map(|name| depth(defs, name, &mut known)).max().unwrap_or(0);
    (deepest, defs.values().map(|def| def.inherits.len()).max().unwrap_or(0))
}

#[test]
fn actors_of_templates_and_mixins() {
    let files = corpora::openra(1);
    let extent = examine(&files, "^Template0", "actor8499", ("Trait5", "n0"));
    assert_eq!(extent, (MAX_DEPTH, MAX_PARENTS));
    assert_eq!(files, corpora::openra(1), "the same seed gives the same text");
    assert_ne!(files, corpora::openra(2));
}

#[test]
fn things_of_one_parent_each() {
    let files = corpora::rimworld(1);
    let extent = examine(&files, "BaseThing", "Weapon8499", ("Weapon", "damage"));
    assert_eq!(extent, (MAX_DEPTH, 1));
}
