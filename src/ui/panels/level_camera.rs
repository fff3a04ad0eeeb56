//! The view of the Level pane: moved by the hand, by the game's camera or by one that follows an entity; and the
//! control that says and chooses which.

use egui::{Button, CornerRadius, Frame, Id, Margin, Rect, Response, RichText, Sense, Stroke, Ui, UiBuilder, vec2};

use crate::{
    editor::{Action, Camera, CameraMode, Command, Preview, ViewChange},
    model::{DocPath, Level, Name},
    ui::{
        CommandLook as _, CommandState as _, Cx,
        canvas::{
            camera::OnScreen as _,
            navigate,
            paint::{self, Viewport},
        },
        theme::BODY,
        widgets::{Tip as _, has_keyboard, icon_text},
    },
};

/// The modes as the control shows them.
const MODES: [(CameraMode, Command, &str); 3] = [
    (CameraMode::Game, Command::CameraHome, "Game"),
    (CameraMode::Follow, Command::CameraFollow, "Follow"),
    (CameraMode::Free, Command::CameraFree, "Free"),
];

/// The view of this frame, as the hand or a camera has moved it.
pub(super) fn viewport_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    (view, response): (Rect, &Response),
    (doc, level): (&DocPath, &Level),
) -> Viewport {
    let preview = cx.preview.filter(|preview| preview.level == *doc);
    let is_playing = preview.is_some_and(|preview| preview.is_playing);
    let known = cx.view.cameras.get(doc).copied();
    let game = preview.and_then(|preview| game_camera(preview, view));
    let camera = game.or(known).unwrap_or_else(|| Camera::fitting(paint::level_rect(level), view).even());
    let mut moved = navigate::navigated(ui, response, view, camera, !is_playing && !has_keyboard(response));
    let mode = preview.map(|preview| preview.camera.mode());
    let follows = game.is_none() && mode.is_some_and(|mode| mode != CameraMode::Free);
    let mut is_by_hand = moved != camera;
    // What is followed at a scale that the user chooses is followed at another one, too.
    if follows && is_by_hand && moved.scale.total_cmp(&camera.scale).is_ne() {
        is_by_hand = false;
        moved.center = if is_playing { camera.center } else { moved.center };
    }
    // A camera that follows an entity stops at the level's edge.
    let is_kept_inside = follows && !is_by_hand && level.size.is_some();
    let shown = if is_kept_inside { moved.within(paint::level_rect(level), view) } else { moved };
    if is_by_hand {
        cx.send(Action::View(ViewChange::Camera(doc.clone(), shown)));
    } else if known != Some(shown) {
        cx.send(Action::View(ViewChange::Seen { doc: doc.clone(), camera: shown, before: known }));
    }
    Viewport { view, camera: shown }
}

/// The game's camera, so that all it shows is seen; none where the user chooses how large things are.
fn game_camera(preview: &Preview, view: Rect) -> Option<Camera> {
    let game = preview.camera.game_view(&preview.cameras)?;
    let size = game.size.as_vec2().max(glam::Vec2::splat(1.0));
    let scale = (view.width() / size.x).min(view.height() / size.y);
    Some(Camera { center: game.center.as_vec2(), scale: 1.0 }.scaled(scale))
}

/// Shade what the game does not show, while the view is the game's.
pub(super) fn beyond_picture_ui(cx: &Cx<'_>, painter: &egui::Painter, viewport: &Viewport, preview: &Preview) {
    let Some(game) = preview.camera.game_view(&preview.cameras) else { return };
    let size = game.size.as_vec2() * viewport.camera.scale;
    let view = viewport.view;
    let picture = Rect::from_center_size(view.center(), vec2(size.x, size.y)).intersect(view);
    let shade = cx.theme.canvas.gamma_multiply(0.75);
    let beyond = [
        Rect::from_min_max(view.min, egui::pos2(picture.left(), view.bottom())),
        Rect::from_min_max(egui::pos2(picture.right(), view.top()), view.max),
        Rect::from_min_max(picture.left_top() - vec2(0.0, picture.top() - view.top()), picture.right_top()),
        Rect::from_min_max(picture.left_bottom(), egui::pos2(picture.right(), view.bottom())),
    ];
    for rect in beyond.into_iter().filter(egui::Rect::is_positive) {
        painter.rect_filled(rect, 0.0, shade);
    }
}

/// Show and choose what moves the view, at the right bottom of the level.
pub(super) fn modes_ui(cx: &Cx<'_>, ui: &mut Ui, view: Rect, preview: &Preview) {
    let memory = Id::unique("camera modes");
    let size = ui.data(|data| data.get_temp::<egui::Vec2>(memory)).unwrap_or_else(|| vec2(190.0, 26.0));
    let corner = view.max - vec2(8.0, 8.0) - size;
    if corner.x < view.left() || corner.y < view.top() {
        return;
    }
    let room = Rect::from_min_size(corner, size);
    // The level is not pointed at through it.
    ui.interact(room, memory.with("ground"), Sense::CLICK | Sense::DRAG);
    let mut child = ui.new_child(UiBuilder::new().id_salt("camera modes").max_rect(room.expand(2.0)));
    child.set_clip_rect(view);
    let frame = Frame::new()
        .fill(cx.theme.panel.gamma_multiply(0.92))
        .stroke(Stroke::new(1.0, cx.theme.line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(2));
    let shown = frame.show(&mut child, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 1.0;
            for (mode, command, text) in MODES {
                mode_ui(cx, ui, preview, (mode, command, text));
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(memory, shown.response.rect.size()));
}

fn mode_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, (mode, command, text): (CameraMode, Command, &str)) {
    let is_on = preview.camera.mode() == mode;
    let refusal = command.refusal(cx);
    let color = if is_on { cx.theme.on_accent } else { cx.theme.text };
    let text = RichText::new(text).size(BODY).color(color);
    let button = Button::new((icon_text(command.spec().icon, 14.0).color(color), text))
        .fill(if is_on { cx.theme.accent } else { egui::Color32::TRANSPARENT })
        .frame_when_inactive(is_on);
    let response = ui.add_enabled(refusal.is_none() || is_on, button);
    let name = command.spec().text;
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, refusal.is_none(), is_on, name));
    let followed: Option<&Name> = preview.camera.followed().filter(|_| mode == CameraMode::Follow);
    let tip = command.tooltip(cx, ui.ctx());
    let tip = followed.map_or_else(|| tip.clone(), |id| format!("{tip}\nFollows {id}"));
    let response = response.tip(tip).on_disabled_hover_text(refusal.clone().unwrap_or_default());
    if response.clicked() && refusal.is_none() {
        cx.command(command);
    }
}
