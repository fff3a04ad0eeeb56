//! Resizing a level in the window: one step, what is on the screen stays there.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::NodeT as _;
use levelwright::{
    edit::{Edit, Stamp},
    editor::{Action, Command, Dialog, DialogAnswer, ViewChange},
    model::{CellSet, FieldPath, Tile},
};

use crate::window::{Window, courtyard};

fn camera(window: &Window) -> levelwright::editor::Camera {
    window.editor().view().cameras[&courtyard()]
}

#[test]
fn a_level_grows_at_the_left_in_one_step_and_the_view_stays() {
    let mut window = Window::sample();
    let [w, h] = window.level().1.size.unwrap();
    let cell = window.level().1.tile_size[0];
    let entity = window.level().1.entity("zzw7jh").unwrap().1.at;
    let on_screen = window.at(entity);
    window.command(Command::ResizeLevel);
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel));
    assert!(window.has("Every side stays where it is"));
    assert!(window.has("Nothing falls outside"));
    window.set("New width", &(w + 5).to_string());
    assert!(window.has("5 cells more at the right"));
    window.click("Keep the top right in place");
    assert!(window.has("5 cells more at the left"));
    window.click("Resize");
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(window.level().1.size, Some([w + 5, h]));
    let now = window.level().1.entity("zzw7jh").unwrap().1.at;
    assert_eq!(now, [entity[0] + f64::from(5 * cell), entity[1]]);
    assert!((window.at(now) - on_screen).length() < 0.5, "it is where it was on the screen");
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.level().1.size, Some([w, h]));
    assert!((window.at(entity) - on_screen).length() < 0.5, "and after undo");
    window.key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert!((window.at(now) - on_screen).length() < 0.5, "and after redo");
}

#[test]
fn what_would_fall_outside_is_counted_before() {
    let mut window = Window::sample();
    window.command(Command::ResizeLevel);
    window.set("New width", "1");
    assert!(window.says("tiles are erased; ") && window.says("entities") && window.says("waypoints would be outside"));
    window.fill("New height", "0");
    assert!(window.says("A level is 1 to 1048576 cells wide and high"));
    window.click("Resize");
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel), "it cannot be");
    window.click_at(egui::pos2(20.0, 400.0));
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel), "a click that misses it throws nothing away");
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn what_is_typed_is_looked_at_before_the_field_is_left() {
    let mut window = Window::sample();
    let [w, _] = window.level().1.size.unwrap();
    window.command(Command::ResizeLevel);
    let can_do = |window: &Window| !window.find_role(Role::Button, "Resize").accesskit_node().is_disabled();
    assert!(!can_do(&window), "it has this size");
    let typed = |window: &mut Window, text: &str| {
        window.find("New width").focus();
        window.settle();
        window.key(Modifiers::COMMAND, Key::A);
        window.harness.event(Event::Text(text.to_owned()));
        window.settle();
    };
    typed(&mut window, "0");
    assert!(window.says("A level is 1 to 1048576 cells wide and high") && !can_do(&window));
    typed(&mut window, &(w + 7).to_string());
    assert!(window.has("7 cells more at the right") && can_do(&window));
    assert_eq!(window.level().1.size.unwrap()[0], w);
    window.click_role(Role::Button, "Resize");
    assert_eq!((window.editor().dialog(), window.level().1.size.unwrap()[0]), (None, w + 7));
}

#[test]
fn a_move_that_a_layer_of_other_cells_cannot_make_is_refused_in_the_dialog() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let path = root.join("levels/courtyard.ron");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replacen("name: \"ground\",", "name: \"ground\", tile_size: (32, 32),", 1)).unwrap();
    });
    let [w, _] = window.level().1.size.unwrap();
    window.command(Command::ResizeLevel);
    window.set("New width", &(w + 1).to_string());
    let can_do = |window: &Window| !window.find_role(Role::Button, "Resize").accesskit_node().is_disabled();
    assert!(can_do(&window));
    window.click("Keep the top right in place");
    assert!(window.says("“ground” has cells of 32 × 32 px") && !can_do(&window));
}

#[test]
fn a_level_is_cropped_to_its_selected_cells() {
    let mut window = Window::sample();
    let layer = window.level().1.layer("ground").unwrap().1.name.clone();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), layer)));
    window.key(Modifiers::NONE, Key::M);
    let (from, to) = (window.cell([8, 20]), window.cell([19, 25]));
    window.drag(from, &[to]);
    let tile = |window: &Window, cell| window.level().1.layer("ground").unwrap().1.tiles().unwrap().tiles.get(cell);
    let before = tile(&window, [10, 25]);
    window.command(Command::CropToCells);
    assert_eq!(window.level().1.size, Some([12, 6]));
    assert_eq!(tile(&window, [2, 5]), before);
    assert!(!window.editor().view().cells.contains_key(&courtyard()), "Delete would erase the whole level");
    let notice = window.editor().notice().unwrap();
    assert!(notice.contains("entities") && notice.contains("outside the level now"), "{notice}");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(tile(&window, [10, 25]), before);
}

