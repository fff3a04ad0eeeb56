//! A tileset made of a picture: what the form says beside its fields, and what it makes.

use std::{path::Path, sync::Arc};

use levelwright::{
    edit::apply,
    editor::{Images, NewTileset, SheetPicture, TilesetField, TilesetForm, dropped_picture, usual_tile_size},
    model::Project,
    raster::{Image, SheetGrid},
};

use super::{FILES, read};
use crate::{
    build::path,
    sheet::{png, sheet},
};

const GRID: SheetGrid = SheetGrid { tile_size: [16, 16], margin: 1, spacing: 1 };

fn project() -> Project {
    read(&FILES).project
}

/// Four columns and three rows, the second cell of which is empty.
fn picture(inside: Option<&str>) -> SheetPicture {
    let mut pixels = sheet(GRID, [4, 3], [0; 4]);
    for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
        pixels.put_pixel(18 + x, 1 + y, image::Rgba([0; 4]));
    }
    let bytes = png(&pixels);
    let image = Arc::new(Image::from_png(&bytes).unwrap());
    let guess = SheetGrid::guess(&image, [16, 16]);
    SheetPicture { image, bytes: bytes.into(), inside: inside.map(path), guess }
}

fn with_picture(project: &Project, at: &str, inside: Option<&str>) -> NewTileset {
    let mut new = NewTileset::new(at.into(), [16, 16]);
    assert_eq!(new.unread(), Some(at));
    new.take_picture(at.into(), Ok(picture(inside)), project);
    assert_eq!(new.unread(), None);
    new
}

fn with_grid(new: &mut NewTileset, grid: SheetGrid) {
    new.change(TilesetForm { grid, ..new.form().clone() });
}

#[test]
fn a_picture_from_elsewhere_is_copied_beside_its_tileset() {
    let mut project = project();
    let new = with_picture(&project, "/art/castle wall.png", None);
    assert_eq!(new.form().name, "castle_wall");
    assert_eq!(new.form().grid, GRID);
    assert_eq!(new.summary().unwrap(), "11 tiles in 4 columns and 3 rows; 1 empty cell is left out");
    let plan = new.plan(&project, &Images::new()).unwrap();
    assert_eq!((plan.doc.as_str(), plan.place.as_str()), ("tilesets/castle_wall.ron", "tilesets/castle_wall.png"));
    assert_eq!(plan.copied.unwrap(), new.picture().unwrap().bytes);
    apply(&mut project, &plan.edit).unwrap();
    let set = project.tileset(&plan.doc).unwrap();
    assert_eq!((&*set.image, set.tile_size, set.margin, set.spacing), ("castle_wall.png", [16, 16], 1, 1));
    // An empty cell keeps its id for when something is drawn there.
    let tiles: Vec<_> = set.tiles.iter().map(|(id, tile)| (*id, tile.at)).collect();
    assert_eq!(tiles[..4], [(1, [0, 0]), (3, [2, 0]), (4, [3, 0]), (5, [0, 1])]);
    assert!(set.tiles.values().all(|tile| (tile.weight - 1.0).abs() < 1e-9));
    assert_eq!(set.source_px(&set.tiles[&5]), GRID.corner([0, 1]));
}

#[test]
fn a_picture_of_the_project_stays_where_it_is() {
    let project = project();
    for (inside, image) in [("art/keep.png", "../art/keep.png"), ("tilesets/more/keep.png", "more/keep.png")] {
        let new = with_picture(&project, inside, Some(inside));
        let plan = new.plan(&project, &Images::new()).unwrap();
        assert_eq!((plan.place.as_str(), plan.copied), (inside, None));
        let mut made = project.clone();
        apply(&mut made, &plan.edit).unwrap();
        assert_eq!(made.tileset(&plan.doc).unwrap().image, image);
        assert_eq!(plan.doc.beside(image), Some(path(inside)));
    }
}

