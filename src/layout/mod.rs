//! Graph layout: boxes in columns from left to right, arrows between them that pass no box, and a
//! place for the label of each arrow.
//!
//! The layered method: columns by distance from a start, invisible cells wherever an arrow passes a column, an order in
//! each column with few crossings, then heights and widths. One level of nesting at a time: a caller with boxes in
//! boxes lays out the inner ones first and passes their size and the heights of the ports on their border.
//!
//! Invariants: every box has a finite place and overlaps no other; the same request has the same answer; a box whose
//! height in an earlier layout is given keeps its order among the others of its column.
//!
//! Source: K. Sugiyama, S. Tagawa, M. Toda, "Methods for Visual Understanding of Hierarchical System Structures", IEEE
//! Transactions on Systems, Man, and Cybernetics 11(2), 1981; E. Gansner, E. Koutsofios, S. North, K.-P. Vo, "A
//! Technique for Drawing Directed Graphs", IEEE Transactions on Software Engineering 19(3), 1993 (cells on long edges,
//! labels as cells, transposition).

mod columns;
mod order;
mod place;
mod spread;

pub use columns::layers;
pub use place::place;

/// Left and top, or width and height, in pixels.
pub type Point = [f32; 2];

/// A box to place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Room that nothing else may enter: the box with what belongs to it.
    pub size: Point,
    /// Left, top, right and bottom of the box itself, inside that room. Arrows begin and end at its left and right
    /// edge.
    pub body: [f32; 4],
    /// Distance from the start, from [`layers`].
    pub layer: usize,
    /// Its height in an earlier layout, whose order is kept.
    pub earlier: Option<f32>,
    /// Where its body has to stand. Counts only when every node has one.
    pub fixed: Option<Point>,
}

/// A side of the area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Where the columns begin.
    Left,
    /// Where they end.
    Right,
}

/// Where an arrow begins or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// At a node, by index; this far below the top of its body, or at any height.
    Node(usize, Option<f32>),
    /// At the border of the area.
    Border(Side),
}

/// An arrow to route. One from a node to itself is not routed.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// Width and height of its label, if it has one here.
    pub label: Option<Point>,
}

/// What to lay out.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
    /// From the outermost boxes and labels to the border.
    pub margin: f32,
    /// The area inside the margins is at least so wide.
    pub min_width: f32,
}

/// The path of an arrow: cubic curves, each beginning where the one before ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Empty where no path avoids the boxes, and for the longest arrows when there are very many.
    pub curves: Vec<[Point; 4]>,
    /// Center of its label.
    pub label: Option<Point>,
}

/// Where everything is. The origin is the left and top of the area inside the margins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// Left and top of each node's body.
    pub at: Vec<Point>,
    /// The path of each edge.
    pub routes: Vec<Route>,
    /// Width and height of the area inside the margins.
    pub size: Point,
    /// Effort: visits of a cell in the search for the order.
    pub work: u64,
}

/// The order of cells is sought for at most about so many visits of a cell.
pub const MOST_WORK: u64 = 1_500_000;
