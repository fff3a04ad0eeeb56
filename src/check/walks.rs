//! The levels in which agents go somewhere, and which waypoints they follow: the entities with an `Agent` whose machines
//! or fields name a waypoint layer, and the nodes. Who is sent to goals is in [`trips`](super::trips).
//!
//! Invariant: the result follows from the levels in scope, their tilesets and definitions, and the [`destinations`] of machines,
//! which are among the surroundings of every level. Levels that would take long are left out.

use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
    sync::Arc,
};

use glam::Vec2;
use slotmap::SlotMap;

use super::{
    input::Input,
    targets::place_lasting_bodies,
    trips::{GoalsOf, Trip, place, trip},
};
use crate::{
    defs::{Resolution, Resolved},
    explain::{Destinations, RouteUse, acted_on, destinations_of, destinations_of_machine},
    model::{DocPath, Instance, Level, MachinesFile, Name, Project},
    sim::{
        EntityKey, Options, World,
        behavior::RouteMode,
        components::{agent_of, is_stopped_by_tiles},
        grid::SolidGrid,
        nav::{Agent, Carrier, Navigator, Walker, route_nodes},
        walker_in,
    },
};

/// The most cells of a level that is checked.
const MOST_CELLS: i64 = 1 << 21;
/// The most waypoints of a level that is checked: each is tested with each.
const MOST_NODES: usize = 1_000;
/// The most waypoints and links that are tested for all agents together.
const MOST_LOOKED_AT: usize = 2_000_000;
/// The most entities of a level that are sent to goals and checked, once per action.
const MOST_TRIPS: usize = 10_000;
/// The most agents of different kinds or widths, each of which needs a map of the level: in a small level, and in the
/// largest.
const MOST_AGENTS: [usize; 2] = [64, 8];

/// Where the actions of each machine, and of the machines that it starts, let entities go.
pub(super) fn destinations(project: &Project, resolution: &Resolution) -> BTreeMap<Name, Destinations> {
    let names = project.all::<MachinesFile>().flat_map(|(_, file)| file.machines.keys());
    let all = names.map(|name| (name.clone(), destinations_of_machine(project, resolution, name)));
    all.filter(|(_, to)| !to.is_empty()).collect()
}

/// An entity that follows waypoints.
pub(super) struct Walk {
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
    /// Whether it changes how it moves while it plays.
    pub changes_motion: bool,
    /// The index and name of the waypoint layer.
    pub route: (usize, Name),
    /// Tag of the waypoints that it follows; empty for all.
    pub tag: Name,
    /// What comes after the last node.
    pub mode: RouteMode,
    /// The nodes, by their indices in the layer.
    pub nodes: Vec<usize>,
}

impl Walk {
    /// The pairs of nodes between which it goes by its route, each once.
    pub(super) fn legs(&self) -> Vec<[usize; 2]> {
        let on = self.nodes.windows(2).map(|pair| [pair[0], pair[1]]);
        let back = on.clone().map(|[from, to]| [to, from]).filter(|_| self.mode == RouteMode::PingPong);
        let ends = self.nodes.first().zip(self.nodes.last()).filter(|_| self.mode == RouteMode::Loop);
        let around = ends.map(|(first, last)| [*last, *first]).filter(|[from, to]| from != to);
        on.chain(around).chain(back).collect()
    }
}

/// A level with waypoints, or with agents that are sent to goals.
pub(super) struct Walked {
    pub doc: DocPath,
    /// With the bodies that stay as they are. Its maps are made when first needed, and shared by all rules.
    pub navigator: RefCell<Navigator>,
    /// The ids of the entities of these bodies.
    pub bodies: SlotMap<EntityKey, Name>,
    pub walks: Vec<Walk>,
    pub trips: Vec<Trip>,
    /// The waypoint layers that are followed by something other than an agent, such as a platform, which no wall stops.
    pub carried: BTreeSet<Name>,
    begun: OnceCell<Option<Begun>>,
}

/// A level as it begins, with its bodies.
pub(super) struct Begun {
    pub navigator: RefCell<Navigator>,
    /// The entities that may carry walkers.
    pub carriers: Vec<Carrier>,
}

