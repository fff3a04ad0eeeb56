//! What can be done with a field's override: reset it, declare it on another level of the inheritance graph or by
//! another operation. Each shows its impact before it is done.
//!
//! Invariant: ways to another level are tried on a copy of the project, which takes a while in a large one; the work of
//! one frame is bounded, counted in definitions and not by a clock.

use std::{cell::RefCell, rc::Rc};

use egui::{Button, Ui};

use super::{
    card::{self, head, short},
    field::FieldView,
};
use crate::{
    edit::Owner,
    editor::Action,
    explain::impact_among,
    model::{FieldType, Name, OpKind},
    refactor::{
        self, Plan, copy_down, edits_for_operation, edits_to_set, followers, inherited, move_up, operand_for, ops_of,
    },
    ui::{Cx, widgets::Tip as _},
};

/// Ancestors offered at once, nearest first.
const MAX_ANCESTORS: usize = 12;

/// A way to declare a field elsewhere, as the card offers it.
struct Offer {
    text: String,
    /// The plan, or why there is none.
    plan: Result<Plan, String>,
    /// The definitions it changes, for the tooltip.
    tip: String,
}

/// How much work trials may be in one frame; one way is tried in any case. Two thousand take a few milliseconds.
const WORK: usize = 2_000;

/// A level to declare a field on.
enum Level {
    Up(Name),
    Down { only_children: bool },
}

impl Level {
    /// What a trial costs: the definitions that are resolved anew, and a little for each that is looked at.
    fn work(&self, cx: &Cx<'_>, owner: &Owner) -> usize {
        let name = if let Self::Up(to) = self { to } else { owner.name() };
        1 + cx.resolution.descendants(name).len() + cx.resolution.defs.len() / 64
    }
}

/// Levels a field could be declared on, and the plans known for the first ones.
struct Tried {
    levels: Vec<Level>,
    /// None for one that would be the same as another, or would do nothing.
    offers: Vec<Option<Offer>>,
}

impl Tried {
    /// Try as many ways as fit into one frame; the next frames go on.
    fn go_on(cx: &Cx<'_>, ui: &Ui, view: &FieldView<'_>, owner: &Owner) -> Rc<RefCell<Self>> {
        let key = ("levels", &view.full, owner.name(), owner.doc().as_str());
        let fresh = || RefCell::new(Self { levels: levels(cx, view, owner), offers: Vec::new() });
        let known = cx.derived.memos().get(key, fresh);
        let tried = &mut *known.borrow_mut();
        let mut work = 0;
        while let Some(at_level) = tried.levels.get(tried.offers.len()).filter(|_| work < WORK) {
            work += at_level.work(cx, owner);
            tried.offers.push(offer(cx, view, owner, at_level));
        }
        if tried.offers.len() < tried.levels.len() {
            ui.ctx().request_repaint();
        }
        known.clone()
    }
}

/// Show what can be done.
pub(super) fn actions_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    reset_ui(cx, ui, view);
    if let Some(subject) = view.only() {
        other_operations_ui(cx, ui, view);
        let tried = Tried::go_on(cx, ui, view, &subject.owner);
        let tried = tried.borrow();
        let is_waiting = tried.offers.len() < tried.levels.len();
        if is_waiting || tried.offers.iter().any(Option::is_some) {
            head(cx, ui, "At another level");
        }
        for offer in tried.offers.iter().flatten() {
            match &offer.plan {
                Ok(plan) => {
                    if ui.add(Button::new(&offer.text)).tip(&offer.tip).clicked() {
                        cx.send(Action::Edits { label: plan.label.clone(), edits: plan.edits.clone() });
                        ui.close();
                    }
                }
                Err(why) => {
                    ui.add_enabled(false, Button::new(&offer.text));
                    ui.label(cx.theme.caption(why));
                }
            }
        }
        if is_waiting {
            ui.label(cx.theme.caption("Computing alternatives…"));
        }
    } else {
        let text = "Select a single one to declare it on another level";
        ui.label(cx.theme.caption(text));
    }
    if ui.button("Copy value").clicked() {
        cx.send(Action::CopyText(view.value.value.to_string()));
        ui.close();
    }
}

