//! Constants: tried while the game plays and kept only when asked; compared, marked, reset, made and described.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use levelwright::{
    edit::{Edit, Phase},
    editor::{Action, Command, Pane},
    model::{FieldPath, TuningSide, Value},
};

use crate::window::{Window, doc};

const DAMAGE: &str = "Combat.player_damage";

fn pane(size: [f32; 2]) -> Window {
    let mut window = Window::sample_sized(size);
    window.act(Action::ShowPane(Pane::Tuning));
    window
}

/// What the running world has.
fn running(window: &Window, name: &str) -> f64 {
    window.editor().preview().unwrap().session.world().tunable(name).and_then(Value::as_f64).unwrap()
}

/// Steps that changed a file: those that tried something out are none.
fn n_file_steps(window: &Window) -> usize {
    window.editor().history().steps().filter(|(is_done, step)| *is_done && !step.is_of_overlay_alone()).count()
}

/// What the project says.
fn said(window: &Window, file: &str, name: &str) -> f64 {
    window.editor().project().tuning(&doc(file)).unwrap().values[name].value.as_f64().unwrap()
}

fn damage(window: &Window) -> f64 {
    said(window, "tuning/combat.ron", "player_damage")
}

/// The grip of a slider is somewhere on it; a drag may begin anywhere.
fn drag(window: &mut Window, name: &str, by: f32, modifiers: Modifiers) {
    let from = window.find_role(Role::Slider, name).rect().center();
    let button = |pressed, pos: Pos2| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
    window.harness.event(Event::ModifiersChanged(modifiers));
    window.point(from);
    window.harness.event(button(true, from));
    window.harness.run_steps(2);
    for share in [0.5, 1.0] {
        window.point(from + vec2(by * share, 0.0));
    }
    window.harness.event(button(false, from + vec2(by, 0.0)));
    window.harness.run_steps(2);
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
}

#[test]
fn what_is_turned_while_it_plays_is_tried_and_the_file_stays() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    let slider = window.find_role(Role::Slider, DAMAGE).rect();
    let (from, to) = (slider.center(), slider.center() + vec2(60.0, 0.0));
    window.drag_to(from, &[to]);
    let held = running(&window, DAMAGE);
    assert!(held > 9.0, "it turns while the button is down, not when it is let go: {held}");
    window.button(to, false);
    window.settle();
    assert_eq!(running(&window, DAMAGE), held);
    assert_eq!(damage(&window), 8.0, "the project does not say it");
    assert!(window.editor().unsaved().is_empty() && n_file_steps(&window) == 0);
    assert!(window.says(&format!("trying {held:?} hp (file: 8.0 hp)")));
    assert!(window.says("1 value is being tried out"));

    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(running(&window, DAMAGE), 8.0, "undo takes the whole drag back");
    window.key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(running(&window, DAMAGE), held);

    window.command(Command::Stop);
    assert_eq!(window.editor().notice(), Some("1 value still tried out: keep or drop in Tuning"));
    assert!(window.says("1 value is being tried out"), "it is not lost with the preview");
    window.command(Command::Show(Pane::Inspector));
    assert!(!window.says("1 value is being tried out"), "another pane is in front");
    window.click("1 value tried out");
    assert!(window.says("1 value is being tried out"), "the status line leads to it");
    assert_eq!(damage(&window), 8.0, "and not written either");
    window.command(Command::StepTick);
    assert_eq!(running(&window, DAMAGE), held, "the next run begins with it");
}

#[test]
fn keep_writes_one_number_and_undo_tries_it_again() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let tried = running(&window, DAMAGE);
    let before = std::fs::read_to_string(window.file("tuning/combat.ron")).unwrap();
    window.click(&format!("Keep {DAMAGE}"));
    assert_eq!((damage(&window), running(&window, DAMAGE)), (tried, tried));
    assert_eq!(n_file_steps(&window), 1, "one step");
    assert!(window.editor().project().tuning_overlay.is_empty());
    window.command(Command::SaveAll);
    let after = std::fs::read_to_string(window.file("tuning/combat.ron")).unwrap();
    assert_eq!(after, before.replacen("value: 8.0", &format!("value: {tried:?}"), 1));
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!((damage(&window), running(&window, DAMAGE)), (8.0, tried), "not kept, and tried as before");
}

#[test]
fn after_a_drag_of_something_else_what_was_taken_back_is_not_tried_again() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(running(&window, DAMAGE), 8.0);
    let edit =
        Edit::set_at(&doc("tuning/combat.ron"), FieldPath::keys(["values", "hurt_secs", "value"]), &Value::from(1.0));
    window.act(Action::Gesture { label: "Pull".into(), edits: vec![edit], phase: Phase::Commit });
    assert_eq!(n_file_steps(&window), 1);
    window.command(Command::Redo);
    assert_eq!(running(&window, DAMAGE), 8.0);
}

