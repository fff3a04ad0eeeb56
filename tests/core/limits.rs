//! Values beyond what the preview computes with, and work beyond what a tick may take: both are reported, neither
//! hangs.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use levelwright::{
    defs::{Resolution, resolve},
    io::{self, Template},
    model::{Builtin, Document, FieldType, Project, Severity, Value, mix},
    sim::{Input, Options, World, limits},
};

use crate::{
    cases::{Case, seeds},
    world::{builtin, migrated, project, run},
};

/// A small world that may have findings.
fn world(defs: &str, machines: &str, entities: &str) -> World {
    let level = format!(
        "(size: (32, 12), tile_size: (16, 16), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [\"\", \"\", \"\", \"\", \"\", \"32*1\"] }}),
            Entities(name: \"actors\", entities: {{ {entities} }}),
        ])"
    );
    let files = [
        ("entities/e.ron", defs),
        ("machines/m.ron", machines),
        ("levels/l.ron", &*level),
        ("tilesets/t.ron", crate::world::FLOOR),
    ];
    let (project, resolution) = project(&files);
    World::compile(&project, &resolution, "l", Options::default()).unwrap()
}

/// What of a world was limited or cut short, by rule.
fn found(world: &World) -> Vec<(&str, &str)> {
    let serious = world.findings().iter().filter(|finding| finding.severity == Severity::Error);
    serious.map(|finding| (&*finding.rule, &*finding.message)).collect()
}

#[test]
fn the_ranges_of_the_schema_lie_within_those_of_the_preview() {
    let Builtin { schema, tuning } = builtin();
    for (path, min, max) in limits::ranges() {
        let (first, second) = path.split_once('.').unwrap();
        // A component and a page may have the same name, as cameras do.
        let page = tuning.iter().find(|page| &*page.page == first);
        let constant = page.and_then(|page| page.values.get(second)).map(|tunable| (tunable.min, tunable.max));
        let field = schema.field(first, second).map(|spec| (spec.min, spec.max));
        assert!(constant.or(field).is_some(), "there is no {path}");
        for (least, most) in constant.into_iter().chain(field) {
            assert!(least.is_some_and(|least| least >= min), "{path} is at least {least:?}, the preview takes {min}");
            assert!(most.is_some_and(|most| most <= max), "{path} is at most {most:?}, the preview takes {max}");
        }
    }
}

/// Numbers without a limit in the preview, and why they need none.
const UNLIMITED: [(&str, &str); 8] = [
    ("Collider.parts", "shapes and places are limited as they are read, as those of the collider itself"),
    ("Sprite.frame", "read as a whole number; a frame the sheet lacks is not drawn"),
    ("Sprite.clips", "a clip is read with a time above zero for each frame, and frames that are whole numbers"),
    (
        "Tracks.tracks",
        "times are clamped as they are read; values are limited as those of the fields and poses that they drive",
    ),
    ("Sounds.sounds", "loudness and pitch are clamped when a sound is played"),
    ("Player.index", "brought within 0 to 3 as it is read"),
    ("Simulation.seed", "any whole number is one"),
    ("Controls.dead_zone", "not the preview's; brought within a share as it is read"),
];

#[test]
fn every_number_of_the_built_in_schema_has_a_limit_or_a_reason_to_have_none() {
    fn has_number(ty: &FieldType) -> bool {
        match ty {
            FieldType::Vec2 | FieldType::Shape => true,
            FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => has_number(inner),
            FieldType::Struct(fields) => fields.values().any(|spec| has_number(&spec.ty)),
            ty => ty.is_number(),
        }
    }
    let Builtin { schema, tuning } = builtin();
    let mut without = BTreeSet::new();
    for (component, spec) in &schema.components {
        let numbers = spec.fields.iter().filter(|(_, spec)| has_number(&spec.ty)).map(|(field, _)| field);
        without.extend(numbers.map(|field| format!("{component}.{field}")));
    }
    for page in &tuning {
        let numbers = page.values.iter().filter(|(_, tunable)| tunable.value.as_f64().is_some());
        without.extend(numbers.map(|(name, _)| format!("{}.{name}", page.page)));
    }
    let limited: BTreeSet<String> = limits::ranges().map(|(path, ..)| path).collect();
    limited.iter().for_each(|path| assert!(without.remove(path), "{path} is no number of the schema"));
    let reasons: BTreeSet<String> = UNLIMITED.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(without, reasons, "each has a row in `src/sim/limits.rs`, or a reason here");
}

