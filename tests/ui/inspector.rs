//! The Inspector: a field of a definition set, shown as its own, and given back to whom it was inherited from.

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use levelwright::{
    model::{Name, OpKind},
    ui::{Action, Command, Selection},
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
    assert!(window.has("Walker.speed"), "it is selected still");
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
    def.ops.said(op, component, field).map(ToString::to_string)
}

#[test]
fn the_chain_names_who_what_and_which_line() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(window.says("A change reaches"), "the impact is said in the heading");
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
fn a_value_moves_up_and_is_copied_down() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    let (fast, chief) = (speed(&window, "fast_goblin"), speed(&window, "chief"));
    window.press("Walker.speed is own");
    press_like(&mut window, "Move up to goblin  (");
    assert!((speed(&window, "goblin") - fast).abs() < 1e-9);
    assert!((speed(&window, "fast_goblin") - fast).abs() < 1e-9 && (speed(&window, "chief") - chief).abs() < 1e-9);
    assert!(window.has("Walker.speed is inherited"));
    assert_eq!(window.editor().history().n_done(), 1);

    select_def(&mut window, GOBLINS, "goblin");
    window.press("Walker.speed is own");
    press_like(&mut window, "Copy down to");
    assert!(said(&window, "fast_goblin", OpKind::Set, "Walker", "speed").is_some());
    window.fill("Walker.speed", "20");
    assert!((speed(&window, "fast_goblin") - fast).abs() < 1e-9, "it does not follow any more");
}

#[test]
fn a_placed_entity_gives_its_value_to_its_definition() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] }));
    window.fill("Walker.speed", "12");
    window.press("Walker.speed is of this placed entity");
    press_like(&mut window, "Move up to goblin  (");
    assert!((speed(&window, "goblin") - 12.0).abs() < 1e-9);
    assert!(window.has("Walker.speed is inherited"));
}

#[test]
fn a_factor_is_edited_as_one_and_said_otherwise() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    window.fill("Health.max factor", "0.25");
    assert_eq!(value(&window, "fast_goblin", "Health", "max"), "2.0");
    assert_eq!(said(&window, "fast_goblin", OpKind::Scale, "Health", "max").as_deref(), Some("0.25"));
    window.press("Health.max is own");
    window.press("Say it as − 6.0");
    assert_eq!(said(&window, "fast_goblin", OpKind::Add, "Health", "max").as_deref(), Some("-6.0"));
    assert_eq!(value(&window, "fast_goblin", "Health", "max"), "2.0");
    window.press("Health.max is own");
    window.press("Say it as 2.0");
    assert_eq!(said(&window, "fast_goblin", OpKind::Set, "Health", "max").as_deref(), Some("2.0"));
    assert_eq!(value(&window, "fast_goblin", "Health", "max"), "2.0");
}

#[test]
fn a_list_is_a_difference_from_the_inherited_one() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert_eq!(value(&window, "fast_goblin", "Loot", "items"), "[\"earring\"]");
    window.press("Restore \"torch\" in Loot.items");
    assert_eq!(value(&window, "fast_goblin", "Loot", "items"), "[\"torch\", \"earring\"]");
    window.press("Remove Loot.items[1]");
    let def = window.editor().project().def(&doc(GOBLINS), "fast_goblin").unwrap().clone();
    assert!(def.ops.remove.iter().any(|entry| entry == "Loot.items[\"earring\"]"), "{:?}", def.ops.remove);
    window.press("Add to Loot.items");
    window.fill("Loot.items[1]", "cake");
    assert_eq!(said(&window, "fast_goblin", OpKind::Append, "Loot", "items").as_deref(), Some("[\"cake\"]"));
    assert_eq!(value(&window, "fast_goblin", "Loot", "items"), "[\"torch\", \"cake\"]");
    window.press("Loot.items is own");
    window.press("Replace the whole list");
    assert_eq!(said(&window, "fast_goblin", OpKind::Set, "Loot", "items").as_deref(), Some("[\"torch\", \"cake\"]"));
    assert!(window.says("does not follow the inherited one"));
}

