//! Selection, view and dialogs: the state of the window that is no part of the project.
//!
//! Invariant: selection and view hold names, never pointers. [`Workbench::follow`] gives them the names that things
//! have after a change, [`Workbench::reconcile`] drops those that no longer exist.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Camera, CellsAt, Dialog, Draft, NewTileset, Pane, Selection, Tuning, ViewState, Workspace, hand::HeldBefore,
    view_undo::ViewUndo,
};
use crate::{
    defs::Resolution,
    edit::{Renamed, Stamp, TilesOf, free_name},
    model::{
        CellSet, DocKind, DocPath, Document, FieldPath, Layer, LayerContent, Level, Location, MachinesFile, Name,
        Project, Seg, StampFile, Tile,
    },
    refactor::{NewLevel, Replace, ReplaceCells, ReplaceKind, Resize},
    tools::{Floating, HandTool, ToolKind, Toolbox},
};

/// So many moves of selected tiles can be gone back to and on from.
const MOST_FLOATING: usize = 32;

/// The state of the window that is no part of the project.
#[derive(Default)]
pub struct Workbench {
    selection: Selection,
    /// Whether a tool was used in the level since something was selected.
    pub has_worked: bool,
    /// How things are shown.
    pub view: ViewState,
    /// The select tool over a level that plays.
    pub hand: HandTool,
    /// What the window keeps of constants beside the project.
    pub tuning: Tuning,
    /// The selected tool and its gesture.
    pub toolbox: Toolbox,
    /// What was in hand before a command put another tool there.
    pub(super) before: Option<HeldBefore>,
    /// The open dialog, if any.
    pub dialog: Option<Dialog>,
    /// The refactoring that the dialog asks for.
    pub draft: Option<Draft>,
    /// The tileset that is being made.
    pub new_tileset: Option<NewTileset>,
    /// The new size of a level that the dialog asks for.
    pub resize: Option<Resize>,
    /// What undo brings back of the view.
    undo: ViewUndo,
    /// Selected tiles that were moved and may be moved on, the last at the end.
    floating: Vec<Floating>,
    /// Panes to bring to the front.
    wanted_panes: Vec<Pane>,
}

impl Workbench {
    /// Another project is open: nothing is selected or shown of it but a level and a machine to begin with. The tool
    /// stays.
    pub fn open(&mut self, project: &Project, tuning: Tuning) {
        let (tool, live_edits, is_muted) = (self.view.tool, self.view.live_edits, self.view.is_muted);
        let view = ViewState { tool, live_edits, is_muted, ..ViewState::default() };
        *self = Self { view, tuning, ..Self::default() };
        self.toolbox.take(tool);
        let start = project.file().map(|file| &file.start_level);
        let is_start = |path: &DocPath| start.is_some_and(|start| **start == *path.stem());
        let level = project.levels().map(|(path, _)| path).min_by_key(|path| !is_start(path)).cloned();
        if let Some(level) = level {
            self.open_level(level);
        }
        let mut machines = project.all::<MachinesFile>();
        self.view.machine =
            machines.find_map(|(path, file)| Some((path.clone(), file.machines.keys().next()?.clone())));
        self.wanted_panes.clear();
    }

    /// The selection.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Select, and mean the document it is in from now on. Nothing of a level is the level itself, so that a click
    /// beside everything shows its properties; the Inspector is not brought to the front for that.
    pub fn select(&mut self, selection: Selection) {
        self.has_worked = false;
        if matches!(selection, Selection::Things { .. } | Selection::None) {
            self.view.stopped = None;
        }
        if let Selection::Things { doc, ids } = &selection
            && ids.is_empty()
        {
            self.view.focus = Some(doc.clone());
            self.selection = Selection::Document(doc.clone());
            return;
        }
        if let Some(doc) = selection.doc() {
            self.view.focus = Some(doc.clone());
        }
        if matches!(
            selection,
            Selection::Definitions { .. } | Selection::Document(_) | Selection::Layer { .. } | Selection::Tiles { .. }
        ) {
            self.want_pane(Pane::Inspector);
        }
        if let Some(doc) = selection.doc().filter(|doc| doc.kind() == Some(DocKind::Tileset)) {
            self.view.sheet = Some(doc.clone());
            self.want_pane(Pane::Tileset);
        }
        if let Some((_, name)) = selection.one_definition() {
            self.view.place_def = Some(name.clone());
        }
        self.selection = selection;
    }

