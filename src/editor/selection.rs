//! The selection, by name and id, so that it survives undo, reload and renumbering.

use std::collections::BTreeSet;

use crate::{
    edit::Renamed,
    model::{DocKind, DocPath, Name},
};

/// What the inspector shows and what Delete deletes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A document as a whole: a level's or tileset's properties.
    Document(DocPath),
    /// Entity definitions, any number, of any files; never empty.
    Definitions {
        /// File and name of each, in the order they were chosen: the first is the one that ranges begin at.
        all: Vec<(DocPath, Name)>,
    },
    /// Placed entities and waypoints of a level, any number, on any of its layers.
    Things {
        /// The level.
        doc: DocPath,
        /// Their ids, in the order they were chosen.
        ids: Vec<Name>,
    },
    /// A layer of a level.
    Layer {
        /// The level.
        doc: DocPath,
        /// Its name.
        layer: Name,
    },
    /// Tiles of a tileset, any number; never empty.
    Tiles {
        /// The tileset.
        doc: DocPath,
        /// Their ids, in the order they were chosen.
        ids: Vec<u32>,
    },
    /// Part of a state machine.
    Machine {
        /// The file.
        doc: DocPath,
        /// The machine.
        name: Name,
        /// A state's path; empty for the root.
        state: Name,
        /// One of that state's transitions.
        transition: Option<usize>,
    },
}

impl Selection {
    /// The level that a command on a whole level means: the selected one, else the one `shown`.
    #[must_use]
    pub fn level_or<'a>(&'a self, shown: Option<&'a DocPath>) -> Option<&'a DocPath> {
        match self {
            Self::Document(doc) if doc.kind() == Some(DocKind::Level) => Some(doc),
            _ => shown,
        }
    }

    /// One definition.
    #[must_use]
    pub fn definition(doc: DocPath, name: Name) -> Self {
        Self::Definitions { all: vec![(doc, name)] }
    }

    /// The selected definitions; empty for any other selection.
    #[must_use]
    pub fn definitions(&self) -> &[(DocPath, Name)] {
        if let Self::Definitions { all } = self { all } else { &[] }
    }

    /// The one definition that is selected, if it is the only one.
    #[must_use]
    pub fn one_definition(&self) -> Option<(&DocPath, &Name)> {
        if let [(doc, name)] = self.definitions() { Some((doc, name)) } else { None }
    }

    /// Whether a definition is among the selected.
    #[must_use]
    pub fn has_definition(&self, doc: &DocPath, name: &str) -> bool {
        self.definitions().iter().any(|(d, n)| d == doc && **n == *name)
    }

    /// This with a definition added, or taken out when it is among them: a click with Ctrl.
    #[must_use]
    pub fn toggled(&self, doc: &DocPath, name: &Name) -> Self {
        let mut all = self.definitions().to_vec();
        let before = all.len();
        all.retain(|(d, n)| d != doc || n != name);
        if all.len() == before {
            all.push((doc.clone(), name.clone()));
        }
        if all.is_empty() { Self::None } else { Self::Definitions { all } }
    }

    /// The definitions of a list from the first selected one to the given one: a click with Shift. Without a first one,
    /// only the given.
    #[must_use]
    pub fn reaching(&self, list: &[(DocPath, Name)], doc: &DocPath, name: &Name) -> Self {
        let at = |doc: &DocPath, name: &Name| list.iter().position(|(d, n)| d == doc && n == name);
        let first = self.definitions().first().and_then(|(doc, name)| at(doc, name));
        let all = match (first, at(doc, name)) {
            (Some(first), Some(last)) if first <= last => list[first..=last].to_vec(),
            (Some(first), Some(last)) => list[last..=first].iter().rev().cloned().collect(),
            _ => return Self::definition(doc.clone(), name.clone()),
        };
        Self::Definitions { all }
    }

    /// The tiles selected of a tileset; empty for any other selection.
    #[must_use]
    pub fn tiles_of(&self, tileset: &DocPath) -> &[u32] {
        match self {
            Self::Tiles { doc, ids } if doc == tileset => ids,
            _ => &[],
        }
    }

