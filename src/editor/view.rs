//! The state of the view: open levels, panes, cameras, the selected tool and overlays.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Camera, InsightView, Pane, ProbeView, Selection};
use crate::{
    edit::{Stamp, TilesOf},
    explain::{CanvasField, Drawn},
    model::{CellSet, DocPath, Finding, Layer, LayerLook, Level, Name, Project, Tileset},
    tools::{FieldSpot, HeldStamp, MenuTopic, ToolKind, ToolOptions},
};

/// The state of the view; not part of the project and not in its history.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct ViewState {
    /// The level shown.
    pub level: Option<DocPath>,
    /// Levels on the strip.
    pub open_levels: Vec<DocPath>,
    /// The machine shown.
    pub machine: Option<(DocPath, Name)>,
    /// The document that Save and Undo mean.
    pub focus: Option<DocPath>,
    /// The pane of documents that came to the front or was clicked in last.
    pub working: Pane,
    /// Transitions that were drawn and have no trigger yet, of any machine.
    pub unfinished: Vec<Unfinished>,
    /// The layer that tools work on, by level.
    pub active_layer: BTreeMap<DocPath, Name>,
    /// Layers that were picked together, by level, the one where ranges begin first. They count while the active one is
    /// among them.
    pub picked_layers: BTreeMap<DocPath, Vec<Name>>,
    /// The selected cells of levels; none of them empty.
    pub cells: BTreeMap<DocPath, Arc<CellSet>>,
    /// Whether what is done with the selected cells is done on all layers that can be worked on.
    pub is_over_all_layers: bool,
    /// The tileset whose picture was shown last; until one was, it is that of the layer worked on.
    pub sheet: Option<DocPath>,
    /// The tileset of the tile layer that was worked on last.
    pub tileset: Option<Name>,
    /// Layers whose eye says otherwise than the document, by level and name: shown or not in this window alone.
    pub eyes: BTreeMap<DocPath, BTreeMap<Name, bool>>,
    /// What `eyes` was before one layer was shown alone, by level.
    pub eyes_before: BTreeMap<DocPath, BTreeMap<Name, bool>>,
    /// The groups of layers whose content the Layers pane hides, by level.
    pub folded: BTreeMap<DocPath, BTreeSet<Name>>,
    /// Where levels are looked at from.
    pub cameras: BTreeMap<DocPath, Camera>,
    /// Where the machine graph is looked at from.
    pub machine_camera: Option<Camera>,
    /// The selected tool.
    pub tool: ToolKind,
    /// What brushes paint.
    pub stamp: Stamp,
    /// What that is of, where it was pasted or taken from a level; what is chosen in the Palette is of the layer worked
    /// on.
    pub stamp_of: Option<TilesOf>,
    /// What the stamp tool paints in place of the brush, when there are any: stamps that were picked or copied.
    pub stamps: Vec<HeldStamp>,
    /// Whether brushes paint a random tile of the stamp on each cell.
    pub random_brush: bool,
    /// Index of the terrain to paint in the layer's tileset.
    pub terrain: usize,
    /// The options of tile tools.
    pub options: ToolOptions,
    /// What the entity tool places.
    pub place_def: Option<Name>,
    /// Whether edits while a level plays are live: taken back when it ends, unless they are kept.
    pub live_edits: bool,
    /// Whether the running level is not heard.
    pub is_muted: bool,
    /// Whether things keep to the grid.
    pub snap: bool,
    /// Whether things keep to whole pixels, where they do not keep to the grid.
    pub snap_pixels: bool,
    /// The overlays of the level.
    pub overlays: Overlays,
    /// What is shown of the running level to understand it.
    pub insight: InsightView,
    /// Whether the bar to find entities in levels is open.
    pub is_finding: bool,
    /// The paths that are looked for.
    pub probe: ProbeView,
    /// The entity whose problem was gone to, where that is about a place elsewhere in the level; until others are
    /// selected, or none.
    pub stopped: Option<(DocPath, Name)>,
    /// The problem that was gone to last, with its number then.
    pub gone_to: Option<(usize, Finding)>,
    /// What is under the pointer in the level.
    pub pointer: Option<PointerAt>,
    /// The menu that the last right click in a level opened.
    pub menu: Option<LevelMenu>,
    /// Where the next paste goes, in pixels of the level, where it is not the pointer.
    pub paste_at: Option<[f64; 2]>,
    /// The text that is edited on the canvas.
    pub text: Option<TextSpot>,
    /// The entity whose messages are shown; all when none.
    pub watch: Option<Name>,
    /// The moment at which the level shows what is selected as its tracks have it, in seconds; as it stands when none.
    pub scrub: Option<f64>,
}

