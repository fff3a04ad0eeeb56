//! Names that a schema no longer declares: replaced wherever they are used, or removed.
//!
//! Renaming what is still declared, schema and uses together, is `vocabulary`'s.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::RefKind;
use crate::model::Name;

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

    /// What kind of name it is; it is written as that kind is.
    #[must_use]
    pub fn kind(&self) -> RefKind {
        match self {
            Self::Component(_) => RefKind::Component,
            Self::Field { .. } => RefKind::Field,
            Self::Enum { .. } => RefKind::Word,
            Self::Message(_) => RefKind::Message,
        }
    }
}