#[test]
fn a_removed_component_is_shown_and_comes_back() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(!window.has("Remove Shield"));
    assert!(window.says("removed (from goblin)"));
    window.press("Restore Shield");
    assert!(window.has("Shield.armor is inherited"));
    window.press("Remove Shield");
    assert!(window.has("Restore Shield"));
}

#[test]
fn parts_of_a_map_are_said_and_reset_on_their_own() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(window.has("Sprite.clips.walk.secs is inherited"));
    window.fill("Sprite.clips.walk.secs", "0.2");
    assert!(window.has("Sprite.clips.walk.secs is own"));
    assert!(window.has("Sprite.clips.idle.secs is inherited"), "the rest is as it was");
    window.press("Reset Sprite.clips.walk.secs");
    assert!(window.has("Sprite.clips.walk.secs is inherited"));
    window.press("Remove Sprite.clips.hurt");
    let def = window.editor().project().def(&doc(GOBLINS), "fast_goblin").unwrap().clone();
    assert!(def.ops.remove.iter().any(|entry| entry == "Sprite.clips[\"hurt\"]"), "{:?}", def.ops.remove);
}

#[test]
fn an_entry_taken_from_a_map_is_shown_and_comes_back() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "fast_goblin");
    window.press("Remove Sprite.clips.hurt");
    assert!(!window.has("Remove Sprite.clips.hurt"));
    window.press("Restore Sprite.clips.hurt");
    let def = window.editor().project().def(&doc(GOBLINS), "fast_goblin").unwrap().clone();
    assert!(!def.ops.remove.iter().any(|entry| entry.starts_with("Sprite.clips")), "{:?}", def.ops.remove);
    assert_eq!(said(&window, "fast_goblin", OpKind::Set, "Sprite", "clips"), None, "it is inherited again");
}

#[test]
fn a_number_is_said_by_the_operation_that_is_typed() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "bomb_goblin");
    window.fill("Shield.armor", "×3");
    assert_eq!(said(&window, "bomb_goblin", OpKind::Scale, "Shield", "armor").as_deref(), Some("3.0"));
    assert_eq!(value(&window, "bomb_goblin", "Shield", "armor"), "3.0");
    // What is declared already is changed.
    window.fill("Shield.armor", "+0.5");
    assert_eq!(value(&window, "bomb_goblin", "Shield", "armor"), "3.5");
    assert_eq!(said(&window, "bomb_goblin", OpKind::Add, "Shield", "armor").as_deref(), Some("0.5"));
    window.fill("Shield.armor", "=7*0.5");
    assert_eq!(value(&window, "bomb_goblin", "Shield", "armor"), "3.5");
    window.fill("Shield.armor", "=8*2");
    assert_eq!(value(&window, "bomb_goblin", "Shield", "armor"), "16.0");
    window.fill("Shield.armor", "3.5");
    window.fill("Shield.armor", "lots");
    assert_eq!(value(&window, "bomb_goblin", "Shield", "armor"), "3.5");
    assert!(window.says("`lots` is not a number"));
}

#[test]
fn several_that_differ_lose_what_is_taken_from_one_and_keep_the_rest() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    let all = ["bomb_goblin", "fast_goblin"].map(|name| (doc(GOBLINS), Name::from(name)));
    window.act(Action::Select(Selection::Definitions { all: all.into() }));
    let was = value(&window, "fast_goblin", "Brain", "machines");
    assert!(was.contains("\"flinch\""), "{was}");
    let first = window.editor().resolution().defs["bomb_goblin"].get("Brain", "machines").unwrap().clone();
    let at = first.as_list().unwrap().iter().position(|it| it.as_str() == Some("flinch")).unwrap();
    window.press(&format!("Remove Brain.machines[{at}]"));
    assert_eq!(value(&window, "fast_goblin", "Brain", "machines"), was.replace("\"flinch\", ", ""));
    assert_eq!(said(&window, "fast_goblin", OpKind::Append, "Brain", "machines").as_deref(), Some("[\"panic\"]"));
    assert_eq!(said(&window, "fast_goblin", OpKind::Set, "Brain", "machines"), None, "it follows what it inherits");
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn one_of_many_is_found_by_typing() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "goblin");
    let choose = |window: &mut Window, field: &str, text: &str| {
        window.press(field);
        window.harness.run_steps(2);
        window.find(&format!("Search {field}")).type_text(text);
        window.harness.run_steps(2);
        window.key(Modifiers::NONE, Key::Enter);
    };
    choose(&mut window, "Team.side", "wil");
    assert_eq!(value(&window, "goblin", "Team", "side"), "Wild");
    choose(&mut window, "Sprite.image", "chief");
    assert_eq!(value(&window, "goblin", "Sprite", "image"), "\"sprites/chief.png\"");
    window.press("Team.side");
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::ArrowUp);
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(value(&window, "goblin", "Team", "side"), "Horde", "one above the current");
    window.press("Team.side");
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.has("Search Team.side"));
    assert!(window.editor().selection().one_definition().is_some(), "Escape closed the popup and nothing else");
    assert_eq!(value(&window, "goblin", "Team", "side"), "Horde");
    window.press("Go to goblin_brain");
    assert!(matches!(window.editor().selection(), Selection::Machine { .. }));
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

