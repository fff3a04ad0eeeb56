//! The routes along waypoints that a definition or placed entity names: by the actions of its machines, or in its own
//! fields.
//!
//! Invariant: what names a route follows from the schema's types (`Layer`, `Tag`, `Enum("RouteMode")`), not from the
//! names of actions or components. Which nodes it has in a level is `sim::nav`'s.

use std::collections::BTreeSet;

use crate::{
    defs::{Resolution, Resolved},
    model::{Call, FieldSpec, FieldType, Level, Name, Project, State, Value},
};
use indexmap::IndexMap;

/// The enum of what comes after the last waypoint.
const MODE: &str = "RouteMode";

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

/// The routes that the actions of a machine name, and those of the machines that it starts, each once.
#[must_use]
pub fn routes_of_machine(project: &Project, resolution: &Resolution, name: &str) -> Vec<RouteUse> {
    let mut found = BTreeSet::new();
    add_routes_of_machine((project, resolution), name, &mut BTreeSet::new(), &mut found);
    found.into_iter().collect()
}

fn add_routes_of_machine(
    of: (&Project, &Resolution),
    name: &str,
    seen: &mut BTreeSet<Name>,
    found: &mut BTreeSet<RouteUse>,
) {
    let (project, resolution) = of;
    let home = resolution.machines.get(name);
    let Some(machine) = home.and_then(|home| project.machine(home, name)).filter(|_| seen.insert(name.into())) else {
        return;
    };
    let mut started = Vec::new();
    each_action(&machine.root, &mut |call| {
        let Some(spec) = resolution.schema.actions.get(&call.name) else { return };
        found.extend(route_of(&spec.args, |arg| call.args.get(arg), false));
        for (arg, spec) in &spec.args {
            each_machine(&spec.ty, call.args.get(arg), &mut |name| started.push(name.to_owned()));
        }
    });
    started.iter().for_each(|name| add_routes_of_machine(of, name, seen, found));
}

/// The routes that an entity with these values names, each once.
#[must_use]
pub fn routes_of(project: &Project, resolution: &Resolution, resolved: &Resolved) -> Vec<RouteUse> {
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for (component, spec) in resolution.schema.components.iter().filter(|(component, _)| resolved.has(component)) {
        found.extend(route_of(&spec.fields, |field| resolved.get(component, field), true));
        for (field, spec) in &spec.fields {
            each_machine(&spec.ty, resolved.get(component, field), &mut |name| {
                add_routes_of_machine((project, resolution), name, &mut seen, &mut found);
            });
        }
    }
    found.into_iter().collect()
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
    let is_mode = |ty: &FieldType| matches!(ty, FieldType::Enum(name) if **name == *MODE);
    let has = |is_it: &dyn Fn(&FieldType) -> bool| specs.values().any(|spec| is_it(&spec.ty));
    if has(&|ty| *ty == FieldType::Target) && !has(&is_mode) {
        return None;
    }
    let layer = text(&|ty| *ty == FieldType::Layer)?;
    let tag = text(&|ty| *ty == FieldType::Tag).unwrap_or_else(|| "".into());
    let mode = text(&is_mode).unwrap_or_else(|| "".into());
    Some(RouteUse { layer, tag, mode, is_own })
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

fn each_action(state: &State, meet: &mut dyn FnMut(&Call)) {
    let lists = [&state.enter, &state.exit, &state.update];
    let answers = state.on.values().chain(state.transitions.iter().map(|it| &it.actions));
    lists.into_iter().chain(answers).flatten().for_each(&mut *meet);
    state.states.values().for_each(|inner| each_action(inner, meet));
}
