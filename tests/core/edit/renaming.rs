//! Renamed and deleted things, and those who name them.

use super::*;

#[test]
fn a_renamed_definition_is_renamed_wherever_it_is_used() {
    let mut project = project();
    let all = path("entities/all.ron");
    make(
        &mut project,
        &Edit::AddRemove {
            owner: Owner::Def { doc: all.clone(), name: name("nest") },
            entry: "Spawner.more[\"goblin\"]".into(),
        },
    );
    let tuning = Arc::clone(project.doc(&path("tuning/camera.ron")).unwrap());
    let typed = TypedRefs::of(&schema(), RefKind::Def);
    make(&mut project, &Edit::rename(&all, "goblin", "orc", typed));
    let text = format!("{project:?}");
    assert!(!text.contains("goblin"), "{text}");
    assert_eq!(text.matches("\"orc\"").count(), 7, "key, two instances, two spawner fields, Spawn, Chase");
    assert_eq!(text.matches("\"def:orc\"").count(), 2);
    assert!(text.contains(r#"Spawner.more[\"orc\"]"#));
    assert!(
        Arc::ptr_eq(&tuning, project.doc(&path("tuning/camera.ron")).unwrap()),
        "what does not use it is not copied"
    );
    let names: Vec<_> = project
        .entities(&path("entities/all.ron"))
        .unwrap()
        .defs
        .keys()
        .map(std::string::ToString::to_string)
        .collect();
    assert_eq!(names, ["monster", "orc", "nest"], "it keeps its place in the file");
}

#[test]
fn renamed_machines_tiles_constants_and_levels_are_followed() {
    let mut project = project();
    let floor = fields(&[("tile", "keep/stone".into()), ("set", "keep".into()), ("to", "yard".into())]);
    for (field, value) in floor {
        make(&mut project, &Edit::set(goblin(), "Floor", &field, value));
    }
    make(&mut project, &Edit::set(goblin(), "Knob", "value", "Camera.smooth".into()));
    let typed = |kind| TypedRefs::of(&schema(), kind);
    make(&mut project, &Edit::rename(&path("machines/all.ron"), "sentry", "guard", typed(RefKind::Machine)));
    make(&mut project, &Edit::rename(&path("tilesets/keep.ron"), "1", "rock", typed(RefKind::Tile)));
    make(&mut project, &Edit::rename(&path("tuning/camera.ron"), "smooth", "lag", typed(RefKind::Tunable)));
    make(&mut project, &Edit::MoveDocument { doc: yard(), to: path("levels/court.ron"), typed: typed(RefKind::Level) });
    make(
        &mut project,
        &Edit::MoveDocument {
            doc: path("tilesets/keep.ron"),
            to: path("tilesets/castle.ron"),
            typed: typed(RefKind::Tileset),
        },
    );
    let ops = &project.def(&path("entities/all.ron"), "goblin").unwrap().ops;
    let said = |component: &str, field: &str| ops.declared(OpKind::Set, component, field).unwrap().to_string();
    assert_eq!(said("Floor", "tile"), "\"castle/rock\"");
    assert_eq!(said("Floor", "set"), "\"castle\"");
    assert_eq!(said("Floor", "to"), "\"court\"");
    assert_eq!(said("Knob", "value"), "\"Camera.lag\"");
    assert_eq!(said("Brain", "machines"), "[\"guard\"]");
    let text = format!("{project:?}");
    for old in ["sentry", "\"stone\"", "smooth", "\"yard\"", "\"keep\""] {
        assert!(!text.contains(old), "{old} is still there");
    }
}

#[test]
fn renamed_words_of_the_game_are_followed() {
    let mut project = project();
    let at = path("schemas/game.ron");
    let mut schema = schema();
    schema.messages.insert(name("Go"), MessageSpec::default());
    project.documents.insert(at.clone(), Arc::new(Document::Schema(schema)));
    make(&mut project, &Edit::AddRemove { owner: goblin(), entry: "Spawner.more[\"nest\"]".into() });
    let calls = vec![
        call("SetField", &[("field", "Spawner.more")]),
        call("HasComponent", &[("component", "Spawner")]),
        call("Send", &[("message", "Go")]),
    ];
    make(&mut project, &Edit::set_at(&path("machines/all.ron"), state_at("other", "").key("on").key("Go"), &calls));
    let schema_with = |project: &Project| match project.doc(&at).map(|it| &**it) {
        Some(Document::Schema(schema)) => schema.clone(),
        _ => Schema::default(),
    };
    let declared = |project: &Project, what: Declared, to: &str| {
        let typed = TypedRefs::of(&schema_with(project), what.kind().unwrap());
        Edit::rename(&at, what.name(), to, typed)
    };
    let typed = TypedRefs::of(&schema_with(&project), RefKind::Field);
    make(
        &mut project,
        &Edit::Rename { doc: at.clone(), of: name("Spawner"), from: name("more"), to: name("others"), typed },
    );
    let edit = declared(&project, Declared::Component(name("Spawner")), "Nest");
    make(&mut project, &edit);
    let edit = declared(&project, Declared::Message(name("Go")), "March");
    make(&mut project, &edit);
    let text = format!("{project:?}");
    for old in ["more", "Spawner", "\"Go\""] {
        assert!(!text.contains(old), "{old} is still there");
    }
    assert!(text.contains(r#"Nest.others[\"nest\"]"#) && text.contains("\"Nest.others\""));
    assert_eq!(text.matches("\"March\"").count(), 7, "schema, three ways out, handler and argument, cue");
    for (from, to) in [("Knob", "Nest"), ("Knob", "two words"), ("Health", "Life")] {
        let edit = declared(&project, Declared::Component(name(from)), to);
        assert!(apply(&mut project, &edit).is_err());
    }
}

#[test]
fn a_renamed_state_is_followed_by_every_address() {
    let mut project = project();
    let doc = || path("machines/all.ron");
    make(
        &mut project,
        &Edit::RenameState { doc: doc(), machine: name("sentry"), state: name("Attack"), to: name("Fight") },
    );
    make(
        &mut project,
        &Edit::RenameState { doc: doc(), machine: name("sentry"), state: name("Fight/Aim"), to: name("Point") },
    );
    let machine = sentry(&project);
    assert_eq!(
        machine.paths().iter().map(std::string::ToString::to_string).collect::<Vec<_>>(),
        ["Patrol", "Fight", "Fight/Point", "Fight/Fire"]
    );
    assert_eq!(&*machine.state("Patrol").unwrap().transitions[0].to, "Fight");
    assert_eq!(machine.state("Fight").unwrap().initial.as_deref(), Some("Point"));
    assert_eq!(machine.state("Fight/Fire").unwrap().enter[0].args["state"], "Fight/Point".into());
    assert_eq!(
        machine.layout.keys().map(std::string::ToString::to_string).collect::<Vec<_>>(),
        ["Patrol", "Fight", "Fight/Point"]
    );
    let other = project.machine(&doc(), "other").unwrap();
    assert_eq!(other.root.enter[0].args["state"], "Fight/Point".into());
    let Document::Scenario(scenario) = &**project.doc(&path("scenarios/first.ron")).unwrap() else { panic!() };
    assert_eq!(
        scenario.expect[0].what,
        Expected::State(ExpectedState { state: "Fight/Point".into(), machine: Some(name("sentry")) })
    );
}

#[test]
fn a_bare_name_becomes_a_path_when_it_would_become_ambiguous() {
    let mut project = project();
    let doc = || path("machines/all.ron");
    make(
        &mut project,
        &Edit::PasteState {
            doc: doc(),
            machine: name("sentry"),
            parent: name("Patrol"),
            name: name("Fire"),
            state: State::default(),
            layout: vec![(name(""), [0.0; 2])],
        },
    );
    assert_eq!(&*sentry(&project).state("Attack/Aim").unwrap().transitions[0].to, "Attack/Fire");
    make(
        &mut project,
        &Edit::ReparentState {
            doc: doc(),
            machine: name("sentry"),
            state: name("Attack/Fire"),
            parent: name(""),
            at: Some([5.0, 6.0]),
        },
    );
    let machine = sentry(&project);
    assert_eq!(&*machine.state("Attack/Aim").unwrap().transitions[0].to, "Fire");
    assert_eq!(machine.layout["Fire"], [5.0, 6.0]);
    let back = Edit::ReparentState {
        doc: doc(),
        machine: name("sentry"),
        state: name("Fire"),
        parent: name("Attack"),
        at: None,
    };
    make(&mut project, &back);
    let layout = &sentry(&project).layout;
    assert!(!layout.contains_key("Attack/Fire") && !layout.contains_key("Fire"), "laid out with those beside it");
    assert!(
        apply(
            &mut project,
            &Edit::ReparentState {
                doc: doc(),
                machine: name("sentry"),
                state: name("Attack"),
                parent: name("Attack/Aim"),
                at: None
            }
        )
        .is_err()
    );
}

#[test]
fn a_deleted_state_takes_the_ways_to_it_along() {
    let mut project = project();
    make(
        &mut project,
        &Edit::RemoveState { doc: path("machines/all.ron"), machine: name("sentry"), state: name("Patrol") },
    );
    let machine = sentry(&project);
    assert_eq!(machine.root.initial, None);
    assert_eq!(machine.state("Attack/Aim").unwrap().transitions.len(), 1);
    assert!(!machine.layout.contains_key("Patrol"));
}
