//! The window when it has little to show or little room: no project, an empty one, small sizes, long names, both
//! themes.

use std::fs;

use levelwright::editor::{Action, Command, Pane, Selection};

use crate::window::{Window, doc};

fn each_pane(window: &mut Window) {
    for pane in Pane::ALL {
        window.act(Action::ShowPane(pane));
    }
}

#[test]
fn without_a_project_it_says_how_to_begin() {
    let mut window = Window::on(tempfile::tempdir().unwrap(), [1440.0, 900.0]);
    assert!(window.says("No project is open"));
    assert!(window.has("Open project…") && window.has("New project…"));
    each_pane(&mut window);
    for command in Command::all().filter(|command| *command != Command::Quit) {
        window.app().send(Action::Command(command));
        window.harness.run_steps(2);
        window.act(Action::Dialog(levelwright::editor::DialogAnswer::Cancel));
    }
}

#[test]
fn an_empty_project_has_panes_that_say_how_to_begin() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("project.ron"), "(format: 1, name: \"Nothing yet\", start_level: \"\")\n").unwrap();
    let mut window = Window::on(folder, [1440.0, 900.0]);
    assert!(window.says("No level is open"));
    each_pane(&mut window);
    window.act(Action::ShowPane(Pane::Project));
    window.click("New level…");
    window.fill("Name of the new level", "level");
    assert!(window.editor().view().level.is_some(), "the new level is shown");
    window.click("New definition");
    assert!(window.editor().selection().one_definition().is_some());
    window.click("New machine…");
    assert!(window.says("new file machines/machine.ron"));
    window.fill("Name of the new machine", "brain");
    assert_eq!(window.editor().view().machine, Some((doc("machines/brain.ron"), "brain".into())));
    window.command(Command::SaveAll);
    assert!(window.editor().unsaved().is_empty(), "{:?}", window.editor().notice());
    assert!(window.file("levels/level.ron").is_file());
}

#[test]
fn a_small_window_shows_every_pane() {
    let mut window = Window::sample_sized([720.0, 480.0]);
    each_pane(&mut window);
    window.command(Command::PlayPause);
    window.harness.run_steps(4);
    window.command(Command::Stop);
    for command in [Command::CommandPalette, Command::QuickOpen, Command::Shortcuts, Command::About, Command::Export] {
        window.command(command);
        window.act(Action::Dialog(levelwright::editor::DialogAnswer::Cancel));
    }
    window.harness.set_size(egui::vec2(240.0, 120.0));
    each_pane(&mut window);
}

#[test]
fn long_names_fit() {
    let long = "a_very_long_name_indeed_that_nobody_would_type_".repeat(5);
    let level = format!("levels/{}.ron", &long[..180]);
    let mut window = Window::changed([1000.0, 700.0], |root| {
        fs::rename(root.join("levels/dungeon.ron"), root.join(&level)).unwrap();
        let entities = format!("{{ \"{long}\": (inherits: [\"goblin\"], set: (Walker: (speed: 9.0))) }}\n");
        fs::write(root.join("entities/long.ron"), entities).unwrap();
        let machines = format!("{{ \"{long}\": (initial: \"{long}\", states: {{ \"{long}\": () }}) }}\n");
        fs::write(root.join("machines/long.ron"), machines).unwrap();
    });
    window.act(Action::OpenLevel(doc(&level)));
    window.act(Action::Select(Selection::definition(doc("entities/long.ron"), long.as_str().into())));
    window.act(Action::OpenMachine { doc: doc("machines/long.ron"), name: long.as_str().into() });
    each_pane(&mut window);
    window.command(Command::Rename);
    assert!(window.editor().dialog().is_some());
}

#[test]
fn themes_change_and_the_layout_comes_back() {
    let mut window = Window::sample();
    assert!(window.app().theme().is_dark);
    window.command(Command::ToggleTheme);
    assert!(!window.app().theme().is_dark);
    assert!(!window.harness.ctx.global_style().visuals.dark_mode);
    window.command(Command::ToggleTheme);
    assert!(window.app().theme().is_dark);

    let shown = |window: &Window| window.app().layout().active_tiles();
    let first = shown(&window);
    window.act(Action::ShowPane(Pane::History));
    window.act(Action::ShowPane(Pane::Machine));
    assert_ne!(shown(&window), first);
    window.command(Command::ResetLayout);
    assert_eq!(shown(&window), first);
}
