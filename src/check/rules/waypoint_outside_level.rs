//! A waypoint outside its level's bounds, where no path leads.

use super::{entity_outside_level::outside, waypoint_in_wall::nearest_place};
use crate::check::{Problem, Rule, input::Input, trips::place};

pub(super) const RULE: Rule =
    Rule { name: "waypoint-outside-level", doc: "A waypoint is outside its level's bounds.", check };

/// Tolerance at the level's edge, in pixels.
const WITHIN_PX: f64 = 1.0;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        if level.size.is_none() {
            continue;
        }
        let [left, top, right, bottom] = level.bounds_px();
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            // A platform may leave the level and come back.
            let Some(graph) = layer.waypoints().filter(|_| !walked.carried.contains(&layer.name)) else { continue };
            for (id, node) in &graph.nodes {
                let [x, y] = node.at;
                if (left..right).contains(&x) && (top..bottom).contains(&y) {
                    continue;
                }
                let inside = |x: f64, least: f64, most: f64| x.min(most - WITHIN_PX).max(least);
                let edge = [inside(x, left, right), inside(y, top, bottom)];
                let at = place(edge);
                let near = nearest_place(walked.navigator.borrow().floor(), graph, at);
                let to = match near.filter(|near| *near != at) {
                    Some(near) => ([near.x, near.y].map(f64::from), "Move it to the nearest open place in the level"),
                    None => (edge, "Move it to the edge of the level"),
                };
                let what = format!("waypoint `{id}`");
                let path = level.node_at(i, id);
                out.push(outside(RULE.name, (&walked.doc, level), (&what, id, path), node.at, to));
            }
        }
    }
}
