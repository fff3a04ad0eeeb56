//! The questions about a file that is another on disk than what is here was made from: which side wins, place by place
//! where both changed the same, whole where one of them is gone. What can be merged has been merged already.

use egui::{Frame, Id, Margin, RichText, ScrollArea, Sense, Stroke, Ui};

use super::dialog_form::{answers, main_button, title};
use crate::{
    editor::{Action, DialogAnswer, Versions},
    model::{Contest, DocPath, Side},
    ui::{
        Cx,
        theme::{ROW, SMALL},
        widgets::{Tip as _, section},
    },
};

/// Lines of a value that are shown; more can be scrolled to.
const LINES: f32 = 7.0;

/// Both sides changed these places.
pub(super) fn places_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, places: &[Contest]) {
    title(cx, ui, &format!("{doc} changed on disk"));
    ui.label(match places.len() {
        1 => {
            "It was changed here and on disk in the same place. Which shall stay? Everything else is merged.".to_owned()
        }
        n => format!(
            "It was changed here and on disk in the same {n} places. Which shall stay? Everything else is merged."
        ),
    });
    ui.add_space(8.0);
    // Chosen so far, of this very question.
    let id = Id::unique("conflict").with((doc.as_str(), places));
    let mut sides: Vec<Option<Side>> = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    sides.resize(places.len(), None);
    let height = ui.ctx().content_rect().height() - 260.0;
    ScrollArea::vertical().max_height(height.max(160.0)).auto_shrink([false, true]).show(ui, |ui| {
        for (i, (place, side)) in places.iter().zip(&mut sides).enumerate() {
            place_ui(cx, ui, i, place, side);
        }
    });
    let n_open = sides.iter().filter(|side| side.is_none()).count();
    ui.data_mut(|data| data.insert_temp(id, sides.clone()));
    answers(ui, |ui| {
        let done = main_button(cx, ui, "Merge", n_open == 0);
        let all_theirs = ui.button("All as on disk").tip("What is here can be had back by undo").clicked();
        let all_mine = ui.button("All as here").tip("What is on disk is written over by the next save").clicked();
        let later = later_button(ui);
        if n_open > 0 && places.len() > 1 {
            ui.label(cx.theme.caption(format!("{n_open} to choose")));
        }
        let answer = if done {
            let sides = places.iter().cloned().zip(&sides).filter_map(|(place, side)| Some((place, (*side)?)));
            DialogAnswer::TakeSides(doc.clone(), sides.collect())
        } else if all_mine {
            DialogAnswer::TakeSide(doc.clone(), Side::Mine)
        } else if all_theirs {
            DialogAnswer::TakeSide(doc.clone(), Side::Theirs)
        } else if later {
            DialogAnswer::AskLater(doc.clone())
        } else {
            return;
        };
        ui.data_mut(|data| data.remove::<Vec<Option<Side>>>(id));
        cx.send(Action::Dialog(answer));
    });
}

fn place_ui(cx: &Cx<'_>, ui: &mut Ui, i: usize, place: &Contest, side: &mut Option<Side>) {
    let mut name = place.path.to_string();
    if name.is_empty() {
        name = "the whole file".into();
    }
    if place.is_order {
        name = format!("order of {name}");
    }
    section(cx.theme, ui, &name);
    ui.push_id(i, |ui| {
        ui.columns(3, |columns| {
            side_ui(cx, &mut columns[0], "Before", place.base.as_deref(), None);
            for (column, (this, title)) in
                columns[1..].iter_mut().zip([(Side::Mine, "Here"), (Side::Theirs, "On disk")])
            {
                let is_chosen = *side == Some(this);
                if side_ui(cx, column, title, place.text_of(this), Some((is_chosen, &name))) {
                    *side = Some(this);
                }
            }
        });
    });
    ui.add_space(8.0);
}

