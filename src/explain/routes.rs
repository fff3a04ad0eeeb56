//! Where a definition or placed entity goes: the routes along waypoints that the actions of its machines or its own
//! fields name, and the goals of its machines. And which targets machines remove or change, and whether they change how
//! their own entity moves.
//!
//! Invariant: what names a route or goal follows from the schema's types (`Layer`, `Tag`, `Target`,
//! `Enum("RouteMode")`), not from the names of actions or components. Only what removes, pushes or changes motion is known
//! by name. Which nodes a route has in a level is `sim::nav`'s.

use std::collections::BTreeSet;

use crate::{
    defs::{Resolution, Resolved},
    model::{Call, FieldSpec, FieldType, Level, MachinesFile, Name, Project, State, Value},
};
use indexmap::IndexMap;

/// The enum of what comes after the last waypoint.
const MODE: &str = "RouteMode";
/// The component of tracks, what drives an entity's place there, and the beginnings of the names of fields of motion.
const TRACKS: &str = "Tracks";
const POSITION: &str = "Position";
const MOTION: [&str; 3] = ["Walker.", "Flyer.", "Body."];
/// The only built-in action that removes or changes its target.
const REMOVES: &str = "Despawn";
/// The only built-in action that pushes its target, and the argument of that; the entity itself if left out.
const PUSHES: (&str, &str) = ("Impulse", "target");

/// A route along waypoints.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteUse {
    /// The layer.
    pub layer: Name,
    /// Only waypoints with this tag; empty for all.
    pub tag: Name,
    /// What comes after the last one, as `Loop`; empty where nothing says.
    pub mode: Name,
    /// Whether a field of its own names it, not a machine.
    pub is_own: bool,
}

impl RouteUse {
    /// The same in a level: a name that no layer has may be `layer/tag`.
    #[must_use]
    pub fn in_level(self, level: &Level) -> Self {
        match self.layer.split_once('/').filter(|_| level.layer(&self.layer).is_none()) {
            Some((layer, tag)) => Self { layer: layer.into(), tag: tag.into(), ..self },
            None => self,
        }
    }
}

/// The goals of an action: its entity goes to one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalUse {
    /// Targets, as written in data.
    pub targets: Vec<Name>,
    /// Places, in pixels.
    pub places: Vec<[f64; 2]>,
    /// The waypoint layer whose links it keeps to; empty for any way.
    pub layer: Name,
}

/// Where something goes, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Destinations {
    /// Routes along waypoints, sorted.
    pub routes: BTreeSet<RouteUse>,
    /// Goals, in the order in which they are found.
    pub goals: Vec<GoalUse>,
    /// Whether an action or a track of its own changes how it moves: a field of `Walker`, `Flyer` or `Body`, or its place.
    pub changes_motion: bool,
}

impl Destinations {
    /// Whether it goes nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.goals.is_empty()
    }
}

/// Where the actions of a machine, and those of the machines that it starts, let an entity go.
#[must_use]
pub fn destinations_of_machine(project: &Project, resolution: &Resolution, name: &str) -> Destinations {
    let mut found = Destinations::default();
    add_destinations_of_machine((project, resolution), name, &mut BTreeSet::new(), &mut found);
    found
}

fn add_destinations_of_machine(
    of: (&Project, &Resolution),
    name: &str,
    seen: &mut BTreeSet<Name>,
    found: &mut Destinations,
) {
    let (project, resolution) = of;
    let home = resolution.machines.get(name);
    let Some(machine) = home.and_then(|home| project.machine(home, name)).filter(|_| seen.insert(name.into())) else {
        return;
    };
    let mut started = Vec::new();
    each_action(&machine.root, &mut |call| {
        let Some(spec) = resolution.schema.actions.get(&call.name) else { return };
        found.routes.extend(route_of(&spec.args, |arg| call.args.get(arg), false));
        let goal = goal_of(&spec.args, |arg| call.args.get(arg)).filter(|goal| !found.goals.contains(goal));
        found.goals.extend(goal);
        let is_itself = |target: &Value| target.as_str() == Some("self");
        let pushes_itself = *call.name == *PUSHES.0 && call.args.get(PUSHES.1).is_none_or(is_itself);
        found.changes_motion |= pushes_itself || call.args.values().any(names_motion);
        for (arg, spec) in &spec.args {
            each_machine(&spec.ty, call.args.get(arg), &mut |name| started.push(name.to_owned()));
        }
    });
    started.iter().for_each(|name| add_destinations_of_machine(of, name, seen, found));
}

/// The targets, as written in data, that actions of any machine may remove or change: those of `Despawn`, and of actions
/// of the game's own, whose effect is not known.
#[must_use]
pub fn acted_on(project: &Project, resolution: &Resolution) -> BTreeSet<Name> {
    let builtin = &resolution.builtin().schema.actions;
    let mut found = BTreeSet::new();
    for machine in project.all::<MachinesFile>().flat_map(|(_, file)| file.machines.values()) {
        each_action(&machine.root, &mut |call| {
            let Some(spec) = resolution.schema.actions.get(&call.name) else { return };
            if builtin.contains_key(&call.name) && *call.name != *REMOVES {
                return;
            }
            let targets = spec.args.iter().filter(|(_, spec)| spec.ty == FieldType::Target);
            let named = targets.filter_map(|(arg, spec)| call.args.get(arg).or(spec.default.as_ref())?.as_str());
            found.extend(named.map(Name::from));
        });
    }
    found
}

