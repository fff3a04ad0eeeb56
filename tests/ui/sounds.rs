//! Sounds in the window: chosen from the project's files as these come and go; and what is said without the feature
//! `sound`.

use std::fs;

use egui::{Key, Modifiers};
use egui_kittest::kittest::NodeT as _;
use levelwright::{
    editor::{Action, Command, Selection},
    model::Name,
};

use crate::window::{Window, doc};

const SCHEMA: &str = r#"(components: { "Alarm": (fields: { "tone": (type: Sound, doc: "What it sounds like.") }) })"#;
const DEFS: &str = r#"{ "siren": (set: (Alarm: (tone: "sounds/siren.wav"))) }"#;

/// The sample game with a siren whose sound is not there.
fn siren() -> Window {
    let mut window = Window::changed([1440.0, 900.0], |folder| {
        fs::write(folder.join("schemas/alarm.ron"), SCHEMA).unwrap();
        fs::write(folder.join("entities/siren.ron"), DEFS).unwrap();
    });
    let siren = Selection::definition(doc("entities/siren.ron"), Name::from("siren"));
    window.act(Action::Select(siren));
    window
}

fn n_missing(window: &Window) -> usize {
    window.editor().problems().iter().filter(|it| *it.problem.finding.rule == *"sound-missing").count()
}

#[test]
fn a_sound_is_chosen_from_the_files_as_they_come_and_go() {
    let mut window = siren();
    assert_eq!(n_missing(&window), 1, "those of the sample game are there");
    assert!(window.has("Alarm.tone: there is no sounds/siren.wav"));
    assert!(!window.has("Play sounds/siren.wav"));
    fs::copy(window.file("sounds/bell.wav"), window.file("sounds/siren.wav")).unwrap();
    window.until("it is there", |window| n_missing(window) == 0);
    assert!(window.has("Play sounds/siren.wav"));
    window.press("Alarm.tone");
    window.harness.run_steps(2);
    window.find("Search Alarm.tone").type_text("boom");
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Enter);
    let tone = window.editor().resolution().defs["siren"].get("Alarm", "tone").cloned();
    assert_eq!(tone.unwrap().as_str(), Some("sounds/boom.wav"));
    fs::remove_file(window.file("sounds/boom.wav")).unwrap();
    // The siren's, and that of the kegs.
    window.until("it is gone", |window| n_missing(window) == 2);
}

#[test]
fn sounds_are_muted_where_they_can_be_heard() {
    let mut window = siren();
    fs::copy(window.file("sounds/bell.wav"), window.file("sounds/siren.wav")).unwrap();
    window.until("it is there", |window| n_missing(window) == 0);
    let is_built_in = cfg!(feature = "sound");
    let is_disabled = window.find("Play sounds/siren.wav").accesskit_node().is_disabled();
    assert_eq!(is_disabled, !is_built_in);
    window.key(Modifiers::SHIFT, Key::M);
    assert_eq!(window.editor().view().is_muted, is_built_in);
    if !is_built_in {
        assert!(
            window.editor().notice().is_some_and(|it| it.contains("--features sound")),
            "{:?}",
            window.editor().notice()
        );
    }
    // Playing goes on as always.
    window.command(Command::PlayPause);
    window.until("it plays", |window| window.editor().preview().is_some_and(|it| it.session.world().tick() > 20));
}
