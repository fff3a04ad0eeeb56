//! The Preview pane: transport, what is drawn over the level, the entities of the running world and which of them the
//! user controls. Contacts are in `contacts`.

use egui::{Id, RichText, ScrollArea, Sense, Ui};
use egui_material_icons::icons;

use super::{
    contacts::{Inspected, contacts_ui},
    energy::energy_ui,
    level_running::running_items_ui,
    live::live_ui,
    overlays::overlay_buttons_ui,
};
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Command, Controls, Preview, PreviewAction, Selection, ViewChange},
    model::{Finding, LevelView, Name, Severity},
    sim::EntityView,
    ui::{
        Cx,
        canvas::ghosts::difference_text,
        theme::{BODY, ROW, SMALL},
        widgets::{
            Row, command_button, empty_state, icon_text, in_rect, matches, row_ui, search_field, section, sentence,
            words::{clock_text, words},
        },
    },
};

/// From this width on, in points, contacts stand beside the rest and take no height from it.
const WIDE: f32 = 640.0;
/// In a pane lower than this, in points, overlays are switched by their menu alone.
const LOW: f32 = 240.0;
/// The entities have room for so many rows at least, with their search.
const LEAST_ROWS: f32 = 3.0;

/// Show the Preview pane.
pub fn preview_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let is_low = ui.available_height() < LOW;
    let Some(preview) = cx.preview else { return world_ui(cx, ui, is_low) };
    let inspected = Inspected::of(cx, preview);
    let area = |ui: &mut Ui, height: f32| {
        let area = ScrollArea::vertical().id_salt("contacts").max_height(height).auto_shrink(false);
        area.show(ui, |ui| match inspected {
            Some(inspected) => contacts_ui(cx, ui, preview, inspected),
            None => {
                section(cx.theme, ui, "Contacts");
                ui.label(
                    cx.theme.caption("Select one entity to see what it touches, two to see why they touch or do not"),
                );
            }
        });
    };
    // What is clicked stays under the pointer, whatever is shown about it.
    if ui.available_width() >= WIDE {
        ui.columns(2, |columns| {
            world_ui(cx, &mut columns[0], is_low);
            area(&mut columns[1], f32::INFINITY);
        });
    } else {
        let all = ui.available_rect_before_wrap();
        let height = (ROW * 6.0).min(all.height() / 3.0);
        let (above, below) = all.split_top_bottom_at_y(all.bottom() - height);
        in_rect(ui, above, |ui| world_ui(cx, ui, is_low));
        in_rect(ui, below, |ui| area(ui, height));
        ui.advance_cursor_after_rect(all);
    }
}

/// More problems of a run than these are only counted.
const MOST_LISTED: usize = 20;

/// How it runs, what is drawn, and its entities.
fn world_ui(cx: &Cx<'_>, ui: &mut Ui, is_low: bool) {
    ui.horizontal_wrapped(|ui| {
        super::toolbar::transport_ui(cx, ui);
        ui.separator();
        overlay_buttons_ui(cx, ui, is_low);
    });
    let Some(preview) = cx.preview else {
        let icon = icons::ICON_VIDEOGAME_ASSET.codepoint;
        empty_state(cx.theme, ui, icon, "The level is not playing", &how_to_play(cx));
        return;
    };
    let room = ui.available_height();
    ScrollArea::vertical().id_salt("preview").auto_shrink(false).show(ui, |ui| {
        let top = ui.cursor().top();
        live_ui(cx, ui, room);
        problems_ui(cx, ui, preview);
        energy_ui(cx, ui, preview);
        differences_ui(cx, ui, preview);
        // What is left, but some rows even where there is nothing left: then all is scrolled.
        let rest = room - (ui.cursor().top() - top);
        let spacing = ui.spacing().item_spacing.y;
        entities_ui(cx, ui, preview, (rest - spacing).max(LEAST_ROWS * ROW));
    });
}

/// How to play, with the first key that is bound to each action.
fn how_to_play(cx: &Cx<'_>) -> String {
    let controls = Controls::of(cx.resolution, cx.tried_values());
    let key = |action: &str| controls.keys(action).next();
    let from_above = cx.level().is_some_and(|(_, level)| cx.project.view_of(level) == LevelView::TopDown);
    let ways: &[&str] = if from_above { &["Left", "Right", "Up", "Down"] } else { &["Left", "Right"] };
    let ways: Vec<&str> = ways.iter().filter_map(|way| key(way)).collect();
    let walks = (!ways.is_empty()).then(|| format!("the keys {} walk", ways.join(", ")));
    let jumps = key("Jump").filter(|_| !from_above).map(|key| format!("{key} jumps"));
    let dashes = key("Dash").map(|key| format!("{key} dashes"));
    let all: Vec<String> = [walks, jumps, dashes].into_iter().flatten().collect();
    if all.is_empty() { "Press F5 to play it".to_owned() } else { format!("Press F5 to play it; {}", all.join(", ")) }
}

fn entities_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, height: f32) {
    let top = ui.cursor().top();
    let hint = "Filter what is in the world by id, definition or state";
    let query = search_field(cx.theme, ui, Id::unique("world search"), hint);
    let shown: Vec<EntityView<'_>> =
        preview.session.world().entities().filter(|entity| matches(&query, &searchable(entity))).collect();
    let height = height - (ui.cursor().top() - top);
    let rows = ScrollArea::vertical().id_salt("entities").auto_shrink(false).max_height(height);
    rows.min_scrolled_height(height).show_rows(ui, ROW, shown.len(), |ui, range| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for entity in &shown[range] {
            entity_ui(cx, ui, preview, entity);
        }
    });
}

