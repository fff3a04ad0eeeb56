//! Inheritance: renaming, extracting, inlining and deleting through the one dialog, and the pane with the inheritance
//! graph.

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use levelwright::{
    editor::{Action, Command, Dialog, Pane, Selection},
    refactor::Request,
};

use crate::window::{Window, doc};

fn goblins() -> levelwright::model::DocPath {
    doc("entities/goblins.ron")
}

fn select(window: &mut Window, names: &[&str]) {
    let all = names.iter().map(|name| {
        let doc = window.editor().resolution().def_docs[*name].clone();
        (doc, (*name).into())
    });
    let all = all.collect();
    window.act(Action::Select(Selection::Definitions { all }));
}

/// Click the dialog's button; others in the window may have its name.
fn confirm(window: &mut Window, label: &str) {
    let buttons = window.harness.query_all_by_role_and_label(Role::Button, label);
    let at = buttons.last().unwrap().rect().center();
    window.click_at(at);
}

fn has_def(window: &Window, name: &str) -> bool {
    window.editor().resolution().def_docs.contains_key(name)
}

#[test]
fn a_definition_is_renamed_with_a_list_of_every_place() {
    let mut window = Window::sample();
    select(&mut window, &["goblin"]);
    let before = window.editor().history().n_done();
    window.key(Modifiers::NONE, Key::F2);
    assert!(window.says("Rename definition goblin"));
    window.find("New name").focus();
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.step();
    window.find("New name").type_text("fast_goblin");
    window.settle();
    assert!(window.says("There is already a definition"), "said while it is typed");
    window.harness.key_press(Key::Enter);
    window.settle();
    assert!(window.editor().dialog().is_some(), "and not done");
    window.find("New name").focus();
    window.harness.step();
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.step();
    window.find("New name").type_text("gnome");
    window.settle();
    assert!(window.says("goblin: \"goblin\" becomes \"gnome\""), "the name itself is the first place");
    assert!(window.says("places in"), "how many there are");
    assert!(window.has("entities/goblins.ron"));
    window.harness.key_press(Key::Enter);
    window.settle();
    assert!(window.editor().dialog().is_none());
    assert!(has_def(&window, "gnome") && !has_def(&window, "goblin"));
    assert_eq!(window.editor().history().n_done(), before + 1, "one step");
    assert_eq!(window.editor().selection(), &Selection::definition(goblins(), "gnome".into()), "it stays selected");
    let is_selected = |window: &Window, name: &str| {
        assert_eq!(window.editor().selection(), &Selection::definition(goblins(), name.into()));
    };
    window.command(Command::Undo);
    assert!(has_def(&window, "goblin") && !has_def(&window, "gnome"));
    is_selected(&window, "goblin");
    window.command(Command::Redo);
    is_selected(&window, "gnome");
    window.command(Command::Show(Pane::History));
    window.click("As opened");
    is_selected(&window, "goblin");
    window.click("Rename goblin to gnome");
    is_selected(&window, "gnome");
    // Another program gives it another name.
    window.command(Command::SaveAll);
    window.edit_outside("entities/goblins.ron", "\"gnome\": (", "\"orc\": (");
    window.until("the new name is here", |window| has_def(window, "orc"));
    is_selected(&window, "orc");
}

#[test]
fn escape_leaves_everything_as_it_was() {
    let mut window = Window::sample();
    select(&mut window, &["goblin"]);
    let before = window.editor().history().n_done();
    window.command(Command::Rename);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.editor().dialog().is_none());
    assert_eq!(window.editor().history().n_done(), before);
}

#[test]
fn anything_with_a_name_can_be_chosen_and_renamed() {
    let mut window = Window::sample();
    window.command(Command::RenameAny);
    assert_eq!(window.editor().dialog(), Some(&Dialog::Refactor));
    assert!(window.says("Rename the"));
    let what = levelwright::refactor::Named::new(levelwright::refactor::NameKind::Layer, "courtyard/actors");
    window.act(Action::Refactor(Request::Rename { what, to: String::new() }));
    window.find("New name").type_text("people");
    window.settle();
    assert!(window.says("\"actors\" becomes \"people\""));
}

