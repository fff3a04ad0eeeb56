//! The Inspector for a machine: what a state does on enter, exit, update and each message, its transitions, and
//! what makes each of them fire. Everything is a list of names from the schema with their arguments.

use egui::{RichText, Ui};
use egui_material_icons::icons;
use indexmap::IndexMap;

use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, Phase, state_at},
    editor::{Action, Command, ConnectAction, Selection, Unfinished},
    model::{
        Call, CallSpec, Condition, DocPath, FieldSpec, FieldType, Machine, Name, State, Transition, Trigger, Value,
    },
    ui::{
        Cx,
        canvas::graph::{condition_text, trigger_text},
        theme::SMALL,
        widgets::{
            IconButton, at_right,
            choose::{Choice, choose_at},
            command_button, heading, icon_text,
            number::{NumberSpec, ValueChange, drag_ui},
            section,
            value::{pick_ui, value_ui},
        },
    },
};

/// Where an edit to a machine goes.
#[derive(Clone, Copy)]
struct At<'a> {
    doc: &'a DocPath,
    name: &'a Name,
    state: &'a Name,
    machine: &'a Machine,
}

/// Show a state or one of its transitions.
pub fn parts_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name, state: &Name, transition: Option<usize>) {
    let Some(machine) = cx.project.machine(doc, name) else { return };
    let Some(shown) = machine.state(state) else { return };
    let at = At { doc, name, state, machine };
    match transition.and_then(|index| Some((index, shown.transitions.get(index)?))) {
        Some((index, transition)) => transition_ui(cx, ui, at, index, transition),
        None => state_ui(cx, ui, at, shown),
    }
}

fn select(cx: &Cx<'_>, at: At<'_>, state: &str, transition: Option<usize>) {
    let (doc, name) = (at.doc.clone(), at.name.clone());
    cx.send(Action::Select(Selection::Machine { doc, name, state: state.into(), transition }));
}

fn state_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>, state: &State) {
    let is_root = at.state.is_empty();
    let (title, kind) = if is_root { (at.name, "machine: its global section") } else { (at.state, "state") };
    heading(cx.theme, ui, icons::ICON_ACCOUNT_TREE.codepoint, title, kind);
    ui.horizontal(|ui| {
        ui.label(cx.theme.caption(at.doc.as_str()).monospace());
        at_right(ui, |ui| {
            if !is_root {
                command_button(cx, ui, Command::Delete);
            }
            command_button(cx, ui, Command::Rename);
        });
    });
    if !state.states.is_empty() {
        ui.horizontal(|ui| {
            ui.label(cx.theme.caption("initial state"));
            let current = state.initial.as_deref().unwrap_or_default();
            if let Some(initial) = pick_ui(cx, ui, "initial state", current, state.states.keys()) {
                cx.send(Action::Edit(Edit::set_at(at.doc, state_at(at.name, at.state).key("initial"), &Some(initial))));
            }
        });
    }
    for (title, key, calls) in
        [("On enter", "enter", &state.enter), ("On update", "update", &state.update), ("On exit", "exit", &state.exit)]
    {
        calls_section_ui(cx, ui, at, title, key, calls);
    }
    section(cx.theme, ui, "Messages");
    for (message, calls) in &state.on {
        handler_ui(cx, ui, at, message, calls);
    }
    let declared = cx.resolution.schema.messages.keys().filter(|message| !state.on.contains_key(*message));
    if let Some(message) = add_menu_ui(cx, ui, "Handle a message", declared, |name| {
        cx.resolution.schema.messages.get(name).map(|spec| spec.doc.clone()).unwrap_or_default()
    }) {
        let (doc, machine, state) = (at.doc.clone(), at.name.clone(), at.state.clone());
        let place = state_at(&machine, &state).key("on").key(&message);
        cx.send(Action::Edit(Edit::insert_at(&doc, place, &Vec::<Call>::new())));
    }
    section(cx.theme, ui, "Transitions (first match wins)");
    for (index, transition) in state.transitions.iter().enumerate() {
        transition_row_ui(cx, ui, at, index, transition, state.transitions.len());
    }
    for it in cx.view.unfinished_in(cx.project) {
        if (&it.doc, &it.machine, &it.from) == (at.doc, at.name, at.state) {
            unfinished_ui(cx, ui, it);
        }
    }
    add_transition_ui(cx, ui, at);
}

