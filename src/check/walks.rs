//! Which agents follow which waypoints: the entities with an `Agent` whose machines or fields name a waypoint layer,
//! and the nodes that they follow.
//!
//! Invariant: the result follows from the levels in scope, their tilesets and definitions, and the [`routes`] of
//! machines, which are among the surroundings of every level. Levels that would take long are left out.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use glam::Vec2;

use super::input::Input;
use crate::{
    defs::{Resolution, Resolved},
    explain::{RouteUse, routes_of, routes_of_machine},
    model::{DocPath, Instance, Level, MachinesFile, Name, Project},
    sim::{
        behavior::RouteMode,
        components::{agent_of, is_stopped_by_tiles},
        grid::SolidGrid,
        nav::{Agent, Navigator, Walker, route_nodes},
        walker_in,
    },
};

/// The most cells of a level that is checked.
const MOST_CELLS: i64 = 1 << 21;
/// The most waypoints of a level that is checked: each is tested with each.
const MOST_NODES: usize = 1_000;
/// The most waypoints and links that are tested for all agents together.
const MOST_LOOKED_AT: usize = 2_000_000;
/// The most agents of different kinds or widths: each needs a map of the level.
const MOST_AGENTS: usize = 8;

/// The routes named in the actions of each machine, or of the machines that it starts.
pub(super) fn routes(project: &Project, resolution: &Resolution) -> BTreeMap<Name, Vec<RouteUse>> {
    let names = project.all::<MachinesFile>().flat_map(|(_, file)| file.machines.keys());
    let routes = names.map(|name| (name.clone(), routes_of_machine(project, resolution, name)));
    routes.filter(|(_, routes)| !routes.is_empty()).collect()
}

/// An entity that follows waypoints.
pub(super) struct Walk {
    /// The index of its layer.
    pub layer: usize,
    pub id: Name,
    pub at: Vec2,
    pub agent: Agent,
    /// Whether it has a solid body that tiles stop.
    pub is_stopped_by_tiles: bool,
    /// Its motion over ledges, if it walks over ledges.
    pub walker: Option<Arc<Walker>>,
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

/// A level with waypoints.
pub(super) struct Walked {
    pub doc: DocPath,
    /// Its maps are made when first needed, and shared by all rules.
    pub navigator: RefCell<Navigator>,
    pub walks: Vec<Walk>,
    /// The waypoint layers that are followed by something other than an agent, such as a platform, which no wall stops.
    pub carried: BTreeSet<Name>,
}

impl Walked {
    /// The nodes of a layer (by its index) that any agent follows: their indices in the layer.
    pub(super) fn followed(&self, layer: usize) -> BTreeSet<usize> {
        let walks = self.walks.iter().filter(|walk| walk.route.0 == layer);
        walks.flat_map(|walk| walk.nodes.iter().copied()).collect()
    }
}

/// The properties of an entity for routes.
#[derive(Clone, Default)]
struct Follower {
    agent: Option<Agent>,
    is_stopped_by_tiles: bool,
    /// Its motion over ledges, if it walks over ledges and has routes.
    walker: Option<Arc<Walker>>,
    routes: Vec<RouteUse>,
}

/// The levels in scope that have waypoints, whose tilesets are known and that are small enough to check.
pub(super) fn walked<'a>(input: &Input<'a>) -> Vec<Walked> {
    let mut all = Vec::new();
    for (doc, level) in input.levels() {
        let mut known: HashMap<&'a Name, Follower> = HashMap::new();
        let n_nodes: usize = level.all_layers().iter().filter_map(|layer| Some(layer.waypoints()?.nodes.len())).sum();
        let [left, top, right, bottom] = level.bounds_px();
        let [w, h] = level.tile_size.map(|side| f64::from(side.max(1)));
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let n_cells = ((right - left) / w * (bottom - top) / h) as i64;
        if n_nodes == 0 || n_nodes > MOST_NODES || n_cells > MOST_CELLS {
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
        let navigator = Navigator::new(level, Arc::new(grid));
        let (mut walks, mut carried) = (Vec::new(), BTreeSet::new());
        let paths = level.layer_paths();
        let mut n_looked_at = 0;
        let mut agents: Vec<Agent> = Vec::new();
        for (layer, id, instance) in level.entities() {
            let own = (!instance.ops.is_empty()).then(|| paths.get(layer)).flatten();
            let follower = match own {
                Some(at) => {
                    let resolved = input.resolution.instance(doc, at, id, instance).0;
                    follower(input, level, &resolved)
                }
                None => known
                    .entry(&instance.def)
                    .or_insert_with(|| {
                        let def = input.resolution.defs.get(&instance.def);
                        def.map(|def| follower(input, level, def)).unwrap_or_default()
                    })
                    .clone(),
            };
            let routes = follower.routes.into_iter().map(|route| route.in_level(level));
            match follower.agent {
                None => carried.extend(routes.filter(|route| route.is_own).map(|route| route.layer)),
                Some(agent) if n_looked_at < MOST_LOOKED_AT => {
                    if !agents.contains(&agent) {
                        if agents.len() >= MOST_AGENTS {
                            continue;
                        }
                        agents.push(agent.clone());
                    }
                    for route in routes {
                        let built = navigator.waypoints(&route.layer);
                        n_looked_at += built.map_or(1, |built| built.points().len() + built.links().len());
                        let is_stopped = follower.is_stopped_by_tiles;
                        let whose = (&agent, is_stopped, &follower.walker);
                        let found = walk(&navigator, level, (layer, id, instance), whose, &route);
                        walks.extend(found);
                    }
                }
                Some(_) => {}
            }
        }
        all.push(Walked { doc: doc.clone(), navigator: RefCell::new(navigator), walks, carried });
    }
    all
}

fn follower(input: &Input<'_>, level: &Level, resolved: &Resolved) -> Follower {
    let agent = agent_of(input.resolution, resolved);
    let routes = routes_of(input.project, input.resolution, resolved);
    let walks = agent.is_some() && !routes.is_empty();
    let walker = walks.then(|| walker_in(input.project, input.resolution, level, resolved)).flatten();
    let is_stopped_by_tiles = walks && is_stopped_by_tiles(input.resolution, resolved);
    Follower { agent, is_stopped_by_tiles, walker, routes }
}

/// The nodes that an entity follows.
fn walk(
    navigator: &Navigator,
    level: &Level,
    (layer, id, instance): (usize, &Name, &Instance),
    (agent, is_stopped_by_tiles, walker): (&Agent, bool, &Option<Arc<Walker>>),
    route: &RouteUse,
) -> Option<Walk> {
    let (number, on) = level.layer(&route.layer)?;
    let (graph, built) = (on.waypoints()?, navigator.waypoints(&route.layer)?);
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let at = Vec2::new(instance.at[0] as f32, instance.at[1] as f32);
    let (nodes, _) = route_nodes(graph, &route.tag, at, |start| built.together(start))?;
    Some(Walk {
        layer,
        id: id.clone(),
        at,
        agent: agent.clone(),
        is_stopped_by_tiles,
        walker: walker.clone(),
        route: (number, on.name.clone()),
        tag: route.tag.clone(),
        mode: if route.mode.is_empty() { RouteMode::Once } else { RouteMode::parse(&route.mode) },
        nodes,
    })
}
