//! The Palette pane: tiles of the active layer's tileset to paint with, its terrains, named values, and definitions to
//! place.

use std::{collections::HashSet, rc::Rc, sync::Arc};

use egui::{Color32, CornerRadius, Id, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use egui_material_icons::icons;

use super::{
    focus_name,
    inheritance::{commands_ui, family_menu_ui},
    key_pointer::CANVAS,
    level::carry_ui,
    sheet::{Picked, Purpose, Sheet, Shown, checkerboard_ui, sheet_ui, zoom_ui},
};
use crate::ui::widgets::Tip as _;
use crate::{
    defs::Resolved,
    edit::{Edit, Stamp},
    editor::{Action, Command, Pane, Selection, ViewChange, about_tile},
    model::{Cell, DocPath, Document, LayerContent, Name, Tile, TileDef, Tileset, ValueLayer, counted},
    raster::frame_rect,
    tools::{ToolKind, terrain_names, terrain_patch},
    ui::{
        Cx, focus,
        theme::{GRID, ROW, SMALL},
        widgets::{
            IconButton, at_right, color::color_button_ui, elided, empty_state, has_keyboard, icon_font, is_wanted,
            matches, search_field, section, tip_beside, value::text_ui, want,
        },
    },
};

/// Side of the picture of a terrain, in points.
const PATCH: f32 = 36.0;

/// What the tiles are called for screen readers.
const NAME: &str = "Tiles";

/// Side of a definition's card, in points.
const CARD: f32 = 64.0;

/// Show the Palette pane.
pub fn palette_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some((_, level)) = cx.level() else {
        let (icon, how) = (icons::ICON_PALETTE.codepoint, "Open a level in the Project pane");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    let layer = cx.active_layer().and_then(|i| level.nth_layer(i));
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
    let Some((doc, tileset)) =
        cx.resolution.tilesets.get(name).and_then(|path| Some((path, cx.project.tileset(path)?)))
    else {
        let icon = icons::ICON_GRID_VIEW.codepoint;
        let title = format!("There is no tileset {name}");
        empty_state(cx.theme, ui, icon, &title, "Choose another in the layer's properties");
        return;
    };
    let query = ui.horizontal(|ui| {
        at_right(ui, |ui| {
            zoom_ui(cx, ui, NAME);
            let open = "Show in the Tileset pane";
            let button = IconButton::new(icons::ICON_EDIT_SQUARE.codepoint, open).in_row().show(cx.theme, ui);
            if button.tip("What is solid of the tiles, costs, tags").clicked() {
                cx.send(Action::Select(Selection::Document(doc.clone())));
            }
            let from_left = egui::Layout::left_to_right(egui::Align::Center);
            ui.with_layout(from_left, |ui| finder_ui(cx, ui, "tile search", "Search name or tag")).inner
        })
    });
    let (query, is_entered) = query.inner;
    let Some(sheet) = Sheet::of(cx, ui, doc) else {
        let text = format!("{} cannot be read", tileset.image);
        empty_state(cx.theme, ui, icons::ICON_BROKEN_IMAGE.codepoint, "No picture", &text);
        return;
    };
    if !tileset.terrains.is_empty() {
        terrains_ui(cx, ui, &sheet);
    }
    if query.is_empty() {
        if is_wanted(ui, &focus_name(Pane::Palette)) {
            want(ui.ctx(), NAME);
        }
        brush_ui(cx, ui, tileset, &sheet);
    } else {
        if is_wanted(ui, &focus_name(Pane::Palette)) {
            ui.memory_mut(|memory| memory.request_focus(finder_id("tile search")));
        }
        found_ui(cx, ui, doc, (&query, is_entered));
    }
}

fn finder_id(id: &str) -> Id {
    Id::unique(id).with("edit")
}

/// A search field, and whether Enter was pressed in it: the first of what is found is taken then.
fn finder_ui(cx: &Cx<'_>, ui: &mut Ui, id: &str, hint: &str) -> (String, bool) {
    let is_typed_in = ui.memory(|memory| memory.has_focus(finder_id(id)));
    let query = search_field(cx.theme, ui, Id::unique(id), hint);
    (query, is_typed_in && ui.input(|input| input.key_pressed(egui::Key::Enter)))
}

/// The named values of a layer: chosen to paint with, named, colored, added and taken away.
fn values_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, layer: &Name, values: &ValueLayer) {
    let Some(names) = cx.project.level(doc).map(|level| level.layer_at(&**layer).key("names")) else { return };
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
    let mut is_asked = is_wanted(ui, &focus_name(Pane::Palette));
    let is_in_hand = |id: u32| cx.view.stamp.iter().all(|(_, tile)| tile == Tile::id_only(id));
    let in_hand = values.names.keys().position(|id| is_in_hand(*id)).unwrap_or(0);
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if is_asked {
        // The rows that are shown are all there are to give the keyboard to.
        area = area.vertical_scroll_offset(in_hand.saturating_sub(1) as f32 * ROW);
    }
    area.show_rows(ui, ROW, values.names.len(), |ui, shown| {
        for (i, (id, value)) in values.names.iter().enumerate().skip(shown.start).take(shown.len()) {
            let is_taken = is_in_hand(*id);
            ui.horizontal(|ui| {
                let called = values.called(*id);
                let number = ui.add_sized([36.0, ROW - 4.0], egui::Button::selectable(is_taken, id.to_string()));
                let paint = format!("Paint {called}");
                number.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_taken, &paint));
                focus::list_item(&number, is_taken);
                if i >= in_hand && std::mem::take(&mut is_asked) {
                    number.request_focus();
                }
                if number.clicked() {
                    by_key(ui, &number);
                }
                // As in the picture of a tileset, arrows choose.
                if number.clicked() || focus::has_arrived(&number) {
                    take(cx, Stamp::one(Tile::id_only(*id)));
                }
                number.tip(&paint);
                if let Some(change) = color_button_ui(cx.theme, ui, &format!("Color of value {id}"), &value.color) {
                    let (color, phase) = change.into_parts();
                    let edits = vec![Edit::set_at(doc, at(*id).key("color"), &Name::from(color))];
                    cx.send(Action::Gesture { label: format!("Color {called}"), edits, phase });
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

/// The terrains, each with a picture of what painting it gives.
fn terrains_ui(cx: &Cx<'_>, ui: &mut Ui, sheet: &Sheet<'_>) {
    let patches = cx.derived.memos().get_current(
        "terrain patches",
        |(of, _): &(Arc<Document>, Vec<Patch>)| Arc::ptr_eq(of, sheet.document()),
        |_| (sheet.document().clone(), Patch::all(sheet.tileset)),
    );
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GRID);
        for (i, patch) in patches.1.iter().enumerate() {
            let is_on = cx.view.tool == ToolKind::Terrain && cx.view.terrain == i;
            let name = if patch.name.is_empty() { format!("terrain {i}") } else { patch.name.clone() };
            let galley = elided(ui, &name, 96.0, if is_on { cx.theme.text_strong } else { cx.theme.text });
            let size = vec2(PATCH + galley.size().x + 3.0 * GRID, PATCH + GRID);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, &name));
            focus::list_item(&response, is_on);
            let ground = match (is_on, response.hovered() || has_keyboard(&response)) {
                (true, _) => cx.theme.accent_ground,
                (_, true) => cx.theme.widget_hover,
                _ => cx.theme.widget,
            };
            ui.painter().rect_filled(rect, CornerRadius::same(4), ground);
            let corner = rect.min + Vec2::splat(GRID / 2.0);
            sheet.tiles_ui(ui, &patch.tiles, Rect::from_min_size(corner, Vec2::splat(PATCH)));
            let at = pos2(corner.x + PATCH + GRID, rect.center().y - galley.size().y / 2.0);
            ui.painter().galley(at, galley, cx.theme.text);
            let response = response.tip("Paint ground that chooses its own edges");
            if response.clicked() {
                by_key(ui, &response);
                cx.send(Action::View(ViewChange::Terrain(i)));
                cx.send(Action::Tool(ToolKind::Terrain));
            }
        }
    });
}

