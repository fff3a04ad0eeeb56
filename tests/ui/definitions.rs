//! The Definitions table: cells typed into, filled, scaled, pasted and reset, each as one step; rows found and sorted,
//! columns chosen; the keyboard.

use egui::{
    Event, Key, Modifiers,
    accesskit::{Role, Toggled},
};
use egui_kittest::kittest::NodeT as _;
use levelwright::{
    editor::{Action, Command, Pane, Selection},
    model::Value,
};

use crate::{
    large::large_game,
    window::{Window, doc},
};

fn table() -> Window {
    let mut window = Window::sample_sized([1440.0, 1200.0]);
    window.act(Action::ShowPane(Pane::Definitions));
    window
}

fn number(window: &Window, def: &str, component: &str, field: &str) -> f64 {
    window.editor().resolution().defs[def].f64(component, field).unwrap()
}

fn health(window: &Window, def: &str) -> f64 {
    number(window, def, "Health", "max")
}

/// What a cell shows.
fn shows(window: &Window, cell: &str) -> String {
    window.find_role(Role::Cell, cell).accesskit_node().value().unwrap_or_default()
}

/// Names of the rows seen, top to bottom.
fn rows(window: &Window) -> Vec<String> {
    let mut rows: Vec<_> = window
        .harness
        .root()
        .children_recursive()
        .filter(|node| node.accesskit_node().role() == Role::RowHeader)
        .map(|node| (node.rect().top(), node.accesskit_node().label().unwrap_or_default()))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

fn pick(window: &mut Window, cell: &str) {
    let at = window.find_role(Role::Cell, cell).rect().center();
    window.click_at(at);
}

fn extend(window: &mut Window, cell: &str) {
    let to = window.find_role(Role::Cell, cell).rect().center();
    let event = |pressed| Event::PointerButton {
        pos: to,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    window.point(to);
    window.harness.event_modifiers(event(true), Modifiers::SHIFT);
    window.harness.run_steps(2);
    window.harness.event_modifiers(event(false), Modifiers::SHIFT);
    window.settle();
}

fn type_text(window: &mut Window, text: &str) {
    for c in text.chars() {
        window.harness.event(Event::Text(c.to_string()));
        window.harness.run_steps(2);
    }
}

fn find(window: &mut Window, text: &str) {
    window.fill("Search definitions", text);
}

#[test]
fn a_cell_is_typed_into_and_enter_goes_on() {
    let mut window = table();
    find(&mut window, "goblin");
    let fast = health(&window, "fast_goblin");
    pick(&mut window, "goblin Health.max");
    type_text(&mut window, "45");
    assert!(window.has("Edit goblin Health.max"));
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(health(&window, "goblin"), 45.0);
    assert_eq!(shows(&window, "goblin Health.max"), "45");
    assert_ne!(health(&window, "fast_goblin"), fast, "who inherits follows");
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(!window.has("Edit goblin Health.max"));
    // The cell below is next; Escape leaves it as it was.
    let before = window.editor().project().clone();
    type_text(&mut window, "1");
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().history().n_done(), 1);
    assert_eq!(*window.editor().project(), before);
    // What is no number stays, with the reason.
    type_text(&mut window, "many");
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.says("`many` is not a number"));
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_ne!(health(&window, "goblin"), 45.0);
}

#[test]
fn what_an_operation_gives_is_shown_while_it_is_typed() {
    let mut window = table();
    find(&mut window, "goblin");
    let all = rows(&window);
    let (first, last) = (all.first().unwrap().clone(), all.last().unwrap().clone());
    pick(&mut window, &format!("{first} Health.max"));
    extend(&mut window, &format!("{last} Health.max"));
    let before: Vec<f64> = all.iter().map(|name| health(&window, name)).collect();
    type_text(&mut window, "5");
    assert!(!window.says(" → "), "a value is no operation");
    window.key(Modifiers::NONE, Key::Escape);
    type_text(&mut window, "x2");
    for x in &before {
        assert!(window.says(&format!("{x} → {}", x * 2.0)), "{x}");
    }
    assert_eq!(window.editor().history().n_done(), 0);
    window.key(Modifiers::COMMAND, Key::Enter);
    let after: Vec<f64> = all.iter().map(|name| health(&window, name)).collect();
    assert_eq!(after, before.iter().map(|x| x * 2.0).collect::<Vec<_>>());
    assert!(!window.says(" → "), "the preview is gone");
}

