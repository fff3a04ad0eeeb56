//! The Palette pane: tiles of the active layer's tileset to paint with, its terrains, named values, and definitions to place.

use std::sync::Arc;

use egui::{Color32, CornerRadius, Id, Pos2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use egui_material_icons::icons;

use crate::ui::widgets::Tip as _;
use crate::{
    defs::Resolved,
    edit::{Edit, Stamp},
    editor::{Action, ViewChange},
    model::{DocPath, LayerContent, Level, Name, Tile, TileDef, Tileset, ValueLayer, counted},
    raster::frame_rect,
    tools::ToolKind,
    ui::{
        Cx,
        theme::{GRID, ROW, SMALL},
        widgets::{
            IconButton, at_right, empty_state, icon_font, matches, search_field, section, tip_beside,
            value::{color_button_ui, text_ui},
        },
    },
};

/// Side of a definition's card, in points.
const CARD: f32 = 64.0;

/// Show the Palette pane.
pub fn palette_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some((_, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_PALETTE.codepoint, "Open a level in the Project pane");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    let layer = cx.active_layer().and_then(|i| level.layers.get(i));
    match layer.map(|layer| &layer.content) {
        Some(LayerContent::Tiles(tiles)) if cx.view.tool != ToolKind::Entity => tiles_ui(cx, ui, &tiles.tileset),
        Some(LayerContent::Values(values)) if cx.view.tool != ToolKind::Entity => {
            if let (Some((doc, _)), Some(layer)) = (cx.level(), layer) {
                values_ui(cx, ui, doc, &layer.name, values);
            }
        }
        Some(LayerContent::Waypoints(_)) if cx.view.tool != ToolKind::Entity => {
            let icon = icons::ICON_CONVERSION_PATH.codepoint;
            empty_state(cx.theme, ui, icon, "A waypoint layer", "Press W and click in the level to place waypoints");
        }
        _ => definitions_ui(cx, ui),
    }
}

/// The path of a tileset's image from the project's root.
#[must_use]
pub fn image_of(cx: &Cx<'_>, tileset: &Name) -> Option<(String, Arc<crate::model::Document>)> {
    let path = cx.resolution.tilesets.get(tileset)?;
    let doc = cx.project.doc(path)?.clone();
    let image = path.beside(&cx.project.tileset(path)?.image)?;
    Some((image.to_string(), doc))
}

fn tiles_ui(cx: &Cx<'_>, ui: &mut Ui, name: &Name) {
    let found = cx.resolution.tilesets.get(name).and_then(|path| cx.project.tileset(path));
    let image = image_of(cx, name).map(|(image, _)| image);
    let (Some(tileset), Some(image)) = (found, image) else {
        let icon = icons::ICON_GRID_VIEW.codepoint;
        empty_state(
            cx.theme,
            ui,
            icon,
            &format!("There is no tileset {name}"),
            "Choose another in the layer's properties",
        );
        return;
    };
    let query = search_field(cx.theme, ui, Id::unique("tile search"), "Search tiles by name or tag");
    if !tileset.terrains.is_empty() {
        terrains_ui(cx, ui, tileset);
    }
    let fits = |id: u32, text: &str| query.is_empty() || matches(&query, &format!("{id} {text}"));
    let shown: Vec<u32> = tileset
        .tiles
        .iter()
        .filter(|(id, tile)| fits(**id, &format!("{} {}", tile.name, tile.tags.join(" "))))
        .map(|(id, _)| *id)
        .collect();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if query.is_empty() {
            sheet_ui(cx, ui, tileset, &image);
        } else {
            found_ui(cx, ui, tileset, &image, &shown);
        }
    });
}

