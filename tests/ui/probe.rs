//! The path probe: dragged in the window, with the numbers of what is found and the colors of the cells.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use levelwright::{
    edit::Stamp,
    editor::{Action, Command, ProbeAsked, ProbeOn, Selection, ViewChange},
    model::{Tile, TileShape},
    sim::nav::Colored,
    tools::ToolKind,
};

use crate::window::{Window, doc};

fn dungeon() -> Window {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc("levels/dungeon.ron")));
    window
}

fn probe(window: &mut Window, from: [f64; 2], to: [f64; 2]) {
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(window.editor().view().tool, ToolKind::Probe);
    let (from, to) = (window.at(from), window.at(to));
    window.drag(from, &[from.lerp(to, 0.5), to]);
}

/// Whether a tile of the dungeon is solid as a whole.
fn is_solid(window: &Window, id: u32) -> bool {
    let set = window.editor().project().tileset_named("dungeon").unwrap();
    set.tiles.get(&id).is_some_and(|tile| tile.shape == TileShape::Full && !tile.one_way)
}

#[test]
fn a_path_is_dragged_and_its_numbers_are_shown() {
    let mut window = dungeon();
    probe(&mut window, [552.0, 280.0], [430.0, 620.0]);
    let ends = window.editor().view().probe.ends[&doc("levels/dungeon.ron")];
    assert!((ends[0][0] - 552.0).abs() < 1.0 && (ends[1][1] - 620.0).abs() < 1.0, "{ends:?}");
    for name in ["Path probe", "Weight 1", "Cost", "Length", "Nodes expanded", "Largest open list"] {
        assert!(window.has(name), "{name}");
    }
    assert!(window.says("As followed"), "smoothed, too");
    assert!(window.says(" steps") && window.says(" closed"));
    assert_eq!(window.editor().history().n_done(), 0, "nothing is edited");
    window.fill("Weight of the search", "2");
    assert!(window.has("Weight 2") && window.has("Weight 1"), "weight 1 is beside it");
    window.command(Command::Tool(ToolKind::Pencil));
    assert!(window.has("Cost"), "it stays while something else is done");
    window.command(Command::ClearProbe);
    assert!(!window.has("Cost") && window.editor().view().probe.ends.is_empty());
    assert!(window.app().refusal(Command::ClearProbe).is_some());
}

#[test]
fn the_panel_goes_where_it_covers_neither_start_nor_goal() {
    let mut window = dungeon();
    let canvas = window.canvas();
    let (origin, scale) = (window.at([0.0, 0.0]), window.at([1.0, 0.0]).x - window.at([0.0, 0.0]).x);
    let level = |at: Pos2| [0, 1].map(|i| f64::from((at - origin)[i] / scale));
    let (left, right) = (canvas.left_top() + vec2(60.0, 60.0), canvas.right_top() + vec2(-60.0, 60.0));
    let panel = |window: &Window| window.find("Nodes expanded").rect().center();
    for (ends, is_left, is_high) in [
        ([canvas.center(), right], true, true),
        ([canvas.center(), left], false, true),
        ([right, left], true, false),
        ([canvas.left_bottom() + vec2(60.0, -60.0), left], false, true),
    ] {
        // At the left, it is over no start.
        window.command(Command::ClearProbe);
        let [start, goal] = ends.map(level);
        probe(&mut window, start, goal);
        let (at, middle) = (panel(&window), canvas.center());
        assert_eq!((at.x < middle.x, at.y < middle.y), (is_left, is_high), "{ends:?} in {canvas:?}: {at:?}");
    }
}

#[test]
fn the_panel_is_folded_at_first_in_a_small_window() {
    let mut window = Window::sample_sized([900.0, 600.0]);
    window.act(Action::OpenLevel(doc("levels/dungeon.ron")));
    probe(&mut window, [552.0, 280.0], [430.0, 620.0]);
    assert!(window.has("Cost") && !window.has("Weight of the search"));
    window.click("Show the path probe's options");
    assert!(window.has("Weight of the search"));
}

