//! The picture of a tileset: selecting tiles in the Tileset pane and changing all of them at once, and brushes and zoom
//! in the Palette.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, TouchPhase, vec2};
use levelwright::{
    editor::{Action, Command, Pane, Selection, ViewChange},
    model::{DocPath, Tile, TileShape, Tileset},
};

use crate::window::{Window, courtyard, doc};

fn keep() -> DocPath {
    doc("tilesets/keep.ron")
}

fn set(window: &Window) -> &Tileset {
    window.editor().project().tileset(&keep()).unwrap()
}

/// Where the middle of a cell of a picture of 16 columns of 16 px is.
#[track_caller]
fn cell(window: &Window, name: &str, [x, y]: [u8; 2]) -> Pos2 {
    let rect = window.find(name).rect();
    let side = rect.width() / 16.0;
    rect.min + vec2((f32::from(x) + 0.5) * side, (f32::from(y) + 0.5) * side)
}

const SHEET: &str = "Tiles of the tileset";

fn selected(window: &Window) -> Vec<u32> {
    window.editor().selection().tiles_of(&keep()).to_vec()
}

fn shown() -> Window {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(keep())));
    assert!(window.has(SHEET), "the tileset's picture comes to the front");
    window
}

#[test]
fn tiles_are_selected_by_click_drag_and_keys_and_changed_as_one_step() {
    let mut window = shown();
    let (a, b) = (cell(&window, SHEET, [0, 0]), cell(&window, SHEET, [2, 1]));
    window.drag(a, &[b]);
    let framed = selected(&window);
    assert_eq!(framed.len(), 6);
    assert!(window.has("6 tiles"));
    let at = cell(&window, SHEET, [1, 0]);
    window.click_with(at, Modifiers::COMMAND);
    assert_eq!(selected(&window).len(), 5, "a click with Ctrl takes one out");
    let at = cell(&window, SHEET, [0, 3]);
    window.click_with(at, Modifiers::SHIFT);
    let ids = selected(&window);
    assert_eq!(ids.len(), 6);
    assert!(window.has("mixed"), "a slope among solid tiles");
    window.press("Shape: lower half");
    let half = TileShape::Polygon(vec![[0.0, 8.0], [16.0, 8.0], [16.0, 16.0], [0.0, 16.0]]);
    assert!(ids.iter().all(|id| set(&window).tiles[id].shape == half));
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(!window.has("mixed"));
    window.press("One-way");
    assert!(ids.iter().all(|id| set(&window).tiles[id].one_way && set(&window).tiles[id].shape == half));
    window.press("Ladder");
    assert!(ids.iter().all(|id| set(&window).tiles[id].ladder && !set(&window).tiles[id].water));
    window.press("Ladder");
    window.press("Water");
    assert!(ids.iter().all(|id| set(&window).tiles[id].water && !set(&window).tiles[id].ladder));
    window.fill("Belt speed", "-40");
    assert!(ids.iter().all(|id| set(&window).tiles[id].conveyor == -40.0));
    window.fill("Add tag", "ledge");
    assert!(ids.iter().all(|id| set(&window).tiles[id].tags.contains(&"ledge".to_owned())));
    window.press("Remove tag earth");
    assert!(ids.iter().all(|id| !set(&window).tiles[id].tags.contains(&"earth".to_owned())));
    window.fill("Add cost for", "walk");
    window.fill("Cost for walk", "3");
    assert!(ids.iter().all(|id| (set(&window).tiles[id].cost["walk"] - 3.0).abs() < 1e-9));
    assert_eq!(window.editor().history().n_done(), 10, "each is one step");
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::A);
    assert_eq!(selected(&window).len(), set(&window).tiles.len());
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(selected(&window), [] as [u32; 0]);
}

#[test]
fn deleted_tiles_are_made_again_of_what_the_picture_shows() {
    let mut window = shown();
    let n = set(&window).tiles.len();
    let at = cell(&window, SHEET, [0, 0]);
    window.click_at(at);
    let [id] = selected(&window)[..] else { panic!("one tile") };
    window.key(Modifiers::NONE, Key::Delete);
    assert!(!set(&window).tiles.contains_key(&id));
    assert_eq!(*window.editor().selection(), Selection::Document(keep()));
    window.command(Command::AddTiles);
    let made = selected(&window);
    assert!(made.iter().any(|id| set(&window).tiles[id].at == [0, 0]), "{made:?}");
    assert!(set(&window).tiles.len() >= n);
    let done = window.editor().history().n_done();
    window.command(Command::AddTiles);
    assert_eq!(window.editor().history().n_done(), done, "nothing is missing any more");
}

