//! Arrows from entities to those that their fields refer to, and the handle that draws a new one.

use std::{collections::HashSet, rc::Rc};

use egui::{
    Color32, Id, Painter, Popup, PopupKind, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2,
};
use egui_material_icons::icons;

use super::{
    camera::pos,
    lines,
    looks::Look,
    nearby::entities_in_sight,
    overlay::{box_rect, label_ui},
    paint::Viewport,
};
use crate::{
    edit::{Edit, Owner},
    editor::{Action, LayerSeen, RefSpot, Selection},
    explain::{EntityRefField, entities_meant, entity_refs},
    model::{DocPath, Instance, LayerLook, Level, Location, Name, sentence},
    refactor::{is_own_ref, refer_to},
    tools::ToolKind,
    ui::{
        CanvasCx, Cx,
        widgets::{Tip as _, icon_font},
    },
};

/// Half the size of the handle, in points.
const HANDLE: f32 = 8.0;
/// Of so many entities the arrows are drawn, at most.
const MOST: usize = 300;

/// A field, and the ids of the entities it refers to.
type Referred = (EntityRefField, Vec<Name>);

/// What a placed entity's fields refer to; computed anew when something is derived anew.
pub fn references_of(cx: &Cx<'_>, doc: &DocPath, level: &Level, id: &Name) -> Rc<Vec<Referred>> {
    cx.derived.memos().get(("entity references", doc, id), || {
        let resolved = level
            .entity(id)
            .and_then(|(at, it)| cx.looks.get(cx.resolution, (doc, level), at, id, it).resolved.clone());
        let fields = resolved.map(|it| entity_refs(cx.resolution, &it)).unwrap_or_default();
        let with_ids = |field: EntityRefField| {
            let meant = |target: &String| entities_meant(cx.resolution, level, &field, target);
            let mut ids: Vec<Name> = field.targets.iter().flat_map(meant).filter(|to| to != id).collect();
            ids.dedup();
            (field, ids)
        };
        fields.into_iter().map(with_ids).collect()
    })
}

/// Draw the arrows of the selected entities, or of all in sight, and the handle of one that is selected alone.
pub fn references_ui(
    cx: &CanvasCx<'_>,
    ui: &mut Ui,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    shown: &[LayerSeen<'_>],
) {
    let selected = cx.selection.ids_in(doc);
    let on = &On::new(viewport, doc, level);
    if cx.view.overlays.references {
        let skipped: HashSet<&Name> = selected.iter().collect();
        let in_sight =
            shown.iter().flat_map(|of| entities_in_sight(cx, &viewport.for_layer(&of.look), (doc, level), of));
        for (id, _) in in_sight.filter(|(id, _)| !skipped.contains(id)).take(MOST) {
            arrows_ui(cx, painter, on, id, false);
        }
    }
    for id in selected.iter().take(MOST) {
        arrows_ui(cx, painter, on, id, true);
    }
    if let ([id], ToolKind::Select) = (selected, cx.view.tool) {
        handle_ui(cx, ui, painter, (on, shown), id);
    }
}

/// A level on the screen.
struct On<'a> {
    viewport: &'a Viewport,
    doc: &'a DocPath,
    level: &'a Level,
    /// By layer, also of those that are not shown.
    looks: Vec<LayerLook>,
}

impl<'a> On<'a> {
    fn new(viewport: &'a Viewport, doc: &'a DocPath, level: &'a Level) -> Self {
        Self { viewport, doc, level, looks: level.looks().into_iter().map(|(_, look)| look).collect() }
    }
}

/// Where an entity is on the screen.
fn place(cx: &Cx<'_>, on: &On<'_>, id: &Name) -> Option<Rect> {
    let (layer, it) = on.level.entity(id)?;
    let look: Rc<Look> = cx.looks.get(cx.resolution, (on.doc, on.level), layer, id, it);
    let viewport = on.viewport.for_layer(on.looks.get(layer)?);
    Some(box_rect(&viewport, pos(it.at), look.half, look.center))
}

fn arrows_ui(cx: &Cx<'_>, painter: &Painter, on: &On<'_>, id: &Name, is_selected: bool) {
    let references = references_of(cx, on.doc, on.level, id);
    if references.iter().all(|(_, ids)| ids.is_empty()) {
        return;
    }
    let Some(from) = place(cx, on, id) else { return };
    let color = if is_selected { cx.theme.instance } else { cx.theme.instance.gamma_multiply(0.6) };
    for (field, ids) in references.iter() {
        for to in ids {
            let Some(to) = place(cx, on, to) else { continue };
            let ends = [edge(from, to.center()), edge(to, from.center())];
            if !Rect::from_two_pos(ends[0], ends[1]).intersects(on.viewport.view) {
                continue;
            }
            arrow_ui(cx, painter, ends, color);
            if is_selected && ids.len() == 1 {
                label_ui(cx, painter, ends[0] + (ends[1] - ends[0]) * 0.5, &field.full(), cx.theme.text);
            }
        }
    }
}

