//! Every edit of a field, by whatever path (reset, dropped operation, value, list, map, table cell, another level,
//! component removed and added): the field has the wanted value afterwards, its entity keeps the component, and nothing
//! else changes.

use std::{collections::BTreeMap, sync::Arc};

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply, apply_all},
    explain::Column,
    model::{
        Document, FieldPath, FieldType, Instance, Layer, LayerContent, Level, Name, OpKind, Ops, Project, RemovePath,
        RemoveStep, Seg, Value, mix,
    },
    refactor::{
        CellAt, FieldOf, State, cell_text, copy_down, edits_for_drag, edits_for_operation, edits_for_value, followers,
        ops_of, type_into,
    },
};
use proptest::prelude::*;

use crate::{
    build::{Say, builtin, def, list, map, of_defs, path, st, sym},
    cases::cases,
    defs::fresh,
    defs_random::{Word, said, word},
    levels::family,
};

type Values = BTreeMap<(Name, Name), BTreeMap<Name, Value>>;

const LEVEL: &str = "levels/one.ron";

/// Every field of every component of every definition and placed entity. Maps are in the order of their keys.
fn values(project: &Project) -> Values {
    let resolution = fresh(project);
    let mut all = Values::new();
    for owner in owners(project) {
        let Some(resolved) = resolved(project, &resolution, &owner) else { continue };
        for (component, of) in &resolved.components {
            let fields = of.fields.iter().map(|(field, it)| (field.clone(), sorted(&it.value)));
            all.insert((owner.name().clone(), component.clone()), fields.collect());
        }
    }
    all
}

/// A value whose maps are in the order of their keys and whose flags are in the order of their names: what is removed
/// and added again stands behind the rest.
pub(crate) fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) if items.iter().all(|it| matches!(it, Value::Symbol(_))) => {
            let mut items = items.clone();
            items.sort_by_key(ToString::to_string);
            Value::List(items)
        }
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by_key(|(key, _)| key.to_string());
            Value::Map(entries)
        }
        Value::Struct(fields) => Value::Struct(fields.iter().map(|(key, it)| (key.clone(), sorted(it))).collect()),
        other => other.clone(),
    }
}

fn resolved(project: &Project, resolution: &Resolution, owner: &Owner) -> Option<levelwright::defs::Resolved> {
    match owner {
        Owner::Def { name, .. } => resolution.defs.get(name).map(|it| (**it).clone()),
        Owner::Instance { doc, layer, id } => {
            let level = project.level(doc)?;
            let (at, layer) = level.layer(layer)?;
            Some(resolution.instance(doc, &level.layer_at(at), id, layer.entities()?.get(id)?).0)
        }
    }
}

fn owners(project: &Project) -> Vec<Owner> {
    let mut all = Vec::new();
    for (doc, document) in &project.documents {
        match &**document {
            Document::Entities(file) => {
                all.extend(file.defs.keys().map(|name| Owner::Def { doc: doc.clone(), name: name.clone() }));
            }
            Document::Level(level) => {
                for layer in &level.layers {
                    let ids = layer.entities().into_iter().flat_map(|it| it.keys());
                    all.extend(ids.map(|id| Owner::Instance {
                        doc: doc.clone(),
                        layer: layer.name.clone(),
                        id: id.clone(),
                    }));
                }
            }
            _ => {}
        }
    }
    all
}

/// A family, and a placed entity of each of some of its definitions.
fn game() -> impl Strategy<Value = Project> {
    let placed = (0..7_u8, prop::collection::vec(word(), 0..4));
    (family(), prop::collection::vec(placed, 0..3)).prop_map(
        |(mut project, placed): (Project, Vec<(u8, Vec<Word>)>)| {
            let one = |(i, (of, words)): (usize, &(u8, Vec<Word>))| {
                let ops = said(&[], words, false).ops;
                let instance = Instance { ops, ..Instance::new(format!("d{of}").as_str().into(), [0.0; 2]) };
                (Name::from(format!("e{i}").as_str()), Arc::new(instance))
            };
            let entities = LayerContent::Entities(placed.iter().enumerate().map(one).collect());
            let level = Level { layers: vec![Arc::new(Layer::new("actors".into(), entities))], ..Level::default() };
            project.documents.insert(path(LEVEL), Arc::new(Document::Level(level)));
            project
        },
    )
}

