//! Records of documents in the Inspector: scenarios, tilesets, layers and waypoints, each by its description.

use egui::{Key, Modifiers};
use levelwright::{
    editor::{Action, Command, Selection},
    model::{CueKind, DocPath, Document, Expected, Scenario, Tileset, When},
};

use crate::window::{Window, courtyard, doc};

const STEPS: &str = "scenarios/first_steps.ron";

fn scenario(window: &Window) -> Scenario {
    match &**window.editor().project().doc(&doc(STEPS)).unwrap() {
        Document::Scenario(scenario) => scenario.clone(),
        other => panic!("{other:?}"),
    }
}

fn tileset(window: &Window, path: &DocPath) -> Tileset {
    window.editor().project().tileset(path).unwrap().clone()
}

/// Choose one of many by typing its name.
fn choose(window: &mut Window, field: &str, name: &str) {
    window.press(field);
    window.find(&format!("Search {field}")).type_text(name);
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
}

#[test]
fn a_scenario_is_edited_by_its_description() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(doc(STEPS))));
    let before = scenario(&window);
    window.fill("scenario.secs", "33");
    assert!((scenario(&window).secs - 33.0).abs() < 1e-9);
    assert_eq!(window.editor().history().next(None, false).unwrap().label(), "Set secs of first_steps");
    window.fill("scenario.secs", "-1");
    assert!((scenario(&window).secs - 33.0).abs() < 1e-9, "it lasts more than no time");
    window.press("Add to scenario.script");
    let n = before.script.len();
    assert_eq!(scenario(&window).script.len(), n + 1);
    window.press(&format!("cue {}", n + 1));
    window.fill(&format!("scenario.script.{}.at", n + 1), "2.5");
    assert!((scenario(&window).script[n].at - 2.5).abs() < 1e-9);
    window.press(&format!("Delete cue {}", n + 1));
    assert_eq!(scenario(&window).script, before.script);
    window.command(Command::Undo);
    assert_eq!(scenario(&window).script.len(), n + 1);
}

#[test]
fn what_a_cue_does_is_chosen() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(doc(STEPS))));
    window.press("Add to scenario.script");
    let n = scenario(&window).script.len();
    window.press(&format!("cue {n}"));
    choose(&mut window, &format!("scenario.script.{n}.kind of cue"), "press");
    assert!(matches!(scenario(&window).script[n - 1].what, CueKind::Press(_)));
    window.press("Add to scenario.expect");
    let n = scenario(&window).expect.len();
    window.press(&format!("expectation {n}"));
    choose(&mut window, &format!("scenario.expect.{n}.expectation"), "exists");
    assert!(matches!(scenario(&window).expect[n - 1].what, Expected::Exists(_)));
    window.fill(&format!("scenario.expect.{n}.by"), "4");
    choose(&mut window, &format!("scenario.expect.{n}.expectation"), "state");
    choose(&mut window, &format!("scenario.expect.{n}.time"), "at");
    let now = scenario(&window).expect[n - 1].clone();
    assert!(matches!(now.what, Expected::State(_)));
    assert_eq!(now.when, When::At(4.0), "the time stays");
    choose(&mut window, &format!("scenario.expect.{n}.time"), "at");
    assert_eq!(scenario(&window).expect[n - 1], now, "what it is already changes nothing");
}

#[test]
fn a_tile_is_edited_and_renamed_with_its_uses() {
    let mut window = Window::sample();
    let at = doc("tilesets/keep.ron");
    window.act(Action::Select(Selection::Document(at.clone())));
    let (id, _) = tileset(&window, &at).tiles.into_iter().find(|(_, tile)| !tile.name.is_empty()).unwrap();
    window.press(&format!("tile {id}"));
    window.fill(&format!("tileset.tiles.{id}.weight"), "3");
    assert!((tileset(&window, &at).tiles[&id].weight - 3.0).abs() < 1e-9);
    window.press(&format!("Reset tileset.tiles.{id}.weight"));
    assert!((tileset(&window, &at).tiles[&id].weight - 1.0).abs() < 1e-9);
    window.fill(&format!("tileset.tiles.{id}.name"), "marble");
    assert_eq!(tileset(&window, &at).tiles[&id].name, "marble");
    assert_eq!(window.editor().history().next(None, false).unwrap().label(), format!("Rename tile {id} to marble"));
}

#[test]
fn layers_and_several_waypoints_are_edited() {
    let mut window = Window::sample();
    let level = window.level().1;
    let layer = level.layers.iter().find(|layer| layer.waypoints().is_some()).unwrap().name.clone();
    let ids: Vec<_> = level.layer(&layer).unwrap().1.waypoints().unwrap().nodes.keys().take(2).cloned().collect();
    window.act(Action::Select(Selection::Layer { doc: courtyard(), layer: layer.clone() }));
    window.fill("layer.opacity", "0.5");
    let of = |window: &Window| window.level().1.layer(&layer).unwrap().1.clone();
    assert!((of(&window).opacity - 0.5).abs() < 1e-9);
    window.fill("layer.opacity", "7");
    assert!((of(&window).opacity - 1.0).abs() < 1e-9, "it is a share");
    window.fill("layer.opacity", "0.5");
    window.press("Reset layer.opacity");
    assert!((of(&window).opacity - 1.0).abs() < 1e-9);
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: ids.clone() }));
    assert!(window.says("2 waypoints"));
    window.press("Add to waypoint.tags");
    let tagged = |window: &Window| {
        let layer = of(window);
        ids.iter().all(|id| !layer.waypoints().unwrap().nodes[id].tags.is_empty())
    };
    assert!(tagged(&window), "both have one");
}
