//! A waypoint lies outside its level, where nobody finds a path to.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location, short_number},
};

pub(super) const RULE: Rule =
    Rule { name: "waypoint-outside-level", doc: "A waypoint is outside its level's bounds.", check };

/// So far within its edge a place is in the level, in pixels.
const WITHIN_PX: f64 = 1.0;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        if level.size.is_none() {
            continue;
        }
        let [left, top, right, bottom] = level.bounds_px();
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            // A platform may go out of the level and come back.
            let Some(graph) = layer.waypoints().filter(|_| !walked.carried.contains(&layer.name)) else { continue };
            for (id, node) in &graph.nodes {
                let [x, y] = node.at;
                if (left..right).contains(&x) && (top..bottom).contains(&y) {
                    continue;
                }
                let inside = |x: f64, least: f64, most: f64| x.min(most - WITHIN_PX).max(least);
                let by = [inside(x, left, right) - x, inside(y, top, bottom) - y];
                let path = level.node_at(i, id).key("at");
                let [at_x, at_y] = node.at.map(short_number);
                let message = format!(
                    "waypoint `{id}` is at ({at_x}, {at_y}), outside the level, which ends at ({right}, {bottom})"
                );
                let edit = Edit::MoveThings { doc: walked.doc.clone(), ids: vec![id.clone()], by };
                let fix = Fix::new("Move it to the edge of the level", edit);
                let at = Location::new(walked.doc.clone(), path);
                out.push(Problem::new(Finding::warning(RULE.name, at, message)).with([fix]));
            }
        }
    }
}