    /// Select nothing. The focused document stays.
    pub fn deselect(&mut self) {
        self.view.stopped = None;
        self.selection = Selection::None;
    }

    /// Select cells of a level, or none. Things and definitions are selected no longer.
    pub fn select_cells(&mut self, doc: &DocPath, cells: Arc<CellSet>) {
        if cells.is_empty() {
            self.view.cells.remove(doc);
            return;
        }
        if !matches!(self.selection, Selection::None | Selection::Document(_) | Selection::Layer { .. }) {
            self.deselect();
        }
        self.view.focus = Some(doc.clone());
        self.view.cells.insert(doc.clone(), cells);
    }

    /// Select all entities and waypoints on the layer that tools work on, and nothing of any other. Where there are
    /// none, nothing is selected.
    ///
    /// # Errors
    /// Says why nothing is.
    pub fn select_all(&mut self, project: &Project) -> Result<(), String> {
        let Some(doc) = self.view.level.clone() else { return Err("Open a level first".to_owned()) };
        if self.view.working != Pane::Level {
            return Err("Click into the level or the table first: everything there is selected".to_owned());
        }
        let ids = match self.active_layer(project) {
            None => Err("This level has no layer yet".to_owned()),
            Some((_, layer)) => {
                let level =
                    project.level(&doc).map(|level| (level.lock_of(layer), self.view.shows(&doc, level, layer)));
                things_of(layer, level.unwrap_or((None, true)))
            }
        };
        // What was selected on another layer would be copied and deleted in place of what was meant.
        self.selection = Selection::None;
        self.selection = Selection::Things { doc, ids: ids? };
        Ok(())
    }

    /// Selected cells have moved with what is on them: undo of that step selects the ones before, and redo those after.
    pub fn cells_moved(&mut self, doc: &DocPath, before: CellsAt, after: CellsAt) {
        self.undo.cells_moved(doc, [before, after]);
    }

    /// The content of a level was moved as a whole, by pixels: what is on the screen stays there, and does after undo
    /// and redo.
    pub fn level_shifted(&mut self, doc: &DocPath, both: [&Arc<Document>; 2], by: [f64; 2]) {
        self.view.shift(doc, by);
        self.undo.level_shifted(doc, both, by);
    }

    /// Selected tiles that were moved, each of use as long as the level is as that move left it.
    #[must_use]
    pub fn floating(&self) -> &[Floating] {
        &self.floating
    }

    /// Selected tiles were moved.
    pub fn keep_floating(&mut self, floating: Floating) {
        self.floating.push(floating);
        let too_many = self.floating.len().saturating_sub(MOST_FLOATING);
        self.floating.drain(..too_many);
    }

    /// Bring a pane to the front.
    pub fn want_pane(&mut self, pane: Pane) {
        self.wanted_panes.push(pane);
    }

    /// The panes to bring to the front since the last call, the last one first.
    pub fn take_wanted_panes(&mut self) -> Vec<Pane> {
        let mut panes = std::mem::take(&mut self.wanted_panes);
        panes.reverse();
        panes
    }

    /// Select a tool.
    pub fn take_tool(&mut self, tool: ToolKind) {
        self.before = None;
        self.view.tool = tool;
        self.toolbox.take(tool);
    }

    /// The layer that the tool in hand could work on in place of the active one, which holds nothing of its kind: the
    /// nearest one that does, is shown and not locked. Of two as near it is the one behind for tiles, where the ground
    /// is, else the one in front.
    #[must_use]
    pub fn layer_to_paint(&self, project: &Project) -> Option<(DocPath, Name)> {
        let doc = self.view.level.as_ref()?;
        let fits: fn(&Layer) -> bool = match self.view.tool {
            ToolKind::Entity => |layer| layer.entities().is_some(),
            ToolKind::Waypoint | ToolKind::Link => |layer| layer.waypoints().is_some(),
            tool if tool.is_for_tiles() => |layer| layer.cells().is_some(),
            _ => return None,
        };
        let level = project.level(doc)?;
        let active = self.view.active_layer_of(doc, level)?;
        if fits(level.nth_layer(active)?) {
            return None;
        }
        let mut fit = self.view.layers_seen(doc, level);
        fit.retain(|it| fits(it.layer) && !it.look.locked && it.is_shown);
        if !self.view.tool.is_for_tiles() {
            fit.reverse();
        }
        let nearest = fit.into_iter().min_by_key(|it| it.number.abs_diff(active))?;
        Some((doc.clone(), nearest.layer.name.clone()))
    }

