//! A shape drawn over the sprite it belongs to, with handles to pull. One pull is one step of history.
//!
//! What a pull makes of a shape is `tools::shape_handles`; the field that its declaration names by `at` moves with it.

use egui::{
    Color32, CornerRadius, Id, Key, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::field::FieldView;
use crate::{
    edit::{Edit, Phase},
    editor::Action,
    model::{FieldType, Shape, Value},
    raster::{frame_rect, outlines},
    refactor::{FieldOf, edits_for_drag},
    sim::Appearance,
    tools::shape_handles::{Grip, Placed, edge_near, grips, pulled, snapped, with_corner, without_corner},
    ui::{
        Cx,
        theme::SMALL,
        widgets::{IconButton, Tip as _, in_rect},
    },
};

/// Height of the drawing, in points.
const HEIGHT: f32 = 168.0;

/// Half the side of a handle, in points.
const HANDLE: f32 = 4.0;

/// A pull as it began.
#[derive(Clone)]
struct Pull {
    /// The handle that is held.
    handle: Id,
    /// How the drawing was looked at: it does not move until the pull ends, else the shape would run from the pointer.
    sight: Sight,
    start: Placed,
    grip: Grip,
    from: [f64; 2],
    total: Vec2,
}

/// How the drawing is looked at.
#[derive(Clone, Copy)]
struct Sight {
    /// Where the entity's origin is on the screen.
    origin: egui::Pos2,
    /// Points a pixel.
    scale: f32,
}

#[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
impl Sight {
    fn screen(self, at: [f64; 2]) -> egui::Pos2 {
        self.origin + vec2(at[0] as f32, at[1] as f32) * self.scale
    }

    fn world(self, at: egui::Pos2) -> [f64; 2] {
        let d = (at - self.origin) / self.scale;
        [f64::from(d.x), f64::from(d.y)]
    }
}

/// Show the drawing of the first subject's shape; several are edited by numbers.
pub(super) fn canvas_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let Some(subject) = view.only() else { return };
    let Ok(shape) = Shape::from_value(&view.value.value) else { return };
    let component = subject.resolved.components.get(view.component);
    let beside = view.spec.at.as_ref().zip(component).and_then(|(at, it)| it.fields.get(at));
    let offset = beside.filter(|it| it.value.as_vec2().is_some());
    let placed = Placed { shape, offset: offset.and_then(|it| it.value.as_vec2()).unwrap_or_default() };
    let sprite = Appearance::of(cx.resolution, &subject.resolved, 0.0);
    let size = vec2(ui.available_width().clamp(80.0, 420.0), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, format!("{} over the sprite", view.full)));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::same(4), cx.theme.level_ground);
    let (owner, doc) = (subject.owner.name(), subject.owner.doc());
    let zoom_id = Id::unique(("shape zoom", &view.full, owner, doc.as_str()));
    let pull_id = zoom_id.with("pull");
    let zoom = ui.data(|data| data.get_temp::<f32>(zoom_id)).unwrap_or(1.0);
    let pull = ui.data(|data| data.get_temp::<Pull>(pull_id)).filter(|pull| ui.ctx().is_being_dragged(pull.handle));
    let sight = pull.map_or_else(|| sight(rect, &placed, sprite.as_ref(), zoom), |pull| pull.sight);
    sprite_ui(cx, &painter, sprite.as_ref(), sight);
    let axes = Stroke::new(1.0, cx.theme.line);
    painter.hline(rect.x_range(), sight.origin.y, axes);
    painter.vline(sight.origin.x, rect.y_range(), axes);
    let outline = outlines(&placed.shape, placed.offset).into_iter().map(|at| sight.screen(at)).collect();
    painter.add(egui::Shape::convex_polygon(
        outline,
        cx.theme.collider.gamma_multiply(0.18),
        Stroke::new(1.5, cx.theme.collider),
    ));
    let change = edge_ui(cx, ui, &painter, (&response, sight), &placed);
    let change = change.or_else(|| handles_ui(cx, ui, view, (rect, sight, pull_id), &placed, offset.is_some()));
    zoom_ui(cx, ui, rect, zoom_id, zoom);
    if let Some((start, after, phase)) = change {
        send(cx, view, (&start, &after), offset.is_some(), phase);
    }
    let hint = if matches!(placed.shape, Shape::Polygon(_)) {
        "Click an edge for a corner, right-click a corner to take it away; Alt for any place"
    } else {
        "Whole pixels; Alt for any place, Shift for both sides at once"
    };
    ui.label(cx.theme.caption(hint));
}

