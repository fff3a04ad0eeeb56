//! The Messages pane: what happened in the running world, newest last, by entity and by kind.

use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, ViewChange},
    sim::{TraceEvent, TraceKind},
    ui::{
        Cx,
        theme::SMALL,
        widgets::{empty_state, icon_text, matches, search_field},
    },
};

const ROW_HEIGHT: f32 = 18.0;

/// Show the Messages pane.
pub fn messages_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(preview) = cx.preview else {
        let icon = icons::ICON_FORUM.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing is playing", "Press F5: messages and state changes show here");
        return;
    };
    let query = ui
        .horizontal(|ui| {
            if let Some(watched) = &cx.view.watch {
                let button = ui.button((icon_text(icons::ICON_CLOSE.codepoint, 13.0), watched.as_ref()));
                if button.tip("Show all entities again").clicked() {
                    cx.send(Action::View(ViewChange::WatchEntity(None)));
                }
            }
            search_field(cx.theme, ui, Id::unique("message search"), "Filter by entity, machine, message or state")
        })
        .inner;
    let watched = cx.view.watch.as_deref();
    let shown: Vec<(u64, &TraceEvent)> = preview
        .session
        .log()
        .filter(|(_, event)| watched.is_none_or(|id| *event.entity == *id))
        .filter(|(_, event)| query.is_empty() || matches(&query, &searchable(event)))
        .collect();
    if shown.is_empty() {
        let icon = icons::ICON_FORUM.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing to show", "Nothing has happened that fits the filter");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true).show_rows(
        ui,
        ROW_HEIGHT,
        shown.len(),
        |ui, range| {
            for (_, event) in &shown[range] {
                event_ui(cx, ui, event);
            }
        },
    );
}

fn searchable(event: &TraceEvent) -> String {
    format!("{} {} {}", event.entity, event.machine.as_deref().unwrap_or_default(), describe(event).1)
}

/// An icon and a sentence for an event.
#[must_use]
pub fn describe(event: &TraceEvent) -> (&'static str, String) {
    match &event.kind {
        TraceKind::Enter { state } => (icons::ICON_LOGIN.codepoint, format!("enter {}", state_name(state))),
        TraceKind::Exit { state } => (icons::ICON_LOGOUT.codepoint, format!("exit {}", state_name(state))),
        TraceKind::Transition { from, to, cause } => {
            (icons::ICON_ARROW_FORWARD.codepoint, format!("{} → {} by {cause}", state_name(from), state_name(to)))
        }
        TraceKind::Message { name, from, handled_by, reason, .. } => {
            let from = from.as_deref().map(|from| format!(" from {from}")).unwrap_or_default();
            let by = match handled_by {
                Some(state) => format!(", handled by {}", state_name(state)),
                None => ", unhandled".to_owned(),
            };
            let why = reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
            (icons::ICON_MAIL.codepoint, format!("{name}{why}{from}{by}"))
        }
        TraceKind::Drop { name, reason } => {
            (icons::ICON_UNSUBSCRIBE.codepoint, format!("{name} dropped: {}", reason.replace('_', " ")))
        }
        TraceKind::Contact { other, speed, .. } => {
            (icons::ICON_COMPRESS.codepoint, format!("touches {other} at {speed:.0} px/s"))
        }
        TraceKind::Pose { x, y, .. } => (icons::ICON_PIN_DROP.codepoint, format!("at {x:.1}, {y:.1}")),
        TraceKind::Say { text } => (icons::ICON_CHAT.codepoint, format!("“{text}”")),
        TraceKind::Sound { sound, .. } => (icons::ICON_VOLUME_UP.codepoint, format!("plays {sound}")),
        TraceKind::Log { text } => (icons::ICON_NOTES.codepoint, text.clone()),
        TraceKind::Spawn { def } => (icons::ICON_ADD_CIRCLE.codepoint, format!("appears, a {def}")),
        TraceKind::Despawn {} => (icons::ICON_DO_NOT_DISTURB_ON.codepoint, "is removed".to_owned()),
        TraceKind::Problem { text } => (icons::ICON_WARNING.codepoint, text.clone()),
    }
}

fn state_name(path: &str) -> &str {
    if path.is_empty() { "(root)" } else { path }
}

fn event_ui(cx: &Cx<'_>, ui: &mut Ui, event: &TraceEvent) {
    ui.horizontal(|ui| {
        ui.set_height(ROW_HEIGHT - 2.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        let (icon, text) = describe(event);
        let is_bad = matches!(event.kind, TraceKind::Drop { .. } | TraceKind::Problem { .. });
        let is_change = matches!(event.kind, TraceKind::Transition { .. });
        ui.label(cx.theme.caption(format!("{:8.3}", event.t)).monospace());
        let color = if is_bad {
            cx.theme.warning
        } else if is_change {
            cx.theme.accent
        } else {
            cx.theme.text_weak
        };
        ui.label(icon_text(icon, 14.0).color(color));
        let who = egui::Label::new(RichText::new(&*event.entity).size(SMALL).monospace().color(cx.theme.text));
        if ui.add(who.sense(egui::Sense::click())).tip("Show only this entity").clicked() {
            cx.send(Action::View(ViewChange::WatchEntity(Some(event.entity.clone()))));
        }
        if let Some(machine) = &event.machine {
            ui.label(cx.theme.caption(&**machine));
        }
        let ink = if is_change { cx.theme.text_strong } else { cx.theme.text };
        ui.add(egui::Label::new(RichText::new(text).size(SMALL).color(ink)).truncate());
    });
}
