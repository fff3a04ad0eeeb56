//! Heights and widths: columns that keep their order, with arrows as straight as may be, and the curves of the arrows.
//!
//! Invariant: between two columns an arrow stays in the gap between them; in a column it is level, in a row of its own.

use super::{
    Edge, End, Node, Placed, Point, Request, Route,
    columns::{Cell, Columns},
    order::order,
    spread::spread,
};

/// Between two boxes of a column, in pixels.
const BETWEEN_BOXES: f64 = 28.0;
/// Between an arrow or label and what is beside it, in pixels.
const BESIDE_ARROW: f64 = 9.0;
/// Rounds in which heights are made even.
const ROUNDS: usize = 10;
/// Nothing moves a box that is fixed.
const FIXED: f64 = 1e9;

/// Place the boxes of a request and route its arrows.
#[must_use]
pub fn place(request: &Request) -> Placed {
    let mut columns = Columns::of(request);
    let is_fixed = !request.nodes.is_empty() && request.nodes.iter().all(|node| node.fixed.is_some());
    let work = order(&mut columns, request);
    let mut heights = heights(&columns, request, is_fixed);
    let mut spans = if is_fixed { fixed_spans(&columns, request) } else { spans(&columns, &heights) };
    // Boxes that are fixed need not stand in columns at all.
    let is_in_columns = spans.iter().zip(spans.iter().skip(1)).all(|(a, b)| a.is_fit && a.right <= b.left);
    let counts = |cell: &&Cell| cell.node.is_some() || is_in_columns;
    let mut width = request.min_width;
    for cell in columns.cells.iter().filter(counts) {
        let is_border = cell.column == 0 || cell.column + 1 == spans.len();
        if !is_border {
            width = width.max(spans[cell.column].right);
        }
    }
    if let (Some(first), true) = (spans.first().copied(), spans.len() > 1) {
        let last = spans.len() - 1;
        let border = |at: f32| Span { left: at, right: at, ..first };
        spans[0] = border(-request.margin);
        spans[last] = border(width + request.margin);
    }
    let at: Vec<Point> = request
        .nodes
        .iter()
        .enumerate()
        .map(|(i, node)| {
            let [left, top, ..] = node.body;
            node.fixed.filter(|_| is_fixed).unwrap_or_else(|| {
                let span = spans[columns.cells[i].column];
                let x = f32::midpoint(span.left, span.right) - node.size[0] / 2.0 + left;
                [x.round(), (heights[i] - node.size[1] / 2.0 + top).round()]
            })
        })
        .collect();
    for ((height, node), at) in heights.iter_mut().zip(&request.nodes).zip(&at) {
        *height = at[1] - node.body[1] + node.size[1] / 2.0;
    }
    let bottoms = columns.cells.iter().zip(&heights).filter(|(cell, _)| counts(cell));
    let height = bottoms.map(|(cell, middle)| middle + cell.size[1] / 2.0).fold(0.0, f32::max);
    let router = Router { request, columns: &columns, heights: &heights, spans: &spans, at: &at };
    let ports = router.ports();
    let is_free = |path: &[usize]| !is_fixed || router.is_free(path);
    let routes = request.edges.iter().enumerate().map(|(i, edge)| match columns.paths[i].as_slice() {
        [] => Route::default(),
        path if is_free(path) => router.route(edge, path, ports[i]),
        _ => Route::default(),
    });
    let routes = routes.collect();
    Placed { routes, size: [width, height], work, at }
}

fn apart(a: &Cell, b: &Cell) -> f64 {
    let between = if a.node.is_some() && b.node.is_some() { BETWEEN_BOXES } else { BESIDE_ARROW };
    f64::from(a.size[1] + b.size[1]) / 2.0 + between
}

/// From the middle of a cell to where its arrows are.
fn offset(cell: &Cell, request: &Request) -> f64 {
    cell.node.map_or(0.0, |node| {
        let node = &request.nodes[node];
        f64::from((node.body[1] + node.body[3] - node.size[1]) / 2.0)
    })
}

