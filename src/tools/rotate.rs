//! Rotating the selected entity by a handle above it.
//!
//! Invariant: the handle is where it is drawn: both go by [`rotate_handle`].

use super::{
    Cursor, Extent, PointerEvent, PointerPhase, ToolCx, ToolOut,
    select::{reachable, turned},
};
use crate::{
    edit::{Edit, Phase},
    model::{Instance, Layer, LayerLook, Name},
};

/// How far the handle is above an entity's box, in points of the screen.
const ARM_POINTS: f64 = 22.0;

/// With Shift it goes by so many degrees, else by [`STEP`], with Alt by a tenth of that.
const SHIFT_STEP: f64 = 15.0;
const STEP: f64 = 1.0;

/// An entity that is being rotated.
#[derive(Clone, Debug)]
pub(super) struct Rotating {
    id: Name,
    layer: Name,
    def: Name,
    /// What it turns around, in the level.
    origin: [f64; 2],
    /// How it was rotated, in degrees.
    before: f64,
    /// The direction in which the handle was grabbed, in radians.
    from: f64,
    /// How far from its middle.
    pub(super) far: f64,
}

/// Where the handle to rotate an entity is, which is at a place and rotated by degrees: the middle of its box's upper
/// side, and the handle itself.
#[must_use]
pub fn rotate_handle(at: [f64; 2], rotation: f64, extent: Extent, px_per_point: f64) -> [[f64; 2]; 2] {
    let top = extent.center[1] - extent.half[1];
    [top, top - ARM_POINTS * px_per_point].map(|y| {
        let [dx, dy] = turned([extent.center[0], y], rotation);
        [at[0] + dx, at[1] + dy]
    })
}

/// The entity that is selected alone and can be worked on, with its layer.
pub(super) fn lone_entity<'a>(cx: &ToolCx<'a>) -> Option<((&'a Layer, LayerLook), &'a Name, &'a Instance)> {
    let [id] = cx.selection else { return None };
    reachable(cx).find_map(|(layer, look)| Some(((layer, look), id, &**layer.entities()?.get(id)?)))
}

/// The entity whose handle is at a place; only one that is selected alone has one.
pub(super) fn grabbed(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<Rotating> {
    let ((layer, look), id, it) = lone_entity(cx)?;
    let origin = [it.at[0] + look.offset[0], it.at[1] + look.offset[1]];
    let [_, [x, y]] = rotate_handle(origin, it.rotation, (cx.extent)(it), cx.px_per_point);
    let from = direction(origin, at)?;
    let (layer, def) = (layer.name.clone(), it.def.clone());
    let far = (x - at[0]).hypot(y - at[1]);
    (far <= cx.reach_px()).then(|| Rotating { id: id.clone(), layer, def, origin, before: it.rotation, from, far })
}

/// The answer to the pointer over a handle.
pub(super) fn hovered() -> ToolOut {
    let hint = "Drag to rotate; Shift for steps of 15°, Alt for tenths";
    ToolOut { cursor: Cursor::Hand, ..ToolOut::hint(hint) }
}

/// The answer to the pointer while an entity is rotated.
pub(super) fn drag(cx: &ToolCx<'_>, event: &PointerEvent, it: &Rotating) -> ToolOut {
    let is_over = event.phase == PointerPhase::Release;
    let by = direction(it.origin, event.pos_px).map_or(0.0, |now| (now - it.from).to_degrees());
    let rounded = |step: f64| ((it.before + by) / step).round() * step;
    let to = normal(match (event.modifiers.shift, event.modifiers.alt) {
        // A press that has not moved is no rotation.
        _ if by == 0.0 => it.before,
        (true, _) => rounded(SHIFT_STEP),
        (false, false) => rounded(STEP),
        // A division gives the number that is written with one digit.
        (false, true) => ((it.before + by) * 10.0).round() / 10.0,
    });
    let mut out = hovered();
    if (to - normal(it.before)).abs() > f64::EPSILON {
        let at = cx.level().map(|level| level.entity_at(&*it.layer, &it.id).key("rotation"));
        out.edits = at.map(|at| Edit::set_at(cx.doc, at, &to)).into_iter().collect();
    }
    out.label = Some(format!("Rotate {}", it.def));
    if !is_over {
        out.ghost.note = Some(format!("{to}°"));
        out.ghost.guides = vec![[it.origin, event.pos_px]];
    }
    out.phase = ToolOut::ended(is_over, Phase::Commit);
    out
}

/// The direction from one place to another, in radians; `None` at the place itself.
pub(super) fn direction(from: [f64; 2], to: [f64; 2]) -> Option<f64> {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    (x != 0.0 || y != 0.0).then(|| y.atan2(x))
}

/// The same angle above −180° and up to 180°.
pub(super) fn normal(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}
