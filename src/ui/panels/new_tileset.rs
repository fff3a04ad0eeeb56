//! The form of a new tileset: the picture, where its tiles are, and a preview of both. What is wrong with a field is the draft's to
//! say.

use egui::{Color32, Key, Layout, Pos2, Rangef, Rect, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

use super::{
    dialog_form::{answers, cancel_button, list_height, main_button, title},
    form_rows::{count_ui, problem_ui, row, text_ui},
};
use crate::{
    editor::{Action, BrowseFor, DialogAnswer, NewTileset, SheetPicture, TilesetField},
    raster::{MAX_SIDE, SheetGrid},
    ui::{
        ShellCx,
        widgets::{Tip as _, icon_text},
    },
};

/// Tiles are drawn at least this large, in points, so that their grid can be seen.
const SMALLEST_TILE: f32 = 6.0;

/// Show the dialog's content.
pub(super) fn new_tileset_ui(cx: &ShellCx<'_>, ui: &mut Ui, new: &NewTileset) {
    title(cx, ui, "New tileset");
    // A number that is typed ends with Enter, and loses the focus by it.
    let has_no_focus = ui.memory(|memory| memory.focused().is_none());
    let mut form = new.form().clone();
    let problem = |field| new.problem(field, cx.project);
    let is_path_done = row(cx, ui, "Picture", |ui| {
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Browse…").tip("Ask the system's dialog").clicked() {
                cx.send(Action::Browse(BrowseFor::Picture));
            }
            text_ui(ui, "Picture", "Path of a PNG, or drop one on the window", &mut form.path)
        })
        .inner
    });
    problem_ui(cx, ui, problem(TilesetField::Picture).as_deref());
    let picture = new.picture();
    if let Some((picture, place)) = picture.zip(new.place(cx.derived.images())) {
        let [w, h] = picture.image.size();
        let place = if picture.inside.is_some() {
            format!("{w} × {h} px, in the project: {place}")
        } else {
            format!("{w} × {h} px, copied into the project: {place}")
        };
        row(cx, ui, "", |ui| ui.add(egui::Label::new(cx.theme.caption(place)).truncate()));
    }
    let is_name_done = row(cx, ui, "Name", |ui| text_ui(ui, "Name of the tileset", "", &mut form.name));
    problem_ui(cx, ui, problem(TilesetField::Name).as_deref());
    grid_ui(cx, ui, &mut form.grid, picture);
    problem_ui(cx, ui, problem(TilesetField::Grid).as_deref());
    ui.add_space(8.0);
    if let Some(picture) = picture {
        preview_ui(cx, ui, new, picture);
    } else if new.unread().is_some() {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(cx.theme.caption("Reading the picture…"));
        });
    }
    if let Some(summary) = new.summary() {
        ui.add_space(4.0);
        ui.label(summary);
    }
    if let Some(why) = &new.failure {
        ui.horizontal_wrapped(|ui| {
            ui.label(icon_text(icons::ICON_ERROR.codepoint, 15.0).color(cx.theme.error));
            ui.colored_label(cx.theme.error, why);
        });
    }
    let can_make = !new.is_adding && new.plan(cx.project, cx.derived.images()).is_ok();
    if form != *new.form() {
        cx.send(Action::TilesetForm(form));
    }
    // Enter confirms while a text field or nothing has the focus.
    let is_enter = is_path_done || is_name_done || (has_no_focus && ui.input(|input| input.key_pressed(Key::Enter)));
    answers(ui, |ui| {
        if main_button(cx, ui, "Create", can_make) || (is_enter && can_make) {
            cx.send(Action::Dialog(DialogAnswer::MakeTileset));
        }
        cancel_button(cx, ui);
    });
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
fn preview_ui(cx: &ShellCx<'_>, ui: &mut Ui, new: &NewTileset, picture: &SheetPicture) {
    let grid = new.form().grid;
    let [w, h] = picture.image.size().map(|side| side as f32);
    let room = vec2(ui.available_width() - 2.0, list_height(ui, 330.0, 300.0));
    let smallest = grid.tile_size[0].min(grid.tile_size[1]).max(1) as f32;
    let fit = (room.x / w).min(room.y / h);
    // Whole multiples keep pixels square.
    let scale = if fit >= 1.0 { fit.floor().min(4.0) } else { fit.max((SMALLEST_TILE / smallest).min(1.0)) };
    let texture = cx.textures.of_image(ui.ctx(), "new tileset", &picture.image);
    let area =
        ScrollArea::both().auto_shrink([false, true]).max_height(room.y).min_scrolled_height(room.y.min(h * scale));
    area.show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(w, h) * scale, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "The picture and its tiles"));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, cx.theme.well);
        painter.image(texture.id(), rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
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
