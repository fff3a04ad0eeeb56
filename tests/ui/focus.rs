//! Where the keyboard goes: Tab, arrows along lists, fields that are typed into at once, dialogs that Enter confirms,
//! tools that lead to what they place.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, pos2};
use egui_kittest::kittest::{AccessKitNode, NodeT as _};
use levelwright::{
    edit::{Edit, Fragment, Phase, Stamp},
    editor::{Action, Command, Dialog, Pane, Selection, ViewChange},
    model::{DocPath, Tile},
    tools::ToolKind,
};

use crate::window::{Window, courtyard, doc};

impl Window {
    /// The name of what has the keyboard.
    fn focused(&self) -> Option<String> {
        let mut all = self.harness.root().children_recursive().map(|node| node.accesskit_node());
        all.find(AccessKitNode::is_focused).and_then(|node| node.label())
    }

    fn press_key(&mut self, key: Key) {
        self.key(Modifiers::NONE, key);
    }

    fn work_on(&mut self, layer: &str) {
        self.act(Action::View(ViewChange::ActiveLayer(courtyard(), layer.into())));
    }

    fn tool(&self) -> ToolKind {
        self.editor().view().tool
    }

    fn is_on_canvas(&self) -> bool {
        self.focused().is_some_and(|name| name.starts_with("Level canvas"))
    }
}

#[test]
fn a_tooltip_goes_with_the_first_key_and_comes_back_with_the_pointer() {
    let mut window = Window::sample();
    let tip = ToolKind::Eraser.spec().tip;
    let at = window.find("Eraser").rect().center();
    window.point(at);
    window.harness.run_steps(4);
    assert!(window.says(tip));
    window.command(Command::PointByKeys);
    window.key(Modifiers::COMMAND, Key::F6);
    assert!(!window.says(tip), "the keyboard is elsewhere");
    window.point(at + egui::vec2(2.0, 0.0));
    window.harness.run_steps(4);
    assert!(window.says(tip));
}

#[test]
fn tab_goes_around_the_window_by_things_with_names() {
    let mut window = Window::sample_sized([1000.0, 700.0]);
    let mut names: Vec<String> = Vec::new();
    for i in 0..400 {
        window.harness.key_press(Key::Tab);
        window.harness.run_steps(2);
        let Some(id) = window.harness.ctx.memory(egui::Memory::focused) else {
            panic!("nothing has the keyboard after {:?}", names.last())
        };
        let name = window.focused().unwrap_or_else(|| {
            let rect = window.harness.ctx.read_response(id).map(|it| it.rect);
            panic!("stop {i} after {:?} has no name: {rect:?}", names.last())
        });
        if i > 0 && names.first() == Some(&name) {
            break;
        }
        names.push(name);
    }
    assert!(names.len() > 40, "{}", names.len());
    assert!(names.iter().any(|name| name.starts_with("Level canvas")), "{names:?}");
}

#[test]
fn arrows_go_along_lists_and_nowhere_else() {
    let mut window = Window::sample();
    window.find("Pencil").focus();
    window.settle();
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft, Key::ArrowUp] {
        window.press_key(key);
        assert_eq!(window.focused().as_deref(), Some("Pencil"), "{key:?}");
    }
    // From the pane into its list, along it, and Enter.
    window.command(Command::Show(Pane::Layers));
    assert_eq!(window.focused().as_deref(), Some("Layers"));
    window.press_key(Key::ArrowDown);
    assert_eq!(window.focused().as_deref(), Some("actors"), "what is selected there");
    window.press_key(Key::ArrowDown);
    let behind = window.focused().unwrap();
    window.press_key(Key::ArrowRight);
    assert_eq!(window.focused().as_ref(), Some(&behind), "nothing of the list is beside it");
    window.press_key(Key::Enter);
    let (doc, level) = window.level();
    let active = window.editor().view().active_layer_of(doc, level).unwrap();
    assert_eq!(*level.nth_layer(active).unwrap().name, behind);
    window.press_key(Key::ArrowUp);
    assert_eq!(window.focused().as_deref(), Some("actors"));
    // From the search of a list that is longer than its pane, to its end and back.
    window.command(Command::Show(Pane::Project));
    window.press_key(Key::Tab);
    window.press_key(Key::ArrowDown);
    let mut seen = vec![window.focused().unwrap()];
    for _ in 0..200 {
        window.press_key(Key::ArrowDown);
        let now = window.focused().expect("something of the list");
        if seen.last() == Some(&now) {
            break;
        }
        seen.push(now);
    }
    assert!(seen.len() > 30 && seen.iter().any(|name| name == "Schemas"), "{seen:?}");
}

