//! Bodies that ground was put around, as when tiles are painted over them while they move, or that were put where they
//! have no room: they leave it by the shortest exit, or are held where there is none.
//!
//! Invariant: no body falls inside the ground, and none is moved out of the level. `push_out` resolves the smaller
//! overlaps of movers, the solver those of loose bodies.

use glam::Vec2;

use super::{Near, Push, SKIN, Solid};
use crate::{
    model::{LevelView, chunk_of},
    sim::{
        EntityKey,
        physics::{Physics, body::Body, convex::ROUNDING, index::Index},
    },
};

/// A body that is deeper in the ground was not moved there by the simulation, in pixels.
const BURIED_PX: f32 = 3.0;
/// How far a body is moved at most, in cells, besides its own size: farther away it would appear somewhere else.
const MOST_CELLS: f32 = 4.0;
/// How deep a loose body may lie in what it rests on, in pixels.
pub(super) const REST_PX: f32 = 0.5;
/// The most solids in a row that it is moved out of.
const MOST_SOLIDS: usize = 32;

impl Physics {
    /// Move a mover whose surroundings are gathered out of what overlaps it. Returns whether it is free to move; one that
    /// is held by the ground stays where it is.
    pub(in crate::sim::physics) fn push_out(&self, key: EntityKey, vel: Vec2, index: &Index, near: &mut Near) -> bool {
        if !near.is_buried() {
            near.push_out(vel);
            if !near.is_in_ground {
                return true;
            }
        }
        let drops = near.drops;
        let Some(exit) = self.exit_from_ground(key, index, near) else { return false };
        (near.at, near.drops) = (exit, drops);
        true
    }

    /// Move a loose body out of the ground in the next step, if it is in it.
    pub(in crate::sim) fn leave_ground_next(&mut self, key: EntityKey) {
        if self.is_loose(key) {
            self.displaced.insert(key);
        }
    }

    /// Move loose bodies out of ground that was put around them, or that they were put into, since the last step.
    pub(in crate::sim::physics) fn leave_changed_ground(&mut self) {
        if self.changed_chunks.is_empty() && self.displaced.is_empty() {
            return;
        }
        let chunks = std::mem::take(&mut self.changed_chunks);
        let mut displaced = std::mem::take(&mut self.displaced);
        if !chunks.is_empty() {
            let is_near = |body: &Body| {
                let Some(collider) = body.spec.collider.as_ref().filter(|_| body.is_loose()) else { return false };
                let around = collider.bounds(body.pose.pos, body.pose.angle);
                let [lo, hi] = [around.lo, around.hi].map(|pos| chunk_of(self.tiles.cell_at(pos)).0);
                (lo[1]..=hi[1]).any(|y| (lo[0]..=hi[0]).any(|x| chunks.contains(&[x, y])))
            };
            displaced.extend(self.bodies.iter().filter(|(_, body)| is_near(body)).map(|(key, _)| key));
        }
        let (mut near, mut index) = (Near::default(), None);
        for key in displaced {
            let Some(body) = self.bodies.get(key).filter(|body| body.is_loose() && !body.is_faulty) else { continue };
            let Some(collider) = body.spec.collider.as_ref().filter(|collider| collider.can_touch_tiles()) else {
                continue;
            };
            let around = collider.solid_bounds(body.pose.pos, body.pose.angle);
            let middle = around.grown(-BURIED_PX.min((around.hi - around.lo).min_element() / 2.0));
            if !self.tiles.has_ground_in(middle) {
                continue;
            }
            let bodies = index.get_or_insert_with(|| self.index_of(true));
            self.gather(key, 0.0, bodies, &mut near);
            if near.is_buried()
                && let Some(exit) = self.exit_from_ground(key, bodies, &mut near)
                && let Some(pose) = self.pose(key)
            {
                self.set_still(key, pose.pos + exit, pose.angle);
                index = None;
            }
        }
    }

    /// The shortest motion that takes a body out of what is solid, within the level if the body is; gathers its
    /// surroundings.
    fn exit_from_ground(&self, key: EntityKey, index: &Index, near: &mut Near) -> Option<Vec2> {
        let reach = 2.0 * near.half.max_element() + MOST_CELLS * self.tiles.tile_size().max_element();
        self.gather(key, reach + near.reach, index, near);
        // Not through the floor that it stands on.
        let down = if self.config.view == LevelView::Platformer { 2.0 * near.half.y } else { reach };
        let ways = [(Vec2::NEG_Y, reach), (Vec2::NEG_X, reach), (Vec2::X, reach), (Vec2::Y, down)];
        let is_loose = self.is_loose(key);
        let middle = near.middle_now();
        let is_in_level = self.tiles.is_in_level(middle);
        let exits = ways.into_iter().filter_map(|(way, most)| Some((near.exit_along(way, most, is_loose)?, way)));
        let within = exits.filter(|(far, way)| !is_in_level || self.tiles.is_in_level(middle + *way * *far));
        // Of equal ones the first.
        within.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(far, way)| way * far)
    }
}

impl Near {
    /// Whether the body is deeper in the ground than it gets by moving.
    fn is_buried(&self) -> bool {
        let ground = self.solids.iter().filter(|solid| solid.entity.is_none() && !solid.sensor && !solid.one_way);
        let mut near =
            ground.filter(|solid| solid.around.lo.cmplt(self.at).all() && solid.around.hi.cmpgt(self.at).all());
        near.any(|solid| self.core(solid).distance(self.at).0 < solid.reach - BURIED_PX)
    }

    /// How far away the first place along `way` is where the body is free of solids, less than `most`, in pixels. Other
    /// loose bodies count for loose ones only: movers push them.
    fn exit_along(&self, way: Vec2, most: f32, is_loose: bool) -> Option<f32> {
        let gap = if is_loose { -REST_PX } else { SKIN };
        let counts = |solid: &&Solid| (is_loose || solid.push == Push::Yes) && !solid.sensor && !solid.one_way;
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
