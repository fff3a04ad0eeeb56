//! The form of a new tileset: the picture, where its tiles are, and a preview of both. What is wrong with a field is
//! the draft's to say.

use std::{rc::Rc, sync::Arc};

use egui::{Align2, FontId, Id, Layout, Rangef, Rect, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use super::{
    dialog_form::{answers, cancel_button, confirms, is_entered, list_height, main_button, title},
    form_rows::{count_ui, problem_ui, row, text_ui},
};
use crate::{
    editor::{Action, BrowseFor, DialogAnswer, Images, NewTileset, SheetPicture, TilesetField, TilesetForm},
    model::{DocPath, FieldSpec, FieldType, Value},
    raster::{Image, MAX_SIDE, SheetGrid},
    ui::{
        ShellCx,
        theme::BODY,
        widgets::{Tip as _, icon_text, value::value_ui},
    },
};

/// Tiles are drawn at least this large, in points, so that their grid can be seen.
const SMALLEST_TILE: f32 = 6.0;

/// Whether the path had the focus already: it gets it once.
fn focused_id() -> Id {
    Id::unique("new tileset focused")
}

/// Forget that; called when the dialog closes.
pub(super) fn forget(data: &mut egui::util::IdTypeMap) {
    data.remove::<bool>(focused_id());
}

/// Show the dialog's content.
pub(super) fn new_tileset_ui(cx: &ShellCx<'_>, ui: &mut Ui, new: &NewTileset) {
    title(cx, ui, "New tileset");
    let is_entered = is_entered(ui);
    let mut form = new.form().clone();
    let looked = looked(cx, new);
    let problem = |field| looked.problems.iter().find(|(of, _)| *of == field).and_then(|(_, why)| why.clone());
    row(cx, ui, "Picture", |ui| {
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Browse…").tip("Ask the system's dialog").clicked() {
                cx.send(Action::Browse(BrowseFor::Picture));
            }
            let hint = "Path of a PNG, or drop one on the window";
            let response = text_ui(ui, "Picture", hint, &mut form.path);
            if !ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(focused_id()), true)) {
                response.request_focus();
            }
        });
    });
    row(cx, ui, "", |ui| {
        let inside = new.picture().and_then(|picture| picture.inside.as_ref());
        let now = Value::str(inside.map_or("", |doc| doc.as_str()));
        let spec = FieldSpec::of(FieldType::Image);
        if let Some(change) = value_ui(cx, ui, "Picture of the project", &spec, &now)
            && let Some(path) = change.into_parts().0.as_str()
        {
            path.clone_into(&mut form.path);
        }
        ui.label(cx.theme.caption("of the project"));
    });
    problem_ui(cx, ui, problem(TilesetField::Picture).as_deref());
    let picture = new.picture();
    // Rows that say nothing yet take their room, or the dialog would move under the pointer.
    let place = picture.zip(looked.place.as_ref()).map(|(picture, place)| {
        let [w, h] = picture.image.size();
        let how = if picture.inside.is_some() { "in the project" } else { "copied into the project" };
        format!("{w} × {h} px, {how}: {place}")
    });
    if place.is_some() || problem(TilesetField::Picture).is_none() {
        let place = cx.theme.caption(place.unwrap_or_default());
        row(cx, ui, "", |ui| ui.add(egui::Label::new(place).truncate()));
    }
    row(cx, ui, "Name", |ui| text_ui(ui, "Name of the tileset", "", &mut form.name));
    problem_ui(cx, ui, problem(TilesetField::Name).as_deref());
    grid_ui(cx, ui, &mut form.grid, picture);
    problem_ui(cx, ui, problem(TilesetField::Grid).as_deref());
    ui.add_space(8.0);
    let height = list_height(ui, 358.0, 300.0);
    ui.scope(|ui| {
        ui.set_min_height(height);
        if let Some(picture) = picture {
            preview_ui(cx, ui, (new.form().grid, picture), height);
            return;
        }
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        ui.painter().rect_filled(rect, 4.0, cx.theme.well);
        let text =
            if new.unread().is_some() { "Reading the picture…" } else { "The picture and its tiles are shown here" };
        let font = FontId::proportional(BODY);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, font, cx.theme.text_weak);
    });
    ui.label(looked.summary.clone().unwrap_or_default());
    if let Some(why) = &new.failure {
        ui.horizontal_wrapped(|ui| {
            ui.label(icon_text(icons::ICON_ERROR.codepoint, 15.0).color(cx.theme.error));
            ui.colored_label(cx.theme.error, why);
        });
    }
    let can_make = !new.is_adding && picture.is_some() && looked.problems.iter().all(|(_, why)| why.is_none());
    let is_confirmed = confirms(cx, ui, is_entered, form != *new.form());
    if form != *new.form() {
        cx.send(Action::TilesetForm(form));
    }
    answers(ui, |ui| {
        if main_button(cx, ui, "Create", can_make) || (is_confirmed && can_make) {
            cx.send(Action::Dialog(DialogAnswer::MakeTileset));
        }
        cancel_button(cx, ui);
    });
}

/// What comes of a form, and of which.
struct Looked {
    form: TilesetForm,
    picture: Option<Arc<Image>>,
    images: Arc<Images>,
    revision: u64,
    /// Whether the picture is still to be read.
    is_unread: bool,
    problems: [(TilesetField, Option<String>); 3],
    place: Option<DocPath>,
    summary: Option<String>,
}

