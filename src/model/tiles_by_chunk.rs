//! What is done with all tiles of a layer at once: moving them, cutting them off at a rectangle, putting others over
//! them.
//!
//! Invariant: a chunk that stays as it is stays shared, and cells are looked at one by one only in chunks that do not.

use std::{ops::Range, sync::Arc};

use super::{CHUNK, Cell, Chunk, REGION, Tile, Tiles, chunk_of};

const CELLS: usize = (CHUNK * CHUNK) as usize;

/// The columns and rows of a square of cells that are in a rectangle, both corners included, counted from the square's
/// left top. `at` is which of such squares it is.
fn overlap(at: Cell, side: i32, (lo, hi): (Cell, Cell)) -> [Range<i32>; 2] {
    [0, 1].map(|i| {
        let first = i64::from(at[i]) * i64::from(side);
        let inside = |cell: i64| i32::try_from((cell - first).clamp(0, i64::from(side))).unwrap_or(side);
        inside(lo[i].into())..inside(i64::from(hi[i]) + 1)
    })
}

fn is_whole(part: &[Range<i32>; 2], side: i32) -> bool {
    part.iter().all(|range| *range == (0..side))
}

fn index(x: i32, y: i32) -> usize {
    chunk_of([x, y]).1
}

impl Tiles {
    /// How many tiles are outside a rectangle of cells, both corners included.
    #[must_use]
    pub fn n_outside(&self, rect: (Cell, Cell)) -> usize {
        let side = REGION * CHUNK;
        let regions = self.regions().filter(|at| !is_whole(&overlap(*at, side, rect), side));
        let chunks = regions.flat_map(|at| {
            let first = at.map(|at| at * REGION);
            self.chunks_between(first, first.map(|at| at + REGION - 1))
        });
        let n_outside = chunks.map(|(at, chunk)| {
            let [columns, rows] = overlap(at, CHUNK, rect);
            if is_whole(&[columns.clone(), rows.clone()], CHUNK) {
                return 0;
            }
            let inside = rows.flat_map(|y| columns.clone().map(move |x| chunk.get(index(x, y))));
            chunk.n_tiles() - inside.filter(|tile| !tile.is_empty()).count()
        });
        n_outside.sum()
    }

    /// These tiles moved by columns and rows; of them those that are in a rectangle of cells then, both corners
    /// included.
    #[must_use]
    pub fn moved(&self, by: Cell, rect: (Cell, Cell)) -> Self {
        let far = by.map(|by| by.div_euclid(CHUNK));
        let near = by.map(|by| by.rem_euclid(CHUNK));
        // A chunk that does not come to lie on one comes to lie on two, in each direction.
        let parts: Vec<Cell> = [[0, 0], [0, 1], [1, 0], [1, 1]]
            .into_iter()
            .filter(|part| (0..2).all(|i| part[i] == 0 || near[i] > 0))
            .collect();
        let mut moved = Self::default();
        for (at, chunk) in self.chunks() {
            for part in &parts {
                let to = [0, 1].map(|i| at[i] + far[i] + part[i]);
                let inside = overlap(to, CHUNK, rect);
                let source = |part: &Cell| [0, 1].map(|i| to[i] - far[i] - part[i]);
                // The chunk is made when the first that it is made of comes.
                let first = parts.iter().map(source).find(|at| self.chunk(*at).is_some());
                if first != Some(at) || inside.iter().any(Range::is_empty) {
                    continue;
                }
                if parts.len() == 1 && is_whole(&inside, CHUNK) {
                    moved.share_chunk(to, Arc::clone(chunk));
                    continue;
                }
                let mut tiles = [Tile::EMPTY; CELLS];
                for part in &parts {
                    let Some(from) = self.chunk(source(part)).map(|chunk| chunk.to_tiles()) else { continue };
                    let [columns, rows] = [0, 1].map(|i| {
                        let range = if part[i] == 0 { near[i]..CHUNK } else { 0..near[i] };
                        range.start.max(inside[i].start)..range.end.min(inside[i].end)
                    });
                    if columns.is_empty() {
                        continue;
                    }
                    for y in rows {
                        let [to, from_row] = [(0, 0), (near[0], near[1])].map(|(dx, dy)| {
                            let start = index(columns.start - dx, y - dy);
                            start..start + columns.len()
                        });
                        if let Some((to, from)) = tiles.get_mut(to).zip(from.get(from_row)) {
                            to.copy_from_slice(from);
                        }
                    }
                }
                moved.set_chunk(to, Chunk::from(&tiles));
            }
        }
        moved
    }

    /// Put other tiles over these; regions and chunks where these have none are shared with the others. Returns how
    /// many of these were others than those that are in their place now.
    pub fn put_over(&mut self, front: &Self) -> usize {
        let mut n_covered = 0;
        let (free, both): (Vec<Cell>, Vec<Cell>) = front.regions().partition(|at| !self.has_region(*at));
        free.into_iter().for_each(|at| self.share_region(at, front));
        let first = |at: &Cell| at.map(|at| at * REGION);
        let chunks = both.iter().flat_map(|at| front.chunks_between(first(at), first(at).map(|at| at + REGION - 1)));
        for (at, chunk) in chunks {
            let Some(back) = self.chunk(at) else {
                self.share_chunk(at, Arc::clone(chunk));
                continue;
            };
            if Arc::ptr_eq(back, chunk) {
                continue;
            }
            let (mut tiles, over) = (back.to_tiles(), chunk.to_tiles());
            let mut is_changed = false;
            for (tile, over) in tiles.iter_mut().zip(over).filter(|(tile, over)| !over.is_empty() && **tile != *over) {
                n_covered += usize::from(!tile.is_empty());
                *tile = over;
                is_changed = true;
            }
            if is_changed && tiles == over {
                self.share_chunk(at, Arc::clone(chunk));
            } else if is_changed {
                self.set_chunk(at, Chunk::from(&tiles));
            }
        }
        n_covered
    }
}
