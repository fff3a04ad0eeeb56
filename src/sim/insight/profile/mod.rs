//! Time spent in each tick: by system, by definition, and by cell of the level.
//!
//! Invariant: the simulation marks where samples begin and end and reads no clock; the [`Clock`] is passed in from
//! outside, and its values change nothing in a world. A sample is a call with a closure, so a sample without end cannot
//! be written. A child's time is charged to its parent, so the times of all systems without their children add up to
//! the tick. Measuring a tick is `profiler`, keeping results over ticks `kept`; clocks are in `editor` and `cli`.
//!
//! Source: *Game Programming Gems* 1.14, for nested samples and statistics that fade toward the present.

mod figures;
mod kept;
mod profiler;
mod system;
mod text;

pub use figures::{Figures, Span};
pub use kept::{KindRow, Profile, SystemRow};
pub use profiler::{Clock, KindCost, Meter, Profiler, SystemCost, TickProfile};
pub use system::{Share, System};
pub use text::ms_text;
