//! The card that explains why an entity of the running level stands still, over the level; and the menu of a running entity.

use egui::{CornerRadius, Frame, Id, Label, Margin, Rect, RichText, Sense, Stroke, Ui, UiBuilder, vec2};

use super::inheritance::commands_ui;
use crate::{
    editor::{Command, Preview},
    model::sentence,
    sim::world::{StillCause, WhyStill},
    ui::{
        Cx,
        canvas::paint::Viewport,
        theme::{BODY, SMALL},
        widgets::{at_right, command_button},
    },
};

/// How wide it is, in points.
const WIDTH: f32 = 300.0;
/// More ways out of a state than these are only counted.
const MOST_EXITS: usize = 8;

fn memory() -> Id {
    Id::unique("why it stands still")
}

/// Where the card is on a canvas, while there is one.
pub(super) fn why_card_rect(cx: &Cx<'_>, ui: &Ui, view: Rect) -> Option<Rect> {
    cx.view.insight.why.as_ref()?;
    let size = ui.data(|data| data.get_temp::<egui::Vec2>(memory())).unwrap_or_else(|| vec2(WIDTH, 60.0));
    let left = (view.right() - 8.0 - size.x).max(view.left() + 8.0);
    Some(Rect::from_min_size(egui::pos2(left, view.top() + 8.0), size))
}

/// Show the card, while something is to be explained, at the right top of the level.
pub(super) fn why_card_ui(cx: &Cx<'_>, ui: &mut Ui, viewport: &Viewport, preview: &Preview) {
    let Some(id) = &cx.view.insight.why else { return };
    let world = preview.session.world();
    let why = world.by_id(id).and_then(|key| world.why_still(key));
    let view = viewport.view;
    let memory = memory();
    let Some(card) = why_card_rect(cx, ui, view) else { return };
    let (corner, ground) = (card.min, card.intersect(view));
    // The level is not pointed at through it.
    if ground.is_positive() {
        ui.interact(ground, memory.with("ground"), Sense::CLICK | Sense::DRAG);
    }
    let room = Rect::from_min_max(corner, view.max - vec2(8.0, 8.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("why it stands still").max_rect(room));
    child.set_clip_rect(view);
    let frame = Frame::new()
        .fill(cx.theme.panel.gamma_multiply(0.96))
        .stroke(Stroke::new(1.0, cx.theme.line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(8, 6));
    let shown = frame.show(&mut child, |ui| {
        ui.set_width(WIDTH.min((room.width() - 16.0).max(80.0)));
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
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
    ui.data_mut(|data| data.insert_temp(memory, shown.response.rect.size()));
}

/// The sentence, then what leads to another state.
pub(super) fn explanation_ui(cx: &Cx<'_>, ui: &mut Ui, why: &WhyStill, preview: &Preview) {
    let text = RichText::new(format!("{}.", sentence(&why.sentence))).size(BODY).color(cx.theme.text);
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
