//! The input of a tick: the actions that each player holds. A recording is a list of inputs.
//!
//! Invariant: worlds know actions by their bits and names; the keys and buttons for them are in `editor::controls`. The
//! built-in actions have the first bits, those of a game the next, in order of their names.

use serde::{Deserialize, Serialize};

use crate::{
    defs::Resolution,
    model::{Name, Value},
};

/// The actions held during a tick, by each of four players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    held: [u32; 4],
}

impl Input {
    /// The built-in actions by name, with their bits.
    pub const KEYS: [(&'static str, u32); 6] = [
        ("Left", Self::LEFT),
        ("Right", Self::RIGHT),
        ("Up", Self::UP),
        ("Down", Self::DOWN),
        ("Jump", Self::JUMP),
        ("Dash", Self::DASH),
    ];
    /// Walk left.
    pub const LEFT: u32 = 1;
    /// Walk right.
    pub const RIGHT: u32 = 2;
    /// Up: seen from above walk up; seen from the side climb, swim up, or else jump.
    pub const UP: u32 = 4;
    /// Down: seen from above walk down; seen from the side climb and swim down, and fall through one-way ground.
    pub const DOWN: u32 = 8;
    /// Jump.
    pub const JUMP: u32 = 16;
    /// Dash.
    pub const DASH: u32 = 32;

    /// No action is held.
    pub const NONE: Self = Self { held: [0; 4] };
    /// The number of players.
    pub const N_PLAYERS: usize = 4;

    /// Whether a player (0 to 3) holds an action.
    #[must_use]
    pub fn holds(&self, player: usize, key: u32) -> bool {
        self.held.get(player).is_some_and(|held| held & key != 0)
    }

    /// Press or release an action of a player (0 to 3); ignored for other players.
    pub fn set(&mut self, player: usize, key: u32, down: bool) {
        if let Some(held) = self.held.get_mut(player) {
            *held = if down { *held | key } else { *held & !key };
        }
    }

    /// The actions that are held in either input.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.held.iter_mut().zip(other.held).for_each(|(held, other)| *held |= other);
        self
    }

    /// The same with an action of player 0 held.
    #[must_use]
    pub fn with(mut self, key: u32) -> Self {
        self.set(0, key, true);
        self
    }
}

/// The page of constants whose lists of texts are actions, each with its keys and buttons.
pub const CONTROLS_PAGE: &str = "Controls";

/// The actions of players in a game: the built-in ones, then its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    own: Vec<Name>,
}

impl Actions {
    /// The greatest number of actions: the number of bits.
    pub const MOST: usize = u32::BITS as usize;

    /// The actions of a project: each constant of the page `Controls` that is a list of texts, by its name. If there
    /// are too many, the first by name.
    #[must_use]
    pub fn of(resolution: &Resolution) -> Self {
        let page = resolution.pages.iter().find(|page| &*page.name == CONTROLS_PAGE);
        let all = page.into_iter().flat_map(|page| &page.values);
        let own = all.filter(|(name, constant, _)| !is_builtin(name) && is_texts(&constant.value));
        let mut own: Vec<Name> = own.map(|(name, ..)| name.clone()).collect();
        own.sort_unstable();
        own.truncate(Self::MOST - Input::KEYS.len());
        Self { own }
    }

    /// Names and bits of the actions, the built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let bits = (Input::KEYS.len()..).map(|at| 1_u32 << at);
        Input::KEYS.into_iter().chain(self.own.iter().map(|name| &**name).zip(bits))
    }

    /// The bit of an action, by its name or the full name of its constant.
    #[must_use]
    pub fn bit(&self, name: &str) -> Option<u32> {
        self.iter().find(|(action, _)| is_called(action, name)).map(|(_, bit)| bit)
    }
}

/// Whether a text names an action: its name, or that of its constant with its page.
#[must_use]
pub(super) fn is_called(action: &str, name: &str) -> bool {
    // As `control_constant` writes it, without building a text: conditions are evaluated each tick.
    let constant = name.strip_prefix(CONTROLS_PAGE).and_then(|rest| rest.strip_prefix('.'));
    let is_its = |constant: &str| {
        let lower = || action.chars().flat_map(char::to_lowercase);
        if is_builtin_action(action) { constant.chars().eq(lower()) } else { constant == action }
    };
    action == name || constant.is_some_and(is_its)
}

fn is_builtin_action(action: &str) -> bool {
    Input::KEYS.iter().any(|(key, _)| *key == action)
}

/// The constant that holds the keys and buttons of an action.
#[must_use]
pub fn control_constant(action: &str) -> String {
    format!("{CONTROLS_PAGE}.{}", if is_builtin_action(action) { action.to_lowercase() } else { action.to_owned() })
}

/// Whether a constant of the page belongs to a built-in action.
fn is_builtin(constant: &str) -> bool {
    Input::KEYS.iter().any(|(key, _)| key.to_lowercase() == constant)
}

fn is_texts(value: &Value) -> bool {
    value.as_list().is_some_and(|all| all.iter().all(|text| text.as_str().is_some()))
}
