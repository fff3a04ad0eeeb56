//! Which part of which sheet an entity shows, read from its resolved `Sprite` component. A running world says the same of
//! its own entities in `sim`; both are drawn by [`super::Canvas::sprite`].

use super::Image;
use crate::{
    defs::Resolved,
    model::{Value, parse_color},
};

/// What of a sprite sheet is shown, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteLook {
    /// Path of the sheet in the project.
    pub image: String,
    /// Width and height of a frame, in pixels.
    pub frame_size: [u32; 2],
    /// Counted row by row from 0.
    pub frame: u32,
    /// The entity's origin within the frame, in pixels.
    pub pivot: [f64; 2],
    /// Mirrored left to right.
    pub flip_h: bool,
    /// Multiplied with every pixel.
    pub tint: [u8; 4],
    /// Order within the layer; larger is in front.
    pub z: i64,
}

impl SpriteLook {
    /// How an entity looks `secs` after its clip began; `None` when it has no sprite or the sprite names no image.
    #[must_use]
    pub fn of(resolved: &Resolved, secs: f64) -> Option<Self> {
        let image = resolved.get("Sprite", "image")?.as_str().filter(|image| !image.is_empty())?;
        let size = resolved.get("Sprite", "frame_size").and_then(Value::as_vec2).unwrap_or([16.0, 16.0]);
        let pivot = resolved.get("Sprite", "pivot").and_then(Value::as_option).and_then(Value::as_vec2);
        let still = || resolved.get("Sprite", "frame").and_then(Value::as_i64).unwrap_or(0);
        Some(Self {
            image: image.to_owned(),
            frame_size: size.map(|side| to_px(side).max(1)),
            frame: u32::try_from(clip_frame(resolved, secs).unwrap_or_else(still)).unwrap_or(0),
            pivot: pivot.unwrap_or([size[0] / 2.0, size[1] / 2.0]),
            flip_h: false,
            tint: resolved.get("Sprite", "tint").and_then(Value::as_str).and_then(parse_color).unwrap_or([255; 4]),
            z: resolved.get("Sprite", "z").and_then(Value::as_i64).unwrap_or(0),
        })
    }

    /// The frame as a picture of its own, tinted; nothing when the sheet does not reach so far.
    #[must_use]
    pub fn pixels(&self, sheet: &Image) -> Option<Image> {
        let [x, y, w, h] = frame_rect(sheet, self.frame_size, self.frame)?;
        let mut out = sheet.cut(x, y, w, h);
        for row in 0..h {
            let Some(run) = out.run_mut(0, row, w) else { continue };
            if self.flip_h {
                let copy = run.to_vec();
                for (to, from) in run.chunks_exact_mut(4).zip(copy.chunks_exact(4).rev()) {
                    to.copy_from_slice(from);
                }
            }
            for px in run.chunks_exact_mut(4) {
                px.copy_from_slice(&tinted([px[0], px[1], px[2], px[3]], self.tint));
            }
        }
        Some(out)
    }
}

/// The frame of the sprite's clip at a time, if it has one that is declared and not empty.
fn clip_frame(resolved: &Resolved, secs: f64) -> Option<i64> {
    let name = resolved.get("Sprite", "clip")?.as_str().filter(|name| !name.is_empty())?;
    let clip = resolved.get("Sprite", "clips")?.field(name)?;
    let frames = clip.field("frames")?.as_list()?;
    let each = clip.field("secs").and_then(Value::as_f64).unwrap_or(0.1).max(0.001);
    let repeat = clip.field("repeat").and_then(Value::as_bool).unwrap_or(true);
    let nth = to_px((secs.max(0.0) / each).floor()) as usize;
    let nth = if repeat { nth.checked_rem(frames.len())? } else { nth.min(frames.len().checked_sub(1)?) };
    frames.get(nth)?.as_i64()
}

/// How many frames of a size a sheet holds.
fn frame_count(sheet: &Image, frame_size: [u32; 2]) -> u32 {
    let along = |side: u32, frame: u32| side.checked_div(frame).unwrap_or(0);
    along(sheet.width(), frame_size[0]) * along(sheet.height(), frame_size[1])
}

/// Left, top, width and height of a frame in its sheet; `None` past the last.
#[must_use]
pub fn frame_rect(sheet: &Image, frame_size: [u32; 2], frame: u32) -> Option<[u32; 4]> {
    let columns = sheet.width().checked_div(frame_size[0])?;
    if frame >= frame_count(sheet, frame_size) {
        return None;
    }
    Some([frame % columns * frame_size[0], frame / columns * frame_size[1], frame_size[0], frame_size[1]])
}

pub(super) fn tinted(color: [u8; 4], tint: [u8; 4]) -> [u8; 4] {
    if tint == [255; 4] {
        return color;
    }
    std::array::from_fn(|i| super::image::to_byte(f64::from(color[i]) * f64::from(tint[i]) / 255.0))
}

/// A length in whole pixels, none below zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what it holds")]
fn to_px(x: f64) -> u32 {
    x.clamp(0.0, 1e9) as u32
}
