//! Laying out graphs: every box has a place of its own, arrows pass no box, labels stay apart, and a small change moves
//! little.

use levelwright::{
    layout::{Edge, End, MOST_WORK, Node, Placed, Point, Request, Route, Side, layers, place},
    model::mix,
};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 += 1;
        (mix(self.0) % n as u64) as usize
    }
}

/// A graph of `n` boxes with two arrows each, and its links.
fn links(seed: u64, n: usize) -> Vec<(usize, usize)> {
    let mut numbers = Numbers(seed << 20);
    (0..n).flat_map(|i| [i, i]).map(|i| (i, numbers.below(n))).collect()
}

fn request(n: usize, links: &[(usize, usize)]) -> Request {
    let layers = layers(n, links, 0);
    let node = |i: usize| {
        // Some are larger, some have room above them that is theirs.
        let (size, above) = ([148.0 + (i % 5 * 20) as f32, 50.0 + (i % 3 * 30) as f32], (i % 4 * 10) as f32);
        Node {
            size: [size[0], size[1] + above],
            body: [0.0, above, size[0], size[1] + above],
            layer: layers[i],
            earlier: None,
            fixed: None,
        }
    };
    let edge = |(i, (from, to)): (usize, &(usize, usize))| Edge {
        from: if i % 17 == 0 { End::Border(Side::Left) } else { End::Node(*from, None) },
        to: if i % 19 == 1 { End::Border(Side::Right) } else { End::Node(*to, None) },
        label: (i % 5 != 0).then_some([40.0 + (i % 9 * 15) as f32, 16.0]),
    };
    Request {
        nodes: (0..n).map(node).collect(),
        edges: links.iter().enumerate().map(edge).collect(),
        margin: 18.0,
        min_width: 0.0,
    }
}

/// Left, top, right, bottom of everything that a box may not share.
fn room(request: &Request, placed: &Placed, i: usize) -> [f32; 4] {
    let (node, [x, y]) = (&request.nodes[i], placed.at[i]);
    let (left, top) = (x - node.body[0], y - node.body[1]);
    [left, top, left + node.size[0], top + node.size[1]]
}

fn meet(a: [f32; 4], b: [f32; 4]) -> bool {
    a[0] < b[2] - 0.01 && b[0] < a[2] - 0.01 && a[1] < b[3] - 0.01 && b[1] < a[3] - 0.01
}

fn point([a, b, c, d]: &[Point; 4], t: f32) -> Point {
    let s = 1.0 - t;
    [0, 1].map(|i| a[i] * s * s * s + b[i] * 3.0 * s * s * t + c[i] * 3.0 * s * t * t + d[i] * t * t * t)
}

fn check(request: &Request, placed: &Placed, what: &str) {
    assert_eq!(placed.at.len(), request.nodes.len());
    let rooms: Vec<[f32; 4]> = (0..request.nodes.len()).map(|i| room(request, placed, i)).collect();
    let mut taken: Vec<([f32; 4], String)> =
        rooms.iter().enumerate().map(|(i, it)| (*it, format!("box {i}"))).collect();
    for (i, (edge, route)) in request.edges.iter().zip(&placed.routes).enumerate() {
        if let (Some([w, h]), Some([x, y])) = (edge.label, route.label) {
            taken.push(([x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0], format!("label {i}")));
        }
        let is_loop = matches!((edge.from, edge.to), (End::Node(a, _), End::Node(b, _)) if a == b);
        assert_eq!(route.curves.is_empty(), is_loop, "{what}: edge {i}");
        for (a, b) in route.curves.iter().zip(route.curves.iter().skip(1)) {
            assert_eq!(a[3], b[0], "{what}: the way of edge {i} has a gap");
        }
        // Not into the body of any box, but for touching the one it begins or ends at.
        for curve in &route.curves {
            for k in 0..=20 {
                let [x, y] = point(curve, k as f32 / 20.0);
                assert!(x.is_finite() && y.is_finite());
                for (j, node) in request.nodes.iter().enumerate() {
                    let [left, top] = placed.at[j];
                    let (right, bottom) = (left + node.body[2] - node.body[0], top + node.body[3] - node.body[1]);
                    let is_inside = x > left + 0.5 && x < right - 0.5 && y > top + 0.5 && y < bottom - 0.5;
                    assert!(!is_inside, "{what}: edge {i} runs through box {j} at {x}, {y}");
                }
            }
        }
    }
    for (i, (a, name)) in taken.iter().enumerate() {
        assert!(a.iter().all(|it| it.is_finite()), "{what}: {name}");
        for (b, other) in &taken[..i] {
            assert!(!meet(*a, *b), "{what}: {name} lies on {other}: {a:?} {b:?}");
        }
    }
}

#[test]
fn boxes_labels_and_arrows_keep_apart() {
    for seed in 0..40 {
        for n in [1, 2, 3, 12, 30] {
            let request = request(n, &links(seed, n));
            let placed = place(&request);
            check(&request, &placed, &format!("seed {seed}, {n} boxes"));
            assert_eq!(placed, place(&request), "the same request has the same answer");
        }
    }
}

