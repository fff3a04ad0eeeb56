//! The list of every key.

use egui::{Frame, Key, Label, Margin, RichText, ScrollArea, Ui, vec2};

use super::dialog_form::{field, list_height, title};
use crate::{
    editor::{Command, Controls},
    sim::control_constant,
    ui::{
        CommandLook as _, Cx, Menu, keys_text,
        theme::{GRID, ROW},
        widgets::{matches, section},
    },
};

/// Room for the keys, in points.
const KEYS: f32 = 176.0;

/// What the pointer and single keys do in the level.
const IN_LEVEL: [(&str, &str); 9] = [
    ("Middle drag, Space drag", "Move the view"),
    ("Wheel, pinch", "Zoom at the pointer"),
    (
        "Esc",
        "Cancel what a tool is doing; go back to the tool before a paste, a stamp or the eyedropper; leave the level after Ctrl+K",
    ),
    ("Shift", "Straight lines; add to the selection"),
    ("Alt", "Do not keep to the grid"),
    ("Arrows", "Move the selection; while it plays, what they are bound to"),
    ("Ctrl+K, then arrows", "Move the pointer by cells, by a pixel with Alt, by eight cells with Ctrl"),
    ("Ctrl+K, then menu key", "The menu of what is under the pointer; Shift+F10 where nothing plays"),
    ("Ctrl+K, then Space", "The pointer's button: hold it and use the arrows to drag"),
];

/// How the keyboard goes from one thing to the next.
const FOCUS: [(&str, &str); 5] = [
    ("Tab, Shift+Tab", "Go to the next field or button, and back; what is typed replaces what is in the field"),
    ("Arrows", "Go along a list, from its pane or its search down into it; choose tiles, values and sliders"),
    ("Enter", "Press a button; confirm a dialog from any field; from the Palette and Stamps go back to the level"),
    (
        "Enter in the Inspector",
        "Take what was typed and stay there: Enter again goes on typing, Tab goes to the next field",
    ),
    ("Esc", "Drop what was typed; cancel a dialog"),
];

/// Show it.
pub(super) fn shortcuts_ui(cx: &Cx<'_>, ui: &mut Ui) {
    title(cx, ui, "Keyboard shortcuts");
    let query = field(ui, "keys", "", "Search keys and what they do");
    let fits = |keys: &str, what: &str| matches(query.trim(), &format!("{keys} {what}"));
    ui.add_space(GRID);
    let height = list_height(ui, 122.0, 448.0);
    let list = ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
    list.show(ui, |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().item_spacing.y = 0.0;
        scroll_by_keys(ui);
        let of_menus = Menu::ALL.into_iter().map(|menu| {
            let specs = Command::all().map(Command::spec).filter(|spec| spec.menu == menu);
            let rows = specs.filter_map(|spec| {
                let keys = keys_text(ui.ctx(), &spec.keys?);
                let is_meant = fits(&keys, &format!("{} {} {}", spec.text, spec.tip, spec.also));
                is_meant.then_some((keys, spec.tip))
            });
            (menu.title(), rows.collect::<Vec<_>>())
        });
        let others = [("In the level", &IN_LEVEL[..]), ("In panes and dialogs", &FOCUS)].map(|(part, rows)| {
            let rows = rows.iter().filter(|(keys, what)| fits(keys, what));
            (part, rows.map(|(keys, what)| ((*keys).to_owned(), *what)).collect::<Vec<_>>())
        });
        let controls = Controls::of(cx.resolution, cx.tried_values());
        let playing = controls.actions().filter_map(|action| {
            let keys = controls.keys(action).collect::<Vec<_>>().join(", ");
            let constant = cx.resolution.builtin().tunable(&control_constant(action));
            let what = constant.map_or(&**action, |constant| constant.doc.trim_end_matches('.'));
            (!keys.is_empty() && fits(&keys, what)).then_some((keys, what))
        });
        let playing = ("While a level plays", playing.collect::<Vec<_>>());
        let parts: Vec<_> = of_menus.chain(others).chain([playing]).filter(|(_, rows)| !rows.is_empty()).collect();
        if parts.is_empty() {
            ui.label(cx.theme.caption("No key by that name"));
        }
        for (part, rows) in parts {
            section(cx.theme, ui, part);
            for (at, (keys, what)) in rows.iter().enumerate() {
                row_ui(cx, ui, at, keys, what);
            }
        }
    });
}

/// Nothing in the list can be gone to: the keys that go along others scroll it.
fn scroll_by_keys(ui: &Ui) {
    let steps = [(Key::ArrowDown, 1.0), (Key::ArrowUp, -1.0), (Key::PageDown, 12.0), (Key::PageUp, -12.0)];
    let pressed = ui.input(|input| steps.into_iter().find(|(key, _)| input.key_pressed(*key)));
    if let Some((_, n_rows)) = pressed {
        let none = egui::style::ScrollAnimation::none();
        ui.scroll_with_delta_animation(vec2(0.0, -n_rows * ROW), none);
    }
}

/// Keys and what they do, on a stripe as wide as the list.
fn row_ui(cx: &Cx<'_>, ui: &mut Ui, at: usize, keys: &str, what: &str) {
    let ground = if at.is_multiple_of(2) { cx.theme.chrome } else { cx.theme.panel };
    #[expect(clippy::cast_possible_truncation, reason = "a few points")]
    let margin = Margin::symmetric(GRID as i8, 0);
    Frame::new().fill(ground).inner_margin(margin).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_size(vec2(ui.available_width(), ROW));
            let left = ui.cursor().left();
            ui.label(RichText::new(keys).monospace());
            ui.add_space((left + KEYS - ui.cursor().left()).max(0.0));
            ui.add(Label::new(what).wrap());
        });
    });
}
