//! The fields of placed entities that the canvas shows (shapes, paths, areas, texts), and the handles of one that is
//! selected alone.
//!
//! What they are is `explain::canvas_fields`; where handles are and what dragging them does is `tools`.

use std::collections::HashSet;

use egui::{Color32, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

use super::{
    camera::pos,
    lines,
    looks::Look,
    nearby::entities_in_sight,
    overlay::box_rect,
    paint::Viewport,
    text::{clicks_ui, editor_ui, text_ui},
};
use crate::{
    edit::Owner,
    editor::{Action, LayerSeen, TextSpot, ViewChange},
    explain::{CanvasField, Drawn},
    model::{DocPath, Instance, Layer, Level, Name},
    raster::outlines,
    tools::{Extent, FieldGrip, SpotPart, ToolKind, field_handles, handle_label, shape_handles::Grip, turned},
    ui::{CanvasCx, Cx},
};

/// Of so many entities that are not selected the fields are drawn, at most.
const MOST: usize = 300;
/// No line is drawn through more points than these.
const MOST_POINTS: usize = 4096;
/// Below this zoom texts are shown at what is selected only.
const LEAST_TEXT_SCALE: f32 = 0.75;
/// Half the side of a handle, in points; of one that adds a point.
const HANDLE: f32 = 4.0;
const SMALL_HANDLE: f32 = 3.0;
/// What is left of the lines of what is not selected.
const FAINT: f32 = 0.5;

/// A placed entity, and how its fields are put on the screen.
struct Placed<'a> {
    viewport: Viewport,
    doc: &'a DocPath,
    on: &'a LayerSeen<'a>,
    id: &'a Name,
    it: &'a Instance,
}

impl Placed<'_> {
    /// A place from the entity's origin, before it is rotated, on the screen.
    fn screen(&self, at: [f64; 2]) -> Pos2 {
        let [x, y] = turned(at, self.it.rotation);
        self.viewport.screen(pos([self.it.at[0] + x, self.it.at[1] + y]))
    }
}

/// Draw the fields of the entities in sight on the layers that are shown, those of what is selected in front.
pub fn fields_ui(
    cx: &CanvasCx<'_>,
    ui: &mut Ui,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    shown: &[LayerSeen<'_>],
) {
    let edited = cx.view.text.as_ref().filter(|text| text.doc == *doc);
    let selected = cx.selection.ids_in(doc);
    // What is edited is drawn until that is done, whatever is selected by then.
    let strong: Vec<&Name> = selected.iter().take(MOST).chain(edited.map(|text| &text.id)).collect();
    if cx.view.overlays.fields {
        let skipped: HashSet<&Name> = selected.iter().chain(strong.iter().copied()).collect();
        let mut left = MOST;
        'drawn: for on in shown {
            let viewport = viewport.for_layer(&on.look);
            let in_sight = entities_in_sight(cx, &viewport, (doc, level), on);
            for (id, it) in in_sight.filter(|(id, _)| !skipped.contains(id)) {
                if left == 0 {
                    break 'drawn;
                }
                let look = cx.looks.get(cx.resolution, (doc, level), on.number, id, it);
                if look.fields.iter().any(|field| field.is_always_shown) {
                    left -= 1;
                    entity_ui(cx, ui, painter, &Placed { viewport, doc, on, id, it }, &look, false);
                }
            }
        }
    }
    let mut is_edited = false;
    for on in shown {
        let viewport = viewport.for_layer(&on.look);
        let Some(entities) = on.layer.entities() else { continue };
        let mut seen = HashSet::new();
        let found = strong.iter().filter(|id| seen.insert(**id)).filter_map(|id| entities.get_key_value(*id));
        for (id, it) in found {
            let look = cx.looks.get(cx.resolution, (doc, level), on.number, id, it);
            let placed = Placed { viewport, doc, on, id, it };
            is_edited |= entity_ui(cx, ui, painter, &placed, &look, true);
            if *selected == [id.clone()] && cx.view.tool == ToolKind::Select && !on.look.locked {
                handles_ui(cx, ui, painter, &placed, &look);
            }
        }
    }
    if cx.view.text.is_some() && !is_edited {
        cx.send(Action::View(ViewChange::EditText(None)));
    }
}

