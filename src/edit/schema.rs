//! Declarations of a game's own schema: their kinds, their places, and which are refused.
//!
//! Invariant: what data has of a declaration that goes stays as it is; what no longer fits is reported by `check` and
//! mended by `refactor::migrations`. Renaming with every use is `vocabulary`'s.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{Edit, RefKind, Refusal, reach::check_name};
use crate::model::{DocPath, FieldPath, FieldSpec, FieldType, FieldsOf, Name, Schema, Seg, reflect::Data};

/// Something a schema declares, by kind and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Declared {
    /// An enum or flag type.
    Enum(Name),
    /// A component.
    Component(Name),
    /// A message.
    Message(Name),
    /// A condition.
    Condition(Name),
    /// An action.
    Action(Name),
    /// The custom fields of what is called so: `level`, `layer` or `tile`.
    Fields(Name),
}

impl Declared {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &Name {
        match self {
            Self::Enum(name)
            | Self::Component(name)
            | Self::Message(name)
            | Self::Condition(name)
            | Self::Action(name)
            | Self::Fields(name) => name,
        }
    }

    /// Its kind: `component`.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Enum(_) => "enum",
            Self::Component(_) => "component",
            Self::Message(_) => "message",
            Self::Condition(_) => "condition",
            Self::Action(_) => "action",
            Self::Fields(_) => "custom field",
        }
    }

    /// The section of a schema file it stands in.
    fn section(&self) -> &'static str {
        match self {
            Self::Enum(_) => "enums",
            Self::Component(_) => "components",
            Self::Message(_) => "messages",
            Self::Condition(_) => "conditions",
            Self::Action(_) => "actions",
            Self::Fields(of) => FieldsOf::of_noun(of).map_or("", FieldsOf::section),
        }
    }

    /// Its fields, payload or arguments; `None` for an enum, and where it is not declared.
    #[must_use]
    pub fn fields<'s>(&self, schema: &'s Schema) -> Option<&'s IndexMap<Name, FieldSpec>> {
        match self {
            Self::Enum(_) => None,
            Self::Component(name) => schema.components.get(name).map(|spec| &spec.fields),
            Self::Message(name) => schema.messages.get(name).map(|spec| &spec.payload),
            Self::Condition(name) => schema.conditions.get(name).map(|spec| &spec.args),
            Self::Action(name) => schema.actions.get(name).map(|spec| &spec.args),
            Self::Fields(name) => FieldsOf::of_noun(name).map(|of| of.specs(schema)),
        }
    }

    /// The kind of its own name, where that is declared and its uses are followed.
    #[must_use]
    pub fn kind(&self) -> Option<RefKind> {
        match self {
            Self::Enum(_) | Self::Fields(_) => None,
            Self::Component(_) => Some(RefKind::Component),
            Self::Message(_) => Some(RefKind::Message),
            Self::Condition(_) => Some(RefKind::Condition),
            Self::Action(_) => Some(RefKind::Action),
        }
    }

    /// The kind of the names that its fields, payload or arguments have. None for an enum.
    #[must_use]
    pub fn field_kind(&self) -> Option<RefKind> {
        match self {
            Self::Enum(_) => None,
            Self::Component(_) => Some(RefKind::Field),
            Self::Message(_) => Some(RefKind::Payload),
            Self::Condition(_) => Some(RefKind::ConditionArg),
            Self::Action(_) => Some(RefKind::ActionArg),
            Self::Fields(_) => Some(RefKind::CustomField),
        }
    }

    /// The noun for one of its fields: `field`, `argument`.
    #[must_use]
    pub fn field_noun(&self) -> &'static str {
        match self {
            Self::Enum(_) => "word",
            Self::Component(_) | Self::Fields(_) => "field",
            Self::Message(_) => "payload field",
            Self::Condition(_) | Self::Action(_) => "argument",
        }
    }

    /// The same kind of thing under another name.
    #[must_use]
    pub fn with_name(&self, name: &Name) -> Self {
        let name = name.clone();
        match self {
            Self::Enum(_) => Self::Enum(name),
            Self::Component(_) => Self::Component(name),
            Self::Message(_) => Self::Message(name),
            Self::Condition(_) => Self::Condition(name),
            Self::Action(_) => Self::Action(name),
            Self::Fields(_) => Self::Fields(name),
        }
    }

    /// Declare it under another name, in the same place.
    pub(super) fn rekey(&self, schema: &mut Schema, to: &Name) {
        match self {
            Self::Enum(from) => rekey(&mut schema.enums, from, to),
            Self::Component(from) => rekey(&mut schema.components, from, to),
            Self::Message(from) => rekey(&mut schema.messages, from, to),
            Self::Condition(from) => rekey(&mut schema.conditions, from, to),
            Self::Action(from) => rekey(&mut schema.actions, from, to),
            // It is no game that calls them so.
            Self::Fields(_) => {}
        }
    }

    pub(super) fn fields_mut<'s>(&self, schema: &'s mut Schema) -> Option<&'s mut IndexMap<Name, FieldSpec>> {
        match self {
            Self::Enum(_) => None,
            Self::Component(name) => schema.components.get_mut(name).map(|spec| &mut spec.fields),
            Self::Message(name) => schema.messages.get_mut(name).map(|spec| &mut spec.payload),
            Self::Condition(name) => schema.conditions.get_mut(name).map(|spec| &mut spec.args),
            Self::Action(name) => schema.actions.get_mut(name).map(|spec| &mut spec.args),
            Self::Fields(name) => FieldsOf::of_noun(name).map(|of| of.specs_mut(schema)),
        }
    }

    /// Its documentation: what it means, and why it is deprecated.
    #[must_use]
    pub fn about<'s>(&self, schema: &'s Schema) -> Option<(&'s str, Option<&'s str>)> {
        let (doc, deprecated) = match self {
            Self::Enum(_) | Self::Fields(_) => return None,
            Self::Component(name) => schema.components.get(name).map(|it| (&it.doc, &it.deprecated)),
            Self::Message(name) => schema.messages.get(name).map(|it| (&it.doc, &it.deprecated)),
            Self::Condition(name) => schema.conditions.get(name).map(|it| (&it.doc, &it.deprecated)),
            Self::Action(name) => schema.actions.get(name).map(|it| (&it.doc, &it.deprecated)),
        }?;
        Some((doc, deprecated.as_deref()))
    }

    /// Whether a schema declares it.
    #[must_use]
    pub fn is_in(&self, schema: &Schema) -> bool {
        match self {
            Self::Enum(name) => schema.enums.contains_key(name),
            _ => self.fields(schema).is_some(),
        }
    }

    /// The thing that a section of a schema file declares.
    fn in_section(section: &str, name: &Name) -> Option<Self> {
        let all = [Self::Enum, Self::Component, Self::Message, Self::Condition, Self::Action];
        let custom = FieldsOf::ALL.map(|of| Self::Fields(of.noun().into()));
        all.into_iter().map(|of| of(name.clone())).chain(custom).find(|it| it.section() == section)
    }

    /// The thing that has a name of a kind.
    #[must_use]
    pub fn of_kind(kind: RefKind, name: &Name) -> Option<Self> {
        let all = [Self::Component, Self::Message, Self::Condition, Self::Action];
        all.into_iter().map(|of| of(name.clone())).find(|it| it.kind() == Some(kind))
    }

    /// The thing of which fields, payload or arguments have names of a kind.
    #[must_use]
    pub fn with(kind: RefKind, name: &Name) -> Option<Self> {
        let all = [Self::Component, Self::Message, Self::Condition, Self::Action, Self::Fields];
        all.into_iter().map(|of| of(name.clone())).find(|it| it.field_kind() == Some(kind))
    }

    /// Its place in a schema file.
    #[must_use]
    pub fn place(&self) -> FieldPath {
        let section = FieldPath::keys([self.section()]);
        if matches!(self, Self::Fields(_)) { section } else { section.key(self.name()) }
    }

    /// The place of one of its fields, of its payload or of its arguments.
    #[must_use]
    pub fn field_place(&self, field: &str) -> FieldPath {
        let list = match self {
            Self::Enum(_) | Self::Fields(_) => return self.place().key(field),
            Self::Component(_) => "fields",
            Self::Message(_) => "payload",
            Self::Condition(_) | Self::Action(_) => "args",
        };
        self.place().key(list).key(field)
    }

    /// The edit that declares it, with defaults only.
    #[must_use]
    pub fn declared_in(&self, doc: &DocPath) -> Edit {
        let data = match self {
            Self::Enum(_) => Data::List(Vec::new()),
            _ => Data::Record(None, Vec::new()),
        };
        Edit::Insert { doc: doc.clone(), at: self.place(), data }
    }
}

