//! An agent that follows waypoints, or keeps to their links, is stopped on a link.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::{
    check::{
        Problem, Rule,
        input::Input,
        walks::{Walk, Walked},
    },
    model::{Finding, Level, Location},
    sim::nav::{Agent, Ground, Navigator, NoPathReason, PathRequest, Waypoints},
};

pub(super) const RULE: Rule = Rule {
    name: "impassable-link",
    doc: "An agent that follows waypoints cannot go from one to the next: by the direction of the links, their width, or because one leads through a wall. Or one through a wall is on its way to a goal along links.",
    check,
};

/// The most searches for links through walls per level.
const MOST_SEARCHES: usize = 64;

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
        walled((walked, level), navigator, &mut reported, out);
    }
}

/// Links made by hand that lead through a wall, on the cheapest way of an agent to its goal by `GoTo` or `Chase` along
/// links. Such a link may be a portal, so it is tried.
fn walled(
    (walked, level): (&Walked, &Level),
    navigator: &mut Navigator,
    reported: &mut BTreeSet<(usize, [usize; 2])>,
    out: &mut Vec<Problem>,
) {
    let solid = walked.trips.iter().filter(|trip| trip.is_stopped_by_tiles && trip.walker.is_none());
    let along = solid.filter_map(|trip| Some((trip, trip.along.as_ref()?)));
    for (trip, layer) in along.take(MOST_SEARCHES) {
        let number = level.layer(layer).map(|(number, _)| number);
        let Some((number, built)) = number.zip(navigator.waypoints(layer).cloned()) else { continue };
        let walled: Vec<[usize; 2]> = built.walled_links(navigator.floor().grid()).collect();
        if walled.is_empty() {
            continue;
        }
        let way = navigator.find_now(&trip.request()).points;
        let is_on_way = |[a, b]: &[usize; 2]| {
            let ends = [built.points()[*a], built.points()[*b]];
            way.windows(2).any(|pair| pair == ends || pair == [ends[1], ends[0]])
        };
        for [from, to] in walled.into_iter().filter(is_on_way) {
            if !reported.insert((number, [from, to])) || reported.contains(&(number, [to, from])) {
                continue;
            }
            let [a, b] = [from, to].map(|node| &built.names()[node]);
            let message =
                format!("`{}` goes along `{layer}`, and the link from `{a}` to `{b}` leads through a wall", trip.id);
            let help = "remove the link, or move its ends to where they see each other".to_owned();
            let at = Location::key(walked.doc.clone(), level.node_at(number, b));
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
    let request = PathRequest { on, ..PathRequest::new(from, to, agent) };
    let mut answer = navigator.find_now(&request);
    if !answer.found && walk.walker.is_some() {
        // Over ledges it may jump over a body on a link: `unreachable-waypoint` looks at that.
        let mut opened = navigator.clone();
        opened.set_bodies(BTreeMap::new());
        answer = opened.find_now(&request);
    }
    if !answer.found {
        let what = match answer.no_path.map(|why| why.reason) {
            Some(NoPathReason::TooNarrow) => "the links on the way are too narrow for it",
            Some(NoPathReason::Wall) => "something solid is on the links there",
            _ => "no links lead there",
        };
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