#[test]
fn a_shape_is_pulled_on_the_sprite() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "goblin");
    let before = value(&window, "goblin", "Collider", "shape");
    assert_eq!(before, "Capsule(radius: 5.0, height: 14.0)");
    window.find("Collider.shape bottom end").scroll_to_me();
    window.harness.run_steps(4);
    let at = window.find("Collider.shape bottom end").rect().center();
    let canvas = window.find("Collider.shape over the sprite").rect();
    assert!(canvas.contains(at), "{canvas:?} {at:?}");
    window.drag(at, &[at + egui::vec2(0.0, 12.0), at + egui::vec2(0.0, 30.0)]);
    let after = value(&window, "goblin", "Collider", "shape");
    assert_ne!(after, before);
    assert!(after.starts_with("Capsule(radius: 5.0, height: "), "{after}");
    assert_eq!(window.editor().history().n_done(), 1, "one pull is one step, the offset with it");
    assert_ne!(value(&window, "goblin", "Collider", "offset"), "(0.0, 2.0)", "the other end stayed");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(value(&window, "goblin", "Collider", "shape"), before);
}

#[test]
fn a_pulled_corner_stays_under_the_pointer() {
    let file = r#"{"crate": (set: (Collider: (shape: Box((16.0, 16.0)))))}"#;
    let mut window =
        Window::changed([1440.0, 900.0], |root| std::fs::write(root.join("entities/crate.ron"), file).unwrap());
    select_def(&mut window, "entities/crate.ron", "crate");
    let handle = "Collider.shape bottom right corner";
    window.find(handle).scroll_to_me();
    window.harness.run_steps(4);
    let at = window.find(handle).rect().center();
    let other = window.find("Collider.shape top left corner").rect().center();
    let scale = (at.x - other.x) / 16.0;
    // Far out in many steps, as a hand does; the box is as wide as the way says.
    let way = egui::vec2(48.0, 0.0);
    let places: Vec<_> = (1..=24u8).map(|i| at + way * (f32::from(i) / 24.0)).collect();
    window.drag(at, &places);
    let wide = 16.0 + (way.x / scale).round();
    assert_eq!(value(&window, "crate", "Collider", "shape"), format!("Box(({wide:.1}, 16.0))"));
}

#[test]
fn a_shape_that_cannot_be_read_stays_until_another_is_asked_for() {
    let file = r#"{"crate": (set: (Collider: (shape: Bocks((16.0, 16.0)))))}"#;
    let mut window =
        Window::changed([1440.0, 900.0], |root| std::fs::write(root.join("entities/crate.ron"), file).unwrap());
    select_def(&mut window, "entities/crate.ron", "crate");
    assert!(!window.has("Collider.shape width"));
    window.press("Use a box for Collider.shape");
    assert_eq!(value(&window, "crate", "Collider", "shape"), "Box((16.0, 16.0))");
    assert_eq!(window.editor().history().n_done(), 1);
}

/// Click a text field with the pointer and mark what is in it.
fn click_field(window: &mut Window, label: &str) {
    window.find_role(Role::TextInput, label).scroll_to_me();
    window.harness.run_steps(30);
    let at = window.find_role(Role::TextInput, label).rect().center();
    window.click_at(at);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.run_steps(2);
}

