//! The colors of chunks added up, which what is seen from afar is made of, at any distance: each chunk is looked into
//! once.
//!
//! Invariant: what is kept is of the tiles it was last brought up to, region by region.

use std::collections::BTreeMap;

use super::TileAtlas;
use crate::model::{Cell, Chunk, REGION, Tiles, region_of};

/// Colors of cells added up, with alpha multiplied in.
pub(super) type Sum = [u64; 4];

/// The sums of a layer's chunks.
#[derive(Debug, Default)]
pub struct ChunkSums {
    shown: Tiles,
    regions: BTreeMap<Cell, RegionSums>,
}

#[derive(Debug)]
struct RegionSums {
    /// Row by row; 1024 cells of 255 fit.
    chunks: Vec<[u32; 4]>,
    total: Sum,
}

impl ChunkSums {
    /// Add up the chunks of a region that changed, at most so many as `budget` has left. Returns whether nothing is
    /// left to do.
    pub(super) fn update(&mut self, tiles: &Tiles, atlas: &TileAtlas, region: Cell, budget: &mut usize) -> bool {
        if tiles.shares_region(&self.shown, region) {
            return true;
        }
        let (now, before) = (tiles.region(region), self.shown.region(region));
        let sums = self
            .regions
            .entry(region)
            .or_insert_with(|| RegionSums { chunks: vec![[0; 4]; (REGION * REGION) as usize], total: [0; 4] });
        for (at, chunk, _) in now.unshared(&before) {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.shown.share_chunk(at, chunk.cloned().unwrap_or_default());
            if let Some(kept) = sums.chunks.get_mut(index(at)) {
                let sum = chunk.map_or([0; 4], |chunk| sum_of(chunk, atlas));
                for i in 0..4 {
                    sums.total[i] = sums.total[i] + u64::from(sum[i]) - u64::from(kept[i]);
                }
                *kept = sum;
            }
        }
        self.shown.share_region(region, tiles);
        true
    }

    /// The sum of a square of chunks by its left top: of a power of two along one side, and at a multiple of that.
    pub(super) fn of_square(&self, first: Cell, side: i32) -> Sum {
        if side < REGION {
            let Some(sums) = self.regions.get(&region_of(first)) else { return [0; 4] };
            let all = (0..side).flat_map(|y| (0..side).map(move |x| index([first[0] + x, first[1] + y])));
            return added(all.filter_map(|at| sums.chunks.get(at)).map(|sum| sum.map(u64::from)));
        }
        let (lo, hi) = (region_of(first), region_of(first.map(|at| at.saturating_add(side - 1))));
        let columns = self.regions.range([lo[0], i32::MIN]..=[hi[0], i32::MAX]);
        added(columns.filter(|(at, _)| (lo[1]..=hi[1]).contains(&at[1])).map(|(_, sums)| sums.total))
    }
}

fn index(chunk: Cell) -> usize {
    let [x, y] = chunk.map(|at| at.rem_euclid(REGION));
    usize::try_from(y * REGION + x).unwrap_or(0)
}

fn added(sums: impl Iterator<Item = Sum>) -> Sum {
    sums.fold([0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

fn sum_of(chunk: &Chunk, atlas: &TileAtlas) -> [u32; 4] {
    chunk.counts().into_iter().fold([0; 4], |sum, (tile, n)| {
        let (color, n) = (atlas.mean(tile), u32::try_from(n).unwrap_or(u32::MAX));
        std::array::from_fn(|i| sum[i] + n * u32::from(color[i]))
    })
}
