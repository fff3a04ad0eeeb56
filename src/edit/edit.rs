//! The changes there are, each with everything it needs to be made again on another copy of the project.
//!
//! Invariant: an edit holds names, ids and values, never pointers or positions in memory, so it can be written down and
//! read back. What each does is in the file of its area; what it is called is in `label`.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Stamp, TypedRefs, Word};
use crate::model::{
    Cell, CellSet, DocPath, Document, EntityDef, FieldPath, Instance, Link, Name, Node, OpKind, State, Tile,
    TuningOverlay, Value,
    reflect::{Data, Reflect},
};

/// The owner of declared values: a definition or a placed entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// A definition of a file.
    Def {
        /// The file.
        doc: DocPath,
        /// The definition.
        name: Name,
    },
    /// An entity placed in a level.
    Instance {
        /// The level.
        doc: DocPath,
        /// Name of its layer.
        layer: Name,
        /// Its id.
        id: Name,
    },
}

impl Owner {
    /// The document it is in.
    #[must_use]
    pub fn doc(&self) -> &DocPath {
        match self {
            Self::Def { doc, .. } | Self::Instance { doc, .. } => doc,
        }
    }

    /// The definition's name or the placed entity's id.
    #[must_use]
    pub fn name(&self) -> &Name {
        match self {
            Self::Def { name, .. } => name,
            Self::Instance { id, .. } => id,
        }
    }
}

/// A named change to the project.
///
/// In every variant `doc` is the file it changes, `layer` a layer's name, `machine` a machine's, and `state` the path
/// of a state from its machine's root, empty for the root itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields' names are the model's own, explained above and there")]
pub enum Edit {
    // By place, as the description of documents has it
    /// Give a value another one; an entry that a map does not have is added to it. Maps of records, and lists of
    /// records with names of their own, are changed entry by entry.
    Set { doc: DocPath, at: FieldPath, data: Data },
    /// Put an entry into a map, at its end, or an element into a list, before the one at that place.
    Insert { doc: DocPath, at: FieldPath, data: Data },
    /// Take out an entry of a map or an element of a list.
    Remove { doc: DocPath, at: FieldPath },
    /// Move an entry of a map or an element of a list so that it is number `to`.
    Move { doc: DocPath, at: FieldPath, to: usize },
    /// Copy an entry of a map under another key, right after it.
    Copy { doc: DocPath, at: FieldPath, to: Name },
    /// Rename something and every use of it. `typed` gives its kind, and which values hold names of that kind; `of` is
    /// what it is of, as the enum of a word. A tile goes by its id.
    Rename { doc: DocPath, of: Name, from: Name, to: Name, typed: TypedRefs },

    // Definitions and overrides of placed entities
    /// Declare a value. `inner` leads from the field's value to the part of it that is set; structs on the way are
    /// made.
    SetValue { owner: Owner, op: OpKind, component: Name, field: Name, inner: FieldPath, value: Value },
    /// Drop what the owner declares of the field (or the part of it at `inner`): by one operation, where what it
    /// declares by others stays and what it removes, or by every one (`None`), so that the value is inherited.
    ClearValue { owner: Owner, op: Option<OpKind>, component: Name, field: Name, inner: FieldPath },
    /// Name a component, so that the owner has it.
    AddComponent { owner: Owner, component: Name },
    /// Remove a component: the owner's operations on it are dropped, and an inherited one is listed under `remove`.
    RemoveComponent { owner: Owner, component: Name },
    /// Add an entry to `remove`, as in `Loot.gold`.
    AddRemove { owner: Owner, entry: String },
    /// Take an entry out of `remove`.
    DropRemove { owner: Owner, entry: String },
    /// Replace the content of a definition, or add one: before another of the same file, or at its end.
    PutDef { doc: DocPath, name: Name, def: EntityDef, before: Option<Name> },

