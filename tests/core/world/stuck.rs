//! Walkers seen from the side where they once went to and fro for ever: below goals in the air, beside steps, at the
//! edge of platforms, before planks, on trapdoors, on belts and in water.

use std::fmt::Write;

use glam::Vec2;
use levelwright::{
    defs::Resolution,
    sim::{
        Input, Options, World,
        nav::{Agent, Ground, How, NoPathReason, PathRequest},
    },
};

use super::project;
use crate::preview::state;

const TILES: &str = r#"(tile_size: (16, 16), image: "t.png", tiles: {
    1: (at: (0, 0), shape: Full), 2: (at: (1, 0), shape: Polygon([(0.0, 0.0), (16.0, 0.0), (16.0, 5.0), (0.0, 5.0)]), one_way: true),
    3: (at: (2, 0), shape: Polygon([(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)])),
    4: (at: (3, 0), shape: Polygon([(0.0, 4.0), (16.0, 4.0), (16.0, 16.0), (0.0, 16.0)])),
    5: (at: (4, 0), shape: Full, conveyor: 60.0), 6: (at: (5, 0), shape: Full, conveyor: -60.0), 7: (at: (6, 0), water: true),
})"#;

/// A walker in a level seen from the side: `#` full, `=` solid from above, `_` half, `q` three quarters, `>` and `<`
/// belts, `~` water.
struct Course<'a> {
    rows: &'a [&'a str],
    /// The fields of its `Walker`, and more components.
    walker: &'a str,
    more: &'a str,
    shape: &'a str,
    at: Vec2,
    goal: Vec2,
    /// More definitions, layers and entities.
    others: [&'a str; 3],
}

impl<'a> Course<'a> {
    fn new(rows: &'a [&'a str], at: (f32, f32), goal: (f32, f32)) -> Self {
        let (at, goal) = (at.into(), goal.into());
        let shape = "Capsule(radius: 5.0, height: 18.0)";
        Self { rows, walker: "jump_speed: 300.0", more: "", shape, at, goal, others: [""; 3] }
    }

    fn world(&self, order: &str) -> (World, Resolution) {
        let mut text = String::new();
        for (i, rows) in self.rows.chunks(32).enumerate() {
            let cell = |c: char| "#=_q><~".find(c).map_or(".".to_owned(), |tile| (tile + 1).to_string());
            for from in (0..self.rows[0].len()).step_by(32) {
                let row = |row: &&str| row.chars().skip(from).take(32).map(cell).collect::<Vec<_>>().join(" ");
                let rows: Vec<String> = rows.iter().map(row).map(|row| format!("\"{row}\"")).collect();
                write!(text, "({}, {i}): [{}], ", from / 32, rows.join(", ")).unwrap();
            }
        }
        let [defs, layers, entities] = self.others;
        let level = format!(
            "(size: ({}, {}), tile_size: (16, 16), view: Some(Platformer), layers: [
                Tiles(name: \"ground\", tileset: \"t\", chunks: {{ {text} }}), {layers}
                Entities(name: \"actors\", entities: {{ \"w\": (def: \"w\", at: ({:?}, {:?})), {entities} }}) ])",
            self.rows[0].len(),
            self.rows.len(),
            self.at.x,
            self.at.y
        );
        let defs = format!(
            "{{ \"w\": (set: (Brain: (machines: [\"go\"]), Walker: ({}), Body: (lock_rotation: true), {}
                Collider: (shape: {}, friction: 0.0, layer: [Actor], mask: [World]), Agent: ())), {defs} }}",
            self.walker, self.more, self.shape
        );
        let machine = format!(
            r#"{{ "go": (initial: "Go", states: {{
                "Go": (enter: [{order}], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
                "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]) }}) }}"#
        );
        let files = [
            ("entities/e.ron", defs.as_str()),
            ("machines/m.ron", &machine),
            ("levels/l.ron", &level),
            ("tilesets/t.ron", TILES),
        ];
        let (project, resolution) = project(&files);
        let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        assert!(world.findings().is_empty(), "{:?}", world.findings());
        (world, resolution)
    }

    fn order(&self) -> String {
        format!("GoTo(at: Some(({:?}, {:?})))", self.goal.x, self.goal.y)
    }

    fn go_to(&self) -> World {
        self.world(&self.order()).0
    }

    /// Whether there is a path, and what it is made of.
    fn path(&self) -> Result<Vec<How>, NoPathReason> {
        let (world, resolution) = self.world(&self.order());
        let on = Ground::Ledges(world.walker_of(&resolution.defs["w"]).unwrap());
        let request = PathRequest { on, ..PathRequest::new(self.at, self.goal, Agent::point("walk")) };
        let answer = world.navigator().clone().find_now(&request);
        match answer.no_path {
            None => Ok(answer.legs.iter().map(|leg| leg.how).collect()),
            Some(why) => Err(why.reason),
        }
    }
}

