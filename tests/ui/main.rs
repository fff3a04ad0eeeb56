//! Everything that needs the window's toolkit, in one binary.

fn main() {}