#[test]
fn the_list_of_keys_is_scrolled_by_keys() {
    let mut window = Window::sample_sized([1000.0, 700.0]);
    window.command(Command::Shortcuts);
    let heading = |window: &Window| window.find_role(egui::accesskit::Role::Label, "In the level").rect().top();
    window.press_key(Key::ArrowDown);
    let before = heading(&window);
    window.press_key(Key::PageDown);
    let below = heading(&window);
    assert!(below < before - 100.0, "{before} {below}");
    window.press_key(Key::PageUp);
    assert!(heading(&window) > below + 100.0, "{below} {}", heading(&window));
}

#[test]
fn a_field_reached_by_tab_is_typed_into_at_once() {
    let mut window = Window::sample();
    window.command(Command::NewLevel);
    window.type_text("cellar");
    window.press_key(Key::Tab);
    assert_eq!(window.focused().as_deref(), Some("Width in cells"));
    window.type_text("31");
    window.press_key(Key::Tab);
    window.type_text("12");
    window.key(Modifiers::SHIFT, Key::Tab);
    assert_eq!(window.focused().as_deref(), Some("Width in cells"));
    window.key(Modifiers::SHIFT, Key::Tab);
    assert_eq!(window.focused().as_deref(), Some("Name of the new level"));
    window.type_text("vault");
    window.press_key(Key::Tab);
    window.type_text("32");
    // Enter in a number confirms, once it is read.
    window.press_key(Key::Enter);
    assert_eq!(window.editor().dialog(), None);
    let level = window.editor().project().level(&doc("levels/vault.ron")).unwrap();
    assert_eq!(level.size, Some([32, 12]));
}

#[test]
fn enter_in_a_number_confirms_what_is_valid_and_escape_cancels() {
    let mut window = Window::sample();
    let [w, h] = window.level().1.size.unwrap();
    window.command(Command::ResizeLevel);
    window.fill("New width", "0");
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel), "not as large as that");
    window.fill("New width", "wide");
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel));
    assert!(window.editor().notice().unwrap().contains("New width"), "{:?}", window.editor().notice());
    window.fill("New width", &(w + 3).to_string());
    assert_eq!((window.editor().dialog(), window.level().1.size), (None, Some([w + 3, h])));
    window.command(Command::ResizeLevel);
    window.find("New height").focus();
    window.harness.step();
    window.type_text("7");
    window.press_key(Key::Escape);
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel), "the typing alone");
    window.press_key(Key::Escape);
    assert_eq!((window.editor().dialog(), window.level().1.size), (None, Some([w + 3, h])));
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn a_tool_without_anything_to_place_leads_to_where_it_is_chosen() {
    let mut window = Window::sample();
    window.command(Command::PointByKeys);
    window.press_key(Key::N);
    assert_eq!(window.focused().as_deref(), Some("Search definitions"));
    assert_eq!(window.editor().notice(), Some("Choose in the Palette what to place"));
    window.type_text("cra");
    window.press_key(Key::Enter);
    assert_eq!(window.editor().view().place_def.as_deref(), Some("crate"));
    assert!(window.is_on_canvas(), "{:?}", window.focused());
    let n = window.level().1.entities().count();
    window.press_key(Key::Space);
    assert_eq!(window.level().1.entities().count(), n + 1);
    // Something is chosen by now: its key pressed again leads to others.
    window.press_key(Key::N);
    assert_eq!(window.focused().as_deref(), Some("Search definitions"));
    // Along the cards.
    window.command(Command::Show(Pane::Palette));
    window.key(Modifiers::COMMAND, Key::A);
    window.press_key(Key::Delete);
    window.press_key(Key::ArrowDown);
    assert_eq!(window.focused().as_deref(), Some("Place crate"), "the one in hand");
    window.press_key(Key::ArrowLeft);
    let card = window.focused().unwrap();
    assert!(card.starts_with("Place ") && card != "Place crate", "{card}");
    window.press_key(Key::Enter);
    assert_eq!(window.editor().view().place_def.as_deref(), card.strip_prefix("Place "));
    assert!(window.is_on_canvas());

    // Tiles, and a brush of nothing that is dragged all the same.
    window.work_on("ground");
    window.press_key(Key::B);
    assert_eq!(window.focused().as_deref(), Some("Tiles"));
    let at = window.canvas().center();
    window.drag(at, &[at + egui::vec2(40.0, 0.0)]);
    assert_eq!(window.editor().notice(), Some("Choose a tile in the Palette first"));
    // Stamps, of which the sample has some.
    window.press_key(Key::C);
    let card = window.focused().unwrap();
    assert!(card.starts_with("Stamp "), "{card}");
    window.press_key(Key::ArrowRight);
    assert_ne!(window.focused().as_ref(), Some(&card));
    window.press_key(Key::Enter);
    assert_eq!(window.editor().view().stamps.len(), 1);
    assert!(window.is_on_canvas(), "{:?}", window.focused());
}

