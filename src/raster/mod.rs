//! Rendering to pixels: tiles, sprites and levels as RGBA images, without a window.
//!
//! Invariant: no files and no clock; sheets come from the caller, animations are a function of the time given, and the
//! same input gives the same bytes on every machine. Getting pixels to a screen is `ui`; moving things is `sim`.

mod atlas;
mod draw;
mod image;
mod level;
mod page;
mod pyramid;
mod sheet;
mod sprite;
mod stamp;
mod sums;
mod tiles;
mod values;

pub use atlas::{AtlasKey, Mip, TileAtlas};
pub use draw::{Canvas, Stroke};
pub use image::{Image, ImageError, MAX_SIDE};
pub use level::{Placed, Scene, SceneError, SceneLayer, outlines};
pub use page::{PAGE, PageKind, Rows, TilePage};
pub use pyramid::Pyramid;
pub use sheet::SheetGrid;
pub use sprite::{frame_rect, tinted};
pub use stamp::{StampSheet, stamp_picture};
pub use sums::ChunkSums;
use tiles::{Lod, chunk_pixels};
pub use tiles::{tile_pixels, tile_uv};
pub use values::value_tiles;
