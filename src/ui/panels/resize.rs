//! The form of a level's new size: width and height or no bounds, what stays where it is, and what would fall outside.

use std::sync::Arc;

use egui::{Id, RichText, Ui};
use egui_material_icons::icons;

use super::{
    dialog_form::{answers, cancel_button, confirms, is_entered, main_button, title},
    form_rows::{count_ui, problem_ui, row},
};
use crate::{
    edit::MAX_CELLS,
    editor::{Action, DialogAnswer},
    model::{Document, Level, Typed, sentence},
    refactor::{Anchor, Placement, Resize, Stay},
    ui::{
        ShellCx,
        widgets::{IconButton, Tip as _, checkbox_ui, icon_text, number::being_typed},
    },
};

/// The names of the fields of width and height.
const SIDES: [&str; 2] = ["New width", "New height"];

/// Show the dialog's content.
pub(super) fn resize_ui(cx: &ShellCx<'_>, ui: &mut Ui, resize: &Resize) {
    title(cx, ui, &format!("Resize level {}", resize.doc.stem()));
    let is_entered = is_entered(ui);
    let Some(level) = cx.project.level(&resize.doc) else {
        answers(ui, |ui| cancel_button(cx, ui));
        return;
    };
    let next = form_ui(cx, ui, resize, level);
    // What is typed counts when its field is left, and what it would do shows before.
    let mut meant = next.clone();
    if let Some(size) = &mut meant.size {
        for (name, side) in SIDES.into_iter().zip(size) {
            let typed = being_typed(ui, |it| it == name);
            let number = typed.and_then(|it| if let Typed::Value(value) = it.typed { value.as_f64() } else { None });
            if let Some(number) = number {
                *side = number.round() as u32;
            }
        }
    }
    // In the frame of a click beside it, the field is left and its number is not here yet.
    let id = Id::unique("size being typed");
    let was_typing = ui.data_mut(|data| data.remove_temp::<Option<Resize>>(id)).flatten();
    if meant != next {
        ui.data_mut(|data| data.insert_temp(id, Some(meant.clone())));
    } else if let Some(was) = was_typing.filter(|was| next == *resize && was.doc == resize.doc) {
        meant = was;
    }
    let outcome = of_level(cx, &meant, || Outcome::of(cx, &meant, level));
    problem_ui(cx, ui, outcome.problem.as_deref());
    ui.add_space(8.0);
    ui.label(&outcome.growth);
    ui.horizontal(|ui| match &outcome.outside {
        Some(text) => {
            ui.label(icon_text(icons::ICON_WARNING.codepoint, 15.0).color(cx.theme.warning));
            ui.label(RichText::new(sentence(text)).color(cx.theme.text_strong));
        }
        // Its row stays, or the dialog would move under the pointer.
        None => _ = ui.label(RichText::new("Nothing falls outside").color(cx.theme.text_weak)),
    });
    let is_confirmed = confirms(cx, ui, is_entered, next != *resize);
    let is_typing = meant != next;
    if next != *resize {
        cx.send(Action::Resize(next));
    }
    let can_do = outcome.can_be_done;
    answers(ui, |ui| {
        if main_button(cx, ui, "Resize", can_do) || (is_confirmed && can_do) {
            if is_typing {
                cx.send(Action::Resize(meant.clone()));
            }
            cx.send(Action::Dialog(DialogAnswer::Resize));
        }
        cancel_button(cx, ui);
    });
}

