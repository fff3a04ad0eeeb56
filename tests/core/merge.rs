//! Three-way merge: nothing of either side is lost, what both changed is asked about, and nothing else is.

use std::{collections::BTreeMap, sync::Arc};

use levelwright::{
    io::{Choices, codec, load_one, merge, ron_text, same},
    model::*,
};

use crate::cases::{Case, seeds};

fn path(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn read(at: &str, text: &str) -> Arc<Document> {
    let (document, findings) = load_one(&path(at), text);
    Arc::new(document.unwrap_or_else(|| panic!("{findings:#?}\n{text}")))
}

/// The merge of three texts: the document as text, and what is contested as `path: base | mine | theirs`.
fn merged(at: &str, base: &str, mine: &str, theirs: &str) -> (String, Vec<String>) {
    let merged = merge(Some(&read(at, base)), &read(at, mine), &read(at, theirs), &Choices::default());
    let said = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    let show = |it: &Contest| {
        let order = if it.is_order { " order" } else { "" };
        format!("{}{order}: {} | {} | {}", it.path, said(&it.base), said(&it.mine), said(&it.theirs))
    };
    (codec::encode(&merged.document), merged.contests.iter().map(show).collect())
}

fn canonical(at: &str, text: &str) -> String {
    codec::encode(&read(at, text))
}

/// Base, mine, theirs, and what they make together.
const MERGES: &[(&str, &str, &str, &str, &str)] = &[
    // Different fields of one component.
    (
        "entities/e.ron",
        "{ \"a\": (set: (Walker: (speed: 1.0, jump: 2.0))) }",
        "{ \"a\": (set: (Walker: (speed: 9.0, jump: 2.0))) }",
        "{ \"a\": (set: (Walker: (speed: 1.0, jump: 8.0))) }",
        "{ \"a\": (set: (Walker: (speed: 9.0, jump: 8.0))) }",
    ),
    // Different operations, a new component, a component taken out; a definition each.
    (
        "entities/e.ron",
        "{ \"a\": (set: (Walker: (speed: 1.0), Shield: ())), \"z\": () }",
        "{ \"a\": (set: (Walker: (speed: 1.0), Shield: ()), scale: (Health: (max: 2.0))), \"mine\": (), \"z\": () }",
        "{ \"a\": (set: (Walker: (speed: 1.0), Loot: (gold: 3))), \"theirs\": (), \"z\": () }",
        "{ \"a\": (set: (Walker: (speed: 1.0), Loot: (gold: 3)), scale: (Health: (max: 2.0))), \"theirs\": (), \"mine\": (), \"z\": () }",
    ),
    // Parents are merged in order, things taken away as a set.
    (
        "entities/e.ron",
        "{ \"a\": (inherits: [\"p\", \"q\"], remove: [\"Shield\", \"Loot\"]) }",
        "{ \"a\": (inherits: [\"q\"], remove: [\"Shield\", \"Loot\", \"Brain\"]) }",
        "{ \"a\": (inherits: [\"p\", \"q\", \"r\"], remove: [\"Loot\", \"Body\"]) }",
        "{ \"a\": (inherits: [\"q\", \"r\"], remove: [\"Loot\", \"Body\", \"Brain\"]) }",
    ),
    // One side moves definitions about, the other changes and adds.
    (
        "entities/e.ron",
        "{ \"a\": (), \"b\": (), \"c\": () }",
        "{ \"c\": (), \"a\": (), \"b\": () }",
        "{ \"a\": (), \"b\": (abstract: true), \"new\": (), \"c\": () }",
        "{ \"c\": (), \"a\": (), \"b\": (abstract: true), \"new\": () }",
    ),
    // Parts of a struct and of a shape.
    (
        "entities/e.ron",
        "{ \"a\": (set: (Body: (box: (w: 1.0, h: 1.0), shape: Rect(w: 4.0, h: 4.0)))) }",
        "{ \"a\": (set: (Body: (box: (w: 2.0, h: 1.0), shape: Rect(w: 4.0, h: 9.0)))) }",
        "{ \"a\": (set: (Body: (box: (w: 1.0, h: 3.0), shape: Rect(w: 8.0, h: 4.0)))) }",
        "{ \"a\": (set: (Body: (box: (w: 2.0, h: 3.0), shape: Rect(w: 8.0, h: 9.0)))) }",
    ),
    // One name twice: the layers are lined up by place, and one that was renamed keeps its new name (seed 990014).
    (
        "levels/l.ron",
        "(tile_size: (16, 16), layers: [Entities(name: \"g\"), Entities(name: \"a\"), Waypoints(name: \"p\")])",
        "(tile_size: (16, 16), layers: [Entities(name: \"g\"), Entities(name: \"a\"), Waypoints(name: \"p\", radius: 9.0)])",
        "(tile_size: (16, 16), layers: [Entities(name: \"g\", visible: false), Entities(name: \"g\"), Entities(name: \"b\"), Waypoints(name: \"p\")])",
        "(tile_size: (16, 16), layers: [Entities(name: \"g\", visible: false), Entities(name: \"g\"), Entities(name: \"b\"), Waypoints(name: \"p\", radius: 9.0)])",
    ),
    // Cells of one chunk, a chunk each, layers, placed things by id.
    (
        "levels/l.ron",
        "(tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {(0, 0): [\"1 1 1\"]}), \
          Entities(name: \"e\", entities: {\"i\": (def: \"d\", at: (1.0, 1.0))})])",
        "(tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {(0, 0): [\"2 1 1\"], (1, 0): [\"5\"]}), \
          Entities(name: \"e\", entities: {\"i\": (def: \"d\", at: (9.0, 1.0)), \"j\": (def: \"d\", at: (0.0, 0.0))})])",
        "(tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", visible: false, chunks: {(0, 0): [\"1 1 .\", \"3\"]}), \
          Entities(name: \"e\", entities: {\"i\": (def: \"d\", at: (1.0, 1.0), rotation: 90.0)}), Waypoints(name: \"w\")])",
        "(tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", visible: false, chunks: {(0, 0): [\"2 1\", \"3\"], (1, 0): [\"5\"]}), \
          Entities(name: \"e\", entities: {\"i\": (def: \"d\", at: (9.0, 1.0), rotation: 90.0), \"j\": (def: \"d\", at: (0.0, 0.0))}), Waypoints(name: \"w\")])",
    ),
    // Ways out of a state line up by what they say; fields of one that both changed, each its own.
    (
        "machines/m.ron",
        "{ \"m\": (states: {\"A\": (transitions: [(on: \"x\", to: \"A\"), (after: 1.0, to: \"B\"), (on: \"y\", to: \"B\")]), \"B\": ()}) }",
        "{ \"m\": (states: {\"A\": (transitions: [(on: \"x\", to: \"A\"), (after: 2.0, to: \"B\"), (on: \"y\", to: \"B\"), (on: \"z\", to: \"B\")]), \"B\": ()}) }",
        "{ \"m\": (states: {\"A\": (transitions: [(on: \"w\", to: \"A\"), (on: \"x\", to: \"A\"), (after: 1.0, to: \"A\"), (on: \"y\", to: \"B\")]), \"B\": ()}) }",
        "{ \"m\": (states: {\"A\": (transitions: [(on: \"w\", to: \"A\"), (on: \"x\", to: \"A\"), (after: 2.0, to: \"A\"), (on: \"y\", to: \"B\"), (on: \"z\", to: \"B\")]), \"B\": ()}) }",
    ),
    // Every other kind, field by field.
    (
        "tuning/t.ron",
        "(page: \"P\", values: {\"a\": (value: 1.0, min: 0.0), \"b\": (value: 2)})",
        "(page: \"P\", values: {\"a\": (value: 5.0, min: 0.0), \"b\": (value: 2)})",
        "(page: \"P\", order: 3, values: {\"a\": (value: 1.0, min: -1.0, doc: \"d\")})",
        "(page: \"P\", order: 3, values: {\"a\": (value: 5.0, min: -1.0, doc: \"d\")})",
    ),
    (
        "tilesets/t.ron",
        "(image: \"a.png\", tile_size: (16, 16), tiles: {1: (at: (0, 0), tags: [\"x\"])}, terrains: [(name: \"s\", tiles: {1: \"s,s,s,s\"})])",
        "(image: \"b.png\", tile_size: (16, 16), tiles: {1: (at: (0, 0), tags: [\"x\", \"y\"])}, terrains: [(name: \"s\", tiles: {1: \"s,s,s,_\"})])",
        "(image: \"a.png\", tile_size: (16, 16), tiles: {1: (at: (0, 0), shape: Full, tags: [\"z\", \"x\"]), 2: (at: (1, 0))}, terrains: [(name: \"s\", tiles: {1: \"s,s,s,s\", 2: \"_,s,s,s\"})])",
        "(image: \"b.png\", tile_size: (16, 16), tiles: {1: (at: (0, 0), shape: Full, tags: [\"z\", \"x\", \"y\"]), 2: (at: (1, 0))}, terrains: [(name: \"s\", tiles: {1: \"s,s,s,_\", 2: \"_,s,s,s\"})])",
    ),
    (
        "schemas/s.ron",
        "(enums: {\"E\": [\"A\", \"B\"]}, components: {\"C\": (fields: {\"f\": (type: Float, min: 0.0)})})",
        "(enums: {\"E\": [\"A\", \"B\", \"C\"]}, components: {\"C\": (fields: {\"f\": (type: Float, min: 0.0, max: 1.0)})})",
        "(enums: {\"E\": [\"B\"]}, components: {\"C\": (doc: \"c\", fields: {\"f\": (type: Float, min: 0.0, unit: \"m\"), \"g\": (type: Int)})})",
        "(enums: {\"E\": [\"B\", \"C\"]}, components: {\"C\": (doc: \"c\", fields: {\"f\": (type: Float, min: 0.0, max: 1.0, unit: \"m\"), \"g\": (type: Int)})})",
    ),
    (
        "scenarios/s.ron",
        "(level: \"l\", secs: 1.0, script: [(at: 0.5, press: \"A\")])",
        "(level: \"l\", secs: 2.0, script: [(at: 0.5, press: \"A\"), (at: 0.7, release: \"A\")])",
        "(level: \"m\", secs: 1.0, seed: 4, script: [(at: 0.5, press: \"A\")])",
        "(level: \"m\", secs: 2.0, seed: 4, script: [(at: 0.5, press: \"A\"), (at: 0.7, release: \"A\")])",
    ),
    (
        "project.ron",
        "(format: 1, name: \"a\")",
        "(format: 1, name: \"b\")",
        "(format: 1, name: \"a\", view: TopDown)",
        "(format: 1, name: \"b\", view: TopDown)",
    ),
];

#[test]
fn changes_in_different_places_are_both_there() {
    for (at, base, mine, theirs, both) in MERGES {
        let (text, contests) = merged(at, base, mine, theirs);
        assert!(contests.is_empty(), "{contests:#?}");
        assert_eq!(text, canonical(at, both), "{mine}\n{theirs}");
        // The other way round, what both added at one place may stand in another order.
        let (flipped, contests) = merged(at, base, theirs, mine);
        assert!(contests.is_empty(), "{contests:#?}");
        let (a, b) = (read(at, &flipped), read(at, both));
        assert!(leaves(&a) == leaves(&b), "{flipped}");
    }
}

#[test]
fn the_same_place_is_asked_about_and_nothing_else() {
    let e = "entities/e.ron";
    let cases: &[(&str, &str, &str, &str, &[&str])] = &[
        (
            e,
            "{ \"a\": (set: (W: (speed: 1.0, x: 1))), \"b\": () }",
            "{ \"a\": (set: (W: (speed: 2.0, x: 1))), \"b\": (abstract: true) }",
            "{ \"a\": (set: (W: (speed: 3.0, x: 2))), \"b\": () }",
            &["a.set.W.speed: 1.0 | 2.0 | 3.0"],
        ),
        (
            e,
            "{ \"a\": (set: (W: (speed: 1.0))), \"b\": () }",
            "{ \"b\": () }",
            "{ \"a\": (set: (W: (speed: 3.0))), \"b\": () }",
            &["a: (set: (W: (speed: 1.0))) | - | (set: (W: (speed: 3.0)))"],
        ),
        (
            e,
            "{ \"a\": (set: (W: (s: 1))) }",
            "{ \"a\": () }",
            "{ \"a\": (set: (W: (s: 2))) }",
            &["a.set.W: (s: 1) | - | (s: 2)"],
        ),
        (e, "{}", "{ \"a\": (set: (W: (s: 1))) }", "{ \"a\": (set: (W: (s: 2))) }", &["a.set.W.s: - | 1 | 2"]),
        (
            e,
            "{ \"a\": (), \"b\": (), \"c\": () }",
            "{ \"b\": (), \"a\": (), \"c\": () }",
            "{ \"a\": (), \"c\": (), \"b\": () }",
            &[" order: [\"a\", \"b\", \"c\"] | [\"b\", \"a\", \"c\"] | [\"a\", \"c\", \"b\"]"],
        ),
        (
            "machines/m.ron",
            "{ \"m\": (enter: [Stop]) }",
            "{ \"m\": (enter: [Stop, Log(text: \"a\")]) }",
            "{ \"m\": (enter: [Stop, Log(text: \"b\"), Stop]) }",
            &["m.enter[1]: - | Log(text: \"a\") | Log(text: \"b\"),\nStop"],
        ),
        (
            "levels/l.ron",
            "(tile_size: (1, 1), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {(1, 0): [\"1 1 1\"]})])",
            "(tile_size: (1, 1), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {(1, 0): [\"2 1 2\"]})])",
            "(tile_size: (1, 1), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {(1, 0): [\"3 3 2\"]})])",
            &["layers.g.chunks.(1, 0): (32, 0): 1 | (32, 0): 2 | (32, 0): 3"],
        ),
    ];
    for (at, base, mine, theirs, asked) in cases {
        let (text, contests) = merged(at, base, mine, theirs);
        let contests: Vec<String> = contests
            .iter()
            .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(", )", ")"))
            .collect();
        let asked: Vec<String> = asked.iter().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(contests, asked, "{text}");
    }
}

#[test]
fn each_place_can_go_to_either_side() {
    let at = "entities/e.ron";
    let base = read(at, "{ \"a\": (set: (W: (x: 1, y: 1, z: 1))) }");
    let mine = read(at, "{ \"a\": (set: (W: (x: 2, y: 2, z: 1))) }");
    let theirs = read(at, "{ \"a\": (set: (W: (x: 3, y: 3, z: 3))) }");
    let asked = merge(Some(&base), &mine, &theirs, &Choices::default()).contests;
    assert_eq!(asked.len(), 2);
    let mut choices = Choices::default();
    choices.choose(asked[0].clone(), Side::Mine);
    let half = merge(Some(&base), &mine, &theirs, &choices);
    assert_eq!(half.contests, asked[1..]);
    choices.choose(asked[1].clone(), Side::Theirs);
    let done = merge(Some(&base), &mine, &theirs, &choices);
    assert!(done.contests.is_empty());
    assert!(same(&done.document, &read(at, "{ \"a\": (set: (W: (x: 2, y: 3, z: 3))) }")));
    // An answer is to what was asked: what has changed since is asked again.
    let later = read(at, "{ \"a\": (set: (W: (x: 4, y: 3, z: 3))) }");
    assert_eq!(merge(Some(&base), &mine, &later, &choices).contests.len(), 1);
}

#[test]
fn what_did_not_change_keeps_its_place_in_memory() {
    let at = "entities/e.ron";
    let base = read(at, "{ \"a\": (), \"b\": (), \"c\": () }");
    let mine = read(at, "{ \"a\": (abstract: true), \"b\": (), \"c\": () }");
    let theirs = read(at, "{ \"a\": (), \"b\": (), \"c\": (abstract: true) }");
    let merged = merge(Some(&base), &mine, &theirs, &Choices::default()).document;
    let def = |document: &Document, name: &str| {
        let Document::Entities(file) = document else { panic!("not definitions") };
        file.defs[name].clone()
    };
    assert!(Arc::ptr_eq(&def(&merged, "a"), &def(&mine, "a")));
    assert!(Arc::ptr_eq(&def(&merged, "b"), &def(&mine, "b")));
    assert!(Arc::ptr_eq(&def(&merged, "c"), &def(&theirs, "c")));
}

/// A source of numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 >> 20) as usize % n.max(1)
    }
}

/// Change something anywhere in a value, without knowing what it is.
fn change(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Bool(b) => *b = !*b,
        Value::Int(i) => *i = dice.roll(5) as i64 + 1,
        Value::Float(x) => *x = dice.roll(5) as f64 + 0.5,
        Value::Str(text) if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "hvd*. ".contains(c)) => {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let at = dice.roll(words.len());
            words[at] = (dice.roll(3) + 1).to_string();
            *text = words.join(" ");
        }
        Value::Str(text) => *text = format!("{}{}", text.chars().take(12).collect::<String>(), dice.roll(3)),
        Value::Symbol(_) => {}
        Value::Tuple(items) | Value::List(items) if items.is_empty() => {}
        Value::Tuple(items) => {
            let at = dice.roll(items.len());
            change(&mut items[at], dice);
        }
        Value::List(items) => {
            let at = dice.roll(items.len());
            match dice.roll(6) {
                0 => _ = items.remove(at),
                1 => {
                    let mut copy = items[at].clone();
                    change(&mut copy, dice);
                    items.insert(at, copy);
                }
                2 => {
                    let to = dice.roll(items.len());
                    items.swap(at, to);
                }
                _ => change(&mut items[at], dice),
            }
        }
        Value::Struct(fields) => {
            let at = dice.roll(fields.len());
            if dice.roll(6) == 0 {
                fields.shift_remove_index(at);
            } else if let Some((_, value)) = fields.get_index_mut(at) {
                change(value, dice);
            }
        }
        Value::Map(entries) if entries.is_empty() => {}
        Value::Map(entries) => {
            let at = dice.roll(entries.len());
            match dice.roll(8) {
                0 => _ = entries.remove(at),
                1 => {
                    let mut copy = entries[at].clone();
                    match &mut copy.0 {
                        Value::Str(key) => *key = format!("{}_{}", key, dice.roll(4)),
                        other => change(other, dice),
                    }
                    if !entries.iter().any(|(key, _)| *key == copy.0) {
                        entries.insert(at, copy);
                    }
                }
                2 => {
                    let entry = entries.remove(at);
                    let to = dice.roll(entries.len() + 1);
                    entries.insert(to, entry);
                }
                _ => change(&mut entries[at].1, dice),
            }
        }
        Value::Tagged(_, content) => change(content, dice),
    }
}

