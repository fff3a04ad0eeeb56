//! A picture in memory: rows of red, green, blue, alpha bytes, alpha not multiplied in. Colors are blended and averaged
//! as they are stored (sRGB), as the canvas does.

use std::{io::Cursor, sync::Arc};

use crate::model::{Blend, Finding};

/// The largest width or height of a picture, in pixels.
pub const MAX_SIDE: u32 = 32_768;

/// The most pixels a picture may have.
const MAX_PIXELS: u64 = 1 << 28;

/// A picture.
///
/// Invariant: `pixels` holds `width * height` times four bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The bytes are no PNG, or a damaged one.
    #[error("not a readable PNG: {0}")]
    Decode(String),
    /// The picture could not be written as PNG.
    #[error("cannot be written as PNG: {0}")]
    Encode(String),
    /// A picture of no size, or too large to hold.
    #[error("{width} × {height} pixels: a picture has 1 to {MAX_SIDE} on a side and at most {MAX_PIXELS} in all")]
    Size {
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
    },
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}

impl Image {
    /// A picture of one color.
    ///
    /// # Errors
    /// When a side is zero or the picture is too large.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Result<Self, ImageError> {
        Self::refuse_size(width, height)?;
        Ok(Self::solid(width, height, color))
    }

    fn refuse_size(width: u32, height: u32) -> Result<(), ImageError> {
        let n_pixels = u64::from(width) * u64::from(height);
        if n_pixels == 0 || width > MAX_SIDE || height > MAX_SIDE || n_pixels > MAX_PIXELS {
            return Err(ImageError::Size { width: u64::from(width), height: u64::from(height) });
        }
        Ok(())
    }

    /// The image in a file that was read, or why there is none.
    ///
    /// # Errors
    /// The error of the system or of the decoder.
    pub fn of_file(bytes: Result<Vec<u8>, Box<Finding>>) -> Result<Self, Arc<str>> {
        // The caller's message begins with "the image cannot be read" itself.
        let why = |finding: Box<Finding>| finding.message.trim_start_matches("this file cannot be read: ").into();
        let bytes = bytes.map_err(|finding| -> Arc<str> { why(finding) })?;
        Self::from_png(&bytes).map_err(|error| error.to_string().into())
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// A picture of one color, of a size known to be small.
    pub(super) fn solid(width: u32, height: u32, color: [u8; 4]) -> Self {
        let n_pixels = width as usize * height as usize;
        let pixels = if color == [0; 4] { vec![0; n_pixels * 4] } else { color.repeat(n_pixels) };
        Self { width, height, pixels }
    }

    /// Decode a PNG.
    ///
    /// # Errors
    /// When the bytes are no PNG, a damaged one, or one too large.
    pub fn from_png(bytes: &[u8]) -> Result<Self, ImageError> {
        // Looked at first: a file of some kilobytes may ask for gigabytes.
        if let Some([width, height]) = Self::png_size(bytes) {
            Self::refuse_size(width, height)?;
        }
        let mut reader = image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::Png);
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        reader.limits(limits);
        let decoded = reader.decode().map_err(|err| ImageError::Decode(in_words(&err.to_string())))?.into_rgba8();
        let (width, height) = decoded.dimensions();
        Ok(Self { width, height, pixels: decoded.into_raw() })
    }

    /// Width and height of a PNG, from its first bytes; `None` when it is no PNG.
    #[must_use]
    pub fn png_size(bytes: &[u8]) -> Option<[u32; 2]> {
        let reader = image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::Png);
        reader.into_dimensions().ok().map(|(width, height)| [width, height])
    }

    /// Encode as PNG; the same picture gives the same bytes.
    ///
    /// # Errors
    /// When the encoder refuses the picture.
    pub fn to_png(&self) -> Result<Vec<u8>, ImageError> {
        use image::{
            ImageEncoder as _,
            codecs::png::{CompressionType, FilterType, PngEncoder},
        };
        let mut out = Vec::new();
        // Pictures of levels repeat their tiles: plain rows are an eighth of what filtered ones are, as fast as without
        // compression.
        let (compression, filter) = (CompressionType::Level(3), FilterType::NoFilter);
        PngEncoder::new_with_quality(&mut out, compression, filter)
            .write_image(&self.pixels, self.width, self.height, image::ExtendedColorType::Rgba8)
            .map_err(|err| ImageError::Encode(err.to_string()))?;
        Ok(out)
    }

    /// In pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// In pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, row by row from the top: red, green, blue, alpha.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.pixels
    }

    /// The color at a place; nothing outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        if x >= self.width || y >= self.height {
            return [0; 4];
        }
        let at = self.index(x, y);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2], self.pixels[at + 3]]
    }

    /// `n` pixels of a row from `x`; `None` when they are not all inside.
    pub(super) fn run(&self, x: u32, y: u32, n: u32) -> Option<&[u8]> {
        if y >= self.height || x.checked_add(n)? > self.width {
            return None;
        }
        let at = self.index(x, y);
        self.pixels.get(at..at + n as usize * 4)
    }

    /// `n` pixels of a row from `x`, to write; `None` when they are not all inside.
    pub(super) fn run_mut(&mut self, x: u32, y: u32, n: u32) -> Option<&mut [u8]> {
        if y >= self.height || x.checked_add(n)? > self.width {
            return None;
        }
        let at = self.index(x, y);
        self.pixels.get_mut(at..at + n as usize * 4)
    }

    /// Put a color over what is at a place, which is inside.
    pub(super) fn blend(&mut self, x: u32, y: u32, color: [u8; 4], opacity: f64, blend: Blend) {
        let at = self.index(x, y);
        let Some(under) = self.pixels.get_mut(at..at + 4) else { return };
        if color[3] == 255 && opacity >= 1.0 && blend == Blend::Normal {
            under.copy_from_slice(&color);
            return;
        }
        let over_a = f64::from(color[3]) / 255.0 * opacity.clamp(0.0, 1.0);
        if over_a <= 0.0 {
            return;
        }
        let under_a = f64::from(under[3]) / 255.0;
        let alpha = over_a + under_a * (1.0 - over_a);
        for i in 0..3 {
            // With alpha multiplied in, as graphics cards blend.
            let (over, below) = (f64::from(color[i]) / 255.0 * over_a, f64::from(under[i]) / 255.0 * under_a);
            let sum = match blend {
                Blend::Normal => over + below * (1.0 - over_a),
                Blend::Add => over + below,
                Blend::Multiply => over * (1.0 - under_a) + below * (1.0 - over_a) + over * below,
                Blend::Screen => over + below - over * below,
            };
            under[i] = to_byte(sum / alpha * 255.0);
        }
        under[3] = to_byte(alpha * 255.0);
    }

    /// The mean color of a rectangle's part inside the picture: each pixel counts by its alpha.
    #[must_use]
    pub fn average(&self, x: u32, y: u32, width: u32, height: u32) -> [u8; 4] {
        let (mut sum, mut alpha, mut n) = ([0_u64; 3], 0_u64, 0_u64);
        let x_end = x.saturating_add(width).min(self.width);
        for row in y..y.saturating_add(height).min(self.height) {
            for px in self.run(x, row, x_end.saturating_sub(x)).unwrap_or_default().chunks_exact(4) {
                for i in 0..3 {
                    sum[i] += u64::from(px[i]) * u64::from(px[3]);
                }
                alpha += u64::from(px[3]);
                n += 1;
            }
        }
        if alpha == 0 {
            return [0; 4];
        }
        let mean = |sum: u64| u8::try_from((sum + alpha / 2) / alpha).unwrap_or(255);
        [mean(sum[0]), mean(sum[1]), mean(sum[2]), u8::try_from((alpha + n / 2) / n).unwrap_or(255)]
    }

    fn index(&self, x: u32, y: u32) -> usize {
        (y as usize * self.width as usize + x as usize) * 4
    }
}

/// The nearest byte to a number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what a byte holds")]
pub(super) fn to_byte(x: f64) -> u8 {
    x.round().clamp(0.0, 255.0) as u8
}

/// A decoder's message without the values of its own that some have in them.
fn in_words(message: &str) -> String {
    match message.split_once('{') {
        Some(_) if message.contains("CRC") => "a checksum in it is wrong".to_owned(),
        Some(_) => "it is damaged".to_owned(),
        None => message.to_owned(),
    }
}
