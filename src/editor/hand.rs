//! The tool in hand: what was there before a command put another in its place, and what has to be chosen before it can
//! do anything.

use super::{Pane, Workbench};
use crate::{
    edit::{Stamp, TilesOf},
    model::{DocPath, EntitiesFile, Name, Project, StampFile},
    tools::{HeldStamp, ToolKind},
};

/// What was in hand before.
#[derive(Clone, Debug)]
pub(super) struct HeldBefore {
    tool: ToolKind,
    /// What was painted with; `None` where what was chosen since is to stay.
    brush: Option<Brush>,
    /// A level, the layer worked on before, and the one that the tool needed.
    layer: Option<(DocPath, Name, Name)>,
}

#[derive(Clone, Debug)]
struct Brush {
    stamp: Stamp,
    of: Option<TilesOf>,
    stamps: Vec<HeldStamp>,
    is_random: bool,
}

impl Workbench {
    /// Take a tool for a while: [`Workbench::give_back`] takes again what is in hand now, or what was given back
    /// otherwise. Of tools that place things Select is the way back anyhow.
    pub fn borrow_tool(&mut self, tool: ToolKind) {
        let brush = Brush {
            stamp: self.view.stamp.clone(),
            of: self.view.stamp_of.clone(),
            stamps: self.view.stamps.clone(),
            is_random: self.view.random_brush,
        };
        let mut before = self.before.take().unwrap_or(HeldBefore { tool: self.view.tool, brush: None, layer: None });
        // A brush that was kept meanwhile is the one to go back to.
        before.brush.get_or_insert(brush);
        self.take_tool(tool);
        self.before = Some(before).filter(|_| !tool.places_things());
    }

    /// What is painted with was chosen: it stays when the tool is given back.
    pub fn keep_brush(&mut self) {
        if let Some(before) = &mut self.before {
            before.brush = None;
        }
    }

    /// The tool in hand has to work on another layer than the one that was worked on.
    pub fn keep_layer(&mut self, doc: &DocPath, layer: &Name, other: &Name) {
        if let Some(before) = self.before.as_mut().filter(|before| before.layer.is_none()) {
            before.layer = Some((doc.clone(), layer.clone(), other.clone()));
        }
    }

    /// Take again what was in hand before a command put another tool there, and work on the layer of that time unless
    /// another was chosen since. False where there was no such command.
    pub fn give_back(&mut self, project: &Project) -> bool {
        let Some(HeldBefore { tool, brush, layer }) = self.before.take() else { return false };
        self.take_tool(tool);
        if let Some(Brush { stamp, of, stamps, is_random }) = brush {
            (self.view.stamp, self.view.stamp_of) = (stamp, of);
            (self.view.stamps, self.view.random_brush) = (stamps, is_random);
        }
        if let Some((doc, layer, other)) = layer
            && self.view.active_layer.get(&doc) == Some(&other)
            && project.level(&doc).is_some_and(|level| level.layer(&layer).is_some())
        {
            self.work_on(&doc, layer, project);
        }
        true
    }

    /// What has to be chosen before the tool in hand places or paints anything: the pane where that is, and what to
    /// say.
    #[must_use]
    pub fn missing(&self, project: &Project) -> Option<(Pane, &'static str)> {
        let view = &self.view;
        if view.tool == ToolKind::Entity {
            let has_def = |def: &Name| project.all::<EntitiesFile>().any(|(_, file)| file.defs.contains_key(def));
            let is_chosen = view.place_def.as_ref().is_some_and(has_def);
            return (!is_chosen).then_some((Pane::Palette, "Choose in the Palette what to place"));
        }
        let is_on_cells = self.active_layer(project).is_some_and(|(_, layer)| layer.cells().is_some());
        let has_stamp = view.tool == ToolKind::Stamp && !view.stamps.is_empty();
        if !view.tool.paints_brush() || !view.stamp.is_empty() || has_stamp || !is_on_cells {
            return None;
        }
        let has_stamps = project.all::<StampFile>().next().is_some();
        Some(if view.tool == ToolKind::Stamp && has_stamps {
            (Pane::Stamps, "Choose a stamp in Stamps or a tile in the Palette first")
        } else {
            (Pane::Palette, "Choose a tile in the Palette first")
        })
    }
}
