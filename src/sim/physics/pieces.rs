//! Colliders by place, in the state of one moment: what is near a point of the ground.
//!
//! Invariant: a function of the colliders it was made from, in their order. What counts as ground is in `seam` and
//! `loose_ground`.

use std::collections::BTreeMap;

use glam::Vec2;
use rapier2d::{parry::bounding_volume::Aabb, prelude::*};

/// Colliders wider than this, in pixels, are kept in a list that each query scans. Of the others a query scans those
/// whose left ends are no farther left of its box than the widest of them is wide.
const WIDE: f32 = 256.0;

/// The solid colliders of static and kinematic bodies other than movers, by index in rapier's set, and so in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct FirmGround(BTreeMap<u32, ColliderHandle>);

impl FirmGround {
    pub(super) fn insert(&mut self, handle: ColliderHandle) {
        self.0.insert(handle.into_raw_parts().0, handle);
    }

    /// Remove a collider, if it is one of them.
    pub(super) fn remove(&mut self, handle: ColliderHandle) {
        self.0.remove(&handle.into_raw_parts().0);
    }

    pub(super) fn among<'a>(&self, all: &'a ColliderSet) -> impl Iterator<Item = (ColliderHandle, &'a Collider)> {
        self.0.values().filter_map(|handle| Some((*handle, all.get(*handle)?)))
    }
}

/// A collider and its bounding box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) handle: ColliderHandle,
    around: Aabb,
}

/// Colliders by place.
#[derive(Debug)]
pub(super) struct Pieces {
    /// Those no wider than `WIDE`, by their left ends.
    from_left: Vec<Piece>,
    /// The greatest width of those, in pixels.
    widest: f32,
    wide: Vec<Piece>,
}

impl Pieces {
    /// These colliders, except disabled and round ones: the ends of those continue no face.
    pub(super) fn new<'a>(colliders: impl Iterator<Item = (ColliderHandle, &'a Collider)>) -> Self {
        let is_round = |shape: &dyn Shape| shape.as_ball().is_some() || shape.as_capsule().is_some();
        let found = colliders.filter(|(_, it)| it.is_enabled() && !is_round(it.shape()));
        let piece = |(handle, collider): (ColliderHandle, &Collider)| Piece { handle, around: collider.compute_aabb() };
        let (wide, mut from_left): (Vec<_>, Vec<_>) =
            found.map(piece).partition(|piece| piece.around.extents().x > WIDE);
        from_left.sort_by(|a, b| a.around.mins.x.total_cmp(&b.around.mins.x));
        let widest = from_left.iter().map(|piece| piece.around.extents().x).fold(0.0, f32::max);
        Self { from_left, widest, wide }
    }

    /// The colliders whose boxes meet a box.
    pub(super) fn near(&self, lo: Vec2, hi: Vec2) -> impl Iterator<Item = &Piece> {
        let start = self.from_left.partition_point(|piece| piece.around.mins.x < lo.x - self.widest);
        let from_there = self.from_left[start..].iter().take_while(move |piece| piece.around.mins.x <= hi.x);
        let meets = move |piece: &&Piece| piece.around.mins.cmple(hi).all() && piece.around.maxs.cmpge(lo).all();
        from_there.chain(&self.wide).filter(meets)
    }
}
