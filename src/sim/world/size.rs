//! How much memory a world takes that it shares with no other: what keeping it costs.
//!
//! An estimate by counting, since asking the allocator is not possible: `tests/core/recording.rs` compares it with what
//! copies of the sample game's levels really take.

use std::mem::size_of;

use super::{World, entity::Entity};

/// For each entity: its own struct, the slot of its body, rapier's rigid body and collider with their places in the
/// broad phase and islands.
const ENTITY_BYTES: usize = size_of::<Entity>() + 512;
const BODY_BYTES: usize = 3_000;
/// Of a message waiting.
const MAIL_BYTES: usize = 160;
/// Of an event in an entity's log.
const EVENT_BYTES: usize = size_of::<usize>();

impl World {
    /// Give back what running searches need only while they run.
    pub(in crate::sim) fn rest_searches(&mut self) {
        self.navigator.rest_searches();
    }

    /// About how much memory a copy of the world takes beside another, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let logged: usize = self.entities.values().map(|entity| entity.log.len()).sum();
        let physics = self.physics.n_bodies() * BODY_BYTES;
        size_of::<Self>()
            + self.entities.capacity() * ENTITY_BYTES
            + logged * EVENT_BYTES
            + self.mail.len() * MAIL_BYTES
            + physics
            + self.navigator.bytes()
    }
}
