//! The overlays that explain a running level: what each draws over the canvas, and what its colors mean.
//!
//! Invariant: an overlay that is off costs a comparison. What is drawn is read from the world and what is kept of it;
//! nothing is computed here that a test of the core would have to know.

mod axes;
mod bodies;
mod ground;
mod legend;
mod minds;
mod why;

pub use axes::{Hovered, inspected_pair};
pub use legend::legend;

use std::collections::{HashMap, HashSet};

use egui::{Painter, Pos2, Shape, Stroke, Vec2, pos2};

use super::{cameras, labels::Labels, lines, paint::Viewport};
use crate::{
    editor::{Overlay, Preview},
    sim::{EntityKey, World},
    ui::{Cx, Theme},
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
    /// Whether something of the level is selected.
    has_selection: bool,
    /// The selected entities of the level that run.
    selected: HashSet<EntityKey>,
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
        !self.has_selection || self.is_selected(key)
    }

    fn is_selected(&self, key: EntityKey) -> bool {
        self.selected.contains(&key)
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
    let (world, ids) = (preview.session.world(), cx.selection.ids_in(&preview.level));
    if !insight.on.has_any() && insight.why.is_none() && ids.is_empty() {
        return;
    }
    let (has_selection, selected) = (!ids.is_empty(), ids.iter().filter_map(|id| world.by_id(id)).collect());
    let scene = Scene { cx, painter, viewport, viewports, preview, world, has_selection, selected };
    let legend = legend::Legend::placed(&scene, labels);
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
    // Above what it explains, or its lines would run through the words.
    if let Some(legend) = legend {
        legend.paint(&scene);
    }
}
