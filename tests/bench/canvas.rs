//! What the level's canvas costs on the graphics card: a whole frame of the window drawn and read back, of a level
//! without tiles, which is the baseline, of one with a million tiles and of one with 16 million in each of four layers,
//! from near to far; and how long it takes until a level of 16 384 by 16 384 cells is seen, and all of it is read.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should say where")]

use std::{fmt::Write as _, time::Instant};

use camino::Utf8PathBuf;
use divan::{Bencher, black_box};
use egui_kittest::{Harness, wgpu::WgpuTestRenderer};
use glam::Vec2;
use levelwright::{
    app::App,
    editor::{Action, Camera, Command, ViewChange},
    io,
    model::DocPath,
};

#[path = "../corpora/vast.rs"]
mod vast;

fn main() {
    divan::main();
}

/// Points on the screen for a pixel of the level.
const SCALES: [f32; 5] = [1.0, 0.25, 1.0 / 16.0, 1.0 / 64.0, 1.0 / 256.0];

/// A level of `side` by `side` cells with so many full layers.
fn level(side: usize, n_layers: usize) -> String {
    let mut out = format!("(size: ({side}, {side}), tile_size: (16, 16), layers: [");
    for layer in 0..n_layers {
        write!(out, "Tiles(name: \"l{layer}\", tileset: \"ground\", opacity: 0.5, chunks: {{").unwrap();
        for x in 0..side / 32 {
            for y in 0..side / 32 {
                let row = format!("\"32*{}\",", (x + y + layer) % 8 + 1);
                write!(out, "({x}, {y}): [{}],", row.repeat(32)).unwrap();
            }
        }
        out.push_str("}),");
    }
    out + "])"
}

struct Window {
    harness: Harness<'static, App>,
    _folders: [tempfile::TempDir; 2],
}

impl Window {
    fn new(side: usize, n_layers: usize) -> Self {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let root = folders[0].path().join("game");
        io::new_project(&root, io::Template::Platformer, "A new game").unwrap();
        std::fs::write(root.join("levels/first.ron"), level(side, n_layers)).unwrap();
        let (root, journals) = (Utf8PathBuf::from_path_buf(root).unwrap(), Some(folders[1].path().to_owned()));
        let builder = Harness::builder().with_size([1280.0, 800.0]).renderer(WgpuTestRenderer::new());
        let mut harness = builder.build_eframe(move |cc| App::new(cc, Some(root), journals));
        let start = Instant::now();
        while !harness.state().editor().is_settled() {
            assert!(start.elapsed().as_secs() < 120, "the level does not open");
            harness.run_steps(1);
        }
        harness.state().send(Action::Command(Command::ToggleGrid));
        harness.run_steps(2);
        Self { harness, _folders: folders }
    }

    fn look(&mut self, scale: f32) {
        let doc = DocPath::new("levels/first.ron").unwrap();
        let camera = Camera { center: Vec2::splat(300.0 / scale), scale };
        self.harness.state().send(Action::View(ViewChange::Camera(doc, camera)));
        self.harness.run_steps(3);
        // Once for what is put on the card when it is first seen.
        self.harness.render().unwrap();
    }
}

fn frames(bencher: Bencher<'_, '_>, side: usize, n_layers: usize, scale: f32) {
    let mut window = Window::new(side, n_layers);
    window.look(scale);
    bencher.bench_local(|| {
        // A picture is made once for each pass.
        window.harness.step();
        black_box(window.harness.render().unwrap())
    });
}

#[divan::bench(args = SCALES)]
fn baseline_without_tiles(bencher: Bencher<'_, '_>, scale: f32) {
    frames(bencher, 1024, 0, scale);
}

#[divan::bench(args = SCALES)]
fn a_million_tiles(bencher: Bencher<'_, '_>, scale: f32) {
    frames(bencher, 1024, 1, scale);
}

#[divan::bench(args = SCALES)]
fn sixteen_million_tiles_in_each_of_four_layers(bencher: Bencher<'_, '_>, scale: f32) {
    frames(bencher, 4096, 4, scale);
}

/// The window, opened on it, and the folder of its journals.
fn opened() -> (Harness<'static, App>, tempfile::TempDir) {
    let journals = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(vast::folder().to_owned()).unwrap();
    let at = Some(journals.path().to_owned());
    let builder = Harness::builder().with_size([1280.0, 800.0]).renderer(WgpuTestRenderer::new());
    (builder.build_eframe(move |cc| App::new(cc, Some(root), at)), journals)
}

/// Until a picture is drawn with the tiles in the middle of what is seen.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn until_the_first_picture(bencher: Bencher<'_, '_>) {
    vast::folder();
    bencher.bench_local(|| {
        let (mut harness, journals) = opened();
        let start = Instant::now();
        let is_there = |app: &App| {
            let editor = app.editor();
            let camera = editor.view().cameras.get(&vast::doc());
            let shown = editor.project().level(&vast::doc()).zip(camera);
            shown.is_some_and(|(level, camera)| {
                let cell = level.grid().cell_at([camera.center.x, camera.center.y].map(f64::from));
                !level.layers[0].tiles().unwrap().tiles.get(cell).is_empty()
            })
        };
        while !is_there(harness.state()) {
            assert!(start.elapsed().as_secs() < 120, "the level does not open");
            harness.run_steps(1);
        }
        (black_box(harness.render().unwrap()), harness, journals)
    });
}

/// Until it can be edited.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn until_all_of_it_is_read(bencher: Bencher<'_, '_>) {
    vast::folder();
    bencher.bench_local(|| {
        let (mut harness, journals) = opened();
        let start = Instant::now();
        while !harness.state().editor().is_settled() {
            assert!(start.elapsed().as_secs() < 600, "the level does not open");
            harness.run_steps(1);
        }
        (harness, journals)
    });
}
