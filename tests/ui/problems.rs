//! The Problems pane and what schemas do to it: groups, filters, fixes, ignoring, and data that follows a changed
//! schema.

use std::fs;

use egui::{
    Key, Modifiers,
    accesskit::{Role, Toggled},
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use levelwright::{
    check::Fix,
    edit::{Edit, Owner},
    editor::{Action, Command, Pane, ProblemAction, Selection},
};

use crate::window::{Window, doc};

const MORE: &str = "entities/more.ron";

/// A window on the sample with definitions in which a few things are wrong.
fn window(text: &str) -> Window {
    let window = Window::changed([1440.0, 900.0], |folder| fs::write(folder.join(MORE), text).unwrap());
    let mut window = window;
    window.command(Command::Show(Pane::Problems));
    window
}

const WRONG: &str = "{
    \"a\": (set: (Walker: (sped: 5.0))),
    \"b\": (set: (Walker: (sped: 6.0))),
    \"c\": (inherits: [\"gobln\"]),
}
";

fn rules(window: &Window) -> Vec<String> {
    window.editor().problems().iter().map(|it| it.problem.finding.rule.to_string()).collect()
}

#[test]
fn problems_are_grouped_filtered_and_counted() {
    let mut window = window(WRONG);
    assert!(window.says("3 errors"), "errors are counted");
    window.click("By rule");
    assert!(window.has("unknown-field") && window.has("missing-parent"));
    window.click("Close unknown-field");
    assert!(!window.says("has no field `sped`") && window.says("there is no such definition"));
    window.click("Open unknown-field");
    window.click("By file");
    assert!(window.has(MORE));
    window.fill("Filter by rule, file or text", "gobln");
    assert!(window.says("1 error") && !window.says("has no field `sped`"));
    window.fill("Filter by rule, file or text", "zeppelin");
    assert!(window.says("No problem fits the filter"));
}

#[test]
fn a_problem_of_a_file_with_unsaved_changes_names_no_line_until_it_is_saved() {
    let mut window = window(WRONG);
    let places = |window: &Window| -> Vec<String> {
        let of_more = window.editor().problems().iter().filter(|it| it.problem.finding.location.doc == doc(MORE));
        of_more.map(levelwright::editor::LocatedProblem::place).collect()
    };
    let lines = places(&window);
    assert!(lines.contains(&"4:22".to_owned()) && window.says("entities/more.ron:4:22"), "{lines:?}");
    window.click("By rule");
    window.click("Fix all of unknown-field");
    assert_eq!(places(&window), ["unsaved"]);
    assert!(window.says("more:unsaved") || window.says("entities/more.ron:unsaved"));
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    assert_eq!(places(&window), ["4:22"]);
}

#[test]
fn all_of_a_rule_are_mended_as_one_step() {
    let mut window = window(WRONG);
    window.click("By rule");
    window.click("Fix all of unknown-field");
    assert!(!rules(&window).contains(&"unknown-field".to_owned()), "{:?}", rules(&window));
    assert!(rules(&window).contains(&"missing-parent".to_owned()), "other rules are left alone");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(rules(&window).iter().filter(|rule| *rule == "unknown-field").count(), 2, "one step");
    // One of them, by its own button.
    window.click("List");
    window.click("Rename to speed");
    assert_eq!(rules(&window).iter().filter(|rule| *rule == "unknown-field").count(), 1);
}

#[test]
fn a_fix_lists_the_comments_that_go_with_its_lines() {
    let text = "{
    \"slow\": (inherits: [\"goblin\"], set: (Walker: (
        speed: 55.0, // as slow as a cow
    ))),
}
";
    for all in [false, true] {
        let mut window = window(text);
        if all {
            window.command(Command::FixSafe);
        } else {
            window.click("Reset Walker.speed to inherited");
        }
        window.until("the notice", |window| window.says("1 comment will go with the fixed lines"));
        assert!(window.says("entities/more.ron:3 // as slow as a cow"), "with its place");
        window.key(Modifiers::COMMAND, Key::Z);
        assert!(!window.says("1 comment will go"), "undone");
        window.command(Command::Save);
        assert_eq!(fs::read_to_string(window.file(MORE)).unwrap(), text);
    }
}

