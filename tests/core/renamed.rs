//! Where things are after a project became another: under their names, or under those they were given.

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
    let (there, back) = (Renamed { before: &before, after: &after }, Renamed { before: &after, after: &before });
    assert_eq!(there.def(&goblins, &"goblin".into()), Some((goblins.clone(), "gnome".into())));
    assert_eq!(back.def(&goblins, &"gnome".into()), Some((goblins.clone(), "goblin".into())));
    assert_eq!(there.def(&goblins, &"chief".into()), Some((goblins.clone(), "chief".into())), "others stay");
    assert_eq!(there.def(&goblins, &"nobody".into()), None);

    let machines = path("machines/goblins.ron");
    let after = renamed(&before, NameKind::Machine, "goblin_brain", "gnome_brain");
    let there = Renamed { before: &before, after: &after };
    let is = there.machine(&machines, &"goblin_brain".into()).unwrap();
    assert_eq!(&*is.1, "gnome_brain");
    let machine = before.machine(&machines, "goblin_brain").unwrap();
    let state = machine.paths().into_iter().find(|state| state.contains('/')).unwrap();
    let was = (&machines, &Name::from("goblin_brain"));
    assert_eq!(there.state(was, (&is.0, &is.1), &state), Some(state.clone()));
    // Of a path the first part alone has another name.
    let (head, rest) = state.split_once('/').unwrap();
    let after = renamed(&before, NameKind::State, &format!("goblin_brain/{head}"), "Zzq");
    let there = Renamed { before: &before, after: &after };
    assert_eq!(there.state(was, was, &state).as_deref(), Some(&*format!("Zzq/{rest}")));

    let courtyard = path("levels/courtyard.ron");
    let after = renamed(&before, NameKind::Level, "courtyard", "yard");
    let there = Renamed { before: &before, after: &after };
    assert_eq!(there.doc(&courtyard), Some(path("levels/yard.ron")));
    let after = renamed(&before, NameKind::Layer, "courtyard/actors", "people");
    let there = Renamed { before: &before, after: &after };
    assert_eq!(there.layer(&courtyard, &courtyard, &"actors".into()).as_deref(), Some("people"));
    assert_eq!(there.layer(&courtyard, &courtyard, &"ground".into()).as_deref(), Some("ground"));
}

#[test]
fn what_is_gone_is_not_taken_for_another() {
    let before = sample();
    let goblins = path("entities/goblins.ron");
    let mut after = before.clone();
    let edits = [
        Edit::RemoveDef { doc: goblins.clone(), name: "chief".into() },
        Edit::AddDef { doc: goblins.clone(), name: "elf".into(), def: EntityDef::default() },
        Edit::AddDef { doc: goblins.clone(), name: "orc".into(), def: EntityDef::default() },
    ];
    apply_all(&mut after, &edits).unwrap();
    assert_eq!(Renamed { before: &before, after: &after }.def(&goblins, &"chief".into()), None);
    let mut after = before.clone();
    after.documents.remove(&goblins);
    assert_eq!(Renamed { before: &before, after: &after }.doc(&goblins), None);
    // A definition that was changed and renamed at once stands where it stood.
    let mut after = renamed(&before, NameKind::Def, "goblin", "gnome");
    let owner = Owner::Def { doc: goblins.clone(), name: "gnome".into() };
    apply_all(&mut after, &[Edit::set(owner, "Health", "max", 99.0.into())]).unwrap();
    let there = Renamed { before: &before, after: &after };
    assert_eq!(there.def(&goblins, &"goblin".into()).unwrap().1, "gnome".into());
}
