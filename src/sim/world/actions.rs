//! The actions of players as messages: an entity that a player drives gets `Pressed` and `Released` for its player's
//! actions.
//!
//! Invariant: each change of what a player holds is one message to each entity that it drives, in the order of the
//! actions, before anything else in that tick. The effect of built-in actions on walkers is in `movement`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Fields, Value},
    sim::{EntityKey, Input, behavior::MsgId},
};

use super::{World, entity::Entity};

/// The source of an entity's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    /// Its order.
    Order,
    /// The keys of a player.
    Keys(usize),
    /// None: its player drives another entity.
    Nobody,
}

impl World {
    /// The source of an entity's motion in this tick: its order, unless its player holds a key that moves it.
    pub(super) fn driver(&self, key: EntityKey, entity: &Entity) -> Driver {
        let Some(player) = self.player_of(key) else {
            return if entity.components.player.is_some() { Driver::Nobody } else { Driver::Order };
        };
        let (movement, holds) = (&entity.movement, |key: u32| self.input.holds(player, key));
        let is_idle = self.direction_of(player) == Vec2::ZERO && !holds(Input::JUMP) && !holds(Input::DASH);
        let is_ordered = is_idle && !movement.is_idle() && self.tick >= movement.jump_until;
        if is_ordered { Driver::Order } else { Driver::Keys(player) }
    }

    /// Where the keys of a player point: −1, 0 or 1 to the right and down.
    pub(super) fn direction_of(&self, player: usize) -> Vec2 {
        let axis = |minus: u32, plus: u32| {
            f32::from(u8::from(self.input.holds(player, plus))) - f32::from(u8::from(self.input.holds(player, minus)))
        };
        Vec2::new(axis(Input::LEFT, Input::RIGHT), axis(Input::UP, Input::DOWN))
    }

    /// The player (0 to 3) whose keys drive an entity.
    pub(super) fn player_of(&self, key: EntityKey) -> Option<usize> {
        let possessed = self.possessed.filter(|key| self.entities.contains_key(*key));
        if possessed == Some(key) {
            return Some(0);
        }
        // A possessed entity has the keys of the first player.
        self.entities.get(key)?.components.player.filter(|player| possessed.is_none() || *player != 0)
    }

    /// Whether the player that drives an entity holds an action.
    pub(super) fn holds(&self, key: EntityKey, action: &str) -> bool {
        let bit = self.rules.actions.bit(action);
        self.player_of(key).zip(bit).is_some_and(|(player, bit)| self.input.holds(player, bit))
    }

    /// Send driven entities the actions that their players pressed and released since the last tick.
    pub(super) fn report_actions(&mut self) {
        if self.input == self.before {
            return;
        }
        let rules = self.rules.clone();
        let keys: Vec<EntityKey> = self.entities.keys().collect();
        for key in keys {
            let Some(player) = self.player_of(key) else { continue };
            for (action, bit) in rules.actions.iter() {
                let message = match (self.before.holds(player, bit), self.input.holds(player, bit)) {
                    (false, true) => rules.pressed,
                    (true, false) => rules.released,
                    _ => continue,
                };
                if self.entities.get(key).is_some_and(|entity| self.is_heard(entity, message)) {
                    let payload: Fields = [("action".into(), Value::str(action))].into();
                    self.send_from_world(key, message, None, Arc::new(payload));
                }
            }
        }
    }

    /// Whether an entity responds to a message: others get no message for each key, so that logs stay readable.
    fn is_heard(&self, entity: &Entity, message: MsgId) -> bool {
        let mut running = entity.machines.iter().chain(&entity.queue).flatten();
        let name = self.symbols.name(message);
        running.any(|running| running.program.knows(message))
            || !entity.watchers.is_empty()
            || entity.components.tracks.iter().any(|track| track.is_steered_by(&name))
            || entity.components.sounds.iter().any(|sound| sound.on == name)
    }
}
