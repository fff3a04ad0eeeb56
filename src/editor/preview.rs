//! The running preview.

use crate::{model::DocPath, sim::Session};

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
}

impl Preview {
    /// The real time there is for a tick at the speed that is played, in seconds; where ticks take longer, the world
    /// falls behind.
    #[must_use]
    pub fn budget_secs(&self) -> f64 {
        self.session.world().timestep_secs() / self.session.speed.max(0.01)
    }
}
