//! The changes there are, each with everything it needs to be made again on another copy of the project.
//!
//! Invariant: an edit holds names, ids and values, never pointers or positions in memory, so it can be written down and
//! read back. What each does is in the file of its area; what it is called is in `label`.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Declared, TypedRefs, Word};
use crate::model::{
    Call, Cell, DocPath, Document, EntityDef, FieldPath, FieldSpec, Instance, Layer, Link, Machine, Name, Node, OpKind,
    ProjectFile, State, TerrainSet, Tile, TileDef, Transition, Tunable, TuningPage, Value, View,
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

/// New values for some of a layer's properties; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerPatch {
    /// Another name, unique in the level.
    pub name: Option<Name>,
    /// Drawn.
    pub visible: Option<bool>,
    /// Protected from editing.
    pub locked: Option<bool>,
    /// 0 to 1.
    pub opacity: Option<f64>,
    /// How much it moves with the camera.
    pub parallax: Option<[f64; 2]>,
    /// Shift in pixels.
    pub offset: Option<[f64; 2]>,
    /// Another tileset, for a tile layer.
    pub tileset: Option<Name>,
    /// Whether its tiles stop bodies, for a tile layer.
    pub collide: Option<bool>,
}

/// New values for some of a level's properties; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelPatch {
    /// Width and height of a cell, in pixels.
    pub tile_size: Option<[u32; 2]>,
    /// How it is seen; `Some(None)` for as the project says.
    #[serde(default, with = "twice")]
    pub view: Option<Option<View>>,
    /// Whether paths may cut corners.
    pub corner_cutting: Option<bool>,
}

/// New values for some of a waypoint graph's properties; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphPatch {
    /// Whether nodes that see each other link by themselves.
    pub auto_link: Option<bool>,
    /// Free width on each side of an automatic link, in pixels.
    pub radius: Option<f64>,
    /// Longest automatic link, in pixels; `Some(None)` for no limit.
    #[serde(default, with = "twice")]
    pub max_length: Option<Option<f64>>,
}

/// New values for some of a tileset's properties; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TilesetPatch {
    /// PNG, relative to the tileset's file.
    pub image: Option<String>,
    /// Size of a tile in the image, in pixels.
    pub tile_size: Option<[u32; 2]>,
    /// Pixels around the whole sheet.
    pub margin: Option<u32>,
    /// Pixels between tiles.
    pub spacing: Option<u32>,
}

