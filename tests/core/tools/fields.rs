//! Handles of the fields that the canvas shows at the selected entity: shapes, paths, areas.

use levelwright::{
    edit::Owner,
    editor::TextSpot,
    explain::Drawn,
    tools::{
        FieldGrip, SpotPart, field_edits, field_handles, reset_edits, reversed, shape_handles::Grip, text_edits,
        with_point, without_point,
    },
};

use super::*;

/// An entity at 80,48 with fields of the game's own: its component is known to no line of the program.
fn yard(field: &str, value: &str) -> Table {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [80.0, 48.0])]);
    let source = format!(r#"(components: {{ "Zone": (fields: {{ {field}, "shift": (type: Vec2) }}) }})"#);
    let at = DocPath::new("schemas/game.ron").unwrap();
    let (schema, findings) = levelwright::io::load_one(&at, &source);
    assert!(findings.is_empty(), "{findings:?}");
    table.project.documents.insert(at, Arc::new(schema.unwrap()));
    let at = DocPath::new("entities/all.ron").unwrap();
    let (defs, findings) = levelwright::io::load_one(&at, &format!(r#"{{ "goblin": (set: (Zone: ({value}))) }}"#));
    assert!(findings.is_empty(), "{findings:?}");
    table.project.documents.insert(at, Arc::new(defs.unwrap()));
    table.selection = vec!["a".into()];
    table
}

/// A box of 40 × 32 around the entity.
fn boxed() -> Table {
    yard(r#""area": (type: Shape, at: "shift", max: 100.0)"#, "area: Box((40.0, 32.0))")
}

/// A path to the right of it, and down.
fn path() -> Table {
    yard(r#""way": (type: List(Vec2), canvas: Path)"#, "way: [(0.0, 30.0), (40.0, 30.0)]")
}

fn declared(table: &Table) -> String {
    let ops = &table.level().entity("a").unwrap().1.ops;
    ops.set.values().flat_map(|fields| fields.iter()).map(|(name, value)| format!("{name}: {value}; ")).collect()
}

#[test]
fn a_corner_of_a_shape_is_dragged_into_an_override() {
    let cases = [
        (
            "press @100,64 drag @104,70 release @106,70",
            "area: Box((46.0, 38.0)); shift: (3.0, 3.0); ",
            "the far corner stays",
        ),
        (
            "press @101,65 drag @111,65 release @111,65",
            "area: Box((50.0, 32.0)); shift: (5.0, 0.0); ",
            "held beside its middle",
        ),
        ("press @100,64 shift+drag @104,70 shift+release @104,68", "area: Box((48.0, 40.0)); ", "both sides"),
        (
            "press @100,64 ctrl+drag @110,64 ctrl+release @120,64",
            "area: Box((60.0, 48.0)); shift: (10.0, 8.0); ",
            "in proportion",
        ),
        (
            "press @100,64 drag @106.3,64 release @106.3,64",
            "area: Box((46.0, 32.0)); shift: (3.0, 0.0); ",
            "whole pixels",
        ),
        (
            "press @100,64 alt+drag @106.3,64 alt+release @106.5,64",
            "area: Box((46.5, 32.0)); shift: (3.25, 0.0); ",
            "any place",
        ),
        (
            "press @100,64 drag @20,20 release @20,64",
            "area: Box((1.0, 32.0)); shift: (-19.5, 0.0); ",
            "never inside out",
        ),
    ];
    for (script, after, what) in cases {
        let mut table = boxed();
        table.run(script);
        assert_eq!(declared(&table), after, "{what}");
        assert_eq!((table.history.n_done(), table.out.label.as_deref()), (1, Some("Set Zone.area")), "{what}");
        assert_eq!(table.level().entity("a").unwrap().1.at, [80.0, 48.0], "{what}");
    }
    for script in [
        "press @100,64 drag @120,64 esc",
        "press @100,64 release @100,64",
        "press @100,64 drag @102,64 release @102,64",
    ] {
        let mut table = boxed();
        table.run(script);
        assert_eq!((declared(&table).as_str(), table.history.n_done()), ("", 0), "{script}");
    }
    let mut table = boxed();
    table.run("press @100,64 drag @106,70");
    assert_eq!(table.out.ghost.note.as_deref(), Some("46 × 38 px"));
    assert!(table.run("release @106,70").out.ghost.note.is_none());
    table.run("press @106,70 drag @112,70 release @112,70");
    assert_eq!(declared(&table), "area: Box((52.0, 38.0)); shift: (6.0, 3.0); ", "on from where it is");
}

#[test]
fn a_drag_stops_at_what_the_declaration_allows() {
    let mut table = boxed();
    table.run("press @100,64 drag @190,64 release @190,64");
    let shape = &table.fields(&table.project)[0];
    let Drawn::Shape(Shape::Box([w, _])) = shape.drawn else { panic!() };
    assert!((99.9..=100.0).contains(&w), "{w}");
    // A corner that would make a dent meets a stop on the way.
    let mut table =
        yard(r#""area": (type: Shape)"#, "area: Polygon([(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)])");
    table.run("press @100,68 drag @60,28 release @60,28");
    let Drawn::Shape(Shape::Polygon(points)) = &table.fields(&table.project)[0].drawn else { panic!() };
    assert!(points[2][0].abs() < 0.1 && points[2][1].abs() < 0.1, "{points:?}");
}

#[test]
fn handles_win_within_their_radius_only() {
    let mut table = boxed();
    assert!(table.run("hover @100,64").out.hint.starts_with("Zone.area bottom right corner (40 × 32 px)"));
    assert!(!table.run("hover @90,64").out.hint.contains("Zone"), "between the corners");
    table.run("press @80,48 drag @96,48 release @96,48");
    assert_eq!((declared(&table).as_str(), table.level().entity("a").unwrap().1.at), ("", [96.0, 48.0]), "the body");
    assert!(table.run("hover @96,18").out.hint.contains("rotate"));
    // Seen from far away the handles would leave nothing of the body.
    let small = yard(r#""area": (type: Shape)"#, "area: Box((20.0, 16.0))");
    let field = &small.fields(&small.project)[0];
    assert_eq!(field_handles(field, Extent::default(), 1.0).len(), 0);
    assert_eq!(field_handles(field, Extent::default(), 0.5).len(), 4, "no center: there the entity is held");
    // Of several none has handles, nor what is locked.
    let mut locked = boxed();
    Arc::make_mut(&mut locked.level_mut().layers[1]).locked = true;
    assert!(!locked.run("hover @100,64").out.hint.contains("Zone"));
    let mut other = boxed();
    other.toolbox.take(ToolKind::Entity);
    assert!(!other.run("hover @100,64").out.hint.contains("Zone"), "other tools have a use of their own for the place");
}

#[test]
fn of_two_handles_the_nearer_one_is_grabbed() {
    // The handle to rotate is at 80,18, the point at 84,18.
    let mut table = yard(r#""way": (type: List(Vec2), canvas: Path)"#, "way: [(4.0, -30.0), (60.0, -30.0)]");
    assert!(table.run("hover @81,18").out.hint.contains("rotate"));
    assert!(table.run("hover @83,18").out.hint.starts_with("Zone.way point 0"));
    table.run("press @83,18 drag @83,30 release @83,34");
    assert_eq!(
        (declared(&table).as_str(), table.level().entity("a").unwrap().1.rotation),
        ("way: [(8.0, -16.0), (60.0, -30.0)]; ", 0.0)
    );
}

#[test]
fn handles_turn_and_move_with_the_entity_and_its_layer() {
    let mut table = boxed();
    let layer = Arc::make_mut(&mut table.level_mut().layers[1]);
    layer.offset = [10.0, 0.0];
    let LayerContent::Entities(all) = &mut layer.content else { panic!() };
    Arc::make_mut(&mut all[0]).rotation = 90.0;
    // Clockwise: what was at the bottom right is at the bottom left.
    assert!(table.run("hover @74,68").out.hint.starts_with("Zone.area bottom right corner"));
    table.run("press @74,68 drag @74,78 release @74,78");
    assert_eq!(declared(&table), "area: Box((50.0, 32.0)); shift: (5.0, 0.0); ");
}

#[test]
fn points_are_moved_inserted_added_and_removed() {
    let cases = [
        (
            "press @120,78 drag @128,88 release @129,89",
            "way: [(0.0, 30.0), (48.0, 40.0)]; ",
            "Set Zone.way",
            "kept to the grid",
        ),
        (
            "press @100,78 drag @100,60 release @104,56",
            "way: [(0.0, 30.0), (24.0, 8.0), (40.0, 30.0)]; ",
            "Add a point to Zone.way",
            "out of the middle",
        ),
        (
            "press @136,78 drag @150,78 release @156,80",
            "way: [(0.0, 30.0), (40.0, 30.0), (80.0, 32.0)]; ",
            "Add a point to Zone.way",
            "at the end",
        ),
        (
            "press @64,78 drag @50,78 release @52,80",
            "way: [(-24.0, 32.0), (0.0, 30.0), (40.0, 30.0)]; ",
            "Add a point to Zone.way",
            "before the first",
        ),
    ];
    for (script, after, label, what) in cases {
        let mut table = path();
        table.run(script);
        assert_eq!((declared(&table).as_str(), table.history.n_done()), (after, 1), "{what}");
        assert_eq!(table.out.label.as_deref(), Some(label), "{what}");
    }
    let mut table = path();
    table.run("press @100,78 release @100,78");
    assert_eq!(declared(&table), "", "a click in the middle of a line adds nothing");
    assert_eq!(table.run("press @120,78 drag @128,88").out.ghost.note.as_deref(), Some("2 points, 49 px"));
    let held = |script: &str| path().run(script).out.ghost.spot.clone().unwrap().part;
    let point = |i| SpotPart::Grip(FieldGrip::Of(Grip::Point(i)));
    assert_eq!(held("press @100,78"), SpotPart::Grip(FieldGrip::Middle(0)));
    assert_eq!(held("press @100,78 drag @100,60"), point(1), "the new point is held");
    assert_eq!(held("press @136,78 drag @150,78"), point(2));
    assert_eq!(held("press @64,78 drag @50,78"), point(0));
    // One without points begins below the entity.
    let mut empty = yard(r#""way": (type: List(Vec2), canvas: Path)"#, "");
    empty.run("press @80,72 drag @90,80 release @104,80");
    assert_eq!(declared(&empty), "way: [(24.0, 32.0)]; ");
    empty.run("press @120,80 drag @130,80 release @136,80");
    assert_eq!(declared(&empty), "way: [(24.0, 32.0), (56.0, 32.0)]; ");
}

#[test]
fn an_area_is_closed_from_three_points_on() {
    let handles = |points: &str| {
        let table = yard(r#""area": (type: List(Vec2), canvas: Outline)"#, &format!("area: [{points}]"));
        let field = table.fields(&table.project)[0].clone();
        let all = field_handles(&field, Extent::default(), 1.0);
        all.into_iter().map(|(grip, _)| grip).collect::<Vec<_>>()
    };
    let point = |i| FieldGrip::Of(Grip::Point(i));
    let open = handles("(0, 0), (50, 0)");
    assert_eq!(open, [point(0), point(1), FieldGrip::Middle(0), FieldGrip::Before, FieldGrip::After]);
    let middles = [0, 1, 2].map(FieldGrip::Middle);
    assert_eq!(handles("(0, 0), (50, 0), (0, 50)"), [[0, 1, 2].map(point), middles].concat());
    assert_eq!(handles("(0, 0), (9, 0), (0, 9)"), [0, 1, 2].map(point), "short edges have none in their middle");
}

#[test]
fn lines_and_handles_have_a_menu_of_what_can_be_done() {
    let mut table = path();
    table.run("right+press @110,80");
    let spot = table.out.ghost.spot.clone().unwrap();
    assert_eq!((table.out.menu, spot.part), (Some(MenuTopic::Things), SpotPart::Edge(0, [30.0, 30.0])));
    assert_eq!(table.selection, ["a".into()], "what it is about stays selected");
    let fields = table.fields(&table.project);
    let field = spot.find(&fields).unwrap();
    let way = |field: Option<CanvasField>| field.map(|it| it.value().to_string());
    assert_eq!(way(with_point(field, 0, [30.4, 30.0])).unwrap(), "[(0.0, 30.0), (30.0, 30.0), (40.0, 30.0)]");
    assert_eq!(way(without_point(field, 0)).unwrap(), "[(40.0, 30.0)]");
    assert_eq!(way(without_point(field, 2)), None);
    assert_eq!(way(reversed(field)).unwrap(), "[(40.0, 30.0), (0.0, 30.0)]");
    let owner = Owner::Instance { doc: doc(), layer: "actors".into(), id: "a".into() };
    let edits = field_edits(&table.project, &owner, field, &without_point(field, 1).unwrap());
    apply_all(&mut table.project, &edits).unwrap();
    assert_eq!(declared(&table), "way: [(0.0, 30.0)]; ");
    table.run("right+press @80,78");
    assert_eq!(table.out.ghost.spot.as_ref().unwrap().part, SpotPart::Grip(FieldGrip::Of(Grip::Point(0))));
    // A triangle cannot lose a corner.
    let table = yard(r#""area": (type: Shape)"#, "area: Polygon([(-20, -20), (20, -20), (0, 20)])");
    assert_eq!(way(without_point(&table.fields(&table.project)[0], 0)), None);
}

#[test]
fn what_an_ancestor_appends_or_scales_is_replaced_by_what_is_dragged() {
    let mut table = path();
    let ops = "append: (Zone: (way: [(80.0, 30.0)])), add: (Zone: (shift: (1.0, 1.0)))";
    let text = format!(
        r#"(size: (12, 6), tile_size: (16, 16), layers: [Entities(name: "actors", entities: {{ "a": (def: "goblin", at: (80, 48), {ops}) }})])"#
    );
    let (level, findings) = levelwright::io::load_one(&doc(), &text);
    assert!(findings.is_empty(), "{findings:?}");
    table.project.documents.insert(doc(), Arc::new(level.unwrap()));
    table.run("press @160,78 drag @168,86 release @168,88");
    assert_eq!(declared(&table), "way: [(0.0, 30.0), (40.0, 30.0), (88.0, 40.0)]; ");
    let fields = table.fields(&table.project);
    assert_eq!(fields[0].value().to_string(), "[(0.0, 30.0), (40.0, 30.0), (88.0, 40.0)]", "nothing is appended twice");
}

/// An entity with records that have shapes, paths and texts in them.
fn records() -> Table {
    let area = r#""area": (type: Shape, at: "shift", canvas: Outline), "shift": (type: Vec2)"#;
    let text = r#""text": (type: Str, canvas: Text, lines: true)"#;
    yard(
        &format!(
            r#""home": (type: Struct({{ {area}, "sign": (type: Struct({{ {text} }})) }})), "zones": (type: List(Struct({{ {area}, "name": (type: Str) }})))"#
        ),
        r#"home: (area: Box((40.0, 32.0)), sign: (text: "Keep out")), zones: [(name: "a", area: Circle(3.0)), (name: "b", area: Box((60.0, 40.0)), shift: (8.0, 0.0))]"#,
    )
}

#[test]
fn what_is_in_records_has_handles_and_texts_too() {
    let mut table = records();
    let names = |table: &Table| table.fields(&table.project).iter().map(CanvasField::full).collect::<Vec<_>>();
    assert_eq!(names(&table), ["Zone.home.area", "Zone.home.sign.text", "Zone.zones[0].area", "Zone.zones[1].area"]);
    // Of a record only what is dragged is declared, and what moves it; the rest is inherited.
    table.run("press @100,64 drag @104,70 release @106,70");
    assert_eq!(
        table.level().entity("a").unwrap().1.ops.set["Zone"]["home"].to_string(),
        "(area: Box((44.0, 40.0)), shift: (2.0, 4.0))"
    );
    assert_eq!(table.history.n_done(), 1);
    // Of a list of records the whole list is, once.
    table.run("press @118,68 drag @122,72 release @128,78");
    let zones = table.level().entity("a").unwrap().1.ops.set["Zone"]["zones"].to_string();
    assert_eq!(
        zones,
        r#"[(area: Circle(3.0), shift: (0.0, 0.0), name: "a"), (area: Box((70.0, 52.0)), shift: (13.0, 6.0), name: "b")]"#
    );
    let owner = Owner::Instance { doc: doc(), layer: "actors".into(), id: "a".into() };
    let fields = table.fields(&table.project);
    let edits = text_edits(&table.project, &owner, &fields[1], "Come in");
    apply_all(&mut table.project, &edits).unwrap();
    let fields = table.fields(&table.project);
    assert_eq!((&fields[1].drawn, fields[1].has_lines), (&Drawn::Text("Come in".into()), true));
    assert_eq!(fields[0].drawn, Drawn::Shape(Shape::Box([44.0, 40.0])), "the rest stays");
    assert!(text_edits(&table.project, &owner, &fields[1], "Come in").is_empty());
    // Back to what is inherited: part by part, of a list the whole.
    for (i, left) in [(0, r#"home: (sign: (text: "Come in"))"#), (3, ""), (1, "")] {
        let edits = reset_edits(&table.project, &owner, &table.fields(&table.project)[i]);
        assert!(!edits.is_empty());
        apply_all(&mut table.project, &edits).unwrap();
        assert!(declared(&table).contains(left), "{}", declared(&table));
    }
    assert_eq!(declared(&table), "");
    assert!(reset_edits(&table.project, &owner, &table.fields(&table.project)[3]).is_empty());
}

#[test]
fn the_first_text_of_an_entity_is_the_one_to_edit() {
    let mut table = records();
    let first = |table: &Table| TextSpot::first(&doc(), table.level(), &"a".into(), &table.fields(&table.project));
    assert_eq!(first(&table).map(|it| (it.id, it.field)), Some(("a".into(), "Zone.home.sign.text".into())));
    Arc::make_mut(&mut table.level_mut().layers[1]).locked = true;
    assert_eq!(first(&table), None, "its layer is locked");
    let table = boxed();
    assert_eq!(first(&table), None, "it has none");
}
