//! Renaming anything that has a name, with every use of it. What a name refers to and where it is declared is decided
//! here; the edit rewrites its uses.

use std::collections::BTreeSet;

use crate::{
    defs::Resolution,
    edit::{Constants, Declared, Edit, RefKind, Refusal, TypedRefs, all_uses},
    model::{
        DocKind, DocPath, Document, FieldsOf, Level, Name, Project, RESERVED_MESSAGES, Schema, TuningPage, after,
        did_you_mean, mean,
    },
};

use super::Plan;

/// What sort of thing a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// An entity definition.
    Def,
    /// A state machine.
    Machine,
    /// A state of a machine, as `machine/path`.
    State,
    /// A tile, as `tileset/name`.
    Tile,
    /// A constant, as `Page.name`.
    Tunable,
    /// A page of constants that is the game's own.
    Page,
    /// A component that the game's own schema declares.
    Component,
    /// A field of one, as `Component.field`.
    Field,
    /// A word of an enum that the game's own schema declares, as `Enum.Word`.
    EnumValue,
    /// A tag of entities, tiles and waypoints.
    Tag,
    /// A message.
    Message,
    /// A custom field of levels, layers or tiles, as `level.field`.
    CustomField,
    /// A field of a message's payload that the game's own schema declares, as `Message.field`.
    Payload,
    /// An action that the game's own schema declares.
    Action,
    /// An argument of one, as `Action.argument`.
    ActionArg,
    /// A condition that the game's own schema declares.
    Condition,
    /// An argument of one, as `Condition.argument`.
    ConditionArg,
    /// A level, with its file.
    Level,
    /// A tileset, with its file.
    Tileset,
    /// A scenario, with its file.
    Scenario,
    /// A stamp, with its file.
    Stamp,
    /// A layer, as `level/layer`.
    Layer,
    /// Any other file, by its path without `.ron`.
    File,
}

impl NameKind {
    /// Every kind.
    pub const ALL: [Self; 23] = [
        Self::Def,
        Self::Machine,
        Self::State,
        Self::Tile,
        Self::Tunable,
        Self::Page,
        Self::Component,
        Self::Field,
        Self::CustomField,
        Self::EnumValue,
        Self::Tag,
        Self::Message,
        Self::Payload,
        Self::Action,
        Self::ActionArg,
        Self::Condition,
        Self::ConditionArg,
        Self::Level,
        Self::Tileset,
        Self::Scenario,
        Self::Stamp,
        Self::Layer,
        Self::File,
    ];

    /// What people call it.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Def => "definition",
            Self::Machine => "machine",
            Self::State => "state",
            Self::Tile => "tile",
            Self::Tunable => "constant",
            Self::Page => "page",
            Self::Component => "component",
            Self::Field => "field",
            Self::CustomField => "custom field",
            Self::EnumValue => "enum value",
            Self::Tag => "tag",
            Self::Message => "message",
            Self::Payload => "payload field",
            Self::Action => "action",
            Self::ActionArg => "action's argument",
            Self::Condition => "condition",
            Self::ConditionArg => "condition's argument",
            Self::Level => "level",
            Self::Tileset => "tileset",
            Self::Scenario => "scenario",
            Self::Stamp => "stamp",
            Self::Layer => "layer",
            Self::File => "file",
        }
    }

    /// What stands before the name itself in the whole name, and how that is written.
    fn separator(self) -> Option<(char, &'static str)> {
        match self {
            Self::State => Some(('/', "machine/path")),
            Self::Tile => Some(('/', "tileset/name")),
            Self::Layer => Some(('/', "level/layer")),
            Self::Tunable => Some(('.', "Page.name")),
            Self::Field => Some(('.', "Component.field")),
            Self::CustomField => Some(('.', "level.field, layer.field or tile.field")),
            Self::EnumValue => Some(('.', "Enum.Word")),
            Self::Payload => Some(('.', "Message.field")),
            Self::ActionArg => Some(('.', "Action.argument")),
            Self::ConditionArg => Some(('.', "Condition.argument")),
            _ => None,
        }
    }

    /// What a schema declares under a name of this kind, or has what is named.
    fn declared(self, name: &str) -> Option<Declared> {
        let name = name.into();
        Some(match self {
            Self::Component | Self::Field => Declared::Component(name),
            Self::Message | Self::Payload => Declared::Message(name),
            Self::Action | Self::ActionArg => Declared::Action(name),
            Self::Condition | Self::ConditionArg => Declared::Condition(name),
            Self::CustomField => Declared::Fields(name),
            _ => return None,
        })
    }
}

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// What it is.
    pub kind: NameKind,
    /// Its whole name, as [`NameKind`] says it is written.
    pub name: Name,
}

