//! What comes from outside in a tick: the keys each player holds. A recording is a list of these.

use serde::{Deserialize, Serialize};

/// Keys held during a tick, for each of four players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    held: [u8; 4],
}

impl Input {
    /// The keys by name, with their bits.
    pub const KEYS: [(&'static str, u8); 6] = [
        ("Left", Self::LEFT),
        ("Right", Self::RIGHT),
        ("Up", Self::UP),
        ("Down", Self::DOWN),
        ("Jump", Self::JUMP),
        ("Dash", Self::DASH),
    ];
    /// Walk left.
    pub const LEFT: u8 = 1;
    /// Walk right.
    pub const RIGHT: u8 = 2;
    /// Walk up, from above; climb, swim up or else jump, from the side.
    pub const UP: u8 = 4;
    /// Walk down, from above; climb and swim down, fall through one-way platforms, from the side.
    pub const DOWN: u8 = 8;
    /// Jump.
    pub const JUMP: u8 = 16;
    /// Dash.
    pub const DASH: u8 = 32;

    /// No button is held.
    pub const NONE: Self = Self { held: [0; 4] };

    /// The bit of a key's name, as scenarios write it.
    #[must_use]
    pub fn key(name: &str) -> Option<u8> {
        Self::KEYS.iter().find(|(key, _)| *key == name).map(|(_, bit)| *bit)
    }

    /// Whether a player (0 to 3) holds a key.
    #[must_use]
    pub fn holds(&self, player: usize, key: u8) -> bool {
        self.held.get(player).is_some_and(|held| held & key != 0)
    }

    /// Press or let go a key of a player (0 to 3); other players do not exist.
    pub fn set(&mut self, player: usize, key: u8, down: bool) {
        if let Some(held) = self.held.get_mut(player) {
            *held = if down { *held | key } else { *held & !key };
        }
    }

    /// What is held in either.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.held.iter_mut().zip(other.held).for_each(|(held, other)| *held |= other);
        self
    }

    /// The same with a key of player 0 held.
    #[must_use]
    pub fn with(mut self, key: u8) -> Self {
        self.set(0, key, true);
        self
    }
}
