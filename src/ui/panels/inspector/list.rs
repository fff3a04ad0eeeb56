//! A list beside the one it inherits: inherited elements pale, own ones behind a plus, removed ones struck through with
//! the way back. If the whole list is set here, it is a plain one.

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{Subject, field::FieldView};
use crate::{
    defs::Badge,
    model::{FieldPath, FieldSpec, FieldType, Value},
    refactor::{ListRow, inherited, list_rows, part_badge},
    ui::{
        Cx,
        widgets::{
            IconButton, Tip as _, icon_text, keyed,
            number::ValueChange,
            value::{add_item_ui, remove_ui, value_ui, with_item},
        },
    },
};

/// Show the list at `path` in a field; `full` is what it is called.
pub(super) fn list_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    view: &FieldView<'_>,
    (path, full): (&FieldPath, &str),
    item: &FieldType,
    whole: &Value,
) -> Option<ValueChange<Value>> {
    let rows = view.only().and_then(|subject| list_rows(cx.before, view.of(subject), view.value, path));
    let Some(rows) = rows else {
        let follows = |subject: &Subject| inherited(view.value, &subject.owner)?.at(path)?.as_list();
        let is_own = matches!(part_badge(view.value, path, &view.first.owner), Badge::Own | Badge::Instance);
        if is_own && view.only().and_then(follows).is_some_and(|before| !before.is_empty()) {
            let text = "This is the whole list; it does not follow the inherited one";
            ui.label(cx.theme.caption(text));
        }
        return value_ui(cx, ui, full, &FieldSpec::of(FieldType::List(item.clone().into())), whole);
    };
    let spec = FieldSpec::of(item.clone());
    let mut out = None;
    for (i, row) in rows.iter().enumerate() {
        keyed(ui, (full, i), |ui| {
            ui.horizontal(|ui| match row {
                ListRow::Removed(element) => {
                    let restore = format!("Restore {element} in {full}");
                    if IconButton::new(icons::ICON_UNDO.codepoint, &restore)
                        .in_row()
                        .show(cx.theme, ui)
                        .tip(&restore)
                        .clicked()
                    {
                        out = Some(ValueChange::Commit(restored(&rows, i)));
                    }
                    let text = RichText::new(plain(element)).strikethrough().color(cx.theme.text_weak);
                    ui.label(text).tip("Inherited, and removed here");
                }
                ListRow::Inherited(at, element) | ListRow::Added(at, element) => {
                    let is_own = matches!(row, ListRow::Added(..));
                    let name = format!("{full}[{at}]");
                    out = remove_ui(cx, ui, &name, whole, *at).or(out.take());
                    let mark = if is_own { icons::ICON_ADD.codepoint } else { icons::ICON_NORTH_WEST.codepoint };
                    let color = if is_own { cx.theme.accent } else { cx.theme.inherited };
                    let tip = if is_own { "Appended here" } else { "Inherited" };
                    ui.label(icon_text(mark, 13.0).color(color)).tip(tip);
                    let change = ui.scope(|ui| {
                        if !is_own {
                            ui.visuals_mut().override_text_color = Some(cx.theme.text_weak);
                        }
                        value_ui(cx, ui, &name, &spec, element)
                    });
                    if let Some(change) = change.inner {
                        out = Some(change.map(|new| with_item(whole, *at, new)));
                    }
                }
            });
        });
    }
    add_item_ui(cx, ui, full, item, whole).or(out)
}

/// The list with a removed element back in its place.
fn restored(rows: &[ListRow<'_>], back: usize) -> Value {
    let kept = rows.iter().enumerate().filter_map(|(i, row)| match row {
        ListRow::Removed(element) => (i == back || is_same_removed(rows, i, back)).then(|| (*element).clone()),
        ListRow::Inherited(_, element) | ListRow::Added(_, element) => Some((*element).clone()),
    });
    Value::List(kept.collect())
}

/// An element goes with all its equals, and comes back with them.
fn is_same_removed(rows: &[ListRow<'_>], a: usize, b: usize) -> bool {
    matches!((rows.get(a), rows.get(b)), (Some(ListRow::Removed(a)), Some(ListRow::Removed(b))) if a == b)
}

fn plain(element: &Value) -> String {
    element.as_str().map_or_else(|| element.to_string(), str::to_owned)
}
