//! Tools, as scripts of what the pointer does and pictures of what comes of it.
//!
//! A script has one event a word pair, `press 3,4`, with cells (whole numbers: the cell's middle) or pixels
//! (`@12.5,8`), and modifiers before it: `shift+press`, `ctrl+drag`, `alt+release`, `right+press`; `esc` cancels. The
//! harness is the window: it opens, previews, commits and cancels gestures as tools say.

mod align;
mod cells;
mod fields;
mod hand;
mod menu;
mod own_cells;
mod painting;
mod parallax;
mod probe;
mod snap;
mod stamps;
mod terrain;
mod things;
mod timeline;

use std::sync::Arc;

use levelwright::{
    defs::resolve,
    edit::{Edit, Gesture, History, Phase, Stamp, TilesOf, apply_all},
    explain::{CanvasField, canvas_fields},
    model::*,
    sim::grid::SolidGrid,
    tools::{
        Alignment, Area, BrushTip, Button, Cursor, Extent, Floating, Ghost, HeldStamp, Matching, MenuTopic, Modifiers,
        OverLedges, PointerEvent, PointerPhase, ProbeEnds, Repeat, ShapeStyle, Suggested, TipShape, ToolCx, ToolKind,
        ToolOptions, ToolOut, Toolbox, align, delete, duplicate, layers_to_move_to, line, nudge, nudge_px,
        places_to_link, rectangle, suggest_waypoints, terrain_names, terrain_patch, turned_box,
    },
};

use proptest::prelude::*;

use crate::{cases::cases, check::builtin};

/// What of the level is seen: all of it.
const VISIBLE_PX: [[f64; 2]; 2] = [[0.0, 0.0], [192.0, 96.0]];

/// The window, as far as tools can tell.
struct Table {
    project: Project,
    toolbox: Toolbox,
    history: History,
    gesture: Option<Gesture>,
    selection: Vec<Name>,
    cells: Arc<CellSet>,
    is_over_all_layers: bool,
    floating: Vec<Floating>,
    stamp: Stamp,
    stamp_of: Option<TilesOf>,
    stamps: Vec<HeldStamp>,
    is_random: bool,
    options: ToolOptions,
    terrain: usize,
    layer: usize,
    def: Option<Name>,
    def_doc: Option<DocPath>,
    snap_px: Option<[f64; 2]>,
    /// Whether the window shows the layers; as they say themselves when none.
    eye: Option<bool>,
    links: Vec<Link>,
    probe: Option<ProbeEnds>,
    n_gestures: u64,
    out: ToolOut,
}

fn doc() -> DocPath {
    DocPath::new("levels/yard.ron").unwrap()
}

fn tile(id: u32) -> Tile {
    Tile::id_only(id)
}

impl Table {
    /// A level of 12 × 6 cells of 16 pixels: tiles, actors, waypoints.
    fn new(kind: ToolKind) -> Self {
        let mut project = Project::default();
        let mut put = |at: &str, document| project.documents.insert(DocPath::new(at).unwrap(), Arc::new(document));
        let ground = TileLayer::new("keep".into(), Tiles::default());
        let layers = vec![
            Layer::new("ground".into(), LayerContent::Tiles(ground)),
            Layer::new("actors".into(), LayerContent::Entities(indexmap::IndexMap::new())),
            Layer::new("patrol".into(), LayerContent::Waypoints(WaypointGraph::default())),
        ];
        let layers = layers.into_iter().map(Arc::new).collect();
        put("levels/yard.ron", Document::Level(Level { size: Some([12, 6]), layers, ..Level::default() }));
        let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
        for id in 0..100 {
            tileset.tiles.insert(id, TileDef { weight: 1.0, ..TileDef::default() });
        }
        put("tilesets/keep.ron", Document::Tileset(tileset));
        let mut file = EntitiesFile::default();
        file.defs.insert("goblin".into(), Arc::default());
        file.defs.insert("monster".into(), Arc::new(EntityDef { is_abstract: true, ..EntityDef::default() }));
        put("entities/all.ron", Document::Entities(file));
        let mut toolbox = Toolbox::default();
        toolbox.take(kind);
        let layer = match kind {
            ToolKind::Select | ToolKind::Entity | ToolKind::Repeat => 1,
            ToolKind::Waypoint | ToolKind::Link => 2,
            _ => 0,
        };
        Self {
            project,
            toolbox,
            history: History::default(),
            gesture: None,
            selection: Vec::new(),
            cells: Arc::default(),
            is_over_all_layers: false,
            floating: Vec::new(),
            stamp: Stamp::one(tile(1)),
            stamp_of: None,
            stamps: Vec::new(),
            is_random: false,
            options: ToolOptions { guides: false, ..ToolOptions::default() },
            terrain: 0,
            layer,
            def: Some("goblin".into()),
            def_doc: DocPath::new("entities/all.ron"),
            snap_px: Some([8.0, 8.0]),
            links: Vec::new(),
            probe: None,
            eye: None,
            n_gestures: 0,
            out: ToolOut::default(),
        }
    }

