//! Tools, as scripts of what the pointer does and pictures of what comes of it.
//!
//! A script has one event a word pair, `press 3,4`, with cells (whole numbers: the cell's middle) or pixels (`@12.5,8`), and
//! modifiers before it: `shift+press`, `ctrl+drag`, `alt+release`, `right+press`; `esc` cancels. The harness is the window: it
//! opens, previews, commits and cancels gestures as tools say.

use std::sync::Arc;

use levelwright::{
    edit::{Gesture, History, Stamp, apply_all},
    model::*,
    sim::grid::SolidGrid,
    tools::{
        Button, Extent, Ghost, Modifiers, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut, Toolbox, delete,
        duplicate, flood, in_ellipse, line, nudge, rectangle, suggest_waypoints,
    },
};
use proptest::prelude::*;

use crate::cases::cases;

/// The window, as far as tools can tell.
struct Table {
    project: Project,
    toolbox: Toolbox,
    history: History,
    gesture: Option<Gesture>,
    selection: Vec<Name>,
    stamp: Stamp,
    is_random: bool,
    layer: usize,
    def: Option<Name>,
    snap_px: Option<[f64; 2]>,
    auto_links: Vec<(Name, Name)>,
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
        let ground = TileLayer { tileset: "keep".into(), collide: true, tiles: Tiles::default() };
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
            ToolKind::Select | ToolKind::Entity => 1,
            ToolKind::Waypoint | ToolKind::Link => 2,
            _ => 0,
        };
        Self {
            project,
            toolbox,
            history: History::default(),
            gesture: None,
            selection: Vec::new(),
            stamp: Stamp::one(tile(1)),
            is_random: false,
            layer,
            def: Some("goblin".into()),
            snap_px: Some([8.0, 8.0]),
            auto_links: Vec::new(),
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
        &self.level().layers[0].tiles().unwrap().tiles
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

    fn cx<R>(&self, use_it: impl FnOnce(&ToolCx<'_>) -> R) -> R {
        use_it(&ToolCx {
            project: self.gesture.as_ref().map_or(&self.project, Gesture::before),
            doc: &doc(),
            layer: Some(self.layer),
            selection: &self.selection,
            stamp: &self.stamp,
            is_random: self.is_random,
            terrain: 0,
            def: self.def.as_ref(),
            snap_px: self.snap_px,
            px_per_point: 1.0,
            extent: &|_| Extent::default(),
            auto_links: &self.auto_links,
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
        let cell = pos_px.map(|x| (x / 16.0).floor() as i32);
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
        if out.cancel {
            if let Some(gesture) = self.gesture.take() {
                gesture.cancel(&mut self.project);
            }
            return;
        }
        if self.gesture.is_none() && !out.edits.is_empty() {
            self.gesture = Some(Gesture::begin(&self.project));
        }
        if let Some(mut gesture) = self.gesture.take() {
            gesture.preview(&mut self.project, &out.edits).unwrap();
            if out.commit {
                gesture.commit(&self.project, &mut self.history);
                self.n_gestures += 1;
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

fn painted(kind: ToolKind, before: &[&str], script: &str) -> Vec<String> {
    let mut table = Table::new(kind).draw(before);
    table.run(script);
    assert!(table.gesture.is_none() && !table.toolbox.is_busy(), "the script leaves a gesture open");
    table.picture()
}

// ---- tiles ----

#[test]
fn a_fast_stroke_has_no_gaps() {
    assert_eq!(painted(ToolKind::Pencil, &[], "press 0,0 drag 5,2 release 9,0"), ["11......11", "..11..11", "....11"]);
    assert_eq!(painted(ToolKind::Eraser, &["222222"], "press 1,0 release 4,0"), ["2....2"]);
}

#[test]
fn shift_paints_straight_lines() {
    let straight = "press 0,0 drag 3,3 shift+release 6,0";
    assert_eq!(painted(ToolKind::Pencil, &[], straight), ["1111111"], "while dragging: from where the stroke began");
    let from_last = "press 0,0 release 0,0 shift+press 6,0 release 6,0";
    assert_eq!(painted(ToolKind::Pencil, &[], from_last), ["1111111"], "pressed: from where the last stroke ended");
}

#[test]
fn shapes() {
    assert_eq!(painted(ToolKind::Line, &[], "press 0,0 release 6,3"), ["1", ".11", "...11", ".....11"]);
    assert_eq!(painted(ToolKind::Line, &[], "press 0,0 shift+release 6,1"), ["1111111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 4,2 drag 9,9 release 2,0"), ["..111", "..111", "..111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 0,0 ctrl+release 3,2"), ["1111", "1..1", "1111"]);
    assert_eq!(painted(ToolKind::Rectangle, &[], "press 0,0 shift+release 3,1"), ["1111", "1111", "1111", "1111"]);
    assert_eq!(painted(ToolKind::Ellipse, &[], "press 0,0 release 4,4"), [".111", "11111", "11111", "11111", ".111"]);
    assert_eq!(
        painted(ToolKind::Ellipse, &[], "press 0,0 ctrl+release 4,4"),
        [".111", "1...1", "1...1", "1...1", ".111"]
    );
    assert_eq!(
        painted(ToolKind::Rectangle, &[], "press -3,-3 release 1,1"),
        ["11", "11"],
        "outside nothing is painted"
    );
}

#[test]
fn the_bucket_fills_what_hangs_together_by_sides() {
    let before = ["2222", "2..22", "2.2.2", "22222"];
    assert_eq!(painted(ToolKind::Bucket, &before, "press 1,1 release 1,1"), ["2222", "21122", "212.2", "22222"]);
    assert_eq!(painted(ToolKind::SameTile, &before, "press 0,0 release 0,0"), ["1111", "1..11", "1.1.1", "11111"]);
    let full = painted(ToolKind::Bucket, &[], "press 0,0 release 0,0");
    assert_eq!(full, ["111111111111"; 6], "the level's edge is a border");
}

#[test]
fn an_unbounded_level_is_never_flooded() {
    let mut tiles = Tiles::default();
    for cell in rectangle([0, 0], [4, 4], true) {
        tiles.set(cell, tile(2));
    }
    assert_eq!(flood(None, &tiles, [2, 2]).unwrap().len(), 9);
    assert!(flood(None, &tiles, [9, 9]).is_err());
    assert!(flood(None, &Tiles::default(), [0, 0]).is_err());
    assert!(flood(Some([10, 10]), &tiles, [10, 0]).is_err(), "outside");
    assert!(flood(Some([1 << 20, 1 << 20]), &tiles, [9, 9]).is_err(), "too large");
    let mut table = Table::new(ToolKind::Bucket);
    table.level_mut().size = None;
    table.run("press 1,1 release 1,1");
    assert!(table.picture().is_empty() && table.gesture.is_none());
}

#[test]
fn a_stamp_is_anchored_where_the_stroke_began() {
    let stamp = Stamp::new([2, 2], vec![tile(1), tile(2), tile(3), Tile::EMPTY]).unwrap();
    let run = |kind, script: &str| {
        let mut table = Table::new(kind).draw(&["", "aaaaaaaa"]);
        table.stamp = stamp.clone();
        table.run(script).picture()
    };
    assert_eq!(
        run(ToolKind::Pencil, "press 0,0 release 3,0"),
        ["12121", "3a3a3aaa"],
        "the pattern goes on under the stroke"
    );
    assert_eq!(run(ToolKind::Stamp, "press 0,0 release 3,0"), ["1212", "3a3aaaaa"], "whole copies side by side");
    assert_eq!(run(ToolKind::Rectangle, "press 1,0 release 4,1"), [".1212", "a3a3aaaa"]);
}

#[test]
fn random_tiles_are_the_same_each_time_and_follow_the_weights() {
    let run = || {
        let mut table = Table::new(ToolKind::Rectangle);
        let at = DocPath::new("tilesets/keep.ron").unwrap();
        let mut set = table.project.tileset(&at).unwrap().clone();
        set.tiles[&2].weight = 0.0;
        set.tiles[&3].weight = 9.0;
        table.project.documents.insert(at, Arc::new(Document::Tileset(set)));
        table.is_random = true;
        table.stamp = Stamp::new([3, 1], vec![tile(1), tile(2), tile(3)]).unwrap();
        table.run("press 0,0 drag 3,3 release 11,5").picture().concat()
    };
    let all = run();
    assert_eq!(all, run());
    assert!(!all.contains('2') && all.matches('1').count() > 1 && all.matches('3').count() > 50, "{all}");
}

#[test]
fn a_brush_is_taken_from_the_level() {
    let mut table = Table::new(ToolKind::Eyedropper).draw(&["12", "3"]);
    table.run("press 1,1 drag 0,0 release 0,0");
    assert_eq!(table.stamp, Stamp::new([2, 2], vec![tile(1), tile(2), tile(3), Tile::EMPTY]).unwrap());
    table.toolbox.take(ToolKind::Pencil);
    table.run("right+press 1,0 right+release 1,0 press 5,0 release 5,0");
    assert_eq!(table.picture(), ["12...2", "3"]);
    table.run("right+press 9,0 right+release 9,0");
    assert_eq!(table.stamp, Stamp::one(tile(2)), "nothing there: the brush stays");
}

#[test]
fn what_cannot_be_painted_says_why() {
    let mut table = Table::new(ToolKind::Pencil);
    table.layer = 1;
    assert!(table.run("press 0,0").out.hint.contains("“actors” holds no tiles"));
    table.layer = 0;
    table.stamp = Stamp::default();
    assert!(table.run("press 0,0").out.hint.contains("palette"));
    Arc::make_mut(&mut table.level_mut().layers[0]).locked = true;
    assert!(table.run("press 0,0").out.hint.contains("“ground” is locked"));
    assert!(table.gesture.is_none());
}

#[test]
fn a_stroke_is_one_step_with_its_name() {
    let mut table = Table::new(ToolKind::Pencil);
    table.run("press 0,0 drag 1,0 drag 2,0 release 3,0");
    table.toolbox.take(ToolKind::Bucket);
    table.run("press 0,0 drag 0,0 release 0,0");
    table.toolbox.take(ToolKind::Eraser);
    table.run("press 0,0 release 1,0");
    assert_eq!(table.labels(), ["Paint 4 tiles", "Erase 2 tiles"], "filling with what is there is no step");
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

/// What the blob set should show at a cell, from who is rock.
fn blob_mask(is_rock: impl Fn([i32; 2]) -> bool, [x, y]: [i32; 2]) -> u32 {
    let around = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
    let at = |i: usize| is_rock([x + around[i % 8][0], y + around[i % 8][1]]);
    (0..8).filter(|i| at(*i) && (i % 2 == 0 || (at(i - 1) && at(i + 1)))).map(|i| 1 << i).sum()
}

#[test]
fn mixed_terrain_finds_its_edges_and_corners() {
    let mut table = blob_table();
    let before = table.project.clone();
    table.run("press 3,2 drag 3,3 drag 5,3 release 5,2 press 4,2 release 4,2 press 0,0 release 2,2 ctrl+press 1,1 ctrl+release 1,1");
    let rock = [[3, 2], [3, 3], [4, 3], [5, 3], [5, 2], [4, 2], [0, 0], [2, 2]];
    let inside = |[x, y]: [i32; 2]| (0..12).contains(&x) && (0..6).contains(&y);
    for cell in rectangle([0, 0], [11, 5], false) {
        let is_rock = |at: [i32; 2]| if inside(at) { rock.contains(&at) } else { rock.contains(&cell) };
        let wanted = is_rock(cell).then(|| blob_mask(is_rock, cell));
        assert_eq!(table.tiles().get(cell).id(), wanted, "at {cell:?}");
    }
    table.history.jump(&mut table.project, 0).unwrap();
    assert_eq!(table.project, before);
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn terrain_painted_in_any_order_fits(strokes in prop::collection::vec(([0..12_i32, 0..6_i32], [0..12_i32, 0..6_i32], any::<bool>()), 1..8)) {
        let mut table = blob_table();
        let mut rock = std::collections::BTreeSet::new();
        for (from, to, erases) in strokes {
            let key = if erases { "ctrl+" } else { "" };
            table.run(&format!("{key}press {},{} {key}drag {},{} {key}release {},{}", from[0], from[1], to[0], to[1], to[0], to[1]));
            for cell in line(from, to) {
                if erases { rock.remove(&cell); } else { rock.insert(cell); }
            }
            for cell in rectangle([0, 0], [11, 5], false) {
                let inside = |[x, y]: [i32; 2]| (0..12).contains(&x) && (0..6).contains(&y);
                let is_rock = |at: [i32; 2]| rock.contains(if inside(at) { &at } else { &cell });
                let wanted = is_rock(cell).then(|| blob_mask(is_rock, cell));
                prop_assert_eq!(table.tiles().get(cell).id(), wanted, "at {:?}", cell);
            }
        }
    }
}

#[test]
fn edge_terrain_connects_neighbors() {
    // Ids are masks: 1 top, 2 right, 4 bottom, 8 left.
    let labels =
        |mask: u32| (0..4).map(|i| if mask >> i & 1 == 1 { "rock" } else { "_" }).collect::<Vec<_>>().join(",");
    let tiles: Vec<(u32, String)> = (0..16).map(|mask| (mask, labels(mask))).collect();
    let tiles: Vec<(u32, &str)> = tiles.iter().map(|(id, labels)| (*id, labels.as_str())).collect();
    let mut table = Table::terrain(TerrainMode::Edges, &tiles);
    table.run("press 1,1 drag 3,1 release 3,3 press 5,3 release 5,3");
    assert_eq!(table.picture(), ["", ".2ac", "...5", "...1.0"]);
    table.run("press 4,3 release 4,3 ctrl+press 3,2 ctrl+release 3,2");
    assert_eq!(table.picture(), ["", ".2a8", "", "...2a8"]);
}

#[test]
fn corner_terrain_grows_borders_around_it() {
    // Ids are masks: 1 top left, 2 top right, 4 bottom right, 8 bottom left. There is no tile of nothing.
    let labels =
        |mask: u32| (0..4).map(|i| if mask >> i & 1 == 1 { "rock" } else { "_" }).collect::<Vec<_>>().join(",");
    let tiles: Vec<(u32, String)> = (1..16).map(|mask| (mask, labels(mask))).collect();
    let tiles: Vec<(u32, &str)> = tiles.iter().map(|(id, labels)| (*id, labels.as_str())).collect();
    let mut table = Table::terrain(TerrainMode::Corners, &tiles);
    table.run("press 2,1 release 2,1");
    assert_eq!(table.picture(), [".4c8", ".6f9", ".231"]);
    table.run("press 3,1 release 3,1");
    assert_eq!(table.picture(), [".4cc8", ".6ff9", ".2331"]);
    table.run("ctrl+press 2,1 ctrl+release 3,1");
    assert_eq!(table.picture(), Vec::<String>::new());
}

#[test]
fn a_variant_chosen_by_hand_survives() {
    let mut table =
        Table::terrain(TerrainMode::Edges, &[(0, "_,_,_,_"), (1, "_,_,_,_"), (2, "_,_,rock,_"), (3, "rock,_,_,_")]);
    table = table.draw(&["", "", "...1"]);
    let at = DocPath::new("tilesets/keep.ron").unwrap();
    let mut set = table.project.tileset(&at).unwrap().clone();
    set.tiles[&1].weight = 0.0;
    table.project.documents.insert(at, Arc::new(Document::Tileset(set)));
    table.run("press 4,3 release 4,3");
    assert_eq!(table.picture(), ["", "", "...1", "....0"], "a corner away nothing changes for it");
    table.run("press 3,3 release 3,3");
    assert_eq!(table.tiles().get([3, 2]), tile(2), "what does not fit any more changes");
}

// ---- entities ----

#[test]
fn entities_are_placed_on_the_grid_and_selected() {
    let mut table = Table::new(ToolKind::Entity);
    table.run("hover @21,30");
    assert_eq!(table.out.ghost.entity, Some(("goblin".into(), [24.0, 32.0])));
    table.run("press @21,30 drag @41,30 release @43,30 alt+press @21.3,30 alt+release @21.3,30");
    let things = table.things();
    assert_eq!(things.iter().map(|(_, at)| *at).collect::<Vec<_>>(), [[40.0, 32.0], [21.25, 30.0]]);
    assert_eq!(table.selection, [things[1].0.as_str().into()]);
    assert_eq!(table.labels(), ["Place goblin", "Place goblin"]);
    table.def = Some("monster".into());
    assert!(table.run("press 1,1").out.hint.contains("abstract"));
    table.def = None;
    assert!(table.run("press 1,1").out.hint.contains("palette"));
}

#[test]
fn click_shift_click_and_frame_select() {
    let mut table =
        Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0]), ("b", [18.0, 16.0]), ("c", [100.0, 16.0])]);
    let mut selected = |script: &str| table.run(script).selection.join(" ");
    assert_eq!(selected("press @17,16 release @17,16"), "b", "the frontmost");
    assert_eq!(selected("shift+press @100,16 release @100,16"), "b c");
    assert_eq!(selected("shift+press @100,16 release @100,16"), "b");
    assert_eq!(selected("press @60,60 release @60,60"), "", "a click on nothing");
    assert_eq!(selected("press @60,60 drag @0,0 release @20,10"), "a b", "a frame touches");
    assert_eq!(selected("shift+press @120,60 drag @110,50 release @90,0"), "a b c", "and adds with Shift");
    assert_eq!(selected("press @100,16 release @100,16"), "c", "a click on one of several");
    assert!(table.labels().is_empty());
}

#[test]
fn a_drag_moves_the_selection_on_the_grid() {
    let mut table = Table::new(ToolKind::Select)
        .with_entities(&[("a", [16.0, 16.0]), ("b", [50.0, 17.0])])
        .with_nodes(&[("n", [100.0, 40.0])], &[]);
    table.selection = vec!["a".into(), "b".into(), "n".into()];
    table.run("press @16,16 drag @17,17 drag @29,21 release @29,21");
    let at = |table: &Table| table.things().iter().map(|(_, at)| *at).collect::<Vec<_>>();
    assert_eq!(
        at(&table),
        [[32.0, 24.0], [66.0, 25.0], [116.0, 48.0]],
        "the one held snaps, the others keep their distance"
    );
    assert_eq!(table.labels(), ["Move 3 things"]);
    table.run("press @66,25 drag @66,26 release @67,25");
    assert_eq!(table.history.n_done(), 1, "a click moves nothing");
    table.run("shift+press @0,0 esc press @32,24 shift+drag @60,29 shift+release @60,29");
    assert_eq!(at(&table)[0], [64.0, 24.0], "Shift keeps to one axis");
    table.run("press @57,24 alt+drag @73.9,24 alt+release @73.9,24");
    assert_eq!(at(&table)[0], [80.875, 24.0]);
}

#[test]
fn what_is_locked_or_hidden_cannot_be_hit() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    Arc::make_mut(&mut table.level_mut().layers[1]).locked = true;
    assert!(table.run("press @16,16 release @16,16").selection.is_empty());
    table.selection = vec!["a".into()];
    let why = table.cx(delete).unwrap_err();
    assert_eq!(why, "“actors” is locked: unlock it to work on it");
    assert!(table.cx(|cx| nudge(cx, [1, 0], false)).is_err());
}

#[test]
fn a_turned_entity_is_hit_where_it_is_seen() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [48.0, 48.0])]);
    let LayerContent::Entities(all) = &mut Arc::make_mut(&mut table.level_mut().layers[1]).content else { panic!() };
    Arc::make_mut(&mut all[0]).rotation = 45.0;
    assert_eq!(table.run("press @58.5,48 release @58.5,48").selection.len(), 1, "a corner of the turned box");
    assert_eq!(table.run("press @55,55 release @55,55").selection.len(), 0, "where a corner would be unturned");
}