    // Levels
    /// Put tiles; empty ones erase. Cells outside a level with a size are left alone.
    PaintTiles { doc: DocPath, layer: Name, cells: Vec<(Cell, Tile)> },
    /// Put tiles on cells: a stamp that repeats from a cell that its left top is on. Its empty tiles leave what is
    /// there; a stamp of no other erases. Cells outside a level with a size are only erased.
    FillTiles { doc: DocPath, layer: Name, cells: Arc<CellSet>, stamp: Stamp, anchor: Cell },
    /// Put the tiles of one layer over those of another. Cells outside a level with a size are left alone.
    MergeTiles { doc: DocPath, layer: Name, from: Name },
    /// Make placed entities of a layer those of another definition. What they declare themselves stays.
    SetDef { doc: DocPath, layer: Name, ids: Vec<Name>, def: Name },
    /// Move placed entities and waypoints of any layers, in pixels.
    MoveThings { doc: DocPath, ids: Vec<Name>, by: [f64; 2] },
    /// Delete placed entities and waypoints; links of the latter go with them.
    DeleteThings { doc: DocPath, ids: Vec<Name> },
    /// Add entities to an entity layer, or nodes and links to a waypoint layer, under ids that are free in the level.
    PasteThings {
        doc: DocPath,
        layer: Name,
        entities: Vec<(Name, Instance)>,
        nodes: Vec<(Name, Node)>,
        links: Vec<Link>,
    },
    /// Move placed entities or waypoints (with the links among them) to another layer of the same kind.
    MoveToLayer { doc: DocPath, ids: Vec<Name>, layer: Name },
    /// Move a layer into a group, or out of all (`None`), so that it is number `to` there.
    MoveLayer { doc: DocPath, layer: Name, group: Option<Name>, to: usize },
    /// Give a level another size in tiles (`None`: unbounded), after moving everything in it by `shift` cells. Tiles
    /// that fall outside are erased, but for layers that do not move with the world; entities and waypoints stay.
    ResizeLevel { doc: DocPath, size: Option<[u32; 2]>, shift: Cell },
    /// Set the link between two waypoints, in place of the present one; `None` removes it.
    SetLink { doc: DocPath, layer: Name, from: Name, to: Name, link: Option<Link> },

    // Machines
    /// Add a state with all it holds, as copied: `layout` has its place under `""` and those of the states in it by
    /// path from it.
    PasteState { doc: DocPath, machine: Name, parent: Name, name: Name, state: State, layout: Vec<(Name, [f64; 2])> },
    /// Delete a state, the states in it, and the transitions that lead to any of them.
    RemoveState { doc: DocPath, machine: Name, state: Name },
    /// Rename a state and every address that means it or a state in it.
    RenameState { doc: DocPath, machine: Name, state: Name, to: Name },
    /// Move the boxes of states: by path, left and top in pixels.
    MoveStates { doc: DocPath, machine: Name, places: Vec<(Name, [f64; 2])> },
    /// Move a state into another (or the root), with every address that means it, drawn at `at` or laid out with the
    /// others there.
    ReparentState { doc: DocPath, machine: Name, state: Name, parent: Name, at: Option<[f64; 2]> },
    /// Reorder a transition or move it to another state: it becomes number `to` of `to_state`.
    MoveTransition { doc: DocPath, machine: Name, state: Name, at: usize, to_state: Name, to: usize },

    // The game's own vocabulary
    /// Replace a name that the schema `doc` no longer declares by `to` wherever data uses it; without `to`, remove it.
    RewriteUses { doc: DocPath, word: Word, to: Option<Name>, typed: TypedRefs },

    // Documents
    /// Put a whole file: a new one, or what was read from disk; without a document, delete it.
    PutDocument { doc: DocPath, document: Option<Arc<Document>> },
    /// Replace the values of constants that are tried out, which no file holds.
    PutTuningOverlay { overlay: Arc<TuningOverlay> },
    /// Move a file, which renames a level, tileset or scenario; uses of its name follow, found with `typed`.
    MoveDocument { doc: DocPath, to: DocPath, typed: TypedRefs },
}

impl Edit {
    /// Give what is at a place of a document a value.
    #[must_use]
    pub fn set_at(doc: &DocPath, at: FieldPath, value: &dyn Reflect) -> Self {
        Self::Set { doc: doc.clone(), at, data: Data::of(value) }
    }

