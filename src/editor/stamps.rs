//! Stamps in hand: those of the project that were picked, and a new one of what is in hand.

use std::sync::Arc;

use super::ViewState;
use crate::{
    edit::{LayeredStamp, Stamp, StampPart, TilesOf},
    model::{DocPath, Layer, Level, Name, Project, StampFile},
    refactor::{LayerKind, NewLayer},
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
pub fn new_stamp_of(view: &ViewState, layer: Option<&Layer>) -> Result<LayeredStamp, String> {
    if let Some(held) = view.stamps.first() {
        let stamp = LayeredStamp::clone(&held.stamp).of_tiles();
        let has_values = stamp.parts().iter().any(|part| part.tileset.is_none());
        return if has_values { Err(NO_VALUES.to_owned()) } else { Ok(stamp) };
    }
    if view.stamp.is_empty() {
        return Err(NO_BRUSH.to_owned());
    }
    let (layer, tiles) = layer
        .and_then(|layer| Some((layer, layer.tiles()?)))
        .ok_or("Choose the tile layer that the stamp is to paint on first")?;
    let here = TilesOf::Tileset(tiles.tileset.clone());
    if let Some(of) = view.stamp_of.as_ref().filter(|of| **of != here) {
        return Err(format!("The brush has {of}, and “{}” has {here}: choose a layer of the same tileset", layer.name));
    }
    let part = StampPart { layer: layer.name.clone(), tileset: Some(tiles.tileset.clone()), tiles: view.stamp.clone() };
    LayeredStamp::new(vec![part]).ok_or_else(|| NO_BRUSH.to_owned())
}

const NO_VALUES: &str = "Stamps hold tiles; what is in hand are values";
const NO_BRUSH: &str = "Choose tiles in the Palette first, or take some from the level with the right button";

/// The layer that copied tiles are pasted on: the one worked on where it holds such tiles, else one that is shown and
/// not locked: of the name that they were copied from, or the nearest.
#[must_use]
pub fn layer_to_paste_on(view: &ViewState, (doc, level): (&DocPath, &Level), part: &StampPart) -> Option<Name> {
    let of = of_part(part);
    let fits = |layer: &Layer| layer.cells().is_some_and(|cells| TilesOf::cells(cells) == of);
    let number = view.active_layer_of(doc, level);
    let mut open = view.layers_seen(doc, level);
    open.retain(|it| fits(it.layer) && !it.look.locked && it.is_shown);
    let rank = |name: &Name, at: usize| (number != Some(at), *name != part.layer, at.abs_diff(number.unwrap_or(0)));
    open.into_iter().min_by_key(|it| rank(&it.layer.name, it.number)).map(|it| it.layer.name.clone())
}

/// The layer that a level lacks for copied tiles, as it is offered, and why; the former is none where the project lacks
/// their tileset.
#[must_use]
pub fn layer_lacking(
    (project, view): (&Project, &ViewState),
    (doc, level): (&DocPath, &Level),
    part: &StampPart,
) -> (Option<NewLayer>, String) {
    let of = of_part(part);
    let active = view.active_layer_of(doc, level).and_then(|at| level.nth_layer(at)).map(|layer| layer.name.clone());
    let mut new = NewLayer::new((doc, level), part.tileset.clone(), active);
    if part.tileset.is_none() {
        new.change_kind(LayerKind::Values, level);
    }
    if level.layer(&part.layer).is_none() {
        new.name = part.layer.to_string();
    }
    match &part.tileset {
        Some(tileset) if project.tileset_named(tileset).is_none() => {
            (None, format!("These are {of}, and the project has no tileset `{tileset}`"))
        }
        _ => {
            let stem = doc.stem();
            (Some(new), format!("These are {of}, and {stem} has no open layer for them: add one, then paste again"))
        }
    }
}

fn of_part(part: &StampPart) -> TilesOf {
    part.tileset.clone().map_or(TilesOf::Values, TilesOf::Tileset)
}

impl ViewState {
    /// Turn or mirror what brushes paint, all layers of it alike.
    pub fn change_brush(&mut self, change: impl Fn(&Stamp) -> Stamp) {
        self.stamp = change(&self.stamp);
        for held in &mut self.stamps {
            held.stamp = Arc::new(held.stamp.changed(&change));
        }
    }
}
