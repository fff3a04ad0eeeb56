//! Find and replace over levels: asked for by its key, chosen by pictures, counted before it is done.

use std::sync::Arc;

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::NodeT as _;
use levelwright::{
    edit::{Edit, LayeredStamp, Stamp},
    editor::{Action, Command, Dialog, ViewChange},
    model::{FieldPath, Level, OpKind, StampFile, Tile},
    refactor::{NewContent, Replace, ReplaceKind, Request},
};

use crate::window::{Window, courtyard, doc};

#[test]
fn a_tile_is_found_counted_replaced_and_brought_back() {
    let mut window = Window::sample();
    let set = window.editor().project().tileset_named("keep").unwrap();
    let named: Vec<_> = set.tiles.iter().filter(|(_, tile)| !tile.name.is_empty()).collect();
    let used = |id: u32| {
        let levels = window.editor().project().levels();
        let tiles = levels.flat_map(|(_, level)| level.layers.iter().filter_map(|layer| layer.tiles()));
        tiles.flat_map(|tiles| tiles.tiles.iter()).any(|(_, tile)| tile.id() == Some(id))
    };
    let (from, name) = named.iter().find(|(id, _)| !used(**id)).map(|(id, it)| (**id, it.name.clone())).unwrap();
    let (to, other) = named.iter().find(|(id, _)| **id != from).map(|(id, it)| (**id, it.name.clone())).unwrap();
    let turned = Tile::new(from, true, false, false);
    let paint = |layer: &str, x: i32| Edit::PaintTiles {
        doc: courtyard(),
        layer: layer.into(),
        cells: vec![([x, 1], turned), ([x, 2], turned)],
    };
    for edit in [
        paint("ground", 3),
        paint("front", 5),
        Edit::set_at(&courtyard(), FieldPath::keys(["layers", "front", "locked"]), &true),
    ] {
        window.act(Action::Edit(edit));
    }
    let before = window.editor().project().doc(&courtyard()).cloned().unwrap();
    let n_done = window.editor().history().n_done();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(from)))));

    window.key(Modifiers::COMMAND, Key::H);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Refactor));
    assert!(window.has(&format!("Tile to find: {name}")), "what the brush paints");
    assert!(window.says("Choose the tile to replace it with, or nothing"));
    assert!(window.find_role(Role::Button, "Replace").accesskit_node().is_disabled());
    window.click("Tile to replace it with: choose");
    window.find("Search tiles by name or tag").type_text(&other);
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.has(&format!("Tile to replace it with: {other}")));
    assert!(window.editor().dialog().is_some());
    assert!(window.has("ground: 2 tiles"));
    assert!(window.has("front: 2 tiles, locked and left alone"));
    assert!(window.says("2 tiles in 1 level; 2 tiles on locked layers are left alone. Flips stay."));

    window.click(&format!("Tile to replace it with: {other}"));
    window.click_role(Role::Button, "Erase (no tile)");
    assert!(window.has("Tile to replace it with: nothing"));
    assert!(window.says("The cells are empty then."));
    window.click("Tile to replace it with: nothing");
    window.find("Search tiles by name or tag").type_text(&other);
    window.settle();
    window.click_role(Role::ListItem, &other);
    window.click("Only courtyard");
    assert!(window.has("ground: 2 tiles"));
    window.click_role(Role::Button, "Replace");
    assert!(window.editor().dialog().is_none());
    let tile =
        |window: &Window, layer: &str, cell| window.level().1.layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell);
    assert_eq!(tile(&window, "ground", [3, 1]), turned.with_id(to));
    assert_eq!(tile(&window, "front", [5, 1]), turned);
    assert_eq!(window.editor().history().n_done(), n_done + 1, "one step");
    window.command(Command::Undo);
    assert!(Arc::ptr_eq(&before, window.editor().project().doc(&courtyard()).unwrap()));
}

