//! Path queries on a level that does not run: the agents to choose from, the ground that they walk on, and the results.
//! The window's path probe and `levelwright path` use the same queries.
//!
//! Invariant: the same project and question give the same answer, and none changes the project. How a path is found is
//! in `nav`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;

use super::{
    EntityKey, Options, PathTuning, World,
    components::{agent_of, finds_paths},
    grid::SolidGrid,
    nav::{
        self, Agent, Answer, CellField, Colored, GridPath, Ground, Navigator, Neighbors, NoPath, NoPathReason,
        PathRequest, Walker,
    },
};
use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, FieldPath, Level, Name, Project},
};

/// Who a path can be asked for: a definition or a placed entity that walks, flies or has an `Agent`, or a kind of agent
/// that tiles or definitions know.
#[derive(Clone, Debug, PartialEq)]
pub struct Traveler {
    /// Name of the definition or kind, or id of the placed entity.
    pub name: Name,
    /// Terrain costs and width.
    pub agent: Agent,
    /// Whether it is a definition.
    pub is_definition: bool,
    /// Whether it walks and jumps in levels seen from the side.
    pub is_walker: bool,
    /// What a definition or placed entity is made of: then the bodies in the level at its start are obstacles as well.
    pub resolved: Option<Arc<Resolved>>,
}

/// Components that decide about paths, besides those of `UNPLANNED`.
const OF_PATHS: [&str; 5] = ["Agent", "Body", "Collider", "Flyer", "Walker"];

/// Who stands for a placed entity in path queries: itself if what decides about paths differs from its definition, else
/// that. `None` if there is no such entity, or it finds no paths: it neither walks nor flies and has no `Agent`.
#[must_use]
pub fn traveler_for(resolution: &Resolution, place: (&DocPath, &Level), id: &Name) -> Option<Name> {
    let (def, resolved) = own_values(resolution, place, id)?;
    let of_def = resolution.defs.get(&def);
    let differs =
        |component: &&str| resolved.components.get(component) != of_def.and_then(|def| def.components.get(component));
    let is_own =
        !resolution.defs.contains_key(id) && OF_PATHS.iter().chain(UNPLANNED.iter().map(|(name, _)| name)).any(differs);
    finds_paths(&resolved).then(|| if is_own { id.clone() } else { def })
}

/// The placed entity that an agent's name means, with its own values: a definition of that name comes first.
#[must_use]
pub fn placed(resolution: &Resolution, place: (&DocPath, &Level), name: &str) -> Option<Arc<Resolved>> {
    let is_free = !resolution.defs.contains_key(name);
    is_free.then(|| own_values(resolution, place, name)).flatten().map(|(_, resolved)| Arc::new(resolved))
}

/// A placed entity with its own values, and its definition.
fn own_values(resolution: &Resolution, (doc, level): (&DocPath, &Level), id: &str) -> Option<(Name, Resolved)> {
    let (_, instance) = level.entity(id)?;
    let (resolved, _) = resolution.instance(doc, &FieldPath::root(), &id.into(), instance);
    Some((instance.def.clone(), resolved))
}

/// The ground on which an agent finds paths in a level.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Answers requests.
    pub navigator: Navigator,
    /// Its walking and jumping, if it goes over ledges here.
    pub walker: Option<Arc<Walker>>,
    /// The ids of the bodies in the level.
    bodies: BTreeMap<EntityKey, Name>,
    /// What it can do beyond walks, drops and jumps, of which paths over ledges are made.
    unplanned: Vec<&'static str>,
    /// Whether the level has solid bodies that tracks or routes move.
    has_lifts: bool,
}

/// Motions of walkers that paths over ledges do not have, by the component that gives them.
const UNPLANNED: [(&str, &str); 4] =
    [("Climb", "climbing"), ("Swim", "swimming"), ("WallJump", "wall jumps"), ("Dash", "dashes")];

impl Paths {
    /// An agent as it goes here.
    #[must_use]
    pub fn agent(&self, agent: Agent) -> Agent {
        Agent { over_ledges: self.walker.is_some(), ..agent }
    }

    /// The graph in which it finds paths when the level is played.
    #[must_use]
    pub fn ground(&self) -> Ground {
        self.walker.clone().map_or(Ground::Grid, Ground::Ledges)
    }

