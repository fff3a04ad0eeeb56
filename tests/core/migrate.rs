//! Data that a changed schema leaves behind: vanished names are matched with new ones, and the data follows in one
//! step.

use std::sync::Arc;

use levelwright::{
    check::{check, check_again, offer},
    defs::resolve,
    edit::{Edit, History, RefKind, TypedRefs, Word, apply_all},
    io,
    model::{Document, Project, Schema},
    refactor::{Vanished, migrations, vanished},
};

use crate::{build::path, check::builtin};

const OLD: &str = r#"(
    enums: { "Team": ["Keep", "Horde", "Wild"] },
    components: {
        "Loot": (fields: {
            "gold": (type: Int, default: 0),
            "items": (type: List(Str)),
            "team": (type: Enum("Team"), default: Keep),
            "foes": (type: Flags("Team")),
            "bag": (type: Option(Struct({ "of": (type: Enum("Team")) }))),
        }),
        "Purse": (fields: { "weight": (type: Float) }),
    },
    messages: { "Rob": (payload: { "amount": (type: Int) }) },
)"#;

const DATA: &str = r#"{
    // Rich.
    "chest": (set: (Loot: (gold: 5, team: Horde, foes: [Keep, Horde]))), // five
    "box": (inherits: ["chest"], scale: (Loot: (gold: 2)), set: (Loot: (bag: Some((of: Horde))))),
    "sack": (inherits: ["chest"], remove: ["Loot.gold"], set: (Purse: (weight: 1.0))),
}
"#;

const MACHINES: &str = r#"{
    "thief": (
        initial: "A",
        states: { "A": (transitions: [(on: "Rob", to: "B"), (when: FieldAbove(field: "Loot.gold", value: 9.0), to: "B")]), "B": () },
        on: { "Rob": [Send(to: "self", message: "Rob")] },
    ),
}
"#;

fn schema(text: &str) -> Schema {
    match io::load_one(&path("schemas/game.ron"), text) {
        (Some(Document::Schema(schema)), _) => schema,
        (_, findings) => panic!("{findings:?}"),
    }
}

fn project(schema: &str) -> Project {
    let files = [("schemas/game.ron", schema), ("entities/loot.ron", DATA), ("machines/thief.ron", MACHINES)];
    let read = |(at, text): (&str, &str)| (path(at), Arc::new(io::load_one(&path(at), text).0.expect(at)));
    files.map(read).into_iter().collect()
}

/// The text of a document of a project whose files were those of [`project`].
fn text(project: &Project, at: &str) -> String {
    let before = if at.starts_with("entities") { DATA } else { MACHINES };
    let (document, _) = io::load_one(&path(at), before);
    let source = io::Source::new(before.into(), 0, Vec::new(), document.map(Arc::new));
    io::text_of(project.doc(&path(at)).unwrap(), Some(&source))
}

fn found(old: &str, new: &str) -> Vec<Vanished> {
    vanished(&schema(old), &schema(new))
}

fn words(vanished: &[Vanished]) -> Vec<String> {
    let shown = |it: &Vanished| {
        let candidates: Vec<&str> = it.candidates.iter().map(|name| &**name).collect();
        format!("{} → {}", it.word, candidates.join(" | "))
    };
    vanished.iter().map(shown).collect()
}

#[test]
fn what_vanished_is_told_from_what_appeared_in_its_place() {
    assert_eq!(words(&found(OLD, OLD)), [""; 0]);
    let is = |from: &str, to: &str, expected: &[&str]| {
        assert!(OLD.contains(from), "{from}");
        assert_eq!(words(&found(OLD, &OLD.replace(from, to))), expected, "{from} → {to}");
    };
    is("\"gold\":", "\"coins\":", &["Loot.gold → coins"]);
    is("\"gold\": (type: Int, default: 0),", "", &["Loot.gold → "]);
    // Another type is another field.
    is("\"gold\": (type: Int, default: 0)", "\"coins\": (type: Float)", &["Loot.gold → "]);
    // Of several the one in the same place comes first.
    is(
        "\"gold\": (type: Int, default: 0),",
        "\"coins\": (type: Int), \"gems\": (type: Int),",
        &["Loot.gold → coins | gems"],
    );
    is("\"Horde\"", "\"Raiders\"", &["Team.Horde → Raiders"]);
    is("\"Horde\", ", "", &["Team.Horde → "]);
    is("\"Rob\"", "\"Steal\"", &["Rob → Steal"]);
    is("\"Loot\"", "\"Treasure\"", &["Loot → Treasure"]);
    // Nothing like it.
    is(
        "\"Purse\": (fields: { \"weight\": (type: Float) })",
        "\"Hat\": (fields: { \"size\": (type: Int) })",
        &["Purse → "],
    );
}

