//! The Layers pane: layers are chosen, added, dragged, copied, locked and deleted there, in a narrow window too.

use egui::{Key, Modifiers, accesskit::Role};
use levelwright::{
    edit::Stamp,
    editor::{Action, Command, Selection, ViewChange},
    model::{Name, Tile},
    tools::ToolKind,
};

use crate::window::{Window, courtyard, doc};

/// The layers from the back.
fn names(window: &Window) -> Vec<Name> {
    window.level().1.layers.iter().map(|layer| layer.name.clone()).collect()
}

fn layer(name: &str) -> Selection {
    Selection::Layer { doc: courtyard(), layer: name.into() }
}

fn row(window: &Window, name: &str) -> egui::Rect {
    window.find_role(Role::ListItem, name).rect()
}

#[test]
fn a_click_on_a_row_works_on_the_layer_and_shows_it() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "ground");
    assert_eq!(*window.editor().selection(), layer("ground"));
    assert_eq!(&*window.editor().view().active_layer[&courtyard()], "ground");
    assert!(window.has("layer.parallax x"), "its properties are in the Inspector");
}

#[test]
fn a_layer_is_added_with_its_kind_and_name_in_one_step() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "ground");
    let at = names(&window).iter().position(|name| &**name == "ground").unwrap();
    window.click("Add layer");
    assert!(window.editor().dialog().is_some() && window.has("Tileset: keep"));
    window.click_role(Role::Button, "Entities");
    assert!(!window.has("Tileset: keep"));
    window.fill("Name of the new layer", "ground");
    assert!(window.says("courtyard already has a layer `ground`") && window.editor().dialog().is_some());
    window.fill("Name of the new layer", "birds");
    assert!(window.editor().dialog().is_none());
    assert_eq!(&*names(&window)[at + 1], "birds", "in front of the active one");
    assert_eq!(*window.editor().selection(), layer("birds"));
    assert_eq!(&*window.editor().view().active_layer[&courtyard()], "birds");
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn a_row_that_is_dragged_moves_its_layer_in_one_step() {
    let mut window = Window::sample();
    let before = names(&window);
    let n = before.len();
    let (front, back) = (row(&window, &before[n - 1]), row(&window, &before[n - 3]));
    // Below the middle of the third row: behind it.
    window.drag(front.center(), &[front.center() + egui::vec2(0.0, 12.0), back.center() + egui::vec2(0.0, 6.0)]);
    let mut expected = before.clone();
    let dragged = expected.remove(n - 1);
    expected.insert(n - 3, dragged);
    assert_eq!(names(&window), expected);
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(names(&window), before);
    // The same by keys.
    window.click_role(Role::ListItem, &before[n - 1]);
    window.key(Modifiers::COMMAND, Key::PageDown);
    window.key(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(names(&window), expected);
    window.key(Modifiers::COMMAND, Key::PageUp);
    window.click("Bring layer forward");
    assert_eq!(names(&window), before);
    window.command(Command::RaiseLayer);
    assert_eq!(window.editor().notice(), Some("No layer is in front of it"));
}

#[test]
fn a_layer_is_copied_locked_and_deleted() {
    let mut window = Window::sample();
    let before = names(&window);
    window.click_role(Role::ListItem, "actors");
    window.key(Modifiers::COMMAND, Key::D);
    assert_eq!(*window.editor().selection(), layer("actors_2"));
    let n_of = |window: &Window, name: &str| window.level().1.layer(name).unwrap().1.entities().unwrap().len();
    assert_eq!(n_of(&window, "actors_2"), n_of(&window, "actors"));
    assert_eq!(window.editor().history().n_done(), 1);
    window.command(Command::LockLayer);
    assert!(window.level().1.layer("actors_2").unwrap().1.locked);
    window.command(Command::DeleteLayer);
    assert_eq!(window.editor().notice(), Some("Unlock “actors_2” to delete it"));
    window.command(Command::LockLayer);
    window.click("Delete layer");
    assert_eq!(names(&window), before);
    assert!(window.says("Deleted layer actors_2"), "{:?}", window.editor().notice());
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.level().1.layer("actors_2").is_some());
}

