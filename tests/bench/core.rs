//! What the core's work costs, each figure beside its baseline.

fn main() {}
