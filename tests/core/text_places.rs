//! New things go where a person would put them, and what goes takes its own comments along: a table of files before and
//! after an edit.

use std::sync::Arc;

use levelwright::{
    edit::{Edit, Owner, apply, state_at},
    io::{Source, Sources, load_one},
    model::{
        Call, DocPath, EntityDef, FieldPath, Instance, LinkBy, Name, Node, OpKind, Project, Transition, Trigger, Value,
    },
};

const GAME: &str = r#"(
    components: {
        "Loot": (
            fields: {
                "gold": (type: Int, default: 0),
                "items": (type: List(Str)),
                "chance": (type: Struct({"low": (type: Float), "mid": (type: Float), "high": (type: Float)})),
                "owner": (type: Def),
            },
        ),
    },
    actions: { "Shout": (args: {"text": (type: Str), "loud": (type: Bool), "to": (type: Str)}) },
)
"#;

fn path(text: &str) -> DocPath {
    DocPath::new(text).unwrap()
}

fn name(text: &str) -> Name {
    text.into()
}

fn goblin() -> Owner {
    Owner::Def { doc: path("entities/a.ron"), name: name("goblin") }
}

fn say(component: &str, field: &str, value: Value) -> Edit {
    Edit::set(goblin(), &name(component), &name(field), value)
}

fn number(x: f64) -> Value {
    Value::Float(x)
}

/// The file at `place` says `before`; after the edits it says `after`.
fn check(place: &str, before: &str, edits: &[Edit], after: &str) {
    let mut project = Project::default();
    let mut sources = Sources::default();
    for (place, text) in [("schemas/game.ron", GAME), (place, before)] {
        let (document, findings) = load_one(&path(place), text);
        assert_eq!(findings, vec![], "{text}");
        let document = Arc::new(document.unwrap());
        project.documents.insert(path(place), Arc::clone(&document));
        sources.put(path(place), Source::new(text.into(), 0, findings, Some(document)));
    }
    for edit in edits {
        apply(&mut project, edit).unwrap_or_else(|refusal| panic!("{refusal} in {before}"));
    }
    let document = project.doc(&path(place)).unwrap();
    let text = sources.text_of(&path(place), document);
    assert_eq!(text, after, "\nbefore:\n{before}\nis:\n{text}\nshould be:\n{after}");
    assert_eq!(load_one(&path(place), &text).0.as_ref(), Some(&**document));
}

fn entities(before: &str, edits: &[Edit], after: &str) {
    check("entities/a.ron", before, edits, after);
}

#[test]
fn components_are_put_in_the_order_of_the_schemas() {
    // The preview's own before the game's, in the order of each.
    entities(
        "{\n    \"goblin\": (\n        set: (\n            Health: (max: 3.0), // tough\n            Loot: (gold: 3),\n        ),\n    ),\n}\n",
        &[say("Body", "mass", number(2.0)), say("Brain", "machines", Value::List(vec!["m".into()]))],
        "{\n    \"goblin\": (\n        set: (\n            Body: (mass: 2.0),\n            Health: (max: 3.0), // tough\n            Brain: (machines: [\"m\"]),\n            Loot: (gold: 3),\n        ),\n    ),\n}\n",
    );
    // An author's own order stays, and what no schema knows stays behind what it followed.
    entities(
        "{\n    \"goblin\": (set: (Loot: (gold: 3), Zeal: (), Body: (mass: 2.0))),\n}\n",
        &[say("Health", "max", number(3.0))],
        "{\n    \"goblin\": (set: (Loot: (gold: 3), Zeal: (), Body: (mass: 2.0), Health: (max: 3.0))),\n}\n",
    );
}

