//! Lining up what is dragged or placed with what is seen around it: edges with edges, centers with centers.
//!
//! Invariant: what is compared is bounded: what is in sight, and no more of it than [`Targets::MOST`].

use std::collections::HashSet;

use super::{ToolCx, select::bounds_of};
use crate::model::{Layer, LayerContent, LayerLook, Name, PxBox};

/// An upright box in the level, in pixels: left top and right bottom.
pub(super) type Bounds = [[f64; 2]; 2];

/// A line that shows what lines up, from end to end, in pixels of the level.
pub(super) type Guide = [[f64; 2]; 2];

/// So near, in points of the screen, something lines up.
const REACH_POINTS: f64 = 6.0;

/// Places are rounded to this part of a pixel, since files show them; so far apart things still look lined up.
const PARTS: f64 = 8.0;

/// What things line up with.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets(Vec<Bounds>);

impl Targets {
    /// No more entities and waypoints than these are compared.
    const MOST: usize = 1000;

    /// The level's bounds and the entities and waypoints in sight, without some; nothing where things do not line up
    /// with others.
    pub(super) fn around(cx: &ToolCx<'_>, without: &[Name]) -> Self {
        let Some(level) = cx.level().filter(|_| cx.options.guides) else { return Self::default() };
        let without: HashSet<&Name> = without.iter().collect();
        let [lo, hi] = cx.visible_px;
        let is_seen = |[from, to]: &Bounds| (0..2).all(|i| to[i] >= lo[i] && from[i] <= hi[i]);
        let of_level = level.size.map(|_| {
            let [left, top, right, bottom] = level.bounds_px();
            [[left, top], [right, bottom]]
        });
        let shown = cx.looks().into_iter().rev().filter(|(layer, _)| (cx.shows)(layer));
        let things = shown.flat_map(|(layer, look)| bounds_on(cx, (layer, look.offset), [lo, hi], &without));
        let things = things.filter(is_seen).take(Self::MOST);
        Self(of_level.into_iter().chain(things).collect())
    }

    /// How far something has to move, along each axis, to line up with what is nearest; `None` where nothing is near.
    pub(super) fn shift(&self, cx: &ToolCx<'_>, moved: Bounds) -> [Option<f64>; 2] {
        let reach = REACH_POINTS * cx.px_per_point;
        [0, 1].map(|axis| {
            let all = self.0.iter().flat_map(|it| pairs(axis, moved, *it)).map(|[from, to]| to - from);
            all.filter(|by| by.abs() <= reach).min_by(|a, b| a.abs().total_cmp(&b.abs()))
        })
    }

    /// The lines on which something that is at a place lines up with others, one for each place on an axis.
    pub(super) fn guides(&self, at: Bounds) -> Vec<Guide> {
        let mut out: Vec<(usize, Guide)> = Vec::new();
        for (axis, it) in [0, 1].into_iter().flat_map(|axis| self.0.iter().map(move |it| (axis, it))) {
            let across = 1 - axis;
            for [from, to] in pairs(axis, at, *it) {
                if (from - to).abs() * PARTS > 1.0 {
                    continue;
                }
                let [lo, hi] = [at[0][across].min(it[0][across]), at[1][across].max(it[1][across])];
                let known = out.iter_mut().find(|(of, [end, _])| *of == axis && (end[axis] - to).abs() * PARTS <= 1.0);
                if let Some((_, [a, b])) = known {
                    (a[across], b[across]) = (a[across].min(lo), b[across].max(hi));
                } else {
                    let mut guide = [[to; 2]; 2];
                    (guide[0][across], guide[1][across]) = (lo, hi);
                    out.push((axis, guide));
                }
            }
        }
        out.into_iter().map(|(_, guide)| guide).collect()
    }
}

/// What of one box lines up with what of another along an axis: places on it.
fn pairs(axis: usize, a: Bounds, b: Bounds) -> [[f64; 2]; 5] {
    let ([lo, hi], [to_lo, to_hi]) = ([a[0][axis], a[1][axis]], [b[0][axis], b[1][axis]]);
    let centers = [f64::midpoint(lo, hi), f64::midpoint(to_lo, to_hi)];
    [centers, [lo, to_lo], [hi, to_hi], [lo, to_hi], [hi, to_lo]]
}

/// The boxes of what a layer holds in an area of the level or near it, without some.
fn bounds_on<'a>(
    cx: &'a ToolCx<'_>,
    (layer, offset): (&'a Layer, [f64; 2]),
    seen: PxBox,
    without: &'a HashSet<&Name>,
) -> Box<dyn Iterator<Item = Bounds> + 'a> {
    let shown = move |bounds: Bounds| bounds.map(|at| [at[0] + offset[0], at[1] + offset[1]]);
    match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
            Box::new(std::iter::empty())
        }
        LayerContent::Entities(_) => {
            let on_layer = seen.map(|at| [at[0] - offset[0], at[1] - offset[1]]);
            let others = cx.entities_near(layer, on_layer).filter(|(id, _)| !without.contains(id));
            Box::new(others.map(move |(_, it)| shown(bounds_of(cx, it))))
        }
        LayerContent::Waypoints(graph) => {
            let others = graph.nodes.iter().filter(|(id, _)| !without.contains(id));
            Box::new(others.map(move |(_, node)| shown([node.at; 2])))
        }
    }
}

/// The box around some entities and waypoints of the level.
pub(super) fn bounds_of_all(cx: &ToolCx<'_>, ids: &[Name]) -> Option<Bounds> {
    let ids: HashSet<&Name> = ids.iter().collect();
    let of_layer = |(layer, look): (&Layer, LayerLook)| {
        let offset = look.offset;
        let at = |bounds: Bounds| bounds.map(|at| [at[0] + offset[0], at[1] + offset[1]]);
        let all: Vec<Bounds> = match &layer.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
                Vec::new()
            }
            LayerContent::Entities(all) => {
                ids.iter().filter_map(|id| all.get(*id)).map(|it| at(bounds_of(cx, it))).collect()
            }
            LayerContent::Waypoints(graph) => {
                ids.iter().filter_map(|id| graph.nodes.get(*id)).map(|node| at([node.at; 2])).collect()
            }
        };
        all
    };
    let all = cx.looks().into_iter().flat_map(of_layer);
    all.reduce(|a, b| [[0, 1].map(|i| a[0][i].min(b[0][i])), [0, 1].map(|i| a[1][i].max(b[1][i]))])
}

/// Move something that is at `bounds` by `by` so that it lines up, else as it keeps to the grid: how far it moves, and
/// the lines to show. An axis it is not moved along stays; `is_free` keeps to nothing.
pub(super) fn lined_up(
    cx: &ToolCx<'_>,
    (bounds, targets): (Bounds, &Targets),
    (by, on_grid): ([f64; 2], [f64; 2]),
    is_free: bool,
) -> ([f64; 2], Vec<Guide>) {
    if is_free {
        return (on_grid, Vec::new());
    }
    let moved = |by: [f64; 2]| bounds.map(|at| [at[0] + by[0], at[1] + by[1]]);
    let shift = targets.shift(cx, moved(by));
    let by = [0, 1].map(|i| match shift[i] {
        Some(shift) if by[i] != 0.0 => ((by[i] + shift) * PARTS).round() / PARTS,
        _ => on_grid[i],
    });
    (by, targets.guides(moved(by)))
}