    fn terrain(mode: TerrainMode, tiles: &[(u32, &str)]) -> Self {
        let mut table = Self::new(ToolKind::Terrain);
        let at = DocPath::new("tilesets/keep.ron").unwrap();
        let mut set = table.project.tileset(&at).unwrap().clone();
        let tiles = tiles.iter().map(|(id, labels)| (*id, (*labels).to_owned())).collect();
        set.terrains.push(TerrainSet { name: "rock".into(), mode, tiles });
        table.project.documents.insert(at, Arc::new(Document::Tileset(set)));
        table
    }

    fn level(&self) -> &Level {
        self.project.level(&doc()).unwrap()
    }

    fn level_mut(&mut self) -> &mut Level {
        match Arc::make_mut(self.project.documents.get_mut(&doc()).unwrap()) {
            Document::Level(level) => level,
            _ => panic!(),
        }
    }

    fn tiles(&self) -> &Tiles {
        self.level().layers[0].cells().unwrap().tiles
    }

    fn graph(&self) -> &WaypointGraph {
        self.level().layers[2].waypoints().unwrap()
    }

    /// Tiles by a picture: `.` empty, a letter or digit an id in base 36.
    fn draw(mut self, rows: &[&str]) -> Self {
        let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut self.level_mut().layers[0]).content else { panic!() };
        for (y, row) in (0..).zip(rows) {
            for (x, c) in (0..).zip(row.chars()) {
                if let Some(id) = c.to_digit(36) {
                    layer.tiles.set([x, y], tile(id));
                }
            }
        }
        self
    }

    fn picture(&self) -> Vec<String> {
        let cell = |x, y| self.tiles().get([x, y]).id().map_or('.', |id| char::from_digit(id, 36).unwrap_or('?'));
        let row = |y| (0..12).map(|x| cell(x, y)).collect::<String>().trim_end_matches('.').to_owned();
        let rows: Vec<String> = (0..6).map(row).collect();
        let n = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
        rows[..n].to_vec()
    }

    /// What the canvas shows of the fields of the entity that is selected alone, where the game has a schema.
    fn fields(&self, project: &Project) -> Vec<CanvasField> {
        let ([id], true) = (&*self.selection, project.all::<Schema>().next().is_some()) else { return Vec::new() };
        let resolution = resolve(project, &builtin(), None);
        let found = project.level(&doc()).and_then(|level| level.entity(id));
        let (Some((layer, it)), Some(level)) = (found, project.level(&doc())) else { return Vec::new() };
        canvas_fields(&resolution, &resolution.instance(&doc(), &level.layer_at(layer), id, it).0)
    }

    fn cx<R>(&self, use_it: impl FnOnce(&ToolCx<'_>) -> R) -> R {
        let fields = self.fields(self.gesture.as_ref().map_or(&self.project, Gesture::before));
        let project = self.gesture.as_ref().map_or(&self.project, Gesture::before);
        let grid = project.level(&doc()).map_or(CellGrid { px: [1; 2], size: None }, |it| it.grid_at(Some(self.layer)));
        use_it(&ToolCx {
            grid,
            fields: &fields,
            project,
            doc: &doc(),
            layer: Some(self.layer),
            selection: &self.selection,
            cells: &self.cells,
            is_over_all_layers: self.is_over_all_layers,
            floating: &self.floating,
            stamp: &self.stamp,
            stamp_of: self.stamp_of.as_ref(),
            stamps: &self.stamps,
            is_random: self.is_random,
            terrain: self.terrain,
            options: self.options,
            def: self.def.as_ref(),
            def_doc: self.def_doc.as_ref(),
            snap_px: self.snap_px,
            px_per_point: 1.0,
            visible_px: VISIBLE_PX,
            near: &|layer, area| {
                let box_of = |_: &_, it: &Arc<_>| turned_box(Extent::default(), it);
                let all = project.level(&doc()).unwrap().all_layers();
                let shared = all.into_iter().find(|it| std::ptr::eq(Arc::as_ptr(it), layer)).unwrap();
                Nearby::new(shared, box_of).within(area)
            },
            extent: &|_| Extent::default(),
            shows: &|layer| self.eye.unwrap_or(layer.visible),
            probe: self.probe,
            links: &self.links,
            seed: mix(self.n_gestures),
        })
    }

    fn event(&mut self, word: &str, place: &str) {
        let mut words: Vec<&str> = word.split('+').collect();
        let phase = match words.pop().unwrap() {
            "hover" => PointerPhase::Hover,
            "press" => PointerPhase::Press,
            "drag" => PointerPhase::Drag,
            "release" => PointerPhase::Release,
            "esc" => PointerPhase::Cancel,
            other => panic!("{other}?"),
        };
        let has = |it: &str| words.contains(&it);
        let modifiers = Modifiers { shift: has("shift"), ctrl: has("ctrl"), alt: has("alt") };
        let button = if has("right") { Button::Secondary } else { Button::Primary };
        let numbers = |text: &str| text.split(',').map(|it| it.parse::<f64>().unwrap()).collect::<Vec<_>>();
        let pos_px = match place.strip_prefix('@') {
            Some(px) => [numbers(px)[0], numbers(px)[1]],
            None => [0, 1].map(|i| numbers(place)[i] * 16.0 + 8.0),
        };
        let cell = self.level().cell_under(
            Some(self.layer),
            pos_px,
            [0, 1].map(|i| f64::midpoint(VISIBLE_PX[0][i], VISIBLE_PX[1][i])),
        );
        let mut toolbox = std::mem::take(&mut self.toolbox);
        self.out = self.cx(|cx| toolbox.pointer(cx, &PointerEvent { phase, pos_px, cell, modifiers, button }));
        self.toolbox = toolbox;
        assert!(!self.out.hint.is_empty() && !self.out.hint.ends_with('.'), "a hint is one line: {}", self.out.hint);
        self.obey();
    }

    /// What the window does with an answer.
    fn obey(&mut self) {
        let out = self.out.clone();
        if let Some(picked) = out.picked {
            self.stamp = picked.stamp;
        }
        if let Some(selection) = out.selection {
            self.selection = selection;
        }
        if let Some(cells) = out.cells {
            self.cells = cells;
        }
        if out.probe.is_some() {
            self.probe = out.probe;
        }
        if out.phase == Phase::Cancel {
            if let Some(gesture) = self.gesture.take() {
                gesture.cancel(&mut self.project);
            }
            return;
        }
        if self.gesture.is_none() && !out.edits.is_empty() {
            self.gesture = Some(Gesture::begin(&self.project));
        }
        if let Some(mut gesture) = self.gesture.take() {
            if let Some(label) = &out.label {
                gesture.set_label(label);
            }
            gesture.preview(&mut self.project, &out.edits).unwrap();
            if out.phase == Phase::Commit {
                gesture.commit(&self.project, &mut self.history);
                self.n_gestures += 1;
                self.floating.extend(out.floating.map(|it| it.landed(&self.project, &self.cells)));
            } else {
                self.gesture = Some(gesture);
            }
        }
    }

    fn run(&mut self, script: &str) -> &mut Self {
        let mut words = script.split_whitespace();
        while let Some(word) = words.next() {
            let place = if word == "esc" { "0,0" } else { words.next().unwrap() };
            self.event(word, place);
        }
        self
    }

    fn labels(&self) -> Vec<String> {
        self.history.steps().map(|(_, step)| step.label().to_owned()).collect()
    }

    fn things(&self) -> Vec<(String, [f64; 2])> {
        let mut all: Vec<_> = self.level().entities().map(|(_, id, it)| (id.to_string(), it.at)).collect();
        all.extend(self.graph().nodes.iter().map(|(id, node)| (id.to_string(), node.at)));
        all
    }

    fn with_entities(mut self, all: &[(&str, [f64; 2])]) -> Self {
        let LayerContent::Entities(entities) = &mut Arc::make_mut(&mut self.level_mut().layers[1]).content else {
            panic!()
        };
        for (id, at) in all {
            entities.insert((*id).into(), Arc::new(Instance::new("goblin".into(), *at)));
        }
        self
    }

    fn with_nodes(mut self, all: &[(&str, [f64; 2])], links: &[(&str, &str, LinkBy)]) -> Self {
        let LayerContent::Waypoints(graph) = &mut Arc::make_mut(&mut self.level_mut().layers[2]).content else {
            panic!()
        };
        for (id, at) in all {
            graph.nodes.insert((*id).into(), Node { at: *at, tags: vec![] });
        }
        for (from, to, by) in links {
            graph.links.push(Link { from: (*from).into(), to: (*to).into(), cost: None, one_way: false, by: *by });
        }
        self
    }

    fn links(&self) -> Vec<String> {
        let word = |link: &Link| match (link.by, link.one_way) {
            (LinkBy::Broken, _) => "x",
            (_, true) => ">",
            _ => "-",
        };
        self.graph().links.iter().map(|link| format!("{}{}{}", link.from, word(link), link.to)).collect()
    }
}

