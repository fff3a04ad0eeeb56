//! What happened in the world, one event at a time, in the shape `simulate --trace` writes as JSON lines. Keys and
//! their order are a contract: other programs read them. Showing and storing events is elsewhere.

use serde::Serialize;

use crate::model::Name;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceEvent {
    /// Seconds since the start.
    pub t: f64,
    /// Ticks since the start.
    pub tick: u64,
    /// Id of the entity it happened to.
    pub entity: Name,
    /// The machine concerned, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Name>,
    /// What happened.
    #[serde(flatten)]
    pub kind: TraceKind,
}

/// The kinds of event. Written with the variant's name in lowercase as `event`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum TraceKind {
    /// A state was entered; the root's path is empty.
    Enter {
        /// Path from the root.
        state: Name,
    },
    /// A state was left.
    Exit {
        /// Path from the root.
        state: Name,
    },
    /// A machine received a message.
    Message {
        /// The message.
        name: Name,
        /// Id of the sender; nothing from outside the world.
        from: Option<Name>,
        /// Path of the state that answered; nothing when none did.
        handled_by: Option<Name>,
        /// The receiver of the message, when the machine only gets a copy.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Name>,
    },
    /// A machine goes from a state to another; the exits and enters follow.
    Transition {
        /// The innermost active state before.
        from: Name,
        /// The state asked for, before its initial states are entered.
        to: Name,
        /// The message that caused it; `Update` for `when`, `after` for `after`.
        cause: Name,
    },
    /// A message was not delivered.
    Drop {
        /// The message.
        name: Name,
        /// `no_receiver`, `scope` or `overflow`.
        reason: &'static str,
    },
    /// Two things began to touch.
    Contact {
        /// Id of the other entity; a tile's name for a tile.
        other: Name,
        /// Unit normal from the other toward the entity.
        nx: f64,
        /// Its y, down.
        ny: f64,
        /// Normal speed at impact, in pixels per second.
        speed: f64,
    },
    /// Where it is.
    Pose {
        /// In pixels.
        x: f64,
        /// In pixels, down.
        y: f64,
        /// Clockwise, in degrees.
        angle: f64,
        /// In pixels per second.
        vx: f64,
        /// In pixels per second, down.
        vy: f64,
    },
    /// It showed text.
    Say {
        /// The text.
        text: String,
    },
    /// A sound is heard where it is.
    Sound {
        /// The file, relative to the project's root.
        sound: Name,
        /// How loud, as a factor of the file's own amplitude; `Sound.volume` is in it.
        volume: f64,
        /// How fast it is played: 2 is twice as fast, an octave higher.
        pitch: f64,
        /// In pixels.
        x: f64,
        /// In pixels, down.
        y: f64,
    },
    /// A machine wrote a line to the log.
    Log {
        /// The line.
        text: String,
    },
    /// An entity came into the world while it ran.
    Spawn {
        /// Its definition.
        def: Name,
    },
    /// An entity left the world.
    Despawn {},
    /// Something went wrong with it: a machine that goes round in circles, a pose that is not a number.
    Problem {
        /// What.
        text: String,
    },
}