#[test]
fn a_common_parent_is_extracted_from_the_selected() {
    let mut window = Window::changed([1440.0, 900.0], |root| {
        let twins = r#"{
    "left": (inherits: ["goblin"], set: (Walker: (speed: 33.0), Health: (max: 7.0))),
    "right": (inherits: ["goblin"], set: (Walker: (speed: 33.0), Health: (max: 7.0), Worth: (points: 9))),
}
"#;
        std::fs::write(root.join("entities/twins.ron"), twins).unwrap();
    });
    select(&mut window, &["left", "right"]);
    window.command(Command::ExtractParent);
    assert!(window.says("Extract a common parent of left and right"));
    assert!(window.says("No value changes"));
    window.click_role(Role::CheckBox, "Health.max");
    assert!(window.says("left.set.Walker"), "what goes is listed");
    window.fill("Name of the new parent", "twin");
    let file = window.editor().project().entities(&doc("entities/twins.ron")).unwrap();
    let said = |name: &str| format!("{:?}", file.defs[name].ops.set);
    assert!(said("twin").contains("33.0") && !said("twin").contains("7.0"), "what is ticked off stays");
    assert!(said("left").contains("7.0") && !said("left").contains("33.0"));
    assert_eq!(window.editor().resolution().defs["left"].f64("Walker", "speed"), Some(33.0));
    let selected = window.editor().selection().one_definition().map(|(_, name)| name.to_string());
    assert_eq!(selected.as_deref(), Some("twin"));
}

#[test]
fn what_is_used_is_deleted_only_after_a_question() {
    let mut window = Window::sample();
    select(&mut window, &["goblin"]);
    window.command(Command::Delete);
    assert!(window.says("Delete goblin") && window.has("entities/goblins.ron"));
    assert!(window.says("left unresolved"), "what is left without it");
    assert!(window.says("Affects"), "how far it goes");
    confirm(&mut window, "Delete");
    assert!(!has_def(&window, "goblin"));
    assert!(has_def(&window, "fast_goblin"), "its children go on without it");
    let resolved = |window: &Window| window.editor().resolution().defs["fast_goblin"].f64("Walker", "speed");
    let after = resolved(&window);
    window.command(Command::Undo);
    assert_eq!(resolved(&window), after, "what inherits it amounted to the same");
    assert!(has_def(&window, "goblin"));
}

#[test]
fn a_parent_is_inlined() {
    let mut window = Window::sample();
    select(&mut window, &["goblin"]);
    window.command(Command::InlineParent);
    assert!(window.says("Inline goblin"));
    confirm(&mut window, "Inline");
    let def = window.editor().project().documents.values().find_map(|doc| match &**doc {
        levelwright::model::Document::Entities(file) => file.defs.get("fast_goblin").cloned(),
        _ => None,
    });
    assert!(def.is_some_and(|def| def.inherits.iter().all(|name| &**name != "goblin")));
}

#[test]
fn the_family_is_drawn_and_walked_through() {
    let mut window = Window::sample();
    window.act(Action::ShowPane(Pane::Inheritance));
    assert!(window.has("No definition is selected"));
    select(&mut window, &["goblin"]);
    assert!(window.has("Family of goblin"));
    assert!(window.says("A change of goblin affects"), "said before it is made");
    assert!(window.says("Resolution order of goblin"));
    let name = window.editor().resolution().children_of("goblin")[0].to_string();
    let node = {
        let all = window.harness.root().children_recursive();
        all.filter(|node| node.accesskit_node().role() == Role::Button)
            .filter_map(|node| node.accesskit_node().label())
            .find(|label| *label == name || label.starts_with(&format!("{name},")))
            .unwrap()
    };
    window.click_role(Role::Button, &node);
    let selected = window.editor().selection().one_definition().map(|(_, name)| name.to_string());
    assert_eq!(selected, Some(name.clone()), "a click selects");
    assert!(window.has("Family of goblin"), "and the drawing stays");
    window.find_role(Role::Button, &node).focus();
    window.harness.step();
    window.harness.key_press(Key::ArrowLeft);
    window.harness.step();
    window.settle();
    let selected = window.editor().selection().one_definition().map(|(_, name)| name.to_string());
    assert_ne!(selected, Some(name), "an arrow goes to the parent");
}