/// What a fix takes along is listed whatever is done before a job has found it.
#[test]
fn comments_of_several_fixes_are_listed_together() {
    let text = "{
    \"slow\": (inherits: [\"goblin\"], set: (Walker: (
        speed: 55.0, // as slow as a cow
    ))),
    \"lame\": (inherits: [\"goblin\"], set: (Walker: (
        speed: 55.0, // on three legs
    ))),
}
";
    let mut window = window(text);
    for name in ["slow", "lame"] {
        let owner = Owner::Def { doc: doc(MORE), name: name.into() };
        let edits = vec![Edit::clear(owner, "Walker", "speed")];
        let fix = Fix { label: format!("Reset {name}"), edits, safe: true, drops: false, declares: false };
        window.app().send(Action::Problem(ProblemAction::Fix(Box::new(fix))));
    }
    window.app().send(Action::OpenLevel(doc("levels/dungeon.ron")));
    window.settle();
    window.until("the notice", |window| window.says("2 comments will go with the fixed lines"));
    assert!(window.says("as slow as a cow") && window.says("on three legs"));
}

/// Fixing counts on the project, not on what is shown of it.
#[test]
fn a_fix_is_made_though_another_level_was_opened_meanwhile() {
    let mut window = window("{ \"slow\": (inherits: [\"goblin\"], set: (Walker: (speed: 55.0))) }\n");
    window.app().send(Action::Command(Command::FixSafe));
    window.app().send(Action::OpenLevel(doc("levels/dungeon.ron")));
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1, "{:?}", window.editor().notice());
}

#[test]
fn the_list_is_used_by_keys() {
    let mut window = window(WRONG);
    let n = window.editor().problems().len();
    window.click("By rule");
    window.find("List of problems").focus();
    window.harness.run_steps(2);
    window.key(Modifiers::NONE, Key::Home);
    window.key(Modifiers::NONE, Key::ArrowLeft);
    assert!(window.has("Open unknown-field"), "a heading is folded");
    window.key(Modifiers::NONE, Key::ArrowRight);
    window.key(Modifiers::NONE, Key::ArrowDown);
    window.key(Modifiers::NONE, Key::Enter);
    let shown = Selection::definition(doc(MORE), "a".into());
    assert_eq!(window.editor().selection(), &shown, "Enter goes there, and the keys stay with the list");
    window.key(Modifiers::COMMAND, Key::Period);
    assert_eq!(rules(&window).iter().filter(|rule| *rule == "unknown-field").count(), 1, "mended");
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Modifiers::NONE, Key::Home);
    window.key(Modifiers::NONE, Key::ArrowDown);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.editor().problems().len(), n - 2, "ignored");
}

#[test]
fn the_problem_gone_to_is_marked_and_the_next_follows_one_that_was_mended() {
    let many: Vec<String> = (0..60).map(|i| format!("    \"b{i:02}\": (set: (Walker: (sped: {i}.0))),")).collect();
    let mut window = window(&format!("{{\n{}\n}}\n", many.join("\n")));
    let marked = |window: &Window| -> Vec<String> {
        let rows = window.harness.get_all_by_role(Role::ListItem);
        let marked = rows.filter(|row| row.accesskit_node().toggled() == Some(Toggled::True));
        marked.filter_map(|row| row.accesskit_node().label()).filter(|label| label.contains(MORE)).collect()
    };
    let at = |line: usize| format!("{MORE}:{line}:");
    let n = window.editor().problems().len();
    assert!(n >= 60 && marked(&window).is_empty());
    // From none to the last, and to the one before: the first is the next of the last.
    window.command(Command::PreviousProblem);
    window.command(Command::PreviousProblem);
    let before_last = window.editor().problems()[n - 2].problem.finding.location.clone();
    let selected = window.editor().selection().clone();
    window.command(Command::NextProblem);
    assert!(before_last.doc == doc(MORE) && selected == Selection::definition(doc(MORE), "b59".into()), "{selected:?}");
    for _ in 0..40 {
        window.command(Command::NextProblem);
    }
    window.harness.run_steps(40);
    assert!(matches!(&marked(&window)[..], [one] if one.contains(&at(41))), "in view: {:?}", marked(&window));
    window.find("List of problems").focus();
    window.key(Modifiers::COMMAND, Key::Period);
    window.command(Command::NextProblem);
    window.harness.run_steps(40);
    let places = window.editor().problems().iter().filter(|it| it.problem.finding.location.doc == doc(MORE)).count();
    assert_eq!(places, 59, "one was mended");
    assert!(matches!(&marked(&window)[..], [_]), "{:?}", marked(&window));
    assert_eq!(window.editor().selection(), &Selection::definition(doc(MORE), "b40".into()));
    window.key(Modifiers::SHIFT, Key::F8);
    assert_eq!(window.editor().selection(), &Selection::definition(doc(MORE), "b38".into()), "b39 was mended");
    window.key(Modifiers::NONE, Key::F8);
    assert_eq!(window.editor().selection(), &Selection::definition(doc(MORE), "b40".into()));
}