#[test]
fn a_value_beyond_the_limits_is_reported_and_limited() {
    let walker = "Walker: (), Body: (), Collider: ()";
    for (components, expected) in [
        (
            "Walker: (), Collider: (), Body: (velocity: (50.0, -1e15))",
            "`x`: `Body.velocity` is (50.0, -1000000000000000.0) px/s, which exceeds the preview's limit; limited to (50.0, -65536.0) px/s",
        ),
        (
            "Walker: (speed: 1.8e19), Body: (), Collider: ()",
            "`x`: `Walker.speed` is 1.8e19 px/s, which exceeds the preview's limit; limited to 65536.0 px/s",
        ),
        (
            "Body: (), Collider: (shape: Circle(1e30))",
            "`x`: `Collider.shape` is Circle(1.0e30) px, which exceeds the preview's limit; limited to Circle(32768.0) px",
        ),
    ] {
        let defs = format!("{{ \"x\": (set: ({components})) }}");
        let mut world = world(&defs, "{}", r#""x": (def: "x", at: (40.0, 40.0))"#);
        run(&mut world, 64);
        assert_eq!(found(&world), [("preview-limit", expected)]);
        let pose = world.entities().next().unwrap();
        assert!(pose.pos.is_finite() && pose.vel.is_finite(), "{components}: {pose:?}");
        assert!(pose.vel.abs().max_element() <= limits::MAX_SPEED_PX_S, "{components}: {pose:?}");
    }
    // Set by the game while it runs, by each way there is.
    for (action, expected) in [
        ("AddField(field: \"Walker.speed\", by: 1e32)", "`Walker.speed` is 1.0e32 px/s"),
        ("SetField(field: \"Body.velocity\", value: (0.0, 1e308))", "`Body.velocity` is (0.0, 1.0e308) px/s"),
        ("Impulse(by: (1e300, 0.0))", "`Impulse.by` is (1.0e300, 0.0)"),
        ("GoTo(at: Some((1e300, -1e300)))", "`GoTo.at` is (1.0e300, -1.0e300)"),
        ("Send(message: \"Later\", delay: 1e300)", "`Send.delay` is 1.0e300"),
        ("Spawn(def: \"x\", at: (1e300, 0.0))", "`Spawn.at` is (1.0e300, "),
        ("Spawn(def: \"x\", velocity: (1e300, 0.0))", "`Spawn.velocity` is (1.0e300, 0.0)"),
    ] {
        let defs = format!("{{ \"x\": (), \"w\": (set: (Brain: (machines: [\"m\"]), {walker})) }}");
        let machines = format!(
            "{{ \"m\": (initial: \"A\", states: {{ \"A\": (transitions: [(after: 0.1, do: [{action}], to: \"B\")]), \"B\": () }}) }}"
        );
        let mut world = world(&defs, &machines, r#""w": (def: "w", at: (40.0, 40.0))"#);
        run(&mut world, 64);
        let found = found(&world);
        let is_limited = !found.is_empty() && found.iter().all(|(rule, _)| *rule == "preview-limit");
        assert!(is_limited && found[0].1.starts_with(&format!("`w`: {expected}")), "{action}: {found:?}");
    }
}

#[test]
fn constants_are_limited_too_and_only_the_last_value_is_reported() {
    let mut world = world("{}", "{}", "");
    for (gravity, used, expected) in [
        (1e30, 1e5, Some("`Physics.gravity` is 1.0e30, which exceeds the preview's limit; limited to 100000.0")),
        (-1e30, -1e5, Some("`Physics.gravity` is -1.0e30, which exceeds the preview's limit; limited to -100000.0")),
        (500.0, 500.0, None),
    ] {
        assert!(world.set_tunable("Physics.gravity", Value::Float(gravity)));
        assert_eq!(world.tunable("Physics.gravity"), Some(&Value::Float(used)));
        assert_eq!(found(&world), Vec::from_iter(expected.map(|text| ("preview-limit", text))));
    }
}

/// The project of a level with one fast goblin beside a rock, a machine that pushes too hard, and a constant.
fn goblin(velocity: &str, rock: &str, push: &str) -> (Project, Resolution) {
    let defs = format!(
        "{{ \"goblin\": (set: (Brain: (machines: [\"m\"]), Body: (velocity: {velocity}, gravity_scale: 0.0), Collider: ())),
            \"rock\": (set: (Health: (max: {rock}))) }}"
    );
    let machine = format!(
        "{{ \"m\": (initial: \"A\", states: {{ \"A\": (transitions: [(after: 0.1, do: [Impulse(by: {push})], to: \"B\")]), \"B\": () }}) }}"
    );
    let level = r#"(size: (32, 12), tile_size: (16, 16), layers: [
        Entities(name: "actors", entities: { "g": (def: "goblin", at: (40.0, 40.0)), "r": (def: "rock", at: (9.0, 9.0)) }),
    ])"#;
    project(&[("entities/e.ron", &*defs), ("machines/m.ron", &*machine), ("levels/l.ron", level)])
}

