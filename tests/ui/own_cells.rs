//! A layer that gets cells of its own size in the Inspector, and is painted then.

use std::sync::Arc;

use egui::{Key, Modifiers, accesskit::Role};
use levelwright::{
    edit::Stamp,
    editor::{Action, Command, ViewChange},
    model::{Cell, CellSet, Layer, Tile},
    tools::ToolKind,
};

use crate::window::{Window, courtyard};

fn ground(window: &Window) -> Arc<Layer> {
    window.level().1.layer("ground").unwrap().1.clone()
}

fn tile(window: &Window, cell: Cell) -> Tile {
    ground(window).tiles().unwrap().tiles.get(cell)
}

#[test]
fn a_layer_gets_cells_of_its_own_and_is_painted_in_them() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "ground");
    assert!(window.says("level's, 16 × 16 px"));
    let before = ground(&window);
    window.click("layer.tile_size is set");
    assert_eq!(ground(&window).tile_size(), Some([16, 16]), "it begins as the level's");
    window.fill("layer.tile_size x", "8");
    window.fill("layer.tile_size y", "8");
    assert_eq!(ground(&window).tile_size(), Some([8, 8]));
    assert_eq!(ground(&window).tiles().unwrap().tiles, before.tiles().unwrap().tiles, "tiles keep their cells");
    // The pointer is in a cell of 8 pixels, and so is what is painted there.
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(3)))));
    window.command(Command::Tool(ToolKind::Pencil));
    let at = window.at([1003.0, 44.0]);
    window.point(at);
    window.settle();
    assert!(window.says("125, 5 of 8 × 8 px"), "the cell under the pointer");
    window.click_at(at);
    assert_eq!(tile(&window, [125, 5]), Tile::id_only(3));
    // The level is 128 cells of 16 pixels wide: the last of 8 is 255.
    let [width, height] = window.level().1.size.unwrap();
    assert_eq!(window.level().1.grid_of(&ground(&window)).size, Some([width * 2, height * 2]));
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(tile(&window, [125, 5]), before.tiles().unwrap().tiles.get([125, 5]));
    // Two numbers are two steps, the switch is one.
    (0..3).for_each(|_| window.key(Modifiers::COMMAND, Key::Z));
    assert_eq!(ground(&window), before);
}

#[test]
fn what_is_selected_is_let_go_of_where_cells_are_of_another_size() {
    let mut window = Window::changed([1280.0, 800.0], |root| {
        let at = root.join("levels/courtyard.ron");
        let text = std::fs::read_to_string(&at).unwrap();
        let fine = "Tiles(name: \"fine\", tileset: \"keep\", tile_size: (8, 8)),\n        Tiles(\n            name: \"ground\"";
        std::fs::write(&at, text.replacen("Tiles(\n            name: \"ground\"", fine, 1)).unwrap();
    });
    let select = |window: &mut Window, layer: &str| {
        window.click_role(Role::ListItem, layer);
        window.command(Command::Tool(ToolKind::SelectCells));
        let (from, to) = (window.at([4.0, 4.0]), window.at([28.0, 12.0]));
        window.drag(from, &[to]);
        window.editor().view().cells.get(&courtyard()).map(|cells| CellSet::clone(cells))
    };
    assert_eq!(select(&mut window, "ground"), Some(CellSet::rectangle([0, 0], [1, 0])));
    assert_eq!(select(&mut window, "fine"), Some(CellSet::rectangle([0, 0], [3, 1])));
    window.click_role(Role::ListItem, "ground");
    assert!(!window.editor().view().cells.contains_key(&courtyard()));
    assert!(window.says("Nothing is selected any more: “ground” has cells of another size"));
    // Layers of other cells are not worked on together.
    select(&mut window, "fine");
    window.command(Command::ToggleAllLayers);
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.says("lock or hide it, or work on one layer"));
}

#[test]
fn the_tile_size_of_a_layer_is_set_in_one_step_and_its_tiles_keep_their_places() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "ground");
    let before = ground(&window);
    let (cell, tile_there) = before.tiles().unwrap().tiles.iter().next().unwrap();
    window.click("Set tile size…");
    window.set("Cell width", "8");
    window.set("Cell height", "8");
    window.click_role(Role::Button, "Set");
    assert_eq!(window.editor().dialog(), None);
    assert_eq!((ground(&window).tile_size(), window.editor().history().n_done()), (Some([8, 8]), 1));
    assert_eq!(tile(&window, cell.map(|at| at * 2)), tile_there);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(ground(&window), before);
    // Four tiles would come into one cell.
    window.command(Command::LayerCells);
    window.set("Cell width", "32");
    window.set("Cell height", "32");
    assert!(window.says("would be lost"));
    window.click("Tiles may be lost where several come into one cell");
    window.click_role(Role::Button, "Set");
    assert_eq!(ground(&window).tile_size(), Some([32, 32]));
    window.click_role(Role::ListItem, "actors");
    assert_eq!(window.app().refusal(Command::LayerCells).unwrap(), "Choose a layer of tiles or values first");
}