/// The middle of every cell, downward.
#[expect(clippy::cast_possible_truncation, reason = "pixels")]
fn heights(columns: &Columns, request: &Request, is_fixed: bool) -> Vec<f32> {
    let cells = &columns.cells;
    let fixed = |i: usize| {
        let node = &request.nodes[cells[i].node?];
        let at = node.fixed.filter(|_| is_fixed)?;
        Some(f64::from(at[1] - node.body[1] + node.size[1] / 2.0))
    };
    let mut middle = vec![0.0_f64; cells.len()];
    for order in &columns.order {
        let wanted: Vec<(f64, f64)> = order.iter().map(|i| fixed(*i).map_or((0.0, 1.0), |at| (at, FIXED))).collect();
        for (i, at) in order.iter().zip(spread(&wanted, |k| apart(&cells[order[k]], &cells[order[k + 1]]))) {
            middle[*i] = at;
        }
    }
    for round in 0..ROUNDS {
        // From one side, from the other, and at last from both.
        let (by_left, by_right) = if round + 3 >= ROUNDS { (true, true) } else { (round % 2 == 0, round % 2 == 1) };
        for step in 0..columns.order.len() {
            let at = if by_right && !by_left { columns.order.len() - 1 - step } else { step };
            let order = &columns.order[at];
            let wanted: Vec<(f64, f64)> = order
                .iter()
                .map(|i| {
                    if let Some(at) = fixed(*i) {
                        return (at, FIXED);
                    }
                    let cell = &cells[*i];
                    let left = cell.left.iter().filter(|_| by_left);
                    let linked = left.chain(cell.right.iter().filter(|_| by_right));
                    let (mut sum, mut weight) = (0.0, 0.0);
                    for other in linked {
                        // Long arrows are straight before anything else.
                        let is_long = cell.node.is_none() && cells[*other].node.is_none();
                        let pull = if is_long { 4.0 } else { 1.0 };
                        sum += pull * (middle[*other] + offset(&cells[*other], request));
                        weight += pull;
                    }
                    if weight == 0.0 { (middle[*i], 0.05) } else { (sum / weight - offset(cell, request), weight) }
                })
                .collect();
            for (i, at) in order.iter().zip(spread(&wanted, |k| apart(&cells[order[k]], &cells[order[k + 1]]))) {
                middle[*i] = at;
            }
        }
    }
    let tops = cells.iter().zip(&middle).map(|(cell, at)| at - f64::from(cell.size[1]) / 2.0);
    let top = if is_fixed { 0.0 } else { tops.fold(f64::INFINITY, f64::min) };
    middle.iter().map(|at| (at - top) as f32).collect()
}

/// The width of a column.
#[derive(Clone, Copy, Debug)]
struct Span {
    left: f32,
    right: f32,
    /// Whether everything of the column is inside.
    is_fit: bool,
}

/// The columns one after the other.
fn spans(columns: &Columns, heights: &[f32]) -> Vec<Span> {
    let mut left = 0.0_f32;
    let last = columns.order.len().saturating_sub(1);
    let span = |(at, order): (usize, &Vec<usize>)| {
        let width = order.iter().map(|i| columns.cells[*i].size[0]).fold(0.0, f32::max);
        let span = Span { left, right: left + width, is_fit: true };
        let links = order.iter().flat_map(|i| columns.cells[*i].right.iter().map(move |other| (*i, *other)));
        let steepest = links
            .map(|(a, b)| (heights[a] - heights[b]).abs())
            .fold(None, |most: Option<f32>, it| Some(most.map_or(it, |most| most.max(it))));
        left = span.right;
        // The first and last column are the border.
        if let (Some(steepest), true) = (steepest, at > 0 && at + 1 < last) {
            left += (18.0 + steepest * 0.1).min(64.0).round();
        }
        span
    };
    columns.order.iter().enumerate().map(span).collect()
}

