//! Sprite clips: frames with durations, played, paused and stopped.
//!
//! Invariant: a clip that does not repeat completes once, on its last frame, and stays there. The pictures of frames,
//! and the reactions to events, are up to the world.

/// Frames and their durations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    frames: Vec<(i64, f64)>,
    repeats: bool,
}

/// The shortest duration of a frame, in seconds.
const MIN_SECS: f64 = 1e-3;

impl Clip {
    /// A clip of frames with their durations in seconds, at least a millisecond each. `None` without frames.
    #[must_use]
    pub fn new(frames: Vec<(i64, f64)>, repeats: bool) -> Option<Self> {
        let secs = |secs: f64| if secs.is_finite() { secs.max(MIN_SECS) } else { MIN_SECS };
        let frames: Vec<_> = frames.into_iter().map(|(frame, stays)| (frame, secs(stays))).collect();
        (!frames.is_empty()).then_some(Self { frames, repeats })
    }

    /// Duration of one pass, in seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.frames.iter().map(|(_, secs)| secs).sum()
    }
}

/// An event of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipEvent {
    /// It was started at its first frame.
    Start,
    /// It began to play, or continues after a pause.
    Play,
    /// It was paused.
    Pause,
    /// It was reset to its first frame.
    Stop,
    /// It reached its end.
    Complete,
}

/// A clip being played.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPlayer {
    clip: Clip,
    at: usize,
    left_secs: f64,
    is_started: bool,
    is_playing: bool,
    is_complete: bool,
}

impl ClipPlayer {
    /// A clip at its first frame, not yet playing.
    #[must_use]
    pub fn new(clip: Clip) -> Self {
        let left_secs = clip.frames.first().map_or(0.0, |(_, secs)| *secs);
        Self { clip, at: 0, left_secs, is_started: false, is_playing: false, is_complete: false }
    }

    /// Play from the first frame, or from where it was paused. Does nothing while it plays.
    pub fn play(&mut self) -> Vec<ClipEvent> {
        if self.is_playing {
            return Vec::new();
        }
        let mut events = Vec::new();
        if !self.is_started || self.is_complete {
            *self = Self { is_started: true, ..Self::new(std::mem::take(&mut self.clip)) };
            events.push(ClipEvent::Start);
        }
        self.is_playing = true;
        events.push(ClipEvent::Play);
        events
    }

    /// Pause. Does nothing while it does not play.
    pub fn pause(&mut self) -> Option<ClipEvent> {
        std::mem::take(&mut self.is_playing).then_some(ClipEvent::Pause)
    }

    /// Reset to the first frame. Does nothing before it started.
    pub fn stop(&mut self) -> Option<ClipEvent> {
        let was_started = self.is_started;
        *self = Self::new(std::mem::take(&mut self.clip));
        was_started.then_some(ClipEvent::Stop)
    }

    /// Advance by a time; a long step may pass several frames. A frame stays until its remaining time is *below* zero.
    pub fn step(&mut self, dt_secs: f64) -> Option<ClipEvent> {
        if !self.is_playing || !dt_secs.is_finite() || dt_secs <= 0.0 {
            return None;
        }
        let whole = self.clip.secs();
        // Whole rounds end at the same place.
        self.left_secs -= if self.clip.repeats && dt_secs > whole { dt_secs % whole } else { dt_secs };
        while self.left_secs < 0.0 {
            if self.at + 1 < self.clip.frames.len() {
                self.at += 1;
            } else if self.clip.repeats {
                self.at = 0;
            } else {
                self.left_secs = 0.0;
                self.is_playing = false;
                self.is_complete = true;
                return Some(ClipEvent::Complete);
            }
            self.left_secs += self.clip.frames[self.at].1;
        }
        None
    }

    /// The frame that is shown.
    #[must_use]
    pub fn frame(&self) -> i64 {
        self.clip.frames.get(self.at).map_or(0, |(frame, _)| *frame)
    }

    /// Whether it plays.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Whether it reached its end and was not played again.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}
