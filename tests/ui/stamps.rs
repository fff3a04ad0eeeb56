//! Stamps: kept from a selection or the brush, painted from the Stamps pane, pasted over all layers.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, accesskit::Role};
use levelwright::{
    editor::{Action, Command, Pane, ViewChange},
    model::{CellSet, StampFile, Tile},
    tools::ToolKind,
};

use crate::window::{Window, courtyard, doc};

fn tile(window: &Window, layer: &str, cell: [i32; 2]) -> Tile {
    let (_, level) = window.level();
    level.layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell)
}

/// A window in which two tiles of the ground and one in front of them are selected.
fn selected() -> Window {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    let paint = |layer: &str, cells: Vec<([i32; 2], Tile)>| {
        Action::Edit(levelwright::edit::Edit::PaintTiles { doc: courtyard(), layer: layer.into(), cells })
    };
    window.act(paint("ground", vec![([10, 4], Tile::id_only(3)), ([11, 4], Tile::id_only(4))]));
    window.act(paint("front", vec![([10, 4], Tile::id_only(5))]));
    window.command(Command::Tool(ToolKind::SelectCells));
    let (a, b) = (window.cell([10, 4]), window.cell([11, 4]));
    window.drag(a, &[b]);
    assert_eq!(window.editor().view().cells[&courtyard()], Arc::new(CellSet::rectangle([10, 4], [11, 4])));
    window
}

fn named(window: &mut Window, command: Command, name: &str) {
    window.command(command);
    window.fill("Name of the new stamp", name);
}

#[test]
fn a_stamp_of_all_layers_is_kept_and_painted_from_its_picture() {
    let mut window = selected();
    window.command(Command::ToggleAllLayers);
    named(&mut window, Command::NewStampFromCells, "bush");
    let file: &StampFile = window.editor().project().get(&doc("stamps/bush.ron")).unwrap();
    let names: Vec<&str> = file.layers.iter().map(|layer| &*layer.name).collect();
    assert_eq!((file.size, names), ([2, 1], vec!["ground", "front"]));
    assert_eq!(window.editor().view().tool, ToolKind::Stamp, "it is in hand at once");
    assert!(window.editor().view().cells.is_empty(), "and may be painted anywhere");
    window.command(Command::Tool(ToolKind::Select));
    window.act(Action::ShowPane(Pane::Stamps));
    window.click("Stamp bush");
    assert_eq!(window.editor().view().tool, ToolKind::Stamp);
    let at = window.cell([14, 2]);
    window.click_at(at);
    let painted = [([14, 2], "ground", 3), ([15, 2], "ground", 4), ([14, 2], "front", 5)];
    for (cell, layer, id) in painted {
        assert_eq!(tile(&window, layer, cell), Tile::id_only(id), "{layer} {cell:?}");
    }
    assert_eq!(window.editor().history().next(None, false).unwrap().label(), "Paint stamp bush");
    window.command(Command::FlipStampH);
    let at = window.cell([14, 6]);
    window.point(at);
    window.click_at(at);
    assert_eq!(tile(&window, "front", [15, 6]), Tile::id_only(5).toggled('h'), "all layers are mirrored");
    window.command(Command::SaveAll);
    assert!(window.file("stamps/bush.ron").exists());
}

#[test]
fn stamps_are_weighed_painted_at_random_duplicated_renamed_and_deleted() {
    let mut window = selected();
    named(&mut window, Command::NewStampFromCells, "bush");
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(9)))));
    named(&mut window, Command::NewStampFromBrush, "stone");
    window.fill("Weight of the stamp", "2.5");
    let weight = |window: &Window| window.editor().project().get::<StampFile>(&doc("stamps/stone.ron")).unwrap().weight;
    assert!((weight(&window) - 2.5).abs() < 1e-9);
    assert!((window.editor().view().stamps[0].weight - 2.5).abs() < 1e-9, "the one in hand, too");
    let at = window.find("Stamp bush").rect().center();
    window.click_with(at, Modifiers::COMMAND);
    assert_eq!(window.editor().view().stamps.len(), 2);
    assert!(window.says("2 stamps at random"));
    window.right_click_at(at);
    window.click_role(Role::Button, "Duplicate");
    assert!(window.has("Stamp bush_2"));
    let at = window.find("Stamp bush_2").rect().center();
    window.right_click_at(at);
    window.click_role(Role::Button, "Delete");
    assert!(!window.has("Stamp bush_2"));
    let at = window.find("Stamp stone").rect().center();
    window.right_click_at(at);
    window.click_role(Role::Button, "Rename…");
    window.fill("New name", "pebble");
    assert!(window.has("Stamp pebble"));
    let docs: Vec<_> = window.editor().view().stamps.iter().filter_map(|held| held.doc.clone()).collect();
    assert!(docs.contains(&doc("stamps/pebble.ron")), "it stays in hand: {docs:?}");
}

#[test]
fn what_is_copied_of_all_layers_is_in_hand_when_pasted() {
    let mut window = selected();
    window.command(Command::ToggleAllLayers);
    window.harness.event(Event::Copy);
    let text = (0..4).find_map(|_| {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().view().cells.is_empty());
    let before = window.editor().history().n_done();
    window.harness.event(Event::Paste(text.unwrap()));
    window.settle();
    assert_eq!((window.editor().view().tool, window.editor().history().n_done()), (ToolKind::Stamp, before));
    let at = window.cell([14, 2]);
    window.click_at(at);
    assert_eq!(tile(&window, "front", [14, 2]), Tile::id_only(5));
    assert_eq!(tile(&window, "ground", [15, 2]), Tile::id_only(4));
    assert_eq!(window.editor().history().n_done(), before + 1);
}
