//! Entities and waypoints: placed, selected, moved, linked.

use std::collections::BTreeSet;

use glam::Vec2;
use levelwright::sim::nav::{Walker, Waypoints, ledge_network};

use super::*;
use crate::nav_requests::jumper;

// ---- entities ----

fn automatic(from: &str, to: &str) -> Link {
    Link { from: from.into(), to: to.into(), cost: None, one_way: false, by: LinkBy::Auto }
}

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
    assert!(table.run("press 1,1").out.hint.contains("Palette"));
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
fn a_click_on_nothing_lets_go_of_the_selected_cells() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    table.cells = Arc::new([[0, 0], [1, 0]].into_iter().collect());
    table.run("press @16,16 release @16,16");
    assert_eq!(table.cells.len(), 2, "a click on an entity is about that");
    table.run("shift+press @60,60 shift+release @60,60");
    assert_eq!(table.cells.len(), 2, "Shift adds to a selection");
    table.run("press @60,60 release @60,60");
    assert!(table.cells.is_empty());
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
fn a_drag_with_ctrl_leaves_what_is_dragged_and_moves_copies() {
    let nodes = [("n", [100.0, 40.0]), ("m", [120.0, 40.0])];
    let mut table = Table::new(ToolKind::Select)
        .with_entities(&[("a", [16.0, 16.0]), ("b", [50.0, 16.0])])
        .with_nodes(&nodes, &[("n", "m", LinkBy::Hand)]);
    let before = table.project.clone();
    let is_untouched = |table: &Table| Arc::ptr_eq(&before.documents[&doc()], &table.project.documents[&doc()]);
    table.selection = ["a", "n", "m"].map(Name::from).to_vec();
    table.run("ctrl+press @16,16 ctrl+drag @29,30");
    assert_eq!(table.out.label.as_deref(), Some("Duplicate 3 things"));
    let at = |table: &Table| table.things().into_iter().map(|(_, at)| at).collect::<Vec<_>>();
    let copied = [[16.0, 16.0], [50.0, 16.0], [32.0, 32.0], [100.0, 40.0], [120.0, 40.0], [116.0, 56.0], [136.0, 56.0]];
    assert_eq!((at(&table), table.out.cursor), (copied.to_vec(), Cursor::Copy), "they show while it is dragged");
    table.run("esc");
    assert!(is_untouched(&table) && table.selection.join(" ") == "a n m", "Escape cancels");
    table.run("ctrl+press @16,16 ctrl+drag @29,30 drag @29,30");
    assert_eq!(table.things().len(), 4, "without Ctrl it moves");
    table.run("ctrl+drag @29,30 ctrl+release @29,30");
    assert_eq!((at(&table), table.history.n_done()), (copied.to_vec(), 1));
    let things = table.things();
    let new: Vec<&str> = [2, 5, 6].map(|i| &*things[i].0).to_vec();
    assert_eq!(table.selection.join(" "), new.join(" "), "the copies are selected");
    assert_eq!(table.links(), ["n-m".to_owned(), format!("{}-{}", new[1], new[2])]);
    table.history.undo(&mut table.project, None).unwrap();
    assert!(is_untouched(&table));

    table.selection = vec!["b".into()];
    table.run("ctrl+press @16,16 ctrl+drag @60,16 ctrl+drag @16,16 ctrl+release @16,16");
    assert!(is_untouched(&table) && table.history.n_done() == 0, "back where it was");
    table.selection = vec!["b".into()];
    table.run("ctrl+press @16,16 ctrl+drag @16,60 ctrl+release @16,60");
    assert_eq!(table.things().len(), 5, "what is not selected is dragged alone");
}

#[test]
fn a_click_with_ctrl_adds_and_takes_out() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0]), ("b", [50.0, 16.0])]);
    let mut selected = |script: &str| table.run(script).selection.join(" ");
    assert_eq!(selected("ctrl+press @16,16"), "", "not before it is let go of");
    assert_eq!(selected("ctrl+release @17,16"), "a");
    assert_eq!(selected("ctrl+press @50,16 ctrl+release @50,16"), "a b");
    assert_eq!(selected("ctrl+press @16,16 ctrl+release @16,16"), "b");
    assert!(table.labels().is_empty());
}

