//! The changes there are, each with everything it needs to be made again on another copy of the project.
//!
//! Invariant: an edit holds names, ids and values, never pointers or positions in memory, so it can be written down and
//! read back. What each does is in the file of its area; what it is called is in `label`.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Declared, TypedRefs, Word};
use crate::model::{
    Call, Cell, DocPath, Document, EntityDef, FieldPath, FieldSpec, Instance, Layer, Link, Machine, Name, Node, OpKind,
    State, Tile, Tunable, TuningPage, Value,
    reflect::{Data, Reflect},
};

/// Who says a value: a definition or a placed entity.
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

/// A list of actions in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Slot {
    /// Done on entering.
    Enter,
    /// Done on leaving.
    Exit,
    /// Done each tick.
    Update,
    /// The answer to a message.
    On(Name),
}

/// A named change to the project.
///
/// In every variant `doc` is the file it changes, `layer` a layer's name, `machine` a machine's, and `state` the path
/// of a state from its machine's root, empty for the root itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields' names are the model's own, explained above and there")]
pub enum Edit {
    // By place, as the description of documents has it
    /// Give a value another one.
    Set { doc: DocPath, at: FieldPath, data: Data },
    /// Put an entry into a map, at its end, or an element into a list, before the one at that place.
    Insert { doc: DocPath, at: FieldPath, data: Data },
    /// Take out an entry of a map or an element of a list.
    Remove { doc: DocPath, at: FieldPath },
    /// Move an entry of a map or an element of a list so that it is number `to`.
    Move { doc: DocPath, at: FieldPath, to: usize },