fn reset_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let text = match inherited(view.value, &view.first.owner) {
        Some(value) if view.is_own() => format!("{} to {}", view.way_back(cx), short(value)),
        None if view.is_own() => "Remove".to_owned(),
        _ => "Reset to inherited".to_owned(),
    };
    if ui.add_enabled(view.is_own(), Button::new(text)).clicked() {
        view.reset(cx);
        ui.close();
    }
}

/// The same value by another operation.
fn other_operations_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let Some(subject) = view.only().filter(|_| view.is_own()) else { return };
    let of = view.of(subject);
    let Some(ops) = ops_of(cx.project, &subject.owner) else { return };
    let declares = |op| ops.declared(op, view.component, view.field).is_some();
    let mut offer = |text: String, edits: Vec<crate::edit::Edit>| {
        if ui.button(&text).clicked() {
            cx.send(Action::Edits { label: format!("{text}: {}", view.full), edits });
            ui.close();
        }
    };
    let value = &view.value.value;
    let ty = view.ty();
    if matches!(ty, FieldType::List(_) | FieldType::Flags(_)) && !declares(OpKind::Set) {
        offer("Replace the whole list".to_owned(), edits_to_set(of, value));
    }
    if ty.is_number() || ty == FieldType::Vec2 {
        let only = |op| OpKind::VALUED.iter().all(|other| declares(*other) == (*other == op));
        let before = inherited(view.value, &subject.owner);
        for op in [OpKind::Set, OpKind::Scale, OpKind::Add] {
            let operand =
                if op == OpKind::Set { Some(value.clone()) } else { before.and_then(|it| operand_for(op, it, value)) };
            if let (false, Some(operand), Ok(edits)) = (only(op), operand, edits_for_operation(of, view.value, op)) {
                offer(format!("Write as {}", card::operation(op, &operand)), edits);
            }
        }
    }
}

/// The levels to declare it on: ancestors, nearest first, then descendants.
fn levels(cx: &Cx<'_>, view: &FieldView<'_>, owner: &Owner) -> Vec<Level> {
    let mut levels = Vec::new();
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
        levels.extend(ancestors.into_iter().take(MAX_ANCESTORS).map(Level::Up));
    }
    if matches!(owner, Owner::Def { .. }) {
        levels.extend([true, false].map(|only_children| Level::Down { only_children }));
    }
    levels
}

/// Try a way.
fn offer(cx: &Cx<'_>, view: &FieldView<'_>, owner: &Owner, at_level: &Level) -> Option<Offer> {
    let field = (view.component, view.field);
    match at_level {
        Level::Up(to) => {
            let found = move_up(cx.project, cx.resolution, owner, field, to);
            let (mut text, mut tip) = (format!("Move up to {to}"), String::new());
            if let Ok(found) = &found {
                let impact = impact_among(cx.project, found.changed.clone(), view.component, view.field);
                text = format!("{text}  ({impact})");
                tip = if found.changed.is_empty() {
                    "No other definition changes".to_owned()
                } else {
                    changes(&found.changed)
                };
            }
            Some(Offer { text, plan: found.map(|found| found.plan), tip })
        }
        Level::Down { only_children } => {
            let name = owner.name();
            let to = followers(cx.project, cx.resolution, name, field, *only_children);
            if !only_children && to.len() <= followers(cx.project, cx.resolution, name, field, true).len() {
                return None;
            }
            let found = copy_down(cx.project, cx.resolution, name, field, &to).transpose()?;
            let text = match (to.as_slice(), only_children) {
                ([one], _) => format!("Copy down to {one}"),
                (many, true) => format!("Copy down to {} children", many.len()),
                (many, false) => format!("Copy down to all {} that inherit it", many.len()),
            };
            let mut tip = format!("These override it, and no longer follow changes made here: {}", to.join(", "));
            if let Ok(found) = &found {
                let others: Vec<&str> =
                    found.declared.iter().filter(|name| !to.contains(name)).map(|name| &**name).collect();
                if !others.is_empty() {
                    tip = format!("{tip}. Also overridden in {}, to keep its value", others.join(", "));
                }
                if !found.removed.is_empty() {
                    tip = format!("{tip}. Removed in {}, which would inherit it otherwise", found.removed.join(", "));
                }
            }
            Some(Offer { text, plan: found.map(|found| found.plan), tip })
        }
    }
}

fn changes(names: &std::collections::BTreeSet<Name>) -> String {
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    format!("Changes {}", names.join(", "))
}
