//! The question at the start after the program was killed: is what was not saved to be taken up again?

use egui::{RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use super::dialog_form::{answers, main_button, title};
use crate::{
    editor::{Action, DialogAnswer, Lost},
    model::{DocPath, counted},
    ui::{
        Cx,
        theme::SMALL,
        widgets::{Tip as _, icon_text},
    },
};

pub(super) fn recover_ui(cx: &Cx<'_>, ui: &mut Ui, docs: &[(DocPath, Lost)], secs_ago: u64) {
    title(cx, ui, &title_of(docs.len()));
    ui.label(format!(
        "Levelwright ended {} before these were saved. Restoring is a step that can be undone.",
        ago(secs_ago)
    ));
    ui.add_space(8.0);
    ScrollArea::vertical().max_height(240.0).show(ui, |ui| {
        for (doc, lost) in docs {
            ui.horizontal(|ui| {
                let (icon, note) = noted(*lost);
                let color = if *lost == Lost::Unreadable { cx.theme.warning } else { cx.theme.text_weak };
                ui.label(icon_text(icon, 15.0).color(color));
                ui.monospace(doc.as_str());
                ui.label(RichText::new(note).size(SMALL).color(color));
            });
        }
    });
    answers(ui, |ui| {
        let can_restore = docs.iter().any(|(_, lost)| *lost != Lost::Unreadable);
        if main_button(cx, ui, "Restore", can_restore) {
            cx.send(Action::Dialog(DialogAnswer::Restore));
        }
        if ui.button("Discard").tip("Lose these changes; the files stay as they are").clicked() {
            cx.send(Action::Dialog(DialogAnswer::DiscardRecovered));
        }
        if ui.button("Later").tip("You are asked again when the project is next opened").clicked() {
            cx.send(Action::Dialog(DialogAnswer::Cancel));
        }
    });
}

fn title_of(n: usize) -> String {
    if n == 1 { "Recovered a changed file".to_owned() } else { format!("Recovered {}", counted(n, "changed file")) }
}

fn noted(lost: Lost) -> (&'static str, &'static str) {
    match lost {
        Lost::Changed => (icons::ICON_EDIT.codepoint, ""),
        Lost::ChangedThere => (icons::ICON_MERGE.codepoint, "its file changed since; both are merged"),
        Lost::New => (icons::ICON_ADD.codepoint, "new"),
        Lost::Deleted => (icons::ICON_DELETE.codepoint, "deleted"),
        Lost::Unreadable => (icons::ICON_WARNING.codepoint, "cannot be read; its text is kept aside"),
    }
}

/// How long ago something was, as one says it.
fn ago(secs: u64) -> String {
    let counted_ago = |n: u64, what: &str| format!("{} ago", counted(usize::try_from(n).unwrap_or(usize::MAX), what));
    match secs {
        0..60 => "just now".to_owned(),
        60..3600 => counted_ago(secs / 60, "minute"),
        3600..86_400 => counted_ago(secs / 3600, "hour"),
        _ => counted_ago(secs / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::ago;

    #[test]
    fn times_are_said_in_words() {
        for (secs, counted_ago) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (119, "1 minute ago"),
            (120, "2 minutes ago"),
            (3599, "59 minutes ago"),
            (3600, "1 hour ago"),
            (86_399, "23 hours ago"),
            (86_400, "1 day ago"),
            (31_536_000, "365 days ago"),
        ] {
            assert_eq!(ago(secs), counted_ago);
        }
    }
}
