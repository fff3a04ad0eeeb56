//! How the sounds of a running level are heard: where they are, as the level is looked at.
//!
//! Invariant: what is heard depends on the event and the camera alone. Which sounds there are is the world's, playing
//! them `app`'s.

use super::Camera;
use crate::{
    model::Name,
    sim::{TraceEvent, TraceKind},
};

/// How far from the middle of the canvas a sound is as loud as it is, in points of the screen; beyond, it gets quieter.
/// So far to a side, the other side hears least of it.
const NEAR_POINTS: f32 = 600.0;
/// What is quieter than this is not heard.
const QUIETEST: f32 = 0.01;
/// The most of a side that is taken from the other.
const MAX_PAN: f32 = 0.8;

/// A sound as it is heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The file, relative to the project's root.
    pub sound: Name,
    /// How loud on the left and on the right, as factors of the file's amplitude.
    pub sides: [f32; 2],
    /// How fast it is played.
    pub pitch: f32,
    /// Whether the running level plays it, and it ends when that is not heard any more.
    pub is_of_level: bool,
}

impl Heard {
    /// A sound of the project as it is.
    #[must_use]
    pub fn plain(sound: Name) -> Self {
        Self { sound, sides: [1.0; 2], pitch: 1.0, is_of_level: false }
    }

    /// A sound of the running level, as the camera hears it; nothing for other events, and for what is too far away.
    #[must_use]
    pub fn by(camera: &Camera, event: &TraceEvent) -> Option<Self> {
        let TraceKind::Sound { sound, volume, pitch, x, y } = &event.kind else { return None };
        #[expect(clippy::cast_possible_truncation, reason = "pixels, and factors near 1")]
        let [volume, pitch, x, y] = [volume, pitch, x, y].map(|number| *number as f32);
        let from_middle = (glam::vec2(x, y) - camera.center) * camera.scale / NEAR_POINTS;
        let beyond = (from_middle.length() - 1.0).max(0.0);
        let volume = volume / (1.0 + beyond * beyond);
        let pan = from_middle.x.clamp(-1.0, 1.0) * MAX_PAN;
        let sides = [(1.0 - pan).min(1.0) * volume, (1.0 + pan).min(1.0) * volume];
        (volume >= QUIETEST).then(|| Self { sound: sound.clone(), sides, pitch, is_of_level: true })
    }
}
