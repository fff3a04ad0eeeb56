//! The component `Sprite`: its clips, and what an entity shows of its sprite sheet at a moment.

use std::collections::BTreeMap;

use super::Reader;
use crate::{
    defs::{Resolution, Resolved},
    model::Name,
};

/// The component `Sprite`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sim) struct Sprite {
    image: Name,
    frame_size: [f64; 2],
    frame: u32,
    pivot: Option<[f64; 2]>,
    tint: [u8; 4],
    z: i64,
    /// Clips by name.
    pub(in crate::sim) clips: BTreeMap<Name, Clip>,
    /// Name of the clip that plays at the start.
    pub(in crate::sim) clip: Name,
    /// Whether it is mirrored when it moves left.
    pub(in crate::sim) face_motion: bool,
}

/// Frames with durations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::sim) struct Clip {
    pub(in crate::sim) frames: Vec<u32>,
    pub(in crate::sim) secs: f64,
    pub(in crate::sim) repeat: bool,
}

/// The part of a sprite sheet that is shown, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// Path of the sheet in the project.
    pub image: Name,
    /// Width and height of a frame, in pixels.
    pub frame_size: [u32; 2],
    /// Index of the frame, counted row by row from 0.
    pub frame: u32,
    /// The entity's origin within the frame, in pixels.
    pub pivot: [f64; 2],
    /// Whether it is mirrored left to right.
    pub flip_h: bool,
    /// Red, green, blue, alpha, multiplied with every pixel.
    pub tint: [u8; 4],
    /// Drawing order within the layer; larger is in front.
    pub z: i64,
}

impl Sprite {
    pub(super) fn read(it: &Reader<'_>) -> Self {
        let clip = |it: Reader<'_>| Clip {
            frames: it.get("frames"),
            secs: it.get::<f64>("secs").max(1e-3),
            repeat: it.get("repeat"),
        };
        Self {
            image: it.get("image"),
            frame_size: it.get("frame_size"),
            frame: it.get::<i64>("frame").try_into().unwrap_or(0),
            pivot: it.get("pivot"),
            tint: it.get("tint"),
            z: it.get("z"),
            clips: it.entries("clips").map(|(name, it)| (name.into(), clip(it))).collect(),
            clip: it.get("clip"),
            face_motion: it.get("face_motion"),
        }
    }

    /// The appearance with a frame of a clip. `None` if the sprite names no image.
    pub(in crate::sim) fn appearance(&self, frame: Option<u32>, flip_h: bool) -> Option<Appearance> {
        (!self.image.is_empty()).then(|| Appearance {
            image: self.image.clone(),
            frame_size: self.frame_size.map(|side| to_px(side).max(1)),
            frame: frame.unwrap_or(self.frame),
            pivot: self.pivot.unwrap_or(self.frame_size.map(|side| side / 2.0)),
            flip_h,
            tint: self.tint,
            z: self.z,
        })
    }
}

impl Clip {
    /// The frame to show `secs` after the clip began.
    fn frame_at(&self, secs: f64) -> Option<u32> {
        let nth = to_px((secs.max(0.0) / self.secs).floor()) as usize;
        let last = self.frames.len().checked_sub(1)?;
        self.frames.get(if self.repeat { nth % self.frames.len() } else { nth.min(last) }).copied()
    }
}

impl Appearance {
    /// The appearance of an entity `secs` after its clip began; `None` if it has no sprite or the sprite names no
    /// image.
    #[must_use]
    pub fn of(resolution: &Resolution, resolved: &Resolved, secs: f64) -> Option<Self> {
        let sprite =
            resolved.has("Sprite").then(|| Sprite::read(&Reader::new(resolution, Some(resolved), "Sprite")))?;
        sprite.appearance(sprite.clips.get(&sprite.clip).and_then(|clip| clip.frame_at(secs)), false)
    }
}

/// A length in whole pixels, none below zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what it holds")]
fn to_px(x: f64) -> u32 {
    x.clamp(0.0, 1e9) as u32
}
