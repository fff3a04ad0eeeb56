//! Going back in what was played, by the bar below the level and by keys.

use egui::{Key, Modifiers, accesskit::Role, pos2};
use levelwright::{
    editor::{Action, Command, Pane, PreviewAction},
    model::Document,
};

use crate::window::{Window, doc};

fn tick(window: &Window) -> u64 {
    window.editor().preview().unwrap().session.world().tick()
}

/// The sample's courtyard after so many ticks, paused.
fn played(n_ticks: u64) -> Window {
    let mut window = Window::sample_sized([1440.0, 900.0]);
    for _ in 0..n_ticks {
        window.command(Command::StepTick);
    }
    assert_eq!(tick(&window), n_ticks);
    window
}

#[test]
fn a_drag_along_the_bar_goes_to_any_moment_and_a_key_by_one_tick() {
    let mut window = played(40);
    let rail = window.find_role(Role::Slider, "Playback at 00:00.6 of 00:00.6").rect();
    let at = |share: f32| pos2(rail.left() + 4.0 + (rail.width() - 8.0) * share, rail.center().y);
    window.drag_to(at(1.0), &[at(0.75), at(0.5)]);
    window.settle();
    assert_eq!(tick(&window), 20);
    window.button(at(0.25), false);
    window.settle();
    window.key(Modifiers::SHIFT, Key::F10);
    let back = tick(&window);
    window.key(Modifiers::NONE, Key::F10);
    assert_eq!(tick(&window), back + 1);
    assert_eq!(window.editor().preview().unwrap().session.repeats_until(), Some(40), "its keys are repeated");
    window.act(Action::Preview(PreviewAction::Seek(0)));
    assert_eq!(tick(&window), 0);
}

#[test]
fn an_edit_in_the_past_shows_a_ghost_and_the_differences() {
    let mut window = played(30);
    window.act(Action::ShowPane(Pane::Preview));
    window.act(Action::Preview(PreviewAction::Seek(10)));
    assert!(window.editor().preview().unwrap().session.ghost().is_none());
    window.command(Command::Branch);
    window.settle();
    let session = |window: &Window| window.editor().preview().unwrap().session.range();
    assert_eq!(session(&window), [0, 10]);
    for _ in 0..20 {
        window.command(Command::StepTick);
    }
    assert!(window.says("Differences from the ghost") && window.says("Everything is as it was"));
    assert!(window.says("The ghost is the future that was left at 00:00.2"));
    window.command(Command::DropGhost);
    assert!(!window.says("Differences from the ghost"));
}

#[test]
fn taking_over_in_the_past_is_announced() {
    let mut window = played(30);
    window.act(Action::Preview(PreviewAction::Seek(10)));
    window.command(Command::StepTick);
    assert_eq!(window.editor().notice(), None, "recorded keys are repeated");
    window.harness.key_down(Key::D);
    window.settle();
    window.command(Command::StepTick);
    window.harness.key_up(Key::D);
    let notice = window.editor().notice().unwrap_or_default();
    assert_eq!(notice, "You took over at 0.2 s; what was recorded after it plays on as the ghost");
    assert_eq!(window.editor().preview().unwrap().session.range(), [0, 12]);
}

#[test]
fn what_was_played_is_kept_as_a_scenario_in_one_step() {
    let mut window = played(20);
    window.command(Command::SaveScenario);
    let path = doc("scenarios/courtyard_played_1.ron");
    let editor = window.editor();
    let Some(Document::Scenario(scenario)) = editor.project().doc(&path).map(|doc| &**doc) else {
        panic!("no scenario")
    };
    assert_eq!((&*scenario.level, scenario.secs), ("courtyard", 19.0 / 64.0));
    assert!(!scenario.expect.is_empty(), "the player is somewhere");
    // It is no live change: it stays when the preview ends.
    window.command(Command::Stop);
    assert!(window.editor().project().doc(&path).is_some());
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(window.editor().project().doc(&path).is_none());
}

#[test]
fn the_level_is_played_from_where_the_menu_or_the_pointer_is() {
    let mut window = Window::sample_sized([1440.0, 900.0]);
    let place = |window: &Window| {
        let preview = window.editor().preview().expect("it plays");
        preview.session.world().player().map(|player| [player.pos.x, player.pos.y]).unwrap()
    };
    let at = window.cell([9, 2]);
    window.right_click_at(at);
    let chosen = window.editor().view().menu.as_ref().unwrap().at;
    window.act(Action::Preview(PreviewAction::PlayFrom(chosen)));
    window.until("it plays", |window| window.editor().preview().is_some());
    window.command(Command::PlayPause);
    window.settle();
    let near = |[x, y]: [f32; 2], [a, b]: [f64; 2]| (f64::from(x) - a).hypot(f64::from(y) - b) < 24.0;
    assert!(near(place(&window), chosen), "{:?}", place(&window));
    // Again by key, where the pointer is now.
    let at = window.cell([14, 2]);
    window.point(at);
    let pointed = window.editor().view().pointer.as_ref().unwrap().pos;
    window.key(Modifiers::ALT, Key::F5);
    window.until("it began again", |window| near(place(window), pointed));
}