fn add_transition_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>) {
    let paths = at.machine.paths();
    let picked = add_menu_ui(cx, ui, "Add a transition to", paths.iter(), |_| String::new());
    if let Some(to) = picked {
        let (doc, machine, from) = (at.doc.clone(), at.name.clone(), at.state.clone());
        cx.send(Action::Connect(ConnectAction::Begin(Unfinished { doc, machine, from, to })));
    }
}

/// A transition that has no trigger yet, with what it can be finished by.
fn unfinished_ui(cx: &Cx<'_>, ui: &mut Ui, it: &Unfinished) {
    let finish = |trigger: Trigger| cx.send(Action::Connect(ConnectAction::Finish(it.clone(), trigger)));
    ui.push_id(("unfinished", &it.to), |ui| {
        ui.horizontal(|ui| {
            ui.label(icon_text(icons::ICON_QUESTION_MARK.codepoint, 14.0).color(cx.theme.warning));
            at_right(ui, |ui| {
                let name = format!("Discard the unfinished transition to {}", it.to);
                if IconButton::new(icons::ICON_CLOSE.codepoint, &name).show(cx.theme, ui).tip(&name).clicked() {
                    cx.send(Action::Connect(ConnectAction::Discard(it.clone())));
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let text = format!("unfinished → {}", it.to);
                    ui.add(egui::Label::new(RichText::new(text).color(cx.theme.warning)).truncate());
                });
            });
        });
        ui.indent("trigger", |ui| {
            let text = "Choose its trigger; until then it is not part of the machine";
            ui.label(cx.theme.caption(text));
            ui.horizontal_wrapped(|ui| {
                let messages = &cx.resolution.schema.messages;
                let doc = |name: &Name| messages.get(name).map(|spec| spec.doc.clone()).unwrap_or_default();
                if let Some(message) = add_menu_ui(cx, ui, "On a message", messages.keys(), doc) {
                    finish(Trigger::On(message));
                }
                if let Some(condition) = add_condition_ui(cx, ui, "When a condition holds") {
                    finish(Trigger::When(condition));
                }
                if ui.button(RichText::new("After a time").size(SMALL)).clicked() {
                    finish(Trigger::After(1.0));
                }
            });
        });
    });
}

fn transition_row_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>, index: usize, transition: &Transition, n: usize) {
    ui.horizontal(|ui| {
        let text = format!("{} → {}", trigger_text(transition), transition.to);
        let is_known = at.machine.find(&transition.to).is_ok();
        let color = if is_known { cx.theme.text } else { cx.theme.error };
        at_right(ui, |ui| {
            let edit = |ui: &mut Ui, icon: &str, what: &str, fine: bool| {
                let name = format!("{what} transition {}", index + 1);
                IconButton::new(icon, &name).enabled(fine).show(cx.theme, ui).tip(what).clicked()
            };
            let (doc, machine, state) = (at.doc.clone(), at.name.clone(), at.state.clone());
            if edit(ui, icons::ICON_CLOSE.codepoint, "Delete", true) {
                let at = state_at(&machine, &state).key("transitions").index(index);
                cx.send(Action::Edit(Edit::Remove { doc, at }));
            } else if edit(ui, icons::ICON_ARROW_DOWNWARD.codepoint, "Later", index + 1 < n) {
                let to_state = state.clone();
                cx.send(Action::Edit(Edit::MoveTransition { doc, machine, state, at: index, to_state, to: index + 1 }));
            } else if edit(ui, icons::ICON_ARROW_UPWARD.codepoint, "Earlier", index > 0) {
                let to_state = state.clone();
                cx.send(Action::Edit(Edit::MoveTransition { doc, machine, state, at: index, to_state, to: index - 1 }));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let label = egui::Button::new(RichText::new(&text).color(color)).frame(false).truncate();
                if ui.add(label).tip(&text).clicked() {
                    select(cx, at, at.state, Some(index));
                }
            });
        });
    });
}

