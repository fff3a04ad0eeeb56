//! A level built without the mouse: the pointer moved by keys, tiles and definitions chosen in the Palette, panes
//! reached in turn.

use egui::{Event, Key, Modifiers, vec2};
use levelwright::{
    edit::Stamp,
    editor::{Action, Command, Pane, Selection, ViewChange},
    model::Tile,
    tools::ToolKind,
};

use crate::window::{Window, courtyard};

impl Window {
    /// Press or let go of a key.
    fn hold(&mut self, key: Key, pressed: bool) {
        let modifiers = Modifiers::NONE;
        self.harness.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        self.settle();
    }

    fn keys(&mut self, keys: &[Key]) {
        for key in keys {
            self.key(Modifiers::NONE, *key);
        }
    }

    fn tile_at(&self, layer: &str, cell: [i32; 2]) -> Tile {
        self.level().1.layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell)
    }

    fn pointer_cell(&self) -> [i32; 2] {
        self.editor().view().pointer.as_ref().unwrap().cell
    }
}

/// The sample with its ground worked on and the pointer of keys at a cell.
fn at_cell(cell: [f32; 2]) -> Window {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.command(Command::Tool(ToolKind::Pencil));
    let camera = window.editor().view().cameras[&courtyard()];
    let center = cell.map(|x| (x + 0.5) * 16.0);
    let camera = levelwright::editor::Camera { center: glam::Vec2::from(center), ..camera };
    window.act(Action::View(ViewChange::Camera(courtyard(), camera)));
    window.command(Command::PointByKeys);
    window
}

