//! Layers with an offset, in a group with another, and with parallax: what tools do happens where the pointer is and is
//! drawn there, also of what runs.

use egui::{Key, Modifiers, Pos2, Shape, accesskit::Role, vec2};
use levelwright::{
    edit::Stamp,
    editor::{Action, Camera, Command, Selection, ViewChange},
    model::{Cell, Name, OpKind, Tile, Value},
    tools::ToolKind,
};

use crate::window::{Window, courtyard};

/// A level whose every layer is in a group that is shifted by 16 and 8 pixels; the tiles and waypoints by 4 more to the
/// right.
fn shifted() -> Window {
    Window::changed([1440.0, 900.0], |root| {
        let schema = r#"(components: { "Door": (fields: { "opens": (type: Entity, default: "") }) })"#;
        std::fs::write(root.join("schemas/doors.ron"), schema).unwrap();
        std::fs::write(root.join("entities/doors.ron"), r#"{ "door": (set: (Door: ())), "rock": () }"#).unwrap();
        let level = r#"(size: (20, 12), tile_size: (16, 16), layers: [
            Group(name: "moved", offset: (16.0, 8.0), layers: [
                Tiles(name: "floor", tileset: "keep", offset: (4.0, 0.0)),
                Entities(name: "actors", entities: { "d": (def: "door", at: (40, 40)), "r": (def: "rock", at: (140, 100)) }),
                Waypoints(name: "ways", offset: (4.0, 0.0)),
            ]),
        ])"#;
        std::fs::write(root.join("levels/courtyard.ron"), level).unwrap();
    })
}

fn painted(window: &Window) -> Vec<Cell> {
    window.level().1.layer("floor").unwrap().1.tiles().unwrap().tiles.iter().map(|(cell, _)| cell).collect()
}

/// Whether something of a shape is drawn around a point of the window.
fn is_around(window: &Window, at: Pos2, is_it: impl Fn(&Shape) -> bool) -> bool {
    let is_near = |shape: &Shape| shape.visual_bounding_rect().center().distance(at) < 1.0;
    window.harness.output().shapes.iter().any(|it| is_it(&it.shape) && is_near(&it.shape))
}

fn is_circle(shape: &Shape) -> bool {
    matches!(shape, Shape::Circle(_))
}

#[test]
fn a_stroke_is_painted_under_the_pointer() {
    let mut window = shifted();
    window.click_role(Role::ListItem, "floor");
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(3)))));
    window.command(Command::Tool(ToolKind::Pencil));
    // The cell in column 1 and row 1 is from 36, 24 to 52, 40.
    let (from, to) = (window.at([37.0, 25.0]), window.at([85.0, 25.0]));
    window.point(from);
    window.settle();
    assert!(window.has("1, 1"), "the status line says so too");
    window.drag(from, &[to]);
    assert_eq!(painted(&window), [[1, 1], [2, 1], [3, 1], [4, 1]]);
    // Keys go from the middle of one of its cells to that of the next.
    window.command(Command::PointByKeys);
    window.key(Modifiers::NONE, Key::ArrowDown);
    let pointer = window.editor().view().pointer.clone().unwrap();
    assert_eq!((pointer.pos, pointer.cell), ([92.0, 48.0], [4, 2]));
    window.key(Modifiers::NONE, Key::Space);
    assert!(painted(&window).contains(&[4, 2]));
    // The selected cells are those in the frame.
    window.command(Command::Tool(ToolKind::SelectCells));
    let corners = [[37.0, 25.0], [67.0, 39.0]].map(|at| window.at(at));
    window.drag(corners[0], &[corners[1]]);
    let cells = window.editor().view().cells[&courtyard()].clone();
    assert_eq!(cells.bounds(), Some(([1, 1], [2, 1])));
}