/// The operations of an owner changed behind the back of every edit.
fn with_ops(project: &Project, owner: &Owner, change: impl FnOnce(&mut Ops)) -> Project {
    let mut project = project.clone();
    let document = Arc::make_mut(project.documents.get_mut(owner.doc()).unwrap());
    match (owner, document) {
        (Owner::Def { name, .. }, Document::Entities(file)) => {
            change(&mut Arc::make_mut(file.defs.get_mut(name).unwrap()).ops);
        }
        (Owner::Instance { id, .. }, Document::Level(level)) => {
            let LayerContent::Entities(all) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
            change(&mut Arc::make_mut(all.get_mut(id).unwrap()).ops);
        }
        _ => panic!(),
    }
    project
}

/// Operations that say nothing of a part of a field any more, by `only` one operation or by all, and go on naming what
/// it is in.
fn forget(ops: &mut Ops, (component, field, inner): (&Name, &Name, &FieldPath), only: Option<OpKind>) {
    for op in OpKind::VALUED.into_iter().filter(|op| only.is_none_or(|only| only == *op)) {
        let Some(fields) = ops.values_mut(op).and_then(|all| all.get_mut(component)) else { continue };
        match inner.0.split_last() {
            None => drop(fields.shift_remove(field)),
            Some((Seg::Key(last), way)) => {
                let place = way.iter().try_fold(fields.get_mut(field), |value, seg| match (value?, seg) {
                    (Value::Struct(fields), Seg::Key(key)) => Some(fields.get_mut(key)),
                    (Value::Map(entries), Seg::Key(key)) => {
                        Some(entries.iter_mut().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value))
                    }
                    _ => None,
                });
                match place.flatten() {
                    Some(Value::Struct(fields)) => drop(fields.shift_remove(last)),
                    Some(Value::Map(entries)) => entries.retain(|(key, _)| key.as_str() != Some(last)),
                    _ => {}
                }
            }
            Some(_) => panic!("an element of a list has no reset"),
        }
    }
    if only.is_none() {
        let step = |seg: &Seg| match seg {
            Seg::Key(key) => RemoveStep::Item(Value::str(&**key)),
            Seg::Index(_) => panic!("an element of a list has no reset"),
        };
        let way: Vec<_> = std::iter::once(RemoveStep::Field(field.clone())).chain(inner.0.iter().map(step)).collect();
        let is_inside = |path: &RemovePath| {
            let same = |(step, way): (&RemoveStep, &RemoveStep)| match (step, way) {
                (RemoveStep::Field(name), RemoveStep::Item(key)) => key.as_str() == Some(name),
                (step, way) => step == way,
            };
            path.component == *component && path.steps.len() >= way.len() && path.steps.iter().zip(&way).all(same)
        };
        ops.remove.retain(|entry| !RemovePath::parse(entry).is_ok_and(|path| is_inside(&path)));
    }
}

/// Every part of a value that is reached by keys, the value itself first.
fn parts(value: &Value, path: &FieldPath, out: &mut Vec<FieldPath>) {
    out.push(path.clone());
    match value {
        Value::Struct(fields) => fields.iter().for_each(|(key, part)| parts(part, &path.key(key), out)),
        Value::Map(entries) => {
            entries.iter().for_each(|(key, part)| parts(part, &path.key(key.as_str().unwrap()), out));
        }
        _ => {}
    }
}