/// The same field of another type: a default and limits of the old one mean nothing any more, nor how it was shown
/// where the new one cannot be.
#[must_use]
pub fn retyped(spec: &FieldSpec, ty: FieldType) -> FieldSpec {
    let limits = if ty.is_number() { [spec.min, spec.max, spec.step] } else { [None; 3] };
    let [min, max, step] = limits;
    let new = FieldSpec { ty, default: None, min, max, step, ..spec.clone() };
    FieldSpec {
        lines: new.lines && new.ty == FieldType::Str,
        canvas: new.canvas.filter(|way| way.fits(&new.ty)),
        at: new.at.clone().filter(|_| new.can_be_moved()),
        ..new
    }
}

/// The types a field can be given in a game: the plain ones, words of every enum, lists and options of these, and the
/// one it has now.
#[must_use]
pub fn field_types(schema: &Schema, now: &FieldType) -> Vec<FieldType> {
    let mut one: Vec<FieldType> = FieldType::PLAIN.to_vec();
    one.extend(schema.enums.keys().cloned().map(FieldType::Enum));
    let flags = schema.enums.keys().cloned().map(FieldType::Flags);
    let lists = one.iter().cloned().map(|item| FieldType::List(Box::new(item)));
    let options = one.iter().cloned().map(|inner| FieldType::Option(Box::new(inner)));
    let mut all: Vec<FieldType> = one.iter().cloned().chain(flags).chain(lists).chain(options).collect();
    if !all.contains(now) {
        all.insert(0, now.clone());
    }
    all
}