    /// Show a level and select it, so that its properties are in the Inspector.
    pub fn open_level(&mut self, doc: DocPath) {
        if !self.view.open_levels.contains(&doc) {
            self.view.open_levels.push(doc.clone());
        }
        self.select(Selection::Document(doc.clone()));
        self.view.level = Some(doc);
        self.want_pane(Pane::Level);
    }

    /// Take a level off the strip; where it was shown, the one beside it is.
    pub fn close_level(&mut self, doc: &DocPath) {
        let at = self.view.open_levels.iter().position(|open| open == doc);
        self.view.open_levels.retain(|open| open != doc);
        if self.view.level.as_ref() == Some(doc) {
            let next = at.unwrap_or(0).min(self.view.open_levels.len().saturating_sub(1));
            self.view.level = self.view.open_levels.get(next).cloned();
        }
    }

    /// Have tools work on a layer. Where its cells are others than those that are selected, none are selected any more.
    pub fn work_on(&mut self, doc: &DocPath, layer: Name, project: &Project) {
        let found = project.level(doc).and_then(|level| level.layer(&layer)).map(|(_, layer)| layer);
        if let Some(tiles) = found.and_then(|layer| layer.tiles()) {
            self.view.tileset = Some(tiles.tileset.clone());
        }
        if let Some(values) = found.and_then(|layer| layer.values()) {
            // What tiles are painted with means nothing here.
            let is_named = |tile: Tile| tile.id().is_none_or(|id| values.names.contains_key(&id));
            let is_of_values = self.view.stamp_of.as_ref().is_none_or(|of| *of == TilesOf::Values);
            let fits =
                is_of_values && !self.view.stamp.is_empty() && self.view.stamp.iter().all(|(_, tile)| is_named(tile));
            if let Some(first) = values.names.keys().next().filter(|_| !fits) {
                self.view.stamp = Stamp::one(Tile::id_only(*first));
                self.view.stamp_of = Some(TilesOf::Values);
            }
        }
        let px = self.view.cell_px(project, doc);
        // It is to be seen in the Layers pane.
        for group in project
            .level(doc)
            .into_iter()
            .flat_map(|level| level.layer(&layer).map(|(number, _)| level.groups_around(number)).unwrap_or_default())
        {
            self.view.fold(doc, &group.name, false);
        }
        if self.view.picked_layers.get(doc).is_some_and(|picked| !picked.contains(&layer)) {
            self.view.picked_layers.remove(doc);
        }
        // The Inspector shows the layer that is worked on, or none.
        if let Selection::Layer { doc: of, layer: shown } = &mut self.selection
            && of == doc
        {
            *shown = layer.clone();
        }
        self.view.active_layer.insert(doc.clone(), layer);
        if self.view.cell_px(project, doc) != px {
            self.view.cells.remove(doc);
        }
    }

    /// A new level as it is offered: like the one shown, of the tileset used last.
    #[must_use]
    pub fn new_level(&self, project: &Project) -> NewLevel {
        let is_taken = |name: &str| project.levels().any(|(doc, _)| doc.stem() == name);
        let shown = self.view.level.as_ref().and_then(|doc| project.level(doc));
        let view = shown.and_then(|level| level.view).or_else(|| Some(project.file()?.view));
        let tileset = self.view.tilesets(project).into_iter().next();
        let set = tileset.as_ref().and_then(|name| project.tileset_named(name));
        NewLevel {
            name: free_name("level", is_taken).to_string(),
            size: Some(NewLevel::SIZE),
            tile_size: set.map_or(Level::default().tile_size, |set| set.tile_size),
            tileset,
            view: view.unwrap_or_default(),
        }
    }

