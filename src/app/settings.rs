//! Settings kept between sessions: layout, theme, projects opened before. Losing them loses no work; unreadable ones
//! are ignored.

use std::collections::BTreeMap;

use egui_tiles::Tree;
use serde::{Deserialize, Serialize};

use super::{kept_tuning::KeptTuning, layout};
use crate::editor::{OpenTabs, Pane};

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
    /// The levels and tileset that were open, by the project's folder.
    pub tabs: BTreeMap<String, OpenTabs>,
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
            tabs: BTreeMap::new(),
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
