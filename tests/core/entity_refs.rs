//! The fields by which entities refer to others: which there are, whom they mean, and how they are set.

use std::fs;

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply_all},
    explain::{EntityRefField, entities_meant, entity_refs},
    io,
    model::{Builtin, DocPath, Name, Project},
    refactor::{is_own_ref, refer_to},
};

fn yard() -> DocPath {
    DocPath::new("levels/yard.ron").unwrap()
}

/// Three guards and a door, and a schema of fields that refer to others.
fn project() -> Project {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("project.ron", r#"(name: "Doors")"#),
        (
            "schemas/game.ron",
            r#"(components: { "Door": (fields: {
                "opens": (type: Entity, default: ""),
                "guards": (type: List(Entity), default: []),
                "boss": (type: Option(Entity), default: None),
                "wary_of": (type: Target, default: ""),
                "width": (type: Float),
            }) })"#,
        ),
        (
            "entities/all.ron",
            r#"{
                "door": (set: (Door: (guards: ["g1"]))),
                "guard": (set: (Tags: (tags: ["armed"]))),
                "captain": (inherits: ["guard"]),
                "crate": (),
            }"#,
        ),
        (
            "levels/yard.ron",
            r#"(size: (20, 12), tile_size: (16, 16), layers: [
                Entities(name: "things", entities: {
                    "d": (def: "door", at: (40, 40), set: (Door: (wary_of: "tag:armed"))),
                    "g1": (def: "guard", at: (60, 40)),
                    "c1": (def: "captain", at: (80, 40)),
                    "crate": (def: "crate", at: (100, 40)),
                }),
            ])"#,
        ),
    ] {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    io::load(folder.path()).project
}

fn resolution(project: &Project) -> Resolution {
    resolve(project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None)
}

fn owner() -> Owner {
    Owner::Instance { doc: yard(), layer: "things".into(), id: "d".into() }
}

fn fields(project: &Project) -> Vec<EntityRefField> {
    let level = project.level(&yard()).unwrap();
    let (at, it) = level.entity("d").unwrap();
    let resolution = resolution(project);
    entity_refs(&resolution, &resolution.instance(&yard(), &level.layer_at(at), &"d".into(), it).0)
}

fn field(project: &Project, name: &str) -> EntityRefField {
    fields(project).into_iter().find(|it| *it.field == *name).unwrap()
}

#[test]
fn fields_are_found_by_their_types() {
    let project = project();
    let all = fields(&project);
    let shown: Vec<String> = all.iter().map(|it| format!("{} {}", it.full(), it.targets.join(","))).collect();
    assert_eq!(shown, ["Door.opens ", "Door.guards g1", "Door.boss ", "Door.wary_of tag:armed"]);
    let kinds: Vec<[bool; 3]> = all.iter().map(|it| [it.is_list, it.is_option, it.is_target]).collect();
    assert_eq!(kinds, [[false; 3], [true, false, false], [false, true, false], [false, false, true]]);
}

#[test]
fn targets_mean_ids_definitions_and_tags() {
    let project = project();
    let level = project.level(&yard()).unwrap();
    let resolution = resolution(&project);
    let meant = |name: &str, target: &str| {
        let ids = entities_meant(&resolution, level, &field(&project, name), target);
        ids.join(" ")
    };
    let cases = [
        ("wary_of", "g1", "g1"),
        ("wary_of", "guard", "g1 c1"),
        ("wary_of", "def:captain", "c1"),
        ("wary_of", "tag:armed", "g1 c1"),
        ("wary_of", "armed", "g1 c1"),
        ("wary_of", "crate", "crate"),
        ("wary_of", "nobody", ""),
        ("opens", "g1", "g1"),
        ("opens", "guard", ""),
    ];
    for (name, target, ids) in cases {
        assert_eq!(meant(name, target), ids, "{name}: {target}");
    }
}

#[test]
fn an_entity_comes_to_refer_to_another_and_no_longer() {
    let mut project = project();
    for (name, to, after) in [
        ("opens", "g1", "g1"),
        ("opens", "c1", "c1"),
        ("guards", "c1", "g1,c1"),
        ("guards", "crate", "g1,c1,crate"),
        ("boss", "c1", "c1"),
    ] {
        let edit = refer_to(&project, &owner(), &field(&project, name), &to.into()).unwrap();
        apply_all(&mut project, &[edit]).unwrap();
        assert_eq!(field(&project, name).targets.join(","), after, "{name}");
        assert!(is_own_ref(&project, &owner(), &field(&project, name)));
    }
    assert_eq!(resolution(&project).findings().count(), 0, "they are values that files may have");
    let refused =
        |to: &str| refer_to(&project, &owner(), &field(&project, "opens"), &Name::from(to)).unwrap_err().to_string();
    assert_eq!(refused("d"), "`d` cannot refer to itself");
    assert_eq!(refused("c1"), "Door.opens refers to `c1` already");
    apply_all(&mut project, &[Edit::clear(owner(), "Door", "guards")]).unwrap();
    let guards = field(&project, "guards");
    assert_eq!((guards.targets.join(","), is_own_ref(&project, &owner(), &guards)), ("g1".to_owned(), false));
}