#[test]
fn all_are_kept_as_one_step_or_dropped() {
    let mut window = pane([1440.0, 1400.0]);
    window.command(Command::StepTick);
    for name in [DAMAGE, "Combat.blast_radius", "Combat.crit_scale"] {
        drag(&mut window, name, 40.0, Modifiers::NONE);
    }
    assert!(window.says("3 values are being tried"));
    window.click(&format!("Drop {DAMAGE}"));
    assert_eq!(running(&window, DAMAGE), 8.0);
    window.click("Keep all");
    assert_eq!(n_file_steps(&window), 1);
    assert!(said(&window, "tuning/combat.ron", "blast_radius") > 44.0);
    assert_eq!(damage(&window), 8.0);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    window.click("Drop all");
    assert_eq!(running(&window, DAMAGE), 8.0);
    assert!(!window.has("Keep all"));
}

#[test]
fn with_nothing_playing_a_slider_edits_the_project() {
    let mut window = pane([1440.0, 900.0]);
    assert!(!window.says("being tried"));
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    assert!(damage(&window) > 9.0);
    assert_eq!(n_file_steps(&window), 1, "a drag is one step");
    assert!(window.editor().project().tuning_overlay.is_empty());
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(damage(&window), 8.0);
    // One that no file says yet gets its page's file, with its value alone.
    window.fill("Search constants", "jump_ahead");
    drag(&mut window, "Steering.jump_ahead", 20.0, Modifiers::NONE);
    let page = window.editor().project().tuning(&doc("tuning/steering.ron")).unwrap();
    assert_eq!((page.values.len(), page.values["jump_ahead"].max), (1, None));
    assert_eq!(n_file_steps(&window), 1);
    // A drag that comes back to where it began is no step.
    let at = window.find_role(Role::Slider, "Steering.jump_ahead").rect().center();
    window.drag(at, &[at + vec2(20.0, 0.0), at]);
    assert_eq!(n_file_steps(&window), 1);
}

#[test]
fn the_hand_decides_how_fine_it_turns() {
    let mut window = pane([1440.0, 900.0]);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let plain = damage(&window) - 8.0;
    window.key(Modifiers::COMMAND, Key::Z);
    drag(&mut window, DAMAGE, 40.0, Modifiers::SHIFT);
    let fine = damage(&window) - 8.0;
    assert!((fine * 10.0 - plain).abs() < plain * 0.1, "{fine} is a tenth of {plain}");
    window.key(Modifiers::COMMAND, Key::Z);
    drag(&mut window, DAMAGE, 41.0, Modifiers::COMMAND);
    let snapped = damage(&window);
    assert!(snapped > 9.0 && (snapped * 2.0).fract() == 0.0, "{snapped} is on a step of 0.5");
    window.fill(&format!("{DAMAGE} value"), "12.25");
    assert_eq!(damage(&window), 12.25, "what is typed is meant");
}

#[test]
fn a_and_b_change_the_running_world_at_once() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let b = running(&window, DAMAGE);
    window.key(Modifiers::NONE, Key::Backtick);
    assert_eq!(running(&window, DAMAGE), 8.0, "A is what the files say");
    window.key(Modifiers::NONE, Key::Backtick);
    assert_eq!(running(&window, DAMAGE), b);
    window.click("Play with A");
    drag(&mut window, DAMAGE, -20.0, Modifiers::NONE);
    let a = running(&window, DAMAGE);
    assert!(a < 8.0, "what is heard is turned");
    window.click("Page A and B");
    assert!(window.says("B − A"));
    window.press(&format!("Keep {DAMAGE} of B"));
    assert_eq!((damage(&window), running(&window, DAMAGE)), (b, a), "B is kept, A plays on");
    let overlay = window.editor().project().tuning_overlay.clone();
    assert!(overlay.values(TuningSide::B).is_empty() && overlay.side(window.editor().tuning().active) == TuningSide::A);
    window.click("More about sets of values");
    window.click("Copy A to B");
    window.click("Play with B");
    assert_eq!(running(&window, DAMAGE), a);
}

#[test]
fn sets_are_put_aside_and_taken_up() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let hard = running(&window, DAMAGE);
    window.click("More about sets of values");
    window.fill("Store as", "hard");
    window.click("Drop all");
    assert_eq!(running(&window, DAMAGE), 8.0);
    if !window.has("Load hard as B") {
        window.click("More about sets of values");
    }
    window.click("Load hard as B");
    assert_eq!(running(&window, DAMAGE), hard);
    assert_eq!(window.editor().project().tuning_overlay.title(TuningSide::B), "hard");
}

