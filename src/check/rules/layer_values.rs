//! Sizes and layer properties that cannot be drawn: no width, no height, an opacity that is none.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::{Edit, LayerPatch},
    model::{FieldPath, Finding, Location},
};

pub(super) const RULE: Rule = Rule {
    name: "layer-values",
    doc: "A level's or tileset's size is zero, or a layer's opacity is not from 0 to 1.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        let mut zero = |size: [u32; 2], key: &str| {
            if size.contains(&0) {
                let at = Location::new(doc.clone(), FieldPath::keys([key]));
                let message = format!("`{key}` is ({}, {}); both are at least 1", size[0], size[1]);
                out.push(Problem::new(Finding::error(RULE.name, at, message)));
            }
        };
        zero(level.tile_size, "tile_size");
        zero(level.size.unwrap_or([1, 1]), "size");
        for (i, layer) in level.layers.iter().enumerate() {
            if (0.0..=1.0).contains(&layer.opacity) {
                continue;
            }
            let at = Location::new(doc.clone(), FieldPath::keys(["layers"]).index(i).key("opacity"));
            let opacity = layer.opacity.clamp(0.0, 1.0);
            let patch = LayerPatch { opacity: Some(opacity), ..LayerPatch::default() };
            let fix = Fix::new(
                format!("Use {opacity:?}, the nearest allowed"),
                Edit::SetLayer { doc: doc.clone(), layer: layer.name.clone(), patch },
            );
            let message = format!("opacity {:?} is not from 0 to 1", layer.opacity);
            out.push(Problem::new(Finding::warning(RULE.name, at, message)).with([fix]));
        }
    }
    for (doc, tileset) in input.tilesets() {
        if tileset.tile_size.contains(&0) {
            let at = Location::new(doc.clone(), FieldPath::keys(["tile_size"]));
            let [w, h] = tileset.tile_size;
            let message = format!("`tile_size` is ({w}, {h}); both are at least 1");
            out.push(Problem::new(Finding::error(RULE.name, at, message)));
        }
    }
}
