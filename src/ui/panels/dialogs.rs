//! How each dialog looks. Which one is open is known to `app`; its answer is an action.

use std::path::PathBuf;

use egui::{Align, Align2, Context, Id, Layout, Modal, Order, RichText, ScrollArea, Ui, vec2};
use egui_material_icons::icons;

use super::dialog_form::{MARGIN, answers, cancel_button, field, field_id, is_entered, main_button, title};
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, BrowseFor, Dialog, DialogAnswer},
    model::DocPath,
    ui::{
        Cx, ShellCx,
        widgets::{icon_text, number, section},
    },
};

/// Show the open dialog, if any.
pub fn dialog_ui(cx: &ShellCx<'_>, ctx: &Context) {
    let Some(dialog) = cx.dialog else { return };
    if matches!(dialog, Dialog::Commands | Dialog::QuickOpen) {
        super::pick::pick_ui(cx, ctx, dialog);
        return;
    }
    let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(MARGIN);
    // The top stays where it is when what a dialog says takes more or less room.
    let id = Id::unique("dialog");
    let top = (ctx.content_rect().height() * 0.08).round();
    // Below the lists that its fields open: a press beside one would bring the dialog in front of it.
    let area = Modal::default_area(id).order(Order::Middle).anchor(Align2::CENTER_TOP, vec2(0.0, top));
    let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        let width: f32 = match dialog {
            Dialog::Conflict { .. } | Dialog::Versions { .. } => 860.0,
            Dialog::Refactor if cx.draft.is_some_and(|draft| draft.request.is_name_alone()) => 460.0,
            Dialog::Refactor => 760.0,
            Dialog::Recovered { .. } | Dialog::NewTileset => 560.0,
            Dialog::Shortcuts | Dialog::Controls { .. } => 620.0,
            _ => 460.0,
        };
        ui.set_width(width.min(ctx.content_rect().width() - 4.0 * MARGIN));
        match dialog {
            Dialog::OpenProject => open_ui(cx, ui),
            Dialog::NewProject => new_ui(cx, ui),
            Dialog::Export => export_ui(cx, ui),
            Dialog::Unsaved(docs) => unsaved_ui(cx, ui, docs),
            Dialog::Conflict { doc, places } => super::conflict::places_ui(cx, ui, doc, places),
            Dialog::Versions { doc, what, mine, theirs } => {
                super::conflict::versions_ui(cx, ui, doc, *what, [mine, theirs]);
            }
            Dialog::Recovered { docs, secs_ago } => super::recover::recover_ui(cx, ui, docs, *secs_ago),
            Dialog::Refactor => {
                if let Some(draft) = cx.draft {
                    super::refactor::refactor_ui(cx, ui, draft);
                }
            }
            Dialog::Shortcuts => {
                super::shortcuts::shortcuts_ui(cx, ui);
                answers(ui, |ui| cancel_like(cx, ui));
            }
            Dialog::Controls { listening } => {
                super::controls::controls_ui(cx, ui, listening.as_ref());
                answers(ui, |ui| cancel_like(cx, ui));
            }
            Dialog::NewTileset => {
                if let Some(new) = cx.new_tileset {
                    super::new_tileset::new_tileset_ui(cx, ui, new);
                }
            }
            Dialog::ResizeLevel => {
                if let Some(resize) = cx.resize {
                    super::resize::resize_ui(cx, ui, resize);
                }
            }
            Dialog::About => about_ui(cx, ui),
            Dialog::Commands | Dialog::QuickOpen => {}
        }
        if number::was_given_up(ui) {
            ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
        }
    });
    // A question about two versions is not answered by a click that missed it, nor is what was written thrown away; one
    // beside an open list closes that list only.
    let stays = dialog.about().is_some() || dialog.is_form() || modal.any_popup_open;
    let is_missed = stays && modal.backdrop_response.clicked();
    if !is_missed && modal.should_close() {
        cx.send(Action::Dialog(match dialog {
            Dialog::Conflict { doc, .. } | Dialog::Versions { doc, .. } => DialogAnswer::AskLater(doc.clone()),
            _ => DialogAnswer::Cancel,
        }));
    }
}

/// Forget what was typed into dialogs; called when one closes.
pub fn forget_fields(ctx: &Context) {
    ctx.data_mut(|data| {
        for id in ["open", "new", "export", "refactor", "pick", "keys"] {
            data.remove::<String>(field_id(id));
        }
        data.remove::<usize>(Id::unique("pick row"));
        super::refactor::forget(data);
        super::new_tileset::forget(data);
        super::dialog_form::forget(data);
    });
}

/// A path field with a button that asks the system's dialog. What the dialog found replaces what was typed.
fn path_field(cx: &ShellCx<'_>, ui: &mut Ui, id: &str, hint: &str, what: BrowseFor) -> PathBuf {
    if let Some(found) = cx.browsed {
        ui.data_mut(|data| data.insert_temp(field_id(id), found.to_owned()));
    }
    let out = ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Browse…").tip("Ask the system's dialog").clicked() {
                cx.send(Action::Browse(what));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| field(ui, id, "", hint)).inner
        })
        .inner
    });
    out.inner.trim().into()
}

