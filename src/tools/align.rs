//! Aligning and distributing the selected entities and waypoints by their extents.
//!
//! Invariant: what is aligned already stays where it is, so that doing it again changes nothing.

use super::{
    ToolCx, ToolOut,
    select::{bounds_of, check_unlocked},
};
use crate::{
    edit::{Edit, Phase},
    model::{LayerContent, Name},
};

/// How things are arranged. A waypoint is a point; an entity is the upright box around its extent as it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alignment {
    /// Left edges at that of the leftmost.
    Left,
    /// Right edges at that of the rightmost.
    Right,
    /// Top edges at that of the topmost.
    Top,
    /// Bottom edges at that of the bottommost.
    Bottom,
    /// Centers one above the other, in the middle of all.
    CentersHorizontally,
    /// Centers beside each other, in the middle of all.
    CentersVertically,
    /// Equal gaps from left to right; the first and last stay.
    DistributeHorizontally,
    /// Equal gaps from top to bottom; the first and last stay.
    DistributeVertically,
}

impl Alignment {
    /// Every alignment, in the order of menus.
    pub const ALL: [Self; 8] = [
        Self::Left,
        Self::Right,
        Self::Top,
        Self::Bottom,
        Self::CentersHorizontally,
        Self::CentersVertically,
        Self::DistributeHorizontally,
        Self::DistributeVertically,
    ];

    /// Why it makes no sense for so many things; `None` when it does.
    #[must_use]
    pub fn refusal(self, n_things: usize) -> Option<&'static str> {
        match self {
            Self::DistributeHorizontally | Self::DistributeVertically => {
                (n_things < 3).then_some("Select at least three entities or waypoints first")
            }
            Self::Left
            | Self::Right
            | Self::Top
            | Self::Bottom
            | Self::CentersHorizontally
            | Self::CentersVertically => (n_things < 2).then_some("Select at least two entities or waypoints first"),
        }
    }

    /// The axis that things are moved along.
    fn axis(self) -> usize {
        match self {
            Self::Left | Self::Right | Self::CentersHorizontally | Self::DistributeHorizontally => 0,
            Self::Top | Self::Bottom | Self::CentersVertically | Self::DistributeVertically => 1,
        }
    }

    fn label(self, n: usize) -> String {
        match self {
            Self::Left => format!("Align left edges of {n} things"),
            Self::Right => format!("Align right edges of {n} things"),
            Self::Top => format!("Align top edges of {n} things"),
            Self::Bottom => format!("Align bottom edges of {n} things"),
            Self::CentersHorizontally => format!("Align centers of {n} things horizontally"),
            Self::CentersVertically => format!("Align centers of {n} things vertically"),
            Self::DistributeHorizontally => format!("Distribute {n} things horizontally"),
            Self::DistributeVertically => format!("Distribute {n} things vertically"),
        }
    }

    /// How far each thing is moved along the axis, by where it begins and ends on it; at least two.
    fn shifts(self, spans: &[[f64; 2]]) -> Vec<f64> {
        let lo = spans.iter().map(|span| span[0]).fold(f64::INFINITY, f64::min);
        let hi = spans.iter().map(|span| span[1]).fold(f64::NEG_INFINITY, f64::max);
        match self {
            Self::Left | Self::Top => spans.iter().map(|span| lo - span[0]).collect(),
            Self::Right | Self::Bottom => spans.iter().map(|span| hi - span[1]).collect(),
            Self::CentersHorizontally | Self::CentersVertically => {
                spans.iter().map(|span| f64::midpoint(lo, hi) - f64::midpoint(span[0], span[1])).collect()
            }
            Self::DistributeHorizontally | Self::DistributeVertically => distributed(spans),
        }
    }
}

/// How far each thing is moved so that the gaps between them are equal; where they need more room than there is, they
/// overlap equally.
fn distributed(spans: &[[f64; 2]]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by(|a, b| {
        f64::midpoint(spans[*a][0], spans[*a][1]).total_cmp(&f64::midpoint(spans[*b][0], spans[*b][1]))
    });
    let mut shifts = vec![0.0; spans.len()];
    let [first, inner @ .., last] = order.as_slice() else { return shifts };
    let taken: f64 = inner.iter().map(|i| spans[*i][1] - spans[*i][0]).sum();
    #[expect(clippy::cast_precision_loss, reason = "no level has that many things")]
    let gap = (spans[*last][0] - spans[*first][1] - taken) / (inner.len() + 1) as f64;
    let mut at = spans[*first][1];
    for i in inner {
        shifts[*i] = at + gap - spans[*i][0];
        at += gap + spans[*i][1] - spans[*i][0];
    }
    shifts
}

/// Places are rounded to this part of a pixel: files show them.
const PARTS: f64 = 8.0;

/// The edits that align or distribute the selected things.
///
/// # Errors
/// Too few are selected, something selected is on a locked layer, or they are aligned already.
pub fn align(cx: &ToolCx<'_>, alignment: Alignment) -> Result<ToolOut, String> {
    check_unlocked(cx)?;
    let things: Vec<(Name, Thing)> =
        cx.selection.iter().filter_map(|id| Some((id.clone(), Thing::of(cx, id)?))).collect();
    if let Some(why) = alignment.refusal(things.len()) {
        return Err(why.to_owned());
    }
    let axis = alignment.axis();
    let spans: Vec<[f64; 2]> = things.iter().map(|(_, it)| [it.lo[axis], it.hi[axis]]).collect();
    let mut edits = Vec::new();
    for ((id, thing), shift) in things.iter().zip(alignment.shifts(&spans)) {
        // Rounding may have left this of it last time: half a part here, half a part of what it is aligned to.
        if shift.abs() * PARTS < 1.01 {
            continue;
        }
        let to = ((thing.at[axis] + shift) * PARTS).round() / PARTS;
        let mut by = [0.0; 2];
        by[axis] = to - thing.at[axis];
        edits.push(Edit::MoveThings { doc: cx.doc.clone(), ids: vec![id.clone()], by });
    }
    if edits.is_empty() {
        return Err("They are where this would put them already".to_owned());
    }
    Ok(ToolOut { edits, label: Some(alignment.label(things.len())), phase: Phase::Commit, ..ToolOut::default() })
}

/// Where something is on its layer, and its bounds in the level, in pixels.
struct Thing {
    at: [f64; 2],
    lo: [f64; 2],
    hi: [f64; 2],
}

impl Thing {
    fn of(cx: &ToolCx<'_>, id: &Name) -> Option<Self> {
        cx.looks().into_iter().find_map(|(layer, look)| {
            let (at, [lo, hi]) = match &layer.content {
                LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
                    return None;
                }
                LayerContent::Entities(all) => all.get(id).map(|it| (it.at, bounds_of(cx, it)))?,
                LayerContent::Waypoints(graph) => graph.nodes.get(id).map(|node| (node.at, [node.at; 2]))?,
            };
            let shown = |at: [f64; 2]| [at[0] + look.offset[0], at[1] + look.offset[1]];
            Some(Self { at, lo: shown(lo), hi: shown(hi) })
        })
    }
}
