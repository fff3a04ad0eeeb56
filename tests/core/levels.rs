//! Values moved to another level of the inheritance graph, or declared by another operation: the resolved values stay,
//! only the announced definitions change, and undo gives the same pointers back.

use std::{collections::BTreeMap, sync::Arc};

use levelwright::{
    defs::{Resolution, Resolved, resolve},
    edit::{Edit, Owner, apply_all},
    model::{Document, FieldPath, FieldType, Instance, Layer, LayerContent, Level, Name, OpKind, Project, Value},
    refactor::{
        CopyDown, FieldOf, ListRow, copy_down, edits_for_operation, edits_for_value, followers, inherited, list_rows,
        move_up, ops_of,
    },
};
use proptest::prelude::*;

use crate::{
    build::{Say, abstract_def, builtin, def, entities, list, map, of_defs, path, project, st},
    cases::cases,
    defs::fresh,
    defs_random::{Word, name, said, word},
    edit_paths::sorted,
};

fn owner(name: &str) -> Owner {
    Owner::Def { doc: path("entities/a.ron"), name: name.into() }
}

fn after(project: &Project, edits: &[Edit]) -> (Project, Resolution) {
    let mut project = project.clone();
    apply_all(&mut project, edits).unwrap();
    let resolution = fresh(&project);
    (project, resolution)
}

fn value(resolution: &Resolution, def: &str, component: &str, field: &str) -> String {
    resolution.defs[def].get(component, field).map_or("-".into(), Value::to_string)
}

/// `monster` → `goblin` → (`boss`, `runt` → `pup`), and an `imp` of another family.
fn game() -> Project {
    of_defs([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0).set("Loot", "items", list(["torch", "rope"]))),
        ("goblin", def(&["monster"]).set("Body", "mass", 30.0)),
        ("boss", def(&["goblin"]).set("Health", "max", 90.0).append("Loot", "items", list(["crown"]))),
        ("runt", def(&["goblin"]).scale("Health", "max", 0.5).remove("Loot.items[\"torch\"]")),
        ("pup", def(&["runt"]).add("Health", "max", 1.0)),
        ("imp", def(&[]).set("Health", "max", 3.0)),
    ])
}

fn moved(from: &str, field: (&str, &str), to: &str) -> Result<(Resolution, Vec<String>, Project), String> {
    let project = game();
    let resolution = fresh(&project);
    let field = (&Name::from(field.0), &Name::from(field.1));
    let found = move_up(&project, &resolution, &owner(from), field, &to.into())?;
    let (project, resolution) = after(&project, &found.plan.edits);
    Ok((resolution, found.changed.iter().map(ToString::to_string).collect(), project))
}

#[test]
fn a_set_value_moves_up_and_its_siblings_follow() {
    let (now, changed, project) = moved("boss", ("Health", "max"), "goblin").unwrap();
    let max = |def: &str| value(&now, def, "Health", "max");
    assert_eq!(
        [max("monster"), max("goblin"), max("boss"), max("runt"), max("pup")],
        ["20.0", "90.0", "90.0", "45.0", "46.0"]
    );
    assert_eq!(changed, ["goblin", "pup", "runt"], "exactly the announced definitions change");
    let boss = ops_of(&project, &owner("boss")).unwrap();
    assert!(boss.declared(OpKind::Set, "Health", "max").is_none(), "it is not declared here any more");

    let (now, changed, _) = moved("boss", ("Health", "max"), "monster").unwrap();
    assert_eq!(value(&now, "monster", "Health", "max"), "90.0");
    assert_eq!(changed, ["goblin", "monster", "pup", "runt"]);
}