#[test]
fn doors_stop_a_definition_and_it_is_said_where() {
    let mut window = dungeon();
    probe(&mut window, [552.0, 170.0], [430.0, 620.0]);
    assert!(!window.says("No path"), "a point among the tiles");
    window.click("Agent of the path probe");
    window.type_text("chief");
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.says("No path: "), "closed doors are in its way");
    let before = window.editor().view().cameras[&doc("levels/dungeon.ron")];
    window.click("Show where");
    assert_ne!(window.editor().view().cameras[&doc("levels/dungeon.ron")].center, before.center);
}

#[test]
fn cells_are_colored_by_what_is_chosen_and_the_level_as_edited_counts() {
    let mut window = dungeon();
    probe(&mut window, [552.0, 280.0], [430.0, 620.0]);
    window.click("Colors of the cells: What was searched");
    window.click("Connected areas");
    assert_eq!(window.editor().view().probe.asked.colored, Some(Colored::Areas));
    assert!(window.says("open cells are connected"), "what the colors mean");
    let at = window.at([552.0, 280.0]);
    window.point(at);
    assert!(window.says("Here: area 1"), "the number under the pointer");
    window.click("Colors of the cells: Connected areas");
    window.click("Cost from the start");
    assert!(window.says("cells reached"));
    window.click("Colors of the cells: Cost from the start");
    window.click("Clearance");
    assert!(window.says("Room for"));
    // A wall painted around the start.
    let cell = |window: &Window, x: i32, y: i32| window.cell([x, y]);
    window.act(Action::View(ViewChange::ActiveLayer(doc("levels/dungeon.ron"), "walls".into())));
    let solid = (0..1000).find(|id| is_solid(&window, *id)).unwrap();
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(solid)))));
    window.act(Action::Tool(ToolKind::Rectangle));
    window.command(Command::ToggleOutlines);
    let (from, to) = (cell(&window, 33, 16), cell(&window, 36, 19));
    window.drag(from, &[to]);
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(window.says("No path: "), "the level as it is edited");
    window.act(Action::OpenLevel(doc("levels/courtyard.ron")));
    assert!(!window.has("Cost"), "each level has its own ends");
}

#[test]
fn paths_go_along_waypoints_and_esc_goes_back_to_select() {
    let mut window = dungeon();
    probe(&mut window, [552.0, 280.0], [620.0, 300.0]);
    window.click("Ground of the path probe: The grid");
    // The last one of that name is the popup's.
    window.harness.query_all_by_label("patrol").last().unwrap().click();
    window.settle();
    assert!(window.has("Ground of the path probe: patrol"));
    assert!(window.says(" px") || window.says("No path"));
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().view().tool, ToolKind::Select);
    assert!(window.has("Nodes expanded"), "until it is cleared");
    window.click("Clear path probe");
    assert!(!window.has("Nodes expanded"));
}

#[test]
fn a_right_click_looks_for_paths_from_there() {
    let mut window = dungeon();
    let dungeon = doc("levels/dungeon.ron");
    let goblin = |window: &Window| {
        let level = window.editor().project().level(&dungeon).unwrap();
        level.entities().find(|(.., it)| &*it.def == "goblin").map(|(.., it)| it.at).unwrap()
    };
    let (at, place) = (goblin(&window), window.at(goblin(&window)));
    window.right_click_at(place);
    window.click("Probe paths from here");
    let probe = &window.editor().view().probe;
    assert_eq!((&*probe.asked.who, probe.ends[&dungeon]), ("goblin", [at; 2]), "as wide as it, from where it stands");
    assert_eq!(window.editor().view().tool, ToolKind::Probe);
    let to = window.at([at[0] + 40.0, at[1]]);
    window.drag(place, &[place.lerp(to, 0.5), to]);
    assert!((window.editor().view().probe.ends[&dungeon][1][0] - at[0] - 40.0).abs() < 1.0, "the goal is drawn out");
    let ground = window.at([at[0], at[1] - 300.0]);
    window.right_click_at(ground);
    window.click("Probe paths from here");
    let ends = window.editor().view().probe.ends[&dungeon];
    assert!((ends[0][1] - at[1] + 300.0).abs() < 1.0 && (ends[1][0] - at[0] - 40.0).abs() < 1.0, "the goal stays");
}

