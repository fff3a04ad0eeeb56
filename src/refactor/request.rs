//! What can be asked for in one dialog: each kind of plan with the words that stand around it.

use super::{
    Delete, Extract, Inline, LayerCells, Misfit, NameKind, Named, NewLayer, NewLevel, NewStamp, Plan, Replace, Tally,
    delete, extract, extract::list, files, inline, layer_cells, level_files, machines, new_layer, rename, replace,
    stamps,
};
use crate::{
    defs::Resolution,
    edit::{RefKind, Refusal, TypedRefs, uses_renamed},
    explain::{Census, impact_of_def, impact_of_defs},
    model::{DocPath, Name, Project, counted},
};

/// A refactoring that is asked for, with everything that can be chosen about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Give something another name.
    Rename {
        /// What is renamed.
        what: Named,
        /// Its new name.
        to: String,
    },
    /// Give definitions a common parent.
    Extract(Extract),
    /// Dissolve a parent into its children.
    Inline(Inline),
    /// Delete definitions.
    Delete(Delete),
    /// Make an empty machine.
    NewMachine {
        /// Its name.
        name: Name,
        /// The file it is written to; none for a new file of its name.
        file: Option<DocPath>,
    },
    /// Copy a machine, beside itself.
    DuplicateMachine {
        /// The machine.
        name: Name,
        /// The copy's name.
        to: String,
    },
    /// Delete a machine.
    DeleteMachine {
        /// The machine.
        name: Name,
    },
    /// Make a level.
    NewLevel(NewLevel),
    /// Add a layer to a level.
    NewLayer(NewLayer),
    /// Give a layer cells of another size.
    LayerCells(LayerCells),
    /// Copy a level, tileset, scenario or stamp into a new file.
    DuplicateFile {
        /// Its file.
        doc: DocPath,
        /// The copy's name.
        to: String,
    },
    /// Delete a level, tileset, scenario, stamp or tuning page with its file.
    DeleteFile {
        /// Its file.
        doc: DocPath,
    },
    /// Make a stamp.
    NewStamp(NewStamp),
    /// Replace tiles, stamps, placed entities or their values in levels.
    Replace(Replace),
}