/// Another value of a type.
fn wanted(ty: &FieldType, now: &Value, seed: u64) -> Value {
    let n = |k: u64| (mix(seed) >> 20) % k;
    match (ty, now) {
        (FieldType::Float, _) => Value::Float(n(4) as f64),
        (FieldType::Int, _) => Value::Int(n(4) as i64),
        (FieldType::Enum(_), _) => sym(["Keep", "Horde", "Wild"][n(3) as usize]),
        (FieldType::Flags(_), _) => list(["World", "Actor", "Prop"].into_iter().skip(n(4) as usize).map(sym)),
        (FieldType::List(item), _) if **item == FieldType::Int => list((0..n(3)).map(|i| (i * n(7)) as i64)),
        (FieldType::List(_), _) => {
            let all = ["torch", "rope", "key", "bow", "torch"];
            list((0..n(4)).map(|i| all[(mix(seed ^ i) >> 20) as usize % all.len()]))
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            let mut entries = entries.clone();
            entries.retain(|(key, _)| mix(seed ^ key.as_str().unwrap().len() as u64) & 64 != 0);
            for (key, value) in &mut entries {
                *value = wanted(item, value, mix(seed ^ key.as_str().unwrap().len() as u64));
            }
            if n(3) == 0 && entries.iter().all(|(key, _)| key.as_str() != Some("hop")) {
                let clip = st([("frames", list([n(9) as i64])), ("secs", Value::Float(0.25))]);
                entries.push((Value::str("hop"), clip));
            }
            Value::Map(entries)
        }
        (FieldType::Struct(specs), Value::Struct(fields)) => {
            let one = |(name, value): (&Name, &Value)| {
                let other = mix(seed ^ name.len() as u64);
                let value = if other & 64 == 0 { value.clone() } else { wanted(&specs[name].ty, value, other) };
                (name.clone(), value)
            };
            Value::Struct(fields.iter().map(one).collect())
        }
        (_, Value::Float(_)) => Value::Float(n(4) as f64),
        (_, Value::Int(_)) => Value::Int(n(4) as i64),
        (_, other) => other.clone(),
    }
}

/// Of two states, only what has one field of one component may differ.
fn nothing_else_changed(before: &Values, after: &Values, (component, field): (&Name, &Name)) -> Result<(), String> {
    for (key @ (who, name), fields) in before {
        let Some(now) = after.get(key) else { return Err(format!("{who} lost {name}")) };
        for (other, value) in fields.iter().filter(|(other, _)| name != component || *other != field) {
            if now.get(other) != Some(value) {
                return Err(format!("{name}.{other} of {who} was {value} and is {:?}", now.get(other)));
            }
        }
    }
    after.keys().find(|key| !before.contains_key(*key)).map_or(Ok(()), |(who, name)| Err(format!("{who} got {name}")))
}

/// Every field of every owner: the owner, component, field, its type and value.
fn fields(project: &Project) -> Vec<(Owner, Name, Name, FieldType, levelwright::defs::ResolvedField)> {
    let resolution = fresh(project);
    let mut all = Vec::new();
    for owner in owners(project) {
        let Some(resolved) = resolved(project, &resolution, &owner) else { continue };
        for (component, of) in &resolved.components {
            for (field, it) in &of.fields {
                let ty = resolution.schema.field(component, field).map_or(FieldType::Any, |spec| spec.ty.clone());
                all.push((owner.clone(), component.clone(), field.clone(), ty, (**it).clone()));
            }
        }
    }
    all
}