/// The named values of a layer: chosen to paint with, named, colored, added and taken away.
fn values_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Name, values: &ValueLayer) {
    let names = Level::layer_at(&**layer).key("names");
    let at = |id: u32| names.key(&id.to_string());
    let send = |edit: Edit| cx.send(Action::Edit(edit));
    ui.horizontal(|ui| {
        ui.label(cx.theme.caption(counted(values.names.len(), "value")));
        at_right(ui, |ui| {
            let name = "Add value";
            let can_add = values.next_name().is_some();
            let button = IconButton::new(icons::ICON_ADD.codepoint, name).enabled(can_add).show(cx.theme, ui);
            if let (true, Some((id, value))) = (button.tip(name).clicked(), values.next_name()) {
                send(Edit::insert_at(doc, at(id), &value));
                take(cx, Stamp::one(Tile::id_only(id)));
            }
        });
    });
    if values.names.is_empty() {
        let icon = icons::ICON_NUMBERS.codepoint;
        empty_state(cx.theme, ui, icon, "No values", "Add one with the plus above, then paint with it");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, values.names.len(), |ui, shown| {
        for (id, value) in values.names.iter().skip(shown.start).take(shown.len()) {
            let is_taken = cx.view.stamp.iter().all(|(_, tile)| tile == Tile::id_only(*id));
            ui.horizontal(|ui| {
                let called = values.called(*id);
                let number = ui.add_sized([36.0, ROW - 4.0], egui::Button::selectable(is_taken, id.to_string()));
                let paint = format!("Paint {called}");
                number.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_taken, &paint));
                if number.tip(&paint).clicked() {
                    take(cx, Stamp::one(Tile::id_only(*id)));
                }
                if let Some(color) = color_button_ui(ui, &format!("Color of value {id}"), &value.color) {
                    send(Edit::set_at(doc, at(*id).key("color"), &Name::from(color)));
                }
                at_right(ui, |ui| {
                    let delete = format!("Delete {called}");
                    let tip = format!("{delete}: cells that have it keep their number");
                    let icon = icons::ICON_DELETE.codepoint;
                    if IconButton::new(icon, &delete).in_row().show(cx.theme, ui).tip(tip).clicked() {
                        send(Edit::Remove { doc: doc.clone(), at: at(*id) });
                    }
                    if let Some(change) = text_ui(ui, &format!("Name of value {id}"), &value.name) {
                        send(Edit::set_at(doc, at(*id).key("name"), &change.into_parts().0));
                    }
                });
            });
        }
    });
}

fn terrains_ui(cx: &Cx<'_>, ui: &mut Ui, tileset: &Tileset) {
    ui.horizontal_wrapped(|ui| {
        ui.label(cx.theme.caption("Terrain"));
        for (i, terrain) in tileset.terrains.iter().enumerate() {
            let is_on = cx.view.tool == ToolKind::Terrain && cx.view.terrain == i;
            let name = if terrain.name.is_empty() { format!("terrain {i}") } else { terrain.name.clone() };
            let tip = "Paint ground that chooses its own edges";
            if ui.selectable_label(is_on, name).tip(tip).clicked() {
                cx.send(Action::View(ViewChange::Terrain(i)));
                cx.send(Action::Tool(ToolKind::Terrain));
            }
        }
    });
}