impl Walked {
    /// The level as it begins, made when first needed; `None` if it cannot be played.
    pub(super) fn begun(&self, input: &Input<'_>) -> Option<&Begun> {
        let begin = || {
            let mut world =
                World::compile(input.project, input.resolution, self.doc.stem(), Options::default()).ok()?;
            Some(Begun { carriers: world.carriers(), navigator: RefCell::new(world.navigator().clone()) })
        };
        self.begun.get_or_init(begin).as_ref()
    }

    /// The nodes of a layer (by its index) that any agent follows: their indices in the layer.
    pub(super) fn followed(&self, layer: usize) -> BTreeSet<usize> {
        let walks = self.walks.iter().filter(|walk| walk.route.0 == layer);
        walks.flat_map(|walk| walk.nodes.iter().copied()).collect()
    }
}

/// The properties of an entity for routes and goals.
struct Follower {
    agent: Option<Agent>,
    is_stopped_by_tiles: bool,
    /// Its motion over ledges, if it walks over ledges and goes somewhere.
    walker: Option<Arc<Walker>>,
    to: Destinations,
}

/// The levels in scope that have waypoints or agents with goals, whose tilesets are known and that are small enough to
/// check.
pub(super) fn walked(input: &Input<'_>) -> Vec<Walked> {
    let mut all = Vec::new();
    let acted_on = acted_on(input.project, input.resolution);
    for (doc, level) in input.levels() {
        let n_nodes: usize = level.all_layers().iter().filter_map(|layer| Some(layer.waypoints()?.nodes.len())).sum();
        let [left, top, right, bottom] = level.bounds_px();
        let [w, h] = level.tile_size.map(|side| f64::from(side.max(1)));
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let n_cells = ((right - left) / w * (bottom - top) / h) as i64;
        if n_nodes > MOST_NODES || n_cells > MOST_CELLS {
            continue;
        }
        let followers = followers(input, doc, level);
        let (mut agents, most): (Vec<Agent>, _) = (Vec::new(), most_agents(n_cells));
        let mut trips = Vec::new();
        let mut goals = GoalsOf::default();
        for (placed, follower) in &followers {
            let Some(agent) = follower.agent.as_ref().filter(|agent| is_one_of(&agents, agent, most)) else { continue };
            let whose = (agent, follower.is_stopped_by_tiles, follower.walker.as_ref());
            let found = follower.to.goals.iter();
            let found =
                found.filter_map(|it| trip((input, &mut goals), (doc, level), *placed, whose, (it, &follower.to)));
            let n_before = trips.len();
            trips.extend(found.take(MOST_TRIPS.saturating_sub(n_before)));
            count_agent(&mut agents, agent, trips.len() > n_before);
        }
        if n_nodes == 0 && trips.is_empty() {
            continue;
        }
        // With a missing tileset, which another rule reports, the ground is unknown.
        let mut layers = level.all_layers().into_iter();
        if layers
            .any(|layer| layer.tiles().is_some_and(|tiles| tiles.collide && input.tileset(&tiles.tileset).is_none()))
        {
            continue;
        }
        let grid = SolidGrid::new(level, |name| input.tileset(name));
        let mut navigator = Navigator::new(level, Arc::new(grid));
        let bodies = place_lasting_bodies(input, goals.targets(input, doc, level), &acted_on, &mut navigator);
        let (mut walks, mut carried, mut n_looked_at) = (Vec::new(), BTreeSet::new(), 0);
        for (placed, follower) in &followers {
            let routes = follower.to.routes.iter().map(|route| route.clone().in_level(level));
            let Some(agent) = &follower.agent else {
                carried.extend(routes.filter(|route| route.is_own).map(|route| route.layer));
                continue;
            };
            if n_looked_at >= MOST_LOOKED_AT || !is_one_of(&agents, agent, most) {
                continue;
            }
            let n_before = walks.len();
            for route in routes {
                let built = navigator.waypoints(&route.layer);
                n_looked_at += built.map_or(1, |built| built.points().len() + built.links().len());
                walks.extend(walk(&navigator, level, *placed, follower, &route));
            }
            count_agent(&mut agents, agent, walks.len() > n_before);
        }
        let (navigator, begun) = (RefCell::new(navigator), OnceCell::new());
        all.push(Walked { doc: doc.clone(), navigator, bodies, walks, trips, carried, begun });
    }
    all
}