/// How near to an arrow a click means it, in points.
const NEAR: f32 = 5.0;

/// The arrow at a point of the screen where no entity is: whose it is, and which.
pub fn arrow_at(
    cx: &Cx<'_>,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    at: Pos2,
) -> Option<(Name, RefSpot)> {
    let mut shown = cx.view.layers_seen(doc, level);
    shown.retain(|it| it.is_shown);
    let on = &On::new(viewport, doc, level);
    if entity_at(cx, on, &shown, at).is_some() {
        return None;
    }
    let selected = cx.selection.ids_in(doc).iter().take(MOST);
    let all = shown.iter().filter(|_| cx.view.overlays.references);
    let all = all.flat_map(|of| entities_in_sight(cx, &viewport.for_layer(&of.look), (doc, level), of));
    let all = all.map(|(id, _)| id);
    selected.chain(all.take(MOST)).find_map(|id| {
        let references = references_of(cx, doc, level, id);
        let from = references.iter().any(|(_, ids)| !ids.is_empty()).then(|| place(cx, on, id)).flatten()?;
        references.iter().find_map(|(field, ids)| {
            let is_near = |to: &&Name| {
                place(cx, on, to).is_some_and(|to| {
                    let ends = [edge(from, to.center()), edge(to, from.center())];
                    lines::distance(at, ends) <= NEAR
                })
            };
            let to = ids.iter().find(is_near)?.clone();
            Some((id.clone(), RefSpot { field: [field.component.clone(), field.field.clone()], to }))
        })
    })
}

/// What the fields of an entity refer to, or one of them does: to go there, and to drop what it declares itself.
pub fn reference_items_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (doc, level): (&DocPath, &Level),
    (id, spot): (&Name, Option<&RefSpot>),
) {
    let references = references_of(cx, doc, level, id);
    let Some((layer, _)) = level.entity(id) else { return };
    let is_locked = level.lock_on(layer).is_some();
    let Some(layer) = level.nth_layer(layer) else { return };
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    for (field, ids) in references.iter() {
        let full = field.full();
        if spot.is_some_and(|spot| spot.field != [field.component.clone(), field.field.clone()]) {
            continue;
        }
        if field.targets.is_empty() {
            ui.add_enabled(false, egui::Button::new(format!("{full} refers to nothing")));
            continue;
        }
        let (to, ids) = match spot {
            Some(spot) => (spot.to.to_string(), vec![spot.to.clone()]),
            None => (field.targets.join(", "), ids.clone()),
        };
        let go = ui.add_enabled(!ids.is_empty(), egui::Button::new(format!("Go to {to} ({full})")));
        if go.clicked() {
            // One may be out of sight.
            let place =
                if let [id] = &*ids { level.entity(id).map(|(layer, _)| level.entity_at(layer, id)) } else { None };
            cx.send(match place {
                Some(place) => Action::GoTo(Location::new(doc.clone(), place)),
                None => Action::Select(Selection::Things { doc: doc.clone(), ids }),
            });
            ui.close();
        }
        let why = if is_locked { "Its layer is locked" } else { "Its definition says so; the Inspector overrides it" };
        let is_own = is_own_ref(cx.project, &owner, field) && !is_locked;
        let clear = ui.add_enabled(is_own, egui::Button::new(format!("Clear reference {full}")));
        if clear.on_disabled_hover_text(why).clicked() {
            cx.send(Action::Edit(Edit::clear(owner.clone(), &field.component, &field.field)));
            ui.close();
        }
    }
}

/// Where the way from a box's center to a place leaves the box.
fn edge(of: Rect, to: Pos2) -> Pos2 {
    let way = to - of.center();
    let half = of.size() / 2.0;
    let share = (half.x / way.x.abs().max(1e-3)).min(half.y / way.y.abs().max(1e-3)).min(1.0);
    of.center() + way * share
}

fn arrow_ui(cx: &Cx<'_>, painter: &Painter, [a, b]: [Pos2; 2], color: Color32) {
    lines::line_ui(cx.theme, painter, [a, b], Stroke::new(1.5, color));
    let along = (b - a).normalized();
    let side = along.rot90() * 4.5;
    let points = vec![b, b - along * 9.0 + side, b - along * 9.0 - side];
    painter.add(Shape::convex_polygon(points, color, Stroke::new(1.0, cx.theme.halo)));
}

