//! Differences from what is inherited: factors, lists, maps, what is removed, and what moves up and down.

use super::*;

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
    window.press("Write as − 6.0");
    assert_eq!(said(&window, "fast_goblin", OpKind::Add, "Health", "max").as_deref(), Some("-6.0"));
    assert_eq!(value(&window, "fast_goblin", "Health", "max"), "2.0");
    window.press("Health.max is own");
    window.press("Write as 2.0");
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
fn a_field_that_is_taken_away_is_struck_out_and_restored() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    assert_eq!(value(&window, "fast_goblin", "Loot", "gold"), "0");
    select_def(&mut window, GOBLINS, "fast_goblin");
    assert!(window.has("removed") && !window.has("Reset Loot.gold"));
    window.press("Restore Loot.gold");
    assert_eq!(value(&window, "fast_goblin", "Loot", "gold"), value(&window, "goblin", "Loot", "gold"));
    assert!(!window.has("removed"));
}