#[test]
fn copies_stay_on_the_layer_of_what_they_are_copied_from() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    let there = [("c".into(), Arc::new(Instance::new("goblin".into(), [48.0, 16.0])))].into();
    table.level_mut().layers.push(Arc::new(Layer::new("props".into(), LayerContent::Entities(there))));
    table.selection = vec!["a".into(), "c".into()];
    let count = |table: &Table| [1, 3].map(|layer| table.level().layers[layer].entities().unwrap().len());
    let out = table.cx(duplicate).unwrap();
    apply_all(&mut table.project, &out.edits).unwrap();
    assert_eq!(count(&table), [2, 2]);
    Arc::make_mut(&mut table.level_mut().layers[3]).locked = true;
    let out = table.cx(duplicate).unwrap();
    apply_all(&mut table.project, &out.edits).unwrap();
    assert_eq!(count(&table), [4, 2], "or go to one that is not locked");
}

#[test]
fn what_is_locked_or_hidden_cannot_be_hit() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    Arc::make_mut(&mut table.level_mut().layers[1]).locked = true;
    assert!(table.run("press @16,16 release @16,16").selection.is_empty());
    table.selection = vec!["a".into()];
    let why = table.cx(delete).unwrap_err();
    assert_eq!(why, "“actors” is locked: unlock it to work on it");
    assert!(table.cx(|cx| nudge(cx, [1.0, 0.0])).is_err());
}

#[test]
fn what_the_window_hides_or_shows_goes_before_what_the_game_draws() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    table.eye = Some(false);
    assert!(table.run("press @16,16 release @16,16").selection.is_empty());
    table.eye = Some(true);
    Arc::make_mut(&mut table.level_mut().layers[1]).visible = false;
    assert_eq!(table.run("press @16,16 release @16,16").selection, ["a".into()]);
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
        let edits = table.cx(|cx| nudge(cx, nudge_px(cx, direction, is_far))).unwrap();
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
    table.links = vec![automatic("b", "c")];
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
fn a_waypoint_is_put_into_a_link_by_its_middle() {
    let nodes = [("a", [16.0, 16.0]), ("b", [80.0, 16.0]), ("c", [144.0, 16.0])];
    let mut table =
        Table::new(ToolKind::Waypoint).with_nodes(&nodes, &[("b", "a", LinkBy::Hand), ("b", "c", LinkBy::Hand)]);
    let LayerContent::Waypoints(it) = &mut Arc::make_mut(&mut table.level_mut().layers[2]).content else { panic!() };
    it.auto_link = false;
    it.links[0] = Link { cost: Some(100.0), one_way: true, ..it.links[0].clone() };
    table.run("hover @48,17");
    assert!(table.out.hint.contains("middle of the link"), "{}", table.out.hint);
    table.run("press @48,17 drag @48,40 release @64,48");
    let new = table.graph().nodes.keys().nth(1).unwrap().to_string();
    assert_eq!(table.graph().nodes[1].at, [64.0, 48.0], "between the two in the order of routes");
    assert_eq!(table.links(), ["b-c".to_owned(), format!("b>{new}"), format!("{new}>a")]);
    let costs: Vec<f64> = table.graph().links.iter().filter_map(|link| link.cost).collect();
    assert!((costs.iter().sum::<f64>() - 100.0).abs() < 1e-9 && costs[0] < costs[1], "{costs:?}: shared by length");
    assert_eq!((table.out.label.as_deref(), table.history.n_done()), (Some("Insert a waypoint"), 1), "one step");
    table.run("press @112,16 release @112,16");
    assert_eq!(table.graph().nodes.len(), 5, "a click does it, too");
    assert!(table.graph().nodes.get_index_of("c") == Some(4));
}

