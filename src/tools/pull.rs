//! Dragging the handles of the fields of the selected entity: one gesture, one step.

use super::{
    Cursor, PointerEvent, PointerPhase, ToolCx, ToolOut,
    field_handles::{
        FieldGrip, FieldSpot, Keeps, SpotPart, dragged, edge_at, field_edits, handle_at, handle_label, size_of_field,
    },
    rotate::lone_entity,
    select::{DRAG_POINTS, turned},
    shape_handles::Grip,
};
use crate::{
    edit::{Owner, Phase},
    explain::{CanvasField, Drawn},
};

/// How far a handle reaches, in points of the screen: where it ends, the entity is held.
const REACH_POINTS: f64 = 7.0;
/// The same of a line.
const LINE_POINTS: f64 = 4.0;

/// A handle that is dragged.
#[derive(Clone, Debug)]
pub(super) struct Pulling {
    owner: Owner,
    /// The entity's origin on its layer, and how it is rotated, in degrees.
    origin: [f64; 2],
    rotation: f64,
    before: CanvasField,
    grip: FieldGrip,
    /// Where the handle was, from the entity's origin.
    held: [f64; 2],
    /// Where the pointer went down, and how far that was from the handle.
    from: [f64; 2],
    pub(super) far: f64,
    is_dragged: bool,
}

/// Whose the fields are that the canvas shows with handles.
#[must_use]
pub fn owner_of_fields(cx: &ToolCx<'_>) -> Option<Owner> {
    let ((layer, _), id, _) = lone_entity(cx)?;
    Some(Owner::Instance { doc: cx.doc.clone(), layer: layer.name.clone(), id: id.clone() })
}

/// The handle of the selected entity at a place.
pub(super) fn grabbed(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<Pulling> {
    let (_, _, it) = lone_entity(cx)?;
    let local = local(cx, at)?;
    let within = REACH_POINTS * cx.px_per_point;
    let (field, grip, held) = handle_at(cx.fields, (cx.extent)(it), cx.px_per_point, (local, within))?;
    let owner = owner_of_fields(cx)?;
    let (origin, rotation, before) = (it.at, it.rotation, field.clone());
    let far = (held[0] - local[0]).hypot(held[1] - local[1]);
    Some(Pulling { owner, origin, rotation, before, grip, held, from: at, far, is_dragged: false })
}

/// The field of the selected entity that has a point or corner at a place, and which one.
#[must_use]
pub fn point_at<'a>(cx: &ToolCx<'a>, at: [f64; 2]) -> Option<(&'a CanvasField, usize)> {
    let spot = spot_at(cx, at)?;
    let SpotPart::Grip(FieldGrip::Of(Grip::Point(i))) = spot.part else { return None };
    Some((spot.find(cx.fields)?, i))
}

