//! Memory of a world that it shares with no other: the cost of keeping it.
//!
//! An estimate by counting, since the allocator cannot be queried: `tests/core/recording.rs` compares it with the
//! actual memory of copies of the sample game's levels.

use std::mem::size_of;

use super::{World, entity::Entity};

/// Bytes per entity: its own struct and, roughly, what it owns.
const ENTITY_BYTES: usize = size_of::<Entity>() + 256;
/// Bytes per body: rapier's rigid body and colliders, with their contacts and their entries in the broad phase
/// and islands.
const BODY_BYTES: usize = 2_000;
/// Bytes per waiting message.
const MAIL_BYTES: usize = 160;
/// Bytes per event in an entity's log.
const EVENT_BYTES: usize = size_of::<usize>();

impl World {
    /// Release the memory that searches need only while they run.
    pub(in crate::sim) fn rest_searches(&mut self) {
        self.navigator.rest_searches();
    }

    /// Approximate memory of a copy of the world beside another one, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let logged: usize = self.entities.values().map(|entity| entity.log.len()).sum();
        let physics = self.physics.n_bodies() * BODY_BYTES;
        size_of::<Self>()
            + self.entities.len() * ENTITY_BYTES
            + logged * EVENT_BYTES
            + self.mail.len() * MAIL_BYTES
            + physics
            + self.navigator.bytes()
    }
}
