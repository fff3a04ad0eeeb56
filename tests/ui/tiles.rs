//! Tile layers as the graphics card draws them, compared with the picture that `levelwright render` makes of the same
//! level. Skipped where there is no graphics adapter, as the pictures of `images` are.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels of a canvas are small and not negative"
)]

use std::{fmt::Write as _, sync::Arc};

use egui::{Rect, pos2};
use glam::Vec2;
use levelwright::{
    edit::Edit,
    editor::{Action, Camera, Command, Selection, ViewChange},
    io,
    model::{FieldPath, Level, Tile, Value},
    raster::{Image, Scene},
    ui::Theme,
};

use crate::{
    images::renderer,
    window::{Window, doc},
};

/// A level of two tile layers, the upper one half transparent and shifted: every tile with every flip, and one that the
/// tileset lacks.
fn flips() -> String {
    let mut out = String::from("(size: (24, 16), tile_size: (16, 16), layers: [\n");
    for (name, rest) in [("ground", ""), ("front", "opacity: 0.6, offset: (5.0, -3.0), ")] {
        write!(out, "Tiles(name: \"{name}\", {rest}tileset: \"ground\", chunks: {{(0, 0): [").unwrap();
        for y in 0..16 {
            let flips = ["", "h", "v", "hv", "d", "hd", "vd", "hvd"][y % 8];
            let cell = |x: usize| match (x + y) % 11 {
                0 => ".".to_owned(),
                9 => format!("{}{flips}", x % 3 + 1),
                10 if name == "ground" && y == 3 => "77".to_owned(),
                id => format!("{}{flips}", id.min(8)),
            };
            let cells: Vec<String> = (0..24).map(cell).collect();
            write!(out, "\"{}\",", cells.join(" ")).unwrap();
        }
        out.push_str("]}),\n");
    }
    out + "])\n"
}

/// A level of one layer with a tile in each of `side` by `side` cells.
fn large(side: usize) -> String {
    let mut out = format!("(size: ({side}, {side}), tile_size: (16, 16), layers: [Tiles(name: \"ground\", ");
    out.push_str("tileset: \"ground\", chunks: {");
    for x in 0..side / 32 {
        for y in 0..side / 32 {
            let row = format!("\"32*{}\",", (x + y) % 2 * 5 + 1);
            write!(out, "({x}, {y}): [{}],", row.repeat(32)).unwrap();
        }
    }
    out + "})])\n"
}

/// Whether the window has read a text of the level.
fn has_read(window: &Window, text: &str) -> bool {
    let at = doc("levels/first.ron");
    let now = window.editor().project().doc(&at).map(|document| &**document);
    now == io::load_one(&at, text).0.as_ref()
}

/// A window that draws a level in the file `levels/first.ron`, without a grid; `None` where there is no graphics
/// adapter.
fn drawing(level: &str) -> Option<Window> {
    let renderer = renderer()?;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("game");
    io::new_project(&root, io::Template::Platformer, "A new game").unwrap();
    std::fs::write(root.join("levels/first.ron"), level).unwrap();
    let mut window = Window::drawn(folder, &root, [1280.0, 800.0], renderer);
    window.harness.remove_cursor();
    window.command(Command::ToggleGrid);
    Some(window)
}

/// Look at a level with its left top on the canvas's left top, both on a pixel.
fn look(window: &mut Window, scale: f32) -> Rect {
    let canvas = window.canvas();
    let half = canvas.size() / 2.0;
    let whole = |x: f32| x.round() - x;
    let shift = egui::vec2(whole(canvas.left()), whole(canvas.top()));
    let center = Vec2::new(half.x - shift.x, half.y - shift.y) / scale;
    window.act(Action::View(ViewChange::Camera(doc("levels/first.ron"), Camera { center, scale })));
    window.harness.run_steps(2);
    Rect::from_min_size(pos2(canvas.left().round(), canvas.top().round()), canvas.size().floor())
}

/// What the command line draws of the level, on the same ground.
fn expected(window: &Window, scale: f64) -> Image {
    expected_of(window, window.level().1, scale)
}

/// The same of a level like it.
fn expected_of(window: &Window, level: &Level, scale: f64) -> Image {
    let editor = window.editor();
    let root = window.folder.path().join("game");
    let images = |path: &str| Some(Arc::new(Image::from_png(&std::fs::read(root.join(path)).ok()?).ok()?));
    let scene = Scene::of_level(editor.project(), editor.resolution(), level, &|_, _| None, &images, 0.0);
    let ground = Theme::DARK.level_ground.to_array();
    scene.render(scale, ground, 0.0).unwrap()
}