/// The data after the migration of that label, of those offered when `from` in the schema becomes `to`.
fn migrated(from: &str, to: &str, label: &str) -> Project {
    let new = OLD.replace(from, to);
    let mut project = project(&new);
    let resolution = resolve(&project, &builtin(), None);
    let all = migrations(&found(OLD, &new), &resolution.schema, &project);
    let labels: Vec<&str> = all.iter().map(|it| it.label.as_str()).collect();
    let chosen = all.iter().find(|it| it.label == label).unwrap_or_else(|| panic!("{label} of {labels:?}"));
    let before = project.clone();
    apply_all(&mut project, &chosen.edits).unwrap();
    // One step, and all of it goes back.
    let mut history = History::default();
    assert!(history.record(label, &before, &project).is_some());
    project
}

#[test]
fn a_renamed_field_is_followed_everywhere_and_comments_stay() {
    let project = migrated("\"gold\":", "\"coins\":", "Rename Loot.gold to coins in 4 places");
    let data = text(&project, "entities/loot.ron");
    assert_eq!(
        data,
        DATA.replace("gold: 5", "coins: 5").replace("gold: 2", "coins: 2").replace("Loot.gold", "Loot.coins")
    );
    assert_eq!(text(&project, "machines/thief.ron"), MACHINES.replace("Loot.gold", "Loot.coins"));
}

#[test]
fn a_field_that_is_gone_is_taken_out() {
    let project = migrated("\"gold\": (type: Int, default: 0),", "", "Remove Loot.gold from 4 places");
    let data = text(&project, "entities/loot.ron");
    assert!(!data.contains("gold") && data.contains("// Rich.") && data.contains("// five"), "{data}");
    assert!(data.contains("\"sack\": (inherits: [\"chest\"], set: (Purse: (weight: 1.0))),"), "{data}");
}

#[test]
fn words_of_enums_are_followed_into_lists_options_and_structs() {
    let project = migrated("\"Horde\"", "\"Raiders\"", "Rename Team.Horde to Raiders in 3 places");
    assert_eq!(text(&project, "entities/loot.ron"), DATA.replace("Horde", "Raiders"));
    let gone = migrated("\"Horde\", ", "", "Remove Team.Horde from 3 places");
    let data = text(&gone, "entities/loot.ron");
    assert!(data.contains("Loot: (gold: 5, foes: [Keep])") && !data.contains("Horde"), "{data}");
}

#[test]
fn components_and_messages_are_followed() {
    let project = migrated("\"Loot\"", "\"Treasure\"", "Rename Loot to Treasure in 5 places");
    assert_eq!(text(&project, "entities/loot.ron"), DATA.replace("Loot", "Treasure"));
    assert!(text(&project, "machines/thief.ron").contains("\"Treasure.gold\""));
    let project = migrated("\"Rob\"", "\"Steal\"", "Rename Rob to Steal in 3 places");
    assert_eq!(text(&project, "machines/thief.ron"), MACHINES.replace("Rob", "Steal"));
}

