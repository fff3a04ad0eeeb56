//! Sounds of entities: the messages that play them, written to the trace as events.
//!
//! Invariant: a world runs the same whether its sounds are heard or not: they are only events, and use no entity's
//! random numbers. Playing them is up to the window.

use super::{TraceKind, World};
use crate::{
    model::{Name, mix},
    sim::{EntityKey, behavior::MsgId, random::Stream},
};

/// The greatest volume, as a factor on the file's amplitude.
const MAX_VOLUME: f64 = 10.0;
/// The slowest and fastest playing speed, as factors.
const PITCH: [f64; 2] = [0.05, 20.0];

impl World {
    /// Play the sounds of an entity for a message.
    pub(super) fn play_sounds_on(&mut self, key: EntityKey, message: MsgId) {
        let Some(entity) = self.entities.get(key).filter(|entity| !entity.components.sounds.is_empty()) else { return };
        let message = self.symbols.name(message);
        let (id, sounds) = (entity.id.clone(), entity.components.sounds.clone());
        if !self.charge(sounds.len() as u64, "play sounds") {
            return;
        }
        for it in sounds.iter().filter(|it| !message.is_empty() && it.on == message) {
            let mut stream = Stream::new(self.seed ^ mix(self.tick), &format!("Sounds/{}/{id}", it.name));
            let pitch = it.pitch * (1.0 + stream.range(-it.jitter, it.jitter));
            self.play_sound(key, None, &it.sound, it.volume, pitch);
        }
    }

    /// Play a sound at an entity's place; does nothing without a sound, or if it would be inaudible.
    pub(super) fn play_sound(&mut self, key: EntityKey, machine: Option<&Name>, sound: &Name, volume: f64, pitch: f64) {
        let Some(pos) = self.pos(key).filter(|_| !sound.is_empty()) else { return };
        let volume = (volume * self.constants.sound_volume).clamp(0.0, MAX_VOLUME);
        if volume > 0.0 {
            let pitch = pitch.clamp(PITCH[0], PITCH[1]);
            let (x, y) = (f64::from(pos.x), f64::from(pos.y));
            self.emit(key, machine.cloned(), TraceKind::Sound { sound: sound.clone(), volume, pitch, x, y });
        }
    }
}
