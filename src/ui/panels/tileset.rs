//! The Tileset pane: the picture of a tileset with what is solid of each tile, and what is done with the tiles that are
//! selected on it. The fields of a single tile are in the Inspector.

use std::{collections::HashSet, sync::Arc};

use egui::{
    Align, Color32, CornerRadius, Label, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::{
    inheritance::commands_ui,
    sheet::{Purpose, Sheet, Shown, sheet_ui, zoom_ui},
    tileset_terrain::{marked_terrain, terrain_marks_ui, terrain_menu_ui, terrain_ui},
};
use crate::{
    edit::{Phase, optional_number},
    editor::{Action, Command, Selection, about_tile},
    model::{DocPath, Document, MAX_CONVEYOR, Name, TileDef, TileShape, Tileset, counted, sentence},
    refactor::{ShapeTemplate, TileChange, TilesSummary, change_tiles},
    ui::{
        Cx,
        theme::{GRID, ROW, SMALL},
        widgets::{
            IconButton, Tip as _, at_right, command_button, empty_state, has_keyboard,
            number::{NumberSpec, drag_ui},
            value::{hinted_text_ui, pick_ui},
        },
    },
};

/// What the picture is called for screen readers.
const NAME: &str = "Tiles of the tileset";

/// Shapes are drawn on tiles at least this large, in points.
const SMALLEST: f32 = 8.0;
/// Room for how many tiles are selected, in points.
const COUNT: f32 = 96.0;

/// Show the Tileset pane.
pub fn tileset_pane_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(doc) = cx.view.sheet_shown(cx.selection, cx.project, &cx.resolution.tilesets) else {
        let how = "New tileset… in the menu Edit makes one of a PNG picture";
        empty_state(cx.theme, ui, icons::ICON_GRID_VIEW.codepoint, "The project has no tileset", how);
        return;
    };
    let Some(tileset) = cx.project.tileset(doc) else { return };
    bar_ui(cx, ui, doc, tileset);
    let ids = cx.selection.tiles_of(doc);
    // Also with nothing selected, so that the picture stays where it is when something is.
    ui.add_enabled_ui(!ids.is_empty(), |ui| tiles_ui(cx, ui, doc, ids));
    terrain_ui(cx, ui, (doc, tileset), ids);
    ui.separator();
    let Some(sheet) = Sheet::of(cx, ui, doc) else {
        let text = format!("{} cannot be read", tileset.image);
        empty_state(cx.theme, ui, icons::ICON_BROKEN_IMAGE.codepoint, "No picture", &text);
        return;
    };
    let selected = cx.derived.memos().get_current(
        "tiles selected on the sheet",
        |(of, _): &(Selection, HashSet<u32>)| of == cx.selection,
        |_| (cx.selection.clone(), ids.iter().copied().collect()),
    );
    let terrain = marked_terrain(cx, tileset);
    let over = |shown: &Shown<'_>| {
        let has_shapes = cx.view.overlays.tile_shapes && shown.rect_of([0, 0]).size().min_elem() >= SMALLEST;
        for (cell, id, tile) in shown.visible() {
            let rect = shown.rect_of(cell);
            if rect.width().min(rect.height()) >= SMALLEST {
                let grid = Stroke::new(1.0, cx.theme.grid[1].gamma_multiply(0.6));
                shown.painter.rect_stroke(rect, CornerRadius::ZERO, grid, StrokeKind::Middle);
            }
            if has_shapes {
                solid_ui(cx, &shown.painter, rect, (tile, tileset.tile_size));
            }
            if selected.1.contains(&id) {
                shown.painter.rect_filled(rect, CornerRadius::ZERO, cx.theme.accent.gamma_multiply(0.2));
                if let Some((set, label)) = terrain.as_ref().filter(|_| rect.width().min(rect.height()) >= SMALLEST) {
                    terrain_marks_ui(cx, shown, (set, label), (id, rect));
                }
                shown.frame(cx, cell, cx.theme.accent);
            }
        }
    };
    let menu = |ui: &mut Ui| {
        terrain_menu_ui(cx, ui, (doc, tileset), ids);
        commands_ui(cx, ui, &[Command::SelectAll, Command::Delete]);
    };
    let picked = sheet_ui(cx, ui, NAME, &sheet, over, |id, tile| about_tile(tileset, id, tile), menu);
    if let Some(picked) = picked {
        let found = sheet.by_cell().between(picked.lo, picked.hi);
        // What is done by the menu is done with all that are selected.
        if picked.purpose == Purpose::Menu && found.iter().any(|id| selected.1.contains(id)) {
            return;
        }
        let selection = cx.selection.with_tiles(doc, &found, picked.is_adding, picked.is_click);
        cx.send(Action::Select(selection));
    }
}

