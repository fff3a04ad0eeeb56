//! The closed registry of the actions and conditions of machines in the preview, with arguments read and defaults
//! filled in.
//!
//! Invariant: every call of a machine becomes exactly one [`BuiltinAction`] or [`Question`]; those of a game's own
//! schema become `Other`, which does nothing and is false. Their effects are in `sim::world`; names, types and defaults
//! of the arguments are the schema's.

use std::sync::Arc;

use glam::Vec2;

use crate::model::{Call, CallSpec, Fields, Name, Schema, Value};

use super::{MsgId, Symbols};

/// The entities that an argument refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// No particular entity: an empty string.
    Any,
    /// The entity that runs the machine.
    Me,
    /// The sender of the message that is handled.
    Sender,
    /// `tag:…`
    Tag(Name),
    /// `def:…`: the definition and its descendants.
    Def(Name),
    /// An id, else a definition, else a tag.
    Name(Name),
}

impl Target {
    /// Read a target as written in data.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "" => Self::Any,
            "self" => Self::Me,
            "sender" => Self::Sender,
            _ => match text.split_once(':') {
                Some(("tag", tag)) => Self::Tag(tag.into()),
                Some(("def", def)) => Self::Def(def.into()),
                _ => Self::Name(text.into()),
            },
        }
    }
}

/// What follows the end of a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteMode {
    /// The first place.
    #[default]
    Loop,
    /// The same places in reverse.
    PingPong,
    /// Nothing.
    Once,
}

impl RouteMode {
    /// Read a value of the enum `RouteMode`.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        match word {
            "PingPong" => Self::PingPong,
            "Once" => Self::Once,
            _ => Self::Loop,
        }
    }
}

/// An action to perform. Lengths in pixels, times in seconds.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the arguments are documented where they are declared, in schemas/actions.ron")]
pub enum BuiltinAction {
    /// Request a state, by index in the program.
    SetState(u16),
    Send {
        to: Target,
        message: MsgId,
        payload: Arc<Fields>,
        delay: f64,
        jitter: f64,
        scoped: bool,
    },
    Despawn {
        target: Target,
    },
    Spawn {
        def: Name,
        at: [f64; 2],
        velocity: [f64; 2],
        toward: Target,
    },
    Say {
        text: Name,
        secs: f64,
    },
    FollowRoute {
        layer: Name,
        mode: RouteMode,
        tag: Name,
    },
    GoTo {
        target: Target,
        /// `at`, then `any`.
        places: Vec<[f64; 2]>,
        /// Waypoint layer whose links are followed; empty for any path.
        layer: Name,
    },
    Chase {
        target: Target,
        layer: Name,
    },
    Flee {
        target: Target,
    },
    Stop,
    Jump {
        speed: Option<f32>,
    },
    Face {
        target: Target,
    },
    SetField {
        field: Name,
        value: Value,
    },
    AddField {
        field: Name,
        by: f64,
    },
    Impulse {
        by: [f64; 2],
        toward: Target,
        target: Target,
    },
    PlayClip {
        clip: Name,
    },
    PlaySound {
        sound: Name,
        volume: f64,
        pitch: f64,
    },
    StartMachine {
        machine: Name,
    },
    SwapMachine {
        machine: Name,
        from: Name,
    },
    QueueMachine {
        machine: Name,
    },
    Finish,
    Watch {
        target: Target,
        on: bool,
    },
    Log {
        text: Name,
    },
    /// An action that the preview does not know.
    Other(Call),
}

