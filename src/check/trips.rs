//! Which agents are sent to which goals: the entities with an `Agent` whose machines name places or targets.
//!
//! Invariant: of a target that moves by itself only where it is placed is known, and of one that appears while the game
//! runs nothing. Who follows waypoints is in [`walks`](super::walks).

use std::{rc::Rc, sync::Arc};

use glam::Vec2;

use super::{
    input::Input,
    walks::{Placed, placed},
};
use crate::{
    defs::Resolved,
    explain::{Destinations, GoalUse},
    model::{DocPath, Level, Name, Value, short_number},
    sim::{
        behavior::Target,
        components::stays_in_place,
        nav::{Agent, Ground, PathRequest, Walker},
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
    /// At least one.
    pub goals: Rc<Goals>,
}

impl Trip {
    /// The path along the links of a layer to its nearest goal.
    pub(super) fn along_links(&self, layer: &Name) -> PathRequest {
        let to: Vec<Vec2> = self.goals.all.iter().map(|(at, _)| *at).collect();
        let request = PathRequest::new(self.at, self.at, self.agent.clone());
        PathRequest { to, on: Ground::Waypoints(layer.clone()), ..request }
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

/// A placed entity that may be a target.
struct PlacedTarget {
    id: Name,
    def: Name,
    tags: Vec<Name>,
    at: Vec2,
    may_move: bool,
}

/// The goals of the actions in a level, each found once.
#[derive(Default)]
pub(super) struct GoalsOf {
    targets: Option<Vec<PlacedTarget>>,
    known: Vec<(GoalUse, Rc<Goals>)>,
}

impl GoalsOf {
    fn action(&mut self, input: &Input<'_>, (doc, level): (&DocPath, &Level), action: &GoalUse) -> Rc<Goals> {
        if let Some((_, goals)) = self.known.iter().find(|(known, _)| known == action) {
            return Rc::clone(goals);
        }
        let mut goals = Goals::default();
        goals.all.extend(action.places.iter().map(|at| (place(*at), None)));
        for target in &action.targets {
            let targets = self.targets.get_or_insert_with(|| targets(input, doc, level));
            for it in meant(input, targets, target) {
                goals.all.push((it.at, Some(it.id.clone())));
                goals.may_move |= it.may_move;
            }
        }
        let goals = Rc::new(goals);
        self.known.push((action.clone(), Rc::clone(&goals)));
        goals
    }
}

/// The entities that a target refers to.
fn meant<'t>(input: &Input<'_>, targets: &'t [PlacedTarget], target: &str) -> Vec<&'t PlacedTarget> {
    let all = |is_meant: &dyn Fn(&PlacedTarget) -> bool| targets.iter().filter(|it| is_meant(it)).collect();
    match Target::parse(target) {
        Target::Any | Target::Me | Target::Sender => Vec::new(),
        Target::Name(id) if targets.iter().any(|it| it.id == id) => all(&|it| it.id == id),
        Target::Name(def) if input.resolution.def_docs.contains_key(&def) => {
            all(&|it| input.resolution.is_a(&it.def, &def))
        }
        Target::Def(def) => all(&|it| input.resolution.is_a(&it.def, &def)),
        Target::Tag(tag) | Target::Name(tag) => all(&|it| it.tags.contains(&tag)),
    }
}

/// The entities of a level.
fn targets(input: &Input<'_>, doc: &DocPath, level: &Level) -> Vec<PlacedTarget> {
    let of = |resolved: &Resolved| {
        let tags = resolved.get("Tags", "tags").and_then(Value::as_list).into_iter().flatten();
        let tags: Vec<Name> = tags.filter_map(Value::as_str).map(Name::from).collect();
        (tags, !stays_in_place(input.resolution, resolved))
    };
    let target = |((_, id, instance), of): (Placed<'_>, Rc<(Vec<Name>, bool)>)| {
        let (tags, may_move) = (*of).clone();
        PlacedTarget { id: id.clone(), def: instance.def.clone(), tags, at: place(instance.at), may_move }
    };
    placed(input, doc, level, of).into_iter().map(target).collect()
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
        goals,
    })
}
