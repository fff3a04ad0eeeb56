//! What of a project was open in the window, to be opened again: the levels on the strip, the one shown, and the
//! tileset shown.

use serde::{Deserialize, Serialize};

use super::Workbench;
use crate::model::{DocPath, Project};

/// Files that were open, by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenTabs {
    levels: Vec<String>,
    level: Option<String>,
    tileset: Option<String>,
}

impl Workbench {
    /// What is open.
    #[must_use]
    pub fn tabs(&self) -> OpenTabs {
        let text = |doc: &DocPath| doc.as_str().to_owned();
        OpenTabs {
            levels: self.view.open_levels.iter().map(text).collect(),
            level: self.view.level.as_ref().map(text),
            tileset: self.view.sheet.as_ref().map(text),
        }
    }

    /// Open again what was, where it is still there; the level that is shown already stays where none of them is.
    pub fn reopen(&mut self, tabs: &OpenTabs, project: &Project) {
        let doc = |text: &String| DocPath::new(text);
        let is_level = |doc: &DocPath| project.level(doc).is_some();
        let levels: Vec<DocPath> = tabs.levels.iter().filter_map(doc).filter(is_level).collect();
        if !levels.is_empty() {
            self.view.open_levels.clear();
            let shown = tabs.level.as_ref().and_then(doc).filter(|doc| levels.contains(doc));
            let shown = shown.or_else(|| levels.first().cloned());
            self.view.open_levels = levels;
            shown.into_iter().for_each(|doc| self.open_level(doc));
            // The layout is as it was kept.
            drop(self.take_wanted_panes());
        }
        self.view.sheet = tabs.tileset.as_ref().and_then(doc).filter(|doc| project.tileset(doc).is_some());
    }
}
