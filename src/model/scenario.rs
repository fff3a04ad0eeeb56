//! Scripted runs of the preview and what is expected of them.

use serde::{Deserialize, Serialize};

use super::{Fields, Name, Value};

/// A scenario as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The level it runs in.
    pub level: Name,
    /// How long, in seconds.
    pub secs: f64,
    /// Where the random streams begin; the tuning page's when left out.
    pub seed: Option<i64>,
    /// What happens from outside.
    pub script: Vec<Cue>,
    /// What must come true.
    pub expect: Vec<Expectation>,
}

/// Something that happens from outside at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cue {
    /// Seconds from the start.
    pub at: f64,
    /// What happens.
    pub what: CueKind,
}

/// What a cue does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CueKind {
    /// A message to an entity (or `tag:…`, `def:…`).
    Send {
        /// The receiver.
        to: String,
        /// The message. Written `send`.
        message: Name,
        /// What travels with it.
        payload: Fields,
    },
    /// A key of the player goes down: `Left`, `Right`, `Up`, `Down`, `Jump`.
    Press(String),
    /// A key of the player goes up.
    Release(String),
    /// A constant gets another value. Written `tune: "Page.name", value: …`.
    Tune {
        /// `Page.name`
        name: String,
        /// Its value from now on.
        value: Value,
    },
}

/// Something that must come true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// When.
    pub when: When,
    /// Of whom: an entity's id.
    pub entity: String,
    /// What.
    pub what: Expected,
}

/// When an expectation is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum When {
    /// At this time exactly.
    At(f64),
    /// At some time up to this.
    By(f64),
}

/// What is expected of an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expected {
    /// One of its machines is in this state (or inside it).
    State {
        /// Path or unique name.
        state: String,
        /// Which machine; any when left out.
        machine: Option<Name>,
    },
    /// Its origin is within this distance of a place, in pixels.
    Near {
        /// In pixels.
        at: [f64; 2],
        /// In pixels.
        within: f64,
    },
    /// It is there, or is gone.
    Exists(bool),
    /// It said this.
    Said(String),
}