/// The sheet as it was drawn: drag over several tiles to paint them together.
fn sheet_ui(cx: &Cx<'_>, ui: &mut Ui, tileset: &Tileset, image: &str) {
    let Some(sheet) = cx.derived.images().get(image) else {
        let text = format!("{image} cannot be read");
        empty_state(cx.theme, ui, icons::ICON_BROKEN_IMAGE.codepoint, "No picture", &text);
        return;
    };
    let Some(texture) = cx.textures.get(ui.ctx(), cx.derived.images(), image) else { return };
    let cell = vec2(tileset.tile_size[0].max(1) as f32, tileset.tile_size[1].max(1) as f32);
    let step = cell + Vec2::splat(tileset.spacing as f32);
    let size = vec2(sheet.width() as f32, sheet.height() as f32);
    // Whole multiples keep pixels square.
    let scale = (ui.available_width() / size.x).floor().clamp(1.0, 3.0);
    let (rect, response) = ui.allocate_exact_size(size * scale, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Tiles"));
    let painter = ui.painter();
    checkerboard_ui(cx, ui, rect);
    painter.image(texture.id(), rect, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), Color32::WHITE);
    let margin = Vec2::splat(tileset.margin as f32);
    let rect_of = |column: f32, row: f32| {
        let corner = rect.min + (margin + vec2(column * step.x, row * step.y)) * scale;
        Rect::from_min_size(corner, cell * scale)
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to be no less than zero")]
    let cell_of = |at: Pos2| {
        let local = (at - rect.min) / scale - margin;
        [(local.x / step.x).max(0.0) as u32, (local.y / step.y).max(0.0) as u32]
    };
    let tile_at = |at: [u32; 2]| tileset.tiles.iter().find(|(_, tile)| tile.at == at);
    // What the brush paints now, if it is of this sheet.
    for (_, tile) in cx.view.stamp.iter() {
        if let Some(at) = tile.id().and_then(|id| tileset.tiles.get(&id)).map(|tile| tile.at) {
            let mark = rect_of(at[0] as f32, at[1] as f32);
            painter.rect_stroke(mark, CornerRadius::ZERO, Stroke::new(2.0, cx.theme.accent), StrokeKind::Inside);
        }
    }
    if let Some(hover) = response.hover_pos() {
        let at = cell_of(hover);
        painter.rect_stroke(
            rect_of(at[0] as f32, at[1] as f32),
            0.0,
            Stroke::new(1.0, Color32::WHITE),
            StrokeKind::Inside,
        );
        if let Some((id, tile)) = tile_at(at) {
            let name = if tile.name.is_empty() { format!("tile {id}") } else { format!("{} ({id})", tile.name) };
            response.clone().on_hover_text_at_pointer(name);
        }
    }
    let origin = ui.input(|input| input.pointer.press_origin()).filter(|_| response.is_pointer_button_down_on());
    let released = response.clicked() || response.drag_stopped();
    let from_id = Id::unique("palette drag");
    if let Some(origin) = origin {
        ui.data_mut(|data| data.insert_temp(from_id, origin));
    }
    let from = ui.data(|data| data.get_temp::<Pos2>(from_id));
    if let (Some(from), Some(to)) = (from, response.interact_pointer_pos()) {
        let (a, b) = (cell_of(from), cell_of(to));
        let lo = [a[0].min(b[0]), a[1].min(b[1])];
        let hi = [a[0].max(b[0]), a[1].max(b[1])];
        let around = rect_of(lo[0] as f32, lo[1] as f32).union(rect_of(hi[0] as f32, hi[1] as f32));
        painter.rect_stroke(around, 0.0, Stroke::new(2.0, cx.theme.accent), StrokeKind::Outside);
        if released {
            let size = [(hi[0] - lo[0] + 1).min(64), (hi[1] - lo[1] + 1).min(64)];
            let tiles = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [lo[0] + x, lo[1] + y]));
            let tiles = tiles.map(|at| tile_at(at).map_or(Tile::EMPTY, |(id, _)| Tile::id_only(*id)));
            if let Some(stamp) = Stamp::new(size, tiles.collect()).filter(|stamp| !stamp.is_empty()) {
                take(cx, stamp);
            }
        }
    }
    if released {
        ui.data_mut(|data| data.remove::<Pos2>(from_id));
    }
}

/// Paint squares below pictures that are transparent in part, to tell them from art of one color. They start at the left top of
/// `rect` and have a size of their own.
fn checkerboard_ui(cx: &Cx<'_>, ui: &Ui, rect: Rect) {
    /// The side of a square, in points.
    const SQUARE: f32 = 8.0;
    let texture = cx.textures.checkerboard(ui.ctx(), cx.theme);
    let uv = Rect::from_min_size(Pos2::ZERO, rect.size() / (2.0 * SQUARE));
    ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
}

/// Paint with this from now on, with the tool in hand if it paints, else with the pencil.
fn take(cx: &Cx<'_>, stamp: Stamp) {
    cx.send(Action::View(ViewChange::Stamp(stamp)));
    if !cx.view.tool.paints_brush() {
        cx.send(Action::Tool(ToolKind::Pencil));
    }
}

fn found_ui(cx: &Cx<'_>, ui: &mut Ui, tileset: &Tileset, image: &str, shown: &[u32]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GRID);
        for id in shown {
            let Some(tile) = tileset.tiles.get(id) else { continue };
            let (rect, response) = ui.allocate_exact_size(Vec2::splat(36.0), Sense::click());
            let name = tile_name(*id, tile);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            tile_picture_ui(cx, ui, (tileset, image), tile, rect.shrink(2.0));
            if response.hovered() {
                ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, cx.theme.text), StrokeKind::Inside);
            }
            if tip_beside(ui, response, name).clicked() {
                take(cx, Stamp::one(Tile::id_only(*id)));
            }
        }
    });
}

/// What a tile is called, if only by its id.
pub(super) fn tile_name(id: u32, tile: &TileDef) -> String {
    if tile.name.is_empty() { format!("tile {id}") } else { tile.name.clone() }
}

/// Paint a tile of a tileset, whose image is at a path, on a checkerboard; nothing when the image cannot be read.
pub(super) fn tile_picture_ui(cx: &Cx<'_>, ui: &Ui, (tileset, image): (&Tileset, &str), tile: &TileDef, rect: Rect) {
    let Some((texture, sheet)) =
        cx.textures.get(ui.ctx(), cx.derived.images(), image).zip(cx.derived.images().get(image))
    else {
        return;
    };
    let size = vec2(sheet.width() as f32, sheet.height() as f32);
    let [x, y] = tileset.source_px(tile).map(|px| px as f32);
    let [w, h] = tileset.tile_size.map(|px| px as f32);
    let uv = Rect::from_min_max(pos2(x / size.x, y / size.y), pos2((x + w) / size.x, (y + h) / size.y));
    checkerboard_ui(cx, ui, rect);
    ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
}