#[test]
fn nudge_duplicate_delete() {
    let mut table =
        Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]).with_nodes(&[("n", [8.0, 8.0])], &[]);
    table.selection = vec!["a".into(), "n".into()];
    for (direction, is_far) in [([1, 0], false), ([0, -1], true)] {
        let edits = table.cx(|cx| nudge(cx, direction, is_far)).unwrap();
        apply_all(&mut table.project, &edits).unwrap();
    }
    let moved = [("a".into(), [17.0, 0.0]), ("n".into(), [9.0, -8.0])];
    assert_eq!(table.things(), moved, "a pixel and a tile");
    let out = table.cx(duplicate).unwrap();
    assert_eq!(out.label.as_deref(), Some("Duplicate 2 things"));
    apply_all(&mut table.project, &out.edits).unwrap();
    table.selection = out.selection.unwrap();
    let copies: Vec<_> =
        table.things().into_iter().filter(|(id, _)| table.selection.contains(&(&**id).into())).collect();
    assert_eq!(copies.iter().map(|(_, at)| *at).collect::<Vec<_>>(), [[33.0, 16.0], [25.0, 8.0]], "a tile beside");
    let edits = table.cx(delete).unwrap();
    apply_all(&mut table.project, &edits).unwrap();
    assert_eq!(table.things(), moved);
}