/// What of a field of the selected entity is at a place: a handle, else a line.
pub(super) fn spot_at(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<FieldSpot> {
    if let Some(it) = grabbed(cx, at) {
        return Some(it.spot());
    }
    let (field, edge, place) = edge_at(cx.fields, (local(cx, at)?, LINE_POINTS * cx.px_per_point))?;
    Some(FieldSpot::of(field, SpotPart::Edge(edge, place)))
}

/// A place of the level from the origin of the selected entity, before it is rotated.
fn local(cx: &ToolCx<'_>, at: [f64; 2]) -> Option<[f64; 2]> {
    let ((_, look), _, it) = lone_entity(cx)?;
    let from_origin = [0, 1].map(|i| at[i] - look.offset[i] - it.at[i]);
    Some(turned(from_origin, -it.rotation))
}

impl Pulling {
    fn spot(&self) -> FieldSpot {
        FieldSpot::of(&self.before, SpotPart::Grip(self.grip))
    }

    /// The answer to the pointer over the handle.
    pub(super) fn hovered(&self) -> ToolOut {
        let keys = match (&self.before.drawn, self.grip) {
            (_, FieldGrip::Before | FieldGrip::After) => "drag to add a point; Alt for any place",
            (Drawn::Points { .. }, FieldGrip::Middle(_)) => "drag to insert a point; Alt for any place",
            (Drawn::Points { .. }, _) => "drag to move it, Delete takes it away; Alt for any place",
            (Drawn::Shape(_), FieldGrip::Middle(_)) => "drag to insert a corner; Alt for any place",
            (_, FieldGrip::Of(Grip::Point(_))) => "drag to move it, Delete takes it away; Alt for any place",
            (_, FieldGrip::Of(Grip::Center)) => "drag to move the shape; Alt for any place",
            (_, FieldGrip::Of(Grip::Corner { .. })) => {
                "Shift for both sides, Ctrl keeps the proportions, Alt for any place"
            }
            (_, FieldGrip::Of(Grip::End { .. })) => "Shift for both ends, Alt for any place",
            _ => "drag to change the radius; Alt for any place",
        };
        let hint = format!("{} ({}): {keys}", handle_label(&self.before, self.grip), size_of_field(&self.before));
        let mut out = ToolOut { cursor: Cursor::Hand, ..ToolOut::hint(hint) };
        out.ghost.spot = Some(self.spot());
        out
    }

    /// The answer to the pointer while the handle is dragged.
    pub(super) fn drag(&mut self, cx: &ToolCx<'_>, event: &PointerEvent) -> ToolOut {
        let is_over = event.phase == PointerPhase::Release;
        let by = [0, 1].map(|i| event.pos_px[i] - self.from[i]);
        self.is_dragged |= by[0].hypot(by[1]) > DRAG_POINTS * cx.px_per_point;
        let mut out = self.hovered();
        if !self.is_dragged {
            return out;
        }
        let to = self.target(cx, by, event.modifiers.alt);
        let keeps = Keeps { center: event.modifiers.shift, ratio: event.modifiers.ctrl };
        let after = dragged(&self.before, self.grip, (self.held, to), keeps);
        out.edits = field_edits(cx.project, &self.owner, &self.before, &after);
        out.label = Some(match self.grip {
            FieldGrip::Of(_) => format!("Set {}", self.before.full()),
            _ => format!("Add a point to {}", self.before.full()),
        });
        if is_over {
            out.ghost = super::Ghost::default();
        } else {
            if after != self.before {
                out.ghost.spot = Some(FieldSpot::of(&self.before, SpotPart::Grip(self.held_now())));
            }
            out.ghost.note = Some(size_of_field(&after));
        }
        out.phase = ToolOut::ended(is_over, Phase::Commit);
        out
    }

    /// The handle that the pointer holds once a new point is there.
    fn held_now(&self) -> FieldGrip {
        let new = |i| FieldGrip::Of(Grip::Point(i));
        match (self.grip, &self.before.drawn) {
            (FieldGrip::Middle(i), _) => new(i + 1),
            (FieldGrip::Before, _) => new(0),
            (FieldGrip::After, Drawn::Points { points, .. }) => new(points.len()),
            (grip, _) => grip,
        }
    }

    /// Where the handle is to go. Paths and areas keep to the grid that placed things keep to; a shape that belongs to
    /// the body, which is often smaller than a cell, to whole pixels of its entity.
    fn target(&self, cx: &ToolCx<'_>, by: [f64; 2], is_free: bool) -> [f64; 2] {
        let held = turned(self.held, self.rotation);
        let on_layer = [0, 1].map(|i| self.origin[i] + held[i] + by[i]);
        let keeps_to_grid = self.before.is_always_shown;
        let on_layer = if keeps_to_grid { cx.snapped(on_layer, is_free) } else { on_layer };
        let to = turned([0, 1].map(|i| on_layer[i] - self.origin[i]), -self.rotation);
        if keeps_to_grid || is_free { to } else { to.map(f64::round) }
    }
}
