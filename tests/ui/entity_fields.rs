//! Shapes, paths, areas and texts of placed entities on the level's canvas: by handles, by the menu, in the Inspector.

use std::{fs, path::Path};

use egui::{Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use levelwright::{
    editor::{Action, Camera, Command, Selection, ViewChange},
    model::Name,
};

use crate::window::{Window, courtyard};

/// Someone who stands on the layer `actors`.
const SOMEONE: &str = "zzw7jh";

/// A component of a game that the program has never heard of, on every goblin.
fn with_zone(root: &Path) {
    let schema = r#"(components: { "Zone": (fields: {
        "area": (type: Shape, default: Box((96.0, 64.0)), at: "shift", canvas: Outline),
        "shift": (type: Vec2),
        "way": (type: List(Vec2), default: [(-20.0, -60.0), (60.0, -60.0)], canvas: Path),
        "note": (type: Str, lines: true, canvas: Text),
    }) })"#;
    fs::write(root.join("schemas/zone.ron"), schema).unwrap();
    let goblins = root.join("entities/goblins.ron");
    let text = fs::read_to_string(&goblins).unwrap();
    let has_zone = text.replacen("set: (", "set: (Zone: (), ", 1);
    assert_ne!(has_zone, text);
    fs::write(goblins, has_zone).unwrap();
}

fn selected() -> Window {
    let mut window = Window::changed([1440.0, 900.0], with_zone);
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![SOMEONE.into()] }));
    window
}

fn value(window: &Window, field: &str) -> Option<String> {
    let (_, it) = window.level().1.entity(SOMEONE)?;
    Some(it.ops.set.get("Zone")?.get(field)?.to_string())
}

fn n_done(window: &Window) -> usize {
    window.editor().history().n_done()
}

#[test]
fn a_corner_on_the_canvas_is_dragged_and_undone_in_one_step() {
    let mut window = selected();
    let before = window.level().1.entity(SOMEONE).unwrap().1.clone();
    let corner = "Zone.area bottom right corner in the level";
    let at = window.find(corner).rect().center();
    let other = window.find("Zone.area top left corner in the level").rect().center();
    let scale = (at.x - other.x) / 96.0;
    window.point(at);
    assert!(window.says("Zone.area bottom right corner (96 × 64 px): Shift for both sides"), "the hint");
    window.drag(at, &[at + vec2(8.0, 8.0) * scale, at + vec2(16.0, 16.0) * scale]);
    let area = value(&window, "area").unwrap();
    assert!(area.starts_with("Box((1") && value(&window, "shift").is_some(), "{area}, kept to the grid");
    assert_eq!((n_done(&window), window.level().1.entity(SOMEONE).unwrap().1.at), (1, before.at));
    let now = window.find(corner).rect().center();
    assert!((now - at - vec2(16.0, 16.0) * scale).length() <= 8.0 * scale, "the handle follows: {at} {now}");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(*window.level().1.entity(SOMEONE).unwrap().1, before);
    // Escape gives it up.
    window.drag_to(at, &[at + vec2(20.0, 20.0)]);
    assert!(value(&window, "area").is_some());
    window.key(Modifiers::NONE, Key::Escape);
    window.button(at, false);
    assert_eq!((value(&window, "area"), n_done(&window)), (None, 0));
    // Several have none, nor have tools that place things.
    window.command(Command::SelectAll);
    assert!(!window.has(corner));
}

#[test]
fn a_point_of_a_path_is_inserted_and_removed() {
    let mut window = selected();
    let middle = window.find("Zone.way middle of edge 0 in the level").rect().center();
    window.drag(middle, &[middle - vec2(0.0, 10.0), middle - vec2(0.0, 40.0)]);
    let way = value(&window, "way").unwrap();
    assert_eq!((way.matches('(').count(), n_done(&window)), (3, 1), "{way}");
    let new = window.find("Zone.way point 1 in the level").rect().center();
    window.point(new);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(value(&window, "way").unwrap(), "[(-20.0, -60.0), (60.0, -60.0)]");
    assert!(window.level().1.entity(SOMEONE).is_some(), "the entity stays");
    assert_eq!(n_done(&window), 2);
    // While a point is dragged out, Delete gives that up and takes nothing away.
    let middle = window.find("Zone.way middle of edge 0 in the level").rect().center();
    window.drag_to(middle, &[middle - vec2(0.0, 10.0), middle - vec2(0.0, 40.0)]);
    window.key(Modifiers::NONE, Key::Delete);
    window.button(middle, false);
    assert_eq!(value(&window, "way").unwrap(), "[(-20.0, -60.0), (60.0, -60.0)]");
    assert_eq!(n_done(&window), 2);
    // The same by the menus of a line and of a point.
    let at = window.find("Zone.way point 0 in the level").rect().center();
    let to = window.find("Zone.way point 1 in the level").rect().center();
    window.right_click_at(at + (to - at) * 0.25);
    window.click_role(Role::Button, "Insert point");
    let way = value(&window, "way").unwrap();
    assert_eq!(way, "[(-20.0, -60.0), (0.0, -60.0), (60.0, -60.0)]");
    window.right_click_at(window.find("Zone.way point 1 in the level").rect().center());
    window.click_role(Role::Button, "Delete point");
    assert_eq!(value(&window, "way").unwrap(), "[(-20.0, -60.0), (60.0, -60.0)]");
    window.right_click_at(window.find("Zone.way point 0 in the level").rect().center());
    window.click_role(Role::Button, "Reverse path");
    assert_eq!(value(&window, "way").unwrap(), "[(60.0, -60.0), (-20.0, -60.0)]");
    window.right_click_at(window.find("Zone.way point 0 in the level").rect().center());
    window.click_role(Role::Button, "Reset Zone.way");
    assert_eq!((value(&window, "way"), n_done(&window)), (None, 6));
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)]);
}

