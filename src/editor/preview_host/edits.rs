//! How the running preview follows edits: constants are set at once, anything else is migrated.

use std::sync::Arc;

use super::{Played, PreviewHost, played::tune};
use crate::model::{CueKind, DocKind, DocPath, Document, Project, TuneCue, Value, ValueSet};

impl PreviewHost {
    /// Set a constant of the running world at once, before anything else is derived.
    pub fn set_constant(&mut self, name: String, value: Value) {
        self.is_ahead = true;
        self.perform(CueKind::Tune(TuneCue { name, value }));
    }

    /// Other values are tried out: set those constants of the running world that have another value by it. One that is
    /// tried out no longer has the value that it is `declared` with now; one that is declared no more is left to
    /// [`PreviewHost::bring_up`].
    pub fn set_tried(&mut self, tried: &ValueSet, declared: impl Fn(&str) -> Option<Value>) {
        if self.preview.is_none() {
            return;
        }
        let before = std::mem::replace(&mut self.tried, tried.clone());
        let only_new = tried.keys().filter(|name| !before.contains_key(*name));
        let others = before.keys().chain(only_new).filter(|name| before.get(*name) != tried.get(*name));
        for name in others {
            if let Some(value) = tried.get(name).cloned().or_else(|| declared(name)) {
                self.set_constant(name.to_string(), value);
            }
        }
    }

    /// Set all constants of the running world.
    fn set_constants(&mut self, played: Played<'_>) {
        let constants = played.constants();
        let Some(preview) = &self.preview else { return };
        // Most were set by `set_constant` before.
        let world = preview.session.world();
        let changed = constants.iter().filter(|(full, value)| world.tunable(full) != Some(value));
        let cues = changed.map(|(name, value)| tune(name, value));
        self.change(Some(cues.collect()), move |world| {
            for (full, value) in &constants {
                world.set_tunable(full, value.clone());
            }
            None
        });
    }

    /// Bring the running world up to a project: constants are set, anything else is migrated.
    pub fn bring_up(&mut self, played: Played<'_>) {
        let Some(preview) = &mut self.preview else { return };
        let before = std::mem::replace(&mut self.project, played.project.clone());
        let changed = changed_documents(&before, played.project, &preview.level);
        // Values may have been tried out while the world was being compiled.
        let is_ahead = std::mem::take(&mut self.is_ahead);
        if changed.is_empty() && self.tried == *played.tried && !is_ahead {
            return;
        }
        self.tried.clone_from(played.tried);
        let only_tuning = changed.iter().all(|doc| matches!(doc.as_deref(), Some(Document::Tuning(_))));
        // A constant that is new, or has another name, is one that the running world does not have.
        let world = preview.session.world();
        let has = |page: &str, name: &str| world.tunable(&format!("{page}.{name}")).is_some();
        let mut pages = played.resolution.pages.iter();
        let has_all = pages.all(|page| page.values.iter().all(|(name, ..)| has(&page.name, name)));
        if only_tuning && has_all {
            self.set_constants(played);
            return;
        }
        self.migrate(played);
    }

    /// Migrate the running world to a project as it is edited now.
    pub(super) fn migrate(&mut self, played: Played<'_>) {
        let Some(preview) = &mut self.preview else { return };
        let (project, resolution, constants) = (played.project.clone(), played.resolution(), played.constants());
        preview.session.migrate(move |world| {
            let failed = world.migrate(&project, &resolution).err().map(|findings| {
                let why = findings.first().map_or_else(String::new, |finding| format!(": {}", finding.message));
                format!("The preview keeps running the level as it was{why}")
            });
            for (full, value) in &constants {
                world.set_tunable(full, value.clone());
            }
            failed
        });
    }
}

/// The documents a level runs by that are others in `now` than in `before`; none for each that is gone.
fn changed_documents(before: &Project, now: &Project, level: &DocPath) -> Vec<Option<Arc<Document>>> {
    let is_read = |path: &DocPath| match path.kind() {
        Some(DocKind::Scenario | DocKind::Stamp) => false,
        Some(DocKind::Level) => path == level,
        _ => true,
    };
    let is_other = |(path, doc): &(&DocPath, &Arc<Document>)| before.doc(path).is_none_or(|old| !Arc::ptr_eq(old, doc));
    let changed = now.documents.iter().filter(|(path, _)| is_read(path)).filter(is_other);
    let gone = before.documents.keys().filter(|path| is_read(path) && now.doc(path).is_none());
    changed.map(|(_, doc)| Some(doc.clone())).chain(gone.map(|_| None)).collect()
}
