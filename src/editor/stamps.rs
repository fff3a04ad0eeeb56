//! Stamps in hand: those of the project that were picked, and a new one of what is in hand.

use std::sync::Arc;

use super::ViewState;
use crate::{
    edit::{LayeredStamp, Stamp, StampPart},
    model::{DocPath, Layer, Level, Project, StampFile},
    tools::HeldStamp,
};

/// Stamps of a project to paint with; those that paint nothing are left out.
#[must_use]
pub fn held_stamps(project: &Project, docs: &[DocPath]) -> Vec<HeldStamp> {
    let held = |doc: &DocPath| {
        let file = project.get::<StampFile>(doc)?;
        let stamp = Arc::new(LayeredStamp::of_file(file)?);
        Some(HeldStamp { doc: Some(doc.clone()), weight: file.weight, stamp })
    };
    docs.iter().filter_map(held).collect()
}

/// A stamp of what brushes paint: the one in hand, or the brush on the layer worked on.
///
/// # Errors
/// Says what is missing.
pub fn new_stamp_of(view: &ViewState, level: Option<&Level>, layer: Option<&Layer>) -> Result<LayeredStamp, String> {
    if let Some(held) = view.stamps.first() {
        // What came from the clipboard is of the tilesets that the layers have here.
        let tileset = |part: &StampPart| {
            let (_, layer) = level?.layer(&part.layer)?;
            Some(layer.tiles()?.tileset.clone())
        };
        let part =
            |part: &StampPart| StampPart { tileset: part.tileset.clone().or_else(|| tileset(part)), ..part.clone() };
        let parts = held.stamp.parts().iter().map(part).collect();
        return LayeredStamp::new(parts).ok_or_else(|| NO_BRUSH.to_owned());
    }
    if view.stamp.is_empty() {
        return Err(NO_BRUSH.to_owned());
    }
    let (layer, tiles) = layer
        .and_then(|layer| Some((layer, layer.tiles()?)))
        .ok_or("Choose the tile layer that the stamp is to paint on first")?;
    let part = StampPart { layer: layer.name.clone(), tileset: Some(tiles.tileset.clone()), tiles: view.stamp.clone() };
    LayeredStamp::new(vec![part]).ok_or_else(|| NO_BRUSH.to_owned())
}

const NO_BRUSH: &str = "Choose tiles in the Palette first, or take some from the level with the right button";

impl ViewState {
    /// Turn or mirror what brushes paint, all layers of it alike.
    pub fn change_brush(&mut self, change: impl Fn(&Stamp) -> Stamp) {
        self.stamp = change(&self.stamp);
        for held in &mut self.stamps {
            held.stamp = Arc::new(held.stamp.changed(&change));
        }
    }
}