#[test]
fn nothing_to_place_is_placed() {
    let placed = place(&Request::default());
    assert!(placed.at.is_empty() && placed.routes.is_empty());
    assert!(layers(0, &[], 0).is_empty());
}

/// Without boxes there are no columns from one border to the other.
#[test]
fn an_arrow_from_border_to_border_needs_no_box() {
    let edge = Edge { from: End::Border(Side::Left), to: End::Border(Side::Right), label: Some([40.0, 16.0]) };
    let placed = place(&Request { edges: vec![edge], ..Request::default() });
    assert_eq!(placed.routes, [Route::default()]);
    assert!(placed.size.iter().all(|it| it.is_finite()));
}

/// A chain in which every box also has an arrow back to the first: together they pass a column for each two boxes.
#[test]
fn long_arrows_do_not_take_memory_without_limit() {
    let n = 800;
    let chain = (1..n).map(|i| (i - 1, i));
    let links: Vec<(usize, usize)> = chain.chain((1..n).map(|i| (i, 0))).collect();
    let mut request = request(n, &links);
    for (edge, (from, to)) in request.edges.iter_mut().zip(&links) {
        (edge.from, edge.to) = (End::Node(*from, None), End::Node(*to, None));
    }
    let placed = place(&request);
    let n_curves: usize = placed.routes.iter().map(|route| route.curves.len()).sum();
    assert!(n_curves < 420_000, "{n_curves} curves");
    assert!(placed.routes[..n].iter().all(|route| !route.curves.is_empty()), "short arrows are routed");
    assert!(placed.routes.last().unwrap().curves.is_empty(), "the longest is not");
}

#[test]
fn a_large_graph_is_placed_with_bounded_work() {
    for seed in 0..3 {
        let request = request(150, &links(seed, 150));
        let placed = place(&request);
        check(&request, &placed, &format!("seed {seed}"));
        assert!(placed.work < MOST_WORK, "{}", placed.work);
    }
    // Every box linked with every other one: the search ends all the same.
    let all: Vec<(usize, usize)> = (0..60).flat_map(|a| (0..60).map(move |b| (a, b))).collect();
    let placed = place(&request(60, &all));
    assert!(placed.work < 4 * MOST_WORK, "{}", placed.work);
}

#[test]
fn an_added_arrow_leaves_the_order_of_boxes() {
    let (n, mut n_moved) = (24, 0);
    for seed in 0..30 {
        let mut links = links(seed, n);
        let before = request(n, &links);
        let placed = place(&before);
        let mut numbers = Numbers(seed + 77);
        links.push((numbers.below(n), numbers.below(n)));
        let mut after = request(n, &links);
        for (node, at) in after.nodes.iter_mut().zip(&placed.at) {
            node.earlier = Some(at[1]);
        }
        let again = place(&after);
        check(&after, &again, &format!("seed {seed}"));
        n_moved += before.nodes.iter().zip(&after.nodes).filter(|(a, b)| a.layer != b.layer).count();
        for i in 0..n {
            for j in 0..i {
                let stays = |k: usize| before.nodes[k].layer == after.nodes[k].layer;
                if after.nodes[i].layer == after.nodes[j].layer && stays(i) && stays(j) {
                    let was = placed.at[i][1] < placed.at[j][1];
                    assert_eq!(again.at[i][1] < again.at[j][1], was, "seed {seed}: boxes {i} and {j} changed places");
                }
            }
        }
    }
    // Only what became nearer to the start changes its column.
    assert!(n_moved <= 30 * n / 12, "{n_moved} of {} boxes changed their column", 30 * n);
}

#[test]
fn boxes_that_are_fixed_stay_and_are_passed_where_there_is_room() {
    for seed in 0..20 {
        let n = 12;
        let mut request = request(n, &links(seed, n));
        let free = place(&request);
        for (node, at) in request.nodes.iter_mut().zip(&free.at) {
            node.fixed = Some(*at);
        }
        let fixed = place(&request);
        assert_eq!(fixed.at, free.at);
        let n_routed = fixed.routes.iter().filter(|route| !route.curves.is_empty()).count();
        let n_links = free.routes.iter().filter(|route| !route.curves.is_empty()).count();
        assert!(2 * n_routed >= n_links, "seed {seed}: only {n_routed} of {n_links} arrows found a way");
        // In a heap there is no way past anything, and no harm is done.
        for node in &mut request.nodes {
            node.fixed = Some([7.0, 9.0]);
        }
        let heap = place(&request);
        assert!(heap.at.iter().all(|at| *at == [7.0, 9.0]));
    }
}

#[test]
fn the_start_is_first_and_each_step_is_a_column() {
    // 0 → 1 → 2 → 0, 1 → 3, and 4 from which one gets to 2.
    let links = [(0, 1), (1, 2), (2, 0), (1, 3), (4, 2)];
    assert_eq!(layers(5, &links, 0), [0, 1, 2, 2, 0]);
    // A way back changes nothing.
    let back: Vec<(usize, usize)> = links.iter().copied().chain([(3, 0)]).collect();
    assert_eq!(layers(5, &back, 0), layers(5, &links, 0));
}
