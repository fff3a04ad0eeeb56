//! Several things edited at once.

use super::*;

#[test]
fn several_are_edited_as_one_step() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec!["zzw7jh".into(), "i9o4iv".into()] }));
    assert!(window.says("2 entities"));
    window.fill("Walker.speed", "33");
    let (_, level) = window.level();
    for id in ["zzw7jh", "i9o4iv"] {
        let (layer, instance) = level.entity(id).unwrap();
        let (resolved, _) =
            window.editor().resolution().instance(&courtyard(), &level.layer_at(layer), &id.into(), instance);
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