#[test]
fn a_value_is_filled_down_scaled_and_reset_each_as_one_step() {
    let mut window = table();
    find(&mut window, "goblin");
    let all = rows(&window);
    let (first, last) = (all.first().unwrap().clone(), all.last().unwrap().clone());
    assert!(all.len() >= 3, "{all:?}");
    pick(&mut window, &format!("{first} Health.max"));
    extend(&mut window, &format!("{last} Health.max"));
    let before: Vec<f64> = all.iter().map(|name| health(&window, name)).collect();
    assert!(window.says(&format!("{} cells · min ", all.len())));

    window.fill("Scale factor", "2");
    for (name, before) in all.iter().zip(&before) {
        assert!((health(&window, name) - before * 2.0).abs() < 1e-9, "{name}: {} from {before}", health(&window, name));
    }
    assert_eq!(window.editor().history().n_done(), 1);
    window.fill("Scale factor", "1,5");
    assert!(window.says("`1,5` is not a number; write it with a point"), "a decimal comma makes no pair");
    assert_eq!(window.editor().history().n_done(), 1);
    window.fill("Add amount", "1");
    assert!((health(&window, &last) - before[all.len() - 1] * 2.0 - 1.0).abs() < 1e-9);

    pick(&mut window, &format!("{first} Health.max"));
    extend(&mut window, &format!("{last} Health.max"));
    assert_eq!(window.editor().selection().definitions().len(), all.len(), "the inspector follows");
    window.key(Modifiers::COMMAND, Key::D);
    let top = health(&window, &first);
    assert!(all.iter().all(|name| health(&window, name) == top));
    assert_eq!(window.editor().history().n_done(), 3);
    assert_eq!(
        window.editor().selection().definitions().len(),
        all.len(),
        "the table has Ctrl+D, nothing is duplicated"
    );

    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().history().n_done(), 4);
    assert!(window.editor().resolution().defs.contains_key(&*first), "cells are reset, definitions stay");
    for _ in 0..4 {
        window.key(Modifiers::COMMAND, Key::Z);
    }
    let after: Vec<f64> = all.iter().map(|name| health(&window, name)).collect();
    assert_eq!(after, before);
}

#[test]
fn a_spreadsheet_comes_back_in_another_order() {
    let mut window = table();
    pick(&mut window, "goblin Health.max");
    window.harness.event(Event::Copy);
    window.settle();
    assert!(window.editor().notice().unwrap_or_default().contains("Copied 1 cell"));
    let text = "definition\tWalker.speed\tHealth.max\nchief\t99\t77\ngoblin\t\t12\n";
    window.harness.event(Event::Paste(text.to_owned()));
    window.settle();
    assert_eq!((health(&window, "chief"), health(&window, "goblin")), (77.0, 12.0));
    assert_eq!(number(&window, "chief", "Walker", "speed"), 99.0);
    assert_eq!(window.editor().history().n_done(), 1);

    window.harness.event(Event::Paste("1\tx\n2\ty".to_owned()));
    window.settle();
    let notice = window.editor().notice().unwrap_or_default().to_owned();
    assert!(notice.starts_with("Nothing was pasted"), "{notice}");
    assert_eq!(window.editor().history().n_done(), 1, "nothing is half done");
}

#[test]
fn rows_are_found_sorted_and_folded() {
    let mut window = table();
    let all = rows(&window);
    assert!(all.iter().position(|name| name == "monster") < all.iter().position(|name| name == "goblin"));
    window.click("Fold goblin");
    assert!(!rows(&window).contains(&"fast_goblin".to_owned()));
    find(&mut window, "FAST");
    assert_eq!(rows(&window).last().map(String::as_str), Some("fast_goblin"), "a filter unfolds");
    assert!(rows(&window).contains(&"goblin".to_owned()), "under what it inherits");
    find(&mut window, "no such thing");
    assert!(window.says("No definition matches"));
    window.click("Show all definitions");
    assert!(rows(&window).len() > 5);

    window.click("As a tree");
    window.find_role(Role::ColumnHeader, "Health.max").click();
    window.settle();
    window.find_role(Role::ColumnHeader, "Health.max").click();
    window.settle();
    let shown: Vec<f64> = rows(&window)
        .iter()
        .filter_map(|name| window.editor().resolution().defs[&**name].f64("Health", "max"))
        .collect();
    assert!(shown.len() > 3 && shown.windows(2).all(|pair| pair[0] >= pair[1]), "{shown:?}");
}

