//! The routes of what is selected: numbers at their waypoints, and arrows from each to the next.

use egui::{Painter, Pos2, Shape, Stroke, vec2};

use super::{camera::pos, lines, overlay, paint::Viewport};
use crate::{
    editor::{LayerSeen, RouteShown, routes_shown},
    model::DocPath,
    ui::{CanvasCx, Cx},
};

/// Of so many things the routes are shown, at most.
const MOST: usize = 8;
/// How far beside the links the arrows are, in points: a link shows its own direction.
const BESIDE: f32 = 5.0;
/// Of a tip of an arrow, in points.
const TIP: f32 = 5.0;

/// Draw them, where waypoint links are shown.
pub fn routes_ui(cx: &CanvasCx<'_>, painter: &Painter, viewport: &Viewport, doc: &DocPath, shown: &[LayerSeen<'_>]) {
    // Of many things selected, the routes of the first say no less than a tangle.
    let ids = cx.selection.ids_in(doc);
    let ids = &ids[..ids.len().min(MOST)];
    if ids.is_empty() || !cx.view.overlays.links {
        return;
    }
    let routes = cx.derived.memos().get(("routes", doc, ids), || routes_shown(cx.derived, doc, ids));
    for route in routes.iter() {
        let Some(on) = shown.iter().find(|it| it.layer.name == route.layer) else { continue };
        route_ui(cx, painter, &viewport.for_layer(&on.look), route);
    }
}

fn route_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, route: &RouteShown) {
    let points: Vec<Pos2> = route.points.iter().map(|at| viewport.screen(pos(*at))).collect();
    let mut legs: Vec<[Pos2; 2]> = points.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    // A route of two goes there and back however it is called.
    if let (true, [first, _, .., last]) = (&*route.mode == "Loop" && points.len() > 2, points.as_slice()) {
        legs.push([*last, *first]);
    }
    let view = viewport.view;
    for [a, b] in legs {
        if !view.intersects(egui::Rect::from_two_pos(a, b)) {
            continue;
        }
        let along = (b - a).normalized();
        let [a, b] = [a, b].map(|end| end + along.rot90() * BESIDE);
        lines::line_ui(cx.theme, painter, [a, b], Stroke::new(2.0, cx.theme.instance));
        tip_ui(cx, painter, a + (b - a) * 0.7, along);
        if &*route.mode == "PingPong" {
            tip_ui(cx, painter, a + (b - a) * 0.3, -along);
        }
    }
    for (i, at) in points.iter().enumerate().filter(|(_, at)| view.contains(**at)) {
        overlay::label_ui(cx, painter, *at + vec2(12.0, -5.0), &(i + 1).to_string(), cx.theme.text_strong);
    }
    if let Some(first) = points.first().filter(|at| view.contains(**at)) {
        overlay::label_ui(cx, painter, *first + vec2(0.0, 26.0), &words_of(route), cx.theme.text);
    }
}

/// Who follows it, and what comes after its last waypoint.
fn words_of(route: &RouteShown) -> String {
    let mode = match &*route.mode {
        "Loop" => "round and round",
        "PingPong" => "there and back",
        "Once" => "once",
        other => other,
    };
    let parts = [route.who.as_deref().unwrap_or_default(), mode];
    let words: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    if words.is_empty() { route.layer.to_string() } else { words.join(", ") }
}

fn tip_ui(cx: &Cx<'_>, painter: &Painter, at: Pos2, along: egui::Vec2) {
    let side = along.rot90() * TIP;
    let points = vec![at + along * TIP, at - along * TIP + side, at - along * TIP - side];
    painter.add(Shape::convex_polygon(points, cx.theme.instance, Stroke::new(1.0, cx.theme.halo)));
}