fn open_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    title(cx, ui, "Open project");
    let is_entered = is_entered(ui);
    ui.label(RichText::new("The folder that holds project.ron").color(cx.theme.text_weak));
    let root = path_field(cx, ui, "open", "Folder of the project", BrowseFor::Open);
    if !cx.recent.is_empty() {
        section(cx.theme, ui, "Recent");
        for recent in cx.recent {
            let button =
                egui::Button::new((icon_text(icons::ICON_FOLDER.codepoint, 15.0), recent.as_str())).frame(false);
            if ui.add(button).clicked() {
                cx.send(Action::OpenProject(recent.as_str().into()));
            }
        }
    }
    answers(ui, |ui| {
        let can_open = !root.as_os_str().is_empty();
        if main_button(cx, ui, "Open", can_open) || (is_entered && can_open) {
            cx.send(Action::OpenProject(root.clone()));
        }
        cancel_button(cx, ui);
    });
}

fn choice(ui: &mut Ui, id: &str, choices: &[(&str, &str, &str)]) -> String {
    let id = Id::unique("dialog choice").with(id);
    let mut chosen = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| choices[0].0.to_owned());
    ui.horizontal_wrapped(|ui| {
        for (value, text, tip) in choices {
            if ui.selectable_label(chosen == *value, *text).tip(*tip).clicked() {
                (*value).clone_into(&mut chosen);
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(id, chosen.clone()));
    chosen
}

fn new_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    title(cx, ui, "New project");
    let is_entered = is_entered(ui);
    let template = choice(
        ui,
        "template",
        &[
            ("platformer", "Platformer", "Seen from the side, with a player who jumps"),
            ("topdown", "Top-down", "Seen from above, with a player who walks eight ways"),
            ("empty", "Empty", "One empty level and nothing else"),
        ],
    );
    ui.add_space(8.0);
    ui.label(RichText::new("A new or empty folder").color(cx.theme.text_weak));
    let root = path_field(cx, ui, "new", "Folder for the new project", BrowseFor::New);
    answers(ui, |ui| {
        let can_make = !root.as_os_str().is_empty();
        if main_button(cx, ui, "Create", can_make) || (is_entered && can_make) {
            cx.send(Action::NewProject { root: root.clone(), template: template.clone() });
        }
        cancel_button(cx, ui);
    });
}

fn export_ui(cx: &ShellCx<'_>, ui: &mut Ui) {
    title(cx, ui, "Export");
    let is_entered = is_entered(ui);
    ui.label("What game builds read: inheritance applied, links and paths found, constants in place.");
    ui.add_space(8.0);
    let target = choice(
        ui,
        "target",
        &[
            ("json", "JSON", "By the published schema"),
            ("ron", "RON", "The same data as RON"),
            ("ron,json", "Both", "RON and JSON"),
        ],
    );
    ui.add_space(8.0);
    let out = path_field(cx, ui, "export", "Folder for the export", BrowseFor::Export);
    if cx.has_unsaved() {
        ui.label(cx.theme.caption("Exports what is in the window, saved or not."));
    }
    answers(ui, |ui| {
        let can_export = !out.as_os_str().is_empty();
        if main_button(cx, ui, "Export", can_export) || (is_entered && can_export) {
            cx.send(Action::Export { out: out.clone(), target: target.clone() });
        }
        cancel_button(cx, ui);
    });
}

fn unsaved_ui(cx: &Cx<'_>, ui: &mut Ui, docs: &[DocPath]) {
    let mut unfinished = cx.view.unfinished_in(cx.project).peekable();
    let has_unfinished = unfinished.peek().is_some();
    let can_save = !docs.is_empty() || !has_unfinished;
    title(cx, ui, if can_save { "Save changes before closing?" } else { "Close without what is unfinished?" });
    ScrollArea::vertical().max_height(200.0).show(ui, |ui| {
        if can_save {
            ui.label(match docs.len() {
                1 => "One document has changes that are not saved:".to_owned(),
                n => format!("{n} documents have changes that are not saved:"),
            });
            ui.add_space(4.0);
        }
        for doc in docs {
            ui.monospace(doc.as_str());
        }
        if cx.workspace.files().is_saving() {
            ui.add_space(4.0);
            ui.label("A save is still running: what it writes is listed until it ends.");
        }
        if has_unfinished {
            ui.add_space(4.0);
            ui.label("Transitions without a trigger cannot be saved:");
            for it in unfinished {
                ui.monospace(format!("{}: {} → {}", it.machine, it.from, it.to));
            }
        }
    });
    answers(ui, |ui| {
        if can_save && main_button(cx, ui, "Save and close", true) {
            cx.send(Action::Dialog(DialogAnswer::SaveAndClose));
        }
        if ui.button("Discard").tip("Lose these changes").clicked() {
            cx.send(Action::Dialog(DialogAnswer::DiscardAndClose));
        }
        cancel_button(cx, ui);
    });
}

fn about_ui(cx: &Cx<'_>, ui: &mut Ui) {
    title(cx, ui, "Levelwright");
    ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.label(RichText::new(concat!("License: ", env!("CARGO_PKG_LICENSE"))).color(cx.theme.text_weak));
    ui.add_space(8.0);
    ui.label(RichText::new("This project is in").color(cx.theme.text_weak));
    ui.add(egui::Label::new(RichText::new(cx.root()).monospace()).wrap());
    answers(ui, |ui| {
        cancel_like(cx, ui);
        if ui.button("Copy path").clicked() {
            cx.send(Action::CopyText(cx.root().into_owned()));
        }
    });
}

fn cancel_like(cx: &Cx<'_>, ui: &mut Ui) {
    if ui.button("Close").clicked() {
        cx.send(Action::Dialog(DialogAnswer::Cancel));
    }
}
