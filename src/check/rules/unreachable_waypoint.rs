//! A waypoint without links among others that are linked, or one that an agent follows and no path leads to.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::{
    check::{
        Fix, Problem, Rule,
        input::Input,
        trips::{carried_help, carried_text, entity_text},
        walks::{Begun, Walk, Walked},
    },
    edit::Edit,
    model::{Finding, Layer, Level, Link, LinkBy, Location, Name, counted},
    sim::{
        arrive_px,
        nav::{Agent, Navigator, Walker},
    },
};

use super::waypoint_in_wall::is_misplaced;

pub(super) const RULE: Rule = Rule {
    name: "unreachable-waypoint",
    doc: "No link leads to a waypoint, or to a group of them, among others that are linked, or no path to one that an agent follows.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            isolated((walked, level), (i, layer), out);
            if walked.followed(i).is_empty() && !walked.carried.contains(&layer.name) {
                apart((walked, level), (i, layer), out);
            }
        }
        left_out((walked, level), out);
        let navigator = &mut *walked.navigator.borrow_mut();
        let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
        for walk in &walked.walks {
            let Some(built) = navigator.waypoints(&walk.route.1).cloned() else { continue };
            let to: Vec<_> = walk.nodes.iter().map(|i| built.points()[*i]).collect();
            let thin = Agent { radius: 0.0, ..walk.agent.clone() };
            let reached = match &walk.walker {
                Some(_) if walk.changes_motion => continue,
                Some(walker) => Some(reached_over_ledges(input, (walked, navigator), (walker, walk.at), &to)),
                None => navigator.reaches(&thin, walk.at, &to).map(|reached| (reached, None)),
            };
            let Some((reached, carried_to)) = reached else { continue };
            let graph = level.nth_layer(walk.route.0).and_then(|layer| layer.waypoints());
            let near = Some(arrive_px(input.resolution));
            // A group of unreachable waypoints is reported by its first one.
            let missed = walk.nodes.iter().zip(&reached).filter(|(_, reached)| !**reached).map(|(node, _)| *node);
            let n_missed = if reached.contains(&true) { usize::MAX } else { 1 };
            for node in missed.take(n_missed).filter(|node| reported.insert((walk.route.0, *node))) {
                let id = &built.names()[node];
                // Waypoints in walls or outside the level are reported by other rules.
                let (at, floor) = (built.points()[node], navigator.floor());
                let is_misplaced = graph.is_none_or(|graph| is_misplaced(floor, (graph, id), at, near));
                if is_misplaced || !floor.grid().contains(floor.grid().cell_at(at)) {
                    continue;
                }
                let path = level.node_at(walk.route.0, id);
                let who = entity_text(&walk.id, &walk.def);
                let message = format!("no path leads from {who}, which follows `{}`, to waypoint `{id}`", walk.route.1);
                let help = match walk.walker {
                    Some(_) => {
                        "the path probe shows which ledges its jumps reach: choose Ledges and jumps as its colors"
                    }
                    None => "the path probe colors what can be reached from a place",
                };
                let finding = Finding::warning(RULE.name, Location::key(walked.doc.clone(), path), message);
                out.push(Problem::new(finding.with_help(Some(help.to_owned()))));
            }
            // By their first one.
            let Some((node, by)) = carried_to.map(|(i, by)| (walk.nodes[i], by)) else { continue };
            if reported.insert((walk.route.0, node)) {
                let (id, who) = (&built.names()[node], entity_text(&walk.id, &walk.def));
                let message = format!(
                    "{who}, which follows `{}`, gets to waypoint `{id}` only if {}",
                    walk.route.1,
                    carried_text(&by)
                );
                let at = Location::key(walked.doc.clone(), level.node_at(walk.route.0, id));
                out.push(Problem::new(Finding::hint(RULE.name, at, message).with_help(Some(carried_help()))));
            }
        }
    }
}

/// Which places a walker gets to over ledges of tiles or of bodies, or may be carried to; and the first to which it has
/// to be carried, with the id of the entity that may carry it.
fn reached_over_ledges(
    input: &Input<'_>,
    (walked, navigator): (&Walked, &mut Navigator),
    (walker, from): (&Walker, Vec2),
    to: &[Vec2],
) -> (Vec<bool>, Option<(usize, Name)>) {
    let mut reached = navigator.reaches_over_ledges(walker, from, to);
    let mut carried_to = None;
    if reached.contains(&false)
        && let Some(Begun { navigator: begun, carriers }) = walked.begun(input)
    {
        let begun = &mut *begun.borrow_mut();
        let over_bodies = begun.reaches_over_ledges(walker, from, to);
        reached.iter_mut().zip(over_bodies).for_each(|(reached, other)| *reached |= other);
        let on_foot = reached.clone();
        let mut by: Vec<Option<Option<Name>>> = vec![None; to.len()];
        for navigator in [navigator, begun] {
            let riding = navigator.reaches_riding(walker, from, carriers, to);
            for (i, by_it) in riding.by.into_iter().enumerate().filter(|(i, _)| riding.reached[*i]) {
                // Where it may get there otherwise, nothing has to carry it.
                by[i] = Some(by[i].take().map_or(by_it.clone(), |by| by.and(by_it)));
                reached[i] = true;
            }
        }
        let carried = |i: &usize| !on_foot[*i] && matches!(by[*i], Some(Some(_)));
        carried_to = (0..to.len()).find(carried).and_then(|i| Some((i, by[i].take()??)));
    }
    (reached, carried_to)
}

