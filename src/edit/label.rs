//! What edits are called, in users' words: for the History pane, the Undo menu and the status line.

use super::{Edit, Owner, Slot};
use crate::model::{DocPath, Document, FieldPath, LinkBy, Name, OpKind, counted, reflect::called};

fn things(ids: &[Name], one: &str, many: &str) -> String {
    match ids {
        [id] => format!("{one} {id}"),
        _ => format!("{} {many}", ids.len()),
    }
}

/// `max` of `Health`, with the part of it that is meant.
fn field(component: &Name, name: &Name, inner: &FieldPath) -> String {
    inner.on_from(&format!("{component}.{name}"))
}

/// What a place is called; a part of the document itself with its file's name.
fn place(doc: &DocPath, at: &FieldPath) -> String {
    let Some(kind) = doc.kind() else { return at.to_string() };
    let called = called(Document::blank(kind).root().ty(), at);
    if at.0.len() > 1 { called } else { format!("{called} of {}", doc.stem()) }
}

fn state_of(machine: &Name, state: &Name) -> String {
    if state.is_empty() { format!("{machine}'s global section") } else { format!("{machine}'s {state}") }
}

impl Owner {
    fn whose(&self) -> String {
        format!("{}'s", self.name())
    }
}

impl Edit {
    /// What this does, as an order: `Set goblin's Health.max`, `Paint 12 tiles`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::SetValue { owner, op, component, field: name, inner, .. } => {
                let verb = match op {
                    OpKind::Remove | OpKind::Set => "Set",
                    OpKind::Scale => "Scale",
                    OpKind::Add => "Add to",
                    OpKind::Append => "Append to",
                };
                format!("{verb} {} {}", owner.whose(), field(component, name, inner))
            }
            Self::ClearValue { owner, component, field: name, inner } => {
                format!("Reset {} {}", owner.whose(), field(component, name, inner))
            }
            Self::DropValue { owner, component, field: name, inner, .. } => {
                format!("Drop {} {}", owner.whose(), field(component, name, inner))
            }
            Self::AddComponent { owner, component } => format!("Add {component} to {}", owner.name()),
            Self::RemoveComponent { owner, component } => format!("Remove {component} from {}", owner.name()),
            Self::AddRemove { owner, entry } => format!("Take {entry} away from {}", owner.name()),
            Self::DropRemove { owner, entry } => format!("Give {entry} back to {}", owner.name()),
            Self::Set { doc, at, .. } => format!("Set {}", place(doc, at)),
            Self::Insert { doc, at, .. } => format!("Add {}", place(doc, at)),
            Self::Remove { doc, at } => format!("Delete {}", place(doc, at)),
            Self::Move { doc, at, .. } => format!("Move {}", place(doc, at)),
            Self::SetInherits { name, inherits, .. } if inherits.is_empty() => format!("Let {name} inherit nothing"),
            Self::SetInherits { name, inherits, .. } => format!("Let {name} inherit {}", inherits.join(", ")),
            Self::AddDef { name, .. } => format!("Add definition {name}"),
            Self::PutDef { name, .. } => format!("Change definition {name}"),
            Self::RemoveDef { name, .. } => format!("Delete definition {name}"),
            Self::RenameDef { from, to, .. } => format!("Rename definition {from} to {to}"),
            Self::DuplicateDef { name, to, .. } => format!("Duplicate definition {name} as {to}"),

            Self::PaintTiles { cells, .. } if cells.iter().all(|(_, tile)| tile.is_empty()) => {
                format!("Erase {}", counted(cells.len(), "tile"))
            }
            Self::PaintTiles { cells, .. } => format!("Paint {}", counted(cells.len(), "tile")),
            Self::PlaceEntity { instance, .. } => format!("Place {}", instance.def),
            Self::MoveEntities { ids, .. } => format!("Move {}", things(ids, "entity", "entities")),
            Self::DeleteThings { ids, .. } => format!("Delete {}", things(ids, "", "things").trim_start()),
            Self::PasteThings { entities, nodes, .. } => match (entities.len(), nodes.len()) {
                (n, 0) => format!("Paste {}", counted(n, "entity")),
                (0, n) => format!("Paste {}", counted(n, "waypoint")),
                (n, m) => format!("Paste {}", counted(n + m, "thing")),
            },
            Self::MoveToLayer { ids, layer, .. } => {
                format!("Move {} to layer {layer}", things(ids, "", "things").trim_start())
            }
            Self::AddLayer { layer, .. } => format!("Add layer {}", layer.name),
            Self::RemoveLayer { layer, .. } => format!("Delete layer {layer}"),
            Self::MoveLayer { layer, .. } => format!("Reorder layer {layer}"),
            Self::ResizeLevel { doc, size: Some([w, h]), .. } => format!("Resize {} to {w} × {h}", doc.stem()),
            Self::ResizeLevel { doc, size: None, .. } => format!("Make {} unbounded", doc.stem()),
            Self::AddNode { layer, .. } => format!("Add waypoint to {layer}"),
            Self::MoveNodes { ids, .. } => format!("Move {}", things(ids, "waypoint", "waypoints")),
            Self::SetLink { link: Some(link), .. } if link.by == LinkBy::Broken => "Break link".to_owned(),
            Self::SetLink { link: Some(_), .. } => "Link waypoints".to_owned(),
            Self::SetLink { .. } => "Forget link".to_owned(),

            Self::AddMachine { name, .. } => format!("Add machine {name}"),
            Self::RemoveMachine { name, .. } => format!("Delete machine {name}"),
            Self::RenameMachine { from, to, .. } => format!("Rename machine {from} to {to}"),
            Self::DuplicateMachine { name, to, .. } => format!("Duplicate machine {name} as {to}"),
            Self::AddState { machine, name, .. } => format!("Add state {name} to {machine}"),
            Self::PasteState { machine, name, .. } => format!("Paste state {name} into {machine}"),
            Self::RemoveState { machine, state, .. } => format!("Delete {machine}'s state {state}"),
            Self::RenameState { machine, state, to, .. } => format!("Rename {machine}'s state {state} to {to}"),
            Self::MoveStates { places, .. } if places.len() != 1 => format!("Move {} states", places.len()),
            Self::MoveStates { places, .. } => {
                format!("Move state {}", places.first().map_or("", |(path, _)| path))
            }
            Self::ReparentState { state, parent, .. } if parent.is_empty() => format!("Move {state} to the top"),
            Self::ReparentState { state, parent, .. } => format!("Move {state} into {parent}"),
            Self::MoveTransition { machine, state, .. } => format!("Reorder ways from {}", state_of(machine, state)),
            Self::SetCalls { machine, state, slot, .. } => {
                let when = match slot {
                    Slot::Enter => "on entering".to_owned(),
                    Slot::Exit => "on leaving".to_owned(),
                    Slot::Update => "each tick".to_owned(),
                    Slot::On(message) => format!("on {message}"),
                };
                format!("Change what {} does {when}", state_of(machine, state))
            }
            Self::AddHandler { machine, state, message, .. } => {
                format!("Answer {message} in {}", state_of(machine, state))
            }
            Self::RemoveHandler { machine, state, message, .. } => {
                format!("Stop answering {message} in {}", state_of(machine, state))
            }
            Self::RenameHandler { machine, state, message, to, .. } => {
                format!("Answer {to} instead of {message} in {}", state_of(machine, state))
            }

            Self::SetTunable { doc, name, .. } => format!("Set {} {name}", doc.stem()),
            Self::PutTunable { doc, name, .. } => format!("Define {} {name}", doc.stem()),
            Self::RenameTunable { from, to, .. } => format!("Rename constant {from} to {to}"),
            Self::AddPage { page, .. } => format!("Add page {}", page.page),
            Self::RenamePage { from, to, .. } => format!("Rename page {from} to {to}"),

            Self::RenameTile { id, to, .. } if to.is_empty() => format!("Take tile {id}'s name away"),
            Self::RenameTile { to, .. } => format!("Rename tile to {to}"),

            Self::RenameDeclared { what, to, .. } => format!("Rename {} {} to {to}", what.noun(), what.name()),
            Self::RenameField { of, from, to, .. } => {
                format!("Rename {} {}.{from} to {to}", of.field_noun(), of.name())
            }
            Self::RenameEnumValue { of, from, to, .. } => format!("Rename {of} {from} to {to}"),
            Self::RenameTag { from, to, .. } => format!("Rename tag {from} to {to}"),
            Self::RenameLayer { from, to, .. } => format!("Rename layer {from} to {to}"),

            Self::RewriteUses { word, to: Some(to), .. } => format!("Rename {word} to {to} in the data"),
            Self::RewriteUses { word, .. } => format!("Remove {word} from the data"),
            Self::PutField { of, field, .. } => format!("Declare {}.{field}", of.name()),
            Self::RemoveField { of, field, .. } => format!("Remove the declaration of {}.{field}", of.name()),
            Self::PutEnum { name, .. } => format!("Declare enum {name}"),
            Self::Declare { what, .. } => format!("Declare {} {}", what.noun(), what.name()),
            Self::Undeclare { what, .. } => format!("Remove the declaration of {} {}", what.noun(), what.name()),

            Self::PutDocument { doc, .. } => format!("Change file {doc}"),
            Self::RemoveDocument { doc } => format!("Delete file {doc}"),
            Self::MoveDocument { doc, to, .. } => format!("Move {doc} to {to}"),
        }
    }
}