/// Which tileset it is, how many tiles it has, and how the picture is shown.
fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, tileset: &Tileset) {
    ui.horizontal(|ui| {
        if let Some(name) = pick_ui(cx, ui, "Tileset shown", doc.stem(), cx.resolution.tilesets.keys())
            && let Some(other) = cx.resolution.tilesets.get(&name)
        {
            cx.send(Action::Select(Selection::Document(other.clone())));
        }
        ui.label(cx.theme.caption(counted(tileset.tiles.len(), "tile")));
        at_right(ui, |ui| {
            zoom_ui(cx, ui, NAME);
            command_button(cx, ui, Command::ToggleTileShapes);
            command_button(cx, ui, Command::AddTiles);
        });
    });
}

/// What is common to the selected tiles, to be changed of all of them at once.
fn tiles_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, ids: &[u32]) {
    let Some(document) = cx.project.doc(doc) else { return };
    let Some(tileset) = cx.project.tileset(doc) else { return };
    let summary = cx.derived.memos().get_current(
        "summary of tiles",
        |(of, all, _): &(Arc<Document>, Vec<u32>, TilesSummary)| Arc::ptr_eq(of, document) && all == ids,
        |_| (document.clone(), ids.to_vec(), TilesSummary::of(tileset, ids)),
    );
    let summary = &summary.2;
    let send = |change: &TileChange, phase: Phase| {
        // The edits of a drag are made for what was there before it.
        let Some(before) = cx.before.tileset(doc) else { return };
        match change_tiles((doc, before), ids, change) {
            Ok(plan) => cx.send(Action::Gesture { label: plan.label, edits: plan.edits, phase }),
            Err(why) => cx.send(Action::Notice(sentence(&why.to_string()))),
        }
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GRID, GRID);
        // As wide for any number, or the buttons beside it would move away under the pointer.
        let text = match summary.n {
            0 => cx.theme.caption("No tile selected"),
            n => RichText::new(counted(n, "tile")).strong(),
        };
        ui.add_sized(vec2(COUNT, ROW), Label::new(text).halign(Align::Min));
        for template in ShapeTemplate::ALL {
            if template_ui(cx, ui, template, summary.shape == Some(Some(template))) {
                send(&TileChange::Shape(template), Phase::Commit);
            }
        }
        let mut toggle = |icon: &str, name: &str, tip: &str, value: Option<bool>, change: fn(bool) -> TileChange| {
            let is_on = value == Some(true);
            if IconButton::new(icon, name).selected(is_on).show(cx.theme, ui).tip(tip).clicked() {
                send(&change(!is_on), Phase::Commit);
            }
        };
        let down = icons::ICON_VERTICAL_ALIGN_BOTTOM.codepoint;
        toggle(down, "One-way", "Solid only from above", summary.one_way, TileChange::OneWay);
        let steps = icons::ICON_TOOLS_LADDER.codepoint;
        toggle(steps, "Ladder", "Ladder: climbed by walkers with Climb", summary.ladder, TileChange::Ladder);
        let waves = icons::ICON_WAVES.codepoint;
        toggle(waves, "Water", "Water: swum in by walkers with Swim", summary.water, TileChange::Water);
        let differ =
            [summary.shape.is_none(), summary.one_way.is_none(), summary.ladder.is_none(), summary.water.is_none()];
        if summary.n > 0 && differ.contains(&true) {
            mixed_ui(cx, ui, "The selected tiles differ in what is solid, a ladder or water");
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GRID, GRID);
        ui.label(cx.theme.caption("Belt"));
        belt_ui(cx, ui, summary, &send);
        ui.add_space(2.0 * GRID);
        ui.label(cx.theme.caption("Cost"));
        costs_ui(cx, ui, summary, &send);
        ui.add_space(2.0 * GRID);
        ui.label(cx.theme.caption("Tags"));
        tags_ui(cx, ui, summary, &send);
    });
}

