//! What makes a document useless although every field has the right type and its number is within the declared limits:
//! a format from the future, a terrain with too few sides. Only what one document shows by itself; the rest is `check`.
//! The reader refuses it, and so do edits.

use std::sync::Arc;

use super::{
    DocPath, Document, FieldPath, Layer, Level, State, TerrainMode, Tile, Tileset, ValueLayer, layer_tree::MAX_DEPTH,
    region_of,
};

/// The format this program reads and writes.
const FORMAT: u32 = 1;

/// Something unusable: rule, place, whether its key is meant, message.
pub type Unsound = (&'static str, FieldPath, bool, String);

/// Everything unusable about a document.
#[must_use]
pub fn unsound(path: &DocPath, document: &Document) -> Vec<Unsound> {
    let mut out = Vec::new();
    match document {
        Document::Project(file) => {
            if file.format != FORMAT {
                let message = format!("format {} is not known; this version reads format {FORMAT}", file.format);
                out.push(("unknown-format", FieldPath::keys(["format"]), false, message));
            }
        }
        Document::Tileset(tileset) => check_tileset(path, tileset, &mut out),
        Document::Machines(file) => {
            for (name, machine) in &file.machines {
                check_states(&machine.root, &FieldPath::keys([name]), &mut out);
            }
        }
        Document::Level(level) => return unsound_level(level),
        Document::Region(region) => {
            for (name, tiles) in &region.layers {
                let own = path.region_of().map(|(_, at)| at);
                for [x, y] in tiles.chunks().map(|(at, _)| at).filter(|at| Some(region_of(*at)) != own) {
                    let at = FieldPath::keys(["layers"]).key(name).key(&format!("({x}, {y})"));
                    out.push(("wrong-value", at, true, "this chunk belongs into another region's file".to_owned()));
                }
            }
        }
        Document::Entities(_)
        | Document::Tuning(_)
        | Document::Scenario(_)
        | Document::Stamp(_)
        | Document::Schema(_) => {}
    }
    out
}

/// Everything unusable about a level.
fn unsound_level(level: &Level) -> Vec<Unsound> {
    let mut out = Vec::new();
    let (all, paths) = (level.all_layers(), level.layer_paths());
    for (layer, at) in all.iter().zip(&paths) {
        if let Some(image) = layer.image().filter(|it| !it.image.is_empty() && DocPath::new(&it.image).is_none()) {
            let message = format!("`{}` is not a path inside the project", image.image);
            out.push(("outside-project", at.key("image"), false, message));
        }
    }
    for (layer, at) in all.iter().zip(&paths) {
        if let Some(values) = layer.values() {
            check_values(values, at, &mut out);
        }
    }
    check_depth(&level.layers, 0, &FieldPath::root(), &mut out);
    out
}

fn value(path: FieldPath, message: impl Into<String>) -> Unsound {
    ("wrong-value", path, false, message.into())
}

/// Groups are in each other only so deep that a file of the level can be read.
fn check_depth(layers: &[Arc<Layer>], n_around: usize, group: &FieldPath, out: &mut Vec<Unsound>) {
    for (at, layer) in layers.iter().enumerate().filter(|(_, layer)| layer.is_group()) {
        let path = group.key("layers").index(at);
        if n_around == MAX_DEPTH {
            out.push(value(path, too_deep_message()));
        } else {
            check_depth(layer.children(), n_around + 1, &path, out);
        }
    }
}

fn too_deep_message() -> String {
    format!("groups of layers may be in each other at most {MAX_DEPTH} deep")
}

/// Why a layer cannot be in so many groups: what is in it would be too deep.
#[must_use]
pub fn too_deep(layer: &Layer, n_around: usize) -> Option<String> {
    fn is_too_deep(layer: &Layer, n_around: usize) -> bool {
        let inside = || layer.children().iter().any(|it| is_too_deep(it, n_around + 1));
        layer.is_group() && (n_around >= MAX_DEPTH || inside())
    }
    is_too_deep(layer, n_around).then(too_deep_message)
}

/// Values have numbers from 1 on, and no flips.
fn check_values(layer: &ValueLayer, at: &FieldPath, out: &mut Vec<Unsound>) {
    let range = || format!("a value is a number from 1 to {}", ValueLayer::MAX);
    for id in layer.names.keys().filter(|id| !(1..=ValueLayer::MAX).contains(*id)) {
        out.push(("wrong-value", at.key("names").key(&id.to_string()), true, range()));
    }
    // Most chunks have none; their rows are not read.
    let chunks = layer.values.chunks().filter(|(_, chunk)| !chunk.kinds().all(ValueLayer::allows));
    for ([x, y], chunk) in chunks {
        for (row, _) in chunk.rows().enumerate().filter(|(_, row)| !row.iter().all(|tile| ValueLayer::allows(*tile))) {
            let at = at.key("chunks").key(&format!("({x}, {y})")).index(row);
            out.push(("wrong-tile", at, false, format!("{}, without flips; `.` is none", range())));
        }
    }
}

fn check_tileset(path: &DocPath, tileset: &Tileset, out: &mut Vec<Unsound>) {
    if path.beside(&tileset.image).is_none() {
        let message = format!("`{}` is not a path inside the project", tileset.image);
        out.push(("outside-project", FieldPath::keys(["image"]), false, message));
    }
    for id in tileset.tiles.keys().filter(|id| **id > Tile::MAX_ID) {
        let at = FieldPath::keys(["tiles"]).key(&id.to_string());
        out.push(("wrong-value", at, true, format!("the largest tile id is {}", Tile::MAX_ID)));
    }
    for (i, terrain) in tileset.terrains.iter().enumerate() {
        let n_sides = if terrain.mode == TerrainMode::Mixed { 8 } else { 4 };
        for (id, sides) in &terrain.tiles {
            let n_found = sides.split(',').count();
            if n_found != n_sides {
                let at = FieldPath::keys(["terrains"]).index(i).key("tiles").key(&id.to_string());
                out.push(value(at, format!("expected {n_sides} sides separated by commas, found {n_found}")));
            }
        }
    }
}

/// A state is addressed by its path, so its own name cannot hold what joins a path.
fn check_states(state: &State, at: &FieldPath, out: &mut Vec<Unsound>) {
    for (name, inside) in &state.states {
        let at = at.key("states").key(name);
        if name.contains('/') {
            let message = format!("a state cannot be called `{name}`: `/` joins the names of states in a path");
            out.push(("wrong-value", at.clone(), true, message));
        }
        check_states(inside, &at, out);
    }
}
