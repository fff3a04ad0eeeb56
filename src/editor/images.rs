//! The project's pictures as the reader decoded them.

use std::{collections::BTreeMap, sync::Arc};

use crate::raster::Image;

/// Decoded images by path from the project's root.
pub type Images = BTreeMap<String, Arc<Image>>;