#[test]
fn one_layer_is_shown_alone_and_then_what_was_shown_before() {
    let mut window = Window::sample();
    let shown = |window: &Window| -> Vec<Name> {
        let (doc, level) = window.level();
        let view = window.editor().view();
        level.layers.iter().filter(|layer| view.shows(doc, level, layer)).map(|layer| layer.name.clone()).collect()
    };
    window.click("Hide walls");
    let before = shown(&window);
    window.find("Hide ground").click_modifiers(Modifiers::ALT);
    window.settle();
    assert_eq!(shown(&window), ["ground".into()]);
    // By the command, which is about the active layer: from one to another, and back to all.
    window.click_role(Role::ListItem, "actors");
    window.key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::H);
    assert_eq!(shown(&window), ["actors".into()]);
    window.key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::H);
    assert_eq!(shown(&window), before);
    assert_eq!(window.editor().history().n_done(), 0, "nothing of the project is changed");
}

#[test]
fn the_other_layers_are_locked_and_unlocked_in_one_step() {
    let mut window = Window::sample();
    let locked = |window: &Window| -> Vec<Name> {
        let level = window.level().1;
        level.layers.iter().filter(|layer| layer.locked).map(|layer| layer.name.clone()).collect()
    };
    window.find_role(Role::ListItem, "ground").click_secondary();
    window.settle();
    window.click("Lock other layers");
    let others: Vec<Name> = names(&window).into_iter().filter(|name| &**name != "ground").collect();
    assert_eq!(locked(&window), others);
    assert_eq!(window.editor().history().n_done(), 1);
    window.find_role(Role::ListItem, "ground").click_secondary();
    window.settle();
    window.click("Unlock other layers");
    assert_eq!(locked(&window), Vec::<Name>::new());
}

#[test]
fn the_active_layer_is_highlighted_by_a_key() {
    let mut window = Window::sample();
    for is_on in [true, false] {
        window.key(Modifiers::SHIFT, Key::H);
        assert_eq!(window.editor().view().overlays.highlight, is_on);
    }
    window.click("Highlight active layer");
    assert!(window.editor().view().overlays.highlight);
    // A capital letter that is typed is text.
    window.find("Search the project").focus();
    window.harness.step();
    window.key(Modifiers::SHIFT, Key::H);
    assert!(window.editor().view().overlays.highlight);
}

#[test]
fn the_row_of_the_active_layer_comes_into_view() {
    let mut window = Window::sample_sized([1280.0, 720.0]);
    assert!(row(&window, "sky").bottom() > 720.0);
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "sky".into())));
    assert!(row(&window, "sky").bottom() < 700.0);
    window.command(Command::DuplicateLayer);
    assert!(row(&window, "sky_2").bottom() < 700.0);
}

#[test]
fn what_leaves_a_name_whole_stands_beside_it_in_a_small_window() {
    let mut window = Window::sample_sized([900.0, 600.0]);
    window.point(window.canvas().center());
    let (pane, lock) = (row(&window, "front"), window.find("Lock front").rect());
    assert!(lock.left() >= pane.right() && lock.right() <= pane.right() + 30.0, "{lock:?} is beside {pane:?}");
}