/// What a terrain is called and what painting it gives: tiles with their cells, the first cell at the left top.
struct Patch {
    name: String,
    tiles: Vec<(Cell, Tile)>,
}

impl Patch {
    fn all(tileset: &Tileset) -> Vec<Self> {
        let tiles = |terrain| terrain_patch(tileset, terrain).into_iter().flatten().collect();
        terrain_names(tileset).into_iter().enumerate().map(|(i, name)| Self { name, tiles: tiles(i) }).collect()
    }
}

/// The sheet as it was drawn: drag over several tiles to paint them together.
fn brush_ui(cx: &Cx<'_>, ui: &mut Ui, tileset: &Tileset, sheet: &Sheet<'_>) {
    // What the brush paints now, if it is of this sheet.
    let brush = cx.derived.memos().get_current(
        "tiles of the brush",
        |(of, _): &(Stamp, HashSet<u32>)| *of == cx.view.stamp,
        |_| (cx.view.stamp.clone(), cx.view.stamp.iter().filter_map(|(_, tile)| tile.id()).collect()),
    );
    let over = |shown: &Shown<'_>| {
        if brush.1.is_empty() {
            return;
        }
        for (cell, ..) in shown.visible().filter(|(_, id, _)| brush.1.contains(id)) {
            shown.frame(cx, cell, cx.theme.accent);
        }
    };
    let menu = |ui: &mut Ui| {
        if ui.button("Show in the Tileset pane").clicked() {
            let ids: Vec<u32> = cx.view.stamp.iter().filter_map(|(_, tile)| tile.id()).collect();
            cx.send(Action::Select(cx.selection.with_tiles(sheet.doc, &ids, false, false)));
            cx.send(Action::ShowPane(Pane::Tileset));
            ui.close();
        }
        commands_ui(cx, ui, &[Command::NewStampFromBrush, Command::ReplaceInLevels]);
    };
    let picked = sheet_ui(cx, ui, NAME, sheet, over, |id, tile| about_tile(tileset, id, tile), menu);
    let Some(Picked { lo, hi, purpose, .. }) = picked else { return };
    if purpose == Purpose::Use {
        want(ui.ctx(), CANVAS);
    }
    let size = [0, 1].map(|i| (hi[i] - lo[i] + 1).min(64));
    let tiles = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [lo[0] + x, lo[1] + y]));
    let tiles = tiles.map(|at| sheet.by_cell().at(at).map_or(Tile::EMPTY, Tile::id_only));
    if let Some(stamp) = Stamp::new(size, tiles.collect()).filter(|stamp| !stamp.is_empty()) {
        take(cx, stamp);
    }
}

