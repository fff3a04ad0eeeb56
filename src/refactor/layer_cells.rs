//! Giving a layer cells of another size, with its tiles at their places or in their columns and rows.
//!
//! Invariant: a tile that keeps its place has its left top corner in the cell it goes to. Where several do, the first
//! from the left top stays, and the others are lost only where the user agreed.

use std::sync::Arc;

use super::Plan;
use crate::{
    edit::{Edit, MAX_CELLS, Refusal},
    model::{CHUNK, Cell, Chunk, DocPath, Layer, Level, Name, Project, Tile, Tiles, counted},
};

/// A layer of tiles or values that is to get cells of another size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerCells {
    /// The level.
    pub doc: DocPath,
    /// The layer.
    pub layer: Name,
    /// The new width and height of a cell, in pixels.
    pub size: [u32; 2],
    /// Whether tiles stay where they are in the level; else they stay in their columns and rows.
    pub keeps_places: bool,
    /// Whether tiles that cannot all be in one cell may be lost.
    pub may_lose: bool,
}

impl LayerCells {
    /// Of a layer, at first of the size it has.
    #[must_use]
    pub fn new((doc, level): (&DocPath, &Level), layer: &Layer) -> Self {
        let size = level.grid_of(layer).px;
        Self { doc: doc.clone(), layer: layer.name.clone(), size, keeps_places: true, may_lose: false }
    }

    /// The width and height of a cell now.
    fn size_now(&self, level: &Level) -> Option<[u32; 2]> {
        level.layer(&self.layer).map(|(_, layer)| level.grid_of(layer).px)
    }

    /// What is wrong with the size, as a sentence.
    #[must_use]
    pub fn size_problem(&self, project: &Project) -> Option<String> {
        if self.size.iter().any(|side| !(1..=MAX_CELLS).contains(side)) {
            return Some(format!("A cell is 1 to {MAX_CELLS} px wide and high"));
        }
        let level = project.level(&self.doc)?;
        let now = self.size_now(level)?;
        let does_fit = |i: usize| now[i].is_multiple_of(self.size[i]) || self.size[i].is_multiple_of(now[i]);
        (self.keeps_places && !(does_fit(0) && does_fit(1))).then(|| {
            format!("Tiles keep their places where the new size divides {} × {} or is a multiple of it", now[0], now[1])
        })
    }

    /// Whether several tiles may come into one cell.
    #[must_use]
    pub fn may_share(&self, project: &Project) -> bool {
        let now = project.level(&self.doc).and_then(|level| self.size_now(level));
        self.keeps_places && now.is_some_and(|now| (0..2).any(|i| self.size[i] > now[i]))
    }

    /// The tiles at their places in cells of the new size, and how many found their cell taken.
    fn placed(&self, tiles: &Tiles, now: [u32; 2]) -> (Tiles, usize) {
        let to = |at: i32, i: usize| {
            let px = i64::from(at) * i64::from(now[i]);
            i32::try_from(px.div_euclid(i64::from(self.size[i]))).unwrap_or(if at < 0 { i32::MIN } else { i32::MAX })
        };
        let (mut placed, mut n_lost) = (Tiles::default(), 0);
        let mut chunks: Vec<(Cell, &Arc<Chunk>)> = tiles.chunks().collect();
        chunks.sort_unstable_by_key(|([x, y], _)| (*y, *x));
        // From the left top, row by row over all chunks beside each other.
        for beside in chunks.chunk_by(|(a, _), (b, _)| a[1] == b[1]) {
            let mut rows: Vec<_> =
                beside.iter().map(|([x, y], chunk)| ([x * CHUNK, y * CHUNK], chunk.rows())).collect();
            for y in 0..CHUNK {
                let mut row: Vec<(Cell, Tile)> = Vec::new();
                for ([left, top], rows) in &mut rows {
                    let used = (0..CHUNK).zip(rows.next().into_iter().flatten()).filter(|(_, tile)| !tile.is_empty());
                    for (x, tile) in used {
                        let cell = [to(*left + x, 0), to(*top + y, 1)];
                        if row.last().is_some_and(|(last, _)| *last == cell) || !placed.get(cell).is_empty() {
                            n_lost += 1;
                        } else {
                            row.push((cell, tile));
                        }
                    }
                }
                placed.paint(row);
            }
        }
        (placed, n_lost)
    }
}

/// The plan that does it.
pub(super) fn change(project: &Project, it: &LayerCells) -> Result<Plan, Refusal> {
    if let Some(why) = it.size_problem(project) {
        return Err(Refusal::new(why));
    }
    let level = project.level(&it.doc).ok_or_else(|| Refusal::new(format!("there is no level `{}`", it.doc)))?;
    let Some((number, layer)) = level.layer(&it.layer) else {
        return Err(Refusal::new(format!("there is no layer `{}` in this level", it.layer)));
    };
    let Some(cells) = layer.cells() else {
        return Err(Refusal::new(format!("“{}” has no cells", it.layer)));
    };
    if let Some(locked) = level.lock_on(number) {
        return Err(Refusal::new(format!("unlock “{}” to change the cells of “{}”", locked.name, it.layer)));
    }
    let now = level.grid_of(layer);
    if now.px == it.size {
        return Err(Refusal::new(format!("its cells are {} already", now.px_text())));
    }
    // Those of the level's size are the level's.
    let own = Some(it.size).filter(|size| *size != level.grid().px);
    let at = level.layer_at(&*it.layer);
    let mut edits = vec![Edit::set_at(&it.doc, at.key("tile_size"), &own)];
    let mut label = format!("Set the tile size of {} to {} × {} px", it.layer, it.size[0], it.size[1]);
    if it.keeps_places {
        let (placed, n_lost) = it.placed(cells.tiles, now.px);
        if n_lost > 0 && !it.may_lose {
            let n = counted(n_lost, "tile");
            return Err(Refusal::new(format!(
                "{n} would be lost, where several come into one cell; agree to it above"
            )));
        }
        if n_lost > 0 {
            label = format!("{label}, without {}", counted(n_lost, "tile"));
        }
        edits.push(Edit::set_at(&it.doc, at.key("chunks"), &placed));
    }
    Ok(Plan { label, edits })
}