fn after(project: &Project, edits: &[Edit]) -> Project {
    let mut project = project.clone();
    apply_all(&mut project, edits).unwrap();
    project
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn a_reset_field_is_what_it_is_when_its_owner_says_nothing_of_it(project in game()) {
        for (owner, component, field, _, it) in fields(&project) {
            let mut all = Vec::new();
            parts(&it.value, &FieldPath::root(), &mut all);
            for inner in all {
                let at = (&component, &field, &inner);
                let expected = with_ops(&project, &owner, |ops| forget(ops, at, None));
                let (owner, component, field) = (owner.clone(), component.clone(), field.clone());
                let edit = Edit::ClearValue { owner, op: None, component, field, inner };
                prop_assert_eq!(values(&after(&project, std::slice::from_ref(&edit))), values(&expected), "{:?}", edit);
            }
        }
    }

    #[test]
    fn an_operation_dropped_leaves_the_component_and_the_others(project in game()) {
        for (owner, component, field, _, it) in fields(&project) {
            let mut all = Vec::new();
            parts(&it.value, &FieldPath::root(), &mut all);
            for inner in all {
                for op in OpKind::VALUED {
                    let ops = ops_of(&project, &owner).unwrap();
                    if ops.declared(op, &component, &field).and_then(|said| said.at(&inner)).is_none() {
                        continue;
                    }
                    let expected = with_ops(&project, &owner, |ops| forget(ops, (&component, &field, &inner), Some(op)));
                    let (owner, component, field) = (owner.clone(), component.clone(), field.clone());
                    let edit = Edit::ClearValue { owner, op: Some(op), component, field, inner: inner.clone() };
                    prop_assert_eq!(values(&after(&project, std::slice::from_ref(&edit))), values(&expected), "{:?}", edit);
                }
            }
        }
    }

    #[test]
    fn a_field_has_the_wanted_value_and_nothing_else_changes(project in game(), seed: u64) {
        let before = values(&project);
        for (i, (owner, component, field, ty, it)) in (0..).zip(fields(&project)) {
            let wanted = wanted(&ty, &it.value, seed ^ i);
            let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &ty };
            let mut ways = vec![edits_for_value(&project, of, &it, &wanted)];
            if !matches!(wanted, Value::List(_) | Value::Map(_) | Value::Struct(_)) {
                ways.push(edits_for_drag(&project, of, &wanted));
            }
            for edits in ways {
                let now = values(&after(&project, &edits));
                let found = now.get(&(owner.name().clone(), component.clone())).and_then(|fields| fields.get(&field));
                prop_assert_eq!(found, Some(&sorted(&wanted)), "{}: {:?}", owner.name(), edits);
                prop_assert_eq!(nothing_else_changed(&before, &now, (&component, &field)), Ok(()), "{:?}", edits);
            }
        }
    }

    #[test]
    fn cells_said_otherwise_and_copied_fields_change_nothing_else(project in game(), seed: u64) {
        let before = values(&project);
        let resolution = fresh(&project);
        for (i, (owner, component, field, ty, it)) in (0..).zip(fields(&project)) {
            let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &ty };
            let mut plans: Vec<Vec<Edit>> = Vec::new();
            let by = [OpKind::Set, OpKind::Scale, OpKind::Add].map(|op| edits_for_operation(of, &it, op));
            plans.extend(by.into_iter().flatten());
            let Owner::Def { doc, name } = &owner else { continue };
            let at = (&component, &field);
            let down = copy_down(&project, &resolution, name, at, &followers(&project, &resolution, name, at, false));
            plans.extend(down.ok().flatten().map(|down| down.plan.edits));
            let mut all = Vec::new();
            if !matches!(it.value, Value::Map(_)) {
                parts(&it.value, &FieldPath::root(), &mut all);
            }
            for inner in all {
                let column = Column { component: component.clone(), field: field.clone(), inner };
                let cell = CellAt { doc: doc.clone(), name: name.clone(), column };
                let state = State { project: &project, builtin: &builtin(), resolution: &resolution };
                let Some(now) = state.value(&cell) else { continue };
                let wanted = wanted(&cell.column.spec(&resolution.schema).ty, now, seed ^ i);
                if let Ok(plan) = type_into(state, std::slice::from_ref(&cell), &cell_text(&wanted)) {
                    let now = after(&project, &plan.plan.edits);
                    let resolution = fresh(&now);
                    let state = State { project: &now, resolution: &resolution, ..state };
                    // No type says whether an undeclared number is whole.
                    let is_wanted = state.value(&cell).is_some_and(|it| sorted(it).is_like(&sorted(&wanted)));
                    prop_assert!(is_wanted, "{}: {:?} and not {}, {:?}", cell, state.value(&cell), wanted, plan);
                    plans.push(plan.plan.edits);
                }
            }
            for edits in plans {
                let now = values(&after(&project, &edits));
                prop_assert_eq!(nothing_else_changed(&before, &now, at), Ok(()), "{:?}", edits);
            }
        }
    }

    #[test]
    fn a_component_removed_is_gone_and_one_added_is_there(project in game()) {
        let resolution = fresh(&project);
        let names: Vec<Name> = ["Health", "Loot", "Sprite", "Shield", "Torch", "Wings"].map(Name::from).into();
        for owner in owners(&project) {
            for component in &names {
                let has = |project: &Project| {
                    resolved(project, &fresh(project), &owner).is_none_or(|it| it.has(component))
                };
                let add = Edit::AddComponent { owner: owner.clone(), component: component.clone() };
                let remove = Edit::RemoveComponent { owner: owner.clone(), component: component.clone() };
                if resolved(&project, &resolution, &owner).is_none() {
                    continue;
                }
                prop_assert!(has(&after(&project, std::slice::from_ref(&add))), "{:?}", add);
                let mut gone = project.clone();
                if apply(&mut gone, &remove).is_ok() {
                    prop_assert!(!has(&gone), "{:?}", remove);
                    prop_assert!(has(&after(&gone, std::slice::from_ref(&add))), "{:?} after it was removed", add);
                }
            }
        }
    }
}

