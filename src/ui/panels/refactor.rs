//! The one dialog for every refactoring: what is asked for at the top, every place that would change below, and how
//! much that is. The app computes the result of a request; nothing is decided here.

use egui::{Align, CornerRadius, FontId, Layout, RichText, ScrollArea, Ui, UiBuilder, WidgetInfo, vec2};
use egui_material_icons::icons;

use super::dialog_form::{answers, cancel_button, confirms, field, is_entered, list_height, main_button, title};
use crate::{
    editor::{Action, DialogAnswer, Draft, DraftRow},
    model::{Difference, DocPath, FieldType, MachinesFile, Name, Seg},
    refactor::{Delete, Extract, Inline, Misfit, NameKind, Named, Request, names},
    ui::{
        Cx,
        theme::{GRID, ROW, SMALL},
        widgets::{
            Tip as _, checkbox_ui,
            choose::drop_down,
            choose::{Choice, choose_ui},
            elided, has_keyboard, icon_text, sentence,
        },
    },
};

/// Show the dialog's content.
pub fn refactor_ui(cx: &Cx<'_>, ui: &mut Ui, draft: &Draft) {
    let request = &draft.request;
    title(cx, ui, &request.title());
    let is_entered = is_entered(ui);
    let mut next = request.clone();
    match &mut next {
        Request::Rename { what, to } => rename_inputs(cx, ui, what, to),
        Request::Extract(it) => extract_inputs(cx, ui, it, draft),
        Request::Inline(it) => inline_inputs(cx, ui, it),
        Request::Delete(it) => delete_inputs(cx, ui, it),
        Request::NewMachine { name, file } => new_machine_inputs(cx, ui, name, file),
        Request::DuplicateMachine { to, .. } | Request::DuplicateFile { to, .. } => {
            field(ui, "refactor", to, "Name of the copy").trim().clone_into(to);
        }
        Request::NewLevel(it) => super::new_level::new_level_ui(cx, ui, it),
        Request::NewLayer(it) => super::new_level::new_layer_ui(cx, ui, it),
        Request::LayerCells(it) => super::layer_cells::layer_cells_ui(cx, ui, it),
        Request::NewStamp(it) => super::new_level::new_stamp_ui(cx, ui, it),
        Request::DeleteMachine { .. } | Request::DeleteFile { .. } => {}
        Request::Replace(it) => super::replace::replace_ui(cx, ui, it),
    }
    let is_confirmed = confirms(cx, ui, is_entered, next != *request);
    if next != *request {
        cx.send(Action::Refactor(next));
    }
    ui.add_space(8.0);
    // What else the dialog says takes more or less room.
    let rest = match request {
        Request::Extract(_) => 360.0,
        Request::Replace(_) => 380.0,
        _ => 210.0,
    };
    // A form shows beside its fields what is wrong, and all it makes is new.
    let is_refused = matches!(draft.settled().map(|it| &it.result), Some(Err(_)));
    if !request.is_form() || (is_refused && request.field_problem(cx.project).is_none()) {
        let height = list_height(ui, rest, 300.0);
        ui.scope(|ui| {
            // What is found changes with every choice: the dialog stays where it is under the pointer.
            if matches!(request, Request::Replace(_)) {
                ui.set_min_height(height);
            }
            outcome_ui(cx, ui, draft, height);
        });
    }
    let settled = draft.settled().map(|outcome| &outcome.result);
    let can_do = matches!(settled, Some(Ok(_)));
    // Shown until a newer one is there, or the answers below would move under the pointer.
    if let Some(Ok(planned)) = draft.outcome.as_ref().map(|outcome| &outcome.result) {
        ui.add_space(8.0);
        let text =
            if request.is_form() { planned.reach.clone() } else { format!("{}. {}", planned.count, planned.reach) };
        ui.label(RichText::new(text).color(cx.theme.text));
    }
    // What was typed last may not be looked through yet; it is before it is done.
    let may_do = can_do || draft.settled().is_none();
    // A click may have ended the typing of what is looked through now.
    let was_fine = draft.outcome.as_ref().is_some_and(|outcome| request.is_form() || outcome.result.is_ok());
    answers(ui, |ui| {
        if main_button(cx, ui, request.verb(), can_do || (may_do && was_fine)) || (is_confirmed && may_do) {
            cx.send(Action::Dialog(DialogAnswer::Refactor));
        }
        cancel_button(cx, ui);
    });
}

