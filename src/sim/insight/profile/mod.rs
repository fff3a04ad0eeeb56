//! What each tick spends its time on: by system, by definition, and by cell of the level.
//!
//! Invariant: the simulation marks where samples begin and end and reads no clock; the [`Clock`] is handed in from
//! outside, and what it
//! says changes nothing in a world. A sample is a call with a closure, so one that does not end cannot be written. A
//! child's time is
//! charged to its parent, so what all systems spent themselves adds up to the tick.
//! What is measured of a tick is `profiler`, what is kept over ticks `kept`; who has a clock is `editor` and `cli`.
//!
//! Source: *Game Programming Gems* 1.14, for nested samples and figures that fade toward the present.

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
