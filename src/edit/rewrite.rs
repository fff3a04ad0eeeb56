//! Words that a schema declared and declares no more: written anew wherever data says them, or taken out of it.
//!
//! Invariant: what does not use the word keeps its `Arc`. The schemas themselves are not touched: they have changed already.
//! Renaming what is still declared, schema and uses together, is `vocabulary`'s.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    references::visit_calls,
    vocabulary::{Uses, rekey, rename_args, rename_path},
};
use crate::model::{Call, FieldSpec, FieldType, Fields, Name, OpKind, Ops, Project, Schema, State, Value};

/// A word of a schema that data uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Word {
    /// A component.
    Component(Name),
    /// A field of a component.
    Field {
        /// The component.
        component: Name,
        /// The field.
        field: Name,
    },
    /// A word of an enum, in fields and arguments of its type.
    Enum {
        /// The enum.
        name: Name,
        /// The word.
        word: Name,
    },
    /// A message.
    Message(Name),
}

/// As people write it: `Loot`, `Loot.gold`, `Team.Wild`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component(name) | Self::Message(name) => f.write_str(name),
            Self::Field { component, field } => write!(f, "{component}.{field}"),
            Self::Enum { name, word } => write!(f, "{name}.{word}"),
        }
    }
}

impl Word {
    /// The same with another last name.
    #[must_use]
    pub fn renamed(&self, to: Name) -> Self {
        match self {
            Self::Component(_) => Self::Component(to),
            Self::Field { component, .. } => Self::Field { component: component.clone(), field: to },
            Self::Enum { name, .. } => Self::Enum { name: name.clone(), word: to },
            Self::Message(_) => Self::Message(to),
        }
    }

    /// How `remove` and arguments name it, if they can.
    #[must_use]
    pub fn path(&self) -> Option<String> {
        (!matches!(self, Self::Enum { .. })).then(|| self.to_string())
    }

    /// Whether `text` names what `path` does, or something inside it.
    #[must_use]
    pub fn leads(text: &str, path: &str) -> bool {
        text.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }

    /// Whether an argument of this name can hold it.
    #[must_use]
    pub fn is_said_by(&self, arg: &str) -> bool {
        match self {
            Self::Component(_) => matches!(arg, "component" | "field"),
            Self::Field { .. } => arg == "field",
            Self::Message(_) => arg == "message",
            Self::Enum { .. } => false,
        }
    }

    /// Whether it is a word of this enum.
    #[must_use]
    pub fn is_of(&self, enum_name: &str) -> bool {
        matches!(self, Self::Enum { name, .. } if **name == *enum_name)
    }
}

/// Where words of an enum can stand: fields and arguments whose type has it somewhere inside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnumUses {
    /// Component, field, its type.
    fields: Vec<(Name, Name, FieldType)>,
    /// Action or condition, argument, its type.
    args: Vec<(Name, Name, FieldType)>,
}

impl EnumUses {
    /// What a schema says about an enum.
    #[must_use]
    pub fn of(schema: &Schema, name: &str) -> Self {
        let pick = |owner: &Name, specs: &IndexMap<Name, FieldSpec>| -> Vec<_> {
            let having = specs.iter().filter(|(_, spec)| has(&spec.ty, name));
            having.map(|(field, spec)| (owner.clone(), field.clone(), spec.ty.clone())).collect()
        };
        let calls = schema.actions.iter().chain(&schema.conditions);
        Self {
            fields: schema.components.iter().flat_map(|(name, spec)| pick(name, &spec.fields)).collect(),
            args: calls.flat_map(|(name, spec)| pick(name, &spec.args)).collect(),
        }
    }

    /// The type of a field that can hold one.
    #[must_use]
    pub fn field(&self, component: &str, field: &str) -> Option<&FieldType> {
        typed(&self.fields, component, field)
    }

    /// The type of an argument that can hold one.
    #[must_use]
    pub fn arg(&self, call: &str, arg: &str) -> Option<&FieldType> {
        typed(&self.args, call, arg)
    }
}

fn typed<'a>(all: &'a [(Name, Name, FieldType)], owner: &str, name: &str) -> Option<&'a FieldType> {
    all.iter().find(|(o, n, _)| **o == *owner && **n == *name).map(|(.., ty)| ty)
}

fn has(ty: &FieldType, name: &str) -> bool {
    match ty {
        FieldType::Enum(of) | FieldType::Flags(of) => **of == *name,
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => has(inner, name),
        FieldType::Struct(specs) => specs.values().any(|spec| has(&spec.ty, name)),
        _ => false,
    }
}