#[test]
fn a_waypoint_is_drawn_where_it_is_placed() {
    let mut window = shifted();
    window.click_role(Role::ListItem, "ways");
    window.command(Command::Tool(ToolKind::Waypoint));
    let at = window.at([100.0, 72.0]);
    assert!(!is_around(&window, at, is_circle));
    window.click_at(at);
    let ids: Vec<Name> = {
        let layer = window.level().1.layer("ways").unwrap().1;
        let nodes = &layer.waypoints().unwrap().nodes;
        assert_eq!(nodes.values().map(|node| node.at).collect::<Vec<_>>(), [[80.0, 64.0]]);
        nodes.keys().cloned().collect()
    };
    // From elsewhere, so that it is not the ghost of the tool.
    window.point(window.at([250.0, 150.0]));
    window.settle();
    assert!(is_around(&window, at, is_circle));
    window.command(Command::Tool(ToolKind::Select));
    window.point(at);
    window.settle();
    assert!(is_around(&window, at, |shape| matches!(shape, Shape::Rect(_))), "the frame of what a click would take");
    window.click_at(at);
    assert_eq!(window.editor().selection().ids_in(&courtyard()), ids);
}

#[test]
fn an_arrow_is_dropped_on_the_entity_under_the_pointer() {
    let mut window = shifted();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["d".into()] }));
    window.command(Command::Tool(ToolKind::Select));
    // Its lower right corner, where nothing of it would be without its offset.
    let target = window.at([140.0 + 16.0 + 6.0, 100.0 + 8.0 + 6.0]);
    let handle = window.find("Link d to another entity").rect().center();
    window.drag(handle, &[handle + vec2(20.0, 10.0), target]);
    let (_, door) = window.level().1.entity("d").unwrap();
    assert_eq!(
        door.ops.declared(OpKind::Set, "Door", "opens"),
        Some(&Value::str("r")),
        "{:?}",
        window.editor().notice()
    );
}

/// A level with parallax, seen from 160, 96: its things are drawn 80 and 48 pixels from their places.
fn far(tool: ToolKind) -> Window {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        std::fs::write(root.join("entities/rocks.ron"), r#"{ "rock": (set: (Collider: (shape: Box((8, 8))))) }"#)
            .unwrap();
        let level = r#"(size: (20, 12), tile_size: (16, 16), view: TopDown, layers: [
            Tiles(name: "floor", tileset: "keep", parallax: (0.5, 0.5)),
            Entities(name: "actors", parallax: (0.5, 0.5), entities: { "r": (def: "rock", at: (40, 40)) }),
        ])"#;
        std::fs::write(root.join("levels/courtyard.ron"), level).unwrap();
    });
    let camera = Camera { center: [160.0, 96.0].into(), scale: 2.0 };
    window.act(Action::View(ViewChange::Camera(courtyard(), camera)));
    window.command(Command::Tool(tool));
    window
}

#[test]
fn on_a_layer_with_parallax_all_is_where_it_is_seen() {
    let mut window = far(ToolKind::Select);
    let seen = window.at([120.0, 88.0]);
    window.click_at(seen);
    assert_eq!(window.editor().selection().ids_in(&courtyard()), ["r".into()]);
    window.point(window.at([200.0, 150.0]));
    window.settle();
    assert!(is_around(&window, seen, |shape| matches!(shape, Shape::Rect(_))), "the frame of what is selected");
    window.click_role(Role::ListItem, "floor");
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(3)))));
    window.command(Command::Tool(ToolKind::Pencil));
    window.click_at(window.at([81.0, 49.0]));
    assert_eq!(painted(&window), [[0, 0]]);
    window.command(Command::PointByKeys);
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(
        window.editor().view().pointer.as_ref().unwrap().pos,
        [104.0, 56.0],
        "the middle of a cell of the layer"
    );
}

#[test]
fn what_runs_is_clicked_where_it_is_drawn() {
    let mut window = far(ToolKind::Select);
    window.command(Command::StepTick);
    window.until("the level runs", |window| window.editor().preview().is_some_and(|it| it.session.world().tick() > 0));
    let nowhere = window.at([40.0, 40.0]);
    window.click_at(nowhere);
    assert_eq!(window.editor().view().watch, None);
    let seen = window.at([120.0, 88.0]);
    window.click_at(seen);
    assert_eq!(window.editor().view().watch, Some("r".into()));
    assert_eq!(window.editor().selection().ids_in(&courtyard()), ["r".into()]);
    assert!(is_around(&window, seen, |shape| matches!(shape, Shape::Rect(_))), "its frame is there");
}
