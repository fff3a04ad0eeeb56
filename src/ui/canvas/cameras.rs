//! The game's cameras on a canvas: what they show as a level begins, and the frames of what each sees, its dead zone
//! and its bounds.

use std::{rc::Rc, sync::Arc};

use egui::{Painter, Rect, Shape, Stroke, pos2, vec2};
use glam::DVec2;

use super::{lines, overlay, paint::Viewport};
use crate::{
    defs::Resolution,
    model::{DocPath, Document, Level, ValueSet},
    sim::camera::{CameraConstants, CameraSet, CameraView, placed_cameras},
    ui::Cx,
};

/// Radius of the mark at the point that a camera follows, in points.
const FOCUS: f32 = 9.0;

/// The cameras of a level as it begins.
pub struct StartCameras {
    document: Arc<Document>,
    resolution: Arc<Resolution>,
    tried: ValueSet,
    /// What each shows, those that are drawn first first.
    pub views: Vec<CameraView>,
    /// Width and height of the game's picture, in pixels.
    pub picture: DVec2,
}

/// The cameras of a level as it begins; computed once for each state of it.
#[must_use]
pub fn start_cameras(cx: &Cx<'_>, doc: &DocPath, level: &Level) -> Option<Rc<StartCameras>> {
    let (document, resolution, tried) = (cx.project.doc(doc)?, cx.resolution, cx.tried_values());
    let is_current = |it: &StartCameras| {
        Arc::ptr_eq(&it.document, document) && Arc::ptr_eq(&it.resolution, resolution) && it.tried == *tried
    };
    let made = |_: Option<&StartCameras>| {
        let constants = CameraConstants::of(resolution, tried);
        let mut set = CameraSet::default();
        set.follow(&placed_cameras(resolution, (doc, level), &constants), constants.picture, 0.0);
        StartCameras {
            document: document.clone(),
            resolution: resolution.clone(),
            tried: tried.clone(),
            views: set.views().to_vec(),
            picture: constants.picture,
        }
    };
    Some(cx.derived.memos().get_current(("cameras at the start", doc.as_str()), is_current, made))
}

/// The frames of the selected cameras of a level that does not run: what they see as it begins.
pub fn selected_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, (doc, level): (&DocPath, &Level)) {
    let selected = cx.selection.ids_in(doc);
    if selected.is_empty() {
        return;
    }
    let Some(start) = start_cameras(cx, doc, level) else { return };
    for view in start.views.iter().filter(|view| selected.contains(&view.id)) {
        frame_ui(cx, painter, viewport, view);
    }
}

/// What a camera sees, its dead zone, its bounds, and the point it follows.
pub fn frame_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, view: &CameraView) {
    let rect = |[lo, hi]: [DVec2; 2]| {
        let [lo, hi] = [lo, hi].map(glam::DVec2::as_vec2).map(|at| viewport.screen(pos2(at.x, at.y)));
        Rect::from_two_pos(lo, hi)
    };
    let around = |center: DVec2, size: DVec2| rect([center - size / 2.0, center + size / 2.0]);
    let stroke = Stroke::new(1.5, cx.theme.accent);
    if let Some(bounds) = view.bounds {
        let edge = rect(bounds);
        let corners = [edge.left_top(), edge.right_top(), edge.right_bottom(), edge.left_bottom(), edge.left_top()];
        painter.extend(Shape::dashed_line(&corners, Stroke::new(1.0, cx.theme.waypoint), 6.0, 4.0));
    }
    let seen = around(view.center, view.size);
    lines::frame_ui(cx.theme, painter, seen, 0, stroke);
    if view.dead_zone.max_element() > 0.0 {
        lines::frame_ui(cx.theme, painter, around(view.anchor, view.dead_zone), 0, Stroke::new(1.0, cx.theme.path));
    }
    if view.has_target {
        let focus = rect([view.focus; 2]).center();
        lines::circle_ui(cx.theme, painter, focus, FOCUS, stroke);
        for by in [vec2(FOCUS + 4.0, 0.0), vec2(0.0, FOCUS + 4.0)] {
            lines::line_ui(cx.theme, painter, [focus - by, focus - by / 2.0], stroke);
            lines::line_ui(cx.theme, painter, [focus + by / 2.0, focus + by], stroke);
        }
    }
    let name = if view.is_placed() { &*view.id } else { "camera" };
    let text = format!("{name}  {:.0}%", view.zoom * 100.0);
    overlay::label_ui(cx, painter, seen.center_top() + vec2(0.0, -2.0), &text, cx.theme.text_strong);
}
