//! The time line as it is drawn: ruler, curves, keys, handles of slopes, playheads.

use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

use super::{Session, Shown, session::Drag};
use crate::{
    edit::Owner,
    model::{Name, float_text},
    sim::tracks::{Ease, Kind, Track},
    tools::timeline::{KeyAt, keys_of, played_key, ruler_steps},
    ui::{Theme, theme::SMALL},
};

/// The size of a key, from its center.
const KEY: f32 = 5.0;
/// How long the handle of a slope is, in points.
const HANDLE: f32 = 34.0;

/// Which values a row shows between its bottom and its top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    row: Rect,
    least: f64,
    most: f64,
}

impl Scale {
    fn y_of(self, value: f64) -> f32 {
        let share = (value - self.least) / (self.most - self.least);
        #[expect(clippy::cast_possible_truncation, reason = "points of the screen")]
        let share = share as f32;
        self.row.bottom() - share * self.row.height()
    }

    /// The value at a height of the screen.
    pub(super) fn value_at(self, y: f32) -> f64 {
        let share = f64::from((self.row.bottom() - y) / self.row.height());
        self.least + share * (self.most - self.least)
    }
}

/// The scale of a row: all values that its track goes through, with a margin.
pub(super) fn scale_of(track: &Track, row: Rect) -> Scale {
    let n = track.kind.n_lanes();
    let end = track.keys.last().map_or(0.0, |key| key.at);
    let times = (0..=64).map(|i| end * f64::from(i) / 64.0).chain(track.keys.iter().map(|key| key.at));
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for lanes in times.filter_map(|secs| track.lanes_at(secs)) {
        for x in lanes.into_iter().take(n) {
            (least, most) = (least.min(x), most.max(x));
        }
    }
    if most - least < 1e-9 || !(most - least).is_finite() {
        let middle = if least.is_finite() { least } else { 0.0 };
        (least, most) = (middle - 1.0, middle + 1.0);
    }
    Scale { row: row.shrink2(vec2(0.0, 9.0)), least, most }
}

/// The handle of a key's slope.
pub(super) struct SlopeHandle {
    /// The key.
    pub at: KeyAt,
    /// Which number of its value.
    pub lane: usize,
    /// Where it begins, at the key.
    pub from: Pos2,
    /// Where it is held.
    pub to: Pos2,
}

/// The handles of the slopes of the picked keys of a row that is shown large.
pub(super) fn slope_handles(
    shown: &Shown<'_>,
    session: &Session,
    view: Rect,
    (name, row): (&Name, Rect),
) -> Vec<SlopeHandle> {
    let Some(track) = shown.track(name).filter(|track| matches!(track.kind, Kind::Number | Kind::Whole | Kind::Pair))
    else {
        return Vec::new();
    };
    let scale = scale_of(track, row);
    let mut out = Vec::new();
    for at in session.picked.iter().filter(|at| at.track == *name) {
        let Some(place) = played_key(track, shown.value, at) else { continue };
        let Some(key) = track.keys.get(place) else { continue };
        let arrives =
            place.checked_sub(1).and_then(|before| track.keys.get(before)).is_some_and(|it| it.ease == Ease::Hermite);
        let leaves = key.ease == Ease::Hermite;
        let Some(lanes) = track.kind.lanes(&key.value).filter(|_| arrives || leaves) else { continue };
        let slopes = track.slope_at(place);
        for lane in 0..track.kind.n_lanes() {
            let from = pos2(session.x_of(view, key.at), scale.y_of(lanes[lane]));
            for (side, is_there) in [(1.0, leaves), (-1.0, arrives)] {
                if !is_there {
                    continue;
                }
                // Along the slope as it is seen, always as long.
                let secs = key.at + side * 0.05;
                let ahead = pos2(session.x_of(view, secs), scale.y_of(lanes[lane] + slopes[lane] * side * 0.05));
                let to = from + (ahead - from).normalized() * HANDLE;
                out.push(SlopeHandle { at: at.clone(), lane, from, to });
            }
        }
    }
    out
}

/// Show the ruler, with the playhead's grip.
pub(super) fn ruler_ui(shown: &Shown<'_>, ui: &Ui, session: &Session, view: Rect) {
    let theme = shown.cx.theme;
    let painter = clipped(ui, view);
    painter.rect_filled(view, CornerRadius::ZERO, theme.chrome);
    let (major, minor) = ruler_steps(session.zoom);
    each_line(session, view, minor, |x, _| {
        painter.vline(x, view.bottom() - 4.0..=view.bottom(), Stroke::new(1.0, theme.line));
    });
    each_line(session, view, major, |x, secs| {
        painter.vline(x, view.bottom() - 8.0..=view.bottom(), Stroke::new(1.0, theme.text_weak));
        let text = format!("{} s", short(secs));
        painter.text(
            pos2(x + 3.0, view.top() + 1.0),
            Align2::LEFT_TOP,
            text,
            FontId::proportional(SMALL),
            theme.text_weak,
        );
    });
    if let Some(secs) = shown.cx.view.scrub {
        let x = session.x_of(view, secs);
        let points = vec![pos2(x - 5.0, view.top() + 4.0), pos2(x + 5.0, view.top() + 4.0), pos2(x, view.bottom())];
        painter.add(Shape::convex_polygon(points, theme.accent, Stroke::NONE));
    }
}