/// Draw the fields of an entity. Returns whether a text of it is edited.
fn entity_ui(
    cx: &CanvasCx<'_>,
    ui: &mut Ui,
    painter: &Painter,
    placed: &Placed<'_>,
    look: &Look,
    is_selected: bool,
) -> bool {
    let strength = if is_selected { 1.0 } else { FAINT };
    // Seen from far away texts would hide the level.
    let has_room = placed.viewport.camera.scale >= LEAST_TEXT_SCALE;
    let clip = painter.clip_rect();
    let mut painter = painter.clone();
    painter.multiply_opacity(strength);
    let body = box_rect(&placed.viewport, pos(placed.it.at), look.half, look.center);
    let mut text_top = body.center_bottom() + vec2(0.0, 6.0);
    let mut is_edited = false;
    for field in look.fields.iter().filter(|field| is_selected || field.is_always_shown) {
        let stroke = Stroke::new(1.5, color_of(cx, field));
        match &field.drawn {
            Drawn::Shape(shape) => {
                let outline: Vec<Pos2> =
                    outlines(shape, field.offset).into_iter().map(|at| placed.screen(at)).collect();
                painter.add(egui::Shape::convex_polygon(
                    outline.clone(),
                    stroke.color.gamma_multiply(0.12),
                    Stroke::NONE,
                ));
                text_top.y = text_top.y.max(below(&outline));
                lines::path_ui(cx.theme, &painter, outline, true, stroke);
            }
            Drawn::Points { points, is_closed } => {
                // Of a list without measure some points are enough.
                let some = points.iter().step_by(points.len() / MOST_POINTS + 1);
                let on_screen = some.map(|[x, y]| placed.screen([x + field.offset[0], y + field.offset[1]]));
                let on_screen: Vec<Pos2> = on_screen.collect();
                if *is_closed {
                    text_top.y = text_top.y.max(below(&on_screen));
                }
                lines::path_ui(cx.theme, &painter, on_screen, *is_closed, stroke);
            }
            Drawn::Text(text) => {
                let spot = TextSpot { doc: placed.doc.clone(), id: placed.id.clone(), field: field.full() };
                let is_shown = !text.trim().is_empty() && (is_selected || has_room);
                if cx.view.text.as_ref() == Some(&spot) {
                    is_edited = true;
                    let layer = placed.on.layer.name.clone();
                    let owner = Owner::Instance { doc: placed.doc.clone(), layer, id: placed.id.clone() };
                    text_top.y = editor_ui(cx, ui, clip, text_top, (&spot, &owner, field)).bottom() + 2.0;
                } else if is_shown {
                    painter.set_opacity(1.0);
                    let rect = text_ui(cx, &painter, text_top, text, is_selected);
                    painter.multiply_opacity(strength);
                    text_top.y = rect.bottom() + 2.0;
                    if !placed.on.look.locked && !is_over_handle(ui, placed, look, is_selected) {
                        clicks_ui(cx, ui, clip, rect, &spot);
                    }
                }
            }
        }
    }
    is_edited
}

/// Whether the pointer is over a handle of the entity, which is held before its text.
fn is_over_handle(ui: &Ui, placed: &Placed<'_>, look: &Look, is_selected: bool) -> bool {
    let Some(pointer) = ui.ctx().pointer_hover_pos().filter(|_| is_selected) else { return false };
    let extent = Extent { half: look.half, center: look.center };
    let px_per_point = f64::from(1.0 / placed.viewport.camera.scale);
    let handles = look.fields.iter().flat_map(|field| field_handles(field, extent, px_per_point));
    handles.into_iter().any(|(_, at)| placed.screen(at).distance(pointer) <= 2.0 * HANDLE)
}

