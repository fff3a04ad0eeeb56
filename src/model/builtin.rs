//! What every project has before it says anything: the vocabulary and constants compiled into the program. Reading them
//! from `schemas/` is `io`.

use super::{Schema, TuningPage};

/// The hit points left, which machines ask for as for a field and no schema declares.
pub const LIFE: &str = "Health.life";

/// The built-in schema and tuning pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Builtin {
    /// Components, messages, conditions and actions the preview knows.
    pub schema: Schema,
    /// Pages with their defaults; a project's page of the same name overrides values in them.
    pub tuning: Vec<TuningPage>,
}