impl ViewState {
    /// Have the view of a level, and the ends of the path that is looked for in it, go along with its content.
    pub(super) fn shift(&mut self, doc: &DocPath, by: [f64; 2]) {
        if let Some(camera) = self.cameras.get_mut(doc) {
            camera.center += glam::DVec2::from(by).as_vec2();
        }
        if let Some(ends) = self.probe.ends.get_mut(doc) {
            ends.iter_mut().for_each(|end| *end = [end[0] + by[0], end[1] + by[1]]);
        }
    }

    /// The index of the layer that tools work on: the chosen one, else the front one of entities, else the front one.
    #[must_use]
    pub fn active_layer_of(&self, doc: &DocPath, level: &Level) -> Option<usize> {
        let chosen = self.active_layer.get(doc).and_then(|name| level.layer(name)).map(|(i, _)| i);
        let front = |is_it: fn(&Layer) -> bool| level.all_layers().into_iter().rposition(|layer| is_it(layer));
        let entities = || front(|layer| layer.entities().is_some());
        chosen.or_else(entities).or_else(|| front(|layer| !layer.is_group())).or_else(|| front(|_| true))
    }

    /// Width and height of a cell of the layer that tools work on, which the selected cells of the level are.
    #[must_use]
    pub fn cell_px(&self, project: &Project, doc: &DocPath) -> Option<[u32; 2]> {
        let level = project.level(doc)?;
        Some(level.grid_at(self.active_layer_of(doc, level)).px)
    }

    /// The selected cells that Copy, Delete and the arrow keys mean: those of the level shown, unless something else is
    /// selected.
    #[must_use]
    pub fn cells_meant(&self, selection: &Selection) -> Option<(&DocPath, &Arc<CellSet>)> {
        let shown = self.level.as_ref().filter(|_| self.working == Pane::Level)?;
        let doc = match selection {
            Selection::None => Some(shown),
            Selection::Document(doc) | Selection::Layer { doc, .. } => Some(shown).filter(|shown| *shown == doc),
            _ => None,
        }?;
        Some((doc, self.cells.get(doc)?))
    }

    /// Every tileset by name: the one used last first, the others in order. Before any was used, that of the level
    /// shown.
    #[must_use]
    pub fn tilesets(&self, project: &Project) -> Vec<Name> {
        let mut all: Vec<Name> = project.all::<Tileset>().map(|(doc, _)| doc.stem().into()).collect();
        all.sort();
        let shown = self.level.as_ref().and_then(|doc| project.level(doc)).map(Level::all_layers).unwrap_or_default();
        let tiles = || shown.iter().filter_map(|layer| layer.tiles());
        let of_level = tiles().find(|tiles| tiles.collide).or_else(|| tiles().next()).map(|tiles| &tiles.tileset);
        let used = self.tileset.as_ref().filter(|name| all.contains(name)).or(of_level);
        if let Some(at) = used.and_then(|used| all.iter().position(|name| name == used)) {
            all[..=at].rotate_right(1);
        }
        all
    }

    /// The grid that things keep to in a level, in pixels; `None` for none.
    #[must_use]
    pub fn snap_px(&self, level: &Level) -> Option<[f64; 2]> {
        match (self.snap, self.snap_pixels) {
            (true, _) => Some(level.grid().px.map(|side| f64::from(side) / 2.0)),
            (false, true) => Some([1.0; 2]),
            (false, false) => None,
        }
    }

