//! The built-in components and constants have their defaults in the schemas alone: each of them, changed there, changes
//! the world, also for entities that lack the component.

use std::{cell::Cell, collections::BTreeSet, fmt::Write as _, slice, sync::Arc};

use levelwright::{
    defs::resolve,
    model::{Builtin, ComponentSpec, DocPath, Document, FieldSpec, FieldType, Name, Project, Schema, Value},
    sim::{EntityKey, Input, Options, World},
};

use crate::world::{builtin, project};

const TILES: &str = r#"(tile_size: (16, 16), image: "t.png", tiles: {
    1: (at: (0, 0), name: "stone", shape: Full), 2: (at: (16, 0), name: "mud", cost: { "walk": 8.0 }),
})"#;

const DEFS: &str = r#"{
    "hero": (set: (Player: (), Walker: (), WallJump: (), Dash: (), Climb: (), Swim: (), Body: (), Collider: (), Sprite: (image: "h.png", clips: { "walk": (frames: [1, 2]), "run": (frames: [3, 4]) }))),
    "air": (set: (Zone: (), Collider: (shape: Box((60.0, 60.0)), sensor: true))),
    "hung": (set: (Joint: (), Body: (), Collider: ())),
    "vase": (set: (Breakable: (), Collider: ())),
    "bit": (),
    "pot": (set: (Breakable: (pieces: ["bit", "bit"]), Collider: ())),
    "plain": (set: (Sprite: ())),
    "still": (set: (Sprite: (image: "s.png"))),
    "turning": (set: (Sprite: (image: "s.png", clips: { "turn": (frames: [7, 8, 9]) }))),
    "ball": (set: (Body: (), Collider: ())),
    "lift": (set: (Platform: (), Collider: ())),
    "tram": (set: (Platform: (route: "path"), Collider: ())),
    "express": (set: (Platform: (route: "path", speed: 600.0), Collider: ())),
    "mind": (set: (Brain: (), Health: ())),
    "teller": (set: (Brain: (machines: ["tell"]))),
    "marked": (set: (Tags: ())),
    "driven": (set: (Tracks: (), Sprite: (image: "s.png"))),
    "finder": (set: (Brain: (machines: ["find"]), CameraTarget: (), Sounds: ())),
    "cam": (set: (Camera: ())),
    "eye": (set: (Sight: ())),
    "seeker": (set: (Walker: (), Body: (), Collider: (), Agent: (), Brain: (machines: ["seek"]))),
    "chaser": (set: (Flyer: (), Body: (), Collider: (), Agent: (), Brain: (machines: ["chase"]))),
    "runner": (set: (Tags: (tags: ["prey"]), Walker: (), Body: (), Collider: (), Brain: (machines: ["run"]))),
    "drifter": (set: (Body: (velocity: (1.5, 0.0), gravity_scale: 0.0), Collider: ())),
    "puck": (set: (Body: (velocity: (90.0, 0.0)), Collider: ())),
    "slider": (set: (Body: (velocity: (1.0, 0.0), damping: 1.0), Collider: (friction: 0.0))),
    "rock": (set: (Body: (mass: 100000.0), Collider: ())),
    "press": (set: (Collider: (), Tracks: (tracks: { "down": (drives: Position, added: true, keys: [(at: 0.0, value: (0.0, 0.0)), (at: 3.0, value: (0.0, 20.0))]) }))),
    "bird": (set: (Flyer: (), Flock: (), Body: (), Collider: ())),
    "crow": (set: (Flyer: (), Flock: (enemy: "eye"), Body: (), Collider: ())),
    "bare_body": (set: (Walker: (), Collider: ())),
    "bare_sight": (set: (Brain: (machines: ["look"]))),
    "bare_seeker": (set: (Walker: (), Collider: (), Brain: (machines: ["seek"]))),
    "bare_chaser": (set: (Walker: (), Collider: (), Brain: (machines: ["chase"]))),
    "bare_runner": (set: (Tags: (tags: ["prey"]), Walker: (), Collider: (), Brain: (machines: ["run"]))),
    "bare_bird": (set: (Walker: (), Flock: (), Collider: ())),
}"#;

