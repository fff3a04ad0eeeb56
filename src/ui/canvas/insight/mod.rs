//! The overlays that explain a running level: what each draws over the canvas, and what its colors mean.
//!
//! Invariant: an overlay that is off costs a comparison. What is drawn is read from the world and what is kept of it; nothing is computed
//! here that a test of the core would have to know.

mod axes;
mod bodies;
mod ground;
mod minds;
mod why;

pub use axes::{Hovered, inspected_pair};

use std::collections::HashMap;

use egui::{Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use super::{
    cameras,
    labels::Labels,
    lines,
    paint::Viewport,
    probe::{jump_colors, ledge_colors},
};
use crate::{
    editor::{Overlay, Preview},
    model::Name,
    sim::{EntityKey, World},
    ui::{
        Cx, Theme,
        theme::{GRID, SMALL},
    },
};

/// What there is to draw on, and from.
struct Scene<'a> {
    cx: &'a Cx<'a>,
    painter: &'a Painter,
    /// Of the level itself.
    viewport: &'a Viewport,
    /// Of the layers that entities are on.
    viewports: &'a HashMap<usize, Viewport>,
    preview: &'a Preview,
    world: &'a World,
    /// The selected entities of the level.
    selected: &'a [Name],
}

impl Scene<'_> {
    fn theme(&self) -> &Theme {
        self.cx.theme
    }

    fn has(&self, overlay: Overlay) -> bool {
        self.cx.view.insight.on.has(overlay)
    }

    /// The viewport of an entity, where its layer is shown.
    fn of(&self, key: EntityKey) -> Option<&Viewport> {
        self.viewports.get(&self.world.spot(key)?.0)
    }

    /// A place of the level on the screen, as an entity's layer is seen, if that is in sight or nearly so.
    fn seen(&self, key: EntityKey, at: glam::Vec2) -> Option<Pos2> {
        let at = self.of(key)?.screen(pos2(at.x, at.y));
        self.viewport.view.expand(64.0).contains(at).then_some(at)
    }

    /// Where an entity is on the screen, if that is in sight or nearly so.
    fn spot(&self, key: EntityKey) -> Option<Pos2> {
        self.seen(key, self.world.spot(key)?.1)
    }

    /// Whether an entity is selected, or none is.
    fn is_meant(&self, key: EntityKey) -> bool {
        self.selected.is_empty() || self.is_selected(key)
    }

    fn is_selected(&self, key: EntityKey) -> bool {
        self.selected.iter().any(|id| self.world.by_id(id) == Some(key))
    }

    /// An arrow from a point by a vector, in points of the screen.
    fn arrow(&self, from: Pos2, by: Vec2, stroke: Stroke) {
        arrow_ui(self.theme(), self.painter, from, by, stroke);
    }
}

/// An arrow from a point by a vector, in points of the screen; nothing for one too short to be seen.
fn arrow_ui(theme: &Theme, painter: &Painter, from: Pos2, by: Vec2, stroke: Stroke) {
    if by.length() < 2.0 || !by.is_finite() {
        return;
    }
    let (tip, along) = (from + by, by.normalized());
    let head = (4.0 + stroke.width * 1.5).min(by.length());
    lines::line_ui(theme, painter, [from, tip - along * head * 0.5], stroke);
    let side = along.rot90() * head * 0.5;
    let points = vec![tip, tip - along * head + side, tip - along * head - side];
    painter.add(Shape::convex_polygon(points, stroke.color, Stroke::NONE));
}

/// Draw what is on, below the labels.
pub(in crate::ui) fn insight_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    (viewport, viewports): (&Viewport, &HashMap<usize, Viewport>),
    preview: &Preview,
    labels: &mut Labels,
) {
    let insight = &cx.view.insight;
    let (world, selected) = (preview.session.world(), cx.selection.ids_in(&preview.level));
    if !insight.on.has_any() && insight.why.is_none() && selected.is_empty() {
        return;
    }
    let scene = Scene { cx, painter, viewport, viewports, preview, world, selected };
    legend_ui(&scene, labels);
    ground::clearance_ui(&scene);
    ground::traffic_ui(&scene);
    ground::tick_time_ui(&scene, labels);
    ground::jumps_ui(&scene);
    bodies::broad_phase_ui(&scene);
    minds::sight_ui(&scene);
    minds::searches_ui(&scene);
    ground::trails_ui(&scene);
    if scene.has(Overlay::Cameras) {
        preview.cameras.views().iter().for_each(|view| cameras::frame_ui(cx, painter, viewport, view));
    }
    bodies::sleeping_ui(&scene);
    bodies::velocities_ui(&scene, labels);
    bodies::forces_ui(&scene);
    bodies::contacts_ui(&scene, labels);
    minds::messages_ui(&scene, labels);
    axes::axes_ui(&scene, labels);
    why::why_ui(&scene, labels);
}

