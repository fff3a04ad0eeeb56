//! The game's cameras: the part of a level that a picture shows while entities move in it.
//!
//! A [`Rig`] is one camera over time: the view follows a target by [`smooth_damp`](super::motion::smooth_damp), with a
//! *dead zone* in which the target moves alone, a *look-ahead* along its velocity, *bounds* beyond which nothing is
//! shown, a *zoom* and a *rail*. *Shake* is added to that. A [`CameraSet`] is all cameras of a world.
//!
//! Invariant: cameras read a world and change nothing in it; a world runs the same with or without them. They use the
//! world's time, so they stand still while it is paused. Cameras in data are `sim::components`; the cameras of a world
//! are listed by `sim::world`.
//!
//! Source: the terms are those of Godot's `Camera2D`, Phaser and Cinemachine; smoothing is GPG 4.10 (Lowe).

mod now;
mod placed;
mod rail;
mod rig;
mod set;
mod shake;
mod target;

pub use now::{CameraConstants, CameraNow};
pub use placed::placed_cameras;
pub use rail::Rail;
pub use rig::{CameraSpec, LookAhead, Rig, Zoom, within};
pub use set::{CameraSet, CameraView, is_jump};
pub use shake::{Shake, shaken_by};
pub use target::CameraTarget;

pub(in crate::sim) use now::{Seat, Surroundings, cameras_of, target_of};