#[test]
fn operations_move_up_as_what_they_are() {
    let (now, _, project) = moved("runt", ("Health", "max"), "goblin").unwrap();
    let goblin = ops_of(&project, &owner("goblin")).unwrap();
    assert_eq!(goblin.declared(OpKind::Scale, "Health", "max"), Some(&Value::Float(0.5)));
    assert_eq!(value(&now, "runt", "Health", "max"), "10.0");

    let (now, _, project) = moved("pup", ("Health", "max"), "runt").unwrap();
    let runt = ops_of(&project, &owner("runt")).unwrap();
    let word = |op| runt.declared(op, "Health", "max").map(ToString::to_string);
    assert_eq!((word(OpKind::Scale), word(OpKind::Add)), (Some("0.5".into()), Some("1.0".into())));
    assert_eq!(value(&now, "pup", "Health", "max"), "11.0");

    let (now, _, project) = moved("boss", ("Loot", "items"), "monster").unwrap();
    assert_eq!(value(&now, "boss", "Loot", "items"), "[\"torch\", \"rope\", \"crown\"]");
    let monster = ops_of(&project, &owner("monster")).unwrap();
    assert_eq!(monster.declared(OpKind::Append, "Loot", "items"), Some(&list(["crown"])));
    // What the ancestor itself lists is not appended and then taken away there, but no longer listed.
    let (now, _, project) = moved("runt", ("Loot", "items"), "monster").unwrap();
    assert_eq!(value(&now, "runt", "Loot", "items"), "[\"rope\"]");
    assert_eq!(
        ops_of(&project, &owner("monster")).unwrap().declared(OpKind::Set, "Loot", "items"),
        Some(&list(["rope"]))
    );
}

#[test]
fn what_cannot_move_says_why() {
    for (from, field, to, why) in [
        ("goblin", ("Health", "max"), "monster", "goblin does not declare Health.max itself"),
        ("boss", ("Health", "max"), "imp", "imp is no ancestor of boss"),
        ("boss", ("Health", "max"), "boss", "boss is no ancestor of boss"),
        ("pup", ("Health", "max"), "goblin", "runt is nearer than goblin and declares Health.max too"),
    ] {
        assert_eq!(moved(from, field, to).unwrap_err(), why);
    }
}

#[test]
fn a_placed_entity_gives_its_value_to_its_definition() {
    let mut project = game();
    let layer = |id: &str, it: Instance| {
        let all = [(id.into(), Arc::new(it))].into();
        Level { layers: vec![Arc::new(Layer::new("actors".into(), LayerContent::Entities(all)))], ..Level::default() }
    };
    let placed = layer("a1", Instance::new("goblin".into(), [0.0; 2]).set("Health", "max", 7.0));
    project.documents.insert(path("levels/one.ron"), Arc::new(Document::Level(placed)));
    let resolution = fresh(&project);
    let owner = Owner::Instance { doc: path("levels/one.ron"), layer: "actors".into(), id: "a1".into() };
    let found = move_up(&project, &resolution, &owner, (&"Health".into(), &"max".into()), &"goblin".into()).unwrap();
    let (project, now) = after(&project, &found.plan.edits);
    assert_eq!(value(&now, "goblin", "Health", "max"), "7.0");
    assert!(ops_of(&project, &owner).unwrap().is_empty());
    assert_eq!(found.changed.iter().map(|name| &**name).collect::<Vec<_>>(), ["goblin", "pup", "runt"]);
}

#[test]
fn what_no_schema_declares_moves_like_the_rest() {
    let project = of_defs([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0)),
        ("goblin", def(&["monster"]).set("Zeal", "burn", 3.0).set("Zeal", "kind", 1.0)),
    ]);
    let resolution = fresh(&project);
    let field = (&Name::from("Zeal"), &Name::from("burn"));
    let found = move_up(&project, &resolution, &owner("goblin"), field, &"monster".into()).unwrap();
    let (_, now) = after(&project, &found.plan.edits);
    assert_eq!(value(&now, "monster", "Zeal", "burn"), "3.0");
    assert_eq!(value(&now, "goblin", "Zeal", "burn"), "3.0");
}

#[test]
fn parts_of_maps_move_beside_those_that_are_there() {
    let clip = |n: i64| st([("frames", list([n]))]);
    let project = of_defs([
        ("goblin", def(&[]).set("Sprite", "clips", map([("walk", clip(1))]))),
        ("fast", def(&["goblin"]).set("Sprite", "clips", map([("run", clip(2))]))),
        ("late", def(&["goblin"])),
    ]);
    let resolution = fresh(&project);
    let field = (&"Sprite".into(), &"clips".into());
    let found = move_up(&project, &resolution, &owner("fast"), field, &"goblin".into()).unwrap();
    let (_, now) = after(&project, &found.plan.edits);
    assert_eq!(value(&now, "late", "Sprite", "clips"), value(&now, "fast", "Sprite", "clips"));
    assert_eq!(value(&now, "fast", "Sprite", "clips"), value(&resolution, "fast", "Sprite", "clips"));
}