/// What came of the request: the list of changes, or why there is none.
fn outcome_ui(cx: &Cx<'_>, ui: &mut Ui, draft: &Draft, height: f32) {
    let is_current = draft.settled().is_some();
    let Some(outcome) = &draft.outcome else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(RichText::new("Looking for every use…").color(cx.theme.text_weak));
        });
        return;
    };
    match &outcome.result {
        Err(why) => {
            ui.horizontal_wrapped(|ui| {
                ui.label(icon_text(icons::ICON_INFO.codepoint, 16.0).color(cx.theme.warning));
                ui.label(RichText::new(sentence(why)).color(cx.theme.text));
            });
        }
        Ok(planned) => {
            let theme = cx.theme;
            egui::Frame::new().fill(theme.well).corner_radius(CornerRadius::same(4)).inner_margin(GRID).show(
                ui,
                |ui| {
                    ui.set_width(ui.available_width());
                    if !is_current {
                        ui.set_opacity(0.6);
                    }
                    ui.spacing_mut().item_spacing.y = 0.0;
                    // At once as tall as it will be, or the dialog would grow under the pointer.
                    let list = ScrollArea::vertical().auto_shrink([false, true]);
                    let list = list.max_height(height).min_scrolled_height(height);
                    list.show_rows(ui, ROW, planned.rows.len(), |ui, range| {
                        for row in planned.rows.get(range).unwrap_or_default() {
                            row_ui(cx, ui, row);
                        }
                    });
                },
            );
        }
    }
}

fn row_ui(cx: &Cx<'_>, ui: &mut Ui, row: &DraftRow) {
    let theme = cx.theme;
    let size = vec2(ui.available_width(), ROW);
    match row {
        DraftRow::Title(text) => {
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, text));
            let mut line = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
            line.label(icon_text(icons::ICON_WARNING.codepoint, 15.0).color(theme.warning));
            line.label(RichText::new(text).color(theme.text_strong).strong());
        }
        DraftRow::File(doc, n) => {
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, doc.as_str()));
            let mut line = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
            let room = rect.width() - 6.0 * GRID;
            line.label(elided(ui, doc.as_str(), room, theme.text_strong));
            line.label(theme.caption(n.to_string()));
        }
        DraftRow::Place(place) => place_ui(cx, ui, place),
        DraftRow::Misfit(misfit) => misfit_ui(cx, ui, misfit),
        DraftRow::Layer(kind, count) => super::replace::layer_ui(cx, ui, *kind, count),
    }
}

/// An override that would not fit: whose it is, and why. A click goes there.
fn misfit_ui(cx: &Cx<'_>, ui: &mut Ui, misfit: &Misfit) {
    let theme = cx.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), egui::Sense::click());
    let text = format!("{}: {}", misfit.location.path, misfit.message);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::ListItem, true, &text));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if response.hovered() || has_keyboard(&response) {
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme.widget);
    }
    let id = misfit.location.path.within_layer().get(1).and_then(Seg::key).cloned().unwrap_or_default();
    let left = rect.left() + 4.0 * GRID;
    let half = (rect.right() - left) * 0.3;
    let id = elided(ui, &id, (FontId::monospace(SMALL), half), theme.text_weak);
    let after = left + id.size().x + 2.0 * GRID;
    let why = elided(ui, &misfit.message, rect.right() - after, theme.text);
    for (x, galley, color) in [(left, id, theme.text_weak), (after, why, theme.text)] {
        ui.painter().galley(egui::pos2(x, rect.center().y - galley.size().y / 2.0), galley, color);
    }
    if response.clicked() {
        cx.send(Action::GoTo(misfit.location.clone()));
    }
    response.tip(text);
}

