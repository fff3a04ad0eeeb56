//! Selection, view and dialogs: the state of the window that is no part of the project.
//!
//! Invariant: selection and view hold names, never pointers. [`Workbench::follow`] gives them the names that things have after a
//! change, [`Workbench::reconcile`] drops those that no longer exist.

use super::{Camera, Dialog, Draft, NewTileset, Pane, Selection, Tuning, ViewState, Workspace};
use crate::{
    defs::Resolution,
    edit::Renamed,
    model::{DocKind, DocPath, Document, FieldPath, LayerContent, Location, MachinesFile, Name, Project, Seg},
    refactor::Resize,
    tools::{ToolKind, Toolbox},
};

/// The state of the window that is no part of the project.
#[derive(Default)]
pub struct Workbench {
    selection: Selection,
    /// How things are shown.
    pub view: ViewState,
    /// What the window keeps of constants beside the project.
    pub tuning: Tuning,
    /// The selected tool and its gesture.
    pub toolbox: Toolbox,
    /// The open dialog, if any.
    pub dialog: Option<Dialog>,
    /// The refactoring that the dialog asks for.
    pub draft: Option<Draft>,
    /// The tileset that is being made.
    pub new_tileset: Option<NewTileset>,
    /// The new size of a level that the dialog asks for.
    pub resize: Option<Resize>,
    /// Panes to bring to the front.
    wanted_panes: Vec<Pane>,
}

impl Workbench {
    /// Another project is open: nothing is selected or shown of it but a level and a machine to begin with. The tool stays.
    pub fn open(&mut self, project: &Project, tuning: Tuning) {
        let tool = self.view.tool;
        *self = Self { tuning, view: ViewState { tool, ..ViewState::default() }, ..Self::default() };
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

    /// Select, and mean the document it is in from now on.
    pub fn select(&mut self, selection: Selection) {
        if let Some(doc) = selection.doc() {
            self.view.focus = Some(doc.clone());
        }
        if matches!(selection, Selection::Definitions { .. } | Selection::Document(_) | Selection::Layer { .. }) {
            self.want_pane(Pane::Inspector);
        }
        if let Some((_, name)) = selection.one_definition() {
            self.view.place_def = Some(name.clone());
        }
        self.selection = selection;
    }

    /// Select nothing. The focused document stays.
    pub fn deselect(&mut self) {
        self.selection = Selection::None;
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
        self.view.tool = tool;
        self.toolbox.take(tool);
    }

    /// Show a level.
    pub fn open_level(&mut self, doc: DocPath) {
        if !self.view.open_levels.contains(&doc) {
            self.view.open_levels.push(doc.clone());
        }
        self.view.focus = Some(doc.clone());
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
            _ => of_kind(DocKind::Entities),
        };
        self.view.focus = doc.or(self.view.focus.take());
    }

    /// Multiply the zoom of the level shown.
    pub fn zoom(&mut self, factor: f32) {
        if let Some(camera) = self.camera() {
            *camera = camera.scaled(camera.scale * factor);
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
                let layer = match path.get(1) {
                    Some(Seg::Index(at)) => level.layers.get(*at),
                    _ => None,
                };
                let thing = layer.zip(key(3)).and_then(|(layer, id)| {
                    let at = match &layer.content {
                        LayerContent::Entities(entities) => entities.get(&id)?.at,
                        LayerContent::Waypoints(graph) => graph.nodes.get(&id)?.at,
                        LayerContent::Tiles(_) => return None,
                    };
                    Some((id, at))
                });
                match (thing, layer) {
                    (Some((id, at)), _) => {
                        let scale = self.view.cameras.get(&doc).map_or(2.0, |camera| camera.scale.max(1.0));
                        let center = glam::DVec2::from(at).as_vec2();
                        self.view.cameras.insert(doc.clone(), Camera { center, scale });
                        self.select(Selection::Things { doc, ids: vec![id] });
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
            _ => self.select(Selection::Document(doc)),
        }
    }

    /// Give what is selected and shown the names that it has in `now`. `resolution` is of the project `before`, or of one a moment
    /// older.
    pub fn follow(&mut self, before: &Project, now: &Project, resolution: &Resolution) {
        let moved = Renamed::new(before, now);
        let view = &mut self.view;
        self.selection = std::mem::take(&mut self.selection).followed(&moved);
        for doc in view.open_levels.iter_mut().chain(&mut view.level).chain(&mut view.focus) {
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
        let active = std::mem::take(&mut view.active_layer).into_iter().map(|(doc, layer)| {
            let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
            let layer = moved.layer(&doc, &to, &layer).unwrap_or(layer);
            (to, layer)
        });
        view.active_layer = active.collect();
        let home = view.place_def.as_ref().and_then(|name| resolution.def_docs.get(name));
        if let Some((doc, name)) = home.zip(view.place_def.as_ref()) {
            view.place_def = moved.def(doc, name).map(|(_, name)| name).or(view.place_def.take());
        }
    }

    /// Drop references to things that no longer exist: after undo, a reload or a rename, the selection or view may be outdated.
    pub fn reconcile(&mut self, workspace: &Workspace) {
        let project = workspace.project();
        self.view.open_levels.retain(|doc| project.level(doc).is_some());
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
            self.selection = Selection::None;
        }
    }
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
