//! The tried values: the bar with their number, keep and drop; the two sets side by side.

use egui::{Id, PopupCloseBehavior, RichText, Ui};
use egui_material_icons::icons;

use super::tuning_row::shown;
use crate::{
    editor::{Action, Command, TuneAction},
    model::{Name, TuningOverlay, TuningSide, Value},
    ui::{
        Cx, TuningCx,
        theme::{GRID, SMALL},
        widgets::{Fold, IconButton, Tip as _, command_button, folding, value::text_ui},
    },
};

/// The bar: which set plays, and what of it is tried.
pub(super) fn tried_ui(cx: &TuningCx<'_>, ui: &mut Ui) {
    let overlay = &*cx.project.tuning_overlay;
    egui::Frame::new().fill(cx.theme.well).corner_radius(4).inner_margin(egui::Margin::same(6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for side in TuningSide::ALL {
                side_ui(cx, ui, overlay, side);
            }
            command_button(cx, ui, Command::SwitchValues);
            sets_button_ui(cx, ui, overlay);
        });
        let side = cx.active_side();
        let n = overlay.values(side).len();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.set_min_height(ui.spacing().interact_size.y);
            let text = match n {
                0 if !cx.is_preview_on => "While the game plays, changes are tried out first".to_owned(),
                0 => "Change a constant to try it out; files stay as they are".to_owned(),
                1 => "1 value is being tried out".to_owned(),
                n => format!("{n} values are being tried out"),
            };
            ui.label(RichText::new(text).size(SMALL).color(if n > 0 { cx.theme.instance } else { cx.theme.text_weak }));
            if n == 0 {
                return;
            }
            if ui.button("Keep all").tip("Write them into the files, as one step").clicked() {
                cx.send(Action::Tune(TuneAction::Keep { side, name: None }));
            }
            if ui.button("Drop all").tip("Back to the values in the files").clicked() {
                cx.send(Action::Tune(TuneAction::Drop { side, name: None }));
            }
        });
        gone_ui(cx, ui, overlay);
    });
    ui.add_space(GRID);
}

/// A set as a button: its letter, what the user calls it or how much it tries.
fn side_ui(cx: &Cx<'_>, ui: &mut Ui, overlay: &TuningOverlay, side: TuningSide) {
    let n = overlay.values(side).len();
    let about = match (overlay.title(side), n) {
        ("", 0) => "as in the files".to_owned(),
        ("", 1) => "1 changed".to_owned(),
        ("", n) => format!("{n} changed"),
        (title, _) => title.to_owned(),
    };
    let is_active = cx.active_side() == side;
    let text = RichText::new(format!("{}  {about}", side.letter())).size(SMALL);
    let button = ui.add(egui::Button::selectable(is_active, text));
    let name = format!("Play with {}", side.letter());
    button.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_active, &name));
    if button.tip(format!("Play with set {}: {about}", side.letter())).clicked() {
        cx.send(Action::Tune(TuneAction::Activate(side)));
    }
}

/// Values of constants that no file and no default has any more: held, in case they come back.
fn gone_ui(cx: &Cx<'_>, ui: &mut Ui, overlay: &TuningOverlay) {
    let side = cx.active_side();
    let gone = overlay.values(side).keys().filter(|name| cx.resolution.tunable(name).is_none());
    for name in gone {
        ui.horizontal_wrapped(|ui| {
            let text = format!("{name} is gone; its value is held in case it comes back");
            ui.label(RichText::new(text).size(SMALL).color(cx.theme.warning));
            if ui.button("Drop it").clicked() {
                cx.send(Action::Tune(TuneAction::Drop { side, name: Some(name.clone()) }));
            }
        });
    }
}

/// A line of text; returned when editing ends.
fn text_field(ui: &mut Ui, name: &str, text: &str) -> Option<String> {
    text_ui(ui, name, text).map(|change| change.into_parts().0)
}

fn sets_button_ui(cx: &TuningCx<'_>, ui: &mut Ui, overlay: &TuningOverlay) {
    let more = IconButton::new(icons::ICON_MORE_VERT.codepoint, "More about sets of values").show(cx.theme, ui);
    let more = more.tip("Copy, swap, name and store");
    egui::Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(240.0);
        let mut ask = None;
        for (text, action) in [
            ("Copy A to B", TuneAction::Copy(TuningSide::A)),
            ("Copy B to A", TuneAction::Copy(TuningSide::B)),
            ("Swap A and B", TuneAction::Swap),
        ] {
            if ui.button(text).clicked() {
                ask = Some(action);
            }
        }
        ui.separator();
        for side in TuningSide::ALL {
            ui.horizontal(|ui| {
                ui.label(cx.theme.caption(format!("{} is called", side.letter())));
                let name = format!("Name of set {}", side.letter());
                if let Some(title) = text_field(ui, &name, overlay.title(side)) {
                    ask = Some(TuneAction::SetTitle(side, title));
                }
            });
        }
        ui.separator();
        let active = cx.active_side();
        ui.label(cx.theme.caption(format!("Store {} as", active.letter())));
        if let Some(title) = text_field(ui, "Store as", "") {
            ask = Some(TuneAction::Store(active, title));
        }
        for (title, values) in &cx.tuning.sets {
            ui.horizontal(|ui| {
                let take = ui.button(format!("Load {title} as {}", active.letter()));
                let take = take.tip(format!("{} values", values.len()));
                if take.clicked() {
                    ask = Some(TuneAction::Load(active, title.clone()));
                }
                let forget =
                    IconButton::new(icons::ICON_CLOSE.codepoint, &format!("Delete {title}")).show(cx.theme, ui);
                if forget.clicked() {
                    ask = Some(TuneAction::DeleteStored(title.clone()));
                }
            });
        }
        if let Some(action) = ask {
            cx.send(Action::Tune(action));
        }
    });
}

