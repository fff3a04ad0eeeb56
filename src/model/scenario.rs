//! Scripted runs of the preview and what is expected of them.

use serde::{Deserialize, Serialize};

use super::{
    FieldType, Fields, Name, Value,
    reflect::{Names, describe},
};

describe! {
    /// A scenario as in its file.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Scenario: "a scenario" {
        /// The level it runs in.
        pub level: Name => names(&FieldType::Level),
        /// How long, in seconds.
        pub secs: f64 => above(0.0) unit("s"),
        /// Where the random streams begin; the tuning page's when left out.
        pub seed: Option<i64> = None,
        /// What happens from outside.
        pub script: Vec<Cue> = Vec::new(),
        /// What must come true.
        pub expect: Vec<Expectation> = Vec::new(),
    }
}

describe! {
    /// Something that happens from outside at a time.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Cue: "a cue" => own_line() whole() {
        /// Seconds from the start.
        pub at: f64 => at_least(0.0) unit("s"),
        /// What happens.
        pub what: CueKind => flat(),
    }
}

describe! {
    /// What a cue does.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub enum CueKind: choice "kind of cue" => by_key() {
        /// A message to an entity (or `tag:…`, `def:…`).
        Send(SendCue): "a cue" by "send",
        /// A player presses an action: `Left`, `Right`, `Up`, `Down`, `Jump`, `Dash`, or one of the game's own, by its
        /// constant on the page `Controls`.
        Press(PressCue): "a cue" by "press",
        /// A player lets an action go.
        Release(ReleaseCue): "a cue" by "release",
        /// The player's keys drive this entity; with `""` the player again.
        Drive(String): "a cue" in "drive",
        /// A constant gets another value. Written `tune: "Page.name", value: …`.
        Tune(TuneCue): "a cue" by "tune",
        /// An entity is put somewhere at once. Written `move: "id", place: (x, y)`.
        Move(MoveCue): "a cue" by "move",
        /// An entity is pulled by a spring until it is let go. Written `pull: "id", grip: (x, y), toward: (x, y)`.
        Pull(PullCue): "a cue" by "pull",
        /// What is held or pulled is let go.
        LetGo(bool): "a cue" in "let_go",
        /// An entity is taken out of the world.
        Remove(String): "a cue" in "remove",
    }
}

describe! {
    /// A message that is sent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct SendCue: "a cue" {
        /// The receiver.
        pub to: String => names(&FieldType::Target),
        /// The message.
        pub message: Name => key("send") names(&FieldType::Message),
        /// What travels with it.
        pub payload: Fields = Fields::new() => holds(Names::PayloadOf("send")),
    }
}

describe! {
    /// An action that is pressed.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PressCue: "a cue" {
        /// The action that is pressed: `Left`, `Right`, `Up`, `Down`, `Jump`, `Dash`, or one of the game's own, by its
        /// constant on the page `Controls`.
        pub action: String => key("press"),
        /// The player that does so: the index of `Player`.
        pub player: i64 = 0 => range(0.0, 3.0),
    }
}

describe! {
    /// An action that is let go.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ReleaseCue: "a cue" {
        /// The action that is let go.
        pub action: String => key("release"),
        /// The player that does so: the index of `Player`.
        pub player: i64 = 0 => range(0.0, 3.0),
    }
}

describe! {
    /// A constant that gets another value.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TuneCue: "a cue" {
        /// `Page.name`
        pub name: String => key("tune") names(&FieldType::Tunable),
        /// Its value from now on.
        pub value: Value,
    }
}

describe! {
    /// An entity that is put somewhere.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct MoveCue: "a cue" {
        /// The entity that is put somewhere.
        pub entity: String => key("move"),
        /// Where its origin is from now on.
        pub place: [f64; 2] => unit("px"),
        /// How it is turned, clockwise.
        pub rotation: f64 = 0.0 => unit("°"),
        /// Whether it is held there until it is let go.
        pub held: bool = false,
    }
}

describe! {
    /// An entity that is pulled by a spring.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct PullCue: "a cue" {
        /// The entity that is pulled.
        pub entity: String => key("pull"),
        /// The point of it that is pulled, from its origin and unturned.
        pub grip: [f64; 2] => unit("px"),
        /// Where that point is pulled to.
        pub toward: [f64; 2] => unit("px"),
    }
}

describe! {
    /// Something that must come true.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Expectation: "an expectation" => own_line() whole() {
        /// When.
        pub when: When => flat(),
        /// The id of the entity.
        pub entity: String => names(&FieldType::Target),
        /// What.
        pub what: Expected => flat(),
    }
}

describe! {
    /// When an expectation is looked at.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub enum When: choice "time" => by_key() {
        /// At some time up to this.
        By(f64): "an expectation" in "by" => at_least(0.0) unit("s"),
        /// At this time exactly.
        At(f64): "an expectation" in "at" => at_least(0.0) unit("s"),
    }
}

describe! {
    /// What is expected of an entity.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub enum Expected: choice "expectation" => by_key() {
        /// One of its machines is in this state (or inside it).
        State(ExpectedState): "an expectation" by "state",
        /// Its origin is near a place.
        Near(ExpectedPlace): "an expectation" by "near",
        /// It is there, or is gone.
        Exists(bool): "an expectation" in "exists",
        /// It said this text.
        Said(String): "an expectation" in "said",
    }
}

describe! {
    /// A state that an entity is expected to be in.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ExpectedState: "an expectation" {
        /// Path or unique name.
        pub state: String,
        /// Which machine; any when left out.
        pub machine: Option<Name> = None => names(&FieldType::Machine),
    }
}

describe! {
    /// A place that an entity is expected to be near.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ExpectedPlace: "an expectation" {
        /// In pixels.
        pub at: [f64; 2] => key("near") unit("px"),
        /// How far from it at most.
        pub within: f64 => at_least(0.0) unit("px"),
    }
}
