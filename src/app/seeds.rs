//! Seeds for generated values, such as fresh ids.

use crate::model::mix;

/// Seeds that are different each time, and from run to run.
pub(super) struct Seeds {
    base: u64,
    n: u64,
    /// That of the gesture under way.
    pub of_gesture: u64,
}

impl Default for Seeds {
    fn default() -> Self {
        let base = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        Self { base, n: 0, of_gesture: 0 }
    }
}

impl Seeds {
    pub(super) fn fresh(&mut self) -> u64 {
        self.n += 1;
        self.base ^ mix(self.n)
    }
}
