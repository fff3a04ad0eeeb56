//! The collision inspector over the canvas: the separating axes of a pair, both projections along them, the translation
//! that separates them, and what the engine used.

use egui::{Color32, Context, Id, Pos2, Shape, Stroke, Vec2, pos2, vec2};

use super::{Labels, Scene};
use crate::{
    editor::{Overlay, Preview},
    sim::{
        EntityKey, World,
        physics::{
            Touched,
            sat::{AxisTest, Explanation},
        },
    },
    ui::{Cx, Theme, canvas::lines},
};

/// From a pair to the axes beside it, and from axis to axis, in points.
const BESIDE: f32 = 22.0;
/// The shortest arrow of a translation, in points, that it can be seen.
const LEAST_ARROW: f32 = 14.0;

/// What the pointer is on in the list of axes: shared between the pane and the canvas, for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hovered {
    /// What of the pair the list is of.
    pub with: Touched,
    /// The piece and the axis, by their numbers; none where the pointer is on the contact as a whole.
    pub axis: Option<(usize, usize)>,
    /// The pass of the window in which it was so.
    pass: u64,
}

impl Hovered {
    fn id() -> Id {
        Id::unique("hovered separating axis")
    }

    /// The pointer is on this now.
    pub fn set(ctx: &Context, with: Touched, axis: Option<(usize, usize)>) {
        let pass = ctx.cumulative_pass_nr();
        ctx.data_mut(|data| data.insert_temp(Self::id(), Self { with, axis, pass }));
    }

    /// What the pointer is on, if it was there in this pass or the one before.
    #[must_use]
    pub fn get(ctx: &Context) -> Option<Self> {
        let pass = ctx.cumulative_pass_nr();
        ctx.data(|data| data.get_temp::<Self>(Self::id())).filter(|it| pass.saturating_sub(it.pass) <= 2)
    }
}

/// The two whose axes are shown: the two selected entities; of one, it and what the pointer is on in the list of its
/// contacts, else the tile under the pointer.
#[must_use]
pub fn inspected_pair(cx: &Cx<'_>, ctx: &Context, preview: &Preview) -> Option<(EntityKey, Touched)> {
    let (world, physics) = (preview.session.world(), preview.session.world().physics());
    let key = |id| world.by_id(id).filter(|key| physics.bounds(*key).is_some());
    match cx.selection.ids_in(&preview.level) {
        [a, b] => Some((key(a)?, Touched::Body(key(b)?))),
        [id] => {
            let key = key(id)?;
            let hovered = Hovered::get(ctx).map(|it| it.with);
            let pointed = || {
                let pointer = cx.view.pointer.as_ref().filter(|_| cx.view.level.as_ref() == Some(&preview.level))?;
                let level = cx.project.level(&preview.level)?;
                Some(Touched::Tile(level.grid().cell_at(pointer.pos)))
            };
            let with = hovered.or_else(pointed)?;
            (!physics.explain_touched(key, with).is_empty()).then_some((key, with))
        }
        _ => None,
    }
}

/// The colors of the projections of A and B, and of what they overlap by.
#[must_use]
pub(super) fn colors(theme: &Theme) -> [Color32; 3] {
    [theme.accent, theme.waypoint, theme.error]
}