impl Named {
    /// Something by its whole name.
    #[must_use]
    pub fn new(kind: NameKind, name: impl Into<Name>) -> Self {
        Self { kind, name: name.into() }
    }

    /// The name that a rename replaces: the last part of the whole one.
    #[must_use]
    pub fn own_name(&self) -> &str {
        match self.kind {
            // A layer's or tile's name may have a `/` of its own.
            NameKind::Tile | NameKind::Layer => self.name.split_once('/').map_or(&*self.name, |(_, own)| own),
            NameKind::State | NameKind::File => self.name.rsplit_once('/').map_or(&*self.name, |(_, last)| last),
            kind if kind.separator().is_some() => self.name.split_once('.').map_or(&*self.name, |(_, own)| own),
            _ => &self.name,
        }
    }

    /// What a schema declares.
    #[must_use]
    pub fn declared(what: &Declared) -> Self {
        let kind = match what {
            Declared::Enum(_) => NameKind::EnumValue,
            Declared::Component(_) => NameKind::Component,
            Declared::Message(_) => NameKind::Message,
            Declared::Condition(_) => NameKind::Condition,
            Declared::Action(_) => NameKind::Action,
            Declared::Fields(_) => NameKind::CustomField,
        };
        Self::new(kind, what.name().clone())
    }

    /// A field, payload field, argument or word of what a schema declares.
    #[must_use]
    pub fn part(of: &Declared, name: &str) -> Self {
        let kind = match of {
            Declared::Enum(_) => NameKind::EnumValue,
            Declared::Component(_) => NameKind::Field,
            Declared::Message(_) => NameKind::Payload,
            Declared::Condition(_) => NameKind::ConditionArg,
            Declared::Action(_) => NameKind::ActionArg,
            Declared::Fields(_) => NameKind::CustomField,
        };
        Self::new(kind, format!("{}.{name}", of.name()))
    }

    /// As in `definition goblin`.
    #[must_use]
    pub fn describe(&self) -> String {
        format!("{} {}", self.kind.noun(), self.name)
    }
}

/// The plan that renames `what` to `to` (the new name alone) wherever it is used.
///
/// # Errors
/// Says why it cannot be renamed: there is no such thing, or it is built in. Whether the new name is fit and free is
/// seen when the plan is tried.
pub fn rename(project: &Project, resolution: &Resolution, what: &Named, to: &str) -> Result<Plan, Refusal> {
    let edit = edit_for(project, resolution, what, to)?;
    // The kind is added where the name alone would be ambiguous.
    let label = match what.kind {
        NameKind::Tag | NameKind::Message | NameKind::File => format!("Rename {} to {to}", what.describe()),
        NameKind::State | NameKind::Layer | NameKind::Tile => {
            let (whole, own) = what.name.split_once('/').unwrap_or(("", &what.name));
            format!("Rename {} {own} of {whole} to {to}", what.kind.noun())
        }
        _ => format!("Rename {} to {to}", what.name),
    };
    Ok(Plan { label, edits: vec![edit] })
}

