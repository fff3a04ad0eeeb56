//! Which of the schema's fields, arguments and payloads can hold names of a kind.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::names::RefKind;
use crate::model::{FieldSpec, FieldType, FieldsOf, Name, Schema};

type Typed = IndexMap<Name, IndexMap<Name, FieldType>>;

/// The types of those fields, arguments and payloads that can hold names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Types {
    components: Typed,
    messages: Typed,
    actions: Typed,
    conditions: Typed,
    /// By what has them.
    #[serde(default)]
    custom: Typed,
    /// Whether text with an explicit target prefix, such as `def:goblin`, counts.
    has_targets: bool,
}

impl Types {
    pub(super) fn of(schema: &Schema, kind: RefKind) -> Self {
        let pick = |specs: &IndexMap<Name, FieldSpec>| -> IndexMap<Name, FieldType> {
            // Where a type is asked for by another argument, that one has to be known.
            let asks = specs.values().any(|spec| spec.ty == FieldType::Any);
            let typed = specs.iter().filter(|(_, spec)| asks || holds(&spec.ty, kind));
            typed.map(|(name, spec)| (name.clone(), spec.ty.clone())).collect()
        };
        let all = |specs: &mut dyn Iterator<Item = (&Name, &IndexMap<Name, FieldSpec>)>| -> Typed {
            specs.map(|(name, specs)| (name.clone(), pick(specs))).filter(|(_, typed)| !typed.is_empty()).collect()
        };
        let nouns = FieldsOf::ALL.map(|of| Name::from(of.noun()));
        Self {
            components: all(&mut schema.components.iter().map(|(name, spec)| (name, &spec.fields))),
            messages: all(&mut schema.messages.iter().map(|(name, spec)| (name, &spec.payload))),
            actions: all(&mut schema.actions.iter().map(|(name, spec)| (name, &spec.args))),
            conditions: all(&mut schema.conditions.iter().map(|(name, spec)| (name, &spec.args))),
            custom: all(&mut FieldsOf::ALL.iter().zip(&nouns).map(|(of, noun)| (noun, of.specs(schema)))),
            has_targets: matches!(kind, RefKind::Def | RefKind::Tag),
        }
    }

    pub(super) fn field(&self, component: &str, field: &str) -> Option<&FieldType> {
        self.components.get(component)?.get(field)
    }

    pub(super) fn payload(&self, message: &str, field: &str) -> Option<&FieldType> {
        self.messages.get(message)?.get(field)
    }

    pub(super) fn args(&self, kind: RefKind, call: &str) -> Option<&IndexMap<Name, FieldType>> {
        if kind == RefKind::Action { self.actions.get(call) } else { self.conditions.get(call) }
    }

    pub(super) fn custom(&self, of: FieldsOf, field: &str) -> Option<&FieldType> {
        self.custom.get(of.noun())?.get(field)
    }

    pub(super) fn has_targets(&self) -> bool {
        self.has_targets
    }
}

/// Whether values of a type can hold a name of a kind.
fn holds(ty: &FieldType, kind: RefKind) -> bool {
    use RefKind as K;
    match ty {
        FieldType::Def => kind == K::Def,
        FieldType::Machine => kind == K::Machine,
        FieldType::Tileset => kind == K::Tileset,
        FieldType::Tile => matches!(kind, K::Tile | K::Tileset),
        FieldType::Level => kind == K::Level,
        FieldType::Tunable => matches!(kind, K::Tunable | K::Page),
        FieldType::Enum(_) | FieldType::Flags(_) => kind == K::Word,
        FieldType::Tag => kind == K::Tag,
        FieldType::Target => matches!(kind, K::Def | K::Tag),
        FieldType::Layer => matches!(kind, K::Layer | K::Tag),
        FieldType::Message => kind == K::Message,
        FieldType::Component => kind == K::Component,
        FieldType::Field => matches!(kind, K::Component | K::Field | K::Tunable | K::Page),
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => holds(inner, kind),
        FieldType::Struct(fields) => fields.values().any(|spec| holds(&spec.ty, kind)),
        _ => false,
    }
}
