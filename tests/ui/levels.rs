//! Working on a level: painting, placing, moving, waypoints; each a step that can be taken back.

use std::sync::Arc;

use egui::{Key, Modifiers, accesskit::Role};
use levelwright::{
    editor::{Action, Command, Selection, ViewChange},
    model::{DocPath, LayerContent, LevelView, Name, Severity, Tile},
    tools::{ShapeStyle, ToolKind},
};

use crate::window::{Window, courtyard, doc};

fn choose_layer(window: &mut Window, name: &str) {
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), name.into())));
}

fn tile(window: &Window, layer: &str, cell: [i32; 2]) -> Tile {
    let (_, level) = window.level();
    let (_, layer) = level.layer(layer).unwrap();
    layer.tiles().unwrap().tiles.get(cell)
}

#[test]
fn the_sample_opens_with_its_level() {
    let window = Window::sample();
    let (path, level) = window.level();
    assert_eq!(*path, courtyard());
    assert!(level.entities().count() > 10);
    assert!(window.has("Level canvas courtyard"));
    assert!(window.editor().unsaved().is_empty());
    let problems = window.editor().problems().iter().map(|it| &it.problem.finding);
    let bad: Vec<_> = problems.filter(|finding| finding.severity != Severity::Hint).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn undo_of_a_stroke_does_not_select_what_was_moved_long_before() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    let selected = |window: &Window| window.editor().view().cells.get(&courtyard()).map(|it| it.len());
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    window.key(Modifiers::NONE, Key::M);
    let (a, b) = (window.cell([10, 3]), window.cell([12, 4]));
    window.drag(a, &[b]);
    window.key(Modifiers::NONE, Key::F);
    window.command(Command::FlipCellsH);
    window.command(Command::RotateCells);
    assert_eq!(selected(&window), Some(6));
    for _ in 0..2 {
        window.command(Command::Undo);
        window.command(Command::Redo);
        assert_eq!(selected(&window), Some(6), "that step has moved them");
    }
    window.command(Command::Deselect);
    assert_eq!(selected(&window), None);
    window.key(Modifiers::NONE, Key::B);
    let at = window.cell([16, 3]);
    window.drag(at, &[at]);
    assert_eq!(tile(&window, "ground", [16, 3]), Tile::id_only(3));
    window.command(Command::Undo);
    assert!(tile(&window, "ground", [16, 3]).is_empty());
    assert_eq!(selected(&window), None, "nothing was selected before the stroke");
}

#[test]
fn tabs_of_many_levels_scroll_and_leave_the_canvas_as_wide_as_it_was() {
    let mut window = Window::changed([1280.0, 720.0], |root| {
        for i in 0..12 {
            let name = format!("levels/the_north_eastern_castle_garden_with_the_old_well_{i:02}.ron");
            std::fs::copy(root.join("levels/training.ron"), root.join(name)).unwrap();
        }
    });
    let before = window.canvas();
    let mut last = None;
    for i in 0..12 {
        let level = doc(&format!("levels/the_north_eastern_castle_garden_with_the_old_well_{i:02}.ron"));
        window.act(Action::OpenLevel(level.clone()));
        last = Some(level);
    }
    window.settle();
    let canvas = window.canvas();
    assert!((canvas.width() - before.width()).abs() < 0.5, "{canvas:?} and {before:?}");
    let close = format!("Close {}", last.as_ref().unwrap().stem());
    let rect = window.find(&close).rect();
    assert!(canvas.x_range().contains(rect.right() - 1.0), "{rect:?} in {canvas:?}");
    window.click(&close);
    assert_ne!(window.editor().view().level, last);
}

#[test]
fn a_stroke_is_one_step_and_undo_gives_the_same_document_back() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    window.key(Modifiers::NONE, Key::B);
    assert_eq!(window.editor().view().tool, ToolKind::Pencil);
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    let before = window.editor().project().doc(&courtyard()).cloned().unwrap();
    let cells = [[10, 3], [11, 3], [12, 3]];
    assert!(cells.iter().all(|cell| tile(&window, "ground", *cell).is_empty()));
    let way: Vec<_> = cells.iter().map(|cell| window.cell(*cell)).collect();
    window.drag(way[0], &way[1..]);
    for cell in cells {
        assert_eq!(tile(&window, "ground", cell), Tile::id_only(3), "{cell:?}");
    }
    assert_eq!(window.editor().history().n_done(), 1);
    assert_eq!(window.editor().unsaved(), [courtyard()]);
    window.key(Modifiers::COMMAND, Key::Z);
    let after = window.editor().project().doc(&courtyard()).cloned().unwrap();
    assert!(Arc::ptr_eq(&before, &after), "undo gives the document back, not a copy");
    assert!(window.editor().unsaved().is_empty());
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(tile(&window, "ground", cells[1]), Tile::id_only(3), "redo");
}