fn owner(name: &str) -> Owner {
    Owner::Def { doc: path("entities/a.ron"), name: name.into() }
}

/// The edits that let a field of a definition have a value.
fn edits_to(project: &Project, who: &str, (component, field): (&str, &str), wanted: &Value) -> Vec<Edit> {
    let resolution = resolve(project, &builtin(), None);
    let ty = resolution.schema.field(component, field).unwrap().ty.clone();
    let of = FieldOf { owner: &owner(who), component: &component.into(), field: &field.into(), ty: &ty };
    edits_for_value(project, of, &resolution.defs[who].components[component].fields[field], wanted)
}

#[test]
fn a_component_that_one_operation_gives_stays_when_that_is_dropped() {
    let project = of_defs([
        ("d3", def(&[]).set("Loot", "gold", 1_i64)),
        ("d4", def(&["d3"]).remove("Loot").append("Loot", "items", list(["torch"]))),
        ("d5", def(&["d3"]).remove(" Loot ").append("Loot", "items", list(["torch"]))),
    ]);
    for who in ["d4", "d5"] {
        let edits = edits_to(&project, who, ("Loot", "items"), &list::<&str>([]));
        let now = fresh(&after(&project, &edits));
        assert_eq!(now.defs[who].get("Loot", "items"), Some(&list::<&str>([])), "{edits:?}");
        assert_eq!(now.defs[who].get("Loot", "gold"), Some(&Value::Int(0)), "{who} starts anew, as before");
        let now = fresh(&after(&project, &[Edit::clear(owner(who), "Loot", "items")]));
        assert_eq!(now.defs[who].get("Loot", "gold"), Some(&Value::Int(0)), "{who} after a reset");
    }
}

#[test]
fn a_component_is_added_though_its_removal_removed_nothing() {
    let project = of_defs([
        ("a", def(&[]).has("Shield")),
        ("b", def(&["a"]).remove("Shield")),
        ("lone", def(&[]).remove("Shield")),
        ("child", def(&["b"]).remove("Shield")),
        ("back", def(&["a"]).remove("Shield")),
    ]);
    for who in ["lone", "child", "back"] {
        let edit = Edit::AddComponent { owner: owner(who), component: "Shield".into() };
        let now = after(&project, &[edit]);
        assert!(fresh(&now).defs[who].has("Shield"), "{who}");
        let ops = ops_of(&now, &owner(who)).unwrap();
        assert!(ops.remove.is_empty() && ops.names("Shield") == (who != "back"), "{who}: {ops:?}");
    }
}

#[test]
fn what_a_component_of_its_own_lists_by_default_is_set_not_removed() {
    // `remove` comes before the operation that gives the component, so it finds nothing to take away.
    for def in [def(&[]).has("Loot"), def(&[]).scale("Loot", "gold", 2.0), def(&["a"]).remove("Loot").has("Loot")] {
        let project = of_defs([("a", crate::build::def(&[]).has("Loot")), ("d", def)]);
        let none = list::<Value>([]);
        let edits = edits_to(&project, "d", ("Loot", "layers"), &none);
        assert_eq!(fresh(&after(&project, &edits)).defs["d"].get("Loot", "layers"), Some(&none), "{edits:?}");
    }
}

