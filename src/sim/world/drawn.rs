//! Where entities are drawn between two ticks, so that what moves evenly is seen to move evenly at any frame rate.
//!
//! Invariant: nothing in the world depends on it; neither a tick nor the state's hash reads it.

use super::{EntityView, entity::Entity};
use crate::sim::motion::lerp_angle;

impl Entity {
    /// It was put where it is at once: it is not drawn on a way there.
    pub(super) fn jumped(&mut self) {
        self.before = (self.pose.pos, self.pose.angle);
    }
}

impl EntityView<'_> {
    /// The same at a moment within the last tick: 0 is before it, 1 is now. Only position and angle are those of that moment.
    #[must_use]
    pub fn drawn_at(mut self, moment: f32) -> Self {
        if moment < 1.0 {
            let moment = moment.max(0.0);
            let (pos, angle) = self.before;
            self.pos = pos.lerp(self.pos, moment);
            #[expect(clippy::cast_possible_truncation, reason = "an angle")]
            let angle = lerp_angle(angle.into(), self.angle.into(), moment.into()) as f32;
            self.angle = angle;
        }
        self
    }
}
