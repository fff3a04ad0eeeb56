//! Pictures of the window, compared with those in `tests/snapshots`. They are drawn by whatever graphics there is,
//! lavapipe included; where there is none they are skipped, unless `LEVELWRIGHT_REQUIRE_GPU=1` says that there must be.
//! `UPDATE_SNAPSHOTS=1 cargo test --test ui images` takes them anew.
//!
//! Invariant: they show a new project from a template, not the sample game, which changes with every game day.

use egui_kittest::{SnapshotOptions, wgpu::WgpuTestRenderer};
use levelwright::{
    editor::{Command, Pane},
    io,
};

use crate::window::Window;

/// Pixels that may differ: other versions of a driver round the edges of things differently.
const MAX_FAILED_PIXELS: usize = 600;

/// A renderer, or the reason there is none.
pub(crate) fn renderer() -> Option<WgpuTestRenderer> {
    let made = std::panic::catch_unwind(WgpuTestRenderer::new).ok();
    let must = std::env::var("LEVELWRIGHT_REQUIRE_GPU").is_ok_and(|value| value == "1");
    assert!(made.is_some() || !must, "LEVELWRIGHT_REQUIRE_GPU=1, but there is no graphics adapter");
    if made.is_none() {
        eprintln!("skipped: there is no graphics adapter; install Mesa's lavapipe for one without a card");
    }
    made
}

fn picture(name: &str, prepare: impl FnOnce(&mut Window)) {
    let Some(renderer) = renderer() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("game");
    io::new_project(&root, io::Template::Platformer, "A new game").unwrap();
    let mut window = Window::drawn(folder, &root, [1280.0, 800.0], renderer);
    prepare(&mut window);
    window.harness.set_render_cursor(false);
    window.harness.remove_cursor();
    window.harness.run_steps(4);
    let options = SnapshotOptions::new().threshold(2.0).max_failed_pixels(MAX_FAILED_PIXELS);
    window.harness.snapshot_options(name, &options);
}

#[test]
fn dark() {
    picture("window_dark", |_| {});
}

#[test]
fn light() {
    picture("window_light", |window| window.command(Command::ToggleTheme));
}

#[test]
fn machine() {
    picture("machine", |window| window.act(levelwright::editor::Action::ShowPane(Pane::Machine)));
}

#[test]
fn command_palette() {
    picture("command_palette", |window| window.command(Command::CommandPalette));
}
