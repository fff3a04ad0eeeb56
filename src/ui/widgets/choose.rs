//! Choosing one thing of many by name: a popup with a search, arrows, Enter and Esc, a picture or a line about each.
//! Enums and references of every kind are chosen here.
//!
//! Invariant: what is not shown costs nothing; the list of choices is made when the popup opens, and again only for
//! another resolution.

use egui::{
    Align2, Color32, ComboBox, CornerRadius, FontId, Id, Key, Modifiers, Popup, PopupCloseBehavior, Rect, Response,
    RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, WidgetText, pos2, vec2,
};
use egui_material_icons::icons;

use super::{IconButton, Tip as _, icon_font, matches};
use crate::{
    editor::Action,
    model::{DocPath, Document, FieldPath, FieldType, Location, Name, Value, counted, did_you_mean},
    ui::{
        Cx, WITHOUT_SOUND,
        panels::palette::thumbnail_ui,
        theme::{GRID, ROW, SMALL, Theme},
        widgets::number::ValueChange,
    },
};

/// Rows listed at once; a search narrows what is beyond.
const MAX_ROWS: usize = 200;

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub name: Name,
    /// A few words about it.
    pub detail: String,
    /// What is read in the name's place; the name when empty.
    pub text: String,
}

impl Choice {
    /// A name without a description.
    #[must_use]
    pub fn new(name: &Name) -> Self {
        Self::about(name, String::new())
    }

    /// A name, and a few words about it.
    #[must_use]
    pub fn about(name: &Name, detail: String) -> Self {
        Self { name: name.clone(), detail, text: String::new() }
    }

    fn shown(&self) -> &str {
        if self.text.is_empty() { &self.name } else { &self.text }
    }
}

#[derive(Clone, Default)]
struct Search {
    query: String,
    at: usize,
    is_begun: bool,
}

/// Choose one of many; `ty` says which pictures there are of them. `name` is the accessible name.
pub fn choose_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    (current, ty): (&str, &FieldType),
    choices: impl FnOnce() -> Vec<Choice>,
) -> Option<Name> {
    let button = button_ui(cx, ui, name, current, ty);
    if super::is_wanted(ui, name) {
        Popup::open_id(ui.ctx(), Popup::default_response_id(&button));
    }
    choose_at(cx, ui, &button, &format!("Search {name}"), (current, ty), choices, |_| None)
}

/// Choose one of many by whatever button. `search` is the search field's name; `other` says what can be chosen beside
/// what there is, given what was typed.
pub fn choose_at(
    cx: &Cx<'_>,
    ui: &Ui,
    button: &Response,
    search: &str,
    (current, ty): (&str, &FieldType),
    choices: impl FnOnce() -> Vec<Choice>,
    other: impl Fn(&str) -> Option<Choice>,
) -> Option<Name> {
    let id = button.id.with("search");
    let popup = Popup::from_toggle_button_response(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.width(280.0).show(|ui| {
        let choices = cx.derived.memos().get(("choices", id), choices);
        list_ui(cx, ui, (search, id), (current, ty), &choices, other)
    });
    if shown.is_none() {
        ui.data_mut(|data| data.remove::<Search>(id));
        cx.derived.memos().forget::<Vec<Choice>>(("choices", id));
    }
    shown.and_then(|shown| shown.inner)
}

/// A list of a few to choose from, with the arrow that other fields have.
pub fn drop_down<'a>(theme: &Theme, id: &'a str, shown: impl Into<WidgetText>) -> ComboBox<'a> {
    let ink = theme.text_weak;
    ComboBox::from_id_salt(id).selected_text(shown).icon(move |ui, rect, _, _| {
        let icon = icons::ICON_EXPAND_MORE.codepoint;
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon, icon_font(14.0), ink);
    })
}

