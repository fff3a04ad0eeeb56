//! Which agents are sent to which goals: the entities with an `Agent` whose machines name places, or targets that stay
//! where they are placed.
//!
//! Invariant: of a target that moves by itself, or appears only while the game runs, nothing is known, so it is left
//! out. Who follows waypoints is in [`walks`](super::walks).

use std::collections::HashMap;

use glam::Vec2;

use super::{input::Input, walks::Placed};
use crate::{
    defs::Resolved,
    explain::GoalUse,
    model::{DocPath, Level, Name, Value},
    sim::{behavior::Target, components::stays_in_place, nav::Agent},
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
    /// Whether it walks over ledges.
    pub is_over_ledges: bool,
    /// The waypoint layer whose links it keeps to, if any.
    pub along: Option<Name>,
    /// The goals: names or places as text, and positions in pixels.
    pub goals: Vec<(String, Vec2)>,
}

/// An entity that may be the target of a trip.
struct Mark {
    id: Name,
    def: Name,
    tags: Vec<Name>,
    at: Vec2,
}

/// The targets in a level that stay where they are placed.
#[derive(Default)]
pub(super) struct Marks {
    all: Option<Vec<Mark>>,
}

impl Marks {
    /// The positions, in pixels, of the entities that a target refers to for `me`, with their ids.
    fn of(
        &mut self,
        input: &Input<'_>,
        (doc, level): (&DocPath, &Level),
        target: &str,
        me: &Name,
    ) -> Vec<(String, Vec2)> {
        let all = self.all.get_or_insert_with(|| marks(input, doc, level));
        let is_id = |name: &Name| all.iter().any(|mark| mark.id == *name);
        let is_kind = |name: &Name| input.resolution.def_docs.contains_key(name);
        let is_meant: Box<dyn Fn(&Mark) -> bool> = match Target::parse(target) {
            Target::Any | Target::Me | Target::Sender => return Vec::new(),
            Target::Name(id) if is_id(&id) => Box::new(move |mark| mark.id == id),
            Target::Name(def) if is_kind(&def) => Box::new(move |mark| input.resolution.is_a(&mark.def, &def)),
            Target::Def(def) => Box::new(move |mark| input.resolution.is_a(&mark.def, &def)),
            Target::Tag(tag) | Target::Name(tag) => Box::new(move |mark| mark.tags.contains(&tag)),
        };
        let meant = all.iter().filter(|mark| mark.id != *me && is_meant(mark));
        meant.map(|mark| (format!("`{}`", mark.id), mark.at)).collect()
    }
}

/// The entities of a level that stay where they are placed.
fn marks(input: &Input<'_>, doc: &DocPath, level: &Level) -> Vec<Mark> {
    let paths = level.layer_paths();
    let mut known: HashMap<&Name, Option<Vec<Name>>> = HashMap::new();
    let mut all = Vec::new();
    for (layer, id, instance) in level.entities() {
        let tags_of = |resolved: &Resolved| {
            let tags = resolved.get("Tags", "tags").and_then(Value::as_list).into_iter().flatten();
            let tags = || tags.filter_map(Value::as_str).map(Name::from).collect();
            stays_in_place(input.resolution, resolved).then(tags)
        };
        let own = (!instance.ops.is_empty()).then(|| paths.get(layer)).flatten();
        let tags = match own {
            Some(path) => tags_of(&input.resolution.instance(doc, path, id, instance).0),
            None => {
                let of_def = || input.resolution.defs.get(&instance.def).and_then(|def| tags_of(def));
                known.entry(&instance.def).or_insert_with(of_def).clone()
            }
        };
        let mark = |tags| Mark { id: id.clone(), def: instance.def.clone(), tags, at: place(instance.at) };
        all.extend(tags.map(mark));
    }
    all
}

/// A place of a level, in pixels.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
pub(super) fn place([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

/// The trip of an entity to the goals of an action; `None` if none of them is known.
pub(super) fn trip(
    (input, marks): (&Input<'_>, &mut Marks),
    (doc, level): (&DocPath, &Level),
    (layer, id, instance): Placed<'_>,
    (agent, is_stopped_by_tiles, is_over_ledges): (&Agent, bool, bool),
    goal: &GoalUse,
) -> Option<Trip> {
    let along = (!goal.layer.is_empty()).then(|| goal.layer.clone());
    let mut goals: Vec<(String, Vec2)> =
        goal.places.iter().map(|[x, y]| (format!("({x}, {y})"), place([*x, *y]))).collect();
    for target in &goal.targets {
        goals.extend(marks.of(input, (doc, level), target, id));
    }
    (along.is_some() || !goals.is_empty()).then(|| Trip {
        layer,
        id: id.clone(),
        def: instance.def.clone(),
        at: place(instance.at),
        agent: agent.clone(),
        is_stopped_by_tiles,
        is_over_ledges,
        along,
        goals,
    })
}