/// The columns as boxes that are fixed have them.
fn fixed_spans(columns: &Columns, request: &Request) -> Vec<Span> {
    const AROUND_LABEL: f32 = 12.0;
    let room = |node: &Node| {
        let left = node.fixed.map_or(0.0, |at| at[0]) - node.body[0];
        [left, left + node.size[0]]
    };
    let boxes = |at: usize| {
        let nodes = columns.order[at].iter().filter_map(|i| columns.cells[*i].node);
        nodes.map(|node| room(&request.nodes[node])).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    };
    let n = columns.order.len();
    (0..n)
        .map(|at| {
            let width = columns.order[at].iter().map(|i| columns.cells[*i].size[0]).fold(0.0, f32::max);
            if let Some([left, right]) = boxes(at) {
                return Span { left, right, is_fit: true };
            }
            let before = at.checked_sub(1).and_then(boxes).map(|[_, right]| right);
            let after = (at + 1 < n).then(|| boxes(at + 1)).flatten().map(|[left, _]| left);
            match (before, after) {
                (Some(before), Some(after)) => {
                    let middle = f32::midpoint(before, after);
                    let is_fit = after - before >= width + 2.0 * AROUND_LABEL;
                    Span { left: middle - width / 2.0, right: middle + width / 2.0, is_fit }
                }
                (Some(before), None) => {
                    let left = before + 2.0 * AROUND_LABEL;
                    Span { left, right: left + width, is_fit: true }
                }
                (None, after) => {
                    let right = after.unwrap_or(0.0) - 2.0 * AROUND_LABEL;
                    Span { left: right - width, right, is_fit: right - width >= -request.margin }
                }
            }
        })
        .collect()
}

/// How far below the top of its body an arrow begins and ends, for arrows that do at a node.
type Ports = [Option<f32>; 2];

struct Router<'r> {
    request: &'r Request,
    columns: &'r Columns,
    heights: &'r [f32],
    spans: &'r [Span],
    at: &'r [Point],
}