/// The field itself: what is chosen, with its picture.
fn button_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, current: &str, ty: &FieldType) -> Response {
    let width = ui.available_width().clamp(60.0, 220.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW - 2.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, CornerRadius::same(4), visuals.weak_bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    let mut x = rect.left() + GRID;
    if has_pictures(ty) && !current.is_empty() {
        let room = Rect::from_min_size(pos2(x, rect.top() + 1.0), vec2(ROW - 4.0, ROW - 4.0));
        picture_ui(cx, ui, ty, current, room);
        x = room.right() + GRID;
    }
    let arrow = pos2(rect.right() - 9.0, rect.center().y);
    let icon = icons::ICON_EXPAND_MORE.codepoint;
    ui.painter().text(arrow, Align2::CENTER_CENTER, icon, icon_font(14.0), cx.theme.text_weak);
    let (text, ink) = if current.is_empty() { ("choose", cx.theme.text_weak) } else { (current, visuals.text_color()) };
    let galley = super::elided(ui, text, arrow.x - 8.0 - x, ink);
    ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
    if text.len() > 16 { response.tip(text) } else { response }
}

fn list_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    (name, id): (&str, Id),
    (current, ty): (&str, &FieldType),
    choices: &[Choice],
    other: impl Fn(&str) -> Option<Choice>,
) -> Option<Name> {
    let mut search = ui.data_mut(|data| data.get_temp::<Search>(id)).unwrap_or_default();
    // Taken before the field sees them, or they would move its cursor.
    let (down, up, enter) = ui.input_mut(|input| {
        let mut take = |key| input.consume_key(Modifiers::NONE, key);
        (take(Key::ArrowDown), take(Key::ArrowUp), take(Key::Enter))
    });
    let mut shown: Vec<&Choice> = choices.iter().collect();
    let field = egui::TextEdit::singleline(&mut search.query).hint_text("Search").desired_width(f32::INFINITY);
    let field = ui.add(field.id(id.with("field")));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    let is_new = !search.is_begun;
    if is_new {
        field.request_focus();
        search.at = shown.iter().position(|choice| *choice.name == *current).unwrap_or(0);
        search.is_begun = true;
    }
    if field.changed() {
        search.at = 0;
    }
    if !search.query.trim().is_empty() {
        let query = search.query.trim().to_lowercase();
        shown.retain(|choice| matches(&query, &format!("{} {}", choice.shown(), choice.detail)));
        shown.sort_by_key(|choice| !choice.name.to_lowercase().starts_with(&query));
    }
    let other = other(search.query.trim());
    shown.extend(&other);
    let n_left = shown.len().saturating_sub(MAX_ROWS);
    shown.truncate(MAX_ROWS.max(search.at + 1));
    let last = shown.len().saturating_sub(1);
    search.at = search.at.min(last);
    if down {
        search.at = if search.at == last { 0 } else { search.at + 1 };
    }
    if up {
        search.at = if search.at == 0 { last } else { search.at - 1 };
    }
    let mut picked = None;
    ScrollArea::vertical().max_height(ROW * 12.0).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if shown.is_empty() {
            ui.label(RichText::new("Nothing by that name").color(cx.theme.text_weak));
        }
        for (i, choice) in shown.iter().enumerate() {
            let response = choice_ui(cx, ui, ty, choice, (i == search.at, *choice.name == *current));
            if i == search.at && (down || up || is_new) {
                response.scroll_to_me(None);
            }
            if response.clicked() || (i == search.at && enter) {
                picked = Some(choice.name.clone());
            }
        }
        if n_left > 0 {
            let text = format!("and {n_left} more; type to find them");
            ui.label(cx.theme.caption(text));
        }
    });
    if picked.is_some() {
        ui.data_mut(|data| data.remove::<Search>(id));
        ui.close();
    } else {
        ui.data_mut(|data| data.insert_temp(id, search));
    }
    picked
}

