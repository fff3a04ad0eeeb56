//! Making a tileset of a picture: by the form, by a drop on the window, and what can go wrong.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable as _;
use image::{Rgba, RgbaImage};
use levelwright::{
    editor::{Action, Command, Dialog, Selection},
    model::{Repeat, Tileset},
};

use crate::window::{Window, doc};

/// A picture with a square of 16 px in each of so many columns and rows, two pixels apart.
fn save_sheet(place: &Path, [columns, rows]: [u32; 2]) {
    let mut picture = RgbaImage::new(columns * 18 - 2, rows * 18 - 2);
    for (x, y, px) in picture.enumerate_pixels_mut() {
        if x % 18 < 16 && y % 18 < 16 {
            *px = Rgba([if (x + y) % 2 == 0 { 40 } else { 200 }, 90, 60, 255]);
        }
    }
    picture.save(place).unwrap();
}

/// A file that is dropped.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("its path is enough".into())
    }
}

fn drop_on(window: &mut Window, places: &[&Path]) {
    let files = places.iter().map(|place| Arc::new(Dropped(place.to_path_buf())) as egui::DroppedFileHandle);
    window.harness.input_mut().dropped_files.extend(files);
    window.settle();
}

fn made<'a>(window: &'a Window, path: &str) -> &'a Tileset {
    window.editor().project().tileset(&doc(path)).unwrap()
}

#[test]
fn a_dropped_picture_becomes_a_tileset_in_one_step() {
    let mut window = Window::sample();
    let elsewhere = tempfile::tempdir().unwrap();
    let place = elsewhere.path().join("cave wall.png");
    save_sheet(&place, [5, 3]);
    drop_on(&mut window, &[&elsewhere.path().join("notes.txt"), &place]);
    assert_eq!(window.editor().dialog(), Some(&Dialog::NewTileset));
    assert!(window.has("15 tiles in 5 columns and 3 rows"));
    assert!(window.says("copied into the project: tilesets/cave_wall.png"));
    assert!(window.has("The picture and its tiles"));
    window.click("Create");
    assert_eq!(window.editor().dialog(), None);
    let set = made(&window, "tilesets/cave_wall.ron");
    assert_eq!((set.tile_size, set.margin, set.spacing, set.tiles.len()), ([16, 16], 0, 2, 15));
    assert_eq!(fs::read(window.file("tilesets/cave_wall.png")).unwrap(), fs::read(&place).unwrap());
    assert_eq!(window.editor().history().n_done(), 1);
    window.settle();
    assert!(window.has("Tileset shown"), "the Tileset pane is in front");
    assert!(window.says("No tile selected"));
    assert!(!window.says("mixed"), "which nothing is");
    assert_eq!(*window.editor().selection(), Selection::Document(doc("tilesets/cave_wall.ron")));
    let problems = window.editor().problems().iter().map(|it| &it.problem.finding);
    let bad: Vec<_> = problems.filter(|it| it.location.doc == doc("tilesets/cave_wall.ron")).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.editor().project().tileset(&doc("tilesets/cave_wall.ron")).is_none());
}

#[test]
fn the_form_changes_the_grid_and_goes_back_to_the_guess() {
    let mut window = Window::sample();
    save_sheet(&window.file("sprites/rocks.png"), [4, 2]);
    window.until("the picture is known", |window| {
        let actions = std::cell::RefCell::default();
        window.app().cx(&actions).derived.images().contains_key("sprites/rocks.png")
    });
    window.find("Search the project").focus();
    window.find("Search the project").type_text("keep");
    window.settle();
    window.click("New tileset…");
    assert_eq!(window.editor().dialog(), Some(&Dialog::NewTileset));
    window.find("Picture").focus();
    window.harness.run_steps(2);
    window.find("Picture").type_text("sprites/rocks.png");
    window.settle();
    assert!(window.says("in the project: sprites/rocks.png"));
    assert!(window.has("8 tiles in 4 columns and 2 rows"));
    window.fill("Tile width", "0");
    assert!(window.has("A tile is at least one pixel wide and high"));
    window.set("Tile width", "34");
    assert!(window.has("4 tiles in 2 columns and 2 rows"));
    window.click("Guess again");
    assert!(window.has("8 tiles in 4 columns and 2 rows"));
    window.fill("Name of the tileset", "rocks");
    // Enter in the name makes it.
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(made(&window, "tilesets/rocks.ron").image, "../sprites/rocks.png");
    assert!(!window.file("tilesets/rocks.png").exists(), "it is in the project already");
}

