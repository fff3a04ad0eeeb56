//! What a frame of the window costs.

fn main() {}
