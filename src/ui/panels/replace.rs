//! The form of find and replace in the dialog of refactorings: what is looked for, what stands in its place, and in
//! which levels. What was found is listed by the dialog, row by row as here.

use std::{collections::HashMap, sync::Arc};

use egui::{
    Align, Align2, CornerRadius, Key, Layout, Modifiers, Popup, PopupCloseBehavior, Rect, Response, RichText, Role,
    ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::{
    form_rows::{count_ui, row, text_ui, tileset_ui},
    palette::{image_of, tile_picture_ui, tiles_found},
    stamps::picture_ui,
};
use crate::{
    editor::Action,
    model::{ComponentSpec, DocPath, Document, FieldSpec, FieldType, Name, StampFile, Tileset, ValueLayer},
    refactor::{LayerCount, NewContent, NewTile, NewValue, Replace, ReplaceCells, ReplaceKind, ReplaceValues},
    ui::{
        Cx,
        theme::{GRID, ROW},
        widgets::{
            Tip as _,
            choose::{Choice, choose_ui},
            elided, has_keyboard, icon_font, icon_text, popup_search_field,
            value::value_ui,
        },
    },
};

/// Side of a tile in the popup to choose one of, in points.
const TILE: f32 = 36.0;
/// Height of the button that shows the tile chosen, in points.
const BUTTON: f32 = 32.0;
/// Tiles side by side in the popup.
const N_COLUMNS: usize = 10;

/// Show the fields.
pub(super) fn replace_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut Replace) {
    row(cx, ui, "Replace", |ui| {
        for kind in ReplaceKind::ALL {
            if ui.selectable_label(it.kind == kind, kind.noun()).clicked() {
                it.kind = kind;
            }
        }
    });
    ui.vertical(|ui| {
        // As high for every kind as for tiles, so that what is below stays where it is.
        ui.set_min_height(ROW + 2.0 * BUTTON + 2.0 * ui.spacing().item_spacing.y);
        match it.kind {
            ReplaceKind::Tiles => tiles_ui(cx, ui, it),
            ReplaceKind::Cells => cells_ui(cx, ui, &mut it.cells),
            ReplaceKind::Stamps => stamps_ui(cx, ui, it),
            ReplaceKind::Entities => entities_ui(cx, ui, it),
            ReplaceKind::Values => values_ui(cx, ui, &mut it.values),
        }
    });
    row(cx, ui, "In", |ui| {
        if ui.selectable_label(it.within.is_none(), "All levels").clicked() {
            it.within = None;
        }
        let one = it.within.clone().or_else(|| cx.level().map(|(doc, _)| doc.clone()));
        if let Some(doc) = one
            && ui.selectable_label(it.within.is_some(), format!("Only {}", doc.stem())).clicked()
        {
            it.within = Some(doc);
        }
    });
}

/// A tileset, its picture's path and its document.
#[derive(Clone, Copy)]
struct Sheet<'a> {
    set: &'a Tileset,
    image: &'a str,
    document: &'a Arc<Document>,
}

fn tiles_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut Replace) {
    row(cx, ui, "Tileset", |ui| {
        if let Some(name) = tileset_ui(cx, ui, it.tileset.as_ref()) {
            it.choose_tileset(name);
        }
    });
    let Some(name) = it.tileset.clone() else { return };
    let Some((set, (image, document))) = cx.project.tileset_named(&name).zip(image_of(cx, &name)) else { return };
    let of = Sheet { set, image: &image, document: &document };
    ui.scope(|ui| {
        // The names of the fields stand beside the middle of the pictures.
        ui.spacing_mut().interact_size.y = BUTTON;
        row(cx, ui, "Find", |ui| {
            if let Some(NewTile::Tile(id)) = tile_ui(cx, ui, "Tile to find", of, it.tile.map(NewTile::Tile), &[]) {
                it.tile = Some(id);
            }
        });
        row(cx, ui, "Replace with", |ui| {
            let nothing = [NewTile::Nothing];
            if let Some(picked) = tile_ui(cx, ui, "Tile to replace it with", of, it.with_tile, &nothing) {
                it.with_tile = Some(picked);
            }
        });
    });
}

