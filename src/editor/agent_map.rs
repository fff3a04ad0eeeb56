//! Maps of the running level for the size and the feet of an agent: how wide it is where, and which ledges it gets to.
//!
//! Invariant: what is shown was made of one state of the running world's floor, by a job that its owner runs in a
//! thread, one at a time; until another is made the last one stays.

use std::sync::Arc;

use glam::Vec2;

use super::{Overlay, Preview, ViewState};
use crate::{
    model::{DocPath, Name},
    sim::nav::{Agent, CellField, LedgeMap, Navigator, Walker},
};

/// Maps of a level for an agent.
#[derive(Clone, Debug)]
pub struct AgentMap {
    /// For whom.
    pub agent: Agent,
    /// How wide an agent fits where; nothing where that was not asked for, or the level is too large.
    pub clearance: Option<Arc<CellField>>,
    /// The ledges of the level; nothing where that was not asked for, or for what does not walk and jump.
    pub ledges: Option<Arc<LedgeMap>>,
}

/// What is asked for: two that are equal have one answer.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    level: DocPath,
    /// Of the running world's floor.
    revision: u64,
    who: Name,
    agent: Agent,
    clearance: bool,
    walker: Option<(Arc<Walker>, [i32; 2])>,
}

/// The making of a map.
pub struct AgentMapJob {
    asked: Asked,
    from: Vec2,
    navigator: Navigator,
}

/// A map that was made.
pub struct AgentMapDone {
    asked: Asked,
    map: AgentMap,
}

/// The map that is shown, and the one that is being made.
#[derive(Default)]
pub struct AgentMaps {
    done: Option<(Asked, AgentMap)>,
    running: Option<Asked>,
}

impl AgentMaps {
    /// The map of a level that was made last.
    #[must_use]
    pub fn map(&self, level: &DocPath) -> Option<&AgentMap> {
        self.done.as_ref().filter(|(asked, _)| asked.level == *level).map(|(_, map)| map)
    }

    /// The making of what is asked for, if something else was made last and nothing is being made: for the first
    /// selected entity that finds paths, else for the first of all.
    pub fn start(&mut self, preview: Option<&Preview>, view: &ViewState, selected: &[Name]) -> Option<AgentMapJob> {
        let wants = [Overlay::Clearance, Overlay::Jumps].map(|overlay| view.insight.on.has(overlay));
        let Some(preview) = preview.filter(|_| wants.contains(&true)) else {
            if self.running.is_none() {
                self.done = None;
            }
            return None;
        };
        if self.running.is_some() {
            return None;
        }
        let world = preview.session.world();
        let mut keys = selected.iter().filter_map(|id| world.by_id(id)).chain(world.places().map(|(key, _)| key));
        let (key, (agent, walker)) = keys.find_map(|key| Some((key, world.agent_of(key)?)))?;
        let entity = world.entity(key)?;
        // From where it stands, to a cell: a step aside makes no other map.
        let cell = world.grid().cell_at(entity.pos);
        let (level, revision, who) = (preview.level.clone(), world.navigator().revision(), entity.id.clone());
        let walker = walker.filter(|_| wants[1]).map(|walker| (walker, cell));
        let asked = Asked { level, revision, who, agent, clearance: wants[0], walker };
        let is_same = |done: &Asked| *done == asked || is_as_before(done, &asked);
        if self.done.as_ref().is_some_and(|(done, _)| is_same(done)) {
            return None;
        }
        self.running = Some(asked.clone());
        Some(AgentMapJob { asked, from: entity.pos, navigator: world.navigator().clone() })
    }

    /// Take over what was made.
    pub fn take(&mut self, done: AgentMapDone) {
        if self.running.take_if(|asked| *asked == done.asked).is_some() {
            self.done = Some((done.asked, done.map));
        }
    }

    /// It came to no end. It is not tried again before something else is asked for.
    pub fn failed(&mut self) {
        if let Some(asked) = self.running.take() {
            let map = AgentMap { agent: asked.agent.clone(), clearance: None, ledges: None };
            self.done = Some((asked, map));
        }
    }
}

/// Whether one differs from another only by where the same walker is by now: what it gets to from a ledge is mostly
/// what it gets to from the next, and a map made for each step would never be done.
fn is_as_before(done: &Asked, asked: &Asked) -> bool {
    let place = |asked: &Asked| Asked { walker: None, ..asked.clone() };
    let near = |a: [i32; 2], b: [i32; 2]| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])) <= 12;
    match (&done.walker, &asked.walker) {
        (Some((a, at)), Some((b, now))) => a == b && near(*at, *now) && place(done) == place(asked),
        _ => false,
    }
}

impl AgentMapJob {
    /// Make it.
    #[must_use]
    pub fn run(self) -> AgentMapDone {
        let Self { asked, from, mut navigator } = self;
        let clearance = asked.clearance.then(|| {
            let map = navigator.map(&Agent::point(&asked.agent.kind))?;
            CellField::clearance(navigator.floor(), &map).map(Arc::new)
        });
        let ledges = asked.walker.as_ref().map(|(walker, _)| Arc::new(navigator.ledge_map(walker, from)));
        let map = AgentMap { agent: asked.agent.clone(), clearance: clearance.flatten(), ledges };
        AgentMapDone { asked, map }
    }
}