#[test]
fn where_waypoints_link_themselves_those_with_one_between_them_do_not() {
    let nodes = [("a", [16.0, 16.0]), ("b", [80.0, 16.0])];
    let mut table = Table::new(ToolKind::Waypoint).with_nodes(&nodes, &[("a", "b", LinkBy::Hand)]);
    table.run("press @48,16 drag @48,60 esc");
    assert_eq!((table.links(), table.history.n_done()), (vec!["a-b".to_owned()], 0));
    table.run("press @48,16 drag @48,60 release @48,60");
    let new = table.graph().nodes.keys().nth(1).unwrap().to_string();
    assert_eq!(table.links(), ["axb".to_owned(), format!("a-{new}"), format!("{new}-b")]);
}

#[test]
fn a_waypoint_on_an_automatic_link_comes_between_its_ends_on_routes() {
    let nodes = [("a", [16.0, 16.0]), ("b", [80.0, 16.0]), ("c", [80.0, 80.0])];
    let mut table = Table::new(ToolKind::Waypoint).with_nodes(&nodes, &[]);
    table.links = vec![automatic("a", "b"), automatic("b", "c"), automatic("a", "c")];
    table.run("press @48,16 drag @48,24 release @48,24");
    assert_eq!(table.graph().nodes[1].at, [48.0, 24.0]);
    assert!(table.links().is_empty(), "it is linked as the others are");
    table.run("press @48,48 release @48,48");
    assert_eq!(table.graph().nodes[4].at, [48.0, 48.0], "no route goes from a to c at once");
}

#[test]
fn a_link_is_turned_by_clicks() {
    let nodes = [("a", [16.0, 16.0]), ("b", [80.0, 16.0]), ("c", [144.0, 16.0])];
    let mut table = Table::new(ToolKind::Link).with_nodes(&nodes, &[("b", "a", LinkBy::Hand)]);
    table.links = vec![automatic("b", "c")];
    let mut seen = Vec::new();
    for _ in 0..4 {
        table.run("shift+press @48,17 shift+release @48,17");
        seen.push(table.links().join(" "));
    }
    assert_eq!(seen, ["a>b", "b>a", "b-a", "a>b"], "one way, one way back, both ways");
    table.run("shift+press @112,17 shift+release @112,17");
    assert_eq!(table.links(), ["a>b", "b>c"], "one that was automatic is by hand now");
    assert_eq!(table.history.n_done(), 5);
}

#[test]
fn waypoints_are_suggested_on_platforms_and_all_over() {
    let mut table = Table::new(ToolKind::Waypoint).draw(&["", "", "....11"]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    for (which, n) in [(Suggested::Platforms, 2), (Suggested::Lattice, 8)] {
        let out = table.cx(|cx| suggest_waypoints(cx, &grid, which, None)).unwrap();
        let before = table.graph().nodes.len();
        apply_all(&mut table.project, &out.edits).unwrap();
        assert_eq!(table.graph().nodes.len() - before, n, "{which:?}");
        assert_eq!(table.graph().max_length, None, "{which:?}: with others there, links stay as they are");
        assert!(table.cx(|cx| suggest_waypoints(cx, &grid, which, None)).is_err(), "{which:?}: they are there now");
    }
    assert_eq!(table.graph().nodes[0].at, [72.0, 27.0], "4 px above the ground, and a little");
    // So large that a lattice as dense as usual would have too many.
    let wide = Level { size: Some([400, 400]), ..Level::default() };
    table.level_mut().size = wide.size;
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, Suggested::Lattice, None)).unwrap();
    let n = out.selection.unwrap().len();
    assert!((400..=500).contains(&n), "{n}: thinner");
}