/// The handle beside an entity whose fields can refer to others: dragged to another one, it sets a field.
fn handle_ui(cx: &CanvasCx<'_>, ui: &mut Ui, painter: &Painter, (on, shown): (&On<'_>, &[LayerSeen<'_>]), id: &Name) {
    let (doc, level) = (on.doc, on.level);
    let references = references_of(cx, doc, level, id);
    let Some((layer, _)) = level.entity(id).filter(|_| !references.is_empty()) else { return };
    let Some(layer) = level.nth_layer(layer).filter(|_| level.lock_on(layer).is_none()) else { return };
    let Some(from) = place(cx, on, id) else { return };
    let center = from.right_center() + vec2(HANDLE + 6.0, 0.0);
    let handle_id = Id::unique(("reference handle", doc.as_str(), id));
    let area = Rect::from_center_size(center, Vec2::splat(2.0 * HANDLE));
    let response = ui.interact(area, handle_id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Link {id} to another entity")));
    let color = if response.hovered() || response.dragged() { cx.theme.accent } else { cx.theme.instance };
    painter.circle_filled(center, HANDLE, cx.theme.panel);
    lines::circle_ui(cx.theme, painter, center, HANDLE, Stroke::new(1.5, color));
    let icon = icons::ICON_ARROW_RIGHT_ALT.codepoint;
    painter.text(center, egui::Align2::CENTER_CENTER, icon, icon_font(12.0), color);
    let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
    let pointer = ui.ctx().pointer_interact_pos();
    let chosen_id = handle_id.with("chosen");
    let mut opens = None;
    if let (true, Some(at)) = (response.dragged() || response.drag_stopped(), pointer) {
        let to = entity_at(cx, on, shown, at);
        if response.dragged() {
            arrow_ui(cx, painter, [center, at], cx.theme.accent);
            if let Some(rect) = to.as_ref().and_then(|to| place(cx, on, to)) {
                lines::frame_ui(cx.theme, painter, rect.expand(2.0), 2, Stroke::new(1.5, cx.theme.accent));
            }
        } else {
            match (to, references.as_slice()) {
                (None, _) => cx.send(Action::Notice("Let go over another entity to refer to it".to_owned())),
                (Some(to), [(field, _)]) => send(cx, &owner, field, &to),
                (Some(to), _) => {
                    ui.data_mut(|data| data.insert_temp(chosen_id, (to, at)));
                    opens = Some(egui::SetOpenCommand::Bool(true));
                }
            }
        }
    }
    if let Some((to, at)) = ui.data(|data| data.get_temp::<(Name, Pos2)>(chosen_id)) {
        let popup = Popup::new(handle_id.with("fields"), ui.ctx().clone(), at, ui.layer_id()).kind(PopupKind::Menu);
        popup.open_memory(opens).show(|ui| {
            ui.label(cx.theme.caption(format!("Refer to {to} by")));
            for (field, _) in references.iter() {
                if ui.button(field.full()).clicked() {
                    send(cx, &owner, field, &to);
                    ui.close();
                }
            }
        });
    }
    response.context_menu(|ui| reference_items_ui(cx, ui, (doc, level), (id, None)));
    response.tip("Drag to another entity to refer to it; right click to go there or clear it");
}

fn send(cx: &Cx<'_>, owner: &Owner, field: &EntityRefField, to: &Name) {
    cx.send(match refer_to(cx.project, owner, field, to) {
        Ok(edit) => Action::Edit(edit),
        Err(why) => Action::Notice(sentence(&why.to_string())),
    });
}

/// The frontmost entity at a point of the screen.
fn entity_at(cx: &Cx<'_>, on: &On<'_>, shown: &[LayerSeen<'_>], at: Pos2) -> Option<Name> {
    shown.iter().rev().find_map(|of| {
        let viewport = on.viewport.for_layer(&of.look);
        let in_sight = entities_in_sight(cx, &viewport, (on.doc, on.level), of).rev();
        let is_at = |(id, it): &(&Name, &std::sync::Arc<Instance>)| {
            let look = cx.looks.get(cx.resolution, (on.doc, on.level), of.number, id, it);
            box_rect(&viewport, pos(it.at), look.half, look.center).expand(2.0).contains(at)
        };
        in_sight.into_iter().find(is_at).map(|(id, _)| id.clone())
    })
}
