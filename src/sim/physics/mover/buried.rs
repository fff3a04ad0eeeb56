//! Bodies that ground was put around, as when tiles are painted over them while they move, or that were put where they
//! have no room: they leave it by the shortest way, or are held where there is none.
//!
//! Invariant: nothing falls inside the ground. Overlaps that it gets out of by itself are left to `push_out`.

use glam::Vec2;

use super::{Near, Push, SKIN, Solid};
use crate::{
    model::LevelView,
    sim::{
        EntityKey,
        physics::{Physics, body::Body, convex::ROUNDING, index::Index},
    },
};

/// How far a mover is moved at most, in cells, besides its own size.
const MOST_CELLS: f32 = 4.0;
/// How deep a loose body may lie in what it rests on, in pixels.
const REST_PX: f32 = 0.5;
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
        let Some(way) = self.way_out_of_ground(key, index, near) else { return false };
        (near.at, near.drops) = (way, drops);
        true
    }

    /// Move a loose body out of ground that was put around it, or that it was put into, unless there is no way out.
    pub(in crate::sim::physics) fn put_one_out_of_ground(&mut self, key: EntityKey, index: &Index, near: &mut Near) {
        if !self.bodies.get(key).is_some_and(Body::is_loose) {
            return;
        }
        self.gather(key, 0.0, index, near);
        if near.is_buried()
            && let Some(way) = self.way_out_of_ground(key, index, near)
            && let Some(pose) = self.pose(key)
        {
            self.set_still(key, pose.pos + way, pose.angle);
        }
    }

    /// The shortest way of a body out of what is solid, within the level if the body is; gathers its surroundings.
    fn way_out_of_ground(&self, key: EntityKey, index: &Index, near: &mut Near) -> Option<Vec2> {
        let reach = 2.0 * near.half.max_element() + MOST_CELLS * self.tiles.tile_size().max_element();
        self.gather(key, reach, index, near);
        // Not through the floor that it stands on.
        let down = if self.config.view == LevelView::Platformer { 2.0 * near.half.y } else { reach };
        let ways = [(Vec2::NEG_Y, reach), (Vec2::NEG_X, reach), (Vec2::X, reach), (Vec2::Y, down)];
        let gap = if self.bodies.get(key).is_some_and(Body::is_loose) { -REST_PX } else { SKIN };
        let middle = near.middle_now();
        let is_in_level = self.tiles.is_in_level(middle);
        let free = ways.into_iter().filter_map(|(way, most)| Some((near.way_out(way, most, gap)?, way)));
        let within = free.filter(|(far, way)| !is_in_level || self.tiles.is_in_level(middle + *way * *far));
        // Of equal ways the first.
        within.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(far, way)| way * far)
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

    /// How far away the first place along `way` is that is at least `gap` from every solid, less than `most`, in pixels.
    fn way_out(&self, way: Vec2, most: f32, gap: f32) -> Option<f32> {
        let counts = |solid: &&Solid| solid.push == Push::Yes && !solid.sensor && !solid.one_way;
        let mut far = 0.0;
        for _ in 0..MOST_SOLIDS {
            let at = way * far;
            let is_in = |solid: &&Solid| self.core(solid).distance(at).0 < solid.reach + gap - ROUNDING;
            let Some(solid) = self.solids.iter().filter(counts).find(is_in) else { return Some(far) };
            // From beyond it, back to its far side.
            let core = self.core(solid);
            let beyond = core.points.iter().map(|p| p.dot(way)).fold(f32::NEG_INFINITY, f32::max) + solid.reach + 1.0;
            let back = core.cast((solid.reach + gap).max(0.0), way * beyond, way * (far - beyond));
            let exit = back.map_or(beyond, |(share, _)| beyond - (beyond - far) * share);
            far = exit.max(far + ROUNDING);
            if far >= most {
                return None;
            }
        }
        None
    }
}
