//! The card that explains why an entity of the running level stands still, over the level; and the menu of a running
//! entity.

use egui::{Id, Label, Rect, RichText, Ui, pos2};

use super::inheritance::commands_ui;
use crate::{
    editor::{Command, Preview},
    sim::world::{StillCause, WhyStill},
    ui::{
        Cx,
        canvas::paint::Viewport,
        theme::{BODY, SMALL},
        widgets::{at_right, card::Card, command_button},
    },
};

/// How wide it is, in points.
const WIDTH: f32 = 300.0;
/// More transitions than these are only counted.
const MOST_EXITS: usize = 8;

/// At the right, or where it keeps off the entity, its goal and what is in its way; the left is for the path probe.
fn card(cx: &Cx<'_>, ui: &Ui, viewport: &Viewport, (preview, why): (&Preview, Option<&WhyStill>)) -> Card {
    let right = Card { id: Id::unique("why it stands still"), width: WIDTH, is_right: true, is_low: false };
    let Some(why) = why else { return right };
    let world = preview.session.world();
    let its = world.by_id(&why.id).and_then(|key| Some(world.spot(key)?.1));
    let places = [its, why.goal, why.at, why.reached].into_iter().flatten();
    let points: Vec<_> = places.map(|at| viewport.screen(pos2(at.x, at.y))).collect();
    right.off(ui, viewport.view, &points, !cx.view.probe.ends.contains_key(&preview.level))
}

/// What is to be explained of a running level.
fn asked(cx: &Cx<'_>, preview: &Preview) -> Option<WhyStill> {
    let world = preview.session.world();
    cx.view.insight.why.as_ref().and_then(|id| world.by_id(id)).and_then(|key| world.why_still(key))
}

/// Where the card is on a canvas, while there is one.
pub(super) fn why_card_rect(cx: &Cx<'_>, ui: &Ui, viewport: &Viewport, preview: &Preview) -> Option<Rect> {
    cx.view.insight.why.as_ref()?;
    Some(card(cx, ui, viewport, (preview, asked(cx, preview).as_ref())).rect(ui, viewport.view))
}

/// Show the card, while something is to be explained, in an upper corner of the level.
pub(super) fn why_card_ui(cx: &Cx<'_>, ui: &mut Ui, viewport: &Viewport, preview: &Preview) {
    let Some(id) = &cx.view.insight.why else { return };
    let why = asked(cx, preview);
    card(cx, ui, viewport, (preview, why.as_ref())).show(cx.theme, ui, viewport.view, |ui| {
        ui.horizontal(|ui| {
            let title = if why.as_ref().is_some_and(|why| why.cause == StillCause::Moves) {
                "It moves"
            } else {
                "Why it stands still"
            };
            ui.label(RichText::new(title).size(BODY).color(cx.theme.text_strong).strong());
            at_right(ui, |ui| command_button(cx, ui, Command::WhyStill));
        });
        match &why {
            Some(why) => explanation_ui(cx, ui, why, preview),
            None => _ = ui.label(cx.theme.caption(format!("{id} is no longer in the world"))),
        }
    });
}

/// The sentence, which begins with an id as it is written, then what leads to another state.
pub(super) fn explanation_ui(cx: &Cx<'_>, ui: &mut Ui, why: &WhyStill, preview: &Preview) {
    let text = RichText::new(format!("{}.", why.sentence)).size(BODY).color(cx.theme.text);
    ui.add(Label::new(text).wrap());
    if !preview.is_playing {
        ui.label(cx.theme.caption("The preview is paused: nothing moves until it plays"));
    }
    let waits =
        matches!(why.cause, StillCause::NoOrder | StillCause::Ordered | StillCause::Arrived | StillCause::NoTarget(_));
    if why.exits.is_empty() || !waits {
        return;
    }
    ui.label(cx.theme.caption("What leads to another state:"));
    for exit in why.exits.iter().take(MOST_EXITS) {
        ui.add(Label::new(RichText::new(format!("→ {exit}")).size(SMALL).color(cx.theme.text)).wrap());
    }
    if why.exits.len() > MOST_EXITS {
        ui.label(cx.theme.caption(format!("and {} more", why.exits.len() - MOST_EXITS)));
    }
}

/// What can be understood of the selected running entities, in their menu.
pub(super) fn insight_items_ui(cx: &Cx<'_>, ui: &mut Ui) {
    commands_ui(cx, ui, &[Command::WhyStill, Command::FreezeOnContact]);
}