#[test]
fn a_lattice_links_neighbors_and_what_they_do_not_connect() {
    // A wall between two columns of the lattice, with a door of two cells between two of its rows.
    let wall = "............1";
    let mut table = Table::new(ToolKind::Waypoint).draw(&[&[wall, wall, "", ""][..], &[wall; 8]].concat());
    table.level_mut().size = Some([24, 12]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    let groups = |graph: &WaypointGraph| {
        let built = Waypoints::new(graph, &grid);
        (0..graph.nodes.len()).map(|node| built.together(node)).collect::<BTreeSet<_>>().len()
    };
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, Suggested::Lattice, None)).unwrap();
    assert!(out.hint.contains("at most 68 px long"), "{}", out.hint);
    apply_all(&mut table.project, &out.edits).unwrap();
    let graph = table.graph();
    assert_eq!((graph.nodes.len(), graph.max_length), (32, Some(68.0)), "the diagonal of 3 by 3 cells");
    let [hand] = graph.links.as_slice() else { panic!("{:?}", graph.links) };
    assert_eq!((hand.by, groups(graph)), (LinkBy::Hand, 1), "one through the door");
    assert_eq!(groups(&WaypointGraph { links: Vec::new(), ..graph.clone() }), 2);
    let n_links = Waypoints::new(graph, &grid).links().len();
    let n_all = Waypoints::new(&WaypointGraph { max_length: None, ..graph.clone() }, &grid).links().len();
    assert!(n_links * 2 < n_all, "{n_links} of {n_all} links are left");
}

#[test]
fn waypoints_are_suggested_at_corners_that_have_none() {
    let mut table = Table::new(ToolKind::Waypoint).draw(&["", "", "....11"]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, Suggested::Corners, None)).unwrap();
    assert_eq!(out.label.as_deref(), Some("Suggest 4 waypoints"));
    apply_all(&mut table.project, &out.edits).unwrap();
    let places: Vec<_> = table.graph().nodes.values().map(|node| node.at).collect();
    assert_eq!(places, [[59.0, 27.0], [101.0, 27.0], [59.0, 53.0], [101.0, 53.0]], "4 px off, to whole pixels");
    assert!(table.cx(|cx| suggest_waypoints(cx, &grid, Suggested::Corners, None)).is_err(), "each has one now");
}

#[test]
fn waypoints_on_platforms_are_linked_by_jumps_and_not_by_sight() {
    // A ledge above a floor, too high for a jump, and a step between.
    let mut table = Table::new(ToolKind::Waypoint).draw(&["", "11", "", "", "....11", "", "", "1111111111"]);
    table.level_mut().size = Some([12, 8]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    let on = Suggested::Platforms;
    let (layer, suggested) = table.cx(|cx| places_to_link(cx, &grid)).unwrap().unwrap();
    let network = ledge_network(&grid, &jumper(), &suggested);
    let over = OverLedges { who: "goblin".into(), layer, suggested, network };
    let other = OverLedges { suggested: Vec::new(), ..over.clone() };
    assert!(table.cx(|cx| suggest_waypoints(cx, &grid, on, Some(&other))).is_err(), "found for other places");
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, on, Some(&over))).unwrap();
    assert!(out.hint.contains("goblin"), "{}", out.hint);
    apply_all(&mut table.project, &out.edits).unwrap();
    let graph = table.graph();
    assert!(!graph.auto_link && graph.links.iter().all(|link| link.by == LinkBy::Hand));
    let at = |id: &Name| graph.nodes[id].at.map(|x| (x / 16.0).floor() as i32);
    let mut links: Vec<_> = graph.links.iter().map(|link| (at(&link.from), at(&link.to), link.one_way)).collect();
    links.sort_unstable();
    let along = [([0, 0], [1, 0], false), ([4, 3], [5, 3], false), ([0, 6], [5, 6], false), ([5, 6], [9, 6], false)];
    let up = [([4, 3], [1, 0], true), ([0, 6], [4, 3], true), ([9, 6], [5, 3], true)];
    let down = [([1, 0], [5, 3], true), ([1, 0], [0, 6], true), ([5, 3], [5, 6], true)];
    let mut expected: Vec<_> = along.into_iter().chain(up).chain(down).collect();
    expected.sort_unstable();
    assert_eq!(links, expected, "along each ledge, up by the step, and down");
    // Where there are others, links stay as they are.
    let only = graph.nodes.get_index(0).map(|(id, node)| (id.clone(), node.clone()));
    let LayerContent::Waypoints(layer) = &mut Arc::make_mut(&mut table.level_mut().layers[2]).content else { panic!() };
    *layer = WaypointGraph { nodes: only.into_iter().collect(), ..WaypointGraph::default() };
    assert_eq!(table.cx(|cx| places_to_link(cx, &grid)), Ok(None));
    assert!(table.cx(|cx| suggest_waypoints(cx, &grid, on, Some(&over))).is_err(), "found for an empty layer");
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, on, None)).unwrap();
    apply_all(&mut table.project, &out.edits).unwrap();
    assert!(table.graph().auto_link && table.graph().links.is_empty());
}

