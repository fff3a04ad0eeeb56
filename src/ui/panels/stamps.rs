//! The Stamps pane: the project's stamps with small pictures, to paint with one or, at random, with several, and what
//! is done with each.

use std::sync::Arc;

use egui::{CornerRadius, Id, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

use super::{
    focus_name,
    palette::{by_key, cards_ui},
    project::file_menu_ui,
};
use crate::{
    edit::{Edit, LayeredStamp},
    editor::{Action, Command, Pane, ViewChange},
    model::{DocPath, Document, FieldPath, StampFile, counted},
    raster::{Image, StampSheet, stamp_picture},
    tools::ToolKind,
    ui::{
        Cx, focus,
        theme::SMALL,
        widgets::{
            command_button, elided, empty_state, has_keyboard, icon_font, is_wanted, matches,
            number::{NumberSpec, drag_ui},
            search_field, tip_beside,
        },
    },
};

/// Side of a stamp's card, in points.
const CARD: f32 = 84.0;

/// The longest side of a stamp's picture, in pixels.
const PICTURE: u32 = 128;

/// Show the Stamps pane.
pub fn stamps_ui(cx: &Cx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::NewStampFromCells);
        command_button(cx, ui, Command::NewStampFromBrush);
        weight_ui(cx, ui);
    });
    let stamps = &cx.resolution.stamps;
    if stamps.is_empty() {
        let how = "Select tiles in a level (M), then New stamp from selection… above keeps them here";
        empty_state(cx.theme, ui, icons::ICON_APPROVAL.codepoint, "The project has no stamps", how);
        return;
    }
    let query = search_field(cx.theme, ui, Id::unique("stamp search"), "Search stamps");
    let shown: Vec<&DocPath> = stamps.iter().filter(|(name, _)| matches(&query, name)).map(|(_, doc)| doc).collect();
    let asked = is_wanted(ui, &focus_name(Pane::Stamps)).then(|| {
        let in_hand = shown.iter().find(|doc| held(cx).any(|it| it == **doc));
        in_hand.or(shown.first()).copied()
    });
    let asked = asked.flatten();
    let in_sight = asked.and_then(|asked| shown.iter().position(|doc| *doc == asked));
    cards_ui(ui, Vec2::splat(CARD), &shown, in_sight, |ui, doc| card_ui(cx, ui, doc, asked == Some(*doc)));
}

/// The files of the stamps in hand.
fn held<'a>(cx: &'a Cx<'_>) -> impl Iterator<Item = &'a DocPath> {
    let stamps = if cx.view.tool == ToolKind::Stamp { cx.view.stamps.as_slice() } else { &[] };
    stamps.iter().filter_map(|held| held.doc.as_ref())
}

/// The weight of the stamp in hand, and what several mean.
fn weight_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let docs: Vec<&DocPath> = held(cx).collect();
    match docs.as_slice() {
        [doc] => {
            let Some(file) = cx.project.get::<StampFile>(doc) else { return };
            ui.label(cx.theme.caption("Weight"));
            let spec = NumberSpec { min: Some(0.0), step: Some(0.1), ..NumberSpec::default() };
            if let Some(change) = drag_ui(ui, "Weight of the stamp", file.weight, &spec).1 {
                let (weight, phase) = change.into_parts();
                let edits = vec![Edit::set_at(doc, FieldPath::keys(["weight"]), &weight)];
                cx.send(Action::Gesture { label: format!("Set weight of {}", doc.stem()), edits, phase });
            }
        }
        [] => {}
        many => _ = ui.label(cx.theme.caption(format!("{} at random, by weight", counted(many.len(), "stamp")))),
    }
}

