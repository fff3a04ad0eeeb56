//! What drives players: the keys and parts of gamepads that the page `Controls` of the constants binds to each action,
//! and what of pads is held.
//!
//! Invariant: worlds, recordings and scenarios know actions; keys and pads end here. Which key is held is the window's
//! to know, and devices are read in `app`.

use crate::{
    defs::Resolution,
    model::{Name, Value, ValueSet},
    sim::{Actions, Input, control_constant},
};

/// The buttons of a gamepad by their places, and the ways of its sticks.
const PARTS: [&str; 24] = [
    "South",
    "East",
    "West",
    "North",
    "L1",
    "R1",
    "L2",
    "R2",
    "Select",
    "Start",
    "L3",
    "R3",
    "DPadLeft",
    "DPadRight",
    "DPadUp",
    "DPadDown",
    "LeftStickLeft",
    "LeftStickRight",
    "LeftStickUp",
    "LeftStickDown",
    "RightStickLeft",
    "RightStickRight",
    "RightStickUp",
    "RightStickDown",
];

/// What parts of a pad are called in bindings begins with this.
const PAD: &str = "Pad ";

/// A part that is held is let go below this share of the dead zone, so that it does not flicker at its border.
const LET_GO: f32 = 0.75;

/// With less, a stick that is let go would count.
const LEAST_DEAD_ZONE: f64 = 0.01;

/// A button of a gamepad, or one way of one of its sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadPart(u8);

impl PadPart {
    /// By its name, such as `South`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        u8::try_from(PARTS.iter().position(|part| *part == name)?).ok().map(Self)
    }

    /// What it is called in bindings.
    #[must_use]
    pub fn binding(self) -> String {
        format!("{PAD}{}", PARTS.get(usize::from(self.0)).unwrap_or(&""))
    }

    fn bit(self) -> u32 {
        1 << self.0
    }
}

/// A binding as its text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound<'a> {
    /// A key by the window's name for it.
    Key(&'a str),
    /// A part of a gamepad.
    Pad(PadPart),
    /// No gamepad has such a part.
    Unknown,
}

impl<'a> Bound<'a> {
    /// Read a binding.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        match text.strip_prefix(PAD) {
            Some(part) => PadPart::named(part).map_or(Self::Unknown, Self::Pad),
            None => Self::Key(text),
        }
    }
}

/// What a gamepad reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadEvent {
    /// How far a part is pressed or moved, 0 to 1.
    Moved(PadPart, f32),
    /// It is there no longer.
    Gone,
}

/// The events of a stick that is moved so far along an axis, -1 to 1, between two of its ways.
pub fn stick_events(names: [&str; 2], value: f32) -> impl Iterator<Item = PadEvent> {
    let moved = names.map(PadPart::named).into_iter().zip([(-value).max(0.0), value.max(0.0)]);
    moved.filter_map(|(part, way)| Some(PadEvent::Moved(part?, way)))
}

/// Up to four gamepads, and what of them is held. Each drives the first player that no other pad drives.
#[derive(Clone, Debug, Default)]
pub struct Pads {
    of_players: [Option<Pad>; 4],
}

#[derive(Clone, Copy, Debug)]
struct Pad {
    id: usize,
    held: u32,
    /// What was pressed in this frame, if only for a part of it.
    pressed: u32,
}

impl Pads {
    /// A frame begins: what was pressed and let go in the last one no longer counts.
    pub fn begin_frame(&mut self) {
        self.of_players.iter_mut().flatten().for_each(|pad| pad.pressed = 0);
    }

    /// Take notice of an event of the pad with an id, which gets its player when something of it is pressed: a stick
    /// that drifts gets none. Returns the part that is held from now on.
    pub fn take(&mut self, id: usize, event: PadEvent, dead_zone: f32) -> Option<PadPart> {
        let is_it = |pad: &Option<Pad>| pad.is_some_and(|pad| pad.id == id);
        let known = self.of_players.iter().position(is_it);
        let PadEvent::Moved(part, way) = event else {
            if let Some(player) = known {
                self.of_players[player] = None;
            }
            return None;
        };
        if known.is_none() && way < dead_zone {
            return None;
        }
        let player = known.or_else(|| self.of_players.iter().position(Option::is_none))?;
        let pad = self.of_players[player].get_or_insert(Pad { id, held: 0, pressed: 0 });
        let was_held = pad.held & part.bit() != 0;
        let is_held = way >= if was_held { dead_zone * LET_GO } else { dead_zone };
        pad.held = if is_held { pad.held | part.bit() } else { pad.held & !part.bit() };
        let is_pressed = is_held && !was_held;
        pad.pressed |= if is_pressed { part.bit() } else { 0 };
        is_pressed.then_some(part)
    }

