//! The dialog of what drives players: the keys and parts of gamepads of each action, to be bound by pressing them.

use std::time::Duration;

use egui::{Button, Event, Id, Key, Popup, PopupCloseBehavior, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo};
use egui_material_icons::icons;

use super::{
    dialog_form::{list_height, title},
    form_rows::row,
};
use crate::{
    edit::{Constants, Phase},
    editor::{Action, Bound, Controls, TuneAction},
    model::{Name, Tunable, Value, counted, sentence},
    sim::{Actions, CONTROLS_PAGE, control_constant},
    ui::{
        Cx, ShellCx,
        theme::SMALL,
        widgets::{
            IconButton, Tip as _, checkbox_ui,
            number::{NumberSpec, drag_ui},
        },
    },
};

/// How often a gamepad is asked while the next button is waited for.
const ASK: Duration = Duration::from_millis(30);

/// Show the dialog's content.
pub(super) fn controls_ui(cx: &ShellCx<'_>, ui: &mut Ui, listening: Option<&Name>) {
    title(cx, ui, "Controls");
    let controls = Controls::of(cx.resolution, cx.tried_values());
    if let Some(action) = listening {
        listen(cx, ui, &controls, action);
    }
    let height = list_height(ui, 150.0, 420.0);
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for action in controls.actions() {
            row(cx, ui, action, |ui| ui.horizontal_wrapped(|ui| action_ui(cx, ui, &controls, action, listening)));
        }
        row(cx, ui, "", |ui| new_action_ui(cx, ui));
        ui.add_space(8.0);
        number_ui(cx, ui);
        row(cx, ui, "", |ui| flag_ui(cx, ui));
    });
    let pads = match cx.n_pads {
        _ if !cfg!(feature = "pads") => "This program was built without gamepads: cargo run --release --features pads",
        0 => "No gamepad was used yet. The first one drives Player 0, as the keyboard does, the second Player 1",
        n => &format!("{} in use", counted(n, "gamepad")),
    };
    ui.label(cx.theme.caption(pads));
}

/// A button that asks for the name of an action of the game's own. Machines react to it, and keys are bound to it as to
/// any other.
fn new_action_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let is_full = Controls::of(cx.resolution, cx.tried_values()).actions().count() >= Actions::MOST;
    let button = IconButton::new(icons::ICON_ADD.codepoint, "New action").enabled(!is_full).show(cx.theme, ui);
    let button =
        button.tip("An action of the game's own: machines get Pressed and Released, and ask Holds and ActionIs");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(200.0);
        let id = Id::unique("new action");
        let mut name = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
        ui.label(cx.theme.caption("A new action, called as its constant"));
        let edit = ui.add(TextEdit::singleline(&mut name).hint_text("Name"));
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the new action"));
        let is_entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let constants = Constants { project: cx.project, builtin: cx.derived.builtin(), schema: &cx.resolution.schema };
        let made = constants.add(&CONTROLS_PAGE.into(), name.trim(), &Tunable::of(Value::List(Vec::new())));
        // Nothing typed yet is nothing wrong yet.
        if let Err(why) = made.as_ref().map_err(|why| sentence(&why.to_string()))
            && !name.trim().is_empty()
        {
            ui.label(RichText::new(why).size(SMALL).color(cx.theme.error));
        }
        let is_pressed = ui.add_enabled(made.is_ok(), Button::new("Add action")).clicked();
        if let (true, Ok((label, edits))) = (is_pressed || is_entered, made) {
            cx.send(Action::Edits { label, edits });
            name.clear();
            ui.close();
        }
        ui.data_mut(|data| data.insert_temp(id, name));
    });
}

/// Set a constant.
fn set(cx: &Cx<'_>, name: &str, value: Value, phase: Phase) {
    cx.send(Action::Tune(TuneAction::Set { name: name.into(), value, phase }));
}