#[test]
fn a_file_that_changes_while_values_are_tried_leaves_them() {
    let mut window = pane([1440.0, 900.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let tried = running(&window, DAMAGE);
    window.edit_outside("tuning/combat.ron", "value: 8.0", "value: 6.5");
    window.until("the file is read", |window| damage(window) == 6.5);
    window.settle();
    assert_eq!(running(&window, DAMAGE), tried);
    assert!(window.says("(file: 6.5 hp)"));
    // The constant vanishes and its value is held until it comes back.
    window.edit_outside("tuning/combat.ron", "\"player_damage\": (value: 6.5", "\"damage\": (value: 6.5");
    window.until("it is gone", |window| window.says(&format!("{DAMAGE} is gone")));
    assert!(window.has("Combat.damage value"), "and the new one is there");
    window.edit_outside("tuning/combat.ron", "\"damage\": (value: 6.5", "\"player_damage\": (value: 7.0");
    window.until("it is back", |window| window.says("(file: 7.0 hp)"));
    window.settle();
    assert_eq!(running(&window, DAMAGE), tried);
}

#[test]
fn bookmarks_are_at_hand() {
    let mut window = pane([1440.0, 900.0]);
    window.press(&format!("Bookmark {DAMAGE}"));
    assert!(window.has("Page Bookmarks"));
    drag(&mut window, &format!("{DAMAGE} (bookmark)"), 30.0, Modifiers::NONE);
    assert!(damage(&window) > 8.0, "a bookmark is the constant itself");
    window.press(&format!("Forget {DAMAGE}"));
    assert!(!window.has("Page Bookmarks"));
}

#[test]
fn reset_goes_back_to_the_file_then_to_the_built_in() {
    let mut window = pane([1440.0, 1400.0]);
    window.click("Page Camera");
    let name = "Camera.smooth_time";
    let file = |window: &Window| said(window, "tuning/camera.ron", "smooth_time");
    window.command(Command::StepTick);
    drag(&mut window, name, 40.0, Modifiers::NONE);
    window.press(&format!("Reset {name}"));
    assert_eq!(running(&window, name), 0.35, "the file's");
    window.press(&format!("Reset {name}"));
    assert_eq!(running(&window, name), 0.3, "the built-in one");
    assert_eq!(file(&window), 0.35, "tried, not written");
    window.command(Command::Stop);
    window.click("Drop all");
    window.press(&format!("Reset {name}"));
    assert_eq!(file(&window), 0.3);
}

#[test]
fn a_page_and_its_constants_are_made_described_renamed_and_deleted() {
    let mut window = pane([1440.0, 1400.0]);
    window.click("New tuning page");
    window.fill("Name of the new page", "Feel");
    assert!(window.has("Page Feel"), "{:?}", window.editor().notice());
    window.press("Add constant to Feel");
    for (field, text) in [
        ("constant.min", "2"),
        ("constant.max", "20"),
        ("constant.step", "0.5"),
        ("constant.unit", "px"),
        ("constant.doc", "How far it goes."),
    ] {
        window.find(field).focus();
        window.harness.step();
        window.find(field).type_text(text);
        window.harness.step();
    }
    window.fill("Name of the constant", "reach");
    let page = window.editor().project().tuning(&doc("tuning/feel.ron")).unwrap().clone();
    let made = &page.values["reach"];
    assert_eq!((made.value.as_f64(), made.min, made.max, made.step), (Some(2.0), Some(2.0), Some(20.0), Some(0.5)));
    assert_eq!((made.unit.as_deref(), &*made.doc), (Some("px"), "How far it goes."));
    assert!(page.order > 20, "after the others");
    window.press("More about Feel.reach");
    window.press("Edit properties");
    window.fill("Name of the constant", "range");
    let values = window.editor().project().tuning(&doc("tuning/feel.ron")).unwrap().values.clone();
    assert!(values.contains_key("range") && !values.contains_key("reach"));
    window.press("More about Feel.range");
    window.press("Delete constant");
    assert!(window.editor().project().tuning(&doc("tuning/feel.ron")).unwrap().values.is_empty());
    // Past the built-in pages Controls and Solver, then past the game's own.
    for _ in 0..3 {
        window.press("More about page Feel");
        window.press("Move up");
    }
    let order = |file: &str| window.editor().project().tuning(&doc(file)).unwrap().order;
    assert!(order("tuning/feel.ron") < order("tuning/game.ron"));
}

#[test]
fn every_kind_of_value_has_an_editor() {
    let text = r##"(page: "Kinds", order: 1, values: {
        "flag": (value: true),
        "count": (value: 3, min: 0.0, max: 9.0),
        "words": (value: "hello"),
        "place": (value: (1.0, 2.0)),
        "tint": (value: "#ff8800"),
        "team": (value: Dynamic),
        "waves": (value: [1, 2, 3]),
    })"##;
    let mut window = Window::changed([1440.0, 1400.0], |root| {
        std::fs::write(root.join("tuning/kinds.ron"), text).unwrap();
    });
    window.act(Action::ShowPane(Pane::Tuning));
    window.click("Page Kinds");
    window.click_role(Role::CheckBox, "Kinds.flag");
    window.fill("Kinds.words", "bye");
    window.fill("Kinds.place x", "7");
    window.fill("Kinds.tint hex", "#00ff00");
    window.fill("Kinds.waves", "[4, 5]");
    window.click_role(Role::ComboBox, "Kinds.team");
    window.click("Static");
    let values = window.editor().project().tuning(&doc("tuning/kinds.ron")).unwrap().values.clone();
    let shown: Vec<String> = values.values().map(|it| it.value.to_string()).collect();
    assert_eq!(shown, ["false", "3", "\"bye\"", "(7.0, 2.0)", "\"#00ff00\"", "Static", "[4, 5]"]);
    window.fill("Kinds.waves", "[4, 5");
    assert!(window.editor().notice().is_some_and(|why| why.starts_with("Kinds.waves stays as it is")));
}