#[test]
fn waypoints_on_platforms_are_added_where_the_walker_has_room() {
    let mut table = Table::new(ToolKind::Waypoint).draw(&["1..1......1", "1..1......1", "1..1......1", "11111111111"]);
    table.level_mut().size = Some([11, 4]);
    let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
    tileset.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let grid = Arc::new(SolidGrid::new(table.level(), |_| Some(&tileset)));
    let (layer, suggested) = table.cx(|cx| places_to_link(cx, &grid)).unwrap().unwrap();
    let walker = Walker { lo: Vec2::new(-15.0, -8.0), hi: Vec2::new(15.0, 8.0), foot_radius: 0.0, ..jumper() };
    let network = ledge_network(&grid, &walker, &suggested);
    let over = OverLedges { who: "troll".into(), layer, suggested, network };
    let out = table.cx(|cx| suggest_waypoints(cx, &grid, Suggested::Platforms, Some(&over))).unwrap();
    apply_all(&mut table.project, &out.edits).unwrap();
    let graph = table.graph();
    let on_ground = |x: f64| (48.0..160.0).contains(&x);
    let mut xs: Vec<f64> = graph.nodes.values().map(|it| it.at[0]).filter(|x| on_ground(*x)).collect();
    xs.sort_by(f64::total_cmp);
    assert!(xs.len() == 2 && xs[0] >= 63.0 && xs[1] <= 145.0, "15 px from the walls: {xs:?}");
    let niche: Vec<f64> = graph.nodes.values().map(|it| it.at[0]).filter(|x| (16.0..48.0).contains(x)).collect();
    assert!(matches!(niche[..], [x] if (31.0..=33.0).contains(&x)), "both of the niche are one: {niche:?}");
    let ends = |link: &Link| [&link.from, &link.to].map(|id| graph.nodes[id].at[0]);
    assert!(graph.links.iter().any(|link| ends(link).into_iter().all(on_ground)), "{:?}", graph.links);
}

#[test]
fn a_definition_is_carried_onto_the_nearest_layer_that_can_take_it() {
    let mut table = Table::new(ToolKind::Pencil);
    table.layer = 2;
    let extra = |name: &str| Arc::new(Layer::new(name.into(), LayerContent::Entities(indexmap::IndexMap::new())));
    table.level_mut().layers.push(extra("front"));
    table.level_mut().layers.push(extra("far"));
    let carry = |table: &mut Table, phase| {
        let event = PointerEvent {
            phase,
            pos_px: [21.0, 30.0],
            cell: [1, 1],
            modifiers: Modifiers::default(),
            button: Button::Primary,
        };
        let mut toolbox = std::mem::take(&mut table.toolbox);
        table.out = table.cx(|cx| toolbox.carry(cx, &event));
        table.toolbox = toolbox;
        table.obey();
    };
    carry(&mut table, PointerPhase::Hover);
    assert_eq!(table.out.ghost.entity, Some(("goblin".into(), [24.0, 32.0])));
    assert_eq!(table.out.ghost.note.as_deref(), Some("24, 32 on front"));
    assert!(table.things().is_empty() && table.toolbox.shown().ghost.entity.is_some());
    carry(&mut table, PointerPhase::Release);
    let on = |table: &Table, layer: usize| table.level().layers[layer].entities().unwrap().len();
    assert_eq!((on(&table, 3), table.labels()), (1, vec!["Place goblin".to_owned()]));
    assert_eq!(table.toolbox.shown().ghost, Ghost::default(), "nothing is left of what was carried");
    assert_eq!((table.selection.len(), table.toolbox.kind()), (1, ToolKind::Pencil), "the tool in hand stays");
    Arc::make_mut(&mut table.level_mut().layers[3]).locked = true;
    carry(&mut table, PointerPhase::Release);
    assert_eq!(on(&table, 1), 1, "a locked layer is passed over");
    table.eye = Some(false);
    carry(&mut table, PointerPhase::Release);
    assert_eq!((table.out.edits.len(), &*table.out.hint), (0, "Add a layer for entities, or unlock one"));
    (table.eye, table.def) = (None, Some("monster".into()));
    carry(&mut table, PointerPhase::Release);
    assert!(table.out.edits.is_empty() && table.out.hint.contains("abstract"));
    assert_eq!(table.history.n_done(), 2);
}