#[test]
fn columns_are_chosen() {
    let mut window = table();
    assert!(!window.has("goblin Body.kind"));
    window.click("Columns");
    window.fill("Search columns", "Body kind");
    window.click("Column Body.kind");
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.has("goblin Body.kind"));
    // A closed set of words is chosen from; bare words are found whatever their case.
    pick(&mut window, "goblin Body.kind");
    window.key(Modifiers::NONE, Key::Enter);
    window.click("Kinematic");
    let kind = window.editor().resolution().defs["goblin"].get("Body", "kind").cloned();
    assert_eq!(kind, Some(Value::Symbol("Kinematic".into())));
}

#[test]
fn letters_are_typed_and_the_windows_keys_stay_apart() {
    let mut window = table();
    let tool = window.editor().view().tool;
    pick(&mut window, "goblin Health.max");
    let selected = window.editor().selection().clone();
    assert!(selected.has_definition(&doc("entities/goblins.ron"), "goblin"), "the inspector follows");
    window.harness.key_press(Key::B);
    window.harness.event(Event::Text("b".to_owned()));
    window.settle();
    assert_eq!(window.editor().view().tool, tool, "B is typed");
    assert!(window.has("Edit goblin Health.max"));
    window.key(Modifiers::NONE, Key::Escape);

    // Arrows and Tab go about; the edges hold.
    window.key(Modifiers::NONE, Key::ArrowDown);
    let below = rows(&window);
    let below = &below[below.iter().position(|name| name == "goblin").unwrap() + 1];
    assert!(window.editor().selection().has_definition(&doc("entities/goblins.ron"), below), "{below}");
    window.key(Modifiers::SHIFT, Key::ArrowUp);
    assert_eq!(window.editor().selection().definitions().len(), 2);
    window.key(Modifiers::COMMAND, Key::A);
    assert!(window.says("cells, "));
    window.key(Modifiers::COMMAND, Key::S);
    assert!(!window.has("Edit goblin Health.max"), "shortcuts of the window work");
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::NONE, Key::B);
    assert_ne!(window.editor().view().tool, tool, "without the focus, B is the pencil");
    window.command(Command::Undo);
}

/// How many shapes a step of the window paints. What it costs in time is in `tests/bench/frame.rs`.
fn n_shapes(window: &mut Window) -> usize {
    window.harness.step();
    window.harness.output().shapes.len()
}

#[test]
fn a_frame_paints_what_is_seen_however_many_definitions_there_are() {
    let mut counts = Vec::new();
    for n in [200, 10_000] {
        let mut window = Window::on(large_game(n), [1440.0, 900.0]);
        window.act(Action::ShowPane(Pane::Definitions));
        let at_start = n_shapes(&mut window);
        assert!(rows(&window).len() < 40, "only what is seen is laid out");
        pick(&mut window, "def_0 Health.max");
        window.key(Modifiers::COMMAND, Key::ArrowDown);
        let last = rows(&window).last().cloned().unwrap();
        assert!(shows(&window, &format!("{last} Health.max")).parse::<f64>().is_ok(), "{last}");
        window.act(Action::Select(Selection::None));
        counts.push([at_start, n_shapes(&mut window)]);
    }
    let [few, many] = [counts[0], counts[1]];
    assert!((0..2).all(|i| many[i] < few[i] * 5 / 4), "{counts:?}");
}

#[test]
fn a_number_is_dragged_as_one_step() {
    let mut window = table();
    pick(&mut window, "goblin Health.max");
    let before = health(&window, "goblin");
    let from = window.find("Drag goblin Health.max").rect().center();
    window.drag(from, &[from + egui::vec2(12.0, 0.0), from + egui::vec2(30.0, 0.0)]);
    assert!(health(&window, "goblin") > before, "{before}");
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(health(&window, "goblin"), before);
}

#[test]
fn escape_in_the_menu_leaves_the_cells_and_delete_means_what_was_chosen() {
    let mut window = table();
    pick(&mut window, "goblin Health.max");
    extend(&mut window, "fast_goblin Health.max");
    let is_picked = |window: &Window| {
        let node = window.find_role(Role::Cell, "goblin Health.max");
        node.accesskit_node().toggled() == Some(Toggled::True)
    };
    let at = window.find_role(Role::Cell, "goblin Health.max").rect().center();
    window.point(at);
    for pressed in [true, false] {
        let button = egui::PointerButton::Secondary;
        window.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        window.harness.run_steps(2);
    }
    assert!(window.has("Reset to inherited"));
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.has("Reset to inherited") && is_picked(&window), "the menu is gone, the cells are picked");
    // A definition chosen by its name is what Delete means.
    window.click_role(Role::RowHeader, "fast_goblin");
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.says("Delete fast_goblin"), "it asks, since something uses it");
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().history().n_done(), 0);
    pick(&mut window, "fast_goblin Health.max");
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.editor().dialog().is_none(), "cells are reset as before");
}

