//! Which agents are sent to which goals: the entities with an `Agent` whose machines name places or targets.
//!
//! Invariant: of a target that moves by itself only where it is placed is known, and of one that appears while the game
//! runs nothing. Who follows waypoints is in [`walks`](super::walks).

use std::{rc::Rc, sync::Arc};

use glam::Vec2;

use super::{
    input::Input,
    targets::{PlacedTarget, meant, targets},
    walks::Placed,
};
use crate::{
    explain::{Destinations, GoalUse},
    model::{DocPath, Level, Name, short_number},
    sim::{
        nav::{Agent, Ground, NO_RIDES, PathRequest, Walker},
        reach_px,
    },
};

/// An entity that an action sends to goals.
pub(super) struct Trip {
    /// The index of its layer.
    pub layer: usize,
    pub id: Name,
    pub def: Name,
    pub at: Vec2,
    pub agent: Agent,
    /// Whether it has a solid body that tiles stop.
    pub is_stopped_by_tiles: bool,
    /// Its motion over ledges, if it walks over ledges.
    pub walker: Option<Arc<Walker>>,
    /// The waypoint layer whose links it keeps to, if any.
    pub along: Option<Name>,
    /// Whether it goes nowhere except along the links of that layer.
    pub keeps_to_links: bool,
    /// Whether it changes how it moves while it plays.
    pub changes_motion: bool,
    /// Distance in pixels from which a goal counts as reached.
    near_px: f32,
    /// At least one.
    pub goals: Rc<Goals>,
}

impl Trip {
    /// The path to its nearest goal. Where things are goals, it need only lead to beside one.
    pub(super) fn request(&self) -> PathRequest {
        let is_thing = self.goals.all.iter().any(|(_, thing)| thing.is_some());
        let walker = self.walker.clone();
        let (on, over_ledges) = match &self.along {
            Some(layer) => (Ground::Waypoints(layer.clone()), walker.is_some()),
            None => (walker.clone().map_or(Ground::Grid, Ground::Ledges), false),
        };
        let agent = Agent { over_ledges, ..self.agent.clone() };
        let to = self.goals.all.iter().map(|(at, _)| *at).collect();
        let request = PathRequest { to, on, near_px: self.near_px, ..PathRequest::new(self.at, self.at, agent) };
        PathRequest { goals_move: is_thing, touches: is_thing, walker, ..request }
    }
}

/// A place in whole pixels.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
pub(super) fn whole_px(at: Vec2) -> [i32; 2] {
    [at.x, at.y].map(|x| x.round() as i32)
}

/// An entity by its id and, where the id does not begin with it, the name of its definition.
pub(super) fn entity_text(id: &Name, def: &Name) -> String {
    let says_def = id.strip_prefix(&**def).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    if says_def { format!("`{id}`") } else { format!("`{id}` (`{def}`)") }
}

/// The help of hints about agents that have to be carried.
pub(super) fn carried_help() -> String {
    format!("{NO_RIDES}: send it to where that begins, then on")
}

/// The condition that an entity carries an agent, as the end of a sentence.
pub(super) fn carried_text(by: &Name) -> String {
    format!("it is carried, as by `{by}`")
}

/// What an action's goals are in a level.
#[derive(Default)]
pub(super) struct Goals {
    /// Positions in pixels, each with the entity that is placed there, if it is one.
    pub all: Vec<(Vec2, Option<Name>)>,
    /// Whether some of these entities may move.
    pub may_move: bool,
}

impl Goals {
    /// A goal as text.
    pub(super) fn text(&self, i: usize) -> String {
        match &self.all[i] {
            (_, Some(id)) => format!("`{id}`"),
            (at, None) => format!("({}, {})", short_number(f64::from(at.x)), short_number(f64::from(at.y))),
        }
    }
}

/// The goals of the actions in a level, each found once.
#[derive(Default)]
pub(super) struct GoalsOf {
    targets: Option<Vec<PlacedTarget>>,
    known: Vec<(GoalUse, Rc<Goals>)>,
}

impl GoalsOf {
    /// The entities of the level that may be targets.
    pub(super) fn targets(&mut self, input: &Input<'_>, doc: &DocPath, level: &Level) -> &[PlacedTarget] {
        self.targets.get_or_insert_with(|| targets(input, doc, level))
    }

    fn action(&mut self, input: &Input<'_>, (doc, level): (&DocPath, &Level), action: &GoalUse) -> Rc<Goals> {
        if let Some((_, goals)) = self.known.iter().find(|(known, _)| known == action) {
            return Rc::clone(goals);
        }
        let mut goals = Goals::default();
        goals.all.extend(action.places.iter().map(|at| (place(*at), None)));
        for target in &action.targets {
            for it in meant(input, self.targets(input, doc, level), target) {
                goals.all.push((it.at, Some(it.id.clone())));
                goals.may_move |= it.of.may_move;
            }
        }
        let goals = Rc::new(goals);
        self.known.push((action.clone(), Rc::clone(&goals)));
        goals
    }
}

/// A place of a level, in pixels.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
pub(super) fn place([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

/// The trip of an entity to the goals of an action; `None` if the level has none, or nothing is known of the way there.
pub(super) fn trip(
    (input, goals): (&Input<'_>, &mut GoalsOf),
    (doc, level): (&DocPath, &Level),
    (layer, id, instance): Placed<'_>,
    (agent, is_stopped_by_tiles, walker): (&Agent, bool, Option<&Arc<Walker>>),
    (action, all): (&GoalUse, &Destinations),
) -> Option<Trip> {
    let goals = goals.action(input, (doc, level), action);
    let is_known = !goals.may_move || !action.layer.is_empty();
    (is_known && !goals.all.is_empty()).then(|| Trip {
        layer,
        id: id.clone(),
        def: instance.def.clone(),
        at: place(instance.at),
        agent: agent.clone(),
        is_stopped_by_tiles,
        walker: walker.cloned(),
        along: (!action.layer.is_empty()).then(|| action.layer.clone()),
        keeps_to_links: all.routes.is_empty() && all.goals.iter().all(|it| it.layer == action.layer),
        changes_motion: all.changes_motion,
        near_px: reach_px(input.resolution),
        goals,
    })
}