/// The value layers of all levels, or those of one name, and the values to find and to put there, by number.
fn cells_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut ReplaceCells) {
    const ALL: &str = "all value layers";
    let layers = || cx.project.levels().flat_map(|(_, level)| level.all_layers());
    row(cx, ui, "On", |ui| {
        let choices = || {
            let names = layers().filter(|layer| layer.values().is_some()).map(|layer| layer.name.clone());
            let names: std::collections::BTreeSet<Name> = names.collect();
            std::iter::once(Name::from(ALL)).chain(names).map(|name| Choice::new(&name)).collect()
        };
        let current = it.layer.as_deref().unwrap_or(ALL);
        if let Some(picked) = choose_ui(cx, ui, "Value layer", (current, &FieldType::Any), choices) {
            it.layer = Some(picked).filter(|picked| **picked != *ALL);
        }
    });
    let only = &it.layer;
    let names = cx.derived.memos().get(("names of values", only), || {
        let values = layers().filter(|layer| only.as_ref().is_none_or(|only| *only == layer.name));
        let mut names: HashMap<u32, String> = HashMap::new();
        for (id, value) in values.filter_map(|layer| layer.values()).flat_map(|values| &values.names) {
            // The first layer that names it does.
            names.entry(*id).or_insert_with(|| value.name.clone());
        }
        names
    });
    for (label, name) in [("Find", "Value to find"), ("Replace with", "Value to replace it with")] {
        let value = if label == "Find" { &mut it.is } else { &mut it.with };
        row(cx, ui, label, |ui| {
            count_ui(ui, name, "", ValueLayer::MAX, value);
            let text =
                if *value == 0 && label != "Find" { "nothing" } else { names.get(value).map_or("", String::as_str) };
            ui.label(cx.theme.caption(text));
        });
    }
}

fn stamps_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut Replace) {
    if cx.resolution.stamps.is_empty() {
        row(cx, ui, "Find", |ui| ui.label(cx.theme.caption("The project has no stamps: the Stamps pane makes them")));
        return;
    }
    ui.scope(|ui| {
        // The names of the fields stand beside the middle of the pictures.
        ui.spacing_mut().interact_size.y = BUTTON;
        row(cx, ui, "Find", |ui| {
            if let Some(picked) = stamp_ui(cx, ui, "Stamp to find", it.stamp.as_ref()) {
                it.stamp = Some(picked);
            }
        });
        row(cx, ui, "Replace with", |ui| {
            let chosen = if let Some(NewContent::Stamp(doc)) = &it.with_stamp { Some(doc) } else { None };
            let picked = stamp_ui(cx, ui, "Stamp to replace it with", chosen).map(NewContent::Stamp);
            let is_nothing = it.with_stamp == Some(NewContent::Nothing);
            let nothing = ui.selectable_label(is_nothing, "Erase (no tile)").tip("Erase its tiles").clicked();
            if let Some(picked) = picked.or(nothing.then_some(NewContent::Nothing)) {
                it.with_stamp = Some(picked);
            }
        });
    });
}

/// A stamp, chosen by name, with its picture before it.
fn stamp_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, chosen: Option<&DocPath>) -> Option<DocPath> {
    let file = |doc: &DocPath| cx.project.get::<StampFile>(doc);
    if let Some((doc, file)) = chosen.and_then(|doc| Some((doc, file(doc)?))) {
        let (room, _) = ui.allocate_exact_size(egui::Vec2::splat(BUTTON), Sense::hover());
        picture_ui(cx, ui, doc, file, room);
    }
    let stamps = || {
        let about = |(name, doc): (&Name, &DocPath)| {
            let [w, h] = file(doc).map_or([0, 0], |file| file.size);
            Choice::about(name, format!("{w} × {h}"))
        };
        cx.resolution.stamps.iter().map(about).collect()
    };
    let current = chosen.map_or("", DocPath::stem);
    let picked = choose_ui(cx, ui, label, (current, &FieldType::Str), stamps)?;
    cx.resolution.stamps.get(&picked).cloned()
}