#[test]
fn problems_that_still_hold_stay_listed_when_something_else_is_edited() {
    let of = |world: &World| found(world).iter().map(|(_, message)| (*message).to_owned()).collect::<Vec<_>>();
    let (first, resolution) = goblin("(1e15, 0.0)", "1.0", "(1e300, 0.0)");
    let mut world = World::compile(&first, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 64);
    world.set_tunable("Physics.gravity", Value::Float(1e30));
    let listed = of(&world);
    let about = ["Body.velocity", "Impulse.by", "Physics.gravity"];
    for what in about {
        assert_eq!(listed.iter().filter(|text| text.contains(what)).count(), 1, "{what}: {listed:?}");
    }
    let same = |listed: &[String], after: &[String]| {
        let sorted = |list: &[String]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(listed), sorted(after));
    };
    // The rock is another, the goblin is as it was.
    let (other, resolution) = goblin("(1e15, 0.0)", "2.0", "(1e300, 0.0)");
    let rocked = migrated(&world, &other, &resolution);
    same(&listed, &of(&rocked));
    // The goblin is slow and its machine gentle: nothing but the constant is left.
    let (mended, resolution) = goblin("(10.0, 0.0)", "2.0", "(1.0, 0.0)");
    let mended = migrated(&rocked, &mended, &resolution);
    let left = of(&mended);
    assert!(left.len() == 1 && left[0].contains("Physics.gravity"), "{left:?}");
    // And fast again: it is reported again.
    let again = migrated(&mended, &other, &goblin("(1e15, 0.0)", "2.0", "(1.0, 0.0)").1);
    assert!(of(&again).iter().any(|text| text.contains("Body.velocity")), "{:?}", of(&again));
}