#[test]
fn tab_goes_through_the_cells() {
    let mut window = table();
    pick(&mut window, "goblin Body.mass");
    let picked = |window: &Window| -> Vec<String> {
        let all = window.harness.root().children_recursive();
        all.filter(|node| {
            node.accesskit_node().role() == Role::Cell && node.accesskit_node().toggled() == Some(Toggled::True)
        })
        .filter_map(|node| node.accesskit_node().label())
        .collect()
    };
    let first = picked(&window);
    window.key(Modifiers::NONE, Key::Tab);
    assert_ne!(picked(&window), first);
    window.key(Modifiers::SHIFT, Key::Tab);
    assert_eq!(picked(&window), first, "and back");
    assert_eq!(window.editor().history().n_done(), 0);
}

/// The table stands among the middle tabs, and its tools are in reach at every size.
#[test]
fn its_tools_show_in_windows_of_every_size() {
    // The lowest leaves the table less than 170 points.
    for size in [[800.0, 600.0], [1000.0, 700.0], [1280.0, 800.0], [1600.0, 1000.0], [800.0, 380.0]] {
        let mut window = Window::sample_sized(size);
        window.act(Action::ShowPane(Pane::Definitions));
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        let mut shown: Vec<(String, egui::Rect)> = Vec::new();
        for tool in ["Scale factor", "Add amount", "Fill down", "Reset cells", "Columns", "Search definitions"] {
            let rect = window.find(tool).rect();
            assert!(screen.contains_rect(rect) && rect.width() >= 12.0, "{tool} at {size:?}: {rect:?}");
            for (other, at) in &shown {
                assert!(!at.shrink(1.0).intersects(rect.shrink(1.0)), "{tool} over {other} at {size:?}");
            }
            shown.push((tool.to_owned(), rect));
        }
        assert!(window.says("definitions"), "figures at {size:?}");
    }
}

/// The keys of a pane that came to the front are about what it shows, and about nothing behind it.
#[test]
fn keys_mean_the_pane_in_front() {
    let mut window = Window::sample();
    window.command(Command::SelectAll);
    assert!(matches!(window.editor().selection(), Selection::Things { ids, .. } if ids.len() > 50), "the active layer");
    window.command(Command::Deselect);
    window.click_role(Role::Button, "Definitions");
    window.key(Modifiers::COMMAND, Key::A);
    assert!(window.says("Click into the level or the table first"));
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().selection(), &Selection::None, "nothing of the level behind the table");
    assert_eq!(window.editor().history().n_done(), 0);

    // Save writes every file of definitions.
    for name in ["goblin", "bat"] {
        let file = window.editor().resolution().def_docs[name].clone();
        let owner = levelwright::edit::Owner::Def { doc: file, name: name.into() };
        window.act(Action::Edit(levelwright::edit::Edit::set(owner, "Health", "max", Value::Float(7.0))));
    }
    assert_eq!(window.editor().unsaved().len(), 2);
    window.command(Command::Save);
    window.until_written("the files", |window| window.editor().unsaved().is_empty());
}

/// Undo takes the newest step in any file of definitions.
#[test]
fn undo_takes_the_newest_step_of_any_definitions() {
    let mut window = table();
    let docs: Vec<_> = ["goblin", "player"].map(|name| window.editor().resolution().def_docs[name].clone()).into();
    assert_ne!(docs[0], docs[1], "in two files");
    for (name, file) in ["goblin", "player"].into_iter().zip(&docs) {
        let owner = levelwright::edit::Owner::Def { doc: file.clone(), name: name.into() };
        window.act(Action::Edit(levelwright::edit::Edit::set(owner, "Health", "max", Value::Float(33.0))));
    }
    window.act(Action::Select(Selection::definition(docs[0].clone(), "goblin".into())));
    window.act(Action::Command(Command::Undo));
    assert_eq!(health(&window, "goblin"), 33.0);
    assert_ne!(health(&window, "player"), 33.0, "the newest step was in the other file");
}
