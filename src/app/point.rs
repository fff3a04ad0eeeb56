//! The selected tool: it receives pointer events and returns edits; here they become a gesture.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use egui::Key;

use super::editor::Editor;
use crate::{
    defs::Resolution,
    edit::{Phase, StepId, TilesOf},
    editor::{LevelMenu, LevelPointer, Pane, ProbeAsked, Selection, TextSpot},
    model::{CellSet, DocPath, Instance, Layer, Level, LevelView, Name, Nearby, PxBox},
    sim::probe::traveler_for,
    tools::{
        self, Alignment, Button, Cursor, Extent, MenuTopic, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut,
    },
    ui::canvas::looks::{Look, of_resolved},
};

/// A run of arrow keys that moved things, which are one step.
pub(super) struct MovedByKeys {
    step: StepId,
    doc: DocPath,
    ids: Vec<Name>,
    /// In pixels, in all.
    by: [f64; 2],
}

impl Editor {
    /// Select a tool. The gesture of the previous one is canceled. A tool for tiles works on the nearest layer of
    /// tiles, where it would be refused otherwise.
    pub(super) fn take_tool(&mut self, tool: ToolKind) {
        self.let_go();
        // What takes a brush is used for a moment.
        if tool == ToolKind::Eyedropper {
            self.bench.borrow_tool(tool);
        } else {
            if tool == ToolKind::Probe && self.bench.view.tool != tool {
                self.probe_for_selected();
            }
            self.bench.take_tool(tool);
        }
        self.work_where_it_fits();
    }

    /// Who is selected is who a path is looked for; at first the player, where a level is seen from the side: few walk
    /// over its grid.
    fn probe_for_selected(&mut self) {
        let (project, resolution) = (self.workspace.project(), self.derived.resolution());
        let Some((doc, level)) = self.bench.view.level.as_ref().and_then(|doc| Some((doc, project.level(doc)?))) else {
            return;
        };
        let is_player = |def: &str| resolution.defs.get(def).is_some_and(|resolved| resolved.has("Player"));
        let probe = &self.bench.view.probe;
        let is_first = probe.ends.is_empty() && probe.asked == ProbeAsked::default();
        let id = match self.bench.selection().ids_in(doc) {
            [id] => Some(id),
            _ if is_first && project.view_of(level) == LevelView::Platformer => {
                level.entities().find(|(.., it)| is_player(&it.def)).map(|(_, id, _)| id)
            }
            _ => None,
        };
        if let Some(who) = id.and_then(|id| traveler_for(resolution, (doc, level), id)) {
            self.bench.view.probe.ask_for(who);
        }
    }

    /// The same until Esc, which gives back what is in hand now.
    pub(super) fn borrow_tool(&mut self, tool: ToolKind) {
        self.let_go();
        self.bench.borrow_tool(tool);
        self.work_where_it_fits();
    }

    fn work_where_it_fits(&mut self) {
        let project = self.workspace.project();
        let Some((doc, layer)) = self.bench.layer_to_paint(project) else { return };
        if let Some(active) = self.bench.active_layer(project).map(|(_, layer)| layer.name.clone()) {
            self.bench.keep_layer(&doc, &active, &layer);
        }
        if self.bench.view.tool.is_for_tiles() {
            self.notify(format!("Working on the layer “{layer}”, which has tiles"));
        }
        self.work_on(&doc, layer);
    }

    /// What has to be chosen before the tool in hand can do anything, where and in words.
    pub(super) fn missing_in_hand(&self) -> Option<(Pane, &'static str)> {
        self.bench.missing(self.workspace.project())
    }

