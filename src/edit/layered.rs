//! Tiles of several layers that are painted together, turned and mirrored as one.

use serde::{Deserialize, Serialize};

use super::Stamp;
use crate::model::{Cell, Cells, Name, StampFile, StampLayer, Tiles};

/// What numbers of tiles mean: those of one tileset mean other tiles in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TilesOf {
    /// Tiles of a tileset.
    Tileset(Name),
    /// The values of a layer of values.
    Values,
}

impl TilesOf {
    /// What the cells of a layer hold.
    #[must_use]
    pub fn cells(cells: Cells<'_>) -> Self {
        cells.tileset.map_or(Self::Values, |tileset| Self::Tileset(tileset.clone()))
    }
}

impl std::fmt::Display for TilesOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tileset(name) => write!(f, "tiles of {name}"),
            Self::Values => f.write_str("values"),
        }
    }
}

/// What a stamp paints on one layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampPart {
    /// The name of the layer.
    pub layer: Name,
    /// The tileset of its tiles; without one they are values of a layer of values.
    pub tileset: Option<Name>,
    /// The tiles.
    pub tiles: Stamp,
}

/// Tiles of several layers that are painted together.
///
/// Invariant: there is a layer, no two have one name, and all are of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayeredStamp {
    parts: Vec<StampPart>,
}

impl LayeredStamp {
    /// Of parts; `None` when there are none, two are of one layer, or they are of several sizes.
    #[must_use]
    pub fn new(parts: Vec<StampPart>) -> Option<Self> {
        let size = parts.first()?.tiles.size();
        let is_alone = |part: &StampPart| parts.iter().filter(|it| it.layer == part.layer).count() == 1;
        let fits = parts.iter().all(|part| part.tiles.size() == size && is_alone(part));
        fits.then_some(Self { parts })
    }

    /// Of a file; `None` when it paints nothing.
    #[must_use]
    pub fn of_file(file: &StampFile) -> Option<Self> {
        let last = file.size.map(|side| i32::try_from(side).unwrap_or(i32::MAX) - 1);
        let part = |layer: &StampLayer| StampPart {
            layer: layer.name.clone(),
            tileset: Some(layer.tileset.clone()),
            tiles: Stamp::from_tiles(&layer.tiles, [0, 0], last),
        };
        let parts = file.layers.iter().map(part).filter(|part| !part.tiles.is_empty());
        Self::new(parts.collect())
    }

    /// What of it a file can have: tiles, no values.
    #[must_use]
    pub fn of_tiles(self) -> Self {
        let (tiles, values): (Vec<_>, Vec<_>) = self.parts.into_iter().partition(|part| part.tileset.is_some());
        Self { parts: if tiles.is_empty() { values } else { tiles } }
    }

    /// As a file has it.
    ///
    /// # Errors
    /// The layer that has values.
    pub fn to_file(&self, weight: f64) -> Result<StampFile, Name> {
        let layer = |part: &StampPart| {
            let mut tiles = Tiles::default();
            tiles.paint(part.tiles.iter());
            let tileset = part.tileset.clone().ok_or_else(|| part.layer.clone())?;
            Ok(StampLayer { name: part.layer.clone(), tileset, tiles })
        };
        let layers = self.parts.iter().map(layer).collect::<Result<_, Name>>()?;
        Ok(StampFile { size: self.size(), weight, layers })
    }

    /// What it paints on each layer.
    #[must_use]
    pub fn parts(&self) -> &[StampPart] {
        &self.parts
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.parts.first().map_or([1, 1], |part| part.tiles.size())
    }

    /// Where its left top is when it is painted on a place with that left top and size: in the middle, and on the same
    /// ground.
    #[must_use]
    pub fn within(&self, lo: Cell, place: [u32; 2]) -> Cell {
        let (place, size) = (place.map(u32::cast_signed), self.size().map(u32::cast_signed));
        [lo[0] + (place[0] - size[0]) / 2, lo[1] + place[1] - size[1]]
    }

    /// The same with the tiles of each layer changed alike, as by [`Stamp::turned`].
    #[must_use]
    pub fn changed(&self, change: impl Fn(&Stamp) -> Stamp) -> Self {
        let part = |part: &StampPart| StampPart { tiles: change(&part.tiles), ..part.clone() };
        Self { parts: self.parts.iter().map(part).collect() }
    }
}
