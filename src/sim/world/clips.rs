//! Sprite clips: the frame that is shown, and the end of a clip.
//!
//! Invariant: the next frame begins when the remaining time of a frame is *below* zero; a long tick may pass several
//! frames. Clips named after kinds of motion (`idle`, `run`, `climb` and the others in `FAMILY`) are one family: while
//! one of them plays, or no clip does, the motion selects one of those that the sprite has. Any other clip that a
//! machine plays stays until it ends or another is played.

use crate::{model::Name, sim::components::Clip};

/// State of the clip that an entity plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipState {
    /// Name of the clip; `None` while the plain frame is shown.
    pub(super) name: Option<Name>,
    frames: Vec<u32>,
    secs: f64,
    repeat: bool,
    /// Index of the clip in the family that motion selects from, if it is one of them.
    of_motion: Option<usize>,
    at: usize,
    left: f64,
    is_done: bool,
    pub(super) flip_h: bool,
}

/// The clips that motion selects from.
const FAMILY: [&str; 9] = ["idle", "walk", "run", "jump", "fall", "fly", "dash", "climb", "swim"];

impl ClipState {
    pub(super) fn is_playing(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name) && !self.is_done
    }

    /// Play a clip from its start. For an unknown name, the sprite's plain frame is shown.
    pub(super) fn play(&mut self, entity_clip: Option<Clip>, name: &str) {
        let clip = entity_clip.unwrap_or_default();
        let flip_h = self.flip_h;
        *self = Self {
            of_motion: FAMILY.iter().position(|own| *own == name),
            name: (!name.is_empty()).then(|| name.into()),
            left: clip.secs,
            frames: clip.frames,
            secs: clip.secs,
            repeat: clip.repeat,
            at: 0,
            is_done: false,
            flip_h,
        };
    }

    /// The frame to show; `None` while no clip plays.
    pub(super) fn frame(&self) -> Option<u32> {
        self.frames.get(self.at).copied()
    }

    /// Advance by a tick. Returns the name of a clip that does not repeat and has just ended.
    pub(super) fn advance(&mut self, dt: f64) -> Option<Name> {
        if self.frames.is_empty() || self.is_done || self.secs <= 0.0 {
            return None;
        }
        self.left -= dt;
        while self.left < 0.0 {
            if self.at + 1 < self.frames.len() {
                self.at += 1;
            } else if self.repeat {
                self.at = 0;
            } else {
                self.is_done = true;
                return self.name.clone();
            }
            self.left += self.secs;
        }
        None
    }

    /// Whether motion may select the clip.
    pub(super) fn is_free(&self) -> bool {
        self.is_done || self.name.is_none() || self.of_motion.is_some()
    }

    pub(super) fn digest(&self) -> [u64; 3] {
        [self.at as u64, self.left.to_bits(), u64::from(self.is_done) | u64::from(self.flip_h) << 1]
    }
}
