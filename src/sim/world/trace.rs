//! Events of the world, in the shape that `simulate --trace` writes as JSON lines. Keys and their order are a contract:
//! other programs read them. Showing and storing events is done elsewhere.

use serde::Serialize;

use crate::model::Name;

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceEvent {
    /// Seconds since the start.
    pub t: f64,
    /// Ticks since the start.
    pub tick: u64,
    /// Id of the entity it happened to.
    pub entity: Name,
    /// The machine concerned, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Name>,
    /// The kind of event with its data.
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
        /// Id of the sender; `None` from outside the world.
        from: Option<Name>,
        /// Path of the state that responded; `None` if none did.
        handled_by: Option<Name>,
        /// The receiver of the message, if the machine only gets a copy.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Name>,
        /// The field `reason` of its payload, as of `Blocked`.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<Name>,
    },
    /// A machine goes from a state to another; the exits and enters follow.
    Transition {
        /// The innermost active state before.
        from: Name,
        /// The target state, before its initial states are entered.
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
    /// Two bodies, or a body and a tile, began to touch.
    Contact {
        /// Id of the other entity; a tile's name for a tile.
        other: Name,
        /// x of the unit normal from the other toward the entity.
        nx: f64,
        /// y of the unit normal, downward.
        ny: f64,
        /// Impact speed along the normal, px/s.
        speed: f64,
    },
    /// The pose of the entity.
    Pose {
        /// x of the origin, in pixels.
        x: f64,
        /// y of the origin, in pixels, downward.
        y: f64,
        /// Clockwise angle, in degrees.
        angle: f64,
        /// Velocity along x, px/s.
        vx: f64,
        /// Velocity along y, px/s, downward.
        vy: f64,
    },
    /// The entity showed a text.
    Say {
        /// The text.
        text: String,
    },
    /// A sound is played at the entity's place.
    Sound {
        /// The file, relative to the project's root.
        sound: Name,
        /// Volume, as a factor on the file's amplitude; includes `Sound.volume`.
        volume: f64,
        /// Playing speed as a factor: 2 is twice as fast, an octave higher.
        pitch: f64,
        /// x of the place, in pixels.
        x: f64,
        /// y of the place, in pixels, downward.
        y: f64,
    },
    /// A machine wrote a line to the log.
    Log {
        /// The line.
        text: String,
    },
    /// An entity was spawned.
    Spawn {
        /// Its definition.
        def: Name,
    },
    /// An entity was removed.
    Despawn {},
    /// A problem of the entity, such as a machine in an endless loop, or a pose that is no longer a number.
    Problem {
        /// The text.
        text: String,
    },
}