#[test]
fn of_many_stamps_those_in_sight_are_laid_out_and_the_one_in_hand_is_brought_there() {
    let mut window = Window::sample();
    let oak = window.editor().project().doc(&doc("stamps/oak.ron")).unwrap().clone();
    let many = (0..300).map(|i| Edit::put_document(doc(&format!("stamps/s{i:03}.ron")), Arc::clone(&oak)));
    let edits: Vec<Edit> = many.collect();
    window.act(Action::Gesture { label: "Add many".to_owned(), edits, phase: Phase::Commit });
    window.command(Command::Show(Pane::Stamps));
    assert!(window.has("Stamp oak") && !window.has("Stamp s200"));
    window.act(Action::View(ViewChange::Stamps(vec![doc("stamps/s200.ron")])));
    window.command(Command::Show(Pane::Stamps));
    assert_eq!(window.focused().as_deref(), Some("Stamp s200"));
    assert!(!window.has("Stamp oak"));
    window.press_key(Key::ArrowRight);
    assert_eq!(window.focused().as_deref(), Some("Stamp s201"));
    for _ in 0..8 {
        window.press_key(Key::ArrowDown);
    }
    let below = window.focused().unwrap();
    assert!(below.starts_with("Stamp s") && !["Stamp s200", "Stamp s201"].contains(&&*below), "{below}");
    window.press_key(Key::Enter);
    assert_eq!(window.editor().view().stamps.len(), 1);
    assert!(window.is_on_canvas());
}

#[test]
fn the_values_of_a_layer_are_chosen_by_arrows() {
    let mut window = Window::sample();
    window.command(Command::AddLayer);
    window.type_text("noise");
    // From the name back to the kinds, and along them.
    window.key(Modifiers::SHIFT, Key::Tab);
    window.press_key(Key::ArrowLeft);
    assert_eq!(window.focused().as_deref(), Some("Values"));
    window.press_key(Key::Space);
    window.press_key(Key::Tab);
    window.press_key(Key::Tab);
    window.press_key(Key::Enter);
    for _ in 0..3 {
        window.click("Add value");
    }
    let brush = |window: &Window| window.editor().view().stamp.iter().next().unwrap().1;
    assert_eq!(brush(&window), Tile::id_only(4));
    window.command(Command::Show(Pane::Palette));
    assert_eq!(window.focused().as_deref(), Some("Paint value 4"));
    window.press_key(Key::ArrowUp);
    window.press_key(Key::ArrowUp);
    assert_eq!((window.focused().as_deref(), brush(&window)), (Some("Paint value 2"), Tile::id_only(2)));
    window.press_key(Key::ArrowDown);
    window.press_key(Key::Enter);
    assert!(window.is_on_canvas());
    assert_eq!((brush(&window), window.tool()), (Tile::id_only(3), ToolKind::Pencil));
    let cell = window.editor().view().pointer.as_ref().unwrap().cell;
    window.press_key(Key::Space);
    assert_eq!(window.level().1.layer("noise").unwrap().1.values().unwrap().values.get(cell), Tile::id_only(3));
}