/// The text of a side; returns whether it was chosen.
fn side_ui(cx: &Cx<'_>, ui: &mut Ui, title: &str, content: Option<&str>, choice: Option<(bool, &str)>) -> bool {
    let is_chosen = choice.is_some_and(|(is_chosen, _)| is_chosen);
    // All titles have one height, so that the texts are aligned.
    let room = egui::vec2(ui.available_width(), ROW);
    let is_clicked = ui
        .allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_height(ROW);
            let Some((_, name)) = choice else {
                ui.label(RichText::new(title).color(cx.theme.text_weak));
                return false;
            };
            let radio = ui.radio(is_chosen, title);
            let label = format!("{title}: {name}");
            radio.widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, true, is_chosen, &label));
            radio.clicked()
        })
        .inner;
    let line = if is_chosen { cx.theme.accent } else { cx.theme.line };
    let fill = if choice.is_some() { cx.theme.well } else { cx.theme.panel };
    let frame = Frame::new().fill(fill).stroke(Stroke::new(1.0, line)).inner_margin(Margin::same(6)).corner_radius(3);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let row = ui.text_style_height(&egui::TextStyle::Monospace);
        ScrollArea::both().id_salt(title).max_height(row * LINES).auto_shrink([false, true]).show(
            ui,
            |ui| match content {
                Some(text) => {
                    let color = if choice.is_some() { cx.theme.text } else { cx.theme.text_weak };
                    ui.add(egui::Label::new(RichText::new(text).monospace().size(SMALL).color(color)).extend());
                }
                None => {
                    ui.label(cx.theme.caption("not there").italics());
                }
            },
        );
    });
    let is_pressed = choice.is_some() && shown.response.interact(Sense::click()).clicked();
    is_clicked || is_pressed
}

/// One of two versions has to win whole.
pub(super) fn versions_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, what: Versions, texts: [&str; 2]) {
    let (heading, question, mine, theirs) = match what {
        Versions::GoneThere => (
            format!("{doc} is gone from disk"),
            "It has changes here that are not saved. Keep it, to be written by the next save, or remove it here too?",
            "Keep it",
            "Remove it here too",
        ),
        Versions::GoneHere => (
            format!("{doc} changed on disk"),
            "It was deleted here, and that is not saved yet. Delete it all the same, or have it back as it is on disk?",
            "Delete it all the same",
            "Have it back",
        ),
        Versions::Broken => (
            format!("{doc} has errors on disk"),
            "It may be in the middle of a change. Overwrite it with what is here, or leave it as it is?",
            "Write over it",
            "Leave it",
        ),
    };
    title(cx, ui, &heading);
    ui.label(question);
    ui.add_space(8.0);
    lines_ui(cx, ui, texts);
    answers(ui, |ui| {
        if main_button(cx, ui, mine, true) {
            cx.send(Action::Dialog(DialogAnswer::TakeSide(doc.clone(), Side::Mine)));
        }
        if ui.button(theirs).clicked() {
            cx.send(Action::Dialog(DialogAnswer::TakeSide(doc.clone(), Side::Theirs)));
        }
        if later_button(ui) {
            cx.send(Action::Dialog(DialogAnswer::AskLater(doc.clone())));
        }
    });
}

/// Postpones the question. Returns whether it was clicked.
fn later_button(ui: &mut Ui) -> bool {
    ui.button("Later").tip("You are asked again when it is saved").clicked()
}

/// Two texts side by side, from where they begin to differ.
fn lines_ui(cx: &Cx<'_>, ui: &mut Ui, [mine, theirs]: [&str; 2]) {
    let (mine, theirs): (Vec<&str>, Vec<&str>) = (mine.lines().collect(), theirs.lines().collect());
    let n_same = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let rest = |lines: &[&str]| lines.len() - n_same;
    let n_same_end = mine.iter().rev().zip(theirs.iter().rev()).take_while(|(a, b)| a == b).count();
    let n_same_end = n_same_end.min(rest(&mine)).min(rest(&theirs));
    ui.columns(2, |columns| {
        for (column, (title, lines)) in columns.iter_mut().zip([("Here", &mine), ("On disk", &theirs)]) {
            section(cx.theme, column, title);
            if lines.is_empty() {
                column.label(cx.theme.caption("not there").italics());
                continue;
            }
            ScrollArea::both().id_salt(title).max_height(360.0).auto_shrink(false).show(column, |ui| {
                let last = lines.len() - n_same_end;
                let shown = n_same.saturating_sub(4)..(last + 4).min(lines.len());
                for (number, line) in (shown.start + 1..).zip(&lines[shown]) {
                    let differs = number > n_same && number <= last;
                    let color = if differs { cx.theme.warning } else { cx.theme.text_weak };
                    let text = RichText::new(format!("{number:>4}  {line}")).monospace().size(SMALL).color(color);
                    ui.add(egui::Label::new(text).extend());
                }
            });
        }
    });
}