/// Click a text field with the pointer, replace what is in it, and press Enter.
fn type_into(window: &mut Window, label: &str, text: &str) {
    click_field(window, label);
    for c in text.chars() {
        window.harness.event(egui::Event::Text(c.to_string()));
        window.harness.run_steps(2);
    }
    window.key(Modifiers::NONE, Key::Enter);
}

#[test]
fn text_is_typed_into_a_field_that_was_clicked() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    type_into(&mut window, "Loot.items[0]", "cake");
    assert_eq!(value(&window, "goblin", "Loot", "items"), "[\"cake\", \"earring\"]");
    window.act(Action::Edits {
        label: "Add".to_owned(),
        edits: vec![levelwright::edit::Edit::set(
            levelwright::edit::Owner::Def { doc: doc(GOBLINS), name: "goblin".into() },
            "Zeal",
            "kind",
            levelwright::model::Value::str("fire"),
        )],
    });
    type_into(&mut window, "Zeal.kind", "ice");
    assert_eq!(value(&window, "goblin", "Zeal", "kind"), "\"ice\"");
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into()] }));
    type_into(&mut window, "Zeal.kind", "mud");
    assert!(window.has("Zeal.kind is of this placed entity"));
}

#[test]
fn what_is_half_typed_waits_while_another_window_is_at_the_front() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    click_field(&mut window, "Loot.items[0]");
    window.find("Loot.items[0]").type_text("cake");
    window.harness.run_steps(2);
    for is_focused in [false, true] {
        window.harness.input_mut().focused = is_focused;
        window.harness.event(egui::Event::WindowFocused(is_focused));
        window.harness.run_steps(3);
    }
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(value(&window, "goblin", "Loot", "items"), "[\"cake\", \"earring\"]");
}

#[test]
fn escape_in_a_text_field_leaves_the_selection() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    for field in ["Loot.items[0]", "Search fields"] {
        click_field(&mut window, field);
        window.find_role(Role::TextInput, field).type_text("e");
        window.harness.run_steps(2);
        window.key(Modifiers::NONE, Key::Escape);
        assert!(window.editor().selection().one_definition().is_some(), "{field}");
    }
    assert_eq!(window.editor().history().n_done(), 0);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().selection().is_empty(), "the next one is for the selection");
}

#[test]
fn what_was_added_to_a_list_is_edited_next() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    let n = window.editor().resolution().defs["goblin"].get("Loot", "items").unwrap().as_list().unwrap().len();
    window.press("Add to Loot.items");
    let new = format!("Loot.items[{n}]");
    assert!(window.find_role(Role::TextInput, &new).is_focused());
    window.find(&new).type_text("cake");
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Enter);
    assert!(value(&window, "goblin", "Loot", "items").ends_with("\"cake\"]"));
    assert!(!window.says("does not follow the inherited one"), "there is none");

    let machines = window.editor().resolution().defs["goblin"].get("Brain", "machines").unwrap();
    let n = machines.as_list().unwrap().len();
    window.press("Add to Brain.machines");
    assert!(window.has(&format!("Search Brain.machines[{n}]")), "the list to choose from is open");
}

#[test]
fn a_field_is_found_by_its_path() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    let search = |window: &mut Window, text: &str| {
        window.find_role(Role::TextInput, "Search fields").focus();
        window.harness.run_steps(2);
        window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.harness.run_steps(2);
        window.find("Search fields").type_text(text);
        window.harness.run_steps(4);
    };
    for query in ["Sprite.clips", "sprite clips", "sprite.clips.walk", "clips"] {
        search(&mut window, query);
        assert!(window.has("Sprite.clips is own") || window.has("Sprite.clips is inherited"), "{query}");
        assert!(!window.has("Sprite.image is own"), "{query}");
    }
    search(&mut window, "Sprite.nothing");
    assert!(window.says("No field by that name"));
}