    /// Find and replace as it is offered first: the selected entities' definition, or the brush's tile or value where a
    /// layer of these is worked on.
    #[must_use]
    pub fn replace(&self, project: &Project) -> Replace {
        let active = self.active_layer(project);
        let tiles = active.and_then(|(_, layer)| layer.tiles());
        let tileset =
            tiles.map(|tiles| tiles.tileset.clone()).or_else(|| self.view.tilesets(project).into_iter().next());
        let known = tileset.as_ref().and_then(|name| project.tileset_named(name)).map(|set| &set.tiles);
        // A brush of another tileset has other tiles of these numbers.
        let is_of_it = |of: &TilesOf| tileset.as_ref().is_some_and(|name| *of == TilesOf::Tileset(name.clone()));
        let is_known = self.view.stamp_of.as_ref().is_none_or(is_of_it);
        let brush = self.view.stamp.iter().find_map(|(_, tile)| tile.id()).filter(|_| is_known);
        let selected = match &self.selection {
            Selection::Things { doc, ids } => {
                project.level(doc).and_then(|level| ids.iter().find_map(|id| Some(level.entity(id)?.1.def.clone())))
            }
            _ => None,
        };
        let is_of_values = active.is_some_and(|(_, layer)| layer.values().is_some());
        let is_tile = self.view.stamp_of.as_ref().is_some_and(|of| matches!(of, TilesOf::Tileset(_)));
        let mut ids = self.view.stamp.iter().filter_map(|(_, tile)| tile.id());
        let value = ids.next().filter(|_| is_of_values && !is_tile);
        Replace {
            kind: match () {
                () if selected.is_some() => ReplaceKind::Entities,
                () if is_of_values => ReplaceKind::Cells,
                () if tiles.is_some() => ReplaceKind::Tiles,
                () => ReplaceKind::Entities,
            },
            cells: ReplaceCells { is: value.unwrap_or_default(), ..ReplaceCells::default() },
            tile: brush.filter(|id| known.is_some_and(|tiles| tiles.contains_key(id))),
            tileset,
            stamp: self.view.stamps.iter().find_map(|held| held.doc.clone()),
            def: selected.or_else(|| self.view.place_def.clone()),
            ..Replace::default()
        }
    }

