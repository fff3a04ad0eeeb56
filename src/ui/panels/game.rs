//! The Game pane: the game's picture as its cameras show it, each in its part of it; as the level runs, or as it
//! begins.

use egui::{Pos2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;
use glam::DVec2;

use super::level_running::note_text;
use crate::{
    editor::{Action, Camera, Command, Preview, Selection},
    model::{DocPath, Level},
    sim::camera::CameraView,
    ui::{
        CanvasCx, CommandLook as _,
        canvas::{cameras::start_cameras, game, overlay, paint::Viewport},
        widgets::empty_state,
    },
};

/// Show the Game pane.
pub fn game_ui(cx: &CanvasCx<'_>, ui: &mut Ui) {
    let running = cx.preview.and_then(|preview| Some((preview, cx.project.level(&preview.level)?)));
    let Some((doc, level)) = running.map(|(preview, level)| (&preview.level, level)).or_else(|| cx.level()) else {
        let (icon, how) = (icons::ICON_SPORTS_ESPORTS.codepoint, "Choose a level in the Project pane, or press Ctrl+P");
        empty_state(cx.theme, ui, icon, "No level is open", how);
        return;
    };
    let start;
    let (views, picture) = match running {
        Some((preview, _)) => (preview.cameras.views(), preview.session.world().constants().camera.picture),
        None => {
            start = start_cameras(cx, doc, level);
            match &start {
                Some(start) => (&start.views[..], start.picture),
                None => return,
            }
        }
    };
    let (room, response) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let how = if running.is_some() { "" } else { ", as it begins" };
    let name = format!("The game's picture of {}{how}", doc.stem());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &name));
    let preview = running.map(|(preview, _)| preview);
    picture_ui(cx, ui, room, (doc, level), (preview, views, picture));
    let note = match preview {
        Some(preview) => note_text(cx, ui, preview),
        None => {
            let keys = Command::PlayPause.keys_text(cx, ui.ctx()).unwrap_or_default();
            Some(format!("As the level begins: {keys} plays it"))
        }
    };
    if let Some(text) = note {
        overlay::label_ui(cx, ui.painter(), room.center_bottom() + vec2(0.0, -8.0), &text, cx.theme.text);
    }
}

/// The picture, as large as there is room for, and in it what each camera shows.
fn picture_ui(
    cx: &CanvasCx<'_>,
    ui: &Ui,
    room: Rect,
    (doc, level): (&DocPath, &Level),
    (preview, views, picture): (Option<&Preview>, &[CameraView], DVec2),
) {
    let painter = ui.painter().with_clip_rect(room);
    painter.rect_filled(room, 0.0, cx.theme.chrome);
    let size = picture.as_vec2().max(glam::Vec2::ONE);
    let scale = (room.width() / size.x).min(room.height() / size.y);
    let whole = Rect::from_center_size(room.center(), vec2(size.x, size.y) * scale);
    painter.rect_filled(whole, 0.0, cx.theme.canvas);
    for view in views {
        let part = part_of(ui, whole, view);
        if !part.is_positive() {
            continue;
        }
        let camera = Camera { center: view.center.as_vec2(), scale: 1.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a scale")]
        let camera = camera.scaled(scale * view.zoom as f32);
        game::game_ui(cx, &painter, &Viewport { view: part, camera }, (doc, level), preview);
        if view.is_placed() {
            let response = ui.interact(part, ui.scope_id().with(("camera", &view.id)), Sense::click());
            let name = format!("Camera {} in the game", view.id);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if response.clicked() {
                cx.send(Action::Select(Selection::Things { doc: doc.clone(), ids: vec![view.id.clone()] }));
            }
        }
    }
}

/// The part of the picture that a camera has, from pixel to pixel of the screen.
#[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
fn part_of(ui: &Ui, whole: Rect, view: &CameraView) -> Rect {
    let [x, y, width, height] = view.viewport.map(|share| share as f32);
    let pixels = ui.ctx().pixels_per_point();
    let at = |x: f32, y: f32| -> Pos2 {
        let at = whole.min + vec2(x * whole.width(), y * whole.height());
        pos2((at.x * pixels).round() / pixels, (at.y * pixels).round() / pixels)
    };
    Rect::from_min_max(at(x, y), at(x + width, y + height))
}