#[test]
fn a_level_loses_its_bounds_and_is_fitted_to_its_content() {
    let mut window = Window::sample();
    window.command(Command::ResizeLevel);
    window.click("Unbounded");
    assert!(window.says("It has no bounds"));
    window.click("Resize");
    assert_eq!(window.level().1.size, None);
    let before = camera(&window);
    window.command(Command::CropLevel);
    let size = window.level().1.size.unwrap();
    assert!(size[0] > 10 && size[1] > 5, "{size:?}");
    assert_eq!(window.editor().history().n_done(), 2);
    assert!((camera(&window).scale - before.scale).abs() < 1e-6);
    window.command(Command::CropLevel);
    assert!(window.editor().notice().unwrap().starts_with("“courtyard” is "), "{:?}", window.editor().notice());
    window.command(Command::ResizeLevel);
    window.click("Fit to content");
    assert!(window.has("Every side stays where it is"));
}

fn tile_at(window: &Window, cell: [i32; 2]) -> Tile {
    window.level().1.layer("ground").unwrap().1.tiles().unwrap().tiles.get(cell)
}

/// A level of a thousand chunks: resizing it takes longer than a frame.
fn large() -> Window {
    let mut window = Window::sample();
    window.act(Action::Edit(Edit::ResizeLevel { doc: courtyard(), size: Some([1024, 1024]), shift: [0, 0] }));
    let cells = Arc::new(CellSet::rectangle([0, 0], [1023, 1023]));
    let stamp = Stamp::one(Tile::id_only(1));
    window.act(Action::Edit(Edit::FillTiles {
        doc: courtyard(),
        layer: "ground".into(),
        cells,
        stamp,
        anchor: [0, 0],
    }));
    window
}

#[test]
fn a_large_level_is_resized_in_one_step_that_undo_takes_back() {
    let mut window = large();
    window.command(Command::ResizeLevel);
    window.set("New width", "1031");
    window.click("Keep the top right in place");
    window.click("Resize");
    window.until("it is resized", |it| it.level().1.size == Some([1031, 1024]));
    assert_eq!(window.editor().history().n_done(), 3);
    assert!(tile_at(&window, [6, 9]).is_empty() && !tile_at(&window, [7, 9]).is_empty());
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.level().1.size, Some([1024, 1024]));
    assert!(!tile_at(&window, [0, 9]).is_empty());
}

#[test]
fn undo_drops_a_resize_that_is_not_done_yet_and_other_edits_stay() {
    let mut window = large();
    window.command(Command::ResizeLevel);
    window.set("New width", "1031");
    // All in one frame: the job cannot have come to its end.
    window.act_at_once([Action::Dialog(DialogAnswer::Resize), Action::Command(Command::Undo)]);
    assert!(window.says("Dropped: Resize courtyard to 1031 × 1024"));
    assert_eq!(window.level().1.size, Some([1024, 1024]));
    assert_eq!(window.editor().history().n_done(), 2);
    // What is edited meanwhile is in what comes of it.
    window.command(Command::ResizeLevel);
    window.set("New width", "1031");
    let cells = vec![([3, 4], Tile::EMPTY)];
    let edit = Edit::PaintTiles { doc: courtyard(), layer: "ground".into(), cells };
    window.act_at_once([Action::Dialog(DialogAnswer::Resize), Action::Edit(edit)]);
    window.until("it is resized", |it| it.level().1.size == Some([1031, 1024]));
    assert!(tile_at(&window, [3, 4]).is_empty());
    assert_eq!(window.editor().history().n_done(), 4);
}

#[test]
fn what_is_made_beside_the_window_is_planned_again_where_the_project_changed() {
    let mut window = large();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.command(Command::DuplicateLayer);
    let copy = window.app().editor().view().active_layer[&courtyard()].clone();
    let n_layers = window.level().1.layers.len();
    // Meanwhile one of them becomes unlike the other.
    let at = FieldPath::keys(["layers", &copy, "opacity"]);
    let edit = Edit::set_at(&courtyard(), at, &0.5);
    [Action::Command(Command::MergeLayerDown), Action::Edit(edit)].into_iter().for_each(|it| window.app().send(it));
    window.until("it is refused", |it| it.says("differ in opacity"));
    window.settle();
    assert_eq!(window.level().1.layers.len(), n_layers);
    window.key(Modifiers::COMMAND, Key::Z);
    window.command(Command::MergeLayerDown);
    window.until("they are merged", |it| it.level().1.layers.len() < n_layers);
}

#[test]
fn while_something_is_made_another_such_thing_and_closing_wait() {
    let mut window = large();
    window.command(Command::ResizeLevel);
    window.set("New width", "1031");
    window.act_at_once([
        Action::Dialog(DialogAnswer::Resize),
        Action::Command(Command::ResizeLevel),
        Action::Dialog(DialogAnswer::Resize),
    ]);
    window.until("it is resized", |it| it.level().1.size == Some([1031, 1024]));
    assert_eq!(window.editor().dialog(), Some(&Dialog::ResizeLevel), "what was asked for then is asked for still");
}
