//! The running preview.

use super::PlayCamera;
use crate::{
    model::DocPath,
    sim::{Session, camera::CameraSet},
};

/// The preview as it runs.
#[derive(Debug)]
pub struct Preview {
    /// The level it runs.
    pub level: DocPath,
    /// World, clock and log.
    pub session: Session,
    /// Whether time passes.
    pub is_playing: bool,
    /// The ticks between which it plays again and again.
    pub repeated: Option<[u64; 2]>,
    /// The game's cameras.
    pub cameras: CameraSet,
    /// Who moves the view of the Level pane.
    pub camera: PlayCamera,
}