/// What was chosen by a key is placed or painted by keys next.
pub(super) fn by_key(ui: &Ui, response: &egui::Response) {
    if has_keyboard(response) {
        want(ui.ctx(), CANVAS);
    }
}

/// Paint with this from now on, with the tool in hand if it paints, else with the pencil.
fn take(cx: &Cx<'_>, stamp: Stamp) {
    cx.send(Action::View(ViewChange::Stamp(stamp)));
    if !cx.view.tool.paints_brush() {
        cx.send(Action::Tool(ToolKind::Pencil));
    }
}

/// The tiles that are searched for.
pub(super) struct TilesFound {
    of: Arc<Document>,
    /// Their ids, row by row as on the sheet.
    pub ids: Vec<u32>,
}

/// The tiles of a tileset whose id, name or tags are searched for.
pub(super) fn tiles_found(cx: &Cx<'_>, document: &Arc<Document>, query: &str) -> Rc<TilesFound> {
    let find = |_: Option<&_>| {
        let Document::Tileset(tileset) = &**document else {
            return TilesFound { of: document.clone(), ids: Vec::new() };
        };
        let fits = |id: u32, tile: &TileDef| {
            query.is_empty() || matches(query, &format!("{id} {} {}", tile.name, tile.tags.join(" ")))
        };
        let mut found: Vec<_> = tileset.tiles.iter().filter(|(id, tile)| fits(**id, tile)).collect();
        found.sort_by_key(|(_, tile)| (tile.at[1], tile.at[0]));
        TilesFound { of: document.clone(), ids: found.into_iter().map(|(id, _)| *id).collect() }
    };
    let is_current = |it: &TilesFound| Arc::ptr_eq(&it.of, document);
    cx.derived.memos().get_current(("tiles found", query), is_current, find)
}