/// By how much two pictures differ: the mean and the largest difference of a channel.
fn difference(window: &mut Window, expected: &Image, canvas: Rect) -> (f64, u8) {
    let drawn = window.harness.render().unwrap();
    let (left, top) = (canvas.left() as u32, canvas.top() as u32);
    let (mut sum, mut n, mut most) = (0_u64, 0_u64, 0);
    // The line around the level is not part of it.
    for y in 2..expected.height().min(canvas.height() as u32) - 2 {
        for x in 2..expected.width().min(canvas.width() as u32) - 2 {
            let (is, should) = (drawn.get_pixel(left + x, top + y).0, expected.pixel(x, y));
            for i in 0..3 {
                let by = is[i].abs_diff(should[i]);
                (sum, n, most) = (sum + u64::from(by), n + 1, most.max(by));
            }
        }
    }
    (sum as f64 / n as f64, most)
}

#[test]
fn a_level_looks_as_the_command_line_draws_it() {
    let Some(mut window) = drawing(&flips()) else { return };
    for scale in [1.0, 2.0] {
        let canvas = look(&mut window, scale);
        let expected = expected(&window, f64::from(scale));
        let (mean, most) = difference(&mut window, &expected, canvas);
        assert!(most <= 3, "at {scale}: {most} at most, {mean} in the mean");
    }
    // Smaller pictures are averaged, here by two looks each way and there by the sheet's means.
    for scale in [0.5, 0.25] {
        let canvas = look(&mut window, scale);
        let expected = expected(&window, f64::from(scale));
        let (mean, most) = difference(&mut window, &expected, canvas);
        assert!(mean <= 6.0, "at {scale}: {most} at most, {mean} in the mean");
    }
}

#[test]
fn tints_blend_modes_and_the_background_look_as_the_command_line_draws_them() {
    let front = "opacity: 0.6, ";
    let level = |blend: &str| {
        let layers = flips().replacen("(size:", "(background: \"#40608080\", size:", 1);
        layers.replacen(front, &format!("{front}tint: \"#ff9040e0\", blend: {blend}, "), 1)
    };
    let Some(mut window) = drawing(&level("Normal")) else { return };
    let mut seen: Vec<Image> = Vec::new();
    for blend in ["Normal", "Add", "Multiply", "Screen"] {
        std::fs::write(window.folder.path().join("game/levels/first.ron"), level(blend)).unwrap();
        window.until("the file is read again", |window| format!("{:?}", window.level().1.layers[1].blend()) == blend);
        for scale in [2.0, 0.25] {
            let canvas = look(&mut window, scale);
            let expected = expected(&window, f64::from(scale));
            let (mean, most) = difference(&mut window, &expected, canvas);
            assert!(
                most <= 3 || (scale < 1.0 && mean <= 6.0),
                "{blend} at {scale}: {most} at most, {mean} in the mean"
            );
            assert!(!seen.contains(&expected), "{blend} is a look of its own");
            seen.push(expected);
        }
    }
}

#[test]
fn layers_with_cells_of_their_own_look_as_the_command_line_draws_them() {
    // At half its size a tile is averaged, here by two looks each way and there by the sheet's means.
    for (px, sharp, soft) in [("8, 8", 2.0, 1.0), ("32, 32", 1.0, 0.25), ("24, 8", 2.0, 0.5)] {
        let own = format!("tileset: \"ground\", tile_size: ({px}), ");
        let level =
            flips().replacen("offset: (5.0, -3.0), tileset: \"ground\", ", &format!("offset: (5.0, -3.0), {own}"), 1);
        assert!(level.contains(px));
        let Some(mut window) = drawing(&level) else { return };
        for scale in [sharp, soft] {
            let canvas = look(&mut window, scale);
            let expected = expected(&window, f64::from(scale));
            let (mean, most) = difference(&mut window, &expected, canvas);
            assert!(
                (most <= 3 && scale == sharp) || (scale == soft && mean <= 6.0),
                "{px} at {scale}: {most} at most, {mean} in the mean"
            );
            let plain = drawing(&flips()).unwrap();
            assert_ne!(expected, self::expected(&plain, f64::from(scale)), "it is a look of its own");
        }
    }
}