/// What the colors of an overlay mean.
#[must_use]
pub fn legend(theme: &Theme, overlay: Overlay) -> Vec<(Color32, &'static str)> {
    match overlay {
        Overlay::Contacts => vec![(theme.warning, "normal, longer with the impulse"), (theme.error, "depth")],
        Overlay::Velocities => vec![(theme.path, "where it would be in ¼ s")],
        Overlay::Forces => {
            let names = ["mass × acceleration", "gravity", "zones", "contacts, joints, its own"];
            bodies::force_colors(theme).into_iter().zip(names).collect()
        }
        Overlay::Sleeping => vec![(theme.hint, "sleeps")],
        Overlay::BroadPhase => {
            vec![
                (theme.collider, "bounding box"),
                (theme.accent, "square in use"),
                (theme.waypoint, "pair that is near"),
            ]
        }
        Overlay::Axes => {
            let [a, b, overlap] = axes::colors(theme);
            vec![(a, "A"), (b, "B"), (overlap, "overlap"), (theme.good, "translation that separates them")]
        }
        Overlay::Sight => {
            vec![(theme.waypoint, "looks"), (theme.text_weak, "would look in another state"), (theme.error, "sees")]
        }
        Overlay::Messages => vec![(theme.accent, "responded to"), (theme.text_weak, "not responded to")],
        Overlay::Searches => {
            vec![
                (ground::ramp(theme, 0.0), "examined first"),
                (ground::ramp(theme, 1.0), "last"),
                (theme.text_weak, "still open"),
            ]
        }
        Overlay::Clearance => {
            vec![(theme.error, "too narrow"), (theme.waypoint, "just wide enough"), (theme.good, "wide")]
        }
        Overlay::Jumps => {
            let ([reached, others], [jump, drop]) = (ledge_colors(theme), jump_colors(theme));
            vec![(reached, "ledge it gets to"), (others, "not"), (jump, "jump"), (drop, "drop")]
        }
        Overlay::Traffic => vec![(ground::heat(theme, 0.1), "passed"), (ground::heat(theme, 1.0), "stood longest")],
        Overlay::Trails => vec![(theme.path, "the last 5 s")],
        Overlay::TickTime => {
            vec![(ground::heat(theme, 0.1), "a little of a tick"), (ground::heat(theme, 1.0), "the most")]
        }
        Overlay::Energy => Vec::new(),
        Overlay::Cameras => {
            vec![
                (theme.accent, "what it sees, and what it follows"),
                (theme.path, "dead zone"),
                (theme.waypoint, "bounds"),
            ]
        }
    }
}

/// What the colors mean of the overlays that are on: at the left bottom, where nothing else is put.
fn legend_ui(scene: &Scene<'_>, labels: &mut Labels) {
    let theme = scene.theme();
    let rows: Vec<(Overlay, Vec<_>)> = Overlay::ALL
        .into_iter()
        .filter(|overlay| {
            scene.has(*overlay)
                && (*overlay != Overlay::Axes || inspected_pair(scene.cx, scene.painter.ctx(), scene.preview).is_some())
        })
        .map(|overlay| (overlay, legend(theme, overlay)))
        .filter(|(_, parts)| !parts.is_empty())
        .collect();
    if rows.is_empty() {
        return;
    }
    let font = FontId::proportional(SMALL);
    let view = scene.viewport.view;
    let (height, swatch) = (SMALL + 5.0, 8.0);
    let mut shapes: Vec<(Vec2, std::sync::Arc<egui::Galley>, Option<Color32>)> = Vec::new();
    let mut width: f32 = 0.0;
    for (row, (_, parts)) in rows.iter().enumerate() {
        let mut x = 0.0;
        #[expect(clippy::cast_precision_loss, reason = "a dozen rows")]
        let y = row as f32 * height;
        for (color, text) in parts {
            let galley = scene.painter.layout_no_wrap((*text).to_owned(), font.clone(), theme.text);
            let wide = galley.size().x;
            shapes.push((vec2(x, y), galley, Some(*color)));
            x += swatch + 4.0 + wide + 12.0;
        }
        width = width.max(x - 12.0);
    }
    #[expect(clippy::cast_precision_loss, reason = "a dozen rows")]
    let size = vec2(width, rows.len() as f32 * height) + vec2(GRID * 4.0, GRID * 2.0);
    let ground = Rect::from_min_size(view.left_bottom() + vec2(8.0, -8.0 - size.y), size);
    if ground.width() > view.width() - 16.0 || ground.height() > view.height() - 16.0 {
        return;
    }
    labels.keep_free(ground.expand(2.0));
    scene.painter.rect_filled(ground, CornerRadius::same(4), theme.panel.gamma_multiply(0.9));
    let origin = ground.min + vec2(GRID * 2.0, GRID);
    for (at, galley, color) in shapes {
        let at = origin + at;
        if let Some(color) = color {
            let rect = Rect::from_min_size(at + vec2(0.0, (height - swatch) / 2.0 - 1.0), vec2(swatch, swatch));
            scene.painter.rect_filled(rect, 1.0, color);
        }
        scene.painter.galley(at + vec2(swatch + 4.0, 0.0), galley, theme.text);
    }
}