#[test]
fn entities_of_a_definition_become_those_of_another_and_a_row_goes_to_them() {
    let mut window = Window::sample();
    window.command(Command::ReplaceInLevels);
    // A layer of entities is worked on.
    window.click("Definition to find");
    window.find("Search Definition to find").type_text("goblin");
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.says("Choose the definition to replace it with"));
    window.click("Definition to replace it with");
    window.find("Search Definition to replace it with").type_text("crate");
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    let dungeon = doc("levels/dungeon.ron");
    let n_of = |window: &Window, def: &str| {
        let levels = window.editor().project().levels();
        levels.flat_map(|(_, level)| level.entities()).filter(|(.., it)| &*it.def == def).count()
    };
    let (goblins, crates) = (n_of(&window, "goblin"), n_of(&window, "crate"));
    assert!(window.says(&format!("{goblins} entities in 3 levels. What each declares itself stays.")));
    let in_dungeon = window.editor().project().level(&dungeon).unwrap().entities();
    let in_dungeon = in_dungeon.filter(|(.., it)| &*it.def == "goblin").count();
    window.click(&format!("actors: {in_dungeon} entities"));
    assert_eq!(window.level().0, &dungeon, "a row goes there");
    assert_eq!(window.editor().selection().ids_in(&dungeon).len(), 1);
    window.click_role(Role::Button, "Replace");
    assert_eq!((n_of(&window, "goblin"), n_of(&window, "crate")), (0, goblins + crates));
    window.command(Command::ReplaceInLevels);
    window.act(Action::Refactor(Request::Replace(Replace {
        kind: ReplaceKind::Entities,
        def: Some("goblin".into()),
        with_def: Some("crate".into()),
        ..Replace::default()
    })));
    assert!(window.says("There is no entity of goblin in any level"));
    assert!(window.find_role(Role::Button, "Replace").accesskit_node().is_disabled());
}

#[test]
fn stamps_of_the_project_are_found_and_erased() {
    let mut window = Window::sample();
    window.command(Command::ReplaceInLevels);
    window.act(Action::Refactor(Request::Replace(Replace { kind: ReplaceKind::Stamps, ..Replace::default() })));
    assert!(window.says("Choose the stamp to find"));
    window.click("Stamp to find");
    window.find("Search Stamp to find").type_text("oak");
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.says("Choose the stamp to replace it with, or nothing"));
    window.click_role(Role::Button, "Erase (no tile)");
    assert!(window.says("1 stamp in 1 level. Their cells are empty then."), "the sample has one");
    window.click_role(Role::Button, "Replace");

    // Two others where it can be painted.
    let path = window.editor().resolution().stamps.get("oak").unwrap().clone();
    let stamp = window.editor().project().get::<StampFile>(&path).unwrap().clone();
    let oak = LayeredStamp::of_file(&stamp).unwrap();
    let has_all = |level: &Level| oak.parts().iter().all(|part| level.layer(&part.layer).is_some());
    let (level, _) = window.editor().project().levels().find(|(_, level)| has_all(level)).unwrap();
    let level = level.clone();
    for at in [4, 12] {
        for part in oak.parts() {
            let cells = part.tiles.iter().filter(|(_, tile)| !tile.is_empty());
            let cells = cells.map(|([x, y], tile)| ([x + at, y + 4], tile)).collect();
            window.act(Action::Edit(Edit::PaintTiles { doc: level.clone(), layer: part.layer.clone(), cells }));
        }
    }
    let n_done = window.editor().history().n_done();
    window.command(Command::ReplaceInLevels);
    window.act(Action::Refactor(Request::Replace(Replace {
        kind: ReplaceKind::Stamps,
        stamp: Some(path),
        with_stamp: Some(NewContent::Nothing),
        ..Replace::default()
    })));
    assert!(window.says("2 stamps in 1 level. Their cells are empty then."));
    window.click_role(Role::Button, "Replace");
    assert_eq!(window.editor().history().n_done(), n_done + 1, "one step");
    let part = &oak.parts()[0];
    let (cell, _) = part.tiles.iter().find(|(_, tile)| !tile.is_empty()).unwrap();
    let left = window.editor().project().level(&level).unwrap().layer(&part.layer).unwrap().1.tiles().unwrap();
    assert!([4, 12].iter().all(|at| left.tiles.get([cell[0] + at, cell[1] + 4]).is_empty()));
}

#[test]
fn a_value_is_set_for_all_entities_that_fit_a_query() {
    let mut window = Window::sample();
    window.command(Command::ReplaceInLevels);
    window.click("Values");
    assert!(window.says("Choose the field whose values are replaced"));
    window.click("Field to look at");
    window.find("Search Field to look at").type_text("Health.max");
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    window.find("Entities to look at").type_text("def:goblin");
    window.settle();
    window.find("Value to find").type_text("< 7");
    window.settle();
    assert!(window.says("Placed entities will declare it themselves; definitions stay as they are."));
    window.click("Inherited value");
    assert!(window.says("They follow their definitions again."));
    window.click_role(Role::Button, "Replace");
    let level = window.editor().project().level(&courtyard()).unwrap();
    let own = level.entity("i9o4iv").unwrap().1;
    assert!(own.ops.declared(OpKind::Set, "Health", "max").is_none());
}