/// Run until it has arrived or given up: its state, and where it is then.
fn run(world: &mut World, secs: u32) -> (String, Vec2) {
    for _ in 0..64 * secs {
        world.step(&Input::NONE);
        if state(world, "w") != "Go" {
            break;
        }
    }
    (state(world, "w"), position(world))
}

fn position(world: &World) -> Vec2 {
    world.entity(world.by_id("w").unwrap()).unwrap().pos
}

fn n_jumps(world: &mut World, secs: u32) -> u32 {
    let key = world.by_id("w").unwrap();
    let (mut n, mut before) = (0, world.entity(key).unwrap().vel.y);
    for _ in 0..64 * secs {
        world.step(&Input::NONE);
        let vel = world.entity(key).unwrap().vel.y;
        n += u32::from(before >= -50.0 && vel < -50.0);
        before = vel;
    }
    n
}

const FLAT: [&str; 12] = [
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "########################################",
    "########################################",
];

#[test]
fn goals_in_the_air_are_reached_by_a_jump_or_out_of_reach() {
    // Its origin is at 151, and it jumps 50 px high.
    for (goal_y, jump_speed, is_reached) in [
        (145.0, 300.0, true),
        (125.0, 300.0, true),
        (100.0, 300.0, true),
        (83.0, 300.0, true),
        (78.0, 300.0, false),
        (20.0, 300.0, false),
        (120.0, 150.0, true),
        (110.0, 150.0, false),
        (125.0, 0.0, false),
    ] {
        let walker = format!("jump_speed: {jump_speed:?}");
        let course = Course { walker: &walker, ..Course::new(&FLAT, (60.0, 151.0), (500.0, goal_y)) };
        assert_eq!(course.path().is_ok(), is_reached, "{goal_y}, {jump_speed}");
        let mut world = course.go_to();
        let (end, at) = run(&mut world, 20);
        assert_eq!(end, if is_reached { "There" } else { "Stuck" }, "{goal_y}, {jump_speed}: at {at}");
        assert_eq!(n_jumps(&mut world, 5), 0, "{goal_y}, {jump_speed}: it stands");
    }
}

#[test]
fn whoever_chases_what_hangs_in_the_air_catches_it_once_or_says_why_not() {
    let coin = r#""coin": (set: (Body: (kind: Static), Collider: (shape: Circle(6.0), sensor: true, layer: [Item]), Tags: (tags: ["coin"])))"#;
    for (y, end) in [(130.0, "There"), (105.0, "There"), (86.0, "There"), (60.0, "Stuck")] {
        let entities = format!("\"c\": (def: \"coin\", at: (500.0, {y:?}))");
        let course = Course { others: [coin, "", &entities], ..Course::new(&FLAT, (60.0, 151.0), (500.0, y)) };
        let (mut world, _) = course.world("Chase(target: \"tag:coin\")");
        let (found, at) = run(&mut world, 20);
        assert_eq!(found, end, "{y}: at {at}");
        assert!((at.x - 500.0).abs() < 8.0, "{y}: as near as it gets, not at {at}");
        assert_eq!(n_jumps(&mut world, 5), 0, "{y}: it stands below");
    }
}

#[test]
fn a_ceiling_puts_a_goal_in_the_air_out_of_reach() {
    let mut rows = FLAT;
    rows[6] = "......................########..........";
    let shape = "Box((10.0, 44.0))";
    let course = Course { shape, ..Course::new(&rows, (60.0, 138.0), (400.0, 113.0)) };
    assert_eq!(course.path(), Err(NoPathReason::Unconnected));
    assert_eq!(run(&mut course.go_to(), 20).0, "Stuck");
}