#[test]
fn escape_gives_back_the_tool_that_was_in_hand_before_a_paste() {
    let mut window = Window::sample();
    let active = |window: &Window| {
        let (doc, level) = window.level();
        let at = window.editor().view().active_layer_of(doc, level).unwrap();
        level.nth_layer(at).unwrap().name.to_string()
    };
    let brush = |window: &Window| window.editor().view().stamp.clone();
    let pasted = Stamp::one(Tile::id_only(5));
    let text = Fragment::Tiles(pasted.clone()).to_text().unwrap();
    // Of entities to tiles and back.
    window.work_on("actors");
    let before = brush(&window);
    window.harness.event(Event::Paste(text.clone()));
    window.settle();
    assert_eq!((window.tool(), brush(&window)), (ToolKind::Stamp, pasted.clone()));
    assert_ne!(active(&window), "actors");
    let at = window.cell([14, 2]);
    window.click_at(at);
    window.press_key(Key::Escape);
    assert_eq!((window.tool(), active(&window).as_str(), brush(&window)), (ToolKind::Select, "actors", before));
    // A brush in hand, too.
    window.work_on("ground");
    let grass = Stamp::one(Tile::id_only(3));
    window.act(Action::View(ViewChange::Stamp(grass.clone())));
    window.press_key(Key::B);
    window.harness.event(Event::Paste(text));
    window.settle();
    window.press_key(Key::Escape);
    assert_eq!((window.tool(), brush(&window)), (ToolKind::Pencil, grass));
    // What the eyedropper takes is kept, and what takes no tool from elsewhere lets go of it no more.
    window.press_key(Key::I);
    let at = window.cell([14, 2]);
    window.click_at(at);
    window.press_key(Key::Escape);
    assert_eq!((window.tool(), brush(&window)), (ToolKind::Pencil, pasted));
    window.press_key(Key::Escape);
    assert_eq!(window.tool(), ToolKind::Pencil);
    // The stamps of the project.
    window.act(Action::View(ViewChange::Stamps(vec![doc("stamps/oak.ron")])));
    assert_eq!(window.tool(), ToolKind::Stamp);
    window.press_key(Key::Escape);
    assert_eq!((window.tool(), window.editor().view().stamps.len()), (ToolKind::Pencil, 0));
}

#[test]
fn a_deleted_layer_leaves_its_neighbor_selected() {
    let mut window = Window::sample();
    let names = |window: &Window| -> Vec<String> {
        window.level().1.all_layers().iter().map(|layer| layer.name.to_string()).collect()
    };
    let all = names(&window);
    window.work_on("ground");
    let at = all.iter().position(|name| name == "ground").unwrap();
    let next = if at > 0 { &all[at - 1] } else { &all[at + 1] };
    window.command(Command::DeleteLayer);
    let selected = |layer: &str| Selection::Layer { doc: courtyard(), layer: layer.into() };
    assert_eq!(*window.editor().selection(), selected(next));
    window.command(Command::Undo);
    // A group, by the key of what is selected.
    window.work_on("actors");
    window.command(Command::GroupLayers);
    window.press_key(Key::Enter);
    let Selection::Layer { layer: group, .. } = window.editor().selection().clone() else { panic!("no group") };
    assert!(window.level().1.layer(&group).unwrap().1.is_group());
    window.act(Action::ShowPane(Pane::Level));
    window.press_key(Key::Delete);
    let Selection::Layer { layer, .. } = window.editor().selection().clone() else { panic!("nothing is selected") };
    assert!(window.level().1.layer(&layer).is_some() && layer != group);
}

#[test]
fn a_new_level_begins_with_its_view_and_the_pointer_inside() {
    let mut window = Window::sample_sized([1000.0, 700.0]);
    window.command(Command::PointByKeys);
    // Far off in another level.
    for _ in 0..6 {
        window.key(Modifiers::COMMAND, Key::ArrowRight);
    }
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text("new level");
    window.press_key(Key::Enter);
    assert_eq!(window.focused().as_deref(), Some("Name of the new level"));
    window.type_text("hut");
    window.press_key(Key::Tab);
    window.type_text("6");
    window.press_key(Key::Tab);
    window.type_text("4");
    window.press_key(Key::Enter);
    let hut: DocPath = doc("levels/hut.ron");
    assert_eq!((window.level().0, window.level().1.size), (&hut, Some([6, 4])));
    assert!(window.is_on_canvas(), "{:?}", window.focused());
    let pointer = window.editor().view().pointer.as_ref().expect("the pointer of keys").cell;
    assert!((0..6).contains(&pointer[0]) && (0..4).contains(&pointer[1]), "{pointer:?}");
    let canvas = window.canvas();
    for corner in [[0, 0], [5, 3]] {
        let at = window.cell(corner);
        assert!(canvas.contains(at), "{corner:?} is seen");
    }
    window.press_key(Key::ArrowLeft);
    let moved = window.editor().view().pointer.as_ref().unwrap().cell;
    assert_eq!(moved, [(pointer[0] - 1).max(0), pointer[1]]);
}