    /// How many there are.
    #[must_use]
    pub fn n(&self) -> usize {
        self.of_players.iter().flatten().count()
    }
}

/// What is bound to each action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// In the order of the actions.
    bound: Vec<Binding>,
    /// How far a part of a pad has to be moved to count.
    pub dead_zone: f32,
}

#[derive(Clone, Debug, PartialEq)]
struct Binding {
    action: Name,
    bit: u32,
    /// Keys and parts of pads, in written order.
    to: Vec<String>,
}

impl Controls {
    /// As a project has them, with the values that are tried out. What is no list of texts is the built-in one.
    #[must_use]
    pub fn of(resolution: &Resolution, tried: &ValueSet) -> Self {
        let builtin = resolution.builtin();
        let values = |name: &str| {
            let own = resolution.tunable(name).map(|it| &it.value);
            [tried.get(name), own, builtin.tunable(name).map(|it| &it.value)].into_iter().flatten()
        };
        let texts = |value: &Value| -> Option<Vec<String>> {
            value.as_list()?.iter().map(|text| text.as_str().map(ToOwned::to_owned)).collect()
        };
        let dead_zone = values("Controls.dead_zone").find_map(Value::as_f64).unwrap_or_default();
        let binding = |(action, bit): (&str, u32)| {
            let to = values(&control_constant(action)).find_map(texts).unwrap_or_default();
            Binding { action: action.into(), bit, to }
        };
        Self {
            bound: Actions::of(resolution).iter().map(binding).collect(),
            #[expect(clippy::cast_possible_truncation, reason = "a share")]
            dead_zone: dead_zone.clamp(LEAST_DEAD_ZONE, 1.0) as f32,
        }
    }

    /// All actions: the built-in ones, then the game's own.
    pub fn actions(&self) -> impl Iterator<Item = &Name> {
        self.bound.iter().map(|it| &it.action)
    }

    /// What is bound to an action, in written order.
    #[must_use]
    pub fn bound(&self, action: &str) -> &[String] {
        self.bound.iter().find(|it| *it.action == *action).map_or(&[], |it| &it.to)
    }

    /// The keys that are bound to an action, in written order.
    pub fn keys(&self, action: &str) -> impl Iterator<Item = &str> {
        let bound = self.bound(action).iter().map(|text| Bound::of(text));
        bound.filter_map(|bound| if let Bound::Key(key) = bound { Some(key) } else { None })
    }

    /// The other actions that the same key or part is bound to.
    #[must_use]
    pub fn also(&self, action: &str, binding: &str) -> Vec<&str> {
        let others = self.bound.iter().filter(|it| *it.action != *action);
        others.filter(|it| it.to.iter().any(|it| it == binding)).map(|it| &*it.action).collect()
    }

    /// The value of an action's constant with one more binding, or without it.
    #[must_use]
    pub fn with(&self, action: &str, binding: &str, is_bound: bool) -> Value {
        let others = self.bound(action).iter().filter(|it| *it != binding).cloned();
        Value::List(others.chain(is_bound.then(|| binding.to_owned())).map(Value::Str).collect())
    }

    /// The value of an action's constant.
    #[must_use]
    pub fn value(&self, action: &str) -> Value {
        Value::List(self.bound(action).iter().cloned().map(Value::Str).collect())
    }

    /// Whether some key that fits is bound.
    pub fn has_key(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let mut all = self.bound.iter().flat_map(|it| &it.to);
        all.any(|text| matches!(Bound::of(text), Bound::Key(key) if is_it(key)))
    }

    /// What is held: keys are the first player's, pads each its player's.
    #[must_use]
    pub fn input(&self, is_down: impl Fn(&str) -> bool, pads: &Pads) -> Input {
        let mut input = Input::NONE;
        for Binding { bit, to, .. } in &self.bound {
            for binding in to {
                match Bound::of(binding) {
                    Bound::Key(key) if is_down(key) => input.set(0, *bit, true),
                    Bound::Pad(part) => {
                        for (player, pad) in pads.of_players.iter().enumerate() {
                            if pad.is_some_and(|pad| (pad.held | pad.pressed) & part.bit() != 0) {
                                input.set(player, *bit, true);
                            }
                        }
                    }
                    Bound::Key(_) | Bound::Unknown => {}
                }
            }
        }
        input
    }
}