#[test]
fn problems_offer_the_way_out() {
    let new = OLD.replace("\"gold\":", "\"coins\":").replace("\"Horde\"", "\"Raiders\"");
    let project = project(&new);
    let resolution = resolve(&project, &builtin(), None);
    let mut problems = check_again(&project, &resolution, None, None).problems;
    offer(&mut problems, &migrations(&found(OLD, &new), &resolution.schema, &project));
    let fixes = |rule: &str, at: &str| -> Vec<String> {
        let is_it = |finding: &levelwright::model::Finding| {
            *finding.rule == *rule && finding.location.path.to_string().ends_with(at)
        };
        let problem =
            problems.iter().find(|problem| is_it(&problem.finding)).unwrap_or_else(|| panic!("{problems:#?}"));
        problem.fixes.iter().map(|fix| fix.label.clone()).collect()
    };
    let gold = fixes("unknown-field", "chest.set.Loot.gold");
    assert_eq!(gold[0], "Rename Loot.gold to coins in 4 places");
    assert_eq!(gold.last().unwrap(), "Remove Loot.gold from 4 places");
    assert_eq!(fixes("wrong-type", "chest.set.Loot.team")[0], "Rename Team.Horde to Raiders in 3 places");
    assert_eq!(fixes("wrong-type", "box.set.Loot.bag.of")[0], "Rename Team.Horde to Raiders in 3 places");
    // After it nothing of it is left to tell.
    let mut mended = project.clone();
    for problem in ["Rename Loot.gold to coins in 4 places", "Rename Team.Horde to Raiders in 3 places"] {
        let fix = problems.iter().flat_map(|it| &it.fixes).find(|fix| fix.label == problem).unwrap();
        apply_all(&mut mended, &fix.edits).unwrap();
    }
    let left = check(&mended, &resolve(&mended, &builtin(), None), None);
    let about = ["unknown-field", "wrong-type", "bad-remove", "unknown-component"];
    assert!(left.iter().all(|problem| !about.contains(&&*problem.finding.rule)), "{left:#?}");
}

#[test]
fn nothing_is_offered_for_what_is_declared_again_or_unused() {
    let new = OLD.replace("\"Wild\"", "\"Tame\"");
    let project = project(&new);
    let resolution = resolve(&project, &builtin(), None);
    assert_eq!(words(&found(OLD, &new)), ["Team.Wild → Tame"]);
    assert_eq!(migrations(&found(OLD, &new), &resolution.schema, &project), []);
    let gold = Vanished {
        word: Word::Field { component: "Loot".into(), field: "gold".into() },
        candidates: vec!["items".into()],
    };
    assert_eq!(migrations(&[gold], &resolution.schema, &project), []);
}

#[test]
fn declarations_are_edited_and_keep_what_stands_around_them() {
    use levelwright::{
        edit::{Declared, Edit, apply},
        model::{FieldSpec, FieldType},
    };
    let text = "(\n    // Words.\n    enums: { \"Team\": [\"Keep\", \"Wild\"] },\n    components: {\n        \"Loot\": (\n            doc: \"What it leaves.\", // said\n            fields: { \"gold\": (type: Int, default: 1) },\n        ),\n    },\n)\n";
    let doc = path("schemas/game.ron");
    let document = Arc::new(io::load_one(&doc, text).0.unwrap());
    let source = io::Source::new(text.into(), 0, Vec::new(), Some(document.clone()));
    let mut project = Project::from_iter([(doc.clone(), document)]);
    let loot = Declared::Component("Loot".into());
    let spec = FieldSpec { min: Some(0.0), ..FieldSpec::of(FieldType::List(Box::new(FieldType::Enum("Team".into())))) };
    let put = |field: &str, spec: &FieldSpec| Edit::set_at(&doc, loot.field_place(field), spec);
    let words = |all: &[&str]| -> Edit {
        let all: Vec<levelwright::model::Name> = all.iter().map(|word| (*word).into()).collect();
        Edit::set_at(&doc, Declared::Enum("Team".into()).place(), &all)
    };
    let rob = Declared::Message("Rob".into());
    for edit in [
        put("teams", &spec),
        Edit::Move { doc: doc.clone(), at: loot.field_place("teams"), to: 0 },
        put("gold", &FieldSpec { deprecated: Some("use coins".into()), ..FieldSpec::of(FieldType::Int) }),
        words(&["Keep", "Horde", "Wild"]),
        rob.declared_in(&doc),
        Edit::set_at(&doc, rob.place().key("doc"), &"Taken away.".to_owned()),
    ] {
        apply(&mut project, &edit).unwrap();
    }
    let now = io::text_of(project.doc(&doc).unwrap(), Some(&source));
    for kept in [
        "// Words.",
        "// said",
        "\"teams\": (type: List(Enum(\"Team\")), min: 0.0)",
        "deprecated: \"use coins\"",
        "\"Horde\", \"Wild\"",
        "\"Rob\": (doc: \"Taken away.\")",
    ] {
        assert!(now.contains(kept), "{kept}: {now}");
    }
    let before = project.clone();
    for refused in [
        put("no word", &spec),
        Edit::Remove { doc: doc.clone(), at: loot.field_place("nothing") },
        words(&["A", "A"]),
        Edit::Remove { doc: doc.clone(), at: Declared::Action("Sing".into()).place() },
    ] {
        assert!(apply(&mut project, &refused).is_err(), "{refused:?}");
    }
    assert!(Arc::ptr_eq(project.doc(&doc).unwrap(), before.doc(&doc).unwrap()));
    let removals = [
        Edit::Remove { doc: doc.clone(), at: loot.field_place("teams") },
        Edit::Remove { doc: doc.clone(), at: loot.place() },
        Edit::Remove { doc: doc.clone(), at: Declared::Enum("Team".into()).place() },
    ];
    apply_all(&mut project, &removals).unwrap();
    let Document::Schema(left) = &**project.doc(&doc).unwrap() else { panic!("a schema") };
    assert!(left.components.is_empty() && left.enums.is_empty() && left.messages.contains_key("Rob"));
}