#[test]
fn names_and_pictures_that_are_there_are_left_alone() {
    let project = project();
    let mut new = with_picture(&project, "t.png", None);
    assert_eq!(new.form().name, "t_2", "there is a tileset t");
    let images: Images = [("tilesets/t_2.png".to_owned(), picture(None).image)].into();
    assert_eq!(new.place(&images).unwrap().as_str(), "tilesets/t_2_2.png");
    for (name, why) in [
        ("t", "There is already a file `tilesets/t.ron`"),
        ("", "Write the tileset's name"),
        ("a:b", "`a:b` cannot be a file's name: it has a letter that files cannot have everywhere"),
    ] {
        new.change(TilesetForm { name: name.into(), ..new.form().clone() });
        assert_eq!(new.problem(TilesetField::Name, &project).as_deref(), Some(why));
        assert_eq!(new.plan(&project, &images).unwrap_err().to_string(), why);
    }
    // A name that was typed stays when another picture is chosen.
    new.change(TilesetForm { name: "mine".into(), path: "other.png".into(), ..new.form().clone() });
    assert!(new.picture().is_none(), "the picture of another path is not shown");
    new.take_picture("other.png".into(), Ok(picture(None)), &project);
    assert_eq!(new.form().name, "mine");
}

#[test]
fn a_grid_without_tiles_or_with_too_many_says_so() {
    let project = project();
    let mut new = with_picture(&project, "keep.png", None);
    let problem = |new: &NewTileset| new.problem(TilesetField::Grid, &project);
    assert_eq!(problem(&new), None);
    with_grid(&mut new, SheetGrid::plain([0, 16]));
    assert_eq!(problem(&new).unwrap(), "A tile is at least one pixel wide and high");
    with_grid(&mut new, SheetGrid::plain([100, 16]));
    assert_eq!(problem(&new).unwrap(), "No whole tile fits into the picture, which is 69 × 52 px");
    assert_eq!(new.summary(), None);
    with_grid(&mut new, SheetGrid::plain([16, 16]));
    assert_eq!(
        new.summary().unwrap(),
        "12 tiles in 4 columns and 3 rows; 5 px at the right and 4 px at the bottom belong to no tile"
    );

    let clear = Image::from_png(&png(&image::RgbaImage::new(512, 512))).unwrap();
    let clear = SheetPicture { image: Arc::new(clear), guess: SheetGrid::plain([1, 1]), ..picture(None) };
    let mut new = NewTileset::new("clear.png".into(), [16, 16]);
    new.take_picture("clear.png".into(), Ok(clear), &project);
    assert_eq!(problem(&new).unwrap(), "These are 262144 tiles; the most is 65536");
    with_grid(&mut new, SheetGrid::plain([16, 16]));
    assert_eq!(problem(&new).unwrap(), "clear.png is wholly transparent");
}

#[test]
fn a_picture_that_cannot_be_read_is_a_problem_of_its_own_and_one_of_another_path_is_none() {
    let project = project();
    let mut new = NewTileset::new(String::new(), [16, 16]);
    assert_eq!(new.unread(), None);
    assert_eq!(new.plan(&project, &Images::new()).unwrap_err().to_string(), "choose a picture");
    new.change(TilesetForm { path: "a.png".into(), ..new.form().clone() });
    new.take_picture("b.png".into(), Err("not it".into()), &project);
    assert_eq!(new.unread(), Some("a.png"), "what was found of another path is dropped");
    new.take_picture("a.png".into(), Err("there is no such file".into()), &project);
    assert_eq!(new.problem(TilesetField::Picture, &project).unwrap(), "There is no such file");
    assert_eq!(new.problem(TilesetField::Name, &project), None, "one problem at a time");
    assert!(new.plan(&project, &Images::new()).is_err());
}

#[test]
fn of_what_is_dropped_the_first_png_counts() {
    let files = ["notes.txt", "Keep.PNG", "other.png"].map(Path::new);
    assert_eq!(dropped_picture(files), Ok(Path::new("Keep.PNG")));
    assert_eq!(dropped_picture([Path::new("png")]).unwrap_err(), "Drop a PNG picture to make a tileset of it");
}

#[test]
fn the_usual_size_is_that_of_the_level_then_of_a_tileset() {
    let project = project();
    assert_eq!(usual_tile_size(&project, Some(&path("levels/yard.ron"))), [16, 16]);
    assert_eq!(usual_tile_size(&project, None), project.tileset(&path("tilesets/t.ron")).unwrap().tile_size);
    assert_eq!(usual_tile_size(&Project::default(), None), [16, 16]);
}
