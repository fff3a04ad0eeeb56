//! The waypoints of a route: of those with its tag, all that are linked with the nearest one.

use glam::Vec2;

use crate::model::WaypointGraph;

/// The nodes of a route with a tag (empty for all) from a place in pixels, by their indices in the layer, and which of
/// them is the nearest. `together` returns the nodes connected with one. `None` if there is no such node.
#[must_use]
pub fn route_nodes(
    graph: &WaypointGraph,
    tag: &str,
    from: Vec2,
    together: impl FnOnce(usize) -> Vec<bool>,
) -> Option<(Vec<usize>, usize)> {
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let far = |at: [f64; 2]| Vec2::new(at[0] as f32, at[1] as f32).distance_squared(from);
    let meant: Vec<_> = graph.nodes.values().enumerate().filter(|(_, node)| node.is_meant(tag)).collect();
    let (start, _) = *meant.iter().min_by(|a, b| far(a.1.at).total_cmp(&far(b.1.at)))?;
    let together = together(start);
    let nodes: Vec<usize> = meant.iter().map(|(i, _)| *i).filter(|i| together.get(*i) == Some(&true)).collect();
    let at = nodes.iter().position(|i| *i == start)?;
    Some((nodes, at))
}

/// Which of `n` nodes are connected with one by links in either direction; all of them if there are no links.
#[must_use]
pub fn linked_with(n: usize, links: impl Iterator<Item = (usize, usize)>, start: usize) -> Vec<bool> {
    let mut beside = vec![Vec::new(); n];
    let mut has_links = false;
    for (a, b) in links {
        has_links = true;
        beside[a].push(b);
        beside[b].push(a);
    }
    let mut together = vec![!has_links; n];
    together[start] = true;
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for next in &beside[at] {
            if !std::mem::replace(&mut together[*next], true) {
                open.push(*next);
            }
        }
    }
    together
}
