//! Typed text counts before the click that follows: a press outside a field ends the typing, and events after the press
//! wait until the field has reported its text.
//!
//! egui alone ends the typing with the click, so a button would act on what the field said before.

use egui::{Context, Event, Plugin, RawInput, SurrenderFocusOn, Ui};

/// Passes after a press until what was typed is known: the field says it in the first, and it is taken up before the
/// second.
const PASSES: u8 = 2;

/// A press that is held no longer than this is a click, in seconds, unless the pointer moved.
const CLICK_SECS: f64 = 3.0;

/// Holds back what comes after a press while something is typed.
#[derive(Default)]
struct LeaveFirst {
    held: Vec<Event>,
    left: u8,
}

/// Have what is typed count before what is clicked.
pub fn leave_before_clicks(ctx: &Context) {
    ctx.options_mut(|options| {
        options.input_options.surrender_focus_on = SurrenderFocusOn::Presses;
        // Where frames are slow, a click that is held back would count as a press that was held.
        options.input_options.max_click_duration = CLICK_SECS;
    });
    ctx.add_plugin(LeaveFirst::default());
}

impl Plugin for LeaveFirst {
    fn debug_name(&self) -> &'static str {
        "what is typed counts before what is clicked"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        self.held.append(&mut input.events);
        if self.left > 1 {
            self.left -= 1;
            return;
        }
        let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
        // What was typed is taken up by now.
        let has_waited = std::mem::take(&mut self.left) > 0;
        input.events = std::mem::take(&mut self.held);
        let is_release = |event: &Event| matches!(event, Event::PointerButton { pressed: false, .. });
        if has_waited
            && let Some(at) = input.events.iter().position(is_release).filter(|at| at + 1 < input.events.len())
        {
            // What the click goes to has the keyboard before the keys after it come.
            self.held = input.events.split_off(at + 1);
            self.left = PASSES;
        } else if ctx.text_edit_focused()
            && let Some(at) = input.events.iter().position(is_press)
        {
            self.held = input.events.split_off(at + 1);
            self.left = PASSES;
        }
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        // What is held back comes without another movement of the mouse.
        if self.left > 0 {
            ui.request_repaint();
        }
    }
}
