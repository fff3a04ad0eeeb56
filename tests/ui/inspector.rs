//! The Inspector: a field of a definition set, shown as its own, and given back to whom it was inherited from.

use egui::{Key, Modifiers, accesskit::Role};
use levelwright::{
    model::Name,
    ui::{Action, Command, Selection},
};

use crate::window::{Window, courtyard, doc};

fn select_def(window: &mut Window, file: &str, name: &str) {
    window.act(Action::Select(Selection::definition(doc(file), name.into())));
}

fn speed(window: &Window, def: &str) -> f64 {
    window.editor().resolution().defs[def].f64("Walker", "speed").unwrap()
}

#[test]
fn a_field_becomes_own_and_is_reset_to_inherited() {
    let mut window = Window::sample();
    select_def(&mut window, "entities/goblins.ron", "bomb_goblin");
    let armor = |window: &Window| window.editor().resolution().defs["bomb_goblin"].f64("Shield", "armor").unwrap();
    let inherited = armor(&window);
    assert!(window.has("Shield.armor is inherited"));
    assert!(!window.has("Reset Shield.armor"));

    window.fill("Shield.armor", "7");
    assert!((armor(&window) - 7.0).abs() < 1e-9, "{}", armor(&window));
    assert!(window.has("Shield.armor is own"));
    assert_eq!(window.editor().history().n_done(), 1, "typing a number is one step");
    assert_eq!(window.editor().unsaved(), [doc("entities/goblins.ron")]);

    window.press("Reset Shield.armor");
    assert!((armor(&window) - inherited).abs() < 1e-9);
    assert!(window.has("Shield.armor is inherited"));
    window.key(Modifiers::COMMAND, Key::Z);
    assert!((armor(&window) - 7.0).abs() < 1e-9);
}

#[test]
fn who_inherits_follows() {
    let mut window = Window::sample();
    let chief = speed(&window, "chief");
    select_def(&mut window, "entities/goblins.ron", "fast_goblin");
    window.fill("Walker.speed", "190");
    let fast = speed(&window, "fast_goblin");
    assert!((fast - 190.0).abs() < 1e-9, "{fast}");
    assert!((speed(&window, "chief") - chief * 2.0).abs() < 1e-6, "the chief has a share of it");
}

#[test]
fn escape_leaves_a_typed_number_as_it_was() {
    let mut window = Window::sample();
    select_def(&mut window, "entities/goblins.ron", "goblin");
    let before = speed(&window, "goblin");
    window.find("Walker.speed").focus();
    window.harness.run_steps(2);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.run_steps(2);
    window.find("Walker.speed").type_text("13");
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Escape);
    assert!((speed(&window, "goblin") - before).abs() < 1e-9, "{} instead of {before}", speed(&window, "goblin"));
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn a_placed_entity_has_fields_of_its_own() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] }));
    assert!(window.has("Walker.speed is inherited"));
    window.fill("Walker.speed", "12");
    assert!(window.has("Walker.speed is of this placed entity"));
    let (_, level) = window.level();
    let (layer, instance) = level.entity("zzw7jh").unwrap();
    let id: Name = "zzw7jh".into();
    let (resolved, _) = window.editor().resolution().instance(&courtyard(), layer, &id, instance);
    assert_eq!(resolved.f64("Walker", "speed"), Some(12.0));
    assert!((speed(&window, "goblin") - 12.0).abs() > 1.0, "the definition stays as it was");
}

#[test]
fn several_are_edited_as_one_step() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into(), "i9o4iv".into()] }));
    assert!(window.says("2 entities"));
    window.fill("Walker.speed", "33");
    let (_, level) = window.level();
    for id in ["zzw7jh", "i9o4iv"] {
        let (layer, instance) = level.entity(id).unwrap();
        let (resolved, _) = window.editor().resolution().instance(&courtyard(), layer, &id.into(), instance);
        assert_eq!(resolved.f64("Walker", "speed"), Some(33.0), "{id}");
    }
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn several_definitions_are_chosen_and_edited_as_one_step() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, "entities/goblins.ron", "goblin");
    let click = |window: &mut Window, modifiers: Modifiers, row: &str| {
        window.find_role(Role::ListItem, row).click_modifiers(modifiers);
        window.harness.run_steps(2);
        window.settle();
    };
    click(&mut window, Modifiers::COMMAND, "veteran");
    let names = |window: &Window| -> Vec<String> {
        window.editor().selection().definitions().iter().map(|(_, name)| name.to_string()).collect()
    };
    assert_eq!(names(&window), ["goblin", "veteran"]);
    assert!(window.says("2 definitions"));
    assert!(window.has("mixed"), "they differ in something");
    window.fill("Health.max", "9");
    for def in ["goblin", "veteran"] {
        assert_eq!(window.editor().resolution().defs[def].f64("Health", "max"), Some(9.0), "{def}");
    }
    assert_eq!(window.editor().history().n_done(), 1);
    window.command(Command::Duplicate);
    assert_eq!(window.editor().history().n_done(), 2, "one step");
    assert_eq!(names(&window).len(), 2);
    assert!(names(&window).iter().all(|name| window.editor().resolution().defs.contains_key(name.as_str())));
    window.command(Command::Delete);
    assert_eq!(window.editor().history().n_done(), 3, "one step");
    assert!(window.editor().selection().is_empty());

    select_def(&mut window, "entities/goblins.ron", "goblin");
    click(&mut window, Modifiers::SHIFT, "fast_goblin");
    let reached = names(&window);
    assert_eq!(
        (reached.first().map(String::as_str), reached.last().map(String::as_str)),
        (Some("goblin"), Some("fast_goblin"))
    );
    assert!(reached.len() > 2, "the definitions between them too: {reached:?}");
}
