//! The Profiler pane: what ticks of the preview spend their time on, by system and by definition.

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT as _;
use levelwright::{
    editor::{Action, Command, Overlay, OverlaySet, Pane, PreviewAction, Selection},
    sim::insight::profile::{Profile, Span},
};

use crate::window::{Window, courtyard};

fn profile(window: &Window) -> &Profile {
    &window.editor().preview().unwrap().session.observed().profile
}

fn tick(window: &Window) -> u64 {
    window.editor().preview().unwrap().session.world().tick()
}

/// A window whose level played some ticks with the pane before it, and stands still.
fn measured() -> Window {
    // High enough for all rows.
    let mut window = Window::sample_sized([1440.0, 2600.0]);
    window.command(Command::Show(Pane::Profiler));
    window.command(Command::PlayPause);
    window.until("ticks were measured", |window| {
        window.editor().preview().is_some_and(|it| it.session.observed().profile.n_detailed() > 8)
    });
    window.command(Command::PlayPause);
    window
}

#[test]
fn an_empty_pane_says_how_to_begin() {
    let mut window = Window::sample();
    window.command(Command::Show(Pane::Profiler));
    assert!(window.has("Nothing is playing") && window.says("Press F5"));
    window.command(Command::StepTick);
    assert!(window.has("System Tick"), "a single tick is measured, too");
    window.act(Action::Preview(PreviewAction::ClearProfile));
    assert!(window.has("Nothing was measured yet"));
    window.command(Command::ToggleProfiling);
    window.command(Command::StepTick);
    assert!(window.says("Only how long ticks take") && window.says("Switch on Measure ticks"));
    assert_eq!((profile(&window).tick().n, profile(&window).n_detailed()), (1, 0));
}

#[test]
fn systems_and_definitions_are_listed_and_systems_fold() {
    let mut window = measured();
    for system in ["Tick", "Messages", "Updates", "Movement", "Steering", "Physics", "Solver", "Broad phase"] {
        assert!(window.has(&format!("System {system}")), "{system}");
    }
    for definition in ["goblin", "coin", "(no entity)"] {
        assert!(window.has(&format!("Definition {definition}")), "{definition}");
    }
    window.press("System Physics");
    assert!(!window.has("System Solver") && !window.has("System Broad phase") && window.has("System Steering"));
    window.press("System Physics");
    assert!(window.has("System Solver"));
    window.press("System Tick");
    assert!(!window.has("System Physics"));
}

#[test]
fn definitions_are_sorted_by_any_column_and_what_no_entity_is_charged_with_is_last() {
    let mut window = measured();
    let order = |window: &Window| -> Vec<String> {
        let all = window.harness.root().children_recursive();
        let labels = all.filter_map(|node| node.accesskit_node().label());
        labels.filter_map(|label| label.strip_prefix("Definition ").map(str::to_owned)).collect()
    };
    window.press("Sort by name");
    let by_name = order(&window);
    assert!(by_name[..by_name.len() - 1].is_sorted() && by_name.len() > 4, "{by_name:?}");
    assert_eq!(by_name.last().map(String::as_str), Some("(no entity)"));
    window.press("Sort by name");
    let backward = order(&window);
    assert!(backward[..by_name.len() - 1].iter().rev().eq(&by_name[..by_name.len() - 1]), "{backward:?}");
    window.press("Sort by entities");
    let most = profile(&window).kinds(Span::Recent).into_iter().max_by_key(|row| row.n).unwrap().n;
    let of = |name: &str| {
        let rows = profile(&window).kinds(Span::Recent);
        rows.into_iter().find(|row| row.def.as_deref() == Some(name)).unwrap().n
    };
    assert_eq!(of(&order(&window)[0]), most);
}

#[test]
fn a_click_on_a_definition_selects_its_entities() {
    let mut window = measured();
    window.press("Definition goblin");
    let world = window.editor().preview().unwrap().session.world();
    let goblins: Vec<_> = world.entities().filter(|it| **it.def == *"goblin").map(|it| it.id.clone()).collect();
    assert!(goblins.len() > 1);
    assert_eq!(*window.editor().selection(), Selection::Things { doc: courtyard(), ids: goblins });
}

#[test]
fn ticks_are_measured_while_that_is_seen_or_wanted() {
    let mut window = measured();
    let steps = |window: &mut Window| {
        let before = (profile(window).tick().n, profile(window).n_detailed());
        window.command(Command::StepTick);
        (profile(window).tick().n - before.0, profile(window).n_detailed() - before.1)
    };
    assert_eq!(steps(&mut window), (1, 1));
    window.command(Command::Show(Pane::Problems));
    assert_eq!(steps(&mut window), (1, 0), "how long ticks take is always known");
    window.command(Command::Overlay(Overlay::TickTime));
    assert_eq!(steps(&mut window), (1, 1));
    window.command(Command::HideOverlays);
    assert_eq!(window.editor().view().insight.on, OverlaySet::default());
    window.command(Command::ToggleProfilingHidden);
    assert_eq!(steps(&mut window), (1, 1));
    window.command(Command::ToggleProfiling);
    assert_eq!(steps(&mut window), (1, 0));
    assert!(window.app().refusal(Command::ToggleProfilingHidden).is_some());
}

#[test]
fn a_click_on_a_bar_goes_to_its_tick() {
    let mut window = measured();
    let end = tick(&window);
    let graph = window.find("Tick times").rect();
    // The third from the right.
    window.click_at(egui::pos2(graph.right() - 8.0, graph.bottom() - 3.0));
    assert_eq!(tick(&window), end - 2);
    assert!(!window.editor().preview().unwrap().is_playing);
}

#[test]
fn what_was_measured_is_copied_as_text() {
    let mut window = measured();
    for (item, begins) in [("As Markdown", "ticks: "), ("As comma-separated values", "System,Total ms,Self ms,")] {
        window.click_role(Role::Button, "Copy figures");
        window.find(item).click();
        // What is copied is told in the frame in which it is.
        let mut copied = None;
        for _ in 0..4 {
            window.harness.step();
            let commands = &window.harness.output().platform_output.commands;
            copied = copied.or(commands.iter().find_map(|command| match command {
                egui::OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            }));
        }
        let text = copied.unwrap_or_else(|| panic!("{item} copies nothing"));
        assert!(text.contains(begins) && text.contains("goblin"), "{text}");
    }
}

#[test]
fn the_status_line_tells_how_long_a_tick_takes() {
    let window = measured();
    assert!(window.says("ms a tick"));
}
