//! Message names as small numbers, so that routing compares no text.
//!
//! Invariant: a number never changes its name; the first two are the reserved ones.

use std::collections::BTreeMap;

use crate::model::Name;

/// A message's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MsgId(pub u32);

impl MsgId {
    /// The message that arrives once a tick.
    pub const UPDATE: Self = Self(0);
    /// The message that a timer of a state is due; for one transition only.
    pub const AFTER: Self = Self(1);
}

/// The names known so far.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<Name>,
    ids: BTreeMap<Name, MsgId>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Self { names: Vec::new(), ids: BTreeMap::new() };
        symbols.intern("Update");
        symbols.intern("after");
        symbols
    }
}

impl Symbols {
    /// The number of a name, new or known.
    pub fn intern(&mut self, name: &str) -> MsgId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = MsgId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Name = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// The number of a known name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<MsgId> {
        self.ids.get(name).copied()
    }

    /// The name of a number.
    #[must_use]
    pub fn name(&self, id: MsgId) -> Name {
        self.names.get(id.0 as usize).cloned().unwrap_or_else(|| "".into())
    }
}