/// An upper floor, and half tiles beside it that lie 8 px lower.
const STEP: [&str; 12] = [
    "..............................",
    "..............................",
    "..............................",
    "..............................",
    "..............................",
    "..............................",
    "..............................",
    "..............................",
    "..########______..............",
    "..............................",
    "..............................",
    "##############################",
];

#[test]
fn a_body_wider_than_a_cell_stands_on_the_ground_beside_a_step() {
    for radius in [6.0, 8.5, 10.0, 11.5, 14.0, 18.0] {
        for off in [0.0, 4.0] {
            for (x, y) in [(220.0, 136.0), (60.0, 128.0)] {
                let half = radius + 2.0;
                let shape = format!("Capsule(radius: {radius:?}, height: {:?})", 2.0 * half);
                let at = (160.0 + radius + off, 136.0 - half);
                let course = Course { shape: &shape, ..Course::new(&STEP, at, (x, y - half)) };
                let path = course.path();
                let (end, at) = run(&mut course.go_to(), 10);
                assert_eq!(end == "There", path.is_ok(), "{radius}, {off}, {x}: {path:?}, {end} at {at}");
                assert!(path.is_ok() || radius > 12.0, "{radius}, {off}, {x}: {path:?}");
            }
        }
    }
}

#[test]
fn a_walker_on_a_platform_waits_until_it_can_go_on() {
    // A pit 12 tiles wide without a floor; the platform goes from its left side to its right side, or half as far.
    let row = "###############............###############";
    let air = "..........................................";
    let rows: Vec<&str> = std::iter::repeat_n(air, 10).chain(std::iter::repeat_n(row, 6)).collect();
    let defs = r#""p": (set: (Body: (kind: Kinematic), Collider: (shape: Box((48.0, 8.0)), layer: [World]),
        Platform: (route: "r", speed: 60.0, wait_secs: 1.0)))"#;
    for (to_x, end) in [(408.0, "There"), (330.0, "Stuck")] {
        let layers = format!(
            r#"Waypoints(name: "r", auto_link: false, nodes: {{ "a": (at: (264.0, 164.0)), "b": (at: ({to_x:?}, 164.0)) }},
                links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand)]),"#
        );
        let entities = r#""p": (def: "p", at: (264.0, 164.0))"#;
        let course = Course { others: [defs, &layers, entities], ..Course::new(&rows, (264.0, 151.0), (600.0, 151.0)) };
        let mut world = course.go_to();
        let (mut found, mut at) = run(&mut world, 30);
        // It may have said that it is stuck while the platform waited.
        for _ in 0..64 * 30 {
            if end == "There" && found == "Stuck" {
                world.step(&Input::NONE);
                (found, at) = (state(&world, "w"), position(&world));
            }
        }
        assert_eq!(found, end, "{to_x}: at {at}");
        (0..64 * 10).for_each(|_| world.step(&Input::NONE));
        let at = position(&world);
        assert!(at.y < 160.0, "{to_x}: it has not jumped into the pit, and is at {at}");
    }
}

#[test]
fn low_planks_are_walked_or_jumped_onto() {
    for (letter, step, shape) in [
        ('q', 4.0, "Capsule(radius: 5.0, height: 18.0)"),
        ('q', 4.0, "Box((10.0, 18.0))"),
        ('_', 9.0, "Capsule(radius: 5.0, height: 18.0)"),
        ('_', 9.0, "Box((10.0, 18.0))"),
        ('_', 4.0, "Capsule(radius: 5.0, height: 18.0)"),
        ('q', 0.0, "Box((10.0, 18.0))"),
    ] {
        let low = format!("{}==================", letter.to_string().repeat(12));
        let (air, bottom) = (".".repeat(30), "#".repeat(30));
        let rows: Vec<&str> = std::iter::repeat_n(air.as_str(), 9).chain([low.as_str(), bottom.as_str()]).collect();
        let floor = if letter == 'q' { 148.0 } else { 152.0 };
        let walker = format!("jump_speed: 300.0, step_height: {step:?}");
        let course = Course { walker: &walker, shape, ..Course::new(&rows, (60.0, floor - 9.0), (300.0, 135.0)) };
        let jumps = course.path().unwrap().iter().any(|how| matches!(how, How::Jump { .. }));
        let is_step = 144.0 + step >= floor;
        assert_eq!(jumps, !is_step, "{letter} {step} {shape}");
        let (end, at) = run(&mut course.go_to(), 10);
        assert!(end == "There" && (at.y - 135.0).abs() < 1.0, "{letter} {step} {shape}: {end} at {at}");
    }
}