    /// Pass a pointer event to the selected tool; while a definition is dragged over the level, to the entity tool.
    pub(super) fn pointer(&mut self, at: &LevelPointer, carried: Option<Name>) {
        let LevelPointer { doc, event, .. } = at;
        let is_carried = carried.is_some();
        if let Some(def) = carried {
            self.let_go();
            self.bench.view.place_def = Some(def);
        }
        // The same for the whole of a gesture, or a thing being placed would change its id as it moves.
        if event.phase == PointerPhase::Press || self.seeds.of_gesture == 0 {
            self.seeds.of_gesture = self.seeds.fresh();
        }
        if event.phase == PointerPhase::Press {
            // The clipboard held nothing when a place for it was chosen.
            self.bench.view.paste_at = None;
        }
        if !is_carried
            && (event.phase, event.button) == (PointerPhase::Press, Button::Primary)
            && let Some((_, what)) = self.missing_in_hand()
        {
            self.notify(what);
        }
        let before = self.cells_now(doc);
        let was_busy = self.bench.toolbox.is_busy();
        let mut toolbox = std::mem::take(&mut self.bench.toolbox);
        let answer = |cx: &ToolCx<'_>| if is_carried { toolbox.carry(cx, event) } else { toolbox.pointer(cx, event) };
        let out = self.with_tool_cx(doc, (at.px_per_point, at.visible_px), answer).unwrap_or_default();
        self.bench.toolbox = toolbox;
        if is_carried && event.phase == PointerPhase::Release && out.edits.is_empty() {
            self.notify(out.hint.clone());
        }
        // A refused click gives its reason as a notice, which stays after the pointer has moved.
        let is_refused = out.cursor == Cursor::Forbidden && !out.hint.is_empty();
        let is_done = event.phase == PointerPhase::Press || was_busy && event.phase == PointerPhase::Release;
        if is_refused && is_done && !is_carried && self.missing_in_hand().is_none() {
            self.notify(out.hint.clone());
        }
        if let Some(ids) = out.selection {
            self.bench.select(Selection::Things { doc: doc.clone(), ids });
        }
        if let Some(topic) = out.menu {
            // Of what is selected beside cells, all but the level and its layers would be meant instead.
            if topic == MenuTopic::Cells && self.bench.view.cells_meant(self.bench.selection()).is_none() {
                self.bench.select(Selection::Things { doc: doc.clone(), ids: Vec::new() });
            }
            self.bench.view.menu = Some(LevelMenu { topic, spot: out.ghost.spot, reference: None, at: event.pos_px });
        }
        // A click on nothing, too, is work in the level: Delete means neither the level nor a layer then.
        self.bench.has_worked |= matches!(event.phase, PointerPhase::Press | PointerPhase::Release);
        if let Some(picked) = out.picked {
            let level = self.workspace.project().level(doc);
            let cells = level.and_then(|level| level.layer(&picked.layer)?.1.cells());
            self.bench.view.stamp_of = cells.map(TilesOf::cells);
            self.bench.view.stamp = picked.stamp;
            self.bench.view.stamps.clear();
            self.bench.keep_brush();
            self.work_on(doc, picked.layer);
        }
        if let Some(ends) = out.probe {
            self.bench.view.probe.ends.insert(doc.clone(), ends);
        }
        let label = out.label.unwrap_or_else(|| crate::edit::label_of(&out.edits));
        // A drag may come back to where it began.
        let is_open = self.workspace.is_dragging() && (out.phase != Phase::Preview || self.bench.toolbox.is_busy());
        let is_edit = is_open || !out.edits.is_empty();
        let is_made = !is_edit || self.drag(&label, &out.edits, out.phase);
        // Where tiles were to go along and did not, their selection stays with them.
        if let Some(cells) = out.cells.filter(|_| is_made) {
            self.bench.select_cells(doc, cells);
            if !out.edits.is_empty() {
                self.cells_moved(doc, before);
            }
        }
        self.keep_floating(doc, out.floating.filter(|_| out.phase == Phase::Commit && is_made));
        if out.phase == Phase::Commit {
            self.seeds.of_gesture = self.seeds.fresh();
        }
        if out.phase != Phase::Preview && event.phase == PointerPhase::Release {
            // The frame and the size of what was drawn go, also while the pointer rests.
            self.pointer(
                &LevelPointer { event: PointerEvent { phase: PointerPhase::Hover, ..*event }, ..at.clone() },
                None,
            );
        }
    }

