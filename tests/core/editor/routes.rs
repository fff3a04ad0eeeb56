//! The routes of what is selected, and the path probe's answers: both follow from what is derived.

use levelwright::{
    editor::{Derivation, ProbeAsked, ProbeOn, RouteShown, Workspace, routes_shown},
    explain::destinations_of,
    model::{Name, TuningOverlay},
    sim::nav::Colored,
    tools::ProbeEnds,
};

use super::{FILES, derivation, derive, read, yard};

const WALKERS: &str = r#"{
    "goblin": (set: (Agent: (radius: 6.0), Body: (), Walker: (), Brain: (machines: ["guard"]))),
    "spirit": (set: (Agent: (), Body: (), Walker: (), Brain: (machines: ["starts"]))),
    "lift": (set: (Platform: (route: "patrol/lift", mode: Loop))),
    "statue": (),
}"#;

const GUARD: &str = r#"{ "guard": (initial: "Walk", states: {
    "Walk": (enter: [FollowRoute(layer: "patrol", mode: PingPong)], transitions: [(after: 9.0, to: "Rest")]),
    "Rest": (transitions: [(after: 1.0, do: [FollowRoute(layer: "nowhere")], to: "Walk")]),
}), "starts": (enter: [QueueMachine(machine: "round")]),
"round": (enter: [FollowRoute(layer: "round", mode: Once), QueueMachine(machine: "round"), GoTo(target: "s1", layer: "way")]) }"#;

const YARD: &str = r#"(size: (32, 12), tile_size: (16, 16), layers: [
    Tiles(name: "ground", tileset: "t", chunks: { (0, 0): ["", "", "", "", "", "", "", "", "", "", "32*1"] }),
    Entities(name: "actors", entities: {
        "g1": (def: "goblin", at: (60.0, 100.0)),
        "l1": (def: "lift", at: (300.0, 100.0)),
        "s1": (def: "statue", at: (100.0, 150.0)),
    }),
    Waypoints(name: "patrol", auto_link: false, nodes: {
        "n1": (at: (40.0, 100.0)), "n2": (at: (200.0, 100.0)), "n3": (at: (120.0, 60.0)),
        "l1a": (at: (300.0, 40.0), tags: ["lift"]), "l1b": (at: (300.0, 120.0), tags: ["lift"]),
        "alone": (at: (500.0, 40.0)),
    }, links: [(from: "n1", to: "n2"), (from: "n2", to: "n3"), (from: "l1a", to: "l1b")]),
])"#;

fn small() -> (Workspace, Derivation) {
    let files: Vec<(&str, &str)> = FILES
        .into_iter()
        .map(|(at, text)| match at {
            "entities/goblins.ron" => (at, WALKERS),
            "machines/guard.ron" => (at, GUARD),
            "levels/yard.ron" => (at, YARD),
            _ => (at, text),
        })
        .collect();
    let mut workspace = Workspace::default();
    workspace.open("game".into(), read(&files), TuningOverlay::default());
    let mut derived = derivation();
    derive(&mut derived, &workspace, Some(&yard()));
    (workspace, derived)
}

fn of(derived: &Derivation, id: &str) -> Vec<RouteShown> {
    routes_shown(derived, &yard(), &[id.into()])
}

