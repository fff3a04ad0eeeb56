//! Who walks where in the levels: the entities with an `Agent` whose machines or fields name a layer of waypoints, and the nodes
//! that they follow.
//!
//! Invariant: what is found follows from the levels in scope, their tilesets and definitions, and the [`routes`] of machines,
//! which are among the surroundings of every level. A level that would take long is left out.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use glam::Vec2;

use super::{
    input::Input,
    machines::{self, MachineAt},
    references::names,
};
use crate::{
    defs::Resolved,
    model::{DocPath, FieldType, Instance, Level, MachinesFile, Name, Project, Schema, Value},
    sim::{
        grid::SolidGrid,
        nav::{Agent, Navigator},
    },
};

/// The most cells of a level that is looked at.
const MOST_CELLS: i64 = 1 << 21;
/// The most waypoints of it, for each is looked at with each.
const MOST_NODES: usize = 1_000;
/// The most pairs of walkers and waypoints.
const MOST_PAIRS: usize = 200_000;

/// A layer of waypoints and the tag of those that are meant; empty for all.
pub(super) type RouteName = (Name, Name);

/// The routes that the actions of each machine name.
pub(super) fn routes(project: &Project, schema: &Schema) -> BTreeMap<Name, Vec<RouteName>> {
    let mut all = BTreeMap::new();
    for (doc, file) in project.all::<MachinesFile>() {
        for (name, machine) in &file.machines {
            let calls = machines::calls(MachineAt { doc, name, machine });
            let named = calls.iter().filter(|site| !site.is_condition).filter_map(|site| {
                let args = &schema.actions.get(&site.call.name)?.args;
                let text = |ty: &FieldType| {
                    let arg = args.iter().find(|(_, spec)| spec.ty == *ty)?.0;
                    site.call.args.get(arg)?.as_str()
                };
                Some((text(&FieldType::Layer)?.into(), text(&FieldType::Tag).unwrap_or_default().into()))
            });
            let routes: BTreeSet<RouteName> = named.collect();
            if !routes.is_empty() {
                all.insert(name.clone(), routes.into_iter().collect());
            }
        }
    }
    all
}

/// An entity that follows waypoints.
pub(super) struct Walk {
    /// The number of its layer.
    pub layer: usize,
    pub id: Name,
    pub at: Vec2,
    pub agent: Agent,
    /// The number and name of the waypoint layer.
    pub route: (usize, Name),
    /// The nodes, by their places in it.
    pub nodes: Vec<usize>,
}

/// A level with waypoints.
pub(super) struct Walked {
    pub doc: DocPath,
    pub navigator: Navigator,
    pub walks: Vec<Walk>,
    /// The layers that something else than an agent goes along, as a platform, which no wall stops.
    pub carried: BTreeSet<Name>,
}

/// What an entity is to routes.
#[derive(Clone, Default)]
struct Follower {
    agent: Option<Agent>,
    routes: Vec<RouteName>,
    /// Layers named by its own fields.
    own: Vec<Name>,
}