/// Click twice in one frame: frames of a test are further apart than the clicks of a double click.
fn double_click(window: &mut Window, at: Pos2) {
    window.point(at);
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let event = Event::PointerButton { pos: at, button, pressed, modifiers };
        window.harness.input_mut().events.push(event);
    }
    window.settle();
}

fn type_in(window: &mut Window, text: &str) {
    window.harness.event(Event::Text(text.into()));
    window.harness.run_steps(2);
}

const EDITOR: &str = "Zone.note in the level";
const TEXT: &str = "Zone.note of zzw7jh in the level";

#[test]
fn a_text_is_edited_where_it_stands() {
    let mut window = selected();
    // Near enough for texts of what is not selected to show.
    #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
    let center = window.level().1.entity(SOMEONE).unwrap().1.at.map(|x| x as f32);
    window.act(Action::View(ViewChange::Camera(courtyard(), Camera { center: center.into(), scale: 1.0 })));
    let at = window.at(window.level().1.entity(SOMEONE).unwrap().1.at);
    assert!(!window.has(EDITOR) && !window.has(TEXT), "an empty text is not there to click");
    double_click(&mut window, at);
    assert!(window.has(EDITOR));
    type_in(&mut window, "Beware");
    window.key(Modifiers::SHIFT, Key::Enter);
    type_in(&mut window, "of the goblin");
    assert_eq!(value(&window, "note"), None, "not done yet");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(value(&window, "note").as_deref(), Some(r#""Beware\nof the goblin""#));
    assert!(n_done(&window) == 1 && !window.has(EDITOR));
    // A double click on the text itself, while something else is selected; a click elsewhere is done, too.
    window.act(Action::Select(Selection::None));
    let on_text = window.find(TEXT).rect().center();
    double_click(&mut window, on_text);
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)]);
    type_in(&mut window, "Gone");
    let beside = window.canvas().left_bottom() + vec2(20.0, -20.0);
    window.click_at(beside);
    assert_eq!(value(&window, "note").as_deref(), Some(r#""Gone""#), "what was there is replaced");
    assert!(n_done(&window) == 2 && !window.has(EDITOR));
    // One click on it selects.
    window.click_at(window.find(TEXT).rect().center());
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from(SOMEONE)]);
    // With Ctrl it takes it out of the selection.
    let on_text = window.find(TEXT).rect().center();
    window.click_with(on_text, Modifiers::COMMAND);
    assert!(window.editor().selection().ids_in(&courtyard()).is_empty());
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(value(&window, "note"), None);
}

#[test]
fn a_text_is_edited_by_keys_and_by_the_menu() {
    let mut window = selected();
    let at = window.at(window.level().1.entity(SOMEONE).unwrap().1.at);
    // What was typed is dropped by Escape, and what is selected stays.
    for key in [Key::Enter, Key::F2] {
        window.key(Modifiers::NONE, key);
        assert!(window.has(EDITOR), "{key:?}");
        type_in(&mut window, "no");
        window.key(Modifiers::NONE, Key::Escape);
        assert_eq!((value(&window, "note"), n_done(&window), window.has(EDITOR)), (None, 0, false));
    }
    window.right_click_at(at);
    window.click_role(Role::Button, "Edit text");
    type_in(&mut window, "yes");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(value(&window, "note").as_deref(), Some(r#""yes""#));
    // Two have no text to edit, nor has one whose layer is locked.
    window.command(Command::SelectAll);
    assert!(window.app().refusal(Command::EditText).is_some());
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![SOMEONE.into()] }));
    assert_eq!(window.app().refusal(Command::EditText), None);
    window.command(Command::EditText);
    assert!(window.has(EDITOR));
    // The level goes while it is edited: so does the editor.
    window.act(Action::CloseLevel(courtyard()));
    window.act(Action::OpenLevel(courtyard()));
    assert!(!window.has(EDITOR));
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![SOMEONE.into()] }));
    window.command(Command::LockLayer);
    assert!(window.app().refusal(Command::EditText).is_some());
}