#[test]
fn handlers_that_become_one_keep_what_each_of_their_actions_says() {
    let (from, to) = ("messages: { \"Hurt\": (), \"Door\": () }", "messages: { \"Hit\": (), \"Door\": () }");
    let machine =
        r#"{ "m": (on: { "Hit": [Send(to: "self", message: "Hurt")], "Hurt": [Send(to: "self", message: "Door")] }) }"#;
    let after = followed(from, to, ("machines/m.ron", machine), "Rename Hurt to Hit");
    let calls = r#"[
    Send(to: "self", message: "Door"),
    Send(to: "self", message: "Hit"),
]"#;
    assert_eq!(after, format!(r#"{{ "m": (on: {{ "Hit": {calls} }}) }}"#));
}

#[test]
fn an_entry_that_says_twice_what_is_gone_goes_once() {
    let declared = r#"(components: {
        "Watch": (fields: { "x": (type: Int), "fields": (type: List(Field)) }),
        "Other": (fields: { "y": (type: Int) }),
    })"#;
    let typed = TypedRefs::of(&schema(declared), RefKind::Component);
    let at = path("entities/a.ron");
    let text = r#"{ "a": (remove: ["Watch.fields[\"Watch.x\"]", "Other.y"]) }"#;
    let mut project = Project::from_iter([(at.clone(), Arc::new(io::load_one(&at, text).0.unwrap()))]);
    let remove = Edit::RewriteUses { doc: at.clone(), word: Word::Component("Watch".into()), to: None, typed };
    apply_all(&mut project, &[remove]).unwrap();
    assert_eq!(project.def(&at, "a").unwrap().ops.remove, ["Other.y"]);
}

/// The text of a file after a schema's change was followed by the way out of that label.
fn followed(from: &str, to: &str, (at, text): (&str, &str), label: &str) -> String {
    let (document, findings) = io::load_one(&path(at), text);
    let document = Arc::new(document.unwrap_or_else(|| panic!("{findings:?}")));
    let (old, new) = (schema(&format!("({from})")), schema(&format!("({to})")));
    let documents = [(path("schemas/game.ron"), Arc::new(Document::Schema(new.clone()))), (path(at), document.clone())];
    let mut project = Project::from_iter(documents);
    let declared = resolve(&project, &builtin(), None).schema;
    let ways = migrations(&vanished(&old, &new), &declared, &project);
    let labels: Vec<&str> = ways.iter().map(|it| &*it.label).collect();
    let way = ways.iter().find(|it| it.label.starts_with(label)).unwrap_or_else(|| panic!("{labels:?}"));
    apply_all(&mut project, &way.edits).unwrap();
    let source = io::Source::new(text.into(), 0, Vec::new(), Some(document));
    io::text_of(project.doc(&path(at)).unwrap(), Some(&source))
}
