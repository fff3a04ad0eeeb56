//! An agent finds no path to any goal of an action: over ledges, along the links of a layer that it keeps to, or over the
//! grid.
//!
//! Invariant: a problem is what the search says when the level is played, if the entity has not moved by then. Where
//! only a body closes the way that may change, as a door may, there is none, and a hint where something may carry it, as
//! a lift does. Nor is there one for an entity that changes how it moves. What is too narrow over the grid or along links
//! is in `narrow_passage`.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use glam::Vec2;

use crate::{
    check::{
        Problem, Rule,
        input::Input,
        trips::{Goals, Trip, carried_help, carried_text, entity_text, whole_px},
        walks::{Begun, Walked},
    },
    model::{Finding, Level, Location, Name},
    sim::nav::{Carrier, NO_WALK, Navigator, NoPathReason, Walker},
};

pub(super) const RULE: Rule = Rule {
    name: "unreachable-goal",
    doc: "Seen from the side, no walk, drop or jump leads an agent from where it is placed to a place or thing that its machine sends it to (a hint where a lift, a platform or a zone may carry it). Or it is seen from above, and walls close every way there, or a static body that nothing moves or removes. Or an agent is to go there along a layer of waypoints, and no links lead there.",
    check,
};

/// The most searches per level.
const MOST_SEARCHES: usize = 64;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (walked, level) in input.walked() {
        let navigator = &mut *walked.navigator.borrow_mut();
        // By the index of the problem, with the number of others that it is about.
        let mut reported: BTreeMap<(&str, [i32; 2]), (usize, usize)> = BTreeMap::new();
        let known = walked.trips.iter().filter(|trip| trip.is_stopped_by_tiles && !trip.goals.may_move);
        let known = known.filter(|trip| trip.walker.is_none() || !trip.changes_motion);
        let mut carried_trips: BTreeMap<(&str, [i32; 2]), (&Trip, Name)> = BTreeMap::new();
        let known = known.filter(|trip| trip.walker.is_some() || trip.along.is_none() || trip.keeps_to_links);
        // Of those that are alike and begin on the same ledge, one is enough.
        let mut alike: Vec<(&Trip, Option<u32>, usize)> = Vec::new();
        for trip in known {
            let ledge = trip.walker.as_ref().and_then(|walker| navigator.ledge_below(walker, trip.at));
            let is_alike = |(other, on, _): &&mut (&Trip, Option<u32>, usize)| {
                *on == ledge
                    && other.def == trip.def
                    && other.along == trip.along
                    && Rc::ptr_eq(&other.goals, &trip.goals)
            };
            match alike.iter_mut().find(is_alike).filter(|_| ledge.is_some()) {
                Some((_, _, n_more)) => *n_more += 1,
                None => alike.push((trip, ledge, 0)),
            }
        }
        for (trip, _, n_alike) in alike.into_iter().take(MOST_SEARCHES) {
            if trip.along.as_ref().is_some_and(|layer| navigator.waypoints(layer).is_none()) {
                continue;
            }
            let request = trip.request();
            let before = navigator.find_now(&request);
            if before.found || trip.walker.is_none() && before.no_path.is_none_or(|why| !is_closed(why.reason)) {
                continue;
            }
            let Some(Begun { navigator: begun, carriers }) = walked.begun(input) else { continue };
            let begun = &mut *begun.borrow_mut();
            let answer = begun.find_now(&request);
            let Some(why) = answer.no_path.filter(|_| !answer.found) else { continue };
            let (may_be_carried, by) = match &trip.walker {
                Some(walker) => carrier_of((trip, walker), [begun, &mut *navigator], carriers, &request.to),
                // Zones and joints open no walls.
                None => {
                    let has_driven = carriers.iter().any(|carrier| carrier.is_driven);
                    (trip.along.is_none() && has_driven || !is_closed(why.reason), None)
                }
            };
            if may_be_carried {
                if let Some(by) = by.filter(|_| trip.along.is_none()) {
                    carried_trips.entry((&trip.def, whole_px(why.at))).or_insert((trip, by));
                }
                continue;
            }
            let place = whole_px(why.at);
            if let Some((_, n_more)) = reported.get_mut(&(&*trip.def, place)) {
                *n_more += 1 + n_alike;
                continue;
            }
            reported.insert((&trip.def, place), (out.len(), n_alike));
            let closing = navigator.closes_way(&request).and_then(|(body, _)| walked.bodies.get(body));
            out.push(problem((walked, level), trip, (why.reason, place), closing));
        }
        for ((def, _), (i, n_more)) in reported.into_iter().filter(|(_, (_, n_more))| *n_more > 0) {
            let finding = &mut out[i].finding;
            let others = if n_more == 1 { "another one".to_owned() } else { format!("{n_more} others") };
            finding.message = format!("{}; so it is for {others} of `{def}`", finding.message);
        }
        out.extend(carried_trips.into_values().map(|(trip, by)| carried((walked, level), trip, &by)));
    }
}

