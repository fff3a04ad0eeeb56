//! A stamp: tiles of one or several layers that are painted together. It is the editor's alone; exports leave it out.

use serde::{Deserialize, Serialize};

use super::{FieldType, Name, Tiles, reflect::describe};

/// Most columns or rows.
const MAX_SIDE: f64 = 1024.0;

describe! {
    /// A stamp as in its file.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct StampFile: "a stamp" {
        /// Columns and rows.
        pub size: [u32; 2] => range(1.0, MAX_SIDE) unit("tiles"),
        /// How often it is painted, against the others, where several are painted at random.
        pub weight: f64 = 1.0 => at_least(0.0),
        /// What it paints.
        pub layers: Vec<StampLayer> = Vec::new(),
    }
}

impl StampFile {
    /// Refuse columns and rows that no file has.
    ///
    /// # Errors
    /// Says how many it may have.
    pub fn check_size(size: [u32; 2]) -> Result<(), String> {
        let is_fine = size.iter().all(|side| f64::from(*side) <= MAX_SIDE);
        is_fine.then_some(()).ok_or_else(|| format!("A stamp has at most {MAX_SIDE} × {MAX_SIDE} tiles"))
    }
}

describe! {
    /// What a stamp paints on one layer.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct StampLayer: "a layer of a stamp" => own_line() {
        /// The level's layer that it is painted on.
        pub name: Name => id(),
        /// The tileset of its tiles, which that layer is to have, too.
        pub tileset: Name => names(&FieldType::Tileset),
        /// The tiles, from the left top; empty cells leave what is there.
        pub tiles: Tiles = Tiles::default() => key("chunks"),
    }
}