/// One place: line and column, what stands there, what will.
fn place_ui(cx: &Cx<'_>, ui: &mut Ui, place: &Difference) {
    let theme = cx.theme;
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    // What is new stands nowhere yet.
    let at = match cx.workspace.line_column(&place.location).filter(|_| place.before.is_some()) {
        Some((line, column)) => format!("{line}:{column}"),
        None => "new".to_owned(),
    };
    let path = place.location.path.to_string();
    let row_text = match (&place.before, &place.after) {
        (Some(before), Some(after)) => format!("{path}: {before} becomes {after}"),
        // A comment has a place and no path.
        (Some(before), None) if path.is_empty() => before.clone(),
        (Some(before), None) => format!("{path}: {before}"),
        (None, after) => format!("{path}: {} is new", after.as_deref().unwrap_or_default()),
    };
    response.widget_info(|| WidgetInfo::labeled(egui::Role::ListItem, true, &row_text));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if response.hovered() || has_keyboard(&response) {
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme.widget);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let mono = FontId::monospace(SMALL);
    let y = rect.center().y;
    let gutter = rect.left() + 64.0;
    painter.text(egui::pos2(gutter - 8.0, y), egui::Align2::RIGHT_CENTER, &at, mono.clone(), theme.text_weak);
    let half = (rect.right() - gutter) * 0.46;
    // Each returns where the next begins.
    let put = |x: f32, text: &str, color, room: f32| {
        let galley = elided(ui, text, (mono.clone(), room), color);
        let width = galley.size().x;
        painter.galley(egui::pos2(x, y - galley.size().y / 2.0), galley, color);
        x + width + 8.0
    };
    let right = rect.right();
    let x = put(gutter, &path, theme.text_weak, half);
    match (&place.before, &place.after) {
        (Some(before), Some(after)) => {
            let x = put(x, before, theme.text, (right - x - 30.0) * 0.5);
            let x = put(x, "→", theme.text_weak, 20.0);
            put(x, after, theme.accent, right - x);
        }
        (Some(before), None) => {
            let x = put(x, "−", theme.error, 14.0);
            put(x, before, theme.text, right - x);
        }
        (None, after) => {
            let x = put(x, "+", theme.good, 14.0);
            put(x, after.as_deref().unwrap_or_default(), theme.text, right - x);
        }
    }
    if response.clicked() {
        cx.send(Action::GoTo(place.location.clone()));
    }
    response.tip(row_text);
}

/// The new name, and, when nothing was selected, of what.
fn rename_inputs(cx: &Cx<'_>, ui: &mut Ui, what: &mut Named, to: &mut String) {
    if what.name.is_empty() || ui.data(|data| data.get_temp::<bool>(chooses_id()).unwrap_or(false)) {
        ui.data_mut(|data| data.insert_temp(chooses_id(), true));
        named_ui(cx, ui, what, to);
    }
    field(ui, "refactor", to, "New name").trim().clone_into(to);
}

/// Forget what was chosen; called when the dialog closes.
pub(super) fn forget(data: &mut egui::util::IdTypeMap) {
    data.remove::<bool>(chooses_id());
}

fn chooses_id() -> egui::Id {
    egui::Id::unique("refactor chooses")
}

/// Which kind of thing, and which.
fn named_ui(cx: &Cx<'_>, ui: &mut Ui, what: &mut Named, to: &mut String) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Rename the").color(cx.theme.text_weak));
        let before = what.kind;
        let kinds = drop_down(cx.theme, "refactor kind", what.kind.noun()).show_ui(ui, |ui| {
            for kind in NameKind::ALL {
                ui.selectable_value(&mut what.kind, kind, kind.noun());
            }
        });
        kinds.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, "Kind of thing"));
        if before != what.kind {
            what.name = "".into();
        }
        let kind = what.kind;
        let choices = || {
            let all = names(cx.project, cx.resolution, kind);
            all.into_iter().map(|name| Choice::new(&name.into())).collect()
        };
        let of = (&*what.name.clone(), &FieldType::Any);
        // Names of another kind are another list.
        let picked = ui.push_id(kind, |ui| choose_ui(cx, ui, "Which one", of, choices)).inner;
        if let Some(name) = picked {
            what.name = name;
            what.own_name().clone_into(to);
            ui.data_mut(|data| data.insert_temp(egui::Id::unique("dialog field").with("refactor"), to.clone()));
        }
    });
    ui.add_space(4.0);
}