/// A floor with so many rows above it and below it, and what is at the bottom.
fn storey<'a>(floor: &'a str, (room, bottom): (&'a str, &'a str), [above, below]: [usize; 2]) -> Vec<&'a str> {
    [vec![room; above], vec![floor], vec![room; below], vec![bottom]].concat()
}

#[test]
fn trapdoors_are_as_wide_as_what_drops_through_them() {
    for (n, width, is_way) in [(1, 12.0, true), (1, 20.0, false), (2, 20.0, true), (2, 24.0, true), (2, 30.0, true)] {
        let floor = format!("##########{}{}", "=".repeat(n), "#".repeat(14 - n));
        let wall = format!("#{}#", ".".repeat(22));
        let bottom = "#".repeat(24);
        let rows = storey(&floor, (&wall, &bottom), [6, 6]);
        let shape = format!("Box(({width:?}, 24.0))");
        let course = Course { shape: &shape, ..Course::new(&rows, (60.0, 84.0), (300.0, 196.0)) };
        let path = course.path();
        assert_eq!(path.is_ok(), is_way, "{n} cells, {width} px: {path:?}");
        let (end, at) = run(&mut course.go_to(), 20);
        assert_eq!(end, if is_way { "There" } else { "Stuck" }, "{n} cells, {width} px: at {at}");
    }
}

#[test]
fn belts_count_where_walkers_jump_and_where_they_cannot_go() {
    for (belt, gap, speed, is_way) in [
        ('<', "...", 80.0, true),
        ('<', "...", 110.0, true),
        ('<', "...", 160.0, true),
        ('>', "...", 80.0, true),
        ('>', "...", 110.0, true),
        ('<', "###", 55.0, false),
        ('<', "###", 110.0, true),
        ('>', "###", 55.0, true),
    ] {
        let row = format!("..########{}{gap}{}..", belt.to_string().repeat(6), "#".repeat(19));
        let (air, bottom) = (".".repeat(40), "#".repeat(40));
        let rows = storey(&row, (&air, &bottom), [10, 4]);
        let walker = format!("jump_speed: 300.0, speed: {speed:?}");
        let course = Course { walker: &walker, ..Course::new(&rows, (60.0, 151.0), (500.0, 151.0)) };
        let path = course.path();
        let (end, at) = run(&mut course.go_to(), 25);
        assert_eq!(end == "There", path.is_ok(), "{belt} {gap} {speed}: {path:?}, {end} at {at}");
        assert_eq!(path.is_ok(), is_way, "{belt} {gap} {speed}: {path:?}");
        assert!(is_way || path == Err(NoPathReason::HeldBack), "{path:?}");
    }
}

#[test]
fn one_that_cannot_run_up_in_water_says_so() {
    // A shelf in water, from which a jump with a run-up would lead to the ledge at the left.
    let rows = [
        "##############################",
        "#............................#",
        "#............................#",
        "#............................#",
        "#............................#",
        "#............................#",
        "#.########~~~~~~~~~~~~~......#",
        "#.........~~~~~~~~~~~~~......#",
        "#.........~~~~_______~~......#",
        "#.........~~~~~~~~~~~~~......#",
        "#.........~~~~~~~~~~~~~......#",
        "#.........~~~~~~~~~~~~~......#",
        "#.........~~~~~~~~~~~~~......#",
        "##############################",
    ];
    let walker = "speed: 160.0, jump_speed: 300.0, acceleration: 400.0";
    let course = Course { walker, more: "Swim: (),", ..Course::new(&rows, (280.0, 127.0), (60.0, 87.0)) };
    let (end, at) = run(&mut course.go_to(), 30);
    assert_ne!(end, "Go", "at {at}");
}