/// The tiles that are searched for, to paint with.
fn found_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, (query, is_entered): (&str, bool)) {
    const SIDE: f32 = 36.0;
    let (Some(document), Some(tileset)) = (cx.project.doc(doc), cx.project.tileset(doc)) else { return };
    let Some(image) = doc.beside(&tileset.image) else { return };
    let found = &tiles_found(cx, document, query).ids;
    if found.is_empty() {
        ui.label(cx.theme.caption("No tile has this in its name or tags"));
    }
    if let Some(first) = found.first().filter(|_| is_entered) {
        want(ui.ctx(), CANVAS);
        take(cx, Stamp::one(Tile::id_only(*first)));
    }
    cards_ui(ui, vec2(SIDE, SIDE), found, None, |ui, id| {
        let Some(tile) = tileset.tiles.get(id) else { return };
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(SIDE), Sense::click());
        let name = tile.called(*id);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        focus::list_item(&response, false);
        tile_picture_ui(cx, ui, (tileset, image.as_str()), tile, rect.shrink(2.0));
        if response.hovered() || has_keyboard(&response) {
            ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, cx.theme.text), StrokeKind::Inside);
        }
        let response = tip_beside(ui, response, about_tile(tileset, *id, tile));
        if response.clicked() {
            by_key(ui, &response);
            take(cx, Stamp::one(Tile::id_only(*id)));
        }
    });
}

/// Cards of a size side by side in a list that scrolls, of which only the rows in sight are laid out. One of them may
/// be brought into sight, by its number.
pub(super) fn cards_ui<T>(
    ui: &mut Ui,
    size: Vec2,
    all: &[T],
    in_sight: Option<usize>,
    mut card_ui: impl FnMut(&mut Ui, &T),
) {
    ui.spacing_mut().item_spacing = Vec2::splat(GRID);
    let bar = ui.spacing().scroll.allocated_width();
    let n_columns = ((ui.available_width() - bar + GRID) / (size.x + GRID)).floor().max(1.0) as usize;
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if let Some(at) = in_sight {
        let above = (at / n_columns) as f32 * (size.y + GRID);
        area = area.vertical_scroll_offset((above - (ui.available_height() - size.y) / 2.0).max(0.0));
    }
    area.show_rows(ui, size.y, all.len().div_ceil(n_columns), |ui, rows| {
        for row in all.chunks(n_columns).skip(rows.start).take(rows.len()) {
            ui.horizontal(|ui| row.iter().for_each(|it| card_ui(ui, it)));
        }
    });
}

/// Paint a tile of a tileset, whose image is at a path, on a checkerboard; nothing when the image cannot be read.
pub(super) fn tile_picture_ui(cx: &Cx<'_>, ui: &Ui, (tileset, image): (&Tileset, &str), tile: &TileDef, rect: Rect) {
    let images = cx.derived.images();
    if images.contains_key(image) {
        checkerboard_ui(cx, ui, rect);
    }
    let ([x, y], [w, h]) = (tileset.source_px(tile), tileset.tile_size);
    cx.textures.paint(ui.painter(), (images, image), [x, y, w, h], (rect, Color32::WHITE));
}