const MACHINES: &str = r#"{
    "idle": (),
    "tell": (initial: "A", states: { "A": (transitions: [(after: 0.1, do: [Send(to: "finder", message: "Healed"), PlaySound(sound: "s.wav")], to: "B")]), "B": () }),
    "find": (on: { "Healed": [Log(text: "heard")] }, initial: "A", states: {
        "A": (transitions: [(when: Within(target: "tag:foe", range: 1000.0), to: "B")]), "B": (),
    }),
    "look": (initial: "A", states: { "A": (transitions: [(when: CanSee(target: "marked", range: 1000.0), to: "B")]), "B": () }),
    "seek": (enter: [GoTo(at: Some((280.0, 40.0)))]),
    "chase": (enter: [Chase(target: "tag:prey")]),
    "run": (enter: [FollowRoute(layer: "path")]),
}"#;

/// A level of these entities, seen in one way.
fn level(view: &str, entities: &[(&str, [i32; 2])]) -> String {
    // Mud on the straight way, two walls, a narrow gap in the second, and a floor.
    let rows = [
        "13*. 1",
        "5*. 2*2 6*. 1",
        "5*. 2*2",
        "5*. 2*2 6*. 1",
        "10*. 1 2*. 1",
        "10*. 1 2*. 1",
        "10*. 1 2*. 1",
        "13*. 1",
        "13*. 1",
        "13*. 1",
        "",
        "20*1",
    ];
    let rows = rows.map(|row| format!("{row:?}")).join(", ");
    let placed = entities.iter().enumerate();
    let placed: String =
        placed.map(|(i, (def, [x, y]))| format!("\"{def}{i}\": (def: \"{def}\", at: ({x}.0, {y}.0)), ")).collect();
    format!(
        "(size: (20, 12), tile_size: (16, 16), view: Some({view}), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{rows}] }}),
            Entities(name: \"actors\", entities: {{ {placed} }}),
            Waypoints(name: \"path\", nodes: {{ \"a\": (at: (40.0, 130.0)), \"b\": (at: (140.0, 140.0)), \"c\": (at: (290.0, 60.0)) }},
                links: [(from: \"a\", to: \"b\", cost: None, one_way: false, by: Hand), (from: \"b\", to: \"c\", cost: None, one_way: false, by: Hand)]),
        ])"
    )
}

/// How a level is seen, and its entities.
type Stage = (&'static str, &'static [(&'static str, [i32; 2])]);

/// Levels that have every component, in the first those of bodies and in the second the others: a field is looked at in
/// the levels that have its component.
const STAGES: [Stage; 5] = [
    (
        "Platformer",
        &[
            ("hero", [250, 150]),
            ("ball", [100, 120]),
            ("lift", [200, 100]),
            ("tram", [40, 130]),
            ("express", [40, 130]),
            ("air", [100, 120]),
            ("hung", [160, 60]),
            ("vase", [280, 60]),
            ("ball", [280, 20]),
            ("pot", [200, 50]),
            ("ball", [200, 10]),
            ("seeker", [100, 168]),
        ],
    ),
    (
        "Platformer",
        &[
            ("plain", [0, 0]),
            ("ball", [100, 120]),
            ("still", [0, 0]),
            ("turning", [0, 0]),
            ("mind", [0, 0]),
            ("teller", [0, 0]),
            ("marked", [0, 0]),
            ("driven", [0, 0]),
            ("finder", [0, 0]),
            ("cam", [30, 20]),
            ("eye", [0, 0]),
        ],
    ),
    ("TopDown", &[("seeker", [40, 40]), ("ball", [150, 150])]),
    ("TopDown", &[("runner", [40, 130]), ("chaser", [100, 40])]),
    (
        "TopDown",
        &[("bird", [60, 130]), ("bird", [90, 140]), ("crow", [120, 120]), ("crow", [150, 110]), ("eye", [130, 150])],
    ),
];

/// Levels in which the constants that those have no use for count: a gentle touch, a press, a wall to jump at; a body
/// that slides, one that comes to rest, and one that is in the way.
const MORE_STAGES: [Stage; 2] = [
    (
        "Platformer",
        &[
            ("drifter", [20, 60]),
            ("vase", [37, 60]),
            ("press", [60, 148]),
            ("ball", [60, 168]),
            ("slider", [120, 168]),
            ("ball", [180, 168]),
            ("seeker", [180, 152]),
            ("hero", [250, 150]),
        ],
    ),
    ("TopDown", &[("seeker", [170, 40]), ("rock", [216, 40]), ("puck", [40, 120])]),
];

/// Levels of entities that lack components which what they do needs.
const BARE: [Stage; 2] = [
    ("Platformer", &[("bare_body", [260, 150]), ("bare_sight", [60, 150]), ("marked", [20, 150])]),
    (
        "TopDown",
        &[
            ("bare_seeker", [40, 40]),
            ("bare_runner", [40, 130]),
            ("bare_chaser", [100, 40]),
            ("bare_bird", [70, 140]),
            ("bare_bird", [100, 150]),
        ],
    ),
];

fn projects(stages: &[Stage], schema: &str) -> Vec<Project> {
    let stage = |(view, entities): &Stage| {
        let files = [
            ("entities/e.ron", DEFS),
            ("machines/m.ron", MACHINES),
            ("levels/l.ron", &*level(view, entities)),
            ("tilesets/t.ron", TILES),
            ("schemas/s.ron", schema),
        ];
        project(&files).0
    };
    stages.iter().map(stage).collect()
}

/// Everything that can be seen of the worlds while they run, in parts. A world runs as far as its parts are read.
fn seen(projects: &[Project], builtin: &Builtin) -> impl Iterator<Item = String> {
    seen_after(projects, builtin, |_| {})
}

/// The same of worlds that something is done to before they run.
fn seen_after(projects: &[Project], builtin: &Builtin, change: impl Fn(&mut World)) -> impl Iterator<Item = String> {
    projects.iter().flat_map(move |project| {
        let mut world = World::compile(project, &resolve(project, builtin, None), "l", Options::default()).unwrap();
        change(&mut world);
        seen_of(world)
    })
}

/// The parts of a world: the constants that only the window reads, as the others have to show in what happens; then one
/// part every ten ticks, while keys are pressed.
fn seen_of(mut world: World) -> impl Iterator<Item = String> {
    let constants = world.constants();
    let constants = format!("{} {:?}", constants.max_ticks_per_frame, constants.camera);
    let ticks = (0..200_u32).filter_map(move |tick| {
        let keys = [Input::RIGHT, Input::RIGHT | Input::JUMP, Input::LEFT, 0, Input::UP][tick as usize / 20 % 5];
        world.step(&Input::NONE.with(keys));
        (tick % 10 == 0).then(|| seen_now(&mut world, tick))
    });
    std::iter::once(constants).chain(ticks)
}

/// The part of a world at a tick; its events are taken.
fn seen_now(world: &mut World, tick: u32) -> String {
    let mut out = String::new();
    for view in world.entities() {
        let looks = (view.pos, view.angle, view.vel, &view.sprite, view.parts, &view.machines, view.life);
        write!(out, "\n{tick} {} {looks:?} {:?}", view.id, world.physics().spec(view.key)).unwrap();
        write!(out, " {:?}", world.physics().joint(view.key)).unwrap();
    }
    let sights: Vec<_> = world.sights().collect();
    let paths: Vec<(EntityKey, Vec<_>)> = world.paths().map(|path| (path.key, path.points.to_vec())).collect();
    writeln!(out, "\n{sights:?} {paths:?} {:?} {:?}", world.drain_events(), world.cameras(1.0)).unwrap();
    out
}

/// What a change makes of a world, up to half a second after it first shows while the world runs; nothing if it changes
/// nothing.
fn seen_to_change(changed: impl Iterator<Item = String>, before: &[String]) -> Vec<String> {
    let (mut parts, mut first) = (Vec::new(), None);
    for (i, part) in changed.enumerate() {
        if i > 0 && first.is_none() && part != before[i] {
            first = Some(i);
        }
        parts.push(part);
        if first.is_some_and(|first| i == first + 3) {
            return parts;
        }
    }
    if parts == before { Vec::new() } else { parts }
}

/// Each of [`STAGES`] with the components of the entities placed in it, for the others have nothing to set, and what
/// happens.
fn stages(builtin: &Builtin) -> Vec<([Project; 1], BTreeSet<Name>, Vec<String>)> {
    let stage = |project: Project| {
        let world = World::compile(&project, &resolve(&project, builtin, None), "l", Options::default()).unwrap();
        let components = world.entities().flat_map(|view| view.resolved.components.keys().cloned()).collect();
        let projects = [project];
        let before = seen(&projects, builtin).collect();
        (projects, components, before)
    };
    projects(&STAGES, "()").into_iter().map(stage).collect()
}

/// A track that moves its entity by 8 px.
fn track() -> Value {
    let of = |fields: &[(&str, Value)]| {
        Value::Struct(fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
    };
    let key = |at: f64| of(&[("at", Value::Float(at)), ("value", Value::vec2(8.0 * at, 0.0))]);
    let keys = Value::List(vec![key(0.0), key(1.0)]);
    Value::Map(vec![(Value::str("way"), of(&[("drives", Value::Symbol("Position".into())), ("keys", keys)]))])
}

/// A sound that a message plays.
fn sound() -> Value {
    let fields = [("on", Value::str("Healed")), ("sound", Value::str("s.wav"))];
    let fields = fields.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Value::Map(vec![(Value::str("better"), Value::Struct(fields))])
}

/// Another default for a field.
fn other(path: &str, spec: &FieldSpec) -> Value {
    let names = |name: &str| Value::List(vec![Value::str(name)]);
    match path {
        "Sprite.image" => return Value::str("other.png"),
        "Sprite.clip" => return Value::str("turn"),
        "Sprite.clips" => {
            let fields = [("frames".into(), Value::List(vec![Value::Int(5)]))];
            return Value::Map(vec![(Value::str("idle"), Value::Struct(fields.into_iter().collect()))]);
        }
        "Collider.shape" => return Value::Tagged("Circle".into(), Box::new(Value::Tuple(vec![Value::Float(5.0)]))),
        "Collider.parts" => {
            let circle = Value::Tagged("Circle".into(), Box::new(Value::Tuple(vec![Value::Float(6.0)])));
            let fields = [("shape".into(), circle), ("offset".into(), Value::vec2(4.0, -8.0))];
            return Value::List(vec![Value::Struct(fields.into_iter().collect())]);
        }
        "Flock.enemy" => return Value::str("eye"),
        "Agent.kind" => return Value::str("swim"),
        "Agent.radius" => return Value::Float(9.0),
        "Breakable.pieces" => return names("bit"),
        "Brain.machines" | "Brain.queue" => return names("idle"),
        "Joint.to" => return Value::str("ball1"),
        "Joint.anchors" => return Value::List(vec![Value::vec2(3.0, 4.0)]),
        "Platform.route" => return Value::str("path"),
        "Tags.tags" => return names("foe"),
        "Tracks.tracks" => return track(),
        "Camera.target" => return Value::str("ball1"),
        "Camera.area" | "Camera.rail" => return Value::points([[3.0, 4.0], [5.0, 7.0]]),
        "Camera.shake_on" => return names("Healed"),
        "Camera.viewport_size" => return Value::vec2(0.5, 0.25),
        "Sounds.sounds" => return sound(),
        _ => {}
    }
    let default = spec.default_value();
    match (&spec.ty, &default) {
        (FieldType::Bool, _) => Value::Bool(default == Value::Bool(false)),
        (FieldType::Vec2, _) => default.as_vec2().map(|[x, y]| Value::vec2(x + 8.0, y + 4.0)).unwrap(),
        (FieldType::Option(inner), _) if **inner == FieldType::Vec2 => Value::vec2(3.0, 4.0),
        (FieldType::Option(_), _) => Value::Float(f64::midpoint(spec.min.unwrap(), spec.max.unwrap().min(2.0))),
        (FieldType::Color, _) => Value::str("#102030"),
        (FieldType::Enum(_), word) => {
            let other = match word.as_str() {
                Some("Dynamic") => "Kinematic",
                Some("Push") => "Stop",
                Some("Revolute") => "Weld",
                Some("Off") => "Speed",
                Some("None") => "Square",
                _ => "Once",
            };
            Value::Symbol(other.into())
        }
        (FieldType::Flags(_), _) => Value::List(vec![Value::Symbol("World".into())]),
        (_, Value::Int(i)) => Value::Int(i + 1),
        (_, Value::Float(x)) => {
            let (min, max) = (spec.min.unwrap(), spec.max.unwrap().min(x.abs() * 2.0 + 1.0));
            Value::Float(if *x < max { (x + max) / 2.0 } else { (x + min) / 2.0 })
        }
        odd => panic!("{path} has no other default yet: {odd:?}"),
    }
}

/// The built-in vocabulary with another default for a field.
fn with_other(builtin: &Builtin, component: &str, field: &str) -> Builtin {
    let mut changed = builtin.clone();
    let spec = &mut changed.schema.components[component].fields[field];
    spec.default = Some(other(&format!("{component}.{field}"), spec));
    changed
}

/// The same levels of a game whose own schema declares a field as this vocabulary does.
fn with_own(projects: &[Project], of: &Builtin, component: &str, field: &str) -> Vec<Project> {
    let spec = of.schema.components[component].fields[field].clone();
    let component = (component.into(), ComponentSpec { fields: [(field.into(), spec)].into(), ..Default::default() });
    let schema = Schema { components: [component].into(), ..Schema::default() };
    let mut projects = projects.to_vec();
    for project in &mut projects {
        let path = DocPath::new("schemas/s.ron").unwrap();
        project.documents.insert(path, Arc::new(Document::Schema(schema.clone())));
    }
    projects
}

#[test]
fn the_schemas_alone_have_the_defaults() {
    let builtin = builtin();
    let stages = stages(&builtin);
    let mut unheard = Vec::new();
    for (component, spec) in &builtin.schema.components {
        for field in spec.fields.keys() {
            let changed = with_other(&builtin, component, field);
            let mut with = stages.iter().filter(|(_, components, _)| components.contains(component));
            if !with.any(|(projects, _, before)| !seen(projects, &changed).eq(before.iter().cloned())) {
                unheard.push(format!("{component}.{field}"));
            }
        }
    }
    assert!(unheard.is_empty(), "{unheard:#?}");
}

/// Another value of a constant.
fn other_constant(path: &str, value: &Value) -> Value {
    match value {
        // More than there are would not show.
        _ if path == "Solver.exact_pairs" => Value::Float(0.0),
        _ if path == "Navigation.expansions_per_tick" || path == "Navigation.weight" => Value::Float(10.0),
        Value::Bool(is) => Value::Bool(!is),
        Value::Int(i) => Value::Int(i * 2),
        value => Value::Float(value.as_f64().unwrap() * 1.5 + 0.25),
    }
}

#[test]
fn constants_count_whether_declared_or_changed_while_it_runs() {
    let (stages, builtin) = ([&STAGES[..], &MORE_STAGES].concat(), builtin());
    let projects = projects(&stages, "()");
    let before: Vec<Vec<_>> =
        projects.iter().map(|project| seen(slice::from_ref(project), &builtin).collect()).collect();
    let has_cam = |(_, entities): &Stage| entities.iter().any(|(def, _)| *def == "cam");
    let with_cam = stages.iter().position(has_cam).unwrap();
    assert!(!has_cam(&stages[with_cam + 1]));
    let mut unheard = Vec::new();
    for (i, page) in builtin.tuning.iter().enumerate() {
        for (name, constant) in &page.values {
            let path = format!("{}.{name}", page.page);
            // What is bound to keys shows only where keys are held: `editor/controls.rs`. The seed affects what draws
            // random numbers. That many jumps fail only later: `world/tries.rs`; who holds each other up: `world/crowd.rs`.
            let elsewhere = ["Controls.dead_zone", "Simulation.seed", "Navigation.jump_tries", "Navigation.pass_secs"];
            if matches!(constant.value, Value::List(_)) || elsewhere.contains(&&*path) {
                continue;
            }
            let other = other_constant(&path, &constant.value);
            let mut changed = builtin.clone();
            changed.tuning[i].values[name].value = other.clone();
            // Ticks have the length that they had when the world was made.
            let is_live = path != "Simulation.timestep_hz";
            let set = |world: &mut World| assert!(world.set_tunable(&path, other.clone()));
            // Cameras are alike in all levels: one is looked at that has its own, and one where these constants rule.
            let levels = if &*page.page == "Camera" { with_cam..with_cam + 2 } else { 0..projects.len() };
            let (mut is_heard, mut is_as_declared) = (false, true);
            for (project, before) in levels.map(|i| (&projects[i], &before[i])) {
                let project = slice::from_ref(project);
                let declared = seen_to_change(seen(project, &changed), before);
                if declared.is_empty() {
                    continue;
                }
                is_heard = true;
                let live = seen_after(project, &builtin, set).take(declared.len());
                is_as_declared &= !is_live || live.eq(declared);
            }
            if !is_heard {
                unheard.push(format!("{path}: declared, it changes nothing"));
            }
            if !is_as_declared {
                unheard.push(format!("{path}: changed while it runs, it is not as if declared"));
            }
        }
    }
    assert!(unheard.is_empty(), "{unheard:#?}");
}

#[test]
fn what_an_entity_lacks_is_as_the_built_in_schema_has_it() {
    let builtin = builtin();
    let bare = projects(&BARE, "()");
    let before: Vec<_> = seen(&bare, &builtin).collect();
    for (component, field) in [
        ("Body", "mass"),
        ("Body", "gravity_scale"),
        ("Sight", "cone"),
        ("Agent", "kind"),
        ("Agent", "radius"),
        ("Agent", "repath_secs"),
        ("Agent", "avoid_secs"),
        ("Flyer", "acceleration"),
    ] {
        let changed = with_other(&builtin, component, field);
        assert!(!seen(&bare, &changed).eq(before.iter().cloned()), "{component}.{field}");
        // What a game's own schema says of a component is about those that have it.
        let with_own = with_own(&bare, &changed, component, field);
        assert!(seen(&with_own, &builtin).eq(before.iter().cloned()), "{component}.{field}");
    }
}

#[test]
fn a_value_of_another_type_is_the_default() {
    let builtin = builtin();
    let schema = r#"(components: {
        "Walker": (fields: { "speed": (type: Str, default: "fast"), "jump_speed": (type: Bool) }),
        "Flock": (fields: { "perception": (type: Str, default: "far") }),
    })"#;
    assert!(seen(&projects(&STAGES, schema), &builtin).eq(seen(&projects(&STAGES, "()"), &builtin)));
}

#[test]
fn a_field_that_changes_while_it_runs_counts_at_once() {
    let builtin = builtin();
    let stages = stages(&builtin);
    // These count when an entity comes; clips are added to those that the schema has; crowds are in `world/crowd.rs`.
    let others = [
        "Agent.avoid_secs",
        "Body.velocity",
        "Body.spin",
        "Brain.machines",
        "Brain.queue",
        "Health.max",
        "Sprite.clips",
    ];
    let mut unheard = Vec::new();
    for (component, spec) in &builtin.schema.components {
        for (field, spec) in &spec.fields {
            let path = format!("{component}.{field}");
            if others.contains(&&*path) {
                continue;
            }
            let n_set = Cell::new(0);
            let set = |world: &mut World| {
                let has = world.entities().filter(|view| view.resolved.has(component)).map(|view| view.key);
                for key in has.collect::<Vec<_>>() {
                    // Those that say another value than the default keep it.
                    if world.field(key, &path) == Some(spec.default_value()) {
                        assert!(world.set_field(key, &path, other(&path, spec)));
                        n_set.set(n_set.get() + 1);
                    }
                }
            };
            // With more shapes a body is made anew, and with another shape it touches others as the old one did: the
            // solver has its contacts in another order, which shows in the last digits.
            let is_inexact = ["Collider.parts", "Collider.shape"].contains(&&*path);
            let changed = with_other(&builtin, component, field);
            let counts = |(projects, _, before): &([Project; 1], BTreeSet<Name>, Vec<String>)| {
                let declared = seen_to_change(seen(&with_own(projects, &changed, component, field), &builtin), before);
                // Where the field changes nothing, the level does not have to run again.
                if declared.is_empty() {
                    return true;
                }
                let live = seen_after(projects, &builtin, set);
                if is_inexact { !live.eq(before.iter().cloned()) } else { live.take(declared.len()).eq(declared) }
            };
            let mut with = stages.iter().filter(|(_, components, _)| components.contains(component));
            if !with.all(counts) || n_set.get() == 0 {
                unheard.push(path);
            }
        }
    }
    assert!(unheard.is_empty(), "{unheard:#?}");
}