fn transition_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>, index: usize, transition: &Transition) {
    let from = if at.state.is_empty() { "anywhere" } else { at.state };
    heading(cx.theme, ui, icons::ICON_ARROW_FORWARD.codepoint, &format!("{from} → {}", transition.to), "transition");
    ui.horizontal(|ui| {
        if ui.small_button("Back to the state").clicked() {
            select(cx, at, at.state, None);
        }
        at_right(ui, |ui| command_button(cx, ui, Command::Delete));
    });
    let set = |transition: Transition, phase: Phase| {
        let place = state_at(at.name, at.state).key("transitions").index(index);
        let edit = Edit::set_at(at.doc, place, &transition);
        cx.send(Action::Gesture { label: "Change a transition".into(), edits: vec![edit], phase });
    };
    ui.horizontal(|ui| {
        ui.label("Target");
        if let Some(to) = pick_ui(cx, ui, "target state", &transition.to, at.machine.paths().iter()) {
            set(Transition { to, ..transition.clone() }, Phase::Commit);
        }
    });
    section(cx.theme, ui, "Trigger");
    trigger_ui(cx, ui, transition, &set);
    section(cx.theme, ui, "Guard");
    match &transition.guard {
        None => {
            if let Some(condition) = add_condition_ui(cx, ui, "Add a condition") {
                set(Transition { guard: Some(condition), ..transition.clone() }, Phase::Commit);
            }
        }
        Some(guard) => {
            if let Some((change, phase)) = condition_ui(cx, ui, "guard", guard) {
                set(Transition { guard: change, ..transition.clone() }, phase);
            }
        }
    }
    section(cx.theme, ui, "Actions, after exit and before enter");
    if let Some((actions, phase)) = calls_ui(cx, ui, "do", &transition.actions) {
        set(Transition { actions, ..transition.clone() }, phase);
    }
}

fn trigger_ui(cx: &Cx<'_>, ui: &mut Ui, transition: &Transition, set: &dyn Fn(Transition, Phase)) {
    let put = |trigger: Trigger, phase: Phase| set(Transition { trigger, ..transition.clone() }, phase);
    ui.horizontal(|ui| {
        let messages = &cx.resolution.schema.messages;
        let kinds = [
            (
                "when",
                matches!(transition.trigger, Trigger::When(_)),
                "fires when a condition holds, checked every tick",
            ),
            ("on", matches!(transition.trigger, Trigger::On(_)), "fires when a message arrives"),
            (
                "after",
                matches!(transition.trigger, Trigger::After(_)),
                "fires this many seconds after the state was entered",
            ),
        ];
        for (kind, is_on, tip) in kinds {
            if ui.selectable_label(is_on, kind).tip(tip).clicked() && !is_on {
                let trigger = match kind {
                    "when" => Trigger::When(first_condition(cx)),
                    "on" => Trigger::On(messages.keys().next().cloned().unwrap_or_else(|| "Message".into())),
                    _ => Trigger::After(1.0),
                };
                put(trigger, Phase::Commit);
            }
        }
    });
    match &transition.trigger {
        Trigger::When(condition) => {
            if let Some((Some(condition), phase)) = condition_ui(cx, ui, "when", condition) {
                put(Trigger::When(condition), phase);
            }
        }
        Trigger::On(message) => {
            if let Some(message) = pick_ui(cx, ui, "message", message, cx.resolution.schema.messages.keys()) {
                put(Trigger::On(message), Phase::Commit);
            }
        }
        Trigger::After(secs) => {
            let spec =
                NumberSpec { min: Some(0.0), max: Some(3600.0), step: Some(0.05), unit: Some("s"), is_int: false };
            if let Some(change) = drag_ui(ui, "after", *secs, &spec).1 {
                let (secs, phase) = change.into_parts();
                put(Trigger::After(secs), phase);
            }
        }
    }
}

