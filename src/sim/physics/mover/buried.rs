//! Movers that ground was put around, as when tiles are painted over them while they move, or that were put where they
//! have no room: they leave it by the shortest way, or are held where there is none.
//!
//! Invariant: nothing falls inside the ground. Overlaps that it gets out of by itself are left to `push_out`.

use glam::Vec2;

use super::{Near, Push, SKIN, Solid};
use crate::{
    model::LevelView,
    sim::{
        EntityKey,
        physics::{Physics, convex::ROUNDING, index::Index},
    },
};

/// How far a mover is moved at most, in cells, besides its own size.
const MOST_CELLS: f32 = 4.0;
/// The most solids in a row that it is moved out of.
const MOST_SOLIDS: usize = 32;

impl Physics {
    /// Move a mover whose surroundings are gathered out of what overlaps it. Returns whether it is free to move; one that
    /// is held by the ground stays where it is.
    pub(in crate::sim::physics) fn push_out(&self, key: EntityKey, vel: Vec2, index: &Index, near: &mut Near) -> bool {
        if !near.is_buried() {
            near.push_out(vel);
            if !near.is_wedged {
                return true;
            }
        }
        let drops = near.drops;
        let reach = 2.0 * near.half.max_element() + MOST_CELLS * self.tiles.tile_size().max_element();
        self.gather(key, reach, index, near);
        near.drops = drops;
        // Not through the floor that it stands on.
        let down = if self.config.view == LevelView::Platformer { 2.0 * near.half.y } else { reach };
        let ways = [(Vec2::NEG_Y, reach), (Vec2::NEG_X, reach), (Vec2::X, reach), (Vec2::Y, down)];
        let free = ways.into_iter().filter_map(|(way, most)| Some((near.way_out(way, most)?, way)));
        // Of equal ways the first.
        let Some((far, way)) = free.min_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
        near.at = way * far;
        true
    }
}

impl Near {
    /// Whether the mover is deeper in the ground than it gets by moving.
    fn is_buried(&self) -> bool {
        let ground = self.solids.iter().filter(|solid| solid.entity.is_none() && !solid.sensor && !solid.one_way);
        let mut near =
            ground.filter(|solid| solid.around.lo.cmplt(self.at).all() && solid.around.hi.cmpgt(self.at).all());
        near.any(|solid| self.core(solid).distance(self.at).0 < solid.reach - self.crush_depth)
    }

    /// How far away the first place along `way` is that is in no solid, less than `most`, in pixels.
    fn way_out(&self, way: Vec2, most: f32) -> Option<f32> {
        let counts = |solid: &&Solid| solid.push == Push::Yes && !solid.sensor && !solid.one_way;
        let mut far = 0.0;
        for _ in 0..MOST_SOLIDS {
            let at = way * far;
            let is_in = |solid: &&Solid| self.core(solid).distance(at).0 < solid.reach + SKIN - ROUNDING;
            let Some(solid) = self.solids.iter().filter(counts).find(is_in) else { return Some(far) };
            // From beyond it, back to its far side.
            let core = self.core(solid);
            let beyond = core.points.iter().map(|p| p.dot(way)).fold(f32::NEG_INFINITY, f32::max) + solid.reach + 1.0;
            let back = core.cast(solid.reach + SKIN, way * beyond, way * (far - beyond));
            let exit = back.map_or(beyond, |(share, _)| beyond - (beyond - far) * share);
            far = exit.max(far + ROUNDING);
            if far >= most {
                return None;
            }
        }
        None
    }
}