#[test]
fn the_palette_zooms_at_the_pointer_and_frames_become_brushes() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.act(Action::ShowPane(Pane::Palette));
    let width = |window: &Window| window.find("Tiles").rect().width();
    let before = width(&window);
    window.press("Zoom in on Tiles");
    let closer = width(&window);
    assert!(closer > before);
    let at = cell(&window, "Tiles", [1, 1]);
    window.point(at);
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: TouchPhase::Move,
        modifiers: Modifiers::COMMAND,
        source: MouseWheelSource::Wheel,
    };
    window.harness.event_modifiers(wheel, Modifiers::COMMAND);
    window.settle();
    assert!(width(&window) > closer);
    let now = cell(&window, "Tiles", [1, 1]);
    assert!((now - at).length() <= 2.0, "what is under the pointer stays there: {at:?} {now:?}");
    window.press("Fit Tiles");
    assert!((width(&window) - before).abs() < 0.5);
    let (a, b) = (cell(&window, "Tiles", [1, 3]), cell(&window, "Tiles", [2, 4]));
    window.drag(a, &[b]);
    let stamp = &window.editor().view().stamp;
    assert_eq!(stamp.size(), [2, 2]);
    let at = |x: u32, y: u32| set(&window).tiles.iter().find(|(_, tile)| tile.at == [x, y]).map(|(id, _)| *id).unwrap();
    assert_eq!(stamp.get([1, 1]), Tile::id_only(at(2, 4)));
}

#[test]
fn a_picture_that_is_saved_elsewhere_is_shown_and_half_of_one_leaves_the_last() {
    let mut window = shown();
    let place = window.file("tilesets/keep.png");
    let picture = |window: &Window| {
        let actions = std::cell::RefCell::default();
        let cx = window.app().cx(&actions);
        cx.derived.images()["tilesets/keep.png"].clone()
    };
    let before = picture(&window);
    let [w, h] = before.size();
    let mut new = image::RgbaImage::from_raw(w, h, before.rgba().to_vec()).unwrap();
    new.put_pixel(0, 0, image::Rgba([1, 2, 3, 255]));
    new.save(&place).unwrap();
    window.until("the new picture is shown", |window| picture(window).pixel(0, 0) == [1, 2, 3, 255]);
    let whole = std::fs::read(&place).unwrap();
    std::fs::write(&place, &whole[..whole.len() / 2]).unwrap();
    let is_problem = |window: &Window| {
        let mut all = window.editor().problems().iter().map(|it| &it.problem.finding);
        all.any(|it| &*it.rule == "image-missing" && it.message.contains("keep.png"))
    };
    window.until("the half picture is a problem", is_problem);
    assert_eq!(picture(&window).pixel(0, 0), [1, 2, 3, 255], "the last good one stays");
    assert!(window.has(SHEET));
    std::fs::write(&place, &whole).unwrap();
    window.until("it is whole again", |window| !is_problem(window));
    std::fs::remove_file(&place).unwrap();
    window.until("it is gone", |window| !window.has(SHEET));
}

#[test]
fn selected_tiles_become_a_terrain_to_paint_with() {
    let mut window = shown();
    let (a, b) = (cell(&window, SHEET, [0, 0]), cell(&window, SHEET, [2, 2]));
    window.drag(a, &[b]);
    let ids = selected(&window);
    let before = set(&window).terrains.len();
    window.fill("New terrain", "moss");
    assert_eq!(set(&window).terrains.len(), before + 1);
    window.press("Arrange as a block");
    assert_eq!(set(&window).terrains[before].tiles[&ids[0]], "_,moss,moss,_");
    let at = cell(&window, SHEET, [0, 0]);
    window.click_at(at);
    window.press("moss at the top");
    assert_eq!(set(&window).terrains[before].tiles[&ids[0]], "moss,moss,moss,_");
    assert!(window.has("Take out of moss"));
}