#[test]
fn the_handle_above_the_selected_entity_rotates_it() {
    // Its handle is 22 points above its box, which is 16 pixels high.
    let turned = |script: &str| {
        let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [80.0, 60.0])]);
        table.selection = vec!["a".into()];
        table.run(script);
        (table.level().entity("a").unwrap().1.rotation, table)
    };
    let cases = [
        ("press @80,30 drag @100,40 release @110,60", 90.0, "a quarter clockwise"),
        ("press @80,30 drag @60,40 release @50,60", -90.0, "and back"),
        ("press @80,30 drag @81,90 release @80,90", 180.0, "half a turn"),
        ("press @80,30 shift+drag @90,30 shift+release @90,30", 15.0, "steps of 15 degrees"),
        ("press @80,30 drag @90,30 release @90,30", 18.0, "whole degrees"),
        ("press @80,30 alt+drag @90,30 alt+release @90,30", 18.4, "tenths"),
    ];
    for (script, rotation, what) in cases {
        let (after, table) = turned(script);
        assert!((after - rotation).abs() < 1e-9, "{what}: {after}");
        assert_eq!((table.out.label.as_deref(), table.history.n_done()), (Some("Rotate goblin"), 1), "{what}");
    }
    for script in
        ["press @80,30 drag @100,40 esc", "press @80,30 release @80,30", "press @80,30 drag @110,60 release @80,30"]
    {
        let (after, table) = turned(script);
        assert_eq!((after, table.history.n_done()), (0.0, 0), "{script}");
    }
    let (_, mut table) = turned("press @80,30 drag @110,60");
    assert_eq!(table.out.ghost.note.as_deref(), Some("90°"));
    table.run("release @110,60");
    assert!(table.run("hover @110,61").out.hint.contains("rotate"), "the handle turns with it");
    assert!(!table.run("hover @80,30").out.hint.contains("rotate"));
    table.run("press @110,60 drag @80,90 release @80,91");
    assert_eq!(table.level().entity("a").unwrap().1.rotation, 180.0, "on from where it is");
    // Of several, a handle would be in the way; a locked one has none.
    let mut several = Table::new(ToolKind::Select).with_entities(&[("a", [80.0, 60.0]), ("b", [20.0, 60.0])]);
    several.selection = vec!["a".into(), "b".into()];
    assert!(!several.run("hover @80,30").out.hint.contains("rotate"));
    several.selection = vec!["a".into()];
    Arc::make_mut(&mut several.level_mut().layers[1]).locked = true;
    assert!(!several.run("hover @80,30").out.hint.contains("rotate"));
}

