//! What makes a document useless although every field has the right type: a tile of no size, a format from the future.
//! Only what one document shows by itself, and only what would make later code fail; the rest is `check`.

use crate::model::{
    DocPath, Document, Expected, ExpectedPlace, FieldPath, Level, Scenario, State, TerrainMode, Tile, Tileset, When,
};

/// The format this program reads and writes.
const FORMAT: u32 = 1;
/// The longest side of a level, in tiles, and of a tile, in pixels.
const MAX_SIDE: u32 = 1 << 20;

/// Something unusable: rule, place, whether its key is meant, message.
pub(crate) type Unsound = (&'static str, FieldPath, bool, String);

/// Everything unusable about a document.
pub(crate) fn unsound(path: &DocPath, document: &Document) -> Vec<Unsound> {
    let mut out = Vec::new();
    match document {
        Document::Project(file) => {
            if file.format != FORMAT {
                let message = format!("format {} is not known; this version reads format {FORMAT}", file.format);
                out.push(("unknown-format", FieldPath::keys(["format"]), false, message));
            }
        }
        Document::Level(level) => check_level(level, &mut out),
        Document::Tileset(tileset) => check_tileset(path, tileset, &mut out),
        Document::Scenario(scenario) => check_scenario(scenario, &mut out),
        Document::Machines(file) => {
            for (name, machine) in &file.machines {
                check_states(&machine.root, &FieldPath::keys([name]), &mut out);
            }
        }
        Document::Entities(_) | Document::Tuning(_) | Document::Schema(_) => {}
    }
    out
}

fn value(path: FieldPath, message: impl Into<String>) -> Unsound {
    ("wrong-value", path, false, message.into())
}

fn check_sides(name: &str, sides: [u32; 2], out: &mut Vec<Unsound>) {
    if sides.iter().any(|side| !(1..=MAX_SIDE).contains(side)) {
        out.push(value(FieldPath::keys([name]), format!("each side of `{name}` is from 1 to {MAX_SIDE}")));
    }
}

fn check_level(level: &Level, out: &mut Vec<Unsound>) {
    check_sides("tile_size", level.tile_size, out);
    if let Some(size) = level.size {
        check_sides("size", size, out);
    }
    for (i, layer) in level.layers.iter().enumerate() {
        let at = FieldPath::keys(["layers"]).index(i);
        if !(0.0..=1.0).contains(&layer.opacity) {
            out.push(value(at.key("opacity"), "opacity is from 0 to 1"));
        }
        let Some(graph) = layer.waypoints() else { continue };
        if graph.radius < 0.0 {
            out.push(value(at.key("radius"), "a radius is not below zero"));
        }
        for (j, link) in graph.links.iter().enumerate() {
            if link.cost.is_some_and(|cost| cost < 0.0) {
                out.push(value(at.key("links").index(j).key("cost"), "a cost is not below zero"));
            }
        }
    }
}

fn check_tileset(path: &DocPath, tileset: &Tileset, out: &mut Vec<Unsound>) {
    check_sides("tile_size", tileset.tile_size, out);
    if crate::io::files::beside(path, &tileset.image).is_none() {
        let message = format!("`{}` is not a path inside the project", tileset.image);
        out.push(("outside-project", FieldPath::keys(["image"]), false, message));
    }
    for (id, tile) in &tileset.tiles {
        let at = FieldPath::keys(["tiles"]).key(&id.to_string());
        if *id > Tile::MAX_ID {
            out.push(("wrong-value", at.clone(), true, format!("the largest tile id is {}", Tile::MAX_ID)));
        }
        for (agent, cost) in &tile.cost {
            if *cost < 0.0 {
                out.push(value(at.key("cost").key(agent), "a cost is not below zero"));
            }
        }
        for (i, frame) in tile.frames.iter().enumerate() {
            if frame.secs <= 0.0 {
                out.push(value(at.key("frames").index(i).key("secs"), "a frame is shown for more than no time"));
            }
        }
        if tile.weight < 0.0 {
            out.push(value(at.key("weight"), "a weight is not below zero"));
        }
        if tile.friction.is_some_and(|friction| friction < 0.0) {
            out.push(value(at.key("friction"), "friction is not below zero"));
        }
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

fn check_scenario(scenario: &Scenario, out: &mut Vec<Unsound>) {
    if scenario.secs <= 0.0 {
        out.push(value(FieldPath::keys(["secs"]), "a scenario runs for more than no time"));
    }
    for (i, cue) in scenario.script.iter().enumerate() {
        if cue.at < 0.0 {
            out.push(value(FieldPath::keys(["script"]).index(i).key("at"), "a time is not below zero"));
        }
    }
    for (i, expectation) in scenario.expect.iter().enumerate() {
        let at = FieldPath::keys(["expect"]).index(i);
        match expectation.when {
            When::At(secs) if secs < 0.0 => out.push(value(at.key("at"), "a time is not below zero")),
            When::By(secs) if secs < 0.0 => out.push(value(at.key("by"), "a time is not below zero")),
            _ => {}
        }
        if matches!(expectation.what, Expected::Near(ExpectedPlace { within, .. }) if within < 0.0) {
            out.push(value(at.key("within"), "a distance is not below zero"));
        }
    }
}