#[test]
fn an_entry_of_a_map_that_one_part_gives_stays_when_that_is_reset() {
    let project = of_defs([
        ("base", def(&[]).set("Sprite", "clips", map([("walk", st([("secs", 0.5)]))]))),
        ("own", def(&["base"]).set("Sprite", "clips", map([("run", st([("secs", 0.5)]))]))),
        ("heir", def(&["base"]).set("Sprite", "clips", map([("walk", st([("secs", 0.7)]))]))),
    ]);
    let reset = |who: &str, key: &str| {
        let inner = FieldPath::keys([key, "secs"]);
        let edit =
            Edit::ClearValue { op: None, owner: owner(who), component: "Sprite".into(), field: "clips".into(), inner };
        after(&project, &[edit])
    };
    let now = reset("own", "run");
    let clips = fresh(&now).defs["own"].get("Sprite", "clips").unwrap().clone();
    assert_eq!(clips.at(&FieldPath::keys(["run", "secs"])), Some(&Value::Float(0.1)), "{clips}");
    let now = reset("heir", "walk");
    assert!(ops_of(&now, &owner("heir")).unwrap().is_empty(), "what is inherited anyway is not named");
}

/// `scale` comes between `set` and `append`: it acts on an entry that `set` gives and on none that `append` gives.
#[test]
fn an_entry_of_a_map_stays_by_the_operation_that_gives_it() {
    let clip = || map([("walk", st([("frames", list([7_i64]))]))]);
    let twice = || map([("walk", st([("secs", 2.0)]))]);
    let project = of_defs([
        ("set", def(&[]).set("Sprite", "clips", clip()).scale("Sprite", "clips", twice())),
        ("appended", def(&[]).append("Sprite", "clips", clip()).scale("Sprite", "clips", twice())),
    ]);
    for (who, secs) in [("set", 0.2), ("appended", 0.1)] {
        let inner = FieldPath::keys(["walk", "frames"]);
        let edit =
            Edit::ClearValue { op: None, owner: owner(who), component: "Sprite".into(), field: "clips".into(), inner };
        let now = fresh(&after(&project, &[edit]));
        let clips = now.defs[who].get("Sprite", "clips").unwrap();
        assert_eq!(clips.at(&FieldPath::keys(["walk", "secs"])), Some(&Value::Float(secs)), "{who}");
    }
}

#[test]
fn two_lists_in_one_map_are_appended_to_together() {
    let clips = |run: i64, walk: i64| {
        let clip = |frame: i64| st([("frames", list([frame])), ("secs", Value::Float(0.1))]);
        map([("run", clip(run)), ("walk", clip(walk))])
    };
    let project = of_defs([
        ("d0", def(&[]).set("Sprite", "clips", map([("walk", st([("frames", list([1_i64]))]))]))),
        ("d1", def(&["d0"]).set("Sprite", "clips", map([("run", st([("secs", 0.3)]))]))),
        ("d2", def(&["d1"])),
    ]);
    let edits = edits_to(&project, "d2", ("Sprite", "clips"), &clips(0, 0));
    let now = fresh(&after(&project, &edits));
    assert_eq!(now.defs["d2"].get("Sprite", "clips").map(sorted), Some(sorted(&clips(0, 0))), "{edits:?}");
}

#[test]
fn a_part_reset_takes_its_removals_back() {
    let clips = map([("walk", st([("frames", list([1_i64, 2]))])), ("run", st([("secs", 0.5)]))]);
    let project = of_defs([
        ("base", def(&[]).set("Sprite", "clips", clips)),
        ("heir", def(&["base"]).remove("Sprite.clips[\"walk\"].frames[1]").remove("Sprite.clips[\"run\"]")),
    ]);
    let inner = FieldPath::keys(["walk", "frames"]);
    let edit =
        Edit::ClearValue { op: None, owner: owner("heir"), component: "Sprite".into(), field: "clips".into(), inner };
    let now = after(&project, &[edit]);
    assert_eq!(ops_of(&now, &owner("heir")).unwrap().remove, ["Sprite.clips[\"run\"]"]);
}
