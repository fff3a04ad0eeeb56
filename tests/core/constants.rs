//! Making, describing, ordering and renaming constants and their pages; and the same of what schemas declare.

use levelwright::{
    edit::{Constants, Edit, apply_all, declared_constant, field_types, optional_number, reorder_pages, retyped},
    io,
    model::*,
};

use crate::build::path;

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

fn sample() -> Project {
    io::load("sample_data".as_ref()).project
}

/// Do what `plan` says with the constants of the sample; its label, and the project after.
fn made(
    plan: impl FnOnce(Constants<'_>) -> Result<(String, Vec<Edit>), levelwright::edit::Refusal>,
) -> (String, Project) {
    let (mut project, builtin) = (sample(), builtin());
    let (label, edits) = plan(Constants { project: &project, builtin: &builtin, schema: &builtin.schema }).unwrap();
    apply_all(&mut project, &edits).unwrap();
    (label, project)
}

fn refused<T: std::fmt::Debug>(plan: impl FnOnce(Constants<'_>) -> Result<T, levelwright::edit::Refusal>) -> String {
    let (project, builtin) = (sample(), builtin());
    plan(Constants { project: &project, builtin: &builtin, schema: &builtin.schema }).unwrap_err().to_string()
}

#[test]
fn a_new_number_begins_within_its_range() {
    let it = Tunable { min: Some(5.0), max: Some(9.0), unit: Some(" hp ".into()), ..Tunable::of(1.0) };
    let (label, project) = made(|all| all.add(&"Combat".into(), " reach ", &it));
    assert_eq!(label, "Add Combat.reach");
    let (doc, tunable) = declared_constant(&project, "Combat.reach").unwrap();
    assert_eq!((doc.as_str(), &tunable.value, tunable.unit.as_deref()), ("tuning/combat.ron", &5.0.into(), Some("hp")));
    let whole = Tunable { max: Some(-1.6), ..Tunable::of(Value::Int(1)) };
    let (_, project) = made(|all| all.add(&"Steering".into(), "low", &whole));
    let (doc, tunable) = declared_constant(&project, "Steering.low").unwrap();
    assert_eq!(tunable.value, Value::Int(-2), "a page without a file gets one");
    assert_eq!(project.tuning(doc).unwrap().page, "Steering".into());
}

#[test]
fn a_built_in_constant_says_only_what_is_another() {
    let builtin = builtin();
    let page = builtin.tuning.iter().find(|it| &*it.page == "Steering").unwrap();
    let (name, known) = page.values.iter().find(|(_, it)| it.max.is_some()).unwrap();
    let same = Tunable { max: known.max.map(|max| max + 1.0), ..known.clone() };
    let (label, project) = made(|all| all.describe(&page.page, name, name, &same));
    assert_eq!(label, format!("Describe Steering.{name}"));
    let (_, own) = declared_constant(&project, &format!("Steering.{name}")).unwrap();
    assert_eq!((own.max, own.min, own.step, &*own.doc), (same.max, None, None, ""));
    let why = refused(|all| all.describe(&page.page, name, "other", &same));
    assert_eq!(why, "a built-in constant keeps its name");
}

#[test]
fn what_cannot_be_a_constant_says_why() {
    let page: Name = "Combat".into();
    let it = Tunable::of(1.0);
    for (name, it, why) in [
        (" ", &it, "a constant needs a name"),
        ("a.b", &it, "a constant's name has no dot, which separates it from its page"),
        ("player_damage", &it, "there is already a constant `player_damage` on this page"),
        ("x", &Tunable { min: Some(2.0), max: Some(1.0), ..it.clone() }, "the smallest value is above the largest"),
    ] {
        assert_eq!(refused(|all| all.add(&page, name, it)), why);
    }
    for (title, why) in [
        ("", "a page needs a name"),
        ("a.b", "a constant's name has no dot, which separates it from its page"),
        ("Combat", "there is already a page `Combat`"),
        ("Physics", "there is already a page `Physics`"),
    ] {
        assert_eq!(refused(|all| all.add_page(title)), why);
    }
    assert_eq!(refused(|all| all.rename_page(&"Camera".into(), "Lens")), "`Camera` is built in and keeps its name");
    assert_eq!(refused(|all| all.rename_page(&"Nowhere".into(), "x")), "there is no page `Nowhere`");
    assert_eq!(refused(|all| all.rename_page(&page, "Physics")), "there is already a page `Physics`");
}

#[test]
fn a_renamed_page_takes_its_uses_along_and_keeps_its_own_short_names() {
    let feel = path("tuning/feel.ron");
    let read = |at: &DocPath, text: &str| {
        let (document, findings) = io::load_one(at, text);
        assert!(findings.is_empty(), "{findings:?}");
        document.unwrap().into()
    };
    let mut project = Project::default();
    project.documents.insert(
        feel.clone(),
        read(
            &feel,
            r#"(page: "Feel", values: {
                "rate": (value: 3.0, response: Decay(rate: "rate")),
                "other": (value: 1.0, response: Ease(secs: "Feel.rate")),
            })"#,
        ),
    );
    let rest = path("tuning/rest.ron");
    project.documents.insert(rest.clone(), read(&rest, r#"(page: "Feel", values: { "more": (value: 3.0) })"#));
    let game = path("schemas/game.ron");
    let schema = r#"(components: { "Gain": (fields: { "by": (type: Tunable, default: "Feel.rate") }) })"#;
    project.documents.insert(game.clone(), read(&game, schema));
    let defs = path("entities/a.ron");
    project.documents.insert(defs.clone(), read(&defs, r#"{ "a": (set: (Gain: (by: "Feel.other"))) }"#));
    let known = builtin();
    let schema = project.get::<Schema>(&game).unwrap().clone();
    let edit = Constants { project: &project, builtin: &known, schema: &schema }.rename_page(&"Feel".into(), "Touch");
    let edit = edit.unwrap();
    assert_eq!(edit.label(), "Rename page Feel to Touch");
    apply_all(&mut project, &[edit]).unwrap();
    let text = |at: &DocPath| io::text_of(project.doc(at).unwrap(), None);
    assert!(text(&feel).contains("page: \"Touch\"") && text(&rest).contains("page: \"Touch\""), "in every file of it");
    assert!(text(&feel).contains("Decay(rate: \"rate\")") && text(&feel).contains("Ease(secs: \"Touch.rate\")"));
    assert!(text(&defs).contains("Touch.other"), "{}", text(&defs));
}

fn page(name: &str, order: i64, is_file: bool) -> (Name, i64, Option<DocPath>) {
    (name.into(), order, is_file.then(|| path(&format!("tuning/{}.ron", name.to_lowercase()))))
}

fn moved(pages: &[(Name, i64, Option<DocPath>)], at: usize, is_up: bool) -> Option<Vec<String>> {
    let edits = reorder_pages(pages, at, is_up)?;
    let mut pages = pages.to_vec();
    for edit in edits {
        let Edit::Set { doc, data: levelwright::model::reflect::Data::Plain(Value::Int(order)), .. } = edit else {
            panic!("{edit:?}")
        };
        pages.iter_mut().filter(|(_, _, it)| it.as_ref() == Some(&doc)).for_each(|it| it.1 = order);
    }
    pages.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    Some(pages.into_iter().map(|(name, ..)| name.to_string()).collect())
}

#[test]
fn pages_change_places() {
    let pages = [page("Physics", 1, false), page("Camera", 2, true), page("Combat", 10, true), page("Game", 10, true)];
    assert_eq!(moved(&pages, 2, true).unwrap(), ["Physics", "Combat", "Camera", "Game"]);
    assert_eq!(moved(&pages, 3, true).unwrap(), ["Physics", "Camera", "Game", "Combat"]);
    assert_eq!(moved(&pages, 2, false).unwrap(), ["Physics", "Camera", "Game", "Combat"]);
    assert_eq!(moved(&pages, 1, true).unwrap(), ["Camera", "Physics", "Combat", "Game"]);
    assert_eq!(moved(&pages, 0, false), None, "a built-in page has no file to say it");
    assert_eq!(moved(&pages, 3, false), None, "it is the last");
    // No number but 0 is left between these.
    let tight = [page("B", -1, false), page("C", 1, false), page("D", 3, true)];
    assert_eq!(moved(&tight, 2, true), None);
}

#[test]
fn numbers_may_be_left_out() {
    assert_eq!(optional_number(" ").unwrap(), None);
    assert_eq!(optional_number("1,5").unwrap(), Some(1.5));
    assert!(optional_number("1e999").is_err() && optional_number("much").is_err());
}

#[test]
fn a_field_of_another_type_keeps_what_still_means_something() {
    let spec = FieldSpec {
        default: Some(2.0.into()),
        min: Some(0.0),
        max: Some(9.0),
        unit: Some("hp".into()),
        doc: "How much.".into(),
        ..FieldSpec::of(FieldType::Float)
    };
    let whole = retyped(&spec, FieldType::Int);
    assert_eq!((whole.default, whole.min, whole.max), (None, Some(0.0), Some(9.0)));
    let text = retyped(&spec, FieldType::Str);
    assert_eq!((text.min, text.max, text.unit.as_deref(), &*text.doc), (None, None, Some("hp"), "How much."));
    let types = field_types(&builtin().schema, &FieldType::Struct([].into()));
    assert_eq!(types.first(), Some(&FieldType::Struct([].into())), "what it is now can be kept");
    assert!(types.contains(&FieldType::List(Box::new(FieldType::Def))));
}