// ---- waypoints ----

#[test]
fn clicks_chain_waypoints() {
    let mut table = Table::new(ToolKind::Waypoint);
    table
        .run("press 1,1 release 1,1 press 4,1 release 4,1 shift+press 7,1 shift+release 7,1 esc press 9,4 release 9,4");
    let ids: Vec<String> = table.graph().nodes.keys().map(std::string::ToString::to_string).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(
        table.links(),
        [format!("{}-{}", ids[0], ids[1]), format!("{}>{}", ids[1], ids[2])],
        "Esc ends the chain"
    );
    assert_eq!(table.graph().nodes[0].at, [24.0, 24.0]);
    table.run("press 1,1 release 1,1");
    assert_eq!(table.links().last().unwrap(), &format!("{}-{}", ids[3], ids[0]), "a click on a waypoint links to it");
    assert_eq!(table.history.n_done(), 5);
}

#[test]
fn waypoints_are_moved_and_linked_by_dragging() {
    let nodes = [("a", [16.0, 16.0]), ("b", [64.0, 16.0]), ("c", [112.0, 16.0])];
    let mut table = Table::new(ToolKind::Waypoint).with_nodes(&nodes, &[]);
    table.run("press @16,16 drag @30,30 release @33,41");
    assert_eq!(table.graph().nodes["a"].at, [32.0, 40.0]);
    table.run("press @64,16 drag @90,16 shift+drag @111,17 shift+release @111,17");
    assert_eq!(table.links(), ["b>c"]);
    assert_eq!(table.graph().nodes["b"].at, [64.0, 16.0], "dragged onto another it stays where it was");
    assert_eq!(table.labels(), ["Move a", "Link waypoints"]);
}

