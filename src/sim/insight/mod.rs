//! Observations of a running world over its ticks: trails, traffic, energy, message arrows, the beginning of a contact,
//! and the time spent in ticks.
//!
//! Invariant: observations are no part of the world and do not change it; what is not watched costs nothing. Views of a
//! single moment are in `sim::world` and `sim::physics`.

mod heat;
mod messages;
mod observe;
pub mod profile;

pub use heat::Heat;
pub use messages::{MessageArrow, message_arrows};
pub use observe::{Freeze, Observed, Sample, Watch};
