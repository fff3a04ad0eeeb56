//! The picture of a tileset as it is worked on: which tileset that is, and which tile is where.

use std::collections::HashMap;

use super::{Selection, ViewState};
use crate::{
    defs::NameMap,
    model::{DocKind, DocPath, Project, TileDef, Tileset, counted, short_number},
    refactor::ShapeTemplate,
};

/// The tiles of a tileset by the cell of the picture that they show; of several on one cell, the first.
#[derive(Clone, Debug, Default)]
pub struct TilesByCell {
    ids: HashMap<[u32; 2], u32>,
    /// Columns and rows up to the last tile.
    size: [u32; 2],
}

impl TilesByCell {
    /// Those of a tileset.
    #[must_use]
    pub fn of(tileset: &Tileset) -> Self {
        let mut out = Self::default();
        for (id, tile) in &tileset.tiles {
            out.ids.entry(tile.at).or_insert(*id);
            out.size = [0, 1].map(|i| out.size[i].max(tile.at[i].saturating_add(1)));
        }
        out
    }

    /// The tile on a cell.
    #[must_use]
    pub fn at(&self, cell: [u32; 2]) -> Option<u32> {
        self.ids.get(&cell).copied()
    }

    /// Those between two opposite cells, both included, row by row.
    #[must_use]
    pub fn between(&self, a: [u32; 2], b: [u32; 2]) -> Vec<u32> {
        let lo = [0, 1].map(|i| a[i].min(b[i]));
        let end = [0, 1].map(|i: usize| a[i].max(b[i]).saturating_add(1).min(self.size[i]));
        (lo[1]..end[1]).flat_map(|y| (lo[0]..end[0]).filter_map(move |x| self.at([x, y]))).collect()
    }

    /// All of them, row by row.
    #[must_use]
    pub fn all(&self) -> Vec<u32> {
        let mut all: Vec<([u32; 2], u32)> = self.ids.iter().map(|(at, id)| (*at, *id)).collect();
        all.sort_unstable_by_key(|([x, y], _)| (*y, *x));
        all.into_iter().map(|(_, id)| id).collect()
    }
}

impl ViewState {
    /// The tileset whose picture is shown: the selected one, else the one shown last, else that of the layer worked on,
    /// else the first of `tilesets`.
    #[must_use]
    pub fn sheet_shown<'a>(
        &'a self,
        selection: &'a Selection,
        project: &'a Project,
        tilesets: &'a NameMap<DocPath>,
    ) -> Option<&'a DocPath> {
        let selected = selection.doc().filter(|doc| doc.kind() == Some(DocKind::Tileset));
        let known = selected.or(self.sheet.as_ref()).filter(|doc| project.tileset(doc).is_some());
        let of_layer = || {
            let level = project.level(self.level.as_ref()?)?;
            let layer = level.nth_layer(self.active_layer_of(self.level.as_ref()?, level)?)?;
            Some(&layer.tiles()?.tileset)
        };
        let usual = || self.tileset.as_ref().or_else(of_layer).and_then(|name| tilesets.get(name));
        known.or_else(usual).or_else(|| tilesets.values().next())
    }
}

/// A tile in a few lines: its name and id, what is solid of it, what a step on it costs, its tags.
#[must_use]
pub fn about_tile(tileset: &Tileset, id: u32, tile: &TileDef) -> String {
    let mut lines = vec![if tile.name.is_empty() { format!("tile {id}") } else { format!("{} ({id})", tile.name) }];
    let shape = ShapeTemplate::of(&tile.shape, tileset.tile_size);
    let mut solid = shape.map_or("a shape of its own", ShapeTemplate::title).to_owned();
    if tile.one_way {
        solid.push_str(", one-way");
    }
    lines.push(solid);
    if tile.ladder {
        lines.push("ladder".to_owned());
    }
    if tile.water {
        lines.push("water".to_owned());
    }
    if tile.conveyor != 0.0 {
        lines.push(format!("belt: {} px/s", short_number(tile.conveyor)));
    }
    let costs: Vec<String> = tile.cost.iter().map(|(agent, cost)| format!("{agent} {}", short_number(*cost))).collect();
    if !costs.is_empty() {
        lines.push(format!("cost: {}", costs.join(", ")));
    }
    if !tile.tags.is_empty() {
        lines.push(format!("tags: {}", tile.tags.join(", ")));
    }
    if !tile.frames.is_empty() {
        lines.push(format!("animated: {}", counted(tile.frames.len(), "frame")));
    }
    lines.join("\n")
}