#[test]
fn links_are_broken_and_mended() {
    let nodes = [("a", [16.0, 16.0]), ("b", [64.0, 16.0]), ("c", [112.0, 16.0])];
    let mut table = Table::new(ToolKind::Waypoint).with_nodes(&nodes, &[("a", "b", LinkBy::Hand)]);
    table.auto_links = vec![("b".into(), "c".into())];
    table.run("ctrl+press @40,17 ctrl+release @40,17 ctrl+press @90,15 ctrl+release @90,15");
    assert_eq!(table.links(), ["axb", "bxc"]);
    table.toolbox.take(ToolKind::Link);
    table.run("press @90,15 release @90,15");
    assert_eq!(table.links(), ["axb"], "a broken link is forgotten, and the automatic one comes back");
    table.run("press @112,16 drag @50,40 drag @17,17 release @17,17");
    assert_eq!(table.links(), ["axb", "c-a"]);
    table.run("press @112,16 drag @50,40 release @50,40");
    assert_eq!(table.links().len(), 2, "let go over nothing");
    assert!(table.gesture.is_none());
}

#[test]
fn waypoints_are_suggested_at_corners_that_have_none() {
    let mut table = Table::new(ToolKind::Waypoint).draw(&["", "", "....11"]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = SolidGrid::new(table.level(), |_| Some(&tileset));
    let out = table.cx(|cx| suggest_waypoints(cx, &grid)).unwrap();
    assert_eq!(out.label.as_deref(), Some("Suggest 4 waypoints"));
    apply_all(&mut table.project, &out.edits).unwrap();
    let places: Vec<_> = table.graph().nodes.values().map(|node| node.at).collect();
    assert_eq!(places, [[59.99, 27.99], [100.01, 27.99], [59.99, 52.01], [100.01, 52.01]], "4 px off, and a hair");
    assert!(table.cx(|cx| suggest_waypoints(cx, &grid)).is_err(), "each has one now");
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
                    ToolKind::Select | ToolKind::Entity => 1,
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
    table.run("hover 3,3").toolbox.take(ToolKind::Select);
    assert_eq!(*table.toolbox.shown(), ToolOut::hint(ToolKind::Select.spec().hint));
}

#[test]
fn what_is_done_once_is_not_answered_twice() {
    let mut table = Table::new(ToolKind::Pencil);
    table.run("press 0,0 release 3,0 release 3,0 drag 5,0 right+release 4,0 hover 5,0");
    assert_eq!(table.history.n_done(), 1);
    assert!(table.gesture.is_none() && !table.out.commit && table.out.edits.is_empty());
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
    #![proptest_config(cases(256))]

    #[test]
    fn lines_are_whole(a in [-50..50_i32, -50..50_i32], b in [-50..50_i32, -50..50_i32]) {
        let cells: Vec<_> = line(a, b).collect();
        prop_assert_eq!((cells[0], *cells.last().unwrap()), (a, b));
        prop_assert_eq!(cells.len() as u32, a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])) + 1);
        for pair in cells.windows(2) {
            prop_assert!((pair[0][0] - pair[1][0]).abs() <= 1 && (pair[0][1] - pair[1][1]).abs() <= 1);
        }
    }

    #[test]
    fn ellipses_are_symmetric_and_fill_their_frame(w in 1..30_i32, h in 1..30_i32, is_outline: bool) {
        let is_in = in_ellipse([0, 0], [w - 1, h - 1], is_outline);
        let cells: std::collections::BTreeSet<_> = rectangle([0, 0], [w - 1, h - 1], false).filter(|cell| is_in(*cell)).collect();
        prop_assert!(cells.iter().all(|[x, y]| cells.contains(&[w - 1 - x, *y]) && cells.contains(&[*x, h - 1 - y])));
        for (i, side) in [(0, w), (1, h)] {
            prop_assert!(cells.iter().any(|cell| cell[i] == 0) && cells.iter().any(|cell| cell[i] == side - 1));
        }
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