/// The most agents that are checked in a level of so many cells.
fn most_agents(n_cells: i64) -> usize {
    let [most, least] = MOST_AGENTS;
    let n_levels = usize::try_from(MOST_CELLS / n_cells.max(1)).unwrap_or(1);
    least.saturating_mul(n_levels).clamp(least, most)
}

/// Whether an agent is among those that are checked, or can be, where at most so many are.
fn is_one_of(agents: &[Agent], agent: &Agent, most: usize) -> bool {
    agents.len() < most || agents.contains(agent)
}

/// Count an agent if it goes somewhere.
fn count_agent(agents: &mut Vec<Agent>, agent: &Agent, goes: bool) {
    if goes && !agents.contains(agent) {
        agents.push(agent.clone());
    }
}

/// A placed entity: the index of its layer, its id, and its data.
pub(super) type Placed<'a> = (usize, &'a Name, &'a Arc<Instance>);

/// The entities of a level in order, each with what follows from its components; of those without own changes it is
/// found once per definition. Entities whose definition cannot be resolved are left out.
pub(super) fn placed<'a, T>(
    input: &Input<'a>,
    doc: &DocPath,
    level: &'a Level,
    of: impl Fn(&Resolved) -> T,
) -> Vec<(Placed<'a>, Rc<T>)> {
    let paths = level.layer_paths();
    let mut known: HashMap<&'a Name, Option<Rc<T>>> = HashMap::new();
    let mut all = Vec::new();
    for (layer, id, instance) in level.entities() {
        let own = (!instance.ops.is_empty()).then(|| paths.get(layer)).flatten();
        let found = match own {
            Some(at) => Some(Rc::new(of(&input.resolution.instance(doc, at, id, instance).0))),
            None => {
                let of_def = || input.resolution.defs.get(&instance.def).map(|def| Rc::new(of(def)));
                known.entry(&instance.def).or_insert_with(of_def).clone()
            }
        };
        all.extend(found.map(|found| ((layer, id, instance), found)));
    }
    all
}

/// The entities of a level that go somewhere, in order.
fn followers<'a>(input: &Input<'a>, doc: &DocPath, level: &'a Level) -> Vec<(Placed<'a>, Rc<Follower>)> {
    let mut all = placed(input, doc, level, |resolved| follower(input, level, resolved));
    all.retain(|(_, follower)| !follower.to.is_empty());
    all
}

fn follower(input: &Input<'_>, level: &Level, resolved: &Resolved) -> Follower {
    let agent = agent_of(input.resolution, resolved);
    let to = destinations_of(input.project, input.resolution, resolved);
    let walks = agent.is_some() && !to.is_empty();
    let walker = walks.then(|| walker_in(input.project, input.resolution, level, resolved)).flatten();
    let is_stopped_by_tiles = walks && is_stopped_by_tiles(input.resolution, resolved);
    Follower { agent, is_stopped_by_tiles, walker, to }
}

/// The nodes that an entity with an agent follows.
fn walk(
    navigator: &Navigator,
    level: &Level,
    (layer, id, instance): Placed<'_>,
    follower: &Follower,
    route: &RouteUse,
) -> Option<Walk> {
    let (number, on) = level.layer(&route.layer)?;
    let (graph, built) = (on.waypoints()?, navigator.waypoints(&route.layer)?);
    let at = place(instance.at);
    let (nodes, _) = route_nodes(graph, &route.tag, at, |start| built.together(start))?;
    Some(Walk {
        layer,
        id: id.clone(),
        def: instance.def.clone(),
        at,
        agent: follower.agent.clone()?,
        is_stopped_by_tiles: follower.is_stopped_by_tiles,
        walker: follower.walker.clone(),
        changes_motion: follower.to.changes_motion,
        route: (number, on.name.clone()),
        tag: route.tag.clone(),
        mode: if route.mode.is_empty() { RouteMode::Once } else { RouteMode::parse(&route.mode) },
        nodes,
    })
}