/// What can be chosen. Returns the request as it is chosen now.
fn form_ui(cx: &ShellCx<'_>, ui: &mut Ui, resize: &Resize, level: &Level) -> Resize {
    let mut next = resize.clone();
    row(cx, ui, "Size", |ui| {
        if let Some([width, height]) = &mut next.size {
            count_ui(ui, SIDES[0], "cells", MAX_CELLS, width);
            ui.label("×");
            count_ui(ui, SIDES[1], "cells", MAX_CELLS, height);
        }
        let mut is_unbounded = next.size.is_none();
        // Of the same name whether there are fields before it: it keeps the keyboard.
        let unbounded = ui.push_id("unbounded", |ui| checkbox_ui(ui, &mut is_unbounded, "Unbounded")).inner;
        if unbounded.tip("It has tiles wherever some are painted").changed() {
            next = next.clone().bounded(!is_unbounded, level);
        }
    });
    row(cx, ui, "", |ui| {
        let fitted = of_level(cx, resize, || Resize::to_content(resize.doc.clone(), level));
        let button = ui.add_enabled(fitted.is_ok(), egui::Button::new("Fit to content"));
        let tip = match &fitted {
            Ok(_) => "As large as tiles, entities and waypoints need".to_owned(),
            Err(refusal) => sentence(&refusal.to_string()),
        };
        if let (true, Ok(fitted)) = (button.on_disabled_hover_text(&tip).tip(tip).clicked(), fitted) {
            next = fitted;
        }
    });
    ui.add_enabled_ui(next.size.is_some(), |ui| {
        row(cx, ui, "Stays", |ui| {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing = egui::Vec2::splat(2.0);
                for line in Anchor::ALL.chunks(3) {
                    ui.horizontal(|ui| {
                        for anchor in line {
                            if anchor_ui(cx, ui, *anchor, next.placement) {
                                next.placement = Placement::Anchor(*anchor);
                            }
                        }
                    });
                }
            });
        });
    });
    next
}

/// A place that may stay where it is. Returns whether it is chosen.
fn anchor_ui(cx: &ShellCx<'_>, ui: &mut Ui, anchor: Anchor, placement: Placement) -> bool {
    let icon = match (anchor.x, anchor.y) {
        (Stay::Start, Stay::Start) => icons::ICON_NORTH_WEST,
        (Stay::Middle, Stay::Start) => icons::ICON_NORTH,
        (Stay::End, Stay::Start) => icons::ICON_NORTH_EAST,
        (Stay::Start, Stay::Middle) => icons::ICON_WEST,
        (Stay::Middle, Stay::Middle) => icons::ICON_FILTER_CENTER_FOCUS,
        (Stay::End, Stay::Middle) => icons::ICON_EAST,
        (Stay::Start, Stay::End) => icons::ICON_SOUTH_WEST,
        (Stay::Middle, Stay::End) => icons::ICON_SOUTH,
        (Stay::End, Stay::End) => icons::ICON_SOUTH_EAST,
    };
    let name = format!("Keep the {} in place", anchor.name());
    let is_chosen = placement == Placement::Anchor(anchor);
    IconButton::new(icon.codepoint, &name).selected(is_chosen).show(cx.theme, ui).tip(&name).clicked()
}

/// What a size means for the level.
#[derive(Clone)]
struct Outcome {
    problem: Option<String>,
    /// How each side moves.
    growth: String,
    /// What would fall outside.
    outside: Option<String>,
    can_be_done: bool,
}

impl Outcome {
    fn of(cx: &ShellCx<'_>, resize: &Resize, level: &Level) -> Self {
        Self {
            problem: resize.problem(level),
            growth: resize.growth_text(level),
            outside: resize.outside(level).text(),
            can_be_done: resize.plan(cx.project).is_ok(),
        }
    }
}

/// Something about a resize of a level, looked at once for each: a level may have millions of tiles.
fn of_level<T: Clone + 'static>(cx: &ShellCx<'_>, resize: &Resize, look: impl FnOnce() -> T) -> T {
    let doc = cx.project.doc(&resize.doc);
    let is_current = |(of, known, _): &(Resize, Option<Arc<Document>>, T)| {
        of == resize && known.as_ref().zip(doc).is_some_and(|(known, doc)| Arc::ptr_eq(known, doc))
    };
    let look = |_: Option<&_>| (resize.clone(), doc.cloned(), look());
    cx.derived.memos().get_current("resize", is_current, look).2.clone()
}