#[test]
fn fields_are_put_in_the_order_of_their_component() {
    // Between those that are there, on their line.
    entities(
        "{\n    \"goblin\": (set: (Loot: (gold: 3, owner: \"x\"))),\n}\n",
        &[say("Loot", "items", Value::List(vec!["key".into()]))],
        "{\n    \"goblin\": (set: (Loot: (gold: 3, items: [\"key\"], owner: \"x\"))),\n}\n",
    );
    // In front of all.
    entities(
        "{\n    \"goblin\": (set: (Loot: (owner: \"x\"))),\n}\n",
        &[say("Loot", "gold", Value::Int(5))],
        "{\n    \"goblin\": (set: (Loot: (gold: 5, owner: \"x\"))),\n}\n",
    );
    // On a line of its own where they have one; an author's own order stays.
    entities(
        "{\n  \"goblin\": (\n    set: (\n      Loot: (\n        owner: \"x\", // whose\n        gold: 3, // how much\n      ),\n    ),\n  ),\n}\n",
        &[say("Loot", "items", Value::List(vec![]))],
        "{\n  \"goblin\": (\n    set: (\n      Loot: (\n        owner: \"x\", // whose\n        gold: 3, // how much\n        items: [],\n      ),\n    ),\n  ),\n}\n",
    );
    // Fields of structs inside.
    let inner = |key: &str| FieldPath::keys([key]);
    let set = |key: &str| Edit::SetValue {
        owner: goblin(),
        op: OpKind::Set,
        component: name("Loot"),
        field: name("chance"),
        inner: inner(key),
        value: number(0.5),
    };
    entities(
        "{ \"goblin\": (set: (Loot: (chance: (low: .1, high: 0.9)))) }\n",
        &[set("mid")],
        "{ \"goblin\": (set: (Loot: (chance: (low: .1, mid: 0.5, high: 0.9)))) }\n",
    );
    // A field that no schema knows goes to the end, as do components.
    entities(
        "{\n\t\"goblin\": (set: (Loot: (gold: 3))),\n}\n",
        &[say("Loot", "colour", "red".into()), say("Ghost", "pale", true.into())],
        "{\n\t\"goblin\": (set: (Loot: (gold: 3, colour: \"red\"), Ghost: (pale: true))),\n}\n",
    );
    // Built-in components too, and all of a new one.
    entities(
        "{\n    \"goblin\": (\n        inherits: [\"monster\"],\n    ),\n}\n",
        &[say("Loot", "owner", "x".into()), say("Loot", "gold", Value::Int(1))],
        "{\n    \"goblin\": (\n        inherits: [\"monster\"],\n        set: (Loot: (gold: 1, owner: \"x\")),\n    ),\n}\n",
    );
}

#[test]
fn operations_and_properties_are_put_in_the_order_of_the_format() {
    let scale = Edit::SetValue {
        owner: goblin(),
        op: OpKind::Scale,
        component: name("Health"),
        field: name("max"),
        inner: FieldPath::root(),
        value: number(2.0),
    };
    entities(
        "{\n    \"goblin\": (\n        set: (Health: (max: 1.0)),\n        remove: [\"Loot\"],\n    ),\n}\n",
        std::slice::from_ref(&scale),
        "{\n    \"goblin\": (\n        set: (Health: (max: 1.0)),\n        scale: (Health: (max: 2.0)),\n        remove: [\"Loot\"],\n    ),\n}\n",
    );
    let inherits = Edit::set_at(&path("entities/a.ron"), FieldPath::keys(["goblin", "inherits"]), &vec![name("m")]);
    let is_abstract = Edit::set_at(&path("entities/a.ron"), FieldPath::keys(["goblin", "abstract"]), &true);
    entities(
        "{ \"m\": (), \"goblin\": (remove: [\"Loot\"]) }\n",
        &[scale, inherits, is_abstract],
        "{ \"m\": (), \"goblin\": (abstract: true, inherits: [\"m\"], scale: (Health: (max: 2.0)), remove: [\"Loot\"]) }\n",
    );
    let of_layer = |field: &str| FieldPath::keys(["layers", "b", field]);
    let hide = Edit::set_at(&path("levels/a.ron"), of_layer("visible"), &false);
    let fade = Edit::set_at(&path("levels/a.ron"), of_layer("opacity"), &0.5);
    check(
        "levels/a.ron",
        "(tile_size: (8, 8), layers: [\n    Tiles(\n        name: \"b\",\n        tileset: \"t\",\n        collide: false\n    )\n])\n",
        &[hide, fade],
        "(tile_size: (8, 8), layers: [\n    Tiles(\n        name: \"b\",\n        tileset: \"t\",\n        visible: false,\n        opacity: 0.5,\n        collide: false\n    )\n])\n",
    );
    let place =
        |def: &str| Edit::place(&path("levels/a.ron"), &name("b"), name("q1"), Instance::new(name(def), [1.0, 2.0]));
    let level = |entities: &str| {
        format!("(\n  tile_size: (8, 8),\n  layers: [\n    Entities(\n      name: \"b\",{entities}\n    ),\n  ],\n)\n")
    };
    let add = Edit::insert_at(&path("entities/a.ron"), FieldPath::keys(["imp"]), &EntityDef::default());
    let (before, after) =
        (level(""), level("\n      entities: {\n        \"q1\": (def: \"imp\", at: (1.0, 2.0)),\n      },"));
    let mut project = Project::default();
    let mut sources = Sources::default();
    for (at, text) in [("entities/a.ron", "{}\n"), ("levels/a.ron", before.as_str())] {
        let document = Arc::new(load_one(&path(at), text).0.unwrap());
        project.documents.insert(path(at), Arc::clone(&document));
        sources.put(path(at), Source::new(text.into(), 0, vec![], Some(document)));
    }
    apply(&mut project, &add).unwrap();
    apply(&mut project, &place("imp")).unwrap();
    let text = |at: &str| sources.text_of(&path(at), project.doc(&path(at)).unwrap());
    assert_eq!(text("levels/a.ron"), after);
    assert_eq!(text("entities/a.ron"), "{\n    \"imp\": (),\n}\n");
}