fn definitions_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if is_wanted(ui, &focus_name(Pane::Palette)) {
        ui.memory_mut(|memory| memory.request_focus(finder_id("definition search")));
    }
    let (query, is_entered) = finder_ui(cx, ui, "definition search", "Search definitions");
    let shown = definitions_found(cx, &query);
    if shown.is_empty() {
        let icon = icons::ICON_SMART_TOY.codepoint;
        empty_state(cx.theme, ui, icon, "No definitions", "Entity definitions are files in the entities folder");
        return;
    }
    if let Some((first, _)) = shown.first().filter(|_| is_entered) {
        // The one in hand is taken up again, unless something else is looked for.
        let in_hand =
            cx.view.place_def.as_ref().filter(|def| query.is_empty() && shown.iter().any(|(it, _)| it == *def));
        want(ui.ctx(), CANVAS);
        place(cx, in_hand.unwrap_or(first));
    }
    section(cx.theme, ui, "Drag one into the level, or click it and then there");
    cards_ui(ui, vec2(CARD, CARD + 6.0), &shown, None, |ui, (name, def)| card_ui(cx, ui, name, def));
}

/// The definitions that can be placed and have a name that is searched for; of those, the ones first that begin like
/// it.
fn definitions_found(cx: &Cx<'_>, query: &str) -> Rc<Vec<(Name, Arc<Resolved>)>> {
    cx.derived.memos().get(("definitions found", query), || {
        let placeable = cx.resolution.defs.iter().filter(|(name, def)| !def.is_abstract && matches(query, name));
        let mut found: Vec<_> = placeable.map(|(name, def)| (name.clone(), def.clone())).collect();
        if !query.is_empty() {
            let query = query.trim().to_lowercase();
            found.sort_by_cached_key(|(name, _)| (!name.to_lowercase().starts_with(&query), name.len()));
        }
        found
    })
}

/// Place this from now on.
fn place(cx: &Cx<'_>, def: &Name) {
    cx.send(Action::View(ViewChange::PlaceDef(def.clone())));
    cx.send(Action::Tool(ToolKind::Entity));
}

fn card_ui(cx: &Cx<'_>, ui: &mut Ui, name: &Name, def: &Arc<Resolved>) {
    let (rect, response) = ui.allocate_exact_size(vec2(CARD, CARD + 6.0), Sense::click_and_drag());
    let is_chosen = cx.view.tool == ToolKind::Entity && cx.view.place_def.as_ref() == Some(name);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, format!("Place {name}")));
    focus::list_item(&response, is_chosen);
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
    carry_ui(cx, &response, name);
    let response = tip_beside(ui, response, format!("{name}: drag it into the level; or click, then click there"));
    if has_keyboard(&response) {
        ui.painter().rect_stroke(rect, CornerRadius::same(4), Stroke::new(1.5, cx.theme.accent), StrokeKind::Inside);
    }
    if response.clicked() {
        by_key(ui, &response);
        place(cx, name);
    }
    if let Some(doc) = cx.resolution.def_docs.get(name) {
        if response.secondary_clicked() {
            cx.send(Action::Select(Selection::definition(doc.clone(), (*name).clone())));
        }
        response.context_menu(|ui| {
            if ui.button("Place in the level").clicked() {
                place(cx, name);
                ui.close();
            }
            ui.separator();
            family_menu_ui(cx, ui);
        });
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
        let part = frame_rect(sheet, sprite.frame_size, sprite.frame)?;
        let [w, h] = [part[2], part[3]].map(|px| px as f32);
        let fit = (room.width() / w).min(room.height() / h);
        let scale = if fit >= 1.0 { fit.floor() } else { fit };
        let at = Rect::from_center_size(room.center(), vec2(w, h) * scale);
        let [r, g, b, a] = sprite.tint;
        let tint = Color32::from_rgba_unmultiplied(r, g, b, a);
        cx.textures.paint(ui.painter(), (cx.derived.images(), &sprite.image), part, (at, tint)).then_some(())
    });
    if painted.is_none() {
        let icon = icons::ICON_CATEGORY.codepoint;
        ui.painter().text(room.center(), egui::Align2::CENTER_CENTER, icon, icon_font(22.0), cx.theme.text_weak);
    }
}
