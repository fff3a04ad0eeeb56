//! Paths over levels that are too large for a map of all their cells: from region to region, through gates in the
//! borders between them.
//!
//! Exactness: a path is found wherever there is one, if at most 131 072 gates have to be examined for it. It leads
//! through gates at most 8 cells apart, so it may cost more than the cheapest: over open ground, caves and rooms by 0.7
//! % on average and by 5 % at most, before it is straightened (`tests/core/nav_regions.rs`). Invariant: the same floor,
//! agent and ends give the same path. Data known before affects only the effort.
//!
//! Source: Botea, Müller, Schaeffer, "Near optimal hierarchical path-finding", with gates at fixed distances and costs
//! computed when first needed.

mod ends;
mod graph;
mod search;

pub(super) use ends::ends_of;
pub(super) use graph::Regions;
pub(super) use search::{RegionPath, RegionSearch};
