//! Sprite clips: which frame is shown, and when a clip has come to its end.
//!
//! Invariant: time goes on when what is left of a frame is *below* zero; a long tick may pass several frames. Clips named
//! like ways of moving (`idle`, `walk`, `run`, `jump`, `fall`, `fly`) are one family: while one of them plays, or none does
//! at all, the motion chooses among those the sprite has. Any other clip that a machine plays stays until it ends or
//! another is played.

use crate::model::{Name, Value, View};

use super::entity::Entity;

/// The clip an entity plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipState {
    /// Nothing: the plain frame is shown.
    pub(super) name: Option<Name>,
    frames: Vec<u32>,
    secs: f64,
    repeat: bool,
    at: usize,
    left: f64,
    is_done: bool,
    pub(super) flip_h: bool,
}

/// Clips that motion chooses among.
const FAMILY: [&str; 6] = ["idle", "walk", "run", "jump", "fall", "fly"];

impl ClipState {
    /// Play a clip from its start. Unknown ones show the sprite's plain frame. Playing the clip that plays goes on with it.
    pub(super) fn play(&mut self, entity_clip: Option<Clip>, name: &str, restart: bool) {
        if self.name.as_deref() == Some(name) && !restart && !self.is_done {
            return;
        }
        let clip = entity_clip.unwrap_or_default();
        let flip_h = self.flip_h;
        *self = Self {
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

    /// The frame to show; nothing while no clip plays.
    pub(super) fn frame(&self) -> Option<u32> {
        self.frames.get(self.at).copied()
    }

    /// Pass a tick. Returns the name of a clip that does not repeat and has come to its end, once.
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

    /// Whether the motion may choose.
    fn is_free(&self) -> bool {
        self.is_done || self.name.as_deref().is_none_or(|name| FAMILY.contains(&name))
    }

    pub(super) fn digest(&self) -> [u64; 3] {
        [self.at as u64, self.left.to_bits(), u64::from(self.is_done) | u64::from(self.flip_h) << 1]
    }
}

/// A clip as the sprite declares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clip {
    frames: Vec<u32>,
    secs: f64,
    repeat: bool,
}

impl Entity {
    /// A clip of the sprite.
    pub(super) fn clip_named(&self, name: &str) -> Option<Clip> {
        let clip = self.live.get("Sprite", "clips")?.field(name)?;
        let frames = clip.field("frames").and_then(Value::as_list).unwrap_or_default();
        Some(Clip {
            frames: frames.iter().filter_map(Value::as_i64).filter_map(|frame| u32::try_from(frame).ok()).collect(),
            secs: clip.field("secs").and_then(Value::as_f64).unwrap_or(0.1).max(1e-3),
            repeat: clip.field("repeat").and_then(Value::as_bool).unwrap_or(true),
        })
    }

    pub(super) fn play(&mut self, name: &str, restart: bool) {
        let clip = self.clip_named(name);
        self.clip.play(clip, name, restart);
    }

    /// Let the motion choose the clip and the side it faces.
    pub(super) fn show_motion(&mut self, view: View, on_ground: bool) {
        if !self.live.has("Sprite") {
            return;
        }
        let vel = self.pose.vel;
        let speed = if view == View::Platformer { vel.x.abs() } else { vel.length() };
        let moves = self.live.has("Walker") || self.live.has("Flyer");
        if moves && vel.x.abs() > 2.0 && self.live.get("Sprite", "face_motion").and_then(Value::as_bool) != Some(false)
        {
            self.clip.flip_h = vel.x < 0.0;
        }
        if !moves || !self.clip.is_free() {
            return;
        }
        let wanted: &[&str] = if self.live.has("Flyer") && !self.live.has("Walker") {
            &["fly"]
        } else if !on_ground && vel.y < 0.0 {
            &["jump", "fall"]
        } else if !on_ground {
            &["fall", "jump"]
        } else if speed > 4.0 {
            // Whoever has both walks at first and runs when fast.
            if speed > self.f32("Walker", "speed", 80.0) * 0.6 { &["run", "walk"] } else { &["walk", "run"] }
        } else {
            &["idle"]
        };
        let has = |name: &&&str| self.live.get("Sprite", "clips").is_some_and(|clips| clips.field(name).is_some());
        if let Some(name) = wanted.iter().find(has) {
            self.play(name, false);
        }
    }
}