#[test]
fn the_size_of_the_brush_is_changed_by_keys_and_in_the_toolbar() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    window.key(Modifiers::NONE, Key::B);
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    assert!(window.has("Brush size 1"));
    window.key(Modifiers::NONE, Key::CloseBracket);
    window.click("Larger brush");
    assert!(window.has("Brush size 3"));
    let at = window.cell([11, 3]);
    window.click_at(at);
    for cell in [[10, 2], [11, 3], [12, 4]] {
        assert_eq!(tile(&window, "ground", cell), Tile::id_only(3), "{cell:?}");
    }
    window.key(Modifiers::NONE, Key::OpenBracket);
    assert!(window.has("Brush size 2"));
    assert!(!window.has("Outlines only"), "the pencil draws no shapes");
    window.key(Modifiers::NONE, Key::R);
    window.click("Outlines only");
    assert_eq!(window.editor().view().options.shapes, ShapeStyle::Outlined);
}

#[test]
fn a_definition_of_the_palette_is_placed_where_one_clicks() {
    let mut window = Window::sample();
    choose_layer(&mut window, "actors");
    let n_before = window.level().1.entities().count();
    window.click("Place crate");
    assert_eq!(window.editor().view().tool, ToolKind::Entity);
    let at = window.cell([20, 8]);
    window.click_at(at);
    let (_, level) = window.level();
    assert_eq!(level.entities().count(), n_before + 1);
    let (_, id, placed) = level.entities().last().unwrap();
    assert_eq!(&*placed.def, "crate");
    let (id, placed) = (id.clone(), placed.clone());
    assert!((placed.at[0] - 328.0).abs() <= 8.0 && (placed.at[1] - 136.0).abs() <= 8.0, "{:?}", placed.at);
    assert_eq!(window.editor().history().n_done(), 1);
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id] }));
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.level().1.entities().count(), n_before);
}

#[test]
fn a_drag_moves_in_one_step_and_escape_takes_it_back() {
    let mut window = Window::sample();
    choose_layer(&mut window, "actors");
    window.key(Modifiers::NONE, Key::S);
    let place = |window: &Window| window.level().1.entity("zzw7jh").unwrap().1.at;
    let from = place(&window);
    let start = window.at(from);
    window.click_at(start);
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [Name::from("zzw7jh")]);
    assert_eq!(window.editor().history().n_done(), 0, "selecting is no step");

    let to = [from[0] + 64.0, from[1] - 48.0];
    let (half, end) = (window.at([from[0] + 32.0, from[1]]), window.at(to));
    window.drag_to(start, &[half, end]);
    assert_ne!(place(&window), from, "it moves with the pointer");
    window.key(Modifiers::NONE, Key::Escape);
    window.button(end, false);
    window.settle();
    assert_eq!(place(&window), from, "escape takes the drag back");
    assert_eq!(window.editor().history().n_done(), 0);

    window.drag_to(start, &[half, end]);
    window.key(Modifiers::NONE, Key::Delete);
    window.button(end, false);
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1, "deleting takes the drag back first");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(place(&window), from);
    window.click_at(start);

    window.drag(start, &[half, end]);
    let moved = place(&window);
    assert!((moved[0] - to[0]).abs() <= 8.0 && (moved[1] - to[1]).abs() <= 8.0, "{moved:?} is not near {to:?}");
    assert_eq!(window.editor().history().n_done(), 1, "a drag is one step");
    window.click_role(egui::accesskit::Role::Button, "Undo");
    assert_eq!(place(&window), from);
}

