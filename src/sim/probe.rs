//! Questions about paths on a level that does not run: who can be asked for, where they walk, and what is found. The
//! window's path probe and `levelwright path` ask the same.
//!
//! Invariant: the same project and question give the same answer, and none changes the project. How a path is found is
//! `nav`'s.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;

use super::{
    EntityKey, Options, PathTuning, World,
    components::agent_of,
    grid::SolidGrid,
    nav::{
        self, Agent, Answer, CellField, Colored, GridPath, Ground, Navigator, Neighbors, NoPath, NoPathReason,
        PathRequest, Walker,
    },
};
use crate::{
    defs::{Resolution, Resolved},
    model::{Level, Name, Project},
};

/// Who a path can be asked for: a definition with an `Agent`, or a kind of agent that tiles or definitions know.
#[derive(Clone, Debug, PartialEq)]
pub struct Traveler {
    /// Of the definition or kind.
    pub name: Name,
    /// What ground costs it, and how wide it is.
    pub agent: Agent,
    /// Whether it is a definition: then bodies that stand in the level as it begins are in its way, too.
    pub is_definition: bool,
    /// Whether it walks and jumps where a level is seen from the side.
    pub is_walker: bool,
}

/// Whether paths can be looked for as a definition goes: it has an `Agent`.
#[must_use]
pub fn can_travel(resolution: &Resolution, def: &str) -> bool {
    resolution.defs.get(def).is_some_and(|resolved| resolved.has("Agent"))
}

/// What an agent finds paths on in a level.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Answers requests.
    pub navigator: Navigator,
    /// How it walks and jumps, if it goes over ledges here.
    pub walker: Option<Arc<Walker>>,
    /// The ids of the bodies that stand there.
    bodies: BTreeMap<EntityKey, Name>,
}

impl Paths {
    /// Where it looks for paths when the level is played.
    #[must_use]
    pub fn ground(&self) -> Ground {
        self.walker.clone().map_or(Ground::Grid, Ground::Ledges)
    }

    /// Why there is no path to a goal, and near what place: a sentence without its end, that names the body that closes
    /// the way.
    #[must_use]
    pub fn why_text(&self, why: &NoPath, question: &Question, place: &str) -> String {
        let (floor, agent) = (self.navigator.floor(), &question.agent);
        let is_narrow = why.reason == NoPathReason::TooNarrow && question.on == Ground::Grid;
        let reason = if is_narrow && floor.has_room_about(why.at, agent.radius) {
            let needs = agent.width_in_cells(floor.grid().tile_size());
            format!("on the grid of cells it needs a passage of {needs} px")
        } else {
            why.reason.text().to_owned()
        };
        let by = self.closed_by(why, question.ends[1]).map(|by| format!(": {by} closes the way"));
        format!("{reason}, near {place}{}", by.unwrap_or_default())
    }

    /// The id of the body that closes the way, where there is no path to a goal for that.
    #[must_use]
    pub fn closed_by(&self, why: &NoPath, goal: Vec2) -> Option<&Name> {
        let is_place = match why.reason {
            NoPathReason::Wall | NoPathReason::TooNarrow => true,
            NoPathReason::Unconnected => why.at.distance(goal) > 1.0,
            _ => false,
        };
        let body = self.navigator.floor().body_near(why.at).filter(|_| is_place)?;
        self.bodies.get(&body)
    }
}

impl Traveler {
    /// The one of a name; of a definition and a kind of one name it is the definition.
    #[must_use]
    pub fn named(project: &Project, resolution: &Resolution, name: &str) -> Option<Self> {
        let def = resolution.defs.get(name).and_then(|resolved| Self::of(name, resolution, resolved));
        let kind = || kinds(project, resolution).contains(name).then(|| Self::kind(name.into()));
        def.or_else(kind)
    }

    /// All of them: definitions that can be placed, then kinds, each by name.
    #[must_use]
    pub fn all(project: &Project, resolution: &Resolution) -> Vec<Self> {
        let placeable = resolution.defs.iter().filter(|(_, resolved)| !resolved.is_abstract);
        let mut all: Vec<Self> =
            placeable.filter_map(|(name, resolved)| Self::of(name, resolution, resolved)).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        let kinds = kinds(project, resolution);
        let kinds = kinds.into_iter().filter(|name| !all.iter().any(|it| it.name == *name)).collect::<Vec<_>>();
        all.extend(kinds.into_iter().map(Self::kind));
        all
    }

    fn of(name: &str, resolution: &Resolution, resolved: &Resolved) -> Option<Self> {
        let (agent, is_walker) = (agent_of(resolution, resolved)?, resolved.has("Walker"));
        Some(Self { name: name.into(), agent, is_definition: true, is_walker })
    }

    fn kind(name: Name) -> Self {
        Self { agent: Agent::point(&name), name, is_definition: false, is_walker: false }
    }

