//! The built-in content of every project: the vocabulary and constants compiled into the program. Reading them
//! from `schemas/` is `io`.

use super::{Schema, Tunable, TuningPage};

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

impl Builtin {
    /// A built-in page of constants.
    #[must_use]
    pub fn page(&self, name: &str) -> Option<&TuningPage> {
        self.tuning.iter().find(|page| *page.page == *name)
    }

    /// A built-in constant, by `Page.name`.
    #[must_use]
    pub fn tunable(&self, path: &str) -> Option<&Tunable> {
        let (page, name) = path.split_once('.')?;
        self.page(page)?.values.get(name)
    }
}