#[test]
fn a_drag_with_ctrl_duplicates_in_one_step() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::S);
    let n_before = window.level().1.entities().count();
    let from = window.level().1.entity("zzw7jh").unwrap().1.at;
    let (start, end) = (window.at(from), window.at([from[0] + 64.0, from[1] - 48.0]));
    let hold_ctrl = |window: &Window| {
        window.harness.event(egui::Event::ModifiersChanged(Modifiers::COMMAND | Modifiers::CTRL));
    };
    hold_ctrl(&window);
    window.drag_to(start, &[end]);
    assert_eq!(window.level().1.entities().count(), n_before + 1, "it shows while it is dragged");
    window.key(Modifiers::NONE, Key::Escape);
    window.button(end, false);
    assert_eq!(window.level().1.entities().count(), n_before);
    hold_ctrl(&window);
    window.drag(start, &[end]);
    assert_eq!(window.level().1.entities().count(), n_before + 1);
    assert_eq!(window.level().1.entity("zzw7jh").unwrap().1.at, from);
    let selected = window.editor().selection().ids_in(&courtyard()).to_vec();
    assert!(selected.len() == 1 && selected[0] != Name::from("zzw7jh"), "the copy is selected: {selected:?}");
    let labels: Vec<_> = window.editor().history().steps().map(|(_, step)| step.label().to_owned()).collect();
    assert_eq!(labels, ["Duplicate 1 entity"]);
}

#[test]
fn select_all_on_a_tile_layer_selects_its_cells_and_no_entity() {
    let mut window = Window::sample();
    let n_before = window.level().1.entities().count();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] }));
    choose_layer(&mut window, "ground");
    window.key(Modifiers::COMMAND, Key::A);
    assert_eq!(*window.editor().selection(), Selection::None);
    let [w, h] = window.level().1.size.unwrap();
    assert_eq!(window.editor().view().cells[&courtyard()].len(), (w * h) as usize);
    window.key(Modifiers::COMMAND, Key::D);
    assert_eq!(window.level().1.entities().count(), n_before);
    choose_layer(&mut window, "actors");
    window.key(Modifiers::COMMAND, Key::A);
    let n_actors = window.level().1.layer("actors").unwrap().1.entities().unwrap().len();
    assert_eq!(window.editor().selection().ids_in(&courtyard()).len(), n_actors);
}

#[test]
fn tiles_are_selected_moved_copied_and_limit_the_brush() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    let (from, to) = ([10, 3], [12, 4]);
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    window.key(Modifiers::NONE, Key::M);
    assert_eq!(window.editor().view().tool, ToolKind::SelectCells);
    let (a, b) = (window.cell(from), window.cell(to));
    window.drag(a, &[b]);
    assert_eq!(window.editor().view().cells[&courtyard()].len(), 6);
    assert!(window.says("6 cells selected"));
    assert_eq!(window.editor().history().n_done(), 0, "selecting changes nothing");
    // The brush keeps to the selection.
    window.key(Modifiers::NONE, Key::F);
    assert!((10..=12).all(|x| tile(&window, "ground", [x, 3]) == Tile::id_only(3)));
    window.key(Modifiers::NONE, Key::E);
    let (left, right) = (window.cell([11, 3]), window.cell([16, 3]));
    let beyond = tile(&window, "ground", [16, 3]);
    window.drag(left, &[right]);
    assert!(tile(&window, "ground", [12, 3]).is_empty());
    assert_eq!((tile(&window, "ground", [16, 3]), tile(&window, "ground", [10, 3])), (beyond, Tile::id_only(3)));
    // It is dragged with its tiles, by the arrow keys too.
    window.key(Modifiers::NONE, Key::M);
    let (a, b) = (window.cell([11, 4]), window.cell([12, 5]));
    window.drag(a, &[b]);
    assert_eq!(tile(&window, "ground", [11, 4]), Tile::id_only(3));
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(tile(&window, "ground", [12, 4]), Tile::id_only(3));
    let contains = |window: &Window, cell| window.editor().view().cells[&courtyard()].contains(cell);
    assert!(contains(&window, [14, 5]));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(contains(&window, [11, 4]) && !contains(&window, [14, 5]), "undo moves the selection back");
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!(contains(&window, [14, 5]) && !contains(&window, [11, 4]), "and redo again");
    // A run of arrow keys is one step, and what it passes over stays.
    let n_done = window.editor().history().n_done();
    let under = tile(&window, "ground", [13, 5]);
    for _ in 0..3 {
        window.key(Modifiers::NONE, Key::ArrowDown);
    }
    assert_eq!(window.editor().history().n_done(), n_done, "they go on with the first");
    for _ in 0..3 {
        window.key(Modifiers::NONE, Key::ArrowUp);
    }
    assert_eq!((window.editor().history().n_done(), tile(&window, "ground", [13, 5])), (n_done, under));
    assert!(contains(&window, [14, 5]));
    // Another level that is selected is what Delete means.
    let before = window.level().1.clone();
    window.act(Action::Select(Selection::Document(doc("levels/dungeon.ron"))));
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().dialog(), Some(&levelwright::editor::Dialog::Refactor));
    assert_eq!(*window.level().1, before);
    window.key(Modifiers::NONE, Key::Escape);
    window.act(Action::Select(Selection::None));
    // Copied as text, which another window can read.
    window.harness.event(egui::Event::Copy);
    let text = (0..4).find_map(|_| {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    let text = text.unwrap();
    assert!(text.contains("levelwright_clipboard"), "{text}");
    window.key(Modifiers::NONE, Key::Delete);
    assert!(tile(&window, "ground", [12, 4]).is_empty());
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().view().cells.is_empty());
    window.harness.event(egui::Event::Paste(text));
    window.settle();
    assert_eq!(window.editor().view().tool, ToolKind::Stamp);
    let at = window.cell([20, 3]);
    window.click_at(at);
    let pasted = (18..=22).flat_map(|x| (2..=4).map(move |y| [x, y]));
    assert!(pasted.into_iter().any(|cell| tile(&window, "ground", cell) == Tile::id_only(3)));
}