fn edit_for(project: &Project, resolution: &Resolution, what: &Named, to: &str) -> Result<Edit, Refusal> {
    let kind = what.kind;
    let new: Name = to.into();
    let from = what.name.clone();
    let typed = |kind| TypedRefs::of(&resolution.schema, kind);
    let (whole, own): (&str, &str) = match kind.separator() {
        None => ("", &what.name),
        Some((by, how)) => {
            let parts = what.name.split_once(by);
            parts.ok_or_else(|| Refusal::new(format!("write the {} as {how}", kind.noun())))?
        }
    };
    let file = |all: &mut dyn Iterator<Item = (&Name, &DocPath)>, noun: &str, name: &str| place(all, noun, name);
    let builtin = &resolution.builtin().schema;
    Ok(match kind {
        NameKind::Def => {
            let doc = file(&mut resolution.def_docs.iter(), kind.noun(), &from)?;
            Edit::rename(&doc, &from, to, typed(RefKind::Def))
        }
        NameKind::Machine => {
            let doc = file(&mut resolution.machines.iter(), kind.noun(), &from)?;
            Edit::rename(&doc, &from, to, typed(RefKind::Machine))
        }
        NameKind::State => {
            let doc = file(&mut resolution.machines.iter(), "machine", whole)?;
            let machine = project.machine(&doc, whole);
            let machine = machine.ok_or_else(|| Refusal::new(format!("`{whole}` cannot be read")))?;
            let state = machine.find(own).map_err(Refusal::new)?;
            Edit::RenameState { doc, machine: whole.into(), state, to: new }
        }
        NameKind::Tile => {
            let doc = file(&mut resolution.tilesets.iter(), "tileset", whole)?;
            let found = project.tileset(&doc).and_then(|tileset| tileset.by_name(own));
            let (id, _) = found.ok_or_else(|| Refusal::new(format!("there is no tile `{own}` in `{whole}`")))?;
            Edit::rename(&doc, &id.to_string(), to, typed(RefKind::Tile))
        }
        NameKind::Tunable => {
            let page = resolution.pages.iter().find(|known| *known.name == *whole);
            let value = page.and_then(|page| page.values.iter().find(|(known, ..)| **known == *own));
            let is_built_in =
                resolution.builtin().tuning.iter().any(|page| *page.page == *whole && page.values.contains_key(own));
            match value {
                None => return Err(Refusal::new(format!("there is no constant `{from}`"))),
                Some(_) if is_built_in => return Err(built_in(&from)),
                Some((_, _, None)) => return Err(built_in(&from)),
                Some((_, _, Some(doc))) => Edit::rename(doc, own, to, typed(RefKind::Tunable)),
            }
        }
        NameKind::Page => {
            let constants = Constants { project, builtin: resolution.builtin(), schema: &resolution.schema };
            constants.rename_page(&from, to)?
        }
        NameKind::Component | NameKind::Message | NameKind::Action | NameKind::Condition => {
            let what_is = |name: &str| kind.declared(name).and_then(|it| Some((it.kind()?, it)));
            let Some((refs, it)) = what_is(&from) else { return Err(built_in(&from)) };
            let is_message = kind == NameKind::Message;
            let is_kept = |name: &str| is_message && RESERVED_MESSAGES.contains(&name);
            if it.is_in(builtin) || is_kept(&from) {
                return Err(built_in(&from));
            }
            check_free(builtin, kind, to, |schema| it.with_name(&new).is_in(schema) || is_kept(to))?;
            // An undeclared message is only used, in whatever files.
            let own = declared(project, |schema| it.is_in(schema));
            let own = own.or_else(|| project.documents.keys().next().filter(|_| is_message));
            let doc = own.ok_or_else(|| Refusal::new(format!("there is no {} `{from}`", kind.noun())))?.clone();
            Edit::rename(&doc, &from, to, typed(refs))
        }
        NameKind::Field | NameKind::CustomField | NameKind::Payload | NameKind::ActionArg | NameKind::ConditionArg => {
            let of = kind.declared(whole).and_then(|it| Some((it.field_kind()?, it)));
            let Some((refs, of)) = of else { return Err(built_in(&from)) };
            let has = |schema: &Schema, name: &str| of.fields(schema).is_some_and(|fields| fields.contains_key(name));
            let doc = own_schema(project, builtin, what, |schema| has(schema, own))?;
            check_free(builtin, kind, to, |schema| has(schema, to))?;
            Edit::Rename { doc, of: of.name().clone(), from: own.into(), to: new, typed: typed(refs) }
        }
        NameKind::EnumValue => {
            let has = |schema: &Schema, word: &str| {
                schema.enums.get(whole).is_some_and(|words| words.iter().any(|it| **it == *word))
            };
            let doc = own_schema(project, builtin, what, |schema| has(schema, own))?;
            Edit::Rename { doc, of: whole.into(), from: own.into(), to: new, typed: typed(RefKind::Word) }
        }
        NameKind::Tag => {
            let typed = typed(RefKind::Tag);
            // The edit is about one file as much as another; it finds them itself.
            let doc = project.documents.keys().next().cloned();
            let doc = doc.ok_or_else(|| Refusal::new(format!("nothing has the tag `{from}`")))?;
            Edit::rename(&doc, &from, to, typed)
        }
        NameKind::Level => moved(file(&mut resolution.levels.iter(), kind.noun(), &from)?, to, typed(RefKind::Level))?,
        NameKind::Tileset => {
            moved(file(&mut resolution.tilesets.iter(), kind.noun(), &from)?, to, typed(RefKind::Tileset))?
        }
        NameKind::Scenario => {
            let doc = file(&mut resolution.scenarios.iter(), kind.noun(), &from)?;
            moved(doc, to, TypedRefs::none(RefKind::Level))?
        }
        NameKind::Stamp => {
            let doc = file(&mut resolution.stamps.iter(), kind.noun(), &from)?;
            moved(doc, to, TypedRefs::none(RefKind::Level))?
        }
        NameKind::File => {
            let doc = DocPath::new(&format!("{from}.ron")).filter(|doc| project.doc(doc).is_some());
            let doc = doc.ok_or_else(|| Refusal::new(format!("there is no file `{from}.ron`")))?;
            match doc.kind() {
                Some(DocKind::Project) => return Err(Refusal::new("`project.ron` keeps its name")),
                Some(DocKind::Level) => moved(doc, to, typed(RefKind::Level))?,
                Some(DocKind::Tileset) => moved(doc, to, typed(RefKind::Tileset))?,
                _ => moved(doc, to, TypedRefs::none(RefKind::Level))?,
            }
        }
        NameKind::Layer => {
            let doc = file(&mut resolution.levels.iter(), "level", whole)?;
            Edit::rename(&doc, own, to, typed(RefKind::Layer))
        }
    })
}