#[test]
fn a_walker_is_shown_the_ledges_it_gets_to_where_the_level_is_seen_from_the_side() {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc("levels/courtyard.ron")));
    probe(&mut window, [60.0, 380.0], [380.0, 360.0]);
    window.act(Action::View(ViewChange::Probe(ProbeAsked::default())));
    window.settle();
    assert!(window.has("Ground of the path probe: The grid"), "for a kind of agent");
    window.click("Agent of the path probe");
    window.type_text("goblin");
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.has("Ground of the path probe: Ledges and jumps"));
    assert!(window.says("On foot, with "), "how it gets there");
    assert!(!window.has("Radius"), "its body counts");
    window.click("Colors of the cells: What was searched");
    window.harness.query_all_by_label("Ledges and jumps").last().unwrap().click();
    window.settle();
    assert!(window.says(" reached") && window.says(" not reached") && window.says(" jumps"));
}

#[test]
fn the_probe_is_seen_while_the_level_plays_and_it_is_in_hand() {
    let mut window = dungeon();
    let is_shown = |window: &Window| window.has("Nodes expanded");
    probe(&mut window, [552.0, 280.0], [430.0, 620.0]);
    window.command(Command::Tool(ToolKind::Select));
    window.command(Command::PlayPause);
    assert!(!is_shown(&window), "the game is looked at");
    window.command(Command::Tool(ToolKind::Probe));
    assert!(is_shown(&window) && window.says("not as it plays"));
    let before = window.editor().view().probe.ends.clone();
    let (from, to) = (window.canvas().center(), window.canvas().center() + vec2(40.0, 60.0));
    window.drag(from, &[from.lerp(to, 0.5), to]);
    assert!(window.editor().preview().is_some_and(|preview| preview.is_playing));
    assert_ne!(window.editor().view().probe.ends, before);
    assert!(is_shown(&window), "what was moved is seen");
}

#[test]
fn who_is_selected_is_who_a_path_is_looked_for() {
    let mut window = dungeon();
    let level = doc("levels/dungeon.ron");
    let with_agent = ["goblin", "sentry"];
    let found = {
        let level = window.editor().project().level(&level).unwrap();
        let mut placed = level.entities();
        placed.find(|(_, _, placed)| with_agent.contains(&&*placed.def)).map(|(_, id, it)| (id.clone(), it.def.clone()))
    };
    let (id, def) = found.expect("somebody walks there");
    window.act(Action::Select(Selection::Things { doc: level, ids: vec![id] }));
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(window.editor().view().probe.asked.who, def);
    // One that is slower than its definition.
    window.act(Action::Select(Selection::Things { doc: doc("levels/dungeon.ron"), ids: vec!["njxrf7".into()] }));
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(&*window.editor().view().probe.asked.who, "njxrf7");
    // What was chosen since stays when the tool is chosen again.
    window.act(Action::View(ViewChange::Probe(ProbeAsked::default())));
    window.key(Modifiers::NONE, Key::D);
    assert_eq!(&*window.editor().view().probe.asked.who, "walk");
}

#[test]
fn seen_from_the_side_a_path_is_first_looked_for_as_the_player_goes() {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::D);
    let probe = window.editor().view().probe.clone();
    assert_eq!((&*probe.asked.who, probe.asked.on), ("player", ProbeOn::Own));
}