#[test]
fn copies_do_not_follow_any_more() {
    let project = game();
    let resolution = fresh(&project);
    let field = (&Name::from("Health"), &Name::from("max"));
    let children = followers(&project, &resolution, &"goblin".into(), field, true);
    assert_eq!(children.iter().map(|name| &**name).collect::<Vec<_>>(), ["runt"], "the boss has its own");
    let all = followers(&project, &resolution, &"goblin".into(), field, false);
    let CopyDown { plan, declared, .. } = copied(&project, &resolution, "goblin", field, &all);
    assert_eq!(declared, all);
    let (project, now) = after(&project, &plan.edits);
    assert_eq!(now.defs["pup"].f64("Health", "max"), resolution.defs["pup"].f64("Health", "max"));
    let (_, later) = after(&project, &[Edit::set(owner("goblin"), "Health", "max", Value::Float(1.0))]);
    assert_eq!(value(&later, "runt", "Health", "max"), "10.0");
    assert_eq!(value(&later, "pup", "Health", "max"), "11.0");
    let again = copy_down(&project, &now, &"goblin".into(), field, &all);
    assert!(again.unwrap().is_none(), "there is nothing left to copy");
}

#[test]
fn a_list_is_said_by_what_differs_from_the_inherited_one() {
    let project = game();
    let resolution = fresh(&project);
    let ty = FieldType::List(Box::new(FieldType::Str));
    let (component, field) = ("Loot".into(), "items".into());
    // The definition, the wanted list, and what is then appended, removed and set.
    for (who, wanted, expected) in [
        ("goblin", vec!["torch", "rope", "key"], (Some("[\"key\"]"), vec![], None)),
        ("goblin", vec!["rope"], (None, vec!["Loot.items[\"torch\"]"], None)),
        ("goblin", vec!["rope", "key"], (Some("[\"key\"]"), vec!["Loot.items[\"torch\"]"], None)),
        ("goblin", vec!["rope", "torch"], (None, vec![], Some("[\"rope\", \"torch\"]"))),
        ("goblin", vec!["torch"], (None, vec!["Loot.items[\"rope\"]"], None)),
        ("boss", vec!["torch", "rope"], (None, vec![], None)),
        ("boss", vec!["rope", "crown"], (Some("[\"crown\"]"), vec!["Loot.items[\"torch\"]"], None)),
        ("runt", vec!["torch", "rope"], (None, vec![], None)),
        // What was taken away is appended like anything else; the rest follows as before.
        ("runt", vec!["rope", "torch"], (Some("[\"torch\"]"), vec!["Loot.items[\"torch\"]"], None)),
        ("runt", vec!["rope", "key", "torch"], (Some("[\"key\", \"torch\"]"), vec!["Loot.items[\"torch\"]"], None)),
        ("runt", vec![], (None, vec!["Loot.items[\"torch\"]", "Loot.items[\"rope\"]"], None)),
        ("monster", vec!["torch"], (None, vec![], Some("[\"torch\"]"))),
    ] {
        let owner = owner(who);
        let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &ty };
        let now = &resolution.defs[who].components["Loot"].fields["items"];
        let edits = edits_for_value(&project, of, now, &list(wanted.clone()));
        let (project, resolution) = after(&project, &edits);
        assert_eq!(value(&resolution, who, "Loot", "items"), list(wanted.clone()).to_string(), "{who}");
        let ops = ops_of(&project, &owner).unwrap();
        let word = |op| ops.declared(op, "Loot", "items").map(ToString::to_string);
        let found = (word(OpKind::Append), ops.remove.clone(), word(OpKind::Set));
        let (append, remove, set) = expected;
        let remove: Vec<String> = remove.into_iter().map(str::to_owned).collect();
        assert_eq!(found, (append.map(str::to_owned), remove, set.map(str::to_owned)), "{who} {wanted:?}");
    }
}

