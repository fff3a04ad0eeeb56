//! Where things are after a project became another: under their names, or under those they were given.

use std::sync::Arc;

use levelwright::{
    defs::resolve,
    edit::{Edit, Owner, Renamed, apply_all},
    io,
    model::*,
    refactor::{NameKind, Named, rename},
};

use crate::build::path;

fn sample() -> Project {
    io::load("sample_data".as_ref()).project
}

fn renamed(project: &Project, kind: NameKind, name: &str, to: &str) -> Project {
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let plan = rename(project, &resolve(project, &builtin, None), &Named::new(kind, name), to).unwrap();
    plan.tried_on(project).unwrap()
}

#[test]
fn names_are_followed_there_and_back() {
    let before = sample();
    let goblins = path("entities/goblins.ron");
    let after = renamed(&before, NameKind::Def, "goblin", "gnome");
    let (there, back) = (Renamed::new(&before, &after), Renamed::new(&after, &before));
    assert_eq!(there.def(&goblins, &"goblin".into()), Some((goblins.clone(), "gnome".into())));
    assert_eq!(back.def(&goblins, &"gnome".into()), Some((goblins.clone(), "goblin".into())));
    assert_eq!(there.def(&goblins, &"chief".into()), Some((goblins.clone(), "chief".into())), "others stay");
    assert_eq!(there.def(&goblins, &"nobody".into()), None);

    let machines = path("machines/goblins.ron");
    let after = renamed(&before, NameKind::Machine, "goblin_brain", "gnome_brain");
    let there = Renamed::new(&before, &after);
    let is = there.machine(&machines, &"goblin_brain".into()).unwrap();
    assert_eq!(&*is.1, "gnome_brain");
    let machine = before.machine(&machines, "goblin_brain").unwrap();
    let state = machine.paths().into_iter().find(|state| state.contains('/')).unwrap();
    let was = (&machines, &Name::from("goblin_brain"));
    assert_eq!(there.state(was, (&is.0, &is.1), &state), Some(state.clone()));
    // Of a path the first part alone has another name.
    let (head, rest) = state.split_once('/').unwrap();
    let after = renamed(&before, NameKind::State, &format!("goblin_brain/{head}"), "Zzq");
    let there = Renamed::new(&before, &after);
    assert_eq!(there.state(was, was, &state).as_deref(), Some(&*format!("Zzq/{rest}")));

    let courtyard = path("levels/courtyard.ron");
    let after = renamed(&before, NameKind::Level, "courtyard", "yard");
    let there = Renamed::new(&before, &after);
    assert_eq!(there.doc(&courtyard), Some(path("levels/yard.ron")));
    let after = renamed(&before, NameKind::Layer, "courtyard/actors", "people");
    let there = Renamed::new(&before, &after);
    assert_eq!(there.layer(&courtyard, &courtyard, &"actors".into()).as_deref(), Some("people"));
    assert_eq!(there.layer(&courtyard, &courtyard, &"ground".into()).as_deref(), Some("ground"));
}

#[test]
fn what_is_gone_is_not_taken_for_another() {
    let before = sample();
    let goblins = path("entities/goblins.ron");
    let mut after = before.clone();
    let edits = [
        Edit::Remove { doc: goblins.clone(), at: FieldPath::keys(["chief"]) },
        Edit::insert_at(&goblins, FieldPath::keys(["elf"]), &EntityDef::default()),
        Edit::insert_at(&goblins, FieldPath::keys(["orc"]), &EntityDef::default()),
    ];
    apply_all(&mut after, &edits).unwrap();
    assert_eq!(Renamed::new(&before, &after).def(&goblins, &"chief".into()), None);
    let mut after = before.clone();
    after.documents.remove(&goblins);
    assert_eq!(Renamed::new(&before, &after).doc(&goblins), None);
    // A definition that was changed and renamed at once stands where it stood.
    let mut after = renamed(&before, NameKind::Def, "goblin", "gnome");
    let owner = Owner::Def { doc: goblins.clone(), name: "gnome".into() };
    apply_all(&mut after, &[Edit::set(owner, "Health", "max", 99.0.into())]).unwrap();
    let there = Renamed::new(&before, &after);
    assert_eq!(there.def(&goblins, &"goblin".into()).unwrap().1, "gnome".into());
}

#[test]
fn each_of_many_is_found_under_its_own_new_name() {
    const N: usize = 2_000;
    let doc = path("entities/all.ron");
    let of = |defs: Vec<(Name, Arc<EntityDef>)>| {
        let file = EntitiesFile { defs: defs.into_iter().collect() };
        Project::from_iter([(doc.clone(), Arc::new(Document::Entities(file)))])
    };
    let all: Vec<(Name, Arc<EntityDef>)> =
        (0..N).map(|i| (format!("a{i}").into(), Arc::new(EntityDef::default()))).collect();
    // Each third is gone, each other third has a new name, and all stand in another order.
    let now = all
        .iter()
        .enumerate()
        .rev()
        .filter(|(i, _)| i % 3 != 0)
        .map(|(i, (name, def))| (if i % 3 == 1 { format!("b{i}").into() } else { name.clone() }, Arc::clone(def)));
    let (before, after) = (of(all.clone()), of(now.collect()));
    let there = Renamed::new(&before, &after);
    for (i, (name, _)) in all.iter().enumerate() {
        let said = there.def(&doc, name).map(|(_, name)| name.to_string());
        assert_eq!(said, [None, Some(format!("b{i}")), Some(format!("a{i}"))][i % 3]);
    }
    // The same of documents: one of three is gone.
    let files = |at: fn(usize) -> Option<String>| -> Project {
        (0..N).filter_map(|i| Some((path(&at(i)?), Arc::clone(&shared()[i])))).collect()
    };
    let before = files(|i| Some(format!("entities/a{i}.ron")));
    let after = files(|i| (i % 3 != 0).then(|| format!("entities/{}{i}.ron", if i % 3 == 1 { 'b' } else { 'a' })));
    let there = Renamed::new(&before, &after);
    for i in 0..N {
        let said = there.doc(&path(&format!("entities/a{i}.ron"))).map(|doc| doc.stem().to_owned());
        assert_eq!(said, [None, Some(format!("b{i}")), Some(format!("a{i}"))][i % 3]);
    }
}

fn shared() -> &'static [Arc<Document>] {
    static ALL: std::sync::OnceLock<Vec<Arc<Document>>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| (0..2_000).map(|_| Arc::new(Document::Entities(EntitiesFile::default()))).collect())
}