fn choice_ui(cx: &Cx<'_>, ui: &mut Ui, ty: &FieldType, choice: &Choice, (is_at, is_current): (bool, bool)) -> Response {
    let has_picture = has_pictures(ty);
    let height = if has_picture { ROW + 6.0 } else { ROW };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_current, choice.shown()));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let ground = match (is_at, response.hovered()) {
        (true, _) => cx.theme.accent_ground,
        (_, true) => cx.theme.widget_hover,
        _ => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(3), ground);
    let mut x = rect.left() + GRID;
    if has_picture {
        let room = Rect::from_min_size(pos2(x, rect.top() + 2.0), vec2(height - 4.0, height - 4.0));
        picture_ui(cx, ui, ty, &choice.name, room);
        x = room.right() + GRID * 1.5;
    }
    let mut right = rect.right() - GRID;
    let mut is_cut = false;
    if !choice.detail.is_empty() {
        let room = (FontId::proportional(SMALL), rect.width() * 0.45);
        let galley = super::elided(ui, &choice.detail, room, cx.theme.text_weak);
        is_cut = galley.elided;
        let at = pos2(right - galley.size().x, rect.center().y - galley.size().y / 2.0);
        right = at.x - GRID;
        ui.painter().galley(at, galley, cx.theme.text_weak);
    }
    let ink = if is_at || is_current { cx.theme.text_strong } else { cx.theme.text };
    let galley = super::elided(ui, choice.shown(), right - x, ink);
    let is_cut = galley.elided || is_cut;
    ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
    if is_cut { super::tip_beside(ui, response, format!("{}\n{}", choice.shown(), choice.detail)) } else { response }
}

fn has_pictures(ty: &FieldType) -> bool {
    matches!(ty, FieldType::Def | FieldType::Entity | FieldType::Image | FieldType::Tile | FieldType::Tileset)
}

/// A picture of something by name: a definition's sprite, a tile, an image.
fn picture_ui(cx: &Cx<'_>, ui: &Ui, ty: &FieldType, name: &str, room: Rect) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let image = |path: &str, uv: Rect, size: [f32; 2]| {
        let Some(texture) = cx.textures.get(ui.ctx(), cx.derived.images(), path) else { return };
        let scale = (room.width() / size[0].max(1.0)).min(room.height() / size[1].max(1.0));
        let at = Rect::from_center_size(room.center(), vec2(size[0], size[1]) * scale);
        ui.painter().image(texture.id(), at, uv, Color32::WHITE);
    };
    #[expect(clippy::cast_precision_loss, reason = "pictures are some thousand pixels wide")]
    let f = |px: u32| px as f32;
    match ty {
        FieldType::Def => {
            if let Some(def) = cx.resolution.defs.get(name) {
                thumbnail_ui(cx, ui, def, room);
            }
        }
        FieldType::Entity => {
            let def = cx.level().and_then(|(_, level)| level.entity(name)).map(|(_, instance)| instance.def.clone());
            if let Some(def) = def.and_then(|def| cx.resolution.defs.get(&def)) {
                thumbnail_ui(cx, ui, def, room);
            }
        }
        FieldType::Image => {
            if let Some(sheet) = cx.derived.images().get(name) {
                let [w, h] = [f(sheet.width()), f(sheet.height())];
                // Of a strip of frames, the first: all of them would be too small to tell anything.
                let shown = if w > 1.5 * h { h } else { w };
                image(name, Rect::from_min_max(pos2(0.0, 0.0), pos2(shown / w.max(1.0), 1.0)), [shown, h]);
            }
        }
        FieldType::Tileset | FieldType::Tile => {
            let (set, tile) = name.split_once('/').unwrap_or((name, ""));
            let Some(doc) = cx.resolution.tilesets.get(set) else { return };
            let Some((tileset, path)) =
                cx.project.tileset(doc).and_then(|it| Some((it, doc.beside(&it.image)?.to_string())))
            else {
                return;
            };
            let Some(sheet) = cx.derived.images().get(&path) else { return };
            let size = vec2(f(sheet.width()), f(sheet.height()));
            let Some(tile) = tileset.tiles.values().find(|it| *it.name == *tile && !tile.is_empty()) else {
                image(&path, whole, [size.x, size.y]);
                return;
            };
            let [x, y] = tileset.source_px(tile).map(f);
            let [w, h] = tileset.tile_size.map(f);
            let uv = Rect::from_min_max(pos2(x / size.x, y / size.y), pos2((x + w) / size.x, (y + h) / size.y));
            image(&path, uv, [w, h]);
        }
        FieldType::Bool
        | FieldType::Int
        | FieldType::Float
        | FieldType::Str
        | FieldType::Vec2
        | FieldType::Angle
        | FieldType::Color
        | FieldType::Enum(_)
        | FieldType::Flags(_)
        | FieldType::List(_)
        | FieldType::Map(_)
        | FieldType::Struct(_)
        | FieldType::Option(_)
        | FieldType::Shape
        | FieldType::Machine
        | FieldType::Level
        | FieldType::Sound
        | FieldType::Tunable
        | FieldType::Tag
        | FieldType::Target
        | FieldType::Layer
        | FieldType::Message
        | FieldType::Component
        | FieldType::Field
        | FieldType::State
        | FieldType::Any => {}
    }
}