#[test]
fn undo_and_redo_show_the_level_that_they_change() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    window.act(Action::View(ViewChange::Stamp(levelwright::edit::Stamp::one(Tile::id_only(3)))));
    window.key(Modifiers::NONE, Key::B);
    let at = window.cell([11, 3]);
    window.click_at(at);
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(tile(&window, "ground", [11, 3]).is_empty());
    window.act(Action::OpenLevel(doc("levels/dungeon.ron")));
    window.key(Modifiers::COMMAND, Key::Y);
    assert_eq!((window.level().0, tile(&window, "ground", [11, 3])), (&courtyard(), Tile::id_only(3)));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(tile(&window, "ground", [11, 3]).is_empty(), "undo after redo is its opposite");
}

#[test]
fn the_eye_changes_the_window_and_the_command_the_game() {
    let mut window = Window::sample();
    choose_layer(&mut window, "ground");
    window.click("Hide ground");
    assert!(window.has("Show ground"));
    assert!(window.editor().unsaved().is_empty() && window.editor().history().n_done() == 0);
    window.click("Show ground");
    window.command(Command::LayerInGame);
    let is_drawn = |window: &Window| window.level().1.layer("ground").unwrap().1.visible;
    assert!(!is_drawn(&window) && window.has("Show ground"), "it is hidden here, too, until its eye is opened");
    assert_eq!((window.editor().unsaved().as_slice(), window.editor().history().n_done()), (&[courtyard()][..], 1));
    window.click("Show ground");
    assert!(!is_drawn(&window) && window.has("Hide ground"));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(is_drawn(&window) && window.editor().unsaved().is_empty());
}

#[test]
fn the_properties_of_a_level_are_a_click_away() {
    let mut window = Window::sample();
    let is_shown = |window: &Window, level: &DocPath| {
        *window.editor().selection() == Selection::Document(level.clone()) && window.has("corner_cutting")
    };
    assert!(is_shown(&window, &courtyard()), "when a project opens");
    let person = Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] };
    window.act(Action::Select(person.clone()));
    window.key(Modifiers::NONE, Key::S);
    window.click_at(window.cell([20, 1]));
    assert!(is_shown(&window, &courtyard()), "by a click on nothing");
    window.act(Action::Select(person));
    window.click_role(Role::Button, "courtyard");
    assert!(is_shown(&window, &courtyard()), "by its tab");
    let other = window.editor().project().levels().map(|(doc, _)| doc.clone()).find(|doc| *doc != courtyard()).unwrap();
    window.click(other.stem());
    assert!(is_shown(&window, &other), "by its row");
    assert_eq!(*window.level().0, other);
}

