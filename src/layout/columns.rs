//! The column of each box, and the placeholder cells of arrows in the columns between.
//!
//! Invariant: cells that are linked stand in neighboring columns. A box of layer `i` is in column `2 i + 2`; the odd
//! columns hold labels, the first and last column are the left and right border.

use std::collections::VecDeque;

use super::{Edge, End, Request, Side};

/// How many steps each node is from the start, along edges. What cannot be reached from it begins at 0 as well.
///
/// By shortest distance, so that a new edge moves only the nodes it brings nearer; the longest path of all nodes could
/// change.
#[must_use]
pub fn layers(n: usize, edges: &[(usize, usize)], start: usize) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut has_way_in = vec![false; n];
    for (from, to) in edges.iter().filter(|(from, to)| from != to && *from < n && *to < n) {
        next[*from].push(*to);
        has_way_in[*to] = true;
    }
    let mut layer = vec![usize::MAX; n];
    let mut queue = VecDeque::new();
    let roots = [start].into_iter().chain((0..n).filter(|i| !has_way_in[*i])).chain(0..n);
    for root in roots.filter(|root| *root < n) {
        if layer[root] != usize::MAX {
            continue;
        }
        layer[root] = 0;
        queue.push_back(root);
        while let Some(at) = queue.pop_front() {
            for to in &next[at] {
                if layer[*to] == usize::MAX {
                    layer[*to] = layer[at] + 1;
                    queue.push_back(*to);
                }
            }
        }
    }
    layer
}

/// Something that takes room in a column.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) size: [f32; 2],
    /// Index of its box; `None` for the placeholder of an arrow.
    pub(super) node: Option<usize>,
    pub(super) is_label: bool,
    /// Linked cells in the column before.
    pub(super) left: Vec<usize>,
    /// Linked cells in the column after.
    pub(super) right: Vec<usize>,
}

/// Everything in columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The nodes first, in their order.
    pub(super) cells: Vec<Cell>,
    /// The cells of each edge from its beginning to its end, both included.
    pub(super) paths: Vec<Vec<usize>>,
    /// Cells of each column, top to bottom.
    pub(super) order: Vec<Vec<usize>>,
}

/// Arrows pass at most so many columns together. Of more, the longest are not routed, so that memory stays within some
/// 50 MB.
const MOST_CELLS: usize = 200_000;

/// Room for an arrow that passes a column, in pixels.
const PASSING: f32 = 4.0;

impl Columns {
    pub(super) fn of(request: &Request) -> Self {
        let n_layers = request.nodes.iter().map(|node| node.layer + 1).max().unwrap_or(0);
        let last = 2 * n_layers + 2;
        let cell =
            |column, size, node| Cell { column, size, node, is_label: false, left: Vec::new(), right: Vec::new() };
        let mut all = Self::default();
        all.cells.extend(request.nodes.iter().enumerate().map(|(i, it)| cell(2 * it.layer + 2, it.size, Some(i))));
        let routed = routed(request, last);
        for (edge, is_routed) in request.edges.iter().zip(routed) {
            let mut path = Vec::new();
            let columns = if is_routed { columns_of(request, edge, last) } else { Vec::new() };
            let label_at = columns.iter().position(|column| column % 2 == 1);
            for (i, column) in columns.iter().enumerate() {
                let end = if i == 0 {
                    Some(edge.from)
                } else if i + 1 == columns.len() {
                    Some(edge.to)
                } else {
                    None
                };
                if let Some(End::Node(node, _)) = end {
                    path.push(node);
                    continue;
                }
                let mut passing = cell(*column, [0.0, PASSING], None);
                if let (Some(label), true) = (edge.label, label_at == Some(i)) {
                    passing.size = label;
                    passing.is_label = true;
                }
                path.push(all.cells.len());
                all.cells.push(passing);
            }
            for (a, b) in path.iter().zip(path.iter().skip(1)) {
                let is_rightward = all.cells[*a].column < all.cells[*b].column;
                let (left, right) = if is_rightward { (*a, *b) } else { (*b, *a) };
                all.cells[left].right.push(right);
                all.cells[right].left.push(left);
            }
            all.paths.push(path);
        }
        all.order = vec![Vec::new(); if n_layers == 0 { 0 } else { last + 1 }];
        for (i, cell) in all.cells.iter().enumerate() {
            all.order[cell.column].push(i);
        }
        all
    }
}

/// Which edges are routed: the shortest, as far as [`MOST_CELLS`] go.
fn routed(request: &Request, last: usize) -> Vec<bool> {
    let n_cells = |edge: &Edge| ends_of(request, edge, last).map_or(0, |[from, to]| from.abs_diff(to));
    let mut edges: Vec<(usize, usize)> = request.edges.iter().map(n_cells).enumerate().collect();
    edges.sort_by_key(|(_, n)| *n);
    let (mut routed, mut n_all) = (vec![true; edges.len()], 0);
    for (i, n) in edges {
        n_all += n;
        routed[i] = n_all <= MOST_CELLS;
    }
    routed
}

/// The columns that an edge begins and ends in; `None` where there are no columns.
fn ends_of(request: &Request, edge: &Edge, last: usize) -> Option<[usize; 2]> {
    let column = |end: End| match end {
        End::Node(node, _) => request.nodes.get(node).map(|node| 2 * node.layer + 2),
        End::Border(_) if request.nodes.is_empty() => None,
        End::Border(Side::Left) => Some(0),
        End::Border(Side::Right) => Some(last),
    };
    Some([column(edge.from)?, column(edge.to)?])
}

/// The columns an edge visits, from its beginning to its end; none for one from a node to itself.
fn columns_of(request: &Request, edge: &Edge, last: usize) -> Vec<usize> {
    let Some([from, to]) = ends_of(request, edge, last) else { return Vec::new() };
    match (edge.from, edge.to) {
        (End::Node(a, _), End::Node(b, _)) if a == b => Vec::new(),
        // An edge within one column goes out to the labels on its right and back.
        _ if from == to => vec![from, from + 1, to],
        _ if from < to => (from..=to).collect(),
        _ => (to..=from).rev().collect(),
    }
}