#[test]
fn a_definition_is_placed_wherever_its_file_was_known_to_be() {
    for known in ["entities/all.ron", "entities/gone.ron", "levels/yard.ron", ""] {
        let mut table = Table::new(ToolKind::Entity);
        table.def_doc = DocPath::new(known);
        table.run("press 1,1 release 1,1");
        assert_eq!(table.things().len(), 1, "{known}");
        table.def = Some("monster".into());
        assert!(table.run("press 2,2").out.hint.contains("abstract"), "{known}");
        table.def = Some("nobody".into());
        assert!(table.run("press 2,2").out.hint.contains("no definition"), "{known}");
    }
}

#[test]
fn things_are_repeated_along_a_line() {
    let start = || Table::new(ToolKind::Repeat).with_entities(&[("a", [16.0, 16.0]), ("b", [16.0, 40.0])]);
    let at = |table: &Table| table.things().into_iter().map(|(_, at)| at).skip(2).collect::<Vec<_>>();
    let mut table = start();
    table.options.repeat = Repeat { n_copies: 3, spacing_px: 0.0 };
    table.run("press @16,16 drag @40,17 drag @112,17");
    assert_eq!(at(&table), [[48.0, 16.0], [80.0, 16.0], [112.0, 16.0]], "they show while it is dragged");
    assert_eq!(table.out.ghost.note.as_deref(), Some("3 × 32 px"));
    table.run("drag @160,64 release @112,64");
    assert_eq!(at(&table), [[48.0, 32.0], [80.0, 48.0], [112.0, 64.0]]);
    assert_eq!((table.out.label.as_deref(), table.history.n_done()), (Some("Repeat 3 times"), 1));
    assert_eq!(table.selection.len(), 4, "what is repeated and its copies");
    // Three copies do not fit evenly on the grid of 8 up to 100, two cells are room for two.
    for (end, apart) in [(100, vec![40.0, 64.0, 88.0]), (32, vec![24.0, 32.0]), (19, vec![])] {
        let mut even = start();
        even.options.repeat = Repeat { n_copies: 3, spacing_px: 0.0 };
        even.run(&format!("press @16,16 drag @{end},16 release @{end},16"));
        assert_eq!(at(&even).iter().map(|[x, _]| *x).collect::<Vec<_>>(), apart, "up to {end}");
    }
    let mut spaced = start();
    spaced.options.repeat = Repeat { n_copies: 3, spacing_px: 24.0 };
    spaced.run("press @16,16 shift+drag @100,30 shift+release @100,30");
    assert_eq!(at(&spaced), [[40.0, 16.0], [64.0, 16.0], [88.0, 16.0]], "as many as fit, along one axis");
    let mut both = start();
    both.options.repeat = Repeat { n_copies: 1, spacing_px: 0.0 };
    both.selection = vec!["a".into(), "b".into()];
    both.run("press @16,40 drag @40,40 release @56,40");
    assert_eq!(at(&both), [[56.0, 16.0], [56.0, 40.0]]);
    for script in
        ["press @16,16 drag @112,16 esc", "press @16,16 drag @112,16 release @16,16", "press @100,80 release @50,50"]
    {
        let mut table = start();
        table.run(script);
        assert_eq!((at(&table).len(), table.history.n_done()), (0, 0), "{script}");
    }
    let mut many = start();
    many.snap_px = None;
    many.options.repeat = Repeat { n_copies: 3, spacing_px: 0.125 };
    many.run("press @16,16 drag @112,16");
    assert_eq!(at(&many).len(), 500, "no more, however near");
    let mut piled = start();
    piled.snap_px = None;
    piled.options.repeat = Repeat { n_copies: 3, spacing_px: 0.001 };
    piled.run("press @16,16 drag @17,16");
    assert_eq!(at(&piled).len(), 4, "none at a place that another has: files show eighths of a pixel");
}

