//! Waypoints that are suggested in the level shown. Those on platforms are linked by the ways of a walker, which a job
//! finds.
//!
//! Invariant: what the job found is used only if the level's walls, the layer and its waypoints are the same then.

use std::sync::Arc;

use super::{editor::Editor, events::Event, job::Job, notice::Applies};
use crate::{
    editor::linking_walker,
    model::DocPath,
    sim::{grid::SolidGrid, nav::ledge_network},
    tools::{self, OverLedges, Suggested},
};

/// Links that were found for waypoints of a level.
pub(super) struct LinksFound {
    doc: DocPath,
    grid: Arc<SolidGrid>,
    over_ledges: OverLedges,
}

impl Editor {
    /// Add waypoints where they are suggested in the level shown.
    pub(super) fn suggest_waypoints(&mut self, where_to: Suggested) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(grid) = self.derived.geometry(&doc).map(|it| Arc::clone(&it.grid)) else {
            return self.notify("The walls of this level are still being read");
        };
        let walker = (where_to == Suggested::Platforms).then(|| linking_walker(&self.derived, &doc)).flatten();
        if let Some((who, walker)) = walker {
            let Some(to_link) = self.ask_tools(&doc, |cx| tools::places_to_link(cx, &grid)) else { return };
            if let Some((layer, places)) = to_link {
                self.notify_while(Applies::ForAWhile, format!("Looking for the ways of {who}…"));
                self.jobs.spawn(Job::LinkWaypoints, move || {
                    let network = ledge_network(&grid, &walker, &places);
                    let over_ledges = OverLedges { who, layer, suggested: places, network };
                    Event::LinksFound(LinksFound { doc, grid, over_ledges })
                });
                return;
            }
        }
        self.make_things(doc, |cx| tools::suggest_waypoints(cx, &grid, where_to, None));
    }

    /// A job found the links of suggested waypoints: add both.
    pub(super) fn links_found(&mut self, LinksFound { doc, grid, over_ledges }: LinksFound) {
        let is_same = self.derived.geometry(&doc).is_some_and(|it| Arc::ptr_eq(&it.grid, &grid));
        if !is_same || self.bench.view.level.as_ref() != Some(&doc) {
            return self.notify(tools::OUTDATED);
        }
        let on = Suggested::Platforms;
        self.make_things(doc, |cx| tools::suggest_waypoints(cx, &grid, on, Some(&over_ledges)));
    }
}