    /// This with tiles of a tileset that were clicked or framed: they replace those selected, or are added to them. A
    /// click that adds (`is_click`) takes one out that is selected already. Without any, it is the tileset as a whole.
    #[must_use]
    pub fn with_tiles(&self, tileset: &DocPath, found: &[u32], is_adding: bool, is_click: bool) -> Self {
        let mut ids = if is_adding { self.tiles_of(tileset).to_vec() } else { Vec::new() };
        match found {
            [one] if is_click && ids.contains(one) => ids.retain(|id| id != one),
            _ => {
                let known: BTreeSet<u32> = ids.iter().copied().collect();
                ids.extend(found.iter().filter(|id| !known.contains(id)));
            }
        }
        if ids.is_empty() { Self::Document(tileset.clone()) } else { Self::Tiles { doc: tileset.clone(), ids } }
    }

    /// The selection after renames. What is gone keeps its old name.
    #[must_use]
    pub fn followed(self, moved: &Renamed<'_>) -> Self {
        let doc_after = |doc: DocPath| moved.doc(&doc).unwrap_or(doc);
        match self {
            Self::None => Self::None,
            Self::Document(doc) => Self::Document(doc_after(doc)),
            Self::Definitions { all } => {
                let all = all.into_iter().map(|(doc, name)| moved.def(&doc, &name).unwrap_or((doc, name)));
                Self::Definitions { all: all.collect() }
            }
            Self::Things { doc, ids } => Self::Things { doc: doc_after(doc), ids },
            Self::Tiles { doc, ids } => Self::Tiles { doc: doc_after(doc), ids },
            Self::Layer { doc, layer } => {
                let to = doc_after(doc.clone());
                let layer = moved.layer(&doc, &to, &layer).unwrap_or(layer);
                Self::Layer { doc: to, layer }
            }
            Self::Machine { doc, name, state, transition } => match moved.machine(&doc, &name) {
                None => Self::Machine { doc, name, state, transition },
                Some((to, new)) => {
                    let state = moved.state((&doc, &name), (&to, &new), &state).unwrap_or(state);
                    Self::Machine { doc: to, name: new, state, transition }
                }
            },
        }
    }

    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Things { ids, .. } => ids.is_empty(),
            _ => false,
        }
    }

    /// Whether F2 makes sense.
    #[must_use]
    pub fn is_renamable(&self) -> bool {
        match self {
            Self::Definitions { all } => all.len() == 1,
            Self::Layer { .. } => true,
            Self::Document(doc) => doc.kind() != Some(crate::model::DocKind::Project),
            Self::Machine { transition, .. } => transition.is_none(),
            _ => false,
        }
    }

    /// The document that holds the selection; of several definitions, the first one's.
    #[must_use]
    pub fn doc(&self) -> Option<&DocPath> {
        match self {
            Self::None => None,
            Self::Definitions { all } => all.first().map(|(doc, _)| doc),
            Self::Document(doc)
            | Self::Things { doc, .. }
            | Self::Layer { doc, .. }
            | Self::Tiles { doc, .. }
            | Self::Machine { doc, .. } => Some(doc),
        }
    }

    /// The selected ids in a level; empty for any other selection.
    #[must_use]
    pub fn ids_in(&self, level: &DocPath) -> &[Name] {
        match self {
            Self::Things { doc, ids } if doc == level => ids,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_added_taken_out_and_reached() {
        let doc = DocPath::new("entities/a.ron").unwrap_or_else(|| unreachable!());
        let list: Vec<(DocPath, Name)> = ["a", "b", "c", "d"].map(|name| (doc.clone(), name.into())).to_vec();
        let names = |selection: &Selection| -> String { selection.definitions().iter().map(|(_, n)| &**n).collect() };
        let b = Selection::definition(doc.clone(), "b".into());
        assert_eq!(names(&b.toggled(&doc, &"d".into())), "bd");
        assert_eq!(b.toggled(&doc, &"b".into()), Selection::None);
        let to_d = b.reaching(&list, &doc, &"d".into());
        assert_eq!(names(&to_d), "bcd");
        assert_eq!(names(&to_d.reaching(&list, &doc, &"a".into())), "ba", "from where it began");
        assert_eq!(names(&Selection::None.reaching(&list, &doc, &"c".into())), "c");
    }
}