#[test]
fn what_is_typed_counts_before_a_click_on_a_button() {
    for at_once in [false, true] {
        let mut window = Window::sample();
        window.command(Command::NewLevel);
        window.type_text("vault");
        window.find("Height in cells").focus();
        window.harness.step();
        window.type_text("777");
        let at = window.find_role(egui::accesskit::Role::Button, "Create").rect().center();
        if at_once {
            window.click_at_once(at);
        } else {
            window.click_at(at);
        }
        assert_eq!(window.editor().dialog(), None);
        let level = window.editor().project().level(&doc("levels/vault.ron")).unwrap();
        assert_eq!(level.size.unwrap()[1], 777, "all in one frame: {at_once}");

        // A button that stands before the field, in another pane.
        let mut window = Window::sample();
        let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
        let place = |window: &Window| window.level().1.entity(&id).unwrap().1.at;
        window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
        window.set("entity.at y", "200");
        let before = place(&window);
        window.find("entity.at x").focus();
        window.harness.step();
        window.type_text("333");
        let at = window.find("Undo").rect().center();
        if at_once {
            window.click_at_once(at);
        } else {
            window.click_at(at);
        }
        assert_eq!((place(&window), window.editor().history().n_done()), (before, 1), "what was typed is undone");
    }
}

#[test]
fn the_key_of_the_level_always_goes_there_and_escape_goes_back() {
    let mut window = Window::sample();
    let hint = "Arrows move the pointer, Space held with arrows drags; Esc goes back, Ctrl+F6 to the next pane";
    window.command(Command::Show(Pane::Layers));
    window.press_key(Key::ArrowDown);
    let before = window.focused();
    assert_eq!(before.as_deref(), Some("actors"));
    for _ in 0..2 {
        window.key(Modifiers::COMMAND, Key::K);
        assert!(window.is_on_canvas(), "also where it is there already: {:?}", window.focused());
        assert_eq!(window.editor().notice(), Some(hint));
    }
    // First what else there is to cancel.
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id] }));
    window.press_key(Key::Escape);
    assert_eq!(*window.editor().selection(), Selection::None);
    assert!(window.is_on_canvas());
    window.key(Modifiers::COMMAND, Key::K);
    window.press_key(Key::Escape);
    assert_eq!(window.focused(), before, "where it was");
    window.harness.run_steps(3);
    assert_eq!(window.editor().notice(), None, "it would not be true");
    // From the Palette, too.
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.command(Command::Show(Pane::Palette));
    window.type_text("crate");
    window.press_key(Key::Enter);
    assert!(window.is_on_canvas());
    window.press_key(Key::Escape);
    assert!(window.is_on_canvas(), "the tool that places");
    window.press_key(Key::Escape);
    assert_eq!(window.focused().as_deref(), Some("Search definitions"));
    // While it plays, the arrows are the game's.
    window.command(Command::PlayPause);
    window.key(Modifiers::COMMAND, Key::K);
    assert_ne!(window.editor().notice(), Some(hint));
}

#[test]
fn arrows_move_what_is_selected_only_from_the_level_and_a_run_of_them_is_one_step() {
    let mut window = Window::sample();
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    let place = |window: &Window| window.level().1.entity(&id).unwrap().1.at;
    let before = place(&window);
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowDown] {
        window.press_key(key);
    }
    window.key(Modifiers::SHIFT, Key::ArrowLeft);
    assert_eq!(place(&window), [before[0] + 2.0 - 16.0, before[1] + 1.0]);
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(place(&window), before);
    // Something between begins another step.
    window.press_key(Key::ArrowRight);
    window.set("entity.rotation", "10");
    window.find("entity.rotation").focus();
    window.press_key(Key::Escape);
    window.press_key(Key::ArrowRight);
    assert_eq!((place(&window)[0], window.editor().history().n_done()), (before[0] + 2.0, 3));
    // Enter in a field of another pane leaves the keyboard there.
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
    window.fill("entity.at x", "200");
    assert_eq!(window.focused().as_deref(), Some("Edit entity.at x"));
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft] {
        window.press_key(key);
    }
    assert_eq!(place(&window)[0], 200.0);
    window.press_key(Key::Enter);
    assert_eq!(window.focused().as_deref(), Some("entity.at x"));
    window.press_key(Key::Enter);
    window.press_key(Key::Tab);
    assert_eq!(window.focused().as_deref(), Some("entity.at y"));
    // A search for nothing that there is.
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
    window.command(Command::Show(Pane::Palette));
    window.type_text("xyzzy");
    window.press_key(Key::Enter);
    assert!(window.focused().is_some());
    window.press_key(Key::ArrowRight);
    assert_eq!(place(&window)[0], 200.0);
}

