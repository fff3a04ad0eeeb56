//! `path`: the navigation without a window.

use std::{sync::Arc, time::Instant};

use glam::Vec2;
use serde_json::json;

use super::{
    args::Point,
    needs::Needs,
    project::Open,
    report::{CommandReport, Failure},
};
use crate::{
    model::{DocPath, Level, Tileset, after, did_you_mean, mean},
    sim::{
        grid::SolidGrid,
        nav::{self, Ground, Leg},
        probe::{Paths, Question, Traveler},
        reach_px,
    },
};

/// Who goes there, and where: for a kind of agent a point among the tiles; for a definition or a placed entity its body,
/// among the tiles and the bodies that stand in the level as it begins.
fn who(open: &Open, name: &str, (doc, level): (&DocPath, &Level), agent: &str) -> Result<(nav::Agent, Paths), Failure> {
    let Some(traveler) = Traveler::in_level((&open.project, &open.resolution), (doc, level), agent) else {
        if open.resolution.defs.contains_key(agent) {
            let help = "name another one, or a kind of agent";
            return Err(Failure::new(format!("`{agent}` finds no paths: it has no Walker, Flyer or Agent; {help}")));
        }
        let all = Traveler::all(&open.project, &open.resolution);
        let near = did_you_mean(agent, all.iter().map(|known| &*known.name));
        return Err(Failure::new(format!(
            "no tile, definition or entity of the level knows an agent `{agent}`{}",
            after(mean(near))
        )));
    };
    let paths = traveler.paths((&open.project, &open.resolution), (name, level), || Arc::new(grid(open, level)));
    let paths = paths.ok_or_else(|| Failure::problem(format!("`{name}` cannot be played")))?;
    Ok((traveler.agent, paths))
}

/// `path PROJECT LEVEL X,Y X,Y …`
pub(super) fn path(
    open: &Open,
    level: &str,
    [from, to]: [Point; 2],
    on: Option<&str>,
    agent: &str,
    weight: f64,
) -> Result<CommandReport, Failure> {
    let (name, doc) = open.level(level)?;
    let level = open.project.level(&doc).ok_or_else(|| Failure::problem(format!("`{name}` cannot be read")))?;
    let (who, mut paths) = who(open, &name, (&doc, level), agent)?;
    let ground = match on {
        None => paths.ground(),
        Some("grid") => Ground::Grid,
        Some("ledges") if paths.walker.is_some() => paths.ground(),
        Some("ledges") => {
            return Err(Failure::new(format!(
                "`{agent}` does not go over ledges in `{name}`: that needs a definition with a Walker, and a level seen from the side"
            )));
        }
        Some(on) if paths.navigator.waypoints(on).is_some() => Ground::Waypoints(on.into()),
        Some(on) => {
            let layers = level.all_layers().into_iter().filter(|layer| layer.waypoints().is_some());
            let layers: Vec<String> = layers.map(|layer| format!("`{}`", layer.name)).collect();
            let help =
                if layers.is_empty() { "it has none".to_owned() } else { format!("there are {}", layers.join(", ")) };
            return Err(Failure::new(format!("there is no waypoint layer `{on}` in `{name}`; {help}")));
        }
    };
    let who = paths.agent(who);
    let walker = paths.walker.clone();
    let navigator = &mut paths.navigator;
    let unit = if ground == Ground::Grid { "steps" } else { "px" };
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let point = |Point([x, y]): Point| Vec2::new(x as f32, y as f32);
    let (ends, near_px) = ([from, to].map(point), reach_px(&open.resolution));
    let question = Question { ends, agent: who, on: ground, weight, near_px, walker };
    let request = question.request();
    // The first search builds the data that later ones reuse; the printed time is that of a later search.
    let answer = navigator.find_now(&request);
    let begun = Instant::now();
    let again = navigator.find_now(&request);
    let micros = begun.elapsed().as_secs_f64() * 1e6;
    debug_assert_eq!(answer.points, again.points);
    let by = answer.no_path.as_ref().and_then(|why| paths.closed_by(why, question.ends[1]));
    let why = paths.why_text(&answer, &question, |at| format!("{},{}", at.x, at.y));
    let points: Vec<[f64; 2]> = answer.points.iter().map(|p| [f64::from(p.x), f64::from(p.y)]).collect();
    let mut report = CommandReport::default();
    let mut needs = Needs::new(open);
    needs.document(&doc);
    needs.ground(level);
    report.problems = needs.problems();
    needs.add_to(&mut report);
    needs.count_others(&mut report);
    if answer.found {
        let cost = answer.cost;
        report.line(format!("found: {} points, cost {cost:.4} {unit}", points.len()));
        if answer.legs.is_empty() {
            points.iter().for_each(|[x, y]| report.line(format!("{x},{y}")));
        }
        for leg in &answer.legs {
            let Leg { how, from, to, .. } = leg;
            report.line(format!("{:<12} {},{} -> {},{}", how.name(), from.x, from.y, to.x, to.y));
        }
    } else {
        report.line(format!("no path{}", why.map(|why| format!(": {why}")).unwrap_or_default()));
    }
    report.line(format!(
        "{} nodes expanded, at most {} open, {micros:.1} µs",
        answer.stats.expanded, answer.stats.max_open
    ));
    report.json = json!({
        "found": answer.found,
        "cost": answer.found.then_some(answer.cost),
        "points": if answer.found { points } else { Vec::new() },
        "legs": answer.legs.iter().map(leg_json).collect::<Vec<_>>(),
        "reason": answer.no_path.map(|why| why.reason.name()),
        "at": answer.no_path.map(|why| why.at.to_array()),
        "by": by,
        "expanded": answer.stats.expanded,
        "max_open": answer.stats.max_open,
        "micros": micros,
    });
    Ok(report)
}

fn leg_json(leg: &Leg) -> serde_json::Value {
    json!({ "how": leg.how.name(), "from": leg.from.to_array(), "to": leg.to.to_array() })
}

/// What of a level is solid.
pub(super) fn grid(open: &Open, level: &Level) -> SolidGrid {
    SolidGrid::new(level, |name| tileset(open, name))
}

fn tileset<'a>(open: &'a Open, name: &str) -> Option<&'a Tileset> {
    open.project.tileset(open.resolution.tilesets.get(name)?)
}