/// A name of something else in the project: chosen from what there is, with the way to it. A name of nothing is marked,
/// with what was probably meant.
pub fn reference_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, ty: &FieldType, value: &Value) -> Option<ValueChange<Value>> {
    let current = value.as_str().unwrap_or_default().to_owned();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let mut out = None;
        let target = location(cx, ty, &current);
        let is_missing = !current.is_empty() && target.is_none() && !exists(cx, ty, &current);
        if let Some(target) = target {
            let go = format!("Go to {current}");
            let button = IconButton::new(icons::ICON_ARROW_OUTWARD.codepoint, &go).show(cx.theme, ui);
            if button.tip(go).clicked() {
                cx.send(Action::GoTo(target));
            }
        } else if is_missing {
            let near = cx.derived.memos().get(("near", name, &current), || {
                let choices = choices(cx, ty);
                did_you_mean(&current, choices.iter().map(|choice| &*choice.name)).map(str::to_owned)
            });
            let say = format!("{name}: there is no {current}");
            let button = IconButton::new(icons::ICON_WARNING.codepoint, &say).show(cx.theme, ui);
            let line = egui::Stroke::new(1.5, cx.theme.error);
            ui.painter().hline(button.rect.x_range(), button.rect.bottom() - 2.0, line);
            let tip = match &*near {
                Some(near) => format!("There is no {current}. Click to use {near}"),
                None => format!("There is no {current}"),
            };
            if let (true, Some(near)) = (button.tip(tip).clicked(), &*near) {
                out = Some(ValueChange::Commit(Value::Str(near.clone())));
            }
        }
        if *ty == FieldType::Sound && !current.is_empty() && !is_missing {
            hear_ui(cx, ui, &current);
        }
        let picked = choose_ui(cx, ui, name, (&current, ty), || choices(cx, ty));
        picked.map(|picked| ValueChange::Commit(Value::Str(picked.to_string()))).or(out)
    })
    .inner
}

/// A button that plays a sound of the project.
fn hear_ui(cx: &Cx<'_>, ui: &mut Ui, sound: &str) {
    let can_play = cfg!(feature = "sound");
    let name = format!("Play {sound}");
    let icon = if can_play { icons::ICON_PLAY_ARROW } else { icons::ICON_VOLUME_OFF };
    let button = IconButton::new(icon.codepoint, &name).enabled(can_play).show(cx.theme, ui);
    if button.tip(if can_play { &*name } else { WITHOUT_SOUND }).clicked() {
        cx.send(Action::Hear(sound.into()));
    }
}

