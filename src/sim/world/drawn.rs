//! Interpolated positions for drawing between two ticks, so that motion looks smooth at any frame rate.
//!
//! Invariant: nothing in the world depends on them; neither a tick nor the state's hash reads them.

use glam::Vec2;

use super::{EntityView, entity::Entity};
use crate::sim::motion::lerp_angle;

impl Entity {
    /// The entity was moved at once: do not interpolate from its old pose.
    pub(super) fn jumped(&mut self) {
        self.before = (self.pose.pos, self.pose.angle);
    }

    /// Position and angle at a moment within the last tick: 0 is before it, 1 is now.
    pub(super) fn drawn_at(&self, moment: f32) -> (Vec2, f32) {
        between(self.before, (self.pose.pos, self.pose.angle), moment)
    }
}

impl EntityView<'_> {
    /// The entity as drawn at a moment within the last tick: 0 is before it, 1 is now. Only position and angle are
    /// interpolated.
    #[must_use]
    pub fn drawn_at(mut self, moment: f32) -> Self {
        (self.pos, self.angle) = between(self.before, (self.pos, self.angle), moment);
        self
    }
}

fn between(before: (Vec2, f32), now: (Vec2, f32), moment: f32) -> (Vec2, f32) {
    if moment >= 1.0 {
        return now;
    }
    let moment = moment.max(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    let angle = lerp_angle(before.1.into(), now.1.into(), moment.into()) as f32;
    (before.0.lerp(now.0, moment), angle)
}