/// The whole names of everything of a kind that can be renamed, in order. Of tags those that something carries or is
/// asked for.
#[must_use]
pub fn names(project: &Project, resolution: &Resolution, kind: NameKind) -> BTreeSet<String> {
    let builtin = &resolution.builtin().schema;
    let schemas = || {
        let docs = project.documents.values();
        docs.filter_map(|doc| if let Document::Schema(schema) = &**doc { Some(schema) } else { None })
    };
    let level = |doc: &DocPath| project.level(doc).map(Level::all_layers).unwrap_or_default();
    // What is built in keeps its name, also where a game adds to it.
    let of_game = |all: Vec<&Name>| {
        let own = all.into_iter().filter(|name| !kind.declared(name).is_some_and(|it| it.is_in(builtin)));
        own.map(ToString::to_string).collect()
    };
    let parts = |owners: Vec<&Name>| {
        let mut out = BTreeSet::new();
        for owner in owners {
            let Some(of) = kind.declared(owner) else { continue };
            let is_built_in = |name: &Name| of.fields(builtin).is_some_and(|fields| fields.contains_key(name));
            let all = schemas().filter_map(|schema| of.fields(schema)).flat_map(|fields| fields.keys());
            out.extend(all.filter(|name| !is_built_in(name)).map(|name| format!("{owner}.{name}")));
        }
        out
    };
    match kind {
        NameKind::Def => resolution.def_docs.keys().map(ToString::to_string).collect(),
        NameKind::Machine => resolution.machines.keys().map(ToString::to_string).collect(),
        NameKind::Level => resolution.levels.keys().map(ToString::to_string).collect(),
        NameKind::Tileset => resolution.tilesets.keys().map(ToString::to_string).collect(),
        NameKind::Scenario => resolution.scenarios.keys().map(ToString::to_string).collect(),
        NameKind::Stamp => resolution.stamps.keys().map(ToString::to_string).collect(),
        NameKind::State => {
            let machines =
                resolution.machines.iter().filter_map(|(name, doc)| Some((name, project.machine(doc, name)?)));
            machines.flat_map(|(name, it)| it.paths().into_iter().map(move |path| format!("{name}/{path}"))).collect()
        }
        NameKind::Tile => {
            let tilesets = resolution.tilesets.iter().filter_map(|(name, doc)| Some((name, project.tileset(doc)?)));
            let named = tilesets.flat_map(|(name, it)| it.tiles.values().map(move |tile| (name, &tile.name)));
            named.filter(|(_, tile)| !tile.is_empty()).map(|(name, tile)| format!("{name}/{tile}")).collect()
        }
        NameKind::Tunable => {
            let own = resolution.pages.iter().flat_map(|page| {
                let values = page.values.iter().filter(|(.., doc)| doc.is_some());
                values.map(move |(name, ..)| (&page.name, name))
            });
            let is_built_in = |page: &Name, name: &Name| {
                resolution.builtin().tuning.iter().any(|it| it.page == *page && it.values.contains_key(name))
            };
            own.filter(|(page, name)| !is_built_in(page, name)).map(|(page, name)| format!("{page}.{name}")).collect()
        }
        NameKind::Page => {
            let is_built_in = |page: &Name| resolution.builtin().tuning.iter().any(|it| it.page == *page);
            let own = project.all::<TuningPage>().map(|(_, it)| &it.page).filter(|page| !is_built_in(page));
            own.map(ToString::to_string).collect()
        }
        NameKind::Component => of_game(schemas().flat_map(|it| it.components.keys()).collect()),
        NameKind::Message => of_game(schemas().flat_map(|it| it.messages.keys()).collect()),
        NameKind::Action => of_game(schemas().flat_map(|it| it.actions.keys()).collect()),
        NameKind::Condition => of_game(schemas().flat_map(|it| it.conditions.keys()).collect()),
        NameKind::Field => parts(schemas().flat_map(|it| it.components.keys()).collect()),
        NameKind::CustomField => parts(FieldsOf::ALL.map(|of| of.noun().into()).iter().collect()),
        NameKind::Payload => parts(schemas().flat_map(|it| it.messages.keys()).collect()),
        NameKind::ActionArg => parts(schemas().flat_map(|it| it.actions.keys()).collect()),
        NameKind::ConditionArg => parts(schemas().flat_map(|it| it.conditions.keys()).collect()),
        NameKind::EnumValue => {
            let all = schemas().flat_map(|schema| &schema.enums);
            let all = all.flat_map(|(name, words)| words.iter().map(move |word| (name, word)));
            let own = all.filter(|(name, word)| builtin.enums.get(*name).is_none_or(|words| !words.contains(word)));
            own.map(|(name, word)| format!("{name}.{word}")).collect()
        }
        NameKind::Tag => {
            let mut tags = BTreeSet::new();
            let typed = TypedRefs::of(&resolution.schema, RefKind::Tag);
            all_uses(project, &typed, &mut |_, it| {
                tags.insert(it.name.to_owned());
            });
            tags
        }
        NameKind::Layer => {
            let all =
                resolution.levels.iter().flat_map(|(name, doc)| level(doc).into_iter().map(move |it| (name, &it.name)));
            all.map(|(level, layer)| format!("{level}/{layer}")).collect()
        }
        NameKind::File => {
            let files = project.documents.keys().filter(|doc| doc.kind() != Some(DocKind::Project));
            files.filter_map(|doc| doc.as_str().strip_suffix(".ron").map(str::to_owned)).collect()
        }
    }
}