#[test]
fn names_have_room_in_a_small_window() {
    let mut window = Window::sample_sized([1000.0, 700.0]);
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.point(window.canvas().center());
    let pane = row(&window, "ground").union(window.find("Lock ground").rect());
    assert!(pane.width() > 100.0, "{pane:?}");
    let delete = window.find_role(Role::Button, "Delete layer").rect();
    let opacity = window.find("Layer opacity").rect();
    assert!(
        opacity.left() >= delete.right() || opacity.top() >= delete.bottom(),
        "below, where there is no room beside"
    );
    assert!(opacity.right() <= pane.right() + 8.0, "{opacity:?} is within the pane {pane:?}");
    assert!(delete.right() <= pane.right() + 8.0, "{delete:?} is within the pane {pane:?}");
    // What stands beside a name elsewhere is in its menu here.
    window.find_role(Role::ListItem, "ground").click_secondary();
    window.settle();
    for item in [
        "Rename…",
        "Duplicate layer",
        "Delete layer",
        "Bring layer forward",
        "Send layer back",
        "Hide “ground” in the game",
        "Lock “ground”",
        "Lock other layers",
        "Show only this layer",
    ] {
        assert!(window.has(item), "{item}");
    }
    window.click("Lock “ground”");
    assert!(window.level().1.layer("ground").unwrap().1.locked && window.has("Unlock ground"));
}

#[test]
fn a_value_layer_is_added_named_colored_and_painted() {
    let mut window = Window::sample();
    window.click("Add layer");
    window.click_role(Role::Button, "Values");
    window.fill("Name of the new layer", "noise");
    let values = |window: &Window| window.level().1.layer("noise").unwrap().1.values().unwrap().clone();
    assert!(window.has("Paint value 1"), "its values are in the Palette");
    window.click("Add value");
    window.fill("Name of value 2", "loud");
    assert_eq!(values(&window).called(2), "loud");
    window.click("Paint loud");
    assert_eq!(window.editor().view().tool, ToolKind::Pencil);
    let (from, to) = (window.cell([2, 2]), window.cell([5, 2]));
    window.drag(from, &[to]);
    let painted = |window: &Window, x: i32| values(window).values.get([x, 2]).id();
    assert_eq!([1, 2, 5, 6].map(|x| painted(&window, x)), [None, Some(2), Some(2), None]);
    let n = window.editor().history().n_done();
    window.click("Delete loud");
    assert_eq!((values(&window).names.len(), painted(&window, 3)), (1, Some(2)), "cells keep their number");
    assert_eq!(window.editor().history().n_done(), n + 1);
    // Another layer's brush means nothing on this one.
    window.click_role(Role::ListItem, "ground");
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(9)))));
    window.click_role(Role::ListItem, "noise");
    assert_eq!(window.editor().view().stamp, Stamp::one(Tile::id_only(1)));
}

#[test]
fn a_layer_is_merged_down_from_its_menu_in_one_step() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "ground");
    window.command(Command::DuplicateLayer);
    let n = names(&window).len();
    window.find_role(Role::ListItem, "ground_2").click_secondary();
    window.settle();
    window.click("Merge layer down");
    assert_eq!(names(&window).len(), n - 1);
    assert_eq!(*window.editor().selection(), layer("ground"));
    assert_eq!(window.editor().history().n_done(), 2);
    window.click_role(Role::ListItem, "actors");
    let why = window.app().refusal(Command::MergeLayerDown).unwrap();
    assert!(why.contains("do not both hold tiles"), "{why}");
}

/// The layers from the back, each after `group/` of those around it.
fn tree(window: &Window) -> Vec<String> {
    let level = window.level().1;
    let around = |number| level.groups_around(number).into_iter().map(|group| format!("{}/", group.name));
    let all = level.all_layers().into_iter().enumerate();
    all.map(|(number, layer)| format!("{}{}", around(number).collect::<String>(), layer.name)).collect()
}