/// Two rooms that a wall parts, and an agent in one that two actions send to the other.
const SHUT: &str = r#"(
    size: (9, 5),
    tile_size: (16, 16),
    view: TopDown,
    layers: [
        Entities(name: "actors", entities: {
            "r1": (def: "rat", at: (24.0, 40.0)),
            "wall": (def: "wall", at: (72.0, 40.0)),
        }),
    ],
)
"#;

#[test]
fn of_two_problems_of_one_entity_the_one_gone_to_is_marked() {
    let mut window = Window::changed([1440.0, 900.0], |folder| {
        let defs = r#"{
            "rat": (set: (Body: (), Walker: (), Collider: (shape: Circle(4.0)), Brain: (machines: ["rat"]))),
            "wall": (set: (Body: (kind: Static), Collider: (shape: Box((8.0, 80.0)), layer: [World]))),
        }"#;
        let machine = r#"{ "rat": (enter: [GoTo(at: (120.0, 24.0)), GoTo(at: (120.0, 56.0))]) }"#;
        fs::write(folder.join("levels/shut.ron"), SHUT).unwrap();
        fs::write(folder.join(MORE), defs).unwrap();
        fs::write(folder.join("machines/more.ron"), machine).unwrap();
    });
    window.command(Command::Show(Pane::Problems));
    let all = window.editor().problems().iter().map(|it| it.problem.finding.clone());
    let found: Vec<_> = all.filter(|finding| &*finding.rule == "unreachable-goal").collect();
    assert!(matches!(&found[..], [a, b] if a.location.path == b.location.path), "{found:?}");
    for finding in found {
        window.act(Action::Problem(ProblemAction::GoTo(Box::new(finding.clone()))));
        assert_eq!(window.editor().view().gone_to.as_ref().map(|(_, it)| it), Some(&finding));
    }
}

#[test]
fn a_problem_is_ignored_for_the_session_at_its_own_site() {
    let mut window = window(WRONG);
    let n = window.editor().problems().len();
    window.click("More about `c` inherits `gobln`, and there is no such definition");
    window.click("Ignore here");
    assert_eq!(window.editor().problems().len(), n - 1);
    assert!(!window.says("there is no such definition") && window.says("has no field `sped`"));
    window.click("1 ignored");
    assert_eq!(window.editor().problems().len(), n);
}

const SCHEMA: &str = "(
    components: {
        \"Purse\": (fields: { \"gold\": (type: Int, default: 1), \"lock\": (type: Bool, default: false) }),
    },
)
";

fn gold(window: &Window, field: &str) -> Option<i64> {
    window.editor().resolution().defs.get("rich")?.get("Purse", field)?.as_i64()
}

#[test]
fn a_schema_changed_outside_is_followed_and_offers_to_take_the_data_along() {
    let mut window = Window::changed([1440.0, 900.0], |folder| {
        fs::write(folder.join("schemas/purse.ron"), SCHEMA).unwrap();
        fs::write(folder.join(MORE), "{\n    // Very.\n    \"rich\": (set: (Purse: (gold: 9))),\n}\n").unwrap();
    });
    window.command(Command::Show(Pane::Problems));
    window.command(Command::PlayPause);
    window.settle();
    assert_eq!(gold(&window, "gold"), Some(9));
    let before = rules(&window);
    // A default changes what inherits it; nothing else is said about it.
    window.edit_outside("schemas/purse.ron", "default: false", "default: true");
    window.until("the new default is here", |window| {
        let defs = &window.editor().resolution().defs;
        defs.get("rich").and_then(|def| def.get("Purse", "lock")?.as_bool()) == Some(true)
    });
    window.settle();
    assert_eq!(rules(&window), before);
    window.edit_outside("schemas/purse.ron", "\"gold\"", "\"coins\"");
    window.until("the field is missed", |window| rules(window).contains(&"unknown-field".to_owned()));
    window.settle();
    window.click("Rename Purse.gold to coins in 1 place");
    assert_eq!(gold(&window, "coins"), Some(9));
    assert_eq!(rules(&window), before);
    // While the level plays it is live.
    window.command(Command::KeepLive);
    window.command(Command::SaveAll);
    window.settle();
    let text = fs::read_to_string(window.file(MORE)).unwrap();
    assert_eq!(text, "{\n    // Very.\n    \"rich\": (set: (Purse: (coins: 9))),\n}\n");
    // It is a step like any other, as is keeping it, and the preview goes on.
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(rules(&window).contains(&"unknown-field".to_owned()));
    assert!(window.editor().preview().is_some());
    assert!(window.editor().project().doc(&doc("schemas/purse.ron")).is_some());
}

