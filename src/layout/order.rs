//! The order of the cells in each column, with few crossings: barycenters from one side and the other, then swaps of
//! neighbors.
//!
//! Invariant: of two boxes with a height in an earlier layout, the higher one stays the higher one.

use super::{MOST_WORK, Request, columns::Columns};

/// Rounds without an improvement after which the search ends.
const PATIENCE: usize = 4;
/// Rounds at most.
const ROUNDS: usize = 24;

/// Order the cells of every column. Returns the work it took.
pub(super) fn order(columns: &mut Columns, request: &Request) -> u64 {
    let earlier: Vec<Option<f32>> = (0..columns.cells.len())
        .map(|i| {
            columns.cells[i]
                .node
                .and_then(|node| request.nodes[node].fixed.map(|at| at[1]).or(request.nodes[node].earlier))
        })
        .collect();
    let mut search = Search { place: vec![0.0; columns.cells.len()], earlier, work: 0 };
    begin(columns, &search.earlier);
    search.number(columns);
    let mut best = (search.crossings(columns), columns.order.clone());
    let mut since = 0;
    for round in 0..ROUNDS {
        if best.0 == 0 || since >= PATIENCE || search.work > MOST_WORK {
            break;
        }
        search.sweep(columns, round % 2 == 0);
        search.swap_neighbors(columns);
        let n = search.crossings(columns);
        since += 1;
        if n < best.0 {
            best = (n, columns.order.clone());
            since = 0;
        }
    }
    columns.order = best.1;
    search.work
}

/// A first order: boxes by their earlier height, else as they are given; passing arrows between where they come from
/// and go to.
fn begin(columns: &mut Columns, earlier: &[Option<f32>]) {
    let mut rank = vec![0.0_f64; columns.cells.len()];
    for order in &mut columns.order {
        let mut boxes: Vec<usize> = order.iter().copied().filter(|i| columns.cells[*i].node.is_some()).collect();
        keep_earlier(&mut boxes, earlier);
        for (place, i) in boxes.iter().enumerate() {
            rank[*i] = (place as f64 + 0.5) / boxes.len() as f64;
        }
    }
    for path in &columns.paths {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { continue };
        let rank_of = |i: usize, other: usize| if columns.cells[i].node.is_some() { rank[i] } else { rank[other] };
        let (a, b) = (rank_of(*first, *last), rank_of(*last, *first));
        let n = path.len() as f64;
        for (k, i) in path.iter().enumerate() {
            if columns.cells[*i].node.is_none() {
                rank[*i] = a + (b - a) * (k as f64 / n);
            }
        }
    }
    for order in &mut columns.order {
        order.sort_by(|a, b| rank[*a].total_cmp(&rank[*b]));
    }
}

/// Sort those that have an earlier height by it, in the places they take.
fn keep_earlier(order: &mut [usize], earlier: &[Option<f32>]) {
    let places: Vec<usize> = (0..order.len()).filter(|at| earlier[order[*at]].is_some()).collect();
    let mut kept: Vec<usize> = places.iter().map(|at| order[*at]).collect();
    kept.sort_by(|a, b| earlier[*a].unwrap_or(0.0).total_cmp(&earlier[*b].unwrap_or(0.0)));
    for (at, i) in places.into_iter().zip(kept) {
        order[at] = i;
    }
}

struct Search {
    /// Each cell's place in its column.
    place: Vec<f64>,
    earlier: Vec<Option<f32>>,
    work: u64,
}

impl Search {
    fn number(&mut self, columns: &Columns) {
        for order in &columns.order {
            self.number_one(order);
        }
    }

    fn number_one(&mut self, order: &[usize]) {
        for (place, i) in order.iter().enumerate() {
            self.place[*i] = place as f64;
        }
    }

    /// Order every column by the mean place of what its cells are linked with on one side, going away from that side.
    fn sweep(&mut self, columns: &mut Columns, is_rightward: bool) {
        let n = columns.order.len();
        for step in 0..n {
            let at = if is_rightward { step } else { n - 1 - step };
            let mut order = std::mem::take(&mut columns.order[at]);
            let key = |i: usize| {
                let cell = &columns.cells[i];
                let linked = if is_rightward { &cell.left } else { &cell.right };
                if linked.is_empty() {
                    return self.place[i];
                }
                linked.iter().map(|other| self.place[*other]).sum::<f64>() / linked.len() as f64
            };
            let keys: Vec<(f64, usize)> = order.iter().map(|i| (key(*i), *i)).collect();
            // Cells without a link on this side stay where they are; the others are sorted in the places they take.
            let is_linked = |i: usize| {
                let cell = &columns.cells[i];
                !(if is_rightward { &cell.left } else { &cell.right }).is_empty()
            };
            let places: Vec<usize> = (0..order.len()).filter(|at| is_linked(order[*at])).collect();
            let mut moving: Vec<(f64, usize)> = places.iter().map(|at| keys[*at]).collect();
            moving.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (at, (_, i)) in places.into_iter().zip(moving) {
                order[at] = i;
            }
            keep_earlier(&mut order, &self.earlier);
            self.work += order.len() as u64;
            self.number_one(&order);
            columns.order[at] = order;
        }
    }

    /// Swap neighbors while that takes crossings away.
    fn swap_neighbors(&mut self, columns: &mut Columns) {
        for at in 0..columns.order.len() {
            for _ in 0..4 {
                let mut is_better = false;
                for i in 1..columns.order[at].len() {
                    let (a, b) = (columns.order[at][i - 1], columns.order[at][i]);
                    if self.earlier[a].is_some() && self.earlier[b].is_some() {
                        continue;
                    }
                    let (now, then) = self.crossings_of(columns, a, b);
                    if then < now {
                        columns.order[at].swap(i - 1, i);
                        self.place[a] = i as f64;
                        self.place[b] = (i - 1) as f64;
                        is_better = true;
                    }
                }
                if !is_better || self.work > MOST_WORK {
                    break;
                }
            }
        }
    }

    /// Crossings between the links of two neighbors, as they stand and when they are swapped.
    fn crossings_of(&mut self, columns: &Columns, a: usize, b: usize) -> (usize, usize) {
        let (mut now, mut then) = (0, 0);
        let (a, b) = (&columns.cells[a], &columns.cells[b]);
        for (of_a, of_b) in [(&a.left, &b.left), (&a.right, &b.right)] {
            for x in of_a {
                for y in of_b {
                    now += usize::from(self.place[*x] > self.place[*y]);
                    then += usize::from(self.place[*x] < self.place[*y]);
                }
            }
            self.work += (of_a.len() * of_b.len()) as u64;
        }
        (now, then)
    }

    /// All crossings: inversions among the links of each two neighboring columns.
    fn crossings(&mut self, columns: &Columns) -> usize {
        let mut sum = 0;
        for (order, next) in columns.order.iter().zip(columns.order.iter().skip(1)) {
            // How many links ended at each place so far, as a Fenwick tree.
            let mut tree = vec![0_usize; next.len() + 1];
            let mut n_links = 0;
            for i in order {
                let mut ends: Vec<usize> =
                    columns.cells[*i].right.iter().map(|other| place_idx(self.place[*other])).collect();
                ends.sort_unstable();
                for end in &ends {
                    let (mut at, mut before) = (end + 1, 0);
                    while at > 0 {
                        before += tree[at];
                        at &= at - 1;
                    }
                    sum += n_links - before;
                }
                for end in &ends {
                    let mut at = end + 1;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
                n_links += ends.len();
                self.work += 1 + ends.len() as u64;
            }
        }
        sum
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
fn place_idx(place: f64) -> usize {
    place as usize
}