    /// What it walks on: for a kind the tiles, given by `grid`; for a definition also the bodies that stand in the
    /// level as it begins. `None` where that level cannot be played.
    #[must_use]
    pub fn paths(
        &self,
        (project, resolution): (&Project, &Resolution),
        (name, level): (&str, &Level),
        grid: impl FnOnce() -> Arc<SolidGrid>,
    ) -> Option<Paths> {
        if !self.is_definition {
            return Some(Paths { navigator: Navigator::new(level, grid()), walker: None, bodies: BTreeMap::new() });
        }
        let world = World::compile(project, resolution, name, Options::default()).ok()?;
        let walker = resolution.defs.get(&self.name).and_then(|resolved| world.walker_of(resolved));
        let bodies = world.entities().map(|entity| (entity.key, entity.id.clone())).collect();
        Some(Paths { navigator: world.navigator().clone(), walker, bodies })
    }
}

/// The kinds of agents that tiles have costs for or definitions are of, and the usual one.
fn kinds(project: &Project, resolution: &Resolution) -> BTreeSet<Name> {
    let sets = resolution.tilesets.values().filter_map(|doc| project.tileset(doc));
    let mut kinds: BTreeSet<Name> =
        sets.flat_map(|set| set.tiles.values()).flat_map(|tile| tile.cost.keys().cloned()).collect();
    kinds.extend(resolution.defs.values().filter_map(|resolved| Some(resolved.get("Agent", "kind")?.as_str()?.into())));
    kinds.insert("walk".into());
    kinds
}

/// A question about a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Start and goal, in pixels.
    pub ends: [Vec2; 2],
    /// Who goes there.
    pub agent: Agent,
    /// Where it is looked for.
    pub on: Ground,
    /// At least 1; above it the search is quicker and the path may cost more.
    pub weight: f64,
    /// From how far away a goal at which it has no room is as good as reached, in pixels: see `sim::reach_px`. 0 leaves
    /// goals to their cells.
    pub near_px: f32,
}

impl Question {
    /// The request for the path as it is searched. Both ends mean the cells that they are in, or those beside them
    /// where it has room only there; over ledges the ground below them.
    #[must_use]
    pub fn request(&self) -> PathRequest {
        PathRequest {
            from: self.ends[0],
            to: vec![self.ends[1]],
            agent: self.agent.clone(),
            on: self.on.clone(),
            weight: self.weight,
            turn_penalty: 0.0,
            neighbors: Neighbors::Eight,
            is_smooth: false,
            snap_cells: 0,
            near_px: self.near_px,
            avoid: Vec::new(),
            goals_move: false,
            around: BTreeMap::new(),
        }
    }

    /// The request for the path as it is followed when the level is played.
    fn followed(&self, PathTuning { weight, turn_penalty }: PathTuning) -> PathRequest {
        PathRequest { weight, turn_penalty, is_smooth: true, ..self.request() }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Probed {
    /// The path as it was searched, with the cells that were examined.
    pub searched: Answer,
    /// The same where the weight is 1, if it was another.
    pub cheapest: Option<Answer>,
    /// The points that are left where straight lines pass the others by; empty where that is not how the path is made
    /// smooth.
    pub shortcut: Vec<Vec2>,
    /// The path as it is followed when the level is played: with the weight and the preference for straight paths that
    /// are tuned.
    pub smooth: Vec<Vec2>,
}

/// Answer a question, with all that there is to show of the answer; and how the path is followed in a game tuned like
/// this.
pub fn probe(navigator: &mut Navigator, question: &Question, tuning: PathTuning) -> Probed {
    let kept = std::mem::replace(&mut navigator.keeps_shapes, true);
    let searched = navigator.find_now(&question.request());
    navigator.keeps_shapes = false;
    let cheapest = (question.weight > 1.0).then(|| Question { weight: 1.0, ..question.clone() });
    let cheapest = cheapest.map(|question| navigator.find_now(&question.request()));
    let is_smoothed = searched.found && !matches!(question.on, Ground::Ledges(_));
    let smooth = if is_smoothed { navigator.find_now(&question.followed(tuning)).points } else { Vec::new() };
    navigator.keeps_shapes = kept;
    let shortcut = shortcut(navigator, question, &searched);
    Probed { searched, cheapest, shortcut, smooth }
}

/// The points of a path over cells that are left where straight lines pass the others by.
fn shortcut(navigator: &mut Navigator, question: &Question, searched: &Answer) -> Vec<Vec2> {
    if !searched.found || question.on != Ground::Grid {
        return Vec::new();
    }
    let Some(map) = navigator.map(&question.agent) else { return Vec::new() };
    let cells = searched.points.iter().map(|at| map.cell_at(*at)).collect();
    let path = GridPath { cells, cost: searched.cost };
    // A path that leads over no cells is not made straight by them.
    if nav::centers(&map, &path) != searched.points {
        return Vec::new();
    }
    nav::shortcut(navigator.floor(), &map, &path, question.agent.radius)
}

/// How long a line from point to point is, in pixels.
#[must_use]
pub fn length_of(points: &[Vec2]) -> f64 {
    points.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum()
}

/// What the cells of a level are colored by, for an agent: see [`Colored`].
pub fn field(navigator: &mut Navigator, question: &Question, colored: Colored) -> Option<CellField> {
    let map = navigator.map(&question.agent)?;
    match colored {
        Colored::Cost => CellField::costs(&map, question.ends[0]),
        Colored::Areas => CellField::areas(&map),
        Colored::Clearance => {
            let thin = navigator.map(&Agent::point(&question.agent.kind))?;
            CellField::clearance(navigator.floor(), &thin)
        }
    }
}