impl Router<'_> {
    /// Whether a path avoids all boxes, where boxes are fixed.
    fn is_free(&self, path: &[usize]) -> bool {
        let cells = &self.columns.cells;
        let is_in_order = |a: &usize, b: &usize| {
            let (a, b) = (cells[*a].column, cells[*b].column);
            self.spans[a.min(b)].right <= self.spans[a.max(b)].left
        };
        path.iter().zip(path.iter().skip(1)).all(|(a, b)| is_in_order(a, b))
            && path.iter().all(|i| {
                let span = self.spans[cells[*i].column];
                let y = self.heights[*i];
                let passes = |other: &usize| {
                    let cell = &cells[*other];
                    cell.node.is_some() && (self.heights[*other] - y).abs() < cell.size[1] / 2.0 + 2.0
                };
                span.is_fit && (cells[*i].node.is_some() || !self.columns.order[cells[*i].column].iter().any(passes))
            })
    }

    /// Where arrows leave and reach the sides of boxes: near the height they go to, in that order, apart from each
    /// other.
    fn ports(&self) -> Vec<Ports> {
        let cells = &self.columns.cells;
        let mut ports: Vec<Ports> = vec![[None, None]; self.request.edges.len()];
        let mut sides: Vec<[Vec<(f32, usize, usize)>; 2]> = vec![[Vec::new(), Vec::new()]; self.request.nodes.len()];
        for (i, (edge, path)) in self.request.edges.iter().zip(&self.columns.paths).enumerate() {
            let (Some(second), Some(before_last)) =
                (path.get(1), path.len().checked_sub(2).and_then(|at| path.get(at)))
            else {
                continue;
            };
            for (which, (end, next)) in [(edge.from, *second), (edge.to, *before_last)].into_iter().enumerate() {
                let End::Node(node, port) = end else { continue };
                ports[i][which] = port;
                if port.is_none() {
                    let is_right = cells[next].column > cells[node].column;
                    sides[node][usize::from(is_right)].push((self.heights[next], i, which));
                }
            }
        }
        for (node, sides) in sides.iter_mut().enumerate() {
            let body = self.request.nodes[node].body;
            let tall = f64::from(body[3] - body[1]);
            for side in sides {
                side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
                let gaps = side.len().saturating_sub(1) as f64;
                let inset = 7.0_f64.min(tall / 4.0);
                let apart = if gaps > 0.0 { ((tall - 2.0 * inset) / gaps).min(11.0) } else { 0.0 };
                let most = tall - inset - gaps * apart;
                let top = f64::from(self.at[node][1]);
                let wanted: Vec<(f64, f64)> = side.iter().map(|(y, ..)| (f64::from(*y) - top, 1.0)).collect();
                for (k, (at, (_, edge, which))) in spread(&wanted, |_| apart).into_iter().zip(side).enumerate() {
                    let before = k as f64 * apart;
                    let at = (at - before).clamp(inset, most.max(inset)) + before;
                    #[expect(clippy::cast_possible_truncation, reason = "pixels")]
                    let at = at as f32;
                    ports[*edge][*which] = Some(at);
                }
            }
        }
        ports
    }

    fn route(&self, edge: &Edge, path: &[usize], ports: Ports) -> Route {
        let cells = &self.columns.cells;
        let label = path.iter().find(|i| cells[**i].is_label).map(|i| {
            let span = self.spans[cells[*i].column];
            [f32::midpoint(span.left, span.right), self.heights[*i]]
        });
        // The side of the body and of its column that the arrow is at, and its height.
        let end = |end: End, port: Option<f32>, cell: usize, next: usize| -> [Point; 2] {
            let span = self.spans[cells[cell].column];
            let is_right = cells[next].column > cells[cell].column;
            let side = if is_right { span.right } else { span.left };
            match end {
                End::Node(node, _) => {
                    let [left, _, right, _] = self.request.nodes[node].body;
                    let y = self.at[node][1] + port.unwrap_or(0.0);
                    let x = self.at[node][0] + if is_right { right - left } else { 0.0 };
                    [[x, y], [side, y]]
                }
                End::Border(_) => [[side, self.heights[cell]]; 2],
            }
        };
        let n = path.len();
        let [start, out] = end(edge.from, ports[0], path[0], path[1]);
        let [finish, inward] = end(edge.to, ports[1], path[n - 1], path[n - 2]);
        if n == 3 && cells[path[0]].column == cells[path[2]].column {
            return self.turn(path[1], [start, out, inward, finish]);
        }
        let mut points = vec![start, out];
        for (i, next) in path.iter().zip(path.iter().skip(1)).skip(1) {
            let span = self.spans[cells[*i].column];
            let y = self.heights[*i];
            let is_rightward = cells[*next].column > cells[*i].column;
            let [first, last] = if is_rightward { [span.left, span.right] } else { [span.right, span.left] };
            points.extend([[first, y], [last, y]]);
        }
        points.extend([inward, finish]);
        Route { curves: curves(&points), label }
    }

    /// Out of a column and back into it, by a label beside it.
    fn turn(&self, label: usize, [start, out, inward, finish]: [Point; 4]) -> Route {
        let cell = &self.columns.cells[label];
        let span = self.spans[cell.column];
        let y = self.heights[label];
        let x = span.left - 3.0;
        let mut curves = curves(&[start, out]);
        let is_between = (out[1] - y) * (inward[1] - y) < 0.0;
        let bend = |from: Point| {
            let half = f32::midpoint(from[1], y);
            if is_between { [[x, from[1]], [x, half]] } else { [[f32::midpoint(from[0], x), from[1]], [out[0], y]] }
        };
        let [a, b] = bend(out);
        curves.push([out, a, b, [x, y]]);
        let [a, b] = bend(inward);
        curves.push([[x, y], b, a, inward]);
        curves.extend(self::curves(&[inward, finish]));
        let label = cell.is_label.then(|| [span.left + cell.size[0] / 2.0, y]);
        Route { curves, label }
    }
}

/// Curves through points, level at each of them.
fn curves(points: &[Point]) -> Vec<[Point; 4]> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for point in points {
        if kept.last().is_some_and(|last| (last[0] - point[0]).abs() < 0.5 && (last[1] - point[1]).abs() < 0.5) {
            continue;
        }
        // Join level pieces that continue each other.
        if let [.., a, b] = kept.as_slice()
            && (a[1] - b[1]).abs() < 0.01
            && (b[1] - point[1]).abs() < 0.01
        {
            kept.pop();
        }
        kept.push(*point);
    }
    let pairs = kept.iter().zip(kept.iter().skip(1));
    pairs
        .map(|(a, b)| {
            let half = (b[0] - a[0]) / 2.0;
            [*a, [a[0] + half, a[1]], [b[0] - half, b[1]], *b]
        })
        .collect()
}