fn definitions_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let query = search_field(cx.theme, ui, Id::unique("definition search"), "Search definitions");
    let shown: Vec<(&Name, &Arc<Resolved>)> =
        cx.resolution.defs.iter().filter(|(name, def)| !def.is_abstract && matches(&query, name)).collect();
    if shown.is_empty() {
        let icon = icons::ICON_SMART_TOY.codepoint;
        empty_state(cx.theme, ui, icon, "No definitions", "Entity definitions are files in the entities folder");
        return;
    }
    section(cx.theme, ui, "Click one, then click in the level");
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let n_columns = ((ui.available_width() + GRID) / (CARD + GRID)).floor().max(1.0) as usize;
        ui.spacing_mut().item_spacing = Vec2::splat(GRID);
        for row in shown.chunks(n_columns) {
            ui.horizontal(|ui| {
                for (name, def) in row {
                    card_ui(cx, ui, name, def);
                }
            });
        }
    });
}

fn card_ui(cx: &Cx<'_>, ui: &mut Ui, name: &Name, def: &Arc<Resolved>) {
    let (rect, response) = ui.allocate_exact_size(vec2(CARD, CARD + 6.0), Sense::click());
    let is_chosen = cx.view.tool == ToolKind::Entity && cx.view.place_def.as_ref() == Some(name);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, format!("Place {name}")));
    if !ui.is_rect_visible(rect) {
        return;
    }
    let ground = match (is_chosen, response.hovered()) {
        (true, _) => cx.theme.accent_ground,
        (_, true) => cx.theme.widget_hover,
        _ => cx.theme.widget,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(4), ground);
    let picture = Rect::from_min_max(rect.min + vec2(6.0, 5.0), pos2(rect.max.x - 6.0, rect.max.y - 18.0));
    thumbnail_ui(cx, ui, def, picture);
    let mut job = egui::text::LayoutJob::simple_singleline(
        name.to_string(),
        egui::FontId::proportional(SMALL),
        if is_chosen { cx.theme.text_strong } else { cx.theme.text },
    );
    job.wrap = egui::text::TextWrapping::truncate_at_width(CARD - 4.0);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(rect.center().x - galley.size().x / 2.0, rect.max.y - 3.0 - galley.size().y);
    ui.painter().galley(at, galley, cx.theme.text);
    let response = tip_beside(ui, response, format!("{name}: click, then click in the level"));
    if response.clicked() {
        cx.send(Action::View(ViewChange::PlaceDef((*name).clone())));
        cx.send(Action::Tool(ToolKind::Entity));
    }
    if response.double_clicked()
        && let Some(doc) = cx.resolution.def_docs.get(name)
    {
        cx.send(Action::Select(crate::editor::Selection::definition(doc.clone(), (*name).clone())));
    }
}

/// A definition's sprite, as large as fits in whole multiples; a symbol when it has none.
pub fn thumbnail_ui(cx: &Cx<'_>, ui: &Ui, def: &Arc<Resolved>, room: Rect) {
    let look = cx.looks.of_def(cx.resolution, def);
    let painted = look.sprite.as_ref().and_then(|sprite| {
        let sheet = cx.derived.images().get(&*sprite.image)?;
        let [x, y, w, h] = frame_rect(sheet, sprite.frame_size, sprite.frame)?.map(|px| px as f32);
        let texture = cx.textures.get(ui.ctx(), cx.derived.images(), &sprite.image)?;
        let size = vec2(sheet.width() as f32, sheet.height() as f32);
        let uv = Rect::from_min_max(pos2(x / size.x, y / size.y), pos2((x + w) / size.x, (y + h) / size.y));
        let fit = (room.width() / w).min(room.height() / h);
        let scale = if fit >= 1.0 { fit.floor() } else { fit };
        let at = Rect::from_center_size(room.center(), vec2(w, h) * scale);
        let [r, g, b, a] = sprite.tint;
        ui.painter().image(texture.id(), at, uv, Color32::from_rgba_unmultiplied(r, g, b, a));
        Some(())
    });
    if painted.is_none() {
        let icon = icons::ICON_CATEGORY.codepoint;
        ui.painter().text(room.center(), egui::Align2::CENTER_CENTER, icon, icon_font(22.0), cx.theme.text_weak);
    }
}
