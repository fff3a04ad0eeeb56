//! Links of waypoint layers steer who plays: routes, and orders that keep to a layer.

use glam::Vec2;
use levelwright::{
    model::Value,
    sim::{
        Input, World,
        nav::{Agent, Ground, NoPathReason},
        probe::Question,
    },
};

use super::run;
use crate::preview::{actors, map, state};

const OPEN: [&str; 12] = ["...................."; 12];
/// Ground from row 10 on.
const GROUND: [&str; 12] = [
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "....................",
    "####################",
    "####################",
];

/// A world with one walker and a layer `way` of these nodes and links.
fn walk(view: &str, rows: &[&str], order: &str, nodes: &[(&str, [i32; 2])], links: &str, others: &str) -> World {
    walk_as(&str::to_owned, view, rows, order, nodes, links, others)
}

/// The same with other definitions.
fn walk_as(
    change: &dyn Fn(&str) -> String,
    view: &str,
    rows: &[&str],
    order: &str,
    nodes: &[(&str, [i32; 2])],
    links: &str,
    others: &str,
) -> World {
    let defs = r#"{
        "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 100.0), Body: (), Agent: (radius: 5.0),
            Collider: (shape: Box((10.0, 10.0)), layer: [Actor], mask: [World]))),
        "door": (set: (Body: (kind: Static), Collider: (shape: Box((8.0, 40.0)), layer: [World]))),
        "prize": (),
    }"#;
    let machines = format!(
        r#"{{ "go": (initial: "Go", states: {{
            "Go": (enter: [{order}], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
            "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]),
        }}) }}"#
    );
    let nodes: Vec<String> = nodes.iter().map(|(id, [x, y])| format!("\"{id}\": (at: ({x}.0, {y}.0))")).collect();
    let way =
        format!("Waypoints(name: \"way\", auto_link: false, nodes: {{ {} }}, links: [{links}])", nodes.join(", "));
    map(view, rows, &change(defs), &machines, &(actors(others) + &way))
}

fn link(from: &str, to: &str, one_way: bool) -> String {
    format!("(from: \"{from}\", to: \"{to}\", cost: None, one_way: {one_way}, by: Hand),")
}

/// Run so many ticks, and say which of some places the walker was at, in the order in which it first was.
fn visits(world: &mut World, ticks: u32, places: &[(&str, [i32; 2])]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..ticks {
        world.step(&Input::NONE);
        let pos = world.entity(world.by_id("w").unwrap()).unwrap().pos;
        let near = places.iter().filter(|(_, [x, y])| pos.distance(Vec2::new(*x as f32, *y as f32)) < 8.0);
        for (id, _) in near {
            if seen.last().is_none_or(|last| last != id) {
                seen.push((*id).to_owned());
            }
        }
    }
    seen
}

fn why(world: &World) -> Option<NoPathReason> {
    world.paths().find_map(|path| path.no_path).map(|why| why.reason)
}

#[test]
fn a_route_goes_along_its_links() {
    // Written a, c, b; the links lead round by a, b, c only.
    let nodes = [("a", [40, 40]), ("c", [160, 150]), ("b", [280, 40])];
    let links = link("a", "b", true) + &link("b", "c", true) + &link("c", "a", true);
    let order = r#"FollowRoute(layer: "way", mode: Once)"#;
    let start = r#""w": (def: "w", at: (40.0, 60.0))"#;
    let mut world = walk("TopDown", &OPEN, order, &nodes, &links, start);
    assert_eq!(visits(&mut world, 60 * 10, &nodes), ["a", "b", "c", "a", "b"], "a to c by b, and c to b by a");
    assert_eq!(state(&world, "w"), "There");
    // What leads nowhere is no way back.
    let one_way = link("a", "c", true) + &link("c", "b", true);
    let mut world = walk("TopDown", &OPEN, &order.replace("Once", "PingPong"), &nodes, &one_way, start);
    assert_eq!(visits(&mut world, 60 * 10, &nodes), ["a", "c", "b"]);
    assert_eq!((state(&world, "w").as_str(), why(&world)), ("Stuck", Some(NoPathReason::Unconnected)));
    // Without links it goes as it can.
    let mut world = walk("TopDown", &OPEN, order, &nodes, "", start);
    assert_eq!(visits(&mut world, 60 * 10, &nodes), ["a", "c", "b"]);
}