// ---- terrain ----

/// The 47 tiles of a blob set, with the ids of their masks in order.
fn blob() -> Vec<(u32, String)> {
    let mut out = Vec::new();
    for mask in 0..256_u32 {
        let has = |i: u32| mask >> (i % 8) & 1 == 1;
        let is_blob = (1..8).step_by(2).all(|i| !has(i) || (has(i - 1) && has(i + 1)));
        if is_blob {
            let labels: Vec<&str> = (0..8).map(|i| if has(i) { "rock" } else { "_" }).collect();
            out.push((mask, labels.join(",")));
        }
    }
    out
}

fn blob_table() -> Table {
    let tiles = blob();
    assert_eq!(tiles.len(), 47);
    let tiles: Vec<(u32, &str)> = tiles.iter().map(|(id, labels)| (*id, labels.as_str())).collect();
    Table::terrain(TerrainMode::Mixed, &tiles)
}

// ---- all of them ----

#[test]
fn every_tool_lets_go_without_a_trace_at_every_phase() {
    for kind in ToolKind::ALL {
        let scripts = [
            "press 1,1",
            "press 1,1 drag 5,2",
            "press 1,1 drag 5,2 drag 3,3",
            "right+press 1,1 right+drag 3,3",
            "ctrl+press 2,1 ctrl+drag 4,4",
        ];
        for script in scripts {
            for end in ["esc", "hover 3,3", "right+press 3,3 esc"] {
                let mut table = blob_table().draw(&["", ".1.2"]).with_entities(&[("a", [24.0, 24.0])]);
                table = table.with_nodes(&[("n", [24.0, 24.0]), ("m", [88.0, 40.0])], &[("n", "m", LinkBy::Hand)]);
                table.toolbox.take(kind);
                table.layer = match kind {
                    ToolKind::Waypoint | ToolKind::Link => 2,
                    ToolKind::Select | ToolKind::Entity | ToolKind::Repeat => 1,
                    _ => 0,
                };
                let before = table.project.clone();
                table.run(script).run(end);
                assert!(table.gesture.is_none() && !table.toolbox.is_busy(), "{kind:?}: {script}, {end}");
                for (path, doc) in &before.documents {
                    assert!(Arc::ptr_eq(doc, table.project.doc(path).unwrap()), "{kind:?}: {script}, {end}");
                }
                assert_eq!(table.history.n_done(), 0);
            }
        }
    }
}