/// A number without zeros at its end that nobody needs.
fn short(x: f64) -> String {
    let text = float_text((x * 1e3).round() / 1e3);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn each_line(session: &Session, view: Rect, step: f64, mut draw: impl FnMut(f32, f64)) {
    const MOST: usize = 2000;
    let first = (session.start.max(0.0) / step).floor() * step;
    let mut secs = first;
    for _ in 0..MOST {
        let x = session.x_of(view, secs);
        if x > view.right() {
            return;
        }
        if x >= view.left() {
            draw(x, secs);
        }
        secs += step;
    }
}

fn clipped(ui: &Ui, view: Rect) -> Painter {
    ui.painter().with_clip_rect(view.intersect(ui.clip_rect()))
}

/// Show the rows with their curves and keys.
pub(super) fn rows_ui(
    shown: &Shown<'_>,
    ui: &mut Ui,
    session: &Session,
    (view, rows, response): (Rect, &[(Name, Rect)], &Response),
) {
    let theme = shown.cx.theme;
    let painter = clipped(ui, view);
    painter.rect_filled(view, CornerRadius::ZERO, theme.canvas);
    let (major, _) = ruler_steps(session.zoom);
    each_line(session, view, major, |x, _| {
        painter.vline(x, view.y_range(), Stroke::new(1.0, theme.line.gamma_multiply(0.5)));
    });
    for (name, row) in rows {
        let Some(track) = shown.track(name) else { continue };
        painter.hline(row.x_range(), row.bottom(), Stroke::new(1.0, theme.line));
        let is_large = row.height() > 40.0;
        length_ui(theme, &painter, session, view, (track, *row));
        match track.kind {
            Kind::Color => colors_ui(&painter, session, view, (track, *row)),
            Kind::Other => {}
            _ => curve_ui(theme, &painter, session, view, (track, *row), is_large),
        }
        for mark in &track.marks {
            let x = session.x_of(view, mark.0);
            painter.vline(x, row.y_range(), Stroke::new(1.0, theme.hint));
            painter.circle_filled(pos2(x, row.bottom() - 4.0), 3.0, theme.hint);
        }
        keys_ui(shown, ui, &painter, session, view, (track, *row));
        if session.track.as_ref() == Some(name) {
            for handle in slope_handles(shown, session, view, (name, *row)) {
                painter.line_segment([handle.from, handle.to], Stroke::new(1.5, theme.accent));
                painter.circle(handle.to, 3.5, theme.canvas, Stroke::new(1.5, theme.accent));
            }
        }
    }
    if let Some(Drag::Frame { from, .. }) = &session.drag
        && let Some(at) = response.interact_pointer_pos()
    {
        let frame = Rect::from_two_pos(*from, at);
        painter.rect_filled(frame, CornerRadius::ZERO, theme.accent.gamma_multiply(0.12));
        painter.rect_stroke(frame, CornerRadius::ZERO, Stroke::new(1.0, theme.accent), StrokeKind::Inside);
    }
    if crate::ui::widgets::has_keyboard(response) {
        painter.rect_stroke(view, CornerRadius::ZERO, Stroke::new(1.0, theme.accent), StrokeKind::Inside);
    }
}

/// What is after the end of a track is not played.
fn length_ui(theme: &Theme, painter: &Painter, session: &Session, view: Rect, (track, row): (&Track, Rect)) {
    let end = session.x_of(view, track.secs);
    let start = session.x_of(view, 0.0);
    let dim = theme.chrome.gamma_multiply(0.55);
    let before = Rect::from_min_max(row.min, pos2(start.clamp(row.left(), row.right()), row.bottom()));
    let after = Rect::from_min_max(pos2(end.clamp(row.left(), row.right()), row.top()), row.max);
    painter.rect_filled(before, CornerRadius::ZERO, dim);
    painter.rect_filled(after, CornerRadius::ZERO, dim);
}

/// The color of one of the numbers of a value.
fn lane_color(theme: &Theme, lane: usize) -> Color32 {
    if lane == 0 { theme.path } else { theme.waypoint }
}

fn curve_ui(
    theme: &Theme,
    painter: &Painter,
    session: &Session,
    view: Rect,
    (track, row): (&Track, Rect),
    is_large: bool,
) {
    let scale = scale_of(track, row);
    let (from, to) = (session.x_of(view, 0.0).max(view.left()), session.x_of(view, track.secs).min(view.right()));
    if to <= from || track.keys.is_empty() {
        return;
    }
    // Where values jump, a key is looked at from both sides.
    let steps = (0..u16::MAX).map(|i| from + f32::from(i) * 2.0).take_while(|x| *x < to);
    let mut times: Vec<f64> = steps.map(|x| session.secs_at(view, x)).collect();
    times.push(session.secs_at(view, to));
    times.extend(track.keys.iter().flat_map(|key| [key.at - 1e-9, key.at]));
    let (first, last) = (session.secs_at(view, from), session.secs_at(view, to));
    times.retain(|secs| (first..=last).contains(secs));
    times.sort_by(f64::total_cmp);
    for lane in 0..track.kind.n_lanes() {
        let point = |secs: &f64| Some(pos2(session.x_of(view, *secs), scale.y_of(track.lanes_at(*secs)?[lane])));
        let points: Vec<Pos2> = times.iter().filter_map(point).collect();
        let stroke = Stroke::new(if is_large { 1.5 } else { 1.0 }, lane_color(theme, lane));
        painter.add(Shape::line(points, stroke));
    }
    if is_large {
        let font = FontId::proportional(SMALL);
        for (value, y, align) in
            [(scale.most, row.top() + 1.0, Align2::RIGHT_TOP), (scale.least, row.bottom() - 1.0, Align2::RIGHT_BOTTOM)]
        {
            painter.text(pos2(row.right() - 4.0, y), align, short(value), font.clone(), theme.text_weak);
        }
    }
}

fn colors_ui(painter: &Painter, session: &Session, view: Rect, (track, row): (&Track, Rect)) {
    let band = row.shrink2(vec2(0.0, (row.height() - 10.0) / 2.0));
    let (from, to) = (session.x_of(view, 0.0).max(view.left()), session.x_of(view, track.secs).min(view.right()));
    let mut x = from;
    while x < to {
        if let Some(lanes) = track.lanes_at(session.secs_at(view, x)) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            let [r, g, b, a] = lanes.map(|x| x.clamp(0.0, 255.0) as u8);
            let color = Color32::from_rgba_unmultiplied(r, g, b, a);
            painter.rect_filled(
                Rect::from_x_y_ranges(x..=(x + 4.0).min(to), band.y_range()),
                CornerRadius::ZERO,
                color,
            );
        }
        x += 4.0;
    }
}

