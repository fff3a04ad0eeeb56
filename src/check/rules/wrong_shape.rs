//! A tile's solid shape is not a convex area, or its animation does not last.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{FieldPath, Finding, Location, TileShape, check_convex},
};

pub(super) const RULE: Rule = Rule {
    name: "wrong-shape",
    doc: "A tile's solid shape is not a convex area, or its animation or cost is not above zero.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, tileset) in input.tilesets() {
        for (id, tile) in &tileset.tiles {
            let base = FieldPath::keys(["tiles", &id.to_string()]);
            let mut find = |path: FieldPath, message: String, fix: Option<Fix>| {
                out.push(Problem::new(Finding::error(RULE.name, Location::new(doc.clone(), path), message)).with(fix));
            };
            if let TileShape::Polygon(points) = &tile.shape
                && let Err(why) = check_convex(points)
            {
                let mut full = tile.clone();
                full.shape = TileShape::Full;
                let edit = Edit::SetTileDef { doc: doc.clone(), id: *id, tile: full };
                find(base.key("shape"), format!("tile {id}: {why}"), Some(Fix::new("Make the whole cell solid", edit)));
            }
            for (n, frame) in tile.frames.iter().enumerate().filter(|(_, frame)| frame.secs <= 0.0) {
                let message =
                    format!("frame {n} of tile {id} lasts {:?} s; it has to last longer than nothing", frame.secs);
                find(base.key("frames").index(n).key("secs"), message, None);
            }
            for (kind, cost) in tile.cost.iter().filter(|(_, cost)| **cost <= 0.0) {
                let message = format!("walking tile {id} costs {kind} {cost:?}; a step costs more than nothing");
                find(base.key("cost").key(kind), message, None);
            }
        }
    }
}