#[test]
fn what_is_wrong_with_a_picture_stands_in_the_form() {
    let mut window = Window::sample();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let place = elsewhere.path().join(name);
        fs::write(&place, bytes).unwrap();
        place
    };
    let sheet = elsewhere.path().join("sheet.png");
    save_sheet(&sheet, [3, 3]);
    let whole = fs::read(&sheet).unwrap();
    let huge = elsewhere.path().join("huge.png");
    RgbaImage::new(40_000, 1).save(&huge).unwrap();
    // The height stands after the signature, the head of the first chunk and the width.
    let mut flat = whole.clone();
    flat[20..24].copy_from_slice(&0_u32.to_be_bytes());
    for (place, why) in [
        (file("text.png", b"no picture"), "Not a readable PNG"),
        (file("cut.png", &whole[..whole.len() / 2]), "Not a readable PNG"),
        (file("empty.png", b""), "Not a readable PNG"),
        (huge, "40000 × 1 pixels: a picture has 1 to 32768 on a side"),
        (file("flat.png", &flat), "Not a readable PNG"),
        (elsewhere.path().join("nothing.png"), "There is no such file"),
    ] {
        drop_on(&mut window, &[&place]);
        assert_eq!(window.editor().dialog(), Some(&Dialog::NewTileset));
        assert!(window.says(why), "{}", place.display());
        window.click("Create");
        assert_eq!(window.editor().dialog(), Some(&Dialog::NewTileset), "nothing is made of {}", place.display());
    }
    // Another picture in the same form is fine; a name that is taken is not.
    drop_on(&mut window, &[&sheet]);
    assert!(window.has("9 tiles in 3 columns and 3 rows"));
    window.fill("Name of the tileset", "keep");
    assert!(
        window.says("There is already a file `tilesets/keep.ron`"),
        "{:?}",
        window.editor().project().documents.keys()
    );
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn a_place_that_is_taken_on_the_disk_leaves_the_form_open() {
    let mut window = Window::sample();
    let elsewhere = tempfile::tempdir().unwrap();
    let sheet = elsewhere.path().join("moss.png");
    save_sheet(&sheet, [3, 3]);
    drop_on(&mut window, &[&sheet]);
    // A folder is no picture, so the form does not know of it.
    fs::create_dir(window.file("tilesets/moss.png")).unwrap();
    window.click("Create");
    assert!(window.says("There is already a file") || window.says("there is already a file"));
    assert_eq!(window.editor().history().n_done(), 0);
    window.find("Name of the tileset").focus();
    window.fill("Name of the tileset", "lichen");
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(made(&window, "tilesets/lichen.ron").image, "lichen.png");
}

#[test]
fn what_is_no_picture_is_not_asked_about() {
    let mut window = Window::sample();
    drop_on(&mut window, &[Path::new("/tmp/notes.txt")]);
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(window.editor().notice(), Some("Drop a PNG picture to make a tileset of it"));
    window.command(Command::Export);
    drop_on(&mut window, &[Path::new("/tmp/keep.png")]);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Export));
    assert_eq!(window.editor().notice(), Some("Answer the question in the window first"));
}

#[test]
fn a_picture_that_is_dropped_while_a_layer_is_asked_for_is_its_image() {
    let mut window = Window::sample();
    let elsewhere = tempfile::tempdir().unwrap();
    let place = elsewhere.path().join("far hills.png");
    save_sheet(&place, [4, 2]);
    window.click("Add layer");
    window.click_role(Role::Button, "Image");
    assert!(window.says("Choose the picture it shows"));
    drop_on(&mut window, &[&place]);
    assert!(window.folder.path().join("images/far_hills.png").is_file());
    window.fill("Name of the new layer", "ridge");
    let level = window.level().1;
    let layer = level.layer("ridge").unwrap().1.clone();
    assert_eq!(&*layer.image().unwrap().image, "images/far_hills.png");
    // It is repeated by its properties.
    window.press("layer.repeat");
    window.find("Search layer.repeat").type_text("Both");
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(window.level().1.layer("ridge").unwrap().1.image().unwrap().repeat, Repeat::Both);
}

#[test]
fn a_tileset_is_copied_and_deleted_where_it_is_listed_and_in_its_inspector() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(doc("tilesets/keep.ron"))));
    window.command(Command::Duplicate);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Refactor));
    window.fill("Name of the copy", "tower");
    assert_eq!(window.editor().dialog(), None, "Enter makes it");
    assert_eq!(*window.editor().selection(), Selection::Document(doc("tilesets/tower.ron")));
    window.command(Command::Delete);
    window.until("the uses are found", |window| !window.says("Looking for every use"));
    assert!(!window.says("levels/courtyard.ron"), "nothing uses the copy");
    // The Inspector behind the dialog has one, too.
    window.harness.query_all_by_role_and_label(Role::Button, "Delete").last().unwrap().click();
    window.settle();
    assert!(window.editor().project().tileset(&doc("tilesets/tower.ron")).is_none());
    window.act(Action::Select(Selection::Document(doc("tilesets/keep.ron"))));
    window.command(Command::Delete);
    window.until("the uses are found", |window| window.says("courtyard"));
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    // A file of definitions is not one thing.
    window.act(Action::Select(Selection::Document(doc("project.ron"))));
    assert!(window.app().refusal(Command::Delete).is_some());
    assert!(window.app().refusal(Command::Duplicate).is_some());
}

#[test]
fn the_buttons_of_all_kinds_stand_in_one_row_of_a_small_window() {
    let window = Window::sample_sized([1280.0, 720.0]);
    let tops: Vec<f32> = ["levels", "definitions", "machines", "tilesets", "tuning", "scenarios", "stamps", "schemas"]
        .map(|kind| format!("Go to {kind}"))
        .iter()
        .map(|name| window.find(name).rect().top())
        .collect();
    assert!(tops.iter().all(|top| (top - tops[0]).abs() < 1.0), "{tops:?}");
}
