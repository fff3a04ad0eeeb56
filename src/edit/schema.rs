//! Declarations of a game's own schema: adding, changing and taking them away.
//!
//! Invariant: what data says about a declaration stays as it is; what no longer fits is `check`'s to tell and
//! `refactor::migrations` to mend. Renaming with every use is `vocabulary`'s.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    RefKind, Refusal,
    vocabulary::{check_declared, check_free_word, check_word, schema, schema_mut},
};
use crate::model::{CallSpec, DocPath, FieldSpec, FieldType, Name, Project, Schema};

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
            | Self::Action(name) => name,
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
        }
    }

    /// The section of a schema file it stands in, and the key of its fields there.
    #[must_use]
    pub fn section(&self) -> (&'static str, &'static str) {
        match self {
            Self::Enum(_) => ("enums", ""),
            Self::Component(_) => ("components", "fields"),
            Self::Message(_) => ("messages", "payload"),
            Self::Condition(_) => ("conditions", "args"),
            Self::Action(_) => ("actions", "args"),
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
        }
    }

    /// The kinds of name that it has, and that its fields, payload or arguments have. None for an enum, of whose words alone
    /// uses are followed.
    #[must_use]
    pub fn kinds(&self) -> Option<(RefKind, RefKind)> {
        match self {
            Self::Enum(_) => None,
            Self::Component(_) => Some((RefKind::Component, RefKind::Field)),
            Self::Message(_) => Some((RefKind::Message, RefKind::Payload)),
            Self::Condition(_) => Some((RefKind::Condition, RefKind::ConditionArg)),
            Self::Action(_) => Some((RefKind::Action, RefKind::ActionArg)),
        }
    }

    /// What is said about one of its fields: `field`, `argument`.
    #[must_use]
    pub fn field_noun(&self) -> &'static str {
        match self {
            Self::Enum(_) => "word",
            Self::Component(_) => "field",
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
        }
    }

    pub(super) fn fields_mut<'s>(&self, schema: &'s mut Schema) -> Option<&'s mut IndexMap<Name, FieldSpec>> {
        match self {
            Self::Enum(_) => None,
            Self::Component(name) => schema.components.get_mut(name).map(|spec| &mut spec.fields),
            Self::Message(name) => schema.messages.get_mut(name).map(|spec| &mut spec.payload),
            Self::Condition(name) => schema.conditions.get_mut(name).map(|spec| &mut spec.args),
            Self::Action(name) => schema.actions.get_mut(name).map(|spec| &mut spec.args),
        }
    }

    /// What it says of itself: what it means, and why it should no longer be used.
    #[must_use]
    pub fn about<'s>(&self, schema: &'s Schema) -> Option<(&'s str, Option<&'s str>)> {
        let (doc, deprecated) = match self {
            Self::Enum(_) => return None,
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

    fn is_missing(&self, path: &DocPath) -> Refusal {
        Refusal::new(format!("`{path}` declares no {} `{}`", self.noun(), self.name()))
    }
}

/// The same field of another type: a default and limits of the old one mean nothing any more.
#[must_use]
pub fn retyped(spec: &FieldSpec, ty: FieldType) -> FieldSpec {
    let limits = if ty.is_number() { [spec.min, spec.max, spec.step] } else { [None; 3] };
    let [min, max, step] = limits;
    FieldSpec { ty, default: None, min, max, step, ..spec.clone() }
}

/// The types a field can be given in a game: the plain ones, words of every enum, lists and options of these, and the one
/// it has now.
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

pub(super) fn put_field(
    project: &mut Project,
    path: &DocPath,
    of: &Declared,
    (field, at): (&Name, Option<usize>),
    spec: &FieldSpec,
) -> Result<(), Refusal> {
    let old = of.fields(schema(project, path)?).ok_or_else(|| of.is_missing(path))?;
    if old.get(field) == Some(spec) {
        return Ok(());
    }
    check_free_word("a field", field)?;
    if let Some(fields) = of.fields_mut(schema_mut(project, path)?) {
        if let Some(old) = fields.get_mut(field) {
            *old = spec.clone();
        } else {
            let at = at.unwrap_or(fields.len()).min(fields.len());
            fields.shift_insert(at, field.clone(), spec.clone());
        }
    }
    Ok(())
}

pub(super) fn remove_field(project: &mut Project, path: &DocPath, of: &Declared, field: &Name) -> Result<(), Refusal> {
    let old = of.fields(schema(project, path)?).ok_or_else(|| of.is_missing(path))?;
    if !old.contains_key(field) {
        return Err(Refusal::new(format!("`{path}` declares no field `{}.{field}`", of.name())));
    }
    if let Some(fields) = of.fields_mut(schema_mut(project, path)?) {
        fields.shift_remove(field);
    }
    Ok(())
}

pub(super) fn put_enum(project: &mut Project, path: &DocPath, name: &Name, words: &[Name]) -> Result<(), Refusal> {
    if schema(project, path)?.enums.get(name).is_some_and(|old| old == words) {
        return Ok(());
    }
    check_word("an enum", name)?;
    for (at, word) in words.iter().enumerate() {
        check_word("a word of an enum", word)?;
        if words.get(..at).is_some_and(|before| before.contains(word)) {
            return Err(Refusal::new(format!("`{word}` is a word of `{name}` already")));
        }
    }
    schema_mut(project, path)?.enums.insert(name.clone(), words.to_vec());
    Ok(())
}

pub(super) fn declare(
    project: &mut Project,
    path: &DocPath,
    what: &Declared,
    about: &str,
    deprecated: Option<&String>,
) -> Result<(), Refusal> {
    check_declared(&format!("a declared {}", what.noun()), what, what.name())?;
    let mut new = schema(project, path)?.clone();
    let (name, doc, deprecated) = (what.name().clone(), about.to_owned(), deprecated.cloned());
    match what {
        Declared::Enum(_) => {
            new.enums.entry(name).or_default();
        }
        Declared::Component(_) => {
            let old = new.components.entry(name).or_default();
            (old.doc, old.deprecated) = (doc, deprecated);
        }
        Declared::Message(_) => {
            let old = new.messages.entry(name).or_default();
            (old.doc, old.deprecated) = (doc, deprecated);
        }
        Declared::Condition(_) => put_call(&mut new.conditions, name, doc, deprecated),
        Declared::Action(_) => put_call(&mut new.actions, name, doc, deprecated),
    }
    replace(project, path, new)
}

fn put_call(calls: &mut IndexMap<Name, CallSpec>, name: Name, doc: String, deprecated: Option<String>) {
    let old = calls.entry(name).or_default();
    (old.doc, old.deprecated) = (doc, deprecated);
}

pub(super) fn undeclare(project: &mut Project, path: &DocPath, what: &Declared) -> Result<(), Refusal> {
    let mut new = schema(project, path)?.clone();
    let name = what.name();
    let was_there = match what {
        Declared::Enum(_) => new.enums.shift_remove(name).is_some(),
        Declared::Component(_) => new.components.shift_remove(name).is_some(),
        Declared::Message(_) => new.messages.shift_remove(name).is_some(),
        Declared::Condition(_) => new.conditions.shift_remove(name).is_some(),
        Declared::Action(_) => new.actions.shift_remove(name).is_some(),
    };
    if !was_there {
        return Err(what.is_missing(path));
    }
    replace(project, path, new)
}

fn replace(project: &mut Project, path: &DocPath, new: Schema) -> Result<(), Refusal> {
    if *schema(project, path)? != new {
        project.documents.insert(path.clone(), Arc::new(crate::model::Document::Schema(new)));
    }
    Ok(())
}

/// Rename a key where it stands.
pub(super) fn rekey<V>(map: &mut IndexMap<Name, V>, from: &str, to: &Name) {
    if let Some((at, _, value)) = map.shift_remove_full(from) {
        map.shift_insert(at.min(map.len()), to.clone(), value);
    }
}