    /// Every layer of a level in its order, as the window shows it. To ask of many layers, this is the way.
    #[must_use]
    pub fn layers_seen<'a>(&self, doc: &DocPath, level: &'a Level) -> Vec<LayerSeen<'a>> {
        // From the front, a group comes right before what is in it: those it is still in, with how many of their layers
        // are left.
        let mut open: Vec<(&Layer, bool, usize)> = Vec::new();
        let from_front = level.looks().into_iter().enumerate().rev().map(|(number, (layer, look))| {
            while open.last().is_some_and(|(_, _, left)| *left == 0) {
                open.pop();
            }
            let mut is_shown = self.is_eye_open(doc, layer);
            if let Some((_, is_group_shown, left)) = open.last_mut() {
                is_shown &= *is_group_shown;
                *left -= 1;
            }
            let groups = open.iter().map(|(group, _, _)| *group).collect();
            if layer.is_group() {
                open.push((layer, is_shown, layer.children().len()));
            }
            LayerSeen { number, layer, look, is_shown, groups }
        });
        let mut all: Vec<_> = from_front.collect();
        all.reverse();
        all
    }

    /// Whether the window shows a layer: its eye is open, and so is that of every group around it.
    #[must_use]
    pub fn shows(&self, doc: &DocPath, level: &Level, layer: &Layer) -> bool {
        let around = level.layer(&layer.name).map(|(number, _)| level.groups_around(number)).unwrap_or_default();
        self.is_eye_open(doc, layer) && around.into_iter().all(|group| self.is_eye_open(doc, group))
    }

    /// Whether the eye of a layer is open: as it was set, else as the document has it.
    #[must_use]
    pub fn is_eye_open(&self, doc: &DocPath, layer: &Layer) -> bool {
        self.eyes.get(doc).and_then(|of| of.get(&layer.name)).copied().unwrap_or(layer.visible)
    }

    /// Open or close the eye of a layer. One that says what the document does is not kept, so that it follows the
    /// document.
    pub fn show_layer(&mut self, doc: &DocPath, layer: &Layer, is_shown: bool) {
        let of = self.eyes.entry(doc.clone()).or_default();
        if is_shown == layer.visible {
            of.remove(&layer.name);
        } else {
            of.insert(layer.name.clone(), is_shown);
        }
    }

    /// Whether the Layers pane hides what is in a group.
    #[must_use]
    pub fn is_folded(&self, doc: &DocPath, group: &str) -> bool {
        self.folded.get(doc).is_some_and(|of| of.contains(group))
    }

    /// Hide what is in a group in the Layers pane, or list it.
    pub fn fold(&mut self, doc: &DocPath, group: &Name, is_folded: bool) {
        let of = self.folded.entry(doc.clone()).or_default();
        if is_folded {
            of.insert(group.clone());
        } else {
            of.remove(group);
        }
    }

    /// Whether the window shows one layer of a level, of several, and no other.
    #[must_use]
    pub fn shows_alone(&self, doc: &DocPath, level: &Level, name: &str) -> bool {
        is_alone(&self.layers_seen(doc, level), name)
    }

    /// Show one layer of a level alone. Where it is already, show what was shown before that; where that is no more, or
    /// was the same, show every layer.
    pub fn show_alone(&mut self, doc: &DocPath, level: &Level, name: &str) {
        if self.shows_alone(doc, level, name) {
            let before = self.eyes_before.remove(doc).unwrap_or_default();
            self.eyes.insert(doc.clone(), before);
            if self.shows_alone(doc, level, name) {
                for layer in level.all_layers() {
                    self.show_layer(doc, layer, true);
                }
            }
            return;
        }
        // From one that is alone to another, the eyes before the first are kept.
        let seen = self.layers_seen(doc, level);
        let is_other_alone = seen.iter().any(|it| is_alone(&seen, &it.layer.name));
        if !(is_other_alone && self.eyes_before.contains_key(doc)) {
            self.eyes_before.insert(doc.clone(), self.eyes.get(doc).cloned().unwrap_or_default());
        }
        // With the groups around it; what is in it is shown as it was.
        for layer in level.all_layers() {
            let is_inside =
                *layer.name != *name && level.layer(name).is_some_and(|(_, it)| it.is_or_holds(&layer.name));
            if !is_inside {
                self.show_layer(doc, layer, layer.is_or_holds(name));
            }
        }
    }

    /// Transitions without a trigger, of states that are there: what was deleted may come back by undo.
    pub fn unfinished_in(&self, project: &Project) -> impl Iterator<Item = &Unfinished> {
        self.unfinished.iter().filter(|it| {
            let machine = project.machine(&it.doc, &it.machine);
            machine.is_some_and(|machine| [&it.from, &it.to].into_iter().all(|state| machine.state(state).is_some()))
        })
    }
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            level: None,
            open_levels: Vec::new(),
            machine: None,
            unfinished: Vec::new(),
            focus: None,
            working: Pane::Level,
            active_layer: BTreeMap::new(),
            picked_layers: BTreeMap::new(),
            cells: BTreeMap::new(),
            is_over_all_layers: false,
            sheet: None,
            tileset: None,
            eyes: BTreeMap::new(),
            eyes_before: BTreeMap::new(),
            folded: BTreeMap::new(),
            cameras: BTreeMap::new(),
            machine_camera: None,
            tool: ToolKind::Select,
            stamp: Stamp::one(crate::model::Tile::EMPTY),
            stamp_of: None,
            stamps: Vec::new(),
            random_brush: false,
            terrain: 0,
            options: ToolOptions::default(),
            place_def: None,
            live_edits: true,
            is_muted: false,
            snap: true,
            snap_pixels: true,
            overlays: Overlays::default(),
            insight: InsightView::default(),
            is_finding: false,
            probe: ProbeView::default(),
            stopped: None,
            gone_to: None,
            pointer: None,
            menu: None,
            paste_at: None,
            text: None,
            watch: None,
            scrub: None,
        }
    }
}