/// Draw them.
pub(super) fn axes_ui(scene: &Scene<'_>, labels: &mut Labels) {
    if !scene.has(Overlay::Axes) {
        return;
    }
    let Some((key, with)) = inspected_pair(scene.cx, scene.painter.ctx(), scene.preview) else { return };
    let physics = scene.world.physics();
    let explanations = physics.explain_touched(key, with);
    let Some(viewport) = scene.of(key) else { return };
    let Some(around) = bounds(scene.world, key, with) else { return };
    let hovered = Hovered::get(scene.painter.ctx()).filter(|it| it.with == with).and_then(|it| it.axis);
    let scale = viewport.camera.scale;
    let middle = glam::Vec2::midpoint(around[0], around[1]);
    let reach = (around[1] - around[0]).length() / 2.0;
    // Of several parts, those that are the nearest.
    let nearest = explanations.iter().enumerate().max_by(|(_, a), (_, b)| smallest(a).total_cmp(&smallest(b)));
    let shown = match hovered {
        Some((piece, _)) => explanations.get(piece).map(|it| (piece, it)),
        None => nearest,
    };
    let Some((piece, explanation)) = shown else { return };
    for (nth, (number, is_best, test)) in explanation.numbered().enumerate() {
        let is_hovered = hovered == Some((piece, number));
        if hovered.is_some() && !is_hovered {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few axes")]
        let beside = reach * scale + BESIDE * (1.0 + nth as f32 * 0.6);
        axis_ui(
            scene,
            labels,
            test,
            (viewport.screen(pos2(middle.x, middle.y)), beside, scale),
            is_best || is_hovered,
            middle,
        );
    }
    translation_ui(scene, labels, explanation, key);
    engine_ui(scene, labels, key, with);
}

/// The box around both, in pixels.
fn bounds(world: &World, key: EntityKey, with: Touched) -> Option<[glam::Vec2; 2]> {
    let a = world.physics().bounds(key)?;
    let [lo, hi] = match with {
        Touched::Body(other) => {
            let b = world.physics().bounds(other)?;
            [b.lo, b.hi]
        }
        Touched::Tile([x, y]) => {
            let size = world.grid().tile_size();
            #[expect(clippy::cast_precision_loss, reason = "cells of a level")]
            let lo = glam::Vec2::new(x as f32, y as f32) * size;
            [lo, lo + size]
        }
    };
    Some([a.lo.min(lo), a.hi.max(hi)])
}

/// An axis beside the pair, with what each covers of it.
fn axis_ui(
    scene: &Scene<'_>,
    labels: &mut Labels,
    test: &AxisTest,
    (center, beside, scale): (Pos2, f32, f32),
    is_strong: bool,
    middle: glam::Vec2,
) {
    let theme = scene.theme();
    let along = vec2(test.axis.x, test.axis.y);
    // On the side that is more to the right, or more below.
    let across = along.rot90();
    let across = if across.x + across.y * 0.5 < 0.0 { -across } else { across };
    let origin = center + across * beside;
    // A place of the axis, in pixels from the level's origin along it.
    let at = |t: f32| origin + along * ((t - middle.dot(test.axis)) * scale);
    let (lo, hi) = (test.a[0].min(test.b[0]), test.a[1].max(test.b[1]));
    let weak = if is_strong { 1.0 } else { 0.55 };
    scene.painter.line_segment([at(lo) - along * 10.0, at(hi) + along * 10.0], Stroke::new(1.0, theme.halo));
    let [a, b, overlap] = colors(theme);
    let interval = |[lo, hi]: [f32; 2], aside: f32, color: Color32, width: f32| {
        let ends = [at(lo) + across * aside, at(hi) + across * aside];
        lines::line_ui(theme, scene.painter, ends, Stroke::new(width, color.gamma_multiply(weak)));
    };
    interval(test.a, -3.0, a, 3.0);
    interval(test.b, 3.0, b, 3.0);
    let shared = [test.a[0].max(test.b[0]), test.a[1].min(test.b[1])];
    if shared[1] > shared[0] {
        interval(shared, 0.0, overlap, 2.0);
    }
    if is_strong {
        // From both ends of the overlap, or of the gap, to the pair.
        for t in shared {
            let dashes =
                Shape::dashed_line(&[at(t), at(t) - across * beside * 1.6], Stroke::new(1.0, overlap), 4.0, 4.0);
            scene.painter.extend(dashes);
        }
    }
    let text = if test.overlap >= 0.0 {
        format!("overlap {:.2} px", test.overlap)
    } else {
        format!("apart {:.2} px", -test.overlap)
    };
    labels.label_ui(
        theme,
        scene.painter,
        at(f32::midpoint(lo, hi)) + across * 12.0 + vec2(0.0, 8.0),
        &text,
        theme.text,
    );
}

/// How A is to be moved off B.
fn translation_ui(scene: &Scene<'_>, labels: &mut Labels, explanation: &Explanation, key: EntityKey) {
    let Some(mtv) = explanation.mtv.filter(|mtv| *mtv != glam::Vec2::ZERO) else { return };
    let Some((from, viewport)) = scene.spot(key).zip(scene.of(key)) else { return };
    let by = vec2(mtv.x, mtv.y) * viewport.camera.scale;
    let by = if by.length() < LEAST_ARROW { by.normalized() * LEAST_ARROW } else { by };
    scene.arrow(from, by, Stroke::new(2.5, scene.theme().good));
    let text = format!("translation {:.2}, {:.2} px", mtv.x, mtv.y);
    labels.label_ui(scene.theme(), scene.painter, from + by - vec2(0.0, 6.0), &text, scene.theme().text);
}

/// What the engine has of it, point by point.
fn engine_ui(scene: &Scene<'_>, labels: &mut Labels, key: EntityKey, with: Touched) {
    for contact in scene.world.physics().engine_contacts(key, with) {
        let Some(at) = scene.seen(key, contact.point) else { continue };
        let normal: Vec2 = vec2(contact.normal.x, contact.normal.y);
        scene.arrow(at, normal * 20.0, Stroke::new(1.5, scene.theme().warning));
        let impulse = contact.impulse.filter(|impulse| *impulse > 0.0);
        let impulse = impulse.map(|impulse| format!(", impulse {impulse:.1}")).unwrap_or_default();
        let text = match contact.depth {
            Some(depth) => format!("engine: depth {:.2} px{impulse}", depth.max(0.0)),
            None => "engine: touched by a walking body".to_owned(),
        };
        labels.label_ui(scene.theme(), scene.painter, at + vec2(0.0, 22.0), &text, scene.theme().text);
    }
}

fn smallest(explanation: &Explanation) -> f32 {
    explanation.axes.get(explanation.best).map_or(f32::NEG_INFINITY, |test| test.overlap)
}
