//! Waypoints in the window: put into links, linked in one direction, at a cost; suggested on platforms and all over.

use std::fs;

use egui::{Key, Modifiers};
use levelwright::{
    editor::{Action, Command, Selection, ViewChange},
    model::{LinkBy, Name, WaypointGraph},
    tools::ToolKind,
};

use crate::window::{Window, courtyard, doc};

const DUNGEON: &str = "levels/dungeon.ron";

/// The dungeon, with its patrol in work.
fn patrol() -> Window {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc(DUNGEON)));
    window.act(Action::View(ViewChange::ActiveLayer(doc(DUNGEON), "patrol".into())));
    window
}

fn graph(window: &Window) -> WaypointGraph {
    window.editor().project().level(&doc(DUNGEON)).unwrap().layer("patrol").unwrap().1.waypoints().unwrap().clone()
}

/// The first link by hand, and the place of its middle.
fn first_link(graph: &WaypointGraph) -> ([Name; 2], [f64; 2]) {
    let link = graph.links.iter().find(|link| link.by == LinkBy::Hand).unwrap();
    let (a, b) = (graph.nodes[&link.from].at, graph.nodes[&link.to].at);
    ([link.from.clone(), link.to.clone()], [0, 1].map(|i| f64::midpoint(a[i], b[i])))
}

#[test]
fn the_middle_of_a_link_is_dragged_to_put_a_waypoint_there() {
    let mut window = patrol();
    let before = graph(&window);
    let (ends, middle) = first_link(&before);
    window.key(Modifiers::NONE, Key::W);
    let (from, to) = (window.at(middle), window.at([middle[0] + 16.0, middle[1] + 16.0]));
    window.drag(from, &[from.lerp(to, 0.5), to]);
    let after = graph(&window);
    assert_eq!(after.nodes.len(), before.nodes.len() + 1);
    let new = after.nodes.keys().find(|id| !before.nodes.contains_key(*id)).unwrap();
    for end in &ends {
        assert!(after.links.iter().any(|link| link.joins(end, new) && link.by == LinkBy::Hand), "{end}");
    }
    assert!(!after.links.iter().any(|link| link.joins(&ends[0], &ends[1]) && link.by == LinkBy::Hand));
    assert_eq!(window.editor().history().n_done(), 1);
    window.command(Command::Undo);
    assert_eq!(graph(&window), before, "in one step");
}

#[test]
fn links_are_turned_and_get_costs_in_the_inspector() {
    let mut window = patrol();
    let ([a, b], _) = first_link(&graph(&window));
    window.act(Action::Select(Selection::Things { doc: doc(DUNGEON), ids: vec![a.clone()] }));
    window.click(&format!("Direction of the link to {b}: both ways"));
    let one_way = |window: &Window| {
        let graph = graph(window);
        graph.links.iter().find(|link| link.joins(&a, &b)).map(|link| (link.from.clone(), link.one_way)).unwrap()
    };
    let first = one_way(&window);
    assert!(first.1);
    let way = |from: &Name| if *from == a { "only there" } else { "only back" };
    window.click(&format!("Direction of the link to {b}: {}", way(&first.0)));
    let second = one_way(&window);
    assert!(second.1 && second.0 != first.0, "the other way");
    window.click(&format!("Direction of the link to {b}: {}", way(&second.0)));
    assert!(!one_way(&window).1);
    assert_eq!(window.editor().history().n_done(), 3);
    window.fill(&format!("Cost of the link to {b}"), "400");
    let cost = |window: &Window| graph(window).links.iter().find(|link| link.joins(&a, &b)).and_then(|link| link.cost);
    assert_eq!(cost(&window), Some(400.0));
    assert_eq!(window.editor().history().n_done(), 4);
    window.click(&format!("Let the link to {b} cost its length"));
    assert_eq!(cost(&window), None);
}

#[test]
fn a_link_is_turned_by_a_click_with_shift() {
    let mut window = patrol();
    let ([a, b], middle) = first_link(&graph(&window));
    window.act(Action::Tool(ToolKind::Link));
    let at = window.at(middle);
    window.click_with(at, Modifiers::SHIFT);
    assert!(graph(&window).links.iter().any(|link| link.joins(&a, &b) && link.one_way));
    let labels: Vec<&str> = window.editor().history().steps().map(|(_, step)| step.label()).collect();
    assert_eq!(labels, ["Turn link"]);
}

#[test]
fn waypoints_are_suggested_on_platforms_and_on_a_lattice_in_one_step_each() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "patrol".into())));
    let n_nodes = |window: &Window| window.level().1.layer("patrol").unwrap().1.waypoints().unwrap().nodes.len();
    let before = n_nodes(&window);
    for (i, command) in [Command::SuggestOnPlatforms, Command::SuggestLattice].into_iter().enumerate() {
        let n = n_nodes(&window);
        window.command(command);
        assert!(n_nodes(&window) > n, "{command:?}: {:?}", window.editor().notice());
        assert_eq!(window.editor().history().n_done(), i + 1);
    }
    window.command(Command::Undo);
    window.command(Command::Undo);
    assert_eq!(n_nodes(&window), before);
}

#[test]
fn waypoints_on_platforms_of_an_empty_layer_are_linked_by_a_job() {
    const MILL: &str = "levels/mill.ron";
    let mut window = Window::changed([1440.0, 900.0], |folder| {
        let file = folder.join(MILL);
        let text = fs::read_to_string(&file).unwrap();
        let end = text.rfind("    ],\n)").unwrap();
        fs::write(&file, format!("{}        Waypoints(name: \"ways\", radius: 6.0),\n{}", &text[..end], &text[end..]))
            .unwrap();
    });
    window.act(Action::OpenLevel(doc(MILL)));
    window.act(Action::View(ViewChange::ActiveLayer(doc(MILL), "ways".into())));
    let graph = |window: &Window| window.level().1.layer("ways").unwrap().1.waypoints().unwrap().clone();
    window.command(Command::SuggestOnPlatforms);
    window.until("the waypoints", |window| !graph(window).nodes.is_empty());
    let ways = graph(&window);
    assert!(!ways.auto_link && ways.links.iter().any(|link| link.one_way), "{:?}", window.editor().notice());
    assert_eq!(window.editor().history().n_done(), 1);
    window.command(Command::Undo);
    assert!(graph(&window).nodes.is_empty() && graph(&window).auto_link);
}

#[test]
fn waypoints_are_put_in_another_order_where_they_are_listed() {
    let mut window = patrol();
    let order = |window: &Window| graph(window).nodes.keys().cloned().collect::<Vec<_>>();
    let before = order(&window);
    window.act(Action::Select(Selection::Layer { doc: doc(DUNGEON), layer: "patrol".into() }));
    window.click(&format!("Move down {}", before[0]));
    let mut after = before.clone();
    after.swap(0, 1);
    assert_eq!(order(&window), after);
    // From the Inspector of the waypoint itself, too.
    window.act(Action::Select(Selection::Things { doc: doc(DUNGEON), ids: vec![before[0].clone()] }));
    window.click(&format!("Move up {}", before[0]));
    assert_eq!(order(&window), before);
    assert_eq!(window.editor().history().n_done(), 2, "a step each");
}
