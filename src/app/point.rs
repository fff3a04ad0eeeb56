//! The tool in hand: it is told what the pointer does and answers with edits; here they become a gesture.

use egui::Key;

use super::editor::Editor;
use crate::{
    edit::Edit,
    model::{DocPath, Instance, LinkBy, Name},
    tools::{Extent, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut},
    ui::{Phase, Selection, canvas::looks::Look},
};

impl Editor {
    /// Take a tool in hand. What the one before was doing is canceled.
    pub(super) fn take_tool(&mut self, tool: ToolKind) {
        self.let_go();
        self.view.tool = tool;
        self.toolbox.take(tool);
    }

    /// Tell the tool in hand what the pointer does.
    pub(super) fn pointer(&mut self, doc: &DocPath, event: &PointerEvent, px_per_point: f64) {
        // The same for the whole of a gesture, or a thing being placed would change its id as it moves.
        if event.phase == PointerPhase::Press || self.tool_seed == 0 {
            self.tool_seed = self.seed();
        }
        if self.view.tool.paints_brush() && event.phase == PointerPhase::Press && self.view.stamp.is_empty() {
            self.notify("Choose a tile in the Palette first");
        }
        let out = self.ask_tool(doc, event, px_per_point);
        if let Some(ids) = out.selection {
            self.select(Selection::Things { doc: doc.clone(), ids });
        }
        if let Some(picked) = out.picked {
            self.view.stamp = picked.stamp;
            self.view.active_layer.insert(doc.clone(), picked.layer);
        }
        let label = out.label.unwrap_or_else(|| crate::edit::label_of(&out.edits));
        if out.cancel {
            self.drag(&label, &[], Phase::Cancel);
        } else if out.commit {
            if self.gesture.is_some() || !out.edits.is_empty() {
                self.drag(&label, &out.edits, Phase::Commit);
            }
            self.tool_seed = self.seed();
        } else if !out.edits.is_empty() {
            self.drag(&label, &out.edits, Phase::Preview);
        } else if self.gesture.is_some() && self.toolbox.is_busy() {
            // The drag came back to where it began.
            self.drag(&label, &[], Phase::Preview);
        }
    }

    fn ask_tool(&mut self, doc: &DocPath, event: &PointerEvent, px_per_point: f64) -> ToolOut {
        let project = self.gesture.as_ref().map_or(&self.project, |gesture| gesture.before());
        let Some(level) = project.level(doc) else { return ToolOut::default() };
        let layer = self.view.active_layer_of(doc, level);
        let name = layer.and_then(|i| level.layers.get(i)).map(|layer| &layer.name);
        let links = name.and_then(|name| self.geometry.as_ref().filter(|g| g.level == *doc)?.links.get(name));
        let auto_links: Vec<(Name, Name)> = links
            .into_iter()
            .flatten()
            .filter(|link| link.by == LinkBy::Auto)
            .map(|link| (link.from.clone(), link.to.clone()))
            .collect();
        let resolution = &self.resolution;
        let extent = |instance: &Instance| {
            let look = resolution.defs.get(&instance.def).map(crate::ui::canvas::looks::Looks::of_def);
            look.map_or_else(Extent::default, |Look { half, center, .. }| Extent { half, center })
        };
        let tool_cx = ToolCx {
            project,
            doc,
            layer,
            selection: self.selection.ids_in(doc),
            stamp: &self.view.stamp,
            is_random: self.view.random_brush,
            terrain: self.view.terrain,
            def: self.view.place_def.as_ref(),
            snap_px: self.view.snap.then(|| level.tile_size.map(|side| f64::from(side) / 2.0)),
            px_per_point,
            extent: &extent,
            auto_links: &auto_links,
            seed: self.tool_seed,
        };
        self.toolbox.pointer(&tool_cx, event)
    }

    /// Let go of what the tool is doing.
    pub(super) fn cancel_tool(&mut self) {
        self.toolbox.cancel();
    }

    /// Move the selection by arrow keys: a pixel, or a cell with Shift.
    pub(super) fn nudge(&mut self, key: Key, by_cell: bool) {
        let Selection::Things { doc, ids } = self.selection.clone() else { return };
        let [w, h] = self.project.level(&doc).map_or([16.0, 16.0], |level| level.tile_size.map(f64::from));
        let [w, h] = if by_cell { [w, h] } else { [1.0, 1.0] };
        let by = match key {
            Key::ArrowLeft => [-w, 0.0],
            Key::ArrowRight => [w, 0.0],
            Key::ArrowUp => [0.0, -h],
            Key::ArrowDown => [0.0, h],
            _ => return,
        };
        let mut edits = Vec::new();
        if let Some(level) = self.project.level(&doc) {
            let (entities, nodes): (Vec<Name>, Vec<Name>) = ids.into_iter().partition(|id| level.entity(id).is_some());
            if !entities.is_empty() {
                edits.push(Edit::MoveEntities { doc: doc.clone(), ids: entities, by });
            }
            if !nodes.is_empty() {
                edits.push(Edit::MoveNodes { doc, ids: nodes, by });
            }
        }
        self.step(None, &edits);
    }
}
