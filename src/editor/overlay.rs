//! The overlays of a running level, and which of them are on.
//!
//! Invariant: each is a switch of its own, kept with the view; what is off costs nothing. What each draws is
//! `ui::canvas::insight`.

/// Something that is drawn over a running level, or beside it, to understand it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overlay {
    /// Contact points, normals, depths and impulses.
    Contacts,
    /// How fast bodies move, and where to.
    Velocities,
    /// What acts on bodies.
    Forces,
    /// Bodies that the solver lets sleep.
    Sleeping,
    /// Bounding boxes, the squares they lie in, and pairs that are near.
    BroadPhase,
    /// Where entities look, and whom they see.
    Sight,
    /// Messages from their senders to their receivers.
    Messages,
    /// The cells that searches for paths examined, in their order.
    Searches,
    /// How wide an agent fits where.
    Clearance,
    /// Ledges, and the jumps and drops between them.
    Jumps,
    /// Where agents stood or passed.
    Traffic,
    /// Where entities were in the last seconds.
    Trails,
    /// The separating axes of the selected pair.
    Axes,
    /// Where entities are that ticks spend their time on.
    TickTime,
    /// Energy and momentum over time, in the Preview pane.
    Energy,
    /// What the game's cameras see, their dead zones and bounds.
    Cameras,
}

impl Overlay {
    /// All of them, as menus list them.
    pub const ALL: [Self; 16] = [
        Self::Contacts,
        Self::Velocities,
        Self::Forces,
        Self::Sleeping,
        Self::BroadPhase,
        Self::Axes,
        Self::Sight,
        Self::Messages,
        Self::Searches,
        Self::Clearance,
        Self::Jumps,
        Self::Traffic,
        Self::Trails,
        Self::TickTime,
        Self::Energy,
        Self::Cameras,
    ];
}

/// Which overlays are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverlaySet(u32);

impl OverlaySet {
    /// Whether one is on.
    #[must_use]
    pub fn has(self, overlay: Overlay) -> bool {
        self.0 & bit(overlay) != 0
    }

    /// Whether any is on.
    #[must_use]
    pub fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Switch one on or off.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.0 ^= bit(overlay);
    }
}

fn bit(overlay: Overlay) -> u32 {
    1 << overlay as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_overlay_is_a_switch_of_its_own() {
        for overlay in Overlay::ALL {
            let mut set = OverlaySet::default();
            set.toggle(overlay);
            assert!(set.has_any());
            let on: Vec<Overlay> = Overlay::ALL.into_iter().filter(|it| set.has(*it)).collect();
            assert_eq!(on, [overlay]);
            set.toggle(overlay);
            assert!(!set.has_any());
        }
    }
}
