//! What the preview is made from.

use std::sync::Arc;

use crate::{
    defs::Resolution,
    editor::{Derivation, Workspace},
    model::{CueKind, Project, TuneCue, TuningSetId, Value, ValueSet},
};

/// What the preview is made from: a project, its resolution, and the values that are tried out over it.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its resolution.
    pub resolution: &'a Arc<Resolution>,
    /// Values of constants, by `Page.name`.
    pub tried: &'a ValueSet,
}

impl<'a> Played<'a> {
    /// What was derived last, with the values that are tried out now in the active set.
    #[must_use]
    pub fn of(workspace: &'a Workspace, derived: &'a Derivation, active: TuningSetId) -> Self {
        let tried = workspace.project().tuning_overlay.values_of(active);
        Self { project: derived.project(), resolution: derived.resolution(), tried }
    }

    /// The constants the preview runs with: those of the files, and over them the values that are tried out.
    pub(super) fn constants(&self) -> Vec<(String, Value)> {
        let pages = self.resolution.pages.iter();
        let constants = pages.flat_map(|page| page.values.iter().map(move |(name, tunable, _)| (page, name, tunable)));
        let constants = constants.map(|(page, name, tunable)| {
            let full = format!("{}.{name}", page.name);
            let value = self.tried.get(&*full).unwrap_or(&tunable.value).clone();
            (full, value)
        });
        constants.collect()
    }

    /// The resolution with the values that are tried out: what a world is made from.
    pub(super) fn resolution(&self) -> Arc<Resolution> {
        if self.tried.is_empty() {
            return self.resolution.clone();
        }
        let mut resolution = (**self.resolution).clone();
        for page in &mut resolution.pages {
            for (name, value) in self.tried {
                let Some(name) = name.strip_prefix(&*page.name).and_then(|rest| rest.strip_prefix('.')) else {
                    continue;
                };
                let Some(at) = page.values.iter().position(|(known, ..)| &**known == name) else { continue };
                if let Some((_, tunable, _)) = Arc::make_mut(page).values.get_mut(at) {
                    tunable.value = value.clone();
                }
            }
        }
        Arc::new(resolution)
    }
}

/// The cue that gives a constant a value.
pub(super) fn tune(name: &str, value: &Value) -> CueKind {
    CueKind::Tune(TuneCue { name: name.to_owned(), value: value.clone() })
}
