//! What edits are called, in users' words: for the History pane, the Undo menu and the status line.

use super::{Edit, Owner, RefKind};
use crate::model::{
    DocPath, Document, FieldPath, LinkBy, Name, OpKind, State, counted,
    reflect::{Type, called, is_field},
};

/// The label of several edits made together: the first one's label, and how many more there are.
#[must_use]
pub fn label_of(edits: &[Edit]) -> String {
    match edits {
        [] => "Nothing".to_owned(),
        [one] => one.label(),
        [first, rest @ ..] => format!("{} and {} more", first.label(), rest.len()),
    }
}

fn things(ids: &[Name], one: &str, many: &str) -> String {
    match ids {
        [id] => format!("{one} {id}"),
        _ => format!("{} {many}", ids.len()),
    }
}

/// `max` of `Health`, with the part of it that is edited.
fn field(component: &Name, name: &Name, inner: &FieldPath) -> String {
    inner.on_from(&format!("{component}.{name}"))
}

/// What a place is called; a part of the document itself with its file's name.
fn place(doc: &DocPath, at: &FieldPath) -> String {
    let Some(kind) = doc.kind() else { return at.to_string() };
    let root = Document::blank(kind).root().ty();
    let called = called(root, at);
    // A field of the document itself, and not a definition or a machine in it.
    if at.0.len() == 1 && matches!(root, Type::Record(_)) { format!("{called} of {}", doc.stem()) } else { called }
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
            Self::ClearValue { owner, op, component, field: name, inner } => {
                let verb = if op.is_some() { "Drop" } else { "Reset" };
                format!("{verb} {} {}", owner.whose(), field(component, name, inner))
            }
            Self::AddComponent { owner, component } => format!("Add {component} to {}", owner.name()),
            Self::RemoveComponent { owner, component } => format!("Remove {component} from {}", owner.name()),
            Self::AddRemove { owner, entry } => format!("Remove {entry} from {}", owner.name()),
            Self::DropRemove { owner, entry } => format!("Restore {entry} in {}", owner.name()),
            Self::Set { doc, at, .. } => format!("Set {}", place(doc, at)),
            Self::Insert { doc, at, .. } => format!("Add {}", place(doc, at)),
            Self::Remove { doc, at } => {
                let root = doc.kind().map(|kind| Document::blank(kind).root().ty());
                let verb = if root.is_some_and(|root| is_field(root, at)) { "Reset" } else { "Delete" };
                format!("{verb} {}", place(doc, at))
            }
            Self::Move { doc, at, .. } => format!("Move {}", place(doc, at)),
            Self::Copy { doc, at, to } => format!("Duplicate {} as {to}", place(doc, at)),
            Self::Rename { from, to, typed, .. } if typed.kind == RefKind::Tile && to.is_empty() => {
                format!("Remove the name of tile {from}")
            }
            Self::Rename { of, from, to, typed, .. } => {
                let of = if of.is_empty() { String::new() } else { format!("{of}.") };
                format!("Rename {} {of}{from} to {to}", typed.kind.noun())
            }
            Self::PutDef { name, .. } => format!("Change definition {name}"),

            Self::PaintTiles { cells, .. } if cells.iter().all(|(_, tile)| tile.is_empty()) => {
                format!("Erase {}", counted(cells.len(), "tile"))
            }
            Self::PaintTiles { cells, .. } => format!("Paint {}", counted(cells.len(), "tile")),
            Self::FillTiles { cells, stamp, .. } if stamp.is_empty() => {
                format!("Erase {}", counted(cells.len(), "tile"))
            }
            Self::MergeTiles { layer, from, .. } => format!("Put the tiles of {from} on {layer}"),
            Self::FillTiles { cells, .. } => format!("Fill {}", counted(cells.len(), "cell")),
            Self::SetDef { ids, def, .. } => format!("Make {} {def}", things(ids, "", "entities").trim_start()),
            Self::MoveThings { ids, .. } => format!("Move {}", things(ids, "", "things").trim_start()),
            Self::DeleteThings { ids, .. } => format!("Delete {}", things(ids, "", "things").trim_start()),
            Self::PasteThings { layer, entities, nodes, .. } => match (entities.as_slice(), nodes.len()) {
                ([(_, one)], 0) => format!("Place {}", one.def),
                ([], 1) => format!("Add waypoint to {layer}"),
                (many, 0) => format!("Paste {}", counted(many.len(), "entity")),
                ([], n) => format!("Paste {}", counted(n, "waypoint")),
                (many, n) => format!("Paste {}", counted(many.len() + n, "thing")),
            },
            Self::MoveToLayer { ids, layer, .. } => {
                format!("Move {} to layer {layer}", things(ids, "", "things").trim_start())
            }
            Self::MoveLayer { layer, group: Some(group), .. } => format!("Move layer {layer} in {group}"),
            Self::MoveLayer { layer, .. } => format!("Move layer {layer}"),
            Self::ResizeLevel { doc, size: Some([w, h]), .. } => format!("Resize {} to {w} × {h}", doc.stem()),
            Self::ResizeLevel { doc, size: None, .. } => format!("Make {} unbounded", doc.stem()),
            Self::SetLink { link: Some(link), .. } if link.by == LinkBy::Broken => "Break link".to_owned(),
            Self::SetLink { link: Some(_), .. } => "Link waypoints".to_owned(),
            Self::SetLink { .. } => "Reset link".to_owned(),

            Self::PasteState { machine, name, state, .. } if *state == State::default() => {
                format!("Add state {name} to {machine}")
            }
            Self::PasteState { machine, name, .. } => format!("Paste state {name} into {machine}"),
            Self::RemoveState { machine, state, .. } => format!("Delete {machine}'s state {state}"),
            Self::RenameState { machine, state, to, .. } => format!("Rename {machine}'s state {state} to {to}"),
            Self::MoveStates { places, .. } if places.len() != 1 => format!("Move {} states", places.len()),
            Self::MoveStates { places, .. } => {
                format!("Move state {}", places.first().map_or("", |(path, _)| path))
            }
            Self::ReparentState { state, parent, .. } if parent.is_empty() => format!("Move {state} to the top"),
            Self::ReparentState { state, parent, .. } => format!("Move {state} into {parent}"),
            Self::MoveTransition { machine, state, .. } => {
                format!("Reorder transitions of {}", state_of(machine, state))
            }

            Self::RewriteUses { word, to: Some(to), .. } => format!("Rename {word} to {to} in the data"),
            Self::RewriteUses { word, .. } => format!("Remove {word} from the data"),

            Self::PutDocument { doc, document: None } => format!("Delete file {doc}"),
            Self::PutDocument { doc, .. } => format!("Change file {doc}"),
            Self::PutTuningOverlay { .. } => "Change values being tried out".to_owned(),
            Self::MoveDocument { doc, to, .. } => format!("Move {doc} to {to}"),
        }
    }
}