fn mixed_ui(cx: &Cx<'_>, ui: &mut Ui, tip: &str) {
    ui.label(egui::RichText::new("mixed").size(SMALL).color(cx.theme.warning)).tip(tip);
}

/// How fast they carry what stands on them.
fn belt_ui(cx: &Cx<'_>, ui: &mut Ui, summary: &TilesSummary, send: &dyn Fn(&TileChange, Phase)) {
    const TIP: &str = "What stands on it is carried to the right at this speed in px/s; to the left below zero";
    let most = Some(MAX_CONVEYOR);
    let spec = NumberSpec { min: most.map(|most| -most), max: most, step: Some(5.0), ..NumberSpec::default() };
    if let Some(speed) = summary.conveyor {
        let (response, change) = drag_ui(ui, "Belt speed", speed, &spec);
        response.tip(TIP);
        if let Some(change) = change {
            let (speed, phase) = change.into_parts();
            send(&TileChange::Conveyor(speed), phase);
        }
    } else if let Some(change) = hinted_text_ui(ui, "Belt speed", "", (if summary.n > 0 { "mixed" } else { "0" }, 56.0))
    {
        match optional_number(&change.into_parts().0) {
            Ok(Some(speed)) => send(&TileChange::Conveyor(speed), Phase::Commit),
            Ok(None) => {}
            Err(why) => cx.send(Action::Notice(sentence(&why.to_string()))),
        }
    }
}

/// What a step costs each kind of agent.
fn costs_ui(cx: &Cx<'_>, ui: &mut Ui, summary: &TilesSummary, send: &dyn Fn(&TileChange, Phase)) {
    let spec = NumberSpec { min: Some(0.0), step: Some(0.5), ..NumberSpec::default() };
    for (agent, cost) in &summary.cost {
        ui.label(&**agent);
        let name = format!("Cost for {agent}");
        if let Some(cost) = cost {
            if let Some(change) = drag_ui(ui, &name, *cost, &spec).1 {
                let (cost, phase) = change.into_parts();
                send(&TileChange::Cost(agent.clone(), Some(cost)), phase);
            }
        } else if let Some(change) = hinted_text_ui(ui, &name, "", ("mixed", 56.0)) {
            match optional_number(&change.into_parts().0) {
                Ok(Some(cost)) => send(&TileChange::Cost(agent.clone(), Some(cost)), Phase::Commit),
                Ok(None) => {}
                Err(why) => cx.send(Action::Notice(sentence(&why.to_string()))),
            }
        }
        let name = format!("Remove cost for {agent}");
        let button = IconButton::new(icons::ICON_CLOSE.codepoint, &name).quiet();
        if button.show(cx.theme, ui).tip("A step costs as much as on plain ground").clicked() {
            send(&TileChange::Cost(agent.clone(), None), Phase::Commit);
        }
    }
    let hint = if summary.cost.contains_key("walk") { "for…" } else { "for walk…" };
    if let Some(change) = hinted_text_ui(ui, "Add cost for", "", (hint, 72.0)) {
        let agent: Name = change.into_parts().0.trim().into();
        send(&TileChange::Cost(agent, Some(2.0)), Phase::Commit);
    }
}