fn first_condition(cx: &Cx<'_>) -> Condition {
    let name = cx.resolution.schema.conditions.keys().next().cloned();
    Condition::Call(call_of(&cx.resolution.schema.conditions, name.unwrap_or_else(|| "OnGround".into())))
}

/// A call with the arguments that have no default of their own.
fn call_of(specs: &IndexMap<Name, CallSpec>, name: Name) -> Call {
    let required = |spec: &FieldSpec| spec.default.is_none();
    let args = specs.get(&name).map(|spec| {
        spec.args
            .iter()
            .filter(|(_, arg)| required(arg))
            .map(|(name, arg)| (name.clone(), arg.default_value()))
            .collect()
    });
    Call { name, args: args.unwrap_or_default() }
}

fn calls_section_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>, title: &str, key: &str, calls: &[Call]) {
    section(cx.theme, ui, title);
    if let Some((calls, phase)) = calls_ui(cx, ui, title, calls) {
        let edit = Edit::set_at(at.doc, state_at(at.name, at.state).key(key), &calls);
        cx.send(Action::Gesture { label: format!("Change what {} does", named(at)), edits: vec![edit], phase });
    }
}

fn named(at: At<'_>) -> &str {
    if at.state.is_empty() { at.name } else { at.state }
}

fn handler_ui(cx: &Cx<'_>, ui: &mut Ui, at: At<'_>, message: &Name, calls: &[Call]) {
    ui.horizontal(|ui| {
        ui.label(icon_text(icons::ICON_MAIL.codepoint, 14.0).color(cx.theme.text_weak));
        ui.label(RichText::new(&**message).strong());
        at_right(ui, |ui| {
            let name = format!("Stop handling {message}");
            if IconButton::new(icons::ICON_CLOSE.codepoint, &name).show(cx.theme, ui).tip(&name).clicked() {
                let place = state_at(at.name, at.state).key("on").key(message);
                cx.send(Action::Edit(Edit::Remove { doc: at.doc.clone(), at: place }));
            }
        });
    });
    ui.indent(("handler", message), |ui| {
        if let Some((calls, phase)) = calls_ui(cx, ui, message, calls) {
            let edit = Edit::set_at(at.doc, state_at(at.name, at.state).key("on").key(message), &calls);
            cx.send(Action::Gesture { label: format!("Change the handler of {message}"), edits: vec![edit], phase });
        }
    });
}