    // Definitions and what placed entities say for themselves
    /// Say a value. `inner` leads from the field's value to the part of it that is set; structs on the way are made.
    SetValue { owner: Owner, op: OpKind, component: Name, field: Name, inner: FieldPath, value: Value },
    /// Reset to inherited: drop what the owner says about the field (or the part of it at `inner`) by every operation.
    ClearValue { owner: Owner, component: Name, field: Name, inner: FieldPath },
    /// Drop what the owner says about the field (or the part of it at `inner`) by one operation. What it says by others stays,
    /// and what it removes.
    DropValue { owner: Owner, op: OpKind, component: Name, field: Name, inner: FieldPath },
    /// Name a component, so that the owner has it.
    AddComponent { owner: Owner, component: Name },
    /// Take a component away: what the owner says about it is dropped, and an inherited one is listed under `remove`.
    RemoveComponent { owner: Owner, component: Name },
    /// Add an entry to `remove`, as in `Loot.gold`.
    AddRemove { owner: Owner, entry: String },
    /// Take an entry out of `remove`.
    DropRemove { owner: Owner, entry: String },
    /// Give a definition other parents.
    SetInherits { doc: DocPath, name: Name, inherits: Vec<Name> },
    /// Add a definition at the end of a file.
    AddDef { doc: DocPath, name: Name, def: EntityDef },
    /// Replace all that a definition says, or add one: before another of the same file, or at its end.
    PutDef { doc: DocPath, name: Name, def: EntityDef, before: Option<Name> },
    /// Delete a definition; uses of it stay and are reported by the checks.
    RemoveDef { doc: DocPath, name: Name },
    /// Rename a definition and every use of it; `typed` says which fields and arguments hold definitions.
    RenameDef { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Copy a definition under another name, right after it.
    DuplicateDef { doc: DocPath, name: Name, to: Name },

    // Levels
    /// Put tiles; empty ones erase. Cells outside a level with a size are left alone.
    PaintTiles { doc: DocPath, layer: Name, cells: Vec<(Cell, Tile)> },
    /// Place an entity under an id that is free in the level.
    PlaceEntity { doc: DocPath, layer: Name, id: Name, instance: Instance },
    /// Move placed entities of any layers, in pixels.
    MoveEntities { doc: DocPath, ids: Vec<Name>, by: [f64; 2] },
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
    /// Add a layer; `at` counts from the back.
    AddLayer { doc: DocPath, at: usize, layer: Layer },
    /// Delete a layer with all it holds.
    RemoveLayer { doc: DocPath, layer: Name },
    /// Move a layer so that it is number `to` from the back.
    MoveLayer { doc: DocPath, layer: Name, to: usize },
    /// Rename a layer. Routes name layers of waypoints whatever the level, so those of this name in other levels follow, with
    /// every use; `typed` says which fields and arguments hold layers.
    RenameLayer { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Give a level another size in tiles (`None`: unbounded), after moving everything in it by `shift` cells. Tiles that
    /// fall outside are erased; entities and waypoints stay.
    ResizeLevel { doc: DocPath, size: Option<[u32; 2]>, shift: Cell },
    /// Add a waypoint under an id that is free in the level.
    AddNode { doc: DocPath, layer: Name, id: Name, node: Node },
    /// Move waypoints of any layers, in pixels.
    MoveNodes { doc: DocPath, ids: Vec<Name>, by: [f64; 2] },
    /// State a link between two waypoints, in place of what was stated about these two; `None` forgets it.
    SetLink { doc: DocPath, layer: Name, from: Name, to: Name, link: Option<Link> },

    // Machines
    /// Add a machine at the end of a file.
    AddMachine { doc: DocPath, name: Name, machine: Machine },
    /// Delete a machine; uses of it stay and are reported by the checks.
    RemoveMachine { doc: DocPath, name: Name },
    /// Rename a machine and every use of it; `typed` says which fields and arguments hold machines.
    RenameMachine { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Copy a machine under another name, right after it.
    DuplicateMachine { doc: DocPath, name: Name, to: Name },
    /// Add a state inside `parent`, drawn at `at`. The first one becomes the parent's initial state.
    AddState { doc: DocPath, machine: Name, parent: Name, name: Name, at: [f64; 2] },
    /// Add a state with all it holds, as copied: `layout` has its place under `""` and those of the states in it by path
    /// from it.
    PasteState { doc: DocPath, machine: Name, parent: Name, name: Name, state: State, layout: Vec<(Name, [f64; 2])> },
    /// Delete a state, the states in it, and the transitions that lead to any of them.
    RemoveState { doc: DocPath, machine: Name, state: Name },
    /// Rename a state and every address that means it or a state in it.
    RenameState { doc: DocPath, machine: Name, state: Name, to: Name },
    /// Draw states elsewhere: by path, left and top in pixels.
    MoveStates { doc: DocPath, machine: Name, places: Vec<(Name, [f64; 2])> },
    /// Move a state into another (or the root), with every address that means it, drawn at `at` or laid out with the others there.
    ReparentState { doc: DocPath, machine: Name, state: Name, parent: Name, at: Option<[f64; 2]> },
    /// Try a transition sooner or later, or from another state: it becomes number `to` of `to_state`.
    MoveTransition { doc: DocPath, machine: Name, state: Name, at: usize, to_state: Name, to: usize },
    /// Replace a list of actions; an unlisted message gets a handler.
    SetCalls { doc: DocPath, machine: Name, state: Name, slot: Slot, calls: Vec<Call> },
    /// Answer a message, with nothing yet.
    AddHandler { doc: DocPath, machine: Name, state: Name, message: Name },
    /// Answer a message no longer.
    RemoveHandler { doc: DocPath, machine: Name, state: Name, message: Name },
    /// Answer another message with the same actions.
    RenameHandler { doc: DocPath, machine: Name, state: Name, message: Name, to: Name },

    // Tuning
    /// Give a constant another value.
    SetTunable { doc: DocPath, name: Name, value: Value },
    /// Add a constant, or replace all about it.
    PutTunable { doc: DocPath, name: Name, tunable: Tunable },
    /// Rename a constant and every use of it; `typed` says which fields and arguments hold constants.
    RenameTunable { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Add a page as a new file.
    AddPage { doc: DocPath, page: TuningPage },
    /// Rename a page in every file that is of it, and every use of its constants; `typed` says which fields and arguments hold
    /// constants.
    RenamePage { doc: DocPath, from: Name, to: Name, typed: TypedRefs },

    // Tilesets
    /// Rename a tile and every use of its name; `typed` says which fields and arguments hold tiles.
    RenameTile { doc: DocPath, id: u32, to: String, typed: TypedRefs },

    // The game's own vocabulary
    /// Rename a component, message, condition or action that a schema of the game declares, and every use of it; `typed` says
    /// which values hold its name.
    RenameDeclared { doc: DocPath, what: Declared, to: Name, typed: TypedRefs },
    /// Rename a component's field, a field of a message's payload or an argument that a schema of the game declares, and every
    /// use of it.
    RenameField { doc: DocPath, of: Declared, from: Name, to: Name, typed: TypedRefs },
    /// Rename a word of an enum that a schema of the game declares, and every value of that enum; `typed` says which fields and
    /// arguments hold words.
    RenameEnumValue { doc: DocPath, of: Name, from: Name, to: Name, typed: TypedRefs },
    /// Rename a tag of entities, tiles and waypoints wherever it is; `doc` is one of the files that say it.
    RenameTag { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Write a word that the schema `doc` declares no more anew wherever data says it; without `to`, take it out.
    RewriteUses { doc: DocPath, word: Word, to: Option<Name>, typed: TypedRefs },
    /// Declare a field, or change its declaration. A new one goes to `at`, to the end without.
    PutField { doc: DocPath, of: Declared, field: Name, at: Option<usize>, spec: Box<FieldSpec> },
    /// Take a field's declaration away; what data says about it stays, and is told as a problem.
    RemoveField { doc: DocPath, of: Declared, field: Name },
    /// Declare an enum, or change its words.
    PutEnum { doc: DocPath, name: Name, words: Vec<Name> },
    /// Declare a component, message, condition or action, or change what is said about it.
    Declare { doc: DocPath, what: Declared, about: String, deprecated: Option<String> },
    /// Take a declaration away; what uses it stays, and is told as a problem.
    Undeclare { doc: DocPath, what: Declared },

    // Documents
    /// Put a whole file: a new one, or what was read from disk.
    PutDocument { doc: DocPath, document: Arc<Document> },
    /// Delete a file.
    RemoveDocument { doc: DocPath },
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

    /// Say a whole field's value with `set`, the most usual edit.
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
        Self::ClearValue { owner, component: component.into(), field: field.into(), inner: FieldPath::root() }
    }

    /// The file that is edited; a rename may change others too.
    #[must_use]
    pub fn doc(&self) -> &DocPath {
        match self {
            Self::SetValue { owner, .. }
            | Self::ClearValue { owner, .. }
            | Self::DropValue { owner, .. }
            | Self::AddComponent { owner, .. }
            | Self::RemoveComponent { owner, .. }
            | Self::AddRemove { owner, .. }
            | Self::DropRemove { owner, .. } => owner.doc(),
            Self::Set { doc, .. }
            | Self::Insert { doc, .. }
            | Self::Remove { doc, .. }
            | Self::Move { doc, .. }
            | Self::SetInherits { doc, .. }
            | Self::AddDef { doc, .. }
            | Self::PutDef { doc, .. }
            | Self::RemoveDef { doc, .. }
            | Self::RenameDef { doc, .. }
            | Self::DuplicateDef { doc, .. }
            | Self::PaintTiles { doc, .. }
            | Self::PlaceEntity { doc, .. }
            | Self::MoveEntities { doc, .. }
            | Self::DeleteThings { doc, .. }
            | Self::PasteThings { doc, .. }
            | Self::MoveToLayer { doc, .. }
            | Self::AddLayer { doc, .. }
            | Self::RemoveLayer { doc, .. }
            | Self::MoveLayer { doc, .. }
            | Self::ResizeLevel { doc, .. }
            | Self::AddNode { doc, .. }
            | Self::MoveNodes { doc, .. }
            | Self::SetLink { doc, .. }
            | Self::AddMachine { doc, .. }
            | Self::RemoveMachine { doc, .. }
            | Self::RenameMachine { doc, .. }
            | Self::DuplicateMachine { doc, .. }
            | Self::AddState { doc, .. }
            | Self::PasteState { doc, .. }
            | Self::RemoveState { doc, .. }
            | Self::RenameState { doc, .. }
            | Self::MoveStates { doc, .. }
            | Self::ReparentState { doc, .. }
            | Self::MoveTransition { doc, .. }
            | Self::SetCalls { doc, .. }
            | Self::AddHandler { doc, .. }
            | Self::RemoveHandler { doc, .. }
            | Self::RenameHandler { doc, .. }
            | Self::SetTunable { doc, .. }
            | Self::PutTunable { doc, .. }
            | Self::RenameTunable { doc, .. }
            | Self::AddPage { doc, .. }
            | Self::RenamePage { doc, .. }
            | Self::RenameTile { doc, .. }
            | Self::RenameDeclared { doc, .. }
            | Self::RenameField { doc, .. }
            | Self::RenameEnumValue { doc, .. }
            | Self::RenameTag { doc, .. }
            | Self::RenameLayer { doc, .. }
            | Self::RewriteUses { doc, .. }
            | Self::PutField { doc, .. }
            | Self::RemoveField { doc, .. }
            | Self::PutEnum { doc, .. }
            | Self::Declare { doc, .. }
            | Self::Undeclare { doc, .. }
            | Self::PutDocument { doc, .. }
            | Self::RemoveDocument { doc }
            | Self::MoveDocument { doc, .. } => doc,
        }
    }
}