/// Where an entity with these values goes.
#[must_use]
pub fn destinations_of(project: &Project, resolution: &Resolution, resolved: &Resolved) -> Destinations {
    let (mut found, mut seen) = (Destinations::default(), BTreeSet::new());
    for (component, spec) in resolution.schema.components.iter().filter(|(component, _)| resolved.has(component)) {
        found.routes.extend(route_of(&spec.fields, |field| resolved.get(component, field), true));
        let is_track = **component == *TRACKS;
        for (field, spec) in &spec.fields {
            found.changes_motion |= is_track && resolved.get(component, field).is_some_and(names_motion);
            each_machine(&spec.ty, resolved.get(component, field), &mut |name| {
                add_destinations_of_machine((project, resolution), name, &mut seen, &mut found);
            });
        }
    }
    found
}

/// The route that arguments or fields name. A layer beside a target is the way there, and no route.
fn route_of<'v>(
    specs: &IndexMap<Name, FieldSpec>,
    value: impl Fn(&str) -> Option<&'v Value>,
    is_own: bool,
) -> Option<RouteUse> {
    let text = |is_it: &dyn Fn(&FieldType) -> bool| -> Option<Name> {
        let (name, spec) = specs.iter().find(|(_, spec)| is_it(&spec.ty))?;
        let text = value(name).or(spec.default.as_ref())?.as_str()?;
        (!text.is_empty()).then(|| text.into())
    };
    if has_goals(specs) {
        return None;
    }
    let layer = text(&|ty| *ty == FieldType::Layer)?;
    let tag = text(&|ty| *ty == FieldType::Tag).unwrap_or_else(|| "".into());
    let mode = text(&is_mode).unwrap_or_else(|| "".into());
    Some(RouteUse { layer, tag, mode, is_own })
}

fn is_mode(ty: &FieldType) -> bool {
    matches!(ty, FieldType::Enum(name) if **name == *MODE)
}

/// Whether arguments name goals: a target, without what comes after it.
fn has_goals(specs: &IndexMap<Name, FieldSpec>) -> bool {
    let has = |is_it: &dyn Fn(&FieldType) -> bool| specs.values().any(|spec| is_it(&spec.ty));
    has(&|ty| *ty == FieldType::Target) && !has(&is_mode)
}

/// The goals that arguments name beside the layer of the way there. A target without a layer is no goal: it is called
/// to, or looked at.
fn goal_of<'v>(specs: &IndexMap<Name, FieldSpec>, value: impl Fn(&str) -> Option<&'v Value>) -> Option<GoalUse> {
    let layer = specs.iter().find(|(_, spec)| spec.ty == FieldType::Layer).filter(|_| has_goals(specs));
    let text = |(name, spec): (&Name, &FieldSpec)| -> Option<Name> {
        Some(value(name).or(spec.default.as_ref())?.as_str()?.into())
    };
    let mut goal =
        GoalUse { targets: Vec::new(), places: Vec::new(), layer: text(layer?).unwrap_or_else(|| "".into()) };
    for (name, spec) in specs {
        let given = value(name);
        match &spec.ty {
            FieldType::Target => goal.targets.extend(text((name, spec)).filter(|target| !target.is_empty())),
            FieldType::Vec2 => goal.places.extend(given.and_then(Value::as_vec2)),
            FieldType::Option(of) if **of == FieldType::Vec2 => {
                goal.places.extend(given.and_then(Value::as_option).and_then(Value::as_vec2));
            }
            FieldType::List(of) if **of == FieldType::Vec2 => {
                goal.places.extend(given.and_then(Value::as_list).into_iter().flatten().filter_map(Value::as_vec2));
            }
            _ => {}
        }
    }
    Some(goal)
}

fn each_machine(ty: &FieldType, value: Option<&Value>, meet: &mut dyn FnMut(&str)) {
    match (ty, value) {
        (FieldType::Machine, Some(value)) => value.as_str().into_iter().for_each(meet),
        (FieldType::List(of), Some(value)) => {
            value.as_list().into_iter().flatten().for_each(|value| each_machine(of, Some(value), meet));
        }
        (FieldType::Option(of), Some(value)) => each_machine(of, value.as_option(), meet),
        _ => {}
    }
}

/// Whether a value names a field of a component of motion, or the position that a track drives.
fn names_motion(value: &Value) -> bool {
    let is_field = |text: &str| MOTION.iter().any(|component| text.starts_with(component));
    match value {
        Value::Str(text) => is_field(text),
        Value::Symbol(name) => **name == *POSITION,
        Value::List(values) | Value::Tuple(values) => values.iter().any(names_motion),
        Value::Struct(fields) => fields.values().any(names_motion),
        Value::Map(entries) => entries.iter().any(|(_, value)| names_motion(value)),
        Value::Tagged(_, value) => names_motion(value),
        _ => false,
    }
}

fn each_action(state: &State, meet: &mut dyn FnMut(&Call)) {
    let lists = [&state.enter, &state.exit, &state.update];
    let answers = state.on.values().chain(state.transitions.iter().map(|it| &it.actions));
    lists.into_iter().chain(answers).flatten().for_each(&mut *meet);
    state.states.values().for_each(|inner| each_action(inner, meet));
}