/// Where there is room below some points.
fn below(points: &[Pos2]) -> f32 {
    points.iter().fold(f32::NEG_INFINITY, |low, at| low.max(at.y)) + 8.0
}

/// The lines of what belongs to the body look like colliders, those of paths and areas like paths.
fn color_of(cx: &Cx<'_>, field: &CanvasField) -> Color32 {
    if field.is_always_shown { cx.theme.path } else { cx.theme.collider }
}

/// The handles of the selected entity. The tool is fed by the canvas; here they get their names.
fn handles_ui(cx: &CanvasCx<'_>, ui: &mut Ui, painter: &Painter, placed: &Placed<'_>, look: &Look) {
    let extent = Extent { half: look.half, center: look.center };
    let px_per_point = f64::from(1.0 / placed.viewport.camera.scale);
    for field in &look.fields {
        let handles = field_handles(field, extent, px_per_point);
        let place_of = |wanted| handles.iter().find(|(grip, _)| *grip == wanted).map(|(_, at)| placed.screen(*at));
        let color = color_of(cx, field);
        // What continues a path hangs on its end.
        let last = handles.iter().rev().find_map(|(grip, _)| match grip {
            FieldGrip::Of(grip @ Grip::Point(_)) => Some(*grip),
            _ => None,
        });
        for (grip, end) in [(FieldGrip::Before, Some(Grip::Point(0))), (FieldGrip::After, last)] {
            if let Some((from, to)) = place_of(grip).zip(end.and_then(|end| place_of(FieldGrip::Of(end)))) {
                painter.extend(egui::Shape::dashed_line(&[to, from], Stroke::new(1.5, color), 3.0, 3.0));
            }
        }
        for (grip, at) in &handles {
            let at = placed.screen(*at);
            if !placed.viewport.view.contains(at) {
                continue;
            }
            let spot = cx.tool.ghost.spot.as_ref();
            let is_held = spot.is_some_and(|spot| spot.is_of(field) && spot.part == SpotPart::Grip(*grip));
            handle_ui(cx, painter, (at, *grip), is_held, color);
            let label = format!("{} in the level", handle_label(field, *grip));
            let area = Rect::from_center_size(at, Vec2::splat(2.0 * HANDLE));
            let response = ui.interact(area, ui.scope_id().with(("field handle", &label)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        }
    }
}

fn handle_ui(cx: &Cx<'_>, painter: &Painter, (at, grip): (Pos2, FieldGrip), is_held: bool, color: Color32) {
    let color = if is_held { cx.theme.accent } else { color };
    let fill = if is_held { cx.theme.accent } else { cx.theme.panel };
    let stroke = Stroke::new(1.5, color);
    match grip {
        FieldGrip::Of(grip) if grip != Grip::Center => {
            let rect = Rect::from_center_size(at, Vec2::splat(2.0 * HANDLE));
            painter.rect_filled(rect, 1.0, fill);
            lines::frame_ui(cx.theme, painter, rect, 1, stroke);
        }
        grip => {
            let radius = if matches!(grip, FieldGrip::Of(_)) { HANDLE } else { SMALL_HANDLE };
            painter.circle_filled(at, radius, fill);
            lines::circle_ui(cx.theme, painter, at, radius, stroke);
        }
    }
}

/// The layer, the entity and its look that are selected alone.
pub fn lone_look<'a>(cx: &Cx<'_>, doc: &DocPath, level: &'a Level) -> Option<(&'a Layer, &'a Name, std::rc::Rc<Look>)> {
    let [id] = cx.selection.ids_in(doc) else { return None };
    let (i, it) = level.entity(id)?;
    let layer = level.nth_layer(i)?;
    let (id, _) = layer.entities()?.get_key_value(id)?;
    Some((layer, id, cx.looks.get(cx.resolution, (doc, level), i, id, it)))
}
