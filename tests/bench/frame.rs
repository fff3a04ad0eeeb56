//! What a pass of the window costs on the sample game, with each pane in front, beside an empty pass and a pass of
//! plain labels and buttons. Painting on the graphics card is not in it; laying out, answering input and tessellating
//! are.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should say where")]

use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use divan::{Bencher, black_box};
use eframe::App as _;
use egui::{Context, Pos2, RawInput, Rect, Ui, vec2};
use levelwright::{
    app::App,
    editor::{Action, Command, Overlay, Pane, Selection},
};

#[path = "../corpora/large.rs"]
mod large;

use large::large_game;

fn main() {
    divan::main();
}

fn input() -> RawInput {
    RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1440.0, 900.0))), ..RawInput::default() }
}

/// One pass, tessellated. Returns how many meshes it drew.
fn pass(ctx: &Context, ui: impl FnMut(&mut Ui)) -> usize {
    let mut output = ctx.run_ui(black_box(input()), ui);
    output.textures_delta.clear();
    black_box(ctx.tessellate(black_box(output.shapes), output.pixels_per_point)).len()
}

/// The window on the sample game with everything worked out.
struct Window {
    ctx: Context,
    app: App,
    frame: eframe::Frame,
}

impl Window {
    fn open(pane: Pane) -> Self {
        Self::open_at(concat!(env!("CARGO_MANIFEST_DIR"), "/sample_data").into(), pane)
    }

    fn open_at(root: std::path::PathBuf, pane: Pane) -> Self {
        let ctx = Context::default();
        let root = Utf8PathBuf::from_path_buf(root).unwrap();
        let app = App::new(&eframe::CreationContext::_new_kittest(ctx.clone()), Some(root), None);
        let mut window = Self { ctx, app, frame: eframe::Frame::_new_kittest() };
        let start = Instant::now();
        window.pass();
        while !window.app.editor().is_settled() {
            assert!(start.elapsed() < Duration::from_mins(1), "the sample game does not open");
            std::thread::sleep(Duration::from_millis(2));
            window.pass();
        }
        window.app.send(Action::ShowPane(pane));
        for _ in 0..4 {
            window.pass();
        }
        window
    }

    fn pass(&mut self) -> usize {
        let Self { ctx, app, frame } = self;
        pass(ctx, |ui| {
            app.logic(ui, frame);
            app.ui(ui, frame);
        })
    }
}

/// The Definitions pane in front, with so many definitions: what a pass costs must not grow with them.
#[divan::bench(args = [100, 10_000])]
fn definitions(bencher: Bencher<'_, '_>, n: usize) {
    let folder = large_game(n);
    let mut window = Window::open_at(folder.path().to_path_buf(), Pane::Definitions);
    bencher.bench_local(|| window.pass());
}

/// A definition that all others inherit, in the Inspector and with its family: what a pass costs must not grow with
/// them.
#[divan::bench(args = [(Pane::Inspector, 100), (Pane::Inspector, 20_000), (Pane::Inheritance, 100), (Pane::Inheritance, 20_000)])]
fn a_root_of_many(bencher: Bencher<'_, '_>, (pane, n): (Pane, usize)) {
    let folder = large_game(n);
    let mut window = Window::open_at(folder.path().to_path_buf(), pane);
    let (doc, root) = {
        let resolution = window.app.editor().resolution();
        let root = resolution.defs.values().find_map(|resolved| resolved.order.first().cloned()).unwrap();
        (resolution.def_docs[&root].clone(), root)
    };
    window.app.send(Action::Select(Selection::definition(doc, root)));
    for _ in 0..8 {
        window.pass();
    }
    bencher.bench_local(|| window.pass());
}

/// The window as it opens, with a pane brought to the front of its tabs.
#[divan::bench(args = Pane::ALL)]
fn window(bencher: Bencher<'_, '_>, pane: Pane) {
    let mut window = Window::open(pane);
    bencher.bench_local(|| window.pass());
}

/// The courtyard two seconds into its play and paused, seen whole, with no overlay and with all of them.
#[divan::bench(args = [false, true])]
fn playing(bencher: Bencher<'_, '_>, with_overlays: bool) {
    let mut window = Window::open(Pane::Level);
    window.app.send(Action::Command(Command::ZoomFit));
    for _ in 0..128 {
        window.app.send(Action::Command(Command::StepTick));
    }
    let all = Overlay::ALL.into_iter().filter(|it| *it != Overlay::Axes);
    for overlay in all.filter(|_| with_overlays) {
        window.app.send(Action::Command(Command::Overlay(overlay)));
    }
    let tick = |window: &Window| window.app.editor().preview().map(|preview| preview.session.world().tick());
    while tick(&window) != Some(128) || !window.app.editor().is_settled() {
        std::thread::sleep(Duration::from_millis(2));
        window.pass();
    }
    bencher.bench_local(|| window.pass());
}

/// Baseline: what the toolkit costs with nothing to show.
#[divan::bench]
fn empty(bencher: Bencher<'_, '_>) {
    let ctx = Context::default();
    bencher.bench_local(|| pass(&ctx, |_| {}));
}

/// Baseline: two hundred labels and as many buttons, about what the window shows.
#[divan::bench]
fn plain_widgets(bencher: Bencher<'_, '_>) {
    let ctx = Context::default();
    bencher.bench_local(|| {
        pass(&ctx, |ui| {
            ui.horizontal_wrapped(|ui| {
                for i in 0..200 {
                    ui.label(format!("label {}", black_box(i)));
                    let _ = ui.button(format!("button {i}"));
                }
            });
        })
    });
}
