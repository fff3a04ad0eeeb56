//! What is to be understood of the running level: the overlays that are on, the entity whose standing still is
//! explained, the pair that pauses it when it begins to touch, and whether ticks are measured.

use super::{Overlay, OverlaySet};
use crate::{
    model::Name,
    sim::insight::{Freeze, Watch, profile::Figures},
};

/// What is shown of a running level to understand it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InsightView {
    /// The overlays that are on.
    pub on: OverlaySet,
    /// The entity of which it is explained why it stands still.
    pub why: Option<Name>,
    /// The pair, or one and anything, that pauses the preview when it begins to touch.
    pub freeze: Option<Freeze>,
    /// What the Profiler pane measures.
    pub profiler: ProfilerView,
}

/// When ticks are measured, and what frames of the window took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfilerView {
    /// Whether ticks are measured while the pane is seen.
    pub is_on: bool,
    /// Whether they are also while it is not.
    pub is_on_hidden: bool,
    /// Whether the pane is seen.
    pub is_seen: bool,
    /// What frames of the window took, without waiting for the screen, in nanoseconds.
    pub frame: Figures,
}

impl Default for ProfilerView {
    fn default() -> Self {
        Self { is_on: true, is_on_hidden: false, is_seen: false, frame: Figures::default() }
    }
}

impl InsightView {
    /// What is to be noted of each tick while these entities are selected.
    #[must_use]
    pub fn watch(&self, selected: &[Name]) -> Watch {
        Watch {
            trails: self.on.has(Overlay::Trails),
            heat: self.on.has(Overlay::Traffic),
            energy: self.on.has(Overlay::Energy).then(|| selected.to_vec()),
            freeze: self.freeze.clone(),
            profile: self.is_profiling(),
        }
    }

    /// Whether overlays of the last tick are drawn over entities, of which so many are selected: these must be drawn
    /// there, too.
    #[must_use]
    pub fn covers_entities(&self, n_selected: usize) -> bool {
        let on_bodies = [
            Overlay::Contacts,
            Overlay::Velocities,
            Overlay::Forces,
            Overlay::Sleeping,
            Overlay::BroadPhase,
            Overlay::Sight,
            Overlay::Messages,
        ];
        let is_compared = self.on.has(Overlay::Axes) && n_selected == 2;
        is_compared || on_bodies.into_iter().any(|overlay| self.on.has(overlay))
    }

    /// Whether more is measured than how long ticks take: while that is shown, or where it is to be in any case.
    #[must_use]
    pub fn is_profiling(&self) -> bool {
        let ProfilerView { is_on, is_on_hidden, is_seen, .. } = self.profiler;
        is_on && (is_seen || is_on_hidden || self.on.has(Overlay::TickTime))
    }

    /// Explain why an entity stands still, or no more where that is done already.
    pub fn explain(&mut self, id: &Name) {
        self.why = if self.why.as_ref() == Some(id) { None } else { Some(id.clone()) };
    }

    /// Where an entity is explained, explain the one that is selected.
    pub fn follow(&mut self, selected: Option<Name>) {
        if self.why.is_some() && selected.is_some() {
            self.why = selected;
        }
    }

    /// Pause when these begin to touch, or, of one, when it begins to touch anything; no more where that is so already.
    pub fn freeze_on(&mut self, ids: &[Name]) {
        let wanted = match ids {
            [a] => Some(Freeze { a: a.clone(), b: None }),
            [a, b, ..] => Some(Freeze { a: a.clone(), b: Some(b.clone()) }),
            [] => None,
        };
        self.freeze = if self.freeze == wanted { None } else { wanted };
    }

    /// The preview ended: no entity is left to explain or to wait for.
    pub fn preview_ended(&mut self) {
        (self.why, self.freeze) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_again_ends_what_was_asked_for() {
        let mut view = InsightView::default();
        let (a, b): (Name, Name) = ("a".into(), "b".into());
        view.explain(&a);
        view.explain(&b);
        assert_eq!(view.why, Some(b.clone()));
        view.explain(&b);
        assert_eq!(view.why, None);
        view.follow(Some(a.clone()));
        assert_eq!(view.why, None, "nothing is explained that was not asked for");
        view.explain(&a);
        view.follow(None);
        assert_eq!(view.why, Some(a.clone()));
        view.follow(Some(b.clone()));
        assert_eq!(view.why, Some(b.clone()));
        view.freeze_on(&[a.clone(), b.clone()]);
        assert_eq!(view.watch(&[]).freeze, Some(Freeze { a: a.clone(), b: Some(b) }));
        view.freeze_on(std::slice::from_ref(&a));
        assert_eq!(view.freeze, Some(Freeze { a: a.clone(), b: None }));
        view.freeze_on(std::slice::from_ref(&a));
        assert_eq!(view.freeze, None);
        assert!(view.watch(&[a]).is_idle(), "nothing is noted that is not shown");
    }

    #[test]
    fn ticks_are_measured_while_what_they_took_is_shown() {
        let mut view = InsightView::default();
        assert!(!view.watch(&[]).profile);
        view.on.toggle(Overlay::TickTime);
        assert!(view.watch(&[]).profile);
        view.on.toggle(Overlay::TickTime);
        view.profiler.is_seen = true;
        assert!(view.watch(&[]).profile);
        view.profiler.is_on = false;
        assert!(!view.watch(&[]).profile);
        view.profiler = ProfilerView { is_on_hidden: true, ..ProfilerView::default() };
        assert!(view.watch(&[]).profile);
    }
}