#[test]
fn a_list_is_told_apart_by_who_says_its_elements() {
    let project = game();
    let resolution = fresh(&project);
    let ty = FieldType::List(Box::new(FieldType::Str));
    let rows = |who: &str| -> Option<String> {
        let owner = owner(who);
        let of = FieldOf { owner: &owner, component: &"Loot".into(), field: &"items".into(), ty: &ty };
        let rows =
            list_rows(&project, of, &resolution.defs[who].components["Loot"].fields["items"], &FieldPath::root())?;
        let one = |row: &ListRow<'_>| match row {
            ListRow::Inherited(at, it) => format!("{at}:{it}"),
            ListRow::Removed(it) => format!("-{it}"),
            ListRow::Added(at, it) => format!("{at}+{it}"),
        };
        Some(rows.iter().map(one).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(rows("monster"), None, "it says the whole of it");
    assert_eq!(rows("boss").as_deref(), Some("0:\"torch\" 1:\"rope\" 2+\"crown\""));
    assert_eq!(rows("runt").as_deref(), Some("-\"torch\" 0:\"rope\""));
}

#[test]
fn a_number_is_said_otherwise_and_stays() {
    let project = game();
    let resolution = fresh(&project);
    let (component, field) = ("Health".into(), "max".into());
    for (who, op, operand) in [
        ("boss", OpKind::Scale, "4.5"),
        ("boss", OpKind::Add, "70.0"),
        ("runt", OpKind::Set, "10.0"),
        ("runt", OpKind::Add, "-10.0"),
        ("pup", OpKind::Scale, "1.1"),
    ] {
        let owner = owner(who);
        let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &FieldType::Float };
        let edits = edits_for_operation(of, &resolution.defs[who].components["Health"].fields["max"], op).unwrap();
        let (project, now) = after(&project, &edits);
        assert_eq!(value(&now, who, "Health", "max"), value(&resolution, who, "Health", "max"), "{who}");
        let said = ops_of(&project, &owner).unwrap().declared(op, "Health", "max").unwrap();
        assert_eq!(said.to_string(), operand, "{who} {op:?}");
    }
}

#[test]
fn a_number_said_otherwise_is_the_same_to_the_last_digit() {
    let (component, field) = ("Health".into(), "max".into());
    let mut n_declared = 0;
    for (before, value) in [(30.0, 20.0), (0.1, 0.3), (3.0, 0.1), (7.0, 1e-3), (49.0, 1.0), (0.7, 0.49), (1e9, 0.1)] {
        let project = of_defs([
            ("monster", def(&[]).set("Health", "max", before)),
            ("goblin", def(&["monster"]).set("Health", "max", value)),
        ]);
        let resolution = fresh(&project);
        let owner = owner("goblin");
        let of = FieldOf { owner: &owner, component: &component, field: &field, ty: &FieldType::Float };
        let found = &resolution.defs["goblin"].components["Health"].fields["max"];
        for op in [OpKind::Scale, OpKind::Add] {
            // What cannot be declared exactly is not offered.
            let Ok(edits) = edits_for_operation(of, found, op) else { continue };
            let (_, now) = after(&project, &edits);
            assert_eq!(now.defs["goblin"].f64("Health", "max"), Some(value), "{before} {op:?}");
            n_declared += 1;
        }
    }
    assert!(n_declared >= 8, "{n_declared}");
}

/// Families of up to seven, each mostly after its parents.
pub(crate) fn family() -> impl Strategy<Value = Project> {
    let one = (prop::collection::vec(0..7_u8, 0..3), prop::collection::vec(word(), 0..4));
    prop::collection::vec(one, 2..8).prop_map(|all: Vec<(Vec<u8>, Vec<Word>)>| {
        let mut file = levelwright::model::EntitiesFile::default();
        for (i, (parents, words)) in (0_u8..).zip(&all) {
            let mut parents: Vec<u8> = parents.iter().filter(|p| **p < i).copied().collect();
            parents.sort_by(|a, b| b.cmp(a));
            parents.dedup();
            file.defs.insert(name(i), Arc::new(said(&parents, words, false)));
        }
        project([("entities/a.ron", Document::Entities(file))])
    })
}