#[test]
fn what_is_dragged_stays_in_a_bounded_level_unless_alt_is_held() {
    let start = |at| Table::new(ToolKind::Select).with_entities(&[("a", at), ("b", [40.0, 40.0])]);
    let run = |at: [f64; 2], script: &str| start(at).run(script).things()[0].1;
    let size = start([16.0; 2]).level().bounds_px();
    assert_eq!(run([16.0, 16.0], "press @16,16 drag @500,16 release @500,700"), [size[2], size[3]]);
    assert_eq!(run([16.0, 16.0], "press @16,16 drag @-90,16 release @-90,16"), [0.0, 16.0]);
    let free = "press @16,16 alt+drag @500,16 alt+release @500,700";
    assert_eq!(run([16.0, 16.0], free), [500.0, 700.0], "some stand outside on purpose");
    assert_eq!(run([-40.0, 16.0], "press @-40,16 drag @-200,32 release @-200,32"), [-40.0, 32.0], "it goes no farther");
    assert_eq!(run([-40.0, 16.0], "press @-40,16 drag @24,16 release @24,16"), [24.0, 16.0]);
    let mut both = start([16.0, 16.0]);
    both.selection = vec!["a".into(), "b".into()];
    both.run("press @16,16 drag @-200,16 release @-200,16");
    assert_eq!(both.things().iter().map(|(_, at)| at[0]).collect::<Vec<_>>(), [0.0, 24.0], "none leaves it");
    let mut unbounded = start([16.0, 16.0]);
    unbounded.level_mut().size = None;
    assert_eq!(unbounded.run("press @16,16 drag @-96,16 release @-96,16").things()[0].1, [-96.0, 16.0]);
    for (script, n, hint) in [
        ("press @-40,40 release @-40,40", 0, "outside the level"),
        ("press @40,40 drag @-40,40 release @-40,40", 0, "outside the level"),
        ("press @-40,40 drag @40,40 release @40,40", 1, ""),
        ("alt+press @-40,40 alt+release @-40,40", 1, ""),
    ] {
        let mut table = Table::new(ToolKind::Entity);
        table.run(script);
        assert_eq!((table.things().len(), table.history.n_done()), (n, n), "{script}");
        assert!(table.out.hint.contains(hint), "{script}: {}", table.out.hint);
    }
}

#[test]
fn copies_along_a_line_keep_to_pixels_or_the_grid() {
    let at = |snap_px, n_copies, spacing_px, script: &str| {
        let mut table = Table::new(ToolKind::Repeat).with_entities(&[("a", [16.0, 16.0]), ("b", [16.25, 40.0])]);
        (table.snap_px, table.options.repeat) = (snap_px, Repeat { n_copies, spacing_px });
        table.run(script);
        table.things().into_iter().map(|(_, at)| at).skip(2).collect::<Vec<_>>()
    };
    let pixels = Some([1.0; 2]);
    let even = |xs: [f64; 3], y: f64| xs.map(|x| [x, y]).to_vec();
    let line = "press @16,16 drag @115.7,16 release @115.7,16";
    assert_eq!(at(pixels, 3, 0.0, line), even([49.0, 82.0, 115.0], 16.0), "equally far, not beyond");
    assert_eq!(at(Some([16.0; 2]), 3, 0.0, line), even([48.0, 80.0, 112.0], 16.0));
    let free = "press @16,16 alt+drag @115.75,16 alt+release @115.75,16";
    assert_eq!(at(pixels, 3, 0.0, free), even([49.25, 82.5, 115.75], 16.0), "Alt keeps to none");
    assert_eq!(at(pixels, 3, 20.5, line)[..3], even([37.0, 57.0, 78.0], 16.0), "rounded each, not more with each");
    let near = at(Some([16.0; 2]), 8, 0.0, "press @16,16 drag @48,16 release @48,16");
    assert_eq!(near, [[32.0, 16.0], [48.0, 16.0]], "one for each place of the grid");
    // What is off the grid comes onto it, but along an axis it is not moved.
    assert_eq!(at(pixels, 2, 0.0, "press @16,40 drag @40,40 release @40,40"), [[28.0, 40.0], [40.0, 40.0]],);
    assert_eq!(
        at(pixels, 2, 0.0, "press @16,40 shift+drag @17,60 shift+release @17,60"),
        [[16.25, 50.0], [16.25, 60.0]],
    );
}