/// A condition to evaluate.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the arguments are documented where they are declared, in schemas/conditions.ron")]
pub enum Question {
    CanSee {
        target: Target,
        range: f32,
    },
    Within {
        target: Target,
        range: f32,
    },
    LifeBelow {
        percent: f64,
    },
    FieldBelow {
        field: Name,
        value: f64,
    },
    FieldAbove {
        field: Name,
        value: f64,
    },
    /// `memory` is the index of the last result in the machine's memory.
    Hysteresis {
        field: Name,
        low: f64,
        high: f64,
        memory: u16,
    },
    Touching {
        target: Target,
    },
    OnGround,
    Holds {
        action: Name,
    },
    ActionIs {
        action: Name,
    },
    ReachedGoal,
    NoPath,
    /// `own` is the state's index if the condition is about the same machine.
    InState {
        state: Name,
        machine: Name,
        own: Option<u16>,
    },
    Chance {
        percent: f64,
    },
    Tagged {
        tag: Name,
        target: Target,
    },
    HasComponent {
        component: Name,
        target: Target,
    },
    FuzzyAbove {
        field: Name,
        low: f64,
        high: f64,
        level: f64,
    },
    /// A condition that the preview does not know.
    Other(Call),
}

/// A call's arguments, with the schema's defaults for missing ones.
struct Args<'a> {
    call: &'a Call,
    spec: Option<&'a CallSpec>,
}

impl Args<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let given = self.call.args.get(name).cloned();
        given.or_else(|| self.spec.and_then(|spec| spec.args.get(name)).map(crate::model::FieldSpec::default_value))
    }

    fn f64(&self, name: &str) -> f64 {
        self.value(name).and_then(|value| value.as_f64()).unwrap_or(0.0)
    }

    #[expect(clippy::cast_possible_truncation, reason = "lengths in pixels")]
    fn f32(&self, name: &str) -> f32 {
        self.f64(name) as f32
    }

    fn text(&self, name: &str) -> Name {
        self.value(name).and_then(|value| value.as_str().map(Into::into)).unwrap_or_else(|| "".into())
    }

    fn target(&self, name: &str) -> Target {
        Target::parse(&self.text(name))
    }

    fn vec2(&self, name: &str) -> [f64; 2] {
        self.value(name).as_ref().and_then(Value::as_vec2).unwrap_or_default()
    }
}