/// What is different now from the future that was replaced.
fn differences_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview) {
    let Some(ghost) = preview.session.ghost() else { return };
    let found = preview.session.world().differences(ghost);
    ui.horizontal(|ui| {
        section(cx.theme, ui, "Differences from the ghost")
            .tip("What is not as it would be, had nothing been changed after going back");
        command_button(cx, ui, Command::DropGhost);
    });
    if let Some(left_at) = preview.session.ghost_left_at() {
        let at = clock_text(left_at as f64 * preview.session.world().timestep_secs());
        ui.label(cx.theme.caption(format!("The ghost is the future that was left at {at}")));
    }
    if found.is_empty() {
        ui.label(cx.theme.caption("Everything is as it was"));
    }
    for difference in &found[..found.len().min(MOST_LISTED)] {
        let text = format!("{}  {}", difference.def, difference.id);
        let detail = difference_text(&difference.kind);
        let is_selected = cx.selection.ids_in(&preview.level).contains(&difference.id);
        let icon = icons::ICON_BLUR_ON.codepoint;
        let row = Row { icon, text: &text, detail: &detail, is_selected, ..Row::default() };
        let response = row_ui(cx.theme, ui, &row);
        if response.clicked() {
            let _ = select(cx, ui, preview, &difference.id);
        }
        follow_ui(cx, &response);
    }
    if found.len() > MOST_LISTED {
        ui.label(cx.theme.caption(format!("and {} more", found.len() - MOST_LISTED)));
    }
}

/// What went wrong while the world ran: values that exceed its limits, work that exceeds a tick's budget.
pub(super) fn running_problems(preview: &Preview) -> impl Iterator<Item = &Finding> {
    preview.session.world().findings().iter().filter(|finding| finding.severity > Severity::Hint)
}

fn problems_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview) {
    let found: Vec<&Finding> = running_problems(preview).collect();
    if found.is_empty() {
        return;
    }
    section(cx.theme, ui, "Problems while it runs");
    for finding in &found[..found.len().min(MOST_LISTED)] {
        problem_ui(cx, ui, finding);
    }
    if found.len() > MOST_LISTED {
        ui.label(cx.theme.caption(format!("and {} more", found.len() - MOST_LISTED)));
    }
}

/// A problem, on as many lines as it needs; a click goes to what it is about.
fn problem_ui(cx: &Cx<'_>, ui: &mut Ui, finding: &Finding) {
    let icon = match finding.severity {
        Severity::Error => icons::ICON_ERROR,
        _ => icons::ICON_WARNING,
    };
    ui.horizontal_top(|ui| {
        ui.label(icon_text(icon.codepoint, 15.0).color(cx.theme.severity(finding.severity)));
        let text = words(cx.theme, &sentence(&finding.message), (BODY, cx.theme.text));
        let response = ui.add(egui::Label::new(text).wrap().selectable(false).sense(Sense::click()));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &finding.message));
        let tip = format!("Click to go to what it is about, in {}", finding.location.doc);
        if response.on_hover_cursor(egui::CursorIcon::PointingHand).tip(tip).clicked() {
            cx.send(Action::GoTo(finding.location.clone()));
        }
    });
}

/// Select an entity of the running level; with Shift or Ctrl besides others, or no longer. Returns whether it is
/// selected then.
fn select(cx: &Cx<'_>, ui: &Ui, preview: &Preview, id: &Name) -> bool {
    let is_besides = ui.input(|input| input.modifiers.shift || input.modifiers.command);
    let mut ids = if is_besides { cx.selection.ids_in(&preview.level).to_vec() } else { Vec::new() };
    let at = ids.iter().position(|it| it == id);
    match at {
        Some(at) => drop(ids.remove(at)),
        None => ids.push(id.clone()),
    }
    cx.send(Action::Select(Selection::Things { doc: preview.level.clone(), ids }));
    at.is_none()
}

/// A double click has the view follow the entity, which the first click of it selected.
fn follow_ui(cx: &Cx<'_>, response: &egui::Response) {
    if response.double_clicked() {
        cx.command(Command::CameraFollow);
    }
}

fn searchable(entity: &EntityView<'_>) -> String {
    let states: Vec<&str> = entity.machines.iter().map(|machine| machine.state).collect();
    format!("{} {} {}", entity.id, entity.def, states.join(" "))
}

fn entity_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, entity: &EntityView<'_>) {
    let states: Vec<&str> =
        entity.machines.iter().map(|m| if m.state.is_empty() { "(root)" } else { m.state }).collect();
    let life = entity.life.map(|(now, max)| format!("  {now:.0}/{max:.0}")).unwrap_or_default();
    let detail = format!("{}{life}", states.join(", "));
    let text = format!("{}  {}", entity.def, entity.id);
    let is_selected = cx.selection.ids_in(&preview.level).iter().any(|id| id == entity.id);
    let row =
        Row { icon: icons::ICON_SMART_TOY.codepoint, text: &text, detail: &detail, is_selected, ..Row::default() };
    let response = row_ui(cx.theme, ui, &row);
    if response.clicked() {
        let watched = select(cx, ui, preview, entity.id).then(|| entity.id.clone());
        cx.send(Action::View(ViewChange::WatchEntity(watched)));
    }
    follow_ui(cx, &response);
    response.context_menu(|ui| {
        running_items_ui(cx, ui, preview, entity);
        ui.menu_button("Send message", |ui| {
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (name, spec) in &cx.resolution.schema.messages {
                    if ui.button(&**name).tip(&spec.doc).clicked() {
                        let send = PreviewAction::Send { to: entity.id.to_string(), message: name.clone() };
                        cx.send(Action::Preview(send));
                        ui.close();
                    }
                }
            });
        });
        ui.label(RichText::new(format!("{:.1}, {:.1} px", entity.pos.x, entity.pos.y)).size(SMALL));
    });
}
