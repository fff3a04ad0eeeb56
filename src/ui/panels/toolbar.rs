//! The toolbar: tools, transport, and the options of the tool in hand.

use egui::{Align, Label, RichText, Role, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use crate::tools::{Repeat, ToolKind};
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Command, ViewChange},
    ui::{
        CommandLook as _, CommandState as _, Cx,
        theme::{BODY, ROW},
        widgets::{
            ICON_BUTTON, IconButton, command_button,
            number::{NumberSpec, drag_ui},
            words::clock_text,
        },
    },
};

/// Room for the options of any tool, in points.
const OPTIONS: f32 = 260.0;

/// Room for what the transport shows while something plays, in points.
const TRANSPORT: f32 = 150.0;

/// Show the toolbar. A window that is too narrow to hold every tool's options beside the commands shows the options of
/// the current tool in a second row. The toolbar is then equally high for all tools, and the panes below do not move.
pub fn toolbar_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let mut is_below = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for command in [Command::Undo, Command::Redo, Command::Save, Command::SaveAll] {
            command_button(cx, ui, command);
        }
        ui.separator();
        for tool in ToolKind::ALL {
            command_button(cx, ui, Command::Tool(tool));
        }
        ui.separator();
        for command in [Command::ToggleGrid, Command::ToggleSnap] {
            command_button(cx, ui, command);
        }
        ui.separator();
        let before = ui.available_size_before_wrap().x;
        transport_ui(cx, ui);
        is_below = before - 3.0 * ICON_BUTTON.x - TRANSPORT < OPTIONS;
        if !is_below {
            options_ui(cx, ui);
        }
    });
    if is_below {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.set_min_height(ICON_BUTTON.y);
            ui.label(RichText::new(Command::Tool(cx.view.tool).spec().text).size(BODY).color(cx.theme.text_weak));
            options_ui(cx, ui);
        });
    }
}

/// The options of the tool in hand. They stand last, since each tool has others.
fn options_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let tool = cx.view.tool;
    let brush = [Command::FlipStampH, Command::FlipStampV, Command::RotateStamp, Command::ToggleRandomBrush];
    let all = [
        (tool.has_outline(), &[Command::ToggleOutlines][..]),
        (tool.finds_tiles(), &[Command::ToggleByTerrain]),
        (tool.selects_cells(), &[Command::ToggleAllLayers]),
        (tool.paints_brush(), &brush),
        (matches!(tool, ToolKind::Select | ToolKind::Entity), &[Command::ToggleSnapPixels, Command::ToggleGuides]),
    ];
    if tool.has_tip() || all.iter().any(|(has, _)| *has) {
        ui.separator();
    }
    if tool.has_tip() {
        tip_ui(cx, ui);
    }
    if tool == ToolKind::Repeat {
        repeat_ui(cx, ui);
    }
    for command in all.into_iter().filter(|(has, _)| *has).flat_map(|(_, commands)| commands) {
        command_button(cx, ui, *command);
    }
}

/// How what is repeated is spread along a line.
fn repeat_ui(cx: &Cx<'_>, ui: &mut Ui) {
    ui.separator();
    let mut repeat = cx.view.options.repeat;
    let number = |ui: &mut Ui, [caption, name]: [&str; 2], tip: &str, now: f64, spec: NumberSpec<'_>| {
        ui.label(cx.theme.caption(caption));
        let (response, change) = drag_ui(ui, name, now, &spec);
        response.tip(tip);
        change.map(|change| change.into_parts().0)
    };
    let count = NumberSpec { min: Some(1.0), max: Some(f64::from(Repeat::MAX)), is_int: true, ..NumberSpec::default() };
    let tip = "How many copies, evenly up to the end of the line";
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within its range")]
    if let Some(n) = number(ui, ["Copies", "Number of copies"], tip, f64::from(repeat.n_copies), count) {
        repeat.n_copies = n.clamp(1.0, f64::from(Repeat::MAX)) as u32;
    }
    let spacing = NumberSpec { min: Some(0.0), max: Some(65536.0), unit: Some("px"), step: Some(1.0), ..count };
    let tip = "How far they are apart, as many as fit; 0 for the number of copies";
    if let Some(px) =
        number(ui, ["Spacing", "Spacing of copies"], tip, repeat.spacing_px, NumberSpec { is_int: false, ..spacing })
    {
        repeat.spacing_px = px.max(0.0);
    }
    if repeat != cx.view.options.repeat {
        cx.send(Action::View(ViewChange::Repeat(repeat)));
    }
}

/// How many cells a brush covers, and in which shape.
fn tip_ui(cx: &Cx<'_>, ui: &mut Ui) {
    command_button(cx, ui, Command::SmallerBrush);
    let size = cx.view.options.tip.size();
    // As wide for every size, or the buttons beside it would move away under the pointer.
    let text = Label::new(RichText::new(size.to_string()).size(BODY).color(cx.theme.text)).halign(Align::Center);
    let response =
        ui.add_sized(vec2(18.0, ROW), text).tip("Size of the brush, in cells or in copies of what it paints");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Brush size {size}")));
    command_button(cx, ui, Command::LargerBrush);
    command_button(cx, ui, Command::ToggleRoundBrush);
}

fn is_playing(cx: &Cx<'_>) -> bool {
    cx.preview.is_some_and(|preview| preview.is_playing)
}

/// The button that plays or pauses, which shows what it would do.
pub(super) fn play_button_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str) {
    let is_playing = is_playing(cx);
    let icon = if is_playing { icons::ICON_PAUSE } else { icons::ICON_PLAY_ARROW };
    let refusal = Command::PlayPause.refusal(cx);
    let button =
        IconButton::new(icon.codepoint, name).selected(is_playing).enabled(refusal.is_none()).show(cx.theme, ui);
    if button.tip(Command::PlayPause.tooltip(cx, ui.ctx())).clicked() {
        cx.command(Command::PlayPause);
    }
}

/// Play or pause, stop, step, speed and the time.
pub fn transport_ui(cx: &Cx<'_>, ui: &mut Ui) {
    play_button_ui(cx, ui, if is_playing(cx) { "Pause" } else { "Play" });
    command_button(cx, ui, Command::Stop);
    command_button(cx, ui, Command::StepTick);
    if let Some(preview) = cx.preview {
        ui.add_space(4.0);
        command_button(cx, ui, Command::Slower);
        let speed = preview.session.speed;
        let speed = if speed < 1.0 { format!("1⁄{:.0}×", 1.0 / speed) } else { format!("{speed:.0}×") };
        ui.label(RichText::new(speed).size(BODY).color(cx.theme.text_weak)).tip("Speed of the preview");
        command_button(cx, ui, Command::Faster);
        if cfg!(feature = "sound") {
            command_button(cx, ui, Command::Mute);
        }
        ui.add_space(4.0);
        let time = clock_text(preview.session.world().time_secs());
        ui.label(RichText::new(time).monospace().color(cx.theme.text)).tip("Time in the preview");
    }
}
