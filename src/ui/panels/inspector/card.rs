//! All about a field: what it means, what is wrong with it and how to fix that, its history with file and line, and
//! what can be done. As a tooltip it is read; as a popup it stays and is used.

use egui::{RichText, Ui};
use egui_material_icons::icons;

use super::{field::FieldView, levels};
use crate::{
    defs::{OpRecord, Source, ValueHistory},
    edit::Owner,
    editor::{Action, LocatedProblem, ProblemAction},
    model::{FieldSpec, OpKind, Value, shortened},
    ui::{
        Cx,
        widgets::{IconButton, Tip as _, section},
    },
};

/// Lines of a chain shown at once; the oldest give way.
const MAX_LINES: usize = 24;

/// Show the card.
pub(super) fn card_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, is_popup: bool) {
    ui.set_max_width(460.0);
    if is_popup {
        ui.set_min_width(300.0);
    }
    ui.strong(&view.full);
    about_ui(cx, ui, view.spec, view.is_declared);
    problems_ui(cx, ui, &view.problems(cx));
    ui.separator();
    chain_ui(cx, ui, view, is_popup);
    if is_popup {
        ui.separator();
        levels::actions_ui(cx, ui, view);
    } else {
        let hint = "Click the badge for more";
        ui.label(cx.theme.caption(hint));
    }
}

/// What a field means, and which values it takes.
pub(super) fn about_ui(cx: &Cx<'_>, ui: &mut Ui, spec: &FieldSpec, is_declared: bool) {
    if !spec.doc.is_empty() {
        ui.label(&spec.doc);
    }
    let range = match (spec.min, spec.max) {
        (Some(min), Some(max)) => format!(", {min} to {max}"),
        (Some(min), None) => format!(", from {min}"),
        (None, Some(max)) => format!(", up to {max}"),
        (None, None) => String::new(),
    };
    let unit = spec.unit.as_deref().map(|unit| format!(", in {unit}")).unwrap_or_default();
    let text = if is_declared {
        format!("{}{range}{unit}", spec.ty.describe())
    } else {
        "no schema declares it; it is kept as it is written".to_owned()
    };
    ui.label(cx.theme.caption(text));
    if let Some(why) = &spec.deprecated {
        ui.colored_label(cx.theme.warning, format!("Deprecated: {why}"));
    }
}

/// What is wrong, each with its quick fixes.
pub(super) fn problems_ui(cx: &Cx<'_>, ui: &mut Ui, problems: &[&LocatedProblem]) {
    for located in problems {
        let finding = &located.problem.finding;
        ui.colored_label(cx.theme.severity(finding.severity), &finding.message);
        if let Some(help) = &finding.help {
            ui.label(cx.theme.caption(help));
        }
        for fix in &located.problem.fixes {
            if ui.button(&fix.label).clicked() {
                cx.send(Action::Problem(ProblemAction::Fix(Box::new(fix.clone()))));
                ui.close();
            }
        }
    }
}

/// The history of a field, oldest first, including entries before a removal.
fn chain_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, is_popup: bool) {
    let owner = &view.first.owner;
    let key = ("history", owner.name(), owner.doc().as_str());
    let history = cx.derived.memos().get(key, || history_of(cx, owner));
    let all = history.of(view.component, view.field);
    let skipped = all.len().saturating_sub(MAX_LINES);
    if skipped > 0 {
        ui.label(cx.theme.caption(format!("{skipped} earlier ones")));
    }
    egui::Grid::new(("chain", &view.full)).num_columns(5).spacing([10.0, 2.0]).show(ui, |ui| {
        for applied in all.iter().skip(skipped) {
            line_ui(cx, ui, view, applied, is_popup);
            ui.end_row();
        }
    });
}