/// A document like this one with a few things changed that is still a document.
fn changed(at: &DocPath, base: &Arc<Document>, dice: &mut Dice) -> Arc<Document> {
    let text = codec::encode(base);
    let value = ron_text::parse(&text).unwrap().to_value();
    for _ in 0..20 {
        let mut value = value.clone();
        for _ in 0..=dice.roll(4) {
            change(&mut value, dice);
        }
        if let (Some(document), _) = load_one(at, &value.to_string()) {
            return Arc::new(document);
        }
    }
    Arc::clone(base)
}

/// Everything a document says by where it says it; lists without names are one thing, cells of tiles many.
fn leaves(document: &Document) -> BTreeMap<String, String> {
    let text = codec::encode(document);
    let mut out = BTreeMap::new();
    walk(&ron_text::parse(&text).unwrap().to_value(), "", &mut out);
    out
}

fn walk(value: &Value, at: &str, out: &mut BTreeMap<String, String>) {
    let named = |item: &Value| match item {
        Value::Tagged(_, content) => content.field("name").and_then(Value::as_str).map(str::to_owned),
        other => match (other.field("from"), other.field("to"), other.field("name")) {
            (Some(from), Some(to), _) => Some(format!("{from} {to}")),
            (_, _, Some(name)) => name.as_str().map(str::to_owned),
            _ => None,
        },
    };
    match value {
        Value::Struct(fields) => {
            out.insert(at.to_owned(), "there".into());
            fields.iter().for_each(|(name, value)| walk(value, &format!("{at}.{name}"), out));
        }
        Value::Tuple(items) if items.is_empty() => _ = out.insert(at.to_owned(), "there".into()),
        Value::Map(entries) if at.ends_with(".chunks") => {
            for (key, rows) in entries {
                for (y, row) in rows.as_list().into_iter().flatten().enumerate() {
                    let mut x = 0;
                    for word in row.as_str().unwrap_or_default().split_whitespace() {
                        let (n, tile) = word.split_once('*').map_or((1, word), |(n, tile)| (n.parse().unwrap(), tile));
                        for _ in 0..n {
                            if tile != "." {
                                out.insert(format!("{at}.{key}.{x}.{y}"), tile.into());
                            }
                            x += 1;
                        }
                    }
                }
            }
        }
        Value::Map(entries) => entries.iter().for_each(|(key, value)| walk(value, &format!("{at}.{key}"), out)),
        Value::Tagged(tag, content) => walk(content, &format!("{at}.{tag}"), out),
        Value::List(items) if items.iter().all(|item| named(item).is_some()) => {
            items.iter().for_each(|item| walk(item, &format!("{at}.{}", named(item).unwrap()), out));
        }
        Value::List(items) if items.iter().all(|item| matches!(item, Value::Str(_))) => {
            items.iter().for_each(|item| _ = out.insert(format!("{at}.{item}"), "there".into()));
        }
        other => _ = out.insert(at.to_owned(), other.to_string()),
    }
}

