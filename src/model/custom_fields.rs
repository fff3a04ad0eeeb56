//! Custom fields: what a game's schema declares that its levels, layers and tiles have, beside what every game's have.

use indexmap::IndexMap;

use super::{FieldSpec, Name, Schema};

/// What can have custom fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldsOf {
    /// Every level.
    Level,
    /// Every layer.
    Layer,
    /// Every tile.
    Tile,
}

impl FieldsOf {
    /// All there is.
    pub const ALL: [Self; 3] = [Self::Level, Self::Layer, Self::Tile];

    /// What stands before the name of a field: `level` of `level.music`.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Layer => "layer",
            Self::Tile => "tile",
        }
    }

    /// The section of a schema file that declares them.
    #[must_use]
    pub fn section(self) -> &'static str {
        match self {
            Self::Level => "level_fields",
            Self::Layer => "layer_fields",
            Self::Tile => "tile_fields",
        }
    }

    /// The one of a noun.
    #[must_use]
    pub fn of_noun(noun: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.noun() == noun)
    }

    /// What a schema declares of them.
    #[must_use]
    pub fn specs(self, schema: &Schema) -> &IndexMap<Name, FieldSpec> {
        match self {
            Self::Level => &schema.level_fields,
            Self::Layer => &schema.layer_fields,
            Self::Tile => &schema.tile_fields,
        }
    }

    /// The same, to change.
    pub fn specs_mut(self, schema: &mut Schema) -> &mut IndexMap<Name, FieldSpec> {
        match self {
            Self::Level => &mut schema.level_fields,
            Self::Layer => &mut schema.layer_fields,
            Self::Tile => &mut schema.tile_fields,
        }
    }
}