fn built_in(name: &str) -> Refusal {
    Refusal::new(format!("`{name}` is built in and keeps its name"))
}

/// Refuse a name that something built in has.
fn check_free(builtin: &Schema, kind: NameKind, to: &str, has: impl Fn(&Schema) -> bool) -> Result<(), Refusal> {
    if has(builtin) {
        return Err(Refusal::new(format!("there is already a built-in {} `{to}`", kind.noun())));
    }
    Ok(())
}

fn declared(project: &Project, has: impl Fn(&Schema) -> bool) -> Option<&DocPath> {
    let own = project.documents.iter().find(|(_, doc)| matches!(&***doc, Document::Schema(schema) if has(schema)));
    own.map(|(path, _)| path)
}

/// The game's schema that declares something. What is built in keeps its name, also where a game adds to it.
fn own_schema(
    project: &Project,
    builtin: &Schema,
    what: &Named,
    has: impl Fn(&Schema) -> bool,
) -> Result<DocPath, Refusal> {
    if has(builtin) {
        return Err(built_in(&what.name));
    }
    let own = declared(project, has);
    own.cloned().ok_or_else(|| Refusal::new(format!("there is no {} `{}`", what.kind.noun(), what.name)))
}

fn place(all: &mut dyn Iterator<Item = (&Name, &DocPath)>, what: &str, wanted: &str) -> Result<DocPath, Refusal> {
    let all: Vec<_> = all.collect();
    if let Some((_, doc)) = all.iter().find(|(name, _)| ***name == *wanted) {
        return Ok((*doc).clone());
    }
    let near = did_you_mean(wanted, all.iter().map(|(name, _)| &***name));
    let help = after(mean(near));
    Err(Refusal::new(format!("there is no {what} `{wanted}`{help}")))
}

/// The file of a thing that is named by its file, under another name.
fn moved(doc: DocPath, new: &str, typed: TypedRefs) -> Result<Edit, Refusal> {
    let to = format!("{}/{new}.ron", doc.folder());
    let to = DocPath::new(&to).filter(|to| to.folder() == doc.folder());
    let to = to.ok_or_else(|| Refusal::new(format!("`{new}` cannot be a file's name")))?;
    Ok(Edit::MoveDocument { doc, to, typed })
}