    /// The reason why an answer has no path, with a place near it, as `place` names that, and the body that closes the
    /// way: a sentence without a full stop. `None` if it has a path.
    #[must_use]
    pub fn why_text(&self, answer: &Answer, question: &Question, place: impl Fn(Vec2) -> String) -> Option<String> {
        let why = answer.no_path.as_ref()?;
        let (floor, agent, [start, goal]) = (self.navigator.floor(), &question.agent, question.ends);
        let is_narrow = why.reason == NoPathReason::TooNarrow && question.on == Ground::Grid;
        let reason = if is_narrow && floor.is_wide_enough(why.at, goal, agent.radius) {
            let needs = agent.width_in_cells(floor.grid().tile_size());
            format!("on the grid of cells it needs a passage of {needs} px")
        } else if why.reason == NoPathReason::Outside {
            let grid = floor.grid();
            let end = if grid.contains(grid.cell_at(start)) { "goal" } else { "start" };
            format!("the {end} is outside the level")
        } else if why.reason == NoPathReason::Wall
            && let Some(end) = self.walled_end(why, question.ends)
        {
            format!("the {end} is inside something solid")
        } else {
            why.reason.search_text().to_owned()
        };
        let by = self.closed_by(why, goal).map(|by| format!(": {by} closes the way"));
        let by = by.or_else(|| {
            if !is_narrow {
                return None;
            }
            let (by, _) = self.navigator.closes_way(&question.request())?;
            Some(format!("; {} closes a wider way", self.bodies.get(&by)?))
        });
        let is_over_ledges = question.on != Ground::Grid && why.reason == NoPathReason::Unconnected;
        let by = by.or_else(|| {
            let walker = self.walker.as_ref().filter(|_| is_over_ledges)?;
            let jump = walker.jump_height();
            let is_along = matches!(question.on, Ground::Waypoints(_));
            let height = answer.too_high_text(start, why.at, (goal, is_along), jump).unwrap_or_default();
            let motions = self.unplanned.join(" or ");
            let unplanned = if motions.is_empty() { motions } else { format!("; paths do not use {motions}") };
            let rides = if self.has_lifts { format!("; {}", nav::NO_RIDES) } else { String::new() };
            Some(height + &unplanned + &rides)
        });
        Some(format!("{reason}, near {}{}", place(why.at), by.unwrap_or_default()))
    }

    /// The end of a question that is inside something solid, if that is why there is no path.
    fn walled_end(&self, why: &NoPath, ends: [Vec2; 2]) -> Option<&'static str> {
        let is_there = |end: Vec2| why.at.distance(end) <= 1.0 && !self.navigator.floor().is_open(end);
        ["start", "goal"].into_iter().zip(ends).find(|(_, end)| is_there(*end)).map(|(name, _)| name)
    }

    /// The id of the body that closes the way, if that is why there is no path to a goal.
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
    /// The agent with a name; if a definition and a kind have the name, the definition.
    #[must_use]
    pub fn named(project: &Project, resolution: &Resolution, name: &str) -> Option<Self> {
        let def = resolution.defs.get(name).and_then(|resolved| Self::of(name, resolution, resolved));
        let kind = || kinds(project, resolution).contains(name).then(|| Self::kind(name.into()));
        def.or_else(kind)
    }

    /// The agent with a name or id in a level: a definition, a placed entity with its own values, or a kind.
    #[must_use]
    pub fn in_level(
        (project, resolution): (&Project, &Resolution),
        place: (&DocPath, &Level),
        name: &str,
    ) -> Option<Self> {
        match placed(resolution, place, name) {
            Some(resolved) => Some(Self { is_definition: false, ..Self::of(name, resolution, &resolved)? }),
            None => Self::named(project, resolution, name),
        }
    }

    /// All agents: definitions that can be placed, then kinds, each by name.
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

    fn of(name: &str, resolution: &Resolution, resolved: &Arc<Resolved>) -> Option<Self> {
        let (agent, is_walker) = (agent_of(resolution, resolved)?, resolved.has("Walker"));
        Some(Self { name: name.into(), agent, is_definition: true, is_walker, resolved: Some(Arc::clone(resolved)) })
    }

    fn kind(name: Name) -> Self {
        Self { agent: Agent::point(&name), name, is_definition: false, is_walker: false, resolved: None }
    }

    /// The ground of an agent: for a kind the tiles, given by `grid`; for others also the bodies in the level at its
    /// start. `None` if the level cannot be played.
    #[must_use]
    pub fn paths(
        &self,
        (project, resolution): (&Project, &Resolution),
        (name, level): (&str, &Level),
        grid: impl FnOnce() -> Arc<SolidGrid>,
    ) -> Option<Paths> {
        let Some(resolved) = self.resolved.as_deref() else {
            return Some(Paths {
                navigator: Navigator::new(level, grid()),
                walker: None,
                bodies: BTreeMap::new(),
                unplanned: Vec::new(),
                has_lifts: false,
            });
        };
        let world = World::compile(project, resolution, name, Options::default()).ok()?;
        let walker = world.walker_of(resolved);
        let can = |component| walker.is_some() && resolved.has(component);
        let unplanned =
            UNPLANNED.into_iter().filter(|(component, _)| can(component)).map(|(_, motion)| motion).collect();
        let bodies = world.entities().map(|entity| (entity.key, entity.id.clone())).collect();
        let has_lifts = walker.is_some() && world.has_lifts();
        Some(Paths { navigator: world.navigator().clone(), walker, bodies, unplanned, has_lifts })
    }
}