fn sight(rect: Rect, placed: &Placed, sprite: Option<&Appearance>, zoom: f32) -> Sight {
    let ([hw, hh], [cx, cy]) = placed.shape.bounds();
    let (mut lo, mut hi) = (
        [cx + placed.offset[0] - hw, cy + placed.offset[1] - hh],
        [cx + placed.offset[0] + hw, cy + placed.offset[1] + hh],
    );
    if let Some(sprite) = sprite {
        let [w, h] = sprite.frame_size.map(f64::from);
        let [px, py] = sprite.pivot;
        // The sprite alone decides while the shape is inside of it, so that a pull does not move the ground.
        lo = [lo[0].min(-px), lo[1].min(-py)];
        hi = [hi[0].max(w - px), hi[1].max(h - py)];
    }
    #[expect(clippy::cast_possible_truncation, reason = "some hundred pixels")]
    let (size, center) = (
        vec2((hi[0] - lo[0]) as f32, (hi[1] - lo[1]) as f32),
        vec2((lo[0] + hi[0]) as f32 / 2.0, (lo[1] + hi[1]) as f32 / 2.0),
    );
    let fit = ((rect.width() - 40.0) / size.x.max(1.0)).min((rect.height() - 32.0) / size.y.max(1.0));
    let fit = if fit >= 1.0 { fit.floor() } else { fit };
    let scale = (fit * zoom).clamp(0.05, 64.0);
    Sight { origin: rect.center() - center * scale, scale }
}

fn sprite_ui(cx: &Cx<'_>, painter: &egui::Painter, sprite: Option<&Appearance>, sight: Sight) {
    let drawn = sprite.and_then(|sprite| {
        let sheet = cx.derived.images().get(&*sprite.image)?;
        let part = frame_rect(sheet, sprite.frame_size, sprite.frame)?;
        let [w, h] = [part[2], part[3]].map(|px| px as f32);
        let left_top = sight.screen([-sprite.pivot[0], -sprite.pivot[1]]);
        let [r, g, b, a] = sprite.tint;
        let tint = Color32::from_rgba_unmultiplied(r, g, b, a);
        let at = Rect::from_min_size(left_top, vec2(w, h) * sight.scale);
        cx.textures.paint(painter, (cx.derived.images(), &sprite.image), part, (at, tint)).then_some(())
    });
    if drawn.is_none() {
        let at = sight.origin + vec2(0.0, 14.0);
        let font = egui::FontId::proportional(SMALL);
        painter.text(at, egui::Align2::CENTER_TOP, "no sprite", font, cx.theme.text_weak);
    }
}

/// Clicking an edge of a polygon adds a corner there.
fn edge_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    painter: &egui::Painter,
    (response, sight): (&Response, Sight),
    placed: &Placed,
) -> Option<(Placed, Placed, Phase)> {
    let at = response.hover_pos().or(response.interact_pointer_pos())?;
    let (edge, near) = edge_near(placed, sight.world(at), f64::from(7.0 / sight.scale))?;
    painter.circle_stroke(sight.screen(near), HANDLE, Stroke::new(1.0, cx.theme.collider));
    // The second click of a double click is meant for the corner that the first made.
    if !response.clicked() || response.double_clicked() {
        return None;
    }
    let near = if ui.input(|input| input.modifiers.alt) { near } else { snapped(near) };
    let on_grid = with_corner(placed, edge, near);
    on_grid
        .or_else(|| with_corner(placed, edge, edge_near(placed, sight.world(at), f64::MAX)?.1))
        .map(|(after, _)| (placed.clone(), after, Phase::Commit))
}

