//! What can be done with what is said about a field: take it back, say it at another level of the family or by another
//! operation. Each says what it would reach before it is done.

use egui::{Button, Id, RichText, Ui};

use super::{
    card::{self, head, short},
    field::FieldView,
};
use crate::{
    edit::Owner,
    explain::impact_among,
    model::{FieldType, Name, OpKind},
    refactor::{self, Plan, copy_down, followers, inherited, move_up, operand_for, ops_of, say_by, say_whole},
    ui::{
        Action, Cx,
        theme::SMALL,
        widgets::{Tip as _, memo},
    },
};

/// Ancestors offered at once, nearest first.
const MAX_ANCESTORS: usize = 12;

/// A way to say a field elsewhere, as the card offers it.
#[derive(Clone)]
struct Offer {
    text: String,
    /// The plan, or why there is none.
    plan: Result<Plan, String>,
    /// Whom it changes, for the tooltip.
    tip: String,
}

/// Show what can be done.
pub(super) fn actions_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    reset_ui(cx, ui, view);
    if let Some(subject) = view.only() {
        say_otherwise_ui(cx, ui, view);
        let id = Id::unique(("levels", &view.full, subject.owner.name(), subject.owner.doc().as_str()));
        let offers = memo(cx, ui, id, || offers(cx, view, &subject.owner));
        if !offers.is_empty() {
            head(cx, ui, "At another level");
        }
        for offer in &offers {
            match &offer.plan {
                Ok(plan) => {
                    if ui.add(Button::new(&offer.text)).tip(&offer.tip).clicked() {
                        cx.send(Action::Edits { label: plan.label.clone(), edits: plan.edits.clone() });
                        ui.close();
                    }
                }
                Err(why) => {
                    ui.add_enabled(false, Button::new(&offer.text));
                    ui.label(RichText::new(why).size(SMALL).color(cx.theme.text_weak));
                }
            }
        }
    } else {
        let text = "Select one alone to say it at another level";
        ui.label(RichText::new(text).size(SMALL).color(cx.theme.text_weak));
    }
    if ui.button("Copy value").clicked() {
        cx.send(Action::CopyText(view.value.value.to_string()));
        ui.close();
    }
}

fn reset_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let text = match inherited(view.value, &view.first.owner) {
        Some(value) if view.is_own() => format!("Reset to {}", short(value)),
        _ => "Reset to inherited".to_owned(),
    };
    if ui.add_enabled(view.is_own(), Button::new(text)).clicked() {
        view.reset(cx);
        ui.close();
    }
}

/// The same value by another operation.
fn say_otherwise_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let Some(subject) = view.only().filter(|_| view.is_own()) else { return };
    let of = view.of(subject);
    let Some(ops) = ops_of(cx.project, &subject.owner) else { return };
    let says = |op| ops.said(op, view.component, view.field).is_some();
    let mut offer = |text: String, edits: Vec<crate::edit::Edit>| {
        if ui.button(&text).clicked() {
            cx.send(Action::Edits { label: format!("{text}: {}", view.full), edits });
            ui.close();
        }
    };
    let value = &view.value.value;
    match view.ty() {
        FieldType::List(_) | FieldType::Flags(_) if !says(OpKind::Set) => {
            offer("Replace the whole list".to_owned(), say_whole(of, value));
        }
        ty if ty.is_number() => {
            let only = |op| OpKind::VALUED.iter().all(|other| says(*other) == (*other == op));
            let before = inherited(view.value, &subject.owner);
            for op in [OpKind::Set, OpKind::Scale, OpKind::Add] {
                let operand = if op == OpKind::Set {
                    Some(value.clone())
                } else {
                    before.and_then(|it| operand_for(op, it, value))
                };
                if let (false, Some(operand), Ok(edits)) = (only(op), operand, say_by(of, view.value, op)) {
                    offer(format!("Say it as {}", card::operation(op, &operand)), edits);
                }
            }
        }
        _ => {}
    }
}

fn offers(cx: &Cx<'_>, view: &FieldView<'_>, owner: &Owner) -> Vec<Offer> {
    let field = (view.component, view.field);
    let mut offers = Vec::new();
    if view.is_own() {
        let def = match owner {
            Owner::Def { .. } => None,
            Owner::Instance { doc, layer, id } => cx
                .project
                .level(doc)
                .and_then(|level| level.layer(layer))
                .and_then(|(_, layer)| layer.entities()?.get(id))
                .map(|instance| instance.def.clone()),
        };
        let ancestors = refactor::ancestors(cx.resolution, owner, def.as_ref());
        for to in ancestors.iter().take(MAX_ANCESTORS) {
            let found = move_up(cx.project, cx.resolution, owner, field, to);
            let (mut text, mut tip) = (format!("Move up to {to}"), String::new());
            if let Ok(found) = &found {
                let impact = impact_among(cx.project, found.changed.clone(), view.component, view.field);
                text = format!("{text}  ({impact})");
                tip = if found.changed.is_empty() { "Nobody else changes".to_owned() } else { changes(&found.changed) };
            }
            offers.push(Offer { text, plan: found.map(|found| found.plan), tip });
        }
    }
    if let Owner::Def { name, .. } = owner {
        for only_children in [true, false] {
            let to = followers(cx.project, cx.resolution, name, field, only_children);
            let is_more = only_children || to.len() > followers(cx.project, cx.resolution, name, field, true).len();
            let Some(plan) = copy_down(cx.project, cx.resolution, name, field, &to).filter(|_| is_more) else {
                continue;
            };
            let text = match (to.as_slice(), only_children) {
                ([one], _) => format!("Copy down to {one}"),
                (many, true) => format!("Copy down to {} children", many.len()),
                (many, false) => format!("Copy down to all {} that inherit it", many.len()),
            };
            let tip = format!("They say it themselves, and a change here no longer reaches them: {}", to.join(", "));
            offers.push(Offer { text, plan: Ok(plan), tip });
        }
    }
    offers
}

fn changes(names: &std::collections::BTreeSet<Name>) -> String {
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    format!("Changes {}", names.join(", "))
}
