//! The running preview.

use super::PlayCamera;
use crate::{
    model::DocPath,
    sim::{EntityView, Session, camera::CameraSet},
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
    /// Whether entities are drawn between two ticks while it plays. What is drawn of the physics is as of the last
    /// tick.
    pub is_smooth: bool,
}

impl Preview {
    /// Every entity, where it is drawn.
    pub fn drawn(&self) -> impl Iterator<Item = EntityView<'_>> {
        let moment = self.drawn_moment();
        self.session.world().entities().map(move |entity| entity.drawn_at(moment))
    }

    /// Whether its sounds are heard: while it plays, and not faster than twice the speed.
    #[must_use]
    pub fn is_heard(&self) -> bool {
        self.is_playing && self.session.speed <= 2.0
    }

    /// Whether the keys of the first player drive an entity.
    #[must_use]
    pub fn has_player(&self) -> bool {
        self.session.world().has_player()
    }

    /// The moment at which entities are drawn, as [`EntityView::drawn_at`] takes it.
    #[must_use]
    pub fn drawn_moment(&self) -> f32 {
        if self.is_playing && self.is_smooth { self.session.drawn_moment() } else { 1.0 }
    }

    /// The real time there is for a tick at the speed that is played, in seconds; where ticks take longer, the world
    /// falls behind.
    #[must_use]
    pub fn budget_secs(&self) -> f64 {
        self.session.world().timestep_secs() / self.session.speed.max(0.01)
    }
}