impl Request {
    /// As the dialog's title: `Rename definition goblin`.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Rename { what, .. } => format!("Rename {}", what.describe()),
            Self::Extract(it) if it.children.len() == 1 => format!("Extract a parent of {}", list(&it.children)),
            Self::Extract(it) => format!("Extract a common parent of {}", list(&it.children)),
            Self::Inline(it) => format!("Inline {}", it.parent),
            Self::Delete(it) => format!("Delete {}", list(&it.names)),
            Self::NewMachine { .. } => "New machine".to_owned(),
            Self::DuplicateMachine { name, .. } => format!("Duplicate machine {name}"),
            Self::DeleteMachine { name } => format!("Delete machine {name}"),
            Self::NewLevel(_) => "New level".to_owned(),
            Self::NewStamp(_) => "New stamp".to_owned(),
            Self::NewLayer(it) => match it.around.as_slice() {
                [] => format!("Add a layer to {}", it.doc.stem()),
                [layer] => format!("Group layer {layer}"),
                many => format!("Group {}", counted(many.len(), "layer")),
            },
            Self::LayerCells(it) => format!("Set the tile size of layer {}", it.layer),
            Self::DuplicateFile { doc, .. } => format!("Duplicate {}", files::called(doc)),
            Self::DeleteFile { doc } => format!("Delete {}", files::called(doc)),
            Self::Replace(_) => "Find and replace in levels".to_owned(),
        }
    }

    /// On the button that does it.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Rename { .. } => "Rename",
            Self::Extract(_) => "Extract",
            Self::Inline(_) => "Inline",
            Self::Delete(_) | Self::DeleteMachine { .. } | Self::DeleteFile { .. } => "Delete",
            Self::NewMachine { .. } | Self::NewLevel(_) | Self::NewStamp(_) => "Create",
            Self::NewLayer(it) if !it.around.is_empty() => "Group",
            Self::NewLayer(_) => "Add",
            Self::LayerCells(_) => "Set",
            Self::DuplicateMachine { .. } | Self::DuplicateFile { .. } => "Duplicate",
            Self::Replace(_) => "Replace",
        }
    }

    /// The plan that does it.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn plan(&self, project: &Project, resolution: &Resolution) -> Result<Plan, Refusal> {
        match self {
            Self::Rename { what, to } if to.trim().is_empty() => {
                Err(Refusal::new(format!("write the new name of {}", what.own_name())))
            }
            Self::Rename { what, to } if to == what.own_name() => Err(Refusal::new("this is its name now")),
            Self::Rename { what, to } => rename(project, resolution, what, to),
            Self::Extract(it) if it.name.trim().is_empty() => Err(Refusal::new("write the new parent's name")),
            Self::Extract(it) => extract(project, resolution, it),
            Self::Inline(it) => inline(project, resolution, it),
            Self::Delete(it) => delete(project, resolution, it),
            Self::NewMachine { name, file } => machines::create(name, file.as_ref(), project),
            Self::DuplicateMachine { name, to } => machines::duplicate(resolution, name, to),
            Self::DeleteMachine { name } => machines::delete(resolution, name),
            Self::NewLevel(it) => level_files::create(project, it),
            Self::NewStamp(it) => stamps::create(project, it),
            Self::NewLayer(it) => new_layer::create(project, resolution, it),
            Self::LayerCells(it) => layer_cells::change(project, it),
            Self::DuplicateFile { doc, to } => files::duplicate(project, doc, to),
            Self::DeleteFile { doc } => files::delete(project, doc),
            Self::Replace(it) => replace::replace(project, resolution, it),
        }
    }

    /// Its effect on resolved values, as text.
    #[must_use]
    pub fn reach(&self, resolution: &Resolution, census: &Census) -> String {
        match self {
            Self::Rename { .. } => "Every use follows; no value changes.".to_owned(),
            Self::Extract(it) => {
                let verb = if it.children.len() == 1 { "has" } else { "have" };
                format!("No value changes; {} {verb} it from the new parent.", list(&it.children))
            }
            Self::Inline(it) => {
                let impact = impact_of_def(resolution, census, &it.parent);
                format!("No value of the {} that inherit {} changes.", impact.defs.len().saturating_sub(1), it.parent)
            }
            Self::Delete(it) => {
                let all = impact_of_defs(resolution, census, &it.names);
                let keep =
                    if it.inline && all.defs.len() > it.names.len() { "; what inherits keeps its values" } else { "" };
                format!("Affects {all}{keep}.")
            }
            Self::NewMachine { .. } => "It has no states yet.".to_owned(),
            Self::DuplicateMachine { .. } | Self::DuplicateFile { .. } => "Nothing uses the copy yet.".to_owned(),
            Self::DeleteMachine { name } => format!("What uses {name} keeps its name and is reported as a problem."),
            Self::NewStamp(it) => it.describe(),
            Self::NewLayer(it) => match it.around.len() {
                0 => "It stands in front of the active layer.".to_owned(),
                1 => "The layer is in it then.".to_owned(),
                _ => "The layers are in it then, next to each other, where the front one of them is now.".to_owned(),
            },
            Self::LayerCells(it) if it.keeps_places => {
                "Each tile goes to the cell at its place in the level.".to_owned()
            }
            Self::LayerCells(_) => "Tiles stay in their columns and rows, and so move in the level.".to_owned(),
            Self::NewLevel(it) => match &it.tileset {
                Some(tileset) => format!("It begins with a layer of {tileset} tiles and one for entities."),
                None => "It begins with a layer for entities.".to_owned(),
            },
            Self::DeleteFile { doc } => {
                let name = doc.stem();
                format!(
                    "What uses {name} keeps its name and is reported as a problem; its file goes when all is saved."
                )
            }
            Self::Replace(it) => it.reach().to_owned(),
        }
    }

    /// The project after the plan, beside the one before, with every use of what it deletes marked: what the two differ
    /// in is what would be missing something. `None` when nothing is deleted.
    #[must_use]
    pub fn left_behind(&self, (before, after): (&Project, &Project), resolution: &Resolution) -> Option<Project> {
        let (names, kind) = match self {
            Self::Delete(it) => (it.names.clone(), RefKind::Def),
            Self::DeleteMachine { name } => (vec![name.clone()], RefKind::Machine),
            Self::DeleteFile { doc } => {
                let (name, kind) = files::used_as(before, doc)?;
                (vec![name], kind)
            }
            _ => return None,
        };
        let typed = TypedRefs::of(&resolution.schema, kind);
        let mut marked = after.clone();
        for name in names {
            marked = uses_renamed(&marked, &name, MISSING, &typed);
        }
        Some(marked)
    }

    /// How often the levels have what it looks for, in place of a list of every place. `None` where it looks for
    /// nothing in levels.
    ///
    /// # Errors
    /// Something is not chosen yet or cannot be put in.
    pub fn tally(&self, project: &Project, resolution: &Resolution) -> Option<Result<Tally, Refusal>> {
        if let Self::Replace(it) = self { Some(it.tally(project, resolution)) } else { None }
    }

    /// The overrides of placed entities that would not fit their new definition.
    #[must_use]
    pub fn misfits(&self, project: &Project, resolution: &Resolution) -> Vec<Misfit> {
        if let Self::Replace(it) = self { it.misfits(project, resolution) } else { Vec::new() }
    }

    /// Whether it is a form that says beside each field what is wrong with it, and changes nothing that is there but
    /// what it is about.
    #[must_use]
    pub fn is_form(&self) -> bool {
        matches!(self, Self::NewLevel(_) | Self::NewLayer(_) | Self::LayerCells(_) | Self::NewStamp(_))
    }

    /// Whether nothing but the name of something new is asked for.
    #[must_use]
    pub fn is_name_alone(&self) -> bool {
        matches!(
            self,
            Self::NewMachine { .. } | Self::NewStamp(_) | Self::DuplicateMachine { .. } | Self::DuplicateFile { .. }
        )
    }

    /// What is wrong with a field of a form, which is said beside it.
    #[must_use]
    pub fn field_problem(&self, project: &Project) -> Option<String> {
        match self {
            Self::NewLevel(it) => it.first_problem(project),
            Self::NewLayer(it) => it.first_problem(project),
            Self::LayerCells(it) => it.size_problem(project),
            Self::NewStamp(it) => it.name_problem(project),
            _ => None,
        }
    }

    /// What is selected when it is done.
    #[must_use]
    pub fn result(&self) -> Option<Named> {
        match self {
            Self::Rename { what, to } => {
                let head = what.name.len().saturating_sub(what.own_name().len());
                let head = what.name.get(..head).unwrap_or_default();
                Some(Named::new(what.kind, format!("{head}{to}")))
            }
            Self::Extract(it) => Some(Named::new(NameKind::Def, it.name.clone())),
            Self::NewMachine { name, .. } => Some(Named::new(NameKind::Machine, name.clone())),
            Self::DuplicateMachine { to, .. } => Some(Named::new(NameKind::Machine, to.as_str())),
            Self::NewLayer(it) => Some(Named::new(NameKind::Layer, format!("{}/{}", it.doc.stem(), it.name))),
            Self::NewLevel(it) => Some(Named::new(NameKind::Level, it.name.as_str())),
            Self::NewStamp(it) => Some(Named::new(NameKind::Stamp, it.name.as_str())),
            Self::DuplicateFile { doc, to } => {
                doc.kind().and_then(files::named_by_file).map(|kind| Named::new(kind, to.as_str()))
            }
            Self::Inline(_)
            | Self::Delete(_)
            | Self::DeleteMachine { .. }
            | Self::DeleteFile { .. }
            | Self::LayerCells(_)
            | Self::Replace(_) => None,
        }
    }

    /// Whether a definition that would be deleted is used.
    #[must_use]
    pub fn is_missed(project: &Project, resolution: &Resolution, name: &Name) -> bool {
        crate::edit::is_used(project, name, &TypedRefs::of(&resolution.schema, RefKind::Def))
    }
}

/// What stands for the name of something that is gone.
const MISSING: &str = "(gone)";