#[test]
fn a_door_closes_the_link_that_it_stands_in() {
    let nodes = [("a", [40, 40]), ("b", [280, 40]), ("c", [160, 150])];
    let links = link("a", "b", false) + &link("b", "c", false) + &link("c", "a", false);
    let order = r#"FollowRoute(layer: "way", mode: Once, tag: "")"#;
    let placed = r#""w": (def: "w", at: (40.0, 60.0)), "d": (def: "door", at: (160.0, 40.0))"#;
    let mut shut = walk("TopDown", &OPEN, order, &nodes, &links, placed);
    assert_eq!(visits(&mut shut, 60 * 5, &nodes), ["a", "c", "b"], "not through the door, nor around it off the links");
    let open = placed.replace("(160.0, 40.0)", "(160.0, 40.0), set: (Collider: (sensor: true))");
    let mut world = walk("TopDown", &OPEN, order, &nodes, &links, &open);
    assert_eq!(visits(&mut world, 60, &nodes), ["a"], "on its way");
    let door = world.by_id("d").unwrap();
    assert!(world.set_field(door, "Collider.sensor", Value::Bool(false)));
    assert_eq!(visits(&mut world, 60 * 6, &nodes)[..3], ["a", "c", "b"], "it closes, and the walker turns back");
}

#[test]
fn an_order_with_a_layer_keeps_to_its_links() {
    let nodes = [("a", [40, 40]), ("b", [160, 150]), ("c", [280, 40])];
    let links = link("a", "b", true) + &link("b", "c", true);
    let (from_a, from_c) = (r#""w": (def: "w", at: (40.0, 44.0))"#, r#""w": (def: "w", at: (280.0, 44.0))"#);
    for order in [
        r#"GoTo(at: Some((280.0, 40.0)), layer: "way")"#,
        r#"GoTo(target: "prize", layer: "way")"#,
        r#"Chase(target: "prize", layer: "way")"#,
    ] {
        let placed = format!(r#"{from_a}, "p": (def: "prize", at: (280.0, 40.0))"#);
        let mut world = walk("TopDown", &OPEN, order, &nodes, &links, &placed);
        assert_eq!(visits(&mut world, 60 * 6, &nodes), ["a", "b", "c"], "{order}");
        assert_eq!(state(&world, "w"), "There", "{order}");
    }
    let back = r#"GoTo(at: Some((40.0, 40.0)), layer: "way")"#;
    let mut world = walk("TopDown", &OPEN, back, &nodes, &links, from_c);
    assert_eq!(visits(&mut world, 60 * 6, &nodes), ["c"], "against the links");
    assert_eq!(why(&world), Some(NoPathReason::Unconnected));
    let mut world = walk("TopDown", &OPEN, &back.replace(r#", layer: "way""#, ""), &nodes, &links, from_c);
    assert_eq!(visits(&mut world, 60 * 6, &nodes), ["c", "a"], "without a layer it goes straight there");
    let mut world = walk("TopDown", &OPEN, &back.replace("way", "nowhere"), &nodes, &links, from_c);
    run(&mut world, 10);
    let found: Vec<&str> = world.findings().iter().map(|finding| &*finding.message).collect();
    assert_eq!(found, ["there is no waypoint layer `nowhere`"]);
}

#[test]
fn links_steer_walkers_seen_from_the_side_too() {
    // The nodes stand on the ground; the links from a to b lead by c, which is on the other side.
    let nodes = [("a", [140, 155]), ("b", [60, 155]), ("c", [260, 155])];
    let links = link("a", "c", true) + &link("c", "b", true);
    let start = r#""w": (def: "w", at: (140.0, 155.0))"#;
    let order = r#"GoTo(at: Some((60.0, 155.0)), layer: "way")"#;
    for order in [order, r#"FollowRoute(layer: "way", mode: Once)"#] {
        let mut world = walk("Platformer", &GROUND, order, &nodes, &links, start);
        assert_eq!(visits(&mut world, 60 * 8, &nodes)[..4], ["a", "c", "a", "b"], "{order}");
        assert!(state(&world, "w") == "There" || order.contains("Route"));
    }
    let back = order.replace("60.0", "140.0");
    let mut world = walk("Platformer", &GROUND, &back, &nodes, &links, &start.replace("140.0", "60.0"));
    assert_eq!(visits(&mut world, 60 * 8, &nodes), ["b"], "against the links");
    assert_eq!(why(&world), Some(NoPathReason::Unconnected));
}

#[test]
fn links_near_the_ground_are_wide_enough_for_who_walks_there_where_there_is_room_above() {
    let start = r#""w": (def: "w", at: (60.0, 155.0))"#;
    let mut low = GROUND;
    low[8] = ".........####.......";
    let order = r#"GoTo(at: Some((260.0, 155.0)), layer: "way")"#;
    for y in [151, 155, 157, 159, 160] {
        let nodes = [("a", [60, y]), ("b", [260, y])];
        for rows in [&GROUND, &low] {
            let mut world = walk("Platformer", rows, order, &nodes, &link("a", "b", false), start);
            run(&mut world, 64 * 6);
            assert_eq!(state(&world, "w"), "There", "{y} {}: {:?}", rows[8], why(&world));
        }
        // Wider than the passage of 16 px is high, whatever the height of the link in it.
        let wide = |defs: &str| defs.replace("radius: 5.0", "radius: 9.0");
        let mut world = walk_as(&wide, "Platformer", &low, order, &nodes, &link("a", "b", false), start);
        run(&mut world, 64 * 6);
        assert_eq!(why(&world), Some(NoPathReason::TooNarrow), "{y}");
    }
}

#[test]
fn a_link_in_a_corridor_is_open_to_walkers_wider_than_the_corridor_is_high() {
    let mut low = GROUND;
    low[..8].fill("....############....");
    let nodes = [("a", [40, 152]), ("b", [280, 152])];
    let start = r#""w": (def: "w", at: (40.0, 150.0))"#;
    let order = r#"GoTo(at: Some((280.0, 152.0)), layer: "way")"#;
    for (size, is_there) in [("36.0, 16.0", true), ("40.0, 28.0", true), ("20.0, 34.0", false), ("40.0, 34.0", false)] {
        let wide = |defs: &str| defs.replace("10.0, 10.0", size);
        let mut world = walk_as(&wide, "Platformer", &low, order, &nodes, &link("a", "b", false), start);
        run(&mut world, 64 * 6);
        assert_eq!(state(&world, "w") == "There", is_there, "{size}: {:?}", why(&world));
    }
}

#[test]
fn who_follows_a_link_into_a_wall_reports_the_wall() {
    let mut rows = OPEN;
    rows[..9].fill(".........##.........");
    let nodes = [("a", [60, 60]), ("b", [260, 60])];
    let start = r#""w": (def: "w", at: (60.0, 60.0))"#;
    let order = r#"FollowRoute(layer: "way", mode: Once)"#;
    let mut world = walk("TopDown", &rows, order, &nodes, &link("a", "b", false), start);
    run(&mut world, 64 * 8);
    assert_eq!((&*state(&world, "w"), why(&world)), ("Stuck", Some(NoPathReason::Wall)));
}

#[test]
fn who_is_stopped_by_a_wall_on_a_link_takes_another_way_or_reports_the_wall_soon() {
    let mut rows = OPEN;
    rows[..9].fill(".........##.........");
    // Past the wall by c; from a straight and aslant through it.
    for b in [[260, 60], [260, 130]] {
        let nodes = [("a", [60, 60]), ("b", b), ("c", [160, 170])];
        let placed =
            format!("\"w\": (def: \"w\", at: (60.0, 60.0)), \"p\": (def: \"prize\", at: ({}.0, {}.0))", b[0], b[1]);
        let through = link("a", "b", false);
        let past = through.clone() + &link("a", "c", false) + &link("c", "b", false);
        for order in [
            r#"GoTo(target: "prize", layer: "way")"#,
            r#"Chase(target: "prize", layer: "way")"#,
            r#"FollowRoute(layer: "way", mode: Once)"#,
        ] {
            let mut world = walk("TopDown", &rows, order, &nodes, &past, &placed);
            assert_eq!(visits(&mut world, 64 * 12, &nodes)[..3], ["a", "c", "b"], "{order}");
            let mut world = walk("TopDown", &rows, order, &nodes[..2], &through, &placed);
            run(&mut world, 64 * 5);
            assert_eq!((&*state(&world, "w"), why(&world)), ("Stuck", Some(NoPathReason::Wall)), "{order} {b:?}");
        }
    }
}

#[test]
fn links_through_walls_are_left_out_for_walkers_seen_from_the_side_if_no_ledges_lead_there() {
    let mut rows = GROUND;
    rows[..10].fill(".........##.........");
    let mut low = rows;
    low[..8].fill("....................");
    let nodes = [("a", [60, 152]), ("b", [260, 152]), ("c", [40, 152])];
    let links = link("a", "b", false) + &link("a", "c", false);
    let start = r#""w": (def: "w", at: (60.0, 152.0)), "p": (def: "prize", at: (260.0, 155.0))"#;
    for order in [
        r#"GoTo(at: Some((260.0, 155.0)), layer: "way")"#,
        r#"Chase(target: "prize", layer: "way")"#,
        r#"FollowRoute(layer: "way", mode: Once)"#,
    ] {
        // A wall as high as the level, and one of two tiles, which it jumps over.
        for (rows, is_wall) in [(&rows, true), (&low, false)] {
            let mut world = walk("Platformer", rows, order, &nodes, &links, start);
            let (agent, walker) = world.agent_of(world.by_id("w").unwrap()).unwrap();
            let question = Question {
                ends: [Vec2::new(60.0, 155.0), Vec2::new(260.0, 155.0)],
                agent: Agent { over_ledges: true, ..agent },
                on: Ground::Waypoints("way".into()),
                weight: 1.0,
                near_px: 12.0,
                walker,
            };
            run(&mut world, 2);
            // Without a run the answer is the same.
            let answer = world.navigator().clone().find_now(&question.request());
            let reason = is_wall.then_some(NoPathReason::Wall);
            assert_eq!((answer.found, answer.no_path.map(|why| why.reason)), (!is_wall, reason), "{order}");
            run(&mut world, 64 * 4);
            assert_eq!(why(&world), reason, "{order}, {is_wall}");
            assert!(is_wall == (state(&world, "w") == "Stuck"), "{order}, {is_wall}");
        }
    }
}

#[test]
fn a_body_closes_a_link_of_walkers_seen_from_the_side_only_if_no_ledges_lead_along_it() {
    let defs = |defs: &str| {
        let shelf = r#""shelf": (set: (Body: (kind: Static), Collider: (shape: Box((64.0, 16.0)), layer: [World]))),"#;
        defs.replace("\"prize\"", &format!("{shelf} \"prize\"")).replace("(8.0, 40.0)", "(8.0, 320.0)")
    };
    // The line from a to b leads through the shelf, which it jumps onto; the door is as high as the level.
    let nodes = [("a", [80, 155]), ("b", [160, 123]), ("c", [20, 155])];
    let links = link("a", "b", false) + &link("a", "c", false);
    let shelf = r#""s": (def: "shelf", at: (160.0, 136.0))"#;
    let high = r#""s": (def: "shelf", at: (160.0, 136.0)), "d": (def: "door", at: (112.0, 0.0))"#;
    for (from, to) in [([80, 155], [160, 123]), ([160, 123], [80, 155])] {
        let ends = format!(
            "\"w\": (def: \"w\", at: ({}.0, {}.0)), \"p\": (def: \"prize\", at: ({}.0, {}.0))",
            from[0], from[1], to[0], to[1]
        );
        let at = format!("GoTo(at: Some(({}.0, {}.0)), layer: \"way\")", to[0], to[1]);
        for order in [&*at, r#"Chase(target: "prize", layer: "way")"#] {
            for (others, is_open) in [(shelf, true), (high, false)] {
                let placed = format!("{ends}, {others}");
                let mut world = walk_as(&defs, "Platformer", &GROUND, order, &nodes, &links, &placed);
                run(&mut world, if is_open { 64 * 2 } else { 16 });
                let reason = (!is_open).then_some(NoPathReason::Wall);
                let is_there = state(&world, "w") == "There";
                assert_eq!((why(&world), is_there), (reason, is_open), "{order} from {from:?}, {others}");
            }
        }
    }
    // A door that opens: at once.
    let order = r#"FollowRoute(layer: "way", mode: Once)"#;
    let placed = format!("\"w\": (def: \"w\", at: (80.0, 155.0)), {high}");
    let mut world = walk_as(&defs, "Platformer", &GROUND, order, &nodes[..2], &links, &placed);
    run(&mut world, 64);
    assert_eq!(why(&world), Some(NoPathReason::Wall));
    let door = world.by_id("d").unwrap();
    assert!(world.set_field(door, "Collider.sensor", Value::Bool(true)));
    run(&mut world, 64 * 3);
    assert_eq!(state(&world, "w"), "There", "{:?}", why(&world));
}

#[test]
fn a_detour_around_a_walled_link_is_gone_to_its_end_however_long_it_takes() {
    let mut rows = OPEN;
    rows[..11].fill(".........##.........");
    // Longer than the time for which the link is left out, at 5 px/s, and searched anew all the time.
    let slow = |defs: &str| {
        defs.replace("speed: 100.0", "speed: 5.0").replace("radius: 5.0)", "radius: 5.0, repath_secs: 0.5)")
    };
    let nodes = [("a", [120, 140]), ("b", [200, 140]), ("c", [20, 184]), ("d", [300, 184])];
    let links = link("a", "b", false) + &link("a", "c", false) + &link("c", "d", false) + &link("d", "b", false);
    let placed = r#""w": (def: "w", at: (120.0, 140.0)), "p": (def: "prize", at: (200.0, 140.0))"#;
    let order = r#"Chase(target: "prize", layer: "way")"#;
    let mut world = walk_as(&slow, "TopDown", &rows, order, &nodes, &links, placed);
    let key = world.by_id("w").unwrap();
    let prize = world.by_id("p").unwrap();
    let mut n_pressed = 0;
    for tick in 0..64 * 200_u32 {
        // The prize moves to and fro, so that the path is searched anew.
        if tick % 64 == 0 {
            assert!(world.move_to(prize, Vec2::new(200.0, if tick % 128 == 0 { 140.0 } else { 134.0 }), 0.0));
        }
        world.step(&Input::NONE);
        let pos = world.entity(key).unwrap().pos;
        n_pressed += u32::from(pos.y < 142.0 && (138.0..150.0).contains(&pos.x));
    }
    assert_eq!(state(&world, "w"), "There", "at {:?}", world.entity(key).unwrap().pos);
    assert!(n_pressed < 64 * 15, "{n_pressed} ticks at the wall");
}

#[test]
fn a_link_through_a_wall_is_tried_again_after_a_while_later_each_time() {
    let mut rows = OPEN;
    rows.fill(".........##.........");
    let nodes = [("a", [60, 60]), ("b", [260, 60])];
    let start = r#""w": (def: "w", at: (60.0, 60.0))"#;
    let order = r#"GoTo(at: Some((260.0, 60.0)), layer: "way")"#;
    let mut world = walk("TopDown", &rows, order, &nodes, &link("a", "b", false), start);
    // When it begins to follow the link, and when it leaves it out, in seconds.
    let (mut begins, mut ends, mut has_path) = (Vec::new(), Vec::new(), false);
    for tick in 0..64 * 110_u16 {
        world.step(&Input::NONE);
        let is_on = world.paths().next().is_some_and(|path| !path.points.is_empty());
        if is_on != has_path {
            if is_on { &mut begins } else { &mut ends }.push(f32::from(tick) / 64.0);
        }
        has_path = is_on;
    }
    assert_eq!((begins.len(), ends.len()), (3, 3), "{begins:?} {ends:?}");
    for (i, secs) in [30.0, 60.0].into_iter().enumerate() {
        let left_out = begins[i + 1] - ends[i];
        assert!((secs..secs + 3.0).contains(&left_out), "{left_out} s instead of {secs}: {begins:?} {ends:?}");
    }
}

/// Nodes in a row, the first link longer than two.
const ROW: [(&str, [i32; 2]); 4] = [("a", [20, 100]), ("b", [180, 100]), ("c", [240, 100]), ("d", [300, 100])];

fn row() -> String {
    link("a", "b", false) + &link("b", "c", false) + &link("c", "d", false)
}

#[test]
fn an_order_that_is_renewed_between_two_nodes_goes_on() {
    let placed = r#""w": (def: "w", at: (20.0, 100.0)), "p": (def: "prize", at: (300.0, 100.0))"#;
    for order in [
        r#"GoTo(target: "prize", layer: "way")"#,
        r#"Chase(target: "prize", layer: "way")"#,
        r#"FollowRoute(layer: "way", mode: Once)"#,
    ] {
        // Entered anew each half second: 50 px, less than half of the first link.
        let again = format!(
            r#"{order}], transitions: [(after: 0.5, to: "Again"), (on: "Arrived", to: "There")]),
            "Again": (enter: [{order}], transitions: [(after: 0.5, to: "Go"), (on: "Arrived", to: "There")]),
            "Rest": (enter: [Stop"#
        );
        let mut world = walk("TopDown", &OPEN, &again, &ROW, &row(), placed);
        assert_eq!(visits(&mut world, 64 * 6, &ROW), ["a", "b", "c", "d"], "{order}");
        assert_eq!(state(&world, "w"), "There", "{order}");
    }
}

#[test]
fn who_chases_a_moving_target_along_links_does_not_turn_back() {
    let defs = |defs: &str| {
        defs.replace("radius: 5.0)", "radius: 5.0, repath_secs: 0.25)").replace(
            "\"prize\": ()",
            "\"prize\": (set: (Body: (kind: Kinematic, velocity: (20.0, 0.0)), Collider: (shape: Circle(3.0), sensor: true)))",
        )
    };
    let placed = r#""w": (def: "w", at: (20.0, 100.0)), "p": (def: "prize", at: (220.0, 100.0))"#;
    let order = r#"Chase(target: "prize", layer: "way")"#;
    let mut world = walk_as(&defs, "TopDown", &OPEN, order, &ROW, &row(), placed);
    let key = world.by_id("w").unwrap();
    let mut x = 0.0;
    for _ in 0..64 {
        world.step(&Input::NONE);
        let now = world.entity(key).unwrap().pos.x;
        assert!(now >= x - 0.5, "from {x} back to {now}");
        x = now;
    }
    assert!(x > 100.0, "{x}");
}

#[test]
fn who_is_on_a_link_begins_there() {
    // Nearer to a, which is behind.
    let start = r#""w": (def: "w", at: (80.0, 100.0))"#;
    let order = |x: f32| format!("GoTo(at: Some(({x:?}, 100.0)), layer: \"way\")");
    let mut world = walk("TopDown", &OPEN, &order(300.0), &ROW, &row(), start);
    assert_eq!(visits(&mut world, 64 * 5, &ROW), ["b", "c", "d"]);
    let mut world = walk("TopDown", &OPEN, &order(20.0), &ROW, &row(), &start.replace("80.0", "120.0"));
    assert_eq!(visits(&mut world, 64 * 5, &ROW), ["a"], "the other end is possible, too");
    // Not against a one-way link.
    let mut world =
        walk("TopDown", &OPEN, &order(20.0), &ROW[..2], &link("a", "b", true), &start.replace("80.0", "140.0"));
    run(&mut world, 64);
    assert_eq!(why(&world), Some(NoPathReason::Unconnected));
}

#[test]
fn bodies_between_a_walker_and_all_waypoints_or_the_goal_are_jumped_over() {
    let nodes = [("a", [110, 154]), ("b", [180, 154])];
    for (height, jumps) in [(28.0, true), (140.0, false)] {
        let defs = |defs: &str| {
            let door = format!("Box((8.0, {height:?}))");
            defs.replace("Walker: (", "Walker: (jump_speed: 430.0, ").replace("Box((8.0, 40.0))", &door)
        };
        let door = |id: &str, x: f32| format!("\"{id}\": (def: \"door\", at: ({x:?}, {:?})),", 160.0 - height / 2.0);
        let placed = door("d", 75.0) + &door("e", 220.0) + "\"w\": (def: \"w\", at: (40.0, 154.0))";
        let order = "GoTo(at: Some((280.0, 154.0)), layer: \"way\")";
        let mut world = walk_as(&defs, "Platformer", &GROUND, order, &nodes, &link("a", "b", false), &placed);
        let seen = visits(&mut world, 64 * 8, &nodes);
        if jumps {
            assert_eq!((seen, state(&world, "w").as_str()), (vec!["a".to_owned(), "b".to_owned()], "There"));
        } else {
            assert_eq!((state(&world, "w").as_str(), why(&world)), ("Stuck", Some(NoPathReason::Wall)));
            let at = world.paths().next().and_then(|path| path.no_path).unwrap().at;
            assert!((at.x - 75.0).abs() <= 5.0, "the gate is named: {at}");
        }
    }
    // A high gate farther on is the reason then.
    let defs = |defs: &str| {
        let tall =
            "\"tall\": (set: (Body: (kind: Static), Collider: (shape: Box((8.0, 140.0)), layer: [World]))), \"prize\"";
        let jumps = defs.replace("Walker: (", "Walker: (jump_speed: 430.0, ").replace("\"prize\"", tall);
        jumps.replace("Box((8.0, 40.0))", "Box((8.0, 28.0))")
    };
    let order = "GoTo(at: Some((280.0, 154.0)), layer: \"way\")";
    let placed = "\"d\": (def: \"door\", at: (75.0, 146.0)), \"t\": (def: \"tall\", at: (145.0, 90.0)), \"w\": (def: \"w\", at: (40.0, 154.0))";
    let mut world = walk_as(&defs, "Platformer", &GROUND, order, &nodes, &link("a", "b", false), placed);
    run(&mut world, 60);
    let no_path = world.paths().next().and_then(|path| path.no_path).unwrap();
    assert_eq!((no_path.reason, no_path.at.x.round()), (NoPathReason::Wall, 145.0));
}

#[test]
fn who_learns_to_jump_higher_tries_again_at_once() {
    // A link up to a ledge, through the ledge's corner.
    let mut rows = GROUND;
    rows[6] = "........####........";
    let defs = |defs: &str| defs.replace("Walker: (", "Walker: (jump_speed: 250.0, ");
    let nodes = [("a", [40, 154]), ("b", [160, 90])];
    let order = "GoTo(at: Some((160.0, 90.0)), layer: \"way\")";
    let placed = "\"w\": (def: \"w\", at: (40.0, 154.0))";
    let mut world = walk_as(&defs, "Platformer", &rows, order, &nodes, &link("a", "b", false), placed);
    run(&mut world, 64 * 12);
    assert_eq!((state(&world, "w").as_str(), why(&world)), ("Stuck", Some(NoPathReason::Unconnected)));
    let key = world.by_id("w").unwrap();
    let sentence = world.why_still(key).unwrap().sentence;
    let height = "its goal is 64 px above the highest place that it gets to, and its jump height is 35 px";
    assert!(sentence.contains(height), "{sentence}");
    assert!(world.set_field(key, "Walker.jump_speed", Value::Float(430.0)));
    run(&mut world, 64 * 6);
    assert_eq!(state(&world, "w"), "There");
}