#[test]
fn machines_and_waypoints_grow_in_their_own_style() {
    let doc = || path("machines/a.ron");
    let calls = vec![Call {
        name: name("Shout"),
        args: [(name("to"), "self".into()), (name("text"), "hi".into())].into_iter().collect(),
    }];
    let set = Edit::set_at(&doc(), state_at("m", "A").key("enter"), &calls);
    check(
        "machines/a.ron",
        "{\n  \"m\": (\n    states: {\n      // first\n      \"A\": (on: { \"Bell\": [] }), // a\n      \"B\": (),\n    },\n  ),\n}\n",
        &[set],
        "{\n  \"m\": (\n    states: {\n      // first\n      \"A\": (enter: [Shout(text: \"hi\", to: \"self\")], on: { \"Bell\": [] }), // a\n      \"B\": (),\n    },\n  ),\n}\n",
    );
    let transition = Transition { trigger: Trigger::After(1.0), guard: None, actions: vec![], to: name("B") };
    let add = Edit::insert_at(&doc(), state_at("m", "A").key("transitions").index(1), &transition);
    check(
        "machines/a.ron",
        "{ \"m\": (states: {\n    \"A\": (\n        transitions: [\n            (on: \"X\", to: \"B\"), // x\n            // and then\n            (on: \"Y\", to: \"B\") // y\n        ],\n    ),\n    \"B\": (),\n}) }\n",
        &[add],
        "{ \"m\": (states: {\n    \"A\": (\n        transitions: [\n            (on: \"X\", to: \"B\"), // x\n            (after: 1.0, to: \"B\"),\n            // and then\n            (on: \"Y\", to: \"B\") // y\n        ],\n    ),\n    \"B\": (),\n}) }\n",
    );
    let node = Edit::add_node(&path("levels/a.ron"), &name("w"), name("n2"), Node { at: [3.0, 4.0], tags: vec![] });
    let link = Edit::SetLink {
        doc: path("levels/a.ron"),
        layer: name("w"),
        from: name("n1"),
        to: name("n2"),
        link: Some(levelwright::model::Link {
            from: name("n1"),
            to: name("n2"),
            cost: None,
            one_way: true,
            by: LinkBy::Hand,
        }),
    };
    check(
        "levels/a.ron",
        "(tile_size: (8, 8), layers: [\n    Waypoints(name: \"w\", nodes: { \"n1\": (at: (1.0, 2.0)) }),\n])\n",
        &[node, link],
        "(tile_size: (8, 8), layers: [\n    Waypoints(\n        name: \"w\",\n        nodes: { \"n1\": (at: (1.0, 2.0)), \"n2\": (at: (3.0, 4.0)) },\n        links: [\n            (from: \"n1\", to: \"n2\", one_way: true),\n        ],\n    ),\n])\n",
    );
}