    /// Put a value into a map or list of a document.
    #[must_use]
    pub fn insert_at(doc: &DocPath, at: FieldPath, value: &dyn Reflect) -> Self {
        Self::Insert { doc: doc.clone(), at, data: Data::of(value) }
    }

    /// Put a whole file, new or in place of another.
    #[must_use]
    pub fn put_document(doc: DocPath, document: impl Into<Arc<Document>>) -> Self {
        Self::PutDocument { doc, document: Some(document.into()) }
    }

    /// Rename a top-level thing and every use of it.
    #[must_use]
    pub fn rename(doc: &DocPath, from: &str, to: &str, typed: TypedRefs) -> Self {
        Self::Rename { doc: doc.clone(), of: "".into(), from: from.into(), to: to.into(), typed }
    }

    /// Place an entity on a layer.
    #[must_use]
    pub fn place(doc: &DocPath, layer: &Name, id: Name, instance: Instance) -> Self {
        let (entities, nodes, links) = (vec![(id, instance)], Vec::new(), Vec::new());
        Self::PasteThings { doc: doc.clone(), layer: layer.clone(), entities, nodes, links }
    }

    /// Add a waypoint to a layer.
    #[must_use]
    pub fn add_node(doc: &DocPath, layer: &Name, id: Name, node: Node) -> Self {
        let (entities, nodes, links) = (Vec::new(), vec![(id, node)], Vec::new());
        Self::PasteThings { doc: doc.clone(), layer: layer.clone(), entities, nodes, links }
    }

    /// Move a layer into a group, or out of all, so that it is number `to` there.
    #[must_use]
    pub fn move_layer(doc: &DocPath, layer: &Name, group: Option<&Name>, to: usize) -> Self {
        Self::MoveLayer { doc: doc.clone(), layer: layer.clone(), group: group.cloned(), to }
    }

    /// Declare a whole field's value with `set`, the most usual edit.
    #[must_use]
    pub fn set(owner: Owner, component: &str, field: &str, value: Value) -> Self {
        Self::SetValue {
            owner,
            op: OpKind::Set,
            component: component.into(),
            field: field.into(),
            inner: FieldPath::root(),
            value,
        }
    }

    /// Reset a whole field to inherited.
    #[must_use]
    pub fn clear(owner: Owner, component: &str, field: &str) -> Self {
        Self::ClearValue { owner, op: None, component: component.into(), field: field.into(), inner: FieldPath::root() }
    }

    /// The file that is edited, if any; a rename may change others too.
    #[must_use]
    pub fn doc(&self) -> Option<&DocPath> {
        match self {
            Self::PutTuningOverlay { .. } => None,
            Self::SetValue { owner, .. }
            | Self::ClearValue { owner, .. }
            | Self::AddComponent { owner, .. }
            | Self::RemoveComponent { owner, .. }
            | Self::AddRemove { owner, .. }
            | Self::DropRemove { owner, .. } => Some(owner.doc()),
            Self::Set { doc, .. }
            | Self::Insert { doc, .. }
            | Self::Remove { doc, .. }
            | Self::Move { doc, .. }
            | Self::Copy { doc, .. }
            | Self::Rename { doc, .. }
            | Self::SetDef { doc, .. }
            | Self::MoveThings { doc, .. }
            | Self::PutDef { doc, .. }
            | Self::PaintTiles { doc, .. }
            | Self::FillTiles { doc, .. }
            | Self::MergeTiles { doc, .. }
            | Self::DeleteThings { doc, .. }
            | Self::PasteThings { doc, .. }
            | Self::MoveToLayer { doc, .. }
            | Self::MoveLayer { doc, .. }
            | Self::ResizeLevel { doc, .. }
            | Self::SetLink { doc, .. }
            | Self::PasteState { doc, .. }
            | Self::RemoveState { doc, .. }
            | Self::RenameState { doc, .. }
            | Self::MoveStates { doc, .. }
            | Self::ReparentState { doc, .. }
            | Self::MoveTransition { doc, .. }
            | Self::RewriteUses { doc, .. }
            | Self::PutDocument { doc, .. }
            | Self::MoveDocument { doc, .. } => Some(doc),
        }
    }
}