#[test]
fn smoothing_is_plotted_beside_its_constants() {
    let mut window = pane([1440.0, 1400.0]);
    window.click("Page Camera");
    assert!(window.says("rises in") && window.says("no overshoot · settles in"));
    window.click("Ramp response of Camera.smooth_time");
    let behind = |window: &Window| {
        let node = window.harness.query_all_by_label_contains("s behind").next().unwrap();
        let text = node.accesskit_node().label().or(node.accesskit_node().value()).unwrap();
        text.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!((behind(&window) - 0.35).abs() < 0.02, "about as long as its smooth time: {}", behind(&window));
    window.fill("Camera.smooth_time value", "0.7");
    assert!((behind(&window) - 0.7).abs() < 0.02, "it follows the constant: {}", behind(&window));
    window.command(Command::StepTick);
    drag(&mut window, "Camera.smooth_time", -20.0, Modifiers::NONE);
    assert!(window.says("A: 0.") && window.says("B: 0."), "both sets are drawn");
}

#[test]
fn a_component_that_smooths_is_plotted_under_its_fields() {
    let mut window = Window::sample_sized([1440.0, 1400.0]);
    let all = vec![(doc("entities/bats.ron"), "bat".into())];
    window.act(Action::Select(levelwright::editor::Selection::Definitions { all }));
    assert!(!window.says("rises in"), "folded until one wants it");
    window.press("Response of Flyer");
    assert!(window.says("rises in"));
}

#[test]
fn what_is_tried_is_in_the_history() {
    let mut window = pane([1440.0, 900.0]);
    let edit =
        Edit::set_at(&doc("tuning/combat.ron"), FieldPath::keys(["values", "hurt_secs", "value"]), &Value::from(1.0));
    window.act(Action::Edit(edit));
    window.command(Command::StepTick);
    let set = |value: f64| levelwright::editor::TuneAction::Set {
        name: DAMAGE.into(),
        value: Value::Float(value),
        phase: Phase::Commit,
    };
    window.act(Action::Tune(set(12.0)));
    window.act(Action::Tune(set(14.5)));
    window.command(Command::Show(Pane::History));
    assert!(window.has("Try Combat.player_damage 8.0 → 12.0 hp"));
    assert!(window.has("Try Combat.player_damage 12.0 → 14.5 hp"));
    window.click("Try Combat.player_damage 8.0 → 12.0 hp");
    assert_eq!(running(&window, DAMAGE), 12.0);
    window.click("As opened");
    assert_eq!((running(&window, DAMAGE), running(&window, "Combat.hurt_secs")), (8.0, 0.6));
    window.click("Try Combat.player_damage 12.0 → 14.5 hp");
    assert_eq!((running(&window, DAMAGE), running(&window, "Combat.hurt_secs")), (14.5, 1.0));
}

#[test]
fn a_page_is_renamed_with_what_is_tried_of_it() {
    let mut window = pane([1440.0, 1200.0]);
    window.command(Command::StepTick);
    drag(&mut window, DAMAGE, 40.0, Modifiers::NONE);
    let tried = running(&window, DAMAGE);
    window.press("More about page Combat");
    window.press("Rename…");
    assert!(window.says("Rename page Combat"));
    window.fill("New name", "Fight");
    assert_eq!(running(&window, "Fight.player_damage"), tried);
    assert!(window.has("Keep Fight.player_damage"));
    window.command(Command::Undo);
    assert_eq!(running(&window, DAMAGE), tried);
}
