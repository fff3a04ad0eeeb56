//! Sprite clips: which frame is shown, and when a clip has come to its end.
//!
//! Invariant: time goes on when what is left of a frame is *below* zero; a long tick may pass several frames. Clips named
//! like ways of moving (`idle`, `walk`, `run`, `jump`, `fall`, `fly`) are one family: while one of them plays, or none does
//! at all, the motion chooses among those the sprite has. Any other clip that a machine plays stays until it ends or
//! another is played.

use crate::{
    model::{Name, View},
    sim::components::Clip,
};

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

impl Entity {
    pub(super) fn play(&mut self, name: &str, restart: bool) {
        let clip = self.components.sprite.as_ref().and_then(|sprite| sprite.clips.get(name));
        self.clip.play(clip.cloned(), name, restart);
    }

    /// Play the clip the sprite begins with.
    pub(super) fn play_first(&mut self) {
        let clip = self.components.sprite.as_ref().map(|sprite| sprite.clip.clone());
        self.play(&clip.unwrap_or_default(), true);
    }

    /// Mirror the picture by the way it looks or moves, unless the sprite says not to.
    pub(super) fn face(&mut self, x: f32) {
        if x != 0.0 && self.components.sprite.as_ref().is_none_or(|sprite| sprite.face_motion) {
            self.clip.flip_h = x < 0.0;
        }
    }

    /// Let the motion choose the clip and the side it faces.
    pub(super) fn show_motion(&mut self, view: View, on_ground: bool) {
        let components = self.components.clone();
        let Some(sprite) = &components.sprite else { return };
        let vel = self.pose.vel;
        let speed = if view == View::Platformer { vel.x.abs() } else { vel.length() };
        let moves = components.walker.is_some() || components.flyer.is_some();
        if moves && vel.x.abs() > 2.0 {
            self.face(vel.x);
        }
        if !moves || !self.clip.is_free() {
            return;
        }
        // Whoever has both walks at first and runs when fast.
        let wanted: &[&str] = match &components.walker {
            None => &["fly"],
            Some(_) if !on_ground && vel.y < 0.0 => &["jump", "fall"],
            Some(_) if !on_ground => &["fall", "jump"],
            Some(walker) if speed > 4.0 && speed > walker.speed * 0.6 => &["run", "walk"],
            Some(_) if speed > 4.0 => &["walk", "run"],
            Some(_) => &["idle"],
        };
        if let Some(name) = wanted.iter().find(|name| sprite.clips.contains_key(**name)) {
            self.play(name, false);
        }
    }
}