/// A list of actions to edit, order and remove. Returns the whole list when something changed.
fn calls_ui(cx: &Cx<'_>, ui: &mut Ui, id: &str, calls: &[Call]) -> Option<(Vec<Call>, Phase)> {
    let specs = &cx.resolution.schema.actions;
    let mut out = None;
    for (i, call) in calls.iter().enumerate() {
        ui.push_id((id, i), |ui| {
            let with = |f: &dyn Fn(&mut Vec<Call>)| {
                let mut all = calls.to_vec();
                f(&mut all);
                all
            };
            ui.horizontal(|ui| {
                let doc = specs.get(&call.name).map(|spec| spec.doc.as_str());
                let color = if doc.is_some() { cx.theme.text_strong } else { cx.theme.warning };
                let label = ui.label(RichText::new(&*call.name).color(color));
                label.tip(doc.unwrap_or("No schema declares this action"));
                at_right(ui, |ui| {
                    let mut button = |icon: &str, what: &str, fine: bool| {
                        let name = format!("{what} {} {}", call.name, i + 1);
                        IconButton::new(icon, &name).enabled(fine).show(cx.theme, ui).tip(what).clicked()
                    };
                    if button(icons::ICON_CLOSE.codepoint, "Remove", true) {
                        out = Some((with(&|all| drop(all.remove(i))), Phase::Commit));
                    }
                    if button(icons::ICON_ARROW_DOWNWARD.codepoint, "Later", i + 1 < calls.len()) {
                        out = Some((with(&|all| all.swap(i, i + 1)), Phase::Commit));
                    }
                    if button(icons::ICON_ARROW_UPWARD.codepoint, "Earlier", i > 0) {
                        out = Some((with(&|all| all.swap(i, i - 1)), Phase::Commit));
                    }
                });
            });
            if let Some((call, phase)) = args_ui(cx, ui, &format!("{id} {i} {}", call.name), specs, call) {
                out = Some((with(&|all| all[i] = call.clone()), phase));
            }
        });
    }
    let added = add_menu_ui(cx, ui, "Add an action", specs.keys(), |name| {
        specs.get(name).map(|spec| spec.doc.clone()).unwrap_or_default()
    });
    if let Some(name) = added {
        let all = calls.iter().cloned().chain([call_of(specs, name)]);
        out = Some((all.collect(), Phase::Commit));
    }
    out
}

/// The arguments of a call, each by its declared type; those left out show their default, pale.
fn args_ui(cx: &Cx<'_>, ui: &mut Ui, id: &str, specs: &IndexMap<Name, CallSpec>, call: &Call) -> Option<(Call, Phase)> {
    let any = FieldSpec::of(FieldType::Any);
    let declared = specs.get(&call.name).map(|spec| &spec.args);
    let undeclared = call.args.keys().filter(|name| declared.is_none_or(|args| !args.contains_key(*name)));
    let all: Vec<(&Name, &FieldSpec)> =
        declared.into_iter().flatten().chain(undeclared.map(|name| (name, &any))).collect();
    let mut out = None;
    ui.indent(("args", id), |ui| {
        for (name, spec) in all {
            ui.horizontal(|ui| {
                let given = call.args.get(name);
                let color = if given.is_some() { cx.theme.text } else { cx.theme.text_weak };
                ui.label(RichText::new(&**name).size(SMALL).color(color)).tip(&spec.doc);
                let shown = given.cloned().unwrap_or_else(|| spec.default_value());
                let known_messages = &**name == "message" && call.name.as_ref() == "Send";
                let change = if known_messages {
                    let current = shown.as_str().unwrap_or_default();
                    pick_ui(cx, ui, &format!("{id} {name}"), current, cx.resolution.schema.messages.keys())
                        .map(|message| (Value::Str(message.to_string()), Phase::Commit))
                } else {
                    value_ui(cx, ui, &format!("{id} {name}"), spec, &shown).map(ValueChange::into_parts)
                };
                if let Some((value, phase)) = change {
                    let mut changed = call.clone();
                    changed.args.insert(name.clone(), value);
                    out = Some((changed, phase));
                }
                if given.is_some() && spec.default.is_some() {
                    let reset = format!("Reset {id} {name}");
                    let button = IconButton::new(icons::ICON_UNDO.codepoint, &reset).show(cx.theme, ui);
                    if button.tip(format!("Back to {}", spec.default_value())).clicked() {
                        let mut changed = call.clone();
                        changed.args.shift_remove(name);
                        out = Some((changed, Phase::Commit));
                    }
                }
            });
        }
    });
    out
}