/// A vector from a pair of numbers.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "lengths in pixels")]
pub fn vec_of([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

/// A vector from a value that is a pair of numbers.
#[must_use]
pub fn vec2(value: &Value) -> Option<Vec2> {
    value.as_vec2().map(vec_of)
}

/// Read an action. `state` finds a state of the machine by its address.
///
/// # Errors
/// If the requested state does not exist; the action then does nothing.
pub fn action(
    call: &Call,
    schema: &Schema,
    symbols: &mut Symbols,
    state: impl Fn(&str) -> Result<u16, String>,
) -> Result<BuiltinAction, String> {
    let args = Args { call, spec: schema.actions.get(&call.name) };
    Ok(match &*call.name {
        "SetState" => BuiltinAction::SetState(state(&args.text("state"))?),
        "Send" => BuiltinAction::Send {
            to: args.target("to"),
            message: symbols.intern(&args.text("message")),
            payload: Arc::new(match args.value("payload") {
                Some(Value::Struct(fields)) => fields,
                Some(Value::Map(entries)) => {
                    entries.into_iter().filter_map(|(key, value)| Some((key.as_str()?.into(), value))).collect()
                }
                _ => Fields::new(),
            }),
            delay: args.f64("delay"),
            jitter: args.f64("jitter"),
            scoped: args.value("scoped").and_then(|value| value.as_bool()).unwrap_or(false),
        },
        "Despawn" => BuiltinAction::Despawn { target: args.target("target") },
        "Spawn" => BuiltinAction::Spawn {
            def: args.text("def"),
            at: args.vec2("at"),
            velocity: args.vec2("velocity"),
            toward: args.target("toward"),
        },
        "Say" => BuiltinAction::Say { text: args.text("text"), secs: args.f64("secs") },
        "FollowRoute" => BuiltinAction::FollowRoute {
            layer: args.text("layer"),
            mode: RouteMode::parse(&args.text("mode")),
            tag: args.text("tag"),
        },
        "GoTo" => BuiltinAction::GoTo {
            target: args.target("target"),
            places: {
                let at = args.value("at").as_ref().and_then(Value::as_option).and_then(Value::as_vec2);
                let any = args.value("any");
                let any = any.as_ref().and_then(Value::as_list).into_iter().flatten();
                at.into_iter().chain(any.filter_map(Value::as_vec2)).collect()
            },
            layer: args.text("layer"),
        },
        "Chase" => BuiltinAction::Chase { target: args.target("target"), layer: args.text("layer") },
        "Flee" => BuiltinAction::Flee { target: args.target("target") },
        "Stop" => BuiltinAction::Stop,
        "Jump" => BuiltinAction::Jump {
            #[expect(clippy::cast_possible_truncation, reason = "a speed in pixels per second")]
            speed: args.value("speed").as_ref().and_then(Value::as_option).and_then(Value::as_f64).map(|s| s as f32),
        },
        "Face" => BuiltinAction::Face { target: args.target("target") },
        "SetField" => BuiltinAction::SetField {
            field: args.text("field"),
            value: args.value("value").unwrap_or(Value::Float(0.0)),
        },
        "AddField" => BuiltinAction::AddField { field: args.text("field"), by: args.f64("by") },
        "Impulse" => BuiltinAction::Impulse {
            by: args.vec2("by"),
            toward: args.target("toward"),
            target: match args.target("target") {
                Target::Any => Target::Me,
                target => target,
            },
        },
        "PlayClip" => BuiltinAction::PlayClip { clip: args.text("clip") },
        "PlaySound" => {
            BuiltinAction::PlaySound { sound: args.text("sound"), volume: args.f64("volume"), pitch: args.f64("pitch") }
        }
        "StartMachine" => BuiltinAction::StartMachine { machine: args.text("machine") },
        "SwapMachine" => BuiltinAction::SwapMachine { machine: args.text("machine"), from: args.text("from") },
        "QueueMachine" => BuiltinAction::QueueMachine { machine: args.text("machine") },
        "Finish" => BuiltinAction::Finish,
        "Watch" => BuiltinAction::Watch { target: args.target("target"), on: true },
        "Unwatch" => BuiltinAction::Watch { target: args.target("target"), on: false },
        "Log" => BuiltinAction::Log { text: args.text("text") },
        _ => BuiltinAction::Other(call.clone()),
    })
}

/// Read a condition. `memory` allocates the memory of a result; `state` finds a state of this machine.
///
/// # Errors
/// If the named state does not exist.
pub fn question(
    call: &Call,
    schema: &Schema,
    mut memory: impl FnMut() -> u16,
    state: impl Fn(&str) -> Result<u16, String>,
) -> Result<Question, String> {
    let args = Args { call, spec: schema.conditions.get(&call.name) };
    Ok(match &*call.name {
        "CanSee" => Question::CanSee { target: args.target("target"), range: args.f32("range") },
        "Within" => Question::Within { target: args.target("target"), range: args.f32("range") },
        "LifeBelow" => Question::LifeBelow { percent: args.f64("percent") },
        "FieldBelow" => Question::FieldBelow { field: args.text("field"), value: args.f64("value") },
        "FieldAbove" => Question::FieldAbove { field: args.text("field"), value: args.f64("value") },
        "Hysteresis" => Question::Hysteresis {
            field: args.text("field"),
            low: args.f64("low"),
            high: args.f64("high"),
            memory: memory(),
        },
        "Touching" => Question::Touching { target: args.target("target") },
        "OnGround" => Question::OnGround,
        "Holds" => Question::Holds { action: args.text("action") },
        "ActionIs" => Question::ActionIs { action: args.text("action") },
        "ReachedGoal" => Question::ReachedGoal,
        "NoPath" => Question::NoPath,
        "InState" => {
            let (name, machine) = (args.text("state"), args.text("machine"));
            let own = if machine.is_empty() { Some(state(&name)?) } else { None };
            Question::InState { state: name, machine, own }
        }
        "Chance" => Question::Chance { percent: args.f64("percent") },
        "Tagged" => Question::Tagged { tag: args.text("tag"), target: args.target("target") },
        "HasComponent" => Question::HasComponent { component: args.text("component"), target: args.target("target") },
        "FuzzyAbove" => Question::FuzzyAbove {
            field: args.text("field"),
            low: args.f64("low"),
            high: args.f64("high"),
            level: args.f64("level"),
        },
        _ => Question::Other(call.clone()),
    })
}