    /// The layer that tools work on, and its level.
    #[must_use]
    pub fn active_layer<'a>(&'a self, project: &'a Project) -> Option<(&'a DocPath, &'a Layer)> {
        let doc = self.view.level.as_ref()?;
        let level = project.level(doc)?;
        Some((doc, level.nth_layer(self.view.active_layer_of(doc, level)?)?))
    }

    /// The level on the strip after the one shown.
    #[must_use]
    pub fn next_level(&self) -> Option<&DocPath> {
        let open = &self.view.open_levels;
        let at = open.iter().position(|doc| Some(doc) == self.view.level.as_ref()).unwrap_or(0);
        open.get((at + 1) % open.len().max(1))
    }

    /// Show a machine and select it.
    pub fn open_machine(&mut self, doc: DocPath, name: Name) {
        if self.view.machine.as_ref() != Some(&(doc.clone(), name.clone())) {
            self.view.machine_camera = None;
        }
        self.view.focus = Some(doc.clone());
        self.view.machine = Some((doc.clone(), name.clone()));
        self.selection = Selection::Machine { doc, name, state: "".into(), transition: None };
        self.want_pane(Pane::Machine);
    }

    /// Save and Undo mean what this pane shows from now on.
    pub fn work_in(&mut self, pane: Pane, project: &Project) {
        self.view.working = pane;
        let of_kind = |kind: DocKind| {
            // Any file of the kind stands for all.
            let is_there = self.view.focus.as_ref().is_some_and(|doc| doc.kind() == Some(kind));
            let mut docs = project.documents.keys().filter(|doc| doc.kind() == Some(kind));
            if is_there { None } else { docs.next().cloned() }
        };
        let doc = match pane {
            Pane::Level => self.view.level.clone(),
            Pane::Machine => self.view.machine.as_ref().map(|(doc, _)| doc.clone()),
            Pane::Tuning => of_kind(DocKind::Tuning),
            Pane::Tileset => self.view.sheet.clone(),
            _ => of_kind(DocKind::Entities),
        };
        self.view.focus = doc.or(self.view.focus.take());
    }

    /// Show the level so many sizes larger, or smaller when negative.
    pub fn zoom(&mut self, n_sizes: i32) {
        if let Some(camera) = self.camera() {
            *camera = camera.stepped(n_sizes);
        }
    }

    /// Show the level at its own size.
    pub fn zoom_reset(&mut self) {
        if let Some(camera) = self.camera() {
            *camera = camera.scaled(1.0);
        }
    }

    /// Show the whole level.
    pub fn zoom_fit(&mut self) {
        if let Some(level) = &self.view.level {
            self.view.cameras.remove(level);
        }
    }

    fn camera(&mut self) -> Option<&mut Camera> {
        self.view.cameras.get_mut(self.view.level.as_ref()?)
    }

    /// Show and select what a place in a document is about. A level is opened by [`Workbench::open_level`] before.
    pub fn go_to(&mut self, location: &Location, project: &Project) {
        let doc = location.doc.clone();
        let path = &location.path.0;
        let key = |i: usize| path.get(i).and_then(Seg::key).cloned();
        self.view.focus = Some(doc.clone());
        match project.doc(&doc).map(|document| &**document) {
            Some(Document::Level(level)) => {
                let found = level.layer_on(&location.path);
                let layer = found.map(|(_, layer, _)| layer);
                let id = found.and_then(|(.., rest)| rest.get(1)?.key().cloned());
                let thing = layer.zip(id).and_then(|(layer, id)| {
                    let at = match &layer.content {
                        LayerContent::Entities(entities) => entities.get(&id)?.at,
                        LayerContent::Waypoints(graph) => graph.nodes.get(&id)?.at,
                        LayerContent::Tiles(_)
                        | LayerContent::Image(_)
                        | LayerContent::Values(_)
                        | LayerContent::Group(_) => return None,
                    };
                    Some((id, at))
                });
                match (thing, layer) {
                    (Some((id, at)), _) => {
                        let scale = self.view.cameras.get(&doc).map_or(2.0, |camera| camera.scale.max(1.0));
                        let at = location.place_px.map_or(at, |at| at.map(f64::from));
                        let center = glam::DVec2::from(at).as_vec2();
                        self.view.cameras.insert(doc.clone(), Camera { center, scale });
                        self.select(Selection::Things { doc: doc.clone(), ids: vec![id.clone()] });
                        self.view.stopped = location.place_px.map(|_| (doc, id));
                    }
                    (None, Some(layer)) => self.select(Selection::Layer { doc, layer: layer.name.clone() }),
                    (None, None) => self.select(Selection::Document(doc)),
                }
            }
            Some(Document::Entities(file)) => match key(0).filter(|name| file.defs.contains_key(name)) {
                Some(name) => self.select(Selection::definition(doc, name)),
                None => self.select(Selection::Document(doc)),
            },
            Some(Document::Machines(file)) => match key(0).filter(|name| file.machines.contains_key(name)) {
                Some(name) => {
                    self.open_machine(doc.clone(), name.clone());
                    let (state, transition) = state_of(&location.path);
                    self.select(Selection::Machine { doc, name, state, transition });
                }
                None => self.select(Selection::Document(doc)),
            },
            Some(Document::Tuning(_)) => self.want_pane(Pane::Tuning),
            Some(Document::Tileset(set)) => {
                let id = key(1).filter(|_| key(0).as_deref() == Some("tiles")).and_then(|id| id.parse().ok());
                match id.filter(|id| set.tiles.contains_key(id)) {
                    Some(id) => self.select(Selection::Tiles { doc, ids: vec![id] }),
                    None => self.select(Selection::Document(doc)),
                }
            }
            _ => self.select(Selection::Document(doc)),
        }
    }

    /// Give what is selected and shown the names that it has in `now`. `resolution` is of the project `before`, or of
    /// one a moment older.
    pub fn follow(&mut self, before: &Project, now: &Project, resolution: &Resolution) {
        let moved = Renamed::new(before, now);
        let view = &mut self.view;
        self.selection = std::mem::take(&mut self.selection).followed(&moved);
        let px_before = |doc: &DocPath| (moved.doc(doc).unwrap_or_else(|| doc.clone()), view.cell_px(before, doc));
        let px_before: BTreeMap<DocPath, Option<[u32; 2]>> = view.cells.keys().map(px_before).collect();
        let docs = view.open_levels.iter_mut().chain(&mut view.level).chain(&mut view.focus);
        let held = view.stamps.iter_mut().filter_map(|held| held.doc.as_mut());
        for doc in docs.chain(&mut view.sheet).chain(held) {
            *doc = moved.doc(doc).unwrap_or_else(|| doc.clone());
        }
        if let Some((doc, name)) = &view.machine {
            view.machine = moved.machine(doc, name).or(view.machine.take());
        }
        for it in &mut view.unfinished {
            let Some((doc, name)) = moved.machine(&it.doc, &it.machine) else { continue };
            for state in [&mut it.from, &mut it.to] {
                if let Some(now) = moved.state((&it.doc, &it.machine), (&doc, &name), state) {
                    *state = now;
                }
            }
            (it.doc, it.machine) = (doc, name);
        }
        let renamed = |doc: &DocPath| moved.doc(doc).filter(|to| to != doc);
        let gone: Vec<_> = view.cameras.keys().filter_map(|doc| Some((doc.clone(), renamed(doc)?))).collect();
        for (doc, to) in gone {
            let camera = view.cameras.remove(&doc);
            view.cameras.extend(camera.map(|camera| (to, camera)));
        }
        let stopped = view.stopped.iter_mut().map(|(doc, _)| doc);
        let gone_to = view.gone_to.iter_mut().map(|(_, finding)| &mut finding.location.doc);
        for doc in stopped.chain(gone_to) {
            *doc = moved.doc(doc).unwrap_or_else(|| doc.clone());
        }
        let ends = std::mem::take(&mut view.probe.ends).into_iter();
        view.probe.ends = ends.map(|(doc, ends)| (moved.doc(&doc).unwrap_or(doc), ends)).collect();
        let cells = std::mem::take(&mut view.cells).into_iter();
        view.cells = cells.map(|(doc, cells)| (moved.doc(&doc).unwrap_or(doc), cells)).collect();
        let active = std::mem::take(&mut view.active_layer).into_iter().map(|(doc, layer)| {
            let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
            let layer = moved.layer(&doc, &to, &layer).unwrap_or(layer);
            (to, layer)
        });
        view.active_layer = active.collect();
        let picked = std::mem::take(&mut view.picked_layers).into_iter().map(|(doc, of)| {
            let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
            let of = of.into_iter().map(|layer| moved.layer(&doc, &to, &layer).unwrap_or(layer)).collect();
            (to, of)
        });
        view.picked_layers = picked.collect();
        // A layer with other cells is worked on, or its cells have changed.
        let keeps = |doc: &DocPath| px_before.get(doc).is_none_or(|px| *px == view.cell_px(now, doc));
        let kept: Vec<DocPath> = view.cells.keys().filter(|doc| keeps(doc)).cloned().collect();
        view.cells.retain(|doc, _| kept.contains(doc));
        self.undo.follow(view, before, now);
        for eyes in [&mut view.eyes, &mut view.eyes_before] {
            let followed = std::mem::take(eyes).into_iter().map(|(doc, of)| {
                let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
                let follow = |(layer, is_shown)| (moved.layer(&doc, &to, &layer).unwrap_or(layer), is_shown);
                let of = of.into_iter().map(follow).collect();
                (to, of)
            });
            *eyes = followed.collect();
        }
        let folded = std::mem::take(&mut view.folded).into_iter().map(|(doc, of)| {
            let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
            let of = of.into_iter().map(|group| moved.layer(&doc, &to, &group).unwrap_or(group)).collect();
            (to, of)
        });
        view.folded = folded.collect();
        let home = view.place_def.as_ref().and_then(|name| resolution.def_docs.get(name));
        if let Some((doc, name)) = home.zip(view.place_def.as_ref()) {
            view.place_def = moved.def(doc, name).map(|(_, name)| name).or(view.place_def.take());
        }
        let who = &view.probe.asked.who;
        if let Some((_, name)) = resolution.def_docs.get(who).and_then(|home| moved.def(home, who)) {
            view.probe.asked.who = name;
        }
    }

    /// Drop references to things that no longer exist: after undo, a reload or a rename, the selection or view may be
    /// outdated.
    pub fn reconcile(&mut self, workspace: &Workspace) {
        let project = workspace.project();
        let gone: Vec<DocPath> =
            self.view.open_levels.iter().filter(|doc| project.level(doc).is_none()).cloned().collect();
        // As if each was closed: where one was shown, the one beside it is.
        gone.iter().for_each(|doc| self.close_level(doc));
        for held in &mut self.view.stamps {
            let file = held.doc.as_ref().and_then(|doc| project.get::<StampFile>(doc));
            match file {
                Some(file) => held.weight = file.weight,
                None => held.doc = None,
            }
        }
        // A tileset that is called otherwise now: what the brush is of is not known any more.
        let is_gone = |of: &mut TilesOf| matches!(of, TilesOf::Tileset(name) if project.tileset_named(name).is_none());
        _ = self.view.stamp_of.take_if(is_gone);
        self.view.cells.retain(|doc, _| project.level(doc).is_some());
        self.view.probe.ends.retain(|doc, _| project.level(doc).is_some());
        if self.view.level.as_ref().is_some_and(|doc| project.level(doc).is_none()) {
            self.view.level = self.view.open_levels.first().cloned();
        }
        if self.view.machine.as_ref().is_some_and(|(doc, name)| project.machine(doc, name).is_none()) {
            self.view.machine = None;
        }
        let gone = match &mut self.selection {
            Selection::None => false,
            Selection::Document(doc) => project.doc(doc).is_none() && !workspace.files().is_broken(doc),
            Selection::Definitions { all } => {
                all.retain(|(doc, name)| project.def(doc, name).is_some());
                all.is_empty()
            }
            Selection::Things { doc, ids } => {
                let level = project.level(doc);
                ids.retain(|id| level.is_some_and(|level| level.has_id(id)));
                ids.is_empty()
            }
            Selection::Tiles { doc, ids } => {
                let tileset = project.tileset(doc);
                ids.retain(|id| tileset.is_some_and(|set| set.tiles.contains_key(id)));
                ids.is_empty()
            }
            Selection::Layer { doc, layer } => project.level(doc).is_none_or(|level| level.layer(layer).is_none()),
            Selection::Machine { doc, name, state, transition } => match project.machine(doc, name) {
                None => true,
                Some(machine) => {
                    if machine.state(state).is_none() {
                        *state = "".into();
                        *transition = None;
                    }
                    let n = machine.state(state).map_or(0, |state| state.transitions.len());
                    *transition = transition.filter(|index| *index < n);
                    false
                }
            },
        };
        if gone {
            // Without its tiles it is the tileset that is shown.
            self.selection = match std::mem::take(&mut self.selection) {
                Selection::Tiles { doc, .. } if project.tileset(&doc).is_some() => Selection::Document(doc),
                _ => Selection::None,
            };
        }
    }
}

