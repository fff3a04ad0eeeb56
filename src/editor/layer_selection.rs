//! Which layers of a level are selected: the one that tools work on, and those that were picked together with it in the
//! Layers pane.
//!
//! Invariant: layers picked together count only while the active one is among them, so whatever makes another one
//! active ends it.

use super::{LayerSeen, ViewState};
use crate::model::{DocPath, Level, Name};

/// How a layer is picked in the Layers pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerPick {
    /// It alone.
    Alone,
    /// Besides the others, or no longer: a click with Ctrl.
    Toggled,
    /// With all between it and the one that was picked first: a click with Shift.
    Reached,
}

impl ViewState {
    /// The rows of the Layers pane, front to back: every layer but those in folded groups.
    #[must_use]
    pub fn layer_rows<'a>(&self, doc: &DocPath, level: &'a Level) -> Vec<LayerSeen<'a>> {
        let mut rows = self.layers_seen(doc, level);
        rows.retain(|row| !row.groups.iter().any(|group| self.is_folded(doc, &group.name)));
        rows.reverse();
        rows
    }

    /// The layers that are selected together with a layer and itself, back to front.
    #[must_use]
    pub fn layers_with(&self, doc: &DocPath, level: &Level, layer: &str) -> Vec<Name> {
        let active = self.active_layer_of(doc, level).and_then(|at| level.nth_layer(at)).map(|active| &active.name);
        let picked = self.picked_layers.get(doc).filter(|picked| active.is_some_and(|active| picked.contains(active)));
        let is_picked = |name: &str| picked.is_some_and(|picked| picked.iter().any(|it| **it == *name));
        let is_one_of = |name: &str| *name == *layer || (is_picked(layer) && is_picked(name));
        let all = level.all_layers().into_iter().filter(|it| is_one_of(&it.name));
        all.map(|it| it.name.clone()).collect()
    }

    /// The layers that commands on layers mean: those that are selected, back to front.
    #[must_use]
    pub fn layers_meant(&self, doc: &DocPath, level: &Level) -> Vec<Name> {
        let active = self.active_layer_of(doc, level).and_then(|at| level.nth_layer(at));
        active.map(|active| self.layers_with(doc, level, &active.name)).unwrap_or_default()
    }

    /// The layers that are selected after one is picked, that where ranges begin first, and which of them is active
    /// then.
    #[must_use]
    pub fn picked(&self, doc: &DocPath, level: &Level, layer: &Name, pick: LayerPick) -> (Vec<Name>, Name) {
        let active = self.active_layer_of(doc, level).and_then(|at| level.nth_layer(at)).map(|it| it.name.clone());
        let meant = self.layers_meant(doc, level);
        // In the order they were picked.
        let mut all: Vec<Name> = match self.picked_layers.get(doc) {
            Some(picked) if meant.len() > 1 => picked.iter().filter(|name| meant.contains(name)).cloned().collect(),
            _ => active.iter().cloned().collect(),
        };
        match pick {
            LayerPick::Alone => all = vec![layer.clone()],
            LayerPick::Toggled if !all.contains(layer) => all.push(layer.clone()),
            LayerPick::Toggled => {
                all.retain(|name| name != layer);
                let kept = active.filter(|active| active != layer).or_else(|| all.last().cloned());
                // One stays: tools work on something.
                let kept = kept.unwrap_or_else(|| layer.clone());
                if all.is_empty() {
                    all.push(kept.clone());
                }
                return (all, kept);
            }
            LayerPick::Reached => {
                let rows: Vec<Name> = self.layer_rows(doc, level).iter().map(|row| row.layer.name.clone()).collect();
                let at = |name: &Name| rows.iter().position(|row| row == name);
                all = match (all.first().and_then(at), at(layer)) {
                    (Some(first), Some(last)) if first <= last => rows[first..=last].to_vec(),
                    (Some(first), Some(last)) => rows[last..=first].iter().rev().cloned().collect(),
                    _ => vec![layer.clone()],
                };
            }
        }
        (all, layer.clone())
    }
}
