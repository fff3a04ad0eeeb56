//! What the world shows of itself: read-only, borrowed, made for drawing and for panes. Nothing here changes anything.

use std::sync::Arc;

use glam::Vec2;

use crate::{defs::Resolved, model::Name, sim::EntityKey};

/// An entity as it is now.
#[derive(Clone, Debug)]
pub struct EntityView<'a> {
    /// Itself.
    pub key: EntityKey,
    /// Its id: the placed one's, or one made when it was spawned.
    pub id: &'a Name,
    /// Its definition.
    pub def: &'a Name,
    /// Its origin, in pixels.
    pub pos: Vec2,
    /// Clockwise, in radians.
    pub angle: f32,
    /// In pixels per second.
    pub vel: Vec2,
    /// Not asked to be removed.
    pub alive: bool,
    /// Its picture at this moment.
    pub sprite: Option<SpriteView<'a>>,
    /// Index of the layer it was placed in, or its spawner was.
    pub layer: usize,
    /// Its machines in listed order, then those of the movement queue, front first.
    pub machines: Vec<MachineView<'a>>,
    /// Hit points and their maximum.
    pub life: Option<(f64, f64)>,
    /// What it is saying.
    pub saying: Option<&'a str>,
    /// What it is made of.
    pub resolved: &'a Arc<Resolved>,
}

/// A machine of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineView<'a> {
    /// The machine's name.
    pub name: &'a Name,
    /// Path of its innermost active state; empty at the root.
    pub state: &'a str,
    /// Runs. A queued machine that is not at the front does not, nor does one that was stopped for a problem.
    pub runs: bool,
    /// Belongs to the movement queue.
    pub queued: bool,
}

/// A picture from a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteView<'a> {
    /// PNG inside the project.
    pub image: &'a str,
    /// Size of a frame, in pixels.
    pub frame_size: Vec2,
    /// The entity's origin within the frame, in pixels.
    pub pivot: Vec2,
    /// Which frame, row by row from 0.
    pub frame: u32,
    /// Mirrored left to right.
    pub flip_h: bool,
    /// Red, green, blue, alpha.
    pub tint: [u8; 4],
    /// Drawing order within the layer; larger is in front.
    pub z: i32,
}
