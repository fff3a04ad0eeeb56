//! The keyboard: typed values, Escape, Tab, what is found by its name.

use super::*;

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
fn what_is_inside_a_field_is_found_and_unfolded() {
    let mut window = Window::sample_sized([1440.0, 1300.0]);
    select_def(&mut window, "entities/mechanisms.ron", "lantern");
    window.find_role(Role::DisclosureTriangle, "Tracks").click_accesskit();
    window.settle();
    window.find_role(Role::TextInput, "Search fields").focus();
    let search = |window: &mut Window, text: &str| {
        window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.harness.run_steps(2);
        window.find("Search fields").type_text(text);
        window.harness.run_steps(4);
    };
    let part = |name: &str| format!("Tracks.tracks.{name}");
    for query in ["autost", "tracks autostart", "Tracks.tracks.glow.autostart", "glow autost"] {
        search(&mut window, query);
        assert!(window.has(&part("glow.autostart")), "{query}");
        assert_eq!(window.has(&part("color.autostart")), !query.contains("glow"), "{query}");
        assert!(!window.has(&part("glow.mode")) && !window.has("Sprite.image is own"), "{query}");
        assert_eq!(window.has("Add to Tracks.tracks"), !query.contains("glow"), "{query}: a new one would be hidden");
    }
    search(&mut window, "start_on");
    assert!(window.has("Tracks.tracks key 0") && window.has(&part("glow.start_on")));
    search(&mut window, "keys ease");
    assert!(window.has(&part("glow.keys[0].ease")), "in a list of records");
    search(&mut window, "Tracks.nothing");
    assert!(window.says("No field by that name"));
    window.click("Clear search");
    assert!(!window.has("Tracks.tracks key 0"), "it is folded as before");
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