fn near(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a.and_then(Value::as_f64), b.and_then(Value::as_f64)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => a.map(sorted) == b.map(sorted),
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn who_gives_a_value_away_keeps_it(project in family()) {
        let before = fresh(&project);
        for (component, field) in [("Health", "max"), ("Loot", "gold"), ("Loot", "items"), ("Sprite", "clips")] {
            for (def, resolved) in &before.defs {
                for to in resolved.order.iter() {
                    let at = (&Name::from(component), &Name::from(field));
                    let Ok(found) = move_up(&project, &before, &owner(def), at, to) else { continue };
                    let (next, now) = after(&project, &found.plan.edits);
                    prop_assert!(near(resolved.get(component, field), now.defs[def].get(component, field)), "{} to {}", def, to);
                    let own = ops_of(&next, &owner(def)).unwrap();
                    prop_assert!(OpKind::VALUED.iter().all(|op| own.declared(*op, component, field).is_none()));
                    for (other, was) in &before.defs {
                        let same = was.get(component, field) == now.defs[other].get(component, field);
                        let is_told = other == def || same != found.changed.contains(other);
                        prop_assert!(is_told, "{} to {}: {} of {:?}", def, to, other, found.changed);
                    }
                    // Files not named by an edit keep their pointers, and so does everything when the step is undone.
                    let mut history = levelwright::edit::History::default();
                    let mut done = next.clone();
                    history.record(found.plan.label, &project, &next);
                    history.undo(&mut done, None).unwrap();
                    for (path, doc) in &project.documents {
                        prop_assert!(Arc::ptr_eq(doc, &done.documents[path]));
                    }
                }
            }
        }
    }

    #[test]
    fn a_list_comes_to_what_was_wanted(
        project in family(),
        wanted in prop::collection::vec(prop::sample::select(vec!["torch", "rope", "key", "bow"]), 0..5),
    ) {
        let before = fresh(&project);
        let ty = FieldType::List(Box::new(FieldType::Str));
        let at = ("Loot".into(), "items".into());
        for (def, resolved) in &before.defs {
            let Some(field) = resolved.components.get("Loot").map(|loot| &loot.fields["items"]) else { continue };
            let owner = owner(def);
            let of = FieldOf { owner: &owner, component: &at.0, field: &at.1, ty: &ty };
            let edits = edits_for_value(&project, of, field, &list(wanted.clone()));
            let (next, now) = after(&project, &edits);
            let wanted = list(wanted.clone());
            prop_assert_eq!(now.defs[def].get("Loot", "items"), Some(&wanted), "{}: {:?}", def, edits);
            // What is shown of it is the whole of it, in order.
            let field = &now.defs[def].components["Loot"].fields["items"];
            if let Some(rows) = list_rows(&next, of, field, &FieldPath::root()) {
                let places: Vec<usize> = rows.iter().filter_map(|row| match row {
                    ListRow::Inherited(at, _) | ListRow::Added(at, _) => Some(*at),
                    ListRow::Removed(_) => None,
                }).collect();
                prop_assert_eq!(places, (0..wanted.as_list().unwrap().len()).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_map_comes_to_what_was_wanted(
        project in family(),
        wanted in prop::collection::btree_map(prop::sample::select(vec!["walk", "run", "hop"]), 0..3_i64, 0..4),
    ) {
        let before = fresh(&project);
        let ty = before.schema.field("Sprite", "clips").unwrap().ty.clone();
        let clip = |n: i64| st([("frames", list([n])), ("secs", Value::Float(0.1))]);
        let wanted: Vec<(&str, Value)> = wanted.into_iter().map(|(key, n)| (key, clip(n))).collect();
        let sorted = |value: &Value| {
            let Value::Map(entries) = value else { panic!("a map") };
            let mut all: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            all.sort();
            all
        };
        for (def, resolved) in &before.defs {
            let Some(field) = resolved.components.get("Sprite").map(|it| &it.fields["clips"]) else { continue };
            let owner = owner(def);
            let of = FieldOf { owner: &owner, component: &"Sprite".into(), field: &"clips".into(), ty: &ty };
            // Every entry that is there and wanted is left in its place, as an editor does.
            let kept: Vec<(&str, Value)> = wanted.clone();
            let edits = edits_for_value(&project, of, field, &map(kept));
            let (_, now) = after(&project, &edits);
            let found = now.defs[def].get("Sprite", "clips").unwrap();
            prop_assert_eq!(sorted(found), sorted(&map(wanted.clone())), "{}: {:?}", def, edits);
        }
    }

    #[test]
    fn a_number_said_otherwise_comes_to_the_same(project in family()) {
        let before = fresh(&project);
        for (def, resolved) in &before.defs {
            for op in [OpKind::Set, OpKind::Scale, OpKind::Add] {
                let Some(field) = resolved.components.get("Health").map(|health| &health.fields["max"]) else { continue };
                let owner = owner(def);
                let of = FieldOf { owner: &owner, component: &"Health".into(), field: &"max".into(), ty: &FieldType::Float };
                prop_assert!(inherited(field, &owner).is_some());
                let Ok(edits) = edits_for_operation(of, field, op) else { continue };
                let (_, now) = after(&project, &edits);
                prop_assert!(near(resolved.get("Health", "max"), now.defs[def].get("Health", "max")), "{} by {:?}", def, op);
            }
        }
    }

    #[test]
    fn copies_keep_their_values(project in family()) {
        keeps_values_when_copied(&project)?;
    }
}

fn copied(project: &Project, resolution: &Resolution, from: &str, field: (&Name, &Name), to: &[Name]) -> CopyDown {
    copy_down(project, resolution, &from.into(), field, to).unwrap().unwrap()
}

/// The components of a definition with the values of their fields, in the order of names.
fn values_of(def: &Resolved) -> BTreeMap<&Name, BTreeMap<&Name, Value>> {
    let of = |component| def.components[component].fields.iter().map(|(name, field)| (name, sorted(&field.value)));
    def.components.keys().map(|component| (component, of(component).collect())).collect()
}

/// Copying a value down changes no definition, and a change further up no longer reaches the copies.
fn keeps_values_when_copied(project: &Project) -> Result<(), TestCaseError> {
    let before = resolve(project, &builtin(), None);
    for (component, field) in [("Health", "max"), ("Loot", "items")] {
        let at = (&Name::from(component), &Name::from(field));
        for (def, only_children) in before.defs.keys().flat_map(|def| [(def, false), (def, true)]) {
            let all = followers(project, &before, def, at, only_children);
            let Ok(Some(copied)) = copy_down(project, &before, def, at, &all) else { continue };
            let (next, now) = after(project, &copied.plan.edits);
            for (other, was) in &before.defs {
                prop_assert_eq!(values_of(was), values_of(&now.defs[other]), "{}", other);
            }
            let other = if component == "Health" { Value::Float(77.0) } else { list(["cake"]) };
            let (_, later) = after(&next, &[Edit::set(owner(def), component, field, other)]);
            for child in &all {
                prop_assert_eq!(now.defs[child].get(component, field), later.defs[child].get(component, field));
            }
        }
    }
    Ok(())
}

/// `shop` has the value of `shelf`. A copy in `store`, which applies after `shelf`, would override it there.
#[test]
fn a_copy_does_not_override_another_parent_of_a_descendant() {
    let project = of_defs([
        ("base", def(&[])),
        ("shelf", def(&["base"]).set("Loot", "items", list(["torch", "rope"]))),
        ("store", def(&["base"]).set("Loot", "gold", 0_i64)),
        ("shop", def(&["store", "shelf"])),
        ("stall", def(&["shop"]).append("Loot", "items", list(["key"]))),
    ]);
    keeps_values_when_copied(&project).unwrap();
    let resolution = fresh(&project);
    let field = (&Name::from("Loot"), &Name::from("items"));
    let all = followers(&project, &resolution, &"base".into(), field, false);
    assert_eq!(all, ["store".into()], "the others have the value of shelf");
    let CopyDown { plan, declared, .. } = copied(&project, &resolution, "base", field, &all);
    assert_eq!(declared, ["store".into(), "shop".into()], "the stall keeps following the shop");
    assert_eq!(plan.label, "Copy Loot.items of base down to 2 definitions");
    let (_, now) = after(&project, &plan.edits);
    assert_eq!(value(&now, "shop", "Loot", "items"), r#"["torch", "rope"]"#);
    assert_eq!(value(&now, "stall", "Loot", "items"), r#"["torch", "rope", "key"]"#);
}

/// `ghost` has no Health, as `spirit` removes it. A copy in `goblin`, which applies after `spirit`, would add it.
#[test]
fn a_copy_does_not_add_a_component_that_another_parent_removes() {
    let project = of_defs([
        ("monster", def(&[]).scale("Health", "max", 0.5)),
        ("spirit", def(&["monster"]).remove("Health")),
        ("goblin", def(&["monster"])),
        ("ghost", def(&["goblin", "spirit"])),
    ]);
    keeps_values_when_copied(&project).unwrap();
    let resolution = fresh(&project);
    let field = (&Name::from("Health"), &Name::from("max"));
    let CopyDown { plan, declared, removed } = copied(&project, &resolution, "monster", field, &["goblin".into()]);
    assert_eq!(declared, ["goblin".into()]);
    assert_eq!(removed, ["ghost".into()]);
    assert_eq!(plan.label, "Copy Health.max of monster down to goblin");
    let (project, now) = after(&project, &plan.edits);
    assert!(!now.defs["ghost"].has("Health"));
    assert_eq!(ops_of(&project, &owner("ghost")).unwrap().remove, ["Health"]);
}

/// `wraith` has `knight`'s Health, which applies before `ghost`: what keeps the copy out of `ghost` would remove that,
/// too.
#[test]
fn a_copy_keeps_the_other_fields_of_its_component() {
    let project = of_defs([
        ("monster", def(&[]).scale("Health", "max", 0.5)),
        ("spirit", def(&["monster"]).remove("Health")),
        ("goblin", def(&["monster"])),
        ("knight", def(&["spirit"]).set("Health", "lives", 7_i64)),
        ("ghost", def(&["goblin", "spirit"])),
        ("wraith", def(&["ghost", "knight"])),
    ]);
    keeps_values_when_copied(&project).unwrap();
    let resolution = fresh(&project);
    let field = (&Name::from("Health"), &Name::from("max"));
    let CopyDown { plan, declared, removed } = copied(&project, &resolution, "monster", field, &["goblin".into()]);
    assert_eq!(declared, ["goblin".into(), "wraith".into()]);
    assert_eq!(removed, ["ghost".into()]);
    let (_, now) = after(&project, &plan.edits);
    assert_eq!(value(&now, "wraith", "Health", "lives"), "7");
}

/// What is set of a map is merged, so a copy in `store` adds the entry to `shop` that `shelf` removes, and `set` cannot
/// take it away.
#[test]
fn a_copied_map_adds_nothing_to_a_descendant() {
    let packs = |entries: &[&'static str]| map(entries.iter().map(|name| (*name, st([("size", 2_i64)]))));
    let project = of_defs([
        ("base", def(&[]).set("Kit", "packs", packs(&["bag", "box"]))),
        ("shelf", def(&["base"]).remove("Kit.packs[\"bag\"]")),
        ("store", def(&["base"])),
        ("shop", def(&["store", "shelf"])),
    ]);
    let resolution = fresh(&project);
    let field = (&Name::from("Kit"), &Name::from("packs"));
    let CopyDown { plan, .. } = copied(&project, &resolution, "base", field, &["store".into()]);
    let (_, now) = after(&project, &plan.edits);
    assert_eq!(values_of(&now.defs["shop"]), values_of(&resolution.defs["shop"]));
}

#[test]
fn nothing_is_there_without_a_definition() {
    let project = project([("entities/a.ron", entities([("a", def(&["lost"]).set("Health", "max", 1.0))]))]);
    let resolution = fresh(&project);
    let found = move_up(&project, &resolution, &owner("a"), (&"Health".into(), &"max".into()), &"lost".into());
    assert!(found.is_err());
}
