//! Settings kept between sessions: layout, theme, projects opened before. Losing them loses no work; unreadable ones are
//! ignored.

use std::collections::BTreeMap;

use egui_tiles::Tree;
use serde::{Deserialize, Serialize};

use super::{kept_tuning::KeptTuning, layout};
use crate::{
    editor::{Pane, ViewState, Workbench},
    model::{DocPath, Project},
};

/// Where eframe keeps it.
pub(super) const KEY: &str = "levelwright";

/// Projects remembered.
const MAX_RECENT: usize = 10;

/// What is remembered.
#[derive(Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// Where each pane is.
    pub layout: Tree<Pane>,
    /// The panes there were when the layout was kept.
    pub panes: Vec<Pane>,
    /// Dark or light.
    pub is_dark: bool,
    /// Whether edits while a level plays are live.
    pub live_edits: bool,
    /// Whether levels that play are not heard.
    pub is_muted: bool,
    /// Folders of projects, newest first.
    pub recent: Vec<String>,
    /// What is tried, marked and put aside on the tuning pages, by the project's folder.
    pub tuning: BTreeMap<String, KeptTuning>,
    /// The levels that were open, by the project's folder.
    pub levels: BTreeMap<String, OpenLevels>,
}

/// The levels of a project on the strip, by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OpenLevels {
    open: Vec<String>,
    shown: Option<String>,
}

impl OpenLevels {
    pub(super) fn of(view: &ViewState) -> Self {
        let text = |doc: &DocPath| doc.as_str().to_owned();
        Self { open: view.open_levels.iter().map(text).collect(), shown: view.level.as_ref().map(text) }
    }

    pub(super) fn reopen(&self, bench: &mut Workbench, project: &Project) {
        let open: Vec<DocPath> = self.open.iter().filter_map(|path| DocPath::new(path)).collect();
        let shown = self.shown.as_ref().and_then(|path| DocPath::new(path));
        bench.reopen(&open, shown.as_ref(), project);
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            layout: layout::first(),
            panes: Vec::new(),
            is_dark: true,
            live_edits: true,
            is_muted: false,
            recent: Vec::new(),
            tuning: BTreeMap::new(),
            levels: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// As they were kept, mended where they no longer fit.
    pub(super) fn load(storage: Option<&dyn eframe::Storage>) -> Self {
        let mut settings: Self = storage.and_then(|storage| eframe::get_value(storage, KEY)).unwrap_or_default();
        if !layout::is_sound(&settings.layout) {
            settings.layout = layout::first();
        }
        layout::add_new(&mut settings.layout, &settings.panes);
        settings
    }
}

/// Put a project at the front of those opened before.
pub(super) fn remember(recent: &mut Vec<String>, root: &str) {
    recent.retain(|known| known != root);
    recent.insert(0, root.to_owned());
    recent.truncate(MAX_RECENT);
}