/// The levels in scope that have waypoints and are no trouble to look at.
pub(super) fn walked<'a>(input: &Input<'a>) -> Vec<Walked> {
    let routes = routes(input.project, input.schema());
    let mut known: HashMap<&'a Name, Follower> = HashMap::new();
    let mut all = Vec::new();
    for (doc, level) in input.levels() {
        let n_nodes: usize = level.all_layers().iter().filter_map(|layer| Some(layer.waypoints()?.nodes.len())).sum();
        let [left, top, right, bottom] = level.bounds_px();
        let [w, h] = level.tile_size.map(|side| f64::from(side.max(1)));
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let n_cells = ((right - left) / w * (bottom - top) / h) as i64;
        if n_nodes == 0 || n_nodes > MOST_NODES || n_cells > MOST_CELLS {
            continue;
        }
        let grid = SolidGrid::new(level, |name| input.tileset(name));
        let navigator = Navigator::new(level, Arc::new(grid));
        let mut walked = Walked { doc: doc.clone(), navigator, walks: Vec::new(), carried: BTreeSet::new() };
        let paths = level.layer_paths();
        let mut n_pairs = 0;
        for (layer, id, instance) in level.entities() {
            let own = || (!instance.ops.is_empty()).then(|| paths.get(layer)).flatten();
            let follower = match own() {
                Some(at) => {
                    let resolved = input.resolution.instance(doc, at, id, instance).0;
                    follower(&resolved, input.schema(), &routes)
                }
                None => known
                    .entry(&instance.def)
                    .or_insert_with(|| {
                        let def = input.resolution.defs.get(&instance.def);
                        def.map(|def| follower(def, input.schema(), &routes)).unwrap_or_default()
                    })
                    .clone(),
            };
            match follower.agent {
                None => walked.carried.extend(follower.own.iter().map(|layer| layer_of(level, layer).0.into())),
                Some(agent) if n_pairs < MOST_PAIRS => {
                    let own = follower.own.iter().map(|layer| layer_of(level, layer));
                    let named = follower.routes.iter().map(|(layer, tag)| (&**layer, &**tag));
                    for route in named.chain(own).collect::<BTreeSet<_>>() {
                        let walk = walk(&walked.navigator, level, (layer, id, instance), &agent, route);
                        n_pairs += walk.as_ref().map_or(0, |walk| walk.nodes.len());
                        walked.walks.extend(walk);
                    }
                }
                Some(_) => {}
            }
        }
        all.push(walked);
    }
    all
}

/// A layer that a field names, and the tag where it names one: `layer/tag`.
fn layer_of<'n>(level: &Level, named: &'n str) -> (&'n str, &'n str) {
    if level.layer(named).is_some() { (named, "") } else { named.split_once('/').unwrap_or((named, "")) }
}

fn follower(resolved: &Resolved, schema: &Schema, routes: &BTreeMap<Name, Vec<RouteName>>) -> Follower {
    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
    let agent = || {
        let radius = resolved.get("Agent", "radius")?.as_f64()? as f32;
        Some(Agent { kind: resolved.get("Agent", "kind")?.as_str()?.into(), radius })
    };
    let mut found = Follower { agent: agent(), ..Follower::default() };
    for (component, spec) in schema.components.iter().filter(|(component, _)| resolved.has(component)) {
        for (field, spec) in &spec.fields {
            let value: Option<&Value> = resolved.get(component, field);
            let Some(value) = value else { continue };
            names(&spec.ty, value, &mut |ty, name, _| match ty {
                FieldType::Layer => found.own.push(name.into()),
                FieldType::Machine => found.routes.extend(routes.get(name).into_iter().flatten().cloned()),
                _ => {}
            });
        }
    }
    found
}

/// The nodes that an entity follows: those that are linked with the nearest of the route's.
fn walk(
    navigator: &Navigator,
    level: &Level,
    (layer, id, instance): (usize, &Name, &Instance),
    agent: &Agent,
    (name, tag): (&str, &str),
) -> Option<Walk> {
    let (number, route) = level.layer(name)?;
    let (graph, built) = (route.waypoints()?, navigator.waypoints(name)?);
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let at = Vec2::new(instance.at[0] as f32, instance.at[1] as f32);
    let has_tag = |i: &usize| {
        let node = graph.nodes.get_index(*i).map(|(_, node)| node);
        tag.is_empty() || node.is_some_and(|node| node.tags.iter().any(|it| it == tag))
    };
    let nodes: Vec<usize> = (0..built.points().len()).filter(has_tag).collect();
    let far = |i: &usize| built.points()[*i].distance_squared(at);
    let start = nodes.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))?;
    let together = built.together(start);
    let nodes = nodes.into_iter().filter(|i| together[*i]).collect();
    Some(Walk { layer, id: id.clone(), at, agent: agent.clone(), route: (number, route.name.clone()), nodes })
}