/// Waypoints of a layer, or of a tag, that an entity should follow but that are not linked with those it follows. For a
/// whole layer, one per linked group is reported.
fn left_out((walked, level): (&Walked, &Level), out: &mut Vec<Problem>) {
    let mut followed: BTreeMap<(usize, &Name), (&Walk, BTreeSet<usize>)> = BTreeMap::new();
    for walk in &walked.walks {
        let (_, nodes) = followed.entry((walk.route.0, &walk.tag)).or_insert_with(|| (walk, BTreeSet::new()));
        nodes.extend(&walk.nodes);
    }
    for ((number, tag), (walk, nodes)) in followed {
        let Some(layer) = level.nth_layer(number) else { continue };
        let navigator = walked.navigator.borrow();
        let Some((graph, built)) = layer.waypoints().zip(navigator.waypoints(&layer.name)) else { continue };
        // A waypoint without any link is reported as such.
        let is_linked = |place: usize| built.links().iter().any(|link| link.from == place || link.to == place);
        let is_meant = |id: &Name| graph.nodes.get(id).is_some_and(|node| node.is_meant(tag));
        let (mut grouped, others) = (BTreeSet::new(), walked.followed(number));
        for (place, id) in graph.nodes.keys().enumerate().filter(|(_, id)| is_meant(id)) {
            let is_others = tag.is_empty() && (others.contains(&place) || grouped.contains(&place));
            if nodes.contains(&place) || is_others || !is_linked(place) {
                continue;
            }
            let path = level.node_at(number, id);
            let message = if tag.is_empty() {
                let group = built.together(place);
                grouped.extend(group.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(place, _)| place));
                format!("no link leads to waypoint `{id}` from those that `{}` follows, so it leaves it out", walk.id)
            } else {
                format!(
                    "no link leads to waypoint `{id}` from the others with the tag `{tag}`, so `{}` leaves it out",
                    walk.id
                )
            };
            out.push(Problem::new(Finding::warning(RULE.name, Location::key(walked.doc.clone(), path), message)));
        }
    }
}

/// Groups of waypoints that are linked with each other but not with the largest group; each is reported by its first
/// waypoint. For layers that no entity follows as a route.
fn apart((walked, level): (&Walked, &Level), (number, layer): (usize, &Layer), out: &mut Vec<Problem>) {
    let navigator = walked.navigator.borrow();
    let Some(built) = navigator.waypoints(&layer.name) else { return };
    for group in built.groups().into_iter().filter(|group| group.len() > 1).skip(1) {
        let id = &built.names()[group[0]];
        let n = counted(group.len() - 1, "waypoint");
        let message =
            format!("no link connects `{id}` and {n} linked with it with the largest group of `{}`", layer.name);
        let at = Location::key(walked.doc.clone(), level.node_at(number, id));
        let help = "link them, or give each group a layer of its own";
        out.push(Problem::new(Finding::hint(RULE.name, at, message).with_help(Some(help.to_owned()))));
    }
}

/// Waypoints without a link, on a layer where others have links.
fn isolated((walked, level): (&Walked, &Level), (number, layer): (usize, &Layer), out: &mut Vec<Problem>) {
    let navigator = walked.navigator.borrow();
    let Some((graph, built)) = layer.waypoints().zip(navigator.waypoints(&layer.name)) else { return };
    if built.links().is_empty() {
        return;
    }
    let linked: BTreeSet<usize> = built.links().iter().flat_map(|link| [link.from, link.to]).collect();
    // If most have none, the layer is not meant for links.
    if 2 * linked.len() < built.points().len() {
        return;
    }
    let is_cut = |id: &Name| graph.links.iter().any(|it| it.by == LinkBy::Broken && (it.from == *id || it.to == *id));
    for (place, id) in built.names().iter().enumerate().filter(|(place, _)| !linked.contains(place)) {
        // Its links were removed by hand; or it is in a wall, which another rule reports.
        let at = built.points()[place];
        if is_cut(id) || !navigator.floor().is_open(at) {
            continue;
        }
        let path = level.node_at(number, id);
        let message = format!("no link leads to waypoint `{id}`, though others of `{}` are linked", layer.name);
        let far = |other: &usize| built.points()[*other].distance_squared(at);
        let near = (0..built.points().len()).filter(|other| *other != place).min_by(|a, b| far(a).total_cmp(&far(b)));
        // A link through a wall is for ladders and portals.
        let near = near.filter(|near| navigator.floor().is_clear(at, built.points()[*near], 0.0));
        let fix = near.map(|near| {
            let (from, to) = (id.clone(), built.names()[near].clone());
            let link = Link::new(&from, &to, LinkBy::Hand);
            let label = format!("Link it with {to}, the nearest");
            let (doc, layer) = (walked.doc.clone(), layer.name.clone());
            Fix::new(label, Edit::SetLink { doc, layer, from, to, link: Some(link) })
        });
        out.push(Problem::new(Finding::warning(RULE.name, Location::key(walked.doc.clone(), path), message)).with(fix));
    }
}