/// What comes of the form; looked up again once something of it is another.
fn looked(cx: &ShellCx<'_>, new: &NewTileset) -> Rc<Looked> {
    let (images, revision) = (cx.derived.images(), cx.workspace.revision());
    let picture = new.picture().map(|picture| &picture.image);
    let is_unread = new.unread().is_some();
    let is_current = |it: &Looked| {
        let is_same_picture = match (&it.picture, picture) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let is_same = it.form == *new.form() && it.revision == revision && it.is_unread == is_unread;
        is_same && is_same_picture && Arc::ptr_eq(&it.images, images)
    };
    let look = |_: Option<&Looked>| Looked {
        form: new.form().clone(),
        picture: picture.cloned(),
        images: images.clone(),
        revision,
        is_unread,
        problems: [TilesetField::Picture, TilesetField::Name, TilesetField::Grid]
            .map(|field| (field, new.problem(field, cx.project))),
        place: new.place(images),
        summary: new.summary(),
    };
    cx.derived.memos().get_current("new tileset", is_current, look)
}

/// The measures of the grid, and a way back to those that were guessed.
fn grid_ui(cx: &ShellCx<'_>, ui: &mut Ui, grid: &mut SheetGrid, picture: Option<&SheetPicture>) {
    row(cx, ui, "Tile", |ui| {
        let [width, height] = &mut grid.tile_size;
        count_ui(ui, "Tile width", "px", MAX_SIDE, width);
        ui.label("×");
        count_ui(ui, "Tile height", "px", MAX_SIDE, height);
    });
    row(cx, ui, "Margin", |ui| {
        count_ui(ui, "Margin", "px", MAX_SIDE, &mut grid.margin);
        ui.add_space(12.0);
        ui.colored_label(cx.theme.text_weak, "Spacing");
        count_ui(ui, "Spacing", "px", MAX_SIDE, &mut grid.spacing);
        let guess = picture.map(|picture| picture.guess).filter(|guess| guess != grid);
        if let Some(guess) = guess {
            ui.add_space(12.0);
            let tip = "Go back to what the picture itself suggests";
            if ui.button("Guess again").tip(tip).clicked() {
                *grid = guess;
            }
        }
    });
}

/// The picture under its grid.
fn preview_ui(cx: &ShellCx<'_>, ui: &mut Ui, (grid, picture): (SheetGrid, &SheetPicture), height: f32) {
    let [w, h] = picture.image.size().map(|side| side as f32);
    let room = vec2(ui.available_width() - 2.0, height);
    let smallest = grid.tile_size[0].min(grid.tile_size[1]).max(1) as f32;
    let fit = (room.x / w).min(room.y / h);
    // Whole multiples keep pixels square.
    let scale = if fit >= 1.0 { fit.floor().min(4.0) } else { fit.max((SMALLEST_TILE / smallest).min(1.0)) };
    let area =
        ScrollArea::both().auto_shrink([false, true]).max_height(room.y).min_scrolled_height(room.y.min(h * scale));
    area.show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(w, h) * scale, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "The picture and its tiles"));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, cx.theme.well);
        cx.textures.paint_whole(&painter, "new tileset", &picture.image, rect);
        lines_ui(cx, ui, (grid, picture.image.size()), (rect, scale));
    });
}

/// Lines along the sides of the tiles, where there is room between them.
fn lines_ui(cx: &ShellCx<'_>, ui: &Ui, (grid, size): (SheetGrid, [u32; 2]), (rect, scale): (Rect, f32)) {
    let cells = grid.cells(size);
    let clip = ui.clip_rect().intersect(rect);
    if cells.contains(&0) || !clip.is_positive() {
        return;
    }
    let painter = ui.painter().with_clip_rect(clip);
    let stroke = Stroke::new(1.0, cx.theme.accent);
    let at = |i: usize, n: u32, px: u32| (grid.corner([n; 2])[i] + px) as f32 * scale;
    let end = [0, 1].map(|i: usize| at(i, cells[i] - 1, grid.tile_size[i]));
    let start = [0, 1].map(|i: usize| at(i, 0, 0));
    let corners = [rect.left(), rect.top()];
    for (i, seen) in [clip.x_range(), clip.y_range()].into_iter().enumerate() {
        let corner = corners[i];
        let step = (grid.tile_size[i] + grid.spacing) as f32 * scale;
        if step < SMALLEST_TILE / 2.0 {
            continue;
        }
        // Only the lines that are seen are drawn, however many there are.
        let number = |x: f32| ((x - corner - start[i]) / step).floor().max(0.0) as u32;
        let across = 1 - i;
        let ends = Rangef::new(corners[across] + start[across], corners[across] + end[across]);
        for n in number(seen.min)..=number(seen.max).min(cells[i] - 1) {
            let sides = [at(i, n, 0), at(i, n, grid.tile_size[i])];
            // Neighbors without spacing share a line.
            for side in &sides[..if grid.spacing == 0 && n + 1 < cells[i] { 1 } else { 2 }] {
                let side = corner + *side;
                if i == 0 {
                    painter.vline(side, ends, stroke);
                } else {
                    painter.hline(ends, side, stroke);
                }
            }
        }
    }
}