#[test]
fn layers_are_grouped_dragged_into_the_group_and_out_in_a_step_each() {
    let mut window = Window::sample();
    let before = tree(&window);
    let rest = before.len() - 3;
    assert_eq!(before[rest..], ["patrol", "sentries", "platforms"]);
    window.click_role(Role::ListItem, "platforms");
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.fill("Name of the new group", "group");
    assert_eq!(tree(&window)[rest..], ["patrol", "sentries", "group/platforms", "group"]);
    assert_eq!(*window.editor().selection(), layer("group"));
    assert!(window.says("group of layers") && window.has("layer.opacity") && !window.has("layer.blend"));
    // Onto the group's row: into it, in front of what is there.
    let drag = |window: &mut Window, from: &str, to: &str, dy: f32| {
        let (from, to) = (row(window, from).center(), row(window, to).center());
        window.drag(from, &[from + egui::vec2(0.0, 6.0), to + egui::vec2(0.0, dy)]);
    };
    drag(&mut window, "sentries", "group", 0.0);
    assert_eq!(tree(&window)[rest..], ["patrol", "group/platforms", "group/sentries", "group"]);
    // Beside one in it: into it, too. What is in a group stands to the right of it.
    drag(&mut window, "patrol", "platforms", 6.0);
    assert_eq!(tree(&window)[rest..], ["group/patrol", "group/platforms", "group/sentries", "group"]);
    assert!(row(&window, "patrol").left() > row(&window, "group").left());
    assert_eq!(window.editor().history().n_done(), 3);
    // A group goes with all in it, and not into itself.
    drag(&mut window, "group", "platforms", 0.0);
    assert_eq!(window.editor().history().n_done(), 3);
    drag(&mut window, "group", "actors", 6.0);
    let at = tree(&window).iter().position(|name| name == "actors").unwrap();
    assert_eq!(tree(&window)[at - 4..at], ["group/patrol", "group/platforms", "group/sentries", "group"]);
    // By keys, out of it at its front end.
    window.click_role(Role::ListItem, "sentries");
    window.key(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(tree(&window)[at - 2..at], ["group", "sentries"]);
    for _ in 0..5 {
        window.key(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(tree(&window), before);
}

#[test]
fn a_group_is_folded_hidden_locked_renamed_and_taken_apart() {
    let mut window = Window::sample();
    let before = tree(&window);
    window.click_role(Role::ListItem, "platforms");
    window.command(Command::GroupLayers);
    window.fill("Name of the new group", "group");
    window.click("Fold group");
    assert!(!window.has("Hide platforms") && window.has("Unfold group"));
    window.click("Unfold group");
    assert!(window.has("Hide platforms"));
    window.command(Command::FoldGroup);
    assert!(!window.has("Hide platforms"));
    // What becomes active is listed again.
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "platforms".into())));
    assert!(window.has("Hide platforms"));
    assert_eq!(window.editor().history().n_done(), 1, "folding changes nothing of the project");
    let shows = |window: &Window| {
        let (doc, level) = window.level();
        window.editor().view().shows(doc, level, level.layer("platforms").unwrap().1)
    };
    window.click("Hide group");
    assert!(!shows(&window));
    window.click("Show group");
    assert!(shows(&window));
    window.click("Lock group");
    window.command(Command::DeleteLayer);
    assert_eq!(window.editor().notice(), Some("Unlock “group” to delete “platforms”"));
    window.click_role(Role::ListItem, "group");
    window.command(Command::UngroupLayers);
    assert_eq!(window.editor().notice(), Some("Unlock “group” to take “group” apart"));
    window.click("Unlock group");
    window.fill("layer.opacity", "0.5");
    window.key(Modifiers::NONE, Key::F2);
    window.fill("New name", "moving");
    assert_eq!(*window.editor().selection(), layer("moving"));
    // A copy has names of its own; a new layer goes into the group that is active.
    window.command(Command::DuplicateLayer);
    assert_eq!(tree(&window)[before.len() - 1..], ["moving/platforms", "moving", "moving_2/platforms_2", "moving_2"]);
    window.click("Add layer");
    window.click_role(Role::Button, "Group");
    window.fill("Name of the new layer", "empty");
    assert_eq!(tree(&window).last().unwrap(), "moving_2");
    assert!(tree(&window).contains(&"moving_2/empty".to_owned()));
    window.command(Command::MergeLayerDown);
    assert_eq!(window.editor().notice(), Some("“empty” is a group; merge the layers in it"));
    window.click_role(Role::ListItem, "moving_2");
    window.command(Command::DeleteLayer);
    window.click_role(Role::ListItem, "moving");
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::U);
    assert_eq!(tree(&window), before);
    let opacity = window.level().1.layer("platforms").unwrap().1.opacity;
    assert!((opacity - 0.5).abs() < 1e-9, "it looks as it did in the group");
    while window.editor().history().n_done() > 0 {
        window.key(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(tree(&window), before);
}

#[test]
fn layers_in_many_groups_have_room_for_their_names() {
    let level = (0..15).fold("Tiles(name: \"deep\", tileset: \"keep\")".to_owned(), |inside, i| {
        format!("Group(name: \"g{i}\", layers: [{inside}])")
    });
    let level = format!("(size: (20, 20), tile_size: (16, 16), layers: [{level}])");
    let mut window =
        Window::changed([1000.0, 700.0], |root| std::fs::write(root.join("levels/deep.ron"), level).unwrap());
    window.act(Action::OpenLevel(doc("levels/deep.ron")));
    let row = window.find("deep").rect();
    window.point(row.center());
    window.settle();
    assert!(window.find("deep").rect().width() >= 40.0, "{row}");
}

/// The names of the selected layers, back to front.
fn selected(window: &Window) -> Vec<String> {
    let (doc, level) = window.level();
    window.editor().view().layers_meant(doc, level).iter().map(ToString::to_string).collect()
}

fn pick(window: &mut Window, name: &str, modifiers: Modifiers) {
    window.find_role(Role::ListItem, name).click_modifiers(modifiers);
    window.settle();
}

#[test]
fn several_layers_are_selected_grouped_and_taken_along_in_a_step_each() {
    let mut window = Window::sample();
    let before = tree(&window);
    let n = before.len();
    assert_eq!(before[n - 3..], ["patrol", "sentries", "platforms"]);
    window.click_role(Role::ListItem, "platforms");
    pick(&mut window, "patrol", Modifiers::COMMAND);
    assert_eq!(selected(&window), ["patrol", "platforms"]);
    assert_eq!(&*window.editor().view().active_layer[&courtyard()], "patrol");
    assert!(window.has("2 layers") && window.has("layer.opacity") && window.has("layer.auto_link"));
    pick(&mut window, "ground", Modifiers::COMMAND);
    assert!(window.has("3 layers") && window.has("layer.opacity") && !window.has("layer.auto_link"));
    pick(&mut window, "ground", Modifiers::COMMAND);
    pick(&mut window, "platforms", Modifiers::COMMAND);
    assert_eq!(selected(&window), ["patrol"]);
    pick(&mut window, "platforms", Modifiers::SHIFT);
    assert_eq!(selected(&window), ["patrol", "sentries", "platforms"]);
    // Values in common are set of all at once.
    window.fill("layer.opacity", "0.5");
    let opacities = |window: &Window| -> Vec<f64> {
        selected(window).iter().map(|name| window.level().1.layer(name).unwrap().1.opacity).collect()
    };
    assert_eq!((opacities(&window), window.editor().history().n_done()), (vec![0.5; 3], 1));
    window.click("Lock sentries");
    let are_locked = |window: &Window| selected(window).iter().all(|it| window.level().1.layer(it).unwrap().1.locked);
    assert!(are_locked(&window) && window.editor().history().n_done() == 2);
    window.click("Unlock patrol");
    window.click("Hide patrol");
    assert!(window.has("Show platforms") && window.has("Show sentries"));
    window.click("Show patrol");
    // They are put into a group whose name is asked for.
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.fill("Name of the new group", " ");
    assert!(window.says("Write the layer's name") && tree(&window) == before);
    window.fill("Name of the new group", "moving");
    assert_eq!(tree(&window)[n - 3..], ["moving/patrol", "moving/sentries", "moving/platforms", "moving"]);
    assert_eq!((selected(&window), window.editor().history().n_done()), (vec!["moving".to_owned()], 4));
    // One of several that is dragged takes the others along.
    window.click_role(Role::ListItem, "sentries");
    pick(&mut window, "platforms", Modifiers::SHIFT);
    let (from, to) = (row(&window, "sentries").center(), row(&window, "moving").center());
    window.drag(from, &[from + egui::vec2(0.0, 6.0), to + egui::vec2(0.0, -12.0)]);
    assert_eq!(tree(&window)[n - 3..], ["moving/patrol", "moving", "sentries", "platforms"]);
    assert_eq!(selected(&window), ["sentries", "platforms"], "they stay selected");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(tree(&window)[n - 3..], ["moving/patrol", "moving/sentries", "moving/platforms", "moving"]);
    window.key(Modifiers::COMMAND, Key::D);
    assert_eq!(selected(&window), ["sentries_2", "platforms_2"]);
    // What the notice says fades with time; the step stays.
    let n_done = window.editor().history().n_done();
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().history().n_done(), n_done + 1);
    assert_eq!(tree(&window)[n - 3..], ["moving/patrol", "moving/sentries", "moving/platforms", "moving"]);
    while window.editor().history().n_done() > 0 {
        window.key(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(tree(&window), before);
}

#[test]
fn layers_are_selected_by_keys_where_a_row_has_the_keyboard() {
    let mut window = Window::sample();
    let before = tree(&window);
    let n = before.len();
    window.click_role(Role::ListItem, "platforms");
    window.find_role(Role::ListItem, "platforms").focus();
    window.settle();
    window.key(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(selected(&window), ["sentries"]);
    window.key(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(selected(&window), ["patrol", "sentries"]);
    window.key(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(tree(&window)[n - 3..], ["platforms", "patrol", "sentries"], "both are brought forward");
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::SHIFT, Key::ArrowUp);
    assert_eq!(selected(&window), ["sentries"]);
}

#[test]
fn the_keyboard_stays_on_the_row_worked_on_when_layers_are_grouped_renamed_and_taken_back() {
    let mut window = Window::sample();
    window.click_role(Role::ListItem, "platforms");
    window.find_role(Role::ListItem, "platforms").focus();
    window.settle();
    window.key(Modifiers::SHIFT, Key::ArrowDown);
    let has_keyboard = |window: &Window, name: &str| window.find_role(Role::ListItem, name).is_focused();
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.settle();
    window.fill("Name of the new group", "moving");
    assert_eq!(selected(&window), ["moving"]);
    assert!(has_keyboard(&window, "moving"), "it goes on from the group");
    window.key(Modifiers::NONE, Key::F2);
    window.fill("New name", "upper");
    window.settle();
    assert!(has_keyboard(&window, "upper"));
    window.key(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert!(has_keyboard(&window, "moving"));
    window.key(Modifiers::COMMAND, Key::Z);
    window.settle();
    assert!(has_keyboard(&window, "actors"), "the group is gone: it goes on from the layer that tools work on");
}

#[test]
fn delete_takes_a_layer_away_only_where_its_row_was_clicked_last() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(9)))));
    window.click_role(Role::ListItem, "ground");
    window.command(Command::Tool(ToolKind::Pencil));
    let at = window.cell([4, 4]);
    window.click_at(at);
    let n_done = window.editor().history().n_done();
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.level().1.layer("ground").is_some());
    assert_eq!(window.editor().history().n_done(), n_done);
    assert!(window.editor().notice().is_some_and(|notice| notice.contains("to delete the layer “ground”")));
    window.click_role(Role::ListItem, "ground");
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.level().1.layer("ground").is_none());
}

#[test]
fn delete_after_a_click_on_nothing_in_the_level_deletes_no_level() {
    let mut window = Window::sample();
    window.command(Command::Tool(ToolKind::Select));
    let empty = window.cell([4, 4]);
    window.click_at(empty);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().dialog(), None);
    assert!(window.editor().notice().is_some_and(|notice| notice.starts_with("Nothing is selected in the level")));
    window.act(Action::Select(Selection::Document(crate::window::courtyard())));
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.editor().dialog().is_some(), "the level itself is meant");
}
