//! An agent that follows waypoints, or keeps to their links, is stopped on a link.

use std::collections::BTreeSet;

use glam::Vec2;

use crate::{
    check::{
        Problem, Rule,
        input::Input,
        walks::{Walk, Walked},
    },
    model::{Finding, Level, Location, Name},
    sim::nav::{Agent, Ground, Navigator, NoPathReason, PathRequest, Waypoints},
};

pub(super) const RULE: Rule = Rule {
    name: "impassable-link",
    doc: "An agent that follows waypoints cannot go from one to the next: by the direction of the links, their width, or because one leads through a wall. Or it keeps to the links of a layer in which one leads through a wall.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        let navigator = &mut *walked.navigator.borrow_mut();
        let mut reported: BTreeSet<(usize, [usize; 2])> = BTreeSet::new();
        for (n, walk) in walked.walks.iter().enumerate() {
            if walked.walks[..n].iter().any(|other| goes_alike(walk, other)) {
                continue;
            }
            let Some(built) = navigator.waypoints(&walk.route.1).filter(|built| !built.links().is_empty()).cloned()
            else {
                continue;
            };
            let stopped = walk.legs().into_iter().find_map(|leg| Some((leg, stop(navigator, &built, walk, leg)?)));
            let Some((leg, what)) = stopped.filter(|(leg, _)| reported.insert((walk.route.0, *leg))) else { continue };
            let [from, to] = leg.map(|node| &built.names()[node]);
            let message =
                format!("`{}` follows `{}` and cannot go from `{from}` to `{to}`: {what}", walk.id, walk.route.1);
            let path = level.node_at(walk.route.0, to);
            out.push(Problem::new(Finding::warning(RULE.name, Location::key(walked.doc.clone(), path), message)));
        }
        walled((walked, level), navigator, out);
    }
}

/// Links made by hand that lead through a wall, in layers to whose links an agent keeps that is stopped there. It tries
/// such a link, since it may be a portal, then looks for another way.
fn walled((walked, level): (&Walked, &Level), navigator: &mut Navigator, out: &mut Vec<Problem>) {
    let mut layers: BTreeSet<&Name> = BTreeSet::new();
    for trip in walked.trips.iter().filter(|trip| trip.is_stopped_by_tiles && !trip.is_over_ledges) {
        let Some(layer) = trip.along.as_ref().filter(|layer| layers.insert(layer)) else { continue };
        let number = level.layer(layer).map(|(number, _)| number);
        let Some((number, built)) = number.zip(navigator.waypoints(layer)) else { continue };
        for link in built.walled_links(navigator.floor().grid()) {
            let [from, to] = [built.links()[link].from, built.links()[link].to].map(|node| &built.names()[node]);
            let message = format!(
                "`{}` keeps to the links of `{layer}`, and the one from `{from}` to `{to}` leads through a wall",
                trip.id
            );
            let help = "remove the link, or move its ends to where they see each other".to_owned();
            let at = Location::key(walked.doc.clone(), level.node_at(number, to));
            out.push(Problem::new(Finding::warning(RULE.name, at, message).with_help(Some(help))));
        }
    }
}

/// Whether two agents go the same way along the same links.
fn goes_alike(a: &Walk, b: &Walk) -> bool {
    let how = |walk: &Walk| (walk.route.0, walk.mode, walk.is_stopped_by_tiles, walk.walker.is_some());
    how(a) == how(b) && a.agent == b.agent && a.nodes == b.nodes
}

/// Why an agent does not get along the links from one node to another; `None` if it does.
fn stop(navigator: &mut Navigator, built: &Waypoints, walk: &Walk, leg: [usize; 2]) -> Option<String> {
    let [from, to] = leg.map(|node| built.points()[node]);
    let agent = Agent { over_ledges: walk.walker.is_some(), ..walk.agent.clone() };
    let on = Ground::Waypoints(walk.route.1.clone());
    let answer = navigator.find_now(&PathRequest { on, ..PathRequest::new(from, to, agent) });
    if !answer.found {
        let is_narrow = answer.no_path.is_some_and(|why| why.reason == NoPathReason::TooNarrow);
        let what = if is_narrow { "the links on the way are too narrow for it" } else { "no links lead there" };
        return Some(what.to_owned());
    }
    // A link made by hand leads through walls. Over ledges it is a jump or a ladder; what glides is stopped.
    if !walk.is_stopped_by_tiles || walk.walker.is_some() {
        return None;
    }
    let grid = navigator.floor().grid();
    let walled = answer.points.windows(2).find(|pair| !grid.sight_clear(pair[0], pair[1]))?;
    let name = |at: Vec2| built.points().iter().position(|point| *point == at).map(|node| &*built.names()[node]);
    let [a, b] = [walled[0], walled[1]].map(|at| name(at).unwrap_or_default());
    Some(format!("the link from `{a}` to `{b}` leads through a wall"))
}