fn keys_ui(
    shown: &Shown<'_>,
    ui: &mut Ui,
    painter: &Painter,
    session: &Session,
    view: Rect,
    (track, row): (&Track, Rect),
) {
    let theme = shown.cx.theme;
    let scale = (row.height() > 40.0 && track.kind == Kind::Number).then(|| scale_of(track, row));
    for (i, (secs, key)) in keys_of(shown.value, &track.name).enumerate() {
        let x = session.x_of(view, secs);
        if x < view.left() - KEY || x > view.right() + KEY {
            continue;
        }
        let value = key.field("value");
        let lanes = value.and_then(|value| track.kind.lanes(value));
        let y = match (&scale, lanes) {
            (Some(scale), Some(lanes)) => scale.y_of(lanes[0]),
            _ => row.center().y,
        };
        let at = KeyAt { track: track.name.clone(), key: i };
        let is_picked = session.picked.contains(&at);
        let c = pos2(x, y);
        let points = [vec2(0.0, -KEY), vec2(KEY, 0.0), vec2(0.0, KEY), vec2(-KEY, 0.0)].map(|by| c + by).to_vec();
        let fill = if is_picked { theme.accent } else { theme.text_strong };
        painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.5, theme.canvas)));
        // For people who do not see it, and for tests; the row takes the pointer.
        let place = Rect::from_center_size(c, vec2(2.0 * KEY, 2.0 * KEY)).intersect(view);
        let name = format!("Key of {} at {} s", track.name, short(secs));
        let response = ui.interact(place, ui.scope_id().with(("key", &track.name, i)), Sense::hover());
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListItem, true, is_picked, &name));
        if session.drag.is_none() {
            let text = value.map(ToString::to_string).unwrap_or_default();
            response.on_hover_text(format!("{} s: {text}", short(secs)));
        }
    }
}

/// Show where the playhead is, and where the tracks of the running entity are.
pub(super) fn playheads_ui(shown: &Shown<'_>, ui: &Ui, session: &Session, (view, rows): (Rect, &[(Name, Rect)])) {
    let theme = shown.cx.theme;
    let painter = clipped(ui, view);
    if let Some(preview) = shown.cx.preview {
        let world = preview.session.world();
        let key = match &shown.subject.owner {
            Owner::Instance { doc, id, .. } if preview.level == *doc => world.by_id(id),
            Owner::Instance { .. } => None,
            Owner::Def { name, .. } => world.entities().find(|entity| entity.def == name).map(|entity| entity.key),
        };
        for (name, secs, plays) in key.into_iter().flat_map(|key| world.tracks(key)) {
            let Some((_, row)) = rows.iter().find(|(row, _)| row == name) else { continue };
            let ink = if plays { theme.good } else { theme.text_weak };
            painter.vline(session.x_of(view, secs), row.y_range(), Stroke::new(2.0, ink));
        }
    }
    if let Some(secs) = shown.cx.view.scrub {
        painter.vline(session.x_of(view, secs), view.y_range(), Stroke::new(1.5, theme.accent));
    }
}
