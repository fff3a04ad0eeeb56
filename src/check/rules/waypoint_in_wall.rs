//! A waypoint inside something solid, where no agent fits.

use glam::Vec2;

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, LinkBy, Location, Name, WaypointGraph, short_number},
    sim::{arrive_px, nav::Floor},
};

pub(super) const RULE: Rule =
    Rule { name: "waypoint-in-wall", doc: "A waypoint lies in something solid, where no agent can stand.", check };

/// How far a place for a waypoint is looked for, in cells: past a wall around the level.
const REACH: i32 = 4;

/// The place nearest to one (px) where a waypoint of a layer has room for its links; `None` if there is none near.
pub(super) fn nearest_place(floor: &Floor, graph: &WaypointGraph, at: Vec2) -> Option<Vec2> {
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let radius = graph.radius as f32;
    floor.nearest_clear(at, radius, REACH)
}

/// Whether a waypoint at a place (px) lies in something solid without being meant to. `near` is how near an agent that
/// follows it has to get, in pixels, if one does.
pub(super) fn is_misplaced(floor: &Floor, (graph, id): (&WaypointGraph, &Name), at: Vec2, near: Option<f32>) -> bool {
    // A link made by hand leads where there is no other way: to a ladder, through a portal.
    let is_linked = || graph.links.iter().any(|it| it.by == LinkBy::Hand && (it.from == *id || it.to == *id));
    let is_meant = || is_linked() && near.is_none_or(|near| floor.has_open_near(at, near));
    !floor.is_open(at) && !is_meant()
}

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        let navigator = walked.navigator.borrow();
        let arrive_px = arrive_px(input.resolution);
        let floor = navigator.floor();
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let Some((graph, built)) = layer.waypoints().zip(navigator.waypoints(&layer.name)) else { continue };
            if walked.carried.contains(&layer.name) {
                continue;
            }
            let followed = walked.followed(i);
            for (place, ((id, node), at)) in graph.nodes.iter().zip(built.points()).enumerate() {
                if !is_misplaced(floor, (graph, id), *at, followed.contains(&place).then_some(arrive_px)) {
                    continue;
                }
                let path = level.node_at(i, id).key("at");
                let message = format!("waypoint `{id}` of `{}` lies in something solid", layer.name);
                let finding = Finding::warning(RULE.name, Location::new(walked.doc.clone(), path), message);
                let fix = nearest_place(floor, graph, *at).map(|open| {
                    let to = [f64::from(open.x), f64::from(open.y)];
                    let by = [to[0] - node.at[0], to[1] - node.at[1]];
                    let edit = Edit::MoveThings { doc: walked.doc.clone(), ids: vec![id.clone()], by };
                    let [x, y] = to.map(short_number);
                    Fix::new(format!("Move it to ({x}, {y}), the nearest open place"), edit)
                });
                out.push(Problem::new(finding).with(fix));
            }
        }
    }
}
