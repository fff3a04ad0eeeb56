//! The actions of players as messages: an entity that a player drives gets `Pressed` and `Released` for its player's
//! actions.
//!
//! Invariant: each change of what a player holds is one message to each entity that it drives, in the order of the
//! actions, before anything else in that tick. The effect of built-in actions on walkers is in `movement`.

use std::sync::Arc;

use crate::{
    model::{Fields, Value},
    sim::{EntityKey, behavior::MsgId},
};

use super::{World, entity::Entity};

impl World {
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