#[test]
fn a_group_of_layers_looks_as_the_command_line_draws_it() {
    let group =
        "Group(name: \"far\", opacity: 0.7, tint: \"#ffb060\", offset: (7.0, 2.0), layers: [Tiles(name: \"front\"";
    let level = flips().replacen("Tiles(name: \"front\"", group, 1).replace("]}),\n])\n", "]}),\n]),\n])\n");
    let Some(mut window) = drawing(&level) else { return };
    assert_eq!(window.level().1.all_layers().len(), 3);
    let canvas = look(&mut window, 2.0);
    let expected = expected(&window, 2.0);
    let (mean, most) = difference(&mut window, &expected, canvas);
    assert!(most <= 3, "{most} at most, {mean} in the mean");
    // Without the group it is another picture.
    let mut apart = window.level().1.clone();
    apart.layers.pop();
    assert_ne!(expected_of(&window, &apart, 2.0), expected);
}

#[test]
fn image_layers_look_as_the_command_line_draws_them() {
    let level = |rest: &str| {
        let image = format!("Image(name: \"far\", image: \"tilesets/ground.png\", offset: (21.0, 37.0), {rest}),\n");
        flips().replacen("Tiles(name: \"front\"", &format!("{image}Tiles(name: \"front\""), 1)
    };
    let Some(mut window) = drawing(&level("")) else { return };
    let mut seen: Vec<Image> = Vec::new();
    let rests =
        ["opacity: 0.9", "repeat: X", "repeat: Y, tint: \"#80ff60\"", "repeat: Both, blend: Multiply, opacity: 0.7"];
    for rest in rests {
        std::fs::write(window.folder.path().join("game/levels/first.ron"), level(rest)).unwrap();
        window.until("the file is read again", |window| has_read(window, &level(rest)));
        for scale in [1.0, 2.0, 0.25] {
            let canvas = look(&mut window, scale);
            let expected = expected(&window, f64::from(scale));
            let (mean, most) = difference(&mut window, &expected, canvas);
            assert!(most <= 3 || (scale < 1.0 && mean <= 6.0), "{rest} at {scale}: {most} at most, {mean} in the mean");
            assert!(!seen.contains(&expected), "{rest} is a look of its own");
            seen.push(expected);
        }
    }
}

#[test]
fn entities_are_drawn_where_they_stick_out_of_the_level() {
    let level = r#"(size: (24, 16), tile_size: (16, 16), layers: [
        Entities(name: "actors", entities: {"inside": (def: "player", at: (40.0, 40.0))}),
    ])"#;
    let Some(mut window) = drawing(level) else { return };
    let canvas = window.canvas();
    let camera = Camera { center: Vec2::new(0.0, 40.0), scale: 2.0 };
    window.act(Action::View(ViewChange::Camera(doc("levels/first.ron"), camera)));
    let seen = |window: &mut Window, x: f64| {
        let at = [Edit::set_at(
            &doc("levels/first.ron"),
            FieldPath::keys(["layers", "actors", "entities", "inside", "at"]),
            &Value::vec2(x, 40.0),
        )];
        window.act(Action::Edits { label: "Move".into(), edits: at.to_vec() });
        window.act(Action::Select(Selection::None));
        let drawn = window.harness.render().unwrap();
        let center = canvas.center() + egui::vec2(x as f32, 0.0) * 2.0;
        let near = (-12..12).flat_map(|dx| (-12..12).map(move |dy| [dx, dy]));
        let colors = near.map(|[dx, dy]| {
            let at = center + egui::vec2(dx as f32, dy as f32);
            drawn.get_pixel(at.x as u32, at.y as u32).0
        });
        colors.collect::<std::collections::HashSet<_>>().len()
    };
    assert!(seen(&mut window, 60.0) > 4, "inside");
    assert!(seen(&mut window, -60.0) > 4, "outside, pale");
}

#[test]
fn the_layers_beside_the_active_one_are_pale_where_it_is_highlighted() {
    let Some(mut window) = drawing(&flips()) else { return };
    let canvas = look(&mut window, 2.0);
    for (active, pale) in [("front", 0), ("ground", 1)] {
        window.act(Action::View(ViewChange::ActiveLayer(doc("levels/first.ron"), active.into())));
        window.command(Command::ToggleHighlight);
        let mut level = window.level().1.clone();
        Arc::make_mut(&mut level.layers[pale]).opacity *= 0.3;
        let expected_pale = expected_of(&window, &level, 2.0);
        let (_, most) = difference(&mut window, &expected_pale, canvas);
        assert!(most <= 3, "{active}: {most}");
        window.command(Command::ToggleHighlight);
        let expected = expected(&window, 2.0);
        let (_, most) = difference(&mut window, &expected, canvas);
        assert!(most <= 3, "{active}: {most}");
    }
}

