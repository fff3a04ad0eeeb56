//! The tuning overlay: values of constants that are tried out while the game plays, over those of the tuning pages.
//!
//! Two sets can be compared, A and B. A set holds constants by `Page.name`; those it does not hold have the files'
//! values, so an empty set is the project as its files have it. Which of the two the running world uses is the window's
//! business.
//!
//! Invariant: no file holds any of it. Values of constants that are gone are held all the same: they apply again when a
//! broken file is fixed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Name, Value};

/// Values of constants by `Page.name`.
pub type ValueSet = BTreeMap<Name, Value>;

/// Follow renamed constants; `new_name` gets an old name and returns the new one of those that have another.
pub fn rename_values(values: &mut ValueSet, new_name: impl Fn(&str) -> Option<Name>) {
    let renamed = std::mem::take(values).into_iter();
    *values = renamed.map(|(name, value)| (new_name(&name).unwrap_or(name), value)).collect();
}

/// The letter of one of the two sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TuningSide {
    /// At first the files' values.
    A,
    /// At first the set that the running world uses.
    #[default]
    B,
}

impl TuningSide {
    /// Both.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// `A` or `B`.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// One of the two sets, whichever letter it has: swapping the letters leaves it the same set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningSetId(bool);

impl Default for TuningSetId {
    fn default() -> Self {
        Self(true)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct TuningSet {
    title: String,
    values: ValueSet,
}

/// Two sets of values that are tried out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TuningOverlay {
    sets: [TuningSet; 2],
    /// Whether the second set is A.
    is_swapped: bool,
}

impl TuningOverlay {
    /// The set that has a letter now.
    #[must_use]
    pub fn id(&self, side: TuningSide) -> TuningSetId {
        TuningSetId((side == TuningSide::B) != self.is_swapped)
    }

    /// The letter that a set has now.
    #[must_use]
    pub fn side(&self, id: TuningSetId) -> TuningSide {
        if id.0 == self.is_swapped { TuningSide::A } else { TuningSide::B }
    }

    fn of(&self, side: TuningSide) -> &TuningSet {
        &self.sets[usize::from(self.id(side).0)]
    }

    fn of_mut(&mut self, side: TuningSide) -> &mut TuningSet {
        &mut self.sets[usize::from(self.id(side).0)]
    }

    /// The values of a set.
    #[must_use]
    pub fn values(&self, side: TuningSide) -> &ValueSet {
        &self.of(side).values
    }

    /// The values of a set, whichever letter it has.
    #[must_use]
    pub fn values_of(&self, id: TuningSetId) -> &ValueSet {
        &self.sets[usize::from(id.0)].values
    }

    /// The values of a set, to change.
    pub fn values_mut(&mut self, side: TuningSide) -> &mut ValueSet {
        &mut self.of_mut(side).values
    }

    /// The user's title of a set; may be empty.
    #[must_use]
    pub fn title(&self, side: TuningSide) -> &str {
        &self.of(side).title
    }

    /// Whether neither set holds anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.iter().all(|set| set.values.is_empty())
    }

    /// The constants that either set holds, each once, by name.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let mut names: Vec<&Name> = self.sets.iter().flat_map(|set| set.values.keys()).collect();
        names.sort();
        names.dedup();
        names.into_iter()
    }

    /// Make a set hold the same values as the other.
    pub fn copy(&mut self, from: TuningSide) {
        *self.values_mut(from.other()) = self.values(from).clone();
    }

    /// Exchange the letters of the two sets.
    pub fn swap(&mut self) {
        self.is_swapped = !self.is_swapped;
    }

    /// Give a set a title.
    pub fn set_title(&mut self, side: TuningSide, title: &str) {
        title.trim().clone_into(&mut self.of_mut(side).title);
    }

    /// Follow renamed constants; `new_name` gets an old name and returns the new one of those that have another.
    pub fn rename(&mut self, new_name: impl Fn(&str) -> Option<Name>) {
        self.sets.iter_mut().for_each(|set| rename_values(&mut set.values, &new_name));
    }
}
