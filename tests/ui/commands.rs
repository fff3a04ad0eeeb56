//! Every command and every pane, one loop each: both sets are closed, so nothing is left out by forgetting it.

use std::collections::BTreeMap;

use egui::{Key, Modifiers};
use levelwright::{
    edit::Stamp,
    editor::{Action, Command, Dialog, DialogAnswer, Pane, Selection, ViewChange},
    model::Tile,
    tools::ToolKind,
    ui::CommandLook as _,
};

use crate::window::{Window, courtyard, doc};

#[test]
fn commands_have_words_and_keys_of_their_own() {
    let mut texts = BTreeMap::new();
    let mut keys = BTreeMap::new();
    for command in Command::all() {
        let spec = command.spec();
        assert!(texts.insert(spec.text, command).is_none(), "two commands are called {:?}", spec.text);
        assert!(!spec.tip.is_empty() && !spec.tip.ends_with('.'), "{command:?}: {:?}", spec.tip);
        assert!(spec.text.starts_with(char::is_uppercase), "{:?}", spec.text);
        if let Some(shortcut) = spec.keys {
            let said = format!("{:?} {:?}", shortcut.modifiers, shortcut.logical_key);
            if let Some(other) = keys.insert(said, command) {
                panic!("{command:?} and {other:?} have the same keys");
            }
        }
    }
    assert_eq!(Command::all().count(), texts.len());
}

#[test]
fn every_command_runs_or_says_why_not() {
    let mut window = Window::sample();
    let mut n_refused = 0;
    for command in Command::all().filter(|command| *command != Command::Quit) {
        let refusal = window.app().refusal(command);
        window.app().send(Action::Command(command));
        window.harness.run_steps(3);
        if let Some(why) = refusal {
            n_refused += 1;
            assert_eq!(window.editor().notice(), Some(&*why), "{command:?}");
            assert!(why.starts_with(char::is_uppercase), "{command:?}: {why}");
        }
        if window.editor().dialog().is_some() {
            window.act(Action::Dialog(DialogAnswer::Cancel));
        }
        assert!(window.editor().dialog().is_none(), "{command:?} leaves a dialog open");
    }
    assert!(n_refused > 5, "with nothing selected and nothing done, much makes no sense");
    window.settle();
}

#[test]
fn every_command_runs_on_a_selection_while_it_plays() {
    let mut window = Window::sample();
    window.command(Command::SelectAll);
    window.command(Command::Duplicate);
    window.command(Command::PlayPause);
    for command in Command::all().filter(|command| *command != Command::Quit) {
        window.app().send(Action::Command(command));
        window.harness.run_steps(2);
        window.app().send(Action::Dialog(DialogAnswer::Cancel));
        window.harness.run_steps(2);
    }
    window.command(Command::Stop);
    window.settle();
}

#[test]
fn every_tool_has_a_key_a_button_and_a_hint() {
    let mut window = Window::sample();
    // Or they would say first what is to be chosen.
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(3)))));
    window.act(Action::View(ViewChange::PlaceDef("crate".into())));
    for tool in ToolKind::ALL {
        let other = if tool == ToolKind::Select { ToolKind::Pencil } else { ToolKind::Select };
        let spec = tool.spec();
        window.act(Action::Tool(other));
        window.key(Modifiers::NONE, Key::from_name(&spec.key.to_string()).unwrap());
        assert_eq!(window.editor().view().tool, tool, "by its key");
        assert!(window.has(spec.hint), "{tool:?}: its hint is shown before the pointer is in the level");
        window.act(Action::Tool(other));
        window.click(spec.name);
        assert_eq!(window.editor().view().tool, tool, "by its button");
    }
}

#[test]
fn an_ellipse_is_painted_and_a_tile_replaced_everywhere() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(3)))));
    let n_threes = |window: &Window| {
        let tiles = &window.level().1.layer("ground").unwrap().1.tiles().unwrap().tiles;
        tiles.iter().filter(|(_, tile)| tile.id() == Some(3)).count()
    };
    let before = n_threes(&window);
    window.act(Action::Tool(ToolKind::Ellipse));
    window.drag(window.cell([10, 3]), &[window.cell([14, 7])]);
    assert_eq!(n_threes(&window), before + 21, "5 × 5 cells without the corners");
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(4)))));
    window.act(Action::Tool(ToolKind::SameTile));
    window.click_at(window.cell([12, 5]));
    assert_eq!(n_threes(&window), 0, "each of them, wherever it is");
}