/// Write `word` anew in every document that uses it, or take it out.
pub(super) fn rewrite(project: &mut Project, word: &Word, to: Option<&Name>, uses: &EnumUses) {
    match word {
        Word::Component(from) => {
            let ops = |ops: &mut Ops| {
                let mut changed = in_remove(&mut ops.remove, from, to.map(|to| &**to));
                for op in OpKind::VALUED {
                    changed |= ops.values_mut(op).is_some_and(|all| replace(all, from, to));
                }
                changed
            };
            let state = |state: &mut State| to.is_some_and(|to| rename_args(state, &["field", "component"], from, to));
            everywhere(ops, state).rename_in(project);
        }
        Word::Field { component, field } => {
            let new = to.map(|to| format!("{component}.{to}"));
            let old = word.to_string();
            let ops = |ops: &mut Ops| {
                let mut changed = in_remove(&mut ops.remove, &old, new.as_deref());
                for op in OpKind::VALUED {
                    let fields = ops.values_mut(op).and_then(|all| all.get_mut(component));
                    changed |= fields.is_some_and(|fields| replace(fields, field, to));
                }
                changed
            };
            let state = |state: &mut State| new.as_ref().is_some_and(|new| rename_args(state, &["field"], &old, new));
            everywhere(ops, state).rename_in(project);
        }
        Word::Enum { name, word } => {
            let in_word = InWords { name, word, to };
            let ops = |ops: &mut Ops| {
                let mut changed = false;
                for op in OpKind::VALUED {
                    for (component, fields) in ops.values_mut(op).into_iter().flatten() {
                        changed |= in_word.fields(fields, |field| uses.field(component, field));
                    }
                }
                changed
            };
            let state = |state: &mut State| {
                let mut changed = false;
                visit_calls(state, &mut |call: &mut Call| {
                    let name = call.name.clone();
                    changed |= in_word.fields(&mut call.args, |arg| uses.arg(&name, arg));
                });
                changed
            };
            everywhere(ops, state).rename_in(project);
        }
        Word::Message(from) => {
            if let Some(to) = to {
                Uses::of_message(from, to).rename_in(project);
            }
        }
    }
}

fn everywhere<'a>(ops: impl Fn(&mut Ops) -> bool + 'a, state: impl Fn(&mut State) -> bool + 'a) -> Uses<'a> {
    Uses { ops: Box::new(ops), state: Box::new(state), message: Box::new(|_| false) }
}

/// Rename a key where it stands, unless its new name is said already; without a new name, take it out.
fn replace<V>(map: &mut IndexMap<Name, V>, from: &Name, to: Option<&Name>) -> bool {
    match to {
        Some(to) if !map.contains_key(to) => rekey(map, from, to),
        _ => map.shift_remove(from).is_some(),
    }
}

fn in_remove(entries: &mut Vec<String>, from: &str, to: Option<&str>) -> bool {
    let Some(to) = to else {
        let n = entries.len();
        entries.retain(|entry| !Word::leads(entry, from));
        return entries.len() < n;
    };
    rename_path(entries, from, to)
}

/// A word of an enum inside values.
struct InWords<'a> {
    name: &'a Name,
    word: &'a Name,
    to: Option<&'a Name>,
}

/// What became of a value.
enum After {
    Same,
    Changed,
    /// It was the word, and the word is to go.
    Gone,
}

impl After {
    /// Whether the value stays; notes in `changed` that something became of it.
    fn stays(self, changed: &mut bool) -> bool {
        *changed |= !matches!(self, Self::Same);
        !matches!(self, Self::Gone)
    }

    fn of(changed: bool) -> Self {
        if changed { Self::Changed } else { Self::Same }
    }
}

impl InWords<'_> {
    fn fields<'t>(&self, fields: &mut Fields, ty: impl Fn(&str) -> Option<&'t FieldType>) -> bool {
        let mut changed = false;
        fields.retain(|name, value| ty(name).is_none_or(|ty| self.value(ty, value).stays(&mut changed)));
        changed
    }

    fn items(&self, ty: &FieldType, items: &mut Vec<Value>) -> After {
        let mut changed = false;
        items.retain_mut(|item| self.value(ty, item).stays(&mut changed));
        After::of(changed)
    }

    fn value(&self, ty: &FieldType, value: &mut Value) -> After {
        match (ty, value) {
            (FieldType::Enum(name), Value::Symbol(said)) if name == self.name && said == self.word => match self.to {
                Some(to) => {
                    *said = to.clone();
                    After::Changed
                }
                None => After::Gone,
            },
            (FieldType::Flags(name), Value::List(items)) => self.items(&FieldType::Enum(name.clone()), items),
            (FieldType::List(item), Value::List(items)) => self.items(item, items),
            (FieldType::Map(item), Value::Map(entries)) => {
                let mut changed = false;
                entries.retain_mut(|(_, value)| self.value(item, value).stays(&mut changed));
                After::of(changed)
            }
            (FieldType::Struct(specs), Value::Struct(fields)) => {
                let ty = |name: &str| specs.get(name).map(|spec| &spec.ty);
                After::of(self.fields(fields, ty))
            }
            (FieldType::Option(inner), Value::Tagged(tag, content)) if &**tag == "Some" => match &mut **content {
                Value::Tuple(items) => match items.as_mut_slice() {
                    [one] => self.value(inner, one),
                    _ => After::Same,
                },
                other => self.value(inner, other),
            },
            (FieldType::Option(inner), value) => self.value(inner, value),
            _ => After::Same,
        }
    }
}