#[test]
fn a_ghost_goes_with_the_pointer_and_with_the_tool() {
    let mut table = Table::new(ToolKind::Pencil);
    assert_ne!(table.run("hover 3,3").toolbox.shown().ghost, Ghost::default());
    table.toolbox.leave();
    assert_eq!(table.toolbox.shown().ghost, Ghost::default());
    table.run("hover 30,3").toolbox.leave();
    assert_eq!(table.toolbox.shown().hint, ToolKind::Pencil.spec().hint, "nothing of a place that is left");
    table.run("hover 3,3").toolbox.take(ToolKind::Select);
    assert_eq!(*table.toolbox.shown(), ToolOut::hint(ToolKind::Select.spec().hint));
}

#[test]
fn what_is_done_once_is_not_answered_twice() {
    let mut table = Table::new(ToolKind::Pencil);
    table.run("press 0,0 release 3,0 release 3,0 drag 5,0 right+release 4,0 hover 5,0");
    assert_eq!(table.history.n_done(), 1);
    assert!(table.gesture.is_none() && table.out.phase != Phase::Commit && table.out.edits.is_empty());
    table.run("press 0,1 drag 2,1 right+drag 4,1");
    assert_eq!(table.picture(), ["1111", "111"], "the other button changes nothing");
}

#[test]
fn tools_have_words_and_keys_of_their_own() {
    let mut keys: Vec<char> = ToolKind::ALL.iter().map(|kind| kind.spec().key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), ToolKind::ALL.len());
    for kind in ToolKind::ALL {
        assert!(kind.spec().hint.len() < 120, "{kind:?}");
    }
}

proptest! {
    #![proptest_config(cases(84))]

    #[test]
    fn a_wild_pointer_does_no_harm(kind in prop::sample::select(ToolKind::ALL.to_vec()), places in prop::collection::vec([-1e12..1e12_f64, -1e12..1e12_f64], 1..5)) {
        let mut table = blob_table();
        table.toolbox.take(kind);
        let mut script = String::new();
        for (i, [x, y]) in places.iter().enumerate() {
            script += &format!("{} @{x},{y} ", if i == 0 { "press" } else { "drag" });
        }
        table.run(&script);
        table.run("release 1,1");
    }
}
