//! The collision inspector, a part of the Preview pane: what the selected entity touches and why, or why two selected
//! ones touch or do not.

use egui::{Grid, Rect, RichText, Ui};
use egui_material_icons::icons;
use glam::Vec2;

use crate::{
    editor::{Action, Preview, Selection},
    sim::{
        EntityKey, World,
        physics::{
            ContactView, Touched,
            sat::{AxisOf, AxisTest, Explanation},
        },
    },
    ui::{
        Cx,
        canvas::insight::Hovered,
        theme::SMALL,
        widgets::{Row, Tip as _, card_beside, row_ui, section, sentence},
    },
};

/// What there is to explain.
#[derive(Clone, Copy)]
pub(super) enum Inspected {
    /// What one entity touches.
    One(EntityKey),
    /// Why two touch or do not.
    Two(EntityKey, EntityKey),
}

impl Inspected {
    /// Of what is selected in the running level: one or two entities with colliders.
    pub(super) fn of(cx: &Cx<'_>, preview: &Preview) -> Option<Self> {
        let world = preview.session.world();
        let key = |id| world.by_id(id).filter(|key| world.physics().bounds(*key).is_some());
        match cx.selection.ids_in(&preview.level) {
            [id] => Some(Self::One(key(id)?)),
            [a, b] => Some(Self::Two(key(a)?, key(b)?)),
            _ => None,
        }
    }
}

/// Show what one entity touches, or why two touch or do not.
pub(super) fn contacts_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, inspected: Inspected) {
    let world = preview.session.world();
    match inspected {
        Inspected::One(key) => one_ui(cx, ui, preview, key),
        Inspected::Two(a, b) => {
            section(cx.theme, ui, "Collision");
            touched_ui(cx, ui, world, a, Touched::Body(b));
        }
    }
}

fn one_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, key: EntityKey) {
    let physics = preview.session.world().physics();
    section(cx.theme, ui, "Contacts")
        .tip("What the selected entity touches. Select two to see why they touch or do not");
    let contacts = physics.contacts_of(key);
    if contacts.is_empty() {
        ui.label(cx.theme.caption("It touches nothing solid"));
    }
    for (with, normal) in &contacts {
        with_ui(cx, ui, preview, key, *with, &format!("normal {}", vector(*normal)));
    }
    // Why it stands off the tile that is pointed at.
    let pointed = cx.view.pointer.as_ref().filter(|_| cx.view.level.as_ref() == Some(&preview.level));
    let level = cx.project.level(&preview.level);
    // What is solid is in the level's own cells, whatever layer is worked on.
    let tile = pointed.zip(level).map(|(pointer, level)| Touched::Tile(level.grid().cell_at(pointer.pos)));
    if let Some(tile) = tile.filter(|tile| contacts.iter().all(|(with, _)| with != tile))
        && !physics.explain_touched(key, tile).is_empty()
    {
        ui.label(cx.theme.caption("Not touched, under the pointer:"));
        with_ui(cx, ui, preview, key, tile, "to compare");
    }
}

/// A row for what a body touches, with its separating axes in a card. Another body is selected beside it by a click.
fn with_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, key: EntityKey, with: Touched, detail: &str) {
    let world = preview.session.world();
    let nearest =
        world.physics().explain_touched(key, with).into_iter().max_by(|a, b| smallest(a).total_cmp(&smallest(b)));
    let overlap = nearest.map_or_else(String::new, |it| match smallest(&it) {
        apart if apart < 0.0 => format!("{} px apart, ", number(-apart)),
        overlap => format!("overlap {} px, ", number(overlap)),
    });
    let (text, detail) = (name(world, with), format!("{overlap}{detail}"));
    let row = Row { icon: icons::ICON_COMPARE_ARROWS.codepoint, text: &text, detail: &detail, ..Row::default() };
    let response = row_ui(cx.theme, ui, &row);
    if let Touched::Body(other) = with
        && response.clicked()
    {
        let ids = [key, other].into_iter().filter_map(|key| Some(world.entity(key)?.id.clone())).collect();
        cx.send(Action::Select(Selection::Things { doc: preview.level.clone(), ids }));
    }
    if response.hovered() {
        Hovered::set(ui.ctx(), with, None);
    }
    card_beside(ui, &response, |ui| touched_ui(cx, ui, world, key, with));
}

/// Why a body and something else touch or do not, for each piece of it.
fn touched_ui(cx: &Cx<'_>, ui: &mut Ui, world: &World, key: EntityKey, with: Touched) {
    ui.label(cx.theme.caption(format!("A is {}, B is {}", name(world, Touched::Body(key)), name(world, with))));
    for (i, explanation) in world.physics().explain_touched(key, with).iter().enumerate() {
        explanation_ui(cx, ui, (with, i), explanation);
    }
    engine_ui(cx, ui, world, key, with);
}

