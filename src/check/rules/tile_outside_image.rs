//! A tile whose picture is outside its tileset's image.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{FieldPath, Finding, Location},
};

pub(super) const RULE: Rule =
    Rule { name: "tile-outside-image", doc: "A tile's picture lies outside its tileset's image.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let Some(images) = input.images else { return };
    for (doc, tileset) in input.tilesets() {
        let image = doc.beside(&tileset.image).and_then(|path| images.get(&path)?.clone().ok());
        let Some([width, height]) = image else { continue };
        for (id, tile) in &tileset.tiles {
            let [x, y] = tileset.source_px(tile);
            let [w, h] = tileset.tile_size;
            if x.saturating_add(w) > width || y.saturating_add(h) > height {
                let path = FieldPath::keys(["tiles", &id.to_string(), "at"]);
                let message = format!(
                    "tile {id} is at pixels ({x}, {y}), outside `{}`, which is {width}×{height}",
                    tileset.image
                );
                out.push(Problem::new(Finding::error(RULE.name, Location::new(doc.clone(), path), message)));
            }
        }
    }
}
