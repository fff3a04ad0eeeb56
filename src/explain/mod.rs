//! WHY IT IS SO: who uses a name, where things are placed, and what a change would reach.
//!
//! Invariant: nothing here changes anything or asks about time, files or a window; every answer follows from the project and
//! what it resolves to. Plans that change something are `refactor`'s.

mod census;
mod impact;

pub use census::Census;
pub use impact::{Impact, impact_of_def, impact_of_field};
