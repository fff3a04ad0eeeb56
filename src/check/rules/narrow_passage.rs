//! An agent is too wide for the only passage between it and a waypoint that it follows.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{Finding, Location, short_number},
    sim::nav::{Agent, Ground, NoPathReason, PathRequest},
};

pub(super) const RULE: Rule = Rule {
    name: "narrow-passage",
    doc: "An agent is too wide for the only passage between it and a waypoint that it follows.",
    check,
};

/// The most passages that are located per level; further problems have no position.
const MOST_PLACES: usize = 16;

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
            let place = (n_places <= MOST_PLACES).then(|| {
                let request =
                    PathRequest { on: Ground::Grid, ..PathRequest::new(walk.at, to[missed], walk.agent.clone()) };
                navigator.find_now(&request).no_path.filter(|why| why.reason == NoPathReason::TooNarrow)
            });
            let place = place.flatten().map(|why| [why.at.x, why.at.y].map(|x| short_number(f64::from(x))));
            let near = place.map(|[x, y]| format!(", near ({x}, {y})")).unwrap_or_default();
            let (id, route, node) = (&walk.id, &walk.route.1, &built.names()[walk.nodes[missed]]);
            let width = short_number(f64::from(walk.agent.radius) * 2.0);
            let message = format!(
                "`{id}` is {width} px wide, too wide for a passage on its way to waypoint `{node}` of `{route}`{near}"
            );
            let help = "make the passage wider, or `Agent.radius` smaller".to_owned();
            let path = level.entity_at(walk.layer, id);
            let finding = Finding::warning(RULE.name, Location::key(walked.doc.clone(), path), message);
            out.push(Problem::new(finding.with_help(Some(help))));
        }
    }
}
