//! The Inspector: a field of a definition set, shown as its own, and reset to the inherited value.

mod operations;
mod several;
mod shapes;
mod typing;

use egui::{Key, Modifiers, accesskit::Role};

use egui_kittest::kittest::{NodeT as _, Queryable as _};

use levelwright::{
    editor::{Action, Command, Selection},
    model::{Name, OpKind},
};

use crate::window::{GOBLINS, Window, courtyard, doc, speed};

fn select_def(window: &mut Window, file: &str, name: &str) {
    window.act(Action::Select(Selection::definition(doc(file), name.into())));
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
fn a_placed_entity_has_fields_of_its_own() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] }));
    assert!(window.has("Walker.speed is inherited"));
    window.fill("Walker.speed", "12");
    assert!(window.has("Walker.speed is of this placed entity"));
    let (_, level) = window.level();
    let (layer, instance) = level.entity("zzw7jh").unwrap();
    let id: Name = "zzw7jh".into();
    let at = level.layer_at(layer);
    let (resolved, _) = window.editor().resolution().instance(&courtyard(), &at, &id, instance);
    assert_eq!(resolved.f64("Walker", "speed"), Some(12.0));
    assert!((speed(&window, "goblin") - 12.0).abs() > 1.0, "the definition stays as it was");
}

/// Press the first button whose name begins like this.
fn press_like(window: &mut Window, start: &str) {
    let label = window.harness.query_all_by_label_contains(start).find_map(|node| {
        let label = node.accesskit_node().label()?;
        label.starts_with(start).then_some(label)
    });
    let label = label.unwrap_or_else(|| panic!("nothing begins with {start:?}"));
    window.press(&label);
}

fn value(window: &Window, def: &str, component: &str, field: &str) -> String {
    window.editor().resolution().defs[def].get(component, field).unwrap().to_string()
}

fn said(window: &Window, def: &str, op: OpKind, component: &str, field: &str) -> Option<String> {
    let def = window.editor().project().def(&doc(GOBLINS), def).unwrap();
    def.ops.declared(op, component, field).map(ToString::to_string)
}

#[test]
fn the_chain_names_who_what_and_which_line() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(window.says("A change affects"), "the impact is said in the heading");
    window.press("Health.max is own");
    assert!(window.says("× 0.5"));
    assert!(window.says("8.0 → 4.0"));
    press_like(&mut window, "Go to Health.max by monster in entities/goblins.ron:");
    assert_eq!(window.editor().selection().one_definition().map(|(_, name)| &**name), Some("monster"));
    assert_eq!(window.editor().history().n_done(), 0, "nothing was changed by looking");

    // A default of the game's own schema has its line too.
    select_def(&mut window, GOBLINS, "bomb_goblin");
    window.press("Shield.front_only is default");
    assert!(window.says("schemas/game.ron:"));
}

#[test]
fn a_field_that_is_wrong_is_marked_and_mended() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let file = root.join(GOBLINS);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("Shield: (armor: 1.0)", "Shield: (armor: 90.0)")).unwrap();
    });
    select_def(&mut window, GOBLINS, "goblin");
    assert!(window.says("Shield.armor: error"), "the mark says what is wrong");
    window.press("Shield.armor is own");
    let problem = window.editor().problems().iter().find(|it| it.problem.finding.message.contains("90")).unwrap();
    let fix = problem.problem.fixes[0].label.clone();
    window.press(&fix);
    assert!(!window.says("Shield.armor: error"));
}

#[test]
fn a_reference_to_nothing_is_mended_by_what_was_meant() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let file = root.join(GOBLINS);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("image: \"sprites/goblin.png\"", "image: \"sprites/gobbin.png\"")).unwrap();
    });
    select_def(&mut window, GOBLINS, "goblin");
    window.press("Sprite.image: there is no sprites/gobbin.png");
    assert_eq!(value(&window, "goblin", "Sprite", "image"), "\"sprites/goblin.png\"");
}

#[test]
fn a_component_that_no_schema_knows_is_at_home() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "goblin");
    window.press("Add component");
    window.find("Search components").type_text("Zeal");
    window.harness.run_steps(2);
    window.press("Add Zeal, which no schema declares");
    window.press("Add field to Zeal");
    window.find("Name of the field").type_text("joy");
    window.harness.run_steps(2);
    window.press("A number");
    window.fill("Zeal.joy", "0.5");
    assert_eq!(value(&window, "goblin", "Zeal", "joy"), "0.5");
    assert_eq!(said(&window, "goblin", OpKind::Set, "Zeal", "joy").as_deref(), Some("0.5"));
    assert!(window.has("Zeal.joy is own"));
}

/// The notice of a failed action disappears with the next action.
#[test]
fn a_notice_goes_when_it_no_longer_applies() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "bomb_goblin");
    window.fill("Shield.armor", "lots");
    assert!(window.says("`lots` is not a number"));
    window.fill("Shield.armor", "7");
    assert!(!window.says("`lots` is not a number"), "it was typed again");
}