/// The new parent's name, and a check box for every operation that all share.
fn extract_inputs(cx: &Cx<'_>, ui: &mut Ui, it: &mut Extract, draft: &Draft) {
    it.name = field(ui, "refactor", &it.name, "Name of the new parent").trim().into();
    let alike = draft.outcome.as_ref().map_or(&[][..], |outcome| &outcome.alike);
    if alike.is_empty() {
        return;
    }
    // What was ticked off is not among what the plan moves, but is offered all the same.
    ui.add_space(8.0);
    ui.label(cx.theme.caption("Declared the same by all of them, and moved up:"));
    ScrollArea::vertical()
        .id_salt("alike")
        .max_height(150.0)
        .min_scrolled_height(150.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (word, value) in alike {
                let mut is_moved = !it.keep.contains(word);
                let name = word.describe();
                ui.horizontal(|ui| {
                    if checkbox_ui(ui, &mut is_moved, &name).changed() {
                        if is_moved {
                            it.keep.remove(word);
                        } else {
                            it.keep.insert(word.clone());
                        }
                    }
                    if let Some(value) = value {
                        let value = cx.theme.caption(value.to_string()).monospace();
                        ui.add(egui::Label::new(value).truncate());
                    }
                });
            }
        });
}

fn inline_inputs(cx: &Cx<'_>, ui: &mut Ui, it: &mut Inline) {
    let theme = cx.theme;
    ui.label(RichText::new("What it declares is merged into those that inherit it.").color(theme.text_weak));
    let all = cx.resolution.children_of(&it.parent);
    ui.add_space(4.0);
    if all.len() > 1 {
        let mut is_all = it.children.is_empty();
        ui.horizontal_wrapped(|ui| {
            if ui.radio(is_all, format!("Into all {} that inherit it", all.len())).clicked() {
                is_all = true;
                it.children.clear();
            }
            let one: Vec<Name> = match it.children.as_slice() {
                [] => cx
                    .selection
                    .definitions()
                    .iter()
                    .map(|(_, name)| name.clone())
                    .filter(|it| all.contains(it))
                    .collect(),
                some => some.to_vec(),
            };
            if !one.is_empty() && one.len() < all.len() {
                let names = one.iter().map(|it| &**it).collect::<Vec<_>>().join(", ");
                if ui.radio(!is_all, format!("Only into {names}")).clicked() {
                    it.children = one;
                }
            }
        });
    }
    checkbox_ui(ui, &mut it.delete, "Delete it when nothing uses it any more");
}

/// The new machine's name and the file it goes to.
fn new_machine_inputs(cx: &Cx<'_>, ui: &mut Ui, name: &mut Name, file: &mut Option<DocPath>) {
    *name = field(ui, "refactor", name, "Name of the new machine").trim().into();
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new("In the file").color(cx.theme.text_weak));
        let of_its_own = format!("new file machines/{name}.ron");
        let shown = file.as_ref().map_or(of_its_own.clone(), ToString::to_string);
        let label = format!("File of the new machine: {shown}");
        let files = drop_down(cx.theme, "machine file", shown).width(280.0).show_ui(ui, |ui| {
            for (doc, _) in cx.project.all::<MachinesFile>() {
                ui.selectable_value(file, Some(doc.clone()), doc.as_str());
            }
            ui.selectable_value(file, None, of_its_own);
        });
        files.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
    });
}

fn delete_inputs(cx: &Cx<'_>, ui: &mut Ui, it: &mut Delete) {
    let n_children: usize = it.names.iter().map(|name| cx.resolution.children_of(name).len()).sum();
    let n_placed: usize = it.names.iter().flat_map(|name| cx.derived.census().placed(name)).map(|(_, n)| n).sum();
    if n_children > 0 {
        let text = if n_children == 1 {
            "What inherits it keeps its values".to_owned()
        } else {
            format!("The {n_children} that inherit keep their values")
        };
        checkbox_ui(ui, &mut it.inline, text).tip("What is deleted is merged into its children first");
    }
    if n_placed > 0 {
        let text = if n_placed == 1 {
            "Delete the entity placed of it too".to_owned()
        } else {
            format!("Delete the {n_placed} placed entities too")
        };
        checkbox_ui(ui, &mut it.with_instances, text);
    }
}