/// What the engine used, beside what the axes say.
fn engine_ui(cx: &Cx<'_>, ui: &mut Ui, world: &World, key: EntityKey, with: Touched) {
    let used = world.physics().engine_contacts(key, with);
    if used.is_empty() {
        ui.label(cx.theme.caption("The engine has no contact of them"));
        return;
    }
    ui.label(cx.theme.caption("What the engine used, with normals toward A:"));
    if used.iter().all(|contact| contact.depth.is_none()) {
        let why =
            "A walking body touched it: that has no depth or impulse, and what it pushes may be farther on by now";
        ui.label(cx.theme.caption(why));
    }
    Grid::new("engine contacts").show(ui, |ui| {
        for title in ["Point", "Normal", "Depth, px", "Impulse, kg·px/s"] {
            ui.label(cx.theme.caption(title));
        }
        ui.end_row();
        for ContactView { point, normal, depth, impulse, .. } in used {
            for text in [vector(point), vector(normal), known(depth), known(impulse)] {
                ui.label(RichText::new(text).size(SMALL).color(cx.theme.text));
            }
            ui.end_row();
        }
    });
}

fn name(world: &World, with: Touched) -> String {
    match with {
        Touched::Body(key) => world.entity(key).map_or_else(String::new, |it| format!("{} {}", it.def, it.id)),
        Touched::Tile([x, y]) => format!("tile {x}, {y}"),
    }
}

/// The result of the separating axis test, with each axis.
fn explanation_ui(cx: &Cx<'_>, ui: &mut Ui, (with, i): (Touched, usize), explanation: &Explanation) {
    ui.label(sentence(&summary(explanation)));
    Grid::new(("separating axes", i)).show(ui, |ui| {
        for title in ["Axis", "From", "A covers", "B covers", "Overlap"] {
            ui.label(cx.theme.caption(title));
        }
        ui.end_row();
        for (nth, is_best, AxisTest { axis, of, a, b, overlap }) in explanation.numbered() {
            let color = if is_best { cx.theme.accent } else { cx.theme.text };
            let reach = |[lo, hi]: [f32; 2]| format!("{} … {}", number(lo), number(hi));
            let from = match of {
                AxisOf::EdgeOfA(i) => format!("edge {} of A", i + 1),
                AxisOf::EdgeOfB(i) => format!("edge {} of B", i + 1),
                AxisOf::Nearest => "nearest points".to_owned(),
            };
            let overlap = format!("{}{}", number(*overlap), if is_best { ", smallest" } else { "" });
            let mut row = Rect::NOTHING;
            for text in [vector(*axis), from, reach(*a), reach(*b), overlap] {
                row |= ui.label(RichText::new(text).size(SMALL).color(color)).rect;
            }
            // The canvas shows the axis whose row the pointer is on.
            if ui.rect_contains_pointer(row) {
                Hovered::set(ui.ctx(), with, Some((i, nth)));
            }
            ui.end_row();
        }
    });
}

/// Whether two shapes touch, and by how much, in a sentence.
fn summary(explanation: &Explanation) -> String {
    match (explanation.mtv, explanation.axes.get(explanation.best)) {
        (Some(Vec2::ZERO), _) => "they touch and do not overlap".to_owned(),
        (Some(mtv), _) => format!("they overlap; moving A by {} px separates them", vector(mtv)),
        (None, Some(test)) => format!("{} px apart along {}", number(-test.overlap), vector(test.axis)),
        (None, None) => "they have no edges".to_owned(),
    }
}

/// The smallest overlap, in pixels; below zero when they are apart.
fn smallest(explanation: &Explanation) -> f32 {
    explanation.axes.get(explanation.best).map_or(f32::NEG_INFINITY, |test| test.overlap)
}

fn vector(v: Vec2) -> String {
    format!("{}, {}", number(v.x), number(v.y))
}

fn known(x: Option<f32>) -> String {
    x.map_or_else(|| "–".to_owned(), number)
}

/// With two places, and no minus before nothing.
fn number(x: f32) -> String {
    let text = format!("{x:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::physics::{convex::Convex, sat::explain};

    #[test]
    fn the_contact_of_two_shapes_is_summed_up_in_a_sentence() {
        let square = |x: f32| Convex::rect(Vec2::new(x, 0.0), Vec2::new(x + 16.0, 16.0));
        let summed = |x| summary(&explain(&square(x), &square(0.0)));
        assert_eq!(summed(12.0), "they overlap; moving A by 4.00, 0.00 px separates them");
        assert_eq!(summed(16.0), "they touch and do not overlap");
        assert_eq!(summed(17.5), "1.50 px apart along 1.00, 0.00");
        assert_eq!(number(-0.001), "0.00");
    }
}