fn documents() -> Vec<(DocPath, Arc<Document>)> {
    let loaded = levelwright::io::load(&super::load::formats());
    loaded.project.documents.into_iter().collect()
}

#[test]
fn random_changes_merge_without_loss() {
    let mut n_contested = 0;
    let mut n_clean = 0;
    for (at, base) in documents() {
        for seed in seeds(60) {
            let _case = Case::new(seed);
            let mut dice = Dice(mix(seed));
            let mine = changed(&at, &base, &mut dice);
            let theirs = changed(&at, &base, &mut dice);
            let none = Choices::default();
            let of = |base: &Arc<Document>, a: &Arc<Document>, b: &Arc<Document>, choices: &Choices| {
                merge(Some(base), a, b, choices)
            };
            for (a, b, want) in [(&mine, &base, &mine), (&base, &theirs, &theirs), (&mine, &mine, &mine)] {
                let merged = of(&base, a, b, &none);
                assert!(merged.contests.is_empty(), "{:#?}", merged.contests);
                assert!(same(&merged.document, want), "{}\n{}", codec::encode(&merged.document), codec::encode(want));
            }
            let merged = of(&base, &mine, &theirs, &none);
            let flipped = of(&base, &theirs, &mine, &none);
            let place = |it: &Contest| (it.path.clone(), it.is_order);
            let mut places: [Vec<_>; 2] = [&merged, &flipped].map(|it| it.contests.iter().map(place).collect());
            places.iter_mut().for_each(|list| list.sort());
            assert_eq!(places[0], places[1], "{at} {seed}");
            let [b, m, t] = [&base, &mine, &theirs].map(|it| leaves(it));
            for side in [Side::Mine, Side::Theirs] {
                let won = of(&base, &mine, &theirs, &Choices::all(side));
                assert!(won.contests.is_empty());
                let lost = of(&base, &theirs, &mine, &Choices::all(side.other()));
                let (r, s) = (leaves(&won.document), leaves(&lost.document));
                assert_eq!(r, s, "{at} {seed}: the sides are not alike");
                let keys: std::collections::BTreeSet<&String> = b.keys().chain(m.keys()).chain(t.keys()).collect();
                for key in keys {
                    let (b, m, t, r) = (b.get(key), m.get(key), t.get(key), r.get(key));
                    if m == t {
                        assert!(r == m || !merged.contests.is_empty(), "{at} {seed}: {key} {b:?} {m:?} {t:?} {r:?}");
                    } else if merged.contests.is_empty() && (m == b || t == b) {
                        let want = if m == b { t } else { m };
                        assert_eq!(r, want, "{at} {seed}: {key}");
                    }
                    assert!(
                        r.is_none() || [b, m, t].contains(&r) || is_list(r),
                        "{at} {seed}: {key} {r:?} was made up"
                    );
                }
                // What is merged can be written and read.
                let text = codec::encode(&won.document);
                assert!(load_one(&at, &text).0.is_some_and(|read| same(&read, &won.document)), "{text}");
            }
            n_contested += usize::from(!merged.contests.is_empty());
            n_clean += usize::from(merged.contests.is_empty());
        }
    }
    assert!(n_contested > 50 && n_clean > 100, "{n_contested} contested, {n_clean} clean");
}

fn is_list(value: Option<&String>) -> bool {
    value.is_some_and(|value| value.starts_with('['))
}