#[test]
fn the_pointer_is_moved_by_keys_and_space_paints_as_the_button_does() {
    let mut window = at_cell([40.0, 6.0]);
    let [x, y] = window.pointer_cell();
    assert_eq!([x, y], [40, 6]);
    let n_done = window.editor().history().n_done();
    let set = window.editor().project().tileset_named("keep").unwrap();
    let brush = Tile::id_only(*set.tiles.keys().next().unwrap());
    window.act(Action::View(ViewChange::Stamp(Stamp::one(brush))));
    window.keys(&[Key::ArrowRight, Key::ArrowDown]);
    assert_eq!(window.pointer_cell(), [x + 1, y + 1]);
    assert!(window.tile_at("ground", [x + 1, y + 1]).is_empty(), "nothing is pressed yet");
    window.hold(Key::Space, true);
    window.keys(&[Key::ArrowRight, Key::ArrowRight]);
    window.hold(Key::Space, false);
    for by in 1..=3 {
        assert_eq!(window.tile_at("ground", [x + by, y + 1]), brush);
    }
    assert_eq!(window.editor().history().n_done(), n_done + 1, "one step");
    window.key(Modifiers::NONE, Key::ArrowDown);
    assert!(window.tile_at("ground", [x + 3, y + 2]).is_empty(), "let go of");

    // Escape takes back what is being done.
    window.hold(Key::Space, true);
    window.key(Modifiers::NONE, Key::ArrowRight);
    window.key(Modifiers::NONE, Key::Escape);
    window.hold(Key::Space, false);
    assert!(window.tile_at("ground", [x + 3, y + 2]).is_empty());
    assert_eq!(window.editor().history().n_done(), n_done + 1);

    // By a pixel, far, and into view.
    window.key(Modifiers::ALT, Key::ArrowLeft);
    let at = window.editor().view().pointer.as_ref().unwrap().pos;
    window.key(Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(window.editor().view().pointer.as_ref().unwrap().pos, [at[0] - 1.0, at[1]]);
    let [from, _] = window.pointer_cell();
    window.key(Modifiers::COMMAND, Key::ArrowRight);
    assert_eq!(window.pointer_cell()[0], from + 8);
    let before = window.editor().view().cameras[&courtyard()];
    for _ in 0..12 {
        window.key(Modifiers::COMMAND, Key::ArrowRight);
    }
    assert_ne!(window.editor().view().cameras[&courtyard()], before, "the view goes along");

    // Escape gives the keyboard back, and the arrows move what is selected again.
    window.keys(&[Key::Escape, Key::Escape]);
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    let place = |window: &Window| window.level().1.entity(&id).unwrap().1.at;
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
    let before = place(&window);
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(place(&window), [before[0] + 1.0, before[1]]);
}

#[test]
fn a_tile_is_chosen_by_arrows_in_the_palette_and_painted() {
    let mut window = at_cell([40.0, 6.0]);
    window.command(Command::Show(Pane::Palette));
    window.keys(&[Key::ArrowRight, Key::ArrowDown, Key::ArrowUp]);
    let chosen = window.editor().view().stamp.clone();
    let set = window.editor().project().tileset_named("keep").unwrap();
    let (id, _) = set.tiles.iter().find(|(_, tile)| tile.at == [1, 0]).unwrap();
    assert_eq!(chosen.iter().map(|(_, tile)| tile).collect::<Vec<_>>(), [Tile::id_only(*id)]);
    window.key(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(window.editor().view().stamp.size(), [2, 1], "Shift takes a rectangle");
    window.key(Modifiers::NONE, Key::ArrowLeft);
    let brush = window.editor().view().stamp.iter().next().unwrap().1;
    window.keys(&[Key::Enter, Key::ArrowRight]);
    let cell = window.pointer_cell();
    window.key(Modifiers::NONE, Key::Space);
    assert_eq!(window.tile_at("ground", cell), brush, "Enter gave the keyboard to the level");
    window.key(Modifiers::NONE, Key::PageUp);
    let (_, level) = window.level();
    let at = level.layer("ground").unwrap().0;
    let active = window.editor().view().active_layer_of(&courtyard(), level).unwrap();
    assert_eq!(active, at + 1, "the layer in front is worked on");
    let in_front = level.all_layers()[at + 1].name.clone();
    assert_eq!(*window.editor().selection(), Selection::Layer { doc: courtyard(), layer: in_front }, "Delete means it");
    window.key(Modifiers::NONE, Key::PageDown);
    assert_eq!(window.editor().view().active_layer_of(&courtyard(), window.level().1), Some(at));
}

#[test]
fn an_entity_is_found_in_the_palette_and_placed_by_keys() {
    let mut window = at_cell([40.0, 6.0]);
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.command(Command::Tool(ToolKind::Entity));
    window.command(Command::Show(Pane::Palette));
    window.harness.event(Event::Text("crate".to_owned()));
    window.settle();
    assert!(window.has("Place crate") && !window.has("Place goblin"));
    let n = window.level().1.entities().count();
    // Past the button that clears the search.
    window.keys(&[Key::Tab, Key::Tab, Key::Enter]);
    assert_eq!(window.editor().view().place_def.as_deref(), Some("crate"));
    window.keys(&[Key::ArrowRight, Key::Space]);
    assert_eq!(window.level().1.entities().count(), n + 1);
    let at = window.editor().view().pointer.as_ref().unwrap().pos;
    let placed = window.editor().selection().ids_in(&courtyard())[0].clone();
    let place = window.level().1.entity(&placed).unwrap().1.at;
    assert!((place[0] - at[0]).abs() <= 8.0 && (place[1] - at[1]).abs() <= 8.0, "{place:?} {at:?}");
}

#[test]
fn panes_get_the_keyboard_in_turn_and_the_mouse_takes_it_back() {
    let mut window = at_cell([40.0, 6.0]);
    let ctx = window.harness.ctx.clone();
    let focused = || ctx.memory(egui::Memory::focused);
    let canvas = focused();
    assert!(canvas.is_some());
    let mut seen = Vec::new();
    loop {
        window.key(Modifiers::COMMAND, Key::F6);
        assert!(focused().is_some() && seen.len() < 20);
        if focused() == canvas {
            break;
        }
        assert!(!seen.contains(&focused()));
        seen.push(focused());
    }
    assert!(seen.len() >= 5, "project, layers, problems, inspector, palette: {}", seen.len());
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::F6);
    assert_eq!(focused(), *seen.last().unwrap());
    // From where the keyboard is, however it came there.
    let after_level = seen[0];
    window.command(Command::Show(Pane::Palette));
    window.command(Command::PointByKeys);
    window.key(Modifiers::COMMAND, Key::F6);
    assert_eq!(focused(), after_level);
    // A dialog gives it back.
    window.command(Command::PointByKeys);
    window.command(Command::NewLevel);
    assert_ne!(focused(), canvas);
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(focused(), canvas);
    let at = window.canvas().center() + vec2(30.0, 30.0);
    window.click_at(at);
    assert_eq!(focused(), None, "the mouse points again");
}

#[test]
fn keys_are_the_games_while_it_plays_and_the_view_can_be_moved_off_the_pointer() {
    let mut window = at_cell([40.0, 6.0]);
    let before = window.editor().view().cameras[&courtyard()];
    let far = levelwright::editor::Camera { center: before.center + glam::Vec2::new(2000.0, 0.0), ..before };
    window.act(Action::View(ViewChange::Camera(courtyard(), far)));
    assert_eq!(window.editor().view().cameras[&courtyard()], far, "the pointer rests");
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_ne!(window.editor().view().cameras[&courtyard()], far, "it is shown where it goes");

    window.command(Command::Tool(ToolKind::Select));
    let level = window.editor().project().doc(&courtyard()).cloned().unwrap();
    window.command(Command::PlayPause);
    window.keys(&[Key::ArrowRight, Key::Space, Key::ArrowRight]);
    assert!(std::sync::Arc::ptr_eq(&level, window.editor().project().doc(&courtyard()).unwrap()));
    assert!(window.editor().view().pointer.is_none());
}
