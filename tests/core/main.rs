//! Everything that needs no window, in one binary. A file answers for one area.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should say where")]

mod architecture;
mod behavior;
mod edit;
mod grid;
mod load;
mod nav;
mod ron_text;
mod save;