fn values_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut ReplaceValues) {
    let schema = &cx.resolution.schema;
    let split = |picked: &str| {
        let (component, field) = picked.split_once('.')?;
        Some((Name::from(component), Name::from(field)))
    };
    row(cx, ui, "Field", |ui| {
        let current = it.field.as_ref().map_or_else(String::new, |(component, field)| format!("{component}.{field}"));
        let fields = || {
            let of = |(component, spec): (&Name, &ComponentSpec)| {
                let choice = |(field, spec): (&Name, &FieldSpec)| {
                    Choice::about(&format!("{component}.{field}").into(), spec.ty.to_string())
                };
                spec.fields.iter().map(choice).collect::<Vec<_>>()
            };
            schema.components.iter().flat_map(of).collect()
        };
        let picked = choose_ui(cx, ui, "Field to look at", (&current, &FieldType::Field), fields);
        if let Some((component, field)) = picked.as_deref().and_then(split)
            && let Some(spec) = schema.field(&component, &field)
        {
            it.choose_field(&component, &field, spec);
        }
    });
    let Some((component, field)) = it.field.clone() else { return };
    let Some(spec) = schema.field(&component, &field) else { return };
    row(cx, ui, "Find", |ui| text_ui(ui, "Value to find", "Any value; 10, > 10, != 10", &mut it.is));
    row(cx, ui, "Replace with", |ui| {
        let shown = match &it.with {
            Some(NewValue::Value(value)) => value.clone(),
            _ => spec.default_value(),
        };
        let inherited = it.with == Some(NewValue::Inherited);
        let changed = ui.add_enabled_ui(!inherited, |ui| value_ui(cx, ui, "Value to replace it with", spec, &shown));
        if let Some(change) = changed.inner {
            it.with = Some(NewValue::Value(change.into_parts().0));
        }
        let toggle = ui.selectable_label(inherited, "Inherited value");
        if toggle.tip("Remove the values that placed entities declare themselves").clicked() {
            it.with = Some(if inherited { NewValue::Value(spec.default_value()) } else { NewValue::Inherited });
        }
    });
    row(cx, ui, "Of entities", |ui| {
        text_ui(ui, "Entities to look at", "All; or a name, def:goblin, tag:enemy, layer:actors", &mut it.of)
    });
}

fn entities_ui(cx: &Cx<'_>, ui: &mut Ui, it: &mut Replace) {
    row(cx, ui, "Find", |ui| {
        let placed = || {
            let all = cx.derived.census().of_all_levels();
            all.into_iter().map(|(name, n)| Choice::about(name, format!("{n} placed"))).collect()
        };
        def_ui(cx, ui, "Definition to find", &mut it.def, placed);
    });
    row(cx, ui, "Replace with", |ui| {
        let placeable = || {
            let all = cx.resolution.defs.iter().filter(|(_, def)| !def.is_abstract);
            all.map(|(name, _)| Choice::new(name)).collect()
        };
        def_ui(cx, ui, "Definition to replace it with", &mut it.with_def, placeable);
    });
}

fn def_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, def: &mut Option<Name>, choices: impl FnOnce() -> Vec<Choice>) {
    let current = def.clone().unwrap_or_else(|| "".into());
    if let Some(picked) = choose_ui(cx, ui, label, (&*current, &FieldType::Def), choices) {
        *def = Some(picked);
    }
}

/// A tile of a tileset, chosen from a popup by its picture. `others` stand above the tiles.
fn tile_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    label: &str,
    of: Sheet<'_>,
    chosen: Option<NewTile>,
    others: &[NewTile],
) -> Option<NewTile> {
    let button = tile_button_ui(cx, ui, label, (of.set, of.image), chosen);
    let popup = Popup::from_toggle_button_response(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    // Besides the tiles there is the bar to scroll them.
    let width = N_COLUMNS as f32 * (TILE + GRID) + 16.0;
    let shown = popup.width(width).show(|ui| {
        let id = button.id.with("tiles");
        // Taken before the field sees it, or it would answer the dialog.
        let is_enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let query = popup_search_field(cx.theme, ui, id, "Search tiles by name or tag");
        let mut picked = None;
        for other in others {
            if ui.selectable_label(chosen == Some(*other), "Erase (no tile)").tip("Erase the tile").clicked() {
                picked = Some(*other);
            }
        }
        let (first, clicked) = sheet_ui(cx, ui, of, chosen, &query);
        picked.or(clicked).or(first.filter(|_| is_enter && !query.is_empty()))
    });
    let picked = shown.and_then(|shown| shown.inner)?;
    Popup::close_id(ui.ctx(), Popup::default_response_id(&button));
    Some(picked)
}

/// What is chosen, with its picture.
fn tile_button_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    label: &str,
    (set, image): (&Tileset, &str),
    chosen: Option<NewTile>,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(220.0, BUTTON), Sense::click());
    let (tile, text) = match chosen {
        Some(NewTile::Tile(id)) => {
            let tile = set.tiles.get(&id);
            (tile, tile.map_or_else(|| format!("tile {id}"), |tile| tile.called(id)))
        }
        Some(NewTile::Nothing) => (None, "nothing".to_owned()),
        None => (None, "choose".to_owned()),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{label}: {text}")));
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, CornerRadius::same(4), visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    let mut x = rect.left() + 2.0 * GRID;
    if let Some(tile) = tile {
        let room = Rect::from_min_size(rect.min + vec2(GRID, GRID), egui::Vec2::splat(BUTTON - 2.0 * GRID));
        tile_picture_ui(cx, ui, (set, image), tile, room);
        x = room.right() + 2.0 * GRID;
    }
    let arrow = pos2(rect.right() - 9.0, rect.center().y);
    let icon = icons::ICON_EXPAND_MORE.codepoint;
    ui.painter().text(arrow, Align2::CENTER_CENTER, icon, icon_font(14.0), cx.theme.text_weak);
    let ink = if chosen.is_none() { cx.theme.text_weak } else { visuals.text_color() };
    let galley = elided(ui, &text, arrow.x - 8.0 - x, ink);
    ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
    response
}