/// A constant in both sets.
struct Pair<'a> {
    name: &'a Name,
    a: &'a Value,
    b: &'a Value,
    spec: &'a crate::model::Tunable,
}

/// Both sets side by side, where they differ.
pub(super) fn compare_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let overlay = &*cx.project.tuning_overlay;
    let pairs: Vec<Pair<'_>> = overlay
        .names()
        .filter_map(|name| {
            let spec = cx.resolution.tunable(name)?;
            let of = |side: TuningSide| overlay.values(side).get(name).unwrap_or(&spec.value);
            let pair = Pair { name, a: of(TuningSide::A), b: of(TuningSide::B), spec };
            (pair.a != pair.b).then_some(pair)
        })
        .collect();
    if overlay.is_empty() {
        return;
    }
    // It stands there before anything is tried: nothing moves under the hand that turns the first constant.
    let count = |ui: &mut Ui| {
        let text = match pairs.len() {
            0 => "no difference".to_owned(),
            1 => "1 difference".to_owned(),
            n => format!("{n} differences"),
        };
        ui.label(cx.theme.caption(text));
        false
    };
    let fold = Fold {
        title: "A and B",
        name: "Page A and B",
        about: "",
        is_struck: false,
        is_open_at_first: false,
        is_forced: false,
    };
    folding(cx.theme, ui, Id::unique("compare"), fold, count, |ui| {
        if pairs.is_empty() {
            ui.label(cx.theme.caption("Both sets are the same"));
            return;
        }
        egui::ScrollArea::horizontal().id_salt("compare").show(ui, |ui| {
            let grid = egui::Grid::new(Id::unique("compare A and B")).num_columns(4).spacing([10.0, 2.0]);
            grid.show(ui, |ui| {
                for text in ["Constant", "A", "B", "B − A"] {
                    ui.label(cx.theme.caption(text));
                }
                ui.end_row();
                for pair in &pairs {
                    let is_only = pairs.iter().filter(|it| short(it.name) == short(pair.name)).count() == 1;
                    pair_ui(cx, ui, overlay, pair, if is_only { short(pair.name) } else { pair.name });
                    ui.end_row();
                }
            });
        });
    });
}

/// A constant's name without its page.
fn short(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, name)| name)
}

fn pair_ui(cx: &Cx<'_>, ui: &mut Ui, overlay: &TuningOverlay, pair: &Pair<'_>, name: &str) {
    ui.label(RichText::new(name).size(SMALL)).tip(format!("{}\n{}", pair.name, pair.spec.doc));
    for (side, value) in [(TuningSide::A, pair.a), (TuningSide::B, pair.b)] {
        let is_tried = overlay.values(side).contains_key(pair.name);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let color = if is_tried { cx.theme.text_strong } else { cx.theme.text_weak };
            let text = RichText::new(shown(pair.spec, value)).size(SMALL).color(color);
            ui.label(text).tip(if is_tried { "Value in this set" } else { "Value in files" });
            if is_tried {
                let keep = format!("Keep {} of {}", pair.name, side.letter());
                let button = IconButton::new(icons::ICON_CHECK.codepoint, &keep).quiet().show(cx.theme, ui);
                if button.tip(format!("Write {} into the file", shown(pair.spec, value))).clicked() {
                    cx.send(Action::Tune(TuneAction::Keep { side, name: Some(pair.name.clone()) }));
                }
            }
        });
    }
    let text = difference(pair.a, pair.b);
    ui.label(RichText::new(text).size(SMALL).color(cx.theme.text));
}

/// What B has more than A, and as a share of A.
fn difference(a: &Value, b: &Value) -> String {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => {
            let by = crate::ui::widgets::number::tidy(b - a);
            let share = if a == 0.0 { String::new() } else { format!(" ({:+.0} %)", (b - a) / a.abs() * 100.0) };
            format!("{by:+}{share}")
        }
        _ => "another".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::difference;
    use crate::model::Value;

    #[test]
    fn differences_are_said_with_their_share() {
        for (a, b, text) in
            [(0.3, 0.45, "+0.15 (+50 %)"), (-2.0, -1.0, "+1 (+50 %)"), (0.0, 2.0, "+2"), (4.0, 1.0, "-3 (-75 %)")]
        {
            assert_eq!(difference(&Value::Float(a), &Value::Float(b)), text);
        }
        assert_eq!(difference(&Value::Bool(true), &Value::Bool(false)), "another");
    }
}
