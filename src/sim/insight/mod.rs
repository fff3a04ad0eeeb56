//! What a viewer of a running world keeps of it, tick by tick, to understand it: trails, traffic, energy, message
//! arrows, when two
//! bodies begin to touch, and what ticks spend their time on.
//!
//! Invariant: nothing of it is part of the world or changes it, and what is not watched costs nothing. What of one
//! moment is seen is `sim::world`'s and `sim::physics`' own.

mod heat;
mod messages;
mod observe;
pub mod profile;

pub use heat::Heat;
pub use messages::{MessageArrow, message_arrows};
pub use observe::{Freeze, Observed, Sample, Watch};