#[test]
fn the_routes_of_what_is_selected_come_with_who_follows_them_and_how() {
    let (_, derived) = small();
    let patrol = RouteShown {
        who: Some("g1".into()),
        layer: "patrol".into(),
        mode: "PingPong".into(),
        points: vec![[40.0, 100.0], [200.0, 100.0], [120.0, 60.0]],
    };
    assert_eq!(of(&derived, "g1"), std::slice::from_ref(&patrol), "in written order, those that are linked");
    assert_eq!(of(&derived, "n3"), [patrol], "the same by one of its waypoints");
    let [lift] = &*of(&derived, "l1") else { panic!() };
    assert_eq!((&*lift.mode, lift.points.len()), ("Loop", 2), "those with the tag");
    assert_eq!(of(&derived, "l1b"), std::slice::from_ref(lift));
    assert_eq!((of(&derived, "s1"), of(&derived, "alone"), of(&derived, "nobody")), (vec![], vec![], vec![]));
    let named = destinations_of(derived.project(), derived.resolution(), &derived.resolution().defs["goblin"]).routes;
    let named: Vec<(&str, &str)> = named.iter().map(|it| (&*it.layer, &*it.mode)).collect();
    assert_eq!(named, [("nowhere", "Loop"), ("patrol", "PingPong")], "by any action, with the schema's default");
    let started = destinations_of(derived.project(), derived.resolution(), &derived.resolution().defs["spirit"]).routes;
    let started: Vec<(&str, &str)> = started.iter().map(|it| (&*it.layer, &*it.mode)).collect();
    assert_eq!(started, [("round", "Once")], "by machines that actions start; a layer beside a target is no route");
}

fn ask(derived: &mut Derivation, ends: ProbeEnds, how: &ProbeAsked) -> bool {
    let Some(job) = derived.start_probe(Some(&yard()), Some(ends), how) else { return false };
    assert!(derived.start_probe(Some(&yard()), Some([[0.0; 2]; 2]), how).is_none(), "one at a time");
    derived.take_probe(job.run());
    true
}

#[test]
fn the_probe_answers_once_and_again_when_something_else_is_asked() {
    let (_, mut derived) = small();
    let ends = [[20.0, 100.0], [460.0, 100.0]];
    let how = ProbeAsked::default();
    assert!(ask(&mut derived, ends, &how) && !ask(&mut derived, ends, &how), "what is known is not looked for again");
    let answer = derived.probes().answer(&yard()).unwrap().clone();
    let found = answer.found.as_ref().unwrap();
    assert!(found.searched.found && found.cheapest.is_none() && answer.field.is_none());
    assert!((answer.lengths_px[0] - 432.0).abs() < 17.0, "{:?}", answer.lengths_px);
    let colored = ProbeAsked { colored: Some(Colored::Cost), weight: 2.0, ..how.clone() };
    assert!(ask(&mut derived, ends, &colored));
    let answer = derived.probes().answer(&yard()).unwrap().clone();
    let (Ok(found), Some((Colored::Cost, field))) = (&answer.found, &answer.field) else { panic!("{answer:?}") };
    assert!(found.cheapest.is_some() && field.n_cells > 100);
    // The goal moves: the costs from the start stay.
    assert!(ask(&mut derived, [ends[0], [300.0, 20.0]], &colored));
    let (_, kept) = derived.probes().answer(&yard()).unwrap().field.clone().unwrap();
    assert!(std::sync::Arc::ptr_eq(field, &kept));
    let along = ProbeAsked { on: ProbeOn::Layer("patrol".into()), ..how.clone() };
    assert!(ask(&mut derived, [[40.0, 100.0], [120.0, 60.0]], &along));
    let answer = derived.probes().answer(&yard()).unwrap();
    assert!(answer.is_in_px && answer.found.as_ref().unwrap().searched.points.len() == 3, "by the waypoint between");
    let wide = ProbeAsked { who: "goblin".into(), ..how.clone() };
    assert!(ask(&mut derived, ends, &wide));
    let answer = derived.probes().answer(&yard()).unwrap();
    assert!((answer.radius - 6.0).abs() < 1e-6 && answer.found.is_ok());
    let unknown = ProbeAsked { who: Name::from("ghost"), ..how.clone() };
    assert!(ask(&mut derived, ends, &unknown));
    assert!(derived.probes().answer(&yard()).unwrap().found.as_ref().is_err_and(|why| why.contains("ghost")));
    assert!(derived.start_probe(Some(&yard()), None, &how).is_none());
    assert!(derived.probes().answer(&yard()).is_none(), "nothing is asked any more");
}
