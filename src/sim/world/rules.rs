//! The constant data of a world: its level, resolution, compiled machines and grid.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use crate::{
    defs::Resolution,
    model::{DocPath, Document, Level, LevelView, Machine, Name, WaypointGraph},
    sim::{
        behavior::{MsgId, Program},
        components::Components,
        grid::{GridChange, SolidGrid},
        physics::convex::Aabb,
    },
};

use super::Actions;

/// An edge of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSide {
    /// Above it.
    Top,
    /// Below it.
    Bottom,
    /// At its left.
    Left,
    /// At its right.
    Right,
}

impl LevelSide {
    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "Top",
            Self::Bottom => "Bottom",
            Self::Left => "Left",
            Self::Right => "Right",
        }
    }
}

/// The data that does not change while the world runs; shared by all its snapshots.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) level_name: Name,
    pub(super) level_doc: DocPath,
    pub(super) level: Arc<Level>,
    /// The document that `level` was copied from, or is equal to.
    pub(super) document: Arc<Document>,
    pub(super) view: LevelView,
    pub(super) hz: f64,
    pub(super) resolution: Resolution,
    /// The actions of players.
    pub(super) actions: Actions,
    /// Components of an entity that has none.
    pub(super) bare: Components,
    pub(super) programs: BTreeMap<Name, Arc<Program>>,
    /// The machines that the programs were compiled from.
    pub(super) sources: BTreeMap<Name, Arc<Machine>>,
    pub(super) grid: Arc<SolidGrid>,
    /// Difference of the grid from the one before the last migration.
    pub(super) change: GridChange,
    pub(super) damaged: MsgId,
    pub(super) healed: MsgId,
    pub(super) dead: MsgId,
    pub(super) contact: MsgId,
    pub(super) contact_end: MsgId,
    pub(super) arrived: MsgId,
    pub(super) blocked: MsgId,
    pub(super) crushed: MsgId,
    pub(super) broken: MsgId,
    pub(super) joint_broken: MsgId,
    pub(super) left_level: MsgId,
    pub(super) clip_ended: MsgId,
    pub(super) pressed: MsgId,
    pub(super) released: MsgId,
    /// The damage of a message that states no amount, in hit points.
    pub(super) default_amount: f64,
}

impl Rules {
    /// The graph of a waypoint layer of the level.
    pub(super) fn waypoints(&self, layer: &str) -> Option<&WaypointGraph> {
        self.level.layer(layer).and_then(|(_, layer)| layer.waypoints())
    }

    /// The edge of the level beyond which a box in pixels wholly is; `None` inside, and for a level without bounds.
    pub(super) fn beyond(&self, around: Aabb) -> Option<LevelSide> {
        let (lo, hi) = self.grid.bounds();
        self.level.size?;
        #[expect(clippy::cast_precision_loss, reason = "cells of a level")]
        let [lo, hi] = [lo, hi].map(|cell| cell.map(|c| c as f32)).map(|cell| Vec2::from(cell) * self.grid.tile_size());
        match around {
            _ if around.lo.y > hi.y => Some(LevelSide::Bottom),
            _ if around.hi.y < lo.y => Some(LevelSide::Top),
            _ if around.hi.x < lo.x => Some(LevelSide::Left),
            _ if around.lo.x > hi.x => Some(LevelSide::Right),
            _ => None,
        }
    }

    /// Length of a tick in seconds.
    #[expect(clippy::cast_possible_truncation, reason = "a short time")]
    pub(super) fn dt(&self) -> f32 {
        (1.0 / self.hz) as f32
    }
}
