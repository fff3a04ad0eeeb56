//! Definitions: what is said for a change of a value, a part of it, or a component.

use super::*;

// ---- what each does ----

#[test]
fn values_are_said_in_part_and_reset() {
    let mut project = project();
    let ops = |project: &Project| project.def(&path("entities/all.ron"), "goblin").unwrap().ops.clone();
    let before = ops(&project);
    let inner = FieldPath::keys(["idle", "secs"]);
    let set = Edit::SetValue {
        owner: goblin(),
        op: OpKind::Set,
        component: name("Sprite"),
        field: name("clips"),
        inner: inner.clone(),
        value: number(0.2),
    };
    make(&mut project, &set);
    assert_eq!(ops(&project).declared(OpKind::Set, "Sprite", "clips").unwrap().to_string(), "(idle: (secs: 0.2))");
    make(
        &mut project,
        &Edit::SetValue {
            owner: goblin(),
            op: OpKind::Scale,
            component: name("Health"),
            field: name("max"),
            inner: FieldPath::root(),
            value: number(0.5),
        },
    );
    make(&mut project, &Edit::AddRemove { owner: goblin(), entry: "Health.max".into() });
    make(&mut project, &Edit::clear(goblin(), "Health", "max"));
    make(
        &mut project,
        &Edit::ClearValue { op: None, owner: goblin(), component: name("Sprite"), field: name("clips"), inner },
    );
    // No ancestor of goblin has a Sprite, so its name stays; Health's goes, and with it what was removed of it.
    let mut left = before;
    left.set.insert(name("Sprite"), Fields::new());
    assert_eq!(ops(&project), left);
}

#[test]
fn an_inherited_component_is_listed_as_removed_and_an_own_one_dropped() {
    let mut project = project();
    let ops = |project: &Project| project.def(&path("entities/all.ron"), "goblin").unwrap().ops.clone();
    let remove = |component: &str| Edit::RemoveComponent { owner: goblin(), component: name(component) };
    make(&mut project, &remove("Brain"));
    assert!(ops(&project).is_empty());
    make(&mut project, &remove("Health"));
    assert_eq!(ops(&project).remove, ["Health"]);
    make(&mut project, &Edit::AddComponent { owner: goblin(), component: name("Health") });
    assert!(ops(&project).is_empty(), "adding it again only takes the removal back");
    assert!(apply(&mut project, &remove("Wings")).is_err());
}

#[test]
fn a_part_of_an_inherited_value_is_set_with_as_little_said_as_possible() {
    let clip = FieldType::Struct(
        [
            (name("secs"), FieldSpec::of(FieldType::Float)),
            (name("frames"), FieldSpec::of(FieldType::List(Box::new(FieldType::Int)))),
        ]
        .into_iter()
        .collect(),
    );
    let clips = FieldType::Map(Box::new(clip));
    let inherited = Value::Map(vec![(
        "idle".into(),
        Value::Struct(fields(&[("secs", number(0.1)), ("frames", Value::List(vec![Value::Int(1), Value::Int(2)]))])),
    )]);
    let edit = |said: Option<&Value>, inner: FieldPath, value: Value| {
        let field = (name("Sprite"), name("clips"));
        let edit = declare_in_field((goblin(), OpKind::Set), field, &clips, (said, &inherited), &inner, value);
        let mut project = project();
        if let Some(said) = said {
            make(&mut project, &Edit::set(goblin(), "Sprite", "clips", said.clone()));
        }
        make(&mut project, &edit);
        project
            .def(&path("entities/all.ron"), "goblin")
            .unwrap()
            .ops
            .declared(OpKind::Set, "Sprite", "clips")
            .unwrap()
            .to_string()
    };
    let secs = FieldPath::keys(["idle", "secs"]);
    assert_eq!(edit(None, secs.clone(), number(0.2)), r#"{"idle": (secs: 0.2)}"#);
    let frame = FieldPath::keys(["idle", "frames"]).index(1);
    assert_eq!(edit(None, frame.clone(), Value::Int(9)), r#"{"idle": (frames: [1, 9])}"#);
    let said = Value::Map(vec![("idle".into(), Value::Struct(fields(&[("secs", number(0.3))])))]);
    assert_eq!(edit(Some(&said), secs, number(0.2)), r#"{"idle": (secs: 0.2)}"#);
    assert_eq!(edit(Some(&said), frame, Value::Int(9)), r#"{"idle": (secs: 0.3, frames: [1, 9])}"#);
    assert_eq!(
        edit(Some(&said), FieldPath::keys(["run", "secs"]), number(1.0)),
        r#"{"idle": (secs: 0.3), "run": (secs: 1.0)}"#
    );
}

#[test]
fn only_the_part_that_differs_is_said() {
    use levelwright::edit::set_to;
    use levelwright::model::{FieldSpec, FieldType};

    let field = |ty| FieldSpec::of(ty);
    let clip =
        FieldType::Struct([("secs".into(), field(FieldType::Float)), ("repeat".into(), field(FieldType::Bool))].into());
    let ty = FieldType::Map(Box::new(clip));
    let clips = |secs: f64| {
        let clip = Value::Struct([("secs".into(), Value::Float(secs)), ("repeat".into(), Value::Bool(true))].into());
        Value::Map(vec![(Value::str("walk"), clip.clone()), (Value::str("run"), clip)])
    };
    let mut changed = clips(0.1);
    if let Value::Map(entries) = &mut changed {
        entries[0].1 = Value::Struct([("secs".into(), Value::Float(0.2)), ("repeat".into(), Value::Bool(true))].into());
    }
    let doc = levelwright::model::DocPath::new("entities/a.ron").expect("a path");
    let owner = levelwright::edit::Owner::Def { doc, name: "goblin".into() };
    let at = (owner, "Sprite".into(), "clips".into());
    let project = levelwright::model::Project::default();
    let edits = set_to(&project, at.clone(), &ty, &clips(0.1), &changed);
    let [levelwright::edit::Edit::SetValue { value, .. }] = edits.as_slice() else { panic!("{edits:?}") };
    assert_eq!(value.to_string(), r#"{"walk": (secs: 0.2)}"#);
    assert_eq!(set_to(&project, at, &ty, &clips(0.1), &clips(0.1)), []);
}

#[test]
fn a_value_set_is_what_it_amounts_to_whatever_was_added_before() {
    use levelwright::edit::{apply_all, set_to};
    use levelwright::model::FieldType;

    let loaded = levelwright::io::load("sample_data".as_ref());
    let builtin = Builtin { schema: levelwright::io::builtin_schema(), tuning: levelwright::io::builtin_tuning() };
    let mut project = loaded.project;
    let resolve = |project: &Project| levelwright::defs::resolve(project, &builtin, None);
    let before = resolve(&project);
    let doc = before.def_docs["fast_goblin"].clone();
    let shown = before.defs["fast_goblin"].get("Body", "mass").expect("a mass").clone();
    let owner = levelwright::edit::Owner::Def { doc, name: "fast_goblin".into() };
    let at = (owner, "Body".into(), "mass".into());
    let edits = set_to(&project, at, &FieldType::Float, &shown, &Value::Float(23.5));
    apply_all(&mut project, &edits).expect("edits that apply");
    assert_eq!(resolve(&project).defs["fast_goblin"].f64("Body", "mass"), Some(23.5));
}