fn history_of(cx: &Cx<'_>, owner: &Owner) -> ValueHistory {
    match owner {
        Owner::Def { name, .. } => cx.resolution.history(name).unwrap_or_default(),
        Owner::Instance { doc, layer, id } => {
            let level = cx.project.level(doc);
            let placed = level.and_then(|level| Some((level.layer_at(&**layer), level.layer(layer)?.1)));
            let found = placed.and_then(|(at, layer)| Some((at, layer.entities()?.get(id)?)));
            found.map_or_else(ValueHistory::default, |(at, it)| cx.resolution.instance_history(doc, &at, id, it))
        }
    }
}

fn line_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, applied: &OpRecord, is_popup: bool) {
    let who = who(&applied.by);
    ui.label(RichText::new(&who).color(cx.theme.text));
    let part = applied.part_taken();
    let text = match (&part, &applied.operand) {
        (Some((part, _)), _) => RichText::new(format!("remove {part}")).monospace(),
        (None, Some(operand)) => RichText::new(operation(applied.op, operand)).monospace(),
        (None, None) => RichText::new("removed").monospace(),
    };
    ui.label(if applied.op == OpKind::Remove { text.strikethrough() } else { text });
    // What is set is the value afterwards, unless it is merged into what was there.
    let is_shown_once = applied.op == OpKind::Set && applied.operand == applied.after;
    // Of a struct's member that went back, the member.
    let (before, after) = match &part {
        Some((_, back @ Some(_))) => (applied.operand.as_ref(), *back),
        _ => (applied.before.as_ref(), applied.after.as_ref()),
    };
    let changes = match (before, after) {
        (Some(before), Some(after)) if !is_shown_once => format!("{} → {}", short(before), short(after)),
        (Some(before), None) => format!("{} → nothing", short(before)),
        _ => String::new(),
    };
    let response = ui.label(RichText::new(changes).monospace().color(cx.theme.text_strong));
    if let Some(after) = applied.after.as_ref().map(ToString::to_string).filter(|text| text.len() > SHORT) {
        response.tip(after);
    }
    let Some(location) = &applied.location else {
        ui.label(cx.theme.caption("built in"));
        return;
    };
    let line = cx.workspace.line_column(location).map(|(line, _)| format!(":{line}")).unwrap_or_default();
    let place = format!("{}{line}", location.doc);
    ui.label(cx.theme.caption(&place).monospace());
    if is_popup {
        let go = format!("Go to {} by {who} in {place}", view.full);
        if IconButton::new(icons::ICON_ARROW_OUTWARD.codepoint, &go).in_row().show(cx.theme, ui).tip(&go).clicked() {
            cx.send(Action::GoTo(location.clone()));
            ui.close();
        }
    }
}

fn who(source: &Source) -> String {
    match source {
        Source::Default => "default".to_owned(),
        Source::Def(name) => name.to_string(),
        Source::Instance(id) => format!("{id} (placed)"),
    }
}

/// Whose a value is, after it: `20.0 of monster`.
pub(super) fn by(source: &Source) -> String {
    match source {
        Source::Default => "by default".to_owned(),
        Source::Def(name) => format!("of {name}"),
        Source::Instance(id) => format!("of {id}"),
    }
}

/// Characters of a value that are shown in a line.
const SHORT: usize = 36;

/// A value in a line.
pub(super) fn short(value: &Value) -> String {
    shortened(&value.to_string(), SHORT)
}

/// An operation as people write it: `× 0.5`, `+ 5.0`.
pub(super) fn operation(op: OpKind, operand: &Value) -> String {
    match op {
        OpKind::Set => short(operand),
        OpKind::Scale => format!("× {}", short(operand)),
        OpKind::Add => match operand.as_f64() {
            Some(x) if x < 0.0 => format!("− {}", short(operand).trim_start_matches('-')),
            _ => format!("+ {}", short(operand)),
        },
        OpKind::Append => format!("append {}", short(operand)),
        OpKind::Remove => format!("remove {}", short(operand)),
    }
}

/// A heading in the card.
pub(super) fn head(cx: &Cx<'_>, ui: &mut Ui, title: &str) {
    section(cx.theme, ui, title);
}