#[test]
fn escape_ends_the_typing_of_a_number_in_a_dialog_and_a_drag_alone() {
    let mut window = Window::sample();
    window.command(Command::NewLevel);
    window.find("Height in cells").focus();
    window.harness.step();
    window.type_text("777");
    window.press_key(Key::Escape);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Refactor));
    assert_eq!(window.find("Height in cells").accesskit_node().value().as_deref(), Some("24 cells"));
    window.press_key(Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    // A gesture that is no tool's.
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    let selected = Selection::Things { doc: courtyard(), ids: vec![id] };
    window.act(Action::Select(selected.clone()));
    let at = window.find("Inspector").rect().left_top();
    window.drag_to(at + egui::vec2(10.0, 200.0), &[at + egui::vec2(20.0, 210.0)]);
    window.press_key(Key::Escape);
    window.button(at + egui::vec2(20.0, 210.0), false);
    assert_eq!(*window.editor().selection(), selected);
}

#[test]
fn a_layer_is_renamed_from_its_row_by_key_and_by_a_double_click() {
    let mut window = Window::sample();
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id] }));
    window.command(Command::Show(Pane::Layers));
    window.press_key(Key::ArrowDown);
    window.press_key(Key::ArrowDown);
    let layer = window.focused().unwrap();
    window.press_key(Key::F2);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Refactor));
    assert_eq!(window.find("New name").accesskit_node().value().as_deref(), Some(&*layer));
    window.fill("New name", "renamed");
    assert!(window.level().1.layer("renamed").is_some() && window.level().1.layer(&layer).is_none());
    let at = window.find("actors").rect().center();
    window.point(at);
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        let event = Event::PointerButton { pos: at, button, pressed, modifiers };
        window.harness.input_mut().events.push(event);
    }
    window.settle();
    assert_eq!(window.find("New name").accesskit_node().value().as_deref(), Some("actors"));
}

#[test]
fn keys_are_called_as_they_are_printed_and_searched_as_commands_are() {
    let mut window = Window::sample();
    window.command(Command::Shortcuts);
    for keys in ["[", "Ctrl+]", "Ctrl+=", "Ctrl+-", "`", "Page Up"] {
        assert!(window.says(keys), "{keys}");
    }
    window.type_text("larger brush");
    assert!(window.says("]") && !window.says("Ctrl+]"));
    window.press_key(Key::Escape);
    // Enter takes the first.
    for query in ["light", "dark"] {
        let theme = std::ptr::from_ref(window.app().theme());
        window.command(Command::CommandPalette);
        window.type_text(query);
        window.press_key(Key::Enter);
        assert_ne!(std::ptr::from_ref(window.app().theme()), theme, "{query}");
    }
    window.command(Command::CommandPalette);
    window.type_text("new layer");
    window.press_key(Key::Enter);
    assert!(window.has("Name of the new layer"));
}

#[test]
fn tab_goes_along_the_head_of_the_inspector_from_left_to_right() {
    let mut window = Window::sample();
    let id = window.level().1.layer("actors").unwrap().1.entities().unwrap().keys().next().unwrap().clone();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id] }));
    window.command(Command::Show(Pane::Inspector));
    let mut lefts = Vec::new();
    for _ in 0..3 {
        window.press_key(Key::Tab);
        let id = window.harness.ctx.memory(egui::Memory::focused).unwrap();
        lefts.push(window.harness.ctx.read_response(id).unwrap().rect.left());
    }
    assert_eq!(window.focused().as_deref(), Some("Go to definition"));
    assert!(lefts.is_sorted(), "{lefts:?}");
}

#[test]
fn the_list_of_a_field_stays_in_front_of_its_dialog() {
    let mut window = Window::sample();
    window.command(Command::AddLayer);
    window.click("Image");
    window.click("Image of the new layer");
    let row = window.find("sprites/ball.png").rect().center();
    let in_front = |window: &Window| window.harness.ctx.layer_id_at(row).map(|layer| layer.order);
    assert_eq!(in_front(&window), Some(egui::Order::Foreground));
    window.button(pos2(4.0, 4.0), true);
    assert_eq!(in_front(&window), Some(egui::Order::Foreground), "a press beside both leaves it there");
    window.button(pos2(4.0, 4.0), false);
    window.settle();
    assert!(!window.has("sprites/ball.png"), "the list is closed, and the dialog is not");
    window.click("Image of the new layer");
    window.click_at(row);
    window.click("Add");
    assert_eq!(window.editor().dialog(), None);
}