/// Refuse declarations that files cannot hold, at a place of a schema that was changed.
pub(super) fn check_schema(old: &Schema, new: &Schema, at: &FieldPath) -> Result<(), Refusal> {
    let key = |i: usize| at.0.get(i).and_then(Seg::key);
    let (Some(section), Some(name)) = (key(0), key(1)) else { return Ok(()) };
    let Some(what) = Declared::in_section(section, name) else { return Ok(()) };
    if !what.is_in(new) {
        return Ok(());
    }
    if !what.is_in(old) {
        check_declared(&format!("a declared {}", what.noun()), &what, name)?;
    }
    let words = new.enums.get(name).filter(|_| matches!(what, Declared::Enum(_)));
    for (at, word) in words.into_iter().flatten().enumerate() {
        check_word("a value of an enum", word)?;
        if words.and_then(|words| words.get(..at)).is_some_and(|before| before.contains(word)) {
            return Err(Refusal::new(format!("`{name}` has a value `{word}` already")));
        }
    }
    let (before, after) = (what.fields(old), what.fields(new));
    let fresh = after.into_iter().flatten().filter(|(field, _)| before.is_none_or(|all| !all.contains_key(*field)));
    fresh.map(|(field, _)| field).try_for_each(|field| check_free_word("a field", field))
}

/// Rename a key where it stands.
pub(super) fn rekey<V>(map: &mut IndexMap<Name, V>, from: &str, to: &Name) {
    if let Some((at, _, value)) = map.shift_remove_full(from) {
        map.shift_insert(at.min(map.len()), to.clone(), value);
    }
}

/// Words that files mean something else by.
const OF_THE_FORMAT: [&str; 6] = ["true", "false", "None", "Some", "inf", "NaN"];

/// What conditions are put together by.
const OF_CONDITIONS: [&str; 3] = ["Not", "All", "Any"];

/// Refuse what cannot be the name of what a schema declares.
pub(super) fn check_declared(what: &str, declared: &Declared, name: &str) -> Result<(), Refusal> {
    if matches!(declared, Declared::Condition(_)) && OF_CONDITIONS.contains(&name) {
        return Err(Refusal::new(format!("`{name}` combines conditions, and {what} cannot be called that")));
    }
    check_free_word(what, name)
}

/// Refuse what cannot be a name that stands before a colon or a bracket.
pub(super) fn check_free_word(what: &str, name: &str) -> Result<(), Refusal> {
    if OF_THE_FORMAT.contains(&name) {
        return Err(Refusal::new(format!(
            "`{name}` has a meaning of its own in files, and {what} cannot be called that"
        )));
    }
    check_word(what, name)
}

/// Refuse what cannot stand as a bare word in a file.
pub(super) fn check_word(what: &str, name: &str) -> Result<(), Refusal> {
    check_name(what, name)?;
    let mut chars = name.chars();
    let is_word =
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_');
    if is_word {
        Ok(())
    } else {
        Err(Refusal::new(format!("the name of {what} is one word of letters, digits and `_`")))
    }
}