    fn with_tool_cx<R>(
        &self,
        doc: &DocPath,
        (px_per_point, visible_px): (f64, [[f64; 2]; 2]),
        ask: impl FnOnce(&ToolCx<'_>) -> R,
    ) -> Option<R> {
        let project = self.workspace.before_drag();
        let level = project.level(doc)?;
        let layer = self.bench.view.active_layer_of(doc, level);
        let name = layer.and_then(|i| level.nth_layer(i)).map(|layer| &layer.name);
        let links = name.and_then(|name| self.derived.geometry(doc)?.links.get(name));
        let resolution = self.derived.resolution();
        // Asked for many entities at a time, which are of few definitions.
        let known: RefCell<HashMap<Name, Extent>> = RefCell::default();
        let alone = if self.bench.view.tool == ToolKind::Select { self.alone(doc, level) } else { None };
        let extent = |instance: &Instance| {
            // It has handles around it, which it may have been dragged by.
            if let Some((.., Look { half, center, .. })) =
                alone.as_ref().filter(|(_, it, _)| std::ptr::eq(*it, instance))
            {
                return Extent { half: *half, center: *center };
            }
            if let Some(extent) = known.borrow().get(&instance.def) {
                return *extent;
            }
            let def = resolution.defs.get(&instance.def);
            let look = def.map(|def| of_resolved(resolution, Some(def.clone())));
            let extent = look.map_or_else(Extent::default, |Look { half, center, .. }| Extent { half, center });
            known.borrow_mut().insert(instance.def.clone(), extent);
            extent
        };
        let layers = level.all_layers();
        let near = |layer: &Layer, area: PxBox| {
            let Some(at) = layers.iter().position(|it| std::ptr::eq(Arc::as_ptr(it), layer)) else { return Vec::new() };
            let box_of = |_: &Name, it: &Arc<Instance>| tools::turned_box(extent(it), it);
            let key = ("entities by their definitions", doc.as_str(), at);
            let is_current = |(of, _): &(Arc<Resolution>, RefCell<Nearby>)| Arc::ptr_eq(of, resolution);
            let new = |_: Option<&_>| (Arc::clone(resolution), RefCell::new(Nearby::new(layers[at], box_of)));
            let known = self.derived.memos().get_current(key, is_current, new);
            known.1.borrow_mut().update(layers[at], box_of);
            let mut found = known.1.borrow().within(area);
            // The one with handles may be larger than its definition says.
            let own = alone.as_ref().and_then(|(id, ..)| layer.entities()?.get_index_of(*id));
            if let Some(at) = own
                && let Err(place) = found.binary_search(&at)
            {
                found.insert(place, at);
            }
            found
        };
        let no_cells = CellSet::default();
        let seen = self.bench.view.layers_seen(doc, level).into_iter();
        let shown: HashSet<&Name> = seen.filter(|it| it.is_shown).map(|it| &it.layer.name).collect();
        let tool_cx = ToolCx {
            project,
            doc,
            layer,
            grid: level.grid_at(layer),
            selection: self.bench.selection().ids_in(doc),
            cells: self.bench.view.cells.get(doc).map_or(&no_cells, |cells| cells),
            is_over_all_layers: self.bench.view.is_over_all_layers,
            floating: self.bench.floating(),
            stamp: &self.bench.view.stamp,
            stamp_of: self.bench.view.stamp_of.as_ref(),
            stamps: &self.bench.view.stamps,
            is_random: self.bench.view.random_brush,
            terrain: self.bench.view.terrain,
            options: self.bench.view.options,
            def: self.bench.view.place_def.as_ref(),
            def_doc: self.bench.view.place_def.as_ref().and_then(|def| resolution.def_docs.get(def)),
            snap_px: self.bench.view.snap_px(level),
            px_per_point,
            visible_px,
            near: &near,
            extent: &extent,
            shows: &|layer| shown.contains(&layer.name),
            fields: alone.as_ref().map_or(&[], |(.., look)| &look.fields),
            probe: self.bench.view.probe.ends.get(doc).copied(),
            links: links.map_or(&[], |links| &links[..]),
            seed: self.seeds.of_gesture,
        };
        Some(ask(&tool_cx))
    }

    /// The entity that is selected alone, and how it looks with what it declares itself.
    fn alone<'a>(&'a self, doc: &DocPath, level: &'a Level) -> Option<(&'a Name, &'a Instance, Look)> {
        let [id] = self.bench.selection().ids_in(doc) else { return None };
        let (layer, it) = level.entity(id)?;
        let resolution = self.derived.resolution();
        let resolved = resolution.instance(doc, &level.layer_at(layer), id, it).0;
        Some((id, it, of_resolved(resolution, Some(Arc::new(resolved)))))
    }

    /// Have the text of the entity that is selected alone be edited where the level shows it. False where there is
    /// none.
    pub(super) fn edit_text(&mut self) -> bool {
        let shown = self.bench.view.level.clone().filter(|_| self.host.preview().is_none());
        let found = shown.and_then(|doc| {
            let level = self.workspace.project().level(&doc)?;
            let [id] = self.bench.selection().ids_in(&doc) else { return None };
            TextSpot::first(&doc, level, id, &self.alone(&doc, level)?.2.fields)
        });
        let is_there = found.is_some();
        if is_there {
            self.bench.view.text = found;
            self.bench.want_pane(Pane::Level);
        }
        is_there
    }

    /// Take away the point of a field that is under the pointer, or let go of one that is dragged. False where there is
    /// none.
    pub(super) fn delete_point(&mut self) -> bool {
        if self.bench.toolbox.is_busy() {
            // Its number in the list may be another by now.
            let is_dragged = self.bench.toolbox.shown().ghost.spot.is_some();
            self.let_go();
            return is_dragged;
        }
        let view = &self.bench.view;
        let Some((doc, at)) = view.level.clone().zip(view.pointer.as_ref().map(|pointer| pointer.pos)) else {
            return false;
        };
        // While the level plays, the pointer holds entities and shows no handles.
        let plays = self.host.preview().is_some_and(|preview| preview.level == doc);
        if view.tool != ToolKind::Select || plays {
            return false;
        }
        let px_per_point = view.cameras.get(&doc).map_or(1.0, |camera| f64::from(1.0 / camera.scale));
        let found = self.with_tool_cx(&doc, (px_per_point, self.middle_of(&doc)), |cx| {
            let (before, i) = tools::point_at(cx, at)?;
            let owner = tools::owner_of_fields(cx)?;
            let edits = tools::without_point(before, i)
                .map(|after| (before.full(), tools::field_edits(cx.project, &owner, before, &after)));
            Some(edits.ok_or_else(|| format!("{} needs the points it has", before.full())))
        });
        match found.flatten() {
            None => return false,
            Some(Ok((field, edits))) => _ = self.step(Some(&format!("Remove a point of {field}")), &edits),
            Some(Err(why)) => self.notify(why),
        }
        // Another point is at its place in the list.
        self.bench.toolbox.leave();
        true
    }