/// Everything that a reference of a type can name.
fn choices(cx: &Cx<'_>, ty: &FieldType) -> Vec<Choice> {
    let resolution = cx.resolution;
    let one = Choice::about;
    match ty {
        FieldType::Def => {
            let detail = |name: &Name| {
                if resolution.defs.get(name).is_some_and(|def| def.is_abstract) { "abstract" } else { "" }.to_owned()
            };
            resolution.def_docs.keys().map(|name| one(name, detail(name))).collect()
        }
        FieldType::Machine => {
            let states =
                |doc: &DocPath, name: &Name| cx.project.machine(doc, name).map_or(0, |it| it.root.states.len());
            resolution.machines.iter().map(|(name, doc)| one(name, counted(states(doc, name), "state"))).collect()
        }
        FieldType::Tileset => resolution.tilesets.iter().map(|(name, doc)| one(name, doc.to_string())).collect(),
        FieldType::Level => {
            let size = |doc: &DocPath| {
                let size = cx.project.level(doc).and_then(|level| level.size);
                size.map_or_else(|| "unbounded".to_owned(), |[w, h]| format!("{w} × {h}"))
            };
            resolution.levels.iter().map(|(name, doc)| one(name, size(doc))).collect()
        }
        FieldType::Entity => {
            let all = cx.level().into_iter().flat_map(|(_, level)| level.entities());
            all.map(|(_, id, instance)| one(id, instance.def.to_string())).collect()
        }
        FieldType::Image => {
            let sizes = cx.derived.images().iter();
            sizes.map(|(path, it)| one(&path.as_str().into(), format!("{} × {}", it.width(), it.height()))).collect()
        }
        FieldType::Sound => cx.derived.sounds().keys().map(|path| one(&path.as_str().into(), String::new())).collect(),
        FieldType::Tunable => {
            let pages = resolution.pages.iter().flat_map(|page| page.values.iter().map(move |value| (page, value)));
            let detail = |tunable: &crate::model::Tunable| {
                format!("{} {}", tunable.value, tunable.unit.as_deref().unwrap_or_default()).trim_end().to_owned()
            };
            pages
                .map(|(page, (name, tunable, _))| one(&format!("{}.{name}", page.name).into(), detail(tunable)))
                .collect()
        }
        FieldType::Tile => {
            let of_set = |(name, path): (&Name, &DocPath)| {
                let tiles = cx.project.tileset(path).map(|set| set.tiles.iter()).into_iter().flatten();
                tiles
                    .filter(|(_, tile)| !tile.name.is_empty())
                    .map(|(id, tile)| one(&format!("{name}/{}", tile.name).into(), format!("tile {id}")))
                    .collect::<Vec<_>>()
            };
            resolution.tilesets.iter().flat_map(of_set).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether something without a place of its own is there: an image, a tile, a built-in constant.
fn exists(cx: &Cx<'_>, ty: &FieldType, name: &str) -> bool {
    match ty {
        FieldType::Image => cx.derived.images().contains_key(name),
        FieldType::Sound => cx.derived.sounds().contains_key(name),
        FieldType::Tunable => cx.resolution.tunable(name).is_some(),
        _ => false,
    }
}

/// Where something is.
fn location(cx: &Cx<'_>, ty: &FieldType, name: &str) -> Option<Location> {
    let resolution = cx.resolution;
    let inside = |doc: &DocPath| Location::new(doc.clone(), FieldPath::keys([name]));
    match ty {
        FieldType::Def => resolution.def_docs.get(name).map(inside),
        FieldType::Machine => resolution.machines.get(name).map(inside),
        FieldType::Tileset => resolution.tilesets.get(name).map(|doc| Location::doc(doc.clone())),
        FieldType::Tile => {
            let (set, tile) = name.split_once('/')?;
            let doc = resolution.tilesets.get(set)?;
            let is_there = cx.project.tileset(doc)?.tiles.values().any(|it| *it.name == *tile);
            is_there.then(|| Location::doc(doc.clone()))
        }
        FieldType::Level => resolution.levels.get(name).map(|doc| Location::doc(doc.clone())),
        FieldType::Entity => {
            let (doc, level) = cx.level()?;
            let (layer, _) = level.entity(name)?;
            let path = level.entity_at(layer, name);
            Some(Location::new(doc.clone(), path))
        }
        FieldType::Tunable => {
            let (page, _) = name.split_once('.')?;
            let is_page = |doc: &Document| matches!(doc, Document::Tuning(file) if &*file.page == page);
            let found = cx.project.documents.iter().find(|(_, doc)| is_page(doc));
            found.map(|(path, _)| Location::doc(path.clone()))
        }
        _ => None,
    }
}