/// The tiles that fit what is searched, row by row as on the sheet. Returns the first of them and the one that is
/// clicked.
fn sheet_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    Sheet { set, image, document }: Sheet<'_>,
    chosen: Option<NewTile>,
    query: &str,
) -> (Option<NewTile>, Option<NewTile>) {
    let tiles = &tiles_found(cx, document, query).ids;
    if tiles.is_empty() {
        ui.label(RichText::new("No such tile").color(cx.theme.text_weak));
    }
    let mut picked = None;
    ui.spacing_mut().item_spacing = vec2(GRID, GRID);
    let area = ScrollArea::vertical().max_height(7.0 * (TILE + GRID)).auto_shrink([false, true]);
    area.show_rows(ui, TILE, tiles.len().div_ceil(N_COLUMNS), |ui, rows| {
        for row in tiles.chunks(N_COLUMNS).skip(rows.start).take(rows.len()) {
            ui.horizontal(|ui| {
                for (id, tile) in row.iter().filter_map(|id| Some((*id, set.tiles.get(id)?))) {
                    let (rect, response) = ui.allocate_exact_size(vec2(TILE, TILE), Sense::click());
                    let is_chosen = chosen == Some(NewTile::Tile(id));
                    let name = tile.called(id);
                    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_chosen, &name));
                    tile_picture_ui(cx, ui, (set, image), tile, rect.shrink(2.0));
                    let line = match (is_chosen, response.hovered()) {
                        (true, _) => Stroke::new(2.0, cx.theme.accent),
                        (false, true) => Stroke::new(1.0, cx.theme.text),
                        _ => Stroke::NONE,
                    };
                    ui.painter().rect_stroke(rect, 2.0, line, StrokeKind::Inside);
                    if response.tip(name).clicked() {
                        picked = Some(NewTile::Tile(id));
                    }
                }
            });
        }
    });
    (tiles.first().copied().map(NewTile::Tile), picked)
}

/// A layer of what was found: a click goes there.
pub(super) fn layer_ui(cx: &Cx<'_>, ui: &mut Ui, kind: ReplaceKind, count: &LayerCount) {
    let theme = cx.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let what = if count.is_locked {
        format!("{}, locked and left alone", kind.counted(count.n))
    } else {
        kind.counted(count.n)
    };
    let label = format!("{}: {what}", count.layer);
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &label));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if response.hovered() || has_keyboard(&response) {
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme.widget);
    }
    let mut row = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    row.add_space(4.0 * GRID);
    let ink = if count.is_locked { theme.text_weak } else { theme.text };
    if count.is_locked {
        row.label(icon_text(icons::ICON_LOCK.codepoint, 14.0).color(theme.text_weak));
    }
    row.add(egui::Label::new(RichText::new(&*count.layer).color(ink)).selectable(false));
    row.add(egui::Label::new(theme.caption(what)).selectable(false));
    if response.clicked() {
        cx.send(Action::GoTo(count.location.clone()));
    }
    response.tip("Go to this layer");
}
