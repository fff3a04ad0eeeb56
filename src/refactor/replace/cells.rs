//! Values of value layers that become another or none.

use super::{Hits, tiles::cell_hits};
use crate::{
    edit::Refusal,
    model::{DocPath, Level, Name, Tile, ValueLayer},
};

/// What cells of value layers are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplaceCells {
    /// The layer's name in every level; every value layer when there is none.
    pub layer: Option<Name>,
    /// The value that is looked for, from 1.
    pub is: u32,
    /// What replaces it; 0 for no value.
    pub with: u32,
}

impl ReplaceCells {
    pub(super) fn hits(&self, levels: &[(&DocPath, &Level)]) -> Result<Vec<Hits>, Refusal> {
        let from = self.is;
        let to = match self.with {
            _ if from == 0 => return Err(Refusal::new("choose the value to find")),
            to if to == from => return Err(Refusal::new("both are the same value")),
            0 => Tile::EMPTY,
            to => Tile::id_only(to),
        };
        if !ValueLayer::allows(to) {
            return Err(Refusal::new(format!("a value is a number from 1 to {}", ValueLayer::MAX)));
        }
        let mut hits = Vec::new();
        for (doc, level) in levels {
            for (at, layer) in level.all_layers().into_iter().enumerate() {
                let is_meant = self.layer.as_ref().is_none_or(|only| *only == layer.name);
                let Some(values) = layer.values().filter(|_| is_meant) else { continue };
                hits.extend(cell_hits((doc, level), at, layer, (&values.values, from), |_| to));
            }
        }
        Ok(hits)
    }

    /// What was looked for, in words.
    pub(super) fn describe(&self) -> String {
        let on = self.layer.as_deref().map(|layer| format!(" on {layer}")).unwrap_or_default();
        format!("value {}{on}", self.is)
    }

    pub(super) fn label(&self) -> String {
        match self.with {
            0 => format!("Erase {}", self.describe()),
            to => format!("Replace {} with {to}", self.describe()),
        }
    }
}