#[test]
fn a_level_is_renamed_duplicated_and_deleted_and_comes_back() {
    let mut window = Window::sample();
    let is_there = |window: &Window, level: &str| window.editor().project().level(&doc(level)).is_some();
    window.key(Modifiers::NONE, Key::F2);
    window.fill("New name", "yard");
    assert!(is_there(&window, "levels/yard.ron") && !is_there(&window, "levels/courtyard.ron"));
    let start = |window: &Window| window.editor().project().file().unwrap().start_level.clone();
    assert_eq!(&*start(&window), "yard", "what names it follows");
    assert_eq!(*window.editor().selection(), Selection::Document(doc("levels/yard.ron")));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(is_there(&window, "levels/courtyard.ron") && &*start(&window) == "courtyard");

    window.act(Action::OpenLevel(courtyard()));
    window.key(Modifiers::COMMAND, Key::D);
    window.fill("Name of the copy", "courtyard");
    assert!(window.editor().dialog().is_some() && window.says("There is already a file"), "a taken name is refused");
    window.fill("Name of the copy", "night");
    assert_eq!(*window.level().0, doc("levels/night.ron"), "the copy is shown");
    assert_eq!(window.editor().project().level(&courtyard()), Some(window.level().1));
    assert_eq!(window.editor().history().n_done(), 1);

    // From the row's context menu; the dialog lists what names it.
    window.find_role(Role::ListItem, "courtyard").click_secondary();
    window.settle();
    window.click_role(Role::Button, "Delete level…");
    assert!(window.says("left unresolved") && window.says("project.ron"));
    window.key(Modifiers::NONE, Key::Enter);
    assert!(!is_there(&window, "levels/courtyard.ron"));
    window.command(Command::SaveAll);
    window.until_written("its file goes", |window| !window.file("levels/courtyard.ron").exists());
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(is_there(&window, "levels/courtyard.ron"));
}

#[test]
fn a_level_is_opened_and_closed_from_its_row() {
    let mut window = Window::sample();
    let choose = |window: &mut Window, level: &str, item: &str| {
        window.find_role(Role::ListItem, level).click_secondary();
        window.settle();
        window.click_role(Role::Button, item);
    };
    choose(&mut window, "dungeon", "Open level");
    assert_eq!(window.level().0, &doc("levels/dungeon.ron"));
    choose(&mut window, "courtyard", "Open level");
    assert_eq!(window.level().0, &courtyard());
    choose(&mut window, "dungeon", "Close level");
    assert_eq!(window.editor().view().open_levels, [courtyard()]);
}

#[test]
fn a_new_level_is_asked_for_and_made_in_one_step() {
    let mut window = Window::sample();
    window.click("New level…");
    assert!(window.editor().dialog().is_some(), "nothing is made unasked");
    assert!(window.has("Tileset: keep"), "the one of the level shown");
    window.fill("Name of the new level", "courtyard");
    assert!(window.editor().dialog().is_some() && window.says("There is already a file"));
    window.fill("Width in cells", "0");
    assert!(window.editor().dialog().is_some() && window.says("A level is 1 to"));
    window.fill("Width in cells", "30");
    window.click("Above");
    window.fill("Name of the new level", "cellar");
    assert!(window.editor().dialog().is_none(), "{:?}", window.editor().notice());
    let (path, level) = window.level();
    assert_eq!((path, level.size, level.view), (&doc("levels/cellar.ron"), Some([30, 24]), Some(LevelView::TopDown)));
    assert_eq!(*window.editor().selection(), Selection::Document(path.clone()));
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.editor().project().level(&doc("levels/cellar.ron")).is_none());
}

#[test]
fn waypoints_are_placed_by_clicks() {
    let mut window = Window::sample();
    choose_layer(&mut window, "patrol");
    window.key(Modifiers::NONE, Key::W);
    let nodes = |window: &Window| match &window.level().1.layer("patrol").unwrap().1.content {
        LayerContent::Waypoints(graph) => (graph.nodes.len(), graph.links.len()),
        _ => unreachable!(),
    };
    let before = nodes(&window);
    let (a, b) = (window.cell([30, 5]), window.cell([36, 5]));
    window.click_at(a);
    assert_eq!(nodes(&window).0, before.0 + 1);
    window.click_at(b);
    assert_eq!(nodes(&window).0, before.0 + 2);
    assert_eq!(window.editor().history().n_done(), 2, "each a step");
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(nodes(&window), before);
}