#[test]
fn a_large_level_is_whole_within_two_frames_at_every_zoom() {
    let Some(mut window) = drawing(&large(1024)) else { return };
    for power in -8..=0 {
        let scale = 2.0_f32.powi(power);
        let canvas = look(&mut window, scale);
        let drawn = window.harness.render().unwrap();
        let shown = (1024.0 * 16.0 * scale).min(canvas.width()).min(canvas.height()) as u32;
        let ground = Theme::DARK.level_ground.to_array();
        let is_blank =
            |x: u32, y: u32| drawn.get_pixel(canvas.left() as u32 + x, canvas.top() as u32 + y).0[..3] == ground[..3];
        let blank = (2..shown - 2).flat_map(|y| (2..shown - 2).map(move |x| (x, y))).find(|(x, y)| is_blank(*x, *y));
        assert_eq!(blank, None, "at {scale}");
    }
}

#[test]
fn what_changes_is_drawn_at_once() {
    let Some(mut window) = drawing(&flips()) else { return };
    let canvas = look(&mut window, 2.0);
    for change in ["3h", "."] {
        let level = flips().replacen("\". 1 2", &format!("\". {change} 2"), 1);
        std::fs::write(window.folder.path().join("game/levels/first.ron"), level).unwrap();
        window.until("the file is read again", |window| {
            let tile = window.level().1.layers[0].tiles().unwrap().tiles.get([1, 0]);
            tile != Tile::id_only(1) && tile.is_empty() == (change == ".")
        });
        window.harness.run_steps(2);
        let expected = expected(&window, 2.0);
        let (_, most) = difference(&mut window, &expected, canvas);
        assert!(most <= 3, "{change}: {most}");
    }
}

#[test]
fn a_picture_that_is_saved_elsewhere_is_drawn_at_once() {
    let Some(mut window) = drawing(&flips()) else { return };
    let canvas = look(&mut window, 2.0);
    let set = window.editor().resolution().tilesets["ground"].clone();
    let path = set.beside(&window.editor().project().tileset(&set).unwrap().image).unwrap();
    let place = window.folder.path().join("game").join(path.as_str());
    let mut picture = image::open(&place).unwrap().into_rgba8();
    picture.pixels_mut().for_each(|px| px.0.swap(0, 2));
    let new = Image::from_png(&{
        picture.save(&place).unwrap();
        std::fs::read(&place).unwrap()
    })
    .unwrap();
    window.until("the picture is read again", |window| {
        let actions = std::cell::RefCell::default();
        let shown = window.app().cx(&actions).derived.images().get(path.as_str()).cloned();
        shown.is_some_and(|shown| shown.rgba() == new.rgba())
    });
    // Its tiles are cut out of it in a thread.
    window.settle();
    let expected = expected(&window, 2.0);
    let (_, most) = difference(&mut window, &expected, canvas);
    assert!(most <= 3, "{most}");
}

#[test]
fn tiles_without_their_picture_are_marked_and_come_back_with_it() {
    let Some(mut window) = drawing(&flips()) else { return };
    let canvas = look(&mut window, 2.0);
    let before = expected(&window, 2.0);
    let set = window.editor().resolution().tilesets["ground"].clone();
    let path = set.beside(&window.editor().project().tileset(&set).unwrap().image).unwrap();
    let place = window.folder.path().join("game").join(path.as_str());
    let is_there = |window: &Window| {
        let actions = std::cell::RefCell::default();
        window.app().cx(&actions).derived.images().contains_key(path.as_str())
    };
    let marked = |window: &mut Window| {
        let drawn = window.harness.render().unwrap();
        let (x, y) = (canvas.left() as u32..canvas.right() as u32, canvas.top() as u32..canvas.bottom() as u32);
        let pixels = y.flat_map(|y| x.clone().map(move |x| (x, y)));
        pixels.filter(|(x, y)| drawn.get_pixel(*x, *y).0 == [255, 0, 220, 255]).count()
    };
    let one = marked(&mut window);
    assert_eq!(one, 32 * 32, "one that the tileset does not know");
    let elsewhere = window.folder.path().join("kept.png");
    std::fs::rename(&place, &elsewhere).unwrap();
    window.until("the picture is gone", |window| !is_there(window));
    assert!(marked(&mut window) > 4 * one);
    std::fs::rename(&elsewhere, &place).unwrap();
    window.until("the picture is back", |window| is_there(window));
    window.settle();
    let (_, most) = difference(&mut window, &before, canvas);
    assert!(most <= 3, "{most}");
}
