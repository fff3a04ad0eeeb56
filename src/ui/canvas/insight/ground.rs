//! Traffic and trails, where the time of ticks goes, how wide an agent fits where, and where a walker jumps and drops.

use std::collections::BTreeMap;

use egui::{Color32, Mesh, Rect, Shape, Stroke, lerp, pos2, vec2};

use super::Scene;
use crate::{
    editor::Overlay,
    model::{Cell, Level},
    sim::insight::profile::ms_text,
    ui::{
        Theme,
        canvas::{camera::OnScreen as _, ghost::cells_rect, labels::Labels, probe},
    },
};

/// The most cells that the time of a tick is written at.
const MOST_TIMES: usize = 12;
/// Less of a tick's time than this is not worth a number, in nanoseconds.
const LEAST_TIME_NS: f64 = 10_000.0;
/// The sides of a block of cells with the time spent there, in points at least.
const LEAST_BLOCK: f32 = 16.0;
/// A block is no more cells wide than this.
const MOST_CELLS: i32 = 256;

/// The color of a share, from the first to the last.
#[must_use]
pub(super) fn ramp(theme: &Theme, share: f32) -> Color32 {
    let share = share.clamp(0.0, 1.0);
    if share < 0.5 {
        between(theme.path, theme.good, share * 2.0)
    } else {
        between(theme.good, theme.waypoint, share * 2.0 - 1.0)
    }
}

/// The color of traffic, from the least to the most.
#[must_use]
pub(super) fn heat(theme: &Theme, share: f32) -> Color32 {
    between(theme.waypoint, theme.error, share).gamma_multiply(0.15 + 0.5 * share.clamp(0.0, 1.0))
}

fn between(a: Color32, b: Color32, share: f32) -> Color32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
    let mix = |a: u8, b: u8| lerp(f32::from(a)..=f32::from(b), share.clamp(0.0, 1.0)).round() as u8;
    Color32::from_rgb(mix(a.r(), b.r()), mix(a.g(), b.g()), mix(a.b(), b.b()))
}

/// Where agents stood or passed: the longer, the redder.
pub(super) fn traffic_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Traffic) {
        return;
    }
    let cells: Vec<_> = scene.preview.session.observed().heat.cells(scene.world.time_secs()).collect();
    heat_ui(scene, &cells, 1.0, 1);
}

/// Where the entities are that ticks spend their time on: the more, the redder, with numbers where it is most. From
/// afar, cells are
/// taken together in blocks.
pub(super) fn tick_time_ui(scene: &Scene<'_>, labels: &mut Labels) {
    let Some(level) = scene.cx.project.level(&scene.preview.level).filter(|_| scene.has(Overlay::TickTime)) else {
        return;
    };
    let side = scene.viewport.rect(cells_rect(level.grid(), [[0, 0]; 2])).size().max_elem();
    let mut n = 1;
    #[expect(clippy::cast_precision_loss, reason = "a few cells")]
    while side * (n as f32) < LEAST_BLOCK && n < MOST_CELLS {
        n *= 2;
    }
    let mut blocks: BTreeMap<Cell, f64> = BTreeMap::new();
    for (cell, ns) in scene.preview.session.observed().profile.cells(scene.world.time_secs()) {
        *blocks.entry(cell.map(|at| at.div_euclid(n))).or_default() += ns;
    }
    let mut blocks: Vec<(Cell, f64)> = blocks.into_iter().collect();
    heat_ui(scene, &blocks, LEAST_TIME_NS, n);
    blocks.retain(|(_, ns)| *ns >= LEAST_TIME_NS);
    blocks.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (block, ns) in blocks.into_iter().take(MOST_TIMES) {
        let rect = block_rect(scene, level, block, n);
        if scene.viewport.view.intersects(rect) {
            let text = format!("{} ms", ms_text(ns));
            labels.label_ui(
                scene.theme(),
                scene.painter,
                rect.center_top() - vec2(0.0, 2.0),
                &text,
                scene.theme().text,
            );
        }
    }
}

/// Where a block of n×n cells is on the screen.
fn block_rect(scene: &Scene<'_>, level: &Level, block: Cell, n: i32) -> Rect {
    let first = block.map(|at| at.saturating_mul(n));
    let last = first.map(|at| at.saturating_add(n - 1));
    scene.viewport.rect(cells_rect(level.grid(), [first, last]))
}

/// Blocks of n×n cells by how much there is of something: the more, the redder, against the greatest, or this where all
/// are less.
fn heat_ui(scene: &Scene<'_>, blocks: &[(Cell, f64)], least: f64, n: i32) {
    let Some(level) = scene.cx.project.level(&scene.preview.level) else { return };
    let most = blocks.iter().map(|(_, amount)| *amount).fold(least, f64::max);
    let mut mesh = Mesh::default();
    for (block, amount) in blocks {
        let rect = block_rect(scene, level, *block, n).intersect(scene.viewport.view);
        if rect.is_positive() {
            // Its root, or what there is a little of would not show beside what there is most of.
            #[expect(clippy::cast_possible_truncation, reason = "a color")]
            let share = (amount / most).sqrt() as f32;
            mesh.add_colored_rect(rect, heat(scene.theme(), share));
        }
    }
    scene.painter.add(mesh);
}

/// Where entities were in the last seconds: paler the longer ago.
pub(super) fn trails_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Trails) {
        return;
    }
    let color = scene.theme().path;
    for (key, trail) in scene.preview.session.observed().trails() {
        let Some(viewport) = scene.of(key).filter(|_| scene.is_meant(key)) else { continue };
        let visible = viewport.camera.visible(viewport.view).expand(32.0);
        let is_seen = |at: &glam::Vec2| visible.contains(pos2(at.x, at.y));
        if trail.len() < 2 || !trail.iter().any(|(_, at)| is_seen(at)) {
            continue;
        }
        let points: Vec<_> = trail.iter().map(|(_, at)| viewport.screen(pos2(at.x, at.y))).collect();
        // In four parts, each stronger than the one before.
        let part = points.len().div_ceil(4).max(1);
        for (i, from) in (0..points.len()).step_by(part).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "one of four")]
            let strength = 0.35 + 0.2 * i as f32;
            let piece = points[from..(from + part + 1).min(points.len())].to_vec();
            scene.painter.add(Shape::line(piece, Stroke::new(1.5, color.gamma_multiply(strength))));
        }
    }
}

/// How wide an agent fits where.
pub(super) fn clearance_ui(scene: &Scene<'_>) {
    let Some(level) = scene.cx.project.level(&scene.preview.level).filter(|_| scene.has(Overlay::Clearance)) else {
        return;
    };
    let Some(map) = scene.cx.derived.agent_maps().map(&scene.preview.level) else { return };
    if let Some(field) = &map.clearance {
        let mut mesh = Mesh::default();
        probe::clearance_mesh(&mut mesh, scene.viewport, level, (scene.theme(), field, map.agent.radius));
        scene.painter.add(mesh);
    }
}

/// The ledges, jumps and drops of a walker.
pub(super) fn jumps_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Jumps) {
        return;
    }
    let map = scene.cx.derived.agent_maps().map(&scene.preview.level);
    if let Some(ledges) = map.and_then(|map| map.ledges.as_ref()) {
        let mut shapes = Vec::new();
        probe::ledge_shapes(&mut shapes, scene.theme(), scene.viewport, ledges);
        scene.painter.extend(shapes);
    }
}
