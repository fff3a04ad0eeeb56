//! Terrain that chooses its own edges.

use super::*;

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
    table.history.jump((&mut table.project, None), 0).unwrap();
    assert_eq!(table.project, before);
}

#[test]
fn a_patch_of_a_terrain_shows_its_tiles_as_painting_fits_them() {
    let table = blob_table();
    let set = table.project.tileset_named("keep").unwrap();
    let patch = terrain_patch(set, 0).unwrap();
    assert_eq!(patch.len(), 9);
    let is_rock = |[x, y]: [i32; 2]| (0..3).contains(&x) && (0..3).contains(&y);
    for (cell, tile) in patch {
        assert_eq!(tile.id(), Some(blob_mask(is_rock, cell)), "at {cell:?}");
    }
    let mut none = set.clone();
    none.terrains[0].tiles.clear();
    assert!(terrain_patch(&none, 0).unwrap().is_empty());
    assert!(terrain_patch(&none, 1).is_none());
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn terrain_painted_in_any_order_fits(strokes in prop::collection::vec(([0..12_i32, 0..6_i32], [0..12_i32, 0..6_i32], any::<bool>()), 1..8)) {
        let mut table = blob_table();
        let mut rock = std::collections::BTreeSet::new();
        for (from, to, erases) in strokes {
            let key = if erases { "ctrl+" } else { "" };
            table.run(&format!("{key}press {},{} {key}drag {},{} {key}release {},{}", from[0], from[1], to[0], to[1], to[0], to[1]));
            for cell in line(from, to, None) {
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

/// Tiles of three grounds by their corners, with ids in base 3: top left, top right, bottom right, bottom left.
fn grounds() -> Vec<(u32, String)> {
    let label = |id: u32, corner: u32| ["grass", "sand", "water"][(id / 3_u32.pow(corner) % 3) as usize];
    (0..81).map(|id| (id, (0..4).map(|corner| label(id, corner)).collect::<Vec<_>>().join(","))).collect()
}

#[test]
fn every_terrain_of_a_set_can_be_painted_and_filled() {
    let tiles = grounds();
    let tiles: Vec<(u32, &str)> = tiles.iter().map(|(id, labels)| (*id, labels.as_str())).collect();
    let mut table = Table::terrain(TerrainMode::Corners, &tiles);
    let at = DocPath::new("tilesets/keep.ron").unwrap();
    let mut set = table.project.tileset(&at).unwrap().clone();
    set.terrains[0].name = "sand".into();
    set.terrains.push(TerrainSet {
        name: "grass".into(),
        mode: TerrainMode::Edges,
        tiles: [(90, "grass,_,_,_".into())].into(),
    });
    assert_eq!(terrain_names(&set), ["sand", "grass (sand)", "water", "grass (grass)"]);
    table.project.documents.insert(at, Arc::new(Document::Tileset(set)));
    let whole = |ground: u32| Some(ground * (1 + 3 + 9 + 27));
    for (terrain, ground) in [(0, 1), (1, 0), (2, 2)] {
        table.terrain = terrain;
        table.run("press 2,2 drag 6,2 release 6,3");
        assert_eq!(table.tiles().get([4, 2]).id(), whole(ground), "{terrain}");
    }
    table.terrain = 1;
    table.run("press 4,2 release 4,2");
    assert_eq!(table.tiles().get([4, 2]).id(), whole(0));
    // A fill by terrain takes tiles that show most of it, and not the whole set.
    table.toolbox.take(ToolKind::SelectSame);
    table.options.matching = Matching::Terrain;
    table.run("press 2,2 release 2,2");
    assert!(table.cells.contains([6, 3]) && !table.cells.contains([4, 2]));
}

#[test]
fn a_terrain_stroke_fits_itself_to_the_selection() {
    let mut table = blob_table();
    let painted_inside = {
        table.run("press 3,3 release 5,3");
        table.picture()
    };
    table.history.undo(&mut table.project, None).unwrap();
    table.cells = Arc::new(CellSet::rectangle([3, 0], [5, 8]));
    table.run("press 1,3 drag 5,3");
    assert_eq!(table.out.label.as_deref(), Some("Paint terrain on 3 cells"));
    table.run("release 8,3");
    assert_eq!(table.picture(), painted_inside, "as if there were no ground beyond");
}

#[test]
fn a_long_terrain_stroke_is_what_its_cells_painted_at_once_are() {
    let mut table = blob_table();
    table.level_mut().size = Some([200, 60]);
    table.run("press 1,1 release 1,1");
    let mut script = "press 3,3".to_owned();
    for y in (3..50).step_by(2) {
        let (from, to) = if y % 4 == 3 { (3, 190) } else { (190, 3) };
        script += &format!(" drag {from},{y} drag {to},{y}");
    }
    table.run(&script);
    let n = table.tiles().iter().count();
    assert!(n > 4_000, "{n}");
    let is_rock = |cell: Cell| !table.tiles().get(cell).is_empty();
    for cell in rectangle([1, 1], [198, 58], false).filter(|cell| is_rock(*cell)) {
        assert_eq!(table.tiles().get(cell).id(), Some(blob_mask(is_rock, cell)), "at {cell:?}");
    }
    table.run("esc");
    assert_eq!(table.tiles().iter().count(), 1);
}
