//! The fields of placed entities that the canvas shows (shapes, paths, areas, texts), and the handles of one that is selected alone.
//!
//! What they are is `explain::canvas_fields`; where handles are and what dragging them does is `tools`.

use std::collections::HashSet;

use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    vec2,
};

use super::{camera::pos, lines, looks::Look, overlay::box_rect, paint::Viewport};
use crate::{
    editor::LayerSeen,
    explain::{CanvasField, Drawn},
    model::{DocPath, Instance, Layer, Level, Name, shortened},
    raster::outlines,
    tools::{Extent, FieldGrip, SpotPart, ToolKind, field_handles, handle_label, shape_handles::Grip, turned},
    ui::{CanvasCx, Cx, theme::SMALL},
};

/// Of so many entities that are not selected the fields are drawn, at most.
const MOST: usize = 300;
/// No line is drawn through more points than these.
const MOST_POINTS: usize = 4096;
/// A text is cut off after so many characters.
const MOST_TEXT: usize = 600;
/// Texts are as wide as this at most, in points.
const TEXT_WIDTH: f32 = 240.0;
/// Below this zoom they are shown at what is selected only.
const LEAST_TEXT_SCALE: f32 = 0.75;
/// Half the side of a handle, in points; of one that adds a point.
const HANDLE: f32 = 4.0;
const SMALL_HANDLE: f32 = 3.0;
/// What is left of the lines of what is not selected.
const FAINT: f32 = 0.5;

/// A placed entity, and how its fields are put on the screen.
struct Placed<'a> {
    viewport: Viewport,
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
    let selected = cx.selection.ids_in(doc);
    if cx.view.overlays.fields {
        let skipped: HashSet<&Name> = selected.iter().collect();
        let mut left = MOST;
        'drawn: for on in shown {
            let viewport = viewport.for_things_of(&on.look);
            let in_sight = viewport.entities_in_sight(on.layer, 256.0);
            for (id, it) in in_sight.filter(|(id, _)| !skipped.contains(id)) {
                if left == 0 {
                    break 'drawn;
                }
                let look = cx.looks.get(cx.resolution, (doc, level), on.number, id, it);
                if look.fields.iter().any(|field| field.is_always_shown) {
                    left -= 1;
                    entity_ui(cx, painter, &Placed { viewport, it }, &look, false);
                }
            }
        }
    }
    for on in shown {
        let viewport = viewport.for_things_of(&on.look);
        let Some(entities) = on.layer.entities() else { continue };
        for (id, it) in selected.iter().take(MOST).filter_map(|id| entities.get_key_value(id)) {
            let look = cx.looks.get(cx.resolution, (doc, level), on.number, id, it);
            let placed = Placed { viewport, it };
            entity_ui(cx, painter, &placed, &look, true);
            if selected.len() == 1 && cx.view.tool == ToolKind::Select && !on.look.locked {
                handles_ui(cx, ui, painter, &placed, &look);
            }
        }
    }
}

fn entity_ui(cx: &Cx<'_>, painter: &Painter, placed: &Placed<'_>, look: &Look, is_selected: bool) {
    let strength = if is_selected { 1.0 } else { FAINT };
    // Seen from far away texts would hide the level.
    let has_room = placed.viewport.camera.scale >= LEAST_TEXT_SCALE;
    let mut painter = painter.clone();
    painter.multiply_opacity(strength);
    let body = box_rect(&placed.viewport, pos(placed.it.at), look.half, look.center);
    let mut text_top = body.center_bottom() + vec2(0.0, 6.0);
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
            Drawn::Text(text) if !text.trim().is_empty() && (is_selected || has_room) => {
                painter.set_opacity(1.0);
                text_top.y = text_ui(cx, &painter, text_top, text, is_selected).bottom() + 2.0;
                painter.multiply_opacity(strength);
            }
            Drawn::Text(_) => {}
        }
    }
}

/// Where there is room below some points.
fn below(points: &[Pos2]) -> f32 {
    points.iter().fold(f32::NEG_INFINITY, |low, at| low.max(at.y)) + 8.0
}

/// The lines of what belongs to the body look like colliders, those of paths and areas like paths.
fn color_of(cx: &Cx<'_>, field: &CanvasField) -> Color32 {
    if field.is_always_shown { cx.theme.path } else { cx.theme.collider }
}

/// Text of several lines on a ground of its own, its top center at a point; as large at every zoom.
fn text_ui(cx: &Cx<'_>, painter: &Painter, top: Pos2, text: &str, is_selected: bool) -> Rect {
    let color = if is_selected { cx.theme.text_strong } else { cx.theme.text };
    let text = shortened(text, MOST_TEXT);
    let galley = painter.layout(text, FontId::proportional(SMALL), color, TEXT_WIDTH);
    let rect = Align2::CENTER_TOP.anchor_size(top, galley.size() + vec2(8.0, 4.0));
    if rect.intersects(painter.clip_rect()) {
        painter.rect_filled(rect, CornerRadius::same(3), cx.theme.panel.gamma_multiply(0.9));
        painter.rect_stroke(rect, CornerRadius::same(3), Stroke::new(1.0, cx.theme.line), StrokeKind::Inside);
        painter.galley(rect.min + vec2(4.0, 2.0), galley, color);
    }
    rect
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
            let is_held = spot.is_some_and(|spot| {
                spot.component == field.component && spot.field == field.field && spot.part == SpotPart::Grip(*grip)
            });
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