/// The next key is bound; Escape binds none. Buttons of gamepads are read by the program.
fn listen(cx: &Cx<'_>, ui: &Ui, controls: &Controls, action: &Name) {
    let is_press = |event: &Event| matches!(event, Event::Key { pressed: true, repeat: false, .. });
    let pressed = ui.input_mut(|input| {
        let at = input.events.iter().position(is_press)?;
        // No button of the dialog is pressed by it.
        let event = input.events.remove(at);
        input.events.retain(|event| !matches!(event, Event::Text(_)));
        if let Event::Key { key, .. } = event { Some(key) } else { None }
    });
    if let Some(key) = pressed {
        if key != Key::Escape {
            set(cx, &control_constant(action), controls.with(action, key.name(), true), Phase::Commit);
        }
        cx.send(Action::Listen(None));
    }
    ui.ctx().request_repaint_after(ASK);
}

/// What is bound to an action, each with a button to release it, and one to bind more.
fn action_ui(cx: &Cx<'_>, ui: &mut Ui, controls: &Controls, action: &Name, listening: Option<&Name>) {
    for binding in controls.bound(action) {
        let is_known = match Bound::of(binding) {
            Bound::Key(key) => Key::from_name(key).is_some(),
            Bound::Pad(_) => true,
            Bound::Unknown => false,
        };
        let also = controls.also(action, binding);
        let (color, tip) = match () {
            () if !is_known => (cx.theme.error, "No key or part of a gamepad is called that".to_owned()),
            () if !also.is_empty() => (cx.theme.warning, format!("Also bound to {}", also.join(", "))),
            () => (cx.theme.text_strong, format!("{action}: {binding}")),
        };
        ui.label(RichText::new(binding).color(color)).tip(tip);
        let name = format!("Release {binding} from {action}");
        if IconButton::new(icons::ICON_CLOSE.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            set(cx, &control_constant(action), controls.with(action, binding, false), Phase::Commit);
        }
    }
    if listening == Some(action) {
        ui.label(RichText::new("Press a key or a button of a gamepad, or Esc").color(cx.theme.accent));
        return;
    }
    let name = format!("Bind more to {action}");
    let button = IconButton::new(icons::ICON_ADD.codepoint, &name).quiet().show(cx.theme, ui);
    if button.tip("Bind the key or button that is pressed next").clicked() {
        // Space and Enter are to be bound, not to press this button again.
        button_is_left(ui);
        cx.send(Action::Listen(Some(action.clone())));
    }
    let full = control_constant(action);
    if let Some(builtin) = cx.resolution.builtin().tunable(&full)
        && builtin.value != controls.value(action)
    {
        let name = format!("Reset {action}");
        if IconButton::new(icons::ICON_UNDO.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
            set(cx, &full, builtin.value.clone(), Phase::Commit);
        }
    }
}

fn button_is_left(ui: &Ui) {
    if let Some(id) = ui.memory(egui::Memory::focused) {
        ui.memory_mut(|memory| memory.surrender_focus(id));
    }
}

/// The value of a constant now, tried out or declared.
fn value<'a>(cx: &'a Cx<'_>, name: &str) -> Option<&'a Value> {
    cx.tried_values().get(name).or_else(|| cx.resolution.tunable(name).map(|it| &it.value))
}

fn number_ui(cx: &Cx<'_>, ui: &mut Ui) {
    const NAME: &str = "Controls.dead_zone";
    let Some(declared) = cx.resolution.builtin().tunable(NAME) else { return };
    let spec = NumberSpec { min: declared.min, max: declared.max, step: declared.step, ..NumberSpec::default() };
    let now = value(cx, NAME).and_then(Value::as_f64).unwrap_or_default();
    row(cx, ui, "Dead zone", |ui| {
        let (response, change) = drag_ui(ui, "Dead zone", now, &spec);
        response.tip(declared.doc.as_str());
        if let Some(change) = change {
            let (new, phase) = change.into_parts();
            set(cx, NAME, Value::Float(new), phase);
        }
    });
}

fn flag_ui(cx: &Cx<'_>, ui: &mut Ui) {
    const NAME: &str = "Controls.up_jumps";
    let mut is_on = value(cx, NAME).and_then(Value::as_bool).unwrap_or_default();
    let doc = cx.resolution.builtin().tunable(NAME).map_or("", |it| &it.doc);
    if checkbox_ui(ui, &mut is_on, "Up is a jump, too").tip(doc).changed() {
        set(cx, NAME, Value::Bool(is_on), Phase::Commit);
    }
}
