//! Gamepads: what they report, and what is done with it. Without the feature `pads` there are none.

use super::editor::Editor;
use crate::{
    edit::Phase,
    editor::{Action, Controls, Dialog, PadEvent, TuneAction},
    sim::control_constant,
};

/// The gamepads of the machine, as they come and go.
pub(super) struct Device {
    #[cfg(feature = "pads")]
    gilrs: Option<gilrs::Gilrs>,
}

impl Device {
    /// Begin to look for gamepads. Where the system lets no one, there are none.
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "pads")]
            gilrs: gilrs::Gilrs::new().inspect_err(|why| tracing::warn!("no gamepads: {why}")).ok(),
        }
    }

    /// What happened since the last call, each with the number of its pad.
    #[cfg(not(feature = "pads"))]
    #[expect(clippy::unused_self, reason = "with the feature it has events")]
    pub(super) fn events(&mut self) -> Vec<(usize, PadEvent)> {
        Vec::new()
    }

    /// What happened since the last call, each with the number of its pad.
    #[cfg(feature = "pads")]
    pub(super) fn events(&mut self) -> Vec<(usize, PadEvent)> {
        use gilrs::{Axis, EventType};
        let mut events = Vec::new();
        while let Some(gilrs::Event { id, event, .. }) = self.gilrs.as_mut().and_then(gilrs::Gilrs::next_event) {
            let mut add = |event: PadEvent| events.push((usize::from(id), event));
            match event {
                EventType::ButtonPressed(button, _) => part_of(button, 1.0).into_iter().for_each(add),
                EventType::ButtonReleased(button, _) => part_of(button, 0.0).into_iter().for_each(add),
                EventType::ButtonChanged(button, way, _) => part_of(button, way).into_iter().for_each(add),
                EventType::AxisChanged(axis, way, _) => {
                    let names = match axis {
                        Axis::LeftStickX => ["LeftStickLeft", "LeftStickRight"],
                        Axis::LeftStickY => ["LeftStickDown", "LeftStickUp"],
                        Axis::RightStickX => ["RightStickLeft", "RightStickRight"],
                        Axis::RightStickY => ["RightStickDown", "RightStickUp"],
                        _ => continue,
                    };
                    crate::editor::stick_events(names, way).for_each(add);
                }
                EventType::Disconnected => add(PadEvent::Gone),
                _ => {}
            }
        }
        events
    }
}

/// The event of a button that is pressed so far.
#[cfg(feature = "pads")]
fn part_of(button: gilrs::Button, way: f32) -> Option<PadEvent> {
    use gilrs::Button;
    let name = match button {
        Button::South => "South",
        Button::East => "East",
        Button::West => "West",
        Button::North => "North",
        Button::LeftTrigger => "L1",
        Button::RightTrigger => "R1",
        Button::LeftTrigger2 => "L2",
        Button::RightTrigger2 => "R2",
        Button::LeftThumb => "L3",
        Button::RightThumb => "R3",
        Button::Select => "Select",
        Button::Start => "Start",
        Button::DPadLeft => "DPadLeft",
        Button::DPadRight => "DPadRight",
        Button::DPadUp => "DPadUp",
        Button::DPadDown => "DPadDown",
        _ => return None,
    };
    Some(PadEvent::Moved(crate::editor::PadPart::named(name)?, way))
}

impl Editor {
    /// What is bound to the actions of players.
    pub(super) fn controls(&self) -> Controls {
        Controls::of(self.derived.resolution(), self.tried_values())
    }

    /// Take notice of what pads report. A part that is pressed while one is to be bound is bound.
    pub(super) fn take_pads(&mut self, events: &[(usize, PadEvent)]) {
        self.pads.begin_frame();
        if events.is_empty() {
            return;
        }
        let controls = self.controls();
        for (id, event) in events {
            let Some(part) = self.pads.take(*id, *event, controls.dead_zone) else { continue };
            if let Some(Dialog::Controls { listening: Some(action) }) = &self.bench.dialog {
                let value = controls.with(action, &part.binding(), true);
                let name = control_constant(action).as_str().into();
                self.act(Action::Tune(TuneAction::Set { name, value, phase: Phase::Commit }));
                self.act(Action::Listen(None));
            }
        }
    }
}