/// A named change to the project.
///
/// In every variant `doc` is the file it changes, `layer` a layer's name, `machine` a machine's, and `state` the path
/// of a state from its machine's root, empty for the root itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields' names are the model's own, explained above and there")]
pub enum Edit {
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
    /// Make a definition abstract, or one that can be placed.
    SetAbstract { doc: DocPath, name: Name, is_abstract: bool },
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
    /// Put one placed entity at a place, in pixels, turned by degrees.
    SetTransform { doc: DocPath, layer: Name, id: Name, at: [f64; 2], rotation: f64 },
    /// Make a placed entity one of another definition; what it says for itself stays.
    SetInstanceDef { doc: DocPath, layer: Name, id: Name, def: Name },
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
    /// Change a layer's properties.
    SetLayer { doc: DocPath, layer: Name, patch: LayerPatch },
    /// Rename a layer. Routes name layers of waypoints whatever the level, so those of this name in other levels follow, with
    /// every use; `typed` says which fields and arguments hold layers.
    RenameLayer { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Change a level's properties.
    SetLevel { doc: DocPath, patch: LevelPatch },
    /// Give a level another size in tiles (`None`: unbounded), after moving everything in it by `shift` cells. Tiles that
    /// fall outside are erased; entities and waypoints stay.
    ResizeLevel { doc: DocPath, size: Option<[u32; 2]>, shift: Cell },
    /// Add a waypoint under an id that is free in the level.
    AddNode { doc: DocPath, layer: Name, id: Name, node: Node },
    /// Move waypoints of any layers, in pixels.
    MoveNodes { doc: DocPath, ids: Vec<Name>, by: [f64; 2] },
    /// Put a waypoint at a place.
    PlaceNode { doc: DocPath, layer: Name, id: Name, at: [f64; 2] },
    /// Give a waypoint other tags.
    SetNodeTags { doc: DocPath, layer: Name, id: Name, tags: Vec<String> },
    /// State a link between two waypoints, in place of what was stated about these two; `None` forgets it.
    SetLink { doc: DocPath, layer: Name, from: Name, to: Name, link: Option<Link> },
    /// Change how a waypoint layer links by itself.
    SetGraph { doc: DocPath, layer: Name, patch: GraphPatch },

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
    /// Say which child is entered with a state.
    SetInitial { doc: DocPath, machine: Name, state: Name, initial: Option<Name> },
    /// Add a transition, before the one at `at` or last.
    AddTransition { doc: DocPath, machine: Name, state: Name, at: Option<usize>, transition: Transition },
    /// Replace a transition.
    SetTransition { doc: DocPath, machine: Name, state: Name, at: usize, transition: Transition },
    /// Delete a transition.
    RemoveTransition { doc: DocPath, machine: Name, state: Name, at: usize },
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
    /// Delete a constant.
    RemoveTunable { doc: DocPath, name: Name },
    /// Rename a constant and every use of it; `typed` says which fields and arguments hold constants.
    RenameTunable { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Add a page as a new file.
    AddPage { doc: DocPath, page: TuningPage },
    /// Rename a page in every file that is of it, and every use of its constants; `typed` says which fields and arguments hold
    /// constants.
    RenamePage { doc: DocPath, from: Name, to: Name, typed: TypedRefs },
    /// Give a page another place among the pages.
    SetPageOrder { doc: DocPath, order: i64 },

    // Tilesets
    /// Change where a tileset's pictures are.
    SetTileset { doc: DocPath, patch: TilesetPatch },
    /// Add a tile, or replace all about it but its name's uses.
    SetTileDef { doc: DocPath, id: u32, tile: TileDef },
    /// Delete a tile from its tileset; levels that show it are reported by the checks.
    RemoveTileDef { doc: DocPath, id: u32 },
    /// Rename a tile and every use of its name; `typed` says which fields and arguments hold tiles.
    RenameTile { doc: DocPath, id: u32, to: String, typed: TypedRefs },
    /// Replace a terrain, add one at the end (`at` is their number), or delete one (`None`).
    SetTerrain { doc: DocPath, at: usize, terrain: Option<TerrainSet> },

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
    /// Replace what `project.ron` says.
    SetProjectFile { doc: DocPath, file: ProjectFile },
}

impl Edit {
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
            Self::SetInherits { doc, .. }
            | Self::SetAbstract { doc, .. }
            | Self::AddDef { doc, .. }
            | Self::PutDef { doc, .. }
            | Self::RemoveDef { doc, .. }
            | Self::RenameDef { doc, .. }
            | Self::DuplicateDef { doc, .. }
            | Self::PaintTiles { doc, .. }
            | Self::PlaceEntity { doc, .. }
            | Self::MoveEntities { doc, .. }
            | Self::SetTransform { doc, .. }
            | Self::SetInstanceDef { doc, .. }
            | Self::DeleteThings { doc, .. }
            | Self::PasteThings { doc, .. }
            | Self::MoveToLayer { doc, .. }
            | Self::AddLayer { doc, .. }
            | Self::RemoveLayer { doc, .. }
            | Self::MoveLayer { doc, .. }
            | Self::SetLayer { doc, .. }
            | Self::SetLevel { doc, .. }
            | Self::ResizeLevel { doc, .. }
            | Self::AddNode { doc, .. }
            | Self::MoveNodes { doc, .. }
            | Self::PlaceNode { doc, .. }
            | Self::SetNodeTags { doc, .. }
            | Self::SetLink { doc, .. }
            | Self::SetGraph { doc, .. }
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
            | Self::SetInitial { doc, .. }
            | Self::AddTransition { doc, .. }
            | Self::SetTransition { doc, .. }
            | Self::RemoveTransition { doc, .. }
            | Self::MoveTransition { doc, .. }
            | Self::SetCalls { doc, .. }
            | Self::AddHandler { doc, .. }
            | Self::RemoveHandler { doc, .. }
            | Self::RenameHandler { doc, .. }
            | Self::SetTunable { doc, .. }
            | Self::PutTunable { doc, .. }
            | Self::RemoveTunable { doc, .. }
            | Self::RenameTunable { doc, .. }
            | Self::AddPage { doc, .. }
            | Self::RenamePage { doc, .. }
            | Self::SetPageOrder { doc, .. }
            | Self::SetTileset { doc, .. }
            | Self::SetTileDef { doc, .. }
            | Self::RemoveTileDef { doc, .. }
            | Self::RenameTile { doc, .. }
            | Self::SetTerrain { doc, .. }
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
            | Self::MoveDocument { doc, .. }
            | Self::SetProjectFile { doc, .. } => doc,
        }
    }
}

/// `Option<Option<T>>` written so that formats with a single `null` tell "leave it" from "set it to nothing".
mod twice {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(it: &Option<Option<T>>, out: S) -> Result<S::Ok, S::Error> {
        it.as_ref().map(|inner| (inner,)).serialize(out)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Ok(Option::<(Option<T>,)>::deserialize(from)?.map(|(inner,)| inner))
    }
}
