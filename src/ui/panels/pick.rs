//! The two finders: the command palette, and going to anything in the project by name.

use egui::{Align2, Area, Context, Frame, Id, Key, Modifiers, Order, RichText, ScrollArea, Ui, vec2};
use egui_material_icons::icons;

use super::dialog_form::pick_field;
use crate::ui::widgets::Tip as _;
use crate::{
    editor::{Action, Command, Dialog, DialogAnswer, Selection},
    model::{DocPath, Document, FieldPath, Location},
    ui::{
        CommandLook as _, CommandState as _, Cx,
        theme::ROW,
        widgets::{Row, matches, row_ui},
    },
};

struct Item {
    icon: &'static str,
    text: String,
    detail: String,
    /// Found by these words too.
    about: &'static str,
    /// Other names it may be looked for by, with commas between.
    also: &'static str,
    refusal: Option<String>,
    action: Action,
}

/// Show a finder over the window.
pub fn pick_ui(cx: &Cx<'_>, ctx: &Context, dialog: &Dialog) {
    let area = Area::new(Id::unique("finder")).order(Order::Foreground).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
    let response = area.show(ctx, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_width(520.0);
            let hint =
                if *dialog == Dialog::Commands { "Find a command" } else { "Go to a level, definition, machine…" };
            // Taken before the field sees them, or they would move its cursor.
            let (down, up, enter, escape) = ui.input_mut(|input| {
                (
                    input.consume_key(Modifiers::NONE, Key::ArrowDown),
                    input.consume_key(Modifiers::NONE, Key::ArrowUp),
                    input.consume_key(Modifiers::NONE, Key::Enter),
                    input.consume_key(Modifiers::NONE, Key::Escape),
                )
            });
            let query = pick_field(ui, hint);
            let mut shown = match dialog {
                Dialog::Commands => ranked(commands(cx, ui), &query),
                _ => ranked(things(cx), &query),
            };
            if shown.is_empty() && *dialog == Dialog::Commands {
                // No command: then something of the project is meant.
                shown = ranked(things(cx), &query);
            }
            list_ui(cx, ui, &query, &shown, (down, up, enter));
            if escape {
                cx.send(Action::Dialog(DialogAnswer::Cancel));
            }
        });
    });
    if response.response.clicked_elsewhere() {
        cx.send(Action::Dialog(DialogAnswer::Cancel));
    }
}

fn list_ui(cx: &Cx<'_>, ui: &mut Ui, query: &str, shown: &[Item], (down, up, enter): (bool, bool, bool)) {
    let id = Id::unique("pick row");
    let last = shown.len().saturating_sub(1);
    // What is typed, or opened anew, begins with the best.
    let now = ui.ctx().cumulative_pass_nr();
    let kept: Option<(String, u64, usize)> = ui.data(|data| data.get_temp(id));
    let kept = kept.filter(|(of, pass, _)| of == query && *pass + 1 >= now);
    let is_fresh = kept.is_none();
    let mut at = kept.map_or(0, |(.., at)| at).min(last);
    if down {
        at = if at == last { 0 } else { at + 1 };
    }
    if up {
        at = if at == 0 { last } else { at - 1 };
    }
    ui.data_mut(|data| data.insert_temp(id, (query.to_owned(), now, at)));
    if shown.is_empty() {
        ui.label(RichText::new("Nothing by that name").color(cx.theme.text_weak));
    }
    let mut area = ScrollArea::vertical().max_height(ROW * 14.0).min_scrolled_height(ROW * 14.0);
    if is_fresh {
        area = area.vertical_scroll_offset(0.0);
    }
    area.auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (i, item) in shown.iter().enumerate() {
            let row = Row {
                icon: item.icon,
                text: &item.text,
                detail: &item.detail,
                is_selected: i == at,
                is_weak: item.refusal.is_some(),
                ..Row::default()
            };
            let response = row_ui(cx.theme, ui, &row);
            if i == at && (down || up) {
                response.scroll_to_me(None);
            }
            let is_chosen = response.clicked() || (i == at && enter);
            if let Some(why) = &item.refusal {
                response.tip(why);
                if is_chosen {
                    cx.send(Action::Notice(why.clone()));
                }
            } else if is_chosen {
                cx.send(Action::Dialog(DialogAnswer::Cancel));
                cx.send(item.action.clone());
            }
        }
    });
}

/// What fits, best first: the name that is the query, names that begin with it, other names that do, then those with a
/// word that does, then the rest.
fn ranked(items: Vec<Item>, query: &str) -> Vec<Item> {
    let query = query.trim().to_lowercase();
    let rank = |item: &Item| {
        let text = item.text.to_lowercase();
        if text == query {
            0
        } else if text.starts_with(&query) {
            1
        } else if item.also.split(", ").any(|name| name.starts_with(&query)) {
            2
        } else if text.split([' ', '_', '-']).any(|word| word.starts_with(&query)) {
            3
        } else {
            4
        }
    };
    let mut shown: Vec<Item> = items
        .into_iter()
        .filter(|item| matches(&query, &format!("{} {} {} {}", item.text, item.detail, item.about, item.also)))
        .collect();
    if !query.is_empty() {
        shown.sort_by_key(rank);
    }
    shown
}

fn commands(cx: &Cx<'_>, ui: &Ui) -> Vec<Item> {
    let items = Command::all().filter(|command| *command != Command::CommandPalette).map(|command| {
        let spec = command.spec();
        let keys = command.keys_text(cx, ui.ctx()).unwrap_or_default();
        let menu = spec.menu.title();
        Item {
            icon: spec.icon,
            text: spec.text.to_owned(),
            detail: if keys.is_empty() { menu.to_owned() } else { keys },
            about: spec.tip,
            also: spec.also,
            refusal: command.refusal(cx),
            action: Action::Command(command),
        }
    });
    items.collect()
}

fn things(cx: &Cx<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    for (path, doc) in &cx.project.documents {
        things_of(path, doc, &mut items);
    }
    items
}

fn things_of(path: &DocPath, doc: &Document, items: &mut Vec<Item>) {
    let mut push = |icon: &'static str, text: String, action: Action| {
        items.push(Item { icon, text, detail: path.to_string(), about: "", also: "", refusal: None, action });
    };
    match doc {
        Document::Level(_) => {
            push(icons::ICON_MAP.codepoint, path.stem().to_owned(), Action::OpenLevel(path.clone()));
        }
        Document::Entities(file) => {
            for name in file.defs.keys() {
                let selection = Selection::definition(path.clone(), name.clone());
                push(icons::ICON_SMART_TOY.codepoint, name.to_string(), Action::Select(selection));
            }
        }
        Document::Machines(file) => {
            for name in file.machines.keys() {
                let open = Action::OpenMachine { doc: path.clone(), name: name.clone() };
                push(icons::ICON_ACCOUNT_TREE.codepoint, name.to_string(), open);
            }
        }
        Document::Tuning(page) => {
            let open = Action::GoTo(Location::new(path.clone(), FieldPath::root()));
            push(icons::ICON_TUNE.codepoint, page.page.to_string(), open);
        }
        _ => {
            let select = Action::Select(Selection::Document(path.clone()));
            push(icons::ICON_DESCRIPTION.codepoint, path.stem().to_owned(), select);
        }
    }
}