/// The tags, with those that only some have.
fn tags_ui(cx: &Cx<'_>, ui: &mut Ui, summary: &TilesSummary, send: &dyn Fn(&TileChange, Phase)) {
    for (tag, n) in &summary.tags {
        if *n == summary.n {
            ui.label(tag);
        } else {
            let text = format!("{tag} ({n} of {})", summary.n);
            let button = egui::Button::new(egui::RichText::new(text).color(cx.theme.warning)).small();
            if ui.add(button).tip("Give it to all that are selected").clicked() {
                send(&TileChange::AddTag(tag.clone()), Phase::Commit);
            }
        }
        let name = format!("Remove tag {tag}");
        if IconButton::new(icons::ICON_CLOSE.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            send(&TileChange::RemoveTag(tag.clone()), Phase::Commit);
        }
    }
    if let Some(change) = hinted_text_ui(ui, "Add tag", "", ("add…", 72.0)) {
        send(&TileChange::AddTag(change.into_parts().0.trim().to_owned()), Phase::Commit);
    }
}

/// A button with the picture of a shape.
fn template_ui(cx: &Cx<'_>, ui: &mut Ui, template: ShapeTemplate, is_on: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ROW, ROW), Sense::click());
    let name = format!("Shape: {}", template.title());
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_on, &name));
    let ground = match (is_on, response.hovered()) {
        (true, _) => cx.theme.accent_ground,
        (_, true) => cx.theme.widget_hover,
        _ => cx.theme.widget,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(4), ground);
    if has_keyboard(&response) {
        let line = Stroke::new(1.0, cx.theme.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(4), line, StrokeKind::Inside);
    }
    let color = if is_on { cx.theme.accent } else { cx.theme.text_weak };
    let room = rect.shrink(5.0);
    let edge = if is_on { cx.theme.text_strong } else { cx.theme.line };
    ui.painter().rect_stroke(room, 0.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    let shape = template.shape([1, 1]);
    ui.painter().extend(shape_of(&shape, room, [1.0, 1.0], color, Stroke::NONE));
    response.tip(sentence(template.title())).clicked()
}

/// A tile's shape in the rectangle of its cell.
fn shape_of(shape: &TileShape, rect: Rect, size: [f64; 2], fill: Color32, line: Stroke) -> Option<Shape> {
    match shape {
        TileShape::None => None,
        TileShape::Full => {
            Some(egui::epaint::RectShape::new(rect, CornerRadius::ZERO, fill, line, StrokeKind::Inside).into())
        }
        TileShape::Polygon(points) => {
            let at = |[x, y]: &[f64; 2]| {
                let part = vec2((*x / size[0]) as f32, (*y / size[1]) as f32);
                pos2(rect.left() + part.x * rect.width(), rect.top() + part.y * rect.height())
            };
            Some(Shape::convex_polygon(points.iter().map(at).collect(), fill, line))
        }
    }
}

/// What is solid of a tile, over its picture. One-way tiles are solid at their top alone.
fn solid_ui(cx: &Cx<'_>, painter: &egui::Painter, rect: Rect, (tile, size): (&TileDef, [u32; 2])) {
    let color = cx.theme.collider;
    let fill = color.gamma_multiply(if tile.one_way { 0.06 } else { 0.16 });
    let line = Stroke::new(1.0, color.gamma_multiply(if tile.one_way { 0.4 } else { 0.9 }));
    let rect = rect.shrink(0.5);
    let Some(shape) = shape_of(&tile.shape, rect, size.map(|side| f64::from(side.max(1))), fill, line) else { return };
    let top = shape.visual_bounding_rect().top() + 1.0;
    painter.add(shape);
    if tile.one_way {
        painter.hline(rect.x_range(), top, Stroke::new(2.0, color));
        let (c, r) = (pos2(rect.center().x, top + 2.0), (rect.width() * 0.18).min(5.0));
        let arrow = [c + vec2(-r, 0.0), c + vec2(r, 0.0), c + vec2(0.0, r)];
        painter.add(Shape::convex_polygon(arrow.to_vec(), color, Stroke::NONE));
    }
}
