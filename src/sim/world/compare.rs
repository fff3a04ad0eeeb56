//! Differences between two worlds of one level at the same moment: the effect of a change.
//!
//! Invariant: entities are compared by id, so the worlds may have different histories. Each entity is listed once, with
//! its most important difference.

use crate::{
    model::Name,
    sim::{EntityKey, World, motion::angle_between},
};

use super::entity::Entity;

/// Positions nearer to each other are equal, in pixels.
const SAME_PX: f32 = 0.25;
/// Angles nearer to each other are equal, in radians.
const SAME_RAD: f64 = 0.01;

/// An entity that differs between two worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityDifference {
    /// Its id.
    pub id: Name,
    /// Its definition.
    pub def: Name,
    /// Its key in the first world, if it is there.
    pub key: Option<EntityKey>,
    /// The difference.
    pub kind: DifferenceKind,
}

/// A difference of an entity, in descending order of importance.
#[derive(Clone, Debug, PartialEq)]
pub enum DifferenceKind {
    /// It is only in the first world.
    Added,
    /// It is only in the second world.
    Missing,
    /// A machine is in another state: its name, its state in the first world and in the second.
    State(Name, Name, Name),
    /// Its hit points differ: in the first world and in the second.
    Life(f64, f64),
    /// Its position differs: offset in pixels from its position in the second world.
    Moved(glam::Vec2),
    /// Its angle differs: difference in radians from its angle in the second world.
    Turned(f64),
}

impl DifferenceKind {
    fn rank(&self) -> u8 {
        match self {
            Self::Added => 0,
            Self::Missing => 1,
            Self::State(..) => 2,
            Self::Life(..) => 3,
            Self::Moved(_) => 4,
            Self::Turned(_) => 5,
        }
    }
}

impl World {
    /// The differences of this world from another: the most important first, then by distance moved, then by id.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<EntityDifference> {
        let mut found = Vec::new();
        for (id, key) in &*self.ids {
            let Some(entity) = self.entities.get(*key).filter(|entity| !entity.is_deleted) else { continue };
            let counterpart = other.by_id(id).and_then(|key| other.entities.get(key));
            let kind = match counterpart.filter(|counterpart| !counterpart.is_deleted) {
                None => Some(DifferenceKind::Added),
                Some(counterpart) => difference(entity, counterpart),
            };
            let key = Some(*key);
            found.extend(kind.map(|kind| EntityDifference { id: id.clone(), def: entity.def.clone(), key, kind }));
        }
        for (id, key) in &*other.ids {
            let Some(entity) = other.entities.get(*key).filter(|entity| !entity.is_deleted) else { continue };
            let counterpart = self.by_id(id).and_then(|key| self.entities.get(key));
            if counterpart.is_none_or(|counterpart| counterpart.is_deleted) {
                let kind = DifferenceKind::Missing;
                found.push(EntityDifference { id: id.clone(), def: entity.def.clone(), key: None, kind });
            }
        }
        let distance = |it: &EntityDifference| match it.kind {
            DifferenceKind::Moved(by) => by.length(),
            _ => 0.0,
        };
        found.sort_by(|a, b| {
            let by_rank = a.kind.rank().cmp(&b.kind.rank());
            by_rank.then(distance(b).total_cmp(&distance(a))).then(a.id.cmp(&b.id))
        });
        found
    }
}

fn difference(a: &Entity, b: &Entity) -> Option<DifferenceKind> {
    let states = |entity: &Entity| {
        let machines = entity.machines.iter().chain(entity.queue.front()).flatten();
        let states = machines.map(|it| (it.program.name.clone(), it.program.path(it.cursor.current()).clone()));
        states.collect::<Vec<_>>()
    };
    let (here, there) = (states(a), states(b));
    for (machine, state) in &here {
        let other = there.iter().find(|(name, _)| name == machine).map(|(_, state)| state);
        if let Some(other) = other.filter(|other| *other != state) {
            return Some(DifferenceKind::State(machine.clone(), state.clone(), other.clone()));
        }
    }
    let life = a.life.map(|life| life.now).zip(b.life.map(|life| life.now)).filter(|(a, b)| a != b);
    if let Some((here, there)) = life {
        return Some(DifferenceKind::Life(here, there));
    }
    let by = a.pose.pos - b.pose.pos;
    if by.length() > SAME_PX {
        return Some(DifferenceKind::Moved(by));
    }
    let turn = angle_between(b.pose.angle.into(), a.pose.angle.into());
    (turn.abs() > SAME_RAD).then_some(DifferenceKind::Turned(turn))
}
