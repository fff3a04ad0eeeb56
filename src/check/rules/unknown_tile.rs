//! A cell, an animation or a terrain with a tile that its tileset does not define.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{
        CHUNK, Cell, Chunk, DocPath, FieldPath, Finding, Layer, LayerContent, Level, Location, Tile, ValueLayer,
        chunk_of, counted, region_of,
    },
};

pub(super) const RULE: Rule = Rule {
    name: "unknown-tile",
    doc: "A cell, animation or terrain shows a tile that its tileset does not define.",
    check,
};

/// The place in the text of a cell's row: in a region's file if the level keeps its tiles there.
fn row_at(doc: &DocPath, level: &Level, layer: usize, cell: Cell) -> Location {
    let (chunk, _) = chunk_of(cell);
    let region = if level.regions { doc.region(region_of(chunk)) } else { None };
    match (region, level.nth_layer(layer)) {
        (Some(region), Some(layer)) => {
            // Without the key of the record for the layer: in a region its chunks are right below its name.
            let row = FieldPath(row_of(cell).0.into_iter().skip(1).collect());
            Location::new(region, FieldPath::keys(["layers"]).key(&layer.name).join(&row))
        }
        _ => Location::new(doc.clone(), level.layer_at(layer).join(&row_of(cell))),
    }
}

/// A value that no cell can have, in a region: only the level shows that these are values.
fn wrong_value((doc, level): (&DocPath, &Level), at: usize, layer: &Layer, values: &ValueLayer) -> Option<Problem> {
    let strange = |(_, chunk): &(Cell, &Arc<Chunk>)| !chunk.kinds().all(ValueLayer::allows);
    let cells = values.values.chunks().filter(strange).flat_map(|([x, y], chunk)| {
        let cells = (0..).zip(chunk.tiles()).filter(|(_, tile)| !ValueLayer::allows(*tile));
        cells.map(move |(i, _)| [x * CHUNK + i % CHUNK, y * CHUNK + i / CHUNK])
    });
    let cells: Vec<Cell> = cells.collect();
    let first = cells.iter().copied().min_by_key(|[x, y]| (*y, *x))?;
    let message = format!(
        "cell ({}, {}) of layer `{}` has no value: these are numbers from 1 to {}, without flips",
        first[0],
        first[1],
        layer.name,
        ValueLayer::MAX
    );
    let cells = cells.into_iter().map(|cell| (cell, Tile::EMPTY)).collect();
    let edit = Edit::PaintTiles { doc: doc.clone(), layer: layer.name.clone(), cells };
    let finding = Finding::error(RULE.name, row_at(doc, level, at, first), message);
    Some(Problem::new(finding).with([Fix::new("Erase these cells", edit)]))
}

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            if let LayerContent::Values(values) = &layer.content {
                out.extend(wrong_value((doc, level), i, layer, values));
            }
            let LayerContent::Tiles(tiles) = &layer.content else { continue };
            let Some(tileset) = input.tileset(&tiles.tileset) else { continue };
            let mut unknown: BTreeMap<u32, Vec<Cell>> = BTreeMap::new();
            let strange = |tile: Tile| tile.id().filter(|id| !tileset.tiles.contains_key(id));
            for ([x, y], chunk) in tiles.tiles.chunks() {
                // Most chunks have known tiles only; their cells need no coordinates.
                if chunk.kinds().all(|tile| strange(tile).is_none()) {
                    continue;
                }
                for (i, tile) in (0..).zip(chunk.tiles()) {
                    if let Some(id) = strange(tile) {
                        unknown.entry(id).or_default().push([x * CHUNK + i % CHUNK, y * CHUNK + i / CHUNK]);
                    }
                }
            }
            for (id, cells) in unknown {
                let Some(first) = cells.iter().copied().min_by_key(|[x, y]| (*y, *x)) else { continue };
                let location = row_at(doc, level, i, first);
                let more = if cells.len() > 1 {
                    format!(" and {}", counted(cells.len() - 1, "more cell"))
                } else {
                    String::new()
                };
                let message = format!(
                    "tileset `{}` has no tile {id}, which cell ({}, {}){more} of layer `{}` shows",
                    tiles.tileset, first[0], first[1], layer.name
                );
                let edit = Edit::PaintTiles {
                    doc: doc.clone(),
                    layer: layer.name.clone(),
                    cells: cells.into_iter().map(|cell| (cell, Tile::EMPTY)).collect(),
                };
                let fix = Fix::new("Erase these cells", edit);
                out.push(Problem::new(Finding::error(RULE.name, location, message)).with([fix]));
            }
        }
    }
    for (doc, stamp) in input.stamps() {
        for (i, layer) in stamp.layers.iter().enumerate() {
            let Some(tileset) = input.tileset(&layer.tileset) else { continue };
            let unknown = |(_, tile): &(Cell, Tile)| tile.id().is_some_and(|id| !tileset.tiles.contains_key(&id));
            let mut cells = layer.tiles.iter().filter(unknown);
            let Some((cell, tile)) = cells.next() else { continue };
            let more = match cells.count() {
                0 => String::new(),
                n => format!(" and {}", counted(n, "more cell")),
            };
            let message = format!(
                "tileset `{}` has no tile {}, which cell ({}, {}){more} of layer `{}` shows",
                layer.tileset,
                tile.id().unwrap_or_default(),
                cell[0],
                cell[1],
                layer.name
            );
            let path = FieldPath::keys(["layers"]).index(i).join(&row_of(cell));
            out.push(Problem::new(Finding::error(RULE.name, Location::new(doc.clone(), path), message)));
        }
    }
    for (doc, tileset) in input.tilesets() {
        let mut look = |id: u32, path: FieldPath, what: &str| {
            if !tileset.tiles.contains_key(&id) {
                let message = format!("{what} shows tile {id}, which this tileset does not define");
                out.push(Problem::new(Finding::error(RULE.name, Location::new(doc.clone(), path), message)));
            }
        };
        for (id, tile) in &tileset.tiles {
            for (n, frame) in tile.frames.iter().enumerate() {
                let path = FieldPath::keys(["tiles", &id.to_string(), "frames"]).index(n).key("tile");
                look(frame.tile, path, &format!("the animation of tile {id}"));
            }
        }
        for (n, terrain) in tileset.terrains.iter().enumerate() {
            for id in terrain.tiles.keys() {
                let path = FieldPath::keys(["terrains"]).index(n).key("tiles").key(&id.to_string());
                look(*id, path, &format!("terrain `{}`", terrain.name));
            }
        }
    }
}

/// The place of a cell's row in a layer's part of a file.
fn row_of(cell: Cell) -> FieldPath {
    let ([cx, cy], _) = chunk_of(cell);
    let row = usize::try_from(cell[1].rem_euclid(CHUNK)).unwrap_or(0);
    FieldPath::keys(["chunks"]).key(&format!("({cx}, {cy})")).index(row)
}