#[test]
fn definitions_come_and_go_with_their_comments() {
    let add = |of: &str| Edit::insert_at(&path("entities/a.ron"), FieldPath::keys([of]), &EntityDef::default());
    let remove = |of: &str| Edit::Remove { doc: path("entities/a.ron"), at: FieldPath::keys([of]) };
    let copy = |of: &str, to: &str| Edit::Copy { doc: path("entities/a.ron"), at: FieldPath::keys([of]), to: name(to) };
    let spaced = "{ // of the keep\n    // A.\n    \"a\": (), // first\n\n    // ---- small ones ----\n    // B.\n    /* b */\n    \"b\": (),\n\n    // C.\n    \"c\": (abstract: true),\n    // the end\n}\n";
    let cases: &[(&str, Edit, &str)] = &[
        // Where blank lines stand between all, one stands before a new one.
        (
            spaced,
            add("d"),
            "{ // of the keep\n    // A.\n    \"a\": (), // first\n\n    // ---- small ones ----\n    // B.\n    /* b */\n    \"b\": (),\n\n    // C.\n    \"c\": (abstract: true),\n\n    \"d\": (),\n    // the end\n}\n",
        ),
        (
            spaced,
            copy("a", "a2"),
            "{ // of the keep\n    // A.\n    \"a\": (), // first\n\n    \"a2\": (),\n\n    // ---- small ones ----\n    // B.\n    /* b */\n    \"b\": (),\n\n    // C.\n    \"c\": (abstract: true),\n    // the end\n}\n",
        ),
        // What stands directly above goes along, a heading does not, nor what is said of the whole.
        (
            spaced,
            remove("b"),
            "{ // of the keep\n    // A.\n    \"a\": (), // first\n\n    // ---- small ones ----\n\n    // C.\n    \"c\": (abstract: true),\n    // the end\n}\n",
        ),
        (
            spaced,
            remove("a"),
            "{ // of the keep\n    // ---- small ones ----\n    // B.\n    /* b */\n    \"b\": (),\n\n    // C.\n    \"c\": (abstract: true),\n    // the end\n}\n",
        ),
        (
            spaced,
            remove("c"),
            "{ // of the keep\n    // A.\n    \"a\": (), // first\n\n    // ---- small ones ----\n    // B.\n    /* b */\n    \"b\": (),\n    // the end\n}\n",
        ),
        // A comment that a blank line parts from it heads what follows too.
        (
            "{\n    // Heads all.\n\n    // A.\n    \"a\": (),\n    \"b\": (),\n}\n",
            remove("a"),
            "{\n    // Heads all.\n    \"b\": (),\n}\n",
        ),
        // The habit of the last comma.
        ("{\n  \"a\": ()\n}\n", add("b"), "{\n  \"a\": (),\n  \"b\": ()\n}\n"),
        ("{\n  \"a\": (), // one\n}\n", add("b"), "{\n  \"a\": (), // one\n  \"b\": (),\n}\n"),
        ("{ \"a\": () }\n", add("b"), "{ \"a\": (), \"b\": () }\n"),
        ("{ \"a\": (), }\n", add("b"), "{ \"a\": (), \"b\": (), }\n"),
        ("{}\n", add("b"), "{\n    \"b\": (),\n}\n"),
        ("{\n    // nothing yet\n}\n", add("b"), "{\n    // nothing yet\n    \"b\": (),\n}\n"),
        ("{ \"a\": () } // only\n", remove("a"), "{} // only\n"),
        // Two to a line stay two to a line.
        (
            "{\n    \"a\": (), \"b\": (),\n    \"c\": (), \"d\": (),\n}\n",
            remove("b"),
            "{\n    \"a\": (),\n    \"c\": (), \"d\": (),\n}\n",
        ),
    ];
    for (before, edit, after) in cases {
        entities(before, std::slice::from_ref(edit), after);
    }
}

#[test]
fn a_line_is_kept_while_it_fits() {
    let listed = |n: usize| {
        let items: Vec<String> = (0..n).map(|i| format!("\"item_number_{i}\"")).collect();
        items.join(", ")
    };
    let items = |n: usize| Value::List((0..n).map(|i| Value::str(format!("item_number_{i}"))).collect());
    let before = format!("{{\n    \"goblin\": (set: (Loot: (items: [{}]))),\n}}\n", listed(3));
    let after = format!("{{\n    \"goblin\": (set: (Loot: (items: [{}]))),\n}}\n", listed(4));
    entities(&before, &[say("Loot", "items", items(4))], &after);
    let lines: String = (0..6).map(|i| format!("        \"item_number_{i}\",\n")).collect();
    let after = format!("{{\n    \"goblin\": (set: (Loot: (items: [\n{lines}    ]))),\n}}\n");
    entities(&before, &[say("Loot", "items", items(6))], &after);
}