#[test]
fn what_never_ends_is_cut_short_and_says_so() {
    let storm = |machines: &str| {
        let defs = r#"{ "x": (set: (Brain: (machines: ["m"]))), "y": (set: (Tags: (tags: ["all"]))) }"#;
        world(defs, machines, r#""x": (def: "x", at: (40.0, 40.0))"#)
    };
    let (spawn, send) = (r#"Spawn(def: "y"), "#, r#"Send(to: "tag:all", message: "A", delay: 100.0), "#);
    let send_now = r#"Send(message: "A"), "#;
    let mail = format!(r#"{{ "m": (enter: [{}], update: [{}]) }}"#, spawn.repeat(200), send.repeat(40));
    let crowd = format!(r#"{{ "m": (update: [{}]) }}"#, spawn.repeat(9_000));
    let burst = (send_now.repeat(120), spawn.repeat(100));
    let many = format!(r#"{{ "m": (enter: [{}], on: {{ "A": [{}] }}) }}"#, burst.0, burst.1);
    for (machines, n_ticks, expected) in [
        // Each makes two more of its kind.
        (r#"{ "m": (update: [Spawn(def: "x"), Spawn(def: "x")]) }"#, 20, "more than 10000 entities in one tick"),
        (&crowd, 10, "there are too many entities"),
        // In each of many responses of one tick.
        (&many, 3, "more than 10000 entities in one tick"),
        (r#"{ "m": (enter: [StartMachine(machine: "m"), StartMachine(machine: "m")]) }"#, 2, "more than 256 machines"),
        (
            r#"{ "m": (enter: [Send(message: "A")], on: { "A": [Send(message: "A"), Send(message: "A")] }) }"#,
            2,
            "more than 10000 messages in one tick",
        ),
        (&mail, 60, "more than 250000 messages wait"),
    ] {
        let mut world = storm(machines);
        let mut n = 0;
        while world.overload().is_none() && n < n_ticks {
            world.step(&Input::NONE);
            n += 1;
        }
        assert!(world.overload().is_some_and(|why| why.contains(expected)), "{machines}: {:?}", world.overload());
        let hash = world.hash();
        let mut again = storm(machines);
        (0..n).for_each(|_| again.step(&Input::NONE));
        assert_eq!(again.hash(), hash, "{machines}");
    }
}

#[test]
fn bodies_that_are_all_in_one_place_are_too_much_for_a_tick() {
    let rocks = |components: &str| {
        let defs = format!("{{ \"c\": (set: ({components})), \"x\": (set: (Brain: (machines: [\"m\"]))) }}");
        let spawn = vec!["Spawn(def: \"c\")"; 1100].join(", ");
        let mut world =
            world(&defs, &format!("{{ \"m\": (enter: [{spawn}]) }}"), r#""x": (def: "x", at: (40.0, 40.0))"#);
        world.step(&Input::NONE);
        world.overload().map(str::to_owned)
    };
    for components in ["Body: (), Collider: ()", "Body: (), Collider: (sensor: true)"] {
        let overload = rocks(components);
        assert!(overload.as_ref().is_some_and(|why| why.contains("pairs of bodies")), "{components}: {overload:?}");
    }
    // What cannot touch makes no work.
    let layers = "Body: (), Collider: (layer: [Prop], mask: [World])";
    for components in [layers, "Collider: ()", "Collider: (sensor: true)"] {
        assert_eq!(rocks(components), None, "{components}");
    }
}

#[test]
fn a_flock_and_its_enemies_count_as_work() {
    let defs = r#"{
        "bird": (set: (Flyer: (), Flock: (perception: 4.0, enemy: "cat"))),
        "cat": (),
        "x": (set: (Brain: (machines: ["m"]))),
    }"#;
    let flock = |n_birds: usize, n_cats: usize| {
        let birds = (0..n_birds).map(|i| format!("Spawn(def: \"bird\", at: ({i}.0, 0.0))"));
        let spawn: Vec<String> = birds.chain((0..n_cats).map(|_| "Spawn(def: \"cat\")".to_owned())).collect();
        let machine = format!("{{ \"m\": (enter: [{}]) }}", spawn.join(", "));
        let mut world = world(defs, &machine, r#""x": (def: "x", at: (40.0, 40.0))"#);
        run(&mut world, 1);
        world.overload().map(str::to_owned)
    };
    assert_eq!(flock(4_000, 0), None);
    for (n_birds, n_cats) in [(5_100, 0), (4_000, 5_900)] {
        let why = flock(n_birds, n_cats).unwrap_or_default();
        assert!(why.contains("look for where to go"), "{why}");
    }
}

/// Extreme values.
const EXTREME: [f64; 14] =
    [0.0, -0.0, 1e-30, -1e-30, 1e15, -1e15, 1e30, -1e30, 1e308, -1e308, 4_194_305.0, -65_537.0, 0.5, -1.0];
const EXTREME_INTS: [i64; 6] = [i64::MAX, i64::MIN, 0, -1, 1 << 32, 1_000_000];

/// A file's text with some of its numbers replaced: one in `rarity`, of levels only those with a decimal point, which
/// leaves sizes and tiles.
fn spoiled_text(text: &str, is_level: bool, seed: &mut u64, rarity: u64) -> String {
    let mut draw = |n: u64| {
        *seed = mix(*seed);
        usize::try_from(*seed % n).unwrap()
    };
    let mut out = String::new();
    for line in text.lines() {
        // Numbers in texts and comments stay: every other part between quotes, and all behind a comment's start.
        let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
        for (i, part) in code.split('"').enumerate() {
            out.push_str(if i > 0 { "\"" } else { "" });
            let mut rest = part;
            while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
                let is_name = rest[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let end = rest[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_');
                let end = end.map_or(rest.len(), |end| start + end);
                let number = &rest[start..end];
                let is_float = number.contains('.');
                out.push_str(&rest[..start]);
                if i % 2 == 1 || is_name || is_level && !is_float || draw(rarity) > 0 {
                    out.push_str(number);
                } else if is_float {
                    out.truncate(out.trim_end_matches('-').len());
                    out.push_str(&format!("{:?}", EXTREME[draw(1 << 20) % EXTREME.len()]));
                } else {
                    out.truncate(out.trim_end_matches('-').len());
                    out.push_str(&EXTREME_INTS[draw(1 << 20) % EXTREME_INTS.len()].to_string());
                }
                rest = &rest[end..];
            }
            out.push_str(rest);
        }
        out.push_str(comment);
        out.push('\n');
    }
    out
}

/// The project with some of its numbers replaced. A file that can no longer be read is left as it was.
fn spoiled(loaded: &io::Loaded, mut seed: u64, rarity: u64) -> (Project, usize) {
    let (mut spoiled, mut n_changed) = (loaded.project.clone(), 0);
    for (path, source) in loaded.sources.files() {
        let Some(document) = spoiled.documents.get_mut(path) else { continue };
        let is_level = matches!(**document, Document::Level(_));
        if !is_level && !matches!(**document, Document::Entities(_) | Document::Machines(_) | Document::Tuning(_)) {
            continue;
        }
        let text = spoiled_text(&source.text, is_level, &mut seed, rarity);
        if let (Some(other), _) = io::load_one(path, &text) {
            n_changed += usize::from(other != **document);
            *document = Arc::new(other);
        }
    }
    (spoiled, n_changed)
}

fn assert_survives(project: &Project, resolution: &Resolution, level: &str, n_ticks: u64, case: &str) {
    let start = || World::compile(project, resolution, level, Options::default());
    let (Ok(mut world), Ok(mut again)) = (start(), start()) else { return };
    for _ in 0..n_ticks {
        world.step(&Input::NONE.with(Input::RIGHT));
        drop(world.drain_events());
        for entity in world.entities() {
            let is_sane = entity.pos.is_finite() && entity.vel.is_finite() && entity.angle.is_finite();
            assert!(is_sane, "{case}, tick {}: {} at {}, {}", world.tick(), entity.id, entity.pos, entity.vel);
            let far = limits::MAX_POS_PX + limits::MAX_SPEED_PX_S;
            assert!(entity.pos.abs().max_element() <= far, "{case}: {} at {}", entity.id, entity.pos);
        }
        if world.overload().is_some() {
            break;
        }
    }
    for _ in 0..world.tick() {
        again.step(&Input::NONE.with(Input::RIGHT));
        drop(again.drain_events());
    }
    assert_eq!(world.hash(), again.hash(), "{case}");
}

#[test]
fn games_with_extreme_numbers_end_and_repeat() {
    let mut games = vec![io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data"))];
    let dir = tempfile::tempdir().unwrap();
    for (i, template) in Template::ALL.into_iter().enumerate() {
        let root = dir.path().join(i.to_string());
        io::new_project(&root, template, "p").unwrap();
        games.push(io::load(&root));
    }
    let mut n_all = 0;
    for (i, game) in games.iter().enumerate() {
        for seed in seeds(3) {
            let _case = Case::new(seed);
            let (spoiled, n_changed) = spoiled(game, mix(seed ^ (i as u64) << 32), [3, 12, 40][(seed % 3) as usize]);
            n_all += n_changed;
            let resolution = resolve(&spoiled, &builtin(), None);
            let levels: Vec<_> = resolution.levels.keys().cloned().collect();
            for level in levels {
                assert_survives(&spoiled, &resolution, &level, 16, &format!("game {i}, seed {seed}, {level}"));
            }
        }
    }
    assert!(n_all > 50, "only {n_all} files could be spoiled");
}