/// A text that the canvas shows at an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSpot {
    /// The level.
    pub doc: DocPath,
    /// The entity.
    pub id: Name,
    /// The field: `Sign.text`.
    pub field: String,
}

impl TextSpot {
    /// The text to edit at an entity whose fields on the canvas are given: the first, where its layer is not locked.
    #[must_use]
    pub fn first(doc: &DocPath, level: &Level, id: &Name, fields: &[CanvasField]) -> Option<Self> {
        let (layer, _) = level.entity(id)?;
        let text = fields.iter().find(|field| matches!(field.drawn, Drawn::Text(_)))?;
        let is_open = level.lock_on(layer).is_none();
        is_open.then(|| Self { doc: doc.clone(), id: id.clone(), field: text.full() })
    }
}

/// A layer as the window shows it.
#[derive(Clone, Debug)]
pub struct LayerSeen<'a> {
    /// Its number in the level.
    pub number: usize,
    /// The layer.
    pub layer: &'a Arc<Layer>,
    /// How it is drawn and whether it can be edited, with the groups around it.
    pub look: LayerLook,
    /// Whether its eye is open, and that of every group around it.
    pub is_shown: bool,
    /// The groups around it, from the outside.
    pub groups: Vec<&'a Layer>,
}

impl LayerSeen<'_> {
    /// Whether it is the layer of a name, or in it.
    fn is_in(&self, name: &str) -> bool {
        *self.layer.name == *name || self.groups.iter().any(|group| *group.name == *name)
    }
}

/// Whether of several layers the one of a name is shown, with what is around it and in it, and no other.
fn is_alone(all: &[LayerSeen<'_>], name: &str) -> bool {
    let Some(alone) = all.iter().find(|it| *it.layer.name == *name) else { return false };
    let mut others = all.iter().filter(|it| !it.is_in(name) && !alone.is_in(&it.layer.name)).peekable();
    others.peek().is_some() && alone.is_shown && others.all(|it| !it.is_shown)
}

/// A transition that was drawn and has no trigger yet. It is no part of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The machine's file.
    pub doc: DocPath,
    /// The machine.
    pub machine: Name,
    /// Path of the state that it leaves.
    pub from: Name,
    /// Path of the state that it enters.
    pub to: Name,
}

/// The overlays of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Overlays {
    /// The tile grid.
    pub grid: bool,
    /// Layers that tools do not work on, pale.
    pub highlight: bool,
    /// Waypoint links, automatic ones too.
    pub links: bool,
    /// Which entities the fields of all entities refer to; those of what is selected show anyhow.
    pub references: bool,
    /// Areas, paths and texts of the fields of all entities; those of what is selected show anyhow.
    pub fields: bool,
    /// What is solid.
    pub colliders: bool,
    /// Paths of agents.
    pub paths: bool,
    /// What is solid of tiles, on the picture of their tileset.
    pub tile_shapes: bool,
    /// States of every running machine, which hide a level of a hundred coins. Those of what is selected or under the
    /// pointer show anyhow.
    pub states: bool,
    /// After a change in the past, the earlier future beside the new one.
    pub ghosts: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self {
            grid: true,
            highlight: false,
            links: true,
            references: false,
            fields: true,
            colliders: false,
            paths: true,
            tile_shapes: true,
            states: false,
            ghosts: true,
        }
    }
}

/// What is under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct PointerAt {
    /// In pixels of the level.
    pub pos: [f64; 2],
    /// Column and row.
    pub cell: [i32; 2],
    /// The tile's name on the active layer.
    pub tile: Option<String>,
}

/// An arrow from an entity to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefSpot {
    /// The component and its field that refers.
    pub field: [Name; 2],
    /// What it refers to.
    pub to: Name,
}

/// A menu over a level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelMenu {
    /// What it is about.
    pub topic: MenuTopic,
    /// What of a field of the selected entity is there.
    pub spot: Option<FieldSpot>,
    /// The arrow that is there, from the selected entity to one that a field refers to.
    pub reference: Option<RefSpot>,
    /// Where it was opened, in pixels of the level.
    pub at: [f64; 2],
}