/// A condition with all inside it. `Some((None, …))` takes it away.
fn condition_ui(cx: &Cx<'_>, ui: &mut Ui, id: &str, condition: &Condition) -> Option<(Option<Condition>, Phase)> {
    let mut out = None;
    ui.push_id(id, |ui| {
        ui.horizontal(|ui| {
            let title = match condition {
                Condition::Call(call) => call.name.to_string(),
                Condition::All(_) => "all of".to_owned(),
                Condition::Any(_) => "any of".to_owned(),
                Condition::Not(_) => "not".to_owned(),
            };
            ui.label(RichText::new(title).color(cx.theme.text_strong)).tip(condition_text(condition));
            at_right(ui, |ui| {
                let name = format!("Remove condition {id}");
                if IconButton::new(icons::ICON_CLOSE.codepoint, &name).show(cx.theme, ui).clicked() {
                    out = Some((None, Phase::Commit));
                }
                let wrap = ui.menu_button("…", |ui| {
                    let mut picked = None;
                    for (text, wrapped) in [
                        ("Not this", Condition::Not(Box::new(condition.clone()))),
                        ("All of this and…", Condition::All(vec![condition.clone()])),
                        ("Any of this or…", Condition::Any(vec![condition.clone()])),
                    ] {
                        if ui.button(text).clicked() {
                            picked = Some(wrapped);
                            ui.close();
                        }
                    }
                    picked
                });
                if let Some(wrapped) = wrap.inner.flatten() {
                    out = Some((Some(wrapped), Phase::Commit));
                }
            });
        });
        match condition {
            Condition::Call(call) => {
                let specs = &cx.resolution.schema.conditions;
                if let Some((call, phase)) = args_ui(cx, ui, &format!("{id} {}", call.name), specs, call) {
                    out = Some((Some(Condition::Call(call)), phase));
                }
            }
            Condition::Not(inner) => {
                ui.indent("inner", |ui| {
                    if let Some((change, phase)) = condition_ui(cx, ui, &format!("{id} not"), inner) {
                        out = Some((change.map(|inner| Condition::Not(Box::new(inner))), phase));
                    }
                });
            }
            Condition::All(parts) | Condition::Any(parts) => {
                let rebuilt = |parts: Vec<Condition>| match condition {
                    Condition::All(_) => Condition::All(parts),
                    _ => Condition::Any(parts),
                };
                ui.indent("parts", |ui| {
                    for (i, part) in parts.iter().enumerate() {
                        if let Some((change, phase)) = condition_ui(cx, ui, &format!("{id} {i}"), part) {
                            let mut all = parts.clone();
                            match change {
                                Some(part) => all[i] = part,
                                None => drop(all.remove(i)),
                            }
                            out = Some(((!all.is_empty()).then(|| rebuilt(all)), phase));
                        }
                    }
                    if let Some(added) = add_condition_ui(cx, ui, "Add a condition") {
                        let all = parts.iter().cloned().chain([added]).collect();
                        out = Some((Some(rebuilt(all)), Phase::Commit));
                    }
                });
            }
        }
    });
    out
}

fn add_condition_ui(cx: &Cx<'_>, ui: &mut Ui, text: &str) -> Option<Condition> {
    let specs = &cx.resolution.schema.conditions;
    let doc = |name: &Name| specs.get(name).map(|spec| spec.doc.clone()).unwrap_or_default();
    add_menu_ui(cx, ui, text, specs.keys(), doc).map(|name| Condition::Call(call_of(specs, name)))
}

/// A button that opens a searchable list of names.
fn add_menu_ui<'n>(
    cx: &Cx<'_>,
    ui: &mut Ui,
    text: &str,
    names: impl Iterator<Item = &'n Name>,
    doc: impl Fn(&Name) -> String,
) -> Option<Name> {
    let button = ui.button((icon_text(icons::ICON_ADD.codepoint, 14.0), RichText::new(text).size(SMALL)));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, text));
    let choices = || names.map(|name| Choice::about(name, doc(name))).collect();
    choose_at(cx, ui, &button, &format!("Search for {text}"), ("", &FieldType::Any), choices, |_| None)
}