#[test]
fn one_that_hops_over_what_lies_on_its_goal_reports_it() {
    let rows = [
        "....................",
        "....................",
        "....................",
        "....................",
        "####################",
    ];
    let mut course = Course::new(&rows, (40.0, 59.0), (104.0, 59.0));
    (course.walker, course.shape) = ("speed: 110.0, jump_speed: 280.0", "Circle(5.0)");
    let crates = r#""crate": (set: (Body: (mass: 400.0), Collider: (shape: Box((14.0, 14.0)), layer: [World]))),
        "ball": (set: (Body: (mass: 400.0), Collider: (shape: Circle(7.0), layer: [World]))),"#;
    course.others = [crates, "", r#""c": (def: "crate", at: (88.0, 57.0)), "b": (def: "ball", at: (102.0, 57.0))"#];
    assert_eq!(run(&mut course.go_to(), 40).0, "Stuck");
}

#[test]
fn a_long_way_around_is_no_standstill() {
    let rows = [
        "........................................",
        "........................................",
        "........................................",
        "........................................",
        "##################################......",
        "........................................",
        "....................................##..",
        "...................................###..",
        "########################################",
    ];
    let mut course = Course::new(&rows, (40.0, 119.0), (40.0, 55.0));
    course.walker = "speed: 60.0, jump_speed: 300.0";
    let (state, at) = run(&mut course.go_to(), 60);
    assert_eq!((state.as_str(), at.y < 64.0), ("There", true), "{at}");
}

#[test]
fn a_walker_that_has_no_room_where_it_begins_reports_it_and_rests() {
    // A wall, and a block whose corner is nearer to it than the walker is wide.
    let open = "..........#.............................";
    let block = "..........#.#...........................";
    let rows = [[open; 7].as_slice(), &[block, "..........#............................."], &FLAT[10..]].concat();
    let mut course = Course::new(&rows, (186.0, 134.0), (260.0, 134.0));
    course.shape = "Capsule(radius: 10.0, height: 20.0)";
    let mut world = course.go_to();
    assert_eq!(run(&mut world, 4).0, "Stuck");
    let before = (position(&world), super::run(&mut world, 1).len());
    let events = super::run(&mut world, 64);
    assert!(events.is_empty() && position(&world) == before.0, "{events:?}");
}

#[test]
fn a_goal_without_room_for_the_walker_has_no_path_unless_it_gets_near_enough() {
    let gaps = [16.0, 20.0, 25.0, 27.0, 40.0];
    for (gap, x) in gaps.into_iter().flat_map(|gap| [395.0_f32, 400.0, 408.0, 416.0].map(|x| (gap, x))) {
        let hangs = format!("\"hangs\": (def: \"b\", at: (416.0, {:?}))", 160.0 - gap - 4.0);
        let mut course = Course::new(&FLAT, (300.0, 147.0), (x, 147.0));
        course.shape = "Capsule(radius: 6.0, height: 26.0)";
        course.others =
            ["\"b\": (set: (Body: (kind: Static), Collider: (shape: Box((40.0, 8.0)), layer: [World])))", "", &hangs];
        let case = format!("{gap} px above the floor, goal at {x}");
        let (mut world, resolution) = course.world(&course.order());
        super::run(&mut world, 1);
        let on = Ground::Ledges(world.walker_of(&resolution.defs["w"]).unwrap());
        let request = PathRequest {
            on,
            snap_cells: 0,
            near_px: 16.0,
            ..PathRequest::new(course.at, course.goal, Agent::point("walk"))
        };
        let answer = world.navigator().clone().find_now(&request);
        let has_room = gap > 26.0 || x <= 400.0;
        assert_eq!(answer.no_path.map(|why| why.reason), (!has_room).then_some(NoPathReason::TooNarrow), "{case}");
        let (how, at) = run(&mut course.go_to(), 10);
        assert_eq!(how, if has_room { "There" } else { "Stuck" }, "{case}: {at}");
    }
}

#[test]
fn a_goal_at_the_end_of_a_ledge_is_reached() {
    let mut rows = FLAT;
    rows[7] = "..........######........................";
    // The ledge is from 160 to 256 px.
    for x in [161.0, 163.0, 166.0, 200.0, 250.0, 254.5, 255.5] {
        let course = Course::new(&rows, (200.0, 103.0), (x, 103.0));
        assert!(course.path().is_ok(), "{x}");
        let (how, at) = run(&mut course.go_to(), 6);
        assert!(how == "There" && at.y < 112.0, "{x}: {how} at {at}");
    }
}

#[test]
fn walkers_begin_on_their_side_of_something_thinner_than_a_cell() {
    let post = "\"post\": (set: (Body: (kind: Static), Collider: (shape: Box((4.0, 60.0)), layer: [World])))";
    // A post in the middle of a cell; within the cell there is a place on its left.
    let places = [(239.5, 300.0, false), (239.5, 100.0, true), (224.5, 100.0, false), (224.5, 300.0, true)];
    for (shape, (x, goal, is_beyond)) in ["Capsule(radius: 5.0, height: 18.0)", "Box((8.0, 8.0))"]
        .into_iter()
        .flat_map(|shape| places.map(|at| (shape, at)))
    {
        let mut course = Course::new(&FLAT, (x, 151.0), (goal, 151.0));
        (course.walker, course.shape) = ("jump_speed: 100.0", shape);
        course.others = [post, "", "\"p\": (def: \"post\", at: (232.0, 130.0))"];
        let (how, at) = run(&mut course.go_to(), 8);
        assert_eq!(how, if is_beyond { "Stuck" } else { "There" }, "{shape} from {x} to {goal}: {at}");
    }
}

#[test]
fn one_that_hops_in_a_slot_for_ever_reports_it() {
    const TILES: &str = r#"(tile_size: (16, 16), image: "t.png", tiles: {
        1: (at: (0, 0), shape: Full), 2: (at: (1, 0), shape: Polygon([(6.0, 0.0), (10.0, 0.0), (10.0, 16.0), (6.0, 16.0)])),
        3: (at: (2, 0), shape: Polygon([(6.0, 6.0), (10.0, 6.0), (10.0, 10.0), (6.0, 10.0)])),
    })"#;
    const ROWS: [&str; 14] = [
        "########################",
        "#..o........i.#i..i...i#",
        "#....i.o.o........i....#",
        "#...oii.i........i.o...#",
        "#......o.o....i.....#..#",
        "#.i.i..iiiiii..o..i....#",
        "#.o.i#......#i.iiiiii..#",
        "#..i...o..i.io..o......#",
        "#.oo..i....o...........#",
        "#.o.........o..#.i.o..i#",
        "#.....iiiiiii.o.....ii.#",
        "#..i#...ii.o..iio.....o#",
        "#...i#o.i..o....i.o...o#",
        "########################",
    ];
    let cell = |c: char| "#io".find(c).map_or(".".to_owned(), |tile| (tile + 1).to_string());
    let row = |row: &&str| format!("\"{}\"", row.chars().map(cell).collect::<Vec<_>>().join(" "));
    let level = format!(
        "(size: (24, 14), tile_size: (16, 16), view: Some(Platformer), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{}] }}),
            Entities(name: \"actors\", entities: {{ \"w\": (def: \"w\", at: (24.0, 104.0)) }}) ])",
        ROWS.iter().map(row).collect::<Vec<_>>().join(", ")
    );
    let defs = r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 60.0, jump_speed: 300.0), Body: (lock_rotation: true),
        Collider: (shape: Circle(7.0)), Agent: (radius: 7.0))) }"#;
    let machine = r#"{ "go": (initial: "Go", states: {
        "Go": (enter: [GoTo(at: Some((232.0, 136.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
        "There": (), "Stuck": () }) }"#;
    let files =
        [("entities/e.ron", defs), ("machines/m.ron", machine), ("levels/l.ron", &level), ("tilesets/t.ron", TILES)];
    let (project, resolution) = project(&files);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert_eq!(run(&mut world, 12).0, "Stuck");
}