#[test]
fn tab_goes_from_value_to_value_and_changes_nothing() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, GOBLINS, "goblin");
    window.find_role(Role::TextInput, "Search fields").focus();
    window.harness.run_steps(2);
    let mut way: Vec<String> = Vec::new();
    for _ in 0..40 {
        window.harness.key_press(Key::Tab);
        window.harness.run_steps(2);
        let all = window.harness.root().children_recursive();
        let focused =
            all.filter(|node| node.accesskit_node().is_focused()).filter_map(|it| it.accesskit_node().label());
        way.extend(focused.last());
    }
    let at = |name: &str| way.iter().position(|it| it == name).unwrap_or_else(|| panic!("{name} in {way:?}"));
    let fields = ["Body.kind", "Body.mass", "Body.gravity_scale", "Body.damping", "Body.velocity x", "Body.velocity y"];
    assert!(fields.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{way:?}");
    assert_eq!(window.editor().history().n_done(), 0, "a field that is only visited says nothing");
    assert!(window.editor().selection().one_definition().is_some());
}

#[test]
fn a_field_that_is_taken_away_is_struck_out_and_restored() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    assert_eq!(value(&window, "fast_goblin", "Loot", "gold"), "0");
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(window.has("removed") && !window.has("Reset Loot.gold"));
    window.press("Restore Loot.gold");
    assert_eq!(value(&window, "fast_goblin", "Loot", "gold"), value(&window, "goblin", "Loot", "gold"));
    assert!(!window.has("removed"));
}

/// Arithmetic on several that differ gives each its own result, which is shown before Enter.
#[test]
fn an_operation_typed_for_several_is_done_to_each() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    let names = ["bomb_goblin", "fast_goblin"];
    let all = names.map(|name| (doc(GOBLINS), Name::from(name)));
    window.act(Action::Select(Selection::Definitions { all: all.into() }));
    let health =
        |window: &Window| names.map(|name| window.editor().resolution().defs[name].f64("Health", "max").unwrap());
    let before = health(&window);
    assert!((before[0] - before[1]).abs() > 0.0, "they differ: {before:?}");
    window.find("Health.max").focus();
    window.harness.step();
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.step();
    window.find("Health.max").type_text("+10");
    window.harness.run_steps(2);
    for x in before {
        assert!(window.says(&format!("{x} → {}", x + 10.0)), "{x}");
    }
    assert_eq!(window.editor().history().n_done(), 0);
    window.harness.key_press(Key::Enter);
    window.harness.step();
    window.settle();
    assert_eq!(health(&window), before.map(|x| x + 10.0));
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(!window.says(" → "), "the preview is gone");
    window.fill("Health.max", "50%");
    assert_eq!(health(&window), before.map(|x| f64::midpoint(x, 10.0)));
    window.fill("Health.max", "x2");
    assert_eq!(health(&window), before.map(|x| x + 10.0));
    // A field that is only visited changes nothing; a value makes them the same.
    window.find("Health.max").focus();
    window.harness.step();
    window.harness.key_press(Key::Enter);
    window.settle();
    assert_eq!(health(&window), before.map(|x| x + 10.0));
    window.fill("Health.max", "77");
    assert_eq!(health(&window), [77.0, 77.0]);
    let velocity = |window: &Window, name: &str| value(window, name, "Body", "velocity");
    window.fill("Body.velocity x", "+5");
    assert_eq!(names.map(|name| velocity(&window, name)), ["(5.0, 0.0)", "(5.0, 0.0)"]);
    assert_eq!(said(&window, "fast_goblin", OpKind::Set, "Body", "velocity"), None, "by an operation");
    // Into one component, what is meant for both.
    window.fill("Body.velocity y", "+(1, 2)");
    assert_eq!(names.map(|name| velocity(&window, name)), ["(6.0, 2.0)", "(6.0, 2.0)"]);
    window.fill("Body.velocity x", "×(2, 3)");
    assert_eq!(names.map(|name| velocity(&window, name)), ["(12.0, 6.0)", "(12.0, 6.0)"]);
    select_def(&mut window, GOBLINS, "fast_goblin");
    window.fill("Body.velocity x", "(3, 4)");
    assert_eq!(velocity(&window, "fast_goblin"), "(3.0, 4.0)");
}

/// What could not be done is not told any longer once something else is done.
#[test]
fn a_notice_goes_when_it_no_longer_applies() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "bomb_goblin");
    window.fill("Shield.armor", "lots");
    assert!(window.says("`lots` is not a number"));
    window.fill("Shield.armor", "7");
    assert!(!window.says("`lots` is not a number"), "it was typed again");
}