/// Whether something may carry a walker to one of these goals, and the id of an entity that has to.
fn carrier_of(
    (trip, walker): (&Trip, &Walker),
    navigators: [&mut Navigator; 2],
    carriers: &[Carrier],
    to: &[Vec2],
) -> (bool, Option<Name>) {
    let (mut may_be_carried, mut by) = (false, BTreeSet::new());
    for navigator in navigators {
        let riding = navigator.reaches_riding(walker, trip.at, carriers, to);
        let is_reached = riding.reached.contains(&true);
        // Links may lead on from where a body carries it, also where no jump does.
        may_be_carried |= riding.is_any && (trip.along.is_some() || is_reached);
        // Who begins in the air may come down beside what is below it.
        may_be_carried |= trip.along.is_none() && is_reached && !navigator.is_on_ledge(walker, trip.at);
        by.extend(riding.reached.iter().zip(riding.by).filter(|(reached, _)| **reached).map(|(_, by)| by));
    }
    // Where it may get to one of them otherwise, nothing has to carry it.
    let by = if by.contains(&None) { None } else { by.pop_first().flatten() };
    (may_be_carried, by)
}

/// Whether no agent gets there, however narrow it is.
fn is_closed(reason: NoPathReason) -> bool {
    matches!(reason, NoPathReason::Unconnected | NoPathReason::Wall)
}

/// The problem of an entity; `closing` is a body that closes the way over the grid, if walls alone do not.
fn problem(
    (walked, level): (&Walked, &Level),
    trip: &Trip,
    (reason, place): (NoPathReason, [i32; 2]),
    closing: Option<&Name>,
) -> Problem {
    let help = match (&trip.walker, &trip.along) {
        (_, Some(_)) if reason == NoPathReason::Unconnected => {
            "link the waypoints on its way, in its direction, or send it there without a layer"
        }
        (Some(_), _) => "the path probe shows which ledges its jumps reach: choose Ledges and jumps as its colors",
        (None, Some(_)) => "move what is in the way, or the waypoints around it",
        (None, None) => "the path probe shows what it can reach: choose Connected areas as its colors",
    };
    let reason = match reason {
        _ if trip.walker.is_none() && trip.along.is_none() => match closing {
            Some(body) => format!("`{body}` closes the way there, and nothing moves it"),
            None => "walls close every way there".to_owned(),
        },
        NoPathReason::Unconnected if trip.along.is_some() => "no links lead there".to_owned(),
        NoPathReason::Unconnected => NO_WALK.to_owned(),
        reason => reason.search_text().to_owned(),
    };
    let along = trip.along.as_ref().map(|layer| format!(" along `{layer}`")).unwrap_or_default();
    let (who, to, [x, y]) = (entity_text(&trip.id, &trip.def), goals_text(&trip.goals), place);
    let message = format!("{who} finds no path from where it is placed to {to}{along}: {reason}, near ({x}, {y})");
    let at = Location::key(walked.doc.clone(), level.entity_at(trip.layer, &trip.id));
    let at = Location { place_px: Some(place), ..at };
    Problem::new(Finding::warning(RULE.name, at, message).with_help(Some(help.to_owned())))
}

/// That an agent gets to its goal only if something carries it.
fn carried((walked, level): (&Walked, &Level), trip: &Trip, by: &Name) -> Problem {
    let (who, to) = (entity_text(&trip.id, &trip.def), goals_text(&trip.goals));
    let message = format!("{who} gets to {to} only if {}", carried_text(by));
    let at = Location::key(walked.doc.clone(), level.entity_at(trip.layer, &trip.id));
    Problem::new(Finding::hint(RULE.name, at, message).with_help(Some(carried_help())))
}

fn goals_text(goals: &Rc<Goals>) -> String {
    match goals.all.len() {
        1 => goals.text(0),
        n => format!("any of its {n} goals, such as {}", goals.text(0)),
    }
}
