//! Finding placed entities by what is typed.

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply_all},
    explain::EntityQuery,
    io,
    model::{Builtin, DocPath, Instance, Project, Value},
};

fn courtyard() -> DocPath {
    DocPath::new("levels/courtyard.ron").unwrap()
}

fn resolution_of(project: &Project) -> Resolution {
    resolve(project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None)
}

/// The sample, with a slow goblin `lazy` of its own values.
fn project() -> Project {
    let mut project = io::load("sample_data".as_ref()).project;
    let place =
        Edit::place(&courtyard(), &"actors".into(), "lazy".into(), Instance::new("goblin".into(), [500.0, 20.0]));
    let owner = Owner::Instance { doc: courtyard(), layer: "actors".into(), id: "lazy".into() };
    let slow = Edit::set(owner, "Walker", "speed", Value::Float(7.25));
    apply_all(&mut project, &[place, slow]).unwrap();
    project
}

#[test]
fn terms_fit_by_id_definition_tag_layer_and_value() {
    let project = project();
    let resolution = resolution_of(&project);
    let all: Vec<_> = project.level(&courtyard()).unwrap().entities().collect();
    let found = |query: &str| {
        let query = EntityQuery::parse(query).unwrap();
        query
            .find(&project, &resolution, Some(&courtyard()))
            .into_iter()
            .map(|hit| hit.id.to_string())
            .collect::<Vec<_>>()
    };
    let n_of = |is: &dyn Fn(&str) -> bool| all.iter().filter(|(_, _, it)| is(&it.def)).count();
    assert_eq!(found("def:goblin").len(), n_of(&|def| resolution.is_a(def, "goblin")), "descendants too");
    assert!(found("def:goblin").len() > n_of(&|def| def == "goblin"), "the sample has other goblins");
    assert_eq!(found("DEF:GOBLIN"), found("def:goblin"));
    assert!(found("goblin").len() >= found("def:goblin").len() && found("def:gobl").is_empty());
    for (query, only) in [
        ("lazy", true),
        ("id:laz", true),
        ("Walker.speed=7.25", true),
        ("speed = 7.25", true),
        ("walker.speed < 8", true),
        ("Walker.speed<=7.25 def:goblin", true),
        ("x=500 y=20", true),
        ("speed=7.25 def:crate", false),
        ("Walker.speed != 7.25", false),
        ("rotation > 0 lazy", false),
        ("Health.speed=7.25", false),
        ("layer:ground lazy", false),
        ("layer:actors lazy", true),
        ("\"lazy\"", true),
    ] {
        assert_eq!(found(query).contains(&"lazy".to_owned()), only, "{query}");
        assert!(!only || found(query).len() == 1, "{query}: {:?}", found(query));
    }
    let declared = |remove: &[&str], append: &[&str]| {
        let mut project = project.clone();
        let owner = Owner::Instance { doc: courtyard(), layer: "actors".into(), id: "lazy".into() };
        let removed = remove.iter().map(|entry| Edit::AddRemove { owner: owner.clone(), entry: (*entry).to_owned() });
        let tags = Value::List(append.iter().map(|tag| Value::str(*tag)).collect());
        let tags = Edit::set(owner.clone(), "Tags", "tags", tags);
        apply_all(&mut project, &removed.chain([tags]).collect::<Vec<_>>()).unwrap();
        move |query: &str| {
            let hits = EntityQuery::parse(query).unwrap().find(&project, &resolution_of(&project), Some(&courtyard()));
            hits.iter().any(|hit| &*hit.id == "lazy")
        }
    };
    let with_own = declared(&["Health"], &["sleepy"]);
    for (query, is_found) in [
        ("tag:sleepy", true),
        ("sleepy", true),
        ("sleepy goblin", true),
        ("sleepy door", false),
        ("Health.max>0", false),
        ("Walker.speed=7.25 sleepy", true),
        ("tag:enemy", false),
    ] {
        assert_eq!(with_own(query), is_found, "{query}: what an entity declares itself counts");
    }
    let tags: Vec<_> = resolution.defs.values().filter_map(|def| def.get("Tags", "tags")?.as_list()?.first()).collect();
    let tag = tags.iter().find_map(|tag| tag.as_str()).unwrap();
    assert_eq!(found(&format!("tag:{tag}")), found(&format!("Tags.tags={tag}")), "a list is equal to what is in it");
    assert!(!found(&format!("tag:{tag}")).is_empty());
    assert_eq!(found("Walker.speed>0").len() + found("Walker.speed<=0").len(), found("Walker.speed!=-1").len());
}

#[test]
fn all_levels_are_looked_through_and_nothing_finds_nothing() {
    let project = project();
    let resolution = resolution_of(&project);
    let n = |query: &str, within: Option<&DocPath>| {
        EntityQuery::parse(query).unwrap().find(&project, &resolution, within).len()
    };
    let in_each: usize = project.levels().map(|(doc, _)| n("goblin", Some(doc))).sum();
    assert_eq!(n("goblin", None), in_each);
    assert_eq!((n("", None), n("   ", None)), (0, 0));
    let hit = EntityQuery::parse("lazy").unwrap().find(&project, &resolution, None).remove(0);
    let (layer, _) = project.level(&courtyard()).unwrap().layer("actors").unwrap();
    assert_eq!((hit.layer, &*hit.def, hit.location(&project).doc), (layer, "goblin", courtyard()));
}

#[test]
fn what_cannot_be_read_says_why() {
    for (query, why) in [
        ("speed >", "Write a value after “>”"),
        (">= 3", "Write a field before “>=”, as in Health.max >= 10"),
        ("speed > fast", "“fast” is no number to compare with by “>”"),
        ("tag:", "Write a name after “tag:”"),
        ("a \"b", "The second quote is missing"),
        ("! x", "“!” says nothing here"),
    ] {
        assert_eq!(EntityQuery::parse(query), Err(why.to_owned()), "{query}");
    }
    // Nothing typed on the way hangs or panics.
    for text in ["Walker.speed >= 10 \"a b\" (1, 2) tag:x != \u{e9}=(1, 2", "==", "a==b", "=<", "!!", "a!b", "(", ")"] {
        for end in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
            let _read = EntityQuery::parse(&text[..end]);
        }
    }
}