fn handles_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (rect, sight, pull_id): (Rect, Sight, Id),
    placed: &Placed,
    has_offset: bool,
) -> Option<(Placed, Placed, Phase)> {
    let mut out = None;
    for (grip, at) in grips(placed) {
        if grip == Grip::Center && !has_offset {
            continue;
        }
        let center = sight.screen(at);
        let area = Rect::from_center_size(center, Vec2::splat(HANDLE * 3.5)).intersect(rect);
        let response = ui.interact(area, ui.scope_id().with(("grip", grip.label())), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{} {}", view.full, grip.label())));
        let is_held = response.hovered() || response.dragged() || response.has_focus();
        paint_handle(cx, ui, rect, (center, grip), is_held);
        if response.drag_started() {
            let handle = response.id;
            let pull = Pull { handle, sight, start: placed.clone(), grip, from: at, total: Vec2::ZERO };
            ui.data_mut(|data| data.insert_temp(pull_id, pull));
        }
        if response.dragged() || response.drag_stopped() {
            // From where it was pressed: the first points of a way may still have been a click. Asked for before the
            // memory is locked.
            let total = response.total_drag_delta();
            let pull = ui.data_mut(|data| {
                let mut pull = data.get_temp::<Pull>(pull_id)?;
                pull.total = total.unwrap_or(pull.total);
                data.insert_temp(pull_id, pull.clone());
                Some(pull)
            });
            if let Some(pull) = pull.filter(|pull| pull.grip == grip) {
                let phase = if response.drag_stopped() { Phase::Commit } else { Phase::Preview };
                let after = result(ui, &pull, has_offset);
                out = Some((pull.start, after, phase));
            }
        }
        if let Grip::Point(corner) = grip {
            let wants = response.secondary_clicked()
                || response.has_focus() && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Delete));
            if wants && let Some(after) = without_corner(placed, corner) {
                out = Some((placed.clone(), after, Phase::Commit));
            }
            response.tip("Drag to move it; right-click to take it away");
        } else {
            response.tip(format!("Drag the {}", grip.label()));
        }
    }
    if out.as_ref().is_some_and(|(_, _, phase)| *phase == Phase::Commit) {
        ui.data_mut(|data| data.remove::<Pull>(pull_id));
    }
    out
}

fn paint_handle(cx: &Cx<'_>, ui: &Ui, clip: Rect, (at, grip): (egui::Pos2, Grip), is_held: bool) {
    let painter = ui.painter().with_clip_rect(clip);
    let fill = if is_held { cx.theme.accent } else { cx.theme.panel };
    let line = Stroke::new(1.5, if is_held { cx.theme.accent } else { cx.theme.collider });
    if grip == Grip::Center {
        painter.circle(at, HANDLE, fill, line);
    } else {
        painter.rect(Rect::from_center_size(at, Vec2::splat(HANDLE * 2.0)), 1.0, fill, line, StrokeKind::Middle);
    }
}

/// The result of dragging a handle: whole pixels unless Alt is held. Without an offset to move, both sides go at once.
fn result(ui: &Ui, pull: &Pull, has_offset: bool) -> Placed {
    let modifiers = ui.input(|input| input.modifiers);
    let by = pull.total / pull.sight.scale;
    let to = [pull.from[0] + f64::from(by.x), pull.from[1] + f64::from(by.y)];
    let to = if modifiers.alt { to } else { snapped(to) };
    pulled(&pull.start, pull.grip, to, modifiers.shift || !has_offset)
}

fn zoom_ui(cx: &Cx<'_>, ui: &mut Ui, rect: Rect, id: Id, zoom: f32) {
    let place =
        Rect::from_min_max(pos2(rect.right() - 60.0, rect.top() + 2.0), pos2(rect.right() - 2.0, rect.top() + 28.0));
    let hovered = ui.rect_contains_pointer(rect);
    let mut now = zoom * if hovered { ui.input(egui::InputState::zoom_delta) } else { 1.0 };
    in_rect(ui, place, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (icon, name, factor) in [
                (icons::ICON_ZOOM_OUT, "Zoom out of the shape", 0.8),
                (icons::ICON_ZOOM_IN, "Zoom into the shape", 1.25),
            ] {
                if IconButton::new(icon.codepoint, name).show(cx.theme, ui).tip(name).clicked() {
                    now *= factor;
                }
            }
        });
    });
    if (now - zoom).abs() > f32::EPSILON {
        ui.data_mut(|data| data.insert_temp(id, now.clamp(0.25, 16.0)));
    }
}

/// The shape, and the offset beside it when that moved, as one step.
fn send(cx: &Cx<'_>, view: &FieldView<'_>, (start, after): (&Placed, &Placed), has_offset: bool, phase: Phase) {
    let Some(subject) = view.only() else { return };
    let of = view.of(subject);
    let mut edits: Vec<Edit> = Vec::new();
    if after.shape != start.shape {
        edits.extend(edits_for_drag(cx.before, of, &after.shape.to_value()));
    }
    if let Some(beside) = view.spec.at.as_ref().filter(|_| has_offset && after.offset != start.offset) {
        let of = FieldOf { field: beside, ty: &FieldType::Vec2, ..of };
        edits.extend(edits_for_drag(cx.before, of, &Value::vec2(after.offset[0], after.offset[1])));
    }
    // A pull that is back where it began says nothing, and that has to be previewed too.
    cx.send(Action::Gesture { label: format!("Set {}", view.full), edits, phase });
}
