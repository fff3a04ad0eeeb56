//! An agent is too wide for the only passage between it and a waypoint that it follows, or the goals of an action.

use std::{collections::BTreeSet, rc::Rc};

use glam::Vec2;

use crate::{
    check::{
        Problem, Rule,
        input::Input,
        trips::{Trip, entity_text, whole_px},
        walks::Walked,
    },
    model::{Finding, Level, Location, Name, short_number},
    sim::nav::{Agent, Ground, Navigator, NoPathReason, PathRequest},
};

pub(super) const RULE: Rule = Rule {
    name: "narrow-passage",
    doc: "An agent is too wide for the only passage between it and a waypoint that it follows, or a place or thing that its machine sends it to.",
    check,
};

/// The most passages that are located per level; further problems have no position.
const MOST_PLACES: usize = 16;
/// The most agents with goals that are looked at per level; those that are alike count once.
const MOST_AGENTS: usize = 64;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        let navigator = &mut *walked.navigator.borrow_mut();
        let mut n_places = 0;
        // Over ledges its body decides which of them it reaches.
        for walk in walked.walks.iter().filter(|walk| walk.agent.radius > 0.0 && walk.walker.is_none()) {
            let Some(built) = navigator.waypoints(&walk.route.1).cloned() else { continue };
            let to: Vec<_> = walk.nodes.iter().map(|i| built.points()[*i]).collect();
            let thin = Agent { radius: 0.0, ..walk.agent.clone() };
            let by_thin = navigator.reaches(&thin, walk.at, &to);
            let Some((by_thin, by_it)) = by_thin.zip(navigator.reaches(&walk.agent, walk.at, &to)) else { continue };
            let Some(missed) = (0..to.len()).find(|i| by_thin[*i] && !by_it[*i]) else { continue };
            n_places += 1;
            let request = PathRequest { on: Ground::Grid, ..PathRequest::new(walk.at, to[missed], walk.agent.clone()) };
            let passage = (n_places <= MOST_PLACES).then(|| narrow_passage(navigator, &request)).flatten();
            let (route, node) = (&walk.route.1, &built.names()[walk.nodes[missed]]);
            let goal = format!("waypoint `{node}` of `{route}`");
            let whose = (walk.layer, &walk.id, &walk.def, &walk.agent);
            out.push(problem((walked, level), whose, &goal, passage.as_ref()));
        }
        to_goals((walked, level), navigator, out);
    }
}

/// Agents that reach none of the goals of an action, of which narrower ones would reach one. Several of a definition
/// before the same passage are one problem.
fn to_goals((walked, level): (&Walked, &Level), navigator: &mut Navigator, out: &mut Vec<Problem>) {
    let mut reported: BTreeSet<(&Name, [i32; 2])> = BTreeSet::new();
    // The first of the agents that are alike, with what they miss: they are connected, and have the same goals.
    let mut alike: Vec<&Trip> = Vec::new();
    for trip in walked.trips.iter().filter(|trip| trip.agent.radius > 0.0 && trip.walker.is_none()) {
        let is_alike = |other: &&&Trip| {
            let has_same =
                other.agent == trip.agent && other.along == trip.along && Rc::ptr_eq(&other.goals, &trip.goals);
            has_same && other.def == trip.def
        };
        let same: Vec<Vec2> = alike.iter().filter(is_alike).map(|other| other.at).collect();
        if alike.len() >= MOST_AGENTS
            || navigator.reaches(&trip.agent, trip.at, &same).is_some_and(|reached| reached.contains(&true))
        {
            continue;
        }
        alike.push(trip);
        let Some((goal, passage)) = missed(navigator, trip) else { continue };
        if !reported.insert((&trip.def, passage.at)) {
            continue;
        }
        let whose = (trip.layer, &trip.id, &trip.def, &trip.agent);
        out.push(problem((walked, level), whose, &goal, Some(&passage)));
    }
}

/// The first goal to which an agent is too wide to get, and the passage. `None` if it reaches any of its goals, or they
/// may move.
fn missed(navigator: &mut Navigator, trip: &Trip) -> Option<(String, Passage)> {
    let goals = Some(&trip.goals).filter(|goals| !goals.may_move)?;
    let request = trip.request();
    if let Some(layer) = trip.along.as_ref().filter(|layer| navigator.waypoints(layer).is_some()) {
        let passage = narrow_passage(navigator, &request)?;
        return Some((format!("{} along `{layer}`", goals.text(0)), passage));
    }
    if navigator.reaches(&trip.agent, trip.at, &request.to)?.contains(&true) {
        return None;
    }
    Some((goals.text(0), narrow_passage(navigator, &PathRequest { on: Ground::Grid, ..request })?))
}

/// A passage that an agent does not get through.
struct Passage {
    /// Its place in pixels.
    at: [i32; 2],
    /// The width that its path over cells needs, in pixels, if the agent itself would fit through.
    in_cells: Option<f32>,
}

/// The passage that is too narrow for a request; `None` if that is not what its search found.
fn narrow_passage(navigator: &mut Navigator, request: &PathRequest) -> Option<Passage> {
    let why = navigator.find_now(request).no_path.filter(|why| why.reason == NoPathReason::TooNarrow)?;
    let (floor, agent) = (navigator.floor(), &request.agent);
    let goal = request.to.first().copied().unwrap_or(why.at);
    let is_by_cells = request.on == Ground::Grid && floor.is_wide_enough(why.at, goal, agent.radius);
    let in_cells = is_by_cells.then(|| agent.width_in_cells(floor.grid().tile_size()));
    Some(Passage { at: whole_px(why.at), in_cells })
}

/// The message and the help of a problem.
fn texts((who, agent): (&str, &Agent), goal: &str, passage: Option<&Passage>) -> [String; 2] {
    let width = short_number(f64::from(agent.radius) * 2.0);
    let near = passage.map(|Passage { at: [x, y], .. }| format!(", near ({x}, {y})")).unwrap_or_default();
    match passage.and_then(|passage| passage.in_cells) {
        Some(cells) => [
            format!(
                "{who} is {width} px wide, and fits through a passage on its way to {goal}{near}, but paths lead over whole cells: it needs {} px of them side by side",
                short_number(f64::from(cells))
            ),
            "move the walls to the edges of cells, make the passage wider, or `Agent.radius` smaller".to_owned(),
        ],
        None => [
            format!("{who} is {width} px wide, too wide for a passage on its way to {goal}{near}"),
            "make the passage wider, or `Agent.radius` smaller; between waypoints, move them from the walls, as a layer of a greater `radius` suggests them".to_owned(),
        ],
    }
}

/// The problem of an entity, by the index of its layer, its id, definition and agent.
fn problem(
    (walked, level): (&Walked, &Level),
    (layer, id, def, agent): (usize, &Name, &Name, &Agent),
    goal: &str,
    passage: Option<&Passage>,
) -> Problem {
    let [message, help] = texts((&entity_text(id, def), agent), goal, passage);
    let place_px = passage.map(|passage| passage.at);
    let at = Location { place_px, ..Location::key(walked.doc.clone(), level.entity_at(layer, id)) };
    Problem::new(Finding::warning(RULE.name, at, message).with_help(Some(help)))
}
