//! The path probe: a start and a goal, dragged over the level, between which a path is looked for.
//!
//! Invariant: it edits nothing. Both ends stay where they were until the press that moves one is released; what is
//! found between them is `sim::probe`'s.

use super::{Cursor, Ghost, PointerEvent, PointerPhase, ToolCx, ToolOut, select::DRAG_POINTS};

/// Start and goal, in pixels of the level.
pub type ProbeEnds = [[f64; 2]; 2];

/// What the probe is in the middle of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probing {
    /// Where it was pressed.
    from: [f64; 2],
    /// The end that is held; both where it was pressed beside them.
    end: Option<usize>,
    is_dragging: bool,
}

/// Answer a pointer event.
pub(super) fn pointer(cx: &ToolCx<'_>, event: &PointerEvent, probing: Option<Probing>) -> (Option<Probing>, ToolOut) {
    let at = event.pos_px.map(|x| (x * 8.0).round() / 8.0);
    let distance = |a: [f64; 2]| (a[0] - event.pos_px[0]).hypot(a[1] - event.pos_px[1]);
    // Of two ends in one place it is the goal that can be drawn out.
    let near = |ends: &ProbeEnds| [1, 0].into_iter().find(|i| distance(ends[*i]) <= cx.reach_px());
    match (event.phase, probing) {
        (PointerPhase::Press, _) => {
            let end = cx.probe.as_ref().and_then(near);
            let probing = Probing { from: at, end, is_dragging: false };
            let cursor = if end.is_some() { Cursor::Move } else { Cursor::Crosshair };
            (Some(probing), ToolOut { cursor, ..ToolOut::default() })
        }
        (PointerPhase::Drag | PointerPhase::Release, Some(mut probing)) => {
            probing.is_dragging |= distance(probing.from) > DRAG_POINTS * cx.px_per_point;
            let ends = match (probing.is_dragging, probing.end, cx.probe) {
                (true, Some(end), Some(mut ends)) => {
                    ends[end] = at;
                    Some(ends)
                }
                (true, _, _) => Some([probing.from, at]),
                // A click beside them has the goal there.
                (false, None, Some([start, _])) if event.phase == PointerPhase::Release => Some([start, at]),
                (false, _, _) => None,
            };
            let cursor = if probing.end.is_some() { Cursor::Move } else { Cursor::Crosshair };
            if event.phase == PointerPhase::Release {
                return (None, ToolOut { probe: ends, cursor, ..ToolOut::default() });
            }
            let ghost = Ghost { probe: ends, ..Ghost::default() };
            (Some(probing), ToolOut { ghost, cursor, ..ToolOut::default() })
        }
        _ => {
            let is_near = cx.probe.as_ref().and_then(near).is_some();
            (None, ToolOut { cursor: if is_near { Cursor::Move } else { Cursor::Crosshair }, ..ToolOut::default() })
        }
    }
}
