//! Where in its sheet the frame of a sprite is. What an entity shows is [`crate::sim::Appearance`]; it is drawn by
//! [`super::Canvas::sprite`].

use super::Image;

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

/// A color multiplied with another.
#[must_use]
pub fn tinted(color: [u8; 4], tint: [u8; 4]) -> [u8; 4] {
    if tint == [255; 4] {
        return color;
    }
    std::array::from_fn(|i| super::image::to_byte(f64::from(color[i]) * f64::from(tint[i]) / 255.0))
}