/// The agent kinds that tiles have costs for or that definitions name, and the default one.
fn kinds(project: &Project, resolution: &Resolution) -> BTreeSet<Name> {
    let sets = resolution.tilesets.values().filter_map(|doc| project.tileset(doc));
    let mut kinds: BTreeSet<Name> =
        sets.flat_map(|set| set.tiles.values()).flat_map(|tile| tile.cost.keys().cloned()).collect();
    kinds.extend(resolution.defs.values().filter_map(|resolved| Some(resolved.get("Agent", "kind")?.as_str()?.into())));
    kinds.insert("walk".into());
    kinds
}

/// A path query.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Start and goal, in pixels.
    pub ends: [Vec2; 2],
    /// The agent.
    pub agent: Agent,
    /// The graph to search.
    pub on: Ground,
    /// Weight of the estimate, at least 1; above it the search is faster and the path may cost more.
    pub weight: f64,
    /// Distance in pixels from which a goal without room for the agent counts as reached: see `sim::reach_px`. 0 leaves
    /// goals to their cells.
    pub near_px: f32,
    /// Its walking and jumping, if it goes over ledges in this level: along waypoints it does so from each to the next.
    pub walker: Option<Arc<Walker>>,
}

impl Question {
    /// The request for the path as searched. Both ends stand for their cells, or for those beside them if the agent has
    /// room only there; over ledges for the ground below them.
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
            touches: false,
            around: Arc::default(),
            walker: self.walker.clone(),
        }
    }

    /// The request for the path as followed when the level is played.
    fn followed(&self, PathTuning { weight, turn_penalty }: PathTuning) -> PathRequest {
        PathRequest { weight, turn_penalty, is_smooth: true, ..self.request() }
    }
}

/// The results of a query.
#[derive(Clone, Debug, Default)]
pub struct Probed {
    /// The path as searched, with the open and closed cells.
    pub searched: Answer,
    /// The path with weight 1, if the weight was another.
    pub cheapest: Option<Answer>,
    /// The points that are left after string pulling; empty if the path is not smoothed in that way.
    pub shortcut: Vec<Vec2>,
    /// The path as followed when the level is played: with the weight and the turn penalty of the tuning.
    pub smooth: Vec<Vec2>,
}

/// Answer a query, with all the data to show; `tuning` sets how the path is followed in the game.
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

/// Points that are nearer to each other are the same, in pixels: an agent's offset is added and subtracted.
const SAME_PX: f32 = 0.01;

/// The points of a path over cells that are left after string pulling.
fn shortcut(navigator: &mut Navigator, question: &Question, searched: &Answer) -> Vec<Vec2> {
    if !searched.found || question.on != Ground::Grid {
        return Vec::new();
    }
    let Some(map) = navigator.map(&question.agent) else { return Vec::new() };
    let offset = question.agent.offset;
    let points: Vec<Vec2> = searched.points.iter().map(|at| *at + offset).collect();
    let cells = points.iter().map(|at| map.cell_at(*at)).collect();
    let path = GridPath { cells, cost: searched.cost };
    // A path that is not over cells is not straightened by them.
    if nav::centers(&map, &path).iter().zip(&points).any(|(center, at)| center.distance(*at) > SAME_PX) {
        return Vec::new();
    }
    let straight = nav::shortcut(navigator.floor(), &map, &path, question.agent.radius);
    straight.into_iter().map(|at| at - offset).collect()
}

/// Length of a polyline, in pixels.
#[must_use]
pub fn length_of(points: &[Vec2]) -> f64 {
    // Not `sum`: that of nothing is -0.0.
    points.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).fold(0.0, |sum, length| sum + length)
}

/// The values by which the cells of a level are colored for an agent: see [`Colored`].
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