#[test]
fn the_random_brush_paints_by_weight() {
    let mut window = Window::sample();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    let stamp = Stamp::new([2, 1], vec![Tile::id_only(3), Tile::id_only(4)]).unwrap();
    window.act(Action::View(ViewChange::Stamp(stamp)));
    let paint = |window: &mut Window| {
        window.act(Action::Tool(ToolKind::Rectangle));
        window.drag(window.cell([10, 3]), &[window.cell([17, 6])]);
        let tiles = &window.level().1.layer("ground").unwrap().1.tiles().unwrap().tiles;
        let cells = (3..7).flat_map(|y| (10..18).map(move |x| [x, y]));
        cells.map(|cell| tiles.get(cell).id().unwrap()).collect::<Vec<_>>()
    };
    let in_order = paint(&mut window);
    assert_eq!(in_order, [3, 4].repeat(16));
    window.key(Modifiers::NONE, Key::Q);
    let at_random = paint(&mut window);
    assert!(at_random != in_order && at_random.contains(&3) && at_random.contains(&4), "{at_random:?}");
    window.click("Random brush");
    assert_eq!(paint(&mut window), in_order, "its button switches it off again");
}

#[test]
fn waypoints_are_suggested_in_one_step() {
    let mut window = Window::sample();
    let n_nodes = |window: &Window| window.level().1.layer("patrol").unwrap().1.waypoints().unwrap().nodes.len();
    let before = n_nodes(&window);
    window.command(Command::SuggestWaypoints);
    assert_eq!(window.editor().notice(), Some("Choose a waypoint layer that is shown and not locked first"));
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "patrol".into())));
    window.command(Command::SuggestWaypoints);
    assert!(n_nodes(&window) > before, "{:?}", window.editor().notice());
    assert_eq!(window.editor().history().n_done(), 1);
    assert_eq!(window.editor().selection().ids_in(&courtyard()).len(), n_nodes(&window) - before);
}

#[test]
fn every_pane_can_be_brought_to_the_front() {
    let mut window = Window::sample();
    for pane in Pane::ALL {
        window.act(Action::ShowPane(pane));
        let layout = window.app().layout();
        let id = layout.tiles.find_pane(&pane).unwrap();
        assert!(layout.active_tiles().contains(&id), "{pane:?} is not shown");
        assert!(window.says(pane.title()), "{pane:?} has no tab");
        assert_eq!(window.editor().history().n_done(), 0, "looking at {pane:?} is no edit");
    }
}

#[test]
fn longer_shortcuts_are_not_taken_for_shorter_ones() {
    let mut window = Window::sample();
    let shifted = Modifiers::COMMAND | Modifiers::SHIFT;
    window.key(Modifiers::COMMAND, Key::P);
    assert_eq!(window.editor().dialog(), Some(&Dialog::QuickOpen));
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().dialog(), None);
    window.key(shifted, Key::P);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Commands));
    window.key(Modifiers::NONE, Key::Escape);
    // W alone is the tool for waypoints.
    window.key(Modifiers::ALT, Key::W);
    assert_eq!(window.editor().view().tool, ToolKind::Select);
}

#[test]
fn the_palette_finds_commands_by_what_they_do_and_then_the_project() {
    let mut window = Window::sample();
    let find = |window: &mut Window, typed: &str| {
        window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        window.find("Find a command").type_text(typed);
        window.harness.run_steps(2);
    };
    find(&mut window, "themes");
    assert!(window.says("Switch theme"));
    window.key(Modifiers::NONE, Key::Escape);
    find(&mut window, "schemas/");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(*window.editor().selection(), Selection::Document(doc("schemas/game.ron")));
}

#[test]
fn the_palette_finds_a_command_and_runs_it() {
    let mut window = Window::sample();
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.find("Find a command").type_text("bucket");
    window.harness.run_steps(3);
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(window.editor().dialog(), None);
    assert_eq!(window.editor().view().tool, ToolKind::Bucket);
}

#[test]
fn a_key_of_an_unavailable_command_shows_the_reason() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::None));
    window.key(Modifiers::NONE, Key::F2);
    assert_eq!(window.editor().notice(), Some("Select a level, layer, definition, machine or state first"));
    window.key(Modifiers::COMMAND, Key::S);
    assert_eq!(window.editor().notice(), Some("There are no changes to save"));
}

#[test]
fn the_panes_stay_where_they_are_whichever_tool_is_in_hand() {
    for size in [[1000.0, 700.0], [1280.0, 720.0]] {
        let mut window = Window::sample_sized(size);
        let top = |window: &Window| window.find("Search the project").rect().top();
        let first = top(&window);
        for tool in ToolKind::ALL {
            window.command(Command::Tool(tool));
            assert!((top(&window) - first).abs() < 0.1, "{tool:?} in a window of {size:?}");
        }
    }
}