fn card_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, is_asked: bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(CARD, CARD), Sense::click());
    let name = doc.stem();
    let is_held = held(cx).any(|it| it == doc);
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_held, format!("Stamp {name}")));
    focus::list_item(&response, is_held);
    if is_asked {
        response.request_focus();
        response.scroll_to_me(None);
    }
    let Some(file) = cx.project.get::<StampFile>(doc) else { return };
    let ground = match (is_held, response.hovered()) {
        (true, _) => cx.theme.accent_ground,
        (_, true) => cx.theme.widget_hover,
        _ => cx.theme.widget,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(4), ground);
    if is_held || has_keyboard(&response) {
        let line = Stroke::new(1.0, cx.theme.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(4), line, StrokeKind::Inside);
    }
    let room = Rect::from_min_max(rect.min + Vec2::splat(5.0), pos2(rect.max.x - 5.0, rect.max.y - 18.0));
    picture_ui(cx, ui, doc, file, room);
    let font = egui::FontId::proportional(SMALL);
    let color = if is_held { cx.theme.text_strong } else { cx.theme.text };
    let galley = elided(ui, name, (font, CARD - 6.0), color);
    let at = pos2(rect.center().x - galley.size().x / 2.0, rect.max.y - 3.0 - galley.size().y);
    ui.painter().galley(at, galley, cx.theme.text);
    file_menu_ui(cx, &response, doc);
    let layers: Vec<&str> = file.layers.iter().map(|layer| &*layer.name).collect();
    let [w, h] = file.size;
    let tip =
        format!("{name}: {w} × {h} on {}\nClick to paint with it, Ctrl to paint several at random", layers.join(", "));
    let response = tip_beside(ui, response, tip);
    if response.clicked() {
        by_key(ui, &response);
        let mut docs: Vec<DocPath> = Vec::new();
        if ui.input(|input| input.modifiers.command || input.modifiers.shift) {
            docs.extend(held(cx).filter(|it| *it != doc).cloned());
        }
        if !is_held || docs.is_empty() {
            docs.push(doc.clone());
        }
        cx.send(Action::View(ViewChange::Stamps(docs)));
    }
}

/// What a picture was made of, and the picture.
struct Picture {
    stamp: Arc<Document>,
    /// Of each layer its tileset and that one's picture, where they are there.
    sheets: Vec<Option<(Arc<Document>, Arc<Image>)>>,
    /// None of a stamp that paints nothing.
    image: Option<Arc<Image>>,
}

/// The picture of a stamp, as large as fits.
pub(super) fn picture_ui(cx: &Cx<'_>, ui: &Ui, doc: &DocPath, file: &StampFile, room: Rect) {
    let Some(document) = cx.project.doc(doc) else { return };
    let sheet = |name: &crate::model::Name| {
        let path = cx.resolution.tilesets.get(name)?;
        let image = path.beside(&cx.project.tileset(path)?.image)?;
        Some((cx.project.doc(path)?.clone(), cx.derived.images().get(image.as_str())?.clone()))
    };
    let sheets: Vec<_> = file.layers.iter().map(|layer| sheet(&layer.tileset)).collect();
    let is_same = |a: &Option<(Arc<Document>, Arc<Image>)>, b: &Option<(Arc<Document>, Arc<Image>)>| match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(&a.0, &b.0) && Arc::ptr_eq(&a.1, &b.1),
        (a, b) => a.is_none() && b.is_none(),
    };
    let made = cx.derived.memos().get_current(
        ("picture of a stamp", doc.as_str()),
        |it: &Picture| {
            let are_same = it.sheets.len() == sheets.len() && it.sheets.iter().zip(&sheets).all(|(a, b)| is_same(a, b));
            Arc::ptr_eq(&it.stamp, document) && are_same
        },
        |_| {
            let layers = file.layers.iter().zip(&sheets).filter_map(|(layer, sheet)| {
                let (set, image) = sheet.as_ref()?;
                let Document::Tileset(tileset) = &**set else { return None };
                Some(StampSheet { tiles: &layer.tiles, tileset, sheet: image })
            });
            let layers: Vec<_> = layers.collect();
            let image = LayeredStamp::of_file(file).map(|_| Arc::new(stamp_picture(&layers, file.size, PICTURE)));
            Picture { stamp: document.clone(), sheets: sheets.clone(), image }
        },
    );
    let Some(image) = &made.image else {
        let icon = icons::ICON_HIDE_IMAGE.codepoint;
        ui.painter().text(room.center(), egui::Align2::CENTER_CENTER, icon, icon_font(22.0), cx.theme.text_weak);
        return;
    };
    let texture = cx.textures.of_image(ui.ctx(), &format!("stamp {doc}"), image);
    let [w, h] = image.size().map(|side| side as f32);
    let fit = (room.width() / w).min(room.height() / h);
    let scale = if fit >= 1.0 { fit.floor().min(3.0) } else { fit };
    let at = Rect::from_center_size(room.center(), vec2(w, h) * scale);
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), at, uv, egui::Color32::WHITE);
}
