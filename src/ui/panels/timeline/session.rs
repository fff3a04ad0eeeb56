//! What the time line keeps while it is used: whose tracks, what is picked, where it is looked at, what is dragged.

use std::collections::BTreeSet;

use egui::{Id, Pos2, Rect, Ui};

use crate::{
    edit::Owner,
    model::{Name, Value},
    tools::timeline::KeyAt,
};

/// Seconds that a new time line shows, for which a second has so many points.
const FIRST_ZOOM: f64 = 160.0;
/// The least and the most points of a second.
const ZOOM: (f64, f64) = (0.2, 8000.0);

/// What is kept of the time line between frames.
#[derive(Clone)]
pub(super) struct Session {
    /// Whose tracks it shows.
    pub owner: Option<Owner>,
    /// The keys that edits are made to.
    pub picked: BTreeSet<KeyAt>,
    /// Keys that were just made: picked once they are there, which takes as long as inheritance is applied.
    coming: BTreeSet<KeyAt>,
    /// The track that is shown large, and that keys are put on.
    pub track: Option<Name>,
    /// Points of a second.
    pub zoom: f64,
    /// The time at the left edge, in seconds.
    pub start: f64,
    /// It is to show all keys.
    pub wants_fit: bool,
    /// It is to take the keyboard.
    pub wants_focus: bool,
    pub drag: Option<Drag>,
    /// The tracks and what was picked of them before the gesture that is open, or as they are.
    pub base: (Value, BTreeSet<KeyAt>),
    /// Where the menu was opened: the track there, and the time.
    pub menu_at: Option<(Name, f64)>,
    /// The width of the bar, and the greatest height that it has had at that, in points.
    pub bar: (f32, f32),
}

/// What the pointer drags.
#[derive(Clone, Debug)]
pub(super) enum Drag {
    /// The picked keys, held by one at a time in seconds; the pointer began at another.
    Keys { held: f64, from: f64 },
    /// A frame around keys; those that were picked before it stay so.
    Frame { from: Pos2, before: BTreeSet<KeyAt> },
    /// The slope of a key, one of its numbers.
    Slope { at: KeyAt, lane: usize },
}

impl Default for Session {
    fn default() -> Self {
        Self {
            owner: None,
            picked: BTreeSet::new(),
            coming: BTreeSet::new(),
            track: None,
            zoom: FIRST_ZOOM,
            start: 0.0,
            wants_fit: true,
            wants_focus: false,
            drag: None,
            base: (Value::Map(Vec::new()), BTreeSet::new()),
            menu_at: None,
            bar: (0.0, 0.0),
        }
    }
}

impl Session {
    pub(super) fn load(ui: &Ui) -> Self {
        ui.data(|data| data.get_temp(id())).unwrap_or_default()
    }

    pub(super) fn store(self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(id(), self));
    }

    /// Another owner has other tracks: nothing of them is picked.
    pub(super) fn show(&mut self, owner: &Owner) {
        if self.owner.as_ref() != Some(owner) {
            *self = Self { owner: Some(owner.clone()), wants_fit: true, ..Self::default() };
        }
    }

    /// Pick a key besides the others, or no longer.
    pub(super) fn toggle(&mut self, key: KeyAt) {
        if !self.picked.remove(&key) {
            self.picked.insert(key);
        }
    }

    /// Pick keys that were just made.
    pub(super) fn pick_new(&mut self, keys: BTreeSet<KeyAt>) {
        self.picked.clear();
        self.coming = keys;
    }

    /// Of the picked keys, keep those that are there.
    pub(super) fn keep(&mut self, is_there: impl Fn(&KeyAt) -> bool) {
        self.picked.retain(&is_there);
        if !self.coming.is_empty() && self.coming.iter().all(is_there) {
            self.picked = std::mem::take(&mut self.coming);
        }
    }

    /// Where a time is on the screen.
    pub(super) fn x_of(&self, view: Rect, secs: f64) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "points of the screen")]
        let x = ((secs - self.start) * self.zoom) as f32;
        view.left() + x
    }

    /// The time at a place of the screen, in seconds.
    pub(super) fn secs_at(&self, view: Rect, x: f32) -> f64 {
        self.start + f64::from(x - view.left()) / self.zoom
    }

    /// Closer or farther, with a place of the screen kept where it is.
    pub(super) fn zoom_at(&mut self, view: Rect, x: f32, factor: f64) {
        let secs = self.secs_at(view, x);
        self.zoom = (self.zoom * factor).clamp(ZOOM.0, ZOOM.1);
        self.start = (secs - f64::from(x - view.left()) / self.zoom).max(-16.0 / self.zoom);
    }

    /// Move the view by so many points of the screen.
    pub(super) fn pan(&mut self, by: f32) {
        self.start = (self.start - f64::from(by) / self.zoom).max(-16.0 / self.zoom);
    }

    /// Show so many seconds from the start on.
    pub(super) fn fit(&mut self, view: Rect, secs: f64) {
        let room = f64::from((view.width() - 48.0).max(40.0));
        self.zoom = (room / secs.max(0.25)).clamp(ZOOM.0, ZOOM.1);
        self.start = -16.0 / self.zoom;
    }
}

fn id() -> Id {
    Id::unique("time line")
}
