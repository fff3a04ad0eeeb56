//! The playback bar below a level that plays: where in the recording it is, to go to any moment of it, and what came of
//! changes made in the past.

use egui::{Align, CornerRadius, Layout, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::toolbar::play_button_ui;
use crate::{
    editor::{Action, Command, Preview, PreviewAction},
    ui::{
        Cx,
        theme::ROW,
        widgets::{Tip as _, command_button, words::clock_text},
    },
};

/// Below this width, in points, the commands that are in the menu as well leave the bar to the time.
const NARROW: f32 = 520.0;
/// Height of the rail, in points.
const RAIL: f32 = 6.0;

/// Show the playback bar; nothing where no level plays.
pub(super) fn playback_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(preview) = cx.preview.filter(|preview| cx.view.level.as_ref() == Some(&preview.level)) else { return };
    let is_narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.set_height(ROW);
        let before: &[Command] =
            if is_narrow { &[Command::StepBack] } else { &[Command::PlayFromStart, Command::StepBack] };
        for command in before {
            command_button(cx, ui, *command);
        }
        play_button_ui(cx, ui, "Play or pause");
        command_button(cx, ui, Command::StepTick);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let mut after = vec![Command::SaveScenario, Command::Branch, Command::ToggleGhosts, Command::RepeatAll];
            if is_narrow {
                after.truncate(1);
            }
            for command in after {
                command_button(cx, ui, command);
            }
            ui.add_space(6.0);
            let [_, end] = preview.session.range();
            let texts = [preview.session.tick(), end].map(|tick| time_text(preview, tick));
            let text = egui::RichText::new(texts.join(" / ")).monospace().color(cx.theme.text);
            ui.label(text).tip_ui(|ui| {
                ui.label(memory_text(preview));
            });
            ui.add_space(6.0);
            rail_ui(cx, ui, preview);
        });
    });
}

/// A tick's time: minutes and seconds with a tenth.
fn time_text(preview: &Preview, tick: u64) -> String {
    clock_text(tick as f64 * preview.session.world().timestep_secs())
}

fn memory_text(preview: &Preview) -> String {
    let megabytes = preview.session.recording_bytes() as f64 / f64::from(1 << 20);
    format!("Moment shown / end of the recording, in minutes and seconds. The recording takes about {megabytes:.1} MB")
}

/// The rail: the recording from its first moment to its last, which a click or drag goes to.
fn rail_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview) {
    let session = &preview.session;
    let [first, end] = session.range();
    let size = vec2(ui.available_width().max(40.0), ROW);
    let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let shown = session.tick();
    let name = format!("Playback at {} of {}", time_text(preview, shown), time_text(preview, end));
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    let rail = Rect::from_center_size(area.center(), vec2(area.width() - 8.0, RAIL));
    let span = (end - first).max(1) as f32;
    let x_of = |tick: u64| rail.left() + rail.width() * (tick.saturating_sub(first) as f32 / span).min(1.0);
    if let Some(pointer) =
        response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on() || response.clicked())
    {
        let share = ((pointer.x - rail.left()) / rail.width().max(1.0)).clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the recording")]
        let tick = first + (share * span).round() as u64;
        if tick != shown {
            cx.send(Action::Preview(PreviewAction::Seek(tick.min(end))));
        }
    }
    let painter = ui.painter();
    painter.rect_filled(rail, RAIL / 2.0, cx.theme.track);
    let part = |from: u64, to: u64| Rect::from_min_max(pos2(x_of(from), rail.top()), pos2(x_of(to), rail.bottom()));
    painter.rect_filled(part(first, shown.max(first)), RAIL / 2.0, cx.theme.accent);
    if let Some([from, to]) = preview.repeated {
        let range = part(from, to).expand2(vec2(0.0, 4.0));
        painter.rect_stroke(range, CornerRadius::same(2), Stroke::new(1.0, cx.theme.good), egui::StrokeKind::Outside);
    }
    // At most one mark a point of the screen.
    let mut last = f32::NEG_INFINITY;
    for x in session.changed_ticks().map(x_of) {
        if x - last >= 2.0 {
            painter.vline(x, (rail.top() - 4.0)..=rail.top(), Stroke::new(1.5, cx.theme.warning));
            last = x;
        }
    }
    let knob = pos2(x_of(shown), rail.center().y);
    let is_touched = response.hovered() || response.is_pointer_button_down_on();
    painter.circle(knob, if is_touched { 7.0 } else { 5.5 }, cx.theme.text_strong, Stroke::new(1.0, cx.theme.chrome));
    if has_keys(ui, &response) {
        painter.rect_stroke(area, CornerRadius::same(3), Stroke::new(1.0, cx.theme.accent), egui::StrokeKind::Inside);
    }
    if response.has_focus()
        && let Some(tick) = tick_by_keys(ui, preview)
    {
        cx.send(Action::Preview(PreviewAction::Seek(tick.clamp(first, end))));
    }
    response.tip(
        "Drag to go to any moment of the recording; played from there it comes again, unless something is changed",
    );
}

/// The tick that a key asks for: arrows go by a tick, with Shift by a second, Home and End to the ends.
fn tick_by_keys(ui: &Ui, preview: &Preview) -> Option<u64> {
    let [first, end] = preview.session.range();
    let shown = preview.session.tick();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a second has few ticks")]
    let second = (1.0 / preview.session.world().timestep_secs()).round() as u64;
    ui.input(|input| {
        let by = if input.modifiers.shift { second } else { 1 };
        let keys = [
            (egui::Key::Home, first),
            (egui::Key::End, end),
            (egui::Key::ArrowLeft, shown.saturating_sub(by)),
            (egui::Key::ArrowRight, shown + by),
        ];
        keys.into_iter().find(|(key, _)| input.key_pressed(*key)).map(|(_, tick)| tick)
    })
}

fn has_keys(ui: &Ui, response: &egui::Response) -> bool {
    response.has_focus() && crate::ui::focus::is_by_keys(ui.ctx())
}

/// What is said on the canvas while recorded keys are repeated.
pub(super) fn repeating_text(preview: &Preview) -> Option<String> {
    let until = preview.session.repeats_until()?;
    Some(format!("Repeating your keys until {}; press one to take over", time_text(preview, until)))
}