/// Replace the text of a field that has its name beside it.
fn fill(window: &mut Window, label: &str, text: &str) {
    window.find_role(Role::TextInput, label).focus();
    window.harness.step();
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.step();
    window.find_role(Role::TextInput, label).type_text(text);
    window.harness.step();
    window.key(Modifiers::NONE, Key::Enter);
}

#[test]
fn a_schema_is_edited_in_the_inspector_and_the_data_follows() {
    let mut window = Window::changed([1440.0, 1600.0], |folder| {
        fs::write(folder.join("schemas/purse.ron"), SCHEMA).unwrap();
        fs::write(folder.join(MORE), "{\n    \"rich\": (set: (Purse: (gold: 9))),\n}\n").unwrap();
    });
    window.act(levelwright::editor::Action::Select(levelwright::editor::Selection::Document(doc("schemas/purse.ron"))));
    window.press("Purse");
    window.fill("Purse.gold name", "coins");
    assert_eq!(gold(&window, "coins"), Some(9), "every use is renamed with it");
    fill(&mut window, "New field of Purse", "depth");
    fill(&mut window, "Purse.depth doc", "How deep it is.");
    let spec = window.editor().resolution().schema.field("Purse", "depth").cloned().expect("it is declared");
    assert_eq!(spec.doc, "How deep it is.");
    window.fill("Purse.depth max", "8");
    fill(&mut window, "Purse.depth unit", "cm");
    window.press("Purse.depth tunable");
    let spec = window.editor().resolution().schema.field("Purse", "depth").cloned().expect("it is declared");
    assert_eq!((spec.min, spec.max, spec.unit.as_deref(), spec.tunable), (None, Some(8.0), Some("cm"), true));
    window.press("Reset Purse.depth max");
    assert_eq!(window.editor().resolution().schema.field("Purse", "depth").unwrap().max, None);
    window.press("Remove Purse.coins");
    assert!(rules(&window).contains(&"unknown-field".to_owned()), "its uses are reported");
    window.command(Command::Show(Pane::Problems));
    window.click("More about `Purse` has no field `coins`");
    window.click("Remove Purse.coins from 1 place");
    assert!(!rules(&window).contains(&"unknown-field".to_owned()));
}

#[test]
fn a_word_of_an_enum_is_renamed_wherever_it_is_said() {
    let mut window = Window::sample();
    let n_before = rules(&window).len();
    window.act(levelwright::editor::Action::Select(levelwright::editor::Selection::Document(doc("schemas/game.ron"))));
    window.fill("Team.Wild", "Feral");
    let schema = &window.editor().resolution().schema;
    assert!(schema.enums["Team"].iter().any(|word| **word == *"Feral"));
    let said = |spec: &levelwright::model::FieldSpec| spec.default.as_ref().is_some_and(|it| it.to_string() == "Wild");
    let specs = schema.components.values().flat_map(|it| it.fields.values());
    assert_eq!(specs.filter(|spec| said(spec)).count(), 0, "defaults follow, too");
    assert_eq!(rules(&window).len(), n_before, "{:?}", rules(&window));
    assert_eq!(window.editor().history().n_done(), 1);
}

#[cfg(unix)]
#[test]
fn an_image_that_leads_outside_is_one_problem() {
    let elsewhere = tempfile::tempdir().unwrap();
    let image = elsewhere.path().join("goblin.png");
    let window = Window::changed([1440.0, 900.0], |folder| {
        fs::rename(folder.join("sprites/goblin.png"), &image).unwrap();
        std::os::unix::fs::symlink(&image, folder.join("sprites/goblin.png")).unwrap();
    });
    let is_about = |rule: &&String| ["image-missing", "outside-project"].contains(&&***rule);
    let rules = rules(&window);
    assert_eq!(rules.iter().filter(is_about).collect::<Vec<_>>(), ["outside-project"]);
}