    /// The point in the middle of what is seen of a level, as an area: enough to know where its layers are.
    pub(super) fn middle_of(&self, doc: &DocPath) -> [[f64; 2]; 2] {
        let center = self.bench.view.cameras.get(doc).map(|camera| camera.center).unwrap_or_default();
        [[f64::from(center.x), f64::from(center.y)]; 2]
    }

    /// Let go of what the tool is doing.
    pub(super) fn cancel_tool(&mut self) {
        self.bench.toolbox.cancel();
    }

    /// Ask what is to be done in a level; a refusal is shown.
    pub(super) fn ask_tools<R>(
        &mut self,
        doc: &DocPath,
        ask: impl FnOnce(&ToolCx<'_>) -> Result<R, String>,
    ) -> Option<R> {
        match self.with_tool_cx(doc, (1.0, self.middle_of(doc)), ask)? {
            Ok(made) => Some(made),
            Err(why) => {
                self.notify(why);
                None
            }
        }
    }

    /// Make new things in a level as one step and select them.
    pub(super) fn make_things(&mut self, doc: DocPath, ask: impl FnOnce(&ToolCx<'_>) -> Result<ToolOut, String>) {
        self.seeds.of_gesture = self.seeds.fresh();
        if let Some(out) = self.ask_tools(&doc, ask)
            && self.step(out.label.as_deref(), &out.edits).is_some()
        {
            self.bench.select(Selection::Things { doc, ids: out.selection.unwrap_or_default() });
            if !out.hint.is_empty() {
                self.notify(out.hint);
            }
        }
    }

    /// Move the selection by arrow keys: a pixel, or a tile with Shift.
    pub(super) fn nudge(&mut self, key: Key, by_tile: bool) {
        let direction = match key {
            Key::ArrowLeft => [-1, 0],
            Key::ArrowRight => [1, 0],
            Key::ArrowUp => [0, -1],
            Key::ArrowDown => [0, 1],
            _ => return,
        };
        if let Some(doc) = self.cells_meant() {
            self.nudge_cells(&doc, tools::nudge_of(direction, by_tile));
            return;
        }
        if let Selection::Things { doc, ids } = self.bench.selection().clone() {
            self.nudge_things(doc, ids, direction, by_tile);
        }
    }

    /// A run of arrow keys is one step.
    fn nudge_things(&mut self, doc: DocPath, ids: Vec<Name>, direction: [i8; 2], by_tile: bool) {
        self.end_gesture();
        let last = self.workspace.history().done().last().copied();
        let run = self.moved_by_keys.take();
        let run = run.filter(|run| Some(run.step) == last && run.doc == doc && run.ids == ids);
        let Some(step) = self.ask_tools(&doc, |cx| Ok(tools::nudge_px(cx, direction, by_tile))) else { return };
        let before = run.as_ref().map_or([0.0; 2], |run| run.by);
        let by = [0, 1].map(|i| before[i] + step[i]);
        if run.is_some()
            && let Ok((_, changed)) = self.workspace.undo(false, Some(&doc))
        {
            self.follow(&changed);
        }
        let Some(edits) = self.ask_tools(&doc, |cx| tools::nudge(cx, by)) else { return };
        let now = self.step(None, &edits);
        self.moved_by_keys = now.map(|step| MovedByKeys { step, doc, ids, by });
    }

    /// Delete the selected entities and waypoints of a level.
    pub(super) fn delete_things(&mut self, doc: &DocPath) {
        if let Some(edits) = self.ask_tools(doc, tools::delete) {
            self.step(None, &edits);
            self.bench.deselect();
        }
    }

    /// Copy the selected entities and waypoints beside themselves and select the copies.
    pub(super) fn duplicate_things(&mut self, doc: DocPath) {
        self.make_things(doc, tools::duplicate);
    }

    /// Align or distribute the selected entities and waypoints of the level shown.
    pub(super) fn align_things(&mut self, alignment: Alignment) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        if let Some(out) = self.ask_tools(&doc, |cx| tools::align(cx, alignment)) {
            self.step(out.label.as_deref(), &out.edits);
        }
    }
}