/// The ids of everything on a layer, or why nothing of it can be selected.
fn things_of(layer: &Layer, (lock, is_shown): (Option<&Layer>, bool)) -> Result<Vec<Name>, String> {
    let name = &layer.name;
    let ids: Vec<Name> = match &layer.content {
        // Their cells are selected in another way.
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
            Vec::new()
        }
        LayerContent::Entities(entities) => entities.keys().cloned().collect(),
        LayerContent::Waypoints(graph) => graph.nodes.keys().cloned().collect(),
    };
    if let Some(Layer { name, .. }) = lock {
        return Err(format!("“{name}” is locked: unlock it to select what is on it"));
    }
    if !is_shown {
        return Err(format!("“{name}” is hidden: show it to select what is on it"));
    }
    if ids.is_empty() { Err(format!("There is nothing on “{name}” to select")) } else { Ok(ids) }
}

/// The state that a place in a machine's text is in, and which of its transitions.
fn state_of(path: &FieldPath) -> (Name, Option<usize>) {
    let mut state: Vec<&str> = Vec::new();
    let mut segs = path.0.iter().skip(1);
    while let (Some(Seg::Key(field)), Some(of)) = (segs.next(), segs.next()) {
        match (&**field, of) {
            ("states", Seg::Key(name)) => state.push(name),
            ("transitions", Seg::Index(index)) => return (state.join("/").into(), Some(*index)),
            _ => break,
        }
    }
    (state.join("/").into(), None)
}
